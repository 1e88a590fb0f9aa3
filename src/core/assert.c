// SPDX-License-Identifier: MIT
// assert.c - reports a broken internal contract.
#ifdef RL_ASSERTIONS

#include "core/assert.h"

#include <stdio.h>
#include <stdlib.h>

void rl_assert_failed(const char *condition, const char *file, int line)
{
    fprintf(stderr, "rill: %s:%d: does not hold: %s\n", file, line, condition);
    abort();
}

#else
typedef int rl_assert_unused; // ISO C wants a declaration in every file.
#endif
