// SPDX-License-Identifier: MIT
// bench_render.h - rows of `rill bench` for the renderer: pictures of a paused world, where their
// time goes, and what of it the processor must do even beside the fastest graphics card.
#pragma once

#include "render/renderer.h"

#include <stdio.h>

typedef struct bench_picture_case {
    const char *name;
    const char *scene; // name of a built-in one, or the text of one
    double time;       // simulated seconds at the picture
    int width, height; // pixels
    // Chentanez and Müller Table 2, its column Total, of a whole frame: then the world's steps are
    // timed as well. 0: the world is paused.
    double paper_ms;
} bench_picture_case;

extern const bench_picture_case bench_picture_cases[];
extern const int bench_picture_case_count;

// Milliseconds are the best of several pictures.
typedef struct bench_picture {
    const bench_picture_case *c;
    char solver[32], device[128]; // of the water; the driver's name for itself
    int nx, ny, pictures;
    double ms_per_frame;        // from frame data in memory to a finished picture
    double ms_pass[PASS_COUNT]; // each with a wait at its end, so that they sum up to more
    double ms_still;            // filling the frame data: mesh of the water, packing
    double ms_calls;            // of the processor: calls of OpenGL with their copies
    double ms_world;            // a frame of the world; 0: paused
    size_t triangles, bytes;    // of water; to the graphics card for a picture
} bench_picture;

// Plays the scene and draws it. Without a driver it returns RILL_NO_BACKEND; messages are in
// render_error_text().
rill_status bench_picture_measure(const bench_picture_case *c, bench_picture *out);

// Prints a row; where the paper has a Total, of the frame of the world, its data and its picture
// one after the other. `roofline` is bench_roofline(1).
void bench_picture_print_json(FILE *out, const bench_picture *p, double roofline);
void bench_picture_print(FILE *out, const bench_picture *p, double roofline);
