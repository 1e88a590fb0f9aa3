// SPDX-License-Identifier: MIT
// What bodies do to water that runs through them: volumes, levels, momentum, and that it ends.
#include "tests/bodies/body_worlds.h"
#include "tests/kit/kit.h"

#define G  BODY_GRAVITY
#define DT (1.0 / 60.0)

TEST_EACH(NULL, end_case);

static const rill_solver waters[] = {RILL_SOLVER_PIPES, RILL_SOLVER_SWE};

static void begin_basin(int water, int nx, int ny, double dx, double depth)
{
    begin_bodies(waters[water], nx, ny, dx, depth);
    make_bodies();
}

static void step_all(void)
{
    feel(DT);
    disturb_water(DT);
    run_water(DT);
}

// Volume over cells [i0, i1) of all rows.
static double volume_between(int i0, int i1)
{
    const rill_columns columns = c.ops->columns(c.solver, NULL, NULL);
    double sum = 0.0;
    for (int j = 0; j < columns.ny; j++)
        for (int i = i0; i < i1; i++)
            sum += (double)columns.depth[(size_t)j * columns.pitch + (size_t)i];
    return sum * (double)c.def.cell_size * (double)c.def.cell_size;
}

// Energy of the water above rest at `level`: potential, and of the mean velocities of columns.
static double energy_of(double level)
{
    const rill_columns columns = c.ops->columns(c.solver, NULL, NULL);
    double sum = 0.0;
    for (int j = 0; j < columns.ny; j++)
        for (int i = 0; i < columns.nx; i++) {
            const size_t at = (size_t)j * columns.pitch + (size_t)i;
            const double d = (double)columns.depth[at], up = d - level;
            const double u = (double)columns.velocity_x[at], v = (double)columns.velocity_y[at];
            sum += 0.5 * G * up * up + 0.5 * d * (u * u + v * v);
        }
    return sum;
}

// ---- Volume ----------------------------------------------------------------------------

TEST(what_is_made_is_what_the_water_has_and_the_body_remembers)
{
    for (int n = 0; n < 2; n++) {
        begin_basin(n, 40, 32, 0.5, 2.0);
        rill_body_def def = box_def(8.2, 7.9, 2.3, 1.2);
        def.velocity[0] = 2.0;
        def.velocity[2] = -1.0;
        rl_body *body = add_body(def);
        const double start = water_volume();
        for (int k = 0; k < 30; k++) {
            body->position[0] += DT * body->velocity[0];
            body->position[2] += DT * body->velocity[2];
            place_body(body);
            const double before = water_volume(), made = disturb_water(DT);
            assert_near(water_volume() - before, made, 1e-11 * start);
            assert_near(body->displaced, c.corrected, 1e-9);
            assert_true(body->displaced > 0.0 && body->displaced <= body->volume + 1e-9);
            run_water(DT);
        }
        assert_near(water_volume() - start, body->displaced, 1e-9 * start);
    }
}

// In the step after it came the body finds as much of itself below the water as the water got.
TEST(the_water_has_got_what_the_body_displaces_in_every_step)
{
    for (int n = 0; n < 2; n++) {
        begin_basin(n, 40, 32, 0.5, 2.0);
        rl_body *body = add_body(box_def(8.2, 7.9, 2.0, 1.2));
        disturb_water(DT);
        feel(DT); // with the level that the body has lifted
        assert_near(body->displaced, body->submerged, 0.02 * body->submerged);
        assert_true(body->submerged > 0.5 * body->volume);
    }
}

TEST(the_level_of_a_basin_rises_by_the_volume_of_what_is_in_it)
{
    for (int n = 0; n < 2; n++) {
        begin_basin(n, 24, 20, 0.5, 2.0);
        rill_body_def def = box_def(6.1, 5.2, 1.0, 1.5); // 1.75 m of it reach up to the level
        def.adaptation = 5.0;                            // calms it
        rl_body *body = add_body(def);
        for (int k = 0; k < 1800; k++)
            step_all();
        const double area = 24.0 * 20.0 * 0.25, volume = 1.5 * 1.5 * 1.5;
        assert_near(body->submerged, volume, 1e-3 * volume);
        assert_near(body->displaced, volume, 1e-3 * volume);
        assert_near(water_volume() / area, 2.0 + volume / area, 1e-6);
    }
}

TEST(a_body_that_goes_takes_its_volume_with_it)
{
    for (int n = 0; n < 4; n++) { // it is lifted out, or withdrawn
        begin_basin(n % 2, 40, 32, 0.5, 2.0);
        rl_body *body = add_body(box_def(8.2, 7.9, 1.5, 1.2));
        const double start = water_volume();
        for (int k = 0; k < 20; k++)
            step_all();
        assert_true(body->displaced > 1.0);
        if (n < 2) {
            body->position[2] = 5.0;
            place_body(body);
            disturb_water(DT);
        } else {
            const rl_body_water water = water_of(DT);
            const double before = body->displaced;
            assert_near(rl_bodies_withdraw(c.bodies, 0, &water), -before, 1e-6);
        }
        assert_near(body->displaced, 0.0, 1e-6);
        assert_near(water_volume(), start, 1e-8 * start + 1e-6);
    }
}

