// SPDX-License-Identifier: MIT
// multilayer_device.h - a multi-layer surface, or one with a meniscus, in a device's memory: the
// interface for C. Functions return 0 or an error whose message rl_device_text() returns.
#pragma once

#include "gpu/cuda/surface/device_mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

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
