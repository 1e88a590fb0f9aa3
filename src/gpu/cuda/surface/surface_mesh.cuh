// SPDX-License-Identifier: MIT
// surface_mesh.cuh - a mesh in a device's memory as its makers see it, which begin with it.
#pragma once

#include "gpu/cuda/mirror/device_grid.cuh"
#include "gpu/cuda/surface/surface_device.h"

// Memory of the host that is pinned, or NULL.
struct rl_host_pin {
    void *memory;
    bool asked;
};

// The stream is for downloads: the solver's own may be destroyed.
struct rl_device_mesh : rl_device_memory {
    rill_vertex *vertices;
    uint32_t *indices;
    rill_meniscus *meniscus; // NULL without one
    size_t vertex_capacity, triangle_capacity;
    rl_device_mesh_size *size; // that the device writes, in memory of the host
    cudaEvent_t counted;       // the size of the mesh is known,
    cudaEvent_t written;       // and the mesh complete
    cudaStream_t aside;        // for kernels that need not wait for each other
    cudaEvent_t forked, joined;
    rl_host_pin pin[2]; // vertices with indices, and the meniscus
};

// Creates a maker of so many bytes, all zero but for its mesh, which counts at most so many
// vertices with a point.
int rl_device_mesh_create(const rl_gpu_surface_def *def, size_t bytes, int most_of_point,
                          rl_device_mesh **out);

// The order of a build: `begin` makes it wait for the last one, `note` signals that the sizes are
// known, and `end` that all is queued; it waits for the size.
int rl_device_mesh_begin(const rl_device_mesh *mesh, cudaStream_t stream);
int rl_device_mesh_note(cudaEvent_t event, cudaStream_t stream);
int rl_device_mesh_end(const rl_device_mesh *mesh, cudaStream_t stream, rl_device_mesh_size *size);
