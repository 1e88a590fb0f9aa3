// SPDX-License-Identifier: MIT
// layers_mark.cuh - finds which columns are full, so that they may belong to a flooded passage, and
// where air would enter them: solvers/layers/layers_passages_full.c with a warp for a word of
// columns.
#pragma once

#include "gpu/cuda/layers/layers_args.cuh"

// A covered column that may be full.
struct rl_covered_column {
    float base, top;
    float head; // head that drives liquid out of it
    bool was;   // flooded
};

// Returns the head of the column in a slot, as told_by of the host does.
RL_DEVICE float rl_told_by(const rl_layers_args &a, int slot, bool was)
{
    return rl_passages_told(a.field[RL_COLUMN_BASE][slot], a.field[RL_COLUMN_DEPTH][slot],
                            a.field[RL_COLUMN_TOP][slot], was, a.field[RL_COLUMN_HEAD][slot]);
}

// Returns a column of a word, with the head that head_behind of the host finds, but without cross
// pipes. All values are loaded at once.
RL_DEVICE rl_covered_column rl_covered_column_of(const rl_layers_args &a,
                                                 const rl_layers_word &word, const rl_layers_at &at)
{
    const unsigned *floods = a.search.flooded;
    const int n = at.word, lane = at.lane, slot = at.slot;
    const unsigned here = floods[n];
    const unsigned west = rl_bits_from_west(floods, word, n),
                   east = rl_bits_from_east(floods, word, n);
    const unsigned south = rl_from_beside(floods, word.south),
                   north = rl_from_beside(floods, word.north);
    const float own = a.field[RL_COLUMN_HEAD][slot];
    const float base = a.field[RL_COLUMN_BASE][slot], depth = a.field[RL_COLUMN_DEPTH][slot];
    const float told_west = rl_told_by(a, slot - 1, west >> lane & 1);
    const float told_east = rl_told_by(a, slot + 1, east >> lane & 1);
    const float told_south = rl_told_by(a, slot - a.pitch, south >> lane & 1);
    const float told_north = rl_told_by(a, slot + a.pitch, north >> lane & 1);
    float head = base + depth;
    head = word.join_west >> lane & 1 ? rl_passages_higher(head, told_west) : head;
    head = word.join_east >> lane & 1 ? rl_passages_higher(head, told_east) : head;
    head = word.join_south >> lane & 1 ? rl_passages_higher(head, told_south) : head;
    head = word.join_north >> lane & 1 ? rl_passages_higher(head, told_north) : head;
    const bool was = here >> lane & 1;
    return {base, a.field[RL_COLUMN_TOP][slot], was ? own : head, was};
}

// Returns whether there is air at the ceiling between it and a column in slot `outside`, and the
// outflow there does not stop it.
RL_DEVICE bool rl_air_enters(const rl_layers_args &a, const rl_covered_column &c, int outside,
                             float outflow)
{
    const float beside = a.field[RL_COLUMN_TOP][outside], base = a.field[RL_COLUMN_BASE][outside];
    const float ceiling = c.top < beside ? c.top : beside;
    const float level = base + a.field[RL_COLUMN_DEPTH][outside];
    const float sill = c.base > base ? c.base : base;
    // No branches: the sides of a column are computed side by side.
    return level < rl_passages_air_level_of(a.cell_size, c.base, c.top, ceiling, c.was) &
           (!(outflow > 0.0f) | !rl_passages_keep_air_out(c.head, ceiling, outflow, ceiling - sill,
                                                          a.rules.gravity, !c.was));
}

// The values of a word of columns that are known before the length of the step: they decide whether
// columns are full, of columns and of the ends of cross pipes.
struct rl_seen_word {
    float base, depth, top, inflow;
    bool was;
    float end_q, end_base, end_depth, end_top;
};

// Handles the cross pipes of a word that end in lanes: their heads go to the columns, and whether
// air enters there to memory.
RL_DEVICE void rl_read_ends(const rl_layers_args &a, const rl_layers_word &word,
                            const rl_layers_ends &ends, rl_covered_column *column)
{
    const unsigned *floods = a.search.flooded;
    const auto told = [&](const rl_layers_end &end) {
        return rl_told_by(a, rl_far_slot(end), rl_marked(floods, end.beside));
    };
    float head = column->head;
    rl_take_ends(a, ends, told, [&](float level) { head = rl_passages_higher(head, level); });
    column->head = column->was ? column->head : head;
#pragma unroll 1
    for (int group = 0; group < ends.count; group += 32) {
        const int n = group + ((int)threadIdx.x & 31);
        rl_layers_end end = ends.mine;
        if (group > 0)
            end = rl_end_at(a, ends.first, ends.count, n);
        const int owner = rl_own_slot(end) - word.slot;
        const rl_covered_column owner_column = {
            __shfl_sync(RL_ALL_LANES, column->base, owner),
            __shfl_sync(RL_ALL_LANES, column->top, owner),
            __shfl_sync(RL_ALL_LANES, column->head, owner),
            (bool)__shfl_sync(RL_ALL_LANES, (int)column->was, owner)};
        const float q = a.cross_q[end.end >> 1];
        if (n < ends.count)
            a.search.end_air[end.end] =
                rl_air_enters(a, owner_column, rl_far_slot(end), end.end & 1 ? -q : q);
    }
}

