// SPDX-License-Identifier: MIT
// Water that bodies have displaced: it spreads, comes back, and none of it is ever lost.
#include "bodies/blocking/body_raster.h"
#include "tests/bodies/block_water.h"
#include "tests/kit/kit.h"

#define N  48
#define DT (1.0 / 60.0)

static void owe(block_water *w, int i, int j, double v)
{
    rl_bodies *b = w->bodies;
    const bool none = b->virtual_first[j] >= b->virtual_end[j];
    b->virtual_volume[j * w->nx + i] += v;
    b->virtual_first[j] = none || i < b->virtual_first[j] ? i : b->virtual_first[j];
    b->virtual_end[j] = none || i + 1 > b->virtual_end[j] ? i + 1 : b->virtual_end[j];
    rl_raster_of(b)->active_unknown = true; // as after the state was brought back
}

static void release(block_water *w)
{
    const rl_body_water view = block_water_view(w, DT);
    rl_bodies_release(w->bodies, &view);
}

static double all_owed(const block_water *w)
{
    double sum = 0.0;
    for (int n = 0; n < w->nx * w->ny; n++)
        sum += w->bodies->virtual_volume[n];
    return sum;
}

// V = V0 (1 - alpha)^n, and the water gains the difference.
TEST(what_is_owed_everywhere_alike_fades_like_a_power)
{
    SCOPED(block_water) *w = block_water_create(N, N, 1.0f, 2.0f, 0.0, 1);
    for (int n = 0; n < N * N; n++)
        owe(w, n % N, n / N, 0.25);
    const double kept = exp(-(double)w->bodies->def.release * DT);
    double expected = 0.25;
    for (int step = 0; step < 100; step++) {
        release(w);
        expected *= kept;
        for (int n = 0; n < N * N; n++) {
            assert_true(fabs(w->bodies->virtual_volume[n] - expected) < 1e-7 * expected);
            assert_true(fabs(w->held[n] - 2.25 + expected) < 1e-7);
        }
    }
}

// Under a body nothing is released: steps of V_i + tau sum(V_n - V_i), computed by themselves;
// walls mirror.
TEST(it_spreads_by_tau_to_each_neighbour)
{
    uint64_t luck = 5;
    SCOPED(block_water) *w = block_water_create(N, N, 1.0f, 2.0f, 0.0, 1);
    add_upright(w, N / 2, N / 2, 2.0, N + 10.0, N + 10.0, 2.0);
    block_water_tell(w);
    static double v[N][N], next[N][N];
    for (int n = 0; n < N * N; n++) {
        owe(w, n % N, n / N, chance(&luck, -1, 1));
        v[n / N][n % N] = w->bodies->virtual_volume[n];
    }
    const double tau = (double)w->bodies->def.spread;
    for (int step = 0; step < 20; step++) {
        release(w);
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++) {
                const double west = v[j][i > 0 ? i - 1 : i], east = v[j][i + 1 < N ? i + 1 : i];
                const double south = v[j > 0 ? j - 1 : j][i], north = v[j + 1 < N ? j + 1 : j][i];
                next[j][i] = v[j][i] + tau * (west + east + south + north - 4.0 * v[j][i]);
            }
        memcpy(v, next, sizeof v);
        for (int n = 0; n < N * N; n++)
            assert_true(fabs(w->bodies->virtual_volume[n] - v[n / N][n % N]) < 1e-12);
    }
}

// Two centimetres a second, in cells of a metre; so nothing fades for ever.
TEST(no_step_releases_less_than_a_crumb)
{
    SCOPED(block_water) *w = block_water_create(N, N, 1.0f, 2.0f, 0.0, 1);
    for (int n = 0; n < N * N; n++)
        owe(w, n % N, n / N, 8e-4);
    release(w);
    for (int n = 0; n < N * N; n++)
        assert_true(fabs(w->bodies->virtual_volume[n] - (8e-4 - 0.02 * DT)) < 1e-9);
    release(w);
    release(w);
    assert_true(fabs(rl_bodies_displaced(w->bodies)) < 1e-9 * N * N);
    for (int n = 0; n < N * N; n++)
        assert_true(fabs(w->held[n] - 2.0008) < 1e-9);
}

