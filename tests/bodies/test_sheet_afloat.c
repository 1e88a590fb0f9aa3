// SPDX-License-Identifier: MIT
// Cloth that has a thickness: what lifts it, what the waves that it makes take from it, and where
// it comes to rest.
#include "tests/bodies/body_worlds.h"
#include "tests/kit/kit.h"

#define DT    (1.0 / 60.0)
#define LEVEL 3.0
#define SIDE  2.0 // metres of a square sheet

TEST_EACH(NULL, end_case);

// A sheet of soft cloth, flat, so deep in still water.
static rl_body *begin_sheet(double depth, double thickness)
{
    begin_bodies(RILL_SOLVER_SWE, 32, 24, 0.5, LEVEL);
    make_bodies();
    rill_body_def def = box_def(7.31, 5.17, LEVEL - depth, SIDE);
    def.shape = RILL_BODY_SHEET;
    def.motion = RILL_BODY_SOFT;
    def.cells[0] = def.cells[1] = 6;
    def.density = 0.5;
    def.thickness = thickness;
    return add_body(def);
}

static void set_velocity(const rl_body *body, double x, double y, double z)
{
    float *v = c.bodies->velocity + 3 * (size_t)body->first_vertex;
    for (int n = 0; n < body->vertex_count; n++) {
        v[3 * n] = (float)x;
        v[3 * n + 1] = (float)y;
        v[3 * n + 2] = (float)z;
    }
}

// ---- Forces ----------------------------------------------------------------------------

// rho g A times its thickness, or times its depth where that is less; nothing without thickness.
TEST(a_sheet_is_lifted_by_its_thickness_or_as_deep_as_it_lies)
{
    const double weight = BODY_DENSITY * BODY_GRAVITY, area = SIDE * SIDE;
    const double depths[] = {-0.1, 0.002, 0.019, 0.05, 1.5}, thicknesses[] = {0.0, 0.01, 0.02};
    for (int d = 0; d < 5; d++)
        for (int t = 0; t < 3; t++) {
            const rl_body *sheet = begin_sheet(depths[d], thicknesses[t]);
            feel(DT);
            const double volume = area * fmax(fmin(depths[d], thicknesses[t]), 0.0);
            assert_near(sheet->force[2], weight * volume, 1e-5 * weight * area * 0.02);
            assert_near(sheet->submerged, volume, 1e-5 * area * 0.02);
            assert_near(sheet->force[0], 0.0, 1e-6);
        }
}

// A sheet that stands on edge, half out of the water, is lifted by its wet half.
TEST(a_sheet_on_edge_is_lifted_by_its_wet_part)
{
    rl_body *sheet = begin_sheet(0.0, 0.02);
    float *p = c.bodies->position + 3 * (size_t)sheet->first_vertex;
    const float *rest = c.bodies->rest + 3 * (size_t)sheet->first_vertex;
    for (int n = 0; n < sheet->vertex_count; n++) {
        p[3 * n] = (float)sheet->position[0];
        p[3 * n + 2] = (float)LEVEL + rest[3 * n];
    }
    rl_body_measure(c.bodies, (int)(sheet - c.bodies->items));
    feel(DT);
    // In the uppermost 2 cm of the water it displaces less, a 50th of its wet half at most.
    assert_near(sheet->submerged, 0.5 * SIDE * SIDE * 0.02, 0.02 * 0.5 * SIDE * SIDE * 0.02);
}

// The piston: rho sqrt(g s) v A / (1 + 8 depth / s)^2 against the motion across it, whichever way
// it goes; what moves along its surface makes no waves.
TEST(waves_take_a_pressure_in_proportion_to_the_speed_across)
{
    const double depths[] = {0.01, 0.5, 2.0}, speeds[] = {0.03, -0.05};
    for (int d = 0; d < 3; d++)
        for (int n = 0; n < 2; n++) {
            double force[2], lift = 0.0;
            for (int floats = 0; floats < 2; floats++) {
                const rl_body *sheet = begin_sheet(depths[d], floats ? 1e-3 : 0.0);
                feel(DT); // it lies there already
                set_velocity(sheet, 0.4, 0.0, speeds[n]);
                feel(DT);
                force[floats] = sheet->force[2];
                lift = BODY_DENSITY * BODY_GRAVITY * sheet->submerged;
            }
            const double fade = 1.0 + 8.0 * depths[d] / SIDE;
            const double piston = BODY_DENSITY * sqrt(BODY_GRAVITY * SIDE) / (fade * fade);
            const double expected = -piston * speeds[n] * SIDE * SIDE;
            assert_near(force[1] - force[0] - lift, expected, 1e-3 * fabs(expected));
        }
}

