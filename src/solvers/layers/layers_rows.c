// SPDX-License-Identifier: MIT
#include "solvers/layers/layers_rows.h"

#include "core/cpu.h"
#include "solvers/layers/layers_cell.h"
#include "solvers/shared/column_cell.h"

// Loads are aligned; neighbours east and west come from the vectors beside by a lane shift. The
// slot before `first` is dead, or the ghost beyond the western border.

// ---- Flow ------------------------------------------------------------------------------

RL_CELL void flow_east_body(const rl_layers_flow_row *row, rl_pipe_coef k, int kind, int slowed,
                            int smooth)
{
    const float *restrict base = row->base, *restrict depth = row->depth, *restrict top = row->top;
    const float *restrict qx = row->qx;
    const int first = row->open_west && row->first == 0 ? -RL_LANES : row->first;
    rl_real b = rl_load(base + first), d = rl_load(depth + first), q = rl_load(qx + first);
    rl_real t = rl_set(RL_FAR), q_before = rl_set(0.0f), cosine2 = rl_set(1.0f);
    if (kind & RL_PIPE_CEILINGS)
        t = rl_load(top + first);
    for (int i = first; i < row->end; i += RL_LANES) {
        const rl_real b_next = rl_load(base + i + RL_LANES);
        const rl_real d_next = rl_load(depth + i + RL_LANES);
        const rl_real q_next = rl_load(qx + i + RL_LANES);
        rl_real t_next = t, kept = rl_pipe_kept(q, k);
        if (kind & RL_PIPE_CEILINGS)
            t_next = rl_load(top + i + RL_LANES);
        if (kind & RL_PIPE_SLOPED)
            cosine2 = rl_load(row->cosine_x + i);
        if (smooth)
            kept = rl_pipe_kept_smoothed(q, rl_west(q_before, q), rl_east(q, q_next), k);
        const rl_pipe_end here = {b, d, t};
        const rl_pipe_end east = {rl_east(b, b_next), rl_east(d, d_next), rl_east(t, t_next)};
        rl_store(row->raw_x + i, rl_pipe_flow(kept, here, east, cosine2, k, kind, slowed));
        b = b_next;
        d = d_next;
        t = t_next;
        q_before = q;
        q = q_next;
    }
}

RL_CELL void flow_north_body(const rl_layers_flow_row *row, rl_pipe_coef k, int kind, int slowed,
                             int smooth)
{
    for (int i = row->first; i < row->end; i += RL_LANES) {
        const rl_real q = rl_load(row->qy + i);
        rl_real kept = rl_pipe_kept(q, k);
        if (smooth)
            kept =
                rl_pipe_kept_smoothed(q, rl_load(row->qy_south + i), rl_load(row->qy_north + i), k);
        rl_pipe_end here = rl_pipe_open_end(rl_load(row->base + i), rl_load(row->depth + i));
        rl_pipe_end north =
            rl_pipe_open_end(rl_load(row->base_north + i), rl_load(row->depth_north + i));
        rl_real cosine2 = rl_set(1.0f);
        if (kind & RL_PIPE_CEILINGS) {
            here.top = rl_load(row->top + i);
            north.top = rl_load(row->top_north + i);
        }
        if (kind & RL_PIPE_SLOPED)
            cosine2 = rl_load(row->cosine_y + i);
        rl_store(row->raw_y + i, rl_pipe_flow(kept, here, north, cosine2, k, kind, slowed));
    }
}

// One function per combination, so that the choices are made outside the loops.
#define FLOW(kind, slowed, smooth)                                                         \
    static void flow_##kind##slowed##smooth(const rl_layers_flow_row *row, rl_pipe_coef k) \
    {                                                                                      \
        if (row->raw_x != 0)                                                               \
            flow_east_body(row, k, kind, slowed, smooth);                                  \
        flow_north_body(row, k, kind, slowed, smooth);                                     \
    }
#define FLOWS(kind)  \
    FLOW(kind, 0, 0) \
    FLOW(kind, 0, 1) FLOW(kind, 1, 0) FLOW(kind, 1, 1) FLOW(kind, 2, 0) FLOW(kind, 2, 1)
FLOWS(0)
FLOWS(1)
FLOWS(2)
FLOWS(3)
FLOWS(4)
FLOWS(5)
FLOWS(6)
FLOWS(7)

