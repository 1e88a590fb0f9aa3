// SPDX-License-Identifier: MIT
// test_exact_swe.c - the exact solutions that `rill validate` holds the swe water against: each
// must itself solve the shallow water equations, and have the values that others have printed.
#include "tests/kit/kit.h"
#include "validation/exact_beach.h"
#include "validation/exact_swe.h"

#define G EXACT_GRAVITY

static void near_to(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.10g is not within %g of %.10g", value, tolerance, expected);
}

// ---- Residuals -------------------------------------------------------------------------

// A flow over a bed, in some context.
typedef struct flow_case {
    exact_flow (*flow)(double x, double y, double t);
    double (*bed)(double x, double y);
    double acceleration_x;
} flow_case;

typedef struct residuals {
    double mass, momentum_x, momentum_y;
} residuals;

// Central differences of fourth order, so that what is left is rounding.
static double slope(const double v[4], double step)
{
    return (8.0 * (v[2] - v[1]) - (v[3] - v[0])) / (12.0 * step);
}

static residuals residuals_at(const flow_case *c, double x, double y, double t)
{
    static const double at[4] = {-2.0, -1.0, 1.0, 2.0};
    const double e = 1e-3;
    double hx[4], hy[4], ht[4], qx[4], qy[4], ux[4], uy[4], ut[4], vx[4], vy[4], vt[4];
    for (int n = 0; n < 4; n++) {
        const exact_flow a = c->flow(x + at[n] * e, y, t), b = c->flow(x, y + at[n] * e, t);
        const exact_flow d = c->flow(x, y, t + at[n] * e);
        hx[n] = a.depth + c->bed(x + at[n] * e, y);
        hy[n] = b.depth + c->bed(x, y + at[n] * e);
        ht[n] = d.depth;
        qx[n] = a.depth * a.velocity_x;
        qy[n] = b.depth * b.velocity_y;
        ux[n] = a.velocity_x;
        uy[n] = b.velocity_x;
        ut[n] = d.velocity_x;
        vx[n] = a.velocity_y;
        vy[n] = b.velocity_y;
        vt[n] = d.velocity_y;
    }
    const exact_flow f = c->flow(x, y, t);
    const double u = f.velocity_x, v = f.velocity_y;
    return (residuals){slope(ht, e) + slope(qx, e) + slope(qy, e),
                       slope(ut, e) + u * slope(ux, e) + v * slope(uy, e) + G * slope(hx, e) -
                           c->acceleration_x,
                       slope(vt, e) + u * slope(vx, e) + v * slope(vy, e) + G * slope(hy, e)};
}

static void solves(const flow_case *c, double x, double y, double t)
{
    const residuals r = residuals_at(c, x, y, t);
    near_to(r.mass, 0.0, 1e-8);
    near_to(r.momentum_x, 0.0, 1e-8);
    near_to(r.momentum_y, 0.0, 1e-8);
}

// ---- Dam breaks ------------------------------------------------------------------------

TEST(stoker_has_the_printed_values)
{
    static const double printed[][5] = {
        {0.005, 0.001, 0.00253936, 0.127280, 0.209963},
        {1.0, 0.1, 0.396175, 2.321355, 3.105134},
        {1.0, 0.5, 0.726920, 0.923364, 2.957918},
        {10.0, 2.0, 5.078714, 5.692122, 9.389849},
    };
    for (int n = 0; n < 4; n++) {
        const exact_dam d = exact_dam_solve(printed[n][0], printed[n][1]);
        near_to(d.middle, printed[n][2], 1e-6);
        near_to(d.middle_velocity, printed[n][3], 1e-6);
        near_to(d.bore, printed[n][4], 1e-6);
    }
}

TEST(bores_keep_what_they_should)
{
    const exact_dam m = exact_dam_solve(1.0, 0.1), v = exact_dam_solve_velocity(1.0, 0.1);
    const double hm = m.middle, um = m.middle_velocity;
    near_to(m.bore * (hm - 0.1), hm * um, 1e-12);
    near_to(m.bore * hm * um, hm * um * um + 0.5 * G * (hm * hm - 0.01), 1e-12);
    near_to(v.bore * (v.middle - 0.1), v.middle * v.middle_velocity, 1e-12);
    near_to(v.bore * v.middle_velocity,
            0.5 * v.middle_velocity * v.middle_velocity + G * (v.middle - 0.1), 1e-12);
    near_to(v.middle, 0.446759, 1e-6);
    near_to(v.bore, 2.676237, 1e-6);
}

