// SPDX-License-Identifier: MIT
// wave_particles_births.c - which particles each page sees, and new ones where there are none (004
// section 4.2 and, with merged cells, 5.2.4).
//
// Particles are counted and listed in chunks of fixed size, so that the order within a page is that
// of the particles themselves, whatever thread lists them.
#include "core/numbers.h"
#include "waves/wave_particles_internal.h"

#include <math.h>
#include <string.h>

// Squares of this many cells begin a new pattern at a limit of their own, so that not all of a
// river does so at the same time.
#define LIMIT_CELLS 8

// Pieces of texture that lie this many texels apart at most belong to the same pattern.
#define TOGETHER 2.0f

// ---- Lists of the pages ----------------------------------------------------------------------

// The pages that a piece may be seen in; returns their number.
static inline int pages_of(const rl_wave_particles *d, const rl_wave_particles_patch *p,
                           int out[RL_WAVE_PARTICLE_MAX_TILES])
{
    if (p->west == p->east && p->south == p->north) {
        out[0] = d->pages.index[p->south * d->squares_x + p->west];
        return out[0] >= 0;
    }
    const float size = d->cell_size * (float)RL_WAVE_PARTICLE_TILE_CELLS;
    int count = 0;
    for (int j = p->south; j <= p->north; j++)
        for (int i = p->west; i <= p->east && count < RL_WAVE_PARTICLE_MAX_TILES; i++) {
            const int page = d->pages.index[j * d->squares_x + i];
            if (page < 0)
                continue;
            // A page that needs no coarse lattice does not look so far.
            const float reach = rl_wave_particles_reach(d, d->pages.top[page], p->level);
            if (d->pages.top[page] == d->highest ||
                (p->x + reach >= size * (float)i && p->x - reach <= size * (float)(i + 1) &&
                 p->y + reach >= size * (float)j && p->y - reach <= size * (float)(j + 1)))
                out[count++] = page;
        }
    return count;
}

// A particle that is neither old nor born for cells of another size keeps its cell.
static void keep_cell(rl_wave_particles *d, int n)
{
    const rl_wave_particles_patch *p = &d->pieces[n];
    const float wide = d->cell_size * (float)d->nx, high = d->cell_size * (float)d->ny;
    if (!(p->x >= 0.0f && p->y >= 0.0f && p->x < wide && p->y < high) ||
        d->arrays[RL_WAVE_PARTICLE_AGE][n] >=
            RL_WAVE_PARTICLE_YOUNG * d->arrays[RL_WAVE_PARTICLE_DEATH][n])
        return;
    const int i = (int)(p->x * d->cells), j = (int)(p->y * d->cells);
    if (i >= d->nx || j >= d->ny)
        return;
    const int page = d->pages.index[j / RL_WAVE_PARTICLE_TILE_CELLS * d->squares_x +
                                    i / RL_WAVE_PARTICLE_TILE_CELLS];
    const int level = page < 0 ? 0 : d->pages.merged[page], last = RL_WAVE_PARTICLE_TILE_CELLS - 1;
    if (page < 0 || d->arrays[RL_WAVE_PARTICLE_LEVEL][n] != (float)level)
        return;
    const int at =
        ((j & last) >> level) * (RL_WAVE_PARTICLE_TILE_CELLS >> level) + ((i & last) >> level);
    // Whoever writes writes the same, in whatever order.
    atomic_store_explicit(&d->pages.at[page * RL_WAVE_PARTICLE_TILE_AREA + at], 1,
                          memory_order_relaxed);
}

static int end_of(const rl_wave_particles *d, int chunk)
{
    const int end = (chunk + 1) * RL_WAVE_PARTICLE_CHUNK, count = rl_wave_particles_count(d);
    return end < count ? end : count;
}

void rl_wave_particles_count_chunk(rl_wave_particles *d, int chunk)
{
    int *counts = d->pages.counts + (size_t)chunk * (size_t)d->pages.count;
    memset(counts, 0, (size_t)d->pages.count * sizeof *counts);
    for (int n = chunk * RL_WAVE_PARTICLE_CHUNK; n < end_of(d, chunk); n++) {
        int pages[RL_WAVE_PARTICLE_MAX_TILES];
        const int count = pages_of(d, &d->pieces[n], pages);
        for (int k = 0; k < count; k++)
            counts[pages[k]]++;
        keep_cell(d, n);
    }
}

