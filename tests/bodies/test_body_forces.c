// SPDX-License-Identifier: MIT
// What the water does to bodies, against Archimedes, pressure on walls, and drag by hand.
#include "tests/bodies/body_worlds.h"
#include "tests/kit/kit.h"

#define PI 3.14159265358979323846
#define G  BODY_GRAVITY
#define DT (1.0 / 60.0)

TEST_EACH(NULL, end_case);

static void begin_lake(rill_solver solver, double kappa)
{
    begin_bodies(solver, 32, 24, 0.5, 3.0);
    c.def.bodies.kappa = (float)kappa;
    make_bodies();
}

static double lean[4]; // a rotation that lines up with nothing

static void make_lean(void)
{
    const double q[4] = {0.3, -0.2, 0.45, 0.8};
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int k = 0; k < 4; k++)
        lean[k] = q[k] / length;
}

// ---- Archimedes ------------------------------------------------------------------------

// A box that leans is submerged by as much as it is, whatever the pieces.
TEST(a_box_is_submerged_up_to_the_water_whatever_kappa)
{
    static const double kappas[] = {100.0, 1.0, 0.1, 0.01};
    for (int k = 0; k < 4; k++) {
        begin_lake(RILL_SOLVER_PIPES, kappas[k]);
        const rl_body *body = add_body(box_def(7.3, 5.1, 3.0 + 0.2, 1.0));
        feel(DT);
        assert_near(body->submerged, 0.3, 1e-6);
        assert_near(body->force[2], 0.3 * BODY_DENSITY * G, 1e-4 * 0.3 * BODY_DENSITY * G);
    }
}

// Half of any body with a centre is below water that reaches up to it.
TEST(a_leaning_box_is_half_submerged_at_its_centre)
{
    make_lean();
    for (int whole = 0; whole < 2; whole++) {
        begin_lake(RILL_SOLVER_SWE, 1.0);
        rill_body_def def = box_def(7.31, 5.17, whole ? 1.5 : 3.0, 1.0);
        def.size[1] = 1.5;
        def.size[2] = 0.6;
        memcpy(def.rotation, lean, sizeof lean);
        const rl_body *body = add_body(def);
        feel(DT);
        const double expected = body->volume * (whole ? 1.0 : 0.5);
        assert_near(body->submerged, expected, 1e-5 * expected);
        for (int axis = 0; axis < 2; axis++)
            assert_near(body->force[axis], 0.0, 1e-12);
    }
}

TEST(spheres_and_cylinders_displace_what_they_dip_in)
{
    static const double dips[] = {0.2, 0.5, 0.7, 1.0}; // parts of their height
    for (int d = 0; d < 4; d++) {
        begin_lake(RILL_SOLVER_PIPES, 1.0);
        rill_body_def def = box_def(4.2, 5.1, 3.0 + 1.0 - 2.0 * dips[d], 1.0);
        def.shape = RILL_BODY_SPHERE;
        def.radius = 1.0;
        const rl_body *sphere = add_body(def);
        def.shape = RILL_BODY_CYLINDER;
        def.position[0] = 10.3;
        def.length = 2.0;
        const rl_body *cylinder = add_body(def);
        feel(DT);
        const double dip = 2.0 * dips[d], cap = PI * dip * dip * (3.0 - dip) / 3.0;
        // Meshes are a little smaller than what they stand for: compared by parts of their volume.
        assert_near(sphere->submerged / sphere->volume, cap / (4.0 * PI / 3.0), 0.01);
        assert_near(cylinder->submerged, cylinder->volume * dips[d], 1e-4 * cylinder->volume);
        if (d == 3)
            assert_near(sphere->submerged, sphere->volume, 1e-4 * sphere->volume);
    }
}

// Heave without anything else until it stops; returns the draught.
static double settle(rl_body *body, double damping)
{
    double velocity = 0.0;
    for (int n = 0; n < 4000; n++) {
        feel(DT);
        velocity += DT * (body->force[2] / body->mass - G - damping * velocity);
        body->position[2] += DT * velocity;
        place_body(body);
    }
    return 3.0 - body->low[2];
}

