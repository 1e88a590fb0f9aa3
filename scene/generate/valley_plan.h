// SPDX-License-Identifier: MIT
// valley_plan.h - the plan of a generated valley, before any cell is filled: the courses of its
// river, of the river it once had and of a side stream, and the places of rocks and islands.
#pragma once

#include "rill/generate.h"
#include "rill/support.h"

// ---- Courses ----------------------------------------------------------------------------
//
// The course of a river is a line of points in metres that does not depend on any grid; any place
// has a position relative to it (valley_course.c).

typedef struct rl_course {
    int count;
    double *x, *y; // metres, downstream
    double *s;     // metres along the line, 0 at the first point
    double *bend;  // -1 to 1, positive where it turns left, felt a little downstream

    // For nodes of a coarse lattice: the nearest point, -1 when that is beyond `reach`.
    int lattice_nx, lattice_ny;
    double lattice, reach;
    int *nearest;

    const rill_allocator *allocator;
    size_t bytes, nearest_bytes;
} rl_course;

// The position of a place relative to a course.
typedef struct rl_course_place {
    double distance; // metres, positive to the left of the course; beyond reach: 1e30
    double s, bend;  // of the nearest point of the line
} rl_course_place;

// Reserves `count` points. Returns false when there is no memory.
bool rl_course_create(const rill_allocator *allocator, int count, rl_course *out);
void rl_course_destroy(rl_course *course);

// Finds s and bend from x and y. `width` is that of the river: bends are felt over as much.
void rl_course_measure(rl_course *course, double width);

// Prepares rl_course_locate for places with 0 <= x <= width, 0 <= y <= height that are up to
// `reach` from the line. Returns false when there is no memory.
bool rl_course_index(rl_course *course, double width, double height, double reach);

rl_course_place rl_course_locate(const rl_course *course, double x, double y);

// ---- The plan ---------------------------------------------------------------------------

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

// ---- What both generators share (generate.c) --------------------------------------------

// Clears `out`; a NULL argument is RILL_BAD_ARGUMENT.
rill_status rl_generate_begin(const void *def, rill_heightfield **out);

// Returns RILL_BAD_DEF with a message when a side is out of range.
rill_status rl_generate_check_size(int nx, int ny);
