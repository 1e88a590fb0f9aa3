// SPDX-License-Identifier: MIT
// scene_shapes.c - [[terrain.shape]]: hills, boxes, bowls and the like, added to the ground one
// after the other. Exponentials and sines are our own, made of + - * / alone, so that the ground of
// a scene has the same bits on every machine.
#include "scene/reader/scene_internal.h"

#include <stddef.h>

#define MOST_SHAPES 10000

// ---- Reading ---------------------------------------------------------------------------

#define KIND(name) (1u << RL_FEATURE_##name)
#define ROUND      (KIND(HILL) | KIND(BOWL) | KIND(CYLINDER))
#define KEY(key, member, low, high, kinds)                                        \
    {                                                                             \
        key, offsetof(rl_scene_feature, member), low, high, kinds, .needed = true \
    }

static const rl_scene_number shape_keys[] = {
    KEY("x", x, -RL_SCENE_FAR, RL_SCENE_FAR, ROUND),
    KEY("y", y, -RL_SCENE_FAR, RL_SCENE_FAR, ROUND),
    KEY("height", amount, -RL_SCENE_HIGH, RL_SCENE_HIGH, KIND(HILL) | KIND(BOX) | KIND(CYLINDER)),
    KEY("depth", amount, -RL_SCENE_HIGH, RL_SCENE_HIGH, KIND(BOWL)),
    KEY("radius", radius, 1e-9, RL_SCENE_FAR, ROUND),
    KEY("direction_x", along_x, -1000.0, 1000.0, KIND(SLOPE)),
    KEY("direction_y", along_y, -1000.0, 1000.0, KIND(SLOPE)),
    KEY("amplitude", amount, -RL_SCENE_HIGH, RL_SCENE_HIGH, KIND(RIPPLE)),
    KEY("wavelength_x", along_x, 1e-9, RL_SCENE_FAR, KIND(RIPPLE)),
    KEY("wavelength_y", along_y, 1e-9, RL_SCENE_FAR, KIND(RIPPLE)),
    KEY("amplitude", amount, 0.0, RL_SCENE_HIGH, KIND(ROUGH)),
    KEY("elevation", amount, -RL_SCENE_HIGH, RL_SCENE_HIGH, KIND(SET)),
    KEY("width", width, 0.0, RL_SCENE_FAR, KIND(CHANNEL)),
    KEY("bank", bank, 0.0, 1000.0, KIND(CHANNEL)),
    {0},
};

static bool has_box(rl_feature_kind kind)
{
    return kind == RL_FEATURE_BOX || kind == RL_FEATURE_SET;
}

static rill_status read_shape(rill_scene *scene, rl_toml_table table, size_t index, void *item)
{
    static const char *const kinds[] = {"hill",  "box", "bowl",     "slope",   "ripple",
                                        "rough", "set", "cylinder", "channel", NULL};
    (void)index;
    rl_scene_feature *shape = item;
    int kind = RL_FEATURE_HILL;
    rl_toml_require(table, "kind");
    rill_status status = rl_toml_get_choice(table, "kind", kinds, &kind);
    shape->kind = (rl_feature_kind)kind;
    if (status == RILL_OK && has_box(shape->kind))
        status = rl_scene_read_box(scene, table, &shape->box);
    if (status == RILL_OK && shape->kind == RL_FEATURE_CHANNEL)
        status = rl_scene_read_channel(table, shape);
    return status == RILL_OK ? rl_scene_read_numbers(table, shape_keys, kind, shape) : status;
}

rill_status rl_scene_read_features(rill_scene *scene, rl_toml_table terrain)
{
    rl_scene_terrain *plan = &scene->terrain;
    return rl_scene_read_tables(scene, terrain, "shape", MOST_SHAPES, sizeof *plan->shapes,
                                read_shape, &plan->shapes, &plan->shape_count);
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
