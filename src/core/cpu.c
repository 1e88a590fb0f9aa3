// SPDX-License-Identifier: MIT
// cpu.c - finds the instruction sets of the processor.
#include "core/cpu.h"

#include "core/assert.h"

#include "rill/support.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"c", "avx2", "avx512"};

static bool has(rl_isa isa)
{
    if (isa == RL_ISA_PLAIN)
        return true;
#if defined(RL_X86)
    if (isa == RL_ISA_X86_AVX2)
        return __builtin_cpu_supports("avx2");
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
#else
    return false;
#endif
}

rill_status rl_isa_pick(rl_isa *out)
{
    const char *wanted = getenv("RILL_ISA");
    if (wanted != NULL && wanted[0] != '\0') {
        for (int i = RL_ISA_PLAIN; i <= RL_ISA_X86_AVX512; i++) {
            if (strcmp(wanted, names[i]) != 0)
                continue;
            if (!has((rl_isa)i))
                return rill_fail(RILL_NO_BACKEND,
                                 "RILL_ISA asks for %s, which this processor lacks", wanted);
            *out = (rl_isa)i;
            return RILL_OK;
        }
        return rill_fail(RILL_NO_BACKEND, "RILL_ISA is '%s', it must be c, avx2 or avx512", wanted);
    }
    *out = RL_ISA_PLAIN;
    while (*out < RL_ISA_X86_AVX512 && has((rl_isa)(*out + 1)))
        *out = (rl_isa)(*out + 1);
    return RILL_OK;
}

const char *rl_isa_name(rl_isa isa)
{
    RL_ASSERT(isa >= RL_ISA_PLAIN && isa <= RL_ISA_X86_AVX512);
    return names[isa];
}
