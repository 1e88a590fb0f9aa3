// SPDX-License-Identifier: MIT
// device.cu - finds the CUDA device, measures its memory and pins memory of the host.
#include "gpu/cuda/mirror/device.h"

#include <cstdio>
#include <cuda_runtime.h>

#define OLDEST_MAJOR 7 // compute capability 7.5
#define OLDEST_MINOR 5

#define COPY_BYTES   ((size_t)1 << 30)
#define COPY_REPEATS 5

int rl_device_find(void)
{
    int count = 0;
    cudaError_t error = cudaGetDeviceCount(&count);
    if (error == cudaSuccess && count == 0)
        error = cudaErrorNoDevice;
    if (error != cudaSuccess)
        return (int)error;
    int major = 0, minor = 0;
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
    cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0);
    const bool old = major < OLDEST_MAJOR || (major == OLDEST_MAJOR && minor < OLDEST_MINOR);
    return old ? (int)cudaErrorNoKernelImageForDevice : 0;
}

const char *rl_device_text(int error)
{
    return cudaGetErrorString((cudaError_t)error);
}

int rl_device_name(char *name, size_t size)
{
    cudaDeviceProp properties;
    const cudaError_t error = cudaGetDeviceProperties(&properties, 0);
    if (error == cudaSuccess && size > 0)
        std::snprintf(name, size, "%s", properties.name);
    return (int)error;
}

static cudaError_t time_copies(char *memory, cudaEvent_t start, cudaEvent_t end, float *best)
{
    cudaError_t error = cudaMemset(memory, 1, 2 * COPY_BYTES);
    for (int n = 0; n < COPY_REPEATS && error == cudaSuccess; n++) {
        float ms = 0.0f;
        cudaEventRecord(start);
        cudaMemcpyAsync(memory + COPY_BYTES, memory, COPY_BYTES, cudaMemcpyDeviceToDevice);
        cudaEventRecord(end);
        error = cudaEventSynchronize(end);
        if (error == cudaSuccess)
            error = cudaEventElapsedTime(&ms, start, end);
        if (n == 1 || (n > 1 && ms < *best)) // the first one warms up
            *best = ms;
    }
    return error;
}

int rl_device_copy_speed(double *bytes_per_second)
{
    char *memory = nullptr;
    cudaEvent_t start = nullptr, end = nullptr;
    float best = 0.0f;
    *bytes_per_second = 0.0;
    cudaError_t error = cudaMalloc(&memory, 2 * COPY_BYTES);
    if (error == cudaSuccess)
        error = cudaEventCreate(&start);
    if (error == cudaSuccess)
        error = cudaEventCreate(&end);
    if (error == cudaSuccess)
        error = time_copies(memory, start, end, &best);
    if (error == cudaSuccess && best > 0.0f)
        *bytes_per_second = 2.0 * (double)COPY_BYTES / (1e-3 * (double)best);
    if (start != nullptr)
        cudaEventDestroy(start);
    if (end != nullptr)
        cudaEventDestroy(end);
    cudaFree(memory);
    return (int)error;
}

int rl_device_pin(size_t bytes, void **memory)
{
    return (int)cudaMallocHost(memory, bytes);
}

void rl_device_unpin(void *memory)
{
    if (memory != nullptr)
        cudaFreeHost(memory);
}
