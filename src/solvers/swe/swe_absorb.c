// SPDX-License-Identifier: MIT
// swe_absorb.c - layers along the borders in which waves die before they reach the wall behind
// (Chentanez and Müller section 2.1.4 and its appendix, mended: errata 1 to 4 to Chentanez and
// Müller).
//
// In a layer of W cells sigma rises with the square of the way into it, and its integral is such
// that a wave that comes straight on goes in and out again with the wished part of its amplitude:
//
//     sigma = s (d / W)^2,   s = 3 c ln(1 / R) / (2 W dx),   c = sqrt(g rest depth)
//
// Corners belong to two layers, and both act.
#include "solvers/swe/swe.h"

#include "core/assert.h"
#include "core/numbers.h"

// ln(1/x) for x in (0, 1), to five digits: the derivative of x^e at e = 0.
static double inverse_logarithm(double x)
{
    RL_ASSERT(x > 0.0 && x < 1.0);
    return (1.0 - rill_power(x, 1e-6)) / 1e-6;
}

// sigma over c, 1/m, of the n-th cell from the border.
static float profile_at(const rl_swe *s, int n)
{
    const int width = s->def.absorb_cells;
    if (n >= width)
        return 0.0f;
    const double way = (width - n - 0.5) / width;
    return (float)(s->absorbing.steepest * way * way);
}

// Profiles and levels of `count` cells between two sides.
static void set_axis(const rl_swe *s, rill_side low, rill_side high, int count, float *profile,
                     float *level)
{
    for (int n = 0; n < count; n++) {
        const bool low_side = n < count - 1 - n;
        const float at_low = rl_swe_side_absorbs(&s->side[low]) ? profile_at(s, n) : 0.0f;
        const float at_high =
            rl_swe_side_absorbs(&s->side[high]) ? profile_at(s, count - 1 - n) : 0.0f;
        const bool take_low = at_low > at_high || (at_low == at_high && low_side);
        profile[n] = take_low ? at_low : at_high;
        level[n] = profile[n] > 0.0f ? s->side[take_low ? low : high].level : 0.0f;
    }
}

void rl_swe_set_absorbing(rl_swe *s)
{
    rl_swe_absorbing *l = &s->absorbing;
    if (l->steepest == 0.0)
        l->steepest = 3.0 * inverse_logarithm((double)s->def.absorb_reflection) /
                      (2.0 * s->def.absorb_cells * s->cell_size);
    set_axis(s, RILL_SIDE_WEST, RILL_SIDE_EAST, s->nx, l->profile_x, l->level_x);
    set_axis(s, RILL_SIDE_SOUTH, RILL_SIDE_NORTH, s->ny, l->profile_y, l->level_y);
    l->on = false;
    for (int side = 0; side < RILL_SIDE_COUNT; side++)
        l->on |= rl_swe_side_absorbs(&s->side[side]);
}

// A cell that has left its layer must forget.
void rl_swe_forget_outside_absorbing(rl_swe *s)
{
    const rl_swe_absorbing *l = &s->absorbing;
    for (int n = 0; n < 2; n++)
        for (int y = 0; y < s->ny; y++) {
            float *phi = rill_field_row(&s->moving[n].phi, y);
            for (int i = 0; i < s->nx; i++)
                if (!(l->profile_x[i] > 0.0f) && !(l->profile_y[y] > 0.0f))
                    phi[i] = 0.0f;
        }
}

static int runs_of_row(const rl_swe *s, bool whole, int first[2], int end[2])
{
    return rl_swe_layer_runs(s->nx, s->def.absorb_cells, whole,
                             rl_swe_side_absorbs(&s->side[RILL_SIDE_WEST]),
                             rl_swe_side_absorbs(&s->side[RILL_SIDE_EAST]), first, end);
}

double rl_swe_absorb_in_row(const rl_swe *s, int y, const rl_swe_moving *old, float *depth,
                            float *phi)
{
    RL_ASSERT(s->absorbing.on && y >= 0 && y < s->ny);
    const rl_swe_absorbing *l = &s->absorbing;
    int firsts[2], ends[2];
    const int count = runs_of_row(s, l->profile_y[y] > 0.0f, firsts, ends);
    double added = 0.0;
    for (int n = 0; n < count; n++) {
        const int first = firsts[n], cells = ends[n] - first;
        const rl_swe_absorb_row row = {
            .first = first,
            .end = ends[n],
            .bed = rill_field_row(&s->bed, y),
            .profile_x = l->profile_x,
            .level_x = l->level_x,
            .profile_y = l->profile_y[y],
            .level_y = l->level_y[y],
            .gravity = (float)s->gravity,
            .u = rill_field_row(&old->u, y),
            .v_south = rill_field_row(&old->v, y - 1),
            .v = rill_field_row(&old->v, y),
            .phi = rill_field_row(&old->phi, y),
            .phi_out = phi,
            .depth = depth,
        };
        added -= rl_run_sum(depth + first, cells);
        s->rows->absorb(&row, s->k);
        added += rl_run_sum(depth + first, cells);
    }
    return added;
}

void rl_swe_damp_in_row(const rl_swe *s, int y, float *u, float *v)
{
    RL_ASSERT(s->absorbing.on && y >= 0 && y < s->ny);
    const rl_swe_absorbing *l = &s->absorbing;
    const int north = y + 1 < s->ny ? y + 1 : y;
    int firsts[2], ends[2];
    const bool whole = l->profile_y[y] > 0.0f || l->profile_y[north] > 0.0f;
    const int count = runs_of_row(s, whole, firsts, ends);
    for (int n = 0; n < count; n++) {
        const rl_swe_damp_row row = {
            .first = firsts[n],
            .end = ends[n],
            .bed = rill_field_row(&s->bed, y),
            .bed_north = rill_field_row(&s->bed, y + 1),
            .profile_x = l->profile_x,
            .level_x = l->level_x,
            .profile_y = l->profile_y[y],
            .level_y = l->level_y[y],
            .profile_y_north = l->profile_y[north],
            .level_y_north = l->level_y[north],
            .gravity = (float)s->gravity,
            .u = u,
            .v = v,
        };
        s->rows->damp(&row, s->k);
    }
}
