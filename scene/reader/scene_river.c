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
    static const char *const of_profiles[] = {"depth", "catchment"};
    rl_toml_table path;
    rl_toml_get_table(river, "path", &path);
    const bool plane = def->surface == RILL_RIVER_PLANE;
    if (plane)
        rl_toml_require(path, "level");
    else if (rl_toml_has(path, "level"))
        rl_toml_refuse(path, "level", "is for river.path.surface = \"plane\"");
    for (size_t n = 0; n < 2 && plane; n++)
        if (rl_toml_has(path, of_profiles[n]))
            rl_toml_refuse(path, of_profiles[n], "is for river.path.surface = \"profile\"");
    return rl_toml_status(path.document);
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

// What bootstrapping finds is kept beside the file of the ground: X.tif.river.
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
