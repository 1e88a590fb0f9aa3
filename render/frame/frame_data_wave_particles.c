// SPDX-License-Identifier: MIT
// frame_data_wave_particles.c - packs the tiles of wave particles that have changed.
#include "render/frame/frame_data_wave_particles.h"

#include "render/frame/frame_data.h"
#include "render/frame/frame_data_solid.h"
#include "render/half.h"
#include "render/passes/wave_levels.h"
#include "render/render_error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Cells along the square after which the hues of birth places repeat.
#define HUE_CELLS 64.0f

void frame_free_wave_particles(frame_wave_particles *d)
{
    free(d->index);
    free(d->layers);
    free(d->version);
    free(d->scratch);
    free(d->births);
    *d = (frame_wave_particles){0};
}

void wave_particles_memory_free(wave_particles_memory *memory)
{
    free(memory->tiles);
    free(memory->index);
    free(memory->version);
    free(memory->changed);
    *memory = (wave_particles_memory){0};
}

size_t frame_wave_layer_texels(const frame_wave_particles *d)
{
    size_t sum = 0;
    for (int level = 0; level < d->levels; level++)
        sum += (size_t)(d->side >> level) * (size_t)(d->side >> level);
    return sum;
}

// ---- Changes ---------------------------------------------------------------------------

// Grows an array; `pointer` is the address of a pointer to any type.
static rill_status grow(void *pointer, size_t *capacity, size_t count, size_t size)
{
    void *memory;
    memcpy(&memory, pointer, sizeof memory);
    const rill_status status = frame_grow(&memory, capacity, count, size);
    memcpy(pointer, &memory, sizeof memory);
    return status;
}

static size_t places_of(const rill_wave_particles *d)
{
    return (size_t)d->tiles_x * (size_t)d->tiles_y;
}

static size_t tile_texels(const rill_wave_particles *d)
{
    return (size_t)d->tile_side * (size_t)d->tile_side;
}

// Reserves memory, and forgets all tiles when they are laid in another way than before.
static rill_status fit_memory(wave_particles_memory *m, const rill_wave_particles *d)
{
    const size_t places = places_of(d), tiles = (size_t)d->tile_count;
    const bool same = m->tiles_x == d->tiles_x && m->tiles_y == d->tiles_y &&
                      m->tile_side == d->tile_side && m->tile_count == d->tile_count &&
                      memcmp(m->index, d->index, places * sizeof *m->index) == 0;
    if (same)
        return RILL_OK;
    rill_status status =
        grow(&m->tiles, &m->tile_capacity, tiles * tile_texels(d), sizeof *m->tiles);
    if (status == RILL_OK)
        status = grow(&m->index, &m->index_capacity, places, sizeof *m->index);
    if (status == RILL_OK)
        status = grow(&m->version, &m->version_capacity, tiles, sizeof *m->version);
    if (status == RILL_OK)
        status = grow(&m->changed, &m->changed_capacity, tiles, sizeof *m->changed);
    m->tiles_x = 0;
    if (status != RILL_OK)
        return status;
    memcpy(m->index, d->index, places * sizeof *m->index);
    memcpy(m->tiles, d->tiles, tiles * tile_texels(d) * sizeof *m->tiles);
    m->newest++;
    for (size_t n = 0; n < tiles; n++)
        m->version[n] = m->newest;
    m->tiles_x = d->tiles_x;
    m->tiles_y = d->tiles_y;
    m->tile_side = d->tile_side;
    m->tile_count = d->tile_count;
    return RILL_OK;
}

// Returns the tile at (i, j), or -1 beside the grid and where there is none.
static int tile_at(const rill_wave_particles *d, int i, int j)
{
    if (i < 0 || j < 0 || i >= d->tiles_x || j >= d->tiles_y)
        return -1;
    const int tile = d->index[j * d->tiles_x + i];
    return tile < d->tile_count ? tile : -1;
}

static bool any_changed_around(const wave_particles_memory *m, const rill_wave_particles *d, int i,
                               int j)
{
    for (int k = 0; k < 9; k++) {
        const int tile = tile_at(d, i + k % 3 - 1, j + k / 3 - 1);
        if (tile >= 0 && m->changed[tile])
            return true;
    }
    return false;
}