// A cell gives no more than it has: the rest stays in the books of the body.
TEST(a_film_gives_no_more_than_it_holds)
{
    begin_basin(0, 40, 32, 0.5, 0.01);
    rl_body *body = add_body(box_def(8.2, 7.9, 4.0, 1.2));
    body->displaced = 1.0; // more than there is around
    const double start = water_volume(), made = disturb_water(DT);
    assert_true(made < 0.0 && made > -0.5);
    assert_near(water_volume() - start, made, 1e-9);
    assert_near(body->displaced, 1.0 + made, 1e-12);
}

TEST(on_dry_ground_nothing_happens)
{
    for (int n = 0; n < 2; n++) {
        begin_basin(n, 40, 32, 0.5, 0.0);
        rill_body_def def = box_def(8.2, 7.9, 0.4, 1.2);
        def.velocity[0] = 3.0;
        rl_body *body = add_body(def);
        body->displaced = 0.5;
        feel(DT);
        assert_true(disturb_water(DT) == 0.0 && body->displaced == 0.5);
        assert_true(water_volume() == 0.0 && body->given[0] == 0.0);
    }
}

// A ridge of one dry cell, right beside the body.
TEST(water_never_goes_through_a_wall)
{
    for (int n = 0; n < 2; n++) {
        begin_bodies(waters[n], 40, 32, 0.5, 2.0);
        for (int j = 0; j < 32; j++) {
            c.bed[40 * j + 20] = 5.0f;
            c.depth[40 * j + 20] = 0.0f;
        }
        make_bodies();
        const rill_body_def def = box_def(8.9, 7.9, 2.0, 2.0); // up to 9.9 m; the ridge from 10 on
        const rl_body *body = add_body(def);
        const double behind = volume_between(20, 40);
        for (int k = 0; k < 60; k++)
            step_all();
        assert_true(body->displaced > 1.0);
        assert_near(volume_between(20, 40), behind, 1e-5 * behind);
    }
}

// A body that goes down raises the water over it at once, the more the less deep it is.
TEST(swept_volume_is_felt_at_once_and_fades_with_depth)
{
    double raised[2];
    for (int n = 0; n < 2; n++) {
        begin_basin(0, 40, 40, 0.5, 6.0);
        rill_body_def def = box_def(10.0, 10.0, n == 0 ? 6.3 : 4.0, 1.0);
        def.size[0] = def.size[1] = 3.0;
        def.velocity[2] = -1.0;
        rl_body *body = add_body(def);
        feel(DT);
        // What it displaced a step ago.
        body->displaced = body->submerged - (n == 0 ? 9.0 * DT : 0.0);
        disturb_water(DT);
        const rill_columns columns = c.ops->columns(c.solver, NULL, NULL);
        raised[n] = (double)columns.depth[20 * columns.pitch + 20] - 6.0;
    }
    // The bottom is 0.2 m below the surface; the rest follows on a wider place.
    assert_true(raised[0] > DT * exp(-0.2) && raised[0] < DT);
    // Bottom and top at 2.5 and 1.5 m take away what they give, but for the fading, and all of the
    // body's volume stays the same.
    assert_true(raised[1] < 0.0 && raised[1] > DT * (exp(-2.5) - exp(-1.5)));
}

// ---- Velocity --------------------------------------------------------------------------

TEST(the_water_gets_the_momentum_that_adaptation_takes)
{
    for (int n = 0; n < 2; n++) {
        begin_basin(n, 40, 32, 0.5, 2.0);
        rill_body_def def = box_def(8.2, 7.9, 1.9, 1.2);
        def.velocity[0] = 2.0;
        def.velocity[1] = -1.0;
        const rl_body *body = add_body(def);
        disturb_water(DT);
        // The body lies in its columns by submerged volume, faded, at 0.2 per second.
        const double most = BODY_DENSITY * 2.0 * DT * 0.2 * body->volume;
        assert_true(body->given[0] > 0.1 * most && body->given[0] < most);
        assert_near(body->given[1], -0.5 * body->given[0], 1e-4 * body->given[0]);
        for (int axis = 0; axis < 2; axis++) {
            const double got = BODY_DENSITY * water_momentum(axis);
            assert_near(got, body->given[axis], 2e-6 * fabs(body->given[axis]));
        }
    }
}

