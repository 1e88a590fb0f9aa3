// SPDX-License-Identifier: MIT
// shaders.h - the GLSL files of render/shaders, embedded in the program.
#pragma once

typedef struct shader_file {
    const char *name; // without ending
    const char *text;
} shader_file;

// Ends with a row of null pointers.
extern const shader_file shader_files[];
