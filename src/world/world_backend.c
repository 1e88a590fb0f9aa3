// SPDX-License-Identifier: MIT
// world_backend.c - where the water of a world is computed.
#include "world/world_internal.h"

#include "gpu/gpu.h"

rill_status rl_world_pick_backend(const rill_world_def *def, const rl_solver_ops **on_gpu)
{
    *on_gpu = NULL;
    if (def->backend == RILL_BACKEND_CPU)
        return RILL_OK;
    const rl_solver_ops *ops = rl_gpu_ops(def->solver);
    if (def->backend == RILL_BACKEND_AUTO) {
        if (ops != NULL && rl_gpu_check() == RILL_OK)
            *on_gpu = ops;
        return RILL_OK;
    }
    const rill_status status = rl_gpu_check();
    if (status != RILL_OK)
        return status;
    *on_gpu = ops;
    return ops != NULL ? RILL_OK
                       : rill_fail(RILL_NO_BACKEND, "the %s solver has no version for a GPU",
                                   rl_solver_of(def->solver)->name);
}

const char *rill_world_backend(const rill_world *world)
{
    return world == NULL ? "" : world->on_gpu ? "cuda" : "cpu";
}

static rill_status check_name(rill_backend backend)
{
    if ((int)backend >= 0 && backend < RILL_BACKEND_COUNT)
        return RILL_OK;
    return rill_fail(RILL_BAD_ARGUMENT, "there is no back end %d", (int)backend);
}

rill_status rill_backend_check(rill_backend backend)
{
    const rill_status status = check_name(backend);
    return status == RILL_OK && backend == RILL_BACKEND_CUDA ? rl_gpu_check() : status;
}

rill_status rill_backend_measure(rill_backend backend, char *name, size_t name_size,
                                 double *copy_bytes_per_second)
{
    const rill_status status = check_name(backend);
    if (status != RILL_OK)
        return status;
    if (backend == RILL_BACKEND_CPU || name == NULL || copy_bytes_per_second == NULL)
        return rill_fail(RILL_BAD_ARGUMENT,
                         "rill_backend_measure needs a GPU's back end, a place for "
                         "its name and one for its speed");
    return rl_gpu_measure(name, name_size, copy_bytes_per_second);
}
