// SPDX-License-Identifier: MIT
// multilayer_device.cu - a multi-layer surface in a device's memory: the layout of its arrays, and
// the kernels of a build in their order. All kernels get a lattice of the host's kind
// (surface/lattice.h), whose pointers are the device's.
#include "gpu/cuda/surface/multilayer_write.cuh"

// Vertices that are counted with a slot at most: itself, and on each side one with a curtain.
#define MOST_OF_SLOT 13
#define MOST_ROWS    65535 // of a grid of blocks
#define LIST_BLOCKS  2048  // of kernels whose lists only the device knows

struct rl_device_multilayer : rl_device_mesh {
    rl_surface lattice;
    rl_multilayer_sums sums;
    rl_multilayer_lists lists;
    float *least;
    size_t cell_capacity, stack_capacity, least_capacity; // of the ground
};

// ---- Creation --------------------------------------------------------------------------

// The rim stays zero.
static int take_memory(rl_device_multilayer *d)
{
    rl_surface *s = &d->lattice;
    rl_multilayer_sums *n = &d->sums;
    const size_t layers = (size_t)s->layers, slots = s->plane * layers, rows = (size_t)s->ny + 2;
    RL_TRY(
        rl_device_take(d, slots, &s->level, &s->height, &s->number, &n->whole_at, &d->lists.slots));
    RL_TRY(rl_device_take(d, slots, &s->wet, &s->link, &s->wet_link, &s->plain, &s->cut,
                          &s->crossed, &s->corner, &s->extra, &s->quad));
    RL_TRY(rl_device_take(d, 4 * slots, &s->link_layer, &s->edge));
    RL_TRY(rl_device_take(d, s->plane, &s->outward, &s->special, &s->highest, &n->special_at,
                          &d->lists.points));
    RL_TRY(rl_device_take(d, rows * layers + 1, &n->row_vertices, &n->row_whole));
    RL_TRY(rl_device_take(d, rows + 1, &n->row_special));
    RL_TRY(rl_device_take(d, 1, &n->totals));
    RL_TRY(rl_device_take(d, RL_LIST_COUNT, &d->lists.counts));
    for (int k = 0; k < 2 && s->def.meniscus_length > 0.0f; k++)
        RL_TRY(rl_device_take(d, slots, &s->shore[k][RL_SHORE_DISTANCE], &s->shore[k][RL_SHORE_I],
                              &s->shore[k][RL_SHORE_J], &s->shore[k][RL_SHORE_KIND], &s->moved[k]));
    return (int)cudaStreamSynchronize(d->stream);
}

int rl_device_multilayer_create(const rl_gpu_surface_def *def, rl_device_mesh **out)
{
    RL_TRY(rl_device_mesh_create(def, sizeof(rl_device_multilayer), MOST_OF_SLOT, out));
    rl_device_multilayer *d = (rl_device_multilayer *)*out;
    rl_surface *s = &d->lattice;
    s->nx = def->nx;
    s->ny = def->ny;
    s->layers = def->layers;
    s->def = def->surface;
    s->pitch = (size_t)def->nx + 2;
    s->plane = s->pitch * ((size_t)def->ny + 2);
    s->vertices = d->vertices;
    s->indices = d->indices;
    s->meniscus = d->meniscus;
    d->sums.host = d->size;
    d->sums.vertex_capacity = def->vertex_capacity;
    d->sums.triangle_capacity = def->triangle_capacity;
    return take_memory(d);
}

// ---- Ground ----------------------------------------------------------------------------

int rl_device_multilayer_set_ground(rl_device_mesh *mesh, const rl_gpu_surface_ground *ground)
{
    rl_device_multilayer *d = (rl_device_multilayer *)mesh;
    rl_surface *s = &d->lattice;
    const size_t cells = (size_t)s->nx * (size_t)s->ny + 1;
    const size_t stacks = ground->stack_bytes / sizeof *s->stacks;
    RL_TRY(cudaEventSynchronize(d->written)); // a build may be reading it
    RL_TRY(rl_device_reserve(d, cells, &d->cell_capacity, &s->stack_first));
    RL_TRY(rl_device_reserve(d, stacks, &d->stack_capacity, &s->stacks));
    RL_TRY(rl_device_reserve(d, ground->least_floats, &d->least_capacity, &d->least));
    RL_TRY(rl_device_send(d->stream, s->stack_first, ground->stack_first, cells));
    RL_TRY(rl_device_send(d->stream, s->stacks, (const rl_stack_entry *)ground->stacks, stacks));
    s->least = ground->least != nullptr ? d->least : nullptr;
    if (ground->least != nullptr)
        RL_TRY(rl_device_send(d->stream, d->least, ground->least, ground->least_floats));
    s->least_pitch = ground->least_pitch;
    s->least_stride = ground->least_stride;
    return (int)cudaStreamSynchronize(d->stream); // the solver's queue does not wait for it
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
    RL_TRY(follow(d->aside, stream, d->forked));
    rl_multilayer_other_vertices<<<LIST_BLOCKS, RL_MULTILAYER_BLOCK, 0, d->aside>>>(s, d->sums,
                                                                                    d->lists);
    if (s.meniscus != nullptr)
        rl_multilayer_meniscus<<<slots, RL_MULTILAYER_BLOCK, 0, d->aside>>>(s, d->sums);
    rl_multilayer_whole<<<slots, RL_MULTILAYER_BLOCK, 0, stream>>>(s, d->sums);
    rl_multilayer_cell_groups<<<LIST_BLOCKS, RL_MULTILAYER_BLOCK, 0, stream>>>(s, d->sums,
                                                                               d->lists);
    return follow(stream, d->aside, d->joined);
}

int rl_device_multilayer_build(rl_device_mesh *mesh, const rl_device_columns *columns, int fine,
                               unsigned walls, rl_device_mesh_size *size)
{
    rl_device_multilayer *d = (rl_device_multilayer *)mesh;
    const cudaStream_t stream = (cudaStream_t)columns->stream;
    rl_surface *s = &d->lattice;
    s->columns = columns->view;
    s->fine = fine != 0;
    s->walls = walls;
    s->ranged = columns->view.range_min != nullptr && columns->view.range_max != nullptr;
    RL_TRY(rl_device_mesh_begin(d, stream));
    RL_TRY(cudaMemsetAsync(d->sums.totals, 0, sizeof *d->sums.totals, stream));
    RL_TRY(cudaMemsetAsync(d->lists.counts, 0, RL_LIST_COUNT * sizeof *d->lists.counts, stream));
    find_links(d, stream);
    if (s->meniscus != nullptr) {
        RL_TRY(follow(d->aside, stream, d->forked));
        find_distances(d, d->aside);
    }
    count_mesh(d, stream);
    RL_TRY(rl_device_mesh_note(d->counted, stream));
    RL_TRY(write_mesh(d, stream));
    return rl_device_mesh_end(d, stream, size);
}
