// SPDX-License-Identifier: MIT
// multilayer_device.cu - a multi-layer surface in a device's memory: the layout of its arrays, and
// the kernels of a build in their order. All kernels get a lattice of the host's kind
// (surface/lattice.h), whose pointers are the device's.
#include "gpu/cuda/mirror/device_grid.cuh"
#include "gpu/cuda/surface/multilayer_write.cuh"
#include "gpu/cuda/surface/surface_device.h"

#include <cstdlib>
#include <cuda_runtime.h>

// Vertices that are counted with a slot at most: itself, and on each side one with a curtain.
#define MOST_OF_SLOT 13
#define MOST_ROWS    65535 // of a grid of blocks
#define LIST_BLOCKS  2048  // of kernels whose lists only the device knows

struct rl_device_multilayer {
    rl_surface lattice;
    rl_multilayer_sums sums;
    rl_multilayer_lists lists;
    rl_device_mesh mesh;
    cudaStream_t aside; // for kernels that need not wait for each other
    cudaEvent_t forked, joined;
    void *pool;
    void *ground; // stacks and least heights
    size_t ground_capacity;
};

// ---- Creation and destruction ----------------------------------------------------------

// Returns the next `count` values of the pool, or with `pool` NULL only adds up their bytes.
template <class T> static void cut(void *pool, size_t *used, size_t count, T **out)
{
    *out = pool != nullptr ? (T *)((char *)pool + *used) : nullptr;
    *used += (count * sizeof(T) + 255) / 256 * 256;
}

static void lay_meniscus(rl_device_multilayer *d, size_t *used, size_t slots)
{
    rl_surface *s = &d->lattice;
    for (int k = 0; k < 2; k++) {
        cut(d->pool, used, slots, &s->shore_at[k]);
        cut(d->pool, used, slots, &s->shore_distance[k]);
        cut(d->pool, used, slots, &s->moved[k]);
    }
}

// Returns the bytes that everything takes.
static size_t lay_out(rl_device_multilayer *d)
{
    rl_surface *s = &d->lattice;
    rl_multilayer_sums *n = &d->sums;
    const size_t slots = s->plane * (size_t)s->layers, rows = (size_t)s->ny + 2;
    size_t used = 0;
    float **const numbers[] = {&s->level, &s->height};
    for (float **array : numbers)
        cut(d->pool, &used, slots, array);
    uint8_t **const bytes[] = {&s->wet,     &s->link,   &s->wet_link, &s->plain, &s->cut,
                               &s->crossed, &s->corner, &s->extra,    &s->quad};
    for (uint8_t **array : bytes)
        cut(d->pool, &used, slots, array);
    uint8_t **const points[] = {&s->outward, &s->special, &s->highest};
    for (uint8_t **array : points)
        cut(d->pool, &used, s->plane, array);
    cut(d->pool, &used, 4 * slots, &s->link_layer);
    cut(d->pool, &used, 4 * slots, &s->edge);
    cut(d->pool, &used, slots, &s->number);
    cut(d->pool, &used, slots, &n->whole_at);
    cut(d->pool, &used, s->plane, &n->special_at);
    cut(d->pool, &used, rows * (size_t)s->layers + 1, &n->row_vertices);
    cut(d->pool, &used, rows * (size_t)s->layers + 1, &n->row_whole);
    cut(d->pool, &used, rows + 1, &n->row_special);
    cut(d->pool, &used, 1, &n->totals);
    cut(d->pool, &used, slots, &d->lists.slots);
    cut(d->pool, &used, s->plane, &d->lists.points);
    cut(d->pool, &used, RL_LIST_COUNT, &d->lists.counts);
    if (s->def.meniscus_length > 0.0f)
        lay_meniscus(d, &used, slots);
    return used;
}

static int take_memory(rl_device_multilayer *d)
{
    const size_t bytes = lay_out(d);
    RL_TRY(cudaMalloc(&d->pool, bytes));
    lay_out(d);
    RL_TRY(cudaMallocHost((void **)&d->sums.host, sizeof *d->sums.host));
    RL_TRY(cudaStreamCreateWithFlags(&d->aside, cudaStreamNonBlocking));
    RL_TRY(cudaEventCreateWithFlags(&d->forked, cudaEventDisableTiming));
    RL_TRY(cudaEventCreateWithFlags(&d->joined, cudaEventDisableTiming));
    RL_TRY(cudaMemset(d->pool, 0, bytes)); // the rim stays zero
    return (int)cudaDeviceSynchronize();
}

static void set_up(rl_device_multilayer *d, const rl_gpu_surface_def *def)
{
    rl_surface *s = &d->lattice;
    s->nx = def->nx;
    s->ny = def->ny;
    s->layers = def->layers;
    s->def = def->surface;
    s->pitch = (size_t)def->nx + 2;
    s->plane = s->pitch * ((size_t)def->ny + 2);
    s->vertices = d->mesh.vertices;
    s->indices = d->mesh.indices;
    s->meniscus = d->mesh.meniscus;
    d->sums.vertex_capacity = def->vertex_capacity;
    d->sums.triangle_capacity = def->triangle_capacity;
}

