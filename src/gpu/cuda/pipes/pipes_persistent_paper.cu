// SPDX-License-Identifier: MIT
// pipes_persistent_paper.cu - the same kernels for the papers' pipes, in a file of their own, so
// that they are compiled at the same time.
#include "gpu/cuda/pipes/pipes_persistent.cuh"

rl_persistent_config rl_persistent_config_of_paper(int nx, int ny,
                                                   const rl_kernel_config_rules &rules)
{
    return rl_persistent_config_of_kind<RL_PIPE_PAPER, 0>(nx, ny, rules);
}
