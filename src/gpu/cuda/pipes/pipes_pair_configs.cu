// SPDX-License-Identifier: MIT
// pipes_pair_configs.cu - kernel configurations of two steps in one pass; measured on an H200
// (docs/gpu.md). A march passes twice over ten rows more than it fills, so it needs many.
#include "gpu/cuda/pipes/pipes_configs.h"
#include "gpu/cuda/pipes/pipes_warp_pipeline.cuh"

// Cells from which on a pass is faster than two steps.
#define LEAST_CELLS (1500LL * 1500)

#define MOST_ROWS 200

template <int V, int KIND, int SLOWED, int SMOOTH, int STAGES, int BLOCKS>
static rl_kernel_config pipeline_config()
{
    return {rl_march_warp_pipeline<V, KIND, SLOWED, SMOOTH, STAGES, BLOCKS>,
            rl_strip<V>::width,
            2,
            1,
            0,
            MOST_ROWS,
            rl_pass_ring<V, STAGES>::bytes + rl_warp_pipeline<V>::bytes};
}

struct pairs_of_steps {
    template <int KIND, int SLOWED, int SMOOTH> static rl_kernel_config of(long long cells)
    {
        // Wetted pipes are smoothed and the papers' are not by default; other combinations use
        // single steps, which makes the build shorter.
        constexpr bool usual = SMOOTH == !(KIND & RL_PIPE_PAPER);
        if constexpr (usual)
            if (cells > LEAST_CELLS)
                return pipeline_config<4, KIND, SLOWED, SMOOTH, 4, 8>();
        return {};
    }
};

rl_kernel_config rl_pair_config_for(int nx, int ny, const rl_kernel_config_rules &rules)
{
    return rl_kernel_config_by_rules<pairs_of_steps>(nx, ny, rules);
}
