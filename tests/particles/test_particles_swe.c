// SPDX-License-Identifier: MIT
// Particles and the swe water together: what one gives the other has.
#include "particles/pool.h"
#include "solvers/swe/swe.h"
#include "tests/kit/kit.h"
#include "tests/kit/solver_runs.h"
#include "tests/particles/fake_water.h"

#include "rill/rill.h"

#define SIDE 48

static float bed[SIDE * SIDE], water[SIDE * SIDE];

static void *make_swe(rill_world_def *def)
{
    def->nx = def->ny = SIDE;
    def->cell_size = 1.0f;
    def->wet_depth = 1e-4f;
    def->solver = RILL_SOLVER_SWE;
    def->bed = (rill_field_view){bed, SIDE, SIDE, SIDE};
    def->depth = (rill_field_view){water, SIDE, SIDE, SIDE};
    return make_solver(&rl_swe_ops, def, best_isa());
}

// Momentum of all water along an axis, m^4/s: faces carry the mean of the cells beside them.
static double momentum_of(void *solver, int axis)
{
    rill_state_array arrays[RL_MAX_STATE_ARRAYS];
    const int count = rl_swe_ops.state(solver, arrays);
    const rill_state_array *depth = NULL, *speed = NULL;
    for (int n = 0; n < count; n++) {
        depth = strcmp(arrays[n].name, "depth") == 0 ? &arrays[n] : depth;
        speed = strcmp(arrays[n].name, axis == 0 ? "u" : "v") == 0 ? &arrays[n] : speed;
    }
    assert_true(depth != NULL && speed != NULL);
    double sum = 0.0;
    for (int j = 0; j + axis < SIDE; j++)
        for (int i = 0; i + 1 - axis < SIDE; i++) {
            const float *d = depth->data + (size_t)j * depth->pitch + i;
            const double both = (double)d[0] + (double)d[axis == 0 ? 1 : (ptrdiff_t)depth->pitch];
            // The arrays begin with the faces of the western and southern borders.
            const size_t face = axis == 0 ? (size_t)j * speed->pitch + (size_t)i + 1
                                          : (size_t)(j + 1) * speed->pitch + (size_t)i;
            sum += 0.5 * both * (double)speed->data[face];
        }
    return sum;
}

// ---- Momentum --------------------------------------------------------------------------

static float before[SIDE * (SIDE + 64)];

static rl_motion risen(KIT_UNUSED void *self)
{
    return (rl_motion){.depth_before = before, .step = 1.0 / 60.0, .depth_limit = 1e30f};
}

// A wave is made to break on water at rest, without drag and gravity, and what flew lands at once:
// the momentum of the water is 0 again. The water stands so high that everything is below it.
TEST(the_water_gets_the_momentum_back_that_it_gave)
{
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++) {
            bed[j * SIDE + i] = 0.0f;
            water[j * SIDE + i] = 8.0f + (float)((3 * i + 4 * j) % 25 == 0) * 2.0f;
        }
    rill_world_def def = rill_default_world_def();
    void *solver = make_swe(&def);
    rl_solver_ops ops = rl_swe_ops;
    const rl_motion_ops motion = {.get = risen};
    ops.motion = &motion;
    const rill_columns c = ops.columns(solver, NULL, NULL);
    assert_true(SIDE * c.pitch <= sizeof before / sizeof before[0]);
    for (size_t n = 0; n < SIDE * c.pitch; n++)
        before[n] = 7.5f;
    rill_particles_def particles = quiet_def(100000);
    particles.spray_drag = particles.splash_drag = 0.0f;
    particles.velocity_noise = 0.2f;
    particles.spray_share = 0.2f;
    particles.breaking_lift = 0.0f;
    particles.foam_speed = 0.0f;
    SCOPED(rl_particles) *p = make_particles(particles, 4);
    rl_particles_flow view = {
        .ops = &ops, .solver = solver, .nx = SIDE, .ny = SIDE, .cell_size = 1.0f, .gravity = 9.81f};
    rl_particles_books books = {0};
    const double volume = ops.volume(solver, NULL);
    rl_particles_step(p, &view, 0.0, 1.0 / 60.0, 0, &books);
    assert_true(p->totals.flying > 100);
    double x = 0.0, y = 0.0, size = 0.0;
    for (int k = 0; k < p->totals.flying; k++) {
        const double held = (double)p->arrays[RL_POOL_VOLUME][k];
        const double u = (double)p->arrays[RL_POOL_VELOCITY_X][k];
        const double v = (double)p->arrays[RL_POOL_VELOCITY_Y][k];
        x += held * u;
        y += held * v;
        size += held * hypot(u, v);
        p->arrays[RL_POOL_Z][k] = 0.0f; // under water
    }
    assert_true(size > 0.0);
    assert_near(momentum_of(solver, 0), -x, 1e-4 * size);
    assert_near(momentum_of(solver, 1), -y, 1e-4 * size);
    particles.breaking_amount = 0.0f;
    p->def.breaking_amount = 0.0f;
    view.gravity = 0.0f;
    rl_particles_step(p, &view, 0.0, 1e-6, 1, &books);
    assert_int_equal(p->totals.flying, 0);
    assert_near(momentum_of(solver, 0), 0.0, 1e-4 * size);
    assert_near(momentum_of(solver, 1), 0.0, 1e-4 * size);
    assert_near(ops.volume(solver, NULL) + rl_particles_volume(p), volume, 1e-9 * volume);
    rl_swe_ops.destroy(NULL, &solver);
}

