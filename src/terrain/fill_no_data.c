// SPDX-License-Identifier: MIT
// fill_no_data.c - closes holes in a grid of elevations with the surface of a stretched skin.
#include "terrain/heightfield.h"

#include "core/numbers.h"

#include <math.h>

// Sixteen halvings bring the longest side that is allowed down to one cell.
#define MAX_LEVELS 18

// Sweeps of relaxation on every level on the way down and up, and rounds through all levels. What
// is left is below a thousandth of the height of the rim.
#define SWEEPS 3
#define CYCLES 8

// One level of a pyramid. On the finest the unknowns are elevations; on the others first also, for
// a good start, and then corrections to the level below, with what is left to correct in `rest`.
typedef struct level {
    float *values; // cell (i, j) is values[j * pitch + i]
    float *rest;   // NULL on the finest level
    size_t pitch;
    int nx, ny;
    size_t *missing; // indices of the cells to fill, in rising order
    size_t count;
} level;

static bool list_missing(rl_owned *own, level *grid)
{
    for (int pass = 0; pass < 2; pass++) {
        size_t count = 0;
        for (int j = 0; j < grid->ny; j++)
            for (int i = 0; i < grid->nx; i++) {
                const size_t cell = (size_t)j * grid->pitch + (size_t)i;
                if (!isnan(grid->values[cell]))
                    continue;
                if (pass == 1)
                    grid->missing[count] = cell;
                count++;
            }
        if (pass == 0)
            grid->missing = rl_owned_take(own, count, sizeof *grid->missing);
        if (own->failed)
            return false;
        grid->count = count;
    }
    return true;
}

// Returns the mean of those of four cells that hold data, NaN when none does.
static float mean_of_known(const level *fine, int i, int j)
{
    double sum = 0.0;
    int known = 0;
    for (int b = j; b < j + 2 && b < fine->ny; b++)
        for (int a = i; a < i + 2 && a < fine->nx; a++) {
            const float value = fine->values[(size_t)b * fine->pitch + (size_t)a];
            if (!isnan(value)) {
                sum += value;
                known++;
            }
        }
    return known > 0 ? (float)(sum / known) : NAN;
}

static bool make_coarser(rl_owned *own, const level *fine, level *coarse)
{
    *coarse = (level){.nx = (fine->nx + 1) / 2, .ny = (fine->ny + 1) / 2};
    coarse->pitch = (size_t)coarse->nx;
    const size_t cells = coarse->pitch * (size_t)coarse->ny;
    coarse->values = rl_owned_take(own, 2 * cells, sizeof(float));
    if (coarse->values == NULL)
        return false;
    coarse->rest = coarse->values + cells;
    for (int j = 0; j < coarse->ny; j++)
        for (int i = 0; i < coarse->nx; i++)
            coarse->values[(size_t)j * coarse->pitch + (size_t)i] =
                mean_of_known(fine, 2 * i, 2 * j);
    return list_missing(own, coarse);
}

// Interpolates bilinearly between the centres of coarse cells, at the centre of a fine cell.
static float sample(const level *coarse, const level *fine, size_t cell)
{
    const int i = (int)(cell % fine->pitch), j = (int)(cell / fine->pitch);
    const int near_i = i / 2,
              far_i = rl_clamp_int(i % 2 == 0 ? near_i - 1 : near_i + 1, 0, coarse->nx - 1);
    const int near_j = j / 2,
              far_j = rl_clamp_int(j % 2 == 0 ? near_j - 1 : near_j + 1, 0, coarse->ny - 1);
    const float *near_row = coarse->values + (size_t)near_j * coarse->pitch;
    const float *far_row = coarse->values + (size_t)far_j * coarse->pitch;
    return 0.5625f * near_row[near_i] + 0.1875f * (near_row[far_i] + far_row[near_i]) +
           0.0625f * far_row[far_i];
}

// Computes sum and number of the neighbours of a cell. Beyond the edge of the grid there is none,
// so that the surface meets it level.
static double sum_neighbours(const level *grid, size_t cell, int *count)
{
    const int i = (int)(cell % grid->pitch), j = (int)(cell / grid->pitch);
    const bool west = i > 0, east = i + 1 < grid->nx, south = j > 0, north = j + 1 < grid->ny;
    double sum = 0.0;
    if (west)
        sum += (double)grid->values[cell - 1];
    if (east)
        sum += (double)grid->values[cell + 1];
    if (south)
        sum += (double)grid->values[cell - grid->pitch];
    if (north)
        sum += (double)grid->values[cell + grid->pitch];
    *count = (int)west + (int)east + (int)south + (int)north;
    return sum;
}