TEST(the_draught_of_a_box_and_of_a_sphere_is_that_of_archimedes)
{
    static const double parts[] = {0.1, 0.25, 0.5, 0.75, 0.9};
    static const double sphere_draughts[] = {0.391600, 0.652704, 1.0, 1.347296, 1.608400};
    for (int n = 0; n < 5; n++) {
        begin_lake(RILL_SOLVER_PIPES, 1.0);
        rill_body_def def = box_def(7.3, 5.1, 3.0, 0.9);
        def.density = 1000.0 * parts[n];
        def.drag = 0.0;
        assert_near(settle(add_body(def), 3.0), 0.9 * parts[n], 1e-3);
        rl_bodies_remove(c.bodies, 0);
        def.shape = RILL_BODY_SPHERE;
        def.radius = 0.7;
        // Faces of the mesh lie up to 0.018 radii inside of the sphere.
        assert_near(settle(add_body(def), 3.0), 0.7 * sphere_draughts[n], 0.018 * 0.7);
    }
}

// b^2 / (12 s H) > H (1 - s) / 2: the wide box comes upright again, the tall one falls over.
TEST(boxes_right_themselves_as_wide_ones_do_and_tall_ones_do_not)
{
    static const double kappas[] = {10.0, 1.0, 0.05};
    for (int n = 0; n < 6; n++) {
        const double wide = n % 2 == 0 ? 1.0 : 0.6, s = 0.5, height = 1.0;
        const double righting = wide * wide / (12.0 * s * height) - height * (1.0 - s) / 2.0;
        begin_lake(RILL_SOLVER_PIPES, kappas[n / 2]);
        rill_body_def def = box_def(7.3, 5.1, 3.0 + height * (0.5 - s), wide);
        def.size[0] = 1.7;
        def.size[2] = height;
        def.density = 1000.0 * s;
        def.rotation[0] = 0.01; // about x, by 0.02
        def.rotation[3] = sqrt(1.0 - 1e-4);
        const rl_body *body = add_body(def);
        feel(DT);
        // The moment of a small heel: weight times metacentric height times angle.
        const double expected = -body->mass * G * righting * 0.02;
        assert_true((expected < 0.0) == (righting > 0.0));
        assert_near(body->torque[0], expected, 0.01 * fabs(expected));
        assert_near(body->torque[1], 0.0, 1e-3 * fabs(expected));
    }
}

TEST(forces_at_vertices_are_force_and_torque)
{
    make_lean();
    begin_lake(RILL_SOLVER_SWE, 0.3);
    rill_body_def def = box_def(7.31, 5.17, 2.9, 1.0);
    memcpy(def.rotation, lean, sizeof lean);
    def.velocity[0] = 1.0;
    def.velocity[2] = -2.0;
    def.spin[1] = 1.5;
    def.lift = 0.4;
    const rl_body *body = add_body(def);
    feel(DT);
    double force[3] = {0}, torque[3] = {0};
    for (int v = 0; v < body->vertex_count; v++) {
        double f[3], r[3];
        for (int k = 0; k < 3; k++) {
            f[k] = (double)c.bodies->force[3 * v + k];
            r[k] = (double)c.bodies->position[3 * v + k] - body->position[k];
            force[k] += f[k];
        }
        for (int k = 0; k < 3; k++)
            torque[k] += r[(k + 1) % 3] * f[(k + 2) % 3] - r[(k + 2) % 3] * f[(k + 1) % 3];
    }
    const double weight = body->volume * BODY_DENSITY * G;
    for (int k = 0; k < 3; k++) {
        assert_near(body->force[k], force[k], 1e-6 * weight);
        assert_near(body->torque[k], torque[k], 1e-6 * weight);
    }
    assert_true(fabs(force[0]) > 10.0 && fabs(torque[1]) > 10.0);
}

