// SPDX-License-Identifier: MIT
// river_stem.c - which of all channels of a terrain is the river: the one that most cells drain
// through, from where it rises, or from the border if it comes from beyond, to where it leaves.
#include "terrain/river_path/river_path_internal.h"

#include <math.h>

#define SEARCHED    10   // cells around a point that a river is to go by
#define LEAST_STEM  4    // cells of a river
#define WINDOWS     16   // along a side: an inlet is the lowest cell of one
#define CROSSES     0.5  // of the shorter side: a river from beyond is at least as long
#define FALLS       0.25 // of the relief, at most: one from beyond does not come down a mountain
#define LOOKED_INSIDE 4  // cells from the border
#define MARGIN_CELLS 2   // from the end of a window: lower ground lies there, not the bed of a river

// ---- Where it leaves -------------------------------------------------------------------

static bool leaves_by(const rl_drainage *d, uint32_t cell, int side)
{
    return side == RILL_RIVER_OUTLET_ANY ||
           rl_on_side(rl_drainage_without_rim(d, cell), side, d->nx, d->ny);
}

// The outlet through which most cells drain, RL_CHANNEL_NONE when there is none.
static uint32_t largest_outlet(const rl_drainage *d, int side)
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

// ---- Rivers from beyond ----------------------------------------------------------------

// A way from the border down to an outlet.
typedef struct inlet {
    uint32_t cell, first; // at the border, and the one near it where water runs inwards
    int side;
    double length; // cells
} inlet;

static double length_down(const rl_drainage *d, uint32_t cell, uint32_t *end)
{
    double length = 0.0;
    for (; rl_drainage_way(d, cell) != RL_WAY_OUT; cell = rl_drainage_next(d, cell))
        length += rl_drainage_way(d, cell) < 4 ? 1.0 : 1.4142135623730951;
    *end = cell;
    return length;
}

// The way that leads a cell towards another: across corners first.
static int way_towards(const rl_drainage *d, uint32_t from, uint32_t to)
{
    static const int ways[3][3] = {{5, 3, 7}, {1, RL_WAY_OUT, 0}, {6, 2, 4}};
    const int64_t pitch = (int64_t)d->pitch;
    const int64_t dx = to % pitch - from % pitch, dy = to / pitch - from / pitch;
    return ways[(dy > 0) - (dy < 0) + 1][(dx > 0) - (dx < 0) + 1];
}

// Does the way down from a cell keep clear of the straight way from the border to it?
static bool is_clear(const rl_drainage *d, uint32_t border, uint32_t first)
{
    uint32_t down = first;
    for (int steps = 0; steps < 8 * LOOKED_INSIDE && rl_drainage_way(d, down) != RL_WAY_OUT;
         steps++) {
        down = rl_drainage_next(d, down);
        for (uint32_t cell = border; cell != first;
             cell = rl_drainage_neighbour(d, cell, way_towards(d, cell, first)))
            if (cell == down)
                return false;
    }
    return true;
}

// Sends the water of the straight way from the border to the first cell there.
static void lead_inwards(rl_drainage *d, const inlet *in)
{
    for (uint32_t cell = in->cell; cell != in->first; cell = rl_drainage_next(d, cell)) {
        d->way[cell] = (uint8_t)way_towards(d, cell, in->first);
        d->work[cell] = 1;
    }
}

// Do two cells lie within a window of each other?
static bool near(const rl_drainage *d, uint32_t a, uint32_t b)
{
    const uint32_t p = rl_drainage_without_rim(d, a), q = rl_drainage_without_rim(d, b);
    const double nx = d->nx, ny = d->ny, reach = (nx < ny ? nx : ny) / WINDOWS;
    const double dx = (double)(p % (uint32_t)d->nx) - (double)(q % (uint32_t)d->nx);
    const double dy = (double)(p / (uint32_t)d->nx) - (double)(q / (uint32_t)d->nx);
    return fabs(dx) <= reach && fabs(dy) <= reach;
}

// The lowest cell of a window of a side, RL_CHANNEL_NONE when it lies at an end of it.
static uint32_t lowest_of_window(const rl_drainage *d, int side, int window)
{
    const int64_t along = rl_side_cells(side, d->nx, d->ny);
    const int first = (int)(along * window / WINDOWS), end = (int)(along * (window + 2) / WINDOWS);
    int best = -1;
    float least = INFINITY;
    for (int n = first; n < end && n < along; n++) {
        const float level =
            d->level[rl_drainage_with_rim(d, rl_side_cell(side, n, d->nx, d->ny))];
        best = level < least ? n : best;
        least = level < least ? level : least;
    }
    if (best < first + MARGIN_CELLS || best >= end - MARGIN_CELLS)
        return RL_CHANNEL_NONE;
    return rl_drainage_with_rim(d, rl_side_cell(side, best, d->nx, d->ny));
}

