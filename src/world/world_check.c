// SPDX-License-Identifier: MIT
// world_check.c - is a definition one that a world can be made of? What is wrong is said in one
// sentence with the value, and nothing has been made yet.
#include "world/world_internal.h"

#include <math.h>

// Written so that a NaN fails.
static bool within(double value, double low, double high)
{
    return value >= low && value <= high;
}

static rill_status check_view(const char *name, const rill_field_view *view,
                              const rill_world_def *def, float low)
{
    if (view->data == NULL)
        return RILL_OK;
    if (view->nx != def->nx || view->ny != def->ny)
        return rill_fail(RILL_BAD_DEF, "%s has %d x %d cells, the world has %d x %d", name,
                         view->nx, view->ny, def->nx, def->ny);
    if (view->pitch < (size_t)view->nx)
        return rill_fail(RILL_BAD_DEF, "%s has a pitch of %zu floats for rows of %d", name,
                         view->pitch, view->nx);
    for (int j = 0; j < view->ny; j++)
        for (int i = 0; i < view->nx; i++) {
            const float value = view->data[(size_t)j * view->pitch + (size_t)i];
            if (!within((double)value, (double)low, 1e6))
                return rill_fail(RILL_BAD_DEF,
                                 "%s is %g at cell (%d, %d), it must be from %g to 1e6", name,
                                 (double)value, i, j, (double)low);
        }
    return RILL_OK;
}

rill_status rl_world_check_numbers(const rl_world_number *numbers, size_t count)
{
    for (size_t n = 0; n < count; n++)
        if (!within(numbers[n].value, numbers[n].low, numbers[n].high))
            return rill_fail(RILL_BAD_DEF, "%s is %g, it must be from %g to %g", numbers[n].name,
                             numbers[n].value, numbers[n].low, numbers[n].high);
    return RILL_OK;
}

static rill_status check_numbers(const rill_world_def *def)
{
    const rl_world_number numbers[] = {
        {"nx", def->nx, 4, RILL_MAX_SIDE},
        {"ny", def->ny, 4, RILL_MAX_SIDE},
        {"nx * ny", (double)def->nx * (double)def->ny, 16, RILL_MAX_CELLS},
        {"cell_size", (double)def->cell_size, 1e-6, 1e6},
        {"gravity", (double)def->gravity, 0.01, 1000},
        {"level", def->use_level ? (double)def->level : 0.0, -1e6, 1e6},
        {"pipes.friction", (double)def->pipes.friction, 0, 0.999999},
        {"pipes.viscosity", (double)def->pipes.viscosity, 0, 1},
        {"pipes.drag", (double)def->pipes.drag, 0, 1},
        {"layers.max_layers", def->layers.max_layers, 1, 64},
        {"layers.max_movers", def->layers.max_movers, 0, 10000},
        {"max_substeps", def->max_substeps, 1, 100000},
        {"max_step", def->max_step, 0, 3600},
        {"worker_count", def->worker_count, 1, 256},
        {"max_sources", def->max_sources, 0, 1000000},
        {"backend", def->backend, 0, RILL_BACKEND_COUNT - 1},
    };
    const rill_status status = rl_world_check_numbers(numbers, sizeof numbers / sizeof numbers[0]);
    if (status != RILL_OK)
        return status;
    const float theta = def->pipes.smoothing;
    if (theta != RILL_SMOOTHING_AUTO && !within((double)theta, 0.5, 1))
        return rill_fail(RILL_BAD_DEF, "pipes.smoothing is %g, it must be from 0.5 to 1",
                         (double)theta);
    if (isnan(def->wet_depth))
        return rill_fail(RILL_BAD_DEF, "wet_depth is not a number");
    return RILL_OK;
}

