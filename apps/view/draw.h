// SPDX-License-Identifier: MIT
// draw.h - one picture in the window: the world, then what is written on it.
#pragma once

#include "apps/view/window.h"

void draw_picture(view *v);

// Gives back what draw_picture keeps in the context.
void draw_close(view *v);
