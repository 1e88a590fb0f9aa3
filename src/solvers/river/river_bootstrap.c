// SPDX-License-Identifier: MIT
// river_bootstrap.c - a river that flows as if it always had (Burrell section 3.5): hints, columns,
// targets, and then time, until the first water that came in has left. Most of that time is spent
// on merged cells, where a step is cheap and long; the last part on the cells of the grid, so that
// small eddies are there too.
#include "solvers/river/river_internal.h"

#include "core/assert.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <math.h>
#include <string.h>

#define TRACERS      32
#define COURANT      0.9
#define MERGED_LEVEL 2    // of cells where the river is wide enough
#define LEAST_ACROSS 5    // cells that a river has from bank to bank however they are merged
#define FINE_STEPS   120  // on the cells of the grid in the end
#define MOST_STEPS   4000 // on merged cells
#define FAR_CELLS    1e7  // cells, where a viewer is who sees everything from the same distance
#define TRACER_PARTS 8    // of a step

// ---- Tracers ---------------------------------------------------------------------------

typedef struct tracer {
    double x, y; // in cells
    bool gone;
} tracer;

typedef struct tracers {
    tracer all[TRACERS];
    int count;
    bool through; // one has left where the river does not come in
} tracers;

// A river that rises in the terrain starts at the first point of its line.
static void release_at_head(const rl_river *r, tracers *t)
{
    const rill_river_path_view *found = &r->path->found;
    const double x = (double)found->x[0] / (double)r->cell_size;
    const double y = (double)found->y[0] / (double)r->cell_size;
    if (rl_river_is_wet(r, (int)x, (int)y))
        t->all[t->count++] = (tracer){x, y, false};
}

static void release(const rl_river *r, tracers *t)
{
    t->count = 0;
    t->through = false;
    if (r->from < 0) {
        release_at_head(r, t);
        return;
    }
    const rill_side side = (rill_side)r->from;
    const int length = rl_side_length(side, r->nx, r->ny);
    int places = 0;
    for (int k = 0; k < length; k++)
        places += rl_river_comes_in(r, side, k);
    int seen = 0;
    for (int k = 0; k < length && t->count < TRACERS; k++) {
        if (!rl_river_comes_in(r, side, k))
            continue;
        // Evenly over the places, at most one in each.
        if (seen++ * (int64_t)TRACERS < (int64_t)t->count * places)
            continue;
        int i, j;
        rl_side_cell(side, r->nx, r->ny, k, 1, &i, &j);
        if (rl_river_is_wet(r, i, j))
            t->all[t->count++] = (tracer){i + 0.5, j + 0.5, false};
    }
}

static bool leaves_by_inlet(const rl_river *r, double x, double y)
{
    rill_side side = RILL_SIDE_NORTH;
    if (x < 0.0)
        side = RILL_SIDE_WEST;
    else if (x >= r->nx)
        side = RILL_SIDE_EAST;
    else if (y < 0.0)
        side = RILL_SIDE_SOUTH;
    const double along = rl_side_is_column(side) ? y : x;
    const int last = rl_side_length(side, r->nx, r->ny) - 1;
    return rl_river_comes_in(r, side, (int)fmin(fmax(along, 0.0), last));
}

// At a bank a tracer goes on along it.
static void move(const rl_river *r, tracers *t, tracer *one, double step)
{
    const int i = (int)one->x, j = (int)one->y;
    const double dx = step * (double)rill_field_row(&r->velocity_x, j)[i];
    const double dy = step * (double)rill_field_row(&r->velocity_y, j)[i];
    const double tries[3][2] = {{dx, dy}, {dx, 0.0}, {0.0, dy}};
    for (int n = 0; n < 3; n++) {
        const double x = one->x + tries[n][0], y = one->y + tries[n][1];
        if (!(x >= 0.0 && x < r->nx && y >= 0.0 && y < r->ny)) {
            one->gone = true;
            t->through = t->through || !leaves_by_inlet(r, x, y);
            return;
        }
        if (rl_river_is_wet(r, (int)x, (int)y)) {
            one->x = x;
            one->y = y;
            return;
        }
    }
}

// Returns whether one is still on its way.
static bool move_all(const rl_river *r, tracers *t, double dt)
{
    const double step = dt / TRACER_PARTS / (double)r->cell_size;
    bool some = false;
    for (int n = 0; n < t->count; n++) {
        for (int part = 0; part < TRACER_PARTS && !t->all[n].gone; part++)
            move(r, t, &t->all[n], step);
        some = some || !t->all[n].gone;
    }
    return some;
}

// ---- Time ------------------------------------------------------------------------------

static double fastest(rl_river *r, rl_jobs *jobs)
{
    rl_river_update_centres(r, jobs);
    float largest = 0.0f;
    for (int n = 0; n < r->levels[0].all.count; n++) {
        const rl_river_run run = r->levels[0].all.runs[n];
        const float *x = rill_field_row(&r->velocity_x, run.row);
        const float *y = rill_field_row(&r->velocity_y, run.row);
        for (int i = run.first; i < run.end; i++)
            largest = fmaxf(largest, x[i] * x[i] + y[i] * y[i]);
    }
    return fmax(sqrt((double)largest), 1e-3 * (double)r->def.speed);
}

// The longest step with which a trace back stays within a cell. What the last solve found fastest
// is of the cells that it had, which may have been others.
static double long_step(rl_river *r, rl_jobs *jobs)
{
    double size = (double)r->cell_size;
    for (int k = 0; k < r->level_count; k++)
        if (r->levels[k].work.cells > 0) {
            size = (double)r->levels[k].cell_size;
            break;
        }
    const double rate = fmax(fastest(r, jobs) / size, (double)r->fastest);
    return COURANT / rate;
}

