// SPDX-License-Identifier: MIT
// test_meniscus.c - normals bent by capillarity (000 sections 5.2 and 5.3): the tilt against its
// formula, the cut of a convex meniscus at its silhouette for eyes all around, and that neither
// jumps when the eye moves.
#include "tests/kit/kit.h"

#include "rill/surface.h"

#define PI 3.14159265358979323846

static const float up[3] = {0.0f, 0.0f, 1.0f};

// From low to high.
static double random_between(unsigned *state, double low, double high)
{
    return low + (high - low) * next_random(state) / 65535.0;
}

static double dot(const float p[3], const float q[3])
{
    return (double)p[0] * (double)q[0] + (double)p[1] * (double)q[1] + (double)p[2] * (double)q[2];
}

static void assert_vector(const float v[3], double x, double y, double z, double within)
{
    assert_true(fabs((double)v[0] - x) <= within);
    assert_true(fabs((double)v[1] - y) <= within);
    assert_true(fabs((double)v[2] - z) <= within);
}

// A meniscus at a vertical wall towards heading `degrees`, for a contact angle in degrees.
static rill_meniscus at_wall(double heading, double contact_angle, double weight)
{
    return (rill_meniscus){
        .direction = {(float)cos(heading * PI / 180.0), (float)sin(heading * PI / 180.0)},
        .angle = (float)((90.0 - contact_angle) * PI / 180.0),
        .weight = (float)weight,
    };
}

// Heading and elevation in degrees.
static void unit_vector(double heading, double elevation, float out[3])
{
    const double h = heading * PI / 180.0, e = elevation * PI / 180.0;
    out[0] = (float)(cos(e) * cos(h));
    out[1] = (float)(cos(e) * sin(h));
    out[2] = (float)sin(e);
}

// Leans up to `most` degrees.
static void random_normal(unsigned *seed, double most, float out[3])
{
    unit_vector(random_between(seed, 0.0, 360.0), random_between(seed, 90.0 - most, 90.0), out);
}

// ---- The tilt --------------------------------------------------------------------------

// Water that wets (contact angle 20 degrees) 1.4 mm away from a wall, half of the 2.8 mm: 35
// degrees of the 70 at the wall.
TEST(wetting_liquid_leans_away_from_the_wall)
{
    const rill_meniscus half = at_wall(0.0, 20.0, 1.0 - 1.4 / 2.8);
    float n[3];
    rill_meniscus_normal(up, &half, NULL, n);
    assert_vector(n, -0.5736, 0.0, 0.8192, 1e-4);
    for (int heading = 0; heading < 360; heading += 30) {
        const rill_meniscus m = at_wall(heading, 20.0, 1.0);
        rill_meniscus_normal(up, &m, NULL, n);
        const double tilt = 70.0 * PI / 180.0;
        assert_vector(n, -sin(tilt) * (double)m.direction[0], -sin(tilt) * (double)m.direction[1],
                      cos(tilt), 1e-6);
    }
}

TEST(repelled_liquid_leans_to_the_wall)
{
    const rill_meniscus m = at_wall(90.0, 120.0, 1.0);
    float n[3];
    rill_meniscus_normal(up, &m, NULL, n);
    assert_vector(n, 0.0, 0.5, sqrt(0.75), 1e-6);
}

TEST(no_angle_no_share_or_no_direction_leaves_the_normal)
{
    unsigned seed = 1;
    for (int k = 0; k < 1000; k++) {
        float normal[3], eye[3], n[3];
        random_normal(&seed, 60.0, normal);
        unit_vector(random_between(&seed, 0.0, 360.0), random_between(&seed, 0.0, 90.0), eye);
        const rill_meniscus level = at_wall(k, 90.0, 1.0), far = at_wall(k, 150.0, 0.0);
        const rill_meniscus nowhere = {{0.0f, 0.0f}, -1.0f, 1.0f};
        rill_meniscus_normal(normal, &level, eye, n);
        assert_vector(n, (double)normal[0], (double)normal[1], (double)normal[2], 1e-6);
        rill_meniscus_normal(normal, &far, eye, n);
        assert_vector(n, (double)normal[0], (double)normal[1], (double)normal[2], 1e-6);
        rill_meniscus_normal(normal, &nowhere, eye, n);
        assert_memory_equal(n, normal, sizeof n);
    }
}

// What the rotation keeps: lengths, the part along the axis, and the angle to another normal.
TEST(the_tilt_is_a_rotation_about_the_axis_across_the_direction)
{
    unsigned seed = 2;
    for (int k = 0; k < 2000; k++) {
        const rill_meniscus m =
            at_wall(random_between(&seed, 0.0, 360.0), random_between(&seed, 0.0, 180.0),
                    random_between(&seed, 0.0, 1.0));
        const float axis[3] = {-m.direction[1], m.direction[0], 0.0f};
        float first[3], second[3], n[3], q[3];
        random_normal(&seed, 80.0, first);
        random_normal(&seed, 80.0, second);
        rill_meniscus_normal(first, &m, NULL, n);
        rill_meniscus_normal(second, &m, NULL, q);
        assert_true(fabs(dot(n, n) - 1.0) < 1e-6);
        assert_true(fabs(dot(n, axis) - dot(first, axis)) < 1e-6);
        assert_true(fabs(dot(n, q) - dot(first, second)) < 1e-6);
    }
}