// Deep down or not, with any rate: water follows the body, never faster and never away from it.
TEST(adaptation_neither_overtakes_the_body_nor_drives_water_back)
{
    for (int n = 0; n < 6; n++) {
        begin_basin(n % 2, 40, 32, 0.5, 6.0);
        rill_body_def def = box_def(8.2, 7.9, 5.8 - 2.4 * (n / 2), 1.5);
        def.velocity[0] = 2.0;
        def.adaptation = 1e4;
        def.displacement = 0.0;
        def.density = 1e6;
        rl_body *body = add_body(def);
        feel(1e-9);
        body->displaced = body->submerged;
        disturb_water(DT);
        const rill_columns columns = c.ops->columns(c.solver, NULL, NULL);
        for (int j = 0; j < 32; j++)
            for (int i = 0; i < 40; i++) {
                const float u = columns.velocity_x[(size_t)j * columns.pitch + (size_t)i];
                assert_true(u >= -1e-5f && u <= 2.001f);
            }
    }
}

// The momentum of a body as light as a balloon is not reversed by what the water takes.
TEST(adaptation_takes_half_of_a_light_bodys_speed_at_most)
{
    begin_basin(0, 40, 32, 0.5, 2.0);
    rill_body_def def = box_def(8.2, 7.9, 1.5, 1.0);
    def.density = 0.1;
    def.velocity[0] = 2.0;
    def.adaptation = 50.0;
    const rl_body *body = add_body(def);
    disturb_water(DT);
    assert_true(body->given[0] > 0.0 && body->given[0] < 0.6 * body->mass * 2.0);
}

TEST(sheets_and_bodies_without_coupling_leave_the_water_as_it_is)
{
    begin_basin(1, 40, 32, 0.5, 2.0);
    rill_body_def def = box_def(8.2, 7.9, 1.5, 1.0);
    def.velocity[0] = 2.0;
    def.coupling = RILL_COUPLING_NONE;
    add_body(def);
    def.coupling = RILL_COUPLING_BLOCK;
    def.position[0] += 4.0;
    add_body(def);
    def.coupling = RILL_COUPLING_PASS;
    def.shape = RILL_BODY_SHEET;
    def.density = 1.0;
    add_body(def);
    const uint64_t before = hash_case();
    assert_true(disturb_water(DT) == 0.0);
    assert_true(hash_case() == before);
}

// ---- Both ways -------------------------------------------------------------------------

// A crate of half the weight of water is let go above a small closed basin.
TEST(a_crate_comes_to_float_at_its_draught_and_level)
{
    for (int n = 0; n < 4; n++) {
        begin_basin(n % 2, 24, 20, 0.5, 2.0);
        rill_body_def def = box_def(6.1, 5.2, 2.8, n < 2 ? 1.0 : 2.6);
        def.size[2] = 1.0;
        rl_body *body = add_body(def);
        const double mass_volume = body->mass / BODY_DENSITY, area = 24.0 * 20.0 * 0.25;
        double submerged = 0.0, water = 0.0, low = 0.0; // means: nothing stops the last waves
        for (int k = 0; k < 4800; k++) {
            feel(DT);
            body->velocity[2] += DT * (body->force[2] / body->mass - G);
            body->position[2] += DT * body->velocity[2];
            place_body(body);
            disturb_water(DT);
            assert_true(body->displaced >= -1e-6 && body->displaced <= body->volume * 1.001);
            run_water(DT);
            submerged += k < 2400 ? 0.0 : body->submerged / 2400.0;
            water += k < 2400 ? 0.0 : water_volume() / 2400.0;
            low += k < 2400 ? 0.0 : body->low[2] / 2400.0;
        }
        const double level = 2.0 + mass_volume / area;
        assert_near(submerged, mass_volume, 0.01 * mass_volume);
        assert_near(water / area, level, 0.01 * mass_volume / area);
        assert_near(level - low, 0.5, 0.02 * 0.5);
    }
}

// A body that is held in a basin full of waves: they must die, not grow.
TEST(waves_do_not_grow_at_a_body_that_is_held)
{
    for (int n = 0; n < 4; n++) {
        begin_bodies(waters[n % 2], 20, 12, 0.5, 2.0);
        for (int j = 0; j < 12; j++)
            for (int i = 0; i < 20; i++)
                c.depth[20 * j + i] += (float)(0.1 * cos(3.14159265 * (i + 0.5) / 20.0));
        make_bodies();
        rill_body_def def = box_def(5.0, 3.0, 2.0, n < 2 ? 3.0 : 4.6);
        def.size[2] = 2.0;
        const rl_body *body = add_body(def);
        const double area = 10.0 * 6.0;
        for (int k = 0; k < 120; k++)
            step_all();
        const double early = energy_of(2.0 + body->displaced / area);
        for (int k = 0; k < 1800; k++)
            step_all();
        assert_true(energy_of(2.0 + body->displaced / area) < early);
    }
}