static void list_task(void *context, int chunk)
{
    rl_wave_particles *d = context;
    int *places = d->pages.counts + (size_t)chunk * (size_t)d->pages.count;
    for (int n = chunk * RL_WAVE_PARTICLE_CHUNK; n < end_of(d, chunk); n++) {
        int pages[RL_WAVE_PARTICLE_MAX_TILES];
        const int count = pages_of(d, &d->pieces[n], pages);
        for (int k = 0; k < count; k++)
            d->list[places[pages[k]]++] = n;
    }
}

// How many particles of each chunk belong to each page, into where the first of them goes.
static void counts_to_places(rl_wave_particles *d, int chunks)
{
    rl_wave_particles_tiles *p = &d->pages;
    int place = 0;
    for (int page = 0; page < p->count; page++) {
        p->first[page] = place;
        for (int chunk = 0; chunk < chunks; chunk++) {
            int *counts = p->counts + (size_t)chunk * (size_t)p->count;
            const int count = counts[page];
            counts[page] = place;
            place += count;
        }
    }
    p->first[p->count] = place;
}

void rl_wave_particles_list(rl_wave_particles *d, rl_jobs *jobs)
{
    const int chunks =
        (rl_wave_particles_count(d) + RL_WAVE_PARTICLE_CHUNK - 1) / RL_WAVE_PARTICLE_CHUNK;
    counts_to_places(d, chunks);
    rl_jobs_run(jobs, chunks, list_task, d);
    d->listed = true;
}

// ---- Order -----------------------------------------------------------------------------------

// The page that a particle is in, or any.
static int home_of(const rl_wave_particles *d, int n)
{
    const float x =
        (d->arrays[RL_WAVE_PARTICLE_START_X][n] + d->arrays[RL_WAVE_PARTICLE_MOVED_X][n]) *
        d->cells;
    const float y =
        (d->arrays[RL_WAVE_PARTICLE_START_Y][n] + d->arrays[RL_WAVE_PARTICLE_MOVED_Y][n]) *
        d->cells;
    if (!(x >= 0.0f && y >= 0.0f && x < (float)d->nx && y < (float)d->ny))
        return 0;
    const int i = (int)x / RL_WAVE_PARTICLE_TILE_CELLS, j = (int)y / RL_WAVE_PARTICLE_TILE_CELLS;
    const int page = d->pages.index[j * d->squares_x + i];
    return page < 0 ? 0 : page;
}

static void home_task(void *context, int chunk)
{
    rl_wave_particles *d = context;
    int *counts = d->pages.counts + (size_t)chunk * (size_t)d->pages.count;
    memset(counts, 0, (size_t)d->pages.count * sizeof *counts);
    for (int n = chunk * RL_WAVE_PARTICLE_CHUNK; n < end_of(d, chunk); n++) {
        d->list[n] = home_of(d, n);
        counts[d->list[n]]++;
    }
}

static void order_task(void *context, int chunk)
{
    rl_wave_particles *d = context;
    int *places = d->pages.counts + (size_t)chunk * (size_t)d->pages.count;
    int *order = d->list + d->capacity;
    for (int n = chunk * RL_WAVE_PARTICLE_CHUNK; n < end_of(d, chunk); n++)
        order[places[d->list[n]]++] = n;
}

static void rearrange_task(void *context, int k)
{
    rl_wave_particles *d = context;
    const int *order = d->list + d->capacity, count = rl_wave_particles_count(d);
    // The pieces are made anew after this; nine arrays find room in eight floats and in x.
    float *room = k < 8 ? (float *)(void *)d->pieces + (size_t)k * (size_t)d->capacity
                        : d->seen[RL_WAVE_PARTICLE_X];
    for (int n = 0; n < count; n++)
        room[n] = d->arrays[k][order[n]];
    memcpy(d->arrays[k], room, (size_t)count * sizeof *room);
}

void rl_wave_particles_order(rl_wave_particles *d, rl_jobs *jobs)
{
    const int chunks =
        (rl_wave_particles_count(d) + RL_WAVE_PARTICLE_CHUNK - 1) / RL_WAVE_PARTICLE_CHUNK;
    if (d->pages.count == 0)
        return;
    rl_jobs_run(jobs, chunks, home_task, d);
    counts_to_places(d, chunks);
    rl_jobs_run(jobs, chunks, order_task, d);
    rl_jobs_run(jobs, RL_WAVE_PARTICLE_ARRAYS, rearrange_task, d);
}

