// SPDX-License-Identifier: MIT
// heightfield.h - ground as a grid of elevations, as the library sees it: heightfields with the
// size of a cell and, when the elevations came from a file, where on the Earth they lie; smoothing;
// cells without data; brushes.
#pragma once

#include "core/assert.h"
#include "core/owned.h"

#include "rill/support.h"
#include "rill/terrain.h"

struct rill_heightfield {
    rl_owned own;
    rill_field elevation; // metres, margin 0; NaN only between reading and filling
    double cell_size;     // metres
    int64_t filled;       // cells that had no data

    rill_georeference georeference; // its text is the heightfield's
    size_t projection_bytes;
};

// Returns RILL_BAD_DEF with a message unless a grid of this size can exist.
rill_status rl_grid_check_size(int64_t nx, int64_t ny);

// ---- Smoothing (heightfield.c) ---------------------------------------------------------

// Smooths nx x ny values, row j at values + j * pitch, with a filter that is close to a Gaussian of
// a standard deviation of half of `length`, in cells, in time that does not depend on that. Cells
// without data (NaN) stay so and count for nothing. Takes the memory of a few rows. Returns false
// when there is no memory; then nothing has changed. A length of 0 or less changes nothing.
bool rl_smooth(float *values, size_t pitch, int nx, int ny, double length,
               const rill_allocator *allocator);

// ---- Cells without data (fill_no_data.c) -----------------------------------------------

// Fills the cells of `field` that are NaN with the surface of a stretched skin, and counts them:
// every filled cell is the mean of its four neighbours, nothing rises above or falls below the rim
// of its hole. Solved from coarse to fine, so that wide holes cost no more than narrow ones.
// Returns RILL_BAD_FILE when all cells are NaN.
rill_status rl_fill_no_data(rill_field *field, const rill_allocator *allocator, int64_t *filled);

// Gives those cells the elevation of the highest other cell instead: land that stays dry.
rill_status rl_wall_no_data(rill_field *field, int64_t *walled);

// ---- Brushes (brush.c) -----------------------------------------------------------------
//
// A round brush raises, lowers or smooths the bed below it, most at its centre and nothing at its
// rim. Allocates nothing.

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
