// SPDX-License-Identifier: MIT
// assert.h - contracts between the parts of the library. They are checked in debug and sanitizer
// builds and in the build that the tests run in (RILL_ASSERTIONS), and cost nothing elsewhere. Only
// mistakes of the library itself are asserted: what a caller of the public interface does wrong is
// a status and a message (rill/support.h), in every build.
#pragma once

#if defined(RL_ASSERTIONS) && !defined(__CUDA_ARCH__)

#include <stdio.h>
#include <stdlib.h>

// Ends the program with a message when `condition` does not hold.
#define RL_ASSERT(condition)                                                                     \
    ((condition)                                                                                 \
         ? (void)0                                                                               \
         : (fprintf(stderr, "rill: %s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition), \
            abort()))

#else

// The condition is compiled, so that it cannot rot, and not computed.
#define RL_ASSERT(condition) ((void)sizeof((condition) ? 1 : 0))

#endif
