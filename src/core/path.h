// SPDX-License-Identifier: MIT
// path.h - finds the place on a path at a time (rill_path_key).
#pragma once

#include "core/assert.h"

#include "rill/base.h"

#include <math.h>

// Computes the place: straight lines between keys, at rest before the first and after the last. An
// elevation of infinity (no elevation) stays that. `count` is at least 1.
static inline rill_path_key rl_path_at(const rill_path_key *keys, int count, double time)
{
    RL_ASSERT(count >= 1);
    int n = 0;
    while (n < count && keys[n].time <= time)
        n++;
    const rill_path_key *from = &keys[n > 0 ? n - 1 : 0], *to = &keys[n < count ? n : count - 1];
    const double part = to->time > from->time ? (time - from->time) / (to->time - from->time) : 0.0;
    return (rill_path_key){
        .time = time,
        .x = from->x + part * (to->x - from->x),
        .y = from->y + part * (to->y - from->y),
        .z = isinf(from->z) ? from->z : from->z + part * (to->z - from->z),
    };
}
