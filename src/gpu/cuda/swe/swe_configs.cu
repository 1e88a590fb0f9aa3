// SPDX-License-Identifier: MIT
// swe_configs.cu - all kernels that march over the grid of the swe solver, in one file: they take
// long to compile.
#include "gpu/cuda/swe/swe_types.cuh"

#include "gpu/cuda/swe/swe_kernels.cuh"

template <int CONSERVATIVE, int SLOWED, int EXTRAS> static rl_swe_kernel_config config()
{
    return {rl_swe_march_rows<CONSERVATIVE, SLOWED, EXTRAS>,
            rl_swe_march<CONSERVATIVE, SLOWED, EXTRAS, 0>::width, RL_SWE_WARPS};
}

template <int CONSERVATIVE, int SLOWED> static rl_swe_kernel_config with(int extras)
{
    return extras ? config<CONSERVATIVE, SLOWED, 1>() : config<CONSERVATIVE, SLOWED, 0>();
}

template <int CONSERVATIVE> static rl_swe_kernel_config slowed_by(int slowed, int extras)
{
    switch (slowed) {
    case RL_SWE_FREE:
        return with<CONSERVATIVE, RL_SWE_FREE>(extras);
    case RL_SWE_VISCOUS:
        return with<CONSERVATIVE, RL_SWE_VISCOUS>(extras);
    default:
        return with<CONSERVATIVE, RL_SWE_ROUGH>(extras);
    }
}

rl_swe_kernel_config rl_swe_kernel_config_for(int conservative, int slowed, int extras)
{
    return conservative ? slowed_by<1>(slowed, extras) : slowed_by<0>(slowed, extras);
}
