// SPDX-License-Identifier: MIT
// scene_solid_make.c - puts the solid of a scene together, part by part, and does to a world what
// only a solid needs: covered columns that hold water at the start, solids that move, later cuts.
#include "scene/reader/scene_internal.h"

#include "scene/generate/generate_internal.h"

#include "rill/files.h"

#include <math.h>
#include <stdio.h>

// ---- Heights and meshes ----------------------------------------------------------------

// Rolling ground as large as the world, from 0 to its amplitude, then tilted.
static rill_status make_relief(const rill_scene *scene, const rl_scene_relief *relief,
                               rill_heightfield **out)
{
    RL_ASSERT(relief->feature_size > 0.0 && relief->octaves >= 1);
    const double dx = scene->info.cell_size, cell = dx / relief->feature_size;
    RILL_TRY(rill_heightfield_create_flat(scene->info.nx, scene->info.ny, dx, &scene->host, out));
    const rill_field *field = rill_heightfield_field(*out);
    const rl_noise noise = rl_noise_make(relief->seed, relief->octaves, 0.0, cell);
    float low = INFINITY, high = -INFINITY;
    for (int j = 0; j < field->ny; j++) {
        float *row = rill_field_row(field, j);
        for (int i = 0; i < field->nx; i++) {
            row[i] = (float)rl_noise_terrain(&noise, (i + 0.5) * cell, (j + 0.5) * cell);
            low = fminf(low, row[i]);
            high = fmaxf(high, row[i]);
        }
    }
    const double range = high > low ? (double)(high - low) : 1.0;
    for (int j = 0; j < field->ny; j++) {
        float *row = rill_field_row(field, j);
        for (int i = 0; i < field->nx; i++)
            row[i] = (float)(relief->amplitude * (double)(row[i] - low) / range +
                             relief->tilt[0] * (i + 0.5) * dx + relief->tilt[1] * (j + 0.5) * dx);
    }
    return RILL_OK;
}

rill_status rl_scene_load_mesh(const rill_scene *scene, const rl_toml_value *file, double unit,
                               const char *key, rill_triangles **out)
{
    char path[RL_PATH_BYTES];
    const rill_status status = rl_scene_path(scene, file, key, path);
    return status != RILL_OK ? status
                             : rl_scene_blame(scene, file, key,
                                              rill_triangles_load(path, unit, &scene->host, out));
}

// ---- The solid -------------------------------------------------------------------------

static rill_status combine_copies(rill_scene *scene, const rl_scene_part *part,
                                  const rill_sdf_primitive *shape)
{
    rill_sdf_primitive copy = *shape;
    for (int k = 0; k < part->copies[2]; k++)
        for (int j = 0; j < part->copies[1]; j++)
            for (int i = 0; i < part->copies[0]; i++) {
                copy.position[0] = shape->position[0] + i * part->step[0];
                copy.position[1] = shape->position[1] + j * part->step[1];
                copy.position[2] = shape->position[2] + k * part->step[2];
                const rill_status status =
                    rill_solid_combine(scene->solid, &copy, part->how, part->blend);
                if (status != RILL_OK)
                    return rl_scene_blame(scene, part->table.value, part->table.path, status);
            }
    return RILL_OK;
}

// What a part lends to its shape lives only as long as it is being added.
static rill_status add_part(rill_scene *scene, const rl_scene_part *part)
{
    char key[48];
    snprintf(key, sizeof key, "%s.file", part->table.path);
    rill_sdf_primitive shape = part->shape;
    rill_heightfield *heights = NULL;
    rill_triangles *triangles = NULL;
    rill_status status = RILL_OK;
    if (shape.kind == RILL_SDF_MESH)
        status = rl_scene_load_mesh(scene, part->file, part->unit, key, &triangles);
    else if (shape.kind == RILL_SDF_HEIGHTS)
        status = part->file != NULL ? rl_scene_load(scene, part->file, key, &part->load, &heights)
                                    : make_relief(scene, &part->relief, &heights);
    if (heights != NULL) {
        shape.heights = rill_heightfield_view(heights);
        shape.heights_cell = rill_heightfield_cell_size(heights);
    }
    shape.triangles = triangles;
    if (status == RILL_OK)
        status = combine_copies(scene, part, &shape);
    rill_triangles_destroy(&triangles);
    rill_heightfield_destroy(&heights);
    return status;
}

rill_status rl_scene_make_solid(rill_scene *scene)
{
    RL_ASSERT(scene->solid == NULL && scene->ground == NULL);
    const rl_scene_parts *parts = &scene->terrain.parts;
    rill_status status = rill_solid_create(&scene->terrain.solid, &scene->solid);
    for (size_t n = 0; n < parts->count && status == RILL_OK; n++)
        status = add_part(scene, &parts->items[n]);
    if (status == RILL_OK)
        status = rill_heightfield_create_flat(scene->info.nx, scene->info.ny, scene->info.cell_size,
                                              &scene->host, &scene->ground);
    return status == RILL_OK
               ? rill_solid_floors(scene->solid, (float)scene->terrain.solid.top, scene->ground)
               : status;
}

// ---- A world that has just been made ---------------------------------------------------

// Blocks say what the columns under the sky hold by way of the definition; here come those below.
static rill_status fill_covered(const rill_scene *scene, rill_world *world)
{
    rill_status status = RILL_OK;
    for (size_t n = 0; n < scene->water.block_count && status == RILL_OK; n++) {
        const rl_scene_block *block = &scene->water.blocks[n];
        if (!block->at_z && !block->to_level)
            continue;
        const rl_scene_cells cells = rl_scene_box_cells(scene, &block->box);
        status = rill_world_fill(world, &(rill_fill){.i0 = cells.i0,
                                                     .i1 = cells.i1,
                                                     .j0 = cells.j0,
                                                     .j1 = cells.j1,
                                                     .at_z = block->at_z,
                                                     .to_level = block->to_level,
                                                     .z = block->z,
                                                     .amount = block->amount});
    }
    return status;
}

// A mover begins where its path has it at time 0.
static rill_status add_mover(const rl_scene_part *part, rill_world *world)
{
    RL_ASSERT(part->path_count >= 1 && part->path_count <= RILL_PATH_MAX_KEYS);
    const rill_path_key *key = part->path, *last = &part->path[part->path_count - 1];
    while (key < last && key[1].time <= 0.0)
        key++;
    const bool between = key < last && key->time < 0.0;
    const double t = between ? -key->time / (key[1].time - key->time) : 0.0;
    const rill_path_key *next = between ? key + 1 : key;
    rill_sdf_primitive shape = part->shape;
    shape.position[0] = key->x + t * (next->x - key->x);
    shape.position[1] = key->y + t * (next->y - key->y);
    shape.position[2] = key->z + t * (next->z - key->z);
    rill_mover_id id;
    RILL_TRY(rill_world_add_mover(world, &shape, &id));
    return rill_world_set_mover_path(world, id, part->path, part->path_count);
}

rill_status rl_scene_prepare_solid(const rill_scene *scene, rill_world *world)
{
    const rl_scene_terrain *plan = &scene->terrain;
    if (scene->solid == NULL)
        return RILL_OK;
    rill_status status = fill_covered(scene, world);
    for (size_t n = 0; n < plan->movers.count && status == RILL_OK; n++)
        status = add_mover(&plan->movers.items[n], world);
    for (size_t n = 0; n < plan->cuts.count && status == RILL_OK; n++) {
        const rl_scene_part *cut = &plan->cuts.items[n];
        status = rill_world_schedule_combine(world, cut->time, &cut->shape, cut->how, cut->blend);
    }
    return status;
}