// ---- Where they are missing ------------------------------------------------------------------

typedef struct cells {
    int i0, j0, i1, j1; // of the grid, [i0, i1) x [j0, j1)
} cells;

// Merged cell `at` of a page.
static cells cells_of(const rl_wave_particles *d, int page, int at)
{
    const int square = d->pages.square[page], level = d->pages.merged[page];
    const int side = RL_WAVE_PARTICLE_TILE_CELLS >> level;
    cells c;
    c.i0 = square % d->squares_x * RL_WAVE_PARTICLE_TILE_CELLS + (at % side << level);
    c.j0 = square / d->squares_x * RL_WAVE_PARTICLE_TILE_CELLS + (at / side << level);
    c.i1 = c.i0 + (1 << level) < d->nx ? c.i0 + (1 << level) : d->nx;
    c.j1 = c.j0 + (1 << level) < d->ny ? c.j0 + (1 << level) : d->ny;
    return c;
}

// How many are wet, and where the one with number `pick` is.
static int wet_cells(const rl_wave_particles *d, cells c, int pick, int *i_out, int *j_out)
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

static void mark_task(void *context, int page)
{
    rl_wave_particles *d = context;
    const int side = RL_WAVE_PARTICLE_TILE_CELLS >> d->pages.merged[page];
    const atomic_uchar *at = d->pages.at + page * RL_WAVE_PARTICLE_TILE_AREA;
    unsigned *born = d->pages.born + page * (RL_WAVE_PARTICLE_TILE_AREA / 32);
    memset(born, 0, RL_WAVE_PARTICLE_TILE_AREA / 8);
    int count = 0, i, j;
    for (int n = 0; n < side * side; n++)
        if (atomic_load_explicit(&at[n], memory_order_relaxed) == 0 &&
            wet_cells(d, cells_of(d, page, n), 0, &i, &j) > 0) {
            born[n / 32] |= 1u << (n % 32);
            count++;
        }
    d->pages.births[page] = count;
}

// ---- New ones --------------------------------------------------------------------------------

void rl_wave_particles_new_particle(rl_wave_particles *d, int n, int i, int j, uint64_t cell,
                                    uint64_t step)
{
    const uint64_t draw = cell * RL_WAVE_PARTICLE_DRAWS;
    const float x = rl_random_unit(d->seed, step, draw + RL_WAVE_PARTICLE_DRAW_X);
    const float y = rl_random_unit(d->seed, step, draw + RL_WAVE_PARTICLE_DRAW_Y);
    const float life =
        0.5f + 1.5f * rl_random_unit(d->seed, step, draw + RL_WAVE_PARTICLE_DRAW_LIFE);
    for (int k = 0; k < RL_WAVE_PARTICLE_ARRAYS; k++)
        d->arrays[k][n] = 0.0f;
    // In the middle of what a float could round into the next cell.
    d->arrays[RL_WAVE_PARTICLE_START_X][n] = d->cell_size * ((float)i + 0.01f + 0.98f * x);
    d->arrays[RL_WAVE_PARTICLE_START_Y][n] = d->cell_size * ((float)j + 0.01f + 0.98f * y);
    d->arrays[RL_WAVE_PARTICLE_BIRTH_X][n] = d->arrays[RL_WAVE_PARTICLE_START_X][n];
    d->arrays[RL_WAVE_PARTICLE_BIRTH_Y][n] = d->arrays[RL_WAVE_PARTICLE_START_Y][n];
    d->arrays[RL_WAVE_PARTICLE_DEATH][n] = life * d->def.life;
}

// The way from its birth place at which a pattern ends here: a quarter to half of L.
static float limit_at(const rl_wave_particles *d, int i, int j)
{
    const uint64_t at = (uint64_t)(j / LIMIT_CELLS) << 32 | (uint64_t)(uint32_t)(i / LIMIT_CELLS);
    const float part = rl_random_unit(d->seed, UINT64_MAX,
                                      at * RL_WAVE_PARTICLE_DRAWS + RL_WAVE_PARTICLE_DRAW_LIMIT);
    return d->distance * (0.25f + 0.25f * part);
}

