// SPDX-License-Identifier: MIT
// emulated_threads.cpp - runs grids: which fiber goes on when one has to wait, and when all of a
// block or a warp have arrived.
//
// Fibers of one warp run as long as one of them can, then those of the next warp: what they have
// on their stacks stays in the cache. Blocks of a cooperative grid are all there at once, and a
// fiber that polls lets the next warp run, of whichever block.
#include "tests/gpu/emulator/cuda_runtime.h"

#include "tests/gpu/emulator/cuda_pipeline.h"
#include "tests/gpu/emulator/emulated_stack.h"

#include <cstdio>
#include <mutex>
#include <vector>

rl_emulated_thread *rl_self;
dim3 gridDim, blockDim;

const char rl_emulated_shuffle[] = "a shuffle";
const char rl_emulated_vote[] = "a vote";
const char rl_emulated_join[] = "__syncwarp";

// An asynchronous copy that has begun.
struct rl_emulated_copy {
    void *to;
    const void *from;
    size_t bytes;
    unsigned batch;
};

// The grid that runs: the blocks that are there at once, and their warps and threads.
static struct {
    std::vector<rl_emulated_block> blocks;
    std::vector<rl_emulated_warp> warps;
    std::vector<rl_emulated_thread> threads;
    std::vector<rl_emulated_copy> copies;
    size_t warps_of_block, threads_of_block, alive;
    const std::function<void()> *body;
    void *host; // where the host goes on
    bool backwards;
} grid;

[[noreturn]] static void fail(const char *what)
{
    std::fprintf(stderr, "emulator: %s\n", what);
    for (const rl_emulated_warp &w : grid.warps)
        if (w.alive != 0)
            std::fprintf(
                stderr,
                "  block %u, warp %d: lanes %08x; at the barrier of the block %08x, in %s %08x\n",
                w.block->index.x, (int)(&w - w.block->first_warp), w.alive, w.at_barrier,
                w.arrived != 0 ? w.operation : "no operation", w.arrived);
    std::abort();
}

[[noreturn]] void rl_emulated_mismatch(const char *operation, unsigned mask)
{
    std::fprintf(stderr, "emulator: lane %d comes to %s of lanes %08x, other lanes to %s of %08x\n",
                 rl_self->lane, operation, mask, rl_self->warp->operation, rl_self->warp->mask);
    fail("lanes of a warp meet in different operations");
}

// ---- Who is next -----------------------------------------------------------------------

// Returns the lane of a warp that is next after the one that ran last, or NULL.
static rl_emulated_thread *next_lane(rl_emulated_warp *w)
{
    const unsigned ready = w->ready;
    if (ready == 0)
        return nullptr;
    const unsigned below = (1u << w->last) - 1;
    if (grid.backwards) {
        const unsigned before = ready & below;
        w->last = 31 - __builtin_clz(before != 0 ? before : ready);
    } else {
        const unsigned after = ready & ~(below << 1 | 1);
        w->last = __builtin_ctz(after != 0 ? after : ready);
    }
    return &w->lanes[w->last];
}

// Returns a thread of the next warp that has one that can go on; the last to be asked is `from`.
static rl_emulated_thread *next_warp(const rl_emulated_warp *from)
{
    const size_t count = grid.warps.size(), here = (size_t)(from - grid.warps.data());
    for (size_t n = 1; n <= count; n++) {
        const size_t at = here + (grid.backwards ? count - n : n);
        rl_emulated_thread *next = next_lane(&grid.warps[at % count]);
        if (next != nullptr)
            return next;
    }
    return nullptr;
}

// ---- Fibers ----------------------------------------------------------------------------

static void begin_fiber();

// Lets `next` run instead of the running thread, or of the host.
static void change_to(rl_emulated_thread *next, bool ends)
{
    rl_emulated_thread *before = rl_self;
    if (next == before)
        return;
    if (next->stack == nullptr) {
        next->stack = rl_emulated_take_stack();
        next->stack_pointer = rl_emulated_prepare_stack(next->stack, begin_fiber);
    }
    rl_self = next;
    rl_emulated_change_stack(before != nullptr ? &before->stack_pointer : &grid.host,
                             next->stack_pointer, next->stack, ends);
}

