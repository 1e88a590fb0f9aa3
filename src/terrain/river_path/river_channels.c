// SPDX-License-Identifier: MIT
// river_channels.c - the channels of a terrain whose drainage is known, and the side branches of a
// river that comes in by a side of the grid.
#include "terrain/river_path/river_path_internal.h"

#include "core/memory.h"
#include "core/numbers.h"

#include <math.h>

// How far the way out may lie above the lowest cell of the border: pools are as deep as that.
#define POOL_DEPTHS 2.0
#define POOL_RELIEF 0.02

// ---- Channels --------------------------------------------------------------------------

static rill_status find_inlet(const rl_drainage *d, double depth, uint32_t *inlet)
{
    float lowest = INFINITY;
    for (int n = 0; n < rl_side_cells(d->from, d->nx, d->ny); n++) {
        const uint32_t cell = rl_drainage_with_rim(d, rl_side_cell(d->from, n, d->nx, d->ny));
        if (rl_drainage_way(d, cell) < RL_WAY_OUT && d->border[n] < lowest) {
            lowest = d->border[n];
            *inlet = cell;
        }
    }
    const char *side = rl_side_names[d->from];
    if (!(lowest < INFINITY))
        return rill_fail(
            RILL_BAD_DEF,
            "no way leads from the %s border to another one: cells without data are between them",
            side);
    const double pool = POOL_DEPTHS * depth + POOL_RELIEF * (double)(d->highest - d->lowest);
    if ((double)d->level[*inlet] > (double)lowest + pool)
        return rill_fail(
            RILL_BAD_DEF,
            "the ground falls towards the %s border: its lowest cell is at %g m, and the lowest "
            "way from there to another border goes over %g m; let the river come from another "
            "side, or "
            "set river.path.from = \"auto\"",
            side, (double)lowest, (double)d->level[*inlet]);
    return RILL_OK;
}

static bool append(const rl_drainage *d, uint32_t cell, uint32_t receiver, rl_channels *out)
{
    RL_ASSERT(cell < d->cells);
    rl_channel_cell *cells =
        rl_grow(&d->own.allocator, out->cell, sizeof *cells, &out->capacity, out->count + 1);
    if (cells == NULL)
        return false;
    out->cell = cells;
    cells[out->count++] = (rl_channel_cell){.cell = rl_drainage_without_rim(d, cell),
                                            .receiver = receiver,
                                            .area = d->work[cell],
                                            .fill = d->level[cell]};
    return true;
}

static bool collect_main(const rl_drainage *d, uint32_t inlet, rl_channels *out)
{
    RL_ASSERT(inlet < d->cells);
    for (uint32_t cell = inlet;; cell = rl_drainage_next(d, cell)) {
        const bool last = rl_drainage_way(d, cell) == RL_WAY_OUT;
        const uint32_t next = last ? RL_CHANNEL_NONE : (uint32_t)out->count + 1;
        if (!append(d, cell, next, out))
            return false;
        d->way[cell] |= RL_WAY_MAIN;
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
        for (int way = 0; way < d->ways; way++) {
            const uint32_t other = rl_drainage_neighbour(d, cell, way);
            if (rl_drainage_way(d, other) != (way ^ 1) || (d->way[other] & RL_WAY_MAIN) ||
                (double)d->work[other] < least)
                continue;
            if (!append(d, other, (uint32_t)n, out))
                return false;
        }
    }
    return true;
}

double rl_channels_least(const rl_drainage *d, double cell_size, double catchment)
{
    const double cells = (double)d->nx * (double)d->ny;
    const double least = catchment > 0.0 ? catchment / (cell_size * cell_size) : 0.01 * cells;
    return least > 1.0 ? least : 1.0;
}

rill_status rl_channels_collect(const rl_drainage *d, uint32_t head, double least, rl_channels *out)
{
    *out = (rl_channels){0};
    if (collect_main(d, head, out) && (isinf(least) || collect_branches(d, least, out)))
        return RILL_OK;
    rl_channels_destroy(&d->own.allocator, out);
    return rill_fail(RILL_NO_MEMORY, "no memory for the channels of a river");
}

