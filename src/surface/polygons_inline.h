// SPDX-License-Identifier: MIT
// polygons_inline.h - the triangles of a 2x2 cell group (cell_group_inline.h), for hosts and
// devices.
#pragma once

#include "surface/cell_group_inline.h"
#include "surface/shore_inline.h"

// A vertex before it has a number: its slot times 16, plus its place among those counted with it.
#define RL_POLYGON_PLACES 16

RL_CELL uint32_t rl_polygon_number(const rl_surface *s, uint64_t vertex)
{
    return s->number[vertex / RL_POLYGON_PLACES] + (uint32_t)(vertex % RL_POLYGON_PLACES);
}

// The most triangles that a cell group can have.
#define RL_CELL_GROUP_MOST (16 * RL_SURFACE_MAX_LAYERS)

// ---- Polygons ----------------------------------------------------------------------------

// Returns a point halfway between corner `corner`, which it belongs to, and corner `beside`.
RL_SHARED rl_cell_group_point rl_cell_group_point_of(size_t slot, unsigned offset, int corner,
                                                     int layer, int beside, int inside)
{
    rl_cell_group_point p;
    p.slot = slot;
    p.offset = (uint8_t)offset;
    p.foot = 0;
    p.corner = (uint8_t)corner;
    p.layer = (uint8_t)layer;
    p.x = (int8_t)(rl_corner_x(corner) + rl_corner_x(beside));
    p.y = (int8_t)(rl_corner_y(corner) + rl_corner_y(beside));
    p.inside = (uint8_t)inside;
    return p;
}

// Returns the point of a column.
RL_SHARED rl_cell_group_point rl_cell_group_column(const rl_cell_group *g, rl_cell_group_node n)
{
    return rl_cell_group_point_of(rl_cell_group_slot_of(&g->place, n), 0, n.corner, n.layer,
                                  n.corner, n.wet);
}

RL_SHARED void rl_cell_group_push(rl_cell_group *g, rl_cell_group_point p)
{
    const rl_cell_group_point *last = g->point_count > 0 ? &g->points[g->point_count - 1] : NULL;
    if (last == NULL || last->slot != p.slot || last->offset != p.offset)
        g->points[g->point_count++] = p;
}

// Adds the vertex of a wet column at the end of a chain in the cell of the corner that follows
// (turn 1) or comes before.
RL_SHARED void rl_cell_group_push_edge(rl_cell_group *g, rl_cell_group_node n, int turn)
{
    const rl_surface *s = g->place.s;
    const int way = rl_cell_group_way_of(n.corner, turn), corner = (n.corner + turn + 4) % 4;
    const uint16_t packed = s->edge[4 * rl_cell_group_slot_of(&g->place, n) + (size_t)way / 2];
    if (packed == RL_NO_EDGE)
        return;
    const rl_edge_code code = rl_edge_decode(packed);
    if (code.adopted) {
        const rl_cell_group_node dry = {(uint8_t)corner, (uint8_t)code.layer, 0};
        rl_cell_group_push(g, rl_cell_group_column(g, dry));
        return;
    }
    const int i = g->place.i + rl_corner_x(corner) + rl_surface_step_x(code.side);
    const int j = g->place.j + rl_corner_y(corner) + rl_surface_step_y(code.side);
    const size_t owner = rl_surface_at(s, i, j, code.layer);
    const unsigned offset = rl_edge_offset(s, owner, (code.side + 4) % 8);
    const int beside = code.kind == RL_EDGE_LIP ? n.corner : corner;
    rl_cell_group_point p = rl_cell_group_point_of(owner, offset, corner, n.layer, beside, 0);
    p.foot = code.curtain ? (uint8_t)(offset + 1) : 0;
    rl_cell_group_push(g, p);
}

// Adds the point where the surface of wet column `from` ends towards dry column `dry`, which
// follows (turn 1) or comes before.
RL_SHARED void rl_cell_group_push_end(rl_cell_group *g, rl_cell_group_node from,
                                      rl_cell_group_node dry, int turn)
{
    const int way = rl_cell_group_way_of(from.corner, turn);
    const size_t slot = rl_cell_group_slot_of(&g->place, from);
    const unsigned cut = g->place.s->cut[slot];
    if (cut >> way & 1)
        rl_cell_group_push(g, rl_cell_group_point_of(slot, 1 + rl_surface_sides_below(cut, way),
                                                     dry.corner, dry.layer, from.corner, 0));
    else
        rl_cell_group_push(g, rl_cell_group_column(g, dry));
}

