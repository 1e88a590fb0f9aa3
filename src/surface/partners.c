// SPDX-License-Identifier: MIT
// partners.c - links between columns of different layers. They are few: under the edges of
// overhangs, where a layer begins or ends.
//
// A column keeps the links it has within its layer. In a direction where it has none it is linked
// to a column of another layer there if the two fit and neither has a link within its layer. The
// ranges of the columns of a cell do not overlap, so there is at most one; should a level lie on
// the end of two ranges, the lowest layers on both sides win. Each column thus has at most one link
// into each neighbouring cell, and the sheet cannot branch.
#include "surface/lattice.h"

#include "surface/stacks.h"

#include <stddef.h>

// In `outward`, on the western rim of a row; a bit that stands for no side.
#define ROW_HAS_SOME 2

// A column as links see it.
typedef struct column {
    float level, low, high;
    int wet;
} column;

static column column_of(const rl_surface *s, int i, int j, int layer)
{
    const rill_columns *c = s->columns;
    const size_t at = rl_surface_column(s, i, j, layer);
    return (column){c->base[at] + c->depth[at], c->range_min[at], c->range_max[at],
                    s->wet[rl_surface_at(s, i, j, layer)]};
}

static column column_of_entry(const rl_surface *s, int i, int j, const rl_stack_entry *e)
{
    const float depth = s->columns->depth[rl_surface_column(s, i, j, e->layer)];
    return (column){e->base + depth, e->low, e->high, depth > s->columns->wet_depth};
}

static bool fit(column p, column q, float tolerance)
{
    return (p.wet | q.wet) &&
           rl_surface_linked(p.level, p.low, p.high, q.level, q.low, q.high, tolerance);
}

// Whether a column is linked to the column of layer `layer` in cell (i, j).
static inline bool taken(const rl_surface *s, column p, int i, int j, int layer, float tolerance)
{
    rl_stack_entry one;
    int count;
    const rl_stack_entry *stack = rl_stack_of(s, i, j, &one, &count);
    for (int k = 0; k < count; k++)
        if (stack[k].layer == layer)
            return fit(p, column_of_entry(s, i, j, &stack[k]), tolerance);
    return false;
}

// The lowest layer of cell (ni, nj) that fits a column of cell (i, j) and is free, that is, not
// linked to the column of its own layer there; or -1.
static inline int lowest_fit(const rl_surface *s, int i, int j, column p, int layer, int ni, int nj,
                             column *found)
{
    const float tolerance = RL_SURFACE_LINK_TOLERANCE * s->columns->cell_size;
    rl_stack_entry one;
    int count;
    const rl_stack_entry *stack = rl_stack_of(s, ni, nj, &one, &count);
    for (int k = 0; k < count; k++) {
        // One look at the range, and at the floor, below which no level is, is enough for most.
        if (stack[k].layer == layer || !(p.level >= stack[k].low - tolerance) ||
            !(p.level <= stack[k].high + tolerance) || stack[k].base > p.high + tolerance)
            continue;
        *found = column_of_entry(s, ni, nj, &stack[k]);
        if (fit(p, *found, tolerance) && !taken(s, *found, i, j, stack[k].layer, tolerance))
            return stack[k].layer;
    }
    return -1;
}

// Whether a lower layer of cell (i, j) than `layer` may fit a column as well.
static inline bool has_rival(const rl_surface *s, int i, int j, int layer, column p)
{
    const float tolerance = RL_SURFACE_LINK_TOLERANCE * s->columns->cell_size;
    rl_stack_entry one;
    int count;
    const rl_stack_entry *stack = rl_stack_of(s, i, j, &one, &count);
    for (int k = 0; k < count && stack[k].layer < layer; k++)
        if (p.level >= stack[k].low - tolerance && p.level <= stack[k].high + tolerance)
            return true;
    return false;
}

// A link after 000 section 4.1. Sets `wet` where the partner is.
static inline int find_fit(const rl_surface *s, int i, int j, column here, int layer, int ni,
                           int nj, bool *wet)
{
    column found, back;
    const int there = lowest_fit(s, i, j, here, layer, ni, nj, &found);
    if (there < 0 || (has_rival(s, i, j, layer, found) &&
                      lowest_fit(s, ni, nj, found, there, i, j, &back) != layer))
        return -1;
    *wet = found.wet;
    return there;
}

