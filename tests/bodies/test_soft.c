// SPDX-License-Identifier: MIT
// Soft bodies by themselves: how they hold together, what holds them, and what their state is.
#include "tests/bodies/soft_places.h"
#include "tests/kit/kit.h"

// ---- Cloth -----------------------------------------------------------------------------

TEST(cloth_hung_by_two_corners_comes_to_rest_and_hardly_stretches)
{
    SCOPED(place) p = make_place(GRAVITY);
    rill_body_def def = cloth_def(4.0);
    def.pin_count = 2;
    def.pins[0] = 8 * 13;
    def.pins[1] = 8 * 13 + 12;
    rl_body *cloth = add(&p, def);
    run(&p, calm, 1800);
    assert_true(fastest_point(&p, cloth) < 1e-2);
    assert_true(stretch(&p, cloth) < 0.02);
    // Its middle hangs below the pins by about half of its width, and straight under them.
    assert_true(fabs(cloth->position[2] - (4.0 - 0.4)) < 0.05);
    assert_true(fabs(cloth->position[1] - 8.4) < 0.05);
    for (int k = 0; k < 2; k++)
        assert_true(apart(position_of(&p, cloth, def.pins[k]),
                          (const float[]){8.0f + (k == 0 ? -0.6f : 0.6f), 8.4f, 4.0f}) < 1e-6);
}

// How far a cloth of a stiffness is drawn out by its own weight, with a longest step of the engine.
static double hung_length(double stiffness, double density, float engine_step)
{
    SCOPED(place) p = make_place(GRAVITY);
    p.bodies->def.engine_step = engine_step;
    rill_body_def def = cloth_def(4.0);
    def.rotation[0] = def.rotation[3] = sqrt(0.5); // upright, y is up
    def.pin_count = 13;
    for (int i = 0; i < 13; i++)
        def.pins[i] = 8 * 13 + i;
    def.stretch_stiffness = stiffness;
    def.bend_stiffness = 0.0;
    def.density = density;
    rl_body *cloth = add(&p, def);
    run(&p, calm, 900);
    const double length = (double)(position_of(&p, cloth, 8 * 13 + 6)[2] - //
                                   position_of(&p, cloth, 6)[2]);
    return length;
}

// With the speed of sound c a hanging string is drawn out by g L^2 / (2 c^2): at a stiffness of
// 1/2, c = 10 m/s, 31 mm for 0.8 m, were it made of links along alone. Diagonals help: at least a
// fifth.
TEST(stiffness_depends_neither_on_the_step_nor_on_the_weight)
{
    const double string = GRAVITY * 0.8 * 0.8 / (2.0 * 10.0 * 10.0);
    const double drawn = hung_length(0.5, 0.2, 1.0f / 60.0f) - 0.8;
    assert_true(drawn > 0.5 * string && drawn < 1.1 * string);
    assert_true(fabs(hung_length(0.5, 0.2, 1.0f / 120.0f) - 0.8 - drawn) < 0.1 * drawn);
    assert_true(fabs(hung_length(0.5, 0.2, 1.0f / 30.0f) - 0.8 - drawn) < 0.1 * drawn);
    assert_true(fabs(hung_length(0.5, 2.0, 1.0f / 60.0f) - 0.8 - drawn) < 0.1 * drawn);
    // c is 7/3 times slower at 0.3, so that it gives (7/3)^2 = 5.4 times as much, less what longer
    // links lose by the way that they are measured.
    const double softer = hung_length(0.3, 0.2, 1.0f / 60.0f) - 0.8;
    assert_true(softer > 4.0 * drawn && softer < 7.0 * drawn);
}

// A strip that stands out from its clamped end: the stiffer against bending, the less it droops.
TEST(bending_stiffness_holds_a_strip_up)
{
    double tip[2];
    for (int stiff = 0; stiff < 2; stiff++) {
        SCOPED(place) p = make_place(GRAVITY);
        rill_body_def def = cloth_def(4.0);
        def.cells[0] = 6;
        def.cells[1] = 2;
        def.size[0] = 0.6;
        def.size[1] = 0.2;
        def.pin_count = 6;
        for (int j = 0; j < 6; j++)
            def.pins[j] = j / 2 * 7 + j % 2;
        def.bend_stiffness = stiff == 0 ? 0.0 : 0.9;
        rl_body *strip = add(&p, def);
        run(&p, calm, 600);
        tip[stiff] = (double)position_of(&p, strip, 7 + 6)[2];
    }
    assert_true(tip[0] < 4.0 - 0.4); // hangs down: 0.5 m are free
    assert_true(tip[1] > 4.0 - 0.2);
}

