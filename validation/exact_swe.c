// SPDX-License-Identifier: MIT
// exact_swe.c - exact solutions of the shallow-water equations.
#include "validation/exact_swe.h"

#include <math.h>

#define G EXACT_GRAVITY

// ---- Dam breaks ------------------------------------------------------------------------

// The level reach is where what the fan and what the bore make of a depth agree: velocity falls
// with the depth behind the fan and rises with it behind the bore.
static exact_dam solve_dam(double deep, double before, double (*bore_velocity)(double, double))
{
    double low = before, high = deep;
    for (int n = 0; n < 200; n++) {
        const double h = 0.5 * (low + high);
        if (2.0 * (sqrt(G * deep) - sqrt(G * h)) > bore_velocity(h, before))
            low = h;
        else
            high = h;
    }
    const double velocity = 2.0 * (sqrt(G * deep) - sqrt(G * low));
    return (exact_dam){deep, before, low, velocity, low * velocity / (low - before)};
}

static double momentum_bore(double h, double before)
{
    return (h - before) * sqrt(0.5 * G * (h + before) / (h * before));
}

static double velocity_bore(double h, double before)
{
    return (h - before) * sqrt(2.0 * G / (h + before));
}

exact_dam exact_dam_solve(double deep, double before)
{
    if (before > 0.0)
        return solve_dam(deep, before, momentum_bore);
    const double front = 2.0 * sqrt(G * deep);
    return (exact_dam){deep, 0.0, 0.0, front, front};
}

exact_dam exact_dam_solve_velocity(double deep, double before)
{
    return solve_dam(deep, before, velocity_bore);
}

exact_flow exact_dam_at(const exact_dam *dam, double x, double t)
{
    const double c = sqrt(G * dam->deep);
    const double xi = t > 0.0 ? x / t : x > 0.0 ? INFINITY : -INFINITY;
    if (xi <= -c)
        return (exact_flow){.depth = dam->deep};
    if (xi < dam->middle_velocity - sqrt(G * dam->middle))
        return (exact_flow){(2.0 * c - xi) * (2.0 * c - xi) / (9.0 * G), 2.0 * (c + xi) / 3.0, 0.0};
    if (xi < dam->bore)
        return (exact_flow){dam->middle, dam->middle_velocity, 0.0};
    return (exact_flow){.depth = dam->before};
}

double exact_dam_cell(const exact_dam *dam, double x, double width, double t)
{
    enum { SAMPLES = 64 };
    double sum = 0.0;
    for (int n = 0; n < SAMPLES; n++)
        sum += exact_dam_at(dam, x + width * ((n + 0.5) / SAMPLES - 0.5), t).depth;
    return sum / SAMPLES;
}

// ---- Bowls -----------------------------------------------------------------------------

double exact_bowl_bed(const exact_bowl *bowl, double x, double y)
{
    return bowl->middle * ((x * x + y * y) / (bowl->radius * bowl->radius) - 1.0);
}

double exact_bowl_planar_frequency(const exact_bowl *bowl)
{
    return sqrt(2.0 * G * bowl->middle) / bowl->radius;
}

double exact_bowl_radial_frequency(const exact_bowl *bowl)
{
    return 2.0 * exact_bowl_planar_frequency(bowl);
}

// Water whose deepest point is at (x0, y0) and that moves with it.
static exact_flow planar_at(const exact_bowl *bowl, double x, double y, double x0, double y0,
                            double u, double v)
{
    const double r2 = (x - x0) * (x - x0) + (y - y0) * (y - y0);
    const double depth = bowl->middle * (1.0 - r2 / (bowl->radius * bowl->radius));
    return depth > 0.0 ? (exact_flow){depth, u, v} : (exact_flow){0};
}

exact_flow exact_bowl_planar(const exact_bowl *bowl, double shift, double angle, double x, double y,
                             double t)
{
    const double w = exact_bowl_planar_frequency(bowl);
    const double at = shift * cos(w * t), speed = -shift * w * sin(w * t);
    const double cx = cos(angle), cy = sin(angle);
    return planar_at(bowl, x, y, at * cx, at * cy, speed * cx, speed * cy);
}

exact_flow exact_bowl_pushed(const exact_bowl *bowl, double acceleration, double x, double y,
                             double t)
{
    const double w = exact_bowl_planar_frequency(bowl), shift = acceleration / (w * w);
    return planar_at(bowl, x, y, shift * (1.0 - cos(w * t)), 0.0, shift * w * sin(w * t), 0.0);
}

