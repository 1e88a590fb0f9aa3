// SPDX-License-Identifier: MIT
#include "solvers/swe/swe_rows.h"

#include "core/cpu.h"
#include "solvers/swe/swe_bore_cell.h"

// Loads are aligned; neighbours east and west come from the vectors beside by a lane shift. So each
// loop carries the vectors before and after along.

// A row of numbers as a loop moves along it.
typedef struct along {
    rl_real before, here, after;
} along;

// One vector before the first, to be moved on from.
RL_CELL along start(const float *row)
{
    const rl_real before = rl_load(row - RL_LANES);
    return (along){before, before, rl_load(row)};
}

// Moves on to the vector at cell i.
RL_CELL along step_to(along a, const float *row, int i)
{
    return (along){a.here, a.after, rl_load(row + i + RL_LANES)};
}

RL_CELL rl_real east_of(along a)
{
    return rl_east(a.here, a.after);
}

RL_CELL rl_real west_of(along a)
{
    return rl_west(a.before, a.here);
}

RL_CELL rl_swe_three three(along a)
{
    return (rl_swe_three){west_of(a), a.here, east_of(a)};
}

typedef struct around {
    along u_south, u, u_north, v_south, v, v_north;
} around;

RL_CELL around start_around(const rl_swe_around *rows)
{
    return (around){start(rows->u_south), start(rows->u), start(rows->u_north),
                    start(rows->v_south), start(rows->v), start(rows->v_north)};
}

RL_CELL around step_around(around a, const rl_swe_around *rows, int i)
{
    return (around){step_to(a.u_south, rows->u_south, i),
                    step_to(a.u, rows->u, i),
                    step_to(a.u_north, rows->u_north, i),
                    step_to(a.v_south, rows->v_south, i),
                    step_to(a.v, rows->v, i),
                    step_to(a.v_north, rows->v_north, i)};
}

RL_CELL rl_swe_trace trace_u(around a, rl_swe_coef k)
{
    return rl_swe_trace_x(a.u.here, a.v_south.here, a.v.here, east_of(a.v_south), east_of(a.v), k);
}

RL_CELL rl_swe_trace trace_v(around a, rl_swe_coef k)
{
    return rl_swe_trace_y(a.v.here, west_of(a.u), a.u.here, west_of(a.u_north), a.u_north.here, k);
}

static void carry(const rl_swe_carry_row *row, rl_swe_coef k)
{
    around a = start_around(&row->old);
    for (int i = 0; i < row->nx; i += RL_LANES) {
        a = step_around(a, &row->old, i);
        rl_swe_trace t = trace_u(a, k);
        rl_swe_four f =
            rl_swe_pick(three(a.u_south), three(a.u), three(a.u_north), t.east, t.north);
        rl_store(row->u + i, rl_swe_between(f, t));
        rl_store(row->u_low + i, rl_swe_lowest(f));
        rl_store(row->u_high + i, rl_swe_highest(f));
        t = trace_v(a, k);
        f = rl_swe_pick(three(a.v_south), three(a.v), three(a.v_north), t.east, t.north);
        rl_store(row->v + i, rl_swe_between_turned(f, t));
        rl_store(row->v_low + i, rl_swe_lowest(f));
        rl_store(row->v_high + i, rl_swe_highest(f));
    }
}

static void correct(const rl_swe_correct_row *row, rl_swe_coef k)
{
    // Of the old velocities only those at the faces and across them are read.
    along u_old = start(row->old.u), u_north_old = start(row->old.u_north);
    along v_old = start(row->old.v), v_south_old = start(row->old.v_south);
    around c = start_around(&row->advected);
    for (int i = 0; i < row->nx; i += RL_LANES) {
        c = step_around(c, &row->advected, i);
        u_old = step_to(u_old, row->old.u, i);
        u_north_old = step_to(u_north_old, row->old.u_north, i);
        v_old = step_to(v_old, row->old.v, i);
        v_south_old = step_to(v_south_old, row->old.v_south, i);
        const around old = {u_old, u_old, u_north_old, v_south_old, v_old, v_old};
        rl_swe_trace t = trace_u(old, k);
        rl_swe_four f = rl_swe_pick_forth(three(c.u_south), three(c.u), three(c.u_north), t);
        rl_store(row->u + i, rl_swe_correct(f.here, rl_swe_between(f, t), u_old.here,
                                            rl_load(row->u_low + i), rl_load(row->u_high + i)));
        t = trace_v(old, k);
        f = rl_swe_pick_forth(three(c.v_south), three(c.v), three(c.v_north), t);
        rl_store(row->v + i, rl_swe_correct(f.here, rl_swe_between_turned(f, t), v_old.here,
                                            rl_load(row->v_low + i), rl_load(row->v_high + i)));
    }
}