rill_status rl_channels_find(const rill_field *ground, double cell_size,
                             const rill_river_path_def *def, const rill_allocator *allocator,
                             rl_channels *out)
{
    *out = (rl_channels){0};
    const rl_flood_def flood = {.from = def->from,
                                .ways = 4,
                                .length = def->smoothing / cell_size,
                                .no_data = def->no_data};
    rl_drainage *d = rl_drainage_flood(ground, &flood, allocator);
    if (d == NULL)
        return rill_fail(RILL_NO_MEMORY, "no memory to find a river in %d x %d cells", ground->nx,
                         ground->ny);
    uint32_t inlet = 0;
    rill_status status = find_inlet(d, def->depth, &inlet);
    if (status == RILL_OK && !rl_drainage_route(d))
        status = rill_fail(RILL_NO_MEMORY, "no memory for the ways of the water");
    if (status == RILL_OK)
        status =
            rl_channels_collect(d, inlet, rl_channels_least(d, cell_size, def->catchment), out);
    rl_drainage_destroy(&d);
    return status;
}

void rl_channels_destroy(const rill_allocator *allocator, rl_channels *channels)
{
    rill_free(allocator, channels->cell, channels->capacity * sizeof *channels->cell);
    *channels = (rl_channels){0};
}

// ---- Branches --------------------------------------------------------------------------
//
// Water in the channels that join a river. A branch begins where a channel leaves the wet cells of
// the river that it joins. Its depth there follows from the areas that drain through both
// (hydraulic geometry, depth ~ discharge^0.4; Leopold and Maddock 1953), but it fills no more than
// the bed between its own banks: on a plain without a bed it is a trickle, not a flood.

#define EXPONENT     0.4
#define LEAST_CELLS  16   // that a branch must have outside the river it joins
#define MOUTH_CELLS  8    // over which it gets its depth
#define WIDTH_DEPTHS 25.0 // widest, depths
#define LEAST_FILL   0.1  // of its depth, where there are no banks
#define SMOOTHINGS   12

typedef struct node {
    float level;
    float depth;     // by its area, metres
    uint32_t height; // cells of the longest way upstream outside the river, itself included
    uint32_t mouth;  // cells to the mouth, 0 in the river
    uint32_t above;  // the largest cell that drains into it
} node;

typedef struct branches {
    rl_wet *wet;
    const rl_channel_cell *cell;
    size_t main, count;
    double cell_size, depth;
    node *node;
} branches;

// ---- Which channels are branches -------------------------------------------------------

static bool in_river(const branches *b, size_t n)
{
    return b->node[n].mouth == 0;
}

// Drops channels that leave the river for a few cells only: they are the river's own bed.
static void find_branches(branches *b)
{
    for (size_t n = b->main; n < b->count; n++) {
        const uint32_t next = b->cell[n].receiver;
        b->node[n].mouth = rl_wet_is(b->wet, b->cell[n].cell) ? 0 : b->node[next].mouth + 1;
        b->node[n].above = RL_CHANNEL_NONE;
    }
    for (size_t n = b->count; n-- > b->main;) {
        const uint32_t next = b->cell[n].receiver;
        if (in_river(b, n))
            continue;
        b->node[n].height++;
        if (in_river(b, next))
            continue;
        if (b->node[next].height < b->node[n].height)
            b->node[next].height = b->node[n].height;
        const uint32_t above = b->node[next].above;
        if (above == RL_CHANNEL_NONE || b->cell[n].area >= b->cell[above].area)
            b->node[next].above = (uint32_t)n;
    }
}

// Cells of branches that are too short, and all that hangs on them, count as river: not flooded.
static int prune(branches *b)
{
    int count = 1;
    for (size_t n = b->main; n < b->count; n++) {
        if (in_river(b, n))
            continue;
        const uint32_t next = b->cell[n].receiver;
        const bool begins = in_river(b, next) || b->node[next].above != n;
        const bool hangs = !in_river(b, next) && b->node[next].height == 0;
        if (hangs || (begins && b->node[n].height < LEAST_CELLS))
            b->node[n].height = 0;
        else
            count += begins;
    }
    return count;
}

// ---- Depth and level -------------------------------------------------------------------

// Returns the height of the lower bank: the highest ground within `reach` cells, on the side where
// it is lower. Banks are searched along both axes, for streams run in any direction; the axis with
// the higher banks is the one across.
static float bank_of(const branches *b, uint32_t cell, int reach)
{
    const int nx = b->wet->nx, ny = b->wet->ny;
    const int i = (int)(cell % (uint32_t)nx), j = (int)(cell / (uint32_t)nx);
    float across = -INFINITY;
    for (int axis = 0; axis < 2; axis++) {
        float lower = INFINITY;
        for (int turn = -1; turn <= 1; turn += 2) {
            float highest = -INFINITY;
            for (int k = 1; k <= reach; k++) {
                const int a = i + (axis == 0 ? turn * k : 0), c = j + (axis == 1 ? turn * k : 0);
                if (a < 0 || a >= nx || c < 0 || c >= ny)
                    break;
                const float z = rill_field_row(b->wet->ground, c)[a];
                highest = z > highest ? z : highest;
            }
            lower = highest < lower ? highest : lower;
        }
        across = lower > across ? lower : across;
    }
    return across;
}

