// SPDX-License-Identifier: MIT
#include "solvers/pipes/pipes_rows.h"

#define ROWS_NAME_(isa) rl_pipes_rows_##isa
#define ROWS_NAME(isa)  ROWS_NAME_(isa)
#define TEXT_(x)        #x
#define TEXT(x)         TEXT_(x)

// Loads are aligned; the neighbours east and west come from the vectors beside by a lane shift,
// which is cheaper than a load that straddles two cache lines. So each loop carries the vector of
// the next iteration along.

RL_CELL void flow_east_body(const rl_pipes_flow_row *row, rl_pipe_coef k, int paper, int slowed,
                            int smooth)
{
    const float *restrict bed = row->bed, *restrict depth = row->depth;
    const float *qx = row->qx;
    const int first = row->open_west ? -RL_LANES : 0;
    rl_real b = rl_load(bed + first), d = rl_load(depth + first), q = rl_load(qx + first);
    rl_real q_before = rl_set(0.0f);
    for (int i = first; i < row->nx; i += RL_LANES) {
        const rl_real b_next = rl_load(bed + i + RL_LANES);
        const rl_real d_next = rl_load(depth + i + RL_LANES);
        const rl_real q_next = rl_load(qx + i + RL_LANES);
        rl_real kept;
        if (smooth)
            kept = rl_pipe_kept_smoothed(q, rl_west(q_before, q), rl_east(q, q_next), k);
        else
            kept = rl_pipe_kept(q, k);
        const rl_pipe_end here = {b, d, b}, east = {rl_east(b, b_next), rl_east(d, d_next), b};
        rl_store(row->qx_out + i, rl_pipe_flow(kept, here, east, b, k, paper, slowed));
        b = b_next;
        d = d_next;
        q_before = q;
        q = q_next;
    }
}

RL_CELL void flow_north_body(const rl_pipes_flow_row *row, rl_pipe_coef k, int paper, int slowed,
                             int smooth)
{
    for (int i = 0; i < row->nx; i += RL_LANES) {
        const rl_real q = rl_load(row->qy + i);
        rl_real kept;
        if (smooth)
            kept = rl_pipe_kept_smoothed(q, rl_load(row->qy_south_old + i),
                                         rl_load(row->qy_north_old + i), k);
        else
            kept = rl_pipe_kept(q, k);
        const rl_real b = rl_load(row->bed + i), b_north = rl_load(row->bed_north + i);
        const rl_pipe_end here = {b, rl_load(row->depth + i), b};
        const rl_pipe_end north = {b_north, rl_load(row->depth_north + i), b};
        rl_store(row->qy_out + i, rl_pipe_flow(kept, here, north, b, k, paper, slowed));
    }
}

// Shares of 1 are not written until one is below: that is rare, and divisions are dear.
static int find_short(const rl_pipes_flow_row *row, rl_pipe_coef k)
{
    int some_short = 0;
    rl_real q_west = rl_load(row->qx_out - RL_LANES);
    for (int i = 0; i < row->nx; i += RL_LANES) {
        const rl_real d = rl_load(row->depth + i), east = rl_load(row->qx_out + i);
        const rl_real leaving = rl_pipe_leaving(
            rl_west(q_west, east), east, rl_load(row->qy_south + i), rl_load(row->qy_out + i), k);
        if (rl_any(rl_pipe_short(d, leaving))) {
            for (int e = 0; !some_short && e < i; e++)
                row->share[e] = 1.0f;
            some_short = 1;
            rl_store(row->share + i, rl_pipe_share(d, leaving));
        } else if (some_short) {
            rl_store(row->share + i, rl_set(1.0f));
        }
        q_west = east;
    }
    if (some_short)
        row->share[row->nx] = 1.0f; // a ghost cell pays for everything
    return some_short;
}

