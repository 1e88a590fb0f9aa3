// SPDX-License-Identifier: MIT
// The pipes water with bodies in it that do not move: what rests on the ground, hangs in the water
// or above it, and presses it down (003 section 4). Moving ones: test_pipes_blocks_moving.c.
#include "tests/kit/instruction_sets.h"
#include "tests/kit/kit.h"
#include "tests/solvers/pipes/blocked_water.h"

#include <float.h>

// A channel of nx x ny cells; fills cells [i0, i1) of each row up to `level`.
static void plan_channel(blocked_water *w, int nx, int ny, float cell_size)
{
    blocked_plan(w, nx, ny, cell_size);
    w->def.pipes.friction = 0.0f;
}

static void fill_to(blocked_water *w, int i0, int i1, float level)
{
    for (int j = 0; j < w->ny; j++)
        for (int i = i0; i < i1; i++) {
            const size_t n = (size_t)j * (size_t)w->nx + (size_t)i;
            w->depth[n] = level > w->bed[n] ? level - w->bed[n] : 0.0f;
        }
}

static rl_box all_rows(const blocked_water *w, int i0, int i1)
{
    return (rl_box){i0, 0, i1, w->ny};
}

// ---- Nothing blocked -------------------------------------------------------------------

// A lively world, made twice: one never hears of blocks.
TEST(sets_with_nothing_in_them_change_no_bit)
{
    SCOPED(blocked_water) plain, blocked;
    blocked_water *const both[] = {&plain, &blocked};
    for (int n = 0; n < 2; n++) {
        plan_channel(both[n], 133, 140, 0.25f);
        for (size_t c = 0; c < blocked_cells(both[n]); c++)
            both[n]->bed[c] = 0.3f * rl_random_unit(1, 2, c);
        fill_to(both[n], 0, 133, 0.2f);
        fill_to(both[n], 20, 60, 1.5f);
        assert_true(blocked_open(both[n], best_isa(), 2));
    }
    for (int n = 0; n < 300; n++) {
        if (n == 100)
            blocked_give(&blocked, true); // a set with no rows
        if (n == 200)
            rl_pipes_ops.blocking->block(blocked.water, blocked.jobs, NULL);
        blocked_step(&plain, 1.0);
        blocked_step(&blocked, 1.0);
    }
    assert_true(blocked_same_state(&plain, &blocked));
    const rill_columns a = blocked_columns(&plain), b = blocked_columns(&blocked);
    for (int j = 0; j < a.ny; j++)
        assert_memory_equal(a.velocity_x + (size_t)j * a.pitch, b.velocity_x + (size_t)j * b.pitch,
                            (size_t)a.nx * sizeof(float));
}

// ---- What rests on the ground ----------------------------------------------------------

TEST(a_wall_holds_two_metres_of_water_for_ten_minutes)
{
    SCOPED(blocked_water) w;
    plan_channel(&w, 48, 12, 0.5f);
    fill_to(&w, 0, 24, 2.0f);
    w.depth[5 * 48 + 3] = 2.4f; // not even a calm lake
    assert_true(blocked_open(&w, best_isa(), 1));
    blocked_rest(&w, all_rows(&w, 24, 26), 3.0f);
    blocked_give(&w, true);
    for (double time = 0.0; time < 600.0;)
        time += blocked_step(&w, 0.1);
    const rill_columns c = blocked_columns(&w);
    for (int j = 0; j < w.ny; j++)
        for (int i = 24; i < w.nx; i++) {
            assert_true(blocked_depth(&c, i, j) == 0.0f);
            assert_true(c.velocity_x[(size_t)j * c.pitch + (size_t)i] == 0.0f);
        }
    const double volume = (2.0 * 24 * 12 + (double)2.4f - 2.0) * 0.25;
    // Each step rounds the change of a cell, which is below 1e-3 of the depth, to 2^-24 of it; the
    // errors of some 30,000 steps and 288 cells have both signs.
    assert_true(fabs(blocked_volume(&w) - volume) < 1e-8 * volume);
}

// ---- Lakes at rest ---------------------------------------------------------------------

