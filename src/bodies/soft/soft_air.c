// SPDX-License-Identifier: MIT
// soft_air.c - the wind on soft bodies. Air presses on each triangle with the square of its speed
// across it, and drags a little along it. A flag in a perfectly even wind would hang in it like a
// board: what makes it wave are eddies, so the air carries a field of gusts that drifts with it
// (frozen turbulence, after Taylor), as strong as the air is fast past the cloth.
#include "bodies/soft/soft_internal.h"

#define AIR       1.2  // kg/m^3
#define ALONG     0.03 // drag along a surface over that across it
#define GUST      0.5  // largest gust over the speed of the air
#define EDDY      0.5  // size of an eddy over the reach of the body
#define CALM      0.2  // m/s: slower air drags as if it were that fast, by eddies of its own
#define FARTHEST  1e15 // eddies: farther than that their numbers would not fit
#define GUST_BITS 21   // of the three parts of 64 random bits

// The gust at a corner of the lattice of eddies, each part in [-1, 1).
static void corner_gust(int64_t i, int64_t j, int64_t k, double out[3])
{
    const uint64_t bits = rl_random_bits((uint64_t)i, (uint64_t)j, (uint64_t)k);
    for (int part = 0; part < 3; part++) {
        const uint64_t own = bits >> (GUST_BITS * part) & ((1u << GUST_BITS) - 1u);
        out[part] = (double)own / (double)(1u << (GUST_BITS - 1)) - 1.0;
    }
}

// Smooth between the corners of the lattice; `p` in eddies.
static void gust_at(const double p[3], float out[3])
{
    int64_t cell[3];
    double part[3], sum[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < 3; k++) {
        const double inside = fabs(p[k]) < FARTHEST ? p[k] : 0.0;
        cell[k] = (int64_t)inside - (inside < 0.0 ? 1 : 0);
        const double t = inside - (double)cell[k];
        part[k] = t * t * (3.0 - 2.0 * t);
    }
    for (int corner = 0; corner < 8; corner++) {
        double weight = 1.0, gust[3];
        for (int k = 0; k < 3; k++)
            weight *= (corner >> k & 1) != 0 ? part[k] : 1.0 - part[k];
        corner_gust(cell[0] + (corner & 1), cell[1] + (corner >> 1 & 1), cell[2] + (corner >> 2),
                    gust);
        for (int k = 0; k < 3; k++)
            sum[k] += weight * gust[k];
    }
    for (int k = 0; k < 3; k++)
        out[k] = (float)(GUST * sum[k]);
}

void rl_soft_find_gusts(rl_soft_work *work, const double wind[3])
{
    if (!work->sheet)
        return;
    const double eddy = EDDY * work->body->reach, time = work->body->air_time;
    const double origin[3] = {work->ground->origin[0], work->ground->origin[1], 0.0};
    for (int t = 0; t < work->triangles; t++) {
        const uint32_t *corners = work->corners + 3 * (size_t)t;
        double p[3];
        for (size_t k = 0; k < 3; k++) {
            double middle = 0.0;
            for (int c = 0; c < 3; c++)
                middle += work->soft->x[3 * (size_t)corners[c] + k] / 3.0;
            p[k] = (middle + origin[k] - wind[k] * time) / eddy;
        }
        gust_at(p, work->soft->gust + 3 * (size_t)t);
    }
}

// Impulse of the air on a triangle in a substep, N s. `across` is its normal, as long as its
// area. Both parts are divided by what they would slow its own mass by, so that even a gale cannot
// throw a light cloth faster than it blows.
static void find_impulse(const rl_soft_work *w, const double across[3], const double past[3],
                         double out[3])
{
    const double area = sqrt(rl_dot(across, across));
    const double speed = sqrt(rl_dot(past, past));
    const double through = area > 0.0 ? rl_dot(past, across) / area : 0.0;
    const double unit = 0.5 * AIR * w->dt;
    // Of a closed body only the side that faces the air is pressed on.
    const bool faces = w->sheet || through < 0.0;
    const double press = faces ? unit * (fabs(through) > CALM ? fabs(through) : CALM) : 0.0;
    const double drag = faces ? unit * ALONG * speed : 0.0;
    const double pressed = press / (1.0 + press / w->thickness);
    const double dragged = drag / (1.0 + drag / w->thickness);
    for (int k = 0; k < 3; k++) {
        const double normal = area > 0.0 ? through * across[k] / area : 0.0;
        out[k] = area * (pressed * normal + dragged * (past[k] - normal));
    }
}

static void blow_on(rl_soft_work *w, int t, const double wind[3])
{
    rl_soft *soft = w->soft;
    const uint32_t *corners = w->corners + 3 * (size_t)t;
    const double *p[3];
    double side[2][3], across[3], past[3], impulse[3], square = 0.0;
    for (int c = 0; c < 3; c++)
        p[c] = soft->x + 3 * (size_t)corners[c];
    for (size_t k = 0; k < 3; k++) {
        side[0][k] = 0.5 * (p[1][k] - p[0][k]);
        side[1][k] = p[2][k] - p[0][k];
        past[k] = wind[k];
        for (int c = 0; c < 3; c++)
            past[k] -= soft->v[3 * (size_t)corners[c] + k] / 3.0;
        square += past[k] * past[k];
    }
    const double speed = sqrt(square);
    for (size_t k = 0; w->sheet && k < 3; k++)
        past[k] += speed * (double)soft->gust[3 * (size_t)t + k];
    rl_cross(side[0], side[1], across);
    find_impulse(w, across, past, impulse);
    for (int c = 0; c < 3; c++) {
        if (rl_soft_is_wet(w->force + 3 * (size_t)corners[c]))
            continue;
        for (size_t k = 0; k < 3; k++)
            soft->v[3 * (size_t)corners[c] + k] += impulse[k] / 3.0 * soft->weight[corners[c]];
    }
}

void rl_soft_blow(rl_soft_work *work, const double wind[3])
{
    for (int t = 0; t < work->triangles; t++)
        blow_on(work, t, wind);
}
