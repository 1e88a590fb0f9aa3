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
    return rl_surface_opacity(depth, s->def.opaque_depth);
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
    v->position[0] =
        rl_surface_between(own->position[0], rl_surface_place(ni, s->nx, c->cell_size), t);
    v->position[1] =
        rl_surface_between(own->position[1], rl_surface_place(nj, s->ny, c->cell_size), t);
    v->position[2] = rl_surface_between(base, dry, t);
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

// What the vertices of a stretch of wet columns have; those of dry ones are of no meaning.
typedef struct stretch {
    rl_shade normals;
    float opacity[RL_SHADE_CHUNK];
} stretch;

static void shade(const rl_surface *s, int i, int j, int layer, int n, stretch *to)
{
    const float *restrict depth = s->columns->depth + rl_surface_column(s, i, j, layer);
    rl_surface_shade(s, i, j, layer, n, &to->normals);
    for (int k = 0; k < n; k++)
        to->opacity[k] = opacity_of(s, depth[k]);
}

// Wet columns i + k to i + end - 1 of row j, of a stretch that begins with column i.
static void put_run(const rl_surface *s, rill_vertex *restrict v, const stretch *restrict from,
                    int i, int j, int layer, int k, int end)
{
    const rill_columns *c = s->columns;
    const float *restrict height = s->height + rl_surface_at(s, i, j, layer);
    const size_t column = rl_surface_column(s, i, rl_surface_clamp(j, s->ny), layer);
    const float *restrict u = c->velocity_x + column, *restrict w = c->velocity_y + column;
    const float *restrict depth = c->depth + column;
    const float y = rl_surface_place(j, s->ny, c->cell_size);
    for (; k < end; k++)
        *v++ = (rill_vertex){{((float)(i + k) + 0.5f) * c->cell_size, y, height[k]},
                             {from->normals.x[k], from->normals.y[k], from->normals.z[k]},
                             {u[k], w[k]},
                             from->opacity[k],
                             depth[k]};
}

// Of points: not used, anything else, and wet columns whose own vertex can be put with a run; the
// last bit where they have others as well.
enum { KIND_NONE = 0, KIND_OTHER = 1, KIND_PLAIN = 2, KIND_MORE = 3 };

static void kinds_of(const rl_surface *s, size_t at, size_t cell, int n, uint8_t *restrict kind)
{
    const uint8_t *restrict corner = s->corner + at, *restrict crossed = s->crossed + cell;
    const uint8_t *restrict cut = s->cut + at, *restrict extra = s->extra + at;
    for (int k = 0; k < n; k++) {
        const uint8_t more = (uint8_t)(((cut[k] & RL_SIDES) | extra[k]) != 0);
        const uint8_t in_run = (uint8_t)(corner[k] & ~(crossed[k] >> 1) & 1);
        const uint8_t used = corner[k] >> 1 & 1;
        kind[k] = (uint8_t)(used & ~in_run) | (uint8_t)(in_run << 1) | (in_run & more);
    }
}

// Points from `k` on that are plain; kind[n] is none.
static int end_of_run(const uint8_t *kind, int k, int n)
{
    const uint64_t plain = KIND_PLAIN * (uint64_t)0x0101010101010101u;
    for (uint64_t eight = plain; k + 8 <= n; k += 8) {
        memcpy(&eight, kind + k, sizeof eight);
        if (eight != plain)
            break;
    }
    while (kind[k] == KIND_PLAIN)
        k++;
    return k;
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
    const int cj = rl_surface_clamp(j, s->ny);
    uint8_t kind[RL_SHADE_CHUNK + 1];
    stretch wet;
    kinds_of(s, at, rl_surface_at(s, i, cj, layer), n, kind);
    kind[n] = KIND_NONE;
    shade(s, i, cj, layer, n, &wet);
    for (int k = rl_surface_next(kind, 0, n); k < n; k = rl_surface_next(kind, k, n)) {
        if (kind[k] == KIND_OTHER) {
            next = put_other(s, i + k, j, layer, next);
            k++;
            continue;
        }
        int end = end_of_run(kind, k, n);
        const bool more = kind[end] == KIND_MORE;
        end += more;
        uint32_t *restrict number = s->number + at;
        for (int m = k; m < end; m++)
            number[m] = (uint32_t)next + (uint32_t)(m - k);
        put_run(s, s->vertices + next, &wet, i, j, layer, k, end);
        next += (size_t)(end - k);
        if (more)
            next = put_others(s, i + end - 1, j, layer, next);
        k = end;
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
