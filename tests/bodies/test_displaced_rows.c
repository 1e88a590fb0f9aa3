// SPDX-License-Identifier: MIT
// The loops over what is owed: every instruction set must do to each cell what the rules say, bit
// for bit.
#include "bodies/blocking/body_raster.h"
#include "core/cpu.h"
#include "core/numbers.h"
#include "tests/kit/instruction_sets.h"
#include "tests/kit/kit.h"

#define CHUNK  RL_RASTER_CHUNK
#define ROW    (CHUNK + 2) // with a cell on each side
#define ROUNDS 20000

static const rl_displaced_rates rates = {
    .tau = 0.2, .alpha = 0.03, .crumb = 3e-4, .nothing = 1e-17};

static uint64_t counter;

static float unit(void)
{
    return rl_random_unit(11, 12, counter++);
}

// Ordinary numbers of both signs, crumbs, next to nothing, and nothing.
static double some_owed(void)
{
    const double sizes[] = {1.0, 1e-4, 1e-16, 1e-19, 0.0};
    return (unit() < 0.5f ? -1.0 : 1.0) * (double)unit() * sizes[(int)(4.99f * unit())];
}

// ---- Spreading -------------------------------------------------------------------------

TEST(a_chunk_gets_its_part_of_the_differences_around_it)
{
    int dry = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double owed[3][ROW], next[CHUNK];
        float depth[3][ROW];
        for (int j = 0; j < 3; j++)
            for (int i = 0; i < ROW; i++) {
                owed[j][i] = some_owed();
                depth[j][i] = unit() < 0.005f ? 0.0f : 1e-30f + unit();
            }
        bool wet = true; // the corners do not count
        for (int j = 0; j < 3; j++)
            for (int i = 0; i < ROW; i++)
                wet &= depth[j][i] > 0.0f || (j != 1 && (i == 0 || i == ROW - 1));
        dry += !wet;
        const float *const rows[3] = {depth[0] + 1, depth[1] + 1, depth[2] + 1};
        FOR_EACH_ISA (isa) {
            const rl_displaced_rows *table = RL_ROWS_OF(isa, rl_displaced_rows);
            for (int i = 0; i < CHUNK; i++)
                next[i] = 77.0;
            const int done = table->spread(owed[1] + 1, ROW, rows, &rates, next);
            assert_int_equal(done, wet);
            for (int i = 0; i < CHUNK; i++) {
                const double *mid = owed[1] + 1 + i, v = *mid;
                const double x = (mid[-1] - v) + (mid[1] - v);
                const double y = (mid[-ROW] - v) + (mid[ROW] - v);
                assert_true(next[i] == (wet ? v + rates.tau * (x + y) : 77.0));
            }
        }
    }
    assert_true(dry > ROUNDS / 20 && dry < ROUNDS / 2);
}

// ---- Releasing -------------------------------------------------------------------------

// What a cell gives: a share, at least a crumb, at most all that is owed, and of the water that is
// there all but the last of its bits.
static float given(double owed, float depth, bool in_way)
{
    const double part = fmax(fabs(owed) * rates.alpha, rates.crumb);
    const float share = (float)copysign(fmin(fabs(owed), part), owed);
    const float most = 0.0f - depth * (1.0f - 0x1p-21f);
    return in_way ? 0.0f : share < most ? most : share;
}

TEST(a_chunk_that_gives_nothing_holds_all)
{
    for (int round = 0; round < ROUNDS; round++) {
        double next[CHUNK], held[CHUNK];
        for (int i = 0; i < CHUNK; i++)
            next[i] = round % 8 == 0 ? 1e-25 : some_owed();
        const int count = round % 3 == 0 ? 1 + round % CHUNK : CHUNK;
        const rl_displaced_chunk chunk = {.count = count, .next = next};
        FOR_EACH_ISA (isa) {
            const rl_displaced_rows *table = RL_ROWS_OF(isa, rl_displaced_rows);
            bool any = false;
            for (int i = 0; i < CHUNK; i++)
                held[i] = 55.0;
            const int some = table->release(&chunk, &rates, NULL, held);
            for (int i = 0; i < CHUNK; i++) {
                const double all = fabs(next[i]) < rates.nothing ? 0.0 : next[i];
                assert_true(held[i] == (i < count ? all : 55.0));
                any |= i < count && all != 0.0;
            }
            assert_int_equal(some, any);
        }
    }
}

TEST(a_chunk_gives_its_share_and_keeps_the_rest)
{
    int empty = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double next[CHUNK], owed[CHUNK];
        float depth[CHUNK], bed[CHUNK], floor[CHUNK], lower[CHUNK], gives[CHUNK];
        const bool quiet = unit() < 0.1f, bodies = unit() < 0.5f;
        for (int i = 0; i < CHUNK; i++) {
            next[i] = quiet ? 1e-25 : some_owed();
            depth[i] = unit() < 0.2f ? 0.0f : unit() < 0.2f ? 1e-5f : unit();
            bed[i] = floor[i] = unit();
            floor[i] += unit() < 0.2f ? 1.0f : 0.0f;
            lower[i] = unit() < 0.2f ? 3.0f : RL_BLOCK_NO_LOWER;
        }
        const rl_displaced_chunk chunk = {.count = round % 3 == 0 ? 1 + round % CHUNK : CHUNK,
                                          .next = next,
                                          .depth = depth,
                                          .bed = bodies ? bed : NULL,
                                          .floor = floor,
                                          .lower = lower};
        FOR_EACH_ISA (isa) {
            const rl_displaced_rows *table = RL_ROWS_OF(isa, rl_displaced_rows);
            bool owes = false;
            for (int i = 0; i < CHUNK; i++)
                gives[i] = 55.0f, owed[i] = 55.0;
            const int some = table->release(&chunk, &rates, gives, owed);
            for (int i = 0; i < CHUNK; i++) {
                const bool in_way = bodies && (floor[i] != bed[i] || lower[i] != RL_BLOCK_NO_LOWER);
                const float give = i < chunk.count ? given(next[i], depth[i], in_way) : 55.0f;
                double rest = next[i] - (double)give;
                rest = i >= chunk.count ? 55.0 : fabs(rest) < rates.nothing ? 0.0 : rest;
                assert_true(gives[i] == give && owed[i] == rest);
                owes |= i < chunk.count && rest != 0.0;
            }
            assert_int_equal(some, owes);
            empty += !owes;
        }
    }
    assert_true(empty > ROUNDS / 50);
}
