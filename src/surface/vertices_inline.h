// SPDX-License-Identifier: MIT
// vertices_inline.h - single vertices and their normals, for hosts and devices. The opening comment
// of vertices.c says what they are.
#pragma once

#include "surface/edges_inline.h"
#include "surface/shore_inline.h"

#include <stddef.h>

// ---- Normals -----------------------------------------------------------------------------

// Computes the normal of one column within its layer, as shade_any() does.
RL_SHARED void rl_surface_normal_in_layer(const rl_surface *s, size_t slot, float normal[3])
{
    const float *here = s->level + slot;
    const ptrdiff_t row = (ptrdiff_t)s->pitch;
    const unsigned wet_link = s->wet_link[slot];
    const float scale = 1.0f / s->columns.cell_size;
    const float tilt_x = rl_surface_slope(here[0] - here[-1], here[1] - here[0],
                                          wet_link >> RL_WEST & 1, wet_link >> RL_EAST & 1, scale);
    const float tilt_y =
        rl_surface_slope(here[0] - here[-row], here[row] - here[0], wet_link >> RL_SOUTH & 1,
                         wet_link >> RL_NORTH & 1, scale);
    rl_surface_upright(tilt_x, tilt_y, &normal[0], &normal[1], &normal[2]);
}

// Computes the normal of a slot over lattice point `cell` of layer 0, without branches, because the
// sides may be linked to any layer. Beyond the border nothing is wet.
RL_SHARED void rl_surface_normal_across(const rl_surface *s, size_t slot, size_t cell,
                                        float normal[3])
{
    const float here = s->level[slot], scale = 1.0f / s->columns.cell_size;
    float difference[4];
    int has[4];
    for (int side = 0; side < 4; side++) {
        const size_t there = s->link_layer[4 * slot + (size_t)side];
        const ptrdiff_t step =
            rl_surface_step_x(2 * side) + rl_surface_step_y(2 * side) * (ptrdiff_t)s->pitch;
        const size_t beside = there == RL_NO_LAYER ? slot : cell + there * s->plane + (size_t)step;
        has[side] = (there != RL_NO_LAYER) & s->wet[beside];
        difference[side] = has[side] ? s->level[beside] - here : 0.0f;
    }
    rl_surface_upright(rl_surface_slope(0.0f - difference[2], difference[0], has[2], has[0], scale),
                       rl_surface_slope(0.0f - difference[3], difference[1], has[3], has[1], scale),
                       &normal[0], &normal[1], &normal[2]);
}

// Computes the normal of the wet column of a cell, whatever it is linked to.
RL_SHARED void rl_surface_normal(const rl_surface *s, int i, int j, int layer, float normal[3])
{
    const size_t slot = rl_surface_at(s, i, j, layer);
    if (s->crossed[slot] != RL_CROSSED_WET)
        rl_surface_normal_in_layer(s, slot, normal);
    else
        rl_surface_normal_across(s, slot, rl_surface_at(s, i, j, 0), normal);
}

// Computes the normal of a dry column that is linked to wet ones.
RL_SHARED void rl_surface_shore_normal(const rl_surface *s, int i, int j, int layer,
                                       float normal[3])
{
    float sum[3] = {0.0f, 0.0f, 0.0f};
    unsigned about = rl_surface_about(s, rl_surface_at(s, i, j, layer));
    for (; about != 0; about &= about - 1) {
        const int way = rl_surface_lowest(about);
        const int there = rl_surface_wet_beside(s, i, j, layer, way);
        if (there < 0)
            continue;
        float one[3];
        rl_surface_normal(s, i + rl_surface_step_x(way), j + rl_surface_step_y(way), there, one);
        for (int k = 0; k < 3; k++)
            sum[k] += one[k];
    }
    rl_surface_unit(sum, normal);
}

// ---- Ends of surfaces ----------------------------------------------------------------------

// Writes the end of a surface, on the ground between the centres of a wet and a dry column; `own`
// is the vertex of the wet one.
RL_SHARED void rl_vertex_put_end(const rl_surface *s, rill_vertex *v, int i, int j, int layer,
                                 int way, const rill_vertex *own)
{
    const rill_columns *c = &s->columns;
    const int ni = i + rl_surface_step_x(way), nj = j + rl_surface_step_y(way);
    const int there = rl_cross_layer_link(s, i, j, layer, way);
    const float t = rl_surface_end_of_mesh(s, i, j, layer, way);
    const float base = c->base[rl_surface_column_at(s, i, j, layer)];
    const float dry = c->base[rl_surface_column_at(s, ni, nj, there)];
    memset(v, 0, sizeof *v);
    memcpy(v->normal, own->normal, sizeof v->normal);
    v->position[0] =
        rl_surface_between(own->position[0], rl_surface_place(ni, s->nx, c->cell_size), t);
    v->position[1] =
        rl_surface_between(own->position[1], rl_surface_place(nj, s->ny, c->cell_size), t);
    v->position[2] = rl_surface_between(base + rl_surface_local(s, i, j, layer),
                                        dry + rl_surface_local(s, ni, nj, there), t);
}

// ---- Walls and lips ----------------------------------------------------------------------

