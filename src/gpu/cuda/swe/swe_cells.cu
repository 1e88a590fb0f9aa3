// SPDX-License-Identifier: MIT
// swe_cells.cu - deposits to single cells of the swe solver on a device, positive or negative, with
// momentum: the result is as if one cell after another came to the host's deposit. A later cell has
// not changed yet for those before it, so the depths before are stored; then every face is computed
// by itself.
#include "gpu/cuda/swe/swe_small.cuh"

#include "solvers/swe/swe_deposit_inline.h"

struct cell_args {
    const float *bed;
    float *depth, *remainder, *along[2]; // velocities by axis
    const uint32_t *marks[2];            // NULL when there are none
    int mark_words, nx, ny, pitch;
    float *running_max;
    int *pushed;   // largest speeds by axis after deposits
    float *before; // depths before the deposits
    rl_swe_coef k;
    double area;
    rl_device_deposits deposits;
};

// ---- Depths ----------------------------------------------------------------------------

static __global__ void change_depths(const cell_args a)
{
    const int count = *a.deposits.count;
    for (int n = (int)(blockIdx.x * RL_DEPOSIT_BLOCK + threadIdx.x); n < count;
         n += (int)gridDim.x * RL_DEPOSIT_BLOCK) {
        const int cell = a.deposits.cells[n], j = cell / a.nx;
        const ptrdiff_t at = (ptrdiff_t)j * a.pitch + cell % a.nx;
        a.before[n] = a.depth[at];
        a.deposits.given[n] =
            rl_deposit_change(&a.depth[at], &a.remainder[at], a.deposits.depth[n]);
        atomicMax((int *)a.running_max + j, __float_as_int(a.depth[at]));
    }
}

// ---- Faces -----------------------------------------------------------------------------

// The cells of a deposit and before and after it along an axis.
struct cell_line {
    int axis, count; // of all deposits
    int i, j;        // of the deposit's cell
    ptrdiff_t at, step;
};

static __device__ __forceinline__ int line_is_inside(const cell_args &a, const cell_line &l, int n)
{
    const int place = (l.axis == 0 ? l.i : l.j) + n;
    return place >= 0 && place < (l.axis == 0 ? a.nx : a.ny);
}

// Returns the deposit to the n-th cell after that of `own`, or -1.
static __device__ __forceinline__ int line_deposit(const cell_args &a, const cell_line &l, int own,
                                                   int n)
{
    if (n == 0)
        return own;
    return line_is_inside(a, l, n)
               ? rl_deposit_beside(a.deposits, own, n * (l.axis == 0 ? 1 : a.nx), l.count)
               : -1;
}

static __device__ __forceinline__ rl_swe_end line_end(const cell_args &a, const cell_line &l, int n,
                                                      float depth)
{
    return rl_swe_end_of(a.bed[l.at + n * l.step], depth);
}

// Returns the depth of the n-th cell now, and before its deposit.
static __device__ __forceinline__ float line_after(const cell_args &a, const cell_line &l, int n)
{
    return a.depth[l.at + n * l.step];
}

static __device__ __forceinline__ float line_before(const cell_args &a, const cell_line &l, int n,
                                                    int deposit)
{
    return deposit >= 0 ? a.before[deposit] : line_after(a, l, n);
}

// Returns whether water may cross the face between cells n and n + 1, whose depths are given.
static __device__ __forceinline__ int face_is_open(const cell_args &a, const cell_line &l, int n,
                                                   float low, float high)
{
    if (!line_is_inside(a, l, n) || !line_is_inside(a, l, n + 1))
        return 0;
    const int i = l.axis == 0 ? l.i + n : l.i, j = l.axis == 0 ? l.j : l.j + n;
    if (a.marks[l.axis] != nullptr &&
        (a.marks[l.axis][(size_t)j * a.mark_words + i / 32] >> (i % 32) & 1))
        return 0;
    const rl_swe_end before = line_end(a, l, n, low), after = line_end(a, l, n + 1, high);
    return !rl_swe_is_wall(before, after, rl_swe_fall_between(before, after), a.k);
}

static __device__ __forceinline__ void note_speed(const cell_args &a, int axis, float velocity)
{
    atomicMax(a.pushed + axis, __float_as_int(fabsf(velocity)));
}

