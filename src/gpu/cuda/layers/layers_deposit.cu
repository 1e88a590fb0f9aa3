// SPDX-License-Identifier: MIT
// layers_deposit.cu - deposits to single columns of the layers solver on a device, positive or
// negative, with momentum: the result is as if one column after another came to the host's deposit.
// The ground decides which faces join, so no deposit waits for another.
#include "gpu/cuda/layers/layers_device_columns.h"
#include "gpu/cuda/mirror/deposit_faces.cuh"

#include "solvers/layers/layers_cell.h"
#include "solvers/shared/column_cell.h"

#include <cuda_runtime.h>

#define BLOCK 256

struct deposit_args {
    rl_device_layers_view view;
    rl_device_deposits deposits;
    float per_face;
};

// A column with a deposit.
struct deposit_column {
    int n, count; // the deposit's number, and that of all
    int i, j, layer;
    ptrdiff_t at; // its slot
};

static __device__ __forceinline__ void change_depth(const deposit_args &a, const deposit_column &k)
{
    const float *base = a.view.fields[RL_COLUMN_BASE], *top = a.view.fields[RL_COLUMN_TOP];
    float *depth = a.view.fields[RL_COLUMN_DEPTH] + k.at;
    float *remainder = a.view.fields[RL_COLUMN_REMAINDER] + k.at;
    const float amount = a.deposits.depth[k.n];
    double given = 0.0;
    if (k.layer == 0 && !signbit(amount)) {
        *depth = rl_deposit_add(*depth, remainder, amount);
        given = (double)amount;
    } else if (rl_layer_is_live(a.view.fields[RL_COLUMN_BOTTOM], top, (size_t)k.at)) {
        given = rl_layers_change(depth, remainder, amount, top != nullptr, base[k.at],
                                 rl_layers_top(top, k.at));
    }
    a.deposits.given[k.n] = given;
    atomicMax((int *)a.view.running_max + k.j, __float_as_int(*depth));
}

// Computes the face after a column along an axis and the one before it. Columns are `step` slots
// and `way` numbers apart; the caller says whether there is one before and after within the grid.
static __device__ __forceinline__ void push_faces(const deposit_args &a, const deposit_column &k,
                                                  float *q, const float *momentum, ptrdiff_t step,
                                                  int way, bool before, bool after)
{
    const float *base = a.view.fields[RL_COLUMN_BASE], *top = a.view.fields[RL_COLUMN_TOP];
    if (rl_layers_slots_joined(base, top, k.at, k.at + step))
        rl_deposit_push(q + k.at, momentum, a.per_face, k.n,
                        after ? rl_deposit_beside(a.deposits, k.n, way, k.count) : -1);
    if ((!before || rl_deposit_beside(a.deposits, k.n, -way, k.count) < 0) &&
        rl_layers_slots_joined(base, top, k.at, k.at - step))
        rl_deposit_push(q + k.at - step, momentum, a.per_face, -1, k.n);
}

static __global__ void give_to_columns(const deposit_args a)
{
    const int count = *a.deposits.count, nx = a.view.nx, ny = a.view.ny;
    for (int n = (int)(blockIdx.x * BLOCK + threadIdx.x); n < count;
         n += (int)(gridDim.x * BLOCK)) {
        const int i = a.deposits.cells[n] % nx, row = a.deposits.cells[n] / nx;
        deposit_column k = {n, count, i, row % ny, row / ny, 0};
        k.at = ((ptrdiff_t)a.view.plane_rows * k.layer + k.j) * a.view.pitch + i;
        change_depth(a, k);
        push_faces(a, k, a.view.fields[RL_COLUMN_QX], a.deposits.momentum_x, 1, 1, i > 0,
                   i + 1 < nx);
        push_faces(a, k, a.view.fields[RL_COLUMN_QY], a.deposits.momentum_y, a.view.pitch, nx,
                   k.j > 0, k.j + 1 < ny);
    }
}

int rl_layers_device_deposit(const rl_device_layers_view *view, double cell_size,
                             const rl_device_deposits *deposits)
{
    int processors = 1;
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
    const int wanted = (deposits->most + BLOCK - 1) / BLOCK, most = 4 * processors;
    const deposit_args args = {*view, *deposits, (float)(0.5 / (cell_size * cell_size))};
    give_to_columns<<<(unsigned)(wanted < most ? wanted : most), BLOCK, 0,
                      (cudaStream_t)view->stream>>>(args);
    return (int)cudaGetLastError();
}
