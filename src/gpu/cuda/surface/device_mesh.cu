// SPDX-License-Identifier: MIT
// device_mesh.cu - memory, synchronisation and download of a mesh on a device (surface_device.h).
#include "gpu/cuda/mirror/device_grid.cuh"
#include "gpu/cuda/surface/surface_device.h"

// Bytes between two arrays that belong together.
#define LARGEST_GAP 4096

int rl_device_mesh_create(const rl_gpu_surface_def *def, rl_device_mesh *m)
{
    m->vertex_capacity = def->vertex_capacity;
    m->triangle_capacity = def->triangle_capacity;
    RL_TRY(cudaMalloc((void **)&m->vertices, m->vertex_capacity * sizeof *m->vertices));
    RL_TRY(cudaMalloc((void **)&m->indices, 3 * m->triangle_capacity * sizeof *m->indices));
    if (def->surface.meniscus_length > 0.0f)
        RL_TRY(cudaMalloc((void **)&m->meniscus, m->vertex_capacity * sizeof *m->meniscus));
    RL_TRY(cudaEventCreateWithFlags((cudaEvent_t *)&m->counted, cudaEventDisableTiming));
    RL_TRY(cudaEventCreateWithFlags((cudaEvent_t *)&m->written, cudaEventDisableTiming));
    return (int)cudaStreamCreateWithFlags((cudaStream_t *)&m->stream, cudaStreamNonBlocking);
}

void rl_device_mesh_destroy(rl_device_mesh *m)
{
    if (m->written != nullptr)
        cudaEventSynchronize((cudaEvent_t)m->written);
    void *const blocks[] = {m->vertices, m->indices, m->meniscus};
    for (void *block : blocks)
        cudaFree(block);
    for (const rl_host_pin &pin : m->pin)
        if (pin.memory != nullptr)
            cudaHostUnregister(pin.memory);
    for (void *event : {m->counted, m->written})
        if (event != nullptr)
            cudaEventDestroy((cudaEvent_t)event);
    if (m->stream != nullptr)
        cudaStreamDestroy((cudaStream_t)m->stream);
    *m = rl_device_mesh{};
}

// ---- Building --------------------------------------------------------------------------

int rl_device_mesh_begin(const rl_device_mesh *m, void *stream)
{
    return (int)cudaStreamWaitEvent((cudaStream_t)stream, (cudaEvent_t)m->written, 0);
}

int rl_device_mesh_note_counted(const rl_device_mesh *m, void *stream)
{
    RL_TRY(cudaGetLastError());
    return (int)cudaEventRecord((cudaEvent_t)m->counted, (cudaStream_t)stream);
}

int rl_device_mesh_note_written(const rl_device_mesh *m, void *stream)
{
    RL_TRY(cudaGetLastError());
    return (int)cudaEventRecord((cudaEvent_t)m->written, (cudaStream_t)stream);
}

int rl_device_mesh_await_counted(const rl_device_mesh *m)
{
    return (int)cudaEventSynchronize((cudaEvent_t)m->counted);
}

// ---- Download --------------------------------------------------------------------------

int rl_device_mesh_settle(const rl_device_mesh *m)
{
    return (int)cudaEventSynchronize((cudaEvent_t)m->written);
}

// Downloads into pinned memory are several times as fast, and the first one is too, pinning
// included. Where memory cannot be pinned, they work without.
static void pin_once(rl_host_pin *pin, void *memory, size_t bytes)
{
    if (pin->asked)
        return;
    pin->asked = 1;
    if (cudaHostRegister(memory, bytes, cudaHostRegisterDefault) == cudaSuccess)
        pin->memory = memory;
    cudaGetLastError();
}

// Pins vertices and indices at once, because they may lie in the same page.
static void pin_triangles(rl_device_mesh *m, const rl_gpu_surface_host *host)
{
    const char *end = (const char *)(host->indices + 3 * m->triangle_capacity);
    const size_t bytes =
        m->vertex_capacity * sizeof *m->vertices + 3 * m->triangle_capacity * sizeof *m->indices;
    const ptrdiff_t span = end - (const char *)host->vertices;
    if (span >= (ptrdiff_t)bytes && span <= (ptrdiff_t)bytes + LARGEST_GAP)
        pin_once(&m->pin[0], host->vertices, (size_t)span);
}

template <class T> static cudaError_t fetch(const rl_device_mesh *m, T *to, const T *from, size_t n)
{
    return cudaMemcpyAsync(to, from, n * sizeof *to, cudaMemcpyDeviceToHost,
                           (cudaStream_t)m->stream);
}

int rl_device_mesh_download(rl_device_mesh *m, const rl_device_mesh_size *size,
                            const rl_gpu_surface_host *host)
{
    RL_TRY(cudaEventSynchronize((cudaEvent_t)m->written));
    pin_triangles(m, host);
    RL_TRY(fetch(m, host->vertices, m->vertices, size->vertices));
    RL_TRY(fetch(m, host->indices, m->indices, size->indices));
    if (m->meniscus != nullptr) {
        pin_once(&m->pin[1], host->meniscus, m->vertex_capacity * sizeof *m->meniscus);
        RL_TRY(fetch(m, host->meniscus, m->meniscus, size->vertices));
    }
    return (int)cudaStreamSynchronize((cudaStream_t)m->stream);
}
