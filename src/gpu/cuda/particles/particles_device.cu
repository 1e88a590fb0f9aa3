// SPDX-License-Identifier: MIT
// particles_device.cu - the pool of particles in a device's memory, and the kernels of a step in
// their order, captured as graphs. They queue up behind the solver's own work; the host only waits,
// in the next step, for the numbers of this one.
#include "gpu/cuda/particles/particles_births.cuh"
#include "gpu/cuda/particles/particles_layered.cuh"

extern "C" {
#include "gpu/gpu.h"
}

#include <cstdlib>
#include <cstring>

// The kind of a step. Steps of the same kind are the same graph, launched again and again: they
// read what differs from the order.
struct rl_pool_kind {
    const float *depth; // of the solver, which has two copies of its fields
    const void *solver, *stream;
    int version, waves, falls, foam, flying, lands;
    int layered, covered; // columns above each other, of which some have ceilings
};

#define GRAPHS 32 // graphs in the cache

struct rl_pool_graph {
    rl_pool_kind kind;
    cudaGraphExec_t graph;
};

// Its memory is cleared outside of the solver's stream.
struct pool {
    rl_device_memory blocks;
    rl_pool_memory memory;
    rl_pool_order *order, *order_host; // of the step; the second pinned
    rl_pool_graph graphs[GRAPHS];
    unsigned next_graph;
    size_t found_capacity, turn_capacity;
    rl_birth *births_host; // pinned, as the next two
    rl_pool_extra *extras_host;
    rl_pool_numbers *numbers_host;
    void *registered;    // memory of the host that is registered with the device
    cudaStream_t stream; // the solver's, of the last step
    cudaEvent_t done;
    int processors;
};

// ---- Creation and destruction ----------------------------------------------------------

static int take_deposits(rl_device_memory *d, rl_pool_deposits *to, size_t count)
{
    RL_TRY(rl_device_take(d, count, &to->cells, &to->depth, &to->momentum_x, &to->momentum_y));
    return rl_device_take(d, count, &to->given, &to->wanted);
}

static int take_memory(pool *p)
{
    rl_device_memory *d = &p->blocks;
    rl_pool_memory *m = &p->memory;
    const size_t places = (size_t)m->places, records = places + RL_POOL_EXTRAS;
    for (float *&array : m->arrays)
        RL_TRY(rl_device_take(d, places, &array));
    for (float *&array : m->foam)
        RL_TRY(rl_device_take(d, places, &array));
    RL_TRY(rl_device_take(d, places, &m->kind, &m->births, &m->crest_cells, &m->crest_births,
                          &m->wet, &m->foams));
    RL_TRY(rl_device_take(d, records, &m->list, &m->landed, &m->records, &m->sorted));
    RL_TRY(take_deposits(d, &m->deposits, records));
    RL_TRY(rl_device_take(d, records / 32 + RL_POOL_WIDE, &m->bits));
    RL_TRY(rl_device_take(d, records / RL_POOL_PART + 1, &m->parts));
    RL_TRY(rl_device_take(d, RL_POOL_EXTRAS, &m->extras));
    RL_TRY(rl_device_take(d, 1, &m->tally, &p->order));
    m->order = p->order;
    const size_t births = places * sizeof *p->births_host;
    const size_t extras = RL_POOL_EXTRAS * sizeof *p->extras_host;
    RL_TRY(rl_device_take_pinned(d, births, (void **)&p->births_host));
    RL_TRY(rl_device_take_pinned(d, sizeof *p->order_host, (void **)&p->order_host));
    RL_TRY(rl_device_take_pinned(d, extras, (void **)&p->extras_host));
    RL_TRY(rl_device_take_pinned(d, sizeof *p->numbers_host, (void **)&p->numbers_host));
    RL_TRY(cudaDeviceGetAttribute(&p->processors, cudaDevAttrMultiProcessorCount, 0));
    RL_TRY(cudaEventCreateWithFlags(&p->done, cudaEventDisableTiming));
    return (int)cudaDeviceSynchronize();
}

