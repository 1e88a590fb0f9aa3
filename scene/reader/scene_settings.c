// SPDX-License-Identifier: MIT
// scene_settings.c - what a scene says besides ground and water: its title and length at the top,
// the rules of its world in [world], [pipes] and [layers], and in [output] what a run of it writes.
#include "scene/reader/scene_internal.h"

#include "rill/export.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LONGEST_FRAME 3600.0 // seconds, as rill_world_step has it
#define MOST_FRAMES   1e7

static rill_status get_line(rl_toml_table table, const char *key, const char **inout)
{
    const rill_status status = rl_toml_get_string(table, key, inout);
    if (status == RILL_OK && rl_toml_has(table, key) && strpbrk(*inout, "\r\n") != NULL)
        return rl_toml_refuse(table, key, "must be a single line");
    return status;
}

static rill_status read_top(rill_scene *scene, rl_toml_table root)
{
    rill_scene_info *info = &scene->info;
    int64_t seed = (int64_t)scene->def.seed;
    info->title = scene->name;
    info->description = "";
    info->frame = 1.0 / 60.0;
    get_line(root, "title", &info->title);
    get_line(root, "description", &info->description);
    rl_toml_require(root, "duration");
    rl_toml_get_double(root, "duration", RL_TOML_POSITIVE, (double)INFINITY, &info->duration);
    rl_toml_get_double(root, "frame", RL_TOML_POSITIVE, LONGEST_FRAME, &info->frame);
    const rill_status status = rl_toml_get_integer(root, "seed", 0, INT64_MAX, &seed);
    if (status != RILL_OK)
        return status;
    scene->def.seed = (uint64_t)seed;
    if (info->duration / info->frame > MOST_FRAMES)
        return rl_toml_refuse(
            root, "duration", "is %g s, which is %g frames of %g s; at most %g are possible",
            info->duration, info->duration / info->frame, info->frame, MOST_FRAMES);
    return RILL_OK;
}

// The size has a reader of its own, beside that of the ground.
static rill_status read_world(rill_scene *scene, rl_toml_table root)
{
    static const char *const solvers[] = {"pipes", "layers", "swe", "river", NULL};
    rl_toml_table world;
    int solver = (int)scene->def.solver;
    rl_toml_get_table(root, "world", &world);
    rl_toml_get_float(world, "gravity", 0.01, 1000.0, &scene->def.gravity);
    rl_toml_get_choice(world, "solver", solvers, &solver);
    rl_toml_get_int(world, "max_substeps", 1, 100000, &scene->def.max_substeps);
    rl_toml_get_double(world, "max_step", RL_TOML_POSITIVE, LONGEST_FRAME, &scene->def.max_step);
    rl_toml_get_float(world, "wet_depth", RL_TOML_POSITIVE, 1e6, &scene->def.wet_depth);
    scene->def.solver = (rill_solver)solver;
    scene->info.solver = solvers[solver];
    return rl_toml_get_int(world, "max_sources", 0, 1000000, &scene->def.max_sources);
}

static rill_status read_pipes(rill_scene *scene, rl_toml_table root)
{
    static const char *const areas[] = {"wetted", "paper", NULL};
    rill_pipes_def *def = &scene->def.pipes;
    rl_toml_table pipes;
    int area = (int)def->area;
    rl_toml_get_table(root, "pipes", &pipes);
    rl_toml_get_choice(pipes, "area", areas, &area);
    rl_toml_get_float(pipes, "friction", 0.0, 0.999999, &def->friction);
    rl_toml_get_float(pipes, "viscosity", 0.0, 1.0, &def->viscosity);
    rl_toml_get_float(pipes, "drag", 0.0, 1.0, &def->drag);
    def->area = (rill_pipe_area)area;
    return rl_toml_get_float(pipes, "smoothing", 0.5, 1.0, &def->smoothing);
}

