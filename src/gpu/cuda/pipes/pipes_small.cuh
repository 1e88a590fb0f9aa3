// SPDX-License-Identifier: MIT
// pipes_small.cuh - the kernels of the pipes solver on a device between steps: the beginning and
// the end of a row of steps, borders, the ledger.
#pragma once

#include "gpu/cuda/pipes/pipes_device.h"
#include "gpu/cuda/pipes/pipes_march.cuh"

#define RL_SMALL_BLOCK 256

// Returns the largest of the integers of a block, in all threads.
__device__ __forceinline__ int rl_largest_in_block(int value)
{
    __shared__ int shared;
    if (threadIdx.x == 0)
        shared = 0x80000000;
    __syncthreads();
    atomicMax(&shared, value);
    __syncthreads();
    const int largest = shared;
    __syncthreads();
    return largest;
}

// The results of a row of steps for the host.
struct rl_pipes_report {
    rl_substeps controller;
    int deepest;
    int copy; // after passes: which holds the state
    double in, out;
};

struct rl_begin_args {
    rl_pipes_control *controls;
    rl_pass_control *passes; // NULL when single steps follow
    rl_pipes_report *report;
    rl_substeps controller;
    float deepest;
    float *running_max;
    int ny, copy, fresh; // fresh: the first steps of a call
};

// Runs on one block. Initialises the first control from the world's step, and adds the running
// maximum of deposits to its deepest water.
static __global__ void rl_begin_substeps(const rl_begin_args a)
{
    int bits = __float_as_int(a.deepest);
    for (int y = (int)threadIdx.x; y < a.ny; y += RL_SMALL_BLOCK) {
        const int other = __float_as_int(a.running_max[y]);
        bits = other > bits ? other : bits; // -1 is a negative integer too
        a.running_max[y] = -1.0f;
    }
    bits = rl_largest_in_block(bits);
    if (threadIdx.x != 0)
        return;
    if (a.passes != nullptr) {
        // The place of the deepest water is the same as before, or unknown.
        const rl_deepest before = a.passes[0].deepest;
        const unsigned place =
            rl_deepest_bits(before) == bits ? rl_deepest_place(before) : RL_NOWHERE;
        a.passes[0].controller = a.controller;
        a.passes[0].deepest = rl_make_deepest(bits, place);
        a.passes[0].copy = a.copy;
        a.passes[0].steps = 0;
    } else {
        a.controls[0].controller = a.controller;
        a.controls[0].deepest = bits;
    }
    if (a.fresh)
        a.report->in = a.report->out = 0.0;
}

struct rl_end_args {
    rl_pipes_control *controls; // `count` steps have been taken, or fewer
    rl_pass_control *passes;    // or so many passes
    const rl_pipes_setup *setup;
    rl_pipes_report *report;
    const float *crossed, *spread;
    double *moved; // in and out of each band of each step
    double cell_size;
    int count, nx, ny, bands, open;
};

// Books what crossed the borders of one band in one step, in the order of the host's ledger: along
// the rows, then south, then north.
__device__ inline void rl_book_band(const rl_end_args &a, int step, int band)
{
    const float *crossed = a.crossed + (size_t)step * rl_crossed_floats(a.nx, a.ny);
    const int y0 = (int)((long long)a.ny * band / a.bands);
    const int y1 = (int)((long long)a.ny * (band + 1) / a.bands);
    double in = 0.0, out = 0.0;
    for (int y = y0; y < y1; y++) {
        if (a.open >> RILL_SIDE_EAST & 1)
            rl_book(-(double)crossed[a.ny + y], &in, &out);
        if (a.open >> RILL_SIDE_WEST & 1)
            rl_book((double)crossed[y], &in, &out);
    }
    const float *south = crossed + 2 * a.ny, *north = south + a.nx;
    for (int i = 0; band == 0 && a.open >> RILL_SIDE_SOUTH & 1 && i < a.nx; i++)
        rl_book((double)south[i], &in, &out);
    for (int i = 0; band + 1 == a.bands && a.open >> RILL_SIDE_NORTH & 1 && i < a.nx; i++)
        rl_book(-(double)north[i], &in, &out);
    a.moved[2 * (step * a.bands + band)] = in;
    a.moved[2 * (step * a.bands + band) + 1] = out;
}

