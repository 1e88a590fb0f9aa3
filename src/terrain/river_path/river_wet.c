// SPDX-License-Identifier: MIT
// river_wet.c - finds the wet cells of a river and their depths.
#include "terrain/river_path/river_path_internal.h"

#include "core/memory.h"

#include <string.h>

#define OVER_RELAXATION 1.7f
#define LAST_SWEEPS     8 // without, to end without overshoot

bool rl_wet_create(const rill_allocator *allocator, const rill_field *ground, rill_field *level,
                   rl_wet *out)
{
    RL_ASSERT(level->nx == ground->nx && level->ny == ground->ny);
    const size_t cells = (size_t)ground->nx * (size_t)ground->ny;
    *out = (rl_wet){.allocator = allocator,
                    .ground = ground,
                    .level = level,
                    .nx = ground->nx,
                    .ny = ground->ny};
    out->mark = rill_alloc(allocator, cells);
    return out->mark != NULL;
}

void rl_wet_destroy(rl_wet *wet)
{
    rill_free(wet->allocator, wet->mark, (size_t)wet->nx * (size_t)wet->ny);
    rill_free(wet->allocator, wet->cell, wet->capacity * sizeof *wet->cell);
    wet->mark = NULL;
    wet->cell = NULL;
    wet->count = wet->capacity = 0;
}

bool rl_wet_add(rl_wet *wet, uint32_t cell, float level)
{
    uint32_t *cells =
        rl_grow(wet->allocator, wet->cell, sizeof *cells, &wet->capacity, wet->count + 1);
    if (cells == NULL)
        return false;
    wet->cell = cells;
    cells[wet->count++] = cell;
    *rl_wet_level(wet, cell) = level;
    return true;
}

// ---- Distances -------------------------------------------------------------------------

#define DIAGONAL 4 // as RL_CHAMFER_STRAIGHT, to a neighbour across a corner
#define FARTHEST 65000u

// A row of both arrays.
typedef struct pair {
    uint16_t *far;
    float *level; // or NULL
} pair;

static void take_nearer(pair here, int i, pair there, int k, unsigned step)
{
    const unsigned way = there.far[k] + step;
    if (way >= here.far[i])
        return;
    here.far[i] = (uint16_t)way;
    if (here.level != NULL)
        here.level[i] = there.level[k];
}

// One of the two sweeps: up and east, or down and west.
static void sweep(int nx, int ny, uint16_t *far, const rill_field *level, bool up)
{
    const int back = up ? -1 : 1;
    pair before = {0};
    for (int n = 0; n < ny; n++) {
        const int j = up ? n : ny - 1 - n;
        const pair here = {far + (size_t)j * (size_t)nx,
                           level != NULL ? rill_field_row(level, j) : NULL};
        for (int m = 0; m < nx; m++) {
            const int i = up ? m : nx - 1 - m;
            if (m > 0)
                take_nearer(here, i, here, i + back, RL_CHAMFER_STRAIGHT);
            if (n == 0)
                continue;
            take_nearer(here, i, before, i, RL_CHAMFER_STRAIGHT);
            if (i > 0)
                take_nearer(here, i, before, i - 1, DIAGONAL);
            if (i + 1 < nx)
                take_nearer(here, i, before, i + 1, DIAGONAL);
        }
        before = here;
    }
}

void rl_chamfer_distances(int nx, int ny, uint16_t *far, const rill_field *level)
{
    sweep(nx, ny, far, level, true);
    sweep(nx, ny, far, level, false);
}

// Makes all cells but those in the list dry, and forgets that they were reached.
static void drop_unreached(const rl_wet *wet)
{
    uint8_t *mark = wet->mark;
    for (int j = 0; j < wet->ny; j++) {
        float *level = rill_field_row(wet->level, j);
        for (int i = 0; i < wet->nx; i++, mark++) {
            if (!(*mark & RL_WET_REACHED))
                level[i] = RL_RIVER_DRY;
            *mark = (uint8_t)(*mark & ~RL_WET_REACHED);
        }
    }
}

static bool reach(rl_wet *wet, uint32_t cell)
{
    if ((wet->mark[cell] & RL_WET_REACHED) ||
        !(rl_wet_ground(wet, cell) <= *rl_wet_level(wet, cell)))
        return true;
    wet->mark[cell] |= RL_WET_REACHED;
    return rl_wet_add(wet, cell, *rl_wet_level(wet, cell));
}

bool rl_wet_trim(rl_wet *wet, const uint32_t *sources, size_t count)
{
    wet->count = 0;
    bool good = true;
    for (size_t n = 0; n < count && good; n++)
        good = reach(wet, sources[n]);
    for (size_t n = 0; n < wet->count && good; n++) {
        uint32_t other[4];
        const int others = rl_wet_neighbours(wet, wet->cell[n], other);
        for (int k = 0; k < others && good; k++)
            good = reach(wet, other[k]);
    }
    drop_unreached(wet);
    return good;
}

bool rl_wet_flood(rl_wet *wet, const uint32_t *channel, const float *levels, size_t count)
{
    const size_t cells = (size_t)wet->nx * (size_t)wet->ny;
    uint16_t *far = rill_alloc(wet->allocator, cells * sizeof *far);
    if (far == NULL)
        return false;
    for (size_t c = 0; c < cells; c++)
        far[c] = FARTHEST;
    for (size_t n = 0; n < count; n++) {
        far[channel[n]] = 0;
        *rl_wet_level(wet, channel[n]) = levels[n];
    }
    rl_chamfer_distances(wet->nx, wet->ny, far, wet->level);
    rill_free(wet->allocator, far, cells * sizeof *far);
    return rl_wet_trim(wet, channel, count);
}