// Allocates the arrays that only columns above each other need.
static int take_layered(rl_device_memory *d, rl_pool_memory *m)
{
    const size_t places = (size_t)m->places, records = places + RL_POOL_EXTRAS;
    RL_TRY(rl_device_take(d, places, &m->stays, &m->columns, &m->leaving));
    RL_TRY(rl_device_take(d, records, &m->refused, &m->offers, &m->rest));
    RL_TRY(rl_device_take(d, records / RL_POOL_PART + 1, &m->second_parts));
    return take_deposits(d, &m->seconds, 2 * records);
}

static void drop_graphs(pool *p)
{
    for (rl_pool_graph &g : p->graphs)
        rl_device_drop_graph(&g.graph);
}

static void pool_destroy(void **self)
{
    pool *p = (pool *)*self;
    if (p == nullptr)
        return;
    cudaDeviceSynchronize();
    drop_graphs(p);
    rl_device_release(&p->blocks);
    if (p->registered != nullptr)
        cudaHostUnregister(p->registered);
    if (p->done != nullptr)
        cudaEventDestroy(p->done);
    std::free(p);
    *self = nullptr;
}

static int pool_create(int places, int most, void *memory, size_t bytes, void **self)
{
    pool *p = (pool *)std::calloc(1, sizeof *p);
    *self = p;
    if (p == nullptr)
        return (int)cudaErrorMemoryAllocation;
    p->memory.places = places;
    p->memory.most = most;
    // Copies are slower where this fails.
    if (cudaHostRegister(memory, bytes, cudaHostRegisterDefault) == cudaSuccess)
        p->registered = memory;
    else
        cudaGetLastError();
    const int error = take_memory(p);
    if (error != 0)
        pool_destroy(self);
    return error;
}

static unsigned blocks_of(int count, int size)
{
    return (unsigned)((count + size - 1) / size);
}

// ---- Copies from and to the host -------------------------------------------------------

static int pool_upload(void *self, const rl_pool_places *from)
{
    pool *p = (pool *)self;
    const size_t count = (size_t)from->count;
    for (int n = 0; n < RL_POOL_ARRAYS; n++)
        RL_TRY(cudaMemcpy(p->memory.arrays[n], from->arrays[n], count * sizeof(float),
                          cudaMemcpyHostToDevice));
    RL_TRY(cudaMemcpy(p->memory.kind, from->kind, count, cudaMemcpyHostToDevice));
    return (int)cudaDeviceSynchronize(); // the solver's queue does not wait for these copies
}

static int pool_download(void *self, const rl_pool_places *to)
{
    pool *p = (pool *)self;
    const size_t count = (size_t)to->count;
    for (int n = 0; n < RL_POOL_ARRAYS; n++)
        RL_TRY(rl_device_fetch(p->stream, to->arrays[n], p->memory.arrays[n], count));
    return rl_device_read(p->stream, to->kind, p->memory.kind, count);
}

static rl_birth *pool_births(void *self)
{
    return ((pool *)self)->births_host;
}

static int pool_add(void *self, const rl_pool_numbers *before, int count, const float *radius_of)
{
    pool *p = (pool *)self;
    rl_pool_order *o = p->order_host;
    o->before = *before;
    o->born = count;
    o->extra_count = 0;
    for (int kind = 0; kind < RILL_PARTICLE_KIND_COUNT; kind++)
        o->radius_of[kind] = radius_of[kind];
    RL_TRY(rl_device_send(p->stream, p->order, o, 1));
    RL_TRY(rl_device_send(p->stream, p->memory.births, p->births_host, (size_t)count));
    rl_begin_births<<<1, 1, 0, p->stream>>>(p->memory);
    rl_place_births<<<blocks_of(count, RL_POOL_BLOCK), RL_POOL_BLOCK, 0, p->stream>>>(p->memory);
    RL_TRY(cudaGetLastError());
    return (int)cudaStreamSynchronize(p->stream);
}

