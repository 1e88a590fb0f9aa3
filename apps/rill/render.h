// SPDX-License-Identifier: MIT
// render.h - `rill render`: the parsed arguments, and the work, which is in render_film.c where the
// build has a renderer.
#pragma once

#include "apps/rill/options.h"
#include "apps/rill/play.h"

#include <stdbool.h>

typedef struct render_options {
    play_options play;
    const char *output;
    int size[2];  // pixels
    double fps;   // pictures per second of film
    double from;  // simulated seconds before the first picture
    double speed; // simulated seconds per second of film
    int samples;  // pictures that are averaged; 0: by the kind of film
    const char *overlay;
    option_list camera;
    bool hash, quiet;
} render_options;

// Plays the scene and films it. Returns an exit status.
int render_film(const render_options *options);
