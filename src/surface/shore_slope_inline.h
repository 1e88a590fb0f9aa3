// SPDX-License-Identifier: MIT
// shore_slope_inline.h - the slope of the solid that rises out of the liquid beside a column, for
// hosts and devices: the tilt beta of Dagenais section 5.2 at the boundary, not below the column.
//
// Floors are known at the centres of cells, so a wall without any slope looks like a rise within
// one cell, and so does a slope (erratum 18 to Dagenais). What tells them apart is the ground
// before and behind: a slope goes on there, while a wall stands on a floor and has a top. The part
// of the rise that nothing before or behind explains is a step, and a step is a wall.
#pragma once

#include "surface/edges_inline.h"

#include <math.h>

#define RL_SHORE_RIGHT_ANGLE 1.57079632679489662f

// A rise of so many times that before or behind it still belongs to a slope: round ground bends.
#define RL_SHORE_BEND 1.5f

// The rise of the ground across the boundary, in cells a cell and positive away from the liquid:
// all of it, and as much of it as goes on before or behind.
typedef struct rl_shore_slope {
    float rise, lasting;
} rl_shore_slope;

// Finds the floor of a cell at elevation `z`: that of the column whose range has it. Returns false
// where there is none, such as beyond the border.
RL_SHARED bool rl_shore_floor(const rl_surface *s, int i, int j, float z, float *floor)
{
    if (i < 0 || i >= s->nx || j < 0 || j >= s->ny)
        return false;
    if (s->layers == 1 || !s->ranged) {
        *floor = s->columns.base[rl_surface_column(s, i, j, 0)];
        return true;
    }
    rl_stack_entry one;
    int count;
    const rl_stack_entry *stack = rl_stack_of(s, i, j, &one, &count);
    for (int k = 0; k < count; k++)
        if (z >= stack[k].low && z <= stack[k].high) {
            *floor = stack[k].base;
            return true;
        }
    return false;
}

// Returns the part of `rise` that `other` has as well.
RL_CELL float rl_shore_common(float rise, float other)
{
    if (rise > 0.0f)
        return other < 0.0f ? 0.0f : other < rise ? other : rise;
    return other > 0.0f ? 0.0f : other > rise ? other : rise;
}

// Returns the slope across a boundary column along one axis; `step` leads away from the liquid.
// Ground that is not known does not rise.
RL_SHARED rl_shore_slope rl_shore_slope_along(const rl_surface *s, int i, int j, float base,
                                              int step_x, int step_y)
{
    float foot = base, below, top = base;
    (void)rl_shore_floor(s, i - step_x, j - step_y, base, &foot);
    below = foot;
    (void)rl_shore_floor(s, i - 2 * step_x, j - 2 * step_y, base, &below);
    (void)rl_shore_floor(s, i + step_x, j + step_y, base, &top);
    const float scale = 1.0f / s->columns.cell_size;
    rl_shore_slope slope;
    slope.rise = (base - foot) * scale;
    const float before = rl_shore_common(slope.rise, (foot - below) * scale);
    const float behind = rl_shore_common(slope.rise, (top - base) * scale);
    slope.lasting = fabsf(before) > fabsf(behind) ? before : behind;
    return slope;
}

// Returns the slope at the boundary column of cell (i, j) and `layer` along a horizontal unit
// vector that leads away from the liquid. An axis that hardly counts hardly matters either, so the
// slope is continuous in the direction.
RL_SHARED rl_shore_slope rl_shore_slope_of(const rl_surface *s, int i, int j, int layer,
                                           const float direction[2])
{
    const float base = s->columns.base[rl_surface_column(s, i, j, layer)];
    rl_shore_slope sum = {0.0f, 0.0f};
    for (int axis = 0; axis < 2; axis++) {
        const int step = direction[axis] > 0.0f ? 1 : -1;
        const rl_shore_slope one =
            rl_shore_slope_along(s, i, j, base, axis == 0 ? step : 0, axis == 0 ? 0 : step);
        const float part = fabsf(direction[axis]);
        sum.rise += part * one.rise;
        sum.lasting += part * one.lasting;
    }
    return sum;
}

// Returns the part of a rise that is a step, 0 to 1.
RL_CELL float rl_shore_step(rl_shore_slope slope)
{
    if (!(slope.rise > 0.0f))
        return 0.0f;
    const float step = 1.0f - RL_SHORE_BEND * slope.lasting / slope.rise;
    return step < 0.0f ? 0.0f : step < 1.0f ? step : 1.0f;
}

// Returns the tilt of the solid, radians, below 0 where it falls away from the liquid. A step of
// less than a cell may well be rough ground and has the slope between the two centres; one of two
// cells is a wall; in between the tilt grows from one to the other.
RL_CELL float rl_shore_tilt(rl_shore_slope slope)
{
    const float tilt = rl_surface_arctangent(slope.rise), over = slope.rise - 1.0f;
    const float wall = over < 0.0f ? 0.0f : over < 1.0f ? over : 1.0f;
    return tilt + wall * rl_shore_step(slope) * (RL_SHORE_RIGHT_ANGLE - tilt);
}
