// SPDX-License-Identifier: MIT
// river_valley.h - a small world with a river, for tests.
#pragma once

#include "tests/kit/kit.h"
#include "tests/kit/worlds.h"

#include "rill/rill.h"

#define NX   96
#define NY   160
#define CELL 5.0

// A valley with a river of some twenty cells that bends twice.
static inline void fill_bed(float bed[NY * NX])
{
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            const double middle = 0.5 * NX + 16.0 * sin(6.28 * j / NY);
            const double away = fabs(i + 0.5 - middle) / 10.0;
            const double bank = away < 1.0 ? -5.0 * (1.0 - away * away) : 4.0 * (away - 1.0);
            bed[j * NX + i] = (float)(fmin(bank, 12.0) + 0.002 * CELL * j);
        }
}

static inline rill_world_def river_def(float bed[NY * NX])
{
    fill_bed(bed);
    rill_world_def def = grid_def(NX, NY, CELL);
    def.solver = RILL_SOLVER_RIVER;
    def.bed = (rill_field_view){bed, NX, NY, NX};
    def.river.path.from = RILL_SIDE_NORTH;
    def.river.path.depth = 4.0;
    def.river.path.catchment = (double)INFINITY;
    def.river.bootstrap = 30.0;
    return def;
}
