// SPDX-License-Identifier: MIT
// Particles that the water itself gives: breaking waves and waterfalls (Chentanez and Müller
// sections 2.4.2 and 2.4.3). Grids have cells of 1 m, so that slopes, curvatures and differences of
// levels are the same numbers.
#include "particles/pool.h"
#include "tests/kit/kit.h"
#include "tests/particles/fake_water.h"

#define DT      (1.0 / 60.0)
#define GRAVITY 9.81

static rl_particles_books step_once(rl_particles *p, fake_water *w, double dt, int step)
{
    rl_particles_books books = {0};
    const rl_particles_flow view = fake_view(w, NULL);
    rl_particles_step(p, &view, step * dt, dt, (uint64_t)step, &books);
    return books;
}

// ---- Breaking waves --------------------------------------------------------------------

// A ridge of water along column 8 that stands `height` above the water around it, of depth 2, and
// has risen at `rise` m/s. Its slope is the height, its Laplacian minus twice that.
static fake_water *ridge(float height, float rise)
{
    fake_water *w = fake_create(17, 16, 1.0f, 2.0f);
    w->moves = true;
    for (int j = 0; j < 16; j++)
        fake_set(w, 8, j, 2.0f + height, 2.0f + height - rise * (float)w->motion_step);
    return w;
}

// Particles of one step, so small that every cell gives some.
static int born_from(fake_water *w, rill_particles_def def)
{
    def.max_particles = 200000;
    def.radius = 0.02f;
    SCOPED(rl_particles) *p = make_particles(def, 1);
    step_once(p, w, DT, 0);
    const int count = p->totals.count;
    fake_water_destroy(&w);
    return count;
}

TEST(a_steep_crest_that_rises_fast_breaks)
{
    assert_true(born_from(ridge(1.0f, 2.0f), quiet_def(1)) > 16);
}

// By the other two conditions both break; the limit of the slope is 0.15.
TEST(a_wave_that_is_not_steep_does_not_break)
{
    rill_particles_def def = quiet_def(1);
    def.breaking_curvature = -0.1f;
    assert_true(born_from(ridge(0.16f, 2.0f), def) > 0);
    assert_int_equal(born_from(ridge(0.14f, 2.0f), def), 0);
}

TEST(a_wave_that_rises_slowly_or_sinks_does_not_break)
{
    assert_true(born_from(ridge(1.0f, 1.05f), quiet_def(1)) > 0);
    assert_int_equal(born_from(ridge(1.0f, 0.95f), quiet_def(1)), 0);
    assert_int_equal(born_from(ridge(1.0f, -3.0f), quiet_def(1)), 0);
    // Two ridges side by side, one of which rises at half the speed it takes.
    SCOPED(fake_water) *w = ridge(1.0f, 2.0f);
    for (int j = 0; j < 16; j++)
        fake_set(w, 5, j, 3.0f, 3.0f - 0.5f * (float)w->motion_step);
    rill_particles_def def = quiet_def(100000);
    def.radius = 0.02f;
    SCOPED(rl_particles) *p = make_particles(def, 1);
    step_once(p, w, DT, 0);
    for (int j = 0; j < 16; j++)
        assert_true(w->held[j * 17 + 5] == 3.0 && w->held[j * 17 + 8] < 3.0);
}

// A ramp is as steep as the ridge and rises as fast, but has no top.
TEST(a_wave_breaks_at_its_top_only)
{
    const float heights[] = {0.0f, 0.45f, 0.55f}; // over the ramp: half of minus the Laplacian
    for (int n = 0; n < 3; n++) {
        fake_water *w = ridge(0.0f, 0.0f);
        for (int j = 0; j < 16; j++)
            for (int i = 1; i < 16; i++) {
                const float x = (float)(i - 8), depth = 20.0f + x;
                fake_set(w, i, j, depth, depth);
            }
        for (int j = 0; j < 16; j++) {
            const float depth = 20.0f + heights[n];
            fake_set(w, 8, j, depth, depth - 2.0f * (float)w->motion_step);
        }
        const int count = born_from(w, quiet_def(1));
        assert_true(n == 2 ? count > 0 : count == 0);
    }
}

