// SPDX-License-Identifier: MIT
// device.cu - the CUDA device (device.h), and what solvers share in its memory (device_grid.cuh).
#define restrict __restrict__ // C's keyword, in headers of the host

#include "gpu/cuda/mirror/device_grid.cuh"

#include "solvers/solver.h"

#include <cstdio>

#define OLDEST_MAJOR 7 // compute capability 7.5
#define OLDEST_MINOR 5

#define COPY_BYTES   ((size_t)1 << 30)
#define COPY_REPEATS 5

#define ROWS_TILE  32
#define ROWS_BLOCK 256

int rl_device_find(void)
{
    int count = 0;
    RL_TRY(cudaGetDeviceCount(&count));
    if (count == 0)
        return (int)cudaErrorNoDevice;
    int major = 0, minor = 0;
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
    cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0);
    const bool old = major < OLDEST_MAJOR || (major == OLDEST_MAJOR && minor < OLDEST_MINOR);
    return old ? (int)cudaErrorNoKernelImageForDevice : 0;
}

const char *rl_device_text(int error)
{
    return cudaGetErrorString((cudaError_t)error);
}

int rl_device_name(char *name, size_t size)
{
    cudaDeviceProp properties;
    const cudaError_t error = cudaGetDeviceProperties(&properties, 0);
    if (error == cudaSuccess && size > 0)
        std::snprintf(name, size, "%s", properties.name);
    return (int)error;
}

static int time_copies(char *memory, cudaEvent_t start, cudaEvent_t end, float *best)
{
    RL_TRY(cudaMemset(memory, 1, 2 * COPY_BYTES));
    for (int n = 0; n < COPY_REPEATS; n++) {
        float ms = 0.0f;
        cudaEventRecord(start);
        cudaMemcpyAsync(memory + COPY_BYTES, memory, COPY_BYTES, cudaMemcpyDeviceToDevice);
        cudaEventRecord(end);
        RL_TRY(cudaEventSynchronize(end));
        RL_TRY(cudaEventElapsedTime(&ms, start, end));
        if (n == 1 || (n > 1 && ms < *best)) // the first one warms up
            *best = ms;
    }
    return 0;
}

static int try_copies(char **memory, cudaEvent_t *start, cudaEvent_t *end, float *best)
{
    RL_TRY(cudaMalloc(memory, 2 * COPY_BYTES));
    RL_TRY(cudaEventCreate(start));
    RL_TRY(cudaEventCreate(end));
    return time_copies(*memory, *start, *end, best);
}

int rl_device_copy_speed(double *bytes_per_second)
{
    char *memory = nullptr;
    cudaEvent_t start = nullptr, end = nullptr;
    float best = 0.0f;
    const int error = try_copies(&memory, &start, &end, &best);
    *bytes_per_second =
        error == 0 && best > 0.0f ? 2.0 * (double)COPY_BYTES / (1e-3 * (double)best) : 0.0;
    for (cudaEvent_t event : {start, end})
        if (event != nullptr)
            cudaEventDestroy(event);
    cudaFree(memory);
    return error;
}

// ---- Memory ----------------------------------------------------------------------------

int rl_device_pin(size_t bytes, void **memory)
{
    return (int)cudaMallocHost(memory, bytes);
}

void rl_device_unpin(void *memory)
{
    if (memory != nullptr)
        cudaFreeHost(memory);
}

int rl_device_take_bytes(rl_device_memory *owner, size_t bytes, void **out)
{
    if (owner->block_count == RL_DEVICE_MOST_BLOCKS)
        return (int)cudaErrorMemoryAllocation;
    RL_TRY(cudaMalloc(out, bytes));
    owner->blocks[owner->block_count++] = *out;
    return (int)cudaMemsetAsync(*out, 0, bytes, owner->stream);
}

void rl_device_drop_block(rl_device_memory *owner, void *block)
{
    for (int n = 0; n < owner->block_count; n++)
        if (owner->blocks[n] == block) {
            owner->blocks[n] = owner->blocks[--owner->block_count];
            cudaFree(block);
            return;
        }
}

