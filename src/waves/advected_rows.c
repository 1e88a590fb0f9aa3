// SPDX-License-Identifier: MIT
// advected_rows.c - the loops of advected_rows.h over vectors of cells.
#include "waves/advected_rows.h"

#include "core/cpu.h"
#include "waves/advected_cell.h"

#include <float.h>
#include <string.h>

// ---- From the columns ------------------------------------------------------------------------

// Loads the last values of a row without padding; lanes past its end are `fill`.
static rl_real load_last(const float *row, int i, int nx, float fill)
{
    float part[RL_LANES];
    for (int lane = 0; lane < RL_LANES; lane++)
        part[lane] = i + lane < nx ? row[i + lane] : fill;
    rl_real value;
    memcpy(&value, part, sizeof value);
    return value;
}

// Loads values of a row without alignment or padding.
RL_CELL rl_real load_any(const float *row, int i, int nx, float fill)
{
    if (i + RL_LANES > nx)
        return load_last(row, i, nx, fill);
    rl_real value;
    memcpy(&value, row + i, sizeof value);
    return value;
}

static float fastest(const float *velocity_x, const float *velocity_y, int nx)
{
    rl_real largest = rl_set(0.0f);
    for (int i = 0; i < nx; i += RL_LANES) {
        largest = rl_max(rl_abs(load_any(velocity_x, i, nx, 0.0f)), largest);
        largest = rl_max(rl_abs(load_any(velocity_y, i, nx, 0.0f)), largest);
    }
    return rl_largest(largest);
}

static int read_flow(const rl_advected_take_row *row)
{
    const int nx = row->nx;
    const rl_real scale = rl_set(-row->scale), limit = rl_set(row->wet_depth), one = rl_set(1.0f);
    rl_real all_wet = one;
    for (int i = 0; i < nx; i += RL_LANES) {
        // Past the end all is wet, so that the last vector needs no special case.
        const rl_mask wet = rl_less(limit, load_any(row->depth, i, nx, FLT_MAX));
        const rl_real x = rl_advected_clamp(scale * load_any(row->velocity_x, i, nx, 0.0f), 1.0f);
        const rl_real y = rl_advected_clamp(scale * load_any(row->velocity_y, i, nx, 0.0f), 1.0f);
        rl_store(row->shift_x + i, rl_keep(wet, x));
        rl_store(row->shift_y + i, rl_keep(wet, y));
        rl_store(row->wet + i, rl_keep(wet, one));
        all_wet = rl_min(all_wet, rl_keep(wet, one));
    }
    row->shift_x[-1] = row->shift_x[0];
    row->shift_x[nx] = row->shift_x[nx - 1];
    row->shift_y[-1] = row->shift_y[0];
    row->shift_y[nx] = row->shift_y[nx - 1];
    row->wet[-1] = row->wet[nx] = 0.0f;
    return rl_any(rl_less(all_wet, one));
}

// ---- The way back ----------------------------------------------------------------------------

RL_CELL rl_real east_of(const float *row)
{
    return rl_east(rl_load(row), rl_load(row + RL_LANES));
}

RL_CELL rl_real west_of(const float *row)
{
    return rl_west(rl_load(row - RL_LANES), rl_load(row));
}

// Which of the neighbours on the four sides are wet; beside a shore only those count.
typedef struct neighbours {
    rl_real west, east, south, north;
} neighbours;

RL_CELL neighbours wet_neighbours(const rl_advected_move_row *row, int i)
{
    const float *here = row->wet[RL_THIS_ROW] + i;
    const neighbours wet = {west_of(here), east_of(here), rl_load(row->wet[RL_SOUTH_ROW] + i),
                            rl_load(row->wet[RL_NORTH_ROW] + i)};
    return wet;
}

RL_CELL rl_real source_of(const float *const rows[3], int i, rl_real shift_x, rl_real shift_y,
                          const neighbours *wet)
{
    const float *at = rows[RL_THIS_ROW] + i;
    const rl_real here = rl_load(at), east = east_of(at), west = west_of(at);
    const rl_real south = rl_load(rows[RL_SOUTH_ROW] + i), north = rl_load(rows[RL_NORTH_ROW] + i);
    if (wet == NULL)
        return rl_advected_source(here, shift_x, shift_y, east - west, north - south);
    return rl_advected_source(here, shift_x, shift_y,
                              wet->east * (east - here) + wet->west * (here - west),
                              wet->north * (north - here) + wet->south * (here - south));
}

// The source of the water of a vector, the same for all fields.
typedef struct source_cells {
    rl_real x, y; // where the water was, cells from here
    rl_advected_weights weights;
    rl_real way[2];
} source_cells;