// What a river from beyond must be like.
typedef struct crossing {
    uint32_t outlet;
    double least, most; // length, cells, and fall, metres
} crossing;

// At the border the ground of a river may fall outwards: the lowest cell near it from which water
// runs to the outlet is taken.
static inlet look_inside(const rl_drainage *d, uint32_t border, int side, const crossing *c)
{
    inlet in = {.cell = RL_CHANNEL_NONE, .side = side};
    for (int b = -LOOKED_INSIDE; b <= LOOKED_INSIDE; b++)
        for (int a = -LOOKED_INSIDE; a <= LOOKED_INSIDE; a++) {
            const uint32_t plain = rl_drainage_without_rim(d, border);
            const int i = (int)(plain % (uint32_t)d->nx) + a, j = (int)(plain / (uint32_t)d->nx) + b;
            if (i < 0 || i >= d->nx || j < 0 || j >= d->ny)
                continue;
            const uint32_t cell =
                rl_drainage_with_rim(d, (uint32_t)j * (uint32_t)d->nx + (uint32_t)i);
            if (rl_drainage_way(d, cell) >= RL_WAY_OUT ||
                (in.cell != RL_CHANNEL_NONE && !(d->level[cell] < d->level[in.first])))
                continue;
            uint32_t end;
            const double length = length_down(d, cell, &end);
            if (length < c->least || !near(d, end, c->outlet) || !is_clear(d, border, cell) ||
                (double)d->level[cell] - (double)d->level[end] > c->most)
                continue;
            in.cell = border;
            in.first = cell;
            in.length = length;
        }
    return in;
}

// A river that comes from beyond enters in a valley of the border, crosses at least half of the grid
// to where most water leaves, and falls little. Returns the longest of such ways. Windows overlap by
// half, so that a valley lies well within one of them.
static inlet find_inlet(const rl_drainage *d, uint32_t outlet)
{
    inlet best = {.cell = RL_CHANNEL_NONE};
    const crossing c = {.outlet = outlet,
                        .least = CROSSES * (d->nx < d->ny ? d->nx : d->ny),
                        .most = FALLS * ((double)d->highest - (double)d->lowest)};
    for (int side = 0; side < 4; side++)
        for (int window = 0; window < WINDOWS - 1; window++) {
            const uint32_t cell = lowest_of_window(d, side, window);
            if (cell == RL_CHANNEL_NONE || rl_drainage_way(d, cell) > RL_WAY_OUT)
                continue;
            const inlet in = look_inside(d, cell, side, &c);
            if (in.cell != RL_CHANNEL_NONE && in.length > best.length)
                best = in;
        }
    return best;
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

static rill_status choose(rl_drainage *d, double cell_size, const rill_river_path_def *def,
                          rl_stem *out)
{
    const bool asked = !isnan(def->through[0]);
    const uint32_t by = asked ? largest_near(d, def->through[0] / cell_size,
                                             def->through[1] / cell_size, def->outlet)
                              : largest_outlet(d, def->outlet);
    if (by == RL_CHANNEL_NONE)
        return fail_nowhere(def, cell_size);
    const double least = rl_channels_least(d, cell_size, def->catchment);
    const double first = isinf(least) ? rl_channels_least(d, cell_size, 0.0) : least;
    const inlet in = asked ? (inlet){.cell = RL_CHANNEL_NONE} : find_inlet(d, by);
    const bool crosses = in.cell != RL_CHANNEL_NONE;
    const uint32_t head = crosses ? in.cell : climb_to_head(d, by, first);
    if (crosses)
        lead_inwards(d, &in);
    out->from = crosses ? in.side : RL_NO_SIDE;
    out->beyond = crosses ? (double)d->nx * (double)d->ny * cell_size * cell_size : 0.0;
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

rill_status rl_stem_find(const rill_field *ground, double cell_size,
                         const rill_river_path_def *def, const rill_allocator *allocator,
                         rl_stem *out)
{
    *out = (rl_stem){.from = RL_NO_SIDE};
    const rl_flood_def flood = {.from = RL_NO_SIDE,
                                .ways = 8,
                                .length = def->smoothing / cell_size,
                                .no_data = def->no_data};
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
