// SPDX-License-Identifier: MIT
// roofline.h - how fast this machine's memory lets anybody update cells in place.
#pragma once

// Million cells a second of a loop that reads four arrays of floats and writes three of them back,
// with next to no arithmetic: 28 bytes a cell, what a pipe step must move at the least. The arrays
// are far larger than the caches. Best of several runs on `threads` threads. 0 without memory.
double bench_roofline(int threads);
