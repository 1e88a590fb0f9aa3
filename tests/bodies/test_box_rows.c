// SPDX-License-Identifier: MIT
// Every instruction set must see the same water near a body as the plain scalar loops do, in rows
// of any length. The oracle is box_rows.c compiled for one float at a time.
#include "bodies/sampling/box_rows.h"
#include "tests/kit/instruction_sets.h"
#include "tests/kit/kit.h"

#include "core/numbers.h"
#include "solvers/shared/blocks.h"

#define LONGEST 40
#define ROOM    (LONGEST + 16)
#define ROUNDS  400

extern const rl_box_rows rl_box_rows_scalar;

static uint64_t counter;

static float unit(void)
{
    return rl_random_unit(3, 5, counter++);
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

#define TILE_ROWS 5

typedef struct tile_found {
    float cells[LONGEST * TILE_ROWS + 16][RL_PRESSURE_VALUES], highest;
} tile_found;

// Some rows with something in them, some without.
static void find_tile(const rl_box_rows *table, const cells *c, int width, int rows, int blocked,
                      tile_found *out)
{
    const size_t pitch = sizeof *c / sizeof(float);
    static float velocity_x[LONGEST * TILE_ROWS + 16], velocity_y[LONGEST * TILE_ROWS + 16];
    static float head[LONGEST * TILE_ROWS + 16];
    unsigned char is_blocked[TILE_ROWS];
    for (int j = 0; j < rows; j++) {
        const size_t at = (size_t)(j * width), bytes = (size_t)width * sizeof(float);
        is_blocked[j] = (blocked >> j & 1) != 0;
        memcpy(velocity_x + at, c[j].velocity_x, bytes);
        memcpy(velocity_y + at, c[j].velocity_y, bytes);
        memcpy(head + at, c[j].head, bytes);
    }
    const rl_box_grid tile = {.width = width,
                              .rows = rows,
                              .depth = c->depth,
                              .ground = c->bed,
                              .depth_pitch = pitch,
                              .ground_pitch = pitch,
                              .velocity_x = velocity_x,
                              .velocity_y = velocity_y,
                              .velocity_pitch = (size_t)width,
                              .floor = c->floor,
                              .lower = c->lower,
                              .block_pitch = pitch,
                              .blocked = is_blocked,
                              .head = head,
                              .wet_depth = 1e-4f,
                              .reference = 0.3f,
                              .cells = out->cells};
    out->highest = table->grid(&tile);
}

TEST(each_table_lays_the_same_tiles)
{
    for (int round = 0; round < ROUNDS; round++) {
        const int width = 2 + round % (LONGEST - 2), rows = 1 + round % TILE_ROWS;
        static cells c[TILE_ROWS];
        static tile_found want, got;
        for (int j = 0; j < rows; j++)
            make_cells(&c[j]);
        find_tile(&rl_box_rows_scalar, c, width, rows, round, &want);
        FOR_EACH_ISA (isa) {
            const rl_box_rows *table = RL_ROWS_OF(isa, rl_box_rows);
            find_tile(table, c, width, rows, round, &got);
            assert_memory_equal(want.cells, got.cells,
                                (size_t)(width * rows) * sizeof want.cells[0]);
            assert_true(want.highest == got.highest);
        }
    }
}

// What a cell of each kind is laid out as, and that the highest level is of a cell of the tile.
TEST(tiles_say_what_cells_are)
{
    static cells c;
    static tile_found out;
    memset(&c, 0, sizeof c);
    for (int i = 0; i < ROOM; i++) {
        c.depth[i] = i < 5 ? 1.0f : 9.0f; // beyond the tile it is deep
        c.lower[i] = RL_BLOCK_NO_LOWER;
        c.velocity_x[i] = 2.0f;
        c.velocity_y[i] = 3.0f;
        c.head[i] = 0.5f;
    }
    c.depth[1] = 0.0f;  // dry
    c.floor[2] = 0.25f; // something stands there, and water on it
    c.lower[3] = 1.0f;  // something hangs there
    c.lower[4] = 1.0f;  // and there, with no level around it
    c.head[4] = -1e30f;
    const float want[5][RL_PRESSURE_VALUES] = {{0.7f, 1, 1, 2, 3, 1, 0, 0},
                                               {0, 0, 0, 0, 0, 1, 0, 0},
                                               {0, 0, 1, 2, 3, 0, 0.2f, 1},
                                               {0, 0, 0, 0, 0, 0, 0.2f, 1},
                                               {0, 0, 0, 0, 0, 0, 0, 0}};
    find_tile(&rl_box_rows_c, &c, 5, 1, 1, &out);
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < RL_PRESSURE_VALUES; k++)
            assert_float_equal(out.cells[i][k], want[i][k], 1e-6f);
    assert_float_equal(out.highest, 0.7f, 1e-6f);
}

// ---- Levels ----------------------------------------------------------------------------

// All that is done to a box. Runs of rows are any: what is found across them is the same whatever
// they are.
static rl_box_seen find_levels(const rl_box_rows *table, const cells *rows, int width, int count,
                               rl_box_levels *out)
{
    rl_box_row near[12];
    memset(out, 0, sizeof *out);
    out->width = width;
    out->rows = count;
    out->first_row = 1;
    out->end_row = count - 1;
    out->wet = 1e-4f;
    out->touching = 0.1f;
    for (int j = 0; j < count; j++) {
        const cells *c = &rows[j];
        near[j] = (rl_box_row){.from = 1 + j % 3, // none at the sides is unknown
                               .end = width - 1 - j % 2,
                               .bed = c->bed,
                               .depth = c->depth,
                               .floor = j % 4 > 0 && j + 1 < count ? c->floor : NULL,
                               .lower = c->lower,
                               .upper = c->upper};
        out->run[j] = (rl_box_run){0.0f, (float)(width + 1), 0.3f, 0.02f};
    }
    const rl_box_seen seen = table->read(near, out);
    table->lower_dry(out, 0.7f);
    table->fill(out);
    table->sweep(out);
    return seen;
}

TEST(each_table_finds_the_same_levels)
{
    for (int round = 0; round < ROUNDS; round++) {
        const int width = 3 + round % (RL_BOX_SIDE - 2), count = 3 + round / 2 % 9;
        static cells rows[12];
        static rl_box_levels want, got;
        for (int j = 0; j < count; j++)
            make_cells(&rows[j]);
        const rl_box_seen seen = find_levels(&rl_box_rows_scalar, rows, width, count, &want);
        FOR_EACH_ISA (isa) {
            const rl_box_rows *table = RL_ROWS_OF(isa, rl_box_rows);
            const rl_box_seen also = find_levels(table, rows, width, count, &got);
            const size_t bytes = (size_t)width * sizeof(float);
            assert_true(also.highest == seen.highest && also.lowest == seen.lowest);
            assert_int_equal(also.some_dry, seen.some_dry);
            assert_memory_equal(got.unknown, want.unknown, sizeof got.unknown);
            for (int j = 0; j < count; j++) {
                assert_memory_equal(got.kind[j], want.kind[j], bytes);
                assert_memory_equal(got.level[j], want.level[j], bytes);
            }
        }
    }
}
