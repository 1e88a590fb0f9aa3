// SPDX-License-Identifier: MIT
// pipes_device_columns.cu - velocities of the pipes solver on a device, and deposits to single
// cells with their momentum.
#include "gpu/cuda/mirror/device_grid.cuh"
#include "gpu/cuda/pipes/pipes_device.h"
#include "solvers/shared/column_cell.h"

#define ROWS 8 // of a block that computes velocities, 32 wide

// The fields of the copy with the state: cell (0, 0), in rows of `pitch` floats.
struct pipes_view {
    float *fields[RL_DEVICE_FIELDS];
    float *running_max;
    int nx, ny, pitch;
};

static pipes_view view_of(const rl_device_grid *g)
{
    pipes_view view = {{}, g->running_max, g->nx, g->ny, g->pitch};
    for (int field = 0; field < RL_DEVICE_FIELDS; field++)
        view.fields[field] = rl_device_grid_now(g, field);
    return view;
}

// ---- Velocities ------------------------------------------------------------------------

struct velocity_args {
    pipes_view view;
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

// Velocities have the layout of the solver's own fields, of which only the cells are used.
int rl_device_pipes_columns(void *pipes, float wet_depth, rl_device_columns *columns)
{
    rl_device_grid *g = (rl_device_grid *)pipes;
    if (g->velocities == nullptr)
        RL_TRY(rl_device_take(g, 2 * g->field_floats, &g->velocities));
    float *const x = g->velocities + g->origin, *const y = x + g->field_floats;
    const velocity_args args = {view_of(g), {x, y}, wet_depth};
    const dim3 grid((unsigned)(g->nx + 31) / 32, (unsigned)(g->ny + ROWS - 1) / ROWS);
    make_velocities<<<grid, dim3(32, ROWS), 0, g->stream>>>(args);
    columns->view.base = args.view.fields[RL_DEVICE_BED];
    columns->view.depth = args.view.fields[RL_DEVICE_DEPTH];
    columns->view.velocity_x = x;
    columns->view.velocity_y = y;
    columns->view.layers = 1;
    columns->view.pitch = (size_t)g->pitch;
    columns->stream = g->stream;
    return (int)cudaGetLastError();
}

// ---- Deposits --------------------------------------------------------------------------

struct deposit_args {
    pipes_view view;
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
    for (int n = (int)(blockIdx.x * RL_DEPOSIT_BLOCK + threadIdx.x); n < count;
         n += (int)(gridDim.x * RL_DEPOSIT_BLOCK)) {
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

int rl_device_pipes_give_to_cells(rl_device_pipes *pipes, double cell_size,
                                  const rl_device_deposits *deposits)
{
    const rl_device_grid *g = (const rl_device_grid *)pipes;
    const deposit_args args = {view_of(g), *deposits, (float)(0.5 / (cell_size * cell_size))};
    give_to_cells<<<rl_deposit_blocks(deposits->most), RL_DEPOSIT_BLOCK, 0, g->stream>>>(args);
    return (int)cudaGetLastError();
}