// On the water, no deeper than its thickness, it has to move its added mass as well: within a step
// it takes on the speed of the surface but for m / (m + added). Below that waves alone slow it.
TEST(a_sheet_that_lies_on_the_water_goes_with_it)
{
    const double depths[] = {0.0005, 0.05}, speed = 0.04;
    for (int n = 0; n < 2; n++) {
        const rl_body *sheet = begin_sheet(depths[n], 1e-3);
        const double added = rl_soft_water_mass(c.bodies, sheet, SIDE * SIDE);
        set_velocity(sheet, 0.0, 0.0, -speed);
        feel(DT);
        const double lift = BODY_DENSITY * BODY_GRAVITY * sheet->submerged;
        const double fade = 1.0 + 8.0 * depths[n] / SIDE;
        const double piston = BODY_DENSITY * sqrt(BODY_GRAVITY * SIDE) / (fade * fade);
        const double drag = 0.5 * BODY_DENSITY * speed * speed;
        const double pressure = piston * speed + drag + (n == 0 ? added * speed / DT : 0.0);
        assert_near(sheet->force[2] - lift, pressure * SIDE * SIDE, 1e-3 * pressure * SIDE * SIDE);
        assert_near(added, 0.25 * BODY_DENSITY * SIDE, 1e-9 * added);
    }
}

// What a leaning sheet loses along x and y the water gets.
TEST(the_water_gets_the_momentum_of_the_waves)
{
    rl_body *sheet = begin_sheet(0.8, 0.01);
    float *p = c.bodies->position + 3 * (size_t)sheet->first_vertex;
    for (int n = 0; n < sheet->vertex_count; n++)
        p[3 * n + 2] += 0.4f * (p[3 * n] - 7.31f) + 0.2f * (p[3 * n + 1] - 5.17f);
    rl_body_measure(c.bodies, (int)(sheet - c.bodies->items));
    set_velocity(sheet, 0.2, 0.1, 0.3);
    feel(DT);
    for (int axis = 0; axis < 2; axis++) {
        const double lost = -sheet->force[axis] * DT;
        assert_true(fabs(lost) > 0.1);
        assert_near(BODY_DENSITY * water_momentum(axis), lost, 1e-6 * fabs(lost));
    }
}

// ---- Afloat ----------------------------------------------------------------------------

// Height of the middle of a sheet over the level of a lake of 2 m, and how far its corners are
// apart in height, `seconds` after it was laid down 10 cm above the water.
static double lie_down(double density, double thickness, int seconds, double *uneven)
{
    rill_world_def def = lake_def(40, 40, 0.25, 2.0);
    def.solver = RILL_SOLVER_SWE;
    def.bodies.max_bodies = 1;
    def.bodies.max_vertices = 200;
    def.bodies.max_triangles = 400;
    rill_world *world = make_world(&def);
    rill_body_def sheet = rill_default_body_def();
    sheet.shape = RILL_BODY_SHEET;
    sheet.motion = RILL_BODY_SOFT;
    sheet.size[0] = 2.0;
    sheet.size[1] = 1.5;
    set3(sheet.position, 5.0, 5.0, 2.1);
    sheet.density = density;
    sheet.thickness = thickness;
    rill_body_id id;
    assert_ok(rill_world_add_body(world, &sheet, &id));
    run_frames(world, 60 * seconds);
    rill_body_state state;
    assert_ok(rill_world_get_body(world, id, &state));
    const rill_body_mesh mesh = rill_world_body_mesh(world, id);
    double low = 1e9, high = -1e9;
    for (int n = 0; n < mesh.vertex_count; n++) {
        low = fmin(low, (double)mesh.positions[3 * n + 2]);
        high = fmax(high, (double)mesh.positions[3 * n + 2]);
    }
    *uneven = high - low;
    rill_world_destroy(&world);
    return state.position[2] - 2.0;
}

// Archimedes: its draught is its density, kg/m^2, over that of water.
TEST(a_sheet_floats_by_its_thickness)
{
    double uneven;
    const double afloat = lie_down(20.0, 0.05, 30, &uneven);
    print_message("afloat at %.4f m, uneven by %.4f m\n", afloat, uneven);
    assert_near(afloat, -0.02, 0.004);
    assert_true(uneven < 0.01);
    // 5 cm carry 50 kg/m^2: one of 60 sinks to the ground, and so does any without thickness.
    const double heavy = lie_down(60.0, 0.05, 30, &uneven), thin = lie_down(1.0, 0.0, 30, &uneven);
    print_message("heavy at %.2f m, thin at %.2f m\n", heavy, thin);
    assert_true(heavy < -1.9 && thin < -1.5);
}