// Returns the thread that goes on when the running one cannot, or NULL at the end of the grid.
static rl_emulated_thread *next_thread()
{
    rl_emulated_thread *next = next_lane(rl_self->warp);
    if (next == nullptr)
        next = next_warp(rl_self->warp);
    if (next == nullptr && grid.alive > 0)
        fail("all threads wait for others");
    return next;
}

void rl_emulated_wait()
{
    change_to(next_thread(), false);
}

void rl_emulated_poll()
{
    change_to(next_warp(rl_self->warp), false);
}

static void open_barrier(rl_emulated_block *b)
{
    b->arrived = 0;
    b->generation++;
    for (size_t n = 0; n < grid.warps_of_block; n++) {
        b->first_warp[n].ready |= b->first_warp[n].at_barrier;
        b->first_warp[n].at_barrier = 0;
    }
}

unsigned rl_emulated_barrier(bool vote)
{
    rl_emulated_warp *w = rl_self->warp;
    rl_emulated_block *b = w->block;
    const unsigned place = b->generation & 1;
    b->any[place] = vote || (b->arrived > 0 && b->any[place]);
    b->all[place] = vote && (b->arrived == 0 || b->all[place]);
    w->at_barrier |= 1u << rl_self->lane;
    w->ready &= ~(1u << rl_self->lane);
    if (++b->arrived == b->alive)
        open_barrier(b);
    else
        rl_emulated_wait();
    return place;
}

// The running thread has returned. Those that wait may have waited for it alone.
static void leave()
{
    rl_emulated_warp *w = rl_self->warp;
    rl_emulated_block *b = w->block;
    w->alive &= ~(1u << rl_self->lane);
    w->ready &= ~(1u << rl_self->lane);
    if (w->arrived != 0 && w->arrived == (w->mask & w->alive))
        rl_emulated_complete(w);
    grid.alive--;
    if (--b->alive > 0 && b->arrived == b->alive)
        open_barrier(b);
}

// Runs one thread after another as long as the next one has not begun: where threads never wait,
// one stack is enough for all.
static void begin_fiber()
{
    rl_emulated_begin_stack();
    for (;;) {
        (*grid.body)();
        leave();
        rl_emulated_thread *own = rl_self, *next = next_thread();
        if (next != nullptr && next->stack == nullptr) {
            next->stack = own->stack;
            rl_self = next;
            continue;
        }
        rl_emulated_give_stack(own->stack);
        if (next != nullptr)
            change_to(next, true);
        rl_self = nullptr;
        rl_emulated_change_stack(&own->stack_pointer, grid.host, nullptr, true);
    }
}

// ---- Shared variables and copies -------------------------------------------------------

void *rl_emulated_slot::make()
{
    static int count;
    if (number < 0 && count == RL_EMULATED_SLOTS)
        fail("there are more than RL_EMULATED_SLOTS shared variables");
    if (number < 0)
        number = count++;
    void *place = std::malloc(bytes);
    std::memset(place, RL_EMULATED_GARBAGE, bytes);
    return rl_self->warp->block->slots[number] = place;
}

void rl_emulated_copy_later(void *to, const void *from, size_t bytes)
{
    rl_emulated_thread *t = rl_self;
    if (grid.copies.empty())
        grid.copies.resize(RL_EMULATED_COPIES * grid.threads.size());
    if (t->copy_count == RL_EMULATED_COPIES)
        fail("a thread has begun more than RL_EMULATED_COPIES asynchronous copies");
    std::memset(to, RL_EMULATED_GARBAGE, bytes);
    rl_emulated_copy *own = &grid.copies[RL_EMULATED_COPIES * (size_t)(t - grid.threads.data())];
    own[t->copy_count++] = {to, from, bytes, t->batch};
}

