// SPDX-License-Identifier: MIT
// scene_assert.h - contracts between the parts of the scene library, checked in the same builds as
// those of the engine (core/assert.h), which the scene library does not see. Wrong files and wrong
// calls of the public interface are a status and a message in every build.
#pragma once

#ifdef RL_ASSERTIONS

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