// Flow moves along a row with the depth of the next vector and the face west of this one.
typedef struct stream {
    rl_real depth, q_west;
    int some_limited;
} stream;

// Limiters of 1 are not written until one is below: that is rare, and divisions are dear.
RL_CELL void limiter_at(stream *f, const rl_swe_flow_row *row, int i, rl_real depth, rl_real east,
                        rl_real north, rl_swe_coef k)
{
    const rl_real leaving =
        rl_pipe_leaving(rl_west(f->q_west, east), east, rl_load(row->qy_south + i), north, k.pipe);
    if (rl_any(rl_pipe_overdrawn(depth, leaving))) {
        for (int e = 0; !f->some_limited && e < i; e++)
            row->limiter[e] = 1.0f;
        f->some_limited = 1;
        rl_store(row->limiter + i, rl_pipe_outflow_limiter(depth, leaving));
    } else if (f->some_limited) {
        rl_store(row->limiter + i, rl_set(1.0f));
    }
    f->q_west = east;
}

RL_CELL int end_limiters(const stream *f, const rl_swe_flow_row *row)
{
    if (f->some_limited)
        row->limiter[row->nx] = 1.0f; // what lies beyond a border is not limited
    return f->some_limited;
}

RL_CELL stream start_stream(const rl_swe_flow_row *row)
{
    return (stream){rl_load(row->depth), rl_load(row->qx - RL_LANES), 0};
}

RL_CELL void flow_at(stream *f, const rl_swe_flow_row *row, int i, rl_real u, rl_real v,
                     rl_swe_coef k)
{
    const rl_real d = f->depth, next = rl_load(row->depth + i + RL_LANES);
    const rl_real here = rl_swe_moving_depth(d, k);
    const rl_real to_east = rl_swe_moving_depth(rl_east(d, next), k);
    const rl_real to_north = rl_swe_moving_depth(rl_load(row->depth_north + i), k);
    rl_real east = rl_swe_discharge(u, here, to_east, k);
    const rl_real north = rl_swe_discharge(v, here, to_north, k);
    rl_store(row->qx + i, east);
    rl_store(row->qy + i, north);
    if (row->open_east && i + RL_LANES >= row->nx) {
        row->qx[row->nx - 1] = row->qx_east;
        east = rl_load(row->qx + i);
    }
    limiter_at(f, row, i, d, east, north, k);
    f->depth = next;
}

static int flow(const rl_swe_flow_row *row, rl_swe_coef k)
{
    stream f = start_stream(row);
    for (int i = 0; i < row->nx; i += RL_LANES)
        flow_at(&f, row, i, rl_load(row->u + i), rl_load(row->v + i), k);
    return end_limiters(&f, row);
}

static int limiter(const rl_swe_flow_row *row, rl_swe_coef k)
{
    stream f = start_stream(row);
    for (int i = 0; i < row->nx; i += RL_LANES)
        limiter_at(&f, row, i, rl_load(row->depth + i), rl_load(row->qx + i), rl_load(row->qy + i),
                   k);
    return end_limiters(&f, row);
}

static void limit(float *qy, const float *limiter_here, const float *limiter_north, int nx)
{
    for (int i = 0; i < nx; i += RL_LANES)
        rl_store(qy + i, rl_pipe_limit(rl_load(qy + i), rl_load(limiter_here + i),
                                       rl_load(limiter_north + i)));
}

