// SPDX-License-Identifier: MIT
// layers_passages_full.c - which covered columns are full, and which of them air enters.
//
// A column is full when it reaches its ceiling, or when what flows in during a step fills it: its
// inflow would be cut for want of capacity from then on. It stays full until air comes in: liquid
// only passes a flooded column.
//
// Air decides whether a full column is flooded. It stands at a face when the column beyond is not
// full and its level is below the ceiling there. Then it enters, and the column is open, though
// full, unless liquid leaves through that face with more energy than air has that moves in along a
// ceiling: its speed is 0.5 sqrt(g H), its head H / 8 (T. B. Benjamin: Gravity currents and related
// phenomena, 1968). So a passage under pressure runs full up to its end, and any other opens from
// its ends.
#include "core/assert.h"
#include "solvers/layers/layers_passages_inside.h"

#include <string.h>

// ---- Full columns ----------------------------------------------------------------------

// Whether some column of a row may be full.
static bool some_reach_ceiling(const rl_layers *s, int plane, int y)
{
    const rl_layers_span *span = rl_layers_span_of(s, plane, y);
    const float *base = rl_layers_row(s, &s->base, plane, y);
    const float *depth = rl_layers_row(s, &s->depth, plane, y);
    const float *top = rl_layers_row(s, &s->range_max, plane, y);
    int some = 0;
    for (int x = span->first; x < span->end; x++)
        some |= rl_passages_neighbour(base[x], depth[x], top[x]);
    return some;
}

// Marks the full columns of a row, with a byte each too. Returns whether there are any.
static int mark_columns(const rl_layers *s, int plane, int y, uint8_t *restrict bytes)
{
    const rl_layers_span span = *rl_layers_span_of(s, plane, y);
    const float *restrict base = rl_layers_row(s, &s->base, plane, y);
    const float *restrict depth = rl_layers_row(s, &s->depth, plane, y);
    const float *restrict top = rl_layers_row(s, &s->range_max, plane, y);
    const float *restrict qx = rl_layers_row(s, &s->qx, plane, y);
    const float *restrict qy = rl_layers_row(s, &s->qy, plane, y);
    const float *restrict qy_south = rl_layers_row(s, &s->qy, plane, y - 1);
    float *restrict flooded = rl_layers_row(s, &s->flooded, plane, y);
    const float later = s->passages->calm.hysteresis ? 0.5f : 2.0f, spread = s->k.spread;
    const float cell = (float)s->cell_size;
    int some = 0;
    for (int x = span.first; x < span.end; x++) {
        const float was = flooded[x];
        const float inflow = rl_passages_inflow(qx[x - 1], qx[x], qy_south[x], qy[x]);
        const int full =
            rl_passages_full(base[x], depth[x], top[x], inflow, was > later, spread, cell);
        flooded[x] = full ? RL_MARK_FULL + was : 0.0f;
        bytes[x] = (uint8_t)full;
        some |= full;
    }
    return some;
}

static void mark_full(rl_layers *s, int plane, int y)
{
    RL_ASSERT(plane > 0 && plane < s->planes && y >= 0 && y < s->ny);
    rl_layers_passages *p = s->passages;
    const int line = rl_passages_line(s, plane, y);
    memset(p->bytes, 0, 64 * (size_t)p->words);
    p->active[line] = (uint8_t)mark_columns(s, plane, y, p->bytes + 1);
    if (p->active[line])
        rl_bits_pack(p->bytes, p->words, rl_passages_bits(p, p->flooded, line));
}

