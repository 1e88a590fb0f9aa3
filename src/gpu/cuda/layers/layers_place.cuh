// SPDX-License-Identifier: MIT
// layers_place.cuh - the layout of the data of the passages: in shared memory in the small form of
// the kernel, in device memory in the large one.
#pragma once

#include "gpu/cuda/layers/layers_capacity.cuh"

// The data with a fixed place at the beginning of shared memory.
struct rl_small_store {
    double sums[RL_SUM_DOUBLES * RL_SMALL_CHUNKS];
    int run[RL_RUN_NUMBERS * RL_SMALL_RUNS];
    int gate[RL_GATE_NUMBERS * RL_SMALL_GATES];
    int chunk[RL_CHUNK_NUMBERS * RL_SMALL_CHUNKS];
    int limited_column[RL_LIMITED_NUMBERS * RL_SMALL_LIMITED];
};

// Computes the layout of the rest.
static inline rl_layers_layout rl_lay_out_shared(int words, int pipes, int crossed)
{
    rl_layers_layout n;
    const int pipe_words = (pipes + 31) / 32;
    const struct {
        int *place, ints;
    } parts[] = {
        {&n.rims, 4 * words},
        {&n.full, words},
        {&n.was, words},
        {&n.now, words},
        {&n.begins, words},
        {&n.old, words},
        {&n.before, words},
        {&n.gate_before, words},
        {&n.pipe_gates, pipe_words},
        {&n.pipe_joints, pipe_words},
        {&n.pipe_before, pipe_words},
        {&n.ends_first, crossed + 1},
        {&n.ends, 2 * pipes},
        {&n.words, words * (int)(sizeof(rl_layers_word) / 4)},
        {&n.pipes, pipes * (int)(sizeof(rl_layers_pipe) / 4)},
    };
    int64_t at = (int64_t)sizeof(rl_small_store);
    for (const auto &part : parts) {
        *part.place = (int)at;
        at += ((int64_t)part.ints * 4 + 15) / 16 * 16;
        at = at < (1 << 30) ? at : 1 << 30;
    }
    n.end = (int)at;
    return n;
}

#if RL_LAYERS_LARGE
__device__ __forceinline__ rl_find rl_find_in(const rl_layers_args &a, rl_counts *count)
{
    const rl_layers_search &s = a.search;
    rl_find f;
    f.words = a.words;
    f.pipes = a.pipes;
    f.ends_first = a.ends_first;
    f.ends = nullptr;
    f.full = s.full;
    f.was = s.flooded;
    f.now = s.now;
    f.begins = s.begins;
    f.old = s.old;
    f.before = s.before;
    f.rims = s.rims;
    f.gate_before = s.gate_before;
    f.pipe_words = (a.pipe_count + 31) / 32;
    f.pipe_gates = s.pipe_words;
    f.pipe_joints = s.pipe_words + f.pipe_words;
    f.pipe_before = reinterpret_cast<int *>(s.pipe_words) + 2 * f.pipe_words;
    f.run = s.runs;
    f.gate = s.gates;
    f.run_capacity = s.run_capacity;
    f.gate_places = f.chunk_places = s.gate_places;
    f.limited_places = s.limited_places;
    f.sums = reinterpret_cast<double *>(s.chunks);
    f.chunk = s.chunks + 2 * RL_SUM_DOUBLES * f.chunk_places;
    f.limited_column = s.limited_columns;
    f.count = count;
    return f;
}
#else
template <typename T> __device__ __forceinline__ T *rl_shared_at(int place)
{
    extern __shared__ __align__(16) char memory[];
    return reinterpret_cast<T *>(memory + place);
}

__device__ __forceinline__ rl_find rl_find_in(const rl_layers_args &a, rl_counts *count)
{
    rl_small_store *store = rl_shared_at<rl_small_store>(0);
    const rl_layers_layout &n = a.layout;
    rl_find f;
    f.words = rl_shared_at<rl_layers_word>(n.words);
    f.pipes = rl_shared_at<rl_layers_pipe>(n.pipes);
    f.ends_first = rl_shared_at<int>(n.ends_first);
    f.ends = rl_shared_at<int>(n.ends);
    f.full = rl_shared_at<unsigned>(n.full);
    f.was = rl_shared_at<unsigned>(n.was);
    f.now = rl_shared_at<unsigned>(n.now);
    f.begins = rl_shared_at<unsigned>(n.begins);
    f.old = rl_shared_at<unsigned>(n.old);
    f.before = rl_shared_at<int>(n.before);
    f.rims = rl_shared_at<uint4>(n.rims);
    f.gate_before = rl_shared_at<int>(n.gate_before);
    f.pipe_words = (a.pipe_count + 31) / 32;
    f.pipe_gates = rl_shared_at<unsigned>(n.pipe_gates);
    f.pipe_joints = rl_shared_at<unsigned>(n.pipe_joints);
    f.pipe_before = rl_shared_at<int>(n.pipe_before);
    f.run = store->run;
    f.gate = store->gate;
    f.sums = store->sums;
    f.chunk = store->chunk;
    f.limited_column = store->limited_column;
    f.count = count;
    return f;
}
#endif