// A lake of 16 x 16 m with a crate on the ground below its surface, one that sticks out, a slab
// that hangs in deep water, one just covered, and a raft that presses the water down.
static void open_lake(blocked_water *w, bool quantised)
{
    plan_channel(w, 64, 64, 0.25f);
    for (size_t n = 0; n < blocked_cells(w); n++) {
        const float rough = 0.5f * rl_random_unit(3, 4, n);
        w->bed[n] = quantised ? floorf(rough * 64.0f) / 64.0f : rough;
    }
    fill_to(w, 0, 64, quantised ? 4.0f : 4.1f);
    assert_true(blocked_open(w, best_isa(), 2));
    blocked_rest(w, (rl_box){4, 4, 14, 14}, 1.25f);
    blocked_rest(w, (rl_box){20, 4, 30, 14}, 5.0f);
    blocked_hang(w, (rl_box){4, 20, 14, 33}, 1.5f, 2.75f);
    blocked_hang(w, (rl_box){20, 20, 30, 33}, 2.0f, 3.984375f);
    blocked_hang(w, (rl_box){40, 40, 55, 55}, 3.25f, 4.5f);
    blocked_hang(w, (rl_box){56, 0, 64, 64}, 7.0f, 8.0f);
    blocked_give(w, true);
}

// Levels of what is not pressed down or under a dry body.
static void assert_levels(blocked_water *w, float level, float error)
{
    const rill_columns c = blocked_columns(w);
    for (int j = 0; j < w->ny; j++)
        for (int i = 0; i < w->nx; i++) {
            const rl_block b = blocked_cell(w, i, j);
            const bool pressed = b.lower < level && b.upper > level;
            if (b.floor < level && !pressed)
                assert_true(fabsf(blocked_level(&c, i, j) - level) <= error);
            else if (pressed)
                assert_true(blocked_depth(&c, i, j) == b.lower - b.floor);
            else
                assert_true(blocked_depth(&c, i, j) == 0.0f);
        }
}

TEST(a_calm_lake_with_bodies_in_it_does_not_move_at_all)
{
    SCOPED(blocked_water) w;
    open_lake(&w, true); // sums are exact
    assert_levels(&w, 4.0f, 0.0f);
    for (int n = 0; n < 500; n++) {
        blocked_step(&w, 1.0);
        assert_true(blocked_fastest(&w) == 0.0);
    }
    assert_levels(&w, 4.0f, 0.0f);
}

// Levels are sums of up to three rounded numbers below 8 m: a slope of two grains over a cell
// drives u = eta sqrt(g / H), and resonances of the basin a few times as much.
TEST(a_calm_lake_on_any_ground_stays_calm_around_bodies)
{
    SCOPED(blocked_water) w;
    open_lake(&w, false);
    const double grain = 8.0 * 0.5 * (double)FLT_EPSILON;
    double fastest = 0.0;
    for (int n = 0; n < 5000; n++) {
        blocked_step(&w, 1.0);
        fastest = n % 20 == 0 ? fmax(fastest, blocked_fastest(&w)) : fastest;
    }
    assert_true(fastest < 16.0 * grain * sqrt(9.81 / 3.6));
    assert_levels(&w, 4.1f, 1e-5f);
}

// ---- What hangs ------------------------------------------------------------------------

TEST(the_level_of_a_column_is_that_of_equation_5)
{
    const struct {
        float depth, level;
    } cases[] = {{1.5f, 2.5f}, {1.0f, 1.0f}, {0.75f, 0.75f}, {3.0f, 4.0f}};
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        SCOPED(blocked_water) w;
        plan_channel(&w, 8, 8, 1.0f);
        fill_to(&w, 0, 8, cases[n].depth);
        assert_true(blocked_open(&w, best_isa(), 1));
        blocked_hang(&w, (rl_box){3, 3, 5, 5}, 1.0f, 2.0f);
        blocked_give(&w, false);
        const rill_columns c = blocked_columns(&w);
        assert_true(blocked_level(&c, 3, 4) == cases[n].level);
        assert_true(blocked_depth(&c, 3, 4) == cases[n].depth);
        assert_true(blocked_level(&c, 2, 4) == cases[n].depth);
    }
}

// A wave runs along a channel under a bridge, and along the same channel without one.
static void open_wave(blocked_water *w, int workers, int variant)
{
    plan_channel(w, 120, 70, 0.25f);
    w->def.pipes.area = variant == 1 ? RILL_AREA_PAPER : RILL_AREA_WETTED;
    w->def.pipes.viscosity = variant == 2 ? 1e-3f : 0.0f;
    for (size_t n = 0; n < blocked_cells(w); n++)
        w->bed[n] = 0.2f * rl_random_unit(5, 6, n);
    fill_to(w, 0, 120, 0.8f);
    fill_to(w, 0, 20, 1.4f);
    assert_true(blocked_open(w, best_isa(), workers));
}

