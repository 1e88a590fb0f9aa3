// SPDX-License-Identifier: MIT
// swe_configs.h - kernel configurations of the swe solver.
#pragma once

#include "gpu/cuda/swe/swe_types.cuh"

typedef void (*rl_swe_march_kernel)(const rl_swe_march_args);

struct rl_swe_kernel_config {
    rl_swe_march_kernel kernel;
    int width; // columns that a warp fills
    int warps; // of a block
};

// Returns the configuration for the advection, what slows the water (rl_swe_slowed_by), and whether
// there are absorbing layers, marks or falls.
rl_swe_kernel_config rl_swe_kernel_config_for(int conservative, int slowed, int extras);
