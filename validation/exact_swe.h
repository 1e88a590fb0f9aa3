// SPDX-License-Identifier: MIT
// exact_swe.h - exact solutions of the shallow water equations
//
//     h_t + (h u)_x = 0,   u_t + u u_x + g (h + b)_x = -friction,
//
// that the `swe` solver is held against: SI units, g = 9.81 m/s^2. Each is derived or checked by
// residuals in tests/validation/test_exact_swe.c.
#pragma once

#include <stdbool.h>

#define EXACT_GRAVITY 9.81
#define EXACT_PI      3.14159265358979323846

// The water at one place and time.
typedef struct exact_flow {
    double depth, velocity_x, velocity_y;
} exact_flow;

// ---- Dam breaks ------------------------------------------------------------------------

// Water of depth `deep` at x < 0 is let go into water of depth `before`: a fan, a level reach and
// a bore.
typedef struct exact_dam {
    double deep, before;
    double middle;          // depth of the level reach, metres; 0 on dry ground
    double middle_velocity; // m/s
    double bore;            // speed of the bore, or of the dry front, m/s
} exact_dam;

// Momentum is conserved across the bore: Stoker (1957), and Ritter (1892) when nothing lies before
// it.
exact_dam exact_dam_solve(double deep, double before);

// The solution of water that conserves velocity instead, u_t + (u^2/2 + g h)_x = 0: the same fan,
// another bore. `before` must be above 0.
exact_dam exact_dam_solve_velocity(double deep, double before);

// Returns the water at x metres from the dam, t seconds after.
exact_flow exact_dam_at(const exact_dam *dam, double x, double t);

// Returns the mean depth over a cell, so that a bore may stand within it.
double exact_dam_cell(const exact_dam *dam, double x, double width, double t);

// ---- Bowls (Thacker 1981) --------------------------------------------------------------

// A paraboloid b = -middle (1 - r^2 / radius^2) with water in it.
typedef struct exact_bowl {
    double radius, middle; // metres
} exact_bowl;

double exact_bowl_bed(const exact_bowl *bowl, double x, double y);

// Water with a plane surface that swings like a pendulum, its middle at shift cos(w t) along the
// direction `angle`, w^2 = 2 g middle / radius^2. It starts from rest. Thacker's planar solution is
// two of these at right angles; any one is exact by itself.
double exact_bowl_planar_frequency(const exact_bowl *bowl);
exact_flow exact_bowl_planar(const exact_bowl *bowl, double shift, double angle, double x, double y,
                             double t);

// The same bowl pushed by the constant acceleration a along x: water with a level surface at t = 0
// swings about the place where its surface stands across the push, a / w^2 away from the middle.
exact_flow exact_bowl_pushed(const exact_bowl *bowl, double acceleration, double x, double y,
                             double t);

// A round hump that rises and falls: h = H (1 - r^2/R^2) with R^2 = radius^2 (1 - A cos w t) /
// sqrt(1 - A^2), w^2 = 8 g middle / radius^2. It starts from rest. The mean of r^2 over the water
// is R^2 / 3, a pure cosine.
double exact_bowl_radial_frequency(const exact_bowl *bowl);
exact_flow exact_bowl_radial(const exact_bowl *bowl, double amplitude, double x, double y,
                             double t);

// ---- Steady flow over a bump -----------------------------------------------------------

typedef enum exact_bump_kind {
    EXACT_BUMP_SUBCRITICAL,
    EXACT_BUMP_TRANSCRITICAL, // fast from the crest on
    EXACT_BUMP_JUMP           // fast over the lee side, then a hydraulic jump
} exact_bump_kind;

#define EXACT_BUMP_LENGTH 25.0 // of the channel, metres

// b = 0.2 - 0.05 (x - 10)^2 from 8 to 12 m, else 0, without friction.
typedef struct exact_bump {
    exact_bump_kind kind;
    double discharge;        // m^2/s
    double head, head_after; // E = h + b + q^2 / (2 g h^2) up to the jump and beyond it, metres
    double jump;             // where it stands, metres; beyond the channel without one
} exact_bump;

double exact_bump_bed(double x);
// `outlet` is the depth at the end of the channel; without meaning when it is not subcritical.
exact_bump exact_bump_solve(exact_bump_kind kind, double discharge, double outlet);
double exact_bump_depth(const exact_bump *bump, double x);

// ---- A river with a rough bed (MacDonald 1996) -----------------------------------------

#define EXACT_RIVER_LENGTH    1000.0 // metres
#define EXACT_RIVER_DISCHARGE 2.0    // m^2/s
#define EXACT_RIVER_MANNING   0.033  // s/m^(1/3)

// The depth is chosen, h = (4/g)^(1/3) (1 + exp(-16 (x/1000 - 1/2)^2) / 2), subcritical all along,
double exact_river_depth(double x);
// and the bed under it follows from b' = (q^2 / (g h^3) - 1) h' - n^2 q^2 / h^(10/3).
double exact_river_slope(double x);
// Fills the bed at the middles of `count` cells, 0 at the lower end of the channel.
void exact_river_bed(double *bed, int count);
