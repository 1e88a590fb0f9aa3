// SPDX-License-Identifier: MIT
#include "gpu/cuda/host_pin.h"

#include <cuda_runtime.h>

// Bytes between two arrays that belong together.
#define LARGEST_GAP 4096

void rl_host_pin_once(rl_host_pin *pin, void *memory, size_t bytes)
{
    if (pin->asked)
        return;
    pin->asked = 1;
    if (cudaHostRegister(memory, bytes, cudaHostRegisterDefault) == cudaSuccess)
        pin->memory = memory;
    cudaGetLastError();
}

void rl_host_pin_mesh(rl_host_pin *pin, const rl_gpu_surface_host *host, size_t vertices,
                      size_t triangles)
{
    const char *end = (const char *)(host->indices + 3 * triangles);
    const size_t bytes = vertices * sizeof *host->vertices + 3 * triangles * sizeof *host->indices;
    const ptrdiff_t span = end - (const char *)host->vertices;
    if (span >= (ptrdiff_t)bytes && span <= (ptrdiff_t)bytes + LARGEST_GAP)
        rl_host_pin_once(pin, host->vertices, (size_t)span);
}

void rl_host_pin_release(rl_host_pin *pin)
{
    if (pin->memory != nullptr)
        cudaHostUnregister(pin->memory);
    pin->memory = nullptr;
}
