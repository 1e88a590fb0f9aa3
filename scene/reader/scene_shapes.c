// SPDX-License-Identifier: MIT
// scene_shapes.c - [[terrain.shape]]: hills, boxes, bowls and the like, added to the ground one
// after the other. Exponentials and sines are our own, made of + - * / alone, so that the ground of
// a scene has the same bits on every machine.
#include "scene/reader/scene_internal.h"

#include "rill/support.h"

#include <math.h>
#include <stddef.h>

#define MOST_SHAPES 10000

// ---- Reading ---------------------------------------------------------------------------

// One number of a shape: where it goes and what it may be.
typedef struct shape_key {
    const char *key;
    size_t offset;
    double min, max;
} shape_key;

#define AT(member) offsetof(rl_scene_feature, member)

static const shape_key shape_keys[][6] = {
    [RL_FEATURE_HILL] = {{"x", AT(x), -RL_SCENE_FAR, RL_SCENE_FAR},
                         {"y", AT(y), -RL_SCENE_FAR, RL_SCENE_FAR},
                         {"height", AT(amount), -RL_SCENE_HIGH, RL_SCENE_HIGH},
                         {"radius", AT(radius), 1e-9, RL_SCENE_FAR}},
    [RL_FEATURE_BOX] = {{"height", AT(amount), -RL_SCENE_HIGH, RL_SCENE_HIGH}},
    [RL_FEATURE_BOWL] = {{"x", AT(x), -RL_SCENE_FAR, RL_SCENE_FAR},
                         {"y", AT(y), -RL_SCENE_FAR, RL_SCENE_FAR},
                         {"depth", AT(amount), -RL_SCENE_HIGH, RL_SCENE_HIGH},
                         {"radius", AT(radius), 1e-9, RL_SCENE_FAR}},
    [RL_FEATURE_SLOPE] = {{"direction_x", AT(along_x), -1000.0, 1000.0},
                          {"direction_y", AT(along_y), -1000.0, 1000.0}},
    [RL_FEATURE_RIPPLE] = {{"amplitude", AT(amount), -RL_SCENE_HIGH, RL_SCENE_HIGH},
                           {"wavelength_x", AT(along_x), 1e-9, RL_SCENE_FAR},
                           {"wavelength_y", AT(along_y), 1e-9, RL_SCENE_FAR}},
    [RL_FEATURE_ROUGH] = {{"amplitude", AT(amount), 0.0, RL_SCENE_HIGH}},
    [RL_FEATURE_SET] = {{"elevation", AT(amount), -RL_SCENE_HIGH, RL_SCENE_HIGH}},
    [RL_FEATURE_CYLINDER] = {{"x", AT(x), -RL_SCENE_FAR, RL_SCENE_FAR},
                             {"y", AT(y), -RL_SCENE_FAR, RL_SCENE_FAR},
                             {"height", AT(amount), -RL_SCENE_HIGH, RL_SCENE_HIGH},
                             {"radius", AT(radius), 1e-9, RL_SCENE_FAR}},
    [RL_FEATURE_CHANNEL] = {{"width", AT(width), 0.0, RL_SCENE_FAR},
                            {"bank", AT(bank), 0.0, 1000.0}},
};

static bool has_box(rl_feature_kind kind)
{
    return kind == RL_FEATURE_BOX || kind == RL_FEATURE_SET;
}

static rill_status read_shape(const rill_scene *scene, rl_toml_table table, rl_scene_feature *shape)
{
    static const char *const kinds[] = {"hill",  "box", "bowl",     "slope",   "ripple",
                                        "rough", "set", "cylinder", "channel", NULL};
    int kind = RL_FEATURE_HILL;
    rl_toml_require(table, "kind");
    rill_status status = rl_toml_get_choice(table, "kind", kinds, &kind);
    shape->kind = (rl_feature_kind)kind;
    if (status == RILL_OK && has_box(shape->kind))
        status = rl_scene_read_box(scene, table, &shape->box);
    if (status == RILL_OK && shape->kind == RL_FEATURE_CHANNEL)
        status = rl_scene_read_channel(scene, table, shape);
    const shape_key *keys = shape_keys[shape->kind];
    for (; status == RILL_OK && keys->key != NULL; keys++) {
        rl_toml_require(table, keys->key);
        status = rl_toml_get_double(table, keys->key, keys->min, keys->max,
                                    (double *)((char *)shape + keys->offset));
    }
    return status;
}

