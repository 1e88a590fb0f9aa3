// SPDX-License-Identifier: MIT
// bits.h - flags that lie in the bits of a word.
#pragma once

#include <stdint.h>

// Returns the number of the lowest bit that is set; at least one must be.
static inline int rl_bits_lowest(uint64_t word)
{
#if defined(__GNUC__)
    return __builtin_ctzll(word);
#else
    int n = 0;
    while (!(word >> n & 1))
        n++;
    return n;
#endif
}
