// SPDX-License-Identifier: MIT
// scene_moving_domain.c - a world that is a window on the ground of its scene, [window]
// (rill_moving_domain_def). The scene itself is written in metres of the whole country.
#include "scene/reader/scene_internal.h"

#include <string.h>

rill_status rl_scene_read_moving_domain(rill_scene *scene, rl_toml_table root)
{
    rill_moving_domain_def *def = &scene->def.window;
    rl_scene_moving_domain *window = &scene->window;
    rl_toml_table table;
    rill_status status = rl_toml_get_table(root, "window", &table);
    if (status != RILL_OK || table.value == NULL)
        return status;
    if (scene->def.solver != RILL_SOLVER_SWE)
        return rl_toml_refuse(table, "nx", "needs world.solver = \"swe\", this world has \"%s\"",
                              scene->info.solver);
    rl_toml_require(table, "nx");
    rl_toml_require(table, "ny");
    rl_toml_get_int(table, "nx", 4, scene->info.nx, &window->nx);
    status = rl_toml_get_int(table, "ny", 4, scene->info.ny, &window->ny);
    if (status != RILL_OK)
        return status;
    rl_toml_get_int(table, "i", 0, scene->info.nx - window->nx, &def->i);
    rl_toml_get_int(table, "j", 0, scene->info.ny - window->ny, &def->j);
    status = rl_toml_get_int(table, "body", 0, 10000, &def->body);
    if (status == RILL_OK && rl_toml_has(table, "path"))
        status = rl_scene_read_path(scene, table, "path", true, def->path, &def->path_count);
    return status;
}

// Water of the country as a map of its own, because the window takes it from there.
rill_status rl_scene_make_moving_domain(rill_scene *scene)
{
    rl_scene_moving_domain *window = &scene->window;
    if (window->nx == 0)
        return RILL_OK;
    rill_status status = RILL_OK;
    if (scene->water.field.origin != NULL) {
        status = rill_heightfield_create_flat(scene->info.nx, scene->info.ny, scene->info.cell_size,
                                              &scene->host, &window->water);
        for (int j = 0; status == RILL_OK && j < scene->info.ny; j++)
            memcpy(rill_field_row(rill_heightfield_field(window->water), j),
                   rill_field_row(&scene->water.field, j), (size_t)scene->info.nx * sizeof(float));
    }
    scene->info.country_nx = scene->info.nx;
    scene->info.country_ny = scene->info.ny;
    // From here on the scene is as large as what is simulated.
    scene->info.nx = window->nx;
    scene->info.ny = window->ny;
    return status;
}

void rl_scene_place_moving_domain(const rill_scene *scene, rill_world_def *def)
{
    if (scene->window.nx == 0)
        return;
    def->nx = scene->window.nx;
    def->ny = scene->window.ny;
    def->bed = (rill_field_view){0};
    def->depth = (rill_field_view){0};
    def->window.country = scene->ground;
    def->window.water = scene->window.water;
    def->window.copy = 1; // the scene may be destroyed before the world
}

void rl_scene_moving_domain_origin(const rill_scene *scene, double origin[2])
{
    const bool open = scene->window.nx > 0;
    origin[0] = open ? scene->def.window.i * scene->info.cell_size : 0.0;
    origin[1] = open ? scene->def.window.j * scene->info.cell_size : 0.0;
}

void rl_scene_count_from(const double origin[2], rill_path_key *keys, int count)
{
    for (int n = 0; n < count; n++) {
        keys[n].x -= origin[0];
        keys[n].y -= origin[1];
    }
}
