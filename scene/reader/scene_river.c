// SPDX-License-Identifier: MIT
// scene_river.c - what a river has besides its parameters: where its cache lies, and which keys of
// [river.path] go together.
#include "scene/reader/scene_internal.h"

#include "scene/builtin.h"

#include "rill/files.h"
#include <stdio.h>
#include <string.h>

// A plane has a level, a profile a depth over its channels.
static rill_status check_path(const rill_river_path_def *def, rl_toml_table river)
{
    static const char *const of_profiles[] = {"depth", "catchment", NULL};
    rl_toml_table path;
    rl_toml_get_table(river, "path", &path);
    if (def->surface == RILL_RIVER_PLANE) {
        rl_toml_require(path, "level");
        return rl_scene_refuse_keys(path, of_profiles, "is for river.path.surface = \"profile\"");
    }
    if (rl_toml_has(path, "level"))
        rl_toml_refuse(path, "level", "is for river.path.surface = \"plane\"");
    return path.document->failed;
}

rill_status rl_scene_read_river(rill_scene *scene, rl_toml_table root)
{
    rl_toml_table river;
    const rill_status status = rl_toml_get_table(root, "river", &river);
    if (status != RILL_OK || !rl_scene_can(scene, RILL_CAN_FIND_RIVER))
        return status == RILL_OK && river.value != NULL
                   ? rl_toml_refuse(river, "cache",
                                    "and all of [river] is for world.solver = \"river\", this "
                                    "world has \"%s\"",
                                    scene->info.solver)
                   : status;
    scene->river.cache_wanted = true;
    rl_toml_get_bool(river, "cache", &scene->river.cache_wanted);
    scene->river.viewer_given = rl_toml_has(river, "viewer");
    return check_path(&scene->def.river.path, river);
}

// What bootstrapping finds is cached beside the file of the terrain: X.tif.river.
rill_status rl_scene_make_river(rill_scene *scene)
{
    rl_scene_river *river = &scene->river;
    if (!rl_scene_can(scene, RILL_CAN_FIND_RIVER))
        return RILL_OK;
    if (!river->viewer_given && scene->camera_count > 0)
        memcpy(scene->def.river.viewer, scene->camera[0].position, sizeof scene->def.river.viewer);
    if (!river->cache_wanted || scene->terrain.kind != RL_GROUND_FILE)
        return RILL_OK;
    const rl_toml_value *file =
        rl_toml_find(rl_toml_find(scene->document->root, "terrain"), "file");
    char path[RL_PATH_BYTES], *cache = NULL;
    rill_status status = rl_scene_path(scene, file, "terrain.file", path);
    if (status != RILL_OK || rl_builtin_is_name(path)) // which lies beside nothing
        return status;
    const size_t bytes = strlen(path) + sizeof ".river";
    status = rl_scene_take(scene, bytes, 1, &cache);
    if (status == RILL_OK) {
        snprintf(cache, bytes, "%s.river", path);
        scene->def.river.cache = rill_river_cache_file(cache);
    }
    return status;
}
