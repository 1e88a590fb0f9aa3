// SPDX-License-Identifier: MIT
// frame_data.h - a still: all that one picture needs of a world, copied out of it and packed for
// the graphics card. The thread that simulates takes stills between two steps; another thread draws
// them. Taking one reads the world and changes nothing in it.
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
typedef struct still_vertex {
    float position[3];    // metres
    int16_t normal[2];    // x and y of the unit normal, 32767 is 1; z is positive
    uint16_t velocity[2]; // halves, m/s
    uint16_t depth;       // half, metres
    uint16_t opacity;     // half, 0 at the shore to 1
} still_vertex;

// What capillarity does at a vertex of the water (rill_meniscus) in 8 bytes.
typedef struct still_meniscus {
    int16_t direction[2]; // 32767 is 1
    uint16_t angle;       // half, radians
    uint16_t share;       // half, 0 to 1
} still_meniscus;

// A corner of a solid ground in 20 bytes.
typedef struct still_ground {
    float position[3]; // metres
    int16_t normal[3]; // unit vector, 32767 is 1
    int16_t openness;  // 32767 is 1; -32767: a face where the world is cut off
} still_ground;

// A corner of the panes at the border of a world with a solid ground: there the liquid is cut off.
typedef struct still_pane {
    float position[3]; // metres
    float level;       // of the liquid, metres
    float facing[2];   // outwards
} still_pane;

// One column in a texture of halves.
typedef struct still_column {
    uint16_t depth;       // metres
    uint16_t velocity[2]; // m/s
    uint16_t wetness;     // 1 under water, then drying to 0
} still_column;

// Spray, splash or foam in 24 bytes.
typedef struct still_particle {
    float position[3];    // metres
    uint16_t velocity[3]; // halves, m/s
    uint16_t radius;      // half, metres
    uint16_t age;         // half, seconds
    uint16_t mark;        // half, 0 to 1: of foam the part of its life that is left, of water a
                          // number that it keeps as long as it lives
} still_particle;

typedef struct still {
    double time;  // simulated seconds
    double frame; // simulated seconds since the still before
    int nx, ny;
    float cell_size, gravity, wet_depth; // metres, m/s^2, metres

    still_vertex *vertices;
    uint32_t *indices; // three a triangle
    size_t vertex_count, index_count;
    size_t vertex_capacity, index_capacity;
    bool has_sheets; // some of it hangs in the air, upright

    still_meniscus *meniscus; // one a vertex when has_meniscus
    bool has_meniscus;
    size_t meniscus_capacity;

    still_column *columns;   // nx * ny, row 0 first: those that are open to the sky
    float *bed;              // nx * ny elevations, metres
    uint64_t ground_version; // grows by one whenever the bed has changed

    // A solid ground; all-zero for a world without one, whose ground is the bed.
    still_ground *ground_vertices;
    uint32_t *ground_indices; // three a triangle
    size_t ground_vertex_count, ground_index_count;
    size_t ground_vertex_capacity, ground_index_capacity;
    uint64_t solid_version; // another number when it has changed; 0: there is none
    struct still_box *boxes;
    size_t box_capacity;
    still_pane *panes; // three a triangle
    size_t pane_count, pane_capacity;

    still_waves waves;   // finer than the grid
    still_drift drift;   // that drift on a river
    still_carpet carpet; // of a river, whose level stands; the triangles are in its order

    // Cell (0, 0) of the grid in its country (rill_world_origin), and the same in metres.
    int first_cell[2];
    double origin[2];

    still_bodies bodies;

    // Those of a kind behind those of the kinds before it (frame_data_particles.h).
    still_particle *particles;
    size_t particle_count[RILL_PARTICLE_KIND_COUNT], particle_capacity;

    // What the panel and the overlays say.
    rill_step_info step;
    rill_ledger ledger;
    rill_stats stats;
} still;

// Takes stills of one world: keeps what must be remembered from one to the next.
typedef struct still_taker still_taker;

// `view` says how wide the meniscus is; NULL: the defaults.
rill_status still_taker_create(rill_world *world, const rill_view *view, still_taker **out);
void still_taker_destroy(still_taker **taker);

// The bed was edited: the next still carries it.
void still_taker_ground_changed(still_taker *taker);

// From the next still on it carries the particles of drifting waves, for OVERLAY_BIRTHS, or not.
void still_taker_show_births(still_taker *taker, bool shown);

// An empty still that fits the taker's world; give it to still_take again and again.
rill_status still_create(const still_taker *taker, still **out);
void still_destroy(still **s);

// Fills `s` with the world as it is now. Memory grows only when the mesh outgrows every mesh
// before.
rill_status still_take(still_taker *taker, rill_world *world, still *s);

// Water at (x, y) metres, as rill_columns_probe has it, but from the still: the open columns.
rill_probe still_probe(const still *s, double x, double y);

// The camera of a view at `time`, in metres of the still's grid. The view has at least one key.
camera still_camera(const still *s, const rill_view *view, double time);

// The same for a camera from elsewhere: keys of a view may be in metres of the country, or counted
// from a body. A body that is not there is the corner of the grid.
void still_place_camera(const still *s, const rill_view *view, camera *eye);

// Where the ray from `origin` along `direction` first meets ground or water. False when it misses.
bool still_hit(const still *s, const double origin[3], const double direction[3], double hit[3]);