// ---- Water that falls and breaks -------------------------------------------------------

// A lake on a plateau runs over its edge, 6 m down into a basin with a beach.
static void lay_cliff(void)
{
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++) {
            const int at = j * SIDE + i;
            bed[at] = i < 16 ? 6.0f : i < 36 ? 0.0f : 0.2f * (float)(i - 36);
            water[at] = i < 12 ? 2.0f : bed[at] < 1.0f ? 1.0f - bed[at] : 0.0f;
        }
}

typedef struct sums {
    double expected, sourced, drained;
    int most, falls;
} sums;

// Some seconds of both; the books are looked at in every step.
static sums run_cliff(rl_particles *p, void *solver, rl_jobs *jobs, int steps)
{
    const double dt = 1.0 / 60.0;
    const rl_particles_flow view = {.ops = &rl_swe_ops,
                                    .solver = solver,
                                    .jobs = jobs,
                                    .nx = SIDE,
                                    .ny = SIDE,
                                    .cell_size = 1.0f,
                                    .gravity = 9.81f};
    sums s = {.expected = rl_swe_ops.volume(solver, jobs)};
    for (int step = 0; step < steps; step++) {
        rl_exchange exchange = {0};
        const int parts = (int)ceil(dt / rl_swe_ops.stable_step(solver));
        for (int n = 0; n < parts; n++)
            rl_swe_ops.step(solver, jobs, dt / parts, &exchange);
        rl_particles_books books = {0};
        rl_particles_step(p, &view, step * dt, dt, (uint64_t)step, &books);
        s.expected += exchange.in - exchange.out + exchange.corrected - books.drained;
        double have = rl_swe_ops.volume(solver, jobs) + rl_particles_volume(p);
        const rl_motion motion = rl_swe_ops.motion->get(solver);
        for (int n = 0; n < motion.fall_count; n++)
            have += motion.falls[n].volume;
        assert_near(have, s.expected, 1e-6 * have);
        s.most = p->totals.count > s.most ? p->totals.count : s.most;
        s.falls = motion.fall_count;
    }
    return s;
}

TEST(a_waterfall_keeps_the_ledger_with_a_pool_of_any_size)
{
    const int sizes[] = {20000, 40};
    for (int n = 0; n < 2; n++) {
        lay_cliff();
        rill_world_def def = rill_default_world_def();
        def.particles.max_particles = sizes[n];
        void *solver = make_swe(&def);
        rill_particles_def particles = quiet_def(sizes[n]);
        particles.velocity_noise = 0.1f;
        particles.spray_share = 0.2f;
        SCOPED(rl_particles) *p = make_particles(particles, 4);
        const sums s = run_cliff(p, solver, NULL, 300);
        assert_int_equal(s.falls, SIDE);
        assert_true(n == 0 ? s.most > 500 : s.most == 40);
        // A dam break sends at most (8/27) sqrt(g) h^1.5 = 2.6 m^2/s over the edge, and falling
        // takes 1.1 s and a little more for what is thrown up: that much may be in the air.
        assert_true(rl_particles_volume(p) < 1.5 * SIDE * 2.62 * 1.1);
        const rill_columns c = rl_swe_ops.columns(solver, NULL, NULL);
        double below = 0.0;
        for (int j = 0; j < SIDE; j++)
            for (int i = 16; i < SIDE; i++)
                below += (double)c.depth[(size_t)j * c.pitch + (size_t)i];
        assert_true(below > SIDE * (20.0 + 2.5 + 8.0));
        rl_swe_ops.destroy(NULL, &solver);
    }
}

// Calm water and water that runs quietly down a slope give no particles.
TEST(quiet_water_gives_no_particles)
{
    for (int n = 0; n < 2; n++) {
        for (int j = 0; j < SIDE; j++)
            for (int i = 0; i < SIDE; i++) {
                bed[j * SIDE + i] = n == 0 ? 0.0f : 0.02f * (float)i;
                water[j * SIDE + i] = 1.0f;
            }
        rill_world_def def = rill_default_world_def();
        def.particles.max_particles = 1000;
        void *solver = make_swe(&def);
        SCOPED(rl_particles) *p = make_particles(quiet_def(1000), 4);
        assert_int_equal(run_cliff(p, solver, NULL, 120).most, 0);
        rl_swe_ops.destroy(NULL, &solver);
    }
}
