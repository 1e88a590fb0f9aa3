// SPDX-License-Identifier: MIT
// swe_cell.h - the arithmetic of the shallow-water equations for one face and for one cell. Row
// loops (swe_rows.c), borders (swe_border.c) and device kernels call exactly these functions.
//
// Velocities live on faces, u [m/s] positive towards +x, v towards +y; depths d and grounds b in
// cells. What moves through a face in a step is counted as the depth that it makes in a cell, q =
// d_upwind u dt / dx [m]: both cells beside a face then add and subtract the same number, and
// nothing is lost but what sums round away. What leaves a cell is limited and cells are filled as
// those of the pipes (pipe_cell.h), with dt / dx = 1.
#pragma once

#include "solvers/pipe_cell.h"
#include "solvers/shared/column_cell.h"

// A velocity below this is none, m/s: three hundredths of a millimetre a year. Kills denormals.
#define RL_SWE_AT_REST 1e-12f

// What slows the water: nothing, shear against a smooth bed, or that and a rough bed.
enum { RL_SWE_FREE, RL_SWE_VISCOUS, RL_SWE_ROUGH, RL_SWE_SLOWED_COUNT };

// Constants of one step, computed once on the host so that every back end rounds them alike.
typedef struct rl_swe_coef {
    rl_pipe_coef pipe;                    // spread (1) and outflow are used
    float step;                           // dt, s
    float spread;                         // dt / dx, s/m
    float push;                           // dt g / dx, 1/s
    float gravity;                        // m/s^2
    float calm;                           // compressions below this make no bore, m/s
    int bore_speed;                       // of rl_half_bits, for C1 sqrt(g d)
    float acceleration_x, acceleration_y; // dt a, m/s
    float cliff;                          // how far the head may exceed the upwind depth, m
    float cliff_part;                     // of the upwind depth that carries momentum over a cliff
    float dry;                            // epsilon of Chentanez and Müller section 2.1.4, m
    float film;                           // thinner water is not looked up from, m
    float fastest;                        // alpha dx / dt, m/s
    float deepest;                        // h_avgmax: deepest water that carries waves, m
    float viscous;                        // 3 dt nu, m^2
    float rough;                          // dt g n^2, m^(4/3)
    float eddy;                           // constant eddy viscosity times dt / dx^2
    float smagorinsky;                    // C_s^2 dt / dx, s/m
} rl_swe_coef;

// The largest numbers of a row, or of a grid.
typedef struct rl_swe_largest {
    float depth, u, v;
} rl_swe_largest;

// A quotient of which no part below RL_SWE_AT_REST is ever seen, so that rl_part may have either
// sign and more than the whole: what that rounds otherwise than a division is smaller than 2^-100.
RL_CELL rl_real rl_swe_ratio(rl_real part, rl_real whole)
{
    return rl_part(part, whole);
}

// ---- The two cells of a face -----------------------------------------------------------

typedef struct rl_swe_end {
    rl_real base, depth, level;
} rl_swe_end;

RL_CELL rl_swe_end rl_swe_end_of(rl_real base, rl_real depth)
{
    const rl_swe_end end = {base, depth, base + depth};
    return end;
}

// Where the ground of one cell lies above the level of the other, water falls free: what lies below
// does not touch the sill, so neither its depth, nor its pressure, nor what flows in it acts on the
// water at the face. All of that water is in the upper cell, and momentum is kept there alone.
typedef struct rl_swe_fall {
    rl_mask from_i, from_j; // water falls free out of that cell
} rl_swe_fall;

RL_CELL rl_swe_fall rl_swe_fall_between(rl_swe_end i, rl_swe_end j)
{
    const rl_swe_fall fall = {rl_less(j.level, i.base), rl_less(i.level, j.base)};
    return fall;
}

// Is there a wall between a cell and those east and north of it, or does water fall free there?
// Where there is nothing of the kind, formulas are shorter.
RL_CELL int rl_swe_any_edge(rl_swe_end here, rl_swe_end east, rl_swe_end north, rl_swe_fall x,
                            rl_swe_fall y, rl_swe_coef k)
{
    const rl_real least = rl_min(here.depth, rl_min(east.depth, north.depth));
    const rl_mask fall = rl_either(rl_either(x.from_i, x.from_j), rl_either(y.from_i, y.from_j));
    return rl_any(rl_either(fall, rl_less(least, rl_set(k.dry))));
}

