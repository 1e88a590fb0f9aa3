// SPDX-License-Identifier: MIT
// pipes_deposit.c - giving water to cells and taking it, exactly: what a float cannot hold of it
// goes into the cell's remainder.
#include "solvers/pipes/pipes.h"

#include "solvers/shared/deposit_run.h"

double rl_pipes_deposit(void *self, const rl_deposit *deposit)
{
    rl_pipes *s = self;
    const int y = deposit->row;
    float *depth = rill_field_row(&s->depth, y) + deposit->first;
    float *remainder = rill_field_row(&s->remainder, y) + deposit->first;
    double given;
    float deepest = s->raised[y] > 0.0f ? s->raised[y] : 0.0f;
    if (!rl_run_some_negative(deposit->depth, deposit->count)) {
        given = rl_run_sum(deposit->depth, deposit->count);
        const float now = rl_run_add(depth, remainder, deposit->depth, deposit->count);
        deepest = now > deepest ? now : deepest;
    } else {
        given = rl_run_change(depth, remainder, deposit->depth, deposit->count);
        const float now = rl_run_largest(depth, deposit->count);
        deepest = now > deepest ? now : deepest;
    }
    // A face's share of the cells beside it is one cell's area, so half of a cell's momentum goes
    // to each of its two faces.
    const float per_face = (float)(0.5 / (s->cell_size * s->cell_size));
    for (int i = 0; deposit->momentum_x != NULL && i < deposit->count; i++) {
        float *qx = rill_field_row(&s->qx, y) + deposit->first + i;
        // What pushes against the border is the border's.
        if (deposit->first + i > 0)
            qx[-1] += deposit->momentum_x[i] * per_face;
        if (deposit->first + i + 1 < s->nx)
            qx[0] += deposit->momentum_x[i] * per_face;
    }
    for (int i = 0; deposit->momentum_y != NULL && i < deposit->count; i++) {
        if (y > 0)
            rill_field_row(&s->qy, y - 1)[deposit->first + i] += deposit->momentum_y[i] * per_face;
        if (y + 1 < s->ny)
            rill_field_row(&s->qy, y)[deposit->first + i] += deposit->momentum_y[i] * per_face;
    }
    s->raised[y] = deepest;
    rl_pipes_depth_changed(s, y, deposit->first, deposit->count);
    if (deposit->momentum_x != NULL || deposit->momentum_y != NULL)
        rl_pipes_flow_changed(s, y, deposit->first, deposit->count);
    return given * s->cell_size * s->cell_size;
}
