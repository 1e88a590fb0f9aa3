// SPDX-License-Identifier: MIT
// cross_layer_links_inline.h - links between columns of different layers, for hosts and devices.
// The opening comment of cross_layer_links.c says what they are.
#pragma once

#include "surface/lattice.h"

// The part of a column that decides about links.
typedef struct rl_link_end {
    float level, low, high;
    int wet;
} rl_link_end;

RL_SHARED rl_link_end rl_link_end_of(const rl_surface *s, int i, int j, int layer)
{
    const rill_columns *c = &s->columns;
    const size_t at = rl_surface_column(s, i, j, layer);
    const rl_link_end end = {c->base[at] + c->depth[at], *rl_surface_join(s, i, j, layer),
                             c->range_max[at], s->wet[rl_surface_at(s, i, j, layer)]};
    return end;
}

RL_SHARED rl_link_end rl_link_end_of_entry(const rl_surface *s, int i, int j,
                                           const rl_stack_entry *e)
{
    const float depth = s->columns.depth[rl_surface_column(s, i, j, e->layer)];
    const rl_link_end end = {e->base + depth, *rl_surface_join(s, i, j, e->layer), e->high,
                             depth > s->columns.wet_depth};
    return end;
}

RL_SHARED bool rl_link_fit(rl_link_end p, rl_link_end q, float tolerance)
{
    return (p.wet | q.wet) &&
           rl_surface_linked(p.level, p.low, p.high, q.level, q.low, q.high, tolerance);
}

// Returns whether a column is linked to the column of layer `layer` in cell (i, j).
RL_SHARED bool rl_link_taken(const rl_surface *s, rl_link_end p, int i, int j, int layer,
                             float tolerance)
{
    rl_stack_entry one;
    int count;
    const rl_stack_entry *stack = rl_stack_of(s, i, j, &one, &count);
    for (int k = 0; k < count; k++)
        if (stack[k].layer == layer)
            return rl_link_fit(p, rl_link_end_of_entry(s, i, j, &stack[k]), tolerance);
    return false;
}

// Returns the lowest layer of cell (ni, nj) that fits a column of cell (i, j) and is free, that is,
// not linked to the column of its own layer there; or -1.
RL_SHARED int rl_link_lowest_fit(const rl_surface *s, int i, int j, rl_link_end p, int layer,
                                 int ni, int nj, rl_link_end *found)
{
    const float tolerance = RL_SURFACE_LINK_TOLERANCE * s->columns.cell_size;
    rl_stack_entry one;
    int count;
    const rl_stack_entry *stack = rl_stack_of(s, ni, nj, &one, &count);
    for (int k = 0; k < count; k++) {
        // A test of the range, and of the floor, below which no level is, is enough for most.
        if (stack[k].layer == layer || !(p.level >= stack[k].low - tolerance) ||
            !(p.level <= stack[k].high + tolerance) || stack[k].base > p.high + tolerance)
            continue;
        *found = rl_link_end_of_entry(s, ni, nj, &stack[k]);
        if (rl_link_fit(p, *found, tolerance) &&
            !rl_link_taken(s, *found, i, j, stack[k].layer, tolerance))
            return stack[k].layer;
    }
    return -1;
}

// Returns whether a lower layer of cell (i, j) than `layer` may fit a column as well.
RL_SHARED bool rl_link_has_rival(const rl_surface *s, int i, int j, int layer, rl_link_end p)
{
    const float tolerance = RL_SURFACE_LINK_TOLERANCE * s->columns.cell_size;
    rl_stack_entry one;
    int count;
    const rl_stack_entry *stack = rl_stack_of(s, i, j, &one, &count);
    for (int k = 0; k < count && stack[k].layer < layer; k++)
        if (p.level >= stack[k].low - tolerance && p.level <= stack[k].high + tolerance)
            return true;
    return false;
}

// Finds a link after Dagenais section 4.1. Sets `wet` where the linked column is.
RL_SHARED int rl_link_find_fit(const rl_surface *s, int i, int j, rl_link_end here, int layer,
                               int ni, int nj, bool *wet)
{
    rl_link_end found, back;
    const int there = rl_link_lowest_fit(s, i, j, here, layer, ni, nj, &found);
    if (there < 0 || (rl_link_has_rival(s, i, j, layer, found) &&
                      rl_link_lowest_fit(s, ni, nj, found, there, i, j, &back) != layer))
        return -1;
    *wet = found.wet;
    return there;
}

