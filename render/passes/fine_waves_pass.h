// SPDX-License-Identifier: MIT
// fine_waves_pass.h - waves finer than the grid on the graphics card (Chentanez and Müller section
// 2.5.2): their textures, and the part of the water's mesh that they displace. Near the camera a
// quad of the lattice is drawn as 4 x 4 of them, each point displaced by the texture; farther off
// the displacement fades, and where it is zero the coarse triangles are drawn. Normals are computed
// a pixel at a time everywhere.
#pragma once

#include "render/frame/frame_data.h"
#include "render/gl.h"
#include "render/passes/wave_block.h"

typedef struct fine_waves {
    bool shown;
    int nx, ny, size;
    float tile, cell_size;
    float blend[3];
    double origin[2];     // of the grid, metres
    GLuint moves, slopes; // wave_levels.h
    GLuint advected[2], points;
    GLuint patch_array, patch_indices, quads;
    frame_quad_block *blocks;
    size_t block_count, block_capacity;
    GLsizei rest_count; // indices that are in no block
    // The patches of a river (frame_data_river.h); none for water that moves.
    frame_patch *patches;
    bool *near; // of every patch: it is drawn in full detail
    size_t patch_count, patch_capacity, near_capacity;
    int patches_x;
    uint64_t carpet_version; // on the card
    size_t drawn;            // triangles in the last picture
    uint32_t first_coarse;   // where coarse triangles begin among the indices
} fine_waves;

void fine_waves_create(int nx, int ny, float cell_size, fine_waves *f);
void fine_waves_destroy(fine_waves *f);

// Uploads the fine waves of the frame data; `shown` is false without any. `wave_particles`: those
// of a river are shown. `first`: what is on the card already does not count.
void fine_waves_upload(fine_waves *f, const frame_data *s, bool wave_particles, bool first);

void fine_waves_bind(const fine_waves *f);

// Fills the block. `pixels` is the length in pixels of a metre that is a metre from the camera.
// `choppiness`: metres that a slope of 1 moves the grid's own points towards the crests, in cells
// (Chentanez and Müller section 2.5.1); the shader lets none go further than half a cell.
void fine_waves_fill(const fine_waves *f, double pixels, double choppiness, wave_block *block);

// Inputs of drawing the water for the picture of one camera.
typedef struct fine_view {
    const float *view_projection;
    const double *eye;
    GLuint coarse, fine; // programs
    GLuint water_array;  // with the vertices and indices of the frame data
    float fade_end;      // metres from the camera to where the displacement is zero
    double pixels;       // length of a metre that is a metre distant
    bool coarsen;        // distant patches are drawn in larger triangles
} fine_view;

void fine_waves_draw(fine_waves *f, const fine_view *view);

// Returns the triangles of the last picture, without those of refined quads.
size_t fine_waves_drawn(const fine_waves *f);
