// SPDX-License-Identifier: MIT
// quads.c - from the lattice to triangles. A quad of four points of a layer is drawn whole where
// every wet corner is linked to the other three within the layer and no sheet ends in between; that
// is nearly everywhere, and done with bits. Quartets with other quads go to quartet.c. Both are
// counted first, so that all tiles know where their vertices and triangles begin.
#include "surface/lattice.h"

#include "surface/quartet.h"

#include <string.h>

// ---- Which quads are whole ---------------------------------------------------------------

// Neighbours that the corners a, b, c, d of a quad have in it.
enum { NEED_A = 0x07, NEED_B = 0x1c, NEED_C = 0x70, NEED_D = 0xc1 };

typedef struct quad_rows {
    const uint8_t *low, *high, *low_plain, *high_plain; // `corner` and `plain`
    const float *low_z, *high_z;
} quad_rows;

// Quads are looked at this many at a time.
#define CHUNK 256

// Which diagonal is higher: of the numbers first, of the bits after, so that both run in vectors.
static void crest_row(uint8_t *restrict crest, const float *restrict low,
                      const float *restrict high, int n)
{
    for (int i = 0; i < n; i++)
        crest[i] = low[i] + high[i + 1] > low[i + 1] + high[i];
}

// At the boundary a diagonal with both ends wet or both dry follows the shore (000 section 4.3);
// elsewhere the higher one follows the crest of a wave (002 section 2.5.1).
static void code_row(uint8_t *restrict quad, const uint8_t *restrict crest, quad_rows r, int n)
{
    const uint8_t *restrict low = r.low, *restrict high = r.high;
    const uint8_t *restrict low_plain = r.low_plain, *restrict high_plain = r.high_plain;
    for (int i = 0; i < n; i++) {
        const uint8_t a = low[i], b = low[i + 1], c = high[i + 1], d = high[i];
        const uint8_t lack = (uint8_t)((~low_plain[i] & NEED_A) | (~low_plain[i + 1] & NEED_B) |
                                       (~high_plain[i + 1] & NEED_C) | (~high_plain[i] & NEED_D));
        // Four wet corners need their sides alone; a diagonal that is not linked is avoided.
        const uint8_t apart_ac = (uint8_t)(~low_plain[i] >> 1),
                      apart_bd = (uint8_t)(~low_plain[i + 1] >> 3);
        const uint8_t all = a & b & c & d & 1;
        const uint8_t needed = (uint8_t)(lack & (RL_SIDES | (all - 1)));
        const uint8_t odd_ac = (a ^ c) | apart_ac, odd_bd = (b ^ d) | apart_bd;
        const uint8_t ac = (uint8_t)((odd_bd & ~odd_ac) | (crest[i] & ~(odd_ac ^ odd_bd)));
        const uint8_t whole = (uint8_t)(RL_QUAD_WHOLE | (ac & 1) << 1);
        const uint8_t code = needed == 0 ? whole : RL_QUAD_SPECIAL;
        quad[i] = (a | b | c | d) & 1 ? code : 0;
    }
}

static void quad_row(uint8_t *quad, quad_rows r, int n)
{
    uint8_t crest[CHUNK];
    for (int i = 0; i < n; i += CHUNK) {
        const int count = n - i < CHUNK ? n - i : CHUNK;
        crest_row(crest, r.low_z + i, r.high_z + i, count);
        code_row(quad + i, crest,
                 (quad_rows){r.low + i, r.high + i, r.low_plain + i, r.high_plain + i, NULL, NULL},
                 count);
    }
}

// Lattice points [first, end) whose quad may have a wet corner; empty where none has.
static rl_surface_row quads_of(const rl_surface *s, int j, int layer)
{
    const int low = rl_surface_clamp(j, s->ny), high = rl_surface_clamp(j + 1, s->ny);
    rl_surface_row active = rl_surface_active(s, low, high, layer);
    if (active.end == 0)
        return active;
    active.first -= active.first == 0;
    active.end -= active.end < s->nx;
    return active;
}

