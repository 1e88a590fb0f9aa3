// SPDX-License-Identifier: MIT
// scene_swe.c - the rules of the swe water, [swe], and the fine waves on any water, [waves].
#include "scene/reader/scene_internal.h"

rill_status rl_scene_read_swe(rill_scene *scene, rl_toml_table root)
{
    static const char *const keys[] = {"advection",      "viscosity",      "manning",
                                       "acceleration",   "velocity_limit", "depth_limit",
                                       "cliff",          "falls",          "overshoot",
                                       "overshoot_edge", "absorb_cells",   "absorb_reflection"};
    static const char *const advections[] = {"conservative", "maccormack", NULL};
    rill_swe_def *def = &scene->def.swe;
    rl_toml_table swe;
    rl_toml_get_table(root, "swe", &swe);
    for (size_t n = 0; n < sizeof keys / sizeof keys[0]; n++)
        if (scene->def.solver != RILL_SOLVER_SWE && rl_toml_has(swe, keys[n]))
            return rl_toml_refuse(swe, keys[n],
                                  "is for world.solver = \"swe\", this world has \"%s\"",
                                  scene->info.solver);
    int advection = (int)def->advection;
    bool falls = def->waterfalls != 0;
    float acceleration[2] = {def->acceleration_x, def->acceleration_y};
    rl_toml_get_choice(swe, "advection", advections, &advection);
    rl_toml_get_float(swe, "viscosity", 0.0, 1.0, &def->viscosity);
    rl_toml_get_float(swe, "manning", 0.0, 1.0, &def->manning);
    rl_toml_get_floats(swe, "acceleration", 2, 2, -100.0, 100.0, acceleration, NULL);
    rl_toml_get_float(swe, "velocity_limit", 0.001, 0.5, &def->velocity_limit);
    rl_toml_get_float(swe, "depth_limit", 0.001, 0.5, &def->depth_limit);
    rl_toml_get_float(swe, "cliff", 0.01, 1e6, &def->cliff);
    rl_toml_get_bool(swe, "falls", &falls);
    rl_toml_get_float(swe, "overshoot", 0.0, 0.5, &def->overshoot);
    rl_toml_get_float(swe, "overshoot_edge", 0.0, 1e6, &def->overshoot_edge);
    rl_toml_get_int(swe, "absorb_cells", 2, 1000, &def->absorb_cells);
    def->advection = (rill_advection)advection;
    def->waterfalls = falls;
    def->acceleration_x = acceleration[0];
    def->acceleration_y = acceleration[1];
    return rl_toml_get_float(swe, "absorb_reflection", 1e-30, 0.999, &def->absorb_reflection);
}

static rill_status get_size(rl_toml_table table, const char *key, int *size)
{
    const rill_status status = rl_toml_get_int(table, key, 16, 1024, size);
    if (status == RILL_OK && (*size & (*size - 1)) != 0)
        return rl_toml_refuse(table, key, "is %d, it must be a power of two", *size);
    return status;
}

rill_status rl_scene_read_waves(rill_scene *scene, rl_toml_table root)
{
    rill_waves_def *def = &scene->def.waves;
    rl_toml_table waves;
    rill_status status = rl_toml_get_table(root, "waves", &waves);
    if (status != RILL_OK || waves.value == NULL)
        return status;
    def->size = 256;
    get_size(waves, "size", &def->size);
    rl_toml_get_float(waves, "tile", RL_TOML_POSITIVE, 1e6, &def->tile);
    rl_toml_get_float(waves, "wind", 0.01, 100.0, &def->wind);
    rl_toml_get_float(waves, "wind_direction", -360.0, 360.0, &def->wind_direction);
    rl_toml_get_float(waves, "height", 0.0, 1000.0, &def->height);
    rl_toml_get_float(waves, "longest", RL_TOML_POSITIVE, 1e6, &def->longest);
    rl_toml_get_float(waves, "stretch", 0.0, 1000.0, &def->stretch);
    return rl_toml_get_float(waves, "period", 0.01, 1e6, &def->period);
}

rill_status rl_scene_read_open_sea(rill_view *view, rl_toml_table table)
{
    rill_sea_def *def = &view->open_sea;
    rl_toml_table sea;
    const rill_status status = rl_toml_get_table(table, "open_sea", &sea);
    if (status != RILL_OK || sea.value == NULL)
        return status;
    def->size = 256;
    rl_toml_require(sea, "level");
    rl_toml_get_double(sea, "level", -RL_SCENE_HIGH, RL_SCENE_HIGH, &view->open_sea_level);
    get_size(sea, "size", &def->size);
    rl_toml_get_double(sea, "tile", 1e-3, 1e6, &def->tile);
    rl_toml_get_double(sea, "wind", 0.01, 100.0, &def->wind);
    rl_toml_get_double(sea, "wind_direction", -360.0, 360.0, &def->wind_direction);
    rl_toml_get_double(sea, "height", 0.0, 1000.0, &def->height);
    rl_toml_get_double(sea, "depth", 1e-3, RL_SCENE_HIGH, &def->depth);
    return rl_toml_get_double(sea, "chop", 0.0, 2.0, &def->chop);
}
