// SPDX-License-Identifier: MIT
// Emitters of foam (Chentanez and Müller section 2.4): as many discs as they say, from the time
// that they meet the water on as any other foam, and not a drop of water.
#include "particles/pool.h"
#include "tests/kit/instruction_sets.h"
#include "tests/kit/kit.h"
#include "tests/kit/worlds.h"
#include "tests/particles/fake_water.h"

#include "rill/rill.h"

#define DT (1.0 / 60.0)

static rl_particles_books step_once(rl_particles *p, fake_water *w, double dt, int step)
{
    rl_particles_books books = {0};
    const rl_particles_flow view = fake_view(w, NULL);
    rl_particles_step(p, &view, step * dt, dt, (uint64_t)step, &books);
    return books;
}

// Discs a second over the middle of a grid of 32 m.
static rill_emitter_def foam_def(double discs, double height)
{
    rill_emitter_def def = rill_default_emitter_def();
    def.particle = RILL_PARTICLE_FOAM;
    def.discs = discs;
    def.radius = 2.0;
    set3(def.position, 16.0, 16.0, height);
    return def;
}

static rill_particles_def lasting_def(int most)
{
    rill_particles_def def = quiet_def(most);
    def.foam_life = 100.0f;
    def.foam_life_noise = 0.5f;
    return def;
}

// Floor of rate times time: no step of whatever length loses or doubles a disc.
TEST(an_emitter_of_foam_gives_its_discs_and_no_water)
{
    const double steps[] = {1.0 / 30.0, 1.0 / 240.0, 0.37};
    for (int n = 0; n < 3; n++) {
        SCOPED(fake_water) *w = fake_create(32, 32, 1.0f, 1.0f);
        SCOPED(rl_particles) *p = make_particles(lasting_def(1000), 1);
        rill_emitter_def def = foam_def(90.0, 1.5);
        def.start = 0.25;
        def.end = 2.0;
        rl_particles_set_emitter(p, 0, &def);
        const double before = fake_volume(w);
        for (int s = 0; s * steps[n] < 3.0; s++) {
            const rl_particles_books books = step_once(p, w, steps[n], s);
            const double time = fmin((s + 1) * steps[n], 2.0);
            const double due = floor(90.0 * time + 1e-3) - floor(90.0 * 0.25);
            assert_true(books.sourced == 0.0 && books.drained == 0.0);
            assert_int_equal(p->totals.count, (int)fmax(due, 0.0));
            assert_true(rl_particles_volume(p) == 0.0 && fake_volume(w) == before);
        }
        const rill_particles seen = rl_particles_view(p);
        assert_int_equal(seen.count, 180 - 22);
        for (size_t k = 0; k < seen.count; k++)
            assert_true(seen.kind[k] == RILL_PARTICLE_FOAM && seen.volume[k] == 0.0f &&
                        seen.radius[k] == 0.25f);
    }
}

// From a mouth in the air, at the surface or below it: foam lies on the water, drifts with it, and
// lives as foam does from then on.
TEST(foam_of_an_emitter_floats_and_drifts_with_the_water)
{
    const double heights[] = {3.0, 1.0, 0.4};
    for (int n = 0; n < 3; n++) {
        SCOPED(fake_water) *w = fake_create(32, 32, 1.0f, 1.0f);
        for (int j = 0; j < 32; j++)
            for (int i = 0; i < 32; i++)
                *fake_cell(&w->velocity_x, i, j) = 1.5f;
        SCOPED(rl_particles) *p = make_particles(lasting_def(1000), 1);
        rill_emitter_def def = foam_def(600.0, heights[n]);
        def.end = 0.5;
        rl_particles_set_emitter(p, 0, &def);
        for (int s = 0; s < 120; s++)
            step_once(p, w, DT, s);
        assert_int_equal(p->totals.count, 300);
        assert_int_equal(p->totals.flying, 0);
        const rill_particles seen = rl_particles_view(p);
        double mean = 0.0;
        for (size_t k = 0; k < 300; k++) {
            assert_true(seen.z[k] == 1.0f && seen.velocity_x[k] == 1.5f);
            assert_true(seen.life[k] >= 50.0f && seen.life[k] <= 150.0f);
            assert_true(seen.life[k] > 0.0f && seen.age[k] < 2.0f);
            mean += (double)seen.x[k] / 300.0;
        }
        // It has drifted since it met the water: on average 0.25 s after the start, and its fall.
        const double fall = sqrt(2.0 * fmax(heights[n] - 1.0, 0.0) / 9.81);
        assert_near(mean, 16.0 + 1.5 * (2.0 - 0.25 - fall), 0.3);
    }
}

TEST(its_life_is_that_of_foam)
{
    SCOPED(fake_water) *w = fake_create(32, 32, 1.0f, 1.0f);
    rill_particles_def life = quiet_def(10000);
    life.foam_life = 1.0f;
    life.foam_life_noise = 0.0f;
    life.foam_speed = 0.0f; // splashes would leave none
    SCOPED(rl_particles) *p = make_particles(life, 1);
    const rill_emitter_def def = foam_def(600.0, 1.0);
    rl_particles_set_emitter(p, 0, &def);
    for (int s = 0; s < 240; s++)
        step_once(p, w, DT, s);
    // One second's worth, and what is on its way to the surface for a step or two.
    assert_true(p->totals.count >= 600 && p->totals.count <= 600 + 3 * 10);
}

