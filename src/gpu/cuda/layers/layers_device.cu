// SPDX-License-Identifier: MIT
// layers_device.cu - the layers water in a device's memory: fields, tables, copies to and fro, and
// the launch of the kernel that takes all steps of a frame.
#define RL_CELL_PLAIN_EXTREMES // no sign of a zero that they make reaches the state
#include "gpu/cuda/layers/layers_between.cuh"
#include "gpu/cuda/layers/layers_device_columns.h"
#include "gpu/cuda/layers/layers_large.cuh"
#include "gpu/cuda/layers/layers_steps.cuh"
#include "gpu/cuda/mirror/queued_deposit.cuh"

#include <atomic>
#include <cstdlib>
#include <cstring>

#define MARGIN     16 // ghosts before a row, RILL_MARGIN_X of core/field.h,
#define GHOST_ROWS 2  // and rows below a plane, RL_LAYERS_GHOST_ROWS

#define MOST_STEPS 256 // that are taken before the host looks

// Shared memory of a block; what the search for passages needs more lies in device memory.
#define STATIC_SHARED (4 << 10) // more than what kernels have of their own

struct rl_device_layers {
    rl_device_layers_def def;
    size_t field_floats, bytes;
    cudaStream_t stream;
    float *memory; // of all fields
    rl_layers_limiter *shares;
    rl_layers_args args;
    int most_shared, small_blocks, large_blocks; // that a device can hold
    bool large;                                  // the form of the kernel
    bool measured;                               // heights of columns are added up
    int meeting;
    int number; // of the next step

    // What the tables need: as large as it ever was.
    void *tables, *search;
    size_t tables_room, search_room;
    int pipe_room;

    rl_layers_launch_deposit gift; // that goes along with the next frame, if it has rows
};

#define TRY(call)                         \
    do {                                  \
        const cudaError_t tried = (call); \
        if (tried != cudaSuccess)         \
            return (int)tried;            \
    } while (0)

// ---- Making ----------------------------------------------------------------------------

template <typename T> static cudaError_t take(rl_device_layers *p, size_t count, T **out)
{
    const cudaError_t error = cudaMalloc((void **)out, count * sizeof(T));
    if (error != cudaSuccess)
        return error;
    p->bytes += count * sizeof(T);
    return cudaMemsetAsync(*out, 0, count * sizeof(T), p->stream);
}

static int field_count(const rl_device_layers_def *def, int field)
{
    if (field == RL_COLUMN_COSINE_X || field == RL_COLUMN_COSINE_Y)
        return def->sloped;
    if (field == RL_COLUMN_TOP || field == RL_COLUMN_BOTTOM || field == RL_COLUMN_INFLOW_LIMITER ||
        field == RL_COLUMN_HEAD)
        return def->covered;
    return 1;
}

static int take_memory(rl_device_layers *p)
{
    size_t fields = 0;
    for (int field = 0; field < RL_COLUMN_FIELDS; field++)
        fields += (size_t)field_count(&p->def, field);
    TRY(take(p, fields * p->field_floats, &p->memory));
    float *next = p->memory + GHOST_ROWS * p->def.pitch + MARGIN;
    for (int field = 0; field < RL_COLUMN_FIELDS; field++) {
        p->args.field[field] = field_count(&p->def, field) ? next : nullptr;
        next += (size_t)field_count(&p->def, field) * p->field_floats;
    }
    TRY(take(p, p->field_floats, &p->shares));
    p->args.shares = p->shares + GHOST_ROWS * p->def.pitch + MARGIN;
    TRY(take(p, (size_t)p->def.ny, &p->args.gifts.raised));
    TRY(take(p, 2, &p->args.meetings));
    TRY(take(p, 2 * (size_t)p->args.tile_count, &p->args.moved));
    // The kernel leaves its result in the host's memory.
    TRY(cudaMallocHost((void **)&p->args.control, sizeof *p->args.control));
    p->args.control->number = RL_STEP_NONE;
    return rl_device_layers_clear_running_max(p);
}