int rl_device_multilayer_create(const rl_gpu_surface_def *def, rl_device_multilayer **out)
{
    rl_device_multilayer *d = (rl_device_multilayer *)std::calloc(1, sizeof *d);
    *out = d;
    if (d == nullptr)
        return (int)cudaErrorMemoryAllocation;
    const double points = ((double)def->nx + 2.0) * ((double)def->ny + 2.0);
    int error = points * def->layers * MOST_OF_SLOT > (double)UINT32_MAX // sums would be too large
                    ? (int)cudaErrorMemoryAllocation
                    : rl_device_mesh_create(def, &d->mesh);
    set_up(d, def);
    if (error == 0)
        error = take_memory(d);
    if (error != 0)
        rl_device_multilayer_destroy(out);
    return error;
}

void rl_device_multilayer_destroy(rl_device_multilayer **surface)
{
    rl_device_multilayer *d = *surface;
    if (d == nullptr)
        return;
    rl_device_mesh_destroy(&d->mesh);
    cudaFree(d->pool);
    cudaFree(d->ground);
    cudaFreeHost(d->sums.host);
    for (cudaEvent_t event : {d->forked, d->joined})
        if (event != nullptr)
            cudaEventDestroy(event);
    if (d->aside != nullptr)
        cudaStreamDestroy(d->aside);
    cudaGetLastError(); // clears the error of a failed allocation, which has been reported
    std::free(d);
    *surface = nullptr;
}

// ---- Ground ----------------------------------------------------------------------------

// Allocates so many bytes; the old content is lost.
static int reserve_ground(rl_device_multilayer *d, size_t bytes)
{
    RL_TRY(rl_device_mesh_settle(&d->mesh)); // a build may be reading it
    if (bytes <= d->ground_capacity)
        return 0;
    RL_TRY(cudaFree(d->ground));
    d->ground = nullptr;
    d->ground_capacity = 0;
    RL_TRY(cudaMalloc(&d->ground, bytes));
    d->ground_capacity = bytes;
    return 0;
}

int rl_device_multilayer_set_ground(rl_device_multilayer *d, const rl_gpu_surface_ground *ground)
{
    rl_surface *s = &d->lattice;
    const size_t cells = (size_t)s->nx * (size_t)s->ny + 1;
    uint32_t *first = nullptr;
    char *stacks = nullptr;
    float *least = nullptr;
    for (int turn = 0; turn < 2; turn++) {
        size_t used = 0;
        cut(turn == 0 ? nullptr : d->ground, &used, cells, &first);
        cut(turn == 0 ? nullptr : d->ground, &used, ground->stack_bytes, &stacks);
        cut(turn == 0 ? nullptr : d->ground, &used, ground->least_floats, &least);
        const int error = turn == 0 ? reserve_ground(d, used) : 0;
        if (error != 0)
            return error;
    }
    RL_TRY(cudaMemcpy(first, ground->stack_first, cells * sizeof *first, cudaMemcpyHostToDevice));
    RL_TRY(cudaMemcpy(stacks, ground->stacks, ground->stack_bytes, cudaMemcpyHostToDevice));
    if (ground->least != nullptr)
        RL_TRY(cudaMemcpy(least, ground->least, ground->least_floats * sizeof *least,
                          cudaMemcpyHostToDevice));
    s->stack_first = first;
    s->stacks = (rl_stack_entry *)stacks;
    s->least = ground->least != nullptr ? least : nullptr;
    s->least_pitch = ground->least_pitch;
    s->least_stride = ground->least_stride;
    return (int)cudaDeviceSynchronize(); // the solver's queue does not wait for these copies
}

// ---- Building --------------------------------------------------------------------------

static dim3 grid_of(const rl_surface &s, int layers)
{
    const unsigned across = ((unsigned)s.pitch + RL_MULTILAYER_BLOCK - 1) / RL_MULTILAYER_BLOCK;
    const unsigned rows = ((unsigned)s.ny + 2) * (unsigned)layers;
    return dim3(across, rows < MOST_ROWS ? rows : MOST_ROWS);
}

// Makes all later work in `to` wait for all that is in `from`.
static int follow(cudaStream_t to, cudaStream_t from, cudaEvent_t event)
{
    RL_TRY(cudaEventRecord(event, from));
    return (int)cudaStreamWaitEvent(to, event, 0);
}

