// SPDX-License-Identifier: MIT
// generate_flow.c - routes water over a terrain and sums up drained areas.
#include "scene/generate/generate_internal.h"

#include "scene/scene_assert.h"

#include <string.h>

#define DIAGONAL   1.41421356f
#define CELL_BYTES 17 // of a flow: key, level, index and mark

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
            const float fall = gradient * (0.1f + 1.8f * rl_flow_random(other));
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
