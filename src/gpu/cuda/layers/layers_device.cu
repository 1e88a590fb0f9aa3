// SPDX-License-Identifier: MIT
// layers_device.cu - the layers solver in a device's memory: fields, tables, copies from and to the
// host, and the launch of the kernel that takes all steps of a frame.
#define RL_CELL_PLAIN_EXTREMES // no sign of a zero that they make reaches the state
#include "gpu/cuda/layers/layers_between.cuh"
#include "gpu/cuda/layers/layers_steps.cuh"

#include <atomic>
#include <cstdlib>

#define MARGIN     16 // ghosts before a row, RILL_MARGIN_X of core/field.h,
#define GHOST_ROWS 2  // and rows below a plane, RL_LAYERS_GHOST_ROWS

#define MOST_STEPS 256 // that are taken before the host reads the result

// Shared memory of a block; the rest of the data of the search for passages lies in device memory.
#define STATIC_SHARED (4 << 10) // more than the static shared memory of the kernels

struct rl_device_layers : rl_device_memory {
    size_t field_floats;
    size_t origin;     // from the first float of a field to slot 0
    float *memory;     // of all fields
    float *velocities; // two fields for readers, or NULL
    rl_layers_limiter *limiters;
    rl_layers_args args;
    int most_shared, small_blocks, large_blocks; // that a device can hold
    bool large;                                  // the form of the kernel
    bool measured;                               // heights of columns are added up
    int barrier;
    int number; // of the next step

    // Memory of the tables: as large as it ever was.
    char *tables, *search;
    size_t tables_capacity, search_capacity;
    int pipe_capacity;

    rl_layers_launch_deposit deposit; // that travels with the next frame, if it has rows
};

// ---- Creation and destruction ----------------------------------------------------------

// Returns 1 where a world has a field.
static int field_count(const rl_device_layers *p, int field)
{
    if (field == RL_COLUMN_COSINE_X || field == RL_COLUMN_COSINE_Y)
        return p->args.sloped;
    if (field == RL_COLUMN_TOP || field == RL_COLUMN_BOTTOM || field == RL_COLUMN_INFLOW_LIMITER ||
        field == RL_COLUMN_HEAD)
        return p->args.covered;
    return 1;
}

static int take_memory(rl_device_layers *p)
{
    size_t fields = 0;
    for (int field = 0; field < RL_COLUMN_FIELDS; field++)
        fields += (size_t)field_count(p, field);
    RL_TRY(rl_device_take(p, fields * p->field_floats, &p->memory));
    float *next = p->memory + p->origin;
    for (int field = 0; field < RL_COLUMN_FIELDS; field++) {
        p->args.field[field] = field_count(p, field) ? next : nullptr;
        next += (size_t)field_count(p, field) * p->field_floats;
    }
    RL_TRY(rl_device_take(p, p->field_floats, &p->limiters));
    p->args.limiters = p->limiters + p->origin;
    RL_TRY(rl_device_take(p, (size_t)p->args.ny, &p->args.deposits.running_max));
    RL_TRY(rl_device_take(p, 2, &p->args.barriers));
    RL_TRY(rl_device_take(p, 2 * (size_t)p->args.tile_count, &p->args.moved));
    // The kernel leaves its result in the host's memory.
    RL_TRY(rl_device_take_pinned(p, sizeof *p->args.control, (void **)&p->args.control));
    p->args.control->number = RL_STEP_NONE;
    return rl_device_layers_clear_running_max(p);
}

static void take_def(rl_device_layers *p, const rl_device_layers_def *def)
{
    p->number = RL_STEP_NONE + 1;
    p->origin = (size_t)(GHOST_ROWS * def->pitch + MARGIN);
    // One row more, so that a step may read past the last one.
    p->field_floats = (size_t)def->pitch * ((size_t)def->plane_rows * (size_t)def->planes + 1);
    rl_layers_args *a = &p->args;
    static_cast<rl_device_layers_def &>(*a) = *def;
    a->tile_count = (def->ny + def->tile_rows - 1) / def->tile_rows;
    a->paper = def->rules.def.area == RILL_AREA_PAPER;
    a->slowed = def->rules.def.drag > 0.0f        ? RL_PIPE_DRAG
                : def->rules.def.viscosity > 0.0f ? RL_PIPE_VISCOUS
                                                  : RL_PIPE_FREE;
    a->smooth = def->rules.theta < 1.0f;
    a->cell_size = (float)def->rules.cell_size;
}

