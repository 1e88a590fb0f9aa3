// SPDX-License-Identifier: MIT
// engine_ode.c - rigid bodies by the Open Dynamics Engine, as far as they touch something; all
// other bodies fly free (engine_free.c), which needs no engine. Every step writes the records of
// those that touch something into ODE and reads them back, and nothing that ODE could remember from
// step to step is used (no sleeping bodies, no warm start), so that an engine made anew from the
// records goes on with the same bits.
//
// Pairs are found by sweeping along x, in an order that the records alone decide; ODE finds the
// contacts of a pair and solves for all forces with dWorldQuickStep. Contacts with ground and fence
// come from engine_contacts.c.
//
// The one thing shared by all engines of a process is ODE itself: its random numbers, which order
// the constraints, are a global, so one engine steps at a time and begins with the same seed.
#ifdef RL_HAS_ODE

#include "bodies/rigid/engine_ode.h"
#include "bodies/shape/body_shape.h"

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

#define SLACK       0.05 // of its reach that a body may stick out of the box of its vertices
#define TASK_PARTS  4    // bodies of a task
#define MOST_AROUND (RL_MOST_CONTACTS + RL_FENCE_CONTACTS)

// One body in ODE.
typedef struct part {
    int place;
    bool moves;
    bool touches; // something, in this step
    bool told;    // ODE knows how it lies and moves in this step,
    bool enabled; // and would move it
    dBodyID body;
    dGeomID geom;
    dTriMeshDataID mesh;
    double box[6]; // around it: least and greatest x, y, z
    double force[3], torque[3];
    int around_count; // contacts with ground and fence
} part;

struct rl_engine {
    rill_allocator allocator;
    size_t bytes; // of it all, which is one block
    int max_bodies;
    dWorldID world;
    dJointGroupID contacts;
    part *parts; // in the order of places
    int *order;  // of parts along x
    int count;
    rl_contact *around; // MOST_AROUND a part: its contacts with ground and fence
    int contact_count;  // of the step
    rl_ode_geoms shapes;
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

// Where everything lies in the block of the engine; returns its bytes. NULL only measures it.
static size_t lay_out(rl_engine *e, const rill_bodies_def *def, char *block)
{
    const size_t most = (size_t)def->max_bodies, vertices = (size_t)def->max_vertices;
    const size_t triangles = (size_t)def->max_triangles;
    size_t used = 0;
    (void)rl_take(block, &used, 1, sizeof *e);
    e->parts = rl_take(block, &used, most, sizeof *e->parts);
    e->order = rl_take(block, &used, most, sizeof *e->order);
    e->around = rl_take(block, &used, most * MOST_AROUND, sizeof *e->around);
    e->shapes.points = rl_take(block, &used, 3 * vertices, sizeof *e->shapes.points);
    e->shapes.planes = rl_take(block, &used, 4 * triangles, sizeof *e->shapes.planes);
    e->shapes.polygons = rl_take(block, &used, 4 * triangles, sizeof *e->shapes.polygons);
    e->shapes.corners = rl_take(block, &used, 3 * triangles, sizeof *e->shapes.corners);
    return used;
}

static void destroy(rl_engine **out)
{
    rl_engine *engine = *out;
    if (engine == NULL)
        return;
    enter_ode();
    empty_engine(engine);
    leave_ode();
    const rill_allocator allocator = engine->allocator;
    rill_free(&allocator, engine, engine->bytes);
    *out = NULL;
}

static void make_part(rl_engine *engine, const rl_bodies *bodies, int place)
{
    const rl_body *body = &bodies->items[place];
    RL_ASSERT(engine->count < engine->max_bodies);
    part *p = &engine->parts[engine->count];
    *p = (part){.place = place, .moves = body->def.motion == RILL_BODY_RIGID, .enabled = true};
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

static void rebuild(rl_engine *engine, const rl_bodies *bodies)
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
        if (body->alive && body->def.motion != RILL_BODY_SOFT && !rl_shape_is_open(body))
            make_part(engine, bodies, n);
    }
    dWorldSetContactSurfaceLayer(engine->world, surface_layer(engine, bodies));
    leave_ode();
}

static rill_status create(const rl_bodies *bodies, rl_engine **out)
{
    rl_engine measured = {0};
    const size_t bytes = lay_out(&measured, &bodies->def, NULL);
    char *block = rill_alloc(&bodies->allocator, bytes);
    rl_engine *engine = (rl_engine *)(void *)block;
    *out = engine;
    if (engine == NULL)
        return rill_fail(RILL_NO_MEMORY, "no memory for the physics engine of %d bodies",
                         bodies->def.max_bodies);
    (void)lay_out(engine, &bodies->def, block);
    engine->allocator = bodies->allocator;
    engine->bytes = bytes;
    engine->max_bodies = bodies->def.max_bodies;
    rebuild(engine, bodies);
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
    const double square = rl_dot(vector, vector);
    if (square > most * most)
        for (int k = 0; k < 3; k++)
            vector[k] *= most / sqrt(square);
}

