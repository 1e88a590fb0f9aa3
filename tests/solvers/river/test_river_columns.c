// SPDX-License-Identifier: MIT
// Hydrostatic columns of a river (004 section 3.4): at rest they rest, they keep their water, no
// cell gives more than it has, and what they make of the bed is what the flow gets.
#include "solvers/river/river_internal.h"
#include "tests/kit/kit.h"
#include "tests/solvers/river/river_drives.h"

static double random_unit(int n)
{
    return (double)((unsigned)n * 2654435761u % 1000003u) / 1000003.0;
}

// A channel from west to east over an uneven bed, 4 columns' cells.
static rl_river *uneven_channel(int cells)
{
    river_case c = begin_river(48, 24, 10.0);
    for (int j = 5; j < 19; j++)
        for (int i = 0; i < 48; i++)
            c.bed[j * 48 + i] = (float)(-1.0 - 4.0 * random_unit(i * 31 + j * 7));
    c.def.river.columns.cells = cells;
    return make_river(&c);
}

// Closes every wet cell at the borders, so that nothing comes in or leaves.
static void close_borders(rl_river *r)
{
    for (int j = 0; j < r->ny; j++)
        rill_field_row(&r->obstacle, j)[0] = rill_field_row(&r->obstacle, j)[r->nx - 1] = 1.0f;
    rl_river_levels_rebuild(r);
    rl_river_columns_rebuild(r, NULL);
}

static double water_of(const rl_river *r)
{
    double sum = 0.0;
    for (int j = 0; j < r->ny; j++)
        for (int n = 0; n < r->nx * r->columns->cells; n++)
            sum += (double)rill_field_row(&r->columns->height, j)[n];
    return sum;
}

static float lowest_height(const rl_river *r)
{
    float lowest = 1e30f;
    for (int j = 0; j < r->ny; j++)
        for (int n = 0; n < r->nx * r->columns->cells; n++)
            lowest = fminf(lowest, rill_field_row(&r->columns->height, j)[n]);
    return lowest;
}

static void assert_at_rest(const rl_river *r)
{
    for (int j = 0; j < r->ny; j++)
        for (int i = 0; i < r->nx; i++) {
            const float depth = wet_at(r, i, j) ? rill_field_row(&r->depth, j)[i] : 0.0f;
            // Heights of cells are rounded, and so is their sum.
            assert_near(rill_field_row(&r->columns->pressure, j)[i], depth, 2e-6 * (double)depth);
        }
}

// ---- Rest ------------------------------------------------------------------------------

TEST(columns_at_rest_stay_at_rest_over_any_bed)
{
    FREED_BY(free_river) rl_river *r = uneven_channel(4);
    rl_river_columns_rebuild(r, NULL);
    for (int n = 0; n < 200; n++)
        rl_river_columns_step(r, NULL, 0.5);
    assert_at_rest(r);
}

// The level of a mountain river falls by more than its depth from cell to cell; its columns rest
// all the same, as the friction of the bed carries the fall.
TEST(a_level_that_falls_is_at_rest_too)
{
    FREED_BY(free_river) rl_river *r = uneven_channel(4);
    for (int j = 0; j < r->ny; j++)
        for (int i = 0; i < r->nx; i++) {
            rill_field_row(&r->bed, j)[i] -= 0.5f * (float)i;
            if (rill_field_row(&r->surface, j)[i] > RL_RIVER_DRY)
                rill_field_row(&r->surface, j)[i] -= 0.5f * (float)i;
        }
    rl_river_levels_rebuild(r);
    rl_river_columns_rebuild(r, NULL);
    for (int n = 0; n < 100; n++)
        rl_river_columns_step(r, NULL, 0.5);
    assert_at_rest(r);
}

// ---- Motion ----------------------------------------------------------------------------

// Uniform flow between open borders changes no level, so its pipes feel friction alone: n = n0 f^t.
TEST(a_flow_loses_what_friction_takes_in_a_second)
{
    river_case c = begin_channel(40, 16, 10.0, 40.0, 120.0, 3.0f);
    c.def.river.columns.cells = 3;
    c.def.river.columns.friction = 0.3f;
    FREED_BY(free_river) rl_river *r = make_river(&c);
    rl_river_columns_rebuild(r, NULL);
    for (int j = 4; j < 12; j++)
        for (int i = 0; i <= r->nx; i++)
            rill_field_row(&r->columns->u, j)[i] = 1.0f;
    for (int n = 0; n < 10; n++)
        rl_river_pipes_step(r, NULL, 0.2);
    for (int j = 4; j < 12; j++)
        for (int i = 0; i <= r->nx; i++)
            assert_near(rill_field_row(&r->columns->u, j)[i], 0.3 * 0.3, 1e-4);
}

