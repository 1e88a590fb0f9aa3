// SPDX-License-Identifier: MIT
// meniscus.c - the meniscus of all vertices of a mesh (Dagenais section 5.1).
//
// Distances to the nearest boundary column are found by dead reckoning (Dagenais section 5.1, after
// Grevera): wet columns that are linked to a dry one or that are beside a wall form the first ring;
// then, step by step inwards, a column takes over the boundary column of a linked one where that is
// a shorter way, with its own straight distance to it. There are as many steps as the meniscus is
// long. Only columns beside some that changed in the last step are visited.
//
// The boundary is half a cell before the centre of the boundary column (erratum 18 to Dagenais).
#include "core/assert.h"
#include "surface/meniscus_inline.h"

#include <string.h>

// ---- First ring --------------------------------------------------------------------------

static void ring_tile(void *context, int tile)
{
    const rl_surface *s = context;
    const int end = rl_surface_tile_end(s, tile);
    for (int j = rl_surface_tile_first(tile); j < end; j++)
        for (int layer = 0; layer < s->layers && j >= 0 && j < s->ny; layer++) {
            const size_t at = rl_surface_at(s, 0, j, layer);
            memset(s->moved[0] + at, 0, (size_t)s->nx);
            const rl_surface_row row = *rl_surface_row_of(s, j, layer);
            for (int i = row.first; i < row.end; i++)
                if (s->wet[at + (size_t)i])
                    rl_meniscus_first_ring(s, i, j, layer);
        }
}

// ---- Steps inwards -----------------------------------------------------------------------

static void beside_moved(uint8_t *restrict any, const uint8_t *restrict south,
                         const uint8_t *restrict here, const uint8_t *restrict north, int n)
{
    for (int i = 0; i < n; i++)
        any[i] = south[i - 1] | south[i] | south[i + 1] | here[i - 1] | here[i] | here[i + 1] |
                 north[i - 1] | north[i] | north[i + 1];
}

static void step_row(const rl_surface *s, int j, int layer, uint8_t *any)
{
    RL_ASSERT(j >= 0 && j < s->ny);
    const rl_surface_row row = *rl_surface_row_of(s, j, layer);
    if (row.end == 0)
        return;
    const size_t at = rl_surface_at(s, row.first, j, layer);
    const int n = row.end - row.first;
    const uint8_t *moved = s->moved[0] + at;
    memset(s->moved[1] + at, 0, (size_t)n);
    beside_moved(any, moved - s->pitch, moved, moved + s->pitch, n);
    for (int i = 0; i < n; i++)
        if (s->wet[at + (size_t)i] && (any[i] || s->crossed[at + (size_t)i] == RL_CROSSED_WET))
            rl_meniscus_reckon(s, row.first + i, j, layer);
}

static void step_tile(void *context, int tile)
{
    const rl_surface *s = context;
    const int end = rl_surface_tile_end(s, tile);
    for (int j = rl_surface_tile_first(tile); j < end; j++)
        for (int layer = 0; layer < s->layers && j >= 0 && j < s->ny; layer++)
            step_row(s, j, layer, s->below + (size_t)tile * s->pitch);
}

static void settle_row(const rl_surface *s, int j, int layer)
{
    RL_ASSERT(s->moved[0] != NULL && s->moved[1] != NULL);
    const rl_surface_row row = *rl_surface_row_of(s, j, layer);
    const size_t first = rl_surface_at(s, row.first, j, layer);
    const size_t n = (size_t)(row.end - row.first);
    for (size_t slot = first; slot < first + n; slot++) {
        if (!s->moved[1][slot])
            continue;
        s->shore_at[0][slot] = s->shore_at[1][slot];
        s->shore_distance[0][slot] = s->shore_distance[1][slot];
    }
    memcpy(s->moved[0] + first, s->moved[1] + first, n);
}

static void settle_tile(void *context, int tile)
{
    const rl_surface *s = context;
    const int end = rl_surface_tile_end(s, tile);
    for (int j = rl_surface_tile_first(tile); j < end; j++)
        for (int layer = 0; layer < s->layers && j >= 0 && j < s->ny; layer++)
            if (rl_surface_row_of(s, j, layer)->end > 0)
                settle_row(s, j, layer);
}

// ---- Vertices ----------------------------------------------------------------------------

static void vertices_row(const rl_surface *s, int j, int layer)
{
    const rl_surface_row drawn = rl_surface_drawn(s, j, layer);
    for (int i = drawn.first; i < drawn.end; i++)
        if (s->corner[rl_surface_at(s, i, j, layer)] & RL_CORNER_USED)
            rl_meniscus_put_point(s, i, j, layer);
}

static void vertices_tile(void *context, int tile)
{
    const rl_surface *s = context;
    const int end = rl_surface_tile_end(s, tile);
    for (int j = rl_surface_tile_first(tile); j < end; j++)
        for (int layer = 0; layer < s->layers; layer++)
            vertices_row(s, j, layer);
}

void rl_surface_find_meniscus(rl_surface *s, rl_surface_runner runner)
{
    RL_ASSERT(s->meniscus != NULL && s->def.meniscus_length > 0.0f);
    rl_surface_for_tiles(s, runner, ring_tile);
    for (int k = rl_meniscus_steps(s); k > 0; k--) {
        rl_surface_for_tiles(s, runner, step_tile);
        rl_surface_for_tiles(s, runner, settle_tile);
    }
    rl_surface_for_tiles(s, runner, vertices_tile);
}
