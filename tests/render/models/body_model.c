// SPDX-License-Identifier: MIT
#include "tests/render/models/body_model.h"

#include "tests/render/models/wave_model.h"

#include "rill/rill.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *copy_of(const void *from, size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (memory == NULL)
        abort();
    memcpy(memory, from, count * size);
    return memory;
}

// The vertices of a mesh may be changed here: they were copied here.
static float *open_up(const float *floats)
{
    float *own;
    memcpy(&own, &floats, sizeof own);
    return own;
}

static rill_world *room_for_one(void)
{
    rill_world_def def = rill_default_world_def();
    rill_world *world = NULL;
    def.nx = def.ny = 4;
    def.bodies.max_bodies = 1;
    def.bodies.max_vertices = 1000;
    def.bodies.max_triangles = 2000;
    if (rill_world_create(&def, &world) != RILL_OK)
        abort();
    return world;
}

static rill_body_def completed(const rill_body_def *asked)
{
    rill_body_def def = rill_default_body_def();
    const bool soft = asked->shape == RILL_BODY_SHEET;
    def.motion = soft ? RILL_BODY_SOFT : RILL_BODY_HOST;
    def.coupling = RILL_COUPLING_NONE;
    def.shape = asked->shape;
    def.material = asked->material;
    def.radius = asked->radius;
    def.length = asked->length;
    memcpy(def.size, asked->size, sizeof def.size);
    memcpy(def.cells, asked->cells, sizeof def.cells);
    memcpy(def.position, asked->position, sizeof def.position);
    memcpy(def.rotation, asked->rotation, sizeof def.rotation);
    memcpy(def.colour, asked->colour, sizeof def.colour);
    return def;
}

size_t body_model_add(body_model *model, const rill_body_def *asked)
{
    const rill_body_def def = completed(asked);
    rill_world *world = room_for_one();
    rill_body_id id;
    if (model->count >= BODY_MODEL_MOST || rill_world_add_body(world, &def, &id) != RILL_OK) {
        fprintf(stderr, "%s\n", rill_last_error());
        abort();
    }
    rill_body_mesh mesh = rill_world_body_mesh(world, id);
    const size_t vertices = 3 * (size_t)mesh.vertex_count;
    mesh.id.index1 = (uint32_t)model->count + 1;
    mesh.positions = copy_of(mesh.positions, vertices, sizeof *mesh.positions);
    mesh.rest = copy_of(mesh.rest, vertices, sizeof *mesh.rest);
    mesh.triangles =
        copy_of(mesh.triangles, 3 * (size_t)mesh.triangle_count, sizeof *mesh.triangles);
    mesh.velocities = mesh.forces = NULL;
    rill_world_destroy(&world);
    model->meshes[model->count] = mesh;
    return model->count++;
}

void body_model_bend(body_model *model, size_t body, double (*height)(double x, double y))
{
    rill_body_mesh *mesh = &model->meshes[body];
    float *positions = open_up(mesh->positions);
    for (int n = 0; n < mesh->vertex_count; n++)
        positions[3 * n + 2] +=
            (float)height((double)mesh->rest[3 * n], (double)mesh->rest[3 * n + 1]);
}

void body_model_move(body_model *model, size_t body, double x, double y, double z)
{
    rill_body_mesh *mesh = &model->meshes[body];
    const double by[3] = {x, y, z};
    float *positions = open_up(mesh->positions);
    for (int n = 0; n < 3 * mesh->vertex_count; n++)
        positions[n] += (float)by[n % 3];
}

void body_model_destroy(body_model *model)
{
    for (size_t n = 0; n < model->count; n++) {
        free(open_up(model->meshes[n].positions));
        free(open_up(model->meshes[n].rest));
        void *triangles;
        memcpy(&triangles, &model->meshes[n].triangles, sizeof triangles);
        free(triangles);
    }
    *model = (body_model){0};
}

// ---- Golden images ---------------------------------------------------------------------

