// SPDX-License-Identifier: MIT
// scene_borders.c - what lies beyond the sides of the world, [borders], and walls between its
// cells, [[wall]].
#include "scene/reader/scene_internal.h"

#include <stdio.h>

#define MOST_WALLS 10000

static const char *const side_names[RILL_SIDE_COUNT] = {"west", "east", "south", "north"};

// The key of one side, such as west_level.
typedef struct side_key {
    char text[24];
} side_key;

static side_key key_of(int side, const char *what)
{
    RL_ASSERT(side >= 0 && side < RILL_SIDE_COUNT);
    side_key key;
    snprintf(key.text, sizeof key.text, "%s_%s", side_names[side], what);
    return key;
}

// ---- Over time -------------------------------------------------------------------------

static rill_status read_series(rill_scene *scene, rl_toml_table table, int side)
{
    rl_scene_border_series *series = &scene->series[side];
    const side_key times = key_of(side, "times"), values = key_of(side, "values");
    double *time = NULL, *value = NULL;
    size_t count = 0;
    if (!rl_toml_has(table, times.text))
        return rl_toml_has(table, values.text)
                   ? rl_toml_refuse(table, values.text, "needs %s as well", times.text)
                   : table.document->failed;
    rl_scene_read_times(scene, table, times.text, &time, &count);
    rl_scene_take(scene, count, sizeof *series->frames, &series->frames);
    rl_scene_take(scene, count, sizeof *value, &value);
    rl_toml_require(table, values.text);
    const double low = scene->def.border[side] == RILL_BORDER_INFLOW ? 0.0 : -RL_SCENE_HIGH;
    const rill_status status =
        rl_toml_get_doubles(table, values.text, count, count, low, RL_SCENE_HIGH, value, NULL);
    for (size_t n = 0; n < count && status == RILL_OK; n++)
        series->frames[n] = (rill_border_frame){.time = time[n], .value = value[n]};
    series->count = count;
    return status;
}

static rill_status read_swell(rill_scene *scene, rl_toml_table table, int side)
{
    rl_scene_border_series *series = &scene->series[side];
    const side_key height = key_of(side, "swell_height"), period = key_of(side, "swell_period");
    if (rl_scene_has_both(table, height.text, period.text) &&
        scene->def.border[side] != RILL_BORDER_LEVEL)
        return rl_toml_refuse(table, height.text, "is for borders.%s = \"level\"",
                              side_names[side]);
    rl_toml_get_double(table, height.text, 0.0, RL_SCENE_HIGH, &series->swell_height);
    return rl_toml_get_double(table, period.text, 1e-6, 1e12, &series->swell_period);
}

// ---- [borders] -------------------------------------------------------------------------

// The keys that only some kinds of border have.
static rill_status refuse_other_kinds(rl_toml_table table, int side, rill_border border)
{
    static const struct {
        const char *what, *borders;
        unsigned allowed; // a bit for each border
    } keys[] = {
        {"level", "\"level\" or \"absorb\"", 1u << RILL_BORDER_LEVEL | 1u << RILL_BORDER_ABSORB},
        {"discharge", "\"inflow\"", 1u << RILL_BORDER_INFLOW},
        {"times", "\"level\", \"absorb\" or \"inflow\"",
         1u << RILL_BORDER_LEVEL | 1u << RILL_BORDER_ABSORB | 1u << RILL_BORDER_INFLOW},
    };
    const char *const *names = rill_parameter_find("borders.west")->words;
    for (size_t n = 0; n < sizeof keys / sizeof keys[0]; n++) {
        const side_key key = key_of(side, keys[n].what);
        if (!(keys[n].allowed >> border & 1u) && rl_toml_has(table, key.text))
            return rl_toml_refuse(table, key.text, "is for borders.%s = %s, that side is \"%s\"",
                                  side_names[side], keys[n].borders, names[border]);
    }
    return RILL_OK;
}

static rill_status read_side(rill_scene *scene, rl_toml_table table, int side)
{
    rill_world_def *def = &scene->def;
    const rill_border border = def->border[side];
    const unsigned bit = 1u << border;
    if (!(rill_solver_about(def->solver).borders & bit))
        return rl_toml_refuse(table, side_names[side], "is \"%s\", which is for world.solver = %s",
                              rill_parameter_find("borders.west")->words[border],
                              rl_scene_solvers_with(0, 0, bit).text);
    refuse_other_kinds(table, side, border);
    const bool inflow = border == RILL_BORDER_INFLOW;
    const side_key key = key_of(side, inflow ? "discharge" : "level");
    if (border >= RILL_BORDER_LEVEL && !rl_toml_has(table, key_of(side, "times").text))
        rl_toml_require(table, key.text);
    rl_toml_get_float(table, key.text, inflow ? 0.0 : -RL_SCENE_HIGH, RL_SCENE_HIGH,
                      &def->border_level[side]);
    read_series(scene, table, side);
    return read_swell(scene, table, side);
}

rill_status rl_scene_read_borders(rill_scene *scene, rl_toml_table root)
{
    rl_toml_table table;
    rill_status status = rl_toml_get_table(root, "borders", &table);
    for (int side = 0; side < RILL_SIDE_COUNT && status == RILL_OK; side++)
        status = read_side(scene, table, side);
    return status;
}

// ---- [[wall]] --------------------------------------------------------------------------

static rill_status read_wall(rill_scene *scene, rl_toml_table table, size_t index, void *item)
{
    (void)index;
    rl_scene_wall *wall = item;
    rl_toml_require(table, "from");
    rl_toml_require(table, "to");
    rl_toml_get_doubles(table, "from", 2, 2, -RL_SCENE_FAR, RL_SCENE_FAR, wall->from, NULL);
    rl_toml_get_doubles(table, "to", 2, 2, -RL_SCENE_FAR, RL_SCENE_FAR, wall->to, NULL);
    if (rl_scene_can(scene, RILL_CAN_WALL_CELLS))
        return table.document->failed;
    return rl_toml_refuse(table, "from", "is of a wall, which is for world.solver = %s",
                          rl_scene_solvers_with(0, RILL_CAN_WALL_CELLS, 0).text);
}

rill_status rl_scene_read_walls(rill_scene *scene, rl_toml_table root)
{
    return rl_scene_read_tables(scene, root, "wall", MOST_WALLS, sizeof *scene->walls, read_wall,
                                &scene->walls, &scene->wall_count);
}

rill_status rl_scene_prepare_borders(const rill_scene *scene, rill_world *world)
{
    rill_status status = RILL_OK;
    for (int side = 0; side < RILL_SIDE_COUNT && status == RILL_OK; side++) {
        const rl_scene_border_series *series = &scene->series[side];
        if (series->count > 0)
            status = rill_world_set_border_series(world, (rill_side)side, series->frames,
                                                  (int)series->count);
        if (status == RILL_OK && series->swell_height > 0.0)
            status = rill_world_set_border_swell(world, (rill_side)side, series->swell_height,
                                                 series->swell_period);
    }
    double origin[2];
    rl_scene_moving_domain_origin(scene, origin);
    for (size_t n = 0; n < scene->wall_count && status == RILL_OK; n++) {
        const rl_scene_wall *wall = &scene->walls[n];
        status = rill_world_set_wall(world, wall->from[0] - origin[0], wall->from[1] - origin[1],
                                     wall->to[0] - origin[0], wall->to[1] - origin[1], 1);
    }
    return status;
}
