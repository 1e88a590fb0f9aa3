// SPDX-License-Identifier: MIT
// Soft bodies and what is outside them: grounds, walls and other bodies, wind, water, madness.
#include "tests/bodies/soft_places.h"
#include "tests/kit/kit.h"

// ---- Grounds and bodies ----------------------------------------------------------------

// Whether a point in the coordinates of a body is inside its shape by more than rounding.
static bool is_inside(const rill_body_def *def, const double p[3])
{
    const double least = 1e-4, across = sqrt(p[0] * p[0] + p[1] * p[1]);
    if (def->shape == RILL_BODY_SPHERE)
        return sqrt(across * across + p[2] * p[2]) < def->radius - least;
    if (def->shape == RILL_BODY_CYLINDER)
        return across < def->radius - least && fabs(p[2]) < 0.5 * def->length - least;
    return fabs(p[0]) < 0.5 * def->size[0] - least && fabs(p[1]) < 0.5 * def->size[1] - least &&
           fabs(p[2]) < 0.5 * def->size[2] - least;
}

static void assert_none_inside(const place *p, const rl_body *soft, const rl_body *other)
{
    const double *q = other->rotation, back[4] = {-q[0], -q[1], -q[2], q[3]};
    for (int v = 0; v < soft->vertex_count; v++) {
        double arm[3], own[3];
        for (int k = 0; k < 3; k++)
            arm[k] = (double)position_of(p, soft, v)[k] - other->position[k];
        rl_body_turn(back, arm, own);
        assert_false(is_inside(&other->def, own));
    }
}

TEST(cloth_drapes_over_bodies_without_a_vertex_inside)
{
    const rill_body_shape shapes[] = {RILL_BODY_BOX, RILL_BODY_SPHERE, RILL_BODY_CYLINDER};
    for (size_t n = 0; n < 3; n++) {
        SCOPED(place) p = make_place(GRAVITY);
        rill_body_def def = body_def(RILL_BODY_HOST, shapes[n], 1.0);
        set3(def.size, 0.5, 0.5, 0.6);
        def.radius = 0.3;
        def.length = 0.6;
        def.rotation[1] = 0.1;
        def.rotation[3] = sqrt(1.0 - 0.01);
        const rl_body *other = add(&p, def);
        rill_body_def sheet = cloth_def(1.6);
        sheet.friction = 2.0;
        rl_body *cloth = add(&p, sheet);
        for (int s = 0; s < 600; s++) {
            run(&p, calm, 1);
            assert_none_inside(&p, cloth, other);
        }
        // It lies on top, and its rim hangs down around.
        assert_true(cloth->high[2] > 1.25 && cloth->high[2] < 1.5);
        assert_true(cloth->low[2] < 1.15);
        assert_true(fastest_point(&p, cloth) < 0.02 && stretch(&p, cloth) < 0.05);
    }
}

TEST(a_body_that_rises_lifts_the_cloth_on_it)
{
    SCOPED(place) p = make_place(GRAVITY);
    rl_body *lift = add(&p, body_def(RILL_BODY_HOST, RILL_BODY_BOX, 0.5));
    rl_body *cloth = add(&p, cloth_def(1.2));
    run(&p, calm, 60);
    for (int s = 0; s < 120; s++) {
        lift->velocity[2] = 1.0;
        lift->position[2] += DT;
        rl_body_pose(p.bodies, 0);
        run(&p, calm, 1);
        assert_none_inside(&p, cloth, lift);
    }
    assert_true(cloth->high[2] > 3.0 && cloth->high[2] < 3.2);
}

// Coulomb: what lies on a slope slides when its tangent is larger than the friction.
TEST(friction_holds_cloth_on_a_slope)
{
    for (int slippery = 0; slippery < 2; slippery++) {
        SCOPED(place) p = make_place(GRAVITY);
        for (int j = -2; j < CELLS + 2; j++)
            for (int i = -RILL_MARGIN_X; i < CELLS + RILL_MARGIN_X; i++)
                rill_field_row(&p.bed, j)[i] = 0.3f * (float)CELL * (float)i;
        rill_body_def def = cloth_def(0.3 * (8.0 - 0.5 * CELL) + 0.02);
        const double half = -0.5 * atan(0.3);
        def.rotation[1] = sin(half);
        def.rotation[3] = cos(half);
        def.friction = slippery == 0 ? 0.6 : 0.1;
        rl_body *cloth = add(&p, def);
        run(&p, NULL, 30);
        const double from = cloth->position[0];
        run(&p, NULL, 60);
        const double way = from - cloth->position[0];
        if (slippery == 0)
            assert_true(fabs(way) < 0.01);
        else // it slides at g (sin - friction cos), half a second and then another whole
            assert_true(way > 0.5 * GRAVITY * (0.287 - 0.0958) * 0.958 && way < 3.0);
        for (int v = 0; v < cloth->vertex_count; v++) {
            const float *x = position_of(&p, cloth, v);
            assert_true((double)x[2] > 0.3 * ((double)x[0] - 0.5 * CELL) - 1e-4);
        }
    }
}

