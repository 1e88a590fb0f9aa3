// SPDX-License-Identifier: MIT
// layers_steps.cuh - the persistent kernel that takes all steps of a frame, and the kernels between
// frames.
//
// Its blocks run for the whole frame, with grid barriers between the parts of a step. The last
// block handles the passages, in its own shared memory; all others have a word of columns for each
// warp:
//
//     columns                                passages
//     full ones, and where air enters      -> finds passages and drives them,
//     raw discharges                          meanwhile
//     -------------------------------------------------------------- barrier 1
//     outflow limiters, and when those of
//     the neighbours are known inflow
//     limiters                             -> adds capacity and balances passages
//     -------------------------------------------------------------- barrier 2
//     discharges and depths
//     -------------------------------------------------------------- barrier 3
//
// Every block computes the length of the next step by itself, while it reads its columns.
#pragma once

#include "gpu/cuda/layers/layers_balance.cuh"
#include "gpu/cuda/layers/layers_capacity.cuh"
#include "gpu/cuda/layers/layers_mark.cuh"

// The progress of a block, in its shared memory.
struct rl_layers_progress {
    rl_substeps controller, after; // before the step, and after it
    rl_pipe_coef k;                // of the step
    double planned, zeta;          // its length, seconds, and the part of a discharge that friction
                                   // leaves in that
    int moves;                     // 0 when nothing is left to do
    int deepest;                   // bits of the deepest water before the step
    float deepest_beyond;
    double in, out;
    rl_pipe_rules rules;
};

// Computes the length of the next step, and its constants. Runs on one thread; the others see it
// after a barrier of the block.
static __device__ __noinline__ void rl_plan_layers_step(rl_layers_progress *s)
{
    const float water = __int_as_float(s->deepest);
    const float deepest = water > s->deepest_beyond ? water : s->deepest_beyond;
    const double stable =
        rl_pipe_stable_step_of(&s->rules, rl_pipe_driving_height_of(&s->rules, (double)deepest));
    s->after = s->controller;
    rl_substeps_choose(&s->after, stable);
    if (s->after.substep != s->planned) {
        s->planned = s->after.substep;
        s->zeta = rl_pipe_zeta_of(&s->rules, s->planned);
        s->k = rl_pipe_coefficients_of(&s->rules, s->planned, stable);
    }
    rl_pipe_smooth(&s->rules, s->zeta, s->planned, stable, &s->k);
    rl_substeps_taken(&s->after);
}

#define RL_PLANNER (RL_LAYERS_BLOCK - 32) // of the last warp, which has no covered word as a rule

RL_DEVICE void rl_begin_plan(rl_layers_progress &progress)
{
    if (threadIdx.x == RL_PLANNER && progress.moves)
        rl_plan_layers_step(&progress);
}

// Takes deposits. Returns the number of arrivals at which all blocks have passed the barrier after
// it.
RL_DEVICE int rl_take_deposits(const rl_layers_args &a, const rl_layers_launch_deposit &deposit,
                               rl_layers_grid_barrier *m)
{
    if (deposit.row_count == 0)
        return 0;
#pragma unroll 1
    for (int row = (int)blockIdx.x; row < deposit.row_count; row += (int)gridDim.x)
        rl_give_row(a.deposits, deposit.runs, deposit.rows, deposit.amounts, row);
    rl_arrive(&m->passed);
    return (int)gridDim.x;
}

// After all deposits: adds their running maximum to the deepest water.
RL_DEVICE void rl_begin_frame(const rl_layers_args &a, const rl_layers_start &start,
                              rl_layers_grid_barrier *m, int due, rl_layers_progress &progress)
{
    if (due > 0)
        rl_await(&m->passed, due);
    if (threadIdx.x == 0)
        progress.deepest = __float_as_int(start.deepest);
    __syncthreads();
    int bits = 0;
#pragma unroll 1
    for (int y = (int)threadIdx.x; y < a.ny; y += RL_LAYERS_BLOCK)
        bits = max(bits, __float_as_int(a.deposits.running_max[y])); // -1 is a negative integer too
    if (bits > 0)
        atomicMax(&progress.deepest, bits);
    __syncthreads();
    if (threadIdx.x == 0) {
        progress.controller = start.controller;
        progress.in = start.in;
        progress.out = start.out;
        progress.rules = a.rules;
        progress.planned = -1.0;
        progress.deepest_beyond = a.deepest_beyond;
        progress.moves = start.controller.left > 0.0;
    }
    __syncthreads();
}

// The last barrier of a step. The block has synchronised after the results that other blocks read.
RL_DEVICE void rl_end_layers_step(rl_layers_ended *ended, rl_layers_progress &progress)
{
    if (threadIdx.x == 0) {
        rl_layers_ended seen;
        rl_release(&ended->passed, 1);
        do
            seen = rl_acquire_end(ended);
        while (seen.passed < (int)gridDim.x);
        progress.deepest = seen.deepest;
        progress.controller = progress.after;
        progress.moves = progress.controller.left > 0.0;
    }
    __syncthreads();
}

