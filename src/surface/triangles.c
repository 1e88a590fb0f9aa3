// SPDX-License-Identifier: MIT
// triangles.c - from the lattice to the mesh: points that a triangle uses are counted tile by tile,
// and vertices and indices are written to their final places in row order.
//
// Normals come from differences of the true levels between wet, linked columns only: central where
// both sides are wet, one-sided at a shore and at the border, none on both sides: flat. Neither the
// shore nor the least thickness can thus tilt the normals of a lake. A dry vertex takes the mean
// normal of the wet columns it is linked to (000 section 4.3).
#include "surface/lattice.h"

#include <math.h>

// Vertices are shaded this many at a time, so that the arithmetic runs in vectors.
#define CHUNK 64

_Static_assert(sizeof(rill_vertex) == 40, "a vertex is uploaded as it is");

// ---- count: points that at least one triangle uses ---------------------------------------

static size_t count_row(uint8_t *restrict corner, const uint8_t *restrict south,
                        const uint8_t *restrict north, int n)
{
    unsigned sum = 0;
    for (int i = 0; i < n; i++) {
        const int used = (south[i - 1] & RL_QUAD_C) | (south[i] & RL_QUAD_D) |
                         (north[i - 1] & RL_QUAD_B) | (north[i] & RL_QUAD_A);
        corner[i] = (uint8_t)((corner[i] & RL_CORNER_WET) | (used ? RL_CORNER_USED : 0));
        sum += used ? 1u : 0u;
    }
    return sum;
}

void rl_surface_count_tile(void *context, int tile)
{
    rl_surface *s = context;
    const int end = rl_surface_tile_end(s, tile);
    size_t vertices = 0;
    for (int j = rl_surface_tile_first(tile); j < end; j++) {
        // The quad before the first of a row is the place after the last of the row below: 0.
        const size_t at = rl_surface_at(s, -1, j);
        vertices += count_row(s->corner + at, s->quad + at - s->pitch, s->quad + at, s->nx + 2);
    }
    s->tiles[tile].vertices = vertices;
}

// ---- vertices ----------------------------------------------------------------------------

typedef struct shade {
    float x[CHUNK], y[CHUNK], z[CHUNK]; // unit normals
} shade;

// Slope from the differences to either side. `has_` is 1 where that side counts and else 0:
// numbers, not branches, so that the loop below runs in vectors.
static inline float slope(float before, float after, int has_before, int has_after, float scale)
{
    const float sum = (float)has_before * before + (float)has_after * after;
    return sum * (scale - 0.5f * scale * (float)(has_before & has_after));
}

// Normals of the wet cells i to i + n - 1 of row j; those of dry cells are of no meaning.
static void shade_wet(const rl_surface *s, int i, int j, int n, shade *restrict out)
{
    const size_t at = rl_surface_at(s, i, j);
    const float *here = s->level + at, *below = here - s->pitch, *above = here + s->pitch;
    const uint8_t *near = s->near + at;
    const float scale = 1.0f / s->columns->cell_size;
    for (int k = 0; k < n; k++) {
        const int east = near[k] >> RL_EAST & 1, west = near[k] >> RL_WEST & 1;
        const int north = near[k] >> RL_NORTH & 1, south = near[k] >> RL_SOUTH & 1;
        const float tilt_x = slope(here[k] - here[k - 1], here[k + 1] - here[k], west, east, scale);
        const float tilt_y = slope(here[k] - below[k], above[k] - here[k], south, north, scale);
        const float length = 1.0f / sqrtf(1.0f + (tilt_x * tilt_x + tilt_y * tilt_y));
        // 0 - x, not -x: a flat lake has normals without negative zeros.
        out->x[k] = (0.0f - tilt_x) * length;
        out->y[k] = (0.0f - tilt_y) * length;
        out->z[k] = length;
    }
}

static void shade_dry(const rl_surface *s, int i, int j, float normal[3])
{
    const uint8_t near = s->near[rl_surface_at(s, i, j)];
    float x = 0.0f, y = 0.0f, z = 0.0f;
    for (int k = 0; k < 8; k++)
        if (near >> k & 1) {
            shade one;
            shade_wet(s, i + rl_surface_step_x[k], j + rl_surface_step_y[k], 1, &one);
            x += one.x[0];
            y += one.y[0];
            z += one.z[0];
        }
    const float length = sqrtf((x * x + y * y) + z * z);
    normal[0] = x / length;
    normal[1] = y / length;
    normal[2] = z / length;
}

