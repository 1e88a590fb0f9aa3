// SPDX-License-Identifier: MIT
// river_stem.c - which of all channels of a terrain is the river: the one that most cells drain
// through, from where it rises, or from the border if it comes from beyond, to where it leaves.
#include "terrain/river_path/river_path_internal.h"

#include <math.h>

#define SEARCHED   10 // cells around a point that a river is to go by
#define LEAST_STEM 4  // cells of a river

// ---- Where it leaves -------------------------------------------------------------------

static bool leaves_by(const rl_drainage *d, uint32_t cell, int side)
{
    return side == RILL_RIVER_OUTLET_ANY ||
           rl_on_side(rl_drainage_without_rim(d, cell), side, d->nx, d->ny);
}

uint32_t rl_stem_outlet(const rl_drainage *d, int side)
{
    uint32_t best = RL_CHANNEL_NONE, most = 0;
    for (int j = 0; j < d->ny; j++) {
        const uint32_t first = (uint32_t)(((size_t)j + 1) * d->pitch + 1);
        for (uint32_t cell = first; cell < first + (uint32_t)d->nx; cell++) {
            if (rl_drainage_way(d, cell) != RL_WAY_OUT || d->work[cell] <= most ||
                !leaves_by(d, cell, side))
                continue;
            best = cell;
            most = d->work[cell];
        }
    }
    return best;
}

static uint32_t find_end(const rl_drainage *d, uint32_t cell)
{
    while (rl_drainage_way(d, cell) != RL_WAY_OUT)
        cell = rl_drainage_next(d, cell);
    return cell;
}

// The cell near a point through which most cells drain.
static uint32_t largest_near(const rl_drainage *d, double x, double y, int side)
{
    uint32_t best = RL_CHANNEL_NONE;
    const double i0 = floor(x), j0 = floor(y);
    for (int b = -SEARCHED; b <= SEARCHED; b++)
        for (int a = -SEARCHED; a <= SEARCHED; a++) {
            const double i = i0 + a, j = j0 + b;
            if (!(i >= 0.0 && i < d->nx && j >= 0.0 && j < d->ny) ||
                a * a + b * b > SEARCHED * SEARCHED)
                continue;
            const uint32_t cell = (uint32_t)(((size_t)j + 1) * d->pitch + (size_t)i + 1);
            if (rl_drainage_way(d, cell) > RL_WAY_OUT ||
                (best != RL_CHANNEL_NONE && d->work[cell] <= d->work[best]) ||
                !leaves_by(d, find_end(d, cell), side))
                continue;
            best = cell;
        }
    return best;
}

// ---- Where it rises --------------------------------------------------------------------

static uint32_t largest_donor(const rl_drainage *d, uint32_t cell)
{
    uint32_t best = RL_CHANNEL_NONE;
    for (int way = 0; way < 8; way++) {
        const uint32_t other = rl_drainage_neighbour(d, cell, way);
        if (rl_drainage_way(d, other) == (way ^ 1) &&
            (best == RL_CHANNEL_NONE || d->work[other] > d->work[best]))
            best = other;
    }
    return best;
}

static uint32_t climb_to_head(const rl_drainage *d, uint32_t cell, double least)
{
    for (;;) {
        const uint32_t above = largest_donor(d, cell);
        if (above == RL_CHANNEL_NONE || (double)d->work[above] < least)
            return cell;
        cell = above;
    }
}

// ---- All of it -------------------------------------------------------------------------

static rill_status fail_nowhere(const rill_river_path_def *def, double cell_size)
{
    if (!isnan(def->through[0]))
        return rill_fail(RILL_BAD_DEF,
                         "no water that leaves where it should runs within %g m of (%g, %g) m: set "
                         "river.path.through to a point of a river, or leave river.path.outlet out",
                         SEARCHED * cell_size, def->through[0], def->through[1]);
    return rill_fail(RILL_BAD_DEF, "no water leaves by the %s border; leave river.path.outlet out",
                     rl_side_names[def->outlet & 3]);
}

// The lowest cell of the side that a river comes in by.
static uint32_t lowest_of_side(const rl_drainage *d)
{
    uint32_t best = RL_CHANNEL_NONE;
    float least = INFINITY;
    for (int n = 0; n < rl_side_cells(d->from, d->nx, d->ny); n++) {
        const uint32_t cell = rl_drainage_with_rim(d, rl_side_cell(d->from, n, d->nx, d->ny));
        if (rl_drainage_way(d, cell) >= RL_WAY_OUT || !(d->border[n] < least))
            continue;
        best = cell;
        least = d->border[n];
    }
    return best;
}

static rill_status choose(const rl_drainage *d, double cell_size, const rill_river_path_def *def,
                          rl_stem *out)
{
    const double least = rl_channels_least(d, cell_size, def->catchment);
    const double first = isinf(least) ? rl_channels_least(d, cell_size, 0.0) : least;
    uint32_t by, head = RL_CHANNEL_NONE;
    if (d->from != RL_NO_SIDE)
        by = head = lowest_of_side(d);
    else if (isnan(def->through[0]))
        by = rl_stem_outlet(d, def->outlet);
    else
        by = largest_near(d, def->through[0] / cell_size, def->through[1] / cell_size, def->outlet);
    if (by == RL_CHANNEL_NONE)
        return fail_nowhere(def, cell_size);
    if (head == RL_CHANNEL_NONE)
        head = climb_to_head(d, by, first);
    out->beyond =
        d->from != RL_NO_SIDE ? (double)d->nx * (double)d->ny * cell_size * cell_size : 0.0;
    RILL_TRY(rl_channels_collect(d, head, least, &out->channels));
    const size_t cells = out->channels.main;
    if (cells >= LEAST_STEM)
        return RILL_OK;
    rl_channels_destroy(&d->own.allocator, &out->channels);
    return rill_fail(RILL_BAD_DEF,
                     "no river: the largest stem drains %g m^2 and is %zu cells long from where "
                     "%g m^2 drain through it; set river.path.catchment to less, or "
                     "river.path.from to the side that a river comes in by",
                     (double)d->work[find_end(d, by)] * cell_size * cell_size, cells,
                     first * cell_size * cell_size);
}

rill_status rl_stem_find(const rill_field *ground, double cell_size, const rill_river_path_def *def,
                         int from, const rill_allocator *allocator, rl_stem *out)
{
    *out = (rl_stem){.from = from};
    const rl_flood_def flood = {
        .from = from, .ways = 8, .length = def->smoothing / cell_size, .no_data = def->no_data};
    rl_drainage *d = rl_drainage_flood(ground, &flood, allocator);
    if (d == NULL || !rl_drainage_route(d)) {
        rl_drainage_destroy(&d);
        return rill_fail(RILL_NO_MEMORY, "no memory to find a river in %d x %d cells", ground->nx,
                         ground->ny);
    }
    const rill_status status = choose(d, cell_size, def, out);
    rl_drainage_destroy(&d);
    return status;
}
