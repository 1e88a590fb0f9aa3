// SPDX-License-Identifier: MIT
// pipes_persistent.cu - persistent kernels for grids that stay in a device's processors:
// configurations for wetted pipes without critical flow, and launches.
#include "gpu/cuda/pipes/pipes_persistent.cuh"

rl_persistent_config rl_persistent_config_for(int nx, int ny, const rl_kernel_config_rules &rules)
{
    // As for pairs of steps, there are kernels for the usual rules only.
    if (rules.paper != 0 && rules.smooth == 0)
        return rl_persistent_config_of_paper(nx, ny, rules);
    if (rules.paper == 0 && rules.smooth != 0 && rules.critical != 0)
        return rl_persistent_config_of_critical(nx, ny, rules);
    if (rules.paper == 0 && rules.smooth != 0)
        return rl_persistent_config_of_kind<0, 1>(nx, ny, rules);
    return {};
}

cudaError_t rl_launch_persistent(const rl_persistent_config &persistent, rl_tile_args &args,
                                 cudaStream_t stream)
{
    args.tiles = persistent.tiles;
    args.stacked = persistent.stacked;
    args.columns = persistent.columns;
    args.rows = persistent.rows;
    args.words_of_rows = persistent.words_of_rows;
    args.half = persistent.words;
    return rl_launch_together(persistent.kernel, persistent.tiles * persistent.stacked,
                              RL_TILE_THREADS, persistent.bytes, stream, args);
}
