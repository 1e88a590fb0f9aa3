// SPDX-License-Identifier: MIT
// wave_particles_births.c - lists the particles of each tile, and creates new ones where there are
// none (Burrell section 4.2 and, with merged cells, 5.2.4).
//
// Particles are counted and listed in chunks of fixed size, so that the order within a tile is that
// of the particles themselves, on any number of threads.
#include "core/assert.h"
#include "core/numbers.h"
#include "waves/wave_particles_internal.h"

#include <math.h>
#include <string.h>

// Squares of this many cells begin a new pattern at a limit of their own, so that not the whole
// river does so at the same time.
#define LIMIT_CELLS 8

// Patches of texture that lie this many texels apart at most belong to the same pattern.
#define TOGETHER 2.0f

// ---- Lists of the tiles ----------------------------------------------------------------------

// Finds the tiles in which a patch may be visible; returns their number.
static inline int tiles_of(const rl_wave_particles *d, const rl_wave_particles_patch *p,
                           int out[RL_WAVE_PARTICLE_MAX_TILES])
{
    if (p->west == p->east && p->south == p->north) {
        out[0] = d->tiles->index[p->south * d->squares_x + p->west];
        return out[0] >= 0;
    }
    const float size = d->cell_size * (float)RL_SQUARE;
    int count = 0;
    for (int j = p->south; j <= p->north; j++)
        for (int i = p->west; i <= p->east && count < RL_WAVE_PARTICLE_MAX_TILES; i++) {
            const int tile = d->tiles->index[j * d->squares_x + i];
            if (tile < 0)
                continue;
            // A tile that needs no coarse lattice reaches less far.
            const float reach = rl_wave_particles_reach(d, d->tiles->top[tile], p->level);
            if (d->tiles->top[tile] == d->highest ||
                (p->x + reach >= size * (float)i && p->x - reach <= size * (float)(i + 1) &&
                 p->y + reach >= size * (float)j && p->y - reach <= size * (float)(j + 1)))
                out[count++] = tile;
        }
    return count;
}

// Marks the cell of a particle as occupied, unless the particle is old or was born for cells of
// another size.
static void occupy_cell(rl_wave_particles *d, int n)
{
    const rl_wave_particles_patch *p = &d->patches[n];
    const float wide = d->cell_size * (float)d->nx, high = d->cell_size * (float)d->ny;
    if (!(p->x >= 0.0f && p->y >= 0.0f && p->x < wide && p->y < high) ||
        d->age[n] >= RL_WAVE_PARTICLE_YOUNG * d->death[n])
        return;
    const int i = (int)(p->x * d->cells), j = (int)(p->y * d->cells);
    if (i >= d->nx || j >= d->ny)
        return;
    const int tile = d->tiles->index[j / RL_SQUARE * d->squares_x + i / RL_SQUARE];
    const int level = tile < 0 ? 0 : d->tiles->merged[tile], last = RL_SQUARE - 1;
    if (tile < 0 || d->level[n] != (float)level)
        return;
    const int at = ((j & last) >> level) * (RL_SQUARE >> level) + ((i & last) >> level);
    // All threads write the same value, so their order does not matter.
    atomic_store_explicit(&d->tiles->at[tile * RL_WAVE_PARTICLE_TILE_AREA + at], 1,
                          memory_order_relaxed);
}

static int end_of(const rl_wave_particles *d, int chunk)
{
    const int end = (chunk + 1) * RL_WAVE_PARTICLE_CHUNK, count = rl_wave_particles_count(d);
    return end < count ? end : count;
}

void rl_wave_particles_count_chunk(rl_wave_particles *d, int chunk)
{
    int *counts = d->tiles->counts + (size_t)chunk * (size_t)d->tiles->count;
    memset(counts, 0, (size_t)d->tiles->count * sizeof *counts);
    for (int n = chunk * RL_WAVE_PARTICLE_CHUNK; n < end_of(d, chunk); n++) {
        int tiles[RL_WAVE_PARTICLE_MAX_TILES];
        const int count = tiles_of(d, &d->patches[n], tiles);
        for (int k = 0; k < count; k++)
            counts[tiles[k]]++;
        occupy_cell(d, n);
    }
}

