// SPDX-License-Identifier: MIT
// generate_erosion.c - erodes a terrain by running water and by landslides.
#include "scene/generate/generate_internal.h"

#include "scene/scene_assert.h"

#include <math.h>

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
        const float rock = 1.0f + ROCK_VARIATION * (2.0f * rl_flow_random(c) - 1.0f);
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
