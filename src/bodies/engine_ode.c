// SPDX-License-Identifier: MIT
// engine_ode.c - rigid bodies by the Open Dynamics Engine. Every step writes the records into ODE
// and reads them back, and nothing that ODE could remember from step to step is used (no sleeping
// bodies, no warm start), so that an engine made anew from the records goes on with the same bits.
//
// Pairs are found by sweeping along x, in an order that the records alone decide; ODE finds the
// contacts of a pair and solves for all forces with dWorldQuickStep. Contacts with ground and fence
// come from engine_contacts.c.
//
// The one thing shared by all engines of a process is ODE itself: its random numbers, which order
// the constraints, are a global, so one engine steps at a time and begins with the same seed.
#ifdef RL_HAS_ODE

#include "bodies/engine.h"
#include "bodies/engine_contacts.h"
#include "bodies/engine_course.h"
#include "bodies/engine_ode_pairs.h"
#include "bodies/engine_ode_shapes.h"

#include "core/memory.h"
#include "core/status.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

// Iterations of the solver: few contacts are solved well; of many, as well as there is time.
#define EFFORT           8000 // contacts times iterations of a step
#define LEAST_ITERATIONS 20
#define MOST_ITERATIONS  100
#define RELAXATION       1.0
#define SEED             1

#define SURFACE_LAYER 0.0005 // metres that bodies sink into each other: contacts then last
#define LIFT_SPEED    1.0    // m/s at most that parts what has got into each other
#define BOUNCE_SPEED  0.15   // m/s below which nothing bounces
#define REST_SPIN     0.2    // rad/s below which what touches something stops turning,
#define REST_RATE     5.0    // at this rate, 1/s
#define FASTEST       500.0  // m/s
#define FASTEST_SPIN  200.0  // rad/s
#define SHORTEST_STEP 1e-4   // seconds

#define PARTS_AHEAD 3 // bodies below which the ground is brought near

// One body in ODE.
typedef struct part {
    int place;
    bool moves, touches;
    dBodyID body;
    dGeomID geom;
    dTriMeshDataID mesh;
    double box[6]; // around it: least and greatest x, y, z
} part;

struct rl_engine {
    rill_allocator allocator;
    int max_bodies;
    dWorldID world;
    dJointGroupID contacts;
    part *parts; // in the order of places
    int *order;  // of parts along x
    int count;
    int contact_count; // of the step
    rl_ode_shapes shapes;
};

static pthread_mutex_t ode_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t ode_started = PTHREAD_ONCE_INIT;

static void start_ode(void)
{
    dInitODE2(0);
}

// ODE keeps buffers per thread; they go with the thread.
static void enter_ode(void)
{
    pthread_once(&ode_started, start_ode);
    pthread_mutex_lock(&ode_lock);
    dAllocateODEDataForThread((unsigned)dAllocateMaskAll);
}

static void leave_ode(void)
{
    pthread_mutex_unlock(&ode_lock);
}

bool rl_engine_exists(void)
{
    return true;
}

// ---- Making and unmaking ---------------------------------------------------------------

// Geoms go before the world: it only owns the bodies.
static void empty_engine(rl_engine *engine)
{
    for (int n = 0; n < engine->count; n++) {
        dGeomDestroy(engine->parts[n].geom);
        if (engine->parts[n].mesh != NULL)
            dGeomTriMeshDataDestroy(engine->parts[n].mesh);
    }
    engine->count = 0;
    if (engine->contacts != NULL)
        dJointGroupDestroy(engine->contacts);
    if (engine->world != NULL)
        dWorldDestroy(engine->world);
    engine->contacts = NULL;
    engine->world = NULL;
}

rill_status rl_engine_create(const rl_bodies *bodies, rl_engine **out)
{
    const rill_allocator *a = &bodies->allocator;
    rl_engine *engine = rl_alloc(a, sizeof *engine);
    *out = engine;
    if (engine == NULL)
        return rl_fail(RILL_NO_MEMORY, "no memory for the physics engine");
    engine->allocator = *a;
    engine->max_bodies = bodies->def.max_bodies;
    const size_t count = (size_t)engine->max_bodies;
    engine->parts = rl_alloc(a, count * sizeof *engine->parts);
    engine->order = rl_alloc(a, count * sizeof *engine->order);
    if (engine->parts == NULL || engine->order == NULL ||
        !rl_ode_shapes_create(a, &bodies->def, &engine->shapes)) {
        rl_engine_destroy(out);
        return rl_fail(RILL_NO_MEMORY, "no memory for the physics engine of %d bodies",
                       bodies->def.max_bodies);
    }
    return rl_engine_rebuild(engine, bodies);
}