static void stir(rl_river *r, float speed)
{
    rl_river_columns *c = r->columns;
    for (int j = 0; j < r->ny; j++)
        for (int i = 0; i < r->nx; i++) {
            if (wet_at(r, i, j) && wet_at(r, i - 1, j))
                rill_field_row(&c->u, j)[i] = speed * (float)(random_unit(i + 91 * j) - 0.5);
            if (wet_at(r, i, j) && wet_at(r, i, j - 1))
                rill_field_row(&c->v, j)[i] = speed * (float)(random_unit(i * 17 + j) - 0.5);
        }
}

TEST(water_is_kept_between_closed_borders)
{
    FREED_BY(free_river) rl_river *r = uneven_channel(4);
    close_borders(r);
    stir(r, 2.0f);
    const double before = water_of(r);
    for (int n = 0; n < 300; n++)
        rl_river_pipes_step(r, NULL, rl_river_pipes_stable(r));
    assert_true(before > 1000.0);
    assert_near(water_of(r) / before, 1.0, 1e-5);
}

// Pipes that would take several times what there is: each cell gives all it has, and no more.
TEST(no_cell_gives_more_than_it_holds)
{
    for (int cells = 1; cells <= 16; cells += 5) {
        FREED_BY(free_river) rl_river *r = uneven_channel(cells);
        close_borders(r);
        const double before = water_of(r);
        bool scant = false;
        for (int n = 0; n < 20; n++) {
            stir(r, 200.0f);
            rl_river_pipes_step(r, NULL, 0.5);
            assert_true(lowest_height(r) >= 0.0f);
            assert_near(water_of(r) / before, 1.0, 1e-5);
            for (size_t at = 0; at < r->columns->scant_bytes; at++)
                scant = scant || r->columns->scant[at] != 0;
        }
        assert_true(scant);
    }
}

// A cell of a column that is short gives every pipe the same part: 100 of 150 that are asked for
// means two thirds for each (docs/papers.md, 004.6).
TEST(what_is_short_is_shared_in_proportion)
{
    river_case c = begin_channel(16, 16, 10.0, 20.0, 140.0, 2.0f);
    c.def.river.columns.cells = 1;
    FREED_BY(free_river) rl_river *r = make_river(&c);
    close_borders(r);
    r->def.columns.friction = 1.0f; // none
    // Out of cell (8, 8) with Courant numbers 0.5 west and 1 east.
    rill_field_row(&r->columns->u, 8)[8] = -5.0f;
    rill_field_row(&r->columns->u, 8)[9] = 10.0f;
    rl_river_pipes_step(r, NULL, 1.0);
    const float *p = rill_field_row(&r->columns->pressure, 8);
    assert_near(p[8], 0.0, 1e-5);
    assert_near(p[7], 2.0 + 2.0 * 0.5 / 1.5, 1e-5);
    assert_near(p[9], 2.0 + 2.0 * 1.0 / 1.5, 1e-5);
}

// All pipes through a face have one velocity, so how many cells a column has does not show in its
// pressure, as long as no cell is short.
TEST(the_number_of_cells_does_not_change_the_pressure)
{
    FREED_BY(free_river) rl_river *one = uneven_channel(1), *many = uneven_channel(7);
    close_borders(one);
    close_borders(many);
    stir(one, 1.0f);
    stir(many, 1.0f);
    for (int n = 0; n < 5; n++) {
        rl_river_pipes_step(one, NULL, 0.3);
        rl_river_pipes_step(many, NULL, 0.3);
    }
    for (int j = 0; j < one->ny; j++)
        for (int i = 0; i < one->nx; i++)
            assert_near(rill_field_row(&one->columns->pressure, j)[i],
                        rill_field_row(&many->columns->pressure, j)[i], 2e-5);
}

// ---- What the flow gets ----------------------------------------------------------------