// A place on the lattice, along either axis: the centre of a cell or the border.
static inline float place(int i, int n, float cell_size)
{
    const float cells = i < 0 ? 0.0f : i < n ? (float)i + 0.5f : (float)n;
    return cells * cell_size;
}

// Point (i, j) with the values of cell (ci, cj), whose normal is number k of `normals`.
static void put_vertex(const rl_surface *s, rill_vertex *v, int i, int j, int ci, int cj,
                       const shade *normals, int k)
{
    const rill_columns *c = s->columns;
    const size_t at = rl_surface_at(s, i, j), column = (size_t)cj * c->pitch + (size_t)ci;
    v->position[0] = place(i, s->nx, c->cell_size);
    v->position[1] = place(j, s->ny, c->cell_size);
    v->position[2] = s->height[at];
    if (s->corner[at] & RL_CORNER_WET) {
        const float opacity = c->depth[column] / s->opaque_depth;
        v->normal[0] = normals->x[k];
        v->normal[1] = normals->y[k];
        v->normal[2] = normals->z[k];
        v->velocity[0] = c->velocity_x[column];
        v->velocity[1] = c->velocity_y[column];
        v->opacity = opacity < 1.0f ? opacity : 1.0f;
        v->depth = c->depth[column];
    } else {
        shade_dry(s, ci, cj, v->normal);
        v->velocity[0] = v->velocity[1] = 0.0f;
        v->opacity = v->depth = 0.0f;
    }
}

// Points i to i + n - 1 of row j, all of them cells or one of the rim, whose first cell is ci.
static size_t put_points(const rl_surface *s, int i, int j, int ci, int n, size_t next)
{
    const int cj = j < 0 ? 0 : j < s->ny ? j : s->ny - 1;
    const size_t at = rl_surface_at(s, i, j);
    int wet = 0, used = 0;
    for (int k = 0; k < n; k++) {
        used |= s->corner[at + (size_t)k] & RL_CORNER_USED;
        wet |= s->corner[at + (size_t)k] & RL_CORNER_WET;
    }
    if (!used)
        return next;
    shade normals;
    if (wet)
        shade_wet(s, ci, cj, n, &normals);
    for (int k = 0; k < n; k++) {
        if (!(s->corner[at + (size_t)k] & RL_CORNER_USED))
            continue;
        put_vertex(s, &s->vertices[next], i + k, j, ci + k, cj, &normals, k);
        s->number[at + (size_t)k] = (uint32_t)next++;
    }
    return next;
}

void rl_surface_vertices_tile(void *context, int tile)
{
    const rl_surface *s = context;
    const int end = rl_surface_tile_end(s, tile);
    size_t next = s->tiles[tile].first_vertex;
    for (int j = rl_surface_tile_first(tile); j < end; j++) {
        next = put_points(s, -1, j, 0, 1, next);
        for (int i = 0; i < s->nx; i += CHUNK)
            next = put_points(s, i, j, i, s->nx - i < CHUNK ? s->nx - i : CHUNK, next);
        next = put_points(s, s->nx, j, s->nx - 1, 1, next);
    }
}

// ---- triangles ---------------------------------------------------------------------------

static uint32_t *put_triangle(uint32_t *to, uint32_t p, uint32_t q, uint32_t r)
{
    to[0] = p;
    to[1] = q;
    to[2] = r;
    return to + 3;
}

void rl_surface_triangles_tile(void *context, int tile)
{
    const rl_surface *s = context;
    const int end = rl_surface_tile_end(s, tile);
    uint32_t *to = s->indices + 3 * s->tiles[tile].first_triangle;
    for (int j = rl_surface_tile_first(tile); j < end; j++) {
        if (j == s->ny)
            continue; // the last row of points has no quads above it
        const size_t at = rl_surface_at(s, -1, j);
        const uint8_t *quad = s->quad + at;
        const uint32_t *low = s->number + at, *high = low + s->pitch;
        for (int i = 0; i <= s->nx; i++) {
            if (quad[i] == 0)
                continue;
            const uint32_t a = low[i], b = low[i + 1], c = high[i + 1], d = high[i];
            const bool ac = quad[i] & RL_QUAD_DIAGONAL_AC;
            if (quad[i] & RL_QUAD_FIRST)
                to = put_triangle(to, a, b, ac ? c : d);
            if (quad[i] & RL_QUAD_SECOND)
                to = put_triangle(to, ac ? a : b, c, d);
        }
    }
}
