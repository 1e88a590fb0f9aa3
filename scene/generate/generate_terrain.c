// SPDX-License-Identifier: MIT
// generate_terrain.c - the public functions that make ground from a seed (rill/generate.h).
#include "scene/generate/generate_internal.h"
#include "scene/generate/generate_valley.h"

#include "rill/generate.h"

rill_heightfield_generate_def rill_default_heightfield_generate_def(void)
{
    return (rill_heightfield_generate_def){
        .nx = 256,
        .ny = 256,
        .cell_size = 4.0,
        .seed = 1,
        .relief = 200.0,
        .feature_size = 600.0,
        .octaves = 8,
        .ridges = 0.7,
        .valleys = 0.6,
        .tilt = 0.02,
    };
}

rill_status rill_heightfield_generate(const rill_heightfield_generate_def *def,
                                      rill_heightfield **out)
{
    if (out == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "out is NULL");
    *out = NULL;
    if (def == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "def is NULL");
    rill_status status = rill_host_check(def->host);
    if (status == RILL_OK)
        status = rl_generate_check(def);
    if (status == RILL_OK)
        status = rill_heightfield_create_flat(def->nx, def->ny, def->cell_size, def->host, out);
    if (status == RILL_OK)
        status = rl_generate(def, rill_allocator_of(def->host), rill_heightfield_field(*out));
    if (status != RILL_OK)
        rill_heightfield_destroy(out);
    return status;
}

rill_valley_def rill_default_valley_def(void)
{
    return (rill_valley_def){
        .nx = 1024,
        .ny = 1024,
        .cell_size = 10.0,
        .seed = 1,
        .width = 220.0,
        .depth = 9.0,
        .fall = 0.0012,
        .amplitude = 640.0,
        .floor_width = 2900.0,
        .relief = 450.0,
        .rocks = 60,
        .bars = 1.0,
        .islands = 2,
        .branch = 60.0,
    };
}

rill_status rill_heightfield_valley(const rill_valley_def *def, rill_heightfield **out)
{
    if (out == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "out is NULL");
    *out = NULL;
    if (def == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "def is NULL");
    rill_status status = rill_host_check(def->host);
    if (status == RILL_OK)
        status = rl_valley_check(def);
    if (status == RILL_OK)
        status = rill_heightfield_create_flat(def->nx, def->ny, def->cell_size, def->host, out);
    if (status == RILL_OK)
        status = rl_valley(def, rill_allocator_of(def->host), rill_heightfield_field(*out));
    if (status != RILL_OK)
        rill_heightfield_destroy(out);
    return status;
}
