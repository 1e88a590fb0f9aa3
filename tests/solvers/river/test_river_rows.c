// SPDX-License-Identifier: MIT
// Every instruction set must give the bits of the plain scalar loops over squares, for ordinary and
// for nasty values. The oracle is river_rows.c compiled for one float at a time; what that computes
// is held against the formulas in double.
#include "core/cpu.h"
#include "core/numbers.h"
#include "solvers/river/river_rows.h"
#include "tests/kit/instruction_sets.h"
#include "tests/kit/kit.h"

#define RL_ISA scalar
#include "solvers/river/river_rows.c"

#include "rill/support.h"

#define ROUNDS 60

// Packed squares of one trial, each a name; dense rows are those of a field of three squares by
// three, of which the middle one is worked on.
enum {
    HERE,
    WEST,
    EAST,
    SOUTH,
    NORTH,
    WEIGHT_X,
    WEIGHT_X_EAST,
    WEIGHT_Y,
    WEIGHT_Y_NORTH,
    DIAGONAL,
    INVERSE,
    B,
    OUT,
    X,
    D,
    PACKED
};
enum { U, V, U_NEXT, V_NEXT, OPEN_X, OPEN_Y, WET, DENSE };

typedef struct trial {
    _Alignas(RILL_ALIGNMENT) float packed[PACKED][RL_RIVER_AREA];
    _Alignas(RILL_ALIGNMENT) float sums[RL_SQUARE];
    rl_river_measure measure;
    rill_field dense[DENSE];
    float largest;
} trial;

static uint64_t counter;

static float unit(void)
{
    return rl_random_unit(3, 5, counter++);
}

static float nasty(void)
{
    static const float sizes[] = {0.0f, 1e-38f, 1e-20f, 1e-9f, 1e-4f, 1.0f, 1.0f, 30.0f};
    return sizes[(int)(unit() * 8.0f)] * (2.0f * unit() - 1.0f);
}

static void create_trial(trial *t)
{
    memset(t, 0, sizeof *t);
    for (int n = 0; n < DENSE; n++)
        assert_true(rill_field_create(NULL, 3 * RL_SQUARE, 3 * RL_SQUARE, 1, &t->dense[n]));
}

static void trial_destroy(trial *t)
{
    for (int n = 0; n < DENSE; n++)
        rill_field_destroy(NULL, &t->dense[n]);
}

static void fill_trial(trial *t)
{
    for (int n = 0; n < PACKED; n++)
        for (int c = 0; c < RL_RIVER_AREA; c++)
            t->packed[n][c] = n >= WEIGHT_X && n <= INVERSE ? fabsf(nasty()) : nasty();
    for (int n = 0; n < DENSE; n++)
        for (int j = 0; j < 3 * RL_SQUARE; j++)
            for (int i = 0; i < 3 * RL_SQUARE; i++)
                rill_field_row(&t->dense[n], j)[i] =
                    n < OPEN_X ? nasty() : (unit() < 0.3f ? 0.0f : 0.1f + unit());
}

static void copy_trial(trial *to, const trial *from)
{
    memcpy(to->packed, from->packed, sizeof to->packed);
    memset(to->sums, 0, sizeof to->sums);
    memset(&to->measure, 0, sizeof to->measure);
    to->largest = 0.0f;
    for (int n = 0; n < DENSE; n++)
        memcpy(to->dense[n].memory, from->dense[n].memory, from->dense[n].bytes);
}

static float *middle(trial *t, int name)
{
    return rill_field_row(&t->dense[name], RL_SQUARE) + RL_SQUARE;
}

static rl_river_patch patch_of(trial *t)
{
    return (rl_river_patch){t->packed[HERE], t->packed[WEST], t->packed[EAST], t->packed[SOUTH],
                            t->packed[NORTH]};
}

static rl_river_stencil stencil_of(trial *t)
{
    return (rl_river_stencil){t->packed[WEIGHT_X], t->packed[WEIGHT_X_EAST],
                              t->packed[WEIGHT_Y], t->packed[WEIGHT_Y_NORTH],
                              t->packed[DIAGONAL], t->packed[INVERSE]};
}

