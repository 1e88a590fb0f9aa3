// SPDX-License-Identifier: MIT
// layers_border.c - what lies beyond the four sides of the grid: dead slots behind walls, else one
// ghost column beside every column at the border, covered ones too.
#include "solvers/layers/layers.h"

#include "core/assert.h"
#include "solvers/layers/layers_cell.h"

#include <string.h>

static void make_dead(rl_layers *s, int plane, ptrdiff_t slot)
{
    RL_ASSERT(plane >= 0 && plane < s->planes);
    s->base.origin[slot] = plane == 0 ? RL_FAR : 0.0f;
    s->depth.origin[slot] = 0.0f;
    if (s->on_solid) {
        s->range_min.origin[slot] = RL_FAR;
        s->range_max.origin[slot] = -RL_FAR;
    }
}

// `ghost` is the slot beyond `edge`, `inner` the one behind it.
static void set_ghost(rl_layers *s, rill_side side, int plane, ptrdiff_t ghost, size_t edge,
                      size_t inner)
{
    if (!rl_layers_is_open(s, side) || !rl_layers_live(s, edge)) {
        make_dead(s, plane, ghost);
        return;
    }
    float *base = s->base.origin;
    const float here = base[edge];
    float top = RL_SOLID_SKY;
    bool joined = true;
    if (s->on_solid) {
        const float *max = s->range_max.origin;
        top = max[edge];
        joined = rl_layers_joined(here, top, base[inner], max[inner]);
        s->range_min.origin[ghost] = s->range_min.origin[edge];
        s->range_max.origin[ghost] = top;
    }
    // Ground behind a wall is none that falls on.
    const rl_ghost beyond =
        rl_ghost_beyond(s->border[side], s->border_level[side], here, joined ? base[inner] : here);
    base[ghost] = beyond.bed;
    float depth = beyond.depth;
    if (plane > 0 && rl_layers_above(here, depth, top))
        depth = rl_layers_full_depth(here, top);
    s->depth.origin[ghost] = depth;
    s->deepest_beyond = depth > s->deepest_beyond ? depth : s->deepest_beyond;
}

// Nothing flows through a wall, whatever the border was before.
static void close_walls_of_row(rl_layers *s, int plane, int y)
{
    float *qx = rl_layers_row(s, &s->qx, plane, y);
    if (!rl_layers_is_open(s, RILL_SIDE_WEST))
        qx[-2] = qx[-1] = rl_layers_row(s, &s->raw_x, plane, y)[-1] = 0.0f;
    if (!rl_layers_is_open(s, RILL_SIDE_EAST))
        qx[s->nx] = qx[s->nx - 1] = 0.0f;
}

static void set_ghosts_of_plane(rl_layers *s, int plane)
{
    const int nx = s->nx, ny = s->ny;
    const ptrdiff_t pitch = (ptrdiff_t)s->base.pitch;
    for (int y = 0; y < ny; y++) {
        const size_t west = rl_layers_slot(s, plane, 0, y), east = west + (size_t)nx - 1;
        set_ghost(s, RILL_SIDE_WEST, plane, (ptrdiff_t)west - 1, west, west + 1);
        set_ghost(s, RILL_SIDE_EAST, plane, (ptrdiff_t)east + 1, east, east - 1);
        close_walls_of_row(s, plane, y);
    }
    for (int i = 0; i < nx; i++) {
        const size_t south = rl_layers_slot(s, plane, i, 0);
        const size_t north = rl_layers_slot(s, plane, i, ny - 1);
        const ptrdiff_t beyond_south = (ptrdiff_t)south - pitch;
        set_ghost(s, RILL_SIDE_SOUTH, plane, beyond_south, south, south + (size_t)pitch);
        set_ghost(s, RILL_SIDE_NORTH, plane, (ptrdiff_t)north + pitch, north,
                  north - (size_t)pitch);
        if (!rl_layers_is_open(s, RILL_SIDE_SOUTH))
            s->qy.origin[beyond_south] = s->raw_y.origin[beyond_south] = 0.0f;
        if (!rl_layers_is_open(s, RILL_SIDE_NORTH))
            s->qy.origin[north] = 0.0f;
    }
}

// Every change of the ground or the borders comes through here, so no row is known to be quiet.
void rl_layers_set_ghosts(rl_layers *s)
{
    s->deepest_beyond = 0.0f;
    memset(s->quiet, 0, (size_t)s->planes * ((size_t)s->ny + 2));
    memset(s->at_rest, 0, (size_t)s->planes * ((size_t)s->ny + 2));
    for (int plane = 0; plane < s->planes; plane++)
        set_ghosts_of_plane(s, plane);
}