RL_CELL void cross_body(rl_layers_chunk *c, int count, rl_pipe_coef k, int kind, int slowed)
{
    for (int n = 0; n < count; n += RL_LANES) {
        const rl_pipe_end i = {rl_load(c->base_i + n), rl_load(c->depth_i + n),
                               rl_load(c->top_i + n)};
        const rl_pipe_end j = {rl_load(c->base_j + n), rl_load(c->depth_j + n),
                               rl_load(c->top_j + n)};
        const rl_real kept = rl_pipe_kept(rl_load(c->q + n), k);
        rl_store(c->q + n,
                 rl_pipe_flow(kept, i, j, rl_set(1.0f), k, kind | RL_PIPE_CEILINGS, slowed));
    }
}

#define CROSS(paper, slowed)                                                             \
    static void cross_##paper##slowed(rl_layers_chunk *chunk, int count, rl_pipe_coef k) \
    {                                                                                    \
        cross_body(chunk, count, k, paper, slowed);                                      \
    }
CROSS(0, 0)
CROSS(0, 1)
CROSS(0, 2)
CROSS(1, 0)
CROSS(1, 1)
CROSS(1, 2)

// ---- Limiters ----------------------------------------------------------------------------

RL_CELL rl_mask flooded_mask(const float *flooded)
{
    return rl_less(rl_set(0.5f), rl_load(flooded));
}

// Limiters of 1 are not written again: a limited flow is rare, and divisions are dear.
RL_CELL int store_limiter(float *limiter, rl_real held, rl_real moving, int reset)
{
    if (rl_any(rl_pipe_overdrawn(held, moving))) {
        rl_store(limiter, rl_pipe_outflow_limiter(held, moving));
        return 1;
    }
    if (reset)
        rl_store(limiter, rl_set(1.0f));
    return 0;
}

RL_CELL int outflow_limiter_body(const rl_layers_fill_row *row, rl_pipe_coef k, int covered,
                                 int crossed)
{
    int some_limited = 0;
    rl_real q_west = rl_load(row->raw_x + row->first - RL_LANES);
    for (int i = row->first; i < row->end; i += RL_LANES) {
        const rl_real east = rl_load(row->raw_x + i);
        rl_real leaving = rl_pipe_leaving(
            rl_west(q_west, east), east, rl_load(row->raw_y_south + i), rl_load(row->raw_y + i), k);
        if (crossed)
            leaving = leaving + rl_set(k.outflow) * rl_load(row->extra + i);
        if (covered)
            leaving = rl_select(flooded_mask(row->flooded + i), rl_set(0.0f), leaving);
        some_limited |=
            store_limiter(row->limiter + i, rl_load(row->depth + i), leaving, row->reset);
        q_west = east;
    }
    row->limiter[row->end] = 1.0f; // a ghost column is not limited
    return some_limited;
}

#define OUTFLOW(covered, crossed)                                                                \
    static int outflow_limiter_##covered##crossed(const rl_layers_fill_row *row, rl_pipe_coef k) \
    {                                                                                            \
        return outflow_limiter_body(row, k, covered, crossed);                                   \
    }
OUTFLOW(0, 0)
OUTFLOW(0, 1)
OUTFLOW(1, 0)
OUTFLOW(1, 1)

RL_CELL int inflow_limiter_body(const rl_layers_fill_row *row, rl_pipe_coef k, int limited)
{
    int some_limited = 0;
    rl_real q_west = rl_load(row->raw_x + row->first - RL_LANES);
    rl_real s = rl_set(1.0f);
    if (limited) {
        s = rl_load(row->limiter + row->first);
        const rl_real s_west = rl_load(row->limiter + row->first - RL_LANES);
        q_west = rl_pipe_limit(q_west, s_west, rl_east(s_west, s));
    }
    for (int i = row->first; i < row->end; i += RL_LANES) {
        rl_real east = rl_load(row->raw_x + i), north = rl_load(row->raw_y + i);
        rl_real south = rl_load(row->raw_y_south + i);
        if (limited) {
            const rl_real s_next = rl_load(row->limiter + i + RL_LANES);
            east = rl_pipe_limit(east, s, rl_east(s, s_next));
            north = rl_pipe_limit(north, s, rl_load(row->limiter_north + i));
            south = rl_pipe_limit(south, rl_load(row->limiter_south + i), s);
            s = s_next;
        }
        rl_real arriving = rl_pipe_arriving(rl_west(q_west, east), east, south, north, k);
        arriving = arriving + rl_set(k.outflow) * rl_load(row->extra + i);
        arriving = rl_select(flooded_mask(row->flooded + i), rl_set(0.0f), arriving);
        const rl_real capacity =
            rl_layers_capacity(rl_load(row->base + i), rl_load(row->depth + i),
                               rl_load(row->remainder + i), rl_load(row->top + i));
        some_limited |= store_limiter(row->inflow + i, capacity, arriving, row->reset);
        q_west = east;
    }
    row->inflow[row->end] = 1.0f; // a ghost column's inflow is never limited
    return some_limited;
}

