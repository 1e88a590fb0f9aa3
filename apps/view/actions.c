// SPDX-License-Identifier: MIT
// actions.c - runs the actions of keys and of the panel's buttons.
#include "apps/view/actions.h"

#include "render/render_error.h"

#include "rill/parameters.h"
#include "rill/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_OVERRIDES 256 // of the command line and the panel together

const action_override action_overrides[WINDOW_OVERRIDES] = {
    {"pipes.friction", "friction", "%.3f /s", 0.0, 0.9, 0.05, true},
    {"pipes.viscosity", "viscosity", "%.2g m\302\262/s", 1e-6, 1.0, 5e-3, false},
    {"pipes.drag", "drag of the bed", "%.4f", 0.0, 0.2, 0.02, true},
    {"pipes.smoothing", "smoothing", "%.2f", 0.5, 1.0, 0.9, true},
    {"world.gravity", "gravity", "%.2f m/s\302\262", 0.5, 30.0, 9.81, true},
};

bool action_fits(const view *v, int override)
{
    const rill_parameter *const row = rill_parameter_find(action_overrides[override].key);
    const char *const *const names = rill_parameter_find("world.solver")->words;
    for (int n = 0; names[n] != NULL; n++)
        if (strcmp(names[n], v->loaded->info.solver) == 0)
            return row->solvers == 0 || (row->solvers >> n & 1u) != 0;
    return false;
}

void action_pause(view *v)
{
    sim_pause(v->sim, !sim_get_state(v->sim).paused);
}

void action_step(view *v)
{
    sim_step(v->sim);
}

void action_faster(view *v, double factor)
{
    sim_set_speed(v->sim, sim_get_state(v->sim).speed * factor);
}

static void forget_world_settings(window_settings *s)
{
    memset(s->border, 0, sizeof s->border);
    s->rains = false;
    s->evaporates = false;
}

void action_restart(view *v)
{
    forget_world_settings(&v->settings);
    sim_restart(v->sim);
}

void action_open(view *v, const char *scene)
{
    char texts[WINDOW_OVERRIDES][64];
    const char *overrides[MOST_OVERRIDES];
    int count = 0;
    if (strcmp(scene, v->options->scene) == 0)
        for (; count < v->options->override_count && count < MOST_OVERRIDES - WINDOW_OVERRIDES;
             count++)
            overrides[count] = v->options->overrides[count];
    if (strcmp(scene, v->scene) != 0) // of another solver, perhaps
        memset(v->settings.overridden, 0, sizeof v->settings.overridden);
    for (int n = 0; n < WINDOW_OVERRIDES; n++) {
        if (!v->settings.overridden[n])
            continue;
        snprintf(texts[n], sizeof texts[n], "%s=%.9g", action_overrides[n].key,
                 v->settings.value[n]);
        overrides[count++] = texts[n];
    }
    forget_world_settings(&v->settings);
    snprintf(v->wanted, sizeof v->wanted, "%s", scene);
    if (sim_open(v->sim, scene, overrides, count) != RILL_OK)
        window_note(v, "%s", render_error_text());
    window_redraw(v);
}

void action_next_scene(view *v, int steps)
{
    const int count = rill_builtin_scene_count();
    int at = steps > 0 ? -1 : 0; // a file is followed by the first
    for (int n = 0; n < count; n++)
        if (strcmp(rill_builtin_scene_name(n), v->scene) == 0)
            at = n;
    memset(v->settings.overridden, 0, sizeof v->settings.overridden);
    action_open(v, rill_builtin_scene_name(((at + steps) % count + count) % count));
}

void action_overlay(view *v, int steps)
{
    const bool has_wave_particles =
        v->picture.frame_data != NULL && v->picture.frame_data->wave_particles.shown;
    do
        v->painted = (overlay)(((int)v->painted + steps + OVERLAY_COUNT) % OVERLAY_COUNT);
    while (overlay_get(v->painted)->shows_wave_particles && !has_wave_particles);
}

void action_tool(view *v, brush_tool tool)
{
    brush_release(&v->brush);
    picker_let_go(v);
    v->brush.tool = tool;
    if (v->mouse.drag == DRAG_BRUSH || v->mouse.drag == DRAG_BODY)
        v->mouse.drag = DRAG_NONE;
}

void action_grow_brush(view *v, double factor)
{
    if (v->loaded != NULL)
        v->brush.radius = brush_fitting_radius(&v->loaded->info, v->brush.radius * factor);
}

void action_later(view *v, double hours)
{
    v->scene_view.time_of_day = fmod(v->scene_view.time_of_day + hours + 24.0, 24.0);
    if (v->renderer != NULL)
        renderer_set_view(v->renderer, &v->scene_view);
}

void action_reset_camera(view *v)
{
    controller_reset(&v->controller);
}

void action_fly(view *v)
{
    controller_toggle_flying(&v->controller, v->picture.frame_data);
}

void action_print_camera(view *v)
{
    char text[256];
    camera_format(&v->controller.camera, text, sizeof text);
    printf("%s\n", text);
    fflush(stdout);
    window_note(v, "camera: %s", text);
}
