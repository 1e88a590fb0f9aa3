// SPDX-License-Identifier: MIT
// Every instruction set must give the bits of the plain scalar loops, on rows of any length, for
// ordinary and for nasty values, dead slots and flooded columns among them. The oracle is
// layers_rows.c compiled for one float at a time: here, where no instruction set is asked for.
#include "core/cpu.h"
#include "solvers/layers/layers_cell.h"
#include "solvers/layers/layers_rows.h"
#include "tests/kit/instruction_sets.h"
#include "tests/kit/kit.h"
#include "tests/solvers/pipe_values.h"

#define RL_ISA scalar
#include "solvers/layers/layers_rows.c"

#include "rill/support.h"

#define LONGEST 70
#define ROUNDS  12
#define DEAD    1e30f

// Rows of one trial; each table works on its own copy.
enum {
    BASE,
    BASE_NORTH,
    TOP,
    TOP_NORTH,
    DEPTH,
    DEPTH_NORTH,
    QX,
    QY,
    QY_SOUTH,
    QY_NORTH,
    COSINE_X,
    COSINE_Y,
    RAW_X,
    RAW_Y,
    RAW_Y_SOUTH,
    SHARE,
    SHARE_SOUTH,
    SHARE_NORTH,
    ROOM,
    ROOM_SOUTH,
    ROOM_NORTH,
    EXTRA,
    FLOODED,
    REMAINDER,
    SHARE_OUT,
    SHARE_IN,
    ROWS
};

typedef struct trial {
    rill_field rows; // one row a quantity
    int first, end, open_west, covered;
    int is_short;
    float deepest;
    rl_layers_chunk chunk;
} trial;

static float either_sign(float value)
{
    return unit() < 0.5f ? -value : value;
}

static bool is_between(int row, int low, int high)
{
    return row >= low && row <= high;
}

static float usual_value(int row)
{
    if (row == BASE || row == BASE_NORTH)
        return 4.0f * unit() - 2.0f;
    if (row == DEPTH || row == DEPTH_NORTH || row == EXTRA)
        return nasty();
    if (is_between(row, SHARE, ROOM_NORTH))
        return unit() < 0.3f ? 1.0f : unit();
    if (is_between(row, COSINE_X, COSINE_Y))
        return 0.25f + 0.75f * unit();
    if (row == FLOODED)
        return unit() < 0.2f ? 1.0f : 0.0f;
    if (row == REMAINDER)
        return either_sign(1e-9f * unit());
    return either_sign(nasty());
}

static float dead_value(int row, int covered)
{
    if (row == BASE || row == BASE_NORTH)
        return covered ? 0.0f : DEAD;
    if (row == TOP || row == TOP_NORTH)
        return -DEAD;
    return is_between(row, SHARE, ROOM_NORTH) || is_between(row, COSINE_X, COSINE_Y) ||
                   row == SHARE_OUT || row == SHARE_IN
               ? 1.0f
               : 0.0f;
}

static bool belongs_north(int row)
{
    return row == BASE_NORTH || row == TOP_NORTH || row == DEPTH_NORTH;
}

// Some slots are dead, in this row or in that north of it.
static void fill_trial(trial *t, int end)
{
    t->end = end;
    t->first = end > 20 && unit() < 0.5f ? 16 : 0;
    t->open_west = t->first == 0 && unit() < 0.5f;
    t->covered = unit() < 0.6f;
    float *rows[ROWS];
    for (int row = 0; row < ROWS; row++)
        rows[row] = rill_field_row(&t->rows, row);
    for (int i = -RILL_MARGIN_X; i < LONGEST + RILL_MARGIN_X; i++) {
        const bool inside = i >= (t->open_west ? -1 : t->first) && i <= end;
        const bool live = inside && unit() < 0.9f, live_north = inside && unit() < 0.9f;
        for (int row = 0; row < ROWS; row++)
            rows[row][i] = (belongs_north(row) ? live_north : live) ? usual_value(row)
                                                                    : dead_value(row, t->covered);
        rows[SHARE_OUT][i] = rows[SHARE_IN][i] = 1.0f;
        if (live)
            rows[TOP][i] = unit() < 0.1f ? DEAD : rows[BASE][i] + 3.0f * unit() * unit();
        if (live_north)
            rows[TOP_NORTH][i] = rows[BASE_NORTH][i] + 3.0f * unit();
        // Many columns are near their ceilings.
        if (live && unit() < 0.5f)
            rows[DEPTH][i] =
                rl_layers_full_depth(rows[BASE][i], rows[TOP][i]) * (1.0f - 1e-6f * unit());
        if (!live || !inside)
            rows[RAW_X][i] = rows[RAW_Y][i] = rows[RAW_Y_SOUTH][i] = 0.0f;
        if (i < 0 || i >= end)
            rows[SHARE][i] = rows[ROOM][i] = 1.0f;
    }
    for (int n = 0; n < RL_LAYERS_CHUNK; n++) {
        rl_layers_chunk *c = &t->chunk;
        c->base_i[n] = usual_value(BASE);
        c->base_j[n] = usual_value(BASE);
        c->depth_i[n] = nasty();
        c->depth_j[n] = nasty();
        c->top_i[n] = unit() < 0.5f ? DEAD : c->base_i[n] + 2.0f * unit();
        c->top_j[n] = c->base_j[n] + 2.0f * unit();
        c->q[n] = either_sign(nasty());
    }
}

