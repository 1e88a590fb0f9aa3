// SPDX-License-Identifier: MIT
// What bodies leave open of cells, and what the water is told of it.
#include "bodies/blocking/body_raster.h"
#include "tests/bodies/block_water.h"
#include "tests/kit/kit.h"

#define N 64

static rl_interval_list list_of(int count, const float (*ends)[2])
{
    rl_interval_list list = {0};
    for (int n = 0; n < count; n++)
        rl_interval_add(&list, (rl_interval){ends[n][0], ends[n][1]});
    rl_interval_sort(&list);
    return list;
}

static void assert_block(rl_block block, float floor, float lower, float upper)
{
    assert_true(block.floor == floor);
    assert_true(block.lower == lower);
    assert_true(block.upper == upper);
}

// ---- One cell --------------------------------------------------------------------------

TEST(what_rests_on_the_ground_is_ground)
{
    const float crate[][2] = {{0.95f, 2.0f}}, buried[][2] = {{-3.0f, 0.5f}};
    rl_interval_list list = list_of(1, crate);
    assert_block(rl_block_compose(1.0f, &list, 0.1f, 5.0f), 2.0f, RL_BLOCK_NO_LOWER,
                 RL_BLOCK_NO_UPPER);
    assert_block(rl_block_compose(0.9f, &list, 0.1f, 5.0f), 2.0f, RL_BLOCK_NO_LOWER,
                 RL_BLOCK_NO_UPPER);
    assert_block(rl_block_compose(0.5f, &list, 0.1f, 5.0f), 0.5f, 0.95f, 2.0f);
    list = list_of(1, buried);
    assert_block(rl_block_compose(1.0f, &list, 0.1f, 5.0f), 1.0f, RL_BLOCK_NO_LOWER,
                 RL_BLOCK_NO_UPPER);
}

TEST(what_rests_on_what_rests_is_ground_too)
{
    const float pile[][2] = {{2.05f, 3.0f}, {0.0f, 1.0f}, {1.02f, 2.0f}, {4.0f, 5.0f}};
    const rl_interval_list list = list_of(4, pile);
    assert_block(rl_block_compose(0.0f, &list, 0.1f, 0.0f), 3.0f, 4.0f, 5.0f);
}

TEST(of_what_hangs_the_lowest_blocks_and_what_water_reaches)
{
    const float hanging[][2] = {{2.0f, 3.0f}, {3.05f, 4.0f}, {6.0f, 7.0f}, {9.0f, 9.5f}};
    const rl_interval_list list = list_of(4, hanging);
    assert_block(rl_block_compose(0.0f, &list, 0.1f, 1.0f), 0.0f, 2.0f, 4.0f);
    assert_block(rl_block_compose(0.0f, &list, 0.1f, 5.5f), 0.0f, 2.0f, 4.0f);
    assert_block(rl_block_compose(0.0f, &list, 0.1f, 6.5f), 0.0f, 2.0f, 7.0f);
    assert_block(rl_block_compose(0.0f, &list, 0.1f, 99.0f), 0.0f, 2.0f, 9.5f);
}

TEST(a_full_list_merges_what_is_closest)
{
    rl_interval_list list = {0};
    for (int n = 0; n < RL_CELL_INTERVALS; n++) // gaps get smaller and smaller downwards
        rl_interval_add(&list, (rl_interval){(float)(n * n), (float)(n * n) + 0.5f});
    rl_interval_add(&list, (rl_interval){200.0f, 201.0f});
    rl_interval_sort(&list);
    assert_int_equal(list.count, RL_CELL_INTERVALS);
    assert_true(list.items[0].lower == 0.0f && list.items[0].upper == 1.5f);
    assert_true(list.items[1].lower == 4.0f);
    assert_true(list.items[RL_CELL_INTERVALS - 1].upper == 201.0f);
}

// ---- Sets ------------------------------------------------------------------------------

