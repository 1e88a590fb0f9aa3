// SPDX-License-Identifier: MIT
// layers_large.cuh - frames in the large form, which has no limits (layers_store.cuh).
#pragma once

#include "gpu/cuda/layers/layers_args.cuh"

// Returns the blocks that run at once, or an error, negative.
int rl_large_frame_blocks(void);

cudaError_t rl_launch_large_frame(const rl_layers_args &a, const rl_layers_start &start,
                                  const rl_layers_launch_deposit &deposit, int blocks,
                                  cudaStream_t stream);