static exact_flow ritter_flow(double x, KIT_UNUSED double y, double t)
{
    const exact_dam d = exact_dam_solve(1.0, 0.0);
    return exact_dam_at(&d, x, t);
}

static double level_bed(double x, double y)
{
    (void)x, (void)y;
    return 0.0;
}

TEST(the_fan_solves_the_equations)
{
    const flow_case c = {.flow = ritter_flow, .bed = level_bed};
    for (double x = -2.5; x < 5.0; x += 0.5)
        solves(&c, x, 0.0, 1.0);
    near_to(ritter_flow(0.0, 0.0, 1.0).depth, 4.0 / 9.0, 1e-12);
    near_to(ritter_flow(0.0, 0.0, 1.0).velocity_x, 2.0 / 3.0 * sqrt(G), 1e-12);
}

TEST(a_dam_break_keeps_its_volume)
{
    static const double before[] = {0.0, 0.1, 0.5};
    for (int n = 0; n < 3; n++) {
        const exact_dam d = exact_dam_solve(1.0, before[n]);
        double sum = 0.0;
        for (int i = 0; i < 1600; i++)
            sum += 0.01 * exact_dam_cell(&d, 0.01 * (i + 0.5) - 8.0, 0.01, 1.0);
        near_to(sum, 8.0 + 8.0 * before[n], 1e-3);
    }
}

// ---- Bowls -----------------------------------------------------------------------------

static const exact_bowl bowl = {.radius = 1.0, .middle = 0.1};

static double bowl_bed(double x, double y)
{
    return exact_bowl_bed(&bowl, x, y);
}

static exact_flow planar_flow(double x, double y, double t)
{
    return exact_bowl_planar(&bowl, 0.5, 0.6, x, y, t);
}

static exact_flow pushed_flow(double x, double y, double t)
{
    return exact_bowl_pushed(&bowl, 0.4, x, y, t);
}

static exact_flow radial_flow(double x, double y, double t)
{
    return exact_bowl_radial(&bowl, 0.2, x, y, t);
}

TEST(thacker_solves_the_equations)
{
    const flow_case c[] = {
        {planar_flow, bowl_bed, 0.0}, {pushed_flow, bowl_bed, 0.4}, {radial_flow, bowl_bed, 0.0}};
    for (int k = 0; k < 3; k++)
        for (double t = 0.1; t < 4.0; t += 0.7) {
            solves(&c[k], 0.1, 0.2, t);
            solves(&c[k], -0.3, 0.15, t);
        }
}

TEST(thacker_has_the_printed_periods)
{
    near_to(2.0 * EXACT_PI / exact_bowl_planar_frequency(&bowl), 4.485701, 1e-6);
    near_to(2.0 * EXACT_PI / exact_bowl_radial_frequency(&bowl), 2.242851, 1e-6);
    near_to(planar_flow(0.1, 0.0, 4.4857013).depth, planar_flow(0.1, 0.0, 0.0).depth, 1e-7);
    near_to(radial_flow(0.1, 0.0, 2.2428506).depth, radial_flow(0.1, 0.0, 0.0).depth, 1e-7);
}

// ---- Channels --------------------------------------------------------------------------

TEST(bumps_have_the_printed_values)
{
    exact_bump b = exact_bump_solve(EXACT_BUMP_SUBCRITICAL, 4.42, 2.0);
    near_to(b.head, 2.2489348, 1e-7);
    near_to(exact_bump_depth(&b, 9.0), 1.7871846, 1e-7);
    near_to(exact_bump_depth(&b, 10.0), 1.7073475, 1e-7);
    b = exact_bump_solve(EXACT_BUMP_TRANSCRITICAL, 1.53, 0.66);
    near_to(b.head, 1.1303847, 1e-7);
    near_to(exact_bump_depth(&b, 0.0), 1.0144468, 1e-7);
    near_to(exact_bump_depth(&b, 11.0), 0.4966215, 1e-7);
    near_to(exact_bump_depth(&b, 25.0), 0.4057809, 1e-7);
    b = exact_bump_solve(EXACT_BUMP_JUMP, 0.18, 0.33);
    near_to(b.jump, 11.665618, 1e-6);
    near_to(exact_bump_depth(&b, b.jump - 1e-9), 0.0759703, 1e-6);
    near_to(exact_bump_depth(&b, b.jump + 1e-9), 0.2593218, 1e-6);
    near_to(exact_bump_depth(&b, 25.0), 0.33, 1e-9);
}

