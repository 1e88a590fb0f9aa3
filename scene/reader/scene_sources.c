// SPDX-License-Identifier: MIT
// scene_sources.c - water that comes and goes while time runs: [[spring]], [[drain]] and [rain].
#include "scene/reader/scene_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#define MOST_SOURCES 10000  // of each kind
#define MOST_FRAMES  100000 // of rain

// ---- Springs and drains ----------------------------------------------------------------

// Where it is: x, y and, above a solid, z, or a path instead.
static rill_status read_place(const rill_scene *scene, rl_toml_table table, rill_source_def *def)
{
    static const char *const replaced[] = {"x", "y", "z"};
    const bool solid = scene->terrain.kind == RL_GROUND_SOLID;
    if (!solid && rl_toml_has(table, "z"))
        return rl_toml_refuse(table, "z", "is for terrain.kind = \"solid\"");
    if (!rl_toml_has(table, "path")) {
        rl_toml_require(table, "x");
        rl_toml_require(table, "y");
        rl_toml_get_double(table, "x", 0.0, rl_scene_width(scene), &def->x);
        rl_toml_get_double(table, "y", 0.0, rl_scene_height(scene), &def->y);
        return rl_toml_get_double(table, "z", -RL_SCENE_HIGH, RL_SCENE_HIGH, &def->z);
    }
    for (size_t n = 0; n < sizeof replaced / sizeof replaced[0]; n++)
        if (rl_toml_has(table, replaced[n]))
            return rl_toml_refuse(table, replaced[n], "must not be given together with path");
    const rill_status status =
        rl_scene_read_path(scene, table, "path", true, def->path, &def->path_count);
    for (int n = 0; n < def->path_count && status == RILL_OK; n++) {
        const rill_path_key *key = &def->path[n];
        const rl_toml_value *moment = rl_toml_at(rl_toml_get_value(table, "path"), (size_t)n);
        if (!(key->x >= 0.0 && key->x <= rl_scene_width(scene) && key->y >= 0.0 &&
              key->y <= rl_scene_height(scene)))
            return rl_scene_refuse(
                scene, moment, "%s.path[%d] is at (%g, %g) m, outside the world of %g x %g m",
                table.path, n, key->x, key->y, rl_scene_width(scene), rl_scene_height(scene));
        if (!solid && !isinf(key->z))
            return rl_scene_refuse(scene, moment,
                                   "%s.path[%d] has a z, which is for terrain.kind = \"solid\"",
                                   table.path, n);
    }
    return status;
}

static rill_status read_source(const rill_scene *scene, rl_toml_table table, double sign,
                               rill_source_def *def)
{
    int count = 0;
    const rill_parameter *rows = rill_parameters(&count);
    *def = rill_default_source_def();
    rill_status status = read_place(scene, table, def);
    if (status != RILL_OK)
        return status;
    const bool beats = rl_toml_has(table, "pulse"), deep = rl_toml_has(table, "pulse_depth");
    if (beats != deep)
        return rl_toml_refuse(table, beats ? "pulse" : "pulse_depth", "needs %s as well",
                              beats ? "pulse_depth" : "pulse");
    rl_toml_require(table, "rate");
    status = rl_scene_read_rows(scene, table, rows, count, RILL_DEFINITION_SOURCE, NULL, def);
    if (status == RILL_OK && !(def->end > def->start))
        return rl_toml_refuse(table, "end", "is %g s, it must be after the start at %g s", def->end,
                              def->start);
    def->rate *= sign;
    return status;
}

static rill_status read_sources_of(rill_scene *scene, const rl_toml_tables *tables, double sign)
{
    rill_status status = RILL_OK;
    for (size_t n = 0; n < tables->count && status == RILL_OK; n++) {
        rl_toml_table table;
        status = rl_toml_table_at(tables, n, &table);
        if (status == RILL_OK)
            status = read_source(scene, table, sign, &scene->sources[scene->source_count + n]);
    }
    scene->source_count += tables->count;
    return status;
}

rill_status rl_scene_read_sources(rill_scene *scene, rl_toml_table root)
{
    rl_toml_table world;
    rl_toml_tables springs, drains;
    rl_toml_get_tables(root, "spring", MOST_SOURCES, &springs);
    rl_toml_get_tables(root, "drain", MOST_SOURCES, &drains);
    rill_status status = rl_toml_get_table(root, "world", &world);
    const size_t count = springs.count + drains.count;
    if (status != RILL_OK)
        return status;
    if (count > (size_t)scene->def.max_sources) {
        if (rl_toml_has(world, "max_sources"))
            return rl_toml_refuse(
                world, "max_sources",
                "is %d, it must be at least %zu, the number of springs and drains",
                scene->def.max_sources, count);
        scene->def.max_sources = (int)count;
    }
    status = rl_scene_take(scene, count, sizeof *scene->sources, &scene->sources);
    if (status != RILL_OK)
        return status;
    scene->source_capacity = count;
    status = read_sources_of(scene, &springs, 1.0);
    if (status == RILL_OK)
        status = read_sources_of(scene, &drains, -1.0);
    return status;
}

// ---- [rain] ----------------------------------------------------------------------------

static rill_status take_frames(rill_scene *scene, size_t count)
{
    const rill_status status =
        rl_scene_take(scene, count, sizeof *scene->rain.frames, &scene->rain.frames);
    scene->rain.count = status == RILL_OK ? count : 0;
    return status;
}