RL_SHARED void rl_cell_group_make_polygon(rl_cell_group *g)
{
    const int n = g->node_count;
    const rl_cell_group_node first = g->nodes[0], last = g->nodes[n - 1];
    g->point_count = 0;
    if (!g->ring && first.wet)
        rl_cell_group_push_edge(g, first, -1);
    for (int k = 0; k < n; k++) {
        const rl_cell_group_node here = g->nodes[k];
        if (here.wet) {
            rl_cell_group_push(g, rl_cell_group_column(g, here));
            continue;
        }
        // On the rim the next column may be the same dry one.
        const rl_cell_group_node before = g->nodes[(k + n - 1) % n], after = g->nodes[(k + 1) % n];
        if ((k > 0 || g->ring) && before.wet)
            rl_cell_group_push_end(g, before, here, 1);
        if ((k + 1 < n || g->ring) && after.wet)
            rl_cell_group_push_end(g, after, here, -1);
    }
    if (!g->ring && last.wet)
        rl_cell_group_push_edge(g, last, 1);
    const rl_cell_group_point *p = &g->points[0], *q = &g->points[g->point_count - 1];
    if (g->point_count > 1 && p->slot == q->slot && p->offset == q->offset) {
        g->point_count--;
        g->ring = true;
    }
}

// ---- Triangles ---------------------------------------------------------------------------

RL_SHARED uint64_t rl_cell_group_place_of(const rl_cell_group_point *p, unsigned offset)
{
    return (uint64_t)p->slot * RL_POLYGON_PLACES + offset;
}

RL_SHARED void rl_cell_group_put(rl_cell_group *g, uint64_t p, uint64_t q, uint64_t r)
{
    const uint64_t corners[3] = {p, q, r};
    const size_t at = 3 * g->triangles++;
    for (size_t k = 0; k < 3 && g->triangles <= g->to.capacity; k++) {
        if (g->to.polygons != NULL)
            g->to.polygons[at + k] = corners[k];
        if (g->to.indices != NULL)
            g->to.indices[at + k] = rl_polygon_number(g->place.s, corners[k]);
    }
}

RL_SHARED void rl_cell_group_put_points(rl_cell_group *g, const rl_cell_group_point *p,
                                        const rl_cell_group_point *q, const rl_cell_group_point *r)
{
    rl_cell_group_put(g, rl_cell_group_place_of(p, p->offset), rl_cell_group_place_of(q, q->offset),
                      rl_cell_group_place_of(r, r->offset));
}

// Returns what decides about links of the column of a point, which may be on the rim.
RL_SHARED rl_link_end rl_cell_group_link_end(const rl_cell_group *g, const rl_cell_group_point *p)
{
    const rl_surface *s = g->place.s;
    return rl_link_end_of(s, rl_surface_clamp(g->place.i + rl_corner_x(p->corner), s->nx),
                          rl_surface_clamp(g->place.j + rl_corner_y(p->corner), s->ny), p->layer);
}

// Returns whether two points are wet columns across the cell group that are not linked: an edge
// between them is avoided where possible.
RL_SHARED bool rl_cell_group_apart(const rl_cell_group *g, const rl_cell_group_point *p,
                                   const rl_cell_group_point *q)
{
    const rl_surface *s = g->place.s;
    if (!s->ranged || !p->inside || !q->inside || p->offset + q->offset != 0)
        return false;
    // Within a layer links.c has the answer.
    if (p->layer == q->layer && (p->corner ^ q->corner) == 2 &&
        p->slot == g->place.cells_at[p->corner] + (size_t)p->layer * s->plane &&
        q->slot == g->place.cells_at[q->corner] + (size_t)q->layer * s->plane)
        return !(s->link[p->slot] >> (2 * p->corner + 1) & 1);
    const rl_link_end at_p = rl_cell_group_link_end(g, p), at_q = rl_cell_group_link_end(g, q);
    return !rl_surface_linked(at_p.level, at_p.low, at_p.high, at_q.level, at_q.low, at_q.high,
                              RL_SURFACE_LINK_TOLERANCE * s->columns.cell_size);
}

