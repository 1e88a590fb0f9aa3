// SPDX-License-Identifier: MIT
// river_crossing.c - does a river come into a terrain from beyond? Then most of what it has drained
// is not in the grid, and the largest of the areas that are says little. It comes in at the lowest
// cell of a side, crosses at least half of the grid to where most water leaves, and falls little
// beside the relief: a stream of a divide comes down a mountain.
//
// A coarse copy is enough to see that. It has the lowest ground of each block, so that no valley is
// lost in it.
#include "terrain/river_path/river_path_internal.h"

#include <math.h>

#define COARSE_SIDE  256  // cells of the copy, at most
#define CROSSES      0.5  // of the shorter side: the least length
#define FALLS        0.25 // of the relief: the most that it falls
#define NEAR         16   // of the grid: parts of the shorter side that it may end from the outlet
#define MARGIN_CELLS 2    // from a corner: there the ground is lower beyond

static void copy_lowest(const rill_field *ground, int factor, double no_data, rill_field *out)
{
    for (int j = 0; j < out->ny; j++)
        for (int i = 0; i < out->nx; i++) {
            float least = INFINITY;
            for (int b = factor * j; b < factor * (j + 1) && b < ground->ny; b++)
                for (int a = factor * i; a < factor * (i + 1) && a < ground->nx; a++) {
                    const float z = rill_field_row(ground, b)[a];
                    least = z < least && (double)z < no_data ? z : least;
                }
            rill_field_row(out, j)[i] = least < INFINITY ? least : NAN;
        }
}

// A copy of the ground and what of it must be known.
typedef struct crossing {
    rill_field ground;
    double cell_size;
    uint32_t outlet; // where most water leaves, RL_CHANNEL_NONE when that is not known
    double relief;
} crossing;

static bool find_outlet(crossing *c, const rill_river_path_def *def,
                        const rill_allocator *allocator)
{
    const rl_flood_def flood = {.from = RL_NO_SIDE,
                                .ways = 8,
                                .length = def->smoothing / c->cell_size,
                                .no_data = (double)INFINITY};
    rl_drainage *d = rl_drainage_flood(&c->ground, &flood, allocator);
    const bool good = d != NULL && rl_drainage_route(d);
    if (good) {
        const uint32_t outlet = rl_stem_outlet(d, def->outlet);
        c->outlet = outlet == RL_CHANNEL_NONE ? outlet : rl_drainage_without_rim(d, outlet);
        c->relief = (double)d->highest - (double)d->lowest;
    }
    rl_drainage_destroy(&d);
    return good;
}

static bool ends_near(const crossing *c, uint32_t end)
{
    const int nx = c->ground.nx, ny = c->ground.ny, shorter = nx < ny ? nx : ny;
    const int reach = shorter / NEAR > 2 ? shorter / NEAR : 2;
    const int dx = (int)(end % (uint32_t)nx) - (int)(c->outlet % (uint32_t)nx);
    const int dy = (int)(end / (uint32_t)nx) - (int)(c->outlet / (uint32_t)nx);
    return dx >= -reach && dx <= reach && dy >= -reach && dy <= reach;
}

// Is it at a corner, seen along its side?
static bool at_corner(const crossing *c, int side, uint32_t cell)
{
    const int i = (int)(cell % (uint32_t)c->ground.nx), j = (int)(cell / (uint32_t)c->ground.nx);
    const int along = side < 2 ? j : i, count = rl_side_cells(side, c->ground.nx, c->ground.ny);
    return along < MARGIN_CELLS || along >= count - MARGIN_CELLS;
}

// Returns the length of the way from the lowest cell of a side, cells; 0 when no river takes it.
static double length_from(const crossing *c, const rill_river_path_def *def, int side,
                          const rill_allocator *allocator)
{
    rill_river_path_def from_side = *def;
    rl_channels channels;
    from_side.from = side;
    from_side.catchment = (double)INFINITY;
    from_side.depth = isnan(def->depth) ? RL_DEPTH_FROM_SIDE : def->depth;
    from_side.no_data = (double)INFINITY;
    if (rl_channels_find(&c->ground, c->cell_size, &from_side, allocator, &channels) != RILL_OK)
        return 0.0;
    const rl_channel_cell *first = &channels.cell[0], *last = &channels.cell[channels.main - 1];
    const int shorter = c->ground.nx < c->ground.ny ? c->ground.nx : c->ground.ny;
    const bool crosses = (double)channels.main >= CROSSES * shorter &&
                         (double)first->fill - (double)last->fill <= FALLS * c->relief &&
                         ends_near(c, last->cell) && !at_corner(c, side, first->cell);
    const double length = crosses ? (double)channels.main : 0.0;
    rl_channels_destroy(allocator, &channels);
    return length;
}

bool rl_crossing_find(const rill_field *ground, double cell_size, const rill_river_path_def *def,
                      const rill_allocator *allocator, int *side)
{
    static const int order[4] = {3, 0, 1, 2}; // north first
    const int longer = ground->nx > ground->ny ? ground->nx : ground->ny;
    const int factor = (longer + COARSE_SIDE - 1) / COARSE_SIDE;
    crossing c = {.cell_size = factor * cell_size};
    double longest = 0.0;
    *side = RL_NO_SIDE;
    if (!rill_field_create(allocator, (ground->nx + factor - 1) / factor,
                           (ground->ny + factor - 1) / factor, 0, &c.ground))
        return false;
    copy_lowest(ground, factor, def->no_data, &c.ground);
    const bool good = find_outlet(&c, def, allocator);
    for (int n = 0; n < 4 && good && c.outlet != RL_CHANNEL_NONE; n++) {
        const double length = length_from(&c, def, order[n], allocator);
        *side = length > longest ? order[n] : *side;
        longest = length > longest ? length : longest;
    }
    rill_field_destroy(allocator, &c.ground);
    return good;
}
