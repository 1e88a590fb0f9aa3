// SPDX-License-Identifier: MIT
// world_bodies.c - one step of the bodies: what the water does to them, how they move, what they do
// to the water. src/bodies/bodies_internal.h has the order; here the parts are put together.
#include "world/world_internal.h"

#include "bodies/sampling/pressure_sampling.h"
#include "core/numbers.h"

#include <string.h>

#define MOST_SPLASHES      4096 // lumps thrown up in a step
#define MOST_RELEASE_STEPS 4    // steps after which displaced volume is deposited
#define RELEASE_PART       0.1  // of it, at most, at once
// Cells around a body where the water's velocity is read: what keeps water out feels it a cell
// outside, and between four cells there; what lets it through reads around itself and moves it too.
#define MARGIN      2
#define MARGIN_PASS 3

rill_bodies_def rill_default_bodies_def(void)
{
    return rill_default_world_def().bodies;
}

// ---- Making and unmaking ---------------------------------------------------------------

rill_status rl_world_bodies_create(rill_world *w)
{
    RL_ASSERT(w->bodies == NULL && w->def.bodies.max_bodies > 0);
    const rill_allocator *a = &w->def.host.allocator;
    const size_t most = (size_t)w->def.bodies.max_bodies;
    RILL_TRY(rl_bodies_create(&w->def, w->ops->blocking != NULL, &w->bodies));
    if (w->ground.fixed != NULL && !rill_field_create(a, w->def.nx, w->def.ny, 0, &w->body_floors))
        return rill_fail(RILL_NO_MEMORY, "no memory for the floors of %d x %d cells", w->def.nx,
                         w->def.ny);
    rl_world_bodies_cast_floors(w);
    w->body_boxes = rill_alloc(a, most * sizeof *w->body_boxes);
    w->splashes = rill_alloc(a, MOST_SPLASHES * sizeof *w->splashes);
    if (w->body_boxes == NULL || w->splashes == NULL)
        return rill_fail(RILL_NO_MEMORY, "no memory for %zu bodies", most);
    if (w->bodies->can_block)
        rl_bodies_lay_floors(w->bodies, w->ops->bed(w->solver));
    return rl_engine_of_build != NULL ? rl_engine_of_build->create(w->bodies, &w->engine) : RILL_OK;
}

void rl_world_bodies_destroy(rill_world *w)
{
    const rill_allocator *a = &w->def.host.allocator;
    if (w->engine != NULL)
        rl_engine_of_build->destroy(&w->engine);
    rl_bodies_destroy(&w->bodies);
    rill_free(a, w->body_boxes, (size_t)w->def.bodies.max_bodies * sizeof *w->body_boxes);
    rill_free(a, w->splashes, MOST_SPLASHES * sizeof *w->splashes);
    rill_field_destroy(a, &w->body_floors);
}

size_t rl_world_bodies_memory(const rill_world *w)
{
    if (w->bodies == NULL)
        return 0;
    return rl_bodies_memory(w->bodies) + (size_t)w->def.bodies.max_bodies * sizeof *w->body_boxes +
           MOST_SPLASHES * sizeof *w->splashes;
}

static void cast_row(void *context, int j)
{
    rill_world *w = context;
    rl_span spans[64];
    float *row = rill_field_row(&w->body_floors, j);
    for (int i = 0; i < w->def.nx; i++) {
        const int count = rl_solid_cast(w->ground.fixed, i, j, spans, 64);
        row[i] = count > 0 ? spans[(count < 64 ? count : 64) - 1].base : 0.0f;
    }
}

void rl_world_bodies_cast_floors(rill_world *w)
{
    if (w->body_floors.origin != NULL)
        rl_jobs_run(w->jobs, w->def.ny, cast_row, w);
}

// ---- Parts of a step -------------------------------------------------------------------

static int clamp_cell(double cells, int count)
{
    return cells > 0.0 ? (cells < count ? (int)cells : count) : 0;
}

// Whether the velocities around a body must be in the columns: not where it alone reads them.
static bool needs_velocities(const rill_world *w, const rl_body *body)
{
    return !w->ops->copies_velocities || w->particles != NULL || rl_samples_passes(body) ||
           !rl_pressure_fits(w->bodies, body);
}

// Cells around the bodies in which velocities are needed; returns the number of boxes.
static int find_boxes(rill_world *w)
{
    const rl_bodies *b = w->bodies;
    int count = 0;
    for (int n = 0; n < b->def.max_bodies; n++) {
        const rl_body *body = &b->items[n];
        if (!body->alive || !needs_velocities(w, body))
            continue;
        const double cell = b->cell_size;
        const int margin = w->particles == NULL && !rl_samples_passes(body) ? MARGIN : MARGIN_PASS;
        const rl_box box = {clamp_cell(body->low[0] / cell - margin, b->nx),
                            clamp_cell(body->low[1] / cell - margin, b->ny),
                            clamp_cell(body->high[0] / cell + margin + 1, b->nx),
                            clamp_cell(body->high[1] / cell + margin + 1, b->ny)};
        if (box.i0 < box.i1 && box.j0 < box.j1)
            w->body_boxes[count++] = box;
    }
    return count;
}

