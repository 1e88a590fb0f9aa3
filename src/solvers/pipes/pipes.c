// SPDX-License-Identifier: MIT
// pipes.c - water columns joined by virtual pipes (Kellomäki section 3, Dagenais section 3.1).
//
// Every face between two cells carries a discharge q [m^2/s], driven by the difference of the
// surface levels on its two sides and slowed by friction and viscosity; cells fill by what flows
// in and out (pipe_cell.h has the formulas). A step is one sweep over memory (pipes_step.c).
#include "solvers/pipes/pipes.h"

#include "core/assert.h"
#include "core/numbers.h"

#include "rill/support.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define GHOST_ROWS 2

// ---- Borders ---------------------------------------------------------------------------

rl_ghost rl_pipes_ghost(const rl_pipes *s, rill_side side, int n)
{
    int i, j, inner_i, inner_j;
    rl_side_cell(side, s->nx, s->ny, n, 0, &i, &j);
    rl_side_cell(side, s->nx, s->ny, n, 1, &inner_i, &inner_j);
    RL_ASSERT(n >= 0 && n < rl_side_length(side, s->nx, s->ny));
    return rl_ghost_beyond(s->border[side], s->border_level[side], rill_field_row(&s->bed, j)[i],
                           rill_field_row(&s->bed, inner_j)[inner_i]);
}

static void set_ghost(rl_pipes *s, rill_side side, int n)
{
    int i, y;
    rl_side_cell(side, s->nx, s->ny, n, -1, &i, &y);
    const rl_ghost ghost = rl_pipes_ghost(s, side, n);
    rill_field_row(&s->bed, y)[i] = ghost.bed;
    rill_field_row(&s->depth, y)[i] = ghost.depth;
}

