// SPDX-License-Identifier: MIT
// surface_cell.h - the numbers and bits of a surface that both hosts and devices compute: the
// height of a point, where the surface ends, normals, how a quad is drawn. They are written once,
// so that a mesh has the same bits wherever it is made. The opening comments of shore.c, vertices.c
// and quads.c say why.
#pragma once

#include "core/cell.h"

#include <stdint.h>

// The eight neighbours of a cell, counter-clockwise from the east; bit k of a mask is neighbour k.
// The even ones are the sides, the odd ones the corners.
enum { RL_EAST = 0, RL_NORTH = 2, RL_WEST = 4, RL_SOUTH = 6 };
#define RL_SIDES 0x55

// The steps to them are packed as two bits each, plus one.
RL_CELL int rl_surface_step_x(int way)
{
    return (0x901a >> (2 * way) & 3) - 1;
}

RL_CELL int rl_surface_step_y(int way)
{
    return (0x01a9 >> (2 * way) & 3) - 1;
}

// Returns the lowest neighbour of a mask of neighbours that is not 0. Times 0x17 each single bit
// gives another value of the three highest bits of the byte.
RL_CELL int rl_surface_lowest(unsigned mask)
{
    const unsigned place = ((mask & (0u - mask)) * 0x17u & 0xffu) >> 5;
    return (int)(0x56374210u >> 4 * place & 7u);
}

// Bits of `corner`. A dry point with an anchor has the end of a link along that axis.
enum { RL_CORNER_WET = 1, RL_CORNER_USED = 2, RL_CORNER_ANCHOR_X = 4, RL_CORNER_ANCHOR_Y = 8 };

// The corners a, b, c, d of a quad as steps along x and y.
RL_CELL int rl_corner_x(int corner)
{
    return (corner ^ corner >> 1) & 1;
}

RL_CELL int rl_corner_y(int corner)
{
    return corner >> 1;
}

// Bits of `quad`. Corners a, b, c, d run counter-clockwise from the lower left one. A whole quad is
// cut along a c or along b d.
enum { RL_QUAD_WHOLE = 1, RL_QUAD_DIAGONAL_AC = 2, RL_QUAD_SPECIAL = 4 };

// Rows of the lattice whose triangles stand together in the mesh: those of whole quads, then all
// others. The first row of the lattice is the first of a tile.
#define RL_SURFACE_TILE_ROWS 16

// c of the opening comment of shore.c, in cells.
#define RL_SURFACE_FILM 0.05f
// t is at least this far from 0 and 1, so that no triangle is degenerate.
#define RL_SURFACE_END_MARGIN 0.01f
// With a fine shore the global least thickness grows from 0 to its full value between the depths w
// and this times w: a column that becomes wet does not jump up. The local one holds from w on.
#define RL_SURFACE_FULL 10.0f
// Two surfaces across a quad touch when the sum of their four ends is larger than this.
#define RL_SURFACE_TOUCH 2.05f

// ---- Places ------------------------------------------------------------------------------

// Returns the cell of a lattice point.
RL_CELL int rl_surface_clamp(int i, int n)
{
    return i < 0 ? 0 : i < n ? i : n - 1;
}

// Returns a coordinate on the lattice, along either axis: the centre of a cell or the border.
RL_CELL float rl_surface_place(int i, int n, float cell_size)
{
    const float cells = i < 0 ? 0.0f : i < n ? (float)i + 0.5f : (float)n;
    return cells * cell_size;
}

RL_CELL float rl_surface_between(float from, float to, float part)
{
    return from + part * (to - from);
}

// ---- Heights -----------------------------------------------------------------------------

// Returns how fast the global least thickness grows with the depth, per metre.
RL_CELL float rl_surface_growth(int fine, float wet_depth, float cell_size)
{
    return fine && wet_depth > 0.0f ? 1.0f / ((RL_SURFACE_FULL - 1.0f) * wet_depth)
                                    : 1e30f / cell_size;
}

