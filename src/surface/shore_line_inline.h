// SPDX-License-Identifier: MIT
// shore_line_inline.h - the shore of level liquid on a slope as a line, for hosts and devices.
//
// Distances to the centres of dry cells follow the grid: along a shore that crosses it they swing
// by half a cell and more, and the rim of light looks like a row of beads. On a slope the shore is
// known better: it is where the ground comes up to the level, and there it is across the gradient
// of the ground. All boundary columns along a straight shore give the same line. Walls have no such
// line, nor have films, whose surface is as steep as the ground.
#pragma once

#include "surface/shore_slope_inline.h"

// A line counts in full where the boundary column is aside from its normal by at most a cell, and
// not at all from two cells on: past the tip of a headland there is no line.
#define RL_SHORE_ASIDE 2.5f
// It does not count at all where the surface is at least so many times as steep as the ground.
#define RL_SHORE_LEVEL 0.5f

typedef struct rl_shore_line {
    float outward[2]; // horizontal unit vector away from the liquid
    float distance;   // to it, metres, negative beyond it
    float part;       // how far it counts, 0 to 1
} rl_shore_line;

// Returns the slope of the ground at a boundary column along an axis, in cells a cell. `step` is
// the one away from the liquid along that axis, or 0.
RL_SHARED float rl_shore_gradient(const rl_surface *s, int i, int j, float base, int axis, int step)
{
    const int x = axis == 0 ? 1 : 0, y = 1 - x;
    float before = base, after = base;
    const bool has_before = step >= 0 && rl_shore_floor(s, i - x, j - y, base, &before);
    const bool has_after = step <= 0 && rl_shore_floor(s, i + x, j + y, base, &after);
    const float scale = has_before && has_after ? 0.5f : 1.0f;
    return (after - before) * scale / s->columns.cell_size;
}

RL_CELL float rl_shore_part(float x)
{
    return x < 0.0f ? 0.0f : x < 1.0f ? x : 1.0f;
}

// Returns the shore beside the boundary column of cell (i, j) and `layer` as the wet column sees it
// whose cell is `x`, `y` cells before it; its surface is at `level` and has the slope `tilt`.
RL_SHARED rl_shore_line rl_shore_line_of(const rl_surface *s, int i, int j, int layer, int x, int y,
                                         float level, float tilt)
{
    const float size = s->columns.cell_size,
                base = s->columns.base[rl_surface_column(s, i, j, layer)];
    rl_shore_line line = {{0.0f, 0.0f}, 0.0f, 0.0f};
    line.outward[0] = rl_shore_gradient(s, i, j, base, 0, (x > 0) - (x < 0));
    line.outward[1] = rl_shore_gradient(s, i, j, base, 1, (y > 0) - (y < 0));
    const float steep =
        sqrtf(line.outward[0] * line.outward[0] + line.outward[1] * line.outward[1]);
    if (!(steep > 1e-3f))
        return line;
    line.outward[0] /= steep;
    line.outward[1] /= steep;
    const float way = (float)x * line.outward[0] + (float)y * line.outward[1];
    const float aside = fabsf((float)x * line.outward[1] - (float)y * line.outward[0]);
    const float beyond = (base - level) / (steep * size); // cells from the line to the column
    line.distance = (way - (beyond < 1.5f ? beyond : 1.5f)) * size;
    const float step = rl_shore_step(rl_shore_slope_of(s, i, j, layer, line.outward));
    line.part = (1.0f - step) * rl_shore_part(1.0f - tilt / (RL_SHORE_LEVEL * steep)) *
                rl_shore_part(RL_SHORE_ASIDE - aside);
    return line;
}
