// SPDX-License-Identifier: MIT
// script.h - plays events from a file, for tests and demonstrations; docs/view.md lists the
// commands.
#pragma once

#include "apps/view/window.h"

typedef struct script script;

// Reads a script. A mistake is a message with file and line in render_error_text().
rill_status script_open(const char *path, script **out);
void script_close(script **s);

// Plays the events that are due, once a picture. Returns whether the next picture must be drawn for
// it.
bool script_play(view *v);