TEST(walls_keep_them_in_when_there_is_a_fence)
{
    for (int fence = 0; fence < 2; fence++) {
        SCOPED(place) p = make_place(GRAVITY);
        p.ground.fence = fence != 0;
        rill_body_def def = ball_def(1.0);
        def.velocity[0] = -10.0;
        rl_body *ball = add(&p, def);
        run(&p, NULL, 120);
        assert_true(fence != 0 ? ball->low[0] > -1e-5 : ball->high[0] < 0.0);
    }
}

// ---- Wind ------------------------------------------------------------------------------

// From the pins to the other end, a mean over both sides.
static void tail_of(const place *p, const rl_body *flag, double out[3])
{
    for (int k = 0; k < 3; k++) {
        out[k] = 0.0;
        for (int j = 0; j < 9; j++)
            out[k] +=
                (double)(position_of(p, flag, 13 * j + 12)[k] - position_of(p, flag, 13 * j)[k]) /
                9.0;
    }
}

// Runs a flag with air of `speed` past it along x and looks how it streams and waves.
static void watch_flag(place *p, rl_body *flag, rl_body *boat, double boat_speed, double speed)
{
    const double wind[3] = {speed + boat_speed, 0.0, 0.0};
    double sum = 0.0, squares = 0.0;
    const int skipped = 60, watched = 240;
    for (int s = 0; s < skipped + watched; s++) {
        if (boat != NULL) {
            boat->velocity[0] = boat_speed;
            boat->position[0] += boat_speed * DT;
            rl_body_pose(p->bodies, 0);
        }
        run(p, wind, 1);
        if (s < skipped)
            continue;
        double tail[3];
        tail_of(p, flag, tail);
        const double length = sqrt(tail[0] * tail[0] + tail[1] * tail[1] + tail[2] * tail[2]);
        assert_true(tail[0] > sqrt(0.5) * length); // within 45 degrees of the wind
        sum += tail[1];
        squares += tail[1] * tail[1];
    }
    const double mean = sum / watched;
    assert_true(squares / watched - mean * mean > 0.02 * 0.02); // it waves by 2 cm at least
    assert_true(fabs(mean) < 0.3);                              // to both sides
    assert_true(stretch(p, flag) < 0.15);
}

TEST(a_flag_streams_with_the_wind_and_waves)
{
    SCOPED(place) p = make_place(GRAVITY);
    watch_flag(&p, add(&p, flag_def()), NULL, 0.0, 8.0);
}

TEST(a_flag_on_a_boat_in_still_air_streams_behind_it)
{
    SCOPED(place) p = make_place(GRAVITY);
    rill_body_def hull = body_def(RILL_BODY_HOST, RILL_BODY_HULL, 5.0);
    rl_body *boat = add(&p, hull);
    rill_body_def def = flag_def();
    def.pinned_to = (rill_body_id){1, boat->generation};
    watch_flag(&p, add(&p, def), boat, -8.0, 8.0);
}

// Gusts are part of the air and drift with it: a quarter of a second later and 2 m further on a
// flag meets the same ones, also when the grid has been moved over its country meanwhile.
TEST(gusts_drift_with_the_wind)
{
    const double wind[3] = {8.0, 0.0, 0.0};
    double tail[3][3];
    for (int n = 0; n < 3; n++) {
        SCOPED(place) p = make_place(GRAVITY);
        rill_body_def def = flag_def();
        def.position[0] += n == 1 ? 2.0 : 0.0;
        p.ground.origin[0] = n == 2 ? 2.0 : 0.0;
        rl_body *flag = add(&p, def);
        if (n > 0) // in the wind for a quarter of a second, but held
            flag->air_time = 15 * DT;
        run(&p, wind, 20);
        assert_true(fabs(flag->air_time - (n > 0 ? 35 : 20) * DT) < 1e-9);
        tail_of(&p, flag, tail[n]);
    }
    for (int k = 0; k < 3; k++) {
        assert_true(fabs(tail[1][k] - tail[0][k]) < 1e-3);
        assert_true(fabs(tail[2][k] - tail[0][k]) < 1e-3);
    }
    assert_true(fabs(tail[0][1]) > 2e-3); // and there are some
}

// A falling cloth reaches the speed where the air carries it: v^2 = 2 m g / (1.2 A), 1.8 m/s for
// 0.2 kg/m^2, as long as it lies flat; later it tilts and glides.
TEST(air_carries_a_falling_cloth)
{
    SCOPED(place) p = make_place(GRAVITY);
    rl_body *cloth = add(&p, cloth_def(8.0));
    run(&p, calm, 30);
    assert_true(cloth->velocity[2] < -1.2 && cloth->velocity[2] > -2.7);
}

// ---- Water -----------------------------------------------------------------------------

