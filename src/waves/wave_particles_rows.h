// SPDX-License-Identifier: MIT
// wave_particles_rows.h - the loops over texels of drifting waves, compiled once per instruction
// set.
#pragma once

#include <stddef.h>

// What the output needs of a particle, side by side.
typedef struct rl_wave_particles_patch {
    float x, y;               // metres
    float offset_x, offset_y; // place in the texture minus place, metres
    float weight;
    int level;                      // of its radius
    short west, east, south, north; // squares that it may be seen in
} rl_wave_particles_patch;

// A lattice of texels in one page, to which pieces of texture are added: discs around their
// particles, with the weight (1 - r^2)^2, r in radii.
typedef struct rl_wave_particles_texels {
    int side;
    float scale;            // texels in a metre
    float radius[3];        // of the pieces of each level, texels
    float step[3];          // 1 / radius
    int corner_x, corner_y; // number of the first texel, counted over the whole grid
    // The texture at each of its points, and, `plane` floats further, half a point east of each.
    // Columns go on beyond its period, as far as pieces reach; rows start again after the last.
    const float *texture;
    size_t plane, texture_pitch;
    int points;
    int ahead; // whole periods, more texels than a piece lies from its place in the texture
    float *sum, *total; // rows go on for 16 texels beyond their end
    size_t pitch;
} rl_wave_particles_texels;

// Particles that move with the water, RL_WAVE_PARTICLE_BLOCK of them at most.
#define RL_WAVE_PARTICLE_BLOCK 256
typedef struct rl_wave_particles_move {
    int count;
    const float *start_x, *start_y;
    const float *moved_x, *moved_y; // metres from where they started
    const float *velocity_x, *velocity_y;
    int pitch, nx, ny;
    float cells, dt;        // cells in a metre; seconds
    int *at;                // the column south-west of each is [at] of the velocities
    float *to_x, *to_y;     // where they get to, in cells from its centre
    float *mean_x, *mean_y; // velocity on the way, m/s; right where both are from 0 to 1
} rl_wave_particles_move;

// A row of a page from two rows of a lattice, and the part to which it replaces what is there.
typedef struct rl_wave_particles_mix_row {
    int count;
    const float *low, *high; // stretched rows
    float part;              // of `high`
    const float *blend;      // per texel: 0 keeps, 1 replaces; NULL: all is replaced
    float *out;
} rl_wave_particles_mix_row;

typedef struct rl_wave_particles_rows {
    // Works out where particles get to, in a flow that is bilinear between columns; those for whom
    // the four columns around them are not all there is to know are to be moved otherwise.
    void (*move)(const rl_wave_particles_move *move);
    // Adds the pieces of the particles in `list`.
    void (*stamp)(const rl_wave_particles_texels *sheet, const rl_wave_particles_patch *pieces,
                  const int *list, int count);
    // out = sum / max(total, floor), `count` values; out may be sum.
    void (*divide)(const float *sum, const float *total, float floor, int count, float *out);
    // out[n] = row[place[n]] + part[n] (row[place[n] + 1] - row[place[n]])
    void (*stretch)(const float *row, const int *place, const float *part, int count, float *out);
    void (*mix)(const rl_wave_particles_mix_row *row);
    // Halfway between the third and the fourth of six points in a line.
    void (*halfway)(const float *const points[6], int count, float *out);
} rl_wave_particles_rows;

extern const rl_wave_particles_rows rl_wave_particles_rows_c, rl_wave_particles_rows_avx2,
    rl_wave_particles_rows_avx512;
