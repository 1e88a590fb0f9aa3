// SPDX-License-Identifier: MIT
// The same bits from rigid bodies: in every run, from an engine made anew, and beside another world
// on another thread.
#include "tests/bodies/engine_arena.h"
#include "tests/kit/kit.h"

#include "bodies/rigid/engine.h"

#include <pthread.h>

// A heap of thirty bodies of all shapes falls onto uneven ground, with a host body in the way.
static arena make_heap(void)
{
    arena a = make_arena(GRAVITY, 0.0);
    a.ground.fence = true;
    for (int j = 0; j < 30; j++)
        for (int i = 0; i < 40; i++)
            rill_field_row(&a.bed, j)[i] = 0.2f * (float)((i * 7 + j * 11) % 5);
    rill_body_def rock = body_at(10.0, 7.0, 1.0);
    rock.motion = RILL_BODY_HOST;
    rock.spin[2] = 0.5;
    put(&a, rock);
    for (int n = 0; n < 30; n++) {
        const double x = 9.0 + 0.3 * (n % 7), y = 6.5 + 0.25 * (n % 5), z = 2.0 + 0.8 * n;
        rill_body_def def = n % 5 == 4 ? bracket_at(x, y, z) : body_at(x, y, z);
        if (n % 5 < 4)
            def.shape = (rill_body_shape)(n % 5);
        def.size[0] = 1.2;
        def.spin[0] = 0.1 * n;
        def.bounce = 0.02 * n;
        put(&a, def);
    }
    return a;
}

// Makes `to` a copy of the records of `from`, with an engine of its own.
static void copy_records(const arena *from, arena *to)
{
    const rl_bodies *f = from->bodies;
    rl_bodies *t = to->bodies;
    memcpy(t->items, f->items, (size_t)f->def.max_bodies * sizeof *f->items);
    memcpy(t->rest, f->rest, (size_t)f->vertex_count * 3 * sizeof(float));
    memcpy(t->position, f->position, (size_t)f->vertex_count * 3 * sizeof(float));
    memcpy(t->velocity, f->velocity, (size_t)f->vertex_count * 3 * sizeof(float));
    memcpy(t->triangles, f->triangles, (size_t)f->triangle_count * 3 * sizeof(uint32_t));
    t->vertex_count = f->vertex_count;
    t->triangle_count = f->triangle_count;
    t->alive = f->alive;
    t->generation = f->generation;
    for (int j = 0; j < 30; j++)
        memcpy(rill_field_row(&to->bed, j), rill_field_row(&from->bed, j), 40 * sizeof(float));
    to->ground = from->ground;
    rl_engine_of_build->rebuild(to->engine, t);
}

TEST_NEEDS(rl_engine_of_build != NULL, "this build has no rigid bodies");

TEST(two_runs_give_the_same_bits)
{
    SCOPED(arena) a = make_heap(), b = make_heap();
    run(&a, 400);
    run(&b, 400);
    assert_same_bits(a.bodies, b.bodies);
    // They did something meanwhile: nothing is where it began, nothing fell through the ground.
    for (int n = 1; n <= 30; n++) {
        assert_less(a.bodies->items[n].position[2], 2.0 + 0.8 * (n - 1) - 0.3);
        assert_true(a.bodies->items[n].low[2] > -0.1);
    }
}

TEST(an_engine_made_anew_from_the_records_goes_on_with_the_same_bits)
{
    for (int when = 40; when <= 200; when += 80) {
        SCOPED(arena) a = make_heap(), b = make_arena(GRAVITY, 0.0);
        run(&a, when);
        copy_records(&a, &b);
        run(&a, 100);
        run(&b, 100);
        assert_same_bits(a.bodies, b.bodies);
    }
}