static void assert_sets_equal(const block_water *a, const rl_blocks *one, const rl_blocks *two)
{
    for (int j = 0; j < a->ny; j++) {
        assert_int_equal(one->hangs[j], two->hangs[j]);
        const bool some = one->first[j] < one->end[j];
        assert_int_equal(some, two->first[j] < two->end[j]);
        if (some) {
            assert_int_equal(one->first[j], two->first[j]);
            assert_int_equal(one->end[j], two->end[j]);
            // A water reads whole rows of it, and the ghosts beside them.
            assert_memory_equal(rill_field_row(&one->floor, j) - 16,
                                rill_field_row(&two->floor, j) - 16,
                                (size_t)(a->nx + 32) * sizeof(float));
        }
        assert_memory_equal(rill_field_row(&one->lower, j), rill_field_row(&two->lower, j),
                            (size_t)a->nx * sizeof(float));
        assert_memory_equal(rill_field_row(&one->upper, j), rill_field_row(&two->upper, j),
                            (size_t)a->nx * sizeof(float));
    }
}

TEST(a_set_says_what_is_in_each_cell_and_nothing_else)
{
    SCOPED(block_water) *w = block_water_create(N, N, 1.0f, 2.0f, 0.0, 1);
    add_upright(w, 20.0, 30.0, 1.0, 4.0, 6.0, 2.0);  // rests: cells 18..21 x 27..32
    add_upright(w, 40.25, 30.0, 3.0, 3.0, 2.0, 1.0); // hangs: cells 39..41 x 29..30
    block_water_tell(w);
    const rl_blocks *set = w->known;
    assert_non_null(set);
    assert_true(w->tells == 1 && w->nulls == 0 && w->parts > 0 && w->bodies->has_blocks);
    for (int j = 0; j < N; j++) {
        const bool first = j >= 27 && j <= 32, second = j == 29 || j == 30;
        assert_int_equal(set->first[j] < set->end[j], first);
        assert_int_equal(set->hangs[j], second);
        if (first)
            assert_true(set->first[j] == 18 && set->end[j] == (second ? 42 : 22));
        for (int i = 0; i < N; i++) {
            const rl_block block = block_water_at(w, set, i, j);
            const bool rests = first && i >= 18 && i <= 21, hangs = second && i >= 39 && i <= 41;
            assert_block(block, rests ? 2.0f : 0.0f, hangs ? 2.5f : RL_BLOCK_NO_LOWER,
                         hangs ? 3.5f : RL_BLOCK_NO_UPPER);
        }
    }
}

// Puts n boxes anywhere, also beyond the sides and on each other.
static void scatter(block_water *w, int count, uint64_t *luck)
{
    for (int n = 0; n < count; n++) {
        const double p[3] = {chance(luck, -2, N + 2), chance(luck, -2, N + 2), chance(luck, -1, 5)};
        const double s[3] = {chance(luck, 0.5, 9), chance(luck, 0.5, 9), chance(luck, 0.5, 3)};
        const double axis[3] = {chance(luck, -1, 1), chance(luck, -1, 1), chance(luck, -1, 1)};
        add_block(w, p, s, axis, chance(luck, 0, 3));
    }
}

static void shake(block_water *w, uint64_t *luck)
{
    for (int n = 0; n < w->bodies->def.max_bodies; n++) {
        const double *p = w->bodies->items[n].position;
        if (w->bodies->items[n].alive && chance(luck, 0, 1) < 0.7)
            move_body(w, n, p[0] + chance(luck, -1, 1), p[1] + chance(luck, -1, 1),
                      p[2] + chance(luck, -0.5, 0.5));
    }
}