// Blocks that wait for each other must all run at once.
static int count_blocks(rl_device_layers *p)
{
    RL_TRY(cudaDeviceGetAttribute(&p->most_shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    p->most_shared -= STATIC_SHARED;
    if (rl_this_form.count_blocks(p->most_shared, &p->small_blocks) != 0)
        p->small_blocks = 0; // then all is large
    return rl_large_form.count_blocks(0, &p->large_blocks);
}

static int set_up(rl_device_layers *p)
{
    RL_TRY(cudaStreamCreateWithFlags(&p->stream, cudaStreamNonBlocking));
    RL_TRY(count_blocks(p));
    return take_memory(p);
}

int rl_device_layers_create(const rl_device_layers_def *def, void **out)
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

void rl_device_layers_destroy(void **layers)
{
    rl_device_layers *p = (rl_device_layers *)*layers;
    if (p == nullptr)
        return;
    rl_device_await(p);
    rl_device_release(p);
    std::free(p);
    *layers = nullptr;
}

// ---- Tables ----------------------------------------------------------------------------

// Returns arrays of `count` values of a block, or, with `block` NULL, only adds up their bytes.
template <typename... T> static void cut(char *block, size_t *used, size_t count, T **...out)
{
    const auto cut_one = [=](auto **one) {
        *one = block != nullptr ? (decltype(*one + 0))(block + *used) : nullptr;
        *used += (count * sizeof **one + 255) / 256 * 256;
    };
    (cut_one(out), ...);
}

static size_t lay_search(rl_layers_search *s, size_t words, size_t pipes, char *block)
{
    const size_t runs = (size_t)s->run_capacity, gates = (size_t)s->gate_places;
    const size_t limited = (size_t)s->limited_places, pipe_words = (pipes + 31) / 32;
    size_t used = 0;
    cut(block, &used, words, &s->full, &s->limited, &s->flooded, &s->begins, &s->now, &s->old,
        &s->before, &s->gate_before, &s->rims, &s->air);
    cut(block, &used, 32 * words, &s->lacking, &s->heights);
    cut(block, &used, 2 * pipes, &s->end_air);
    cut(block, &used, 3 * pipe_words, &s->pipe_words);
    cut(block, &used, runs, &s->shown);
    cut(block, &used, RL_RUN_NUMBERS * runs, &s->runs);
    cut(block, &used, RL_GATE_NUMBERS * gates, &s->gates);
    cut(block, &used, RL_CHUNK_BYTES / sizeof(int) * gates, &s->chunks);
    cut(block, &used, RL_LIMITED_NUMBERS * limited, &s->limited_columns);
    return used;
}

static int make_search(rl_device_layers *p, const rl_layers_tables *t)
{
    rl_layers_search *s = &p->args.search;
    const int64_t columns = 32 * (int64_t)t->covered_count;
    const int64_t most_gates = 4 * columns + t->pipe_count;
    // Even, so that doubles behind them are aligned.
    s->run_capacity = (int)(columns / 2 + 2);
    s->gate_places = (int)(most_gates < t->gateway_capacity ? most_gates : t->gateway_capacity);
    s->gate_places += s->gate_places & 1;
    s->limited_places = (int)(columns < t->limited_capacity ? columns : t->limited_capacity);
    const size_t words = (size_t)t->covered_count, pipes = (size_t)t->pipe_count;
    const size_t bytes = lay_search(s, words, pipes, nullptr);
    RL_TRY(rl_device_reserve(p, bytes, &p->search_capacity, &p->search));
    lay_search(s, words, pipes, p->search);
    return (int)cudaMemsetAsync(p->search, 0, bytes, p->stream);
}

template <typename T>
static int send(rl_device_layers *p, size_t *used, size_t count, const T *from, const T **out)
{
    T *to = nullptr;
    cut(p->tables, used, count, &to);
    *out = to;
    return rl_device_send(p->stream, to, from, count);
}

static int send_tables(rl_device_layers *p, const rl_layers_tables *t)
{
    rl_layers_args *a = &p->args;
    const size_t words = (size_t)t->word_count, pipes = (size_t)t->pipe_count;
    const size_t crossed = (size_t)t->crossed_count + 1;
    size_t used = 4 * 256 + words * sizeof *t->words + pipes * sizeof *t->pipes +
                  crossed * sizeof(int32_t) + 2 * pipes * sizeof *t->ends;
    RL_TRY(rl_device_reserve(p, used, &p->tables_capacity, &p->tables));
    used = 0;
    RL_TRY(send(p, &used, words, t->words, &a->words));
    RL_TRY(send(p, &used, pipes, t->pipes, &a->pipes));
    RL_TRY(send(p, &used, crossed, t->ends_first, &a->ends_first));
    RL_TRY(send(p, &used, 2 * pipes, t->ends, &a->ends));
    if (t->pipe_count > p->pipe_capacity) {
        rl_device_drop(p, &a->cross_q);
        rl_device_drop(p, &a->cross_raw);
        RL_TRY(rl_device_take(p, pipes, &a->cross_q, &a->cross_raw));
        p->pipe_capacity = t->pipe_count;
    }
    return (int)cudaStreamSynchronize(p->stream);
}

// Resets the step: nothing flows, and no column is limited.
static int clear_step(rl_device_layers *p)
{
    const rl_layers_limiter unlimited = {1.0f, RL_STEP_ALWAYS};
    for (int field = RL_COLUMN_RAW_X; field < RL_COLUMN_FIELDS; field++) {
        if (p->args.field[field] == nullptr)
            continue;
        const float value = field == RL_COLUMN_INFLOW_LIMITER ? 1.0f : 0.0f;
        rl_layers_set<<<256, RL_SMALL, 0, p->stream>>>(p->args.field[field] - p->origin,
                                                       p->field_floats, value);
        RL_TRY(cudaGetLastError());
    }
    rl_layers_set<<<256, RL_SMALL, 0, p->stream>>>(p->limiters, p->field_floats, unlimited);
    const int blocks = (p->args.word_count + RL_SMALL / 32 - 1) / (RL_SMALL / 32);
    if (blocks > 0)
        rl_layers_await_limiters<<<blocks, RL_SMALL, 0, p->stream>>>(p->args);
    return (int)cudaGetLastError();
}

int rl_device_layers_set_tables(rl_device_layers *p, const rl_layers_tables *t)
{
    rl_layers_args *a = &p->args;
    RL_TRY(cudaStreamSynchronize(p->stream));
    static_cast<rl_layers_tables &>(*a) = *t;
    int error = make_search(p, t);
    if (error == 0)
        error = send_tables(p, t);
    a->layout = rl_lay_out_shared(t->covered_count, t->pipe_count, t->crossed_count);
    p->large = a->straight || a->layout.end > p->most_shared || p->small_blocks == 0;
    p->measured = false;
    return error != 0 ? error : clear_step(p);
}

// ---- Deposits --------------------------------------------------------------------------

int rl_device_layers_reserve(void *layers, int runs, int amounts)
{
    rl_device_layers *p = (rl_device_layers *)layers;
    rl_deposit_place *to = &p->args.deposits;
    RL_TRY(rl_reserve_deposits(p, runs, amounts, to));
    to->depth = p->args.field[RL_COLUMN_DEPTH];
    to->remainder = p->args.field[RL_COLUMN_REMAINDER];
    to->pitch = p->args.pitch;
    return 0;
}

// Gives the waiting deposit now, because the columns are read.
static int give_waiting(rl_device_layers *p)
{
    if (p->deposit.row_count == 0)
        return 0;
    const int error = rl_take_launch_deposit(p->args.deposits, p->deposit, p->stream);
    p->deposit.row_count = 0;
    return error;
}

int rl_device_layers_give(void *layers, const rl_queued_deposit *deposit)
{
    rl_device_layers *p = (rl_device_layers *)layers;
    const int error = give_waiting(p);
    if (error != 0 || rl_fit_launch(deposit, &p->deposit))
        return error;
    return rl_take_deposit(p->args.deposits, deposit, p->stream);
}

// ---- Other modules on the device -------------------------------------------------------

int rl_device_layers_columns(void *layers, float wet_depth, rl_device_columns *columns)
{
    rl_device_layers *p = (rl_device_layers *)layers;
    RL_TRY(give_waiting(p));
    if (p->velocities == nullptr)
        RL_TRY(rl_device_take(p, 2 * p->field_floats, &p->velocities));
    float *const x = p->velocities + p->origin, *const along[2] = {x, x + p->field_floats};
    const rl_layers_args *a = &p->args;
    columns->view.base = a->field[RL_COLUMN_BASE];
    columns->view.depth = a->field[RL_COLUMN_DEPTH];
    columns->view.velocity_x = along[0];
    columns->view.velocity_y = along[1];
    columns->view.range_min = a->field[RL_COLUMN_BOTTOM];
    columns->view.range_max = a->field[RL_COLUMN_TOP];
    columns->view.layers = a->planes;
    columns->view.layer_stride = (size_t)a->plane_rows * (size_t)a->pitch;
    columns->view.pitch = (size_t)a->pitch;
    columns->stream = p->stream;
    return rl_layers_make_velocities(*a, wet_depth, along, p->stream);
}

// Fields stay where they are, whatever happens to the ground.
int rl_device_layers_give_to_columns(rl_device_layers *p, double cell_size,
                                     const rl_device_deposits *deposits)
{
    RL_TRY(give_waiting(p));
    return rl_layers_give_to_columns(p->args, cell_size, deposits, p->stream);
}

// ---- Copies from and to the host -------------------------------------------------------

int rl_device_layers_upload(rl_device_layers *p, int field, float *origin, int first, int count)
{
    const ptrdiff_t at = (ptrdiff_t)first * p->args.pitch - MARGIN;
    RL_TRY(give_waiting(p));
    RL_TRY(rl_device_send(p->stream, p->args.field[field] + at, origin + at,
                          (size_t)count * (size_t)p->args.pitch));
    return (int)cudaStreamSynchronize(p->stream);
}

int rl_device_layers_download(rl_device_layers *p, int field, float *origin, int first, int count)
{
    const ptrdiff_t at = (ptrdiff_t)first * p->args.pitch - MARGIN;
    RL_TRY(give_waiting(p));
    return rl_device_read(p->stream, origin + at, p->args.field[field] + at,
                          (size_t)count * (size_t)p->args.pitch);
}

int rl_device_layers_send_rest(rl_device_layers *p, const float *cross_q, const uint32_t *flooded)
{
    const rl_layers_args *a = &p->args;
    RL_TRY(rl_device_send(p->stream, a->cross_q, cross_q, (size_t)a->pipe_count));
    RL_TRY(rl_device_send(p->stream, a->search.flooded, flooded, (size_t)a->covered_count));
    return (int)cudaStreamSynchronize(p->stream);
}

int rl_device_layers_read_cross(rl_device_layers *p, float *cross_q)
{
    return rl_device_read(p->stream, cross_q, p->args.cross_q, (size_t)p->args.pipe_count);
}

int rl_device_layers_read_flooded(rl_device_layers *p, uint32_t *flooded)
{
    return rl_device_read(p->stream, flooded, p->args.search.flooded,
                          (size_t)p->args.covered_count);
}

int rl_device_layers_running_max(void *layers, float *running_max)
{
    rl_device_layers *p = (rl_device_layers *)layers;
    RL_TRY(give_waiting(p));
    return rl_device_read(p->stream, running_max, p->args.deposits.running_max, (size_t)p->args.ny);
}

int rl_device_layers_clear_running_max(rl_device_layers *p)
{
    rl_layers_set<<<1, RL_SMALL, 0, p->stream>>>(p->args.deposits.running_max, (size_t)p->args.ny,
                                                 -1.0f);
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

static int launch_frame(rl_device_layers *p, const rl_layers_start &start)
{
    const rl_layers_args &a = p->args;
    const int blocks = blocks_for(a, p->large ? p->large_blocks : p->small_blocks);
    const int shared = p->large || !a.passages ? 0 : a.layout.end;
    const rl_frame_form &form = p->large ? rl_large_form : rl_this_form;
    const int error = form.launch(a, start, p->deposit, blocks, shared, p->stream);
    p->deposit.row_count = 0;
    return error;
}

#define POLLS 10000 // of the host's memory, before the device is asked whether the kernel runs

// Waits for a frame. It writes its result to the host's memory, which arrives before its end.
static cudaError_t await_frame(rl_device_layers *p, int number)
{
    const volatile int *seen = &p->args.control->number;
    cudaError_t state = cudaErrorNotReady;
    while (*seen != number && state == cudaErrorNotReady) {
        for (int n = 0; n < POLLS && *seen != number; n++)
            continue;
        if (*seen != number)
            state = cudaStreamQuery(p->stream);
    }
    std::atomic_thread_fence(std::memory_order_acquire);
    return *seen == number ? cudaSuccess : state != cudaSuccess ? state : cudaErrorUnknown;
}

// Measures the ground, which has come with its fields.
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
        RL_TRY(measure_ground(p));
    while (advance->controller.left > 0.0) {
        const rl_layers_start start = {*advance, MOST_STEPS, p->barrier, p->number};
        p->barrier = 1 - p->barrier;
        p->number = (int)((unsigned)p->number + MOST_STEPS & RL_STEP_MOST);
        RL_TRY(launch_frame(p, start));
        RL_TRY(await_frame(p, start.number));
        *advance = *p->args.control;
        p->large |= p->args.control->given_up != 0;
    }
    return 0;
}
