// SPDX-License-Identifier: MIT
// river_cell.h - the arithmetic of one face or cell of the river solver (core/cell.h has the
// language). "Known" is the opening of a face: where it is 0 there is a bank, and what a look
// beyond it finds is `slip` times what is on this side: 1 slides, -1 stands still at the bank.
#pragma once

#include "core/cell.h"

// What a look across finds: `there`, or beyond a bank `slip` times `here`.
RL_CELL rl_real rl_river_across(rl_real there, rl_real known, rl_real here, rl_real slip)
{
    return rl_select(rl_less(rl_set(0.0f), known), there, slip * here);
}

// A face's value carried along (Eq. 3.10): `here` at the face, `along` at the upstream neighbour in
// the direction of the face's own component (a bank there has 0, which is right), `side` at the
// upstream one across it and `corner` at that one's neighbour, `a` and `b` the way back in cells,
// at most one.
RL_CELL rl_real rl_river_advected(rl_real here, rl_real along, rl_real side, rl_real corner,
                                  rl_real a, rl_real b)
{
    const rl_real one = rl_set(1.0f);
    const rl_real x = rl_min(rl_abs(a), one), y = rl_min(rl_abs(b), one);
    const rl_real near = here + x * (along - here);
    const rl_real far = side + x * (corner - side);
    return near + y * (far - near);
}

// One Jacobi sweep of implicit diffusion (Eq. 3.13): `k` is viscosity dt / dx^2, `ahead` and
// `behind` the neighbours in the direction of the component, `left` and `right` those across it.
// Beyond a bank a face that slides has nobody to exchange with, one that stands still a neighbour
// that moves the other way.
RL_CELL rl_real rl_river_diffused(rl_real before, rl_real k, rl_real ahead, rl_real behind,
                                  rl_real left, rl_real left_known, rl_real right,
                                  rl_real right_known, rl_real held)
{
    const rl_real zero = rl_set(0.0f), one = rl_set(1.0f);
    const rl_mask at_left = rl_less(zero, left_known), at_right = rl_less(zero, right_known);
    const rl_real sum = (ahead + behind) + (rl_keep(at_left, left) + rl_keep(at_right, right));
    const rl_real count =
        rl_set(2.0f) + (rl_select(at_left, one, held) + rl_select(at_right, one, held));
    return (before + k * sum) / (one + k * count);
}
