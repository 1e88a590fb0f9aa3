// SPDX-License-Identifier: MIT
// actions.h - the actions of keys and of the panel's buttons.
#pragma once

#include "apps/view/window.h"

void action_pause(view *v);
void action_step(view *v);
void action_faster(view *v, double factor);
void action_restart(view *v);

// Opens the built-in scene `steps` after the one that is shown, around the end of the list.
void action_next_scene(view *v, int steps);
// Opens a scene by its name, with the overrides of the command line if it is theirs and of the
// panel.
void action_open(view *v, const char *scene);

void action_overlay(view *v, int steps);
void action_tool(view *v, brush_tool tool);
void action_grow_brush(view *v, double factor);
void action_later(view *v, double hours);
void action_reset_camera(view *v);
void action_fly(view *v);
// Prints the camera to standard output as `rill render --camera` takes it.
void action_print_camera(view *v);

// Names and ranges of the keys in window_settings.value.
typedef struct action_override {
    const char *key, *label, *format;
    double low, high, usual;
    bool even; // see panel_slider
} action_override;

// Whether the solver of the world that is shown has that key.
bool action_fits(const view *v, int override);

extern const action_override action_overrides[WINDOW_OVERRIDES];
