// SPDX-License-Identifier: MIT
// The main function of every test program, and the checks of kit.h. Tests and groups register
// themselves before main, in the order of their file.
#include "tests/kit/kit.h"

#include <fnmatch.h>

#define MOST_TESTS  128
#define MOST_GROUPS 8

// Tests from one section of a file up to the next.
typedef struct group {
    CMFixtureFunction setup, teardown;
    const char *missing; // NULL: they can run
    int first, end;
} group;

static struct CMUnitTest tests[MOST_TESTS];
static group groups[MOST_GROUPS];
static int test_count, group_count;
static CMFixtureFunction before_each, after_each;

// A section that begins where another has begun is the same one.
static group *begin(void)
{
    if (group_count > 0 && groups[group_count - 1].first == test_count)
        return &groups[group_count - 1];
    if (group_count == MOST_GROUPS)
        abort();
    group *g = &groups[group_count++];
    g->first = g->end = test_count;
    return g;
}

void kit_begin_group(CMFixtureFunction setup, CMFixtureFunction teardown)
{
    group *g = begin();
    g->setup = setup;
    g->teardown = teardown;
}

void kit_begin_each(CMFixtureFunction setup, CMFixtureFunction teardown)
{
    before_each = setup;
    after_each = teardown;
}

void kit_begin_needs(bool condition, const char *reason)
{
    group *g = begin();
    if (!condition)
        g->missing = reason;
}

void kit_add_test(struct CMUnitTest test)
{
    if (test_count == MOST_TESTS)
        abort();
    group *g = group_count > 0 ? &groups[group_count - 1] : begin();
    test.setup_func = before_each;
    test.teardown_func = after_each;
    tests[test_count++] = test;
    g->end = test_count;
}

// Whether any test has such a name: a program that runs nothing has shown nothing.
static bool some_match(const char *pattern)
{
    for (int n = 0; n < test_count; n++)
        if (fnmatch(pattern, tests[n].name, 0) == 0)
            return true;
    return false;
}

int main(int count, char **words)
{
    int failed = 0;
    if (count > 1 && !some_match(words[1])) {
        fprintf(stderr, "no test is called '%s'\n", words[1]);
        return 2;
    }
    if (count > 1)
        cmocka_set_test_filter(words[1]);
    for (const group *g = groups; g < groups + group_count; g++) {
        const size_t inside = (size_t)(g->end - g->first);
        if (g->missing != NULL)
            printf("skipped %zu tests: %s\n", inside, g->missing);
        else if (inside > 0)
            failed +=
                _cmocka_run_group_tests("tests", tests + g->first, inside, g->setup, g->teardown);
    }
    return failed != 0;
}

void kit_assert_ok(rill_status status, const char *file, int line)
{
    if (status != RILL_OK) {
        print_error("status %d: %s\n", (int)status, rill_last_error());
        _fail(file, line);
    }
}

void kit_assert_sentence_has(const char *part, const char *file, int line)
{
    if (strstr(rill_last_error(), part) == NULL) {
        print_error("'%s' is not in: %s\n", part, rill_last_error());
        _fail(file, line);
    }
}

void kit_assert_near(double value, double expected, double error, const char *file, int line)
{
    if (!(fabs(value - expected) <= error)) {
        print_error("%.17g is not within %g of %.17g\n", value, error, expected);
        _fail(file, line);
    }
}

uint64_t hash_bytes(uint64_t hash, const void *data, size_t bytes)
{
    for (size_t n = 0; n < bytes; n++)
        hash = (hash ^ ((const unsigned char *)data)[n]) * 1099511628211u;
    return hash;
}
