// SPDX-License-Identifier: MIT
// headless.h - an OpenGL context without a display or window (EGL), on a GPU or in software.
#pragma once

#include "rill/base.h"

typedef struct headless headless;

// Makes a context current on the calling thread. Without EGL or a driver: RILL_NO_BACKEND and a
// sentence in trouble_text().
rill_status headless_create(headless **out);
void headless_destroy(headless **h);
