// SPDX-License-Identifier: MIT
// engine_free.c - free flight. Momentum grows by force times time, and velocities move the body
// when they have changed (symplectic Euler). Angular momentum L grows by torque times time, and
// nothing else changes it: how fast the body turns follows from L and from how the body lies,
//
//     dR/dt = [w] R,  w = R I^-1 R^T L,
//
// which is stepped by the implicit midpoint rule. However fast a body tumbles, its energy stays
// between L^2 / 2 I of its largest and of its smallest moment of inertia.
#include "bodies/rigid/engine.h"

#include "bodies/shape/body_shape.h"

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
    rl_vector_add(momentum, dt, twist);
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
    RL_ASSERT(body->mass > 0.0 && dt > 0.0);
    rl_body_motion to;
    for (int k = 0; k < 3; k++) {
        const double pull = k == 2 ? gravity : 0.0;
        to.velocity[k] = body->velocity[k] + dt * (force[k] / body->mass - pull);
        to.position[k] = body->position[k] + dt * to.velocity[k];
    }
    turn_body(body, torque, dt, &to);
    return to;
}

// ---- Courses ---------------------------------------------------------------------------

// Thrust acts along the body's own x axis, and a rudder turns the axis towards the next key of its
// course. The rudder is a spring on the sine of the bearing error, critically damped, as strong as
// the propeller is with a lever of half the body: heavier boats answer later.

static double length_of(const rl_body *body)
{
    const bool has_size = (rl_shape_of(&body->def)->info.fields & RILL_SHAPE_SIZE) != 0;
    return has_size ? body->def.size[0] : 2.0 * body->reach;
}

// The way from a body to key n of its course; false past the last. Where the terrain repeats there
// is no last one: all keys come again a period further on, in the direction of the course.
static bool way_to(const rl_body *body, const rl_body_ground *ground, int n, double way[2])
{
    const rill_path_key *keys = body->def.course;
    const int count = body->def.course_count;
    if (count == 0 || (n >= count && !(ground->period > 0.0)))
        return false;
    const double on = keys[count - 1].x < keys[0].x ? -ground->period : ground->period;
    way[0] = keys[n % count].x + n / count * on - (body->position[0] + ground->origin[0]);
    way[1] = keys[n % count].y - (body->position[1] + ground->origin[1]);
    return true;
}

// The way to the next key, after those that are closer than two lengths or farther than the one
// after them: a boat that was driven past a key does not turn back for it. False past the last.
static bool find_way(rl_body *body, const rl_body_ground *ground, double way[2])
{
    const double close = 2.0 * length_of(body);
    for (; way_to(body, ground, body->course_next, way); body->course_next++) {
        double after[2];
        const double far = way[0] * way[0] + way[1] * way[1];
        const bool last = !way_to(body, ground, body->course_next + 1, after);
        if (far >= close * close && (last || far <= after[0] * after[0] + after[1] * after[1]))
            return true;
    }
    return false;
}

void rl_body_steer(rl_body *body, const rl_body_ground *ground, double force[3], double torque[3])
{
    double way[2], ahead[3];
    const double thrust = body->def.thrust;
    if (!(thrust > 0.0) || !find_way(body, ground, way) || !(body->submerged > 0.0))
        return;
    rl_body_turn(body->rotation, (const double[3]){1.0, 0.0, 0.0}, ahead);
    rl_vector_add(force, thrust, ahead);
    const double distance = sqrt(way[0] * way[0] + way[1] * way[1]);
    const double level = sqrt(ahead[0] * ahead[0] + ahead[1] * ahead[1]);
    if (!(level > 0.1)) // it stands on its bow or stern
        return;
    const double scale = 1.0 / (distance * level);
    double error = (ahead[0] * way[1] - ahead[1] * way[0]) * scale;
    if (ahead[0] * way[0] + ahead[1] * way[1] < 0.0) // the key lies abaft: hard over
        error = error < 0.0 ? -1.0 : 1.0;
    const double strength = 0.5 * thrust * length_of(body);
    torque[2] += strength * error - 2.0 * sqrt(strength * body->inertia[8]) * body->spin[2];
}
