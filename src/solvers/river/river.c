// SPDX-License-Identifier: MIT
// river.c - the river solver: kilometres of river whose surface stands and whose flow is that of
// the Navier-Stokes equations in the plane (Burrell chapter 3).
//
//     path -> wet cells -> hints -> columns -> targets      once, and when the ground changes
//     advect -> diffuse -> impulses -> project -> dye        every step
//
// The pyramid of grids is in river_levels.c and river_regroup.c, the flow in river_flow.c and
// river_project.c, what drives it in river_hints.c, river_columns.c and river_impulse.c.
#include "solvers/river/river_internal.h"

#include "core/assert.h"

#include "rill/support.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Part of a cell that a back-trace may reach.
#define SAFETY 0.9

#define FIELD_COUNT 8

// ---- Creation --------------------------------------------------------------------------

static void river_destroy(const rill_allocator *allocator, void **self)
{
    rl_river *r = *self;
    if (r == NULL)
        return;
    rl_quadtree_destroy(&r->detail);
    rill_river_path_destroy(&r->path);
    rl_owned_destroy(allocator, self);
}

static rill_status allocate(rl_river *r)
{
    rill_field *const fields[FIELD_COUNT] = {&r->bed,        &r->surface,    &r->depth,
                                             &r->velocity_x, &r->velocity_y, &r->dye,
                                             &r->dye_next,   &r->obstacle};
    for (int n = 0; n < FIELD_COUNT; n++)
        rl_owned_field(&r->own, r->nx, r->ny, 1, 5 * n + 3, fields[n]);
    r->row_sums = rl_owned_take(&r->own, (size_t)r->ny, sizeof *r->row_sums);
    return r->own.failed
               ? rill_fail(RILL_NO_MEMORY, "no memory for a river of %d x %d cells", r->nx, r->ny)
               : RILL_OK;
}

static rill_status find_water(rl_river *r, const rill_world_def *def)
{
    for (int j = 0; j < r->ny; j++)
        for (int i = 0; i < r->nx; i++)
            rill_field_row(&r->bed, j)[i] = rl_first_value(&def->bed, i, j);
    if (r->def.found != NULL)
        RILL_TRY(rl_river_path_copy(r->def.found, &r->own.allocator, &r->path));
    else
        RILL_TRY(rill_river_path_find(rill_field_view_of(&r->bed), (double)r->cell_size,
                                      &r->def.path, &def->host, &r->path));
    r->def.found = NULL; // it belongs to the caller
    const rill_river_path_view found = rill_river_path_get(r->path);
    r->from = found.from;
    for (int j = 0; j < r->ny; j++) {
        memcpy(rill_field_row(&r->surface, j), found.level.data + (size_t)j * found.level.pitch,
               (size_t)r->nx * sizeof(float));
        if (found.ground.data != NULL)
            memcpy(rill_field_row(&r->bed, j), found.ground.data + (size_t)j * found.ground.pitch,
                   (size_t)r->nx * sizeof(float));
    }
    return rl_river_springs_create(r);
}

static rill_status create_parts(rl_river *r, const rill_world_def *def)
{
    RL_ASSERT(def->nx == r->nx && def->ny == r->ny);
    RILL_TRY(allocate(r));
    RILL_TRY(find_water(r, def));
    RILL_TRY(rl_river_levels_create(r));
    RILL_TRY(rl_river_direct_create(r));
    if (r->def.columns.cells > 0)
        RILL_TRY(rl_river_columns_create(r));
    rl_river_set_viewer(r, r->def.viewer);
    return RILL_OK;
}

static rill_status river_create(const rill_world_def *def, rl_isa isa, void **self)
{
    const rill_allocator *allocator = &def->host.allocator;
    rl_river *r = rl_owned_create(allocator, sizeof *r);
    *self = r;
    if (r == NULL)
        return rill_fail(RILL_NO_MEMORY, "no memory for the river solver");
    r->nx = def->nx;
    r->ny = def->ny;
    r->cell_size = def->cell_size;
    r->gravity = def->gravity;
    r->wet_depth = def->wet_depth > 0.0f ? def->wet_depth : 1e-4f * def->cell_size;
    r->def = def->river;
    r->def.cache = (rill_river_cache){0}; // it belongs to the caller, and the world has seen to it
    r->seed = def->seed;
    r->gain = 1.0;
    r->rows = RL_ROWS_OF(isa, rl_river_rows);
    const rill_status status = create_parts(r, def);
    if (status != RILL_OK)
        river_destroy(allocator, self);
    return status;
}

// The packed arrays follow the wet cells: about that much where a tenth of the grid is wet.
static uint64_t river_memory_needed(const rill_world_def *def)
{
    const uint64_t field = rill_field_bytes(def->nx + 1, def->ny + 1, 1);
    uint64_t bytes = FIELD_COUNT * field + (RL_RIVER_FIELDS * 3 / 2 + 6) * field + (4u << 20);
    if (def->river.columns.cells > 0)
        bytes += rl_river_columns_needed(def->nx, def->ny, def->river.columns.cells);
    return bytes;
}

static size_t river_memory(const void *self)
{
    const rl_river *r = self;
    return rl_owned_memory(r) + rl_quadtree_memory(r->detail);
}

// ---- A step ----------------------------------------------------------------------------

static double river_stable_step(const void *self)
{
    const rl_river *r = self;
    return r->fastest > 0.0f ? SAFETY / (double)r->fastest : (double)INFINITY;
}

// The surface stands: what was given in this step leaves with the river.
static void let_pass(rl_river *r, rl_exchange *exchange)
{
    double passed = 0.0;
    for (int j = 0; j < r->ny; j++) {
        passed += r->passed_rows[j];
        r->passed_rows[j] = 0.0;
    }
    rl_exchange_book(exchange, -passed);
}