// How much a particle says about the texture at (x, y): nothing when it is further than the
// neighbouring cells or its pattern ends here.
static float voice_of(const rl_wave_particles_patch *p, float x, float y, float spacing,
                      float limit)
{
    const float dx = (p->x - x) / spacing, dy = (p->y - y) / spacing;
    const float way2 = p->offset_x * p->offset_x + p->offset_y * p->offset_y;
    const float near = 1.0f - (dx * dx + dy * dy) / (1.5f * 1.5f);
    return near > 0.0f && way2 < limit * limit ? p->weight * near : 0.0f;
}

// The pattern of the particle that says most goes on: the mean of those around that belong to it.
// A mean over two patterns would be a piece of neither.
static void join_neighbours(rl_wave_particles *d, int page, int n, float limit)
{
    const float x = d->arrays[RL_WAVE_PARTICLE_START_X][n],
                y = d->arrays[RL_WAVE_PARTICLE_START_Y][n];
    const float spacing = d->cell_size * (float)(1 << d->pages.merged[page]);
    const int first = d->pages.first[page], end = d->pages.first[page + 1];
    const rl_wave_particles_patch *leader = NULL;
    float loudest = 0.0f;
    for (int k = first; k < end; k++) {
        const rl_wave_particles_patch *p = &d->pieces[d->list[k]];
        const float voice = voice_of(p, x, y, spacing, limit);
        if (voice > loudest) {
            loudest = voice;
            leader = p;
        }
    }
    if (leader == NULL)
        return; // b = l
    const float together = TOGETHER * d->texel;
    float sum = 0.0f, sum_x = 0.0f, sum_y = 0.0f;
    for (int k = first; k < end; k++) {
        const rl_wave_particles_patch *p = &d->pieces[d->list[k]];
        const float dx = p->offset_x - leader->offset_x, dy = p->offset_y - leader->offset_y;
        if (!(dx * dx + dy * dy < together * together))
            continue;
        const float voice = voice_of(p, x, y, spacing, limit);
        sum += voice;
        sum_x += voice * dx;
        sum_y += voice * dy;
    }
    d->arrays[RL_WAVE_PARTICLE_BIRTH_X][n] = x + (leader->offset_x + sum_x / sum);
    d->arrays[RL_WAVE_PARTICLE_BIRTH_Y][n] = y + (leader->offset_y + sum_y / sum);
}

static void birth(rl_wave_particles *d, int page, int at, int n)
{
    const cells c = cells_of(d, page, at);
    const uint64_t cell = (uint64_t)c.j0 * (uint64_t)d->nx + (uint64_t)c.i0;
    int i = c.i0, j = c.j0;
    const int wet = wet_cells(d, c, 0, &i, &j);
    const float draw = rl_random_unit(d->seed, d->step,
                                      cell * RL_WAVE_PARTICLE_DRAWS + RL_WAVE_PARTICLE_DRAW_CELL);
    wet_cells(d, c, (int)(draw * (float)wet), &i, &j);
    rl_wave_particles_new_particle(d, n, i, j, cell, d->step);
    d->arrays[RL_WAVE_PARTICLE_LEVEL][n] = (float)d->pages.merged[page];
    join_neighbours(d, page, n, limit_at(d, i, j));
    rl_wave_particles_make_patch(d, n);
}

static void birth_task(void *context, int page)
{
    rl_wave_particles *d = context;
    int n = d->pages.births[page];
    const int end = d->pages.births[page + 1];
    const unsigned *born = d->pages.born + page * (RL_WAVE_PARTICLE_TILE_AREA / 32);
    for (int at = 0; at < RL_WAVE_PARTICLE_TILE_AREA && n < end; at++)
        if ((born[at / 32] >> (at % 32) & 1u) != 0)
            birth(d, page, at, n++);
}

void rl_wave_particles_births(rl_wave_particles *d, rl_jobs *jobs)
{
    rl_wave_particles_tiles *p = &d->pages;
    rl_jobs_run(jobs, p->count, mark_task, d);
    int place = rl_wave_particles_count(d);
    for (int page = 0; page < p->count; page++) {
        const int count = p->births[page];
        p->births[page] = place;
        place = count < d->capacity - place ? place + count : d->capacity;
    }
    p->births[p->count] = place;
    rl_jobs_run(jobs, p->count, birth_task, d);
    d->count = (float)place;
}