// A body that comes and goes, far from the heap, makes the engine anew and changes nothing else.
TEST(bodies_far_away_change_nothing)
{
    SCOPED(arena) a = make_heap(), b = make_heap();
    run(&a, 100);
    run(&b, 100);
    const int place = put(&b, body_at(1.0, 1.0, 90.0));
    rl_bodies_remove(b.bodies, place);
    rl_engine_of_build->rebuild(b.engine, b.bodies);
    run(&a, 100);
    run(&b, 100);
    assert_same_bits(a.bodies, b.bodies);
}

// The order in which bodies once lay along x is forgotten: a wall of boxes, all with the same x,
// that were the other way round before.
TEST(what_bodies_did_before_changes_nothing)
{
    SCOPED(arena) a = make_arena(GRAVITY, 0.0), b = make_arena(GRAVITY, 0.0);
    for (int n = 0; n < 12; n++) {
        const int up = n % 3;
        put_box(&a, 5.0, 2.0 + 0.99 * (n / 3) + 0.3 * up, 0.5 + 0.99 * up);
        put_box(&b, 15.0 - 0.5 * n, 2.0 + n, 3.0);
    }
    run(&b, 1);
    memcpy(b.bodies->items, a.bodies->items, 12 * sizeof *b.bodies->items);
    run(&a, 60);
    run(&b, 60);
    assert_same_bits(a.bodies, b.bodies);
}

TEST(contacts_are_thinned_to_the_deepest_and_the_farthest)
{
    rl_contact contacts[6] = {
        {.point = {0.0, 0.0, 0.0}, .depth = 0.1},   {.point = {1.0, 0.0, 0.0}, .depth = 0.2},
        {.point = {0.5, 0.0, 0.0}, .depth = 0.5},   {.point = {3.0, 0.0, 0.0}, .depth = 0.0},
        {.point = {0.5, 0.001, 0.0}, .depth = 0.4}, {.point = {0.5, 1.0, 0.0}, .depth = 0.1}};
    assert_int_equal(rl_contacts_thin(contacts, 6, 3, 1.0), 3);
    assert_near(contacts[0].depth, 0.5, 0.0);
    assert_near(contacts[1].point[0], 3.0, 0.0);
    assert_near(contacts[2].point[1], 1.0, 0.0);
    assert_int_equal(rl_contacts_thin(contacts, 6, 6, 1.0), 5); // two at one point
    assert_int_equal(rl_contacts_thin(contacts, 0, 6, 1.0), 0);
}

static void *run_heap(void *out)
{
    arena *a = out;
    run(a, 300);
    return NULL;
}

TEST(worlds_on_two_threads_give_the_bits_of_one_after_the_other)
{
    SCOPED(arena) alone = make_heap(), a = make_heap(), b = make_heap();
    run(&alone, 300);
    pthread_t first, second;
    assert_int_equal(pthread_create(&first, NULL, run_heap, &a), 0);
    assert_int_equal(pthread_create(&second, NULL, run_heap, &b), 0);
    assert_int_equal(pthread_join(first, NULL), 0);
    assert_int_equal(pthread_join(second, NULL), 0);
    assert_same_bits(alone.bodies, a.bodies);
    assert_same_bits(alone.bodies, b.bodies);
}

// Forces that are no numbers, and greater than anything, leave all bodies in the world of numbers.
TEST(wild_forces_do_not_make_bodies_wild)
{
    SCOPED(arena) a = make_heap();
    a.bodies->items[1].force[0] = NAN;
    a.bodies->items[2].force[2] = INFINITY;
    a.bodies->items[3].force[1] = 1e300;
    a.bodies->items[4].torque[1] = 1e300;
    a.bodies->items[5].push_torque[0] = -1e12;
    run(&a, 60);
    for (int n = 0; n <= 30; n++) {
        const rl_body *body = &a.bodies->items[n];
        assert_true(isfinite(length3(body->position)) && isfinite(length3(body->velocity)));
        assert_true(isfinite(length3(body->spin)) && isfinite(body->rotation[3]));
    }
}
