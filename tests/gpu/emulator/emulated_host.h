// SPDX-License-Identifier: MIT
// emulated_host.h - the functions of CUDA that the host calls: a device whose memory is the host's.
// Work is done when it is queued, or noted while a stream is captured and done when the graph is
// launched. Every cudaMalloc is an allocation of its own, full of garbage, so that
// AddressSanitizer sees where a kernel reaches too far.
#pragma once

#include <functional>
#include <tuple>
#include <utility>

enum cudaError_t {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInvalidConfiguration = 9,
    cudaErrorNoDevice = 100,
    cudaErrorNoKernelImageForDevice = 209,
    cudaErrorNotReady = 600,
    cudaErrorCooperativeLaunchTooLarge = 720,
    cudaErrorNotSupported = 801,
    cudaErrorStreamCaptureUnsupported = 900,
    cudaErrorUnknown = 999
};

const char *cudaGetErrorString(cudaError_t error);
// Returns the last error of a launch, and forgets it.
cudaError_t cudaGetLastError();

// ---- The device ------------------------------------------------------------------------

enum cudaDeviceAttr {
    cudaDevAttrMultiProcessorCount,
    cudaDevAttrComputeCapabilityMajor,
    cudaDevAttrComputeCapabilityMinor,
    cudaDevAttrMaxSharedMemoryPerBlockOptin,
    cudaDevAttrCooperativeLaunch
};

struct cudaDeviceProp {
    char name[64];
};

cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device);
cudaError_t cudaDeviceSynchronize();

// ---- Streams, graphs and events --------------------------------------------------------

typedef struct rl_emulated_stream *cudaStream_t;
typedef struct rl_emulated_graph *cudaGraph_t, *cudaGraphExec_t;
typedef struct rl_emulated_event *cudaEvent_t;

enum { cudaStreamNonBlocking = 1, cudaEventDisableTiming = 2 };
enum cudaStreamCaptureMode { cudaStreamCaptureModeThreadLocal };

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags = 0);

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *out, cudaGraph_t graph, unsigned flags);
cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph);

cudaError_t cudaEventCreate(cudaEvent_t *event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end);
cudaError_t cudaEventDestroy(cudaEvent_t event);

// ---- Memory ----------------------------------------------------------------------------

enum cudaMemcpyKind {
    cudaMemcpyHostToDevice = 1,
    cudaMemcpyDeviceToHost = 2,
    cudaMemcpyDeviceToDevice = 3
};
enum { cudaHostRegisterDefault = 0 };

cudaError_t rl_emulated_allocate(void **out, size_t bytes);
cudaError_t cudaFree(void *memory);
cudaError_t cudaFreeHost(void *memory);
cudaError_t cudaHostRegister(void *memory, size_t bytes, unsigned flags);
cudaError_t cudaHostUnregister(void *memory);

template <typename T> static inline cudaError_t cudaMalloc(T **out, size_t bytes)
{
    return rl_emulated_allocate((void **)out, bytes);
}

template <typename T>
static inline cudaError_t cudaMallocHost(T **out, size_t bytes, unsigned = cudaHostRegisterDefault)
{
    return rl_emulated_allocate((void **)out, bytes);
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream = nullptr);
cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t bytes, size_t rows, cudaMemcpyKind kind,
                              cudaStream_t stream = nullptr);
cudaError_t cudaMemset(void *memory, int value, size_t bytes);
cudaError_t cudaMemsetAsync(void *memory, int value, size_t bytes, cudaStream_t stream = nullptr);

// ---- Launches --------------------------------------------------------------------------

enum cudaLaunchAttributeID {
    cudaLaunchAttributeCooperative = 2,
    cudaLaunchAttributeProgrammaticStreamSerialization = 6
};

struct cudaLaunchAttribute {
    cudaLaunchAttributeID id;
    struct {
        int cooperative, programmaticStreamSerializationAllowed;
    } val;
};

struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute *attrs;
    unsigned numAttrs;
};

enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize };

// The blocks of a grid follow one another, or run together.
struct rl_emulated_launch {
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
    bool together;
};

// Runs a grid, or notes it where its stream is captured. Every thread calls `body`.
cudaError_t rl_emulated_queue(const rl_emulated_launch &launch, std::function<void()> body);
// Runs a grid.
void rl_emulated_run(const rl_emulated_launch &launch, const std::function<void()> &body);
cudaError_t rl_emulated_occupancy(int *blocks, int threads, size_t shared);

template <typename KERNEL>
static inline cudaError_t cudaFuncSetAttribute(KERNEL, cudaFuncAttribute, int)
{
    return cudaSuccess;
}

template <typename KERNEL>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, KERNEL,
                                                                        int threads, size_t shared)
{
    return rl_emulated_occupancy(blocks, threads, shared);
}

template <typename... ARGS, typename... GIVEN>
static inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config,
                                             void (*kernel)(ARGS...), const GIVEN &...given)
{
    rl_emulated_launch launch = {config->gridDim, config->blockDim, config->dynamicSmemBytes,
                                 config->stream, false};
    for (unsigned n = 0; n < config->numAttrs; n++)
        launch.together |= config->attrs[n].id == cudaLaunchAttributeCooperative;
    return rl_emulated_queue(
        launch, [kernel, args = std::tuple<ARGS...>(given...)] { std::apply(kernel, args); });
}

// translate.py writes kernel<<<grid, block, shared, stream>>>(args) as
// rl_emulated_call(grid, block, shared, stream, [](const auto &...a) { kernel(a...); })(args), so
// that the parameters of a template follow from the arguments.
template <typename KERNEL> struct rl_emulated_caller {
    rl_emulated_launch launch;
    KERNEL kernel;

    template <typename... ARGS> void operator()(const ARGS &...given) const
    {
        rl_emulated_queue(launch, [kernel = kernel, args = std::tuple<ARGS...>(given...)] {
            std::apply(kernel, args);
        });
    }
};

template <typename KERNEL>
static inline rl_emulated_caller<KERNEL> rl_emulated_call(dim3 grid, dim3 block, size_t shared,
                                                          cudaStream_t stream, KERNEL kernel)
{
    return {{grid, block, shared, stream, false}, kernel};
}