static float *row_of(const trial *t, int row)
{
    return rill_field_row(&t->rows, row);
}

static void copy_trial(trial *to, const trial *from)
{
    const rill_field rows = to->rows;
    *to = *from;
    to->rows = rows;
    memcpy(to->rows.memory, from->rows.memory, rows.bytes);
}

// ---- Running a table -------------------------------------------------------------------

static void run_flow(const rl_layers_rows *table, trial *t, rl_pipe_coef k, int variant)
{
    const rl_layers_flow_row row = {
        .first = t->first,
        .end = t->end,
        .open_west = t->open_west,
        .base = row_of(t, BASE),
        .depth = row_of(t, DEPTH),
        .top = row_of(t, TOP),
        .base_north = row_of(t, BASE_NORTH),
        .depth_north = row_of(t, DEPTH_NORTH),
        .top_north = row_of(t, TOP_NORTH),
        .qx = row_of(t, QX),
        .qy = row_of(t, QY),
        .qy_south = row_of(t, QY_SOUTH),
        .qy_north = row_of(t, QY_NORTH),
        .cosine_x = row_of(t, COSINE_X),
        .cosine_y = row_of(t, COSINE_Y),
        .raw_x = variant % 5 == 4 ? NULL : row_of(t, RAW_X),
        .raw_y = row_of(t, RAW_Y),
    };
    const int kind = variant % 8, slowed = variant / 8 % 3, smooth = variant / 24 % 2;
    const int rounded = (kind & ~RL_PIPE_CEILINGS) | (t->covered ? RL_PIPE_CEILINGS : 0);
    table->flow[rounded][slowed][smooth](&row, k);
    table->cross[kind & RL_PIPE_PAPER][slowed](&t->chunk, 48, k);
}

static void run_limiters(const rl_layers_rows *table, trial *t, rl_pipe_coef k, int variant)
{
    const rl_layers_fill_row out = {
        .first = t->first,
        .end = t->end,
        .reset = variant & 1,
        .depth = row_of(t, DEPTH),
        .raw_x = row_of(t, RAW_X),
        .raw_y = row_of(t, RAW_Y),
        .raw_y_south = row_of(t, RAW_Y_SOUTH),
        .extra = row_of(t, EXTRA),
        .flooded = row_of(t, FLOODED),
        .limiter = row_of(t, SHARE_OUT),
    };
    t->is_short = table->outflow_limiter[t->covered][variant / 2 % 2](&out, k);
    const rl_layers_fill_row in = {
        .first = t->first,
        .end = t->end,
        .reset = variant & 1,
        .base = row_of(t, BASE),
        .depth = row_of(t, DEPTH),
        .remainder = row_of(t, REMAINDER),
        .top = row_of(t, TOP),
        .flooded = row_of(t, FLOODED),
        .raw_x = row_of(t, RAW_X),
        .raw_y = row_of(t, RAW_Y),
        .raw_y_south = row_of(t, RAW_Y_SOUTH),
        .limiter = row_of(t, SHARE),
        .limiter_south = row_of(t, SHARE_SOUTH),
        .limiter_north = row_of(t, SHARE_NORTH),
        .extra = row_of(t, EXTRA),
        .inflow = row_of(t, SHARE_IN),
    };
    t->is_short += 2 * table->inflow_limiter[variant / 4 % 2](&in, k);
}

