// SPDX-License-Identifier: MIT
// bench_bodies.c - times the bodies' part of a step.
#include "bench/bench_bodies.h"

#include "bench/machine.h"

#include "rill/world.h"

#include <math.h>
#include <stdlib.h>

#define FRAME   (1.0 / 60.0) // seconds
#define REPEATS 25
#define FRAMES  20  // a repeat
#define SIZE    6.0 // cells: crates and vehicles, not islands
#define BYTES   36  // a cell and step: as the plain pipes water

const bench_bodies_case bench_bodies_cases[] = {
    {"bodies-blocking-resting-1024", 1024, 50, BENCH_BODIES_RESTING},
    {"bodies-blocking-moving-1024", 1024, 50, BENCH_BODIES_HANGING},
    {"bodies-blocking-rigid-1024", 1024, 50, BENCH_BODIES_RIGID},
};
const int bench_bodies_case_count = (int)(sizeof bench_bodies_cases / sizeof bench_bodies_cases[0]);

// ---- Worlds ----------------------------------------------------------------------------

// A lake 6 m deep with waves on it; with or without bodies.
static rill_status make_world(const bench_bodies_case *c, int threads, int bodies, rill_world **out)
{
    *out = NULL;
    const size_t n = (size_t)c->n;
    float *depth = malloc(n * n * sizeof *depth);
    if (depth == NULL)
        return RILL_NO_MEMORY;
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++)
            depth[j * n + i] = (float)(6.0 + 0.1 * sin(0.2 * (double)i) * sin(0.17 * (double)j));
    rill_world_def def = rill_default_world_def();
    def.nx = def.ny = c->n;
    def.depth = (rill_field_view){depth, c->n, c->n, n};
    def.pipes.viscosity = 1e-3f;
    def.worker_count = threads;
    def.bodies.max_bodies = bodies;
    const rill_status status = rill_world_create(&def, out);
    free(depth);
    return status;
}

// Where body `k` is at a time: all go round in circles of their own.
static void place(const bench_bodies_case *c, int k, double time, double position[3])
{
    const double side = (double)c->n / 8.0;
    const double turn = c->kind == BENCH_BODIES_HANGING ? 0.3 * time + k : k;
    position[0] = side * (k % 7 + 1) + 6.0 * cos(turn);
    position[1] = side * (k / 7 % 7 + 1) + 6.0 * sin(turn);
    position[2] = c->kind == BENCH_BODIES_RESTING ? 4.0 : 6.0;
}

static rill_status add_bodies(const bench_bodies_case *c, rill_world *world)
{
    rill_status status = RILL_OK;
    for (int k = 0; k < c->bodies && status == RILL_OK; k++) {
        rill_body_def def = rill_default_body_def();
        def.motion = c->kind == BENCH_BODIES_RIGID ? RILL_BODY_RIGID : RILL_BODY_HOST;
        def.coupling = RILL_COUPLING_BLOCK;
        def.size[0] = def.size[1] = SIZE;
        def.size[2] = c->kind == BENCH_BODIES_RESTING ? 8.0 : 4.0;
        const double half = 0.1 * k; // turned, so that no side lies along the grid
        def.rotation[2] = sin(half);
        def.rotation[3] = cos(half);
        place(c, k, 0.0, def.position);
        status = rill_world_add_body(world, &def, NULL);
    }
    return status;
}

// The host's part of a frame is not measured: it is the host's.
static rill_status move_bodies(const bench_bodies_case *c, rill_world *world)
{
    rill_status status = RILL_OK;
    for (int k = 0; c->kind == BENCH_BODIES_HANGING && k < c->bodies && status == RILL_OK; k++) {
        double position[3];
        const double half = 0.1 * k, rotation[4] = {0.0, 0.0, sin(half), cos(half)};
        place(c, k, rill_world_time(world), position);
        status = rill_world_set_body_pose(world, rill_world_body_at(world, k), position, rotation,
                                          NULL, NULL);
    }
    return status;
}

