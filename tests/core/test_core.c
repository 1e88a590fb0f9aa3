// SPDX-License-Identifier: MIT
#include "core/jobs.h"
#include "core/numbers.h"
#include "tests/kit/kit.h"

#include "core/memory.h"
#include "rill/support.h"

#include <stdatomic.h>

TEST(a_failure_leaves_its_sentence)
{
    assert_int_equal(rill_fail(RILL_BAD_DEF, "size is %d", 7), RILL_BAD_DEF);
    assert_string_equal(rill_last_error(), "size is 7");
    rill_fail_prefix(RILL_BAD_FILE, "%s", "a.toml");
    assert_string_equal(rill_last_error(), "a.toml: size is 7");
    char longer[4000];
    memset(longer, 'x', sizeof longer);
    longer[sizeof longer - 1] = '\0';
    rill_fail(RILL_BAD_FILE, "%s", longer);
    rill_fail_prefix(RILL_BAD_FILE, "%s", longer);
    assert_true(strlen(rill_last_error()) < sizeof longer);
    assert_string_equal(rill_status_name(RILL_BAD_FILE), "BAD_FILE");
    assert_string_equal(rill_status_name((rill_status)999), "UNKNOWN");
}

TEST(rows_of_a_field_start_on_cache_lines)
{
    for (int nx = 1; nx < 1100; nx += 37) {
        rill_field field;
        assert_true(rill_field_create(NULL, nx, 5, 2, &field));
        for (int j = -2; j < 7; j++)
            assert_int_equal((uintptr_t)rill_field_row(&field, j) % RILL_ALIGNMENT, 0);
        // Room for a whole vector on either side of every row.
        assert_true(rill_field_row(&field, -2) - RILL_MARGIN_X >= field.memory);
        assert_true((uintptr_t)(rill_field_row(&field, 6) + nx + RILL_MARGIN_X) <=
                    (uintptr_t)field.memory + field.bytes);
        assert_int_equal(field.bytes, rill_field_bytes(nx, 5, 2));
        rill_field_destroy(NULL, &field);
    }
}

TEST(sizes_that_overflow_are_caught)
{
    size_t bytes = 0;
    assert_true(rl_multiply_sizes(1000, 1000, &bytes));
    assert_int_equal(bytes, 1000000);
    assert_false(rl_multiply_sizes(SIZE_MAX / 2, 3, &bytes));
}

typedef struct tally {
    atomic_int hits[1000];
} tally;

static void count_hit(void *context, int index)
{
    tally *t = context;
    atomic_fetch_add(&t->hits[index], 1);
}

TEST(every_index_runs_exactly_once)
{
    static tally t;
    for (int workers = 1; workers <= 9; workers += 2) {
        rl_jobs *jobs;
        assert_ok(rl_jobs_create(NULL, workers, &jobs));
        for (int round = 0; round < 200; round++) {
            const int count = round * 5;
            memset(&t, 0, sizeof t);
            rl_jobs_run(jobs, count, count_hit, &t);
            for (int i = 0; i < 1000; i++)
                assert_int_equal(atomic_load(&t.hits[i]), i < count ? 1 : 0);
        }
        rl_jobs_destroy(&jobs);
        assert_null(jobs);
    }
}

// A worker that is still looking at the last run must not take an index of it for one of the next:
// runs of few and of many indices in turn, as bands and rows are.
TEST(a_late_worker_finds_nothing_left)
{
    static tally t;
    SCOPED(rl_jobs) * jobs;
    assert_ok(rl_jobs_create(NULL, 4, &jobs));
    int wrong = 0;
    for (int round = 0; round < 50000; round++) {
        const int count = round % 2 == 0 ? 8 : 512;
        for (int i = 0; i < 1000; i++)
            atomic_store_explicit(&t.hits[i], 0, memory_order_relaxed);
        rl_jobs_run(jobs, count, count_hit, &t);
        for (int i = 0; i < 1000; i++)
            wrong += atomic_load_explicit(&t.hits[i], memory_order_relaxed) != (i < count);
    }
    assert_int_equal(wrong, 0);
}

static int host_runs;

static void backwards(void *user, int count, rill_task task, void *context)
{
    assert_string_equal(user, "mine");
    host_runs++;
    for (int i = count - 1; i >= 0; i--)
        task(context, i);
}

TEST(a_host_can_lend_its_threads)
{
    static tally t;
    const rill_host host = {.parallel_for = backwards, .parallel_user = (void *)"mine"};
    SCOPED(rl_jobs) * jobs;
    assert_ok(rl_jobs_create(&host, 4, &jobs));
    rl_jobs_run(jobs, 10, count_hit, &t);
    assert_int_equal(host_runs, 1);
    assert_int_equal(atomic_load(&t.hits[9]), 1);
}

TEST(too_many_workers_are_refused)
{
    rl_jobs *jobs;
    assert_int_equal(rl_jobs_create(NULL, 0, &jobs), RILL_BAD_DEF);
    assert_null(jobs);
    assert_int_equal(rl_jobs_create(NULL, 100000, &jobs), RILL_BAD_DEF);
}

TEST(powers_are_right_to_their_last_digits)
{
    for (double base = 1e-9; base <= 1.0; base *= 1.7)
        for (double exponent = 1e-6; exponent < 100.0; exponent *= 3.1) {
            // An exponential turns the rounding of its argument x into a relative error of x ulps.
            const double exact = pow(base, exponent), x = fabs(exponent * log(base));
            assert_true(fabs(rill_power(base, exponent) - exact) <=
                        1e-15 * (2 + x) * exact + 1e-300);
        }
    assert_true(rill_power(1.0, 5.0) == 1.0);
    assert_true(rill_power(0.0, 1.0) == 0.0);
    assert_true(rill_power(0.0, 0.0) == 1.0);
}

TEST(a_compensated_sum_keeps_small_bookings)
{
    rl_sum sum = {0};
    rl_sum_add(&sum, 1e16);
    for (int i = 0; i < 1000; i++)
        rl_sum_add(&sum, 0.25);
    rl_sum_add(&sum, -1e16);
    assert_true(rl_sum_value(&sum) == 250.0);
}

TEST(random_numbers_are_even_and_depend_on_every_part)
{
    int bins[16] = {0};
    for (uint64_t n = 0; n < 160000; n++)
        bins[(int)(16.0f * rl_random_unit(1, 2, n))]++;
    // 10,000 a bin; five standard deviations of a binomial are 484.
    for (int b = 0; b < 16; b++)
        assert_in_range(bins[b], 10000 - 484, 10000 + 484);
    assert_true(rl_random_bits(1, 2, 3) != rl_random_bits(2, 2, 3));
    assert_true(rl_random_bits(1, 2, 3) != rl_random_bits(1, 3, 3));
    assert_true(rl_random_bits(1, 2, 3) != rl_random_bits(1, 2, 4));
}
