// SPDX-License-Identifier: MIT
// border_flow.h - what lies beyond the borders of a grid of columns, what passes them, and how that
// is booked.
#pragma once

#include "solvers/shared/sentinels_cell.h"
#include "solvers/solver.h"

// ---- Beyond a border -------------------------------------------------------------------

// The column of a ghost cell.
typedef struct rl_ghost {
    float bed, depth; // metres
} rl_ghost;

// Beyond a border lies one ghost cell: a wall that no water climbs, dry ground (a drain), or ground
// under water up to the border's level. `edge` is the bed of the cell at the border, `inner` that
// of the cell behind it.
static inline rl_ghost rl_ghost_beyond(rill_border border, float level, float edge, float inner)
{
    const float over = level - edge;
    switch (border) {
    case RILL_BORDER_DRAIN:
        // Ground that falls towards the border falls on: water leaves as fast as it came.
        return (rl_ghost){edge < inner ? edge - (inner - edge) : edge, 0.0f};
    case RILL_BORDER_LEVEL:
        return (rl_ghost){edge, over > 0.0f ? over : 0.0f};
    default: // the world refuses what is not in rl_solver_ops.borders
        return (rl_ghost){RL_WALL, 0.0f};
    }
}

// ---- Through a border ------------------------------------------------------------------

// A drain lets nothing in, whatever the smoothing of neighbouring faces made of the discharges at
// the two ends of a row.
static inline void rl_clip_drains(const rill_border border[RILL_SIDE_COUNT], float *qx, int nx)
{
    if (border[RILL_SIDE_WEST] == RILL_BORDER_DRAIN && qx[-1] > 0.0f)
        qx[-1] = 0.0f;
    if (border[RILL_SIDE_EAST] == RILL_BORDER_DRAIN && qx[nx - 1] < 0.0f)
        qx[nx - 1] = 0.0f;
}

// ---- Booking ---------------------------------------------------------------------------

static inline void rl_exchange_book(rl_exchange *moved, double inward)
{
    if (inward > 0.0)
        moved->in += inward;
    else
        moved->out -= inward;
}

// The faces of a row at a border; `inward` is 1 where they are counted into the grid, else -1.
static inline void rl_exchange_book_row(rl_exchange *moved, const float *q, int count,
                                        double inward)
{
    for (int i = 0; i < count; i++)
        rl_exchange_book(moved, inward * (double)q[i]);
}

// Adds what a band has booked, times the volume that a unit of it stands for, m^3.
static inline void rl_exchange_add(rl_exchange *sum, const rl_exchange *moved, double volume)
{
    sum->in += moved->in * volume;
    sum->out += moved->out * volume;
}
