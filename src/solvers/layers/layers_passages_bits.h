// SPDX-License-Identifier: MIT
// layers_passages_bits.h - rows of columns as bits, 64 to a word; for the search of passages.
#pragma once

#include "core/flags.h"

// The word with its lowest bit alone.
static inline uint64_t rl_bits_first(uint64_t word)
{
    return word & (~word + 1);
}

// Sums in pairs, in fours, in bytes; the product adds the bytes.
static inline int rl_bits_count(uint64_t word)
{
    word -= word >> 1 & 0x5555555555555555u;
    word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
    word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (int)(word * 0x0101010101010101u >> 56);
}

// Word w of a row in which every bit has moved to the next, or to the one before.
static inline uint64_t rl_bits_from_west(const uint64_t *row, int w)
{
    return row[w] << 1 | (w > 0 ? row[w - 1] >> 63 : 0);
}

static inline uint64_t rl_bits_from_east(const uint64_t *row, int w, int words)
{
    return row[w] >> 1 | (w + 1 < words ? row[w + 1] << 63 : 0);
}

// The bits [first, end) of a row that lie in word w.
static inline uint64_t rl_bits_mask(int w, int first, int end)
{
    const int low = first - 64 * w, high = end - 64 * w;
    uint64_t mask = ~(uint64_t)0;
    if (low > 0)
        mask = low < 64 ? mask << low : 0;
    if (high < 64)
        mask &= high > 0 ? ~(~(uint64_t)0 << high) : 0;
    return mask;
}

// Bytes of 0 and 1 to bits, eight at a time: the product gathers their low bits in its top byte.
static inline void rl_bits_pack(const uint8_t *bytes, int words, uint64_t *bits)
{
    for (int w = 0; w < words; w++) {
        uint64_t word = 0;
        for (int n = 0; n < 8; n++, bytes += 8) {
            uint64_t eight = 0;
            for (int i = 0; i < 8; i++)
                eight |= (uint64_t)bytes[i] << 8 * i;
            word |= (eight * 0x0102040810204080u >> 56) << 8 * n;
        }
        bits[w] = word;
    }
}