rill_status rl_world_check_border(rill_solver solver, rill_side side, rill_border border,
                                  float level)
{
    if ((unsigned)side >= RILL_SIDE_COUNT || (unsigned)border >= RILL_BORDER_COUNT)
        return rill_fail(RILL_BAD_DEF, "border %d of side %d does not exist", (int)border,
                         (int)side);
    const bool swe_only = border == RILL_BORDER_INFLOW || border == RILL_BORDER_ABSORB;
    if (swe_only && solver != RILL_SOLVER_SWE)
        return rill_fail(RILL_BAD_DEF, "border %d of side %d is for the swe water", (int)border,
                         (int)side);
    if (solver == RILL_SOLVER_RIVER && border != RILL_BORDER_WALL)
        return rill_fail(RILL_BAD_DEF,
                         "side %d has border %d: a river finds its borders itself, all are walls "
                         "besides where it crosses them",
                         (int)side, (int)border);
    const double low = border == RILL_BORDER_INFLOW ? 0.0 : -1e6;
    if ((border == RILL_BORDER_LEVEL || swe_only) && !within((double)level, low, 1e6))
        return rill_fail(RILL_BAD_DEF, "border_level of side %d is %g, it must be from %g to 1e6",
                         (int)side, (double)level, low);
    return RILL_OK;
}

rill_status rl_world_check_path(const char *whose, const rill_path_key *keys, int count)
{
    if (count < 0 || count > RILL_PATH_MAX_KEYS)
        return rill_fail(RILL_BAD_DEF, "the path of %s has %d keys, it must have from 0 to %d",
                         whose, count, RILL_PATH_MAX_KEYS);
    for (int n = 0; n < count; n++) {
        const rill_path_key *key = &keys[n];
        const bool near =
            within(key->x, -1e7, 1e7) && within(key->y, -1e7, 1e7) && within(key->z, -1e7, 1e7);
        if (!near || !within(key->time, -1e15, 1e15) || (n > 0 && !(key->time > key[-1].time)))
            return rill_fail(RILL_BAD_DEF,
                             "key %d of the path of %s is (%g, %g, %g) m at %g s; times must rise "
                             "and places be within 1e7 m",
                             n, whose, key->x, key->y, key->z, key->time);
    }
    return RILL_OK;
}

static rill_status check_swe(const rill_world_def *def)
{
    const rill_swe_def *swe = &def->swe;
    const rl_world_number numbers[] = {
        {"swe.advection", (double)swe->advection, 0, RILL_ADVECTION_MACCORMACK},
        {"swe.viscosity", (double)swe->viscosity, 0, 1},
        {"swe.manning", (double)swe->manning, 0, 1},
        {"swe.acceleration_x", (double)swe->acceleration_x, -100, 100},
        {"swe.acceleration_y", (double)swe->acceleration_y, -100, 100},
        {"swe.velocity_limit", (double)swe->velocity_limit, 0.001, 0.5},
        {"swe.depth_limit", (double)swe->depth_limit, 0.001, 0.5},
        {"swe.cliff", (double)swe->cliff, 0.01, 1e6},
        {"swe.overshoot", (double)swe->overshoot, 0, 0.5},
        {"swe.overshoot_edge", (double)swe->overshoot_edge, 0, 1e6},
        {"swe.absorb_cells", swe->absorb_cells, 2, 1000},
        {"swe.absorb_reflection", (double)swe->absorb_reflection, 1e-30, 0.999},
    };
    return rl_world_check_numbers(numbers, sizeof numbers / sizeof numbers[0]);
}

