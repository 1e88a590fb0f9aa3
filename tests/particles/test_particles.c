// SPDX-License-Identifier: MIT
// Flight, landing, foam and emitters, over a water that does what it is told (fake_water.h) and
// over the pipes.
#include "particles/pool.h"
#include "solvers/pipes/pipes.h"
#include "tests/kit/instruction_sets.h"
#include "tests/kit/kit.h"
#include "tests/kit/worlds.h"
#include "tests/particles/fake_water.h"

#include "rill/rill.h"

#define DT (1.0 / 60.0)

static rl_particles_books step_once(rl_particles *p, fake_water *w, rl_jobs *jobs, float gravity,
                                    double dt, int step)
{
    rl_particles_books books = {0};
    rl_particles_flow view = fake_view(w, jobs);
    view.gravity = gravity;
    rl_particles_step(p, &view, step * dt, dt, (uint64_t)step, &books);
    return books;
}

static rl_birth splash_at(float x, float y, float z)
{
    return (rl_birth){.kind = RILL_PARTICLE_SPLASH, .position = {x, y, z}, .volume = 0.01f};
}

// Foam that lives for `life` at (x, y), as if it had landed there.
static void add_foam(rl_particles *p, float x, float y, float life)
{
    const rl_birth birth = {.kind = RILL_PARTICLE_FOAM, .position = {x, y, 0.0f}};
    rl_pool_add(p, &birth);
    p->arrays[RL_POOL_LIFE][p->totals.flying - 1] = life;
    const uint32_t place = (uint32_t)p->totals.flying - 1;
    rl_pool_land(p, &place, 1);
}

// ---- Flight ----------------------------------------------------------------------------

// Linear drag towards the wind has the exact path x = w t + (v - w) (1 - e^-ct) / c.
TEST(a_particle_flies_the_exact_path_whatever_the_step)
{
    const double drags[] = {0.0, 0.1, 3.0, 40.0}, rates[] = {30.0, 240.0};
    for (int n = 0; n < 8; n++) {
        const double c = drags[n / 2], rate = rates[n % 2], t = 1.0;
        SCOPED(fake_water) *w = fake_create(64, 64, 1.0f, 1.0f);
        rill_particles_def def = quiet_def(10);
        def.splash_drag = (float)c;
        def.wind[0] = 3.0f;
        def.wind[1] = -2.0f;
        SCOPED(rl_particles) *p = make_particles(def, 1);
        rl_birth birth = splash_at(20.0f, 30.0f, 50.0f);
        birth.velocity[0] = 5.0f;
        birth.velocity[2] = 4.0f;
        rl_pool_add(p, &birth);
        for (int s = 0; s < (int)rate; s++)
            step_once(p, w, NULL, 9.81f, 1.0 / rate, s);
        const double reach = c > 0.0 ? (1.0 - exp(-c * t)) / c : t;
        const double fall = c > 0.0 ? (t - reach) / c : 0.5 * t * t;
        // Each step rounds to half a grain of the coordinate.
        const double bound = rate * 64.0 * 0x1p-24;
        assert_near(p->arrays[RL_POOL_X][0], 20.0 + 3.0 * t + 2.0 * reach, bound);
        assert_near(p->arrays[RL_POOL_Y][0], 30.0 - 2.0 * (t - reach), bound);
        assert_near(p->arrays[RL_POOL_Z][0], 50.0 + 4.0 * reach - 9.81 * fall, bound);
        assert_near(p->arrays[RL_POOL_VELOCITY_Z][0], 4.0 * exp(-c * t) - 9.81 * reach, bound);
        assert_near(p->arrays[RL_POOL_AGE][0], t, 1e-5);
    }
}