static void run_fill(const rl_layers_rows *table, trial *t, rl_pipe_coef k, int variant)
{
    // As a step leaves them: an open ghost must not count, and nothing flows beyond it.
    row_of(t, DEPTH)[t->end] = -DEAD;
    row_of(t, RAW_X)[t->end] = row_of(t, RAW_Y)[t->end] = 0.0f;
    const rl_layers_fill_row row = {
        .first = t->first,
        .end = t->end,
        .open_west = t->open_west,
        .raw_x = row_of(t, RAW_X),
        .raw_y = row_of(t, RAW_Y),
        .raw_y_south = row_of(t, RAW_Y_SOUTH),
        .limiter = row_of(t, SHARE),
        .limiter_south = row_of(t, SHARE_SOUTH),
        .limiter_north = row_of(t, SHARE_NORTH),
        .inflow = row_of(t, ROOM),
        .inflow_south = row_of(t, ROOM_SOUTH),
        .inflow_north = row_of(t, ROOM_NORTH),
        .extra = row_of(t, EXTRA),
        .base = row_of(t, BASE),
        .top = row_of(t, TOP),
        .flooded = row_of(t, FLOODED),
        .qx = row_of(t, QX),
        .qy = row_of(t, QY),
        .depth = row_of(t, DEPTH),
        .remainder = row_of(t, REMAINDER),
    };
    t->deepest = table->fill[t->covered][variant & 1][variant / 2 % 2](&row, k);
}

static void run_look(const rl_layers_rows *table, trial *t, KIT_UNUSED rl_pipe_coef k, int variant)
{
    const rl_layers_columns_row row = {
        .first = t->first,
        .end = t->end,
        .wet = 1e-6f,
        .base = row_of(t, BASE),
        .base_south = row_of(t, BASE_NORTH),
        .base_north = row_of(t, BASE_NORTH),
        .depth = row_of(t, DEPTH),
        .depth_south = row_of(t, DEPTH_NORTH),
        .depth_north = row_of(t, DEPTH_NORTH),
        .top = row_of(t, TOP),
        .top_south = row_of(t, TOP_NORTH),
        .top_north = row_of(t, TOP_NORTH),
        .qx = row_of(t, QX),
        .qy = row_of(t, QY),
        .qy_south = row_of(t, QY_SOUTH),
        .velocity_x = row_of(t, SHARE),
        .velocity_y = row_of(t, SHARE_SOUTH),
        .liquid_x = row_of(t, RAW_X),
        .liquid_y = row_of(t, RAW_Y),
    };
    table->sum_faces[t->covered](&row);
    if (variant > 0)
        table->divide_sums(&row);
}

// ---- Comparing -------------------------------------------------------------------------

static void assert_same(const char *isa, const trial *want, const trial *got, const char *what)
{
    for (int row = 0; row < ROWS; row++) {
        const float *a = rill_field_row(&want->rows, row), *b = rill_field_row(&got->rows, row);
        const bool west = want->open_west && (row == RAW_X || row == QX);
        for (int i = west ? -1 : want->first; i < want->end; i++)
            if (memcmp(&a[i], &b[i], sizeof a[i]) != 0)
                fail_msg("%s, %s: row %d, cell %d of %d: %.9g, not %.9g", isa, what, row, i,
                         want->end, (double)b[i], (double)a[i]);
    }
    assert_memory_equal(&want->deepest, &got->deepest, sizeof want->deepest);
    assert_memory_equal(want->chunk.q, got->chunk.q, 48 * sizeof(float));
    // A flag may differ only by a ghost, which pays for everything and has room for it.
    assert_int_equal(want->is_short & ~got->is_short, 0);
}

typedef void (*runner)(const rl_layers_rows *table, trial *t, rl_pipe_coef k, int variant);