// ---- Pressure --------------------------------------------------------------------------

TEST(still_water_does_not_push_a_body_that_blocks_it_aside)
{
    make_lean();
    for (int n = 0; n < 3; n++) {
        begin_lake(RILL_SOLVER_PIPES, n == 0 ? 100.0 : 0.5);
        rill_body_def def = box_def(7.31, 5.17, n == 2 ? 1.5 : 2.8, 1.0);
        def.shape = n == 1 ? RILL_BODY_SPHERE : RILL_BODY_BOX;
        def.coupling = RILL_COUPLING_BLOCK;
        memcpy(def.rotation, lean, sizeof lean);
        const rl_body *body = add_body(def);
        feel(DT);
        const double weight = body->submerged * BODY_DENSITY * G;
        assert_true(body->submerged > 0.1);
        assert_near(body->force[0], 0.0, 1e-6 * weight);
        assert_near(body->force[1], 0.0, 1e-6 * weight);
        assert_near(body->force[2], weight, 1e-6 * weight);
        if (n == 2) // all of it is below: no moment either
            for (int k = 0; k < 3; k++)
                assert_near(body->torque[k], 0.0, 1e-6 * weight);
    }
}

// 2.5 m of water on one side and 1 m on the other; what stands in its own cells does not matter.
TEST(a_dam_feels_the_difference_of_the_squares_of_its_levels)
{
    begin_bodies(RILL_SOLVER_PIPES, 32, 16, 0.5, 0.0);
    for (int j = 0; j < 16; j++)
        for (int i = 0; i < 32; i++)
            c.depth[32 * j + i] = i < 15 ? 2.5f : i > 16 ? 1.0f : 1.8f;
    make_bodies();
    rill_body_def def = box_def(8.0, 4.0, 1.5, 1.0);
    def.size[1] = 4.0; // along y, of the 8 m that the basin is wide
    def.size[2] = 3.0;
    def.coupling = RILL_COUPLING_BLOCK;
    const rl_body *body = add_body(def);
    feel(DT);
    const double expected = 0.5 * BODY_DENSITY * G * (2.5 * 2.5 - 1.0) * 4.0;
    assert_near(body->force[0], expected, 1e-4 * expected);
    assert_near(body->force[1], 0.0, 1e-4 * expected);
}

TEST(a_body_without_coupling_or_out_of_the_water_feels_nothing)
{
    begin_lake(RILL_SOLVER_SWE, 1.0);
    rill_body_def def = box_def(7.3, 5.1, 2.0, 1.0);
    def.coupling = RILL_COUPLING_NONE;
    def.velocity[0] = 2.0;
    const rl_body *none = add_body(def);
    def.coupling = RILL_COUPLING_PASS;
    def.position[2] = 3.6;
    const rl_body *above = add_body(def);
    def.position[2] = 2.0;
    def.shape = RILL_BODY_SHEET;
    def.velocity[0] = 0.0;
    def.density = 0.5;
    const rl_body *sheet = add_body(def);
    feel(DT);
    for (int k = 0; k < 3; k++) {
        assert_true(none->force[k] == 0.0 && none->torque[k] == 0.0);
        assert_true(above->force[k] == 0.0 && above->torque[k] == 0.0);
        assert_true(sheet->force[k] == 0.0);
    }
    assert_true(none->submerged == 0.0 && above->submerged == 0.0 && sheet->submerged == 0.0);
}

// A dry hill beside the water is no level.
TEST(the_ground_of_dry_cells_is_not_water)
{
    begin_bodies(RILL_SOLVER_PIPES, 32, 16, 0.5, 1.0);
    for (int j = 0; j < 16; j++)
        for (int i = 16; i < 32; i++) {
            c.bed[32 * j + i] = 6.0f;
            c.depth[32 * j + i] = 0.0f;
        }
    make_bodies();
    const rl_body *body = add_body(box_def(7.4, 4.0, 1.0, 1.0));
    feel(DT);
    assert_near(body->submerged, 0.5, 1e-6);
}

