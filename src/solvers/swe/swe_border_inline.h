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
//     incident                what comes in is given, what goes out leaves: one Riemann invariant
//                             is that of the water beyond, the other that of the water inside
#pragma once

#include "solvers/swe/swe_cell.h"

#include "rill/world.h"

#include <math.h>

// Borders that a side can have: all of the above.
#define RL_SWE_BORDERS                                                      \
    (RL_BORDER_BIT(RILL_BORDER_WALL) | RL_BORDER_BIT(RILL_BORDER_DRAIN) |   \
     RL_BORDER_BIT(RILL_BORDER_LEVEL) | RL_BORDER_BIT(RILL_BORDER_INFLOW) | \
     RL_BORDER_BIT(RILL_BORDER_ABSORB) | RL_BORDER_BIT(RILL_BORDER_INCIDENT))

// What a side of the grid is now.
typedef struct rl_swe_side {
    rill_border border;
    float level;                     // metres, or m^2/s
    float critical;                  // depth of a critical inflow, metres
    float wave, velocity, discharge; // of an incident border (rl_incident)
    // Of an incident border whose water differs from cell to cell: at rest, metres, and m/s
    // inwards. NULL: level, velocity and discharge hold for all of it.
    const float *depth_along, *velocity_along;
} rl_swe_side;

