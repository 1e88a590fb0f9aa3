// SPDX-License-Identifier: MIT
// rows.h - names in row files, which are compiled once per instruction set (src/CMakeLists.txt) as
// RL_ISA.
#pragma once

#define RL_JOIN_(a, b) a##_##b
#define RL_JOIN(a, b)  RL_JOIN_(a, b)
#define RL_TEXT_(x)    #x
#define RL_TEXT(x)     RL_TEXT_(x)

// The table of this instruction set, which RL_ROWS_OF (core/cpu.h) finds: rl_some_rows_avx2.
#define RL_ROWS(rows) RL_JOIN(rows, RL_ISA)
// And its name.
#define RL_ISA_TEXT RL_TEXT(RL_ISA)