static rill_status read_layers(rill_scene *scene, rl_toml_table root)
{
    static const char *const keys[] = {"max_layers", "on_more", "passages", "slope_correction",
                                       "max_movers"};
    static const char *const more[] = {"refuse", "widest", NULL};
    static const char *const passages[] = {"unified", "axis", "none", NULL};
    rill_layers_def *def = &scene->def.layers;
    rl_toml_table layers;
    rl_toml_get_table(root, "layers", &layers);
    for (size_t n = 0; n < sizeof keys / sizeof keys[0]; n++)
        if (scene->def.solver != RILL_SOLVER_LAYERS && rl_toml_has(layers, keys[n]))
            return rl_toml_refuse(layers, keys[n],
                                  "is for world.solver = \"layers\", this world has \"%s\"",
                                  scene->info.solver);
    int keep_widest = def->keep_widest, kind = (int)def->passages;
    bool corrected = def->slope_correction != 0;
    rl_toml_get_int(layers, "max_layers", 1, 64, &def->max_layers);
    rl_toml_get_choice(layers, "on_more", more, &keep_widest);
    rl_toml_get_choice(layers, "passages", passages, &kind);
    rl_toml_get_bool(layers, "slope_correction", &corrected);
    def->keep_widest = keep_widest;
    def->passages = (rill_passages)kind;
    def->slope_correction = corrected;
    return rl_toml_get_int(layers, "max_movers", 0, 10000, &def->max_movers);
}

rill_status rl_scene_read_settings(rill_scene *scene, rl_toml_table root)
{
    scene->def = rill_default_world_def();
    rill_status status = read_top(scene, root);
    if (status == RILL_OK)
        status = read_world(scene, root);
    if (status == RILL_OK)
        status = read_pipes(scene, root);
    if (status == RILL_OK)
        status = read_layers(scene, root);
    return status;
}

// ---- [output] --------------------------------------------------------------------------

static rill_status add_output(const rill_scene *scene, const char *key, size_t index,
                              const rl_toml_value *word, int *outputs)
{
    int count;
    const rill_export_format *formats = rill_export_formats(&count);
    if (rl_toml_kind_of(word) != RL_TOML_STRING)
        return rl_scene_refuse(scene, word, "output.%s[%zu] must be a string, not %s", key, index,
                               rl_toml_kind_name(rl_toml_kind_of(word)));
    const char *text = rl_toml_text(word, NULL);
    char names[128] = "";
    size_t used = 0;
    for (int n = 0; n < count; n++) {
        if (strcmp(text, formats[n].name) == 0) {
            *outputs |= (int)formats[n].bit;
            return RILL_OK;
        }
        if (used < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s'%s'", n > 0 ? ", " : "",
                                     formats[n].name);
    }
    return rl_scene_refuse(scene, word, "output.%s[%zu] is '%.64s', it must be one of %s", key,
                           index, text, names);
}

static rill_status get_outputs(const rill_scene *scene, rl_toml_table output, const char *key,
                               int *inout)
{
    const rl_toml_value *words = rl_toml_get_value(output, key);
    if (words == NULL)
        return RILL_OK;
    if (rl_toml_kind_of(words) != RL_TOML_ARRAY)
        return rl_toml_refuse(output, key, "must be an array of strings, not %s",
                              rl_toml_kind_name(rl_toml_kind_of(words)));
    int outputs = 0;
    rill_status status = RILL_OK;
    for (size_t n = 0; n < rl_toml_size(words) && status == RILL_OK; n++)
        status = add_output(scene, key, n, rl_toml_at(words, n), &outputs);
    *inout = outputs;
    return status;
}

rill_status rl_scene_read_output(rill_scene *scene, rl_toml_table root)
{
    static const char *const flows[] = {"none", "arrows", "lines", NULL};
    rill_scene_info *info = &scene->info;
    rl_toml_table output;
    int flow = (int)RILL_MAP_FLOW_NONE;
    info->output_every = fmax(info->duration / 10.0, info->frame);
    info->outputs = RILL_OUTPUT_MAP;
    rl_toml_get_table(root, "output", &output);
    rill_status status = get_outputs(scene, output, "kinds", &info->outputs);
    if (status == RILL_OK)
        status = get_outputs(scene, output, "last", &info->outputs_last);
    if (status != RILL_OK)
        return status;
    rl_toml_get_choice(output, "flow", flows, &flow);
    rl_toml_get_double(output, "map_depth", 0.0, 1e6, &info->map_depth);
    rl_toml_get_double(output, "map_speed", 0.0, 1e6, &info->map_speed);
    status = rl_toml_get_double(output, "every", RL_TOML_POSITIVE, (double)INFINITY,
                                &info->output_every);
    info->map_flow = (rill_map_flow)flow;
    // A hair of room, so that a frame written as 0.0166667 is as good as one sixtieth.
    if (status == RILL_OK && info->output_every < info->frame * (1.0 - 1e-5))
        return rl_toml_refuse(output, "every",
                              "is %g s, it must be at least a frame, which is %g s",
                              info->output_every, info->frame);
    return status;
}
