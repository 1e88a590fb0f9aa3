// SPDX-License-Identifier: MIT
// quads.c - from the lattice to triangles. A quad of four points of a layer is drawn whole where
// every wet corner is linked to the other three within the layer and the surface does not end in
// between; that is nearly everywhere, and done with bits. 2x2 cell groups with other quads are
// drawn as polygons (polygons_inline.h). Both are counted first, so that all tiles know where their
// vertices and triangles begin.
#include "core/assert.h"
#include "surface/polygons_inline.h"

// ---- Owners of edge vertices -------------------------------------------------------------

// Finds the edge vertices of a lattice row.
void rl_surface_own_edges(const rl_surface *s, int j, int layer)
{
    const rl_surface_row drawn = rl_surface_drawn(s, j, layer);
    if (drawn.end == 0)
        return;
    RL_ASSERT(drawn.first < drawn.end && drawn.end <= s->nx + 1);
    const size_t at = rl_surface_at(s, 0, j, layer);
    const size_t cell = rl_surface_at(s, 0, rl_surface_clamp(j, s->ny), layer);
    memset(s->extra + at + drawn.first, 0, (size_t)(drawn.end - drawn.first));
    if (!s->ranged)
        return; // no surface ends at a wall
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

// ---- Which quads are whole ---------------------------------------------------------------

// Quads are tested this many at a time.
#define CHUNK 256

// Finds the higher diagonals: first the numbers, then the bits, so that both run in vectors.
static void crest_row(uint8_t *restrict crest, const float *restrict low,
                      const float *restrict high, int n)
{
    for (int i = 0; i < n; i++)
        crest[i] = (uint8_t)rl_surface_crest(low[i], low[i + 1], high[i + 1], high[i]);
}

static void code_row(uint8_t *restrict quad, const uint8_t *restrict crest,
                     const uint8_t *restrict low, const uint8_t *restrict low_plain, size_t pitch,
                     int n)
{
    const uint8_t *restrict high = low + pitch, *restrict high_plain = low_plain + pitch;
    for (int i = 0; i < n; i++) {
        quad[i] = rl_surface_quad(low[i], low[i + 1], high[i + 1], high[i], low_plain[i],
                                  low_plain[i + 1], high_plain[i + 1], high_plain[i], crest[i]);
    }
}

static void quad_row(const rl_surface *s, size_t at, int n)
{
    uint8_t crest[CHUNK];
    for (int i = 0; i < n; i += CHUNK, at += CHUNK) {
        const int count = n - i < CHUNK ? n - i : CHUNK;
        crest_row(crest, s->height + at, s->height + at + s->pitch, count);
        code_row(s->quad + at, crest, s->corner + at, s->plain + at, s->pitch, count);
    }
}

// The same value in eight bytes.
#define EACH(byte) ((uint64_t)(byte)*RL_EIGHT_FLAGS)

static inline size_t sum_of_bytes(uint64_t eight)
{
    const uint64_t pairs = (eight & 0x00ff00ff00ff00ffu) + (eight >> 8 & 0x00ff00ff00ff00ffu);
    return (size_t)(pairs * 0x0001000100010001u >> 48);
}

// Returns the number of whole quads, and the bits that any of them has; `seen` is eight bytes wide.
static size_t count_whole(const uint8_t *quad, int n, uint64_t *seen)
{
    uint64_t all = 0;
    size_t whole = 0;
    int i = 0;
    while (i + 8 <= n) {
        uint64_t sums = 0; // of eight quads a byte
        const int end = n - i > 8 * 255 ? i + 8 * 255 : n;
        for (; i + 8 <= end; i += 8) {
            const uint64_t eight = rl_eight_flags(quad + i);
            sums += eight & EACH(RL_QUAD_WHOLE);
            all |= eight;
        }
        whole += sum_of_bytes(sums);
    }
    for (; i < n; i++) {
        whole += quad[i] & RL_QUAD_WHOLE;
        all |= quad[i];
    }
    *seen = all;
    return whole;
}

// Returns the lattice points [first, end) whose quad may have a wet corner; empty where none has.
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

// Layers are visited in ascending order.
static void note_special(const rl_surface *s, size_t at, const uint8_t *quad, int n, int layer)
{
    RL_ASSERT(layer < s->layers);
    uint8_t *special = s->special + at, *highest = s->highest + at;
    for (int first = 0; first < n; first += 8) {
        const int end = first + 8 < n ? first + 8 : n;
        if (end - first == 8 && !(rl_eight_flags(quad + first) & EACH(RL_QUAD_SPECIAL)))
            continue;
        for (int i = first; i < end; i++) {
            if (!(quad[i] & RL_QUAD_SPECIAL))
                continue;
            highest[i] = (uint8_t)layer;
            special[i] = special[i] == 0 ? (uint8_t)(layer + 1) : special[i];
        }
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
    const size_t at = rl_surface_at(s, row.first, j, layer);
    const int n = row.end - row.first;
    quad_row(s, at, n);
    uint64_t seen;
    const size_t whole = count_whole(s->quad + at, n, &seen);
    if (seen & EACH(RL_QUAD_SPECIAL))
        note_special(s, rl_surface_at(s, row.first, j, 0), s->quad + at, n, layer);
    return whole;
}

// ---- Counting ----------------------------------------------------------------------------

static inline size_t count_bits(uint64_t mask)
{
    mask -= mask >> 1 & EACH(0x55);
    mask = (mask & EACH(0x33)) + (mask >> 2 & EACH(0x33));
    return (size_t)(((mask + (mask >> 4)) & EACH(0x0f)) * EACH(1) >> 56);
}

// A point is used if it is wet, ends a link, or has a whole quad.
static void use_row(uint8_t *restrict corner, const uint8_t *restrict north,
                    const uint8_t *restrict south, int n)
{
    for (int k = 0; k < n; k++) {
        const uint8_t bits = corner[k] & (uint8_t)~RL_CORNER_USED;
        const uint8_t whole = (south[k - 1] | south[k] | north[k - 1] | north[k]) & RL_QUAD_WHOLE;
        corner[k] = bits | (bits | whole ? RL_CORNER_USED : 0);
    }
}

// Returns the vertices of eight points. Wet ones count the ends of their surface and the edge
// vertices that they own as well.
static inline size_t count_eight(uint64_t corner, uint64_t cut, uint64_t extra)
{
    const uint64_t wet = (corner & EACH(RL_CORNER_WET)) * 0xff;
    const uint64_t more = wet & ((cut & EACH(RL_SIDES)) | extra);
    const size_t used = sum_of_bytes(corner >> 1 & EACH(1));
    if (more == 0)
        return used;
    const uint64_t curtains = wet & extra & EACH(0xf0);
    return used + count_bits(wet & cut & EACH(RL_SIDES)) + count_bits(wet & extra) +
           count_bits(curtains);
}

static size_t count_row(const rl_surface *s, int i, int j, int layer, int n)
{
    const size_t at = rl_surface_at(s, i, j, layer);
    const uint8_t *corner = s->corner + at, *cut = s->cut + at, *extra = s->extra + at;
    use_row(s->corner + at, s->quad + at, s->quad + at - s->pitch, n);
    size_t sum = 0;
    int k = 0;
    for (; k + 8 <= n; k += 8)
        sum += count_eight(rl_eight_flags(corner + k), rl_eight_flags(cut + k),
                           rl_eight_flags(extra + k));
    for (; k < n; k++)
        sum += count_eight(corner[k], cut[k], extra[k]);
    return sum;
}

// Writes the triangles of the cell groups of a row to the polygon buffer of the tile, as far as its
// capacity goes.
static void find_special(const rl_surface *s, int j, int tile)
{
    RL_ASSERT(j >= -1 && j < s->ny);
    rl_surface_tile *sums = &s->tiles[tile];
    const uint8_t *special = s->special + rl_surface_at(s, 0, j, 0);
    uint64_t *polygons = s->polygons + 3 * s->polygon_capacity * (size_t)tile;
    for (int i = rl_surface_next(special, -1, s->nx); i < s->nx;
         i = rl_surface_next(special, i + 1, s->nx)) {
        const size_t used =
            sums->special < s->polygon_capacity ? sums->special : s->polygon_capacity;
        const rl_cell_group_target to = {polygons + 3 * used, NULL, s->polygon_capacity - used};
        bool too_long;
        sums->special += rl_cell_group_triangles(s, i, j, to, &too_long);
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

// ---- Triangles ---------------------------------------------------------------------------

static void put_run(uint32_t *restrict to, const uint8_t *restrict quad,
                    const uint32_t *restrict low, const uint32_t *restrict high, int n)
{
    for (int i = 0; i < n; i++, to += 6) {
        const uint32_t a = low[i], b = low[i + 1], c = high[i + 1], d = high[i];
        const uint32_t ac = 0u - (quad[i] >> 1 & 1u); // all bits or none, without a branch that
                                                      // waves would mispredict
        to[0] = a;
        to[1] = b;
        to[2] = d ^ ((c ^ d) & ac);
        to[3] = b ^ ((a ^ b) & ac);
        to[4] = c;
        to[5] = d;
    }
}

static uint32_t *put_whole(const rl_surface *s, int j, int layer, uint32_t *to)
{
    const rl_surface_row row = quads_of(s, j, layer);
    const size_t at = rl_surface_at(s, 0, j, layer);
    const uint8_t *quad = s->quad + at;
    const uint32_t *low = s->number + at, *high = low + s->pitch;
    for (int i = rl_surface_next(quad, row.first, row.end); i < row.end;
         i = rl_surface_next(quad, i, row.end)) {
        const int n = rl_surface_run(quad, i, row.end, RL_QUAD_WHOLE, RL_QUAD_WHOLE) - i;
        put_run(to, quad + i, low + i, high + i, n);
        to += 6 * (size_t)n;
        i += n > 0 ? n : 1;
    }
    return to;
}

// Writes the indices of the polygon buffer; polygons beyond its capacity are made once more.
static void put_special(const rl_surface *s, int tile, uint32_t *to)
{
    const size_t count = s->tiles[tile].special;
    if (count <= s->polygon_capacity) {
        const uint64_t *polygons = s->polygons + 3 * s->polygon_capacity * (size_t)tile;
        for (size_t k = 0; k < 3 * count; k++)
            to[k] = rl_polygon_number(s, polygons[k]);
        return;
    }
    const int end = rl_surface_tile_end(s, tile);
    for (int j = rl_surface_tile_first(tile); j < end && j < s->ny; j++) {
        const uint8_t *special = s->special + rl_surface_at(s, 0, j, 0);
        for (int i = -1; i < s->nx; i++) {
            const rl_cell_group_target target = {NULL, to, RL_CELL_GROUP_MOST};
            bool too_long;
            if (special[i])
                to += 3 * rl_cell_group_triangles(s, i, j, target, &too_long);
        }
    }
}

void rl_surface_triangles_tile(void *context, int tile)
{
    RL_ASSERT(tile >= 0 && tile < ((const rl_surface *)context)->tile_count);
    const rl_surface *s = context;
    const int end = rl_surface_tile_end(s, tile);
    uint32_t *to = s->indices + 3 * s->tiles[tile].first_triangle;
    for (int j = rl_surface_tile_first(tile); j < end && j < s->ny; j++)
        for (int layer = 0; layer < s->layers; layer++)
            to = put_whole(s, j, layer, to);
    put_special(s, tile, to);
}
