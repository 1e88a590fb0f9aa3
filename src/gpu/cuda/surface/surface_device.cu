// SPDX-License-Identifier: MIT
// surface_device.cu - memory, synchronisation and download of a mesh on a device; and the surface
// of a heightfield there, with the kernels of a build in their order.
#include "gpu/cuda/surface/surface_mesh.cuh"
#include "gpu/cuda/surface/surface_write.cuh"

#include <cstdint>
#include <cstdlib>

// Bytes between two arrays that belong together.
#define LARGEST_GAP 4096

// ---- Creation and destruction ----------------------------------------------------------

static int set_up(rl_device_mesh *m, bool meniscus)
{
    RL_TRY(cudaStreamCreateWithFlags(&m->stream, cudaStreamNonBlocking));
    RL_TRY(cudaStreamCreateWithFlags(&m->aside, cudaStreamNonBlocking));
    for (cudaEvent_t *event : {&m->counted, &m->written, &m->forked, &m->joined})
        RL_TRY(cudaEventCreateWithFlags(event, cudaEventDisableTiming));
    RL_TRY(rl_device_take_pinned(m, sizeof *m->size, (void **)&m->size));
    RL_TRY(rl_device_take(m, m->vertex_capacity, &m->vertices));
    RL_TRY(rl_device_take(m, 3 * m->triangle_capacity, &m->indices));
    return meniscus ? rl_device_take(m, m->vertex_capacity, &m->meniscus) : 0;
}

int rl_device_mesh_create(const rl_gpu_surface_def *def, size_t bytes, int most_of_point,
                          rl_device_mesh **out)
{
    const double points = ((double)def->nx + 2.0) * ((double)def->ny + 2.0) * def->layers;
    rl_device_mesh *m = (rl_device_mesh *)std::calloc(1, bytes);
    *out = m;
    if (m == nullptr || points * most_of_point > (double)UINT32_MAX) // sums would be too large
        return (int)cudaErrorMemoryAllocation;
    m->vertex_capacity = def->vertex_capacity;
    m->triangle_capacity = def->triangle_capacity;
    return set_up(m, def->surface.meniscus_length > 0.0f);
}

void rl_device_mesh_destroy(rl_device_mesh **mesh)
{
    rl_device_mesh *m = *mesh;
    if (m == nullptr)
        return;
    if (m->written != nullptr)
        cudaEventSynchronize(m->written);
    for (const rl_host_pin &pin : m->pin)
        if (pin.memory != nullptr)
            cudaHostUnregister(pin.memory);
    for (cudaEvent_t event : {m->counted, m->written, m->forked, m->joined})
        if (event != nullptr)
            cudaEventDestroy(event);
    if (m->aside != nullptr)
        cudaStreamDestroy(m->aside);
    rl_device_release(m);
    cudaGetLastError(); // clears the error of a failed allocation, which has been reported
    std::free(m);
    *mesh = nullptr;
}

// ---- Building --------------------------------------------------------------------------

int rl_device_mesh_begin(const rl_device_mesh *m, cudaStream_t stream)
{
    return (int)cudaStreamWaitEvent(stream, m->written, 0);
}

int rl_device_mesh_note(cudaEvent_t event, cudaStream_t stream)
{
    RL_TRY(cudaGetLastError());
    return (int)cudaEventRecord(event, stream);
}

int rl_device_mesh_end(const rl_device_mesh *m, cudaStream_t stream, rl_device_mesh_size *size)
{
    RL_TRY(rl_device_mesh_note(m->written, stream));
    RL_TRY(cudaEventSynchronize(m->counted));
    *size = *m->size;
    return 0;
}

// ---- Reading ---------------------------------------------------------------------------

int rl_device_mesh_view(const rl_device_mesh *m, const rl_device_mesh_size *size,
                        rill_device_mesh *out)
{
    *out = rill_device_mesh{};
    RL_TRY(cudaEventSynchronize(m->written));
    if (size->indices > 0)
        *out = {m->vertices, m->indices, size->vertices, size->indices, m->meniscus};
    return 0;
}

