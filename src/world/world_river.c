// SPDX-License-Identifier: MIT
// world_river.c - a world whose water is a river: its definition, its start (out of a cache, or by
// letting it flow until it has come through), and what one can ask and tell it (rill/river.h).
#include "world/world_internal.h"

#include "terrain/heightfield.h"
#include "terrain/river_path/river_path.h"

#include <string.h>

rill_river_def rill_default_river_def(void)
{
    return rill_default_world_def().river;
}

// ---- The start -------------------------------------------------------------------------

// The arrays that a cache stores; returns their number. The bed is not among them: the terrain has
// it, and the key stands for it.
static int cached_arrays(const rill_world *w, rill_state_array stored[RL_MAX_STATE_ARRAYS])
{
    rill_state_array arrays[RL_MAX_STATE_ARRAYS];
    const int count = w->ops->state(w->solver, arrays);
    int n = 0;
    for (int k = 0; k < count; k++)
        if (strcmp(arrays[k].name, "bed") != 0)
            stored[n++] = arrays[k];
    return n;
}

static void warn(const rill_world *w, const char *line)
{
    if (w->def.host.log != NULL)
        w->def.host.log(w->def.host.log_user, RILL_LOG_WARNING, line);
}

// A cache that cannot be written is no reason to refuse a river that flows.
static rill_status start_flow(rill_world *w, const rill_river_cache *cache)
{
    RL_ASSERT(w->ops->river != NULL);
    const rl_river_ops *river = w->ops->river;
    rill_state_array arrays[RL_MAX_STATE_ARRAYS];
    const int count = cached_arrays(w, arrays);
    const uint64_t key = cache->read != NULL ? river->key(w->solver) : 0;
    double seconds = 0.0;
    if (cache->read != NULL && cache->read(cache->user, key, arrays, count, &seconds) == RILL_OK) {
        w->ops->state_changed(w->solver);
        river->came_from_cache(w->solver, seconds);
        return RILL_OK;
    }
    const rill_status status = river->bootstrap(w->solver, w->jobs);
    if (status != RILL_OK || cache->write == NULL)
        return status;
    seconds = river->read(w->solver, w->jobs).bootstrapped;
    cached_arrays(w, arrays); // arrays have changed places while it flowed
    if (cache->write(cache->user, key, arrays, count, seconds) != RILL_OK)
        warn(w, rill_last_error());
    return RILL_OK;
}

rill_status rl_world_start_river(rill_world *w)
{
    if (w->ops->river == NULL)
        return RILL_OK;
    const rill_status status = start_flow(w, &w->def.river.cache);
    const char *doubt = rill_river_path_get(w->ops->river->path(w->solver)).doubt;
    if (status == RILL_OK && doubt != NULL)
        warn(w, doubt);
    w->def.river.cache = (rill_river_cache){0}; // they belonged to the caller
    w->def.river.found = NULL;
    if (status != RILL_OK || w->def.river.wave_particles.texels == 0)
        return status;
    const rill_columns columns = rill_world_columns(w);
    const rill_river_path_view path = rill_river_path_get(w->ops->river->path(w->solver));
    return rl_wave_particles_create(&w->def.river.wave_particles, &columns, path.length,
                                    w->def.gravity, w->def.seed, w->isa, &w->def.host.allocator,
                                    &w->wave_particles);
}

static const rl_quadtree *detail_of_waves(const rill_world *w)
{
    return w->def.river.detail_waves ? w->ops->river->detail(w->solver) : NULL;
}

void rl_world_step_wave_particles(rill_world *w, double dt)
{
    if (w->wave_particles == NULL)
        return;
    const rill_columns columns = rill_world_columns(w);
    rl_wave_particles_step(w->wave_particles, w->jobs, &columns, detail_of_waves(w), dt,
                           w->core.steps);
}

rill_status rl_world_river_ground_changed(rill_world *w)
{
    if (w->wave_particles == NULL)
        return RILL_OK;
    const rill_columns columns = rill_world_columns(w);
    return rl_wave_particles_ground_changed(w->wave_particles, &columns);
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
        return rill_fail(RILL_BAD_ARGUMENT,
                         "an obstacle of %g m at (%g, %g) m is not possible, its radius must not "
                         "be negative and all must be within 1e7",
                         radius, x, y);
    river->close(world->solver, x, y, radius, closed != 0);
    return RILL_OK;
}