// Computes for a word of columns from which sides air would enter them, if they are full, and their
// missing volumes.
RL_DEVICE rl_seen_word rl_read_word(const rl_layers_args &a, const rl_layers_word &word,
                                    const rl_layers_at &at, const rl_layers_ends &ends)
{
    const int slot = at.slot, pitch = a.pitch;
    const float base = a.field[RL_COLUMN_BASE][slot], depth = a.field[RL_COLUMN_DEPTH][slot];
    const float top = a.field[RL_COLUMN_TOP][slot];
    const float *qx = a.field[RL_COLUMN_QX] + slot, *qy = a.field[RL_COLUMN_QY] + slot;
    const float q_west = qx[-1], q_east = qx[0], q_south = qy[-pitch], q_north = qy[0];
    const float end_q = ends.count > 0 ? a.cross_q[ends.mine.end >> 1] : 0.0f;
    rl_covered_column column = rl_covered_column_of(a, word, at);
    const uint64_t lacking =
        at.swept ? rl_passages_count_lacking(base, depth, top, a.rules.cell_size) : 0;
    a.search.lacking[32 * at.word + at.lane] = rl_sum_up_to(lacking);
    rl_read_ends(a, word, ends, &column);
    const bool west = rl_air_enters(a, column, slot - 1, -q_west);
    const bool east = rl_air_enters(a, column, slot + 1, q_east);
    const bool south = rl_air_enters(a, column, slot - pitch, -q_south);
    const bool north = rl_air_enters(a, column, slot + pitch, q_north);
    const uint4 air = {word.join_west & __ballot_sync(RL_ALL_LANES, west),
                       word.join_east & __ballot_sync(RL_ALL_LANES, east),
                       word.join_south & __ballot_sync(RL_ALL_LANES, south),
                       word.join_north & __ballot_sync(RL_ALL_LANES, north)};
    if (at.lane == 0)
        a.search.air[at.word] = air;
    const int owner = rl_own_slot(ends.mine) - word.slot;
    const float inflow = rl_passages_inflow(q_west, q_east, q_south, q_north);
    const float end_base = __shfl_sync(RL_ALL_LANES, base, owner);
    const float end_depth = __shfl_sync(RL_ALL_LANES, depth, owner);
    const float end_top = __shfl_sync(RL_ALL_LANES, top, owner);
    return {base, depth, top, inflow, column.was, end_q, end_base, end_depth, end_top};
}

// Returns whether the inflow of cross pipes fills a lane's column.
RL_DEVICE bool rl_full_by_cross(const rl_layers_args &a, const rl_layers_ends &ends,
                                const rl_seen_word &seen, float spread)
{
    const int lane = (int)threadIdx.x & 31;
    bool full = false;
#pragma unroll 1
    for (int group = 0; group < ends.count; group += 32) {
        rl_layers_end end = ends.mine;
        float q = seen.end_q, base = seen.end_base, depth = seen.end_depth, top = seen.end_top;
        if (group > 0) {
            end = rl_end_at(a, ends.first, ends.count, group + lane);
            const int slot = rl_own_slot(end);
            q = a.cross_q[end.end >> 1];
            base = a.field[RL_COLUMN_BASE][slot];
            depth = a.field[RL_COLUMN_DEPTH][slot];
            top = a.field[RL_COLUMN_TOP][slot];
        }
        const bool fills = (end.end & 1 ? q > 0.0f : q < 0.0f) &&
                           rl_passages_full_by_cross(base, depth, top, q, spread, a.cell_size);
        full |= (__ballot_sync(RL_ALL_LANES, fills) & rl_own_ends(ends, group)) != 0;
    }
    return full;
}

// Finds which columns of a word are full, so that they may belong to a passage.
RL_DEVICE void rl_mark_word(const rl_layers_args &a, const rl_layers_at &at,
                            const rl_layers_ends &ends, const rl_seen_word &seen, float spread)
{
    const bool by_cross = rl_full_by_cross(a, ends, seen, spread);
    const bool full = rl_passages_full(seen.base, seen.depth, seen.top, seen.inflow, seen.was,
                                       spread, a.cell_size);
    const unsigned bits = __ballot_sync(RL_ALL_LANES, at.swept && (full || by_cross));
    if (at.lane == 0)
        a.search.full[at.word] = bits;
}
