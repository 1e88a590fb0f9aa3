// SPDX-License-Identifier: MIT
// device_grid.cuh - what solvers share in a device's memory: deposits, allocation and errors,
// warps, launches and graphs, copies of rows, and the fields of those that have two copies of all
// that a step changes, so that a step reads one and writes the other. Deposits are those of a queue
// (rl_queued_deposit), a row a block, which may travel with a kernel launch; and those to single
// columns with their momentum (rl_device_deposits), a column a thread.
#pragma once

#include "gpu/cuda/mirror/device.h"
#include "gpu/device_ops.h"
#include "solvers/shared/column_cell.h"

#include <cstddef>
#include <cstring>
#include <cuda_runtime.h>

// A function of the device that is copied into its callers; RL_CELL is the same for both sides.
#define RL_DEVICE static __device__ __forceinline__

#define RL_DEPOSIT_BLOCK 256

// ---- Queued deposits -------------------------------------------------------------------

// The memory for the deposits of a solver, and the solver's fields: cell (0, 0), in rows of `pitch`
// floats. `running_max` is the running maximum of the depth of each row since the last step.
struct rl_deposit_place {
    rl_device_run *runs;
    int *rows;
    float *amounts;
    int run_capacity, amount_capacity;
    float *depth, *remainder, *running_max;
    int pitch;
};

// A small deposit travels with the kernel launch, so that nothing must be copied first.
template <int Runs, int Amounts> struct rl_launch_deposit {
    int row_count;
    rl_device_run runs[Runs];
    int rows[Runs + 1];
    float amounts[Amounts];
};

// Gives a row its deposits, by a block. Its runs follow one after another: they may overlap. Depths
// are not negative and in the order of their bits; the running maximum of a row without deposits is
// -1.
RL_DEVICE void rl_give_row(const rl_deposit_place &to, const rl_device_run *runs, const int *rows,
                           const float *amounts, int row)
{
    __shared__ int deepest;
    const int begin = rows[row], end = rows[row + 1], y = runs[begin].row;
    int most = 0, before = -1;
    if (threadIdx.x == 0) {
        deepest = -1;
        before = __float_as_int(to.running_max[y]);
    }
    __syncthreads();
    for (int n = begin; n < end; n++) {
        const rl_device_run run = runs[n];
        for (int i = (int)threadIdx.x; i < run.count; i += (int)blockDim.x) {
            const ptrdiff_t at = (ptrdiff_t)y * to.pitch + run.first + i;
            const float amount = run.place < 0 ? run.even : amounts[run.place + i];
            float left = to.remainder[at];
            const float filled = rl_deposit_add(to.depth[at], &left, amount);
            to.depth[at] = filled;
            to.remainder[at] = left;
            const int bits = __float_as_int(filled);
            most = bits > most ? bits : most;
        }
        __syncthreads();
    }
    atomicMax(&deepest, most);
    __syncthreads();
    if (threadIdx.x == 0)
        to.running_max[y] = __int_as_float(before > deepest ? before : deepest);
}

// Copies a deposit into the arguments of a launch; returns false where it does not fit.
template <int Runs, int Amounts>
static inline bool rl_fit_launch(const rl_queued_deposit *deposit,
                                 rl_launch_deposit<Runs, Amounts> *out)
{
    // There are no more rows than runs.
    if (deposit->run_count > Runs || deposit->amount_count > Amounts)
        return false;
    out->row_count = deposit->row_count;
    std::memcpy(out->runs, deposit->runs, (size_t)deposit->run_count * sizeof *deposit->runs);
    std::memcpy(out->rows, deposit->rows, ((size_t)deposit->row_count + 1) * sizeof *deposit->rows);
    std::memcpy(out->amounts, deposit->amounts,
                (size_t)deposit->amount_count * sizeof *deposit->amounts);
    return true;
}

template <typename Deposit>
static __global__ void rl_give_launch_deposit(const rl_deposit_place to,
                                              const __grid_constant__ Deposit deposit)
{
    rl_give_row(to, deposit.runs, deposit.rows, deposit.amounts, (int)blockIdx.x);
}

