// SPDX-License-Identifier: MIT
// meniscus_inline.h - the meniscus of single columns, for hosts and devices. The opening comment of
// meniscus.c says how it is found.
#pragma once

#include "surface/meniscus_cell.h"
#include "surface/shore_inline.h"
#include "surface/shore_profile_inline.h"

#include <math.h>

RL_CELL rill_meniscus rl_meniscus_none(void)
{
    const rill_meniscus none = {{0.0f, 0.0f}, 0.0f, 0.0f};
    return none;
}

// ---- Boundary columns ----------------------------------------------------------------------

// The cell of a boundary column, its layer, and whether it is a wall, which has none.
typedef struct rl_boundary {
    int i, j, layer;
    bool wall;
} rl_boundary;

RL_CELL rl_boundary rl_boundary_of(const rl_surface *s, size_t slot)
{
    const int kind = (int)s->shore[0][RL_SHORE_KIND][slot];
    rl_boundary b;
    b.i = (int)s->shore[0][RL_SHORE_I][slot];
    b.j = (int)s->shore[0][RL_SHORE_J][slot];
    b.layer = kind / 2;
    b.wall = kind & 1;
    return b;
}

// Returns whether a wet column has a boundary column.
RL_CELL bool rl_boundary_known(const rl_surface *s, size_t slot)
{
    return s->shore[0][RL_SHORE_DISTANCE][slot] < RL_MENISCUS_FAR;
}

// ---- Neighbours ----------------------------------------------------------------------------

// Returns the layer of the same surface in direction `way` of a wet column, or -1. Across corners
// only the layer itself counts: the way around them is hardly longer.
RL_SHARED int rl_meniscus_beside(const rl_surface *s, size_t slot, int layer, int way)
{
    if (s->link[slot] >> way & 1)
        return layer;
    if (way & 1 || !s->crossed[slot])
        return -1;
    const uint8_t there = s->link_layer[4 * slot + (size_t)way / 2];
    return there == RL_NO_LAYER ? -1 : there;
}

RL_SHARED bool rl_meniscus_on_grid(const rl_surface *s, int i, int j)
{
    return i >= 0 && i < s->nx && j >= 0 && j < s->ny;
}

// Returns the sides on which a cell is beside a wall of the world, as a mask of neighbours.
RL_SHARED unsigned rl_meniscus_walls_beside(const rl_surface *s, int i, int j)
{
    return s->walls & RL_SIDES & rl_surface_beyond_border(s, i, j);
}

// ---- First ring --------------------------------------------------------------------------

// Returns whether a wet column ends at a wall on a side on which it is linked to nothing.
RL_SHARED bool rl_meniscus_wall_at(const rl_surface *s, size_t slot, int way)
{
    return rl_edge_decode(s->edge[4 * slot + (size_t)way / 2]).kind == RL_EDGE_WALL;
}

// Finds the boundary column beside the wet column of a cell in direction `way`; returns whether
// there is one. A wall of the world has its boundary columns on the rim of the lattice: as if the
// cells beyond the border were solid, half a cell of them is behind the boundary.
RL_SHARED bool rl_meniscus_boundary_at(const rl_surface *s, int i, int j, int layer, int way,
                                       rl_boundary *to)
{
    to->i = i + rl_surface_step_x(way);
    to->j = j + rl_surface_step_y(way);
    to->layer = 0;
    to->wall = true;
    if (rl_meniscus_walls_beside(s, i, j) >> way & 1)
        return true;
    if (!rl_meniscus_on_grid(s, to->i, to->j))
        return false;
    const size_t slot = rl_surface_at(s, i, j, layer);
    const int there = rl_meniscus_beside(s, slot, layer, way);
    if (there >= 0) {
        to->layer = there;
        to->wall = false;
        return !s->wet[rl_surface_at(s, to->i, to->j, there)];
    }
    return !(way & 1) && rl_meniscus_wall_at(s, slot, way);
}

// Finds the boundary column beside a wet column; returns whether there is one.
RL_SHARED bool rl_meniscus_first_ring(const rl_surface *s, int i, int j, int layer)
{
    const size_t slot = rl_surface_at(s, i, j, layer);
    s->shore[0][RL_SHORE_DISTANCE][slot] = RL_MENISCUS_FAR;
    if (s->wet_link[slot] == 0xff) // which no column at the border has
        return false;
    for (int k = 0; k < 8; k++) {
        rl_boundary boundary;
        const int way = rl_meniscus_way(k);
        if (s->wet_link[slot] >> way & 1 || (way & 1 & ~(s->link[slot] >> way)) ||
            !rl_meniscus_boundary_at(s, i, j, layer, way, &boundary))
            continue;
        s->shore[0][RL_SHORE_DISTANCE][slot] = rl_meniscus_stretch(k) * s->columns.cell_size;
        s->shore[0][RL_SHORE_I][slot] = (float)boundary.i;
        s->shore[0][RL_SHORE_J][slot] = (float)boundary.j;
        s->shore[0][RL_SHORE_KIND][slot] = (float)(2 * boundary.layer + (boundary.wall ? 1 : 0));
        return true;
    }
    return false;
}

