// SPDX-License-Identifier: MIT
// layers_columns.cu - velocities of the layers solver on a device; and deposits to single columns,
// positive or negative, with momentum: the result is as if one column after another came to the
// host's deposit. The ground decides which faces join, so no deposit waits for another.
#include "gpu/cuda/layers/layers_args.cuh"

#include "solvers/layers/layers_cell.h"
#include "solvers/shared/column_cell.h"

#define BLOCK RL_DEPOSIT_BLOCK

// ---- Velocities ------------------------------------------------------------------------

struct velocity_args {
    rl_layers_args view;
    float *along[2];
    float wet_depth;
};

// The discharges through faces, and the liquid in them.
struct faces {
    float through[2], liquid[2];
};

// Returns the liquid between slots i and j.
RL_DEVICE float in_face(const velocity_args &a, ptrdiff_t i, ptrdiff_t j, bool covered)
{
    const float *base = a.view.field[RL_COLUMN_BASE], *top = a.view.field[RL_COLUMN_TOP];
    const float *depth = a.view.field[RL_COLUMN_DEPTH];
    return covered ? rl_layers_above_sill(base[i], depth[i], top[i], base[j], depth[j], top[j])
                   : rl_pipe_above_sill(base[i], depth[i], base[j], depth[j]);
}

RL_DEVICE faces read_faces(const velocity_args &a, ptrdiff_t at, bool covered)
{
    const ptrdiff_t pitch = a.view.pitch;
    const float *qx = a.view.field[RL_COLUMN_QX], *qy = a.view.field[RL_COLUMN_QY];
    faces f;
    f.through[0] = qx[at - 1] + qx[at];
    f.through[1] = qy[at - pitch] + qy[at];
    f.liquid[0] = in_face(a, at - 1, at, covered) + in_face(a, at, at + 1, covered);
    f.liquid[1] = in_face(a, at - pitch, at, covered) + in_face(a, at, at + pitch, covered);
    return f;
}

// Adds a column's cross pipes, in the order of the list.
RL_DEVICE void add_cross(const velocity_args &a, int crossed, faces *f)
{
    for (int n = a.view.ends_first[crossed]; n < a.view.ends_first[crossed + 1]; n++) {
        const rl_layers_end end = a.view.ends[n];
        const int axis = a.view.pipes[end.end / 2].north ? 1 : 0;
        f->through[axis] += a.view.cross_q[end.end / 2];
        f->liquid[axis] += in_face(a, end.from, end.to, true);
    }
}

// A warp has a word.
static __global__ void make_velocities(const velocity_args a)
{
    const int number = (int)(blockIdx.x * BLOCK + threadIdx.x) / 32, lane = (int)threadIdx.x % 32;
    if (number >= a.view.word_count)
        return;
    const rl_layers_word word = a.view.words[number];
    if (!(word.cells >> lane & 1))
        return;
    const ptrdiff_t at = word.slot + lane;
    faces f = read_faces(a, at, word.flags & RL_WORD_COVERED);
    if (word.crossed >> lane & 1)
        add_cross(a, word.crossed_first + __popc(word.crossed & ((1u << lane) - 1u)), &f);
    const float depth = a.view.field[RL_COLUMN_DEPTH][at];
    for (int axis = 0; axis < 2; axis++)
        a.along[axis][at] = rl_layers_velocity(depth, a.wet_depth, f.through[axis], f.liquid[axis]);
}

int rl_layers_make_velocities(const rl_layers_args &view, float wet_depth, float *const along[2],
                              cudaStream_t stream)
{
    if (view.word_count == 0)
        return 0;
    const velocity_args args = {view, {along[0], along[1]}, wet_depth};
    const unsigned blocks = ((unsigned)view.word_count * 32 + BLOCK - 1) / BLOCK;
    make_velocities<<<blocks, BLOCK, 0, stream>>>(args);
    return (int)cudaGetLastError();
}

// ---- Deposits --------------------------------------------------------------------------

struct deposit_args {
    rl_layers_args view;
    rl_device_deposits deposits;
    float per_face;
};

// A column with a deposit.
struct deposit_column {
    int n, count; // the deposit's number, and that of all
    int i, j, layer;
    ptrdiff_t at; // its slot
};

RL_DEVICE void change_depth(const deposit_args &a, const deposit_column &k)
{
    const float *base = a.view.field[RL_COLUMN_BASE], *top = a.view.field[RL_COLUMN_TOP];
    float *depth = a.view.field[RL_COLUMN_DEPTH] + k.at;
    float *remainder = a.view.field[RL_COLUMN_REMAINDER] + k.at;
    const float amount = a.deposits.depth[k.n];
    double given = 0.0;
    if (k.layer == 0 && !signbit(amount)) {
        *depth = rl_deposit_add(*depth, remainder, amount);
        given = (double)amount;
    } else if (rl_layer_is_live(a.view.field[RL_COLUMN_BOTTOM], top, (size_t)k.at)) {
        given = rl_layers_change(depth, remainder, amount, top != nullptr, base[k.at],
                                 rl_layers_top(top, k.at));
    }
    a.deposits.given[k.n] = given;
    atomicMax((int *)a.view.deposits.running_max + k.j, __float_as_int(*depth));
}

// Computes the face after a column along an axis and the one before it. Columns are `step` slots
// and `way` numbers apart; the caller says whether there is one before and after within the grid.
RL_DEVICE void push_faces(const deposit_args &a, const deposit_column &k, float *q,
                          const float *momentum, ptrdiff_t step, int way, bool before, bool after)
{
    const float *base = a.view.field[RL_COLUMN_BASE], *top = a.view.field[RL_COLUMN_TOP];
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
        push_faces(a, k, a.view.field[RL_COLUMN_QX], a.deposits.momentum_x, 1, 1, i > 0,
                   i + 1 < nx);
        push_faces(a, k, a.view.field[RL_COLUMN_QY], a.deposits.momentum_y, a.view.pitch, nx,
                   k.j > 0, k.j + 1 < ny);
    }
}

int rl_layers_give_to_columns(const rl_layers_args &view, double cell_size,
                              const rl_device_deposits *deposits, cudaStream_t stream)
{
    const deposit_args args = {view, *deposits, (float)(0.5 / (cell_size * cell_size))};
    give_to_columns<<<rl_deposit_blocks(deposits->most), BLOCK, 0, stream>>>(args);
    return (int)cudaGetLastError();
}