// The sum of what the two cells of a face have, or where water falls free twice that of the upper.
RL_CELL rl_real rl_swe_sum_of(rl_real at_i, rl_real at_j, rl_swe_fall fall)
{
    return rl_select(fall.from_i, at_i + at_i, rl_select(fall.from_j, at_j + at_j, at_i + at_j));
}

// Sum of the two depths that carry the momentum of a face, metres. What flies over a cliff is
// booked once, at the upper cell (rl_swe_take_falls).
RL_CELL rl_real rl_swe_face_depths(rl_swe_end i, rl_swe_end j, rl_swe_fall fall, rl_swe_coef k)
{
    const rl_real upper = rl_select(fall.from_i, i.depth, j.depth);
    const rl_mask flies = rl_less(upper + rl_set(k.cliff), rl_abs(i.level - j.level));
    const rl_real falling = rl_select(flies, rl_set(k.cliff_part) * upper, upper + upper);
    return rl_select(rl_either(fall.from_i, fall.from_j), falling, i.depth + j.depth);
}

// ---- Advection, Chentanez and Müller section 2.1.1
// ------------------------------------------------------

// Where a face finds its value a step ago: parts of a cell along both axes, and on which sides.
typedef struct rl_swe_trace {
    rl_real x, y;        // 0 to 1
    rl_mask east, north; // the value comes from that side; else from the other
} rl_swe_trace;

// `u` and `v` are the velocities at the face. Backwards in time the value comes from where the
// water comes from, so from the west where u > 0.
RL_CELL rl_swe_trace rl_swe_trace_back(rl_real u, rl_real v, rl_swe_coef k)
{
    const rl_real zero = rl_set(0.0f);
    const rl_real a = rl_set(k.spread) * u, b = rl_set(k.spread) * v;
    const rl_swe_trace trace = {rl_abs(a), rl_abs(b), rl_less(a, zero), rl_less(b, zero)};
    return trace;
}

// The velocity across a face is the mean of the four around it: first that of a face along x, with
// those north of the cells beside it and south of them,
RL_CELL rl_swe_trace rl_swe_trace_x(rl_real u, rl_real v_south, rl_real v, rl_real v_south_east,
                                    rl_real v_east, rl_swe_coef k)
{
    const rl_real west = v_south + v, east = v_south_east + v_east;
    return rl_swe_trace_back(u, rl_set(0.25f) * (west + east), k);
}

// then with the axes exchanged, so that worlds that are turned do the same.
RL_CELL rl_swe_trace rl_swe_trace_y(rl_real v, rl_real u_west, rl_real u, rl_real u_north_west,
                                    rl_real u_north, rl_swe_coef k)
{
    const rl_real south = u_west + u, north = u_north_west + u_north;
    return rl_swe_trace_back(rl_set(0.25f) * (south + north), v, k);
}

// Three values along an axis: at a face and beside it; west and east are south and north along y.
typedef struct rl_swe_three {
    rl_real west, here, east;
} rl_swe_three;

// The four values that an interpolation lies between. The clamp of velocities keeps it within the
// next cell, so a choice between neighbours does what a gather would.
typedef struct rl_swe_four {
    rl_real here, x, y, xy;
} rl_swe_four;

RL_CELL rl_swe_four rl_swe_pick(rl_swe_three south, rl_swe_three middle, rl_swe_three north,
                                rl_mask to_east, rl_mask to_north)
{
    const rl_real beside_south = rl_select(to_east, south.east, south.west);
    const rl_real beside_north = rl_select(to_east, north.east, north.west);
    const rl_swe_four four = {middle.here, rl_select(to_east, middle.east, middle.west),
                              rl_select(to_north, north.here, south.here),
                              rl_select(to_north, beside_north, beside_south)};
    return four;
}

// The way back of an interpolation: the other neighbours.
RL_CELL rl_swe_four rl_swe_pick_forth(rl_swe_three south, rl_swe_three middle, rl_swe_three north,
                                      rl_swe_trace t)
{
    const rl_swe_three s = {south.east, south.here, south.west};
    const rl_swe_three m = {middle.east, middle.here, middle.west};
    const rl_swe_three n = {north.east, north.here, north.west};
    return rl_swe_pick(n, m, s, t.east, t.north);
}

RL_CELL rl_real rl_swe_between(rl_swe_four f, rl_swe_trace t)
{
    const rl_real along = f.here + t.x * (f.x - f.here);
    const rl_real beside = f.y + t.x * (f.xy - f.y);
    return along + t.y * (beside - along);
}

