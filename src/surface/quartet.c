// SPDX-License-Identifier: MIT
// Links along the sides of the quartet join its columns to chains and rings around its middle,
// since a column has at most one link a side. A ring is a sheet that covers the quartet. A chain is
// one that ends on both sides of a gap: on dry columns, or on the edge vertices of its last wet
// ones (edges.h), which close the polygon. Each side of a quartet is shared with the next quartet,
// and what happens along a side does not depend on the quartet, so there are no cracks.
//
// In the polygon a dry column stands for the end of the sheet: its own vertex where the ground is
// above the level, else the points where the sheets of the wet columns beside it end (shore.c).
//
// This contains the rules of 000 section 4.2 (four columns that are linked make two triangles,
// three make one, the rest none) and goes on where they leave holes: a ring whose diagonals are not
// linked is still drawn, and a group of three is completed by the vertex on the wall or the lip.
#include "surface/quartet.h"

#include "surface/edges.h"

#include <string.h>

// Corners a, b, c, d of the quartet counter-clockwise; from corner q the next one is in direction
// 2 q, the one before in direction 2 q + 2, the opposite one in direction 2 q + 1.
static const int corner_x[4] = {0, 1, 1, 0}, corner_y[4] = {0, 0, 1, 1};

#define MAX_NODES (4 * RL_SURFACE_MAX_LAYERS)

// A column of the quartet.
typedef struct node {
    int corner, layer;
    bool wet;
} node;

typedef struct point {
    size_t slot;
    unsigned offset; // 0: the vertex of the column, else one that is counted with it
    unsigned foot;   // offset of the foot of a lip, or 0
    int corner, layer;
    int x, y;    // roughly where it is: 0 to 2 from corner to corner
    bool inside; // a wet column
} point;

typedef struct quartet {
    const rl_surface *s;
    int i, j;
    size_t points_at[4], cells_at[4]; // slots of the corners and of their cells in layer 0
    uint64_t *to;
    size_t room, triangles;
    int node_count, point_count;
    bool ring;
    uint64_t seen[4][RL_SURFACE_MAX_LAYERS / 64]; // wet columns that are drawn, by corner
    node nodes[MAX_NODES];
    point points[2 * MAX_NODES + 2];
} quartet;

static void set_place(quartet *g, const rl_surface *s, int i, int j)
{
    g->s = s;
    g->i = i;
    g->j = j;
    for (int corner = 0; corner < 4; corner++) {
        const int x = i + corner_x[corner], y = j + corner_y[corner];
        g->points_at[corner] = rl_surface_at(s, x, y, 0);
        g->cells_at[corner] =
            rl_surface_at(s, rl_surface_clamp(x, s->nx), rl_surface_clamp(y, s->ny), 0);
    }
}

static int column_x(const quartet *g, int corner)
{
    return g->i + corner_x[corner];
}

static int column_y(const quartet *g, int corner)
{
    return g->j + corner_y[corner];
}

static size_t slot_of(const quartet *g, node n)
{
    return g->points_at[n.corner] + (size_t)n.layer * g->s->plane;
}

static inline bool is_wet(const quartet *g, int corner, int layer)
{
    return g->s->wet[g->cells_at[corner] + (size_t)layer * g->s->plane];
}

// Directions from a corner to the next one (turn 1) and to the one before (turn -1).
static int way_of(int corner, int turn)
{
    return turn > 0 ? 2 * corner : (2 * corner + 2) % 8;
}

// ---- Chains and rings --------------------------------------------------------------------

// The column linked to a column at the next corner (turn 1) or the one before (turn -1):
// rl_surface_partner() with places that are known.
static inline bool linked_node(const quartet *g, node from, int turn, node *to)
{
    const rl_surface *s = g->s;
    const size_t slot = g->cells_at[from.corner] + (size_t)from.layer * s->plane;
    const int way = way_of(from.corner, turn);
    to->corner = (from.corner + turn + 4) % 4;
    to->layer = from.layer;
    if (g->cells_at[to->corner] != g->cells_at[from.corner]) {
        if (s->crossed[slot]) {
            to->layer = s->partner[4 * slot + (size_t)way / 2];
            if (to->layer == RL_NO_LAYER)
                return false;
        } else if (!from.wet && !(s->near[slot] >> way & 1)) {
            return false;
        }
    }
    to->wet = is_wet(g, to->corner, to->layer);
    return true;
}