// ---- Columns ---------------------------------------------------------------------------

// A warp's words and cross pipes, 32 together: `first`, and every `step`th of `count` after it.
struct rl_part_of_work {
    int first, step, words, count;
};

// Calls see_word(word, at, ends) and see_pipe(number) for all of a warp's work.
// The first word is the same again and again, so it is cached.
struct rl_cached_word {
    rl_layers_word word;
    rl_layers_ends ends;
};

RL_DEVICE rl_cached_word rl_cached_word_of(const rl_layers_args &a, int n)
{
    rl_cached_word now;
    now.word = a.words[n];
    now.ends = rl_ends_of(a, now.word, (int)threadIdx.x & 31);
    return now;
}

template <typename SeeWord, typename SeePipe>
RL_DEVICE void rl_for_work(const rl_layers_args &a, const rl_part_of_work &work,
                           const rl_cached_word &cached, SeeWord see_word, SeePipe see_pipe)
{
#pragma unroll 1
    for (int n = work.first; n < work.count; n += work.step) {
        if (n >= work.words) {
            const int pipe = 32 * (n - work.words) + ((int)threadIdx.x & 31);
            if (pipe < a.pipe_count)
                see_pipe(pipe);
            continue;
        }
        rl_cached_word now = cached;
        if (n != work.first)
            now = rl_cached_word_of(a, n);
        see_word(now.word, rl_at(now.word, n), now.ends);
    }
}

// Gathers the largest bits of a block's depths, which are not negative, for all blocks.
RL_DEVICE void rl_gather_deepest_column(float depth, int *gathered)
{
    __shared__ int most;
    if (threadIdx.x == 0)
        most = 0;
    __syncthreads();
    const int bits = rl_largest_of_warp(__float_as_int(depth));
    if (((int)threadIdx.x & 31) == 0 && bits > 0)
        atomicMax(&most, bits);
    __syncthreads();
    if (threadIdx.x == 0 && most > 0)
        atomicMax(gathered, most);
}

// Books what crossed the borders in the step before; columns fill by the rounded dt / dx, so the
// ledger uses the same number.
__device__ inline void rl_book_step(const rl_layers_args &a, rl_layers_progress &progress,
                                    float spread)
{
    __syncthreads();
#pragma unroll 1
    for (int tile = (int)threadIdx.x; tile < a.tile_count; tile += RL_LAYERS_BLOCK)
        rl_book_tile(a, tile);
    __syncthreads();
    if (threadIdx.x != 0)
        return;
    const double volume = (double)spread * a.rules.cell_size * a.rules.cell_size;
    double in = progress.in, out = progress.out;
#pragma unroll 4
    for (int tile = 0; tile < a.tile_count; tile++) {
        in += a.moved[2 * tile] * volume;
        out += a.moved[2 * tile + 1] * volume;
    }
    progress.in = in;
    progress.out = out;
}

// Reads covered words, marks full columns as soon as the step is planned, and signals the passages.
RL_DEVICE void rl_mark_work(const rl_layers_args &a, const rl_part_of_work &work,
                            const rl_cached_word &cached, rl_layers_grid_barrier *m,
                            rl_layers_progress &progress)
{
    rl_begin_plan(progress);
    int n = work.first;
#pragma unroll 1
    do {
        rl_cached_word now = cached;
        const bool reads = a.passages && n < a.covered_count;
        rl_seen_word seen;
        if (reads) {
            if (n != work.first)
                now = rl_cached_word_of(a, n);
            seen = rl_read_word(a, now.word, rl_at(now.word, n), now.ends);
        }
        if (n == work.first)
            __syncthreads(); // the step is planned
        if (reads)
            rl_mark_word(a, rl_at(now.word, n), now.ends, seen, progress.k.spread);
        n += work.step;
    } while (n < a.covered_count);
    if (a.passages)
        rl_arrive(&m->marked);
}

RL_DEVICE void rl_flow_work(const rl_layers_args &a, const rl_part_of_work &work,
                            const rl_cached_word &cached, const rl_pipe_coef &k)
{
    rl_for_work(
        a, work, cached,
        [&](const rl_layers_word &, const rl_layers_at &at, const rl_layers_ends &) {
            if (at.swept)
                rl_flow_column(a, at, k);
        },
        [&](int pipe) { rl_flow_cross(a, pipe, k); });
}