// Drag as the water tells it: once a step, from the velocity at its beginning, no larger than what
// would stop the mass that it acts on. The body is far lighter than the water it meets; it must end
// up drifting, not be shaken to pieces.
static void drag_along(place *p, const rl_body *body, double area, double current)
{
    const double heavy = body->mass / area + rl_soft_water_mass(p->bodies, body, area);
    for (int v = 0; v < body->vertex_count; v++) {
        float *force = p->bodies->force + 3 * (size_t)(body->first_vertex + v);
        const float *u = velocity_of(p, body, v);
        for (int k = 0; k < 3; k++) {
            const double past = (k == 2 ? current : 0.0) - (double)u[k];
            const double most = heavy / DT, drag = fmin(500.0 * fabs(past), most);
            force[k] = (float)(area / body->vertex_count * drag * past);
        }
    }
}

TEST(light_bodies_in_a_current_drift_with_it)
{
    for (int n = 0; n < 2; n++) {
        SCOPED(place) p = make_place(0.0);
        rill_body_def def = n == 0 ? cloth_def(4.0) : ball_def(4.0);
        def.density = n == 0 ? 0.2 : 20.0;
        rl_body *body = add(&p, def);
        const double area = n == 0 ? 0.96 : 3.14, current = 3.0;
        double most = 0.0;
        for (int s = 0; s < 240; s++) {
            drag_along(&p, body, area, current);
            run(&p, calm, 1);
            most = fmax(most, fastest_point(&p, body));
            // Cloth and the water that goes along are 245 kg/m^2.
            if (n == 0 && s == 0)
                assert_true(fabs(body->velocity[2] * 245.0 / (500.0 * 9.0 * DT) - 1.0) < 0.05);
        }
        assert_true(most < 1.5 * current);
        assert_true(fabs(body->velocity[2] - current) < 0.1 * current);
        assert_true(stretch(&p, body) < 0.1);
    }
}

// A spring that is told once a step, as buoyancy is: 1000 kg/m^3 under a ball of 300. It bobs, and
// must not bob higher and higher.
TEST(a_floating_ball_does_not_bob_higher_and_higher)
{
    SCOPED(place) p = make_place(GRAVITY);
    rill_body_def def = ball_def(4.1);
    def.density = 300.0;
    rl_body *ball = add(&p, def);
    const double stiffness = ball->mass * 60.0; // a frequency of 1.2 Hz
    double highest[2] = {0.0, 0.0};
    for (int s = 0; s < 1200; s++) {
        const double lift = ball->mass * GRAVITY - stiffness * (ball->position[2] - 4.0);
        for (int v = 0; v < ball->vertex_count; v++)
            p.bodies->force[3 * (ball->first_vertex + v) + 2] = (float)(lift / ball->vertex_count);
        run(&p, NULL, 1);
        highest[s / 600] = fmax(highest[s / 600], ball->position[2] - 4.0);
    }
    assert_true(highest[0] > 0.09 && highest[1] < 1.2 * 0.1);
}

// ---- Madness ---------------------------------------------------------------------------

TEST(wild_speeds_and_forces_leave_everything_finite_and_pass)
{
    for (int n = 0; n < 2; n++) {
        SCOPED(place) p = make_place(GRAVITY);
        p.ground.fence = true;
        rill_body_def box = body_def(RILL_BODY_HOST, RILL_BODY_BOX, 0.5);
        (void)add(&p, box);
        const rill_body_def def = n == 0 ? cloth_def(2.0) : ball_def(2.0);
        rl_body *body = add(&p, def);
        float *force = p.bodies->force + 3 * (size_t)body->first_vertex;
        const size_t floats = 3 * (size_t)body->vertex_count;
        for (int s = 0; s < 120; s++) {
            const double gale[3] = {random_within((uint64_t)s, 100.0), 100.0, -30.0};
            for (size_t k = 0; k < floats; k++) {
                const uint64_t index = (uint64_t)s * floats + k;
                force[k] = index % 5 == 0 ? (float)random_within(index, 1e5) : 0.0f;
                if (s % 10 == 0)
                    velocity_of(&p, body, 0)[k] = (float)random_within(index + 1, 100.0);
            }
            force[0] = s == 50 ? NAN : force[0];
            run(&p, gale, 1);
            for (size_t k = 0; k < floats; k++)
                assert_true(fabs((double)position_of(&p, body, 0)[k]) < 1e4 &&
                            fabs((double)velocity_of(&p, body, 0)[k]) < 1e3);
            assert_true(body->low[2] > -1e-4 && body->low[0] > -1e-4 && body->high[0] < 16.0001);
        }
        memset(force, 0, floats * sizeof *force);
        run(&p, calm, 900);
        assert_true(stretch(&p, body) < 0.1 && fastest_point(&p, body) < 0.2);
        if (n == 1)
            assert_true(fabs(volume(&p, body) / body->volume - 1.0) < 0.02);
    }
}
