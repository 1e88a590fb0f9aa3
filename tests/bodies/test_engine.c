// SPDX-License-Identifier: MIT
// Rigid bodies: they fall, collide, slide and come to rest as mechanics says.
#include "bodies/shape/body_shape.h"
#include "tests/bodies/engine_arena.h"
#include "tests/kit/kit.h"

// ---- Flying ----------------------------------------------------------------------------

TEST_NEEDS(rl_engine_of_build != NULL, "this build has no rigid bodies");

TEST(free_fall_is_that_of_symplectic_euler)
{
    SCOPED(arena) a = make_arena(GRAVITY, 0.0);
    rill_body_def def = body_at(5.0, 5.0, 50.0);
    def.velocity[0] = 1.5;
    const rl_body *box = &a.bodies->items[put(&a, def)];
    double z = 50.0, fall = 0.0, x = 5.0;
    const double gravity = (double)(float)GRAVITY;
    for (int n = 0; n < 120; n++) {
        run(&a, 1);
        fall -= STEP * gravity;
        z += STEP * fall;
        x += STEP * 1.5;
        assert_near(box->velocity[2], fall, 1e-12);
        assert_near(box->position[2], z, 1e-11);
        assert_near(box->position[0], x, 1e-11);
    }
    assert_near(length3(box->spin), 0.0, 0.0);
    // Vertices are where the body is.
    assert_near((double)a.bodies->position[3 * (size_t)box->first_vertex + 2], z - 0.5, 1e-5);
}

TEST(forces_and_pushes_act_during_the_whole_of_a_long_step)
{
    SCOPED(arena) a = make_arena(0.0, 0.0);
    rl_body *box = &a.bodies->items[put_box(&a, 5.0, 5.0, 10.0)];
    box->force[0] = 3.0 * box->mass;
    box->push[0] = -1.0 * box->mass;
    box->push_torque[2] = 0.25 * box->inertia[8];
    const rl_body_ground ground = ground_of(&a);
    rl_engine_of_build->step(a.engine, a.bodies, NULL, &ground, 0.5); // thirty steps of the engine
    assert_near(box->velocity[0], 2.0 * 0.5, 1e-9);
    assert_near(box->spin[2], 0.25 * 0.5, 1e-9);
    // Symplectic Euler with 30 steps: a t^2 / 2 (1 + 1/30).
    assert_near(box->position[0], 5.0 + 0.25 * (1.0 + 1.0 / 30.0), 1e-9);
}

// Angular momentum of a body about its middle, in world axes; returns the energy of its spin.
static double turning_of(const rl_body *body, double momentum[3])
{
    const double *q = body->rotation, back[4] = {-q[0], -q[1], -q[2], q[3]};
    double spin[3], own[3], energy = 0.0;
    rl_body_turn(back, body->spin, spin);
    for (int k = 0; k < 3; k++) {
        own[k] = body->inertia[4 * k] * spin[k];
        energy += 0.5 * own[k] * spin[k];
    }
    rl_body_turn(q, own, momentum);
    return energy;
}

// A long box that turns about no axis of its own wobbles. Its angular momentum stays as it is; its
// energy, which is kept to the second order of the step, does not drift away.
TEST(a_tumbling_box_keeps_its_angular_momentum)
{
    SCOPED(arena) a = make_arena(0.0, 0.0);
    rill_body_def def = body_at(5.0, 5.0, 10.0);
    def.size[0] = 3.0;
    def.size[2] = 0.3;
    def.spin[0] = def.spin[2] = 3.0;
    const rl_body *box = &a.bodies->items[put(&a, def)];
    double before[3], now[3];
    const double energy = turning_of(box, before), angle = length3(box->spin) * STEP;
    for (int n = 0; n < 600; n++) {
        run(&a, 1);
        assert_near(turning_of(box, now), energy, angle * angle * energy);
        for (int k = 0; k < 3; k++)
            assert_near(now[k], before[k], 1e-12 * length3(before));
    }
    assert_near(box->position[0], 5.0, 1e-12);
}