TEST(water_and_what_is_owed_stay_the_same_together)
{
    uint64_t luck = 50;
    SCOPED(block_water) *w = block_water_create(N, N, 0.5f, 0.3f, 0.5, 1); // lakes and dry land
    add_upright(w, 10, 12, 0.4, 5, 3, 1.0);
    add_upright(w, 16, 14, 0.0, 2, 6, 3.0);
    block_water_tell(w);
    for (int n = 0; n < 200; n++)
        owe(w, (int)chance(&luck, 0, N), (int)chance(&luck, 0, N), chance(&luck, -0.2, 0.2));
    const double all = block_water_all(w);
    for (int step = 0; step < 600; step++) {
        release(w);
        assert_true(fabs(block_water_all(w) - all) < 1e-12 * all);
        for (int n = 0; n < N * N; n++)
            assert_true(w->held[n] >= 0.0);
    }
    // Nothing outside the extents that the sum looks at.
    double inside = rl_bodies_displaced(w->bodies) / 0.25;
    assert_true(fabs(inside - all_owed(w)) < 1e-12);
}

TEST(it_comes_to_an_end)
{
    SCOPED(block_water) *w = block_water_create(N, N, 1.0f, 2.0f, 0.0, 1);
    owe(w, 20, 20, 0.5);
    owe(w, 30, 20, -0.3);
    const double all = block_water_all(w);
    int steps = 0;
    while (rl_bodies_displaced(w->bodies) != 0.0 && steps < 3000) {
        release(w);
        steps++;
    }
    // In one cell 0.5 m e^(-t / 2 s) would come down to 0.04 m, of which the share is 2 cm/s, in 5
    // s, and take 2 s more; it spreads as well.
    assert_true(steps > 10 && steps < 425);
    assert_true(fabs(block_water_all(w) - all) < 1e-12 * all);
    for (int j = 0; j < N; j++)
        assert_true(w->bodies->virtual_first[j] >= w->bodies->virtual_end[j]);
    for (int n = 0; n < N * N; n++)
        assert_true(w->bodies->virtual_volume[n] == 0.0);
}

// Land without water keeps what it is to lose until water comes (docs/papers.md, 003.8).
TEST(a_debt_on_dry_land_waits_for_water)
{
    SCOPED(block_water) *w = block_water_create(N, N, 1.0f, -1.0f, 0.0, 1);
    owe(w, 20, 20, -0.3);
    for (int step = 0; step < 500; step++)
        release(w);
    assert_true(w->bodies->virtual_volume[20 * N + 20] == -0.3);
    assert_true(rl_bodies_displaced(w->bodies) == -0.3);
    // Water comes to the cell beside it.
    w->held[20 * N + 21] = 1.0;
    block_water_show(w, 21, 20);
    for (int step = 0; step < 2500; step++)
        release(w);
    assert_true(fabs(rl_bodies_displaced(w->bodies)) < 1e-6);
    assert_true(fabs(w->held[20 * N + 21] - 0.7) < 1e-6);
}

TEST(a_cell_gives_no_more_than_it_has)
{
    SCOPED(block_water) *w = block_water_create(N, N, 1.0f, -1.0f, 0.0, 1);
    w->held[20 * N + 20] = 0.01;
    block_water_show(w, 20, 20);
    owe(w, 20, 20, -5.0);
    const double all = block_water_all(w);
    for (int step = 0; step < 200; step++) {
        release(w);
        assert_true(w->held[20 * N + 20] >= 0.0);
        assert_true(fabs(block_water_all(w) - all) < 1e-12 * fabs(all));
    }
    assert_true(w->held[20 * N + 20] < 1e-6);
}

