// SPDX-License-Identifier: MIT
// generate_erosion.c - routes water over a terrain, sums up drained areas, and erodes the terrain
// by running water and by landslides.
#include "scene/generate/generate_internal.h"

#include <math.h>
#include <string.h>

#define DIAGONAL   1.41421356f
#define CELL_BYTES 17 // of a flow: key, level, index and mark

// Rock is not the same everywhere: erodibility varies from cell to cell by this part, up or down.
// Without it rivers on even slopes run straight along the grid.
#define ROCK_VARIATION 0.4f

// How much faster ground creeps beside a river, per square root of drainage area: banks cave in and
// the river lays their ground down as a valley floor.
#define BANK_CREEP 0.5f

// Explicit diffusion stays calm below this.
#define MAX_DIFFUSION 0.2f

// Part of what is too steep that slides down in one pass.
#define SLIDE 0.1f

enum { RIM = 1, LAND, LAKE }; // kinds of cell, in flow->reached once the flood is over

bool rl_flow_create(const rill_allocator *allocator, size_t capacity, rl_flow *out)
{
    RL_ASSERT(capacity > 0);
    *out = (rl_flow){.capacity = capacity};
    out->queue = rill_alloc(allocator, capacity * CELL_BYTES);
    if (out->queue == NULL)
        return false;
    out->level = (float *)(out->queue + capacity);
    out->order = (uint32_t *)(out->level + capacity);
    out->reached = (uint8_t *)(out->order + capacity);
    return true;
}

void rl_flow_destroy(const rill_allocator *allocator, rl_flow *flow)
{
    rill_free(allocator, flow->queue, flow->capacity * CELL_BYTES);
    *flow = (rl_flow){0};
}

rl_neighbours rl_neighbours_of(int nx)
{
    return (rl_neighbours){
        .step = {1, -1, nx, -nx, nx + 1, nx - 1, -nx + 1, -nx - 1},
        .distance = {1, 1, 1, 1, DIAGONAL, DIAGONAL, DIAGONAL, DIAGONAL},
    };
}

// ---- The front of the flood: a heap of keys --------------------------------------------

// Bits of a float that is not negative sort like the float. The index makes every key unique, so
// the order of the flood does not depend on how the heap treats equals.
static uint64_t key_of(float level, size_t cell)
{
    uint32_t bits;
    memcpy(&bits, &level, sizeof bits);
    return (uint64_t)bits << 32 | (uint64_t)cell;
}

static void push(uint64_t *heap, size_t *count, uint64_t key)
{
    size_t hole = (*count)++;
    while (hole > 0) {
        const size_t above = (hole - 1) / 4;
        if (heap[above] <= key)
            break;
        heap[hole] = heap[above];
        hole = above;
    }
    heap[hole] = key;
}

static size_t least_child(const uint64_t *heap, size_t first, size_t end)
{
    size_t least = first;
    for (size_t child = first + 1; child < end; child++)
        if (heap[child] < heap[least])
            least = child;
    return least;
}

static uint64_t pop(uint64_t *heap, size_t *count)
{
    const uint64_t top = heap[0], key = heap[--(*count)];
    const size_t n = *count;
    size_t hole = 0;
    for (size_t first = 1; first < n; first = 4 * hole + 1) {
        const size_t least = least_child(heap, first, first + 4 < n ? first + 4 : n);
        if (heap[least] >= key)
            break;
        heap[hole] = heap[least];
        hole = least;
    }
    heap[hole] = key;
    return top;
}

// ---- Flood -----------------------------------------------------------------------------

// Returns a number in [0, 1) that belongs to a cell.
static float random_of(size_t cell)
{
    uint32_t h = (uint32_t)cell * 0x9e3779b1u;
    h = (h ^ (h >> 16)) * 0x7feb352du;
    h = (h ^ (h >> 15)) * 0x846ca68bu;
    return (float)((h ^ (h >> 16)) >> 8) * (1.0f / 16777216.0f);
}

static void reach(rl_flow *flow, size_t *count, size_t cell, float level)
{
    RL_ASSERT(*count < flow->capacity);
    flow->level[cell] = level;
    flow->reached[cell] = 1;
    push(flow->queue, count, key_of(level, cell));
}

static void reach_rim(rl_flow *flow, size_t *count, const float *z)
{
    const size_t nx = (size_t)flow->nx, ny = (size_t)flow->ny;
    for (size_t i = 0; i < nx; i++) {
        reach(flow, count, i, z[i]);
        reach(flow, count, (ny - 1) * nx + i, z[(ny - 1) * nx + i]);
    }
    for (size_t j = 1; j + 1 < ny; j++) {
        reach(flow, count, j * nx, z[j * nx]);
        reach(flow, count, j * nx + nx - 1, z[j * nx + nx - 1]);
    }
}

