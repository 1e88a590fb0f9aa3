// SPDX-License-Identifier: MIT
// cross_layer_links.c - links between columns of different layers. They are few: under the edges of
// overhangs, where a layer begins or ends.
//
// Links within a layer come first. In a direction where a column has none it is linked to a column
// of another layer there if the two fit and neither has a link within its layer. The ranges of the
// columns of a cell do not overlap, so there is at most one; should a level lie on the end of two
// ranges, the lowest layers on both sides win. Each column thus has at most one link into each
// neighbouring cell, and the surface cannot branch.
#include "core/assert.h"
#include "surface/cross_layer_links_inline.h"

#include <stddef.h>

// In `outward`, on the western rim of a row; a bit that stands for no side.
#define ROW_HAS_SOME 2

// ---- Pairs that have only each other in reach --------------------------------------------

// Values of `only` that are no layer.
enum { ONLY_UNKNOWN = 0xff, ONLY_MANY = 0xfe, ONLY_NONE = 0xfd };

// Returns whether two columns can be linked at any level: levels are between floor and ceiling.
static bool in_reach(float base, float high, const rl_stack_entry *e, float tolerance)
{
    return !(e->base > high + 2.0f * tolerance) && !(e->high < base - 2.0f * tolerance);
}

// Returns how many columns of cell (i, j) are in reach of one between `base` and `high`, and the
// last of them.
static int count_in_reach(const rl_surface *s, int i, int j, float base, float high,
                          rl_stack_entry *found)
{
    const float tolerance = RL_SURFACE_LINK_TOLERANCE * s->columns.cell_size;
    rl_stack_entry one;
    int all, count = 0;
    const rl_stack_entry *stack = rl_stack_of(s, i, j, &one, &all);
    for (int k = 0; k < all; k++)
        if (in_reach(base, high, &stack[k], tolerance)) {
            *found = stack[k];
            count++;
        }
    return count;
}

// Returns the layer of the column on side `way` if it and this one have only each other in reach,
// so that a test of the two gives what rl_link_find() would. It is valid until the ground changes.
static uint8_t find_only(const rl_surface *s, int i, int j, int layer, int way)
{
    RL_ASSERT(s->stacks_version != 0);
    const rill_columns *c = &s->columns;
    const int ni = i + rl_surface_step_x(way), nj = j + rl_surface_step_y(way);
    const size_t at = rl_surface_column(s, i, j, layer);
    rl_stack_entry other, back;
    const int there = count_in_reach(s, ni, nj, c->base[at], c->range_max[at], &other);
    if (there == 0)
        return ONLY_NONE;
    if (there > 1 || count_in_reach(s, i, j, other.base, other.high, &back) > 1)
        return ONLY_MANY;
    if (other.layer == layer)
        s->lone[rl_surface_at(s, i, j, layer)] |= (uint8_t)(1u << way);
    return (uint8_t)other.layer;
}

// Does the same as rl_link_find(), with what is known about the ground.
static int find_known(const rl_surface *s, int i, int j, rl_link_end here, int layer, int way,
                      bool *wet)
{
    if (s->stacks_version == 0)
        return rl_link_find(s, i, j, here, layer, way, wet);
    uint8_t *only = &s->only[4 * rl_surface_at(s, i, j, layer) + (size_t)way / 2];
    if (*only == ONLY_UNKNOWN)
        *only = find_only(s, i, j, layer, way);
    if (*only == ONLY_MANY)
        return rl_link_find(s, i, j, here, layer, way, wet);
    *wet = false;
    if (*only == ONLY_NONE)
        return -1;
    const int ni = i + rl_surface_step_x(way), nj = j + rl_surface_step_y(way), there = *only;
    const rl_link_end other = rl_link_end_of(s, ni, nj, there);
    if (there != layer &&
        rl_link_fit(here, other, RL_SURFACE_LINK_TOLERANCE * s->columns.cell_size)) {
        *wet = other.wet;
        return there;
    }
    const bool under = rl_link_reaches_under(s, here, i, j, layer, other) ||
                       rl_link_reaches_under(s, other, ni, nj, there, here);
    return under ? there : -1;
}

// ---- Links of wet columns ----------------------------------------------------------------

// Returns whether a neighbour that was visited before, in this row or the row below in the same
// tile, has found a link to here under a ceiling.
static bool found_from_there(const rl_surface *s, size_t slot, int j, int way)
{
    if (way != RL_WEST && (way != RL_SOUTH || (j + 1) % RL_SURFACE_TILE_ROWS == 0))
        return false;
    const size_t other = slot - (way == RL_WEST ? 1 : s->pitch);
    return s->wet[other] && (s->link[other] >> (way + 4) % 8 & 1);
}

