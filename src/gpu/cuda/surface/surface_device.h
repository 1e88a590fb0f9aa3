// SPDX-License-Identifier: MIT
// surface_device.h - the surface of a heightfield in a device's memory: the interface for C.
// Functions return 0 or an error whose message rl_device_text() returns.
#pragma once

#include "gpu/cuda/surface/device_mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

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

typedef struct rl_device_surface rl_device_surface;

int rl_device_surface_create(const rl_gpu_surface_def *def, rl_device_surface **out);
void rl_device_surface_destroy(rl_device_surface **surface);

// Queues a build in `stream`, a cudaStream_t, and waits for the size.
int rl_device_surface_build(rl_device_surface *surface, const rl_surface_columns *columns,
                            void *stream, rl_device_mesh_size *size);
rl_device_mesh *rl_device_surface_mesh(rl_device_surface *surface);

#ifdef __cplusplus
}
#endif