// ---- Measuring -------------------------------------------------------------------------

// Seconds of FRAMES frames; counts steps.
static rill_status run(const bench_bodies_case *c, rill_world *world, bool bodies, double *seconds,
                       long *steps)
{
    rill_status status = RILL_OK;
    *seconds = 0.0;
    *steps = 0;
    for (int f = 0; f < FRAMES && status == RILL_OK; f++) {
        if (bodies)
            status = move_bodies(c, world);
        const double start = bench_now();
        if (status == RILL_OK)
            status = rill_world_step(world, FRAME);
        *seconds += bench_now() - start;
        *steps += rill_world_last_step(world).substeps;
    }
    return status;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Both worlds in turn, so that a busy moment of the machine meets both.
rill_status bench_bodies_measure(const bench_bodies_case *c, int threads, bench_bodies *out)
{
    rill_world *plain = NULL, *world = NULL;
    *out = (bench_bodies){.c = c, .threads = threads, .ms_plain = 1e30, .ms_step = 1e30};
    rill_status status = make_world(c, threads, 0, &plain);
    if (status == RILL_OK)
        status = make_world(c, threads, c->bodies, &world);
    if (status == RILL_OK)
        status = add_bodies(c, world);
    double times[REPEATS];
    int count = 0;
    for (int repeat = 0; repeat < REPEATS && status == RILL_OK; repeat++) {
        double seconds;
        status = run(c, plain, false, &seconds, &out->steps);
        const double ms_plain = 1e3 * seconds / (double)out->steps;
        out->ms_plain = fmin(out->ms_plain, ms_plain);
        if (status == RILL_OK)
            status = run(c, world, true, &seconds, &out->steps);
        if (repeat < REPEATS / 5) // they have found their place by then
            continue;
        const double ms_step = 1e3 * seconds / (double)out->steps;
        out->ms_step = fmin(out->ms_step, ms_step);
        times[count++] = ms_step / ms_plain;
    }
    qsort(times, (size_t)count, sizeof times[0], compare);
    out->times = count > 0 ? times[count / 2] : 0.0;
    rill_world_destroy(&plain);
    rill_world_destroy(&world);
    return status;
}

// ---- Printing --------------------------------------------------------------------------

static double million_per_s(const bench_bodies *b)
{
    return (double)b->c->n * b->c->n / b->ms_step / 1e3;
}

// The roofline is in cells of 28 bytes.
static double fraction(const bench_bodies *b, double roofline)
{
    return roofline > 0.0 ? million_per_s(b) * BYTES / 28.0 / roofline : 0.0;
}

void bench_bodies_print(FILE *out, const bench_bodies *b, double roofline)
{
    fprintf(out, "%-30s %5dx%-5d %3d %10.3f %10.3f %9.0f %8.0f%%  %.2f times the %.3f ms without\n",
            b->c->name, b->c->n, b->c->n, b->threads, b->ms_step, b->ms_step, million_per_s(b),
            100.0 * fraction(b, roofline), b->times, b->ms_plain);
}

void bench_bodies_print_json(FILE *out, const bench_bodies *b, double roofline)
{
    fprintf(out,
            "{\"name\": \"%s\", \"solver\": \"pipes\", \"backend\": \"cpu\", \"grid\": \"%dx%d\", "
            "\"layers\": 1, \"threads\": %d, \"steps\": %ld, \"ms_per_step\": %.6g, "
            "\"ms_per_frame\": %.6g, \"mcell_per_s\": %.6g, \"bytes_per_cell\": %d, "
            "\"roofline_fraction\": %.4g, \"bodies\": %d, \"plain_ms\": %.6g, "
            "\"times_plain\": %.4g, \"paper\": \"Kellomäki, "
            "Quadro 1000M, with bodies\", \"paper_ms\": 18}",
            b->c->name, b->c->n, b->c->n, b->threads, b->steps, b->ms_step, b->ms_step,
            million_per_s(b), BYTES, fraction(b, roofline), b->c->bodies, b->ms_plain, b->times);
}
