// SPDX-License-Identifier: MIT
// scene_borders.c - what lies beyond the sides of the world, [borders], and walls between its
// cells, [[wall]].
#include "scene/reader/scene_internal.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

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

// What a series of a border may have, and where it goes in a frame.
typedef struct series_part {
    const char *what, *constant; // a list with a number for each moment, or one for all of them
    size_t offset;
} series_part;

// The first is the level or the discharge of the kind itself, whose constant is in the definition;
// the others come in by a border of the kind "incident" besides its level.
static const series_part parts[] = {
    {"values", NULL, offsetof(rill_border_frame, value)},
    {"waves", NULL, offsetof(rill_border_frame, wave)},
    {"velocities", "velocity", offsetof(rill_border_frame, velocity)},
    {"discharges", "discharge", offsetof(rill_border_frame, discharge)},
};
#define PART_COUNT (sizeof parts / sizeof parts[0])

static double *part_of(rill_border_frame *frame, const series_part *part)
{
    return (double *)((char *)frame + part->offset);
}

// One part of all frames: from its list, or the constant `otherwise`.
static rill_status read_part(rill_scene *scene, rl_toml_table table, int side,
                             const series_part *part, double otherwise)
{
    rl_scene_border_series *series = &scene->series[side];
    const rill_border_info kind = rill_border_about(scene->def.border[side]);
    const side_key list = key_of(side, part->what);
    const bool own = part == &parts[0];
    double *numbers = NULL;
    RILL_TRY(rl_scene_take(scene, series->count, sizeof *numbers, &numbers));
    for (size_t n = 0; n < series->count; n++)
        numbers[n] = otherwise;
    if (rl_toml_has(table, list.text))
        RILL_TRY(rl_toml_get_doubles(table, list.text, series->count, series->count,
                                     own ? kind.low : -1e6, own ? kind.high : 1e6, numbers, NULL));
    for (size_t n = 0; n < series->count; n++)
        *part_of(&series->frames[n], part) = numbers[n];
    return RILL_OK;
}

// The moments of a series; one, if all of it is constant.
static rill_status read_moments(rill_scene *scene, rl_toml_table table, int side)
{
    rl_scene_border_series *series = &scene->series[side];
    const side_key times = key_of(side, "times");
    double *time = NULL;
    series->count = 1;
    if (rl_toml_has(table, times.text))
        RILL_TRY(rl_scene_read_times(scene, table, times.text, &time, &series->count));
    RILL_TRY(rl_scene_take(scene, series->count, sizeof *series->frames, &series->frames));
    for (size_t n = 0; n < series->count; n++)
        series->frames[n] = (rill_border_frame){.time = time != NULL ? time[n] : 0.0};
    return RILL_OK;
}

static rill_status read_series(rill_scene *scene, rl_toml_table table, int side)
{
    const rill_border_info kind = rill_border_about(scene->def.border[side]);
    const side_key times = key_of(side, "times");
    const bool moves = rl_toml_has(table, times.text);
    double constant[PART_COUNT] = {(double)scene->def.border_level[side]};
    bool some = moves;
    for (size_t n = 0; n < PART_COUNT; n++) {
        const side_key list = key_of(side, parts[n].what);
        if (rl_toml_has(table, list.text) && !moves)
            return rl_toml_refuse(table, list.text, "needs %s as well", times.text);
        if (parts[n].constant == NULL || !kind.incident)
            continue;
        const side_key key = key_of(side, parts[n].constant);
        some |= rl_toml_has(table, key.text);
        RILL_TRY(rl_toml_get_double(table, key.text, -1e6, 1e6, &constant[n]));
    }
    if (!some)
        return table.document->failed;
    if (moves && (!kind.incident || !rl_toml_has(table, key_of(side, kind.value).text)))
        rl_toml_require(table, key_of(side, "values").text);
    RILL_TRY(read_moments(scene, table, side));
    for (size_t n = 0; n < PART_COUNT; n++)
        RILL_TRY(read_part(scene, table, side, &parts[n], constant[n]));
    return table.document->failed;
}

static rill_status read_swell(rill_scene *scene, rl_toml_table table, int side)
{
    rl_scene_border_series *series = &scene->series[side];
    const side_key height = key_of(side, "swell_height"), period = key_of(side, "swell_period");
    rl_scene_has_both(table, height.text, period.text);
    rl_toml_get_double(table, height.text, 0.0, RL_SCENE_HIGH, &series->swell_height);
    return rl_toml_get_double(table, period.text, 1e-6, 1e12, &series->swell_period);
}

