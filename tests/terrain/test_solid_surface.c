// SPDX-License-Identifier: MIT
// test_solid_surface.c - the triangles of a solid: closed, rightly wound, of the right shape, and
// the same whether all of them or only the touched ones are made.
#include "terrain/sdf/solid_internal.h"
#include "tests/kit/counting_host.h"
#include "tests/kit/kit.h"
#include "tests/terrain/distances.h"

#define PI 3.14159265358979323846

static rl_solid *make_solid(int nx, int ny, double cell_size, double bottom, double top)
{
    const rill_solid_def def = {
        .nx = nx, .ny = ny, .cell_size = cell_size, .bottom = bottom, .top = top};
    rl_solid *solid = NULL;
    assert_ok(rill_solid_create(&def, &solid));
    return solid;
}

static rill_sdf_primitive shape_at(rill_sdf_kind kind, double x, double y, double z)
{
    rill_sdf_primitive shape = rill_default_sdf_primitive(kind);
    set3(shape.position, x, y, z);
    return shape;
}

static void fill_at_random(rl_solid *solid, uint32_t seed)
{
    for (size_t n = 0; n < solid->bytes / sizeof *solid->distance; n++) {
        seed = seed * 1664525u + 1013904223u;
        solid->distance[n] = (float)(seed >> 8) * 0x1p-23f - 1.0f; // -1 to 1
    }
}

// ---- A mesh with vertices of equal place made one --------------------------------------

typedef struct side {
    uint32_t low, high;
    int way; // 1 from low to high, -1 back
} side;

typedef struct welded {
    float (*places)[3];
    uint32_t *indices;
    side *sides;
    size_t vertex_count, index_count;
} welded;

static int compare_places(const void *a, const void *b)
{
    const float *p = a, *q = b;
    for (int n = 0; n < 3; n++)
        if (p[n] != q[n])
            return p[n] < q[n] ? -1 : 1;
    return 0;
}

static int compare_sides(const void *a, const void *b)
{
    const side *p = a, *q = b;
    if (p->low != q->low)
        return p->low < q->low ? -1 : 1;
    return p->high != q->high ? (p->high < q->high ? -1 : 1) : 0;
}

// Only triangles whose corners all lie above `least`.
static welded weld(const rill_ground_mesh *mesh, float least)
{
    welded w = {.places = calloc(mesh->vertex_count + 1, sizeof *w.places),
                .indices = calloc(mesh->index_count + 1, sizeof *w.indices),
                .sides = calloc(mesh->index_count + 1, sizeof *w.sides)};
    for (size_t n = 0; n < mesh->index_count; n += 3) {
        const uint32_t *t = mesh->indices + n;
        bool above = true;
        for (int c = 0; c < 3; c++) {
            assert_true(t[c] < mesh->vertex_count);
            above = above && mesh->vertices[t[c]].position[2] > least;
        }
        for (int c = 0; above && c < 3; c++)
            w.indices[w.index_count++] = t[c];
    }
    bool *used = calloc(mesh->vertex_count + 1, sizeof *used);
    for (size_t n = 0; n < w.index_count; n++)
        used[w.indices[n]] = true;
    size_t count = 0;
    for (size_t n = 0; n < mesh->vertex_count; n++)
        if (used[n])
            memcpy(w.places[count++], mesh->vertices[n].position, sizeof w.places[0]);
    free(used);
    qsort(w.places, count, sizeof w.places[0], compare_places);
    for (size_t n = 0; n < count; n++)
        if (n == 0 || compare_places(w.places[n], w.places[n - 1]) != 0)
            memmove(w.places[w.vertex_count++], w.places[n], sizeof w.places[0]);
    for (size_t n = 0; n < w.index_count; n++) {
        const float(*found)[3] = bsearch(mesh->vertices[w.indices[n]].position, w.places,
                                         w.vertex_count, sizeof w.places[0], compare_places);
        w.indices[n] = (uint32_t)(found - (const float(*)[3])w.places);
    }
    for (size_t n = 0; n < w.index_count; n++) {
        const uint32_t a = w.indices[n], b = w.indices[n % 3 == 2 ? n - 2 : n + 1];
        assert_true(a != b);
        w.sides[n] = (side){a < b ? a : b, a < b ? b : a, a < b ? 1 : -1};
    }
    qsort(w.sides, w.index_count, sizeof *w.sides, compare_sides);
    return w;
}

