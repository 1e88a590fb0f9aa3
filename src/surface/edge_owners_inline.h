// SPDX-License-Identifier: MIT
// edge_owners_inline.h - which edge vertices are counted with a slot, and which of them have a
// curtain, for hosts and devices.
#pragma once

#include "surface/cell_group_inline.h"

// Whether a curtain hangs from a lip. None does in a slit that is no longer than the side: there
// the sheets on both sides of it end in the same two points, and close each other.
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
        if (!on_rim && s->partner[4 * slot + (size_t)way / 2] != RL_NO_LAYER)
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