// Columns that a cross pipe fills. Returns whether there are any.
static bool mark_full_by_cross_pipes(rl_layers *s)
{
    const rl_layers_passages *p = s->passages;
    const float cell = (float)s->cell_size;
    bool some = false;
    for (size_t n = 0; n < s->cross_count; n++) {
        const float q = s->cross_q[n];
        const uint32_t slot = q > 0.0f ? s->cross[n].to : s->cross[n].from;
        const float base = s->base.origin[slot], depth = s->depth.origin[slot];
        const float top = s->range_max.origin[slot];
        if (q == 0.0f || s->flooded.origin[slot] != 0.0f ||
            !rl_passages_full_by_cross(base, depth, top, q, s->k.spread, cell))
            continue;
        int plane, y, x;
        rl_passages_place(s, (ptrdiff_t)slot, &plane, &y, &x);
        const int line = rl_passages_line(s, plane, y);
        s->flooded.origin[slot] = RL_MARK_FULL;
        rl_passages_bits(p, p->flooded, line)[(x + 1) / 64] |= (uint64_t)1 << (x + 1) % 64;
        p->active[line] = 1;
        some = true;
    }
    return some;
}

void rl_layers_clear_marks(rl_layers *s, int plane, int y)
{
    RL_ASSERT(plane > 0 && plane < s->planes && y >= 0 && y < s->ny);
    const rl_layers_span *span = rl_layers_span_of(s, plane, y);
    if (span->end > span->first)
        memset(rl_layers_row(s, &s->flooded, plane, y) + span->first, 0,
               (size_t)(span->end - span->first) * sizeof(float));
}

bool rl_layers_find_full(rl_layers *s)
{
    rl_layers_passages *p = s->passages;
    bool some_reach = false, some = false;
    for (int plane = 1; plane < s->planes; plane++)
        for (int y = 0; y < s->ny; y++) {
            const int line = rl_passages_line(s, plane, y);
            const bool marked = p->active[line] || p->to_search;
            if (p->active[line])
                memset(rl_passages_bits(p, p->flooded, line), 0,
                       (size_t)p->words * sizeof(uint64_t));
            p->active[line] = 0;
            if (some_reach_ceiling(s, plane, y)) {
                some_reach = true;
                mark_full(s, plane, y);
            } else if (marked) {
                rl_layers_clear_marks(s, plane, y);
            }
            some |= p->active[line];
        }
    p->to_search = false;
    return (some_reach && mark_full_by_cross_pipes(s)) || some;
}

// ---- Air -------------------------------------------------------------------------------

bool rl_layers_is_airy(const rl_layers *s, ptrdiff_t inside, ptrdiff_t outside)
{
    const float *flooded = s->flooded.origin;
    const bool was_flooded = s->passages->calm.hysteresis && flooded[inside] == RL_MARK_FULL_YET;
    return flooded[outside] == 0.0f &&
           rl_passages_level(s, outside) < rl_passages_air_level(s, inside, outside, was_flooded);
}

void rl_layers_open(rl_layers *s, ptrdiff_t slot)
{
    const rl_layers_passages *p = s->passages;
    int plane, y, x;
    rl_passages_place(s, slot, &plane, &y, &x);
    s->flooded.origin[slot] = -fabsf(s->flooded.origin[slot]);
    rl_passages_bits(p, p->flooded, rl_passages_line(s, plane, y))[(x + 1) / 64] &=
        ~((uint64_t)1 << (x + 1) % 64);
}

static bool was_flooded(const rl_layers *s, ptrdiff_t slot)
{
    return fabsf(s->flooded.origin[slot]) == RL_MARK_FULL_YET;
}

static float told_by(const rl_layers *s, ptrdiff_t slot)
{
    return rl_passages_told(s->base.origin[slot], s->depth.origin[slot], s->range_max.origin[slot],
                            was_flooded(s, slot), s->head.origin[slot]);
}

// The highest level that a full column is told by those beside it. Cross pipes to it begin in its
// own row or south of it.
static float told_around(const rl_layers *s, ptrdiff_t slot)
{
    const ptrdiff_t pitch = (ptrdiff_t)s->base.pitch;
    const ptrdiff_t beside[] = {slot - 1, slot + 1, slot - pitch, slot + pitch};
    float highest = RL_PASSAGES_NO_HEAD;
    for (int n = 0; n < 4; n++)
        if (rl_layers_are_joined(s, slot, beside[n]))
            highest = rl_passages_higher(highest, told_by(s, beside[n]));
    int plane, y, x;
    rl_passages_place(s, slot, &plane, &y, &x);
    for (size_t n = s->cross_first[y > 0 ? y - 1 : 0]; n < s->cross_first[y + 1]; n++) {
        const ptrdiff_t from = (ptrdiff_t)s->cross[n].from, to = (ptrdiff_t)s->cross[n].to;
        if (from == slot || to == slot)
            highest = rl_passages_higher(highest, told_by(s, from == slot ? to : from));
    }
    return highest;
}

