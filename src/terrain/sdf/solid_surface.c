// SPDX-License-Identifier: MIT
// solid_surface.c - the triangles of a whole solid: finds the bricks to make anew, and puts all of
// them together. Vertices between two bricks are there twice, with the same bits.
#include "terrain/sdf/solid_internal.h"

#include "core/numbers.h"

#include "terrain/sdf/solid_surface_brick.h"

#include <stdatomic.h>
#include <string.h>

typedef struct part {
    rl_brick_mesh mesh;               // indices are counted from its own first vertex
    size_t first_vertex, first_index; // where it is in the whole mesh
    bool touched;                     // the solid has changed since it was made
    bool made;                        // it was made since it was put into the whole mesh
} part;

struct rl_solid_surface {
    rl_owned own;
    rl_brick_maker maker;
    int nx, ny, across, count; // cells; bricks in x, and all of them
    part *parts;
    rl_brick_mesh mesh; // all of it
    uint64_t version;
};

// ---- Memory ----------------------------------------------------------------------------

rill_status rl_solid_surface_create(const rill_allocator *allocator, const rl_solid *solid,
                                    rl_solid_surface **out)
{
    *out = NULL;
    rl_solid_surface *s = rl_owned_create(allocator, sizeof *s);
    if (s == NULL)
        return rill_fail(RILL_NO_MEMORY, "no memory for the surface of a solid");
    s->nx = solid->nx;
    s->ny = solid->ny;
    s->across = (solid->nx + RL_BRICK) / RL_BRICK; // nx + 1 cubes
    const int along = (solid->ny + RL_BRICK) / RL_BRICK;
    s->count = s->across * along;
    s->parts = rl_owned_take(&s->own, (size_t)s->count, sizeof *s->parts);
    const rill_status status =
        s->parts != NULL
            ? rl_brick_maker_create(&s->maker, &s->own, solid->nz)
            : rill_fail(RILL_NO_MEMORY, "no memory for %d x %d bricks", s->across, along);
    if (status == RILL_OK)
        rl_solid_surface_touch(s, (rl_solid_box){0, 0, s->nx, s->ny});
    else
        rl_solid_surface_destroy(&s);
    *out = s;
    return status;
}

void rl_solid_surface_destroy(rl_solid_surface **surface)
{
    if (surface == NULL || *surface == NULL)
        return;
    rl_solid_surface *s = *surface;
    void *object = s;
    for (int n = 0; n < s->count && s->parts != NULL; n++)
        rl_brick_mesh_free(&s->own.allocator, &s->parts[n].mesh);
    rl_brick_mesh_free(&s->own.allocator, &s->mesh);
    rl_brick_mesh_free(&s->own.allocator, &s->maker.mesh);
    rl_owned_destroy(NULL, &object);
    *surface = NULL;
}

size_t rl_solid_surface_memory(const rl_solid_surface *s)
{
    size_t bytes = rl_brick_mesh_memory(&s->mesh) + rl_brick_mesh_memory(&s->maker.mesh);
    for (int n = 0; n < s->count; n++)
        bytes += rl_brick_mesh_memory(&s->parts[n].mesh);
    return rl_owned_memory(s) + bytes;
}

// ---- Bricks ----------------------------------------------------------------------------

void rl_solid_surface_touch(rl_solid_surface *s, rl_solid_box cells)
{
    if (cells.i0 >= cells.i1 || cells.j0 >= cells.j1)
        return;
    // Nodes of the ring around the world may have changed with the cells beside them.
    const int reach = RL_BRICK_SIGHT + 1;
    const int a0 = rl_clamp_int(cells.i0 - reach, 0, s->nx) / RL_BRICK;
    const int a1 = rl_clamp_int(cells.i1 + reach, 0, s->nx) / RL_BRICK;
    const int b0 = rl_clamp_int(cells.j0 - reach, 0, s->ny) / RL_BRICK;
    const int b1 = rl_clamp_int(cells.j1 + reach, 0, s->ny) / RL_BRICK;
    for (int b = b0; b <= b1; b++)
        for (int a = a0; a <= a1; a++)
            s->parts[b * s->across + a].touched = true;
}

