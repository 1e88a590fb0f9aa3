// SPDX-License-Identifier: MIT
// surface.h - the water of a columns view as triangles (000 section 4, 002 section 2.5.1). Knows
// columns only: no world, no solver. The public functions of rill/surface.h stand on this.
#pragma once

#include "rill/columns.h"
#include "rill/surface.h"

typedef struct rl_surface rl_surface;

// Threads to build with. run == NULL: the calling thread alone. Work is cut into tiles of rows
// whose size never depends on the runner, so the mesh is the same to the last bit.
typedef struct rl_surface_runner {
    rill_parallel_for run;
    void *user;
} rl_surface_runner;

// Allocates for the largest mesh that nx * ny columns can have: (nx + 2) (ny + 2) vertices and
// 2 (nx + 1) (ny + 1) triangles. `layers` must be 1. `allocator` may be NULL and is copied;
// def->host is not looked at. On failure *out is NULL.
rill_status rl_surface_create(const rill_allocator *allocator, int nx, int ny, int layers,
                              const rill_surface_def *def, rl_surface **out);

// Destroys and nulls. NULL and a null pointer are fine.
void rl_surface_destroy(rl_surface **surface);

// Builds the triangles of the water as it is now; allocates nothing. `columns` must have the size
// that the surface was created for.
void rl_surface_build(rl_surface *surface, const rill_columns *columns, rl_surface_runner runner);

// The triangles of the last build; all-zero before the first. Valid until the next build.
rill_mesh rl_surface_mesh(const rl_surface *surface);

// Bytes that the surface holds.
size_t rl_surface_memory(const rl_surface *surface);