static bool same(node p, node q)
{
    return p.corner == q.corner && p.layer == q.layer;
}

static void add_node(quartet *g, node n)
{
    g->nodes[g->node_count++] = n;
    if (n.wet)
        g->seen[n.corner][n.layer / 64] |= (uint64_t)1 << n.layer % 64;
}

// Collects the chain or ring that a wet column belongs to, in counter-clockwise order.
static void collect(quartet *g, node start)
{
    node first = start, next;
    g->node_count = 0;
    g->ring = false;
    // Most are rings, and known as such after one round.
    add_node(g, start);
    while (linked_node(g, g->nodes[g->node_count - 1], 1, &next) && g->node_count < MAX_NODES) {
        if (same(next, start)) {
            g->ring = true;
            return;
        }
        add_node(g, next);
    }
    for (int k = 0; k < MAX_NODES && linked_node(g, first, -1, &next); k++)
        first = next;
    if (same(first, start))
        return;
    g->node_count = 0;
    add_node(g, first);
    while (linked_node(g, g->nodes[g->node_count - 1], 1, &next) && g->node_count < MAX_NODES)
        add_node(g, next);
}

// Looking along side `way`, the quartet to the left has the column as its corner way / 2, with the
// missing neighbour at the next corner, and the one to the right has it as the corner after that.
bool rl_quartet_far_end(const rl_surface *s, int i, int j, int layer, int way, int turn,
                        rl_quartet_end *end)
{
    const int corner = turn > 0 ? way / 2 : (way / 2 + 3) % 4;
    const int left = i - corner_x[corner], below = j - corner_y[corner];
    if (left < -1 || below < -1 || left + 1 > s->nx || below + 1 > s->ny)
        return false;
    quartet g;
    set_place(&g, s, left, below);
    node from = {corner, layer, true}, last = from, next;
    int count = 1;
    for (; count < MAX_NODES && linked_node(&g, last, -turn, &next); count++) {
        from = last;
        last = next;
    }
    if (count < 3)
        return false;
    const node wet = last.wet ? last : from;
    const int towards = way_of(wet.corner, -turn);
    *end = (rl_quartet_end){slot_of(&g, wet), towards};
    if (last.wet) {
        const rl_edge edge =
            rl_edge_of(s, column_x(&g, wet.corner), column_y(&g, wet.corner), wet.layer, towards);
        const rl_edge_member *m = &edge.members[edge.owner];
        *end = (rl_quartet_end){rl_surface_at(s, m->i, m->j, m->layer), (m->side + 4) % 8};
        if (edge.adopted >= 0)
            *end = (rl_quartet_end){rl_surface_at(s, edge.i, edge.j, edge.adopted), -1};
    } else if (!(s->cut[end->slot] >> towards & 1)) {
        *end = (rl_quartet_end){slot_of(&g, last), -1};
    }
    return true;
}

// ---- Polygons ----------------------------------------------------------------------------

static void push(quartet *g, point p)
{
    const point *last = g->point_count > 0 ? &g->points[g->point_count - 1] : NULL;
    if (last == NULL || last->slot != p.slot || last->offset != p.offset)
        g->points[g->point_count++] = p;
}

static void push_column(quartet *g, node n)
{
    push(g, (point){slot_of(g, n), 0, 0, n.corner, n.layer, 2 * corner_x[n.corner],
                    2 * corner_y[n.corner], n.wet});
}

