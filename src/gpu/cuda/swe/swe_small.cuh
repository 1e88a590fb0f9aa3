// SPDX-License-Identifier: MIT
// swe_small.cuh - the arrays of the swe solver in a device's memory, and its kernels between steps:
// the beginning and the end of a row of steps, the ledger, crests that are cut, velocities for
// readers.
#pragma once

#include "gpu/cuda/mirror/device_grid.cuh"
#include "gpu/cuda/swe/swe_types.cuh"
#include "solvers/swe/swe_deposit_inline.h"

#define RL_SWE_BLOCK 256

// The results of a row of steps for the host.
struct rl_swe_report {
    rl_substeps controller;
    int depth, u, v;
    double in, out, corrected;
};

// The volumes that the steps of a row leave for the ledger, by steps.
struct rl_swe_books {
    float *crossed;   // rl_crossed_floats each
    double *absorbed; // ny each: volume that the absorbing layers added to a row, metres
    double *cut;      // ny each: what was cut off the crests of a row, metres
    double *moved;    // in and out of each band
    double *removed;  // one each: sum of `cut`
};

__device__ __forceinline__ void rl_swe_forget_control(rl_swe_control *c)
{
    c->depth = c->u = c->v = 0;
    for (int side = 0; side < RILL_SIDE_COUNT; side++)
        c->shallowest[side] = RL_SWE_NO_DEPTH;
}

struct rl_swe_begin_args {
    rl_swe_control *controls; // `count` of them
    rl_swe_report *report;
    rl_swe_setup *place; // of the setup
    float *running_max;
    int *pushed; // largest u and v after deposits
    const float *depth;
    rl_device_swe_advance advance;
    rl_swe_setup setup;
    int count, nx, ny, pitch;
};

// Runs on one block. Initialises the first control from the world's step, adds the running maximum
// of deposits to its deepest water, and finds the most shallow water beside inflows.
static __global__ void rl_swe_begin(const rl_swe_begin_args a)
{
    __shared__ int deepest, shallowest[RILL_SIDE_COUNT];
    if (threadIdx.x == 0) {
        deepest = __float_as_int(a.advance.largest.depth);
        for (int side = 0; side < RILL_SIDE_COUNT; side++)
            shallowest[side] = RL_SWE_NO_DEPTH;
    }
    __syncthreads();
    int most = 0;
    for (int y = (int)threadIdx.x; y < a.ny; y += RL_SWE_BLOCK) {
        const int bits = __float_as_int(a.running_max[y]); // -1 is a negative integer too
        most = bits > most ? bits : most;
        a.running_max[y] = -1.0f;
    }
    atomicMax(&deepest, most);
    for (int side = 0; side < RILL_SIDE_COUNT; side++) {
        if (!rl_swe_side_flows_in(&a.setup.side[side]))
            continue;
        const bool column = side == RILL_SIDE_WEST || side == RILL_SIDE_EAST;
        int least = RL_SWE_NO_DEPTH;
        for (int n = (int)threadIdx.x; n < (column ? a.ny : a.nx); n += RL_SWE_BLOCK) {
            const int x = side == RILL_SIDE_WEST ? 0 : side == RILL_SIDE_EAST ? a.nx - 1 : n;
            const int y = side == RILL_SIDE_SOUTH ? 0 : side == RILL_SIDE_NORTH ? a.ny - 1 : n;
            const int bits = __float_as_int(a.depth[y * a.pitch + x]);
            least = bits < least ? bits : least;
        }
        atomicMin(&shallowest[side], least);
    }
    for (int n = (int)threadIdx.x + 1; n < a.count; n += RL_SWE_BLOCK)
        rl_swe_forget_control(&a.controls[n]);
    __syncthreads();
    if (threadIdx.x != 0)
        return;
    rl_swe_control *first = a.controls;
    first->controller = a.advance.controller;
    first->depth = deepest;
    first->u = rl_int_max(__float_as_int(a.advance.largest.u), a.pushed[0]);
    first->v = rl_int_max(__float_as_int(a.advance.largest.v), a.pushed[1]);
    a.pushed[0] = a.pushed[1] = 0;
    for (int side = 0; side < RILL_SIDE_COUNT; side++)
        first->shallowest[side] = shallowest[side];
    *a.place = a.setup;
    a.report->in = a.advance.in;
    a.report->out = a.advance.out;
    a.report->corrected = a.advance.corrected;
}