// The axis of a body that is alike all around it goes round its angular momentum L at the rate
// L / I, I being its inertia across the axis, whatever its spin. The midpoint rule is late by a
// twelfth of the square of what is turned in a step.
TEST(the_axis_of_a_top_goes_round)
{
    enum { STEPS = 120 }; // of one round
    SCOPED(arena) a = make_arena(0.0, 0.0);
    rill_body_def def = body_at(5.0, 5.0, 10.0);
    def.size[2] = 0.3;
    const rl_body *top = &a.bodies->items[put(&a, def)];
    const double across = top->inertia[0], along = top->inertia[8];
    const double rate = 2.0 * acos(-1.0) / (STEPS * STEP), tilt = 0.5;
    rl_body *set = &a.bodies->items[0];
    set->spin[0] = rate * sin(tilt); // L is across times rate, tilted by `tilt` in own axes
    set->spin[2] = rate * cos(tilt) * across / along;
    double momentum[3], axis[3], far = 0.0;
    (void)turning_of(top, momentum);
    assert_near(length3(momentum) / across, rate, 1e-12);
    for (int n = 0; n < STEPS; n++) {
        run(&a, 1);
        rl_body_turn(top->rotation, (const double[3]){0.0, 0.0, 1.0}, axis);
        far = fmax(far, acos(axis[2]));
    }
    assert_near(far, 2.0 * tilt, 1e-3); // half-way it is on the other side of L
    const double late = 2.0 * acos(-1.0) * rate * STEP * rate * STEP / 12.0;
    assert_less(acos(fmin(axis[2], 1.0)), 1.05 * late * sin(tilt));
}

// About an axis of its own, but for a 48th of the cube of the angle of a step.
TEST(a_spin_turns_by_its_angle)
{
    for (double spin = 1.0; spin < 100.0; spin *= 3.0) {
        SCOPED(arena) a = make_arena(0.0, 0.0);
        rill_body_def def = body_at(5.0, 5.0, 10.0);
        def.spin[2] = spin;
        const rl_body *box = &a.bodies->items[put(&a, def)];
        run(&a, 1);
        const double angle = spin * STEP, cube = angle * angle * angle;
        const double turned = 2.0 * atan2(box->rotation[2], box->rotation[3]);
        assert_true(turned <= angle && turned >= angle - cube / 48.0);
        assert_near(box->spin[2], spin, 1e-12 * spin);
    }
}

// Whatever the length of the quaternion that it was added with.
TEST(a_spin_does_not_depend_on_the_length_of_a_rotation)
{
    SCOPED(arena) a = make_arena(0.0, 0.0);
    rill_body_def def = body_at(5.0, 5.0, 10.0);
    def.rotation[0] = 0.6 * 1.0004;
    def.rotation[3] = 0.8 * 1.0004;
    def.spin[1] = 2.0;
    const rl_body *box = &a.bodies->items[put(&a, def)]; // a cube: any axis is its own
    run(&a, 1);
    assert_near(box->spin[1], 2.0, 1e-6);
    assert_near(fabs(box->spin[0]) + fabs(box->spin[2]), 0.0, 1e-6);
}

// A mesh like a needle has next to no inertia about its axis: it turns like a ball of its length.
TEST(a_needle_turns_like_a_ball)
{
    SCOPED(arena) a = make_arena(0.0, 0.0);
    rill_body_def def = body_at(5.0, 5.0, 10.0);
    set3(def.size, 2.0, 2e-6, 2e-6);
    rl_body *needle = &a.bodies->items[put(&a, def)];
    const double ball = 0.4 * needle->mass; // of 1 m
    assert_near(needle->inertia[0], ball, 1e-6 * ball);
    needle->torque[0] = ball;
    run(&a, 1);
    assert_near(needle->spin[0], STEP, 1e-6 * STEP);
}

// ---- Resting ---------------------------------------------------------------------------

