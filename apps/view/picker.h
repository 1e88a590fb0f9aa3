// SPDX-License-Identifier: MIT
// picker.h - the picker: throws, drags and removes bodies with the mouse. It finds what the mouse
// points at; the simulation's thread does the rest (sim_bodies.c).
#pragma once

#include "apps/view/sim/sim.h"

#include <stdbool.h>

typedef struct view view;

typedef struct picker {
    sim_body body; // to throw
    double size;   // of it, metres
    double speed;  // m/s
    bool blocks;   // water cannot enter it, where the scene's solver supports blocking
    double reach;  // see sim_ray
} picker;

// Returns "crate", "barrel" and so on.
const char *picker_body_name(sim_body body);

// Chooses a size and speed that suit a scene.
void picker_fit(picker *p, const loaded_scene *s);

typedef struct picker_range {
    double least, most;
} picker_range;

picker_range picker_sizes(const loaded_scene *s);  // metres
picker_range picker_speeds(const loaded_scene *s); // m/s

// Returns why nothing can be thrown into a scene; NULL: bodies can be thrown.
const char *picker_refusal(void);

// Returns whether thrown bodies can block the water of the scene.
bool picker_can_block(const loaded_scene *s);

// Throws a body so that it comes down where the mouse points.
void picker_throw(view *v);

// Removes the body under the mouse.
void picker_remove(view *v);

// Grab the body under the mouse, follow the mouse, bring it nearer or farther, let it go.
void picker_grab(view *v);
void picker_drag(view *v);
void picker_reach(view *v, double steps);
void picker_let_go(view *v);