static int inflow_limiter_0(const rl_layers_fill_row *row, rl_pipe_coef k)
{
    return inflow_limiter_body(row, k, 0);
}

static int inflow_limiter_1(const rl_layers_fill_row *row, rl_pipe_coef k)
{
    return inflow_limiter_body(row, k, 1);
}

// ---- Filling ---------------------------------------------------------------------------

RL_CELL float fill_body(const rl_layers_fill_row *row, rl_pipe_coef k, int covered, int crossed,
                        int limited)
{
    const float *restrict raw_x = row->raw_x, *restrict raw_y = row->raw_y;
    float *restrict depth = row->depth, *restrict remainder = row->remainder;
    const int before = row->first - RL_LANES;
    rl_real largest = rl_set(0.0f), one = rl_set(1.0f), s = one, r = one;
    rl_real q_west = rl_load(raw_x + before);
    if (limited) {
        s = rl_load(row->limiter + row->first);
        const rl_real s_west = rl_load(row->limiter + before);
        q_west = rl_pipe_limit(q_west, s_west, rl_east(s_west, s));
    }
    if (limited && covered) {
        r = rl_load(row->inflow + row->first);
        const rl_real r_west = rl_load(row->inflow + before);
        q_west = rl_pipe_limit_inflow(q_west, r_west, rl_east(r_west, r));
    }
    if (row->open_west && row->first == 0)
        rl_store(row->qx + before, q_west);
    for (int i = row->first; i < row->end; i += RL_LANES) {
        rl_real east = rl_load(raw_x + i), north = rl_load(raw_y + i);
        rl_real south = rl_load(row->raw_y_south + i);
        if (limited) {
            const rl_real s_next = rl_load(row->limiter + i + RL_LANES);
            east = rl_pipe_limit(east, s, rl_east(s, s_next));
            north = rl_pipe_limit(north, s, rl_load(row->limiter_north + i));
            south = rl_pipe_limit(south, rl_load(row->limiter_south + i), s);
            s = s_next;
        }
        if (limited && covered) {
            const rl_real r_next = rl_load(row->inflow + i + RL_LANES);
            east = rl_pipe_limit_inflow(east, r, rl_east(r, r_next));
            north = rl_pipe_limit_inflow(north, r, rl_load(row->inflow_north + i));
            south = rl_pipe_limit_inflow(south, rl_load(row->inflow_south + i), r);
            r = r_next;
        }
        rl_store(row->qx + i, east);
        rl_store(row->qy + i, north);
        if (crossed)
            south = south + rl_load(row->extra + i);
        const rl_real d = rl_load(depth + i), left = rl_load(remainder + i);
        rl_real left_now = left;
        rl_real filled = rl_pipe_fill(d, &left_now, rl_west(q_west, east), east, south, north, k);
        if (covered) {
            const rl_real b = rl_load(row->base + i), t = rl_load(row->top + i);
            const rl_mask kept = flooded_mask(row->flooded + i);
            if (rl_any(rl_layers_above(b, filled, t)))
                filled = rl_layers_lowered(b, filled, &left_now, t);
            filled = rl_select(kept, d, filled);
            left_now = rl_select(kept, left, left_now);
        }
        rl_store(depth + i, filled);
        rl_store(remainder + i, left_now);
        largest = rl_max(largest, filled);
        q_west = east;
    }
    return rl_largest(largest);
}

#define FILL(covered, crossed, limited)                                                          \
    static float fill_##covered##crossed##limited(const rl_layers_fill_row *row, rl_pipe_coef k) \
    {                                                                                            \
        return fill_body(row, k, covered, crossed, limited);                                     \
    }
FILL(0, 0, 0)
FILL(0, 0, 1)
FILL(0, 1, 0)
FILL(0, 1, 1)
FILL(1, 0, 0)
FILL(1, 0, 1)
FILL(1, 1, 0)
FILL(1, 1, 1)

// ---- Velocities ---------------------------------------------------------------------------

