// SPDX-License-Identifier: MIT
// Particles over a water with columns above each other: a hall whose eastern half has a floor
// between 2 and 3 m over the ground. Layer 0 is open to the sky, layer 1 lies below the floor. And
// over the layers water itself, in caves.
#include "particles/pool.h"
#include "tests/kit/instruction_sets.h"
#include "tests/kit/kit.h"
#include "tests/particles/fake_water.h"
#include "tests/solvers/layers/layers_worlds.h"

#define DT   (1.0 / 60.0)
#define SIDE 16
#define HALF 8 // the first cell with a floor
#define SKY  1e30f

typedef struct hall {
    rill_field base, depth, low, high, velocity, still; // layers as further rows
    double given[2], momentum[2];
    int gifts; // deposits of water to layer 0
} hall;

static float *slot(const rill_field *field, int layer, int i, int j)
{
    return rill_field_row(field, layer * SIDE + j) + i;
}

static hall *hall_create(void)
{
    hall *h = calloc(1, sizeof *h);
    assert_non_null(h);
    rill_field *const fields[] = {&h->base, &h->depth, &h->low, &h->high, &h->velocity, &h->still};
    for (int n = 0; n < 6; n++)
        assert_true(rill_field_create(NULL, SIDE, 2 * SIDE, 0, fields[n]));
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++) {
            const bool floor = i >= HALF;
            *slot(&h->base, 0, i, j) = floor ? 3.0f : 0.0f;
            *slot(&h->low, 0, i, j) = floor ? 2.0f : -SKY;
            *slot(&h->high, 0, i, j) = SKY;
            *slot(&h->low, 1, i, j) = floor ? -SKY : SKY;
            *slot(&h->high, 1, i, j) = floor ? 2.0f : -SKY;
            *slot(&h->depth, 0, i, j) = *slot(&h->depth, 1, i, j) = 0.0f;
        }
    return h;
}

static void hall_destroy(hall **at)
{
    hall *h = *at;
    rill_field *const fields[] = {&h->base, &h->depth, &h->low, &h->high, &h->velocity, &h->still};
    for (int n = 0; n < 6; n++)
        rill_field_destroy(NULL, fields[n]);
    free(h);
}

// Fills the solid above the floor in cells from `i` on: they have no open column.
static void close_top(hall *h, int i)
{
    for (; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            *slot(&h->low, 0, i, j) = SKY;
            *slot(&h->high, 0, i, j) = -SKY;
        }
}

static double hall_deposit(void *self, const rl_deposit *d)
{
    hall *h = self;
    float *depth = slot(&h->depth, d->layer, d->first, d->row);
    const double before = (double)*depth;
    const double room = d->layer == 1 ? 2.0 - before : 1e9;
    const double change = fmin((double)d->depth[0], room);
    assert_true(*slot(&h->high, d->layer, d->first, d->row) > 0.0f); // there is a column
    *depth = (float)(before + change);
    h->given[d->layer] += change;
    h->momentum[d->layer] += (double)d->momentum_x[0];
    h->gifts += d->layer == 0 && d->depth[0] > 0.0f;
    return change;
}

static rill_columns hall_columns(void *self, rl_jobs *jobs, const rl_columns_request *request)
{
    const hall *h = self;
    (void)jobs;
    (void)request;
    return (rill_columns){.nx = SIDE,
                          .ny = SIDE,
                          .layers = 2,
                          .pitch = h->base.pitch,
                          .layer_stride = SIDE * h->base.pitch,
                          .cell_size = 1.0f,
                          .wet_depth = 1e-4f,
                          .base = h->base.origin,
                          .depth = h->depth.origin,
                          .velocity_x = h->velocity.origin,
                          .velocity_y = h->still.origin,
                          .range_min = h->low.origin,
                          .range_max = h->high.origin};
}

static int hall_layer_at(const void *self, int i, int j, float z)
{
    const hall *h = self;
    return rl_layer_at(h->base.origin, h->low.origin, h->high.origin, 2, SIDE * h->base.pitch,
                       (size_t)j * h->base.pitch + (size_t)i, z);
}

static const rl_solids_ops hall_solids = {.layer_at = hall_layer_at};
static const rl_solver_ops hall_ops = {
    .name = "hall", .deposit = hall_deposit, .columns = hall_columns, .solids = &hall_solids};

static rl_particles_books run(rl_particles *p, hall *h, int steps)
{
    rl_particles_books books = {0};
    const rl_particles_flow view = {
        .ops = &hall_ops, .solver = h, .nx = SIDE, .ny = SIDE, .cell_size = 1.0f, .gravity = 9.81f};
    for (int s = 0; s < steps; s++)
        rl_particles_step(p, &view, s * DT, DT, (uint64_t)s, &books);
    return books;
}

