// SPDX-License-Identifier: MIT
// meniscus_inline.h - the meniscus of single columns, for hosts and devices. The opening comment of
// meniscus.c says how it is found.
#pragma once

#include "surface/shore_inline.h"
#include "surface/shore_line_inline.h"

#include <math.h>

#define RL_MENISCUS_NOWHERE UINT64_MAX
#define RL_MENISCUS_FAR     1e30f

RL_CELL rill_meniscus rl_meniscus_none(void)
{
    const rill_meniscus none = {{0.0f, 0.0f}, 0.0f, 0.0f};
    return none;
}

// Returns the distance of a neighbour, in cells.
RL_CELL float rl_meniscus_stretch(int way)
{
    return way & 1 ? 1.41421356237309505f : 1.0f;
}

// Returns neighbour k in an order in which sides come before corners, which are further away.
RL_CELL int rl_meniscus_way(int k)
{
    return k < 4 ? 2 * k : 2 * k - 7;
}

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

// Returns the boundary column beside the wet column of a cell in direction `way`, or
// RL_MENISCUS_NOWHERE. A wall of the world has its boundary columns on the rim of the lattice: as
// if the cells beyond the border were solid, half a cell of them is behind the boundary.
RL_SHARED uint64_t rl_meniscus_boundary_at(const rl_surface *s, int i, int j, int layer, int way)
{
    const int ni = i + rl_surface_step_x(way), nj = j + rl_surface_step_y(way);
    if (rl_meniscus_walls_beside(s, i, j) >> way & 1)
        return 2 * (uint64_t)rl_surface_at(s, ni, nj, 0) + 1;
    if (!rl_meniscus_on_grid(s, ni, nj))
        return RL_MENISCUS_NOWHERE;
    const int there = rl_meniscus_beside(s, rl_surface_at(s, i, j, layer), layer, way);
    if (there >= 0) {
        const size_t slot = rl_surface_at(s, ni, nj, there);
        return s->wet[slot] ? RL_MENISCUS_NOWHERE : 2 * (uint64_t)slot;
    }
    if (way & 1)
        return RL_MENISCUS_NOWHERE;
    const rl_edge_code code =
        rl_edge_decode(s->edge[4 * rl_surface_at(s, i, j, layer) + (size_t)way / 2]);
    return code.kind == RL_EDGE_WALL ? 2 * (uint64_t)rl_surface_at(s, ni, nj, 0) + 1
                                     : RL_MENISCUS_NOWHERE;
}