RL_CELL void fill_body(const rl_swe_fill_row *row, rl_swe_coef k, int limited)
{
    rl_real q_west = rl_load(row->qx - RL_LANES);
    rl_real s = limited ? rl_load(row->limiter) : rl_set(1.0f);
    if (limited) {
        q_west = rl_pipe_limit(q_west, rl_set(1.0f), rl_east(rl_load(row->limiter - RL_LANES), s));
        rl_store(row->qx - RL_LANES, q_west);
    }
    for (int i = 0; i < row->nx; i += RL_LANES) {
        rl_real east = rl_load(row->qx + i), north = rl_load(row->qy + i);
        if (limited) {
            const rl_real s_next = rl_load(row->limiter + i + RL_LANES);
            east = rl_pipe_limit(east, s, rl_east(s, s_next));
            north = rl_pipe_limit(north, s, rl_load(row->limiter_north + i));
            rl_store(row->qx + i, east);
            rl_store(row->qy + i, north);
            s = s_next;
        }
        rl_real left = rl_load(row->remainder + i);
        rl_store(row->depth_out + i,
                 rl_pipe_fill(rl_load(row->depth + i), &left, rl_west(q_west, east), east,
                              rl_load(row->qy_south + i), north, k.pipe));
        rl_store(row->remainder_out + i, left);
        q_west = east;
    }
}

static void fill(const rl_swe_fill_row *row, rl_swe_coef k)
{
    fill_body(row, k, 0);
}

static void limit_and_fill(const rl_swe_fill_row *row, rl_swe_coef k)
{
    fill_body(row, k, 1);
}

// What a row's advection that keeps momentum reads: discharges and velocities along the row.
typedef struct currents {
    along u, v, qx, qx_north, qy_south, qy;
} currents;

RL_CELL along load_along(const float *row, int i)
{
    return (along){rl_load(row + i - RL_LANES), rl_load(row + i), rl_load(row + i + RL_LANES)};
}

RL_CELL currents load_currents(const rl_swe_push_row *row, int i)
{
    return (currents){load_along(row->old.u, i),    load_along(row->old.v, i),
                      load_along(row->qx, i),       load_along(row->qx_north, i),
                      load_along(row->qy_south, i), load_along(row->qy, i)};
}

// What advection that keeps momentum needs to know of a face.
typedef struct face {
    rl_swe_end i, j;
    rl_swe_fall fall;
    rl_real push; // by the pressures of bores, where water does not fall free
} face;

RL_CELL face face_of(rl_swe_end i, rl_swe_end j)
{
    return (face){i, j, rl_swe_fall_between(i, j), rl_set(0.0f)};
}

// `falls`: water may fall free.
RL_CELL rl_real face_push(face f, int falls)
{
    return falls ? rl_swe_bore_push(f.push, f.fall) : f.push;
}

RL_CELL rl_real face_depths(face f, rl_swe_coef k, int falls)
{
    if (falls)
        return rl_swe_face_depths(f.i, f.j, f.fall, k);
    return f.i.depth + f.j.depth;
}

RL_CELL rl_real keep_momentum_u(currents c, const rl_swe_push_row *row, int i, face f,
                                rl_swe_coef k, int falls)
{
    const rl_swe_inflow side = {west_of(c.u), east_of(c.u), rl_load(row->old.u_south + i),
                                rl_load(row->old.u_north + i)};
    const rl_swe_three qx = three(c.qx);
    const rl_real south_east = east_of(c.qy_south), east = east_of(c.qy);
    const rl_swe_inflow in =
        falls ? rl_swe_inflow_falling_x(qx, c.qy_south.here, south_east, c.qy.here, east, f.fall)
              : rl_swe_inflow_x(qx, c.qy_south.here, south_east, c.qy.here, east);
    return rl_swe_keep_momentum(c.u.here, side, in, face_depths(f, k, falls), face_push(f, falls));
}

RL_CELL rl_real keep_momentum_v(currents c, const rl_swe_push_row *row, int i, face f,
                                rl_swe_coef k, int falls)
{
    const rl_swe_inflow side = {west_of(c.v), east_of(c.v), rl_load(row->old.v_south + i),
                                rl_load(row->old.v_north + i)};
    const rl_swe_three qy = {c.qy_south.here, c.qy.here, rl_load(row->qy_north + i)};
    const rl_real west = west_of(c.qx), north_west = west_of(c.qx_north);
    const rl_swe_inflow in =
        falls ? rl_swe_inflow_falling_y(west, north_west, c.qx.here, c.qx_north.here, qy, f.fall)
              : rl_swe_inflow_y(west, north_west, c.qx.here, c.qx_north.here, qy);
    return rl_swe_keep_momentum(c.v.here, side, in, face_depths(f, k, falls), face_push(f, falls));
}