typedef struct rl_swe_border_face {
    float velocity;   // at the face
    float inner;      // at the next face inwards
    float bed, depth; // of the cell at the border
    int along;        // number of that cell along the side
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
    return side->border == RILL_BORDER_LEVEL || side->border == RILL_BORDER_INFLOW ||
           side->border == RILL_BORDER_INCIDENT;
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

// Beyond an incident border without the wave, and with it.
RL_CELL float rl_swe_rest_beyond(const rl_swe_side *side, float bed, int along)
{
    return side->depth_along != NULL ? side->depth_along[along] : rl_swe_level_beyond(side, bed);
}

RL_CELL float rl_swe_crest_beyond(const rl_swe_side *side, float bed, int along)
{
    float over = (side->level + side->wave) - bed;
    if (side->depth_along != NULL)
        over = side->depth_along[along] > 0.0f ? side->depth_along[along] + side->wave : 0.0f;
    return over > 0.0f ? over : 0.0f;
}

// Depth of the water beyond a border cell of this ground and depth, metres.
RL_CELL float rl_swe_depth_beyond(const rl_swe_side *side, float bed, float depth, int along)
{
    if (side->border == RILL_BORDER_LEVEL)
        return rl_swe_level_beyond(side, bed);
    if (side->border == RILL_BORDER_INCIDENT)
        return rl_swe_crest_beyond(side, bed, along);
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

// ---- Incident borders ------------------------------------------------------------------
// Along characteristics u + 2 c and u - 2 c stay what they are, c = sqrt(g d). The one that comes
// in is that of the water beyond: a current U in a depth at rest, with c0, and on it a wave that
// runs inwards alone, so that its velocity is 2 (c1 - c0) where it stands at c1. The one that goes
// out is that of the water inside, whatever it is, so it leaves.

typedef struct rl_swe_beyond {
    float speed;    // of the water that comes in, m/s inwards
    float celerity; // of waves in it, m/s
    float incoming; // speed + 2 celerity
} rl_swe_beyond;

RL_CELL rl_swe_beyond rl_swe_incident_beyond(const rl_swe_side *side, rl_swe_border_face f,
                                             rl_swe_coef k)
{
    const float rest = rl_swe_rest_beyond(side, f.bed, f.along);
    const float crest = rl_swe_crest_beyond(side, f.bed, f.along);
    const rl_swe_beyond none = {0.0f, 0.0f, 0.0f};
    if (crest <= k.dry)
        return none;
    const float c0 = sqrtf(k.gravity * rest), c1 = sqrtf(k.gravity * crest);
    float current = side->velocity + (rest > k.dry ? side->discharge / rest : 0.0f);
    if (side->velocity_along != NULL)
        current = side->velocity_along[f.along];
    rl_swe_beyond out;
    out.speed = current + 2.0f * (c1 - c0);
    out.celerity = c1;
    out.incoming = out.speed + 2.0f * c1;
    return out;
}

// Does nothing pass here, because the water along the side has an end?
RL_CELL int rl_swe_incident_is_shore(const rl_swe_side *side, rl_swe_beyond beyond)
{
    return side->depth_along != NULL && beyond.celerity <= 0.0f;
}

// Depth at the face: its velocity and what comes in give its c.
RL_CELL float rl_swe_incident_depth(rl_swe_beyond beyond, float velocity, rl_swe_coef k)
{
    const float c = 0.5f * (beyond.incoming + velocity);
    return c > 0.0f ? c * c / k.gravity : 0.0f;
}

// What arrives at the face at the end of a step left a place within the grid at its beginning, by
// the speed of the characteristic. Velocities stand between cells there and are looked up. The
// depth is that of the border cell in the middle of the step; how it changes towards the next cell
// is seen from what it did to the face between them. Water whose slope and friction are in balance
// does not change there, nor does water at rest.
typedef struct rl_swe_arriving {
    float velocity, celerity;
} rl_swe_arriving;

RL_CELL rl_swe_arriving rl_swe_arrives(rl_swe_border_face old, rl_swe_border_face now,
                                       rl_swe_coef k)
{
    const float depth = 0.5f * (old.depth + now.depth);
    const float way_of = k.spread * (old.velocity + sqrtf(k.gravity * depth));
    const float way = way_of < 0.0f ? 0.0f : way_of > 1.0f ? 1.0f : way_of;
    const float most = 0.5f * depth, tilt = (now.inner - old.inner) / k.push;
    const float rise_of = (way - 0.5f) * tilt;
    const float rise = rise_of > most ? most : rise_of < -most ? -most : rise_of;
    rl_swe_arriving out;
    out.velocity = old.velocity + way * (old.inner - old.velocity);
    out.celerity = sqrtf(k.gravity * (depth + rise));
    return out;
}

// Velocity of the face after the step. No more runs into still or dry water than the critical flow
// of what comes in, and likewise outwards, unless the water comes faster than its waves already.
RL_CELL float rl_swe_incident_push(const rl_swe_side *side, rl_swe_border_face old,
                                   rl_swe_border_face now, rl_swe_coef k)
{
    const rl_swe_beyond beyond = rl_swe_incident_beyond(side, now, k);
    if ((now.depth <= k.dry && beyond.celerity <= 0.0f) || rl_swe_incident_is_shore(side, beyond))
        return 0.0f;
    if (beyond.speed > beyond.celerity)
        return -beyond.speed;
    const rl_swe_arriving in = rl_swe_arrives(old, now, k);
    if (in.velocity > in.celerity)
        return in.velocity;
    const float outgoing = in.velocity + 2.0f * in.celerity;
    const float u = 0.5f * (outgoing - beyond.incoming);
    const float most = outgoing / 3.0f, least = -beyond.incoming / 3.0f;
    return u > most && most > 0.0f ? most : u < least && least < 0.0f ? least : u;
}

// ---- Any border ------------------------------------------------------------------------

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
    } else if (side->border == RILL_BORDER_INCIDENT) {
        const rl_swe_beyond comes = rl_swe_incident_beyond(side, f, k);
        out.velocity = rl_swe_incident_is_shore(side, comes) ? 0.0f : f.velocity;
        beyond = rl_swe_incident_depth(comes, f.velocity, k);
    } else {
        out.velocity = 0.0f;
        return out;
    }
    out.discharge = rl_swe_discharge(out.velocity, rl_swe_moving_depth(f.depth, k),
                                     rl_swe_moving_depth(beyond, k), k);
    return out;
}

// Its velocity after the step, from the face before it, `old`, and the face `f` with the advected
// velocity, and depth and next face after it. `acceleration` is dt a outwards.
RL_CELL float rl_swe_border_push_of(const rl_swe_side *side, rl_swe_border_face old,
                                    rl_swe_border_face f, float acceleration, float gravity,
                                    rl_swe_coef k, int slowed)
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
        u = -side->level / rl_swe_depth_beyond(side, f.bed, f.depth, f.along);
    } else if (side->border == RILL_BORDER_INCIDENT) {
        u = rl_swe_incident_push(side, old, f, k);
    }
    u = u > k.fastest ? k.fastest : u < -k.fastest ? -k.fastest : u;
    return fabsf(u) > RL_SWE_AT_REST ? u : 0.0f;
}