RL_SHARED void rl_meniscus_first_ring(const rl_surface *s, int i, int j, int layer)
{
    const size_t slot = rl_surface_at(s, i, j, layer);
    s->shore_at[0][slot] = RL_MENISCUS_NOWHERE;
    s->shore_distance[0][slot] = RL_MENISCUS_FAR;
    if (s->wet_link[slot] == 0xff && rl_meniscus_walls_beside(s, i, j) == 0)
        return;
    for (int k = 0; k < 8 && s->shore_at[0][slot] == RL_MENISCUS_NOWHERE; k++) {
        s->shore_at[0][slot] = rl_meniscus_boundary_at(s, i, j, layer, rl_meniscus_way(k));
        if (s->shore_at[0][slot] == RL_MENISCUS_NOWHERE)
            continue;
        s->shore_distance[0][slot] = rl_meniscus_stretch(rl_meniscus_way(k)) * s->columns.cell_size;
        s->moved[0][slot] = 1;
    }
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

RL_SHARED float rl_meniscus_distance_to(const rl_surface *s, int i, int j, uint64_t boundary)
{
    const size_t point = (size_t)(boundary / 2) % s->plane;
    const float x = (float)(int)(point % s->pitch) - (float)(i + 1);
    const float y = (float)(int)(point / s->pitch) - (float)(j + 1);
    return sqrtf(x * x + y * y) * s->columns.cell_size;
}

// Takes over the boundary column of a linked column where that is nearer.
RL_SHARED void rl_meniscus_reckon(const rl_surface *s, int i, int j, int layer)
{
    const size_t slot = rl_surface_at(s, i, j, layer);
    uint64_t best = s->shore_at[0][slot];
    float distance = s->shore_distance[0][slot];
    for (int k = 0; k < 8; k++) {
        const int way = rl_meniscus_way(k);
        const int ni = i + rl_surface_step_x(way), nj = j + rl_surface_step_y(way);
        const int there =
            rl_meniscus_on_grid(s, ni, nj) ? rl_meniscus_beside(s, slot, layer, way) : -1;
        if (there < 0)
            continue;
        const size_t other = rl_surface_at(s, ni, nj, there);
        if (!s->wet[other] || s->shore_at[0][other] == RL_MENISCUS_NOWHERE)
            continue;
        const float detour =
            s->shore_distance[0][other] + rl_meniscus_stretch(way) * s->columns.cell_size;
        if (!(distance > detour))
            continue;
        // A boundary above or below, in the same cell, is not beside it.
        const float straight = rl_meniscus_distance_to(s, i, j, s->shore_at[0][other]);
        if (straight > 0.0f) {
            best = s->shore_at[0][other];
            distance = straight;
        }
    }
    s->moved[1][slot] = best != s->shore_at[0][slot];
    s->shore_at[1][slot] = best;
    s->shore_distance[1][slot] = distance;
}

// ---- Direction and angle -----------------------------------------------------------------

// Returns the distance at the neighbour of a wet column; false where there is none.
RL_SHARED bool rl_meniscus_distance_beside(const rl_surface *s, int i, int j, int layer, int way,
                                           float *distance)
{
    const int ni = i + rl_surface_step_x(way), nj = j + rl_surface_step_y(way);
    *distance = 0.0f;
    if (!rl_meniscus_on_grid(s, ni, nj))
        return rl_meniscus_walls_beside(s, i, j) >> way & 1;
    const int there = rl_meniscus_beside(s, rl_surface_at(s, i, j, layer), layer, way);
    const size_t other = there >= 0 ? rl_surface_at(s, ni, nj, there) : 0;
    if (there >= 0 && s->wet[other]) {
        *distance = s->shore_distance[0][other];
        return s->shore_at[0][other] != RL_MENISCUS_NOWHERE;
    }
    return rl_meniscus_boundary_at(s, i, j, layer, way) != RL_MENISCUS_NOWHERE;
}

// Computes the direction down the distance field, by central differences where both sides are
// known.
RL_SHARED void rl_meniscus_direction_of(const rl_surface *s, int i, int j, int layer,
                                        float direction[2])
{
    const size_t slot = rl_surface_at(s, i, j, layer);
    const float here = s->shore_distance[0][slot];
    for (int axis = 0; axis < 2; axis++) {
        float after = here, before = here;
        const bool has_after = rl_meniscus_distance_beside(s, i, j, layer, 2 * axis, &after);
        const bool has_before = rl_meniscus_distance_beside(s, i, j, layer, 2 * axis + 4, &before);
        const float rise = (has_after ? after : here) - (has_before ? before : here);
        direction[axis] = has_after && has_before ? -0.5f * rise : 0.0f - rise;
    }
    const float least = 1e-3f * s->columns.cell_size;
    if (direction[0] * direction[0] + direction[1] * direction[1] < least * least) {
        // Between two shores it points towards the one that was found.
        const size_t point = (size_t)(s->shore_at[0][slot] / 2) % s->plane;
        direction[0] = (float)(int)(point % s->pitch) - (float)(i + 1);
        direction[1] = (float)(int)(point / s->pitch) - (float)(j + 1);
    }
    const float length = sqrtf(direction[0] * direction[0] + direction[1] * direction[1]);
    direction[0] /= length;
    direction[1] /= length;
}

// psi = beta - alpha, at most a right angle.
RL_SHARED float rl_meniscus_tilt(const rl_surface *s, float beta)
{
    const float psi = beta - s->def.contact_angle * (RL_SHORE_RIGHT_ANGLE / 90.0f);
    return psi < -RL_SHORE_RIGHT_ANGLE  ? -RL_SHORE_RIGHT_ANGLE
           : psi > RL_SHORE_RIGHT_ANGLE ? RL_SHORE_RIGHT_ANGLE
                                        : psi;
}

// Returns the angle at the boundary of a wet column, across which `direction` leads. Between two
// shores that may lead to the other one; then the way to the boundary column counts.
RL_SHARED float rl_meniscus_angle_of(const rl_surface *s, int i, int j, size_t slot,
                                     const float direction[2])
{
    const uint64_t boundary = s->shore_at[0][slot];
    if (boundary & 1)
        return rl_meniscus_tilt(s, RL_SHORE_RIGHT_ANGLE);
    const size_t point = (size_t)(boundary / 2) % s->plane;
    const int bi = (int)(point % s->pitch) - 1, bj = (int)(point / s->pitch) - 1;
    const int there = (int)((size_t)(boundary / 2) / s->plane);
    const float x = (float)(bi - i), y = (float)(bj - j);
    const float length = sqrtf(x * x + y * y), across = direction[0] * x + direction[1] * y;
    float outward[2] = {direction[0], direction[1]};
    if (!(across > 0.0f)) {
        outward[0] = x / length;
        outward[1] = y / length;
    }
    return rl_meniscus_tilt(s, rl_shore_tilt(rl_shore_slope_of(s, bi, bj, there, outward)));
}

// Returns how steep the surface of a wet column is: its largest slope to a wet column beside it.
RL_SHARED float rl_meniscus_level_tilt(const rl_surface *s, int i, int j, int layer)
{
    const size_t slot = rl_surface_at(s, i, j, layer);
    const float level = rl_edge_level(s, i, j, layer);
    float most = 0.0f;
    for (int way = 0; way < 8; way += 2) {
        const int ni = i + rl_surface_step_x(way), nj = j + rl_surface_step_y(way);
        const int there =
            rl_meniscus_on_grid(s, ni, nj) ? rl_meniscus_beside(s, slot, layer, way) : -1;
        if (there < 0 || !s->wet[rl_surface_at(s, ni, nj, there)])
            continue;
        const float rise = fabsf(rl_edge_level(s, ni, nj, there) - level);
        most = rise > most ? rise : most;
    }
    return most / s->columns.cell_size;
}

// Puts distance and direction as the line of the shore has them, as far as it counts.
RL_SHARED void rl_meniscus_follow_line(const rl_surface *s, int i, int j, int layer,
                                       float *distance, float direction[2])
{
    const uint64_t boundary = s->shore_at[0][rl_surface_at(s, i, j, layer)];
    if (boundary & 1)
        return;
    const size_t point = (size_t)(boundary / 2) % s->plane;
    const int bi = (int)(point % s->pitch) - 1, bj = (int)(point / s->pitch) - 1;
    const rl_shore_line line =
        rl_shore_line_of(s, bi, bj, (int)((size_t)(boundary / 2) / s->plane), bi - i, bj - j,
                         rl_edge_level(s, i, j, layer), rl_meniscus_level_tilt(s, i, j, layer));
    const float x = rl_surface_between(direction[0], line.outward[0], line.part);
    const float y = rl_surface_between(direction[1], line.outward[1], line.part);
    const float length = sqrtf(x * x + y * y);
    if (!(length > 0.1f)) // they point to opposite sides
        return;
    direction[0] = x / length;
    direction[1] = y / length;
    *distance = rl_surface_between(*distance, line.distance, line.part);
}

RL_SHARED rill_meniscus rl_meniscus_of_wet(const rl_surface *s, int i, int j, int layer)
{
    rill_meniscus m = rl_meniscus_none();
    const size_t slot = rl_surface_at(s, i, j, layer);
    if (s->shore_at[0][slot] == RL_MENISCUS_NOWHERE)
        return m;
    float inside = s->shore_distance[0][slot] - 0.5f * s->columns.cell_size;
    rl_meniscus_direction_of(s, i, j, layer, m.direction);
    rl_meniscus_follow_line(s, i, j, layer, &inside, m.direction);
    m.weight = 1.0f - inside / s->def.meniscus_length;
    if (!(m.weight > 0.0f))
        return rl_meniscus_none();
    m.weight = m.weight < 1.0f ? m.weight : 1.0f;
    m.angle = rl_meniscus_angle_of(s, i, j, slot, m.direction);
    return m;
}

// A dry column ends the meniscus of the wet ones it is linked to.
RL_SHARED rill_meniscus rl_meniscus_of_dry(const rl_surface *s, int i, int j, int layer)
{
    rill_meniscus sum = rl_meniscus_none();
    int count = 0;
    for (int way = 0; way < 8; way++) {
        const int ni = i + rl_surface_step_x(way), nj = j + rl_surface_step_y(way);
        const int there =
            rl_meniscus_on_grid(s, ni, nj) ? rl_cross_layer_link(s, i, j, layer, way) : -1;
        if (there < 0)
            continue;
        const rill_meniscus one = rl_meniscus_of_wet(s, ni, nj, there);
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
            to->angle = rl_meniscus_tilt(s, RL_SHORE_RIGHT_ANGLE);
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
    to->angle = rl_meniscus_tilt(s, RL_SHORE_RIGHT_ANGLE);
    to->weight = 1.0f;
}

// Writes the meniscus of all vertices that are counted with a used slot.
RL_SHARED void rl_meniscus_put_point(const rl_surface *s, int i, int j, int layer)
{
    const size_t slot = rl_surface_at(s, i, j, layer);
    const int ci = rl_surface_clamp(i, s->nx), cj = rl_surface_clamp(j, s->ny);
    rill_meniscus *to = &s->meniscus[s->number[slot]];
    if (!(s->corner[slot] & RL_CORNER_WET)) {
        *to = rl_meniscus_of_dry(s, ci, cj, layer);
        return;
    }
    *to = rl_meniscus_of_wet(s, ci, cj, layer);
    rl_meniscus_put_wall(s, i, j, to);
    if ((s->cut[slot] & RL_SIDES) | s->extra[slot])
        rl_meniscus_put_extra(s, i, j, layer, to + 1);
}