int rl_device_take_pinned(rl_device_memory *owner, size_t bytes, void **out)
{
    if (owner->pinned_count == RL_DEVICE_MOST_PINNED)
        return (int)cudaErrorMemoryAllocation;
    RL_TRY(cudaMallocHost(out, bytes));
    owner->pinned[owner->pinned_count++] = *out;
    return 0;
}

void rl_device_await(const rl_device_memory *owner)
{
    if (owner->stream != nullptr)
        cudaStreamSynchronize(owner->stream);
}

void rl_device_release(rl_device_memory *owner)
{
    for (int n = 0; n < owner->block_count; n++)
        cudaFree(owner->blocks[n]);
    for (int n = 0; n < owner->pinned_count; n++)
        cudaFreeHost(owner->pinned[n]);
    if (owner->stream != nullptr)
        cudaStreamDestroy(owner->stream);
    *owner = rl_device_memory{};
}

// ---- Evaporation -----------------------------------------------------------------------

#define SUMS 8 // side by side, as rl_run_change() has them

// Returns the sum of a run in the host's order; the result is that of the first thread.
RL_DEVICE double sum_of_run(const double *given, int count)
{
    __shared__ double part[SUMS];
    const int k = (int)threadIdx.x, whole = count / SUMS * SUMS;
    if (k < SUMS) {
        double sum = 0.0;
        for (int i = k; i < whole; i += SUMS)
            sum += given[i];
        for (int i = whole; k == 0 && i < count; i++)
            sum += given[i];
        part[k] = sum;
    }
    __syncthreads();
    return ((part[0] + part[1]) + (part[2] + part[3])) +
           ((part[4] + part[5]) + (part[6] + part[7]));
}

// One block has a run, one thread a cell.
static __global__ void evaporate_runs(const rl_evaporation_cells cells, float amount, double *sums)
{
    __shared__ double given[RL_DEPOSIT_RUN];
    __shared__ int deepest;
    const int runs = (cells.nx + RL_DEPOSIT_RUN - 1) / RL_DEPOSIT_RUN;
    const int y = (int)blockIdx.x / runs, first = (int)blockIdx.x % runs * RL_DEPOSIT_RUN;
    const int left = cells.nx - first, count = left < RL_DEPOSIT_RUN ? left : RL_DEPOSIT_RUN;
    const int i = (int)threadIdx.x;
    if (i == 0)
        deepest = 0;
    __syncthreads();
    if (i < count) {
        const ptrdiff_t at = (ptrdiff_t)y * cells.pitch + first + i;
        given[i] = rl_deposit_change(&cells.depth[at], &cells.remainder[at], amount);
        atomicMax(&deepest, __float_as_int(cells.depth[at]));
    }
    __syncthreads();
    const double sum = sum_of_run(given, count);
    if (i != 0)
        return;
    sums[blockIdx.x] = sum;
    // Depths are not negative and in the order of their bits; the running maximum of an unchanged
    // row is -1.
    atomicMax(reinterpret_cast<int *>(&cells.running_max[y]), deepest);
}

static int take(rl_evaporation *d, size_t bytes)
{
    cudaError_t error = cudaMalloc((void **)&d->sums, bytes);
    if (error == cudaSuccess)
        error = cudaMallocHost((void **)&d->brought, bytes);
    if (error != cudaSuccess)
        rl_evaporation_destroy(d);
    return (int)error;
}

int rl_evaporation_step(rl_evaporation *d, const rl_evaporation_cells *cells, float amount,
                        double cell_size, double *row_volumes)
{
    const int runs = (cells->nx + RL_DEPOSIT_RUN - 1) / RL_DEPOSIT_RUN;
    const size_t count = (size_t)runs * (size_t)cells->ny;
    const cudaStream_t stream = (cudaStream_t)cells->stream;
    for (int y = 0; y < cells->ny; y++)
        row_volumes[y] = 0.0;
    if (d->sums == NULL)
        RL_TRY(take(d, count * sizeof *d->sums));
    evaporate_runs<<<(unsigned)count, RL_DEPOSIT_RUN, 0, stream>>>(*cells, amount, d->sums);
    RL_TRY(rl_device_read(stream, d->brought, d->sums, count));
    for (size_t n = 0; n < count; n++)
        row_volumes[n / (size_t)runs] += d->brought[n] * cell_size * cell_size;
    return 0;
}

