// SPDX-License-Identifier: MIT
// cell_any.h - loads and stores vectors at any address; rl_load and rl_store of cell.h are for
// aligned rows.
#pragma once

#include "core/cell.h"

#include <string.h>

RL_CELL rl_real rl_load_any(const float *p)
{
    rl_real a;
    memcpy(&a, p, sizeof a);
    return a;
}

RL_CELL void rl_store_any(float *p, rl_real a)
{
    memcpy(p, &a, sizeof a);
}
