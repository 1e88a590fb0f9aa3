// SPDX-License-Identifier: MIT
// host_pin.h - memory of the host that downloads of meshes go to. Into pinned memory they are
// several times as fast, and the first one is too, pinning included. Where that cannot be had, all
// goes on without.
#pragma once

#include "gpu/surface_gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rl_host_pin {
    void *memory; // that is pinned, or NULL
    int asked;
} rl_host_pin;

// Pins memory, the first time that it is called.
void rl_host_pin_once(rl_host_pin *pin, void *memory, size_t bytes);
// The same for vertices and indices at once, because they may share a page; only where they lie
// close to each other.
void rl_host_pin_mesh(rl_host_pin *pin, const rl_gpu_surface_host *host, size_t vertices,
                      size_t triangles);
void rl_host_pin_release(rl_host_pin *pin);

#ifdef __cplusplus
}
#endif