// Where the ceiling of a cave comes down to the liquid, a level may lie above the ceiling of the
// next column: in the solid over liquid that is one with it. Returns the layer in cell (ni, nj)
// below the solid that holds the level of a column, or the one in whose liquid that level lies; or
// -1.
RL_SHARED int rl_link_under_ceiling(const rl_surface *s, rl_link_end here, int ni, int nj,
                                    bool below)
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

// Returns whether the level of `high` is above the ceiling of `low`, with its liquid reaching down
// to it.
RL_SHARED bool rl_link_reaches_under(const rl_surface *s, rl_link_end high, int i, int j, int layer,
                                     rl_link_end low)
{
    return high.wet && low.wet && high.level > low.high &&
           low.level >= s->columns.base[rl_surface_column(s, i, j, layer)];
}

RL_SHARED int rl_link_find_under_ceiling(const rl_surface *s, int i, int j, rl_link_end here,
                                         int layer, int ni, int nj)
{
    if (!here.wet)
        return -1;
    int there = rl_link_under_ceiling(s, here, ni, nj, false);
    const bool above = there < 0; // its level is in a solid there
    if (above)
        there = rl_link_under_ceiling(s, here, ni, nj, true);
    if (there < 0)
        return -1;
    const rl_link_end other = rl_link_end_of(s, ni, nj, there);
    if (above ? !rl_link_reaches_under(s, here, i, j, layer, other)
              : !rl_link_reaches_under(s, other, ni, nj, there, here))
        return -1;
    // The same must hold from the other side, and the other column must have no better link.
    const int free = rl_link_under_ceiling(s, other, i, j, false);
    const int back = above ? free : free >= 0 ? -1 : rl_link_under_ceiling(s, other, i, j, true);
    const float tolerance = RL_SURFACE_LINK_TOLERANCE * s->columns.cell_size;
    bool wet;
    if (back != layer || rl_link_taken(s, other, i, j, there, tolerance) ||
        rl_link_find_fit(s, ni, nj, other, there, i, j, &wet) >= 0)
        return -1;
    return there;
}

// Sets `wet` where the linked column is wet and counts in the slope of the surface.
RL_SHARED int rl_link_find(const rl_surface *s, int i, int j, rl_link_end here, int layer, int way,
                           bool *wet)
{
    const int ni = i + rl_surface_step_x(way), nj = j + rl_surface_step_y(way);
    const int there = rl_link_find_fit(s, i, j, here, layer, ni, nj, wet);
    if (there >= 0)
        return there;
    *wet = false;
    return rl_link_find_under_ceiling(s, i, j, here, layer, ni, nj);
}

// ---- Storing links -----------------------------------------------------------------------

// Stores that the wet column of a cell is linked to layer `there` in direction `way`, a side, or to
// none (-1); `wet` as rl_link_find() sets it. A link within the layer that goes under a ceiling is
// one like any other from now on, but for the normals, which would contain a step. Returns whether
// the link leads to a dry column of another layer, whose own entry must be set.
RL_SHARED bool rl_link_note(const rl_surface *s, int i, int j, int layer, int way, int there,
                            bool wet)
{
    const size_t slot = rl_surface_at(s, i, j, layer);
    if (there == layer) {
        s->link[slot] |= (uint8_t)(1u << way);
        s->link_layer[4 * slot + (size_t)way / 2] = (uint8_t)layer;
        return false;
    }
    s->crossed[slot] |= wet ? RL_CROSSED_WET : RL_CROSSED;
    s->link_layer[4 * slot + (size_t)way / 2] = there < 0 ? RL_NO_LAYER : (uint8_t)there;
    return there >= 0 && !wet &&
           !s->wet[rl_surface_at(s, i + rl_surface_step_x(way), j + rl_surface_step_y(way), there)];
}

