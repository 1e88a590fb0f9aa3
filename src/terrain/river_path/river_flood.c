// SPDX-License-Identifier: MIT
// river_flood.c - a priority flood (Barnes, Lehman and Mulla 2014) that sorts as little as it can
// (after Zhou, Sun and Fu 2016). What lies higher than a flooded neighbour is not filled, in
// whatever order it is reached: slopes are climbed with a plain stack from all outlets at once, and
// hollows are filled with a plain queue. Only cells from which the flood could go down wait in the
// heap: they are the rims of hollows, and the lowest of them is where the hollow spills. So nearly
// all of the work is proportional to the cells.
#include "terrain/river_path/river_path_internal.h"

#include "core/memory.h"
#include "terrain/heightfield.h"

#include <math.h>
#include <string.h>

// ---- Memory ----------------------------------------------------------------------------

void rl_drainage_destroy(rl_drainage **drainage)
{
    rl_drainage *d = *drainage;
    void *object = d;
    if (d != NULL)
        rill_free(&d->own.allocator, d->heap, d->heap_capacity * sizeof *d->heap);
    rl_owned_destroy(NULL, &object);
    *drainage = NULL;
}

// ---- What waits: a heap of keys --------------------------------------------------------

// Returns a key that sorts like the level; the number makes every key unique, so that the flood
// does not depend on how the heap treats equals.
static uint64_t key_of(float level, uint32_t cell)
{
    uint32_t bits;
    memcpy(&bits, &level, sizeof bits);
    bits = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
    return (uint64_t)bits << 32 | (uint64_t)cell;
}

static bool push(rl_drainage *d, uint64_t key)
{
    uint64_t *heap =
        rl_grow(&d->own.allocator, d->heap, sizeof *heap, &d->heap_capacity, d->waiting + 1);
    if (heap == NULL)
        return false;
    d->heap = heap;
    size_t hole = d->waiting++;
    for (; hole > 0 && heap[(hole - 1) / 4] > key; hole = (hole - 1) / 4)
        heap[hole] = heap[(hole - 1) / 4];
    heap[hole] = key;
    return true;
}

static uint64_t pop(rl_drainage *d)
{
    RL_ASSERT(d->waiting > 0);
    uint64_t *heap = d->heap;
    const uint64_t top = heap[0], key = heap[--d->waiting];
    const size_t count = d->waiting;
    size_t hole = 0;
    for (size_t first = 1; first < count; first = 4 * hole + 1) {
        const size_t end = first + 4 < count ? first + 4 : count;
        size_t least = first;
        for (size_t child = first + 1; child < end; child++)
            least = heap[child] < heap[least] ? child : least;
        if (heap[least] >= key)
            break;
        heap[hole] = heap[least];
        hole = least;
    }
    heap[hole] = key;
    return top;
}

// ---- Ground ----------------------------------------------------------------------------

static bool copy_ground(rl_drainage *d, const rill_field *ground, const rl_flood_def *def)
{
    const size_t first = d->pitch + 1;
    for (int j = 0; j < d->ny; j++) {
        float *level = d->level + first + (size_t)j * d->pitch;
        memcpy(level, rill_field_row(ground, j), (size_t)d->nx * sizeof(float));
        for (int i = 0; def->no_data < (double)INFINITY && i < d->nx; i++)
            level[i] = (double)level[i] < def->no_data ? level[i] : NAN;
    }
    if (!rl_smooth(d->level + first, d->pitch, d->nx, d->ny, def->length, &d->own.allocator))
        return false;
    d->lowest = INFINITY;
    d->highest = -INFINITY;
    memset(d->way, RL_WAY_NO_DATA, d->cells);
    for (int j = 0; j < d->ny; j++) {
        const float *level = d->level + first + (size_t)j * d->pitch;
        uint8_t *way = d->way + first + (size_t)j * d->pitch;
        for (int i = 0; i < d->nx; i++) {
            way[i] = isnan(level[i]) ? RL_WAY_NO_DATA : RL_WAY_UNREACHED;
            d->lowest = level[i] < d->lowest ? level[i] : d->lowest;
            d->highest = level[i] > d->highest ? level[i] : d->highest;
        }
    }
    for (int n = 0; d->from >= 0 && n < rl_side_cells(d->from, d->nx, d->ny); n++) {
        const uint32_t cell = rl_side_cell(d->from, n, d->nx, d->ny);
        d->border[n] = d->level[rl_drainage_with_rim(d, cell)];
    }
    return true;
}

