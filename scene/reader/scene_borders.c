// SPDX-License-Identifier: MIT
// scene_borders.c - what lies beyond the sides of the world, [borders], and walls between its
// cells, [[wall]].
#include "scene/reader/scene_internal.h"

#include <stdio.h>

#define MOST_FRAMES 100000
#define MOST_WALLS  10000

static const char *const side_names[RILL_SIDE_COUNT] = {"west", "east", "south", "north"};

// The key of one side, such as west_level.
typedef struct side_key {
    char text[24];
} side_key;

static side_key key_of(int side, const char *what)
{
    side_key key;
    snprintf(key.text, sizeof key.text, "%s_%s", side_names[side], what);
    return key;
}

// ---- Over time -------------------------------------------------------------------------

static rill_status read_numbers(rl_toml_table table, const char *key, rl_scene_border_series *tide,
                                double low, double *numbers, bool times)
{
    const double least = times ? -1e12 : low, most = times ? 1e12 : RL_SCENE_HIGH;
    rl_toml_require(table, key);
    rill_status status =
        rl_toml_get_doubles(table, key, tide->count, tide->count, least, most, numbers, NULL);
    for (size_t n = 0; n < tide->count && status == RILL_OK; n++) {
        rill_border_frame *frame = &tide->frames[n];
        *(times ? &frame->time : &frame->value) = numbers[n];
        if (times && n > 0 && !(frame->time > frame[-1].time))
            status = rl_toml_refuse(table, key,
                                    "must rise, but number %zu is %g s and the one before it %g s",
                                    n + 1, frame->time, frame[-1].time);
    }
    return status;
}

static rill_status read_series(rill_scene *scene, rl_toml_table table, int side)
{
    rl_scene_border_series *tide = &scene->tides[side];
    const side_key times = key_of(side, "times"), values = key_of(side, "values");
    const rl_toml_value *list = rl_toml_get_value(table, times.text);
    if (list == NULL)
        return rl_toml_has(table, values.text)
                   ? rl_toml_refuse(table, values.text, "needs %s as well", times.text)
                   : RILL_OK;
    if (rl_toml_kind_of(list) != RL_TOML_ARRAY)
        return rl_toml_refuse(table, times.text, "must be an array of numbers, not %s",
                              rl_toml_kind_name(rl_toml_kind_of(list)));
    const size_t count = rl_toml_size(list);
    if (count < 1 || count > MOST_FRAMES)
        return rl_toml_refuse(table, times.text, "must have between 1 and %d numbers, it has %zu",
                              MOST_FRAMES, count);
    double *numbers = NULL;
    rill_status status = rl_scene_take(scene, count, sizeof *tide->frames, &tide->frames);
    if (status == RILL_OK) {
        tide->count = count;
        status = rl_scene_take(scene, count, sizeof *numbers, &numbers);
    }
    const double low = scene->def.border[side] == RILL_BORDER_INFLOW ? 0.0 : -RL_SCENE_HIGH;
    if (status == RILL_OK)
        status = read_numbers(table, times.text, tide, low, numbers, true);
    if (status == RILL_OK)
        status = read_numbers(table, values.text, tide, low, numbers, false);
    rill_free(&scene->host.allocator, numbers, count * sizeof *numbers);
    return status;
}

static rill_status read_swell(rill_scene *scene, rl_toml_table table, int side)
{
    rl_scene_border_series *tide = &scene->tides[side];
    const side_key height = key_of(side, "swell_height"), period = key_of(side, "swell_period");
    const bool high = rl_toml_has(table, height.text), long_ = rl_toml_has(table, period.text);
    if (high != long_)
        return rl_toml_refuse(table, high ? height.text : period.text, "needs %s as well",
                              high ? period.text : height.text);
    if (high && scene->def.border[side] != RILL_BORDER_LEVEL)
        return rl_toml_refuse(table, height.text, "is for borders.%s = \"level\"",
                              side_names[side]);
    rl_toml_get_double(table, height.text, 0.0, RL_SCENE_HIGH, &tide->swell_height);
    return rl_toml_get_double(table, period.text, 1e-6, 1e12, &tide->swell_period);
}