TEST(a_box_comes_to_rest_on_flat_ground)
{
    SCOPED(arena) a = make_arena(GRAVITY, 0.0);
    const rl_body *box = &a.bodies->items[put_box(&a, 5.13, 5.37, 1.5)];
    run(&a, 300);
    assert_near(box->position[2], 0.5, 1e-3);
    assert_less(length3(box->velocity), 1e-3);
    assert_less(length3(box->spin), 1e-3);
    const double x = box->position[0];
    run(&a, 600);
    assert_near(box->position[0], x, 1e-3);
}

// Every shape lies on the ground by its lowest point, and stays there.
TEST(all_shapes_come_to_rest_on_the_ground)
{
    rill_body_def defs[9];
    for (int n = 0; n < 8; n++)
        defs[n] = body_at(5.1, 5.0, 2.0);
    defs[1].shape = RILL_BODY_SPHERE;
    for (int n = 2; n < 6; n++) {
        defs[n].shape = RILL_BODY_CYLINDER;
        defs[n].radius = n < 4 ? 0.5 : 0.1; // barrels and cans, which no cell centre lies under
        defs[n].length = n < 4 ? 1.0 : 0.3;
        if (n % 2 == 1) // lying
            defs[n].rotation[0] = defs[n].rotation[3] = sqrt(0.5);
    }
    defs[6].shape = RILL_BODY_HULL;
    defs[6].size[0] = 3.0;
    defs[7].size[0] = 4.0; // longer than cells are
    defs[8] = bracket_at(5.1, 5.0, 2.0);
    for (int n = 0; n < 9; n++) {
        SCOPED(arena) a = make_arena(GRAVITY, 0.0);
        const rl_body *body = &a.bodies->items[put(&a, defs[n])];
        run(&a, 900);
        // The meshes of round bodies stand out of them by up to 1.5 % of the radius.
        const double mesh = n >= 1 && n <= 5 ? 0.015 * body->def.radius : 0.0;
        assert_near(body->low[2], 0.0, mesh + 1e-3);
        assert_less(length3(body->velocity), 1e-3);
        assert_near(body->position[0], 5.1, 0.02);
    }
}

// Even ground does not stop a ball or a barrel that rolls over the centres of its cells.
TEST(round_bodies_roll_on_even_ground)
{
    for (int barrel = 0; barrel < 2; barrel++) {
        SCOPED(arena) a = make_arena(GRAVITY, 0.0);
        rill_body_def def = body_at(2.0, 5.25, 0.5);
        def.shape = barrel ? RILL_BODY_CYLINDER : RILL_BODY_SPHERE;
        if (barrel)
            def.rotation[0] = def.rotation[3] = sqrt(0.5);
        def.velocity[0] = 3.0;
        def.spin[1] = 6.0;
        const rl_body *body = &a.bodies->items[put(&a, def)];
        run(&a, 240);
        assert_near(body->velocity[0], 3.0, 0.03);
        assert_near(body->position[1], 5.25, 0.02);
        assert_near(body->position[2], 0.5, 2e-3);
    }
}

// Nor does it kick aside a ball that hits it hard beside the centre of a cell.
TEST(a_ball_that_falls_on_even_ground_stays_where_it_fell)
{
    SCOPED(arena) a = make_arena(GRAVITY, 0.0);
    rill_body_def def = body_at(5.35, 5.25, 5.1);
    def.shape = RILL_BODY_SPHERE;
    const rl_body *ball = &a.bodies->items[put(&a, def)];
    run(&a, 300);
    assert_near(ball->position[0], 5.35, 1e-9);
    assert_near(ball->position[1], 5.25, 1e-9);
}

// What turns slowly on the ground comes to rest.
TEST(a_ball_that_rolls_slowly_stops)
{
    SCOPED(arena) a = make_arena(GRAVITY, 0.0);
    rill_body_def def = body_at(5.0, 5.0, 0.5);
    def.shape = RILL_BODY_SPHERE;
    def.velocity[0] = 0.09;
    def.spin[1] = 0.18;
    const rl_body *ball = &a.bodies->items[put(&a, def)];
    run(&a, 30);
    assert_true(ball->velocity[0] > 0.01);
    run(&a, 570);
    assert_less(length3(ball->velocity), 1e-3);
    assert_true(ball->position[0] > 5.01);
}

