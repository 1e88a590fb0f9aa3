// SPDX-License-Identifier: MIT
// soft.h - what others may want to know of soft bodies, besides what is in bodies.h.
#pragma once

#include "bodies/bodies_internal.h"

// Water that goes along with cloth where it is wet, kg for each m^2 of its surface `area` (added
// mass); 0 for others. A step moves wet vertices as if they were that much heavier, so whoever
// limits forces by the mass that they act on counts it in.
double rl_soft_water_mass(const rl_bodies *bodies, const rl_body *body, double area);
