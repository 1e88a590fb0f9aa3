// SPDX-License-Identifier: MIT
// meniscus_steps.c - the distance of each wet column to the nearest boundary column.
//
// They are found by dead reckoning (Dagenais section 5.1, after Grevera): wet columns that are
// linked to a dry one or that are beside a wall form the first ring; then, step by step inwards, a
// column takes over the boundary column of a linked one where that is a shorter way, with its own
// straight distance to it. There are as many steps as the meniscus is long.
//
// A step visits only columns beside some that changed in the last one, and those with links to
// other layers; a visit where nothing has changed changes nothing, so whole vectors are visited
// together. Distances have two copies, one as the last step left it, which all tiles read, and one
// for the step that is running, in which each tile writes its own rows; then they change places.
// What a visit wrote stands in both by then: what changed in a step is visited again in the next.
//
// All columns but the wet ones have a distance that is not a number, and so has the rim: no
// comparison with it holds. The few columns with links to other layers are visited one by one after
// the vectors.
//
// The boundary is half a cell before the centre of the boundary column (erratum 18 to Dagenais).
// Walls of the world are boundaries too.
#include "core/assert.h"
#include "surface/meniscus_inline.h"
#include "surface/meniscus_rows.h"

#include <math.h>
#include <string.h>

_Static_assert(RILL_MAX_SIDE <= UINT16_MAX + 1 && RL_SURFACE_MAX_LAYERS <= UINT8_MAX + 1 &&
                   RL_SURFACE_TILE_ROWS <= UINT8_MAX + 1,
               "a column of a tile fits into a rl_shore_column");
_Static_assert(RL_SHORE_FIELDS == RL_MENISCUS_SHORE, "rows have the same fields");

// The narrowest grid whose rows are worked on in vectors.
#define NARROWEST 16

static size_t row_number(const rl_surface *s, int j, int layer)
{
    return (size_t)layer * (size_t)(s->ny + 2) + (size_t)(j + 1);
}

static rl_surface_span join(rl_surface_span a, rl_surface_span b)
{
    if (a.end == 0 || b.end == 0)
        return a.end == 0 ? b : a;
    return (rl_surface_span){a.first < b.first ? a.first : b.first, a.end > b.end ? a.end : b.end};
}

void rl_meniscus_begin(rl_surface *s)
{
    for (size_t slot = 0; slot < s->plane * (size_t)s->layers; slot++)
        s->shore[0][RL_SHORE_DISTANCE][slot] = s->shore[1][RL_SHORE_DISTANCE][slot] = NAN;
}

// ---- First ring --------------------------------------------------------------------------

// Wet columns have no boundary column yet.
static void clear_row(float *restrict now, float *restrict next, const uint8_t *restrict wet, int n)
{
    for (int i = 0; i < n; i++)
        now[i] = next[i] = wet[i] ? RL_MENISCUS_FAR : NAN;
}

// Finds wet columns beside which there may be a boundary column, and those that lack a link to a
// wet column: `alone` has their wet neighbours before.
static void find_edges(uint8_t *restrict shore, uint8_t *restrict alone,
                       const uint8_t *restrict wet, const uint8_t *restrict link,
                       const uint8_t *restrict wet_link, int n)
{
    for (int i = 0; i < n; i++) {
        shore[i] = (uint8_t)(wet_link[i] != 0xff) & wet[i];
        alone[i] = (uint8_t)((alone[i] & ~link[i]) != 0) & wet[i];
    }
}

// What a ring has found has to stand in both copies.
static void begin_column(const rl_surface *s, int tile, int i, int j, int layer)
{
    const size_t slot = rl_surface_at(s, i, j, layer), row = row_number(s, j, layer);
    if (s->crossed[slot]) {
        rl_shore_list *list = &s->crossing[tile];
        list->columns[list->count++] = (rl_shore_column){
            (uint16_t)i, (uint8_t)(j - rl_surface_tile_first(tile)), (uint8_t)layer};
    }
    if (!rl_meniscus_first_ring(s, i, j, layer))
        return;
    for (int field = 0; field < RL_SHORE_FIELDS; field++)
        s->shore[1][field][slot] = s->shore[0][field][slot];
    s->moved[0][slot] = 1;
    s->moving[0][row] = join(s->moving[0][row], (rl_surface_span){i, i + 1});
}

static void stop_moving(const rl_surface *s, int copy, int j, int layer)
{
    rl_surface_span *moving = &s->moving[copy][row_number(s, j, layer)];
    if (moving->end > 0)
        memset(s->moved[copy] + rl_surface_at(s, moving->first, j, layer), 0,
               (size_t)(moving->end - moving->first));
    *moving = (rl_surface_span){0, 0};
}

static void ring_row(const rl_surface *s, int tile, int j, int layer)
{
    const rl_surface_row *row = rl_surface_row_of(s, j, layer);
    rl_surface_span *known = &s->known[row_number(s, j, layer)];
    stop_moving(s, 0, j, layer);
    stop_moving(s, 1, j, layer);
    const rl_surface_span all = join(*known, (rl_surface_span){row->first, row->end});
    *known = (rl_surface_span){row->first, row->end};
    if (all.end == 0)
        return;
    const size_t at = rl_surface_at(s, all.first, j, layer);
    const int n = all.end - all.first;
    uint8_t *shore = s->below + (size_t)tile * s->pitch;
    const uint8_t *wet = s->wet + at;
    clear_row(s->shore[0][RL_SHORE_DISTANCE] + at, s->shore[1][RL_SHORE_DISTANCE] + at, wet, n);
    rl_surface_wet_around(s->alone + at, wet - s->pitch, wet, wet + s->pitch, n);
    find_edges(shore, s->alone + at, wet, s->link + at, s->wet_link + at, n);
    for (int k = rl_surface_next(shore, 0, n); k < n; k = rl_surface_next(shore, k + 1, n))
        begin_column(s, tile, all.first + k, j, layer);
}

