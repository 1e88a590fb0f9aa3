// SPDX-License-Identifier: MIT
// scene_moving_domain.c - a grid that moves over the ground of its scene, [domain]
// (rill_moving_domain_def). The scene itself is written in metres of the full terrain.
#include "scene/reader/scene_internal.h"

#include <string.h>

static rill_status check_corner(rl_toml_table root, const char *name, const char *old, int cell,
                                int most)
{
    const rl_scene_key key = rl_scene_find_key(root, name, old);
    return cell <= most ? RILL_OK
                        : rl_toml_refuse(key.table, key.name, "is %d, it must be between 0 and %d",
                                         cell, most);
}

rill_status rl_scene_read_moving_domain(rill_scene *scene, rl_toml_table root)
{
    rill_moving_domain_def *def = &scene->def.domain;
    rl_scene_moving_domain *domain = &scene->domain;
    const rill_scene_info *info = &scene->info;
    const rl_scene_key nx = rl_scene_find_key(root, "domain.nx", "window.nx");
    const rl_scene_key ny = rl_scene_find_key(root, "domain.ny", "window.ny");
    const rl_scene_key path = rl_scene_find_key(root, "domain.path", "window.path");
    if (nx.table.value == NULL && rl_toml_find(root.value, "window") == NULL)
        return root.document->failed;
    if (!rl_scene_can(scene, RILL_CAN_MOVE_DOMAIN))
        return rl_toml_refuse(nx.table, "nx", "needs world.solver = %s, this world has \"%s\"",
                              rl_scene_solvers_with(0, RILL_CAN_MOVE_DOMAIN, 0).text, info->solver);
    rl_toml_require(nx.table, nx.name);
    rl_toml_require(ny.table, ny.name);
    rl_toml_get_int(nx.table, nx.name, 4, info->nx, &domain->nx);
    rl_toml_get_int(ny.table, ny.name, 4, info->ny, &domain->ny);
    check_corner(root, "domain.i", "window.i", def->i, info->nx - domain->nx);
    check_corner(root, "domain.j", "window.j", def->j, info->ny - domain->ny);
    return rl_scene_read_path(path.table, path.name, true, def->path, &def->path_count);
}

// Water of the full terrain as a map of its own, because the domain takes it from there.
rill_status rl_scene_make_moving_domain(rill_scene *scene)
{
    rl_scene_moving_domain *domain = &scene->domain;
    if (domain->nx == 0)
        return RILL_OK;
    rill_status status = RILL_OK;
    if (scene->water.field.origin != NULL) {
        status = rill_heightfield_create_flat(scene->info.nx, scene->info.ny, scene->info.cell_size,
                                              &scene->host, &domain->water);
        for (int j = 0; status == RILL_OK && j < scene->info.ny; j++)
            memcpy(rill_field_row(rill_heightfield_field(domain->water), j),
                   rill_field_row(&scene->water.field, j), (size_t)scene->info.nx * sizeof(float));
    }
    scene->info.full_nx = scene->info.nx;
    scene->info.full_ny = scene->info.ny;
    // From here on the scene is as large as what is simulated.
    scene->info.nx = domain->nx;
    scene->info.ny = domain->ny;
    return status;
}

void rl_scene_place_moving_domain(const rill_scene *scene, rill_world_def *def)
{
    if (scene->domain.nx == 0)
        return;
    RL_ASSERT(scene->ground != NULL && scene->solid == NULL);
    def->nx = scene->domain.nx;
    def->ny = scene->domain.ny;
    def->bed = (rill_field_view){0};
    def->depth = (rill_field_view){0};
    def->domain.full_terrain = scene->ground;
    def->domain.water = scene->domain.water;
    def->domain.copy = 1; // the scene may be destroyed before the world
}

void rl_scene_into_domain(const rill_scene *scene, double *x, double *y)
{
    if (scene->domain.nx == 0)
        return;
    *x -= scene->def.domain.i * scene->info.cell_size;
    *y -= scene->def.domain.j * scene->info.cell_size;
}

void rl_scene_path_into_domain(const rill_scene *scene, rill_path_key *keys, int count)
{
    for (int n = 0; n < count; n++)
        rl_scene_into_domain(scene, &keys[n].x, &keys[n].y);
}