static int pool_settle(void *self, rl_pool_numbers *after)
{
    pool *p = (pool *)self;
    RL_TRY(cudaEventSynchronize(p->done));
    *after = *p->numbers_host;
    return 0;
}

// ---- The solver ------------------------------------------------------------------------

static int pool_view(const rl_solver_ops *ops, void *solver, rill_columns *columns,
                     rl_motion *motion, rl_pool_queue *queue)
{
    rl_device_columns c = {};
    RL_TRY(ops->device->columns(solver, &c));
    *columns = c.view;
    if (ops->device->deposit == nullptr)
        columns->base = nullptr;
    *motion = rl_motion{};
    queue->stream = c.stream;
    queue->version = c.version;
    motion->depth_before = c.depth_before;
    motion->step = c.depth_before != nullptr ? c.step : 0.0;
    motion->depth_limit = c.depth_limit;
    if (ops->device->falls != nullptr)
        RL_TRY(ops->device->falls(solver, &motion->falls, &motion->fall_count));
    return 0;
}

// Gives the prepared deposits to the solver, no more than `most`.
static int give(const rl_pool_order *o, const rl_pool_deposits *g, const int *count, int most)
{
    const rl_device_deposits deposits = {g->cells, g->depth, g->momentum_x, g->momentum_y,
                                         g->given, count,    most};
    return o->ops->device->deposit(o->solver, &deposits);
}

static int most_deposits(const pool *p)
{
    return p->memory.places + RL_POOL_EXTRAS;
}

// ---- A step ----------------------------------------------------------------------------

// Blocks of a launch whose work only the device knows.
static unsigned any_blocks(const pool *p)
{
    return (unsigned)(4 * p->processors);
}

static rl_pool_kind kind_of(const rl_pool_order *o)
{
    rl_pool_kind k;
    std::memset(&k, 0, sizeof k); // kinds are compared by their bytes
    k.depth = o->landing.ground.depth;
    k.solver = o->solver;
    k.stream = o->queue.stream;
    k.version = o->queue.version;
    k.waves = o->waves;
    k.falls = o->fall_count > 0;
    k.foam = o->before.count > o->before.flying;
    k.flying = o->before.flying > 0;
    k.lands = k.flying || k.falls || o->extra_count > 0;
    k.layered = o->landing.layered.water.layers > 0;
    k.covered = o->landing.layered.water.layers > 1;
    return k;
}

static int bear(pool *p, const rl_pool_order *o, const rl_pool_kind *k)
{
    const rl_pool_memory &m = p->memory;
    cudaStream_t s = p->stream;
    rl_begin_births<<<1, 1, 0, s>>>(m);
    if (k->waves) {
        const unsigned blocks = blocks_of(o->births.nx * o->births.ny, RL_POOL_SEARCH);
        rl_search_waves<<<blocks, RL_POOL_BLOCK, 0, s>>>(m);
        rl_count_waves<<<1, RL_POOL_WIDE, 0, s>>>(m, (int)blocks);
        rl_list_crests<<<blocks, RL_POOL_BLOCK, 0, s>>>(m);
        rl_draw_crests<<<any_blocks(p), RL_POOL_BLOCK / 2, 0, s>>>(m);
        RL_TRY(give(o, &m.deposits, &m.tally->crests, most_deposits(p)));
        rl_scale_crests<<<any_blocks(p), RL_POOL_BLOCK / 2, 0, s>>>(m);
        rl_sum_crests<<<any_blocks(p), RL_POOL_BLOCK, 0, s>>>(m);
        rl_add_crests<<<1, 32, 0, s>>>(m);
    }
    if (k->falls) {
        rl_count_falls<<<any_blocks(p), 64, 0, s>>>(m);
        rl_order_falls<<<1, RL_POOL_WIDE, 0, s>>>(m);
        rl_draw_falls<<<any_blocks(p), 64, 0, s>>>(m);
    }
    rl_place_births<<<any_blocks(p), RL_POOL_BLOCK, 0, s>>>(m);
    return (int)cudaGetLastError();
}