static void welded_destroy(welded *w)
{
    free(w->places);
    free(w->indices);
    free(w->sides);
}

static bool on_border(const welded *w, side s, float width, float height)
{
    const float *p = w->places[s.low], *q = w->places[s.high];
    return (p[0] == 0.0f && q[0] == 0.0f) || (p[0] == width && q[0] == width) ||
           (p[1] == 0.0f && q[1] == 0.0f) || (p[1] == height && q[1] == height);
}

// Every side belongs to two triangles that run along it in opposite ways, but on the border of the
// world to one. Returns the number of sides.
static size_t check_closed(const welded *w, float width, float height)
{
    size_t count = 0;
    for (size_t n = 0; n < w->index_count; count++) {
        const side *s = &w->sides[n];
        size_t same = 0;
        int ways = 0;
        while (n < w->index_count && compare_sides(s, &w->sides[n]) == 0) {
            ways += w->sides[n++].way;
            same++;
        }
        if (on_border(w, *s, width, height))
            assert_int_equal(same, 1);
        else
            assert_true(same == 2 && ways == 0);
    }
    return count;
}

static void triangle_of(const welded *w, size_t n, double corner[3][3], double area[3])
{
    for (int c = 0; c < 3; c++)
        for (int a = 0; a < 3; a++)
            corner[c][a] = (double)w->places[w->indices[n + (size_t)c]][a];
    for (int a = 0; a < 3; a++) {
        const int b = (a + 1) % 3, c = (a + 2) % 3;
        area[a] = 0.5 * ((corner[1][b] - corner[0][b]) * (corner[2][c] - corner[0][c]) -
                         (corner[1][c] - corner[0][c]) * (corner[2][b] - corner[0][b]));
    }
}

// Within the mesh, by the divergence theorem.
static double volume_of(const welded *w)
{
    double sum = 0.0;
    for (size_t n = 0; n < w->index_count; n += 3) {
        double corner[3][3], area[3];
        triangle_of(w, n, corner, area);
        for (int a = 0; a < 3; a++)
            sum += area[a] * (corner[0][a] + corner[1][a] + corner[2][a]) / 9.0;
    }
    return sum;
}

static void check_areas(const welded *w)
{
    for (size_t n = 0; n < w->index_count; n += 3) {
        double corner[3][3], area[3];
        triangle_of(w, n, corner, area);
        assert_true(area[0] * area[0] + area[1] * area[1] + area[2] * area[2] > 0.0);
    }
}

// The triangles above `least` of a solid; their sides are counted and checked.
static welded surface_of(const rl_solid *solid, float least, size_t *sides)
{
    SCOPED(rl_solid_surface) *surface = NULL;
    rill_ground_mesh mesh;
    assert_ok(rl_solid_surface_create(NULL, solid, &surface));
    assert_ok(rl_solid_surface_mesh(surface, solid, &mesh));
    welded w = weld(&mesh, least);
    *sides = check_closed(&w, (float)(solid->nx * solid->cell_size),
                          (float)(solid->ny * solid->cell_size));
    check_areas(&w);
    return w;
}

// ---- Closed surfaces -------------------------------------------------------------------

// Random nodes have every case of a cube beside every other, at the borders, below and above too.
TEST(any_field_has_a_surface_without_cracks)
{
    static const int sizes[][3] = {{1, 1, 2}, {15, 16, 6}, {17, 33, 9}, {40, 20, 30}};
    for (int n = 0; n < 4; n++)
        for (uint32_t seed = 1; seed <= 3; seed++) {
            SCOPED(rill_solid) *solid =
                make_solid(sizes[n][0], sizes[n][1], 0.25, -0.5, -0.5 + 0.25 * (sizes[n][2] - 1));
            assert_int_equal(solid->nz, sizes[n][2]);
            fill_at_random(solid, seed);
            size_t sides = 0;
            SCOPED(welded) w = surface_of(solid, -INFINITY, &sides);
            assert_true(w.index_count > 0);
        }
}

