// SPDX-License-Identifier: MIT
// scene_drawn.c - [terrain.drawn]: triangles of a file that are drawn as the ground in place of
// those of the distance field, such as the mesh of the bone whose field the ground is.
#include "scene/reader/scene_internal.h"

// ---- Keys ------------------------------------------------------------------------------

rill_status rl_scene_read_drawn(rill_scene *scene, rl_toml_table terrain)
{
    rl_scene_drawn *drawn = &scene->terrain.drawn;
    *drawn = (rl_scene_drawn){.unit = 1.0, .scale = 1.0, .rotation = {0.0, 0.0, 0.0, 1.0}};
    if (!rl_toml_has(terrain, "drawn"))
        return RILL_OK;
    rl_toml_table table;
    rl_toml_get_table(terrain, "drawn", &table);
    rl_toml_require(table, "file");
    drawn->file = rl_toml_get_value(table, "file");
    rl_toml_get_double(table, "unit", 1e-9, 1e9, &drawn->unit);
    rl_toml_get_double(table, "scale", 1e-9, 1e9, &drawn->scale);
    rl_toml_get_doubles(table, "position", 3, 3, -RL_SCENE_FAR, RL_SCENE_FAR, drawn->position,
                        NULL);
    rl_scene_read_rotation(table, drawn->rotation);
    // The triangles would stay as they are.
    static const char *const changing[] = {"mover", "cut"};
    for (size_t n = 0; n < 2; n++)
        if (rl_toml_has(terrain, changing[n]))
            rl_toml_refuse(terrain, changing[n],
                           "changes the ground, which terrain.drawn would not show");
    return table.document->failed;
}

// ---- Triangles --------------------------------------------------------------------------

rill_status rl_scene_load_drawn(rill_scene *scene)
{
    const rl_scene_drawn *drawn = &scene->terrain.drawn;
    return drawn->file == NULL ? RILL_OK
                               : rl_scene_load_mesh(scene, drawn->file, drawn->unit,
                                                    "terrain.drawn.file", &scene->drawn);
}

// Puts a point of the file where the scene has it.
static void place(const rl_scene_drawn *drawn, const float from[3], float to[3])
{
    const double *q = drawn->rotation, w = q[3];
    double p[3], turn[3];
    for (int k = 0; k < 3; k++)
        p[k] = drawn->scale * (double)from[k];
    // v + 2 q x (q x v + w v)
    for (int k = 0; k < 3; k++) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        turn[k] = q[l] * p[m] - q[m] * p[l] + w * p[k];
    }
    for (int k = 0; k < 3; k++) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        to[k] = (float)(p[k] + 2.0 * (q[l] * turn[m] - q[m] * turn[l]) + drawn->position[k]);
    }
}

rill_status rl_scene_prepare_drawn(const rill_scene *scene, rill_world *world)
{
    if (scene->drawn == NULL)
        return RILL_OK;
    const rill_allocator *allocator = &scene->host.allocator;
    const rill_triangles_info info = rill_triangles_view(scene->drawn);
    const size_t count = (size_t)info.vertices, bytes = count * sizeof(rill_ground_vertex);
    rill_ground_vertex *vertices = rill_alloc(allocator, bytes);
    if (vertices == NULL)
        return rill_fail(RILL_NO_MEMORY, "no memory for the %zu vertices of terrain.drawn", count);
    for (size_t n = 0; n < count; n++) {
        vertices[n] =
            (rill_ground_vertex){.openness = -1.0f}; // and no normal: the world finds both
        place(&scene->terrain.drawn, info.positions + 3 * n, vertices[n].position);
    }
    const rill_ground_mesh mesh = {vertices, info.indices, count, 3 * (size_t)info.triangles, 0};
    const rill_status status = rill_world_set_ground_mesh(world, &mesh);
    rill_free(allocator, vertices, bytes);
    return status;
}
