// SPDX-License-Identifier: MIT
// bench.c - measures whole steps and puts two figures beside each: what the papers report, and what
// this machine's memory allows. Machines are noisy: a figure is the best of several repeats, the
// one least disturbed.
#include "bench/bench.h"

#include "bench/bench_bodies.h"
#include "bench/bench_cases.h"
#include "bench/bench_layers.h"
#include "bench/bench_river.h"
#include "bench/bench_river_path.h"
#include "bench/bench_solids.h"
#include "bench/bench_swe.h"
#include "bench/machine.h"

#ifdef RILL_HAS_RENDER
#include "bench/bench_render.h"

#include "render/render_error.h"
#endif

#include <string.h>

#define FRAME          (1.0 / 60.0) // seconds
#define REPEATS        15
#define REPEAT_SECONDS 0.15 // at least this long, so that the clock's grain does not show

typedef struct result {
    const bench_case *c;
    int threads;
    long steps; // of the best repeat
    double ms_per_step, ms_per_frame, mcell_per_s, roofline_fraction;
} result;

static bool wanted(const bench_options *options, const char *name)
{
    for (int n = 0; n < options->name_count; n++)
        if (strstr(name, options->names[n]) != NULL)
            return true;
    return options->name_count == 0;
}

// Steps whole frames for a while; returns seconds and counts frames and steps.
static double run_frames(rill_world *world, int frames, long *steps)
{
    const uint64_t before = rill_world_last_step(world).steps;
    const double start = bench_now();
    for (int f = 0; f < frames; f++)
        rill_world_step(world, FRAME);
    const double seconds = bench_now() - start;
    *steps = (long)(rill_world_last_step(world).steps - before);
    return seconds;
}

static rill_status measure(const bench_case *c, int threads, double roofline, result *r)
{
    rill_world *world = NULL;
    const rill_status status = bench_make_world(c, threads, &world);
    if (status != RILL_OK)
        return status;
    long steps = 0;
    run_frames(world, (int)(c->settle / FRAME), &steps);
    const double once = run_frames(world, 1, &steps);
    const int frames = once > REPEAT_SECONDS ? 1 : (int)(REPEAT_SECONDS / once) + 1;
    *r = (result){.c = c, .threads = threads, .ms_per_step = 1e30};
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        const double seconds = run_frames(world, frames, &steps);
        const double ms_per_step = 1e3 * seconds / (double)steps;
        if (ms_per_step >= r->ms_per_step)
            continue;
        r->ms_per_step = ms_per_step;
        r->ms_per_frame = 1e3 * seconds / frames;
        r->steps = steps;
    }
    r->mcell_per_s = (double)c->n * c->n / r->ms_per_step / 1e3;
    r->roofline_fraction = roofline > 0.0 ? r->mcell_per_s / roofline : 0.0;
    rill_world_destroy(&world);
    return RILL_OK;
}

static void print_json(FILE *out, const result *r)
{
    const bench_case *c = r->c;
    fprintf(out,
            "{\"name\": \"%s\", \"solver\": \"%s\", \"backend\": \"cpu\", \"grid\": "
            "\"%dx%d\", \"layers\": 1, \"threads\": %d, \"steps\": %ld, \"ms_per_step\": %.6g, "
            "\"ms_per_frame\": %.6g, \"mcell_per_s\": %.6g, \"bytes_per_cell\": %d, "
            "\"roofline_fraction\": %.4g, ",
            c->name, c->solver, c->n, c->n, r->threads, r->steps, r->ms_per_step, r->ms_per_frame,
            r->mcell_per_s, c->bytes_per_cell, r->roofline_fraction);
    if (c->paper != NULL)
        fprintf(out, "\"paper\": \"%s\", \"paper_ms\": %g}", c->paper, c->paper_ms);
    else
        fprintf(out, "\"paper\": null, \"paper_ms\": null}");
}

static void print_row(FILE *out, const result *r)
{
    const bench_case *c = r->c;
    char paper[64] = "";
    if (c->paper != NULL)
        snprintf(paper, sizeof paper, "%8.1f ms %6.1fx", c->paper_ms, c->paper_ms / r->ms_per_step);
    fprintf(out, "%-30s %5dx%-5d %3d %10.3f %10.3f %9.0f %8.0f%% %s\n", c->name, c->n, c->n,
            r->threads, r->ms_per_step, r->ms_per_frame, r->mcell_per_s,
            100.0 * r->roofline_fraction, paper);
}

