// SPDX-License-Identifier: MIT
// flags.h - many flags at once: arrays of flags, a byte each and 0 or 1, of which eight are read at
// once and which are padded with zeros to a multiple of eight; and flags in the bits of a word.
#pragma once

#include <stdint.h>
#include <string.h>

#define RL_EIGHT_FLAGS 0x0101010101010101u // all of them set

static inline uint64_t rl_turn_bytes(uint64_t a)
{
    a = (a >> 8 & 0x00ff00ff00ff00ffu) | (a & 0x00ff00ff00ff00ffu) << 8;
    a = (a >> 16 & 0x0000ffff0000ffffu) | (a & 0x0000ffff0000ffffu) << 16;
    return a >> 32 | a << 32;
}

// Returns eight flags; the first is the lowest byte.
static inline uint64_t rl_eight_flags(const unsigned char *flags)
{
    const uint16_t one = 1;
    unsigned char low_first;
    uint64_t eight;
    memcpy(&low_first, &one, 1);
    memcpy(&eight, flags, sizeof eight);
    return low_first != 0 ? eight : rl_turn_bytes(eight);
}

// Returns which of eight flags is the first that is set; one must be. The lowest of them, 256^n,
// moves the byte that has n to the top.
static inline int rl_first_flag(uint64_t eight)
{
    const uint64_t lowest = eight & (~eight + 1);
    return (int)(lowest * 0x0001020304050607u >> 56);
}

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
