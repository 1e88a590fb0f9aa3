// SPDX-License-Identifier: MIT
// river_course.c - from the cells of channels to lines with a surface, a width and a depth:
//
//     chains of cells -> smooth lines -> falling surface, lakes level -> hydraulic geometry
//
// Width and depth follow from the flow that fills a river to its banks, width = 7.2 Q^0.5 and depth
// = 0.27 Q^0.4 in metres and m^3/s (Leopold and Maddock 1953; the numbers of Moody and Troutman
// 2002, for rivers all over the world), and the flow from the area that drains.
#include "terrain/river_path/river_path_internal.h"

#include <math.h>
#include <string.h>

#define WIDTH_OF_ONE   7.2 // metres at 1 m^3/s
#define DEPTH_OF_ONE   0.27
#define DEPTH_EXPONENT 0.4
#define LEAST_REACH    2 // cells over which a line is smoothed, each time
#define MOST_REACH     16
#define TIMES          3
#define SURFACE_REACH  3 // likewise of the surface
#define SECONDS_A_DAY  86400.0

// ---- Falling surfaces ------------------------------------------------------------------

// A heap whose largest value is on top.
static void heap_push(float *heap, size_t *count, float value)
{
    size_t hole = (*count)++;
    for (; hole > 0 && heap[(hole - 1) / 2] < value; hole = (hole - 1) / 2)
        heap[hole] = heap[(hole - 1) / 2];
    heap[hole] = value;
}

static void heap_replace_top(float *heap, size_t count, float value)
{
    size_t hole = 0;
    for (size_t child = 1; child < count; child = 2 * hole + 1) {
        child += child + 1 < count && heap[child + 1] > heap[child];
        if (heap[child] <= value)
            break;
        heap[hole] = heap[child];
        hole = child;
    }
    heap[hole] = value;
}

// From the mouth up, where values must not fall: a value below what was fitted before draws the
// largest of that down to it. What is then on top is the fit of the last value; a later one can
// only lower it.
void rl_river_course_fit_falling(float *values, size_t count, float *heap)
{
    RL_ASSERT(count > 0);
    size_t held = 0;
    for (size_t n = count; n-- > 0;) {
        const float value = values[n];
        heap_push(heap, &held, value);
        if (heap[0] > value)
            heap_replace_top(heap, held, value);
        values[n] = heap[0];
    }
    for (size_t n = 1; n < count; n++)
        values[n] = values[n] < values[n - 1] ? values[n] : values[n - 1];
}

// ---- Chains ----------------------------------------------------------------------------

// A channel from its head down to its mouth, the point that it joins included.
typedef struct chain {
    uint32_t *point;
    float *a, *b; // scratch
    size_t count;
} chain;

static void find_above(rl_river_course *c)
{
    const rl_channel_cell *cell = c->channels->cell;
    const size_t main = c->channels->main;
    for (size_t n = 0; n < c->channels->count; n++)
        c->above[n] = n > 0 && n < main ? (uint32_t)n - 1 : RL_CHANNEL_NONE;
    for (size_t n = main; n < c->channels->count; n++) {
        const uint32_t next = cell[n].receiver;
        uint32_t *above = &c->above[next];
        const bool larger = *above == RL_CHANNEL_NONE || cell[n].area > cell[*above].area;
        if (next >= main && larger)
            *above = (uint32_t)n;
    }
}

// The chain that ends at `last`, from its head; `mouth` is what it joins, or RL_CHANNEL_NONE.
static void list_chain(const rl_river_course *c, uint32_t last, uint32_t mouth, chain *out)
{
    out->count = mouth != RL_CHANNEL_NONE;
    for (uint32_t n = last; n != RL_CHANNEL_NONE; n = c->above[n])
        out->count++;
    size_t at = out->count;
    if (mouth != RL_CHANNEL_NONE)
        out->point[--at] = mouth;
    for (uint32_t n = last; n != RL_CHANNEL_NONE; n = c->above[n])
        out->point[--at] = n;
}