static void print_header(FILE *out)
{
    char processor[128];
    bench_processor_name(processor, sizeof processor);
    rill_world *world = NULL;
    const rill_world_def def = rill_default_world_def();
    const char *isa = rill_world_create(&def, &world) == RILL_OK ? rill_world_isa(world) : "?";
    fprintf(out, "%s, %d processors, instruction set %s, rill %s\n\n", processor,
            bench_processors(), isa, rill_version());
    rill_world_destroy(&world);
    fprintf(out, "%-30s %11s %3s %10s %10s %9s %9s %11s %7s\n", "name", "grid", "thr", "ms/step",
            "ms/frame", "Mcell/s", "roofline", "paper", "faster");
}

// ---- Rows ------------------------------------------------------------------------------

typedef struct table {
    const bench_options *options;
    FILE *out;
    int rows, left_out;
    int threads[2];     // one, and all there are
    double roofline[2]; // 0: not measured yet
} table;

static double roofline_of(table *t, int which)
{
    if (t->roofline[which] == 0.0)
        t->roofline[which] = bench_roofline(t->threads[which]);
    return t->roofline[which];
}

static void begin_row(table *t)
{
    if (t->options->json)
        fprintf(t->out, "%s\n  ", t->rows == 0 ? "[" : ",");
    else if (t->rows == 0)
        print_header(t->out);
    t->rows++;
}

// Says why a row cannot be measured. Other rows go on where this build lacks what the row needs.
static bool leave_out(table *t, const char *name, rill_status status)
{
    const bool lacks = status == RILL_NO_BACKEND;
    t->left_out++;
    fprintf(stderr, "rill: %s%s: %s\n", name, lacks ? " is left out" : "", rill_last_error());
    return lacks;
}

// Measures and prints a case on one thread and on all. False when it failed.
static bool step_rows(table *t, const bench_case *c)
{
    for (int k = 0; k < (t->threads[1] > 1 ? 2 : 1); k++) {
        result r;
        const rill_status status = measure(c, t->threads[k], roofline_of(t, k), &r);
        if (status != RILL_OK)
            return leave_out(t, c->name, status);
        begin_row(t);
        if (t->options->json)
            print_json(t->out, &r);
        else
            print_row(t->out, &r);
        fflush(t->out);
    }
    return true;
}

static bool layers_rows(table *t, const bench_layers_case *c)
{
    for (int k = 0; k < (t->threads[1] > 1 ? 2 : 1); k++) {
        bench_layers b;
        const rill_status status = bench_layers_measure(c, t->threads[k], &b);
        if (status != RILL_OK)
            return leave_out(t, c->name, status);
        const double roofline = roofline_of(t, k);
        begin_row(t);
        if (t->options->json)
            bench_layers_print_json(t->out, &b, roofline);
        else
            bench_layers_print(t->out, &b, roofline);
        fflush(t->out);
    }
    return true;
}

static bool solids_rows(table *t, const bench_solids_case *c)
{
    for (int k = 0; k < (t->threads[1] > 1 ? 2 : 1); k++) {
        bench_solids b;
        const rill_status status = bench_solids_measure(c, t->threads[k], &b);
        if (status != RILL_OK)
            return leave_out(t, c->name, status);
        begin_row(t);
        if (t->options->json)
            bench_solids_print_json(t->out, &b);
        else
            bench_solids_print(t->out, &b);
        fflush(t->out);
    }
    return true;
}

static bool swe_rows(table *t, const bench_swe_case *c)
{
    for (int k = 0; k < (t->threads[1] > 1 ? 2 : 1); k++) {
        bench_swe b;
        const rill_status status = bench_swe_measure(c, t->threads[k], &b);
        if (status != RILL_OK)
            return leave_out(t, c->name, status);
        const double roofline = roofline_of(t, k);
        begin_row(t);
        if (t->options->json)
            bench_swe_print_json(t->out, &b, roofline);
        else
            bench_swe_print(t->out, &b, roofline);
        fflush(t->out);
    }
    return true;
}

static bool bodies_rows(table *t, const bench_bodies_case *c)
{
    for (int k = 0; k < (t->threads[1] > 1 ? 2 : 1); k++) {
        bench_bodies b;
        const rill_status status = bench_bodies_measure(c, t->threads[k], &b);
        if (status != RILL_OK)
            return leave_out(t, c->name, status);
        const double roofline = roofline_of(t, k);
        begin_row(t);
        if (t->options->json)
            bench_bodies_print_json(t->out, &b, roofline);
        else
            bench_bodies_print(t->out, &b, roofline);
        fflush(t->out);
    }
    return true;
}

