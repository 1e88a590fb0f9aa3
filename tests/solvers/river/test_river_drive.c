// SPDX-License-Identifier: MIT
// What drives a river (004 section 3.5): hints follow its channel, impulses hold its speed whatever
// the cells, nothing runs back, and bootstrapping gives the same river again.
#include "tests/kit/kit.h"
#include "tests/solvers/river/river_drives.h"

static double hint_along(const rl_river *r, int i, int j, double x, double y)
{
    return (double)rill_field_row(&r->levels[0].hint_x, j)[i] * x +
           (double)rill_field_row(&r->levels[0].hint_y, j)[i] * y;
}

static double speed_at(rl_river *r, int i, int j)
{
    rl_river_update_centres(r, NULL);
    const double x = (double)rill_field_row(&r->velocity_x, j)[i];
    const double y = (double)rill_field_row(&r->velocity_y, j)[i];
    return sqrt(x * x + y * y);
}

static double mean_speed(rl_river *r)
{
    double sum = 0.0;
    int count = 0;
    for (int j = 0; j < r->ny; j++)
        for (int i = 0; i < r->nx; i++)
            if (wet_at(r, i, j)) {
                sum += speed_at(r, i, j);
                count++;
            }
    return sum / count;
}

// ---- Angles ----------------------------------------------------------------------------

TEST(directions_are_those_of_the_math_library)
{
    for (double degrees = -1000.0; degrees < 1000.0; degrees += 3.7) {
        double cosine, sine;
        rl_river_turn(degrees, &cosine, &sine);
        assert_near(cosine, cos(degrees * 3.14159265358979323846 / 180.0), 1e-13);
        assert_near(sine, sin(degrees * 3.14159265358979323846 / 180.0), 1e-13);
    }
    double cosine, sine;
    rl_river_turn(180.0, &cosine, &sine);
    assert_true(cosine == -1.0 && sine == 0.0);
}

// ---- Hints -----------------------------------------------------------------------------

// In from the west below, round, back to the west above, and out to the north.
static river_case dig_bend(void)
{
    river_case c = begin_river(128, 96, 10.0);
    dig(&c, 0.0, 150.0, 1100.0, 270.0, 3.0f);
    dig(&c, 980.0, 150.0, 1100.0, 750.0, 3.0f);
    dig(&c, 200.0, 630.0, 1100.0, 750.0, 3.0f);
    dig(&c, 200.0, 630.0, 320.0, 960.0, 3.0f);
    return c;
}

TEST(hints_follow_a_channel_that_turns_back)
{
    static const rill_river_pressure ways[] = {RILL_RIVER_MULTIGRID, RILL_RIVER_JACOBI};
    for (int way = 0; way < 2; way++) {
        river_case c = dig_bend();
        c.def.river.pressure = ways[way];
        FREED_BY(free_river) rl_river *r = make_river(&c);
        rl_river_hints_find(r, NULL);
        for (int k = -4; k <= 4; k++) { // in the middle of the straight parts
            assert_true(hint_along(r, 50 + k, 20, 1.0, 0.0) > 0.9);
            assert_true(hint_along(r, 104, 45 + k, 0.0, 1.0) > 0.9);
            assert_true(hint_along(r, 60 + k, 69, -1.0, 0.0) > 0.9);
            assert_true(hint_along(r, 26, 85 + k, 0.0, 1.0) > 0.9);
        }
        for (int j = 0; j < r->ny; j++)
            for (int i = 0; i < r->nx; i++)
                if (wet_at(r, i, j)) {
                    const double x = (double)rill_field_row(&r->levels[0].hint_x, j)[i];
                    const double y = (double)rill_field_row(&r->levels[0].hint_y, j)[i];
                    assert_near(x * x + y * y, 1.0, 1e-5);
                    assert_true(rill_field_row(&r->levels[0].u, j)[i] == 0.0f); // left at rest
                }
    }
}

TEST(bays_and_ponds_have_hints_too)
{
    river_case c = begin_channel(96, 64, 10.0, 200.0, 300.0, 3.0f);
    dig(&c, 400.0, 300.0, 440.0, 600.0, 3.0f); // a side arm without an end
    FREED_BY(free_river) rl_river *r = make_river(&c);
    rl_river_hints_find(r, NULL);
    for (int j = 32; j < 60; j++)
        assert_near(hint_along(r, 42, j, 1.0, 0.0) * hint_along(r, 42, j, 1.0, 0.0) +
                        hint_along(r, 42, j, 0.0, 1.0) * hint_along(r, 42, j, 0.0, 1.0),
                    1.0, 1e-5);
    // At its end as at its mouth: along the river, so that no eddy is driven.
    for (int i = 40; i < 44; i++)
        assert_true(hint_along(r, i, 58, 1.0, 0.0) > 0.95);
}

