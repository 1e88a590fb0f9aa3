// SPDX-License-Identifier: MIT
// scene_solid.c - [terrain] of kind "solid": how high its grid reaches, the parts that it is made
// of, the solids that move through it and the cuts that are made later. [[terrain.part]],
// [[terrain.mover]] and [[terrain.cut]] share the keys of a shape. A key that belongs to another
// kind of shape is refused, because it would do nothing. The solid is put together part by part,
// and a world gets what only a solid needs: covered columns that hold water at the start, movers,
// cuts.
#include "scene/reader/scene_internal.h"

#include "scene/generate/generate_internal.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define MOST_PARTS 10000 // copies of repeated ones included

// What a shape is of the ground.
typedef enum part_use { PART_FIXED, PART_MOVER, PART_CUT } part_use;

static const char *const kind_names[] = {"box",   "sphere",  "capsule", "cylinder", "cone", "torus",
                                         "plane", "heights", "mesh",    "field",    NULL};

#define KIND(name)                   (1u << RILL_SDF_##name)
#define RODS                         (KIND(CAPSULE) | KIND(CYLINDER) | KIND(CONE))
#define OTHER(set)                   .kinds = set, .type = RL_SCENE_OTHER
#define PART(member, low, high, set) offsetof(rl_scene_part, member), low, high, .kinds = set

// ---- Keys ------------------------------------------------------------------------------

static const rl_scene_number part_keys[] = {
    {"radius", PART(shape.radius, 0.0, RL_SCENE_FAR, KIND(SPHERE) | RODS | KIND(TORUS)),
     .needed = true},
    {"radius_top", PART(shape.radius_top, 0.0, RL_SCENE_FAR, KIND(CONE)), .needed = true},
    {"tube", PART(shape.tube, 1e-9, RL_SCENE_FAR, KIND(TORUS)), .needed = true},
    {"rounding", PART(shape.rounding, 0.0, RL_SCENE_FAR, KIND(BOX) | KIND(CYLINDER) | KIND(CONE))},
    {"size", PART(shape.size, 1e-9, RL_SCENE_FAR, KIND(BOX)), .needed = true, .count = 3},
    {"length", OTHER(RODS)},
    {"from", OTHER(RODS)},
    {"to", OTHER(RODS)},
    {"relief", OTHER(KIND(HEIGHTS))},
    {"file", OTHER(KIND(HEIGHTS) | KIND(MESH) | KIND(FIELD))},
    {"offset", PART(load.offset, -RL_SCENE_HIGH, RL_SCENE_HIGH, KIND(HEIGHTS))},
    {"factor", PART(load.scale, -1e9, 1e9, KIND(HEIGHTS) | KIND(FIELD))},
    {"unit", PART(unit, 1e-9, 1e9, KIND(MESH) | KIND(FIELD))},
    {"level", PART(level, -1e30, 1e30, KIND(FIELD))},
    {"raw", OTHER(KIND(FIELD))},
    {"ellipsoid", OTHER(KIND(MESH))},
    {"parts", OTHER(KIND(MESH))},
    {"no_data", OTHER(KIND(HEIGHTS))},
    {"cell_size", PART(load.cell_size, 1e-9, 1e6, KIND(HEIGHTS))},
    {0},
};

static rill_status refuse_other_kinds(rl_toml_table table, rill_sdf_kind kind)
{
    for (const rl_scene_number *row = part_keys; row->key != NULL; row++)
        if ((row->kinds >> kind & 1u) == 0 && rl_toml_find(table.value, row->key) != NULL)
            rl_toml_refuse(table, row->key, "does not belong to kind = \"%s\"", kind_names[kind]);
    return table.document->failed;
}