// ---- Balls -----------------------------------------------------------------------------

TEST(a_ball_keeps_its_volume_and_bounces_less_than_it_fell)
{
    double rebound[2];
    for (int lively = 0; lively < 2; lively++) {
        SCOPED(place) p = make_place(GRAVITY);
        rill_body_def def = ball_def(3.5);
        def.bounce = lively == 0 ? 0.1 : 0.9;
        rl_body *ball = add(&p, def);
        const double first = volume(&p, ball);
        run(&p, calm, 44); // 0.73 s: it falls 2.6 m of 3
        assert_true(ball->velocity[2] < -6.0);
        run(&p, calm, 8);
        rebound[lively] = 0.0;
        for (int s = 0; s < 120; s++) {
            run(&p, calm, 1);
            rebound[lively] = fmax(rebound[lively], ball->position[2] - 0.5);
        }
        run(&p, calm, 600);
        assert_true(fabs(volume(&p, ball) / first - 1.0) < 0.02);
        assert_true(ball->low[2] >= -1e-5 && ball->low[2] < 1e-3);
        assert_true(ball->position[2] > 0.4 && fastest_point(&p, ball) < (lively == 0 ? 0.1 : 1.0));
    }
    assert_true(rebound[1] < 0.9 * 3.0);
    assert_true(rebound[0] < 0.3 * 3.0 && rebound[0] < rebound[1]);
}

TEST(pressure_is_a_multiple_of_the_volume_at_rest)
{
    for (int blown = 0; blown < 2; blown++) {
        SCOPED(place) p = make_place(0.0);
        rill_body_def def = ball_def(4.0);
        def.stretch_stiffness = def.bend_stiffness = 0.01; // the skin hardly resists
        def.pressure = blown == 0 ? 0.8 : 1.3;
        rl_body *ball = add(&p, def);
        const double first = volume(&p, ball);
        run(&p, NULL, 300);
        assert_true(fabs(volume(&p, ball) / first - def.pressure) < 0.02);
    }
}

// ---- Free flight -----------------------------------------------------------------------

// A point by short steps h is below the parabola by g t h / 2.
TEST(what_touches_nothing_falls_like_a_point)
{
    for (int n = 0; n < 2; n++) {
        SCOPED(place) p = make_place(GRAVITY);
        const rill_body_def def = n == 0 ? ball_def(6.0) : cloth_def(6.0);
        rl_body *body = add(&p, def);
        run(&p, NULL, 45);
        const double t = 45 * DT, fallen = 0.5 * GRAVITY * t * t;
        const double late = 0.5 * GRAVITY * t * LONGEST;
        const float *rest = p.bodies->rest + 3 * (size_t)body->first_vertex;
        for (int v = 0; v < body->vertex_count; v++) {
            const double wanted = 6.0 + (double)rest[3 * v + 2] - fallen;
            const double found = (double)position_of(&p, body, v)[2];
            assert_true(found < wanted + 1e-5 && found > wanted - late - 1e-5);
            assert_true(fabs((double)velocity_of(&p, body, v)[2] + GRAVITY * t) < 1e-4);
        }
        assert_true(fabs(body->position[2] - (6.0 - fallen)) < late + 1e-5);
    }
}

// Masses are shares of the surface.
static void find_momentum(const place *p, const rl_body *body, double out[3], double *size)
{
    const float *rest = p->bodies->rest + 3 * (size_t)body->first_vertex;
    const uint32_t *corners = p->bodies->triangles + 3 * (size_t)body->first_triangle;
    double all = 0.0;
    out[0] = out[1] = out[2] = *size = 0.0;
    for (int t = 0; t < body->triangle_count; t++) {
        const float *a = rest + 3 * (size_t)corners[3 * t],
                    *b = rest + 3 * (size_t)corners[3 * t + 1],
                    *c = rest + 3 * (size_t)corners[3 * t + 2];
        const double x = apart(a, b), y = apart(b, c), z = apart(c, a), s = 0.5 * (x + y + z);
        const double area = sqrt(s * (s - x) * (s - y) * (s - z)); // Heron
        all += area;
        for (int n = 0; n < 3; n++) {
            const float *v = velocity_of(p, body, (int)corners[3 * t + n]);
            for (int k = 0; k < 3; k++) {
                out[k] += area / 3.0 * (double)v[k];
                *size += area / 3.0 * fabs((double)v[k]);
            }
        }
    }
    for (int k = 0; k < 3; k++)
        out[k] *= body->mass / all;
    *size *= body->mass / all;
}