// Where the ceiling of a cave comes down to the liquid, a level may lie above the ceiling of the
// next column: in the solid over liquid that is one with it. The layer in cell (ni, nj) below the
// solid that holds the level of a column, or the one in whose liquid that level lies; or -1.
static int under_ceiling(const rl_surface *s, column here, int ni, int nj, bool below)
{
    rl_stack_entry one;
    int count, best = -1;
    const rl_stack_entry *stack = rl_stack_of(s, ni, nj, &one, &count);
    float ceiling = -1e30f;
    for (int k = 0; k < count; k++) {
        const rl_stack_entry *e = &stack[k];
        if (!below && e->base <= here.level && e->high >= here.level)
            return e->layer;
        if (below && e->base <= here.level && e->high < here.level && e->high > ceiling) {
            ceiling = e->high;
            best = e->layer;
        }
    }
    return best;
}

// Whether the level of `high` is above the ceiling of `low`, with its liquid reaching down to it.
static bool reaches_under(const rl_surface *s, column high, int i, int j, int layer, column low)
{
    return high.wet && low.wet && high.level > low.high &&
           low.level >= s->columns->base[rl_surface_column(s, i, j, layer)];
}

static int find_under_ceiling(const rl_surface *s, int i, int j, column here, int layer, int ni,
                              int nj)
{
    if (!here.wet)
        return -1;
    int there = under_ceiling(s, here, ni, nj, false);
    const bool above = there < 0; // its level is in a solid there
    if (above)
        there = under_ceiling(s, here, ni, nj, true);
    if (there < 0)
        return -1;
    const column other = column_of(s, ni, nj, there);
    if (above ? !reaches_under(s, here, i, j, layer, other)
              : !reaches_under(s, other, ni, nj, there, here))
        return -1;
    // The other one must see it alike, and have no better link.
    const int free = under_ceiling(s, other, i, j, false);
    const int back = above ? free : free >= 0 ? -1 : under_ceiling(s, other, i, j, true);
    const float tolerance = RL_SURFACE_LINK_TOLERANCE * s->columns->cell_size;
    bool wet;
    if (back != layer || taken(s, other, i, j, there, tolerance) ||
        find_fit(s, ni, nj, other, there, i, j, &wet) >= 0)
        return -1;
    return there;
}

// Sets `wet` where the partner is, and joins the slope of the surface.
static int find(const rl_surface *s, int i, int j, column here, int layer, int way, bool *wet)
{
    const int ni = i + rl_surface_step_x[way], nj = j + rl_surface_step_y[way];
    const int there = find_fit(s, i, j, here, layer, ni, nj, wet);
    if (there >= 0)
        return there;
    *wet = false;
    return find_under_ceiling(s, i, j, here, layer, ni, nj);
}

int rl_surface_find_partner(const rl_surface *s, int i, int j, int layer, int way)
{
    bool wet;
    return s->layers > 1 ? find(s, i, j, column_of(s, i, j, layer), layer, way, &wet) : -1;
}

// ---- Pairs with nobody else in reach -----------------------------------------------------

// Values of `only` that are no layer.
enum { ONLY_UNKNOWN = 0xff, ONLY_MANY = 0xfe, ONLY_NONE = 0xfd };

// Whether two columns can have anything to do with each other, whatever their levels are: levels
// are between floor and ceiling.
static bool in_reach(float base, float high, const rl_stack_entry *e, float tolerance)
{
    return !(e->base > high + 2.0f * tolerance) && !(e->high < base - 2.0f * tolerance);
}