// A dry bank beside the water is not a slope of the water; a dry bed below it is.
TEST(a_bank_is_no_wave)
{
    for (int high = 0; high < 2; high++) {
        fake_water *w = fake_create(16, 16, 1.0f, 2.0f);
        w->moves = true;
        for (int j = 0; j < 16; j++) {
            fake_set(w, 7, j, 2.0f, 1.9f);
            for (int i = 8; i < 16; i++) {
                fake_set(w, i, j, 0.0f, 0.0f);
                *fake_cell(&w->base, i, j) = high ? 9.0f : -1.0f;
            }
        }
        const int count = born_from(w, quiet_def(1));
        assert_true(high ? count == 0 : count > 0);
    }
}

TEST(no_particles_are_born_where_nothing_happens)
{
    fake_water *w = fake_create(17, 16, 1.0f, 2.0f);
    w->moves = true;
    assert_int_equal(born_from(w, quiet_def(1)), 0);
    rill_particles_def off = quiet_def(1);
    off.breaking_amount = 0.0f;
    assert_int_equal(born_from(ridge(1.0f, 2.0f), off), 0);
}

// Every cell of a rising sea of steep waves is looked at by the vectors and by the ends of rows.
TEST(every_cell_of_every_width_is_searched)
{
    for (int nx = 2; nx < 70; nx++) {
        SCOPED(fake_water) *w = fake_create(nx, 3, 1.0f, 2.0f);
        w->moves = true;
        for (int i = 0; i < nx; i += 2)
            for (int j = 0; j < 3; j += 2)
                fake_set(w, i, j, 3.0f, 2.5f);
        rill_particles_def def = quiet_def(100000);
        def.radius = 0.02f;
        SCOPED(rl_particles) *p = make_particles(def, 1);
        step_once(p, w, DT, 0);
        for (int i = 0; i < nx; i++)
            for (int j = 0; j < 3; j++) {
                const bool crest = i % 2 == 0 && j % 2 == 0;
                assert_true((w->held[j * nx + i] < (crest ? 3.0 : 2.0)) == crest);
            }
    }
}

// What breaks off is amount * slope * rise * dx^2 * dt a cell: 0.2 * 1 * 2 m/s, on 16 cells, during
// 2 s, whatever the step and however few particles that makes a step.
TEST(the_volume_that_breaks_off_is_right_on_average)
{
    const double steps[] = {1.0 / 30.0, 1.0 / 120.0};
    for (int n = 0; n < 2; n++) {
        const double dt = steps[n], due = 0.2 * 1.0 * 2.0 * 16.0 * 2.0;
        rill_particles_def def = quiet_def(100000);
        def.radius = 0.2f;
        def.spray_share = 0.25f;
        SCOPED(rl_particles) *p = make_particles(def, 7);
        double taken = 0.0, as_spray = 0.0;
        for (int s = 0; s < (int)(2.0 / dt + 0.5); s++) {
            SCOPED(fake_water) *w = ridge(1.0f, 2.0f);
            const int before = p->totals.flying;
            step_once(p, w, dt, s);
            for (int k = before; k < p->totals.flying; k++)
                as_spray +=
                    p->kind[k] == RILL_PARTICLE_SPRAY ? (double)p->arrays[RL_POOL_VOLUME][k] : 0.0;
            taken += w->taken;
            rl_particles_shift(p, 1e6f, 0.0f, 17.0f, 16.0f, &(rl_particles_books){0});
        }
        // A sum of numbers of particles that are 0 or 1: its variance is at most V times its mean.
        const double each = effective_volume(&def, 0.2);
        assert_near(taken, due, 4.0 * sqrt(each * due));
        assert_near(as_spray, 0.25 * due, 4.0 * sqrt(each / 8.0 * 0.25 * due));
    }
}

