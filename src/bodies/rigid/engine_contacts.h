// SPDX-License-Identifier: MIT
// engine_contacts.h - where rigid bodies touch the ground and the sides of the world, and how many
// of many contacts are kept. Nothing here depends on a physics engine.
#pragma once

#include "bodies/bodies_internal.h"

typedef struct rl_contact {
    double point[3];  // metres
    double normal[3]; // unit, out of what is touched
    double depth;     // of the body in it, metres, at least 0
} rl_contact;

// As many as hold a body still: more of them only cost time.
#define RL_MOST_CONTACTS  4
#define RL_FENCE_CONTACTS (4 * RL_MOST_CONTACTS)

// Keeps at most `most` of `count` contacts, and no two at one point: the deepest, then always the
// one farthest from those already kept. Returns their number.
int rl_contacts_thin(rl_contact *contacts, int count, int most, double reach);

// Contacts of the rigid body at place `n` with the ground, at most RL_MOST_CONTACTS. `box` is the
// box around it: least and greatest x, y, z.
int rl_contacts_ground(const rl_bodies *bodies, int n, const double box[6],
                       const rl_body_ground *ground, rl_contact out[RL_MOST_CONTACTS]);

// The same with the four sides of the grid.
int rl_contacts_fence(const rl_bodies *bodies, int n, const double box[6],
                      rl_contact out[RL_FENCE_CONTACTS]);

// Brings near the ground that will be looked at for a body in about this box.
void rl_contacts_prefetch(const rl_bodies *bodies, const double box[6],
                          const rl_body_ground *ground);
