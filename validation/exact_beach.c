// SPDX-License-Identifier: MIT
// exact_beach.c - the integrals of a solitary wave on a beach, by the trapezoid rule.
//
// The incoming wave is the integral of Phi(k) exp(-i k (x - x1 + t)) with Phi = (2/3) k / sinh(a
// k), a = pi / (2 gamma). On the beach a wave exp(-i k t) is J0(2 k sqrt(x cot)) of some strength,
// on the sea an incoming and a reflected one; level and velocity meet at the toe, which gives the
// strength 2 Phi exp(i k (x1 - cot)) / (J0(2 k cot) - i J1(2 k cot)). The integrand is smooth and
// vanishes like exp(-a k), where the trapezoid rule has no error to speak of but echoes of the
// wave, 2 pi / (step of k) later.
#include "validation/exact_beach.h"

#include <math.h>
#include <stdlib.h>

#define PI    3.14159265358979323846
#define NODES 160 // echoes come 330 sqrt(d/g) later for a wave of 0.019 d

struct exact_beach {
    double cot, height, gamma, crest;
    double k[NODES];
    double real[NODES], imaginary[NODES]; // strength times the step of k, both sides of k = 0
};

// ---- Bessel functions ------------------------------------------------------------------

// J0 and J1 as means of cos(z sin a) and cos(a - z sin a) over a: exact to rounding once there are
// some twenty angles more than z.
static void bessel(double z, double *j0, double *j1)
{
    const int count = (int)fabs(z) + 24;
    double sum0 = 0.0, sum1 = 0.0;
    for (int n = 0; n < count; n++) {
        const double a = PI * (n + 0.5) / count;
        sum0 += cos(z * sin(a));
        sum1 += cos(a - z * sin(a));
    }
    *j0 = sum0 / count;
    *j1 = sum1 / count;
}

// ---- The wave --------------------------------------------------------------------------

exact_beach *exact_beach_create(double cot, double height)
{
    exact_beach *b = calloc(1, sizeof *b);
    if (b == NULL)
        return NULL;
    b->cot = cot;
    b->height = height;
    b->gamma = sqrt(0.75 * height);
    // The toe sees a twentieth of the wave at t = 0, as Synolakis had it.
    b->crest = cot + acosh(sqrt(20.0)) / b->gamma;
    const double a = 0.5 * PI / b->gamma, step = 40.0 / a / NODES;
    for (int n = 0; n < NODES; n++) {
        const double k = (n + 0.5) * step;
        double j0, j1;
        bessel(2.0 * k * cot, &j0, &j1);
        // 2 for the beach, 2 for the frequencies below 0, which add the complex conjugate.
        const double size = 4.0 * step * (2.0 / 3.0) * k / sinh(a * k) / (j0 * j0 + j1 * j1);
        const double c = cos(k * (b->crest - cot)), s = sin(k * (b->crest - cot));
        b->k[n] = k;
        b->real[n] = size * (c * j0 - s * j1);
        b->imaginary[n] = size * (s * j0 + c * j1);
    }
    return b;
}

void exact_beach_destroy(exact_beach *beach)
{
    free(beach);
}

double exact_beach_crest(const exact_beach *beach)
{
    return beach->crest;
}

double exact_beach_wave(const exact_beach *beach, double x)
{
    const double c = cosh(beach->gamma * (x - beach->crest));
    return beach->height / (c * c);
}

// ---- Carrier and Greenspan -------------------------------------------------------------

// What the Bessel functions make of one s; they do not depend on l.
typedef struct ring {
    double level[NODES], velocity[NODES];
} ring;

static void make_ring(const exact_beach *b, double s, ring *out)
{
    for (int n = 0; n < NODES; n++) {
        double j0, j1;
        bessel(0.5 * b->k[n] * b->cot * s, &j0, &j1);
        out->level[n] = j0;
        // psi_s / s: J1(z s) / s is z / 2 at the shore. 2 is left of the 8 of psi.
        out->velocity[n] = s > 1e-9 ? 4.0 * j1 / s : b->k[n] * b->cot;
    }
}

static void transform(const exact_beach *b, const ring *r, double l, double *level,
                      double *velocity)
{
    double sum_level = 0.0, sum_velocity = 0.0;
    for (int n = 0; n < NODES; n++) {
        const double phase = 0.5 * b->k[n] * b->cot * l;
        const double c = cos(phase), s = sin(phase);
        sum_level += r->level[n] * (b->real[n] * c - b->imaginary[n] * s);
        sum_velocity -= r->velocity[n] * (b->real[n] * s + b->imaginary[n] * c);
    }
    *level = sum_level;
    *velocity = sum_velocity;
}

void exact_beach_transform(const exact_beach *beach, double s, double l, double *level,
                           double *velocity)
{
    ring r;
    make_ring(beach, s, &r);
    transform(beach, &r, l, level, velocity);
}

// l with t = cot (u - l / 2), by the Illinois rule. The right side falls with l until the wave
// breaks; u stays well below 2, so the root is within 4 of -2 t / cot.
static bool find_l(const exact_beach *b, const ring *r, double t, double *l)
{
    double level, u, low = -2.0 * t / b->cot - 4.0, high = low + 8.0;
    transform(b, r, low, &level, &u);
    double at_low = b->cot * (u - 0.5 * low) - t;
    transform(b, r, high, &level, &u);
    double at_high = b->cot * (u - 0.5 * high) - t;
    for (int n = 0; n < 100; n++) {
        *l = (low * at_high - high * at_low) / (at_high - at_low);
        transform(b, r, *l, &level, &u);
        const double at = b->cot * (u - 0.5 * *l) - t;
        if (fabs(at) < 1e-9)
            return true;
        if (at > 0.0) {
            low = *l;
            at_low = at;
            at_high *= 0.5;
        } else {
            high = *l;
            at_high = at;
            at_low *= 0.5;
        }
    }
    return false;
}

bool exact_beach_profile(const exact_beach *beach, double t, double s_end,
                         exact_beach_point *points, int count)
{
    for (int n = 0; n < count; n++) {
        const double s = s_end * n / (count - 1);
        double l, level, u;
        ring r;
        make_ring(beach, s, &r);
        if (!find_l(beach, &r, t, &l))
            return false;
        transform(beach, &r, l, &level, &u);
        level -= 0.5 * u * u;
        points[n] = (exact_beach_point){beach->cot * (s * s / 16.0 - level), level, u};
    }
    return true;
}

double exact_beach_level(const exact_beach_point *points, int count, double x)
{
    for (int n = 0; n + 1 < count; n++) {
        const exact_beach_point *a = &points[n], *b = a + 1;
        if (x >= a->x && x <= b->x)
            return a->level + (b->level - a->level) * (x - a->x) / (b->x - a->x);
    }
    return NAN;
}

// ---- Run-up ----------------------------------------------------------------------------

// Where the shore turns u is 0, so the level is psi_l / 4 alone: the largest over l at s = 0.
double exact_beach_runup(const exact_beach *beach)
{
    ring r;
    make_ring(beach, 0.0, &r);
    double best = 0.0;
    for (int n = 0; n < 4000; n++) {
        double level, u;
        const double t = (beach->crest + beach->cot) * (0.5 + n / 4000.0);
        transform(beach, &r, -2.0 * t / beach->cot, &level, &u);
        best = fmax(best, level);
    }
    return best;
}

double exact_beach_runup_law(double cot, double height)
{
    return 2.831 * sqrt(cot) * pow(height, 1.25);
}
