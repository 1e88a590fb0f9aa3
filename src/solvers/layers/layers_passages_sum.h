// SPDX-License-Identifier: MIT
// layers_passages_sum.h - sums over the gateways and runs of a passage, in an order that a device
// can keep with 32 threads: terms in chunks of 32, each added up in pairs, then one chunk after the
// other. What a chunk lacks counts as zero.
#pragma once

enum { RL_SUM_TERMS = 32 };

typedef struct rl_chunk_sum {
    double terms[RL_SUM_TERMS], total;
    int count;
} rl_chunk_sum;

static inline void rl_chunk_sum_close(rl_chunk_sum *sum)
{
    for (int n = sum->count; n < RL_SUM_TERMS; n++)
        sum->terms[n] = 0.0;
    for (int half = RL_SUM_TERMS / 2; half > 0; half /= 2)
        for (int n = 0; n < half; n++)
            sum->terms[n] += sum->terms[n + half];
    sum->total += sum->terms[0];
    sum->count = 0;
}

static inline void rl_chunk_sum_begin(rl_chunk_sum *sum)
{
    sum->total = 0.0;
    sum->count = 0;
}

static inline void rl_chunk_sum_add(rl_chunk_sum *sum, double term)
{
    sum->terms[sum->count++] = term;
    if (sum->count == RL_SUM_TERMS)
        rl_chunk_sum_close(sum);
}

static inline double rl_chunk_sum_end(rl_chunk_sum *sum)
{
    if (sum->count > 0)
        rl_chunk_sum_close(sum);
    return sum->total;
}