TEST(below_a_bridge_water_flows_as_if_there_was_none)
{
    for (int variant = 0; variant < 3; variant++) {
        SCOPED(blocked_water) free, bridged;
        open_wave(&free, 1, variant);
        open_wave(&bridged, 2, variant);
        blocked_hang(&bridged, (rl_box){35, 0, 52, 70}, 6.0f, 7.0f);
        blocked_hang(&bridged, (rl_box){80, 33, 81, 66}, 5.0f, 7.0f);
        blocked_give(&bridged, true);
        for (int n = 0; n < 400; n++) {
            blocked_step(&free, 1.0);
            blocked_step(&bridged, 1.0);
        }
        assert_true(blocked_fastest(&free) > 0.01);
        assert_true(blocked_same_state(&free, &bridged));
        assert_true(blocked_fastest(&free) == blocked_fastest(&bridged));
    }
}

// Water that has come past cell 30 of a channel within ten seconds of a dam break from 2 m onto
// 0.2 m, m^3. A slab fills the cells [30, 40) from `lower` to `upper`; or it rests.
static double passed(float lower, float upper, bool rests)
{
    SCOPED(blocked_water) w;
    plan_channel(&w, 100, 6, 0.5f);
    fill_to(&w, 0, 25, 2.0f);
    fill_to(&w, 25, 100, 0.2f);
    w.def.pipes.critical_flow = 0; // which counts with bodies that rest alone (docs/pipes.md)
    assert_true(blocked_open(&w, best_isa(), 1));
    if (rests)
        blocked_rest(&w, all_rows(&w, 30, 40), upper);
    else
        blocked_hang(&w, all_rows(&w, 30, 40), lower, upper);
    blocked_give(&w, true);
    rill_columns c = blocked_columns(&w);
    double before = 0.0, after = 0.0;
    for (int i = 40; i < 100; i++)
        before += (double)blocked_depth(&c, i, 3);
    for (double time = 0.0; time < 10.0;)
        time += blocked_step(&w, 0.05);
    c = blocked_columns(&w);
    for (int i = 40; i < 100; i++)
        after += (double)blocked_depth(&c, i, 3);
    assert_true(blocked_fastest(&w) < 20.0);
    return (after - before) * 0.5;
}

TEST(a_slab_in_the_way_of_a_flood_lets_through_what_it_leaves_open)
{
    const double free = passed(8.0f, 9.0f, false);
    const double wall = passed(0.0f, 9.0f, true);
    const double gate = passed(0.5f, 9.0f, false);    // a gap of half a metre below
    const double wide = passed(1.0f, 9.0f, false);    // of a metre
    const double sill = passed(0.0f, 0.75f, true);    // over a sill alone
    const double both = passed(0.25f, 0.75f, false);  // below and over
    const double over = passed(0.005f, 0.75f, false); // nearly the sill
    assert_true(wall == 0.0);
    assert_true(gate > 0.1 * free && gate < wide && wide < free);
    assert_true(sill > 0.1 * free && sill < both && both < free);
    assert_true(fabs(over - sill) < 0.1 * sill);
}

// A lid over a dry pit whose rim reaches up to it, under two metres of water: no water from above a
// body to below it (docs/papers.md, 003.10).
TEST(water_above_a_body_does_not_drop_into_the_air_below_it)
{
    SCOPED(blocked_water) w;
    plan_channel(&w, 24, 24, 0.5f);
    fill_to(&w, 0, 24, 2.0f);
    for (int j = 10; j < 14; j++)
        for (int i = 10; i < 14; i++)
            w.depth[j * 24 + i] = 0.0f;
    assert_true(blocked_open(&w, best_isa(), 1));
    blocked_rest(&w, (rl_box){9, 9, 15, 15}, 1.0f);
    for (int j = 10; j < 14; j++)
        for (int i = 10; i < 14; i++)
            rill_field_row(&w.sets[!w.now].floor, j)[i] = 0.0f;
    blocked_hang(&w, (rl_box){10, 10, 14, 14}, 0.75f, 1.25f);
    blocked_give(&w, true);
    for (int n = 0; n < 2000; n++)
        blocked_step(&w, 1.0);
    const rill_columns c = blocked_columns(&w);
    for (int j = 10; j < 14; j++)
        for (int i = 10; i < 14; i++)
            assert_true(blocked_depth(&c, i, j) == 0.0f);
    assert_true(fabsf(blocked_level(&c, 2, 2) - 2.0f) < 0.1f);
}

