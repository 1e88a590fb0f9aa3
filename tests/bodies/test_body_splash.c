// SPDX-License-Identifier: MIT
// Water that bodies throw up: how much, from where and how fast, against 002 section 2.4.4 by hand.
#include "particles/particles_internal.h"
#include "tests/bodies/body_worlds.h"
#include "tests/kit/instruction_sets.h"
#include "tests/kit/kit.h"

#define DT     (1.0 / 60.0)
#define LEVEL  2.0
#define RADIUS 0.05
#define VOLUME (4.18879020478639 * RADIUS * RADIUS * RADIUS)
#define MOST   20000

TEST_EACH(NULL, end_case);
static rl_splash lumps[MOST], others[MOST];
static uint64_t left_out; // of all calls so far

// A sheet of 1 m^2 in still water, `height` over it, that moves like this.
static rl_body *begin_sheet(double height, double vx, double vy, double vz)
{
    begin_bodies(RILL_SOLVER_SWE, 24, 20, 0.5, LEVEL);
    make_bodies();
    rill_body_def def = box_def(6.13, 5.21, LEVEL + height, 1.0);
    def.shape = RILL_BODY_SHEET;
    def.cells[0] = def.cells[1] = 2;
    def.density = 1.0;
    set3(def.velocity, vx, vy, vz);
    return add_body(def);
}

static int splash(uint64_t seed, rl_splash *out, int most)
{
    const rl_body_water water = water_of(DT);
    return rl_bodies_splash(c.bodies, &water, VOLUME, RADIUS, seed, out, most, &left_out);
}

// Means over seeds: whether the last part of a lump is thrown is a matter of chance.
TEST(lumps_are_a_part_of_the_swept_volume)
{
    static const double speeds[] = {1.7, 3.0, 5.0};
    for (int n = 0; n < 6; n++) {
        const double speed = speeds[n / 2], way = n % 2 == 0 ? -1.0 : 1.0; // it dives, or comes up
        begin_sheet(0.4 * way * speed * DT, 0.0, 0.0, way * speed);
        double mean = 0.0;
        for (uint64_t seed = 0; seed < 200; seed++)
            mean += splash(seed, lumps, MOST) / 200.0;
        const double expected = 0.1 * (speed - 1.5) * speed * DT / VOLUME;
        // 256 samples or less, each off by half a lump at most: the mean of 200 by 0.57.
        assert_near(mean, expected, 3.0 * 0.57);
    }
}

TEST(nothing_is_thrown_without_speed_sweep_or_amount)
{
    begin_sheet(-0.001, 0.0, 0.0, -1.45); // too slow
    assert_int_equal(splash(1, lumps, MOST), 0);
    begin_sheet(-0.5, 0.0, 0.0, -5.0); // below all the time
    assert_int_equal(splash(1, lumps, MOST), 0);
    begin_sheet(0.2, 8.0, 0.0, 0.0); // above
    assert_int_equal(splash(1, lumps, MOST), 0);
    begin_sheet(-0.01, 0.0, 0.0, -5.0);
    assert_true(splash(1, lumps, MOST) > 10);
    c.bodies->def.splash_amount = 0.0f;
    assert_int_equal(splash(1, lumps, MOST), 0);
    c.bodies->def.splash_amount = 0.1f;
    c.bodies->items[0].def.coupling = RILL_COUPLING_NONE;
    assert_int_equal(splash(1, lumps, MOST), 0);
}

static void assert_velocity(double x, double y, double z)
{
    const int count = splash(3, lumps, MOST);
    assert_true(count > 0);
    for (int n = 0; n < count; n++) {
        assert_near(lumps[n].velocity[0], x, 1e-4);
        assert_near(lumps[n].velocity[1], y, 1e-4);
        assert_near(lumps[n].velocity[2], z, 1e-4);
    }
}

