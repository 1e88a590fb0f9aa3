// SPDX-License-Identifier: MIT
// bench_gpu.h - rows of `rill bench` for waters on a GPU, beside what a copy within its memory
// moves.
#pragma once

#include "bench/bench.h"

// Measures and prints like bench_run().
int bench_gpu_run(const bench_options *options, FILE *out);