// Returns the thickness at which a film is drawn, without branches: `local` keeps it above bumps of
// the ground and holds at any depth, `global` grows with the depth.
RL_CELL float rl_surface_thickness(float depth, float local, float global, float wet_depth,
                                   float growth)
{
    const float grown = (depth - wet_depth) * growth;
    const float soft = global * (grown < 1.0f ? grown : 1.0f);
    const float wanted = soft > local ? soft : local;
    return depth > wanted ? depth : wanted;
}

// Returns the height of a dry point whose ground is at `base`, with its film at `own`, next to
// `count` wet columns with levels of this sum; `local` is its local least thickness. In double, the
// mean of equal levels is that level exactly.
RL_CELL float rl_surface_shore(double sum, int count, float base, float own, float local)
{
    const float mean = count > 0 ? (float)(sum / count) : own;
    const float lifted = base + local;
    const float buried = mean > base && lifted > mean ? lifted : mean;
    return own < mean ? own + local : buried;
}

// Returns the height of a rim point beside a wet cell of this height and floor, where `inner` is
// the floor of the wet cell behind it. Water is level up to the border, but ground that rises
// towards it would be above a film there. `least` is the least thickness, metres.
RL_CELL float rl_surface_rim(float height, float base, float inner, float least, float cell_size,
                             float ceiling)
{
    const float rise = 0.5f * (base - inner), film = height - base;
    float lifted = base + rise + (film < least ? film : least);
    lifted = lifted < ceiling ? lifted : ceiling;
    return rise > 0.0f && rise < cell_size && lifted > height ? lifted : height;
}

// Returns where on the way from a wet column to a dry one the surface ends, as a part of that way;
// `rise` is that of the ground.
RL_CELL float rl_surface_end(float depth, float rise, float dry_depth, float wet_depth,
                             float cell_size)
{
    const float over = depth - wet_depth;
    const float drier = dry_depth < wet_depth ? 1.0f - dry_depth / wet_depth : 0.0f;
    const float flatter = rise < 0.0f ? 1.0f : rise < depth ? 1.0f - rise / depth : 0.0f;
    const float t = over / (over + RL_SURFACE_FILM * cell_size * drier * flatter);
    const float most = 1.0f - RL_SURFACE_END_MARGIN;
    return t < RL_SURFACE_END_MARGIN ? RL_SURFACE_END_MARGIN : t > most ? most : t;
}

RL_CELL float rl_surface_opacity(float depth, float opaque_depth)
{
    const float opacity = depth / opaque_depth;
    return opacity < 1.0f ? opacity : 1.0f;
}

// ---- Normals -----------------------------------------------------------------------------

// Returns the slope from the differences to either side. `has_` is 1 where that side counts and
// else 0, so that loops without branches run in vectors.
RL_CELL float rl_surface_slope(float before, float after, int has_before, int has_after,
                               float scale)
{
    const float sum = (float)has_before * before + (float)has_after * after;
    return sum * (scale - 0.5f * scale * (float)(has_before & has_after));
}

// 0 - x, not -x: a flat lake has normals without negative zeros.
RL_CELL void rl_surface_upright(float tilt_x, float tilt_y, float *x, float *y, float *z)
{
    const float length = 1.0f / sqrtf(1.0f + (tilt_x * tilt_x + tilt_y * tilt_y));
    *x = (0.0f - tilt_x) * length;
    *y = (0.0f - tilt_y) * length;
    *z = length;
}

// Normalises a vector; a vector of no length becomes the upward one.
RL_CELL void rl_surface_unit(const float vector[3], float unit[3])
{
    const float length =
        sqrtf((vector[0] * vector[0] + vector[1] * vector[1]) + vector[2] * vector[2]);
    for (int k = 0; k < 3; k++)
        unit[k] = length > 1e-6f ? vector[k] / length : k == 2 ? 1.0f : 0.0f;
}

// ---- Bits --------------------------------------------------------------------------------