// The set is changed where it is; whatever it had before must be gone.
TEST(moving_bodies_leave_no_traces_in_the_set)
{
    uint64_t luck = 77;
    SCOPED(block_water) *w = block_water_create(N, N, 1.0f, 2.0f, 0.5, 1);
    scatter(w, 20, &luck);
    for (int step = 0; step < 60; step++) {
        block_water *fresh = block_water_create(N, N, 1.0f, 2.0f, 0.5, 1);
        memcpy(fresh->bodies->items, w->bodies->items, 64 * sizeof *w->bodies->items);
        memcpy(fresh->bodies->position, w->bodies->position, 3 * 8000 * sizeof(float));
        memcpy(fresh->bodies->triangles, w->bodies->triangles, 3 * 16000 * sizeof(uint32_t));
        // Water decides about bodies above each other: without any there is nothing to decide.
        memset(w->held, 0, N * N * sizeof *w->held);
        memset(fresh->held, 0, N * N * sizeof *w->held);
        for (int n = 0; n < N * N; n++) {
            block_water_show(w, n % N, n / N);
            block_water_show(fresh, n % N, n / N);
        }
        block_water_tell(w);
        block_water_tell(fresh);
        assert_sets_equal(w, w->known, fresh->known);
        block_water_destroy(&fresh);
        if (step == 30)
            for (int n = 0; n < 10; n++)
                rl_bodies_remove(w->bodies, n);
        shake(w, &luck);
    }
}

TEST(a_bed_that_changed_is_seen_by_blocking_again)
{
    SCOPED(block_water) *w = block_water_create(N, N, 1.0f, 2.0f, 0.5, 1);
    const int n = add_upright(w, 20.0, 30.0, 0.0, 4.0, 6.0, 3.0);
    for (int k = 0; k < 3; k++)
        block_water_tell(w);
    rill_field_row(&w->bed, 30)[50] = 0.75f;
    const rl_body_water view = block_water_view(w, 1.0 / 60.0);
    const int parts = w->parts;
    rl_bodies_block_again(w->bodies, &view, &w->bed);
    assert_int_equal(w->parts, parts);
    assert_true(rill_field_row(&w->known->floor, 30)[50] == 0.75f);
    block_water_tell(w);
    assert_true(rill_field_row(&w->known->floor, 30)[50] == 0.75f);
    // It may also change while nothing is blocked.
    rl_bodies_remove(w->bodies, n);
    block_water_tell(w);
    rill_field_row(&w->bed, 30)[50] = 0.25f;
    add_upright(w, 20.0, 30.0, 0.0, 4.0, 6.0, 3.0);
    for (int k = 0; k < 2; k++) {
        block_water_tell(w);
        assert_true(rill_field_row(&w->known->floor, 30)[50] == 0.25f);
    }
}

TEST(the_water_is_told_only_what_is_new_to_it)
{
    SCOPED(block_water) *w = block_water_create(N, N, 1.0f, 2.0f, 0.0, 1);
    block_water_tell(w);
    assert_int_equal(w->tells, 0);
    const int n = add_upright(w, 20.0, 30.0, 0.0, 4.0, 6.0, 3.0);
    rill_body_def passing = rill_default_body_def(); // lets the water through
    passing.position[0] = passing.position[1] = 40.0;
    passing.coupling = RILL_COUPLING_PASS;
    assert_ok(rl_bodies_add(w->bodies, &passing, NULL));
    block_water_tell(w);
    assert_true(w->tells == 1 && w->nulls == 0);
    const int parts = w->parts;
    block_water_tell(w);
    assert_true(w->tells == 1 && w->parts == parts);
    move_body(w, n, 20.5, 30.0, 0.0);
    block_water_tell(w);
    assert_true(w->tells == 1 && w->parts > parts);
    rl_bodies_remove(w->bodies, n);
    const double all = block_water_all(w);
    block_water_tell(w);
    assert_true(w->tells == 2 && w->nulls == 1 && w->known == NULL && !w->bodies->has_blocks);
    assert_true(fabs(block_water_all(w) - all) < 1e-12 * all);
    block_water_tell(w);
    assert_int_equal(w->tells, 2);
}

