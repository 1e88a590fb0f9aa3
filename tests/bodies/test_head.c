// SPDX-License-Identifier: MIT
// The level that bodies feel, and the water as it is drawn around them.
#include "bodies/blocking/body_raster.h"
#include "tests/bodies/block_water.h"
#include "tests/kit/kit.h"

#define N 48

static float level_at(const block_water *w, int i, int j)
{
    return rill_field_row(&w->bodies->level, j)[i];
}

static rill_columns show(block_water *w)
{
    const rl_body_water view = block_water_view(w, 1.0 / 60.0);
    return rl_bodies_show(w->bodies, w->jobs, &view.columns);
}

static void set_level(block_water *w, int i, int j, double level)
{
    w->held[j * w->nx + i] = fmax(level - (double)rill_field_row(&w->bed, j)[i], 0.0);
    block_water_show(w, i, j);
}

static bool in_box(const rl_body *body, int i, int j, double dx, double around)
{
    const double x = (i + 0.5) * dx, y = (j + 0.5) * dx;
    return x > body->low[0] - around && x < body->high[0] + around && y > body->low[1] - around &&
           y < body->high[1] + around;
}

// ---- Levels ----------------------------------------------------------------------------

TEST(a_floating_box_in_a_lake_feels_the_level_of_the_lake)
{
    SCOPED(block_water) *w = block_water_create(N, N, 1.0f, 2.0f, 0.3, 1);
    const rl_body *body = &w->bodies->items[add_upright(w, 20, 22, 2.2, 9, 7, 2.0)];
    block_water_tell(w);
    block_water_head(w);
    int pressed = 0;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            if (in_box(body, i, j, 1.0, 1.0)) {
                assert_true(fabs((double)level_at(w, i, j) - 2.0) < 1e-6);
                pressed += w->held[j * N + i] < 1.5;
            }
    assert_true(pressed > 40); // the water itself is far lower under it
}

TEST(a_body_far_under_water_feels_the_level_above_it)
{
    SCOPED(block_water) *w = block_water_create(N, N, 1.0f, 6.0f, 0.0, 1);
    const rl_body *body = &w->bodies->items[add_upright(w, 20, 22, 2.2, 9, 7, 2.0)];
    block_water_tell(w);
    for (int n = 0; n < N * N; n++) // with waves on top
        if (in_box(body, n % N, n / N, 1.0, 1.0))
            w->held[n] += 0.01 * (n % 7), block_water_show(w, n % N, n / N);
    block_water_head(w);
    for (int n = 0; n < N * N; n++)
        if (in_box(body, n % N, n / N, 1.0, 0.0))
            assert_true(fabs((double)level_at(w, n % N, n / N) - 6.0 - 0.01 * (n % 7)) < 1e-5);
}

TEST(water_under_a_bridge_keeps_its_level)
{
    SCOPED(block_water) *w = block_water_create(N, N, 1.0f, 1.0f, 0.0, 1);
    add_upright(w, 20, 22, 5.0, 9, 7, 2.0);
    block_water_tell(w);
    for (int n = 0; n < N * N; n++)
        set_level(w, n % N, n / N, 1.0 + 0.01 * (n % 7));
    block_water_head(w);
    for (int j = 19; j < 25; j++)
        for (int i = 16; i < 24; i++)
            assert_true(fabs((double)level_at(w, i, j) - 1.0 - 0.01 * ((j * N + i) % 7)) < 1e-6);
}

// Right across a channel, 3 m above it and 1 m below: in the dam the level goes down from one to
// the other, as straight as water seeps.
TEST(the_level_in_a_dam_goes_from_one_side_to_the_other)
{
    SCOPED(block_water) *w = block_water_create(N, 12, 1.0f, 3.0f, 0.0, 1);
    for (int n = 0; n < 4; n++)
        add_upright(w, 24.0, 1.5 + 3.0 * n, 2.0, 8.0, 3.0, 4.0); // cells 20..27
    block_water_tell(w);
    for (int j = 0; j < 12; j++)
        for (int i = 28; i < N; i++)
            set_level(w, i, j, 1.0);
    block_water_head(w);
    for (int j = 0; j < 12; j++) {
        assert_true(fabs((double)level_at(w, 19, j) - 3.0) < 1e-6);
        assert_true(fabs((double)level_at(w, 28, j) - 1.0) < 1e-6);
        for (int i = 20; i < 28; i++)
            assert_true(fabs((double)level_at(w, i, j) - (3.0 - 2.0 * (i - 19) / 9.0)) < 1e-5);
    }
}