// With the normal (0, 0, 1) and the defaults 0.86, 0.15, 0.005, 0.4.
TEST(velocities_are_those_of_the_paper)
{
    // Up: v_rn = (0, 0, 3), v_rp = (1, -2, 0).
    begin_sheet(0.02, 1.0, -2.0, 3.0);
    assert_velocity(0.15 + 0.4, -2.0 * (0.15 + 0.4), 0.86 * 3.0 + 0.005 * 3.0 - 0.4 * 3.0);
    // Down: the paper's -0.86 * 3 + 0.015 + 0.4 * 3 would go into the water; only 0.4 * 3 is left.
    begin_sheet(-0.02, 1.0, -2.0, -3.0);
    assert_velocity(0.15 + 0.4, -2.0 * (0.15 + 0.4), 0.4 * 3.0);
}

// A stream that carries the sheet along takes its part of the velocity.
TEST(velocities_are_relative_to_the_stream)
{
    begin_sheet(0.02, 1.0, 0.0, 3.0);
    stream_along_x(1.0f);
    assert_velocity(1.0, 0.0, 0.86 * 3.0 + 0.005 * 3.0 - 0.4 * 3.0);
}

TEST(lumps_start_at_the_body_and_above_the_water)
{
    for (int n = 0; n < 2; n++) {
        const double way = n == 0 ? -1.0 : 1.0;
        begin_sheet(0.03 * way, 0.0, 0.0, 6.0 * way);
        const int count = splash(5, lumps, MOST);
        assert_true(count > 50);
        for (int k = 0; k < count; k++) {
            const float *p = lumps[k].position;
            assert_true(fabs((double)p[0] - 6.13) < 0.5 + RADIUS);
            assert_true(fabs((double)p[1] - 5.21) < 0.5 + RADIUS);
            assert_true((double)p[2] > LEVEL + RADIUS - 1e-6 && (double)p[2] < LEVEL + 1.0);
            assert_int_equal(lumps[k].i, (int)(p[0] / 0.5f));
            assert_int_equal(lumps[k].j, (int)(p[1] / 0.5f));
        }
    }
}

TEST(the_same_seed_throws_the_same_and_no_more_than_there_is_room_for)
{
    begin_sheet(-0.02, 1.0, 0.0, -5.0);
    const int count = splash(7, lumps, MOST);
    assert_int_equal(splash(7, others, MOST), count);
    for (int n = 0; n < count; n++) {
        assert_int_equal(lumps[n].body, 0);
        assert_memory_equal(lumps[n].position, others[n].position, sizeof lumps[n].position);
    }
    splash(8, others, MOST);
    assert_true(lumps[0].position[0] != others[0].position[0]);
    left_out = 0;
    assert_int_equal(splash(7, others, 3), 3);
    assert_int_equal(left_out, count - 3);
    assert_memory_equal(lumps[2].position, others[2].position, sizeof lumps[2].position);
    left_out = 0;
    assert_int_equal(splash(7, others, 0), 0);
    assert_int_equal(left_out, count);
}

// A sample throws 16 lumps at most. What it was to throw besides is counted: on average all makes
// up amount * (speed above the threshold) * the swept volume.
TEST(lumps_that_a_sample_has_no_place_for_are_counted)
{
    begin_sheet(-0.03, 0.0, 0.0, -5.0);
    c.bodies->def.splash_amount = 20.0f;
    left_out = 0;
    const int count = splash(7, lumps, MOST);
    const double expected = 20.0 * (5.0 - 1.5) * 5.0 * DT / VOLUME;
    assert_true(count > 100 && count % 16 == 0 && expected > 2.0 * count);
    assert_near((double)left_out + count, expected, 256.0); // a sample is off by one at most
}

