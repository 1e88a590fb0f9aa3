// SPDX-License-Identifier: MIT
// exact_beach.h - a solitary wave that runs up a plane beach (Synolakis, "The runup of solitary
// waves", J. Fluid Mech. 185, 1987).
//
// Lengths are in depths d of the level sea, times in sqrt(d / g). x = 0 is the shore at rest, x
// points out to sea, and the beach of slope 1 / cot ends at its toe x = cot. At t = 0 the crest of
//
//     eta = H sech^2(gamma (x - x1)),   gamma = sqrt(3 H / 4)
//
// is at x1 and comes in. The linear long waves over beach and sea are an integral over frequencies;
// Carrier and Greenspan's transform bends it into the nonlinear solution on the beach:
//
//     u = psi_s / s,   eta = psi_l / 4 - u^2 / 2,   x = cot (s^2 / 16 - eta),   t = cot (u - l / 2)
//
// with (s psi_s)_s = s psi_ll. s = 0 is the moving shore.
#pragma once

#include <stdbool.h>

typedef struct exact_beach exact_beach;

// The place and state of the water at one value of s.
typedef struct exact_beach_point {
    double x, level, velocity; // of the surface; velocity out to sea is positive
} exact_beach_point;

// Creates the solution; NULL when there is no memory.
exact_beach *exact_beach_create(double cot, double height);
void exact_beach_destroy(exact_beach *beach);

double exact_beach_crest(const exact_beach *beach); // x1
// Returns the wave at t = 0, over the level sea.
double exact_beach_wave(const exact_beach *beach, double x);

// Computes psi_l / 4 (the level of the linear wave) and u at (s, l).
void exact_beach_transform(const exact_beach *beach, double s, double l, double *level,
                           double *velocity);

// Computes the water at time t, from the shore out to sea: `count` points with s from 0 to `s_end`
// (4 is the toe). Returns false when the wave breaks, that is when l cannot be found.
bool exact_beach_profile(const exact_beach *beach, double t, double s_end,
                         exact_beach_point *points, int count);

// Returns the level at x between the points of a profile; NaN on dry land and beyond the last
// point.
double exact_beach_level(const exact_beach_point *points, int count, double x);

// Return the largest run-up: from the integral, and by the law R = 2.831 sqrt(cot) H^(5/4) for
// waves that do not break, which takes the integral for its value with 2 k cot large.
double exact_beach_runup(const exact_beach *beach);
double exact_beach_runup_law(double cot, double height);