static rill_status read_numbers(rl_toml_table table, bool by_ends, rl_scene_part *part)
{
    rill_sdf_primitive *shape = &part->shape;
    rl_scene_read_numbers(table, part_keys, (int)shape->kind, part);
    if ((RODS >> shape->kind & 1u) && !by_ends) {
        rl_toml_require(table, "length");
        rl_toml_get_double(table, "length", 1e-9, RL_SCENE_FAR, &shape->length);
    }
    return table.document->failed;
}

// ---- Places ----------------------------------------------------------------------------

// The shortest turn that brings the z axis into a direction of unit length.
static void turn_upright_to(const double d[3], double q[4])
{
    const double w = 1.0 + d[2], length = sqrt(d[0] * d[0] + d[1] * d[1] + w * w);
    q[0] = length > 1e-9 ? -d[1] / length : 1.0; // straight down: half a turn about x
    q[1] = length > 1e-9 ? d[0] / length : 0.0;
    q[2] = 0.0;
    q[3] = length > 1e-9 ? w / length : 0.0;
}

static rill_status read_ends(rl_toml_table table, rill_sdf_primitive *shape)
{
    static const char *const replaced[] = {"position", "rotate", "length", "scale", NULL};
    rl_scene_refuse_keys(table, replaced, "must not be given together with from and to");
    double from[3] = {0}, to[3] = {0}, along[3];
    rl_toml_require(table, "from");
    rl_toml_require(table, "to");
    rl_toml_get_doubles(table, "from", 3, 3, -RL_SCENE_FAR, RL_SCENE_FAR, from, NULL);
    RILL_TRY(rl_toml_get_doubles(table, "to", 3, 3, -RL_SCENE_FAR, RL_SCENE_FAR, to, NULL));
    for (int axis = 0; axis < 3; axis++) {
        along[axis] = to[axis] - from[axis];
        shape->position[axis] = from[axis] + 0.5 * along[axis];
    }
    shape->length = sqrt(along[0] * along[0] + along[1] * along[1] + along[2] * along[2]);
    if (!(shape->length >= 1e-9))
        return rl_toml_refuse(table, "to", "is the same place as from");
    for (int axis = 0; axis < 3; axis++)
        along[axis] /= shape->length;
    turn_upright_to(along, shape->rotation);
    return RILL_OK;
}

static bool given_by_ends(rl_toml_table table)
{
    return rl_toml_find(table.value, "from") != NULL || rl_toml_find(table.value, "to") != NULL;
}

static rill_status read_place(rl_toml_table table, part_use use, rill_sdf_primitive *shape)
{
    static const char *const by_path[] = {"position", "from", "to"};
    for (size_t n = 0; n < 3 && use == PART_MOVER; n++)
        if (rl_toml_find(table.value, by_path[n]) != NULL)
            return rl_toml_refuse(table, by_path[n],
                                  "must not be given: path says where the mover is");
    if (given_by_ends(table))
        return read_ends(table, shape);
    if (use != PART_MOVER)
        rl_toml_get_doubles(table, "position", 3, 3, -RL_SCENE_FAR, RL_SCENE_FAR, shape->position,
                            NULL);
    rl_toml_get_double(table, "scale", 1e-9, 1e9, &shape->scale);
    return rl_scene_read_rotation(table, shape->rotation);
}

// ---- Heights and meshes ----------------------------------------------------------------

static rill_status read_relief(rl_toml_table table, rl_scene_part *part)
{
    static const char *const of_files[] = {"file",    "offset",    "factor",
                                           "no_data", "cell_size", NULL};
    static const rl_scene_number keys[] = {
        {"amplitude", offsetof(rl_scene_relief, amplitude), 0.0, RL_SCENE_HIGH, .needed = true},
        {"feature_size", offsetof(rl_scene_relief, feature_size), 1e-9, RL_SCENE_FAR,
         .needed = true},
        {"seed", offsetof(rl_scene_relief, seed), .type = RL_SCENE_SEED},
        {"octaves", offsetof(rl_scene_relief, octaves), 1, 16, .type = RL_SCENE_INT},
        {"tilt", offsetof(rl_scene_relief, tilt), -1000.0, 1000.0, .count = 2},
        {0},
    };
    rl_scene_relief *relief = &part->relief;
    rl_toml_table made;
    relief->octaves = 4;
    relief->seed = 1;
    rl_scene_refuse_keys(table, of_files, "must not be given together with relief");
    rl_toml_get_table(table, "relief", &made);
    return rl_scene_read_numbers(made, keys, 0, relief);
}

