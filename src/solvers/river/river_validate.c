// SPDX-License-Identifier: MIT
// river_validate.c - what holds between the steps of the river solver.
#include "solvers/river/river_internal.h"

#include "solvers/shared/grid_solver.h"

#include <float.h>
#include <math.h>

#define NAME "river"

// The depth is the level over the ground, and a dry cell has none.
static const char *validate_row(const rl_river *r, int j)
{
    const float *bed = rill_field_row(&r->bed, j), *surface = rill_field_row(&r->surface, j);
    const float *depth = rill_field_row(&r->depth, j), *dye = rill_field_row(&r->dye, j);
    for (int i = 0; i < r->nx; i++) {
        const bool wet = surface[i] > RL_RIVER_DRY;
        if (!isfinite(bed[i]) || !(depth[i] >= 0.0f) ||
            (depth[i] != 0.0f && !(wet && depth[i] == surface[i] - bed[i])))
            return RL_INVALID(NAME ": the depth of cell (%d, %d) is %g m over ground at %g m", i, j,
                              (double)depth[i], (double)bed[i]);
        if (!(dye[i] >= 0.0f) || !isfinite(dye[i]))
            return RL_INVALID(NAME ": the dye of cell (%d, %d) is %g", i, j, (double)dye[i]);
    }
    if (!isfinite(r->passed_rows[j]))
        return RL_INVALID(NAME ": the water that passes row %d is no number", j);
    return NULL;
}

// Runs lie in the grid, rise, and hold as many cells as they say.
static const char *validate_runs(const rl_river_level *level, const rl_river_runs *runs, int k)
{
    int64_t cells = 0;
    for (int n = 0; n < runs->count; n++) {
        const rl_river_run *run = &runs->runs[n];
        const bool rises = n == 0 || run[-1].row < run->row ||
                           (run[-1].row == run->row && run[-1].end <= run->first);
        if (!rises || run->row < 0 || run->row >= level->ny || run->first < 0 ||
            run->first >= run->end || run->end > level->nx)
            return RL_INVALID(NAME ": run %d of level %d is cells %d to %d of row %d", n, k,
                              run->first, run->end, run->row);
        cells += run->end - run->first;
    }
    if (cells != runs->cells)
        return RL_INVALID(NAME ": level %d has %lld cells in its runs and says %lld", k,
                          (long long)cells, (long long)runs->cells);
    return NULL;
}

// Nothing flows through the banks of the cells that the solver works on.
static const char *validate_flow(const rl_river_level *level, int k)
{
    for (int n = 0; n < level->work.count; n++) {
        const rl_river_run run = level->work.runs[n];
        const float *u = rill_field_row(&level->u, run.row),
                    *v = rill_field_row(&level->v, run.row);
        const float *open_x = rill_field_row(&level->full_x, run.row);
        const float *open_y = rill_field_row(&level->full_y, run.row);
        for (int i = run.first; i < run.end; i++) {
            if (!isfinite(u[i]) || !isfinite(v[i]))
                return RL_INVALID(NAME ": the velocity of cell (%d, %d) of level %d is (%g, %g)", i,
                                  run.row, k, (double)u[i], (double)v[i]);
            if ((open_x[i] == 0.0f && u[i] != 0.0f) || (open_y[i] == 0.0f && v[i] != 0.0f))
                return RL_INVALID(NAME ": water flows through a bank of cell (%d, %d) of level %d",
                                  i, run.row, k);
        }
    }
    return NULL;
}

const char *rl_river_validate(void *self)
{
    const rl_river *r = self;
    const char *wrong = NULL;
    for (int j = 0; j < r->ny && wrong == NULL; j++)
        wrong = validate_row(r, j);
    for (int k = 0; k < r->level_count && wrong == NULL; k++) {
        const rl_river_level *level = &r->levels[k];
        wrong = validate_runs(level, &level->all, k);
        if (wrong == NULL)
            wrong = validate_runs(level, &level->work, k);
        if (wrong == NULL)
            wrong = validate_flow(level, k);
    }
    if (wrong == NULL && (!(r->fastest >= 0.0f) || !isfinite(r->gain)))
        wrong = RL_INVALID(NAME ": its speed is %g and its gain %g", (double)r->fastest, r->gain);
    return wrong;
}
