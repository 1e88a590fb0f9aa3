// SPDX-License-Identifier: MIT
// pipes_border.c - what lies beyond the four borders of the grid.
#include "solvers/pipes/pipes.h"

#include "core/assert.h"

rl_ghost rl_pipes_ghost(const rl_pipes *s, rill_side side, int n)
{
    const bool column = side == RILL_SIDE_WEST || side == RILL_SIDE_EAST;
    const int last = column ? s->nx - 1 : s->ny - 1;
    const bool low = side == RILL_SIDE_WEST || side == RILL_SIDE_SOUTH;
    const int edge = low ? 0 : last, inner = low ? 1 : last - 1;
    RL_ASSERT(n >= 0 && n < (column ? s->ny : s->nx));
    return rl_ghost_beyond(s->border[side], s->border_level[side],
                           rill_field_row(&s->bed, column ? n : edge)[column ? edge : n],
                           rill_field_row(&s->bed, column ? n : inner)[column ? inner : n]);
}

static void set_ghost(rl_pipes *s, rill_side side, int n)
{
    const int i = side == RILL_SIDE_WEST ? -1 : side == RILL_SIDE_EAST ? s->nx : n;
    const int y = side == RILL_SIDE_SOUTH ? -1 : side == RILL_SIDE_NORTH ? s->ny : n;
    const rl_ghost ghost = rl_pipes_ghost(s, side, n);
    rill_field_row(&s->bed, y)[i] = ghost.bed;
    rill_field_row(&s->depth, y)[i] = ghost.depth;
}

void rl_pipes_set_ghosts(rl_pipes *s)
{
    const int nx = s->nx, ny = s->ny;
    for (int y = 0; y < ny; y++) {
        float *qx = rill_field_row(&s->qx, y);
        set_ghost(s, RILL_SIDE_WEST, y);
        set_ghost(s, RILL_SIDE_EAST, y);
        if (!rl_pipes_is_open(s, RILL_SIDE_WEST))
            qx[-2] = qx[-1] = 0.0f;
        if (!rl_pipes_is_open(s, RILL_SIDE_EAST))
            qx[nx] = qx[nx - 1] = 0.0f;
    }
    for (int i = 0; i < nx; i++) {
        set_ghost(s, RILL_SIDE_SOUTH, i);
        set_ghost(s, RILL_SIDE_NORTH, i);
        if (!rl_pipes_is_open(s, RILL_SIDE_SOUTH))
            rill_field_row(&s->qy, -1)[i] = 0.0f;
        if (!rl_pipes_is_open(s, RILL_SIDE_NORTH))
            rill_field_row(&s->qy, ny - 1)[i] = 0.0f;
    }
    s->halos_stale = true;
}
