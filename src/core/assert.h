// SPDX-License-Identifier: MIT
// assert.h - contracts between the parts of the library. They are checked in debug and sanitizer
// builds and in the build that the tests run in (RILL_ASSERTIONS), and cost nothing elsewhere. Only
// mistakes of the library itself are asserted: what a caller of the public interface does wrong is
// a status and a sentence (core/status.h), in every build.
#pragma once

#if defined(RL_ASSERTIONS) && !defined(__CUDA_ARCH__)

#ifdef __cplusplus
extern "C"
#endif
    void
    rl_assert_failed(const char *condition, const char *file, int line);

// Ends the program with a sentence when `condition` does not hold.
#define RL_ASSERT(condition) \
    ((condition) ? (void)0 : rl_assert_failed(#condition, __FILE__, __LINE__))

#else

// The condition is compiled, so that it cannot rot, and not computed.
#define RL_ASSERT(condition) ((void)sizeof((condition) ? 1 : 0))

#endif
