// SPDX-License-Identifier: MIT
// river_channels.c - finds the channels of a filled terrain:
//
//     flood from the outlets -> receivers -> drained areas -> collect channels
#include "terrain/river_path/river_path_internal.h"

#include <math.h>

// Besides the way, a cell has the number of neighbours that have not yet passed it their areas, and
// two flags.
#define DONOR 0x08
#define GIVEN 0x40
#define MAIN  0x80

#define FIRST_CAPACITY 1024

// How far the way out may lie above the lowest cell of the border: pools are as deep as that.
#define POOL_DEPTHS 2.0
#define POOL_RELIEF 0.02

static const char *const side_names[4] = {"west", "east", "south", "north"};

static int way_of(const rl_drainage *d, uint32_t cell)
{
    return d->way[cell] & RL_WAY_BITS;
}

static uint32_t next_of(const rl_drainage *d, uint32_t cell)
{
    return rl_drainage_neighbour(d, cell, way_of(d, cell));
}

// ---- Receivers and areas ---------------------------------------------------------------

// Finds the steepest way down; across a lake, where there is none, the way that the flood came.
// Either goes down or towards cells flooded before, so that no way leads back.
static void find_receivers(const rl_drainage *d)
{
    for (int j = 0; j < d->ny; j++) {
        const uint32_t first = (uint32_t)(((size_t)j + 1) * d->pitch + 1);
        for (uint32_t cell = first; cell < first + (uint32_t)d->nx; cell++) {
            int best = way_of(d, cell);
            if (best >= RL_WAY_OUT)
                continue;
            float least = d->level[cell];
            for (int way = 0; way < 4; way++) {
                const float level = d->level[rl_drainage_neighbour(d, cell, way)];
                best = level < least ? way : best;
                least = level < least ? level : least;
            }
            d->way[cell] = (uint8_t)((d->way[cell] & ~RL_WAY_BITS) | best);
            d->way[rl_drainage_neighbour(d, cell, best)] += DONOR;
        }
    }
}

// Sums up areas from each cell into which nothing drains down to the first one that waits for
// another donor: every cell is passed once, and none has to be sorted.
static void sum_areas(const rl_drainage *d, uint32_t *area)
{
    for (size_t c = 0; c < d->cells; c++)
        area[c] = 1;
    for (size_t c = 0; c < d->cells; c++) {
        if (d->way[c] >= DONOR || d->way[c] > RL_WAY_OUT)
            continue;
        for (uint32_t cell = (uint32_t)c; way_of(d, cell) != RL_WAY_OUT;) {
            d->way[cell] |= GIVEN;
            const uint32_t next = next_of(d, cell);
            area[next] += area[cell];
            d->way[next] -= DONOR;
            if (d->way[next] >= DONOR)
                break;
            cell = next;
        }
    }
}

// ---- Channels --------------------------------------------------------------------------

static rill_status find_inlet(const rl_drainage *d, double depth, uint32_t *inlet)
{
    float lowest = INFINITY;
    for (int n = 0; n < rl_side_cells(d->from, d->nx, d->ny); n++) {
        const uint32_t cell = rl_drainage_with_rim(d, rl_side_cell(d->from, n, d->nx, d->ny));
        if (way_of(d, cell) < RL_WAY_OUT && d->border[n] < lowest) {
            lowest = d->border[n];
            *inlet = cell;
        }
    }
    const char *side = side_names[d->from];
    if (!(lowest < INFINITY))
        return rill_fail(RILL_BAD_DEF,
                         "no way leads from the %s border to another one: cells without data are "
                         "between them",
                         side);
    const double pool = POOL_DEPTHS * depth + POOL_RELIEF * (double)(d->highest - d->lowest);
    if ((double)d->level[*inlet] > (double)lowest + pool)
        return rill_fail(
            RILL_BAD_DEF,
            "the ground falls towards the %s border: its lowest cell is at %g m, and "
            "the lowest way from there to another border goes over %g m; let the river "
            "come from another side",
            side, (double)lowest, (double)d->level[*inlet]);
    return RILL_OK;
}

