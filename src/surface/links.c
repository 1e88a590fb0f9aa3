// SPDX-License-Identifier: MIT
// links.c - which columns are wet, and which neighbours in their layer they share a sheet with (000
// section 4.1).
//
// Levels are compared forward only, to the east and to the three neighbours in the row above, in
// loops that run in vectors; the other four are read off the neighbours' results. Columns that are
// not linked all around, or that have a dry neighbour, are then looked at one by one.
#include "surface/lattice.h"

#include <string.h>

const signed char rl_surface_step_x[8] = {1, 1, 0, -1, -1, -1, 0, 1};
const signed char rl_surface_step_y[8] = {0, 1, 1, 1, 0, -1, -1, -1};

// Cells are compared this many at a time.
#define CHUNK 128

// ---- wet ---------------------------------------------------------------------------------

static void wet_row(uint8_t *restrict wet, const float *restrict depth, float wet_depth, int n)
{
    for (int i = 0; i < n; i++)
        wet[i] = depth[i] > wet_depth;
}

static rl_surface_row span_of(const uint8_t *wet, int n)
{
    const uint8_t *first = memchr(wet, 1, (size_t)n);
    if (first == NULL)
        return (rl_surface_row){0, 0, 0};
    int end = n;
    while (!wet[end - 1])
        end--;
    return (rl_surface_row){(int)(first - wet), end, 0};
}

void rl_surface_wet_tile(void *context, int tile)
{
    const rl_surface *s = context;
    const rill_columns *c = s->columns;
    const int end = rl_surface_tile_end(s, tile);
    for (int j = rl_surface_tile_first(tile); j < end; j++) {
        if (j < 0 || j >= s->ny)
            continue;
        for (int layer = 0; layer < s->layers; layer++) {
            const rl_surface_span live = s->ranged && s->live != NULL
                                             ? s->live[(size_t)layer * (size_t)s->ny + (size_t)j]
                                             : (rl_surface_span){0, s->nx};
            rl_surface_row *row = rl_surface_row_of(s, j, layer);
            uint8_t *wet = s->wet + rl_surface_at(s, 0, j, layer);
            if (row->end > 0)
                memset(wet, 0, (size_t)s->nx); // the ground may have changed
            *row = (rl_surface_row){0, 0, 0};
            if (live.first >= live.end)
                continue;
            const size_t from = rl_surface_column(s, live.first, j, layer);
            const int n = live.end - live.first;
            wet_row(wet + live.first, c->depth + from, c->wet_depth, n);
            *row = span_of(wet + live.first, n);
            row->first += row->end > 0 ? live.first : 0;
            row->end += row->end > 0 ? live.first : 0;
        }
    }
}

// ---- forward: comparing ranges and levels ------------------------------------------------

// A stretch of columns.
typedef struct stretch {
    const float *base, *depth, *low, *high;
} stretch;

static stretch stretch_at(const rl_surface *s, int i, int j, int layer)
{
    const rill_columns *c = s->columns;
    const size_t at = rl_surface_column(s, i, j, layer);
    return (stretch){c->base + at, c->depth + at, c->range_min + at, c->range_max + at};
}

// rl_surface_linked() for n pairs, as bits and not as branches.
static void compare(uint8_t *restrict out, stretch p, stretch q, float tolerance, int n)
{
    for (int i = 0; i < n; i++) {
        const float level_p = p.base[i] + p.depth[i], level_q = q.base[i] + q.depth[i];
        const int p_in_q = (level_p >= q.low[i] - tolerance) & (level_p <= q.high[i] + tolerance);
        const int q_in_p = (level_q >= p.low[i] - tolerance) & (level_q <= p.high[i] + tolerance);
        out[i] = (uint8_t)(p_in_q & q_in_p);
    }
}

// Compares cells [i, i + n) of row j with those `step` to the right in row `above`, and adds the
// result as bit `bit` of `to`.
static void add_links(const rl_surface *s, uint8_t *to, int i, int n, int j, int above, int step,
                      int layer, int bit)
{
    uint8_t linked[CHUNK];
    // Ends of the row have no such neighbour.
    const int skip = i + step < 0 ? 1 : 0;
    const int count = i + n + step > s->nx ? n - 1 : n;
    if (count <= skip)
        return;
    const float tolerance = RL_SURFACE_LINK_TOLERANCE * s->columns->cell_size;
    compare(linked, stretch_at(s, i + skip, j, layer), stretch_at(s, i + skip + step, above, layer),
            tolerance, count - skip);
    for (int k = skip; k < count; k++)
        to[k] = (uint8_t)(to[k] | linked[k - skip] << bit);
}

