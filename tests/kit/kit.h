// SPDX-License-Identifier: MIT
// kit.h - what every test includes: cmocka and the standard headers, TEST(), the checks that cmocka
// lacks, and how much of a long run a build with sanitizers does. The program's main is in
// kit_main.c; `test_swe '*lake*'` runs the tests whose names match.
#pragma once

#include "rill/base.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// ---- Tests -----------------------------------------------------------------------------

// TEST(water_runs_down) { ... } is a test, named after what it promises. Tests run in the order of
// their file.
#define TEST(name)                                                        \
    static void name(void **state);                                       \
    KIT_BEFORE_MAIN(kit_add_##name)                                       \
    {                                                                     \
        kit_add_test((struct CMUnitTest){#name, name, NULL, NULL, NULL}); \
    }                                                                     \
    static void name(KIT_UNUSED void **state)

// The tests that follow share what `setup` makes and `teardown` frees, or have it made and freed
// around each of them. NULL: nothing is to be done.
#define TEST_GROUP(setup, teardown) KIT_SECTION(kit_begin_group(setup, teardown))
#define TEST_EACH(setup, teardown)  KIT_SECTION(kit_begin_each(setup, teardown))

// The tests that follow are skipped, with `reason`, unless `condition` holds.
#define TEST_NEEDS(condition, reason) KIT_SECTION(kit_begin_needs(condition, reason))

#define KIT_UNUSED                 __attribute__((unused))
#define KIT_BEFORE_MAIN(name)      __attribute__((constructor)) static void name(void)
#define KIT_SECTION(call)          KIT_SECTION_AT(call, __LINE__)
#define KIT_SECTION_AT(call, line) KIT_SECTION_IN(call, line)
#define KIT_SECTION_IN(call, line)      \
    KIT_BEFORE_MAIN(kit_section_##line) \
    {                                   \
        call;                           \
    }                                   \
    _Static_assert(1, "")

// For tests made from a table, in a function that KIT_BEFORE_MAIN declares.
void kit_add_test(struct CMUnitTest test);
void kit_begin_group(CMFixtureFunction setup, CMFixtureFunction teardown);
void kit_begin_each(CMFixtureFunction setup, CMFixtureFunction teardown);
void kit_begin_needs(bool condition, const char *reason);

// ---- Checks ----------------------------------------------------------------------------

// What the library refuses fails the test with the library's own sentence.
#define assert_ok(status) kit_assert_ok((status), __FILE__, __LINE__)
// The last sentence of the library has this part.
#define assert_sentence_has(part) kit_assert_sentence_has((part), __FILE__, __LINE__)
// cmocka's own compares floats.
#define assert_near(value, expected, error) \
    kit_assert_near((double)(value), (double)(expected), (double)(error), __FILE__, __LINE__)

void kit_assert_ok(rill_status status, const char *file, int line);
void kit_assert_sentence_has(const char *part, const char *file, int line);
void kit_assert_near(double value, double expected, double error, const char *file, int line);

// A hash of bytes that goes on from another; the first goes on from KIT_HASH.
#define KIT_HASH 14695981039346656037u
uint64_t hash_bytes(uint64_t hash, const void *data, size_t bytes);

// The next of a row of whole numbers below 65536 that look random.
static inline unsigned next_random(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 16;
}

// ---- Scopes ----------------------------------------------------------------------------

// SCOPED(rill_world) *world = make_world(&def) is destroyed by rill_world_destroy(&world) where its
// scope ends, the last one made first. FREED_BY names another function for that; FREED is for what
// malloc gave. A test that fails leaves its scope without any of this.
#define FREED_BY(function) __attribute__((cleanup(function)))
#define SCOPED(type)       FREED_BY(type##_destroy) type
#define FREED(type)        FREED_BY(kit_free) type

static inline void kit_free(void *pointer)
{
    void *memory;
    memcpy(&memory, pointer, sizeof memory);
    free(memory);
}

// ---- Vectors ---------------------------------------------------------------------------

static inline void set3(double to[3], double x, double y, double z)
{
    to[0] = x;
    to[1] = y;
    to[2] = z;
}

// ---- Sanitizers ------------------------------------------------------------------------

// Sanitizers are ten to twenty times slower than the code they watch, and what they look for shows
// in the first rounds of a loop. So long runs are shortened for them, and for the emulator of CUDA,
// which is slower still.
#if defined(RL_TEST_EMULATED) && defined(__SANITIZE_ADDRESS__)
#define TEST_PARTS 100
#elif defined(__SANITIZE_THREAD__)
#define TEST_PARTS 60
#elif defined(RL_TEST_EMULATED) || defined(__SANITIZE_ADDRESS__)
#define TEST_PARTS 20
#else
#define TEST_PARTS 1
#endif
#define TEST_PART(all) ((all) / TEST_PARTS > 0 ? (all) / TEST_PARTS : 1)
// The same where so few would show nothing.
#define TEST_FIFTH(all) (TEST_PARTS > 1 ? (all) / 5 : (all))

// Sides of grids that are as large as they are for the sake of what a GPU does with large ones.
#if defined(RL_TEST_EMULATED)
#define TEST_SIDE(side) ((side) / 4)
#else
#define TEST_SIDE(side) (side)
#endif

// Nothing can be seen of threads where there is one.
#if defined(__SANITIZE_THREAD__)
#define TEST_ONE_THREAD_TOO 0
#else
#define TEST_ONE_THREAD_TOO 1
#endif
