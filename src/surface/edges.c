// SPDX-License-Identifier: MIT
// A lip stands halfway to X, above the edge of the solid that its members stand on. A curtain hangs
// from it down to the liquid in X, or to the floor. It has a front and a back, which meet at the
// foot and at its sides; the back goes up to the underside of the solid. So it is closed as a film
// that falls is, and no edge is open in the air.
#include "surface/edges.h"

#include "surface/quartet.h"
#include "surface/stacks.h"

#include <math.h>

// Part of a cell size: a level that is less above a floor is at the floor.
#define AT_FLOOR 1e-3f
// Where the foot of a curtain stands and where its back begins, as a part of the way from X to the
// column that it hangs from.
#define FOOT       0.2f
#define BACK       0.75f
#define NO_CEILING 1e29f // metres: above is the sky

static bool on_lattice(const rl_surface *s, int i, int j)
{
    return i >= -1 && i <= s->nx && j >= -1 && j <= s->ny;
}

static size_t column_of(const rl_surface *s, int i, int j, int layer)
{
    return rl_surface_column(s, rl_surface_clamp(i, s->nx), rl_surface_clamp(j, s->ny), layer);
}

static float level_of(const rl_surface *s, int i, int j, int layer)
{
    const size_t at = column_of(s, i, j, layer);
    return s->columns->base[at] + s->columns->depth[at];
}

// ---- What is there -----------------------------------------------------------------------

// What cell X has at elevation z, and the elevations that it has it at: of air or liquid from its
// surface on, of a solid from its underside to its floor. Nothing known is solid. Where a ceiling
// meets the level of a full column, what is below it counts.
static rl_edge_kind what_is_at(const rl_surface *s, int i, int j, float z, float span[2])
{
    const rill_columns *c = s->columns;
    const float near = AT_FLOOR * c->cell_size;
    const int ci = rl_surface_clamp(i, s->nx), cj = rl_surface_clamp(j, s->ny);
    rl_stack_entry one;
    int count;
    const rl_stack_entry *stack = rl_stack_of(s, ci, cj, &one, &count);
    span[0] = span[1] = z;
    for (int k = 0; k < count; k++) {
        const rl_stack_entry *e = &stack[k];
        if (!(z >= e->low - near && z <= e->high + near))
            continue;
        if (z > e->base + near) {
            span[0] = e->base + c->depth[rl_surface_column(s, ci, cj, e->layer)];
            span[1] = e->high;
            return span[0] + near >= z ? RL_EDGE_POCKET : RL_EDGE_LIP;
        }
        span[0] = e->low;
        span[1] = e->base;
    }
    return RL_EDGE_WALL;
}

static rl_edge_kind kind_for(const rl_surface *s, const rl_edge *edge, const rl_edge_member *m,
                             float span[2])
{
    return what_is_at(s, edge->i, edge->j, level_of(s, m->i, m->j, m->layer), span);
}

// ---- Who shares it -----------------------------------------------------------------------

// From a member on one side of X to the column on the next side, `turn` (2 or -2) further around,
// by way of the cell between the two. False where the sheet does not go around that corner.
static bool step_around(const rl_surface *s, const rl_edge *edge, const rl_edge_member *from,
                        int turn, rl_edge_member *to)
{
    const int side = (from->side + turn + 8) % 8, back = (from->side + 4) % 8;
    const int ci = from->i + rl_surface_step_x[side], cj = from->j + rl_surface_step_y[side];
    if (!on_lattice(s, ci, cj))
        return false;
    const int corner = rl_surface_partner(s, from->i, from->j, from->layer, side);
    if (corner < 0)
        return false;
    *to = (rl_edge_member){edge->i + rl_surface_step_x[side], edge->j + rl_surface_step_y[side],
                           rl_surface_partner(s, ci, cj, corner, back), side};
    return to->layer >= 0 && rl_surface_is_wet(s, to->i, to->j, to->layer);
}

// The last member of a chain has a neighbour that is linked to X. If that link ends on a dry column
// buried there, its vertex will do for all; a second one in the same place would not.
static void meet_linked(const rl_surface *s, rl_edge *edge, const rl_edge_member *m, int there)
{
    const int way = (m->side + 4) % 8;
    if (rl_surface_is_wet(s, edge->i, edge->j, there))
        return;
    if (s->cut[rl_surface_at(s, m->i, m->j, m->layer)] >> way & 1)
        edge->shifted = true;
    else if (edge->adopted < 0)
        edge->adopted = there;
}

