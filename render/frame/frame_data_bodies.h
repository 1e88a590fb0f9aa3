// SPDX-License-Identifier: MIT
// frame_data_bodies.h - the part of a still that belongs to bodies: crates, boats, cloth. What
// stays as long as the bodies are the same (their triangles, and what each corner is in the body's
// own coordinates) is apart from what changes with every still (where the corners are), so that
// only the latter is copied and uploaded all the time.
#pragma once

#include "rill/bodies.h"

#include <stddef.h>
#include <stdint.h>

typedef struct still still;

// Where a corner is.
typedef struct still_body_vertex {
    float position[3]; // metres
    int16_t normal[4]; // unit vector, 32767 is 1; the last is free
} still_body_vertex;

// What a corner is.
typedef struct still_body_own {
    float place[3]; // from the middle of the body's box along its own axes, metres
    float free;
    float half[3]; // edges of that box, metres
    float seed;    // another one for every body, 0 to 1
    float colour[3];
    float bent; // 1: a smooth surface, 0: faces
} still_body_own;

// One body.
typedef struct still_body {
    uint32_t index1;       // of its id
    double position[3];    // of its centre of mass, metres
    float low[3], high[3]; // around its corners, metres
} still_body;

typedef struct still_bodies {
    still_body *each;
    still_body_vertex *vertices;
    still_body_own *own;
    uint32_t *indices; // three a triangle
    size_t
        first_index[RILL_MATERIAL_COUNT + 1]; // triangles of a look follow those of the one before
    size_t count, vertex_count, index_count;
    size_t capacity, vertex_capacity, own_capacity, index_capacity;
    uint64_t version; // another number when `own` and `indices` have changed; 0: never any bodies
} still_bodies;

void still_free_bodies(still_bodies *bodies);

// Makes them: remembers the triangles that it has seen, and where their corners were divided
// because faces meet there at an edge.
typedef struct body_maker body_maker;

rill_status body_maker_create(body_maker **out);
void body_maker_destroy(body_maker **maker);

// Copies bodies into `s`. Memory grows only when there are more of them than ever before.
rill_status still_set_bodies(body_maker *maker, const rill_body_mesh *meshes, size_t count,
                             still *s);

// The same for all bodies of a world.
rill_status still_take_bodies(body_maker *maker, const rill_world *world, still *s);

// The body with this number (rill_body_id.index1); NULL when there is none.
const still_body *still_find_body(const still *s, uint32_t index1);
