// SPDX-License-Identifier: MIT
// The swe water against what must hold exactly or by theory: lakes at rest, books, bits, bounds.
// Its parts one by one are in test_swe_parts.c, its borders in test_swe_borders.c; longer
// comparisons with exact solutions are in validation/.
#include "tests/kit/instruction_sets.h"
#include "tests/kit/kit.h"
#include "tests/kit/worlds.h"
#include "tests/solvers/swe/swe_worlds.h"

#define LONG_RUN 20000

static swe_case c;

static const rill_advection advections[] = {RILL_ADVECTION_CONSERVATIVE, RILL_ADVECTION_MACCORMACK};

// An uneven basin of n x n cells, 10 m wide, with water up to `level`.
static void begin_basin(int n, double level, double quantum)
{
    begin_case(&c, n, n, 10.0 / n);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            const float b = made_bed(i, j, 10.0 / n, quantum), to_level = (float)level - b;
            c.bed[j * n + i] = b;
            c.depth[j * n + i] = to_level > 0.0f ? to_level : 0.0f;
        }
}

// ---- Lakes at rest ---------------------------------------------------------------------

// Beds and levels that are multiples of 1/64 m: all sums are exact, so nothing may move at all.
TEST(a_lake_on_a_quantised_bed_does_not_move_at_all)
{
    for (int variant = 0; variant < 6; variant++) {
        begin_basin(40, 26.0 / 64.0, 1.0 / 64.0);
        c.def.swe.advection = advections[variant % 2];
        c.def.swe.viscosity = variant / 2 == 1 ? 1e-3f : 0.0f;
        c.def.swe.manning = variant / 2 == 2 ? 0.03f : 0.0f;
        FREED_BY(free_swe) rl_swe *s = make_swe(&c.def);
        run_swe(s, NULL, 300, 1.0 / 60.0, NULL);
        assert_true(fastest_in(s) == 0.0);
        for (int j = 0; j < 40; j++)
            assert_memory_equal(depth_row(s, j), &c.depth[j * 40], 40 * sizeof(float));
    }
}

// For any bed, b + d rounds to the level within one ulp of the largest of them. Nothing damps the
// waves that such slopes drive, but they push now one way and now the other: after n steps the
// speed is that of a random walk, sqrt(n) pushes of g dt / dx ulps, and never n of them.
TEST(a_lake_on_any_bed_moves_no_more_than_rounding_shakes_it)
{
    for (int a = 0; a < 2; a++) {
        begin_basin(32, 0.4, 0);
        c.def.swe.advection = advections[a];
        FREED_BY(free_swe) rl_swe *s = make_swe(&c.def);
        const double push = 9.81 / 60.0 / (10.0 / 32.0) * 0x1p-24;
        run_swe(s, NULL, LONG_RUN, 1.0 / 60.0, NULL);
        const rill_columns w = rl_swe_ops.columns(s, NULL, NULL);
        for (int j = 0; j < 32; j++)
            for (int i = 0; i < 32; i++) {
                const size_t k = (size_t)j * w.pitch + (size_t)i;
                const double speed = hypot((double)w.velocity_x[k], (double)w.velocity_y[k]);
                if (w.depth[k] > 0.01f) // films have no meaningful speed
                    assert_true(speed < 4.0 * push * sqrt(LONG_RUN));
            }
    }
}

// Two lakes of different level on both sides of a dry ridge, and a dry pit deeper than both.
TEST(lakes_apart_stay_apart_and_a_pit_stays_dry)
{
    enum { N = 48 };
    for (int a = 0; a < 2; a++) {
        begin_case(&c, N, N, 0.5);
        c.def.swe.advection = advections[a];
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++) {
                float b = 0.25f + (float)((i * 7 + j * 13) % 9) / 64.0f;
                float level = i < N / 2 ? 1.0f : 0.625f;
                if (abs(i - N / 2) <= 1)
                    b = 1.5f; // the ridge
                const int to_pit = abs(i - 36) > abs(j - 12) ? abs(i - 36) : abs(j - 12);
                if (to_pit <= 4) {
                    b = to_pit == 4 ? 1.25f : -2.0f; // a rim round the pit
                    level = -3.0f;
                }
                c.bed[j * N + i] = b;
                c.depth[j * N + i] = level > b ? level - b : 0.0f;
            }
        FREED_BY(free_swe) rl_swe *s = make_swe(&c.def);
        run_swe(s, NULL, 300, 1.0 / 60.0, NULL);
        assert_true(fastest_in(s) == 0.0);
        assert_true(depth_row(s, 12)[36] == 0.0f);
    }
}