// ---- [borders] -------------------------------------------------------------------------

// The keys that only some kinds of border have.
static rill_status refuse_others(rl_toml_table table, int side, rill_border border)
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
                              rl_scene_solvers_with(0, bit).text);
    rill_status status = refuse_others(table, side, border);
    if (status != RILL_OK)
        return status;
    const bool inflow = border == RILL_BORDER_INFLOW;
    const side_key key = key_of(side, inflow ? "discharge" : "level");
    if (border >= RILL_BORDER_LEVEL && !rl_toml_has(table, key_of(side, "times").text))
        rl_toml_require(table, key.text);
    rl_toml_get_float(table, key.text, inflow ? 0.0 : -RL_SCENE_HIGH, RL_SCENE_HIGH,
                      &def->border_level[side]);
    status = read_series(scene, table, side);
    return status == RILL_OK ? read_swell(scene, table, side) : status;
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

static rill_status read_wall(const rill_scene *scene, rl_toml_table table, rl_scene_wall *wall)
{
    double from[2] = {0}, to[2] = {0};
    rl_toml_require(table, "from");
    rl_toml_require(table, "to");
    rl_toml_get_doubles(table, "from", 2, 2, -RL_SCENE_FAR, RL_SCENE_FAR, from, NULL);
    const rill_status status =
        rl_toml_get_doubles(table, "to", 2, 2, -RL_SCENE_FAR, RL_SCENE_FAR, to, NULL);
    if (status == RILL_OK && !rl_scene_can(scene, RILL_CAN_WALL_CELLS))
        return rl_toml_refuse(table, "from", "is of a wall, which is for world.solver = %s",
                              rl_scene_solvers_with(RILL_CAN_WALL_CELLS, 0).text);
    *wall = (rl_scene_wall){from[0], from[1], to[0], to[1]};
    return status;
}

rill_status rl_scene_read_walls(rill_scene *scene, rl_toml_table root)
{
    rl_toml_tables tables;
    rill_status status = rl_toml_get_tables(root, "wall", MOST_WALLS, &tables);
    if (status == RILL_OK)
        status = rl_scene_take(scene, tables.count, sizeof *scene->walls, &scene->walls);
    if (status != RILL_OK)
        return status;
    scene->wall_count = tables.count;
    for (size_t n = 0; n < tables.count && status == RILL_OK; n++) {
        rl_toml_table table;
        status = rl_toml_table_at(&tables, n, &table);
        if (status == RILL_OK)
            status = read_wall(scene, table, &scene->walls[n]);
    }
    return status;
}

rill_status rl_scene_prepare_borders(const rill_scene *scene, rill_world *world)
{
    rill_status status = RILL_OK;
    for (int side = 0; side < RILL_SIDE_COUNT && status == RILL_OK; side++) {
        const rl_scene_border_series *tide = &scene->tides[side];
        if (tide->count > 0)
            status = rill_world_set_border_series(world, (rill_side)side, tide->frames,
                                                  (int)tide->count);
        if (status == RILL_OK && tide->swell_height > 0.0)
            status = rill_world_set_border_swell(world, (rill_side)side, tide->swell_height,
                                                 tide->swell_period);
    }
    double origin[2];
    rl_scene_moving_domain_origin(scene, origin);
    for (size_t n = 0; n < scene->wall_count && status == RILL_OK; n++) {
        const rl_scene_wall *wall = &scene->walls[n];
        status = rill_world_set_wall(world, wall->x0 - origin[0], wall->y0 - origin[1],
                                     wall->x1 - origin[0], wall->y1 - origin[1], 1);
    }
    return status;
}