// Downloads into pinned memory are several times as fast, and the first one is too, pinning
// included. Where memory cannot be pinned, they work without.
static void pin_once(rl_host_pin *pin, void *memory, size_t bytes)
{
    if (pin->asked)
        return;
    pin->asked = true;
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

int rl_device_mesh_download(rl_device_mesh *m, const rl_device_mesh_size *size,
                            const rl_gpu_surface_host *host)
{
    RL_TRY(cudaEventSynchronize(m->written));
    pin_triangles(m, host);
    RL_TRY(rl_device_fetch(m->stream, host->vertices, m->vertices, size->vertices));
    RL_TRY(rl_device_fetch(m->stream, host->indices, m->indices, size->indices));
    if (m->meniscus != nullptr) {
        pin_once(&m->pin[1], host->meniscus, m->vertex_capacity * sizeof *m->meniscus);
        RL_TRY(rl_device_fetch(m->stream, host->meniscus, m->meniscus, size->vertices));
    }
    return (int)cudaStreamSynchronize(m->stream);
}

// ---- A heightfield ---------------------------------------------------------------------

// Vertices that are counted with a point at most: itself, and an end of its surface on each side.
#define MOST_OF_POINT 5

struct rl_device_surface : rl_device_mesh {
    int ny;
    rl_surface_lattice lattice;
};

static int send_polygons(rl_polygon *to)
{
    rl_polygon polygons[RL_QUAD_KINDS];
    for (int shape = 0; shape < RL_QUAD_KINDS; shape++)
        polygons[shape] = rl_make_polygon(shape);
    return (int)cudaMemcpy(to, polygons, sizeof polygons, cudaMemcpyHostToDevice);
}

static int take_memory(rl_device_surface *s, const rl_gpu_surface_def *def)
{
    rl_surface_lattice *l = &s->lattice;
    const size_t rows = (size_t)def->ny + 2, points = (size_t)def->nx + 2;
    rl_polygon *polygons = nullptr;
    s->ny = def->ny;
    l->stretches = (int)((points + RL_STRETCH - 1) / RL_STRETCH);
    l->vertex_capacity = (unsigned)s->vertex_capacity;
    l->triangle_capacity = (unsigned)s->triangle_capacity;
    l->host_totals = s->size;
    RL_TRY(rl_device_take(s, rows * points, &l->points));
    RL_TRY(rl_device_take(s, rows * (size_t)l->stretches, &l->counts, &l->places));
    RL_TRY(rl_device_take(s, rows, &l->rows));
    RL_TRY(rl_device_take(s, rows + 1, &l->starts));
    RL_TRY(rl_device_take(s, 1, &l->totals, &l->finished));
    RL_TRY(rl_device_take(s, RL_QUAD_KINDS, &polygons));
    RL_TRY(cudaStreamSynchronize(s->stream));
    l->polygons = polygons;
    return send_polygons(polygons);
}

int rl_device_surface_create(const rl_gpu_surface_def *def, rl_device_mesh **out)
{
    RL_TRY(rl_device_mesh_create(def, sizeof(rl_device_surface), MOST_OF_POINT, out));
    return take_memory((rl_device_surface *)*out, def);
}

int rl_device_surface_build(rl_device_mesh *mesh, const rl_surface_columns *columns, void *queue,
                            rl_device_mesh_size *size)
{
    const rl_device_surface *s = (rl_device_surface *)mesh;
    const cudaStream_t stream = (cudaStream_t)queue;
    const rl_surface_target target = {s->vertices, s->indices};
    const unsigned rows = (unsigned)s->ny + 2, across = (unsigned)s->lattice.stretches;
    RL_TRY(rl_device_mesh_begin(s, stream));
    rl_surface_find<<<dim3(across, (rows + RL_FIND_ROWS - 1) / RL_FIND_ROWS), RL_FIND_BLOCK, 0,
                      stream>>>(*columns, s->lattice);
    rl_surface_sum<<<(rows * 32 + RL_SUM_BLOCK - 1) / RL_SUM_BLOCK, RL_SUM_BLOCK, 0, stream>>>(
        s->lattice, (int)rows);
    RL_TRY(rl_device_mesh_note(s->counted, stream));
    rl_surface_write<<<dim3(across, (rows + RL_WRITE_WARPS - 1) / RL_WRITE_WARPS), RL_WRITE_BLOCK,
                       0, stream>>>(*columns, s->lattice, target);
    return rl_device_mesh_end(s, stream, size);
}