template <typename Deposit>
static inline int rl_take_launch_deposit(const rl_deposit_place &to, const Deposit &deposit,
                                         cudaStream_t stream)
{
    rl_give_launch_deposit<<<deposit.row_count, RL_DEPOSIT_BLOCK, 0, stream>>>(to, deposit);
    return (int)cudaGetLastError();
}

// ---- Deposits to single columns --------------------------------------------------------

// Returns the blocks of RL_DEPOSIT_BLOCK threads that take up to `most` deposits.
static inline unsigned rl_deposit_blocks(int most)
{
    int processors = 1;
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
    const int wanted = (most + RL_DEPOSIT_BLOCK - 1) / RL_DEPOSIT_BLOCK;
    return (unsigned)(wanted < 4 * processors ? wanted : 4 * processors);
}

// Returns the number of the deposit to the column `way` after that of deposit `own`, or -1.
// Deposits are in the order of their columns, and no column has two.
RL_DEVICE int rl_deposit_beside(const rl_device_deposits &deposits, int own, int way, int count)
{
    const int cell = deposits.cells[own] + way;
    int low = way < 0 ? own + way : own + 1, high = way < 0 ? own : own + way + 1;
    low = low > 0 ? low : 0;
    high = high < count ? high : count;
    const int end = high;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (deposits.cells[middle] < cell)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && deposits.cells[low] == cell ? low : -1;
}

// A face between two columns gets the momentum of both, in their order, and one thread of the two
// writes it. One of a column's four faces belongs to the column west or south of it: the thread of
// the first of the two deposits writes it for both. `own` is that column's deposit, `other` the one
// of the column beyond; -1 stands for none.
RL_DEVICE void rl_deposit_push(float *q, const float *momentum, float per_face, int own, int other)
{
    float now = *q;
    if (own >= 0)
        now += momentum[own] * per_face;
    if (other >= 0)
        now += momentum[other] * per_face;
    *q = now;
}

// Returns the error of a call from a function that returns int.
#define RL_TRY(call)                      \
    do {                                  \
        const int rl_tried = (int)(call); \
        if (rl_tried != 0)                \
            return rl_tried;              \
    } while (0)

// ---- Memory ----------------------------------------------------------------------------

#define RL_DEVICE_MOST_BLOCKS 64
#define RL_DEVICE_MOST_PINNED 4

// The blocks that an object has taken, all 0 at first, and the stream that clears them.
struct rl_device_memory {
    cudaStream_t stream;
    void *blocks[RL_DEVICE_MOST_BLOCKS];
    void *pinned[RL_DEVICE_MOST_PINNED]; // in the host's memory
    int block_count, pinned_count;
};

// Allocates `bytes` that are zero for the next work in the stream of `owner`.
int rl_device_take_bytes(rl_device_memory *owner, size_t bytes, void **out);
// Gives a block back before all others.
void rl_device_drop_block(rl_device_memory *owner, void *block);
// Allocates memory of the host that the device can read and write.
int rl_device_take_pinned(rl_device_memory *owner, size_t bytes, void **out);
// Waits for all work in the stream of an object that is about to be destroyed.
void rl_device_await(const rl_device_memory *owner);
// Gives all blocks and the stream back.
void rl_device_release(rl_device_memory *owner);

template <typename T>
static inline int rl_device_take(rl_device_memory *owner, size_t count, T **out)
{
    return rl_device_take_bytes(owner, count * sizeof(T), (void **)out);
}

// Does the same for several arrays of as many values.
template <typename T, typename... MORE>
static inline int rl_device_take(rl_device_memory *owner, size_t count, T **out, MORE **...more)
{
    RL_TRY(rl_device_take(owner, count, out));
    return rl_device_take(owner, count, more...);
}

template <typename T> static inline void rl_device_drop(rl_device_memory *owner, T **block)
{
    rl_device_drop_block(owner, *block);
    *block = nullptr;
}

// Lets an array have at least so many values; where it grows the old ones are lost.
template <typename T>
static inline int rl_device_reserve(rl_device_memory *owner, size_t count, size_t *capacity,
                                    T **out)
{
    if (count <= *capacity)
        return 0;
    rl_device_drop(owner, out);
    *capacity = 0;
    RL_TRY(rl_device_take(owner, count, out));
    *capacity = count;
    return 0;
}