static void river_step(void *self, rl_jobs *jobs, double dt, rl_exchange *exchange)
{
    RL_ASSERT(dt > 0.0);
    rl_river *r = self;
    let_pass(r, exchange);
    rl_river_flow_step(r, jobs, dt);
    rl_river_dye_step(r, jobs, dt);
    if (r->columns != NULL && r->def.columns.along != 0)
        rl_river_columns_step(r, jobs, dt);
    r->steps++;
}

// ---- Reading ---------------------------------------------------------------------------

static rill_columns river_columns(void *self, rl_jobs *jobs, const rl_columns_request *request)
{
    rl_river *r = self;
    if (request == NULL || request->box_count > 0)
        rl_river_update_centres(r, jobs);
    return rl_columns_view(&r->bed, &r->depth, &r->velocity_x, &r->velocity_y, (double)r->cell_size,
                           r->wet_depth);
}

static double river_volume(const void *self, rl_jobs *jobs)
{
    (void)jobs;
    const rl_river *r = self;
    const double area = (double)r->cell_size * (double)r->cell_size;
    double volume = 0.0, passed = 0.0;
    for (int j = 0; j < r->ny; j++) {
        volume += rl_river_row_depth(r, j);
        passed += r->passed_rows[j];
    }
    return volume * area + passed;
}

static rill_field *river_bed(void *self)
{
    return &((rl_river *)self)->bed;
}

// Where a river crosses a border it passes, elsewhere there is land: nothing to set.
static void river_set_border(void *self, rill_side side, rill_border border, float level)
{
    RL_ASSERT(border == RILL_BORDER_WALL);
    (void)self;
    (void)side;
    (void)border;
    (void)level;
}

// ---- What a river can do besides -------------------------------------------------------

static void river_came_from_cache(void *self, double seconds)
{
    RL_ASSERT(seconds >= 0.0);
    rl_river *r = self;
    r->bootstrapped = seconds;
    r->cached = true;
}

static const rill_river_path *river_path(const void *self)
{
    return ((const rl_river *)self)->path;
}

static const rl_quadtree *river_detail(const void *self)
{
    const rl_river *r = self;
    return (r->def.detail_solver || r->def.detail_waves) ? r->detail : NULL;
}

static rill_field_view river_dye(const void *self)
{
    return rill_field_view_of(&((const rl_river *)self)->dye);
}

// ---- Checks ----------------------------------------------------------------------------

// The depth is the level over the ground, and a dry cell has none.
static const char *validate_row(const rl_river *r, int j)
{
    const float *bed = rill_field_row(&r->bed, j), *surface = rill_field_row(&r->surface, j);
    const float *depth = rill_field_row(&r->depth, j), *dye = rill_field_row(&r->dye, j);
    for (int i = 0; i < r->nx; i++) {
        const bool wet = surface[i] > RL_RIVER_DRY;
        if (!isfinite(bed[i]) || !(depth[i] >= 0.0f) ||
            (depth[i] != 0.0f && !(wet && depth[i] == surface[i] - bed[i])))
            return RL_INVALID("river: the depth of cell (%d, %d) is %g m over ground at %g m", i, j,
                              (double)depth[i], (double)bed[i]);
        if (!(dye[i] >= 0.0f) || !isfinite(dye[i]))
            return RL_INVALID("river: the dye of cell (%d, %d) is %g", i, j, (double)dye[i]);
    }
    if (!isfinite(r->passed_rows[j]))
        return RL_INVALID("river: the water that passes row %d is no number", j);
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
            return RL_INVALID("river: run %d of level %d is cells %d to %d of row %d", n, k,
                              run->first, run->end, run->row);
        cells += run->end - run->first;
    }
    if (cells != runs->cells)
        return RL_INVALID("river: level %d has %lld cells in its runs and says %lld", k,
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
                return RL_INVALID("river: the velocity of cell (%d, %d) of level %d is (%g, %g)", i,
                                  run.row, k, (double)u[i], (double)v[i]);
            if ((open_x[i] == 0.0f && u[i] != 0.0f) || (open_y[i] == 0.0f && v[i] != 0.0f))
                return RL_INVALID("river: water flows through a bank of cell (%d, %d) of level %d",
                                  i, run.row, k);
        }
    }
    return NULL;
}

static const char *river_validate(void *self)
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
        wrong = RL_INVALID("river: its speed is %g and its gain %g", (double)r->fastest, r->gain);
    return wrong;
}

static const rl_river_ops besides = {
    .bootstrap = rl_river_bootstrap,
    .came_from_cache = river_came_from_cache,
    .key = rl_river_key,
    .read = rl_river_read,
    .path = river_path,
    .set_viewer = rl_river_set_viewer,
    .close = rl_river_close,
    .detail = river_detail,
    .add_dye = rl_river_dye_add,
    .dye = river_dye,
    .dye_amount = rl_river_dye_amount,
};

const rl_solver_ops rl_river_ops_table = {
    .name = "river",
    .borders = RL_BORDER_BIT(RILL_BORDER_WALL),
    .border_note = "a river finds its borders itself, all are walls besides where it crosses them",
    .memory_needed = river_memory_needed,
    .create = river_create,
    .destroy = river_destroy,
    .memory = river_memory,
    .stable_step = river_stable_step,
    .step = river_step,
    .deposit = rl_river_deposit,
    .columns = river_columns,
    .volume = river_volume,
    .bed = river_bed,
    .bed_changed = rl_river_bed_changed,
    .set_border = river_set_border,
    .state = rl_river_state_arrays,
    .state_changed = rl_river_state_changed,
    .validate = river_validate,
    .river = &besides,
};
