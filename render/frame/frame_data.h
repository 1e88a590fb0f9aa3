// SPDX-License-Identifier: MIT
// frame_data.h - frame data, the snapshot of a world that one picture needs, copied out of it and
// packed for the graphics card. The simulation's thread fills it between two steps; another thread
// draws it. Filling reads the world and changes nothing in it.
#pragma once

#include "render/camera.h"
#include "render/frame/frame_data_bodies.h"
#include "render/frame/frame_data_river.h"
#include "render/frame/frame_data_wave_particles.h"
#include "render/frame/frame_data_waves.h"

#include "rill/particles.h"
#include "rill/river.h"
#include "rill/solid.h"
#include "rill/surface.h"
#include "rill/view.h"
#include "rill/world.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A vertex of the water's surface in 24 bytes. Halves are IEEE 754 binary16.
typedef struct frame_vertex {
    float position[3];    // metres
    int16_t normal[2];    // x and y of the unit normal, 32767 is 1; z is positive
    uint16_t velocity[2]; // halves, m/s
    uint16_t depth;       // half, metres
    uint16_t opacity;     // half, 0 at the shore to 1
} frame_vertex;

// Capillarity at a vertex of the water (rill_meniscus) in 8 bytes.
typedef struct frame_meniscus {
    int16_t direction[2]; // 32767 is 1
    uint16_t angle;       // half, radians
    uint16_t share;       // half, 0 to 1
} frame_meniscus;

// A corner of a solid ground in 20 bytes.
typedef struct frame_ground {
    float position[3]; // metres
    int16_t normal[3]; // unit vector, 32767 is 1
    int16_t openness;  // 32767 is 1; -32767: a face where the world is cut off
} frame_ground;

// A corner of the panes at the border of a world with a solid ground: there the liquid is cut off.
typedef struct frame_pane {
    float position[3]; // metres
    float level;       // of the liquid, metres
    float facing[2];   // outwards
} frame_pane;

// One column in a texture of halves.
typedef struct frame_column {
    uint16_t depth;       // metres
    uint16_t velocity[2]; // m/s
    uint16_t wetness;     // 1 under water, then falling to 0
} frame_column;

// Spray, splash or foam in 24 bytes.
typedef struct frame_particle {
    float position[3];    // metres
    uint16_t velocity[3]; // halves, m/s
    uint16_t radius;      // half, metres
    uint16_t age;         // half, seconds
    uint16_t mark; // half, 0 to 1: of foam the part of its life that is left, of water a constant
                   // of the particle
} frame_particle;

typedef struct frame_data {
    double time;  // simulated seconds
    double frame; // simulated seconds since the frame data before
    int nx, ny;
    float cell_size, gravity, wet_depth; // metres, m/s^2, metres

    frame_vertex *vertices;
    uint32_t *indices; // three a triangle
    size_t vertex_count, index_count;
    size_t vertex_capacity, index_capacity;
    bool has_curtains; // some of the surface hangs in the air, upright

    frame_meniscus *meniscus; // one a vertex when has_meniscus
    bool has_meniscus;
    size_t meniscus_capacity;

    frame_column *columns;   // nx * ny, row 0 first: those that are open to the sky
    float *bed;              // nx * ny elevations, metres
    uint64_t ground_version; // grows by one whenever the bed has changed

    // A solid ground; all-zero for a world without one, whose ground is the bed.
    frame_ground *ground_vertices;
    uint32_t *ground_indices; // three a triangle
    size_t ground_vertex_count, ground_index_count;
    size_t ground_vertex_capacity, ground_index_capacity;
    uint64_t solid_version; // another number when it has changed; 0: there is none
    struct frame_box *boxes;
    size_t box_capacity;
    frame_pane *panes; // three a triangle
    size_t pane_count, pane_capacity;

    frame_waves waves;                   // finer than the grid
    frame_wave_particles wave_particles; // of a river
    frame_carpet carpet; // of a river, whose level stands; the triangles are in its order

    // Cell (0, 0) of the grid in the full terrain (rill_world_origin), and the same in metres.
    int first_cell[2];
    double origin[2];

    frame_bodies bodies;

    // Particles of a kind follow those of the kinds before it (frame_data_particles.h).
    frame_particle *particles;
    size_t particle_count[RILL_PARTICLE_KIND_COUNT], particle_capacity;

    // Figures for the panel and the overlays.
    rill_step_info step;
    rill_ledger ledger;
    rill_stats stats;
} frame_data;

// Captures frame data of one world: has the state that must survive from one frame to the next.
typedef struct frame_capture frame_capture;

// Creates a capture. `view` gives the surface its definition (rill_view_surface_def); NULL: the
// defaults.
rill_status frame_capture_create(rill_world *world, const rill_view *view, frame_capture **out);
void frame_capture_destroy(frame_capture **capture);

// The caller must call this after editing the bed: the next frame data have it.
void frame_capture_ground_changed(frame_capture *capture);

// Sets whether the next frame data have the wave particles themselves, for OVERLAY_BIRTHS.
void frame_capture_show_births(frame_capture *capture, bool shown);

// Creates empty frame data that fit the world of `capture`; frame_data_fill() fills them again and
// again.
rill_status frame_data_create(const frame_capture *capture, frame_data **out);
void frame_data_destroy(frame_data **s);

// Fills `s` with the world as it is now. Memory grows only when the mesh outgrows every mesh
// before.
rill_status frame_data_fill(frame_capture *capture, rill_world *world, frame_data *s);

// Returns the water at (x, y) metres, as rill_columns_probe does, from the open columns of the
// frame data.
rill_probe frame_data_probe(const frame_data *s, double x, double y);

// Returns the camera of a view at `time`, in metres of the grid. The view has at least one key.
camera frame_data_camera(const frame_data *s, const rill_view *view, double time);

// Moves a camera to metres of the grid: keys of a view may be in metres of the full terrain, or
// counted from a body. A body that is not there is the corner of the grid.
void frame_data_place_camera(const frame_data *s, const rill_view *view, camera *eye);

// Finds where the ray from `origin` along `direction` first meets ground or water. Returns false
// when it misses.
bool frame_data_hit(const frame_data *s, const double origin[3], const double direction[3],
                    double hit[3]);
