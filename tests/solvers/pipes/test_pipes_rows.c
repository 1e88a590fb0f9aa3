// SPDX-License-Identifier: MIT
// Every instruction set must give the bits of the plain scalar loops, on rows of any length, for
// ordinary and for nasty values. The oracle is pipes_rows.c compiled for one float at a time.
#include "core/cpu.h"
#include "solvers/pipes/pipes_rows.h"
#include "solvers/shared/blocks.h"
#include "tests/kit/instruction_sets.h"
#include "tests/kit/kit.h"
#include "tests/solvers/pipe_values.h"

#include "rill/support.h"

#define LONGEST 70
#define ROUNDS  40

extern const rl_pipes_rows rl_pipes_rows_scalar;

// Rows of one trial; each table works on its own copy.
enum {
    BED,
    BED_NORTH,
    DEPTH,
    DEPTH_NORTH,
    QX,
    QY,
    QY_SOUTH_OLD,
    QY_NORTH_OLD,
    QY_SOUTH,
    SHARE,
    SHARE_NORTH,
    REMAINDER,
    QY_OUT,
    QY_NORTH_OUT,
    LOWER,
    UPPER,
    LOWER_NORTH,
    UPPER_NORTH,
    HUNG_LOWER,
    HUNG_UPPER,
    HUNG_LOWER_NORTH,
    HUNG_UPPER_NORTH,
    KEPT,
    UNDER_X,
    UNDER_Y,
    UNDER_Y_SOUTH,
    BELOW,
    ABOVE,
    BELOW_NORTH,
    ABOVE_NORTH,
    VELOCITY_X,
    VELOCITY_Y,
    ROWS
};

typedef struct trial {
    rill_field rows; // one row a quantity
    int nx, open_west, is_short, limited;
    float deepest;
} trial;

// Something hangs in every fourth cell of some lines: high above the water or in it, with much room
// below or with none but a hair.
static void hang_bodies(trial *t, int lower_row, int floor_row, int depth_row)
{
    float *lower = rill_field_row(&t->rows, lower_row),
          *upper = rill_field_row(&t->rows, lower_row + 1);
    const float *floor = rill_field_row(&t->rows, floor_row);
    const float *depth = rill_field_row(&t->rows, depth_row);
    bool empty = false;
    for (int i = -RILL_MARGIN_X; i < LONGEST + RILL_MARGIN_X; i++) {
        lower[i] = RL_BLOCK_NO_LOWER;
        upper[i] = RL_BLOCK_NO_UPPER;
        if (i % RL_PIPES_LINE == 0)
            empty = unit() < 0.4f;
        if (i < 0 || i >= t->nx || floor[i] > 1e20f || empty || unit() < 0.75f)
            continue;
        const float room = unit() < 0.5f   ? depth[i] * 2.0f * unit()
                           : unit() < 0.5f ? depth[i]
                                           : 5.0f;
        lower[i] = floor[i] + room + 1e-6f;
        upper[i] = lower[i] + (unit() < 0.5f ? 0.01f : 3.0f) * unit();
    }
}

static void fill_trial(trial *t, int nx)
{
    t->nx = nx;
    t->open_west = unit() < 0.5f;
    for (int row = 0; row < ROWS; row++) {
        float *r = rill_field_row(&t->rows, row);
        const bool bed = row == BED || row == BED_NORTH,
                   limiter = row == SHARE || row == SHARE_NORTH;
        for (int i = -RILL_MARGIN_X; i < LONGEST + RILL_MARGIN_X; i++)
            r[i] = bed ? 1e30f : limiter ? 1.0f : 0.0f;
        for (int i = -1; i <= nx; i++) {
            const float sign = unit() < 0.5f ? -1.0f : 1.0f;
            if (bed)
                r[i] = unit() < 0.1f ? 1e30f : 4.0f * unit() - 2.0f;
            else if (row == DEPTH || row == DEPTH_NORTH)
                r[i] = nasty();
            else if (limiter)
                r[i] = i < 0 || i >= nx ? 1.0f : unit();
            else if (row == REMAINDER)
                r[i] = sign * 1e-9f * unit();
            else
                r[i] = sign * nasty();
        }
    }
    if (!t->open_west)
        for (int i = -RILL_MARGIN_X; i < 0; i++)
            rill_field_row(&t->rows, QX)[i] = 0.0f;
    hang_bodies(t, LOWER, BED, DEPTH);
    hang_bodies(t, LOWER_NORTH, BED_NORTH, DEPTH_NORTH);
}

