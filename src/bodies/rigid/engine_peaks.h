// SPDX-License-Identifier: MIT
// engine_peaks.h - what engine_contacts.c and engine_peaks.c share: the ground as a relief, and the
// vertices of a body.
#pragma once

#include "bodies/rigid/engine_contacts.h"

#include <math.h>

typedef struct rl_relief {
    const rill_field *bed; // elevations at cell centres
    double cell_size;
} rl_relief;

// Cells [first, end) whose centres lie between two places, along an axis.
static inline void rl_relief_cells(double low, double high, double cell_size, int count, int *first,
                                   int *end)
{
    const double from = ceil(low / cell_size - 0.5), to = floor(high / cell_size - 0.5) + 1.0;
    *first = from > 0.0 ? (int)fmin(from, count) : 0;
    *end = to > 0.0 ? (int)fmin(to, count) : 0;
}

// A vertex of a body in its own coordinates.
static inline void rl_body_own_vertex(const rl_bodies *bodies, const rl_body *body, uint32_t vertex,
                                      double own[3])
{
    const float *rest = bodies->rest + 3 * ((size_t)body->first_vertex + vertex);
    for (int a = 0; a < 3; a++)
        own[a] = (double)rest[a];
}

// Cell centres that stick into the body at place `n`: the deepest of each quarter around its
// middle, so at most 4. Returns their number.
int rl_contacts_peaks(const rl_bodies *bodies, int n, const double box[6], const rl_relief *relief,
                      rl_contact out[4]);
