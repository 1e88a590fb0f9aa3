// SPDX-License-Identifier: MIT
// stacks.h - the columns above each other in a cell, side by side in memory. Without them a search
// for what a neighbouring cell has at some elevation would read a distant place for each layer.
// They are made anew only when the ground has changed.
#pragma once

#include "surface/lattice.h"

typedef struct rl_stack_entry {
    float low, base, high; // lower end of the range, floor, ceiling, metres
    int layer;
} rl_stack_entry;

// Makes the stacks of s->columns, which have ranges.
void rl_stacks_make(rl_surface *s, rl_surface_runner runner);

// Returns the columns of a cell in ascending order of their layers; `count` of them. A surface of
// one layer has no stacks: its column is written to `one`.
RL_CELL const rl_stack_entry *rl_stack_of(const rl_surface *s, int i, int j, rl_stack_entry *one,
                                          int *count)
{
    if (s->stack_first == NULL) {
        const size_t at = rl_surface_column(s, i, j, 0);
        one->low = s->columns.range_min[at];
        one->base = s->columns.base[at];
        one->high = s->columns.range_max[at];
        one->layer = 0;
        *count = 1;
        return one;
    }
    const size_t cell = (size_t)j * (size_t)s->nx + (size_t)i;
    *count = (int)(s->stack_first[cell + 1] - s->stack_first[cell]);
    return s->stacks + s->stack_first[cell];
}
