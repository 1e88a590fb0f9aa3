// SPDX-License-Identifier: MIT
// play.h - a scene that is played from its first moment on, in frames as long as the scene says.
// Commands that play the same scene to the same time come to the same state, to the last bit,
// whatever they do between the frames.
#pragma once

#include "apps/rill/options.h"

#include "rill/scene.h"
#include "rill/world.h"

#include <stdio.h>

#define PLAY_TOLERANCE 1e-6 // of a frame: sums of frames miss a round time by less

// What is played. Start from play_default_options().
typedef struct play_options {
    const char *scene;
    option_list set;
    double time; // simulated seconds; negative: as the scene says
    int threads;
    const char *backend; // name of where to compute
} play_options;

play_options play_default_options(void);

// Rows for the table of a command's options.
option play_threads_option(play_options *options);
option play_backend_option(const char **into);
option play_set_option(play_options *options);
option play_hash_option(bool *into);
option play_quiet_option(bool *into);

// The back end of a name. Returns an exit status; a name that is not known was said.
int play_find_backend(const char *name, rill_backend *out);

// A scene under way.
typedef struct play {
    rill_scene *scene;
    rill_world *world;
    rill_scene_info info;
    double end;  // simulated seconds
    long frames; // until then
    long frame;  // that are done
} play;

// Reads the scene and makes its world. Returns an exit status; then the sentence was said.
// play_close is needed either way.
int play_open(play *p, const play_options *options);
void play_close(play *p);

// Simulated time now, and after the next frame; that of the last frame there is meets `end`.
double play_time(const play *p);
double play_next_time(const play *p);

// Plays one frame. Returns an exit status.
int play_step(play *p);

// "hash: " and sixteen hex digits: the state now.
void play_print_hash(const play *p, FILE *out);
