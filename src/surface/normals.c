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
    const uint8_t *restrict near = s->near + at;
    const float scale = 1.0f / s->columns.cell_size;
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
