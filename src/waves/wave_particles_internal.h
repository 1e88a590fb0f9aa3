// SPDX-License-Identifier: MIT
// wave_particles_internal.h - the state of the wave particles, shared by the files that make them
// (wave_particles*.c).
#pragma once

#include "core/owned.h"
#include "waves/wave_particles.h"
#include "waves/wave_particles_rows.h"

#include <stdatomic.h>
#include <stdbool.h>

// A tile is one square of the quadtree's detail.
#define RL_WAVE_PARTICLE_TILE_AREA (RL_SQUARE * RL_SQUARE)

// Cells of particles are merged 4 by 4 at most; texels of tiles up to RL_MAX_DETAIL, as far as a
// coarse texel is no larger than four cells. Then no particle reaches more than four tiles.
#define RL_WAVE_PARTICLE_MAX_MERGE 2
#define RL_WAVE_PARTICLE_MAX_TILES 4
#define RL_WAVE_PARTICLE_LEVELS    (RL_MAX_DETAIL + 1)

// Radius of a particle's patch in spacings of particles: cells, merged as they are.
#define RL_WAVE_PARTICLE_RADIUS 1.25f
// Sum of weights below which the waves fade away.
#define RL_WAVE_PARTICLE_FLOOR 0.02f
// A particle occupies its cell for this part of its life; then another one may grow while it fades.
#define RL_WAVE_PARTICLE_YOUNG 0.9f
// Stranded particles age this much faster.
#define RL_WAVE_PARTICLE_STRANDED 3.0f
// Levels of detail by which a tile changes in a second.
#define RL_WAVE_PARTICLE_BLEND 1.0f

// Particles per task, and tasks into which the tiles are divided.
#define RL_WAVE_PARTICLE_CHUNK 2048
#define RL_WAVE_PARTICLE_SLOTS 32
// Steps after which particles of the same tile are sorted together again.
#define RL_WAVE_PARTICLE_ORDER 32

#define RL_WAVE_PARTICLE_ARRAYS 9 // of the state

// The scratch of rl_wave_particles_order.
_Static_assert(sizeof(rl_wave_particles_patch) == 8 * sizeof(float),
               "the patches lend memory for eight arrays");

typedef struct rl_wave_particles_tiles {
    rl_owned own;
    int count;
    int *index;            // per square: its tile or -1
    int *square;           // per tile
    float *texels;         // the output
    atomic_uchar *at;      // RL_WAVE_PARTICLE_TILE_AREA per tile: 1 for merged cells that have a
                           // particle
    unsigned char *top;    // per tile: the coarsest lattice that it needs
    unsigned char *merged; // per tile: level of the merged cells in which its particles are born
    int *first;            // count + 1: where the particles of a tile start in the list
    int *counts;           // chunks x count: particles of a chunk for each tile, then where they go
    int *births;           // count + 1: new particles of a tile, then where they go
    unsigned *born;        // eight words of 32 merged cells per tile: those that get a particle
} rl_wave_particles_tiles;

struct rl_wave_particles {
    rl_owned own;
    const rl_wave_particles_rows *rows;
    rill_wave_particles_def def;
    uint64_t seed;
    int nx, ny, squares_x, squares_y, chunks;
    float cell_size, texel, distance;
    float cells, inverse_distance; // 1 / cell_size, 1 / distance
    int tile_side;
    int coarsest; // the coarsest level of lattices

    float count; // of particles; a float, because it is part of the state
    int capacity;
    // The state of each particle. Its place and its place in the texture are sums: a float of
    // kilometres would lose the millimetres that slow water moves in a step.
    union {
        struct {
            float *start_x, *start_y; // where it was born, metres
            float *moved_x, *moved_y; // how far it has moved since
            float *birth_x, *birth_y; // its place in the texture
            float *age, *death;       // seconds
            float *level;             // 2^level x 2^level cells were merged when it was born
        };
        float *arrays[RL_WAVE_PARTICLE_ARRAYS];
    };
    float *x, *y, *weight; // what the output has of it besides
    rl_wave_particles_patch *patches;
    int *list;    // particles of the tiles, RL_WAVE_PARTICLE_MAX_TILES * capacity
    float *shown; // per square: level of detail that the output has; part of the state
    // How far a patch of each level reaches in the tiles as they are, and the distance from the
    // grid at which it can never be visible again.
    float reach[RL_WAVE_PARTICLE_MAX_MERGE + 1], farthest[RL_WAVE_PARTICLE_MAX_MERGE + 1];
    int highest;        // coarsest lattice that any tile needs now
    unsigned char *wet; // per cell
    rl_wave_particles_tiles *tiles;
    rl_wave_particles_lattice lattices[RL_WAVE_PARTICLE_LEVELS];
    rl_sea *sea;
    float *scratch; // RL_WAVE_PARTICLE_SLOTS times three fine tiles
    size_t scratch_floats;
    bool listed; // the list belongs to the present particles
    bool drawn;  // the output belongs to them too, at drawn_time
    double drawn_time;