void rl_engine_destroy(rl_engine **out)
{
    rl_engine *engine = *out;
    if (engine == NULL)
        return;
    enter_ode();
    empty_engine(engine);
    leave_ode();
    const rill_allocator allocator = engine->allocator;
    const size_t count = (size_t)engine->max_bodies;
    rl_ode_shapes_destroy(&allocator, &engine->shapes);
    rl_free(&allocator, engine->parts, count * sizeof *engine->parts);
    rl_free(&allocator, engine->order, count * sizeof *engine->order);
    rl_free(&allocator, engine, sizeof *engine);
    *out = NULL;
}

static void make_part(rl_engine *engine, const rl_bodies *bodies, int place)
{
    const rl_body *body = &bodies->items[place];
    part *p = &engine->parts[engine->count];
    *p = (part){.place = place, .moves = body->def.motion == RILL_BODY_RIGID};
    p->geom = rl_ode_make_geom(bodies, body, &engine->shapes, &p->mesh);
    p->body = dBodyCreate(engine->world);
    if (p->moves)
        rl_ode_set_mass(body, p->body);
    else
        dBodySetKinematic(p->body);
    dBodySetGyroscopicMode(p->body, 1);
    dBodySetAutoDisableFlag(p->body, 0);
    dGeomSetBody(p->geom, p->body);
    engine->order[engine->count] = engine->count;
    engine->count++;
}

// Small bodies must not sink into each other by more than a little of themselves.
static double surface_layer(const rl_engine *engine, const rl_bodies *bodies)
{
    double layer = SURFACE_LAYER;
    for (int n = 0; n < engine->count; n++)
        layer = fmin(layer, 0.002 * bodies->items[engine->parts[n].place].reach);
    return layer;
}

rill_status rl_engine_rebuild(rl_engine *engine, const rl_bodies *bodies)
{
    enter_ode();
    empty_engine(engine);
    engine->world = dWorldCreate();
    engine->contacts = dJointGroupCreate(0);
    dWorldSetQuickStepW(engine->world, RELAXATION);
    dWorldSetERP(engine->world, 0.2);
    dWorldSetCFM(engine->world, 1e-10);
    dWorldSetContactMaxCorrectingVel(engine->world, LIFT_SPEED);
    for (int n = 0; n < engine->max_bodies; n++) {
        const rl_body *body = &bodies->items[n];
        if (body->alive && body->def.motion != RILL_BODY_SOFT && body->def.shape != RILL_BODY_SHEET)
            make_part(engine, bodies, n);
    }
    dWorldSetContactSurfaceLayer(engine->world, surface_layer(engine, bodies));
    leave_ode();
    return RILL_OK;
}

// ---- Records to ODE and back -----------------------------------------------------------

static bool are_finite(const double *values, int count)
{
    for (int k = 0; k < count; k++)
        if (!isfinite(values[k]))
            return false;
    return true;
}

static void limit(double vector[3], double most)
{
    const double square = vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2];
    if (square > most * most)
        for (int k = 0; k < 3; k++)
            vector[k] *= most / sqrt(square);
}

// A force that is no number does nothing, and none takes a body out of the world in one step.
static void add_forces(rl_body *body, const rl_body_ground *ground, double dt, dBodyID to)
{
    double force[3], torque[3];
    for (int k = 0; k < 3; k++) {
        force[k] = body->force[k] + body->push[k];
        torque[k] = body->torque[k] + body->push_torque[k];
    }
    rl_body_steer(body, ground->origin, force, torque);
    const double *i = body->inertia;
    limit(force, body->mass * FASTEST / dt);
    limit(torque, fmax(i[0], fmax(i[4], i[8])) * FASTEST_SPIN / dt);
    if (are_finite(force, 3))
        dBodyAddForce(to, force[0], force[1], force[2]);
    if (are_finite(torque, 3))
        dBodyAddTorque(to, torque[0], torque[1], torque[2]);
}

