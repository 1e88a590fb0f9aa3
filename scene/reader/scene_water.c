// SPDX-License-Identifier: MIT
// scene_water.c - the water at the first moment, [water], and what comes and goes while time runs:
// [[spring]], [[drain]], [[emitter]], which pours particles, and [rain]. Of a [river], what it has
// besides its parameters: where its cache lies, and which keys of [river.path] go together.
#include "scene/reader/scene_internal.h"

#include "scene/builtin.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_BLOCKS  10000
#define MOST_SOURCES 10000 // of each kind
#define FASTEST      1e3   // speed of water at the start, m/s
#define INVERSE_E    0.36787944117144233

// ---- [water] ---------------------------------------------------------------------------

static rill_status read_block(rill_scene *scene, rl_toml_table table, void *item)
{
    rill_fill *block = item;
    rl_scene_box box;
    RILL_TRY(rl_scene_read_box(scene, table, &box));
    const rl_scene_cells cells = rl_scene_box_cells(scene, &box);
    *block = (rill_fill){.i0 = cells.i0, .i1 = cells.i1, .j0 = cells.j0, .j1 = cells.j1};
    block->to_level = rl_toml_has(table, "level");
    const bool to_depth = rl_toml_has(table, "depth");
    if (!block->to_level && !to_depth)
        return rl_toml_refuse(table, "level", "or depth must be given");
    if (block->to_level && to_depth)
        return rl_toml_refuse(table, "depth", "must not be given together with level");
    block->at_z = rl_toml_has(table, "z");
    if (block->at_z && scene->terrain.kind != RL_GROUND_SOLID)
        return rl_toml_refuse(table, "z", "is for terrain.kind = \"solid\"");
    rl_toml_get_float(table, "z", -RL_SCENE_HIGH, RL_SCENE_HIGH, &block->z);
    rl_toml_get_float(table, "level", -RL_SCENE_HIGH, RL_SCENE_HIGH, &block->amount);
    return rl_toml_get_float(table, "depth", 0.0, RL_SCENE_HIGH, &block->amount);
}

static rill_status read_hump(rill_scene *scene, rl_toml_table table, void *item)
{
    rl_scene_hump *hump = item;
    *hump = (rl_scene_hump){0};
    static const char *const needed[] = {"x", "y", "height", "length"};
    for (size_t n = 0; n < sizeof needed / sizeof needed[0]; n++)
        rl_toml_require(table, needed[n]);
    rl_toml_get_double(table, "x", -1e7, 1e7, &hump->x);
    rl_toml_get_double(table, "y", -1e7, 1e7, &hump->y);
    rl_toml_get_double(table, "direction", -360.0, 360.0, &hump->direction);
    rl_toml_get_double(table, "height", 0.0, RL_SCENE_HIGH, &hump->height);
    (void)scene;
    return rl_toml_get_double(table, "length", 1e-6, 1e7, &hump->length);
}

// Water that moves at the start: for solvers that can, and where the water is the scene's own.
static rill_status read_motion(rill_scene *scene, rl_toml_table water)
{
    rl_scene_water *plan = &scene->water;
    static const char *const keys[] = {"velocity", "velocity_x_file", "velocity_y_file", "hump",
                                       NULL};
    static const char *const files[] = {"velocity_x_file", "velocity_y_file", NULL};
    char sentence[256];
    snprintf(sentence, sizeof sentence, "is for world.solver = %s",
             rl_scene_solvers_with(0, RILL_CAN_START_MOVING, 0).text);
    if (!rl_scene_can(scene, RILL_CAN_START_MOVING))
        rl_scene_refuse_keys(water, keys, sentence);
    if (rl_toml_has(water, "velocity"))
        rl_scene_refuse_keys(water, files, "must not be given together with velocity");
    for (int axis = 0; axis < 2; axis++)
        plan->velocity_files[axis] = rl_toml_get_value(water, files[axis]);
    rl_toml_get_doubles(water, "velocity", 2, 2, -FASTEST, FASTEST, plan->velocity, NULL);
    return rl_scene_read_tables(scene, water, "hump", MOST_BLOCKS, sizeof *plan->humps, read_hump,
                                &plan->humps, &plan->hump_count);
}

rill_status rl_scene_read_water(rill_scene *scene, rl_toml_table root)
{
    rl_scene_water *plan = &scene->water;
    rl_toml_table water;
    rl_toml_get_table(root, "water", &water);
    scene->def.use_level = rl_toml_has(water, "level");
    rl_toml_get_float(water, "depth", 0.0, RL_SCENE_HIGH, &plan->depth);
    rl_toml_get_double(water, "evaporation", 0.0, 1.0, &plan->evaporation);
    plan->depth_file = rl_toml_get_value(water, "depth_file");
    read_motion(scene, water);
    return rl_scene_read_tables(scene, water, "block", MOST_BLOCKS, sizeof *plan->blocks,
                                read_block, &plan->blocks, &plan->block_count);
}

