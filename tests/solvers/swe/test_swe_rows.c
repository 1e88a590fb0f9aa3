// SPDX-License-Identifier: MIT
// Every instruction set must give the bits of the plain scalar loops, on rows of any length, for
// ordinary and for nasty values. The oracle is swe_rows.c compiled for one float at a time: here,
// where no instruction set is asked for.
#include "core/cpu.h"
#include "core/numbers.h"
#include "solvers/swe/swe_rows.h"
#include "tests/kit/instruction_sets.h"
#include "tests/kit/kit.h"

#define RL_ISA scalar
#include "solvers/swe/swe_rows.c"

#include "rill/support.h"

#define LONGEST 70
#define ROUNDS  10

// Rows of one trial; each table works on its own copy.
enum {
    BED,
    BED_NORTH,
    DEPTH,
    DEPTH_NORTH,
    DEPTH_OLD,
    DEPTH_OLD_NORTH,
    U_SOUTH,
    U,
    U_NORTH,
    V_SOUTH,
    V,
    V_NORTH,
    CARRIED_U_SOUTH,
    CARRIED_U,
    CARRIED_U_NORTH,
    CARRIED_V_SOUTH,
    CARRIED_V,
    CARRIED_V_NORTH,
    LOW_U,
    HIGH_U,
    LOW_V,
    HIGH_V,
    QX,
    QX_NORTH,
    QY_SOUTH,
    QY,
    QY_NORTH,
    SHARE,
    SHARE_NORTH,
    REMAINDER,
    PRESSURE_X,
    PRESSURE_Y,
    PRESSURE_Y_NORTH,
    PROFILE,
    LEVEL,
    PHI,
    OUT_0,
    OUT_1,
    OUT_2,
    OUT_3,
    OUT_4,
    OUT_5,
    ROWS
};

typedef struct trial {
    rill_field rows; // one row a quantity
    int nx, is_short;
    rl_swe_largest largest;
} trial;

static uint64_t counter;

static float unit(void)
{
    return rl_random_unit(7, 13, counter++);
}

// Sizes from nothing through tiny to enormous.
static float nasty(float largest)
{
    static const float sizes[] = {0.0f,  1e-30f, 1e-20f, 1e-12f, 1e-5f,
                                  1e-3f, 1.0f,   1.0f,   1.0f,   1.0f};
    return largest * sizes[(int)(unit() * 10.0f)] * unit();
}

static float value_for(int row)
{
    const float sign = unit() < 0.5f ? -1.0f : 1.0f;
    if (row <= BED_NORTH)
        return unit() < 0.1f ? 1e30f : 4.0f * unit() - 2.0f;
    if (row <= DEPTH_OLD_NORTH)
        return nasty(30.0f);
    if (row <= CARRIED_V_NORTH)
        return unit() < 0.1f ? -0.0f : sign * nasty(10.0f); // at most 1 with the trials' spread
    if (row <= HIGH_V)
        return row == LOW_U || row == LOW_V ? -3.0f * unit() : 3.0f * unit();
    if (row <= QY_NORTH)
        return sign * nasty(2.0f);
    if (row <= SHARE_NORTH)
        return unit();
    if (row == REMAINDER || row == PHI)
        return sign * 1e-7f * unit();
    if (row >= PRESSURE_X && row <= PRESSURE_Y_NORTH)
        return nasty(1.0f);
    if (row == PROFILE)
        return unit() < 0.5f ? 0.0f : unit();
    return row == LEVEL ? unit() : 0.0f;
}

// As the sweep has them: dry and walled beyond the row.
static void fill_trial(trial *t, int nx)
{
    t->nx = nx;
    for (int row = 0; row < ROWS; row++) {
        float *r = rill_field_row(&t->rows, row);
        const float beyond = row <= BED_NORTH                     ? 1e30f
                             : row == SHARE || row == SHARE_NORTH ? 1.0f
                                                                  : 0.0f;
        for (int i = -RILL_MARGIN_X; i < LONGEST + RILL_MARGIN_X; i++)
            r[i] = beyond;
        for (int i = 0; i < nx; i++)
            r[i] = value_for(row);
        const bool faces = row >= U_SOUTH && row <= QY_NORTH;
        if (faces)
            r[-1] = value_for(row);
        if (faces && row < QX)
            r[nx] = value_for(row);
    }
}

