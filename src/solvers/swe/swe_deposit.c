// SPDX-License-Identifier: MIT
// swe_deposit.c - giving water to cells and taking it, exactly: what a float cannot hold of it goes
// into the cell's remainder. Water may bring momentum (Chentanez and Müller Eq. 18 with the depth
// of the face: erratum 18 to Chentanez and Müller): a cell is half of what each of its two faces
// along an axis carries, so
//
//     u' = (hbar u + m / 2) / (hbar + delta / 2)
//
// at both, with delta the depth and m the momentum per area that came. The sum of hbar u over all
// faces changes by m.
#include "solvers/swe/swe.h"

#include "core/assert.h"
#include "solvers/swe/swe_deposit_inline.h"

#include <math.h>

// ---- Momentum --------------------------------------------------------------------------

// A face beside a cell: the cell on its other side, or none beyond the border.
typedef struct side_face {
    float *velocity;
    bool open;
    double depths; // of both cells, before the deposit
} side_face;

// The face of cell (i, y) on side `way` (-1 or 1) along `axis`, after its depth has grown by
// `given`.
static side_face face_beside(const rl_swe *s, int axis, int i, int y, int way, double given)
{
    const int x = axis == 0 ? i + way : i, z = axis == 0 ? y : y + way;
    if (x < 0 || x >= s->nx || z < 0 || z >= s->ny)
        return (side_face){0};
    const int face_i = x < i ? x : i, face_y = z < y ? z : y; // the face lies east or north of it
    const rill_field *field = axis == 0 ? &rl_swe_now(s)->u : &rl_swe_now(s)->v;
    const rl_swe_end here = rl_swe_end_at(s, i, y), there = rl_swe_end_at(s, x, z);
    return (side_face){
        .velocity = &rill_field_row(field, face_y)[face_i],
        .open = !rl_swe_is_marked(s, axis, face_i, face_y) &&
                !rl_swe_is_wall(here, there, rl_swe_fall_between(here, there), s->k),
        .depths = (double)here.depth + (double)there.depth - given,
    };
}

static void push_face(const side_face *f, double m, double given)
{
    if (f->velocity != NULL && f->open)
        *f->velocity = rl_swe_push_face(*f->velocity, f->depths, m, given);
}

// Momentum `m` along an axis, m^2/s, for a cell that was given the depth `given`.
static void push_cell(rl_swe *s, int axis, int i, int y, double m, double given)
{
    const side_face low = face_beside(s, axis, i, y, -1, given);
    const side_face high = face_beside(s, axis, i, y, 1, given);
    const double to_low = rl_swe_deposit_to_low(low.open, high.open);
    push_face(&low, to_low * m, given);
    push_face(&high, (1.0 - to_low) * m, given);
    float *most = axis == 0 ? &s->largest.u : &s->largest.v;
    if (low.velocity != NULL)
        *most = fmaxf(*most, fabsf(*low.velocity));
    if (high.velocity != NULL)
        *most = fmaxf(*most, fabsf(*high.velocity));
}

static double change_with_momentum(rl_swe *s, const rl_deposit *d)
{
    const double area = s->cell_size * s->cell_size;
    const int y = d->row;
    double sum = 0.0;
    for (int n = 0; n < d->count; n++) {
        const int i = d->first + n;
        const double given =
            rl_deposit_change(&rill_field_row(&rl_swe_now(s)->depth, y)[i],
                              &rill_field_row(&rl_swe_now(s)->remainder, y)[i], d->depth[n]);
        sum += given;
        if (d->momentum_x != NULL)
            push_cell(s, 0, i, y,
                      rl_swe_deposit_momentum(d->depth[n], given, d->momentum_x[n], area), given);
        if (d->momentum_y != NULL)
            push_cell(s, 1, i, y,
                      rl_swe_deposit_momentum(d->depth[n], given, d->momentum_y[n], area), given);
    }
    rl_swe_slip_row(s, y - 1);
    rl_swe_slip_row(s, y);
    return sum;
}

double rl_swe_deposit(void *self, const rl_deposit *deposit)
{
    rl_swe *s = self;
    const int y = deposit->row;
    RL_ASSERT(deposit->layer == 0 && y >= 0 && y < s->ny);
    RL_ASSERT(deposit->first >= 0 && deposit->first + deposit->count <= s->nx);
    float *depth = rill_field_row(&rl_swe_now(s)->depth, y) + deposit->first;
    float *remainder = rill_field_row(&rl_swe_now(s)->remainder, y) + deposit->first;
    float deepest = s->running_max[y] > 0.0f ? s->running_max[y] : 0.0f;
    double given;
    if (deposit->momentum_x != NULL || deposit->momentum_y != NULL) {
        given = change_with_momentum(s, deposit);
        deepest = fmaxf(deepest, rl_run_largest(depth, deposit->count));
    } else {
        given = rl_run_deposit(depth, remainder, deposit->depth, deposit->count, &deepest);
    }
    s->running_max[y] = deepest;
    return given * s->cell_size * s->cell_size;
}
