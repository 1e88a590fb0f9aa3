// SPDX-License-Identifier: MIT
// river_profile.c - a river whose surface falls along its channels, which Burrell has not: mountain
// rivers, and side branches that start above the level of the main one (Burrell Fig. 6.1).
//
//     channels -> surface along the main one -> it spreads -> line down the middle -> level relaxed
//              -> surface along the branches -> they spread -> level relaxed -> what is left over
//
// The surface of a river follows its bed, but it smooths out pools, riffles and noise that are
// short beside the backwater length, depth / slope: below, all stretches that fall by less than a
// depth.
#include "terrain/river_path/river_path_internal.h"

#include <math.h>

#define RELAX_SWEEPS 64
#define LEAST_DEPTH  0.25 // of the depth, over any cell of the main channel

// ---- Surface along a channel -----------------------------------------------------------

// Computes the profile that never rises downstream and is nearest to `z` (pool adjacent violators):
// `fit` holds blocks of equal value, `size` their lengths. Both are then spread out over all cells.
static void fit_falling(const float *z, size_t count, double *fit, uint32_t *size)
{
    RL_ASSERT(count > 0);
    size_t blocks = 0;
    for (size_t n = 0; n < count; n++) {
        fit[blocks] = (double)z[n];
        size[blocks++] = 1;
        while (blocks > 1 && fit[blocks - 2] < fit[blocks - 1]) {
            const double a = size[blocks - 2], b = size[blocks - 1];
            fit[blocks - 2] = (a * fit[blocks - 2] + b * fit[blocks - 1]) / (a + b);
            size[blocks - 2] += size[blocks - 1];
            blocks--;
        }
    }
    for (size_t n = count; blocks-- > 0;)
        for (uint32_t k = size[blocks]; k > 0; k--)
            fit[--n] = fit[blocks];
}

// Sums over the first n values of 1, x, x^2, z and x z, to fit straight lines to any stretch.
typedef struct moments {
    double x, xx, z, xz;
} moments;

static double line_through(const moments *sums, size_t first, size_t end, size_t at)
{
    RL_ASSERT(first < end);
    const double n = (double)(end - first), x = sums[end].x - sums[first].x;
    const double xx = sums[end].xx - sums[first].xx, z = sums[end].z - sums[first].z;
    const double xz = sums[end].xz - sums[first].xz;
    const double spread = n * xx - x * x;
    const double slope = spread > 0.0 ? (n * xz - x * z) / spread : 0.0;
    return z / n + (slope < 0.0 ? slope : 0.0) * ((double)at - x / n);
}

// Computes the bed as the surface feels it: at each cell the straight line through the stretch
// around it in which the falling profile loses less than `depth`.
static void lay_backwater(const float *z, const double *falling, size_t count, double depth,
                          moments *sums, float *out)
{
    const double datum = (double)z[count - 1];
    sums[0] = (moments){0};
    for (size_t n = 0; n < count; n++) {
        const double x = (double)n, height = (double)z[n] - datum;
        sums[n + 1] = (moments){sums[n].x + x, sums[n].xx + x * x, sums[n].z + height,
                                sums[n].xz + x * height};
    }
    size_t reach = 0;
    for (size_t n = 0; n < count; n++) {
        size_t first, last;
        for (reach++;; reach--) { // at most one wider than at the cell before
            first = n > reach ? n - reach : 0;
            last = n + reach < count ? n + reach : count - 1;
            if (reach == 0 || falling[first] - falling[last] <= depth)
                break;
        }
        // It may be much wider where a fall has just been left behind.
        while (first > 0 || last + 1 < count) {
            const size_t wider_first = first > 0 ? first - 1 : 0;
            const size_t wider_last = last + 1 < count ? last + 1 : last;
            if (falling[wider_first] - falling[wider_last] > depth)
                break;
            first = wider_first;
            last = wider_last;
            reach++;
        }
        out[n] = (float)(datum + line_through(sums, first, last + 1, n));
    }
}

// Makes the surface fall downstream and leave at least `least` metres of water everywhere.
static void enforce_fall(const float *z, size_t count, double least, float *surface)
{
    float ground = -INFINITY;
    for (size_t n = count; n-- > 0;) {
        ground = z[n] > ground ? z[n] : ground;
        const float low = ground + (float)least;
        surface[n] = surface[n] > low ? surface[n] : low;
        if (n + 1 < count && surface[n] < surface[n + 1])
            surface[n] = surface[n + 1];
    }
}

