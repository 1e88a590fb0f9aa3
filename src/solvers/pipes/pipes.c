// SPDX-License-Identifier: MIT
// pipes.c - water columns joined by virtual pipes (Kellomäki section 3, Dagenais section 3.1).
//
// Every face between two cells carries a discharge q [m^2/s], driven by the difference of the
// surface levels on its two sides and slowed by friction and viscosity; cells fill by what flows
// in and out (pipe_cell.h has the formulas). A step is one sweep over memory (pipes_step.c).
#include "solvers/pipes/pipes.h"

#include "core/assert.h"
#include "core/numbers.h"
#include "solvers/shared/grid_solver.h"

#include "rill/support.h"

#include <math.h>
#include <string.h>

#define GHOST_ROWS 2

// ---- Borders ---------------------------------------------------------------------------

static void pipes_set_border(void *self, rill_side side, rill_border border, float level)
{
    RL_ASSERT(RL_PIPES_BORDERS & RL_BORDER_BIT(border));
    rl_pipes *s = self;
    s->border[side] = border;
    s->border_level[side] = level;
    rl_pipes_set_ghosts(s);
}

// ---- Creation --------------------------------------------------------------------------

static bool allocate(rl_pipes *s, bool bodies)
{
    rl_owned *own = &s->own;
    rill_field *const state[] = {&s->bed, &s->depth, &s->remainder, &s->qx, &s->qy};
    for (int i = 0; i < 5; i++)
        rl_owned_field(own, s->nx, s->ny, GHOST_ROWS, 9 * i, state[i]);
    rl_owned_field(own, s->nx, s->ny, 0, 0, &s->velocity_x);
    rl_owned_field(own, s->nx, s->ny, 0, 0, &s->velocity_y);
    const size_t ny = (size_t)s->ny, bands = (size_t)s->band_count;
    const size_t lines = ((size_t)s->nx + RL_PIPES_LINE - 1) / RL_PIPES_LINE;
    s->line_pitch = (lines + 7) / 8 * 8; // read eight at a time
    s->lines_bytes = (ny + 2) * s->line_pitch;
    s->rows_of_bands = rl_band_rows_take_all(
        own, s->bed.pitch,
        RL_PIPES_COMMON_ROWS + bands * (2 * RL_PIPES_HALO_ROWS + RL_PIPES_SCRATCH_ROWS));
    s->bands = rl_owned_take(own, bands, sizeof *s->bands);
    s->running_max = rl_owned_take(own, ny, sizeof *s->running_max);
    s->row_sums = rl_owned_take(own, ny, sizeof *s->row_sums);
    s->lines = rl_owned_take(own, s->lines_bytes, 1);
    if (bodies) {
        s->base_stale = true;
        s->based = rl_owned_take(own, ny, s->line_pitch);
        rl_owned_field(own, s->nx, s->ny, 0, 0, &s->base);
    }
    return !own->failed;
}

static void set_initial_state(rl_pipes *s, const rill_world_def *def)
{
    RL_ASSERT(s->bed.margin >= 2 && s->nx >= 4 && s->ny >= 4);
    s->max_depth = rl_first_columns(def, &s->bed, &s->depth);
    rl_running_max_clear(s->running_max, s->ny);
    rl_pipes_set_ghosts(s);
}

static rill_status pipes_create(const rill_world_def *def, rl_isa isa, void **self)
{
    const rill_allocator *allocator = &def->host.allocator;
    rl_pipes *s = rl_owned_create(allocator, sizeof *s);
    *self = s;
    if (s == NULL)
        return rill_fail(RILL_NO_MEMORY, "no memory for the pipes solver");
    s->nx = def->nx;
    s->ny = def->ny;
    s->cell_size = (double)def->cell_size;
    s->wet_depth = def->wet_depth;
    s->rules = rl_pipe_rules_of(def);
    memcpy(s->border, def->border, sizeof s->border);
    memcpy(s->border_level, def->border_level, sizeof s->border_level);
    s->rows = RL_ROWS_OF(isa, rl_pipes_rows);
    s->band_count = rl_band_count(s->ny);
    if (!allocate(s, def->bodies.max_bodies > 0)) {
        rl_owned_destroy(allocator, self);
        return rill_fail(RILL_NO_MEMORY, "no memory for %d x %d cells of the pipes solver", def->nx,
                         def->ny);
    }
    rl_pipes_lay_bands(s);
    set_initial_state(s, def);
    return RILL_OK;
}

static uint64_t pipes_memory_needed(const rill_world_def *def)
{
    const int nx = def->nx, ny = def->ny;
    const uint64_t made = def->bodies.max_bodies > 0 ? 3 : 2;
    return 5 * (uint64_t)rill_field_bytes(nx, ny, GHOST_ROWS) +
           made * (uint64_t)rill_field_bytes(nx, ny, 0);
}

// ---- A step ----------------------------------------------------------------------------

