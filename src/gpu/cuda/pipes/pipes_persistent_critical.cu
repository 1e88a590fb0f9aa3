// SPDX-License-Identifier: MIT
// pipes_persistent_critical.cu - the same kernels for wetted pipes with critical flow, in a file of
// their own, so that they are compiled at the same time.
#include "gpu/cuda/pipes/pipes_persistent.cuh"

rl_persistent_config rl_persistent_config_of_critical(int nx, int ny,
                                                      const rl_kernel_config_rules &rules)
{
    return rl_persistent_config_of_kind<RL_PIPE_CRITICAL, 1>(nx, ny, rules);
}
