// SPDX-License-Identifier: MIT
// advected_cell.h - the arithmetic of advected texture coordinates for one cell: the way back, the
// interpolation between cells, the strain and the weight.
#pragma once

#include "core/cell.h"

RL_CELL rl_real rl_advected_clamp(rl_real a, float limit)
{
    return rl_min(rl_max(a, rl_set(-limit)), rl_set(limit));
}

// Returns where the water of a cell was a step ago, in cells from here, to second order in time:
// `shift` is -u dt/dx, and half way back the velocity was u - dt/2 (u grad) u. To first order a
// vortex would enlarge its texture by half the square of the angle in every step. The differences
// are those between the neighbours on both sides.
RL_CELL rl_real rl_advected_source(rl_real shift, rl_real shift_x, rl_real shift_y,
                                   rl_real difference_x, rl_real difference_y)
{
    const rl_real bend = rl_set(0.25f) * (shift_x * difference_x + shift_y * difference_y);
    return rl_advected_clamp(shift + bend, 1.0f);
}

// The weights of four cells in an interpolation: here, the neighbour along x, the one along y and
// the one across. `x` and `y` say how far the source lies towards the neighbours, 0 to 1.
typedef struct rl_advected_weights {
    rl_real here, x, y, across;
} rl_advected_weights;

RL_CELL rl_advected_weights rl_advected_weights_of(rl_real x, rl_real y)
{
    const rl_real one = rl_set(1.0f), rest = one - y;
    rl_advected_weights weights;
    weights.across = x * y;
    weights.x = x * rest;
    weights.y = y - weights.across;
    weights.here = rest - weights.x;
    return weights;
}

// Returns the way in metres. The sum with 0 leaves no -0, so that the last bit does not depend on
// which neighbour gets a weight of 0.
RL_CELL rl_real rl_advected_way(rl_real source, float cell_size)
{
    return source * rl_set(cell_size) + rl_set(0.0f);
}

// Returns the offset from the place after a step: the offset at the source, plus the way.
RL_CELL rl_real rl_advected_offset(rl_advected_weights weights, rl_real here, rl_real x, rl_real y,
                                   rl_real across, rl_real way)
{
    return ((weights.here * here + weights.x * x) + (weights.y * y + weights.across * across)) +
           way;
}

// How much a map D stretches at most, squared: the larger eigenvalue of D D^T is `top`. The smaller
// one is det^2 / top, so the larger one of the inverse map is top / det^2, and the larger of both
// is top / bottom with bottom = min(1, det^2).
typedef struct rl_advected_strain {
    rl_real top, bottom;
} rl_advected_strain;

// Computes the strain from the differences of the offsets (s, t) between the neighbours on both
// sides; D = I + their matrix / distance, where `distance` is that between those neighbours.
RL_CELL rl_advected_strain rl_advected_strain_of(rl_real s_x, rl_real s_y, rl_real t_x, rl_real t_y,
                                                 rl_real twice_distance, rl_real scale)
{
    const rl_real shear_1 = s_x - t_y, shear_2 = s_y + t_x;
    const rl_real turn_1 = (s_x + t_y) + twice_distance, turn_2 = s_y - t_x;
    // For the stretches a >= b of the map these are ((a - b) / 2)^2 and ((a + b) / 2)^2. `scale` is
    // 1 / twice_distance^2.
    const rl_real minus = scale * (shear_1 * shear_1 + shear_2 * shear_2);
    const rl_real plus = scale * (turn_1 * turn_1 + turn_2 * turn_2);
    const rl_real root = rl_sqrt(minus * plus);
    const rl_real det = plus - minus;
    rl_advected_strain strain;
    strain.top = (minus + plus) + (root + root);
    strain.bottom = rl_min(det * det, rl_set(1.0f));
    return strain;
}

// Returns the larger of two strains, without a division.
RL_CELL rl_advected_strain rl_advected_larger(rl_advected_strain a, rl_advected_strain b)
{
    const rl_mask first = rl_less(b.top * a.bottom, a.top * b.bottom);
    rl_advected_strain strain;
    strain.top = rl_select(first, a.top, b.top);
    strain.bottom = rl_select(first, a.bottom, b.bottom);
    return strain;
}

// Returns exp(-Omega mu), mu = (stretched - 1) / 2 with stretched = top / bottom, good to 1e-5; a
// weight below 1e-7 counts as 0. With y = Omega mu / 16 it is exp(-y)^16, and exp(-y) is its
// series. `part` is Omega / 32.
RL_CELL rl_real rl_advected_weight(rl_real stretched, rl_real part)
{
    const rl_real one = rl_set(1.0f);
    // A map that is 0 everywhere gives 0/0, and the first of the two bounds turns it into a weight
    // of 0.
    const rl_real y = rl_max(rl_min(part * (stretched - one), one), rl_set(0.0f));
    rl_real e = rl_set(1.0f / 24.0f) * y - rl_set(1.0f / 6.0f);
    e = (e * y + rl_set(0.5f)) * y - one;
    e = e * y + one;
    e = e * e;
    e = e * e;
    e = e * e;
    return e * e;
}
