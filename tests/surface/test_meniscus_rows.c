// SPDX-License-Identifier: MIT
// test_meniscus_rows.c - the loops over columns with a meniscus: every instruction set must find
// the bits that the plain loops find, one float at a time, and a step must find what its rule says.
#include "surface/meniscus_rows.h"
#include "tests/kit/instruction_sets.h"
#include "tests/kit/kit.h"

#include "core/numbers.h"

#include <math.h>

#define PITCH  64
#define ROWS   3
#define CELLS  (PITCH * ROWS)
#define FAR    RL_MENISCUS_FAR
#define ROUNDS 400

extern const rl_meniscus_rows rl_meniscus_rows_scalar;

static uint64_t counter;

static float unit(void)
{
    return rl_random_unit(7, 11, counter++);
}

// Three rows with a rim: dry columns, wet ones with and without a boundary column, some
// of which lack links or are in the same cell as it.
typedef struct rows {
    float now[RL_MENISCUS_SHORE][CELLS], next[RL_MENISCUS_SHORE][CELLS], level[CELLS];
    uint8_t link[CELLS], alone[CELLS], moved[CELLS], moves[CELLS];
} rows;

static bool on_rim(int n, int nx)
{
    return n % PITCH == 0 || n % PITCH > nx;
}

static void make_rows(rows *r, int nx)
{
    memset(r, 0, sizeof *r);
    for (int n = 0; n < CELLS; n++) {
        const float kind = unit();
        const bool dry = on_rim(n, nx) || kind < 0.1f, known = kind < 0.7f;
        const int i = n % PITCH - 1 + (int)(9.0f * unit()) - 4,
                  j = n / PITCH + (int)(9.0f * unit()) - 5;
        const float x = (float)(i - n % PITCH + 1), y = (float)(j - n / PITCH + 1);
        r->now[0][n] = dry ? NAN : known ? 0.5f * sqrtf(x * x + y * y) + 0.1f * unit() : FAR;
        r->now[1][n] = (float)i;
        r->now[2][n] = (float)j;
        r->now[3][n] = (float)(int)(6.0f * unit());
        r->level[n] = unit();
        r->alone[n] = !on_rim(n, nx) && unit() < 0.02f;
        r->link[n] = r->alone[n] ? (uint8_t)(255.0f * unit()) : 0xff;
        r->moved[n] = !on_rim(n, nx) && unit() < 0.05f;
        for (int f = 0; f < RL_MENISCUS_SHORE; f++)
            r->next[f][n] = r->now[f][n];
    }
}

static rl_meniscus_row middle_row(rows *r, int nx, int first, int end)
{
    const size_t at = PITCH + 1;
    rl_meniscus_row row = {nx,
                           0,
                           PITCH,
                           0.5f,
                           first,
                           end,
                           r->link + at,
                           r->alone + at,
                           r->moved + at,
                           {NULL},
                           r->moves + at,
                           {NULL}};
    for (int f = 0; f < RL_MENISCUS_SHORE; f++) {
        row.now[f] = r->now[f] + at;
        row.next[f] = r->next[f] + at;
    }
    return row;
}

// What a column takes over, written out from the rule: the neighbours in their order, sides first.
static void reckon_one(const rows *r, int n, float out[RL_MENISCUS_SHORE])
{
    static const int x[8] = {1, 0, -1, 0, 1, -1, -1, 1}, y[8] = {0, 1, 0, -1, 1, 1, -1, -1};
    for (int f = 0; f < RL_MENISCUS_SHORE; f++)
        out[f] = r->now[f][n];
    for (int k = 0; k < 8; k++) {
        const int other = n + x[k] + PITCH * y[k], way = k < 4 ? 2 * k : 2 * k - 7;
        const float far = k < 4 ? 0.5f : 0.5f * 1.41421356237309505f;
        if (!(r->link[n] >> way & 1) || !(r->now[0][other] + far < out[0]))
            continue;
        const float i = r->now[1][other] - (float)(n % PITCH - 1), j = r->now[2][other];
        const float straight = sqrtf(i * i + j * j) * 0.5f;
        if (!(straight > 0.0f))
            continue;
        out[0] = straight;
        for (int f = 1; f < RL_MENISCUS_SHORE; f++)
            out[f] = r->now[f][other];
    }
}

