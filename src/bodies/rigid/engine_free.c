// SPDX-License-Identifier: MIT
// engine_free.c - free flight. Momentum grows by force times time, and velocities move the body
// when they have changed (symplectic Euler). Angular momentum L grows by torque times time, and
// nothing else changes it: how fast the body turns follows from L and from how the body lies,
//
//     dR/dt = [w] R,  w = R I^-1 R^T L,
//
// which is stepped by the implicit midpoint rule. However fast a body tumbles, its energy stays
// between L^2 / 2 I of its largest and of its smallest moment of inertia.
#include "bodies/rigid/engine_free.h"

#include <math.h>

#define ROUNDS 3 // that find how fast a body turns in the middle of a step

static void apply(const double matrix[9], const double v[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = matrix[3 * k] * v[0] + matrix[3 * k + 1] * v[1] + matrix[3 * k + 2] * v[2];
}

// The half of the turn of `spin` in `dt` seconds, as the quaternion (tangent, 1) times the root of
// `scale`. Of the quarter of an angle the tangent is taken for the angle: turns are short of a 48th
// of the cube of theirs. Sines would not be the same everywhere, and energy is kept this way too.
typedef struct half_turn {
    double tangent[3], square, scale;
} half_turn;

static half_turn half_turn_of(const double spin[3], double dt)
{
    half_turn half = {.square = 0.0};
    for (int k = 0; k < 3; k++) {
        half.tangent[k] = 0.25 * dt * spin[k];
        half.square += half.tangent[k] * half.tangent[k];
    }
    half.scale = 1.0 / (1.0 + half.square);
    return half;
}

// A vector as it is seen from axes that have turned by the half of a turn.
static void see_from_middle(const half_turn *half, const double v[3], double out[3])
{
    double once[3], twice[3];
    rl_cross(v, half->tangent, once);
    rl_cross(once, half->tangent, twice);
    for (int k = 0; k < 3; k++)
        out[k] = v[k] + 2.0 * half->scale * (once[k] + twice[k]);
}

// In axes of the body, from which its angular momentum seems to turn.
static void turn_body(const rl_body *body, const double torque[3], double dt, rl_body_motion *to)
{
    double spin[3], twist[3], momentum[3], seen[3], whole[4];
    rl_body_turn_back(body->rotation, body->spin, spin);
    rl_body_turn_back(body->rotation, torque, twist);
    apply(body->inertia, spin, momentum);
    for (int k = 0; k < 3; k++)
        momentum[k] += dt * twist[k];
    apply(body->inverse_inertia, momentum, spin);
    for (int n = 0; n < ROUNDS; n++) {
        const half_turn half = half_turn_of(spin, dt);
        see_from_middle(&half, momentum, seen);
        apply(body->inverse_inertia, seen, spin);
    }
    const half_turn half = half_turn_of(spin, dt);
    for (int k = 0; k < 3; k++)
        whole[k] = 2.0 * half.scale * half.tangent[k];
    whole[3] = half.scale * (1.0 - half.square);
    rl_body_turn_back(whole, momentum, seen);
    apply(body->inverse_inertia, seen, spin);
    double *q = to->rotation;
    rl_body_turns(body->rotation, whole, q);
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int k = 0; k < 4; k++)
        q[k] /= length;
    rl_body_turn(q, spin, to->spin);
}

rl_body_motion rl_body_fly(const rl_body *body, const double force[3], const double torque[3],
                           double gravity, double dt)
{
    rl_body_motion to;
    for (int k = 0; k < 3; k++) {
        const double pull = k == 2 ? gravity : 0.0;
        to.velocity[k] = body->velocity[k] + dt * (force[k] / body->mass - pull);
        to.position[k] = body->position[k] + dt * to.velocity[k];
    }
    turn_body(body, torque, dt, &to);
    return to;
}