TEST(momentum_is_kept_in_free_flight_whatever_goes_on_inside)
{
    for (int n = 0; n < 2; n++) {
        SCOPED(place) p = make_place(0.0);
        const rill_body_def def = n == 0 ? ball_def(8.0) : cloth_def(8.0);
        rl_body *body = add(&p, def);
        for (int v = 0; v < body->vertex_count; v++)
            for (int k = 0; k < 3; k++)
                velocity_of(&p, body, v)[k] += (float)random_within((uint64_t)(3 * v + k), 5.0);
        double before[3], after[3], size, left;
        find_momentum(&p, body, before, &size);
        run(&p, NULL, 60);
        find_momentum(&p, body, after, &left);
        for (int k = 0; k < 3; k++) {
            assert_true(fabs(after[k] - before[k]) < 1e-5 * size);
            assert_true(fabs(body->mass * body->velocity[k] - after[k]) < 1e-5 * size);
        }
        assert_true(left < 0.5 * size); // and something did go on
    }
}

TEST(a_push_accelerates_and_a_torque_turns)
{
    SCOPED(place) p = make_place(0.0);
    rl_body *ball = add(&p, ball_def(4.0));
    ball->push[0] = 2.0 * ball->mass;
    ball->push_torque[2] = 10.0;
    run(&p, NULL, 30);
    assert_true(fabs(ball->velocity[0] - 1.0) < 1e-5);
    assert_true(fabs(ball->velocity[1]) < 1e-3 && fabs(ball->velocity[2]) < 1e-3);
    // A shell of radius r has 2/3 m r^2.
    const double spin = 10.0 * 0.5 / (2.0 / 3.0 * ball->mass * 0.25);
    int rim = 0;
    for (int v = 1; v < ball->vertex_count; v++)
        rim = position_of(&p, ball, v)[1] > position_of(&p, ball, rim)[1] ? v : rim;
    const double found = -((double)velocity_of(&p, ball, rim)[0] - 1.0) /
                         ((double)position_of(&p, ball, rim)[1] - ball->position[1]);
    assert_true(fabs(found / spin - 1.0) < 0.1);
}

// ---- Held by others --------------------------------------------------------------------

static void move_to(place *p, rl_body *body, double x, double spin, double angle)
{
    body->velocity[0] = (x - body->position[0]) / DT;
    body->position[0] = x;
    body->spin[2] = spin;
    body->rotation[2] = sin(0.5 * angle);
    body->rotation[3] = cos(0.5 * angle);
    rl_body_pose(p->bodies, (int)(body - p->bodies->items));
}

TEST(cloth_follows_the_body_that_holds_it_and_falls_when_that_goes)
{
    SCOPED(place) p = make_place(GRAVITY);
    const rill_body_def box = body_def(RILL_BODY_HOST, RILL_BODY_BOX, 5.0);
    rl_body *host = add(&p, box);
    rill_body_def def = flag_def();
    def.position[0] = 9.1 + 0.05; // its side is 0.05 m off the box
    def.pinned_to = (rill_body_id){1, host->generation};
    rl_body *flag = add(&p, def);
    for (int s = 1; s <= 120; s++) {
        move_to(&p, host, 8.0 - 0.02 * s, 0.5, 0.5 * s * DT);
        run(&p, calm, 1);
    }
    for (int n = 0; n < def.pin_count; n++) {
        const double own[3] = {0.55, 0.0, 1.0 + 0.1 * (n - 4)};
        double arm[3];
        rl_body_turn(host->rotation, own, arm);
        for (int k = 0; k < 3; k++)
            assert_true(fabs((double)position_of(&p, flag, def.pins[n])[k] - host->position[k] -
                             arm[k]) < 1e-5);
        // 1.2 m/s along, and 0.5 rad/s about the box.
        assert_true(fabs((double)velocity_of(&p, flag, def.pins[n])[0] + 1.2 + 0.5 * arm[1]) <
                    0.02);
    }
    assert_true(stretch(&p, flag) < 0.1); // it was jerked into motion
    rl_bodies_remove(p.bodies, 0);
    run(&p, calm, 240);
    assert_true(flag->high[2] < 1.0);
}

// ---- State -----------------------------------------------------------------------------

static void fill_place(place *p)
{
    p->ground.fence = true;
    for (int j = -2; j < CELLS + 2; j++)
        for (int i = -16; i < CELLS + 16; i++)
            rill_field_row(&p->bed, j)[i] = 0.1f * (float)((i * i + 3 * j) % 7);
    rill_body_def box = body_def(RILL_BODY_HOST, RILL_BODY_BOX, 1.5);
    rill_body_def ball = ball_def(3.0), cloth = cloth_def(4.2), flag = flag_def();
    ball.stretch_stiffness = 0.6;
    flag.position[1] = 9.0;
    (void)add(p, ball);
    const rl_body *host = add(p, box);
    flag.pinned_to = (rill_body_id){2, host->generation};
    (void)add(p, cloth);
    (void)add(p, flag);
}