// Keeps the momentum of the faces at fronts among a vector of cells. Between dry cells are walls.
RL_CELL void keep_fronts_at(const rl_swe_push_row *row, int i, rl_swe_coef k)
{
    const along d = load_along(row->depth_old, i), d_new = load_along(row->depth, i);
    const rl_real to_north = rl_load(row->depth_north + i);
    const rl_mask stays_u = rl_either(rl_swe_can_read(d.here, east_of(d), k),
                                      rl_swe_both_dry(d_new.here, east_of(d_new), k));
    const rl_mask stays_v = rl_either(rl_swe_can_read(d.here, rl_load(row->depth_old_north + i), k),
                                      rl_swe_both_dry(d_new.here, to_north, k));
    if (rl_all(rl_both(stays_u, stays_v)))
        return;
    const along b_new = load_along(row->bed, i);
    const rl_swe_end here = rl_swe_end_of(b_new.here, d_new.here);
    const rl_swe_end east = rl_swe_end_of(east_of(b_new), east_of(d_new));
    const rl_swe_end north = rl_swe_end_of(rl_load(row->bed_north + i), to_north);
    const currents c = load_currents(row, i);
    rl_store(row->u_advected + i, rl_select(stays_u, rl_load(row->u_advected + i),
                                            keep_momentum_u(c, row, i, face_of(here, east), k, 1)));
    rl_store(row->v_advected + i,
             rl_select(stays_v, rl_load(row->v_advected + i),
                       keep_momentum_v(c, row, i, face_of(here, north), k, 1)));
}

// Vectors of cells that are searched for fronts at once.
#define FRONT_VECTORS 4

// Returns whether there is no front among the vectors from cell i on, nor in the one after them.
RL_CELL int reads_all(const rl_swe_push_row *row, int i, rl_swe_coef k)
{
    rl_real least = rl_load(row->depth_old + i);
    for (int n = 0; n < FRONT_VECTORS; n++) {
        least = rl_min(least, rl_load(row->depth_old + i + (n + 1) * RL_LANES));
        least = rl_min(least, rl_load(row->depth_old_north + i + n * RL_LANES));
    }
    return rl_all(rl_swe_can_read(least, least, k));
}

// Fronts (rl_swe_can_read) are few, so this is a loop of its own that mostly tests. Pressures of
// bores follow with all other faces.
static void keep_fronts(const rl_swe_push_row *row, rl_swe_coef k)
{
    const int together = FRONT_VECTORS * RL_LANES;
    for (int first = 0; first < row->nx; first += together) {
        if (first + together <= row->nx && reads_all(row, first, k))
            continue;
        for (int i = first; i < first + together && i < row->nx; i += RL_LANES)
            keep_fronts_at(row, i, k);
    }
}

// New velocities of a vector of faces from the advected ones, which are made here if momentum is
// kept. `edges`: there may be walls, and water that falls free; elsewhere formulas are shorter.
RL_CELL void new_velocities(const rl_swe_push_row *row, int i, currents c, face east, face north,
                            rl_swe_coef k, int kept, int bores, int slowed, int edges, rl_real *u,
                            rl_real *v)
{
    if (kept) {
        *u = keep_momentum_u(c, row, i, east, k, edges);
        *v = keep_momentum_v(c, row, i, north, k, edges);
    } else if (bores) {
        *u = rl_swe_push_by(*u, face_push(east, edges), face_depths(east, k, edges));
        *v = rl_swe_push_by(*v, face_push(north, edges), face_depths(north, k, edges));
    }
    *u = rl_swe_accelerate(*u, east.i, east.j, east.fall, k.acceleration_x, k, slowed, edges);
    *v = rl_swe_accelerate(*v, north.i, north.j, north.fall, k.acceleration_y, k, slowed, edges);
}