// h' and b' by differences along cells of half a metre.
TEST(the_river_is_steady_on_its_bed)
{
    enum { CELLS = 2000 };
    static double bed[CELLS];
    exact_river_bed(bed, CELLS);
    const double q = EXACT_RIVER_DISCHARGE, n = EXACT_RIVER_MANNING;
    for (int i = 1; i + 1 < CELLS; i += 37) {
        const double x = 0.5 * (i + 0.5), h = exact_river_depth(x);
        const double dh = exact_river_depth(x + 0.5) - exact_river_depth(x - 0.5);
        const double db = bed[i + 1] - bed[i - 1];
        const double balance =
            -q * q / (h * h * h) * dh + G * (dh + db) + G * n * n * q * q / pow(h, 10.0 / 3.0);
        near_to(balance, 0.0, 1e-6);
    }
    near_to(bed[CELLS - 1], -0.25 * exact_river_slope(999.9), 1e-6);
}

// ---- The beach -------------------------------------------------------------------------

// Printed profiles for H / d = 0.019 on 1:19.85, t = 35, 45, 55 and 65: benchmark problem 1 of the
// NTHMP (github.com/rjleveque/nthmp-benchmark-problems, canonical_profiles.txt).
TEST(the_beach_has_the_printed_profiles)
{
    static const double x[] = {0.0, 0.4};
    static const double printed[][2] = {
        {0.00268, 0.00406}, {0.03875, 0.0393}, {0.04614, 0.03912}, {0.00889, 0.00927}};
    enum { POINTS = 120 };
    exact_beach_point points[POINTS];
    exact_beach *beach = exact_beach_create(19.85, 0.019);
    assert_non_null(beach);
    for (int k = 0; k < 4; k++) {
        assert_true(exact_beach_profile(beach, 35.0 + 10.0 * k, 4.0, points, POINTS));
        for (int n = 0; n < 2; n++)
            near_to(exact_beach_level(points, POINTS, x[n]), printed[k][n], 2e-5);
        assert_true(isnan(exact_beach_level(points, POINTS, -2.0)));
    }
    exact_beach_destroy(beach);
}

// In units of d and sqrt(d / g), with x out to sea: the depth is x / cot + eta.
TEST(the_transform_solves_the_nonlinear_equations)
{
    enum { POINTS = 2001 };
    static exact_beach_point now[POINTS], soon[POINTS];
    const double cot = 19.85, e = 1e-3;
    exact_beach *beach = exact_beach_create(cot, 0.019);
    assert_non_null(beach);
    assert_true(exact_beach_profile(beach, 50.0 - e, 2.0, now, POINTS));
    assert_true(exact_beach_profile(beach, 50.0 + e, 2.0, soon, POINTS));
    for (int n = 200; n < POINTS - 200; n += 200) {
        const double x = now[n].x;
        int k = 1;
        while (soon[k].x < x)
            k++;
        const double part = (x - soon[k - 1].x) / (soon[k].x - soon[k - 1].x);
        const double level = soon[k - 1].level + part * (soon[k].level - soon[k - 1].level);
        const double u = soon[k - 1].velocity + part * (soon[k].velocity - soon[k - 1].velocity);
        const exact_beach_point *a = &now[n - 1], *b = &now[n + 1];
        const double ux = (b->velocity - a->velocity) / (b->x - a->x);
        const double ex = (b->level - a->level) / (b->x - a->x);
        const double qx =
            ((b->x / cot + b->level) * b->velocity - (a->x / cot + a->level) * a->velocity) /
            (b->x - a->x);
        // Rates are of the order of 0.01.
        near_to((level - now[n].level) / (2.0 * e) + qx, 0.0, 1e-5);
        near_to((u - now[n].velocity) / (2.0 * e) + now[n].velocity * ux + ex, 0.0, 1e-5);
    }
    exact_beach_destroy(beach);
}

TEST(the_run_up_is_near_its_law)
{
    exact_beach *beach = exact_beach_create(19.85, 0.019);
    assert_non_null(beach);
    near_to(exact_beach_runup_law(19.85, 0.019), 0.08897, 1e-5);
    near_to(exact_beach_runup(beach), exact_beach_runup_law(19.85, 0.019), 0.003);
    exact_beach_destroy(beach);
}
