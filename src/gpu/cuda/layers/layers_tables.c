// SPDX-License-Identifier: MIT
// layers_tables.c - makes the tables of layers_tables.h from the host's ground.
#include "gpu/cuda/layers/layers_tables.h"

#include "core/assert.h"

#include <string.h>

#define BITS 32

// ---- Memory ----------------------------------------------------------------------------

static size_t row_count(const rl_layers *s)
{
    return (size_t)s->planes * (size_t)s->ny;
}

void rl_ground_tables_create(const rl_layers *s, rl_owned *own, rl_ground_tables *out)
{
    const size_t words = row_count(s) * (((size_t)s->nx + BITS - 1) / BITS);
    const size_t pipes = s->cross_capacity;
    *out = (rl_ground_tables){.word_capacity = words, .pipe_capacity = pipes};
    out->words = rl_owned_take(own, words, sizeof *out->words);
    out->pipes = rl_owned_take(own, pipes + 1, sizeof *out->pipes);
    out->ends_first = rl_owned_take(own, 2 * pipes + 1, sizeof *out->ends_first);
    out->ends = rl_owned_take(own, 2 * pipes + 1, sizeof *out->ends);
    out->row_words = rl_owned_take(own, row_count(s), sizeof *out->row_words);
    out->counts = rl_owned_take(own, BITS * words, sizeof *out->counts);
}

// ---- Words -----------------------------------------------------------------------------

static uint32_t bits_between(int first, int end)
{
    const int low = first > 0 ? first : 0, high = end < BITS ? end : BITS;
    if (high <= low)
        return 0;
    const uint32_t below_high = high == BITS ? UINT32_MAX : (UINT32_C(1) << high) - 1;
    return below_high & ~((UINT32_C(1) << low) - 1);
}

static void add_words_of_row(const rl_layers *s, rl_ground_tables *g, int plane, int y)
{
    const rl_layers_span span = *rl_layers_span_of(s, plane, y);
    const uint32_t flags =
        (plane > 0 ? RL_WORD_COVERED : 0u) |
        (s->on_solid && s->crossed[rl_layers_flag_of(s, plane, y)] ? RL_WORD_CROSSED : 0u);
    g->row_words[(size_t)plane * (size_t)s->ny + (size_t)y] = span.end > 0 ? g->t.word_count : -1;
    const int x0 = span.first / BITS * BITS;
    for (int x = x0; x < span.end; x += BITS)
        g->words[g->t.word_count++] = (rl_layers_word){
            .slot = (int32_t)rl_layers_slot(s, plane, x, y),
            .x = x,
            .y = y,
            .flags =
                flags | (x > x0 ? RL_WORD_WEST : 0u) | (x + BITS < span.end ? RL_WORD_EAST : 0u),
            .cells = bits_between(span.first - x, span.end - x),
            .south = -1,
            .north = -1,
        };
}

// Returns the word of cell x of a row, or -1.
static int32_t word_at(const rl_layers *s, const rl_ground_tables *g, int plane, int y, int x)
{
    if (y < 0 || y >= s->ny)
        return -1;
    const rl_layers_span span = *rl_layers_span_of(s, plane, y);
    const int32_t first = g->row_words[(size_t)plane * (size_t)s->ny + (size_t)y];
    const int place = x / BITS - span.first / BITS;
    return first < 0 || place < 0 || x / BITS * BITS >= span.end ? -1 : first + place;
}

// Returns the number of a column: word times 32 plus bit.
static int32_t number_of(const rl_layers *s, const rl_ground_tables *g, size_t slot)
{
    const size_t row = slot / s->base.pitch;
    const int plane = (int)(row / s->plane_rows), y = (int)(row % s->plane_rows);
    const int x = (int)(slot % s->base.pitch);
    return BITS * word_at(s, g, plane, y, x) + x % BITS;
}

static bool joined(const rl_layers *s, ptrdiff_t a, ptrdiff_t b)
{
    const float *base = s->base.origin, *top = s->range_max.origin;
    return rl_layers_joined(base[a], top[a], base[b], top[b]);
}

// Finds the neighbours of columns in a covered plane; columns beyond the borders are neighbours
// too.
static void join_word(const rl_layers *s, const rl_ground_tables *g, int plane,
                      rl_layers_word *word)
{
    const ptrdiff_t pitch = (ptrdiff_t)s->base.pitch;
    word->south = word_at(s, g, plane, word->y - 1, word->x);
    word->north = word_at(s, g, plane, word->y + 1, word->x);
    for (int n = 0; n < BITS; n++) {
        const ptrdiff_t slot = word->slot + n;
        if (!(word->cells >> n & 1))
            continue;
        word->join_west |= (uint32_t)joined(s, slot, slot - 1) << n;
        word->join_east |= (uint32_t)joined(s, slot, slot + 1) << n;
        word->join_south |= (uint32_t)joined(s, slot, slot - pitch) << n;
        word->join_north |= (uint32_t)joined(s, slot, slot + pitch) << n;
    }
}

