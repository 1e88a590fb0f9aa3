// SPDX-License-Identifier: MIT
// map_shore.c - finds where water ends between two cells. Wet cells have their depth, dry cells get
// a depth below zero, and the shore is where a smooth surface through both is zero. A dry cell gets
// the height of its ground above the water beside it, so that a lake at rest ends where its level
// meets the ground; where that is unknown (a front, a cliff, a stream on a slope), the water's own
// depth sets a bound, and the shore runs near the edge between the two cells.
#include "scene/map/map_parts.h"

#include <math.h>

// The bound, in depths. At 0.8 a lone wet cell would vanish below the cubic splines that are laid
// through the values; at 0.6 it keeps about its size.
#define BANK 0.6f
// And the least, so that the sign always tells dry from wet.
#define LEAST_BANK 0.02f

// Sums over the wet cells within two cells of a dry one.
typedef struct surroundings {
    float level;   // of the water, m, weighted by nearness
    float depth;   // m, weighted by nearness
    float deepest; // m; 0 when all are dry
    bool beside;   // one of the eight neighbours is wet
} surroundings;

static surroundings collect_around(const rl_map_grid *grid, int i, int j)
{
    surroundings s = {0};
    double level = 0.0, weight = 0.0, depth = 0.0, depth_weight = 0.0;
    for (int dj = -2; dj <= 2; dj++) {
        if (j + dj < 0 || j + dj >= grid->ny)
            continue;
        const float *d = rill_field_row(&grid->water, j + dj);
        const float *z = rill_field_row(&grid->ground, j + dj);
        for (int di = -2; di <= 2; di++) {
            const int k = i + di;
            if (k < 0 || k >= grid->nx || !(d[k] > 0.0f))
                continue;
            const int distance2 = di * di + dj * dj;
            const double w = 1.0 / (double)(distance2 * distance2);
            level += w * ((double)z[k] + (double)d[k]);
            weight += w;
            // Deep neighbours count more: a lone shallow cell must not blanch a whole shore.
            depth += w * (double)d[k] * (double)d[k];
            depth_weight += w * (double)d[k];
            s.deepest = d[k] > s.deepest ? d[k] : s.deepest;
            s.beside = s.beside || distance2 <= 2;
        }
    }
    if (weight > 0.0) {
        s.level = (float)(level / weight);
        s.depth = (float)(depth / depth_weight);
    }
    return s;
}

// Cells beside water get their value, the next ring is marked by a negative `fill`, all other cells
// have zero: not known yet.
static void value_first_ring(rl_map_grid *grid)
{
    for (int j = 0; j < grid->ny; j++) {
        float *water = rill_field_row(&grid->water, j), *fill = rill_field_row(&grid->fill, j);
        const float *ground = rill_field_row(&grid->ground, j);
        for (int i = 0; i < grid->nx; i++) {
            fill[i] = water[i];
            if (water[i] > 0.0f)
                continue;
            const surroundings s = collect_around(grid, i, j);
            fill[i] = s.beside ? s.depth : -s.depth;
            if (s.beside)
                water[i] =
                    -rl_clamp(fabsf(ground[i] - s.level), LEAST_BANK * s.deepest, BANK * s.deepest);
        }
    }
}

// Dry, and inside the grid: beyond the frame water goes on as it is.
static bool is_dry(const rl_map_grid *grid, int i, int j)
{
    return i >= 0 && i < grid->nx && j >= 0 && j < grid->ny &&
           !(rill_field_row(&grid->water, j)[i] > 0.0f);
}

// A thread of water one cell wide must not be drowned by dry neighbours that border on deep water
// nearby: they are raised to what the thread's own depth allows.
static void raise_threads(rl_map_grid *grid)
{
    for (int j = 0; j < grid->ny; j++)
        for (int i = 0; i < grid->nx; i++) {
            const float depth = rill_field_row(&grid->water, j)[i];
            if (!(depth > 0.0f) || !((is_dry(grid, i - 1, j) && is_dry(grid, i + 1, j)) ||
                                     (is_dry(grid, i, j - 1) && is_dry(grid, i, j + 1))))
                continue;
            for (int dj = -1; dj <= 1; dj++)
                for (int di = -1; di <= 1; di++)
                    if (is_dry(grid, i + di, j + dj)) {
                        float *w = &rill_field_row(&grid->water, j + dj)[i + di];
                        *w = *w > -BANK * depth ? *w : -BANK * depth;
                    }
        }
}

// Returns the mean of the known dry neighbours, or 0; of the first ring only, when asked.
static float dry_neighbours(const rl_map_grid *grid, int i, int j, bool first_ring)
{
    double sum = 0.0;
    int count = 0;
    for (int dj = -1; dj <= 1; dj++)
        for (int di = -1; di <= 1; di++) {
            if (!is_dry(grid, i + di, j + dj))
                continue;
            const float w = rill_field_row(&grid->water, j + dj)[i + di];
            if (w < 0.0f && (!first_ring || rill_field_row(&grid->fill, j + dj)[i + di] > 0.0f)) {
                sum += (double)w;
                count++;
            }
        }
    return count > 0 ? (float)(sum / count) : 0.0f;
}

// Values go on falling away from the water, else a second shore would show on land.
static void value_second_ring(rl_map_grid *grid)
{
    for (int j = 0; j < grid->ny; j++)
        for (int i = 0; i < grid->nx; i++) {
            if (!(rill_field_row(&grid->fill, j)[i] < 0.0f))
                continue;
            const float near = -dry_neighbours(grid, i, j, true);
            const surroundings s = collect_around(grid, i, j);
            const float above = fabsf(rill_field_row(&grid->ground, j)[i] - s.level);
            rill_field_row(&grid->water, j)[i] = -rl_clamp(above, near, 2.5f * near);
        }
}

static void spread_to(rl_map_grid *grid, int i, int j)
{
    float *w = &rill_field_row(&grid->water, j)[i];
    if (*w == 0.0f)
        *w = dry_neighbours(grid, i, j, false);
}

// Dry land takes over what lies between it and the water; two sweeps reach every cell.
static void spread_inland(rl_map_grid *grid)
{
    for (int j = 0; j < grid->ny; j++)
        for (int i = 0; i < grid->nx; i++)
            spread_to(grid, i, j);
    for (int j = grid->ny - 1; j >= 0; j--)
        for (int i = grid->nx - 1; i >= 0; i--)
            spread_to(grid, i, j);
}

void rl_map_sign_depth(rl_map_grid *grid)
{
    value_first_ring(grid);
    raise_threads(grid);
    value_second_ring(grid);
    spread_inland(grid);
    for (int j = 0; j < grid->ny; j++) {
        float *water = rill_field_row(&grid->water, j), *fill = rill_field_row(&grid->fill, j);
        for (int i = 0; i < grid->nx; i++) {
            fill[i] = fabsf(fill[i]);
            if (water[i] > 0.0f)
                water[i] -= grid->shore_depth;
            else if (water[i] == 0.0f)
                water[i] = -1.0f; // no water anywhere
        }
    }
}
