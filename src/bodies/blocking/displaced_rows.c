// SPDX-License-Identifier: MIT
// Plain loops of fixed length, of which compilers make vectors. No sum depends on their width.
#include "bodies/blocking/body_raster.h"

#include "core/cell.h"

#include <string.h>

// A cell gives at most this part of its water: its remainder may be that much below nothing.
#define MOST_OF_CELL (1.0f - 0x1p-21f)

// ---- Spreading -------------------------------------------------------------------------

// The highest bit is set for a depth that is not above 0. Compilers make vectors of integers with
// one answer at the end, but not of comparisons of floats.
RL_CELL uint32_t dryness(float depth)
{
    uint32_t bits;
    memcpy(&bits, &depth, sizeof bits);
    return bits | (bits - 1u);
}

// Whether all cells of a chunk and around it have water.
RL_CELL int all_wet(const float *south, const float *mid, const float *north)
{
    uint32_t dry = dryness(mid[-1]) | dryness(mid[RL_RASTER_CHUNK]);
    for (int i = 0; i < RL_RASTER_CHUNK; i++)
        dry |= dryness(south[i]) | dryness(mid[i]) | dryness(north[i]);
    return dry >> 31 == 0;
}

static int spread(const double *mid, ptrdiff_t row, const float *const depth[3],
                  const rl_displaced_rates *rates, double *restrict next)
{
    if (!all_wet(depth[0], depth[1], depth[2]))
        return 0;
    const double *south = mid - row, *north = mid + row;
    const double tau = rates->tau;
    for (int i = 0; i < RL_RASTER_CHUNK; i++) {
        const double v = mid[i];
        next[i] =
            v + tau * (((mid[i - 1] - v) + (mid[i + 1] - v)) + ((south[i] - v) + (north[i] - v)));
    }
    return 1;
}

// ---- Releasing -------------------------------------------------------------------------

// What a free cell gives of v: a part of it, but no less than a crumb.
RL_CELL float released_of(double v, double alpha, double crumb, float depth)
{
    const double size = fabs(v), part = size * alpha > crumb ? size * alpha : crumb;
    const float released = (float)copysign(size < part ? size : part, v);
    const float least = 0.0f - depth * MOST_OF_CELL;
    return released < least ? least : released;
}

RL_CELL void release_cells(const rl_displaced_chunk *c, const rl_displaced_rates *rates, int count,
                           float *restrict gives)
{
    const double *next = c->next, crumb = rates->crumb, alpha = rates->alpha;
    const float *depth = c->depth;
    for (int i = 0; i < count; i++)
        gives[i] = released_of(next[i], alpha, crumb, depth[i]);
}

// None of them gives anything where a body is in the way.
RL_CELL void hold_back(const rl_displaced_chunk *c, int count, float *restrict gives)
{
    const float *bed = c->bed, *floor = c->floor, *lower = c->lower;
    for (int i = 0; i < count; i++) {
        const bool in_way = (floor[i] != bed[i]) | (lower[i] != RL_BLOCK_NO_LOWER);
        gives[i] = in_way ? 0.0f : gives[i];
    }
}

RL_CELL int keep_rest(const rl_displaced_chunk *c, const rl_displaced_rates *rates, int count,
                      const float *restrict gives, double *restrict held_volume)
{
    const double *next = c->next, nothing = rates->nothing;
    uint64_t any = 0;
    for (int i = 0; i < count; i++) {
        const double rest = next[i] - (double)gives[i];
        const double held = fabs(rest) < nothing ? 0.0 : rest;
        uint64_t bits;
        memcpy(&bits, &held, sizeof bits);
        held_volume[i] = held;
        any |= bits;
    }
    return any != 0;
}

RL_CELL int release_body(const rl_displaced_chunk *c, const rl_displaced_rates *rates, int count,
                         float *gives, double *held_volume)
{
    release_cells(c, rates, count, gives);
    if (c->bed != NULL)
        hold_back(c, count, gives);
    return keep_rest(c, rates, count, gives, held_volume);
}

// Holds all that has spread; returns whether it is anything.
RL_CELL int hold_all(const double *restrict next, double nothing, int count,
                     double *restrict held_volume)
{
    uint64_t any = 0;
    for (int i = 0; i < count; i++) {
        const double held = fabs(next[i]) < nothing ? 0.0 : next[i];
        uint64_t bits;
        memcpy(&bits, &held, sizeof bits);
        held_volume[i] = held;
        any |= bits;
    }
    return any != 0;
}

static int release(const rl_displaced_chunk *c, const rl_displaced_rates *rates, float *gives,
                   double *held_volume)
{
    if (gives == NULL)
        return c->count == RL_RASTER_CHUNK
                   ? hold_all(c->next, rates->nothing, RL_RASTER_CHUNK, held_volume)
                   : hold_all(c->next, rates->nothing, c->count, held_volume);
    if (c->count == RL_RASTER_CHUNK)
        return release_body(c, rates, RL_RASTER_CHUNK, gives, held_volume);
    return release_body(c, rates, c->count, gives, held_volume);
}

const rl_displaced_rows RL_ROWS(rl_displaced_rows) = {
    .isa = RL_ISA_TEXT,
    .spread = spread,
    .release = release,
};