static void list_task(void *context, int chunk)
{
    rl_wave_particles *d = context;
    int *places = d->tiles->counts + (size_t)chunk * (size_t)d->tiles->count;
    for (int n = chunk * RL_WAVE_PARTICLE_CHUNK; n < end_of(d, chunk); n++) {
        int tiles[RL_WAVE_PARTICLE_MAX_TILES];
        const int count = tiles_of(d, &d->patches[n], tiles);
        for (int k = 0; k < count; k++)
            d->list[places[tiles[k]]++] = n;
    }
}

// Turns the number of particles of each chunk in each tile into the place of the first of them.
static void counts_to_places(rl_wave_particles *d, int chunks)
{
    rl_wave_particles_tiles *p = d->tiles;
    int place = 0;
    for (int tile = 0; tile < p->count; tile++) {
        p->first[tile] = place;
        for (int chunk = 0; chunk < chunks; chunk++) {
            int *counts = p->counts + (size_t)chunk * (size_t)p->count;
            const int count = counts[tile];
            counts[tile] = place;
            place += count;
        }
    }
    p->first[p->count] = place;
}

void rl_wave_particles_list(rl_wave_particles *d, rl_jobs *jobs)
{
    RL_ASSERT(d->capacity >= rl_wave_particles_count(d));
    const int chunks = rl_wave_particles_chunks(d);
    counts_to_places(d, chunks);
    rl_jobs_run(jobs, chunks, list_task, d);
    d->listed = true;
}

// ---- Order -----------------------------------------------------------------------------------

// Returns the tile in which a particle is, or 0 where it is in none.
static int tile_of(const rl_wave_particles *d, int n)
{
    const float x = (d->start_x[n] + d->moved_x[n]) * d->cells;
    const float y = (d->start_y[n] + d->moved_y[n]) * d->cells;
    if (!(x >= 0.0f && y >= 0.0f && x < (float)d->nx && y < (float)d->ny))
        return 0;
    const int i = (int)x / RL_SQUARE, j = (int)y / RL_SQUARE;
    const int tile = d->tiles->index[j * d->squares_x + i];
    return tile < 0 ? 0 : tile;
}

static void tile_task(void *context, int chunk)
{
    rl_wave_particles *d = context;
    int *counts = d->tiles->counts + (size_t)chunk * (size_t)d->tiles->count;
    memset(counts, 0, (size_t)d->tiles->count * sizeof *counts);
    for (int n = chunk * RL_WAVE_PARTICLE_CHUNK; n < end_of(d, chunk); n++) {
        d->list[n] = tile_of(d, n);
        counts[d->list[n]]++;
    }
}

static void order_task(void *context, int chunk)
{
    rl_wave_particles *d = context;
    int *places = d->tiles->counts + (size_t)chunk * (size_t)d->tiles->count;
    int *order = d->list + d->capacity;
    for (int n = chunk * RL_WAVE_PARTICLE_CHUNK; n < end_of(d, chunk); n++)
        order[places[d->list[n]]++] = n;
}

static void rearrange_task(void *context, int k)
{
    rl_wave_particles *d = context;
    const int *order = d->list + d->capacity, count = rl_wave_particles_count(d);
    // The patches are made anew after this; the nine arrays use the memory of their eight floats
    // and of x.
    float *target = k < 8 ? (float *)(void *)d->patches + (size_t)k * (size_t)d->capacity : d->x;
    for (int n = 0; n < count; n++)
        target[n] = d->arrays[k][order[n]];
    memcpy(d->arrays[k], target, (size_t)count * sizeof *target);
}

void rl_wave_particles_order(rl_wave_particles *d, rl_jobs *jobs)
{
    const int chunks = rl_wave_particles_chunks(d);
    if (d->tiles->count == 0)
        return;
    rl_jobs_run(jobs, chunks, tile_task, d);
    counts_to_places(d, chunks);
    rl_jobs_run(jobs, chunks, order_task, d);
    rl_jobs_run(jobs, RL_WAVE_PARTICLE_ARRAYS, rearrange_task, d);
}

// ---- Empty cells -----------------------------------------------------------------------------

