// SPDX-License-Identifier: MIT
// layers_device.cu - the layers water in a device's memory: fields, tables, copies to and fro, and
// the rows of steps, which are captured once as graphs and launched again and again.
#define RL_CELL_PLAIN_EXTREMES // no sign of a zero that they make reaches the state
#include "gpu/cuda/layers_steps.cuh"

#include <cstdlib>
#include <cstring>

#define MARGIN     16 // ghosts before a row, RL_MARGIN_X of core/field.h,
#define GHOST_ROWS 2  // and rows below a plane, RL_LAYERS_GHOST_ROWS

#define LARGEST_ROUND 256 // steps that are launched before the host looks

// Shared memory for the search of passages; what does not fit lies in device memory.
// A step of a grid that leaves processors idle may take nearly all there is of one.
#define LEAST_SHARED  (48 << 10)
#define SOME_SHARED   (100 << 10)
#define MOST_SHARED   (180 << 10)
#define STATIC_SHARED (4 << 10) // more than what kernels have of their own

// Rows of steps that are captured. Any number is a sum of these.
static const int row_lengths[] = {16, 8, 4, 2, 1};
#define ROW_KINDS 5

struct rl_device_layers {
    rl_device_layers_def def;
    size_t field_floats, bytes;
    cudaStream_t stream;
    float *memory; // of all fields
    float *raised;
    rl_layers_control *control_host;
    rl_layers_args args;
    int shared, most_shared, processors;
    cudaGraphExec_t graphs[ROW_KINDS];

    // What the tables need: as large as it ever was.
    void *tables, *search;
    size_t tables_room, search_room;
    int pipe_room;

    rl_device_run *runs;
    int *run_rows;
    float *amounts;
    int run_room, amount_room;
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
    if (field == RL_COLUMN_TOP || field == RL_COLUMN_SHARE_IN)
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
    TRY(take(p, (size_t)p->def.ny, &p->raised));
    TRY(take(p, 1, &p->args.control));
    TRY(take(p, 2 * (size_t)p->args.tile_count, &p->args.moved));
    TRY(cudaMallocHost((void **)&p->control_host, sizeof *p->control_host));
    return rl_device_layers_forget_raised(p);
}

static void take_def(rl_device_layers *p, const rl_device_layers_def *def)
{
    p->def = *def;
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
    a->cell_size = (float)def->rules.cell_size;
}

