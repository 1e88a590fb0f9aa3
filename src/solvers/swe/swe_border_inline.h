// SPDX-License-Identifier: MIT
// swe_border_inline.h - one face at a side of the grid, for every back end. Velocities and
// discharges are counted outwards here, so that the four sides are one.
//
//     wall, absorbing layer   nothing passes
//     drain                   free fall over the edge: at least critical, sqrt(g d); nothing comes
//                             in
//     level                   a ghost cell with the ground of the border cell and water up to the
//                             level; the face moves as any other, and beyond it nothing changes
//     inflow                  the discharge is given; it comes in a depth of at least the critical
//                             one, (q^2 / g)^(1/3)
#pragma once

#include "solvers/swe/swe_cell.h"

#include "rill/world.h"

#include <math.h>

// Borders that a side can have: all of the above.
#define RL_SWE_BORDERS                                                      \
    (RL_BORDER_BIT(RILL_BORDER_WALL) | RL_BORDER_BIT(RILL_BORDER_DRAIN) |   \
     RL_BORDER_BIT(RILL_BORDER_LEVEL) | RL_BORDER_BIT(RILL_BORDER_INFLOW) | \
     RL_BORDER_BIT(RILL_BORDER_ABSORB))

// What a side of the grid is now.
typedef struct rl_swe_side {
    rill_border border;
    float level;    // metres, or m^2/s
    float critical; // depth of a critical inflow, metres
} rl_swe_side;

typedef struct rl_swe_border_face {
    float velocity;   // at the face
    float inner;      // at the next face inwards
    float bed, depth; // of the cell at the border
} rl_swe_border_face;

typedef struct rl_swe_face {
    float velocity, discharge;
} rl_swe_face;

RL_CELL int rl_swe_side_is_open(const rl_swe_side *side)
{
    return side->border != RILL_BORDER_WALL && side->border != RILL_BORDER_ABSORB;
}

// Is there water beyond the side that comes in by itself?
RL_CELL int rl_swe_side_has_water(const rl_swe_side *side)
{
    return side->border == RILL_BORDER_LEVEL || side->border == RILL_BORDER_INFLOW;
}

// Does the speed of what comes in follow from the depth of the border cells?
RL_CELL int rl_swe_side_flows_in(const rl_swe_side *side)
{
    return side->border == RILL_BORDER_INFLOW;
}

// Has the side an absorbing layer?
RL_CELL int rl_swe_side_absorbs(const rl_swe_side *side)
{
    return side->border == RILL_BORDER_ABSORB;
}

RL_CELL float rl_swe_level_beyond(const rl_swe_side *side, float bed)
{
    const float over = side->level - bed;
    return over > 0.0f ? over : 0.0f;
}

// Depth of the water beyond a border cell of this ground and depth, metres.
RL_CELL float rl_swe_depth_beyond(const rl_swe_side *side, float bed, float depth)
{
    if (side->border == RILL_BORDER_LEVEL)
        return rl_swe_level_beyond(side, bed);
    if (side->border == RILL_BORDER_INFLOW)
        return side->level > 0.0f && depth < side->critical ? side->critical : depth;
    return 0.0f;
}

// Speed of what comes in where it comes in that deep, m/s.
RL_CELL float rl_swe_inflow_speed(const rl_swe_side *side, float depth_beyond)
{
    return side->border == RILL_BORDER_INFLOW && side->level > 0.0f ? side->level / depth_beyond
                                                                    : 0.0f;
}

// What moves through a border face: its carried velocity and its discharge.
RL_CELL rl_swe_face rl_swe_border_flow_of(const rl_swe_side *side, rl_swe_border_face f,
                                          rl_swe_coef k)
{
    rl_swe_face out = {f.velocity, 0.0f};
    float beyond = 0.0f;
    if (side->border == RILL_BORDER_INFLOW) {
        out.discharge = side->level > 0.0f ? -k.spread * side->level : 0.0f;
        return out;
    }
    if (side->border == RILL_BORDER_DRAIN) {
        out.velocity = f.velocity > 0.0f ? f.velocity : 0.0f;
    } else if (side->border == RILL_BORDER_LEVEL) {
        beyond = rl_swe_level_beyond(side, f.bed);
        if (f.velocity > 0.0f) { // advected out of the grid; what comes in is the same as there
            const float way = k.spread * f.velocity;
            out.velocity = f.velocity + (way < 1.0f ? way : 1.0f) * (f.inner - f.velocity);
        }
    } else {
        out.velocity = 0.0f;
        return out;
    }
    out.discharge = rl_swe_discharge(out.velocity, rl_swe_moving_depth(f.depth, k),
                                     rl_swe_moving_depth(beyond, k), k);
    return out;
}

// Its velocity after the step, from the advected one and the new depth. `acceleration` is dt a
// outwards.
RL_CELL float rl_swe_border_push_of(const rl_swe_side *side, rl_swe_border_face f,
                                    float acceleration, float gravity, rl_swe_coef k, int slowed)
{
    float u = 0.0f;
    if (side->border == RILL_BORDER_DRAIN && f.depth > k.dry) {
        const float critical = sqrtf(gravity * f.depth);
        u = f.inner > critical ? f.inner : critical;
    } else if (side->border == RILL_BORDER_LEVEL) {
        const float beyond = rl_swe_level_beyond(side, f.bed);
        if (f.depth <= k.dry && beyond <= k.dry)
            return 0.0f;
        u = (f.velocity + k.push * (f.depth - beyond)) + acceleration;
        u = rl_swe_slow(u, f.depth + beyond, k, slowed);
    } else if (side->border == RILL_BORDER_INFLOW && side->level > 0.0f) {
        u = -side->level / rl_swe_depth_beyond(side, f.bed, f.depth);
    }
    u = u > k.fastest ? k.fastest : u < -k.fastest ? -k.fastest : u;
    return fabsf(u) > RL_SWE_AT_REST ? u : 0.0f;
}
