// SPDX-License-Identifier: MIT
// pipes_border.c - what lies beyond the four sides of the grid.
#include "solvers/pipes/pipes.h"

// `edge` is the bed of the cell at the border, `inner` that of the cell behind it.
static void set_ghost(const rl_pipes *s, rill_side side, float edge, float inner, float *bed,
                      float *depth)
{
    const float over = s->border_level[side] - edge;
    *depth = 0.0f;
    switch (s->border[side]) {
    case RILL_BORDER_WALL:
    default: // what only the swe water knows is refused by the world
        *bed = RL_PIPES_WALL;
        break;
    case RILL_BORDER_DRAIN:
        // Ground that falls towards the border falls on: water leaves as fast as it came.
        *bed = edge < inner ? edge - (inner - edge) : edge;
        break;
    case RILL_BORDER_LEVEL:
        *bed = edge;
        *depth = over > 0.0f ? over : 0.0f;
        break;
    }
}

// Beyond a border lies one ghost cell: a wall no water can climb, dry ground (a drain), or ground
// under water up to the border's level.
void rl_pipes_set_ghosts(rl_pipes *s)
{
    const int nx = s->nx, ny = s->ny;
    for (int y = 0; y < ny; y++) {
        float *bed = rill_field_row(&s->bed, y), *depth = rill_field_row(&s->depth, y);
        float *qx = rill_field_row(&s->qx, y);
        set_ghost(s, RILL_SIDE_WEST, bed[0], bed[1], &bed[-1], &depth[-1]);
        set_ghost(s, RILL_SIDE_EAST, bed[nx - 1], bed[nx - 2], &bed[nx], &depth[nx]);
        if (!rl_pipes_is_open(s, RILL_SIDE_WEST))
            qx[-2] = qx[-1] = 0.0f;
        if (!rl_pipes_is_open(s, RILL_SIDE_EAST))
            qx[nx] = qx[nx - 1] = 0.0f;
    }
    const float *south = rill_field_row(&s->bed, 0), *north = rill_field_row(&s->bed, ny - 1);
    for (int i = 0; i < nx; i++) {
        set_ghost(s, RILL_SIDE_SOUTH, south[i], rill_field_row(&s->bed, 1)[i],
                  &rill_field_row(&s->bed, -1)[i], &rill_field_row(&s->depth, -1)[i]);
        set_ghost(s, RILL_SIDE_NORTH, north[i], rill_field_row(&s->bed, ny - 2)[i],
                  &rill_field_row(&s->bed, ny)[i], &rill_field_row(&s->depth, ny)[i]);
        if (!rl_pipes_is_open(s, RILL_SIDE_SOUTH))
            rill_field_row(&s->qy, -1)[i] = 0.0f;
        if (!rl_pipes_is_open(s, RILL_SIDE_NORTH))
            rill_field_row(&s->qy, ny - 1)[i] = 0.0f;
    }
    s->halos_stale = true;
}
