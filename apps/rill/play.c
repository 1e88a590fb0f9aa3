// SPDX-License-Identifier: MIT
// play.c - opens a scene for `rill run` and `rill render` and steps its world.
#include "apps/rill/play.h"

#include "apps/rill/command.h"
#include "apps/rill/message.h"

#include "rill/river.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#define MOST_THREADS         256
#define MOST_DEFAULT_THREADS 16  // beyond these a step waits for memory
#define MOST_FRAMES          1e9 // of a run: months

// ---- Arguments -------------------------------------------------------------------------

play_options play_default_options(void)
{
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    const int threads = online < 1                      ? 1
                        : online > MOST_DEFAULT_THREADS ? MOST_DEFAULT_THREADS
                                                        : (int)online;
    return (play_options){.time = -1.0, .threads = threads, .backend = "cpu"};
}

option play_threads_option(play_options *options)
{
    return (option){
        .name = "threads",
        .kind = OPTION_COUNT,
        .value = "N",
        .help = "Threads. Default: the processors, at most 16.\nResults do not depend on it.",
        .into = &options->threads,
        .least = 1,
        .most = MOST_THREADS,
    };
}

option play_backend_option(const char **into)
{
    return (option){
        .name = "backend",
        .kind = OPTION_TEXT,
        .value = "NAME",
        .help = "Where to compute: cpu (default), cuda, or auto: on a GPU\nif there is one. "
                "Results do not depend on it.",
        .into = into,
    };
}

int play_find_backend(const char *name, rill_backend *out)
{
    static const char *const known[RILL_BACKEND_COUNT] = {"cpu", "cuda", "auto"};
    for (int n = 0; n < RILL_BACKEND_COUNT; n++)
        if (strcmp(name, known[n]) == 0) {
            *out = (rill_backend)n;
            return STATUS_DONE;
        }
    const char *nearest = spelling_suggestion(name, known, RILL_BACKEND_COUNT);
    if (nearest != NULL)
        return error_wrong("--backend: \"%s\" is not known; did you mean %s?", name, nearest);
    return error_wrong("--backend: \"%s\" is not known; it must be cpu, cuda or auto", name);
}

option play_set_option(play_options *options)
{
    return (option){
        .name = "set",
        .kind = OPTION_LIST,
        .value = "KEY=VALUE",
        .help = "Override one key of the scene, such as\npipes.friction=0.3. May be repeated.",
        .into = &options->set,
    };
}

option play_hash_option(bool *into)
{
    return (option){
        .name = "hash",
        .kind = OPTION_FLAG,
        .help = "Print the hash of the final state as the last line.",
        .into = into,
    };
}

option play_quiet_option(bool *into)
{
    return (option){
        .name = "quiet",
        .letter = 'q',
        .kind = OPTION_FLAG,
        .help = "Show no progress.",
        .into = into,
    };
}

// ---- Opening ---------------------------------------------------------------------------

int play_open(play *p, const play_options *o)
{
    *p = (play){0};
    rill_backend backend = RILL_BACKEND_CPU;
    const int found = play_find_backend(o->backend, &backend);
    if (found != STATUS_DONE)
        return found;
    rill_status status = rill_scene_open(o->scene, o->set.items, o->set.count, NULL, &p->scene);
    if (status != RILL_OK)
        return error_status(status);
    p->info = rill_scene_describe(p->scene);
    p->end = o->time >= 0.0 ? o->time : p->info.duration;
    const double frames = ceil(p->end / p->info.frame - PLAY_TOLERANCE);
    if (!(frames <= MOST_FRAMES))
        return error_wrong("%g s in frames of %g s are %.3g frames, at most %g are possible",
                           p->end, p->info.frame, frames, MOST_FRAMES);
    p->frames = p->end > 0.0 && frames < 1.0 ? 1 : (long)frames;
    if (p->info.discharge > 0.0 && isatty(STDERR_FILENO))
        fprintf(stderr, "%s: its river of %g m3/s settles first\n", p->info.name,
                p->info.discharge);
    status = rill_scene_create_world_on(p->scene, backend, o->threads, &p->world);
    if (status != RILL_OK)
        return error_status(status);
    const char *doubt = rill_river_path_get(rill_world_river_path(p->world)).doubt;
    if (doubt != NULL)
        warning("%s", doubt);
    return STATUS_DONE;
}

void play_close(play *p)
{
    rill_world_destroy(&p->world);
    rill_scene_destroy(&p->scene);
}

// ---- Frame by frame --------------------------------------------------------------------

// All frames are as long as the scene says, but the last ends at the time asked for. The sum of
// many frames misses a round time by a little; that much does not make a different frame.
static double frame_length(const play *p)
{
    const double frame = p->info.frame;
    if (p->frame + 1 < p->frames)
        return frame;
    const double left = p->end - rill_world_time(p->world);
    if (fabs(left - frame) <= PLAY_TOLERANCE * frame)
        return frame;
    return left > 0.0 ? left : PLAY_TOLERANCE * frame;
}

double play_time(const play *p)
{
    return rill_world_time(p->world);
}

double play_next_time(const play *p)
{
    return play_time(p) + frame_length(p);
}

int play_step(play *p)
{
    const double start = play_time(p);
    if (rill_world_step(p->world, frame_length(p)) != RILL_OK)
        return error_failed("%s", rill_last_error());
    p->frame++;
    if (rill_world_last_step(p->world).capped && p->capped++ == 0)
        p->capped_since = start;
    return STATUS_DONE;
}

// ---- At the end ------------------------------------------------------------------------

void play_report_capped(const play *p, FILE *out)
{
    if (p->capped == 0)
        return;
    const int most = p->info.max_substeps;
    char frames[96];
    snprintf(frames, sizeof frames, "%ld of %ld frames, the first at %g s", p->capped, p->frame,
             p->capped_since);
    if (most < rill_default_world_def().max_substeps) {
        fprintf(out,
                "note: %s, had fewer steps than stability asks for, as the scene wants it "
                "(max_substeps is %d): waves in deep water are slowed down\n",
                frames, most);
        return;
    }
    fflush(out);
    warning("%s, had fewer steps than stability asks for, because max_substeps is %d: waves in "
            "deep water were slower than they should be; a larger world.max_substeps, a shorter "
            "frame or larger cells help",
            frames, most);
}

void play_report_limits(const play *p, FILE *out)
{
    const rill_limits l = rill_world_last_step(p->world).limits;
    fflush(out);
    if (l.full_pool_steps > 0)
        warning("the pool of particles was full in %" PRIu64 " steps: what was to break, fall or "
                "splash then stayed in the water, and foam of emitters was left out; a larger "
                "particles.max_particles, or larger particles (radius, deposit), help",
                l.full_pool_steps);
    if (l.lumps_left_out > 0)
        warning("bodies threw up %" PRIu64 " lumps of water less than they should, because a step "
                "can have 4096, and one place of a body 16: larger particles (particles.radius) or "
                "a smaller bodies.splash_amount help",
                l.lumps_left_out);
    if (l.falls_left_out > 0)
        warning("%d faces over cliffs are no waterfalls, because only a quarter as many as cells, "
                "and 256, can be: water goes over them as down a slope; smoother ground or a "
                "larger swe.cliff help",
                l.falls_left_out);
    if (l.slow_wave_steps > 0)
        warning("water ran further than 64 cells in %" PRIu64 " steps: its fine waves stayed "
                "behind; a shorter frame or larger cells help",
                l.slow_wave_steps);
}

void play_print_hash(const play *p, FILE *out)
{
    fprintf(out, "hash: %016" PRIx64 "\n", rill_world_hash(p->world));
}