// ---- Steps inwards -----------------------------------------------------------------------

// Returns the number of steps; the first ring has been found before. A shore on a slope may be
// nearer than half a cell before its boundary column, so there is one step more.
RL_SHARED int rl_meniscus_steps(const rl_surface *s)
{
    const float cells = s->def.meniscus_length / s->columns.cell_size + 1.5f;
    const int side = s->nx > s->ny ? s->nx : s->ny;
    return cells < (float)side ? (int)ceilf(cells) - 1 : side;
}

// Takes over the boundary column of a linked column where that is nearer; returns whether it is
// another one than before. The rim is never wet.
RL_SHARED bool rl_meniscus_reckon(const rl_surface *s, int i, int j, int layer)
{
    const size_t slot = rl_surface_at(s, i, j, layer);
    const float size = s->columns.cell_size;
    size_t best = slot;
    float distance = s->shore[0][RL_SHORE_DISTANCE][slot];
    for (int k = 0; k < 8; k++) {
        const int way = rl_meniscus_way(k);
        const int there = rl_meniscus_beside(s, slot, layer, way);
        if (there < 0)
            continue;
        const size_t other =
            rl_surface_at(s, i + rl_surface_step_x(way), j + rl_surface_step_y(way), there);
        if (!s->wet[other])
            continue;
        const float detour = s->shore[0][RL_SHORE_DISTANCE][other] + rl_meniscus_stretch(k) * size;
        if (!(detour < distance))
            continue;
        // A boundary above or below, in the same cell, is not beside it.
        const float straight =
            rl_meniscus_straight(s->shore[0][RL_SHORE_I][other] - (float)i,
                                 s->shore[0][RL_SHORE_J][other] - (float)j, size);
        if (straight > 0.0f) {
            best = other;
            distance = straight;
        }
    }
    bool differs = best != slot && !rl_boundary_known(s, slot);
    s->shore[1][RL_SHORE_DISTANCE][slot] = distance;
    for (int field = RL_SHORE_I; field < RL_SHORE_FIELDS; field++) {
        differs |= s->shore[0][field][best] != s->shore[0][field][slot];
        s->shore[1][field][slot] = s->shore[0][field][best];
    }
    return differs;
}

// ---- What a wet column knows -------------------------------------------------------------

RL_SHARED rl_meniscus_rule rl_meniscus_rule_of(const rl_surface *s)
{
    rl_meniscus_rule rule;
    rule.cell_size = s->columns.cell_size;
    rule.length = s->def.meniscus_length;
    rule.contact = s->def.contact_angle * (RL_SHORE_RIGHT_ANGLE / 90.0f);
    return rule;
}

// Returns the angle at a wall.
RL_SHARED float rl_meniscus_at_wall(const rl_surface *s)
{
    const rl_meniscus_rule rule = rl_meniscus_rule_of(s);
    return rl_meniscus_tilt(RL_SHORE_RIGHT_ANGLE, &rule);
}

// What is on a side of a wet column: the distance there, 0 at the boundary; whether there is one;
// and by how much the surface rises to a wet column.
typedef struct rl_meniscus_side {
    float distance, rise;
    bool has;
} rl_meniscus_side;

RL_SHARED rl_meniscus_side rl_meniscus_side_of(const rl_surface *s, int i, int j, int layer,
                                               int way)
{
    const size_t slot = rl_surface_at(s, i, j, layer);
    const int ni = i + rl_surface_step_x(way), nj = j + rl_surface_step_y(way);
    rl_meniscus_side side = {0.0f, 0.0f, true};
    if (!rl_meniscus_on_grid(s, ni, nj)) {
        side.has = rl_meniscus_walls_beside(s, i, j) >> way & 1;
        return side;
    }
    const int there = rl_meniscus_beside(s, slot, layer, way);
    if (there < 0) {
        side.has = rl_meniscus_wall_at(s, slot, way);
        return side;
    }
    const size_t other = rl_surface_at(s, ni, nj, there);
    if (!s->wet[other])
        return side;
    side.distance = s->shore[0][RL_SHORE_DISTANCE][other];
    side.rise = fabsf(s->level[other] - s->level[slot]);
    side.has = rl_boundary_known(s, other);
    return side;
}