static int reach_of(const branches *b, float depth)
{
    return (int)(0.5 * WIDTH_DEPTHS * (double)depth / b->cell_size) + 1;
}

// The main river comes from beyond the grid and has drained at least as much there.
static double area_of(const branches *b, size_t n)
{
    const double beyond = (double)b->wet->nx * (double)b->wet->ny;
    return (double)b->cell[n].area + (n < b->main ? beyond : 0.0);
}

static float bed_of(const branches *b, size_t n)
{
    const float z = rl_wet_ground(b->wet, b->cell[n].cell), fill = b->cell[n].fill;
    return fill > z ? fill : z;
}

// Cells that are wet already have the level of the river.
static void lay_levels(branches *b)
{
    for (size_t n = 0; n < b->count; n++) {
        node *here = &b->node[n];
        const uint32_t cell = b->cell[n].cell, next = b->cell[n].receiver;
        const bool river = n < b->main || in_river(b, n);
        here->depth = (float)b->depth;
        if (n >= b->main) {
            const double ratio = river && next >= b->main ? 1.0 : area_of(b, n) / area_of(b, next);
            here->depth = b->node[next].depth * (float)rill_power(ratio, EXPONENT);
        }
        if (river) {
            here->level = *rl_wet_level(b->wet, cell);
            continue;
        }
        const float bed = bed_of(b, n);
        // Its cells may lie at one bank: the other is a whole width from there.
        const float bank = bank_of(b, cell, 2 * reach_of(b, here->depth));
        const float mouth = (float)(here->mouth < MOUTH_CELLS ? here->mouth : MOUTH_CELLS);
        const float most = bed + here->depth * mouth / MOUTH_CELLS;
        const float least = bed + (float)LEAST_FILL * here->depth * mouth / MOUTH_CELLS;
        const float level = bank < least ? least : bank > most ? most : bank;
        here->level = level > b->node[next].level ? level : b->node[next].level;
    }
}

// Rounds the surface off along each branch; it still falls, and no bed falls dry.
static void smooth_levels(branches *b)
{
    for (int time = 0; time < SMOOTHINGS; time++)
        for (size_t n = b->main; n < b->count; n++) {
            node *here = &b->node[n];
            if (in_river(b, n) || here->height == 0)
                continue;
            const float below = b->node[b->cell[n].receiver].level;
            const float above =
                here->above != RL_CHANNEL_NONE ? b->node[here->above].level : here->level;
            const float bed = bed_of(b, n) + 0.5f * (float)LEAST_FILL * here->depth / MOUTH_CELLS;
            float level = 0.5f * here->level + 0.25f * (below + above);
            level = level > bed ? level : bed;
            here->level = level > below ? level : below;
        }
}

// Each cell spreads as far as suits the water that stands in it.
static bool flood(branches *b)
{
    const size_t first = b->wet->count;
    for (size_t n = b->main; n < b->count; n++) {
        const node *here = &b->node[n];
        const uint32_t cell = b->cell[n].cell;
        if (in_river(b, n) || here->height == 0 || rl_wet_is(b->wet, cell))
            continue;
        if (!rl_wet_add(b->wet, cell, here->level))
            return false;
        const int reach = reach_of(b, here->level - rl_wet_ground(b->wet, cell));
        const int steps = reach < RL_WET_MAX_STEPS ? reach : RL_WET_MAX_STEPS;
        b->wet->mark[cell] = (uint8_t)(RL_WET_PINNED + steps * RL_WET_STEPS);
    }
    return rl_wet_spread(b->wet, first, true);
}

bool rl_branches_flood(rl_wet *wet, const rl_channels *channels, double cell_size, double depth,
                       int *count)
{
    RL_ASSERT(channels->count > 0 && depth > 0.0 && cell_size > 0.0);
    branches b = {.wet = wet,
                  .cell = channels->cell,
                  .main = channels->main,
                  .count = channels->count,
                  .cell_size = cell_size,
                  .depth = depth};
    const size_t bytes = b.count * sizeof *b.node;
    b.node = rill_alloc(wet->allocator, bytes);
    if (b.node == NULL)
        return false;
    find_branches(&b);
    *count = prune(&b);
    lay_levels(&b);
    smooth_levels(&b);
    const bool good = flood(&b);
    rill_free(wet->allocator, b.node, bytes);
    return good;
}
