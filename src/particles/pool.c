// SPDX-License-Identifier: MIT
// pool.c - creation and destruction of the pool, its views, and the places of particles in it.
#include "particles/pool.h"

#include "core/assert.h"
#include "solvers/shared/grid_solver.h"

#include "rill/support.h"

#include <math.h>
#include <string.h>

#define FOUR_THIRDS_PI 4.18879020478639098
#define LEAST_VOLUME   1e-30 // m^3: far below any use, and yet a normal float
#define LINE           64    // bytes of a cache line
// Arrays of the same size would begin at the same place of a page and lie in the same sets of the
// cache; each begins some lines further.
#define STAGGER (9 * LINE)

// ---- Creation --------------------------------------------------------------------------

// Returns the next `bytes` of the block of memory; without one (NULL) it only adds up the bytes.
static void *take(const rl_particles *p, size_t *used, size_t bytes)
{
    void *at = p->memory == NULL ? NULL : (char *)p->memory + *used;
    *used += bytes;
    return at;
}

// Places all arrays in the block of memory and returns the bytes they take.
static size_t lay_arrays(rl_particles *p)
{
    const size_t tasks = p->places / RL_POOL_CHUNK, records = p->places + RL_POOL_EXTRAS;
    const size_t counts = tasks > RL_POOL_BANDS ? tasks : RL_POOL_BANDS;
    size_t used = 0;
    for (int n = 0; n < RL_POOL_ARRAYS; n++)
        p->arrays[n] = take(p, &used, p->places * sizeof(float) + STAGGER);
    p->records = take(p, &used, records * sizeof *p->records);
    p->records_other = take(p, &used, records * sizeof *p->records_other);
    p->left = take(p, &used, records * sizeof *p->left);
    p->part_sums = take(p, &used, p->places / RL_POOL_PART * sizeof *p->part_sums);
    p->extras = take(p, &used, RL_POOL_EXTRAS * sizeof *p->extras);
    p->list = take(p, &used, p->places * sizeof *p->list);
    p->list_counts = take(p, &used, counts * sizeof *p->list_counts);
    p->kind = take(p, &used, p->places);
    return used;
}

rill_status rl_particles_create(const rill_particles_def *def, uint64_t seed, rl_isa isa,
                                const rill_allocator *allocator, rl_particles **out)
{
    RL_ASSERT(def->max_particles > 0);
    rl_particles *p = rill_alloc(allocator, sizeof *p);
    *out = p;
    if (p == NULL)
        return rill_fail(RILL_NO_MEMORY, "no memory for the pool of particles");
    if (allocator != NULL)
        p->allocator = *allocator;
    p->def = *def;
    for (int k = 0; k < 2; k++) // no world has said what wind blows
        p->def.wind[k] = isnan(def->wind[k]) ? 0.0f : def->wind[k];
    p->seed = seed;
    p->rows = RL_ROWS_OF(isa, rl_flight_rows);
    const size_t tasks = ((size_t)def->max_particles + RL_POOL_CHUNK - 1) / RL_POOL_CHUNK;
    p->places = tasks * RL_POOL_CHUNK;
    p->bytes = lay_arrays(p);
    p->memory = rill_alloc(allocator, p->bytes);
    if (p->memory == NULL) {
        rl_particles_destroy(out);
        return rill_fail(RILL_NO_MEMORY, "no memory for %d particles", def->max_particles);
    }
    lay_arrays(p);
    p->radius_of[RILL_PARTICLE_SPRAY] = def->radius * def->spray_radius;
    p->radius_of[RILL_PARTICLE_SPLASH] = def->radius;
    p->radius_of[RILL_PARTICLE_FOAM] = def->foam_radius;
    for (int kind = 0; kind < 2; kind++) {
        const double r = (double)p->radius_of[kind];
        const double volume = (double)def->deposit * FOUR_THIRDS_PI * r * r * r;
        p->volume_of[kind] = (float)(volume > LEAST_VOLUME ? volume : LEAST_VOLUME);
    }
    return RILL_OK;
}

void rl_particles_destroy(rl_particles **particles)
{
    rl_particles *p = *particles;
    if (p == NULL)
        return;
    const rill_allocator allocator = p->allocator;
    rl_resident_destroy(p);
    rill_free(&allocator, p->memory, p->bytes);
    rill_free(&allocator, p, sizeof *p);
    *particles = NULL;
}

size_t rl_particles_memory(const rl_particles *particles)
{
    return particles != NULL ? sizeof *particles + particles->bytes : 0;
}

