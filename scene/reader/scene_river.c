// SPDX-License-Identifier: MIT
// scene_river.c - the rules of the river water: [river], [river.path], [river.columns] and
// [river.drift].
#include "scene/reader/scene_internal.h"

#include "scene/builtin.h"

#include "rill/files.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const side_names[] = {"west", "east", "south", "north", NULL};

static rill_status read_path(rill_river_path_def *def, rl_toml_table river)
{
    static const char *const surfaces[] = {"plane", "profile", NULL};
    rl_toml_table path;
    int surface = (int)def->surface;
    rl_toml_get_table(river, "path", &path);
    rl_toml_get_choice(path, "from", side_names, &def->from);
    rl_toml_get_choice(path, "surface", surfaces, &surface);
    def->surface = (rill_river_surface)surface;
    const bool plane = def->surface == RILL_RIVER_PLANE;
    static const char *const of_profiles[] = {"depth", "catchment"};
    if (plane)
        rl_toml_require(path, "level");
    else if (rl_toml_has(path, "level"))
        rl_toml_refuse(path, "level", "is for river.path.surface = \"plane\"");
    for (size_t n = 0; n < 2 && plane; n++)
        if (rl_toml_has(path, of_profiles[n]))
            rl_toml_refuse(path, of_profiles[n], "is for river.path.surface = \"profile\"");
    rl_toml_get_double(path, "level", -RL_SCENE_HIGH, RL_SCENE_HIGH, &def->level);
    rl_toml_get_double(path, "depth", 1e-3, 1e4, &def->depth);
    rl_toml_get_double(path, "catchment", 0.0, (double)INFINITY, &def->catchment);
    return rl_toml_get_double(path, "smoothing", 0.0, 1e6, &def->smoothing);
}

static rill_status read_columns(rill_river_def *def, rl_toml_table river)
{
    rl_toml_table columns;
    bool along = def->columns_along != 0;
    rl_toml_get_table(river, "columns", &columns);
    rl_toml_get_int(columns, "cells", 0, 16, &def->columns);
    rl_toml_get_float(columns, "share", 0.0, 4.0, &def->columns_share);
    rl_toml_get_float(columns, "limit", 1.0, 100.0, &def->columns_limit);
    rl_toml_get_float(columns, "vary", 0.0, 0.5, &def->columns_vary);
    rl_toml_get_float(columns, "friction", 0.0, 1.0, &def->columns_friction);
    const rill_status status = rl_toml_get_bool(columns, "along", &along);
    def->columns_along = along;
    return status;
}

static rill_status read_drift(rill_wave_particles_def *def, rl_toml_table river)
{
    rl_toml_table drift;
    rl_toml_get_table(river, "drift", &drift);
    rl_toml_get_int(drift, "texels", 0, 16, &def->texels);
    rill_status status = rl_toml_get_int(drift, "size", 16, 1024, &def->size);
    if (status == RILL_OK && (def->size & (def->size - 1)) != 0)
        return rl_toml_refuse(drift, "size", "is %d, it must be a power of two", def->size);
    rl_toml_get_float(drift, "tile", 0.0, 1e6, &def->tile);
    rl_toml_get_float(drift, "wind", 0.01, 100.0, &def->wind);
    rl_toml_get_float(drift, "wind_direction", -360.0, 360.0, &def->wind_direction);
    rl_toml_get_float(drift, "height", 0.0, 1000.0, &def->height);
    rl_toml_get_float(drift, "life", 0.01, 1e6, &def->life);
    rl_toml_get_float(drift, "distance", 0.0, 1e7, &def->distance);
    return rl_toml_get_int(drift, "max_particles", 0, 100000000, &def->max_particles);
}

static rill_status read_detail(rill_scene *scene, rl_toml_table river)
{
    rill_river_def *def = &scene->def.river;
    bool solver = (def->detail & RILL_DETAIL_SOLVER) != 0;
    bool waves = (def->detail & RILL_DETAIL_WAVES) != 0;
    rl_toml_get_bool(river, "detail_solver", &solver);
    rl_toml_get_bool(river, "detail_waves", &waves);
    def->detail = (solver ? RILL_DETAIL_SOLVER : 0) | (waves ? RILL_DETAIL_WAVES : 0);
    rl_toml_get_float(river, "detail_distance", 1e-3, 1e7, &def->detail_distance);
    scene->river.viewer_given = rl_toml_has(river, "viewer");
    return rl_toml_get_doubles(river, "viewer", 3, 3, -1e7, 1e7, def->viewer, NULL);
}