static void compare(runner run, int variants, const char *what)
{
    trial start = {0}, want = {0}, got = {0};
    assert_true(rill_field_create(NULL, LONGEST, ROWS, 0, &start.rows));
    assert_true(rill_field_create(NULL, LONGEST, ROWS, 0, &want.rows));
    assert_true(rill_field_create(NULL, LONGEST, ROWS, 0, &got.rows));
    for (int round = 0; round < ROUNDS; round++)
        for (int end = 4; end < LONGEST; end += 1 + round % 3)
            for (int variant = 0; variant < variants; variant++) {
                const rl_pipe_coef k = coefficients();
                fill_trial(&start, end);
                copy_trial(&want, &start);
                run(&rl_layers_rows_scalar, &want, k, variant);
                FOR_EACH_ISA (isa) {
                    const rl_layers_rows *table = RL_ROWS_OF(isa, rl_layers_rows);
                    copy_trial(&got, &start);
                    run(table, &got, k, variant);
                    assert_same(table->isa, &want, &got, what);
                }
            }
    rill_field_destroy(NULL, &start.rows);
    rill_field_destroy(NULL, &want.rows);
    rill_field_destroy(NULL, &got.rows);
}

TEST(each_table_has_the_same_flow)
{
    compare(run_flow, 48, "flow");
}

TEST(each_table_has_the_same_limiters)
{
    compare(run_limiters, 8, "limiters");
}

TEST(each_table_fills_the_same)
{
    compare(run_fill, 4, "fill");
}

TEST(each_table_sees_the_same_velocities)
{
    compare(run_look, 2, "look");
}

// ---- One column ------------------------------------------------------------------------

TEST(a_full_column_is_not_above_its_ceiling_and_next_to_it)
{
    for (int n = 0; n < 1000000; n++) {
        const float scale = n % 2 ? 1.0f : 1e-3f;
        const float base = scale * (2.0f * unit() - 1.0f), top = base + scale * unit() * unit();
        if (!(base < top))
            continue;
        const float depth = rl_layers_full_depth(base, top);
        assert_true(depth >= 0.0f && base + depth <= top);
        const float more = depth * (1.0f + 0x1p-21f) + 0x1p-22f * (top > 0.0f ? top : -top);
        assert_true(base + more >= top);
    }
}

// A column that is filled by no more than its limiter of what arrives stays below its ceiling, and
// lowering it changes its liquid by nothing.
TEST(a_filled_column_keeps_below_its_ceiling_and_loses_nothing)
{
    int lowered = 0;
    for (int n = 0; n < 1000000; n++) {
        const rl_pipe_coef k = coefficients();
        const float base = 4.0f * unit() - 2.0f, top = base + unit();
        if (!(base < top))
            continue;
        float depth = rl_layers_full_depth(base, top) * (1.0f - (n % 3 ? 1e-6f : 1.0f) * unit());
        float left = either_sign(3e-8f * depth * unit());
        const float q = nasty(), before = depth;
        const float arriving = rl_pipe_arriving(q, 0.0f, 0.0f, 0.0f, k);
        const float limiter =
            rl_pipe_inflow_limiter(rl_layers_capacity(base, depth, left, top), arriving);
        const double liquid = (double)depth + (double)left + (double)(k.spread * (q * limiter));
        depth = rl_pipe_fill(depth, &left, q * limiter, 0.0f, 0.0f, 0.0f, k);
        lowered += rl_layers_above(base, depth, top);
        depth = rl_layers_lowered(base, depth, &left, top);
        assert_true(depth >= 0.0f && base + depth <= top);
        const double change = liquid - (double)before;
        const double error = (double)depth + (double)left - liquid;
        assert_true((error < 0 ? -error : error) <=
                    0x1p-22 * (change < 0 ? -change : change) + 0x1p-46);
    }
    assert_true(lowered > 1000);
}

// Where a depth has a coarser grain than the room above it, liquid must not gather in the
// remainder.
TEST(a_full_column_takes_nothing_more_however_long_it_is_offered)
{
    const rl_pipe_coef k = coefficients();
    for (int n = 0; n < 1000; n++) {
        const float base = -1.0f - unit(), top = 0.1f * unit() - 0.05f;
        float depth = rl_layers_full_depth(base, top), left = 0.0f;
        for (int step = 0; step < 1000; step++) {
            const float room = rl_layers_capacity(base, depth, left, top);
            const float limiter = rl_pipe_inflow_limiter(room, rl_pipe_arriving(1, 0, 0, 0, k));
            depth = rl_pipe_fill(depth, &left, limiter, 0.0f, 0.0f, 0.0f, k);
            depth = rl_layers_lowered(base, depth, &left, top);
        }
        assert_true(base + depth <= top);
        assert_true((double)depth + (double)left <= (double)top - (double)base + 0x1p-22);
    }
}