TEST(a_stack_of_five_boxes_stands)
{
    SCOPED(arena) a = make_arena(GRAVITY, 0.0);
    int places[5];
    for (int n = 0; n < 5; n++)
        places[n] = put_box(&a, 5.0 + 0.02 * n, 5.0, 0.5 + 1.0 * n);
    run(&a, 600);
    for (int n = 0; n < 5; n++) {
        const rl_body *box = &a.bodies->items[places[n]];
        assert_near(box->position[2], 0.5 + 1.0 * n, 0.01);
        assert_near(box->position[0], 5.0 + 0.02 * n, 0.01);
        assert_less(length3(box->velocity), 1e-2);
    }
}

// Convex meshes and hulls carry what stands on them: a box given as a mesh on another, and a crate
// on the deck of a boat that slopes a little.
TEST(a_crate_stands_on_a_mesh_and_on_a_deck)
{
    float vertices[24];
    uint32_t triangles[36];
    rl_body_mesh mesh = {vertices, triangles, 0, 0};
    rill_body_def box = body_at(0.0, 0.0, 0.0);
    rl_shape_of(&box)->make(&box, &mesh);
    SCOPED(arena) a = make_arena(GRAVITY, 0.0);
    int places[3];
    for (int n = 0; n < 3; n++) {
        rill_body_def def = body_at(5.0, 5.0, 0.5 + n);
        def.shape = RILL_BODY_MESH;
        def.vertices = vertices;
        def.triangles = triangles;
        def.vertex_count = 8;
        def.triangle_count = 12;
        places[n] = put(&a, def);
    }
    rill_body_def boat = body_at(12.0, 5.0, 0.6), crate = body_at(11.6, 5.0, 1.3);
    boat.shape = RILL_BODY_HULL;
    boat.motion = RILL_BODY_HOST;
    boat.size[0] = 4.0;
    crate.size[0] = crate.size[1] = crate.size[2] = 0.4;
    put(&a, boat);
    const rl_body *on_deck = &a.bodies->items[put(&a, crate)];
    run(&a, 300);
    const double height = on_deck->position[2];
    run(&a, 300);
    for (int n = 0; n < 3; n++) {
        assert_near(a.bodies->items[places[n]].position[2], 0.5 + n, 0.01);
        assert_near(a.bodies->items[places[n]].position[0], 5.0, 0.02);
    }
    assert_near(on_deck->position[2], height, 1e-3);
    assert_near(on_deck->position[0], 11.6, 0.05);
    assert_less(length3(on_deck->velocity), 5e-3);
}

// A box on a plane, turned to lie flat on it.
static double slid_after(double slope, int steps, double *speed)
{
    SCOPED(arena) a = make_arena(GRAVITY, slope);
    const double along = 1.0 / sqrt(1.0 + slope * slope); // cosine of the angle
    rill_body_def def = body_at(12.0, 7.0, 0.0);
    def.position[0] -= 0.25 * slope * along;
    def.position[2] = 12.0 * slope + 0.25 * along;
    def.size[2] = 0.5;
    def.rotation[1] = -sqrt(0.5 * (1.0 - along));
    def.rotation[3] = sqrt(0.5 * (1.0 + along));
    const rl_body *box = &a.bodies->items[put(&a, def)];
    const double x = box->position[0];
    run(&a, steps);
    *speed = length3(box->velocity);
    const double slid = (x - box->position[0]) / along;
    return slid;
}

TEST(a_box_slides_on_what_is_steeper_than_its_friction)
{
    double speed;
    assert_near(slid_after(0.5, 300, &speed), 0.0, 0.01); // friction is 0.6
    assert_less(speed, 1e-3);
    const double slope = 0.8, along = 1.0 / sqrt(1.0 + slope * slope);
    const double pull = GRAVITY * (slope - 0.6) * along, time = 2.0;
    assert_near(slid_after(slope, 120, &speed), 0.5 * pull * time * time,
                0.05 * 0.5 * pull * time * time);
    assert_near(speed, pull * time, 0.05 * pull * time);
}

