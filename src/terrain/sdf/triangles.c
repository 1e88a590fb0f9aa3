// SPDX-License-Identifier: MIT
// triangles.c - makes a solid from arrays of triangles, and computes its signed distance.
//
// A mesh is made sound first: equal vertices become one, triangles that face against their
// neighbours are turned, and so are whole parts that are inside out. Then it is judged. Across the
// surface the winding number jumps by one; of a closed surface it is a whole number on both sides,
// 1 and 0. Where there are holes both sides are off by the same amount, the part of the full sphere
// that the holes take up as seen from there. At 0.5 inside and outside cannot be told apart. A mesh
// is refused when it is off by more than 1/8, averaged over its surface: a hemisphere without its
// lid is at 0.15 to 0.25, a sphere that lacks a cap of 30 degrees at 0.02 to 0.08. Counting open
// edges could not tell the two apart, and would refuse a mesh whose seams are apart by a rounding
// error.
#include "terrain/sdf/triangles.h"

#include <string.h>

#define FARTHEST     1e9f  // metres from the origin; areas of nodes are floats
#define MOST_OFF     0.125 // of the winding number from a whole one, on average
#define PROBES       1024  // places where that is measured, at most
#define PROBE_DEPTH  1e-4  // below the surface, in lengths of the triangle
#define LEAST_VOLUME 1e-9  // of area^(3/2); a sphere has 0.09

// ---- Checks ----------------------------------------------------------------------------

static rill_status check(const float *vertices, size_t vertex_count, const uint32_t *indices,
                         size_t index_count)
{
    if (index_count == 0 || vertex_count == 0)
        return rill_fail(RILL_BAD_DEF, "the mesh is empty: it has %zu vertices and %zu indices",
                         vertex_count, index_count);
    if (index_count % 3 != 0)
        return rill_fail(RILL_BAD_DEF, "%zu indices do not make triangles", index_count);
    if (index_count >= UINT32_MAX || vertex_count >= UINT32_MAX)
        return rill_fail(RILL_BAD_DEF,
                         "the mesh has %zu vertices and %zu indices, at most %u may be",
                         vertex_count, index_count, (unsigned)UINT32_MAX - 1u);
    for (size_t k = 0; k < index_count; k++)
        if (indices[k] >= vertex_count)
            return rill_fail(RILL_BAD_DEF, "triangle %zu names vertex %u, there are %zu", k / 3,
                             (unsigned)indices[k], vertex_count);
    for (size_t k = 0; k < 3 * vertex_count; k++)
        if (!(fabsf(vertices[k]) <= FARTHEST))
            return rill_fail(
                RILL_BAD_DEF,
                "coordinate %c of vertex %zu is %g m, it must be finite and at most %g m from 0",
                "xyz"[k % 3], k / 3, (double)vertices[k], (double)FARTHEST);
    return RILL_OK;
}

// ---- Equal vertices become one ---------------------------------------------------------

// Returns the number of an equal vertex among those that the mesh has, or of a new one.
static uint32_t find_or_add(rill_triangles *t, const float *vertex, uint32_t *table, size_t mask)
{
    float place[3];
    uint32_t bits[3];
    // Adding zero makes one zero of both, so that equal values have equal bits.
    for (int k = 0; k < 3; k++)
        place[k] = vertex[k] + 0.0f;
    memcpy(bits, place, sizeof bits);
    size_t slot = (size_t)rl_random_bits(bits[0], bits[1], bits[2]) & mask;
    for (; table[slot] != 0; slot = (slot + 1) & mask) // the table holds numbers plus one
        if (memcmp(t->vertices + 3 * (size_t)(table[slot] - 1), place, sizeof place) == 0)
            return table[slot] - 1;
    memcpy(t->vertices + 3 * t->vertex_count, place, sizeof place);
    table[slot] = (uint32_t)++t->vertex_count;
    return table[slot] - 1;
}

