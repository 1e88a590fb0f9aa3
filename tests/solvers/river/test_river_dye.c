// SPDX-License-Identifier: MIT
// Dye in a river: as much as was given until it leaves, as fast as the water, even where it is
// even, on merged cells too.
#include "tests/kit/kit.h"
#include "tests/solvers/river/river_drives.h"

static rl_river *meander(rl_jobs *jobs)
{
    river_case c = begin_meander(128, 20.0);
    c.def.river.bootstrap = 300.0;
    return started_river(&c, jobs);
}

static rl_river *straight(int conservative)
{
    river_case c = begin_channel(128, 24, 10.0, 40.0, 200.0, 3.0f);
    c.def.river.dye_conservative = conservative;
    c.def.river.vary = 0.0f;
    c.def.river.columns.vary = 0.0f;
    return started_river(&c, NULL);
}

static void for_each_wet(const rl_river *r, void (*look)(float dye, int i, int j, double *sums),
                         double *sums)
{
    for (int j = 0; j < r->ny; j++)
        for (int i = 0; i < r->nx; i++)
            if (wet_at(r, i, j))
                look(rill_field_row(&r->dye, j)[i], i, j, sums);
}

static void range(float dye, KIT_UNUSED int i, KIT_UNUSED int j, double *sums)
{
    sums[0] = fmin(sums[0], (double)dye);
    sums[1] = fmax(sums[1], (double)dye);
}

static void centre(float dye, int i, KIT_UNUSED int j, double *sums)
{
    sums[0] += (double)dye;
    sums[1] += (double)dye * i;
    sums[2] += (double)dye * i * i;
}

TEST(what_was_added_is_there)
{
    FREED_BY(free_river) rl_river *r = meander(NULL);
    assert_true(rl_river_dye_amount(r) == 0.0);
    const double middle = 1280.0;
    // The middle of the meander at x = 1280 m is at y = 1280 m.
    assert_near(rl_river_dye_add(r, middle, middle, 60.0, 500.0), 500.0, 1e-3);
    assert_near(rl_river_dye_amount(r), 500.0, 1e-3);
    assert_true(rl_river_dye_add(r, 1280.0, 10.0, 5.0, 500.0) == 0.0); // on land
    assert_true(rl_river_dye_add(r, NAN, 10.0, 5.0, 500.0) == 0.0);
    assert_near(rl_river_dye_add(r, middle, middle, 0.0, 10.0), 10.0, 1e-4); // its one cell
    assert_near(rl_river_dye_amount(r), 510.0, 1e-3);
    // No more can be taken than there is.
    assert_near(rl_river_dye_add(r, middle, middle, 60.0, -1e6), -510.0, 1e-2);
    assert_near(rl_river_dye_amount(r), 0.0, 1e-2);
}

TEST(dye_is_neither_made_nor_lost)
{
    SCOPED(rl_jobs) *jobs = make_jobs(2);
    FREED_BY(free_river) rl_river *r = meander(jobs);
    rl_river_dye_add(r, 640.0, 1280.0, 100.0, 1000.0);
    for (int n = 0; n < 20; n++) {
        run_river(r, jobs, 10.0, 0.25);
        assert_near(rl_river_dye_amount(r) / 1000.0, 1.0, 1e-6 * (n + 1));
        double sums[2] = {1e9, -1e9};
        for_each_wet(r, range, sums);
        assert_true(sums[0] >= 0.0);
    }
}

// Long steps are cut into as many as the fastest cell asks for.
TEST(long_steps_keep_dye_too)
{
    FREED_BY(free_river) rl_river *r = meander(NULL);
    rl_river_dye_add(r, 640.0, 1280.0, 100.0, 1000.0);
    for (int n = 0; n < 4; n++)
        rl_river_dye_step(r, NULL, 60.0);
    assert_near(rl_river_dye_amount(r) / 1000.0, 1.0, 1e-5);
    double sums[2] = {1e9, -1e9};
    for_each_wet(r, range, sums);
    assert_true(sums[0] >= 0.0);
}

// The projection leaves a divergence of `tolerance` times speed over cell size, so even dye drifts
// by at most that per cell of way; clean water comes in from the west meanwhile.
TEST(even_dye_stays_even)
{
    SCOPED(rl_jobs) *jobs = make_jobs(2);
    FREED_BY(free_river) rl_river *r = meander(jobs);
    for (int j = 0; j < r->ny; j++)
        for (int i = 0; i < r->nx; i++)
            if (wet_at(r, i, j))
                rill_field_row(&r->dye, j)[i] = 2.0f;
    const double seconds = 40.0;
    run_river(r, jobs, seconds, 0.25);
    const double cells = 1.3 * seconds / 20.0; // of way at the mean speed
    const double error = 2.0 * (double)r->def.tolerance * cells;
    for (int j = 0; j < r->ny; j++)
        for (int i = 40; i < r->nx; i++) // clean water has not come so far
            if (wet_at(r, i, j))
                assert_near(rill_field_row(&r->dye, j)[i], 2.0, 2.0 * error + 1e-5);
}

