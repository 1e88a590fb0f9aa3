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

#if defined(__SANITIZE_THREAD__)
#define TEST_ONLY_THREADS() cmocka_set_test_filter("*thread*")
#else
#define TEST_ONLY_THREADS() ((void)0)
#endif
