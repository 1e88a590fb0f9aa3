// SPDX-License-Identifier: MIT
// normals.c - normals come from differences of the true levels between wet, linked columns only:
// central where both sides are wet, one-sided at a shore and at the border, none on both sides:
// flat. Neither the shore nor the least thickness can thus tilt the normals of a lake. A dry vertex
// takes the mean normal of the wet columns it is linked to (000 section 4.3).
#include "surface/normals.h"

#include <math.h>
#include <stddef.h>

// Slope from the differences to either side. `has_` is 1 where that side counts and else 0:
// numbers, not branches, so that the loop below runs in vectors.
static inline float slope(float before, float after, int has_before, int has_after, float scale)
{
    const float sum = (float)has_before * before + (float)has_after * after;
    return sum * (scale - 0.5f * scale * (float)(has_before & has_after));
}

// 0 - x, not -x: a flat lake has normals without negative zeros.
static inline void upright(float tilt_x, float tilt_y, float *x, float *y, float *z)
{
    const float length = 1.0f / sqrtf(1.0f + (tilt_x * tilt_x + tilt_y * tilt_y));
    *x = (0.0f - tilt_x) * length;
    *y = (0.0f - tilt_y) * length;
    *z = length;
}

void rl_surface_shade(const rl_surface *s, int i, int j, int layer, int n, rl_shade *restrict out)
{
    const size_t at = rl_surface_at(s, i, j, layer);
    const float *here = s->level + at, *below = here - s->pitch, *above = here + s->pitch;
    const uint8_t *near = s->near + at;
    const float scale = 1.0f / s->columns->cell_size;
    for (int k = 0; k < n; k++) {
        const int east = near[k] >> RL_EAST & 1, west = near[k] >> RL_WEST & 1;
        const int north = near[k] >> RL_NORTH & 1, south = near[k] >> RL_SOUTH & 1;
        const float tilt_x = slope(here[k] - here[k - 1], here[k + 1] - here[k], west, east, scale);
        const float tilt_y = slope(here[k] - below[k], above[k] - here[k], south, north, scale);
        upright(tilt_x, tilt_y, &out->x[k], &out->y[k], &out->z[k]);
    }
}

// Level of the wet column linked to the column of a cell, which is crossed, on side `way`; false if
// there is none.
static bool level_beside(const rl_surface *s, int i, int j, int layer, int way, float *level)
{
    const int ni = i + rl_surface_step_x[way], nj = j + rl_surface_step_y[way];
    if (ni < 0 || ni >= s->nx || nj < 0 || nj >= s->ny)
        return false;
    const size_t slot = rl_surface_at(s, i, j, layer);
    const int there = s->partner[4 * slot + (size_t)way / 2];
    if (there == RL_NO_LAYER || !s->wet[rl_surface_at(s, ni, nj, there)])
        return false;
    const size_t at = rl_surface_column(s, ni, nj, there);
    *level = s->columns->base[at] + s->columns->depth[at];
    return true;
}

// The same as rl_surface_shade() for one column.
static void normal_in_layer(const rl_surface *s, size_t slot, float normal[3])
{
    const float *here = s->level + slot;
    const ptrdiff_t row = (ptrdiff_t)s->pitch;
    const unsigned near = s->near[slot];
    const float scale = 1.0f / s->columns->cell_size;
    const float tilt_x = slope(here[0] - here[-1], here[1] - here[0], near >> RL_WEST & 1,
                               near >> RL_EAST & 1, scale);
    const float tilt_y = slope(here[0] - here[-row], here[row] - here[0], near >> RL_SOUTH & 1,
                               near >> RL_NORTH & 1, scale);
    upright(tilt_x, tilt_y, &normal[0], &normal[1], &normal[2]);
}

void rl_surface_normal(const rl_surface *s, int i, int j, int layer, float normal[3])
{
    const size_t slot = rl_surface_at(s, i, j, layer);
    if (s->crossed[slot] != RL_CROSSED_WET) {
        normal_in_layer(s, slot, normal);
        return;
    }
    const size_t at = rl_surface_column(s, i, j, layer);
    const float here = s->columns->base[at] + s->columns->depth[at];
    const float scale = 1.0f / s->columns->cell_size;
    float level[8], tilt[2];
    int has[8];
    for (int way = 0; way < 8; way += 2) {
        level[way] = here;
        has[way] = level_beside(s, i, j, layer, way, &level[way]);
    }
    for (int axis = 0; axis < 2; axis++) {
        const int after = 2 * axis, before = after + 4;
        tilt[axis] =
            slope(here - level[before], level[after] - here, has[before], has[after], scale);
    }
    upright(tilt[0], tilt[1], &normal[0], &normal[1], &normal[2]);
}

void rl_surface_shore_normal(const rl_surface *s, int i, int j, int layer, float normal[3])
{
    float sum[3] = {0.0f, 0.0f, 0.0f};
    for (int way = 0; way < 8; way++) {
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

void rl_surface_unit(const float vector[3], float unit[3])
{
    const float length =
        sqrtf((vector[0] * vector[0] + vector[1] * vector[1]) + vector[2] * vector[2]);
    for (int k = 0; k < 3; k++)
        unit[k] = length > 1e-6f ? vector[k] / length : k == 2 ? 1.0f : 0.0f;
}
