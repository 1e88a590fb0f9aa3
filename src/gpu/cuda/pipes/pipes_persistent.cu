// SPDX-License-Identifier: MIT
// pipes_persistent.cu - persistent kernels for grids that stay in a device's processors:
// configurations for wetted pipes, and launches.
#include "gpu/cuda/pipes/pipes_persistent_sizes.cuh"

rl_persistent_config rl_persistent_config_for(int nx, int ny, const rl_kernel_config_rules &rules)
{
    // As for pairs of steps, there are kernels for the usual rules only.
    if (rules.paper != 0 && rules.smooth == 0)
        return rl_persistent_config_of_paper(nx, ny, rules);
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
    // Blocks wait for each other, so all of them must run at once or none.
    cudaLaunchAttribute together = {};
    together.id = cudaLaunchAttributeCooperative;
    together.val.cooperative = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3((unsigned)(persistent.tiles * persistent.stacked));
    config.blockDim = dim3(RL_TILE_THREADS);
    config.dynamicSmemBytes = persistent.bytes;
    config.stream = stream;
    config.attrs = &together;
    config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, persistent.kernel, (const rl_tile_args)args);
}
