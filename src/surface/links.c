// SPDX-License-Identifier: MIT
// links.c - finds out which columns are wet, and to which neighbours in their layer they are linked
// (Dagenais section 4.1).
//
// Levels are compared forward only, to the east and to the three neighbours in the row above, in
// loops that run in vectors; the other four are read from the neighbours' results. Columns that are
// not linked all around, or that have a dry neighbour, are then handled one by one.
#include "core/assert.h"
#include "surface/shore_inline.h"

#include <math.h>

// Cells are compared this many at a time, and searched this many at a time.
#define SEGMENT 16
#define CHUNK   64
// Metres: above everything.
#define SKY 1e29f
// Bits of E, NE, N and NW.
#define ALL_AHEAD 0x0f

// ---- wet ---------------------------------------------------------------------------------

static void wet_row(uint8_t *restrict wet, const float *restrict depth, float wet_depth, int n)
{
    RL_ASSERT(n > 0);
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

void rl_surface_wet_row(const rl_surface *s, int j, int layer)
{
    const rill_columns *c = &s->columns;
    const rl_surface_span live = s->ranged && s->live != NULL
                                     ? s->live[(size_t)layer * (size_t)s->ny + (size_t)j]
                                     : (rl_surface_span){0, s->nx};
    rl_surface_row *row = rl_surface_row_of(s, j, layer);
    uint8_t *wet = s->wet + rl_surface_at(s, 0, j, layer);
    if (row->end > 0)
        memset(wet, 0, (size_t)s->nx); // the ground may have changed
    *row = (rl_surface_row){0, 0, 0};
    if (live.first >= live.end)
        return;
    const size_t from = rl_surface_column(s, live.first, j, layer);
    const int n = live.end - live.first;
    wet_row(wet + live.first, c->depth + from, c->wet_depth, n);
    *row = span_of(wet + live.first, n);
    row->first += row->end > 0 ? live.first : 0;
    row->end += row->end > 0 ? live.first : 0;
}

// ---- forward: comparing ranges and levels ------------------------------------------------

// Cells of a row from one before a segment to one behind it: their levels, and the ends of their
// ranges plus the tolerance. Cells beyond the border are linked to nothing.
typedef struct segment {
    float level[SEGMENT + 2], low[SEGMENT + 2], high[SEGMENT + 2];
} segment;

static void load_segment(const rl_surface *s, int i, int j, int layer, segment *restrict to)
{
    const rill_columns *c = &s->columns;
    const float tolerance = RL_SURFACE_LINK_TOLERANCE * c->cell_size;
    const size_t at = rl_surface_column(s, 0, j, layer);
    const float *restrict base = c->base + at, *restrict depth = c->depth + at;
    const float *restrict low = rl_surface_join(s, 0, j, layer);
    const float *restrict high = c->range_max + at;
    if (i > 0 && i + SEGMENT < s->nx) {
        for (int k = 0; k < SEGMENT + 2; k++) {
            to->level[k] = base[i + k - 1] + depth[i + k - 1];
            to->low[k] = low[i + k - 1] - tolerance;
            to->high[k] = high[i + k - 1] + tolerance;
        }
        return;
    }
    for (int k = 0; k < SEGMENT + 2; k++) {
        const int cell = i + k - 1;
        const bool here = cell >= 0 && cell < s->nx;
        to->level[k] = here ? base[cell] + depth[cell] : 0.0f;
        to->low[k] = here ? low[cell] - tolerance : SKY;
        to->high[k] = here ? high[cell] + tolerance : -SKY;
    }
}

// Adds `bit` where rl_surface_linked() holds for the cells of segment p and those of segment q,
// `step` further to the right, with bits instead of branches.
static inline void compare(uint8_t *restrict to, const segment *restrict p,
                           const segment *restrict q, int step, uint8_t bit)
{
    for (int k = 0; k < SEGMENT; k++) {
        const float level_p = p->level[k + 1], level_q = q->level[k + 1 + step];
        const int p_in_q = (level_p >= q->low[k + 1 + step]) & (level_p <= q->high[k + 1 + step]);
        const int q_in_p = (level_q >= p->low[k + 1]) & (level_q <= p->high[k + 1]);
        to[k] |= p_in_q & q_in_p ? bit : 0;
    }
}

// Computes the links of n cells, a segment at most, from cell i of row j on.
static void link_ahead(const rl_surface *s, uint8_t *to, int i, int n, int j, int layer)
{
    RL_ASSERT(n > 0 && n <= SEGMENT);
    uint8_t linked[SEGMENT] = {0};
    segment here, there;
    load_segment(s, i, j, layer, &here);
    compare(linked, &here, &here, 1, 1 << 0);
    if (j + 1 < s->ny) {
        load_segment(s, i, j + 1, layer, &there);
        compare(linked, &here, &there, 1, 1 << 1);
        compare(linked, &here, &there, 0, 1 << 2);
        compare(linked, &here, &there, -1, 1 << 3);
    }
    memcpy(to, linked, (size_t)n);
}

// A range of columns.
typedef struct stretch {
    const float *base, *depth, *low, *high;
} stretch;

static stretch stretch_at(const rl_surface *s, int i, int j, int layer)
{
    const rill_columns *c = &s->columns;
    const size_t at = rl_surface_column(s, i, j, layer);
    return (stretch){c->base + at, c->depth + at, rl_surface_join(s, i, j, layer),
                     c->range_max + at};
}

// Adds `bit` to those of n pairs of cells that are linked at any level: no level is below its floor
// nor, but for rounding, above its ceiling.
static void compare_floors(uint8_t *restrict to, stretch p, stretch q, float tolerance, int n,
                           uint8_t bit)
{
    for (int i = 0; i < n; i++) {
        const int floors =
            (p.base[i] >= q.low[i] - tolerance) & (q.base[i] >= p.low[i] - tolerance);
        const int ceilings = fabsf(p.high[i] - q.high[i]) <= 0.5f * tolerance;
        const int columns = (p.high[i] >= p.low[i]) & (q.high[i] >= q.low[i]);
        to[i] |= floors & ceilings & columns ? bit : 0;
    }
}

// Finds the links of row j that exist at any level.
void rl_surface_sure_row(const rl_surface *s, int j, int layer)
{
    RL_ASSERT(s->ranged && j >= 0 && j < s->ny);
    uint8_t *sure = s->sure + rl_surface_at(s, 0, j, layer);
    if (s->live != NULL && s->live[(size_t)layer * (size_t)s->ny + (size_t)j].end == 0) {
        memset(sure, 0, (size_t)s->nx); // no column in this row
        return;
    }
    const float tolerance = RL_SURFACE_LINK_TOLERANCE * s->columns.cell_size;
    memset(sure, j + 1 == s->ny ? ALL_AHEAD & ~1 : 0, (size_t)s->nx);
    sure[0] |= 1 << 3;
    sure[s->nx - 1] |= 1 << 0 | 1 << 1;
    for (int way = RL_EAST; way < RL_WEST && j + rl_surface_step_y(way) < s->ny; way++) {
        const int step = rl_surface_step_x(way), first = step < 0 ? 1 : 0;
        compare_floors(sure + first, stretch_at(s, first, j, layer),
                       stretch_at(s, first + step, j + rl_surface_step_y(way), layer), tolerance,
                       step == 0 ? s->nx : s->nx - 1, (uint8_t)(1u << way));
    }
}

// Adds 16 times `bit` to pairs of wet columns, one of which reaches under the ceiling of the other,
// where they are known to have only each other in reach (cross_layer_links.c).
static void compare_under(uint8_t *restrict to, const rl_surface *s, int i, int n, int j, int layer,
                          int way)
{
    const int ni = i + rl_surface_step_x(way), nj = j + rl_surface_step_y(way);
    if (nj == s->ny)
        return;
    const stretch p = stretch_at(s, i, j, layer), q = stretch_at(s, ni, nj, layer);
    const uint8_t *restrict wet_p = s->wet + rl_surface_at(s, i, j, layer);
    const uint8_t *restrict wet_q = s->wet + rl_surface_at(s, ni, nj, layer);
    const uint8_t *restrict lone = s->lone + rl_surface_at(s, i, j, layer);
    const int count = ni + n > s->nx ? n - 1 : n;
    for (int k = 0; k < count; k++) {
        const float level_p = p.base[k] + p.depth[k], level_q = q.base[k] + q.depth[k];
        const int p_over_q = (level_p > q.high[k]) & (level_q >= p.base[k]);
        const int q_over_p = (level_q > p.high[k]) & (level_p >= q.base[k]);
        const uint8_t known = lone[k] >> way & wet_p[k] & wet_q[k] & 1;
        to[k] = (uint8_t)(to[k] | ((p_over_q | q_over_p) & known) << (way + 4));
    }
}

// Returns whether there are such pairs.
static bool any_lone(const uint8_t *lone, int n)
{
    int any = 0;
    for (int i = 0; i < n; i++)
        any |= lone[i];
    return any & (1 << RL_EAST | 1 << RL_NORTH);
}

static bool all_sure(const uint8_t *sure, int n)
{
    int all = ALL_AHEAD;
    for (int i = 0; i < n; i++)
        all &= sure[i];
    return all == ALL_AHEAD;
}

// Computes `forward` of the cells of row j, from cell 0 on. link_cells() sets the links beyond the
// border. Pairs that are known to be alone are known to the tile of the row, which may find more of
// them meanwhile: to another tile they are as any others, which rl_surface_find_cross_links()
// finds.
static void forward_row(const rl_surface *s, uint8_t *forward, int j, int layer, bool own)
{
    if (rl_surface_active(s, j - 1, j + 2 < s->ny ? j + 2 : s->ny, layer).end == 0)
        return; // no pass reads it
    memset(forward, 0, (size_t)s->nx);
    const uint8_t *sure = s->sure + rl_surface_at(s, 0, j, layer);
    const uint8_t *lone = s->lone + rl_surface_at(s, 0, j, layer);
    const rl_surface_row active = rl_surface_active(s, j, j + 1, layer);
    for (int i = active.first; i < active.end; i += SEGMENT) {
        const int n = active.end - i < SEGMENT ? active.end - i : SEGMENT;
        if (s->stacks_version != 0 && all_sure(sure + i, n)) {
            memset(forward + i, ALL_AHEAD, (size_t)n);
            continue;
        }
        link_ahead(s, forward + i, i, n, j, layer);
        if (own && s->stacks_version != 0 && any_lone(lone + i, n)) {
            compare_under(forward + i, s, i, n, j, layer, RL_EAST);
            compare_under(forward + i, s, i, n, j, layer, RL_NORTH);
        }
    }
}

// ---- link and wet_link: all eight neighbours ---------------------------------------------

// Computes the links at levels that fit, and those under a ceiling as well.
static void link_row(uint8_t *restrict fit, uint8_t *restrict link, const uint8_t *restrict here,
                     const uint8_t *restrict below, int n)
{
    for (int i = 0; i < n; i++) {
        const uint8_t behind =
            (here[i - 1] & 1) | (below[i - 1] & 2) | (below[i] & 4) | (below[i + 1] & 8);
        const uint8_t under = (here[i] >> 4) | (here[i - 1] & 0x10) | (below[i] & 0x40);
        fit[i] = (uint8_t)((here[i] & 0x0f) | behind << 4);
        link[i] = fit[i] | under;
    }
}

// Finds wet neighbours, bit by bit from the highest one on: adding is cheaper than shifting.
void rl_surface_wet_around(uint8_t *restrict around, const uint8_t *restrict south,
                           const uint8_t *restrict here, const uint8_t *restrict north, int n)
{
    for (int i = 0; i < n; i++) {
        uint8_t wet = (uint8_t)(south[i + 1] + south[i + 1] + south[i]);
        wet = (uint8_t)(wet + wet + south[i - 1]);
        wet = (uint8_t)(wet + wet + here[i - 1]);
        wet = (uint8_t)(wet + wet + north[i - 1]);
        wet = (uint8_t)(wet + wet + north[i]);
        wet = (uint8_t)(wet + wet + north[i + 1]);
        around[i] = (uint8_t)(wet + wet + here[i + 1]);
    }
}

// Finds wet columns with a side that is not linked, or with a link to a dry one; and which of their
// neighbours are plain unless the surface ends there. There is nothing `beyond` the border. Last it
// clears the bits of `wet_link` that do not fit.
static void odd_row(uint8_t *restrict odd, uint8_t *restrict plain, uint8_t *restrict wet_link,
                    const uint8_t *restrict wet, const uint8_t *restrict fit,
                    const uint8_t *restrict link, uint8_t beyond, int n)
{
    for (int i = 0; i < n; i++) {
        const uint8_t lacks = (uint8_t)(~link[i] & RL_SIDES);
        const uint8_t dry = (uint8_t)(link[i] & ~(wet_link[i] | beyond));
        odd[i] = (uint8_t)((lacks | dry) != 0) & wet[i];
        plain[i] = (uint8_t)(link[i] | (wet[i] - 1));
        wet_link[i] &= fit[i];
    }
}

// ---- plain and cut: the wet columns at an edge -------------------------------------------

static void link_shore(rl_surface *s, int i, int j, int layer)
{
    if ((s->link[rl_surface_at(s, i, j, layer)] & RL_SIDES) != RL_SIDES)
        rl_surface_find_cross_links(s, i, j, layer);
    rl_surface_cut_shore(s, i, j, layer);
}

// Links cells [first, first + n) of row j; `below` is `forward` of the row below them.
static void link_cells(rl_surface *s, const uint8_t *below, int first, int n, int j, int layer)
{
    RL_ASSERT(n > 0 && n <= CHUNK && first >= 0 && first + n <= s->nx);
    const size_t at = rl_surface_at(s, first, j, layer);
    uint8_t *wet_link = s->wet_link + at, *link = s->link + at;
    const uint8_t *wet = s->wet + at;
    uint8_t odd[CHUNK], fit[CHUNK];
    const uint8_t beyond = (uint8_t)((j == 0 ? 0xe0 : 0) | (j == s->ny - 1 ? 0x0e : 0));
    if (s->ranged) {
        link_row(fit, link, s->forward + at, below, n);
        for (int k = 0; k < n && beyond; k++) {
            link[k] |= beyond;
            fit[k] |= beyond;
        }
    } else {
        memset(fit, 0xff, (size_t)n);
        memset(link, 0xff, (size_t)n);
    }
    const int ends[2] = {0, s->nx - 1};
    for (int k = 0; k < 2; k++)
        if (ends[k] >= first && ends[k] < first + n) {
            link[ends[k] - first] |= rl_surface_beyond_border(s, ends[k], j);
            fit[ends[k] - first] |= rl_surface_beyond_border(s, ends[k], j);
        }
    rl_surface_wet_around(wet_link, wet - s->pitch, wet, wet + s->pitch, n);
    odd_row(odd, s->plain + at, wet_link, wet, fit, link, beyond, n);
    for (int k = rl_surface_next(odd, 0, n); k < n; k = rl_surface_next(odd, k + 1, n))
        link_shore(s, first + k, j, layer);
}

static void links_row(rl_surface *s, const uint8_t *below, int j, int layer)
{
    const rl_surface_row active = rl_surface_active(s, j - 1, j + 1, layer);
    const size_t at = rl_surface_at(s, 0, j, layer);
    uint8_t *idle = rl_surface_idle(s, j, layer);
    if (*idle & RL_IDLE_LINKS && active.end == 0)
        return;
    memset(s->crossed + at, 0, (size_t)s->nx);
    memset(s->wet_link + at, 0, (size_t)s->nx);
    *idle = (uint8_t)(active.end == 0 ? *idle | RL_IDLE_LINKS : *idle & RL_IDLE_QUADS);
    if (active.end == 0)
        return;
    rl_surface_heights(s, active.first, j, layer, active.end - active.first);
    memset(s->cut + at + active.first, 0, (size_t)(active.end - active.first));
    for (int i = active.first; i < active.end; i += CHUNK)
        link_cells(s, below + i, i, active.end - i < CHUNK ? active.end - i : CHUNK, j, layer);
}

void rl_surface_links_tile(void *context, int tile)
{
    rl_surface *s = context;
    const int first = rl_surface_tile_first(tile), end = rl_surface_tile_end(s, tile);
    if (s->ranged)
        for (int j = first < 0 ? 0 : first; j < end && j < s->ny; j++)
            memset(s->outward + rl_surface_at(s, -1, j, 0), 0, s->pitch);
    for (int layer = 0; layer < s->layers; layer++) {
        // The row below belongs to another tile, whose results must not be read.
        uint8_t *scratch = s->below + (size_t)tile * s->pitch + 1;
        if (s->ranged && first > 0)
            forward_row(s, scratch, first - 1, layer, false);
        else
            memset(scratch, 0, (size_t)s->nx);
        for (int j = first < 0 ? 0 : first; j < end && j < s->ny; j++) {
            const size_t at = rl_surface_at(s, 0, j, layer);
            if (s->ranged)
                forward_row(s, s->forward + at, j, layer, true);
            links_row(s, j == first || j == 0 ? scratch : s->forward + at - s->pitch, j, layer);
        }
    }
}
