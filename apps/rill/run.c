// SPDX-License-Identifier: MIT
// run.c - `rill run`: a scene from its first moment to its last, frame by frame.
#include "apps/rill/command.h"
#include "apps/rill/options.h"
#include "apps/rill/progress.h"
#include "apps/rill/run_files.h"
#include "apps/rill/run_report.h"
#include "apps/rill/say.h"

#include "rill/scene.h"
#include "rill/world.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#define MOST_THREADS         256
#define MOST_DEFAULT_THREADS 16   // beyond these a step waits for memory
#define MOST_FRAMES          1e9  // of a run: months
#define NO_TIME              -1.0 // --time was not given
#define TOLERANCE            1e-6 // of a frame: sums of frames miss a round time by less

typedef struct run_options {
    const char *scene, *folder, *backend, *stats;
    double time;
    int threads;
    bool hash, quiet;
    option_list set;
} run_options;

// A run under way and everything it owns.
typedef struct run {
    const run_options *options;
    rill_scene *scene;
    rill_world *world;
    rill_scene_info info;
    double end;  // simulated seconds
    long frames; // until then
    long frame;  // that are done
    bool files_open;
    run_files files;
    FILE *stats; // NULL: none wanted
    run_report report;
    progress progress;
} run;

// ---- Arguments -------------------------------------------------------------------------

static int default_threads(void)
{
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online < 1 ? 1 : online > MOST_DEFAULT_THREADS ? MOST_DEFAULT_THREADS : (int)online;
}

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
         &o->time, 0.0, 1e15},
        {"threads", 0, OPTION_COUNT, "N",
         "Threads. Default: the processors, at most 16.\nResults do not depend on it.", &o->threads,
         1, MOST_THREADS},
        {"backend", 0, OPTION_TEXT, "NAME", "cpu (default) or cuda.", &o->backend, 0, 0},
        {"stats", 0, OPTION_TEXT, "FILE",
         "Write a JSON object a frame; - is standard output,\nand the table goes to standard "
         "error.",
         &o->stats, 0, 0},
        {"hash", 0, OPTION_FLAG, NULL, "Print the hash of the final state as the last line.",
         &o->hash, 0, 0},
        {"set", 0, OPTION_LIST, "KEY=VALUE",
         "Override one key of the scene, such as\npipes.friction=0.3. May be repeated.", &o->set, 0,
         0},
        {"quiet", 'q', OPTION_FLAG, NULL, "Show no progress.", &o->quiet, 0, 0},
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

static int check_backend(const char *name)
{
    static const char *const known[] = {"cpu", "cuda"};
    if (strcmp(name, "cpu") == 0)
        return STATUS_DONE;
    if (strcmp(name, "cuda") == 0)
        return say_failed("this build has no CUDA back end; --backend cpu is the one it has");
    const char *nearest = say_nearest(name, known, 2);
    return say_wrong("--backend: \"%s\" is not known; %s%s", name,
                     nearest != NULL ? "did you mean " : "it must be ",
                     nearest == NULL               ? "cpu or cuda"
                     : strcmp(nearest, "cpu") == 0 ? "cpu?"
                                                   : "cuda?");
}

// ---- Before the first frame ------------------------------------------------------------

// Nothing is written before scene and world are there.
static int open_world(run *r)
{
    const run_options *o = r->options;
    rill_status status = rill_scene_open(o->scene, o->set.items, o->set.count, NULL, &r->scene);
    if (status != RILL_OK)
        return say_status(status);
    r->info = rill_scene_describe(r->scene);
    r->end = o->time >= 0.0 ? o->time : r->info.duration;
    const double frames = ceil(r->end / r->info.frame - TOLERANCE);
    if (!(frames <= MOST_FRAMES))
        return say_wrong("%g s in frames of %g s are %.3g frames, at most %g are possible", r->end,
                         r->info.frame, frames, MOST_FRAMES);
    r->frames = r->end > 0.0 && frames < 1.0 ? 1 : (long)frames;
    status = rill_scene_create_world(r->scene, o->threads, &r->world);
    return status == RILL_OK ? STATUS_DONE : say_status(status);
}

static int open_stats(run *r)
{
    const char *path = r->options->stats;
    if (path == NULL)
        return STATUS_DONE;
    r->stats = strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
    return r->stats != NULL ? STATUS_DONE
                            : say_failed("%s: cannot be written: %s", path, strerror(errno));
}