rl_body_water rl_world_body_water(rill_world *w, double dt)
{
    RL_ASSERT(dt >= 0.0 && w->bodies != NULL);
    rl_body_water water = {.ops = w->ops,
                           .solver = w->solver,
                           .jobs = w->jobs,
                           .time = w->core.time,
                           .dt = dt,
                           .step = w->core.steps};
    const rl_columns_request request = {
        .row_end = w->def.ny, .boxes = w->body_boxes, .box_count = find_boxes(w)};
    water.columns = w->ops->columns(w->solver, w->jobs, &request);
    return water;
}

// Bodies on a path go where it has them at the end of the step.
static void follow_paths(rill_world *w, double dt)
{
    RL_ASSERT(dt > 0.0);
    const double time = w->core.time;
    for (int n = 0; n < w->bodies->def.max_bodies; n++) {
        rl_body *body = &w->bodies->items[n];
        if (!body->alive || body->def.motion != RILL_BODY_HOST || body->def.path_count == 0)
            continue;
        const rill_path_key to = rl_path_at(body->def.path, body->def.path_count, time + dt);
        const double place[3] = {to.x, to.y, to.z};
        for (int k = 0; k < 3; k++) {
            body->velocity[k] = (place[k] - body->position[k]) / dt;
            body->position[k] = place[k];
        }
        rl_body_pose(w->bodies, n);
    }
}

// An engine that has nothing to move is left alone.
static bool some_rigid(const rl_bodies *b)
{
    for (int n = 0; n < b->def.max_bodies; n++)
        if (b->items[n].alive && b->items[n].def.motion == RILL_BODY_RIGID)
            return true;
    return false;
}

static void move_bodies(rill_world *w, double dt)
{
    rl_bodies *b = w->bodies;
    follow_paths(w, dt);
    if (b->def.engine != NULL)
        b->def.engine(b->def.engine_user, w, dt);
    // On a solid they fall on its floors under the open sky, without what moves.
    const rill_field *bed =
        w->body_floors.origin != NULL ? &w->body_floors : w->ops->bed(w->solver);
    const rl_body_ground ground = {
        .bed = bed,
        .fence = b->def.fence != 0,
        .origin = {b->cell_size * w->core.domain_i, b->cell_size * w->core.domain_j},
        .period = rl_world_full_period(w)};
    if (w->engine != NULL && some_rigid(b))
        rl_engine_of_build->step(w->engine, b, w->jobs, &ground, dt);
    const double wind[3] = {(double)w->def.particles.wind[0], (double)w->def.particles.wind[1],
                            0.0};
    rl_soft_step(b, &ground, wind, dt);
}

// A lump has got momentum besides the water's own. What goes the way that the body does comes from
// the body. But a face that comes down can only press the water down: what shoots up before it the
// water below has thrown, and with it the ground that bears all water. Taken from the body it would
// drive that on, faster and faster.
static void settle_lump(rill_world *w, const rl_splash *lump)
{
    const double density = (double)w->def.bodies.density;
    double *given = w->bodies->items[lump->body].given;
    for (int k = 0; k < 2; k++)
        given[k] += density * (double)lump->gained[k];
    const double up = density * (double)lump->gained[2];
    if (up * (double)lump->through > 0.0)
        given[2] += up;
    else
        w->core.books.ground_impulse += up;
}

static void throw_splashes(rill_world *w, const rl_body_water *water)
{
    if (w->particles == NULL || !(w->def.bodies.splash_amount > 0.0f))
        return;
    const int count = rl_bodies_splash(w->bodies, water, rl_particles_lump_volume(w->particles),
                                       (double)w->def.particles.radius, w->def.seed, w->splashes,
                                       MOST_SPLASHES, &w->core.limits.lumps_left_out);
    const rl_particles_flow from = rl_world_flow(w);
    rl_particles_throw(w->particles, &from, w->core.steps, w->splashes, count);
    for (int n = 0; n < count; n++)
        settle_lump(w, &w->splashes[n]);
}

// Displaced volume spreads in every step, but it comes back slowly, so the water need not get some
// of it in each: it does after up to four steps, as long as that gives back less than a tenth.
static void give_back(rill_world *w, const rl_body_water *water)
{
    RL_ASSERT(water->dt > 0.0);
    const double part = (double)w->def.bodies.release * water->dt;
    const double steps = part > 0.0 ? RELEASE_PART / part : MOST_RELEASE_STEPS;
    w->core.release_steps++;
    w->core.release_time += water->dt;
    const bool waits =
        w->core.release_steps < MOST_RELEASE_STEPS && w->core.release_steps < (int)fmin(steps, 1e6);
    rl_body_water since = *water;
    since.dt = waits ? 0.0 : w->core.release_time;
    rl_bodies_release(w->bodies, &since);
    if (waits)
        return;
    w->core.release_steps = 0;
    w->core.release_time = 0.0;
}