// Gives a new version to layers whose own tile or one around it has changed.
static void note_changes(wave_particles_memory *m, const rill_wave_particles *d)
{
    const size_t texels = tile_texels(d);
    bool any = false;
    for (int n = 0; n < d->tile_count; n++) {
        float *was = m->tiles + (size_t)n * texels;
        const float *is = d->tiles + (size_t)n * texels;
        m->changed[n] = memcmp(was, is, texels * sizeof *is) != 0;
        any = any || m->changed[n];
        if (m->changed[n])
            memcpy(was, is, texels * sizeof *is);
    }
    if (!any)
        return;
    m->newest++;
    for (int j = 0; j < d->tiles_y; j++)
        for (int i = 0; i < d->tiles_x; i++) {
            const int tile = tile_at(d, i, j);
            if (tile >= 0 && any_changed_around(m, d, i, j))
                m->version[tile] = m->newest;
        }
}

// ---- Packing ---------------------------------------------------------------------------

// Counts the levels that a layer can have: each half as wide as the one before, with a rim of a
// texel at least.
static int count_levels(int side, int rim)
{
    int levels = 1;
    while (levels < FRAME_WAVE_LEVELS && (side >> (levels - 1)) % 2 == 0 && rim >> levels > 0)
        levels++;
    return levels;
}

static rill_status fit_tiles(frame_wave_particles *s, const rill_wave_particles *d)
{
    const int inside = d->tile_side - 2, texels = inside / d->tile_cells;
    const int side = (d->tile_cells + 2) * texels;
    const bool same = s->side == side && s->tiles_x == d->tiles_x && s->tiles_y == d->tiles_y &&
                      s->tile_count == d->tile_count && s->tile_cells == d->tile_cells;
    s->texel = d->texel;
    if (same)
        return RILL_OK;
    s->tiles_x = d->tiles_x;
    s->tiles_y = d->tiles_y;
    s->tile_cells = d->tile_cells;
    s->tile_count = d->tile_count;
    s->texels = texels;
    s->side = side;
    s->levels = count_levels(side, texels);
    const size_t tiles = (size_t)d->tile_count, wide = (size_t)side + 2;
    rill_status status = grow(&s->layers, &s->layer_capacity,
                              4 * tiles * frame_wave_layer_texels(s), sizeof *s->layers);
    if (status == RILL_OK)
        status = grow(&s->version, &s->version_capacity, tiles, sizeof *s->version);
    if (status == RILL_OK)
        status = grow(&s->index, &s->index_capacity, places_of(d), sizeof *s->index);
    if (status == RILL_OK)
        status = grow(&s->scratch, &s->scratch_capacity, 5 * wide * wide, sizeof *s->scratch);
    if (status != RILL_OK)
        s->side = 0;
    else
        memset(s->version, 0, tiles * sizeof *s->version);
    return status;
}

// Copies the part of a tile that lies in the square of heights around another one, which reaches
// `rim` texels beyond it on all sides; the tile is `step` tiles off. With or without the tile's own
// rim.
static void copy_tile(const rill_wave_particles *d, int tile, const int step[2], int rim,
                      bool with_rim, float *heights)
{
    const int inside = d->tile_side - 2, wide = inside + 2 * rim, own = with_rim ? 1 : 0;
    int from[2], count[2], to[2];
    for (int k = 0; k < 2; k++) {
        const int first = rim + step[k] * inside - own; // in that square
        const int end = first + inside + 2 * own;
        to[k] = first < 0 ? 0 : first;
        from[k] = to[k] - first + 1 - own;
        count[k] = (end < wide ? end : wide) - to[k];
    }
    const float *texels = d->tiles + (size_t)tile * tile_texels(d);
    for (int b = 0; b < count[1]; b++)
        memcpy(heights + (size_t)(to[1] + b) * (size_t)wide + (size_t)to[0],
               texels + (size_t)(from[1] + b) * (size_t)d->tile_side + (size_t)from[0],
               (size_t)count[0] * sizeof *heights);
}

// Collects the heights of tile (i, j) and of a rim around it. Where there is no tile, the rims of
// those beside it count, and beyond them there are no waves.
static void gather(const rill_wave_particles *d, int i, int j, int rim, float *heights)
{
    const int wide = d->tile_side - 2 + 2 * rim;
    memset(heights, 0, (size_t)wide * (size_t)wide * sizeof *heights);
    for (int k = 0; k < 18; k++) {
        const int step[2] = {k % 3 - 1, k / 3 % 3 - 1};
        const int tile = tile_at(d, i + step[0], j + step[1]);
        if (tile >= 0)
            copy_tile(d, tile, step, rim, k < 9, heights);
    }
}

// Sum of the squares of slopes so far, and their number.
typedef struct slope_sum {
    double squares, count;
} slope_sum;

