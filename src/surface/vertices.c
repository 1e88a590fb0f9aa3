// SPDX-License-Identifier: MIT
// vertices.c - writes the vertices to their final places: layer by layer in each row, the ends of a
// sheet and the edge vertices behind the column that they are counted with.
#include "surface/normals.h"
#include "surface/vertices_inline.h"

#include <string.h>

_Static_assert(sizeof(rill_vertex) == 40, "a vertex is uploaded as it is");

// What the vertices of a stretch of wet columns have; those of dry ones are of no meaning.
typedef struct stretch {
    rl_shade normals;
    float opacity[RL_SHADE_CHUNK];
} stretch;

static void shade(const rl_surface *s, int i, int j, int layer, int n, stretch *to)
{
    const float *restrict depth = s->columns.depth + rl_surface_column(s, i, j, layer);
    rl_surface_shade(s, i, j, layer, n, &to->normals);
    for (int k = 0; k < n; k++)
        to->opacity[k] = rl_vertex_opacity(s, depth[k]);
}

// Wet columns i + k to i + end - 1 of row j, of a stretch that begins with column i.
static void put_run(const rl_surface *s, rill_vertex *restrict v, const stretch *restrict from,
                    int i, int j, int layer, int k, int end)
{
    const rill_columns *c = &s->columns;
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
            next = rl_vertex_put_point(s, i + k, j, layer, next);
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
            next = rl_vertex_put_others(s, i + end - 1, j, layer, next);
        k = end;
    }
    return next;
}

static size_t put_rim(const rl_surface *s, int i, int j, int layer, size_t next)
{
    const bool used = s->corner[rl_surface_at(s, i, j, layer)] & RL_CORNER_USED;
    return used ? rl_vertex_put_point(s, i, j, layer, next) : next;
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
