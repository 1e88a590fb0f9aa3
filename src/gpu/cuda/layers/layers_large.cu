// SPDX-License-Identifier: MIT
// layers_large.cu - the large form of the kernel that takes all steps of a frame: the data of the
// passages lie in device memory, without a limit.
#define RL_CELL_PLAIN_EXTREMES // no sign of a zero that they make reaches the state
#define RL_LAYERS_LARGE        1
#include "gpu/cuda/layers/layers_steps.cuh"

int rl_large_frame_blocks(void)
{
    return rl_frame_blocks(0);
}

cudaError_t rl_launch_large_frame(const rl_layers_args &a, const rl_layers_start &start,
                                  const rl_layers_launch_deposit &deposit, int blocks,
                                  cudaStream_t stream)
{
    return rl_launch_frame(a, start, deposit, blocks, 0, stream);
}