// Layers are noted in ascending order.
static void note_special(const rl_surface *s, size_t at, const uint8_t *restrict quad, int n,
                         int layer)
{
    uint8_t *restrict special = s->special + at, *restrict highest = s->highest + at;
    for (int i = 0; i < n; i++) {
        const bool here = quad[i] & RL_QUAD_SPECIAL;
        highest[i] = here ? (uint8_t)layer : highest[i];
        special[i] = here && special[i] == 0 ? (uint8_t)(layer + 1) : special[i];
    }
}

static size_t find_quads(const rl_surface *s, int j, int layer)
{
    const rl_surface_row row = quads_of(s, j, layer);
    uint8_t *idle = rl_surface_idle(s, j, layer);
    if (row.end == 0 && *idle & RL_IDLE_QUADS)
        return 0;
    memset(s->quad + rl_surface_at(s, -1, j, layer), 0, s->pitch);
    *idle = (uint8_t)(row.end == 0 ? *idle | RL_IDLE_QUADS : *idle & ~RL_IDLE_QUADS);
    if (row.end == 0)
        return 0;
    const size_t at = rl_surface_at(s, row.first, j, layer), above = at + s->pitch;
    const int n = row.end - row.first;
    quad_row(s->quad + at,
             (quad_rows){s->corner + at, s->corner + above, s->plain + at, s->plain + above,
                         s->height + at, s->height + above},
             n);
    unsigned whole = 0, special = 0;
    for (int i = 0; i < n; i++) {
        whole += s->quad[at + (size_t)i] & 1u;
        special |= s->quad[at + (size_t)i];
    }
    if (special & RL_QUAD_SPECIAL)
        note_special(s, rl_surface_at(s, row.first, j, 0), s->quad + at, n, layer);
    return whole;
}

// ---- count -------------------------------------------------------------------------------

static inline unsigned bits_of_four(unsigned mask)
{
    const unsigned pairs = (mask & 5u) + (mask >> 1 & 5u);
    return (pairs & 3u) + (pairs >> 2);
}

// A point is used if it is wet, ends a link, or has a whole quad. Wet points count the ends of
// their sheet and the edge vertices that they own as well.
static size_t count_row(const rl_surface *s, int i, int j, int layer, int n)
{
    const size_t at = rl_surface_at(s, i, j, layer);
    uint8_t *restrict corner = s->corner + at;
    const uint8_t *restrict north = s->quad + at, *restrict south = north - s->pitch;
    const uint8_t *restrict cut = s->cut + at, *restrict extra = s->extra + at;
    unsigned sum = 0, more = 0;
    for (int k = 0; k < n; k++) {
        const int whole = (south[k - 1] | south[k] | north[k - 1] | north[k]) & RL_QUAD_WHOLE;
        const int used = ((corner[k] & 13) != 0) | whole;
        corner[k] = (uint8_t)((corner[k] & 13) | used * RL_CORNER_USED);
        sum += (unsigned)used;
        more |= (unsigned)(corner[k] & 1) * ((cut[k] & (unsigned)RL_SIDES) | extra[k]);
    }
    if (more == 0)
        return sum;
    for (int k = 0; k < n; k++)
        if (corner[k] & RL_CORNER_WET)
            sum += rl_surface_sides_below(cut[k], 8) + bits_of_four(extra[k] & 15u) +
                   2 * bits_of_four(extra[k] >> 4);
    return sum;
}

// Triangles of the quartets of a row go to the scraps of the tile, as far as there is room.
static void find_special(const rl_surface *s, int j, int tile)
{
    rl_surface_tile *sums = &s->tiles[tile];
    const uint8_t *special = s->special + rl_surface_at(s, 0, j, 0);
    uint64_t *scraps = s->scraps + 3 * s->scrap_room * (size_t)tile;
    for (int i = -1; i < s->nx; i++) {
        if (!special[i])
            continue;
        const size_t used = sums->special < s->scrap_room ? sums->special : s->scrap_room;
        sums->special += rl_quartet_triangles(s, i, j, scraps + 3 * used, s->scrap_room - used);
    }
}

