// SPDX-License-Identifier: MIT
// smooth.h - smooths ground with a filter that is close to a Gaussian, in time that does not depend
// on its length. Cells without data (NaN) stay so and count for nothing.
#pragma once

#include "rill/support.h"

// Smooths nx x ny values, row j at values + j * pitch, with a standard deviation of half of
// `length`; both lengths in cells. Takes the memory of a few rows. Returns false when there is no
// memory; then nothing has changed. A length of 0 or less changes nothing.
bool rl_smooth(float *values, size_t pitch, int nx, int ny, double length,
               const rill_allocator *allocator);