TEST(spray_is_held_back_more_than_a_splash)
{
    SCOPED(fake_water) *w = fake_create(64, 64, 1.0f, 1.0f);
    SCOPED(rl_particles) *p = make_particles(quiet_def(10), 1);
    for (int kind = 0; kind < 2; kind++) {
        rl_birth birth = splash_at(20.0f, 30.0f, 50.0f);
        birth.kind = (rill_particle_kind)kind;
        birth.velocity[0] = 10.0f;
        rl_pool_add(p, &birth);
    }
    for (int s = 0; s < 60; s++)
        step_once(p, w, NULL, 9.81f, DT, s);
    assert_near(p->arrays[RL_POOL_VELOCITY_X][0], 10.0 * exp(-1.5), 1e-4);
    assert_near(p->arrays[RL_POOL_VELOCITY_X][1], 10.0 * exp(-0.1), 1e-4);
    const rill_particles look = rl_particles_view(p);
    assert_true(look.count == 2 && look.kind[0] == RILL_PARTICLE_SPRAY);
    assert_near(look.radius[0], 0.0625, 0.0);
    assert_near(look.radius[1], 0.125, 0.0);
}

// ---- Landing ---------------------------------------------------------------------------

TEST(a_particle_lands_at_the_surface_and_gives_its_water_and_momentum)
{
    SCOPED(fake_water) *w = fake_create(16, 16, 1.0f, 2.0f);
    rill_particles_def def = quiet_def(10);
    def.splash_drag = 0.0f;
    def.foam_speed = 0.0f;
    SCOPED(rl_particles) *p = make_particles(def, 1);
    rl_birth birth = splash_at(5.5f, 7.5f, 3.0f);
    birth.velocity[0] = 1.0f;
    birth.velocity[1] = -2.0f;
    rl_pool_add(p, &birth);
    int steps = 0;
    while (p->totals.count > 0 && steps < 1000) {
        assert_true(p->arrays[RL_POOL_Z][0] > 2.0f); // never seen below the surface
        step_once(p, w, NULL, 9.81f, DT, steps++);
    }
    // It falls 1 m in sqrt(2 / g) s and so goes 0.45 m in x and 0.9 m in -y.
    assert_int_equal(steps, (int)ceil(sqrt(2.0 / 9.81) / DT));
    const double volume = (double)0.01f;
    const int cell = 6 * 16 + 5;
    assert_near(w->held[cell], 2.0 + volume, 1e-9);
    assert_near(w->momentum_x[cell], volume, 1e-7);
    assert_near(w->momentum_y[cell], -2.0 * volume, 1e-7);
    assert_near(fake_volume(w) + rl_particles_volume(p), 512.0 + volume, 1e-12);
}

TEST(water_runs_on_where_it_lands_on_dry_ground_and_leaves_no_foam)
{
    SCOPED(fake_water) *w = fake_create(16, 16, 1.0f, 0.0f);
    rill_particles_def def = quiet_def(10);
    def.foam_speed = 1e-3f;
    SCOPED(rl_particles) *p = make_particles(def, 1);
    const rl_birth birth = splash_at(5.5f, 7.5f, 1.0f);
    rl_pool_add(p, &birth);
    for (int s = 0; s < 60; s++)
        step_once(p, w, NULL, 9.81f, DT, s);
    assert_int_equal(p->totals.count, 0);
    assert_near(w->held[7 * 16 + 5], 0.01, 1e-8);
}

// The ground rises by 10 m between cells 7 and 8; what flies against it falls down before it.
TEST(a_particle_that_flies_into_a_cliff_lands_before_it)
{
    SCOPED(fake_water) *w = fake_create(16, 16, 1.0f, 0.0f);
    for (int j = 0; j < 16; j++)
        for (int i = 8; i < 16; i++)
            *fake_cell(&w->base, i, j) = 10.0f;
    rill_particles_def def = quiet_def(100);
    def.foam_speed = 0.0f;
    SCOPED(rl_particles) *p = make_particles(def, 1);
    for (int n = 0; n < 40; n++) {
        rl_birth birth = splash_at(2.5f, 7.5f, 1.0f + 0.2f * (float)n);
        birth.velocity[0] = 5.0f + (float)n;
        rl_pool_add(p, &birth);
    }
    for (int s = 0; s < 200; s++)
        step_once(p, w, NULL, 9.81f, DT, s);
    assert_int_equal(p->totals.count, 0);
    double below = 0.0;
    for (int i = 0; i < 8; i++)
        below += w->held[7 * 16 + i];
    assert_near(below + rl_particles_volume(p), 40.0 * (double)0.01f, 1e-12);
}