// Nodes on the surface itself: all edges are cut at their ends.
TEST(a_surface_through_nodes_has_no_flat_triangles)
{
    SCOPED(rill_solid) *solid = make_solid(20, 20, 0.5, 0.0, 6.0);
    uint32_t seed = 9;
    for (size_t n = 0; n < solid->bytes / sizeof *solid->distance; n++) {
        seed = seed * 1664525u + 1013904223u;
        const uint32_t kind = seed >> 30;
        solid->distance[n] = kind == 0 ? 0.0f : kind == 1 ? -1e-9f : kind == 2 ? 1e-20f : -4.0f;
    }
    size_t sides = 0;
    SCOPED(welded) w = surface_of(solid, -INFINITY, &sides);
}

static long euler(const welded *w, size_t sides)
{
    return (long)w->vertex_count - (long)sides + (long)(w->index_count / 3);
}

TEST(a_ball_is_a_ball)
{
    const double radius = 2.5, h = 0.25;
    SCOPED(rill_solid) *solid = make_solid(40, 36, h, 0.0, 8.0);
    rill_sdf_primitive ball = shape_at(RILL_SDF_SPHERE, 5.03, 4.41, 3.87);
    ball.radius = radius;
    rl_solid_combine(solid, &ball, RILL_COMBINE_UNION, 0.0);
    size_t sides = 0;
    SCOPED(welded) w = surface_of(solid, 0.0f, &sides);
    assert_int_equal(euler(&w, sides), 2);
    // Cuts are off by the curvature of the distance along an edge, h^2 / 8 over the least radius
    // nearby, or by the distance they keep from nodes; chords sag by the square of a cube's
    // diagonal over 8 radii.
    const double cut = h * h / (8.0 * (radius - h)) + h / 256.0;
    const double off = cut + 3.0 * h * h / (8.0 * radius), volume = 4.0 / 3.0 * PI * pow(radius, 3);
    for (size_t n = 0; n < w.vertex_count; n++) {
        const double p[3] = {(double)w.places[n][0], (double)w.places[n][1],
                             (double)w.places[n][2]};
        assert_true(fabs(distance_to(&ball, p)) < cut + 1e-5);
    }
    assert_true(volume_of(&w) > volume * pow(1.0 - off / radius, 3));
    assert_true(volume_of(&w) < volume * pow(1.0 + cut / radius, 3));
}

TEST(a_ring_has_a_hole_and_a_cavity_is_wound_inwards)
{
    SCOPED(rill_solid) *solid = make_solid(40, 40, 0.25, 0.0, 8.0);
    rill_sdf_primitive ring = shape_at(RILL_SDF_TORUS, 5.0, 5.0, 4.0);
    ring.radius = 3.0, ring.tube = 1.0;
    rl_solid_combine(solid, &ring, RILL_COMBINE_UNION, 0.0);
    size_t sides = 0;
    SCOPED(welded) w = surface_of(solid, 0.0f, &sides);
    assert_int_equal(euler(&w, sides), 0);
    assert_true(fabs(volume_of(&w) / (2.0 * PI * PI * 3.0) - 1.0) < 0.05);
    welded_destroy(&w);

    rill_sdf_primitive rock = shape_at(RILL_SDF_BOX, 5.0, 5.0, 4.0);
    rock.size[0] = rock.size[1] = rock.size[2] = 99.0; // all of the grid
    rl_solid_combine(solid, &rock, RILL_COMBINE_UNION, 0.0);
    rill_sdf_primitive ball = shape_at(RILL_SDF_SPHERE, 5.0, 5.0, 4.0);
    ball.radius = 2.0;
    rl_solid_combine(solid, &ball, RILL_COMBINE_SUBTRACT, 0.0);
    w = surface_of(solid, 0.0f, &sides);
    double top = 10.0 * 10.0 * 8.0 / 3.0; // what the flat top adds to the sum
    assert_true(fabs((volume_of(&w) - top) / (-4.0 / 3.0 * PI * 8.0) - 1.0) < 0.05);
}

// ---- Borders, normals, openness --------------------------------------------------------

