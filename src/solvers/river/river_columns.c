// SPDX-License-Identifier: MIT
// river_columns.c - hydrostatic columns (Burrell section 3.4): what the bed below does to a river
// that is simulated in two dimensions. The pressure at the bottom of the columns says how much
// water passes through a cell at a velocity: its conveyance. What one step of them does is in
// river_columns_pipes.c.
#include "solvers/river/river_internal.h"

#include "core/assert.h"
#include "core/numbers.h"

#include "rill/support.h"

#include <math.h>
#include <string.h>

#define SETTLED    1e-4 // largest change of a pressure in a step, in parts of itself
#define MAX_SETTLE 32   // steps: after a few nothing but a slow creeping of levels is left
#define UPDATES    10.0 // per second of columns that run along: their waves are much slower

// ---- Life ------------------------------------------------------------------------------

static int in_lines(int width)
{
    return (width + 15) / 16 * 16;
}

// Width of the block: heights, pressures, u, v.
static int block_width(int nx, int cells)
{
    return in_lines(nx * cells) + in_lines(nx) + in_lines(nx + 1) + nx;
}

// A part of the block as a field of its own; `after` is where the next one begins.
static rill_field part_of(const rill_field *block, int *after, int nx, int ny)
{
    rill_field part = *block;
    part.origin += *after;
    part.nx = nx;
    part.ny = ny;
    part.memory = NULL;
    part.bytes = 0;
    *after += in_lines(nx);
    return part;
}

static size_t kind_bytes(int nx, int ny)
{
    return (size_t)(nx + 2) * (size_t)(ny + 2);
}

uint64_t rl_river_columns_needed(int nx, int ny, int cells)
{
    return (uint64_t)rill_field_bytes(block_width(nx, cells), ny + 1, 0) +
           rill_field_bytes(nx * cells, ny, 0) + rill_field_bytes(nx, ny, 0) + kind_bytes(nx, ny) +
           (uint64_t)nx * (uint64_t)ny + sizeof(rl_river_columns);
}

rill_status rl_river_columns_create(rl_river *r)
{
    RL_ASSERT(r->def.columns.cells > 0 && r->columns == NULL);
    const int nx = r->nx, ny = r->ny, cells = r->def.columns.cells;
    rl_owned *own = &r->own;
    rl_river_columns *c = rl_owned_take(own, 1, sizeof *c);
    if (c == NULL)
        return rill_fail(RILL_NO_MEMORY, "no memory for the columns of a river");
    c->cells = cells < RL_COLUMN_CELLS ? cells : RL_COLUMN_CELLS;
    c->kind_bytes = kind_bytes(nx, ny);
    c->scant_bytes = (size_t)nx * (size_t)ny;
    c->kind = rl_owned_take(own, c->kind_bytes, 1);
    c->scant = rl_owned_take(own, c->scant_bytes, 1);
    rl_owned_field(own, block_width(nx, c->cells), ny + 1, 0, 0, &c->block);
    rl_owned_field(own, nx * c->cells, ny, 0, 0, &c->height_next);
    rl_owned_field(own, nx, ny, 0, 0, &c->pressure_next);
    if (own->failed)
        return rill_fail(RILL_NO_MEMORY, "no memory for the columns of a river of %d x %d cells",
                         nx, ny);
    int at = 0;
    c->height = part_of(&c->block, &at, nx * c->cells, ny);
    c->pressure = part_of(&c->block, &at, nx, ny);
    c->u = part_of(&c->block, &at, nx + 1, ny);
    c->v = part_of(&c->block, &at, nx, ny + 1);
    r->columns = c;
    return RILL_OK;
}

int rl_river_columns_state(rl_river *r, rill_state_array *arrays)
{
    const rl_river_columns *c = r->columns;
    if (c == NULL)
        return 0;
    // Where they do not run along, nothing but the pressure that they came to is left of them.
    const rill_field *f = r->def.columns.along != 0 ? &c->block : &c->pressure;
    arrays[0] = (rill_state_array){"columns", f->origin, f->pitch, (size_t)f->nx, (size_t)f->ny};
    return 1;
}

// ---- Building --------------------------------------------------------------------------

static void set_kinds(rl_river *r)
{
    const rl_river_runs *all = &r->levels[0].all;
    memset(r->columns->kind, RL_COLUMN_NONE, r->columns->kind_bytes);
    for (int n = 0; n < all->count; n++) {
        const rl_river_run run = all->runs[n];
        const size_t count = (size_t)(run.end - run.first);
        memset(rl_column_kinds(r, run.row) + run.first, RL_COLUMN_WET, count);
        if (run.first == 0)
            rl_column_kinds(r, run.row)[-1] = RL_COLUMN_BEYOND;
        if (run.end == r->nx)
            rl_column_kinds(r, run.row)[r->nx] = RL_COLUMN_BEYOND;
        if (run.row == 0)
            memset(rl_column_kinds(r, -1) + run.first, RL_COLUMN_BEYOND, count);
        if (run.row == r->ny - 1)
            memset(rl_column_kinds(r, r->ny) + run.first, RL_COLUMN_BEYOND, count);
    }
}