// The level that drives what leaves a full column: that of its passage in the step before. One
// without a passage takes the highest of its own and of what it is told.
static float head_behind(const rl_layers *s, ptrdiff_t slot)
{
    if (was_flooded(s, slot))
        return s->head.origin[slot];
    return rl_passages_higher(rl_passages_level(s, slot), told_around(s, slot));
}

// Whether what leaves through a face keeps the air out.
static bool keeps_air_out(const rl_layers *s, ptrdiff_t inside, ptrdiff_t outside, float outflow)
{
    const float *base = s->base.origin;
    const float ceiling = rl_passages_ceiling(s, inside, outside);
    const float sill = base[inside] > base[outside] ? base[inside] : base[outside];
    const bool fresh = s->passages->calm.hysteresis && !was_flooded(s, inside);
    return outflow > 0.0f && rl_passages_keep_air_out(head_behind(s, inside), ceiling, outflow,
                                                      ceiling - sill, s->rules.gravity, fresh);
}

static bool air_enters(const rl_layers *s, ptrdiff_t slot, ptrdiff_t neighbour, float outflow)
{
    return rl_layers_is_airy(s, slot, neighbour) && !keeps_air_out(s, slot, neighbour, outflow);
}

// The same for a neighbour in the same plane, which may not be joined.
static bool air_enters_beside(const rl_layers *s, ptrdiff_t slot, ptrdiff_t neighbour,
                              float outflow)
{
    return s->flooded.origin[neighbour] == 0.0f && rl_layers_are_joined(s, slot, neighbour) &&
           air_enters(s, slot, neighbour, outflow);
}

static void open_columns_of_line(rl_layers *s, int line)
{
    const rl_layers_passages *p = s->passages;
    const uint64_t *here = rl_passages_bits(p, p->flooded, line);
    const uint64_t *south = rl_passages_bits(p, p->flooded, line - 1);
    const uint64_t *north = rl_passages_bits(p, p->flooded, line + 1);
    const ptrdiff_t row = rl_passages_line_slot(s, line), pitch = (ptrdiff_t)s->base.pitch;
    const float *qx = s->qx.origin, *qy = s->qy.origin;
    for (int w = 0; w < p->words; w++) {
        // Full columns with a neighbour that is not, or that has just been opened.
        uint64_t rim = here[w] & ~(rl_bits_from_west(here, w) &
                                   rl_bits_from_east(here, w, p->words) & south[w] & north[w]);
        for (; rim != 0; rim &= rim - 1) {
            const ptrdiff_t slot = row + 64 * w + rl_bits_lowest(rim) - 1;
            if (air_enters_beside(s, slot, slot - 1, -qx[slot - 1]) ||
                air_enters_beside(s, slot, slot + 1, qx[slot]) ||
                air_enters_beside(s, slot, slot - pitch, -qy[slot - pitch]) ||
                air_enters_beside(s, slot, slot + pitch, qy[slot]))
                rl_layers_open(s, slot);
        }
    }
}

void rl_layers_open_to_air(rl_layers *s)
{
    const float *flooded = s->flooded.origin;
    for (int line = 0; line < s->passages->lines; line++)
        if (s->passages->active[line])
            open_columns_of_line(s, line);
    for (size_t n = 0; n < s->cross_count; n++) {
        const ptrdiff_t from = (ptrdiff_t)s->cross[n].from, to = (ptrdiff_t)s->cross[n].to;
        if (flooded[from] > 0.0f && air_enters(s, from, to, s->cross_q[n]))
            rl_layers_open(s, from);
        if (flooded[to] > 0.0f && air_enters(s, to, from, -s->cross_q[n]))
            rl_layers_open(s, to);
    }
}
