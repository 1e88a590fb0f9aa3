// SPDX-License-Identifier: MIT
// substeps.h - how a step of the world is divided into substeps; written once for the host's loop
// and for devices that take a whole step by themselves.
#pragma once

#include "core/cell.h"

#include <math.h>
#include <stdbool.h>

typedef struct rl_substeps {
    double left;      // of the step, seconds; 0: it is done
    double max_step;  // longest substep, seconds, if positive
    int max_substeps; // that the whole step may take
    int substeps;     // taken so far
    int capped;       // 1: more were wanted than allowed
    int wanted;       // from here on, of the length `substep`
    double substep;   // seconds
    double stable;    // the longest that was stable, seconds
    bool single;      // stop after the next substep; what is left then stands in `rest`
    double rest;      // seconds
} rl_substeps;

// Substeps that bring the water `left` seconds on, if nothing changes on the way. A billionth of
// tolerance keeps a step of exactly n stable steps at n, whatever the division rounds to.
RL_CELL int rl_substeps_left(double left, double stable)
{
    const double wanted = ceil(left / stable - 1e-9);
    return wanted < 1.0 ? 1 : wanted > 1e6 ? 1000000 : (int)wanted;
}

// Chooses the next substep where `stable` seconds are the longest stable one. Depths change while
// the water moves, so this is asked before every substep and what is left is divided anew.
RL_CELL void rl_substeps_choose(rl_substeps *s, double stable)
{
    double longest = stable;
    s->stable = stable;
    if (s->max_step > 0.0)
        longest = fmin(longest, s->max_step);
    s->wanted = rl_substeps_left(s->left, longest);
    const int allowed = s->max_substeps - s->substeps;
    if (s->wanted > allowed) {
        s->wanted = allowed < 1 ? 1 : allowed;
        s->capped = 1;
    }
    s->substep = s->wanted == 1 ? s->left : s->left / s->wanted;
}

// The substep that was chosen has been taken.
RL_CELL void rl_substeps_taken(rl_substeps *s)
{
    s->substeps++;
    s->left = s->wanted == 1 ? 0.0 : s->left - s->substep;
    if (s->single) {
        s->rest = s->left;
        s->left = 0.0;
    }
}

// How many more there will be, as far as that is known now.
RL_CELL int rl_substeps_ahead(const rl_substeps *s)
{
    return s->single ? 1 : s->wanted;
}
