// SPDX-License-Identifier: MIT
// vertices.c - writes the vertices to their final places: layer by layer in each row, the ends of a
// sheet and the edge vertices behind the column that they are counted with.
#include "surface/lattice.h"

#include "surface/edges.h"
#include "surface/normals.h"

#include <string.h>

_Static_assert(sizeof(rill_vertex) == 40, "a vertex is uploaded as it is");

static inline float opacity_of(const rl_surface *s, float depth)
{
    const float opacity = depth / s->def.opaque_depth;
    return opacity < 1.0f ? opacity : 1.0f;
}

// ---- Ends of sheets ----------------------------------------------------------------------

// On the ground between the centres of a wet and a dry column; `own` is the vertex of the wet one.
static void put_end(const rl_surface *s, rill_vertex *v, int i, int j, int layer, int way,
                    const rill_vertex *own)
{
    const rill_columns *c = s->columns;
    const int ni = i + rl_surface_step_x[way], nj = j + rl_surface_step_y[way];
    const int there = rl_surface_partner(s, i, j, layer, way);
    const float t = rl_surface_end_of_sheet(s, i, j, layer, way);
    const float base = c->base[rl_surface_column(s, rl_surface_clamp(i, s->nx),
                                                 rl_surface_clamp(j, s->ny), layer)];
    const float dry = c->base[rl_surface_column(s, rl_surface_clamp(ni, s->nx),
                                                rl_surface_clamp(nj, s->ny), there)];
    memset(v, 0, sizeof *v);
    memcpy(v->normal, own->normal, sizeof v->normal);
    const float x = own->position[0], y = own->position[1];
    v->position[0] = x + t * (rl_surface_place(ni, s->nx, c->cell_size) - x);
    v->position[1] = y + t * (rl_surface_place(nj, s->ny, c->cell_size) - y);
    v->position[2] = base + t * (dry - base);
}

// ---- Walls and lips ----------------------------------------------------------------------

// Means over the columns that hold the vertex on a wall.
static void put_wall(const rl_surface *s, rill_vertex *v, const rl_edge_member *around, int count)
{
    float normal[3] = {0.0f, 0.0f, 0.0f}, opacity = 0.0f;
    for (int k = 0; k < count; k++) {
        const int i = rl_surface_clamp(around[k].i, s->nx),
                  j = rl_surface_clamp(around[k].j, s->ny);
        float one[3];
        rl_surface_normal(s, i, j, around[k].layer, one);
        for (int axis = 0; axis < 3; axis++)
            normal[axis] += one[axis];
        opacity += opacity_of(s, s->columns->depth[rl_surface_column(s, i, j, around[k].layer)]);
    }
    memset(v, 0, sizeof *v);
    rl_surface_unit(normal, v->normal);
    v->opacity = opacity / (float)count;
}

// The sheet turns over at a lip, and the curtain below it faces outwards and inwards.
static void put_lip(rill_vertex *v, const rl_edge_place *place, bool curtain,
                    const rill_vertex *own)
{
    *v = *own;
    memcpy(v->position, place->position, sizeof v->position);
    if (!curtain)
        return;
    v[1] = v[2] = v[0];
    memcpy(v[1].position, place->foot, sizeof v->position);
    memcpy(v[2].position, place->back, sizeof v->position);
    const float front[3] = {place->outward[0], place->outward[1], 0.0f};
    const float back[3] = {0.0f - front[0], 0.0f - front[1], 0.0f};
    const float bent[3] = {v->normal[0] + front[0], v->normal[1] + front[1], v->normal[2]};
    rl_surface_unit(bent, v->normal);
    rl_surface_unit(front, v[1].normal);
    rl_surface_unit(back, v[2].normal);
    v[1].depth = v[2].depth = 0.0f; // nothing but a trace arrives: what falls gets thin
}

// Returns the number of vertices written: three for a lip with a curtain. Against a wall there is
// no liquid below the vertex, which is inside a solid or under water.
static size_t put_edge(const rl_surface *s, rill_vertex *v, int i, int j, int layer, int way,
                       const rill_vertex *own)
{
    const size_t slot = rl_surface_at(s, i, j, layer);
    const bool lip = rl_edge_decode(s->edge[4 * slot + (size_t)way / 2]).kind == RL_EDGE_LIP;
    const rl_edge edge = (lip ? rl_edge_lip : rl_edge_of)(s, i, j, layer, way);
    rl_edge_member around[8];
    const int count = edge.kind == RL_EDGE_LIP ? 1 : rl_edge_around(s, &edge, around);
    const rl_edge_place place = rl_edge_place_of(s, &edge, around, count);
    if (edge.kind == RL_EDGE_LIP) {
        const bool curtain = s->extra[slot] >> (way / 2 + 4) & 1;
        put_lip(v, &place, curtain, own);
        return curtain ? 3 : 1;
    }
    put_wall(s, v, around, count);
    memcpy(v->position, place.position, sizeof v->position);
    return 1;
}

// What is counted with a wet slot besides its own vertex.
static size_t put_others(const rl_surface *s, int i, int j, int layer, size_t next)
{
    const size_t slot = rl_surface_at(s, i, j, layer);
    const rill_vertex *own = &s->vertices[next - 1];
    for (int way = 0; way < 8; way += 2)
        if (s->cut[slot] >> way & 1)
            put_end(s, &s->vertices[next++], i, j, layer, way, own);
    for (int way = 0; way < 8; way += 2)
        if (s->extra[slot] >> way / 2 & 1)
            next += put_edge(s, &s->vertices[next], i, j, layer, way, own);
    return next;
}

// ---- Columns -----------------------------------------------------------------------------

