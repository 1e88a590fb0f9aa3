// SPDX-License-Identifier: MIT
// gpu_cuda.c - the interface of gpu.h over CUDA.
#include "core/assert.h"
#include "gpu/gpu.h"

#include "gpu/cuda/gpu_solvers.h"
#include "gpu/cuda/mirror/device.h"
#include "gpu/cuda/particles/particles_device.h"

#include "rill/support.h"

rill_status rl_gpu_check(void)
{
    const int error = rl_device_find();
    if (error == 0)
        return RILL_OK;
    return rill_fail(RILL_NO_BACKEND,
                     "this machine has no GPU that Rill can use, or no driver for it: %s",
                     rl_device_text(error));
}

const rl_solver_ops *rl_gpu_ops(rill_solver solver)
{
    switch (solver) {
    case RILL_SOLVER_PIPES:
        return &rl_gpu_pipes_ops;
    case RILL_SOLVER_LAYERS:
        return &rl_gpu_layers_ops;
    case RILL_SOLVER_SWE:
        return &rl_gpu_swe_ops;
    default:
        return NULL;
    }
}

const struct rl_particles_device *rl_gpu_particles(void)
{
    return &rl_gpu_particles_table;
}

rill_status rl_gpu_measure(char *name, size_t name_size, double *copy_bytes_per_second)
{
    RL_ASSERT(name != NULL && copy_bytes_per_second != NULL);
    const rill_status status = rl_gpu_check();
    if (status != RILL_OK)
        return status;
    int error = rl_device_name(name, name_size);
    if (error == 0)
        error = rl_device_copy_speed(copy_bytes_per_second);
    return error == 0 ? RILL_OK
                      : rill_fail(RILL_DEVICE, "the GPU failed: %s", rl_device_text(error));
}