// A force that is no number does nothing, and none takes a body out of the world in one step.
static void find_forces(part *p, rl_body *body, const rl_body_ground *ground, double dt)
{
    for (int k = 0; k < 3; k++) {
        p->force[k] = body->force[k] + body->push[k];
        p->torque[k] = body->torque[k] + body->push_torque[k];
    }
    rl_body_steer(body, ground, p->force, p->torque);
    const double *i = body->inertia;
    limit(p->force, body->mass * FASTEST / dt);
    limit(p->torque, fmax(i[0], fmax(i[4], i[8])) * FASTEST_SPIN / dt);
    if (!are_finite(p->force, 3))
        memset(p->force, 0, sizeof p->force);
    if (!are_finite(p->torque, 3))
        memset(p->torque, 0, sizeof p->torque);
}

static void tell(part *p, const rl_body *body)
{
    const double *x = body->position, *v = body->velocity, *w = body->spin, *q = body->rotation;
    if (p->told)
        return;
    dBodySetPosition(p->body, x[0], x[1], x[2]);
    dBodySetQuaternion(p->body, (const dQuaternion){q[3], q[0], q[1], q[2]});
    dBodySetLinearVel(p->body, v[0], v[1], v[2]);
    dBodySetAngularVel(p->body, w[0], w[1], w[2]);
    dBodySetForce(p->body, p->force[0], p->force[1], p->force[2]);
    dBodySetTorque(p->body, p->torque[0], p->torque[1], p->torque[2]);
    dReal box[6];
    dGeomGetAABB(p->geom, box); // brings it up to date, which dCollide does not
    p->told = true;
}

static rl_body_motion ask(const part *p)
{
    const dReal *q = dBodyGetQuaternion(p->body);
    rl_body_motion motion = {.rotation = {q[1], q[2], q[3], q[0]}};
    memcpy(motion.position, dBodyGetPosition(p->body), sizeof motion.position);
    memcpy(motion.velocity, dBodyGetLinearVel(p->body), sizeof motion.velocity);
    memcpy(motion.spin, dBodyGetAngularVel(p->body), sizeof motion.spin);
    return motion;
}

// A solver that stops early leaves bodies in a stack rocking for ever. What turns slowly and
// touches something loses its turning; its momentum stays.
static void settle(const part *p, double spin[3], double dt)
{
    if (!p->touches || rl_dot(spin, spin) > REST_SPIN * REST_SPIN)
        return;
    for (int k = 0; k < 3; k++)
        spin[k] *= fmax(1.0 - REST_RATE * dt, 0.0);
}

// A body for which no numbers are found stays where it was, at rest.
static void move(const part *p, rl_body *body, rl_body_motion to, double dt)
{
    if (are_finite(to.rotation, 4) && are_finite(to.position, 3) && are_finite(to.velocity, 3) &&
        are_finite(to.spin, 3)) {
        limit(to.velocity, FASTEST);
        limit(to.spin, FASTEST_SPIN);
        settle(p, to.spin, dt);
        memcpy(body->rotation, to.rotation, sizeof to.rotation);
        memcpy(body->position, to.position, sizeof to.position);
    } else {
        memset(to.velocity, 0, sizeof to.velocity);
        memset(to.spin, 0, sizeof to.spin);
    }
    memcpy(body->velocity, to.velocity, sizeof to.velocity);
    memcpy(body->spin, to.spin, sizeof to.spin);
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
    memcpy(joint.geom.pos, contact->point, sizeof contact->point);
    memcpy(joint.geom.normal, contact->normal, sizeof contact->normal);
    joint.geom.depth = contact->depth;
    dJointAttach(dJointCreateContact(engine->world, engine->contacts, &joint), a->body,
                 b != NULL ? b->body : NULL);
    a->touches = true;
    if (b != NULL)
        b->touches = true;
    engine->contact_count++;
}

static void touch_surroundings(rl_engine *engine, const rl_bodies *bodies)
{
    for (int n = 0; n < engine->count; n++) {
        part *p = &engine->parts[n];
        const rl_body *body = &bodies->items[p->place];
        const surface s = {body->def.friction, body->def.bounce};
        if (p->around_count > 0)
            tell(p, body);
        for (int k = 0; k < p->around_count; k++)
            join(engine, &engine->around[n * MOST_AROUND + k], s, p, NULL);
    }
}