rill_river_state rill_world_river(rill_world *world)
{
    const rl_river_ops *river = river_of(world);
    return river != NULL ? river->read(world->solver, world->jobs) : (rill_river_state){0};
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
    if (world == NULL || world->wave_particles == NULL)
        return (rill_wave_particles){0};
    return rl_wave_particles_view(world->wave_particles, world->jobs, detail_of_waves(world),
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

// ---- Finding a river -------------------------------------------------------------------
//
// The public functions that find a river in a terrain: definitions checked
// here, the work done in terrain.

rill_river_path_def rill_default_river_path_def(void)
{
    return rill_default_world_def().river.path;
}

static rill_status check_def(const rill_river_path_def *path)
{
    rill_world_def def = rill_default_world_def();
    def.river.path = *path;
    return rl_parameters_check(RILL_DEFINITION_WORLD, &def);
}

static rill_status check_ground(rill_field_view ground, double cell_size)
{
    RILL_TRY(rl_grid_check_size(ground.nx, ground.ny));
    if (ground.nx < 4 || ground.ny < 4)
        return rill_fail(RILL_BAD_DEF, "the size is %d x %d cells, each side must be at least 4",
                         ground.nx, ground.ny);
    if (ground.pitch < (size_t)ground.nx)
        return rill_fail(RILL_BAD_ARGUMENT,
                         "the pitch of the ground is %zu, below its %d cells a row", ground.pitch,
                         ground.nx);
    if (!(cell_size > 0.0) || !isfinite(cell_size))
        return rill_fail(RILL_BAD_DEF, "cell_size is %g m, it must be positive", cell_size);
    for (int j = 0; j < ground.ny; j++)
        for (int i = 0; i < ground.nx; i++) {
            const float z = ground.data[(size_t)j * ground.pitch + (size_t)i];
            if (isinf(z))
                return rill_fail(RILL_BAD_ARGUMENT, "the elevation of cell (%d, %d) is %g", i, j,
                                 (double)z);
        }
    return RILL_OK;
}

// Lends the ground for reading; nothing that finds a river writes to it.
static rill_field lend(rill_field_view ground)
{
    return (rill_field){.origin = (float *)(uintptr_t)ground.data,
                        .nx = ground.nx,
                        .ny = ground.ny,
                        .pitch = ground.pitch};
}

static rill_status check_host(const rill_host *host)
{
    if (host != NULL && (host->allocator.allocate == NULL) != (host->allocator.release == NULL))
        return rill_fail(RILL_BAD_DEF, "the allocator has only one of its two functions");
    return RILL_OK;
}

rill_status rill_river_path_find(rill_field_view ground, double cell_size,
                                 const rill_river_path_def *def, const rill_host *host,
                                 rill_river_path **out)
{
    if (out == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "out is NULL");
    *out = NULL;
    if (def == NULL || ground.data == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "%s is NULL", def == NULL ? "def" : "ground");
    RILL_TRY(check_host(host));
    RILL_TRY(check_def(def));
    RILL_TRY(check_ground(ground, cell_size));
    const rill_field lent = lend(ground);
    return rl_river_path_find(&lent, cell_size, def, rill_allocator_of(host), out);
}

rill_status rill_drainage_find(rill_field_view ground, double cell_size, double smoothing,
                               const rill_host *host, rill_drainage **out)
{
    if (out == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "out is NULL");
    *out = NULL;
    if (ground.data == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "ground is NULL");
    if (!(smoothing >= 0.0 && smoothing <= 1e6))
        return rill_fail(RILL_BAD_DEF, "smoothing is %g m, it must be from 0 to 1e6", smoothing);
    RILL_TRY(check_host(host));
    RILL_TRY(check_ground(ground, cell_size));
    const rill_field lent = lend(ground);
    return rl_drainage_find(&lent, smoothing / cell_size, rill_allocator_of(host), out);
}