void rl_surface_find_cross_links(rl_surface *s, int i, int j, int layer)
{
    RL_ASSERT(s->ranged && s->wet[rl_surface_at(s, i, j, layer)]);
    const size_t slot = rl_surface_at(s, i, j, layer);
    const rl_link_end here = rl_link_end_of(s, i, j, layer);
    for (int way = 0; way < 8; way += 2) {
        bool wet = false;
        int there = -1;
        if (s->link[slot] >> way & 1 || found_from_there(s, slot, j, way))
            there = layer;
        else if (s->layers > 1)
            there = find_known(s, i, j, here, layer, way, &wet);
        if (rl_link_note(s, i, j, layer, way, there, wet)) {
            s->outward[rl_surface_at(s, i, j, 0)] |= (uint8_t)(1u << way);
            s->outward[rl_surface_at(s, -1, j, 0)] = ROW_HAS_SOME;
        }
    }
}

// ---- Answers: the other end of a link to a dry column ------------------------------------

// Finds the sides of cells on which a link to another layer comes in.
static void asked_row(uint8_t *restrict asked, const uint8_t *restrict south,
                      const uint8_t *restrict here, const uint8_t *restrict north, int n)
{
    for (int i = 0; i < n; i++)
        asked[i] = (uint8_t)((here[i + 1] >> 4 & 1) | (north[i] >> 6 & 1) << 2 |
                             (here[i - 1] & 1) << 4 | (south[i] >> 2 & 1) << 6);
}

void rl_surface_answers_tile(void *context, int tile)
{
    const rl_surface *s = context;
    const int end = rl_surface_tile_end(s, tile);
    uint8_t *asked = s->below + (size_t)tile * s->pitch + 1;
    for (int j = rl_surface_tile_first(tile); j < end; j++) {
        if (j < 0 || j >= s->ny)
            continue;
        const uint8_t *here = s->outward + rl_surface_at(s, 0, j, 0);
        if (!(here[-1] | here[-1 - (ptrdiff_t)s->pitch] | here[-1 + (ptrdiff_t)s->pitch]))
            continue;
        asked_row(asked, here - s->pitch, here, here + s->pitch, s->nx);
        for (int i = 0; i < s->nx; i++)
            for (int way = 0; asked[i] >> way; way += 2)
                if (asked[i] >> way & 1)
                    rl_link_answer_cell(s, i, j, way);
    }
}

// ---- Columns by cell ---------------------------------------------------------------------

static bool holds_column(const rill_columns *c, size_t at)
{
    return c->range_max[at] >= c->range_min[at];
}

static void count_row(const rl_surface *s, int j, int layer)
{
    uint32_t *first = s->stack_first + (size_t)j * (size_t)s->nx;
    const size_t at = rl_surface_column(s, 0, j, layer);
    rl_surface_span live = {s->nx, 0};
    for (int i = 0; i < s->nx; i++) {
        const bool here = holds_column(&s->columns, at + (size_t)i);
        first[i] = (layer == 0 ? 0 : first[i]) + here;
        live.first = here && i < live.first ? i : live.first;
        live.end = here ? i + 1 : live.end;
    }
    s->live[(size_t)layer * (size_t)s->ny + (size_t)j] = live;
}

// All layers come with the first.
static void fill_row(const rl_surface *s, int j, int layer)
{
    const rill_columns *c = &s->columns;
    for (int i = 0; i < s->nx && layer == 0; i++) {
        rl_stack_entry *to = s->stacks + s->stack_first[(size_t)j * (size_t)s->nx + (size_t)i];
        for (int k = 0; k < s->layers; k++) {
            const size_t at = rl_surface_column(s, i, j, k);
            if (holds_column(c, at))
                *to++ = (rl_stack_entry){c->range_min[at], c->base[at], c->range_max[at], k};
        }
    }
}

void rl_stacks_make(rl_surface *s, rl_surface_runner runner)
{
    RL_ASSERT(s->ranged && s->layers > 1);
    rl_surface_for_rows(s, runner, count_row, 0);
    const size_t cells = (size_t)s->nx * (size_t)s->ny;
    uint32_t sum = 0;
    for (size_t cell = 0; cell <= cells; cell++) {
        const uint32_t count = cell < cells ? s->stack_first[cell] : 0;
        s->stack_first[cell] = sum;
        sum += count;
    }
    rl_surface_for_rows(s, runner, fill_row, 0);
}
