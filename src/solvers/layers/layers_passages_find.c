// SPDX-License-Identifier: MIT
// layers_passages_find.c - where the flooded passages are, found anew in every step: runs of
// flooded columns, runs that touch (union-find), and the gateways around them.
#include "core/assert.h"
#include "solvers/layers/layers_passages_inside.h"

#include <string.h>

// ---- Joints ----------------------------------------------------------------------------

// Fills `bits` with whether the columns of a row are joined to those `step` slots further.
static void join_row(const rl_layers *s, ptrdiff_t row, ptrdiff_t step, uint64_t *bits)
{
    const rl_layers_passages *p = s->passages;
    const float *base = s->base.origin + row, *top = s->range_max.origin + row;
    uint8_t *bytes = p->bytes + 1;
    memset(p->bytes, 0, 64 * (size_t)p->words);
    for (int x = -1; x < s->nx; x++)
        bytes[x] = rl_layers_joined(base[x], top[x], base[x + step], top[x + step]);
    rl_bits_pack(p->bytes, p->words, bits);
}

static void know_joints(rl_layers *s, int line)
{
    rl_layers_passages *p = s->passages;
    if (p->known[line])
        return;
    const ptrdiff_t row = rl_passages_line_slot(s, line);
    p->known[line] = 1;
    join_row(s, row, 1, rl_passages_bits(p, p->join_east, line));
    join_row(s, row, (ptrdiff_t)s->base.pitch, rl_passages_bits(p, p->join_north, line));
}

// ---- Runs ------------------------------------------------------------------------------

static uint32_t root_of(rl_layers_run *runs, uint32_t run)
{
    while (runs[run].parent != run) {
        runs[run].parent = runs[runs[run].parent].parent;
        run = runs[run].parent;
    }
    return run;
}

// The earlier run stays the root, so that the order of joining does not show.
static void unite(rl_layers_run *runs, uint32_t a, uint32_t b)
{
    a = root_of(runs, a);
    b = root_of(runs, b);
    if (a < b)
        runs[b].parent = a;
    else
        runs[a].parent = b;
}

// The columns of word w of a line with which runs begin.
static uint64_t begins(const rl_layers_passages *p, int line, int w)
{
    const uint64_t *here = rl_passages_bits(p, p->flooded, line);
    const uint64_t *east = rl_passages_bits(p, p->join_east, line);
    return here[w] & ~(rl_bits_from_west(here, w) & rl_bits_from_west(east, w));
}

static uint64_t ends(const rl_layers_passages *p, int line, int w)
{
    const uint64_t *here = rl_passages_bits(p, p->flooded, line);
    const uint64_t *east = rl_passages_bits(p, p->join_east, line);
    return here[w] & ~(rl_bits_from_east(here, w, p->words) & east[w]);
}

static void open_line(rl_layers *s, int line)
{
    RL_ASSERT(line >= 0);
    const rl_layers_passages *p = s->passages;
    const ptrdiff_t row = rl_passages_line_slot(s, line);
    for (int w = 0; w < p->words; w++)
        for (uint64_t left = rl_passages_bits(p, p->flooded, line)[w]; left != 0; left &= left - 1)
            rl_layers_open(s, row + 64 * w + rl_bits_lowest(left) - 1);
}

static void find_runs_of_line(rl_layers *s, int line)
{
    rl_layers_passages *p = s->passages;
    size_t count = 0, ended = p->run_count;
    for (int w = 0; w < p->words; w++)
        count += (size_t)rl_bits_count(begins(p, line, w));
    if (count > p->run_capacity - p->run_count) {
        open_line(s, line);
        return;
    }
    for (int w = 0; w < p->words; w++) {
        for (uint64_t left = begins(p, line, w); left != 0; left &= left - 1) {
            const uint32_t n = (uint32_t)p->run_count++;
            p->runs[n] = (rl_layers_run){.line = line, .parent = n};
            p->runs[n].first = 64 * w + rl_bits_lowest(left) - 1;
        }
        for (uint64_t left = ends(p, line, w); left != 0; left &= left - 1)
            p->runs[ended++].end = 64 * w + rl_bits_lowest(left);
    }
}

