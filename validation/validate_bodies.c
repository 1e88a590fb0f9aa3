// SPDX-License-Identifier: MIT
// validate_bodies.c - bodies in water against Archimedes and Newton (docs/validation.md).
//
// A body of relative density s floats with the part s of its volume under water: a box of height H
// draws s H, a sphere of radius R draws d with d^3 - 3 R d^2 + 4 R^3 s = 0. One that is heavier
// falls under quadratic drag at sqrt(2 (s - 1) V g / (C_D A)). Whatever is lowered into a basin of
// area S raises its level by what is under water, over S. And what a body loses of its momentum the
// water, with its spray, must have got.
#include "validation/measure.h"

#include "rill/bodies.h"
#include "rill/particles.h"

#include <math.h>
#include <stdlib.h>

#define FRAME   (1.0 / 60.0) // seconds
#define GRAVITY 9.81

// What sets the cases apart.
typedef struct setup {
    rill_solver solver;
    rill_coupling coupling;
    rill_body_shape shape;
    double density; // relative
} setup;

// A closed basin of `size` metres with `n` cells a side, at rest, with capacity for a body. `calm`:
// one that comes to rest again.
static rill_status make_basin(const setup *s, int n, double size, double depth, bool calm,
                              int particles, rill_world **out)
{
    rill_world_def def = rill_default_world_def();
    def.nx = def.ny = n;
    def.cell_size = (float)(size / n);
    def.solver = s->solver;
    def.level = (float)depth;
    def.use_level = 1;
    // What the waves of a body's fall have left of themselves would go on for ever otherwise.
    def.swe.viscosity = calm ? 1.0f : 0.0f;
    def.pipes.friction = calm ? 0.3f : 0.0f;
    def.bodies.max_bodies = 1;
    def.bodies.max_vertices = def.bodies.max_triangles = 1000;
    def.particles.max_particles = particles;
    def.particles.radius = 0.05f;
    def.particles.spray_drag = 0.0f; // the air would take momentum
    def.particles.splash_drag = 0.0f;
    return rill_world_create(&def, out);
}

// Mean level of the cells that no body covers, metres.
static double mean_level(rill_world *world)
{
    const rill_columns c = rill_world_columns(world);
    const rill_blocked blocked = rill_world_blocked(world);
    const rill_field_view bed = rill_world_bed(world);
    double sum = 0.0;
    int count = 0;
    for (int j = 0; j < c.ny; j++)
        for (int i = 0; i < c.nx; i++) {
            const size_t at = (size_t)j * c.pitch + (size_t)i;
            const size_t b = (size_t)j * blocked.lower.pitch + (size_t)i;
            const size_t g = (size_t)j * bed.pitch + (size_t)i;
            if (blocked.lower.data != NULL &&
                (c.base[at] != bed.data[g] || blocked.lower.data[b] < 1e29f))
                continue;
            sum += (double)c.base[at] + (double)c.depth[at];
            count++;
        }
    return sum / count;
}

// ---- Draught ---------------------------------------------------------------------------

static double exact_draught(const setup *s, const rill_body_def *def)
{
    if (s->shape == RILL_BODY_BOX)
        return s->density * def->size[2];
    double low = 0.0, high = 2.0 * def->radius;
    for (int n = 0; n < 60; n++) {
        const double d = 0.5 * (low + high), r = def->radius;
        // What is under water grows with the draught.
        const bool too_deep = d * d * (3.0 * r - d) > 4.0 * r * r * r * s->density;
        low = too_deep ? low : d;
        high = too_deep ? d : high;
    }
    return 0.5 * (low + high);
}

static double lowest(const rill_world *world, rill_body_id id)
{
    const rill_body_mesh mesh = rill_world_body_mesh(world, id);
    double low = INFINITY;
    for (int v = 0; v < mesh.vertex_count; v++)
        low = fmin(low, (double)mesh.positions[3 * v + 2]);
    return low;
}

static rill_status run_draught(const validation_case *self, int n, validation_result *out)
{
    const setup *s = self->setup;
    rill_world *world = NULL;
    rill_status status = make_basin(s, n, 20.0, 6.0, true, 0, &world);
    rill_body_def def = rill_default_body_def();
    def.shape = s->shape;
    def.coupling = s->coupling;
    def.size[0] = def.size[1] = 4.0;
    def.size[2] = 2.0;
    def.radius = 1.5;
    def.density = 1000.0 * s->density;
    def.position[0] = def.position[1] = 10.0;
    def.position[2] = 6.5;
    rill_body_id id = {0};
    if (status == RILL_OK)
        status = rill_world_add_body(world, &def, &id);
    double sum = 0.0;
    const int settle = 60 * 60, record = 10 * 60;
    validation_curve *curve =
        validation_add_curve(&out->plot, VALIDATION_COMPUTED, "draught", (settle + record) / 30);
    for (int k = 0; k < settle + record && status == RILL_OK; k++) {
        status = rill_world_step(world, FRAME);
        const double draught = mean_level(world) - lowest(world, id);
        sum += k >= settle ? draught / record : 0.0;
        if (curve != NULL && k % 30 == 0) {
            curve->x[k / 30] = k * FRAME;
            curve->y[k / 30] = draught;
        }
    }
    if (status == RILL_OK) {
        const double exact = exact_draught(s, &def);
        out->plot.x_name = "time (s)";
        out->plot.y_name = "draught (m)";
        out->mass_error = rill_world_ledger(world).error;
        out->error_l1 = out->error_linf = fabs(sum / exact - 1.0);
        out->figures[0] = (validation_figure){out->error_l1, 0.02};
    }
    rill_world_destroy(&world);
    return status;
}

