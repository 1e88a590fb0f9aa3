// SPDX-License-Identifier: MIT
// path.h - finds what a series has at a time, and the place on a path (rill_path_key).
#pragma once

#include "core/assert.h"

#include "rill/base.h"

#include <math.h>

// Finds the keys around a time among `count` >= 1 of them, each of `size` bytes and with its time
// first, in rising order: the numbers of the one before and of the one after, which are the same at
// either end. Returns the weight of the second.
static inline double rl_keys_around(const void *keys, size_t size, int count, double time,
                                    int around[2])
{
    RL_ASSERT(count >= 1);
#define RL_TIME_OF(n) (*(const double *)(const void *)((const char *)keys + (size_t)(n)*size))
    int n = 0;
    while (n < count && RL_TIME_OF(n) <= time)
        n++;
    around[0] = n > 0 ? n - 1 : 0;
    around[1] = n < count ? n : count - 1;
    const double from = RL_TIME_OF(around[0]), to = RL_TIME_OF(around[1]);
#undef RL_TIME_OF
    return to > from ? (time - from) / (to - from) : 0.0;
}

// Computes the place: straight lines between keys, at rest before the first and after the last. An
// elevation of infinity (no elevation) stays that. `count` is at least 1.
static inline rill_path_key rl_path_at(const rill_path_key *keys, int count, double time)
{
    int around[2];
    const double part = rl_keys_around(keys, sizeof *keys, count, time, around);
    const rill_path_key *from = &keys[around[0]], *to = &keys[around[1]];
    return (rill_path_key){
        .time = time,
        .x = from->x + part * (to->x - from->x),
        .y = from->y + part * (to->y - from->y),
        .z = isinf(from->z) ? from->z : from->z + part * (to->z - from->z),
    };
}
