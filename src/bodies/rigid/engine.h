// SPDX-License-Identifier: MIT
// engine.h - rigid bodies by a physics engine: it moves what the records of rl_bodies say
// (position, rotation, velocity, spin, force, torque, push) and writes back where they are. The
// records are all the state there is: what the engine holds is made from them, so that a step from
// a restored state gives the same bits. engine_ode.c does it with ODE, where this build has that.
//
//     engine_contacts.c  contacts with the ground and the sides of the world, ground in a body
//     engine_free.c      bodies that touch nothing, and bodies that steer along a course
#pragma once

#include "bodies/bodies_internal.h"

#include <math.h>

typedef struct rl_engine rl_engine;

typedef struct rl_engine_ops {
    rill_status (*create)(const rl_bodies *bodies, rl_engine **out);
    void (*destroy)(rl_engine **engine);
    // Bodies were added or removed, or brought back from a snapshot: what the engine holds is made
    // anew, in the order of places. RILL_BODY_HOST bodies are there too: they are hit, and not
    // moved.
    void (*rebuild)(rl_engine *engine, const rl_bodies *bodies);
    // Moves all rigid bodies by `dt` seconds, in steps of at most def.engine_step, under gravity,
    // water and pushes, with contacts against each other, host bodies and the ground. Their
    // vertices are put in place (rl_body_pose). Pushes are used up by the world, not here. Same
    // bits in every run and on any number of threads.
    void (*step)(rl_engine *engine, rl_bodies *bodies, rl_jobs *jobs, const rl_body_ground *ground,
                 double dt);
} rl_engine_ops;

// NULL: this build has none.
extern const rl_engine_ops *const rl_engine_of_build;

// ---- Contacts --------------------------------------------------------------------------

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

// Prefetches the ground that will be read for a body in about this box.
void rl_contacts_prefetch(const rl_bodies *bodies, const double box[6],
                          const rl_body_ground *ground);

// ---- Motion ----------------------------------------------------------------------------

// How a body lies and moves, as in its record.
typedef struct rl_body_motion {
    double position[3], rotation[4], velocity[3], spin[3];
} rl_body_motion;

// How a body lies and moves after `dt` seconds under gravity, a force and a torque about its centre
// of mass, which do not change meanwhile.
rl_body_motion rl_body_fly(const rl_body *body, const double force[3], const double torque[3],
                           double gravity, double dt);

// Adds thrust and rudder to a force and a torque, and takes the next key of the course when one is
// reached. Nothing happens out of the water or after the last key; where the terrain repeats, the
// first key comes after it again, a period further.
void rl_body_steer(rl_body *body, const rl_body_ground *ground, double force[3], double torque[3]);