TEST(what_flies_over_the_border_is_booked_as_drained)
{
    SCOPED(fake_water) *w = fake_create(16, 16, 1.0f, 1.0f);
    rill_particles_def def = quiet_def(10);
    SCOPED(rl_particles) *p = make_particles(def, 1);
    const float ways[4][2] = {{9, 0}, {-9, 0}, {0, 9}, {0, -9}};
    for (int n = 0; n < 4; n++) {
        rl_birth birth = splash_at(8.0f, 8.0f, 100.0f);
        birth.velocity[0] = ways[n][0];
        birth.velocity[1] = ways[n][1];
        rl_pool_add(p, &birth);
    }
    double drained = 0.0;
    for (int s = 0; s < 60; s++) {
        drained += step_once(p, w, NULL, 9.81f, DT, s).drained;
        // It is the pool's until it is booked.
        assert_near(drained + rl_particles_volume(p), 4.0 * (double)0.01f, 1e-15);
    }
    assert_int_equal(p->totals.count, 0);
    assert_near(drained, 4.0 * (double)0.01f, 1e-15);
    assert_near(fake_volume(w), 256.0, 0.0);
}

// Many land in one cell: one deposit is made of them.
TEST(landings_of_a_cell_are_given_at_once)
{
    SCOPED(fake_water) *w = fake_create(16, 16, 1.0f, 1.0f);
    rill_particles_def def = quiet_def(1000);
    def.foam_speed = 0.0f;
    SCOPED(rl_particles) *p = make_particles(def, 1);
    for (int n = 0; n < 1000; n++) {
        const rl_birth birth = splash_at(3.1f + 0.8f * (float)(n % 2), 3.5f, 1.001f);
        rl_pool_add(p, &birth);
    }
    step_once(p, w, NULL, 9.81f, DT, 0);
    step_once(p, w, NULL, 9.81f, DT, 1);
    assert_int_equal(p->totals.count, 0);
    assert_int_equal(w->deposits, 1);
    for (int n = 0; n < 1000; n++) {
        const rl_birth birth = splash_at(0.5f + (float)(n * 7 % 13), 0.5f, 1.001f);
        rl_pool_add(p, &birth);
    }
    step_once(p, w, NULL, 9.81f, DT, 2);
    step_once(p, w, NULL, 9.81f, DT, 3);
    assert_int_equal(p->totals.count, 0);
    assert_int_equal(w->deposits, 14);
    assert_near(w->given + rl_particles_volume(p), 2000.0 * (double)0.01f, 1e-12);
}

// ---- Foam ------------------------------------------------------------------------------

// The chance is the square of the speed over foam_speed: of 4000 that land with half of it a
// quarter leaves foam, give or take four standard deviations.
TEST(foam_is_born_by_the_speed_of_the_impact)
{
    enum { N = 4000 };
    const double speeds[] = {0.0, 2.0, 4.0, 9.0}, chances[] = {0.0, 0.25, 1.0, 1.0};
    for (int n = 0; n < 4; n++) {
        SCOPED(fake_water) *w = fake_create(32, 32, 1.0f, 1.0f);
        rill_particles_def def = quiet_def(N);
        def.splash_drag = 0.0f;
        SCOPED(rl_particles) *p = make_particles(def, (uint64_t)n);
        for (int k = 0; k < N; k++) {
            rl_birth birth = splash_at(16.0f, 16.0f, n == 0 ? 0.9f : 1.001f);
            birth.velocity[0] = (float)(0.6 * speeds[n]);
            birth.velocity[2] = (float)(-0.8 * speeds[n]);
            rl_pool_add(p, &birth);
        }
        step_once(p, w, NULL, 0.0f, DT, 0);
        const double p1 = chances[n], sigma = sqrt(N * p1 * (1.0 - p1));
        assert_int_equal(p->totals.flying, 0);
        assert_true(fabs(p->totals.count - N * p1) <= 4.0 * sigma);
        assert_near(w->given + rl_particles_volume(p), N * (double)0.01f, 1e-10);
    }
}