RL_CELL rl_swe_largest push_body(const rl_swe_push_row *row, rl_swe_coef k, int slowed, int kept,
                                 int bores)
{
    const rl_real zero = rl_set(0.0f);
    rl_real most_d = zero, most_u = zero, most_v = zero;
    if (!kept)
        keep_fronts(row, k);
    for (int i = 0; i < row->nx; i += RL_LANES) {
        const along d = load_along(row->depth, i);
        const rl_real to_north = rl_load(row->depth_north + i);
        most_d = rl_max(most_d, d.here);
        if (rl_all(rl_swe_both_dry(d.here, rl_max(east_of(d), to_north), k))) {
            rl_store(row->u + i, rl_set(-0.0f));
            rl_store(row->v + i, rl_set(-0.0f));
            continue;
        }
        const along b = load_along(row->bed, i);
        const currents c = kept ? load_currents(row, i) : (currents){b, b, b, b, b, b};
        const rl_swe_end here = rl_swe_end_of(b.here, d.here);
        face east = face_of(here, rl_swe_end_of(east_of(b), east_of(d)));
        face north = face_of(here, rl_swe_end_of(rl_load(row->bed_north + i), to_north));
        if (bores) {
            const rl_real p = rl_load(row->pressure_x + i), p_y = rl_load(row->pressure_y + i);
            east.push = p - rl_east(p, rl_load(row->pressure_x + i + RL_LANES));
            north.push = p_y - rl_load(row->pressure_y_north + i);
        }
        rl_real u = kept ? zero : rl_load(row->u_advected + i);
        rl_real v = kept ? zero : rl_load(row->v_advected + i);
        if (rl_swe_any_edge(here, east.j, north.j, east.fall, north.fall, k))
            new_velocities(row, i, c, east, north, k, kept, bores, slowed, 1, &u, &v);
        else
            new_velocities(row, i, c, east, north, k, kept, bores, slowed, 0, &u, &v);
        rl_store(row->u + i, u);
        rl_store(row->v + i, v);
        most_u = rl_max(most_u, rl_abs(u));
        most_v = rl_max(most_v, rl_abs(v));
    }
    return (rl_swe_largest){rl_largest(most_d), rl_largest(most_u), rl_largest(most_v)};
}

#define PUSH(kept, bores, slowed)                                                         \
    static rl_swe_largest push_k##kept##_b##bores##_s##slowed(const rl_swe_push_row *row, \
                                                              rl_swe_coef k)              \
    {                                                                                     \
        return push_body(row, k, slowed, kept, bores);                                    \
    }
#define PUSH_SLOWED(kept, bores) PUSH(kept, bores, 0) PUSH(kept, bores, 1) PUSH(kept, bores, 2)
PUSH_SLOWED(0, 0)
PUSH_SLOWED(0, 1)
PUSH_SLOWED(1, 0)
PUSH_SLOWED(1, 1)

// A vector of cells, those beside it, and the velocities of its faces.
typedef struct bore_cells {
    rl_swe_three bed_x, bed_y, depth_x, depth_y; // south and north are west and east along y
    rl_real west, east, south, north;
} bore_cells;

RL_CELL rl_swe_end end_before(rl_swe_three bed, rl_swe_three depth)
{
    return rl_swe_end_of(bed.west, depth.west);
}

RL_CELL rl_swe_end end_after(rl_swe_three bed, rl_swe_three depth)
{
    return rl_swe_end_of(bed.east, depth.east);
}

RL_CELL rl_real highest_beside(bore_cells c)
{
    return rl_max(rl_max(c.bed_x.west, c.bed_x.east), rl_max(c.bed_y.west, c.bed_y.east));
}

// Is there a face that reflects, or water that may fall in? Elsewhere formulas are shorter.
RL_CELL int has_edges(bore_cells c)
{
    const rl_mask x = rl_either(rl_swe_reflects(c.west), rl_swe_reflects(c.east));
    const rl_mask y = rl_either(rl_swe_reflects(c.south), rl_swe_reflects(c.north));
    const rl_real level = c.bed_x.here + c.depth_x.here;
    return rl_any(rl_either(rl_either(x, y), rl_less(level, highest_beside(c))));
}

// How a vector of cells is compressed, and the part of that which is smooth.
typedef struct squeeze {
    rl_swe_compression x, y;
    rl_real smooth_x, smooth_y;
} squeeze;

