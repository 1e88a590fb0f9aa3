// SPDX-License-Identifier: MIT
// pipes_device_columns.cu - velocities of the pipes solver on a device, and deposits to single
// cells with their momentum.
#define restrict __restrict__ // C's keyword, in headers of the host

#include "gpu/cuda/pipes/pipes_device_columns.h"

#include "gpu/cuda/mirror/deposit_faces.cuh"
#include "solvers/shared/column_cell.h"

#include <cuda_runtime.h>

#define BLOCK 256
#define ROWS  8 // of a block that computes velocities, 32 wide

// ---- Velocities ------------------------------------------------------------------------

struct velocity_args {
    rl_device_pipes_view view;
    float *along[2];
    float wet_depth;
};

static __device__ __forceinline__ float in_faces(const float *bed, const float *depth,
                                                 ptrdiff_t before, ptrdiff_t at, ptrdiff_t after)
{
    return rl_pipe_above_sill(bed[before], depth[before], bed[at], depth[at]) +
           rl_pipe_above_sill(bed[at], depth[at], bed[after], depth[after]);
}

static __global__ void make_velocities(const velocity_args a)
{
    const int i = (int)(blockIdx.x * 32 + threadIdx.x), j = (int)(blockIdx.y * ROWS + threadIdx.y);
    if (i >= a.view.nx || j >= a.view.ny)
        return;
    const ptrdiff_t pitch = a.view.pitch, at = j * pitch + i;
    const float *bed = a.view.fields[RL_DEVICE_BED], *depth = a.view.fields[RL_DEVICE_DEPTH];
    const float *qx = a.view.fields[RL_DEVICE_QX], *qy = a.view.fields[RL_DEVICE_QY];
    a.along[0][at] = rl_pipe_velocity(depth[at], a.wet_depth, qx[at - 1] + qx[at],
                                      in_faces(bed, depth, at - 1, at, at + 1));
    a.along[1][at] = rl_pipe_velocity(depth[at], a.wet_depth, qy[at - pitch] + qy[at],
                                      in_faces(bed, depth, at - pitch, at, at + pitch));
}

// The layout is that of the solver's own fields, of which only the cells are used: one line before
// them aligns rows.
static int take(const rl_device_pipes_view *view, rl_pipes_velocities *v)
{
    const size_t floats = (size_t)view->pitch * ((size_t)view->ny + 2);
    const cudaError_t error = cudaMalloc((void **)&v->memory, 2 * floats * sizeof(float));
    if (error != cudaSuccess)
        return (int)error;
    for (int axis = 0; axis < 2; axis++)
        v->along[axis] = v->memory + (size_t)axis * floats + view->pitch;
    return (int)cudaMemsetAsync(v->memory, 0, 2 * floats * sizeof(float),
                                (cudaStream_t)view->stream);
}

int rl_pipes_velocities_make(const rl_device_pipes_view *view, float wet_depth,
                             rl_pipes_velocities *velocities)
{
    if (velocities->memory == nullptr) {
        const int error = take(view, velocities);
        if (error != 0)
            return error;
    }
    const velocity_args args = {*view, {velocities->along[0], velocities->along[1]}, wet_depth};
    const dim3 grid((unsigned)(view->nx + 31) / 32, (unsigned)(view->ny + ROWS - 1) / ROWS);
    make_velocities<<<grid, dim3(32, ROWS), 0, (cudaStream_t)view->stream>>>(args);
    return (int)cudaGetLastError();
}

void rl_pipes_velocities_destroy(rl_pipes_velocities *velocities)
{
    cudaFree(velocities->memory);
    velocities->memory = nullptr;
}

// ---- Deposits --------------------------------------------------------------------------

struct deposit_args {
    rl_device_pipes_view view;
    rl_device_deposits deposits;
    float per_face;
};

// Does the same as the host's deposit to a single cell.
static __device__ __forceinline__ void change_depth(const deposit_args &a, int n, ptrdiff_t at,
                                                    int j)
{
    float *depth = a.view.fields[RL_DEVICE_DEPTH] + at;
    float *remainder = a.view.fields[RL_DEVICE_REMAINDER] + at;
    const float amount = a.deposits.depth[n];
    if (!signbit(amount)) {
        *depth = rl_deposit_add(*depth, remainder, amount);
        a.deposits.given[n] = (double)amount;
    } else {
        const double before = (double)*depth + (double)*remainder;
        const double sum = before + (double)amount, after = sum > 0.0 ? sum : 0.0;
        *depth = (float)after;
        *remainder = (float)(after - (double)*depth);
        a.deposits.given[n] = after - before;
    }
    atomicMax((int *)a.view.running_max + j, __float_as_int(*depth));
}

static __global__ void give_to_cells(const deposit_args a)
{
    const int count = *a.deposits.count, nx = a.view.nx, ny = a.view.ny;
    for (int n = (int)(blockIdx.x * BLOCK + threadIdx.x); n < count;
         n += (int)(gridDim.x * BLOCK)) {
        const int cell = a.deposits.cells[n], i = cell % nx, j = cell / nx;
        const ptrdiff_t pitch = a.view.pitch, at = j * pitch + i;
        float *qx = a.view.fields[RL_DEVICE_QX] + at, *qy = a.view.fields[RL_DEVICE_QY] + at;
        const float *x = a.deposits.momentum_x, *y = a.deposits.momentum_y;
        change_depth(a, n, at, j);
        if (i + 1 < nx)
            rl_deposit_push(qx, x, a.per_face, n, rl_deposit_beside(a.deposits, n, 1, count));
        if (i > 0 && rl_deposit_beside(a.deposits, n, -1, count) < 0)
            rl_deposit_push(qx - 1, x, a.per_face, -1, n);
        if (j + 1 < ny)
            rl_deposit_push(qy, y, a.per_face, n, rl_deposit_beside(a.deposits, n, nx, count));
        if (j > 0 && rl_deposit_beside(a.deposits, n, -nx, count) < 0)
            rl_deposit_push(qy - pitch, y, a.per_face, -1, n);
    }
}

int rl_pipes_device_deposit(const rl_device_pipes_view *view, double cell_size,
                            const rl_device_deposits *deposits)
{
    int processors = 1;
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
    const int wanted = (deposits->most + BLOCK - 1) / BLOCK, most = 4 * processors;
    const deposit_args args = {*view, *deposits, (float)(0.5 / (cell_size * cell_size))};
    give_to_cells<<<(unsigned)(wanted < most ? wanted : most), BLOCK, 0,
                    (cudaStream_t)view->stream>>>(args);
    return (int)cudaGetLastError();
}