struct rl_swe_end_args {
    rl_swe_control *controls;        // `count` steps have been taken, or fewer
    rl_swe_report *report, *to_host; // the same, and the host's own
    const rl_swe_setup *setup;
    rl_swe_books books;
    int count, nx, ny, bands;
    int layers, overshoot; // whether there are such volumes
};

// Loads are issued this many at a time, sums one after another.
#define RL_SWE_AHEAD 16

__device__ inline void rl_swe_book_side(const float *crossed, int count, double sign, double *in,
                                        double *out)
{
    for (int i = 0; i < count; i += RL_SWE_AHEAD) {
        float q[RL_SWE_AHEAD];
#pragma unroll
        for (int n = 0; n < RL_SWE_AHEAD; n++)
            q[n] = i + n < count ? crossed[i + n] : 0.0f;
#pragma unroll
        for (int n = 0; n < RL_SWE_AHEAD; n++)
            rl_book(sign * (double)q[n], in, out);
    }
}

// Books the ends of rows [y0, y1), and what absorbing layers added to them.
__device__ inline void rl_swe_book_rows(const rl_swe_end_args &a, int step, int y0, int y1,
                                        double *in, double *out)
{
    const float *west = a.books.crossed + (size_t)step * rl_crossed_floats(a.nx, a.ny);
    const float *east = west + a.ny;
    const double *absorbed = a.layers ? a.books.absorbed + (size_t)step * a.ny : nullptr;
    for (int y = y0; y < y1; y += RL_SWE_AHEAD) {
        float w[RL_SWE_AHEAD], e[RL_SWE_AHEAD];
        double added[RL_SWE_AHEAD];
#pragma unroll
        for (int n = 0; n < RL_SWE_AHEAD; n++) {
            w[n] = y + n < y1 ? west[y + n] : 0.0f;
            e[n] = y + n < y1 ? east[y + n] : 0.0f;
            added[n] = a.layers && y + n < y1 ? absorbed[y + n] : 0.0;
        }
#pragma unroll
        for (int n = 0; n < RL_SWE_AHEAD; n++) {
            rl_book(added[n], in, out);
            rl_book((double)w[n], in, out);
            rl_book(-(double)e[n], in, out);
        }
    }
}

// Books what crossed the borders of one band in one step, in the order of the host's ledger. One
// thread does it: the lanes of a warp that added up the same numbers took longer.
__device__ inline void rl_swe_book_band(const rl_swe_end_args &a, int step, int band)
{
    const float *south = a.books.crossed + (size_t)step * rl_crossed_floats(a.nx, a.ny) + 2 * a.ny;
    const int y0 = (int)((long long)a.ny * band / a.bands);
    const int y1 = (int)((long long)a.ny * (band + 1) / a.bands);
    double in = 0.0, out = 0.0;
    if (band == 0 && rl_swe_side_is_open(&a.setup->side[RILL_SIDE_SOUTH]))
        rl_swe_book_side(south, a.nx, 1.0, &in, &out);
    rl_swe_book_rows(a, step, y0, y1, &in, &out);
    if (band + 1 == a.bands && rl_swe_side_is_open(&a.setup->side[RILL_SIDE_NORTH]))
        rl_swe_book_side(south + a.nx, a.nx, -1.0, &in, &out);
    a.books.moved[2 * (step * a.bands + band)] = in;
    a.books.moved[2 * (step * a.bands + band) + 1] = out;
}

// Adds the volumes of `taken` steps to those of the row of steps before.
__device__ inline void rl_swe_close_books(const rl_swe_end_args &a, int taken, bool open)
{
    const double size = a.setup->rules.cell_size, area = size * size;
    double in = a.report->in, out = a.report->out, corrected = a.report->corrected;
    for (int n = 0; n < taken; n++) {
        for (int band = 0; open && band < a.bands; band++) {
            in += a.books.moved[2 * (n * a.bands + band)] * area;
            out += a.books.moved[2 * (n * a.bands + band) + 1] * area;
        }
        if (a.overshoot)
            corrected -= a.books.removed[n] * size * size;
    }
    const rl_swe_control last = a.controls[a.count];
    const rl_swe_report report = {last.controller, last.depth, last.u, last.v, in, out, corrected};
    *a.report = *a.to_host = report;
    a.controls[0] = last;
}

