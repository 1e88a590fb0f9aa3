// SPDX-License-Identifier: MIT
// surface_gpu.h - the surface of a water, made on the GPU that the water lies on: the mesh of
// src/surface, to the last bit.
#pragma once

#include "gpu/device_ops.h"

#include "rill/surface.h"

typedef struct rl_gpu_surface rl_gpu_surface;

// The room that the host's surface has as well: a mesh that does not fit must not fit on either.
typedef struct rl_gpu_surface_def {
    rill_allocator allocator; // of the host's memory
    int nx, ny, layers;
    size_t vertex_room, triangle_room;
    rill_surface_def surface;
} rl_gpu_surface_def;

// What a surface keeps of a ground with ceilings, on the host: the columns of each cell
// (src/surface/stacks.h), and least thicknesses of columns, or NULL.
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
    // Takes all memory. On failure *out is NULL.
    rill_status (*create)(const rl_gpu_surface_def *def, rl_gpu_surface **out);
    // Destroys and nulls. The water may be gone before. A null pointer is fine.
    void (*destroy)(rl_gpu_surface **surface);
    // The ground of a solid is new or has changed.
    rill_status (*set_ground)(rl_gpu_surface *surface, const rl_gpu_surface_ground *ground);
    // Builds as rl_surface_build() does; `fall_slope` as in rl_surface_cut_falls(), 0 for waters of
    // several layers and with a meniscus. Returns when the size of the mesh is known; the mesh
    // itself may still be under way. RILL_NO_BACKEND: this one the host must build.
    rill_status (*build)(rl_gpu_surface *surface, const rl_device_columns *columns,
                         float fall_slope);
    // The mesh of the last build in the device's memory, complete.
    rill_status (*look)(rl_gpu_surface *surface, rill_device_mesh *mesh);
    // Copies it to memory of the host with the room of the definition, the same every time. It must
    // outlive the surface, and is fastest where the indices come right behind the vertices.
    rill_status (*download)(rl_gpu_surface *surface, const rl_gpu_surface_host *host);
} rl_gpu_surface_ops;

// NULL: this build has no GPU.
const rl_gpu_surface_ops *rl_gpu_surface_table(void);
