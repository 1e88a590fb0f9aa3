// SPDX-License-Identifier: MIT
// scene_settings.c - what a scene says besides ground and water: its title and length at the top,
// all parameters of its world, and in [output] what a run of it writes.
#include "scene/reader/scene_internal.h"

#include "rill/export.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LONGEST_FRAME 3600.0 // seconds, as rill_world_step has it
#define MOST_FRAMES   1e7
#define USUAL_WAVES   256 // points of the texture of fine waves a side

static rill_status get_line(rl_toml_table table, const char *key, const char **inout)
{
    RILL_TRY(rl_toml_get_string(table, key, inout));
    if (rl_toml_has(table, key) && strpbrk(*inout, "\r\n") != NULL)
        rl_toml_refuse(table, key, "must be a single line");
    return table.document->failed;
}

static rill_status read_top(rill_scene *scene, rl_toml_table root)
{
    rill_scene_info *info = &scene->info;
    info->title = scene->name;
    info->description = "";
    info->frame = 1.0 / 60.0;
    get_line(root, "title", &info->title);
    get_line(root, "description", &info->description);
    rl_toml_require(root, "duration");
    rl_toml_get_double(root, "duration", RL_TOML_POSITIVE, (double)INFINITY, &info->duration);
    RILL_TRY(rl_toml_get_double(root, "frame", RL_TOML_POSITIVE, LONGEST_FRAME, &info->frame));
    if (info->duration / info->frame > MOST_FRAMES)
        return rl_toml_refuse(
            root, "duration", "is %g s, which is %g frames of %g s; at most %g are possible",
            info->duration, info->duration / info->frame, info->frame, MOST_FRAMES);
    return RILL_OK;
}

bool rl_scene_can(const rill_scene *scene, unsigned capability)
{
    return (rill_solver_about(scene->def.solver).can & capability) != 0;
}

rl_scene_solvers rl_scene_solvers_with(unsigned solvers, unsigned capability, unsigned borders)
{
    rl_scene_solvers list = {0};
    size_t used = 0;
    for (int n = 0; n < RILL_SOLVER_COUNT && used < sizeof list.text; n++) {
        const rill_solver_info info = rill_solver_about((rill_solver)n);
        if ((solvers == 0 || (solvers >> n & 1u)) && (info.can & capability) == capability &&
            (info.borders & borders) == borders)
            used += (size_t)snprintf(list.text + used, sizeof list.text - used, "%s\"%s\"",
                                     used > 0 ? " or " : "", info.name);
    }
    return list;
}

// All parameters of the world besides its size, which has a reader of its own beside that of the
// ground. The solver comes first: it decides which of the others there are.
static rill_status read_world(rill_scene *scene, rl_toml_table root)
{
    static const char *const sizes[] = {"world.nx", "world.ny", "world.cell_size", NULL};
    const rill_parameter *solver = rill_parameter_find("world.solver");
    rl_toml_table particles, waves;
    rl_toml_get_table(root, "particles", &particles);
    rl_toml_get_table(root, "waves", &waves);
    rl_scene_read_row(scene, root, solver, &scene->def);
    scene->info.solver = solver->words[scene->def.solver];
    if (waves.value != NULL)
        scene->def.waves.size = USUAL_WAVES;
    if (particles.value != NULL && !rl_scene_has(root, "particles.max_particles"))
        rl_toml_require(particles, "max_particles");
    return rl_scene_read_rows(scene, root, RILL_DEFINITION_WORLD, sizes, &scene->def);
}

rill_status rl_scene_read_settings(rill_scene *scene, rl_toml_table root)
{
    scene->def = rill_default_world_def();
    read_top(scene, root);
    return read_world(scene, root);
}

// ---- [output] --------------------------------------------------------------------------

static rill_status add_output(const rill_scene *scene, const char *key, size_t index,
                              const rl_toml_value *word, int *outputs)
{
    int count;
    const rill_export_format *formats = rill_export_formats(&count);
    if (word->kind != RL_TOML_STRING)
        return rl_toml_fail(scene->document, &word->place,
                            "output.%s[%zu] must be a string, not %s", key, index,
                            rl_toml_kind_name(word));
    const char *text = rl_toml_text(word);
    rl_name_list list = {.used = 0};
    for (int n = 0; n < count; n++) {
        if (strcmp(text, formats[n].name) == 0) {
            *outputs |= (int)formats[n].bit;
            return RILL_OK;
        }
        rl_name_list_add(&list, text, formats[n].name);
    }
    return rl_toml_fail(scene->document, &word->place,
                        "output.%s[%zu] is '%.64s', it must be one of %s", key, index, text,
                        list.text);
}

static rill_status get_outputs(const rill_scene *scene, rl_toml_table output, const char *key,
                               int *inout)
{
    const rl_toml_value *list = rl_toml_get_array(output, key, "an array of strings");
    if (list == NULL)
        return output.document->failed;
    int outputs = 0;
    for (size_t n = 0; n < rl_toml_size(list); n++)
        RILL_TRY(add_output(scene, key, n, rl_toml_at(list, n), &outputs));
    *inout = outputs;
    return RILL_OK;
}

rill_status rl_scene_read_output(rill_scene *scene, rl_toml_table root)
{
    static const char *const flows[] = {"none", "arrows", "lines", NULL};
    rill_scene_info *info = &scene->info;
    rl_toml_table output;
    info->output_every = fmax(info->duration / 10.0, info->frame);
    info->outputs = RILL_OUTPUT_MAP;
    rl_toml_get_table(root, "output", &output);
    get_outputs(scene, output, "kinds", &info->outputs);
    get_outputs(scene, output, "last", &info->outputs_last);
    rl_toml_get_choice(output, "flow", flows, &info->map_flow);
    rl_toml_get_double(output, "map_depth", 0.0, 1e6, &info->map_depth);
    rl_toml_get_double(output, "map_speed", 0.0, 1e6, &info->map_speed);
    rl_toml_get_double(output, "every", RL_TOML_POSITIVE, (double)INFINITY, &info->output_every);
    // A little less will do, so that a frame written as 0.0166667 is as good as one sixtieth.
    if (info->output_every < info->frame * (1.0 - 1e-5))
        rl_toml_refuse(output, "every", "is %g s, it must be at least a frame, which is %g s",
                       info->output_every, info->frame);
    return output.document->failed;
}