// Bits 0 to 3 of `forward` (E, N, NE, NW) for the cells of row j; `forward` begins with cell 0.
static void forward_row(const rl_surface *s, uint8_t *forward, int j, int layer)
{
    if (rl_surface_active(s, j - 1, j + 2 < s->ny ? j + 2 : s->ny, layer).end == 0)
        return; // nobody reads it
    memset(forward, 0, (size_t)s->nx);
    const rl_surface_row active = rl_surface_active(s, j, j + 1, layer);
    for (int i = active.first; i < active.end; i += CHUNK) {
        const int n = active.end - i < CHUNK ? active.end - i : CHUNK;
        add_links(s, forward + i, i, n, j, j, 1, layer, 0);
        if (j + 1 == s->ny)
            continue;
        add_links(s, forward + i, i, n, j, j + 1, 0, layer, 1);
        add_links(s, forward + i, i, n, j, j + 1, 1, layer, 2);
        add_links(s, forward + i, i, n, j, j + 1, -1, layer, 3);
    }
}

// ---- link and near: all eight neighbours -------------------------------------------------

static void link_row(uint8_t *restrict link, const uint8_t *restrict here,
                     const uint8_t *restrict below, int n)
{
    for (int i = 0; i < n; i++) {
        const int ahead = (here[i] & 1) | (here[i] & 4) >> 1 | (here[i] & 2) << 1 | (here[i] & 8);
        const int behind = (here[i - 1] & 1) << 4 | (below[i - 1] & 4) << 3 | (below[i] & 2) << 5 |
                           (below[i + 1] & 8) << 4;
        link[i] = (uint8_t)(ahead | behind);
    }
}

// Neighbours beyond the border count as linked: the sheet goes on there, on the rim.
static uint8_t beyond_border(const rl_surface *s, int i, int j)
{
    unsigned mask = 0;
    if (i == 0)
        mask |= 1u << 3 | 1u << 4 | 1u << 5;
    if (i == s->nx - 1)
        mask |= 1u << 7 | 1u << 0 | 1u << 1;
    if (j == 0)
        mask |= 1u << 5 | 1u << 6 | 1u << 7;
    if (j == s->ny - 1)
        mask |= 1u << 1 | 1u << 2 | 1u << 3;
    return (uint8_t)mask;
}

static void near_row(uint8_t *restrict near, const uint8_t *restrict south,
                     const uint8_t *restrict here, const uint8_t *restrict north, int n)
{
    for (int i = 0; i < n; i++)
        near[i] =
            (uint8_t)(here[i + 1] | north[i + 1] << 1 | north[i] << 2 | north[i - 1] << 3 |
                      here[i - 1] << 4 | south[i - 1] << 5 | south[i] << 6 | south[i + 1] << 7);
}

static void both(uint8_t *restrict near, const uint8_t *restrict link, int n)
{
    for (int i = 0; i < n; i++)
        near[i] &= link[i];
}

static void link_and_near(const rl_surface *s, const uint8_t *below, int j, int layer,
                          rl_surface_row active)
{
    const size_t at = rl_surface_at(s, active.first, j, layer);
    const int n = active.end - active.first;
    near_row(s->near + at, s->wet + at - s->pitch, s->wet + at, s->wet + at + s->pitch, n);
    if (!s->ranged) {
        memset(s->link + at, 0xff, (size_t)n);
        return;
    }
    link_row(s->link + at, s->forward + at, below + active.first, n);
    if (j == 0 || j == s->ny - 1)
        for (int i = active.first; i < active.end; i++)
            s->link[at + (size_t)(i - active.first)] |= beyond_border(s, i, j);
    if (active.first == 0)
        s->link[at] |= beyond_border(s, 0, j);
    if (active.end == s->nx)
        s->link[at + (size_t)(n - 1)] |= beyond_border(s, s->nx - 1, j);
    both(s->near + at, s->link + at, n);
}

