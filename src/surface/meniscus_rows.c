// SPDX-License-Identifier: MIT
// meniscus_rows.c - the loops of meniscus_rows.h over vectors of columns.
#include "surface/meniscus_rows.h"

#include "core/flags.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

// ---- Dead reckoning ----------------------------------------------------------------------

// Vectors of this many columns are visited or left alone together.
#define BLOCK (RL_LANES > 8 ? RL_LANES : 8)

typedef struct columns {
    rl_real distance, i, j, kind;
} columns;

// Returns whether something moved in a block or beside it. `moved` is at its first cell.
RL_CELL bool moved_beside(const uint8_t *moved, size_t pitch)
{
    uint64_t any = 0;
    const uint8_t *row = moved - pitch;
    for (int n = 0; n < 3; n++, row += pitch)
        for (int k = -1; k < BLOCK - 1; k += 8)
            any |= rl_eight_flags(row + k) | rl_eight_flags(row + k + 2);
    return any != 0;
}

RL_CELL columns load_columns(const rl_meniscus_row *row, ptrdiff_t at)
{
    columns c;
    c.distance = rl_load_any(row->now[0] + at);
    c.i = rl_load_any(row->now[1] + at);
    c.j = rl_load_any(row->now[2] + at);
    c.kind = rl_load_any(row->now[3] + at);
    return c;
}

// A visit of columns: the cells they are in, and what they have.
typedef struct visit {
    rl_real i;
    columns here;
} visit;

// Lets columns take over the boundary column of their neighbours at `other`, which is `stretch`
// cells away, where that is nearer, as rl_meniscus_reckon() does. `linked` is 1 where there is one,
// else 0.
RL_CELL void take_over(const rl_meniscus_row *row, ptrdiff_t other, float stretch, rl_real linked,
                       visit *v)
{
    const rl_real size = rl_set(row->cell_size), none = rl_set(0.0f);
    const rl_real detour = rl_load_any(row->now[0] + other) + rl_set(stretch * row->cell_size);
    const rl_mask shorter = rl_both(rl_less(detour, v->here.distance), rl_less(none, linked));
    if (!rl_any(shorter))
        return;
    const columns there = load_columns(row, other);
    const rl_real straight =
        rl_meniscus_straight(there.i - v->i, there.j - rl_set((float)row->j), size);
    const rl_mask takes = rl_both(shorter, rl_less(none, straight));
    v->here.distance = rl_select(takes, straight, v->here.distance);
    v->here.i = rl_select(takes, there.i, v->here.i);
    v->here.j = rl_select(takes, there.j, v->here.j);
    v->here.kind = rl_select(takes, there.kind, v->here.kind);
}

// Returns 1 in the lanes of columns from cell i on that are linked in direction `way`.
RL_CELL rl_real read_links(const rl_meniscus_row *row, int i, int way)
{
    float linked[RL_LANES];
    for (int n = 0; n < RL_LANES; n++)
        linked[n] = (float)(row->link[i + n] >> way & 1);
    return rl_load_any(linked);
}

// Returns the lanes that have another boundary column than before, or one for the first time; what
// is not wet has none.
RL_CELL uint32_t differing(const columns *before, const columns *now)
{
    const rl_mask same =
        rl_both(rl_both(rl_same_bits(before->i, now->i), rl_same_bits(before->j, now->j)),
                rl_same_bits(before->kind, now->kind));
    const rl_mask known = rl_less(now->distance, rl_set(RL_MENISCUS_FAR));
    const rl_mask was_known = rl_less(before->distance, rl_set(RL_MENISCUS_FAR));
    return rl_lane_bits(known) & ~(rl_lane_bits(was_known) & rl_lane_bits(same));
}

// Returns whether some of the columns of a block are alone.
RL_CELL bool some_alone(const uint8_t *alone)
{
    uint64_t any = 0;
    for (int k = 0; k < BLOCK; k += 8)
        any |= rl_eight_flags(alone + k);
    return any != 0;
}

// Visits RL_LANES columns from cell i on; returns which of them changed.
RL_CELL uint32_t visit_columns(const rl_meniscus_row *row, int i, bool alone)
{
    float lane[RL_LANES];
    for (int n = 0; n < RL_LANES; n++)
        lane[n] = (float)(i + n);
    const ptrdiff_t pitch = (ptrdiff_t)row->pitch;
    const ptrdiff_t steps[8] = {1, pitch, -1, -pitch, 1 + pitch, pitch - 1, -pitch - 1, 1 - pitch};
    visit v = {rl_load_any(lane), load_columns(row, i)};
    const columns before = v.here;
    for (int k = 0; k < 8; k++) {
        const rl_real linked = alone ? read_links(row, i, rl_meniscus_way(k)) : rl_set(1.0f);
        take_over(row, i + steps[k], rl_meniscus_stretch(k), linked, &v);
    }
    rl_store_any(row->next[0] + i, v.here.distance);
    rl_store_any(row->next[1] + i, v.here.i);
    rl_store_any(row->next[2] + i, v.here.j);
    rl_store_any(row->next[3] + i, v.here.kind);
    return differing(&before, &v.here);
}