// A single wave whose front falls towards (-3, 4) / 5, drawn as a plane with a crest at its cell.
static fake_water *slanted(void)
{
    fake_water *w = fake_create(16, 16, 1.0f, 30.0f);
    w->moves = true;
    for (int j = 0; j < 16; j++)
        for (int i = 0; i < 16; i++) {
            const float depth = 30.0f + 0.6f * (float)(i - 8) - 0.8f * (float)(j - 8);
            fake_set(w, i, j, depth, depth);
        }
    // Its own cell is higher, so that the slope is measured to the west and to the north.
    fake_set(w, 8, 8, 30.6f, 30.0f);
    return w;
}

// Eq. 19 at that cell: the differences are 0 and 1.2 along x, -1.4 and 0.2 along y.
TEST(particles_start_in_the_rectangle_and_fly_down_the_front)
{
    const double slope_x = 1.2, slope_y = -1.4, slope = hypot(slope_x, slope_y);
    const double limits[] = {1e30, 2.5};
    for (int n = 0; n < 2; n++) {
        SCOPED(fake_water) *w = slanted();
        w->depth_limit = (float)limits[n];
        rill_particles_def def = quiet_def(100000);
        def.radius = 0.01f;
        SCOPED(rl_particles) *p = make_particles(def, 3);
        step_once(p, w, DT, 0);
        assert_true(p->totals.count > 2000);
        const double speed = sqrt(GRAVITY * fmin(limits[n], (double)30.6f));
        const double rise = 0.6 / DT;
        double farthest = 0.0, along = 0.0, lowest = 1e30;
        for (int k = 0; k < p->totals.count; k++) {
            const double age = (double)p->arrays[RL_POOL_AGE][k];
            const double u = (double)p->arrays[RL_POOL_VELOCITY_X][k];
            const double v = (double)p->arrays[RL_POOL_VELOCITY_Y][k];
            const double up = (double)p->arrays[RL_POOL_VELOCITY_Z][k] + GRAVITY * age;
            assert_near(u, -slope_x / slope * speed, 1e-3);
            assert_near(v, -slope_y / slope * speed, 1e-3);
            assert_near(up, 0.5 * rise, 1e-3);
            assert_true(age >= 0.0 && age < DT);
            // Back in time, to where it was born.
            const double x = (double)p->arrays[RL_POOL_X][k] - u * age - 8.5;
            const double y = (double)p->arrays[RL_POOL_Y][k] - v * age - 8.5;
            const double z = (double)p->arrays[RL_POOL_Z][k] - up * age + 0.5 * GRAVITY * age * age;
            // The line reaches 0.5 along the larger of its components; the jitter adds 0.5.
            assert_true(fabs(x) <= 1.0 + 1e-3 && fabs(y) <= 0.5 + 0.5 * 1.2 / 1.4 + 1e-3);
            // No higher than the crest or, uphill of it, than the surface there.
            const double uphill = 30.0 + 0.6 * x - 0.8 * y + 0.6;
            assert_true(z <= fmax(30.6, uphill) + 1e-3);
            assert_true(z >= 30.6 - 0.5 * slope - 1e-3);
            lowest = fmin(lowest, z);
            farthest = fmax(farthest, fabs(x));
            along += (x * -slope_y + y * slope_x) * (x * -slope_y + y * slope_x) / (slope * slope);
        }
        assert_true(farthest > 0.8 && lowest < 30.6 - 0.4 * slope);
        // Along the line: half its length is 0.5 / (1.4 / slope); its variance and the jitter's.
        const double half = 0.5 * slope / 1.4, count = p->totals.count;
        assert_near(along / count, half * half / 3.0 + 1.0 / 12.0, 0.02);
        assert_true(w->held[8 * 16 + 8] < 30.6 && w->deposits == 1);
    }
}

// ---- Momentum and volume ---------------------------------------------------------------