// ---- Terminal velocity -----------------------------------------------------------------

// Steel in deep water; 3 s are seven times what it takes to reach the speed.
static rill_status run_fall(const validation_case *self, int n, validation_result *out)
{
    const setup *s = self->setup;
    rill_world *world = NULL;
    rill_status status = make_basin(s, n, 8.0, 40.0, false, 0, &world);
    rill_body_def def = rill_default_body_def();
    def.shape = s->shape;
    def.coupling = s->coupling;
    def.size[0] = def.size[1] = def.size[2] = 0.1;
    def.radius = 0.05;
    def.density = 1000.0 * s->density;
    def.drag = 1.05;
    def.position[0] = def.position[1] = 4.0;
    def.position[2] = 38.0;
    rill_body_id id = {0};
    rill_body_state state = {0};
    if (status == RILL_OK)
        status = rill_world_add_body(world, &def, &id);
    for (int k = 0; k < 180 && status == RILL_OK; k++)
        status = rill_world_step(world, FRAME);
    if (status == RILL_OK)
        status = rill_world_get_body(world, id, &state);
    if (status == RILL_OK) {
        const bool box = s->shape == RILL_BODY_BOX;
        const double area = box ? 0.01 : 3.141592653589793 * 0.05 * 0.05;
        const double volume = box ? 0.001 : 4.0 / 3.0 * 0.05 * area;
        const double exact = sqrt(2.0 * (s->density - 1.0) * volume * GRAVITY / (def.drag * area));
        out->mass_error = rill_world_ledger(world).error;
        out->error_l1 = out->error_linf = fabs(-state.velocity[2] / exact - 1.0);
        out->figures[0] = (validation_figure){out->error_l1, 0.03};
    }
    rill_world_destroy(&world);
    return status;
}

// ---- Level of a basin ------------------------------------------------------------------

// A box that sinks, or floats: the level rises by what it displaces.
static rill_status run_level(const validation_case *self, int n, validation_result *out)
{
    const setup *s = self->setup;
    const double size = 20.0, depth = 4.0;
    rill_world *world = NULL;
    rill_status status = make_basin(s, n, size, depth, true, 0, &world);
    rill_body_def def = rill_default_body_def();
    def.coupling = s->coupling;
    def.size[0] = def.size[1] = 5.0;
    def.size[2] = 2.0;
    def.density = 1000.0 * s->density;
    def.position[0] = def.position[1] = 10.0;
    def.position[2] = 5.5;
    rill_body_id id = {0};
    rill_body_state state = {0};
    if (status == RILL_OK)
        status = rill_world_add_body(world, &def, &id);
    for (int k = 0; k < 120 * 60 && status == RILL_OK; k++)
        status = rill_world_step(world, FRAME);
    if (status == RILL_OK)
        status = rill_world_get_body(world, id, &state);
    if (status == RILL_OK) {
        const double under = fmin(s->density, 1.0) * 5.0 * 5.0 * 2.0;
        const double rise = mean_level(world) - depth, exact = under / (size * size);
        out->mass_error = rill_world_ledger(world).error;
        out->error_l1 = out->error_linf = fabs(rise / exact - 1.0);
        out->figures[0] = (validation_figure){out->error_l1, 0.01};
    }
    rill_world_destroy(&world);
    return status;
}

// ---- Momentum --------------------------------------------------------------------------

// Along x, kg m/s: of the water, its particles and the body.
static double momentum(rill_world *world, rill_body_id id, double *of_body)
{
    const rill_columns c = rill_world_columns(world);
    double sum = 0.0;
    for (int j = 0; j < c.ny; j++)
        for (int i = 0; i < c.nx; i++) {
            const size_t at = (size_t)j * c.pitch + (size_t)i;
            sum += (double)c.depth[at] * (double)c.velocity_x[at];
        }
    sum *= (double)c.cell_size * (double)c.cell_size;
    const rill_particles p = rill_world_particles(world);
    for (size_t n = 0; n < p.count; n++)
        sum += (double)p.volume[n] * (double)p.velocity_x[n];
    rill_body_state state = {0};
    rill_world_get_body(world, id, &state);
    *of_body = state.mass * state.velocity[0];
    return 1000.0 * sum;
}

