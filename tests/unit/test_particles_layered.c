// SPDX-License-Identifier: MIT
// Particles over a water with columns above each other: a hall whose eastern half has a floor
// between 2 and 3 m over the ground. Layer 0 is open to the sky, layer 1 lies below the floor.
#include "particles/pool.h"
#include "tests/unit/fake_water.h"

#define DT   (1.0 / 60.0)
#define SIDE 16
#define HALF 8 // the first cell with a floor
#define SKY  1e30f

typedef struct hall {
    rl_field base, depth, low, high, velocity, still; // layers as further rows
    double given[2];
    double momentum;
} hall;

static float *slot(const rl_field *field, int layer, int i, int j)
{
    return rl_field_row(field, layer * SIDE + j) + i;
}

static hall *hall_create(void)
{
    hall *h = calloc(1, sizeof *h);
    assert_non_null(h);
    rl_field *const fields[] = {&h->base, &h->depth, &h->low, &h->high, &h->velocity, &h->still};
    for (int n = 0; n < 6; n++)
        assert_true(rl_field_create(NULL, SIDE, 2 * SIDE, 0, fields[n]));
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

static void hall_destroy(hall *h)
{
    rl_field *const fields[] = {&h->base, &h->depth, &h->low, &h->high, &h->velocity, &h->still};
    for (int n = 0; n < 6; n++)
        rl_field_destroy(NULL, fields[n]);
    free(h);
}

static double hall_deposit(void *self, const rl_deposit *d)
{
    hall *h = self;
    float *depth = slot(&h->depth, d->layer, d->first, d->row);
    const double before = (double)*depth;
    const double room = d->layer == 1 ? 2.0 - before : 1e9;
    const double change = fmin((double)d->depth[0], room);
    *depth = (float)(before + change);
    h->given[d->layer] += change;
    h->momentum += (double)d->momentum_x[0];
    return change;
}

static rill_columns hall_columns(void *self, rl_jobs *jobs)
{
    const hall *h = self;
    (void)jobs;
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
    (void)self;
    (void)j;
    return i >= HALF && z < 3.0f ? 1 : 0;
}

static const rl_solver_ops hall_ops = {
    .name = "hall", .deposit = hall_deposit, .columns = hall_columns, .layer_at = hall_layer_at};

static rl_particles_books run(rl_particles *p, hall *h, int steps)
{
    rl_particles_books books = {0};
    const rl_particles_water view = {
        .ops = &hall_ops, .solver = h, .nx = SIDE, .ny = SIDE, .cell_size = 1.0f, .gravity = 9.81f};
    for (int s = 0; s < steps; s++)
        rl_particles_step(p, &view, s * DT, DT, (uint64_t)s, &books);
    return books;
}

static rl_particles *with_one(hall **h, float x, float z, float u, float w)
{
    rill_particles_def def = quiet_def(10);
    def.foam_speed = 0.0f;
    rl_particles *p = make_particles(&def, 1);
    const rl_birth birth = {.kind = RILL_PARTICLE_SPLASH,
                            .position = {x, 4.5f, z},
                            .velocity = {u, 0.0f, w},
                            .volume = 0.25f};
    *h = hall_create();
    rl_pool_add(p, &birth);
    return p;
}

static void water_lands_in_the_storey_that_it_is_in(void **state)
{
    (void)state;
    const float heights[] = {1.5f, 4.0f};
    for (int n = 0; n < 2; n++) {
        hall *h;
        rl_particles *p = with_one(&h, 12.5f, heights[n], 0.0f, 0.0f);
        run(p, h, 60);
        assert_int_equal(p->kept.count, 0);
        assert_near(h->given[n == 0], 0.25, 1e-6);
        assert_near(h->given[n != 0], 0.0, 0.0);
        rl_particles_destroy(&p);
        hall_destroy(h);
    }
}

// Up against the ceiling from below, and against the edge of the floor from the side.
static void nothing_flies_through_a_floor(void **state)
{
    (void)state;
    const float starts[2][4] = {{12.5f, 1.0f, 0.0f, 20.0f}, {7.5f, 2.7f, 4.0f, 0.0f}};
    for (int n = 0; n < 2; n++) {
        hall *h;
        rl_particles *p = with_one(&h, starts[n][0], starts[n][1], starts[n][2], starts[n][3]);
        run(p, h, 120);
        assert_int_equal(p->kept.count, 0);
        assert_near(h->given[n == 0], 0.25, 1e-6); // below the floor, or on the ground before it
        assert_near(n == 0 ? *slot(&h->depth, 1, 12, 4) : *slot(&h->depth, 0, 7, 4), 0.25, 1e-6);
        rl_particles_destroy(&p);
        hall_destroy(h);
    }
}

// A storey that is full to 0.1 m takes that; the rest comes out on the floor above.
static void what_a_full_storey_refuses_comes_out_on_top(void **state)
{
    (void)state;
    hall *h;
    rl_particles *p = with_one(&h, 12.5f, 1.95f, 2.0f, 0.0f);
    for (int i = HALF; i < SIDE; i++)
        *slot(&h->depth, 1, i, 4) = 1.9f;
    run(p, h, 30);
    assert_int_equal(p->kept.count, 0);
    assert_near(h->given[1], 0.1, 1e-5);
    assert_near(h->given[0], 0.15, 1e-5);
    assert_near(h->given[0] + h->given[1] + rl_particles_volume(p), 0.25, 1e-7);
    // Its speed is a little below 2 m/s, by the air; no momentum is given twice.
    assert_true(h->momentum > 0.25 * 1.95 && h->momentum <= 0.5);
    rl_particles_destroy(&p);
    hall_destroy(h);
}

static void foam_of_a_storey_drifts_on_its_own_water(void **state)
{
    (void)state;
    hall *h;
    rl_particles *p = with_one(&h, 10.5f, 1.5f, 0.0f, 0.0f);
    for (int i = 0; i < SIDE; i++) {
        *slot(&h->depth, 1, i, 4) = 0.5f;
        *slot(&h->velocity, 1, i, 4) = 0.5f;
    }
    p->def.foam_speed = 1e-3f;
    run(p, h, 90);
    const rill_particles look = rl_particles_look(p);
    assert_true(look.count == 1 && look.kind[0] == RILL_PARTICLE_FOAM);
    assert_true(look.x[0] > 10.6f && look.z[0] < 1.0f && look.z[0] >= 0.5f);
    *slot(&h->depth, 1, (int)look.x[0], 4) = 0.0f;
    run(p, h, 1);
    assert_int_equal(p->kept.count, 0);
    rl_particles_destroy(&p);
    hall_destroy(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(water_lands_in_the_storey_that_it_is_in),
        cmocka_unit_test(nothing_flies_through_a_floor),
        cmocka_unit_test(what_a_full_storey_refuses_comes_out_on_top),
        cmocka_unit_test(foam_of_a_storey_drifts_on_its_own_water),
    };
    return cmocka_run_group_tests_name("particles in storeys", tests, NULL, NULL);
}