TEST(a_slope_ends_exactly_on_the_borders)
{
    const double width = 20 * 0.3, height = 17 * 0.3;
    SCOPED(rill_solid) *solid = make_solid(20, 17, 0.3, 0.0, 4.0);
    rill_sdf_primitive plane = shape_at(RILL_SDF_PLANE, 3.0, 2.5, 2.0);
    plane.rotation[0] = 0.1, plane.rotation[1] = 0.05, plane.rotation[3] = sqrt(1.0 - 0.0125);
    rl_solid_combine(solid, &plane, RILL_COMBINE_UNION, 0.0);
    size_t sides = 0;
    SCOPED(welded) w = surface_of(solid, -1.0f, &sides);
    double area = 0.0;
    for (size_t n = 0; n < w.index_count; n += 3) {
        double corner[3][3], normal[3];
        triangle_of(&w, n, corner, normal);
        area += normal[2];
    }
    assert_true(fabs(area - width * height) < 1e-4 * width * height);
    for (size_t n = 0; n < w.vertex_count; n++) {
        const float *place = w.places[n];
        const double p[3] = {(double)place[0], (double)place[1], (double)place[2]};
        assert_true(place[0] >= 0.0f && place[0] <= (float)width);
        assert_true(place[1] >= 0.0f && place[1] <= (float)height);
        assert_true(fabs(distance_to(&plane, p)) < 0.3 / 256.0 + 1e-5);
    }
}

TEST(normals_point_out_of_the_ground_and_so_do_triangles)
{
    SCOPED(rill_solid) *solid = make_solid(40, 40, 0.25, 0.0, 8.0);
    rill_sdf_primitive ring = shape_at(RILL_SDF_TORUS, 5.0, 5.0, 4.0);
    ring.radius = 2.75, ring.tube = 1.25;
    ring.rotation[0] = 0.6, ring.rotation[3] = 0.8;
    rl_solid_combine(solid, &ring, RILL_COMBINE_UNION, 0.0);
    SCOPED(rl_solid_surface) *surface = NULL;
    rill_ground_mesh mesh;
    assert_ok(rl_solid_surface_create(NULL, solid, &surface));
    assert_ok(rl_solid_surface_mesh(surface, solid, &mesh));
    const double h = 1e-5;
    for (size_t n = 0; n < mesh.index_count; n++) {
        const rill_ground_vertex *v[3];
        for (int c = 0; c < 3; c++)
            v[c] = &mesh.vertices[mesh.indices[n - n % 3 + (n + (size_t)c) % 3]];
        double length = 0.0, true_way = 0.0, wound = 0.0;
        for (int a = 0; a < 3; a++) {
            const int b = (a + 1) % 3, c = (a + 2) % 3;
            const double is = (double)v[0]->normal[a];
            double low[3], high[3];
            for (int d = 0; d < 3; d++)
                low[d] = high[d] = (double)v[0]->position[d];
            low[a] -= h, high[a] += h;
            length += is * is;
            true_way += is * (distance_to(&ring, high) - distance_to(&ring, low)) / (2.0 * h);
            const double first_b = (double)(v[1]->position[b] - v[0]->position[b]);
            const double first_c = (double)(v[1]->position[c] - v[0]->position[c]);
            wound += is * (first_b * (double)(v[2]->position[c] - v[0]->position[c]) -
                           first_c * (double)(v[2]->position[b] - v[0]->position[b]));
        }
        assert_true(fabs(length - 1.0) < 1e-5);
        if (v[0]->position[2] == 0.0f) {
            assert_true(v[0]->normal[2] == 1.0f && wound > 0.0); // the floor of the grid
            continue;
        }
        // Differences over a cell turn by at most a part (h / radius)^2 of curvature: 0.04.
        assert_true(true_way > 0.99);
        // A needle may lean over by the error of its cuts, but not a triangle of some size.
        assert_true(wound > -1e-4 * solid->cell_size * solid->cell_size);
    }
}

