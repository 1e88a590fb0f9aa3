// SPDX-License-Identifier: MIT
// bench_layers.c - times the `layers` solver and the surface of its liquid.
//
// Dagenais Table 1 has averages and maxima over the frames of a run, so that is what is measured: a
// scene runs from its beginning to its end, frame by frame, each followed by a build of the surface
// as it is drawn, meniscus included. The run is repeated, and of each frame the best time counts,
// or else the maximum would be that of the machine's other work.
#include "bench/bench_layers.h"

#include "bench/machine.h"

#include "rill/scene.h"
#include "rill/surface.h"
#include "rill/view.h"
#include "rill/world.h"

#include <math.h>
#include <stdlib.h>

#define FRAME        (1.0 / 60.0) // seconds
#define FEWEST_RUNS  2
#define MOST_RUNS    7
#define RUN_SECONDS  20.0 // no more runs after so long
#define LONG_FRAME   0.1  // seconds, in which many steps fit
#define MOST_STEPS   1000 // of them
#define MAX_OVERRIDE 64

#define PAPER "Dagenais Table 1, GTX 970"

// A step reads base, depth, remainder, ceiling, flooded and both discharges, writes the raw
// discharges and reads them again, writes depth, remainder and both discharges.
#define BYTES_PER_COLUMN 60

// clang-format off
const bench_layers_case bench_layers_cases[] = {
    {"layers-surgery",        "surgery",        0, {4.86, 5.43}, {1.10, 2.11}},
    {"layers-viscosity-0",    "viscosity-0",    0, {0.61, 1.05}, {0.43, 0.49}},
    {"layers-viscosity-4e-6", "viscosity-4e-6", 0, {0.62, 1.03}, {0.46, 0.52}},
    {"layers-viscosity-4e-5", "viscosity-4e-5", 0, {0.60, 1.02}, {0.44, 0.52}},
    {"layers-viscosity-4e-1", "viscosity-4e-1", 0, {0.60, 0.93}, {0.41, 0.52}},
    {"layers-three-layers",   "three-layers",   0, {0.32, 0.68}, {0.37, 0.85}},
    {"layers-passages",       "passages",       0, {0.26, 0.50}, {0.34, 0.48}},
    {"layers-culvert",        "culvert",        0, {0.0, 0.0},   {0.0, 0.0}},
    // Dagenais Figs. 16 and 22: the same domain in more and more cells.
    {"layers-cells-50",       "viscosity-4e-6", 50,  {0.0, 0.0}, {0.0, 0.0}},
    {"layers-cells-100",      "viscosity-4e-6", 100, {0.0, 0.0}, {0.0, 0.0}},
    {"layers-cells-200",      "viscosity-4e-6", 200, {0.0, 0.0}, {0.0, 0.0}},
    {"layers-cells-400",      "viscosity-4e-6", 400, {0.0, 0.0}, {0.0, 0.0}},
};
// clang-format on
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

// Milliseconds of each frame, the best of all runs.
typedef struct frames {
    long count;
    double *simulation, *surface;
} frames;

static rill_status run_once(rill_world *world, rill_surface *surface, double frame,
                            const frames *times, long *steps)
{
    rill_status status = RILL_OK;
    *steps = 0;
    for (long n = 0; n < times->count && status == RILL_OK; n++) {
        const double start = bench_now();
        status = rill_world_step(world, frame);
        const double stepped = bench_now();
        if (status == RILL_OK)
            status = rill_surface_build(surface, world);
        const double built = bench_now();
        times->simulation[n] = fmin(times->simulation[n], 1e3 * (stepped - start));
        times->surface[n] = fmin(times->surface[n], 1e3 * (built - stepped));
        *steps += rill_world_last_step(world).substeps;
    }
    return status;
}

static rill_status run_often(rill_world *world, rill_surface *surface, double frame,
                             const frames *times, bench_layers *b)
{
    rill_snapshot *snapshot = NULL;
    rill_status status = rill_snapshot_create(world, &snapshot);
    if (status == RILL_OK)
        status = rill_world_save(world, snapshot);
    const double start = bench_now();
    for (int run = 0; run < MOST_RUNS && status == RILL_OK; run++) {
        if (run >= FEWEST_RUNS && bench_now() - start > RUN_SECONDS)
            break;
        status = rill_world_restore(world, snapshot);
        if (status == RILL_OK)
            status = run_once(world, surface, frame, times, &b->steps);
    }
    if (status == RILL_OK)
        count_columns(world, b);
    rill_snapshot_destroy(&snapshot);
    return status;
}