RL_CELL squeeze squeeze_of(rl_swe_compression x, rl_swe_compression y, rl_swe_coef k)
{
    return (squeeze){x, y, rl_swe_smooth(x, k), rl_swe_smooth(y, k)};
}

// The same with water mirrored at faces that reflect, and at borders.
RL_CELL squeeze mirror(const rl_swe_bore_row *row, squeeze a, bore_cells c, rl_swe_coef k)
{
    rl_swe_compression x = rl_swe_mirror(a.x, c.west, c.east);
    rl_swe_compression y = rl_swe_mirror(a.y, c.south, c.north);
    if (row->at_south)
        y.before = y.here;
    if (row->at_north)
        y.after = y.here;
    return squeeze_of(x, y, k);
}

// Pressures of a vector of cells.
RL_CELL void bores_at(const rl_swe_bore_row *row, int i, squeeze a, rl_real west, rl_real east,
                      rl_swe_coef k)
{
    const rl_swe_three b = three(load_along(row->bed, i)), d = three(load_along(row->depth, i));
    const bore_cells c = {
        .bed_x = b,
        .bed_y = {rl_load(row->bed_south + i), b.here, rl_load(row->bed_north + i)},
        .depth_x = d,
        .depth_y = {rl_load(row->depth_south + i), d.here, rl_load(row->depth_north + i)},
        .west = west,
        .east = east,
        .south = rl_load(row->v_south + i),
        .north = rl_load(row->v_north + i),
    };
    const rl_mask bore_x = rl_swe_is_bore(a.x, a.smooth_x);
    const rl_mask bore_y = rl_swe_is_bore(a.y, a.smooth_y);
    rl_real depth_x = rl_min(d.west, d.east), depth_y = rl_min(c.depth_y.west, c.depth_y.east);
    if (row->at_south || row->at_north || has_edges(c)) {
        const rl_swe_end here = rl_swe_end_of(b.here, d.here);
        a = mirror(row, a, c, k);
        depth_x = rl_swe_compressed_depth(end_before(c.bed_x, c.depth_x), here,
                                          end_after(c.bed_x, c.depth_x), c.west, c.east);
        depth_y = rl_swe_compressed_depth(end_before(c.bed_y, c.depth_y), here,
                                          end_after(c.bed_y, c.depth_y), c.south, c.north);
    }
    const rl_real moving = rl_swe_moving_depth(d.here, k), speed = rl_swe_bore_speed(moving, k);
    const rl_real x = rl_swe_bore_pressure(a.x.here, a.smooth_x, speed, rl_min(moving, depth_x), k);
    const rl_real y = rl_swe_bore_pressure(a.y.here, a.smooth_y, speed, rl_min(moving, depth_y), k);
    rl_store(row->pressure_x + i, rl_keep(bore_x, x));
    rl_store(row->pressure_y + i, rl_keep(bore_y, y));
}

// None are written until there is one: most water has none.
static int bores(const rl_swe_bore_row *row, rl_swe_coef k)
{
    int some = 0;
    along u = start(row->u);
    rl_real west_before = rl_load_any(row->u - RL_LANES - 1);
    for (int i = 0; i < row->nx; i += RL_LANES) {
        u = step_to(u, row->u, i);
        const rl_real west = west_of(u);
        const rl_swe_compression x =
            rl_swe_compress(rl_west(west_before, west), west, u.here, east_of(u));
        const rl_swe_compression y =
            rl_swe_compress(rl_load(row->v_before + i), rl_load(row->v_south + i),
                            rl_load(row->v_north + i), rl_load(row->v_after + i));
        west_before = west;
        const squeeze a = squeeze_of(x, y, k);
        if (rl_any(rl_either(rl_swe_is_bore(x, a.smooth_x), rl_swe_is_bore(y, a.smooth_y)))) {
            for (int e = 0; !some && e < i; e++)
                row->pressure_x[e] = row->pressure_y[e] = 0.0f;
            some = 1;
            bores_at(row, i, a, west, u.here, k);
        } else if (some) {
            rl_store(row->pressure_x + i, rl_set(0.0f));
            rl_store(row->pressure_y + i, rl_set(0.0f));
        }
    }
    return some;
}