TEST(open_ground_is_open_and_a_pit_is_not)
{
    SCOPED(rill_solid) *solid = make_solid(32, 32, 0.5, 0.0, 12.0);
    const rill_sdf_primitive plane = shape_at(RILL_SDF_PLANE, 0.0, 0.0, 8.2);
    rl_solid_combine(solid, &plane, RILL_COMBINE_UNION, 0.0);
    rill_sdf_primitive pit = shape_at(RILL_SDF_CYLINDER, 8.0, 8.0, 8.0);
    pit.radius = 1.5, pit.length = 8.0;
    rl_solid_combine(solid, &pit, RILL_COMBINE_SUBTRACT, 0.0);
    SCOPED(rl_solid_surface) *surface = NULL;
    rill_ground_mesh mesh;
    assert_ok(rl_solid_surface_create(NULL, solid, &surface));
    assert_ok(rl_solid_surface_mesh(surface, solid, &mesh));
    int floor = 0, plain = 0;
    for (size_t n = 0; n < mesh.vertex_count; n++) {
        const rill_ground_vertex *v = &mesh.vertices[n];
        const double x = (double)v->position[0] - 8.0, y = (double)v->position[1] - 8.0;
        assert_true(v->openness >= 0.0f && v->openness <= 1.00001f);
        if (sqrt(x * x + y * y) > 4.5) {
            assert_true(v->openness > 0.99f);
            plain++;
        } else if (v->position[2] < 4.5f && sqrt(x * x + y * y) < 1.0) {
            assert_true(v->openness < 0.8f);
            floor++;
        }
    }
    assert_true(floor > 4 && plain > 500);
}

TEST(a_hole_through_the_bottom_gets_a_floor_and_rock_at_the_top_a_roof)
{
    SCOPED(rill_solid) *solid = make_solid(24, 24, 0.5, 1.0, 5.0);
    rill_sdf_primitive rock = shape_at(RILL_SDF_BOX, 6.0, 6.0, 3.0);
    rock.size[0] = rock.size[1] = 6.0, rock.size[2] = 99.0; // from below the grid to above it
    rl_solid_combine(solid, &rock, RILL_COMBINE_UNION, 0.0);
    size_t sides = 0;
    SCOPED(welded) w = surface_of(solid, -INFINITY, &sides);
    double low = 0.0, high = 0.0;
    for (size_t n = 0; n < w.index_count; n += 3) {
        double corner[3][3], area[3];
        triangle_of(&w, n, corner, area);
        for (int c = 0; c < 3; c++)
            assert_true(corner[c][2] >= 1.0 && corner[c][2] <= 5.0);
        const double least = fmin(fmin(corner[0][2], corner[1][2]), corner[2][2]);
        const double most = fmax(fmax(corner[0][2], corner[1][2]), corner[2][2]);
        low += most == 1.0 ? area[2] : 0.0;
        high += least == 5.0 ? area[2] : 0.0;
    }
    // The corners of the rock fall between nodes: each is cut by at most half a cell's square.
    assert_true(fabs(low - (144.0 - 36.0)) < 0.5 && fabs(high - 36.0) < 0.5);
}

// ---- Changes ---------------------------------------------------------------------------

static int compare_triangles(const void *a, const void *b)
{
    return memcmp(a, b, 3 * sizeof(rill_ground_vertex));
}

// All triangles, vertices written out, in an order of their own.
static rill_ground_vertex *sorted(const rill_ground_mesh *mesh)
{
    rill_ground_vertex *all = calloc(mesh->index_count + 1, sizeof *all);
    for (size_t n = 0; n < mesh->index_count; n++)
        all[n] = mesh->vertices[mesh->indices[n]];
    qsort(all, mesh->index_count / 3, 3 * sizeof *all, compare_triangles);
    return all;
}

static void assert_same_triangles(const rill_ground_mesh *a, const rill_ground_mesh *b)
{
    assert_int_equal(a->index_count, b->index_count);
    FREED(rill_ground_vertex) *first = sorted(a), *second = sorted(b);
    assert_memory_equal(first, second, a->index_count * sizeof *first);
}

