// SPDX-License-Identifier: MIT
// Distances to the nearest boundary column are found by dead reckoning (000 section 5.1, after
// Grevera): wet columns that are linked to a dry one or that stand beside a wall form the first
// ring; then, step by step inwards, a column takes over the boundary column of a linked one where
// that is a shorter way, with its own straight distance to it. As many steps as the meniscus is
// long. Only columns beside some that changed in the last step are looked at.
//
// The boundary is half a cell before the centre of the boundary column (docs/papers.md, 000.18).
#include "surface/meniscus.h"

#include "surface/edges.h"

#include <math.h>
#include <string.h>

#define NOWHERE UINT64_MAX
#define FAR     1e30f
#define HALF_PI 1.57079632679489662f

static const float stretch[2] = {1.0f, 1.41421356237309505f}; // of sides and of corners, in cells

// Sides come before corners, which are further away.
static const signed char order[8] = {0, 2, 4, 6, 1, 3, 5, 7};

// The layer that a wet column of a cell shares a sheet with in direction `way`, or -1. Across
// corners within the layer alone: the way around them is hardly longer.
static int beside(const rl_surface *s, size_t slot, int layer, int way)
{
    if (s->link[slot] >> way & 1)
        return layer;
    if (way & 1 || !s->crossed[slot])
        return -1;
    const uint8_t there = s->partner[4 * slot + (size_t)way / 2];
    return there == RL_NO_LAYER ? -1 : there;
}

static bool on_grid(const rl_surface *s, int i, int j)
{
    return i >= 0 && i < s->nx && j >= 0 && j < s->ny;
}

// ---- First ring --------------------------------------------------------------------------

// The boundary column beside the wet column of a cell in direction `way`, or NOWHERE.
static uint64_t boundary_at(const rl_surface *s, int i, int j, int layer, int way)
{
    const int ni = i + rl_surface_step_x[way], nj = j + rl_surface_step_y[way];
    if (!on_grid(s, ni, nj))
        return NOWHERE;
    const int there = beside(s, rl_surface_at(s, i, j, layer), layer, way);
    if (there >= 0) {
        const size_t slot = rl_surface_at(s, ni, nj, there);
        return s->wet[slot] ? NOWHERE : 2 * (uint64_t)slot;
    }
    if (way & 1)
        return NOWHERE;
    const rl_edge_code code =
        rl_edge_decode(s->edge[4 * rl_surface_at(s, i, j, layer) + (size_t)way / 2]);
    return code.kind == RL_EDGE_WALL ? 2 * (uint64_t)rl_surface_at(s, ni, nj, 0) + 1 : NOWHERE;
}

static void first_ring(const rl_surface *s, int i, int j, int layer)
{
    const size_t slot = rl_surface_at(s, i, j, layer);
    s->shore_at[0][slot] = NOWHERE;
    s->shore_distance[0][slot] = FAR;
    if (s->near[slot] == 0xff)
        return;
    for (int k = 0; k < 8 && s->shore_at[0][slot] == NOWHERE; k++) {
        s->shore_at[0][slot] = boundary_at(s, i, j, layer, order[k]);
        if (s->shore_at[0][slot] == NOWHERE)
            continue;
        s->shore_distance[0][slot] = stretch[order[k] & 1] * s->columns->cell_size;
        s->moved[0][slot] = 1;
    }
}

static void ring_tile(void *context, int tile)
{
    const rl_surface *s = context;
    const int end = rl_surface_tile_end(s, tile);
    for (int j = rl_surface_tile_first(tile); j < end; j++)
        for (int layer = 0; layer < s->layers && j >= 0 && j < s->ny; layer++) {
            const size_t at = rl_surface_at(s, 0, j, layer);
            memset(s->moved[0] + at, 0, (size_t)s->nx);
            const rl_surface_row row = *rl_surface_row_of(s, j, layer);
            for (int i = row.first; i < row.end; i++)
                if (s->wet[at + (size_t)i])
                    first_ring(s, i, j, layer);
        }
}

// ---- Steps inwards -----------------------------------------------------------------------