static void absorb(const rl_swe_absorb_row *row, rl_swe_coef k)
{
    const rl_real profile_y = rl_set(row->profile_y), level_y = rl_set(row->level_y);
    rl_real u_west = rl_load(row->u + row->first - RL_LANES);
    for (int i = row->first; i < row->end; i += RL_LANES) {
        const rl_real u = rl_load(row->u + i);
        const rl_real dv = rl_load(row->v + i) - rl_load(row->v_south + i);
        const rl_swe_layer at =
            rl_swe_layer_of(rl_load(row->bed + i), rl_load(row->profile_x + i),
                            rl_load(row->level_x + i), profile_y, level_y, row->gravity);
        rl_real phi = rl_swe_remember(rl_load(row->phi + i), at, u - rl_west(u_west, u), dv, k);
        rl_store(row->depth + i, rl_swe_absorb(rl_load(row->depth + i), &phi, at, k));
        rl_store(row->phi_out + i, phi);
        u_west = u;
    }
}

static void damp(const rl_swe_damp_row *row, rl_swe_coef k)
{
    const float g = row->gravity;
    for (int i = row->first; i < row->end; i += RL_LANES) {
        const rl_real bed = rl_load(row->bed + i);
        const rl_real sigma =
            rl_swe_sigma_at(bed, rl_load(row->profile_x + i), rl_load(row->level_x + i), g);
        const rl_real next = rl_swe_sigma_at(rl_load(row->bed + i + RL_LANES),
                                             rl_load(row->profile_x + i + RL_LANES),
                                             rl_load(row->level_x + i + RL_LANES), g);
        rl_store(row->u + i, rl_swe_damp(rl_load(row->u + i), sigma, rl_east(sigma, next), k));
        const rl_real sigma_y =
            rl_swe_sigma_at(bed, rl_set(row->profile_y), rl_set(row->level_y), g);
        const rl_real sigma_north =
            rl_swe_sigma_at(rl_load(row->bed_north + i), rl_set(row->profile_y_north),
                            rl_set(row->level_y_north), g);
        rl_store(row->v + i, rl_swe_damp(rl_load(row->v + i), sigma_y, sigma_north, k));
    }
}

RL_CELL rl_swe_end load_end(const float *bed, const float *depth, int i)
{
    return rl_swe_end_of(rl_load(bed + i), rl_load(depth + i));
}

static void centre(const rl_swe_centre_row *row, rl_swe_coef k)
{
    along b = start(row->bed), d = start(row->depth), u = start(row->u);
    for (int i = 0; i < row->nx; i += RL_LANES) {
        b = step_to(b, row->bed, i);
        d = step_to(d, row->depth, i);
        u = step_to(u, row->u, i);
        const rl_swe_end here = rl_swe_end_of(b.here, d.here);
        const rl_swe_end west = rl_swe_end_of(west_of(b), west_of(d));
        const rl_swe_end east = rl_swe_end_of(east_of(b), east_of(d));
        rl_store(row->x + i, rl_swe_centre(west_of(u), u.here, west, here, east, k));
        rl_store(row->y + i, rl_swe_centre(rl_load(row->v_south + i), rl_load(row->v + i),
                                           load_end(row->bed_south, row->depth_south, i), here,
                                           load_end(row->bed_north, row->depth_north, i), k));
    }
}

const rl_swe_rows RL_ROWS(rl_swe_rows) = {
    .isa = RL_ISA_TEXT,
    .lanes = RL_LANES,
    .carry = carry,
    .flow = flow,
    .correct = correct,
    .limiter = limiter,
    .limit = limit,
    .fill = fill,
    .limit_and_fill = limit_and_fill,
    .absorb = absorb,
    .damp = damp,
    .bores = bores,
    .centre = centre,
    .push = {{push_k0_b0_s0, push_k0_b0_s1, push_k0_b0_s2},
             {push_k0_b1_s0, push_k0_b1_s1, push_k0_b1_s2}},
    .push_kept = {{push_k1_b0_s0, push_k1_b0_s1, push_k1_b0_s2},
                  {push_k1_b1_s0, push_k1_b1_s1, push_k1_b1_s2}},
};
