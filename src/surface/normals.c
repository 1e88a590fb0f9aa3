// SPDX-License-Identifier: MIT
// normals.c - normals come from differences of the true levels between wet, linked columns only:
// central where both sides are wet, one-sided at a shore and at the border, none on both sides:
// flat. Neither the shore nor the least thickness can thus tilt the normals of a lake. A dry vertex
// takes the mean normal of the wet columns it is linked to (000 section 4.3).
#include "surface/normals.h"

#include <stddef.h>

// Columns are shaded this many at a time, with less work where nothing ends.
#define PIECE 16

// Whether all of n columns have wet ones on all four sides.
static bool all_inside(const uint8_t *near, int n)
{
    unsigned all = RL_SIDES;
    for (int k = 0; k < n; k++)
        all &= near[k];
    return all == RL_SIDES;
}

// What rl_surface_slope() makes where both sides count.
static void shade_inside(const rl_surface *s, size_t at, int n, float *restrict x,
                         float *restrict y, float *restrict z)
{
    const float *restrict here = s->level + at;
    const float *restrict below = here - s->pitch, *restrict above = here + s->pitch;
    const float scale = 1.0f / s->columns->cell_size, half = scale - 0.5f * scale;
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
    const uint8_t *restrict near = s->near + at;
    const float scale = 1.0f / s->columns->cell_size;
    for (int k = 0; k < n; k++) {
        const int east = near[k] >> RL_EAST & 1, west = near[k] >> RL_WEST & 1;
        const int north = near[k] >> RL_NORTH & 1, south = near[k] >> RL_SOUTH & 1;
        const float tilt_x =
            rl_surface_slope(here[k] - here[k - 1], here[k + 1] - here[k], west, east, scale);
        const float tilt_y =
            rl_surface_slope(here[k] - below[k], above[k] - here[k], south, north, scale);
        rl_surface_upright(tilt_x, tilt_y, &x[k], &y[k], &z[k]);
    }
}

void rl_surface_shade(const rl_surface *s, int i, int j, int layer, int n, rl_shade *out)
{
    const size_t at = rl_surface_at(s, i, j, layer);
    for (int k = 0; k < n; k += PIECE) {
        const int count = n - k < PIECE ? n - k : PIECE;
        const size_t from = at + (size_t)k;
        (all_inside(s->near + from, count) ? shade_inside : shade_any)(s, from, count, out->x + k,
                                                                       out->y + k, out->z + k);
    }
}

// The same as rl_surface_shade() for one column.
static void normal_in_layer(const rl_surface *s, size_t slot, float normal[3])
{
    const float *here = s->level + slot;
    const ptrdiff_t row = (ptrdiff_t)s->pitch;
    const unsigned near = s->near[slot];
    const float scale = 1.0f / s->columns->cell_size;
    const float tilt_x = rl_surface_slope(here[0] - here[-1], here[1] - here[0],
                                          near >> RL_WEST & 1, near >> RL_EAST & 1, scale);
    const float tilt_y = rl_surface_slope(here[0] - here[-row], here[row] - here[0],
                                          near >> RL_SOUTH & 1, near >> RL_NORTH & 1, scale);
    rl_surface_upright(tilt_x, tilt_y, &normal[0], &normal[1], &normal[2]);
}

// Of a slot over lattice point `cell` of layer 0. Without branches: there is no telling which sides
// are linked to what. Beyond the border nothing is wet.
static void normal_across(const rl_surface *s, size_t slot, size_t cell, float normal[3])
{
    const float here = s->level[slot], scale = 1.0f / s->columns->cell_size;
    float difference[4];
    int has[4];
    for (int side = 0; side < 4; side++) {
        const size_t there = s->partner[4 * slot + (size_t)side];
        const ptrdiff_t step =
            rl_surface_step_x[2 * side] + rl_surface_step_y[2 * side] * (ptrdiff_t)s->pitch;
        const size_t beside = there == RL_NO_LAYER ? slot : cell + there * s->plane + (size_t)step;
        has[side] = (there != RL_NO_LAYER) & s->wet[beside];
        difference[side] = has[side] ? s->level[beside] - here : 0.0f;
    }
    rl_surface_upright(rl_surface_slope(0.0f - difference[2], difference[0], has[2], has[0], scale),
                       rl_surface_slope(0.0f - difference[3], difference[1], has[3], has[1], scale),
                       &normal[0], &normal[1], &normal[2]);
}

void rl_surface_normal(const rl_surface *s, int i, int j, int layer, float normal[3])
{
    const size_t slot = rl_surface_at(s, i, j, layer);
    if (s->crossed[slot] != RL_CROSSED_WET)
        normal_in_layer(s, slot, normal);
    else
        normal_across(s, slot, rl_surface_at(s, i, j, 0), normal);
}

void rl_surface_shore_normal(const rl_surface *s, int i, int j, int layer, float normal[3])
{
    float sum[3] = {0.0f, 0.0f, 0.0f};
    unsigned about = rl_surface_about(s, rl_surface_at(s, i, j, layer));
    for (; about != 0; about &= about - 1) {
        const int way = rl_surface_lowest(about);
        const int there = rl_surface_wet_beside(s, i, j, layer, way);
        if (there < 0)
            continue;
        float one[3];
        rl_surface_normal(s, i + rl_surface_step_x[way], j + rl_surface_step_y[way], there, one);
        for (int k = 0; k < 3; k++)
            sum[k] += one[k];
    }
    rl_surface_unit(sum, normal);
}