// A body that floats over another one, both in the water: the gap between them is not open, and
// stays so while the lower one presses the water down.
TEST(a_gap_between_two_bodies_in_the_water_is_closed)
{
    SCOPED(block_water) *w = block_water_create(N, N, 1.0f, 4.0f, 0.0, 1);
    add_upright(w, 30.0, 30.0, 1.5, 8.0, 8.0, 1.0);
    add_upright(w, 30.0, 30.0, 3.5, 8.0, 8.0, 2.0);
    add_upright(w, 30.0, 30.0, 7.0, 8.0, 8.0, 1.0); // far above
    for (int step = 0; step < 4; step++) {
        block_water_head(w);
        block_water_tell(w);
        assert_block(block_water_at(w, w->known, 30, 30), 0.0f, 1.0f, 4.5f);
        assert_true(fabs(w->held[30 * N + 30] - 1.0) < 1e-6);
    }
}

TEST(blocking_keeps_water_out_and_books_it)
{
    uint64_t luck = 4242;
    SCOPED(block_water) *w = block_water_create(N, N, 1.0f, 2.0f, 0.5, 1);
    scatter(w, 20, &luck);
    const double all = block_water_all(w);
    for (int step = 0; step < 100; step++) {
        const rl_body_water view = block_water_view(w, 1.0 / 60.0);
        block_water_head(w);
        block_water_tell(w);
        rl_bodies_release(w->bodies, &view);
        assert_true(fabs(block_water_all(w) - all) < 1e-12 * all);
        shake(w, &luck);
    }
}

TEST(threads_make_the_same_blocks)
{
    block_water *w[3];
    for (int k = 0; k < 3; k++) {
        uint64_t luck = 99;
        w[k] = block_water_create(N, N, 1.0f, 2.0f, 0.5, k + 1);
        scatter(w[k], 40, &luck);
        for (int step = 0; step < 30; step++) {
            const rl_body_water view = block_water_view(w[k], 1.0 / 60.0);
            block_water_head(w[k]);
            block_water_tell(w[k]);
            rl_bodies_release(w[k]->bodies, &view);
            shake(w[k], &luck);
        }
    }
    for (int k = 1; k < 3; k++) {
        assert_sets_equal(w[0], w[0]->known, w[k]->known);
        assert_memory_equal(w[0]->held, w[k]->held, N * N * sizeof *w[0]->held);
        assert_memory_equal(w[0]->bodies->virtual_volume, w[k]->bodies->virtual_volume,
                            N * N * sizeof(double));
        for (int j = 0; j < N; j++)
            assert_memory_equal(rill_field_row(&w[0]->bodies->level, j),
                                rill_field_row(&w[k]->bodies->level, j), N * sizeof(float));
    }
    for (int k = 0; k < 3; k++)
        block_water_destroy(&w[k]);
}

// A turned box leaves the corners of its cells free. A pebble in one of them makes a crowd of two,
// and may change no other cell.
TEST(a_body_blocks_the_same_in_a_crowd)
{
    SCOPED(block_water) *alone = block_water_create(N, N, 1.0f, 2.0f, 0.0, 1);
    SCOPED(block_water) *crowd = block_water_create(N, N, 1.0f, 2.0f, 0.0, 1);
    block_water *const both[] = {alone, crowd};
    for (int k = 0; k < 2; k++) {
        add_block(both[k], (double[3]){30.3, 30.4, 2.0}, (double[3]){15.0, 15.0, 1.0},
                  (double[3]){0.02, 0.01, 1.0}, 0.8);
        if (k == 1)
            add_upright(both[k], 21.5, 21.5, 0.0, 1.0, 1.0, 1.0);
        block_water_tell(both[k]);
    }
    assert_true(rl_raster_of(alone->bodies)->bodies[0].alone);
    assert_true(!rl_raster_of(crowd->bodies)->bodies[0].alone);
    int cells = 0;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            const rl_block a = block_water_at(alone, alone->known, i, j);
            const rl_block b = block_water_at(crowd, crowd->known, i, j);
            cells += a.lower < RL_BLOCK_NO_LOWER;
            if (i == 21 && j == 21)
                assert_block(b, 0.5f, RL_BLOCK_NO_LOWER, RL_BLOCK_NO_UPPER);
            else
                assert_true(rl_block_same(a, b));
        }
    assert_true(cells > 200);
}