RL_DEVICE void rl_capacity_work(const rl_layers_args &a, const rl_part_of_work &work,
                                const rl_cached_word &cached, const rl_pipe_coef &k, int number)
{
    rl_for_work(
        a, work, cached,
        [&](const rl_layers_word &, const rl_layers_at &at, const rl_layers_ends &ends) {
            if (!at.covered)
                return;
            const float limiter = rl_capacity_of(a, at, ends, k, number);
            if (at.swept)
                a.field[RL_COLUMN_INFLOW_LIMITER][at.slot] = limiter;
            const unsigned bits = __ballot_sync(RL_ALL_LANES, at.swept && limiter < 1.0f);
            if (at.lane == 0)
                a.search.limited[at.word] = bits;
        },
        [](int) {});
}

// `ahead` is of the first word.
RL_DEVICE float rl_fill_work(const rl_layers_args &a, const rl_part_of_work &work,
                             const rl_cached_word &cached, const rl_fill_ahead &ahead,
                             const rl_pipe_coef &k)
{
    float deepest = 0.0f;
    rl_for_work(
        a, work, cached,
        [&](const rl_layers_word &word, const rl_layers_at &at, const rl_layers_ends &ends) {
            rl_fill_ahead now = ahead;
            if (at.word != work.first)
                now = rl_read_ahead(a, word, at);
            const float depth = rl_fill_column(a, word, at, ends, now, k);
            deepest = depth > deepest ? depth : deepest;
        },
        [&](int pipe) { rl_fill_cross(a, pipe); });
    return deepest;
}

// Runs the blocks of columns. Words follow one another from block to block, so that each has some
// of the covered ones, which come first.
RL_DEVICE void rl_columns_block(const rl_layers_args &a, rl_layers_grid_barrier *m,
                                rl_layers_progress &progress, const rl_layers_start &start, int due)
{
    const int blocks = (int)gridDim.x - 1, warp = (int)threadIdx.x >> 5;
    const bool books = a.open != 0 && (int)blockIdx.x == blocks - 1;
    const rl_part_of_work work = {warp * blocks + (int)blockIdx.x, blocks * RL_LAYERS_WARPS,
                                  a.word_count, a.word_count + (a.pipe_count + 31) / 32};
    const rl_cached_word cached = rl_cached_word_of(a, work.first < a.word_count ? work.first : 0);
    float spread = 0.0f;
    bool given_up = false;
    rl_begin_frame(a, start, m, due, progress);
#pragma unroll 1
    for (int step = 0; progress.moves && step < start.most_steps; step++) {
        const rl_pipe_coef &k = progress.k;
        const int number = (start.number + step) & RL_STEP_MOST;
        rl_mark_work(a, work, cached, m, progress);
        rl_flow_work(a, work, cached, k);
        if (books && step > 0)
            rl_book_step(a, progress, spread);
        spread = 0.0f;
        given_up = rl_grid_barrier(&m->passed, &due);
        if (given_up)
            break;
        rl_for_work(
            a, work, cached,
            [&](const rl_layers_word &word, const rl_layers_at &at, const rl_layers_ends &ends) {
                rl_limit_column(a, at, ends, k, number);
                if (RL_STRAIGHT(a) && at.covered)
                    rl_clear_inside(a, word, at);
            },
            [&](int pipe) {
                if (RL_STRAIGHT(a) && rl_is_inside(a, a.pipes[pipe]))
                    a.cross_raw[pipe] = 0.0f;
            });
        if (a.covered_count > 0)
            rl_capacity_work(a, work, cached, k, number);
        due += (int)gridDim.x;
        rl_arrive(&m->passed);
        rl_fill_ahead ahead = {};
        if (work.first < work.words)
            ahead = rl_read_ahead(a, cached.word, rl_at(cached.word, work.first));
        given_up = rl_await(&m->passed, due);
        if (given_up)
            break;
        spread = k.spread; // before any thread plans the next step
        rl_gather_deepest_column(rl_fill_work(a, work, cached, ahead, k),
                                 &m->ended[step % 3].deepest);
        rl_end_layers_step(&m->ended[step % 3], progress);
    }
    if (books && spread > 0.0f)
        rl_book_step(a, progress, spread);
    if ((int)blockIdx.x != blocks - 1 || threadIdx.x != 0)
        return;
    *a.control = {
        {progress.controller, __int_as_float(progress.deepest), progress.in, progress.out},
        given_up,
        start.number - 1};
    __threadfence_system();
    reinterpret_cast<volatile rl_layers_control *>(a.control)->number = start.number;
}

// ---- Passages --------------------------------------------------------------------------

