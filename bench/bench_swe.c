// SPDX-License-Identifier: MIT
// bench_swe.c - times the `swe` solver, its particles and its waves.
#include "bench/bench_swe.h"

#include "rill/scene.h"
#include "rill/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REPEATS 15
#define FRAMES  20 // a repeat

#define PAPER "Chentanez and Müller Table 2, GTX 480"

// A step reads bed, depth, remainder and both velocities and writes all but the bed.
#define BYTES_PER_CELL 36

// The boat ride of Chentanez and Müller: 900 x 135 cells, 20 ms a step.
#define BOAT_NX    900
#define BOAT_NY    135
#define BOAT_CELL  0.5f
#define BOAT_FRAME 0.02

// The paper's own cases are the built-in scenes with its parameters and its numbers of particles;
// the scenes as Rill tunes them stand beside.
const bench_swe_case bench_swe_cases[] = {
    {"swe-boat", NULL, 0, 2.19, 0.0, 0.0, 0.0, 0},
    {"swe-boat-conservative", NULL, 1, 2.19, 0.0, 0.0, 0.0, 0},
    {"swe-paper-waterfall", "paper-waterfall", 0, 0.75, 0.82, 0.44, 0.0, 56000},
    {"swe-paper-pml", "paper-pml", 0, 0.78, 0.13, 0.19, 0.0, 2000},
    {"swe-paper-beach", "paper-beach", 0, 0.75, 1.87, 0.90, 0.0, 220000},
    {"swe-pml", "pml", 0, 0.78, 0.13, 0.19, 0.0, 0},
    {"swe-waterfall", "waterfall", 0, 0.75, 0.82, 0.44, 0.0, 0},
    {"swe-beach", "beach", 0, 0.75, 1.87, 0.90, 0.0, 0},
    {"swe-ocean", "ocean", 0, 1.28, 1.16, 0.56, 0.0, 0},
    {"swe-valley", "valley", 0, 0.0, 0.0, 0.0, 0.0, 0},
    {"swe-vortices", "vortices", 0, 0.0, 0.0, 0.0, 0.0, 0},
    {"bodies-paper-boat", "paper-boat", 0, 2.19, 1.36, 1.15, 2.32, 250000},
    {"bodies-paper-ocean", "paper-ocean", 0, 1.28, 1.16, 0.56, 3.13, 83000},
    {"bodies-boat", "boat", 0, 2.19, 1.36, 1.15, 2.32, 0},
    {"bodies-raft", "raft", 0, 1.28, 1.16, 0.56, 3.13, 0}, // beside the paper's ocean
};
const int bench_swe_case_count = (int)(sizeof bench_swe_cases / sizeof bench_swe_cases[0]);

// ---- Worlds ----------------------------------------------------------------------------

rill_status bench_swe_make_river(const bench_river_grid *grid, rill_world **out)
{
    const size_t nx = (size_t)grid->nx, ny = (size_t)grid->ny;
    float *bed = malloc(2 * nx * ny * sizeof *bed), *depth = bed + nx * ny;
    if (bed == NULL)
        return RILL_NO_MEMORY;
    for (size_t j = 0; j < ny; j++)
        for (size_t i = 0; i < nx; i++) {
            if (i >= BOAT_NX || j >= BOAT_NY) {
                const size_t same = j % BOAT_NY * nx + i % BOAT_NX;
                bed[j * nx + i] = bed[same];
                depth[j * nx + i] = depth[same];
                continue;
            }
            const double x = (double)i, y = (double)j, middle = y - 0.5 * BOAT_NY;
            const double ground = 0.0004 * middle * middle + 0.3 * sin(0.1 * x) * cos(0.13 * y) +
                                  1.2 * fmax(sin(0.07 * x + 0.3) * sin(0.21 * y) - 0.7, 0.0);
            const double level = 1.2 + 0.1 * sin(0.2 * x) * sin(0.17 * y) - 0.0005 * x;
            bed[j * nx + i] = (float)(ground - 0.0005 * x);
            depth[j * nx + i] = (float)fmax(level - (double)bed[j * nx + i], 0.0);
        }
    rill_world_def def = rill_default_world_def();
    def.nx = grid->nx;
    def.ny = grid->ny;
    def.cell_size = BOAT_CELL;
    def.solver = RILL_SOLVER_SWE;
    def.swe.advection =
        grid->conservative ? RILL_ADVECTION_CONSERVATIVE : RILL_ADVECTION_MACCORMACK;
    def.swe.manning = grid->manning;
    def.max_substeps = grid->max_substeps;
    def.max_step = grid->max_step;
    def.bed = (rill_field_view){bed, grid->nx, grid->ny, nx};
    def.depth = (rill_field_view){depth, grid->nx, grid->ny, nx};
    def.border[RILL_SIDE_WEST] = RILL_BORDER_LEVEL;
    def.border_level[RILL_SIDE_WEST] = 1.3f;
    def.border[RILL_SIDE_EAST] = RILL_BORDER_DRAIN;
    def.backend = grid->backend;
    def.worker_count = grid->threads;
    const rill_status status = rill_world_create(&def, out);
    free(bed);
    return status;
}