RL_CELL source_cells trace(const rl_advected_move_row *row, int i, const neighbours *wet)
{
    const rl_real shift_x = rl_load(row->shift_x[RL_THIS_ROW] + i);
    const rl_real shift_y = rl_load(row->shift_y[RL_THIS_ROW] + i);
    source_cells source;
    source.x = source_of(row->shift_x, i, shift_x, shift_y, wet);
    source.y = source_of(row->shift_y, i, shift_x, shift_y, wet);
    source.weights = rl_advected_weights_of(rl_abs(source.x), rl_abs(source.y));
    source.way[0] = rl_advected_way(source.x, row->cell_size);
    source.way[1] = rl_advected_way(source.y, row->cell_size);
    return source;
}

// ---- Interpolation at the source -------------------------------------------------------------

// Where all sources of a vector lie on the same side of their cells, which is the usual case, there
// is nothing to select. Results are the same: a cell exactly at its source gives its neighbours a
// weight of 0.

// A row is written while it is read: values west of a vector come from the previous values.

RL_CELL rl_real save_previous(const float *here, float *previous)
{
    const rl_real value = rl_load(here);
    rl_store(previous, value);
    return value;
}

// All sources lie on one side: `other` is the row north or south, and `to_east` a constant.
RL_CELL void gather_beside(const rl_advected_move_row *row, const float *other, int i,
                           const source_cells *source, int to_east)
{
    float *here = row->here + i, *previous = row->previous + i;
    other += i;
    for (int n = 0; n < RL_ADVECTED_FIELDS; n++) {
        const rl_real value = save_previous(here, previous);
        const rl_real x = to_east ? rl_east(value, rl_load(here + RL_LANES))
                                  : rl_west(rl_load(previous - RL_LANES), value);
        rl_store(here,
                 rl_advected_offset(source->weights, value, x, rl_load(other),
                                    to_east ? east_of(other) : west_of(other), source->way[n % 2]));
        here += row->stride;
        previous += row->stride;
        other += row->stride;
    }
}

RL_CELL rl_real beside(const float *row, rl_mask to_east)
{
    return rl_select(to_east, east_of(row), west_of(row));
}

RL_CELL void gather_around(const rl_advected_move_row *row, int i, const source_cells *source)
{
    const rl_mask to_east = rl_less(rl_set(0.0f), source->x),
                  to_north = rl_less(rl_set(0.0f), source->y);
    for (int n = 0; n < RL_ADVECTED_FIELDS; n++) {
        const size_t at = (size_t)n * row->stride + (size_t)i;
        const float *south = row->south + at, *north = row->north + at;
        float *here = row->here + at, *previous = row->previous + at;
        const rl_real value = save_previous(here, previous);
        const rl_real x = rl_select(to_east, rl_east(value, rl_load(here + RL_LANES)),
                                    rl_west(rl_load(previous - RL_LANES), value));
        const rl_real y = rl_select(to_north, rl_load(north), rl_load(south));
        const rl_real across = rl_select(to_north, beside(north, to_east), beside(south, to_east));
        rl_store(here,
                 rl_advected_offset(source->weights, value, x, y, across, source->way[n % 2]));
    }
}

RL_CELL void gather(const rl_advected_move_row *row, int i, const source_cells *source)
{
    const rl_real zero = rl_set(0.0f);
    const int west = rl_any(rl_less(source->x, zero)), east = rl_any(rl_less(zero, source->x));
    const int south = rl_any(rl_less(source->y, zero)), north = rl_any(rl_less(zero, source->y));
    if ((west & east) | (south & north))
        gather_around(row, i, source);
    else if (east)
        gather_beside(row, north ? row->north : row->south, i, source, 1);
    else
        gather_beside(row, north ? row->north : row->south, i, source, 0);
}

static void move(const rl_advected_move_row *row)
{
    for (int i = 0; i < row->nx; i += RL_LANES) {
        const source_cells source = trace(row, i, NULL);
        gather(row, i, &source);
    }
}

// ---- Shores ----------------------------------------------------------------------------------

// Dry cells have no flow. They read_flow the mean of the new values of the wet ones among their
// eight neighbours, so that a shore does not appear as a strong shear; where there is none they
// stay. A dry cell itself has a weight of 0 in the sum.

RL_CELL rl_real sum_of_three(const float *row, const rl_real weights[3])
{
    return (weights[0] * west_of(row) + weights[1] * rl_load(row)) + weights[2] * east_of(row);
}

