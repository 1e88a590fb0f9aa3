// SPDX-License-Identifier: MIT
// fine_waves_pass.h - waves finer than the grid on the graphics card (002 section 2.5.2): their
// textures, and the part of the water's mesh that they displace. Near the eye a quad of the lattice
// is drawn as 4 x 4 of them, each point displaced by the texture; farther away the displacement
// fades, and from where it is nothing the coarse triangles are drawn. Normals are made a pixel at a
// time everywhere.
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
    GLuint carried[2], points;
    GLuint patch_array, patch_indices, quads;
    still_block *blocks;
    size_t block_count, block_capacity;
    GLsizei rest_count; // indices that are in no block
    // The patches of a river (frame_data_river.h); none for water that moves.
    still_patch *patches;
    bool *near; // of every patch: it is drawn in full detail
    size_t patch_count, patch_capacity, near_capacity;
    int patches_x;
    uint64_t carpet_version; // on the card
    size_t drawn;            // triangles in the last picture
    uint32_t first_coarse;   // where coarse triangles begin among the indices
} fine_waves;

void fine_waves_create(int nx, int ny, float cell_size, fine_waves *f);
void fine_waves_destroy(fine_waves *f);

// Takes over what a still has of them; `shown` is false for one without. `drifting`: those of a
// river are shown. `first`: what is there already does not count.
void fine_waves_upload(fine_waves *f, const still *s, bool drifting, bool first);

void fine_waves_bind(const fine_waves *f);

// `pixels` is the length in pixels of a metre that is a metre away from the eye.
void fine_waves_fill(const fine_waves *f, double pixels, wave_block *block);

// What is drawn of the water, for the picture of one camera.
typedef struct fine_view {
    const float *view_projection;
    const double *eye;
    GLuint coarse, fine; // programs
    GLuint water_array;  // with the still's vertices and indices
    float fade_end;      // metres from the eye to where nothing is displaced any more
    double pixels;       // length of a metre that is a metre away
    bool coarsen;        // far patches are drawn in larger triangles
} fine_view;

void fine_waves_draw(fine_waves *f, const fine_view *view);

// What was drawn of the water last, triangles, those of refined quads not counted.
size_t fine_waves_drawn(const fine_waves *f);