static bool river_rows(table *t, const bench_river_case *c)
{
    for (int k = 0; k < (t->threads[1] > 1 ? 2 : 1); k++) {
        bench_river b;
        const rill_status status = bench_river_measure(c, t->threads[k], &b);
        if (status != RILL_OK)
            return leave_out(t, c->name, status);
        begin_row(t);
        if (t->options->json)
            bench_river_print_json(t->out, &b);
        else
            bench_river_print(t->out, &b);
        fflush(t->out);
    }
    return true;
}

static bool river_path_row(table *t, const bench_river_path_case *c)
{
    bench_river_path b;
    const rill_status status = bench_river_path_measure(c, &b);
    if (status != RILL_OK)
        return leave_out(t, c->name, status);
    begin_row(t);
    if (t->options->json)
        bench_river_path_print_json(t->out, &b);
    else
        bench_river_path_print(t->out, &b);
    fflush(t->out);
    return true;
}

#ifdef RILL_HAS_RENDER
static bool picture_row(table *t, const bench_picture_case *c)
{
    bench_picture p;
    if (bench_picture_measure(c, &p) != RILL_OK) {
        fprintf(stderr, "rill: %s: %s\n", c->name, render_error_text());
        return false;
    }
    const double roofline = roofline_of(t, 0);
    begin_row(t);
    if (t->options->json)
        bench_picture_print_json(t->out, &p, roofline);
    else
        bench_picture_print(t->out, &p, roofline);
    fflush(t->out);
    return true;
}

static bool picture_rows(table *t)
{
    bool good = true;
    for (int n = 0; n < bench_picture_case_count && good; n++)
        if (wanted(t->options, bench_picture_cases[n].name))
            good = picture_row(t, &bench_picture_cases[n]);
    // Where nothing can be drawn the other rows are worth having.
    return good || t->rows > 0;
}
#else
static bool picture_rows(table *t)
{
    (void)t;
    return true;
}
#endif

int bench_run(const bench_options *options, FILE *out)
{
    if (options->backend == RILL_BACKEND_CUDA ||
        (options->backend == RILL_BACKEND_AUTO && rill_backend_check(RILL_BACKEND_CUDA) == RILL_OK))
        return bench_gpu_run(options, out);
    table t = {.options = options, .out = out, .threads = {1, bench_processors()}};
    bool good = true;
    for (int n = 0; n < bench_case_count && good; n++)
        if (wanted(options, bench_cases[n].name))
            good = step_rows(&t, &bench_cases[n]);
    for (int n = 0; n < bench_layers_case_count && good; n++)
        if (wanted(options, bench_layers_cases[n].name))
            good = layers_rows(&t, &bench_layers_cases[n]);
    for (int n = 0; n < bench_solids_case_count && good; n++)
        if (wanted(options, bench_solids_cases[n].name))
            good = solids_rows(&t, &bench_solids_cases[n]);
    for (int n = 0; n < bench_swe_case_count && good; n++)
        if (wanted(options, bench_swe_cases[n].name))
            good = swe_rows(&t, &bench_swe_cases[n]);
    for (int n = 0; n < bench_bodies_case_count && good; n++)
        if (wanted(options, bench_bodies_cases[n].name))
            good = bodies_rows(&t, &bench_bodies_cases[n]);
    for (int n = 0; n < bench_river_case_count && good; n++)
        if (wanted(options, bench_river_cases[n].name))
            good = river_rows(&t, &bench_river_cases[n]);
    for (int n = 0; n < bench_river_path_case_count && good; n++)
        if (wanted(options, bench_river_path_cases[n].name))
            good = river_path_row(&t, &bench_river_path_cases[n]);
    good = good && picture_rows(&t);
    if (options->json && t.rows + t.left_out > 0)
        fprintf(out, t.rows > 0 ? "\n]\n" : "[]\n");
    if (!good)
        return 1;
    if (t.rows == 0 && t.left_out == 0) {
        fprintf(stderr, "rill: no row of the bench has such a name\n");
        return 2;
    }
    for (int k = 0; k < 2 && !options->json; k++)
        if (t.roofline[k] > 0.0)
            fprintf(out,
                    "%sroofline on %d thread%s: %.0f million cells a second updated in place "
                    "(28 bytes each)\n",
                    k == 0 ? "\n" : "", t.threads[k], t.threads[k] == 1 ? "" : "s", t.roofline[k]);
    return 0;
}
