// SPDX-License-Identifier: MIT
// world_particles.c - spray, splashes and foam of a world, and the emitters that make more of them.
#include "world/world_internal.h"

#include "gpu/gpu.h"

rill_particles_def rill_default_particles_def(void)
{
    return rill_default_world_def().particles;
}

rill_emitter_def rill_default_emitter_def(void)
{
    rill_emitter_def def = {0};
    rl_parameters_fill(RILL_DEFINITION_EMITTER, &def);
    return def;
}

rill_particles rill_world_particles(const rill_world *world)
{
    return world != NULL && world->particles != NULL ? rl_particles_view(world->particles)
                                                     : (rill_particles){0};
}

rl_particles_flow rl_world_flow(rill_world *w)
{
    return (rl_particles_flow){.ops = w->ops,
                               .solver = w->solver,
                               .jobs = w->jobs,
                               .nx = w->def.nx,
                               .ny = w->def.ny,
                               .cell_size = w->def.cell_size,
                               .gravity = w->def.gravity};
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
    rl_particles_flow water = rl_world_flow(w);
    water.clock = clock_of;
    water.clock_user = w;
    water.device = w->on_gpu ? rl_gpu_particles() : NULL;
    rl_particles_books books = {0};
    rl_particles_step(w->particles, &water, w->core.time, dt, w->core.steps, &books);
    rl_world_book(w, books.sourced);
    rl_world_book(w, -books.drained);
    w->last.births += 1e3 * books.births;
    w->core.limits.full_pool_steps += books.full;
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

static rill_status check_emitter(const rill_world *w, const rill_emitter_def *def)
{
    if (w == NULL || def == NULL)
        return rill_fail(RILL_BAD_ARGUMENT,
                         "an emitter needs a world and a definition, one is NULL");
    if (w->particles == NULL)
        return rill_fail(RILL_BAD_ARGUMENT,
                         "this world has no particles, particles.max_particles is 0");
    RILL_TRY(rl_parameters_check(RILL_DEFINITION_EMITTER, def));
    const bool foam = def->particle == RILL_PARTICLE_FOAM;
    if (foam && def->rate > 0.0)
        return rill_fail(RILL_BAD_DEF,
                         "emitter.rate is %g, but foam holds no water: emitter.discs says how many "
                         "discs come out",
                         def->rate);
    if (!foam && def->discs > 0.0)
        return rill_fail(
            RILL_BAD_DEF,
            "emitter.discs is %g, but only foam is counted in discs: emitter.rate says "
            "how much water comes out",
            def->discs);
    return rl_world_check_path("an emitter", def->path, def->path_count, 1e7);
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
    RILL_TRY(check_emitter(world, def));
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
                     "the world has %d emitters already, which is all it can have",
                     RILL_MAX_EMITTERS);
}

rill_status rill_world_set_emitter(rill_world *world, rill_emitter_id id,
                                   const rill_emitter_def *def)
{
    RILL_TRY(check_emitter(world, def));
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

// ---- Waves -----------------------------------------------------------------------------

rill_sea_def rill_default_sea_def(void)
{
    return (rill_sea_def){
        .size = 256,
        .tile = 100.0,
        .wind = 8.0,
        .wind_direction = 30.0,
        .height = 1.0,
        .longest = INFINITY,
        .depth = INFINITY,
        .gravity = 9.81,
        .chop = 1.0,
        .seed = 1,
    };
}

rill_status rill_sea_create(const rill_sea_def *def, rill_sea **out)
{
    if (def == NULL || out == NULL)
        return rill_fail(RILL_BAD_ARGUMENT,
                         "rill_sea_create needs a definition and a place for the sea, one is NULL");
    return rl_sea_create(def, rill_allocator_of(def->host), out);
}

void rill_sea_destroy(rill_sea **sea)
{
    if (sea != NULL)
        rl_sea_destroy(sea);
}

rill_status rill_sea_update(rill_sea *sea, rill_world *world, double time)
{
    if (sea == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "rill_sea_update needs a sea, it is NULL");
    if (!(fabs(time) < 1e15))
        return rill_fail(RILL_BAD_ARGUMENT, "a sea at %g s is not possible", time);
    rl_sea_update(sea, world != NULL ? world->jobs : NULL, time);
    return RILL_OK;
}

rill_sea_view rill_sea_get(const rill_sea *sea)
{
    return sea != NULL ? rl_sea_view(sea) : (rill_sea_view){0};
}

rill_waves rill_world_waves(rill_world *world)
{
    if (world == NULL || world->waves == NULL)
        return (rill_waves){0};
    return rl_advected_view(world->waves, world->jobs, world->core.time);
}
