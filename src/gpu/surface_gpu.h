// SPDX-License-Identifier: MIT
// surface_gpu.h - the surface of a solver's water, made on the GPU that the solver runs on: the
// mesh of src/surface, to the last bit.
#pragma once

#include "gpu/device_ops.h"

#include "rill/surface.h"

typedef struct rl_gpu_surface rl_gpu_surface;

// The capacity is that of the host's surface as well: a mesh that does not fit must not fit on
// either.
typedef struct rl_gpu_surface_def {
    rill_allocator allocator; // of the host's memory
    int nx, ny, layers;
    size_t vertex_capacity, triangle_capacity;
    rill_surface_def surface;
} rl_gpu_surface_def;

// The data that a surface derives from a ground with ceilings, on the host: the columns of each
// cell (src/surface/stacks.h), and least thicknesses of columns, or NULL.
typedef struct rl_gpu_surface_ground {
    const uint32_t *stack_first;
    const void *stacks;
    size_t stack_bytes;
    const float *least;
    size_t least_floats, least_pitch, least_stride;
} rl_gpu_surface_ground;

// Memory of the host for a mesh. `meniscus` is NULL where there is none.
typedef struct rl_gpu_surface_host {
    rill_vertex *vertices;
    uint32_t *indices;
    rill_meniscus *meniscus;
} rl_gpu_surface_host;

typedef struct rl_gpu_surface_ops {
    // Allocates all memory. On failure *out is NULL.
    rill_status (*create)(const rl_gpu_surface_def *def, rl_gpu_surface **out);
    // Destroys the surface and nulls the pointer. The solver may be destroyed before. A null
    // pointer is allowed.
    void (*destroy)(rl_gpu_surface **surface);
    // Takes over the ground of a solid, at first and after a change.
    rill_status (*set_ground)(rl_gpu_surface *surface, const rl_gpu_surface_ground *ground);
    // Builds as rl_surface_build() does; `fall_slope` as in rl_surface_cut_falls(), 0 for solvers
    // of several layers and with a meniscus; `walls` as in rl_surface_set_walls(). Returns when the
    // size of the mesh is known; the mesh itself may not be complete then. Returns RILL_NO_BACKEND
    // when the host must build this one.
    rill_status (*build)(rl_gpu_surface *surface, const rl_device_columns *columns,
                         float fall_slope, unsigned walls);
    // Returns the mesh of the last build in the device's memory, complete.
    rill_status (*view)(rl_gpu_surface *surface, rill_device_mesh *mesh);
    // Copies it to memory of the host with the capacity of the definition, the same every time.
    // That memory must outlive the surface, and the copy is fastest where the indices come right
    // behind the vertices.
    rill_status (*download)(rl_gpu_surface *surface, const rl_gpu_surface_host *host);
} rl_gpu_surface_ops;

// Returns NULL when this build has no GPU.
const rl_gpu_surface_ops *rl_gpu_surface_table(void);