static rill_status make_boat(const bench_swe_case *c, int threads, rill_world **out)
{
    const bench_river_grid grid = {.nx = BOAT_NX,
                                   .ny = BOAT_NY,
                                   .conservative = c->conservative,
                                   .backend = RILL_BACKEND_CPU,
                                   .max_substeps = 1,
                                   .threads = threads};
    return bench_swe_make_river(&grid, out);
}

static rill_status run(rill_world *world, double seconds, double frame)
{
    const double end = rill_world_time(world) + seconds - 0.5 * frame;
    rill_status status = RILL_OK;
    while (rill_world_time(world) < end && status == RILL_OK)
        status = rill_world_step(world, frame);
    return status;
}

// The boat after two seconds, a scene in the middle of its length.
static rill_status make_world(const bench_swe_case *c, int threads, bench_swe *b, rill_world **out)
{
    *out = NULL;
    b->frame = BOAT_FRAME;
    if (c->scene == NULL) {
        const rill_status status = make_boat(c, threads, out);
        return status == RILL_OK ? run(*out, 2.0, b->frame) : status;
    }
    rill_scene *scene = NULL;
    rill_status status = rill_scene_open(c->scene, NULL, 0, NULL, &scene);
    if (status == RILL_OK)
        status = rill_scene_create_world(scene, threads, out);
    if (status == RILL_OK) {
        const rill_scene_info info = rill_scene_describe(scene);
        b->frame = info.frame;
        status = run(*out, 0.5 * info.duration, info.frame);
    }
    rill_scene_destroy(&scene);
    return status;
}

// ---- Measuring -------------------------------------------------------------------------

// The same frames again and again, from the same state.
static rill_status measure(rill_world *world, bench_swe *b)
{
    rill_snapshot *snapshot = NULL;
    rill_status status = rill_snapshot_create(world, &snapshot);
    if (status == RILL_OK)
        status = rill_world_save(world, snapshot);
    b->ms_water = b->ms_frame = b->ms_births = b->ms_flying = 1e30;
    b->ms_bodies = b->ms_all = 1e30;
    for (int repeat = 0; repeat < REPEATS && status == RILL_OK; repeat++) {
        status = rill_world_restore(world, snapshot);
        double water = 0.0, advected = 0.0, births = 0.0, flying = 0.0, bodies = 0.0, all = 0.0;
        long steps = 0;
        for (int f = 0; f < FRAMES && status == RILL_OK; f++) {
            status = rill_world_step(world, b->frame);
            const rill_step_info info = rill_world_last_step(world);
            water += info.milliseconds[RILL_PHASE_SOLVER];
            advected += info.milliseconds[RILL_PHASE_WAVES];
            births += info.births;
            flying += info.milliseconds[RILL_PHASE_PARTICLES] - info.births;
            bodies += info.milliseconds[RILL_PHASE_BODIES];
            for (int phase = 0; phase < RILL_PHASE_COUNT; phase++)
                all += info.milliseconds[phase];
            steps += info.substeps;
        }
        b->ms_births = fmin(b->ms_births, births / FRAMES);
        b->ms_flying = fmin(b->ms_flying, flying / FRAMES);
        b->ms_bodies = fmin(b->ms_bodies, bodies / FRAMES);
        b->ms_all = fmin(b->ms_all, all / FRAMES);
        b->ms_frame = fmin(b->ms_frame, (water + advected) / FRAMES);
        if (water / (double)steps < b->ms_water) {
            b->ms_water = water / (double)steps;
            b->steps = steps;
        }
    }
    b->particles = rill_world_particles(world).count;
    b->bodies = rill_world_body_count(world);
    rill_snapshot_destroy(&snapshot);
    return status;
}

