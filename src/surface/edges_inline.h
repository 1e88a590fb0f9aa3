// SPDX-License-Identifier: MIT
// edges_inline.h - vertices where a surface ends at no column: against a wall, over the edge of an
// overhang, or under a ceiling; their owners and places, for hosts and devices.
//
// A wet column that is linked to nothing in a neighbouring cell X gets a vertex there, so that its
// surface has no crack. Its kind depends on what X has at the column's level. Against a wall
// (Dagenais section 4.3) columns around X that belong together have one vertex in common: those on
// two sides of X of which both are linked to one column in the cell between them. Over the edge of
// an overhang each column has a lip of its own.
//
// A lip is halfway to X, or as far as the solid that its member is on comes out. A curtain hangs
// from it down to the liquid in X, or to the floor. It has a front and a back, which join at the
// foot and at its sides; the back goes up to the underside of the solid. So it is closed like a
// falling film, and no edge is open in the air.
#pragma once

#include "surface/cross_layer_links_inline.h"

#include <math.h>

// The content of X at the level of a column.
typedef enum rl_edge_kind {
    RL_EDGE_WALL,   // solid: the vertex is inside it
    RL_EDGE_LIP,    // air: the liquid drips off
    RL_EDGE_POCKET, // liquid that is higher than the ceiling of the column
} rl_edge_kind;

// A column on one of the four sides of X: lattice point, layer, and the side of X it is on.
typedef struct rl_edge_member {
    int i, j, layer, side;
} rl_edge_member;

typedef struct rl_edge {
    int i, j; // X
    int count;
    rl_edge_member members[4];
    rl_edge_kind kind; // for the first member; a lip has no other
    float span[2];     // elevations of X with that content, metres
    bool closed;       // members on all sides, all joined
    bool shifted;      // the surface of another column ends between it and X
    int adopted;       // layer of a dry column of X whose vertex is used instead, or -1
    int owner;         // the member whose slot the vertex is counted with
} rl_edge;

// The place of the vertex, and the foot and back of its curtain.
typedef struct rl_edge_place {
    float position[3];
    float foot[3];    // of a lip: on the liquid or the floor below
    float back[3];    // of a lip: under the solid, where the back of the curtain begins
    float outward[2]; // horizontal unit vector away from the members, or 0
} rl_edge_place;

// The edge vertex of a slot on a side, as `edge` holds it: its kind, the layer of its owner (or of
// the dry column that is adopted), the side of X that its owner is on, whether a curtain hangs from
// it.
typedef struct rl_edge_code {
    rl_edge_kind kind;
    int layer, side;
    bool adopted, curtain;
} rl_edge_code;

#define RL_NO_EDGE 0xffff

// Bits 0 to 6: layer, 7 and 8: side, 9: adopted, 10: curtain, 11 and 12: kind.
RL_CELL rl_edge_code rl_edge_decode(uint16_t code)
{
    rl_edge_code c;
    c.kind = (rl_edge_kind)(code >> 11 & 3);
    c.layer = code & 127;
    c.side = 2 * (code >> 7 & 3);
    c.adopted = code >> 9 & 1;
    c.curtain = code >> 10 & 1;
    return c;
}

RL_CELL uint16_t rl_edge_encode(rl_edge_code c)
{
    return (uint16_t)((unsigned)c.layer | (unsigned)(c.side / 2) << 7 | (unsigned)c.adopted << 9 |
                      (unsigned)c.curtain << 10 | (unsigned)c.kind << 11);
}

// Returns the number of the vertex of a slot on side `way` among those counted with it, from 1 on;
// if it has a curtain, the foot is the next one, and the back the one after.
RL_CELL unsigned rl_edge_offset(const rl_surface *s, size_t slot, int way)
{
    const unsigned extra = s->extra[slot];
    unsigned offset = 1 + rl_surface_sides_below(s->cut[slot], 8);
    for (int k = 0; k < way / 2; k++)
        offset += (extra >> k & 1u) + 2 * (extra >> (k + 4) & 1u);
    return offset;
}

