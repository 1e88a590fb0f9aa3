// SPDX-License-Identifier: MIT
// surface_device.h - the mesh of a surface in a device's memory, and its two makers: a heightfield,
// and a multi-layer surface or one with a meniscus. The interface for C. Functions return 0 or an
// error whose message rl_device_text() returns.
#pragma once

#include "gpu/surface_gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- A mesh ---------------------------------------------------------------------------

// Memory of the host that is pinned, or NULL.
typedef struct rl_host_pin {
    void *memory;
    int asked;
} rl_host_pin;

typedef struct rl_device_mesh {
    rill_vertex *vertices;
    uint32_t *indices;
    rill_meniscus *meniscus; // NULL without one
    size_t vertex_capacity, triangle_capacity;
    void *counted;      // cudaEvent_t: the size of the mesh is known,
    void *written;      // and the mesh complete
    void *stream;       // cudaStream_t, for downloads: the solver's own may be destroyed
    rl_host_pin pin[2]; // vertices with indices, and the meniscus
} rl_device_mesh;

// The result of a build: the mesh is written only where it fits.
typedef struct rl_device_mesh_size {
    size_t vertices, indices;
    int fits;
    int too_long; // a tear of several layers is longer than the arrays of a device: there is no
                  // mesh
} rl_device_mesh_size;

// Allocates memory for the mesh of a definition. The caller must call destroy in either case.
int rl_device_mesh_create(const rl_gpu_surface_def *def, rl_device_mesh *mesh);
void rl_device_mesh_destroy(rl_device_mesh *mesh);

// The order of a build: `begin` makes it wait for the last one, `note_counted` signals that the
// sizes are known, `note_written` that all is queued, and `settle` waits.
int rl_device_mesh_begin(const rl_device_mesh *mesh, void *stream);
int rl_device_mesh_note_counted(const rl_device_mesh *mesh, void *stream);
int rl_device_mesh_note_written(const rl_device_mesh *mesh, void *stream);
int rl_device_mesh_await_counted(const rl_device_mesh *mesh);

// Waits for the last build.
int rl_device_mesh_settle(const rl_device_mesh *mesh);
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

typedef struct rl_device_surface rl_device_surface;

int rl_device_surface_create(const rl_gpu_surface_def *def, rl_device_surface **out);
void rl_device_surface_destroy(rl_device_surface **surface);

// Queues a build in `stream`, a cudaStream_t, and waits for the size.
int rl_device_surface_build(rl_device_surface *surface, const rl_surface_columns *columns,
                            void *stream, rl_device_mesh_size *size);
rl_device_mesh *rl_device_surface_mesh(rl_device_surface *surface);

// ---- Several layers, or a meniscus -----------------------------------------------------

typedef struct rl_device_multilayer rl_device_multilayer;

int rl_device_multilayer_create(const rl_gpu_surface_def *def, rl_device_multilayer **out);
void rl_device_multilayer_destroy(rl_device_multilayer **surface);

int rl_device_multilayer_set_ground(rl_device_multilayer *surface,
                                    const rl_gpu_surface_ground *ground);

// Queues a build in the solver's stream and waits for the size.
int rl_device_multilayer_build(rl_device_multilayer *surface, const rl_device_columns *columns,
                               int fine, rl_device_mesh_size *size);
rl_device_mesh *rl_device_multilayer_mesh(rl_device_multilayer *surface);

#ifdef __cplusplus
}
#endif
