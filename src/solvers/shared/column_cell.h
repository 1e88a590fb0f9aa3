// SPDX-License-Identifier: MIT
// column_cell.h - the arithmetic of one column that the solvers have in common, for the host and
// for devices (core/cell.h).
#pragma once

#include "core/cell.h"

#include <stddef.h>

// ---- Values for what is not there ------------------------------------------------------

// Farther than any ground, water or ceiling can be, metres: the ceiling of a column that is open to
// the sky (RL_SOLID_SKY), the range of a slot without a column, a limit that does not bind.
#define RL_FAR 1e30f

#define RL_WALL           RL_FAR    // ground beyond a border that lets nothing through
#define RL_BLOCK_NO_LOWER RL_FAR    // underside of what hangs over a cell: nothing does
#define RL_BLOCK_NO_UPPER (-RL_FAR) // and its top
#define RL_NO_LEVEL       (-RL_FAR) // level of water where there is none

// Running maximum of a row that nothing was given to.
#define RL_NO_DEPOSIT (-1.0f)

// ---- Deposits --------------------------------------------------------------------------

// New depth with an amount that is not negative. What a float cannot hold of it stays in
// `remainder`: filled + remainder = depth + change (Dekker).
RL_CELL rl_real rl_deposit_add(rl_real depth, rl_real *remainder, rl_real amount)
{
    const rl_real change = amount + *remainder, filled = depth + change;
    const rl_real large = rl_max(depth, change);
    const rl_real small = rl_select(rl_less(change, depth), change, depth);
    *remainder = small - (filled - large);
    return filled;
}

// Changes a depth by any amount; a column gives no more than it holds. Returns what was really
// given, metres.
RL_CELL double rl_deposit_change(float *depth, float *remainder, float amount)
{
    const double before = (double)*depth + (double)*remainder, sum = before + (double)amount;
    const double after = sum > 0.0 ? sum : 0.0;
    const float filled = (float)after;
    *depth = filled;
    *remainder = (float)(after - (double)filled);
    return after - before;
}

// ---- Columns above each other ----------------------------------------------------------

// The column of layer k of a cell is value [k * stride + at] of each array; ranges may be NULL:
// then every column is there and open to the sky.

// Whether there is a column.
RL_CELL int rl_layer_is_live(const float *range_min, const float *range_max, size_t at)
{
    return range_max == NULL || range_max[at] > range_min[at];
}

// The layer whose range [base, max] holds z, or else that of the next column below it, or else the
// lowest one; -1 where the cell has no column. The ranges of a cell's columns do not overlap, so
// the one whose base is the highest below z holds it or is the next one below. That in layer 0,
// which has no ceilings, is above all others.
RL_CELL int rl_layer_at(const float *base, const float *range_min, const float *range_max,
                        int layers, size_t stride, size_t at, float z)
{
    int below = -1, lowest = -1;
    float base_below = 0.0f, base_lowest = 0.0f;
    for (int layer = 0; layer < layers; layer++, at += stride) {
        if (!rl_layer_is_live(range_min, range_max, at))
            continue;
        const float here = base[at];
        if (here <= z && layer == 0)
            return 0;
        if (here <= z && (below < 0 || here > base_below)) {
            below = layer;
            base_below = here;
        }
        if (lowest < 0 || here < base_lowest) {
            lowest = layer;
            base_lowest = here;
        }
    }
    return below >= 0 ? below : lowest;
}

// ---- Viscosity and drag ----------------------------------------------------------------

// Shear against the walls and drag of a rough bed (Dagenais section 3.2), for `pipes`, `layers` and
// `swe`; `river` has a viscosity of its own, in the plane.

// No-slip walls that a parabolic profile feels: the floor of an open column, floor and ceiling of a
// flooded one (erratum 8 to Dagenais, docs/papers.md). The decay rate of the mean velocity is walls
// * nu / H^2.
#define RL_VISCOUS_OPEN    3.0f
#define RL_VISCOUS_FLOODED 12.0f

// Returns the part of the flux that survives a step, Dagenais Eq. 5 with the drag of turbulent flow
// added:
//
//     gamma = H^2 / (H^2 + dt (walls nu + c |q|))
//
// where c is the friction coefficient of a rough bed (stress over density = c u^2) and q the
// discharge per width before the step, so that steady flow down a slope S has c q^2 = g S H^3.
// `slowing` is dt (walls nu + c |q|), m^2. The depth is given as a ratio, H = x / y, because the
// solvers have it in that form and one division less is the largest saving there is; y must not be
// zero unless `slowing` is.
RL_CELL rl_real rl_viscous_factor(rl_real x, rl_real y, rl_real slowing)
{
    const rl_real x2 = x * x;
    return rl_part(x2, x2 + slowing * (y * y));
}

// ---- Velocities of pipes ---------------------------------------------------------------

// Water in the face between two cells where nothing hangs, metres.
RL_CELL rl_real rl_pipe_above_sill(rl_real floor_i, rl_real depth_i, rl_real floor_j,
                                   rl_real depth_j)
{
    const rl_real high = rl_max(floor_i + depth_i, floor_j + depth_j);
    return rl_max(high - rl_max(floor_i, floor_j), rl_set(0.0f));
}

// Velocity along an axis, Kellomäki Eq. 4: what flows through the two faces over twice the depth,
// or over the water that stands in the faces where that is more: a deep stream that cuts across the
// edge of its bank does not race there. Cells that are not wet are at rest.
RL_CELL rl_real rl_pipe_velocity(rl_real depth, rl_real wet, rl_real through_both,
                                 rl_real in_both_faces)
{
    const rl_real keep = rl_keep(rl_less(wet, depth), rl_set(1.0f));
    const rl_real twice = rl_set(2.0f) * rl_max(depth, wet);
    return keep * through_both / rl_max(in_both_faces, twice);
}
