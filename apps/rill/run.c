// SPDX-License-Identifier: MIT
// run.c - `rill run`: plays a scene from its start to its end, frame by frame.
#include "apps/rill/command.h"
#include "apps/rill/message.h"
#include "apps/rill/options.h"
#include "apps/rill/play.h"
#include "apps/rill/progress.h"
#include "apps/rill/run_files.h"
#include "apps/rill/run_report.h"

#include "rill/scene.h"
#include "rill/world.h"

#include <errno.h>
#include <math.h>
#include <string.h>

typedef struct run_options {
    play_options play;
    const char *folder, *stats;
    bool hash, quiet;
} run_options;

// A run and everything it owns.
typedef struct run {
    const run_options *options;
    play play;
    bool files_open;
    run_files files;
    FILE *stats; // NULL: none wanted
    run_report report;
    progress progress;
} run;

// ---- Arguments -------------------------------------------------------------------------

static const char run_more[] =
    "SCENE is a built-in name (\"rill list\") or the path of a .toml file. With -o the run "
    "writes,\n"
    "for each frame that the scene asks for, map_0000.png, surface_0000.ply, surface_0000.glb and\n"
    "water_0000.tif; without it, nothing. It ends with a table: milliseconds per step and per\n"
    "frame by phase, and the ledger of the water. Ctrl-C stops it after the current frame.\n"
    "\n"
    "Exit status: 0 done, 1 failed or stopped, 2 wrong usage or bad input.";

static option_result parse(int argc, char **argv, run_options *o, option_list *operands)
{
    const option options[] = {
        {"output", 'o', OPTION_TEXT, "DIR", "Write files into this folder, which is made.",
         &o->folder, 0, 0},
        {"time", 0, OPTION_NUMBER, "S", "Seconds to simulate. Default: as the scene says.",
         &o->play.time, 0.0, 1e15},
        play_threads_option(&o->play),
        play_backend_option(&o->play.backend),
        {"stats", 0, OPTION_TEXT, "FILE",
         "Write a JSON object a frame; - is standard output,\nand the table goes to standard "
         "error.",
         &o->stats, 0, 0},
        play_hash_option(&o->hash),
        play_set_option(&o->play),
        play_quiet_option(&o->quiet),
    };
    const option_syntax syntax = {
        .command = "run",
        .summary = "Lets the water of a scene run from its first moment to its last.",
        .operands = "SCENE",
        .operand = "a scene",
        .least = 1,
        .most = 1,
        .more = run_more,
        .options = options,
        .option_count = (int)(sizeof options / sizeof options[0]),
    };
    return options_parse(&syntax, argc, argv, operands);
}

// ---- Before the first frame ------------------------------------------------------------

static int open_stats(run *r)
{
    const char *path = r->options->stats;
    if (path == NULL)
        return STATUS_DONE;
    r->stats = strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
    return r->stats != NULL ? STATUS_DONE
                            : error_failed("%s: cannot be written: %s", path, strerror(errno));
}

// Nothing is written before scene and world are there.
static int open_all(run *r)
{
    play *p = &r->play;
    int status = play_open(p, &r->options->play);
    if (status == STATUS_DONE && r->options->folder != NULL) {
        status = run_files_open(&r->files, r->options->folder, p->scene, p->world, p->end);
        r->files_open = status == STATUS_DONE;
    }
    return status == STATUS_DONE ? open_stats(r) : status;
}

static int close_stats(run *r)
{
    if (r->stats == NULL || r->stats == stdout)
        return STATUS_DONE;
    FILE *const file = r->stats;
    r->stats = NULL;
    if (fclose(file) != 0)
        return error_failed("%s: cannot be written: %s", r->options->stats, strerror(errno));
    return STATUS_DONE;
}

static void close_all(run *r)
{
    close_stats(r);
    if (r->files_open)
        run_files_close(&r->files);
    play_close(&r->play);
}

// ---- Frame by frame --------------------------------------------------------------------

static int write_files(run *r, run_frame *frame)
{
    const bool last = r->play.frame == r->play.frames;
    if (!r->files_open || !run_files_due(&r->files, play_time(&r->play), last))
        return STATUS_DONE;
    const int status = run_files_write(&r->files, r->play.world, last);
    frame->output_ms = r->files.output_ms;
    frame->surface_ms = fmax(r->files.surface_ms, 0.0);
    run_report_add_files(&r->report, r->files.surface_ms, r->files.output_ms);
    return status;
}

static int run_frame_once(run *r)
{
    run_frame frame = {0};
    const double start = progress_clock();
    int status = play_step(&r->play);
    if (status != STATUS_DONE)
        return status;
    frame.step_ms = 1e3 * (progress_clock() - start);
    frame.step = rill_world_last_step(r->play.world);
    status = write_files(r, &frame);
    run_report_add(&r->report, &frame);
    if (status != STATUS_DONE || r->stats == NULL)
        return status;
    errno = 0;
    if (!run_report_line(r->stats, r->play.frame, r->play.world, &frame))
        return error_failed("%s: cannot be written: %s", r->options->stats, strerror(errno));
    return STATUS_DONE;
}

static int run_frames(run *r)
{
    run_frame first = {0};
    int status = write_files(r, &first);
    const play *p = &r->play;
    while (status == STATUS_DONE && p->frame < p->frames && progress_stop_wanted() == NULL) {
        status = run_frame_once(r);
        progress_show(&r->progress, play_time(p), p->frame);
    }
    progress_clear();
    return status;
}

// A run that was stopped before its end has failed; its figures are printed nevertheless.
static int conclude(run *r)
{
    FILE *const out = r->stats == stdout ? stderr : stdout;
    const play *p = &r->play;
    const int status = close_stats(r);
    run_report_print(&r->report, p->world, r->options->play.threads, out);
    play_report_capped(p, out);
    play_report_limits(p, out);
    if (r->options->hash)
        play_print_hash(p, out);
    if (p->frame < p->frames) {
        fflush(out);
        return error_failed("%s after frame %ld of %ld, at %g of %g s; what was written is kept",
                            progress_stop_wanted(), p->frame, p->frames, play_time(p), p->end);
    }
    return status;
}

static int run_scene(const run_options *options)
{
    run r = {.options = options};
    int status = open_all(&r);
    if (status == STATUS_DONE) {
        progress_watch_signals();
        progress_start(&r.progress, r.play.info.name, r.play.end, options->quiet);
        status = run_frames(&r);
    }
    if (status == STATUS_DONE)
        status = conclude(&r);
    close_all(&r);
    return status;
}

int command_run(int argc, char **argv)
{
    run_options o = {.play = play_default_options()};
    option_list operands;
    const option_result result = parse(argc, argv, &o, &operands);
    int status = result == OPTIONS_HELPED ? STATUS_DONE : STATUS_WRONG;
    if (result == OPTIONS_GO) {
        o.play.scene = operands.items[0];
        status = run_scene(&o);
    }
    options_free_list(&operands);
    options_free_list(&o.play.set);
    return status;
}