// Returns a mask of a rim point: only the neighbours along the border differ from itself. `before`
// and `after` are the sides along the border, each with the diagonal that leans to it from the rim.
RL_CELL uint8_t rl_surface_along(uint8_t mask, uint8_t others, int before, int before_corner,
                                 int after, int after_corner)
{
    unsigned out = others;
    const unsigned pair_before = 1u << before | 1u << before_corner;
    const unsigned pair_after = 1u << after | 1u << after_corner;
    out = mask >> before & 1 ? out | pair_before : out & ~pair_before;
    out = mask >> after & 1 ? out | pair_after : out & ~pair_after;
    return (uint8_t)out;
}

// Returns the number of bits among the four sides below side `way` (RL_EAST to RL_SOUTH) in a mask
// of neighbours.
RL_CELL unsigned rl_surface_sides_below(unsigned mask, int way)
{
    const unsigned low = mask & RL_SIDES & ((1u << way) - 1u);
    return (low & 1u) + (low >> 2 & 1u) + (low >> 4 & 1u) + (low >> 6 & 1u);
}

// Neighbours that the corners a, b, c, d of a quad have in it.
enum { RL_NEED_A = 0x07, RL_NEED_B = 0x1c, RL_NEED_C = 0x70, RL_NEED_D = 0xc1 };

// Returns RL_QUAD_ of a quad of points with these bits of `corner` and `plain` (lattice.h). At the
// boundary a diagonal with both ends wet or both dry follows the shore (Dagenais section 4.3);
// elsewhere the higher one follows the crest of a wave (Chentanez and Müller section 2.5.1): a c
// where `crest` is 1.
RL_CELL uint8_t rl_surface_quad(uint8_t a, uint8_t b, uint8_t c, uint8_t d, uint8_t plain_a,
                                uint8_t plain_b, uint8_t plain_c, uint8_t plain_d, uint8_t crest)
{
    const uint8_t lack = (uint8_t)((~plain_a & RL_NEED_A) | (~plain_b & RL_NEED_B) |
                                   (~plain_c & RL_NEED_C) | (~plain_d & RL_NEED_D));
    // Four wet corners need only their sides; a diagonal that is not linked is avoided.
    const uint8_t apart_ac = (uint8_t)(~plain_a >> 1), apart_bd = (uint8_t)(~plain_b >> 3);
    const uint8_t all = a & b & c & d & 1;
    const uint8_t needed = (uint8_t)(lack & (RL_SIDES | (all - 1)));
    const uint8_t odd_ac = (a ^ c) | apart_ac, odd_bd = (b ^ d) | apart_bd;
    const uint8_t ac = (uint8_t)((odd_bd & ~odd_ac) | (crest & ~(odd_ac ^ odd_bd)));
    const uint8_t whole = (uint8_t)(RL_QUAD_WHOLE | (ac & 1) << 1);
    const uint8_t code = needed == 0 ? whole : (uint8_t)RL_QUAD_SPECIAL;
    return (a | b | c | d) & 1 ? code : 0;
}

// Returns whether the diagonal from `a` to `c` is the higher one.
RL_CELL int rl_surface_crest(float a, float b, float c, float d)
{
    return a + c > b + d;
}

// Returns whether a triangle with corners at these heights drops by more than `most`.
RL_CELL int rl_surface_drops(float a, float b, float c, float most)
{
    const float high = fmaxf(a, fmaxf(b, c)), low = fminf(a, fminf(b, c));
    return high - low > most;
}

// Returns whether it goes over a cliff: the ground under one corner is above the water at another.
// The front of a breaking wave is as steep, but is above its own water.
RL_CELL int rl_surface_over_cliff(const float *height, const float *depth)
{
    const float low = fminf(height[0], fminf(height[1], height[2]));
    const float ground =
        fmaxf(height[0] - depth[0], fmaxf(height[1] - depth[1], height[2] - depth[2]));
    return ground > low;
}
