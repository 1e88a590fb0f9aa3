// SPDX-License-Identifier: MIT
// run_report.c - sums up the times of a run and prints its table.
#include "apps/rill/run_report.h"

#include "apps/rill/json_write.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

static const char *const names[RUN_PART_COUNT] = {
    [RILL_PHASE_SOURCES] = "sources", [RILL_PHASE_SOLVER] = "solver",
    [RILL_PHASE_BODIES] = "bodies",   [RILL_PHASE_PARTICLES] = "particles",
    [RILL_PHASE_WAVES] = "waves",     [RUN_PART_SURFACE] = "surface",
    [RUN_PART_OUTPUT] = "output",     [RUN_PART_FRAME] = "frame",
};

// ---- Gathering -------------------------------------------------------------------------

// `substeps` is 0 where a time per step says nothing.
static void add(run_times *times, double ms, int substeps)
{
    times->frames++;
    times->frame_sum += ms;
    times->frame_max = ms > times->frame_max ? ms : times->frame_max;
    if (substeps < 1)
        return;
    const double step = ms / substeps;
    times->steps += substeps;
    times->step_max = step > times->step_max ? step : times->step_max;
}

void run_report_add(run_report *report, const run_frame *frame)
{
    const int substeps = frame->step.substeps;
    report->frames++;
    for (int phase = 0; phase < RILL_PHASE_COUNT; phase++)
        add(&report->parts[phase], frame->step.milliseconds[phase], substeps);
    add(&report->parts[RUN_PART_FRAME], frame->step_ms + frame->surface_ms, substeps);
}

void run_report_add_files(run_report *report, double surface_ms, double output_ms)
{
    if (surface_ms >= 0.0)
        add(&report->parts[RUN_PART_SURFACE], surface_ms, 0);
    add(&report->parts[RUN_PART_OUTPUT], output_ms, 0);
}

// ---- A line a frame --------------------------------------------------------------------

static void put_times(json_writer *w, const run_frame *frame)
{
    const double *ms = frame->step.milliseconds;
    json_number(w, "ms_frame", frame->step_ms + frame->surface_ms);
    json_number(w, "ms_sources", ms[RILL_PHASE_SOURCES]);
    json_number(w, "ms_solver", ms[RILL_PHASE_SOLVER]);
    json_number(w, "ms_bodies", ms[RILL_PHASE_BODIES]);
    json_number(w, "ms_particles", ms[RILL_PHASE_PARTICLES]);
    json_number(w, "ms_waves", ms[RILL_PHASE_WAVES]);
    json_number(w, "ms_surface", frame->surface_ms);
    json_number(w, "ms_output", frame->output_ms);
}

static void put_ledger(json_writer *w, const rill_ledger *ledger)
{
    json_number(w, "initial", ledger->initial);
    json_number(w, "sourced", ledger->sourced);
    json_number(w, "drained", ledger->drained);
    json_number(w, "corrected", ledger->corrected);
    json_number(w, "water", ledger->water);
    json_number(w, "particles", ledger->particles);
    json_number(w, "virtual", ledger->virtual_volume);
    json_number(w, "ledger_error", ledger->error);
}

static void put_limits(json_writer *w, const rill_limits *limits)
{
    json_integer(w, "full_pool_steps", (int64_t)limits->full_pool_steps);
    json_integer(w, "lumps_left_out", (int64_t)limits->lumps_left_out);
    json_integer(w, "slow_wave_steps", (int64_t)limits->slow_wave_steps);
    json_integer(w, "falls_left_out", limits->falls_left_out);
}

static void put_stats(json_writer *w, const rill_stats *stats)
{
    json_number(w, "max_depth", (double)stats->max_depth);
    json_number(w, "speed_depth", (double)stats->speed_depth);
    json_number(w, "max_speed", (double)stats->max_speed);
    json_number(w, "max_speed_x", (double)stats->max_speed_x);
    json_number(w, "max_speed_y", (double)stats->max_speed_y);
    json_integer(w, "max_speed_layer", stats->max_speed_layer);
    json_number(w, "max_froude", (double)stats->max_froude);
    json_number(w, "max_froude_x", (double)stats->max_froude_x);
    json_number(w, "max_froude_y", (double)stats->max_froude_y);
    json_integer(w, "max_froude_layer", stats->max_froude_layer);
    json_integer(w, "wet_cells", stats->wet_cells);
}