static rill_status read_flow(rill_river_def *def, rl_toml_table river)
{
    static const char *const banks[] = {"free-slip", "no-slip", NULL};
    static const char *const pressures[] = {"multigrid", "jacobi", NULL};
    int bank = (int)def->bank, pressure = (int)def->pressure;
    bool conservative = def->dye_conservative != 0;
    rl_toml_get_float(river, "speed", 1e-3, 20.0, &def->speed);
    rl_toml_get_float(river, "viscosity", 0.0, 100.0, &def->viscosity);
    rl_toml_get_choice(river, "bank", banks, &bank);
    rl_toml_get_choice(river, "pressure", pressures, &pressure);
    rl_toml_get_int(river, "sweeps", 1, 1000, &def->sweeps);
    rl_toml_get_float(river, "tolerance", 1e-6, 1.0, &def->tolerance);
    rl_toml_get_float(river, "vary", 0.0, 1.0, &def->vary);
    rl_toml_get_float(river, "min_speed", 0.0, 1.0, &def->min_speed);
    rl_toml_get_float(river, "max_speed", 1.0, 1000.0, &def->max_speed);
    rl_toml_get_float(river, "reversal", 0.0, 180.0, &def->reversal);
    rl_toml_get_float(river, "straight", 0.0, 1000.0, &def->straight);
    rl_toml_get_float(river, "direction", -360.0, 360.0, &def->direction);
    rl_toml_get_bool(river, "dye_conservative", &conservative);
    def->bank = (rill_river_bank)bank;
    def->pressure = (rill_river_pressure)pressure;
    def->dye_conservative = conservative;
    return rl_toml_get_double(river, "bootstrap", -1.0, 1e7, &def->bootstrap);
}

rill_status rl_scene_read_river(rill_scene *scene, rl_toml_table root)
{
    rill_river_def *def = &scene->def.river;
    rl_toml_table river;
    rill_status status = rl_toml_get_table(root, "river", &river);
    if (status != RILL_OK || scene->def.solver != RILL_SOLVER_RIVER) {
        if (status == RILL_OK && river.value != NULL)
            status = rl_toml_refuse(river, "speed",
                                    "and all of [river] is for world.solver = \"river\", this "
                                    "world has \"%s\"",
                                    scene->info.solver);
        return status;
    }
    scene->river.cache_wanted = true;
    rl_toml_get_bool(river, "cache", &scene->river.cache_wanted);
    status = read_path(&def->path, river);
    if (status == RILL_OK)
        status = read_flow(def, river);
    if (status == RILL_OK)
        status = read_columns(def, river);
    if (status == RILL_OK)
        status = read_drift(&def->drift, river);
    return status == RILL_OK ? read_detail(scene, river) : status;
}

// What bootstrapping finds is kept beside the file of the ground: X.tif.river.
rill_status rl_scene_make_river(rill_scene *scene)
{
    rl_scene_river *river = &scene->river;
    if (scene->def.solver != RILL_SOLVER_RIVER)
        return RILL_OK;
    if (!river->viewer_given && scene->camera_count > 0)
        memcpy(scene->def.river.viewer, scene->camera[0].position, sizeof scene->def.river.viewer);
    if (!river->cache_wanted || scene->terrain.kind != RL_GROUND_FILE)
        return RILL_OK;
    const rl_toml_value *file =
        rl_toml_find(rl_toml_find(rl_toml_root(scene->document), "terrain"), "file");
    char *path = NULL;
    size_t bytes = 0;
    const rill_status status = rl_scene_path(scene, file, "terrain.file", &path, &bytes);
    if (status != RILL_OK)
        return status;
    if (rl_builtin_is_name(path)) { // lies beside nothing
        rill_free(&scene->host.allocator, path, bytes);
        return RILL_OK;
    }
    river->cache_bytes = bytes + sizeof ".river";
    river->cache = rill_alloc(&scene->host.allocator, river->cache_bytes);
    if (river->cache != NULL)
        snprintf(river->cache, river->cache_bytes, "%s.river", path);
    rill_free(&scene->host.allocator, path, bytes);
    if (river->cache == NULL)
        return rill_fail(RILL_NO_MEMORY, "no memory for the name of a cache");
    scene->def.river.cache = rill_river_cache_file(river->cache);
    return RILL_OK;
}