static void make_words(const rl_layers *s, rl_ground_tables *g)
{
    g->t.word_count = 0;
    for (int plane = 1; plane < s->planes; plane++)
        for (int y = 0; y < s->ny; y++)
            add_words_of_row(s, g, plane, y);
    g->t.covered_count = g->t.word_count;
    for (int y = 0; y < s->ny; y++)
        add_words_of_row(s, g, 0, y);
    RL_ASSERT((size_t)g->t.word_count <= g->word_capacity);
    const size_t plane_slots = s->plane_rows * s->base.pitch;
    for (int n = 0; n < g->t.covered_count; n++)
        join_word(s, g, (int)((size_t)g->words[n].slot / plane_slots), &g->words[n]);
}

// ---- Cross pipes -----------------------------------------------------------------------

static void list_ends(rl_ground_tables *g, int32_t from, int32_t to, int pipe)
{
    RL_ASSERT(pipe >= 0);
    const int32_t i = (int32_t)g->pipes[pipe].from, j = (int32_t)g->pipes[pipe].to;
    const int32_t covered = BITS * g->t.covered_count;
    g->ends[g->counts[from]++] = (rl_layers_end){2 * pipe, i, j, to < covered ? to : -1};
    g->ends[g->counts[to]++] = (rl_layers_end){2 * pipe + 1, i, j, from < covered ? from : -1};
}

// Numbers the columns that have cross pipes, in the order of their words; `counts` becomes the
// place of the first end of each.
static void number_crossed(rl_ground_tables *g)
{
    int32_t crossed = 0, ends = 0;
    for (int w = 0; w < g->t.word_count; w++) {
        rl_layers_word *word = &g->words[w];
        word->crossed_first = crossed;
        for (int n = 0; n < BITS; n++) {
            int32_t *count = &g->counts[BITS * w + n];
            if (*count == 0)
                continue;
            word->crossed |= UINT32_C(1) << n;
            g->ends_first[crossed++] = ends;
            ends += *count;
            *count = ends - *count;
        }
    }
    RL_ASSERT((size_t)ends <= 2 * g->pipe_capacity);
    g->ends_first[crossed] = ends;
    g->t.crossed_count = crossed;
}

// A column's pipes come in the order of the list: those from the row south of it, then its own.
static void make_pipes(const rl_layers *s, rl_ground_tables *g)
{
    const int count = (int)s->cross_count;
    RL_ASSERT(s->cross_count <= g->pipe_capacity);
    memset(g->counts, 0, BITS * (size_t)g->t.word_count * sizeof *g->counts);
    for (int n = 0; n < count; n++) {
        const rl_layers_cross *c = &s->cross[n];
        const int32_t from = number_of(s, g, c->from), to = number_of(s, g, c->to);
        g->counts[from]++;
        g->counts[to]++;
        g->pipes[n] = (rl_layers_pipe){c->from, c->to, from, to, c->north};
    }
    number_crossed(g);
    for (int n = 0; n < count; n++)
        list_ends(g, g->pipes[n].from_bit, g->pipes[n].to_bit, n);
    const int32_t covered = BITS * g->t.covered_count;
    for (int n = 0; n < count; n++) {
        rl_layers_pipe *pipe = &g->pipes[n];
        pipe->from_bit = pipe->from_bit < covered ? pipe->from_bit : -1;
        pipe->to_bit = pipe->to_bit < covered ? pipe->to_bit : -1;
    }
    g->t.pipe_count = count;
}

void rl_ground_tables_make(const rl_layers *s, rl_ground_tables *g)
{
    make_words(s, g);
    make_pipes(s, g);
    rl_layers_tables *t = &g->t;
    t->words = g->words;
    t->pipes = g->pipes;
    t->ends_first = g->ends_first;
    t->ends = g->ends;
    t->open = t->drains = 0;
    for (int side = 0; side < RILL_SIDE_COUNT; side++) {
        t->open |= (s->border[side] != RILL_BORDER_WALL) << side;
        t->drains |= (s->border[side] == RILL_BORDER_DRAIN) << side;
        t->border_level[side] = s->border_level[side];
    }
    t->deepest_beyond = s->deepest_beyond;
    t->gateway_capacity = t->limited_capacity = (int)rl_layers_passages_capacity(s);
}

// ---- Marks -----------------------------------------------------------------------------

void rl_ground_tables_pack(const rl_layers *s, const rl_ground_tables *g, uint32_t *flooded)
{
    for (int w = 0; w < g->t.covered_count; w++) {
        const float *marks = s->flooded.origin + g->words[w].slot;
        flooded[w] = 0;
        for (int n = 0; n < BITS; n++)
            if (g->words[w].cells >> n & 1)
                flooded[w] |= (uint32_t)(marks[n] > 0.5f) << n;
    }
}

void rl_ground_tables_unpack(rl_layers *s, const rl_ground_tables *g, const uint32_t *flooded)
{
    for (int w = 0; w < g->t.covered_count; w++) {
        float *marks = s->flooded.origin + g->words[w].slot;
        for (int n = 0; n < BITS; n++)
            if (g->words[w].cells >> n & 1)
                marks[n] = flooded[w] >> n & 1 ? 1.0f : 0.0f;
    }
}