// ---- [borders] -------------------------------------------------------------------------

// Whether a kind of border has that key: its number, that number over time, or a swell.
static bool has_key(rill_border_info kind, const char *what)
{
    if (strncmp(what, "swell", 5) == 0)
        return kind.swell != 0;
    for (size_t n = 1; n < PART_COUNT && kind.incident; n++)
        if (strcmp(what, parts[n].what) == 0 ||
            (parts[n].constant != NULL && strcmp(what, parts[n].constant) == 0))
            return true;
    return kind.value != NULL && (strcmp(what, "times") == 0 || strcmp(what, kind.value) == 0);
}

// Refuses a key that the border of the side does not have, and names the kinds that have it.
static rill_status check_key(rl_toml_table table, int side, rill_border border, const char *what)
{
    const side_key key = key_of(side, what);
    const rill_border_info own = rill_border_about(border);
    if (!rl_toml_has(table, key.text) || has_key(own, what))
        return RILL_OK;
    char kinds[128] = "";
    size_t used = 0;
    for (int n = 0; n < RILL_BORDER_COUNT && used < sizeof kinds; n++) {
        const rill_border_info kind = rill_border_about((rill_border)n);
        if (has_key(kind, what))
            used += (size_t)snprintf(kinds + used, sizeof kinds - used, "%s\"%s\"",
                                     used > 0 ? " or " : "", kind.name);
    }
    return rl_toml_refuse(table, key.text, "is for borders.%s = %s, that side is \"%s\"",
                          side_names[side], kinds, own.name);
}

static rill_status read_side(rill_scene *scene, rl_toml_table table, int side,
                             bool has_moving_domain)
{
    rill_world_def *def = &scene->def;
    const rill_border border = def->border[side];
    const rill_border_info kind = rill_border_about(border);
    if (!(rill_solver_about(def->solver).borders >> border & 1u))
        return rl_toml_refuse(table, side_names[side], "is \"%s\", which is for world.solver = %s",
                              kind.name, rl_scene_solvers_with(0, 0, 1u << border).text);
    for (int n = 0; n < RILL_BORDER_COUNT; n++)
        if (rill_border_about((rill_border)n).value != NULL)
            check_key(table, side, border, rill_border_about((rill_border)n).value);
    check_key(table, side, border, "times");
    check_key(table, side, border, "swell_height");
    check_key(table, side, border, "velocity");
    for (size_t n = 1; n < PART_COUNT; n++)
        check_key(table, side, border, parts[n].what);
    if (kind.value != NULL) {
        const side_key key = key_of(side, kind.value);
        // The river of a full terrain says what lies beyond.
        const bool follows = kind.incident && has_moving_domain;
        if (!rl_toml_has(table, key_of(side, "values").text) && !follows)
            rl_toml_require(table, key.text);
        rl_toml_get_float(table, key.text, kind.low, kind.high, &def->border_level[side]);
    }
    read_series(scene, table, side);
    return read_swell(scene, table, side);
}

rill_status rl_scene_read_borders(rill_scene *scene, rl_toml_table root)
{
    rl_toml_table table;
    rl_toml_get_table(root, "borders", &table);
    const bool has_moving_domain = rl_toml_has(root, "domain") || rl_toml_has(root, "window");
    for (int side = 0; side < RILL_SIDE_COUNT; side++)
        read_side(scene, table, side, has_moving_domain);
    return table.document->failed;
}

// ---- [[wall]] --------------------------------------------------------------------------

static rill_status read_wall(rill_scene *scene, rl_toml_table table, void *item)
{
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
    for (int n = 0; n < RILL_SIDE_COUNT; n++) {
        const rl_scene_border_series *s = &scene->series[n];
        const rill_side side = (rill_side)n;
        if (s->count > 0)
            RILL_TRY(rill_world_set_border_series(world, side, s->frames, (int)s->count));
        if (s->swell_height > 0.0)
            RILL_TRY(rill_world_set_border_swell(world, side, s->swell_height, s->swell_period));
    }
    for (size_t n = 0; n < scene->wall_count; n++) {
        rl_scene_wall wall = scene->walls[n];
        rl_scene_into_domain(scene, &wall.from[0], &wall.from[1]);
        rl_scene_into_domain(scene, &wall.to[0], &wall.to[1]);
        RILL_TRY(rill_world_set_wall(world, wall.from[0], wall.from[1], wall.to[0], wall.to[1], 1));
    }
    return RILL_OK;
}