static void write_part(part *p, rl_body *body, const rl_body_ground *ground, double dt)
{
    static const double unturned[4] = {0.0, 0.0, 0.0, 1.0}; // ODE stops the program at 0
    const double *x = body->position, *v = body->velocity, *w = body->spin, *q = body->rotation;
    const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    q = square > 0.0 && isfinite(square) ? q : unturned;
    dBodySetPosition(p->body, x[0], x[1], x[2]);
    dBodySetQuaternion(p->body, (const dQuaternion){q[3], q[0], q[1], q[2]});
    dBodySetLinearVel(p->body, v[0], v[1], v[2]);
    dBodySetAngularVel(p->body, w[0], w[1], w[2]);
    dBodySetForce(p->body, 0, 0, 0);
    dBodySetTorque(p->body, 0, 0, 0);
    p->touches = false;
    if (p->moves)
        add_forces(body, ground, dt, p->body);
    dGeomGetAABB(p->geom, p->box);
}

// A solver that stops early leaves bodies in a stack rocking for ever. What turns slowly and
// touches something loses its turning; its momentum stays.
static void settle(const part *p, double spin[3], double dt)
{
    const double square = spin[0] * spin[0] + spin[1] * spin[1] + spin[2] * spin[2];
    if (!p->touches || square > REST_SPIN * REST_SPIN)
        return;
    for (int k = 0; k < 3; k++)
        spin[k] *= fmax(1.0 - REST_RATE * dt, 0.0);
}

// A body for which ODE finds no numbers stays where it was, at rest.
static void read_part(const part *p, rl_body *body, double dt)
{
    const dReal *q = dBodyGetQuaternion(p->body);
    double rotation[4] = {q[1], q[2], q[3], q[0]}, position[3], velocity[3], spin[3];
    memcpy(position, dBodyGetPosition(p->body), sizeof position);
    memcpy(velocity, dBodyGetLinearVel(p->body), sizeof velocity);
    memcpy(spin, dBodyGetAngularVel(p->body), sizeof spin);
    if (are_finite(rotation, 4) && are_finite(position, 3) && are_finite(velocity, 3) &&
        are_finite(spin, 3)) {
        limit(velocity, FASTEST);
        limit(spin, FASTEST_SPIN);
        settle(p, spin, dt);
        memcpy(body->rotation, rotation, sizeof rotation);
        memcpy(body->position, position, sizeof position);
    } else {
        memset(velocity, 0, sizeof velocity);
        memset(spin, 0, sizeof spin);
    }
    memcpy(body->velocity, velocity, sizeof velocity);
    memcpy(body->spin, spin, sizeof spin);
}

// ---- Contacts --------------------------------------------------------------------------

typedef struct surface {
    double friction, bounce;
} surface;

// Joins a contact to one body, or two.
static void join(rl_engine *engine, const rl_contact *contact, surface s, part *a, part *b)
{
    dContact joint;
    memset(&joint, 0, sizeof joint);
    joint.surface.mode = dContactApprox1 | (s.bounce > 0.0 ? dContactBounce : 0);
    joint.surface.mu = s.friction;
    joint.surface.bounce = s.bounce;
    joint.surface.bounce_vel = BOUNCE_SPEED;
    for (int k = 0; k < 3; k++) {
        joint.geom.pos[k] = contact->point[k];
        joint.geom.normal[k] = contact->normal[k];
    }
    joint.geom.depth = contact->depth;
    dJointAttach(dJointCreateContact(engine->world, engine->contacts, &joint), a->body,
                 b != NULL ? b->body : NULL);
    a->touches = true;
    if (b != NULL)
        b->touches = true;
    engine->contact_count++;
}

static void touch_surroundings(rl_engine *engine, const rl_bodies *bodies, part *p,
                               const rl_body_ground *ground)
{
    const rill_body_def *def = &bodies->items[p->place].def;
    const surface s = {def->friction, def->bounce};
    rl_contact contacts[RL_FENCE_CONTACTS];
    int count = rl_contacts_ground(bodies, p->place, p->box, ground, contacts);
    for (int n = 0; n < count; n++)
        join(engine, &contacts[n], s, p, NULL);
    count = ground->fence ? rl_contacts_fence(bodies, p->place, p->box, contacts) : 0;
    for (int n = 0; n < count; n++)
        join(engine, &contacts[n], s, p, NULL);
}

