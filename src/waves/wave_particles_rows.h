// SPDX-License-Identifier: MIT
// wave_particles_rows.h - the loops over particles and texels of the wave particles, compiled once
// per instruction set.
#pragma once

#include <stddef.h>

// The part of a particle that the output needs, side by side.
typedef struct rl_wave_particles_patch {
    float x, y;               // metres
    float offset_x, offset_y; // place in the texture minus place, metres
    float weight;
    int level;                      // of its radius
    short west, east, south, north; // squares in which it may be visible
} rl_wave_particles_patch;

// One lattice of texels, each 2^level texels wide, and the texture on it: at each of its points,
// and, `plane` floats further, half a point east of each. Columns of the texture continue beyond
// its period, as far as patches reach; rows start again after the last.
typedef struct rl_wave_particles_lattice {
    int side;     // texels of a tile, a rim of one around
    size_t pitch; // of scratch rows
    float texel;  // metres
    int points;   // of the texture
    int ahead;    // whole periods of it, more than the distance L
    size_t texture_pitch;
    size_t plane;
    float *texture;
    int *stretch; // per fine column: the coarse column west of it
    float *part;  // and the weight of the coarse column after that
} rl_wave_particles_lattice;

// A lattice in one tile, to which patches of texture are added: discs around their particles, with
// the weight (1 - r^2)^2, r in radii.
typedef struct rl_wave_particles_texels {
    const rl_wave_particles_lattice *lattice;
    float scale;            // texels in a metre
    float radius[3];        // of the patches of each level, texels
    float step[3];          // 1 / radius
    int corner_x, corner_y; // number of the first texel, counted over the whole grid
    float *sum, *total;     // rows continue for 16 texels beyond their end
} rl_wave_particles_texels;

// Arguments that move particles with the water, RL_WAVE_PARTICLE_BLOCK of them at most.
#define RL_WAVE_PARTICLE_BLOCK 256
typedef struct rl_wave_particles_move {
    int count;
    const float *start_x, *start_y;
    const float *moved_x, *moved_y; // metres from where they started
    const float *velocity_x, *velocity_y;
    int pitch, nx, ny;
    float cells, dt;        // cells in a metre; seconds
    int *at;                // the column south-west of each is [at] of the velocities
    float *to_x, *to_y;     // new place, in cells from its centre
    float *mean_x, *mean_y; // velocity on the way, m/s; valid where both of `to` are from 0 to 1
} rl_wave_particles_move;

typedef struct rl_wave_particles_rows {
    // Computes the new places of particles in a flow that is bilinear between columns. The caller
    // must move those particles in another way whose four columns do not describe the whole flow.
    void (*move)(const rl_wave_particles_move *move);
    // Adds the patches of the particles in `list`.
    void (*stamp)(const rl_wave_particles_texels *texels, const rl_wave_particles_patch *patches,
                  const int *list, int count);
    // out = sum / max(total, floor), `count` values; out may be sum.
    void (*divide)(const float *sum, const float *total, float floor, int count, float *out);
    // out[n] = row[place[n]] + part[n] (row[place[n] + 1] - row[place[n]])
    void (*stretch)(const float *row, const int *place, const float *part, int count, float *out);
    // Interpolates a row of a tile between two stretched rows of a lattice, `part` towards `high`.
    // `blend` says per texel how far that replaces what is there, 0 to 1; NULL replaces all.
    void (*mix)(const float *low, const float *high, float part, const float *blend, int count,
                float *out);
    // out[n]: halfway between the third and the fourth of the six points from row[n] on.
    void (*halfway)(const float *row, int count, float *out);
} rl_wave_particles_rows;

extern const rl_wave_particles_rows rl_wave_particles_rows_c, rl_wave_particles_rows_avx2,
    rl_wave_particles_rows_avx512;