// Copies a raster, but no value below `least`.
static void copy_raster(rill_field *to, const rill_heightfield *from, float least)
{
    const rill_field_view view = rill_heightfield_view(from);
    for (int j = 0; j < to->ny; j++) {
        float *row = rill_field_row(to, j);
        for (int i = 0; i < to->nx; i++)
            row[i] = fmaxf(least, view.data[(size_t)j * view.pitch + (size_t)i]);
    }
}

static void fill_block(rill_scene *scene, const rill_fill *block)
{
    RL_ASSERT(scene->ground != NULL && scene->water.field.origin != NULL);
    for (int j = block->j0; j < block->j1; j++) {
        float *row = rill_field_row(&scene->water.field, j);
        const float *ground = rill_field_row(rill_heightfield_field(scene->ground), j);
        for (int i = block->i0; i < block->i1; i++) {
            const float depth = block->to_level ? block->amount - ground[i] : block->amount;
            row[i] = fmaxf(row[i], depth);
        }
    }
}

// A simple wave on the water that is there: its velocity u = 2 (sqrt(g (h + eta)) - sqrt(g h))
// makes all of it run one way.
static void lay_hump(rill_scene *scene, const rl_scene_hump *hump)
{
    rl_scene_water *plan = &scene->water;
    const double g = (double)scene->def.gravity, cell = (double)scene->def.cell_size;
    const double along_x = rill_sine_of_turns(hump->direction / 360.0 + 0.25);
    const double along_y = rill_sine_of_turns(hump->direction / 360.0);
    for (int j = 0; j < plan->field.ny; j++) {
        float *depth = rill_field_row(&plan->field, j);
        const float *ground = rill_field_row(rill_heightfield_field(scene->ground), j);
        for (int i = 0; i < plan->field.nx; i++) {
            const double to_level = (double)scene->def.level - (double)ground[i];
            const double rest = fmax((double)depth[i], scene->def.use_level ? to_level : 0.0);
            if (!(rest > 0.0))
                continue;
            const double way =
                ((i + 0.5) * cell - hump->x) * along_x + ((j + 0.5) * cell - hump->y) * along_y;
            // By functions that round alike on every machine.
            const double e = rill_power(INVERSE_E, fmin(fabs(way / hump->length), 300.0));
            const double sech = 2.0 * e / (1.0 + e * e);
            const double now = rest + hump->height * sech * sech;
            const double speed = 2.0 * (sqrt(g * now) - sqrt(g * rest));
            depth[i] = (float)now;
            rill_field_row(&plan->velocity_x, j)[i] += (float)(speed * along_x);
            rill_field_row(&plan->velocity_y, j)[i] += (float)(speed * along_y);
        }
    }
}

static rill_status take_field(rill_scene *scene, float value, rill_field *out)
{
    if (!rill_field_create(&scene->host.allocator, scene->info.nx, scene->info.ny, 0, out))
        return rill_fail(RILL_NO_MEMORY, "no memory for %d x %d values", scene->info.nx,
                         scene->info.ny);
    rill_field_fill(out, value);
    return RILL_OK;
}

// Velocities along an axis: those of its file, or else the one of all water.
static rill_status make_velocity(rill_scene *scene, int axis, rill_field *out)
{
    static const char *const keys[] = {"water.velocity_x_file", "water.velocity_y_file"};
    const rl_toml_value *file = scene->water.velocity_files[axis];
    RILL_TRY(take_field(scene, (float)scene->water.velocity[axis], out));
    if (file == NULL)
        return RILL_OK;
    rill_heightfield *velocities = NULL;
    RILL_TRY(rl_scene_load_amounts(scene, file, keys[axis], -FASTEST, FASTEST, &velocities));
    copy_raster(out, velocities, (float)-FASTEST);
    rill_heightfield_destroy(&velocities);
    return RILL_OK;
}

static rill_status make_motion(rill_scene *scene)
{
    rl_scene_water *plan = &scene->water;
    const bool from_files = plan->velocity_files[0] != NULL || plan->velocity_files[1] != NULL;
    if (plan->hump_count == 0 && plan->velocity[0] == 0.0 && plan->velocity[1] == 0.0 &&
        !from_files)
        return RILL_OK;
    RILL_TRY(make_velocity(scene, 0, &plan->velocity_x));
    RILL_TRY(make_velocity(scene, 1, &plan->velocity_y));
    for (size_t n = 0; n < plan->hump_count; n++)
        lay_hump(scene, &plan->humps[n]);
    return RILL_OK;
}