// Interpolated between vertices neither the normal nor the direction has unit length.
TEST(lengths_of_what_is_handed_in_do_not_matter)
{
    const rill_meniscus m = at_wall(40.0, 130.0, 0.7);
    rill_meniscus shorter = m;
    shorter.direction[0] *= 0.01f;
    shorter.direction[1] *= 0.01f;
    const float normal[3] = {0.1f, -0.2f, 0.9f}, longer[3] = {0.3f, -0.6f, 2.7f};
    float eye[3], n[3], q[3];
    unit_vector(200.0, 10.0, eye);
    rill_meniscus_normal(normal, &m, eye, n);
    rill_meniscus_normal(longer, &shorter, eye, q);
    assert_true(fabs(dot(n, n) - 1.0) < 1e-6);
    assert_vector(q, (double)n[0], (double)n[1], (double)n[2], 1e-6);
}

TEST(the_result_may_take_the_place_of_the_normal)
{
    const rill_meniscus m = at_wall(70.0, 30.0, 0.5);
    float apart[3], here[3] = {0.6f, 0.0f, 0.8f};
    rill_meniscus_normal(here, &m, NULL, apart);
    rill_meniscus_normal(here, &m, NULL, here);
    assert_memory_equal(apart, here, sizeof here);
    rill_meniscus_normal(NULL, &m, NULL, here);
    rill_meniscus_normal(here, NULL, NULL, here);
    rill_meniscus_normal(here, &m, NULL, NULL);
    assert_memory_equal(apart, here, sizeof here);
}

// ---- The eye ---------------------------------------------------------------------------

TEST(a_concave_meniscus_does_not_depend_on_the_eye)
{
    unsigned seed = 3;
    for (int k = 0; k < 2000; k++) {
        const rill_meniscus m =
            at_wall(random_between(&seed, 0.0, 360.0), random_between(&seed, 0.0, 90.0),
                    random_between(&seed, 0.0, 1.0));
        float normal[3], eye[3], blind[3], seen[3];
        random_normal(&seed, 60.0, normal);
        unit_vector(random_between(&seed, 0.0, 360.0), random_between(&seed, -90.0, 90.0), eye);
        rill_meniscus_normal(normal, &m, NULL, blind);
        rill_meniscus_normal(normal, &m, eye, seen);
        assert_memory_equal(blind, seen, sizeof seen);
    }
}

// An eye at elevation E, out over the liquid, sees a level surface bend towards the wall up to E;
// contact angle 170 asks for 80. At a quarter of the way a quarter of the cut angle is left.
TEST(a_convex_meniscus_ends_at_its_silhouette)
{
    for (int elevation = 5; elevation <= 90; elevation += 5) {
        const double tilt = fmin(elevation, 80.0) * PI / 180.0;
        const rill_meniscus contact = at_wall(0.0, 170.0, 1.0), away = at_wall(0.0, 170.0, 0.25);
        float eye[3], n[3];
        unit_vector(180.0, elevation, eye);
        rill_meniscus_normal(up, &contact, eye, n);
        assert_vector(n, sin(tilt), 0.0, cos(tilt), 1e-6);
        rill_meniscus_normal(up, &away, eye, n);
        assert_vector(n, sin(0.25 * tilt), 0.0, cos(0.25 * tilt), 1e-6);
        unit_vector(0.0, elevation, eye); // from behind the wall all of it is seen
        rill_meniscus_normal(up, &contact, eye, n);
        assert_vector(n, sin(80.0 * PI / 180.0), 0.0, cos(80.0 * PI / 180.0), 1e-6);
    }
}

TEST(no_normal_turns_away_from_an_eye_that_sees_the_surface)
{
    unsigned seed = 4;
    int cut = 0;
    for (int k = 0; k < 50000; k++) {
        rill_meniscus m =
            at_wall(random_between(&seed, 0.0, 360.0), random_between(&seed, 90.0, 180.0), 1.0);
        float normal[3], eye[3], n[3], blind[3];
        random_normal(&seed, 60.0, normal);
        unit_vector(random_between(&seed, 0.0, 360.0), random_between(&seed, -30.0, 90.0), eye);
        if (dot(normal, eye) < 0.0)
            continue;
        rill_meniscus_normal(normal, &m, eye, n);
        rill_meniscus_normal(normal, &m, NULL, blind);
        assert_true(dot(n, eye) > -1e-6);
        cut += dot(blind, eye) < 0.0;
        m.weight = (float)random_between(&seed, 0.0, 1.0);
        rill_meniscus_normal(normal, &m, eye, n);
        assert_true(dot(n, eye) > -1e-6);
        assert_true(fabs(dot(n, n) - 1.0) < 1e-6);
    }
    assert_true(cut > 5000); // many of them would have turned away
}

