// SPDX-License-Identifier: MIT
// cpu.h - chooses the instruction set that the row tables are taken from.
#pragma once

#include "rill/base.h"

typedef enum rl_isa { RL_ISA_PLAIN, RL_ISA_X86_AVX2, RL_ISA_X86_AVX512 } rl_isa;

// Finds the best set of this processor, or the one that the environment variable RILL_ISA (c, avx2
// or avx512) asks for; an unknown name or a set that the processor lacks is an error.
rill_status rl_isa_pick(rl_isa *out);

// Returns "c", "avx2" or "avx512".
const char *rl_isa_name(rl_isa isa);

// The table of row loops of an instruction set: rl_some_rows_c, rl_some_rows_avx2, ...
#if defined(RL_X86)
#define RL_ROWS_OF(isa, rows)                    \
    ((isa) == RL_ISA_X86_AVX512 ? &rows##_avx512 \
     : (isa) == RL_ISA_X86_AVX2 ? &rows##_avx2   \
                                : &rows##_c)
#else
#define RL_ROWS_OF(isa, rows) ((void)(isa), &rows##_c)
#endif

#define RL_JOIN_(a, b) a##_##b
#define RL_JOIN(a, b)  RL_JOIN_(a, b)
#define RL_TEXT_(x)    #x
#define RL_TEXT(x)     RL_TEXT_(x)

// The table of this instruction set in a row file, which is compiled once per instruction set
// (src/CMakeLists.txt) as RL_ISA: rl_some_rows_avx2.
#define RL_ROWS(rows) RL_JOIN(rows, RL_ISA)
// And its name.
#define RL_ISA_TEXT RL_TEXT(RL_ISA)
