// SPDX-License-Identifier: MIT
// engine_ode_pairs.h - where two bodies touch each other, found by ODE.
#pragma once

#include "bodies/rigid/engine_contacts.h"

#include <ode/ode.h>

// Contacts of two bodies whose geoms lie as the records say; normals point into the first. Returns
// their number.
int rl_ode_collide(const rl_body *first, dGeomID a, const rl_body *second, dGeomID b,
                   rl_contact out[RL_MOST_CONTACTS]);