static void touch_pair(rl_engine *engine, const rl_bodies *bodies, part *a, part *b)
{
    if (a->place > b->place) {
        part *first = b;
        b = a;
        a = first;
    }
    const rl_body *one = &bodies->items[a->place], *other = &bodies->items[b->place];
    rl_contact contacts[RL_MOST_CONTACTS];
    const int count = rl_ode_collide(one, a->geom, other, b->geom, contacts);
    const surface s = {sqrt(one->def.friction * other->def.friction),
                       fmax(one->def.bounce, other->def.bounce)};
    for (int n = 0; n < count; n++)
        join(engine, &contacts[n], s, a, b);
}

// Least x first, then the first place. Bodies move little, so they are nearly in order.
static void sort_along_x(rl_engine *engine)
{
    for (int n = 1; n < engine->count; n++) {
        const int moved = engine->order[n];
        const double low = engine->parts[moved].box[0];
        int to = n;
        for (; to > 0; to--) {
            const int before = engine->order[to - 1];
            const double other = engine->parts[before].box[0];
            if (other < low || (other == low && before < moved))
                break;
            engine->order[to] = before;
        }
        engine->order[to] = moved;
    }
}

static void touch_each_other(rl_engine *engine, const rl_bodies *bodies)
{
    sort_along_x(engine);
    for (int n = 0; n < engine->count; n++) {
        part *a = &engine->parts[engine->order[n]];
        for (int m = n + 1; m < engine->count; m++) {
            part *b = &engine->parts[engine->order[m]];
            if (b->box[0] > a->box[1])
                break;
            if ((a->moves || b->moves) && a->box[2] <= b->box[3] && b->box[2] <= a->box[3] &&
                a->box[4] <= b->box[5] && b->box[4] <= a->box[5])
                touch_pair(engine, bodies, a, b);
        }
    }
}

// ---- Stepping --------------------------------------------------------------------------

static void substep(rl_engine *engine, rl_bodies *bodies, const rl_body_ground *ground, double dt)
{
    engine->contact_count = 0;
    for (int n = 0; n < engine->count; n++) {
        part *p = &engine->parts[n];
        // Where that one was in the last step.
        if (n + PARTS_AHEAD < engine->count && p[PARTS_AHEAD].moves)
            rl_contacts_bring_near(bodies, p[PARTS_AHEAD].box, ground);
        write_part(p, &bodies->items[p->place], ground, dt);
        if (p->moves)
            touch_surroundings(engine, bodies, p, ground);
    }
    touch_each_other(engine, bodies);
    const int effort = EFFORT / (engine->contact_count + 1);
    const int enough = effort < MOST_ITERATIONS ? effort : MOST_ITERATIONS;
    dWorldSetQuickStepNumIterations(engine->world,
                                    enough > LEAST_ITERATIONS ? enough : LEAST_ITERATIONS);
    dRandSetSeed(SEED);
    dWorldQuickStep(engine->world, dt);
    dJointGroupEmpty(engine->contacts);
    for (int n = 0; n < engine->count; n++) {
        const part *p = &engine->parts[n];
        if (p->moves)
            read_part(p, &bodies->items[p->place], dt);
    }
}

void rl_engine_step(rl_engine *engine, rl_bodies *bodies, const rl_body_ground *ground, double dt)
{
    if (!(dt > 0.0) || engine->count == 0)
        return;
    const double longest = fmax((double)bodies->def.engine_step, SHORTEST_STEP);
    const int steps = (int)fmax(ceil(dt / longest - 1e-6), 1.0);
    enter_ode();
    dWorldSetGravity(engine->world, 0, 0, -bodies->gravity);
    for (int n = 0; n < steps; n++)
        substep(engine, bodies, ground, dt / steps);
    leave_ode();
    for (int n = 0; n < engine->count; n++)
        if (engine->parts[n].moves)
            rl_body_pose(bodies, engine->parts[n].place);
}

#else
typedef int rl_engine_ode; // a file may not be empty
#endif
