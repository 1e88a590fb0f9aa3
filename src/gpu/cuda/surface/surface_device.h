// SPDX-License-Identifier: MIT
// surface_device.h - the mesh of a surface in a device's memory, and its two makers: a heightfield,
// and a multi-layer surface or one with a meniscus. The interface for C. Functions return 0 or an
// error whose message rl_device_text() returns.
#pragma once

#include "gpu/surface_gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

// A mesh with its maker.
typedef struct rl_device_mesh rl_device_mesh;

// The result of a build: the mesh is written only where it fits.
typedef struct rl_device_mesh_size {
    size_t vertices, indices;
    int fits;
    int too_long; // a tear of several layers is longer than the arrays of a device: there is no
                  // mesh
} rl_device_mesh_size;

// Allocate memory for a definition. The caller must call destroy in either case.
int rl_device_surface_create(const rl_gpu_surface_def *def, rl_device_mesh **out);
int rl_device_multilayer_create(const rl_gpu_surface_def *def, rl_device_mesh **out);
void rl_device_mesh_destroy(rl_device_mesh **mesh);

// Waits for the last build, which has this size, and returns it.
int rl_device_mesh_view(const rl_device_mesh *mesh, const rl_device_mesh_size *size,
                        rill_device_mesh *out);
// Copies it to memory of the host with the capacity of the definition, the same every time.
int rl_device_mesh_download(rl_device_mesh *mesh, const rl_device_mesh_size *size,
                            const rl_gpu_surface_host *host);

// ---- A heightfield ---------------------------------------------------------------------

// The columns and all further arguments of a build. Pointers are the device's; cell (0, 0) comes
// first, and rows are `pitch` floats apart.
typedef struct rl_surface_columns {
    const float *base, *depth, *velocity_x, *velocity_y;
    int nx, ny, pitch;
    float cell_size, wet_depth;
    float scale;     // 1 / cell_size
    float least;     // thickness, metres
    float growth;    // rl_surface_growth()
    float most_fall; // within a triangle, metres; 0 allows any
    float opaque_depth;
    int fine;
} rl_surface_columns;

// Queues a build in `stream`, a cudaStream_t, and waits for the size.
int rl_device_surface_build(rl_device_mesh *mesh, const rl_surface_columns *columns, void *stream,
                            rl_device_mesh_size *size);

// ---- Several layers, or a meniscus -----------------------------------------------------

int rl_device_multilayer_set_ground(rl_device_mesh *mesh, const rl_gpu_surface_ground *ground);

// Queues a build in the solver's stream and waits for the size. `walls` as in
// rl_surface_set_walls().
int rl_device_multilayer_build(rl_device_mesh *mesh, const rl_device_columns *columns, int fine,
                               unsigned walls, rl_device_mesh_size *size);

#ifdef __cplusplus
}
#endif