// The same arm with a level that falls towards the river.
TEST(a_side_stream_is_hinted_down)
{
    river_case c = begin_channel(96, 64, 10.0, 200.0, 300.0, 3.0f);
    dig(&c, 400.0, 300.0, 440.0, 600.0, 3.0f);
    FREED_BY(free_river) rl_river *r = make_river(&c);
    for (int j = 30; j < 60; j++)
        for (int i = 40; i < 44; i++)
            rill_field_row(&r->surface, j)[i] += 0.1f * (float)(j - 29);
    rl_river_levels_rebuild(r);
    rl_river_hints_find(r, NULL);
    for (int j = 45; j < 60; j++)
        assert_true(hint_along(r, 42, j, 0.0, -1.0) > 0.95);
    assert_true(hint_along(r, 70, 25, 1.0, 0.0) > 0.9);
}

TEST(ground_that_was_lowered_gets_hints_and_targets)
{
    river_case c = begin_channel(64, 48, 10.0, 100.0, 200.0, 3.0f);
    FREED_BY(free_river) rl_river *r = started_river(&c, NULL);
    for (int j = 20; j < 30; j++) // beside the river
        for (int i = 20; i < 40; i++)
            rill_field_row(&r->bed, j)[i] = -2.0f;
    rl_river_ops_table.bed_changed(r);
    for (int j = 20; j < 30; j++)
        for (int i = 20; i < 40; i++) {
            assert_true(wet_at(r, i, j));
            assert_true(hint_along(r, i, j, 1.0, 0.0) > 0.9);
            assert_true(rill_field_row(&r->levels[0].target, j)[i] > 0.0f);
        }
}

// Appendix A.2: with weight 1 the hint lies in the middle between the flow and the first direction.
TEST(the_first_direction_counts_as_much_as_asked)
{
    river_case c = dig_bend();
    c.def.river.straight = 1.0f;
    FREED_BY(free_river) rl_river *r = make_river(&c);
    rl_river_hints_find(r, NULL);
    assert_near(hint_along(r, 104, 45, 1.0, 0.0), sqrt(0.5), 0.05);
    assert_near(hint_along(r, 104, 45, 0.0, 1.0), sqrt(0.5), 0.05);
}

TEST(it_starts_in_the_direction_asked_for)
{
    river_case c = dig_bend();
    c.def.river.direction = 30.0f;
    FREED_BY(free_river) rl_river *r = make_river(&c);
    double x, y;
    rl_river_first_direction(r, &x, &y);
    assert_near(x, sqrt(0.75), 1e-12);
    assert_near(y, 0.5, 1e-12);
    r->def.direction = NAN;
    rl_river_first_direction(r, &x, &y);
    assert_true(x == 1.0 && y == 0.0);
}

// ---- Targets ---------------------------------------------------------------------------

TEST(targets_have_the_asked_mean_and_run_against_the_pressure)
{
    river_case c = begin_river(64, 16, 10.0);
    dig(&c, 0.0, 40.0, 320.0, 120.0, 2.0f);
    dig(&c, 320.0, 40.0, 640.0, 120.0, 6.0f);
    FREED_BY(free_river) rl_river *r = make_river(&c);
    rl_river_columns_rebuild(r, NULL);
    rl_river_targets(r);
    const float *target = rill_field_row(&r->levels[0].target, 8);
    assert_near(target[10] / target[50], 3.0, 1e-3);
    assert_near(0.5 * (double)(target[10] + target[50]), r->def.speed, 1e-4);
}

// ---- Impulses --------------------------------------------------------------------------

// A straight channel whose water all moves with (u, v), one impulse of `dt`, no holding.
static rl_river *pushed(float u, float v, double dt)
{
    river_case c = begin_channel(48, 24, 10.0, 40.0, 200.0, 3.0f);
    c.def.river.columns.cells = 0;
    c.def.river.vary = 0.0f;
    rl_river *r = make_river(&c);
    rl_river_hints_find(r, NULL);
    rl_river_targets(r);
    rl_river_levels_merge_hints(r);
    for (int j = 0; j < r->ny; j++)
        for (int i = 0; i <= r->nx; i++) {
            if (rill_field_row(&r->levels[0].open_x, j)[i] > 0.0f)
                rill_field_row(&r->levels[0].u, j)[i] = u;
            if (i < r->nx && rill_field_row(&r->levels[0].open_y, j)[i] > 0.0f)
                rill_field_row(&r->levels[0].v, j)[i] = v;
        }
    r->mean_speed = 0.0; // not known
    rl_river_impulse(r, NULL, dt);
    return r;
}

static double u_at(const rl_river *r, int i, int j)
{
    return (double)rill_field_row(&r->levels[0].u, j)[i];
}

