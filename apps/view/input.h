// SPDX-License-Identifier: MIT
// input.h - events of mouse and keyboard. GLFW's callbacks and scripts call the same functions.
#pragma once

#include "apps/view/window.h"

// Keys and modifiers as GLFW numbers them.
void input_key(view *v, int key, bool down, int modifiers);
void input_character(view *v, unsigned code);
void input_button(view *v, int button, bool down);
void input_move(view *v, double x, double y); // in the window's coordinates
void input_scroll(view *v, double amount);

// The number of a key by its name in scripts: "space", "a", "f12"; -1 when there is none.
int input_key_named(const char *name);
