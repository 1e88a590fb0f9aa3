// SPDX-License-Identifier: MIT
// edge_owners.c - claims edge vertices, row by row, after all ends of sheets are known.
#include "surface/edge_owners_inline.h"

// Edge vertices of the points [first, end) of a lattice row.
static void claim_row(const rl_surface *s, int j, int layer, rl_surface_row drawn)
{
    const size_t at = rl_surface_at(s, 0, j, layer);
    const size_t cell = rl_surface_at(s, 0, rl_surface_clamp(j, s->ny), layer);
    memset(s->extra + at + drawn.first, 0, (size_t)(drawn.end - drawn.first));
    if (!s->ranged)
        return; // no sheet ends at a wall
    const uint8_t *crossed = s->crossed + cell, *wet = s->wet + cell;
    const int first = drawn.first < 0 ? 0 : drawn.first,
              end = drawn.end < s->nx ? drawn.end : s->nx;
    if (drawn.first < 0 && crossed[0] && wet[0])
        rl_edge_owner(s, -1, j, layer);
    for (int i = rl_surface_next(crossed, first, end); i < end;
         i = rl_surface_next(crossed, i + 1, end))
        if (wet[i])
            rl_edge_owner(s, i, j, layer);
    if (drawn.end > s->nx && crossed[s->nx - 1] && wet[s->nx - 1])
        rl_edge_owner(s, s->nx, j, layer);
}

void rl_surface_own_edges(void *context, int tile)
{
    const rl_surface *s = context;
    const int end = rl_surface_tile_end(s, tile);
    for (int j = rl_surface_tile_first(tile); j < end; j++)
        for (int layer = 0; layer < s->layers; layer++) {
            const rl_surface_row drawn = rl_surface_drawn(s, j, layer);
            if (drawn.end != 0)
                claim_row(s, j, layer, drawn);
        }
}
