// SPDX-License-Identifier: MIT
// headless.h - an OpenGL context without a display or window (EGL), on a GPU or in software.
#pragma once

#include "rill/base.h"

typedef struct headless headless;

// Makes a context current on the calling thread. Without EGL or a driver it returns
// RILL_NO_BACKEND, with a message in render_error_text().
rill_status headless_create(headless **out);
void headless_destroy(headless **h);
