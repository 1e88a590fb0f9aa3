// SPDX-License-Identifier: MIT
// emulated_host.cpp - memory, streams, graphs and events of the emulated device.
#include "tests/gpu/emulator/cuda_runtime.h"

#include <chrono>
#include <cstdio>
#include <vector>

// The device has few processors, so that the blocks of cooperative grids are few, and each has one
// block at a time, so that solvers choose long marches. Its other limits are those of an H200.
#define PROCESSORS   4
#define MOST_THREADS 1024   // of a block
#define MOST_SHARED  232448 // bytes of a block

typedef std::vector<std::function<void()>> rl_emulated_work;

struct rl_emulated_graph {
    rl_emulated_work work;
};

struct rl_emulated_stream {
    rl_emulated_graph *captured; // NULL: work is done at once
};

struct rl_emulated_event {
    std::chrono::steady_clock::time_point time;
};

static thread_local cudaError_t last_error = cudaSuccess;

static cudaError_t note(cudaError_t error)
{
    if (error != cudaSuccess)
        last_error = error;
    return error;
}

cudaError_t cudaGetLastError()
{
    const cudaError_t error = last_error;
    last_error = cudaSuccess;
    return error;
}

const char *cudaGetErrorString(cudaError_t error)
{
    switch (error) {
    case cudaSuccess:
        return "no error";
    case cudaErrorInvalidValue:
        return "invalid argument";
    case cudaErrorMemoryAllocation:
        return "out of memory";
    case cudaErrorInvalidConfiguration:
        return "invalid configuration argument";
    case cudaErrorCooperativeLaunchTooLarge:
        return "too many blocks in cooperative launch";
    case cudaErrorStreamCaptureUnsupported:
        return "operation not permitted when stream is capturing";
    default:
        return "an error of the emulated device";
    }
}

// ---- The device ------------------------------------------------------------------------

cudaError_t cudaGetDeviceCount(int *count)
{
    *count = 1;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int)
{
    switch (attribute) {
    case cudaDevAttrMultiProcessorCount:
        *value = PROCESSORS;
        return cudaSuccess;
    case cudaDevAttrComputeCapabilityMajor:
        *value = 9;
        return cudaSuccess;
    case cudaDevAttrComputeCapabilityMinor:
        *value = 0;
        return cudaSuccess;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
        *value = MOST_SHARED;
        return cudaSuccess;
    case cudaDevAttrCooperativeLaunch:
        *value = 1;
        return cudaSuccess;
    }
    return note(cudaErrorInvalidValue);
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int)
{
    std::snprintf(properties->name, sizeof properties->name, "CUDA emulated on the CPU");
    return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize()
{
    return cudaSuccess;
}

cudaError_t rl_emulated_occupancy(int *blocks, int threads, size_t shared)
{
    *blocks = threads <= MOST_THREADS && shared <= MOST_SHARED;
    return cudaSuccess;
}

// ---- Streams ---------------------------------------------------------------------------

static void queue(cudaStream_t stream, std::function<void()> work)
{
    if (stream != nullptr && stream->captured != nullptr)
        stream->captured->work.push_back(std::move(work));
    else
        work();
}

// Waiting for a stream that is captured would be an error of CUDA.
static cudaError_t wait_for(cudaStream_t stream)
{
    const bool captured = stream != nullptr && stream->captured != nullptr;
    return captured ? note(cudaErrorStreamCaptureUnsupported) : cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned)
{
    *stream = new rl_emulated_stream();
    return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    delete stream;
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    return wait_for(stream);
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    return wait_for(stream);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t, unsigned)
{
    return wait_for(stream);
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode)
{
    if (stream->captured != nullptr)
        return note(cudaErrorStreamCaptureUnsupported);
    stream->captured = new rl_emulated_graph();
    return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    *graph = stream->captured;
    stream->captured = nullptr;
    return *graph != nullptr ? cudaSuccess : note(cudaErrorInvalidValue);
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *out, cudaGraph_t graph, unsigned)
{
    *out = new rl_emulated_graph(*graph);
    return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream)
{
    if (wait_for(stream) != cudaSuccess)
        return cudaErrorStreamCaptureUnsupported;
    for (const std::function<void()> &work : graph->work)
        work();
    return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    delete graph;
    return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph)
{
    delete graph;
    return cudaSuccess;
}

// ---- Events ----------------------------------------------------------------------------

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    *event = new rl_emulated_event();
    return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned)
{
    return cudaEventCreate(event);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t)
{
    event->time = std::chrono::steady_clock::now();
    return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t)
{
    return cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end)
{
    *ms = std::chrono::duration<float, std::milli>(end->time - start->time).count();
    return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    delete event;
    return cudaSuccess;
}

// ---- Memory ----------------------------------------------------------------------------

cudaError_t rl_emulated_allocate(void **out, size_t bytes)
{
    *out = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
    if (*out == nullptr)
        return note(cudaErrorMemoryAllocation);
    std::memset(*out, RL_EMULATED_GARBAGE, bytes);
    return cudaSuccess;
}

cudaError_t cudaFree(void *memory)
{
    std::free(memory);
    return cudaSuccess;
}

cudaError_t cudaFreeHost(void *memory)
{
    std::free(memory);
    return cudaSuccess;
}

cudaError_t cudaHostRegister(void *, size_t, unsigned)
{
    return cudaSuccess;
}

cudaError_t cudaHostUnregister(void *)
{
    return cudaSuccess;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
    return cudaMemcpyAsync(to, from, bytes, kind, nullptr);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind,
                            cudaStream_t stream)
{
    queue(stream, [=] {
        if (bytes > 0)
            std::memcpy(to, from, bytes);
    });
    return cudaSuccess;
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t bytes, size_t rows, cudaMemcpyKind, cudaStream_t stream)
{
    if (bytes > to_pitch || bytes > from_pitch)
        return note(cudaErrorInvalidValue);
    queue(stream, [=] {
        for (size_t n = 0; n < rows; n++)
            std::memcpy((char *)to + n * to_pitch, (const char *)from + n * from_pitch, bytes);
    });
    return cudaSuccess;
}

cudaError_t cudaMemset(void *memory, int value, size_t bytes)
{
    return cudaMemsetAsync(memory, value, bytes, nullptr);
}

cudaError_t cudaMemsetAsync(void *memory, int value, size_t bytes, cudaStream_t stream)
{
    queue(stream, [=] {
        if (bytes > 0)
            std::memset(memory, value, bytes);
    });
    return cudaSuccess;
}

// ---- Launches --------------------------------------------------------------------------

static cudaError_t check(const rl_emulated_launch &launch)
{
    const size_t blocks = (size_t)launch.grid.x * launch.grid.y * launch.grid.z;
    const size_t threads = (size_t)launch.block.x * launch.block.y * launch.block.z;
    if (blocks == 0 || threads == 0 || threads > MOST_THREADS || launch.grid.y > 65535 ||
        launch.grid.z > 65535)
        return cudaErrorInvalidConfiguration;
    if (launch.shared > MOST_SHARED)
        return cudaErrorInvalidValue;
    int each = 0;
    rl_emulated_occupancy(&each, (int)threads, launch.shared);
    return launch.together && blocks > (size_t)each * PROCESSORS
               ? cudaErrorCooperativeLaunchTooLarge
               : cudaSuccess;
}

cudaError_t rl_emulated_queue(const rl_emulated_launch &launch, std::function<void()> body)
{
    const cudaError_t error = note(check(launch));
    if (error == cudaSuccess)
        queue(launch.stream, [launch, body = std::move(body)] { rl_emulated_run(launch, body); });
    return error;
}
