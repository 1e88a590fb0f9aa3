// SPDX-License-Identifier: MIT
// soft_internal.h - what the files of soft bodies have in common.
//
//     soft.c          memory, adding and removing, a step with its substeps
//     soft_solve.c    links and the air inside, by positions
//     soft_contact.c  ground, walls, other bodies
#pragma once

#include "bodies/bodies_internal.h"

typedef enum rl_soft_kind {
    RL_SOFT_STRETCH, // a and b want to be `rest` metres apart: an edge
    RL_SOFT_BEND,    // the same across an edge: far corners of a curved surface
    RL_SOFT_FLAT,    // cloth, across the edge of the link before it: the middle between a and b
                     // wants to lie on that edge, `rest` of the way from its a to its b
} rl_soft_kind;

typedef struct rl_soft_link {
    uint32_t a, b;
    uint32_t kind; // rl_soft_kind; the third corner while links are being found
    float rest;
} rl_soft_link;

// Where a vertex touches something: normal, and the speed of the surface along it.
typedef struct rl_soft_touch {
    double normal[3], speed;
    bool touches;
} rl_soft_touch;

struct rl_soft {
    rl_soft_link *links; // of all soft bodies, body after body in the order they came
    int link_count;

    // Work of one body at a time. Doubles: in floats a step of a millisecond would move a vertex
    // by less than its last digit.
    double *x, *old, *v, *slope; // 3 a vertex: positions, at the substep's start, m/s, dV/dx
    double *pull;                // 3 a vertex: acceleration by water, host and gravity, m/s^2
    double *mass, *lightness;    // kg of a vertex, and 1/kg
    double *weight;              // 1/kg that constraints see: 0 for pins, less where it is wet
    rl_soft_touch *touch;
    float *gust;     // 3 a triangle: gust of the step as a part of the wind's speed
    int *neighbours; // places of bodies that it may touch
};

// One soft body during a step.
typedef struct rl_soft_work {
    rl_bodies *bodies;
    rl_soft *soft;
    rl_body *body;
    const rl_body_ground *ground;
    int vertices, triangles, links, neighbours;
    const float *rest, *force;
    const uint32_t *corners;
    const rl_soft_link *link;
    bool sheet;
    double area, thickness; // m^2; kg/m^2 of surface
    double skin;            // distance that it keeps from other bodies, metres
    double dt;              // of a substep, seconds
    double fastest;         // m/s: no vertex goes faster
} rl_soft_work;

// Where there is a force of the water there is no wind.
static inline bool rl_soft_is_wet(const float force[3])
{
    return force[0] != 0.0f || force[1] != 0.0f || force[2] != 0.0f;
}

// Finds the links of a body: one for each edge of its triangles, and one between the far corners of
// two triangles that share an edge. Writes exactly 3 * triangle_count of them.
void rl_soft_find_links(const rl_body *body, const float *rest, const uint32_t *corners,
                        rl_soft_link *links);

// Moves the vertices so that links and the volume come right.
void rl_soft_solve(rl_soft_work *work);

// Velocities (or accelerations) as a rigid body with the same momentum and angular momentum has
// them: at the centre of mass, and the turning about it.
typedef struct rl_soft_whole {
    double centre[3], mean[3], turn[3];
} rl_soft_whole;
rl_soft_whole rl_soft_find_whole(const rl_soft_work *work, const double *field);
static inline void rl_soft_whole_at(const rl_soft_whole *whole, const double x[3], double out[3])
{
    double arm[3];
    rl_vector_between(whole->centre, x, arm);
    rl_cross(whole->turn, arm, out);
    rl_vector_add(out, 1.0, whole->mean);
}
// The turning about a point that `angular` is the angular momentum of (or, of a torque, the angular
// acceleration).
void rl_soft_find_turn(const rl_soft_work *work, const double about[3], const double angular[3],
                       double out[3]);
// Takes from velocities what they are beside those of a rigid body.
void rl_soft_damp(rl_soft_work *work);

// Lists the bodies that may be touched within the next `dt` seconds.
void rl_soft_find_neighbours(rl_soft_work *work, double dt);
// Takes vertices out of what they are in, and notes what they touch. `moved`: by the substep, so
// that friction holds them back; else they are only put outside.
void rl_soft_contact(rl_soft_work *work, bool moved);

// Gusts of this step at every triangle, then what the air does in a substep to velocities.
void rl_soft_find_gusts(rl_soft_work *work, const double wind[3]);
void rl_soft_blow(rl_soft_work *work, const double wind[3]);
