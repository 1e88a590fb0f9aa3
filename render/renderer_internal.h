// SPDX-License-Identifier: MIT
// renderer_internal.h - the renderer's state, which renderer.c, renderer_draw.c and
// renderer_river.c share.
#pragma once

#include "render/renderer.h"

#include "render/frame_block.h"
#include "render/gl.h"
#include "render/ground/ground_pass.h"
#include "render/ground/relief.h"
#include "render/ground/solid_pass.h"
#include "render/materials.h"
#include "render/passes/bodies_pass.h"
#include "render/passes/fine_waves_pass.h"
#include "render/passes/flow_pass.h"
#include "render/passes/ocean_pass.h"
#include "render/passes/particles_pass.h"
#include "render/passes/sky_pass.h"
#include "render/passes/wave_particles_pass.h"
#include "render/targets.h"

enum {
    PROGRAM_SHAPE,
    PROGRAM_GROUND,
    PROGRAM_BODY,
    PROGRAM_SOLID,
    PROGRAM_SHADOW,
    PROGRAM_PANE,
    PROGRAM_SIDE,
    PROGRAM_SKY,
    PROGRAM_SURFACE,
    PROGRAM_FINE,
    PROGRAM_OCEAN,
    PROGRAM_WATER,
    PROGRAM_WATER_SIDE,
    PROGRAM_ARROW,
    PROGRAM_TONE,
    PROGRAM_FINISH,
    PROGRAM_COUNT
};

// The kind of world and backdrop that the programs are built for.
typedef struct program_variant {
    bool solid, studio, meniscus, waves, sea, bodies;
    bool river;          // the level of the water does not move
    bool wave_particles; // with wave particles on it
    bool landscape;      // terrain of kilometres
} program_variant;

#define VARIANT_BYTES 192

// Writes the defines that stand before the shaders of a variant.
void renderer_variant_defines(const program_variant *variant, char defines[VARIANT_BYTES]);

struct renderer {
    renderer_def def;
    GLuint programs[PROGRAM_COUNT];
    program_variant variant;
    GLuint wave_tile, grain_tile, bubble_tile;
    GLuint height_map, relief_map, column_map, sky_map;
    GLuint landscape_map; // 0: there is none
    GLuint block_buffer, no_points;
    GLuint water_array, water_vertices, water_indices, water_meniscus;
    GLsizei water_index_count;

    frame_block block;
    sky light;
    bool has_light;

    solid *body;
    bool casters_changed; // liquid or bodies, since the shadow map was drawn
    bool has_curtains;    // liquid that hangs in the air
    ground *land;
    relief *lit;
    float *known_bed; // as last uploaded
    bool has_ground;
    uint64_t ground_version;
    float low, high;       // elevations of the ground at the start
    float lowest, highest; // the same after the domain has moved
    int first_cell[2];     // of the grid in the full terrain
    double origin[2];      // the same in metres

    fine_waves fine;
    wave_particles_pass wave_particles;
    uint64_t carpet_version;  // of the river whose triangles are on the card
    flow_region *wet_regions; // where the river runs
    size_t wet_region_count, wet_region_capacity;
    bool coarsen; // distant parts are drawn in larger triangles
    ocean *sea;   // NULL: there is none
    wave_block waves;
    GLuint wave_buffer;

    particles *flying;
    bodies *afloat;
    flow detail; // moving detail on the water
    targets between;
    double time;

    overlay_columns usual; // of the last frame data
    float overlay_max;     // value at the end of the scale in the last picture
    bool measuring;
    render_times times;
};

double renderer_clock(void); // milliseconds

// Ends a measured pass that began at `started`: waits for the card if the renderer measures.
void renderer_mark(renderer *r, render_pass pass, double started);

// Computes the vegetation of a terrain of kilometres from the water at the start, and at the last
// change of the ground. Smaller terrains have none.
void renderer_bake_landscape(renderer *r, const frame_data *s);

// Finds the shore and the wet regions of the river in the frame data; they do not change.
void renderer_find_river(renderer *r, const frame_data *s);

void renderer_bind_maps(renderer *r);
void renderer_send_block(renderer *r);