static rl_particles *with_one(hall **h, float x, float z, float u, float w)
{
    rill_particles_def def = quiet_def(10);
    def.foam_speed = 0.0f;
    rl_particles *p = make_particles(def, 1);
    const rl_birth birth = {.kind = RILL_PARTICLE_SPLASH,
                            .position = {x, 4.5f, z},
                            .velocity = {u, 0.0f, w},
                            .volume = 0.25f};
    *h = hall_create();
    rl_pool_add(p, &birth);
    return p;
}

TEST(water_lands_in_the_storey_that_it_is_in)
{
    const float heights[] = {1.5f, 4.0f};
    for (int n = 0; n < 2; n++) {
        SCOPED(hall) * h;
        SCOPED(rl_particles) *p = with_one(&h, 12.5f, heights[n], 0.0f, 0.0f);
        run(p, h, 60);
        assert_int_equal(p->totals.count, 0);
        assert_near(h->given[n == 0], 0.25, 1e-6);
        assert_near(h->given[n != 0], 0.0, 0.0);
    }
}

// Up against the ceiling from below, and against the edge of the floor from the side.
TEST(nothing_flies_through_a_floor)
{
    const float starts[2][4] = {{12.5f, 1.0f, 0.0f, 20.0f}, {7.5f, 2.7f, 4.0f, 0.0f}};
    for (int n = 0; n < 2; n++) {
        SCOPED(hall) * h;
        SCOPED(rl_particles) *p =
            with_one(&h, starts[n][0], starts[n][1], starts[n][2], starts[n][3]);
        run(p, h, 120);
        assert_int_equal(p->totals.count, 0);
        assert_near(h->given[n == 0], 0.25, 1e-6); // below the floor, or on the ground before it
        assert_near(n == 0 ? *slot(&h->depth, 1, 12, 4) : *slot(&h->depth, 0, 7, 4), 0.25, 1e-6);
    }
}

// A storey that is full to 0.1 m takes that; the rest comes out on the floor above.
TEST(what_a_full_storey_refuses_comes_out_on_top)
{
    SCOPED(hall) * h;
    SCOPED(rl_particles) *p = with_one(&h, 12.5f, 1.95f, 2.0f, 0.0f);
    for (int i = HALF; i < SIDE; i++)
        *slot(&h->depth, 1, i, 4) = 1.9f;
    run(p, h, 30);
    assert_int_equal(p->totals.count, 0);
    assert_near(h->given[1], 0.1, 1e-5);
    assert_near(h->given[0], 0.15, 1e-5);
    assert_near(h->given[0] + h->given[1] + rl_particles_volume(p), 0.25, 1e-7);
    // Its speed is a little below 2 m/s, by the air; no momentum is given twice.
    const double momentum = h->momentum[0] + h->momentum[1];
    assert_true(momentum > 0.25 * 1.95 && momentum <= 0.5);
    assert_near(h->momentum[0], 0.6 * momentum, 1e-4);
}

static void add_splash(rl_particles *p, float x, float y, float z, float u, float volume)
{
    const rl_birth birth = {.kind = RILL_PARTICLE_SPLASH,
                            .position = {x, y, z},
                            .velocity = {u, 0.0f, 0.0f},
                            .volume = volume};
    rl_pool_add(p, &birth);
}

// Three in one cell and two in another, which lie in the other order in the pool; their storey is
// full but for 0.1 m. Each open column gets what the one below it has refused, at once.
TEST(each_cell_gets_at_once_what_its_storey_refuses)
{
    rill_particles_def def = quiet_def(10);
    SCOPED(rl_particles) *p = make_particles(def, 1);
    SCOPED(hall) *h = hall_create();
    p->def.foam_speed = 0.0f;
    for (int i = HALF; i < SIDE; i++)
        *slot(&h->depth, 1, i, 4) = *slot(&h->depth, 1, i, 6) = 1.9f;
    add_splash(p, 12.5f, 6.5f, 1.85f, 2.0f, 0.25f);
    add_splash(p, 10.5f, 4.5f, 1.85f, 2.0f, 0.25f);
    add_splash(p, 12.5f, 6.6f, 1.85f, 2.0f, 0.125f);
    add_splash(p, 10.6f, 4.5f, 1.85f, 2.0f, 0.125f);
    add_splash(p, 10.4f, 4.5f, 1.85f, 2.0f, 0.125f);
    run(p, h, 1);
    assert_int_equal(p->totals.count, 0);
    assert_int_equal(h->gifts, 2);
    assert_near(*slot(&h->depth, 0, 12, 6), 0.275, 1e-5);
    assert_near(*slot(&h->depth, 0, 10, 4), 0.4, 1e-5);
    assert_near(h->given[0] + h->given[1] + rl_particles_volume(p), 0.875, 1e-7);
    // In proportion to the water; the air has taken some of the 2 m/s.
    assert_near(h->momentum[0] / h->momentum[1], 0.675 / 0.2, 1e-3);
    assert_near(h->momentum[0] + h->momentum[1], 0.875 * 2.0, 0.01);
}