// Two metres and eight, half of the river each: mean five.
static rl_river *two_depths(float share, float limit)
{
    river_case c = begin_river(64, 16, 10.0);
    dig(&c, 0.0, 40.0, 320.0, 120.0, 2.0f);
    dig(&c, 320.0, 40.0, 640.0, 120.0, 8.0f);
    c.def.river.columns.cells = 4;
    c.def.river.columns.weight = share;
    c.def.river.columns.limit = limit;
    rl_river *r = make_river(&c);
    rl_river_columns_rebuild(r, NULL);
    return r;
}

TEST(deep_and_shallow_water_convey_in_proportion_to_their_pressure)
{
    static const struct {
        float share, limit;
        double shallow, deep;
    } cases[] = {{1.0f, 3.0f, 0.4, 1.6},   {0.0f, 3.0f, 1.0, 1.0},
                 {2.0f, 3.0f, 0.16, 2.56}, {0.5f, 3.0f, 0.63245553, 1.26491106},
                 {1.0f, 1.25f, 0.8, 1.25}, {4.0f, 1.25f, 0.4096, 2.44140625}};
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        FREED_BY(free_river) rl_river *r = two_depths(cases[n].share, cases[n].limit);
        const float *row = rill_field_row(&r->levels[0].conveyance, 8);
        assert_near(row[10], cases[n].shallow, 1e-5);
        assert_near(row[50], cases[n].deep, 1e-5);
        assert_true(rill_field_row(&r->levels[0].conveyance, 1)[10] == 0.0f);
    }
}

// Where water is fast its level is lower, by (u^2 - u0^2) / 2 g.
TEST(moving_water_presses_less)
{
    river_case c = begin_channel(64, 16, 10.0, 40.0, 120.0, 4.0f);
    c.def.river.columns.cells = 4;
    FREED_BY(free_river) rl_river *r = make_river(&c);
    rl_river_columns_rebuild(r, NULL);
    for (int j = 0; j < r->ny; j++)
        for (int i = 24; i < 40; i++)
            if (wet_at(r, i, j))
                rill_field_row(&r->velocity_x, j)[i] = 3.0f;
    r->velocities_fresh = true;
    for (int n = 0; n < 20000; n++)
        rl_river_pipes_step(r, NULL, rl_river_pipes_stable(r));
    assert_near(rill_field_row(&r->columns->pressure, 8)[32], 4.0 - 9.0 / (2.0 * 9.81), 0.01);
    assert_near(rill_field_row(&r->columns->pressure, 8)[4], 4.0, 0.01);
}

// Beside the flow they follow it: the level over a bar, where the river is twice as fast, falls
// towards (2.2^2 - 1.1^2) / 2 g = 0.19 m. Friction makes that a diffusion of g h / ln(1 / f) = 10
// m^2/s, which takes minutes over the 160 m of the bar. Impulses keep their mean.
TEST(columns_that_run_along_follow_the_flow)
{
    river_case c = begin_channel(96, 32, 10.0, 80.0, 240.0, 4.0f);
    dig(&c, 400.0, 80.0, 560.0, 240.0, 2.0f);
    c.def.river.columns.along = 1;
    c.def.river.bootstrap = 100.0;
    FREED_BY(free_river) rl_river *r = started_river(&c, NULL);
    run_river(r, NULL, 400.0, 0.5);
    const float bar = rill_field_row(&r->columns->pressure, 16)[48];
    assert_true(bar < 2.0f - 0.05f && bar > 2.0f - 0.2f);
    double sum = 0.0;
    for (int j = 8; j < 24; j++)
        for (int i = 0; i < r->nx; i++)
            sum += (double)rill_field_row(&r->levels[0].target, j)[i];
    assert_near(sum / (16.0 * r->nx), r->def.speed, 1e-4);
    assert_near(r->mean_speed / (double)r->def.speed, 1.0, 0.02);
}

TEST(threads_do_not_show)
{
    SCOPED(rl_jobs) *jobs = make_jobs(3);
    FREED_BY(free_river) rl_river *one = uneven_channel(4), *three = uneven_channel(4);
    rl_river_columns_rebuild(one, NULL);
    rl_river_columns_rebuild(three, jobs);
    stir(one, 3.0f);
    stir(three, 3.0f);
    for (int n = 0; n < 50; n++) {
        rl_river_pipes_step(one, NULL, 0.4);
        rl_river_pipes_step(three, jobs, 0.4);
    }
    for (int j = 0; j < one->ny; j++)
        assert_memory_equal(rill_field_row(&one->columns->height, j),
                            rill_field_row(&three->columns->height, j),
                            (size_t)(one->nx * 4) * sizeof(float));
}