// ---- Bands -----------------------------------------------------------------------------

// A basin of 60 rows with something that hangs in it, from row `first` of a grid on; what is around
// it lies high and dry.
static void open_basin(blocked_water *w, int ny, int first, rl_box hangs, int workers)
{
    plan_channel(w, 40, ny, 1.0f);
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < 40; i++) {
            const bool inside = j >= first && j < first + 60;
            const size_t n = (size_t)j * 40 + (size_t)i;
            w->bed[n] = inside ? 0.0f : 50.0f;
            w->depth[n] =
                inside ? 2.0f + 0.5f * sinf(0.3f * (float)i + 0.2f * (float)(j - first)) : 0.0f;
        }
    assert_true(blocked_open(w, best_isa(), workers));
    blocked_clear(w);
    hangs.j0 += first;
    hangs.j1 += first;
    blocked_hang(w, hangs, 1.2f, 1.9f);
    blocked_give(w, true);
}

// The large grid is swept in four bands; one ends in row 128, that is row 30 of the basin, or
// beside what hangs there if it can.
TEST(bands_that_end_among_bodies_change_no_bit)
{
    const rl_box boxes[] = {{8, 26, 20, 35}, {8, 15, 20, 45}, {8, 32, 20, 40}};
    for (int n = 0; n < 3; n++) {
        SCOPED(blocked_water) one, four;
        open_basin(&one, 60, 0, boxes[n], 1);
        open_basin(&four, 256, 98, boxes[n], 2);
        for (int step = 0; step < 300; step++) {
            blocked_step(&one, 0.5);
            blocked_step(&four, 0.5);
        }
        const rill_columns a = blocked_columns(&one), b = blocked_columns(&four);
        for (int j = 0; j < 60; j++)
            for (int i = 0; i < 40; i++) {
                const size_t k = (size_t)j * a.pitch + (size_t)i;
                const size_t l = (size_t)(j + 98) * b.pitch + (size_t)i;
                assert_true(a.depth[k] == b.depth[l]);
                assert_true(a.velocity_x[k] == b.velocity_x[l]);
                assert_true(a.velocity_y[k] == b.velocity_y[l]);
            }
    }
}

// A band reads the rows beyond its ends from copies. Whatever was deposited near an end since they
// were made, with or without a push, is seen: as much as when all are made anew. Every other step
// stirs up the rows at the end, so that their cells cannot pay for their outflow in the next one.
static void give_near_the_end(blocked_water *w, int row, int step)
{
    const float none[4] = {0.0f}, depth[4] = {0.01f, -0.01f, 0.02f, 0.0f};
    const float push[4] = {1.0f, -2.0f, 3.0f, -1.0f}, back[4] = {-1.0f, 2.0f, -3.0f, 1.0f};
    const bool stirs = step % 2 == 0;
    const rl_deposit deposit = {.row = stirs ? 127 + step / 2 % 2 : row,
                                .first = 10,
                                .count = 4,
                                .depth = stirs ? none : depth,
                                .momentum_x = step % 3 == 0 ? push : NULL,
                                .momentum_y = stirs           ? push
                                              : step % 4 == 1 ? back
                                                              : NULL};
    rl_pipes_ops.deposit(w->water, &deposit);
}

TEST(what_is_deposited_near_the_end_of_a_band_is_seen)
{
    for (int row = 128 - 6; row < 128 + 6; row++) {
        SCOPED(blocked_water) copies, anew;
        blocked_water *const both[] = {&copies, &anew};
        for (int n = 0; n < 2; n++) {
            plan_channel(both[n], 40, 256, 1.0f);
            both[n]->def.pipes.smoothing = 0.6f; // what is kept depends on the rows beside
            fill_to(both[n], 0, 40, 0.02f);
            assert_true(blocked_open(both[n], best_isa(), 2));
            for (int step = 0; step < 12; step++) {
                give_near_the_end(both[n], row, step);
                if (n == 1)
                    rl_pipes_ops.bed_changed(both[n]->water);
                blocked_step(both[n], 0.1);
            }
        }
        assert_true(blocked_same_state(&copies, &anew));
    }
}

