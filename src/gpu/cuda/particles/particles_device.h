// SPDX-License-Identifier: MIT
// particles_device.h - particles on a CUDA device, as a table of functions.
#pragma once

#include "particles/particles_gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const rl_particles_device rl_gpu_particles_table;

#ifdef __cplusplus
}
#endif