// The same where nothing is above the storey but solid: what it refuses stays with the particles,
// each of which keeps the same part, until there is room.
TEST(what_finds_no_room_at_all_waits)
{
    const float volumes[] = {0.25f, 0.15f, 0.1f};
    rill_particles_def def = quiet_def(10);
    SCOPED(rl_particles) *p = make_particles(def, 1);
    SCOPED(hall) *h = hall_create();
    p->def.foam_speed = 1e-3f;
    p->totals.rest = 1e-3;
    close_top(h, HALF);
    *slot(&h->depth, 1, 12, 4) = 1.9f;
    for (int n = 0; n < 3; n++)
        add_splash(p, 12.4f + 0.1f * (float)n, 4.5f, 1.85f, 2.0f, volumes[n]);
    run(p, h, 1);
    assert_true(p->totals.count == 3 && p->totals.flying == 3);
    assert_near(h->given[1], 0.1, 1e-6);
    assert_near(h->given[1] + rl_particles_volume(p), 0.501, 1e-8);
    assert_near(p->totals.rest, 1e-3 * 0.401 / 0.501, 1e-6);
    for (int n = 0; n < 3; n++) {
        assert_near(p->arrays[RL_POOL_VOLUME][n], (double)volumes[n] * 0.401 / 0.501, 1e-6);
        assert_near(p->arrays[RL_POOL_X][n], 12.4 + 0.1 * n, 1e-4);
        assert_true(p->arrays[RL_POOL_VELOCITY_X][n] == 0.0f);
    }
    assert_near(h->momentum[1], 0.5 * 2.0 * 0.1 / 0.501, 1e-3); // of the water that stayed
    run(p, h, 5);
    assert_true(p->totals.count == 3);
    assert_near(h->given[1] + rl_particles_volume(p), 0.501, 1e-8);
    *slot(&h->depth, 1, 12, 4) = 1.0f;
    run(p, h, 40);
    assert_int_equal(p->totals.flying, 0);
    assert_near(h->given[1] + rl_particles_volume(p), 0.501, 1e-7);
    assert_near(h->given[0], 0.0, 0.0);
}

// What a full pool has no place for reaches the storey of the mouth, or what is above it.
TEST(water_that_makes_no_particles_reaches_the_water)
{
    const struct {
        double z;
        float depth; // of the storey
        bool closed, solid;
    } cases[] = {{1.5, 0.0f, false, false},
                 {4.0, 0.0f, false, false},
                 {1.5, 2.0f, false, false},
                 {1.5, 2.0f, true, false},
                 {1.5, 0.0f, true, true}};
    for (int n = 0; n < 5; n++) {
        rill_particles_def def = quiet_def(1);
        rill_emitter_def jet = rill_default_emitter_def();
        SCOPED(rl_particles) *p = make_particles(def, 1);
        SCOPED(hall) *h = hall_create();
        set3(jet.position, 12.5, 4.5, cases[n].z);
        jet.rate = 10.0;
        rl_particles_set_emitter(p, 0, &jet);
        *slot(&h->depth, 1, 12, 4) = cases[n].depth;
        if (cases[n].closed)
            close_top(h, HALF);
        if (cases[n].solid)
            *slot(&h->high, 1, 12, 4) = -SKY;
        const rl_particles_books books = run(p, h, 30);
        assert_near(books.sourced, 5.0, 1e-9);
        assert_near(h->given[0] + h->given[1] + rl_particles_volume(p), 5.0, 1e-6);
        assert_true(n != 0 || h->given[1] > 1.9); // full, and then
        assert_true(n >= 3 ? h->given[0] == 0.0 : h->given[0] > 2.5);
        assert_true(n == 0 || h->given[1] == 0.0);
        assert_true(rl_particles_volume(p) < (n >= 3 ? 5.001 : 0.2));
    }
}

