// SPDX-License-Identifier: MIT
// builtin.h - the scenes carried inside the library. The table is written at build time from
// scenes/*.toml by cmake/embed_scenes.cmake, sorted by name, and ends with a null name.
#pragma once

#include <stddef.h>

typedef struct rl_builtin_scene {
    const char *name;
    const char *description; // the scene's own, one line
    const char *text;        // ends with a zero byte that `bytes` does not count
    size_t bytes;
} rl_builtin_scene;

extern const rl_builtin_scene rl_builtin_scenes[];