RL_CELL rl_real rl_swe_between_turned(rl_swe_four f, rl_swe_trace t)
{
    const rl_swe_four turned = {f.here, f.y, f.x, f.xy};
    const rl_swe_trace back = {t.y, t.x, t.north, t.east};
    return rl_swe_between(turned, back);
}

RL_CELL rl_real rl_swe_lowest(rl_swe_four f)
{
    return rl_min(rl_min(f.here, f.x), rl_min(f.y, f.xy));
}

RL_CELL rl_real rl_swe_highest(rl_swe_four f)
{
    return rl_max(rl_max(f.here, f.x), rl_max(f.y, f.xy));
}

// The velocity of a face that reflects is -0, of an open one that is still +0: so the next step
// knows which is which, and every sum and product takes them alike.
RL_CELL rl_mask rl_swe_reflects(rl_real u)
{
    return rl_same_bits(u, rl_set(-0.0f));
}

// MacCormack: `advected` is the semi-Lagrangian value, `back` what advecting it back gives, `old`
// the value it should have given. Where the correction leaves [low, high], the range of the values
// that `advected` was made from, it is not made. A face that reflects is not advected at all
// (Chentanez and Müller section 2.1.4).
RL_CELL rl_real rl_swe_correct(rl_real advected, rl_real back, rl_real old, rl_real low,
                               rl_real high)
{
    const rl_real corrected = advected + rl_set(0.5f) * (old - back);
    const rl_mask above = rl_less(high, corrected), below = rl_less(corrected, low);
    const rl_real kept = rl_select(above, advected, rl_select(below, advected, corrected));
    return rl_select(rl_swe_reflects(old), old, kept);
}

// Advection that keeps momentum (Stelling and Duinmeijer 2003). A face owns half of the two cells
// beside it; `in` is what flows into that in the west and south and out of it in the east and
// north, as sums of two faces, and `side` the velocity there. `depths` is the sum of the two new
// depths. Momentum is kept because the same water fills the cells:
//
//     hbar' u' = hbar u + sum of in u_side - out u   and   hbar' = hbar + in - out
//
// give u' = u + sum of in (u_side - u) / hbar'. What leaves a cell is limited to what it holds, so
// in <= hbar' but for rounding, and u' lies between the velocities it is made from.
typedef struct rl_swe_inflow {
    rl_real west, east, south, north;
} rl_swe_inflow;

// What flows into the half cells of a face along x, from the discharges around it,
RL_CELL rl_swe_inflow rl_swe_inflow_x(rl_swe_three qx, rl_real qy_south, rl_real qy_south_east,
                                      rl_real qy, rl_real qy_east)
{
    const rl_swe_inflow in = {qx.west + qx.here, qx.here + qx.east, qy_south + qy_south_east,
                              qy + qy_east};
    return in;
}

// and where water may fall free: what the lower cell gets is not the face's any more.
RL_CELL rl_swe_inflow rl_swe_inflow_falling_x(rl_swe_three qx, rl_real qy_south,
                                              rl_real qy_south_east, rl_real qy, rl_real qy_east,
                                              rl_swe_fall fall)
{
    const rl_real zero = rl_set(0.0f);
    const rl_swe_inflow in = {rl_select(fall.from_j, zero, qx.west + qx.here),
                              rl_select(fall.from_i, zero, qx.here + qx.east),
                              rl_swe_sum_of(qy_south, qy_south_east, fall),
                              rl_swe_sum_of(qy, qy_east, fall)};
    return in;
}

// The same along y: with the axes exchanged. `qy` is south, at and north of the face; qx and
// qx_north are those of the cell and of its northern neighbour.
RL_CELL rl_swe_inflow rl_swe_turned(rl_swe_inflow in)
{
    const rl_swe_inflow turned = {in.south, in.north, in.west, in.east};
    return turned;
}

RL_CELL rl_swe_inflow rl_swe_inflow_y(rl_real qx_west, rl_real qx_north_west, rl_real qx,
                                      rl_real qx_north, rl_swe_three qy)
{
    return rl_swe_turned(rl_swe_inflow_x(qy, qx_west, qx_north_west, qx, qx_north));
}

RL_CELL rl_swe_inflow rl_swe_inflow_falling_y(rl_real qx_west, rl_real qx_north_west, rl_real qx,
                                              rl_real qx_north, rl_swe_three qy, rl_swe_fall fall)
{
    return rl_swe_turned(rl_swe_inflow_falling_x(qy, qx_west, qx_north_west, qx, qx_north, fall));
}

