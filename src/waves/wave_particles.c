// SPDX-License-Identifier: MIT
// wave_particles.c - creation, step and output of the wave particles (Burrell chapter 4). A step is
// these passes:
//
//     particles --remove--> those alive
//               --order---> tile by tile, now and then (wave_particles_births.c)
//               --move----> places, ages, patches      (wave_particles_move.c)
//               --list----> particles of each tile
//               --births--> new ones where a cell is empty
//
// The output is drawn when the caller asks for it (wave_particles_texels.c).
#include "core/assert.h"
#include "core/numbers.h"
#include "waves/wave_particles_internal.h"

#include "rill/support.h"

#include <math.h>
#include <string.h>

// Counts are exact as floats up to this number.
#define MOST_PARTICLES (1 << 24)

// ---- Creation and destruction ----------------------------------------------------------------

// Reads which cells are wet and returns their number.
static int64_t read_wet(rl_wave_particles *d, const rill_columns *columns)
{
    const int nx = d->nx, ny = d->ny;
    int64_t count = 0;
    // The loops start in the north-east, so that the neighbours there are known.
    for (int j = ny - 1; j >= 0; j--)
        for (int i = nx - 1; i >= 0; i--) {
            unsigned char *here = &d->wet[(size_t)j * (size_t)nx + (size_t)i];
            const float depth = columns->depth[(size_t)j * columns->pitch + (size_t)i];
            *here = depth > columns->wet_depth ? RL_WAVE_PARTICLE_IS_WET : 0;
            count += *here;
            if (i + 1 < nx && j + 1 < ny && (here[0] & here[1] & here[nx] & here[nx + 1]) != 0)
                *here |= RL_WAVE_PARTICLE_ALL_WET;
        }
    return count;
}

// Computes the sizes of the lattices. A texture is a whole number of the coarsest texels.
static void plan_lattices(rl_wave_particles *d)
{
    const int texels = d->def.texels;
    d->texel = d->cell_size / (float)texels;
    d->tile_side = RL_SQUARE * texels + 2;
    d->coarsest = 2;
    while (d->coarsest < RL_MAX_DETAIL && (1 << (d->coarsest + 1)) <= 4 * texels)
        d->coarsest++;
    const int unit = 1 << RL_MAX_DETAIL;
    const float tile = d->def.tile > 0.0f ? d->def.tile / d->texel : 256.0f;
    const float units = floorf(tile / (float)unit + 0.5f);
    const int points = unit * (units < 1.0f ? 1 : (units > 128.0f ? 128 : (int)units));
    for (int k = 0; k <= d->coarsest; k++) {
        rl_wave_particles_lattice *l = &d->lattices[k];
        l->texel = d->texel * (float)(1 << k);
        l->side = ((d->tile_side - 2) >> k) + 2;
        // Vectors end up to 16 texels beyond the last column of a patch.
        l->pitch = (size_t)(l->side + 31) / 16 * 16;
        l->points = points >> k;
        const int widest = l->side < 11 * texels + 3 ? l->side : 11 * texels + 3;
        l->texture_pitch = (size_t)(l->points + widest + 2 * 16 + 15) / 16 * 16;
        l->ahead = l->points * (2 + (int)(d->distance / (l->texel * (float)l->points)));
        l->plane = (size_t)l->points * l->texture_pitch;
    }
    d->scratch_floats = d->lattices[0].pitch * (size_t)d->lattices[0].side;
}