void rl_flow_flood(rl_flow *flow, const float *z, int nx, int ny, float gradient)
{
    RL_ASSERT((size_t)nx * (size_t)ny <= flow->capacity);
    const rl_neighbours neighbours = rl_neighbours_of(nx);
    const size_t cells = (size_t)nx * (size_t)ny;
    size_t waiting = 0, done = 0;
    flow->nx = nx;
    flow->ny = ny;
    memset(flow->reached, 0, cells);
    reach_rim(flow, &waiting, z);
    while (waiting > 0) {
        const size_t cell = (size_t)(pop(flow->queue, &waiting) & 0xffffffffu);
        flow->order[done++] = (uint32_t)cell;
        for (int k = 0; k < 8; k++) {
            const size_t other = (size_t)((ptrdiff_t)cell + neighbours.step[k]);
            // A step past the end of a row lands on the rim, which is reached from the start.
            if (other >= cells || flow->reached[other])
                continue;
            const float fall = gradient * (0.1f + 1.8f * random_of(other));
            const float lake = flow->level[cell] + fall * neighbours.distance[k];
            reach(flow, &waiting, other, z[other] > lake ? z[other] : lake);
        }
    }
}

void rl_flow_shares(const rl_flow *flow, const rl_neighbours *neighbours, size_t c, float parts[8])
{
    const float here = flow->level[c];
    float sum = 0.0f;
    for (int k = 0; k < 8; k++) {
        const float fall = here - flow->level[(ptrdiff_t)c + neighbours->step[k]];
        const float slope = fall > 0.0f ? fall / neighbours->distance[k] : 0.0f;
        parts[k] = slope * slope;
        sum += parts[k];
    }
    for (int k = 0; k < 8; k++)
        parts[k] = sum > 0.0f ? parts[k] / sum : 0.0f;
}

// ---- Erosion ---------------------------------------------------------------------------

static void sort_cells(const rl_flow *flow, const float *z)
{
    const size_t nx = (size_t)flow->nx, ny = (size_t)flow->ny;
    for (size_t c = 0; c < nx * ny; c++)
        flow->reached[c] = flow->level[c] > z[c] ? LAKE : LAND;
    for (size_t i = 0; i < nx; i++)
        flow->reached[i] = flow->reached[(ny - 1) * nx + i] = RIM;
    for (size_t j = 0; j < ny; j++)
        flow->reached[j * nx] = flow->reached[j * nx + nx - 1] = RIM;
}

// Computes the square root of the drainage area of every cell, from the tops down. A lake retains
// gravel, and clear water cuts little: area counts less below a lake, so that its outlet lasts.
static void gather_area(const rl_erosion *erosion, const rl_flow *flow, const float *z, float *area)
{
    const size_t cells = (size_t)erosion->nx * (size_t)erosion->ny;
    const rl_neighbours neighbours = rl_neighbours_of(erosion->nx);
    for (size_t c = 0; c < cells; c++)
        area[c] = erosion->cell * erosion->cell;
    for (size_t n = cells; n-- > 0;) {
        const size_t c = flow->order[n];
        if (flow->reached[c] == RIM)
            continue;
        const float depth = flow->level[c] - z[c];
        if (depth >= erosion->lake_depth)
            continue;
        float parts[8];
        rl_flow_shares(flow, &neighbours, c, parts);
        const float passed_on = area[c] * (1.0f - depth / erosion->lake_depth);
        for (int k = 0; k < 8; k++)
            area[(ptrdiff_t)c + neighbours.step[k]] += passed_on * parts[k];
    }
    // Lakes count as great rivers where ground creeps: mud evens their beds and waves their shores.
    for (size_t c = 0; c < cells; c++)
        area[c] = flow->reached[c] == LAKE ? 1.0f : sqrtf(area[c]);
}

// Returns the strength of a river, from nothing at the channel head to all of it at twice the head.
static float strength(float root_area, float head)
{
    const float grown = root_area / head - 1.0f;
    return root_area * (grown < 0.0f ? 0.0f : grown > 1.0f ? 1.0f : grown);
}

// Works from the mouths up: the receiver of a cell is already lowered when its turn comes.
static void cut_rivers(const rl_erosion *erosion, const rl_flow *flow, float *z,
                       const float *root_area)
{
    const size_t cells = (size_t)erosion->nx * (size_t)erosion->ny;
    const rl_neighbours neighbours = rl_neighbours_of(erosion->nx);
    for (size_t n = 0; n < cells; n++) {
        const size_t c = flow->order[n];
        const float river = strength(root_area[c], erosion->head);
        if (flow->reached[c] != LAND || river <= 0.0f)
            continue;
        const float rock = 1.0f + ROCK_VARIATION * (2.0f * random_of(c) - 1.0f);
        const float drive = river * rock * erosion->step / erosion->cell;
        float parts[8], sum = 0.0f, target = 0.0f;
        rl_flow_shares(flow, &neighbours, c, parts);
        for (int k = 0; k < 8; k++) {
            const ptrdiff_t other = (ptrdiff_t)c + neighbours.step[k];
            const float base = flow->reached[other] == LAKE ? flow->level[other] : z[other];
            const float weight = drive * parts[k] / neighbours.distance[k];
            sum += weight;
            target += weight * base;
        }
        z[c] = (z[c] + target) / (1.0f + sum);
    }
}