// The closed form against trying tilts in small steps, from none to the first that is not seen.
TEST(no_more_is_cut_off_than_must_be)
{
    unsigned seed = 5;
    const double step = 1e-3;
    for (int k = 0; k < 3000; k++) {
        const rill_meniscus m =
            at_wall(random_between(&seed, 0.0, 360.0), random_between(&seed, 90.0, 180.0), 1.0);
        float normal[3], eye[3], n[3], tried[3];
        random_normal(&seed, 50.0, normal);
        unit_vector(random_between(&seed, 0.0, 360.0), random_between(&seed, 0.0, 90.0), eye);
        if (dot(normal, eye) < 0.05)
            continue;
        double tilt = 0.0;
        for (double next = 0.0; next < -(double)m.angle; next += step) {
            const rill_meniscus trial = {{m.direction[0], m.direction[1]}, (float)-next, 1.0f};
            rill_meniscus_normal(normal, &trial, NULL, tried);
            if (dot(tried, eye) < 1e-6)
                break;
            tilt = next;
        }
        rill_meniscus_normal(normal, &m, eye, n);
        const rill_meniscus best = {{m.direction[0], m.direction[1]}, (float)-tilt, 1.0f};
        rill_meniscus_normal(normal, &best, NULL, tried);
        assert_true(sqrt(fmax(2.0 - 2.0 * dot(n, tried), 0.0)) < 2.0 * step);
    }
}

// Eyes that go around and up and down; in degrees, a step of the eye moves the cut of a level
// surface by at most that step over the sine of the elevation.
TEST(the_normal_does_not_jump_when_the_eye_moves)
{
    const rill_meniscus m = at_wall(25.0, 175.0, 0.8);
    for (int elevation = 10; elevation <= 85; elevation += 5) {
        float before[3] = {0}, n[3], eye[3];
        const double most = 0.1 * PI / 180.0 / sin(elevation * PI / 180.0) + 2e-6;
        for (int k = 0; k <= 3600; k++) {
            unit_vector(0.1 * k, elevation, eye);
            rill_meniscus_normal(up, &m, eye, n);
            const double x = (double)(n[0] - before[0]), y = (double)(n[1] - before[1]);
            const double z = (double)(n[2] - before[2]);
            assert_true(k == 0 || sqrt(x * x + y * y + z * z) <= most);
            for (int c = 0; c < 3; c++)
                before[c] = n[c];
        }
    }
    for (int heading = 0; heading < 360; heading += 10) {
        float before[3] = {0}, n[3], eye[3];
        for (int k = 100; k <= 900; k++) {
            unit_vector(heading, 0.1 * k, eye);
            rill_meniscus_normal(up, &m, eye, n);
            const double x = (double)(n[0] - before[0]), y = (double)(n[1] - before[1]);
            const double most = 0.1 * PI / 180.0 / sin(0.1 * k * PI / 180.0) + 1e-4;
            assert_true(k == 100 || sqrt(x * x + y * y) <= most);
            for (int c = 0; c < 3; c++)
                before[c] = n[c];
        }
    }
}

// Along the wall, level with the surface, and from below: nothing to cut by, but still a normal.
TEST(every_eye_gets_a_unit_normal)
{
    static const float eyes[][3] = {{0, 1, 0},  {0, -1, 0},          {1, 0, 0},
                                    {-1, 0, 0}, {0, 0, -1},          {0, 0, 0},
                                    {0, 0, 1},  {0, 1e-20f, 1e-20f}, {0, -1, 1e-7f}};
    static const float normals[][3] = {
        {0, 0, 1}, {0, 0.6f, 0.8f}, {0, -0.6f, 0.8f}, {0.6f, 0, 0.8f}};
    const rill_meniscus m = at_wall(0.0, 180.0, 1.0);
    for (size_t k = 0; k < sizeof eyes / sizeof eyes[0]; k++)
        for (size_t l = 0; l < sizeof normals / sizeof normals[0]; l++) {
            float n[3];
            rill_meniscus_normal(normals[l], &m, eyes[k], n);
            assert_true(fabs(dot(n, n) - 1.0) < 1e-6);
        }
}

// An eye below the sheet has nothing to cut by, but must not turn a bulge into a hollow.
TEST(a_convex_meniscus_never_leans_away_from_the_wall)
{
    unsigned seed = 6;
    const rill_meniscus m = at_wall(0.0, 150.0, 1.0);
    for (int k = 0; k < 5000; k++) {
        float eye[3], n[3];
        unit_vector(random_between(&seed, 0.0, 360.0), random_between(&seed, -90.0, 90.0), eye);
        rill_meniscus_normal(up, &m, eye, n);
        assert_true(n[0] >= -1e-6f && n[0] <= 0.866026f);
    }
}
