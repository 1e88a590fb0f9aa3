// SPDX-License-Identifier: MIT
// shore_inline.h - links, heights and ends of surfaces at single points, for hosts and devices
// (links.c, shore.c).
#pragma once

#include "surface/cross_layer_links_inline.h"

#include <math.h>

// Returns the neighbours beyond the border, which count as linked: the surface continues there, on
// the rim.
RL_CELL uint8_t rl_surface_beyond_border(const rl_surface *s, int i, int j)
{
    unsigned mask = 0;
    if (i == 0)
        mask |= 1u << 3 | 1u << 4 | 1u << 5;
    if (i == s->nx - 1)
        mask |= 1u << 7 | 1u << 0 | 1u << 1;
    if (j == 0)
        mask |= 1u << 5 | 1u << 6 | 1u << 7;
    if (j == s->ny - 1)
        mask |= 1u << 1 | 1u << 2 | 1u << 3;
    return (uint8_t)mask;
}

// Sets `plain` and `cut` of a wet column whose links are known.
//
// Towards a dry neighbour whose ground is below the level the surface ends before it gets there. Of
// corners only those of the layer matter, for whole quads.
RL_SHARED void rl_surface_cut_shore(const rl_surface *s, int i, int j, int layer)
{
    const size_t at = rl_surface_at(s, i, j, layer);
    s->plain[at] = s->link[at];
    if (!s->fine)
        return;
    const rill_columns *c = &s->columns;
    const unsigned sides = s->crossed[at] ? RL_SIDES : 0;
    unsigned open =
        ~(unsigned)(s->wet_link[at] | rl_surface_beyond_border(s, i, j)) & (s->link[at] | sides);
    for (; open != 0; open &= open - 1) {
        const int way = rl_surface_lowest(open);
        int there = layer;
        if (!(s->link[at] >> way & 1)) {
            there = s->link_layer[4 * at + (size_t)way / 2];
            if (there == RL_NO_LAYER)
                continue;
        }
        const int ni = i + rl_surface_step_x(way), nj = j + rl_surface_step_y(way);
        const size_t dry = rl_surface_column(s, ni, nj, there);
        if (s->wet[rl_surface_at(s, ni, nj, there)] ||
            !(c->base[dry] + c->depth[dry] < s->level[at]))
            continue;
        s->cut[at] |= (uint8_t)(1u << way);
        s->plain[at] &= (uint8_t) ~(1u << way);
    }
}

// Returns where on the way from a wet column to the dry one it is linked to in direction `way` the
// surface ends, as a part of that way, for a side that is cut.
RL_SHARED float rl_surface_end_of_mesh(const rl_surface *s, int i, int j, int layer, int way)
{
    const rill_columns *c = &s->columns;
    const int there = rl_cross_layer_link(s, i, j, layer, way);
    const size_t here = rl_surface_column_at(s, i, j, layer);
    const size_t dry =
        rl_surface_column_at(s, i + rl_surface_step_x(way), j + rl_surface_step_y(way), there);
    return rl_surface_end(c->depth[here], c->base[dry] - c->base[here], c->depth[dry], c->wet_depth,
                          c->cell_size);
}

// Returns the local least thickness of the column of a lattice point, metres.
RL_SHARED float rl_surface_local(const rl_surface *s, int i, int j, int layer)
{
    if (s->least == NULL)
        return 0.0f;
    return s->least[(size_t)layer * s->least_stride +
                    (size_t)rl_surface_clamp(j, s->ny) * s->least_pitch +
                    (size_t)rl_surface_clamp(i, s->nx)];
}

// Sets the height of a dry point from its wet columns: with a fine shore those that are not higher
// than its ground, since surfaces of higher ones end before it. See the opening comment of shore.c.
RL_SHARED void rl_surface_shore_height(const rl_surface *s, int i, int j, int layer)
{
    const rill_columns *c = &s->columns;
    const size_t at = rl_surface_at(s, i, j, layer), column = rl_surface_column(s, i, j, layer);
    const float own = c->base[column] + c->depth[column];
    double sum = 0.0;
    int count = 0;
    for (unsigned about = rl_surface_about(s, at); about != 0; about &= about - 1) {
        const int way = rl_surface_lowest(about);
        const int there = rl_surface_wet_beside(s, i, j, layer, way);
        if (there < 0)
            continue;
        const float level = s->level[rl_surface_at(s, i + rl_surface_step_x(way),
                                                   j + rl_surface_step_y(way), there)];
        if (s->fine && level > own)
            continue;
        sum += (double)level;
        count++;
        if (!(way & 1))
            s->corner[at] |= way & 2 ? RL_CORNER_ANCHOR_Y : RL_CORNER_ANCHOR_X;
    }
    s->height[at] =
        rl_surface_shore(sum, count, c->base[column], own, rl_surface_local(s, i, j, layer));
}