// Enters into the table of a dry column of cell (i, j) the wet one that is linked to it. A device
// has no rows.
RL_SHARED void rl_link_answer(const rl_surface *s, int i, int j, int layer, int way, int there)
{
    const size_t slot = rl_surface_at(s, i, j, layer);
    uint8_t *link_layer = s->link_layer + 4 * slot;
    if (!s->crossed[slot]) {
        s->crossed[slot] = RL_CROSSED;
        for (int k = 0; k < 4; k++)
            link_layer[k] = s->wet_link[slot] >> 2 * k & 1 ? (uint8_t)layer : RL_NO_LAYER;
    }
    link_layer[way / 2] = (uint8_t)there;
    s->plain[slot] &= (uint8_t) ~(1u << way);
    if (s->rows != NULL) {
        rl_surface_row_of(s, j, layer)->answered = 1;
        *rl_surface_idle(s, j, layer) &= RL_IDLE_QUADS;
    }
}

// Enters all links that lead from the cell in direction `way` to cell (i, j) and change layers.
RL_SHARED void rl_link_answer_cell(const rl_surface *s, int i, int j, int way)
{
    const int ni = i + rl_surface_step_x(way), nj = j + rl_surface_step_y(way);
    const size_t back = (size_t)(way + 4) % 8 / 2;
    rl_stack_entry one;
    int count;
    const rl_stack_entry *stack = rl_stack_of(s, ni, nj, &one, &count);
    for (int k = 0; k < count; k++) {
        const int there = stack[k].layer;
        const size_t slot = rl_surface_at(s, ni, nj, there);
        if (!s->wet[slot] || !s->crossed[slot])
            continue;
        const uint8_t layer = s->link_layer[4 * slot + back];
        if (layer != RL_NO_LAYER && layer != there && !s->wet[rl_surface_at(s, i, j, layer)])
            rl_link_answer(s, i, j, layer, way, there);
    }
}

// ---- Reading links -----------------------------------------------------------------------

// Returns the layer of the column that the column of lattice point (i, j) is linked to in direction
// `way`, or -1. Dry columns are linked to wet ones only. The point there must be on the lattice. A
// point of the rim and its cell have the same columns.
RL_CELL int rl_cross_layer_link(const rl_surface *s, int i, int j, int layer, int way)
{
    const int ci = rl_surface_clamp(i, s->nx), cj = rl_surface_clamp(j, s->ny);
    const int ni = rl_surface_clamp(i + rl_surface_step_x(way), s->nx);
    const int nj = rl_surface_clamp(j + rl_surface_step_y(way), s->ny);
    if (ci == ni && cj == nj)
        return layer;
    // A diagonal from the rim is a side of its cell.
    if ((way & 1) && (ci == ni || cj == nj))
        way = ci == ni ? (nj > cj ? RL_NORTH : RL_SOUTH) : (ni > ci ? RL_EAST : RL_WEST);
    const size_t slot = rl_surface_at(s, ci, cj, layer);
    const uint8_t linked = s->wet[slot] ? s->link[slot] : s->wet_link[slot];
    if (linked >> way & 1)
        return layer;
    bool wet;
    if (way & 1) // it may be linked to another layer, where it is to none in its own
        return s->ranged && s->layers > 1
                   ? rl_link_find(s, ci, cj, rl_link_end_of(s, ci, cj, layer), layer, way, &wet)
                   : -1;
    const uint8_t there =
        s->crossed[slot] ? s->link_layer[4 * slot + (size_t)way / 2] : RL_NO_LAYER;
    return there == RL_NO_LAYER ? -1 : there;
}

// Returns the neighbours that a dry column of a cell may be linked to, and for each of them the
// layer of the wet column there, or -1.
RL_CELL unsigned rl_surface_about(const rl_surface *s, size_t slot)
{
    return s->crossed[slot] ? 0xffu : s->wet_link[slot];
}

RL_CELL int rl_surface_wet_beside(const rl_surface *s, int i, int j, int layer, int way)
{
    const size_t slot = rl_surface_at(s, i, j, layer);
    if (s->wet_link[slot] >> way & 1)
        return layer;
    const int ni = i + rl_surface_step_x(way), nj = j + rl_surface_step_y(way);
    const bool on_grid = ni >= 0 && ni < s->nx && nj >= 0 && nj < s->ny;
    return s->crossed[slot] && on_grid ? rl_cross_layer_link(s, i, j, layer, way) : -1;
}