TEST(foam_that_meets_no_water_is_gone)
{
    for (int n = 0; n < 2; n++) {
        SCOPED(fake_water) *w = fake_create(32, 32, 1.0f, n == 0 ? 0.0f : 1.0f);
        SCOPED(rl_particles) *p = make_particles(lasting_def(1000), 1);
        rill_emitter_def def = foam_def(300.0, 2.0);
        if (n == 1) { // over the border before it is down
            def.position[2] = 9.0;
            def.velocity[0] = 60.0;
            def.spread = 0.0;
        }
        rl_particles_set_emitter(p, 0, &def);
        double drained = 0.0;
        for (int s = 0; s < 120; s++) {
            drained += step_once(p, w, DT, s).drained;
            assert_true(rl_particles_volume(p) == 0.0);
            assert_int_equal(p->totals.count, p->totals.flying); // none floats
            def.discs = s < 30 ? 300.0 : 0.0;
            rl_particles_set_emitter(p, 0, &def);
        }
        assert_int_equal(p->totals.count, 0);
        assert_true(drained == 0.0);
    }
}

// What has no place is left out, said, and pours no water.
TEST(a_full_pool_takes_no_more_foam)
{
    SCOPED(fake_water) *w = fake_create(32, 32, 1.0f, 1.0f);
    SCOPED(rl_particles) *p = make_particles(lasting_def(100), 1);
    const rill_emitter_def def = foam_def(300.0, 1.2);
    rl_particles_set_emitter(p, 0, &def);
    const double before = fake_volume(w);
    uint64_t full = 0;
    for (int s = 0; s < 60; s++)
        full += step_once(p, w, DT, s).full;
    assert_int_equal(p->totals.count, 100);
    assert_true(fake_volume(w) == before && rl_particles_volume(p) == 0.0);
    assert_int_equal(full, 60 - 19); // 5 a step: full from the 20th on
}

// Water that an emitter still had goes with the next landing when it turns to foam.
TEST(an_emitter_that_turns_to_foam_leaves_its_water_behind)
{
    SCOPED(fake_water) *w = fake_create(32, 32, 1.0f, 1.0f);
    const rill_particles_def def = lasting_def(100);
    SCOPED(rl_particles) *p = make_particles(def, 1);
    rill_emitter_def jet = foam_def(0.0, 1.2);
    jet.particle = RILL_PARTICLE_SPLASH;
    jet.rate = 0.5 * effective_volume(&def, 0.125) / DT;
    rl_particles_set_emitter(p, 0, &jet);
    const double sourced = step_once(p, w, DT, 0).sourced;
    assert_true(sourced > 0.0 && p->totals.pending[0] == sourced);
    const rill_emitter_def foam = foam_def(60.0, 1.2);
    rl_particles_set_emitter(p, 0, &foam);
    for (int s = 1; s < 60; s++)
        assert_true(step_once(p, w, DT, s).sourced == 0.0);
    assert_true(p->totals.pending[0] == 0.0);
    assert_near(w->given, sourced, 1e-7 * sourced);
    assert_near(w->given + rl_particles_volume(p), sourced, 1e-15);
}

// Foam on its way down leaves the pool with the domain that it was over, and does not turn to foam
// that floats somewhere.
TEST(foam_in_the_air_is_left_behind_by_a_domain_that_moves)
{
    SCOPED(fake_water) *w = fake_create(32, 32, 1.0f, 1.0f);
    SCOPED(rl_particles) *p = make_particles(lasting_def(1000), 1);
    const rill_emitter_def def = foam_def(600.0, 30.0);
    rl_particles_set_emitter(p, 0, &def);
    step_once(p, w, DT, 0);
    assert_int_equal(p->totals.flying, 10);
    rl_particles_books books = {0};
    rl_particles_shift(p, 20.0f, 0.0f, 32.0f, 32.0f, &books);
    assert_true(p->totals.count == 0 && books.drained == 0.0);
}

TEST(emitters_of_foam_have_discs_and_others_have_a_rate)
{
    rill_world_def def = lake_def(16, 16, 1.0, 1.0);
    def.particles.max_particles = 100;
    rill_world *world = make_world(&def);
    rill_emitter_def foam = foam_def(10.0, 1.0), jet = rill_default_emitter_def();
    rill_emitter_id id;
    foam.rate = 0.5;
    assert_int_equal(rill_world_add_emitter(world, &foam, &id), RILL_BAD_DEF);
    assert_sentence_has("emitter.rate is 0.5, but foam holds no water");
    jet.discs = 3.0;
    assert_int_equal(rill_world_add_emitter(world, &jet, &id), RILL_BAD_DEF);
    assert_sentence_has("emitter.discs is 3, but only foam is counted in discs");
    foam.rate = 0.0;
    foam.discs = -1.0;
    assert_int_equal(rill_world_add_emitter(world, &foam, &id), RILL_BAD_DEF);
    foam.discs = 600.0;
    set3(foam.position, 8.0, 8.0, 1.0);
    assert_ok(rill_world_add_emitter(world, &foam, &id));
    run_frames(world, 30);
    assert_int_equal(rill_world_particles(world).count, 100);
    assert_true(rill_world_ledger(world).sourced == 0.0);
    assert_int_equal(rill_world_last_step(world).limits.full_pool_steps, 30 - 9); // 10 a step
    rill_world_destroy(&world);
}
