// SPDX-License-Identifier: MIT
// solid_surface_brick.c - marching cubes over one brick.
//
//     nodes --mark--> solid or air --pile by pile--> cases --> triangles --> vertices on edges
//
// Below the lowest nodes a layer of solid is added and above the highest ones a layer of air, both
// at no distance: where the lowest node is air the ground gets a flat floor, where the highest one
// is solid a flat top. The outermost nodes stand on the border of the world; their distances are
// the means of the two nodes on either side, so that a plane reaches the border as a plane.
//
// Vertices have a least distance from nodes. All triangles have an area then: no line meets three
// sides of a square, or three edges of a cube that do not lie on one, inside these edges.
#include "terrain/sdf/solid_surface_brick.h"

#include "terrain/sdf/triangles.h"

#include <math.h>
#include <string.h>

#define SIDE    (RL_BRICK + 1) // nodes
#define CLOSEST (1.0 / 256.0)  // of a vertex to a node, cells

// ---- Memory ----------------------------------------------------------------------------

rill_status rl_brick_maker_create(rl_brick_maker *m, rl_owned *own, int nz)
{
    RL_ASSERT(nz >= 2);
    const size_t nodes = SIDE * SIDE, levels = (size_t)nz;
    m->nz = nz;
    rl_cube_cases_build(m->cases);
    m->edge_count = nodes * (levels + 1) * 3;
    m->border = rl_owned_take(own, (size_t)4 * SIDE * levels, sizeof *m->border);
    m->solid = rl_owned_take(own, nodes * (levels + 2), sizeof *m->solid);
    m->quads = rl_owned_take(own, levels + 2, sizeof *m->quads);
    m->edges = rl_owned_take(own, m->edge_count, sizeof *m->edges);
    return own->failed ? rill_fail(RILL_NO_MEMORY,
                                   "no memory for the triangles of a solid of %d nodes in z", nz)
                       : RILL_OK;
}

static bool grow(const rill_allocator *allocator, void **values, size_t size, size_t *capacity,
                 size_t count)
{
    if (count <= *capacity)
        return true;
    const size_t more = count + count / 8 + 64;
    void *fresh = rill_realloc(allocator, *values, *capacity * size, more * size);
    if (fresh == NULL)
        return false;
    *values = fresh;
    *capacity = more;
    return true;
}

bool rl_brick_mesh_reserve(const rill_allocator *allocator, rl_brick_mesh *mesh, size_t vertices,
                           size_t indices)
{
    void *of_vertices = mesh->vertices, *of_indices = mesh->indices;
    const bool fits =
        grow(allocator, &of_vertices, sizeof *mesh->vertices, &mesh->vertex_capacity, vertices) &&
        grow(allocator, &of_indices, sizeof *mesh->indices, &mesh->index_capacity, indices);
    mesh->vertices = of_vertices;
    mesh->indices = of_indices;
    return fits;
}

size_t rl_brick_mesh_memory(const rl_brick_mesh *mesh)
{
    return mesh->vertex_capacity * sizeof *mesh->vertices +
           mesh->index_capacity * sizeof *mesh->indices;
}

void rl_brick_mesh_free(const rill_allocator *allocator, rl_brick_mesh *mesh)
{
    rill_free(allocator, mesh->vertices, mesh->vertex_capacity * sizeof *mesh->vertices);
    rill_free(allocator, mesh->indices, mesh->index_capacity * sizeof *mesh->indices);
}

// ---- Nodes -----------------------------------------------------------------------------

// A brick of cubes_x by cubes_y cubes; its first node is (i0, j0).
typedef struct brick {
    rl_brick_maker *maker;
    const rl_solid *solid;
    int i0, j0, cubes_x, cubes_y;
} brick;

// Returns where node i of n + 2 stands, in cells from the first node in the world.
static double place_of(int i, int n)
{
    return i < 0 ? -0.5 : i == n ? (double)n - 0.5 : (double)i;
}

static void border_column(const rl_solid *solid, int i, int j, float *out)
{
    const int west = i == solid->nx ? i - 1 : i, east = i < 0 ? 0 : i;
    const int south = j == solid->ny ? j - 1 : j, north = j < 0 ? 0 : j;
    const float *sw = rl_solid_column(solid, west, south);
    const float *se = rl_solid_column(solid, east, south);
    const float *nw = rl_solid_column(solid, west, north);
    const float *ne = rl_solid_column(solid, east, north);
    for (int k = 0; k < solid->nz; k++)
        out[k] = 0.25f * ((sw[k] + se[k]) + (nw[k] + ne[k]));
}