static rill_status read_heights(const rill_scene *scene, rl_toml_table table, rl_scene_part *part)
{
    static const char *const no_data[] = {"refuse", "fill", NULL};
    rill_heightfield_load_def *def = &part->load;
    if (rl_toml_has(table, "relief"))
        return read_relief(table, part);
    part->file = rl_toml_get_value(table, "file");
    if (part->file == NULL)
        return rl_toml_refuse(table, "file", "or relief must be given");
    def->host = &scene->host;
    rl_toml_get_choice(table, "no_data", no_data, &def->no_data);
    if (def->scale == 0.0)
        rl_toml_refuse(table, "factor", "is 0, it must not be");
    return table.document->failed;
}

// ---- The shape -------------------------------------------------------------------------

static rill_status read_combine(rl_toml_table table, rl_scene_part *part)
{
    static const char *const names[] = {"union", "subtract", "intersect", "smooth_union", NULL};
    rl_toml_get_choice(table, "combine", names, &part->how);
    if (part->how == RILL_COMBINE_SMOOTH_UNION)
        rl_toml_require(table, "blend");
    else if (rl_toml_has(table, "blend"))
        return rl_toml_refuse(table, "blend", "is for combine = \"smooth_union\", this is \"%s\"",
                              names[part->how]);
    return rl_toml_get_double(table, "blend", 1e-9, RL_SCENE_FAR, &part->blend);
}

static rill_status read_shape(const rill_scene *scene, rl_toml_table table, part_use use,
                              rl_scene_part *part)
{
    rill_sdf_kind kind = RILL_SDF_BOX;
    rl_toml_require(table, "kind");
    rl_toml_get_choice(table, "kind", kind_names, &kind);
    const bool stored = kind == RILL_SDF_HEIGHTS || kind == RILL_SDF_FIELD ||
                        (kind == RILL_SDF_MESH && use == PART_CUT);
    *part = (rl_scene_part){.table = table,
                            .shape = rill_default_sdf_primitive(kind),
                            .copies = {1, 1, 1},
                            .load = rill_default_heightfield_load_def(),
                            .unit = 1.0,
                            .header = rill_default_field_header()};
    if (stored && use != PART_FIXED)
        rl_toml_refuse(table, "kind", "is '%s', only a part of the ground can be that",
                       kind_names[kind]);
    refuse_other_kinds(table, kind);
    read_place(table, use, &part->shape);
    read_numbers(table, given_by_ends(table), part);
    if (use != PART_MOVER)
        read_combine(table, part);
    if (kind == RILL_SDF_HEIGHTS)
        return read_heights(scene, table, part);
    if (kind == RILL_SDF_FIELD)
        return rl_scene_read_field(table, part);
    if (kind == RILL_SDF_MESH)
        return rl_scene_read_mesh(table, part);
    rill_status *failed = &table.document->failed;
    if (*failed == RILL_OK)
        *failed = rl_scene_blame(scene, table.value, table.path,
                                 rill_sdf_primitive_check(&part->shape, part->how, part->blend));
    return *failed;
}

// ---- Parts, movers and cuts ------------------------------------------------------------

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
    rl_toml_get_doubles(repeat, "count", 3, 3, 1.0, MOST_PARTS, count, NULL);
    for (int axis = 0; axis < 3; axis++) {
        if (count[axis] != floor(count[axis]))
            rl_toml_refuse(repeat, "count", "must be three whole numbers, one is %g", count[axis]);
        part->copies[axis] = (int)count[axis];
    }
    return table.document->failed;
}