// One function per combination, so that the choices are made outside the loops.
#define FLOW(paper, slowed, smooth)                                                              \
    static int flow_##paper##slowed##smooth(const rl_pipes_flow_row *row, rl_pipe_coef k)        \
    {                                                                                            \
        flow_east_body(row, k, paper, slowed, smooth);                                           \
        flow_north_body(row, k, paper, slowed, smooth);                                          \
        return find_short(row, k);                                                               \
    }                                                                                            \
    static void flow_north_##paper##slowed##smooth(const rl_pipes_flow_row *row, rl_pipe_coef k) \
    {                                                                                            \
        flow_north_body(row, k, paper, slowed, smooth);                                          \
    }
FLOW(0, 0, 0)
FLOW(0, 0, 1)
FLOW(0, 1, 0)
FLOW(0, 1, 1)
FLOW(0, 2, 0)
FLOW(0, 2, 1)
FLOW(1, 0, 0)
FLOW(1, 0, 1)
FLOW(1, 1, 0)
FLOW(1, 1, 1)
FLOW(1, 2, 0)
FLOW(1, 2, 1)

static void limit(float *qy, const float *share, const float *share_north, int nx)
{
    for (int i = 0; i < nx; i += RL_LANES)
        rl_store(qy + i,
                 rl_pipe_limit(rl_load(qy + i), rl_load(share + i), rl_load(share_north + i)));
}

RL_CELL float fill_body(const rl_pipes_fill_row *row, rl_pipe_coef k, int limited)
{
    float *restrict qx = row->qx, *restrict qy = row->qy;
    const float *restrict qy_new = row->qy_new;
    float *restrict depth = row->depth, *restrict remainder = row->remainder;
    const float *restrict qy_south = row->qy_south;
    const float *restrict share = row->share, *restrict share_north = row->share_north;

    rl_real largest = rl_set(0.0f), q_west = rl_load(qx - RL_LANES);
    rl_real s = limited ? rl_load(share) : rl_set(1.0f);
    if (limited) {
        q_west = rl_pipe_limit(q_west, rl_set(1.0f), rl_east(rl_load(share - RL_LANES), s));
        rl_store(qx - RL_LANES, q_west);
    }
    for (int i = 0; i < row->nx; i += RL_LANES) {
        rl_real east = rl_load(qx + i), north = rl_load(qy_new + i);
        if (limited) {
            const rl_real s_next = rl_load(share + i + RL_LANES);
            east = rl_pipe_limit(east, s, rl_east(s, s_next));
            north = rl_pipe_limit(north, s, rl_load(share_north + i));
            rl_store(qx + i, east);
            s = s_next;
        }
        rl_store(qy + i, north);
        rl_real left = rl_load(remainder + i);
        const rl_real filled = rl_pipe_fill(rl_load(depth + i), &left, rl_west(q_west, east), east,
                                            rl_load(qy_south + i), north, k);
        rl_store(depth + i, filled);
        rl_store(remainder + i, left);
        largest = rl_max(largest, filled);
        q_west = east;
    }
    return rl_largest(largest);
}

static float fill(const rl_pipes_fill_row *row, rl_pipe_coef k)
{
    return fill_body(row, k, 0);
}

static float limit_and_fill(const rl_pipes_fill_row *row, rl_pipe_coef k)
{
    return fill_body(row, k, 1);
}

#define TABLE(name)                                                                     \
    {                                                                                   \
        {{name##_000, name##_001}, {name##_010, name##_011}, {name##_020, name##_021}}, \
        {                                                                               \
            {name##_100, name##_101}, {name##_110, name##_111},                         \
            {                                                                           \
                name##_120, name##_121                                                  \
            }                                                                           \
        }                                                                               \
    }

const rl_pipes_rows ROWS_NAME(RL_ISA) = {
    .isa = TEXT(RL_ISA),
    .lanes = RL_LANES,
    .flow = TABLE(flow),
    .flow_north = TABLE(flow_north),
    .limit = limit,
    .fill = fill,
    .limit_and_fill = limit_and_fill,
};
