// SPDX-License-Identifier: MIT
// scene_solid.c - [terrain] of kind "solid": how high its grid reaches, the parts that it is made
// of, the solids that move through it and the cuts that are made later.
#include "scene/reader/scene_internal.h"

#include <math.h>
#include <string.h>

#define MOST_PARTS 10000 // copies of repeated ones included

static rill_status check_grid(const rill_scene *scene, rl_toml_table terrain)
{
    const rill_solid_def *def = &scene->terrain.solid;
    if (!(def->top > def->bottom))
        return rl_toml_refuse(terrain, "top", "is %g, it must be above bottom, which is %g",
                              def->top, def->bottom);
    return rl_scene_blame(scene, rl_toml_find(terrain.value, "top"), "[terrain]",
                          rill_solid_check(def));
}

// repeat = { count = [nx, ny, nz], step = [dx, dy, dz] }
static rill_status read_repeat(rl_toml_table table, rl_scene_part *part)
{
    if (!rl_toml_has(table, "repeat"))
        return table.document->failed;
    rl_toml_table repeat;
    double count[3] = {1.0, 1.0, 1.0};
    rl_toml_get_table(table, "repeat", &repeat);
    rl_toml_require(repeat, "count");
    rl_toml_require(repeat, "step");
    rl_toml_get_doubles(repeat, "step", 3, 3, -RL_SCENE_FAR, RL_SCENE_FAR, part->step, NULL);
    const rill_status status =
        rl_toml_get_doubles(repeat, "count", 3, 3, 1.0, MOST_PARTS, count, NULL);
    for (int axis = 0; axis < 3 && status == RILL_OK; axis++) {
        if (count[axis] != floor(count[axis]))
            return rl_toml_refuse(repeat, "count", "must be three whole numbers, one is %g",
                                  count[axis]);
        part->copies[axis] = (int)count[axis];
    }
    return status;
}

static rill_status read_one(const rill_scene *scene, rl_toml_table table, rl_part_use use,
                            rl_scene_part *part)
{
    // Asked for first: these two are short enough to be taken for misspelt keys of a shape.
    double time = 0.0;
    rill_path_key path[RILL_PATH_MAX_KEYS];
    int count = 0;
    if (use == RL_PART_CUT) {
        rl_toml_require(table, "time");
        rl_toml_get_double(table, "time", 0.0, 1e12, &time);
    } else if (use == RL_PART_MOVER) {
        rl_toml_require(table, "path");
        rl_scene_read_path(table, "path", false, path, &count);
    }
    rl_scene_read_part(scene, table, use, part);
    part->time = time;
    part->path_count = count;
    memcpy(part->path, path, (size_t)count * sizeof path[0]);
    return use == RL_PART_FIXED ? read_repeat(table, part) : table.document->failed;
}

static rill_status read_part(rill_scene *scene, rl_toml_table table, size_t index, void *item)
{
    (void)index;
    rl_scene_part *part = item;
    const rill_status status = read_one(scene, table, RL_PART_FIXED, part);
    const int *c = part->copies;
    scene->terrain.part_copies += (int64_t)c[0] * c[1] * c[2];
    if (status == RILL_OK && scene->terrain.part_copies > MOST_PARTS)
        return rl_toml_refuse(table, "repeat", "brings the parts to %lld, there must be at most %d",
                              (long long)scene->terrain.part_copies, MOST_PARTS);
    return status;
}

static rill_status read_mover(rill_scene *scene, rl_toml_table table, size_t index, void *item)
{
    (void)index;
    return read_one(scene, table, RL_PART_MOVER, item);
}

static rill_status read_cut(rill_scene *scene, rl_toml_table table, size_t index, void *item)
{
    (void)index;
    return read_one(scene, table, RL_PART_CUT, item);
}

static rill_status read_parts(rill_scene *scene, rl_toml_table terrain, const char *key,
                              size_t most, rl_scene_reader *read, rl_scene_parts *out)
{
    return rl_scene_read_tables(scene, terrain, key, most, sizeof *out->items, read, &out->items,
                                &out->count);
}

static rill_status raise_max_movers(rill_scene *scene, rl_toml_table terrain)
{
    rill_layers_def *layers = &scene->def.layers;
    const size_t count = scene->terrain.movers.count;
    if (count <= (size_t)layers->max_movers)
        return RILL_OK;
    rl_toml_table table;
    rl_toml_get_table(rl_toml_root_table(terrain.document), "layers", &table);
    if (rl_toml_has(table, "max_movers"))
        return rl_toml_refuse(table, "max_movers",
                              "is %d, it must be at least %zu, the number of movers",
                              layers->max_movers, count);
    layers->max_movers = (int)count;
    return RILL_OK;
}

rill_status rl_scene_read_solid(rill_scene *scene, rl_toml_table terrain)
{
    rl_scene_terrain *plan = &scene->terrain;
    rill_status status = check_grid(scene, terrain);
    if (status == RILL_OK)
        status = read_parts(scene, terrain, "part", MOST_PARTS, read_part, &plan->parts);
    if (status == RILL_OK)
        status = read_parts(scene, terrain, "mover", MOST_PARTS, read_mover, &plan->movers);
    if (status == RILL_OK)
        status = read_parts(scene, terrain, "cut", RILL_MAX_SCHEDULED, read_cut, &plan->cuts);
    if (status == RILL_OK)
        status = raise_max_movers(scene, terrain);
    rill_scene_info *info = &scene->info;
    info->solid = 1;
    info->bottom = plan->solid.bottom;
    info->top = plan->solid.top;
    info->parts = (int)plan->parts.count;
    info->movers = (int)plan->movers.count;
    info->cuts = (int)plan->cuts.count;
    return status;
}
