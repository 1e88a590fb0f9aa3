// SPDX-License-Identifier: MIT
// scene_sources.c - water that comes and goes while time runs: [[spring]], [[drain]], [[emitter]],
// which pours particles, and [rain].
#include "scene/reader/scene_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#define MOST_SOURCES 10000 // of each kind

// ---- Springs and drains ----------------------------------------------------------------

// Where it is: x, y and, above a solid, z, or a path instead.
static rill_status read_place(const rill_scene *scene, rl_toml_table table, rill_source_def *def)
{
    static const char *const replaced[] = {"x", "y", "z", NULL};
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
    rl_scene_refuse_keys(table, replaced, "must not be given together with path");
    const rill_status status = rl_scene_read_path(table, "path", true, def->path, &def->path_count);
    for (int n = 0; n < def->path_count && status == RILL_OK; n++) {
        const rill_path_key *key = &def->path[n];
        const rl_toml_value *moment = rl_toml_at(rl_toml_get_value(table, "path"), (size_t)n);
        if (!(key->x >= 0.0 && key->x <= rl_scene_width(scene) && key->y >= 0.0 &&
              key->y <= rl_scene_height(scene)))
            return rl_toml_fail(table.document, &moment->place,
                                "%s.path[%d] is at (%g, %g) m, outside the world of %g x %g m",
                                table.path, n, key->x, key->y, rl_scene_width(scene),
                                rl_scene_height(scene));
        if (!solid && !isinf(key->z))
            return rl_toml_fail(table.document, &moment->place,
                                "%s.path[%d] has a z, which is for terrain.kind = \"solid\"",
                                table.path, n);
    }
    return status;
}

static rill_status check_end(rl_toml_table table, double start, double end)
{
    if (end > start)
        return table.document->failed;
    return rl_toml_refuse(table, "end", "is %g s, it must be after the start at %g s", end, start);
}

static rill_status read_spring(rill_scene *scene, rl_toml_table table, size_t index, void *item)
{
    (void)index;
    rill_source_def *def = item;
    *def = rill_default_source_def();
    read_place(scene, table, def);
    rl_scene_has_both(table, "pulse", "pulse_depth");
    rl_toml_require(table, "rate");
    rl_scene_read_rows(scene, table, RILL_DEFINITION_SOURCE, NULL, def);
    return check_end(table, def->start, def->end);
}

static rill_status read_drain(rill_scene *scene, rl_toml_table table, size_t index, void *item)
{
    const rill_status status = read_spring(scene, table, index, item);
    ((rill_source_def *)item)->rate *= -1.0;
    return status;
}

rill_status rl_scene_read_sources(rill_scene *scene, rl_toml_table root)
{
    rl_scene_sources *springs = &scene->springs, *drains = &scene->drains;
    rl_toml_table world;
    rl_toml_get_table(root, "world", &world);
    rl_scene_read_tables(scene, root, "spring", MOST_SOURCES, sizeof *springs->items, read_spring,
                         &springs->items, &springs->count);
    rl_scene_read_tables(scene, root, "drain", MOST_SOURCES, sizeof *drains->items, read_drain,
                         &drains->items, &drains->count);
    const size_t count = springs->count + drains->count;
    if (count <= (size_t)scene->def.max_sources)
        return root.document->failed;
    if (rl_toml_has(world, "max_sources"))
        return rl_toml_refuse(world, "max_sources",
                              "is %d, it must be at least %zu, the number of springs and drains",
                              scene->def.max_sources, count);
    scene->def.max_sources = (int)count;
    return root.document->failed;
}

// ---- Emitters --------------------------------------------------------------------------

static rill_status read_emitter(rill_scene *scene, rl_toml_table table, size_t index, void *item)
{
    (void)index;
    rill_emitter_def *def = item;
    *def = rill_default_emitter_def();
    if (!rl_toml_has(table, "path"))
        rl_toml_require(table, "position");
    else if (rl_toml_has(table, "position"))
        rl_toml_refuse(table, "position", "must not be given together with path");
    rl_scene_read_path(table, "path", false, def->path, &def->path_count);
    rl_toml_require(table, "rate");
    rl_scene_read_rows(scene, table, RILL_DEFINITION_EMITTER, NULL, def);
    const bool rain = def->kind == RILL_EMITTER_RAIN;
    if (rl_toml_has(table, rain ? "radius" : "size"))
        rl_toml_refuse(table, rain ? "radius" : "size", "is for kind = \"%s\"",
                       rain ? "jet" : "rain");
    if (rain)
        rl_toml_require(table, "size");
    check_end(table, def->start, def->end);
    if (scene->def.particles.max_particles == 0)
        rl_toml_refuse(table, "rate", "needs particles: [particles] with max_particles above 0");
    return table.document->failed;
}

rill_status rl_scene_read_emitters(rill_scene *scene, rl_toml_table root)
{
    return rl_scene_read_tables(scene, root, "emitter", RILL_MAX_EMITTERS, sizeof *scene->emitters,
                                read_emitter, &scene->emitters, &scene->emitter_count);
}

// ---- [rain] ----------------------------------------------------------------------------

// The files are loaded later, when all else is known to be right.
static rill_status read_fields(rill_scene *scene, rl_toml_table rain)
{
    const rl_toml_value *files = rl_toml_get_array(rain, "fields", "an array of strings");
    if (files == NULL)
        return rain.document->failed;
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

static rill_status read_frames(rill_scene *scene, rl_toml_table rain)
{
    double *times = NULL, *rates = NULL;
    size_t count = 0;
    rl_scene_read_times(scene, rain, "times", &times, &count);
    if (!rl_toml_has(rain, "rates") && !rl_toml_has(rain, "fields"))
        return rl_toml_refuse(rain, "rates", "or fields must be given, one for each time");
    rl_scene_take(scene, count, sizeof *rates, &rates);
    rl_scene_take(scene, count, sizeof *scene->rain.frames, &scene->rain.frames);
    // Where there are fields and no rates, these stay 0.
    if (rl_toml_get_doubles(rain, "rates", count, count, 0.0, 1.0, rates, NULL) != RILL_OK)
        return rain.document->failed;
    for (size_t n = 0; n < count; n++)
        scene->rain.frames[n] = (rill_rain_frame){.time = times[n], .rate = rates[n]};
    scene->rain.count = count;
    return read_fields(scene, rain);
}

rill_status rl_scene_read_rain(rill_scene *scene, rl_toml_table root)
{
    static const char *const timed[] = {"rates", "fields", NULL};
    rl_toml_table rain;
    rill_status status = rl_toml_get_table(root, "rain", &rain);
    if (status != RILL_OK || rain.value == NULL)
        return status;
    const bool steady = rl_toml_has(rain, "rate"), varies = rl_toml_has(rain, "times");
    if (steady && varies)
        return rl_toml_refuse(rain, "times", "must not be given together with rate");
    if (varies)
        return read_frames(scene, rain);
    rl_scene_refuse_keys(rain, timed, "needs rain.times");
    if (!steady)
        return rl_toml_refuse(rain, "rate", "or times must be given");
    status = rl_scene_take(scene, 1, sizeof *scene->rain.frames, &scene->rain.frames);
    if (status != RILL_OK)
        return status;
    scene->rain.count = 1;
    return rl_toml_get_double(rain, "rate", 0.0, 1.0, &scene->rain.frames[0].rate);
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
