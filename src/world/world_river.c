// SPDX-License-Identifier: MIT
// world_river.c - a world whose water is a river: its definition, its start (out of a cache, or by
// letting it flow until it has come through), and what one can ask and tell it (rill/river.h).
#include "world/world_internal.h"

#include "core/assert.h"
#include "scene/formats/cache_file.h"

#include <math.h>
#include <string.h>

rill_river_def rill_default_river_def(void)
{
    return (rill_river_def){
        .path = rill_default_river_path_def(),
        .speed = 1.3f,
        .viscosity = 0.05f,
        .bank = RILL_RIVER_FREE_SLIP,
        .pressure = RILL_RIVER_MULTIGRID,
        .sweeps = 20,
        .tolerance = 5e-5f,
        .columns = 4,
        .columns_share = 1.0f,
        .columns_limit = 3.0f,
        .columns_vary = 0.05f,
        .columns_friction = 0.1f,
        .vary = 0.01f,
        .min_speed = 0.05f,
        .max_speed = 3.0f,
        .reversal = 15.0f,
        .direction = NAN,
        .bootstrap = -1.0,
        .drift = {.texels = 4,
                  .size = 256,
                  .wind = 4.0f,
                  .wind_direction = 30.0f,
                  .height = 1.0f,
                  .life = 6.0f},
        .detail_distance = 500.0f,
        .dye_conservative = 1,
    };
}

static rill_status check_drift(const rill_wave_particles_def *drift)
{
    const rl_world_number numbers[] = {
        {"river.drift.texels", drift->texels, 0, 16},
        {"river.drift.size", drift->size, 16, 1024},
        {"river.drift.tile", (double)drift->tile, 0, 1e6},
        {"river.drift.wind", (double)drift->wind, 0.01, 100},
        {"river.drift.wind_direction", (double)drift->wind_direction, -360, 360},
        {"river.drift.height", (double)drift->height, 0, 1000},
        {"river.drift.life", (double)drift->life, 0.01, 1e6},
        {"river.drift.distance", (double)drift->distance, 0, 1e7},
        {"river.drift.max_particles", drift->max_particles, 0, 1e8},
    };
    const rill_status status = rl_world_check_numbers(numbers, sizeof numbers / sizeof numbers[0]);
    if (status == RILL_OK && (drift->size & (drift->size - 1)) != 0)
        return rill_fail(RILL_BAD_DEF, "river.drift.size is %d, it must be a power of two",
                         drift->size);
    return status;
}

rill_status rl_world_check_river(const rill_world_def *def)
{
    const rill_river_def *river = &def->river;
    if (rl_solver_of(def->solver)->river == NULL)
        return RILL_OK;
    const rl_world_number numbers[] = {
        {"river.path.from", river->path.from, 0, RILL_SIDE_COUNT - 1},
        {"river.path.surface", (double)river->path.surface, 0, RILL_RIVER_PROFILE},
        {"river.path.level", river->path.level, -1e6, 1e6},
        {"river.path.depth", river->path.depth, 1e-3, 1e4},
        {"river.path.catchment", river->path.catchment, 0, (double)INFINITY},
        {"river.path.smoothing", river->path.smoothing, 0, 1e6},
        {"river.speed", (double)river->speed, 1e-3, 20},
        {"river.viscosity", (double)river->viscosity, 0, 100},
        {"river.bank", (double)river->bank, 0, RILL_RIVER_NO_SLIP},
        {"river.pressure", (double)river->pressure, 0, RILL_RIVER_JACOBI},
        {"river.sweeps", river->sweeps, 1, 1000},
        {"river.tolerance", (double)river->tolerance, 1e-6, 1},
        {"river.columns", river->columns, 0, 16},
        {"river.columns_share", (double)river->columns_share, 0, 4},
        {"river.columns_limit", (double)river->columns_limit, 1, 100},
        {"river.columns_vary", (double)river->columns_vary, 0, 0.5},
        {"river.columns_friction", (double)river->columns_friction, 0, 1},
        {"river.vary", (double)river->vary, 0, 1},
        {"river.min_speed", (double)river->min_speed, 0, 1},
        {"river.max_speed", (double)river->max_speed, 1, 1000},
        {"river.reversal", (double)river->reversal, 0, 180},
        {"river.straight", (double)river->straight, 0, 1000},
        {"river.bootstrap", river->bootstrap, -1, 1e7},
        {"river.detail", river->detail, 0, RILL_DETAIL_SOLVER | RILL_DETAIL_WAVES},
        {"river.detail_distance", (double)river->detail_distance, 1e-3, 1e7},
        {"river.viewer x", river->viewer[0], -1e7, 1e7},
        {"river.viewer y", river->viewer[1], -1e7, 1e7},
        {"river.viewer z", river->viewer[2], -1e7, 1e7},
    };
    const rill_status status = rl_world_check_numbers(numbers, sizeof numbers / sizeof numbers[0]);
    if (status != RILL_OK)
        return status;
    if (!isnan(river->direction) && !(fabsf(river->direction) <= 360.0f))
        return rill_fail(RILL_BAD_DEF, "river.direction is %g degrees, it must be from -360 to 360",
                         (double)river->direction);
    if (def->depth.data != NULL || def->use_level)
        return rill_fail(RILL_BAD_DEF, "the level of a river comes from river.path, the world has "
                                       "another depth or level at the start");
    return check_drift(&river->drift);
}