// All water rises over the particles, so that they land at once.
static void drown(fake_water *w)
{
    for (int j = 0; j < w->ny; j++)
        for (int i = 0; i < w->nx; i++)
            fake_set(w, i, j, 1e4f, 1e4f);
}

TEST(momentum_given_back_equals_momentum_taken)
{
    for (int n = 0; n < 2; n++) {
        SCOPED(fake_water) *w = slanted();
        rill_particles_def def = quiet_def(100000);
        def.spray_drag = def.splash_drag = 0.0f;
        def.radius = 0.03f;
        def.velocity_noise = 0.3f;
        def.spray_share = 0.3f;
        w->largest_part = n == 0 ? 1.0 : 0.7; // a water that keeps some of what it is asked for
        SCOPED(rl_particles) *p = make_particles(def, 3);
        rl_particles_books books = {0};
        rl_particles_flow view = fake_view(w, NULL);
        rl_particles_step(p, &view, 0.0, DT, 0, &books);
        assert_true(p->totals.count > 100);
        const double taken_x = w->taken_x - w->given_x, taken_y = w->taken_y - w->given_y;
        const double size = hypot(taken_x, taken_y), held = w->taken;
        assert_true(size > 0.0);
        assert_near(rl_particles_volume(p), held, 1e-12);
        w->given_x = w->given_y = w->given = 0.0;
        w->moves = false;
        drown(w);
        view.gravity = 0.0f;
        rl_particles_step(p, &view, DT, DT, 1, &books);
        assert_int_equal(p->totals.flying, 0);
        assert_near(w->given_x, taken_x, 1e-4 * size);
        assert_near(w->given_y, taken_y, 1e-4 * size);
        assert_near(w->given + rl_particles_volume(p) + books.drained, held, 1e-12);
    }
}

// A water that gives nothing makes no particle.
TEST(a_water_that_gives_nothing_loses_nothing)
{
    SCOPED(fake_water) *w = slanted();
    w->largest_part = 0.0;
    rill_particles_def def = quiet_def(1000);
    def.radius = 0.02f;
    SCOPED(rl_particles) *p = make_particles(def, 3);
    step_once(p, w, DT, 0);
    assert_int_equal(p->totals.count, 0);
    assert_true(w->deposits > 0);
    assert_near(w->taken_x, w->given_x, 1e-6);
    assert_near(rl_particles_volume(p), 0.0, 0.0);
}

TEST(a_full_pool_leaves_breaking_waves_alone)
{
    SCOPED(fake_water) *w = ridge(1.0f, 2.0f);
    rill_particles_def def = quiet_def(5);
    def.radius = 0.02f;
    SCOPED(rl_particles) *p = make_particles(def, 3);
    const double before = fake_volume(w);
    for (int s = 0; s < 10; s++) {
        step_once(p, w, DT, s);
        assert_true(p->totals.count == 5);
        assert_near(fake_volume(w) + rl_particles_volume(p), before, 1e-12 * before);
    }
    assert_near(w->taken, 5.0 * effective_volume(&def, 0.02), 1e-9);
}

// A film thinner than a particle gives at most half of itself.
TEST(a_particle_never_dries_its_cell)
{
    SCOPED(fake_water) *w = fake_create(17, 16, 1.0f, 0.0f);
    w->moves = true;
    for (int j = 0; j < 16; j++) {
        fake_set(w, 8, j, 0.02f, 0.0f);
        *fake_cell(&w->base, 8, j) = 1.0f;
    }
    rill_particles_def def = quiet_def(1000);
    def.breaking_amount = 10.0f;
    SCOPED(rl_particles) *p = make_particles(def, 3);
    step_once(p, w, DT, 0);
    assert_true(p->totals.count > 0);
    for (int j = 0; j < 16; j++)
        assert_true(w->held[j * 17 + 8] >= 0.01 - 1e-9);
    assert_near(fake_volume(w) + rl_particles_volume(p), 16.0 * (double)0.02f, 1e-12);
}

