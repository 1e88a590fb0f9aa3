// SPDX-License-Identifier: MIT
// wave_particles_internal.h - the state of drifting waves, shared by the files that make them
// (drift*.c).
#pragma once

#include "waves/wave_particles.h"
#include "waves/wave_particles_rows.h"

#include <stdatomic.h>
#include <stdbool.h>

// Pages and squares of the detail are the same.
#define RL_WAVE_PARTICLE_TILE_CELLS RL_SQUARE
#define RL_WAVE_PARTICLE_TILE_AREA  (RL_WAVE_PARTICLE_TILE_CELLS * RL_WAVE_PARTICLE_TILE_CELLS)

// Cells of particles are merged 4 by 4 at most; texels of pages up to RL_MAX_DETAIL, as far as a
// coarse texel is no larger than four cells. Then no particle reaches more than four pages.
#define RL_WAVE_PARTICLE_MAX_MERGE 2
#define RL_WAVE_PARTICLE_MAX_TILES 4
#define RL_WAVE_PARTICLE_LEVELS    (RL_MAX_DETAIL + 1)

// Radius of a particle's piece, in spacings of particles: cells, merged as they are.
#define RL_WAVE_PARTICLE_RADIUS 1.25f
// Sum of weights below which the waves fade away.
#define RL_WAVE_PARTICLE_FLOOR 0.02f
// A particle keeps its cell for this part of its life; then another one may grow while it fades.
#define RL_WAVE_PARTICLE_YOUNG 0.9f
// Stranded particles age this much faster.
#define RL_WAVE_PARTICLE_STRANDED 3.0f
// Levels of detail by which a page changes in a second.
#define RL_WAVE_PARTICLE_BLEND 1.0f

// Particles per task, and tasks that share the pages among them.
#define RL_WAVE_PARTICLE_CHUNK 2048
#define RL_WAVE_PARTICLE_SLOTS 32
// Steps after which particles of the same page are brought together again.
#define RL_WAVE_PARTICLE_ORDER 32

// What a particle remembers. Where it is and where in the texture are sums: a float of kilometres
// would lose the millimetres that slow water moves in a step.
enum {
    RL_WAVE_PARTICLE_START_X, // where it was born, metres
    RL_WAVE_PARTICLE_START_Y,
    RL_WAVE_PARTICLE_MOVED_X, // how far it has moved since
    RL_WAVE_PARTICLE_MOVED_Y,
    RL_WAVE_PARTICLE_BIRTH_X, // its place in the texture
    RL_WAVE_PARTICLE_BIRTH_Y,
    RL_WAVE_PARTICLE_AGE, // seconds
    RL_WAVE_PARTICLE_DEATH,
    RL_WAVE_PARTICLE_LEVEL, // 2^level by as many cells were one when it was born
    RL_WAVE_PARTICLE_ARRAYS
};

// What others see of the particles besides.
enum {
    RL_WAVE_PARTICLE_X,
    RL_WAVE_PARTICLE_Y,
    RL_WAVE_PARTICLE_WEIGHT,
    RL_WAVE_PARTICLE_SEEN_ARRAYS
};

// Everything that depends on which squares have pages.
_Static_assert(sizeof(rl_wave_particles_patch) == 8 * sizeof(float),
               "pieces lend room for eight arrays");

typedef struct rl_wave_particles_tiles {
    int count;
    int *index;            // per square: its page or -1
    int *square;           // per page
    float *texels;         // the output
    atomic_uchar *at;      // RL_WAVE_PARTICLE_TILE_AREA per page: merged cells that have a particle
    unsigned char *top;    // per page: the coarsest lattice that it needs
    unsigned char *merged; // per page: level of its births
    int *first;            // count + 1: where its particles start in the list
    int *counts;           // chunks x count: particles of a chunk for each page, then where they go
    int *births;           // count + 1
    unsigned *born;        // eight words of 32 cells per page
    void *memory;
    size_t bytes;
} rl_wave_particles_tiles;

// One lattice of texels, each 2^level texels wide, and the texture on it.
typedef struct rl_wave_particles_lattice {
    int side;     // texels of a page, a rim of one around
    size_t pitch; // of scratch rows
    float texel;  // metres
    int points;   // of the texture
    int ahead;    // whole periods of it, more than L
    size_t texture_pitch;
    size_t plane; // floats of one of the four textures, each half a point from the others
    float *texture;
    int *stretch; // per fine column: the coarse one west of it
    float *part;  // and the weight of the next one
} rl_wave_particles_lattice;

