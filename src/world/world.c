// SPDX-License-Identifier: MIT
// world.c - making and unmaking a world, and reading it.
#include "world/world_internal.h"

#include "core/memory.h"
#include "core/numbers.h"
#include "gpu/gpu.h"
#include "terrain/heightfield.h"

#include <string.h>
#include <time.h>

#define USUAL_WIND   4.0f  // m/s: makes the fine waves of a world that says nothing about wind
#define CALMEST_WIND 0.01f // m/s: the least that still makes waves

rill_world_def rill_default_world_def(void)
{
    rill_world_def def = {.cookie = RL_DEF_COOKIE};
    rl_parameters_fill(RILL_DEFINITION_WORLD, &def);
    return def;
}

// Systems promise memory that they do not have and then end the program, so this is asked before
// anything large is made. A host that lends its own memory knows better.
rill_status rill_world_check_memory(const rill_world_def *def)
{
    if (def == NULL || (unsigned)def->solver >= RILL_SOLVER_COUNT)
        return rill_fail(RILL_BAD_ARGUMENT, "rill_world_check_memory needs a definition");
    const uint64_t have = rl_memory_of_machine();
    const uint64_t need = rl_solver_of(def->solver)->memory_needed(def);
    if (have == 0 || need <= have || def->host.allocator.allocate != NULL)
        return RILL_OK;
    return rill_fail(RILL_NO_MEMORY,
                     "%d x %d cells need %.1f GB of memory, this machine has %.1f GB", def->nx,
                     def->ny, 1e-9 * (double)need, 1e-9 * (double)have);
}

// ---- Making and unmaking ---------------------------------------------------------------

// The wind of the world goes to all that have none of their own.
static void complete_wind(rill_world_def *def)
{
    const bool blows = def->wind.speed >= 0.0f;
    const double turn = (double)def->wind.direction / 360.0;
    const float speed = blows ? fmaxf(def->wind.speed, CALMEST_WIND) : USUAL_WIND;
    const double air[2] = {rill_sine_of_turns(turn + 0.25), rill_sine_of_turns(turn)};
    float *const speeds[] = {&def->waves.wind, &def->river.wave_particles.wind};
    float *const directions[] = {&def->waves.wind_direction,
                                 &def->river.wave_particles.wind_direction};
    for (int n = 0; n < 2; n++) {
        if (!(*speeds[n] > 0.0f))
            *speeds[n] = speed;
        if (isnan(*directions[n]))
            *directions[n] = def->wind.direction;
        if (isnan(def->particles.wind[n]))
            def->particles.wind[n] = blows ? (float)((double)def->wind.speed * air[n]) : 0.0f;
    }
}

// Lengths that were left to the cells.
static void complete_def(rill_world_def *def)
{
    RL_ASSERT(def->cell_size > 0.0f);
    complete_wind(def);
    const float dx = def->cell_size;
    if (!(def->wet_depth > 0.0f))
        def->wet_depth = 1e-4f * dx;
    if (!(def->particles.radius > 0.0f))
        def->particles.radius = 0.125f * dx;
    if (!(def->particles.foam_radius > 0.0f))
        def->particles.foam_radius = 0.25f * dx;
    if (def->bodies.max_vertices == 0)
        def->bodies.max_vertices = 64 * def->bodies.max_bodies;
    if (def->bodies.max_triangles == 0)
        def->bodies.max_triangles = 128 * def->bodies.max_bodies;
    if (!(def->waves.tile > 0.0f))
        def->waves.tile = 16.0f * dx;
    if (!(def->waves.longest > 0.0f))
        def->waves.longest = 2.0f * dx;
}

// What rides on the water.
static rill_status create_riders(rill_world *w)
{
    RL_ASSERT(w->solver != NULL && w->ops != NULL);
    const rill_world_def *def = &w->def;
    const rill_allocator *a = &def->host.allocator;
    RILL_TRY(rl_world_start_river(w));
    if (def->particles.max_particles > 0)
        RILL_TRY(rl_particles_create(&def->particles, def->seed, w->isa, a, &w->particles));
    if (def->waves.size > 0)
        RILL_TRY(rl_advected_create(&def->waves, def->nx, def->ny, def->cell_size, def->gravity,
                                    def->seed, w->isa, a, &w->waves));
    return def->bodies.max_bodies > 0 ? rl_world_bodies_create(w) : RILL_OK;
}

