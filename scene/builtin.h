// SPDX-License-Identifier: MIT
// builtin.h - the scenes carried inside the library, and the DEMs that they use. The tables are
// written at build time from scenes/*.toml and scenes/*.asc by cmake/embed_scenes.cmake, sorted by
// name, and end with a null name.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct rl_builtin_scene {
    const char *name;
    const char *description; // the scene's own, one line
    const char *text;        // ends with a zero byte that `bytes` does not count
    size_t bytes;
} rl_builtin_scene;

extern const rl_builtin_scene rl_builtin_scenes[];

// A built-in scene with the choices that its paper prints (printed.c). What follows RL_PRINTED in
// its name is that of the scene.
#define RL_PRINTED           "paper-"
#define RL_PRINTED_OVERRIDES 16
typedef struct rl_printed_scene {
    const char *name;
    const char *overrides[RL_PRINTED_OVERRIDES + 1]; // as of rill_scene_open; the last is NULL
} rl_printed_scene;

// NULL when there is none of this name.
const rl_printed_scene *rl_printed_scene_find(const char *name);

typedef struct rl_builtin_file {
    const char *name; // such as "river-dem.asc"
    const char *data;
    size_t bytes;
} rl_builtin_file;

extern const rl_builtin_file rl_builtin_files[];

// Names of these files begin with "builtin:".
bool rl_builtin_is_name(const char *path);

// Opens a file for reading: one of these, or of the disk. NULL with errno when there is none.
FILE *rl_builtin_open(const char *path);
