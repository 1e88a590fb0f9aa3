// SPDX-License-Identifier: MIT
// validate.h - checks that several solvers make in their `validate` (solver.h). Each returns NULL
// or a sentence, which holds until the next error of the thread.
#pragma once

#include "rill/support.h"

// The sentence of what does not hold.
#define RL_INVALID(...) (rill_fail(RILL_BAD_ARGUMENT, __VA_ARGS__), rill_last_error())

// Water of a row of columns.
typedef struct rl_validate_row {
    const char *solver;
    int layer, row, first, end;       // cells [first, end)
    const float *depth;               // finite, not negative, at most `deepest`
    const float *remainder;           // within `largest_remainder`
    float deepest, largest_remainder; // metres
} rl_validate_row;
const char *rl_validate_row_of(const rl_validate_row *row);

// How much of a length roundings may leave in a remainder.
#define RL_VALIDATE_ROUNDINGS 1e-5f

// Every value of `width` from `row[0]` on is finite and within `most`.
const char *rl_validate_values(const char *solver, const char *what, int y, const float *row,
                               int width, float most);

// Every value is 0, of either sign.
const char *rl_validate_closed(const char *solver, const char *what, int y, const float *row,
                               ptrdiff_t stride, int count);
