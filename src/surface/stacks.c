// SPDX-License-Identifier: MIT
// stacks.c - sorts the columns of a surface by cell (stacks.h), tile by tile.
#include "surface/stacks.h"

#include "core/assert.h"

// The rows of a tile that are rows of cells: [first, end).
static int first_row(int tile)
{
    const int first = rl_surface_tile_first(tile);
    return first < 0 ? 0 : first;
}

static int end_row(const rl_surface *s, int tile)
{
    const int end = rl_surface_tile_end(s, tile);
    return end < s->ny ? end : s->ny;
}

static bool holds_column(const rill_columns *c, size_t at)
{
    return c->range_max[at] >= c->range_min[at];
}

static void count_tile(void *context, int tile)
{
    const rl_surface *s = context;
    const rill_columns *c = &s->columns;
    for (int j = first_row(tile); j < end_row(s, tile); j++) {
        uint32_t *first = s->stack_first + (size_t)j * (size_t)s->nx;
        for (int i = 0; i < s->nx; i++)
            first[i] = 0;
        for (int layer = 0; layer < s->layers; layer++) {
            const size_t at = rl_surface_column(s, 0, j, layer);
            rl_surface_span live = {s->nx, 0};
            for (int i = 0; i < s->nx; i++) {
                const bool here = holds_column(c, at + (size_t)i);
                first[i] += here;
                live.first = here && i < live.first ? i : live.first;
                live.end = here ? i + 1 : live.end;
            }
            s->live[(size_t)layer * (size_t)s->ny + (size_t)j] = live;
        }
    }
}

static void fill_tile(void *context, int tile)
{
    const rl_surface *s = context;
    const rill_columns *c = &s->columns;
    for (int j = first_row(tile); j < end_row(s, tile); j++)
        for (int i = 0; i < s->nx; i++) {
            rl_stack_entry *to = s->stacks + s->stack_first[(size_t)j * (size_t)s->nx + (size_t)i];
            for (int layer = 0; layer < s->layers; layer++) {
                const size_t at = rl_surface_column(s, i, j, layer);
                if (holds_column(c, at))
                    *to++ =
                        (rl_stack_entry){c->range_min[at], c->base[at], c->range_max[at], layer};
            }
        }
}

void rl_stacks_make(rl_surface *s, rl_surface_runner runner)
{
    RL_ASSERT(s->ranged && s->layers > 1);
    rl_surface_for_tiles(s, runner, count_tile);
    const size_t cells = (size_t)s->nx * (size_t)s->ny;
    uint32_t sum = 0;
    for (size_t cell = 0; cell <= cells; cell++) {
        const uint32_t count = cell < cells ? s->stack_first[cell] : 0;
        s->stack_first[cell] = sum;
        sum += count;
    }
    rl_surface_for_tiles(s, runner, fill_tile);
}