static float distance_to(const rl_surface *s, int i, int j, uint64_t boundary)
{
    const size_t point = (size_t)(boundary / 2) % s->plane;
    const float x = (float)(int)(point % s->pitch) - (float)(i + 1);
    const float y = (float)(int)(point / s->pitch) - (float)(j + 1);
    return sqrtf(x * x + y * y) * s->columns->cell_size;
}

// Takes over what a linked column has where that is nearer.
static void reckon(const rl_surface *s, int i, int j, int layer)
{
    const size_t slot = rl_surface_at(s, i, j, layer);
    uint64_t best = s->shore_at[0][slot];
    float distance = s->shore_distance[0][slot];
    for (int k = 0; k < 8; k++) {
        const int way = order[k];
        const int ni = i + rl_surface_step_x[way], nj = j + rl_surface_step_y[way];
        const int there = on_grid(s, ni, nj) ? beside(s, slot, layer, way) : -1;
        if (there < 0)
            continue;
        const size_t other = rl_surface_at(s, ni, nj, there);
        if (!s->wet[other] || s->shore_at[0][other] == NOWHERE)
            continue;
        const float detour = s->shore_distance[0][other] + stretch[way & 1] * s->columns->cell_size;
        if (distance > detour) {
            best = s->shore_at[0][other];
            distance = distance_to(s, i, j, best);
        }
    }
    s->moved[1][slot] = best != s->shore_at[0][slot];
    s->shore_at[1][slot] = best;
    s->shore_distance[1][slot] = distance;
}

static void beside_moved(uint8_t *restrict any, const uint8_t *restrict south,
                         const uint8_t *restrict here, const uint8_t *restrict north, int n)
{
    for (int i = 0; i < n; i++)
        any[i] = south[i - 1] | south[i] | south[i + 1] | here[i - 1] | here[i] | here[i + 1] |
                 north[i - 1] | north[i] | north[i + 1];
}

static void step_row(const rl_surface *s, int j, int layer, uint8_t *any)
{
    const rl_surface_row row = *rl_surface_row_of(s, j, layer);
    if (row.end == 0)
        return;
    const size_t at = rl_surface_at(s, row.first, j, layer);
    const int n = row.end - row.first;
    const uint8_t *moved = s->moved[0] + at;
    memset(s->moved[1] + at, 0, (size_t)n);
    beside_moved(any, moved - s->pitch, moved, moved + s->pitch, n);
    for (int i = 0; i < n; i++)
        if (s->wet[at + (size_t)i] && (any[i] || s->crossed[at + (size_t)i] == RL_CROSSED_WET))
            reckon(s, row.first + i, j, layer);
}

static void step_tile(void *context, int tile)
{
    const rl_surface *s = context;
    const int end = rl_surface_tile_end(s, tile);
    for (int j = rl_surface_tile_first(tile); j < end; j++)
        for (int layer = 0; layer < s->layers && j >= 0 && j < s->ny; layer++)
            step_row(s, j, layer, s->below + (size_t)tile * s->pitch);
}

static void settle_row(const rl_surface *s, int j, int layer)
{
    const rl_surface_row row = *rl_surface_row_of(s, j, layer);
    const size_t first = rl_surface_at(s, row.first, j, layer);
    const size_t n = (size_t)(row.end - row.first);
    for (size_t slot = first; slot < first + n; slot++) {
        if (!s->moved[1][slot])
            continue;
        s->shore_at[0][slot] = s->shore_at[1][slot];
        s->shore_distance[0][slot] = s->shore_distance[1][slot];
    }
    memcpy(s->moved[0] + first, s->moved[1] + first, n);
}

static void settle_tile(void *context, int tile)
{
    const rl_surface *s = context;
    const int end = rl_surface_tile_end(s, tile);
    for (int j = rl_surface_tile_first(tile); j < end; j++)
        for (int layer = 0; layer < s->layers && j >= 0 && j < s->ny; layer++)
            if (rl_surface_row_of(s, j, layer)->end > 0)
                settle_row(s, j, layer);
}

