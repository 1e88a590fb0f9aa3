// SPDX-License-Identifier: MIT
// engine_course.c - thrust along the body's own x axis, and a rudder that turns the axis towards
// the next key of its course. The rudder is a spring on the sine of the bearing error, critically
// damped, as strong as the propeller is with a lever of half the body: heavier boats answer later.
#include "bodies/rigid/engine_course.h"

#include "bodies/shape/body_shape.h"

static double length_of(const rl_body *body)
{
    const bool has_size = (rl_shape_of(&body->def)->info.fields & RILL_SHAPE_SIZE) != 0;
    return has_size ? body->def.size[0] : 2.0 * body->reach;
}

// The way to the next key, after those that are closer than two lengths or farther than the one
// after them: whoever was driven past a key does not turn back for it. False past the last.
static bool find_way(rl_body *body, const double origin[2], double way[2])
{
    const double near = 2.0 * length_of(body);
    for (; body->course_next < body->def.course_count; body->course_next++) {
        const rill_path_key *key = &body->def.course[body->course_next];
        way[0] = key->x - (body->position[0] + origin[0]);
        way[1] = key->y - (body->position[1] + origin[1]);
        const double far = way[0] * way[0] + way[1] * way[1];
        const bool last = body->course_next + 1 == body->def.course_count;
        const double x = last ? 0.0 : key[1].x - (body->position[0] + origin[0]);
        const double y = last ? 0.0 : key[1].y - (body->position[1] + origin[1]);
        if (far >= near * near && (last || far <= x * x + y * y))
            return true;
    }
    return false;
}

void rl_body_steer(rl_body *body, const double origin[2], double force[3], double torque[3])
{
    double way[2], ahead[3];
    const double thrust = body->def.thrust;
    if (!(thrust > 0.0) || !find_way(body, origin, way) || !(body->submerged > 0.0))
        return;
    rl_body_turn(body->rotation, (const double[3]){1.0, 0.0, 0.0}, ahead);
    for (int k = 0; k < 3; k++)
        force[k] += thrust * ahead[k];
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
