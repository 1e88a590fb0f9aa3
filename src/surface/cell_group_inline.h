// SPDX-License-Identifier: MIT
// cell_group_inline.h - the columns over a group of 2x2 cells where not everything is linked within
// one layer: links between layers, ends of surfaces, walls and curtains. For hosts and devices.
//
// Links along the sides of the cell group join its columns to chains and rings around its middle,
// since a column has at most one link a side. A ring is a surface that covers the group. A chain is
// one that ends on both sides of a gap: on dry columns, or on the edge vertices of its last wet
// ones (edges.h), which close the polygon. Each side of a group belongs to the next group as well,
// and its treatment does not depend on the group, so there are no cracks.
//
// In the polygon a dry column stands for the end of the surface: its own vertex where the ground is
// above the level, else the points where the surfaces of the wet columns beside it end (shore.c).
//
// This contains the rules of Dagenais section 4.2 (four columns that are linked make two triangles,
// three make one, the rest none) and fills the holes that they leave: a ring whose diagonals are
// not linked is drawn as well, and a group of three is completed by the vertex on the wall or the
// lip.
#pragma once

#include "surface/edges_inline.h"

// Corners a, b, c, d of the cell group run counter-clockwise; from corner q the next one is in
// direction 2 q, the one before in direction 2 q + 2, the opposite one in direction 2 q + 1.

// The longest chain that there can be, since it may go around the cell group again and again, from
// floor to floor; and the longest that is drawn. A device has smaller arrays, and reports
// `too_long` where they are not enough.
#define RL_CELL_GROUP_LONGEST (4 * RL_SURFACE_MAX_LAYERS)
#if defined(__CUDACC__) || defined(RL_CUDA_EMULATED)
#define RL_CELL_GROUP_NODES 32
#else
#define RL_CELL_GROUP_NODES RL_CELL_GROUP_LONGEST
#endif

typedef struct rl_cell_group_place {
    const rl_surface *s;
    int i, j;                         // lattice point of corner a
    size_t points_at[4], cells_at[4]; // slots of the corners and of their cells in layer 0
} rl_cell_group_place;

// A column of the cell group.
typedef struct rl_cell_group_node {
    uint8_t corner, layer, wet;
} rl_cell_group_node;

typedef struct rl_cell_group_point {
    size_t slot;
    uint8_t offset; // 0: the vertex of the column, else one that is counted with it
    uint8_t foot;   // offset of the foot of a lip, or 0
    uint8_t corner, layer;
    int8_t x, y;    // its approximate place: 0 to 2 from corner to corner
    uint8_t inside; // a wet column
} rl_cell_group_point;

// The target of triangles and its capacity: vertices without numbers (rl_polygon_number), or
// indices. Either may be NULL.
typedef struct rl_cell_group_target {
    uint64_t *polygons;
    uint32_t *indices;
    size_t capacity;
} rl_cell_group_target;

typedef struct rl_cell_group {
    rl_cell_group_place place;
    rl_cell_group_target to;
    size_t triangles;
    int node_count, point_count;
    bool ring;
    bool too_long;                                // some chain is longer than the arrays
    uint64_t seen[4][RL_SURFACE_MAX_LAYERS / 64]; // wet columns that are drawn, by corner
    rl_cell_group_node nodes[RL_CELL_GROUP_NODES];
    rl_cell_group_point points[2 * RL_CELL_GROUP_NODES + 2];
} rl_cell_group;

// The owner of a vertex that closes a chain: the end of the surface of a wet slot, or an edge
// vertex, on side `way`; or a dry slot, with `way` -1.
typedef struct rl_cell_group_end {
    size_t slot;
    int way;
} rl_cell_group_end;

RL_SHARED void rl_cell_group_set_place(rl_cell_group_place *g, const rl_surface *s, int i, int j)
{
    g->s = s;
    g->i = i;
    g->j = j;
    for (int corner = 0; corner < 4; corner++) {
        const int x = i + rl_corner_x(corner), y = j + rl_corner_y(corner);
        g->points_at[corner] = rl_surface_at(s, x, y, 0);
        g->cells_at[corner] =
            rl_surface_at(s, rl_surface_clamp(x, s->nx), rl_surface_clamp(y, s->ny), 0);
    }
}