// Part of a cell size: a level that is less above a floor is at the floor.
#define RL_EDGE_AT_FLOOR 1e-3f
// The foot of a curtain and the beginning of its back, as a part of the way from X to the column
// that it hangs from.
#define RL_EDGE_FOOT 0.2f
#define RL_EDGE_BACK 0.75f
// How far beyond the solid that it hangs from a lip is, in cells, and how near to the centre of X
// it may come.
#define RL_EDGE_BESIDE     0.01f
#define RL_EDGE_NEAREST    0.005f
#define RL_EDGE_NO_CEILING 1e29f // metres: above is the sky

RL_SHARED float rl_edge_level(const rl_surface *s, int i, int j, int layer)
{
    const size_t at = rl_surface_column_at(s, i, j, layer);
    return s->columns.base[at] + s->columns.depth[at];
}

// ---- Content of a cell -------------------------------------------------------------------

// Returns the content of cell X at the level of a member, and the elevations that it has it at: of
// air or liquid from its surface on, of a solid from its underside to its floor. Unknown content is
// solid. Where a ceiling touches the level of a full column, the content below it counts.
RL_SHARED rl_edge_kind rl_edge_kind_for(const rl_surface *s, const rl_edge *edge,
                                        const rl_edge_member *m, float span[2])
{
    const rill_columns *c = &s->columns;
    const float tolerance = RL_EDGE_AT_FLOOR * c->cell_size;
    const float z = rl_edge_level(s, m->i, m->j, m->layer);
    const int ci = rl_surface_clamp(edge->i, s->nx), cj = rl_surface_clamp(edge->j, s->ny);
    rl_stack_entry one;
    int count;
    const rl_stack_entry *stack = rl_stack_of(s, ci, cj, &one, &count);
    span[0] = span[1] = z;
    for (int k = 0; k < count; k++) {
        const rl_stack_entry *e = &stack[k];
        if (!(z >= e->low - tolerance && z <= e->high + tolerance))
            continue;
        if (z > e->base + tolerance) {
            span[0] = e->base + c->depth[rl_surface_column(s, ci, cj, e->layer)];
            span[1] = e->high;
            return span[0] + tolerance >= z ? RL_EDGE_POCKET : RL_EDGE_LIP;
        }
        span[0] = e->low;
        span[1] = e->base;
    }
    return RL_EDGE_WALL;
}

// ---- Members -----------------------------------------------------------------------------

// Steps from a member on one side of X to the column on the next side, `turn` (2 or -2) further
// around, by way of the cell between the two. Returns false where the surface does not go around
// that corner.
RL_SHARED bool rl_edge_step_around(const rl_surface *s, const rl_edge *edge,
                                   const rl_edge_member *from, int turn, rl_edge_member *to)
{
    const int side = (from->side + turn + 8) % 8, back = (from->side + 4) % 8;
    const int ci = from->i + rl_surface_step_x(side), cj = from->j + rl_surface_step_y(side);
    if (!rl_surface_on_lattice(s, ci, cj))
        return false;
    const int corner = rl_cross_layer_link(s, from->i, from->j, from->layer, side);
    if (corner < 0)
        return false;
    to->i = edge->i + rl_surface_step_x(side);
    to->j = edge->j + rl_surface_step_y(side);
    to->layer = rl_cross_layer_link(s, ci, cj, corner, back);
    to->side = side;
    return to->layer >= 0 && rl_surface_is_wet(s, to->i, to->j, to->layer);
}

// The last member of a chain has a neighbour that is linked to X. If that link ends on a dry column
// buried there, its vertex serves all members; a second one in the same place would not.
RL_SHARED void rl_edge_adopt_linked(const rl_surface *s, rl_edge *edge, const rl_edge_member *m,
                                    int there)
{
    const int way = (m->side + 4) % 8;
    if (rl_surface_is_wet(s, edge->i, edge->j, there))
        return;
    if (s->cut[rl_surface_at(s, m->i, m->j, m->layer)] >> way & 1)
        edge->shifted = true;
    else if (edge->adopted < 0)
        edge->adopted = there;
}

// Follows the members around X; returns the number that was found.
RL_SHARED int rl_edge_follow(const rl_surface *s, rl_edge *edge, int turn)
{
    rl_edge_member at = edge->members[0], next;
    int found = 0;
    while (found < 4 * s->layers && rl_edge_step_around(s, edge, &at, turn, &next)) {
        const int there = rl_cross_layer_link(s, next.i, next.j, next.layer, (next.side + 4) % 8);
        if (there >= 0) {
            rl_edge_adopt_linked(s, edge, &next, there);
            break;
        }
        float span[2];
        if (rl_edge_kind_for(s, edge, &next, span) == RL_EDGE_LIP)
            break;
        if (next.side == edge->members[0].side && next.layer == edge->members[0].layer) {
            edge->closed = true;
            break;
        }
        if (edge->count < 4)
            edge->members[edge->count++] = next;
        found++;
        at = next;
    }
    return found;
}