static void smooth_values(float *values, const chain *k, size_t reach, int times)
{
    for (int time = 0; time < times; time++) {
        for (size_t n = 0; n < k->count; n++)
            k->a[n] = values[k->point[n]];
        rl_river_line_smooth(k->a, k->count, reach, k->b);
        for (size_t n = 0; n < k->count; n++)
            values[k->point[n]] = k->b[n];
    }
}

// Both ends stay where they are, so that branches meet the river.
static void smooth_line(rl_river_course *c, const chain *k)
{
    double width = 0.0;
    for (size_t n = 0; n < k->count; n++)
        width += (double)c->width[k->point[n]];
    const double half = 0.5 * width / (double)k->count;
    const double reach = half < LEAST_REACH ? LEAST_REACH : half > MOST_REACH ? MOST_REACH : half;
    smooth_values(c->x, k, (size_t)reach, TIMES);
    smooth_values(c->y, k, (size_t)reach, TIMES);
}

// ---- Surface ---------------------------------------------------------------------------

// Lakes hold what lies upstream up and what lies downstream down.
static void hold_lakes(const rl_river_course *c, const chain *k, size_t own)
{
    const rl_wet grid = {.ground = c->ground, .nx = c->ground->nx, .ny = c->ground->ny};
    float most = INFINITY;
    for (size_t n = 0; n < own; n++) {
        const uint32_t p = k->point[n];
        if (c->lake[p])
            most = c->surface[p] = rl_wet_ground(&grid, c->channels->cell[p].cell);
        else
            c->surface[p] = c->surface[p] < most ? c->surface[p] : most;
    }
    for (size_t n = own; n-- > 0;) {
        const uint32_t p = k->point[n];
        const uint32_t next = n + 1 < k->count ? k->point[n + 1] : p;
        c->surface[p] = c->surface[p] > c->surface[next] ? c->surface[p] : c->surface[next];
    }
}

static void lay_surface(rl_river_course *c, const chain *k, bool joins)
{
    const rl_wet grid = {.ground = c->ground, .nx = c->ground->nx, .ny = c->ground->ny};
    const size_t own = k->count - joins;
    const float least = joins ? c->surface[k->point[own]] : -INFINITY;
    for (size_t n = 0; n < own; n++) {
        const float z = rl_wet_ground(&grid, c->channels->cell[k->point[n]].cell);
        k->a[n] = z > least ? z : least;
    }
    rl_river_course_fit_falling(k->a, own, k->b);
    for (size_t n = 0; n < own; n++)
        c->surface[k->point[n]] = k->a[n];
    smooth_values(c->surface, k, SURFACE_REACH, 2);
    hold_lakes(c, k, own);
}

// Marks the points that lie on lakes.
static bool find_lakes(rl_river_course *c)
{
    const size_t cells = (size_t)c->ground->nx * (size_t)c->ground->ny;
    const rl_wet grid = {.ground = c->ground, .nx = c->ground->nx, .ny = c->ground->ny};
    uint8_t *mark = rill_alloc(c->allocator, cells);
    rl_lake lake = {0};
    bool good = mark != NULL;
    if (good)
        memset(mark, 0, cells);
    for (size_t n = 0; n < c->channels->count && good; n++) {
        const rl_channel_cell *cell = &c->channels->cell[n];
        const size_t beside = n < c->channels->main ? n - (n > 0) : cell->receiver;
        const float level = rl_wet_ground(&grid, cell->cell);
        if (n != beside && rl_wet_ground(&grid, c->channels->cell[beside].cell) == level) {
            c->lake[n] = c->lake[beside]; // of one lake, or of none
            continue;
        }
        good = rl_lake_find(c->ground, cell->cell, mark, c->allocator, &lake);
        c->lake[n] = lake.count > 0;
    }
    rill_free(c->allocator, lake.cell, lake.capacity * sizeof *lake.cell);
    rill_free(c->allocator, mark, cells);
    return good;
}

// ---- Hydraulic geometry ----------------------------------------------------------------

static double area_of(const rl_river_course *c, size_t n)
{
    return (double)c->channels->cell[n].area * c->cell_size * c->cell_size +
           (n < c->channels->main ? c->stem->beyond : 0.0);
}

