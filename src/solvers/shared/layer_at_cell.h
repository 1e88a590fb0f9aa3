// SPDX-License-Identifier: MIT
// layer_at_cell.h - which of the columns above each other in a cell an elevation belongs to. That
// of layer k is value [k * stride + at] of each array; ranges may be NULL: then every column is
// there and open to the sky.
#pragma once

#include "core/cell.h"

#include <stddef.h>

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