// The level is left to the world, and blocks at an elevation until there is one. Of everything said
// about a cell the deepest counts.
rill_status rl_scene_make_water(rill_scene *scene)
{
    rl_scene_water *plan = &scene->water;
    if (!(plan->depth > 0.0f) && plan->depth_file == NULL && plan->block_count == 0 &&
        plan->hump_count == 0)
        return make_motion(scene);
    RILL_TRY(take_field(scene, plan->depth, &plan->field));
    if (plan->depth_file != NULL) {
        rill_heightfield *depths = NULL;
        RILL_TRY(rl_scene_load_amounts(scene, plan->depth_file, "water.depth_file", 0.0,
                                       RL_SCENE_HIGH, &depths));
        copy_raster(&plan->field, depths, plan->depth);
        rill_heightfield_destroy(&depths);
    }
    for (size_t n = 0; n < plan->block_count; n++)
        if (!plan->blocks[n].at_z)
            fill_block(scene, &plan->blocks[n]);
    return make_motion(scene);
}

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
    rl_scene_read_path(table, "path", true, RILL_PATH_MAX_KEYS, def->path, &def->path_count);
    for (int n = 0; n < def->path_count; n++) {
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
    return table.document->failed;
}

static rill_status check_end(rl_toml_table table, double start, double end)
{
    if (end > start)
        return table.document->failed;
    return rl_toml_refuse(table, "end", "is %g s, it must be after the start at %g s", end, start);
}

static rill_status read_spring(rill_scene *scene, rl_toml_table table, void *item)
{
    rill_source_def *def = item;
    *def = rill_default_source_def();
    read_place(scene, table, def);
    rl_scene_has_both(table, "pulse", "pulse_depth");
    rl_toml_require(table, "rate");
    rl_scene_read_rows(scene, table, RILL_DEFINITION_SOURCE, NULL, def);
    return check_end(table, def->start, def->end);
}

static rill_status read_drain(rill_scene *scene, rl_toml_table table, void *item)
{
    read_spring(scene, table, item);
    ((rill_source_def *)item)->rate *= -1.0;
    return table.document->failed;
}

rill_status rl_scene_read_sources(rill_scene *scene, rl_toml_table root)
{
    rl_toml_table world;
    rl_toml_get_table(root, "world", &world);
    rl_scene_read_tables(scene, root, "spring", MOST_SOURCES, sizeof *scene->springs, read_spring,
                         &scene->springs, &scene->spring_count);
    rl_scene_read_tables(scene, root, "drain", MOST_SOURCES, sizeof *scene->drains, read_drain,
                         &scene->drains, &scene->drain_count);
    return rl_scene_raise(world, "max_sources", scene->spring_count + scene->drain_count,
                          "springs and drains", &scene->def.max_sources);
}

// ---- Emitters --------------------------------------------------------------------------

static rill_status read_emitter(rill_scene *scene, rl_toml_table table, void *item)
{
    rill_emitter_def *def = item;
    *def = rill_default_emitter_def();
    if (!rl_toml_has(table, "path"))
        rl_toml_require(table, "position");
    else if (rl_toml_has(table, "position"))
        rl_toml_refuse(table, "position", "must not be given together with path");
    rl_scene_read_path(table, "path", false, RILL_PATH_MAX_KEYS, def->path, &def->path_count);
    rl_scene_read_rows(scene, table, RILL_DEFINITION_EMITTER, NULL, def);
    const bool rain = def->kind == RILL_EMITTER_RAIN;
    const bool foam = def->particle == RILL_PARTICLE_FOAM;
    rl_toml_require(table, foam ? "discs" : "rate");
    if (rl_toml_has(table, foam ? "rate" : "discs"))
        rl_toml_refuse(table, foam ? "rate" : "discs",
                       foam ? "is of water, of which foam holds none; foam needs discs"
                            : "is for particle = \"foam\"");
    if (rl_toml_has(table, rain ? "radius" : "size"))
        rl_toml_refuse(table, rain ? "radius" : "size", "is for kind = \"%s\"",
                       rain ? "jet" : "rain");
    if (rain)
        rl_toml_require(table, "size");
    check_end(table, def->start, def->end);
    if (scene->def.particles.max_particles == 0)
        rl_toml_refuse(table, foam ? "discs" : "rate",
                       "needs particles: [particles] with max_particles above 0");
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
    rl_toml_get_table(root, "rain", &rain);
    if (rain.value == NULL)
        return rain.document->failed;
    const bool steady = rl_toml_has(rain, "rate"), varies = rl_toml_has(rain, "times");
    if (steady && varies)
        return rl_toml_refuse(rain, "times", "must not be given together with rate");
    if (varies)
        return read_frames(scene, rain);
    rl_scene_refuse_keys(rain, timed, "needs rain.times");
    if (!steady)
        return rl_toml_refuse(rain, "rate", "or times must be given");
    RILL_TRY(rl_scene_take(scene, 1, sizeof *scene->rain.frames, &scene->rain.frames));
    scene->rain.count = 1;
    return rl_toml_get_double(rain, "rate", 0.0, 1.0, &scene->rain.frames[0].rate);
}

