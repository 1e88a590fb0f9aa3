// SPDX-License-Identifier: MIT
// scene_solid.c - [terrain] of kind "solid": how high its grid reaches, the parts that it is made
// of, the solids that move through it and the cuts that are made later.
#include "scene/reader/scene_internal.h"

#include <math.h>

#define MOST_PARTS 10000 // copies of repeated ones included

static rill_status read_grid(rill_scene *scene, rl_toml_table terrain)
{
    rill_solid_def *def = &scene->terrain.solid;
    *def = rill_default_solid_def();
    def->nx = scene->info.nx;
    def->ny = scene->info.ny;
    def->cell_size = scene->info.cell_size;
    def->host = &scene->host;
    rl_toml_require(terrain, "bottom");
    rl_toml_require(terrain, "top");
    rl_toml_get_double(terrain, "bottom", -RL_SCENE_HIGH, RL_SCENE_HIGH, &def->bottom);
    const rill_status status =
        rl_toml_get_double(terrain, "top", -RL_SCENE_HIGH, RL_SCENE_HIGH, &def->top);
    if (status != RILL_OK)
        return status;
    if (!(def->top > def->bottom))
        return rl_toml_refuse(terrain, "top", "is %g, it must be above bottom, which is %g",
                              def->top, def->bottom);
    if (rill_solid_check(def) != RILL_OK) {
        char where[320];
        rl_toml_where(scene->document, rl_toml_find(terrain.value, "top"), where, sizeof where);
        return rill_fail_prefix(RILL_BAD_SCENE, "%s: [terrain]", where);
    }
    return RILL_OK;
}

// repeat = { count = [nx, ny, nz], step = [dx, dy, dz] }
static rill_status read_repeat(rl_toml_table table, rl_scene_part *part)
{
    if (!rl_toml_has(table, "repeat"))
        return RILL_OK;
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
        rill_status status = rl_toml_require(table, "path");
        if (status == RILL_OK)
            status = rl_scene_read_path(scene, table, "path", false, path, &count);
        if (status != RILL_OK)
            return status;
    }
    const rill_status status = rl_scene_read_part(scene, table, use, part);
    part->time = time;
    part->path_count = count;
    for (int n = 0; n < count; n++)
        part->path[n] = path[n];
    return status == RILL_OK && use == RL_PART_FIXED ? read_repeat(table, part) : status;
}

static rill_status read_parts(const rill_scene *scene, rl_toml_table terrain, rl_part_use use,
                              rl_scene_parts *out)
{
    static const char *const keys[] = {"part", "mover", "cut"};
    static const size_t most[] = {MOST_PARTS, MOST_PARTS, RILL_MAX_SCHEDULED};
    rl_toml_tables tables;
    rill_status status = rl_toml_get_tables(terrain, keys[use], most[use], &tables);
    if (status == RILL_OK)
        status = rl_scene_take(scene, tables.count, sizeof *out->items, &out->items);
    if (status != RILL_OK)
        return status;
    out->count = tables.count;
    int64_t copies = 0;
    for (size_t n = 0; n < tables.count && status == RILL_OK; n++) {
        rl_toml_table table;
        status = rl_toml_table_at(&tables, n, &table);
        if (status == RILL_OK)
            status = read_one(scene, table, use, &out->items[n]);
        if (status != RILL_OK)
            break;
        const int *c = out->items[n].copies;
        copies += (int64_t)c[0] * c[1] * c[2];
        if (copies > MOST_PARTS)
            status = rl_toml_refuse(table, "repeat",
                                    "brings the parts to %lld, there must be at most %d",
                                    (long long)copies, MOST_PARTS);
    }
    return status;
}

static rill_status make_room_for_movers(rill_scene *scene, rl_toml_table terrain)
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
    if (!rl_scene_can(scene, RILL_CAN_STAND_ON_SOLIDS))
        return rl_toml_refuse(
            terrain, "kind", "is \"solid\", which needs world.solver = %s, it is \"%s\"",
            rl_scene_solvers_with(RILL_CAN_STAND_ON_SOLIDS, 0).text, scene->info.solver);
    rill_status status = read_grid(scene, terrain);
    if (status == RILL_OK)
        status = read_parts(scene, terrain, RL_PART_FIXED, &plan->parts);
    if (status == RILL_OK)
        status = read_parts(scene, terrain, RL_PART_MOVER, &plan->movers);
    if (status == RILL_OK)
        status = read_parts(scene, terrain, RL_PART_CUT, &plan->cuts);
    if (status == RILL_OK)
        status = make_room_for_movers(scene, terrain);
    rill_scene_info *info = &scene->info;
    info->solid = 1;
    info->bottom = plan->solid.bottom;
    info->top = plan->solid.top;
    info->parts = (int)plan->parts.count;
    info->movers = (int)plan->movers.count;
    info->cuts = (int)plan->cuts.count;
    return status;
}