// Returns whether four points are cut from the first to the third: the diagonal with both ends
// inside or both outside the wet region (Dagenais section 4.3), else the one with the greater sum
// of heights (Chentanez and Müller section 2.5.1); points that are no columns count as those they
// belong to.
RL_SHARED bool rl_cell_group_cut_first_to_third(const rl_cell_group *g,
                                                const rl_cell_group_point *p)
{
    const bool apart_02 = rl_cell_group_apart(g, &p[0], &p[2]),
               apart_13 = rl_cell_group_apart(g, &p[1], &p[3]);
    if (apart_02 != apart_13)
        return apart_13;
    const bool odd_02 = p[0].inside != p[2].inside, odd_13 = p[1].inside != p[3].inside;
    if (odd_02 != odd_13)
        return odd_13;
    const float *height = g->place.s->height;
    return height[p[0].slot] + height[p[2].slot] > height[p[1].slot] + height[p[3].slot];
}

RL_SHARED void rl_cell_group_put_four(rl_cell_group *g, const rl_cell_group_point *p)
{
    if (!rl_cell_group_cut_first_to_third(g, p)) {
        rl_cell_group_put_points(g, &p[0], &p[1], &p[3]);
        rl_cell_group_put_points(g, &p[1], &p[2], &p[3]);
    } else {
        rl_cell_group_put_points(g, &p[0], &p[1], &p[2]);
        rl_cell_group_put_points(g, &p[0], &p[2], &p[3]);
    }
}

// Returns the first point from which the polygon can be drawn as a fan without three points in
// line.
RL_SHARED int rl_cell_group_best_apex(const rl_cell_group *g)
{
    const int n = g->point_count;
    for (int apex = 0; apex < n; apex++) {
        const rl_cell_group_point *p = &g->points[apex];
        bool good = true;
        for (int k = 1; k + 1 < n && good; k++) {
            const rl_cell_group_point *q = &g->points[(apex + k) % n],
                                      *r = &g->points[(apex + k + 1) % n];
            good = (q->x - p->x) * (r->y - p->y) - (r->x - p->x) * (q->y - p->y) > 0;
        }
        if (good)
            return apex;
    }
    return 0;
}

// Returns how much a new edge between two points is to be avoided. Across the cell group it can be
// an edge of no other; along a side or upright it might be one of the next group as well.
RL_SHARED int rl_cell_group_avoidance(const rl_cell_group_point *p, const rl_cell_group_point *q)
{
    const int apart = (p->corner - q->corner + 4) % 4;
    return apart == 2 ? 0 : apart == 0 ? 3 : p->inside || q->inside ? 1 : 2;
}

// A chain around all four corners whose ends do not join is a tear: a slit that opens towards one
// side, or a spiral. Triangles are cut off where that gives the best new edge, which draws both
// flanks and closes the slit.
RL_SHARED void rl_cell_group_put_tear(rl_cell_group *g)
{
    const rl_cell_group_point *left[2 * RL_CELL_GROUP_NODES + 2];
    int n = g->point_count;
    for (int k = 0; k < n; k++)
        left[k] = &g->points[k];
    for (; n > 3; n--) {
        int best = 0, least = 4;
        for (int k = 0; k < n; k++) {
            const int avoid = rl_cell_group_avoidance(left[(k + n - 1) % n], left[(k + 1) % n]);
            if (avoid < least) {
                least = avoid;
                best = k;
            }
        }
        rl_cell_group_put_points(g, left[(best + n - 1) % n], left[best], left[(best + 1) % n]);
        for (int k = best; k + 1 < n; k++)
            left[k] = left[k + 1];
    }
    rl_cell_group_put_points(g, left[0], left[1], left[2]);
}

RL_SHARED void rl_cell_group_put_polygon(rl_cell_group *g)
{
    const int n = g->point_count;
    if (n < 3)
        return;
    if (n == 3) {
        rl_cell_group_put_points(g, &g->points[0], &g->points[1], &g->points[2]);
    } else if (n == 4) {
        rl_cell_group_put_four(g, g->points);
    } else if (g->node_count > 3 && (!g->ring || g->node_count > 4)) {
        rl_cell_group_put_tear(g);
    } else {
        const int apex = rl_cell_group_best_apex(g);
        for (int k = 1; k + 1 < n; k++)
            rl_cell_group_put_points(g, &g->points[apex], &g->points[(apex + k) % n],
                                     &g->points[(apex + k + 1) % n]);
    }
}

// ---- Curtains ----------------------------------------------------------------------------

