// SPDX-License-Identifier: MIT
// pipes_deposit.c - giving water to cells and taking it, exactly: what a float cannot hold of it
// goes into the cell's remainder.
#include "solvers/pipes/pipes.h"

#include "core/assert.h"
#include "solvers/shared/grid_solver.h"

double rl_pipes_deposit(void *self, const rl_deposit *deposit)
{
    rl_pipes *s = self;
    const int y = deposit->row;
    RL_ASSERT(deposit->layer == 0 && y >= 0 && y < s->ny);
    RL_ASSERT(deposit->first >= 0 && deposit->first + deposit->count <= s->nx);
    float *depth = rill_field_row(&s->depth, y) + deposit->first;
    float *remainder = rill_field_row(&s->remainder, y) + deposit->first;
    float deepest = s->running_max[y] > 0.0f ? s->running_max[y] : 0.0f;
    const double given = rl_run_deposit(depth, remainder, deposit->depth, deposit->count, &deepest);
    // The part of the cells beside it that a face stands for is one cell's area, so half of a
    // cell's momentum goes to each of its two faces.
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
    s->running_max[y] = deepest;
    rl_pipes_depth_changed(s, y, deposit->first, deposit->count);
    if (deposit->momentum_x != NULL || deposit->momentum_y != NULL)
        rl_pipes_flow_changed(s, y, deposit->first, deposit->count);
    return given * s->cell_size * s->cell_size;
}