// Filled up to the level of the river, in cells of the same height.
static void fill_columns(rl_river *r)
{
    rl_river_columns *c = r->columns;
    rill_field_fill(&c->block, 0.0f);
    for (int j = 0; j < r->ny; j++) {
        const unsigned char *kinds = rl_column_kinds(r, j);
        const float *depth = rill_field_row(&r->depth, j);
        float *height = rill_field_row(&c->height, j), *pressure = rill_field_row(&c->pressure, j);
        RL_FOR_WET_COLUMNS (i, kinds, r->nx) {
            pressure[i] = depth[i];
            for (int k = 0; k < c->cells; k++)
                height[i * c->cells + k] = depth[i] / (float)c->cells;
        }
    }
}

// The flow of now through the faces (section 3.2), from the velocities at the centres.
static void start_pipes(rl_river *r)
{
    rl_river_columns *c = r->columns;
    for (int j = 0; j < r->ny; j++) {
        const unsigned char *kinds = rl_column_kinds(r, j), *south = rl_column_kinds(r, j - 1);
        const float *x = rill_field_row(&r->velocity_x, j), *y = rill_field_row(&r->velocity_y, j);
        const float *y_south = rill_field_row(&r->velocity_y, j > 0 ? j - 1 : j);
        float *u = rill_field_row(&c->u, j), *v = rill_field_row(&c->v, j);
        RL_FOR_WET_COLUMNS (i, kinds, r->nx) {
            if (kinds[i - 1] != RL_COLUMN_NONE)
                u[i] = i > 0 ? 0.5f * (x[i - 1] + x[i]) : x[i];
            if (south[i] != RL_COLUMN_NONE)
                v[i] = 0.5f * (y_south[i] + y[i]);
            if (i == r->nx - 1)
                u[i + 1] = x[i];
            if (j == r->ny - 1)
                rill_field_row(&c->v, j + 1)[i] = y[i];
        }
    }
}

// ---- What the flow gets of it ----------------------------------------------------------

double rl_column_mean_pressure(const rl_river *r)
{
    const rl_river_runs *all = &r->levels[0].all;
    const double sum = rl_river_sum(all, &r->columns->pressure, NULL);
    return all->cells > 0 ? sum / (double)all->cells : 0.0;
}

float rl_column_conveyance(const rl_river *r, double ratio)
{
    const double limit = fmax((double)r->def.columns.limit, 1.0);
    const double z = (double)r->def.columns.weight;
    const double within = fmin(fmax(ratio, 1.0 / limit), limit);
    if (z == 1.0)
        return (float)within;
    return (float)(within > 1.0 ? 1.0 / rill_power(1.0 / within, z) : rill_power(within, z));
}

static void set_conveyance(rl_river *r)
{
    const rl_river_runs *all = &r->levels[0].all;
    const double mean = rl_column_mean_pressure(r);
    rl_river_clear(&r->levels[0], &r->levels[0].conveyance);
    for (int n = 0; n < all->count; n++) {
        const float *pressure = rill_field_row(&r->columns->pressure, all->runs[n].row);
        float *out = rill_field_row(&r->levels[0].conveyance, all->runs[n].row);
        for (int i = all->runs[n].first; i < all->runs[n].end; i++)
            out[i] = mean > 0.0 ? rl_column_conveyance(r, (double)pressure[i] / mean) : 1.0f;
    }
}

void rl_river_columns_rebuild(rl_river *r, rl_jobs *jobs)
{
    RL_ASSERT(r->columns != NULL);
    rl_river_update_centres(r, jobs);
    set_kinds(r);
    fill_columns(r);
    start_pipes(r);
    for (int n = 0; n < MAX_SETTLE; n++)
        if (rl_river_pipes_step(r, jobs, rl_river_pipes_stable(r)) < SETTLED)
            break;
    set_conveyance(r);
}

// The conveyance stays that of the last rebuild: with columns that run along it would have to be
// laid anew in all levels at every step, for changes of a few parts in a hundred. What follows them
// along are the impulses.
void rl_river_columns_step(rl_river *r, rl_jobs *jobs, double dt)
{
    RL_ASSERT(r->columns != NULL && dt > 0.0);
    const uint64_t every = (uint64_t)fmax(1.0 / (UPDATES * dt), 1.0);
    if (r->steps % every != 0)
        return;
    dt *= (double)every;
    rl_river_update_centres(r, jobs);
    set_kinds(r); // a state may have been brought back meanwhile
    const double stable = rl_river_pipes_stable(r);
    const int steps = (int)ceil(fmin(dt / stable, 1000.0));
    for (int n = 0; n < steps; n++)
        rl_river_pipes_step(r, jobs, dt / steps);
    if (r->steps / every % (uint64_t)UPDATES == 0) { // once a second
        rl_river_targets(r);
        rl_river_levels_merge_hints(r);
    }
}