// The vertex of a wet column at the end of a chain in the cell of the corner that follows (turn 1)
// or comes before.
static inline void push_edge(quartet *g, node n, int turn)
{
    const rl_surface *s = g->s;
    const int way = way_of(n.corner, turn), corner = (n.corner + turn + 4) % 4;
    const uint16_t packed = s->edge[4 * slot_of(g, n) + (size_t)way / 2];
    if (packed == RL_NO_EDGE)
        return;
    const rl_edge_code code = rl_edge_decode(packed);
    if (code.adopted) {
        push_column(g, (node){corner, code.layer, false});
        return;
    }
    const int i = column_x(g, corner) + rl_surface_step_x[code.side];
    const int j = column_y(g, corner) + rl_surface_step_y[code.side];
    const size_t owner = rl_surface_at(s, i, j, code.layer);
    const unsigned offset = rl_edge_offset(s, owner, (code.side + 4) % 8);
    const int beside = code.kind == RL_EDGE_LIP ? n.corner : corner;
    push(g,
         (point){owner, offset, code.curtain ? offset + 1 : 0, corner, n.layer,
                 corner_x[corner] + corner_x[beside], corner_y[corner] + corner_y[beside], false});
}

// Where the sheet of wet column `from` ends towards dry column `dry`, which follows (turn 1) or
// comes before.
static void push_end(quartet *g, node from, node dry, int turn)
{
    const int way = way_of(from.corner, turn);
    const size_t slot = slot_of(g, from);
    const unsigned cut = g->s->cut[slot];
    if (cut >> way & 1)
        push(g, (point){slot, 1 + rl_surface_sides_below(cut, way), 0, dry.corner, dry.layer,
                        corner_x[from.corner] + corner_x[dry.corner],
                        corner_y[from.corner] + corner_y[dry.corner], false});
    else
        push_column(g, dry);
}

static void make_polygon(quartet *g)
{
    const int n = g->node_count;
    const node first = g->nodes[0], last = g->nodes[n - 1];
    g->point_count = 0;
    if (!g->ring && first.wet)
        push_edge(g, first, -1);
    for (int k = 0; k < n; k++) {
        const node here = g->nodes[k];
        if (here.wet) {
            push_column(g, here);
            continue;
        }
        // On the rim the next column may be the same dry one.
        const node before = g->nodes[(k + n - 1) % n], after = g->nodes[(k + 1) % n];
        if ((k > 0 || g->ring) && before.wet)
            push_end(g, before, here, 1);
        if ((k + 1 < n || g->ring) && after.wet)
            push_end(g, after, here, -1);
    }
    if (!g->ring && last.wet)
        push_edge(g, last, 1);
    const point *p = &g->points[0], *q = &g->points[g->point_count - 1];
    if (g->point_count > 1 && p->slot == q->slot && p->offset == q->offset) {
        g->point_count--;
        g->ring = true;
    }
}

// ---- Triangles ---------------------------------------------------------------------------

static uint64_t scrap_of(const point *p, unsigned offset)
{
    return (uint64_t)p->slot * RL_SCRAP_PLACES + offset;
}

static void put(quartet *g, uint64_t p, uint64_t q, uint64_t r)
{
    if (g->triangles < g->room) {
        uint64_t *to = g->to + 3 * g->triangles;
        to[0] = p;
        to[1] = q;
        to[2] = r;
    }
    g->triangles++;
}

static void put_points(quartet *g, const point *p, const point *q, const point *r)
{
    put(g, scrap_of(p, p->offset), scrap_of(q, q->offset), scrap_of(r, r->offset));
}

// Two wet columns across the quartet that are not linked should not be joined if that can be
// helped.
static inline bool kept_apart(const quartet *g, const point *p, const point *q)
{
    const rl_surface *s = g->s;
    const rill_columns *c = s->columns;
    if (!s->ranged || !p->inside || !q->inside || p->offset + q->offset != 0)
        return false;
    // Within a layer links.c knows.
    if (p->layer == q->layer && (p->corner ^ q->corner) == 2 &&
        p->slot == g->cells_at[p->corner] + (size_t)p->layer * s->plane &&
        q->slot == g->cells_at[q->corner] + (size_t)q->layer * s->plane)
        return !(s->link[p->slot] >> (2 * p->corner + 1) & 1);
    const size_t i = rl_surface_column(s, rl_surface_clamp(column_x(g, p->corner), s->nx),
                                       rl_surface_clamp(column_y(g, p->corner), s->ny), p->layer);
    const size_t j = rl_surface_column(s, rl_surface_clamp(column_x(g, q->corner), s->nx),
                                       rl_surface_clamp(column_y(g, q->corner), s->ny), q->layer);
    return !rl_surface_linked(c->base[i] + c->depth[i], c->range_min[i], c->range_max[i],
                              c->base[j] + c->depth[j], c->range_min[j], c->range_max[j],
                              RL_SURFACE_LINK_TOLERANCE * c->cell_size);
}

