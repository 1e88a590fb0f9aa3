// SPDX-License-Identifier: MIT
// world_check.c - is a definition one that a world can be made of? What is wrong is said in one
// sentence with the value, and nothing has been made yet. The ranges of single values stand in the
// table of parameters; here is what takes more than one value to judge.
#include "world/world_internal.h"

rill_status rl_world_check_view(const char *name, const rill_field_view *view,
                                const rill_world_def *def, float low, float high)
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
            if (!(value >= low && value <= high))
                return rill_fail(RILL_BAD_DEF,
                                 "%s is %g at cell (%d, %d), it must be from %g to %g", name,
                                 (double)value, i, j, (double)low, (double)high);
        }
    return RILL_OK;
}

rill_status rl_world_check_path(const char *whose, const rill_path_key *keys, int count,
                                double farthest)
{
    if (count < 0 || count > RILL_PATH_MAX_KEYS)
        return rill_fail(RILL_BAD_DEF, "the path of %s has %d keys, it must have from 0 to %d",
                         whose, count, RILL_PATH_MAX_KEYS);
    for (int n = 0; n < count; n++) {
        const rill_path_key *key = &keys[n];
        const bool in_reach =
            fabs(key->x) <= farthest && fabs(key->y) <= farthest && fabs(key->z) <= farthest;
        if (!in_reach || !(fabs(key->time) <= 1e15) || (n > 0 && !(key->time > key[-1].time)))
            return rill_fail(RILL_BAD_DEF,
                             "key %d of the path of %s is (%g, %g, %g) m at %g s; times must rise "
                             "and places be within %s m",
                             n, whose, key->x, key->y, key->z, key->time,
                             farthest > 1e7 ? "1e9" : "1e7");
    }
    return RILL_OK;
}

static rill_status check_river(const rill_world_def *def)
{
    const rill_field_view level = rill_river_path_get(def->river.found).level;
    if (def->river.found != NULL && (level.nx != def->nx || level.ny != def->ny))
        return rill_fail(RILL_BAD_DEF,
                         "river.found has %d x %d cells, the world has %d x %d: find it in the "
                         "ground of this world",
                         level.nx, level.ny, def->nx, def->ny);
    if (rl_solver_of(def->solver)->river != NULL && (def->depth.data != NULL || def->use_level))
        return rill_fail(RILL_BAD_DEF, "the level of a river comes from river.path, the world has "
                                       "another depth or level at the start");
    return RILL_OK;
}

static rill_status check_velocities(const rill_world_def *def)
{
    const rl_solver_ops *ops = rl_solver_of(def->solver);
    if ((def->velocity_x.data != NULL || def->velocity_y.data != NULL) && !ops->starts_moving)
        return rill_fail(RILL_BAD_DEF, "this world's solver, %s, cannot start in motion",
                         ops->name);
    RILL_TRY(rl_world_check_view("velocity_x", &def->velocity_x, def, -1e3f, 1e3f));
    return rl_world_check_view("velocity_y", &def->velocity_y, def, -1e3f, 1e3f);
}

// A heightfield beside the full terrain.
static rill_status check_beside(const rill_field_view *full, const rill_heightfield *values,
                                const char *name, double most)
{
    if (values == NULL)
        return RILL_OK;
    const rill_field_view view = rill_heightfield_view(values);
    if (view.nx != full->nx || view.ny != full->ny)
        return rill_fail(RILL_BAD_DEF, "the full terrain has %d x %d cells, its %s %d x %d",
                         full->nx, full->ny, name, view.nx, view.ny);
    for (int j = 0; j < view.ny; j++)
        for (int i = 0; i < view.nx; i++) {
            const float value = view.data[(size_t)j * view.pitch + (size_t)i];
            if (!(fabs((double)value) <= most))
                return rill_fail(RILL_BAD_DEF,
                                 "the %s of the full terrain is %g at cell (%d, %d), it must be "
                                 "within %g",
                                 name, (double)value, i, j, most);
        }
    return RILL_OK;
}

static rill_status check_corner(const rill_world_def *def, const rill_field_view *full)
{
    const rill_moving_domain_def *domain = &def->domain;
    const bool beyond_x = domain->i < 0 || domain->i > full->nx - def->nx;
    if ((beyond_x && !domain->repeats) || domain->j < 0 || domain->j > full->ny - def->ny)
        return rill_fail(
            RILL_BAD_DEF,
            "a moving domain of %d x %d cells at (%d, %d) reaches out of a full terrain of %d x %d",
            def->nx, def->ny, domain->i, domain->j, full->nx, full->ny);
    return RILL_OK;
}

static rill_status check_domain(const rill_world_def *def)
{
    const rill_moving_domain_def *domain = &def->domain;
    if (domain->full_terrain == NULL)
        return RILL_OK;
    const rl_solver_ops *ops = rl_solver_of(def->solver);
    if (ops->moving_domain == NULL)
        return rill_fail(RILL_BAD_DEF, "this world's solver, %s, has no moving domain", ops->name);
    if (def->bed.data != NULL)
        return rill_fail(RILL_BAD_DEF, "the world has two grounds, a full terrain and a bed");
    const rill_field_view full = rill_heightfield_view(domain->full_terrain);
    const double cell = rill_heightfield_cell_size(domain->full_terrain);
    if (fabs(cell / (double)def->cell_size - 1.0) > 1e-5)
        return rill_fail(RILL_BAD_DEF, "the full terrain has cells of %g m, the world of %g m",
                         cell, (double)def->cell_size);
    RILL_TRY(check_beside(&full, domain->water, "water", 1e6));
    RILL_TRY(check_beside(&full, domain->velocity_x, "velocity_x", 1e3));
    RILL_TRY(check_beside(&full, domain->velocity_y, "velocity_y", 1e3));
    RILL_TRY(rl_world_check_path("a moving domain", domain->path, domain->path_count, 1e7));
    return check_corner(def, &full);
}

static rill_status check_layers(const rill_world_def *def)
{
    const rill_solid *solid = def->solid;
    if (solid == NULL)
        return RILL_OK;
    const rl_solver_ops *ops = rl_solver_of(def->solver);
    if (ops->solids == NULL)
        return rill_fail(RILL_BAD_DEF, "this world's solver, %s, cannot stand on a solid",
                         ops->name);
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
    if ((def->host.allocator.allocate == NULL) != (def->host.allocator.release == NULL))
        return rill_fail(RILL_BAD_DEF, "the host's allocator needs both of its functions, or none");
    RILL_TRY(rl_parameters_check(RILL_DEFINITION_WORLD, def));
    if ((int64_t)def->nx * def->ny > RILL_MAX_CELLS)
        return rill_fail(RILL_BAD_DEF, "nx * ny is %d * %d, there must be at most %d cells",
                         def->nx, def->ny, RILL_MAX_CELLS);
    RILL_TRY(check_layers(def));
    RILL_TRY(check_river(def));
    RILL_TRY(check_domain(def));
    for (int side = 0; side < RILL_SIDE_COUNT; side++)
        RILL_TRY(rl_world_check_border(rl_solver_of(def->solver), (rill_side)side,
                                       def->border[side], def->border_level[side]));
    RILL_TRY(rl_world_check_view("bed", &def->bed, def, -1e6f, 1e6f));
    RILL_TRY(rl_world_check_view("depth", &def->depth, def, 0.0f, 1e6f));
    return check_velocities(def);
}
