// SPDX-License-Identifier: MIT
// river_flats.c - where water goes that stands on a flat: on a plain of a DEM in whole metres, on a
// lake, on a hollow that was filled (Barnes, Lehman and Mulla, An efficient assignment of drainage
// direction over flat surfaces in raster digital elevation models, 2014). It goes away from higher
// ground and, twice as eagerly, towards where the flat has a way down, so that it gathers in the
// middle and leaves without a ditch along an axis.
//
//     distance a from higher ground -> distance t from a way down -> down the surface 2 t - a
//
// From cell to cell t falls by one and a changes by no more than one: every cell has a neighbour
// that is lower on that surface, and no way leads back. Only differences count, so what the paper
// adds to make all values positive is one constant here, and flats need no labels.
#include "terrain/river_path/river_path_internal.h"

#include <string.h>

#define BASE     (1u << 30) // more than any distance; the surface is BASE + 2 t - a
#define DIAGONAL 0.70710678f

typedef struct queue {
    uint32_t *cell;
    size_t front, end;
} queue;

static bool is_flat(const rl_drainage *d, uint32_t cell)
{
    const int way = rl_drainage_way(d, cell);
    return way == RL_WAY_FLAT || way == RL_WAY_FLAT_FOUND;
}

// Does a cell with a way down touch a flat that it is part of?
static bool is_exit(const rl_drainage *d, uint32_t cell)
{
    if (rl_drainage_way(d, cell) > RL_WAY_OUT)
        return false;
    for (int way = 0; way < 8; way++) {
        const uint32_t other = cell + d->step[way];
        if (d->way[other] == RL_WAY_FLAT && d->level[other] == d->level[cell])
            return true;
    }
    return false;
}

static bool is_below_higher(const rl_drainage *d, uint32_t cell)
{
    if (d->way[cell] != RL_WAY_FLAT)
        return false;
    for (int way = 0; way < 8; way++)
        if (d->level[cell + d->step[way]] > d->level[cell])
            return true;
    return false;
}

// Calls for all cells of the grid in their order; `put` NULL only counts.
typedef bool is_start(const rl_drainage *d, uint32_t cell);

static size_t find_starts(const rl_drainage *d, is_start *start, queue *put)
{
    size_t count = 0;
    for (int j = 0; j < d->ny; j++) {
        const uint32_t first = (uint32_t)(((size_t)j + 1) * d->pitch + 1);
        for (uint32_t cell = first; cell < first + (uint32_t)d->nx; cell++) {
            if (!start(d, cell))
                continue;
            count++;
            if (put != NULL)
                put->cell[put->end++] = cell;
        }
    }
    return count;
}

// ---- Distances -------------------------------------------------------------------------

// Counts cells from higher ground, 1 beside it; 0 stays where a flat has none.
static void leave_higher(const rl_drainage *d, queue *q)
{
    const rl_steps steps = rl_drainage_steps(d);
    q->front = q->end = 0;
    find_starts(d, is_below_higher, q);
    for (size_t n = 0; n < q->end; n++)
        d->work[q->cell[n]] = 1;
    while (q->front < q->end) {
        const uint32_t cell = q->cell[q->front++];
        for (int way = 0; way < 8; way++) {
            const uint32_t other = cell + steps.to[way];
            if (d->way[other] != RL_WAY_FLAT || d->work[other] != 0 ||
                d->level[other] != d->level[cell])
                continue;
            d->work[other] = d->work[cell] + 1;
            q->cell[q->end++] = other;
        }
    }
}

// Counts cells from the exits, ring by ring, and lays the surface.
static void reach_lower(const rl_drainage *d, queue *q)
{
    const rl_steps steps = rl_drainage_steps(d);
    q->front = q->end = 0;
    find_starts(d, is_exit, q);
    for (uint32_t t = 1; q->front < q->end; t++)
        for (const size_t ring = q->end; q->front < ring;) {
            const uint32_t cell = q->cell[q->front++];
            for (int way = 0; way < 8; way++) {
                const uint32_t other = cell + steps.to[way];
                if (d->way[other] != RL_WAY_FLAT || d->level[other] != d->level[cell])
                    continue;
                d->way[other] = RL_WAY_FLAT_FOUND;
                d->work[other] = BASE + 2 * t - d->work[other];
                q->cell[q->end++] = other;
            }
        }
}

// ---- Ways ------------------------------------------------------------------------------

// Exits are lowest: their number is 0. The others keep their numbers, so that the order of the
// cells does not show.
static int steepest(const rl_drainage *d, uint32_t cell)
{
    const uint32_t here = d->work[cell];
    int best = 0;
    float most = 0.0f;
    for (int way = 0; way < 8; way++) {
        const uint32_t other = cell + d->step[way];
        if (d->level[other] != d->level[cell] || d->work[other] >= here)
            continue;
        const float fall = (float)(here - d->work[other]);
        const float slope = way < 4 ? fall : fall * DIAGONAL;
        best = slope > most ? way : best;
        most = slope > most ? slope : most;
    }
    RL_ASSERT(most > 0.0f);
    return best;
}

bool rl_flats_route(rl_drainage *d, size_t count)
{
    if (count == 0)
        return true;
    const rill_allocator *allocator = &d->own.allocator;
    const size_t bytes = (count + find_starts(d, is_exit, NULL)) * sizeof(uint32_t);
    queue q = {.cell = rill_alloc(allocator, bytes)};
    if (q.cell == NULL)
        return false;
    memset(d->work, 0, d->cells * sizeof *d->work);
    leave_higher(d, &q);
    reach_lower(d, &q);
    // The queue holds the exits, then all cells of flats.
    for (size_t n = 0; n < q.end; n++)
        if (is_flat(d, q.cell[n]))
            d->way[q.cell[n]] = (uint8_t)steepest(d, q.cell[n]);
    rill_free(allocator, q.cell, bytes);
    return true;
}