void rl_emulated_make_copies(unsigned batches)
{
    rl_emulated_thread *t = rl_self;
    if (t->copy_count == 0)
        return;
    rl_emulated_copy *own = &grid.copies[RL_EMULATED_COPIES * (size_t)(t - grid.threads.data())];
    int left = 0;
    for (int n = 0; n < t->copy_count; n++)
        if (t->batch - own[n].batch > batches)
            std::memcpy(own[n].to, own[n].from, own[n].bytes);
        else
            own[left++] = own[n];
    t->copy_count = left;
}

// ---- Grids -----------------------------------------------------------------------------

// Makes block `number` of the grid the one that is there at place `at`.
static void begin_block(const rl_emulated_launch &launch, size_t at, size_t number)
{
    rl_emulated_block *b = &grid.blocks[at];
    *b = {};
    b->first_warp = &grid.warps[at * grid.warps_of_block];
    b->index = {(unsigned)(number % launch.grid.x),
                (unsigned)(number / launch.grid.x % launch.grid.y),
                (unsigned)(number / launch.grid.x / launch.grid.y)};
    b->alive = (unsigned)grid.threads_of_block;
    grid.alive += grid.threads_of_block;
    b->dynamic_memory = (char *)std::malloc(launch.shared);
    std::memset(b->dynamic_memory, RL_EMULATED_GARBAGE, launch.shared);
    for (size_t n = 0; n < grid.warps_of_block; n++) {
        rl_emulated_warp *w = &b->first_warp[n];
        *w = {};
        w->block = b;
        w->lanes = &grid.threads[at * grid.threads_of_block + n * RL_EMULATED_LANES];
        w->last = grid.backwards ? 0 : RL_EMULATED_LANES - 1;
    }
    for (size_t n = 0; n < grid.threads_of_block; n++) {
        rl_emulated_warp *w = &b->first_warp[n / RL_EMULATED_LANES];
        rl_emulated_thread *t = &grid.threads[at * grid.threads_of_block + n];
        *t = {};
        t->warp = w;
        t->lane = (int)(n % RL_EMULATED_LANES);
        t->index = {(unsigned)(n % launch.block.x), (unsigned)(n / launch.block.x % launch.block.y),
                    (unsigned)(n / launch.block.x / launch.block.y)};
        w->alive |= 1u << t->lane;
        w->ready |= 1u << t->lane;
    }
}

static void end_block(rl_emulated_block *b)
{
    std::free(b->dynamic_memory);
    for (void *place : b->slots)
        std::free(place);
}

// Every other launch runs backwards, at odd intervals so that it is not always the same kernel;
// RILL_EMULATOR_ORDER is for those who look for a mistake.
static bool runs_backwards()
{
    static unsigned launches;
    const char *order = std::getenv("RILL_EMULATOR_ORDER");
    const bool turns = __builtin_parity(launches++);
    return order == nullptr ? turns : std::strcmp(order, "backwards") == 0;
}

void rl_emulated_run(const rl_emulated_launch &launch, const std::function<void()> &body)
{
    static std::mutex one_at_a_time;
    const std::lock_guard<std::mutex> guard(one_at_a_time);
    const size_t blocks = (size_t)launch.grid.x * launch.grid.y * launch.grid.z;
    const size_t there = launch.together ? blocks : 1;
    grid.backwards = runs_backwards();
    grid.threads_of_block = (size_t)launch.block.x * launch.block.y * launch.block.z;
    grid.warps_of_block = (grid.threads_of_block + RL_EMULATED_LANES - 1) / RL_EMULATED_LANES;
    grid.blocks.resize(there);
    grid.warps.resize(there * grid.warps_of_block);
    grid.threads.resize(there * grid.threads_of_block);
    grid.copies.clear();
    grid.body = &body;
    gridDim = launch.grid;
    blockDim = launch.block;
    for (size_t n = 0; n < blocks; n += there) {
        for (size_t at = 0; at < there; at++)
            begin_block(launch, at, grid.backwards ? blocks - 1 - n - at : n + at);
        change_to(next_warp(grid.backwards ? grid.warps.data() : &grid.warps.back()), false);
        for (rl_emulated_block &b : grid.blocks)
            end_block(&b);
    }
}
