// SPDX-License-Identifier: MIT
// brush.h - edits the ground with a round brush that raises, lowers or smooths the bed below it,
// most at its centre and nothing at its rim. Allocates nothing.
#pragma once

#include "rill/terrain.h"

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

// Returns the floats of scratch that a bed of this width needs.
static inline size_t rl_brush_scratch_floats(int nx)
{
    return 2 * (size_t)nx;
}

// Returns RILL_OK for a brush that can be applied.
rill_status rl_brush_check(const rill_brush *brush);

// Applies the brush and returns which cells it may have touched. Smoothing moves ground between
// neighbouring cells and neither makes nor loses any, to rounding. `scratch` has
// rl_brush_scratch_floats(nx) floats.
rill_status rl_brush_apply(const rill_brush *brush, const rl_brush_bed *bed, float *scratch,
                           rl_brush_cells *touched);