TEST(levels_that_are_filled_in_lie_between_those_around)
{
    uint64_t luck = 12;
    SCOPED(block_water) *w = block_water_create(N, N, 1.0f, 3.0f, 0.3, 1);
    for (int n = 0; n < 25; n++)
        add_block(w, (double[3]){chance(&luck, 0, N), chance(&luck, 0, N), 3.0},
                  (double[3]){chance(&luck, 1, 9), chance(&luck, 1, 9), 3.0}, (double[3]){0, 0, 1},
                  chance(&luck, 0, 3));
    block_water_tell(w);
    double low = 1e9, high = -1e9;
    for (int n = 0; n < N * N; n++) {
        const rl_block block = block_water_at(w, w->known, n % N, n / N);
        const double level = 3.0 + 0.3 * sin(0.3 * n);
        if (block.lower == RL_BLOCK_NO_LOWER) {
            set_level(w, n % N, n / N, level);
            low = fmin(low, level);
            high = fmax(high, level);
        }
    }
    block_water_head(w);
    for (int n = 0; n < N * N; n++)
        if (block_water_at(w, w->known, n % N, n / N).lower < RL_BLOCK_NO_LOWER) {
            const double level = (double)level_at(w, n % N, n / N);
            assert_true(level > low - 1e-5 && level < high + 1e-5);
        }
}

// A field that is linear is harmonic: whatever the sweeps do, they must not bend it. Neither must
// the picture prefer a side.
TEST(a_slope_goes_on_under_a_body)
{
    SCOPED(block_water) *w = block_water_create(N, N, 1.0f, 3.0f, 0.0, 1);
    const rl_body *body = &w->bodies->items[add_upright(w, 20.2, 22.2, 3.0, 9, 12, 2.0)];
    block_water_tell(w);
    for (int n = 0; n < N * N; n++)
        if (!in_box(body, n % N, n / N, 1.0, 0.0))
            set_level(w, n % N, n / N, 3.0 + 0.01 * (n % N) - 0.02 * (n / N));
    block_water_head(w);
    for (int n = 0; n < N * N; n++)
        if (in_box(body, n % N, n / N, 1.0, 0.0)) {
            const double expected = 3.0 + 0.01 * (n % N) - 0.02 * (n / N);
            assert_true(fabs((double)level_at(w, n % N, n / N) - expected) < 1e-5);
        }
}

// Half on land: the ground beside it is no water that could lift it.
TEST(dry_ground_presses_on_nothing)
{
    SCOPED(block_water) *w = block_water_create(N, N, 1.0f, 1.0f, 0.0, 1);
    for (int j = 0; j < N; j++)
        for (int i = 20; i < N; i++) {
            rill_field_row(&w->bed, j)[i] = 5.0f;
            set_level(w, i, j, 1.0);
        }
    add_upright(w, 20, 22, 3.5, 9, 7, 5.0);
    const int dry = add_upright(w, 38, 22, 6.0, 4, 4, 2.0);
    block_water_tell(w);
    block_water_head(w);
    for (int j = 18; j < 26; j++)
        for (int i = 15; i < 25; i++)
            assert_true(level_at(w, i, j) <= 1.0f + 1e-6f);
    for (int n = 0; n < N * N; n++)
        if (in_box(&w->bodies->items[dry], n % N, n / N, 1.0, 0.5))
            assert_true(level_at(w, n % N, n / N) < -1e29f);
}

// Levels as they are felt are those of the picture, which are found in another way.
static void assert_levels_alike(block_water *w)
{
    static float felt[N * N];
    block_water_head(w);
    for (int n = 0; n < N * N; n++)
        felt[n] = level_at(w, n % N, n / N);
    show(w);
    for (int n = 0; n < N * N; n++) {
        const float shown = level_at(w, n % N, n / N);
        assert_memory_equal(&felt[n], &shown, sizeof shown);
    }
}

