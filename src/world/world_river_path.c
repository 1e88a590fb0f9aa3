// SPDX-License-Identifier: MIT
// world_river_path.c - the public functions that find a river in a terrain: definitions checked
// here, the work done in terrain.
#include "terrain/heightfield.h"
#include "terrain/river_path/river_path.h"
#include "world/world_internal.h"

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

rill_status rill_river_path_find(rill_field_view ground, double cell_size,
                                 const rill_river_path_def *def, const rill_host *host,
                                 rill_river_path **out)
{
    if (out == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "out is NULL");
    *out = NULL;
    if (def == NULL || ground.data == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "%s is NULL", def == NULL ? "def" : "ground");
    if (host != NULL && (host->allocator.allocate == NULL) != (host->allocator.release == NULL))
        return rill_fail(RILL_BAD_DEF, "the allocator has only one of its two functions");
    RILL_TRY(check_def(def));
    RILL_TRY(check_ground(ground, cell_size));
    // Lent for reading; nothing that finds a river writes to it.
    const rill_field lent = {.origin = (float *)(uintptr_t)ground.data,
                             .nx = ground.nx,
                             .ny = ground.ny,
                             .pitch = ground.pitch};
    return rl_river_path_find(&lent, cell_size, def, rill_allocator_of(host), out);
}

void rill_river_path_destroy(rill_river_path **path)
{
    rl_river_path_destroy(path);
}

rill_status rill_river_path_normals(const rill_river_path *path, float *normal_x, float *normal_y)
{
    if (path == NULL || normal_x == NULL || normal_y == NULL)
        return rill_fail(RILL_BAD_ARGUMENT,
                         "normals need a path and a place for each of their parts, one is NULL");
    const rill_field *level = &path->level;
    const size_t pitch = (size_t)level->nx;
    rill_field x = {.origin = normal_x, .nx = level->nx, .ny = level->ny, .pitch = pitch};
    rill_field y = {.origin = normal_y, .nx = level->nx, .ny = level->ny, .pitch = pitch};
    rl_river_bank_normals(level, &x, &y);
    return RILL_OK;
}

rill_river_path_view rill_river_path_get(const rill_river_path *path)
{
    if (path == NULL)
        return (rill_river_path_view){0};
    return (rill_river_path_view){
        .level = rill_field_view_of(&path->level),
        .wet_cells = path->wet_cells,
        .branches = path->branches,
        .length = path->length,
        .fall = path->fall,
        .count = path->count,
        .x = path->x,
        .y = path->y,
        .surface = path->surface,
        .bed = path->bed,
    };
}