// Returns the number of members that were found.
static int follow(const rl_surface *s, rl_edge *edge, int turn)
{
    rl_edge_member at = edge->members[0], next;
    int found = 0;
    while (found < 4 * s->layers && step_around(s, edge, &at, turn, &next)) {
        const int there = rl_surface_partner(s, next.i, next.j, next.layer, (next.side + 4) % 8);
        if (there >= 0) {
            meet_linked(s, edge, &next, there);
            break;
        }
        float span[2];
        if (kind_for(s, edge, &next, span) == RL_EDGE_LIP)
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
static void check_adopted(const rl_surface *s, rl_edge *edge)
{
    for (int k = 0; k < edge->count && edge->adopted >= 0; k++)
        if (rl_surface_partner(s, edge->i, edge->j, edge->adopted, edge->members[k].side) >= 0) {
            edge->adopted = -1;
            edge->shifted = true;
        }
}

static bool before(const rl_edge_member *p, const rl_edge_member *q)
{
    if (p->j != q->j)
        return p->j < q->j;
    return p->i != q->i ? p->i < q->i : p->layer < q->layer;
}

rl_edge rl_edge_lip(const rl_surface *s, int i, int j, int layer, int way)
{
    rl_edge edge = {
        .i = i + rl_surface_step_x[way], .j = j + rl_surface_step_y[way], .adopted = -1};
    edge.members[edge.count++] = (rl_edge_member){i, j, layer, (way + 4) % 8};
    edge.kind = kind_for(s, &edge, &edge.members[0], edge.span);
    return edge;
}

rl_edge rl_edge_of(const rl_surface *s, int i, int j, int layer, int way)
{
    rl_edge edge = rl_edge_lip(s, i, j, layer, way);
    if (edge.kind == RL_EDGE_LIP)
        return edge;
    int found = follow(s, &edge, 2);
    if (!edge.closed)
        found += follow(s, &edge, -2);
    if (found > 3) { // a spiral around X: everybody for himself
        edge.count = 1;
        edge.closed = false;
        edge.adopted = -1;
        edge.shifted = true;
    }
    check_adopted(s, &edge);
    for (int k = 1; k < edge.count; k++)
        if (before(&edge.members[k], &edge.members[edge.owner]))
            edge.owner = k;
    return edge;
}

// ---- Where it stands ---------------------------------------------------------------------

int rl_edge_around(const rl_surface *s, const rl_edge *edge, rl_edge_member around[8])
{
    rl_edge_member ring[8];
    bool filled[8] = {false};
    for (int k = 0; k < edge->count; k++) {
        const rl_edge_member *m = &edge->members[k];
        ring[m->side] = *m;
        filled[m->side] = true;
        for (int turn = -2; turn <= 2; turn += 4) {
            const int side = (m->side + turn + 8) % 8, between = (m->side + turn / 2 + 8) % 8;
            const int ni = m->i + rl_surface_step_x[side], nj = m->j + rl_surface_step_y[side];
            const bool itself = rl_surface_clamp(ni, s->nx) == rl_surface_clamp(m->i, s->nx) &&
                                rl_surface_clamp(nj, s->ny) == rl_surface_clamp(m->j, s->ny);
            if (filled[between] || itself || !on_lattice(s, ni, nj))
                continue;
            const int there = rl_surface_partner(s, m->i, m->j, m->layer, side);
            if (there < 0 || !rl_surface_is_wet(s, ni, nj, there))
                continue;
            ring[between] = (rl_edge_member){ni, nj, there, between};
            filled[between] = true;
        }
    }
    int count = 0;
    for (int side = 0; side < 8; side++)
        if (filled[side])
            around[count++] = ring[side];
    return count;
}

static double mean_level(const rl_surface *s, const rl_edge_member *around, int count)
{
    double sum = 0.0;
    for (int k = 0; k < count; k++)
        sum += (double)level_of(s, around[k].i, around[k].j, around[k].layer);
    return sum / count;
}

// The lowest ceiling of the members.
static float ceiling_of(const rl_surface *s, const rl_edge *edge)
{
    float lowest = NO_CEILING;
    for (int k = 0; k < edge->count; k++) {
        const rl_edge_member *m = &edge->members[k];
        const float one = s->columns->range_max[column_of(s, m->i, m->j, m->layer)];
        lowest = one < lowest ? one : lowest;
    }
    return lowest;
}

// Of the solid that the members stand on, but not below the foot.
static float underside_of(const rl_surface *s, const rl_edge *edge, float foot)
{
    float lowest = NO_CEILING;
    for (int k = 0; k < edge->count; k++) {
        const rl_edge_member *m = &edge->members[k];
        const float one = s->columns->range_min[column_of(s, m->i, m->j, m->layer)];
        lowest = one < lowest ? one : lowest;
    }
    return lowest > foot ? lowest : foot;
}

rl_edge_place rl_edge_place_of(const rl_surface *s, const rl_edge *edge,
                               const rl_edge_member *around, int count)
{
    const float size = s->columns->cell_size;
    rl_edge_place place = {0};
    const rl_edge_member *m = &edge->members[0];
    const float *span = edge->span;
    float z = level_of(s, m->i, m->j, m->layer);
    if (edge->kind == RL_EDGE_WALL) {
        z = (float)mean_level(s, around, count);
        z = z < span[0] ? span[0] : z > span[1] ? span[1] : z;
    } else if (edge->kind == RL_EDGE_POCKET && ceiling_of(s, edge) < NO_CEILING) {
        z = ceiling_of(s, edge);
    }
    place.position[2] = z;
    place.foot[2] = span[0];
    const float x = rl_surface_place(edge->i, s->nx, size);
    const float y = rl_surface_place(edge->j, s->ny, size);
    float to_x = 0.0f, to_y = 0.0f; // from X to the middle of its members
    for (int k = 0; k < edge->count; k++) {
        to_x += rl_surface_place(edge->members[k].i, s->nx, size) - x;
        to_y += rl_surface_place(edge->members[k].j, s->ny, size) - y;
    }
    to_x /= (float)edge->count;
    to_y /= (float)edge->count;
    const float share = edge->kind != RL_EDGE_WALL || edge->shifted ? 0.5f : 0.0f;
    place.position[0] = x + share * to_x;
    place.position[1] = y + share * to_y;
    place.foot[0] = x + FOOT * to_x;
    place.foot[1] = y + FOOT * to_y;
    place.back[0] = x + BACK * to_x;
    place.back[1] = y + BACK * to_y;
    place.back[2] = underside_of(s, edge, place.foot[2]);
    const float length = sqrtf(to_x * to_x + to_y * to_y);
    if (length > 0.0f) {
        place.outward[0] = 0.0f - to_x / length;
        place.outward[1] = 0.0f - to_y / length;
    }
    return place;
}

// ---- Whose it is -------------------------------------------------------------------------

static uint16_t encode(rl_edge_code c)
{
    return (uint16_t)((unsigned)c.layer | (unsigned)(c.side / 2) << 7 | (unsigned)c.adopted << 9 |
                      (unsigned)c.curtain << 10 | (unsigned)c.kind << 11);
}

// Whether a curtain hangs from a lip. None does in a slit that is no longer than the side: there
// the sheets on both sides of it end in the same two points, and close each other.
static bool has_curtain(const rl_surface *s, const rl_edge *edge)
{
    if (!s->def.curtains || edge->kind != RL_EDGE_LIP)
        return false;
    const rl_edge_member *m = &edge->members[0];
    const int way = (m->side + 4) % 8;
    rl_quartet_end left, right;
    return !rl_quartet_far_end(s, m->i, m->j, m->layer, way, 1, &left) ||
           !rl_quartet_far_end(s, m->i, m->j, m->layer, way, -1, &right) ||
           left.slot != right.slot || left.way != right.way;
}

void rl_edge_claim(const rl_surface *s, int i, int j, int layer)
{
    const size_t slot = rl_surface_at(s, i, j, layer);
    const bool on_rim = i < 0 || i >= s->nx || j < 0 || j >= s->ny;
    unsigned extra = 0;
    for (int way = 0; way < 8; way += 2) {
        if (!on_rim && s->partner[4 * slot + (size_t)way / 2] != RL_NO_LAYER)
            continue;
        s->edge[4 * slot + (size_t)way / 2] = RL_NO_EDGE;
        if (!on_lattice(s, i + rl_surface_step_x[way], j + rl_surface_step_y[way]) ||
            rl_surface_partner(s, i, j, layer, way) >= 0)
            continue;
        const rl_edge edge = rl_edge_of(s, i, j, layer, way);
        const rl_edge_member *owner = &edge.members[edge.owner];
        const bool adopted = edge.adopted >= 0;
        const rl_edge_code code = {.kind = edge.kind,
                                   .layer = adopted ? edge.adopted : owner->layer,
                                   .side = owner->side,
                                   .adopted = adopted,
                                   .curtain = has_curtain(s, &edge)};
        s->edge[4 * slot + (size_t)way / 2] = encode(code);
        if (!adopted && edge.owner == 0)
            extra |= (code.curtain ? 17u : 1u) << way / 2;
    }
    s->extra[slot] = (uint8_t)extra;
}
