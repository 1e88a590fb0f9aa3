// SPDX-License-Identifier: MIT
// random_cell.h - random numbers from counters, with the same bits on every back end.
#pragma once

#include "core/cell.h"

#include <stdint.h>

// Returns random bits from a counter: the same (seed, step, index) gives the same bits, in any
// order and on any thread.
RL_CELL uint64_t rl_random_bits(uint64_t seed, uint64_t step, uint64_t index)
{
    uint64_t x = seed * 0x9e3779b97f4a7c15u + step;
    x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u + index;
    x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u;
    x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u;
    return x ^ (x >> 32);
}

// Returns a uniform number in [0, 1), 24 bits.
RL_CELL float rl_random_unit(uint64_t seed, uint64_t step, uint64_t index)
{
    return (float)(rl_random_bits(seed, step, index) >> 40) * 0x1p-24f;
}
