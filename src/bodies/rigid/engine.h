// SPDX-License-Identifier: MIT
// engine.h - rigid bodies by a physics engine: it moves what the records of rl_bodies say
// (position, rotation, velocity, spin, force, torque, push) and writes back where they are. The
// records are all the state there is: what the engine holds is made from them, so that a step from
// a restored state gives the same bits. engine_ode.c does it with ODE, or says that this
// build has none.
#pragma once

#include "bodies/bodies_internal.h"

typedef struct rl_engine rl_engine;

// Whether this build has one.
bool rl_engine_exists(void);

// RILL_NO_BACKEND with a sentence where it has none.
rill_status rl_engine_create(const rl_bodies *bodies, rl_engine **out);
void rl_engine_destroy(rl_engine **engine);

// Bodies were added or removed, or brought back from a snapshot: what the engine holds is made
// anew, in the order of places. RILL_BODY_HOST bodies are there too: they are hit, and not moved.
rill_status rl_engine_rebuild(rl_engine *engine, const rl_bodies *bodies);

// Moves all rigid bodies by `dt` seconds, in steps of at most def.engine_step, under gravity, water
// and pushes, with contacts against each other, host bodies and the ground. Their vertices are put
// in place (rl_body_pose). Pushes are used up by the world, not here. Same bits in every run and on
// any number of threads.
void rl_engine_step(rl_engine *engine, rl_bodies *bodies, rl_jobs *jobs,
                    const rl_body_ground *ground, double dt);
