// SPDX-License-Identifier: MIT
// soft_float.h - what lifts cloth that floats, and what calms it: the forces on one wet piece of a
// sheet that has a thickness (rill_body_def), for forces.c.
#pragma once

#include "bodies/sampling/samples.h"

#define RL_SOFT_FADES 8.0 // parts of its side after which a sheet makes a quarter of the waves

// A sheet as long as its pieces are felt.
typedef struct rl_soft_sheet {
    double thickness;        // metres that displace water
    double density, gravity; // of the water, kg/m^3, m/s^2
    double side;             // of a square as large as the sheet, metres
    double goes_along;       // water that moves with a wet piece, kg/m^2
    double most; // mass for each area over the step, kg/m^2/s: no impulse takes more than
                 // the speed that a piece has
} rl_soft_sheet;

// Lifts a piece. The pressure on its two sides differs by that of its thickness alone: it displaces
// that much of its wet area, but while it just dips in no more than the water above it. Adds to the
// forces at rest of the vertices (six values each); returns the volume, m^3.
static inline double rl_soft_lift(const rl_soft_sheet *sheet, const rl_triangle *t,
                                  const rl_wet_part *part, double *vertices)
{
    RL_ASSERT(part->area > 0.0 && sheet->thickness > 0.0);
    const double volume = fmin(part->area * sheet->thickness, part->head);
    const double pressure = sheet->density * sheet->gravity * volume / part->area;
    for (int c = 0; c < 3; c++)
        vertices[6 * (size_t)t->corner[c] + 2] += pressure * part->centre[c];
    return volume;
}

// A sheet at the surface makes waves where it moves against the water. They run off at about
// c = sqrt(g s), s its side, and take a pressure of density * c * speed, as those of a piston do.
// Without it every corner would bob for itself, and the cloth crumple. Deeper down it makes fewer:
// waves as long as the sheet keep e^(-4 pi / 8), about a quarter, of their power an eighth of its
// side below the surface, and so much of the pressure is left there. `at` are the barycentric
// coordinates of the piece, `v` is its velocity through the water. Adds to the forces at the three
// corners, and to `force`.
static inline void rl_soft_make_waves(const rl_soft_sheet *sheet, const rl_triangle *t,
                                      const rl_wet_part *part, const double at[3],
                                      const double v[3], double corners[3][3], double force[3])
{
    const double fade = 1.0 + RL_SOFT_FADES * part->head / (part->area * sheet->side);
    const double piston = sheet->density * sqrt(sheet->gravity * sheet->side) / (fade * fade);
    const double push = -fmin(piston, sheet->most) * part->area * rl_dot(t->normal, v);
    for (int c = 0; c < 3; c++)
        rl_vector_add(corners[c], push * at[c], t->normal);
    rl_vector_add(force, push, t->normal);
}