rill_status bench_swe_measure(const bench_swe_case *c, int threads, bench_swe *out)
{
    rill_world *world = NULL;
    *out = (bench_swe){.c = c, .threads = threads};
    rill_status status = make_world(c, threads, out, &world);
    if (status == RILL_OK) {
        const rill_field_view depth = rill_world_depth(world);
        out->nx = depth.nx;
        out->ny = depth.ny;
        status = measure(world, out);
    }
    rill_world_destroy(&world);
    return status;
}

// ---- Printing --------------------------------------------------------------------------

typedef struct row {
    const char *suffix;
    double ms_per_step, ms_per_frame, paper_ms;
    double million_per_s; // cells, or particles
    int bytes;
} row;

// What the paper's columns give together, without drawing; 0 when it has none.
static double all_of(const bench_swe_case *c)
{
    return c->height_ms + c->births_ms + c->particles_ms + c->coupling_ms;
}

static row row_of(const bench_swe *b, int which)
{
    if (which == 0)
        return (row){"",
                     b->ms_water,
                     b->ms_frame,
                     b->c->height_ms,
                     (double)b->nx * b->ny / b->ms_water / 1e3,
                     BYTES_PER_CELL};
    // Births have no rate: most of their time goes into few cells.
    if (which == 1)
        return (row){"-births", b->ms_births, b->ms_births, b->c->births_ms, 0.0, 0};
    if (which == 3)
        return (row){"-coupling", b->ms_bodies, b->ms_bodies, b->c->coupling_ms, 0.0, 0};
    if (which == 4)
        return (row){"-all", b->ms_all, b->ms_all, all_of(b->c), 0.0, 0};
    // Place, velocity, age and kind, read and written.
    return (row){"-particles",
                 b->ms_flying,
                 b->ms_flying,
                 b->c->particles_ms,
                 (double)b->particles / b->ms_flying / 1e3,
                 64};
}

static int row_count(const bench_swe *b)
{
    return b->bodies > 0 ? 5 : b->particles > 0 ? 3 : 1;
}

// The roofline is in cells of 28 bytes.
static double fraction(const row *r, double roofline)
{
    return roofline > 0.0 ? r->million_per_s * r->bytes / 28.0 / roofline : 0.0;
}

void bench_swe_print(FILE *out, const bench_swe *b, double roofline)
{
    for (int which = 0; which < row_count(b); which++) {
        const row r = row_of(b, which);
        char name[64], grid[32], paper[64] = "";
        snprintf(name, sizeof name, "%s%s", b->c->name, r.suffix);
        if (which == 2)
            snprintf(grid, sizeof grid, "%zu", b->particles);
        else if (which == 3)
            snprintf(grid, sizeof grid, "%d", b->bodies);
        else
            snprintf(grid, sizeof grid, "%dx%d", b->nx, b->ny);
        if (r.paper_ms > 0.0)
            snprintf(paper, sizeof paper, "%8.2f ms %6.1fx", r.paper_ms,
                     r.paper_ms / r.ms_per_frame);
        if (which == 2 && b->c->particles > 0)
            snprintf(paper + strlen(paper), sizeof paper - strlen(paper), " of %d",
                     b->c->particles);
        fprintf(out, "%-30s %11s %3d %10.4f %10.3f %9.0f %8.0f%% %s\n", name, grid, b->threads,
                r.ms_per_step, r.ms_per_frame, r.million_per_s, 100.0 * fraction(&r, roofline),
                paper);
    }
}

void bench_swe_print_json(FILE *out, const bench_swe *b, double roofline)
{
    for (int which = 0; which < row_count(b); which++) {
        const row r = row_of(b, which);
        fprintf(out,
                "%s{\"name\": \"%s%s\", \"solver\": \"swe\", \"backend\": \"cpu\", \"grid\": "
                "\"%dx%d\", \"layers\": 1, \"threads\": %d, \"steps\": %ld, \"ms_per_step\": "
                "%.6g, \"ms_per_frame\": %.6g, \"mcell_per_s\": %.6g, \"bytes_per_cell\": %d, "
                "\"roofline_fraction\": %.4g, \"particles\": %zu, \"paper_particles\": %d, ",
                which > 0 ? ",\n  " : "", b->c->name, r.suffix, b->nx, b->ny, b->threads, b->steps,
                r.ms_per_step, r.ms_per_frame, r.million_per_s, r.bytes, fraction(&r, roofline),
                b->particles, b->c->particles);
        if (r.paper_ms > 0.0)
            fprintf(out, "\"paper\": \"%s\", \"paper_ms\": %g}", PAPER, r.paper_ms);
        else
            fprintf(out, "\"paper\": null, \"paper_ms\": null}");
    }
}