template <bool Layered> static int move(pool *p, const rl_pool_kind *k)
{
    const rl_pool_memory &m = p->memory;
    cudaStream_t s = p->stream;
    if (k->foam) {
        rl_advect_foam<Layered><<<2 * any_blocks(p), RL_POOL_BLOCK, 0, s>>>(m);
        rl_list_gone<<<1, RL_POOL_WIDE, 0, s>>>(m);
        rl_remove_foam<<<any_blocks(p), RL_POOL_BLOCK, 0, s>>>(m);
    }
    if (k->flying) {
        rl_fly<Layered><<<2 * any_blocks(p), RL_POOL_BLOCK, 0, s>>>(m);
        rl_list_landed<<<1, RL_POOL_WIDE, 0, s>>>(m);
    }
    return (int)cudaGetLastError();
}

// Finds other places for water that covered columns have no capacity for.
static int settle_refused(pool *p, const rl_pool_order *o)
{
    const rl_pool_memory &m = p->memory;
    cudaStream_t s = p->stream;
    rl_mark_refused<<<any_blocks(p), RL_POOL_BLOCK, 0, s>>>(m);
    rl_list_refused<<<1, RL_POOL_WIDE, 0, s>>>(m);
    rl_settle_refused<<<any_blocks(p), RL_POOL_BLOCK, 0, s>>>(m);
    RL_TRY(give(o, &m.seconds, &m.tally->seconds, 2 * most_deposits(p)));
    rl_sum_rests<<<any_blocks(p), RL_POOL_BLOCK, 0, s>>>(m);
    return (int)cudaGetLastError();
}

template <bool Layered> static int land(pool *p, const rl_pool_order *o, const rl_pool_kind *k)
{
    const rl_pool_memory &m = p->memory;
    cudaStream_t s = p->stream;
    rl_sort_records<Layered><<<(unsigned)p->processors, RL_POOL_WIDE, 0, s>>>(m);
    rl_merge_records<<<any_blocks(p), RL_POOL_BLOCK, 0, s>>>(m);
    rl_mark_cells<<<any_blocks(p), RL_POOL_BLOCK, 0, s>>>(m);
    rl_list_cells<<<1, RL_POOL_WIDE, 0, s>>>(m);
    rl_sum_cells<<<any_blocks(p), RL_POOL_BLOCK, 0, s>>>(m);
    RL_TRY(give(o, &m.deposits, &m.tally->cells, most_deposits(p)));
    if (k->covered)
        return settle_refused(p, o);
    rl_sum_rest<<<any_blocks(p), RL_POOL_BLOCK, 0, s>>>(m);
    return (int)cudaGetLastError();
}

template <bool Layered> static int leave(pool *p)
{
    rl_pool_memory m = p->memory;
    cudaStream_t s = p->stream;
    if (Layered)
        rl_list_leaving<<<1, RL_POOL_WIDE, 0, s>>>(m);
    else
        m.leaving = m.landed;
    rl_leave_foam<Layered><<<any_blocks(p), RL_POOL_BLOCK, 0, s>>>(m);
    rl_close_flight<<<any_blocks(p), RL_POOL_BLOCK, 0, s>>>(m);
    rl_list_foam<<<1, RL_POOL_WIDE, 0, s>>>(m);
    rl_close_gap<<<any_blocks(p), RL_POOL_BLOCK, 0, s>>>(m);
    return (int)cudaGetLastError();
}

static int end_step(pool *p)
{
    rl_end_step<<<1, 32, 0, p->stream>>>(p->memory);
    RL_TRY(cudaGetLastError());
    return rl_device_fetch(p->stream, p->numbers_host, &p->memory.tally->after, 1);
}