static int set_up(rl_device_layers *p)
{
    TRY(cudaStreamCreateWithFlags(&p->stream, cudaStreamNonBlocking));
    TRY(cudaDeviceGetAttribute(&p->processors, cudaDevAttrMultiProcessorCount, 0));
    TRY(cudaDeviceGetAttribute(&p->most_shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    p->most_shared -= STATIC_SHARED;
    p->most_shared = p->most_shared < MOST_SHARED ? p->most_shared : MOST_SHARED;
    TRY(cudaFuncSetAttribute(rl_layers_flow, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             p->most_shared));
    TRY(cudaFuncSetAttribute(rl_layers_rooms, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             p->most_shared));
    return take_memory(p);
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

static void drop_graphs(rl_device_layers *p)
{
    for (int n = 0; n < ROW_KINDS; n++) {
        if (p->graphs[n] != nullptr)
            cudaGraphExecDestroy(p->graphs[n]);
        p->graphs[n] = nullptr;
    }
}

void rl_device_layers_destroy(rl_device_layers **layers)
{
    rl_device_layers *p = *layers;
    if (p == nullptr)
        return;
    if (p->stream != nullptr)
        cudaStreamSynchronize(p->stream);
    drop_graphs(p);
    void *const blocks[] = {p->memory, p->raised,   p->args.control, p->args.moved,
                            p->tables, p->search,   p->args.cross_q, p->args.cross_raw,
                            p->runs,   p->run_rows, p->amounts};
    for (void *block : blocks)
        cudaFree(block);
    cudaFreeHost(p->control_host);
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
    const size_t shorts = (size_t)s->short_room, most = gates > runs ? gates : runs;
    size_t used = 0;
    unsigned **per_word[] = {&s->full,     &s->shorts,   &s->flooded, &s->begins,
                             &s->words[0], &s->words[1], &s->words[2]};
    for (unsigned **bits : per_word)
        cut(block, &used, words, bits);
    cut(block, &used, words, &s->before);
    int **per_run[] = {&s->run_label,  &s->run_next,    &s->run_first, &s->run_end,
                       &s->run_joints, &s->run_passage, &s->run_place, &s->opened,
                       &s->blown,      &s->airy,        &s->columns,   &s->joints,
                       &s->gate_first, &s->gate_count,  &s->run_group, &s->run_count};
    for (int **numbers : per_run)
        cut(block, &used, runs, numbers);
    float **measures[] = {&s->along, &s->across, &s->mean_x, &s->mean_y};
    for (float **values : measures)
        cut(block, &used, runs, values);
    cut(block, &used, runs, &s->lacking);
    cut(block, &used, runs, &s->filling);
    cut(block, &used, 6 * runs, &s->sums);
    int **per_gate[] = {&s->found,   &s->found_passage, &s->place,  &s->face,
                        &s->passage, &s->number,        &s->inside, &s->outside};
    for (int **numbers : per_gate)
        cut(block, &used, gates, numbers);
    cut(block, &used, gates, &s->flags);
    cut(block, &used, gates, &s->height);
    cut(block, &used, gates, &s->ceiling);
    cut(block, &used, gates, &s->conductance);
    cut(block, &used, gates, &s->old);
    cut(block, &used, gates, &s->level);
    cut(block, &used, 5 * most, &s->terms);
    cut(block, &used, 4 * shorts, &s->short_near);
    cut(block, &used, RL_SHORT_VALUES * shorts, &s->short_value);
    cut(block, &used, 5 * shorts, &s->short_done);
    cut(block, &used, 2 * (32 * words + pipes), &s->list);
    cut(block, &used, RL_COUNTS, &s->counts);
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
    s->run_room = (int)(columns / 2 + 1);
    s->gate_room = (int)(most_gates < t->gateway_capacity ? most_gates : t->gateway_capacity);
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
                  (crossed + 2 * pipes) * sizeof(int32_t);
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
        const float value = field < RL_COLUMN_SHARE_OUT ? 0.0f : 1.0f;
        rl_layers_set<<<256, RL_SMALL, 0, p->stream>>>(p->args.field[field] - origin,
                                                       p->field_floats, value);
        TRY(cudaGetLastError());
    }
    return 0;
}

static int shared_for(const rl_device_layers *p)
{
    const rl_layers_args *a = &p->args;
    const rl_flow_shape shape = rl_shape_of(*a);
    const int64_t words = a->covered_count, pipes = a->pipe_count;
    const int64_t wanted = LEAST_SHARED + words * (int64_t)(sizeof *a->words + 6 * sizeof(int)) +
                           pipes * (int64_t)sizeof *a->pipes;
    const int most =
        shape.word_blocks + shape.pipe_blocks < p->processors ? MOST_SHARED : SOME_SHARED;
    const int given = most < p->most_shared ? most : p->most_shared;
    return (int)(wanted < given ? wanted : given);
}

int rl_device_layers_set_tables(rl_device_layers *p, const rl_layers_tables *t)
{
    rl_layers_args *a = &p->args;
    TRY(cudaStreamSynchronize(p->stream));
    drop_graphs(p); // they hold all this
    a->word_count = t->word_count;
    a->covered_count = t->covered_count;
    a->pipe_count = t->pipe_count;
    a->open = t->open;
    a->drains = t->drains;
    a->deepest_beyond = t->deepest_beyond;
    std::memcpy(a->border_level, t->border_level, sizeof a->border_level);
    int error = make_search(p, t);
    if (error == 0)
        error = send_tables(p, t);
    p->shared = shared_for(p);
    return error != 0 ? error : clear_step(p);
}

// ---- To and fro ------------------------------------------------------------------------

int rl_device_layers_upload(rl_device_layers *p, int field, const float *origin, int first,
                            int count)
{
    const ptrdiff_t at = (ptrdiff_t)first * p->def.pitch - MARGIN;
    TRY(cudaMemcpyAsync(p->args.field[field] + at, origin + at,
                        (size_t)count * (size_t)p->def.pitch * sizeof(float),
                        cudaMemcpyHostToDevice, p->stream));
    return (int)cudaStreamSynchronize(p->stream);
}

int rl_device_layers_download(rl_device_layers *p, int field, float *origin, int first, int count)
{
    const ptrdiff_t at = (ptrdiff_t)first * p->def.pitch - MARGIN;
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

int rl_device_layers_raised(rl_device_layers *p, float *raised)
{
    TRY(cudaMemcpyAsync(raised, p->raised, (size_t)p->def.ny * sizeof *raised,
                        cudaMemcpyDeviceToHost, p->stream));
    return (int)cudaStreamSynchronize(p->stream);
}

int rl_device_layers_forget_raised(rl_device_layers *p)
{
    rl_layers_set<<<1, RL_SMALL, 0, p->stream>>>(p->raised, (size_t)p->def.ny, -1.0f);
    return (int)cudaGetLastError();
}

// ---- Gifts -----------------------------------------------------------------------------

int rl_device_layers_reserve(rl_device_layers *p, int runs, int amounts)
{
    TRY(take(p, (size_t)runs, &p->runs));
    TRY(take(p, (size_t)runs + 1, &p->run_rows));
    TRY(take(p, (size_t)amounts, &p->amounts));
    p->run_room = runs;
    p->amount_room = amounts;
    return 0;
}

int rl_device_layers_give(rl_device_layers *p, const rl_device_gift *gift)
{
    if (gift->run_count > p->run_room || gift->amount_count > p->amount_room)
        return (int)cudaErrorInvalidValue;
    TRY(cudaMemcpyAsync(p->runs, gift->runs, (size_t)gift->run_count * sizeof *p->runs,
                        cudaMemcpyHostToDevice, p->stream));
    TRY(cudaMemcpyAsync(p->run_rows, gift->rows,
                        ((size_t)gift->row_count + 1) * sizeof *p->run_rows, cudaMemcpyHostToDevice,
                        p->stream));
    TRY(cudaMemcpyAsync(p->amounts, gift->amounts, (size_t)gift->amount_count * sizeof *p->amounts,
                        cudaMemcpyHostToDevice, p->stream));
    rl_layers_give<<<gift->row_count, RL_SMALL, 0, p->stream>>>(
        p->runs, p->run_rows, p->amounts, p->args.field[RL_COLUMN_DEPTH],
        p->args.field[RL_COLUMN_REMAINDER], p->raised, p->def.pitch);
    return (int)cudaGetLastError();
}

// ---- Steps -----------------------------------------------------------------------------

// Each kernel of a row but the first may be launched while the one before it still runs: it waits
// for it by itself.
template <typename... Parameters, typename... Arguments>
static cudaError_t launch(rl_device_layers *p, bool early, int blocks, int threads, int shared,
                          void (*kernel)(Parameters...), Arguments... arguments)
{
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3((unsigned)blocks);
    config.blockDim = dim3((unsigned)threads);
    config.dynamicSmemBytes = (size_t)shared;
    config.stream = p->stream;
    config.attrs = &attribute;
    config.numAttrs = early ? 1 : 0;
    return cudaLaunchKernelEx(&config, kernel, arguments...);
}

static cudaError_t launch_step(rl_device_layers *p, bool first)
{
    const rl_layers_args a = p->args;
    const rl_flow_shape shape = rl_shape_of(a);
    const int words = (a.word_count + RL_SMALL / 32 - 1) / (RL_SMALL / 32);
    const int pipes = (a.pipe_count + RL_SMALL - 1) / RL_SMALL;
    const int shared = a.passages ? p->shared : 0;
    const int blocks = shape.word_blocks + shape.pipe_blocks + (a.passages ? 1 : 0);
    cudaError_t error =
        launch(p, !first, blocks, RL_LAYERS_BLOCK, shared, rl_layers_flow, a, shared);
    if (error == cudaSuccess)
        error = launch(p, true, words, RL_SMALL, 0, rl_layers_shares, a);
    if (error == cudaSuccess && a.covered_count > 0)
        error = launch(p, true, shape.covered_blocks, RL_LAYERS_BLOCK, shared, rl_layers_rooms, a,
                       shared);
    if (error == cudaSuccess)
        error = launch(p, true, words + pipes, RL_SMALL, 0, rl_layers_fill, a, words);
    return error;
}

static cudaError_t capture(rl_device_layers *p, int kind)
{
    cudaGraph_t graph = nullptr;
    cudaError_t error = cudaStreamBeginCapture(p->stream, cudaStreamCaptureModeThreadLocal);
    if (error != cudaSuccess)
        return error;
    cudaError_t launched = cudaSuccess;
    for (int n = 0; n < row_lengths[kind] && launched == cudaSuccess; n++)
        launched = launch_step(p, n == 0);
    error = cudaStreamEndCapture(p->stream, &graph);
    if (launched == cudaSuccess && error == cudaSuccess)
        error = cudaGraphInstantiate(&p->graphs[kind], graph, 0);
    if (graph != nullptr)
        cudaGraphDestroy(graph);
    return launched != cudaSuccess ? launched : error;
}

// Launches `steps` steps and waits for them.
static int round_of_steps(rl_device_layers *p, int steps)
{
    for (int kind = 0; kind < ROW_KINDS; kind++)
        for (; steps >= row_lengths[kind]; steps -= row_lengths[kind]) {
            if (p->graphs[kind] == nullptr)
                TRY(capture(p, kind));
            TRY(cudaGraphLaunch(p->graphs[kind], p->stream));
        }
    TRY(cudaMemcpyAsync(p->control_host, p->args.control, sizeof *p->control_host,
                        cudaMemcpyDeviceToHost, p->stream));
    return (int)cudaStreamSynchronize(p->stream);
}

// Substeps that are likely to be needed; the device takes fewer or leaves some for another round.
static int guess_steps(const rl_device_layers *p, const rl_pace *pace, float deepest)
{
    rl_pace next = *pace;
    const rl_pipe_rules *rules = &p->def.rules;
    const float least = p->args.deepest_beyond;
    const double height =
        rl_pipe_driving_height_of(rules, (double)(deepest > least ? deepest : least));
    rl_pace_choose(&next, rl_pipe_stable_step_of(rules, height));
    return next.wanted < LARGEST_ROUND ? next.wanted : LARGEST_ROUND;
}

int rl_device_layers_advance(rl_device_layers *p, rl_layers_advance *advance)
{
    rl_layers_begin<<<1, RL_SMALL, 0, p->stream>>>(p->args, advance->pace, advance->deepest,
                                                   advance->in, advance->out, p->raised);
    TRY(cudaGetLastError());
    while (advance->pace.left > 0.0) {
        const int error = round_of_steps(p, guess_steps(p, &advance->pace, advance->deepest));
        if (error != 0)
            return error;
        const rl_layers_control *now = p->control_host;
        advance->pace = now->pace;
        std::memcpy(&advance->deepest, &now->deepest, sizeof advance->deepest);
        advance->in = now->in;
        advance->out = now->out;
    }
    return 0;
}