static rill_status check_particles(const rill_particles_def *p)
{
    const rl_world_number numbers[] = {
        {"particles.max_particles", p->max_particles, 0, 1e7},
        {"particles.radius", (double)p->radius, 0, 1e3},
        {"particles.spray_radius", (double)p->spray_radius, 0.01, 1},
        {"particles.deposit", (double)p->deposit, 1, 1000},
        {"particles.drag of spray", (double)p->drag[RILL_PARTICLE_SPRAY], 0, 1000},
        {"particles.drag of splash", (double)p->drag[RILL_PARTICLE_SPLASH], 0, 1000},
        {"particles.wind_x", (double)p->wind_x, -1000, 1000},
        {"particles.wind_y", (double)p->wind_y, -1000, 1000},
        {"particles.velocity_noise", (double)p->velocity_noise, 0, 1},
        {"particles.breaking_slope", (double)p->breaking_slope, 0, 1e6},
        {"particles.breaking_rise", (double)p->breaking_rise, 0, 1e6},
        {"particles.breaking_curvature", (double)p->breaking_curvature, -1e9, 1e9},
        {"particles.breaking_amount", (double)p->breaking_amount, 0, 100},
        {"particles.breaking_lift", (double)p->breaking_lift, 0, 100},
        {"particles.spray_share", (double)p->spray_share, 0, 1},
        {"particles.foam_speed", (double)p->foam_speed, 0, 1e6},
        {"particles.foam_life", (double)p->foam_life, 0, 1e6},
        {"particles.foam_life_noise", (double)p->foam_life_noise, 0, 1},
        {"particles.foam_radius", (double)p->foam_radius, 0, 1e3},
    };
    return rl_world_check_numbers(numbers, sizeof numbers / sizeof numbers[0]);
}

static rill_status check_waves(const rill_waves_def *waves)
{
    const rl_world_number numbers[] = {
        {"waves.size", waves->size, 16, 1024},
        {"waves.tile", (double)waves->tile, 0, 1e6},
        {"waves.wind", (double)waves->wind, 0.01, 100},
        {"waves.wind_direction", (double)waves->wind_direction, -360, 360},
        {"waves.height", (double)waves->height, 0, 1000},
        {"waves.longest", (double)waves->longest, 0, 1e6},
        {"waves.stretch", (double)waves->stretch, 0, 1000},
        {"waves.period", (double)waves->period, 0.01, 1e6},
    };
    if (waves->size == 0)
        return RILL_OK;
    if (waves->size > 0 && (waves->size & (waves->size - 1)) != 0)
        return rill_fail(RILL_BAD_DEF,
                         "waves.size is %d, it must be a power of two from 16 to 1024",
                         waves->size);
    return rl_world_check_numbers(numbers, sizeof numbers / sizeof numbers[0]);
}

static rill_status check_bodies(const rill_bodies_def *b)
{
    const rl_world_number numbers[] = {
        {"bodies.max_bodies", b->max_bodies, 0, 10000},
        {"bodies.max_vertices", b->max_vertices, 0, 1e7},
        {"bodies.max_triangles", b->max_triangles, 0, 1e7},
        {"bodies.density", (double)b->density, 1, 1e5},
        {"bodies.kappa", (double)b->kappa, 0.01, 1e6},
        {"bodies.decay", (double)b->decay, 0, 1e6},
        {"bodies.splash_speed", (double)b->splash_speed, 0, 1e6},
        {"bodies.splash_amount", (double)b->splash_amount, 0, 100},
        {"bodies.splash_normal", (double)b->splash_normal, -10, 10},
        {"bodies.splash_along", (double)b->splash_along, -10, 10},
        {"bodies.splash_lift", (double)b->splash_lift, -10, 10},
        {"bodies.splash_mirror", (double)b->splash_mirror, -10, 10},
        {"bodies.spread", (double)b->spread, 0, 0.25},
        {"bodies.release", (double)b->release, 0, 1e6},
        {"bodies.engine_step", (double)b->engine_step, 1e-5, 1},
    };
    return rl_world_check_numbers(numbers, sizeof numbers / sizeof numbers[0]);
}