static void ring_tile(void *context, int tile)
{
    const rl_surface *s = context;
    const int first = rl_surface_tile_first(tile), end = rl_surface_tile_end(s, tile);
    s->crossing[tile].count = 0;
    for (int layer = 0; layer < s->layers; layer++)
        for (int j = first < 0 ? 0 : first; j < end && j < s->ny; j++)
            ring_row(s, tile, j, layer);
}

// ---- Steps inwards -----------------------------------------------------------------------

// Returns whether a column, or one beside it in its layer, moved in the last step.
static bool moved_around(const rl_surface *s, size_t slot)
{
    const uint8_t *here = s->moved[0] + slot, *south = here - s->pitch, *north = here + s->pitch;
    return south[-1] | south[0] | south[1] | here[-1] | here[0] | here[1] | north[-1] | north[0] |
           north[1];
}

// Returns whether a column of another layer that it is linked to did.
static bool moved_across(const rl_surface *s, size_t slot, int layer)
{
    for (int way = 0; way < 8 && s->crossed[slot] == RL_CROSSED_WET; way += 2) {
        const uint8_t there = s->link_layer[4 * slot + (size_t)way / 2];
        const ptrdiff_t step = rl_surface_step_x(way) +
                               rl_surface_step_y(way) * (ptrdiff_t)s->pitch +
                               ((int)there - layer) * (ptrdiff_t)s->plane;
        if (there != RL_NO_LAYER && s->moved[0][slot + (size_t)step])
            return true;
    }
    return false;
}

// Visits one column if there is a reason to.
static void reckon_column(const rl_surface *s, int i, int j, int layer)
{
    const size_t slot = rl_surface_at(s, i, j, layer);
    if (!moved_around(s, slot) && !moved_across(s, slot, layer))
        return;
    const bool moves = rl_meniscus_reckon(s, i, j, layer);
    s->moved[1][slot] = moves;
    if (!moves)
        return;
    rl_surface_span *moving = &s->moving[1][row_number(s, j, layer)];
    *moving = join(*moving, (rl_surface_span){i, i + 1});
}

// Returns the cells of a row beside some that moved.
static rl_surface_span beside_moving(const rl_surface *s, int j, int layer)
{
    const rl_surface_span *moving = &s->moving[0][row_number(s, j, layer)];
    rl_surface_span span = join(moving[-1], join(moving[0], moving[1]));
    if (span.end == 0)
        return span;
    span.first -= span.first > 0;
    span.end += span.end < s->nx;
    return span;
}

static void step_row(const rl_surface *s, int j, int layer)
{
    stop_moving(s, 1, j, layer);
    const rl_surface_span span = beside_moving(s, j, layer);
    if (span.end == 0)
        return;
    for (int i = span.first; i < span.end && s->nx < NARROWEST; i++)
        if (s->wet[rl_surface_at(s, i, j, layer)])
            reckon_column(s, i, j, layer);
    if (s->nx < NARROWEST)
        return;
    const size_t at = rl_surface_at(s, 0, j, layer);
    rl_meniscus_row row = {s->nx,
                           j,
                           s->pitch,
                           s->columns.cell_size,
                           span.first,
                           span.end,
                           s->link + at,
                           s->alone + at,
                           s->moved[0] + at,
                           {NULL},
                           s->moved[1] + at,
                           {NULL}};
    for (int field = 0; field < RL_SHORE_FIELDS; field++) {
        row.now[field] = s->shore[0][field] + at;
        row.next[field] = s->shore[1][field] + at;
    }
    const rl_meniscus_span changed = s->meniscus_rows->reckon(&row);
    s->moving[1][row_number(s, j, layer)] = (rl_surface_span){changed.first, changed.end};
}

static void step_tile(void *context, int tile)
{
    const rl_surface *s = context;
    const int first = rl_surface_tile_first(tile), end = rl_surface_tile_end(s, tile);
    for (int layer = 0; layer < s->layers; layer++)
        for (int j = first < 0 ? 0 : first; j < end && j < s->ny; j++)
            if (rl_surface_row_of(s, j, layer)->end > 0)
                step_row(s, j, layer);
    const rl_shore_list *crossed = &s->crossing[tile];
    for (size_t n = 0; n < crossed->count; n++) {
        const rl_shore_column *c = &crossed->columns[n];
        reckon_column(s, c->i, first + c->row, c->layer);
    }
}

static void swap_copies(rl_surface *s)
{
    for (int field = 0; field < RL_SHORE_FIELDS; field++) {
        float *const now = s->shore[0][field];
        s->shore[0][field] = s->shore[1][field];
        s->shore[1][field] = now;
    }
    uint8_t *const moved = s->moved[0];
    s->moved[0] = s->moved[1];
    s->moved[1] = moved;
    rl_surface_span *const moving = s->moving[0];
    s->moving[0] = s->moving[1];
    s->moving[1] = moving;
}

void rl_meniscus_find_distances(rl_surface *s, rl_surface_runner runner)
{
    RL_ASSERT(s->meniscus != NULL && s->def.meniscus_length > 0.0f);
    rl_surface_for_tiles(s, runner, ring_tile);
    for (int k = rl_meniscus_steps(s); k > 0; k--) {
        rl_surface_for_tiles(s, runner, step_tile);
        swap_copies(s);
    }
}