// How many columns of cell (i, j) are in reach of one between `base` and `high`; and the last of
// them.
static int count_in_reach(const rl_surface *s, int i, int j, float base, float high,
                          rl_stack_entry *found)
{
    const float tolerance = RL_SURFACE_LINK_TOLERANCE * s->columns->cell_size;
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

// The layer of the column on side `way` if it and this one have nobody but each other in reach, so
// that one look at the two of them tells what find() would. Of use until the ground changes.
static uint8_t look_for_only(const rl_surface *s, int i, int j, int layer, int way)
{
    const rill_columns *c = s->columns;
    const int ni = i + rl_surface_step_x[way], nj = j + rl_surface_step_y[way];
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

// The same as find(), by what is known about the ground.
static int find_known(const rl_surface *s, int i, int j, column here, int layer, int way, bool *wet)
{
    if (s->stacks_version == 0)
        return find(s, i, j, here, layer, way, wet);
    uint8_t *only = &s->only[4 * rl_surface_at(s, i, j, layer) + (size_t)way / 2];
    if (*only == ONLY_UNKNOWN)
        *only = look_for_only(s, i, j, layer, way);
    if (*only == ONLY_MANY)
        return find(s, i, j, here, layer, way, wet);
    *wet = false;
    if (*only == ONLY_NONE)
        return -1;
    const int ni = i + rl_surface_step_x[way], nj = j + rl_surface_step_y[way], there = *only;
    const column other = column_of(s, ni, nj, there);
    if (there != layer && fit(here, other, RL_SURFACE_LINK_TOLERANCE * s->columns->cell_size)) {
        *wet = other.wet;
        return there;
    }
    const bool under =
        reaches_under(s, here, i, j, layer, other) || reaches_under(s, other, ni, nj, there, here);
    return under ? there : -1;
}

// ---- partners: of wet columns ------------------------------------------------------------

// Whether a neighbour that was looked at before, in this row or the row below in the same tile, has
// found a link to here under a ceiling.
static bool found_from_there(const rl_surface *s, size_t slot, int j, int way)
{
    if (way != RL_WEST && (way != RL_SOUTH || (j + 1) % RL_SURFACE_TILE_ROWS == 0))
        return false;
    const size_t other = slot - (way == RL_WEST ? 1 : s->pitch);
    return s->wet[other] && (s->link[other] >> (way + 4) % 8 & 1);
}

// A link within the layer that goes under a ceiling is one like any other from now on, but for the
// normals, which would see a step.
void rl_surface_find_partners(rl_surface *s, int i, int j, int layer)
{
    const size_t slot = rl_surface_at(s, i, j, layer);
    const column here = column_of(s, i, j, layer);
    uint8_t *partner = s->partner + 4 * slot;
    for (int way = 0; way < 8; way += 2) {
        const bool linked = s->link[slot] >> way & 1;
        partner[way / 2] = linked ? (uint8_t)layer : RL_NO_LAYER;
        bool wet = false;
        int there = -1;
        if (!linked && found_from_there(s, slot, j, way))
            there = layer;
        else if (!linked && s->layers > 1)
            there = find_known(s, i, j, here, layer, way, &wet);
        if (!linked && there != layer)
            s->crossed[slot] |= RL_CROSSED;
        if (there < 0)
            continue;
        partner[way / 2] = (uint8_t)there;
        if (there == layer) {
            s->link[slot] |= (uint8_t)(1u << way);
        } else if (wet) {
            s->crossed[slot] = RL_CROSSED_WET;
        } else if (!s->wet[rl_surface_at(s, i + rl_surface_step_x[way], j + rl_surface_step_y[way],
                                         there)]) {
            s->outward[rl_surface_at(s, i, j, 0)] |= (uint8_t)(1u << way);
            s->outward[rl_surface_at(s, -1, j, 0)] = ROW_HAS_SOME;
        }
    }
}

// ---- answers: the other end of a link to a dry column ------------------------------------

// Enters into the table of a dry column of cell (i, j) the wet one that is linked to it.
static void answer(const rl_surface *s, int i, int j, int layer, int way, int there)
{
    const size_t slot = rl_surface_at(s, i, j, layer);
    uint8_t *partner = s->partner + 4 * slot;
    if (!s->crossed[slot]) {
        s->crossed[slot] = RL_CROSSED;
        for (int k = 0; k < 4; k++)
            partner[k] = s->near[slot] >> 2 * k & 1 ? (uint8_t)layer : RL_NO_LAYER;
    }
    partner[way / 2] = (uint8_t)there;
    s->plain[slot] &= (uint8_t) ~(1u << way);
    rl_surface_row_of(s, j, layer)->answered = 1;
    *rl_surface_idle(s, j, layer) &= RL_IDLE_QUADS;
}

// The cell in direction `way` of cell (i, j) has a link towards it that changes layers.
static void answer_cell(const rl_surface *s, int i, int j, int way)
{
    const int ni = i + rl_surface_step_x[way], nj = j + rl_surface_step_y[way];
    const size_t back = (size_t)(way + 4) % 8 / 2;
    rl_stack_entry one;
    int count;
    const rl_stack_entry *stack = rl_stack_of(s, ni, nj, &one, &count);
    for (int k = 0; k < count; k++) {
        const int there = stack[k].layer;
        const size_t slot = rl_surface_at(s, ni, nj, there);
        if (!s->wet[slot] || !s->crossed[slot])
            continue;
        const uint8_t layer = s->partner[4 * slot + back];
        if (layer != RL_NO_LAYER && layer != there && !s->wet[rl_surface_at(s, i, j, layer)])
            answer(s, i, j, layer, way, there);
    }
}

// Sides of cells on which a link to another layer comes in.
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
                    answer_cell(s, i, j, way);
    }
}