// ---- Drag and lift ---------------------------------------------------------------------

TEST(drag_of_a_cube_and_a_sphere_is_that_of_their_area_across)
{
    for (int n = 0; n < 2; n++) {
        begin_lake(RILL_SOLVER_PIPES, 1.0);
        rill_body_def def = box_def(7.3, 5.1, 1.5, 0.8);
        def.shape = n == 0 ? RILL_BODY_BOX : RILL_BODY_SPHERE;
        def.radius = 0.6;
        def.drag = 1.05;
        def.density = 5000.0;
        def.velocity[n] = 2.0;
        const rl_body *body = add_body(def);
        feel(DT);
        const double area = n == 0 ? 0.64 : PI * 0.36;
        const double expected = -0.5 * BODY_DENSITY * 1.05 * area * 4.0;
        assert_near(body->force[n], expected, (n == 0 ? 1e-5 : 0.03) * fabs(expected));
        assert_near(body->force[1 - n], 0.0, 1e-3 * fabs(expected));
    }
}

// omega = 0 counts all of the side that faces the flow: of a sphere twice as much.
TEST(the_area_weight_counts_all_of_the_side_that_faces_the_flow)
{
    double force[2];
    for (int n = 0; n < 2; n++) {
        begin_lake(RILL_SOLVER_PIPES, 1.0);
        rill_body_def def = box_def(7.3, 5.1, 1.5, 1.0);
        def.shape = RILL_BODY_SPHERE;
        def.density = 5000.0;
        def.area_weight = n;
        def.velocity[0] = 1.0;
        const rl_body *body = add_body(def);
        feel(DT);
        force[n] = body->force[0];
    }
    assert_near(force[0] / force[1], 2.0, 0.15); // the mesh is no sphere
}

// A plate that leans by 45 degrees, drawn through the water.
TEST(lift_is_upright_on_the_flow_and_none_straight_on)
{
    double force[3][3];
    for (int n = 0; n < 3; n++) { // without lift, with it, and with it straight on
        begin_lake(RILL_SOLVER_PIPES, 1.0);
        rill_body_def def = box_def(7.3, 5.1, 1.5, 1.0);
        def.shape = RILL_BODY_SHEET;
        def.density = 1000.0;
        def.cells[0] = def.cells[1] = 2;
        def.rotation[1] = sin(n == 2 ? PI / 4.0 : PI / 8.0); // about y
        def.rotation[3] = cos(n == 2 ? PI / 4.0 : PI / 8.0);
        def.drag = 1.0;
        def.lift = n > 0 ? 0.7 : 0.0;
        def.velocity[0] = 1.0;
        const rl_body *body = add_body(def);
        feel(DT);
        memcpy(force[n], body->force, sizeof force[n]);
    }
    const double half = 0.5 * BODY_DENSITY, across = sqrt(0.5);
    assert_near(force[0][0], -half * across, 1e-3 * half);
    assert_near(force[1][0], force[0][0], 1e-9 * half); // lift takes no power
    assert_near(fabs(force[1][2] - force[0][2]), 0.7 * half * across, 1e-3 * half);
    // The face that meets the flow looks down, or up: the flow pushes against it.
    assert_true(force[1][2] < 0.0);
    assert_near(force[2][0], -half, 1e-3 * half);
    assert_near(force[2][2], 0.0, 1e-3 * half);
}