TEST(spray_leaves_no_foam)
{
    SCOPED(fake_water) *w = fake_create(32, 32, 1.0f, 1.0f);
    SCOPED(rl_particles) *p = make_particles(quiet_def(10), 1);
    rl_birth birth = splash_at(16.0f, 16.0f, 1.01f);
    birth.kind = RILL_PARTICLE_SPRAY;
    birth.velocity[2] = -20.0f;
    rl_pool_add(p, &birth);
    step_once(p, w, NULL, 9.81f, DT, 0);
    assert_int_equal(p->totals.count, 0);
}

// Lives are uniform in 4 s times 0.5 to 1.5.
TEST(foam_lives_as_long_as_it_should)
{
    enum { N = 4000 };
    SCOPED(fake_water) *w = fake_create(32, 32, 1.0f, 1.0f);
    SCOPED(rl_particles) *p = make_particles(quiet_def(N), 5);
    for (int k = 0; k < N; k++) {
        rl_birth birth = splash_at(16.0f, 16.0f, 1.01f);
        birth.velocity[2] = -9.0f;
        rl_pool_add(p, &birth);
    }
    step_once(p, w, NULL, 9.81f, DT, 0);
    assert_int_equal(p->totals.count, N);
    double mean = 0.0;
    const rill_particles look = rl_particles_view(p);
    for (int n = 0; n < N; n++) {
        assert_true(look.life[n] >= 2.0f && look.life[n] <= 6.0f);
        assert_true(look.kind[n] == RILL_PARTICLE_FOAM && look.volume[n] == 0.0f);
        assert_near(look.radius[n], 0.25, 0.0);
        mean += (double)look.life[n] / N;
    }
    assert_near(mean, 4.0, 4.0 * (4.0 / sqrt(12.0)) / sqrt(N));
    for (int s = 1; s <= (int)(4.0 / DT); s++)
        step_once(p, w, NULL, 9.81f, DT, s);
    assert_near(p->totals.count, N / 2, 4.0 * sqrt(0.25 * N));
    for (int s = 1; s <= (int)(2.1 / DT); s++)
        step_once(p, w, NULL, 9.81f, DT, s);
    assert_int_equal(p->totals.count, 0);
}

// On a tilted surface foam is carried along and stays on it.
TEST(foam_drifts_with_the_water_and_lies_on_its_surface)
{
    SCOPED(fake_water) *w = fake_create(32, 32, 1.0f, 1.0f);
    for (int j = 0; j < 32; j++)
        for (int i = 0; i < 32; i++) {
            *fake_cell(&w->base, i, j) = 0.25f * (float)i - 0.125f * (float)j;
            *fake_cell(&w->velocity_x, i, j) = 1.5f;
            *fake_cell(&w->velocity_y, i, j) = -0.5f;
        }
    SCOPED(rl_particles) *p = make_particles(quiet_def(10), 1);
    add_foam(p, 8.0f, 20.0f, 100.0f);
    p->arrays[RL_POOL_VELOCITY_X][0] = 1.5f;
    p->arrays[RL_POOL_VELOCITY_Y][0] = -0.5f;
    for (int s = 0; s < 240; s++)
        step_once(p, w, NULL, 9.81f, DT, s);
    const double x = 8.0 + 1.5 * 4.0, y = 20.0 - 0.5 * 4.0;
    assert_near(p->arrays[RL_POOL_X][0], x, 1e-3);
    assert_near(p->arrays[RL_POOL_Y][0], y, 1e-3);
    assert_near(p->arrays[RL_POOL_Z][0], 1.0 + 0.25 * (x - 0.5) - 0.125 * (y - 0.5), 1e-3);
    assert_near(rl_particles_volume(p), 0.0, 0.0);
}