// ---- plain and cut: the wet columns at an edge -------------------------------------------

// Towards a dry neighbour whose ground is below the level the sheet ends before it gets there. Of
// corners only those of the layer matter, for whole quads.
static void look_at_shore(rl_surface *s, int i, int j, int layer)
{
    const size_t at = rl_surface_at(s, i, j, layer);
    if ((s->link[at] & RL_SIDES) != RL_SIDES)
        rl_surface_find_partners(s, i, j, layer);
    s->plain[at] = s->link[at];
    if (!s->fine)
        return;
    const rill_columns *c = s->columns;
    const unsigned sides = s->crossed[at] ? RL_SIDES : 0;
    const unsigned open = ~(unsigned)(s->near[at] | beyond_border(s, i, j)) & (s->link[at] | sides);
    for (int way = 0; open >> way; way++) {
        if (!(open >> way & 1))
            continue;
        int there = layer;
        if (!(s->link[at] >> way & 1)) {
            there = s->partner[4 * at + (size_t)way / 2];
            if (there == RL_NO_LAYER)
                continue;
        }
        const int ni = i + rl_surface_step_x[way], nj = j + rl_surface_step_y[way];
        const size_t dry = rl_surface_column(s, ni, nj, there);
        if (s->wet[rl_surface_at(s, ni, nj, there)] ||
            !(c->base[dry] + c->depth[dry] < s->level[at]))
            continue;
        s->cut[at] |= (uint8_t)(1u << way);
        s->plain[at] &= (uint8_t) ~(1u << way);
    }
}

static void level_row(float *restrict level, const float *restrict base,
                      const float *restrict depth, int n)
{
    for (int i = 0; i < n; i++)
        level[i] = base[i] + depth[i];
}

static void links_row(rl_surface *s, const uint8_t *below, int j, int layer)
{
    const rl_surface_row active = rl_surface_active(s, j - 1, j + 1, layer);
    const size_t at = rl_surface_at(s, 0, j, layer);
    uint8_t *idle = rl_surface_idle(s, j, layer);
    if (*idle & RL_IDLE_LINKS && active.end == 0)
        return;
    memset(s->crossed + at, 0, (size_t)s->nx);
    memset(s->near + at, 0, (size_t)s->nx);
    *idle = (uint8_t)(active.end == 0 ? *idle | RL_IDLE_LINKS : *idle & RL_IDLE_QUADS);
    if (active.end == 0)
        return;
    const size_t first = at + (size_t)active.first, from = rl_surface_column(s, 0, j, layer);
    const size_t n = (size_t)(active.end - active.first);
    level_row(s->level + first, s->columns->base + from + active.first,
              s->columns->depth + from + active.first, (int)n);
    memset(s->plain + first, 0xff, n);
    memset(s->cut + first, 0, n);
    link_and_near(s, below, j, layer, active);
    const rl_surface_row wet = *rl_surface_row_of(s, j, layer);
    for (int i = wet.first; i < wet.end; i++) {
        const size_t slot = at + (size_t)i;
        if (s->wet[slot] && s->near[slot] != 0xff &&
            (s->near[slot] | beyond_border(s, i, j)) != 0xff)
            look_at_shore(s, i, j, layer);
    }
}

void rl_surface_links_tile(void *context, int tile)
{
    rl_surface *s = context;
    const int first = rl_surface_tile_first(tile), end = rl_surface_tile_end(s, tile);
    if (s->ranged)
        for (int j = first < 0 ? 0 : first; j < end && j < s->ny; j++)
            memset(s->outward + rl_surface_at(s, -1, j, 0), 0, s->pitch);
    for (int layer = 0; layer < s->layers; layer++) {
        // The row below belongs to another tile, which does not share its results.
        uint8_t *scratch = s->below + (size_t)tile * s->pitch + 1;
        if (s->ranged && first > 0)
            forward_row(s, scratch, first - 1, layer);
        else
            memset(scratch, 0, (size_t)s->nx);
        for (int j = first < 0 ? 0 : first; j < end && j < s->ny; j++) {
            const size_t at = rl_surface_at(s, 0, j, layer);
            if (s->ranged)
                forward_row(s, s->forward + at, j, layer);
            links_row(s, j == first || j == 0 ? scratch : s->forward + at - s->pitch, j, layer);
        }
    }
}