// Small groups are worked on in another way than large ones and than pictures, with the same
// levels: bodies that hang and stand, side by side and one by one, at sides and on dry ground,
// where they were and where they have gone.
TEST(levels_do_not_depend_on_the_way_they_are_found)
{
    uint64_t luck = 5;
    int unknown = 0;
    for (int scene = 0; scene < 60; scene++) {
        SCOPED(block_water) *w = block_water_create(N, N, 1.0f, (float)chance(&luck, 0.5, 3.0),
                                                    scene % 2 == 0 ? 1.0 : 0.2, 1);
        int places[8], count = 1 + scene % 8;
        for (int n = 0; n < count; n++)
            places[n] = add_block(
                w, (double[3]){chance(&luck, 0, N), chance(&luck, 0, N), chance(&luck, 1, 4)},
                (double[3]){chance(&luck, 1, 9), chance(&luck, 1, 9), chance(&luck, 1, 4)},
                (double[3]){0.1, 0.2, 1}, chance(&luck, 0, 3));
        block_water_tell(w);
        for (int n = 0; n < N * N; n++)
            set_level(w, n % N, n / N,
                      n % 7 < scene % 2 ? -9.0 : 2.0 + (scene % 3) * 0.2 * sin(0.3 * n));
        for (int n = 0; n < count && scene % 4 == 3; n++) {
            const double *p = w->bodies->items[places[n]].position;
            move_body(w, places[n], p[0] + chance(&luck, -1, 1), p[1] + 0.7, p[2]);
        }
        assert_levels_alike(w);
        for (int n = 0; n < N * N; n++)
            unknown += block_water_at(w, w->known, n % N, n / N).lower < RL_BLOCK_NO_LOWER;
    }
    assert_true(unknown > 1000);
}

// Waves, and below bodies water that they press down.
static void press_down(block_water *w)
{
    for (int n = 0; n < N * N; n++) {
        const float lower = block_water_at(w, w->known, n % N, n / N).lower;
        set_level(w, n % N, n / N, fmin(3.0 + 0.1 * sin(0.7 * n), (double)lower));
    }
}

// Three boxes around a bay: rows that meet one of them, and columns that meet two. And the same
// with rows and columns exchanged.
TEST(boxes_around_a_bay_have_water_between_them)
{
    for (int turned = 0; turned < 2; turned++) {
        SCOPED(block_water) *w = block_water_create(N, N, 1.0f, 3.0f, 0.0, 1);
        const double bars[3][4] = {{15, 12, 10, 3}, {15, 22, 10, 3}, {11, 17, 3, 12}};
        for (int n = 0; n < 3; n++)
            add_upright(w, bars[n][turned], bars[n][1 - turned], 3.0, bars[n][2 + turned],
                        bars[n][3 - turned], 2.0);
        block_water_tell(w);
        press_down(w);
        assert_levels_alike(w);
        assert_true(level_at(w, 15, 12) > 2.9f); // not that of the box, at 2
    }
}

// Water stands above one cell of a box: the cells of that row which it presses down lie apart. The
// outermost rows have such a cell, and one in between.
TEST(water_on_a_box_divides_what_it_presses_down)
{
    for (int j = 15; j < 20; j++) {
        SCOPED(block_water) *w = block_water_create(N, N, 1.0f, 3.0f, 0.0, 1);
        add_upright(w, 15.0, 17.5, 3.0, 10.0, 5.0, 2.0);
        block_water_tell(w);
        press_down(w);
        set_level(w, 15, j, 5.0);
        assert_levels_alike(w);
        assert_true(level_at(w, 15, j) > 5.0f && level_at(w, 13, j) < 5.0f);
    }
}

// ---- Pictures --------------------------------------------------------------------------

static double shown_level(const rill_columns *c, int i, int j)
{
    const size_t at = (size_t)j * c->pitch + (size_t)i;
    return (double)c->base[at] + (double)c->depth[at];
}

