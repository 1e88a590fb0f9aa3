// SPDX-License-Identifier: MIT
// river_line.c - finds the way from the inlet whose sum of 1 / (distance to the bank) is least: in
// a channel of any width the middle is cheapest, also in bends, as long as they are wider than the
// channel. Weights belong to cells and not to steps, so the first way that reaches a cell is its
// best; and they are small whole numbers, so that a ring of buckets can stand for the heap of
// Dijkstra's method (Dial 1969) and the time is proportional to the cells.
#include "terrain/river_path/river_path_internal.h"

#include <math.h>
#include <string.h>

#define FARTHEST   60000
#define MOST_COST  4096 // beside a dry cell
#define GROUP      64   // buckets
#define GROUPS     65
#define RING       (GROUPS * GROUP) // more than the most that a step can cost
#define UNSEEN     0xff
#define START      4
#define NO_CELL    UINT32_MAX
#define TIMES      3   // that the line is smoothed
#define PART_WIDTH 0.5 // of the half width, reach of a time

typedef struct search {
    rl_owned own;
    const rl_wet *wet;
    uint16_t *clear; // distance to the nearest dry cell, RL_CHAMFER_STRAIGHT a cell
    uint32_t *next;  // of the same bucket
    uint8_t *came;   // direction of the cell before; in the memory of the wet set's marks
    uint32_t bucket[RING];
    uint32_t group[GROUPS]; // cells in each group of buckets, so that empty ones are passed over
    size_t waiting;         // cells in all of them
} search;

// ---- Distance to the banks -------------------------------------------------------------

// What lies past the rim is not known to be dry and counts for nothing.
static void measure_clearance(search *s)
{
    const int nx = s->wet->nx, ny = s->wet->ny;
    for (int j = 0; j < ny; j++) {
        const float *level = rill_field_row(s->wet->level, j);
        for (int i = 0; i < nx; i++)
            s->clear[(size_t)j * (size_t)nx + (size_t)i] = level[i] > RL_RIVER_DRY ? FARTHEST : 0;
    }
    rl_chamfer_distances(nx, ny, s->clear, NULL);
}

// ---- Search ----------------------------------------------------------------------------

static unsigned cost_of(const search *s, uint32_t cell)
{
    const unsigned cost = (unsigned)(MOST_COST * RL_CHAMFER_STRAIGHT) / s->clear[cell];
    return cost > 0 ? cost : 1;
}

static void put(search *s, uint32_t cell, size_t now, int came)
{
    const size_t at = (now + cost_of(s, cell)) % RING;
    uint32_t *bucket = &s->bucket[at];
    s->group[at / GROUP]++;
    s->waiting++;
    s->came[cell] = (uint8_t)came;
    s->next[cell] = *bucket;
    *bucket = cell;
}

// Returns the cell before `cell` when it was reached in direction `came`: 0 east, 1 west, 2 north,
// 3 south.
static uint32_t before(const search *s, uint32_t cell)
{
    const uint32_t nx = (uint32_t)s->wet->nx;
    const uint32_t steps[4] = {1, (uint32_t)-1, nx, (uint32_t)-nx};
    return cell - steps[s->came[cell]];
}

// Puts the neighbours of a cell into the ring.
static void relax_neighbours(search *s, uint32_t cell, size_t now)
{
    const uint32_t nx = (uint32_t)s->wet->nx, ny = (uint32_t)s->wet->ny;
    const uint32_t i = cell % nx, j = cell / nx;
    const bool there[4] = {i + 1 < nx, i > 0, j + 1 < ny, j > 0};
    const uint32_t other[4] = {cell + 1, cell - 1, cell + nx, cell - nx};
    for (int k = 0; k < 4; k++)
        if (there[k] && s->clear[other[k]] > 0 && s->came[other[k]] == UNSEEN)
            put(s, other[k], now, k);
}

static void run(search *s, int from)
{
    const int nx = s->wet->nx, ny = s->wet->ny;
    memset(s->bucket, 0xff, sizeof s->bucket);
    memset(s->came, UNSEEN, (size_t)nx * (size_t)ny);
    for (int n = 0; n < rl_side_cells(from, nx, ny); n++) {
        const uint32_t cell = rl_side_cell(from, n, nx, ny);
        if (s->clear[cell] > 0)
            put(s, cell, 0, START);
    }
    // Every cell enters once and leaves once; the ring turns as long as one is waiting.
    for (size_t now = 0; s->waiting > 0; now++) {
        const size_t at = now % RING;
        if (at % GROUP == 0 && s->group[at / GROUP] == 0) {
            now += GROUP - 1;
            continue;
        }
        while (s->bucket[at] != NO_CELL) {
            const uint32_t cell = s->bucket[at];
            s->bucket[at] = s->next[cell];
            s->group[at / GROUP]--;
            s->waiting--;
            relax_neighbours(s, cell, now);
        }
    }
}

