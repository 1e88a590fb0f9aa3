// SPDX-License-Identifier: MIT
// picker.h - what the mouse does to bodies: throws, drags, removes. Here it is found out where the
// mouse points and what that means; the simulation's thread does it (sim_bodies.c).
#pragma once

#include "apps/view/sim/sim.h"

#include <stdbool.h>

typedef struct view view;

typedef struct hand {
    sim_body body; // that is thrown
    double size;   // of it, metres
    double speed;  // m/s
    bool blocks;   // water cannot enter it, where the scene's water can do that
    double reach;  // see sim_ray
} hand;

// "crate", "barrel" and so on.
const char *hand_body_name(sim_body body);

// Size and speed that suit a scene.
void hand_fit(hand *h, const stage *s);

typedef struct hand_range {
    double least, most;
} hand_range;

hand_range hand_sizes(const stage *s);  // metres
hand_range hand_speeds(const stage *s); // m/s

// Why nothing can be thrown into a scene; NULL: something can.
const char *hand_refusal(void);

// Whether bodies that are thrown can block the water of the scene.
bool hand_can_block(const stage *s);

// Throws a body so that it comes down where the mouse points.
void hand_throw(view *v);

// Removes the body under the mouse.
void hand_remove(view *v);

// Takes the body under the mouse, follows the mouse, brings it nearer or farther, lets it go.
void hand_grab(view *v);
void hand_drag(view *v);
void hand_reach(view *v, double steps);
void hand_let_go(view *v);