// Finds links, heights, and the owners of edge vertices.
static void find_links(const rl_device_multilayer *d, cudaStream_t stream)
{
    const rl_surface &s = d->lattice;
    const dim3 slots = grid_of(s, s.layers), points = grid_of(s, 1);
    rl_multilayer_wet<<<slots, RL_MULTILAYER_BLOCK, 0, stream>>>(s);
    rl_multilayer_links<<<slots, RL_MULTILAYER_BLOCK, 0, stream>>>(s, d->lists);
    rl_multilayer_odd<<<LIST_BLOCKS, RL_MULTILAYER_BLOCK, 0, stream>>>(s, d->lists);
    if (s.ranged && s.layers > 1)
        rl_multilayer_answers<<<points, RL_MULTILAYER_BLOCK, 0, stream>>>(s);
    rl_multilayer_shore<<<slots, RL_MULTILAYER_BLOCK, 0, stream>>>(s);
    rl_multilayer_rim<<<slots, RL_MULTILAYER_BLOCK, 0, stream>>>(s, d->lists);
    if (s.ranged)
        rl_multilayer_own_edges<<<LIST_BLOCKS, RL_MULTILAYER_BLOCK, 0, stream>>>(s, d->lists);
}

// Distances to boundaries need only links and edges.
static void find_distances(const rl_device_multilayer *d, cudaStream_t stream)
{
    const rl_surface &s = d->lattice;
    const dim3 slots = grid_of(s, s.layers);
    rl_multilayer_ring<<<slots, RL_MULTILAYER_BLOCK, 0, stream>>>(s);
    for (int k = rl_meniscus_steps(&s); k > 0; k--) {
        rl_multilayer_step<<<slots, RL_MULTILAYER_BLOCK, 0, stream>>>(s);
        rl_multilayer_settle<<<slots, RL_MULTILAYER_BLOCK, 0, stream>>>(s);
    }
}

static void count_mesh(const rl_device_multilayer *d, cudaStream_t stream)
{
    const rl_surface &s = d->lattice;
    const dim3 rows((unsigned)s.ny + 2, (unsigned)s.layers);
    rl_multilayer_quads<<<grid_of(s, 1), RL_MULTILAYER_BLOCK, 0, stream>>>(s, d->sums, d->lists);
    rl_multilayer_special<<<LIST_BLOCKS, RL_MULTILAYER_BLOCK, 0, stream>>>(s, d->sums, d->lists);
    rl_multilayer_count<<<rows, RL_MULTILAYER_WIDE, 0, stream>>>(s, d->sums, d->lists);
    rl_multilayer_sum<<<1, RL_MULTILAYER_WIDEST, 0, stream>>>(s, d->sums);
}

static int write_mesh(const rl_device_multilayer *d, cudaStream_t stream)
{
    const rl_surface &s = d->lattice;
    const dim3 slots = grid_of(s, s.layers);
    rl_multilayer_vertices<<<slots, RL_MULTILAYER_BLOCK, 0, stream>>>(s, d->sums);
    int error = follow(d->aside, stream, d->forked);
    rl_multilayer_other_vertices<<<LIST_BLOCKS, RL_MULTILAYER_BLOCK, 0, d->aside>>>(s, d->sums,
                                                                                    d->lists);
    if (s.meniscus != nullptr)
        rl_multilayer_meniscus<<<slots, RL_MULTILAYER_BLOCK, 0, d->aside>>>(s, d->sums);
    rl_multilayer_whole<<<slots, RL_MULTILAYER_BLOCK, 0, stream>>>(s, d->sums);
    rl_multilayer_cell_groups<<<LIST_BLOCKS, RL_MULTILAYER_BLOCK, 0, stream>>>(s, d->sums,
                                                                               d->lists);
    return error != 0 ? error : follow(stream, d->aside, d->joined);
}

int rl_device_multilayer_build(rl_device_multilayer *d, const rl_device_columns *columns, int fine,
                               rl_device_mesh_size *size)
{
    const cudaStream_t stream = (cudaStream_t)columns->stream;
    rl_surface *s = &d->lattice;
    s->columns = columns->view;
    s->fine = fine != 0;
    s->ranged = columns->view.range_min != nullptr && columns->view.range_max != nullptr;
    int error = rl_device_mesh_begin(&d->mesh, stream);
    RL_TRY(cudaMemsetAsync(d->sums.totals, 0, sizeof *d->sums.totals, stream));
    RL_TRY(cudaMemsetAsync(d->lists.counts, 0, RL_LIST_COUNT * sizeof *d->lists.counts, stream));
    find_links(d, stream);
    if (s->meniscus != nullptr) {
        error = error != 0 ? error : follow(d->aside, stream, d->forked);
        find_distances(d, d->aside);
    }
    count_mesh(d, stream);
    error = error != 0 ? error : rl_device_mesh_note_counted(&d->mesh, stream);
    error = error != 0 ? error : write_mesh(d, stream);
    error = error != 0 ? error : rl_device_mesh_note_written(&d->mesh, stream);
    error = error != 0 ? error : rl_device_mesh_await_counted(&d->mesh);
    size->vertices = d->sums.host->vertices;
    size->indices = 3 * (size_t)d->sums.host->triangles;
    size->fits = d->sums.host->fits;
    size->too_long = d->sums.host->too_long;
    return error;
}

rl_device_mesh *rl_device_multilayer_mesh(rl_device_multilayer *d)
{
    return &d->mesh;
}