// A steel cube of 0.1 m: 3.565 m/s, after tanh(t / 0.417 s).
TEST(a_falling_cube_gets_its_terminal_velocity)
{
    begin_bodies(RILL_SOLVER_PIPES, 16, 16, 0.5, 60.0);
    make_bodies();
    rill_body_def def = box_def(4.1, 4.2, 59.0, 0.1);
    def.density = 7800.0;
    def.drag = 1.05;
    rl_body *body = add_body(def);
    double early = 0.0;
    for (int n = 0; n < 300; n++) {
        feel(DT);
        body->velocity[2] += DT * (body->force[2] / body->mass - G);
        body->position[2] += DT * body->velocity[2];
        place_body(body);
        if (n == 24)
            early = -body->velocity[2];
    }
    assert_near(-body->velocity[2], 3.565, 0.03 * 3.565);
    assert_near(early, 3.565 * tanh(25.0 * DT / 0.417), 0.05 * 3.565);
}

// However light a body is, one impulse brings it to rest in the water at most.
TEST(drag_never_throws_a_light_body_back)
{
    static const double densities[] = {0.1, 1.0, 10.0, 100.0};
    for (int n = 0; n < 8; n++) {
        begin_lake(RILL_SOLVER_PIPES, 1.0);
        rill_body_def def = box_def(7.3, 5.1, 1.5, 0.5);
        def.density = densities[n % 4];
        def.velocity[0] = n < 4 ? 30.0 : 0.0;
        def.spin[2] = n < 4 ? 0.0 : 60.0;
        const rl_body *body = add_body(def);
        feel(DT);
        const double speed = def.velocity[0] + DT * body->force[0] / body->mass;
        const double spin = def.spin[2] + DT * body->torque[2] / body->inertia[8];
        assert_true(speed >= -1e-4 && speed <= 30.0); // velocities of vertices are floats
        assert_true(spin >= -1e-4 && spin <= 60.0);
        assert_true(n < 4 ? speed < 30.0 : spin < 60.0);
    }
}

// A body at rest in a stream, and one that goes with it.
TEST(drag_is_that_of_the_velocity_through_the_water)
{
    begin_lake(RILL_SOLVER_SWE, 1.0);
    stream_along_x(1.5f);
    rill_body_def def = box_def(5.3, 5.1, 1.5, 1.0);
    const rl_body *rests = add_body(def);
    def.position[0] = 10.0;
    def.velocity[0] = 1.5;
    const rl_body *drifts = add_body(def);
    feel(DT);
    const double expected = 0.5 * BODY_DENSITY * 1.5 * 1.5;
    assert_near(rests->force[0], expected, 1e-4 * expected);
    assert_near(drifts->force[0], 0.0, 1e-4 * expected);
}

// Drag stops a sheet in a step at most, together with the water that clings to it: a slow one feels
// all of it, a fast one less.
TEST(a_soft_sheet_feels_drag_as_far_as_its_mass_goes)
{
    static const double speeds[] = {3.0, 300.0};
    for (int n = 0; n < 2; n++) {
        begin_lake(RILL_SOLVER_PIPES, 1.0);
        rill_body_def def = box_def(7.3, 5.1, 1.5, 1.0);
        def.shape = RILL_BODY_SHEET;
        def.motion = RILL_BODY_SOFT;
        def.cells[0] = def.cells[1] = 4;
        def.density = 0.2;
        def.velocity[2] = -speeds[n];
        const rl_body *body = add_body(def);
        feel(DT);
        const double drag = 0.5 * BODY_DENSITY * speeds[n] * speeds[n];
        const double stop = (body->mass + rl_soft_water_mass(c.bodies, body, 1.0)) * speeds[n] / DT;
        assert_true(n == 0 ? drag < stop : stop < drag);
        assert_near(body->force[2], fmin(drag, stop), 1e-4 * fmin(drag, stop));
    }
}

// ---- What the water gets ---------------------------------------------------------------