// Copies words and cross pipes into shared memory.
RL_DEVICE void rl_begin_passages(const rl_layers_args &a, const rl_find &f)
{
    if (threadIdx.x == 0)
        *f.count = {};
    if (!RL_LAYERS_LARGE) {
        rl_copy_words(a.words, const_cast<rl_layers_word *>(f.words),
                      a.covered_count * (int)(sizeof *a.words / sizeof(int)));
        rl_copy_words(a.pipes, const_cast<rl_layers_pipe *>(f.pipes),
                      a.pipe_count * (int)(sizeof *a.pipes / sizeof(int)));
        rl_copy_words(a.ends_first, const_cast<int *>(f.ends_first), a.crossed_count + 1);
        rl_copy_words(a.search.flooded, f.was, a.covered_count);
        rl_copy_words(&a.ends->end, const_cast<int *>(f.ends), 2 * a.pipe_count,
                      (int)(sizeof *a.ends / sizeof(int)));
    }
    __syncthreads();
}

// Discards a step that was begun: the flooded columns are those of before.
RL_DEVICE void rl_forget_step(const rl_layers_args &a, const rl_find &f)
{
#pragma unroll 1
    for (int n = (int)threadIdx.x; n < a.covered_count; n += RL_LAYERS_BLOCK)
        a.search.flooded[n] = f.old[n];
}

RL_DEVICE void rl_passages_block(const rl_layers_args &a, rl_layers_grid_barrier *m,
                                 rl_layers_progress &progress, const rl_layers_start &start,
                                 int due)
{
    __shared__ rl_counts count;
    const rl_find f = rl_find_in(a, &count);
    const int others = (int)gridDim.x - 1;
    rl_lane_gate cached = {-1, 0, 0, 0};
    if (a.passages)
        rl_begin_passages(a, f);
    if (threadIdx.x == 0)
        a.barriers[1 - start.barrier] = {0, 0, {{0, 0}, {0, 0}, {0, 0}}};
    rl_begin_frame(a, start, m, due, progress);
#pragma unroll 1
    for (int step = 0; progress.moves && step < start.most_steps; step++) {
        rl_begin_plan(progress);
        __syncthreads();
        if (a.passages) {
            rl_await(&m->marked, (step + 1) * others);
            if (!rl_search_passages(a, f, progress.k, &cached)) {
                rl_await(&m->passed, due + others);
                rl_arrive(&m->passed, RL_GIVE_UP);
                break;
            }
            // A warp with little other work waits until all raw discharges are valid.
            if (threadIdx.x == RL_PLANNER)
                rl_await_alone(&m->passed, due + others);
            if (RL_STRAIGHT(a))
                rl_drive_straight(a, f, progress.k);
            else
                rl_drive(f, cached, progress.k);
            rl_write_raw(a, f, cached);
        }
        if (threadIdx.x == 0)
            m->ended[(step + 1) % 3] = {0, 0};
        rl_grid_barrier(&m->passed, &due);
        if (a.passages) {
            rl_await(&m->passed, due + others);
            if (!rl_balance_passages(a, f, cached, progress.k)) {
                rl_forget_step(a, f);
                rl_arrive(&m->passed, RL_GIVE_UP);
                break;
            }
        }
        rl_grid_barrier(&m->passed, &due);
        __syncthreads();
        rl_end_layers_step(&m->ended[step % 3], progress);
    }
#pragma unroll 1
    for (int y = (int)threadIdx.x; y < a.ny; y += RL_LAYERS_BLOCK)
        a.deposits.running_max[y] = -1.0f;
}

static __global__ void __launch_bounds__(RL_LAYERS_BLOCK, 1)
    rl_layers_frame(const __grid_constant__ rl_layers_args a,
                    const __grid_constant__ rl_layers_start start,
                    const __grid_constant__ rl_layers_launch_deposit deposit)
{
    __shared__ rl_layers_progress progress;
    rl_layers_grid_barrier *m = &a.barriers[start.barrier];
    const int due = rl_take_deposits(a, deposit, m);
    if (blockIdx.x != gridDim.x - 1)
        rl_columns_block(a, m, progress, start, due);
    else
        rl_passages_block(a, m, progress, start, due);
}

// ---- Launching -------------------------------------------------------------------------

static int rl_count_blocks(int shared, int *blocks)
{
    int processors = 0, each = 0, together = 0;
    RL_TRY(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
    RL_TRY(cudaDeviceGetAttribute(&together, cudaDevAttrCooperativeLaunch, 0));
    RL_TRY(
        cudaFuncSetAttribute(rl_layers_frame, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    RL_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, rl_layers_frame, RL_LAYERS_BLOCK,
                                                         (size_t)shared));
    if (!together || each < 1 || processors < 2)
        return (int)cudaErrorNotSupported;
    *blocks = processors;
    return 0;
}

static int rl_launch_frame(const rl_layers_args &a, const rl_layers_start &start,
                           const rl_layers_launch_deposit &deposit, int blocks, int shared,
                           cudaStream_t stream)
{
    return (int)rl_launch_together(rl_layers_frame, blocks, RL_LAYERS_BLOCK, (size_t)shared, stream,
                                   a, start, deposit);
}

static const rl_frame_form rl_this_form = {rl_count_blocks, rl_launch_frame};
