// SPDX-License-Identifier: MIT
// distances.h - the distance of one point to a primitive in its place, for tests of solids.
#pragma once

#include "terrain/sdf/solid_internal.h"

static inline double distance_to(const rill_sdf_primitive *primitive, const double point[3])
{
    const rl_placed_primitive placed = rl_sdf_primitive_place(primitive);
    const rl_upright line = {.x = point[0], .y = point[1], .z0 = point[2]};
    double distance;
    rl_placed_distances(&placed, &line, 0, 1, 4e9, &distance);
    return distance;
}