// Returns the cell furthest from the banks in the stretch of wet border cells around `end`.
static uint32_t middle_of_border(const search *s, int from, uint32_t end)
{
    const int nx = s->wet->nx, ny = s->wet->ny;
    uint32_t best = end;
    for (int side = 0; side < 4; side++) {
        const int count = rl_side_cells(side, nx, ny);
        int at = -1;
        for (int n = 0; n < count && side != from; n++)
            if (rl_side_cell(side, n, nx, ny) == end)
                at = n;
        for (int turn = -1; turn <= 1 && at >= 0; turn += 2)
            for (int n = at; n >= 0 && n < count; n += turn) {
                const uint32_t cell = rl_side_cell(side, n, nx, ny);
                if (s->clear[cell] == 0 || s->came[cell] == UNSEEN)
                    break;
                if (s->clear[cell] > s->clear[best])
                    best = cell;
            }
    }
    return best;
}

static bool trace(const search *s, uint32_t end, const rill_allocator *allocator,
                  rl_river_line *out)
{
    size_t count = 1;
    for (uint32_t cell = end; s->came[cell] < START; cell = before(s, cell))
        count++;
    out->cell = rill_alloc(allocator, count * sizeof *out->cell);
    if (out->cell == NULL)
        return false;
    out->count = out->capacity = count;
    double sum = 0.0;
    for (uint32_t cell = end;; cell = before(s, cell)) {
        out->cell[--count] = cell;
        sum += s->clear[cell];
        if (count == 0)
            break;
    }
    out->half_width = sum / (RL_CHAMFER_STRAIGHT * (double)out->count);
    return true;
}

bool rl_river_line_find(const rl_wet *wet, int from, uint32_t end, rl_river_line *out)
{
    RL_ASSERT(end < (uint32_t)(wet->ground->nx * wet->ground->ny));
    const size_t cells = (size_t)wet->nx * (size_t)wet->ny;
    const rill_allocator *allocator = wet->allocator;
    *out = (rl_river_line){0};
    search *s = rl_owned_create(allocator, sizeof *s);
    void *object = s;
    if (s == NULL)
        return false;
    s->wet = wet;
    s->came = wet->mark;
    s->clear = rl_owned_take(&s->own, cells, sizeof *s->clear);
    s->next = rl_owned_take(&s->own, cells, sizeof *s->next);
    bool good = !s->own.failed;
    if (good) {
        measure_clearance(s);
        run(s, from);
        good = trace(s, middle_of_border(s, from, end), allocator, out);
        memset(s->came, 0, cells);
    }
    rl_owned_destroy(NULL, &object);
    return good;
}

void rl_river_line_destroy(const rill_allocator *allocator, rl_river_line *line)
{
    rill_free(allocator, line->cell, line->capacity * sizeof *line->cell);
    *line = (rl_river_line){0};
}

// ---- Line ------------------------------------------------------------------------------

void rl_river_line_smooth(const float *values, size_t count, size_t reach, float *out)
{
    RL_ASSERT(values != out && count > 0);
    double sum = 0.0;
    size_t first = 0, end = 0; // of the mean, its end not included
    for (size_t n = 0; n < count; n++) {
        size_t r = n < count - 1 - n ? n : count - 1 - n;
        r = r < reach ? r : reach;
        for (; end < n + r + 1; end++)
            sum += (double)values[end];
        for (; first < n - r; first++)
            sum -= (double)values[first];
        out[n] = (float)(sum / (double)(2 * r + 1));
    }
}

static void smooth_often(float *values, size_t count, size_t reach, float *spare)
{
    for (int time = 0; time < TIMES; time++) {
        memcpy(spare, values, count * sizeof *spare);
        rl_river_line_smooth(spare, count, reach, values);
    }
}

bool rl_river_line_lay(const rl_river_line *line, const rl_wet *wet, const float *surface,
                       double cell_size, rill_river_path *path)
{
    RL_ASSERT(line->count > 0);
    const size_t count = line->count;
    float *arrays[4];
    for (int k = 0; k < 4; k++)
        arrays[k] = rl_owned_take(&path->own, count, sizeof(float));
    if (path->own.failed)
        return false;
    float *x = arrays[0], *y = arrays[1], *level = arrays[2], *bed = arrays[3];
    const uint32_t nx = (uint32_t)wet->nx;
    for (size_t n = 0; n < count; n++) {
        x[n] = (float)(((double)(line->cell[n] % nx) + 0.5) * cell_size);
        y[n] = (float)(((double)(line->cell[n] / nx) + 0.5) * cell_size);
    }
    // The bed is still empty, and its memory serves as scratch.
    const size_t reach = (size_t)(PART_WIDTH * line->half_width) + 1;
    smooth_often(x, count, reach, bed);
    smooth_often(y, count, reach, bed);
    double length = cell_size; // from the rim to the middle of the first cell, and at the end
    for (size_t n = 0; n < count; n++) {
        bed[n] = rl_wet_ground(wet, line->cell[n]);
        level[n] = surface != NULL ? surface[n] : *rl_wet_level(wet, line->cell[n]);
        if (n > 0) {
            const double dx = (double)x[n] - (double)x[n - 1];
            const double dy = (double)y[n] - (double)y[n - 1];
            length += sqrt(dx * dx + dy * dy);
        }
    }
    path->found.count = (int)count;
    path->found.x = x;
    path->found.y = y;
    path->found.surface = level;
    path->found.bed = bed;
    path->found.length = length;
    path->found.fall = (double)level[0] - (double)level[count - 1];
    return true;
}