template <bool Layered> static int launch(pool *p, const rl_pool_order *o, const rl_pool_kind *k)
{
    RL_TRY(bear(p, o, k));
    RL_TRY(move<Layered>(p, k));
    if (k->lands)
        RL_TRY(land<Layered>(p, o, k));
    if (k->flying)
        RL_TRY(leave<Layered>(p));
    return end_step(p);
}

// ---- Graphs ----------------------------------------------------------------------------

// Returns the graph of such a step: one from the cache, or a new one in the place of the oldest.
static int find_graph(pool *p, const rl_pool_order *o, cudaGraphExec_t *out)
{
    const rl_pool_kind kind = kind_of(o);
    for (const rl_pool_graph &g : p->graphs)
        if (g.graph != nullptr && std::memcmp(&g.kind, &kind, sizeof kind) == 0) {
            *out = g.graph;
            return 0;
        }
    rl_pool_graph *g = &p->graphs[p->next_graph++ % GRAPHS];
    rl_device_drop_graph(&g->graph);
    g->kind = kind;
    RL_TRY(rl_device_capture(p->stream, &g->graph, [=] {
        return g->kind.layered ? launch<true>(p, o, &g->kind) : launch<false>(p, o, &g->kind);
    }));
    *out = g->graph;
    return 0;
}

// Copies the arguments of the host, in pinned memory that `settle` has freed.
static int send(pool *p, const rl_pool_order *o)
{
    *p->order_host = *o;
    for (int n = 0; n < o->extra_count; n++)
        p->extras_host[n] = o->extras[n];
    RL_TRY(rl_device_send(p->stream, p->order, p->order_host, 1));
    RL_TRY(rl_device_send(p->stream, p->memory.extras, p->extras_host, (size_t)o->extra_count));
    return rl_device_send(p->stream, p->memory.births, p->births_host, (size_t)o->born);
}

// Allocates memory that depends on the solver; no graph refers to the old memory any more.
static int reserve_all(pool *p, const rl_pool_order *o)
{
    const size_t found = (size_t)blocks_of(o->births.nx * o->births.ny, RL_POOL_SEARCH) + 1;
    const size_t turns = (size_t)o->fall_count;
    const bool layered = o->landing.layered.water.layers > 0 && p->memory.stays == nullptr;
    if (found <= p->found_capacity && turns <= p->turn_capacity && !layered)
        return 0;
    RL_TRY(cudaDeviceSynchronize());
    drop_graphs(p);
    RL_TRY(rl_device_reserve(&p->blocks, found, &p->found_capacity, &p->memory.found));
    RL_TRY(rl_device_reserve(&p->blocks, turns, &p->turn_capacity, &p->memory.turns));
    if (layered)
        RL_TRY(take_layered(&p->blocks, &p->memory));
    // An empty deposit lets the solver allocate its memory too before a graph is made.
    RL_TRY(cudaMemset(p->memory.tally, 0, sizeof *p->memory.tally));
    RL_TRY(cudaDeviceSynchronize());
    return give(o, &p->memory.deposits, &p->memory.tally->cells, most_deposits(p));
}

static int pool_step(void *self, const rl_pool_order *o)
{
    pool *p = (pool *)self;
    cudaGraphExec_t graph = nullptr;
    p->stream = (cudaStream_t)o->queue.stream;
    RL_TRY(reserve_all(p, o));
    RL_TRY(find_graph(p, o, &graph));
    RL_TRY(send(p, o));
    RL_TRY(cudaGraphLaunch(graph, p->stream));
    RL_TRY(cudaEventRecord(p->done, p->stream));
    return o->ops->device->changed(o->solver);
}

static const rl_particles_device table = {
    pool_view,   pool_create, pool_destroy, pool_upload, pool_download,
    pool_births, pool_add,    pool_step,    pool_settle, rl_device_text,
};

const rl_particles_device *rl_gpu_particles(void)
{
    return &table;
}