static rill_status pick_backend(const rill_world_def *def, const rl_solver_ops **on_gpu)
{
    *on_gpu = NULL;
    if (def->backend == RILL_BACKEND_CPU)
        return RILL_OK;
    const rl_solver_ops *ops = rl_gpu_ops(def->solver);
    if (def->backend == RILL_BACKEND_AUTO) {
        if (ops != NULL && rl_gpu_check() == RILL_OK)
            *on_gpu = ops;
        return RILL_OK;
    }
    RILL_TRY(rl_gpu_check());
    *on_gpu = ops;
    return ops != NULL ? RILL_OK
                       : rill_fail(RILL_NO_BACKEND, "the %s solver has no version for a GPU",
                                   rl_solver_of(def->solver)->name);
}

// All that a world has besides its definition; destroyed by the caller on failure.
static rill_status create_parts(rill_world *w, const rill_world_def *def)
{
    const rill_allocator *a = &w->def.host.allocator;
    RILL_TRY(rl_jobs_create(&def->host, def->worker_count, &w->jobs));
    RILL_TRY(rl_world_ground_create(w, def));
    rl_world_cut cut = {0};
    rill_status status = rl_world_moving_domain_create(w, &cut);
    if (status == RILL_OK)
        status = w->ops->create(&w->def, w->isa, &w->solver);
    rl_world_cut_destroy(w, &cut);
    w->def.bed.data = w->def.depth.data = NULL;
    w->def.velocity_x.data = w->def.velocity_y.data = NULL;
    RILL_TRY(status);
    rl_world_set_profiles(w);
    RILL_TRY(create_riders(w));
    w->sources = rill_alloc(a, (size_t)def->max_sources * sizeof *w->sources);
    w->row_volumes = rill_alloc(a, (size_t)def->ny * sizeof *w->row_volumes);
    w->brush_scratch = rill_alloc(a, rl_brush_scratch_floats(def->nx) * sizeof(float));
    if ((w->sources == NULL && def->max_sources > 0) || w->row_volumes == NULL ||
        w->brush_scratch == NULL)
        return rill_fail(RILL_NO_MEMORY, "no memory for %d sources", def->max_sources);
    w->core.books.initial = w->ops->volume(w->solver, w->jobs);
    w->core.stable = w->ops->stable_step(w->solver);
    return RILL_OK;
}

rill_status rill_world_create(const rill_world_def *def, rill_world **out)
{
    if (out == NULL || def == NULL)
        return rill_fail(
            RILL_BAD_ARGUMENT,
            "rill_world_create needs a definition and a place for the world, one of them is NULL");
    *out = NULL;
    const rl_solver_ops *on_gpu = NULL;
    rl_isa isa = RL_ISA_PLAIN;
    RILL_TRY(rl_world_check_def(def));
    RILL_TRY(rill_world_check_memory(def));
    RILL_TRY(pick_backend(def, &on_gpu));
    RILL_TRY(rl_isa_pick(&isa));
    rill_world *w = rill_alloc(&def->host.allocator, sizeof *w);
    if (w == NULL)
        return rill_fail(RILL_NO_MEMORY, "no memory for a world");
    w->def = *def;
    complete_def(&w->def);
    w->isa = isa;
    w->on_gpu = on_gpu != NULL;
    w->ops = w->on_gpu ? on_gpu : rl_solver_of(def->solver);
    memcpy(w->core.border, def->border, sizeof w->core.border);
    memcpy(w->core.border_level, def->border_level, sizeof w->core.border_level);
    memcpy(w->core.border_now, def->border_level, sizeof w->core.border_now);
    const rill_status status = create_parts(w, def);
    if (status != RILL_OK)
        rill_world_destroy(&w);
    *out = w;
    return status;
}

void rill_world_destroy(rill_world **world)
{
    if (world == NULL || *world == NULL)
        return;
    rill_world *w = *world;
    const rill_allocator allocator = w->def.host.allocator;
    rl_world_free_rain(w);
    rill_free(&allocator, w->sources, (size_t)w->def.max_sources * sizeof *w->sources);
    rill_free(&allocator, w->row_volumes, (size_t)w->def.ny * sizeof *w->row_volumes);
    rill_free(&allocator, w->brush_scratch, rl_brush_scratch_floats(w->def.nx) * sizeof(float));
    rl_world_free_borders(w);
    rl_world_moving_domain_destroy(w);
    rl_world_bodies_destroy(w);
    rl_particles_destroy(&w->particles);
    rl_advected_destroy(&w->waves);
    rl_wave_particles_destroy(&w->wave_particles);
    w->ops->destroy(&allocator, &w->solver);
    rl_world_ground_destroy(w);
    rl_jobs_destroy(&w->jobs);
    rill_free(&allocator, w, sizeof *w);
    *world = NULL;
}