static rill_status weld(rill_triangles *t, rl_owned *scratch, const float *vertices,
                        size_t vertex_count, const uint32_t *indices, size_t index_count)
{
    const size_t most = vertex_count < index_count ? vertex_count : index_count;
    size_t slots = 16;
    while (slots < 2 * most)
        slots *= 2;
    uint32_t *table = rl_owned_take(scratch, slots, sizeof *table);
    t->given = rl_owned_take(&t->own, vertex_count, sizeof *t->given);
    t->given_count = vertex_count;
    t->vertices = rl_owned_take(&t->own, 3 * most, sizeof *t->vertices);
    t->indices = rl_owned_take(&t->own, index_count, sizeof *t->indices);
    if (scratch->failed || t->own.failed)
        return rill_fail(RILL_NO_MEMORY, "no memory for a mesh of %zu triangles", index_count / 3);
    for (size_t v = 0; v < vertex_count; v++)
        t->given[v] = RL_NO_TRIANGLE;
    for (size_t k = 0; k < index_count; k++) {
        uint32_t *number = &t->given[indices[k]];
        if (*number == RL_NO_TRIANGLE)
            *number = find_or_add(t, vertices + 3 * (size_t)indices[k], table, slots - 1);
        t->indices[k] = *number;
    }
    t->index_count = index_count;
    return RILL_OK;
}

// ---- Sound triangles -------------------------------------------------------------------

static const float *corner(const rill_triangles *t, size_t triangle, int k)
{
    return t->vertices + 3 * (size_t)t->indices[3 * triangle + (size_t)k];
}

// Returns twice the area.
static double normal_of(const rill_triangles *t, size_t triangle, double normal[3])
{
    rl_triangle_normal(corner(t, triangle, 0), corner(t, triangle, 1), corner(t, triangle, 2),
                       normal);
    return sqrt(rl_dot(normal, normal));
}

static void drop_repeated_corners(rill_triangles *t)
{
    size_t left = 0;
    for (size_t k = 0; k < t->index_count; k += 3) {
        const uint32_t a = t->indices[k], b = t->indices[k + 1], c = t->indices[k + 2];
        if (a == b || b == c || c == a)
            continue;
        memmove(t->indices + left, t->indices + k, 3 * sizeof *t->indices);
        left += 3;
    }
    t->index_count = left;
}

// Comes after the edges have been counted: a triangle whose corners lie on one line has no surface,
// but it may be what joins the edges of its neighbours.
static void drop_flat(rill_triangles *t, uint32_t *parts)
{
    size_t left = 0;
    for (size_t k = 0; k < t->index_count / 3; k++) {
        double normal[3];
        if (normal_of(t, k, normal) == 0.0)
            continue;
        memmove(t->indices + 3 * left, t->indices + 3 * k, 3 * sizeof *t->indices);
        parts[left++] = parts[k];
    }
    t->index_count = 3 * left;
}

// ---- Measures --------------------------------------------------------------------------

static void measure_box(rill_triangles *t)
{
    for (int k = 0; k < 3; k++) {
        t->info.low[k] = HUGE_VAL;
        t->info.high[k] = -HUGE_VAL;
    }
    for (size_t c = 0; c < t->index_count; c++)
        for (int k = 0; k < 3; k++) {
            const double x = (double)t->vertices[3 * (size_t)t->indices[c] + (size_t)k];
            t->info.low[k] = rl_lesser(t->info.low[k], x);
            t->info.high[k] = rl_greater(t->info.high[k], x);
        }
}

// Returns the volume of the tetrahedron from the middle of the box to a triangle; these add up to
// the volume.
static double volume_below(const rill_triangles *t, size_t triangle)
{
    double middle[3], a[3], b[3], c[3], normal[3];
    for (int k = 0; k < 3; k++)
        middle[k] = 0.5 * (t->info.low[k] + t->info.high[k]);
    rl_from(middle, corner(t, triangle, 0), a);
    rl_from(middle, corner(t, triangle, 1), b);
    rl_from(middle, corner(t, triangle, 2), c);
    rl_cross(b, c, normal);
    return rl_dot(a, normal) / 6.0;
}

void rl_triangles_measure(rill_triangles *t)
{
    rl_sum volume = {0};
    measure_box(t);
    for (size_t k = 0; k < t->index_count / 3; k++)
        rl_sum_add(&volume, volume_below(t, k));
    t->info.volume = rl_sum_value(&volume);
}

// Also turns a mesh that is inside out as a whole.
static rill_status measure(rill_triangles *t)
{
    rl_sum area = {0};
    rl_triangles_measure(t);
    for (size_t k = 0; k < t->index_count / 3; k++) {
        double normal[3];
        rl_sum_add(&area, 0.5 * normal_of(t, k, normal));
    }
    const double surface = rl_sum_value(&area);
    t->info.vertices = (int64_t)t->vertex_count;
    t->info.triangles = (int64_t)(t->index_count / 3);
    if (!(fabs(t->info.volume) > LEAST_VOLUME * surface * sqrt(surface)))
        return rill_fail(RILL_BAD_DEF,
                         "the mesh encloses no volume (%g m^3 under %g m^2 of surface, %lld of its "
                         "edges are open): it is flat, or its parts are turned against each other",
                         t->info.volume, surface, (long long)t->info.open_edges);
    if (t->info.volume < 0.0)
        for (size_t k = 0; k < t->index_count / 3; k++)
            rl_triangle_turn(t->indices + 3 * k);
    return RILL_OK;
}