// Appends triangles to a mesh that has place for them.
static void append(rl_brick_mesh *to, const rl_brick_mesh *from)
{
    RL_ASSERT(to->vertex_count + from->vertex_count <= to->vertex_capacity);
    if (from->vertex_count > 0)
        memcpy(to->vertices + to->vertex_count, from->vertices,
               from->vertex_count * sizeof *from->vertices);
    for (size_t n = 0; n < from->index_count; n++)
        to->indices[to->index_count + n] = from->indices[n] + (uint32_t)to->vertex_count;
    to->vertex_count += from->vertex_count;
    to->index_count += from->index_count;
}

// Empties a mesh and makes place for so many vertices and indices.
static rill_status empty(rl_solid_surface *s, rl_brick_mesh *mesh, size_t vertices, size_t indices)
{
    if (!rl_brick_mesh_reserve(&s->own.allocator, mesh, vertices, indices))
        return rill_fail(RILL_NO_MEMORY, "no memory for %zu vertices of a solid", vertices);
    mesh->vertex_count = mesh->index_count = 0;
    return RILL_OK;
}

static rill_status make_part(rl_solid_surface *s, const rl_solid *solid, int n)
{
    RL_ASSERT(n >= 0 && n < s->count);
    part *p = &s->parts[n];
    const rl_brick_mesh *made = &s->maker.mesh;
    RILL_TRY(rl_brick_make(&s->maker, &s->own.allocator, solid, n % s->across * RL_BRICK,
                           n / s->across * RL_BRICK));
    RILL_TRY(empty(s, &p->mesh, made->vertex_count, made->index_count));
    append(&p->mesh, made);
    p->touched = false;
    p->made = true;
    return RILL_OK;
}

// ---- The whole -------------------------------------------------------------------------

uint64_t rl_ground_next_version(void)
{
    static atomic_uint_least64_t last;
    return atomic_fetch_add_explicit(&last, 1, memory_order_relaxed) + 1;
}

static rill_status put_together(rl_solid_surface *s)
{
    rl_brick_mesh *whole = &s->mesh;
    size_t vertex_count = 0, index_count = 0;
    bool changed = false;
    for (int n = 0; n < s->count; n++) {
        vertex_count += s->parts[n].mesh.vertex_count;
        index_count += s->parts[n].mesh.index_count;
        changed = changed || s->parts[n].made;
    }
    if (!changed)
        return RILL_OK;
    if (vertex_count > UINT32_MAX)
        return rill_fail(RILL_NO_MEMORY, "the surface of a solid has %zu vertices, more than %u",
                         vertex_count, UINT32_MAX);
    RILL_TRY(empty(s, whole, vertex_count, index_count));
    for (int n = 0; n < s->count; n++) {
        part *p = &s->parts[n];
        if (p->made || p->first_vertex != whole->vertex_count ||
            p->first_index != whole->index_count) {
            p->first_vertex = whole->vertex_count;
            p->first_index = whole->index_count;
            p->made = false;
            append(whole, &p->mesh);
        } else {
            whole->vertex_count += p->mesh.vertex_count;
            whole->index_count += p->mesh.index_count;
        }
    }
    s->version = rl_ground_next_version();
    return RILL_OK;
}

rill_status rl_solid_surface_mesh(rl_solid_surface *s, const rl_solid *solid, rill_ground_mesh *out)
{
    RL_ASSERT(s->nx == solid->nx && s->ny == solid->ny);
    rill_status status = RILL_OK;
    for (int n = 0; n < s->count && status == RILL_OK; n++)
        if (s->parts[n].touched)
            status = make_part(s, solid, n);
    if (status == RILL_OK)
        status = put_together(s);
    *out = (rill_ground_mesh){
        .vertices = s->mesh.vertices,
        .indices = s->mesh.indices,
        .vertex_count = s->mesh.vertex_count,
        .index_count = s->mesh.index_count,
        .version = s->version,
    };
    return status;
}

// ---- Cases of a cube -------------------------------------------------------------------
//
// Derives the cases of marching cubes.
//
// On each face of a cube, walk around its four corners. The surface cuts the edges where solid
// turns into air and where air turns into solid; it crosses the face from the second cut of every
// stretch of air to its first. A face with two solid corners opposite each other thus leaves the
// solid connected: a wall that runs diagonally stays tight, as it is for the water. Both cubes at a
// face see the same corners and draw the same lines, so no crack can open between them.
//
// Every cut belongs to two faces and is the end of a line in one and the beginning in the other:
// the lines join to loops. Loops are cut into triangles. A triangle's side within the loop must not
// lie in a face of the cube, where the neighbour could have the same one and four triangles would
// meet.

#define NOWHERE 255