// Queue a copy of `count` values to the device, or to the host.
template <typename T>
static inline int rl_device_send(cudaStream_t stream, T *to, const T *from, size_t count)
{
    return count == 0
               ? 0
               : (int)cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyHostToDevice, stream);
}

template <typename T>
static inline int rl_device_fetch(cudaStream_t stream, T *to, const T *from, size_t count)
{
    return count == 0
               ? 0
               : (int)cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDeviceToHost, stream);
}

// Does the latter and waits for it.
template <typename T>
static inline int rl_device_read(cudaStream_t stream, T *to, const T *from, size_t count)
{
    RL_TRY(rl_device_fetch(stream, to, from, count));
    return (int)cudaStreamSynchronize(stream);
}

// Allocates memory for deposits of at most so many runs and amounts.
int rl_reserve_deposits(rl_device_memory *owner, int runs, int amounts, rl_deposit_place *to);
// Gives deposits of the host to a solver between steps.
int rl_take_deposit(const rl_deposit_place &to, const rl_queued_deposit *deposit,
                    cudaStream_t stream);

// ---- Warps and blocks ------------------------------------------------------------------

#define RL_ALL_LANES 0xffffffffu

// Returns the largest value of a warp's lanes, in all of them.
template <typename T> RL_DEVICE T rl_largest_of_warp(T value)
{
    for (int step = 16; step > 0; step >>= 1) {
        const T other = __shfl_xor_sync(RL_ALL_LANES, value, step);
        value = other > value ? other : value;
    }
    return value;
}

// Returns the sum over the lanes up to this one.
template <typename T> RL_DEVICE T rl_sum_up_to(T value)
{
    const int lane = (int)threadIdx.x & 31;
    for (int step = 1; step < 32; step *= 2) {
        const T below = __shfl_up_sync(RL_ALL_LANES, value, (unsigned)step);
        value += lane >= step ? below : T(0);
    }
    return value;
}

// Returns the sum over the threads of a block before this one; `total` is that over all. All
// threads must call it, and know how many warps they are.
template <typename T> RL_DEVICE T rl_sum_before(T value, int warps, T *total)
{
    __shared__ T sums[32];
    const int lane = (int)threadIdx.x & 31, warp = (int)threadIdx.x >> 5;
    const T upto = rl_sum_up_to(value);
    __syncthreads(); // other threads may be reading `sums`
    if (lane == 31)
        sums[warp] = upto;
    __syncthreads();
    const T all = rl_sum_up_to(lane < warps ? sums[lane] : T(0));
    *total = __shfl_sync(RL_ALL_LANES, all, 31);
    const T before = __shfl_sync(RL_ALL_LANES, all, (warp + 31) & 31);
    return (warp > 0 ? before : T(0)) + upto - value;
}

// ---- Launches and graphs ---------------------------------------------------------------

// Launches a kernel with one attribute, if `count` is 1.
template <typename... ARGS>
static inline cudaError_t rl_launch_with(cudaLaunchAttribute attribute, unsigned count,
                                         void (*kernel)(ARGS...), int blocks, int threads,
                                         size_t shared, cudaStream_t stream, const ARGS &...args)
{
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3((unsigned)blocks);
    config.blockDim = dim3((unsigned)threads);
    config.dynamicSmemBytes = shared;
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = count;
    return cudaLaunchKernelEx(&config, kernel, args...);
}

// Each step of a row but the first may be launched while the one before it is running: it waits for
// it by itself (rl_wait_for_step_before).
template <typename ARGS>
static inline cudaError_t rl_launch_march(void (*kernel)(const ARGS), int blocks, int warps,
                                          size_t shared, cudaStream_t stream, const ARGS &args,
                                          bool first)
{
    cudaLaunchAttribute early = {};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    return rl_launch_with(early, first ? 0 : 1, kernel, blocks, 32 * warps, shared, stream, args);
}

// Blocks that wait for each other must all run at once, or none.
template <typename... ARGS>
static inline cudaError_t rl_launch_together(void (*kernel)(ARGS...), int blocks, int threads,
                                             size_t shared, cudaStream_t stream,
                                             const ARGS &...args)
{
    cudaLaunchAttribute together = {};
    together.id = cudaLaunchAttributeCooperative;
    together.val.cooperative = 1;
    return rl_launch_with(together, 1, kernel, blocks, threads, shared, stream, args...);
}

