// SPDX-License-Identifier: MIT
// brush.h - editing the ground by hand: a round brush that raises, lowers or smooths the bed below
// it, most at its centre and nothing at its rim. Allocates nothing.
#pragma once

#include "rill/base.h"

typedef enum rl_brush_kind { RL_BRUSH_RAISE, RL_BRUSH_LOWER, RL_BRUSH_SMOOTH } rl_brush_kind;

typedef struct rl_brush {
    rl_brush_kind kind;
    double x, y;   // centre, metres
    double radius; // metres, positive
    double amount; // at the centre: metres in [0, 10000], or for smooth a part in [0, 1]
} rl_brush;

// The ground under a brush: elevation of cell (i, j) is origin[j * pitch + i].
typedef struct rl_brush_bed {
    float *origin;
    size_t pitch;
    int nx, ny;
    double cell_size; // metres
} rl_brush_bed;

// Cells with i0 <= i < i1 and j0 <= j < j1; empty when i0 == i1.
typedef struct rl_brush_cells {
    int i0, j0, i1, j1;
} rl_brush_cells;

// Floats of scratch that a bed of this width needs.
static inline size_t rl_brush_scratch_floats(int nx)
{
    return 2 * (size_t)nx;
}

// Applies the brush and says which cells it may have touched. Smoothing moves ground between
// neighbouring cells and neither makes nor loses any, to rounding. `scratch` has
// rl_brush_scratch_floats(nx) floats.
rill_status rl_brush_apply(const rl_brush *brush, const rl_brush_bed *bed, float *scratch,
                           rl_brush_cells *touched);
