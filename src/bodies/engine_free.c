// SPDX-License-Identifier: MIT
// engine_free.c - free flight. Momentum grows by force times time, and velocities move the body
// when they have changed (symplectic Euler). Angular momentum L grows by torque times time, and
// nothing else changes it: how fast the body turns follows from L and from how the body lies,
//
//     dR/dt = [w] R,  w = R I^-1 R^T L,
//
// which is stepped by the implicit midpoint rule. However fast a body tumbles, its energy stays
// between L^2 / 2 I of its largest and of its smallest moment of inertia.
#include "bodies/engine_free.h"

#include <math.h>

#define ROUNDS 3 // that find how fast a body turns in the middle of a step

// Quaternions are (x, y, z, w), as in rl_body. q after p.
static void multiply(const double q[4], const double p[4], double out[4])
{
    for (int k = 0; k < 3; k++) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        out[k] = q[3] * p[k] + p[3] * q[k] + q[l] * p[m] - q[m] * p[l];
    }
    out[3] = q[3] * p[3] - q[0] * p[0] - q[1] * p[1] - q[2] * p[2];
}

static void turn_back(const double q[4], const double v[3], double out[3])
{
    rl_body_turn((const double[4]){-q[0], -q[1], -q[2], q[3]}, v, out);
}

static void apply(const double matrix[9], const double v[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = matrix[3 * k] * v[0] + matrix[3 * k + 1] * v[1] + matrix[3 * k + 2] * v[2];
}

// The sine of an angle over the angle, and its cosine, of the square of an angle below 1, to all
// digits of a double. Those of libraries are not the same everywhere.
static double sine_over(double square)
{
    static const double terms[] = {
        1.0 / 6,        1.0 / 120,        1.0 / 5040,         1.0 / 362880,
        1.0 / 39916800, 1.0 / 6227020800, 1.0 / 1307674368000};
    double sum = 0.0;
    for (int n = 6; n >= 0; n--)
        sum = terms[n] - square * sum;
    return 1.0 - square * sum;
}

static double cosine_of(double square)
{
    static const double terms[] = {
        1.0 / 2,       1.0 / 24,        1.0 / 720,         1.0 / 40320,
        1.0 / 3628800, 1.0 / 479001600, 1.0 / 87178291200, 1.0 / 20922789888000};
    double sum = 0.0;
    for (int n = 7; n >= 0; n--)
        sum = terms[n] - square * sum;
    return 1.0 - square * sum;
}

// The turn of `spin` in `dt` seconds. A large angle is halved, and the turn then doubled.
static void turn_of(const double spin[3], double dt, double out[4])
{
    const double square = spin[0] * spin[0] + spin[1] * spin[1] + spin[2] * spin[2];
    double half = 0.5 * dt;
    int doublings = 0;
    for (; square * half * half > 1.0; doublings++)
        half *= 0.5;
    const double sine = half * sine_over(square * half * half);
    for (int k = 0; k < 3; k++)
        out[k] = sine * spin[k];
    out[3] = cosine_of(square * half * half);
    for (; doublings > 0; doublings--) {
        const double once[4] = {out[0], out[1], out[2], out[3]};
        multiply(once, once, out);
    }
}

// How fast the body turns, in its own axes, when it has made a turn since it had this angular
// momentum in them.
static void spin_after(const rl_body *body, const double turn[4], const double momentum[3],
                       double spin[3])
{
    double seen[3];
    turn_back(turn, momentum, seen);
    apply(body->inverse_inertia, seen, spin);
}

static void turn_body(const rl_body *body, const double torque[3], double dt, rl_body_motion *to)
{
    double spin[3], twist[3], momentum[3], turn[4];
    turn_back(body->rotation, body->spin, spin);
    turn_back(body->rotation, torque, twist);
    apply(body->inertia, spin, momentum);
    for (int k = 0; k < 3; k++)
        momentum[k] += dt * twist[k];
    apply(body->inverse_inertia, momentum, spin);
    for (int n = 0; n < ROUNDS; n++) {
        turn_of(spin, 0.5 * dt, turn);
        spin_after(body, turn, momentum, spin);
    }
    turn_of(spin, dt, turn);
    spin_after(body, turn, momentum, spin); // at its end
    double *q = to->rotation;
    multiply(body->rotation, turn, q);
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