static bool append(const rl_drainage *d, uint32_t cell, uint32_t receiver, rl_channels *out)
{
    RL_ASSERT(cell < d->cells);
    if (out->count == out->capacity) {
        const size_t bytes = out->capacity * sizeof *out->cell;
        const size_t grown_bytes = bytes > 0 ? 2 * bytes : FIRST_CAPACITY * sizeof *out->cell;
        rl_channel_cell *grown = rill_realloc(d->allocator, out->cell, bytes, grown_bytes);
        if (grown == NULL)
            return false;
        out->cell = grown;
        out->capacity = grown_bytes / sizeof *out->cell;
    }
    out->cell[out->count++] = (rl_channel_cell){.cell = rl_drainage_without_rim(d, cell),
                                                .receiver = receiver,
                                                .area = d->work[cell],
                                                .fill = d->level[cell]};
    return true;
}

static bool collect_main(const rl_drainage *d, uint32_t inlet, rl_channels *out)
{
    RL_ASSERT(inlet < d->cells);
    for (uint32_t cell = inlet;; cell = next_of(d, cell)) {
        const bool last = way_of(d, cell) == RL_WAY_OUT;
        const uint32_t next = last ? RL_CHANNEL_NONE : (uint32_t)out->count + 1;
        if (!append(d, cell, next, out))
            return false;
        d->way[cell] |= MAIN;
        if (last)
            break;
    }
    out->main = out->count;
    return true;
}

// Collects cells through which `least` cells drain, upstream from each channel cell in turn.
static bool collect_branches(const rl_drainage *d, double least, rl_channels *out)
{
    for (size_t n = 0; n < out->count; n++) {
        const uint32_t cell = rl_drainage_with_rim(d, out->cell[n].cell);
        for (int way = 0; way < 4; way++) {
            const uint32_t other = rl_drainage_neighbour(d, cell, way);
            if (way_of(d, other) != (way ^ 1) || (d->way[other] & MAIN) ||
                (double)d->work[other] < least)
                continue;
            if (!append(d, other, (uint32_t)n, out))
                return false;
        }
    }
    return true;
}

static rill_status collect(const rl_drainage *d, double cell_size, const rill_river_path_def *def,
                           rl_channels *out)
{
    uint32_t inlet = 0;
    RILL_TRY(find_inlet(d, def->depth, &inlet));
    find_receivers(d);
    sum_areas(d, d->work);
    const double cells = (double)d->nx * (double)d->ny;
    const double least =
        def->catchment > 0.0 ? def->catchment / (cell_size * cell_size) : 0.01 * cells;
    if (collect_main(d, inlet, out) &&
        (isinf(least) || collect_branches(d, least > 1.0 ? least : 1.0, out)))
        return RILL_OK;
    return rill_fail(RILL_NO_MEMORY, "no memory for the channels of a river");
}

rill_status rl_channels_find(const rill_field *ground, double cell_size,
                             const rill_river_path_def *def, const rill_allocator *allocator,
                             rl_channels *out)
{
    rl_drainage d;
    *out = (rl_channels){0};
    rill_status status;
    if (rl_drainage_flood(&d, ground, def->from, def->smoothing / cell_size, allocator))
        status = collect(&d, cell_size, def, out);
    else
        status = rill_fail(RILL_NO_MEMORY, "no memory to find a river in %d x %d cells", ground->nx,
                           ground->ny);
    rl_drainage_destroy(&d);
    if (status != RILL_OK)
        rl_channels_destroy(allocator, out);
    return status;
}

void rl_channels_destroy(const rill_allocator *allocator, rl_channels *channels)
{
    rill_free(allocator, channels->cell, channels->capacity * sizeof *channels->cell);
    *channels = (rl_channels){0};
}
