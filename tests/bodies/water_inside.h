// SPDX-License-Identifier: MIT
// water_inside.h - for tests: water that is where a body is.
#pragma once

#include "tests/kit/kit.h"

#include "rill/rill.h"

// Metres of water inside bodies. In a cell with a hanging body no more can be below it than there
// is room; then the surface must lie above its top, give or take a rounding.
static inline double water_inside(rill_world *world)
{
    const rill_blocked b = rill_world_blocked(world);
    const rill_columns c = rill_world_columns(world);
    double inside = 0.0;
    for (int j = 0; j < c.ny; j++)
        for (int i = 0; i < c.nx; i++) {
            const size_t at = (size_t)j * c.pitch + (size_t)i;
            const size_t cell = (size_t)j * b.lower.pitch + (size_t)i;
            const float lower = b.lower.data[cell], upper = b.upper.data[cell];
            const float level = c.base[at] + c.depth[at];
            assert_true(c.depth[at] >= 0.0f && c.depth[at] < 1e6f);
            if (lower > 1e29f || !(c.depth[at] > lower - b.floor.data[cell]))
                continue;
            inside += fmax((double)(upper - level) - 1e-6, 0.0);
        }
    return inside;
}