rill_status rl_scene_make_rain(rill_scene *scene)
{
    rl_scene_rain *rain = &scene->rain;
    for (size_t n = 0; rain->files != NULL && n < rain->count; n++) {
        char key[48];
        snprintf(key, sizeof key, "rain.fields[%zu]", n);
        RILL_TRY(rl_scene_load_amounts(scene, rl_toml_at(rain->files, n), key, 0.0, 1.0,
                                       &rain->fields[n]));
        rain->frames[n].field = rill_heightfield_view(rain->fields[n]);
    }
    return RILL_OK;
}

// ---- [river] ---------------------------------------------------------------------------

// A plane has a level, a profile a depth over its channels, and one that is found by areas more.
static rill_status check_path(const rill_river_path_def *def, rl_toml_table river)
{
    static const char *const of_profiles[] = {"depth", "catchment", NULL};
    static const char *const of_auto[] = {"outlet", "through", "width", "runoff", NULL};
    rl_toml_table path;
    rl_toml_get_table(river, "path", &path);
    if (def->from != RILL_RIVER_FROM_AUTO || def->surface == RILL_RIVER_PLANE)
        RILL_TRY(rl_scene_refuse_keys(
            path, of_auto,
            "is for river.path.from = \"auto\" and river.path.surface = \"profile\""));
    if (def->surface == RILL_RIVER_PLANE) {
        rl_toml_require(path, "level");
        return rl_scene_refuse_keys(path, of_profiles, "is for river.path.surface = \"profile\"");
    }
    if (rl_toml_has(path, "level"))
        rl_toml_refuse(path, "level", "is for river.path.surface = \"plane\"");
    return path.document->failed;
}

// Ground that was made of cells without data is as high as the highest.
static void tell_no_data(rill_scene *scene)
{
    if (scene->ground == NULL || scene->terrain.load.no_data != RILL_NO_DATA_WALL ||
        rill_heightfield_filled(scene->ground) == 0)
        return;
    const rill_field_view view = rill_heightfield_view(scene->ground);
    float highest = view.data[0];
    for (int j = 0; j < view.ny; j++)
        for (int i = 0; i < view.nx; i++)
            highest = fmaxf(highest, view.data[(size_t)j * view.pitch + (size_t)i]);
    scene->def.river.path.no_data = (double)highest;
}

rill_status rl_scene_read_river(rill_scene *scene, rl_toml_table root)
{
    rl_toml_table river;
    rl_toml_get_table(root, "river", &river);
    if (!rl_scene_can(scene, RILL_CAN_FIND_RIVER)) {
        if (river.value != NULL)
            rl_toml_refuse(
                river, "cache",
                "and all of [river] is for world.solver = \"river\", this world has \"%s\"",
                scene->info.solver);
        return river.document->failed;
    }
    scene->river_cache_wanted = true;
    rl_toml_get_bool(river, "cache", &scene->river_cache_wanted);
    scene->river_viewer_given = rl_toml_has(river, "viewer");
    tell_no_data(scene);
    return check_path(&scene->def.river.path, river);
}

// What bootstrapping finds is cached beside the file of the terrain: X.tif.river.
rill_status rl_scene_make_river(rill_scene *scene)
{
    if (!rl_scene_can(scene, RILL_CAN_FIND_RIVER))
        return RILL_OK;
    if (!scene->river_viewer_given && scene->camera_count > 0)
        memcpy(scene->def.river.viewer, scene->camera[0].position, sizeof scene->def.river.viewer);
    if (!scene->river_cache_wanted || scene->terrain.kind != RL_GROUND_FILE)
        return RILL_OK;
    const rl_toml_value *file =
        rl_toml_find(rl_toml_find(scene->document->root, "terrain"), "file");
    char path[RL_PATH_BYTES], *cache = NULL;
    RILL_TRY(rl_scene_path(scene, file, "terrain.file", path));
    if (rl_builtin_is_name(path)) // which lies beside nothing
        return RILL_OK;
    const size_t bytes = strlen(path) + sizeof ".river";
    RILL_TRY(rl_scene_take(scene, bytes, 1, &cache));
    snprintf(cache, bytes, "%s.river", path);
    scene->def.river.cache = rill_river_cache_file(cache);
    return RILL_OK;
}
