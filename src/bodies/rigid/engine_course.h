// SPDX-License-Identifier: MIT
// engine_course.h - a rigid body that steers along a course by a propeller of its own.
#pragma once

#include "bodies/bodies_internal.h"

// Adds thrust and rudder to a force and a torque, and takes the next key of the course when one is
// reached. `origin` is that of the grid in its country, metres. Nothing happens out of the water or
// after the last key.
void rl_body_steer(rl_body *body, const double origin[2], double force[3], double torque[3]);