// `pressure` is that of bores (rl_swe_bore_push), in the same units.
RL_CELL rl_real rl_swe_keep_momentum(rl_real u, rl_swe_inflow side, rl_swe_inflow in,
                                     rl_real depths, rl_real pressure)
{
    const rl_real zero = rl_set(0.0f);
    const rl_real w = rl_max(in.west, zero), e = rl_min(in.east, zero);
    const rl_real s = rl_max(in.south, zero), n = rl_min(in.north, zero);
    const rl_real brought =
        (w * (side.west - u) - e * (side.east - u)) + (s * (side.south - u) - n * (side.north - u));
    const rl_real held = rl_max(depths, (w - e) + (s - n));
    return u + rl_swe_ratio(brought + pressure, rl_max(held, rl_set(RL_PIPE_AT_REST)));
}

// ---- Heights, Chentanez and Müller section 2.1.2
// --------------------------------------------------------

// The part of a depth that moves at this step length, Chentanez and Müller section 2.1.5 with its
// units mended (erratum 7 to Chentanez and Müller). The limit is set to the depth itself: that of
// the neighbours' mean lets single crests move more than is stable (erratum 8 to Chentanez and
// Müller).
RL_CELL rl_real rl_swe_moving_depth(rl_real depth, rl_swe_coef k)
{
    return rl_min(depth, rl_set(k.deepest));
}

// What moves through a face, from the depth upwind of it.
RL_CELL rl_real rl_swe_discharge(rl_real u, rl_real depth_i, rl_real depth_j, rl_swe_coef k)
{
    const rl_real q =
        (rl_set(k.spread) * u) * rl_select(rl_less(rl_set(0.0f), u), depth_i, depth_j);
    return rl_keep(rl_less(rl_set(RL_PIPE_AT_REST), rl_abs(q)), q);
}

// ---- The absorbing layer, Chentanez and Müller section 2.1.4 and appendix
// ----------------------------------

// What a layer does to a cell: sigma [1/s] along each axis, and the depth at rest [m].
typedef struct rl_swe_layer {
    rl_real sigma_x, sigma_y, rest_x, rest_y;
} rl_swe_layer;

// sigma = profile [1/m] times the speed of waves in the water at rest.
RL_CELL rl_real rl_swe_sigma(rl_real profile, rl_real rest, float gravity)
{
    return profile * rl_sqrt(rl_set(gravity) * rest);
}

// The same from the ground and the level at rest.
RL_CELL rl_real rl_swe_sigma_at(rl_real bed, rl_real profile, rl_real level, float gravity)
{
    return rl_swe_sigma(profile, rl_max(level - bed, rl_set(0.0f)), gravity);
}

RL_CELL rl_swe_layer rl_swe_layer_of(rl_real bed, rl_real profile_x, rl_real level_x,
                                     rl_real profile_y, rl_real level_y, float gravity)
{
    const rl_real rest_x = rl_max(level_x - bed, rl_set(0.0f));
    const rl_real rest_y = rl_max(level_y - bed, rl_set(0.0f));
    const rl_swe_layer layer = {rl_swe_sigma(profile_x, rest_x, gravity),
                                rl_swe_sigma(profile_y, rest_y, gravity), rest_x, rest_y};
    return layer;
}

// Eqs. 12 and 23 with their depth and their gamma, and lambda = 1 (errata 1 to 3 to Chentanez and
// Müller): phi remembers how much waves along the border have raised the water, so that only waves
// across it are damped. phi and psi act by their sum alone. `du` and `dv` are what leaves by the
// two faces of each axis, m/s.
RL_CELL rl_real rl_swe_remember(rl_real phi, rl_swe_layer at, rl_real du, rl_real dv, rl_swe_coef k)
{
    const rl_real x = (at.sigma_x * at.rest_x) * dv, y = (at.sigma_y * at.rest_y) * du;
    return phi - rl_set(k.spread) * (x + y);
}

