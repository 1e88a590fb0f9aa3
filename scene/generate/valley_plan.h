// SPDX-License-Identifier: MIT
// valley_plan.h - the plan of a generated valley, before any cell is filled: the courses of its
// river, of the river it once had and of a side stream, and the places of rocks and islands.
#pragma once

#include "scene/generate/valley_course.h"

#include "rill/generate.h"

#define RL_VALLEY_LEVELS 257 // entries of the table of levels

typedef struct rl_valley_rock {
    double x, y, radius, top; // metres; top above the water
} rl_valley_rock;

typedef struct rl_valley_plan {
    rill_valley_def def;
    double width_x, width_y; // of the terrain, metres
    uint32_t seed;           // of the noises
    rl_course river, old;
    rl_course side, stream; // the side valley and the stream that meanders in it
    bool has_stream;
    double end_s;                    // of the river where it leaves the terrain
    double mouth_level;              // at its mouth
    double stream_width;             // metres
    double levels[RL_VALLEY_LEVELS]; // of the river, evened out, from y = 0 to y = width_y
    double *island_s;                // where islands lie along the river
    rl_valley_rock *rocks;           // in the order of their bins
    int *rock_bins; // first rock of each stretch of RL_VALLEY_BIN widths along the river
    int bins;
    const rill_allocator *allocator;
} rl_valley_plan;

#define RL_VALLEY_BASE 100.0 // level of the river where it leaves, metres
#define RL_VALLEY_BIN  0.5   // widths

// Makes a plan. Returns RILL_NO_MEMORY when there is none; then nothing is left behind.
rill_status rl_valley_plan_make(const rill_valley_def *def, const rill_allocator *allocator,
                                rl_valley_plan *out);
void rl_valley_plan_destroy(rl_valley_plan *plan);

// Returns x of the valley's axis at y, metres.
double rl_valley_axis(const rl_valley_plan *plan, double y);

// Returns the level of the river when it is full to its banks, at s metres along it.
static inline double rl_valley_level(const rl_valley_plan *plan, double s)
{
    return RL_VALLEY_BASE + plan->def.fall * (plan->end_s - s);
}