RL_SHARED size_t rl_cell_group_slot_of(const rl_cell_group_place *g, rl_cell_group_node n)
{
    return g->points_at[n.corner] + (size_t)n.layer * g->s->plane;
}

RL_SHARED bool rl_cell_group_is_wet(const rl_cell_group_place *g, int corner, int layer)
{
    return g->s->wet[g->cells_at[corner] + (size_t)layer * g->s->plane];
}

// Returns the direction from a corner to the next one (turn 1) or to the one before (turn -1).
RL_SHARED int rl_cell_group_way_of(int corner, int turn)
{
    return turn > 0 ? 2 * corner : (2 * corner + 2) % 8;
}

// ---- Chains and rings --------------------------------------------------------------------

// Finds the column linked to a column at the next corner (turn 1) or the one before (turn -1):
// rl_cross_layer_link() with places that are known.
RL_SHARED bool rl_cell_group_linked_node(const rl_cell_group_place *g, rl_cell_group_node from,
                                         int turn, rl_cell_group_node *to)
{
    const rl_surface *s = g->s;
    const size_t slot = g->cells_at[from.corner] + (size_t)from.layer * s->plane;
    const int way = rl_cell_group_way_of(from.corner, turn);
    to->corner = (uint8_t)((from.corner + turn + 4) % 4);
    to->layer = from.layer;
    if (g->cells_at[to->corner] != g->cells_at[from.corner]) {
        if (s->crossed[slot]) {
            to->layer = s->link_layer[4 * slot + (size_t)way / 2];
            if (to->layer == RL_NO_LAYER)
                return false;
        } else if (!from.wet && !(s->wet_link[slot] >> way & 1)) {
            return false;
        }
    }
    to->wet = rl_cell_group_is_wet(g, to->corner, to->layer);
    return true;
}

RL_SHARED bool rl_cell_group_same_node(rl_cell_group_node p, rl_cell_group_node q)
{
    return p.corner == q.corner && p.layer == q.layer;
}

RL_SHARED void rl_cell_group_add_node(rl_cell_group *g, rl_cell_group_node n)
{
    g->nodes[g->node_count++] = n;
    if (n.wet)
        g->seen[n.corner][n.layer / 64] |= (uint64_t)1 << n.layer % 64;
}

// Follows the chain from its first column on. It is a ring if it comes back to `start`.
RL_SHARED void rl_cell_group_follow(rl_cell_group *g, rl_cell_group_node start)
{
    rl_cell_group_node next;
    g->node_count = 0;
    rl_cell_group_add_node(g, start);
    while (rl_cell_group_linked_node(&g->place, g->nodes[g->node_count - 1], 1, &next)) {
        g->ring = rl_cell_group_same_node(next, start);
        g->too_long = g->too_long || (!g->ring && g->node_count == RL_CELL_GROUP_NODES);
        if (g->ring || g->node_count == RL_CELL_GROUP_NODES)
            return;
        rl_cell_group_add_node(g, next);
    }
}

// Collects the chain or ring that a wet column belongs to, in counter-clockwise order.
RL_SHARED void rl_cell_group_collect(rl_cell_group *g, rl_cell_group_node start)
{
    rl_cell_group_node first = start, next;
    g->ring = false;
    rl_cell_group_follow(g, start); // most are rings, and known as such after one round
    if (g->ring)
        return;
    for (int k = 0;
         k < RL_CELL_GROUP_LONGEST && rl_cell_group_linked_node(&g->place, first, -1, &next); k++)
        first = next;
    if (!rl_cell_group_same_node(first, start))
        rl_cell_group_follow(g, first);
}