// ---- Reading ---------------------------------------------------------------------------

double rl_world_clock(const rill_world *w)
{
    if (w->def.host.clock != NULL)
        return w->def.host.clock(w->def.host.clock_user);
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double rill_world_time(const rill_world *world)
{
    return world != NULL ? world->core.time : 0.0;
}

rill_columns rill_world_columns(rill_world *world)
{
    return world != NULL ? world->ops->columns(world->solver, world->jobs, NULL)
                         : (rill_columns){0};
}

rill_columns rill_world_drawn_columns(rill_world *world)
{
    const rill_columns columns = rill_world_columns(world);
    if (world == NULL || world->bodies == NULL || !world->bodies->has_blocks)
        return columns;
    return rl_bodies_show(world->bodies, world->jobs, &columns);
}

rill_columns rl_world_rows(const rill_world *w, int first, int end)
{
    RL_ASSERT(first >= 0 && end <= w->def.ny);
    const rl_columns_request request = {.row_first = first, .row_end = end};
    return w->ops->columns(w->solver, w->jobs, &request);
}

rill_field_view rill_world_depth(const rill_world *world)
{
    if (world == NULL)
        return (rill_field_view){0};
    const rill_columns c = rl_world_rows(world, 0, world->def.ny);
    return (rill_field_view){c.depth, c.nx, c.ny, c.pitch};
}

rill_field_view rill_world_bed(const rill_world *world)
{
    if (world == NULL)
        return (rill_field_view){0};
    const rill_columns c = rl_world_rows(world, 0, 0);
    return (rill_field_view){c.base, c.nx, c.ny, c.pitch};
}

float rill_world_cell_size(const rill_world *world)
{
    return world != NULL ? world->def.cell_size : 0.0f;
}

const rill_host *rill_world_host(const rill_world *world)
{
    return world != NULL ? &world->def.host : NULL;
}

float rill_world_gravity(const rill_world *world)
{
    return world != NULL ? world->def.gravity : 0.0f;
}

size_t rill_world_memory(const rill_world *world)
{
    if (world == NULL)
        return 0;
    return sizeof *world + world->ops->memory(world->solver) + rl_world_ground_memory(world) +
           (size_t)world->def.max_sources * sizeof *world->sources +
           (size_t)world->def.ny * sizeof *world->row_volumes +
           rl_brush_scratch_floats(world->def.nx) * sizeof(float) + world->rain.field_bytes +
           rl_particles_memory(world->particles) + rl_advected_memory(world->waves) +
           rl_wave_particles_memory(world->wave_particles) + rl_world_bodies_memory(world) +
           (size_t)world->rain.count * sizeof *world->rain.frames;
}

const char *rill_world_isa(const rill_world *world)
{
    return world != NULL ? rl_isa_name(world->isa) : "";
}

// ---- Where the water is computed -------------------------------------------------------

const char *rill_world_backend(const rill_world *world)
{
    return world == NULL ? "" : world->on_gpu ? "cuda" : "cpu";
}

static rill_status check_name(rill_backend backend)
{
    if ((int)backend >= 0 && backend < RILL_BACKEND_COUNT)
        return RILL_OK;
    return rill_fail(RILL_BAD_ARGUMENT, "there is no back end %d", (int)backend);
}

rill_status rill_backend_check(rill_backend backend)
{
    const rill_status status = check_name(backend);
    return status == RILL_OK && backend == RILL_BACKEND_CUDA ? rl_gpu_check() : status;
}

rill_status rill_backend_measure(rill_backend backend, char *name, size_t name_size,
                                 double *copy_bytes_per_second)
{
    RILL_TRY(check_name(backend));
    if (backend == RILL_BACKEND_CPU || name == NULL || copy_bytes_per_second == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "rill_backend_measure needs a GPU's back end, a place "
                                            "for its name and one for its speed");
    return rl_gpu_measure(name, name_size, copy_bytes_per_second);
}