static int open_all(run *r)
{
    int status = open_world(r);
    if (status == STATUS_DONE && r->options->folder != NULL) {
        status = run_files_open(&r->files, r->options->folder, r->scene, r->world, r->end);
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
        return say_failed("%s: cannot be written: %s", r->options->stats, strerror(errno));
    return STATUS_DONE;
}

static void close_all(run *r)
{
    close_stats(r);
    if (r->files_open)
        run_files_close(&r->files);
    rill_world_destroy(&r->world);
    rill_scene_destroy(&r->scene);
}

// ---- Frame by frame --------------------------------------------------------------------

// All frames are as long as the scene says, but the last ends at the time asked for. The sum of
// many frames misses a round time by a little; that much does not make a different frame.
static double frame_length(const run *r)
{
    const double frame = r->info.frame;
    if (r->frame + 1 < r->frames)
        return frame;
    const double left = r->end - rill_world_time(r->world);
    if (fabs(left - frame) <= TOLERANCE * frame)
        return frame;
    return left > 0.0 ? left : TOLERANCE * frame;
}

static int write_files(run *r, run_frame *frame)
{
    const bool last = r->frame == r->frames;
    if (!r->files_open || !run_files_due(&r->files, rill_world_time(r->world), last))
        return STATUS_DONE;
    const int status = run_files_write(&r->files, r->world, last);
    frame->output_ms = r->files.output_ms;
    frame->surface_ms = fmax(r->files.surface_ms, 0.0);
    run_report_add_files(&r->report, r->files.surface_ms, r->files.output_ms);
    return status;
}

static int run_frame_once(run *r)
{
    run_frame frame = {0};
    const double start = progress_clock();
    if (rill_world_step(r->world, frame_length(r)) != RILL_OK)
        return say_failed("%s", rill_last_error());
    frame.step_ms = 1e3 * (progress_clock() - start);
    frame.step = rill_world_last_step(r->world);
    r->frame++;
    const int status = write_files(r, &frame);
    run_report_add(&r->report, &frame);
    if (status != STATUS_DONE || r->stats == NULL)
        return status;
    errno = 0;
    if (!run_report_line(r->stats, r->frame, r->world, &frame))
        return say_failed("%s: cannot be written: %s", r->options->stats, strerror(errno));
    return STATUS_DONE;
}

static int run_frames(run *r)
{
    run_frame first = {0};
    int status = write_files(r, &first);
    while (status == STATUS_DONE && r->frame < r->frames && progress_stop_wanted() == NULL) {
        status = run_frame_once(r);
        progress_show(&r->progress, rill_world_time(r->world), r->frame);
    }
    progress_clear();
    return status;
}

// A run that was stopped before its end has failed, but keeps its figures.
static int conclude(run *r)
{
    FILE *const out = r->stats == stdout ? stderr : stdout;
    const int status = close_stats(r);
    run_report_print(&r->report, r->world, r->options->threads, out);
    if (r->options->hash)
        fprintf(out, "hash: %016" PRIx64 "\n", rill_world_hash(r->world));
    if (r->frame < r->frames) {
        fflush(out);
        return say_failed("%s after frame %ld of %ld, at %g of %g s; what was written is kept",
                          progress_stop_wanted(), r->frame, r->frames, rill_world_time(r->world),
                          r->end);
    }
    return status;
}

static int run_scene(const run_options *options)
{
    run r = {.options = options};
    int status = open_all(&r);
    if (status == STATUS_DONE) {
        progress_watch_signals();
        progress_start(&r.progress, r.info.name, r.end, options->quiet);
        status = run_frames(&r);
    }
    if (status == STATUS_DONE)
        status = conclude(&r);
    close_all(&r);
    return status;
}

int command_run(int argc, char **argv)
{
    run_options o = {.backend = "cpu", .time = NO_TIME, .threads = default_threads()};
    option_list operands;
    const option_result result = parse(argc, argv, &o, &operands);
    int status = result == OPTIONS_HELPED ? STATUS_DONE : STATUS_WRONG;
    if (result == OPTIONS_GO) {
        o.scene = operands.items[0];
        status = check_backend(o.backend);
        if (status == STATUS_DONE)
            status = run_scene(&o);
    }
    options_free_list(&operands);
    options_free_list(&o.set);
    return status;
}
