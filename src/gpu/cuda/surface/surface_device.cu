// SPDX-License-Identifier: MIT
// surface_device.cu - memory, synchronisation and download of a mesh on a device; and the surface
// of a heightfield there, with the kernels of a build in their order.
#include "gpu/cuda/mirror/device_grid.cuh"
#include "gpu/cuda/surface/surface_device.h"
#include "gpu/cuda/surface/surface_write.cuh"

#include <cstdint>
#include <cstdlib>
#include <cuda_runtime.h>

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

// ---- A heightfield ---------------------------------------------------------------------

// Vertices that are counted with a point at most: itself, and an end of its surface on each side.
#define MOST_OF_POINT 5

struct rl_device_surface : rl_device_memory {
    int nx, ny;
    rl_surface_lattice lattice;
    rl_device_mesh mesh;
    rl_polygon *polygons;
};

// ---- Creation and destruction ----------------------------------------------------------

static int send_polygons(rl_device_surface *s)
{
    rl_polygon polygons[RL_QUAD_KINDS];
    for (int shape = 0; shape < RL_QUAD_KINDS; shape++)
        polygons[shape] = rl_make_polygon(shape);
    return (int)cudaMemcpy(s->polygons, polygons, sizeof polygons, cudaMemcpyHostToDevice);
}

static int take_memory(rl_device_surface *s)
{
    rl_surface_lattice *l = &s->lattice;
    const size_t rows = (size_t)s->ny + 2, points = (size_t)s->nx + 2;
    l->stretches = (int)((points + RL_STRETCH - 1) / RL_STRETCH);
    l->vertex_capacity = (unsigned)s->mesh.vertex_capacity;
    l->triangle_capacity = (unsigned)s->mesh.triangle_capacity;
    RL_TRY(rl_device_take(s, rows * points, &l->points));
    RL_TRY(rl_device_take(s, rows * (size_t)l->stretches, &l->counts, &l->places));
    RL_TRY(rl_device_take(s, rows, &l->rows));
    RL_TRY(rl_device_take(s, rows + 1, &l->starts));
    RL_TRY(rl_device_take(s, 1, &l->totals, &l->finished));
    RL_TRY(rl_device_take(s, RL_QUAD_KINDS, &s->polygons));
    RL_TRY(rl_device_take_pinned(s, sizeof *l->host_totals, (void **)&l->host_totals));
    l->polygons = s->polygons;
    return send_polygons(s);
}

int rl_device_surface_create(const rl_gpu_surface_def *def, rl_device_surface **out)
{
    rl_device_surface *s = (rl_device_surface *)std::calloc(1, sizeof *s);
    *out = s;
    if (s == nullptr)
        return (int)cudaErrorMemoryAllocation;
    s->nx = def->nx;
    s->ny = def->ny;
    const double points = ((double)s->nx + 2.0) * ((double)s->ny + 2.0);
    int error = points * MOST_OF_POINT > (double)UINT32_MAX // sums would be too large
                    ? (int)cudaErrorMemoryAllocation
                    : rl_device_mesh_create(def, &s->mesh);
    if (error == 0)
        error = take_memory(s);
    if (error != 0)
        rl_device_surface_destroy(out);
    return error;
}

void rl_device_surface_destroy(rl_device_surface **surface)
{
    rl_device_surface *s = *surface;
    if (s == nullptr)
        return;
    rl_device_mesh_destroy(&s->mesh);
    rl_device_release(s);
    cudaGetLastError(); // clears the error of a failed allocation, which has been reported
    std::free(s);
    *surface = nullptr;
}

// ---- Building --------------------------------------------------------------------------

int rl_device_surface_build(rl_device_surface *s, const rl_surface_columns *columns, void *queue,
                            rl_device_mesh_size *size)
{
    const cudaStream_t stream = (cudaStream_t)queue;
    const rl_surface_target target = {s->mesh.vertices, s->mesh.indices};
    const unsigned rows = (unsigned)s->ny + 2, across = (unsigned)s->lattice.stretches;
    int error = rl_device_mesh_begin(&s->mesh, queue);
    rl_surface_find<<<dim3(across, (rows + RL_FIND_ROWS - 1) / RL_FIND_ROWS), RL_FIND_BLOCK, 0,
                      stream>>>(*columns, s->lattice);
    rl_surface_sum<<<(rows * 32 + RL_SUM_BLOCK - 1) / RL_SUM_BLOCK, RL_SUM_BLOCK, 0, stream>>>(
        s->lattice, (int)rows);
    error = error != 0 ? error : rl_device_mesh_note_counted(&s->mesh, queue);
    rl_surface_write<<<dim3(across, (rows + RL_WRITE_WARPS - 1) / RL_WRITE_WARPS), RL_WRITE_BLOCK,
                       0, stream>>>(*columns, s->lattice, target);
    error = error != 0 ? error : rl_device_mesh_note_written(&s->mesh, queue);
    error = error != 0 ? error : rl_device_mesh_await_counted(&s->mesh);
    size->vertices = s->lattice.host_totals->vertices;
    size->indices = 3 * (size_t)s->lattice.host_totals->triangles;
    size->fits = s->lattice.host_totals->fits;
    size->too_long = 0;
    return error;
}

rl_device_mesh *rl_device_surface_mesh(rl_device_surface *s)
{
    return &s->mesh;
}
