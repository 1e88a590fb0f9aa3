// SPDX-License-Identifier: MIT
// scene_borders.c - what lies beyond the sides of the world, [borders], and walls between its
// cells, [[wall]].
#include "scene/reader/scene_internal.h"

#include "scene/formats/series_file.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define MOST_WALLS   10000
#define MOST_CHANGES 10000

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
    const char *column;          // of a file; NULL: that of the kind's own number
    size_t offset;
} series_part;

// The first is the level or the discharge of the kind itself, whose constant is in the definition;
// the others come in by a border of the kind "incident" besides its level.
static const series_part parts[] = {
    {"values", NULL, NULL, offsetof(rill_border_frame, value)},
    {"waves", NULL, "wave", offsetof(rill_border_frame, wave)},
    {"velocities", "velocity", "velocity", offsetof(rill_border_frame, velocity)},
    {"discharges", "discharge", "discharge", offsetof(rill_border_frame, discharge)},
};
#define PART_COUNT (sizeof parts / sizeof parts[0])

static double *part_of(rill_border_frame *frame, const series_part *part)
{
    return (double *)((char *)frame + part->offset);
}

// What a side is at the start, and what it becomes: the first of them that has a number, which is
// what a series is for.
static rill_border_info numbered(const rill_scene *scene, int side)
{
    const rl_scene_border_series *series = &scene->series[side];
    rill_border_info kind = rill_border_about(scene->def.border[side]);
    for (size_t n = 0; n < series->change_count && kind.value == NULL; n++)
        kind = rill_border_about(series->changes[n].border);
    return kind;
}