// ---- Direction and angle -----------------------------------------------------------------

// Distance at the neighbour of a wet column; false where there is none.
static bool distance_beside(const rl_surface *s, int i, int j, int layer, int way, float *distance)
{
    const int ni = i + rl_surface_step_x[way], nj = j + rl_surface_step_y[way];
    if (!on_grid(s, ni, nj))
        return false;
    const int there = beside(s, rl_surface_at(s, i, j, layer), layer, way);
    const size_t other = there >= 0 ? rl_surface_at(s, ni, nj, there) : 0;
    if (there >= 0 && s->wet[other]) {
        *distance = s->shore_distance[0][other];
        return s->shore_at[0][other] != NOWHERE;
    }
    *distance = 0.0f;
    return boundary_at(s, i, j, layer, way) != NOWHERE;
}

// Down the distance field, by central differences where both sides are known.
static void direction_of(const rl_surface *s, int i, int j, int layer, float direction[2])
{
    const size_t slot = rl_surface_at(s, i, j, layer);
    const float here = s->shore_distance[0][slot];
    for (int axis = 0; axis < 2; axis++) {
        float after = here, before = here;
        const bool has_after = distance_beside(s, i, j, layer, 2 * axis, &after);
        const bool has_before = distance_beside(s, i, j, layer, 2 * axis + 4, &before);
        const float rise = (has_after ? after : here) - (has_before ? before : here);
        direction[axis] = has_after && has_before ? -0.5f * rise : 0.0f - rise;
    }
    const float least = 1e-3f * s->columns->cell_size;
    if (direction[0] * direction[0] + direction[1] * direction[1] < least * least) {
        // Between two shores: towards the one that was found.
        const size_t point = (size_t)(s->shore_at[0][slot] / 2) % s->plane;
        direction[0] = (float)(int)(point % s->pitch) - (float)(i + 1);
        direction[1] = (float)(int)(point / s->pitch) - (float)(j + 1);
    }
    const float length = sqrtf(direction[0] * direction[0] + direction[1] * direction[1]);
    direction[0] /= length;
    direction[1] /= length;
}

// psi = beta - alpha, at most a right angle.
static float tilt(const rl_surface *s, float beta)
{
    const float psi = beta - s->def.contact_angle * (HALF_PI / 90.0f);
    return psi < -HALF_PI ? -HALF_PI : psi > HALF_PI ? HALF_PI : psi;
}

// The solid's tilt, from the floors of the column and its boundary column; steeper than 45 degrees
// is a wall, since floors at the centres of cells show no more (docs/papers.md, 000.18).
static float angle_of(const rl_surface *s, int i, int j, int layer, size_t slot)
{
    const uint64_t boundary = s->shore_at[0][slot];
    if (boundary & 1)
        return tilt(s, HALF_PI);
    const size_t point = (size_t)(boundary / 2) % s->plane;
    const int bi = (int)(point % s->pitch) - 1, bj = (int)(point / s->pitch) - 1;
    const int there = (int)((size_t)(boundary / 2) / s->plane);
    const float rise = s->columns->base[rl_surface_column(s, bi, bj, there)] -
                       s->columns->base[rl_surface_column(s, i, j, layer)];
    const float distance = s->shore_distance[0][slot];
    return tilt(s, rise > distance ? HALF_PI : atan2f(rise, distance));
}

static rill_meniscus of_wet(const rl_surface *s, int i, int j, int layer)
{
    rill_meniscus m = {0};
    const size_t slot = rl_surface_at(s, i, j, layer);
    if (s->shore_at[0][slot] == NOWHERE)
        return m;
    const float inside = s->shore_distance[0][slot] - 0.5f * s->columns->cell_size;
    m.share = 1.0f - inside / s->def.meniscus_length;
    if (!(m.share > 0.0f))
        return (rill_meniscus){0};
    direction_of(s, i, j, layer, m.direction);
    m.angle = angle_of(s, i, j, layer, slot);
    return m;
}