// In solid rotation Heun's step keeps the radius to (omega dt)^4 / 8 a step: here 1e-9. The plain
// Euler step would grow it by (omega dt)^2 / 2 a step, to twice the radius after 20 s.
TEST(foam_goes_round_a_vortex_without_leaving_it)
{
    SCOPED(fake_water) *w = fake_create(32, 32, 1.0f, 1.0f);
    const double omega = 1.0;
    for (int j = 0; j < 32; j++)
        for (int i = 0; i < 32; i++) {
            *fake_cell(&w->velocity_x, i, j) = (float)(-omega * (j + 0.5 - 16.0));
            *fake_cell(&w->velocity_y, i, j) = (float)(omega * (i + 0.5 - 16.0));
        }
    SCOPED(rl_particles) *p = make_particles(quiet_def(10), 1);
    add_foam(p, 20.0f, 16.0f, 1000.0f);
    p->arrays[RL_POOL_VELOCITY_Y][0] = (float)(4.0 * omega);
    for (int s = 0; s < 1200; s++)
        step_once(p, w, NULL, 9.81f, DT, s);
    const double x = (double)p->arrays[RL_POOL_X][0], y = (double)p->arrays[RL_POOL_Y][0];
    assert_near(hypot(x - 16.0, y - 16.0), 4.0, 0.01);
}

TEST(foam_is_gone_where_its_place_falls_dry_or_it_leaves_the_grid)
{
    SCOPED(fake_water) *w = fake_create(32, 32, 1.0f, 1.0f);
    SCOPED(rl_particles) *p = make_particles(quiet_def(10), 1);
    add_foam(p, 8.5f, 8.5f, 100.0f);
    add_foam(p, 12.5f, 8.5f, 100.0f);
    add_foam(p, 0.2f, 16.0f, 100.0f);
    for (int j = 0; j < 32; j++)
        *fake_cell(&w->velocity_x, 0, j) = *fake_cell(&w->velocity_x, 1, j) = -1.0f;
    step_once(p, w, NULL, 9.81f, DT, 0);
    assert_int_equal(p->totals.count, 3);
    fake_set(w, 8, 8, 0.0f, 0.0f);
    double drained = 0.0;
    for (int s = 1; s < 20; s++)
        drained += step_once(p, w, NULL, 9.81f, DT, s).drained;
    assert_int_equal(p->totals.count, 1);
    assert_true(drained == 0.0); // foam holds no water
    assert_near(p->arrays[RL_POOL_X][0], 12.5, 1e-6);
}

// ---- Emitters --------------------------------------------------------------------------

TEST(an_emitter_gives_its_rate_and_the_books_close_at_every_step)
{
    SCOPED(fake_water) *w = fake_create(32, 32, 1.0f, 1.0f);
    const rill_particles_def def = quiet_def(100000);
    SCOPED(rl_particles) *p = make_particles(def, 1);
    rill_emitter_def jet = rill_default_emitter_def();
    set3(jet.position, 16.0, 16.0, 3.0);
    jet.velocity[0] = 2.0;
    jet.rate = 0.7;
    jet.start = 0.505;
    jet.end = 4.0;
    rl_particles_set_emitter(p, 3, &jet);
    double sourced = 0.0;
    const double before = fake_volume(w);
    for (int s = 0; s < 300; s++) {
        const double t = (s + 1) * DT;
        const rl_particles_books books = step_once(p, w, NULL, 9.81f, DT, s);
        sourced += books.sourced;
        assert_true(books.drained == 0.0);
        const double due = 0.7 * fmax(fmin(t, 4.0) - 0.505, 0.0);
        assert_near(sourced, due, 1e-12);
        assert_near(fake_volume(w) + rl_particles_volume(p), before + sourced, 1e-10);
        assert_true(p->totals.pending[3] < effective_volume(&def, 0.125));
    }
    assert_true(w->given > 0.9 * sourced);
}