// Takes memory for all arrays that do not depend on the tiles.
static bool take_arrays(rl_wave_particles *d)
{
    RL_ASSERT(d->capacity > 0 && d->coarsest <= RL_MAX_DETAIL);
    rl_owned *own = &d->own;
    const size_t capacity = (size_t)d->capacity, side = (size_t)d->tile_side;
    for (int k = 0; k < RL_WAVE_PARTICLE_ARRAYS; k++)
        d->arrays[k] = rl_owned_take(own, capacity, sizeof(float));
    d->x = rl_owned_take(own, capacity, sizeof(float));
    d->y = rl_owned_take(own, capacity, sizeof(float));
    d->weight = rl_owned_take(own, capacity, sizeof(float));
    d->patches = rl_owned_take(own, capacity, sizeof *d->patches);
    d->list = rl_owned_take(own, RL_WAVE_PARTICLE_MAX_TILES * capacity, sizeof *d->list);
    d->shown = rl_owned_take(own, (size_t)(d->squares_x * d->squares_y), sizeof *d->shown);
    for (int k = 0; k <= d->coarsest; k++) {
        rl_wave_particles_lattice *l = &d->lattices[k];
        l->texture = rl_owned_take(own, 2 * l->plane, sizeof(float));
        l->stretch = rl_owned_take(own, side, sizeof *l->stretch);
        l->part = rl_owned_take(own, side, sizeof *l->part);
    }
    d->scratch = rl_owned_take(own, RL_WAVE_PARTICLE_SLOTS * 3 * d->scratch_floats, sizeof(float));
    return !own->failed;
}

// Computes where fine texels lie between coarse ones.
static void plan_stretching(rl_wave_particles *d)
{
    for (int k = 0; k <= d->coarsest; k++)
        for (int n = 0; n < d->tile_side; n++) {
            const float at = ((float)n - 0.5f) / (float)(1 << k) + 0.5f;
            d->lattices[k].stretch[n] = (int)at;
            d->lattices[k].part[n] = at - (float)(int)at;
        }
}

static rill_status create_sea(rl_wave_particles *d, float gravity, rl_isa isa)
{
    const rill_sea_def sea = {
        .size = d->def.size,
        .tile = (double)d->texel * d->lattices[0].points,
        .wind = (double)d->def.wind,
        .wind_direction = (double)d->def.wind_direction,
        .height = (double)d->def.height,
        .shortest = 3.0 * (double)d->texel,
        .longest = (double)INFINITY,
        .depth = (double)INFINITY,
        .gravity = (double)gravity,
        .chop = 1.0,
        .seed = d->seed,
    };
    return rl_sea_create_with(&sea, isa, &d->own.allocator, &d->sea);
}

// Puts one particle of random age into every wet cell.
static void first_particles(rl_wave_particles *d)
{
    RL_ASSERT(d->tiles != NULL);
    int n = 0;
    for (int j = 0; j < d->ny; j++)
        for (int i = 0; i < d->nx && n < d->capacity; i++) {
            const uint64_t cell = (uint64_t)j * (uint64_t)d->nx + (uint64_t)i;
            if ((d->wet[cell] & RL_WAVE_PARTICLE_IS_WET) == 0)
                continue;
            rl_wave_particles_new_particle(d, n, i, j, cell, 0);
            const float age = rl_random_unit(
                d->seed, 0, cell * RL_WAVE_PARTICLE_DRAWS + RL_WAVE_PARTICLE_DRAW_AGE);
            d->age[n] = age * d->death[n];
            rl_wave_particles_make_patch(d, n);
            n++;
        }
    d->count = (float)n;
}

static bool take_memory(rl_wave_particles *d, const rill_columns *columns)
{
    d->wet = rl_owned_take(&d->own, (size_t)d->nx, (size_t)d->ny);
    if (d->wet == NULL)
        return false;
    const int64_t wet = read_wet(d, columns);
    const int64_t wanted = d->def.max_particles > 0 ? d->def.max_particles : 8 * wet;
    d->capacity = (int)(wanted < 1 ? 1 : (wanted < MOST_PARTICLES ? wanted : MOST_PARTICLES));
    d->chunks = (d->capacity + RL_WAVE_PARTICLE_CHUNK - 1) / RL_WAVE_PARTICLE_CHUNK;
    if (!take_arrays(d))
        return false;
    plan_stretching(d);
    return rl_wave_particles_fill_tiles(d);
}