// A dry column ends the meniscus of the wet ones it is linked to.
static rill_meniscus of_dry(const rl_surface *s, int i, int j, int layer)
{
    rill_meniscus sum = {0};
    int count = 0;
    for (int way = 0; way < 8; way++) {
        const int ni = i + rl_surface_step_x[way], nj = j + rl_surface_step_y[way];
        const int there = on_grid(s, ni, nj) ? rl_surface_partner(s, i, j, layer, way) : -1;
        if (there < 0)
            continue;
        const rill_meniscus one = of_wet(s, ni, nj, there);
        sum.direction[0] += one.direction[0];
        sum.direction[1] += one.direction[1];
        sum.angle += one.angle;
        count++;
    }
    const float length =
        sqrtf(sum.direction[0] * sum.direction[0] + sum.direction[1] * sum.direction[1]);
    if (count == 0 || !(length > 0.0f))
        return (rill_meniscus){0};
    return (rill_meniscus){
        {sum.direction[0] / length, sum.direction[1] / length}, sum.angle / (float)count, 1.0f};
}

// ---- Vertices ----------------------------------------------------------------------------

static void put_others(const rl_surface *s, int i, int j, int layer, rill_meniscus *to)
{
    const size_t slot = rl_surface_at(s, i, j, layer);
    const rill_meniscus here = to[-1];
    for (int way = 0; way < 8; way += 2)
        if (s->cut[slot] >> way & 1) {
            *to = here;
            to->share = here.share > 0.0f ? 1.0f : 0.0f;
            to++;
        }
    for (int way = 0; way < 8; way += 2) {
        if (!(s->extra[slot] >> way / 2 & 1))
            continue;
        *to = (rill_meniscus){0};
        if (rl_edge_decode(s->edge[4 * slot + (size_t)way / 2]).kind == RL_EDGE_WALL) {
            const float ahead[2] = {(float)rl_surface_step_x[way], (float)rl_surface_step_y[way]};
            *to = (rill_meniscus){{ahead[0], ahead[1]}, tilt(s, HALF_PI), 1.0f};
        }
        to++;
        if (s->extra[slot] >> (way / 2 + 4) & 1) {
            to[0] = to[1] = (rill_meniscus){0};
            to += 2;
        }
    }
}

static void vertices_row(const rl_surface *s, int j, int layer)
{
    const rl_surface_row drawn = rl_surface_drawn(s, j, layer);
    const int cj = rl_surface_clamp(j, s->ny);
    for (int i = drawn.first; i < drawn.end; i++) {
        const size_t slot = rl_surface_at(s, i, j, layer);
        if (!(s->corner[slot] & RL_CORNER_USED))
            continue;
        rill_meniscus *to = &s->meniscus[s->number[slot]];
        const int ci = rl_surface_clamp(i, s->nx);
        if (!(s->corner[slot] & RL_CORNER_WET)) {
            *to = of_dry(s, ci, cj, layer);
            continue;
        }
        *to = of_wet(s, ci, cj, layer);
        if ((s->cut[slot] & RL_SIDES) | s->extra[slot])
            put_others(s, i, j, layer, to + 1);
    }
}

static void vertices_tile(void *context, int tile)
{
    const rl_surface *s = context;
    const int end = rl_surface_tile_end(s, tile);
    for (int j = rl_surface_tile_first(tile); j < end; j++)
        for (int layer = 0; layer < s->layers; layer++)
            vertices_row(s, j, layer);
}

void rl_surface_find_meniscus(rl_surface *s, rl_surface_runner runner)
{
    // The first ring has been found before the first step.
    const float cells = s->def.meniscus_length / s->columns->cell_size + 0.5f;
    const int side = s->nx > s->ny ? s->nx : s->ny;
    const int steps = cells < (float)side ? (int)ceilf(cells) - 1 : side;
    rl_surface_for_tiles(s, runner, ring_tile);
    for (int k = 0; k < steps; k++) {
        rl_surface_for_tiles(s, runner, step_tile);
        rl_surface_for_tiles(s, runner, settle_tile);
    }
    rl_surface_for_tiles(s, runner, vertices_tile);
}