// A column that is linked to another storey of a member's cell cannot be adopted as well.
RL_SHARED void rl_edge_check_adopted(const rl_surface *s, rl_edge *edge)
{
    for (int k = 0; k < edge->count && edge->adopted >= 0; k++)
        if (rl_cross_layer_link(s, edge->i, edge->j, edge->adopted, edge->members[k].side) >= 0) {
            edge->adopted = -1;
            edge->shifted = true;
        }
}

RL_SHARED bool rl_edge_before(const rl_edge_member *p, const rl_edge_member *q)
{
    if (p->j != q->j)
        return p->j < q->j;
    return p->i != q->i ? p->i < q->i : p->layer < q->layer;
}

// Returns the edge vertex of the wet column of lattice point (i, j) towards side `way`, where it
// has no link, for the case that it is a lip: no other members are searched.
RL_SHARED rl_edge rl_edge_lip(const rl_surface *s, int i, int j, int layer, int way)
{
    const rl_edge_member first = {i, j, layer, (way + 4) % 8};
    rl_edge edge;
    edge.i = i + rl_surface_step_x(way);
    edge.j = j + rl_surface_step_y(way);
    edge.count = 1;
    edge.members[0] = first;
    edge.closed = edge.shifted = false;
    edge.adopted = -1;
    edge.owner = 0;
    edge.kind = rl_edge_kind_for(s, &edge, &first, edge.span);
    return edge;
}

// Does the same for any kind.
RL_SHARED rl_edge rl_edge_of(const rl_surface *s, int i, int j, int layer, int way)
{
    rl_edge edge = rl_edge_lip(s, i, j, layer, way);
    if (edge.kind == RL_EDGE_LIP)
        return edge;
    int found = rl_edge_follow(s, &edge, 2);
    if (!edge.closed)
        found += rl_edge_follow(s, &edge, -2);
    if (found > 3) { // a spiral around X: each column has its own vertex
        edge.count = 1;
        edge.closed = false;
        edge.adopted = -1;
        edge.shifted = true;
    }
    rl_edge_check_adopted(s, &edge);
    for (int k = 1; k < edge.count; k++)
        if (rl_edge_before(&edge.members[k], &edge.members[edge.owner]))
            edge.owner = k;
    return edge;
}

// ---- Place -------------------------------------------------------------------------------

// Lists the members and the wet columns around X that are linked to them: lattice points and
// layers; returns their number, 1 to 8.
RL_SHARED int rl_edge_around(const rl_surface *s, const rl_edge *edge, rl_edge_member around[8])
{
    rl_edge_member ring[8];
    bool filled[8] = {false, false, false, false, false, false, false, false};
    for (int k = 0; k < edge->count; k++) {
        const rl_edge_member *m = &edge->members[k];
        ring[m->side] = *m;
        filled[m->side] = true;
        for (int turn = -2; turn <= 2; turn += 4) {
            const int side = (m->side + turn + 8) % 8, between = (m->side + turn / 2 + 8) % 8;
            const int ni = m->i + rl_surface_step_x(side), nj = m->j + rl_surface_step_y(side);
            const bool itself = rl_surface_clamp(ni, s->nx) == rl_surface_clamp(m->i, s->nx) &&
                                rl_surface_clamp(nj, s->ny) == rl_surface_clamp(m->j, s->ny);
            if (filled[between] || itself || !rl_surface_on_lattice(s, ni, nj))
                continue;
            const int there = rl_cross_layer_link(s, m->i, m->j, m->layer, side);
            if (there < 0 || !rl_surface_is_wet(s, ni, nj, there))
                continue;
            const rl_edge_member other = {ni, nj, there, between};
            ring[between] = other;
            filled[between] = true;
        }
    }
    int count = 0;
    for (int side = 0; side < 8; side++)
        if (filled[side])
            around[count++] = ring[side];
    return count;
}

