// SPDX-License-Identifier: MIT
// gpu.h - solvers that run on a GPU. Behind this interface is CUDA (gpu/cuda) or, in builds without
// its compiler, a version that reports its absence (gpu_none.c). A solver on a GPU is one more
// table of functions: the world does not know where its columns are.
#pragma once

#include "solvers/solver.h"

// Returns RILL_OK when this build and this machine can run solvers on a GPU; else RILL_NO_BACKEND
// and a message that names what is missing.
rill_status rl_gpu_check(void);

// Returns the table of a solver on the GPU, or NULL for a solver that has none. The caller must
// have called rl_gpu_check() with success.
const rl_solver_ops *rl_gpu_ops(rill_solver solver);

// Returns the particles beside a solver that is on the GPU, or NULL.
const struct rl_particles_device *rl_gpu_particles(void);

// Measures the device's own name, and the bytes a second that a copy within its memory moves, read
// and written both counted.
rill_status rl_gpu_measure(char *name, size_t name_size, double *copy_bytes_per_second);
