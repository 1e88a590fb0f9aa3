// SPDX-License-Identifier: MIT
// gpu_none.c - the interface of gpu.h in builds without a GPU.
#include "gpu/gpu.h"
#include "gpu/surface_gpu.h"

#include "rill/support.h"

rill_status rl_gpu_check(void)
{
    return rill_fail(RILL_NO_BACKEND, "this build of Rill has no GPU back end: it was made without "
                                      "the CUDA compiler (nvcc)");
}

const rl_solver_ops *rl_gpu_ops(rill_solver solver)
{
    (void)solver;
    return NULL;
}

const rl_gpu_surface_ops *rl_gpu_surface_table(void)
{
    return NULL;
}

const struct rl_particles_device *rl_gpu_particles(void)
{
    return NULL;
}

rill_status rl_gpu_measure(char *name, size_t name_size, double *copy_bytes_per_second)
{
    if (name_size > 0)
        name[0] = '\0';
    *copy_bytes_per_second = 0.0;
    return rl_gpu_check();
}