TEST(touched_bricks_are_made_as_if_all_were)
{
    SCOPED(rill_solid) *solid = make_solid(70, 53, 0.25, 0.0, 5.0);
    const rill_sdf_primitive plane = shape_at(RILL_SDF_PLANE, 0.0, 0.0, 2.1);
    rl_solid_combine(solid, &plane, RILL_COMBINE_UNION, 0.0);
    SCOPED(rl_solid_surface) *kept = NULL;
    rill_ground_mesh mesh, again;
    assert_ok(rl_solid_surface_create(NULL, solid, &kept));
    assert_ok(rl_solid_surface_mesh(kept, solid, &mesh));
    assert_true(mesh.version != 0);
    uint32_t seed = 4;
    for (int n = 0; n < 24; n++) {
        double part[3];
        for (int a = 0; a < 3; a++) {
            seed = seed * 1664525u + 1013904223u;
            part[a] = (double)(seed >> 8) * 0x1p-24;
        }
        rill_sdf_primitive ball = shape_at(RILL_SDF_SPHERE, 19.0 * part[0] - 1.0,
                                           15.0 * part[1] - 1.0, 1.0 + 3.0 * part[2]);
        ball.radius = 0.4 + part[2];
        const rill_combine how = n % 3 == 0   ? RILL_COMBINE_SUBTRACT
                                 : n % 3 == 1 ? RILL_COMBINE_UNION
                                              : RILL_COMBINE_SMOOTH_UNION;
        rl_solid_surface_touch(kept, rl_solid_combine(solid, &ball, how, 0.5));
        assert_ok(rl_solid_surface_mesh(kept, solid, &mesh));
        SCOPED(rl_solid_surface) *fresh = NULL;
        assert_ok(rl_solid_surface_create(NULL, solid, &fresh));
        assert_ok(rl_solid_surface_mesh(fresh, solid, &again));
        assert_same_triangles(&mesh, &again);
    }
    const uint64_t version = mesh.version;
    assert_ok(rl_solid_surface_mesh(kept, solid, &mesh));
    assert_true(mesh.version == version); // nothing has changed
    rl_solid_surface_touch(kept, (rl_solid_box){5, 5, 5, 9});
    assert_ok(rl_solid_surface_mesh(kept, solid, &mesh));
    assert_true(mesh.version == version);
    rl_solid_surface_touch(kept, (rl_solid_box){5, 5, 6, 9});
    assert_ok(rl_solid_surface_mesh(kept, solid, &mesh));
    assert_true(mesh.version != version);
}

TEST(without_memory_the_old_mesh_stays)
{
    counter count = {0};
    const rill_host host = counting_host(&count);
    rl_solid *solid = make_solid(20, 20, 0.5, 0.0, 5.0);
    rl_solid_surface *surface = NULL;
    rill_ground_mesh mesh, old, right;
    for (count.fail_at = 1; count.fail_at <= 6; count.fail_at++, count.calls = 0) {
        assert_int_equal(rl_solid_surface_create(&host.allocator, solid, &surface), RILL_NO_MEMORY);
        assert_true(surface == NULL && count.bytes == 0);
    }
    count.fail_at = 0;
    assert_ok(rl_solid_surface_create(&host.allocator, solid, &surface));
    assert_ok(rl_solid_surface_mesh(surface, solid, &mesh));
    assert_int_equal(rl_solid_surface_memory(surface), count.bytes);
    rill_ground_vertex *before = sorted(&mesh);
    old = mesh;
    fill_at_random(solid, 1);
    rl_solid_surface_touch(surface, (rl_solid_box){0, 0, 20, 20});
    rill_status status = RILL_NO_MEMORY;
    for (int n = 1; status != RILL_OK; n++) {
        assert_true(n < 1000);
        count.calls = 0;
        count.fail_at = n;
        status = rl_solid_surface_mesh(surface, solid, &mesh);
        if (status == RILL_OK)
            break;
        assert_int_equal(status, RILL_NO_MEMORY);
        assert_true(mesh.version == old.version && mesh.index_count == old.index_count);
        FREED(rill_ground_vertex) *now = sorted(&mesh);
        assert_memory_equal(now, before, old.index_count * sizeof *now);
    }
    free(before);
    rl_solid_surface *fresh = NULL;
    assert_ok(rl_solid_surface_create(NULL, solid, &fresh));
    assert_ok(rl_solid_surface_mesh(fresh, solid, &right));
    assert_same_triangles(&mesh, &right);
    assert_int_equal(rl_solid_surface_memory(surface), count.bytes);
    rl_solid_surface_destroy(&fresh);
    rl_solid_surface_destroy(&surface);
    rl_solid_surface_destroy(&surface);
    rl_solid_surface_destroy(NULL);
    rill_solid_destroy(&solid);
    assert_int_equal(count.bytes, 0);
}