static void fill_dry(const rl_advected_move_row *row, int i, rl_mask dry)
{
    const rl_real zero = rl_set(0.0f), dx = rl_set(row->cell_size);
    rl_real wet[3][3], count = zero, way[2] = {zero, zero};
    for (int r = 0; r < 3; r++) {
        const float *wet_row = row->wet[r] + i;
        wet[r][0] = west_of(wet_row);
        wet[r][1] = rl_load(wet_row);
        wet[r][2] = east_of(wet_row);
        count = count + ((wet[r][0] + wet[r][1]) + wet[r][2]);
        way[0] = way[0] + dx * sum_of_three(row->shift_x[r] + i, wet[r]);
        way[1] = way[1] + dx * sum_of_three(row->shift_y[r] + i, wet[r]);
    }
    const rl_real part = rl_set(1.0f) / rl_max(count, rl_set(1.0f));
    const rl_mask takes = rl_both(dry, rl_less(zero, count));
    for (int n = 0; n < RL_ADVECTED_FIELDS; n++) {
        const size_t at = (size_t)n * row->stride + (size_t)i;
        float *here = row->here + at;
        const float *previous = row->previous + at;
        const rl_real before = rl_load(previous), east = rl_east(before, rl_load(here + RL_LANES));
        rl_real sum = way[n % 2] + sum_of_three(row->south + at, wet[0]);
        sum = sum + ((wet[1][0] * west_of(previous) + wet[1][1] * before) + wet[1][2] * east);
        sum = sum + sum_of_three(row->north + at, wet[2]);
        const rl_real other = rl_select(dry, before, rl_load(here));
        rl_store(here, rl_select(takes, sum * part + zero, other));
    }
}

static void move_shore(const rl_advected_move_row *row)
{
    const rl_real half = rl_set(0.5f);
    for (int i = 0; i < row->nx; i += RL_LANES) {
        const rl_real here = rl_load(row->wet[RL_THIS_ROW] + i);
        const int some_wet = rl_any(rl_less(half, here));
        if (some_wet) {
            const neighbours wet = wet_neighbours(row, i);
            const source_cells source = trace(row, i, &wet);
            gather(row, i, &source);
        }
        const rl_mask dry = rl_less(here, half);
        if (!rl_any(dry))
            continue;
        if (!some_wet)
            for (size_t n = 0; n < RL_ADVECTED_FIELDS; n++)
                save_previous(row->here + n * row->stride + i, row->previous + n * row->stride + i);
        fill_dry(row, i, dry);
    }
}

// ---- Weight ----------------------------------------------------------------------------------

RL_CELL rl_advected_strain strain_at(const rl_advected_weigh_row *row, size_t at,
                                     rl_real twice_distance, rl_real scale)
{
    const float *south = row->offset[RL_SOUTH_ROW] + at, *here = row->offset[RL_THIS_ROW] + at;
    const float *north = row->offset[RL_NORTH_ROW] + at;
    const rl_real s_x = east_of(here) - west_of(here), s_y = rl_load(north) - rl_load(south);
    south += row->stride;
    here += row->stride;
    north += row->stride;
    const rl_real t_x = east_of(here) - west_of(here), t_y = rl_load(north) - rl_load(south);
    return rl_advected_strain_of(s_x, s_y, t_x, t_y, twice_distance, scale);
}

// There are two loops, because the processor overlaps several iterations of a short loop, but
// hardly the next iteration of a long one.
static void weigh(const rl_advected_weigh_row *row)
{
    const float distance = 2.0f * row->cell_size;
    const rl_real twice = rl_set(2.0f * distance), scale = rl_set(0.25f / (distance * distance));
    const rl_real part = rl_set(row->stretch / 32.0f), one = rl_set(1.0f), half = rl_set(0.5f);
    const size_t set = 2 * row->stride;
    for (int i = 0; i < row->nx; i += RL_LANES) {
        const size_t at = (size_t)i;
        rl_advected_strain strain = strain_at(row, at, twice, scale);
        strain = rl_advected_larger(strain, strain_at(row, at + set, twice, scale));
        strain = rl_advected_larger(strain, strain_at(row, at + 2 * set, twice, scale));
        rl_store(row->weight + i, strain.top / strain.bottom);
    }
    for (int i = 0; i < row->nx; i += RL_LANES) {
        const rl_real weight = rl_advected_weight(rl_load(row->weight + i), part);
        rl_store(row->weight + i, rl_select(rl_less(half, rl_load(row->wet + i)), weight, one));
    }
}

const rl_advected_rows RL_ROWS(rl_advected_rows) = {fastest, read_flow, move, move_shore, weigh};