// Its sides sweep as well as its bottom; on dry ground there is nothing to throw.
TEST(a_box_that_falls_in_throws_water_all_around)
{
    for (int dry = 0; dry < 2; dry++) {
        begin_bodies(RILL_SOLVER_PIPES, 24, 20, 0.5, dry ? 0.0 : LEVEL);
        make_bodies();
        rill_body_def def = box_def(6.0, 5.0, (dry ? 0.0 : LEVEL) + 0.4, 1.0);
        def.velocity[2] = -8.0;
        add_body(def);
        const int count = splash(11, lumps, MOST);
        int sides[4] = {0};
        for (int n = 0; n < count; n++) {
            const double x = (double)lumps[n].position[0] - 6.0;
            const double y = (double)lumps[n].position[1] - 5.0;
            sides[0] += x > 0.45;
            sides[1] += x < -0.45;
            sides[2] += y > 0.45;
            sides[3] += y < -0.45;
        }
        for (int k = 0; k < 4; k++)
            assert_true(dry ? sides[k] == 0 : sides[k] > 0);
    }
}

// ---- Momentum --------------------------------------------------------------------------

// A lump carries density * volume * velocity away. Of that the water gave what it had itself; the
// rest is known along all three axes, to be taken from the body or the ground.
TEST(what_lumps_carry_off_is_known_along_all_axes)
{
    for (int n = 0; n < 4; n++) {
        const bool up = n % 2 == 0, stream = n >= 2;
        begin_sheet(up ? 0.03 : -0.03, 1.0, -2.0, up ? 4.0 : -4.0);
        if (stream)
            stream_along_x(1.5f);
        rill_particles_def def = rill_default_particles_def();
        def.max_particles = MOST;
        def.radius = (float)RADIUS;
        def.foam_radius = 0.1f;
        def.deposit = 1.0f;
        SCOPED(rl_particles) *p = NULL;
        assert_ok(rl_particles_create(&def, 1, best_isa(), NULL, &p));
        const rl_particles_flow flow = {.ops = c.ops,
                                        .solver = c.solver,
                                        .nx = c.def.nx,
                                        .ny = c.def.ny,
                                        .cell_size = c.def.cell_size,
                                        .gravity = 9.81f};
        const int count = splash(3, lumps, MOST);
        const double water_x = water_momentum(0), water_y = water_momentum(1);
        rl_particles_throw(p, &flow, 0, lumps, count);
        double gained[3] = {0}, flying[3] = {0}, volume = 0.0;
        for (int k = 0; k < count; k++)
            for (int axis = 0; axis < 3; axis++)
                gained[axis] += (double)lumps[k].gained[axis];
        const rill_particles seen = rl_particles_view(p);
        const float *const v[] = {seen.velocity_x, seen.velocity_y, seen.velocity_z};
        for (size_t k = 0; k < seen.count; k++) {
            volume += (double)seen.volume[k];
            for (int axis = 0; axis < 3; axis++)
                flying[axis] += (double)seen.volume[k] * (double)v[axis][k];
        }
        // Still water, and a stream over level ground, do not rise.
        const double lost[3] = {water_x - water_momentum(0), water_y - water_momentum(1), 0.0};
        assert_true(count > 20 && flying[2] > 0.2 * volume);
        for (int axis = 0; axis < 3; axis++)
            assert_near(gained[axis], flying[axis] - lost[axis], 1e-4 * volume);
    }
}

// Where the flow converges, u = -a x, water of depth h rises at a h. That part of its upward
// velocity a lump had before the body came.
TEST(water_that_rises_gives_its_own_part_of_the_momentum)
{
    const double converges = 0.3;
    begin_sheet(-0.03, 0.0, 0.0, -5.0);
    rill_state_array arrays[RL_MAX_STATE_ARRAYS];
    const rill_state_array *u = state_array(arrays, "u");
    for (size_t j = 0; j < u->rows; j++)
        for (size_t i = 0; i < u->width; i++)
            u->data[j * u->pitch + i] = (float)(-converges * (0.5 * (double)i - 6.13));
    c.ops->state_changed(c.solver);
    const int count = splash(3, lumps, MOST);
    assert_true(count > 20);
    for (int n = 0; n < count; n++) {
        assert_near(lumps[n].rise, converges * LEVEL, 1e-4);
        // It comes down at 5 m/s and through the water at as much more as that rises; 0.4 of this
        // goes up again.
        const double rise = converges * LEVEL;
        assert_near(lumps[n].velocity[2], rise + 0.4 * (5.0 + rise), 1e-4);
    }
}