static void copy_trial(trial *to, const trial *from)
{
    const rill_field rows = to->rows;
    *to = *from;
    to->rows = rows;
    memcpy(to->rows.memory, from->rows.memory, rows.bytes);
}

static rl_swe_coef coefficients(void)
{
    return (rl_swe_coef){
        .pipe = {.spread = 1.0f, .outflow = RL_PIPE_LIMITER},
        .step = 0.05f,
        .spread = 0.1f,
        .push = 0.9f,
        .gravity = 9.81f,
        .calm = unit() < 0.5f ? 0.0f : 1e-3f,
        .acceleration_x = 0.01f,
        .acceleration_y = unit() < 0.5f ? 0.0f : -0.02f,
        .cliff = 1.5f,
        .cliff_part = 1.0f,
        .dry = 1e-4f,
        .film = 1e-2f,
        .fastest = 5.0f,
        .deepest = unit() < 0.5f ? 1e30f : 3.0f,
        .viscous = 3e-5f,
        .rough = 1e-3f,
    };
}

static float *row_of(const trial *t, int row)
{
    return rill_field_row(&t->rows, row);
}

static rl_swe_around around_of(const trial *t, int first)
{
    return (rl_swe_around){row_of(t, first),     row_of(t, first + 1), row_of(t, first + 2),
                           row_of(t, first + 3), row_of(t, first + 4), row_of(t, first + 5)};
}

// ---- The loops -------------------------------------------------------------------------

static void run_carry(const rl_swe_rows *table, trial *t, rl_swe_coef k)
{
    const rl_swe_carry_row row = {
        .nx = t->nx,
        .old = around_of(t, U_SOUTH),
        .u = row_of(t, OUT_0),
        .v = row_of(t, OUT_1),
        .u_low = row_of(t, OUT_2),
        .u_high = row_of(t, OUT_3),
        .v_low = row_of(t, OUT_4),
        .v_high = row_of(t, OUT_5),
    };
    table->carry(&row, k);
}

static void run_correct(const rl_swe_rows *table, trial *t, rl_swe_coef k)
{
    const rl_swe_correct_row row = {
        .nx = t->nx,
        .old = around_of(t, U_SOUTH),
        .advected = around_of(t, CARRIED_U_SOUTH),
        .u_low = row_of(t, LOW_U),
        .u_high = row_of(t, HIGH_U),
        .v_low = row_of(t, LOW_V),
        .v_high = row_of(t, HIGH_V),
        .u = row_of(t, OUT_0),
        .v = row_of(t, OUT_1),
    };
    table->correct(&row, k);
}

static void run_flow(const rl_swe_rows *table, trial *t, rl_swe_coef k)
{
    rl_swe_flow_row row = {
        .nx = t->nx,
        .u = row_of(t, U),
        .v = row_of(t, V),
        .depth = row_of(t, DEPTH),
        .depth_north = row_of(t, DEPTH_NORTH),
        .open_east = counter % 2 == 0,
        .qx_east = 0.125f,
        .qy_south = row_of(t, QY_SOUTH),
        .qx = row_of(t, OUT_0),
        .qy = row_of(t, OUT_1),
        .limiter = row_of(t, OUT_3),
    };
    if (!table->flow(&row, k))
        memset(row_of(t, OUT_3), 0, (size_t)t->nx * sizeof(float)); // not written
    row.qx = row_of(t, QX);
    row.qy = row_of(t, QY);
    row.limiter = row_of(t, OUT_2);
    t->is_short = table->limiter(&row, k);
    table->limit(row_of(t, QY_NORTH), row_of(t, SHARE), row_of(t, SHARE_NORTH), t->nx);
}

static void run_fill(const rl_swe_rows *table, trial *t, rl_swe_coef k)
{
    rl_swe_fill_row row = {
        .nx = t->nx,
        .limiter = row_of(t, SHARE),
        .limiter_north = row_of(t, SHARE_NORTH),
        .qx = row_of(t, QX),
        .qy = row_of(t, QY),
        .qy_south = row_of(t, QY_SOUTH),
        .depth = row_of(t, DEPTH),
        .remainder = row_of(t, REMAINDER),
        .depth_out = row_of(t, OUT_0),
        .remainder_out = row_of(t, OUT_1),
    };
    table->fill(&row, k);
    row.depth_out = row_of(t, OUT_2);
    row.remainder_out = row_of(t, OUT_3);
    table->limit_and_fill(&row, k);
}