void rl_evaporation_destroy(rl_evaporation *d)
{
    cudaFree(d->sums);
    cudaFreeHost(d->brought);
    d->sums = d->brought = NULL;
}

// ---- Queued deposits -------------------------------------------------------------------

static __global__ void rl_give(const rl_deposit_place to)
{
    rl_give_row(to, to.runs, to.rows, to.amounts, (int)blockIdx.x);
}

int rl_reserve_deposits(rl_device_memory *owner, int runs, int amounts, rl_deposit_place *to)
{
    RL_TRY(rl_device_take(owner, (size_t)runs, &to->runs));
    RL_TRY(rl_device_take(owner, (size_t)runs + 1, &to->rows));
    RL_TRY(rl_device_take(owner, (size_t)amounts, &to->amounts));
    to->run_capacity = runs;
    to->amount_capacity = amounts;
    return 0;
}

int rl_take_deposit(const rl_deposit_place &to, const rl_queued_deposit *deposit,
                    cudaStream_t stream)
{
    if (deposit->run_count > to.run_capacity || deposit->amount_count > to.amount_capacity)
        return (int)cudaErrorInvalidValue;
    rl_launch_deposit<48, 640> small;
    if (rl_fit_launch(deposit, &small))
        return rl_take_launch_deposit(to, small, stream);
    RL_TRY(rl_device_send(stream, to.runs, deposit->runs, (size_t)deposit->run_count));
    RL_TRY(rl_device_send(stream, to.rows, deposit->rows, (size_t)deposit->row_count + 1));
    RL_TRY(rl_device_send(stream, to.amounts, deposit->amounts, (size_t)deposit->amount_count));
    rl_give<<<deposit->row_count, RL_DEPOSIT_BLOCK, 0, stream>>>(to);
    return (int)cudaGetLastError();
}

// ---- Solvers with two copies of their fields -------------------------------------------

void rl_device_grid_size(rl_device_grid *g, int nx, int ny, int rows, int ghost_rows)
{
    g->nx = nx;
    g->ny = ny;
    g->pitch = (RL_DEVICE_MARGIN + nx + RL_DEVICE_HOST_MARGIN + 31) / 32 * 32;
    g->field_floats = (size_t)g->pitch * (size_t)rows;
    g->origin = (size_t)ghost_rows * (size_t)g->pitch + RL_DEVICE_MARGIN;
}

int rl_device_grid_create(rl_device_grid *g, int field_count)
{
    RL_TRY(cudaStreamCreateWithFlags(&g->stream, cudaStreamNonBlocking));
    RL_TRY(rl_device_take(g, (size_t)(2 * field_count - 1) * g->field_floats, &g->memory));
    RL_TRY(rl_device_take(g, (size_t)g->ny, &g->running_max, &g->row_sums));
    float *next = g->memory + g->origin;
    for (int copy = 0; copy < 2; copy++)
        for (int field = 0; field < field_count; field++) {
            const bool shared = copy == 1 && field == RL_GRID_BED;
            g->fields[copy][field] = shared ? g->fields[0][field] : next;
            next += shared ? 0 : g->field_floats;
        }
    return rl_device_grid_clear_running_max(g);
}

int rl_device_grid_upload(const rl_device_grid *g, float *field, const float *host, size_t pitch,
                          int first, int count, int west, int width)
{
    return (int)cudaMemcpy2DAsync(
        field + (ptrdiff_t)first * g->pitch - west, (size_t)g->pitch * sizeof(float),
        host + (ptrdiff_t)first * (ptrdiff_t)pitch - west, pitch * sizeof(float),
        (size_t)width * sizeof(float), (size_t)count, cudaMemcpyHostToDevice, g->stream);
}

int rl_device_grid_download(const rl_device_grid *g, const float *field, float *host, size_t pitch,
                            int first, int count, int west, int width)
{
    return (int)cudaMemcpy2DAsync(host + (ptrdiff_t)first * (ptrdiff_t)pitch - west,
                                  pitch * sizeof(float), field + (ptrdiff_t)first * g->pitch - west,
                                  (size_t)g->pitch * sizeof(float), (size_t)width * sizeof(float),
                                  (size_t)count, cudaMemcpyDeviceToHost, g->stream);
}