static bool moved_beside(const rows *r, int n)
{
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++)
            if (r->moved[n + x + PITCH * y])
                return true;
    return false;
}

// Checks a step against the rule; the others keep what they have, or what the rule says.
static void check_step(const rows *r, int nx, rl_meniscus_span changed)
{
    for (int i = 0; i < nx; i++) {
        const int n = PITCH + 1 + i;
        float want[RL_MENISCUS_SHORE];
        reckon_one(r, n, want);
        const bool differs = want[0] < FAR && (!(r->now[0][n] < FAR) || want[1] != r->now[1][n] ||
                                               want[2] != r->now[2][n] || want[3] != r->now[3][n]);
        if (moved_beside(r, n) && !isnan(r->now[0][n]))
            for (int f = 0; f < RL_MENISCUS_SHORE; f++)
                assert_true(r->next[f][n] == want[f]);
        if (moved_beside(r, n) && !isnan(r->now[0][n]))
            assert_int_equal(r->moves[n], differs);
        if (r->moves[n])
            assert_true(i >= changed.first && i < changed.end);
        if (isnan(r->now[0][n]))
            assert_true(isnan(r->next[0][n]) && r->moves[n] == 0);
    }
}

TEST(a_step_takes_over_the_nearest_boundary_column_of_linked_columns)
{
    static rows r;
    for (int round = 0; round < ROUNDS; round++) {
        const int nx = 16 + round % (PITCH - 18);
        FOR_EACH_ISA (isa) {
            make_rows(&r, nx);
            const rl_meniscus_row row = middle_row(&r, nx, 0, nx);
            check_step(&r, nx, RL_ROWS_OF(isa, rl_meniscus_rows)->reckon(&row));
        }
    }
}

// Outside the cells that can change, nothing is written that would change anything.
TEST(a_step_leaves_cells_alone_that_cannot_change)
{
    static rows r;
    for (int first = 0; first < 30; first++)
        FOR_EACH_ISA (isa) {
            make_rows(&r, 37);
            memset(r.moved, 0, sizeof r.moved);
            const rl_meniscus_row row = middle_row(&r, 37, first, 37);
            const rl_meniscus_span changed = RL_ROWS_OF(isa, rl_meniscus_rows)->reckon(&row);
            assert_int_equal(changed.end, 0);
            assert_memory_equal(r.next, r.now, sizeof r.now);
        }
}

// ---- Bending -----------------------------------------------------------------------------

static void make_batch(rl_meniscus_batch *b)
{
    for (int k = 0; k < RL_MENISCUS_BATCH; k++) {
        for (int f = 0; f < RL_AROUND_FIELDS; f++)
            b->around[f][k] = 4.0f * unit() - 2.0f;
        b->around[RL_AROUND_DISTANCE][k] = 6.0f * unit();
        for (int f = RL_AROUND_EAST; f <= RL_AROUND_SOUTH; f++)
            b->around[f][k] =
                b->around[RL_AROUND_DISTANCE][k] + (unit() < 0.2f ? 0.0f : unit() - 0.5f);
        b->around[RL_AROUND_BOTH_X][k] = unit() < 0.8f;
        b->around[RL_AROUND_BOTH_Y][k] = unit() < 0.8f;
        b->around[RL_AROUND_X][k] = (float)(1 + (int)(5.0f * unit()));
        b->around[RL_AROUND_Y][k] = (float)((int)(9.0f * unit()) - 4);
        b->around[RL_AROUND_WALL][k] = unit() < 0.2f;
        for (int f = RL_AROUND_GRADIENT_X; f < RL_AROUND_FIELDS && unit() < 0.3f; f++)
            b->around[f][k] = 0.0f;
    }
}