// Makes Gauss-Seidel sweeps towards: sum of neighbours - number of neighbours * value = rest.
static void relax(const level *grid)
{
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (size_t n = 0; n < grid->count; n++) {
            const size_t cell = grid->missing[n];
            const double rest = grid->rest != NULL ? (double)grid->rest[cell] : 0.0;
            int count;
            const double sum = sum_neighbours(grid, cell, &count);
            grid->values[cell] = (float)((sum - rest) / count);
        }
}

// Passes what is left to correct on a level to the next coarser one. A coarse cell takes the sum of
// its four; one that covers a known cell needs no correction.
static void restrict_rest(const level *fine, const level *coarse)
{
    for (size_t c = 0; c < coarse->pitch * (size_t)coarse->ny; c++)
        coarse->values[c] = coarse->rest[c] = 0.0f;
    for (size_t n = 0; n < fine->count; n++) {
        const size_t cell = fine->missing[n];
        const double rest = fine->rest != NULL ? (double)fine->rest[cell] : 0.0;
        int count;
        const double sum = sum_neighbours(fine, cell, &count);
        const size_t i = cell % fine->pitch / 2, j = cell / fine->pitch / 2;
        coarse->rest[j * coarse->pitch + i] +=
            (float)(rest - (sum - count * (double)fine->values[cell]));
    }
}

// Goes once down to the coarsest level that misses anything and up again.
static void cycle(const level *levels, int coarsest)
{
    for (int l = 0; l < coarsest; l++) {
        relax(&levels[l]);
        restrict_rest(&levels[l], &levels[l + 1]);
    }
    relax(&levels[coarsest]);
    for (int l = coarsest - 1; l >= 0; l--) {
        for (size_t n = 0; n < levels[l].count; n++)
            levels[l].values[levels[l].missing[n]] +=
                sample(&levels[l + 1], &levels[l], levels[l].missing[n]);
        relax(&levels[l]);
    }
}

// Makes a first guess from the coarsest level, which misses nothing, then rounds of correction.
static void solve(const level *levels, int top)
{
    for (int l = top - 1; l >= 0; l--) {
        for (size_t n = 0; n < levels[l].count; n++)
            levels[l].values[levels[l].missing[n]] =
                sample(&levels[l + 1], &levels[l], levels[l].missing[n]);
        if (l > 0) // the rest of a coarse level is still zero: it relaxes to elevations
            relax(&levels[l]);
    }
    for (int n = 0; n < CYCLES; n++)
        cycle(levels, top - 1);
}

rill_status rl_fill_no_data(rill_field *field, const rill_allocator *allocator, int64_t *filled)
{
    level levels[MAX_LEVELS] = {
        {.values = field->origin, .pitch = field->pitch, .nx = field->nx, .ny = field->ny}};
    rill_status status = RILL_OK;
    int top = 0;
    *filled = 0;
    rl_owned *own = rl_owned_create(allocator, sizeof *own);
    bool made = own != NULL && list_missing(own, &levels[0]);
    const bool some = levels[0].count < (size_t)field->nx * (size_t)field->ny;
    while (made && some && levels[top].count > 0) {
        top++;
        made = make_coarser(own, &levels[top - 1], &levels[top]);
    }
    if (!made)
        status = rill_fail(RILL_NO_MEMORY, "no memory to fill cells without data");
    else if (!some)
        status = rill_fail(RILL_BAD_FILE, "no cell holds data");
    else if (top > 0)
        solve(levels, top);
    if (status == RILL_OK)
        *filled = (int64_t)levels[0].count;
    void *memory = own;
    rl_owned_destroy(NULL, &memory);
    return status;
}

rill_status rl_wall_no_data(rill_field *field, int64_t *walled)
{
    float highest = -INFINITY;
    for (int j = 0; j < field->ny; j++)
        for (int i = 0; i < field->nx; i++)
            if (rill_field_row(field, j)[i] > highest)
                highest = rill_field_row(field, j)[i];
    *walled = 0;
    if (!(highest > -INFINITY))
        return rill_fail(RILL_BAD_FILE, "no cell holds data");
    for (int j = 0; j < field->ny; j++)
        for (int i = 0; i < field->nx; i++) {
            float *cell = rill_field_row(field, j) + i;
            if (!isnan(*cell))
                continue;
            *cell = highest;
            (*walled)++;
        }
    return RILL_OK;
}