int rl_device_grid_reserve(void *device, int runs, int amounts)
{
    rl_device_grid *g = (rl_device_grid *)device;
    return rl_reserve_deposits(g, runs, amounts, &g->deposits);
}

int rl_device_grid_give(void *device, const rl_queued_deposit *deposit)
{
    const rl_device_grid *g = (rl_device_grid *)device;
    rl_deposit_place to = g->deposits;
    to.depth = rl_device_grid_now(g, RL_GRID_DEPTH);
    to.remainder = rl_device_grid_now(g, RL_GRID_REMAINDER);
    to.running_max = g->running_max;
    to.pitch = g->pitch;
    return rl_take_deposit(to, deposit, g->stream);
}

int rl_device_grid_settle(void *device)
{
    return (int)cudaStreamSynchronize(((rl_device_memory *)device)->stream);
}

int rl_device_grid_running_max(void *device, float *running_max)
{
    const rl_device_grid *g = (rl_device_grid *)device;
    return rl_device_read(g->stream, running_max, g->running_max, (size_t)g->ny);
}

// Runs on one block. Resets the running maximum of all rows.
static __global__ void rl_clear_running_max(float *maxima, int ny)
{
    for (int y = (int)threadIdx.x; y < ny; y += (int)blockDim.x)
        maxima[y] = -1.0f;
}

int rl_device_grid_clear_running_max(void *device)
{
    const rl_device_grid *g = (rl_device_grid *)device;
    rl_clear_running_max<<<1, ROWS_BLOCK, 0, g->stream>>>(g->running_max, g->ny);
    return (int)cudaGetLastError();
}

// Sums up first + sign * second by rows. A warp takes 32 rows, a lane one of them, from west to
// east: the order of the host's sum. Tiles go through shared memory so that memory is read in whole
// lines.
static __global__ void rl_sum_rows(const float *first, const float *second, double sign,
                                   double *sums, int nx, int ny, int pitch)
{
    __shared__ float d[ROWS_TILE][ROWS_TILE + 1], r[ROWS_TILE][ROWS_TILE + 1];
    const int lane = (int)threadIdx.x, y0 = (int)blockIdx.x * ROWS_TILE;
    double sum = 0.0;
    for (int x = 0; x < nx; x += ROWS_TILE) {
        for (int n = 0; n < ROWS_TILE && y0 + n < ny && x + lane < nx; n++) {
            const ptrdiff_t at = (ptrdiff_t)(y0 + n) * pitch + x + lane;
            d[n][lane] = first[at];
            r[n][lane] = second[at];
        }
        __syncwarp();
        for (int i = 0; y0 + lane < ny && i < ROWS_TILE && x + i < nx; i++)
            sum += (double)d[lane][i] + sign * (double)r[lane][i];
        __syncwarp();
    }
    if (y0 + lane < ny)
        sums[y0 + lane] = sum;
}

int rl_device_grid_sum_rows(const rl_device_grid *g, const float *first, const float *second,
                            double sign, double *sums)
{
    const int blocks = (g->ny + ROWS_TILE - 1) / ROWS_TILE;
    rl_sum_rows<<<blocks, ROWS_TILE, 0, g->stream>>>(first, second, sign, sums, g->nx, g->ny,
                                                     g->pitch);
    return (int)cudaGetLastError();
}

int rl_device_grid_row_sums(void *device, double *sums)
{
    const rl_device_grid *g = (rl_device_grid *)device;
    RL_TRY(rl_device_grid_sum_rows(g, rl_device_grid_now(g, RL_GRID_DEPTH),
                                   rl_device_grid_now(g, RL_GRID_REMAINDER), 1.0, g->row_sums));
    return rl_device_read(g->stream, sums, g->row_sums, (size_t)g->ny);
}

void rl_device_grid_cells(void *device, rl_evaporation_cells *cells)
{
    const rl_device_grid *g = (rl_device_grid *)device;
    float *const depth = rl_device_grid_now(g, RL_GRID_DEPTH);
    float *const remainder = rl_device_grid_now(g, RL_GRID_REMAINDER);
    *cells = {depth, remainder, g->running_max, g->nx, g->ny, g->pitch, g->stream};
}