TEST(each_table_bends_columns_alike)
{
    static rl_meniscus_batch want, got;
    const rl_meniscus_rule rule = {1.0f, 4.0f, 0.5f};
    for (int round = 0; round < ROUNDS; round++) {
        make_batch(&want);
        const int n = 1 + round % RL_MENISCUS_BATCH;
        rl_meniscus_rows_scalar.bend(&want, &rule, n);
        FOR_EACH_ISA (isa) {
            got = want;
            memset(got.bent, 0, sizeof got.bent);
            RL_ROWS_OF(isa, rl_meniscus_rows)->bend(&got, &rule, n);
            for (int f = 0; f < RL_BENT_FIELDS; f++)
                assert_memory_equal(got.bent[f], want.bent[f], (size_t)n * sizeof(float));
        }
        for (int k = 0; k < n; k++)
            assert_true(want.bent[RL_BENT_WEIGHT][k] >= 0.0f &&
                        want.bent[RL_BENT_WEIGHT][k] <= 1.0f);
    }
}

// A level basin with a wall to the east: the angle is what is left of a right angle, the weight
// falls off with the distance, and beyond the length there is nothing.
TEST(a_wall_bends_by_the_right_angle_less_the_contact_angle)
{
    static rl_meniscus_batch b;
    const rl_meniscus_rule rule = {1.0f, 4.0f, 0.5f};
    FOR_EACH_ISA (isa) {
        memset(&b, 0, sizeof b);
        for (int k = 0; k < 8; k++) {
            b.around[RL_AROUND_DISTANCE][k] = b.around[RL_AROUND_X][k] = (float)(k + 1);
            b.around[RL_AROUND_EAST][k] = (float)k;
            b.around[RL_AROUND_WEST][k] = (float)(k + 2);
            b.around[RL_AROUND_NORTH][k] = b.around[RL_AROUND_SOUTH][k] = (float)(k + 1);
            b.around[RL_AROUND_BOTH_X][k] = b.around[RL_AROUND_BOTH_Y][k] =
                b.around[RL_AROUND_WALL][k] = 1.0f;
        }
        RL_ROWS_OF(isa, rl_meniscus_rows)->bend(&b, &rule, 8);
        for (int k = 0; k < 8; k++) {
            const float weight = 1.0f - ((float)k + 0.5f) / 4.0f;
            assert_true(b.bent[RL_BENT_WEIGHT][k] == (weight > 0.0f ? weight : 0.0f));
            assert_true(b.bent[RL_BENT_X][k] == (weight > 0.0f ? 1.0f : 0.0f));
            assert_true(b.bent[RL_BENT_Y][k] == 0.0f);
            assert_true(b.bent[RL_BENT_ANGLE][k] ==
                        (weight > 0.0f ? RL_SHORE_RIGHT_ANGLE - 0.5f : 0.0f));
        }
    }
}

// ---- What columns know -------------------------------------------------------------------

TEST(each_table_sees_the_same_neighbours)
{
    static rows r;
    static rl_meniscus_batch want, got;
    for (int round = 0; round < ROUNDS; round++) {
        make_rows(&r, 40);
        const size_t at = PITCH + 1 + (size_t)(round % 25);
        rl_meniscus_group group = {round % 25, 0, PITCH, 0.5f, {NULL}, r.level + at};
        for (int f = 0; f < RL_MENISCUS_SHORE; f++)
            group.now[f] = r.now[f] + at;
        rl_meniscus_rows_scalar.gather(&group, &want, 16);
        FOR_EACH_ISA (isa) {
            memset(&got, 0, sizeof got);
            RL_ROWS_OF(isa, rl_meniscus_rows)->gather(&group, &got, 16);
            for (int k = 16; k < 16 + RL_MENISCUS_GROUP; k++)
                for (int f = RL_AROUND_DISTANCE;
                     f <= RL_AROUND_TILT && !isnan(r.now[0][at + (size_t)k - 16]); f++)
                    if (f != RL_AROUND_WALL && f != RL_AROUND_OVER)
                        assert_true(got.around[f][k] == want.around[f][k]);
        }
        for (int k = 0; k < RL_MENISCUS_GROUP; k++) {
            const float *here = r.now[0] + at + k;
            if (isnan(*here))
                continue;
            const float east = isnan(here[1]) ? 0.0f : here[1] < FAR ? here[1] : *here;
            assert_true(want.around[RL_AROUND_EAST][16 + k] == east);
            const bool both =
                (isnan(here[1]) || here[1] < FAR) && (isnan(here[-1]) || here[-1] < FAR);
            assert_true(want.around[RL_AROUND_BOTH_X][16 + k] == (float)both);
        }
    }
}