// Returns the cells of merged cell `at` of a tile.
static rl_box cells_of(const rl_wave_particles *d, int tile, int at)
{
    const int square = d->tiles->square[tile], level = d->tiles->merged[tile];
    const int side = RL_SQUARE >> level;
    rl_box c;
    c.i0 = square % d->squares_x * RL_SQUARE + (at % side << level);
    c.j0 = square / d->squares_x * RL_SQUARE + (at / side << level);
    c.i1 = c.i0 + (1 << level) < d->nx ? c.i0 + (1 << level) : d->nx;
    c.j1 = c.j0 + (1 << level) < d->ny ? c.j0 + (1 << level) : d->ny;
    return c;
}

// Returns how many of the cells are wet, and writes where number `pick` of them is.
static int wet_cells(const rl_wave_particles *d, rl_box c, int pick, int *i_out, int *j_out)
{
    int count = 0;
    for (int j = c.j0; j < c.j1; j++)
        for (int i = c.i0; i < c.i1; i++)
            if ((d->wet[(size_t)j * (size_t)d->nx + (size_t)i] & RL_WAVE_PARTICLE_IS_WET) != 0 &&
                count++ == pick) {
                *i_out = i;
                *j_out = j;
            }
    return count;
}

static void mark_task(void *context, int tile)
{
    rl_wave_particles *d = context;
    const int side = RL_SQUARE >> d->tiles->merged[tile];
    const atomic_uchar *at = d->tiles->at + tile * RL_WAVE_PARTICLE_TILE_AREA;
    unsigned *born = d->tiles->born + tile * (RL_WAVE_PARTICLE_TILE_AREA / 32);
    memset(born, 0, RL_WAVE_PARTICLE_TILE_AREA / 8);
    int count = 0, i, j;
    for (int n = 0; n < side * side; n++)
        if (atomic_load_explicit(&at[n], memory_order_relaxed) == 0 &&
            wet_cells(d, cells_of(d, tile, n), 0, &i, &j) > 0) {
            born[n / 32] |= 1u << (n % 32);
            count++;
        }
    d->tiles->births[tile] = count;
}

// ---- New particles ---------------------------------------------------------------------------

void rl_wave_particles_new_particle(rl_wave_particles *d, int n, int i, int j, uint64_t cell,
                                    uint64_t step)
{
    RL_ASSERT(n >= 0 && n < d->capacity);
    RL_ASSERT(i >= 0 && i < d->nx && j >= 0 && j < d->ny);
    const uint64_t draw = cell * RL_WAVE_PARTICLE_DRAWS;
    const float x = rl_random_unit(d->seed, step, draw + RL_WAVE_PARTICLE_DRAW_X);
    const float y = rl_random_unit(d->seed, step, draw + RL_WAVE_PARTICLE_DRAW_Y);
    const float life =
        0.5f + 1.5f * rl_random_unit(d->seed, step, draw + RL_WAVE_PARTICLE_DRAW_LIFE);
    for (int k = 0; k < RL_WAVE_PARTICLE_ARRAYS; k++)
        d->arrays[k][n] = 0.0f;
    // The margin of 1 % on each side is more than a float could round into the next cell.
    d->start_x[n] = d->cell_size * ((float)i + 0.01f + 0.98f * x);
    d->start_y[n] = d->cell_size * ((float)j + 0.01f + 0.98f * y);
    d->birth_x[n] = d->start_x[n];
    d->birth_y[n] = d->start_y[n];
    d->death[n] = life * d->def.life;
}

// Returns the distance from its birth place at which a pattern ends here: a quarter to half of L.
static float limit_at(const rl_wave_particles *d, int i, int j)
{
    const uint64_t at = (uint64_t)(j / LIMIT_CELLS) << 32 | (uint64_t)(uint32_t)(i / LIMIT_CELLS);
    const float part = rl_random_unit(d->seed, UINT64_MAX,
                                      at * RL_WAVE_PARTICLE_DRAWS + RL_WAVE_PARTICLE_DRAW_LIMIT);
    return d->distance * (0.25f + 0.25f * part);
}