// As run(), while the box that holds the flag goes along: a state must know where it has its pins.
static void run_with_box(place *p, const double *wind, int steps)
{
    for (int s = 0; s < steps; s++) {
        rl_body *box = &p->bodies->items[1];
        move_to(p, box, box->position[0] + 0.003, 0.3, 0.3 * (box->position[0] - 8.0));
        run(p, wind, 1);
    }
}

static bool same_vertices(const place *p, int n, const place *q, int m)
{
    const rl_body *a = &p->bodies->items[n], *b = &q->bodies->items[m];
    const size_t bytes = 3 * (size_t)a->vertex_count * sizeof(float);
    return a->vertex_count == b->vertex_count &&
           memcmp(position_of(p, a, 0), position_of(q, b, 0), bytes) == 0 &&
           memcmp(velocity_of(p, a, 0), velocity_of(q, b, 0), bytes) == 0 &&
           memcmp(a->position, b->position, sizeof a->position) == 0;
}

TEST(two_runs_and_a_run_from_a_saved_state_have_the_same_bits)
{
    const double wind[3] = {5.0, 1.0, 0.0};
    SCOPED(place) p = make_place(GRAVITY), q = make_place(GRAVITY);
    fill_place(&p);
    fill_place(&q);
    run_with_box(&p, wind, 100);
    run_with_box(&q, wind, 40);
    FREED(void) *saved = malloc(rl_bodies_saved_bytes(q.bodies));
    rl_bodies_save(q.bodies, saved);
    run_with_box(&q, wind, 17);
    rl_bodies_remove(q.bodies, 0);
    run_with_box(&q, wind, 3);
    rl_bodies_restore(q.bodies, saved);
    run_with_box(&q, wind, 60);
    for (int n = 0; n < 4; n++)
        assert_true(same_vertices(&p, n, &q, n));
}

TEST(coming_and_going_of_some_does_not_change_the_others)
{
    const double wind[3] = {5.0, 1.0, 0.0};
    SCOPED(place) p = make_place(GRAVITY), q = make_place(GRAVITY);
    fill_place(&p);
    fill_place(&q);
    run(&p, wind, 10);
    run(&q, wind, 10);
    rl_bodies_remove(p.bodies, 0); // the ball, which lies first; others move up in the arrays
    run(&p, wind, 10);
    run(&q, wind, 10);
    const rill_body_def another = cloth_def(6.0); // into the place of the ball
    rl_body *added = add(&p, another);
    assert_ptr_equal(added, &p.bodies->items[0]);
    run(&p, wind, 10);
    run(&q, wind, 10);
    rl_bodies_remove(p.bodies, 3);
    run(&p, wind, 30);
    run(&q, wind, 30);
    assert_true(same_vertices(&p, 2, &q, 2));
    assert_true(stretch(&p, added) < 0.05);
}

TEST(bad_pins_are_refused_and_change_nothing)
{
    SCOPED(place) p = make_place(GRAVITY);
    rill_body_def def = cloth_def(4.0);
    def.pin_count = 2;
    def.pins[1] = 117;
    rill_body_id id;
    assert_int_equal(rl_bodies_add(p.bodies, &def, &id), RILL_BAD_DEF);
    assert_sentence_has("vertex 117 of 117");
    assert_int_equal(p.bodies->vertex_count, 0);
    def.pins[1] = 116;
    assert_ok(rl_bodies_add(p.bodies, &def, &id));
}

TEST(memory_is_taken_once_and_given_back)
{
    counter count = {0};
    rill_world_def def = rill_default_world_def();
    def.host = counting_host(&count);
    def.bodies.max_bodies = 4;
    def.bodies.max_vertices = 500;
    def.bodies.max_triangles = 1000;
    const size_t soft = rl_soft_lay(&def.bodies, NULL);
    rl_bodies *bodies = NULL;
    assert_ok(rl_bodies_create(&def, false, &bodies));
    assert_true(rl_bodies_memory(bodies) <= count.bytes && rl_bodies_memory(bodies) > soft);
    assert_true(soft > 0 && count.calls == 1);
    rl_bodies_destroy(&bodies);
    assert_true(count.bytes == 0 && bodies == NULL);
    count.fail_at = count.calls + 1;
    assert_int_equal(rl_bodies_create(&def, false, &bodies), RILL_NO_MEMORY);
    rl_bodies_destroy(&bodies);
    assert_true(count.bytes == 0);
}