// A ball in a furrow touches both of its sides; a plank on a ridge that none of its corners touches
// lies on the ridge, and so does a pole between two rows of cell centres.
TEST(uneven_ground_holds_bodies_where_it_touches_them)
{
    SCOPED(arena) a = make_arena(GRAVITY, 0.0);
    for (int j = 0; j < 30; j++)
        for (int i = 0; i < 40; i++)
            rill_field_row(&a.bed, j)[i] =
                i == 30 ? 1.0f : (float)(i < 20 ? abs(i - 10) * 0.25 : 0.0);
    rill_body_def ball = body_at(5.25, 7.0, 1.5);
    ball.shape = RILL_BODY_SPHERE;
    rill_body_def plank = body_at(15.25, 7.0, 2.0);
    plank.size[0] = 3.2;
    plank.size[2] = 0.2;
    rill_body_def pole = plank;
    pole.position[1] = 10.0;
    pole.size[1] = 0.2;
    const rl_body *in_furrow = &a.bodies->items[put(&a, ball)];
    const rl_body *on_ridge = &a.bodies->items[put(&a, plank)];
    const rl_body *between = &a.bodies->items[put(&a, pole)];
    run(&a, 60);
    assert_near(on_ridge->position[2], 1.1, 0.02);
    assert_true(between->position[2] > 0.6);
    run(&a, 540);
    assert_near(in_furrow->position[0], 5.25, 0.02);
    assert_near(in_furrow->position[2], 0.5 * sqrt(1.25), 0.01); // both sides rise 1 in 2
    assert_less(length3(in_furrow->velocity), 0.01);
}

TEST(what_is_under_the_ground_is_lifted_out_of_it)
{
    SCOPED(arena) a = make_arena(GRAVITY, 0.0);
    const rl_body *box = &a.bodies->items[put_box(&a, 5.0, 5.0, -3.0)];
    run(&a, 600);
    assert_near(box->position[2], 0.5, 2e-3);
}

// ---- Colliding -------------------------------------------------------------------------

// The ball is deeper in the ground than a step's way when it turns, at most; that costs (1 -
// bounce^2) of that depth of its height.
TEST(a_ball_bounces_to_the_square_of_its_bounce)
{
    SCOPED(arena) a = make_arena(GRAVITY, 0.0);
    rill_body_def def = body_at(5.0, 5.0, 2.5);
    def.shape = RILL_BODY_SPHERE;
    def.bounce = 0.8;
    const rl_body *ball = &a.bodies->items[put(&a, def)];
    while (ball->velocity[2] <= 0.0)
        run(&a, 1);
    double highest = 0.0;
    while (ball->velocity[2] > 0.0) {
        run(&a, 1);
        highest = fmax(highest, ball->position[2]);
    }
    assert_near(highest - 0.5, 0.64 * 2.0, 0.1 * 0.64 * 2.0);
}

static rill_body_def shape_number(int n, double x)
{
    rill_body_def def = n == 4 ? bracket_at(x, 5.0, 5.0) : body_at(x, 5.0, 5.0);
    if (n < 4)
        def.shape = (rill_body_shape)n;
    def.density = 300.0 + 100.0 * n;
    return def;
}

// Two bodies of every pair of shapes meet in the air, not quite centrally: they part again, and the
// momentum is what it was.
TEST(colliding_bodies_keep_their_momentum)
{
    for (int first = 0; first < 5; first++)
        for (int second = first; second < 5; second++) {
            SCOPED(arena) a = make_arena(0.0, 0.0);
            rill_body_def left = shape_number(first, 5.0), right = shape_number(second, 7.0);
            left.velocity[0] = 2.0;
            right.velocity[0] = -2.0;
            right.position[1] += 0.1;
            const rl_body *p = &a.bodies->items[put(&a, left)];
            const rl_body *q = &a.bodies->items[put(&a, right)];
            double before[3];
            for (int k = 0; k < 3; k++)
                before[k] = p->mass * p->velocity[k] + q->mass * q->velocity[k];
            run(&a, 120);
            for (int k = 0; k < 3; k++)
                assert_near(p->mass * p->velocity[k] + q->mass * q->velocity[k], before[k],
                            1e-9 * p->mass);
            assert_true(q->velocity[0] > p->velocity[0] && q->position[0] > p->position[0] + 0.8);
        }
}