// A block that would go past the end of the row begins further to the west.
static rl_meniscus_span reckon(const rl_meniscus_row *row)
{
    rl_meniscus_span changed = {row->nx, 0};
    for (int from = row->first; from < row->end; from += BLOCK) {
        const int i = from + BLOCK <= row->nx ? from : row->nx - BLOCK;
        if (!moved_beside(row->moved + i, row->pitch))
            continue;
        uint32_t differs = 0;
        const bool alone = some_alone(row->alone + i);
        for (int k = 0; k < BLOCK; k += RL_LANES)
            differs |= visit_columns(row, i + k, alone) << k;
        if (differs == 0)
            continue;
        for (int k = 0; k < BLOCK; k++)
            row->moves[i + k] = differs >> k & 1;
        changed.first = i < changed.first ? i : changed.first;
        changed.end = i + BLOCK;
    }
    return changed;
}

// ---- What wet columns know ---------------------------------------------------------------

// The distance of a column beside another, 1 where there is one, and by how much the surface rises.
typedef struct side {
    rl_real distance, has, rise;
} side;

// Dry columns are at the boundary; wet ones without a distance do not count.
RL_CELL side side_of(const rl_meniscus_group *group, ptrdiff_t at, rl_real here, rl_real level)
{
    const rl_real one = rl_set(1.0f), none = rl_set(0.0f);
    const rl_real there = rl_load_any(group->now[0] + at);
    const rl_mask wet = rl_less(there, rl_set(INFINITY));
    const rl_mask known = rl_less(there, rl_set(RL_MENISCUS_FAR));
    side s;
    s.distance = rl_select(known, there, rl_keep(wet, here));
    s.has = rl_select(known, one, rl_select(wet, none, one));
    s.rise = rl_keep(wet, rl_abs(rl_load_any(group->level + at) - level));
    return s;
}

static void gather(const rl_meniscus_group *group, rl_meniscus_batch *batch, int at)
{
    const ptrdiff_t pitch = (ptrdiff_t)group->pitch;
    for (int k = 0; k < RL_MENISCUS_GROUP; k += RL_LANES) {
        float place[RL_LANES];
        for (int n = 0; n < RL_LANES; n++)
            place[n] = (float)(group->i + k + n);
        const rl_real here = rl_load_any(group->now[0] + k), level = rl_load_any(group->level + k);
        const side east = side_of(group, k + 1, here, level);
        const side north = side_of(group, k + pitch, here, level);
        const side west = side_of(group, k - 1, here, level);
        const side south = side_of(group, k - pitch, here, level);
        const rl_real most = rl_max(
            south.rise, rl_max(west.rise, rl_max(north.rise, rl_max(east.rise, rl_set(0.0f)))));
        float *to = &batch->around[0][at + k];
        const size_t stride = RL_MENISCUS_BATCH;
        rl_store_any(to + RL_AROUND_DISTANCE * stride, here);
        rl_store_any(to + RL_AROUND_EAST * stride, east.distance);
        rl_store_any(to + RL_AROUND_NORTH * stride, north.distance);
        rl_store_any(to + RL_AROUND_WEST * stride, west.distance);
        rl_store_any(to + RL_AROUND_SOUTH * stride, south.distance);
        rl_store_any(to + RL_AROUND_BOTH_X * stride, east.has * west.has);
        rl_store_any(to + RL_AROUND_BOTH_Y * stride, north.has * south.has);
        rl_store_any(to + RL_AROUND_X * stride,
                     rl_load_any(group->now[1] + k) - rl_load_any(place));
        rl_store_any(to + RL_AROUND_Y * stride,
                     rl_load_any(group->now[2] + k) - rl_set((float)group->j));
        rl_store_any(to + RL_AROUND_TILT * stride, most / rl_set(group->cell_size));
    }
}

// ---- Bending -----------------------------------------------------------------------------

static void bend(rl_meniscus_batch *batch, const rl_meniscus_rule *rule, int n)
{
    for (int k = 0; k < n; k += RL_LANES) {
        rl_real around[RL_AROUND_FIELDS], bent[RL_BENT_FIELDS];
        for (int f = 0; f < RL_AROUND_FIELDS; f++)
            around[f] = rl_load(&batch->around[f][k]);
        rl_meniscus_bend(around, rule, bent);
        for (int f = 0; f < RL_BENT_FIELDS; f++)
            rl_store(&batch->bent[f][k], bent[f]);
    }
}

const rl_meniscus_rows RL_ROWS(rl_meniscus_rows) = {RL_ISA_TEXT, reckon, gather, bend};
