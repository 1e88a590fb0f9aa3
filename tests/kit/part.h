// SPDX-License-Identifier: MIT
// part.h - sanitizers are ten to twenty times slower than the code they watch, and what they look
// for shows in the first rounds of a loop. So long runs are shortened for them, and programs that
// prove numbers in most of their tests show ThreadSanitizer only those that are about threads.
#pragma once

#if defined(__SANITIZE_THREAD__)
#define TEST_PARTS 60
#elif defined(__SANITIZE_ADDRESS__)
#define TEST_PARTS 20
#else
#define TEST_PARTS 1
#endif
#define TEST_PART(all) ((all) / TEST_PARTS > 0 ? (all) / TEST_PARTS : 1)
// The same where so few would show nothing.
#define TEST_FIFTH(all) (TEST_PARTS > 1 ? (all) / 5 : (all))

// Nothing can be seen of threads where there is one.
#if defined(__SANITIZE_THREAD__)
#define TEST_ONLY_THREADS() cmocka_set_test_filter("*thread*")
#define TEST_ONE_THREAD_TOO 0
#else
#define TEST_ONLY_THREADS() ((void)0)
#define TEST_ONE_THREAD_TOO 1
#endif