static rl_river_dense dense_of(trial *t, int rows)
{
    return (rl_river_dense){.rows = rows,
                            .pitch = t->dense[U].pitch,
                            .u = middle(t, U),
                            .v = middle(t, V),
                            .u_next = middle(t, U_NEXT),
                            .v_next = middle(t, V_NEXT),
                            .open_x = middle(t, OPEN_X),
                            .open_y = middle(t, OPEN_Y),
                            .known_x = middle(t, OPEN_X),
                            .known_y = middle(t, OPEN_Y),
                            .wet = middle(t, WET),
                            .u_before = t->packed[X],
                            .v_before = t->packed[D]};
}

static rl_river_dense faces_of(trial *t)
{
    return dense_of(t, RL_SQUARE - (int)counter % 3);
}

// ---- The loops -------------------------------------------------------------------------

static void run_apply(const rl_river_rows *rows, trial *t)
{
    const rl_river_patch p = patch_of(t);
    const rl_river_stencil a = stencil_of(t);
    rows->apply(&a, &p, t->packed[OUT], t->sums);
}

static void run_advance(const rl_river_rows *rows, trial *t)
{
    t->largest = rows->advance(t->packed[X], t->packed[D], t->packed[B], t->packed[HERE],
                               t->packed[INVERSE], t->packed[OUT], 0.37f, 0.6f);
}

static void run_dot(const rl_river_rows *rows, trial *t)
{
    rows->dot(t->packed[X], t->packed[D], t->sums);
}

static void run_relax(const rl_river_rows *rows, trial *t)
{
    rows->relax(t->packed[B], t->packed[INVERSE], t->packed[OUT], 0.6f);
}

static void run_smooth(const rl_river_rows *rows, trial *t)
{
    const rl_river_patch p = patch_of(t);
    const rl_river_stencil a = stencil_of(t);
    rows->smooth(&a, &p, t->packed[B], t->packed[OUT], 1.4f, t->sums);
}

static void run_residual(const rl_river_rows *rows, trial *t)
{
    const rl_river_patch p = patch_of(t);
    const rl_river_stencil a = stencil_of(t);
    rows->residual(&a, &p, t->packed[B], t->packed[OUT]);
}

static void run_follow(const rl_river_rows *rows, trial *t)
{
    rows->follow(t->packed[B], t->packed[INVERSE], t->packed[D], 0.8f);
}

static void run_between_levels(const rl_river_rows *rows, trial *t)
{
    rows->restrict_to(t->packed[HERE], t->packed[OUT], 0);
    rows->restrict_to(t->packed[B], t->packed[OUT] + RL_SQUARE / 2, 1);
    rows->prolong(t->packed[X], t->packed[D]);
}

static void run_advect(const rl_river_rows *rows, trial *t)
{
    const rl_river_dense f = faces_of(t);
    rows->advect(&f, 0.7f, counter % 2 ? 1.0f : -1.0f);
}

static void run_diffuse(const rl_river_rows *rows, trial *t)
{
    const rl_river_dense f = faces_of(t);
    rows->diffuse(&f, 0.3f, counter % 2 ? 0.0f : 2.0f, (int)counter % 2);
}

static void run_inflow(const rl_river_rows *rows, trial *t)
{
    const rl_river_dense c = dense_of(t, RL_SQUARE - (int)counter % 4);
    rows->inflow(&c, t->packed[OUT], 4.0f, &t->measure);
}

static void run_push(const rl_river_rows *rows, trial *t)
{
    const rl_river_patch p = patch_of(t);
    const rl_river_stencil a = stencil_of(t);
    const rl_river_dense f = dense_of(t, RL_SQUARE - 1);
    rows->push(&a, &p, &f, 0.5f);
}

static void run_scale(const rl_river_rows *rows, trial *t)
{
    const rl_river_dense f = dense_of(t, RL_SQUARE - 1);
    rows->scale(&f, 1.01f);
}

