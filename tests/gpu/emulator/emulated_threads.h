// SPDX-License-Identifier: MIT
// emulated_threads.h - the threads of a grid, as fibers of one thread of the host, and what they do
// together: barriers of a block, shuffles and votes of a warp, shared variables, asynchronous
// copies.
//
// A fiber runs until it has to wait, or polls (__nanosleep). About every other launch
// the last threads come first, which shows results that depend on the order; a failure comes again,
// since nothing is left to chance. RILL_EMULATOR_ORDER=forwards or backwards makes all launches
// alike. What CUDA leaves undefined is made visible: shuffles from lanes that do not take part,
// shared variables that no thread has written and copies that no thread has waited for give
// garbage, and lanes that meet in different operations end the program with a message.
#pragma once

#define RL_EMULATED_LANES   32
#define RL_EMULATED_GARBAGE 0xf7 // byte of what nobody has written
#define RL_EMULATED_SLOTS   96   // shared variables of the whole program
#define RL_EMULATED_COPIES  64   // asynchronous copies of a thread at a time

struct rl_emulated_block {
    struct rl_emulated_warp *first_warp;
    uint3 index;
    unsigned alive, arrived; // threads: those that have not returned, and those at the barrier
    unsigned generation;     // of the barrier
    bool any[2], all[2];     // votes of the threads at it, by even and odd generations
    char *dynamic_memory;
    void *slots[RL_EMULATED_SLOTS]; // shared variables, or NULL before their first use
};

struct rl_emulated_warp {
    rl_emulated_block *block;
    struct rl_emulated_thread *lanes;
    unsigned alive, ready; // lanes that have not returned, and those that can go on
    unsigned at_barrier;   // lanes that wait for their block,
    unsigned arrived;      // and for the other lanes: in an operation, and which lanes it needs
    unsigned mask;
    const char *operation;
    unsigned generation;                  // of the operations
    unsigned took[2];                     // lanes that took part, by even and odd generations,
    uint64_t given[2][RL_EMULATED_LANES]; // and what they gave
    int last;                             // lane that ran last
};

struct rl_emulated_thread {
    void *stack_pointer;             // where it goes on
    struct rl_emulated_stack *stack; // NULL: it has not begun
    rl_emulated_warp *warp;
    int lane;
    uint3 index;
    unsigned batch; // of asynchronous copies
    int copy_count;
};

extern rl_emulated_thread *rl_self; // the running one
extern dim3 gridDim, blockDim;

#define threadIdx (rl_self->index)
#define blockIdx  (rl_self->warp->block->index)

// ---- Waiting ---------------------------------------------------------------------------

// Lets other threads run until the running one is ready again.
void rl_emulated_wait();
// Lets one thread of every other warp run.
void rl_emulated_poll();
// Waits for all threads of the block that have not returned; returns the place of the votes.
unsigned rl_emulated_barrier(bool vote);
// Ends the program: the lanes of a warp meet in different operations.
[[noreturn]] void rl_emulated_mismatch(const char *operation, unsigned mask);

static inline void __nanosleep(unsigned)
{
    rl_emulated_poll();
}

static inline void __syncthreads()
{
    rl_emulated_barrier(false);
}

static inline int __syncthreads_or(int vote)
{
    const unsigned place = rl_emulated_barrier(vote != 0);
    return rl_self->warp->block->any[place];
}

static inline int __syncthreads_and(int vote)
{
    const unsigned place = rl_emulated_barrier(vote != 0);
    return rl_self->warp->block->all[place];
}

// ---- Warps -----------------------------------------------------------------------------

// The lanes that have arrived are all there are.
static inline void rl_emulated_complete(rl_emulated_warp *w)
{
    w->took[w->generation++ & 1] = w->arrived;
    w->ready |= w->arrived;
    w->arrived = 0;
}

// Gives a value to the other lanes and waits for theirs; returns the place of the values. No lane
// can be two operations ahead, so two places are enough.
static inline unsigned rl_emulated_meet(const char *operation, unsigned mask, uint64_t value)
{
    rl_emulated_warp *w = rl_self->warp;
    const unsigned bit = 1u << rl_self->lane, place = w->generation & 1;
    if (w->arrived == 0) {
        w->operation = operation;
        w->mask = mask;
    } else if (w->operation != operation || w->mask != mask) {
        rl_emulated_mismatch(operation, mask);
    }
    w->given[place][rl_self->lane] = value;
    w->arrived |= bit;
    if (w->arrived == (mask & w->alive)) {
        rl_emulated_complete(w);
    } else {
        w->ready &= ~bit;
        rl_emulated_wait();
    }
    return place;
}

extern const char rl_emulated_shuffle[], rl_emulated_vote[], rl_emulated_join[];

template <typename T> static inline T rl_emulated_exchange(unsigned mask, T value, int from)
{
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "a shuffle moves words");
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    const unsigned place = rl_emulated_meet(rl_emulated_shuffle, mask, bits);
    const rl_emulated_warp *w = rl_self->warp;
    if (w->took[place] >> from & 1)
        std::memcpy(&value, &w->given[place][from], sizeof value);
    else
        std::memset(&value, RL_EMULATED_GARBAGE, sizeof value);
    return value;
}

template <typename T> static inline T __shfl_sync(unsigned mask, T value, int from)
{
    return rl_emulated_exchange(mask, value, from & (RL_EMULATED_LANES - 1));
}

template <typename T> static inline T __shfl_up_sync(unsigned mask, T value, unsigned way)
{
    const int lane = rl_self->lane, from = lane - (int)way;
    return rl_emulated_exchange(mask, value, from >= 0 ? from : lane);
}

template <typename T> static inline T __shfl_down_sync(unsigned mask, T value, unsigned way)
{
    const int lane = rl_self->lane, from = lane + (int)way;
    return rl_emulated_exchange(mask, value, from < RL_EMULATED_LANES ? from : lane);
}

template <typename T> static inline T __shfl_xor_sync(unsigned mask, T value, int bits)
{
    return rl_emulated_exchange(mask, value, rl_self->lane ^ bits);
}

static inline unsigned __ballot_sync(unsigned mask, int vote)
{
    const unsigned place = rl_emulated_meet(rl_emulated_vote, mask, vote != 0);
    const rl_emulated_warp *w = rl_self->warp;
    unsigned all = 0;
    for (unsigned left = w->took[place]; left != 0; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        all |= (unsigned)w->given[place][lane] << lane;
    }
    return all;
}

static inline int __any_sync(unsigned mask, int vote)
{
    return __ballot_sync(mask, vote) != 0;
}

static inline int __all_sync(unsigned mask, int vote)
{
    return __ballot_sync(mask, !vote) == 0;
}

static inline void __syncwarp()
{
    rl_emulated_meet(rl_emulated_join, 0xffffffffu, 0);
}

// ---- Shared variables ------------------------------------------------------------------

// translate.py makes a static one of these of each shared variable, and a reference to the
// variable of the block that runs.
struct rl_emulated_slot {
    size_t bytes;
    int number;

    explicit constexpr rl_emulated_slot(size_t size) : bytes(size), number(-1)
    {
    }

    void *find()
    {
        void *place = number >= 0 ? rl_self->warp->block->slots[number] : nullptr;
        return place != nullptr ? place : make();
    }

    void *make();
};

// Returns the memory whose size a launch gives.
static inline void *rl_emulated_dynamic_memory()
{
    return rl_self->warp->block->dynamic_memory;
}