// One part of all frames: from its list, or the constant `otherwise`.
static rill_status read_part(rill_scene *scene, rl_toml_table table, int side,
                             const series_part *part, double otherwise)
{
    rl_scene_border_series *series = &scene->series[side];
    const rill_border_info kind = numbered(scene, side);
    const side_key list = key_of(side, part->what);
    const bool own = part->column == NULL;
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

// The frames of a file that has been read; what it has no column for is constant.
static rill_status take_rows(rill_scene *scene, int side, const rl_series_file *file,
                             const char *path, const double *constant)
{
    rl_scene_border_series *series = &scene->series[side];
    const rill_border_info kind = numbered(scene, side);
    series->count = file->rows;
    RILL_TRY(rl_scene_take(scene, series->count, sizeof *series->frames, &series->frames));
    for (size_t row = 0; row < file->rows; row++) {
        rill_border_frame *frame = &series->frames[row];
        *frame = (rill_border_frame){.time = rl_series_file_at(file, row, 0, 0.0)};
        for (size_t n = 0; n < PART_COUNT && (n == 0 || kind.incident); n++) {
            const double number = rl_series_file_at(file, row, (int)n + 1, constant[n]);
            const double low = n == 0 ? kind.low : -1e6, high = n == 0 ? kind.high : 1e6;
            if (!(number >= low && number <= high))
                return rill_fail(RILL_BAD_FILE, "%s: row %zu: %s is %g, it must be from %g to %g",
                                 path, row + 1, n == 0 ? kind.value : parts[n].column, number, low,
                                 high);
            *part_of(frame, &parts[n]) = number;
        }
    }
    return RILL_OK;
}

// A series in a file: its columns are the time, the kind's number, and what else comes in.
static rill_status read_file(rill_scene *scene, rl_toml_table table, int side,
                             const double *constant)
{
    const rill_border_info kind = numbered(scene, side);
    const side_key key = key_of(side, "file"), own = key_of(side, kind.value);
    const rl_toml_value *value = rl_toml_get_value(table, key.text);
    const char *names[PART_COUNT + 2] = {"time", kind.value};
    for (size_t n = 1; n < PART_COUNT && kind.incident; n++)
        names[n + 1] = parts[n].column;
    char path[RL_PATH_BYTES];
    RILL_TRY(rl_scene_path(scene, value, key.text, path));
    rl_series_file file;
    rill_status status = rl_series_file_read(path, names, &scene->host.allocator, &file);
    if (status == RILL_OK && file.column[1] < 0 && !rl_toml_has(table, own.text))
        status = rill_fail(RILL_BAD_FILE, "%s: has no column '%s', and there is no %s", path,
                           kind.value, own.text);
    if (status == RILL_OK)
        status = take_rows(scene, side, &file, path, constant);
    rl_series_file_free(&scene->host.allocator, &file);
    return rl_scene_blame(scene, value, key.text, status);
}

static rill_status read_series(rill_scene *scene, rl_toml_table table, int side)
{
    const rill_border_info kind = numbered(scene, side);
    const side_key times = key_of(side, "times"), file = key_of(side, "file");
    const bool moves = rl_toml_has(table, times.text), in_file = rl_toml_has(table, file.text);
    double constant[PART_COUNT] = {(double)scene->def.border_level[side]};
    bool some = moves;
    if (moves && in_file)
        return rl_toml_refuse(table, file.text, "must not be given together with %s", times.text);
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
    if (in_file)
        return read_file(scene, table, side, constant);
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

// ---- Kinds over time -------------------------------------------------------------------

static rill_status read_change(rill_scene *scene, rl_toml_table table, void *item)
{
    const char *names[RILL_BORDER_COUNT + 1] = {NULL};
    for (int n = 0; n < RILL_BORDER_COUNT; n++)
        names[n] = rill_border_about((rill_border)n).name;
    rill_border_change *change = item;
    *change = (rill_border_change){0};
    rl_toml_require(table, "time");
    rl_toml_require(table, "kind");
    rl_toml_get_double(table, "time", -1e12, 1e12, &change->time);
    RILL_TRY(rl_toml_get_choice(table, "kind", names, &change->border));
    const rill_border_info kind = rill_border_about(change->border);
    if (!(rill_solver_about(scene->def.solver).borders >> change->border & 1u))
        return rl_toml_refuse(table, "kind", "is \"%s\", which is for world.solver = %s", kind.name,
                              rl_scene_solvers_with(0, 0, 1u << change->border).text);
    if (kind.value == NULL)
        return table.document->failed;
    return rl_toml_get_float(table, kind.value, kind.low, kind.high, &change->level);
}

// A change to a kind with a number needs it, unless there is a series of that number.
static rill_status read_changes(rill_scene *scene, rl_toml_table table, int side)
{
    rl_scene_border_series *series = &scene->series[side];
    const side_key key = key_of(side, "changes");
    const bool is_given = rl_toml_has(table, key_of(side, "values").text) ||
                          rl_toml_has(table, key_of(side, "file").text);
    RILL_TRY(rl_scene_read_tables(scene, table, key.text, MOST_CHANGES, sizeof *series->changes,
                                  read_change, &series->changes, &series->change_count));
    rl_toml_tables tables;
    rl_toml_get_tables(table, key.text, MOST_CHANGES, &tables);
    for (size_t n = 0; n < series->change_count; n++) {
        const rill_border_info kind = rill_border_about(series->changes[n].border);
        rl_toml_table change;
        RILL_TRY(rl_toml_table_at(&tables, n, &change));
        if (n > 0 && !(series->changes[n].time > series->changes[n - 1].time))
            return rl_toml_refuse(change, "time",
                                  "is %g, it must be after that of the change before",
                                  series->changes[n].time);
        if (kind.value != NULL && !is_given)
            RILL_TRY(rl_toml_require(change, kind.value));
    }
    return table.document->failed;
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
    return kind.value != NULL && (strcmp(what, "times") == 0 || strcmp(what, "file") == 0 ||
                                  strcmp(what, kind.value) == 0);
}

// Whether the side is or will be of a kind that has that key.
static bool side_has_key(const rill_scene *scene, int side, const char *what)
{
    const rl_scene_border_series *series = &scene->series[side];
    bool has = has_key(rill_border_about(scene->def.border[side]), what);
    for (size_t n = 0; n < series->change_count && !has; n++)
        has = has_key(rill_border_about(series->changes[n].border), what);
    return has;
}

// Refuses a key that the border of the side does not have, and names the kinds that have it.
static rill_status check_key(const rill_scene *scene, rl_toml_table table, int side,
                             const char *what)
{
    const side_key key = key_of(side, what);
    const rill_border_info own = rill_border_about(scene->def.border[side]);
    if (!rl_toml_has(table, key.text) || side_has_key(scene, side, what))
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
    RILL_TRY(read_changes(scene, table, side));
    for (int n = 0; n < RILL_BORDER_COUNT; n++)
        if (rill_border_about((rill_border)n).value != NULL)
            check_key(scene, table, side, rill_border_about((rill_border)n).value);
    static const char *const others[] = {"times", "file", "swell_height", "velocity"};
    for (size_t n = 0; n < sizeof others / sizeof others[0]; n++)
        check_key(scene, table, side, others[n]);
    for (size_t n = 1; n < PART_COUNT; n++)
        check_key(scene, table, side, parts[n].what);
    if (kind.value != NULL) {
        const side_key key = key_of(side, kind.value);
        // The river of a full terrain says what lies beyond.
        const bool follows = kind.incident && has_moving_domain;
        if (!rl_toml_has(table, key_of(side, "values").text) &&
            !rl_toml_has(table, key_of(side, "file").text) && !follows)
            rl_toml_require(table, key.text);
        rl_toml_get_float(table, key.text, kind.low, kind.high, &def->border_level[side]);
    }
    RILL_TRY(read_series(scene, table, side));
    return read_swell(scene, table, side);
}

rill_status rl_scene_read_borders(rill_scene *scene, rl_toml_table root)
{
    rl_toml_table table;
    rl_toml_get_table(root, "borders", &table);
    const bool has_moving_domain = rl_toml_has(root, "domain") || rl_toml_has(root, "window");
    for (int side = 0; side < RILL_SIDE_COUNT; side++)
        RILL_TRY(read_side(scene, table, side, has_moving_domain));
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
        if (s->change_count > 0)
            RILL_TRY(rill_world_set_border_changes(world, side, s->changes, (int)s->change_count));
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
