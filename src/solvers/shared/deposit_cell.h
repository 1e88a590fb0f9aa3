// SPDX-License-Identifier: MIT
// deposit_cell.h - giving liquid to one column, exactly; shared by all waters and back ends.
#pragma once

#include "core/cell.h"

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