// A box that is thrown flat into a lake. Its waves do not reach the shore while we look.
static rill_status run_momentum(const validation_case *self, int n, validation_result *out)
{
    const setup *s = self->setup;
    rill_world *world = NULL;
    rill_status status = make_basin(s, n, 160.0, 5.0, false, 20000, &world);
    rill_body_def def = rill_default_body_def();
    def.coupling = s->coupling;
    def.size[0] = def.size[1] = 3.0;
    def.size[2] = 1.5;
    def.density = 1000.0 * s->density;
    def.position[0] = 70.0;
    def.position[1] = 80.0;
    def.position[2] = 8.0;
    def.velocity[0] = 12.0;
    def.velocity[2] = -3.0;
    rill_body_id id = {0};
    if (status == RILL_OK)
        status = rill_world_add_body(world, &def, &id);
    double before = 0.0, now = 0.0, worst = 0.0;
    if (status == RILL_OK)
        momentum(world, id, &before);
    double water = 0.0;
    for (int k = 0; k < 6 * 60 && status == RILL_OK; k++) {
        status = rill_world_step(world, FRAME);
        water = momentum(world, id, &now);
        worst = fmax(worst, fabs(water + now - before));
    }
    if (status == RILL_OK) {
        out->mass_error = rill_world_ledger(world).error;
        out->error_l1 = fabs(water + now - before) / fabs(now - before);
        out->error_linf = worst / fabs(now - before);
        // On the way the body loses the energy of its splashes one step after they have flown up
        // (Linf).
        out->figures[0] = (validation_figure){out->error_l1, 0.01};
    }
    rill_world_destroy(&world);
    return status;
}

// ---- The table -------------------------------------------------------------------------

enum { water_swe = RILL_SOLVER_SWE, water_pipes = RILL_SOLVER_PIPES };

#define CASE(row, water, how, what, relative, name, words, function, cells)                        \
    {                                                                                              \
        .solver = #water, .title = name, .description = words, .grid_name = "cells a side",        \
        .rows = {{row, "relative error"}}, .row_count = 1, .grids = {cells}, .grid_count = 1,      \
        .setup = &(const setup){(rill_solver)water_##water, RILL_COUPLING_##how, RILL_BODY_##what, \
                                relative},                                                         \
        .run = function                                                                            \
    }

#define DRAUGHT(row, water, how, what, relative)                                               \
    CASE(row, water, how, what, relative, "Draught",                                           \
         "A body is dropped into a basin and comes to rest; its draught against Archimedes'.", \
         run_draught, 40)
#define FALL(row, water, what)                                                             \
    CASE(row, water, PASS, what, 7.8, "Fall",                                              \
         "Steel falls in deep water; its speed after 3 s against that of quadratic drag.", \
         run_fall, 32)
#define LEVEL(row, water, how, relative)                                                         \
    CASE(row, water, how, BOX, relative, "Level",                                                \
         "A box is dropped into a closed basin; the rise of the level against the volume under " \
         "water.",                                                                               \
         run_level, 40)
#define MOMENTUM(row, water)                                                                      \
    CASE(row, water, PASS, BOX, 0.5, "Momentum",                                                  \
         "A box is thrown flat into a lake: what it has lost of its momentum against what water " \
         "and spray have got.",                                                                   \
         run_momentum, 160)

static const validation_case cases[] = {
    DRAUGHT("bodies-draught-box-swe", swe, PASS, BOX, 0.5),
    DRAUGHT("bodies-draught-heavy-swe", swe, PASS, BOX, 0.8),
    DRAUGHT("bodies-draught-sphere-swe", swe, PASS, SPHERE, 0.25),
    DRAUGHT("bodies-draught-box-pipes", pipes, PASS, BOX, 0.5),
    DRAUGHT("bodies-draught-sphere-pipes", pipes, PASS, SPHERE, 0.5),
    DRAUGHT("bodies-draught-box-blocked", pipes, BLOCK, BOX, 0.5),
    DRAUGHT("bodies-draught-sphere-blocked", pipes, BLOCK, SPHERE, 0.5),
    FALL("bodies-fall-box-swe", swe, BOX),
    FALL("bodies-fall-sphere-swe", swe, SPHERE),
    FALL("bodies-fall-box-pipes", pipes, BOX),
    LEVEL("bodies-level-sunk-swe", swe, PASS, 2.0),
    LEVEL("bodies-level-afloat-swe", swe, PASS, 0.5),
    LEVEL("bodies-level-sunk-pipes", pipes, PASS, 2.0),
    LEVEL("bodies-level-sunk-blocked", pipes, BLOCK, 2.0),
    LEVEL("bodies-level-afloat-blocked", pipes, BLOCK, 0.5),
    MOMENTUM("bodies-momentum-swe", swe),
    MOMENTUM("bodies-momentum-pipes", pipes),
};

validation_topic validation_body_cases(void)
{
    return (validation_topic){cases, (int)(sizeof cases / sizeof cases[0])};
}