TEST(two_balls_of_one_mass_exchange_their_velocities)
{
    SCOPED(arena) a = make_arena(0.0, 0.0);
    rill_body_def left = body_at(5.0, 5.0, 5.0), right = body_at(7.0, 5.0, 5.0);
    left.shape = right.shape = RILL_BODY_SPHERE;
    left.bounce = 1.0; // the greater one counts
    left.velocity[0] = 3.0;
    const rl_body *p = &a.bodies->items[put(&a, left)];
    const rl_body *q = &a.bodies->items[put(&a, right)];
    run(&a, 60);
    assert_near(p->velocity[0], 0.0, 1e-3);
    assert_near(q->velocity[0], 3.0, 1e-3);
}

// A wall of the host's pushes a crate along at its own speed, and is not pushed itself.
TEST(a_host_body_pushes_a_crate)
{
    SCOPED(arena) a = make_arena(GRAVITY, 0.0);
    rill_body_def wall = body_at(3.0, 5.0, 1.0);
    wall.motion = RILL_BODY_HOST;
    wall.size[0] = 0.5;
    wall.size[1] = 4.0;
    wall.velocity[0] = 0.5;
    wall.density = 1.0; // what the host moves does not give way, whatever its mass
    rl_body *pusher = &a.bodies->items[put(&a, wall)];
    const rl_body *crate = &a.bodies->items[put_box(&a, 4.0, 5.0, 0.5)];
    for (int n = 0; n < 240; n++) {
        pusher->position[0] += 0.5 * STEP;
        rl_body_pose(a.bodies, 0);
        run(&a, 1);
    }
    assert_near(pusher->position[0], 5.0, 1e-9);
    assert_near(pusher->velocity[0], 0.5, 0.0);
    assert_near(crate->position[0], 5.0 + 0.25 + 0.5, 0.02);
    assert_near(crate->velocity[0], 0.5, 0.02);
}

// The hollow of a mesh that is not convex is hollow: a ball in it lies on the ground.
TEST(a_ball_lies_in_the_hollow_of_a_mesh)
{
    SCOPED(arena) a = make_arena(GRAVITY, 0.0);
    rill_body_def bracket = bracket_at(5.0, 5.0, 0.25);
    bracket.motion = RILL_BODY_HOST;
    const rl_body *letter = &a.bodies->items[put(&a, bracket)];
    // Its inner corner is 0.5 m from its first corner, whose place the vertices tell.
    const float *corner = a.bodies->position + 3 * (size_t)letter->first_vertex;
    rill_body_def ball = body_at((double)corner[0] + 0.71, (double)corner[1] + 0.71, 0.7);
    ball.shape = RILL_BODY_SPHERE;
    ball.radius = 0.2;
    const rl_body *lies = &a.bodies->items[put(&a, ball)];
    run(&a, 300);
    assert_near(lies->position[2], 0.2, 2e-3);
    assert_near(lies->position[0], ball.position[0], 0.01);
}

TEST(the_fence_keeps_bodies_in)
{
    static const double ways[4][2] = {{8.0, 1.0}, {-8.0, 1.0}, {1.0, 8.0}, {1.0, -8.0}};
    for (int fence = 0; fence < 2; fence++)
        for (int shape = 0; shape < 5; shape++) {
            SCOPED(arena) a = make_arena(GRAVITY, 0.0);
            a.ground.fence = fence == 1;
            for (int n = 0; n < 4; n++) {
                rill_body_def def = shape_number(shape, 10.0);
                def.position[0] += ways[n][0] / 4.0;
                def.position[1] = 7.5 + ways[n][1] / 4.0;
                def.position[2] = 1.0;
                def.friction = 0.0;
                def.velocity[0] = ways[n][0];
                def.velocity[1] = ways[n][1];
                put(&a, def);
            }
            run(&a, 300);
            for (int n = 0; n < 4; n++) {
                const double *at = a.bodies->items[n].position;
                const bool inside = at[0] > 0.0 && at[0] < 20.0 && at[1] > 0.0 && at[1] < 15.0;
                assert_int_equal(inside, fence);
            }
        }
}