// Eqs. 10 and 21, and in corners what a wave that is stretched along both axes needs besides:
//
//     d' = phi - (sigma_x + sigma_y) (d - rest),   phi' = ... - sigma_x sigma_y (d - rest)
//
// Both are taken at the end of the step, so that no sigma dt is too large: (1 + sigma_x dt) (1 +
// sigma_y dt) divides. Water at rest stays as it is to the last bit.
RL_CELL rl_real rl_swe_absorb(rl_real depth, rl_real *phi, rl_swe_layer at, rl_swe_coef k)
{
    const rl_real one = rl_set(1.0f), dt = rl_set(k.step);
    const rl_real rest = rl_set(0.5f) * (at.rest_x + at.rest_y);
    const rl_real corner = dt * (at.sigma_x * at.sigma_y);
    const rl_real damped = at.sigma_x * (depth - at.rest_x) + at.sigma_y * (depth - at.rest_y);
    const rl_real pull = (*phi - damped) - corner * (depth - rest);
    const rl_real change = dt * pull / ((one + dt * at.sigma_x) * (one + dt * at.sigma_y));
    const rl_real now = rl_max(depth + change, rl_set(0.0f));
    const rl_real left = *phi - corner * (now - rest);
    *phi = rl_keep(rl_less(rl_set(RL_PIPE_AT_REST), rl_abs(left)), left);
    return now;
}

// Eqs. 11 and 22 for a face between two cells with sigma_i and sigma_j.
RL_CELL rl_real rl_swe_damp(rl_real u, rl_real sigma_i, rl_real sigma_j, rl_swe_coef k)
{
    const rl_real damped = u / (rl_set(1.0f) + rl_set(0.5f * k.step) * (sigma_i + sigma_j));
    const rl_mask moving = rl_less(rl_set(RL_SWE_AT_REST), rl_abs(damped));
    return rl_select(rl_swe_reflects(u), u, rl_keep(moving, damped));
}

// ---- Velocities, Chentanez and Müller section 2.1.3
// -----------------------------------------------------

// Beside cells that were dry, or held a film thinner than a hundredth of a cell, there is nothing
// to look velocities up from: there momentum is kept, so that a front runs on into dry ground.
RL_CELL rl_mask rl_swe_can_read(rl_real depth_i, rl_real depth_j, rl_swe_coef k)
{
    return rl_less(rl_set(k.film), rl_min(depth_i, depth_j));
}

// Are cells of these depths dry both? Then the face between them is a wall.
RL_CELL rl_mask rl_swe_both_dry(rl_real depth_i, rl_real depth_j, rl_swe_coef k)
{
    return rl_less(rl_max(depth_i, depth_j), rl_set(k.dry));
}

// Is the face a wall? Chentanez and Müller section 2.1.4: up to ground that is dry and higher than
// the level on the other side, and where both sides are dry (erratum 21 to Chentanez and Müller).
RL_CELL rl_mask rl_swe_is_wall(rl_swe_end i, rl_swe_end j, rl_swe_fall fall, rl_swe_coef k)
{
    const rl_mask dry_i = rl_less(i.depth, rl_set(k.dry)), dry_j = rl_less(j.depth, rl_set(k.dry));
    const rl_mask higher = rl_either(rl_both(fall.from_i, dry_i), rl_both(fall.from_j, dry_j));
    return rl_either(higher, rl_swe_both_dry(i.depth, j.depth, k));
}

// The head that pushes a face. Beyond what stands above a cliff it pushes only by its limit: so the
// rule of Chentanez and Müller for waterfall faces (erratum 5 to Chentanez and Müller) needs no
// case of its own.
RL_CELL rl_real rl_swe_head(rl_swe_end i, rl_swe_end j, rl_swe_fall fall, rl_swe_coef k)
{
    const rl_real head = i.level - j.level;
    const rl_real highest = i.depth + rl_set(k.cliff), lowest = rl_set(-k.cliff) - j.depth;
    return rl_select(fall.from_i, rl_min(head, highest),
                     rl_select(fall.from_j, rl_max(head, lowest), head));
}

// Bottom friction of a face with the sum of depths `depths`. Manning's law du/dt = -g n^2 |u| u /
// H^(4/3) is solved for the new velocity, so that steady flow does not depend on the step.
RL_CELL rl_real rl_swe_slow(rl_real u, rl_real depths, rl_swe_coef k, int slowed)
{
    const rl_real h = rl_set(0.5f) * depths;
    if (slowed != RL_SWE_FREE)
        u = u * rl_viscous_factor(h, rl_set(1.0f), rl_set(k.viscous));
    if (slowed == RL_SWE_ROUGH) {
        const rl_real r = rl_inverse_cube_root(rl_max(h, rl_set(RL_PIPE_AT_REST)));
        const rl_real rate = rl_set(4.0f * k.rough) * ((r * r) * (r * r));
        const rl_real root = rl_sqrt(rl_set(1.0f) + rate * rl_abs(u));
        u = rl_swe_ratio(u + u, rl_set(1.0f) + root);
    }
    return u;
}