// ---- Inside and outside ----------------------------------------------------------------

// Computes the winding numbers just below and just above the middle of a triangle.
static void probe(const rill_triangles *t, size_t triangle, double *below, double *above)
{
    double normal[3], low[3], high[3];
    const double twice = normal_of(t, triangle, normal), depth = PROBE_DEPTH / sqrt(twice);
    for (int k = 0; k < 3; k++) {
        const double middle =
            ((double)corner(t, triangle, 0)[k] + (double)corner(t, triangle, 1)[k] +
             (double)corner(t, triangle, 2)[k]) /
            3.0;
        low[k] = middle - depth * normal[k];
        high[k] = middle + depth * normal[k];
    }
    *below = rl_triangle_tree_winding(t->tree, low);
    *above = rl_triangle_tree_winding(t->tree, high);
}

// Turns closed parts that stand outside of all other parts and are inside out. Such a part has
// winding numbers -1 inside and 0 outside. A cavity is turned inwards as well but lies in another
// part, and has 0 and 1. `volumes` and `largest` hold a number a triangle. Returns true if any was
// turned.
static bool turn_parts(rill_triangles *t, const uint32_t *parts, double *volumes, uint32_t *largest)
{
    const uint32_t count = (uint32_t)(t->index_count / 3);
    double unused[3];
    bool any = false;
    for (uint32_t k = 0; k < count; k++)
        largest[parts[k]] = k;
    for (uint32_t k = 0; k < count; k++) {
        volumes[parts[k]] += volume_below(t, k);
        if (normal_of(t, k, unused) > normal_of(t, largest[parts[k]], unused))
            largest[parts[k]] = k;
    }
    for (uint32_t k = 0; k < count; k++) {
        if (largest[parts[k]] != k || volumes[parts[k]] >= 0.0)
            continue;
        double below, above;
        probe(t, k, &below, &above);
        volumes[parts[k]] = below + above < 0.0 ? -HUGE_VAL : 0.0; // a mark for the next loop
    }
    for (uint32_t k = 0; k < count; k++)
        if (volumes[parts[k]] == -HUGE_VAL) {
            rl_triangle_turn(t->indices + 3 * k);
            any = true;
        }
    return any;
}

static rill_status check_parts(rill_triangles *t, rl_owned *scratch, const uint32_t *parts,
                               size_t part_count)
{
    double *volumes = rl_owned_take(scratch, part_count, sizeof *volumes);
    uint32_t *largest = rl_owned_take(scratch, part_count, sizeof *largest);
    if (scratch->failed)
        return rill_fail(RILL_NO_MEMORY, "no memory for the parts of a mesh");
    return turn_parts(t, parts, volumes, largest) ? rl_triangle_tree_create(t) : RILL_OK;
}

// Returns how far the winding number below the surface is from a whole one, on average over the
// area. The probes have equal distances, measured in area.
static double mean_off(const rill_triangles *t)
{
    const size_t count = t->index_count / 3;
    double area = 0.0, passed = 0.0, sum = 0.0, normal[3];
    for (size_t k = 0; k < count; k++)
        area += normal_of(t, k, normal);
    const double apart = area / (double)(count < PROBES ? count : PROBES);
    double next = 0.5 * apart;
    for (size_t k = 0; k < count; k++) {
        passed += normal_of(t, k, normal);
        if (passed < next)
            continue;
        const double probes = floor((passed - next) / apart) + 1.0;
        double below, above;
        probe(t, k, &below, &above);
        sum += probes * fabs(below - floor(below + 0.5));
        next += probes * apart;
    }
    return sum * apart / area;
}

rill_status rl_triangles_check_open(const rill_triangles *t)
{
    const double off = mean_off(t);
    if (off > MOST_OFF)
        return rill_fail(RILL_BAD_DEF,
                         "the mesh is more open than closed: %lld of its %lld edges are open, and "
                         "its winding numbers are off whole ones by %.2f on average (%g at most), "
                         "too much to tell inside from outside",
                         (long long)t->info.open_edges, (long long)t->edge_count, off, MOST_OFF);
    return RILL_OK;
}

