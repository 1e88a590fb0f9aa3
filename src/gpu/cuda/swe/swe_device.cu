// SPDX-License-Identifier: MIT
// swe_device.cu - the swe solver in a device's memory: fields, copies from and to the host, rare
// changes, deposits. swe_steps.cu has the steps.
#include "gpu/cuda/swe/swe_memory.h"

#include "gpu/cuda/mirror/evaporation.h"
#include "gpu/cuda/mirror/queued_deposit.cuh"
#include "gpu/cuda/swe/swe_small.cuh"

#include <cstdlib>

// ---- Creation and destruction ----------------------------------------------------------

static void lay_fields(rl_device_swe *p)
{
    const size_t origin = (size_t)RL_DEVICE_GHOST_ROWS * (size_t)p->pitch + RL_DEVICE_MARGIN;
    float *next = p->memory + origin;
    for (int copy = 0; copy < 2; copy++)
        for (int f = 0; f < RL_DEVICE_SWE_FIELDS; f++) {
            if (copy == 1 && f == RL_DEVICE_SWE_BED) {
                p->fields[1][f] = p->fields[0][f];
                continue;
            }
            p->fields[copy][f] = next;
            next += p->field_floats;
        }
}

static int take_memory(rl_device_swe *p)
{
    const size_t nx = (size_t)p->nx, ny = (size_t)p->ny;
    RL_TRY(rl_device_take(p, (2 * RL_DEVICE_SWE_FIELDS - 1) * p->field_floats, &p->memory));
    RL_TRY(rl_device_take(p, ny, &p->running_max));
    RL_TRY(rl_device_take(p, 2, &p->pushed));
    RL_TRY(rl_device_take(p, ny, &p->row_sums));
    RL_TRY(rl_device_take(p, RL_SWE_LONGEST + 1, &p->controls));
    RL_TRY(rl_device_take(p, 1, &p->setup));
    RL_TRY(rl_device_take(p, 1, &p->report));
    RL_TRY(rl_device_take(p, RL_SWE_LONGEST * rl_crossed_floats(p->nx, p->ny), &p->books.crossed));
    RL_TRY(rl_device_take(p, RL_SWE_LONGEST * 2 * (size_t)p->bands, &p->books.moved));
    RL_TRY(rl_device_take(p, RL_SWE_LONGEST, &p->books.removed));
    RL_TRY(rl_device_take(p, 2 * (nx + ny), &p->profiles));
    RL_TRY(cudaMallocHost((void **)&p->report_host, sizeof *p->report_host));
    if (p->rules.def.overshoot > 0.0f)
        RL_TRY(rl_device_take(p, RL_SWE_LONGEST * ny, &p->books.cut));
    lay_fields(p);
    return rl_device_swe_clear_running_max(p);
}

int rl_device_swe_create(int nx, int ny, int bands, const rl_swe_rules *rules, rl_device_swe **out)
{
    rl_device_swe *p = (rl_device_swe *)std::calloc(1, sizeof *p);
    *out = p;
    if (p == nullptr)
        return (int)cudaErrorMemoryAllocation;
    p->nx = nx;
    p->ny = ny;
    p->bands = bands;
    p->rules = *rules;
    p->pitch = (RL_DEVICE_MARGIN + nx + RL_SWE_HOST_MARGIN + 31) / 32 * 32;
    p->field_floats = (size_t)p->pitch * ((size_t)ny + 2 * RL_DEVICE_GHOST_ROWS + 1);
    int error = (int)cudaStreamCreateWithFlags(&p->stream, cudaStreamNonBlocking);
    if (error == 0)
        error = take_memory(p);
    if (error != 0)
        rl_device_swe_destroy(out);
    return error;
}