// Returns the weight of a particle in the choice of texture at (x, y): 0 when it is further away
// than the neighbouring cells or its pattern ends here.
static float weight_at(const rl_wave_particles_patch *p, float x, float y, float spacing,
                       float limit)
{
    const float dx = (p->x - x) / spacing, dy = (p->y - y) / spacing;
    const float way2 = p->offset_x * p->offset_x + p->offset_y * p->offset_y;
    const float closeness = 1.0f - (dx * dx + dy * dy) / (1.5f * 1.5f);
    return closeness > 0.0f && way2 < limit * limit ? p->weight * closeness : 0.0f;
}

// Continues the pattern of the particle of largest weight: takes the mean of those around that
// belong to it. A mean over two patterns would be a patch of neither.
static void join_neighbours(rl_wave_particles *d, int tile, int n, float limit)
{
    const float x = d->start_x[n], y = d->start_y[n];
    const float spacing = d->cell_size * (float)(1 << d->tiles->merged[tile]);
    const int first = d->tiles->first[tile], end = d->tiles->first[tile + 1];
    const rl_wave_particles_patch *leader = NULL;
    float heaviest = 0.0f;
    for (int k = first; k < end; k++) {
        const rl_wave_particles_patch *p = &d->patches[d->list[k]];
        const float weight = weight_at(p, x, y, spacing, limit);
        if (weight > heaviest) {
            heaviest = weight;
            leader = p;
        }
    }
    if (leader == NULL)
        return; // the place in the texture is that of the birth
    const float together = TOGETHER * d->texel;
    float sum = 0.0f, sum_x = 0.0f, sum_y = 0.0f;
    for (int k = first; k < end; k++) {
        const rl_wave_particles_patch *p = &d->patches[d->list[k]];
        const float dx = p->offset_x - leader->offset_x, dy = p->offset_y - leader->offset_y;
        if (!(dx * dx + dy * dy < together * together))
            continue;
        const float weight = weight_at(p, x, y, spacing, limit);
        sum += weight;
        sum_x += weight * dx;
        sum_y += weight * dy;
    }
    d->birth_x[n] = x + (leader->offset_x + sum_x / sum);
    d->birth_y[n] = y + (leader->offset_y + sum_y / sum);
}

static void birth(rl_wave_particles *d, int tile, int at, int n)
{
    const rl_box c = cells_of(d, tile, at);
    const uint64_t cell = (uint64_t)c.j0 * (uint64_t)d->nx + (uint64_t)c.i0;
    int i = c.i0, j = c.j0;
    const int wet = wet_cells(d, c, 0, &i, &j);
    const float draw = rl_random_unit(d->seed, d->step,
                                      cell * RL_WAVE_PARTICLE_DRAWS + RL_WAVE_PARTICLE_DRAW_CELL);
    wet_cells(d, c, (int)(draw * (float)wet), &i, &j);
    rl_wave_particles_new_particle(d, n, i, j, cell, d->step);
    d->level[n] = (float)d->tiles->merged[tile];
    join_neighbours(d, tile, n, limit_at(d, i, j));
    rl_wave_particles_make_patch(d, n);
}

static void birth_task(void *context, int tile)
{
    rl_wave_particles *d = context;
    int n = d->tiles->births[tile];
    const int end = d->tiles->births[tile + 1];
    const unsigned *born = d->tiles->born + tile * (RL_WAVE_PARTICLE_TILE_AREA / 32);
    for (int at = 0; at < RL_WAVE_PARTICLE_TILE_AREA && n < end; at++)
        if ((born[at / 32] >> (at % 32) & 1u) != 0)
            birth(d, tile, at, n++);
}

void rl_wave_particles_births(rl_wave_particles *d, rl_jobs *jobs)
{
    RL_ASSERT(d->listed);
    rl_wave_particles_tiles *p = d->tiles;
    rl_jobs_run(jobs, p->count, mark_task, d);
    int place = rl_wave_particles_count(d);
    for (int tile = 0; tile < p->count; tile++) {
        const int count = p->births[tile];
        p->births[tile] = place;
        place = count < d->capacity - place ? place + count : d->capacity;
    }
    p->births[p->count] = place;
    rl_jobs_run(jobs, p->count, birth_task, d);
    d->count = (float)place;
}