// Point (i, j) with the values of cell (ci, cj).
static void put_column(const rl_surface *s, rill_vertex *v, int i, int j, int ci, int cj, int layer)
{
    const rill_columns *c = s->columns;
    const size_t at = rl_surface_at(s, i, j, layer), column = rl_surface_column(s, ci, cj, layer);
    v->position[0] = rl_surface_place(i, s->nx, c->cell_size);
    v->position[1] = rl_surface_place(j, s->ny, c->cell_size);
    v->position[2] = s->height[at];
    if (s->corner[at] & RL_CORNER_WET) {
        rl_surface_normal(s, ci, cj, layer, v->normal);
        v->velocity[0] = c->velocity_x[column];
        v->velocity[1] = c->velocity_y[column];
        v->opacity = opacity_of(s, c->depth[column]);
        v->depth = c->depth[column];
    } else {
        rl_surface_shore_normal(s, ci, cj, layer, v->normal);
        v->velocity[0] = v->velocity[1] = 0.0f;
        v->opacity = v->depth = 0.0f;
    }
}

// A run of n wet columns that have nothing but their own vertex: the same without a branch.
static void put_run(const rl_surface *s, rill_vertex *restrict v, int i, int j, int layer, int n)
{
    const rill_columns *c = s->columns;
    const size_t at = rl_surface_at(s, i, j, layer);
    const int cj = rl_surface_clamp(j, s->ny);
    const size_t column = rl_surface_column(s, i, cj, layer);
    const float *restrict height = s->height + at, *restrict depth = c->depth + column;
    const float *restrict u = c->velocity_x + column, *restrict w = c->velocity_y + column;
    const float y = rl_surface_place(j, s->ny, c->cell_size);
    rl_shade normals;
    float opacity[RL_SHADE_CHUNK];
    rl_surface_shade(s, i, cj, layer, n, &normals);
    for (int k = 0; k < n; k++)
        opacity[k] = opacity_of(s, depth[k]);
    for (int k = 0; k < n; k++)
        v[k] = (rill_vertex){{((float)(i + k) + 0.5f) * c->cell_size, y, height[k]},
                             {normals.x[k], normals.y[k], normals.z[k]},
                             {u[k], w[k]},
                             opacity[k],
                             depth[k]};
}

// For each point 1 where it is used but not a wet column with nothing but its own vertex, 2 where
// it is not used.
static void kinds_of(const rl_surface *s, size_t at, size_t cell, int n, uint8_t *restrict kind)
{
    const uint8_t *restrict corner = s->corner + at, *restrict crossed = s->crossed + cell;
    const uint8_t *restrict cut = s->cut + at, *restrict extra = s->extra + at;
    for (int k = 0; k < n; k++) {
        const unsigned plain = (corner[k] & RL_CORNER_WET) && !((cut[k] & RL_SIDES) | extra[k]) &&
                               crossed[k] != RL_CROSSED_WET;
        kind[k] = corner[k] & RL_CORNER_USED ? !plain : 2;
    }
}

static size_t put_other(const rl_surface *s, int i, int j, int layer, size_t next)
{
    const size_t slot = rl_surface_at(s, i, j, layer);
    s->number[slot] = (uint32_t)next;
    put_column(s, &s->vertices[next++], i, j, rl_surface_clamp(i, s->nx),
               rl_surface_clamp(j, s->ny), layer);
    if ((s->corner[slot] & RL_CORNER_WET) && ((s->cut[slot] & RL_SIDES) | s->extra[slot]))
        next = put_others(s, i, j, layer, next);
    return next;
}

// Cells i to i + n - 1 of row j.
static size_t put_cells(const rl_surface *s, int i, int j, int layer, int n, size_t next)
{
    const size_t at = rl_surface_at(s, i, j, layer);
    uint8_t kind[RL_SHADE_CHUNK + 1];
    kinds_of(s, at, rl_surface_at(s, i, rl_surface_clamp(j, s->ny), layer), n, kind);
    kind[n] = 2;
    for (int k = 0; k < n; k++) {
        if (kind[k] == 1)
            next = put_other(s, i + k, j, layer, next);
        if (kind[k] != 0)
            continue;
        int end = k + 1;
        while (kind[end] == 0)
            end++;
        for (int m = k; m < end; m++)
            s->number[at + (size_t)m] = (uint32_t)(next + (size_t)(m - k));
        put_run(s, s->vertices + next, i + k, j, layer, end - k);
        next += (size_t)(end - k);
        k = end - 1;
    }
    return next;
}

static size_t put_rim(const rl_surface *s, int i, int j, int layer, size_t next)
{
    const bool used = s->corner[rl_surface_at(s, i, j, layer)] & RL_CORNER_USED;
    return used ? put_other(s, i, j, layer, next) : next;
}

void rl_surface_vertices_tile(void *context, int tile)
{
    const rl_surface *s = context;
    const int end = rl_surface_tile_end(s, tile);
    size_t next = s->tiles[tile].first_vertex;
    for (int j = rl_surface_tile_first(tile); j < end; j++)
        for (int layer = 0; layer < s->layers; layer++) {
            const rl_surface_row drawn = rl_surface_drawn(s, j, layer);
            if (drawn.end == 0)
                continue;
            if (drawn.first < 0)
                next = put_rim(s, -1, j, layer, next);
            const int last = drawn.end < s->nx ? drawn.end : s->nx;
            for (int i = drawn.first < 0 ? 0 : drawn.first; i < last; i += RL_SHADE_CHUNK) {
                const int left = last - i;
                next =
                    put_cells(s, i, j, layer, left < RL_SHADE_CHUNK ? left : RL_SHADE_CHUNK, next);
            }
            if (drawn.end > s->nx)
                next = put_rim(s, s->nx, j, layer, next);
        }
}