// New velocity of a face from the advected one, Eqs. 8 and 9 with friction, the clamp of section
// 2.1.5 and the rule of reflecting faces. `acceleration` is dt a. `edges`: it may be a wall, or
// water may fall free over it.
RL_CELL rl_real rl_swe_accelerate(rl_real u, rl_swe_end i, rl_swe_end j, rl_swe_fall fall,
                                  float acceleration, rl_swe_coef k, int slowed, int edges)
{
    rl_real head = i.level - j.level, depths = i.depth + j.depth;
    if (edges) {
        head = rl_swe_head(i, j, fall, k);
        depths = rl_swe_face_depths(i, j, fall, k);
    }
    u = (u + rl_set(k.push) * head) + rl_set(acceleration);
    if (slowed != RL_SWE_FREE)
        u = rl_swe_slow(u, depths, k, slowed);
    u = rl_max(rl_min(u, rl_set(k.fastest)), rl_set(-k.fastest));
    u = rl_keep(rl_less(rl_set(RL_SWE_AT_REST), rl_abs(u)), u);
    if (edges)
        u = rl_select(rl_swe_is_wall(i, j, fall, k), rl_set(-0.0f), u);
    return u;
}

// ---- Overshooting, Chentanez and Müller section 2.2
// -----------------------------------------------------

// Depth of a cell whose crest stands more than `edge` above one neighbour and above the other: part
// of the way down to the mean level of crest and other neighbour (erratum 17 to Chentanez and
// Müller).
RL_CELL rl_real rl_swe_cut_crest(rl_swe_end crest, rl_real low, rl_real other, float edge,
                                 float part)
{
    const rl_mask steep =
        rl_both(rl_less(rl_set(edge), crest.level - low), rl_less(other, crest.level));
    const rl_real target = rl_max(rl_set(0.5f) * (crest.level + other) - crest.base, rl_set(0.0f));
    const rl_real cut = rl_set(part) * rl_max(crest.depth - target, rl_set(0.0f));
    return crest.depth - rl_keep(steep, cut);
}

// Along one axis, both ways.
RL_CELL rl_real rl_swe_cut_crest_both(rl_swe_end crest, rl_real before, rl_real after, float edge,
                                      float part)
{
    const rl_real forth = rl_swe_cut_crest(crest, before, after, edge, part);
    const rl_real back = rl_swe_cut_crest(crest, after, before, edge, part);
    return rl_min(forth, back);
}

// ---- Looking ---------------------------------------------------------------------------

// A face as the column beside it sees it: the depth that carries its velocity, and what that counts
// in the mean of the column. Where water falls free over it, the column has the discharge of the
// fall, at most its speed, and twice its own depth counts. Walls and borders are no falls.
typedef struct rl_swe_seen {
    rl_real carries, counts;
} rl_swe_seen;

RL_CELL rl_swe_seen rl_swe_see(rl_swe_end i, rl_swe_end j, rl_real own, rl_swe_coef k)
{
    const rl_swe_fall fall = rl_swe_fall_between(i, j);
    const rl_real sum = i.depth + j.depth, falling = rl_swe_face_depths(i, j, fall, k);
    const rl_mask falls =
        rl_both(rl_either(fall.from_i, fall.from_j), rl_less(rl_set(0.0f), falling));
    const rl_swe_seen seen = {rl_select(falls, falling, sum),
                              rl_select(falls, rl_max(own + own, falling), sum)};
    return seen;
}

// Velocity of a column along an axis: the mean of those of its two faces.
RL_CELL rl_real rl_swe_centre(rl_real u_before, rl_real u_after, rl_swe_end before, rl_swe_end here,
                              rl_swe_end after, rl_swe_coef k)
{
    const rl_swe_seen in = rl_swe_see(before, here, here.depth, k);
    const rl_swe_seen out = rl_swe_see(here, after, here.depth, k);
    const rl_real held = in.counts + out.counts;
    const rl_real mean = (u_before * in.carries + u_after * out.carries) / held;
    const rl_mask wet = rl_both(rl_less(rl_set(k.dry), here.depth), rl_less(rl_set(0.0f), held));
    return rl_keep(wet, mean);
}