// ---- Looking ---------------------------------------------------------------------------

TEST(velocities_in_boxes_are_those_of_the_whole)
{
    SCOPED(blocked_water) whole, boxed;
    blocked_water *const both[] = {&whole, &boxed};
    for (int n = 0; n < 2; n++) {
        open_wave(both[n], 2, 0);
        blocked_hang(both[n], (rl_box){0, 10, 20, 40}, 0.5f, 0.9f);
        blocked_rest(both[n], (rl_box){60, 20, 70, 30}, 1.0f);
        blocked_give(both[n], true);
        for (int step = 0; step < 100; step++)
            blocked_step(both[n], 1.0);
    }
    const rl_box boxes[] = {{-5, -3, 30, 45}, {10, 20, 40, 60}, {55, 15, 75, 500}, {90, 5, 90, 9}};
    const rill_columns a = blocked_columns(&whole);
    const rl_columns_request request = {.row_end = 70, .boxes = boxes, .box_count = 4};
    const rill_columns b = rl_pipes_ops.columns(boxed.water, boxed.jobs, &request);
    const float *bed = rl_pipes_ops.bed(boxed.water)->origin;
    int moving = 0;
    for (int n = 0; n < 4; n++)
        for (int j = 0; j < 70; j++)
            for (int i = 0; i < 120; i++) {
                const rl_box box = boxes[n];
                const size_t k = (size_t)j * a.pitch + (size_t)i;
                assert_true(b.base[k] == bed[(size_t)j * b.pitch + (size_t)i]);
                assert_true(a.depth[k] == b.depth[k]);
                if (i < box.i0 || i >= box.i1 || j < box.j0 || j >= box.j1)
                    continue;
                assert_true(a.velocity_x[k] == b.velocity_x[k]);
                assert_true(a.velocity_y[k] == b.velocity_y[k]);
                moving += a.velocity_x[k] != 0.0f;
            }
    assert_true(moving > 1000);
    // Small boxes, some wider than a vector and some at the sides.
    const rl_box few[] = {{0, 0, 120, 3}, {3, 8, 24, 44}, {15, 9, 17, 12}, {50, 60, 90, 70}};
    static float u[120 * 70], v[120 * 70];
    for (int n = 0; n < 4; n++) {
        const rl_box box = few[n];
        size_t at = 0;
        const rl_columns_request copy = {
            .boxes = &box, .box_count = 1, .velocity_x = u, .velocity_y = v};
        rl_pipes_ops.columns(boxed.water, NULL, &copy);
        for (int j = box.j0; j < box.j1; j++)
            for (int i = box.i0; i < box.i1; i++, at++) {
                assert_true(a.velocity_x[(size_t)j * a.pitch + (size_t)i] == u[at]);
                assert_true(a.velocity_y[(size_t)j * a.pitch + (size_t)i] == v[at]);
            }
    }
}

// The ground that columns show follows bodies that come and go, and edits of the bed.
TEST(columns_stand_on_the_bed_again_when_a_body_has_gone)
{
    SCOPED(blocked_water) w;
    plan_channel(&w, 40, 40, 1.0f);
    fill_to(&w, 0, 40, 2.0f);
    assert_true(blocked_open(&w, best_isa(), 2));
    for (int n = 0; n < 6; n++) {
        blocked_clear(&w);
        blocked_rest(&w, (rl_box){n, 3 * n, n + 7, 3 * n + 4}, 1.0f);
        blocked_give(&w, true);
        rill_field *bed = rl_pipes_ops.bed(w.water);
        if (n == 3)
            rill_field_row(bed, 30)[30] = 0.5f;
        if (n == 3)
            rl_pipes_ops.bed_changed(w.water);
        const rill_columns c = rl_pipes_ops.columns(w.water, w.jobs, NULL);
        for (int j = 0; j < 40; j++)
            for (int i = 0; i < 40; i++) {
                const bool on = i >= n && i < n + 7 && j >= 3 * n && j < 3 * n + 4;
                const float ground = i == 30 && j == 30 && n >= 3 ? 0.5f : 0.0f;
                assert_true(c.base[(size_t)j * c.pitch + (size_t)i] == (on ? 1.0f : ground));
            }
    }
}