static void run_push(const rl_swe_rows *table, trial *t, rl_swe_coef k)
{
    rl_swe_push_row row = {
        .nx = t->nx,
        .bed = row_of(t, BED),
        .bed_north = row_of(t, BED_NORTH),
        .depth = row_of(t, DEPTH),
        .depth_north = row_of(t, DEPTH_NORTH),
        .depth_old = row_of(t, DEPTH_OLD),
        .depth_old_north = row_of(t, DEPTH_OLD_NORTH),
        .old = around_of(t, U_SOUTH),
        .u_advected = row_of(t, CARRIED_U),
        .v_advected = row_of(t, CARRIED_V),
        .qx = row_of(t, QX),
        .qx_north = row_of(t, QX_NORTH),
        .qy_south = row_of(t, QY_SOUTH),
        .qy = row_of(t, QY),
        .qy_north = row_of(t, QY_NORTH),
        .pressure_x = row_of(t, PRESSURE_X),
        .pressure_y = row_of(t, PRESSURE_Y),
        .pressure_y_north = row_of(t, PRESSURE_Y_NORTH),
        .u = row_of(t, OUT_0),
        .v = row_of(t, OUT_1),
    };
    const int slowed = (int)(counter % RL_SWE_SLOWED_COUNT), bores = (int)(counter % 2);
    t->largest = table->push[bores][slowed](&row, k);
    row.u = row_of(t, OUT_2);
    row.v = row_of(t, OUT_3);
    table->push_kept[bores][slowed](&row, k);
}

static void run_bores(const rl_swe_rows *table, trial *t, rl_swe_coef k)
{
    const rl_swe_bore_row row = {
        .nx = t->nx,
        .at_south = counter % 3 == 0,
        .at_north = counter % 5 == 0,
        .u = row_of(t, U),
        .v_before = row_of(t, V_SOUTH),
        .v_south = row_of(t, V),
        .v_north = row_of(t, V_NORTH),
        .v_after = row_of(t, CARRIED_V),
        .bed_south = row_of(t, BED_NORTH),
        .bed = row_of(t, BED),
        .bed_north = row_of(t, BED_NORTH),
        .depth_south = row_of(t, DEPTH_NORTH),
        .depth = row_of(t, DEPTH),
        .depth_north = row_of(t, DEPTH_OLD),
        .pressure_x = row_of(t, OUT_0),
        .pressure_y = row_of(t, OUT_1),
    };
    if (!table->bores(&row, k))
        for (int i = 0; i < t->nx; i++)
            row.pressure_x[i] = row.pressure_y[i] = 0.0f; // not written
}

static void run_centre(const rl_swe_rows *table, trial *t, rl_swe_coef k)
{
    const rl_swe_centre_row row = {
        .nx = t->nx,
        .u = row_of(t, U),
        .v_south = row_of(t, V_SOUTH),
        .v = row_of(t, V),
        .bed_south = row_of(t, BED_NORTH),
        .bed = row_of(t, BED),
        .bed_north = row_of(t, BED_NORTH),
        .depth_south = row_of(t, DEPTH_OLD),
        .depth = row_of(t, DEPTH),
        .depth_north = row_of(t, DEPTH_NORTH),
        .x = row_of(t, OUT_0),
        .y = row_of(t, OUT_1),
    };
    table->centre(&row, k);
}

static void run_layers(const rl_swe_rows *table, trial *t, rl_swe_coef k)
{
    const rl_swe_absorb_row absorb_row = {
        .end = t->nx,
        .bed = row_of(t, BED),
        .profile_x = row_of(t, PROFILE),
        .level_x = row_of(t, LEVEL),
        .profile_y = 0.5f,
        .level_y = 0.7f,
        .gravity = 9.81f,
        .u = row_of(t, U),
        .v_south = row_of(t, V_SOUTH),
        .v = row_of(t, V),
        .phi = row_of(t, PHI),
        .phi_out = row_of(t, OUT_0),
        .depth = row_of(t, DEPTH),
    };
    table->absorb(&absorb_row, k);
    const rl_swe_damp_row damp_row = {
        .end = t->nx,
        .bed = row_of(t, BED),
        .bed_north = row_of(t, BED_NORTH),
        .profile_x = row_of(t, PROFILE),
        .level_x = row_of(t, LEVEL),
        .profile_y = 0.5f,
        .level_y = 0.7f,
        .profile_y_north = 0.6f,
        .level_y_north = 0.7f,
        .gravity = 9.81f,
        .u = row_of(t, CARRIED_U),
        .v = row_of(t, CARRIED_V),
    };
    table->damp(&damp_row, k);
}