RL_SHARED double rl_edge_mean_level(const rl_surface *s, const rl_edge_member *around, int count)
{
    double sum = 0.0;
    for (int k = 0; k < count; k++)
        sum += (double)rl_edge_level(s, around[k].i, around[k].j, around[k].layer);
    return sum / count;
}

// Returns the lowest of the members' ceilings, or of the undersides of the solid that they are on:
// `ends` is that end of the ranges.
RL_SHARED float rl_edge_lowest(const rl_surface *s, const rl_edge *edge, const float *ends)
{
    float lowest = RL_EDGE_NO_CEILING;
    for (int k = 0; k < edge->count; k++) {
        const rl_edge_member *m = &edge->members[k];
        const float one = ends[rl_surface_column_at(s, m->i, m->j, m->layer)];
        lowest = one < lowest ? one : lowest;
    }
    return lowest;
}

// Returns the place of a lip as a part of the way from X to its member: halfway, or just outside of
// the solid if that comes out further (reach.c).
RL_SHARED float rl_edge_lip_part(const rl_surface *s, const rl_edge_member *m)
{
    if (s->least == NULL || !s->ranged)
        return 0.5f;
    const uint8_t *reaches = (const uint8_t *)(s->least + 2 * s->least_stride * (size_t)s->layers);
    const size_t column = (size_t)m->layer * s->least_stride +
                          (size_t)rl_surface_clamp(m->j, s->ny) * s->least_pitch +
                          (size_t)rl_surface_clamp(m->i, s->nx);
    const float reach = (float)reaches[4 * column + (size_t)((m->side + 4) % 8 / 2)] / 255.0f;
    const float left = 1.0f - reach - RL_EDGE_BESIDE;
    return left > 0.5f ? 0.5f : left > RL_EDGE_NEAREST ? left : RL_EDGE_NEAREST;
}

// Computes the place of an edge vertex. `around` and `count` are from rl_edge_around(); a lip does
// not need them.
RL_SHARED rl_edge_place rl_edge_place_of(const rl_surface *s, const rl_edge *edge,
                                         const rl_edge_member *around, int count)
{
    const float size = s->columns.cell_size;
    const int cell[2] = {edge->i, edge->j}, cells[2] = {s->nx, s->ny};
    const rl_edge_member *m = edge->members;
    const float *span = edge->span;
    rl_edge_place place;
    float z = rl_edge_level(s, m->i, m->j, m->layer);
    if (edge->kind == RL_EDGE_WALL) {
        z = (float)rl_edge_mean_level(s, around, count);
        z = z < span[0] ? span[0] : z > span[1] ? span[1] : z;
    } else if (edge->kind == RL_EDGE_POCKET) {
        const float ceiling = rl_edge_lowest(s, edge, s->columns.range_max);
        z = ceiling < RL_EDGE_NO_CEILING ? ceiling : z;
    }
    place.position[2] = z;
    place.foot[2] = span[0];
    const float underside = rl_edge_lowest(s, edge, s->columns.range_min);
    // Not below the foot, nor level with it where the liquid stands against the solid: with the
    // vertex in that wall the three would be in line.
    place.back[2] = underside > span[0] ? underside : 0.5f * (span[0] + z);
    const float part = edge->kind == RL_EDGE_LIP                     ? rl_edge_lip_part(s, m)
                       : edge->kind != RL_EDGE_WALL || edge->shifted ? 0.5f
                                                                     : 0.0f;
    const float foot = part < RL_EDGE_FOOT ? part : RL_EDGE_FOOT;
    float to[2]; // from X to the middle of its members
    for (int axis = 0; axis < 2; axis++) {
        const float x = rl_surface_place(cell[axis], cells[axis], size);
        to[axis] = 0.0f;
        for (int k = 0; k < edge->count; k++)
            to[axis] += rl_surface_place(axis == 0 ? m[k].i : m[k].j, cells[axis], size) - x;
        to[axis] /= (float)edge->count;
        place.position[axis] = x + part * to[axis];
        place.foot[axis] = x + foot * to[axis];
        place.back[axis] = x + RL_EDGE_BACK * to[axis];
    }
    const float length = sqrtf(to[0] * to[0] + to[1] * to[1]);
    for (int axis = 0; axis < 2; axis++)
        place.outward[axis] = length > 0.0f ? 0.0f - to[axis] / length : 0.0f;
    return place;
}
