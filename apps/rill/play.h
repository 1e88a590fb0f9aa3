// SPDX-License-Identifier: MIT
// play.h - runs a scene from its start, in frames as long as the scene says. Commands that play the
// same scene to the same time come to the same state, to the last bit, independent of what they do
// between the frames.
#pragma once

#include "apps/rill/options.h"

#include "rill/scene.h"
#include "rill/world.h"

#include <stdio.h>

#define PLAY_TOLERANCE 1e-6 // of a frame: sums of frames miss a round time by less

// The scene to play. Start from play_default_options().
typedef struct play_options {
    const char *scene;
    option_list set;
    double time; // simulated seconds; negative: as the scene says
    int threads;
    const char *backend; // name of the back end
} play_options;

play_options play_default_options(void);

// Rows for the table of a command's options.
option play_threads_option(play_options *options);
option play_backend_option(const char **into);
option play_set_option(play_options *options);
option play_hash_option(bool *into);
option play_quiet_option(bool *into);

// Finds the back end of a name. Returns an exit status; an unknown name was reported.
int play_find_backend(const char *name, rill_backend *out);

// A scene that is being played.
typedef struct play {
    rill_scene *scene;
    rill_world *world;
    rill_scene_info info;
    double end;  // simulated seconds
    long frames; // until then
    long frame;  // that are done
    // Of those that are done: how many took fewer substeps than their stability asks for, and when
    // the first of them began, simulated seconds.
    long capped;
    double capped_since;
} play;

// Reads the scene and makes its world. Returns an exit status; an error was reported. The caller
// must call play_close either way.
int play_open(play *p, const play_options *options);
void play_close(play *p);

// Return the simulated time now, and after the next frame; the last frame ends at `end`.
double play_time(const play *p);
double play_next_time(const play *p);

// Plays one frame. Returns an exit status.
int play_step(play *p);

// Says, when frames were capped, how many and what that means; to be called once at the end. Where
// the scene allows fewer substeps than is the default, which only a scene does that means it (the
// papers' steps), it is a note on `out`, else a warning on standard error.
void play_report_capped(const play *p, FILE *out);

// Says, in a warning for each on standard error, which limits of the engine have bound
// (rill_limits); to be called once at the end. `out` is what was printed to before.
void play_report_limits(const play *p, FILE *out);

// Prints "hash: " and sixteen hex digits: the state now.
void play_print_hash(const play *p, FILE *out);