// Where trials begin, what is wanted of them and what they got.
static void begin_trials(trial *start, trial *want, trial *got)
{
    trial *const trials[] = {start, want, got};
    for (int n = 0; n < 3; n++) {
        *trials[n] = (trial){0};
        assert_true(rill_field_create(NULL, LONGEST, ROWS, 0, &trials[n]->rows));
    }
}

static void end_trials(trial *start, trial *want, trial *got)
{
    rill_field_destroy(NULL, &start->rows);
    rill_field_destroy(NULL, &want->rows);
    rill_field_destroy(NULL, &got->rows);
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

static void run_flow(const rl_pipes_rows *table, trial *t, rl_pipe_coef k, int variant)
{
    const rl_pipes_flow_row row = {
        .nx = t->nx,
        .open_west = t->open_west,
        .bed = row_of(t, BED),
        .bed_north = row_of(t, BED_NORTH),
        .bed_south = row_of(t, BED_NORTH),
        .depth = row_of(t, DEPTH),
        .depth_north = row_of(t, DEPTH_NORTH),
        .qx = row_of(t, QX),
        .qx_out = row_of(t, QX),
        .qy = row_of(t, QY),
        .qy_out = row_of(t, QY_OUT),
        .qy_south_old = row_of(t, QY_SOUTH_OLD),
        .qy_north_old = row_of(t, QY_NORTH_OLD),
        .qy_south = row_of(t, QY_SOUTH),
        .limiter = row_of(t, SHARE),
        .ahead = {row_of(t, BED), row_of(t, DEPTH), row_of(t, QX), row_of(t, QY),
                  row_of(t, REMAINDER)},
    };
    t->is_short = table->flow[variant / 6][variant / 2 % 3][variant % 2](&row, k);
    rl_pipes_flow_row north = row;
    north.qy = row_of(t, QY_NORTH_OLD);
    north.qy_out = row_of(t, QY_NORTH_OUT);
    table->flow_north[variant / 6][variant / 2 % 3][variant % 2](&north, k);
}

static void run_fill(const rl_pipes_rows *table, trial *t, rl_pipe_coef k, int limited)
{
    const rl_pipes_fill_row row = {
        .nx = t->nx,
        .limiter = rill_field_row(&t->rows, SHARE),
        .limiter_north = rill_field_row(&t->rows, SHARE_NORTH),
        .qx = rill_field_row(&t->rows, QX),
        .qy_new = rill_field_row(&t->rows, QY),
        .qy = rill_field_row(&t->rows, QY_NORTH_OLD),
        .qy_south = rill_field_row(&t->rows, QY_SOUTH),
        .depth = rill_field_row(&t->rows, DEPTH),
        .remainder = rill_field_row(&t->rows, REMAINDER),
    };
    // As the sweep leaves them: an open ghost must not count, and nothing flows beyond it.
    rill_field_row(&t->rows, DEPTH)[t->nx] = -1e30f;
    row.qx[t->nx] = rill_field_row(&t->rows, QY)[t->nx] = 0.0f;
    t->deepest = limited ? table->limit_and_fill(&row, k) : table->fill(&row, k);
    table->limit(rill_field_row(&t->rows, QY_SOUTH_OLD), row.limiter, row.limiter_north, t->nx);
}

static rl_pipes_block_row block_row(const trial *t, int floor, int depth, int lower)
{
    return (rl_pipes_block_row){rill_field_row(&t->rows, floor), rill_field_row(&t->rows, depth),
                                rill_field_row(&t->rows, lower),
                                rill_field_row(&t->rows, lower + 1)};
}

// A sweep's own rows of what hangs.
typedef struct hung_cells {
    uint64_t cells[LONGEST / 64 + 2];
    int lines[LONGEST / RL_PIPES_LINE + 1];
} hung_cells;

// What hangs in row `lower`, where something else was before: all that is left of it must go.
static rl_pipes_hung find_hung(const rl_pipes_rows *table, trial *t, int lower, int before,
                               int hung_lower, hung_cells *own)
{
    rl_pipes_hung hung = {.lower = rill_field_row(&t->rows, hung_lower),
                          .upper = rill_field_row(&t->rows, hung_lower + 1),
                          .cells = own->cells,
                          .lines = own->lines};
    *own = (hung_cells){{0}, {0}};
    for (int i = -RILL_MARGIN_X; i < LONGEST + RILL_MARGIN_X; i++) {
        hung.lower[i] = RL_BLOCK_NO_LOWER;
        hung.upper[i] = RL_BLOCK_NO_UPPER;
    }
    int lines[LONGEST / RL_PIPES_LINE + 1], count = 0;
    const rl_pipes_set_row old = {rill_field_row(&t->rows, before),
                                  rill_field_row(&t->rows, before + 1), lines,
                                  (t->nx - 1) / RL_PIPES_LINE + 1};
    for (int line = 0; line < old.line_count; line++)
        lines[line] = line;
    table->find_hung(&old, &hung);
    const float *want = rill_field_row(&t->rows, lower);
    for (int line = 0; line < old.line_count; line++) {
        bool some = false;
        for (int n = 0; n < RL_PIPES_LINE; n++)
            some |= want[line * RL_PIPES_LINE + n] < RL_BLOCK_NO_LOWER;
        lines[count] = line;
        count += some;
    }
    const rl_pipes_set_row now = {want, rill_field_row(&t->rows, lower + 1), lines, count};
    table->find_hung(&now, &hung);
    assert_int_equal(hung.line_count, count);
    for (int i = 0; i < t->nx; i++) {
        assert_true(hung.lower[i] == want[i]);
        assert_true(hung.upper[i] == now.upper[i]);
        assert_int_equal(hung.cells[i / 64] >> i % 64 & 1, want[i] < RL_BLOCK_NO_LOWER);
    }
    return hung;
}

// All faces beside something that hangs are in the vectors, each once.
static void assert_places(const rl_pipes_rows *table, const trial *t, const rl_pipes_places *places)
{
    const float *lower = rill_field_row(&t->rows, LOWER),
                *north = rill_field_row(&t->rows, LOWER_NORTH);
    for (int n = 1; n < places->count; n++)
        assert_true(places->at[n] >= places->at[n - 1] + table->lanes);
    for (int i = -1, n = 0; i < t->nx; i++) {
        while (n < places->count && i >= places->at[n] + table->lanes)
            n++;
        const bool beside = lower[i] < RL_BLOCK_NO_LOWER || lower[i + 1] < RL_BLOCK_NO_LOWER ||
                            north[i] < RL_BLOCK_NO_LOWER;
        if (beside && (n == places->count || i < places->at[n]))
            fail_msg("%s: cell %d of %d is in no vector", table->isa, i, t->nx);
    }
}

static int unlimited;

// Where nothing is to be limited, limiting changes nothing.
static void assert_all_admitted(const rl_pipes_rows *table, const rl_pipes_inflow_row *row, int nx)
{
    float qx[LONGEST + 2 * RILL_MARGIN_X], qy[LONGEST + 2 * RILL_MARGIN_X];
    float ones[LONGEST + 2 * RILL_MARGIN_X];
    for (int i = -RILL_MARGIN_X; i < LONGEST + RILL_MARGIN_X; i++)
        ones[RILL_MARGIN_X + i] = 1.0f;
    memcpy(qx, row->qx - RILL_MARGIN_X, sizeof qx);
    memcpy(qy, row->qy - RILL_MARGIN_X, sizeof qy);
    rl_pipes_inflow_row all = *row;
    all.north = (rl_pipes_inflow_limiter_row){ones + RILL_MARGIN_X, ones + RILL_MARGIN_X};
    all.qx = qx + RILL_MARGIN_X;
    all.qy = qy + RILL_MARGIN_X;
    table->limit_inflow(&all);
    assert_memory_equal(all.qx, row->qx, (size_t)nx * sizeof(float));
    assert_memory_equal(all.qy, row->qy, (size_t)nx * sizeof(float));
    unlimited += row->places.count > 0;
}

// Faces beside bodies, what their cells let in, and velocities. The row south is the one north.
static void run_blocked(const rl_pipes_rows *table, trial *t, rl_pipe_coef k, int variant)
{
    hung_cells own, own_north;
    const rl_pipes_hung hung = find_hung(table, t, LOWER, LOWER_NORTH, HUNG_LOWER, &own);
    const rl_pipes_hung hung_north =
        find_hung(table, t, LOWER_NORTH, LOWER, HUNG_LOWER_NORTH, &own_north);
    int at[LONGEST];
    rl_pipes_places places = {at, 0};
    const rl_pipes_beside_row beside = {.hung = hung.cells,
                                        .hung_north = hung_north.cells,
                                        .words = LONGEST / 64 + 2,
                                        .smooth = variant % 2,
                                        .qx = row_of(t, QX),
                                        .kept = row_of(t, KEPT),
                                        .places = &places};
    table->find_beside(&beside, k);
    assert_places(table, t, &places);
    const rl_pipes_block_row here = block_row(t, BED, DEPTH, HUNG_LOWER);
    const rl_pipes_block_row north = block_row(t, BED_NORTH, DEPTH_NORTH, HUNG_LOWER_NORTH);
    const rl_pipes_inflow_limiter_row in = {row_of(t, BELOW), row_of(t, ABOVE)};
    const rl_pipes_blocked_row faces = {.places = places,
                                        .smooth = variant % 2,
                                        .here = here,
                                        .north = north,
                                        .kept = row_of(t, KEPT),
                                        .qy = row_of(t, QY),
                                        .qy_south_old = row_of(t, QY_SOUTH_OLD),
                                        .qy_north_old = row_of(t, QY_NORTH_OLD),
                                        .under_south = row_of(t, UNDER_Y_SOUTH),
                                        .qx_out = row_of(t, QY_NORTH_OUT),
                                        .qy_out = row_of(t, QY_OUT),
                                        .under_x = row_of(t, UNDER_X),
                                        .under_y = row_of(t, UNDER_Y),
                                        .inflow = in};
    t->limited = table->blocked[variant / 6][variant / 2 % 3](&faces, k);
    const rl_pipes_velocity_row velocity = {0,
                                            t->nx,
                                            1,
                                            1e-4f,
                                            here,
                                            north,
                                            north,
                                            row_of(t, QX),
                                            row_of(t, QY),
                                            row_of(t, QY_SOUTH),
                                            row_of(t, VELOCITY_X),
                                            row_of(t, VELOCITY_Y)};
    table->velocity(&velocity);
    const rl_pipes_inflow_row limit_inflow = {
        .places = places,
        .lower = hung.lower,
        .lower_north = hung_north.lower,
        .here = in,
        .north = {row_of(t, BELOW_NORTH), row_of(t, ABOVE_NORTH)},
        .under_x = row_of(t, UNDER_X),
        .under_y = row_of(t, UNDER_Y),
        .qx = row_of(t, QY_NORTH_OUT),
        .qy = row_of(t, QY_OUT)};
    if (!t->limited)
        assert_all_admitted(table, &limit_inflow, t->nx);
    table->limit_inflow(&limit_inflow);
    // What was written beside the cells that were asked for is nobody's.
    for (int i = 0; i < t->nx; i++) {
        const bool hangs = row_of(t, LOWER)[i] < RL_BLOCK_NO_LOWER;
        const bool hangs_north = row_of(t, LOWER_NORTH)[i] < RL_BLOCK_NO_LOWER;
        const bool hangs_east = row_of(t, LOWER)[i + 1] < RL_BLOCK_NO_LOWER;
        if (!hangs)
            row_of(t, BELOW)[i] = row_of(t, ABOVE)[i] = 1.0f;
        if (!hangs && !hangs_east)
            row_of(t, KEPT)[i] = row_of(t, UNDER_X)[i] = 0.0f;
        if (!hangs && !hangs_north)
            row_of(t, UNDER_Y)[i] = 0.0f;
    }
}

// A box of one row finds what the row itself finds.
static void assert_box_same(const rl_pipes_rows *table, trial *t)
{
    float *rows[ROWS], u[RL_PIPES_BOX + RILL_MARGIN_X], v[RL_PIPES_BOX + RILL_MARGIN_X];
    for (int row = 0; row < ROWS; row++)
        rows[row] = rill_field_row(&t->rows, row);
    const rl_pipes_block_row here = block_row(t, BED, DEPTH, LOWER);
    const rl_pipes_block_row north = block_row(t, BED_NORTH, DEPTH_NORTH, LOWER_NORTH);
    const rl_pipes_velocity_row row = {.end = t->nx,
                                       .hangs = 1,
                                       .wet = 1e-4f,
                                       .here = here,
                                       .south = north,
                                       .north = north,
                                       .qx = rows[QX],
                                       .qy = rows[QY_SOUTH],
                                       .qy_south = rows[QY],
                                       .velocity_x = rows[VELOCITY_X],
                                       .velocity_y = rows[VELOCITY_Y]};
    table->velocity(&row);
    const int first = (int)(unit() * (float)t->nx), rest = t->nx - first;
    const int most = rest < RL_PIPES_BOX ? rest : RL_PIPES_BOX;
    const rl_pipes_velocity_box box = {.first = first,
                                       .width = 1 + (int)(unit() * (float)most) % most,
                                       .rows = 1,
                                       .wet = row.wet,
                                       .cells = (const rl_pipes_block_row[]){north, here, north},
                                       .qx = row.qx,
                                       .qy = row.qy,
                                       .pitch = (size_t)(row.qy - row.qy_south),
                                       .velocity_x = u,
                                       .velocity_y = v};
    table->velocities(&box);
    for (int n = 0; n < box.width; n++)
        if (memcmp(&u[n], &row.velocity_x[first + n], sizeof u[n]) != 0 ||
            memcmp(&v[n], &row.velocity_y[first + n], sizeof v[n]) != 0)
            fail_msg("%s: cell %d of a box of %d: %.9g, not %.9g", table->isa, n, box.width,
                     (double)u[n], (double)row.velocity_x[first + n]);
}

// Bodies go from row LOWER_NORTH to row LOWER, and some of the floors with them. VELOCITY_X and _Y
// together hold what is displaced.
static void run_give_way(const rl_pipes_rows *table, trial *t)
{
    t->deepest = -1.0f;
    for (int i = 0; i < t->nx; i += RL_PIPES_LINE) {
        double displaced[RL_PIPES_LINE];
        float *rows[ROWS];
        for (int row = 0; row < ROWS; row++)
            rows[row] = rill_field_row(&t->rows, row) + i;
        const int count = i + RL_PIPES_LINE < t->nx ? RL_PIPES_LINE : t->nx - i;
        for (int n = 0; n < count; n++)
            displaced[n] = (double)rows[VELOCITY_X][n] + (double)rows[VELOCITY_Y][n];
        const rl_pipes_change_row row = {
            .count = count,
            .film = 1e-4f,
            .bed = rows[BED],
            .old = {rows[BED_NORTH], NULL, rows[LOWER_NORTH], rows[UPPER_NORTH]},
            .now = {rows[BED], NULL, rows[LOWER], rows[UPPER]},
            .depth = rows[DEPTH],
            .remainder = rows[REMAINDER],
            .displaced = displaced};
        const float deepest = table->give_way(&row);
        t->deepest = deepest > t->deepest ? deepest : t->deepest;
        for (int n = 0; n < count; n++) {
            rows[VELOCITY_X][n] = (float)displaced[n];
            rows[VELOCITY_Y][n] = (float)(displaced[n] - (double)(float)displaced[n]);
        }
    }
}

static void assert_same(const char *isa, const trial *want, const trial *got, const char *what)
{
    for (int row = 0; row < ROWS; row++) {
        if (row == SHARE && !want->is_short)
            continue; // not written
        const float *a = rill_field_row(&want->rows, row), *b = rill_field_row(&got->rows, row);
        const int first = row == QX && want->open_west ? -1 : 0;
        for (int i = first; i < want->nx; i++)
            if (memcmp(&a[i], &b[i], sizeof a[i]) != 0)
                fail_msg("%s, %s: row %d, cell %d of %d: %.9g, not %.9g", isa, what, row, i,
                         want->nx, (double)b[i], (double)a[i]);
    }
    assert_memory_equal(&want->deepest, &got->deepest, sizeof want->deepest);
}

TEST(each_table_gives_the_bits_of_the_scalar_loops)
{
    trial start, want, got;
    begin_trials(&start, &want, &got);
    for (int round = 0; round < ROUNDS; round++)
        for (int nx = 4; nx <= LONGEST - 1; nx += 1 + round % 3)
            for (int variant = 0; variant < 12; variant++) {
                const rl_pipe_coef k = coefficients();
                fill_trial(&start, nx);
                copy_trial(&want, &start);
                run_flow(&rl_pipes_rows_scalar, &want, k, variant);
                FOR_EACH_ISA (isa) {
                    const rl_pipes_rows *table = RL_ROWS_OF(isa, rl_pipes_rows);
                    copy_trial(&got, &start);
                    run_flow(table, &got, k, variant);
                    // The flag may differ only by a ghost that pays for everything.
                    if (want.is_short)
                        assert_true(got.is_short);
                    assert_same(table->isa, &want, &got, "flow");
                }
                copy_trial(&want, &start);
                run_blocked(&rl_pipes_rows_scalar, &want, k, variant);
                want.is_short = 0;
                FOR_EACH_ISA (isa) {
                    const rl_pipes_rows *table = RL_ROWS_OF(isa, rl_pipes_rows);
                    copy_trial(&got, &start);
                    run_blocked(table, &got, k, variant);
                    assert_same(table->isa, &want, &got, "blocked");
                    assert_int_equal(want.limited, got.limited);
                }
                copy_trial(&want, &start);
                run_fill(&rl_pipes_rows_scalar, &want, k, variant & 1);
                want.is_short = 1;
                FOR_EACH_ISA (isa) {
                    const rl_pipes_rows *table = RL_ROWS_OF(isa, rl_pipes_rows);
                    copy_trial(&got, &start);
                    run_fill(table, &got, k, variant & 1);
                    assert_same(table->isa, &want, &got, "fill");
                }
            }
    assert_true(unlimited > 100);
    end_trials(&start, &want, &got);
}

TEST(boxes_have_the_velocities_of_rows)
{
    trial t = {0};
    assert_true(rill_field_create(NULL, LONGEST, ROWS, 0, &t.rows));
    for (int round = 0; round < 10 * ROUNDS; round++) {
        fill_trial(&t, 4 + round % (LONGEST - 4));
        assert_box_same(&rl_pipes_rows_scalar, &t);
        FOR_EACH_ISA (isa)
            assert_box_same(RL_ROWS_OF(isa, rl_pipes_rows), &t);
    }
    rill_field_destroy(NULL, &t.rows);
}

// Giving way moves water to what is displaced and loses none; where nothing has changed it does
// nothing.
TEST(water_that_gives_way_is_displaced)
{
    trial start, want, got;
    begin_trials(&start, &want, &got);
    int changed = 0, kept = 0;
    for (int round = 0; round < 40 * ROUNDS; round++) {
        fill_trial(&start, 4 + round % (LONGEST - 5));
        float *rows[ROWS];
        for (int row = 0; row < ROWS; row++)
            rows[row] = rill_field_row(&start.rows, row);
        for (int i = 0; i < start.nx; i++) {
            rows[BED][i] = rows[BED][i] > 1e29f ? 0.0f : rows[BED][i];
            rows[BED_NORTH][i] = rows[BED][i] + (unit() < 0.3f ? unit() : 0.0f);
            rows[VELOCITY_X][i] = rows[VELOCITY_Y][i] = 0.0f;
            for (int k = 0; k < 2 && unit() < 0.5f; k++)
                rows[LOWER_NORTH + k][i] = rows[LOWER + k][i];
        }
        copy_trial(&want, &start);
        run_give_way(&rl_pipes_rows_scalar, &want);
        for (int i = 0; i < start.nx; i++) {
            const float *depth = rill_field_row(&want.rows, DEPTH);
            const float *left = rill_field_row(&want.rows, REMAINDER);
            const double displaced = (double)rill_field_row(&want.rows, VELOCITY_X)[i] +
                                     (double)rill_field_row(&want.rows, VELOCITY_Y)[i];
            const double before = (double)rows[DEPTH][i] + (double)rows[REMAINDER][i];
            const double after = (double)depth[i] + (double)left[i];
            // `before` and what is displaced are sums of two floats: a few roundings of doubles.
            assert_true(fabs(before - after - displaced) <= 1e-14 * (fabs(before) + fabs(after)));
            assert_true(depth[i] >= 0.0f);
            const bool same = rows[BED][i] == rows[BED_NORTH][i] &&
                              rows[LOWER][i] == rows[LOWER_NORTH][i] &&
                              rows[UPPER][i] == rows[UPPER_NORTH][i];
            kept += same;
            changed += depth[i] != rows[DEPTH][i];
            if (same)
                assert_true(depth[i] == rows[DEPTH][i] && left[i] == rows[REMAINDER][i] &&
                            displaced == 0.0);
        }
        FOR_EACH_ISA (isa) {
            const rl_pipes_rows *table = RL_ROWS_OF(isa, rl_pipes_rows);
            copy_trial(&got, &start);
            run_give_way(table, &got);
            assert_same(table->isa, &want, &got, "giving way");
        }
    }
    assert_true(changed > 1000 && kept > 1000);
    end_trials(&start, &want, &got);
}

TEST(a_cell_never_gives_more_than_it_holds)
{
    for (int n = 0; n < 200000; n++) {
        const rl_pipe_coef k = coefficients();
        float depth = nasty(), left = 0.0f, q[4];
        for (int face = 0; face < 4; face++)
            q[face] = (unit() < 0.5f ? -1.0f : 1.0f) * nasty();
        const float leaving = rl_pipe_leaving(q[0], q[1], q[2], q[3], k);
        const float limiter = rl_pipe_outflow_limiter(depth, leaving);
        assert_true(limiter >= 0.0f && limiter <= 1.0f);
        // Only outflow is limited by this cell; inflow comes as it is.
        q[0] = rl_pipe_limit(q[0], 1.0f, limiter);
        q[1] = rl_pipe_limit(q[1], limiter, 1.0f);
        q[2] = rl_pipe_limit(q[2], 1.0f, limiter);
        q[3] = rl_pipe_limit(q[3], limiter, 1.0f);
        depth = rl_pipe_fill(depth, &left, q[0], q[1], q[2], q[3], k);
        assert_true(depth >= 0.0f);
    }
}

TEST(a_remainder_brings_back_what_rounding_drops)
{
    // A metre of water that loses a nanometre a step, far below the grain of a float.
    rl_pipe_coef k = coefficients();
    k.spread = 1.0f;
    float depth = 1.0f, left = 0.0f;
    for (int n = 0; n < 1000000; n++)
        depth = rl_pipe_fill(depth, &left, 0.0f, 1e-9f, 0.0f, 0.0f, k);
    assert_true(fabsf(depth - 0.999f) < 1e-6f);
}
