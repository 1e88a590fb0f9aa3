// SPDX-License-Identifier: MIT
// record.h - saves pictures and films of the window in the current folder. Existing files are never
// overwritten.
//
// A film has 30 pictures a second of what a wall clock would have seen on a machine that is fast
// enough: one each speed / 30 seconds of simulated time. The simulation waits for each of them, so
// a slow machine makes a film slowly, not a jerky one; a pause is not in it.
#pragma once

#include "apps/view/window.h"

// Saves the next picture, without the panel.
void record_picture(view *v);

// Starts a film, or ends the one that is being made.
void record_toggle_film(view *v);

// Records the picture in the film if it is due; called after the scene was drawn and before the
// panel is.
void record_film(view *v);

// Writes the file of a saved picture, after it was drawn.
void record_save_picture(view *v);
void record_save_shot(view *v);

// Ends a film without a message to the window, which is closing.
void record_close(view *v);