// ---- Steering --------------------------------------------------------------------------

// Drag and the righting moment that water would have.
static void float_on_nothing(rl_body *boat)
{
    double up[3];
    rl_body_turn(boat->rotation, (const double[3]){0.0, 0.0, 1.0}, up);
    for (int k = 0; k < 3; k++)
        boat->force[k] = -30.0 * boat->velocity[k];
    boat->torque[0] = 50.0 * up[1] - 10.0 * boat->spin[0];
    boat->torque[1] = -50.0 * up[0] - 10.0 * boat->spin[1];
}

// A boat takes the keys of a course in turn, given in a country whose grid lies 100 m east; then it
// lies still.
TEST(a_boat_steers_along_its_course)
{
    SCOPED(arena) a = make_arena(0.0, 0.0);
    a.ground.origin[0] = 100.0;
    rill_body_def def = body_at(2.0, 2.0, 5.0);
    def.shape = RILL_BODY_HULL;
    set3(def.size, 1.0, 0.4, 0.3);
    def.rotation[2] = 1.0; // it looks the other way at first
    def.rotation[3] = 0.0;
    def.thrust = 60.0;
    def.course_count = 3;
    def.course[0] = (rill_path_key){.x = 117.0, .y = 2.0};
    def.course[1] = (rill_path_key){.x = 117.0, .y = 13.0};
    def.course[2] = (rill_path_key){.x = 103.0, .y = 13.0};
    rl_body *boat = &a.bodies->items[put(&a, def)];
    double nearest[3] = {99.0, 99.0, 99.0};
    for (int n = 0; n < 3600; n++) {
        boat->submerged = n < 60 ? 0.0 : 0.01; // out of the water at first
        float_on_nothing(boat);
        run(&a, 1);
        if (n == 59)
            assert_near(boat->position[0], 2.0, 1e-9);
        for (int k = 0; k < 3; k++)
            nearest[k] = fmin(nearest[k], hypot(boat->position[0] + 100.0 - def.course[k].x,
                                                boat->position[1] - def.course[k].y));
    }
    for (int k = 0; k < 3; k++)
        assert_less(nearest[k], 2.0); // two lengths
    assert_int_equal(boat->course_next, 3);
    assert_less(length3(boat->velocity), 1e-3);
}

// Where the terrain begins anew after 20 m, two keys of a course are enough for a way of 200 m; and
// they lead on to the west as well.
TEST(a_course_goes_on_where_the_terrain_repeats)
{
    for (int way = -1; way <= 1; way += 2) {
        SCOPED(arena) a = make_arena(0.0, 0.0);
        a.ground.period = 20.0;
        rill_body_def def = body_at(0.0, 2.0, 5.0);
        def.shape = RILL_BODY_HULL;
        set3(def.size, 1.0, 0.4, 0.3);
        def.thrust = 60.0;
        def.course_count = 2;
        def.course[0] = (rill_path_key){.x = way * 5.0, .y = 2.0};
        def.course[1] = (rill_path_key){.x = way * 15.0, .y = 4.0};
        rl_body *boat = &a.bodies->items[put(&a, def)];
        for (int n = 0; n < 36000 && fabs(boat->position[0]) < 200.0; n++) {
            boat->submerged = 0.01;
            float_on_nothing(boat);
            run(&a, 1);
            assert_in_range((int)(10.0 * boat->position[1]), 0, 60);
        }
        assert_true(way * boat->position[0] >= 200.0);
        assert_in_range(boat->course_next, 18, 22);
    }
}
