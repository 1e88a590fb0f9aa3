// SPDX-License-Identifier: MIT
// device_memory.cuh - allocation in a device's memory, and the handling of errors.
#pragma once

#include <cstddef>
#include <cuda_runtime.h>

// Returns the error of a call from a function that returns int.
#define RL_TRY(call)                      \
    do {                                  \
        const int rl_tried = (int)(call); \
        if (rl_tried != 0)                \
            return rl_tried;              \
    } while (0)

// Allocates `count` values that are zero for the next work in the stream of `owner`, and adds their
// bytes to those that it has.
template <class OWNER, typename T>
static inline cudaError_t rl_device_take(OWNER *owner, size_t count, T **out)
{
    const cudaError_t error = cudaMalloc((void **)out, count * sizeof(T));
    if (error != cudaSuccess)
        return error;
    owner->bytes += count * sizeof(T);
    return cudaMemsetAsync(*out, 0, count * sizeof(T), owner->stream);
}