// ---- The start -------------------------------------------------------------------------

// The water as arrays of the cache; returns their number.
static int kept_arrays(const rill_world *w, rl_cache_file_array kept[RL_MAX_STATE_ARRAYS])
{
    rill_state_array arrays[RL_MAX_STATE_ARRAYS];
    const int count = w->ops->state(w->solver, arrays);
    int n = 0;
    for (int k = 0; k < count; k++)
        if (strcmp(arrays[k].name, "bed") != 0) // the DEM has it, and the key stands for it
            kept[n++] = (rl_cache_file_array){arrays[k].name, arrays[k].data, arrays[k].pitch,
                                              arrays[k].width, arrays[k].rows};
    return n;
}

static void warn(const rill_world *w, const char *line)
{
    if (w->def.host.log != NULL)
        w->def.host.log(w->def.host.log_user, RILL_LOG_WARNING, line);
}

// A cache that cannot be written is no reason to refuse a river that flows.
static rill_status start_flow(rill_world *w, const char *cache)
{
    RL_ASSERT(w->ops->river != NULL);
    const rl_river_ops *river = w->ops->river;
    rl_cache_file_array kept[RL_MAX_STATE_ARRAYS];
    const int count = cache != NULL ? kept_arrays(w, kept) : 0;
    const uint64_t key = cache != NULL ? river->key(w->solver) : 0;
    double seconds = 0.0;
    if (cache != NULL && rl_cache_file_read(cache, key, kept, count, &seconds, 1,
                                            &w->def.host.allocator) == RILL_OK) {
        w->ops->state_changed(w->solver);
        river->came_from_cache(w->solver, seconds);
        return RILL_OK;
    }
    const rill_status status = river->bootstrap(w->solver, w->jobs);
    if (status != RILL_OK || cache == NULL)
        return status;
    seconds = river->look(w->solver, w->jobs).bootstrapped;
    kept_arrays(w, kept); // arrays have changed places while it flowed
    if (rl_cache_file_write(cache, key, kept, count, &seconds, 1) != RILL_OK)
        warn(w, rill_last_error());
    return RILL_OK;
}

rill_status rl_world_start_river(rill_world *w)
{
    if (w->ops->river == NULL)
        return RILL_OK;
    const rill_status status = start_flow(w, w->def.river.cache);
    w->def.river.cache = NULL; // it belonged to the caller
    if (status != RILL_OK || w->def.river.drift.texels == 0)
        return status;
    const rill_columns columns = rill_world_columns(w);
    const rill_river_path_view path = rill_river_path_get(w->ops->river->path(w->solver));
    return rl_wave_particles_create(&w->def.river.drift, &columns, path.length, w->def.gravity,
                                    w->def.seed, w->isa, &w->def.host.allocator, &w->drift);
}

static const rl_quadtree *detail_of_waves(const rill_world *w)
{
    return (w->def.river.detail & RILL_DETAIL_WAVES) != 0 ? w->ops->river->detail(w->solver) : NULL;
}

void rl_world_step_wave_particles(rill_world *w, double dt)
{
    if (w->drift == NULL)
        return;
    const rill_columns columns = rill_world_columns(w);
    rl_wave_particles_step(w->drift, w->jobs, &columns, detail_of_waves(w), dt, w->core.steps);
}

