// SPDX-License-Identifier: MIT
// surface_device.h - the surface of a heightfield in a device's memory, as C sees it. Functions
// return 0 or an error whose sentence rl_device_text() has.
#pragma once

#include "gpu/surface_gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

// The water and all that a build must know. Pointers are the device's; cell (0, 0) comes first, and
// rows are `pitch` floats apart.
typedef struct rl_surface_water {
    const float *base, *depth, *velocity_x, *velocity_y;
    int nx, ny, pitch;
    float cell_size, wet_depth;
    float scale;     // 1 / cell_size
    float least;     // thickness, metres
    float growth;    // rl_surface_growth()
    float most_fall; // within a triangle, metres; 0: any
    float opaque_depth;
    int fine;
} rl_surface_water;

typedef struct rl_device_surface rl_device_surface;

// For nx * ny cells and at most so many vertices and triangles.
int rl_device_surface_create(int nx, int ny, size_t vertices, size_t triangles,
                             rl_device_surface **out);
void rl_device_surface_destroy(rl_device_surface **surface);

// What a build has found: the mesh is written only where it fits.
typedef struct rl_device_surface_size {
    size_t vertices, indices;
    int fits;
    int too_long; // a tear of several layers is longer than a device has room for: there is no mesh
} rl_device_surface_size;

// Queues a build in `stream`, a cudaStream_t, and waits for the size.
int rl_device_surface_build(rl_device_surface *surface, const rl_surface_water *water, void *stream,
                            rl_device_surface_size *size);

// Waits for the last build.
int rl_device_surface_settle(rl_device_surface *surface);
void rl_device_surface_pointers(const rl_device_surface *surface, rill_device_mesh *mesh);
// To memory of the host with the room of the definition, the same every time.
int rl_device_surface_download(rl_device_surface *surface, const rl_device_surface_size *size,
                               const rl_gpu_surface_host *host);

#ifdef __cplusplus
}
#endif
