// SPDX-License-Identifier: MIT
// bench.c - measures whole steps and puts two figures beside each: what the papers report, and what
// this machine's memory allows. Machines are noisy: a figure is the best of several repeats, the
// one least disturbed.
#include "bench/bench.h"

#include "bench/bench_cases.h"
#include "bench/machine.h"
#include "bench/roofline.h"

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

static void print_json(FILE *out, const result *r, bool first)
{
    const bench_case *c = r->c;
    fprintf(out,
            "%s\n  {\"name\": \"%s\", \"solver\": \"%s\", \"backend\": \"cpu\", \"grid\": "
            "\"%dx%d\", \"layers\": 1, \"threads\": %d, \"steps\": %ld, \"ms_per_step\": %.6g, "
            "\"ms_per_frame\": %.6g, \"mcell_per_s\": %.6g, \"bytes_per_cell\": %d, "
            "\"roofline_fraction\": %.4g, ",
            first ? "" : ",", c->name, c->solver, c->n, c->n, r->threads, r->steps, r->ms_per_step,
            r->ms_per_frame, r->mcell_per_s, c->bytes_per_cell, r->roofline_fraction);
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
    fprintf(out, "%-20s %5dx%-5d %3d %10.3f %10.3f %9.0f %8.0f%% %s\n", c->name, c->n, c->n,
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
    fprintf(out, "%-20s %11s %3s %10s %10s %9s %9s %11s %7s\n", "name", "grid", "thr", "ms/step",
            "ms/frame", "Mcell/s", "roofline", "paper", "faster");
}

int bench_run(const bench_options *options, FILE *out)
{
    const int all = bench_processors();
    const int threads[2] = {1, all};
    double roofline[2] = {0.0, 0.0};
    int rows = 0;
    for (int n = 0; n < bench_case_count; n++) {
        const bench_case *c = &bench_cases[n];
        if (!wanted(options, c->name))
            continue;
        for (int t = 0; t < (all > 1 ? 2 : 1); t++) {
            if (roofline[t] == 0.0)
                roofline[t] = bench_roofline(threads[t]);
            result r;
            if (measure(c, threads[t], roofline[t], &r) != RILL_OK) {
                fprintf(stderr, "rill: %s: %s\n", c->name, rill_last_error());
                return 1;
            }
            if (rows == 0 && options->json)
                fprintf(out, "[");
            if (rows == 0 && !options->json)
                print_header(out);
            if (options->json)
                print_json(out, &r, rows == 0);
            else
                print_row(out, &r);
            fflush(out);
            rows++;
        }
    }
    if (rows == 0) {
        fprintf(stderr, "rill: no row of the bench has such a name\n");
        return 2;
    }
    if (options->json)
        fprintf(out, "\n]\n");
    for (int t = 0; t < 2 && !options->json; t++)
        if (roofline[t] > 0.0)
            fprintf(out,
                    "%sroofline on %d thread%s: %.0f million cells a second updated in place "
                    "(28 bytes each)\n",
                    t == 0 ? "\n" : "", threads[t], threads[t] == 1 ? "" : "s", roofline[t]);
    return 0;
}