static void mark_nodes(const brick *b)
{
    rl_brick_maker *m = b->maker;
    const rl_solid *solid = b->solid;
    float *border = m->border;
    for (int v = 0; v <= b->cubes_y; v++)
        for (int u = 0; u <= b->cubes_x; u++) {
            const int i = b->i0 + u, j = b->j0 + v, node = v * SIDE + u;
            if (i < 0 || j < 0 || i == solid->nx || j == solid->ny) {
                border_column(solid, i, j, border);
                m->columns[node] = border;
                border += m->nz;
            } else {
                m->columns[node] = rl_solid_column(solid, i, j);
            }
            const float *column = m->columns[node];
            uint8_t *marks = m->solid + (size_t)node * (size_t)(m->nz + 2);
            marks[0] = 1;
            for (int k = 0; k < m->nz; k++)
                marks[1 + k] = column[k] < 0.0f;
            marks[1 + m->nz] = 0;
        }
}

// ---- Vertices --------------------------------------------------------------------------

// A place between nodes, near a node of its own: node + way, in cells.
typedef struct spot {
    const rl_solid *solid;
    const float *origin; // the node
    size_t east, north;  // floats from a node to the next ones; it is 1 upwards
    int node[3];
    bool inside; // all that is within reach of the node is within the grid
    float way[3];
} spot;

static spot make_spot(const rl_solid *solid, const double at[3])
{
    spot s = {.solid = solid, .east = (size_t)solid->nz};
    s.north = s.east * (size_t)(solid->nx + 2);
    const int end[3] = {solid->nx, solid->ny, solid->nz};
    s.inside = true;
    for (int a = 0; a < 3; a++) {
        const double floored = floor(at[a]);
        s.node[a] = (int)floored;
        s.way[a] = (float)(at[a] - floored);
        s.inside = s.inside && s.node[a] >= RL_BRICK_SIGHT && s.node[a] < end[a] - RL_BRICK_SIGHT;
    }
    if (s.inside)
        s.origin = rl_solid_column(solid, s.node[0], s.node[1]) + s.node[2];
    return s;
}

// Finds the node below a place, which is moved into the grid if need be, and the part of a cell
// beyond it.
static int limit(float place, int node, int first, int last, float *part)
{
    const double within = fmin(fmax((double)node + (double)place, (double)first), (double)last);
    int below = (int)floor(within);
    below = below < last ? below : last - 1;
    *part = (float)(within - below);
    return below;
}

// Returns the field at a spot moved by (x, y, z) cells, metres, trilinear.
static float field_at(const spot *s, float x, float y, float z)
{
    float fx = s->way[0] + x, fy = s->way[1] + y, fz = s->way[2] + z;
    const float *at;
    if (s->inside) {
        // Whole numbers are split off a positive number, where cutting is rounding down.
        const int i = (int)(fx + 16.0f) - 16, j = (int)(fy + 16.0f) - 16;
        const int k = (int)(fz + 16.0f) - 16;
        at = s->origin + (ptrdiff_t)s->north * j + (ptrdiff_t)s->east * i + k;
        fx -= (float)i;
        fy -= (float)j;
        fz -= (float)k;
    } else {
        const int i = limit(fx, s->node[0], -1, s->solid->nx, &fx);
        const int j = limit(fy, s->node[1], -1, s->solid->ny, &fy);
        const int k = limit(fz, s->node[2], 0, s->solid->nz - 1, &fz);
        at = rl_solid_column(s->solid, i, j) + k;
    }
    const float *se = at + s->east, *nw = at + s->north, *ne = nw + s->east;
    const float low_s = at[0] + fx * (se[0] - at[0]), high_s = at[1] + fx * (se[1] - at[1]);
    const float low_n = nw[0] + fx * (ne[0] - nw[0]), high_n = nw[1] + fx * (ne[1] - nw[1]);
    const float low = low_s + fy * (low_n - low_s), high = high_s + fy * (high_n - high_s);
    return low + fz * (high - low);
}

// Returns how open the ground is in one direction: over flat ground the distance grows with the
// cosine of the direction to the normal; where it grows less, something is near.
static float open_towards(const spot *s, const float way[3], float cosine)
{
    static const float far[2] = {1.5f, 4.0f}; // cells; RL_BRICK_SIGHT must cover them
    float open = cosine * (float)s->solid->cell_size;
    for (int n = 0; n < 2; n++) {
        const float distance = field_at(s, far[n] * way[0], far[n] * way[1], far[n] * way[2]);
        const float growth = distance / far[n];
        open = growth < open ? growth : open;
    }
    return open > 0.0f ? open / (cosine * (float)s->solid->cell_size) : 0.0f;
}