// A frame of the simulation is a sixtieth of a second, whatever the scene's is; a frame has one
// surface.
static void take_figures(const frames *times, double frame, bench_layers *b)
{
    const double whole = FRAME / frame;
    for (long n = 0; n < times->count; n++) {
        b->simulation.average += times->simulation[n] * whole / (double)times->count;
        b->simulation.most = fmax(b->simulation.most, times->simulation[n] * whole);
        b->surface.average += times->surface[n] / (double)times->count;
        b->surface.most = fmax(b->surface.most, times->surface[n]);
    }
    b->ms_per_step = b->simulation.average / whole * (double)times->count /
                     (double)(b->steps > 0 ? b->steps : 1);
}

static rill_status time_frames(const rill_scene *scene, rill_world *world, bench_layers *b)
{
    const rill_scene_info info = rill_scene_describe(scene);
    const rill_view view = rill_scene_view(scene);
    const rill_surface_def def = rill_view_surface_def(&view, world);
    b->meniscus_mm = 1e3 * (double)def.meniscus_length;
    b->contact_angle = (double)def.contact_angle;
    const long count = (long)(info.duration / info.frame + 0.5);
    double *const all = malloc(2 * (size_t)count * sizeof *all);
    if (all == NULL)
        return RILL_NO_MEMORY;
    const frames times = {count, all, all + count};
    for (long n = 0; n < 2 * count; n++)
        all[n] = 1e30;
    rill_surface *surface = NULL;
    rill_status status = rill_surface_create(world, &def, &surface);
    if (status == RILL_OK)
        status = run_often(world, surface, info.frame, &times, b);
    if (status == RILL_OK)
        take_figures(&times, info.frame, b);
    rill_surface_destroy(&surface);
    free(all);
    return status;
}

// Finds how long the substeps are that stability allows, in a run of its own whose frames are so
// long that their number in a frame hardly rounds them.
static rill_status find_substeps(rill_world *world, double duration, bench_layers *b)
{
    rill_status status = RILL_OK;
    long steps = 0;
    b->step_ms.most = 1e30; // of a step that is short enough for all the run
    while (rill_world_time(world) < duration && status == RILL_OK) {
        status = rill_world_step(world, LONG_FRAME);
        const rill_step_info info = rill_world_last_step(world);
        steps += info.substeps;
        if (info.substeps > 1)
            b->step_ms.most = fmin(b->step_ms.most, 1e3 * LONG_FRAME / info.substeps);
    }
    b->step_ms.average = steps > 0 ? 1e3 * rill_world_time(world) / (double)steps : 0.0;
    return status;
}

// The overrides that cut the domain of a scene into n x n cells and let stability alone choose the
// substeps.
static rill_status open_scene(const bench_layers_case *c, rill_scene **out)
{
    if (c->cells == 0)
        return rill_scene_open(c->scene, NULL, 0, NULL, out);
    rill_scene *scene = NULL;
    RILL_TRY(rill_scene_open(c->scene, NULL, 0, NULL, &scene));
    const rill_scene_info info = rill_scene_describe(scene);
    char text[5][MAX_OVERRIDE];
    snprintf(text[0], MAX_OVERRIDE, "world.nx=%d", c->cells);
    snprintf(text[1], MAX_OVERRIDE, "world.ny=%d", c->cells);
    snprintf(text[2], MAX_OVERRIDE, "world.cell_size=%.9g", info.cell_size * info.nx / c->cells);
    snprintf(text[3], MAX_OVERRIDE, "world.max_step=1.0");
    snprintf(text[4], MAX_OVERRIDE, "world.max_substeps=%d", MOST_STEPS);
    rill_scene_destroy(&scene);
    const char *const overrides[] = {text[0], text[1], text[2], text[3], text[4]};
    return rill_scene_open(c->scene, overrides, 5, NULL, out);
}

rill_status bench_layers_measure(const bench_layers_case *c, int threads, bench_layers *out)
{
    rill_scene *scene = NULL;
    rill_world *world = NULL;
    *out = (bench_layers){.c = c, .threads = threads};
    rill_status status = open_scene(c, &scene);
    if (status == RILL_OK)
        status = rill_scene_create_world(scene, threads, &world);
    if (status == RILL_OK)
        status = time_frames(scene, world, out);
    rill_world_destroy(&world);
    if (status == RILL_OK && c->cells > 0)
        status = rill_scene_create_world(scene, threads, &world);
    if (status == RILL_OK && c->cells > 0)
        status = find_substeps(world, rill_scene_describe(scene).duration, out);
    rill_world_destroy(&world);
    rill_scene_destroy(&scene);
    return status;
}

