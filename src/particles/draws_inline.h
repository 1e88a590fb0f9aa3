// SPDX-License-Identifier: MIT
// draws_inline.h - random numbers of particles. Each is named by its purpose, by the cell, place or
// emitter that it belongs to, and by a number there: so numbers can be drawn in any order, on the
// host or on a device.
#pragma once

#include "core/random_cell.h"

// Purposes of random numbers.
enum {
    RL_DRAW_EMITTER, // key: slot of the emitter
    RL_DRAW_CREST,   // how much breaks; key: cell
    RL_DRAW_WAVE,    // particles of a crest; key: cell
    RL_DRAW_PORTION, // kinds of a fall's water; key: number of the fall
    RL_DRAW_FALL,    // particles of a fall; key: number of the fall
    RL_DRAW_FOAM,    // key: place in the pool
    RL_DRAW_THROWN   // key: number of the lump
};

// The random numbers of one step.
typedef struct rl_draw_source {
    uint64_t seed, step;
} rl_draw_source;

// The random numbers of one key, in their order.
typedef struct rl_draws {
    rl_draw_source source;
    uint64_t next;
} rl_draws;

RL_CELL rl_draws rl_draws_of(rl_draw_source source, int what, uint32_t key, uint32_t first)
{
    rl_draws d;
    d.source.seed = source.seed + (uint64_t)(unsigned)what * 0xa0761d6478bd642fu;
    d.source.step = source.step;
    d.next = ((uint64_t)key << 32) + first;
    return d;
}

// Returns a number in [0, 1).
RL_CELL float rl_draw(rl_draws *d)
{
    return rl_random_unit(d->source.seed, d->source.step, d->next++);
}

// Returns a number in [-1, 1).
RL_CELL float rl_draw_sign(rl_draws *d)
{
    return 2.0f * rl_draw(d) - 1.0f;
}
