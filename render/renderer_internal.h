// SPDX-License-Identifier: MIT
// renderer_internal.h - what renderer.c and renderer_draw.c share.
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

// What programs are built for.
typedef struct program_variant {
    bool solid, studio, meniscus, waves, sea, bodies;
    bool river;     // water whose level stands
    bool drift;     // with waves that drift on it
    bool landscape; // country of kilometres
} program_variant;

#define VARIANT_BYTES 192

// The words before the shaders of a variant.
void renderer_variant_words(const program_variant *variant, char words[VARIANT_BYTES]);

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
    bool has_sheets;      // liquid that hangs in the air
    ground *land;
    relief *lit;
    float *known_bed; // as last uploaded
    bool has_ground;
    uint64_t ground_version;
    float low, high;       // elevations of the ground at the start
    float lowest, highest; // the same now that the window has moved
    int first_cell[2];     // of the grid in its country
    double origin[2];      // the same in metres

    fine_waves fine;
    drift waving;
    uint64_t carpet_version;  // of the river whose triangles are on the card
    flow_region *wet_regions; // where it runs
    size_t wet_region_count, wet_region_capacity;
    bool coarsen; // what is far away is drawn in larger triangles
    ocean *sea;   // NULL: there is none
    wave_block waves;
    GLuint wave_buffer;

    particles *flying;
    bodies *afloat;
    flow drifting;
    targets between;
    double time;

    overlay_columns usual; // of the last still
    float overlay_max;     // value at the end of the scale in the last picture
    bool measuring;
    render_times times;
};

double renderer_clock(void); // milliseconds

// Ends a measured pass that began at `started`: waits for the card if measuring.
void renderer_mark(renderer *r, render_pass pass, double started);

// What grows where in a country of kilometres goes by the water at the start, and at the last
// change of the ground. Smaller ones are left alone.
void renderer_bake_landscape(renderer *r, const still *s);

// Where the river of a still is, which stays there.
void renderer_find_river(renderer *r, const still *s);

void renderer_bind_maps(renderer *r);
void renderer_send_block(renderer *r);