    int laid; // lattice whose texture is being filled

    // Arguments of the step that is running.
    const rill_columns *columns;
    float dt;
    uint64_t step;
};

// Bits of `wet`: the cell is wet; its neighbours east, north and north-east are wet as well.
enum { RL_WAVE_PARTICLE_IS_WET = 1, RL_WAVE_PARTICLE_ALL_WET = 2 };

// Offsets of the random numbers of a cell, after RL_WAVE_PARTICLE_DRAWS times its number.
enum {
    RL_WAVE_PARTICLE_DRAW_X,
    RL_WAVE_PARTICLE_DRAW_Y,
    RL_WAVE_PARTICLE_DRAW_LIFE,
    RL_WAVE_PARTICLE_DRAW_AGE,
    RL_WAVE_PARTICLE_DRAW_CELL,
    RL_WAVE_PARTICLE_DRAW_LIMIT,
    RL_WAVE_PARTICLE_DRAWS = 8
};

// Moves and ages one chunk of particles, and makes their patches (wave_particles_move.c).
void rl_wave_particles_move_chunk(rl_wave_particles *d, int chunk);
// Makes the patch and the output arrays of particle n. Returns false when it is so far from the
// grid that it can never be visible again, or when its numbers are not finite.
bool rl_wave_particles_make_patch(rl_wave_particles *d, int n);

// Counts the particles of one chunk in each tile, and marks the cells that they occupy
// (wave_particles_births.c), while their patches are in the cache.
void rl_wave_particles_count_chunk(rl_wave_particles *d, int chunk);
// Lists the particles of each tile, after all chunks have been counted.
void rl_wave_particles_list(rl_wave_particles *d, rl_jobs *jobs);
// Sorts the particles so that those of the same tile lie side by side in memory.
void rl_wave_particles_order(rl_wave_particles *d, rl_jobs *jobs);
// Creates new particles in cells that have none.
void rl_wave_particles_births(rl_wave_particles *d, rl_jobs *jobs);
// Initialises particle n with a random life at a random place of cell (i, j).
void rl_wave_particles_new_particle(rl_wave_particles *d, int n, int i, int j, uint64_t cell,
                                    uint64_t step);

// Makes the tiles for the cells that are wet now (wave_particles_texels.c). Returns false when
// there is no memory: then the old tiles stay.
bool rl_wave_particles_fill_tiles(rl_wave_particles *d);
void rl_wave_particles_free_tiles(rl_wave_particles *d);
// Follows the detail: updates `shown` and the levels of the tiles.
void rl_wave_particles_follow_detail(rl_wave_particles *d, const rl_quadtree *detail, double dt);
// Fills the textures of the lattices from the sea.
void rl_wave_particles_lay_texture(rl_wave_particles *d, rl_jobs *jobs);
void rl_wave_particles_draw(rl_wave_particles *d, rl_jobs *jobs);

// Returns how far from a tile a patch may be visible in its lattices up to `top`: these reach half
// a texel beyond it, and a patch is at least so large that it cannot lie between their texels
// unnoticed.
static inline float rl_wave_particles_reach(const rl_wave_particles *d, int top, int level)
{
    const float radius = RL_WAVE_PARTICLE_RADIUS * d->cell_size * (float)(1 << level);
    const float texel = d->lattices[top].texel, least = RL_WAVE_PARTICLE_RADIUS * texel;
    return (radius > least ? radius : least) + 0.5f * texel;
}

static inline int rl_wave_particles_count(const rl_wave_particles *d)
{
    return (int)d->count;
}

// Returns the number of chunks that the particles fill, the last one perhaps in part.
static inline int rl_wave_particles_chunks(const rl_wave_particles *d)
{
    return (rl_wave_particles_count(d) + RL_WAVE_PARTICLE_CHUNK - 1) / RL_WAVE_PARTICLE_CHUNK;
}