// Joins runs of a line with those of the line north of it.
static void unite_lines(rl_layers *s, int line)
{
    rl_layers_passages *p = s->passages;
    const uint64_t *here = rl_passages_bits(p, p->flooded, line);
    const uint64_t *north = rl_passages_bits(p, p->flooded, line + 1);
    const uint64_t *joined = rl_passages_bits(p, p->join_north, line);
    uint32_t a = p->first_run[line], b = p->first_run[line + 1];
    while (a < p->first_run[line + 1] && b < p->first_run[line + 2]) {
        rl_layers_run *low = &p->runs[a], *high = &p->runs[b];
        const int first = (low->first > high->first ? low->first : high->first) + 1;
        const int end = (low->end < high->end ? low->end : high->end) + 1;
        int joints = 0;
        for (int w = first / 64; 64 * w < end; w++)
            joints += rl_bits_count(here[w] & north[w] & joined[w] & rl_bits_mask(w, first, end));
        if (joints > 0)
            unite(p->runs, a, b);
        low->joints += joints;
        if (low->end < high->end)
            a++;
        else
            b++;
    }
}

uint32_t rl_layers_run_at(const rl_layers *s, ptrdiff_t slot)
{
    const rl_layers_passages *p = s->passages;
    int plane, y, x;
    rl_passages_place(s, slot, &plane, &y, &x);
    const int line = rl_passages_line(s, plane, y);
    uint32_t low = p->first_run[line], high = p->first_run[line + 1];
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (p->runs[middle].first <= x)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void unite_cross_pipes(rl_layers *s)
{
    rl_layers_passages *p = s->passages;
    const float *flooded = s->flooded.origin;
    for (size_t n = 0; n < s->cross_count; n++) {
        const ptrdiff_t from = (ptrdiff_t)s->cross[n].from, to = (ptrdiff_t)s->cross[n].to;
        if (!(flooded[from] > 0.0f && flooded[to] > 0.0f))
            continue;
        const uint32_t a = rl_layers_run_at(s, from);
        p->runs[a].joints++;
        unite(p->runs, a, rl_layers_run_at(s, to));
    }
}

static bool find_runs(rl_layers *s)
{
    rl_layers_passages *p = s->passages;
    p->run_count = 0;
    for (int line = 0; line < p->lines; line++) {
        p->first_run[line] = (uint32_t)p->run_count;
        if (!p->active[line])
            continue;
        know_joints(s, line - 1);
        know_joints(s, line);
        find_runs_of_line(s, line);
    }
    p->first_run[p->lines] = (uint32_t)p->run_count;
    for (int line = 0; line < p->lines; line++)
        if (p->active[line] && p->active[line + 1])
            unite_lines(s, line);
    unite_cross_pipes(s);
    for (uint32_t n = 0; n < p->run_count; n++)
        p->runs[n].parent = root_of(p->runs, n);
    return p->run_count > 0;
}

// ---- Measures --------------------------------------------------------------------------

static void measure_run(const rl_layers *s, rl_layers_run *run)
{
    const ptrdiff_t first = rl_passages_line_slot(s, run->line) + run->first;
    const float *base = s->base.origin + first, *top = s->range_max.origin + first;
    const float *depth = s->depth.origin + first;
    const int columns = run->end - run->first;
    const double cell = s->cell_size;
    uint64_t height = 0, inverse = 0;
    for (int x = 0; x < columns; x++) {
        height += rl_passages_count_height(base[x], top[x], cell);
        inverse += rl_passages_count_inverse(base[x], top[x], cell);
        run->lacking += rl_passages_count_lacking(base[x], depth[x], top[x], cell);
    }
    run->columns = columns;
    run->joints += columns - 1;
    run->along = rl_passages_run_along(columns, inverse);
    run->across = rl_passages_run_across(columns, height);
}

static void measure_passages(rl_layers *s)
{
    const rl_layers_passages *p = s->passages;
    for (size_t n = 0; n < p->run_count; n++)
        measure_run(s, &p->runs[n]);
    for (size_t n = 0; n < p->run_count; n++) {
        const rl_layers_run *run = &p->runs[n];
        rl_layers_run *root = &p->runs[run->parent];
        if (root == run)
            continue;
        root->columns += run->columns;
        root->joints += run->joints;
        root->along += run->along;
        root->across += run->across;
        root->lacking += run->lacking;
    }
}

// ---- Gateways --------------------------------------------------------------------------

// 1 + the side of the grid that a face of cell (x, y) lies on, or 0.
static int side_of(const rl_layers *s, int kind, bool inward, int x, int y)
{
    if (kind == RL_GATE_X && x == (inward ? 0 : s->nx - 1))
        return 1 + (inward ? RILL_SIDE_WEST : RILL_SIDE_EAST);
    if (kind == RL_GATE_Y && y == (inward ? 0 : s->ny - 1))
        return 1 + (inward ? RILL_SIDE_SOUTH : RILL_SIDE_NORTH);
    return 0;
}

rl_layers_gateway rl_layers_gateway_at(const rl_layers *s, int kind, ptrdiff_t face, bool inward,
                                       int x, int y)
{
    rl_layers_gateway g = {.face = (int32_t)face, .kind = (uint8_t)kind, .inward = inward ? 1 : -1};
    const ptrdiff_t inside = rl_gate_inside(s, &g), outside = rl_gate_outside(s, &g);
    const float *base = s->base.origin;
    const float sill = base[inside] > base[outside] ? base[inside] : base[outside];
    g.height = rl_passages_ceiling(s, inside, outside) - sill;
    g.airy = rl_layers_is_airy(s, inside, outside);
    g.fresh = s->flooded.origin[inside] == RL_MARK_FULL;
    g.beyond = (uint8_t)side_of(s, kind, inward, x, y);
    return g;
}

// A passage with more gateways than there is memory for stays what it was without: a few egg boxes
// below water.
static void add_gateway(rl_layers *s, uint32_t run, int kind, ptrdiff_t face, bool inward, int x,
                        int y)
{
    rl_layers_passages *p = s->passages;
    const uint32_t root = p->runs[run].parent;
    if (p->gateway_count == p->gateway_capacity) {
        p->runs[root].opened = true;
        return;
    }
    rl_layers_gateway *g = &p->found[p->gateway_count++];
    *g = rl_layers_gateway_at(s, kind, face, inward, x, y);
    g->root = root;
    p->runs[root].gateway_count++;
}

static void find_gateways_of_line(rl_layers *s, int line)
{
    rl_layers_passages *p = s->passages;
    const uint64_t *here = rl_passages_bits(p, p->flooded, line);
    const uint64_t *south = rl_passages_bits(p, p->flooded, line - 1);
    const uint64_t *north = rl_passages_bits(p, p->flooded, line + 1);
    const uint64_t *join_east = rl_passages_bits(p, p->join_east, line);
    const uint64_t *join_north = rl_passages_bits(p, p->join_north, line);
    const uint64_t *join_south = rl_passages_bits(p, p->join_north, line - 1);
    const ptrdiff_t row = rl_passages_line_slot(s, line), pitch = (ptrdiff_t)s->base.pitch;
    const int y = line % (s->ny + 2) - 1;
    uint32_t run = p->first_run[line];
    for (int w = 0; w < p->words; w++) {
        const uint64_t to_west =
            here[w] & rl_bits_from_west(join_east, w) & ~rl_bits_from_west(here, w);
        const uint64_t to_east = here[w] & join_east[w] & ~rl_bits_from_east(here, w, p->words);
        const uint64_t to_south = here[w] & join_south[w] & ~south[w];
        const uint64_t to_north = here[w] & join_north[w] & ~north[w];
        for (uint64_t rim = to_west | to_east | to_south | to_north; rim != 0; rim &= rim - 1) {
            const uint64_t bit = rl_bits_first(rim);
            const int x = 64 * w + rl_bits_lowest(rim) - 1;
            while (p->runs[run].end <= x)
                run++;
            if (to_west & bit)
                add_gateway(s, run, RL_GATE_X, row + x - 1, true, x, y);
            if (to_east & bit)
                add_gateway(s, run, RL_GATE_X, row + x, false, x, y);
            if (to_south & bit)
                add_gateway(s, run, RL_GATE_Y, row + x - pitch, true, x, y);
            if (to_north & bit)
                add_gateway(s, run, RL_GATE_Y, row + x, false, x, y);
        }
    }
}

static void find_gateways(rl_layers *s)
{
    rl_layers_passages *p = s->passages;
    const float *flooded = s->flooded.origin;
    p->gateway_count = 0;
    for (int line = 0; line < p->lines; line++)
        if (p->active[line])
            find_gateways_of_line(s, line);
    for (size_t n = 0; n < s->cross_count; n++) {
        const bool from = flooded[s->cross[n].from] > 0.0f, to = flooded[s->cross[n].to] > 0.0f;
        if (from != to)
            add_gateway(s,
                        rl_layers_run_at(s, (ptrdiff_t)(from ? s->cross[n].from : s->cross[n].to)),
                        RL_GATE_CROSS, (ptrdiff_t)n, to, 0, 0);
    }
}

// Brings the gateways of each passage together, in the order they were found.
static void sort_gateways(rl_layers_passages *p)
{
    uint32_t first = 0;
    for (size_t n = 0; n < p->run_count; n++) {
        p->runs[n].gateway_first = first;
        first += p->runs[n].gateway_count;
        p->runs[n].gateway_count = 0;
    }
    for (size_t n = 0; n < p->gateway_count; n++) {
        rl_layers_run *root = &p->runs[p->found[n].root];
        p->gateways[root->gateway_first + root->gateway_count++] = p->found[n];
    }
}

// Where liquid leaves into air and none comes in, the passage is being emptied.
static bool is_emptied(const rl_layers *s, const rl_layers_run *root)
{
    bool airy = false;
    for (uint32_t n = 0; n < root->gateway_count; n++) {
        const rl_layers_gateway *g = &s->passages->gateways[root->gateway_first + n];
        if (*rl_gate_old(s, g) * (float)g->inward > 0.0f)
            return false;
        airy |= g->airy;
    }
    return airy;
}

// What drives liquid out where air stands.
static float head_of(const rl_layers *s, const rl_layers_run *root)
{
    const rl_layers_gateway *gateways = s->passages->gateways + root->gateway_first;
    rl_chunk_sum heights, levels;
    rl_chunk_sum_begin(&heights);
    rl_chunk_sum_begin(&levels);
    for (uint32_t n = 0; n < root->gateway_count; n++) {
        const double height = gateways[n].airy ? 0.0 : (double)gateways[n].height;
        const double level = rl_layers_gateway_level(s, &gateways[n]);
        rl_chunk_sum_add(&heights, height);
        rl_chunk_sum_add(&levels, gateways[n].airy ? 0.0 : height * level);
    }
    const double openings = rl_chunk_sum_end(&heights);
    return rl_passages_head(openings, rl_chunk_sum_end(&levels));
}

// Marks the columns of passages with 1, and what drives them, and all others with 0.
static void mark_passages(rl_layers *s)
{
    rl_layers_passages *p = s->passages;
    for (int plane = 1; plane < s->planes; plane++)
        for (int y = 0; y < s->ny; y++)
            if (p->active[rl_passages_line(s, plane, y)])
                rl_layers_clear_marks(s, plane, y);
    for (uint32_t n = 0; n < p->run_count; n++) {
        const rl_layers_run *run = &p->runs[n];
        float *flooded = s->flooded.origin + rl_passages_line_slot(s, run->line);
        float *head = s->head.origin + rl_passages_line_slot(s, run->line);
        uint64_t *bits = rl_passages_bits(p, p->flooded, run->line);
        const rl_layers_run *root = &p->runs[run->parent];
        if (!root->opened)
            for (int x = run->first; x < run->end; x++) {
                flooded[x] = 1.0f;
                head[x] = root->head;
            }
        else
            for (int w = (run->first + 1) / 64; 64 * w < run->end + 1; w++)
                bits[w] &= ~rl_bits_mask(w, run->first + 1, run->end + 1);
    }
}

void rl_layers_find_passages(rl_layers *s)
{
    RL_ASSERT(s->planes > 1);
    rl_layers_passages *p = s->passages;
    if (p == NULL)
        return;
    p->run_count = p->gateway_count = p->pipe_count = 0;
    if (memcmp(p->border, s->border, sizeof p->border) != 0) {
        memcpy(p->border, s->border, sizeof p->border);
        rl_layers_passages_changed(s); // other ghosts
    }
    if (!rl_layers_find_full(s))
        return;
    rl_layers_open_to_air(s);
    if (find_runs(s)) {
        find_gateways(s);
        sort_gateways(p);
        measure_passages(s);
        for (uint32_t n = 0; n < p->run_count; n++) {
            rl_layers_run *root = &p->runs[n];
            if (root->parent != n)
                continue;
            root->opened |= is_emptied(s, root);
            root->head = head_of(s, root);
        }
        if (s->def.passages == RILL_PASSAGES_AXIS)
            rl_layers_axis_find(s);
    }
    mark_passages(s);
}
