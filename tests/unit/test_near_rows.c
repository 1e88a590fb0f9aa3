// SPDX-License-Identifier: MIT
// Every instruction set must see the same water near a body as the plain scalar loops do, in rows
// of any length. The oracle is near_rows.c compiled for one float at a time.
#include "bodies/near_rows.h"

#include "core/numbers.h"
#include "solvers/blocks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define LONGEST 40
#define ROOM    (LONGEST + 16)
#define ROUNDS  400

extern const rl_near_rows rl_near_rows_scalar;

static uint64_t counter;

static float unit(void)
{
    return rl_random_unit(3, 5, counter++);
}

static int usable(const rl_near_rows *tables[3])
{
    rl_isa best;
    unsetenv("RILL_ISA");
    assert_int_equal(rl_isa_pick(&best), RILL_OK);
    int count = 0;
    tables[count++] = &rl_near_rows_c;
#if defined(RL_X86)
    if (best >= RL_ISA_X86_AVX2)
        tables[count++] = &rl_near_rows_avx2;
    if (best >= RL_ISA_X86_AVX512)
        tables[count++] = &rl_near_rows_avx512;
#endif
    return count;
}

// Cells of all kinds: dry, shallow and deep, with bodies that stand in them or hang in them, high
// above the water, at it, or under it.
typedef struct cells {
    float bed[ROOM], depth[ROOM], floor[ROOM], lower[ROOM], upper[ROOM];
    float velocity_x[ROOM], velocity_y[ROOM], head[ROOM];
} cells;

static void make_cells(cells *c)
{
    for (int i = 0; i < ROOM; i++) {
        const float kind = unit();
        c->bed[i] = c->floor[i] = 2.0f * unit() - 1.0f;
        c->depth[i] = kind < 0.1f ? 0.0f : kind < 0.2f ? 1e-4f * unit() : 2.0f * unit();
        c->lower[i] = RL_BLOCK_NO_LOWER;
        c->upper[i] = RL_BLOCK_NO_UPPER;
        if (unit() < 0.2f)
            c->floor[i] += unit();
        if (unit() < 0.4f) {
            c->lower[i] = c->floor[i] + (unit() < 0.5f ? c->depth[i] + 1e-6f : 2.0f * unit());
            c->upper[i] = c->lower[i] + unit();
        }
        c->velocity_x[i] = unit() - 0.5f;
        c->velocity_y[i] = unit() - 0.5f;
        c->head[i] = unit() < 0.2f ? -1e30f : 3.0f * unit() - 1.0f;
    }
}

// ---- Tiles -----------------------------------------------------------------------------

typedef struct tile_found {
    float cells[LONGEST + 3][RL_NEAR_VALUES], highest[ROOM];
} tile_found;

static void find_tile(const rl_near_rows *table, const cells *c, int count, bool blocked,
                      tile_found *out)
{
    for (int i = 0; i < ROOM; i++)
        out->highest[i] = i % 2 == 0 ? -1e30f : 0.5f;
    const rl_near_tile_row row = {.count = count,
                                  .depth = c->depth,
                                  .ground = c->bed,
                                  .velocity_x = c->velocity_x,
                                  .velocity_y = c->velocity_y,
                                  .floor = blocked ? c->floor : NULL,
                                  .lower = c->lower,
                                  .head = c->head,
                                  .wet_depth = 1e-4f,
                                  .reference = 0.3f,
                                  .cells = out->cells,
                                  .highest = out->highest};
    table->tile(&row);
}

static void each_table_lays_the_same_tiles(void **state)
{
    (void)state;
    const rl_near_rows *tables[3];
    const int tables_count = usable(tables);
    for (int round = 0; round < ROUNDS; round++) {
        const int count = 2 + round % (LONGEST - 2);
        cells c;
        static tile_found want, got;
        make_cells(&c);
        find_tile(&rl_near_rows_scalar, &c, count, round % 3 > 0, &want);
        for (int n = 0; n < tables_count; n++) {
            find_tile(tables[n], &c, count, round % 3 > 0, &got);
            assert_memory_equal(want.cells, got.cells, (size_t)count * sizeof want.cells[0]);
            assert_memory_equal(want.highest, got.highest, (size_t)count * sizeof(float));
        }
    }
}

// ---- Levels ----------------------------------------------------------------------------

// All that is done to a box. Runs are any: what is found across them is the same whatever they are.
static void find_levels(const rl_near_rows *table, const cells *rows, int width, int count,
                        rl_near_levels *out)
{
    memset(out, 0, sizeof *out);
    out->width = width;
    out->rows = count;
    out->first_row = 1;
    out->end_row = count - 1;
    for (int n = 0; n < RL_NEAR_PITCH; n++) {
        out->place[n] = (float)n;
        out->highest[n] = -1e30f;
        out->lowest[n] = 1e30f;
        out->from[n] = (float)(1 + n % 3);
        out->end[n] = (float)(count - n % 2);
        out->before[n] = 0.1f * (float)n;
        out->slope[n] = 0.01f * (float)(n % 5);
    }
    int some = 0;
    for (int j = 0; j < count; j++) {
        const cells *c = &rows[j];
        const rl_near_row row = {.from = (float)(1 + j % 3), // none at the sides is unknown
                                 .end = (float)(width - 1 - j % 2),
                                 .bed = c->bed,
                                 .depth = c->depth,
                                 .floor = j % 4 > 0 ? c->floor : NULL,
                                 .lower = c->lower,
                                 .upper = c->upper,
                                 .wet = 1e-4f,
                                 .touching = 0.1f};
        some += table->look(&row, j, out);
        out->run[j] = (rl_near_run){0.0f, (float)(width + 1), 0.3f, 0.02f};
    }
    out->first_row += some == 0; // so that it shows
    table->lower_dry(out, 0.7f);
    table->fill(out);
    table->sweep(out);
}

static void each_table_finds_the_same_levels(void **state)
{
    (void)state;
    const rl_near_rows *tables[3];
    const int tables_count = usable(tables);
    for (int round = 0; round < ROUNDS; round++) {
        const int width = 3 + round % (RL_NEAR_SIDE - 2), count = 3 + round / 2 % 9;
        static cells rows[12];
        static rl_near_levels want, got;
        for (int j = 0; j < count; j++)
            make_cells(&rows[j]);
        find_levels(&rl_near_rows_scalar, rows, width, count, &want);
        for (int n = 0; n < tables_count; n++) {
            find_levels(tables[n], rows, width, count, &got);
            const size_t bytes = (size_t)width * sizeof(float);
            assert_int_equal(got.first_row, want.first_row);
            assert_memory_equal(got.highest, want.highest, bytes);
            assert_memory_equal(got.lowest, want.lowest, bytes);
            assert_memory_equal(got.least, want.least, bytes);
            for (int j = 0; j < count; j++) {
                assert_memory_equal(got.kind[j], want.kind[j], bytes);
                assert_memory_equal(got.level[j], want.level[j], bytes);
                assert_memory_equal(got.other[j], want.other[j], bytes);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_table_lays_the_same_tiles),
        cmocka_unit_test(each_table_finds_the_same_levels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
