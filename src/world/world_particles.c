// SPDX-License-Identifier: MIT
// world_particles.c - spray, splashes and foam of a world, and the emitters that make more of them.
#include "world/world_internal.h"

#include "core/assert.h"
#include "gpu/gpu.h"

#include <math.h>
#include <string.h>

rill_particles_def rill_default_particles_def(void)
{
    return (rill_particles_def){
        .spray_radius = 0.5f,
        .deposit = 4.0f,
        .drag = {[RILL_PARTICLE_SPRAY] = 1.5f, [RILL_PARTICLE_SPLASH] = 0.1f},
        .velocity_noise = 0.1f,
        .breaking_slope = 0.15f,
        .breaking_rise = 1.0f,
        .breaking_curvature = -1.0f,
        .breaking_amount = 0.2f,
        .breaking_lift = 0.5f,
        .spray_share = 0.15f,
        .foam_speed = 4.0f,
        .foam_life = 4.0f,
        .foam_life_noise = 0.5f,
    };
}

rill_emitter_def rill_default_emitter_def(void)
{
    return (rill_emitter_def){
        .radius = 0.1,
        .spread = 0.05,
        .end = INFINITY,
        .particle = RILL_PARTICLE_SPLASH,
    };
}

rill_particles rill_world_particles(const rill_world *world)
{
    return world != NULL && world->particles != NULL ? rl_particles_view(world->particles)
                                                     : (rill_particles){0};
}

static double clock_of(const void *world)
{
    return rl_world_clock(world);
}

rill_status rl_world_step_particles(rill_world *w, double dt)
{
    RL_ASSERT(dt > 0.0);
    if (w->particles == NULL)
        return RILL_OK;
    const rl_particles_flow water = {.ops = w->ops,
                                     .solver = w->solver,
                                     .jobs = w->jobs,
                                     .nx = w->def.nx,
                                     .ny = w->def.ny,
                                     .cell_size = w->def.cell_size,
                                     .gravity = w->def.gravity,
                                     .clock = clock_of,
                                     .clock_user = w,
                                     .device = w->on_gpu ? rl_gpu_particles() : NULL};
    rl_particles_books books = {0};
    rl_particles_step(w->particles, &water, w->core.time, dt, w->core.steps, &books);
    rl_world_book(w, books.sourced);
    rl_world_book(w, -books.drained);
    w->last.births = 1e3 * books.births;
    const char *error = rl_particles_error(w->particles);
    return error == NULL ? RILL_OK : rill_fail(RILL_DEVICE, "the GPU failed: %s", error);
}

double rl_world_particle_volume(const rill_world *w)
{
    if (w->particles == NULL)
        return 0.0;
    double volume = rl_particles_volume(w->particles);
    if (w->ops->motion != NULL) {
        const rl_motion motion = w->ops->motion->get(w->solver);
        for (int n = 0; n < motion.fall_count; n++)
            volume += motion.falls[n].volume;
    }
    return volume;
}

// ---- Emitters --------------------------------------------------------------------------

static bool finite3(const double v[3], double most)
{
    return fabs(v[0]) <= most && fabs(v[1]) <= most && fabs(v[2]) <= most;
}

static rill_status check_emitter(const rill_world *w, const rill_emitter_def *def)
{
    if (w == NULL || def == NULL)
        return rill_fail(RILL_BAD_ARGUMENT,
                         "an emitter needs a world and a definition, one is NULL");
    if (w->particles == NULL)
        return rill_fail(RILL_BAD_ARGUMENT,
                         "this world has no particles, particles.max_particles is 0");
    if ((unsigned)def->kind > RILL_EMITTER_RAIN || (unsigned)def->particle > RILL_PARTICLE_SPLASH)
        return rill_fail(RILL_BAD_DEF, "an emitter of kind %d with particles of kind %d is unknown",
                         (int)def->kind, (int)def->particle);
    if (!finite3(def->position, 1e7) || !finite3(def->velocity, 1e4))
        return rill_fail(RILL_BAD_DEF,
                         "an emitter's position or velocity is too large or no number");
    if (!(def->radius >= 0.0 && def->radius <= 1e6) || !(def->rate >= 0.0 && def->rate <= 1e9) ||
        !(def->spread >= 0.0 && def->spread <= 1.0))
        return rill_fail(RILL_BAD_DEF,
                         "an emitter's radius of %g m, rate of %g m3/s or spread of %g is out of "
                         "range",
                         def->radius, def->rate, def->spread);
    if (def->kind == RILL_EMITTER_RAIN &&
        !(def->size[0] >= 0.0 && def->size[0] <= 1e7 && def->size[1] >= 0.0 && def->size[1] <= 1e7))
        return rill_fail(RILL_BAD_DEF, "a rain of %g x %g m is not possible", def->size[0],
                         def->size[1]);
    if (isnan(def->start) || isnan(def->end))
        return rill_fail(RILL_BAD_DEF, "an emitter's start or end is not a number");
    return rl_world_check_path("an emitter", def->path, def->path_count);
}

static rl_emitter *find_emitter(rill_world *w, rill_emitter_id id)
{
    if (w == NULL || id.index1 == 0 || id.index1 > RILL_MAX_EMITTERS)
        return NULL;
    rl_emitter *emitter = &w->core.emitters[id.index1 - 1];
    return emitter->alive && emitter->generation == id.generation ? emitter : NULL;
}

static rill_status fail_stale(void)
{
    return rill_fail(RILL_BAD_ARGUMENT, "the emitter does not exist, or no longer");
}

rill_status rill_world_add_emitter(rill_world *world, const rill_emitter_def *def,
                                   rill_emitter_id *out)
{
    const rill_status status = check_emitter(world, def);
    if (status != RILL_OK)
        return status;
    for (int n = 0; n < RILL_MAX_EMITTERS; n++) {
        rl_emitter *emitter = &world->core.emitters[n];
        if (emitter->alive)
            continue;
        *emitter = (rl_emitter){*def, ++world->core.emitter_generation, true};
        rl_particles_set_emitter(world->particles, n, def);
        if (out != NULL)
            *out = (rill_emitter_id){(uint32_t)n + 1, emitter->generation};
        return RILL_OK;
    }
    return rill_fail(RILL_BAD_ARGUMENT,
                     "the world has %d emitters already, there is no room for more",
                     RILL_MAX_EMITTERS);
}

rill_status rill_world_set_emitter(rill_world *world, rill_emitter_id id,
                                   const rill_emitter_def *def)
{
    const rill_status status = check_emitter(world, def);
    if (status != RILL_OK)
        return status;
    rl_emitter *emitter = find_emitter(world, id);
    if (emitter == NULL)
        return fail_stale();
    emitter->def = *def;
    rl_particles_set_emitter(world->particles, (int)id.index1 - 1, def);
    return RILL_OK;
}

rill_status rill_world_remove_emitter(rill_world *world, rill_emitter_id id)
{
    rl_emitter *emitter = find_emitter(world, id);
    if (emitter == NULL)
        return fail_stale();
    emitter->alive = false;
    rl_particles_set_emitter(world->particles, (int)id.index1 - 1, NULL);
    return RILL_OK;
}

void rl_world_restore_emitters(rill_world *w)
{
    if (w->particles != NULL)
        rl_particles_state_changes(w->particles); // a snapshot follows
    for (int n = 0; w->particles != NULL && n < RILL_MAX_EMITTERS; n++)
        rl_particles_set_emitter(w->particles, n,
                                 w->core.emitters[n].alive ? &w->core.emitters[n].def : NULL);
}