// ---- Printing --------------------------------------------------------------------------

typedef struct row {
    const char *suffix;
    double ms_per_step;
    bench_layers_figure frame, paper;
    long steps;
    int bytes;
    char what[160]; // is measured
} row;

static row row_of(const bench_layers *b, int which)
{
    // A build reads base and depth and writes a vertex and two triangles a wet column.
    row r = {which == 0 ? "" : "-surface",
             which == 0 ? b->ms_per_step : b->surface.average,
             which == 0 ? b->simulation : b->surface,
             which == 0 ? b->c->simulation : b->c->surface,
             which == 0 ? b->steps : 1,
             which == 0 ? BYTES_PER_COLUMN : 8 + 40 + 24,
             "simulation, average and maximum of the frames of a run"};
    if (which == 0 && b->c->cells > 0)
        snprintf(r.what, sizeof r.what,
                 "simulation, average and maximum of the frames of a run; substeps of %.2f ms "
                 "are always stable, of %.2f on average",
                 b->step_ms.most, b->step_ms.average);
    if (which == 1 && b->meniscus_mm > 0.0)
        snprintf(r.what, sizeof r.what,
                 "surface with meniscus (%.3g mm, %.3g degrees), average and maximum of the frames "
                 "of a run",
                 b->meniscus_mm, b->contact_angle);
    else if (which == 1)
        snprintf(r.what, sizeof r.what,
                 "surface without meniscus, average and maximum of the frames of a run");
    return r;
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
        char name[64], grid[32], paper[64] = "", most[64] = "";
        snprintf(name, sizeof name, "%s%s", b->c->name, r.suffix);
        snprintf(grid, sizeof grid, "%dx%dx%d", b->nx, b->ny, b->layers);
        if (r.paper.average > 0.0) {
            snprintf(paper, sizeof paper, "%8.2f ms %6.1fx", r.paper.average,
                     r.paper.average / r.frame.average);
            snprintf(most, sizeof most, " (paper %.2f)", r.paper.most);
        }
        fprintf(out, "%-30s %11s %3d %10.4f %10.3f %9.0f %8.0f%% %s\n    at most %.3f ms%s: %s\n",
                name, grid, b->threads, r.ms_per_step, r.frame.average, mcolumn_per_s(b, &r),
                100.0 * fraction(b, &r, roofline), paper, r.frame.most, most, r.what);
    }
}

void bench_layers_print_json(FILE *out, const bench_layers *b, double roofline)
{
    for (int which = 0; which < 2; which++) {
        const row r = row_of(b, which);
        fprintf(out,
                "%s{\"name\": \"%s%s\", \"solver\": \"layers\", \"backend\": \"cpu\", \"grid\": "
                "\"%dx%d\", \"layers\": %d, \"threads\": %d, \"steps\": %ld, \"ms_per_step\": "
                "%.6g, \"ms_per_frame\": %.6g, \"ms_per_frame_most\": %.6g, \"mcell_per_s\": %.6g, "
                "\"bytes_per_cell\": %d, \"roofline_fraction\": %.4g, \"columns\": %ld, "
                "\"wet_columns\": %ld, \"measured\": \"%s\", ",
                which > 0 ? ",\n  " : "", b->c->name, r.suffix, b->nx, b->ny, b->layers, b->threads,
                r.steps, r.ms_per_step, r.frame.average, r.frame.most, mcolumn_per_s(b, &r),
                r.bytes, fraction(b, &r, roofline), b->columns, b->wet, r.what);
        if (which == 0 && b->c->cells > 0)
            fprintf(out, "\"substep_ms_most\": %.6g, \"substep_ms_average\": %.6g, ",
                    b->step_ms.most, b->step_ms.average);
        if (which == 1)
            fprintf(out, "\"meniscus_mm\": %.6g, \"contact_angle\": %.6g, ", b->meniscus_mm,
                    b->contact_angle);
        if (r.paper.average > 0.0)
            fprintf(out, "\"paper\": \"%s\", \"paper_ms\": %g, \"paper_ms_most\": %g}", PAPER,
                    r.paper.average, r.paper.most);
        else
            fprintf(out, "\"paper\": null, \"paper_ms\": null}");
    }
}
