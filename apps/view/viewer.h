// SPDX-License-Identifier: MIT
// viewer.h - the window of `rill view`: a scene that runs, seen through a camera that the user
// moves, with brushes for water and ground and a panel for all settings.
#pragma once

#include "rill/world.h"

typedef struct view_options {
    const char *scene;            // a built-in name or a file
    const char *const *overrides; // assignments such as "pipes.friction=0.3", for this scene only
    int override_count;
    int threads; // of the simulation; 0: all cores
    rill_backend backend;
    int width, height;  // of the window; 0: 1280 x 720
    const char *script; // file of events to play, after which the window closes; NULL: none
} view_options;

// Shows the window until it is closed. An error is a message in render_error_text().
rill_status view_run(const view_options *options);
