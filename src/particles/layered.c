// SPDX-License-Identifier: MIT
// layered.c - particles over a solver with several columns in a cell: each particle finds the
// column that it is in. That is slower than over a heightfield, where eight are found at once, and
// such solvers break no waves: flying particles come from emitters.
//
// A column below a ceiling may have too little capacity for what lands in it. The water that it
// refuses is offered to the open column of its cell, from all refusing columns of the cell at once.
// Where there is none, it waits: every particle that came to the column turns back with its part of
// it.
#include "core/assert.h"
#include "particles/pool.h"

#define MOST_LAYERS 65 // of a world: layers.max_layers is at most 64

bool rl_layered_is(const rl_step_context *m)
{
    return m->flow->ops->solids != NULL;
}

rl_layered_columns rl_layered_columns_of(const rl_step_context *m)
{
    const float dt = (float)m->dt;
    if (!rl_layered_is(m))
        return (rl_layered_columns){0};
    return (rl_layered_columns){
        .water = m->columns, .dt = dt, .fall = 0.5f * m->flow->gravity * dt * dt};
}

// ---- Refused water ---------------------------------------------------------------------

static int deposit_of(const rl_landing *l, int refused)
{
    return (int)(l->particles->records_other[refused] >> 32);
}

static int first_record(const rl_landing *l, int refused)
{
    return (int)(uint32_t)l->particles->records_other[refused];
}

static int column_of(const rl_landing *l, int refused)
{
    return (int)(l->particles->records[first_record(l, refused)] >> 32);
}

// Returns the deposit that a column has refused, with the momentum that belongs to it, in floats as
// the solver got it.
static rl_pool_extra refused_of(const rl_landing *l, int refused)
{
    int end;
    const rl_pool_extra sum = rl_landing_sum(l, first_record(l, refused), &end);
    const double left = l->particles->left[deposit_of(l, refused)];
    return (rl_pool_extra){sum.column, left,
                           rl_layered_refused((float)sum.momentum_x, sum.volume, left),
                           rl_layered_refused((float)sum.momentum_y, sum.volume, left)};
}

// Refused deposits of one layer, in the order of their cells.
typedef struct run {
    int next, end;
} run;

static int find_runs(const rl_landing *l, run *runs)
{
    const int cells = l->scene.nx * l->scene.ny;
    int count = 0, layer = -1;
    for (int n = 0; n < l->refused; n++) {
        if (column_of(l, n) / cells != layer) {
            RL_ASSERT(count < MOST_LAYERS);
            runs[count++].next = n;
        }
        layer = column_of(l, n) / cells;
        runs[count - 1].end = n + 1;
    }
    return count;
}

// Returns the least cell of the next deposits in the runs.
static int next_cell(const rl_landing *l, const run *runs, int count)
{
    const rl_layered_columns *c = &l->scene.layered;
    int next = c->water.nx * c->water.ny;
    for (int n = 0; n < count; n++) {
        const int cell =
            runs[n].next < runs[n].end ? rl_layered_cell(c, column_of(l, runs[n].next)) : next;
        next = cell < next ? cell : next;
    }
    return next;
}

// Gives open columns the water that those below them have refused, in the order of cells; returns
// the rest.
static double give_on_top(const rl_landing *l)
{
    const rl_layered_columns *c = &l->scene.layered;
    run runs[MOST_LAYERS];
    const int count = find_runs(l, runs), cells = c->water.nx * c->water.ny;
    rl_part_sum rest = {0};
    for (int cell; (cell = next_cell(l, runs, count)) < cells;) {
        rl_pool_extra sum = {.column = cell};
        for (int n = 0; n < count; n++) {
            if (runs[n].next == runs[n].end ||
                rl_layered_cell(c, column_of(l, runs[n].next)) != cell)
                continue;
            const rl_pool_extra more = refused_of(l, runs[n].next++);
            sum.volume += more.volume;
            sum.momentum_x += more.momentum_x;
            sum.momentum_y += more.momentum_y;
        }
        if (rl_layered_has_open(c, cell))
            rl_part_sum_add(&rest, rl_landing_give(l, &sum));
    }
    return rl_part_sum_value(&rest);
}

// Turns the particles of a column back, each with its part of the refused water; returns the part
// of it that they do not hold.
static double refuse(const rl_landing *l, int refused)
{
    rl_particles *p = l->particles;
    int end;
    const int first = first_record(l, refused);
    const double wanted = rl_landing_sum(l, first, &end).volume,
                 left = p->left[deposit_of(l, refused)];
    double held = 0.0;
    for (int n = first; n < end; n++) {
        const uint32_t number = (uint32_t)p->records[n] & ~RL_LANDING_WET;
        if ((int)number >= l->count)
            continue;
        const int place = rl_landing_place(p, number);
        const rl_flyer f = rl_flyer_at(p->arrays, place);
        const rl_flyer back = rl_layered_turned_back(&l->scene.layered, &f);
        float *volume = &p->arrays[RL_POOL_VOLUME][place];
        rl_put_flyer(p->arrays, place, &back);
        *volume = rl_layered_remainder(*volume, wanted, left);
        held += (double)*volume;
        p->list[number] |= RL_LANDING_STAYS;
        p->records[n] &= ~(uint64_t)RL_LANDING_WET;
    }
    return left - held;
}

// The momentum of the refused water leaves its column again.
double rl_layered_give_back(rl_landing *l)
{
    const rl_layered_columns *c = &l->scene.layered;
    const double rest = l->refused > 0 ? give_on_top(l) : 0.0;
    for (int n = 0; n < l->refused; n++) {
        const rl_pool_extra r = refused_of(l, n);
        const rl_pool_extra back = {r.column, 0.0, -r.momentum_x, -r.momentum_y};
        double *left = &l->particles->left[deposit_of(l, n)];
        rl_landing_give(l, &back);
        const bool waits = !rl_layered_has_open(c, rl_layered_cell(c, r.column));
        *left = waits ? refuse(l, n) : 0.0;
    }
    return rest;
}