rill_status rl_wave_particles_create(const rill_wave_particles_def *def,
                                     const rill_columns *columns, double length, float gravity,
                                     uint64_t seed, rl_isa isa, const rill_allocator *allocator,
                                     rl_wave_particles **out)
{
    RL_ASSERT(columns->nx >= 2 && columns->ny >= 2);
    RL_ASSERT(def->texels > 0);
    *out = NULL;
    rl_wave_particles *d = rl_owned_create(allocator, sizeof *d);
    if (d == NULL)
        return rill_fail(RILL_NO_MEMORY, "no memory for wave particles");
    d->rows = RL_ROWS_OF(isa, rl_wave_particles_rows);
    d->def = *def;
    d->seed = seed;
    d->nx = columns->nx;
    d->ny = columns->ny;
    d->squares_x = (d->nx + RL_SQUARE - 1) / RL_SQUARE;
    d->squares_y = (d->ny + RL_SQUARE - 1) / RL_SQUARE;
    d->cell_size = columns->cell_size;
    d->distance = def->distance > 0.0f ? def->distance : (float)(length / 20.0);
    d->distance = fminf(fmaxf(d->distance, d->cell_size), 1e6f * d->cell_size);
    d->cells = 1.0f / d->cell_size;
    d->inverse_distance = 1.0f / d->distance;
    plan_lattices(d);
    const rill_status status =
        take_memory(d, columns)
            ? create_sea(d, gravity, isa)
            : rill_fail(RILL_NO_MEMORY, "no memory for the wave particles of %d x %d cells",
                        columns->nx, columns->ny);
    if (status == RILL_OK)
        first_particles(d);
    else
        rl_wave_particles_destroy(&d);
    *out = d;
    return status;
}

void rl_wave_particles_destroy(rl_wave_particles **particles)
{
    rl_wave_particles *d = *particles;
    void *object = d;
    if (d != NULL) {
        rl_wave_particles_free_tiles(d);
        rl_sea_destroy(&d->sea);
    }
    rl_owned_destroy(NULL, &object);
    *particles = NULL;
}

size_t rl_wave_particles_memory(const rl_wave_particles *particles)
{
    if (particles == NULL)
        return 0;
    return rl_owned_memory(particles) + rl_owned_memory(particles->tiles) +
           rl_sea_memory(particles->sea);
}

// ---- A step ----------------------------------------------------------------------------------

// Removes the particles that died in the last step, which have had a weight of 0 since; the last
// ones take their places. The arrays are zero behind the end, because all of them belong to the
// state.
static void remove_dead(rl_wave_particles *d)
{
    int count = rl_wave_particles_count(d);
    for (int n = 0; n < count; n++)
        while (n < count && d->age[n] >= d->death[n]) {
            count--;
            for (int k = 0; k < RL_WAVE_PARTICLE_ARRAYS; k++) {
                d->arrays[k][n] = d->arrays[k][count];
                d->arrays[k][count] = 0.0f;
            }
        }
    d->count = (float)count;
}

static void move_task(void *context, int chunk)
{
    rl_wave_particles_move_chunk(context, chunk);
    rl_wave_particles_count_chunk(context, chunk);
}

static void free_cells(rl_wave_particles *d)
{
    memset(d->tiles->at, 0, (size_t)d->tiles->count * RL_WAVE_PARTICLE_TILE_AREA);
}

void rl_wave_particles_step(rl_wave_particles *d, rl_jobs *jobs, const rill_columns *columns,
                            const rl_quadtree *detail, double dt, uint64_t step)
{
    RL_ASSERT(columns->wet_depth >= 0.0f);
    if (!(dt > 0.0 && dt < 1e6) || columns->nx != d->nx || columns->ny != d->ny)
        return;
    d->columns = columns;
    d->dt = (float)dt;
    d->step = step + 1; // step 0 is the creation
    remove_dead(d);
    if (step % RL_WAVE_PARTICLE_ORDER == 0)
        rl_wave_particles_order(d, jobs);
    rl_wave_particles_follow_detail(d, detail, dt);
    free_cells(d);
    rl_jobs_run(jobs, rl_wave_particles_chunks(d), move_task, d);
    rl_wave_particles_list(d, jobs);
    rl_wave_particles_births(d, jobs);
    d->columns = NULL;
    d->drawn = false;
}