struct rl_wave_particles {
    rill_allocator allocator;
    const rl_wave_particles_rows *rows;
    rill_wave_particles_def def;
    uint64_t seed;
    int nx, ny, squares_x, squares_y, chunks;
    float cell_size, texel, distance;
    float cells, nearness; // 1 / cell_size, 1 / distance
    int page_side;
    int coarsest; // level of lattices

    float count; // of particles; a float, because it is part of the state
    int capacity;
    float *arrays[RL_WAVE_PARTICLE_ARRAYS]; // the state
    float *seen[RL_WAVE_PARTICLE_SEEN_ARRAYS];
    rl_wave_particles_patch *pieces;
    int *list;    // particles of the pages, RL_WAVE_PARTICLE_MAX_TILES * capacity
    float *shown; // per square: level of detail that the output has; part of the state
    // How far a piece of each level is seen by pages as they are, and where it is of no use any
    // more.
    float reach[RL_WAVE_PARTICLE_MAX_MERGE + 1], farthest[RL_WAVE_PARTICLE_MAX_MERGE + 1];
    int highest;        // lattice that any page needs
    unsigned char *wet; // per cell
    rl_wave_particles_tiles pages;
    rl_wave_particles_lattice lattices[RL_WAVE_PARTICLE_LEVELS];
    rl_sea *sea;
    float *scratch; // RL_WAVE_PARTICLE_SLOTS times three fine pages
    size_t scratch_floats;
    void *memory;
    size_t bytes;
    bool listed; // the list belongs to the particles
    bool drawn;  // so does the output, at drawn_time
    double drawn_time;

    int laid; // lattice whose texture is being laid

    // Of the step under way.
    const rill_columns *columns;
    float dt;
    uint64_t step;
};

// Bits of `wet`: the cell, and also its neighbours east, north and north-east.
enum { RL_WAVE_PARTICLE_IS_WET = 1, RL_WAVE_PARTICLE_ALL_WET = 2 };

// Bits of the random numbers' index beside the number of a cell.
enum {
    RL_WAVE_PARTICLE_DRAW_X,
    RL_WAVE_PARTICLE_DRAW_Y,
    RL_WAVE_PARTICLE_DRAW_LIFE,
    RL_WAVE_PARTICLE_DRAW_AGE,
    RL_WAVE_PARTICLE_DRAW_CELL,
    RL_WAVE_PARTICLE_DRAW_LIMIT,
    RL_WAVE_PARTICLE_DRAWS = 8
};

// Moves and ages one chunk of particles, and makes their pieces (wave_particles_move.c).
void rl_wave_particles_move_chunk(rl_wave_particles *d, int chunk);
// The piece and what is seen of particle n, from its state.
void rl_wave_particles_make_patch(rl_wave_particles *d, int n);

// Counts the particles of one chunk in each page, and marks the cells that they keep
// (wave_particles_births.c), while their pieces are at hand.
void rl_wave_particles_count_chunk(rl_wave_particles *d, int chunk);
// Lists the particles of each page, after all chunks have been counted.
void rl_wave_particles_list(rl_wave_particles *d, rl_jobs *jobs);
// Puts particles of the same page side by side in memory.
void rl_wave_particles_order(rl_wave_particles *d, rl_jobs *jobs);
// New particles in cells that have none.
void rl_wave_particles_births(rl_wave_particles *d, rl_jobs *jobs);
// Particle n of random life at a random place of cell (i, j), nothing else known of it.
void rl_wave_particles_new_particle(rl_wave_particles *d, int n, int i, int j, uint64_t cell,
                                    uint64_t step);

// Lays the pages for the wet cells of now (wave_particles_texels.c). False when there is no memory:
// then the old ones stay.
bool rl_wave_particles_fill_tiles(rl_wave_particles *d);
void rl_wave_particles_free_tiles(const rill_allocator *allocator, rl_wave_particles_tiles *pages);
// Follows the detail: `shown`, and the levels of the pages.
void rl_wave_particles_follow_detail(rl_wave_particles *d, const rl_quadtree *detail, double dt);
// The texture onto the lattices.
void rl_wave_particles_lay_texture(rl_wave_particles *d, rl_jobs *jobs);
void rl_wave_particles_draw(rl_wave_particles *d, rl_jobs *jobs);

// The next part of a block of memory, or NULL while the block is only measured.
static inline void *rl_wave_particles_cut(char *memory, size_t *end, size_t bytes)
{
    char *part = memory == NULL ? NULL : memory + *end;
    *end += (bytes + RILL_ALIGNMENT - 1) / RILL_ALIGNMENT * RILL_ALIGNMENT;
    return part;
}

// How far from a page a piece may be seen in its lattices up to `top`: these reach half a texel
// beyond it, and a piece is at least so large that it cannot slip between their texels.
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