rill_status rl_scene_read_features(rill_scene *scene, rl_toml_table terrain)
{
    rl_scene_terrain *plan = &scene->terrain;
    rl_toml_tables tables;
    rill_status status = rl_toml_get_tables(terrain, "shape", MOST_SHAPES, &tables);
    if (status == RILL_OK)
        status = rl_scene_take(scene, tables.count, sizeof *plan->shapes, &plan->shapes);
    if (status != RILL_OK)
        return status;
    plan->shape_count = tables.count;
    for (size_t n = 0; n < tables.count && status == RILL_OK; n++) {
        rl_toml_table table;
        status = rl_toml_table_at(&tables, n, &table);
        if (status == RILL_OK)
            status = read_shape(scene, table, &plan->shapes[n]);
    }
    return status;
}

// ---- Adding to the ground --------------------------------------------------------------

static double exponential_of_minus(double x)
{
    return rill_power(0.36787944117144233, x); // 1/e
}

// From the centre, in radii.
static double distance_squared(const rl_scene_feature *shape, double x, double y)
{
    const double dx = (x - shape->x) / shape->radius, dy = (y - shape->y) / shape->radius;
    return dx * dx + dy * dy;
}

// What the shape adds at a place. `random` is uniform in [0, 1).
static double added(const rl_scene_feature *shape, double x, double y, double random)
{
    switch (shape->kind) {
    case RL_FEATURE_HILL:
        return shape->amount * exponential_of_minus(0.5 * distance_squared(shape, x, y));
    case RL_FEATURE_BOWL:
        return shape->amount * (distance_squared(shape, x, y) - 1.0);
    case RL_FEATURE_SLOPE:
        return shape->along_x * x + shape->along_y * y;
    case RL_FEATURE_RIPPLE:
        return shape->amount * rill_sine_of_turns(x / shape->along_x) *
               rill_sine_of_turns(y / shape->along_y);
    case RL_FEATURE_ROUGH:
        return shape->amount * (2.0 * random - 1.0);
    case RL_FEATURE_CYLINDER:
        return distance_squared(shape, x, y) <= 1.0 ? shape->amount : 0.0;
    case RL_FEATURE_BOX:
    case RL_FEATURE_SET:
    case RL_FEATURE_CHANNEL:
        break;
    }
    return shape->amount;
}

static void apply_shape(rill_scene *scene, size_t index)
{
    const rl_scene_feature *shape = &scene->terrain.shapes[index];
    const rill_field *field = rill_heightfield_field(scene->ground);
    const double dx = scene->info.cell_size;
    const rl_scene_cells cells = has_box(shape->kind)
                                     ? rl_scene_box_cells(scene, &shape->box)
                                     : (rl_scene_cells){0, field->nx, 0, field->ny};
    for (int j = cells.j0; j < cells.j1; j++) {
        float *row = rill_field_row(field, j);
        for (int i = cells.i0; i < cells.i1; i++) {
            const uint64_t cell = (uint64_t)j * (uint64_t)field->nx + (uint64_t)i;
            const double random = shape->kind == RL_FEATURE_ROUGH
                                      ? (double)rill_random_unit(scene->def.seed, index, cell)
                                      : 0.0;
            const double change = added(shape, (i + 0.5) * dx, (j + 0.5) * dx, random);
            row[i] = (float)(shape->kind == RL_FEATURE_SET ? change : (double)row[i] + change);
        }
    }
}

void rl_scene_apply_features(rill_scene *scene)
{
    for (size_t n = 0; n < scene->terrain.shape_count; n++)
        if (scene->terrain.shapes[n].kind == RL_FEATURE_CHANNEL)
            rl_scene_cut_channel(scene, &scene->terrain.shapes[n]);
        else
            apply_shape(scene, n);
}
