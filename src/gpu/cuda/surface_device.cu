// SPDX-License-Identifier: MIT
#include "gpu/cuda/surface_device.h"

#include "gpu/cuda/host_pin.h"
#include "gpu/cuda/surface_write.cuh"

#include <cstdint>
#include <cstdlib>
#include <cuda_runtime.h>

#define TRY(call)                             \
    do {                                      \
        const cudaError_t try_error = (call); \
        if (try_error != cudaSuccess)         \
            return (int)try_error;            \
    } while (0)

// Vertices: itself, and an end of its sheet on each side.
#define MOST_OF_POINT 5

struct rl_device_surface {
    int nx, ny;
    size_t vertex_room, triangle_room;
    rl_surface_lattice lattice;
    rl_surface_target target;
    cudaEvent_t counted; // the totals are known
    cudaEvent_t written; // the mesh is complete
    cudaStream_t stream; // for downloads: the water's own may be gone
    rl_host_pin pin;
    rl_polygon *polygons;
};

// ---- Making ----------------------------------------------------------------------------

template <class T> static cudaError_t take(size_t count, T **memory)
{
    return cudaMalloc((void **)memory, count * sizeof **memory);
}

static int send_polygons(rl_device_surface *s)
{
    rl_polygon polygons[RL_SHAPES];
    for (int shape = 0; shape < RL_SHAPES; shape++)
        polygons[shape] = rl_make_polygon(shape);
    TRY(cudaMemcpyAsync(s->polygons, polygons, sizeof polygons, cudaMemcpyHostToDevice, s->stream));
    return (int)cudaStreamSynchronize(s->stream);
}

static int take_memory(rl_device_surface *s)
{
    rl_surface_lattice *l = &s->lattice;
    const size_t rows = (size_t)s->ny + 2, points = (size_t)s->nx + 2;
    l->stretches = (int)((points + RL_STRETCH - 1) / RL_STRETCH);
    l->vertex_room = (unsigned)s->vertex_room;
    l->triangle_room = (unsigned)s->triangle_room;
    TRY(take(rows * points, &l->points));
    TRY(take(rows * (size_t)l->stretches, &l->counts));
    TRY(take(rows * (size_t)l->stretches, &l->places));
    TRY(take(rows, &l->rows));
    TRY(take(rows + 1, &l->starts));
    TRY(take(1, &l->totals));
    TRY(take(1, &l->finished));
    TRY(take(RL_SHAPES, &s->polygons));
    TRY(take(s->vertex_room, &s->target.vertices));
    TRY(take(3 * s->triangle_room, &s->target.indices));
    TRY(cudaMallocHost((void **)&l->host_totals, sizeof *l->host_totals));
    TRY(cudaEventCreateWithFlags(&s->counted, cudaEventDisableTiming));
    TRY(cudaEventCreateWithFlags(&s->written, cudaEventDisableTiming));
    TRY(cudaStreamCreateWithFlags(&s->stream, cudaStreamNonBlocking));
    TRY(cudaMemsetAsync(l->finished, 0, sizeof *l->finished, s->stream));
    l->polygons = s->polygons;
    return send_polygons(s);
}

int rl_device_surface_create(int nx, int ny, size_t vertices, size_t triangles,
                             rl_device_surface **out)
{
    rl_device_surface *s = (rl_device_surface *)std::calloc(1, sizeof *s);
    *out = s;
    if (s == nullptr)
        return (int)cudaErrorMemoryAllocation;
    const double points = ((double)nx + 2.0) * ((double)ny + 2.0);
    if (points * MOST_OF_POINT > (double)UINT32_MAX) {
        rl_device_surface_destroy(out);
        return (int)cudaErrorMemoryAllocation; // sums would be too large
    }
    s->nx = nx;
    s->ny = ny;
    s->vertex_room = vertices;
    s->triangle_room = triangles;
    const int error = take_memory(s);
    if (error != 0)
        rl_device_surface_destroy(out);
    return error;
}

void rl_device_surface_destroy(rl_device_surface **surface)
{
    rl_device_surface *s = *surface;
    if (s == nullptr)
        return;
    if (s->written != nullptr)
        cudaEventSynchronize(s->written);
    void *const blocks[] = {s->lattice.points,   s->lattice.counts, s->lattice.places,
                            s->lattice.rows,     s->lattice.starts, s->lattice.totals,
                            s->lattice.finished, s->polygons,       s->target.vertices,
                            s->target.indices};
    for (void *block : blocks)
        cudaFree(block);
    rl_host_pin_release(&s->pin);
    cudaFreeHost(s->lattice.host_totals);
    for (cudaEvent_t event : {s->counted, s->written})
        if (event != nullptr)
            cudaEventDestroy(event);
    if (s->stream != nullptr)
        cudaStreamDestroy(s->stream);
    cudaGetLastError(); // of memory that was not there: it has been told
    std::free(s);
    *surface = nullptr;
}

// ---- Building --------------------------------------------------------------------------

int rl_device_surface_build(rl_device_surface *s, const rl_surface_water *water, void *queue,
                            rl_device_surface_size *size)
{
    const cudaStream_t stream = (cudaStream_t)queue;
    TRY(cudaStreamWaitEvent(stream, s->written, 0)); // the last build may have had another stream
    const unsigned rows = (unsigned)s->ny + 2, across = (unsigned)s->lattice.stretches;
    rl_surface_find<<<dim3(across, (rows + RL_FIND_ROWS - 1) / RL_FIND_ROWS), RL_FIND_BLOCK, 0,
                      stream>>>(*water, s->lattice);
    rl_surface_sum<<<(rows * 32 + RL_SUM_BLOCK - 1) / RL_SUM_BLOCK, RL_SUM_BLOCK, 0, stream>>>(
        s->lattice, (int)rows);
    TRY(cudaGetLastError());
    TRY(cudaEventRecord(s->counted, stream));
    rl_surface_write<<<dim3(across, (rows + RL_WRITE_WARPS - 1) / RL_WRITE_WARPS), RL_WRITE_BLOCK,
                       0, stream>>>(*water, s->lattice, s->target);
    TRY(cudaGetLastError());
    TRY(cudaEventRecord(s->written, stream));
    TRY(cudaEventSynchronize(s->counted));
    size->vertices = s->lattice.host_totals->vertices;
    size->indices = 3 * (size_t)s->lattice.host_totals->triangles;
    size->fits = s->lattice.host_totals->fits;
    size->too_long = 0;
    return 0;
}

// ---- Looking ---------------------------------------------------------------------------

int rl_device_surface_settle(rl_device_surface *s)
{
    return (int)cudaEventSynchronize(s->written);
}

void rl_device_surface_pointers(const rl_device_surface *s, rill_device_mesh *mesh)
{
    mesh->vertices = s->target.vertices;
    mesh->indices = s->target.indices;
}

int rl_device_surface_download(rl_device_surface *s, const rl_device_surface_size *size,
                               const rl_gpu_surface_host *host)
{
    TRY(cudaEventSynchronize(s->written));
    rl_host_pin_mesh(&s->pin, host, s->vertex_room, s->triangle_room);
    TRY(cudaMemcpyAsync(host->vertices, s->target.vertices, size->vertices * sizeof *host->vertices,
                        cudaMemcpyDeviceToHost, s->stream));
    TRY(cudaMemcpyAsync(host->indices, s->target.indices, size->indices * sizeof *host->indices,
                        cudaMemcpyDeviceToHost, s->stream));
    return (int)cudaStreamSynchronize(s->stream);
}
