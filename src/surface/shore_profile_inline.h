// SPDX-License-Identifier: MIT
// shore_profile_inline.h - the ground around a boundary column, for hosts and devices: the tilt
// beta of Dagenais section 5.2 is that at the boundary, not below the wet column.
//
// Floors are known at the centres of cells, so a wall without any slope looks like a rise within
// one cell, and so does a slope (erratum 18 to Dagenais). What tells them apart is the ground
// before and behind: a slope goes on there, while a wall stands on a floor and has a top. The part
// of the rise that nothing before or behind explains is a step, and a step is a wall
// (meniscus_cell.h).
#pragma once

#include "surface/edges_inline.h"

#include <math.h>

// The slopes of the ground across a boundary column, in cells a cell. They do not depend on the
// liquid, and all wet columns that the boundary column is nearest to need the same ones.
typedef struct rl_shore_profile {
    float base;           // its floor, metres
    float gradient[2][3]; // by axis and by the step away from the liquid along it, -1, 0 and 1
    float rise[2][2];     // by axis and by the step, -1 and 1; positive away from the liquid: all
    float lasting[2][2];  // of the rise, and as much of it as goes on before or behind
} rl_shore_profile;

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

// Puts the slopes along one axis. Ground that is not known does not rise.
RL_SHARED void rl_shore_profile_along(const rl_surface *s, int i, int j, int axis,
                                      rl_shore_profile *to)
{
    const int x = axis == 0 ? 1 : 0, y = 1 - x;
    const float base = to->base, size = s->columns.cell_size, scale = 1.0f / size;
    float beside[2] = {base, base}; // one cell away, against the axis and along it
    bool has[2];
    for (int side = 0; side < 2; side++)
        has[side] =
            rl_shore_floor(s, i + (2 * side - 1) * x, j + (2 * side - 1) * y, base, &beside[side]);
    to->gradient[axis][0] = (beside[1] - base) / size;
    to->gradient[axis][1] = (beside[1] - beside[0]) * (has[0] && has[1] ? 0.5f : 1.0f) / size;
    to->gradient[axis][2] = (base - beside[0]) / size;
    for (int side = 0; side < 2; side++) {
        // Away from the liquid lies `side`, so the foot of the rise is on the other one.
        const int back = 2 - 4 * side;
        const float foot = beside[1 - side], top = beside[side];
        float below = foot;
        (void)rl_shore_floor(s, i + back * x, j + back * y, base, &below);
        const float rise = (base - foot) * scale;
        const float before = rl_shore_common(rise, (foot - below) * scale);
        const float behind = rl_shore_common(rise, (top - base) * scale);
        to->rise[axis][side] = rise;
        to->lasting[axis][side] = fabsf(before) > fabsf(behind) ? before : behind;
    }
}

RL_SHARED rl_shore_profile rl_shore_profile_of(const rl_surface *s, int i, int j, int layer)
{
    rl_shore_profile profile;
    profile.base = s->columns.base[rl_surface_column(s, i, j, layer)];
    rl_shore_profile_along(s, i, j, 0, &profile);
    rl_shore_profile_along(s, i, j, 1, &profile);
    return profile;
}