// Liquid above the sill between two columns, and below their ceilings if they have any, metres.
RL_CELL rl_real above_sill(rl_pipe_end i, rl_pipe_end j, int covered)
{
    return covered ? rl_layers_above_sill(i.base, i.depth, i.top, j.base, j.depth, j.top)
                   : rl_pipe_above_sill(i.base, i.depth, j.base, j.depth);
}

RL_CELL rl_pipe_end load_end(const float *base, const float *depth, const float *top, int i,
                             int covered)
{
    rl_pipe_end end = rl_pipe_open_end(rl_load(base + i), rl_load(depth + i));
    if (covered)
        end.top = rl_load(top + i);
    return end;
}

RL_CELL rl_pipe_end end_east(rl_pipe_end here, rl_pipe_end next)
{
    return (rl_pipe_end){rl_east(here.base, next.base), rl_east(here.depth, next.depth),
                         rl_east(here.top, next.top)};
}

RL_CELL void sum_faces_body(const rl_layers_columns_row *row, int covered)
{
    const int before = row->first - RL_LANES;
    rl_pipe_end here = load_end(row->base, row->depth, row->top, row->first, covered);
    const rl_pipe_end last = load_end(row->base, row->depth, row->top, before, covered);
    rl_real in_west = above_sill(last, end_east(last, here), covered);
    rl_real q_west = rl_load(row->qx + before);
    for (int i = row->first; i < row->end; i += RL_LANES) {
        const rl_pipe_end next = load_end(row->base, row->depth, row->top, i + RL_LANES, covered);
        const rl_pipe_end south =
            load_end(row->base_south, row->depth_south, row->top_south, i, covered);
        const rl_pipe_end north =
            load_end(row->base_north, row->depth_north, row->top_north, i, covered);
        const rl_real in_east = above_sill(here, end_east(here, next), covered);
        const rl_real q_east = rl_load(row->qx + i);
        rl_store(row->liquid_x + i, rl_west(in_west, in_east) + in_east);
        rl_store(row->liquid_y + i,
                 above_sill(south, here, covered) + above_sill(here, north, covered));
        rl_store(row->velocity_x + i, rl_west(q_west, q_east) + q_east);
        rl_store(row->velocity_y + i, rl_load(row->qy_south + i) + rl_load(row->qy + i));
        here = next;
        in_west = in_east;
        q_west = q_east;
    }
}

static void sum_faces_0(const rl_layers_columns_row *row)
{
    sum_faces_body(row, 0);
}

static void sum_faces_1(const rl_layers_columns_row *row)
{
    sum_faces_body(row, 1);
}

static void divide_sums(const rl_layers_columns_row *row)
{
    const rl_real wet = rl_set(row->wet), zero = rl_set(0.0f);
    for (int i = row->first; i < row->end; i += RL_LANES) {
        const rl_real d = rl_load(row->depth + i);
        const rl_real u = rl_load(row->velocity_x + i), v = rl_load(row->velocity_y + i);
        const rl_real in_x = rl_load(row->liquid_x + i), in_y = rl_load(row->liquid_y + i);
        rl_store(row->velocity_x + i, rl_layers_velocity(d, wet, u, in_x));
        rl_store(row->velocity_y + i, rl_layers_velocity(d, wet, v, in_y));
        rl_store(row->liquid_x + i, zero);
        rl_store(row->liquid_y + i, zero);
    }
}

#define OF_KIND(kind)                                                           \
    {                                                                           \
        {flow_##kind##00, flow_##kind##01}, {flow_##kind##10, flow_##kind##11}, \
        {                                                                       \
            flow_##kind##20, flow_##kind##21                                    \
        }                                                                       \
    }

const rl_layers_rows RL_ROWS(rl_layers_rows) = {
    .isa = RL_ISA_TEXT,
    .lanes = RL_LANES,
    .flow = {OF_KIND(0), OF_KIND(1), OF_KIND(2), OF_KIND(3), OF_KIND(4), OF_KIND(5), OF_KIND(6),
             OF_KIND(7)},
    .cross = {{cross_00, cross_01, cross_02}, {cross_10, cross_11, cross_12}},
    .outflow_limiter = {{outflow_limiter_00, outflow_limiter_01},
                        {outflow_limiter_10, outflow_limiter_11}},
    .inflow_limiter = {inflow_limiter_0, inflow_limiter_1},
    .fill = {{{fill_000, fill_001}, {fill_010, fill_011}},
             {{fill_100, fill_101}, {fill_110, fill_111}}},
    .sum_faces = {sum_faces_0, sum_faces_1},
    .divide_sums = divide_sums,
};