// The slab's upward force in the step after the first splash, and that splash's volume and upward
// momentum for a density of 1. A slab rises out of a lake at 3 m/s, or comes down on it. `*steps`
// are those until the first splash; without splashes so many are made.
static double force_after_splash(bool up, double amount, int *steps, double *volume,
                                 double *momentum, double *of_ground)
{
    rill_world_def def = lake_def(40, 40, 0.5, 3.0);
    def.solver = RILL_SOLVER_SWE;
    def.particles.max_particles = 20000;
    def.particles.radius = 0.03f;
    def.particles.spray_share = def.particles.splash_drag = def.particles.breaking_amount = 0.0f;
    def.bodies.max_bodies = 1;
    def.bodies.splash_amount = (float)amount;
    rill_world *world = make_world(&def);
    rill_body_def slab = rill_default_body_def();
    slab.motion = RILL_BODY_HOST;
    set3(slab.size, 4.0, 4.0, 0.5);
    slab.drag = slab.adaptation = 0.0;
    slab.path_count = 2;
    slab.path[0] = (rill_path_key){0.0, 10.0, 10.0, up ? 2.43 : 3.57};
    slab.path[1] = (rill_path_key){1.0, 10.0, 10.0, up ? 5.43 : 0.57};
    rill_body_id id;
    assert_ok(rill_world_add_body(world, &slab, &id));
    for (int n = 0; amount > 0.0 ? rill_world_particles(world).count == 0 : n < *steps;) {
        run_frames(world, 1);
        *steps = amount > 0.0 ? n + 1 : *steps;
        assert_true(++n < 30);
    }
    const rill_particles seen = rill_world_particles(world);
    *volume = *momentum = 0.0;
    for (size_t n = 0; n < seen.count; n++) {
        *volume += (double)seen.volume[n];
        *momentum += (double)seen.volume[n] * ((double)seen.velocity_z[n] + 9.81 * DT);
    }
    *of_ground = rill_world_ledger(world).ground_impulse;
    run_frames(world, 1);
    rill_body_state state;
    assert_ok(rill_world_get_body(world, id, &state));
    rill_world_destroy(&world);
    return state.force[2];
}

// In a world: the momentum of the first splash is the body's or the ground's. A slab that rises
// feels in the next step what it has thrown up; before one that comes down the ground has thrown
// it, and the slab is not driven on. Either feels that the water which flew off lifts it no longer.
TEST(what_a_splash_carries_up_the_body_or_the_ground_has_given)
{
    for (int up = 0; up < 2; up++) {
        double volume, momentum, of_ground, none[3];
        int steps = 0;
        const double felt = force_after_splash(up, 0.05, &steps, &volume, &momentum, &of_ground);
        const double calm = force_after_splash(up, 0.0, &steps, &none[0], &none[1], &none[2]);
        const double weight = BODY_DENSITY * 9.81 * volume, given = BODY_DENSITY * momentum;
        const double expected = -(up ? given / DT : 0.0) - weight;
        print_message(
            "%s: %.4f m^3 in step %d, felt %.0f N of %.0f, of the ground %.2f of %.2f N s\n",
            up ? "up" : "down", volume, steps, felt - calm, expected, of_ground, given);
        assert_true(none[0] == 0.0 && none[2] == 0.0 && given / DT > 5.0 * weight);
        // How much of the weight is felt depends on where the water was.
        assert_near(felt - calm, expected, 1.5 * weight);
        // The level below the slab hardly moves by itself, so the water gives nothing.
        assert_near(of_ground, up ? 0.0 : given, up ? 0.0 : 0.05 * given);
    }
}