// Returns the edge between two corners that differ in one axis.
static int edge_between(int a, int b)
{
    RL_ASSERT(a != b);
    const int axis = (a ^ b) == 1 ? 0 : (a ^ b) == 2 ? 1 : 2;
    const int low = a & b, below = (1 << axis) - 1;
    return 4 * axis + ((low & below) | (low & ~below) >> 1);
}

// Returns corner n of a face, counter-clockwise seen from outside the cube.
static int face_corner(int face, int n)
{
    const int axis = face >> 1, side = face & 1, u = (axis + 1) % 3, v = (axis + 2) % 3;
    const int turned = side ? n : 3 - n;
    const int along_u = turned == 1 || turned == 2, along_v = turned >= 2;
    return side << axis | along_u << u | along_v << v;
}

// Returns the bits of the two faces that an edge belongs to.
static unsigned faces_of(int edge)
{
    const int axis = edge / 4, corner = rl_cube_edge_corner(edge);
    unsigned faces = 0;
    for (int a = 0; a < 3; a++)
        if (a != axis)
            faces |= 1u << (2 * a + (corner >> a & 1));
    return faces;
}

// next[e]: the cut that follows cut e on its loop.
static void link_cuts(unsigned solid, uint8_t next[RL_CUBE_EDGES])
{
    memset(next, NOWHERE, RL_CUBE_EDGES);
    for (int face = 0; face < 6; face++)
        for (int n = 0; n < 4; n++) {
            const int from = face_corner(face, n), to = face_corner(face, (n + 1) % 4);
            if (!(solid >> from & 1) || (solid >> to & 1))
                continue; // only where solid turns into air
            int end = (n + 1) % 4;
            while (!(solid >> face_corner(face, (end + 1) % 4) & 1))
                end = (end + 1) % 4;
            const int back = edge_between(face_corner(face, end), face_corner(face, (end + 1) % 4));
            next[back] = (uint8_t)edge_between(from, to);
        }
}

// Finds the best way to cut a loop of `count` edges into triangles: split[a][b] is the third corner
// of the triangle on side a-b of the polygon a, a + 1, ..., b.
typedef struct cutting {
    const uint8_t *loop;
    int split[RL_CUBE_EDGES][RL_CUBE_EDGES];
} cutting;

static void find_cutting(cutting *c, int count)
{
    RL_ASSERT(count >= 0 && count <= RL_CUBE_EDGES);
    int cost[RL_CUBE_EDGES][RL_CUBE_EDGES] = {{0}};
    for (int width = 2; width < count; width++)
        for (int a = 0; a + width < count; a++) {
            const int b = a + width;
            int best = 1000;
            for (int m = a + 1; m < b; m++) {
                if (cost[a][m] + cost[m][b] < best) {
                    best = cost[a][m] + cost[m][b];
                    c->split[a][b] = m;
                }
            }
            const bool whole = width == count - 1; // a side of the loop, no cut
            const bool in_face = (faces_of(c->loop[a]) & faces_of(c->loop[b])) != 0;
            cost[a][b] = best + (!whole && in_face ? 1 : 0);
        }
}

static void write_triangles(const cutting *c, int a, int b, rl_cube_case *out)
{
    if (b - a < 2)
        return;
    RL_ASSERT(out->count < 10);
    const int m = c->split[a][b];
    uint8_t *edges = &out->edges[3 * out->count++];
    edges[0] = c->loop[a];
    edges[1] = c->loop[m];
    edges[2] = c->loop[b];
    write_triangles(c, a, m, out);
    write_triangles(c, m, b, out);
}

void rl_cube_cases_build(rl_cube_case cases[RL_CUBE_CASES])
{
    for (unsigned solid = 0; solid < RL_CUBE_CASES; solid++) {
        uint8_t next[RL_CUBE_EDGES], loop[RL_CUBE_EDGES];
        link_cuts(solid, next);
        memset(&cases[solid], 0, sizeof cases[solid]);
        for (int first = 0; first < RL_CUBE_EDGES; first++) {
            int count = 0;
            for (int edge = first; next[edge] != NOWHERE;) {
                loop[count++] = (uint8_t)edge;
                const int after = next[edge];
                next[edge] = NOWHERE; // every cut is on one loop
                edge = after;
            }
            cutting c = {.loop = loop, .split = {{0}}};
            find_cutting(&c, count);
            write_triangles(&c, 0, count - 1, &cases[solid]);
        }
    }
}