// Runs on one block. Books what crossed the borders in `count` steps, and makes the last control
// the first one of the next row of steps.
static __global__ void rl_swe_end_steps(const rl_swe_end_args a)
{
    const int taken = a.controls[a.count].controller.substeps - a.controls[0].controller.substeps;
    bool open = a.layers != 0;
    for (int side = 0; side < RILL_SIDE_COUNT; side++)
        open = open || rl_swe_side_is_open(&a.setup->side[side]);
    for (int n = (int)threadIdx.x; open && n < taken * a.bands; n += RL_SWE_BLOCK)
        rl_swe_book_band(a, n / a.bands, n % a.bands);
    for (int n = (int)threadIdx.x; a.overshoot && n < taken; n += RL_SWE_BLOCK) {
        double removed = 0.0;
        for (int y = 0; y < a.ny; y++)
            removed += a.books.cut[(size_t)n * a.ny + y];
        a.books.removed[n] = removed;
    }
    __syncthreads();
    if (threadIdx.x == 0)
        rl_swe_close_books(a, taken, open);
    __syncthreads();
    for (int n = (int)threadIdx.x + 1; n <= a.count; n += RL_SWE_BLOCK)
        rl_swe_forget_control(&a.controls[n]);
}

// ---- Absorbing layers ------------------------------------------------------------------

struct rl_swe_absorbed_args {
    const rl_swe_control *now; // of the step that was taken
    const rl_swe_setup *setup;
    const float *unabsorbed, *depth, *profile_y;
    double *absorbed;
    int nx, ny, pitch, width;
};

// Returns one of the eight sums that rl_run_sum has side by side, over cells [first, end); the
// eighth of them that are left go to the first.
__device__ __forceinline__ double rl_swe_part_sum(const float *row, int first, int end, int part)
{
    double sum = 0.0;
    const int whole = first + (end - first) / 8 * 8;
    for (int i = first + part; i < whole; i += 8)
        sum += (double)row[i];
    for (int i = whole; part == 0 && i < end; i++)
        sum += (double)row[i];
    return sum;
}

// A warp has a row: sums up what the absorbing layers added to it. Four sums of eight parts: before
// and after, in one or two runs of cells (swe_absorb.c has where those begin and end).
static __global__ void rl_swe_sum_absorbed(const rl_swe_absorbed_args a)
{
    const int lane = (int)threadIdx.x & 31;
    const int y = (int)blockIdx.x * (RL_SWE_BLOCK / 32) + (int)threadIdx.x / 32;
    if (y >= a.ny || !(a.now->controller.left > 0.0))
        return;
    int first[2] = {0, 0}, end[2] = {0, 0};
    const int runs = rl_swe_layer_runs(
        a.nx, a.width, a.profile_y[y] > 0.0f, rl_swe_side_absorbs(&a.setup->side[RILL_SIDE_WEST]),
        rl_swe_side_absorbs(&a.setup->side[RILL_SIDE_EAST]), first, end);
    const int run = lane / 16;
    const float *row = (lane & 8 ? a.depth : a.unabsorbed) + (ptrdiff_t)y * a.pitch;
    double sum = 0.0;
    if (run < runs)
        sum = rl_swe_part_sum(row, first[run], end[run], lane & 7);
    // ((0 + 1) + (2 + 3)) + ((4 + 5) + (6 + 7))
    for (int d = 1; d < 8; d *= 2)
        sum += __shfl_down_sync(RL_ALL_LANES, sum, d);
    double added = 0.0;
    for (int n = 0; n < 2; n++) {
        const double before = __shfl_sync(RL_ALL_LANES, sum, 16 * n);
        const double after = __shfl_sync(RL_ALL_LANES, sum, 16 * n + 8);
        if (n < runs) {
            added -= before;
            added += after;
        }
    }
    if (lane == 0)
        a.absorbed[y] = added;
}

// ---- Overshooting ----------------------------------------------------------------------

struct rl_swe_cut_args {
    rl_swe_control *now; // of the step that was taken
    const rl_swe_setup *setup;
    const float *bed;
    float *depth, *out;
    int nx, ny, pitch;
};

// Returns the level of a cell; beyond the grid that of the cell at its edge.
__device__ __forceinline__ float rl_swe_level_at(const rl_swe_cut_args &a, int x, int y, float here)
{
    if (x < 0 || x >= a.nx || y < 0 || y >= a.ny)
        return here;
    const int at = y * a.pitch + x;
    return a.bed[at] + a.depth[at];
}

