// SPDX-License-Identifier: MIT
// scene_water.c - the water at the first moment, [water].
#include "scene/reader/scene_internal.h"

#include <math.h>

#define MOST_BLOCKS 10000

// ---- [water] ---------------------------------------------------------------------------

static rill_status read_block(rill_scene *scene, rl_toml_table table, size_t index, void *item)
{
    (void)index;
    rl_scene_block *block = item;
    const rill_status status = rl_scene_read_box(scene, table, &block->box);
    if (status != RILL_OK)
        return status;
    block->to_level = rl_toml_has(table, "level");
    const bool to_depth = rl_toml_has(table, "depth");
    if (!block->to_level && !to_depth)
        return rl_toml_refuse(table, "level", "or depth must be given");
    if (block->to_level && to_depth)
        return rl_toml_refuse(table, "depth", "must not be given together with level");
    block->at_z = rl_toml_has(table, "z");
    if (block->at_z && scene->terrain.kind != RL_GROUND_SOLID)
        return rl_toml_refuse(table, "z", "is for terrain.kind = \"solid\"");
    rl_toml_get_float(table, "z", -RL_SCENE_HIGH, RL_SCENE_HIGH, &block->z);
    rl_toml_get_float(table, "level", -RL_SCENE_HIGH, RL_SCENE_HIGH, &block->amount);
    return rl_toml_get_float(table, "depth", 0.0, RL_SCENE_HIGH, &block->amount);
}

rill_status rl_scene_read_water(rill_scene *scene, rl_toml_table root)
{
    rl_scene_water *plan = &scene->water;
    rl_toml_table water;
    rl_toml_get_table(root, "water", &water);
    scene->def.use_level = rl_toml_has(water, "level");
    rl_toml_get_float(water, "depth", 0.0, RL_SCENE_HIGH, &plan->depth);
    rl_toml_get_double(water, "evaporation", 0.0, 1.0, &plan->evaporation);
    plan->depth_file = rl_toml_get_value(water, "depth_file");
    return rl_scene_read_tables(scene, water, "block", MOST_BLOCKS, sizeof *plan->blocks,
                                read_block, &plan->blocks, &plan->block_count);
}

// ---- Making it -------------------------------------------------------------------------

static void copy_depths(rill_field *to, const rill_heightfield *from, float least)
{
    const rill_field_view view = rill_heightfield_view(from);
    for (int j = 0; j < to->ny; j++) {
        float *row = rill_field_row(to, j);
        for (int i = 0; i < to->nx; i++)
            row[i] = fmaxf(least, view.data[(size_t)j * view.pitch + (size_t)i]);
    }
}

static void fill_block(rill_scene *scene, const rl_scene_block *block)
{
    RL_ASSERT(scene->ground != NULL && scene->water.field.origin != NULL);
    const rl_scene_cells cells = rl_scene_box_cells(scene, &block->box);
    for (int j = cells.j0; j < cells.j1; j++) {
        float *row = rill_field_row(&scene->water.field, j);
        const float *ground = rill_field_row(rill_heightfield_field(scene->ground), j);
        for (int i = cells.i0; i < cells.i1; i++) {
            const float depth = block->to_level ? block->amount - ground[i] : block->amount;
            row[i] = fmaxf(row[i], depth);
        }
    }
}

// The level is left to the world, and blocks at an elevation until there is one. Of everything said
// about a cell the deepest counts.
rill_status rl_scene_make_water(rill_scene *scene)
{
    rl_scene_water *plan = &scene->water;
    if (!(plan->depth > 0.0f) && plan->depth_file == NULL && plan->block_count == 0)
        return RILL_OK;
    if (!rill_field_create(&scene->host.allocator, scene->info.nx, scene->info.ny, 0, &plan->field))
        return rill_fail(RILL_NO_MEMORY, "no memory for %d x %d depths", scene->info.nx,
                         scene->info.ny);
    rill_field_fill(&plan->field, plan->depth);
    if (plan->depth_file != NULL) {
        rill_heightfield *depths = NULL;
        const rill_status status = rl_scene_load_amounts(
            scene, plan->depth_file, "water.depth_file", RL_SCENE_HIGH, &depths);
        if (status != RILL_OK)
            return status;
        copy_depths(&plan->field, depths, plan->depth);
        rill_heightfield_destroy(&depths);
    }
    for (size_t n = 0; n < plan->block_count; n++)
        if (!plan->blocks[n].at_z)
            fill_block(scene, &plan->blocks[n]);
    return RILL_OK;
}
