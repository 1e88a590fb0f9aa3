// SPDX-License-Identifier: MIT
// progress.h - long work: how far it is, and whether it was asked to stop. On a terminal a bar that
// is drawn over and over, elsewhere a plain line now and then; both on standard error.
#pragma once

#include <stdbool.h>

// Seconds that never go back.
double progress_clock(void);

// A progress under way. Fields belong to progress.c.
typedef struct progress {
    const char *name;
    double end;  // simulated seconds
    bool silent; // nothing is shown
    bool bar;    // standard error is a terminal
    double started, shown;
    double shown_part;
} progress;

// `name` is kept, not copied.
void progress_start(progress *p, const char *name, double end, bool silent);

// `time` of the simulated seconds are done after `frames` frames.
void progress_show(progress *p, double time, long frames);

// Takes the bar off the terminal, so that something else can be said there.
void progress_clear(void);

// From now on an interrupt (Ctrl-C) or a termination is remembered, once; a second one ends the
// program as usual. One that is ignored, as under nohup, stays ignored.
void progress_watch_signals(void);

// The signal that came, such as "interrupted", or NULL.
const char *progress_stop_wanted(void);
