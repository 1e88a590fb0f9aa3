// SPDX-License-Identifier: MIT
// gpu.h - solvers that run on a GPU. Behind this interface stands CUDA (gpu/cuda) or, in
// builds without its compiler, what says so in a sentence (gpu_none.c). A solver on a GPU is one
// more table of functions: the world does not know where its columns lie.
#pragma once

#include "solvers/solver.h"

// RILL_OK when this build and this machine can run solvers on a GPU; else RILL_NO_BACKEND and one
// sentence that says what is missing.
rill_status rl_gpu_check(void);

// The table of a solver on the GPU, or NULL for a solver that has none. To be asked for after
// rl_gpu_check() alone.
const rl_solver_ops *rl_gpu_ops(rill_solver solver);

// Particles beside a solver that is on the GPU, or NULL.
const struct rl_particles_device *rl_gpu_particles(void);

// The device's own name, and the bytes a second that a copy within its memory moves, read and
// written both counted.
rill_status rl_gpu_measure(char *name, size_t name_size, double *copy_bytes_per_second);