// ---- Waterfalls ------------------------------------------------------------------------

static const int ways[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};

// A plateau at (8, 8) 5 m up, with half a metre of water, and a fall on one of its sides.
static fake_water *cliff(int way, double volume, float velocity)
{
    fake_water *w = fake_create(17, 17, 1.0f, 0.25f);
    *fake_cell(&w->base, 8, 8) = 5.0f;
    fake_set(w, 8, 8, 0.5f, 0.5f);
    w->fall_count = 1;
    w->falls[0] = (rl_fall){.upper_i = 8,
                            .upper_j = 8,
                            .lower_i = 8 + ways[way][0],
                            .lower_j = 8 + ways[way][1],
                            .velocity = velocity,
                            .across = 0.4f,
                            .volume = volume};
    return w;
}

// Beyond the face by up to u dt, between the bed and the surface above it, along the whole face.
TEST(particles_of_a_fall_start_in_its_box)
{
    for (int way = 0; way < 4; way++) {
        rill_particles_def def = quiet_def(10000);
        def.radius = 0.02f;
        const double each = (double)(float)effective_volume(&def, 0.02), u = 3.0;
        SCOPED(fake_water) *w = cliff(way, 1000.5 * each, (float)u);
        SCOPED(rl_particles) *p = make_particles(def, 5);
        step_once(p, w, DT, 0);
        assert_int_equal(p->totals.count, 1000);
        assert_near(w->falls[0].volume, 0.5 * each, 1e-3 * each);
        assert_near(w->falls[0].volume + rl_particles_volume(p), 1000.5 * each, 1e-12);
        assert_int_equal(w->deposits, 0);
        double low[3] = {9.0, 9.0, 9.0}, high[3] = {-9.0, -9.0, -9.0};
        for (int k = 0; k < p->totals.count; k++) {
            const double x = (double)p->arrays[RL_POOL_X][k] - 8.5;
            const double y = (double)p->arrays[RL_POOL_Y][k] - 8.5;
            const double box[3] = {ways[way][0] * x + ways[way][1] * y - 0.5,
                                   ways[way][0] == 0 ? x : y,
                                   (double)p->arrays[RL_POOL_Z][k] - 5.0};
            for (int n = 0; n < 3; n++) {
                low[n] = fmin(low[n], box[n]);
                high[n] = fmax(high[n], box[n]);
            }
            const double v[2] = {(double)p->arrays[RL_POOL_VELOCITY_X][k],
                                 (double)p->arrays[RL_POOL_VELOCITY_Y][k]};
            assert_near(v[ways[way][0] == 0], u * (ways[way][0] + ways[way][1]), 1e-6);
            assert_near(v[ways[way][0] != 0], 0.4, 1e-6);
            assert_true(p->arrays[RL_POOL_VELOCITY_Z][k] == 0.0f);
        }
        // 1000 of them come within a hundredth of every side of the box.
        assert_true(low[0] > 0.0 && low[0] < 0.01 * u * DT + 1e-3);
        assert_true(high[0] <= u * DT + 1e-6 && high[0] > 0.99 * u * DT);
        assert_true(low[1] >= -0.5 && low[1] < -0.49 && high[1] <= 0.5 && high[1] > 0.49);
        assert_true(low[2] >= 0.0 && low[2] < 0.01 && high[2] <= 0.5 && high[2] > 0.49);
    }
}

TEST(a_trickle_waits_until_it_fills_a_particle)
{
    const rill_particles_def def = quiet_def(100);
    const double each = effective_volume(&def, 0.125);
    SCOPED(fake_water) *w = cliff(0, 0.9 * each, 2.0f);
    SCOPED(rl_particles) *p = make_particles(def, 5);
    step_once(p, w, DT, 0);
    assert_int_equal(p->totals.count, 0);
    assert_true(w->falls[0].volume == 0.9 * each);
    w->falls[0].volume += 0.2 * each;
    step_once(p, w, DT, 1);
    assert_int_equal(p->totals.count, 1);
    assert_near(w->falls[0].volume, 0.1 * each, 1e-6 * each);
}

