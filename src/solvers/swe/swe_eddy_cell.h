// SPDX-License-Identifier: MIT
// swe_eddy_cell.h - the stress of eddies that are too small for the grid, for one cell, one corner
// and one face:
//
//     h du/dt = div(h nu (grad u + grad u^T)),   nu = constant + (C_s dx)^2 |S|  (Smagorinsky 1963)
//
// Normal stresses stand in cells, shear stresses at the corners between four of them, and a face
// gets the difference of those beside it. So what a stress takes from one face it gives to another.
//
// Everything is counted over a step and in cells: `stretch` and `shear` are differences of velocity
// over one cell [m/s], a viscosity is nu dt / dx^2, and a stress h nu dt / dx^2 times a difference,
// m^2/s, which divided by the depth of a face is its change of velocity.
#pragma once

#include "solvers/swe/swe_cell.h"

// No viscosity is more than this part of dx^2 / dt. A face with the mean depth H of two cells, and
// corners as deep as the least of theirs, takes part in stresses of which the sum over the grid of
//
//     2 h nu (stretch_x^2 + stretch_y^2) + h nu shear^2   is at most   16 nu sum of H u^2
//
// since (a - b)^2 <= 2 a^2 + 2 b^2, and four times as much of four: 8 nu H u^2 from the two cells
// of a face and as much from its two corners. The sum on the left is what u loses times u. So up to
// 1/16 no pattern of velocities, on any bed, changes its sign in a step or grows.
#define RL_SWE_EDDY_MOST 0.0625f

// What a cell is stretched along an axis, from the face before it to the one after it. Dry cells
// have no stress, nor have those that water falls into or out of over one of these faces; a face
// that reflects has no velocity, and the water before it is stretched all the same. Beyond an open
// border the ground is higher than any water, so border cells have no stress there.
RL_CELL rl_real rl_swe_stretch(rl_real u_before, rl_real u_after, rl_swe_end before,
                               rl_swe_end here, rl_swe_end after, rl_swe_coef k)
{
    const rl_real zero = rl_set(0.0f);
    const rl_swe_fall in = rl_swe_fall_between(before, here);
    const rl_swe_fall out = rl_swe_fall_between(here, after);
    rl_real stretch = u_after - u_before;
    stretch = rl_select(rl_either(in.from_i, in.from_j),
                        rl_keep(rl_swe_reflects(u_before), stretch), stretch);
    stretch = rl_select(rl_either(out.from_i, out.from_j),
                        rl_keep(rl_swe_reflects(u_after), stretch), stretch);
    return rl_select(rl_less(here.depth, rl_set(k.dry)), zero, stretch);
}

// The square of a cell's stretches, for viscosities.
RL_CELL rl_real rl_swe_stretch_square(rl_real x, rl_real y)
{
    return x * x + y * y;
}

// The four cells around a corner, and the velocities of the faces between them.
typedef struct rl_swe_corner {
    rl_swe_end south_west, south_east, north_west, north_east;
    rl_real u_south, u_north, v_west, v_east;
} rl_swe_corner;

RL_CELL rl_real rl_swe_least_of(rl_real a, rl_real b, rl_real c, rl_real d)
{
    return rl_min(rl_min(a, b), rl_min(c, d));
}

// The depth in which shear acts: a film beside deep water has no more of it than it can bear.
RL_CELL rl_real rl_swe_corner_depth(rl_swe_corner c)
{
    return rl_swe_least_of(c.south_west.depth, c.south_east.depth, c.north_west.depth,
                           c.north_east.depth);
}

// The shear at a corner. Water slips along walls, so there is none beside dry cells and borders (a
// face reflects only where one of its cells is dry), nor where water falls free.
RL_CELL rl_real rl_swe_shear(rl_swe_corner c, rl_swe_coef k)
{
    const rl_real lowest = rl_swe_least_of(c.south_west.level, c.south_east.level,
                                           c.north_west.level, c.north_east.level);
    const rl_real highest = rl_max(rl_max(c.south_west.base, c.south_east.base),
                                   rl_max(c.north_west.base, c.north_east.base));
    const rl_mask apart =
        rl_either(rl_less(rl_swe_corner_depth(c), rl_set(k.dry)), rl_less(lowest, highest));
    return rl_select(apart, rl_set(0.0f), (c.u_north - c.u_south) + (c.v_east - c.v_west));
}

// nu dt / dx^2 where |S|^2 dx^2 is `square`.
RL_CELL rl_real rl_swe_eddy_viscosity(rl_real square, rl_swe_coef k)
{
    return rl_min(rl_set(k.eddy) + rl_set(k.smagorinsky) * rl_sqrt(square),
                  rl_set(RL_SWE_EDDY_MOST));
}

// Of a cell, from the shears at its four corners,
RL_CELL rl_real rl_swe_cell_viscosity(rl_real stretch_square, rl_real south_west,
                                      rl_real south_east, rl_real north_west, rl_real north_east,
                                      rl_swe_coef k)
{
    const rl_real shears = (south_west * south_west + north_east * north_east) +
                           (south_east * south_east + north_west * north_west);
    return rl_swe_eddy_viscosity(rl_set(2.0f) * stretch_square + rl_set(0.25f) * shears, k);
}

// and of a corner, from the squares of the stretches of its four cells.
RL_CELL rl_real rl_swe_corner_viscosity(rl_real shear, rl_real south_west, rl_real south_east,
                                        rl_real north_west, rl_real north_east, rl_swe_coef k)
{
    const rl_real stretches = (south_west + north_east) + (south_east + north_west);
    return rl_swe_eddy_viscosity(shear * shear + rl_set(0.5f) * stretches, k);
}

// The stress along an axis of a cell with the depth `depth`.
RL_CELL rl_real rl_swe_normal_stress(rl_real depth, rl_real viscosity, rl_real stretch)
{
    return ((depth + depth) * viscosity) * stretch;
}

// Velocity of a face after the step's stresses: `along` is how much more normal stress there is
// after it than before it, `across` the same of shear stresses.
RL_CELL rl_real rl_swe_strained(rl_real u, rl_real along, rl_real across, rl_real depth_i,
                                rl_real depth_j, rl_swe_coef k)
{
    const rl_real fastest = rl_set(k.fastest), force = along + across;
    const rl_real depths = rl_max(depth_i + depth_j, rl_set(RL_PIPE_AT_REST));
    const rl_real strained = u + rl_swe_ratio(force + force, depths);
    const rl_real clamped = rl_max(rl_min(strained, fastest), rl_set(-k.fastest));
    const rl_mask moving = rl_less(rl_set(RL_SWE_AT_REST), rl_abs(clamped));
    return rl_select(rl_swe_reflects(u), u, rl_keep(moving, clamped));
}