// The water that a removed emitter still had is not lost.
TEST(a_removed_emitter_leaves_its_water_behind)
{
    SCOPED(fake_water) *w = fake_create(32, 32, 1.0f, 1.0f);
    const rill_particles_def def = quiet_def(100);
    SCOPED(rl_particles) *p = make_particles(def, 1);
    rill_emitter_def jet = rill_default_emitter_def();
    set3(jet.position, 16.0, 16.0, 3.0);
    jet.rate = 0.5 * effective_volume(&def, 0.125) / DT;
    rl_particles_set_emitter(p, 0, &jet);
    double sourced = 0.0;
    for (int s = 0; s < 3; s++)
        sourced += step_once(p, w, NULL, 9.81f, DT, s).sourced;
    rl_particles_set_emitter(p, 0, NULL);
    assert_near(rl_particles_volume(p), sourced, 1e-15);
    for (int s = 0; s < 120; s++)
        assert_true(step_once(p, w, NULL, 9.81f, DT, s).sourced == 0.0);
    assert_int_equal(p->totals.flying, 0);
    assert_near(w->given, sourced, 1e-8);
    assert_near(w->given + rl_particles_volume(p), sourced, 1e-15);
}

// Just born, with gravity off, all lie in a cylinder of one step's flight before the mouth; and the
// mouth goes along its path.
TEST(a_jet_comes_out_of_its_mouth_wherever_that_is)
{
    SCOPED(fake_water) *w = fake_create(64, 64, 1.0f, 0.0f);
    const rill_particles_def def = quiet_def(100000);
    const double directions[4][3] = {{3, 0, 0}, {0, 0, -3}, {1, -2, 2}, {-1, -1, 1}};
    for (int n = 0; n < 4; n++) {
        SCOPED(rl_particles) *p = make_particles(def, (uint64_t)n);
        rill_emitter_def jet = rill_default_emitter_def();
        memcpy(jet.velocity, directions[n], sizeof jet.velocity);
        jet.radius = 0.5;
        jet.spread = 0.0;
        jet.rate = 100.0;
        jet.path_count = 2;
        jet.path[0] = (rill_path_key){0.0, 20.0, 20.0, 20.0};
        jet.path[1] = (rill_path_key){1.0, 40.0, 30.0, 20.0};
        rl_particles_set_emitter(p, 0, &jet);
        rl_particles_books books = {0};
        rl_particles_flow view = fake_view(w, NULL);
        view.gravity = 0.0f;
        rl_particles_step(p, &view, 0.5, DT, 0, &books);
        assert_in_range(p->totals.count, 40, 60);
        double largest = 0.0;
        for (int k = 0; k < p->totals.count; k++) {
            double from[3], along = 0.0, size = 0.0, way = 0.0;
            const double age = (double)p->arrays[RL_POOL_AGE][k], born = 0.5 + DT - age;
            const double mouth[3] = {20.0 + 20.0 * born, 20.0 + 10.0 * born, 20.0};
            assert_true(age >= 0.0 && age <= DT * 1.0001);
            for (int axis = 0; axis < 3; axis++) {
                from[axis] = (double)p->arrays[RL_POOL_X + axis][k] - mouth[axis];
                along += from[axis] * directions[n][axis];
                size += directions[n][axis] * directions[n][axis];
                way += from[axis] * from[axis];
            }
            along /= sqrt(size);
            assert_near(along, age * sqrt(size), 1e-4);
            const double off = sqrt(fmax(way - along * along, 0.0));
            assert_true(off <= 0.5 + 1e-4);
            largest = fmax(largest, off);
        }
        assert_true(largest > 0.35); // half of a disc is beyond 0.7 of its radius
    }
}