// Lets the river flow for `seconds`, or at most that long until a tracer has come through; returns
// for how long it did.
static double let_flow(rl_river *r, rl_jobs *jobs, double seconds, int steps, tracers *t)
{
    RL_ASSERT(seconds >= 0.0);
    double time = 0.0;
    for (int n = 0; n < steps && time < seconds; n++) {
        const double dt = fmin(long_step(r, jobs), seconds - time);
        rl_river_flow_step(r, jobs, dt);
        r->steps++;
        r->velocities_fresh = false;
        time += dt;
        if (t == NULL)
            continue;
        rl_river_update_centres(r, jobs);
        if (!move_all(r, t, dt) || t->through)
            break;
    }
    return time;
}

// Merged cells everywhere, or the cells of the grid (level 0).
static void set_detail(rl_river *r, int level)
{
    RL_ASSERT(level >= 0 && level < r->level_count);
    const double viewer[3] = {0.5 * r->nx, 0.5 * r->ny, FAR_CELLS};
    // Level k lies between 2^(k - 1) and 2^k times the distance `full`, up to which all is fine.
    const double full = level > 0 ? FAR_CELLS / (0.75 * (double)(1 << level)) : 0.0;
    rl_quadtree_get(r->detail, viewer, full);
    rl_river_levels_regroup(r);
}

static double length_of(const rl_river *r)
{
    return r->path != NULL && r->path->found.length > 0.0 ? r->path->found.length
                                                          : (double)r->cell_size * (r->nx + r->ny);
}

double rl_river_cells_across(const rl_river *r)
{
    return (double)r->levels[0].all.cells * (double)r->cell_size / length_of(r);
}

// The largest merged cells of which enough lie side by side in the river.
static int merged_level(const rl_river *r)
{
    const double across = rl_river_cells_across(r);
    int level = 0;
    while (level < MERGED_LEVEL && across >= LEAST_ACROSS * (2 << level))
        level++;
    return level;
}

static void flow_through(rl_river *r, rl_jobs *jobs)
{
    const double speed = (double)r->def.speed, length = length_of(r);
    const bool asked = r->def.bootstrap >= 0.0;
    const double most = asked ? r->def.bootstrap : 2.0 * length / speed;
    const double fine = fmin(most, FINE_STEPS * long_step(r, jobs));
    tracers t;
    release(r, &t);
    r->bootstrapped = 0.0;
    if (most > 2.0 * fine) {
        set_detail(r, merged_level(r));
        r->bootstrapped =
            let_flow(r, jobs, most - fine, asked ? INT32_MAX : MOST_STEPS, asked ? NULL : &t);
        set_detail(r, 0);
    }
    r->bootstrapped +=
        let_flow(r, jobs, asked ? most - r->bootstrapped : fine, 4 * FINE_STEPS, NULL);
}

// ---- All of it -------------------------------------------------------------------------

// The flow that the hints and targets ask for, as far as the banks allow, at the asked speed.
static void start_flow(rl_river *r, rl_jobs *jobs, float speed)
{
    rl_river_follow_hints(r, speed);
    rl_river_project_flow(r, jobs);
    rl_river_measure_flow(r, jobs);
    if (r->mean_speed > 0.0) {
        rl_river_scale(r, jobs, (double)r->def.speed / r->mean_speed);
        rl_river_measure_flow(r, jobs);
    }
    r->velocities_fresh = false;
}

rill_status rl_river_bootstrap(void *self, rl_jobs *jobs)
{
    rl_river *r = self;
    r->gain = 1.0;
    r->spring_flow = r->spring_count > 0 ? (double)r->def.speed : 0.0;
    set_detail(r, 0);
    rl_river_hints_find(r, jobs);
    start_flow(r, jobs, r->def.speed); // what the columns start from (section 3.2)
    if (r->columns != NULL) {
        rl_river_columns_rebuild(r, jobs);
        rl_river_levels_rebuild(r);
    }
    rl_river_targets(r);
    rl_river_levels_merge_hints(r);
    start_flow(r, jobs, 0.0f);
    flow_through(r, jobs);
    rl_river_set_viewer(r, r->viewer); // detail as it is asked for
    return RILL_OK;
}

// ---- Key -------------------------------------------------------------------------------

static void add_field(XXH64_state_t *state, const rill_field *field)
{
    for (int j = 0; j < field->ny; j++)
        XXH64_update(state, rill_field_row(field, j), (size_t)field->nx * sizeof(float));
}

uint64_t rl_river_key(const void *self)
{
    const rl_river *r = self;
    const rill_river_def *d = &r->def;
    const double numbers[] = {
        2.0, // version of what bootstrapping does
        r->nx,
        r->ny,
        (double)r->cell_size,
        (double)r->gravity,
        (double)r->wet_depth,
        (double)(r->seed >> 32),
        (double)(r->seed & 0xffffffffu),
        d->path.from,
        (double)d->speed,
        (double)d->viscosity,
        d->bank,
        d->pressure,
        d->sweeps,
        (double)d->tolerance,
        d->columns.cells,
        (double)d->columns.weight,
        (double)d->columns.limit,
        (double)d->columns.vary,
        (double)d->columns.friction,
        d->columns.along,
        (double)d->vary,
        (double)d->min_speed,
        (double)d->max_speed,
        (double)d->reversal,
        (double)d->straight,
        isfinite(d->direction) ? (double)d->direction : 1e9,
        d->bootstrap,
        d->detail_solver,
    };
    XXH64_state_t state;
    XXH64_reset(&state, 0);
    XXH64_update(&state, numbers, sizeof numbers);
    add_field(&state, &r->bed);
    add_field(&state, &r->surface);
    add_field(&state, &r->obstacle);
    return XXH64_digest(&state);
}