exact_flow exact_bowl_radial(const exact_bowl *bowl, double amplitude, double x, double y, double t)
{
    const double w = exact_bowl_radial_frequency(bowl);
    const double c = 1.0 - amplitude * cos(w * t), root = sqrt(1.0 - amplitude * amplitude);
    const double r2 = (x * x + y * y) / (bowl->radius * bowl->radius);
    const double depth = bowl->middle * (root / c - r2 * root * root / (c * c));
    const double rate = 0.5 * w * amplitude * sin(w * t) / c;
    return depth > 0.0 ? (exact_flow){depth, rate * x, rate * y} : (exact_flow){0};
}

// ---- Steady flow over a bump -----------------------------------------------------------

double exact_bump_bed(double x)
{
    return fmax(0.0, 0.2 - 0.05 * (x - 10.0) * (x - 10.0));
}

static double critical_depth(double discharge)
{
    return cbrt(discharge * discharge / G);
}

static double specific_head(double discharge, double depth)
{
    return depth + discharge * discharge / (2.0 * G * depth * depth);
}

// The depth with h + q^2 / (2 g h^2) = head. The left side falls up to the critical depth, where it
// is least, and rises beyond. A head that rounding has put below the least gives the critical
// depth.
static double depth_of_head(double discharge, double head, bool fast)
{
    const double critical = critical_depth(discharge);
    double near = critical, far = fast ? 1e-9 * critical : critical + head;
    for (int n = 0; n < 200; n++) {
        const double h = 0.5 * (near + far);
        if (specific_head(discharge, h) < head)
            near = h;
        else
            far = h;
    }
    return near;
}

// q^2 / h + g h^2 / 2, the same on both sides of a jump.
static double momentum_flux(double discharge, double depth)
{
    return discharge * discharge / depth + 0.5 * G * depth * depth;
}

static double find_jump(const exact_bump *bump)
{
    double low = 10.0, high = 12.0;
    for (int n = 0; n < 100; n++) {
        const double x = 0.5 * (low + high), bed = exact_bump_bed(x);
        const double fast = depth_of_head(bump->discharge, bump->head - bed, true);
        const double slow = depth_of_head(bump->discharge, bump->head_after - bed, false);
        if (momentum_flux(bump->discharge, fast) < momentum_flux(bump->discharge, slow))
            high = x;
        else
            low = x;
    }
    return 0.5 * (low + high);
}

exact_bump exact_bump_solve(exact_bump_kind kind, double discharge, double outlet)
{
    exact_bump bump = {.kind = kind, .discharge = discharge, .jump = INFINITY};
    bump.head = bump.head_after = specific_head(discharge, outlet);
    if (kind != EXACT_BUMP_SUBCRITICAL) // the crest is critical
        bump.head = 1.5 * critical_depth(discharge) + exact_bump_bed(10.0);
    if (kind == EXACT_BUMP_JUMP)
        bump.jump = find_jump(&bump);
    return bump;
}

double exact_bump_depth(const exact_bump *bump, double x)
{
    const bool beyond = x > bump->jump;
    const bool fast = bump->kind != EXACT_BUMP_SUBCRITICAL && x > 10.0 && !beyond;
    const double head = (beyond ? bump->head_after : bump->head) - exact_bump_bed(x);
    return depth_of_head(bump->discharge, head, fast);
}

// ---- A river ---------------------------------------------------------------------------

double exact_river_depth(double x)
{
    const double s = x / EXACT_RIVER_LENGTH - 0.5;
    return cbrt(4.0 / G) * (1.0 + 0.5 * exp(-16.0 * s * s));
}

double exact_river_slope(double x)
{
    const double s = x / EXACT_RIVER_LENGTH - 0.5, q = EXACT_RIVER_DISCHARGE;
    const double h = exact_river_depth(x);
    const double rise = cbrt(4.0 / G) * exp(-16.0 * s * s) * -16.0 * s / EXACT_RIVER_LENGTH;
    const double friction = EXACT_RIVER_MANNING * EXACT_RIVER_MANNING * q * q / pow(h, 10.0 / 3.0);
    return (q * q / (G * h * h * h) - 1.0) * rise - friction;
}

// Simpson's rule, from the lower end up.
void exact_river_bed(double *bed, int count)
{
    enum { PARTS = 16 };
    const double width = EXACT_RIVER_LENGTH / count;
    double x = EXACT_RIVER_LENGTH, sum = 0.0;
    for (int i = count - 1; i >= 0; i--) {
        const double way = (i == count - 1 ? 0.5 : 1.0) * width / PARTS;
        for (int p = 0; p < PARTS; p++, x -= way)
            sum -= way / 6.0 *
                   (exact_river_slope(x) + 4.0 * exact_river_slope(x - 0.5 * way) +
                    exact_river_slope(x - way));
        bed[i] = sum;
    }
}