// Without a fence, a body that leaves the world is gone.
static void remove_lost(rill_world *w)
{
    rl_bodies *b = w->bodies;
    const double width = b->cell_size * b->nx, height = b->cell_size * b->ny;
    for (int n = 0; !b->def.fence && n < b->def.max_bodies; n++) {
        const rl_body *body = &b->items[n];
        if (!body->alive || body->def.motion == RILL_BODY_HOST)
            continue;
        if (body->high[0] < 0.0 || body->low[0] > width || body->high[1] < 0.0 ||
            body->low[1] > height)
            (void)rill_world_remove_body(w, (rill_body_id){(uint32_t)n + 1, body->generation});
    }
}

// ---- A step ----------------------------------------------------------------------------

// Bodies whose time has come, or is over.
static void come_and_go(rill_world *w)
{
    rl_bodies *b = w->bodies;
    const double time = w->core.time;
    for (int n = 0; n < b->def.max_bodies; n++)
        if (b->items[n].taken && b->items[n].def.end <= time)
            (void)rill_world_remove_body(w,
                                         (rill_body_id){(uint32_t)n + 1, b->items[n].generation});
    if (rl_bodies_wake(b, time))
        w->engine_stale = w->core.blocks_stale = true;
}

// Whether any body makes waves or splashes by its motion: not if all of them only block.
static bool some_disturb(const rill_world *w)
{
    if (w->particles != NULL)
        return true;
    for (int n = 0; n < w->bodies->def.max_bodies; n++)
        if (w->bodies->items[n].alive && w->bodies->items[n].def.coupling == RILL_COUPLING_PASS)
            return true;
    return false;
}

static bool nothing_to_do(const rl_bodies *b)
{
    return b == NULL ||
           (b->alive + b->waiting == 0 && !b->has_blocks && !rl_bodies_has_displaced(b));
}

// A body that comes blocks the water before it moves: not a drop runs through.
void rl_world_begin_bodies(rill_world *w)
{
    if (nothing_to_do(w->bodies))
        return;
    come_and_go(w);
    if (w->core.blocks_stale)
        rl_world_bodies_settle(w);
    if (w->engine != NULL && w->engine_stale)
        rl_engine_of_build->rebuild(w->engine, w->bodies);
    w->engine_stale = false;
}

void rl_world_bodies_settle(rill_world *w)
{
    if (nothing_to_do(w->bodies))
        return;
    if (w->bodies->can_block) {
        const rl_body_water water = rl_world_body_water(w, 0.0);
        rl_bodies_block(w->bodies, &water, w->ops->bed(w->solver));
    }
    w->core.blocks_stale = false;
}

rill_status rl_world_step_bodies(rill_world *w, double dt)
{
    rl_bodies *b = w->bodies;
    if (nothing_to_do(b))
        return RILL_OK;
    rill_status status = RILL_OK;
    rl_body_water water = rl_world_body_water(w, dt);
    rl_bodies_feel(b, &water);
    move_bodies(w, dt);
    if (some_disturb(w)) {
        water = rl_world_body_water(w, dt); // velocities at their new places
        rl_sum_add(&w->core.books.corrected, rl_bodies_disturb(b, &water));
        throw_splashes(w, &water);
    }
    if (b->can_block) {
        rl_bodies_block(b, &water, w->ops->bed(w->solver));
        give_back(w, &water);
    }
    if (w->ground.whole != NULL)
        status = rl_world_body_solids_advance(w);
    remove_lost(w);
    return status;
}

void rl_world_end_bodies(rill_world *w)
{
    rl_bodies *b = w->bodies;
    for (int n = 0; b != NULL && b->pushed && n < b->def.max_bodies; n++) {
        memset(b->items[n].push, 0, sizeof b->items[n].push);
        memset(b->items[n].push_torque, 0, sizeof b->items[n].push_torque);
    }
    if (b != NULL)
        b->pushed = false;
}

void rl_world_bodies_changed(rill_world *w)
{
    if (w->bodies == NULL)
        return;
    w->engine_stale = true;
    rl_world_bodies_cast_floors(w);
    if (w->bodies->can_block) {
        const rl_body_water water = rl_world_body_water(w, 0.0);
        rl_bodies_block_again(w->bodies, &water, w->ops->bed(w->solver));
        rl_bodies_lay_floors(w->bodies, w->ops->bed(w->solver));
    }
}
