// SPDX-License-Identifier: MIT
// layers_cell.h - what a column below a ceiling adds to the arithmetic of pipes: its capacity, and
// how it is kept below its ceiling to the last bit without losing liquid.
#pragma once

#include "core/cell.h"
#include "solvers/shared/column_cell.h"

#include <stdbool.h>
#include <stddef.h>

// Whether two columns in neighbouring cells are joined by a pipe: their ranges [b, max] overlap.
RL_CELL bool rl_layers_joined(float base_i, float max_i, float base_j, float max_j)
{
    const float floor = base_i > base_j ? base_i : base_j;
    const float ceiling = max_i < max_j ? max_i : max_j;
    return floor < ceiling;
}

// The ceiling of a slot. `tops` NULL: there is none above a bed.
RL_CELL float rl_layers_top(const float *tops, ptrdiff_t slot)
{
    return tops != NULL ? tops[slot] : RL_FAR;
}

// Whether two slots are joined. Behind walls nothing is joined: the base there is as high as the
// sky.
RL_CELL bool rl_layers_slots_joined(const float *base, const float *tops, ptrdiff_t i, ptrdiff_t j)
{
    return rl_layers_joined(base[i], rl_layers_top(tops, i), base[j], rl_layers_top(tops, j));
}

// Capacity of a column: the depth that it can still take, metres. The remainder is liquid too:
// where depth cannot rise any more for want of digits, it fills the capacity. A dead slot has none.
RL_CELL rl_real rl_layers_capacity(rl_real base, rl_real depth, rl_real remainder, rl_real top)
{
    return rl_max((top - (base + depth)) - remainder, rl_set(0.0f));
}

// Is the level of a column above its ceiling? Never that of a dead slot, whose ceiling is below its
// base.
RL_CELL rl_mask rl_layers_above(rl_real base, rl_real depth, rl_real top)
{
    return rl_less(rl_max(top, base), base + depth);
}

// The largest depth, but for a rounding or two, with base + depth <= top in floats. Where top -
// base was rounded up, the depth one step below is not above the true difference.
RL_CELL rl_real rl_layers_full_depth(rl_real base, rl_real top)
{
    const rl_real full = top - base;
    const rl_real below = full * rl_set(1.0f - 0x1p-23f);
    return rl_max(rl_select(rl_less(top, base + full), below, full), rl_set(0.0f));
}

// Lowers a depth that rounding brought above the ceiling; the liquid goes into the remainder.
RL_CELL rl_real rl_layers_lowered(rl_real base, rl_real depth, rl_real *remainder, rl_real top)
{
    const rl_mask above = rl_layers_above(base, depth, top);
    const rl_real full = rl_min(depth, rl_layers_full_depth(base, top));
    *remainder = rl_select(above, *remainder + (depth - full), *remainder);
    return rl_select(above, full, depth);
}

// Liquid above the sill between two columns and below the lower of their ceilings, metres.
RL_CELL rl_real rl_layers_above_sill(rl_real base_i, rl_real depth_i, rl_real top_i, rl_real base_j,
                                     rl_real depth_j, rl_real top_j)
{
    const rl_real level = rl_max(base_i + depth_i, base_j + depth_j);
    const rl_real high = rl_min(level, rl_min(top_i, top_j));
    return rl_max(high - rl_max(base_i, base_j), rl_set(0.0f));
}

// Velocity along an axis, Kellomäki Eq. 4: what flows through the faces of both sides over twice
// the depth, or over the liquid that stands in the faces where that is more: a deep stream that
// cuts across the edge of its bank does not race there. Columns that are not wet are at rest.
RL_CELL rl_real rl_layers_velocity(rl_real depth, rl_real wet, rl_real through, rl_real in_faces)
{
    const rl_real twice = rl_set(2.0f) * rl_max(depth, wet);
    return rl_keep(rl_less(wet, depth), through / rl_max(in_faces, twice));
}

// What a cross pipe adds to the sums of a column, from the discharge into it.
RL_CELL float rl_layers_leaving_part(float inward)
{
    return inward < 0.0f ? -inward : 0.0f;
}

RL_CELL float rl_layers_arriving_part(float inward)
{
    return inward > 0.0f ? inward : 0.0f;
}

#if RL_LANES == 1
// Depth and remainder of a column that holds `amount` metres, below its ceiling if it has one.
RL_CELL float rl_layers_hold(double amount, int covered, float base, float top, float *remainder)
{
    float depth = (float)amount;
    if (covered && rl_layers_above(base, depth, top))
        depth = rl_layers_full_depth(base, top);
    *remainder = (float)(amount - (double)depth);
    return depth;
}

// Gives a column `amount` metres (negative: takes them), exactly. It gives no more than it holds
// and, where it is `covered`, takes no more than its capacity. Returns what was really given,
// metres.
RL_CELL double rl_layers_change(float *depth, float *remainder, float amount, int covered,
                                float base, float top)
{
    const double before = (double)*depth + (double)*remainder, sum = before + (double)amount;
    double after = sum > 0.0 ? sum : 0.0;
    if (covered) {
        const double full = (double)top - (double)base, most = full > before ? full : before;
        after = after < most ? after : most;
    }
    *depth = rl_layers_hold(after, covered, base, top, remainder);
    return after - before;
}
#endif