// Finds the far end of the chain of the wet column of lattice point (i, j), which has no link on
// side `way`, in the cell group to the left of that side (turn 1) or to the right (turn -1), seen
// from the column. Returns false where that group is not on the lattice, or the chain has less than
// three columns and its end cannot be in another group as well.
//
// Along side `way`, the group to the left has the column as its corner way / 2, with the missing
// neighbour at the next corner, and the one to the right has it as the corner after that.
RL_SHARED bool rl_cell_group_far_end(const rl_surface *s, int i, int j, int layer, int way,
                                     int turn, rl_cell_group_end *end)
{
    const int corner = turn > 0 ? way / 2 : (way / 2 + 3) % 4;
    const int left = i - rl_corner_x(corner), below = j - rl_corner_y(corner);
    if (left < -1 || below < -1 || left + 1 > s->nx || below + 1 > s->ny)
        return false;
    rl_cell_group_place g;
    rl_cell_group_set_place(&g, s, left, below);
    rl_cell_group_node from = {(uint8_t)corner, (uint8_t)layer, 1}, last = from, next;
    int count = 1;
    for (; count < RL_CELL_GROUP_LONGEST && rl_cell_group_linked_node(&g, last, -turn, &next);
         count++) {
        from = last;
        last = next;
    }
    if (count < 3)
        return false;
    const rl_cell_group_node wet = last.wet ? last : from;
    const int towards = rl_cell_group_way_of(wet.corner, -turn);
    end->slot = rl_cell_group_slot_of(&g, wet);
    end->way = towards;
    if (last.wet) {
        const rl_edge edge = rl_edge_of(s, left + rl_corner_x(wet.corner),
                                        below + rl_corner_y(wet.corner), wet.layer, towards);
        const rl_edge_member *m = &edge.members[edge.owner];
        end->slot = rl_surface_at(s, m->i, m->j, m->layer);
        end->way = (m->side + 4) % 8;
        if (edge.adopted >= 0) {
            end->slot = rl_surface_at(s, edge.i, edge.j, edge.adopted);
            end->way = -1;
        }
    } else if (!(s->cut[end->slot] >> towards & 1)) {
        end->slot = rl_cell_group_slot_of(&g, last);
        end->way = -1;
    }
    return true;
}

// ---- Owners of edge vertices ------------------------------------------------------------

// Returns whether a curtain hangs from a lip. None does in a slit that is no longer than the side:
// there the surfaces on both sides of it end in the same two points, and close each other.
RL_SHARED bool rl_edge_has_curtain(const rl_surface *s, const rl_edge *edge)
{
    if (!s->def.curtains || edge->kind != RL_EDGE_LIP)
        return false;
    const rl_edge_member *m = &edge->members[0];
    const int way = (m->side + 4) % 8;
    rl_cell_group_end left, right;
    return !rl_cell_group_far_end(s, m->i, m->j, m->layer, way, 1, &left) ||
           !rl_cell_group_far_end(s, m->i, m->j, m->layer, way, -1, &right) ||
           left.slot != right.slot || left.way != right.way;
}

// Sets `extra` and `edge` of a wet column of lattice point (i, j).
RL_SHARED void rl_edge_owner(const rl_surface *s, int i, int j, int layer)
{
    const size_t slot = rl_surface_at(s, i, j, layer);
    const bool on_rim = i < 0 || i >= s->nx || j < 0 || j >= s->ny;
    unsigned extra = 0;
    for (int way = 0; way < 8; way += 2) {
        if (!on_rim && s->link_layer[4 * slot + (size_t)way / 2] != RL_NO_LAYER)
            continue;
        s->edge[4 * slot + (size_t)way / 2] = RL_NO_EDGE;
        if (!rl_surface_on_lattice(s, i + rl_surface_step_x(way), j + rl_surface_step_y(way)) ||
            rl_cross_layer_link(s, i, j, layer, way) >= 0)
            continue;
        const rl_edge edge = rl_edge_of(s, i, j, layer, way);
        const rl_edge_member *owner = &edge.members[edge.owner];
        const bool adopted = edge.adopted >= 0;
        const rl_edge_code code = {edge.kind, adopted ? edge.adopted : owner->layer, owner->side,
                                   adopted, rl_edge_has_curtain(s, &edge)};
        s->edge[4 * slot + (size_t)way / 2] = rl_edge_encode(code);
        if (!adopted && edge.owner == 0)
            extra |= (code.curtain ? 17u : 1u) << way / 2;
    }
    s->extra[slot] = (uint8_t)extra;
}
