// SPDX-License-Identifier: MIT
// evaporation.cu - the kernel of evaporation.h, and the sums that it returns to the host.
#define restrict __restrict__ // C's keyword, in headers of the host

#include "gpu/cuda/mirror/evaporation.h"

#include "solvers/shared/column_cell.h"
#include "solvers/solver.h"

#include <cuda_runtime.h>

#define SUMS 8 // side by side, as rl_run_change() has them

// Returns the sum of a run in the host's order; the result is that of the first thread.
static __device__ __forceinline__ double sum_of_run(const double *given, int count)
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
    const size_t bytes = (size_t)runs * (size_t)cells->ny * sizeof *d->sums;
    const cudaStream_t stream = (cudaStream_t)cells->stream;
    for (int y = 0; y < cells->ny; y++)
        row_volumes[y] = 0.0;
    cudaError_t error = d->sums == NULL ? (cudaError_t)take(d, bytes) : cudaSuccess;
    if (error != cudaSuccess)
        return (int)error;
    evaporate_runs<<<runs * cells->ny, RL_DEPOSIT_RUN, 0, stream>>>(*cells, amount, d->sums);
    error = cudaMemcpyAsync(d->brought, d->sums, bytes, cudaMemcpyDeviceToHost, stream);
    if (error == cudaSuccess)
        error = cudaStreamSynchronize(stream);
    for (int n = 0; n < runs * cells->ny && error == cudaSuccess; n++)
        row_volumes[n / runs] += d->brought[n] * cell_size * cell_size;
    return (int)error;
}

void rl_evaporation_destroy(rl_evaporation *d)
{
    cudaFree(d->sums);
    cudaFreeHost(d->brought);
    d->sums = d->brought = NULL;
}