static void take_def(rl_device_layers *p, const rl_device_layers_def *def)
{
    p->def = *def;
    p->number = RL_STEP_NONE + 1;
    // One row more, so that a step may look past the last one.
    p->field_floats = (size_t)def->pitch * ((size_t)def->plane_rows * (size_t)def->planes + 1);
    rl_layers_args *a = &p->args;
    a->rules = def->rules;
    a->nx = def->nx;
    a->ny = def->ny;
    a->planes = def->planes;
    a->pitch = def->pitch;
    a->plane_rows = def->plane_rows;
    a->tile_rows = def->tile_rows;
    a->tile_count = (def->ny + def->tile_rows - 1) / def->tile_rows;
    a->paper = def->rules.def.area == RILL_AREA_PAPER;
    a->sloped = def->sloped;
    a->slowed = def->rules.def.drag > 0.0f        ? RL_PIPE_DRAG
                : def->rules.def.viscosity > 0.0f ? RL_PIPE_VISCOUS
                                                  : RL_PIPE_FREE;
    a->smooth = def->rules.theta < 1.0f;
    a->passages = def->passages;
    a->straight = def->straight;
    a->cell_size = (float)def->rules.cell_size;
}

// Blocks that meet must all run at once.
static int count_blocks(rl_device_layers *p)
{
    TRY(cudaDeviceGetAttribute(&p->most_shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    p->most_shared -= STATIC_SHARED;
    p->small_blocks = rl_frame_blocks(p->most_shared);
    p->large_blocks = rl_large_frame_blocks();
    return p->large_blocks < 0 ? -p->large_blocks : 0;
}

static int set_up(rl_device_layers *p)
{
    TRY(cudaStreamCreateWithFlags(&p->stream, cudaStreamNonBlocking));
    const int error = count_blocks(p);
    return error != 0 ? error : take_memory(p);
}

int rl_device_layers_create(const rl_device_layers_def *def, rl_device_layers **out)
{
    rl_device_layers *p = (rl_device_layers *)std::calloc(1, sizeof *p);
    *out = p;
    if (p == nullptr)
        return (int)cudaErrorMemoryAllocation;
    take_def(p, def);
    const int error = set_up(p);
    if (error != 0)
        rl_device_layers_destroy(out);
    return error;
}

void rl_device_layers_destroy(rl_device_layers **layers)
{
    rl_device_layers *p = *layers;
    if (p == nullptr)
        return;
    if (p->stream != nullptr)
        cudaStreamSynchronize(p->stream);
    void *const blocks[] = {p->memory,          p->shares,          p->args.gifts.raised,
                            p->args.meetings,   p->args.moved,      p->tables,
                            p->search,          p->args.cross_q,    p->args.cross_raw,
                            p->args.gifts.runs, p->args.gifts.rows, p->args.gifts.amounts};
    for (void *block : blocks)
        cudaFree(block);
    cudaFreeHost(p->args.control);
    if (p->stream != nullptr)
        cudaStreamDestroy(p->stream);
    std::free(p);
    *layers = nullptr;
}

size_t rl_device_layers_bytes(const rl_device_layers *p)
{
    return p->bytes;
}

// ---- Tables ----------------------------------------------------------------------------

// Takes `count` things of a block, or, with `block` NULL, only counts their bytes.
template <typename T> static void cut(char *block, size_t *used, size_t count, T **out)
{
    *out = block != nullptr ? (T *)(block + *used) : nullptr;
    *used += (count * sizeof(T) + 255) / 256 * 256;
}

static size_t lay_search(rl_layers_search *s, size_t words, size_t pipes, char *block)
{
    const size_t runs = (size_t)s->run_room, gates = (size_t)s->gate_room;
    const size_t shorts = (size_t)s->short_room, pipe_words = (pipes + 31) / 32;
    size_t used = 0;
    unsigned **per_word[] = {&s->full, &s->shorts, &s->flooded, &s->begins, &s->now, &s->old};
    for (unsigned **bits : per_word)
        cut(block, &used, words, bits);
    cut(block, &used, words, &s->before);
    cut(block, &used, words, &s->gate_before);
    cut(block, &used, words, &s->rims);
    cut(block, &used, words, &s->air);
    cut(block, &used, 32 * words, &s->lacking);
    cut(block, &used, 32 * words, &s->heights);
    cut(block, &used, 2 * pipes, &s->end_air);
    cut(block, &used, 3 * pipe_words, &s->pipe_words);
    cut(block, &used, runs, &s->shown);
    cut(block, &used, RL_RUN_NUMBERS * runs, &s->runs);
    cut(block, &used, RL_GATE_NUMBERS * gates, &s->gates);
    cut(block, &used, RL_CHUNK_BYTES / sizeof(int) * gates, &s->chunks);
    cut(block, &used, RL_LIMITED_NUMBERS * shorts, &s->short_columns);
    return used;
}

static int make_room(rl_device_layers *p, void **block, size_t *room, size_t bytes)
{
    if (bytes <= *room)
        return 0;
    cudaFree(*block);
    *block = nullptr;
    p->bytes -= *room;
    *room = 0;
    TRY(cudaMalloc(block, bytes));
    *room = bytes;
    p->bytes += bytes;
    return 0;
}

static int make_search(rl_device_layers *p, const rl_layers_tables *t)
{
    rl_layers_search *s = &p->args.search;
    const int64_t columns = 32 * (int64_t)t->covered_count;
    const int64_t most_gates = 4 * columns + t->pipe_count;
    s->gate_capacity = t->gateway_capacity;
    s->short_capacity = t->short_capacity;
    // Even, so that doubles behind them lie well.
    s->run_room = (int)(columns / 2 + 2);
    s->gate_room = (int)(most_gates < t->gateway_capacity ? most_gates : t->gateway_capacity);
    s->gate_room += s->gate_room & 1;
    s->short_room = (int)(columns < t->short_capacity ? columns : t->short_capacity);
    const size_t words = (size_t)t->covered_count, pipes = (size_t)t->pipe_count;
    const size_t bytes = lay_search(s, words, pipes, nullptr);
    const int error = make_room(p, &p->search, &p->search_room, bytes);
    if (error != 0)
        return error;
    lay_search(s, words, pipes, (char *)p->search);
    return (int)cudaMemsetAsync(p->search, 0, bytes, p->stream);
}

template <typename T>
static cudaError_t send(rl_device_layers *p, size_t *used, size_t count, const T *from,
                        const T **out)
{
    T *to = nullptr;
    cut((char *)p->tables, used, count, &to);
    *out = to;
    return count == 0
               ? cudaSuccess
               : cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyHostToDevice, p->stream);
}

static int send_tables(rl_device_layers *p, const rl_layers_tables *t)
{
    rl_layers_args *a = &p->args;
    const size_t words = (size_t)t->word_count, pipes = (size_t)t->pipe_count;
    const size_t crossed = (size_t)t->crossed_count + 1;
    size_t used = 4 * 256 + words * sizeof *t->words + pipes * sizeof *t->pipes +
                  crossed * sizeof(int32_t) + 2 * pipes * sizeof *t->ends;
    const int error = make_room(p, &p->tables, &p->tables_room, used);
    if (error != 0)
        return error;
    used = 0;
    TRY(send(p, &used, words, t->words, &a->words));
    TRY(send(p, &used, pipes, t->pipes, &a->pipes));
    TRY(send(p, &used, crossed, t->ends_first, &a->ends_first));
    TRY(send(p, &used, 2 * pipes, t->ends, &a->ends));
    if (t->pipe_count > p->pipe_room) {
        cudaFree(a->cross_q);
        cudaFree(a->cross_raw);
        a->cross_q = a->cross_raw = nullptr;
        TRY(take(p, pipes, &a->cross_q));
        TRY(take(p, pipes, &a->cross_raw));
        p->pipe_room = t->pipe_count;
    }
    return (int)cudaStreamSynchronize(p->stream);
}

// Nothing flows, and columns pay for everything and have room for everything.
static int clear_step(rl_device_layers *p)
{
    const int origin = GHOST_ROWS * p->def.pitch + MARGIN;
    for (int field = RL_COLUMN_RAW_X; field < RL_COLUMN_FIELDS; field++) {
        if (p->args.field[field] == nullptr)
            continue;
        const float value = field == RL_COLUMN_INFLOW_LIMITER ? 1.0f : 0.0f;
        rl_layers_set<<<256, RL_SMALL, 0, p->stream>>>(p->args.field[field] - origin,
                                                       p->field_floats, value);
        TRY(cudaGetLastError());
    }
    rl_layers_clear_limiters<<<256, RL_SMALL, 0, p->stream>>>(p->shares, p->field_floats);
    const int blocks = (p->args.word_count + RL_SMALL / 32 - 1) / (RL_SMALL / 32);
    if (blocks > 0)
        rl_layers_await_limiters<<<blocks, RL_SMALL, 0, p->stream>>>(p->args);
    return (int)cudaGetLastError();
}

int rl_device_layers_set_tables(rl_device_layers *p, const rl_layers_tables *t)
{
    rl_layers_args *a = &p->args;
    TRY(cudaStreamSynchronize(p->stream));
    a->word_count = t->word_count;
    a->covered_count = t->covered_count;
    a->pipe_count = t->pipe_count;
    a->crossed_count = t->crossed_count;
    a->open = t->open;
    a->drains = t->drains;
    a->deepest_beyond = t->deepest_beyond;
    std::memcpy(a->border_level, t->border_level, sizeof a->border_level);
    int error = make_search(p, t);
    if (error == 0)
        error = send_tables(p, t);
    a->near = rl_lay_neighbours(t->covered_count, t->pipe_count, t->crossed_count);
    p->large = a->straight || a->near.end > p->most_shared || p->small_blocks < 0;
    p->measured = false;
    return error != 0 ? error : clear_step(p);
}

// ---- Gifts -----------------------------------------------------------------------------

int rl_device_layers_reserve(rl_device_layers *p, int runs, int amounts)
{
    rl_deposit_place *to = &p->args.gifts;
    TRY(take(p, (size_t)runs, &to->runs));
    TRY(take(p, (size_t)runs + 1, &to->rows));
    TRY(take(p, (size_t)amounts, &to->amounts));
    to->run_room = runs;
    to->amount_room = amounts;
    to->depth = p->args.field[RL_COLUMN_DEPTH];
    to->remainder = p->args.field[RL_COLUMN_REMAINDER];
    to->pitch = p->def.pitch;
    return 0;
}

// What waits for the next frame is given now: somebody looks at the columns.
static int give_kept(rl_device_layers *p)
{
    if (p->gift.row_count == 0)
        return 0;
    const int error = rl_take_launch_deposit(p->args.gifts, p->gift, p->stream);
    p->gift.row_count = 0;
    return error;
}

int rl_device_layers_give(rl_device_layers *p, const rl_queued_deposit *gift)
{
    const int error = give_kept(p);
    if (error != 0 || rl_carry(gift, &p->gift))
        return error;
    return rl_take_deposit(p->args.gifts, gift, p->stream);
}

// ---- To and fro ------------------------------------------------------------------------

int rl_device_layers_view_of(rl_device_layers *p, rl_device_layers_view *view)
{
    const rl_layers_args *a = &p->args;
    rl_device_layers_view v = {};
    std::memcpy(v.fields, a->field, sizeof v.fields);
    v.words = a->words;
    v.pipes = a->pipes;
    v.ends_first = a->ends_first;
    v.ends = a->ends;
    v.cross_q = a->cross_q;
    v.raised = a->gifts.raised;
    v.word_count = a->word_count;
    v.nx = a->nx;
    v.ny = a->ny;
    v.planes = a->planes;
    v.pitch = a->pitch;
    v.plane_rows = a->plane_rows;
    v.field_floats = p->field_floats;
    v.origin = (size_t)(GHOST_ROWS * p->def.pitch + MARGIN);
    v.stream = p->stream;
    *view = v;
    return give_kept(p);
}

int rl_device_layers_upload(rl_device_layers *p, int field, const float *origin, int first,
                            int count)
{
    const ptrdiff_t at = (ptrdiff_t)first * p->def.pitch - MARGIN;
    TRY((cudaError_t)give_kept(p));
    TRY(cudaMemcpyAsync(p->args.field[field] + at, origin + at,
                        (size_t)count * (size_t)p->def.pitch * sizeof(float),
                        cudaMemcpyHostToDevice, p->stream));
    return (int)cudaStreamSynchronize(p->stream);
}

int rl_device_layers_download(rl_device_layers *p, int field, float *origin, int first, int count)
{
    const ptrdiff_t at = (ptrdiff_t)first * p->def.pitch - MARGIN;
    TRY((cudaError_t)give_kept(p));
    TRY(cudaMemcpyAsync(origin + at, p->args.field[field] + at,
                        (size_t)count * (size_t)p->def.pitch * sizeof(float),
                        cudaMemcpyDeviceToHost, p->stream));
    return (int)cudaStreamSynchronize(p->stream);
}

int rl_device_layers_send_rest(rl_device_layers *p, const float *cross_q, const uint32_t *flooded)
{
    const rl_layers_args *a = &p->args;
    if (a->pipe_count > 0)
        TRY(cudaMemcpyAsync(a->cross_q, cross_q, (size_t)a->pipe_count * sizeof *cross_q,
                            cudaMemcpyHostToDevice, p->stream));
    if (a->covered_count > 0)
        TRY(cudaMemcpyAsync(a->search.flooded, flooded, (size_t)a->covered_count * sizeof *flooded,
                            cudaMemcpyHostToDevice, p->stream));
    return (int)cudaStreamSynchronize(p->stream);
}

int rl_device_layers_fetch_cross(rl_device_layers *p, float *cross_q)
{
    if (p->args.pipe_count == 0)
        return 0;
    TRY(cudaMemcpyAsync(cross_q, p->args.cross_q, (size_t)p->args.pipe_count * sizeof *cross_q,
                        cudaMemcpyDeviceToHost, p->stream));
    return (int)cudaStreamSynchronize(p->stream);
}

int rl_device_layers_fetch_flooded(rl_device_layers *p, uint32_t *flooded)
{
    if (p->args.covered_count == 0)
        return 0;
    TRY(cudaMemcpyAsync(flooded, p->args.search.flooded,
                        (size_t)p->args.covered_count * sizeof *flooded, cudaMemcpyDeviceToHost,
                        p->stream));
    return (int)cudaStreamSynchronize(p->stream);
}

int rl_device_layers_wait(rl_device_layers *p)
{
    return (int)cudaStreamSynchronize(p->stream);
}

int rl_device_layers_running_max(rl_device_layers *p, float *raised)
{
    TRY((cudaError_t)give_kept(p));
    TRY(cudaMemcpyAsync(raised, p->args.gifts.raised, (size_t)p->def.ny * sizeof *raised,
                        cudaMemcpyDeviceToHost, p->stream));
    return (int)cudaStreamSynchronize(p->stream);
}

int rl_device_layers_clear_running_max(rl_device_layers *p)
{
    rl_layers_set<<<1, RL_SMALL, 0, p->stream>>>(p->args.gifts.raised, (size_t)p->def.ny, -1.0f);
    return (int)cudaGetLastError();
}

// ---- Steps -----------------------------------------------------------------------------

// Blocks that have work to do, and one for the passages.
static int blocks_for(const rl_layers_args &a, int most)
{
    const int items = a.word_count + (a.pipe_count + 31) / 32;
    const int blocks = (items + RL_LAYERS_WARPS - 1) / RL_LAYERS_WARPS + 1;
    return blocks < most ? blocks : most;
}

static cudaError_t launch_frame(rl_device_layers *p, const rl_layers_start &start)
{
    const rl_layers_args &a = p->args;
    const cudaError_t error =
        p->large
            ? rl_launch_large_frame(a, start, p->gift, blocks_for(a, p->large_blocks), p->stream)
            : rl_launch_frame(a, start, p->gift, blocks_for(a, p->small_blocks),
                              a.passages ? a.near.end : 0, p->stream);
    p->gift.row_count = 0;
    return error;
}

#define LOOKS 10000 // at the host's memory, before the device is asked whether it still runs

// Waits for a frame. It leaves its result in the host's memory, which is seen sooner than its end.
static cudaError_t await_frame(rl_device_layers *p, int number)
{
    const volatile int *seen = &p->args.control->number;
    cudaError_t state = cudaErrorNotReady;
    while (*seen != number && state == cudaErrorNotReady) {
        for (int n = 0; n < LOOKS && *seen != number; n++)
            continue;
        if (*seen != number)
            state = cudaStreamQuery(p->stream);
    }
    std::atomic_thread_fence(std::memory_order_acquire);
    return *seen == number ? cudaSuccess : state != cudaSuccess ? state : cudaErrorUnknown;
}

// The ground has come with its fields.
static cudaError_t measure_ground(rl_device_layers *p)
{
    const int blocks = (p->args.covered_count + RL_SMALL / 32 - 1) / (RL_SMALL / 32);
    p->measured = true;
    if (!p->args.passages || blocks == 0)
        return cudaSuccess;
    rl_layers_measure<<<blocks, RL_SMALL, 0, p->stream>>>(p->args);
    return cudaGetLastError();
}

int rl_device_layers_advance(rl_device_layers *p, rl_layers_advance *advance)
{
    if (!p->measured)
        TRY(measure_ground(p));
    while (advance->pace.left > 0.0) {
        const rl_layers_start start = {advance->pace, advance->deepest, advance->in, advance->out,
                                       MOST_STEPS,    p->meeting,       p->number};
        p->meeting = 1 - p->meeting;
        p->number = (int)((unsigned)p->number + MOST_STEPS & RL_STEP_MOST);
        TRY(launch_frame(p, start));
        TRY(await_frame(p, start.number));
        const rl_layers_control *now = p->args.control;
        advance->pace = now->pace;
        std::memcpy(&advance->deepest, &now->deepest, sizeof advance->deepest);
        advance->in = now->in;
        advance->out = now->out;
        p->large |= now->given_up != 0;
    }
    return 0;
}