static const struct {
    const char *name;
    void (*run)(const rl_river_rows *rows, trial *t);
} loops[] = {
    {"apply", run_apply},     {"advance", run_advance},       {"dot", run_dot},
    {"relax", run_relax},     {"smooth", run_smooth},         {"residual", run_residual},
    {"follow", run_follow},   {"levels", run_between_levels}, {"advect", run_advect},
    {"diffuse", run_diffuse}, {"inflow", run_inflow},         {"push", run_push},
    {"scale", run_scale},
};

static void assert_same(const trial *want, const trial *got, const char *isa, const char *loop)
{
    bool same = memcmp(want->packed, got->packed, sizeof want->packed) == 0 &&
                memcmp(want->sums, got->sums, sizeof want->sums) == 0 &&
                memcmp(&want->measure, &got->measure, sizeof want->measure) == 0 &&
                memcmp(&want->largest, &got->largest, sizeof want->largest) == 0;
    for (int n = 0; n < DENSE; n++)
        same =
            same && memcmp(want->dense[n].memory, got->dense[n].memory, want->dense[n].bytes) == 0;
    if (!same)
        fail_msg("%s of %s differs from the scalar loop", loop, isa);
}

TEST(each_table_gives_the_bits_of_the_scalar_loops)
{
    static trial start, want, got;
    create_trial(&start);
    create_trial(&want);
    create_trial(&got);
    for (int round = 0; round < ROUNDS; round++)
        for (size_t l = 0; l < sizeof loops / sizeof loops[0]; l++) {
            fill_trial(&start);
            copy_trial(&want, &start);
            loops[l].run(&rl_river_rows_scalar, &want);
            FOR_EACH_ISA (isa) {
                const rl_river_rows *table = RL_ROWS_OF(isa, rl_river_rows);
                copy_trial(&got, &start);
                loops[l].run(table, &got);
                assert_same(&want, &got, table->isa, loops[l].name);
            }
        }
    trial_destroy(&start);
    trial_destroy(&want);
    trial_destroy(&got);
}

// ---- The formulas ----------------------------------------------------------------------

static double neighbour(trial *t, int x, int y)
{
    const int name = x < 0            ? WEST
                     : x >= RL_SQUARE ? EAST
                     : y < 0          ? SOUTH
                     : y >= RL_SQUARE ? NORTH
                                      : HERE;
    const int i = (x + RL_SQUARE) % RL_SQUARE, j = (y + RL_SQUARE) % RL_SQUARE;
    return (double)t->packed[name][j * RL_SQUARE + i];
}

TEST(a_product_is_the_sum_over_five_cells)
{
    static trial t;
    create_trial(&t);
    for (int n = 0; n < PACKED; n++)
        for (int c = 0; c < RL_RIVER_AREA; c++)
            t.packed[n][c] = unit();
    run_apply(&rl_river_rows_scalar, &t);
    for (int y = 0; y < RL_SQUARE; y++)
        for (int x = 0; x < RL_SQUARE; x++) {
            const int at = y * RL_SQUARE + x;
            const double east =
                (double)(x + 1 < RL_SQUARE ? t.packed[WEIGHT_X][at + 1]
                                           : t.packed[WEIGHT_X_EAST][y * RL_SQUARE]);
            const double north = (double)(y + 1 < RL_SQUARE ? t.packed[WEIGHT_Y][at + RL_SQUARE]
                                                            : t.packed[WEIGHT_Y_NORTH][x]);
            const double want = (double)t.packed[DIAGONAL][at] * neighbour(&t, x, y) -
                                (double)t.packed[WEIGHT_X][at] * neighbour(&t, x - 1, y) -
                                east * neighbour(&t, x + 1, y) -
                                (double)t.packed[WEIGHT_Y][at] * neighbour(&t, x, y - 1) -
                                north * neighbour(&t, x, y + 1);
            assert_true(fabs(want - (double)t.packed[OUT][at]) < 1e-6);
        }
    trial_destroy(&t);
}