void rl_pipes_set_ghosts(rl_pipes *s)
{
    const int nx = s->nx, ny = s->ny;
    for (int y = 0; y < ny; y++) {
        float *qx = rill_field_row(&s->qx, y);
        set_ghost(s, RILL_SIDE_WEST, y);
        set_ghost(s, RILL_SIDE_EAST, y);
        if (!rl_pipes_is_open(s, RILL_SIDE_WEST))
            qx[-2] = qx[-1] = 0.0f;
        if (!rl_pipes_is_open(s, RILL_SIDE_EAST))
            qx[nx] = qx[nx - 1] = 0.0f;
    }
    for (int i = 0; i < nx; i++) {
        set_ghost(s, RILL_SIDE_SOUTH, i);
        set_ghost(s, RILL_SIDE_NORTH, i);
        if (!rl_pipes_is_open(s, RILL_SIDE_SOUTH))
            rill_field_row(&s->qy, -1)[i] = 0.0f;
        if (!rl_pipes_is_open(s, RILL_SIDE_NORTH))
            rill_field_row(&s->qy, ny - 1)[i] = 0.0f;
    }
    s->halos_stale = true;
}

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
        for (int n = 0; n < rl_side_length((rill_side)side, s->nx, s->ny); n++) {
            int x, y;
            rl_side_cell((rill_side)side, s->nx, s->ny, n, -1, &x, &y);
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

// ---- Deposits --------------------------------------------------------------------------

static double pipes_deposit(void *self, const rl_deposit *deposit)
{
    rl_pipes *s = self;
    const int y = deposit->row;
    RL_ASSERT(deposit->layer == 0 && y >= 0 && y < s->ny);
    RL_ASSERT(deposit->first >= 0 && deposit->first + deposit->count <= s->nx);
    float *depth = rill_field_row(&s->depth, y) + deposit->first;
    float *remainder = rill_field_row(&s->remainder, y) + deposit->first;
    float deepest = s->running_max[y] > 0.0f ? s->running_max[y] : 0.0f;
    const double given = rl_run_deposit(depth, remainder, deposit->depth, deposit->count, &deepest);
    // The part of the cells beside it that a face stands for is one cell's area, so half of a
    // cell's momentum goes to each of its two faces.
    const float per_face = (float)(0.5 / (s->cell_size * s->cell_size));
    for (int i = 0; deposit->momentum_x != NULL && i < deposit->count; i++) {
        float *qx = rill_field_row(&s->qx, y) + deposit->first + i;
        // What pushes against the border is the border's.
        if (deposit->first + i > 0)
            qx[-1] += deposit->momentum_x[i] * per_face;
        if (deposit->first + i + 1 < s->nx)
            qx[0] += deposit->momentum_x[i] * per_face;
    }
    for (int i = 0; deposit->momentum_y != NULL && i < deposit->count; i++) {
        if (y > 0)
            rill_field_row(&s->qy, y - 1)[deposit->first + i] += deposit->momentum_y[i] * per_face;
        if (y + 1 < s->ny)
            rill_field_row(&s->qy, y)[deposit->first + i] += deposit->momentum_y[i] * per_face;
    }
    s->running_max[y] = deepest;
    rl_pipes_depth_changed(s, y, deposit->first, deposit->count);
    if (deposit->momentum_x != NULL || deposit->momentum_y != NULL)
        rl_pipes_flow_changed(s, y, deposit->first, deposit->count);
    return given * s->cell_size * s->cell_size;
}

// ---- Checks ----------------------------------------------------------------------------

static const char *validate_row(const rl_pipes *s, int y)
{
    const float *qx = rill_field_row(&s->qx, y);
    const float deepest = s->running_max[y] > s->max_depth ? s->running_max[y] : s->max_depth;
    const char *wrong =
        rl_validate_columns("pipes", y, &s->bed, &s->depth, &s->remainder, deepest, s->cell_size);
    if (wrong == NULL)
        wrong = rl_validate_values("pipes", "qx", y, qx - 1, s->nx + 1, FLT_MAX);
    if (wrong == NULL)
        wrong = rl_validate_values("pipes", "qy", y, rill_field_row(&s->qy, y), s->nx, FLT_MAX);
    if (wrong == NULL && (qx[-2] != qx[-1] || qx[s->nx] != qx[s->nx - 1]))
        return RL_INVALID("pipes: the discharges beyond row %d are not those at its ends", y);
    return wrong;
}

// Ghost cells are what the borders make them.
static const char *validate_side(const rl_pipes *s, rill_side side)
{
    for (int n = 0; n < rl_side_length(side, s->nx, s->ny); n++) {
        int i, y;
        rl_side_cell(side, s->nx, s->ny, n, -1, &i, &y);
        const rl_ghost ghost = rl_pipes_ghost(s, side, n);
        if (rill_field_row(&s->bed, y)[i] != ghost.bed ||
            rill_field_row(&s->depth, y)[i] != ghost.depth)
            return RL_INVALID("pipes: ghost %d of side %d is not what its border says", n, side);
    }
    return NULL;
}

// Lines that are not marked have nothing blocked.
static const char *validate_blocks(const rl_pipes *s, int y)
{
    const rl_pipes_block_row row = rl_pipes_block_row_of(s, y, NULL);
    const float *bed = rill_field_row(&s->bed, y);
    for (int i = 0; i < s->nx; i++)
        if (!rl_pipes_lines(s, y)[i / RL_PIPES_LINE] &&
            (row.floor[i] != bed[i] || row.lower[i] != RL_BLOCK_NO_LOWER))
            return RL_INVALID("pipes: cell (%d, %d) is blocked in a line without a mark", i, y);
    return NULL;
}

static const char *pipes_validate(void *self)
{
    const rl_pipes *s = self;
    const char *wrong = NULL;
    for (int y = 0; y < s->ny && wrong == NULL; y++) {
        wrong = validate_row(s, y);
        if (wrong == NULL && s->blocks != NULL)
            wrong = validate_blocks(s, y);
    }
    bool open[RILL_SIDE_COUNT];
    for (int side = 0; side < RILL_SIDE_COUNT && wrong == NULL; side++) {
        open[side] = rl_pipes_is_open(s, (rill_side)side);
        wrong = validate_side(s, (rill_side)side);
    }
    if (wrong == NULL)
        wrong = rl_validate_walls("pipes", (const char *const[]){"qx", "qy"}, s->qx.origin,
                                  s->qy.origin, s->qx.pitch, s->nx, s->ny, open);
    for (int n = 0; n < s->band_count && wrong == NULL; n++)
        if (s->bands[n].y0 != (n > 0 ? s->bands[n - 1].y1 : 0) || s->bands[n].y1 > s->ny)
            wrong = RL_INVALID("pipes: band %d does not begin where the one before ends", n);
    if (wrong == NULL && !rl_pipes_halos_are_right(s))
        wrong = RL_INVALID("pipes: a halo is not a copy of its rows");
    return wrong;
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
    .deposit = pipes_deposit,
    .columns = rl_pipes_columns,
    .volume = pipes_volume,
    .bed = pipes_bed,
    .bed_changed = pipes_bed_changed,
    .set_border = pipes_set_border,
    .state = pipes_state,
    .state_changed = pipes_state_changed,
    .validate = pipes_validate,
    .blocking = &blocking,
};