TEST(slow_water_is_pushed_and_fast_water_is_not)
{
    FREED_BY(free_river) rl_river *r = pushed(0.65f, 0.0f, 1.0 / 60.0);
    const double gained = u_at(r, 24, 12) - 0.65;
    assert_true(gained > 1e-5 && gained < 0.65 / 60.0); // within a second or more
    free_river(&r);
    r = pushed(1.6f, 0.0f, 1.0 / 60.0);
    assert_near(u_at(r, 24, 12), 1.6, 1e-7);
    assert_near(u_at(r, 0, 12), 1.6, 1e-7); // at the open border, too
}

TEST(faces_at_banks_get_nothing)
{
    FREED_BY(free_river)
    rl_river *r = pushed(0.02f, 0.03f, 1.0); // too slow: it grows in both directions
    assert_true(rill_field_row(&r->levels[0].v, 5)[24] > 0.031f);
    for (int j = 0; j < r->ny; j++)
        for (int i = 0; i < r->nx; i++)
            if (!wet_at(r, i, j)) {
                assert_true(u_at(r, i, j) == 0.0 && u_at(r, i + 1, j) == 0.0);
                assert_true(rill_field_row(&r->levels[0].v, j)[i] == 0.0f);
                assert_true(rill_field_row(&r->levels[0].v, j + 1)[i] == 0.0f);
            }
}

// Within 7.5 degrees of straight back a cell is turned, beyond it is left to the flow.
TEST(what_runs_straight_back_is_turned)
{
    FREED_BY(free_river) rl_river *r = pushed(-1.0f, 0.1f, 1000.0); // 5.7 degrees
    assert_true(u_at(r, 24, 12) > 0.9);
    free_river(&r);
    r = pushed(-1.0f, 0.2f, 1.0 / 60.0); // 11.3 degrees
    const double beyond = u_at(r, 24, 12);
    free_river(&r);
    r = pushed(-1.0f, 0.1f, 1.0 / 60.0);
    assert_true(u_at(r, 24, 12) > beyond + 0.02); // 2 m/s within about a second
}

TEST(too_fast_and_too_slow_water_comes_back_whatever_the_step)
{
    // 3.9 m/s is the fastest: of 4.1 m/s above it 0.95 are left after a second.
    FREED_BY(free_river) rl_river *r = pushed(8.0f, 0.0f, 1.0);
    assert_near(u_at(r, 24, 12), 3.9 + 0.95 * 4.1, 1e-3);
    free_river(&r);
    r = pushed(8.0f, 0.0f, 0.125);
    for (int n = 1; n < 8; n++)
        rl_river_impulse(r, NULL, 0.125);
    assert_near(u_at(r, 24, 12), 3.9 + 0.95 * 4.1, 1e-3);
    free_river(&r);
    r = pushed(0.0f, 0.01f, 1.0); // across, so that no impulse of its own direction helps
    assert_near(rill_field_row(&r->levels[0].v, 12)[24], 0.011, 1e-5);
    free_river(&r);
    r = pushed(0.0f, 0.06f, 1000.0);
    assert_near(rill_field_row(&r->levels[0].v, 12)[24], 0.065, 1e-5); // no further
}

// ---- The whole river -------------------------------------------------------------------

// The same valley, 2560 m wide, in three sizes of cells.
TEST(the_mean_speed_is_the_asked_one_whatever_the_cells)
{
    SCOPED(rl_jobs) *jobs = make_jobs(2);
    for (int columns = 0; columns <= 4; columns += 4)
        for (int n = 64; n <= 256; n *= 2) {
            river_case c = begin_meander(n, 2560.0 / n);
            c.def.river.columns.cells = columns;
            c.def.river.bootstrap = 600.0;
            FREED_BY(free_river) rl_river *r = started_river(&c, jobs);
            run_river(r, jobs, 30.0, 1.0 / 6.0);
            assert_near(mean_speed(r) / 1.3, 1.0, 0.02);
        }
}

TEST(no_section_runs_back_after_ten_minutes)
{
    SCOPED(rl_jobs) *jobs = make_jobs(2);
    river_case c = begin_meander(128, 20.0);
    FREED_BY(free_river) rl_river *r = started_river(&c, jobs);
    run_river(r, jobs, 600.0, 0.5);
    for (int i = 0; i <= r->nx; i++) {
        double through = 0.0;
        for (int j = 0; j < r->ny; j++)
            through += (double)rill_field_row(&r->levels[0].open_x, j)[i] * u_at(r, i, j);
        assert_true(through > 0.0);
    }
    // Eddies at the banks may run back, the river does not.
    assert_true(rl_river_count_reversed(r, jobs) * 20 < r->levels[0].all.cells);
}