bool run_report_line(FILE *out, long number, rill_world *world, const run_frame *frame)
{
    const rill_stats stats = rill_world_stats(world);
    const rill_ledger ledger = rill_world_ledger(world);
    char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, rill_world_hash(world));

    json_writer w = {.out = out};
    json_open(&w, NULL, '{');
    json_integer(&w, "frame", number);
    json_number(&w, "time", rill_world_time(world));
    json_integer(&w, "steps", (int64_t)frame->step.steps);
    json_integer(&w, "substeps", frame->step.substeps);
    json_bool(&w, "capped", frame->step.capped != 0);
    put_limits(&w, &frame->step.limits);
    put_times(&w, frame);
    put_ledger(&w, &ledger);
    put_stats(&w, &stats);
    json_text(&w, "hash", hash);
    json_close(&w, '}');
    fputc('\n', out);
    return fflush(out) == 0 && !ferror(out);
}

// ---- The table -------------------------------------------------------------------------

static void print_times(const run_report *report, FILE *out)
{
    fprintf(out, "%-10s %8s %12s %10s %12s\n", "", "", "ms per step", "", "ms per frame");
    fprintf(out, "%-10s %8s %12s %10s %12s %10s\n", "phase", "frames", "mean", "max", "mean",
            "max");
    for (int k = 0; k < RUN_PART_COUNT; k++) {
        const run_times *t = &report->parts[k];
        fprintf(out, "%-10s %8ld", names[k], t->frames);
        if (k == RUN_PART_SURFACE || k == RUN_PART_OUTPUT)
            fprintf(out, " %12s %10s", "-", "-");
        else
            fprintf(out, " %12.4f %10.4f", t->steps > 0.0 ? t->frame_sum / t->steps : 0.0,
                    t->step_max);
        fprintf(out, " %12.4f %10.4f\n", t->frames > 0 ? t->frame_sum / (double)t->frames : 0.0,
                t->frame_max);
    }
}

static void print_ledger(const rill_ledger *ledger, FILE *out)
{
    const struct {
        const char *name, *unit, *what;
        double value;
    } rows[] = {
        {"initial", "m^3", "put in at the start", ledger->initial},
        {"sourced", "m^3", "given by springs, rain and borders", ledger->sourced},
        {"drained", "m^3", "taken by drains, evaporation and borders", ledger->drained},
        {"corrected", "m^3", "made by corrections of the water's own", ledger->corrected},
        {"water", "m^3", "in the columns", ledger->water},
        {"particles", "m^3", "in flight", ledger->particles},
        {"virtual", "m^3", "displaced by bodies and not yet given back", ledger->virtual_volume},
        {"error", "", "relative", ledger->error},
    };
    fprintf(out, "ledger\n");
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++)
        fprintf(out, "%-10s %16.9g %-4s %s\n", rows[k].name, rows[k].value, rows[k].unit,
                rows[k].what);
}

static void print_place(double value, const char *what, float x, float y, int layer, FILE *out)
{
    if (value > 0.0)
        fprintf(out, "%s, at (%g, %g) m", what, (double)x, (double)y);
    else
        fprintf(out, "nothing moves");
    if (layer > 0)
        fprintf(out, " in layer %d", layer);
    fputc('\n', out);
}

// The water at the end of the run.
static void print_stats(const rill_stats *stats, FILE *out)
{
    const double speed = (double)stats->max_speed, froude = (double)stats->max_froude;
    fprintf(out, "water at the end, speeds where it is at least %.3g m deep\n",
            (double)stats->speed_depth);
    fprintf(out, "%-10s %16.9g %-4s %s\n", "depth", (double)stats->max_depth, "m", "the largest");
    fprintf(out, "%-10s %16.9g %-4s ", "speed", speed, "m/s");
    print_place(speed, "the largest", stats->max_speed_x, stats->max_speed_y,
                stats->max_speed_layer, out);
    fprintf(out, "%-10s %16.9g %-4s ", "froude", froude, "");
    print_place(froude, "the largest Froude number", stats->max_froude_x, stats->max_froude_y,
                stats->max_froude_layer, out);
}

void run_report_print(const run_report *report, rill_world *world, int threads, FILE *out)
{
    const uint64_t steps = rill_world_last_step(world).steps;
    const rill_ledger ledger = rill_world_ledger(world);
    const rill_stats stats = rill_world_stats(world);
    const rill_field_view bed = rill_world_bed(world);
    const double seconds = report->parts[RUN_PART_FRAME].frame_sum * 1e-3;
    const double time = rill_world_time(world);

    print_times(report, out);
    fputc('\n', out);
    print_ledger(&ledger, out);
    fputc('\n', out);
    print_stats(&stats, out);
    const bool on_cpu = strcmp(rill_world_backend(world), "cpu") == 0;
    fprintf(out,
            "\ngrid %d x %d of %g m, %d thread%s, %s, %" PRIu64 " steps in %ld frames, "
            "%g s simulated in %.3g s: %.3g times real time\n",
            bed.nx, bed.ny, (double)rill_world_cell_size(world), threads, threads == 1 ? "" : "s",
            on_cpu ? rill_world_isa(world) : rill_world_backend(world), steps, report->frames, time,
            seconds, seconds > 0.0 ? time / seconds : 0.0);
}
