// SPDX-License-Identifier: MIT
// deposit_run.h - giving liquid to a run of columns, exactly, for every solver. What a float
// cannot hold of a depth goes into the column's remainder.
#pragma once

#include <stdbool.h>

bool rl_run_some_negative(const float *values, int count);

// The largest of depths that are not negative.
float rl_run_largest(const float *depths, int count);

// Adds amounts that are not negative, such as rain on a whole row. The sum is exact, filled +
// remainder = depth + change (Dekker). Returns the largest depth.
float rl_run_add(float *restrict depth, float *restrict remainder, const float *restrict amounts,
                 int count);

// Adds any amounts; a column gives no more than it holds. Returns the sum of what was really given,
// metres.
double rl_run_change(float *restrict depth, float *restrict remainder,
                     const float *restrict amounts, int count);

// Adds any amounts by the quicker of the two ways. Returns the sum of what was really given,
// metres; `deepest` is the largest depth after, if that is larger.
double rl_run_deposit(float *restrict depth, float *restrict remainder,
                      const float *restrict amounts, int count, float *deepest);

// The sum has the same order as that of rl_run_change().
double rl_run_sum(const float *values, int count);