// Computes texels of the finest level from heights that reach one texel further.
static void fill_finest(const float *heights, int side, float texel, float *out, slope_sum *sum)
{
    const size_t wide = (size_t)side + 2;
    const float half = 0.5f / texel;
    for (size_t b = 0; b < (size_t)side; b++) {
        const float *row = heights + (b + 1) * wide + 1;
        float *to = out + 4 * b * (size_t)side;
        float squares = 0.0f, count = 0.0f;
        for (size_t a = 0; a < (size_t)side; a++) {
            const float x = (row[a + 1] - row[a - 1]) * half;
            const float y = (row[a + wide] - row[a - wide]) * half;
            to[4 * a + 0] = row[a];
            to[4 * a + 1] = x;
            to[4 * a + 2] = y;
            to[4 * a + 3] = x * x + y * y;
            squares += to[4 * a + 3];
            count += to[4 * a + 3] > 0.0f ? 1.0f : 0.0f; // the rest is land
        }
        sum->squares += (double)squares;
        sum->count += (double)count;
    }
}

static void pack_layer(frame_wave_particles *s, const rill_wave_particles *d, int i, int j,
                       slope_sum *sum, uint16_t *to)
{
    const size_t wide = (size_t)s->side + 2;
    float *const heights = s->scratch, *const texels = s->scratch + wide * wide;
    gather(d, i, j, s->texels + 1, heights);
    fill_finest(heights, s->side, s->texel, texels, sum);
    for (int level = 0; level < s->levels; level++) {
        const size_t side = (size_t)(s->side >> level), count = 4 * side * side;
        if (level > 0)
            wave_levels_halve(texels, side);
        for (size_t n = 0; n < count; n++)
            to[n] = half_from_moderate_float(texels[n]);
        to += count;
    }
}

static void pack_layers(const wave_particles_memory *m, const rill_wave_particles *d,
                        frame_wave_particles *s)
{
    const size_t layer = 4 * frame_wave_layer_texels(s);
    slope_sum sum = {0.0, 0.0};
    for (int j = 0; j < d->tiles_y; j++)
        for (int i = 0; i < d->tiles_x; i++) {
            const int tile = tile_at(d, i, j);
            s->index[j * d->tiles_x + i] = (float)tile;
            if (tile < 0 || s->version[tile] == m->version[tile])
                continue;
            pack_layer(s, d, i, j, &sum, s->layers + (size_t)tile * layer);
            s->version[tile] = m->version[tile];
        }
    if (sum.count > 0.0)
        s->variance = (float)(sum.squares / sum.count);
}

// ---- Births ----------------------------------------------------------------------------

// Neighbours have like hues, which go around their circle from south-west to north-east; across
// that they get paler and fuller again.
static void birth_colour(float x, float y, float weight, uint8_t colour[4])
{
    static const float thirds[3] = {0.0f, 1.0f / 3.0f, 2.0f / 3.0f};
    const float hue = x + y, across = 6.2831853f * (x - y);
    const float pale = 0.2f + 0.2f * cosf(across);
    for (int k = 0; k < 3; k++) {
        const float wave = 0.5f + 0.5f * cosf(6.2831853f * (hue - thirds[k]));
        const float full = wave * wave * (1.0f - pale) + pale;
        colour[k] = (uint8_t)(255.0f * full * (0.12f + 0.88f * weight) + 0.5f);
    }
    colour[3] = (uint8_t)(255.0f * weight + 0.5f);
}

static rill_status fill_births(const rill_wave_particles *d, float cell_size,
                               frame_wave_particles *s)
{
    const size_t count = (size_t)d->count;
    const rill_status status = grow(&s->births, &s->birth_capacity, count, sizeof *s->births);
    if (status != RILL_OK)
        return status;
    const float per_metre = 1.0f / (HUE_CELLS * cell_size);
    for (size_t n = 0; n < count; n++) {
        const float weight = fminf(fmaxf(d->weight[n], 0.0f), 1.0f);
        s->births[n].place[0] = d->x[n];
        s->births[n].place[1] = d->y[n];
        birth_colour(d->birth_x[n] * per_metre, d->birth_y[n] * per_metre, weight,
                     s->births[n].colour);
    }
    s->birth_count = count;
    return RILL_OK;
}

rill_status frame_fill_wave_particles(wave_particles_memory *memory,
                                      const rill_wave_particles *particles, bool births,
                                      frame_data *s)
{
    frame_wave_particles *to = &s->wave_particles;
    to->shown = false;
    to->birth_count = 0;
    if (particles->tile_count <= 0 || particles->tile_cells <= 0 || particles->tile_side <= 2)
        return RILL_OK;
    rill_status status = fit_memory(memory, particles);
    if (status == RILL_OK)
        status = fit_tiles(to, particles);
    if (status != RILL_OK)
        return status;
    note_changes(memory, particles);
    pack_layers(memory, particles, to);
    to->shown = true;
    return births ? fill_births(particles, s->cell_size, to) : RILL_OK;
}