static double driving_height(const rl_pipes *s)
{
    float deepest = rl_running_max_over(s->running_max, s->ny, s->max_depth);
    for (int side = 0; side < RILL_SIDE_COUNT; side++) {
        if (s->border[side] != RILL_BORDER_LEVEL)
            continue;
        const bool column = side == RILL_SIDE_WEST || side == RILL_SIDE_EAST;
        const int count = column ? s->ny : s->nx;
        for (int n = 0; n < count; n++) {
            const int x = side == RILL_SIDE_WEST ? -1 : side == RILL_SIDE_EAST ? s->nx : n;
            const int y = side == RILL_SIDE_SOUTH ? -1 : side == RILL_SIDE_NORTH ? s->ny : n;
            const float d = rill_field_row(&s->depth, y)[x];
            deepest = d > deepest ? d : deepest;
        }
    }
    return rl_pipe_driving_height_of(&s->rules, (double)deepest);
}

static double pipes_stable_step(const void *self)
{
    const rl_pipes *s = self;
    return rl_pipe_stable_step_of(&s->rules, driving_height(s));
}

static void pipes_step(void *self, rl_jobs *jobs, double dt, rl_exchange *exchange)
{
    RL_ASSERT(dt > 0.0);
    rl_pipes *s = self;
    s->k = rl_pipe_coefficients_of(&s->rules, dt, pipes_stable_step(s));
    s->k.fill_rate = fminf(1.0f / s->k.spread, RL_FAR) / RL_PIPE_LIMITER;
    rl_pipes_sweep(s, jobs);
    rl_running_max_clear(s->running_max, s->ny);
    s->max_depth = 0.0f;
    // Cells fill by the rounded dt / dx, so the books must use the same number.
    const double volume = (double)s->k.spread * s->cell_size * s->cell_size;
    for (int n = 0; n < s->band_count; n++) {
        const rl_pipes_band *band = &s->bands[n];
        if (band->max_depth > s->max_depth)
            s->max_depth = band->max_depth;
        rl_exchange_add(exchange, &band->moved, volume);
    }
}

// ---- The rest --------------------------------------------------------------------------

static double pipes_volume(const void *self, rl_jobs *jobs)
{
    const rl_pipes *s = self;
    return rl_column_sum(jobs, &s->depth, &s->remainder, s->cell_size, s->row_sums);
}

static rill_field *pipes_bed(void *self)
{
    return &((rl_pipes *)self)->bed;
}

static int pipes_state(void *self, rill_state_array arrays[RL_MAX_STATE_ARRAYS])
{
    rl_pipes *s = self;
    const size_t nx = (size_t)s->nx, ny = (size_t)s->ny, pitch = s->bed.pitch;
    arrays[0] = (rill_state_array){"bed", s->bed.origin, pitch, nx, ny};
    arrays[1] = (rill_state_array){"depth", s->depth.origin, pitch, nx, ny};
    arrays[2] = (rill_state_array){"remainder", s->remainder.origin, pitch, nx, ny};
    arrays[3] = (rill_state_array){"qx", s->qx.origin - 1, pitch, nx + 1, ny};
    arrays[4] = (rill_state_array){"qy", rill_field_row(&s->qy, -1), pitch, nx, ny + 1};
    arrays[5] = (rill_state_array){"running_max", s->running_max, ny, ny, 1};
    arrays[6] = (rill_state_array){"max_depth", &s->max_depth, 1, 1, 1};
    return 7;
}

static void pipes_state_changed(void *self)
{
    rl_pipes *s = self;
    for (int y = 0; y < s->ny; y++) {
        float *qx = rill_field_row(&s->qx, y);
        qx[-2] = qx[-1];
        qx[s->nx] = qx[s->nx - 1];
    }
    s->base_stale = true;
    rl_pipes_set_ghosts(s);
}

static void pipes_bed_changed(void *self)
{
    rl_pipes *s = self;
    s->base_stale = true;
    rl_pipes_set_ghosts(s);
}

static const rl_blocking_ops blocking = {.block = rl_pipes_block, .give_way = rl_pipes_give_way};

const rl_solver_ops rl_pipes_ops = {
    .name = "pipes",
    .borders = RL_PIPES_BORDERS,
    .copies_velocities = true,
    .memory_needed = pipes_memory_needed,
    .create = pipes_create,
    .destroy = rl_owned_destroy,
    .memory = rl_owned_memory,
    .stable_step = pipes_stable_step,
    .step = pipes_step,
    .deposit = rl_pipes_deposit,
    .columns = rl_pipes_columns,
    .volume = pipes_volume,
    .bed = pipes_bed,
    .bed_changed = pipes_bed_changed,
    .set_border = pipes_set_border,
    .state = pipes_state,
    .state_changed = pipes_state_changed,
    .validate = rl_pipes_validate,
    .blocking = &blocking,
};