TEST(foam_of_a_storey_drifts_on_its_own_water)
{
    SCOPED(hall) * h;
    SCOPED(rl_particles) *p = with_one(&h, 10.5f, 1.5f, 0.0f, 0.0f);
    for (int i = 0; i < SIDE; i++) {
        *slot(&h->depth, 1, i, 4) = 0.5f;
        *slot(&h->velocity, 1, i, 4) = 0.5f;
    }
    p->def.foam_speed = 1e-3f;
    run(p, h, 90);
    const rill_particles look = rl_particles_view(p);
    assert_true(look.count == 1 && look.kind[0] == RILL_PARTICLE_FOAM);
    assert_true(look.x[0] > 10.6f && look.z[0] < 1.0f && look.z[0] >= 0.5f);
    *slot(&h->depth, 1, (int)look.x[0], 4) = 0.0f;
    run(p, h, 1);
    assert_int_equal(p->totals.count, 0);
}

// ---- Caves -----------------------------------------------------------------------------

// Deposits by what they are: to open columns, to covered ones, and of momentum alone, which takes
// that of refused water back.
static int open_gifts, covered_gifts, taken_back;

static double count_deposit(void *self, const rl_deposit *d)
{
    open_gifts += d->layer == 0;
    covered_gifts += d->layer > 0 && d->depth[0] > 0.0f;
    taken_back += d->layer > 0 && d->depth[0] == 0.0f;
    return rl_layers_ops.deposit(self, d);
}

static uint64_t hash_of(rl_particles *p, rl_layers *s)
{
    rill_state_array arrays[RL_MAX_STATE_ARRAYS];
    const int count = rl_particles_state(p, arrays);
    return hash_arrays(hash_state(s), arrays, count);
}

// Splashes at every height, also within the solid, with velocities in all directions.
static void scatter(rl_particles *p, int count)
{
    rl_draws d = rl_draws_of((rl_draw_source){7, 0}, RL_DRAW_EMITTER, 0, 0);
    for (int n = 0; n < count; n++) {
        rl_birth birth = {.kind = n % 3 ? RILL_PARTICLE_SPLASH : RILL_PARTICLE_SPRAY,
                          .volume = 2e-4f * (1.0f + rl_draw(&d))};
        for (int axis = 0; axis < 3; axis++) {
            birth.position[axis] = (axis == 2 ? 4.0f : 10.0f) * rl_draw(&d);
            birth.velocity[axis] = 3.0f * rl_draw_sign(&d);
        }
        rl_pool_add(p, &birth);
    }
}

// The floors of the caves' west stand in water up to their ceilings.
static void fill_west(rl_layers *s)
{
    for (int plane = 1; plane < s->planes; plane++)
        for (int j = 0; j < CAVES; j++)
            for (int i = 0; i < CAVES / 2; i++) {
                const float amount = 10.0f;
                const rl_deposit d = {
                    .layer = plane, .row = j, .first = i, .count = 1, .depth = &amount};
                rl_layers_ops.deposit(s, &d);
            }
}

static uint64_t run_caves(const rl_solid *solid, int workers)
{
    rill_world_def def = layers_def(CAVES, CAVES, 0.25, solid);
    FREED_BY(free_layers) rl_layers *s = make_layers(&def);
    SCOPED(rl_jobs) *jobs = make_jobs(workers);
    rill_particles_def particles = quiet_def(20000);
    particles.foam_speed = 1.0f;
    SCOPED(rl_particles) *p = make_particles(particles, 1);
    rl_solver_ops ops = rl_layers_ops;
    ops.deposit = count_deposit;
    const rl_particles_flow view = {.ops = &ops,
                                    .solver = s,
                                    .jobs = jobs,
                                    .nx = CAVES,
                                    .ny = CAVES,
                                    .cell_size = 0.25f,
                                    .gravity = 9.81f};
    fill_west(s);
    scatter(p, 20000);
    rl_particles_books books = {0};
    rl_exchange exchange = {0};
    open_gifts = covered_gifts = taken_back = 0;
    int foam = 0;
    for (int n = 0; n < 50; n++) {
        run_layers(s, jobs, 1, 0.02, &exchange);
        const double before = volume(s) + rl_particles_volume(p) + books.drained;
        rl_particles_step(p, &view, n * DT, DT, (uint64_t)n, &books);
        assert_near(volume(s) + rl_particles_volume(p) + books.drained, before, 1e-9);
        foam =
            p->totals.count - p->totals.flying > foam ? p->totals.count - p->totals.flying : foam;
    }
    assert_true(foam > 100);
    assert_within_ranges(s);
    return hash_of(p, s);
}

TEST(threads_do_not_show_in_the_bits)
{
    SCOPED(rill_solid) *solid = caves(0.0);
    const uint64_t hash = run_caves(solid, 1);
    print_message("%d gifts to open columns, %d to covered ones, %d of them refused\n", open_gifts,
                  covered_gifts, taken_back);
    assert_true(open_gifts > 1000 && covered_gifts > 1000 && taken_back > 100);
    assert_true(run_caves(solid, 2) == hash);
    assert_true(run_caves(solid, 5) == hash);
}