rill_status rl_world_river_ground_changed(rill_world *w)
{
    if (w->drift == NULL)
        return RILL_OK;
    const rill_columns columns = rill_world_columns(w);
    return rl_wave_particles_ground_changed(w->drift, &columns);
}

// ---- Asking and telling ----------------------------------------------------------------

static const rl_river_ops *river_of(const rill_world *world)
{
    return world != NULL ? world->ops->river : NULL;
}

static rill_status fail_no_river(const char *what)
{
    return rill_fail(RILL_BAD_ARGUMENT, "%s needs a world whose water is a river", what);
}

rill_status rill_world_set_viewer(rill_world *world, double x, double y, double z)
{
    const rl_river_ops *river = river_of(world);
    if (river == NULL)
        return fail_no_river("rill_world_set_viewer");
    if (!(fabs(x) <= 1e7 && fabs(y) <= 1e7 && fabs(z) <= 1e7))
        return rill_fail(RILL_BAD_ARGUMENT,
                         "a viewer at (%g, %g, %g) m is not possible, each must be within 1e7", x,
                         y, z);
    river->set_viewer(world->solver, (const double[3]){x, y, z});
    return RILL_OK;
}

rill_status rill_world_close_river(rill_world *world, double x, double y, double radius, int closed)
{
    const rl_river_ops *river = river_of(world);
    if (river == NULL)
        return fail_no_river("rill_world_close_river");
    if (!(fabs(x) <= 1e7 && fabs(y) <= 1e7 && radius >= 0.0 && radius <= 1e7))
        return rill_fail(
            RILL_BAD_ARGUMENT,
            "an obstacle of %g m at (%g, %g) m is not possible, its radius must not be "
            "negative and all must be within 1e7",
            radius, x, y);
    river->close(world->solver, x, y, radius, closed != 0);
    return RILL_OK;
}

rill_river_state rill_world_river(rill_world *world)
{
    const rl_river_ops *river = river_of(world);
    return river != NULL ? river->look(world->solver, world->jobs) : (rill_river_state){0};
}

const rill_river_path *rill_world_river_path(const rill_world *world)
{
    const rl_river_ops *river = river_of(world);
    return river != NULL ? river->path(world->solver) : NULL;
}

rill_status rill_world_add_dye(rill_world *world, double x, double y, double radius, double amount)
{
    const rl_river_ops *river = river_of(world);
    if (river == NULL)
        return fail_no_river("rill_world_add_dye");
    if (!(fabs(x) <= 1e7 && fabs(y) <= 1e7 && radius >= 0.0 && radius <= 1e7 && amount >= 0.0 &&
          amount <= 1e30))
        return rill_fail(RILL_BAD_ARGUMENT,
                         "%g of dye within %g m of (%g, %g) m is not possible: nothing may be "
                         "negative or infinite but the place",
                         amount, radius, x, y);
    if (amount > 0.0 && !(river->add_dye(world->solver, x, y, radius, amount) > 0.0))
        return rill_fail(RILL_BAD_ARGUMENT, "there is no river within %g m of (%g, %g) m", radius,
                         x, y);
    return RILL_OK;
}

rill_field_view rill_world_dye(const rill_world *world)
{
    const rl_river_ops *river = river_of(world);
    return river != NULL ? river->dye(world->solver) : (rill_field_view){0};
}

double rill_world_dye_amount(rill_world *world)
{
    const rl_river_ops *river = river_of(world);
    return river != NULL ? river->dye_amount(world->solver) : 0.0;
}

rill_wave_particles rill_world_wave_particles(rill_world *world)
{
    if (world == NULL || world->drift == NULL)
        return (rill_wave_particles){0};
    return rl_wave_particles_view(world->drift, world->jobs, detail_of_waves(world),
                                  world->core.time);
}

rill_detail rill_world_detail(const rill_world *world)
{
    const rl_river_ops *river = river_of(world);
    const rl_quadtree *tree = river != NULL ? river->detail(world->solver) : NULL;
    if (tree == NULL)
        return (rill_detail){0};
    const rl_quadtree_view view = rl_quadtree_squares(tree);
    return (rill_detail){view.squares_x, view.squares_y, RL_SQUARE, view.level};
}