// Computes the surface along the main channel from the ground `z` of its cells.
static bool lay_surface(const rill_allocator *allocator, const float *z, size_t count, double depth,
                        float *surface)
{
    const size_t each = sizeof(moments) + sizeof(double) + sizeof(uint32_t);
    void *memory = rill_alloc(allocator, (count + 1) * each);
    if (memory == NULL)
        return false;
    moments *sums = memory;
    double *falling = (double *)(void *)(sums + count + 1);
    uint32_t *size = (uint32_t *)(void *)(falling + count + 1);
    fit_falling(z, count, falling, size);
    lay_backwater(z, falling, count, depth, sums, surface);
    for (size_t n = 0; n < count; n++)
        surface[n] += (float)depth;
    enforce_fall(z, count, LEAST_DEPTH * depth, surface);
    rill_free(allocator, memory, (count + 1) * each);
    return true;
}

// ---- Main river ------------------------------------------------------------------------

typedef struct river {
    rl_wet wet;
    rl_channels channels;
    rl_river_line line;
    double cell_size;
    const rill_river_path_def *def;
    float *z, *surface; // along the channel, then along the line; one block of memory
    size_t bytes;
} river;

static bool reserve(river *r, size_t count)
{
    rill_free(r->wet.allocator, r->z, r->bytes);
    r->bytes = 2 * count * sizeof *r->z;
    r->z = rill_alloc(r->wet.allocator, r->bytes);
    r->surface = r->z + (r->z != NULL ? count : 0);
    return r->z != NULL;
}

static bool flood_main(river *r)
{
    const size_t count = r->channels.main;
    if (!reserve(r, count))
        return false;
    for (size_t n = 0; n < count; n++)
        r->z[n] = rl_wet_ground(&r->wet, r->channels.cell[n].cell);
    if (!lay_surface(r->wet.allocator, r->z, count, r->def->depth, r->surface))
        return false;
    uint32_t *channel = rill_alloc(r->wet.allocator, count * sizeof *channel);
    if (channel == NULL)
        return false;
    for (size_t n = 0; n < count; n++)
        channel[n] = r->channels.cell[n].cell;
    const bool good = rl_wet_flood(&r->wet, channel, r->surface, count);
    rill_free(r->wet.allocator, channel, count * sizeof *channel);
    return good;
}

// The channel wanders from bank to bank where the bed is flat. The line down the middle is a better
// one for the surface: the level is taken over there, floods anew, and is relaxed.
static bool hang_on_line(river *r)
{
    rl_wet *wet = &r->wet;
    const uint32_t end = r->channels.cell[r->channels.main - 1].cell;
    if (!rl_river_line_find(wet, r->def->from, end, &r->line))
        return false;
    const size_t count = r->line.count;
    if (!reserve(r, count))
        return false;
    for (size_t n = 0; n < count; n++)
        r->z[n] = *rl_wet_level(wet, r->line.cell[n]);
    for (size_t n = 1; n < count; n++)
        r->z[n] = r->z[n] < r->z[n - 1] ? r->z[n] : r->z[n - 1];
    rl_river_line_smooth(r->z, count, (size_t)r->line.half_width + 2, r->surface);
    for (size_t n = 0; n < count; n++)
        r->z[n] = rl_wet_ground(wet, r->line.cell[n]);
    enforce_fall(r->z, count, 0.1 * LEAST_DEPTH * r->def->depth, r->surface);
    if (!rl_wet_flood(wet, r->line.cell, r->surface, count))
        return false;
    for (size_t n = 0; n < count; n++)
        wet->mark[r->line.cell[n]] |= RL_WET_PINNED;
    return rl_wet_relax(wet, RELAX_SWEEPS) && rl_wet_trim(wet, r->line.cell, count);
}

// ---- All of it -------------------------------------------------------------------------

static bool flood_branches(river *r, int *branches)
{
    rl_wet *wet = &r->wet;
    if (!rl_branches_flood(wet, &r->channels, r->cell_size, r->def->depth, branches))
        return false;
    // What has been relaxed may now lie above a dry neighbour: one more round closes such gaps.
    return rl_wet_relax(wet, RELAX_SWEEPS / 4) && rl_wet_trim(wet, r->line.cell, r->line.count);
}

rill_status rl_river_find_profile(const rill_field *ground, double cell_size,
                                  const rill_river_path_def *def, rill_river_path *path)
{
    river r = {.cell_size = cell_size, .def = def};
    const rill_allocator *allocator = &path->own.allocator;
    rill_status status = RILL_OK;
    RILL_TRY(rl_channels_find(ground, cell_size, def, allocator, &r.channels));
    if (!rl_wet_create(allocator, ground, &path->level, &r.wet) || !flood_main(&r) ||
        !hang_on_line(&r) || !flood_branches(&r, &path->found.branches) ||
        !rl_river_line_lay(&r.line, &r.wet, r.surface, cell_size, path))
        status = rill_fail(RILL_NO_MEMORY, "no memory to find a river in %d x %d cells", ground->nx,
                           ground->ny);
    path->found.wet_cells = (int64_t)r.wet.count;
    rill_free(allocator, r.z, r.bytes);
    rl_river_line_destroy(allocator, &r.line);
    rl_channels_destroy(allocator, &r.channels);
    rl_wet_destroy(&r.wet);
    return status;
}
