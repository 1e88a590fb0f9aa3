// SPDX-License-Identifier: MIT
// world_waves.c - squares of sea, and the fine waves that a world carries.
#include "world/world_internal.h"

struct rill_sea {
    rill_host host; // as lent at creation
    rl_sea *inner;
};

rill_sea_def rill_default_sea_def(void)
{
    return (rill_sea_def){
        .size = 256,
        .tile = 100.0,
        .wind = 8.0,
        .wind_direction = 30.0,
        .height = 1.0,
        .longest = INFINITY,
        .depth = INFINITY,
        .gravity = 9.81,
        .chop = 1.0,
        .seed = 1,
    };
}

rill_status rill_sea_create(const rill_sea_def *def, rill_sea **out)
{
    if (def == NULL || out == NULL)
        return rill_fail(RILL_BAD_ARGUMENT,
                         "rill_sea_create needs a definition and a place for the sea, one is NULL");
    *out = NULL;
    const rill_host host = def->host != NULL ? *def->host : (rill_host){0};
    rill_sea *sea = rill_alloc(&host.allocator, sizeof *sea);
    if (sea == NULL)
        return rill_fail(RILL_NO_MEMORY, "no memory for a sea");
    sea->host = host;
    const rill_status status = rl_sea_create(def, &sea->host.allocator, &sea->inner);
    if (status != RILL_OK) {
        rill_free(&host.allocator, sea, sizeof *sea);
        return status;
    }
    *out = sea;
    return RILL_OK;
}

void rill_sea_destroy(rill_sea **sea)
{
    if (sea == NULL || *sea == NULL)
        return;
    const rill_allocator allocator = (*sea)->host.allocator;
    rl_sea_destroy(&(*sea)->inner);
    rill_free(&allocator, *sea, sizeof **sea);
    *sea = NULL;
}

rill_status rill_sea_update(rill_sea *sea, rill_world *world, double time)
{
    if (sea == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "rill_sea_update needs a sea, it is NULL");
    if (!(fabs(time) < 1e15))
        return rill_fail(RILL_BAD_ARGUMENT, "a sea at %g s is not possible", time);
    rl_sea_update(sea->inner, world != NULL ? world->jobs : NULL, time);
    return RILL_OK;
}

rill_sea_view rill_sea_get(const rill_sea *sea)
{
    return sea != NULL ? rl_sea_view(sea->inner) : (rill_sea_view){0};
}

rill_waves rill_world_waves(rill_world *world)
{
    if (world == NULL || world->waves == NULL)
        return (rill_waves){0};
    return rl_advected_view(world->waves, world->jobs, world->core.time);
}