// Runs on all threads of a block: books what crossed the borders in the first `taken` steps of a
// row.
__device__ inline void rl_book_steps(const rl_end_args &a, int taken)
{
    if (a.open == 0)
        return;
    for (int n = (int)threadIdx.x; n < taken * a.bands; n += RL_SMALL_BLOCK)
        rl_book_band(a, n / a.bands, n % a.bands);
    __syncthreads();
    if (threadIdx.x != 0)
        return;
    double in = a.report->in, out = a.report->out;
    for (int n = 0; n < taken; n++) {
        // Cells fill by the rounded dt / dx, so the ledger must use the same number.
        const double volume = (double)a.spread[n] * a.cell_size * a.cell_size;
        for (int band = 0; band < a.bands; band++) {
            in += a.moved[2 * (n * a.bands + band)] * volume;
            out += a.moved[2 * (n * a.bands + band) + 1] * volume;
        }
    }
    a.report->in = in;
    a.report->out = out;
}

// Runs on one block. Books what crossed the borders in `count` steps, and makes the last control
// the first one of the next row of steps.
static __global__ void rl_end_steps(const rl_end_args a)
{
    rl_book_steps(a, a.controls[a.count].controller.substeps - a.controls[0].controller.substeps);
    __syncthreads();
    if (threadIdx.x == 0) {
        const rl_pipes_control last = a.controls[a.count];
        a.report->controller = last.controller;
        a.report->deepest = last.deepest;
        a.controls[0] = last;
    }
    __syncthreads();
    for (int n = (int)threadIdx.x + 1; n <= a.count; n += RL_SMALL_BLOCK)
        a.controls[n].deepest = 0;
}

// Does the same after passes of two steps.
static __global__ void rl_end_passes(const rl_end_args a)
{
    __shared__ rl_pass_end end;
    if (threadIdx.x == 0) {
        const rl_pass_control &last = a.passes[a.count];
        const bool right = rl_speculation_holds(last, *a.setup);
        end = rl_end_of_pass(last, right);
        // The same speculation would fail again: a single step comes next.
        if (!right)
            end.deepest = rl_make_deepest(rl_deepest_bits(end.deepest), RL_NOWHERE);
    }
    __syncthreads();
    rl_book_steps(a, end.controller.substeps - a.passes[0].controller.substeps);
    __syncthreads();
    if (threadIdx.x == 0) {
        a.report->controller = end.controller;
        a.report->deepest = rl_deepest_bits(end.deepest);
        a.report->copy = end.copy;
        a.passes[0].controller = end.controller;
        a.passes[0].deepest = end.deepest;
        a.passes[0].copy = end.copy;
        a.passes[0].steps = 0;
    }
    for (int n = (int)threadIdx.x + 1; n <= a.count; n += RL_SMALL_BLOCK)
        a.passes[n].after[0] = a.passes[n].after[1] = 0;
}

struct rl_ghost_args {
    float *bed, *depth[2], *qx[2], *qy[2];
    const float *ghosts; // of rl_device_borders
    int nx, ny, pitch, open;
};

// Both copies of the state get the ghosts: a step does not write them.
static __global__ void rl_set_ghosts(const rl_ghost_args a)
{
    const int n = (int)(blockIdx.x * RL_SMALL_BLOCK + threadIdx.x);
    const float *beds = a.ghosts, *depths = a.ghosts + 2 * (a.nx + a.ny);
    if (n < a.ny) {
        const ptrdiff_t row = (ptrdiff_t)n * a.pitch;
        a.bed[row - 1] = beds[n];
        a.bed[row + a.nx] = beds[a.ny + n];
        for (int c = 0; c < 2; c++) {
            a.depth[c][row - 1] = depths[n];
            a.depth[c][row + a.nx] = depths[a.ny + n];
            if (!(a.open >> RILL_SIDE_WEST & 1))
                a.qx[c][row - 2] = a.qx[c][row - 1] = 0.0f;
            if (!(a.open >> RILL_SIDE_EAST & 1))
                a.qx[c][row + a.nx] = a.qx[c][row + a.nx - 1] = 0.0f;
        }
    }
    if (n < a.nx) {
        const ptrdiff_t south = n - (ptrdiff_t)a.pitch, north = n + (ptrdiff_t)a.ny * a.pitch;
        a.bed[south] = beds[2 * a.ny + n];
        a.bed[north] = beds[2 * a.ny + a.nx + n];
        for (int c = 0; c < 2; c++) {
            a.depth[c][south] = depths[2 * a.ny + n];
            a.depth[c][north] = depths[2 * a.ny + a.nx + n];
            if (!(a.open >> RILL_SIDE_SOUTH & 1))
                a.qy[c][south] = 0.0f;
            if (!(a.open >> RILL_SIDE_NORTH & 1))
                a.qy[c][north - a.pitch] = 0.0f;
            // There is no face beyond a border: it smooths with itself.
            a.qy[c][south - a.pitch] = a.qy[c][south];
            a.qy[c][north] = a.qy[c][north - a.pitch];
        }
    }
}