// Five rays: one along the normal and four around it at 60 degrees.
static float find_openness(const spot *s, const float normal[3])
{
    const float x = normal[0], y = normal[1], z = normal[2];
    float u[3] = {-y, x, 0.0f}; // any direction across the normal
    if (fabsf(z) > 0.9f) {
        u[0] = 0.0f;
        u[1] = -z;
        u[2] = y;
    }
    const float across = 0.8660254f / sqrtf(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]), along = 0.5f;
    for (int a = 0; a < 3; a++)
        u[a] *= across;
    const float v[3] = {y * u[2] - z * u[1], z * u[0] - x * u[2], x * u[1] - y * u[0]};
    float sum = open_towards(s, normal, 1.0f);
    for (int n = 0; n < 4; n++) {
        const float *side = n < 2 ? u : v, sign = n % 2 == 0 ? 1.0f : -1.0f;
        const float way[3] = {along * x + sign * side[0], along * y + sign * side[1],
                              along * z + sign * side[2]};
        sum += open_towards(s, way, along);
    }
    return 0.2f * sum;
}

float rl_solid_openness(const rl_solid *solid, const float position[3], const float normal[3])
{
    const double at[3] = {(double)position[0] / solid->cell_size - 0.5,
                          (double)position[1] / solid->cell_size - 0.5,
                          ((double)position[2] - solid->bottom) / solid->cell_size};
    const double far = 1e6; // cells: beyond the grid that of its nearest point
    double near[3];
    for (int a = 0; a < 3; a++)
        near[a] = fmin(fmax(at[a], -far), far);
    const spot here = make_spot(solid, near);
    const float open = find_openness(&here, normal);
    return open < 1.0f ? open : 1.0f;
}

// Computes the slope of the field by central differences over a cell.
static void find_slope(const spot *s, float slope[3])
{
    const float h = 0.5f;
    slope[0] = field_at(s, h, 0.0f, 0.0f) - field_at(s, -h, 0.0f, 0.0f);
    slope[1] = field_at(s, 0.0f, h, 0.0f) - field_at(s, 0.0f, -h, 0.0f);
    slope[2] = field_at(s, 0.0f, 0.0f, h) - field_at(s, 0.0f, 0.0f, -h);
}

// The same for a spot on an edge along `axis`, where all but a dozen of the nodes have no weight.
static void find_slope_inside(const spot *s, int axis, float slope[3])
{
    const ptrdiff_t step[3] = {(ptrdiff_t)s->east, (ptrdiff_t)s->north, 1};
    const float *from = s->origin, *to = from + step[axis], part = s->way[axis];
    for (int a = 0; a < 3; a++) {
        const float first = from[step[a]] - from[-step[a]], second = to[step[a]] - to[-step[a]];
        slope[a] = 0.5f * (first + part * (second - first));
    }
    const float middle = to[0] - from[0];
    const float before = from[0] - from[-step[axis]], after = to[step[axis]] - to[0];
    slope[axis] = part < 0.5f ? before + (part + 0.5f) * (middle - before)
                              : middle + (part - 0.5f) * (after - middle);
}