static rl_river *river_with_a_bar(int columns, rl_jobs *jobs)
{
    river_case c = begin_channel(96, 32, 10.0, 80.0, 240.0, 4.0f);
    dig(&c, 400.0, 80.0, 560.0, 240.0, 2.0f);
    c.def.river.columns.cells = columns;
    c.def.river.bootstrap = 300.0;
    return started_river(&c, jobs);
}

// Continuity: half the depth, twice the speed (docs/papers.md, 004.9).
TEST(water_is_faster_over_a_shallow_with_columns_alone)
{
    SCOPED(rl_jobs) *jobs = make_jobs(2);
    FREED_BY(free_river) rl_river *r = river_with_a_bar(4, jobs);
    assert_near(speed_at(r, 48, 16) / speed_at(r, 24, 16), 2.0, 0.1);
    free_river(&r);
    r = river_with_a_bar(0, jobs);
    assert_near(speed_at(r, 48, 16) / speed_at(r, 24, 16), 1.0, 0.02);
}

TEST(a_river_at_rest_starts_by_itself)
{
    SCOPED(rl_jobs) *jobs = make_jobs(2);
    FREED_BY(free_river) rl_river *r = river_with_a_bar(4, jobs);
    rl_river_rest(r);
    r->mean_speed = 0.0;
    run_river(r, jobs, 300.0, 0.5);
    assert_near(mean_speed(r) / 1.3, 1.0, 0.02);
}

// ---- Bootstrapping ---------------------------------------------------------------------

TEST(bootstrapping_lasts_until_the_first_water_is_through)
{
    SCOPED(rl_jobs) *jobs = make_jobs(2);
    river_case c = begin_channel(160, 32, 10.0, 80.0, 240.0, 3.0f);
    c.def.river.bootstrap = -1.0;
    FREED_BY(free_river) rl_river *r = started_river(&c, jobs);
    // 1600 m at 1.3 m/s, and the last part on small cells.
    assert_true(r->bootstrapped >= 0.9 * 1600.0 / 1.3 && r->bootstrapped < 3.0 * 1600.0 / 1.3);
    for (int k = 1; k < r->level_count; k++)
        assert_int_equal(r->levels[k].work.cells, 0); // back on the cells of the grid
    free_river(&r);

    c = begin_channel(160, 32, 10.0, 80.0, 240.0, 3.0f);
    c.def.river.bootstrap = 123.0;
    r = started_river(&c, jobs);
    assert_near(r->bootstrapped, 123.0, 1e-6);
}

TEST(threads_do_not_show)
{
    rl_river *rivers[2];
    rl_jobs *jobs[2] = {NULL, make_jobs(2)};
    for (int n = 0; n < 2; n++) {
        river_case c = begin_meander(96, 20.0);
        c.def.river.vary = 0.5f;
        c.def.river.bootstrap = 200.0;
        rivers[n] = started_river(&c, jobs[n]);
        run_river(rivers[n], jobs[n], 10.0, 0.5);
    }
    for (int j = 0; j < 96; j++) {
        assert_memory_equal(rill_field_row(&rivers[0]->levels[0].u, j),
                            rill_field_row(&rivers[1]->levels[0].u, j), 97 * sizeof(float));
        assert_memory_equal(rill_field_row(&rivers[0]->levels[0].hint_x, j),
                            rill_field_row(&rivers[1]->levels[0].hint_x, j), 96 * sizeof(float));
    }
    free_river(&rivers[0]);
    free_river(&rivers[1]);
    rl_jobs_destroy(&jobs[1]);
}

static uint64_t key_with(void (*change)(rill_world_def *def, float *bed))
{
    river_case c = begin_channel(32, 32, 10.0, 80.0, 240.0, 3.0f);
    if (change != NULL)
        change(&c.def, c.bed);
    FREED_BY(free_river) rl_river *r = make_river(&c);
    return rl_river_key(r);
}

static void change_bed(KIT_UNUSED rill_world_def *def, float *bed)
{
    bed[100] += 1e-4f;
}

static void change_speed(rill_world_def *def, KIT_UNUSED float *bed)
{
    def->river.speed = 1.4f;
}

static void change_what_does_not_matter(rill_world_def *def, KIT_UNUSED float *bed)
{
    def->river.detail_distance = 700.0f;
    def->river.cache.user = def;
    def->river.wave_particles.life = 3.0f;
}

TEST(a_key_stands_for_ground_and_definition)
{
    assert_true(key_with(NULL) == key_with(NULL));
    assert_true(key_with(NULL) == key_with(change_what_does_not_matter));
    assert_true(key_with(NULL) != key_with(change_bed));
    assert_true(key_with(NULL) != key_with(change_speed));
}
