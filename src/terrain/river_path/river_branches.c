// SPDX-License-Identifier: MIT
// river_branches.c - water in the channels that join a river. A branch begins where a channel
// leaves the wet cells of the river that it joins. Its depth there follows from the areas that
// drain through both (hydraulic geometry, depth ~ discharge^0.4; Leopold and Maddock 1953), but it
// fills no more than the bed between its own banks: on a plain without a bed it is a trickle, not a
// flood.
#include "terrain/river_path/river_path_internal.h"

#include "core/numbers.h"

#include <math.h>

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

static float ground_at(const branches *b, int i, int j)
{
    return rill_field_row(b->wet->ground, j)[i];
}

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
                const float z = ground_at(b, a, c);
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

// Returns the first cell of the main channel or of a branch that the water of cell n comes to, for
// cells that are wet already: their level is the river's.
static void lay_levels(branches *b)
{
    for (size_t n = 0; n < b->count; n++) {
        node *here = &b->node[n];
        const uint32_t cell = b->cell[n].cell;
        if (n < b->main || in_river(b, n)) {
            const uint32_t next = n < b->main ? RL_CHANNEL_NONE : b->cell[n].receiver;
            const double ratio = next < b->main ? area_of(b, n) / area_of(b, next) : 1.0;
            here->depth = next == RL_CHANNEL_NONE
                              ? (float)b->depth
                              : b->node[next].depth * (float)rill_power(ratio, EXPONENT);
            here->level = *rl_wet_level(b->wet, cell);
            continue;
        }
        const uint32_t next = b->cell[n].receiver;
        const double ratio = area_of(b, n) / area_of(b, next);
        here->depth = b->node[next].depth * (float)rill_power(ratio, EXPONENT);
        const float z = rl_wet_ground(b->wet, cell);
        const float bed = b->cell[n].fill > z ? b->cell[n].fill : z;
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
            const float z = rl_wet_ground(b->wet, b->cell[n].cell);
            const float bed = (b->cell[n].fill > z ? b->cell[n].fill : z) +
                              0.5f * (float)LEAST_FILL * here->depth / MOUTH_CELLS;
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