// ---- Bits ------------------------------------------------------------------------------

static const rill_border all_borders[] = {RILL_BORDER_WALL, RILL_BORDER_DRAIN, RILL_BORDER_LEVEL,
                                          RILL_BORDER_INFLOW, RILL_BORDER_ABSORB};

// A basin with a dam break in it, and a different border on each side.
static void begin_violent_basin(int variant)
{
    enum { N = 150 };
    begin_basin(N, 0.3, 0);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            if (i < 60 && j > 30)
                c.depth[j * N + i] = fmaxf(0.9f - c.bed[j * N + i], 0.0f);
    c.def.swe.advection = advections[variant % 2];
    c.def.swe.viscosity = variant % 3 == 1 ? 1e-4f : 0.0f;
    c.def.swe.manning = variant % 3 == 2 ? 0.02f : 0.0f;
    for (int side = 0; side < RILL_SIDE_COUNT; side++) {
        c.def.border[side] = all_borders[(variant + side) % 5];
        c.def.border_level[side] = 0.4f;
    }
}

static uint64_t violent_run(rl_isa isa, rl_jobs *jobs, const void *variant)
{
    begin_violent_basin(*(const int *)variant);
    FREED_BY(free_swe) rl_swe *s = make_solver(&rl_swe_ops, &c.def, isa);
    // Some steps are longer than is stable: clamp and depth limit are at work.
    run_swe(s, jobs, TEST_FIFTH(40), 1.0, NULL);
    for (int n = 0; n < TEST_FIFTH(20); n++)
        rl_swe_ops.step(s, jobs, 0.05, &(rl_exchange){0});
    return hash_swe(s);
}

TEST(threads_and_instruction_sets_give_the_same_bits)
{
    for (int variant = 0; variant < 10; variant++)
        assert_same_on_every_isa(violent_run, &variant);
}

// ---- Books and bounds ------------------------------------------------------------------

TEST(the_books_are_closed_with_any_borders)
{
    for (int variant = 0; variant < 10; variant++) {
        begin_violent_basin(variant);
        FREED_BY(free_swe) rl_swe *s = make_swe(&c.def);
        rl_exchange e = {0};
        const double before = volume_of(s);
        run_swe(s, NULL, 400, 1.0, &e);
        assert_sound(s);
        assert_true(e.corrected == 0.0 && e.in >= 0.0 && e.out >= 0.0);
        const double error = before + e.in - e.out - volume_of(s);
        assert_true(fabs(error) < 1e-6 * (before + e.in));
    }
}

// Steps far beyond what is stable, on steep ground, for a long time: nothing may become negative,
// infinite or no number, and no water may be made but by rounding (every cell is emptied again and
// again, 3e7 times in all).
TEST(violent_water_stays_sound_at_any_step)
{
    enum { N = 40 };
    for (int a = 0; a < 2; a++) {
        begin_case(&c, N, N, 0.25);
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++) {
                c.bed[j * N + i] = 4.0f * rl_random_unit(3, 5, (uint64_t)(j * N + i));
                c.depth[j * N + i] = i < N / 3 ? 20.0f : 0.0f;
            }
        c.def.swe.advection = advections[a];
        FREED_BY(free_swe) rl_swe *s = make_swe(&c.def);
        const double before = volume_of(s);
        for (int n = 0; n < LONG_RUN; n++) {
            rl_swe_ops.step(s, NULL, n % 7 == 0 ? 1.0 : 1.0 / 60.0, &(rl_exchange){0});
            if (n % 1000 == 0)
                assert_sound(s);
        }
        assert_sound(s);
        assert_true(fabs(volume_of(s) / before - 1.0) < 1e-5);
    }
}
