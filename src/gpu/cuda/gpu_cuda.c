// SPDX-License-Identifier: MIT
// gpu_cuda.c - the interface of gpu.h over CUDA.
#include "gpu/gpu.h"

#include "gpu/cuda/mirror/device.h"

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

// The solvers that run on a CUDA device. A new one is its kernels and its line here.
// clang-format off
#define SOLVERS(add) \
    add(RILL_SOLVER_PIPES, rl_gpu_pipes_ops) \
    add(RILL_SOLVER_LAYERS, rl_gpu_layers_ops) \
    add(RILL_SOLVER_SWE, rl_gpu_swe_ops)
// clang-format on

#define DECLARE(number, ops) extern const rl_solver_ops ops;
SOLVERS(DECLARE)

#define ENTER(number, ops) [number] = &ops,
static const rl_solver_ops *const solvers[RILL_SOLVER_COUNT] = {SOLVERS(ENTER)};

const rl_solver_ops *rl_gpu_ops(rill_solver solver)
{
    return (unsigned)solver < RILL_SOLVER_COUNT ? solvers[solver] : NULL;
}

rill_status rl_gpu_measure(char *name, size_t name_size, double *copy_bytes_per_second)
{
    RILL_TRY(rl_gpu_check());
    int error = rl_device_name(name, name_size);
    if (error == 0)
        error = rl_device_copy_speed(copy_bytes_per_second);
    return error == 0 ? RILL_OK
                      : rill_fail(RILL_DEVICE, "the GPU failed: %s", rl_device_text(error));
}