// Below the side that closes the polygon of a chain, between its first and its last point, hangs a
// curtain where one of them is a lip: first its front, then its back.
RL_SHARED void rl_cell_group_put_curtain(rl_cell_group *g)
{
    if (g->ring || g->point_count < 3)
        return;
    const rl_cell_group_point *p = &g->points[0], *q = &g->points[g->point_count - 1];
    const uint64_t top_p = rl_cell_group_place_of(p, p->offset),
                   top_q = rl_cell_group_place_of(q, q->offset);
    const uint64_t foot_p = rl_cell_group_place_of(p, p->foot),
                   foot_q = rl_cell_group_place_of(q, q->foot);
    if (q->foot != 0)
        rl_cell_group_put(g, top_p, top_q, foot_q);
    if (p->foot != 0)
        rl_cell_group_put(g, top_p, q->foot != 0 ? foot_q : top_q, foot_p);
    const uint64_t back_p = p->foot != 0 ? foot_p + 1 : top_p;
    const uint64_t back_q = q->foot != 0 ? foot_q + 1 : top_q;
    if (p->foot != 0)
        rl_cell_group_put(g, back_q, back_p, foot_p);
    if (q->foot != 0)
        rl_cell_group_put(g, back_q, p->foot != 0 ? foot_p : back_p, foot_q);
}

// ---- Whole cell groups -------------------------------------------------------------------

// Two wet columns across a ring of two dry ones each have an end of their own on all four sides:
// their surfaces touch when on average they come further than halfway.
RL_SHARED bool rl_cell_group_falls_apart(const rl_cell_group *g)
{
    if (!g->ring || g->node_count != 4 || g->point_count != 6)
        return false;
    const rl_surface *s = g->place.s;
    float sum = 0.0f;
    for (int k = 0; k < 4; k++) {
        const rl_cell_group_node n = g->nodes[k];
        if (!n.wet)
            continue;
        const int i = g->place.i + rl_corner_x(n.corner), j = g->place.j + rl_corner_y(n.corner);
        sum += rl_surface_end_of_mesh(s, i, j, n.layer, rl_cell_group_way_of(n.corner, 1)) +
               rl_surface_end_of_mesh(s, i, j, n.layer, rl_cell_group_way_of(n.corner, -1));
    }
    return sum < RL_SURFACE_TOUCH;
}

RL_SHARED void rl_cell_group_put_two_corners(rl_cell_group *g)
{
    const int n = g->point_count;
    for (int k = 0; k < n; k++)
        if (g->points[k].inside)
            rl_cell_group_put_points(g, &g->points[(k + n - 1) % n], &g->points[k],
                                     &g->points[(k + 1) % n]);
}

// A ring of four wet columns is its own polygon.
RL_SHARED bool rl_cell_group_put_ring(rl_cell_group *g)
{
    const rl_cell_group_node *n = g->nodes;
    if (!g->ring || g->node_count != 4 || !n[0].wet || !n[1].wet || !n[2].wet || !n[3].wet)
        return false;
    rl_cell_group_point p[4];
    for (int k = 0; k < 4; k++)
        p[k] = rl_cell_group_column(g, n[k]);
    rl_cell_group_put_four(g, p);
    return true;
}

RL_SHARED void rl_cell_group_draw_from(rl_cell_group *g, rl_cell_group_node start)
{
    rl_cell_group_collect(g, start);
    if (rl_cell_group_put_ring(g))
        return;
    rl_cell_group_make_polygon(g);
    if (rl_cell_group_falls_apart(g)) {
        rl_cell_group_put_two_corners(g);
        return;
    }
    rl_cell_group_put_polygon(g);
    rl_cell_group_put_curtain(g);
}

// Makes the triangles over the cells of lattice points (i, j) to (i + 1, j + 1), without those of
// whole quads. Returns their number. Sets `too_long` where a chain is longer than the arrays.
RL_SHARED size_t rl_cell_group_triangles(const rl_surface *s, int i, int j, rl_cell_group_target to,
                                         bool *too_long)
{
    rl_cell_group g;
    rl_cell_group_set_place(&g.place, s, i, j);
    g.to = to;
    g.triangles = 0;
    g.too_long = false;
    memset(g.seen, 0, sizeof g.seen);
    const size_t at = rl_surface_at(s, i, j, 0);
    for (int layer = s->special[at] - 1; layer <= s->highest[at]; layer++) {
        if (!(s->quad[at + (size_t)layer * s->plane] & RL_QUAD_SPECIAL))
            continue;
        for (int corner = 0; corner < 4; corner++) {
            const rl_cell_group_node start = {(uint8_t)corner, (uint8_t)layer, 1};
            if (rl_cell_group_is_wet(&g.place, corner, layer) &&
                !(g.seen[corner][layer / 64] >> layer % 64 & 1))
                rl_cell_group_draw_from(&g, start);
        }
    }
    *too_long = g.too_long;
    return g.triangles;
}