// Puts what the four sides of a wet column say: their distances, and how steep the surface is,
// which is its largest slope to a wet column. Field f is to[f * stride].
RL_SHARED void rl_meniscus_around_sides(const rl_surface *s, int i, int j, int layer, float *to,
                                        size_t stride)
{
    const float here = s->shore[0][RL_SHORE_DISTANCE][rl_surface_at(s, i, j, layer)];
    bool has[4];
    float most = 0.0f;
    for (int k = 0; k < 4; k++) {
        const rl_meniscus_side side = rl_meniscus_side_of(s, i, j, layer, 2 * k);
        has[k] = side.has;
        to[(size_t)(RL_AROUND_EAST + k) * stride] = side.has ? side.distance : here;
        most = side.rise > most ? side.rise : most;
    }
    to[RL_AROUND_BOTH_X * stride] = has[0] && has[2] ? 1.0f : 0.0f;
    to[RL_AROUND_BOTH_Y * stride] = has[1] && has[3] ? 1.0f : 0.0f;
    to[RL_AROUND_TILT * stride] = most / s->columns.cell_size;
}

// Puts where its boundary column is.
RL_SHARED void rl_meniscus_around_place(const rl_surface *s, int i, int j, size_t slot, float *to,
                                        size_t stride)
{
    to[RL_AROUND_DISTANCE * stride] = s->shore[0][RL_SHORE_DISTANCE][slot];
    to[RL_AROUND_X * stride] = s->shore[0][RL_SHORE_I][slot] - (float)i;
    to[RL_AROUND_Y * stride] = s->shore[0][RL_SHORE_J][slot] - (float)j;
}

// Puts what the ground there says, after that; `profile` is that of the boundary column, or NULL
// for a wall.
RL_SHARED void rl_meniscus_around_ground(const rl_surface *s, size_t slot,
                                         const rl_shore_profile *profile, float *to, size_t stride)
{
    const float x = to[RL_AROUND_X * stride], y = to[RL_AROUND_Y * stride];
    to[RL_AROUND_WALL * stride] = profile == NULL ? 1.0f : 0.0f;
    if (profile == NULL) {
        to[RL_AROUND_OVER * stride] = 0.0f;
        for (size_t f = RL_AROUND_GRADIENT_X; f < RL_AROUND_FIELDS; f++)
            to[f * stride] = 0.0f;
        return;
    }
    to[RL_AROUND_OVER * stride] = profile->base - s->level[slot];
    to[RL_AROUND_GRADIENT_X * stride] = profile->gradient[0][(x > 0.0f) - (x < 0.0f) + 1];
    to[RL_AROUND_GRADIENT_Y * stride] = profile->gradient[1][(y > 0.0f) - (y < 0.0f) + 1];
    for (size_t k = 0; k < 4; k++) {
        to[(RL_AROUND_RISE + k) * stride] = profile->rise[k / 2][k % 2];
        to[(RL_AROUND_LASTING + k) * stride] = profile->lasting[k / 2][k % 2];
    }
}

// ---- Columns -----------------------------------------------------------------------------

// Returns the meniscus of a wet column. With `written` that of each wet column that has a vertex
// stands there already.
RL_SHARED rill_meniscus rl_meniscus_of_wet(const rl_surface *s, int i, int j, int layer,
                                           bool written)
{
    rill_meniscus m = rl_meniscus_none();
    const size_t slot = rl_surface_at(s, i, j, layer);
    if (!rl_boundary_known(s, slot))
        return m;
    if (written && s->corner[slot] & RL_CORNER_USED)
        return s->meniscus[s->number[slot]];
    float around[RL_AROUND_FIELDS], bent[RL_BENT_FIELDS];
    const rl_boundary boundary = rl_boundary_of(s, slot);
    rl_meniscus_around_sides(s, i, j, layer, around, 1);
    rl_meniscus_around_place(s, i, j, slot, around, 1);
    if (boundary.wall) {
        rl_meniscus_around_ground(s, slot, NULL, around, 1);
    } else {
        const rl_shore_profile profile =
            rl_shore_profile_of(s, boundary.i, boundary.j, boundary.layer);
        rl_meniscus_around_ground(s, slot, &profile, around, 1);
    }
    const rl_meniscus_rule rule = rl_meniscus_rule_of(s);
    rl_meniscus_bend(around, &rule, bent);
    m.direction[0] = bent[RL_BENT_X];
    m.direction[1] = bent[RL_BENT_Y];
    m.angle = bent[RL_BENT_ANGLE];
    m.weight = bent[RL_BENT_WEIGHT];
    return m;
}