rill_status rl_wave_particles_ground_changed(rl_wave_particles *particles,
                                             const rill_columns *columns)
{
    RL_ASSERT(columns->nx == particles->nx && columns->ny == particles->ny);
    // Particles on dry ground are stranded: they fade away within a few steps of the next seconds,
    // so that nothing pops where a bank has moved.
    read_wet(particles, columns);
    if (!rl_wave_particles_fill_tiles(particles))
        return rill_fail(RILL_NO_MEMORY, "no memory for the tiles of wave particles");
    return RILL_OK;
}

// ---- Output ----------------------------------------------------------------------------------

rill_wave_particles rl_wave_particles_view(rl_wave_particles *d, rl_jobs *jobs,
                                           const rl_quadtree *detail, double time)
{
    if (!d->listed) {
        rl_wave_particles_follow_detail(d, detail, 0.0);
        free_cells(d);
        for (int n = 0; n < rl_wave_particles_count(d); n++)
            rl_wave_particles_make_patch(d, n);
        for (int chunk = 0; chunk < rl_wave_particles_chunks(d); chunk++)
            rl_wave_particles_count_chunk(d, chunk);
        rl_wave_particles_list(d, jobs);
    }
    if (!d->drawn || d->drawn_time != time) {
        rl_sea_update_heights(d->sea, jobs, time);
        rl_wave_particles_lay_texture(d, jobs);
        rl_wave_particles_draw(d, jobs);
        d->drawn = true;
        d->drawn_time = time;
    }
    const rill_sea_view sea = rl_sea_view(d->sea);
    return (rill_wave_particles){
        .tiles_x = d->squares_x,
        .tiles_y = d->squares_y,
        .tile_cells = RL_SQUARE,
        .tile_side = d->tile_side,
        .tile_count = d->tiles->count,
        .texel = d->texel,
        .index = d->tiles->index,
        .tiles = d->tiles->texels,
        .count = rl_wave_particles_count(d),
        .x = d->x,
        .y = d->y,
        .birth_x = d->birth_x,
        .birth_y = d->birth_y,
        .weight = d->weight,
        .texture = {.size = sea.size,
                    .tile = sea.tile,
                    .variance = sea.variance,
                    .height = sea.height},
    };
}

int rl_wave_particles_state(rl_wave_particles *particles,
                            rill_state_array arrays[RL_MAX_STATE_ARRAYS])
{
    static const char *const names[RL_WAVE_PARTICLE_ARRAYS] = {
        "drift start_x", "drift start_y", "drift moved_x", "drift moved_y", "drift birth_x",
        "drift birth_y", "drift age",     "drift death",   "drift level"};
    const size_t capacity = (size_t)particles->capacity;
    for (int k = 0; k < RL_WAVE_PARTICLE_ARRAYS; k++)
        arrays[k] = (rill_state_array){names[k], particles->arrays[k], capacity, capacity, 1};
    const size_t squares = (size_t)(particles->squares_x * particles->squares_y);
    arrays[RL_WAVE_PARTICLE_ARRAYS] =
        (rill_state_array){"drift detail", particles->shown, squares, squares, 1};
    arrays[RL_WAVE_PARTICLE_ARRAYS + 1] =
        (rill_state_array){"drift count", &particles->count, 1, 1, 1};
    return RL_WAVE_PARTICLE_ARRAYS + 2;
}

void rl_wave_particles_state_changed(rl_wave_particles *d)
{
    // A file may hold anything; the next step removes particles with an invalid age.
    if (!(d->count >= 0.0f && d->count <= (float)d->capacity))
        d->count = 0.0f;
    for (int n = 0; n < d->squares_x * d->squares_y; n++)
        if (!(d->shown[n] >= 0.0f && d->shown[n] <= (float)d->coarsest))
            d->shown[n] = 0.0f;
    d->listed = d->drawn = false;
}