// Not a number is below nothing, so that no water goes there.
static void raise_rim(rl_drainage *d)
{
    const size_t pitch = d->pitch, last = d->cells - pitch;
    for (size_t i = 0; i < pitch; i++)
        d->level[i] = d->level[last + i] = NAN;
    for (size_t row = 0; row <= last; row += pitch)
        d->level[row] = d->level[row + pitch - 1] = NAN;
}

// ---- Flood -----------------------------------------------------------------------------

// Two lists share d->work, each cell in one of them at most once at a time: one grows from its
// front, the stack of slopes to climb from its end.
typedef struct lists {
    size_t front, stack;
} lists;

static void reach_outlet(rl_drainage *d, uint32_t cell, lists *l)
{
    if (d->way[cell] != RL_WAY_UNREACHED)
        return;
    d->way[cell] = RL_WAY_OUT;
    d->work[--l->stack] = cell;
}

// Cells with a neighbour that has no data; the rim has none. Those of the wall are left out.
static void reach_edges(rl_drainage *d, lists *l)
{
    for (int j = 0; j < d->ny; j++) {
        const uint32_t first = (uint32_t)(((size_t)j + 1) * d->pitch + 1);
        for (uint32_t cell = first; cell < first + (uint32_t)d->nx; cell++)
            for (int way = 0; way < 8; way++) {
                if (d->from >= 0 &&
                    rl_on_side(rl_drainage_without_rim(d, cell), d->from, d->nx, d->ny))
                    break;
                if (d->way[rl_drainage_neighbour(d, cell, way)] == RL_WAY_NO_DATA)
                    reach_outlet(d, cell, l);
            }
    }
}

static void reach_outlets(rl_drainage *d, lists *l)
{
    if (d->ways == 8) {
        reach_edges(d, l);
        return;
    }
    for (int side = 0; side < 4; side++)
        for (int n = 0; n < rl_side_cells(side, d->nx, d->ny); n++) {
            const uint32_t plain = rl_side_cell(side, n, d->nx, d->ny);
            if (!rl_on_side(plain, d->from, d->nx, d->ny))
                reach_outlet(d, rl_drainage_with_rim(d, plain), l);
        }
}

// Floods everything that has a way down to cells of the stack. Cells from which there was a way
// down, too, at the time are put on the other list. East comes last and is therefore climbed first,
// along the memory.
static inline void climb_ways(rl_drainage *d, lists *l, const int *ways, int count)
{
    uint32_t steps[8];
    for (int k = 0; k < count; k++)
        steps[k] = d->step[ways[k]];
    const float *const level = d->level;
    uint8_t *const from = d->way;
    uint32_t *const work = d->work;
    size_t stack = l->stack, front = 0;
    while (stack < d->cells) {
        const uint32_t cell = work[stack++];
        const float here = level[cell];
        bool down = false;
        for (int k = 0; k < count; k++) {
            const uint32_t other = cell + steps[k];
            if (from[other] != RL_WAY_UNREACHED)
                continue;
            if (level[other] > here) {
                from[other] = (uint8_t)(ways[k] ^ 1);
                work[--stack] = other;
            } else {
                down = true;
            }
        }
        if (down)
            work[front++] = cell;
    }
    l->stack = stack;
    l->front = front;
}