// ---- Views -----------------------------------------------------------------------------

double rl_particles_volume(const rl_particles *p)
{
    rl_resident_synchronise((rl_particles *)p, false); // a query may synchronise
    double volume =
        p->totals.rest + p->totals.gone + rl_run_sum(p->arrays[RL_POOL_VOLUME], p->totals.flying);
    for (int n = 0; n < RILL_MAX_EMITTERS; n++)
        volume += p->totals.pending[n];
    return volume;
}

rill_particles rl_particles_view(const rl_particles *p)
{
    rl_resident_synchronise((rl_particles *)p, false); // a query may synchronise
    return (rill_particles){
        .count = (size_t)p->totals.count,
        .x = p->arrays[RL_POOL_X],
        .y = p->arrays[RL_POOL_Y],
        .z = p->arrays[RL_POOL_Z],
        .velocity_x = p->arrays[RL_POOL_VELOCITY_X],
        .velocity_y = p->arrays[RL_POOL_VELOCITY_Y],
        .velocity_z = p->arrays[RL_POOL_VELOCITY_Z],
        .radius = p->arrays[RL_POOL_RADIUS],
        .age = p->arrays[RL_POOL_AGE],
        .life = p->arrays[RL_POOL_LIFE],
        .volume = p->arrays[RL_POOL_VOLUME],
        .kind = p->kind,
    };
}

rl_pool_places rl_pool_places_of(const rl_particles *p, int count)
{
    RL_ASSERT(count >= 0 && (size_t)count <= p->places);
    rl_pool_places places = {.kind = p->kind, .count = count};
    memcpy(places.arrays, p->arrays, sizeof places.arrays);
    return places;
}

int rl_particles_state(rl_particles *p, rill_state_array arrays[RL_MAX_STATE_ARRAYS])
{
    static const char *const names[RL_POOL_ARRAYS] = {
        "particle x",          "particle y",          "particle z",      "particle velocity_x",
        "particle velocity_y", "particle velocity_z", "particle radius", "particle age",
        "particle life",       "particle volume"};
    const size_t places = p->places;
    rl_resident_synchronise(p, false);
    for (int n = 0; n < RL_POOL_ARRAYS; n++)
        arrays[n] = (rill_state_array){names[n], p->arrays[n], places, places, 1};
    // A state is copied and hashed as bytes; these arrays hold no floats, but their sizes are whole
    // numbers of floats.
    const size_t kinds = places / sizeof(float), totals = sizeof p->totals / sizeof(float);
    arrays[RL_POOL_ARRAYS] =
        (rill_state_array){"particle kind", (float *)(void *)p->kind, kinds, kinds, 1};
    arrays[RL_POOL_ARRAYS + 1] =
        (rill_state_array){"particle numbers", (float *)(void *)&p->totals, totals, totals, 1};
    return RL_POOL_ARRAYS + 2;
}

// ---- Adding and removing particles -----------------------------------------------------

void rl_pool_copy(rl_particles *p, int from, int to)
{
    for (int n = 0; n < RL_POOL_ARRAYS; n++)
        p->arrays[n][to] = p->arrays[n][from];
    p->kind[to] = p->kind[from];
}

static void swap(rl_particles *p, int a, int b)
{
    for (int n = 0; n < RL_POOL_ARRAYS; n++) {
        const float value = p->arrays[n][a];
        p->arrays[n][a] = p->arrays[n][b];
        p->arrays[n][b] = value;
    }
    const uint8_t kind = p->kind[a];
    p->kind[a] = p->kind[b];
    p->kind[b] = kind;
}

// Makes `count` the end of the pool. The places behind it are zero, because they belong to the
// state.
static void shorten(rl_particles *p, int count)
{
    const size_t size = (size_t)(p->totals.count - count);
    for (int n = 0; n < RL_POOL_ARRAYS; n++)
        memset(p->arrays[n] + count, 0, size * sizeof(float));
    memset(p->kind + count, 0, size);
    p->totals.count = count;
}

void rl_pool_add(rl_particles *p, const rl_birth *birth)
{
    RL_ASSERT(rl_pool_capacity(p) > 0);
    const int at = p->totals.flying;
    if (p->totals.count > at)
        rl_pool_copy(p, at, p->totals.count); // the first of the foam becomes its last
    p->totals.flying++;
    p->totals.count++;
    for (int axis = 0; axis < 3; axis++) {
        p->arrays[RL_POOL_X + axis][at] = birth->position[axis];
        p->arrays[RL_POOL_VELOCITY_X + axis][at] = birth->velocity[axis];
    }
    p->arrays[RL_POOL_RADIUS][at] = p->radius_of[birth->kind];
    p->arrays[RL_POOL_AGE][at] = birth->age;
    p->arrays[RL_POOL_LIFE][at] = 0.0f;
    p->arrays[RL_POOL_VOLUME][at] = birth->volume;
    p->kind[at] = (uint8_t)birth->kind;
}

