// SPDX-License-Identifier: MIT
// flow_pass.h - advects detail and foam with the water on the graphics card: two layers of moving
// detail (Kellomäki section 5) and foam. Each layer moves with the velocity for a while and is
// reset when its weight is zero, so that it never stretches much and never jumps.
#pragma once

#include "render/gl.h"

#include <stddef.h>

typedef struct flow {
    int nx, ny;
    GLuint program;
    GLuint displaced[2], foam[2], framebuffers[2];
    int now;       // which of the two holds the present
    double time;   // simulated seconds that the layers have been moved to
    long reset[2]; // how often each layer has been reset
} flow;

rill_status flow_create(int nx, int ny, flow *f);
void flow_destroy(flow *f);

// Cells [i0, i1) x [j0, j1).
typedef struct flow_region {
    int i0, j0, i1, j1;
} flow_region;

// A step of the advection.
typedef struct flow_step {
    double time;    // simulated seconds
    bool first;     // starts anew
    float shift[2]; // of the domain over the full terrain since, metres
    // Where there is water at all, when it is known; with none it may be anywhere.
    const flow_region *regions;
    size_t region_count;
} flow_step;

// Advances to a step. Needs the maps of ground and columns bound and the Frame block set; leaves
// its own maps bound.
void flow_advance(flow *f, const flow_step *step, GLuint no_points);

// Computes the weights of the two layers at the present, and where in the tile each of them lies.
void flow_weights(const flow *f, float weights[4]);

void flow_bind(const flow *f);
