// SPDX-License-Identifier: MIT
// part.h - sanitizers are ten to twenty times slower than the code they watch, and what they look
// for shows in the first rounds of a loop. So long runs are shortened for them, and programs that
// prove numbers in most of their tests show ThreadSanitizer only those that are about threads.
#pragma once

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TEST_PART(all) ((all) / 20 > 0 ? (all) / 20 : 1)
#else
#define TEST_PART(all) (all)
#endif

#if defined(__SANITIZE_THREAD__)
#define TEST_ONLY_THREADS() cmocka_set_test_filter("*thread*")
#else
#define TEST_ONLY_THREADS() ((void)0)
#endif
