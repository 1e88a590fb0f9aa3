// SPDX-License-Identifier: MIT
// record.h - pictures and films of what the window shows, in the current folder. Nothing that
// exists is overwritten.
//
// A film has 30 pictures a second of what the clock on the wall would have seen on a machine that
// keeps up: one each speed / 30 seconds of simulated time. The simulation waits for each of them,
// so a slow machine makes a film slowly, not a jerky one; a pause is not in it.
#pragma once

#include "apps/view/window.h"

// Saves the next picture, without the panel.
void record_picture(view *v);

// Starts a film, or ends the one that is being made.
void record_toggle_film(view *v);

// After the scene was drawn and before the panel is: the film takes the picture if it is due.
void record_film(view *v);

// After a picture was drawn for it: writes the file.
void record_save_picture(view *v);
void record_save_shot(view *v);

// Ends a film without a word to the window, which is closing.
void record_close(view *v);