typedef void (*loop)(const rl_swe_rows *table, trial *t, rl_swe_coef k);

static const struct {
    const char *name;
    loop run;
} loops[] = {{"carry", run_carry},   {"correct", run_correct}, {"flow", run_flow},
             {"fill", run_fill},     {"push", run_push},       {"bores", run_bores},
             {"centre", run_centre}, {"layers", run_layers}};

static void assert_same(const char *isa, const trial *want, const trial *got, const char *what)
{
    for (int row = 0; row < ROWS; row++) {
        if (row == OUT_2 && strcmp(what, "flow") == 0 && !want->is_short)
            continue; // not written
        const float *a = row_of(want, row), *b = row_of(got, row);
        for (int i = row == QX ? -1 : 0; i < want->nx; i++)
            if (memcmp(&a[i], &b[i], sizeof a[i]) != 0)
                fail_msg("%s, %s: row %d, cell %d of %d: %.9g, not %.9g", isa, what, row, i,
                         want->nx, (double)b[i], (double)a[i]);
    }
    assert_memory_equal(&want->largest, &got->largest, sizeof want->largest);
    // The flag may differ only by a ghost that pays for everything.
    if (want->is_short)
        assert_true(got->is_short);
}

TEST(each_table_gives_the_bits_of_the_scalar_loops)
{
    trial start = {0}, want = {0}, got = {0};
    assert_true(rill_field_create(NULL, LONGEST, ROWS, 0, &start.rows));
    assert_true(rill_field_create(NULL, LONGEST, ROWS, 0, &want.rows));
    assert_true(rill_field_create(NULL, LONGEST, ROWS, 0, &got.rows));
    for (int round = 0; round < ROUNDS; round++)
        for (int nx = 4; nx <= LONGEST - 1; nx += 1 + round % 3)
            for (size_t l = 0; l < sizeof loops / sizeof loops[0]; l++) {
                const rl_swe_coef k = coefficients();
                fill_trial(&start, nx);
                copy_trial(&want, &start);
                loops[l].run(&rl_swe_rows_scalar, &want, k);
                FOR_EACH_ISA (isa) {
                    const rl_swe_rows *table = RL_ROWS_OF(isa, rl_swe_rows);
                    copy_trial(&got, &start);
                    loops[l].run(table, &got, k);
                    assert_same(table->isa, &want, &got, loops[l].name);
                }
            }
    rill_field_destroy(NULL, &start.rows);
    rill_field_destroy(NULL, &want.rows);
    rill_field_destroy(NULL, &got.rows);
}

// ---- Single cells ----------------------------------------------------------------------

TEST(a_cube_root_is_right_to_the_last_digits)
{
    for (float a = 1e-30f; a < 1e30f; a *= 1.0123f) {
        const double error = (double)rl_inverse_cube_root(a) * cbrt((double)a) - 1.0;
        assert_true(fabs(error) < 2.0 * 0x1p-23);
    }
}

// Momentum that comes in mixes; it never makes a face faster than what it was mixed from.
TEST(kept_momentum_stays_between_what_it_is_made_from)
{
    for (int n = 0; n < 200000; n++) {
        const float u = value_for(U);
        const rl_swe_inflow side = {value_for(U), value_for(U), value_for(U), value_for(U)};
        const rl_swe_inflow in = {value_for(QX), value_for(QX), value_for(QX), value_for(QX)};
        const float now = rl_swe_keep_momentum(u, side, in, nasty(1.0f), 0.0f);
        const float low =
            fminf(u, fminf(fminf(side.west, side.east), fminf(side.south, side.north)));
        const float high =
            fmaxf(u, fmaxf(fmaxf(side.west, side.east), fmaxf(side.south, side.north)));
        assert_true(now >= low - 1e-5f && now <= high + 1e-5f);
    }
}