static rill_status read_times(rill_scene *scene, rl_toml_table rain, double *numbers)
{
    rill_rain_frame *frames = scene->rain.frames;
    const size_t count = scene->rain.count;
    rill_status status =
        rl_toml_get_doubles(rain, "times", count, count, -1e12, 1e12, numbers, NULL);
    for (size_t n = 0; n < count && status == RILL_OK; n++) {
        frames[n].time = numbers[n];
        numbers[n] = 0.0; // what stays where there are fields and no rates
        if (n > 0 && !(frames[n].time > frames[n - 1].time))
            status = rl_toml_refuse(rain, "times",
                                    "must rise, but number %zu is %g s and the one before it %g s",
                                    n + 1, frames[n].time, frames[n - 1].time);
    }
    if (status == RILL_OK)
        status = rl_toml_get_doubles(rain, "rates", count, count, 0.0, 1.0, numbers, NULL);
    for (size_t n = 0; n < count && status == RILL_OK; n++)
        frames[n].rate = numbers[n];
    return status;
}

// The files are loaded later, when all else is known to be right.
static rill_status read_fields(rill_scene *scene, rl_toml_table rain)
{
    const rl_toml_value *files = rl_toml_get_value(rain, "fields");
    if (files == NULL)
        return RILL_OK;
    if (rl_toml_kind_of(files) != RL_TOML_ARRAY)
        return rl_toml_refuse(rain, "fields", "must be an array of strings, not %s",
                              rl_toml_kind_name(rl_toml_kind_of(files)));
    const size_t count = rl_toml_size(files);
    if (count != scene->rain.count)
        return rl_toml_refuse(rain, "fields", "must have %zu files, one for each time, it has %zu",
                              scene->rain.count, count);
    const int64_t values = (int64_t)count * scene->info.nx * scene->info.ny;
    if (values > RILL_MAX_CELLS)
        return rl_toml_refuse(rain, "fields",
                              "has %zu files of %d x %d cells: that is %" PRId64
                              " values, there must be at most %d",
                              count, scene->info.nx, scene->info.ny, values, RILL_MAX_CELLS);
    scene->rain.files = files;
    return rl_scene_take(scene, count, sizeof *scene->rain.fields, &scene->rain.fields);
}

static rill_status read_frames(rill_scene *scene, rl_toml_table rain, const rl_toml_value *times)
{
    if (rl_toml_kind_of(times) != RL_TOML_ARRAY)
        return rl_toml_refuse(rain, "times", "must be an array of numbers, not %s",
                              rl_toml_kind_name(rl_toml_kind_of(times)));
    const size_t count = rl_toml_size(times);
    if (count < 1 || count > MOST_FRAMES)
        return rl_toml_refuse(rain, "times", "must have between 1 and %d numbers, it has %zu",
                              MOST_FRAMES, count);
    const bool has_rates = rl_toml_has(rain, "rates"), has_fields = rl_toml_has(rain, "fields");
    if (!has_rates && !has_fields)
        return rl_toml_refuse(rain, "rates", "or fields must be given, one for each time");
    double *numbers = NULL;
    rill_status status = take_frames(scene, count);
    if (status == RILL_OK)
        status = rl_scene_take(scene, count, sizeof *numbers, &numbers);
    if (status == RILL_OK)
        status = read_times(scene, rain, numbers);
    rill_free(&scene->host.allocator, numbers, count * sizeof *numbers);
    return status == RILL_OK ? read_fields(scene, rain) : status;
}

rill_status rl_scene_read_rain(rill_scene *scene, rl_toml_table root)
{
    static const char *const timed[] = {"rates", "fields"};
    rl_toml_table rain;
    rill_status status = rl_toml_get_table(root, "rain", &rain);
    if (status != RILL_OK || rain.value == NULL)
        return status;
    const bool steady = rl_toml_has(rain, "rate");
    const rl_toml_value *times = rl_toml_get_value(rain, "times");
    if (steady && times != NULL)
        return rl_toml_refuse(rain, "times", "must not be given together with rate");
    if (times != NULL)
        return read_frames(scene, rain, times);
    for (size_t n = 0; n < sizeof timed / sizeof timed[0]; n++)
        if (rl_toml_has(rain, timed[n]))
            return rl_toml_refuse(rain, timed[n], "needs rain.times");
    if (!steady)
        return rl_toml_refuse(rain, "rate", "or times must be given");
    status = take_frames(scene, 1);
    return status != RILL_OK
               ? status
               : rl_toml_get_double(rain, "rate", 0.0, 1.0, &scene->rain.frames[0].rate);
}

rill_status rl_scene_make_rain(rill_scene *scene)
{
    rl_scene_rain *rain = &scene->rain;
    for (size_t n = 0; rain->files != NULL && n < rain->count; n++) {
        char key[48];
        snprintf(key, sizeof key, "rain.fields[%zu]", n);
        const rill_status status =
            rl_scene_load_amounts(scene, rl_toml_at(rain->files, n), key, 1.0, &rain->fields[n]);
        if (status != RILL_OK)
            return status;
        rain->frames[n].field = rill_heightfield_view(rain->fields[n]);
    }
    return RILL_OK;
}