TEST(the_water_gets_the_momentum_that_bodies_lose)
{
    make_lean();
    for (int n = 0; n < 4; n++) {
        begin_lake(n % 2 == 0 ? RILL_SOLVER_PIPES : RILL_SOLVER_SWE, n < 2 ? 1.0 : 0.2);
        rill_body_def def = box_def(7.31, 5.17, 2.9, 1.0);
        def.shape = n < 2 ? RILL_BODY_BOX : RILL_BODY_SHEET;
        def.motion = n < 2 ? RILL_BODY_HOST : RILL_BODY_SOFT;
        memcpy(def.rotation, lean, sizeof lean);
        def.velocity[0] = 2.0;
        def.velocity[1] = -3.0;
        def.spin[2] = n < 2 ? 1.0 : 0.0;
        def.lift = 0.3;
        def.density = n < 2 ? 500.0 : 0.3;
        const rl_body *body = add_body(def);
        feel(DT);
        for (int axis = 0; axis < 2; axis++) {
            const double lost = -body->force[axis] * DT;
            const double got = BODY_DENSITY * water_momentum(axis);
            assert_true(fabs(lost) > 0.1);
            assert_near(got, lost, 1e-6 * fabs(lost));
        }
    }
}

TEST(momentum_given_before_is_taken_from_the_body_once)
{
    begin_lake(RILL_SOLVER_PIPES, 1.0);
    rl_body *body = add_body(box_def(7.3, 5.1, 2.0, 1.0));
    body->given[0] = 5.0;
    feel(DT);
    assert_near(body->force[0], -5.0 / DT, 1e-9);
    assert_true(body->given[0] == 0.0);
    feel(DT);
    assert_true(body->force[0] == 0.0);
}

TEST(forces_have_the_same_bits_on_two_threads)
{
    make_lean();
    uint64_t hash[2];
    for (int n = 0; n < 2; n++) {
        begin_bodies(RILL_SOLVER_SWE, 64, 48, 0.5, 3.0);
        c.def.worker_count = n + 1;
        make_bodies();
        for (int k = 0; k < 8; k++) {
            rill_body_def def = box_def(4.0 + 3.0 * k, 12.0 + k, 2.8, 1.0 + 0.3 * k);
            def.shape = (rill_body_shape)(k % 4);
            memcpy(def.rotation, lean, sizeof lean);
            def.velocity[0] = 3.0 - k;
            def.spin[1] = 1.0;
            add_body(def);
        }
        for (int k = 0; k < 5; k++) {
            feel(DT);
            disturb_water(DT);
            run_water(DT);
        }
        hash[n] = hash_case();
    }
    assert_true(hash[0] == hash[1]);
}

// Half of the body's cells do not find room in the scratch: it goes through it in bands.
TEST(a_body_larger_than_the_scratch_is_felt_as_others_are)
{
    begin_bodies(RILL_SOLVER_PIPES, 4, 4, 0.5, 3.0);
    c.def.nx = c.def.ny = 400;
    c.def.bed = c.def.depth = (rill_field_view){0};
    c.def.level = 3.0f;
    c.def.use_level = 1;
    make_bodies();
    rill_body_def def = box_def(100.0, 100.0, 2.0, 180.0);
    def.size[2] = 4.0;
    def.velocity[0] = 1.0;
    def.velocity[1] = -0.5;
    rl_body *body = add_body(def);
    body->given[1] = 7.0;
    feel(DT);
    assert_near(body->submerged, 180.0 * 180.0 * 3.0, 1.0);
    // Two faces of 180 m by 3 m meet the flow.
    const double half = 0.5 * BODY_DENSITY * 540.0;
    assert_near(body->force[0], -half * sqrt(1.25) * (1.0 + 0.5) / sqrt(1.25), 1e-3 * half);
    for (int axis = 0; axis < 2; axis++) {
        const double lost = -body->force[axis] * DT - (axis == 1 ? 7.0 : 0.0);
        assert_near(BODY_DENSITY * water_momentum(axis), lost, 1e-5 * fabs(lost));
    }
    for (int n = 0; n < 3; n++) {
        const double before = water_volume(), made = disturb_water(DT);
        assert_near(water_volume() - before, made, 1e-9 * before);
        assert_near(made, body->displaced, n == 0 ? 1e-9 * before : 1e30);
    }
    assert_true(body->displaced > 0.9 * 180.0 * 180.0 * 3.0);
}