void rl_surface_quads_tile(void *context, int tile)
{
    rl_surface *s = context;
    const int first = rl_surface_tile_first(tile), end = rl_surface_tile_end(s, tile);
    size_t whole = 0;
    s->tiles[tile].special = 0;
    for (int j = first; j < end && j < s->ny; j++) {
        memset(s->special + rl_surface_at(s, -1, j, 0), 0, s->pitch);
        for (int layer = 0; layer < s->layers; layer++)
            whole += find_quads(s, j, layer);
        find_special(s, j, tile);
    }
    s->tiles[tile].triangles = 2 * whole + s->tiles[tile].special;
}

void rl_surface_count_tile(void *context, int tile)
{
    rl_surface *s = context;
    const int end = rl_surface_tile_end(s, tile);
    size_t vertices = 0;
    for (int j = rl_surface_tile_first(tile); j < end; j++)
        for (int layer = 0; layer < s->layers; layer++) {
            const rl_surface_row drawn = rl_surface_drawn(s, j, layer);
            if (drawn.end != 0)
                vertices += count_row(s, drawn.first, j, layer, drawn.end - drawn.first);
        }
    s->tiles[tile].vertices = vertices;
}

// ---- triangles ---------------------------------------------------------------------------

static uint32_t *put_whole(const rl_surface *s, int j, int layer, uint32_t *to)
{
    const rl_surface_row row = quads_of(s, j, layer);
    const size_t at = rl_surface_at(s, 0, j, layer);
    const uint8_t *quad = s->quad + at;
    const uint32_t *low = s->number + at, *high = low + s->pitch;
    for (int i = row.first; i < row.end; i++) {
        if (!(quad[i] & RL_QUAD_WHOLE))
            continue;
        const uint32_t a = low[i], b = low[i + 1], c = high[i + 1], d = high[i];
        const bool ac = quad[i] & RL_QUAD_DIAGONAL_AC;
        to[0] = a;
        to[1] = b;
        to[2] = ac ? c : d;
        to[3] = ac ? a : b;
        to[4] = c;
        to[5] = d;
        to += 6;
    }
    return to;
}

// Scraps that there was no room for are made once more.
static void put_special(const rl_surface *s, int tile, uint32_t *to)
{
    const size_t count = s->tiles[tile].special;
    if (count <= s->scrap_room) {
        const uint64_t *scraps = s->scraps + 3 * s->scrap_room * (size_t)tile;
        for (size_t k = 0; k < 3 * count; k++)
            to[k] = rl_scrap_number(s, scraps[k]);
        return;
    }
    uint64_t again[3 * RL_QUARTET_MOST];
    const int end = rl_surface_tile_end(s, tile);
    for (int j = rl_surface_tile_first(tile); j < end && j < s->ny; j++) {
        const uint8_t *special = s->special + rl_surface_at(s, 0, j, 0);
        for (int i = -1; i < s->nx; i++) {
            const size_t n = special[i] ? rl_quartet_triangles(s, i, j, again, RL_QUARTET_MOST) : 0;
            for (size_t k = 0; k < 3 * n; k++)
                *to++ = rl_scrap_number(s, again[k]);
        }
    }
}

void rl_surface_triangles_tile(void *context, int tile)
{
    const rl_surface *s = context;
    const int end = rl_surface_tile_end(s, tile);
    uint32_t *to = s->indices + 3 * s->tiles[tile].first_triangle;
    for (int j = rl_surface_tile_first(tile); j < end && j < s->ny; j++)
        for (int layer = 0; layer < s->layers; layer++)
            to = put_whole(s, j, layer, to);
    put_special(s, tile, to);
}