void rl_device_swe_destroy(rl_device_swe **swe)
{
    rl_device_swe *p = *swe;
    if (p == nullptr)
        return;
    if (p->stream != nullptr)
        cudaStreamSynchronize(p->stream);
    rl_swe_drop_graphs(p);
    cudaFree(p->pushed);
    cudaFree(p->deposit_before);
    void *const blocks[] = {p->memory,        p->running_max,    p->row_sums,        p->controls,
                            p->setup,         p->report,         p->profiles,        p->scratch,
                            p->books.crossed, p->books.absorbed, p->books.cut,       p->books.moved,
                            p->books.removed, p->marks,          p->fall_map,        p->list,
                            p->deposits.runs, p->deposits.rows,  p->deposits.amounts};
    for (void *block : blocks)
        cudaFree(block);
    cudaFreeHost(p->report_host);
    if (p->stream != nullptr)
        cudaStreamDestroy(p->stream);
    std::free(p);
    *swe = nullptr;
}

size_t rl_device_swe_bytes(const rl_device_swe *p)
{
    return p->bytes;
}

// ---- Copies from and to the host -------------------------------------------------------

static float *field_of(const rl_device_swe *p, int field)
{
    return field == RL_DEVICE_SWE_BEFORE ? p->fields[!p->now][RL_DEVICE_SWE_DEPTH]
                                         : p->fields[p->now][field];
}

int rl_device_swe_upload(rl_device_swe *p, int field, const float *origin, size_t pitch, int first,
                         int count)
{
    const ptrdiff_t to = (ptrdiff_t)first * p->pitch - 1;
    const float *from = origin + (ptrdiff_t)first * (ptrdiff_t)pitch - 1;
    const size_t width = ((size_t)p->nx + 2) * sizeof(float);
    RL_TRY(cudaMemcpy2DAsync(field_of(p, field) + to, (size_t)p->pitch * sizeof(float), from,
                             pitch * sizeof(float), width, (size_t)count, cudaMemcpyHostToDevice,
                             p->stream));
    // Steps write phi in the absorbing layers only: beside them both copies must hold the same.
    if (field == RL_DEVICE_SWE_PHI)
        RL_TRY(cudaMemcpy2DAsync(p->fields[!p->now][field] + to, (size_t)p->pitch * sizeof(float),
                                 from, pitch * sizeof(float), width, (size_t)count,
                                 cudaMemcpyHostToDevice, p->stream));
    return 0;
}

int rl_device_swe_download(rl_device_swe *p, int field, float *origin, size_t pitch, int first,
                           int count)
{
    const ptrdiff_t at = (ptrdiff_t)first * p->pitch - 1;
    RL_TRY(cudaMemcpy2DAsync(origin + (ptrdiff_t)first * (ptrdiff_t)pitch - 1,
                             pitch * sizeof(float), field_of(p, field) + at,
                             (size_t)p->pitch * sizeof(float), ((size_t)p->nx + 2) * sizeof(float),
                             (size_t)count, cudaMemcpyDeviceToHost, p->stream));
    return 0;
}

void rl_device_swe_lend(void *memory, size_t bytes)
{
    if (cudaHostRegister(memory, bytes, cudaHostRegisterDefault) != cudaSuccess)
        cudaGetLastError(); // copies are slower then
}

void rl_device_swe_take_back(void *memory)
{
    if (cudaHostUnregister(memory) != cudaSuccess)
        cudaGetLastError();
}

int rl_device_swe_settle(rl_device_swe *p)
{
    return (int)cudaStreamSynchronize(p->stream);
}

int rl_device_swe_running_max(rl_device_swe *p, float *running_max)
{
    RL_TRY(cudaMemcpyAsync(running_max, p->running_max, (size_t)p->ny * sizeof *running_max,
                           cudaMemcpyDeviceToHost, p->stream));
    return (int)cudaStreamSynchronize(p->stream);
}

int rl_device_swe_clear_running_max(rl_device_swe *p)
{
    RL_TRY(cudaMemsetAsync(p->pushed, 0, 2 * sizeof *p->pushed, p->stream));
    rl_clear_running_max<<<1, RL_ROWS_BLOCK, 0, p->stream>>>(p->running_max, p->ny);
    return (int)cudaGetLastError();
}