static void climb(rl_drainage *d, lists *l)
{
    static const int four[4] = {2, 3, 1, 0}, eight[8] = {4, 5, 6, 7, 2, 3, 1, 0};
    if (d->ways == 4)
        climb_ways(d, l, four, 4);
    else
        climb_ways(d, l, eight, 8);
}

// Puts cells of the list that still have a neighbour to flood into the heap.
static inline bool wait_ways(rl_drainage *d, const lists *l, int count)
{
    const rl_steps steps = rl_drainage_steps(d);
    for (size_t n = 0; n < l->front; n++) {
        const uint32_t cell = d->work[n];
        bool open = false;
        for (int way = 0; way < count; way++)
            open = open || d->way[cell + steps.to[way]] == RL_WAY_UNREACHED;
        if (open && !push(d, key_of(d->level[cell], cell)))
            return false;
    }
    return true;
}

static bool wait_at_rims(rl_drainage *d, const lists *l)
{
    return d->ways == 4 ? wait_ways(d, l, 4) : wait_ways(d, l, 8);
}

// Fills a hollow from its spill, step by step, so that the ways out of a lake are short. Slopes
// around it are left to be climbed.
static inline void fill_ways(rl_drainage *d, uint32_t spill, lists *l, int count)
{
    const rl_steps steps = rl_drainage_steps(d);
    const float level = d->level[spill];
    l->front = 0;
    d->work[l->front++] = spill;
    for (size_t n = 0; n < l->front; n++) {
        const uint32_t cell = d->work[n];
        for (int way = 0; way < count; way++) {
            const uint32_t other = cell + steps.to[way];
            if (d->way[other] != RL_WAY_UNREACHED)
                continue;
            d->way[other] = (uint8_t)(way ^ 1);
            if (d->level[other] > level) {
                d->work[--l->stack] = other;
            } else {
                d->level[other] = level;
                d->work[l->front++] = other;
            }
        }
    }
}

static void fill_hollow(rl_drainage *d, uint32_t spill, lists *l)
{
    if (d->ways == 4)
        fill_ways(d, spill, l, 4);
    else
        fill_ways(d, spill, l, 8);
}

static bool flood(rl_drainage *d)
{
    raise_rim(d);
    lists l = {.stack = d->cells};
    reach_outlets(d, &l);
    climb(d, &l);
    bool good = wait_at_rims(d, &l);
    while (good && d->waiting > 0) {
        fill_hollow(d, (uint32_t)(pop(d) & 0xffffffffu), &l);
        climb(d, &l);
        good = wait_at_rims(d, &l);
    }
    return good;
}

rl_drainage *rl_drainage_flood(const rill_field *ground, const rl_flood_def *def,
                               const rill_allocator *allocator)
{
    RL_ASSERT(def->from >= RL_NO_SIDE && def->from < 4 && (def->ways == 4 || def->ways == 8));
    rl_drainage *d = rl_owned_create(allocator, sizeof *d);
    if (d == NULL)
        return NULL;
    d->nx = ground->nx;
    d->ny = ground->ny;
    d->from = def->from;
    d->ways = def->ways;
    d->pitch = (size_t)ground->nx + 2;
    d->cells = d->pitch * ((size_t)ground->ny + 2);
    const uint32_t up = (uint32_t)d->pitch;
    const uint32_t steps[8] = {1, 0u - 1, up, 0u - up, up + 1, 0u - up - 1, up - 1, 1 - up};
    memcpy(d->step, steps, sizeof steps);
    const int along = def->from >= 0 ? rl_side_cells(def->from, d->nx, d->ny) : 0;
    d->level = rl_owned_take(&d->own, d->cells, sizeof *d->level);
    d->border = rl_owned_take(&d->own, (size_t)along, sizeof(float));
    d->work = rl_owned_take(&d->own, d->cells, sizeof *d->work);
    d->way = rl_owned_take(&d->own, d->cells, sizeof *d->way);
    if (d->own.failed || !copy_ground(d, ground, def) || !flood(d))
        rl_drainage_destroy(&d);
    return d;
}
