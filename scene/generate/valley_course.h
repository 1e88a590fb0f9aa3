// SPDX-License-Identifier: MIT
// valley_course.h - the course of a river in a generated valley: a line of points in metres that
// does not depend on any grid, and the position of any place relative to it.
#pragma once

#include "rill/support.h"

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
