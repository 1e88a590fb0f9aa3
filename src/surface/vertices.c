// SPDX-License-Identifier: MIT
// vertices.c - writes the vertices to their final places: layer by layer in each row, the ends of a
// surface and the edge vertices behind the column that they are counted with.
//
// Normals come from differences of the true levels between wet, linked columns only: central where
// both sides are wet, one-sided at a shore and at the border, flat where there are none. Neither
// the shore nor the least thickness can thus tilt the normals of a lake. A dry vertex takes the
// mean normal of the wet columns it is linked to (Dagenais section 4.3).
#include "core/assert.h"
#include "surface/vertices_inline.h"

#include <string.h>

_Static_assert(sizeof(rill_vertex) == 40, "a vertex is uploaded as it is");

// ---- Normals -----------------------------------------------------------------------------

// Columns are shaded this many at a time, so that the arithmetic runs in vectors,
#define CHUNK 64
// and their normals this many at a time, with less work where nothing ends.
#define BLOCK 16

// The attributes of the vertices of a range of wet columns. Those of dry ones have no meaning, nor
// have the normals of columns that are RL_CROSSED_WET.
typedef struct stretch {
    float x[CHUNK], y[CHUNK], z[CHUNK]; // of normals
    float opacity[CHUNK];
} stretch;

// Returns whether all of n columns have wet ones on all four sides.
static bool all_inside(const uint8_t *wet_link, int n)
{
    unsigned all = RL_SIDES;
    for (int k = 0; k < n; k++)
        all &= wet_link[k];
    return all == RL_SIDES;
}

// Computes what rl_surface_slope() gives where both sides count.
static void shade_inside(const rl_surface *s, size_t at, int n, float *restrict x,
                         float *restrict y, float *restrict z)
{
    const float *restrict here = s->level + at;
    const float *restrict below = here - s->pitch, *restrict above = here + s->pitch;
    const float scale = 1.0f / s->columns.cell_size, half = scale - 0.5f * scale;
    for (int k = 0; k < n; k++) {
        const float tilt_x = ((here[k] - here[k - 1]) + (here[k + 1] - here[k])) * half;
        const float tilt_y = ((here[k] - below[k]) + (above[k] - here[k])) * half;
        rl_surface_upright(tilt_x, tilt_y, &x[k], &y[k], &z[k]);
    }
}

static void shade_any(const rl_surface *s, size_t at, int n, float *restrict x, float *restrict y,
                      float *restrict z)
{
    const float *restrict here = s->level + at;
    const float *restrict below = here - s->pitch, *restrict above = here + s->pitch;
    const uint8_t *restrict wet_link = s->wet_link + at;
    const float scale = 1.0f / s->columns.cell_size;
    for (int k = 0; k < n; k++) {
        const int east = wet_link[k] >> RL_EAST & 1, west = wet_link[k] >> RL_WEST & 1;
        const int north = wet_link[k] >> RL_NORTH & 1, south = wet_link[k] >> RL_SOUTH & 1;
        const float tilt_x =
            rl_surface_slope(here[k] - here[k - 1], here[k + 1] - here[k], west, east, scale);
        const float tilt_y =
            rl_surface_slope(here[k] - below[k], above[k] - here[k], south, north, scale);
        rl_surface_upright(tilt_x, tilt_y, &x[k], &y[k], &z[k]);
    }
}

// Shades the cells i to i + n - 1 of row j, n at most CHUNK.
static void shade(const rl_surface *s, int i, int j, int layer, int n, stretch *to)
{
    const size_t at = rl_surface_at(s, i, j, layer);
    const float *restrict depth = s->columns.depth + rl_surface_column(s, i, j, layer);
    for (int k = 0; k < n; k += BLOCK) {
        const int count = n - k < BLOCK ? n - k : BLOCK;
        const size_t from = at + (size_t)k;
        (all_inside(s->wet_link + from, count) ? shade_inside : shade_any)(
            s, from, count, to->x + k, to->y + k, to->z + k);
    }
    for (int k = 0; k < n; k++)
        to->opacity[k] = rl_surface_opacity(depth[k], s->def.opaque_depth);
}

// ---- Vertices ----------------------------------------------------------------------------

// Writes wet columns i + k to i + end - 1 of row j, of a range that begins with column i.
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
                             {from->x[k], from->y[k], from->z[k]},
                             {u[k], w[k]},
                             from->opacity[k],
                             depth[k]};
}

// Kinds of points: not used, anything else, and wet columns whose own vertex can be written with a
// run; the last where they have more vertices.
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

// Writes cells i to i + n - 1 of row j.
static size_t put_cells(const rl_surface *s, int i, int j, int layer, int n, size_t next)
{
    RL_ASSERT(n > 0 && n <= CHUNK);
    RL_ASSERT(i >= 0 && i + n <= s->nx);
    const size_t at = rl_surface_at(s, i, j, layer);
    const int cj = rl_surface_clamp(j, s->ny);
    uint8_t kind[CHUNK + 1];
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
        int end = rl_surface_run(kind, k, n, 0xff, KIND_PLAIN);
        const bool more = kind[end] == KIND_MORE;
        end += more;
        uint32_t *restrict number = s->number + at;
        for (int m = k; m < end; m++)
            number[m] = (uint32_t)next + (uint32_t)(m - k);
        put_run(s, s->vertices + next, &wet, i, j, layer, k, end);
        next += (size_t)(end - k);
        if (more)
            next = rl_vertex_put_extra(s, i + end - 1, j, layer, next);
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
            for (int i = drawn.first < 0 ? 0 : drawn.first; i < last; i += CHUNK) {
                const int left = last - i;
                next = put_cells(s, i, j, layer, left < CHUNK ? left : CHUNK, next);
            }
            if (drawn.end > s->nx)
                next = put_rim(s, s->nx, j, layer, next);
        }
}
