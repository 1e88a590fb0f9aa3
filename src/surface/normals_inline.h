// SPDX-License-Identifier: MIT
// normals_inline.h - normals of single columns, for hosts and devices. The opening comment of
// vertices.c says what they are.
#pragma once

#include "surface/cross_layer_links_inline.h"

#include <stddef.h>

// Computes the normal of one column within its layer, as shade_any() does.
RL_SHARED void rl_surface_normal_in_layer(const rl_surface *s, size_t slot, float normal[3])
{
    const float *here = s->level + slot;
    const ptrdiff_t row = (ptrdiff_t)s->pitch;
    const unsigned wet_link = s->wet_link[slot];
    const float scale = 1.0f / s->columns.cell_size;
    const float tilt_x = rl_surface_slope(here[0] - here[-1], here[1] - here[0],
                                          wet_link >> RL_WEST & 1, wet_link >> RL_EAST & 1, scale);
    const float tilt_y =
        rl_surface_slope(here[0] - here[-row], here[row] - here[0], wet_link >> RL_SOUTH & 1,
                         wet_link >> RL_NORTH & 1, scale);
    rl_surface_upright(tilt_x, tilt_y, &normal[0], &normal[1], &normal[2]);
}

// Computes the normal of a slot over lattice point `cell` of layer 0, without branches, because the
// sides may be linked to any layer. Beyond the border nothing is wet.
RL_SHARED void rl_surface_normal_across(const rl_surface *s, size_t slot, size_t cell,
                                        float normal[3])
{
    const float here = s->level[slot], scale = 1.0f / s->columns.cell_size;
    float difference[4];
    int has[4];
    for (int side = 0; side < 4; side++) {
        const size_t there = s->link_layer[4 * slot + (size_t)side];
        const ptrdiff_t step =
            rl_surface_step_x(2 * side) + rl_surface_step_y(2 * side) * (ptrdiff_t)s->pitch;
        const size_t beside = there == RL_NO_LAYER ? slot : cell + there * s->plane + (size_t)step;
        has[side] = (there != RL_NO_LAYER) & s->wet[beside];
        difference[side] = has[side] ? s->level[beside] - here : 0.0f;
    }
    rl_surface_upright(rl_surface_slope(0.0f - difference[2], difference[0], has[2], has[0], scale),
                       rl_surface_slope(0.0f - difference[3], difference[1], has[3], has[1], scale),
                       &normal[0], &normal[1], &normal[2]);
}

// Computes the normal of the wet column of a cell, whatever it is linked to.
RL_SHARED void rl_surface_normal(const rl_surface *s, int i, int j, int layer, float normal[3])
{
    const size_t slot = rl_surface_at(s, i, j, layer);
    if (s->crossed[slot] != RL_CROSSED_WET)
        rl_surface_normal_in_layer(s, slot, normal);
    else
        rl_surface_normal_across(s, slot, rl_surface_at(s, i, j, 0), normal);
}

// Computes the normal of a dry column that is linked to wet ones.
RL_SHARED void rl_surface_shore_normal(const rl_surface *s, int i, int j, int layer,
                                       float normal[3])
{
    float sum[3] = {0.0f, 0.0f, 0.0f};
    unsigned about = rl_surface_about(s, rl_surface_at(s, i, j, layer));
    for (; about != 0; about &= about - 1) {
        const int way = rl_surface_lowest(about);
        const int there = rl_surface_wet_beside(s, i, j, layer, way);
        if (there < 0)
            continue;
        float one[3];
        rl_surface_normal(s, i + rl_surface_step_x(way), j + rl_surface_step_y(way), there, one);
        for (int k = 0; k < 3; k++)
            sum[k] += one[k];
    }
    rl_surface_unit(sum, normal);
}
