// SPDX-License-Identifier: MIT
// progress.h - progress of long work, and whether it was asked to stop. On a terminal it is a bar
// that is drawn over and over, elsewhere a plain line now and then; both on standard error.
#pragma once

#include <stdbool.h>

// Returns seconds that never go back.
double progress_clock(void);

// The progress of one piece of work. Fields belong to progress.c.
typedef struct progress {
    const char *name;
    double end;  // simulated seconds
    bool silent; // nothing is shown
    bool bar;    // standard error is a terminal
    double started, shown;
    double shown_part;
} progress;

// Starts a progress. `name` is not copied.
void progress_start(progress *p, const char *name, double end, bool silent);

// Shows that `time` of the simulated seconds are done after `frames` frames.
void progress_show(progress *p, double time, long frames);

// Clears the bar from the terminal, so that a message can be printed there.
void progress_clear(void);

// Makes an interrupt (Ctrl-C) or a termination be remembered, once; a second one ends the program
// as usual. One that is ignored, as under nohup, stays ignored.
void progress_watch_signals(void);

// Returns the signal that came, such as "interrupted", or NULL.
const char *progress_stop_wanted(void);