// Whether four points are cut from the first to the third: the diagonal with both ends inside or
// both outside the wet region (000 section 4.3), else the one with the greater sum of heights (002
// section 2.5.1); points that are no columns count as those they belong to.
static bool cut_first_to_third(const quartet *g, const point *p)
{
    const bool apart_02 = kept_apart(g, &p[0], &p[2]), apart_13 = kept_apart(g, &p[1], &p[3]);
    if (apart_02 != apart_13)
        return apart_13;
    const bool odd_02 = p[0].inside != p[2].inside, odd_13 = p[1].inside != p[3].inside;
    if (odd_02 != odd_13)
        return odd_13;
    const float *height = g->s->height;
    return height[p[0].slot] + height[p[2].slot] > height[p[1].slot] + height[p[3].slot];
}

static inline void put_four(quartet *g, const point *p)
{
    if (!cut_first_to_third(g, p)) {
        put_points(g, &p[0], &p[1], &p[3]);
        put_points(g, &p[1], &p[2], &p[3]);
    } else {
        put_points(g, &p[0], &p[1], &p[2]);
        put_points(g, &p[0], &p[2], &p[3]);
    }
}

// The first point from which the polygon can be drawn as a fan without three points in line.
static int best_apex(const quartet *g)
{
    const int n = g->point_count;
    for (int apex = 0; apex < n; apex++) {
        const point *p = &g->points[apex];
        bool good = true;
        for (int k = 1; k + 1 < n && good; k++) {
            const point *q = &g->points[(apex + k) % n], *r = &g->points[(apex + k + 1) % n];
            good = (q->x - p->x) * (r->y - p->y) - (r->x - p->x) * (q->y - p->y) > 0;
        }
        if (good)
            return apex;
    }
    return 0;
}

// How much a new edge between two points is to be avoided. Across the quartet it can be an edge of
// no other; along a side or upright it might be one of the next quartet as well.
static int avoidance(const point *p, const point *q)
{
    const int apart = (p->corner - q->corner + 4) % 4;
    return apart == 2 ? 0 : apart == 0 ? 3 : p->inside || q->inside ? 1 : 2;
}

// A chain around all four corners whose ends do not meet is a tear: a slit that opens towards one
// side, or a spiral. Triangles are cut off where that gives the best new edge, which draws both
// flanks and closes the slit.
static void put_tear(quartet *g)
{
    const point *left[2 * MAX_NODES + 2];
    int n = g->point_count;
    for (int k = 0; k < n; k++)
        left[k] = &g->points[k];
    for (; n > 3; n--) {
        int best = 0, least = 4;
        for (int k = 0; k < n; k++) {
            const int avoid = avoidance(left[(k + n - 1) % n], left[(k + 1) % n]);
            if (avoid < least) {
                least = avoid;
                best = k;
            }
        }
        put_points(g, left[(best + n - 1) % n], left[best], left[(best + 1) % n]);
        for (int k = best; k + 1 < n; k++)
            left[k] = left[k + 1];
    }
    put_points(g, left[0], left[1], left[2]);
}

static void put_polygon(quartet *g)
{
    const int n = g->point_count;
    if (n < 3)
        return;
    if (n == 3) {
        put_points(g, &g->points[0], &g->points[1], &g->points[2]);
    } else if (n == 4) {
        put_four(g, g->points);
    } else if (g->node_count > 3 && (!g->ring || g->node_count > 4)) {
        put_tear(g);
    } else {
        const int apex = best_apex(g);
        for (int k = 1; k + 1 < n; k++)
            put_points(g, &g->points[apex], &g->points[(apex + k) % n],
                       &g->points[(apex + k + 1) % n]);
    }
}

