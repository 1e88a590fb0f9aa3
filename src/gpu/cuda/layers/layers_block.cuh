// SPDX-License-Identifier: MIT
// layers_block.cuh - grid barriers, and the cooperation of a block: counting in order, groups, sums
// in a fixed order.
#pragma once

#include "gpu/cuda/layers/layers_args.cuh"

#if !defined(RL_LAYERS_LARGE)
#define RL_LAYERS_LARGE 0 // see layers_store.cuh
#endif

// Only the large form has straight pipes.
#define RL_STRAIGHT(a) (RL_LAYERS_LARGE && (a).straight)

// ---- Grid barriers ---------------------------------------------------------------------

// Counts up after all that its block wrote before.
__device__ __forceinline__ void rl_release(int *counter, int count)
{
#if defined(__CUDA_ARCH__)
    asm volatile("red.release.gpu.global.add.s32 [%0], %1;" ::"l"(counter), "r"(count) : "memory");
#else
    __threadfence();
    atomicAdd(counter, count);
#endif
}

// Reads a counter; all later reads are no older.
__device__ __forceinline__ int rl_acquire(const int *counter)
{
    int count;
#if defined(__CUDA_ARCH__)
    asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(count) : "l"(counter) : "memory");
#else
    count = *(const volatile int *)counter;
    __threadfence();
    __nanosleep(20);
#endif
    return count;
}

// Does the same for both numbers of the end of a step.
__device__ __forceinline__ rl_layers_ended rl_acquire_end(const rl_layers_ended *ended)
{
    rl_layers_ended seen;
#if defined(__CUDA_ARCH__)
    unsigned long long both;
    asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(both) : "l"(ended) : "memory");
    seen.passed = (int)both;
    seen.deepest = (int)(both >> 32);
#else
    seen = *ended;
#endif
    return seen;
}

// The kernel is launched as a cooperative one: all its blocks run at once, so none waits for ever.
// Other blocks that waited for it see what a block wrote before it arrived.
__device__ __forceinline__ void rl_arrive(int *counter, int count = 1)
{
    __syncthreads();
    if (threadIdx.x == 0)
        rl_release(counter, count);
}

// A block that counts this much up signals that the step cannot be taken.
#define RL_GIVE_UP (1 << 28)

// Runs on one thread, after which its block must synchronise.
__device__ __forceinline__ int rl_await_alone(const int *counter, int count)
{
    int seen;
    do
        seen = rl_acquire(counter);
    while (seen < count);
    return seen;
}

// Returns whether the step was given up.
__device__ __forceinline__ bool rl_await(const int *counter, int count)
{
    const int seen = threadIdx.x == 0 ? rl_await_alone(counter, count) : 0;
    return __syncthreads_or(seen >= RL_GIVE_UP);
}

// Returns whether the step was given up.
__device__ __forceinline__ bool rl_grid_barrier(int *counter, int *due)
{
    *due += (int)gridDim.x;
    rl_arrive(counter);
    return rl_await(counter, *due);
}

// ---- Outflow limiters ------------------------------------------------------------------

// Both numbers of a limiter are written together, past the first-level cache.
__device__ __forceinline__ void rl_publish_limiter(rl_layers_limiter *place, float limiter,
                                                   int step)
{
    *reinterpret_cast<volatile unsigned long long *>(place) =
        (unsigned long long)(unsigned)step << 32 | (unsigned)__float_as_int(limiter);
}

__device__ __forceinline__ rl_layers_limiter rl_read_limiter(const rl_layers_limiter *place)
{
    const unsigned long long both = *reinterpret_cast<const volatile unsigned long long *>(place);
    return {__int_as_float((int)(unsigned)both), (int)(both >> 32)};
}

// ---- Memory ----------------------------------------------------------------------------

#define RL_COPIED_AT_ONCE 16

// Copies whole words by all threads of a block; `from` is device memory and `step` words apart.
__device__ __forceinline__ void rl_copy_words(const void *from, void *to, int words, int step = 1)
{
#pragma unroll 1
    for (int n = (int)threadIdx.x; n < words; n += RL_COPIED_AT_ONCE * RL_LAYERS_BLOCK) {
        int next[RL_COPIED_AT_ONCE];
#pragma unroll
        for (int k = 0; k < RL_COPIED_AT_ONCE; k++)
            if (n + k * RL_LAYERS_BLOCK < words)
                next[k] = reinterpret_cast<const int *>(from)[step * (n + k * RL_LAYERS_BLOCK)];
#pragma unroll
        for (int k = 0; k < RL_COPIED_AT_ONCE; k++)
            if (n + k * RL_LAYERS_BLOCK < words)
                reinterpret_cast<int *>(to)[n + k * RL_LAYERS_BLOCK] = next[k];
    }
}

// ---- Counting up -----------------------------------------------------------------------

// Two numbers that are added up side by side: neither overflows.
typedef unsigned long long rl_two;

// Returns the sum of the values of all threads before this one; `total` is that of all.
__device__ __forceinline__ rl_two rl_sum_before(rl_two value, rl_two *total)
{
    __shared__ rl_two sums[32];
    const int lane = (int)threadIdx.x & 31, warp = (int)threadIdx.x >> 5;
    const rl_two upto = rl_sum_up_to(value);
    __syncthreads(); // other threads may be reading `sums`
    if (lane == 31)
        sums[warp] = upto;
    __syncthreads();
    const rl_two all = rl_sum_up_to(lane < RL_LAYERS_WARPS ? sums[lane] : rl_two(0));
    *total = __shfl_sync(RL_ALL_LANES, all, 31);
    const rl_two before = __shfl_sync(RL_ALL_LANES, all, (warp + 31) & 31);
    return (warp > 0 ? before : 0) + upto - value;
}

// ---- Sums ------------------------------------------------------------------------------

// Sums over a warp's lanes, several at once: half of them in each half of the lanes, and so on. The
// terms of each are added up in pairs as by rl_chunk_sum of the host, with few exchanges, of which
// a processor makes only one at a time. Lanes from 32 / N n on have sum n.
template <typename T, int N> __device__ __forceinline__ T rl_sum_side_by_side(T (&terms)[N])
{
    static_assert(N == 1 || N == 2 || N == 4 || N == 8, "lanes are halved");
    int many = N / 2;
#pragma unroll
    for (int step = 16; step > 0; step /= 2, many /= 2) {
        const bool upper = (int)threadIdx.x & step;
        if (many == 0)
            terms[0] += __shfl_xor_sync(RL_ALL_LANES, terms[0], step);
#pragma unroll
        for (int n = 0; n < many; n++) {
            const T own = upper ? terms[n + many] : terms[n];
            const T give = upper ? terms[n] : terms[n + many];
            terms[n] = own + __shfl_xor_sync(RL_ALL_LANES, give, step);
        }
    }
    return terms[0];
}

// ---- Groups ----------------------------------------------------------------------------

// The gateways of a passage lie one behind the other, in their order, and are handled in chunks of
// up to 32 by a warp each. The chunks of a passage follow one another. The data of a passage are
// stored with its first chunk, the head.
enum { RL_CHUNK_FIRST, RL_CHUNK_COUNT, RL_CHUNK_HEAD, RL_CHUNK_GROUP, RL_CHUNK_NUMBERS };
