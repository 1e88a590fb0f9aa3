// SPDX-License-Identifier: MIT
// engine_none.c - a build without a physics engine: rigid bodies are refused, host bodies and soft
// ones are there all the same.
#ifndef RL_HAS_ODE

#include "bodies/rigid/engine.h"

#include "rill/support.h"

bool rl_engine_exists(void)
{
    return false;
}

rill_status rl_engine_create(const rl_bodies *bodies, rl_engine **out)
{
    (void)bodies;
    *out = NULL;
    return rill_fail(RILL_NO_BACKEND, "this build has no physics engine for rigid bodies; build "
                                      "with RILL_ODE=ON, or move them by an engine of your own");
}

void rl_engine_destroy(rl_engine **engine)
{
    *engine = NULL;
}

rill_status rl_engine_rebuild(rl_engine *engine, const rl_bodies *bodies)
{
    (void)engine;
    (void)bodies;
    return RILL_OK;
}

void rl_engine_step(rl_engine *engine, rl_bodies *bodies, rl_jobs *jobs,
                    const rl_body_ground *ground, double dt)
{
    (void)engine;
    (void)bodies;
    (void)jobs;
    (void)ground;
    (void)dt;
}

#else
typedef int rl_engine_none; // a file may not be empty
#endif