// Returns how far a solid ground that rises towards the border is higher there than at the
// outermost centre with this floor: half of the step from the cell behind it.
RL_SHARED float rl_surface_rim_rise(const rl_surface *s, float base, int in_i, int in_j, int layer)
{
    if (in_i < 0 || in_j < 0 || in_i >= s->nx || in_j >= s->ny)
        return 0.0f; // a single row
    const size_t inner = rl_surface_column(s, in_i, in_j, layer);
    if (s->columns.range_max[inner] < s->columns.range_min[inner])
        return 0.0f;
    const float rise = 0.5f * (base - s->columns.base[inner]);
    return rise > 0.0f && rise < s->columns.cell_size ? rise : 0.0f;
}

// Returns the height of a rim point beside the cell (i, j), where (in_i, in_j) is the cell behind
// it.
RL_SHARED float rl_surface_rim_height(const rl_surface *s, int i, int j, int in_i, int in_j,
                                      int layer)
{
    const rill_columns *c = &s->columns;
    const float height = s->height[rl_surface_at(s, i, j, layer)];
    const float base = c->base[rl_surface_column(s, i, j, layer)];
    if (!s->wet[rl_surface_at(s, i, j, layer)])
        return s->least == NULL || !s->ranged || height < base
                   ? height
                   : height + rl_surface_rim_rise(s, base, in_i, in_j, layer);
    if (!s->wet[rl_surface_at(s, in_i, in_j, layer)])
        return height;
    const float inner = c->base[rl_surface_column(s, in_i, in_j, layer)];
    const float ceiling = s->ranged ? c->range_max[rl_surface_column(s, i, j, layer)] : INFINITY;
    const float global = s->def.minimum_thickness * c->cell_size;
    const float local = rl_surface_local(s, i, j, layer);
    return rl_surface_rim(height, base, inner, local > global ? local : global, c->cell_size,
                          ceiling);
}

// Copies to a point of the rim the values of its cell: links across the border do not belong to it.
// In the corners of the lattice nothing is linked nor cut.
RL_SHARED void rl_surface_rim_point(const rl_surface *s, int i, int j, int layer)
{
    const int ci = rl_surface_clamp(i, s->nx), cj = rl_surface_clamp(j, s->ny);
    const size_t at = rl_surface_at(s, i, j, layer), cell = rl_surface_at(s, ci, cj, layer);
    // The cell behind: across the western and eastern borders there, and so in the corners.
    const bool upright = i != ci, inner = i == ci || j == cj, first = upright ? i < 0 : j < 0;
    const int in_i = !upright ? ci : i < 0 ? 1 : s->nx - 2;
    const int in_j = upright ? cj : j < 0 ? 1 : s->ny - 2;
    const int before = upright ? RL_NORTH : RL_EAST, after = upright ? RL_SOUTH : RL_WEST;
    const int before_corner = upright ? (first ? 1 : 3) : (first ? 1 : 7);
    const int after_corner = upright ? (first ? 7 : 5) : (first ? 3 : 5);
    const int anchor = !inner ? 0 : upright ? RL_CORNER_ANCHOR_Y : RL_CORNER_ANCHOR_X;
    s->height[at] = rl_surface_rim_height(s, ci, cj, in_i, in_j, layer);
    s->corner[at] = (uint8_t)(s->corner[cell] & (RL_CORNER_WET | anchor));
    s->plain[at] =
        inner ? rl_surface_along(s->plain[cell], 0xff, before, before_corner, after, after_corner)
              : 0xff;
    s->cut[at] =
        inner ? rl_surface_along(s->cut[cell], 0, before, before_corner, after, after_corner) : 0;
}