static double beach(double x, double y)
{
    return -2.6 + 0.16 * y + 0.15 * sin(0.5 * x) + 0.1 * sin(0.9 * x + y);
}

static double ripples(double x, double y)
{
    return 0.03 * sin(1.3 * x + 0.4 * y) + 0.02 * sin(2.1 * y - x);
}

static double folds(double x, double y)
{
    return 0.25 * sin(2.0 * x) + 0.15 * sin(3.0 * y + x);
}

typedef struct placed {
    rill_body_shape shape;
    rill_body_material look;
    double size[3], position[3];
    double axis[3], degrees;
} placed;

static const placed things[] = {
    {RILL_BODY_BOX, RILL_MATERIAL_CRATE, {1, 1, 1}, {13.6, 9.0, 0.1}, {0.8, 0.3, 0.52}, 25},
    {RILL_BODY_CYLINDER, RILL_MATERIAL_BARREL, {0.7, 0.7, 1.1}, {15.2, 8.3, 0}, {1, 0, 0}, 75},
    {RILL_BODY_SPHERE, RILL_MATERIAL_BALL, {0.8, 0.8, 0.8}, {16.6, 8.0, 0.25}, {1, 0, 0}, 30},
    {RILL_BODY_SPHERE, RILL_MATERIAL_STONE, {1.2, 1.2, 1.2}, {18.4, 8.2, -1.0}, {1, 0, 0}, 0},
    {RILL_BODY_HULL, RILL_MATERIAL_BOAT, {4.5, 1.6, 1.3}, {18.6, 11.6, 0.25}, {0, 0, 1}, 160},
    {RILL_BODY_BOX, RILL_MATERIAL_METAL, {0.8, 0.8, 1.2}, {13.4, 15.6, 0.4}, {0, 0, 1}, 25},
    {RILL_BODY_BOX, RILL_MATERIAL_PLAIN, {1.5, 0.6, 0.5}, {15.2, 16.2, 0.25}, {0, 0, 1}, -25},
    {RILL_BODY_SHEET, RILL_MATERIAL_CLOTH, {2.4, 1.6, 0}, {15.4, 13.5, 1.2}, {0.8, 0, 0.6}, 40},
};

rill_view body_model_afloat(frame_data *s)
{
    static const rill_camera_key eye = {
        .position = {15.6, 3.2, 2.6}, .target = {16.0, 11.0, 0.1}, .field_of_view = 42.0};
    frame_data *made = wave_model_still(64, 0.5, beach, ripples);
    *s = *made;
    free(made);
    body_model model = {0};
    body_maker *maker = NULL;
    for (size_t n = 0; n < sizeof things / sizeof things[0]; n++) {
        const placed *p = &things[n];
        const double half = 0.5 * p->degrees * 0.017453292519943295;
        const rill_body_def def = {.shape = p->shape,
                                   .material = p->look,
                                   .size = {p->size[0], p->size[1], p->size[2]},
                                   .radius = 0.5 * p->size[0],
                                   .length = p->size[2],
                                   .cells = {24, 16},
                                   .position = {p->position[0], p->position[1], p->position[2]},
                                   .rotation = {p->axis[0] * sin(half), p->axis[1] * sin(half),
                                                p->axis[2] * sin(half), cos(half)},
                                   .colour = {1.0f, 1.0f, 1.0f}};
        body_model_add(&model, &def);
        if (p->shape == RILL_BODY_SHEET)
            body_model_bend(&model, n, folds);
    }
    if (body_maker_create(&maker) != RILL_OK ||
        frame_set_bodies(maker, model.meshes, model.count, s) != RILL_OK)
        abort();
    body_maker_destroy(&maker);
    body_model_destroy(&model);
    rill_view look = rill_default_view();
    rill_liquid_find("clear", &look.liquid);
    look.ground = RILL_GROUND_SAND;
    look.time_of_day = 9.5;
    look.camera = &eye;
    look.camera_count = 1;
    return look;
}