// Land between two lakes is no way across.
TEST(it_does_not_cross_dry_land)
{
    SCOPED(block_water) *w = block_water_create(N, N, 1.0f, 2.0f, 0.0, 1);
    for (int j = 0; j < N; j++)
        for (int i = 23; i < 25; i++) {
            w->held[j * N + i] = 0.0;
            block_water_show(w, i, j);
        }
    owe(w, 21, 20, 9.0);
    for (int step = 0; step < 60; step++)
        release(w);
    double east = 0.0, middle = 0.0;
    for (int n = 0; n < N * N; n++) {
        east += n % N >= 25 ? w->held[n] - 2.0 : 0.0;
        middle += n % N == 23 || n % N == 24 ? w->held[n] : 0.0;
    }
    assert_true(middle == 0.0);
    assert_true(fabs(east) < 1e-11); // crumbs of rounding may
    assert_true(all_owed(w) > 0.0);
}

// A body that has moved and stopped: after a while the water is flat again around it, higher by
// what it displaces.
TEST(after_a_body_has_moved_the_water_is_back)
{
    SCOPED(block_water) *w = block_water_create(N, N, 1.0f, 2.0f, 0.0, 1);
    const int n = add_upright(w, 15.0, 24.0, 1.5, 6.0, 6.0, 2.0); // draws 1.5 m
    block_water_tell(w);
    const double all = block_water_all(w);
    for (int step = 0; step < 40; step++) {
        move_body(w, n, 15.0 + 0.1 * step, 24.0, 1.5);
        block_water_tell(w);
        release(w);
        assert_true(fabs(block_water_all(w) - all) < 1e-12 * all);
        for (int j = 21; j < 27; j++) // no water inside of it
            assert_true(w->held[j * N + 15 + step / 10] <= 0.5 + 1e-6);
    }
    for (int step = 0; step < 3000; step++)
        release(w);
    assert_true(rl_bodies_displaced(w->bodies) == 0.0);
    assert_true(fabs(all - 2.0 * N * N) < 1e-9 * all);
}

// After the state was brought back only extents are known; nothing else may come of that.
TEST(going_on_after_a_break_is_the_same)
{
    block_water *w[2];
    for (int k = 0; k < 2; k++) {
        uint64_t luck = 31;
        w[k] = block_water_create(200, N, 1.0f, 0.3f, 0.5, 1);
        for (int n = 0; n < 20; n++)
            owe(w[k], (int)chance(&luck, 0, 200), (int)chance(&luck, 0, N), chance(&luck, -1, 1));
        for (int step = 0; step < 60; step++) {
            rl_raster_of(w[k]->bodies)->active_unknown |= k == 1;
            w[k]->spans = 0;
            release(w[k]);
        }
    }
    assert_memory_equal(w[0]->held, w[1]->held, 200 * N * sizeof(double));
    assert_memory_equal(w[0]->bodies->virtual_volume, w[1]->bodies->virtual_volume,
                        200 * N * sizeof(double));
    assert_true(w[0]->spans != 0 && w[0]->spans == w[1]->spans);
    block_water_destroy(&w[0]);
    block_water_destroy(&w[1]);
}

TEST(threads_release_the_same)
{
    block_water *w[2];
    for (int k = 0; k < 2; k++) {
        uint64_t luck = 31;
        w[k] = block_water_create(N, N, 1.0f, 0.3f, 0.5, k + 1);
        for (int n = 0; n < 300; n++)
            owe(w[k], (int)chance(&luck, 0, N), (int)chance(&luck, 0, N), chance(&luck, -1, 1));
        for (int step = 0; step < 50; step++)
            release(w[k]);
    }
    assert_memory_equal(w[0]->held, w[1]->held, N * N * sizeof(double));
    assert_memory_equal(w[0]->bodies->virtual_volume, w[1]->bodies->virtual_volume,
                        N * N * sizeof(double));
    block_water_destroy(&w[0]);
    block_water_destroy(&w[1]);
}
