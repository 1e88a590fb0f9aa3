// SPDX-License-Identifier: MIT
// bits.h - sets as bits of words.
#pragma once

#include <stdint.h>

// Which bit is the lowest that is set; one is.
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