// Returns the velocity that a deposit to cell n gives to the face beside it: to the one after it
// (way 1) or before it (way -1). Later cells are as they were.
static __device__ __forceinline__ float push(const cell_args &a, const cell_line &l, int n,
                                             int deposit, int next, int way, float velocity)
{
    const float here = line_after(a, l, n),
                after = line_is_inside(a, l, n + 1) ? line_before(a, l, n + 1, next) : 0.0f;
    const float low = line_is_inside(a, l, n - 1) ? line_after(a, l, n - 1) : 0.0f;
    const int low_is_open = face_is_open(a, l, n - 1, low, here);
    const int high_is_open = face_is_open(a, l, n, here, after);
    const double given = a.deposits.given[deposit];
    const double m = rl_swe_deposit_momentum(
        a.deposits.depth[deposit], given,
        (l.axis == 0 ? a.deposits.momentum_x : a.deposits.momentum_y)[deposit], a.area);
    const double to_low = rl_swe_deposit_to_low(low_is_open, high_is_open);
    const double depths = (double)here + (double)(way > 0 ? after : low) - given;
    float now = velocity;
    if (way > 0 ? high_is_open : low_is_open)
        now = rl_swe_push_face(velocity, depths, (way > 0 ? 1.0 - to_low : to_low) * m, given);
    note_speed(a, l.axis, now);
    return now;
}

static __device__ __forceinline__ void store(const cell_args &a, const cell_line &l, ptrdiff_t at,
                                             float velocity)
{
    float *v = a.along[l.axis] + at;
    *v = velocity;
    if (l.axis == 1 && l.i == 0)
        v[-1] = velocity; // walls are slippery: the velocity beside a row is a copy
    if (l.axis == 1 && l.i == a.nx - 1)
        v[1] = velocity;
}

// Computes the face after a deposit's cell, which the cell beyond it may push too, and the one
// before it, if the cell there has no deposit.
static __device__ __forceinline__ void push_faces(const cell_args &a, const cell_line &l, int own)
{
    const int next = line_deposit(a, l, own, 1);
    if (line_is_inside(a, l, 1)) {
        float velocity = push(a, l, 0, own, next, 1, a.along[l.axis][l.at]);
        if (next >= 0)
            velocity = push(a, l, 1, next, line_deposit(a, l, own, 2), -1, velocity);
        store(a, l, l.at, velocity);
    }
    if (line_is_inside(a, l, -1) && line_deposit(a, l, own, -1) < 0)
        store(a, l, l.at - l.step, push(a, l, 0, own, next, -1, a.along[l.axis][l.at - l.step]));
}

static __global__ void push_cells(const cell_args a)
{
    const int count = *a.deposits.count;
    for (int n = (int)(blockIdx.x * RL_DEPOSIT_BLOCK + threadIdx.x); n < count;
         n += (int)gridDim.x * RL_DEPOSIT_BLOCK) {
        const int cell = a.deposits.cells[n], i = cell % a.nx, j = cell / a.nx;
        cell_line l = {0, count, i, j, (ptrdiff_t)j * a.pitch + i, 1};
        push_faces(a, l, n);
        l.axis = 1;
        l.step = a.pitch;
        push_faces(a, l, n);
    }
}

// ---- Launching -------------------------------------------------------------------------

static int reserve(rl_device_swe *p, int most)
{
    if (most <= p->deposit_capacity)
        return 0;
    RL_TRY(cudaStreamSynchronize(p->stream));
    rl_device_drop(p, &p->deposit_before);
    p->deposit_capacity = most;
    return rl_device_take(p, (size_t)most, &p->deposit_before);
}

int rl_device_swe_give_to_cells(rl_device_swe *p, const rl_swe_coef *k,
                                const struct rl_device_deposits *deposits)
{
    RL_TRY(reserve(p, deposits->most));
    float *const *f = p->fields[p->now];
    cell_args a = {};
    a.bed = f[RL_DEVICE_SWE_BED];
    a.depth = f[RL_DEVICE_SWE_DEPTH];
    a.remainder = f[RL_DEVICE_SWE_REMAINDER];
    a.along[0] = f[RL_DEVICE_SWE_U];
    a.along[1] = f[RL_DEVICE_SWE_V];
    for (int axis = 0; axis < 2; axis++)
        a.marks[axis] = p->extras.marked ? p->extras.marks[axis] : nullptr;
    a.mark_words = p->extras.mark_words;
    a.nx = p->nx;
    a.ny = p->ny;
    a.pitch = p->pitch;
    a.running_max = p->running_max;
    a.pushed = p->pushed;
    a.before = p->deposit_before;
    a.k = *k;
    a.area = p->rules.cell_size * p->rules.cell_size;
    a.deposits = *deposits;
    const unsigned blocks = rl_deposit_blocks(deposits->most);
    change_depths<<<blocks, RL_DEPOSIT_BLOCK, 0, p->stream>>>(a);
    push_cells<<<blocks, RL_DEPOSIT_BLOCK, 0, p->stream>>>(a);
    return (int)cudaGetLastError();
}

int rl_device_swe_pushed(rl_device_swe *p, float pushed[2])
{
    RL_TRY(
        cudaMemcpyAsync(pushed, p->pushed, 2 * sizeof *pushed, cudaMemcpyDeviceToHost, p->stream));
    return (int)cudaStreamSynchronize(p->stream);
}