void rl_pool_bear(rl_particles *p, rl_pool_births *to, const rl_birth *birth)
{
    if (to->births != NULL)
        to->births[to->count++] = *birth;
    else
        rl_pool_add(p, birth);
}

void rl_pool_close_gap(rl_particles *p, int first, int size)
{
    RL_ASSERT(first >= 0 && size >= 0 && first + size <= p->totals.count);
    const int foam = p->totals.count - first - size, moved = foam < size ? foam : size;
    for (int n = 0; n < moved; n++)
        rl_pool_copy(p, p->totals.count - moved + n, first + n);
    p->totals.flying = first;
    shorten(p, p->totals.count - size);
}

// Fills the listed places below `end` - `count` with the last of those that stay. With `exchange`
// the particles in them move to the places above.
static void fill_places(rl_particles *p, int end, const uint32_t *places, int count, bool exchange)
{
    RL_ASSERT(count == 0 || (int)places[count - 1] < end);
    const int live = end - count;
    int last = end - 1, top = count - 1;
    for (int n = 0; n < count && (int)places[n] < live; n++) {
        while (top >= 0 && (int)places[top] == last) {
            top--;
            last--;
        }
        if (exchange)
            swap(p, last, (int)places[n]);
        else
            rl_pool_copy(p, last, (int)places[n]);
        last--;
    }
}

void rl_pool_land(rl_particles *p, const uint32_t *places, int count)
{
    RL_ASSERT(count >= 0 && count <= p->totals.flying);
    const int end = p->totals.flying, live = end - count;
    fill_places(p, end, places, count, true);
    // New foam goes to the end of what has landed, where the foam begins.
    int foam = end;
    for (int place = end - 1; place >= live; place--)
        if (p->kind[place] == RILL_PARTICLE_FOAM && --foam != place)
            rl_pool_copy(p, place, foam);
    rl_pool_close_gap(p, live, foam - live);
}

void rl_pool_remove_foam(rl_particles *p, const uint32_t *places, int count)
{
    RL_ASSERT(count >= 0 && p->totals.flying + count <= p->totals.count);
    fill_places(p, p->totals.count, places, count, false);
    shorten(p, p->totals.count - count);
}

int rl_pool_join_lists(rl_particles *p, int tasks)
{
    RL_ASSERT(tasks >= 0 && (size_t)tasks * RL_POOL_CHUNK <= p->places);
    int total = 0;
    for (int n = 0; n < tasks; n++) {
        const size_t size = (size_t)p->list_counts[n];
        memmove(p->list + total, p->list + (size_t)n * RL_POOL_CHUNK, size * sizeof *p->list);
        total += p->list_counts[n];
    }
    return total;
}

// ---- The moving domain -----------------------------------------------------------------

// Lists the places of [first, end) that are outside the grid.
static int list_outside(rl_particles *p, int first, int end, float width, float height)
{
    const float *x = p->arrays[RL_POOL_X], *y = p->arrays[RL_POOL_Y];
    int count = 0;
    for (int n = first; n < end; n++)
        if (!(x[n] >= 0.0f && x[n] < width && y[n] >= 0.0f && y[n] < height))
            p->list[count++] = (uint32_t)n;
    return count;
}

void rl_particles_shift(rl_particles *p, float dx, float dy, float width, float height,
                        rl_particles_books *books)
{
    rl_resident_synchronise(p, true);
    for (int n = 0; n < p->totals.count; n++) {
        p->arrays[RL_POOL_X][n] -= dx;
        p->arrays[RL_POOL_Y][n] -= dy;
    }
    int count = list_outside(p, p->totals.flying, p->totals.count, width, height);
    rl_pool_remove_foam(p, p->list, count);
    count = list_outside(p, 0, p->totals.flying, width, height);
    for (int n = 0; n < count; n++) {
        books->drained += (double)p->arrays[RL_POOL_VOLUME][p->list[n]];
        rl_pool_drop_foam(p, (int)p->list[n]);
    }
    rl_pool_land(p, p->list, count);
}