// Returns the rows that a warp marches over: as many as make whole waves of blocks with so many
// marches each, but not more than `most`.
template <typename KERNEL>
static inline int rl_rows_of_waves(KERNEL kernel, int warps, size_t shared, int marches, int strips,
                                   int ny, int most)
{
    int processors = 1, blocks = 1, rows = 0;
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 32 * warps, shared);
    const int wave = processors * (blocks > 0 ? blocks : 1) * marches;
    for (int waves = 1; rows == 0 || rows > most; waves++) {
        const int chunks = waves * wave >= strips ? waves * wave / strips : 1;
        rows = (ny + chunks - 1) / chunks;
    }
    return rows;
}

// Captures the work that `launch` queues, which returns 0 or an error.
template <typename LAUNCH>
static inline int rl_device_capture(cudaStream_t stream, cudaGraphExec_t *out, LAUNCH launch)
{
    cudaGraph_t graph = nullptr;
    RL_TRY(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    const int launched = (int)launch();
    int error = (int)cudaStreamEndCapture(stream, &graph);
    if (launched == 0 && error == 0)
        error = (int)cudaGraphInstantiate(out, graph, 0);
    if (graph != nullptr)
        cudaGraphDestroy(graph);
    return launched != 0 ? launched : error;
}

static inline void rl_device_drop_graph(cudaGraphExec_t *graph)
{
    if (*graph != nullptr)
        cudaGraphExecDestroy(*graph);
    *graph = nullptr;
}

// ---- Borders ---------------------------------------------------------------------------

// Returns the size of the discharges through the borders of one step: west and east by rows, then
// south and north by columns.
RL_CELL size_t rl_crossed_floats(int nx, int ny)
{
    return 2 * ((size_t)nx + (size_t)ny);
}

// Books a volume for the ledger.
RL_DEVICE void rl_book(double inward, double *in, double *out)
{
    if (inward > 0.0)
        *in += inward;
    else
        *out -= inward;
}

// ---- Fields ----------------------------------------------------------------------------

#define RL_DEVICE_MARGIN      32 // ghost columns before a row,
#define RL_DEVICE_HOST_MARGIN 16 // and after it: RILL_MARGIN_X of core/field.h
#define RL_DEVICE_MOST_FIELDS 6

// The first fields of every solver.
enum { RL_GRID_BED, RL_GRID_DEPTH, RL_GRID_REMAINDER };

// A solver begins with this.
struct rl_device_grid : rl_device_memory {
    int nx, ny, pitch;
    size_t field_floats,
        origin;    // of a field with its ghosts, and from its first float to cell (0, 0)
    float *memory; // of all fields
    float *fields[2][RL_DEVICE_MOST_FIELDS]; // cell (0, 0); the bed is the same in both
    int now;                                 // copy that holds the state
    float *running_max;                      // of the depth of each row since the last step, or -1
    double *row_sums;
    float *velocities;         // two fields for readers, or NULL
    rl_deposit_place deposits; // fields are those of the copy with the state
};

static inline float *rl_device_grid_now(const rl_device_grid *g, int field)
{
    return g->fields[g->now][field];
}

// Sets the size of a grid with `rows` rows in all, of which `ghost_rows` come first.
void rl_device_grid_size(rl_device_grid *g, int nx, int ny, int rows, int ghost_rows);
// Allocates the stream, both copies of so many fields, and what goes with them.
int rl_device_grid_create(rl_device_grid *g, int field_count);

// Copies rows [first, first + count) between a field and the host's, whose cell (0, 0) is `host`:
// `width` cells each, from `west` cells before the first one on.
int rl_device_grid_upload(const rl_device_grid *g, float *field, const float *host, size_t pitch,
                          int first, int count, int west, int width);
int rl_device_grid_download(const rl_device_grid *g, const float *field, float *host, size_t pitch,
                            int first, int count, int west, int width);

// Computes sums of first + sign * second by rows, from west to east.
int rl_device_grid_sum_rows(const rl_device_grid *g, const float *first, const float *second,
                            double sign, double *sums);