TEST(a_floating_box_makes_no_dent_in_the_picture)
{
    SCOPED(block_water) *w = block_water_create(N, N, 1.0f, 2.0f, 0.3, 1);
    add_block(w, (double[3]){20, 22, 2.2}, (double[3]){9, 7, 2}, (double[3]){0.1, 0.2, 1}, 0.7);
    block_water_tell(w);
    const rill_columns shown = show(w);
    for (int n = 0; n < N * N; n++) {
        assert_true(fabs(shown_level(&shown, n % N, n / N) - 2.0) < 1e-3);
        assert_true(shown.base[(size_t)(n / N) * shown.pitch + (size_t)(n % N)] ==
                    rill_field_row(&w->bed, n / N)[n % N]);
    }
}

TEST(a_crate_that_stands_in_water_is_wet_inside_and_one_on_land_is_not)
{
    SCOPED(block_water) *w = block_water_create(N, N, 1.0f, 1.0f, 0.0, 1);
    for (int j = 0; j < N; j++)
        for (int i = 30; i < N; i++) {
            rill_field_row(&w->bed, j)[i] = 2.0f + 0.1f * (float)(i % 3);
            set_level(w, i, j, 1.0);
        }
    add_upright(w, 15, 20, 2.0, 6, 6, 4.0);
    add_upright(w, 40, 20, 4.0, 6, 6, 4.0);
    block_water_tell(w);
    const rill_columns shown = show(w);
    for (int n = 0; n < N * N; n++) {
        const int i = n % N, j = n / N;
        const double depth = (double)shown.depth[(size_t)j * shown.pitch + (size_t)i];
        assert_true(i >= 30 ? depth == 0.0 : fabs(shown_level(&shown, i, j) - 1.0) < 1e-6);
    }
}

TEST(away_from_bodies_the_picture_is_the_truth)
{
    SCOPED(block_water) *w = block_water_create(N, N, 1.0f, 0.3f, 0.5, 1);
    const rl_body_water view = block_water_view(w, 1.0 / 60.0);
    const rill_columns plain = show(w);
    assert_true(plain.depth == view.columns.depth && plain.base == view.columns.base);
    const rl_body *body = &w->bodies->items[add_upright(w, 20, 22, 0.5, 9, 7, 2.0)];
    block_water_tell(w);
    const rill_columns shown = show(w);
    assert_true(shown.depth != view.columns.depth);
    for (int n = 0; n < N * N; n++) {
        const size_t at = (size_t)(n / N) * shown.pitch + (size_t)(n % N);
        if (in_box(body, n % N, n / N, 1.0, 0.02))
            continue;
        assert_true(shown.depth[at] == view.columns.depth[at]);
        assert_true(shown.base[at] == view.columns.base[at]);
    }
}

// Water over a body under it and over a crate on the ground is drawn where it is, as deep as it is.
TEST(water_above_bodies_is_drawn_at_its_level)
{
    SCOPED(block_water) *w = block_water_create(N, N, 1.0f, 4.0f, 0.0, 1);
    add_upright(w, 15, 22, 2.0, 6, 6, 2.0);
    add_upright(w, 35, 22, 1.0, 6, 6, 2.0);
    block_water_tell(w);
    const rill_columns shown = show(w);
    for (int n = 0; n < N * N; n++)
        assert_true(fabs(shown_level(&shown, n % N, n / N) - 4.0) < 1e-6);
    assert_true(shown.depth[22 * shown.pitch + 15] == 2.0f);
    assert_true(shown.depth[22 * shown.pitch + 35] == 2.0f);
}

// The box sinks slowly through the surface: at no time does the picture jump.
TEST(a_box_that_just_goes_under_does_not_flicker)
{
    SCOPED(block_water) *w = block_water_create(N, N, 1.0f, 4.0f, 0.0, 1);
    const int n = add_upright(w, 20, 22, 3.2, 9, 7, 2.0);
    for (int step = 0; step < 100; step++) {
        move_body(w, n, 20, 22, 3.2 - 0.004 * step); // its top goes from 4.2 m to 3.8 m
        block_water_tell(w);
        const rill_columns shown = show(w);
        for (int j = 18; j < 26; j++)
            for (int i = 15; i < 25; i++)
                assert_true(fabs(shown_level(&shown, i, j) - 4.0) < 0.01);
    }
}