// ---- Curtains ----------------------------------------------------------------------------

// Below the side that closes the polygon of a chain, between its first and its last point, hangs a
// curtain where one of them is a lip: first its front, then its back.
static void put_curtain(quartet *g)
{
    if (g->ring || g->point_count < 3)
        return;
    const point *p = &g->points[0], *q = &g->points[g->point_count - 1];
    const uint64_t top_p = scrap_of(p, p->offset), top_q = scrap_of(q, q->offset);
    const uint64_t foot_p = scrap_of(p, p->foot), foot_q = scrap_of(q, q->foot);
    if (q->foot != 0)
        put(g, top_p, top_q, foot_q);
    if (p->foot != 0)
        put(g, top_p, q->foot != 0 ? foot_q : top_q, foot_p);
    const uint64_t back_p = p->foot != 0 ? foot_p + 1 : top_p;
    const uint64_t back_q = q->foot != 0 ? foot_q + 1 : top_q;
    if (p->foot != 0)
        put(g, back_q, back_p, foot_p);
    if (q->foot != 0)
        put(g, back_q, p->foot != 0 ? foot_p : back_p, foot_q);
}

// ---- Whole quartets ----------------------------------------------------------------------

// Two wet columns across a ring of two dry ones, each with an end of its own on all four sides: the
// sheets touch when on average they come further than halfway.
static bool falls_apart(const quartet *g)
{
    if (!g->ring || g->node_count != 4 || g->point_count != 6)
        return false;
    const rl_surface *s = g->s;
    float sum = 0.0f;
    for (int k = 0; k < 4; k++) {
        const node n = g->nodes[k];
        if (!n.wet)
            continue;
        const int i = column_x(g, n.corner), j = column_y(g, n.corner);
        sum += rl_surface_end_of_sheet(s, i, j, n.layer, way_of(n.corner, 1)) +
               rl_surface_end_of_sheet(s, i, j, n.layer, way_of(n.corner, -1));
    }
    return sum < RL_SURFACE_TOUCH;
}

static void put_two_corners(quartet *g)
{
    const int n = g->point_count;
    for (int k = 0; k < n; k++)
        if (g->points[k].inside)
            put_points(g, &g->points[(k + n - 1) % n], &g->points[k], &g->points[(k + 1) % n]);
}

// A ring of four wet columns is its own polygon.
static bool put_ring(quartet *g)
{
    const node *n = g->nodes;
    if (!g->ring || g->node_count != 4 || !n[0].wet || !n[1].wet || !n[2].wet || !n[3].wet)
        return false;
    point p[4];
    for (int k = 0; k < 4; k++)
        p[k] = (point){slot_of(g, n[k]), 0, 0, n[k].corner, n[k].layer, 0, 0, true};
    put_four(g, p);
    return true;
}

static void draw_from(quartet *g, node start)
{
    collect(g, start);
    if (put_ring(g))
        return;
    make_polygon(g);
    if (falls_apart(g)) {
        put_two_corners(g);
        return;
    }
    put_polygon(g);
    put_curtain(g);
}

size_t rl_quartet_triangles(const rl_surface *s, int i, int j, uint64_t *to, size_t room)
{
    quartet g;
    set_place(&g, s, i, j);
    g.to = to;
    g.room = room;
    g.triangles = 0;
    memset(g.seen, 0, sizeof g.seen);
    const size_t at = rl_surface_at(s, i, j, 0);
    for (int layer = s->special[at] - 1; layer <= s->highest[at]; layer++) {
        if (!(s->quad[at + (size_t)layer * s->plane] & RL_QUAD_SPECIAL))
            continue;
        for (int corner = 0; corner < 4; corner++)
            if (is_wet(&g, corner, layer) && !(g.seen[corner][layer / 64] >> layer % 64 & 1))
                draw_from(&g, (node){corner, layer, true});
    }
    return g.triangles;
}
