// SPDX-License-Identifier: MIT
// fft.c - the plan of a transform, and its division into tasks. Columns are transformed first, then
// rows, sixteen at a time (waves/fft_rows.h).
#include "waves/fft.h"

#include "core/assert.h"
#include "core/owned.h"
#include "waves/fft_rows.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

// There are at most so many tasks, each with a scratch for one tile. A task takes the first scratch
// that is free: a single thread uses the same one again and again, which stays in its cache.
#define MAX_TASKS 16

#define TURN 6.283185307179586

struct rl_fft {
    rl_owned own;
    const rl_fft_rows *table;
    rl_fft_plan plan;
    float *twiddles;
    int *orders;
    float *scratch;
    size_t scratch_floats; // of one task
    int tasks;
    atomic_uint taken; // bit t: scratch t is in use

    // Of the transform that is running.
    float *real, *imaginary;
    rl_fft_lines *lines;
};

// ---- The plan ------------------------------------------------------------------------------

// Number of floats that the twiddles of all passes take.
static size_t twiddle_count(int size)
{
    size_t count = 0;
    for (int block = size; block >= 4; block /= 4)
        count += 6 * (size_t)(block / 4);
    return count;
}

static void fill_twiddles(rl_fft_plan *plan, float *twiddles)
{
    int block = plan->size;
    for (int pass = 0; pass < plan->passes4; pass++, block /= 4) {
        plan->twiddles[pass] = twiddles;
        for (int j = 0; j < block / 4; j++)
            for (int power = 1; power <= 3; power++) {
                const double angle = TURN * (double)(j * power) / block;
                *twiddles++ = (float)cos(angle);
                *twiddles++ = (float)sin(angle);
            }
    }
}

// A pass of radix r over a block leaves the frequencies r m + f of the block in its part f, so
// place p = f0 (size/r0) + f1 (size/(r0 r1)) + ... holds frequency f0 + r0 f1 + r0 r1 f2 + ...
static void fill_orders(const rl_fft_plan *plan, int *frequency, int *place)
{
    for (int p = 0; p < plan->size; p++) {
        int left = p, weight = 1, f = 0, block = plan->size;
        while (block > 1) {
            const int radix = block >= 4 ? 4 : 2, part = block / radix;
            f += left / part * weight;
            left %= part;
            weight *= radix;
            block = part;
        }
        frequency[p] = f;
        place[f] = p;
    }
}

static void make_plan(rl_fft *fft)
{
    rl_fft_plan *plan = &fft->plan;
    int block = plan->size;
    for (; block >= 4; block /= 4)
        plan->passes4++;
    plan->pass2 = block == 2;
    fill_twiddles(plan, fft->twiddles);
    fill_orders(plan, fft->orders, fft->orders + plan->size);
    plan->frequency = fft->orders;
    plan->place = fft->orders + plan->size;
}

rl_fft *rl_fft_create(const rill_allocator *allocator, int size, rl_isa isa)
{
    RL_ASSERT(size >= 2 && size <= RL_FFT_MAX_SIZE && (size & (size - 1)) == 0);
    rl_fft *fft = rl_owned_create(allocator, sizeof *fft);
    if (fft == NULL)
        return NULL;
    fft->table = RL_ROWS_OF(isa, rl_fft_rows);
    fft->plan.size = size;
    const int tiles = size / RL_FFT_TILE;
    fft->tasks = tiles < 1 ? 1 : (tiles < MAX_TASKS ? tiles : MAX_TASKS);
    fft->scratch_floats = 2 * RL_FFT_SCRATCH_HALF(size);
    fft->twiddles = rl_owned_take(&fft->own, twiddle_count(size) + 6, sizeof(float));
    fft->orders = rl_owned_take(&fft->own, 2 * (size_t)size, sizeof(int));
    fft->scratch =
        rl_owned_take(&fft->own, (size_t)fft->tasks * fft->scratch_floats, sizeof(float));
    if (fft->own.failed) {
        rl_fft_destroy(&fft);
        return NULL;
    }
    make_plan(fft);
    return fft;
}

void rl_fft_destroy(rl_fft **fft)
{
    void *object = *fft;
    rl_owned_destroy(NULL, &object);
    *fft = NULL;
}

size_t rl_fft_memory(const rl_fft *fft)
{
    return fft == NULL ? 0 : rl_owned_memory(fft);
}

// ---- The transform -------------------------------------------------------------------------

// There are never more tasks at once than there are scratches.
static int take_scratch(rl_fft *fft)
{
    unsigned taken = atomic_load_explicit(&fft->taken, memory_order_relaxed);
    for (;;) {
        int slot = 0;
        while (taken >> slot & 1u)
            slot++;
        if (atomic_compare_exchange_weak_explicit(&fft->taken, &taken, taken | 1u << slot,
                                                  memory_order_acquire, memory_order_relaxed))
            return slot;
    }
}

static void give_scratch(rl_fft *fft, int slot)
{
    RL_ASSERT(slot < fft->tasks);
    atomic_fetch_and_explicit(&fft->taken, ~(1u << slot), memory_order_release);
}

static void transform_task(void *context, int task)
{
    rl_fft *fft = context;
    const int tiles = fft->plan.size / RL_FFT_TILE;
    const int first = tiles * task / fft->tasks, end = tiles * (task + 1) / fft->tasks;
    const int slot = take_scratch(fft);
    float *scratch = fft->scratch + (size_t)slot * fft->scratch_floats;
    for (int tile = first; tile < end; tile++)
        fft->lines(&fft->plan, fft->real, fft->imaginary, tile * RL_FFT_TILE, scratch);
    give_scratch(fft, slot);
}

// Transforms one line of `size` points, `stride` floats apart, as a plain sum, in squares smaller
// than a tile.
static void sum_line(const rl_fft *fft, float *real, float *imaginary, size_t stride)
{
    const size_t size = (size_t)fft->plan.size;
    double re[RL_FFT_TILE] = {0}, im[RL_FFT_TILE] = {0};
    for (size_t x = 0; x < size; x++)
        for (size_t k = 0; k < size; k++) {
            const double angle = TURN * (double)(k * x % size) / (double)size;
            const double c = cos(angle), s = sin(angle);
            const double a = (double)real[k * stride], b = (double)imaginary[k * stride];
            re[x] += a * c - b * s;
            im[x] += a * s + b * c;
        }
    for (size_t x = 0; x < size; x++) {
        real[x * stride] = (float)re[x];
        imaginary[x * stride] = (float)im[x];
    }
}

void rl_fft_inverse(rl_fft *fft, rl_jobs *jobs, float *real, float *imaginary)
{
    const size_t size = (size_t)fft->plan.size;
    if (fft->plan.size < RL_FFT_TILE) {
        for (size_t i = 0; i < size; i++)
            sum_line(fft, real + i, imaginary + i, size);
        for (size_t j = 0; j < size; j++)
            sum_line(fft, real + j * size, imaginary + j * size, 1);
        return;
    }
    fft->real = real;
    fft->imaginary = imaginary;
    fft->lines = fft->table->columns;
    rl_jobs_run(jobs, fft->tasks, transform_task, fft);
    fft->lines = fft->table->rows;
    rl_jobs_run(jobs, fft->tasks, transform_task, fft);
}