// In a straight channel everything moves at the speed asked for; limited slopes keep a blob of 20
// cells from spreading more than upwinding alone would, sqrt(way) cells.
TEST(dye_moves_with_the_water)
{
    for (int conservative = 0; conservative < 2; conservative++) {
        FREED_BY(free_river) rl_river *r = straight(conservative);
        for (int j = 4; j < 20; j++)
            for (int i = 20; i < 40; i++)
                rill_field_row(&r->dye, j)[i] = 1.0f;
        double before[3] = {0.0}, after[3] = {0.0};
        for_each_wet(r, centre, before);
        run_river(r, NULL, 300.0, 0.5); // 39 cells
        for_each_wet(r, centre, after);
        const double way = after[1] / after[0] - before[1] / before[0];
        assert_near(way, 39.0, 0.5);
        const double spread_before = before[2] / before[0] - pow(before[1] / before[0], 2.0);
        const double spread_after = after[2] / after[0] - pow(after[1] / after[0], 2.0);
        if (conservative)
            assert_true(spread_after - spread_before < 0.5 * 39.0);
        assert_true(after[0] / before[0] > 0.99 && after[0] / before[0] < 1.01);
    }
}

TEST(what_leaves_the_river_is_gone)
{
    for (int conservative = 0; conservative < 2; conservative++) {
        FREED_BY(free_river) rl_river *r = straight(conservative);
        const double given = rl_river_dye_add(r, 1200.0, 120.0, 50.0, 100.0);
        double last = rl_river_dye_amount(r);
        assert_near(last, given, 1e-6 * given);
        for (int n = 0; n < 60; n++) {
            run_river(r, NULL, 10.0, 1.0);
            const double now = rl_river_dye_amount(r);
            assert_true(now <= last * (conservative ? 1.0 + 1e-6 : 1.02));
            last = now;
        }
        assert_true(last < 1e-3 * given);
    }
}

TEST(merged_cells_keep_dye_and_evenness)
{
    SCOPED(rl_jobs) *jobs = make_jobs(2);
    river_case c = begin_meander(256, 10.0);
    c.def.river.bootstrap = 100.0;
    c.def.river.detail_solver = 1;
    c.def.river.detail_distance = 300.0f;
    c.def.river.viewer[0] = 1280.0;
    c.def.river.viewer[1] = 1280.0;
    FREED_BY(free_river) rl_river *r = started_river(&c, jobs);
    run_river(r, jobs, 1.0, 0.5);
    assert_true(r->joint_count > 0);
    const double given = rl_river_dye_add(r, 1280.0, 1280.0, 500.0, 1000.0);
    for (int n = 0; n < 10; n++) {
        run_river(r, jobs, 10.0, 0.5);
        assert_near(rl_river_dye_amount(r) / given, 1.0, 1e-5);
    }
    double sums[2] = {1e9, -1e9};
    for_each_wet(r, range, sums);
    assert_true(sums[0] >= 0.0);

    for (int j = 0; j < r->ny; j++)
        for (int i = 0; i < r->nx; i++)
            if (wet_at(r, i, j))
                rill_field_row(&r->dye, j)[i] = 1.0f;
    run_river(r, jobs, 20.0, 0.5);
    for (int j = 0; j < r->ny; j++)
        for (int i = 80; i < 176; i++)
            if (wet_at(r, i, j))
                assert_near(rill_field_row(&r->dye, j)[i], 1.0, 2e-3);
}

TEST(threads_do_not_show)
{
    SCOPED(rl_jobs) *jobs = make_jobs(3);
    FREED_BY(free_river) rl_river *one = meander(NULL), *three = meander(jobs);
    rl_river_dye_add(one, 1280.0, 1280.0, 300.0, 1000.0);
    rl_river_dye_add(three, 1280.0, 1280.0, 300.0, 1000.0);
    run_river(one, NULL, 20.0, 0.5);
    run_river(three, jobs, 20.0, 0.5);
    for (int j = 0; j < one->ny; j++)
        assert_memory_equal(rill_field_row(&one->dye, j), rill_field_row(&three->dye, j),
                            (size_t)one->nx * sizeof(float));
}
