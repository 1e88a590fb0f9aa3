// SPDX-License-Identifier: MIT
// body_worlds.h - for tests of bodies in water: a pipes or swe water and bodies in it, stepped
// without a world around them, and looks into both.
#pragma once

#include "bodies/sampling/samples.h"
#include "tests/kit/counting_host.h"
#include "tests/kit/solver_runs.h"
#include "tests/kit/worlds.h"

#include "rill/rill.h"

#include <math.h>
#include <stdio.h>

#define BODY_MAX_SIDE 128
#define BODY_GRAVITY  9.81
#define BODY_DENSITY  1000.0

// Ground and depths to be filled by a test before it makes the water.
typedef struct body_case {
    rill_world_def def;
    float bed[BODY_MAX_SIDE * BODY_MAX_SIDE], depth[BODY_MAX_SIDE * BODY_MAX_SIDE];
    const rl_solver_ops *ops;
    void *solver;
    rl_jobs *jobs;
    rl_bodies *bodies;
    double time, corrected;
    uint64_t step;
} body_case;

// The case of the test at hand. It ends where the next one begins, or with its test where that is
// in TEST_EACH(NULL, end_case).
static body_case c;

static inline int end_case(KIT_UNUSED void **state)
{
    if (c.ops != NULL) {
        rl_bodies_destroy(&c.bodies);
        c.ops->destroy(&c.def.host.allocator, &c.solver);
        rl_jobs_destroy(&c.jobs);
    }
    memset(&c, 0, sizeof c);
    return 0;
}

// A basin with flat ground at 0 and that much water.
static inline void begin_bodies(rill_solver solver, int nx, int ny, double dx, double depth)
{
    end_case(NULL);
    c.def = grid_def(nx, ny, dx);
    c.def.solver = solver;
    c.def.wet_depth = (float)(1e-4 * dx);
    c.def.bodies.max_bodies = 8;
    c.def.bodies.max_vertices = 8000;
    c.def.bodies.max_triangles = 16000;
    c.def.bodies.splash_amount = 0.1f; // tests of splashes count on it
    assert_true(nx * ny <= BODY_MAX_SIDE * BODY_MAX_SIDE);
    for (int n = 0; n < nx * ny; n++)
        c.depth[n] = (float)depth;
    set_ground(&c.def, c.bed, c.depth);
}

// Makes water and bodies, which are added afterwards.
static inline void make_bodies(void)
{
    c.ops = rl_solver_of(c.def.solver);
    c.solver = make_solver(c.ops, &c.def, best_isa());
    assert_ok(rl_bodies_create(&c.def, c.ops->blocking != NULL, &c.bodies));
    if (c.def.worker_count > 1)
        assert_ok(rl_jobs_create(&c.def.host, c.def.worker_count, &c.jobs));
}

static inline rl_body *add_body(rill_body_def def)
{
    rill_body_id id;
    if (rl_bodies_add(c.bodies, &def, &id) != RILL_OK)
        fail_msg("%s", rill_last_error());
    return &c.bodies->items[rl_bodies_find(c.bodies, id)];
}

static inline rill_body_def box_def(double x, double y, double z, double size)
{
    rill_body_def def = rill_default_body_def();
    def.motion = RILL_BODY_HOST;
    set3(def.position, x, y, z);
    for (int k = 0; k < 3; k++)
        def.size[k] = size;
    return def;
}

static inline void place_body(rl_body *body)
{
    rl_body_pose(c.bodies, (int)(body - c.bodies->items));
}

static inline rl_body_water water_of(double dt)
{
    return (rl_body_water){.ops = c.ops,
                           .solver = c.solver,
                           .jobs = c.jobs,
                           .columns = c.ops->columns(c.solver, c.jobs, NULL),
                           .time = c.time,
                           .dt = dt,
                           .step = c.step};
}

static inline void feel(double dt)
{
    const rl_body_water water = water_of(dt);
    rl_bodies_feel(c.bodies, &water);
}

static inline double disturb_water(double dt)
{
    const rl_body_water water = water_of(dt);
    const double made = rl_bodies_disturb(c.bodies, &water);
    c.corrected += made;
    return made;
}

// The water by itself, for `dt` seconds in stable steps.
static inline void run_water(double dt)
{
    run_solver_for(c.ops, c.solver, c.jobs, dt, NULL);
    c.time += dt;
    c.step++;
}

static inline double water_volume(void)
{
    return c.ops->volume(c.solver, c.jobs);
}

static inline const rill_state_array *state_array(rill_state_array *arrays, const char *name)
{
    const int count = c.ops->state(c.solver, arrays);
    for (int n = 0; n < count; n++)
        if (strcmp(arrays[n].name, name) == 0)
            return &arrays[n];
    fail_msg("no array %s", name);
    return NULL;
}

// Gives all water of swe one velocity along x, m/s.
static inline void stream_along_x(float speed)
{
    rill_state_array arrays[RL_MAX_STATE_ARRAYS];
    const rill_state_array *u = state_array(arrays, "u");
    for (size_t j = 0; j < u->rows; j++)
        for (size_t i = 0; i < u->width; i++)
            u->data[j * u->pitch + i] = speed;
    c.ops->state_changed(c.solver);
}

// Momentum of all water along an axis, m^4/s: of discharges (pipes), or of speeds times the mean
// depth of the two cells beside a face (swe). The arrays of swe begin with the border faces.
static inline double water_momentum(int axis)
{
    rill_state_array arrays[RL_MAX_STATE_ARRAYS], more[RL_MAX_STATE_ARRAYS];
    const bool swe = c.def.solver == RILL_SOLVER_SWE;
    const char *const names[2][2] = {{"qx", "qy"}, {"u", "v"}};
    const rill_state_array *face = state_array(arrays, names[swe][axis]);
    const rill_state_array *depth = state_array(more, "depth");
    double sum = 0.0;
    for (size_t j = 0; j < face->rows; j++)
        for (size_t i = 0; i < face->width; i++) {
            const double value = (double)face->data[j * face->pitch + i];
            double weight = 1.0;
            if (swe && value != 0.0) {
                const size_t x = axis == 0 ? i - 1 : i, y = axis == 0 ? j : j - 1;
                const float *d = depth->data + y * depth->pitch + x;
                weight = 0.5 * ((double)d[0] + (double)d[axis == 0 ? 1 : depth->pitch]);
            }
            sum += weight * value;
        }
    return sum * (double)c.def.cell_size * (double)c.def.cell_size;
}

// Of the water, and of what bodies felt and gave.
static inline uint64_t hash_case(void)
{
    uint64_t hash = hash_solver(c.ops, c.solver);
    hash = hash_bytes(hash, c.bodies->force, 3 * (size_t)c.bodies->vertex_count * sizeof(float));
    for (int n = 0; n < c.bodies->def.max_bodies; n++) {
        const rl_body *body = &c.bodies->items[n];
        hash = hash_bytes(hash, body->force, sizeof body->force);
        hash = hash_bytes(hash, body->torque, sizeof body->torque);
        hash = hash_bytes(hash, &body->displaced, sizeof body->displaced);
        hash = hash_bytes(hash, body->given, sizeof body->given);
    }
    return hash;
}
