// SPDX-License-Identifier: MIT
// river_routes.c - where the water of every cell of a filled terrain goes, and how much comes:
//
//     receivers -> ways over what is flat -> drained areas
#include "terrain/river_path/river_path_internal.h"

#define DIAGONAL 0.70710678f // one over the length of a step across a corner, cells

// ---- Four ways -------------------------------------------------------------------------

// Finds the steepest way down; across a lake, where there is none, the way that the flood came.
// Either goes down or towards cells flooded before, so that no way leads back. Counts donors.
static void go_four_ways(const rl_drainage *d)
{
    const rl_steps steps = rl_drainage_steps(d);
    for (int j = 0; j < d->ny; j++) {
        const uint32_t first = (uint32_t)(((size_t)j + 1) * d->pitch + 1);
        for (uint32_t cell = first; cell < first + (uint32_t)d->nx; cell++) {
            int best = rl_drainage_way(d, cell);
            if (best >= RL_WAY_OUT)
                continue;
            float least = d->level[cell];
            for (int way = 0; way < 4; way++) {
                const float level = d->level[cell + steps.to[way]];
                best = level < least ? way : best;
                least = level < least ? level : least;
            }
            d->way[cell] = (uint8_t)((d->way[cell] & ~RL_WAY_BITS) | best);
            d->way[cell + steps.to[best]] += RL_WAY_DONOR;
        }
    }
}

// ---- Eight ways ------------------------------------------------------------------------

// Returns the steepest way down, or RL_WAY_FLAT.
static int steepest(const rl_drainage *d, uint32_t cell)
{
    const float here = d->level[cell];
    int best = RL_WAY_FLAT;
    float most = 0.0f;
    for (int way = 0; way < 8; way++) {
        const float fall = here - d->level[cell + d->step[way]];
        const float slope = way < 4 ? fall : fall * DIAGONAL;
        best = slope > most ? way : best;
        most = slope > most ? slope : most;
    }
    return best;
}

// Returns how many cells have no way down.
static size_t go_down(const rl_drainage *d)
{
    size_t flat = 0;
    for (int j = 0; j < d->ny; j++) {
        const uint32_t first = (uint32_t)(((size_t)j + 1) * d->pitch + 1);
        for (uint32_t cell = first; cell < first + (uint32_t)d->nx; cell++) {
            const int before = rl_drainage_way(d, cell);
            if (before > RL_WAY_OUT)
                continue;
            const int way = steepest(d, cell);
            if (way != RL_WAY_FLAT)
                d->way[cell] = (uint8_t)way;
            else if (before != RL_WAY_OUT) {
                d->way[cell] = RL_WAY_FLAT;
                flat++;
            }
        }
    }
    return flat;
}

// ---- Areas -----------------------------------------------------------------------------

static void count_donors(const rl_drainage *d)
{
    const rl_steps steps = rl_drainage_steps(d);
    for (size_t c = 0; c < d->cells; c++)
        if ((d->way[c] & RL_WAY_BITS) < RL_WAY_OUT)
            d->way[(uint32_t)c + steps.to[d->way[c] & RL_WAY_BITS]] += RL_WAY_DONOR;
}

// Sums up areas from each cell into which nothing drains down to the first one that waits for
// another donor: every cell is passed once, and none has to be sorted.
static void sum_areas(const rl_drainage *d, uint32_t *area)
{
    const rl_steps steps = rl_drainage_steps(d);
    for (size_t c = 0; c < d->cells; c++)
        area[c] = 1;
    for (size_t c = 0; c < d->cells; c++) {
        if (d->way[c] >= RL_WAY_DONOR || d->way[c] > RL_WAY_OUT)
            continue;
        for (uint32_t cell = (uint32_t)c; rl_drainage_way(d, cell) != RL_WAY_OUT;) {
            d->way[cell] |= RL_WAY_GIVEN;
            const uint32_t next = cell + steps.to[rl_drainage_way(d, cell)];
            area[next] += area[cell];
            d->way[next] = (uint8_t)(d->way[next] - RL_WAY_DONOR);
            if (d->way[next] >= RL_WAY_DONOR)
                break;
            cell = next;
        }
    }
}

bool rl_drainage_route(rl_drainage *d)
{
    if (d->ways == 4) {
        go_four_ways(d);
    } else {
        if (!rl_flats_route(d, go_down(d)))
            return false;
        count_donors(d);
    }
    sum_areas(d, d->work);
    return true;
}