static rill_status read_one(const rill_scene *scene, rl_toml_table table, part_use use,
                            rl_scene_part *part)
{
    // Asked for first: these two are short enough to be taken for misspelt keys of a shape.
    double time = 0.0;
    rill_path_key path[RILL_PATH_MAX_KEYS];
    int count = 0;
    if (use == PART_CUT) {
        rl_toml_require(table, "time");
        rl_toml_get_double(table, "time", 0.0, 1e12, &time);
    } else if (use == PART_MOVER) {
        rl_toml_require(table, "path");
        rl_scene_read_path(table, "path", false, RILL_PATH_MAX_KEYS, path, &count);
    }
    read_shape(scene, table, use, part);
    part->time = time;
    part->path_count = count;
    memcpy(part->path, path, (size_t)count * sizeof path[0]);
    if (use == PART_MOVER)
        rl_scene_read_beat(table, part);
    return use == PART_FIXED ? read_repeat(table, part) : table.document->failed;
}

static rill_status read_part(rill_scene *scene, rl_toml_table table, void *item)
{
    rl_scene_part *part = item;
    read_one(scene, table, PART_FIXED, part);
    const int *c = part->copies;
    scene->terrain.part_copies += (int64_t)c[0] * c[1] * c[2];
    if (scene->terrain.part_copies > MOST_PARTS)
        rl_toml_refuse(table, "repeat", "brings the parts to %lld, there must be at most %d",
                       (long long)scene->terrain.part_copies, MOST_PARTS);
    return table.document->failed;
}

static rill_status read_mover(rill_scene *scene, rl_toml_table table, void *item)
{
    return read_one(scene, table, PART_MOVER, item);
}

static rill_status read_cut(rill_scene *scene, rl_toml_table table, void *item)
{
    return read_one(scene, table, PART_CUT, item);
}

static rill_status read_parts(rill_scene *scene, rl_toml_table terrain, const char *key,
                              size_t most, rl_scene_reader *read, rl_scene_parts *out)
{
    return rl_scene_read_tables(scene, terrain, key, most, sizeof *out->items, read, &out->items,
                                &out->count);
}

rill_status rl_scene_read_solid(rill_scene *scene, rl_toml_table terrain)
{
    rl_scene_terrain *plan = &scene->terrain;
    rl_toml_table layers;
    RILL_TRY(check_grid(scene, terrain));
    RILL_TRY(read_parts(scene, terrain, "part", MOST_PARTS, read_part, &plan->parts));
    RILL_TRY(read_parts(scene, terrain, "mover", MOST_PARTS, read_mover, &plan->movers));
    RILL_TRY(read_parts(scene, terrain, "cut", RILL_MAX_SCHEDULED, read_cut, &plan->cuts));
    RILL_TRY(rl_scene_read_drawn(scene, terrain));
    rl_toml_get_table(rl_toml_root_table(terrain.document), "layers", &layers);
    RILL_TRY(rl_scene_raise(layers, "max_movers", plan->movers.count, "movers",
                            &scene->def.layers.max_movers));
    rill_scene_info *info = &scene->info;
    info->solid = 1;
    info->bottom = plan->solid.bottom;
    info->top = plan->solid.top;
    info->parts = (int)plan->parts.count;
    info->movers = (int)plan->movers.count;
    info->cuts = (int)plan->cuts.count;
    return RILL_OK;
}

// ---- Making it -------------------------------------------------------------------------

