// SPDX-License-Identifier: MIT
// flow.h - what drifts with the water on the graphics card: the two layers of moving detail
// (003 section 5) and foam. Each layer is carried along by the velocity for a while and put back
// when its weight is zero, so that it never stretches much and never jumps.
#pragma once

#include "render/gl.h"

typedef struct flow {
    int nx, ny;
    GLuint program;
    GLuint displaced[2], foam[2], framebuffers[2];
    int now;       // which of the two holds the present
    double time;   // simulated seconds that the layers have been moved to
    long reset[2]; // how often each layer has been put back
} flow;

rill_status flow_create(int nx, int ny, flow *f);
void flow_destroy(flow *f);

// Carries everything on to simulated `time`; `first` starts anew. `shift` is how far the grid has
// moved over its country since, metres. Needs the maps of ground and
// columns bound and the Frame block set; leaves its own maps bound.
void flow_advance(flow *f, double time, bool first, const float shift[2], GLuint no_points);

// Weights of the two layers at the present, and where in the tile each of them lies.
void flow_weights(const flow *f, float weights[4]);

void flow_bind(const flow *f);
