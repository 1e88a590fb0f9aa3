// SPDX-License-Identifier: MIT
// frame_data_bodies.h - the part of the frame data that belongs to bodies: crates, boats, cloth.
// What is constant as long as the bodies are the same (their triangles, and the attributes of each
// corner in the body's own coordinates) is apart from what changes with every frame (positions of
// the corners), so that only the latter is copied and uploaded all the time.
#pragma once

#include "rill/bodies.h"

#include <stddef.h>
#include <stdint.h>

typedef struct frame_data frame_data;

// Position of a corner.
typedef struct frame_body_vertex {
    float position[3]; // metres
    int16_t normal[4]; // unit vector, 32767 is 1; the last is free
} frame_body_vertex;

// Constant attributes of a corner.
typedef struct frame_body_own {
    float place[3]; // from the middle of the body's box along its own axes, metres
    float free;
    float half[3]; // edges of that box, metres
    float seed;    // another one for every body, 0 to 1
    float colour[3];
    float bent; // 1: a smooth surface, 0: faces
} frame_body_own;

// One body.
typedef struct frame_body {
    uint32_t index1;       // of its id
    double position[3];    // of its centre of mass, metres
    float low[3], high[3]; // around its corners, metres
} frame_body;

typedef struct frame_bodies {
    frame_body *each;
    frame_body_vertex *vertices;
    frame_body_own *own;
    uint32_t *indices;                           // three a triangle
    size_t first_index[RILL_MATERIAL_COUNT + 1]; // triangles are sorted by material
    size_t count, vertex_count, index_count;
    size_t capacity, vertex_capacity, own_capacity, index_capacity;
    uint64_t version; // another number when `own` and `indices` have changed; 0: never any bodies
} frame_bodies;

void frame_free_bodies(frame_bodies *bodies);

// Fills the bodies: remembers the triangles that it has seen, and where their corners were divided
// because faces meet there at an edge.
typedef struct body_maker body_maker;

rill_status body_maker_create(body_maker **out);
void body_maker_destroy(body_maker **maker);

// Copies bodies into `s`. Memory grows only when there are more of them than ever before.
rill_status frame_set_bodies(body_maker *maker, const rill_body_mesh *meshes, size_t count,
                             frame_data *s);

// Copies all bodies of a world.
rill_status frame_fill_bodies(body_maker *maker, const rill_world *world, frame_data *s);

// Returns the body with this number (rill_body_id.index1); NULL when there is none.
const frame_body *frame_find_body(const frame_data *s, uint32_t index1);
