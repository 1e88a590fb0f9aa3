// SPDX-License-Identifier: MIT
// surface.h - the water of a columns view as triangles (000 section 4, 002 section 2.5.1). Knows
// columns only: no world, no solver. The public functions of rill/surface.h stand on this.
#pragma once

#include "rill/columns.h"
#include "rill/solid.h"
#include "rill/surface.h"

typedef struct rl_surface rl_surface;

// Threads to build with. run == NULL: the calling thread alone. Work is cut into tiles of rows
// whose size never depends on the runner, so the mesh is the same to the last bit.
typedef struct rl_surface_runner {
    rill_parallel_for run;
    void *user;
} rl_surface_runner;

// Allocates for `layers` layers of nx * ny columns: a vertex and two triangles a point of the
// lattice of (nx + 2) (ny + 2) points a layer, and half a vertex and a triangle more a point of one
// layer, 65536 at least, for the ends of sheets and for edges (all of them where that is less).
// That is enough unless most columns are at an edge; rl_surface_build says what happens then.
// `allocator` may be NULL and is copied; def->host is not looked at. On failure *out is NULL.
rill_status rl_surface_create(const rill_allocator *allocator, int nx, int ny, int layers,
                              const rill_surface_def *def, rl_surface **out);

// Destroys and nulls. NULL and a null pointer are fine.
void rl_surface_destroy(rl_surface **surface);

// The ground of a solid has changed, or is handed over for the first time: least heights of columns
// over its bumps are computed anew (minimum.h). `columns` gives the floors. Not called for a
// heightfield.
rill_status rl_surface_set_ground(rl_surface *surface, const rill_ground_mesh *ground,
                                  const rill_columns *columns);

// The floors and ranges of the columns of the next builds are those of version `version` of the
// ground; builds of one version look at them once. 0, as at the start: they may change every time.
void rl_surface_ground_is(rl_surface *surface, uint64_t version);

// What a surface keeps of the ground under columns with ranges: the columns of each cell and their
// least thicknesses (`least`, or NULL), in floats. Made for the version of the ground that was last
// told, as a build would. Valid until the ground changes.
typedef struct rl_surface_ground {
    const uint32_t *stack_first; // nx * ny + 1
    const void *stacks;          // of rl_stack_entry
    size_t stack_bytes;
    const float *least;
    size_t least_floats, least_pitch, least_stride;
} rl_surface_ground;
rl_surface_ground rl_surface_read_ground(rl_surface *surface, const rill_columns *columns,
                                         rl_surface_runner runner);

// From now on triangles that drop by more than `slope` cells a cell over a cliff are left out:
// there the water has left the columns and is somebody else's to draw. 0, as at the start: none is.
void rl_surface_cut_falls(rl_surface *surface, float slope);

// Builds the triangles of the water as it is now; allocates nothing. `columns` must have the size
// that the surface was created for. A mesh with more vertices than were allocated is built anew
// with a coarse shore, which needs fewer; should it still not fit, the mesh is empty and the status
// says so.
rill_status rl_surface_build(rl_surface *surface, const rill_columns *columns,
                             rl_surface_runner runner);

// Where a mesh is put that was built elsewhere, and how much there is room for. rl_surface_put()
// then says how much was put there; 0 is none.
typedef struct rl_surface_buffers {
    rill_vertex *vertices;
    uint32_t *indices;
    rill_meniscus *meniscus; // NULL without one
    size_t vertex_room, triangle_room;
} rl_surface_buffers;
rl_surface_buffers rl_surface_buffers_of(rl_surface *surface);
void rl_surface_put(rl_surface *surface, size_t vertex_count, size_t index_count);

// The triangles of the last build; all-zero before the first. Valid until the next build.
rill_mesh rl_surface_mesh(const rl_surface *surface);

// Bytes that the surface holds.
size_t rl_surface_memory(const rl_surface *surface);
