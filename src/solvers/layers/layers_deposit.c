// SPDX-License-Identifier: MIT
// layers_deposit.c - giving liquid to columns and taking it, exactly: what a float cannot hold of
// it goes into the column's remainder.
#include "solvers/layers/layers.h"

#include "core/assert.h"
#include "solvers/shared/grid_solver.h"

void rl_layers_put(rl_layers *s, size_t slot, double amount)
{
    RL_ASSERT(amount >= 0.0 && rl_layers_live(s, slot));
    const float base = s->base.origin[slot];
    const float top = s->on_solid ? s->range_max.origin[slot] : base;
    s->depth.origin[slot] =
        rl_layers_hold(amount, s->on_solid, base, top, &s->remainder.origin[slot]);
}

static const float *tops_of(const rl_layers *s)
{
    return s->on_solid ? s->range_max.origin : NULL;
}

// Any deposit. A dead slot neither gives nor takes. Returns the sum of what was given, metres.
static double change_run(rl_layers *s, size_t slot, const float *amounts, int count)
{
    double given = 0.0;
    for (int i = 0; i < count; i++, slot++)
        if (rl_layers_live(s, slot))
            given += rl_layers_change(&s->depth.origin[slot], &s->remainder.origin[slot],
                                      amounts[i], s->on_solid, s->base.origin[slot],
                                      rl_layers_top(tops_of(s), (ptrdiff_t)slot));
    return given;
}

// Half of a column's momentum goes to each of its two faces: a face's limiter of the columns beside
// it is one column's area. Faces that join nothing, as those at walls, take none.
static void push(rl_layers *s, float *q, ptrdiff_t i, ptrdiff_t j, float amount)
{
    if (rl_layers_slots_joined(s->base.origin, tops_of(s), i, j))
        *q += amount;
}

static void give_momentum(rl_layers *s, const rl_deposit *deposit)
{
    const float per_face = (float)(0.5 / (s->cell_size * s->cell_size));
    const ptrdiff_t pitch = (ptrdiff_t)s->base.pitch;
    s->quiet[rl_layers_flag_of(s, deposit->layer, deposit->row - 1)] = 0;
    for (int n = 0; n < deposit->count; n++) {
        const ptrdiff_t here =
            (ptrdiff_t)rl_layers_slot(s, deposit->layer, deposit->first + n, deposit->row);
        if (deposit->momentum_x != NULL) {
            const float amount = deposit->momentum_x[n] * per_face;
            push(s, &s->qx.origin[here - 1], here, here - 1, amount);
            push(s, &s->qx.origin[here], here, here + 1, amount);
        }
        if (deposit->momentum_y != NULL) {
            const float amount = deposit->momentum_y[n] * per_face;
            push(s, &s->qy.origin[here - pitch], here, here - pitch, amount);
            push(s, &s->qy.origin[here], here, here + pitch, amount);
        }
    }
}

double rl_layers_deposit(void *self, const rl_deposit *deposit)
{
    rl_layers *s = self;
    RL_ASSERT(deposit->first >= 0 && deposit->first + deposit->count <= s->nx);
    RL_ASSERT(deposit->row >= 0 && deposit->row < s->ny);
    const int y = deposit->row, count = deposit->count;
    if (deposit->layer < 0 || deposit->layer >= s->planes)
        return 0.0;
    const size_t slot = rl_layers_slot(s, deposit->layer, deposit->first, y);
    float *depth = s->depth.origin + slot, *remainder = s->remainder.origin + slot;
    double given;
    if (deposit->layer == 0 && !rl_run_some_negative(deposit->depth, count)) {
        given = rl_run_sum(deposit->depth, count);
        rl_run_add(depth, remainder, deposit->depth, count);
    } else {
        given = change_run(s, slot, deposit->depth, count);
    }
    const float deepest = rl_run_largest(depth, count);
    s->running_max[y] = deepest > s->running_max[y] ? deepest : s->running_max[y];
    s->quiet[rl_layers_flag_of(s, deposit->layer, y)] = 0;
    if (deposit->momentum_x != NULL || deposit->momentum_y != NULL)
        give_momentum(s, deposit);
    return given * s->cell_size * s->cell_size;
}