// ---- Floods ----------------------------------------------------------------------------

bool rl_wet_spread(rl_wet *wet, size_t first, bool limited)
{
    RL_ASSERT(first <= wet->count);
    for (size_t n = first; n < wet->count; n++) {
        const uint32_t cell = wet->cell[n];
        const float level = *rl_wet_level(wet, cell);
        const int steps = wet->mark[cell] / RL_WET_STEPS;
        if (limited && steps == 0)
            continue;
        uint32_t other[4];
        const int others = rl_wet_neighbours(wet, cell, other);
        for (int k = 0; k < others; k++) {
            // Not a number is not at or below anything.
            if (rl_wet_is(wet, other[k]) || !(rl_wet_ground(wet, other[k]) <= level))
                continue;
            if (!rl_wet_add(wet, other[k], level))
                return false;
            if (limited)
                wet->mark[other[k]] = (uint8_t)((steps - 1) * RL_WET_STEPS);
        }
    }
    return true;
}

// ---- Relaxation ------------------------------------------------------------------------

// The wet cells row by row, so that a sweep runs along the memory.
typedef struct relaxation {
    float *origin;
    ptrdiff_t pitch;
    size_t count;
    uint32_t *at;   // floats from the origin
    uint8_t *links; // a bit for a wet neighbour to the east, west, north and south, and for a pin
} relaxation;

#define PIN 16

static unsigned links_of(const rl_wet *wet, int i, int j)
{
    const float *level = rill_field_row(wet->level, j) + i;
    const ptrdiff_t pitch = (ptrdiff_t)wet->level->pitch;
    unsigned links = 0;
    if (i + 1 < wet->nx && level[1] > RL_RIVER_DRY)
        links |= 1;
    if (i > 0 && level[-1] > RL_RIVER_DRY)
        links |= 2;
    if (j + 1 < wet->ny && level[pitch] > RL_RIVER_DRY)
        links |= 4;
    if (j > 0 && level[-pitch] > RL_RIVER_DRY)
        links |= 8;
    const bool pinned = wet->mark[(size_t)j * (size_t)wet->nx + (size_t)i] & RL_WET_PINNED;
    return pinned ? links | PIN : links;
}

// Every second cell of a row comes first: a cell that does not wait for the one before it is
// faster.
static void list_rows(const rl_wet *wet, relaxation *r)
{
    for (int j = 0; j < wet->ny; j++) {
        const float *level = rill_field_row(wet->level, j);
        for (int odd = 0; odd < 2; odd++)
            for (int i = odd; i < wet->nx; i += 2)
                if (level[i] > RL_RIVER_DRY && r->count < wet->count) {
                    r->at[r->count] = (uint32_t)(level + i - r->origin);
                    r->links[r->count++] = (uint8_t)links_of(wet, i, j);
                }
    }
}

// Returns how far a cell goes from its level towards the mean of its neighbours, over their number.
static void weigh_links(float by, float weight[2 * PIN])
{
    for (int links = 0; links < 2 * PIN; links++) {
        int count = 0;
        for (int k = 0; k < 4; k++)
            count += links >> k & 1;
        weight[links] = count > 0 && links < PIN ? by / (float)count : 0.0f;
    }
}

// Where there is no neighbour the cell stands in for it, which adds nothing.
static inline void relax_cell(const relaxation *r, size_t n, const float weight[2 * PIN])
{
    float *level = r->origin + r->at[n];
    const unsigned links = r->links[n];
    const float here = *level, east = level[links & 1];
    const float west = level[-(ptrdiff_t)(links >> 1 & 1)];
    const float north = links & 4 ? level[r->pitch] : here;
    const float south = links & 8 ? level[-r->pitch] : here;
    *level = here +
             weight[links] * (((east - here) + (north - here)) + ((south - here) + (west - here)));
}

// Solves the Laplace equation by Gauss-Seidel with over-relaxation, banks without a flux: the level
// between pinned cells has no extremes of its own, so a surface that falls along them still falls.
// Sweeps go up and down in turn.
bool rl_wet_relax(const rl_wet *wet, int sweeps)
{
    RL_ASSERT(sweeps > 0);
    relaxation r = {.origin = wet->level->origin, .pitch = (ptrdiff_t)wet->level->pitch};
    const size_t count = wet->count, bytes = count * (sizeof *r.at + sizeof *r.links);
    r.at = rill_alloc(wet->allocator, bytes);
    if (r.at == NULL)
        return count == 0;
    r.links = (uint8_t *)(r.at + count);
    list_rows(wet, &r);
    for (int sweep = 0; sweep < sweeps; sweep++) {
        float weight[2 * PIN];
        weigh_links(sweep + LAST_SWEEPS < sweeps ? OVER_RELAXATION : 1.0f, weight);
        if (sweep % 2 == 0)
            for (size_t n = 0; n < r.count; n++)
                relax_cell(&r, n, weight);
        else
            for (size_t n = r.count; n-- > 0;)
                relax_cell(&r, n, weight);
    }
    rill_free(wet->allocator, r.at, bytes);
    return true;
}