int rl_device_swe_row_sums(rl_device_swe *p, double *sums)
{
    RL_TRY(rl_swe_sum_rows_into(p, field_of(p, RL_DEVICE_SWE_DEPTH),
                                field_of(p, RL_DEVICE_SWE_REMAINDER), 1.0, p->row_sums));
    RL_TRY(cudaMemcpyAsync(sums, p->row_sums, (size_t)p->ny * sizeof *sums, cudaMemcpyDeviceToHost,
                           p->stream));
    return (int)cudaStreamSynchronize(p->stream);
}

// ---- Rare changes ----------------------------------------------------------------------

// Allocates two fields: for velocities, and for depths that are made anew or stored.
static cudaError_t take_scratch(rl_device_swe *p)
{
    return p->scratch != nullptr ? cudaSuccess
                                 : rl_device_take(p, 2 * p->field_floats, &p->scratch);
}

// Graphs contain all of this, so they are dropped.
static int settle_extras(rl_device_swe *p)
{
    rl_swe_drop_graphs(p);
    if (p->extras.layers || p->rules.def.overshoot > 0.0f)
        RL_TRY(take_scratch(p));
    if (p->extras.layers && p->books.absorbed == nullptr)
        RL_TRY(rl_device_take(p, RL_SWE_LONGEST * (size_t)p->ny, &p->books.absorbed));
    return (int)cudaStreamSynchronize(p->stream);
}

int rl_device_swe_set_layers(rl_device_swe *p, const rl_device_absorb *layers)
{
    const size_t nx = (size_t)p->nx, ny = (size_t)p->ny;
    const float *const from[] = {layers->profile_x, layers->level_x, layers->profile_y,
                                 layers->level_y};
    const size_t count[] = {nx, nx, ny, ny};
    float *to = p->profiles;
    for (int n = 0; n < 4 && layers->on; n++) {
        RL_TRY(cudaMemcpyAsync(to, from[n], count[n] * sizeof(float), cudaMemcpyHostToDevice,
                               p->stream));
        to += count[n];
    }
    RL_TRY(cudaStreamSynchronize(p->stream));
    if (p->extras.layers == layers->on && p->layer_width == layers->width)
        return 0;
    p->extras.layers = layers->on;
    p->layer_width = layers->width;
    return settle_extras(p);
}

int rl_device_swe_set_marks(rl_device_swe *p, const uint32_t *const marks[2], int words)
{
    const size_t count = (size_t)p->ny * (size_t)words;
    if (marks != nullptr && p->marks == nullptr)
        RL_TRY(rl_device_take(p, 2 * count, &p->marks));
    for (int axis = 0; axis < 2 && marks != nullptr; axis++)
        RL_TRY(cudaMemcpyAsync(p->marks + (size_t)axis * count, marks[axis],
                               count * sizeof *p->marks, cudaMemcpyHostToDevice, p->stream));
    p->extras.marked = marks != nullptr;
    p->extras.mark_words = words;
    p->extras.marks[0] = p->marks;
    p->extras.marks[1] = p->marks + count;
    return settle_extras(p);
}

int rl_device_swe_send_falls(rl_device_swe *p, const rl_fall *falls, int count)
{
    RL_TRY(cudaMemcpyAsync(p->list, falls, (size_t)count * sizeof *falls, cudaMemcpyHostToDevice,
                           p->stream));
    return (int)cudaStreamSynchronize(p->stream);
}

int rl_device_swe_get_falls(rl_device_swe *p, rl_fall *falls, int count)
{
    RL_TRY(cudaMemcpyAsync(falls, p->list, (size_t)count * sizeof *falls, cudaMemcpyDeviceToHost,
                           p->stream));
    return (int)cudaStreamSynchronize(p->stream);
}

