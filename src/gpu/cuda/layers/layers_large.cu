// SPDX-License-Identifier: MIT
// layers_large.cu - the large form of the kernel that takes all steps of a frame: the data of the
// passages lie in device memory, without a limit.
#define RL_CELL_PLAIN_EXTREMES // no sign of a zero that they make reaches the state
#define RL_LAYERS_LARGE        1
#include "gpu/cuda/layers/layers_steps.cuh"

const rl_frame_form rl_large_form = rl_this_form;
