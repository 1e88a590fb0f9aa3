// SPDX-License-Identifier: MIT
// bench_layers.c - times the `layers` solver.
#include "bench/bench_layers.h"

#include "bench/machine.h"

#include "rill/scene.h"
#include "rill/surface.h"
#include "rill/world.h"

#include <math.h>

#define FRAME   (1.0 / 60.0) // seconds
#define REPEATS 15
#define FRAMES  5  // a repeat
#define BUILDS  40 // a repeat

#define PAPER "Dagenais Table 1, GTX 970"

// A step reads base, depth, remainder, ceiling, flooded and both discharges, writes the raw
// discharges and reads them again, writes depth, remainder and both discharges.
#define BYTES_PER_COLUMN 60

const bench_layers_case bench_layers_cases[] = {
    {"layers-surgery", "surgery", 4.86, 1.10},
    {"layers-viscosity-0", "viscosity-0", 0.61, 0.43},
    {"layers-viscosity-4e-6", "viscosity-4e-6", 0.62, 0.46},
    {"layers-viscosity-4e-5", "viscosity-4e-5", 0.60, 0.44},
    {"layers-viscosity-4e-1", "viscosity-4e-1", 0.60, 0.41},
    {"layers-three-layers", "three-layers", 0.32, 0.37},
    {"layers-passages", "passages", 0.26, 0.34},
    {"layers-culvert", "culvert", 0.0, 0.0},
};
const int bench_layers_case_count = (int)(sizeof bench_layers_cases / sizeof bench_layers_cases[0]);

// ---- Measuring -------------------------------------------------------------------------

static void count_columns(rill_world *world, bench_layers *b)
{
    const rill_columns c = rill_world_columns(world);
    b->nx = c.nx;
    b->ny = c.ny;
    b->layers = 0;
    for (int k = 0; k < c.layers; k++) {
        const long before = b->columns;
        for (int j = 0; j < c.ny; j++)
            for (int i = 0; i < c.nx; i++) {
                const size_t n = (size_t)k * c.layer_stride + (size_t)j * c.pitch + (size_t)i;
                b->columns += c.range_max == NULL || c.range_max[n] >= c.range_min[n];
                b->wet += c.depth[n] > c.wet_depth;
            }
        b->layers += b->columns > before;
    }
}

// The same frames again and again, from the same state.
static rill_status measure_steps(rill_world *world, double frame, bench_layers *b)
{
    rill_snapshot *snapshot = NULL;
    rill_status status = rill_snapshot_create(world, &snapshot);
    if (status == RILL_OK)
        status = rill_world_save(world, snapshot);
    b->ms_per_step = 1e30;
    for (int repeat = 0; repeat < REPEATS && status == RILL_OK; repeat++) {
        status = rill_world_restore(world, snapshot);
        long steps = 0;
        const double start = bench_now();
        for (int f = 0; f < FRAMES && status == RILL_OK; f++) {
            status = rill_world_step(world, frame);
            steps += rill_world_last_step(world).substeps;
        }
        const double seconds = bench_now() - start;
        if (1e3 * seconds / (double)steps >= b->ms_per_step)
            continue;
        b->ms_per_step = 1e3 * seconds / (double)steps;
        b->ms_per_frame = 1e3 * seconds / FRAMES * (FRAME / frame);
        b->steps = steps;
    }
    if (status == RILL_OK)
        status = rill_world_restore(world, snapshot);
    rill_snapshot_destroy(&snapshot);
    return status;
}

static rill_status measure_surface(rill_world *world, bench_layers *b)
{
    rill_surface *surface = NULL;
    const rill_surface_def def = rill_default_surface_def();
    rill_status status = rill_surface_create(world, &def, &surface);
    if (status == RILL_OK)
        status = rill_surface_build(surface, world);
    b->surface_ms = 1e30;
    for (int repeat = 0; repeat < REPEATS && status == RILL_OK; repeat++) {
        const double start = bench_now();
        for (int n = 0; n < BUILDS; n++)
            rill_surface_build(surface, world);
        b->surface_ms = fmin(b->surface_ms, 1e3 * (bench_now() - start) / BUILDS);
    }
    rill_surface_destroy(&surface);
    return status;
}

