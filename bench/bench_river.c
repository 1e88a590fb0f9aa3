// SPDX-License-Identifier: MIT
// bench_river.c - times the `river` solver.
#include "bench/bench_river.h"

#include "bench/machine.h"

#include "rill/scene.h"
#include "rill/world.h"

#include <math.h>

#define REPEATS 15
#define FRAMES  20 // a repeat
#define SETTLE  60 // frames before the first

#define PAPER "Burrell Table 6.1, Athlon XP 3800+ and 8600GT, drawing included"

const bench_river_case bench_river_cases[] = {
    {"river-fine", "river.detail_solver=false", "river.detail_waves=false", 1e3 / 63.0},
    {"river-waves", "river.detail_solver=false", "river.detail_waves=true", 1e3 / 74.0},
    {"river-solver", "river.detail_solver=true", "river.detail_waves=false", 1e3 / 111.0},
    {"river-detail", "river.detail_solver=true", "river.detail_waves=true", 1e3 / 120.0},
};
const int bench_river_case_count = (int)(sizeof bench_river_cases / sizeof bench_river_cases[0]);

static rill_status open_river(const bench_river_case *c, int threads, double *frame,
                              rill_world **out)
{
    const char *const overrides[] = {c->solver, c->waves};
    rill_scene *scene = NULL;
    rill_status status = rill_scene_open("river", overrides, 2, NULL, &scene);
    if (status == RILL_OK)
        status = rill_scene_create_world(scene, threads, out);
    if (status == RILL_OK)
        *frame = rill_scene_describe(scene).frame;
    rill_scene_destroy(&scene);
    for (int f = 0; f < SETTLE && status == RILL_OK; f++)
        status = rill_world_step(*out, *frame);
    return status;
}

// The output of the particles is made when it is read, so reading it is timed.
static rill_status measure(rill_world *world, double frame, bench_river *b)
{
    rill_status status = RILL_OK;
    b->ms_water = b->ms_particles = b->ms_frame = 1e30;
    for (int repeat = 0; repeat < REPEATS && status == RILL_OK; repeat++) {
        double water = 0.0, particles = 0.0;
        long steps = 0;
        for (int f = 0; f < FRAMES && status == RILL_OK; f++) {
            status = rill_world_step(world, frame);
            const rill_step_info info = rill_world_last_step(world);
            const double start = bench_now();
            b->particles = rill_world_wave_particles(world).count;
            particles += 1e3 * (bench_now() - start) + info.milliseconds[RILL_PHASE_WAVES];
            water += info.milliseconds[RILL_PHASE_SOLVER];
            steps += info.substeps;
        }
        b->steps = steps;
        b->ms_water = fmin(b->ms_water, water / FRAMES);
        b->ms_particles = fmin(b->ms_particles, particles / FRAMES);
        b->ms_frame = fmin(b->ms_frame, (water + particles) / FRAMES);
    }
    return status;
}

rill_status bench_river_measure(const bench_river_case *c, int threads, bench_river *out)
{
    rill_world *world = NULL;
    double frame = 0.0;
    *out = (bench_river){.c = c, .threads = threads};
    rill_status status = open_river(c, threads, &frame, &world);
    if (status == RILL_OK) {
        const rill_field_view depth = rill_world_depth(world);
        out->nx = depth.nx;
        out->ny = depth.ny;
        status = measure(world, frame, out);
        const rill_river_state river = rill_world_river(world);
        out->cells = river.cells;
        out->merged = river.merged;
    }
    rill_world_destroy(&world);
    return status;
}

// ---- Printing --------------------------------------------------------------------------

typedef struct row {
    const char *suffix;
    double ms, paper_ms;
    double million_per_s; // cells, or particles
} row;

static row row_of(const bench_river *b, int which)
{
    if (which == 0)
        return (row){"", b->ms_frame, b->c->paper_ms, (double)b->cells / b->ms_frame / 1e3};
    if (which == 1)
        return (row){"-flow", b->ms_water, 0.0, (double)b->merged / b->ms_water / 1e3};
    return (row){"-particles", b->ms_particles, 0.0, (double)b->particles / b->ms_particles / 1e3};
}

void bench_river_print(FILE *out, const bench_river *b)
{
    for (int which = 0; which < 3; which++) {
        const row r = row_of(b, which);
        char name[64], grid[32], paper[64] = "";
        snprintf(name, sizeof name, "%s%s", b->c->name, r.suffix);
        if (which == 0)
            snprintf(grid, sizeof grid, "%dx%d", b->nx, b->ny);
        else
            snprintf(grid, sizeof grid, "%lld",
                     which == 1 ? (long long)b->merged : (long long)b->particles);
        if (r.paper_ms > 0.0)
            snprintf(paper, sizeof paper, "%8.2f ms %6.1fx", r.paper_ms, r.paper_ms / r.ms);
        fprintf(out, "%-30s %11s %3d %10.4f %10.3f %9.1f %9s %s\n", name, grid, b->threads,
                r.ms * FRAMES / (double)b->steps, r.ms, r.million_per_s, "", paper);
    }
}

void bench_river_print_json(FILE *out, const bench_river *b)
{
    for (int which = 0; which < 3; which++) {
        const row r = row_of(b, which);
        fprintf(out,
                "%s{\"name\": \"%s%s\", \"solver\": \"river\", \"backend\": \"cpu\", \"grid\": "
                "\"%dx%d\", \"layers\": 1, \"threads\": %d, \"steps\": %ld, \"ms_per_step\": %.6g, "
                "\"ms_per_frame\": %.6g, \"mcell_per_s\": %.6g, \"bytes_per_cell\": null, "
                "\"roofline_fraction\": null, \"cells\": %lld, \"merged\": %lld, \"particles\": "
                "%d, ",
                which > 0 ? ",\n  " : "", b->c->name, r.suffix, b->nx, b->ny, b->threads, b->steps,
                r.ms * FRAMES / (double)b->steps, r.ms, r.million_per_s, (long long)b->cells,
                (long long)b->merged, b->particles);
        if (r.paper_ms > 0.0)
            fprintf(out, "\"paper\": \"%s\", \"paper_ms\": %.4g}", PAPER, r.paper_ms);
        else
            fprintf(out, "\"paper\": null, \"paper_ms\": null}");
    }
}
