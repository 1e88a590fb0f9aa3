// SPDX-License-Identifier: MIT
// sim_bodies.h - what the hand does to bodies, on the thread that simulates. What went wrong is a
// sentence in render_error_text().
#pragma once

#include "apps/view/sim/sim.h"

// Adds the body of a SIM_THROW.
rill_status sim_bodies_throw(stage *at, const sim_command *command);

// Removes the body that the ray meets first.
rill_status sim_bodies_remove(stage *at, const sim_ray *ray);

// Takes the body that the ray meets first into at->grip; `where` gets the point that was met.
rill_status sim_bodies_grab(stage *at, const sim_ray *ray, double where[3]);

// Pushes the body in the grip towards the ray during the next step, of `dt` seconds.
void sim_bodies_pull(stage *at, const sim_ray *ray, double dt);

// Where the point that was grabbed is now. False, and the grip is empty, when the body is gone.
bool sim_bodies_held_at(stage *at, double where[3]);