static rill_status check_window(const rill_world_def *def)
{
    const rill_moving_domain_def *window = &def->window;
    if (window->country == NULL)
        return RILL_OK;
    if (def->solver != RILL_SOLVER_SWE)
        return rill_fail(RILL_BAD_DEF, "only the swe water can be a window on a country");
    if (def->bed.data != NULL)
        return rill_fail(RILL_BAD_DEF, "the world has two grounds, a country and a bed");
    const rill_field_view country = rill_heightfield_view(window->country);
    const double cell = rill_heightfield_cell_size(window->country);
    if (fabs(cell / (double)def->cell_size - 1.0) > 1e-5)
        return rill_fail(RILL_BAD_DEF, "the country has cells of %g m, the world of %g m", cell,
                         (double)def->cell_size);
    if (window->water != NULL) {
        const rill_field_view water = rill_heightfield_view(window->water);
        if (water.nx != country.nx || water.ny != country.ny)
            return rill_fail(RILL_BAD_DEF, "the country has %d x %d cells, its water %d x %d",
                             country.nx, country.ny, water.nx, water.ny);
    }
    const rill_status status = rl_world_check_path("a window", window->path, window->path_count);
    if (status != RILL_OK)
        return status;
    if (!within(window->i, 0, (double)country.nx - def->nx) ||
        !within(window->j, 0, (double)country.ny - def->ny))
        return rill_fail(
            RILL_BAD_DEF,
            "a window of %d x %d cells at (%d, %d) reaches out of a country of %d x %d", def->nx,
            def->ny, window->i, window->j, country.nx, country.ny);
    return RILL_OK;
}

static rill_status check_layers(const rill_world_def *def)
{
    if ((unsigned)def->layers.passages > RILL_PASSAGES_NONE)
        return rill_fail(RILL_BAD_DEF, "layers.passages %d does not exist",
                         (int)def->layers.passages);
    const rill_solid *solid = def->solid;
    if (solid == NULL)
        return RILL_OK;
    if (def->solver != RILL_SOLVER_LAYERS)
        return rill_fail(RILL_BAD_DEF, "only the layers water can stand on a solid");
    if (def->bed.data != NULL)
        return rill_fail(RILL_BAD_DEF, "the world has two grounds, a solid and a bed");
    if (solid->nx != def->nx || solid->ny != def->ny ||
        fabs(solid->cell_size / (double)def->cell_size - 1.0) > 1e-5)
        return rill_fail(
            RILL_BAD_DEF, "the solid has %d x %d cells of %g m, the world has %d x %d of %g m",
            solid->nx, solid->ny, solid->cell_size, def->nx, def->ny, (double)def->cell_size);
    return RILL_OK;
}

rill_status rl_world_check_def(const rill_world_def *def)
{
    if (def->cookie != RL_DEF_COOKIE)
        return rill_fail(RILL_BAD_DEF, "the definition was not made by rill_default_world_def()");
    if ((unsigned)def->solver >= RILL_SOLVER_COUNT)
        return rill_fail(RILL_BAD_DEF, "solver %d does not exist", (int)def->solver);
    if ((unsigned)def->pipes.area > RILL_AREA_PAPER)
        return rill_fail(RILL_BAD_DEF, "pipes.area %d does not exist", (int)def->pipes.area);
    if ((def->host.allocator.allocate == NULL) != (def->host.allocator.release == NULL))
        return rill_fail(RILL_BAD_DEF, "the host's allocator needs both of its functions, or none");
    rill_status status = check_numbers(def);
    if (status == RILL_OK)
        status = check_layers(def);
    if (status == RILL_OK)
        status = check_swe(def);
    if (status == RILL_OK)
        status = rl_world_check_river(def);
    if (status == RILL_OK)
        status = check_particles(&def->particles);
    if (status == RILL_OK)
        status = check_waves(&def->waves);
    if (status == RILL_OK)
        status = check_window(def);
    if (status == RILL_OK)
        status = check_bodies(&def->bodies);
    for (int side = 0; side < RILL_SIDE_COUNT && status == RILL_OK; side++)
        status = rl_world_check_border(def->solver, (rill_side)side, def->border[side],
                                       def->border_level[side]);
    if (status == RILL_OK)
        status = check_view("bed", &def->bed, def, -1e6f);
    if (status == RILL_OK)
        status = check_view("depth", &def->depth, def, 0.0f);
    return status;
}
