// SPDX-License-Identifier: MIT
// sim_bodies.h - throws, drags and removes bodies on the thread that simulates. An error is a
// message in render_error_text().
#pragma once

#include "apps/view/sim/sim.h"

// Adds the body of a SIM_THROW.
rill_status sim_bodies_throw(loaded_scene *at, const sim_command *command);

// Removes the body that the ray meets first.
rill_status sim_bodies_remove(loaded_scene *at, const sim_ray *ray);

// Takes the body that the ray meets first into at->grip; `where` gets the point that was met.
rill_status sim_bodies_grab(loaded_scene *at, const sim_ray *ray, double where[3]);

// Pushes the body in the grip towards the ray during the next step, of `dt` seconds.
void sim_bodies_pull(loaded_scene *at, const sim_ray *ray, double dt);

// Finds where the point that was grabbed is now. Returns false, and the grip is empty, when the
// body is gone.
bool sim_bodies_held_at(loaded_scene *at, double where[3]);