static void settle(const rl_erosion *erosion, const rl_flow *flow, float *z)
{
    const size_t cells = (size_t)erosion->nx * (size_t)erosion->ny;
    for (size_t c = 0; c < cells; c++)
        if (flow->reached[c] == LAKE)
            z[c] += erosion->settling[c] * (flow->level[c] - z[c]);
}

static float slide(float fall, float talus)
{
    if (fall > talus)
        return SLIDE * (fall - talus);
    return fall < -talus ? SLIDE * (fall + talus) : 0.0f;
}

// Returns what one pass of creep adds to cell `c`. The nine-point Laplacian has no preferred
// direction.
static float creep_of(const rl_erosion *erosion, const rl_neighbours *neighbours, const float *z,
                      const float *root_area)
{
    float change = 0.0f;
    for (int k = 0; k < 8; k++) {
        const ptrdiff_t step = neighbours->step[k];
        const float fall = z[step] - z[0];
        const float bank = root_area[step] > root_area[0] ? root_area[step] : root_area[0];
        const float wanted = erosion->creep + BANK_CREEP * bank;
        const float diffusion = wanted < MAX_DIFFUSION ? wanted : MAX_DIFFUSION;
        const float weight = k < 4 ? 4.0f / 6.0f : 1.0f / 6.0f;
        change +=
            weight * (diffusion * fall + slide(fall, erosion->talus * neighbours->distance[k]));
    }
    return change;
}

static void creep(const rl_erosion *erosion, float *z, const float *root_area, float *change)
{
    const size_t nx = (size_t)erosion->nx, ny = (size_t)erosion->ny;
    const rl_neighbours neighbours = rl_neighbours_of(erosion->nx);
    for (size_t j = 1; j + 1 < ny; j++)
        for (size_t c = j * nx + 1; c < j * nx + nx - 1; c++)
            change[c] = creep_of(erosion, &neighbours, z + c, root_area + c);
    for (size_t j = 1; j + 1 < ny; j++)
        for (size_t c = j * nx + 1; c < j * nx + nx - 1; c++)
            z[c] += change[c];
}

void rl_erosion_step(const rl_erosion *erosion, rl_flow *flow, float *z, float *area)
{
    rl_flow_flood(flow, z, erosion->nx, erosion->ny, erosion->gradient);
    sort_cells(flow, z);
    gather_area(erosion, flow, z, area);
    cut_rivers(erosion, flow, z, area);
    settle(erosion, flow, z);
    for (int pass = 0; pass < erosion->creep_passes; pass++)
        creep(erosion, z, area, flow->level); // the level is not needed any more
}

// ---- Ponds -----------------------------------------------------------------------------

// Collects the lake around `start` into `mark` and returns its number of cells.
static size_t collect_lake(const rl_flow *flow, const rl_neighbours *neighbours, size_t start,
                           uint32_t *mark)
{
    size_t count = 0;
    mark[count++] = (uint32_t)start;
    flow->reached[start] = LAND;
    for (size_t n = 0; n < count; n++)
        for (int k = 0; k < 8; k++) {
            const size_t other = (size_t)((ptrdiff_t)mark[n] + neighbours->step[k]);
            if (flow->reached[other] == LAKE) {
                flow->reached[other] = LAND;
                mark[count++] = (uint32_t)other;
            }
        }
    return count;
}

void rl_erosion_fill_ponds(rl_flow *flow, float *z, int nx, int ny, float gradient, float depth,
                           size_t cells, uint32_t *mark)
{
    RL_ASSERT(depth >= 0.0f);
    const rl_neighbours neighbours = rl_neighbours_of(nx);
    rl_flow_flood(flow, z, nx, ny, gradient);
    sort_cells(flow, z);
    for (size_t c = 0; c < (size_t)nx * (size_t)ny; c++) {
        if (flow->reached[c] != LAKE)
            continue;
        const size_t count = collect_lake(flow, &neighbours, c, mark);
        float deepest = 0.0f;
        for (size_t n = 0; n < count; n++) {
            const float here = flow->level[mark[n]] - z[mark[n]];
            deepest = here > deepest ? here : deepest;
        }
        if (deepest < depth || count < cells)
            for (size_t n = 0; n < count; n++)
                z[mark[n]] = flow->level[mark[n]];
    }
}