// Water that has gone over the edge falls, even if the flow has turned since.
TEST(nothing_flies_back_over_the_edge)
{
    for (int way = 0; way < 4; way++) {
        rill_particles_def def = quiet_def(100);
        def.foam_speed = 0.0f;
        const double each = effective_volume(&def, 0.125);
        SCOPED(fake_water) *w = cliff(way, 5.01 * each, -2.0f);
        SCOPED(rl_particles) *p = make_particles(def, 5);
        step_once(p, w, DT, 0);
        assert_int_equal(p->totals.count, 5);
        for (int s = 1; s < 120; s++)
            step_once(p, w, DT, s);
        assert_int_equal(p->totals.count, 0);
        assert_near(w->held[8 * 17 + 8], 0.5, 0.0);
    }
}

TEST(a_share_of_a_fall_is_spray)
{
    rill_particles_def def = quiet_def(100000);
    def.radius = 0.02f;
    def.spray_share = 0.3f;
    const double each = effective_volume(&def, 0.02);
    SCOPED(fake_water) *w = cliff(0, 4000.0 * each, 2.0f);
    SCOPED(rl_particles) *p = make_particles(def, 5);
    step_once(p, w, DT, 0);
    int spray = 0;
    for (int k = 0; k < p->totals.count; k++) {
        spray += p->kind[k] == RILL_PARTICLE_SPRAY;
        assert_near(p->arrays[RL_POOL_VOLUME][k],
                    p->kind[k] == RILL_PARTICLE_SPRAY ? each / 8.0 : each, 1e-6 * each);
    }
    assert_near(spray / 8.0, 0.3 * 4000.0, 4.0 * sqrt(4000.0 * 0.3 * 0.7));
    assert_near(w->falls[0].volume + rl_particles_volume(p), 4000.0 * each, 1e-12);
}

// With no room the water goes to the lower cell, with its momentum, but for what a particle would
// have waited for too.
TEST(a_fall_into_a_full_pool_reaches_the_lower_cell)
{
    for (int way = 0; way < 4; way++) {
        const rill_particles_def def = quiet_def(3);
        const double each = effective_volume(&def, 0.125);
        SCOPED(fake_water) *w = cliff(way, 10.5 * each, 2.0f);
        SCOPED(rl_particles) *p = make_particles(def, 5);
        const double before = fake_volume(w) + 10.5 * each;
        step_once(p, w, DT, 0);
        assert_int_equal(p->totals.count, 3);
        assert_near(w->falls[0].volume, 0.5 * each, 1e-3 * each);
        const int cell = (8 + ways[way][1]) * 17 + 8 + ways[way][0];
        assert_near(w->held[cell], 0.25 + 7.0 * each, 1e-6);
        const double along = 14.0 * each, across = 7.0 * 0.4 * each;
        assert_near(w->momentum_x[cell], ways[way][0] == 0 ? across : ways[way][0] * along, 1e-6);
        assert_near(w->momentum_y[cell], ways[way][1] == 0 ? across : ways[way][1] * along, 1e-6);
        assert_near(fake_volume(w) + rl_particles_volume(p) + w->falls[0].volume, before, 1e-12);
    }
}

// Of more falls than give to the water in a step, each comes first now and then.
TEST(many_falls_have_their_turns)
{
    const int counts[] = {1, 500, 512, 513, 5000};
    for (int n = 0; n < 5; n++) {
        const int count = counts[n], turns = (count + RL_FALL_TURN - 1) / RL_FALL_TURN;
        for (int step = 0; step < 2 * turns; step++) {
            const int first = rl_fall_first((uint64_t)step, count);
            assert_int_equal(first, step % turns * RL_FALL_TURN);
            assert_true(first < count);
        }
    }
    assert_true(RL_FALL_TURN + RILL_MAX_EMITTERS <= RL_POOL_EXTRAS);
}