// Across a wall thinner than a cell the slope may point the wrong way; the change along the edge
// does not.
static void find_normal(const spot *s, int axis, float change, float normal[3])
{
    if (s->inside)
        find_slope_inside(s, axis, normal);
    else
        find_slope(s, normal);
    if (!(normal[axis] * change > 0.0f))
        normal[axis] = change;
    const float most = fmaxf(fmaxf(fabsf(normal[0]), fabsf(normal[1])), fabsf(normal[2]));
    for (int a = 0; a < 3; a++)
        normal[a] /= most; // squares of tiny numbers would vanish
    const float length =
        sqrtf(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    for (int a = 0; a < 3; a++)
        normal[a] /= length;
}

// Makes the vertex on the edge that begins at node (u, v) of the brick in layer `level`; layer 0 is
// the one below the grid.
static void make_vertex(const brick *b, int u, int v, int level, int axis, rill_ground_vertex *out)
{
    const rl_solid *s = b->solid;
    const int i = b->i0 + u, j = b->j0 + v, k = level - 1;
    const bool flat = axis == 2 && (k < 0 || k == s->nz - 1); // the floor or top of the grid
    double at[3] = {place_of(i, s->nx), place_of(j, s->ny), k < 0 ? 0.0 : (double)k};
    float change = 0.0f;
    if (!flat) {
        const int to_u = axis == 0, to_v = axis == 1, to_k = axis == 2;
        const float from = b->maker->columns[v * SIDE + u][k];
        const float to = b->maker->columns[(v + to_v) * SIDE + u + to_u][k + to_k];
        const double end[3] = {place_of(i + to_u, s->nx), place_of(j + to_v, s->ny), k + to_k};
        const double part = (double)from / ((double)from - (double)to);
        at[axis] += fmin(fmax(part, CLOSEST), 1.0 - CLOSEST) * (end[axis] - at[axis]);
        change = to - from;
    }
    const spot here = make_spot(s, at);
    if (flat)
        out->normal[0] = 0.0f, out->normal[1] = 0.0f, out->normal[2] = 1.0f;
    else
        find_normal(&here, axis, change, out->normal);
    out->position[0] = (float)((at[0] + 0.5) * s->cell_size);
    out->position[1] = (float)((at[1] + 0.5) * s->cell_size);
    out->position[2] = (float)(s->bottom + at[2] * s->cell_size);
    out->openness = find_openness(&here, out->normal);
}

// ---- Triangles -------------------------------------------------------------------------

static uint32_t vertex_on(const brick *b, int u, int v, int level, int edge)
{
    rl_brick_maker *m = b->maker;
    const int axis = edge / 4, corner = rl_cube_edge_corner(edge);
    u += corner & 1;
    v += corner >> 1 & 1;
    level += corner >> 2;
    uint32_t *known = &m->edges[((size_t)(v * SIDE + u) * (size_t)(m->nz + 1) + (size_t)level) * 3 +
                                (size_t)axis];
    if (*known <= m->stamp) {
        make_vertex(b, u, v, level, axis, &m->mesh.vertices[m->mesh.vertex_count]);
        *known = m->stamp + (uint32_t)++m->mesh.vertex_count;
    }
    return *known - m->stamp - 1;
}

// Far from the origin floats may be too coarse to tell the corners of a triangle apart.
static bool has_area(const rill_ground_vertex *vertices, const uint32_t t[3])
{
    double normal[3];
    rl_triangle_normal(vertices[t[0]].position, vertices[t[1]].position, vertices[t[2]].position,
                       normal);
    return normal[0] != 0.0 || normal[1] != 0.0 || normal[2] != 0.0;
}

static void make_pile(const brick *b, int u, int v)
{
    rl_brick_maker *m = b->maker;
    rl_brick_mesh *mesh = &m->mesh;
    const size_t layers = (size_t)m->nz + 2;
    const uint8_t *sw = m->solid + (size_t)(v * SIDE + u) * layers, *se = sw + layers;
    const uint8_t *nw = sw + SIDE * layers, *ne = nw + layers;
    uint8_t *quads = m->quads;
    for (size_t n = 0; n < layers; n++)
        quads[n] = (uint8_t)(sw[n] | se[n] << 1 | nw[n] << 2 | ne[n] << 3);
    for (int level = 0; level <= m->nz; level++) {
        const rl_cube_case *cube = &m->cases[quads[level] | quads[level + 1] << 4];
        for (int n = 0; n < cube->count; n++) {
            uint32_t *triangle = mesh->indices + mesh->index_count;
            for (int c = 0; c < 3; c++)
                triangle[c] = vertex_on(b, u, v, level, cube->edges[3 * n + c]);
            if (has_area(mesh->vertices, triangle))
                mesh->index_count += 3;
        }
    }
}

rill_status rl_brick_make(rl_brick_maker *maker, const rill_allocator *allocator,
                          const rl_solid *solid, int i0, int j0)
{
    RL_ASSERT(solid->nz == maker->nz && i0 % RL_BRICK == 0 && j0 % RL_BRICK == 0);
    rl_brick_mesh *mesh = &maker->mesh;
    maker->stamp += (uint32_t)mesh->vertex_count;
    mesh->vertex_count = mesh->index_count = 0;
    if (maker->stamp > UINT32_MAX / 2) {
        memset(maker->edges, 0, maker->edge_count * sizeof *maker->edges);
        maker->stamp = 0;
    }
    const int left_x = solid->nx + 1 - i0, left_y = solid->ny + 1 - j0;
    const brick b = {
        .maker = maker,
        .solid = solid,
        .i0 = i0 - 1,
        .j0 = j0 - 1,
        .cubes_x = left_x < RL_BRICK ? left_x : RL_BRICK,
        .cubes_y = left_y < RL_BRICK ? left_y : RL_BRICK,
    };
    // All that one more pile of cubes can add.
    const size_t cubes = (size_t)maker->nz + 1, more_vertices = RL_CUBE_EDGES * cubes;
    const size_t more_indices = sizeof maker->cases[0].edges * cubes;
    mark_nodes(&b);
    for (int v = 0; v < b.cubes_y; v++)
        for (int u = 0; u < b.cubes_x; u++) {
            if (!rl_brick_mesh_reserve(allocator, mesh, mesh->vertex_count + more_vertices,
                                       mesh->index_count + more_indices))
                return rill_fail(RILL_NO_MEMORY, "no memory for the triangles of a solid");
            make_pile(&b, u, v);
        }
    return RILL_OK;
}