TEST(rain_falls_from_its_rectangle)
{
    SCOPED(fake_water) *w = fake_create(64, 64, 1.0f, 1.0f);
    const rill_particles_def def = quiet_def(100000);
    SCOPED(rl_particles) *p = make_particles(def, 9);
    rill_emitter_def rain = rill_default_emitter_def();
    rain.kind = RILL_EMITTER_RAIN;
    rain.particle = RILL_PARTICLE_SPRAY;
    set3(rain.position, 30.0, 40.0, 20.0);
    rain.velocity[2] = -8.0;
    rain.size[0] = 20.0;
    rain.size[1] = 6.0;
    rain.spread = 0.0;
    rain.rate = 200.0;
    rl_particles_set_emitter(p, 0, &rain);
    step_once(p, w, NULL, 9.81f, DT, 0);
    const int count = p->totals.count;
    assert_int_equal(count, (int)(200.0 * DT / effective_volume(&def, 0.0625)));
    double mean_x = 0.0, mean_y = 0.0;
    for (int k = 0; k < count; k++) {
        const double x = (double)p->arrays[RL_POOL_X][k], y = (double)p->arrays[RL_POOL_Y][k];
        assert_true(x >= 20.0 && x <= 40.0 && y >= 37.0 && y <= 43.0);
        assert_true(p->arrays[RL_POOL_Z][k] <= 20.0f && p->arrays[RL_POOL_Z][k] > 19.8f);
        assert_int_equal(p->kind[k], RILL_PARTICLE_SPRAY);
        mean_x += x / count;
        mean_y += y / count;
    }
    assert_near(mean_x, 30.0, 4.0 * 20.0 / sqrt(12.0 * count));
    assert_near(mean_y, 40.0, 4.0 * 6.0 / sqrt(12.0 * count));
}

// ---- Over the pipes --------------------------------------------------------------------

TEST(a_jug_poured_into_the_pipes_loses_nothing)
{
    rill_world_def def = lake_def(40, 40, 0.1, 0.3);
    def.wet_depth = 1e-4f;
    void *solver = NULL;
    assert_ok(rl_pipes_ops.create(&def, best_isa(), &solver));
    rill_particles_def particles = quiet_def(2000); // too few: some of the water is poured straight
    particles.radius = 0.0125f;
    SCOPED(rl_particles) *p = make_particles(particles, 1);
    rill_emitter_def jug = rill_default_emitter_def();
    jug.position[0] = jug.position[1] = jug.position[2] = 2.0;
    jug.velocity[0] = 1.0;
    jug.rate = 0.05;
    rl_particles_set_emitter(p, 0, &jug);
    const rl_particles_flow view = {.ops = &rl_pipes_ops,
                                    .solver = solver,
                                    .nx = 40,
                                    .ny = 40,
                                    .cell_size = 0.1f,
                                    .gravity = 9.81f};
    const double before = rl_pipes_ops.volume(solver, NULL);
    double sourced = 0.0, drained = 0.0;
    rl_exchange exchange = {0};
    for (int s = 0; s < 600; s++) {
        rl_pipes_ops.step(solver, NULL, 1.0 / 120.0, &exchange);
        rl_particles_books books = {0};
        rl_particles_step(p, &view, s / 120.0, 1.0 / 120.0, (uint64_t)s, &books);
        sourced += books.sourced;
        drained += books.drained;
        const double now = rl_pipes_ops.volume(solver, NULL) + rl_particles_volume(p);
        assert_near(now, before + sourced - drained, 1e-9 * before);
    }
    assert_near(sourced, 0.25, 1e-9);
    assert_true(p->totals.count > 0);
    rl_pipes_ops.destroy(NULL, &solver);
}