// Sums of four go up, values come down: (R a) . b = a . (P b).
TEST(going_up_and_coming_down_are_transposed)
{
    static trial t;
    create_trial(&t);
    fill_trial(&t);
    for (int c = 0; c < RL_RIVER_AREA; c++) {
        t.packed[HERE][c] = unit();
        t.packed[X][c] = unit();
        t.packed[D][c] = 0.0f;
    }
    rl_river_rows_scalar.restrict_to(t.packed[HERE], t.packed[OUT], 0);
    rl_river_rows_scalar.prolong(t.packed[X], t.packed[D]);
    double up = 0.0, down = 0.0;
    for (int y = 0; y < RL_SQUARE / 2; y++)
        for (int x = 0; x < RL_SQUARE / 2; x++)
            up += (double)t.packed[OUT][y * RL_SQUARE + x] * (double)t.packed[X][y * RL_SQUARE + x];
    for (int c = 0; c < RL_RIVER_AREA; c++)
        down += (double)t.packed[HERE][c] * (double)t.packed[D][c];
    assert_true(fabs(up - down) < 1e-4);
    trial_destroy(&t);
}

// A field that is linear in space and carried by a uniform flow is shifted exactly.
TEST(a_linear_field_is_carried_exactly)
{
    static trial t;
    create_trial(&t);
    const float across = 0.3f; // v, m/s; u = 2 + 0.01 x + 0.02 y is what is carried
    for (int j = -1; j < 3 * RL_SQUARE + 1; j++)
        for (int i = 0; i < 3 * RL_SQUARE; i++) {
            rill_field_row(&t.dense[U], j)[i] = 2.0f + 0.01f * (float)i + 0.02f * (float)j;
            rill_field_row(&t.dense[V], j)[i] = across;
            rill_field_row(&t.dense[OPEN_X], j)[i] = 1.0f;
            rill_field_row(&t.dense[OPEN_Y], j)[i] = 1.0f;
        }
    const rl_river_dense f = faces_of(&t);
    const float step = 0.2f;
    rl_river_rows_scalar.advect(&f, step, 1.0f);
    for (int y = 0; y < f.rows; y++)
        for (int x = 0; x < RL_SQUARE; x++) {
            const double u = (double)middle(&t, U)[(size_t)y * f.pitch + (size_t)x];
            const double want = u - 0.01 * u * (double)step - 0.02 * (double)across * (double)step;
            const double got = (double)middle(&t, U_NEXT)[(size_t)y * f.pitch + (size_t)x];
            assert_true(fabs(want - got) < 1e-6);
        }
    trial_destroy(&t);
}

// What is carried from beyond a bank is the water's own velocity, or its mirror image.
TEST(a_bank_is_slid_along_or_held_to)
{
    static trial t;
    create_trial(&t);
    const float step = 0.5f, across = 0.4f;
    for (int j = -1; j < 3 * RL_SQUARE + 1; j++)
        for (int i = 0; i < 3 * RL_SQUARE; i++) {
            const float wet = j >= RL_SQUARE ? 1.0f : 0.0f; // land south of the middle square
            rill_field_row(&t.dense[U], j)[i] = 2.0f * wet;
            rill_field_row(&t.dense[V], j)[i] = across;
            rill_field_row(&t.dense[OPEN_X], j)[i] = wet;
            rill_field_row(&t.dense[OPEN_Y], j)[i] = 1.0f;
        }
    const rl_river_dense f = faces_of(&t);
    for (int holds = 0; holds < 2; holds++) {
        rl_river_rows_scalar.advect(&f, step, holds ? -1.0f : 1.0f);
        for (int x = 0; x < RL_SQUARE; x++) {
            const float want = holds ? 2.0f - step * across * 4.0f : 2.0f;
            assert_true(fabsf(middle(&t, U_NEXT)[x] - want) < 1e-6f);
            assert_true(fabsf(middle(&t, U_NEXT)[f.pitch + (size_t)x] - 2.0f) < 1e-6f);
        }
    }
    trial_destroy(&t);
}