static void lay_geometry(rl_river_course *c, const rill_river_path_def *def)
{
    const double most = area_of(c, c->channels->main - 1);
    const double flow = def->runoff * 1e-3 / SECONDS_A_DAY * most; // m^3/s
    // A power of what is above 1 is one over that of its inverse.
    const double deep = flow > 1.0 ? 1.0 / rill_power(1.0 / flow, DEPTH_EXPONENT)
                                   : rill_power(flow, DEPTH_EXPONENT);
    const double width = isnan(def->width) ? WIDTH_OF_ONE * sqrt(flow) : def->width;
    const double depth = isnan(def->depth) ? DEPTH_OF_ONE * deep : def->depth;
    for (size_t n = 0; n < c->channels->count; n++) {
        const double ratio = area_of(c, n) / most, part = ratio < 1.0 ? ratio : 1.0;
        const double cells = width * sqrt(part) / c->cell_size;
        c->width[n] = cells > 1.0 ? (float)cells : 1.0f;
        c->depth[n] = (float)(depth * rill_power(part, DEPTH_EXPONENT));
    }
}

// ---- All of it -------------------------------------------------------------------------

static bool reserve(rl_river_course *c)
{
    const size_t count = c->channels->count;
    c->bytes = count * (5 * sizeof(float) + sizeof(uint32_t) + sizeof(uint8_t));
    c->memory = rill_alloc(c->allocator, c->bytes);
    if (c->memory == NULL)
        return false;
    float *values = c->memory;
    float **const arrays[] = {&c->x, &c->y, &c->surface, &c->depth, &c->width};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
        *arrays[k] = values + k * count;
    c->above = (uint32_t *)(void *)(values + 5 * count);
    c->lake = (uint8_t *)(c->above + count);
    for (size_t n = 0; n < count; n++) {
        c->x[n] = (float)(c->channels->cell[n].cell % (uint32_t)c->ground->nx) + 0.5f;
        c->y[n] = (float)(c->channels->cell[n].cell / (uint32_t)c->ground->nx) + 0.5f;
    }
    return true;
}

// Every channel ends at a point that is not the largest above the one that it drains into. What it
// joins has a lower number, and is laid.
static void lay_chains(rl_river_course *c, chain *k)
{
    const rl_channels *channels = c->channels;
    list_chain(c, (uint32_t)channels->main - 1, RL_CHANNEL_NONE, k);
    smooth_line(c, k);
    lay_surface(c, k, false);
    c->branches = 1;
    for (size_t n = channels->main; n < channels->count; n++) {
        const uint32_t mouth = channels->cell[n].receiver;
        if (c->above[mouth] == n)
            continue;
        list_chain(c, (uint32_t)n, mouth, k);
        smooth_line(c, k);
        lay_surface(c, k, true);
        c->branches++;
    }
}

bool rl_river_course_lay(const rl_stem *stem, const rill_field *ground, double cell_size,
                         const rill_river_path_def *def, const rill_allocator *allocator,
                         rl_river_course *out)
{
    const size_t count = stem->channels.count + 1;
    *out = (rl_river_course){.allocator = allocator,
                             .stem = stem,
                             .channels = &stem->channels,
                             .ground = ground,
                             .cell_size = cell_size,
                             .no_data = def->no_data};
    if (!reserve(out) || !find_lakes(out))
        return false;
    const size_t bytes = count * (sizeof(uint32_t) + 2 * sizeof(float));
    uint32_t *scratch = rill_alloc(allocator, bytes);
    if (scratch == NULL)
        return false;
    chain k = {.point = scratch, .a = (float *)(scratch + count)};
    k.b = k.a + count;
    find_above(out);
    lay_geometry(out, def);
    lay_chains(out, &k);
    rill_free(allocator, scratch, bytes);
    return true;
}

void rl_river_course_destroy(rl_river_course *c)
{
    rill_free(c->allocator, c->memory, c->bytes);
    c->memory = NULL;
}