static __global__ void rl_swe_cut(const rl_swe_cut_args a)
{
    const int x = (int)(blockIdx.x * blockDim.x + threadIdx.x), y = (int)blockIdx.y;
    if (x >= a.nx || !(a.now->controller.left > 0.0))
        return;
    const int at = y * a.pitch + x;
    const rl_swe_end here = rl_swe_end_of(a.bed[at], a.depth[at]);
    const float edge =
        rl_swe_crest_edge(a.setup->rules.def.overshoot_edge, a.setup->rules.cell_size);
    const float part = a.setup->rules.def.overshoot;
    const float along_x =
        rl_swe_cut_crest_both(here, rl_swe_level_at(a, x - 1, y, here.level),
                              rl_swe_level_at(a, x + 1, y, here.level), edge, part);
    const float along_y =
        rl_swe_cut_crest_both(here, rl_swe_level_at(a, x, y - 1, here.level),
                              rl_swe_level_at(a, x, y + 1, here.level), edge, part);
    a.out[at] = along_x < along_y ? along_x : along_y;
}

static __global__ void rl_swe_store_cut(const rl_swe_cut_args a)
{
    const int x = (int)(blockIdx.x * blockDim.x + threadIdx.x), y = (int)blockIdx.y;
    if (x >= a.nx || !(a.now->controller.left > 0.0))
        return;
    const int at = y * a.pitch + x;
    a.depth[at] = a.out[at];
    rl_swe_note_shallowest(a.now, a.setup->side, a.nx, a.ny, x, y, a.out[at]);
}

// ---- Reading ---------------------------------------------------------------------------

struct rl_swe_read_args {
    const float *bed, *depth, *u, *v;
    float *velocity_x, *velocity_y;
    rl_swe_coef k;
    int nx, pitch;
};

static __global__ void rl_swe_make_velocities(const rl_swe_read_args a)
{
    const int x = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (x >= a.nx)
        return;
    const ptrdiff_t at = (ptrdiff_t)blockIdx.y * a.pitch + x;
    const auto end = [&](ptrdiff_t n) { return rl_swe_end_of(a.bed[at + n], a.depth[at + n]); };
    const rl_swe_end here = end(0);
    a.velocity_x[at] = rl_swe_centre(a.u[at - 1], a.u[at], end(-1), here, end(1), a.k);
    a.velocity_y[at] =
        rl_swe_centre(a.v[at - a.pitch], a.v[at], end(-a.pitch), here, end(a.pitch), a.k);
}

static __global__ void rl_swe_move_falls(rl_fall *list, int count, const float *u, const float *v,
                                         int pitch)
{
    const int n = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (n >= count)
        return;
    rl_fall *f = &list[n];
    const ptrdiff_t at = (ptrdiff_t)f->upper_j * pitch + f->upper_i;
    rl_swe_fall_velocity(f->lower_i - f->upper_i, f->lower_j - f->upper_j, u[at - 1], u[at],
                         v[at - pitch], v[at], &f->velocity, &f->across);
}

// ---- Memory ----------------------------------------------------------------------------

#define RL_SWE_GHOST_ROWS 2 // below and above the grid

// Lengths of captured rows of steps. Any number is a sum of these.
#define RL_SWE_ROW_KINDS 3
#define RL_SWE_LONGEST   32

struct rl_device_swe : rl_device_grid {
    int bands;
    rl_swe_rules rules;
    int *pushed;           // largest u and v after deposits to single cells, as integers
    float *deposit_before; // depths before such deposits
    int deposit_capacity;
    rl_swe_control *controls; // RL_SWE_LONGEST + 1
    rl_swe_setup *setup;
    rl_swe_report *report, *report_host;
    rl_swe_books books;
    float *profiles; // of the layers: profile_x, level_x, profile_y, level_y
    float *along;    // of rl_device_swe_set_along, or NULL
    uint32_t *marks;
    int *fall_map;
    rl_fall *list;
    float *strained; // two fields: what eddies leave of the velocities before a step, or NULL
    int list_capacity, layer_width;
    rl_swe_extras extras; // the extras that exist; pointers are set when graphs are made

    rl_swe_kernel_config config; // of the graphs
    int strips, rows, blocks;
    cudaGraphExec_t graphs[2][RL_SWE_ROW_KINDS]; // by the copy they start from
};

// Returns one of two fields for velocities, or for depths that are made anew or stored.
static inline float *rl_swe_scratch_of(const rl_device_swe *p, int n)
{
    return p->velocities + (size_t)n * p->field_floats + p->origin;
}

void rl_swe_drop_graphs(rl_device_swe *p);
