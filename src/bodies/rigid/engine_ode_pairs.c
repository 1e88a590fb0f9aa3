// SPDX-License-Identifier: MIT
// engine_ode_pairs.c - contacts of a pair of bodies. ODE gives many for most shapes, which are
// thinned; but for convex ones it gives the deepest point alone, on which a crate would rock on a
// deck for ever. There the smaller body is tilted a little in four directions: the deepest points
// then are the corners of the area where the two touch.
#ifdef RL_HAS_ODE

#include "bodies/rigid/engine_ode.h"

#define FOUND 32   // at most by ODE
#define TILT  0.01 // of half an angle, radians

static bool is_usable(const dContactGeom *c)
{
    double sum = c->depth;
    for (int k = 0; k < 3; k++)
        sum += c->pos[k] + c->normal[k];
    return isfinite(sum) && c->depth >= 0.0;
}

static int collide(dGeomID a, dGeomID b, rl_contact out[FOUND])
{
    dContactGeom found[FOUND];
    const int count = dCollide(a, b, FOUND, found, sizeof found[0]);
    int good = 0;
    for (int n = 0; n < count; n++) {
        if (!is_usable(&found[n]))
            continue;
        for (int k = 0; k < 3; k++) {
            out[good].point[k] = found[n].pos[k];
            out[good].normal[k] = found[n].normal[k];
        }
        out[good++].depth = found[n].depth;
    }
    return good;
}

// A unit vector across a normal.
static void across_of(const double normal[3], double out[3])
{
    const int least = fabs(normal[0]) < fabs(normal[1])
                          ? (fabs(normal[0]) < fabs(normal[2]) ? 0 : 2)
                          : (fabs(normal[1]) < fabs(normal[2]) ? 1 : 2);
    double square = 0.0;
    for (int k = 0; k < 3; k++) {
        out[k] = (k == least ? 1.0 : 0.0) - normal[least] * normal[k];
        square += out[k] * out[k];
    }
    for (int k = 0; k < 3; k++)
        out[k] /= sqrt(square);
}

static void set_rotation(dGeomID geom, const double q[4])
{
    dBodySetQuaternion(dGeomGetBody(geom), (const dQuaternion){q[3], q[0], q[1], q[2]});
}

// A pair of which one body is tilted. `sign` is 1 when that is the first.
typedef struct tilted_pair {
    const rl_body *body;
    dGeomID tilted, a, b;
    double sign;
} tilted_pair;

// The deepest contact of the tilted body, brought back: where its point of the body lies untilted,
// and how deep. False where it is out of the other body then.
static bool collide_tilted(const tilted_pair *pair, const double tilt[4], const double normal[3],
                           rl_contact *out)
{
    double rotation[4], arm[3], untilted[3], moved = 0.0;
    rl_contact found[FOUND];
    rl_body_turns(tilt, pair->body->rotation, rotation);
    set_rotation(pair->tilted, rotation);
    if (collide(pair->a, pair->b, found) == 0)
        return false;
    for (int k = 0; k < 3; k++)
        arm[k] = found[0].point[k] - pair->body->position[k];
    rl_body_turn_back(tilt, arm, untilted);
    for (int k = 0; k < 3; k++) {
        moved += (arm[k] - untilted[k]) * normal[k];
        out->point[k] = pair->body->position[k] + untilted[k];
        out->normal[k] = normal[k];
    }
    out->depth = found[0].depth + pair->sign * moved;
    return out->depth >= 0.0;
}

// The corners of the area where two convex bodies touch, after the deepest point. The tilts are not
// along the axes of boxes, where an edge has no deepest point.
static int add_corners(const tilted_pair *pair, rl_contact contacts[FOUND])
{
    const double *n = contacts[0].normal;
    double u[3], v[3];
    across_of(n, u);
    rl_cross(n, u, v);
    static const double ways[4][2] = {{0.92, 0.39}, {-0.39, 0.92}, {-0.92, -0.39}, {0.39, -0.92}};
    const double scale = 1.0 / sqrt(1.0 + TILT * TILT);
    int count = 1;
    for (int way = 0; way < 4; way++) {
        double tilt[4];
        for (int k = 0; k < 3; k++)
            tilt[k] = scale * TILT * (ways[way][0] * u[k] + ways[way][1] * v[k]);
        tilt[3] = sqrt(1.0 - tilt[0] * tilt[0] - tilt[1] * tilt[1] - tilt[2] * tilt[2]);
        count += collide_tilted(pair, tilt, n, &contacts[count]);
    }
    set_rotation(pair->tilted, pair->body->rotation);
    return count;
}

int rl_ode_collide(const rl_body *first, dGeomID a, const rl_body *second, dGeomID b,
                   rl_contact out[RL_MOST_CONTACTS])
{
    rl_contact contacts[FOUND];
    int count = collide(a, b, contacts);
    const bool convex = dGeomGetClass(a) == dConvexClass || dGeomGetClass(b) == dConvexClass;
    const bool ball = dGeomGetClass(a) == dSphereClass || dGeomGetClass(b) == dSphereClass;
    if (count == 1 && convex && !ball) {
        const bool smaller = first->reach < second->reach;
        const tilted_pair pair = {smaller ? first : second, smaller ? a : b, a, b,
                                  smaller ? 1.0 : -1.0};
        count = add_corners(&pair, contacts);
    }
    count = rl_contacts_thin(contacts, count, RL_MOST_CONTACTS, fmin(first->reach, second->reach));
    RL_ASSERT(count <= RL_MOST_CONTACTS);
    for (int n = 0; n < count; n++)
        out[n] = contacts[n];
    return count;
}

#else
typedef int rl_engine_ode_pairs; // a file may not be empty
#endif