int rl_device_swe_set_falls(rl_device_swe *p, const rl_fall *falls, int count, const int *map)
{
    const size_t cells = (size_t)p->nx * (size_t)p->ny;
    if (count > p->list_capacity) {
        cudaFree(p->list);
        p->list = nullptr;
        p->list_capacity = 0;
        RL_TRY(rl_device_take(p, (size_t)count, &p->list));
        p->list_capacity = count;
    }
    if (count > 0) {
        if (p->fall_map == nullptr)
            RL_TRY(rl_device_take(p, cells, &p->fall_map));
        RL_TRY(cudaMemcpyAsync(p->fall_map, map, cells * sizeof *map, cudaMemcpyHostToDevice,
                               p->stream));
        const int error = rl_device_swe_send_falls(p, falls, count);
        if (error != 0)
            return error;
    }
    p->extras.fall_count = count;
    return settle_extras(p);
}

// ---- Deposits --------------------------------------------------------------------------

int rl_device_swe_reserve(rl_device_swe *p, int runs, int amounts)
{
    return rl_reserve_deposits(p, runs, amounts, &p->deposits);
}

int rl_device_swe_give(rl_device_swe *p, const rl_queued_deposit *deposit)
{
    rl_deposit_place to = p->deposits;
    to.depth = field_of(p, RL_DEVICE_SWE_DEPTH);
    to.remainder = field_of(p, RL_DEVICE_SWE_REMAINDER);
    to.running_max = p->running_max;
    to.pitch = p->pitch;
    return rl_take_deposit(to, deposit, p->stream);
}

void rl_device_swe_cells(rl_device_swe *p, rl_evaporation_cells *cells)
{
    *cells = {field_of(p, RL_DEVICE_SWE_DEPTH),
              field_of(p, RL_DEVICE_SWE_REMAINDER),
              p->running_max,
              p->nx,
              p->ny,
              p->pitch,
              p->stream};
}

// ---- Reading ---------------------------------------------------------------------------

cudaError_t rl_swe_sum_rows_into(rl_device_swe *p, const float *first, const float *second,
                                 double sign, double *sums)
{
    const int blocks = (p->ny + RL_ROWS_TILE - 1) / RL_ROWS_TILE;
    rl_sum_rows<<<blocks, RL_ROWS_TILE, 0, p->stream>>>(first, second, sign, sums, p->nx, p->ny,
                                                        p->pitch);
    return cudaGetLastError();
}

int rl_device_swe_read(rl_device_swe *p, rl_device_swe_view *view)
{
    RL_TRY(take_scratch(p));
    rl_swe_read_args args = {};
    args.depth = field_of(p, RL_DEVICE_SWE_DEPTH);
    args.u = field_of(p, RL_DEVICE_SWE_U);
    args.v = field_of(p, RL_DEVICE_SWE_V);
    args.velocity_x = rl_swe_scratch_of(p, 0);
    args.velocity_y = rl_swe_scratch_of(p, 1);
    args.wet_depth = p->rules.wet_depth;
    args.nx = p->nx;
    args.pitch = p->pitch;
    const dim3 blocks((unsigned)((p->nx + RL_SWE_BLOCK - 1) / RL_SWE_BLOCK), (unsigned)p->ny);
    rl_swe_make_velocities<<<blocks, RL_SWE_BLOCK, 0, p->stream>>>(args);
    RL_TRY(cudaGetLastError());
    view->base = field_of(p, RL_DEVICE_SWE_BED);
    view->depth = args.depth;
    view->depth_before = field_of(p, RL_DEVICE_SWE_BEFORE);
    view->velocity_x = args.velocity_x;
    view->velocity_y = args.velocity_y;
    view->pitch = p->pitch;
    view->stream = p->stream;
    return 0;
}

int rl_device_swe_move_falls(rl_device_swe *p, rl_fall **falls, int *count)
{
    *falls = p->list;
    *count = p->extras.fall_count;
    if (*count == 0)
        return 0;
    rl_swe_move_falls<<<(*count + RL_SWE_BLOCK - 1) / RL_SWE_BLOCK, RL_SWE_BLOCK, 0, p->stream>>>(
        p->list, *count, field_of(p, RL_DEVICE_SWE_U), field_of(p, RL_DEVICE_SWE_V), p->pitch);
    return (int)cudaGetLastError();
}