rill_status bench_layers_measure(const bench_layers_case *c, int threads, bench_layers *out)
{
    rill_scene *scene = NULL;
    rill_world *world = NULL;
    *out = (bench_layers){.c = c, .threads = threads};
    rill_status status = rill_scene_open(c->scene, NULL, 0, NULL, &scene);
    if (status == RILL_OK)
        status = rill_scene_create_world(scene, threads, &world);
    if (status == RILL_OK) {
        const rill_scene_info info = rill_scene_describe(scene);
        const double end = info.duration - FRAMES * info.frame;
        while (rill_world_time(world) < end && status == RILL_OK)
            status = rill_world_step(world, info.frame);
        count_columns(world, out);
        if (status == RILL_OK)
            status = measure_steps(world, info.frame, out);
        if (status == RILL_OK)
            status = measure_surface(world, out);
    }
    rill_world_destroy(&world);
    rill_scene_destroy(&scene);
    return status;
}

// ---- Printing --------------------------------------------------------------------------

typedef struct row {
    const char *suffix;
    double ms_per_step, ms_per_frame, paper_ms;
    long steps;
    int bytes;
} row;

static row row_of(const bench_layers *b, int which)
{
    if (which == 0)
        return (row){"",       b->ms_per_step,  b->ms_per_frame, b->c->simulation_ms,
                     b->steps, BYTES_PER_COLUMN};
    // A build reads base and depth and writes a vertex and two triangles a wet column.
    return (row){"-surface", b->surface_ms, b->surface_ms, b->c->surface_ms, 1, 8 + 40 + 24};
}

static double mcolumn_per_s(const bench_layers *b, const row *r)
{
    return (double)b->columns / r->ms_per_step / 1e3;
}

// The roofline is in cells of 28 bytes.
static double fraction(const bench_layers *b, const row *r, double roofline)
{
    return roofline > 0.0 ? mcolumn_per_s(b, r) * r->bytes / 28.0 / roofline : 0.0;
}

void bench_layers_print(FILE *out, const bench_layers *b, double roofline)
{
    for (int which = 0; which < 2; which++) {
        const row r = row_of(b, which);
        char name[64], grid[32], paper[64] = "";
        snprintf(name, sizeof name, "%s%s", b->c->name, r.suffix);
        snprintf(grid, sizeof grid, "%dx%dx%d", b->nx, b->ny, b->layers);
        if (r.paper_ms > 0.0)
            snprintf(paper, sizeof paper, "%8.2f ms %6.1fx", r.paper_ms,
                     r.paper_ms / r.ms_per_frame);
        fprintf(out, "%-30s %11s %3d %10.4f %10.3f %9.0f %8.0f%% %s\n", name, grid, b->threads,
                r.ms_per_step, r.ms_per_frame, mcolumn_per_s(b, &r),
                100.0 * fraction(b, &r, roofline), paper);
    }
}

void bench_layers_print_json(FILE *out, const bench_layers *b, double roofline)
{
    for (int which = 0; which < 2; which++) {
        const row r = row_of(b, which);
        fprintf(out,
                "%s{\"name\": \"%s%s\", \"solver\": \"layers\", \"backend\": \"cpu\", \"grid\": "
                "\"%dx%d\", \"layers\": %d, \"threads\": %d, \"steps\": %ld, \"ms_per_step\": "
                "%.6g, \"ms_per_frame\": %.6g, \"mcell_per_s\": %.6g, \"bytes_per_cell\": %d, "
                "\"roofline_fraction\": %.4g, \"columns\": %ld, \"wet_columns\": %ld, ",
                which > 0 ? ",\n  " : "", b->c->name, r.suffix, b->nx, b->ny, b->layers, b->threads,
                r.steps, r.ms_per_step, r.ms_per_frame, mcolumn_per_s(b, &r), r.bytes,
                fraction(b, &r, roofline), b->columns, b->wet);
        if (r.paper_ms > 0.0)
            fprintf(out, "\"paper\": \"%s\", \"paper_ms\": %g}", PAPER, r.paper_ms);
        else
            fprintf(out, "\"paper\": null, \"paper_ms\": null}");
    }
}
