// SPDX-License-Identifier: MIT
// cpu.h - which instruction set the row tables are taken from.
#pragma once

#include "rill/base.h"

typedef enum rl_isa { RL_ISA_PLAIN, RL_ISA_X86_AVX2, RL_ISA_X86_AVX512 } rl_isa;

// The best set this processor has, or the one that the environment variable RILL_ISA (c, avx2 or
// avx512) asks for; an unknown name or a set the processor lacks is an error.
rill_status rl_isa_pick(rl_isa *out);

// "c", "avx2" or "avx512".
const char *rl_isa_name(rl_isa isa);