// Rolling ground as large as the world, from 0 to its amplitude, then tilted.
static rill_status make_relief(const rill_scene *scene, const rl_scene_relief *relief,
                               rill_heightfield **out)
{
    RL_ASSERT(relief->feature_size > 0.0 && relief->octaves >= 1);
    const double dx = scene->info.cell_size, cell = dx / relief->feature_size;
    RILL_TRY(rl_scene_create_flat(scene, out));
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
                RILL_TRY(rl_scene_blame(
                    scene, part->table.value, part->table.path,
                    rill_solid_combine(scene->solid, &copy, part->how, part->blend)));
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
    rill_distance_field *field = NULL;
    rill_status status = RILL_OK;
    if (shape.kind == RILL_SDF_MESH)
        status = rl_scene_make_mesh(scene, part, key, &triangles);
    else if (shape.kind == RILL_SDF_FIELD)
        status = rl_scene_load_field(scene, part, key, &field);
    else if (shape.kind == RILL_SDF_HEIGHTS)
        status = part->file != NULL ? rl_scene_load(scene, part->file, key, &part->load, &heights)
                                    : make_relief(scene, &part->relief, &heights);
    if (heights != NULL) {
        shape.heights = rill_heightfield_view(heights);
        shape.heights_cell = rill_heightfield_cell_size(heights);
    }
    shape.triangles = triangles;
    shape.field = field;
    if (status == RILL_OK)
        status = combine_copies(scene, part, &shape);
    rill_triangles_destroy(&triangles);
    rill_distance_field_destroy(&field);
    rill_heightfield_destroy(&heights);
    return status;
}

rill_status rl_scene_make_solid(rill_scene *scene)
{
    RL_ASSERT(scene->solid == NULL && scene->ground == NULL);
    const rl_scene_parts *parts = &scene->terrain.parts;
    RILL_TRY(rill_solid_create(&scene->terrain.solid, &scene->solid));
    for (size_t n = 0; n < parts->count; n++)
        RILL_TRY(add_part(scene, &parts->items[n]));
    RILL_TRY(rl_scene_load_drawn(scene));
    RILL_TRY(rl_scene_create_flat(scene, &scene->ground));
    return rill_solid_floors(scene->solid, (float)scene->terrain.solid.top, scene->ground);
}

// ---- A world that has just been made ---------------------------------------------------

// Blocks say what the columns under the sky hold by way of the definition; here come those below.
static rill_status fill_covered(const rill_scene *scene, rill_world *world)
{
    for (size_t n = 0; n < scene->water.block_count; n++) {
        const rill_fill *block = &scene->water.blocks[n];
        if (block->at_z || block->to_level)
            RILL_TRY(rill_world_fill(world, block));
    }
    return RILL_OK;
}

// A mover begins where its path has it at time 0.
static rill_status add_mover(const rill_scene *scene, const rl_scene_part *part, rill_world *world)
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
    char where[48];
    snprintf(where, sizeof where, "%s.file", part->table.path);
    rill_triangles *triangles = NULL;
    if (shape.kind == RILL_SDF_MESH)
        RILL_TRY(rl_scene_make_mesh(scene, part, where, &triangles));
    shape.triangles = triangles;
    rill_mover_id id;
    rill_status status = rill_world_add_mover(world, &shape, &id);
    rill_triangles_destroy(&triangles);
    if (status == RILL_OK)
        status = rill_world_set_mover_path(world, id, part->path, part->path_count);
    if (status == RILL_OK && part->beat.period > 0.0)
        status = rill_world_set_mover_beat(world, id, &part->beat);
    return status;
}

rill_status rl_scene_prepare_solid(const rill_scene *scene, rill_world *world)
{
    const rl_scene_terrain *plan = &scene->terrain;
    if (scene->solid == NULL)
        return RILL_OK;
    RILL_TRY(fill_covered(scene, world));
    for (size_t n = 0; n < plan->movers.count; n++)
        RILL_TRY(add_mover(scene, &plan->movers.items[n], world));
    for (size_t n = 0; n < plan->cuts.count; n++) {
        const rl_scene_part *cut = &plan->cuts.items[n];
        RILL_TRY(rill_world_schedule_combine(world, cut->time, &cut->shape, cut->how, cut->blend));
    }
    return rl_scene_prepare_drawn(scene, world);
}