// Computes the means over the columns around the vertex on a wall.
RL_SHARED void rl_vertex_put_wall(const rl_surface *s, rill_vertex *v, const rl_edge_member *around,
                                  int count)
{
    float normal[3] = {0.0f, 0.0f, 0.0f}, opacity = 0.0f;
    for (int k = 0; k < count; k++) {
        const int i = rl_surface_clamp(around[k].i, s->nx),
                  j = rl_surface_clamp(around[k].j, s->ny);
        float one[3];
        rl_surface_normal(s, i, j, around[k].layer, one);
        for (int axis = 0; axis < 3; axis++)
            normal[axis] += one[axis];
        opacity += rl_surface_opacity(s->columns.depth[rl_surface_column(s, i, j, around[k].layer)],
                                      s->def.opaque_depth);
    }
    memset(v, 0, sizeof *v);
    rl_surface_unit(normal, v->normal);
    v->opacity = opacity / (float)count;
}

// The surface turns over at a lip, and the curtain below it faces outwards and inwards.
RL_SHARED void rl_vertex_put_lip(rill_vertex *v, const rl_edge_place *place, bool curtain,
                                 const rill_vertex *own)
{
    *v = *own;
    memcpy(v->position, place->position, sizeof v->position);
    if (!curtain)
        return;
    v[1] = v[2] = v[0];
    memcpy(v[1].position, place->foot, sizeof v->position);
    memcpy(v[2].position, place->back, sizeof v->position);
    const float front[3] = {place->outward[0], place->outward[1], 0.0f};
    const float back[3] = {0.0f - front[0], 0.0f - front[1], 0.0f};
    const float bent[3] = {v->normal[0] + front[0], v->normal[1] + front[1], v->normal[2]};
    rl_surface_unit(bent, v->normal);
    rl_surface_unit(front, v[1].normal);
    rl_surface_unit(back, v[2].normal);
    v[1].depth = v[2].depth = 0.0f; // almost no water arrives: a falling film gets thin
}

// Writes an edge vertex and returns the number of vertices written: three for a lip with a curtain.
// Against a wall there is no liquid below the vertex, which is inside a solid or under water.
RL_SHARED size_t rl_vertex_put_edge(const rl_surface *s, rill_vertex *v, int i, int j, int layer,
                                    int way, const rill_vertex *own)
{
    const size_t slot = rl_surface_at(s, i, j, layer);
    const bool lip = rl_edge_decode(s->edge[4 * slot + (size_t)way / 2]).kind == RL_EDGE_LIP;
    const rl_edge edge = lip ? rl_edge_lip(s, i, j, layer, way) : rl_edge_of(s, i, j, layer, way);
    rl_edge_member around[8];
    const int count = edge.kind == RL_EDGE_LIP ? 1 : rl_edge_around(s, &edge, around);
    const rl_edge_place place = rl_edge_place_of(s, &edge, around, count);
    if (edge.kind == RL_EDGE_LIP) {
        const bool curtain = s->extra[slot] >> (way / 2 + 4) & 1;
        rl_vertex_put_lip(v, &place, curtain, own);
        return curtain ? 3 : 1;
    }
    rl_vertex_put_wall(s, v, around, count);
    memcpy(v->position, place.position, sizeof v->position);
    return 1;
}

// Writes the vertices that are counted with a wet slot besides its own.
RL_SHARED size_t rl_vertex_put_extra(const rl_surface *s, int i, int j, int layer, size_t next)
{
    const size_t slot = rl_surface_at(s, i, j, layer);
    const rill_vertex *own = &s->vertices[next - 1];
    for (int way = 0; way < 8; way += 2)
        if (s->cut[slot] >> way & 1)
            rl_vertex_put_end(s, &s->vertices[next++], i, j, layer, way, own);
    for (int way = 0; way < 8; way += 2)
        if (s->extra[slot] >> way / 2 & 1)
            next += rl_vertex_put_edge(s, &s->vertices[next], i, j, layer, way, own);
    return next;
}

// ---- Columns -----------------------------------------------------------------------------

// Writes point (i, j) with the values of cell (ci, cj).
RL_SHARED void rl_vertex_put_column(const rl_surface *s, rill_vertex *v, int i, int j, int ci,
                                    int cj, int layer)
{
    const rill_columns *c = &s->columns;
    const size_t at = rl_surface_at(s, i, j, layer), column = rl_surface_column(s, ci, cj, layer);
    v->position[0] = rl_surface_place(i, s->nx, c->cell_size);
    v->position[1] = rl_surface_place(j, s->ny, c->cell_size);
    v->position[2] = s->height[at];
    if (s->corner[at] & RL_CORNER_WET) {
        rl_surface_normal(s, ci, cj, layer, v->normal);
        v->velocity[0] = c->velocity_x[column];
        v->velocity[1] = c->velocity_y[column];
        v->opacity = rl_surface_opacity(c->depth[column], s->def.opaque_depth);
        v->depth = c->depth[column];
    } else {
        rl_surface_shore_normal(s, ci, cj, layer, v->normal);
        v->velocity[0] = v->velocity[1] = 0.0f;
        v->opacity = v->depth = 0.0f;
    }
}

// Writes all vertices that are counted with a used slot, from vertex `next` on; returns the one
// after.
RL_SHARED size_t rl_vertex_put_point(const rl_surface *s, int i, int j, int layer, size_t next)
{
    const size_t slot = rl_surface_at(s, i, j, layer);
    s->number[slot] = (uint32_t)next;
    rl_vertex_put_column(s, &s->vertices[next++], i, j, rl_surface_clamp(i, s->nx),
                         rl_surface_clamp(j, s->ny), layer);
    if ((s->corner[slot] & RL_CORNER_WET) && ((s->cut[slot] & RL_SIDES) | s->extra[slot]))
        next = rl_vertex_put_extra(s, i, j, layer, next);
    return next;
}