static void touch_pair(rl_engine *engine, const rl_bodies *bodies, part *a, part *b)
{
    if (a->place > b->place) {
        part *first = b;
        b = a;
        a = first;
    }
    const rl_body *one = &bodies->items[a->place], *other = &bodies->items[b->place];
    RL_ASSERT(a->place < b->place);
    rl_contact contacts[RL_MOST_CONTACTS];
    tell(a, one);
    tell(b, other);
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

typedef struct step_task {
    rl_engine *engine;
    rl_bodies *bodies;
    const rl_body_ground *ground;
    double dt;
} step_task;

// The box of a body's vertices, and what a round one may stick out of it.
static void surround(const rl_body *body, double box[6])
{
    for (int k = 0; k < 3; k++) {
        box[2 * k] = body->low[k] - SLACK * body->reach;
        box[2 * k + 1] = body->high[k] + SLACK * body->reach;
    }
}

// Hosts may give a rotation that is a little longer or shorter than 1; ODE stops the program when
// it is 0.
static void straighten(double q[4])
{
    static const double unturned[4] = {0.0, 0.0, 0.0, 1.0};
    const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if (!(square > 0.0 && isfinite(square)))
        memcpy(q, unturned, sizeof unturned);
    else if (fabs(square - 1.0) > 1e-12)
        for (int k = 0; k < 4; k++)
            q[k] /= sqrt(square);
}

// What pulls at a body, and what of its surroundings it touches.
static void begin_part(const step_task *task, part *p, rl_contact *around)
{
    const rl_bodies *b = task->bodies;
    rl_body *body = &b->items[p->place];
    p->told = false;
    p->around_count = 0;
    straighten(body->rotation);
    if (p->moves) {
        find_forces(p, body, task->ground, task->dt);
        p->around_count = rl_contacts_ground(b, p->place, p->box, task->ground, around);
        if (task->ground->fence)
            p->around_count += rl_contacts_fence(b, p->place, p->box, around + p->around_count);
    }
    RL_ASSERT(p->around_count <= MOST_AROUND);
    p->touches = p->around_count > 0;
}

// First the ground below all of them is asked for, which may be far away in memory.
static void begin_parts(void *context, int number)
{
    const step_task *task = context;
    rl_engine *engine = task->engine;
    const int first = number * TASK_PARTS;
    const int end = first + TASK_PARTS < engine->count ? first + TASK_PARTS : engine->count;
    for (int n = first; n < end; n++) {
        part *p = &engine->parts[n];
        surround(&task->bodies->items[p->place], p->box);
        if (p->moves)
            rl_contacts_prefetch(task->bodies, p->box, task->ground);
    }
    for (int n = first; n < end; n++)
        begin_part(task, &engine->parts[n], engine->around + n * MOST_AROUND);
}

static void end_parts(void *context, int number)
{
    const step_task *task = context;
    const rl_engine *engine = task->engine;
    rl_bodies *b = task->bodies;
    const int first = number * TASK_PARTS;
    const int end = first + TASK_PARTS < engine->count ? first + TASK_PARTS : engine->count;
    for (int n = first; n < end; n++) {
        const part *p = &engine->parts[n];
        rl_body *body = &b->items[p->place];
        if (!p->moves)
            continue;
        move(p, body,
             p->touches ? ask(p) : rl_body_fly(body, p->force, p->torque, b->gravity, task->dt),
             task->dt);
        rl_body_pose(b, p->place);
    }
}

// Only those that touch something are enabled.
static void enable(rl_engine *engine)
{
    for (int n = 0; n < engine->count; n++) {
        part *p = &engine->parts[n];
        if (p->touches == p->enabled)
            continue;
        if (p->touches)
            dBodyEnable(p->body);
        else
            dBodyDisable(p->body);
        p->enabled = p->touches;
    }
}

static void step_touching(rl_engine *engine, double gravity, double dt)
{
    const int effort = EFFORT / (engine->contact_count + 1);
    const int enough = effort < MOST_ITERATIONS ? effort : MOST_ITERATIONS;
    enable(engine);
    dWorldSetGravity(engine->world, 0, 0, -gravity);
    dWorldSetQuickStepNumIterations(engine->world,
                                    enough > LEAST_ITERATIONS ? enough : LEAST_ITERATIONS);
    dRandSetSeed(SEED);
    dWorldQuickStep(engine->world, dt);
    dJointGroupEmpty(engine->contacts);
}

static void substep(step_task *task, rl_jobs *jobs)
{
    rl_engine *engine = task->engine;
    const int tasks = (engine->count + TASK_PARTS - 1) / TASK_PARTS;
    rl_jobs_run(jobs, tasks, begin_parts, task);
    engine->contact_count = 0;
    enter_ode();
    touch_surroundings(engine, task->bodies);
    touch_each_other(engine, task->bodies);
    if (engine->contact_count > 0)
        step_touching(engine, task->bodies->gravity, task->dt);
    leave_ode();
    rl_jobs_run(jobs, tasks, end_parts, task);
}

static void step(rl_engine *engine, rl_bodies *bodies, rl_jobs *jobs, const rl_body_ground *ground,
                 double dt)
{
    if (!(dt > 0.0) || engine->count == 0)
        return;
    const double longest = fmax((double)bodies->def.engine_step, SHORTEST_STEP);
    const int steps = (int)fmax(ceil(dt / longest - 1e-6), 1.0);
    step_task task = {engine, bodies, ground, dt / steps};
    for (int n = 0; n < steps; n++)
        substep(&task, jobs);
}

static const rl_engine_ops ode = {create, destroy, rebuild, step};
const rl_engine_ops *const rl_engine_of_build = &ode;

#else // Without an engine rigid bodies are refused; host bodies and soft ones are there all the
      // same.

#include "bodies/rigid/engine.h"

const rl_engine_ops *const rl_engine_of_build = NULL;

#endif
