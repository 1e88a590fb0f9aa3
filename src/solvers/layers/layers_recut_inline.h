// SPDX-License-Identifier: MIT
// layers_recut_inline.h - a column and the liquid in it while the ground is cut anew.
#pragma once

#include "core/assert.h"
#include "solvers/layers/layers.h"

#include "rill/support.h"

#include <math.h>

// A column, or what was one; in the order from below.
typedef struct column {
    size_t slot;
    double base, top;
    double amount; // metres of liquid
} column;

static inline double content(const rl_layers *s, size_t slot)
{
    return (double)s->depth.origin[slot] + (double)s->remainder.origin[slot];
}

static inline double capacity_of(const column *c)
{
    return c->top >= (double)RL_SOLID_SKY ? (double)INFINITY
                                          : fmax(c->top - c->base - c->amount, 0.0);
}

static inline double pour(column *c, double amount)
{
    const double taken = fmin(amount, capacity_of(c));
    c->amount += taken;
    return taken;
}

static inline void note_depth(rl_layers *s, size_t slot, int j)
{
    RL_ASSERT(j >= 0 && j < s->ny);
    const float depth = s->depth.origin[slot];
    s->running_max[j] = depth > s->running_max[j] ? depth : s->running_max[j];
}

// Writes down that nothing is known any more of what fits into the columns of any cell; of those of
// one cell (layers_hand_out.c).
void rl_layers_free_forget(rl_layers *s);
void rl_layers_free_changed(rl_layers *s, int i, int j);

// Parts 5 and 6 of layers_recut.c: hands `left` metres of liquid of a cell, which stood up to
// `level`, to the columns around it. Returns what fits nowhere.
double rl_layers_hand_out(rl_layers *s, int i, int j, double level, double left);