// A dry column ends the meniscus of the wet ones it is linked to.
RL_SHARED rill_meniscus rl_meniscus_of_dry(const rl_surface *s, int i, int j, int layer,
                                           bool written)
{
    rill_meniscus sum = rl_meniscus_none();
    int count = 0;
    for (int way = 0; way < 8; way++) {
        const int ni = i + rl_surface_step_x(way), nj = j + rl_surface_step_y(way);
        const int there =
            rl_meniscus_on_grid(s, ni, nj) ? rl_cross_layer_link(s, i, j, layer, way) : -1;
        if (there < 0)
            continue;
        const rill_meniscus one = rl_meniscus_of_wet(s, ni, nj, there, written);
        sum.direction[0] += one.direction[0];
        sum.direction[1] += one.direction[1];
        sum.angle += one.angle;
        count++;
    }
    const float length =
        sqrtf(sum.direction[0] * sum.direction[0] + sum.direction[1] * sum.direction[1]);
    if (count == 0 || !(length > 0.0f))
        return rl_meniscus_none();
    sum.direction[0] /= length;
    sum.direction[1] /= length;
    sum.angle /= (float)count;
    sum.weight = 1.0f;
    return sum;
}

// ---- Vertices ----------------------------------------------------------------------------

RL_SHARED void rl_meniscus_put_extra(const rl_surface *s, int i, int j, int layer,
                                     rill_meniscus *to)
{
    const size_t slot = rl_surface_at(s, i, j, layer);
    const rill_meniscus here = to[-1];
    for (int way = 0; way < 8; way += 2)
        if (s->cut[slot] >> way & 1) {
            *to = here;
            to->weight = here.weight > 0.0f ? 1.0f : 0.0f;
            to++;
        }
    for (int way = 0; way < 8; way += 2) {
        if (!(s->extra[slot] >> way / 2 & 1))
            continue;
        *to = rl_meniscus_none();
        if (rl_edge_decode(s->edge[4 * slot + (size_t)way / 2]).kind == RL_EDGE_WALL) {
            to->direction[0] = (float)rl_surface_step_x(way);
            to->direction[1] = (float)rl_surface_step_y(way);
            to->angle = rl_meniscus_at_wall(s);
            to->weight = 1.0f;
        }
        to++;
        if (s->extra[slot] >> (way / 2 + 4) & 1) {
            to[0] = to[1] = rl_meniscus_none();
            to += 2;
        }
    }
}

// A point of the rim is on the walls of the world beside it.
RL_SHARED void rl_meniscus_put_wall(const rl_surface *s, int i, int j, rill_meniscus *to)
{
    float x = 0.0f, y = 0.0f;
    if (i < 0 || i >= s->nx)
        x = s->walls >> (i < 0 ? RL_WEST : RL_EAST) & 1 ? (i < 0 ? -1.0f : 1.0f) : 0.0f;
    if (j < 0 || j >= s->ny)
        y = s->walls >> (j < 0 ? RL_SOUTH : RL_NORTH) & 1 ? (j < 0 ? -1.0f : 1.0f) : 0.0f;
    const float length = sqrtf(x * x + y * y);
    if (!(length > 0.0f))
        return;
    to->direction[0] = x / length;
    to->direction[1] = y / length;
    to->angle = rl_meniscus_at_wall(s);
    to->weight = 1.0f;
}

// Writes the meniscus of all vertices that are counted with a used slot; `written` is that of
// rl_meniscus_of_wet().
RL_SHARED void rl_meniscus_put_point(const rl_surface *s, int i, int j, int layer, bool written)
{
    const size_t slot = rl_surface_at(s, i, j, layer);
    const int ci = rl_surface_clamp(i, s->nx), cj = rl_surface_clamp(j, s->ny);
    rill_meniscus *to = &s->meniscus[s->number[slot]];
    if (!(s->corner[slot] & RL_CORNER_WET)) {
        *to = rl_meniscus_of_dry(s, ci, cj, layer, written);
        return;
    }
    // What is written already must not be written again: another tile may be reading it.
    if (!written || i != ci || j != cj) {
        *to = rl_meniscus_of_wet(s, ci, cj, layer, written);
        rl_meniscus_put_wall(s, i, j, to);
    }
    if ((s->cut[slot] & RL_SIDES) | s->extra[slot])
        rl_meniscus_put_extra(s, i, j, layer, to + 1);
}