// ---- Create and destroy ----------------------------------------------------------------

static rill_status make_sound(rill_triangles *t, rl_owned *scratch)
{
    const char *const empty = "the mesh is empty: none of its triangles has an area";
    drop_repeated_corners(t);
    const size_t part_count = t->index_count / 3;
    if (part_count == 0)
        return rill_fail(RILL_BAD_DEF, "%s", empty);
    uint32_t *parts = rl_owned_take(scratch, part_count, sizeof *parts);
    if (parts == NULL)
        return rill_fail(RILL_NO_MEMORY, "no memory for the parts of a mesh");
    rl_triangle_edges edges;
    RILL_TRY(rl_triangles_orient(scratch, t->vertices, t->vertex_count, t->indices, part_count,
                                 parts, &edges));
    t->info.open_edges = edges.open;
    t->edge_count = edges.edges;
    t->closed = edges.unbalanced == 0;
    drop_flat(t, parts);
    if (t->index_count == 0)
        return rill_fail(RILL_BAD_DEF, "%s", empty);
    RILL_TRY(measure(t));
    RILL_TRY(rl_triangle_tree_create(t));
    return t->closed ? check_parts(t, scratch, parts, part_count) : rl_triangles_check_open(t);
}

rill_status rill_triangles_create(const float *vertices, size_t vertex_count,
                                  const uint32_t *indices, size_t index_count,
                                  const rill_host *host, rill_triangles **out)
{
    if (out == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "triangles need a place, it is NULL");
    *out = NULL;
    if ((vertices == NULL && vertex_count > 0) || (indices == NULL && index_count > 0))
        return rill_fail(RILL_BAD_ARGUMENT, "the vertices or the indices of triangles are NULL");
    RILL_TRY(rill_host_check(host));
    const rill_allocator *allocator = rill_allocator_of(host);
    RILL_TRY(check(vertices, vertex_count, indices, index_count));
    rl_owned *scratch = rl_owned_create(allocator, sizeof *scratch);
    rill_triangles *t = rl_owned_create(allocator, sizeof *t);
    void *memory = scratch, *object = t;
    if (scratch == NULL || t == NULL) {
        rl_owned_destroy(NULL, &memory);
        rl_owned_destroy(NULL, &object);
        return rill_fail(RILL_NO_MEMORY, "no memory for a mesh");
    }
    atomic_init(&t->holders, 1);
    rill_status status = weld(t, scratch, vertices, vertex_count, indices, index_count);
    if (status == RILL_OK)
        status = make_sound(t, scratch);
    rl_owned_destroy(NULL, &memory);
    t->info.positions = t->vertices;
    t->info.indices = t->indices;
    if (status != RILL_OK)
        rill_triangles_destroy(&t);
    *out = t;
    return status;
}

rill_triangles_info rill_triangles_view(const rill_triangles *triangles)
{
    return triangles != NULL ? triangles->info : (rill_triangles_info){0};
}

const rill_triangles *rl_triangles_retain(const rill_triangles *triangles)
{
    rill_triangles *t = (rill_triangles *)(uintptr_t)triangles; // the count alone changes
    atomic_fetch_add_explicit(&t->holders, 1, memory_order_relaxed);
    return triangles;
}

void rill_triangles_destroy(rill_triangles **triangles)
{
    if (triangles == NULL || *triangles == NULL)
        return;
    rill_triangles *t = *triangles;
    *triangles = NULL;
    // The last holder sees all that the other holders did before.
    if (atomic_fetch_sub_explicit(&t->holders, 1, memory_order_acq_rel) > 1)
        return;
    void *object = t;
    rl_triangle_tree_destroy(&t->own.allocator, &t->tree);
    rl_owned_destroy(NULL, &object);
}

// ---- Distance --------------------------------------------------------------------------

static double winding(const rill_triangles *t, const double point[3])
{
    for (int k = 0; k < 3 && t->closed; k++)
        if (point[k] < t->info.low[k] || point[k] > t->info.high[k])
            return 0.0;
    return rl_triangle_tree_winding(t->tree, point);
}

double rl_triangles_distance(const rill_triangles *triangles, const double point[3], double band)
{
    RL_ASSERT(band > 0.0 && triangles->tree != NULL);
    const double distance = rl_triangle_tree_nearest(triangles->tree, point, band);
    return winding(triangles, point) > 0.5 ? -distance : distance;
}
