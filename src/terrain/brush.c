// SPDX-License-Identifier: MIT
// brush.c - changes the elevations under a brush.
#include "terrain/heightfield.h"

#include <math.h>
#include <string.h>

#define MAX_AMOUNT 10000.0 // metres

rill_status rl_brush_check(const rill_brush *brush)
{
    const double most = brush->kind == RILL_BRUSH_SMOOTH ? 1.0 : MAX_AMOUNT;
    if ((unsigned)brush->kind > RILL_BRUSH_SMOOTH)
        return rill_fail(RILL_BAD_ARGUMENT, "the brush is of kind %d, which is none",
                         (int)brush->kind);
    if (!isfinite(brush->x) || !isfinite(brush->y))
        return rill_fail(RILL_BAD_ARGUMENT, "the brush is at (%g, %g), which is no place", brush->x,
                         brush->y);
    if (!(brush->radius > 0.0) || !isfinite(brush->radius))
        return rill_fail(RILL_BAD_ARGUMENT, "the radius of the brush is %g m, it must be positive",
                         brush->radius);
    if (!(brush->amount >= 0.0 && brush->amount <= most))
        return rill_fail(RILL_BAD_ARGUMENT, "the amount of the brush is %g, it must be 0 to %g",
                         brush->amount, most);
    return RILL_OK;
}

// Returns the first cell whose centre is at or above a coordinate, within [0, size].
static int first_cell(double coordinate, double cell_size, int size)
{
    RL_ASSERT(cell_size > 0.0 && size >= 0);
    const double cell = ceil(coordinate / cell_size - 0.5);
    return cell <= 0.0 ? 0 : cell >= (double)size ? size : (int)cell;
}

static rl_brush_cells cells_below(const rill_brush *brush, const rl_brush_bed *bed)
{
    rl_brush_cells cells = {
        .i0 = first_cell(brush->x - brush->radius, bed->cell_size, bed->nx),
        .j0 = first_cell(brush->y - brush->radius, bed->cell_size, bed->ny),
        .i1 = first_cell(brush->x + brush->radius, bed->cell_size, bed->nx),
        .j1 = first_cell(brush->y + brush->radius, bed->cell_size, bed->ny),
    };
    if (cells.i0 >= cells.i1 || cells.j0 >= cells.j1)
        cells = (rl_brush_cells){0};
    return cells;
}

// Returns (1 - r^2)^2: 1 at the centre, 0 with no slope at the rim.
static float weight(const rill_brush *brush, const rl_brush_bed *bed, int i, int j)
{
    const double dx = (((double)i + 0.5) * bed->cell_size - brush->x) / brush->radius;
    const double dy = (((double)j + 0.5) * bed->cell_size - brush->y) / brush->radius;
    const double inside = 1.0 - (dx * dx + dy * dy);
    return inside > 0.0 ? (float)(inside * inside) : 0.0f;
}

static void add(const rill_brush *brush, const rl_brush_bed *bed, rl_brush_cells cells,
                float amount)
{
    for (int j = cells.j0; j < cells.j1; j++) {
        float *row = bed->origin + (size_t)j * bed->pitch;
        for (int i = cells.i0; i < cells.i1; i++)
            row[i] += amount * weight(brush, bed, i, j);
    }
}

// Returns what flows into a cell from its neighbour i of a row, 0 beyond the borders. The lesser of
// both weights counts, which is the same seen from either side: what one cell gains the other
// loses.
static float inflow(const rill_brush *brush, const rl_brush_bed *bed, const float *row, int i,
                    int j, float here, float weight_here)
{
    if (i < 0 || i >= bed->nx)
        return 0.0f;
    const float there = weight(brush, bed, i, j);
    return (weight_here < there ? weight_here : there) * (row[i] - here);
}

// Returns what the three nearest cells of the row above or below give to cell i. All weights
// together are those of the binomial kernel 1 2 1 / 2 4 2 / 1 2 1, which wipes out every pattern of
// one cell.
static float inflow_from_row(const rill_brush *brush, const rl_brush_bed *bed, const float *row,
                             int i, int j, float here, float weight_here)
{
    return 0.125f * inflow(brush, bed, row, i, j, here, weight_here) +
           0.0625f * inflow(brush, bed, row, i - 1, j, here, weight_here) +
           0.0625f * inflow(brush, bed, row, i + 1, j, here, weight_here);
}

// Works upwards with copies of two rows as they were, so that no cell reads a changed neighbour.
static void smooth(const rill_brush *brush, const rl_brush_bed *bed, rl_brush_cells cells,
                   float *scratch)
{
    const float amount = (float)brush->amount;
    const size_t row_bytes = (size_t)bed->nx * sizeof(float);
    float *below = scratch, *current = scratch + bed->nx;
    if (cells.j0 > 0)
        memcpy(below, bed->origin + (size_t)(cells.j0 - 1) * bed->pitch, row_bytes);
    for (int j = cells.j0; j < cells.j1; j++) {
        float *row = bed->origin + (size_t)j * bed->pitch;
        memcpy(current, row, row_bytes);
        for (int i = cells.i0; i < cells.i1; i++) {
            const float here = current[i], w = weight(brush, bed, i, j);
            float sum = 0.125f * inflow(brush, bed, current, i - 1, j, here, w) +
                        0.125f * inflow(brush, bed, current, i + 1, j, here, w);
            if (j > 0)
                sum += inflow_from_row(brush, bed, below, i, j - 1, here, w);
            if (j + 1 < bed->ny)
                sum += inflow_from_row(brush, bed, row + bed->pitch, i, j + 1, here, w);
            row[i] = here + amount * sum;
        }
        float *older = below;
        below = current;
        current = older;
    }
}

rill_status rl_brush_apply(const rill_brush *brush, const rl_brush_bed *bed, float *scratch,
                           rl_brush_cells *touched)
{
    RL_ASSERT(bed->nx > 0 && bed->ny > 0 && bed->pitch >= (size_t)bed->nx);
    *touched = (rl_brush_cells){0};
    RILL_TRY(rl_brush_check(brush));
    const rl_brush_cells cells = cells_below(brush, bed);
    if (brush->kind == RILL_BRUSH_SMOOTH)
        smooth(brush, bed, cells, scratch);
    else
        add(brush, bed, cells,
            (float)(brush->kind == RILL_BRUSH_RAISE ? brush->amount : -brush->amount));
    *touched = cells;
    return RILL_OK;
}
