// SPDX-License-Identifier: MIT
// links_inline.h - links of single columns, for hosts and devices (links.c).
#pragma once

#include "surface/lattice.h"

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
