// SPDX-License-Identifier: MIT
// swe_configs.cu - the march of swe_march.cuh as kernels, all in one file: they take long to
// compile.
#include "gpu/cuda/swe/swe_march.cuh"

#include <cuda_pipeline.h>

#define RL_SWE_WARPS 4 // of a block

// Blocks that a multiprocessor holds at a time, which bounds the registers of a thread. More hide
// more of each other's latency; for MacCormack's advection values would have to wait in memory.
#define RL_SWE_BLOCKS(conservative, extras) (((conservative) ? 6 : 4) - ((extras) ? 1 : 0))

template <class MARCH>
__device__ __forceinline__ rl_swe_strip rl_swe_strip_of(const rl_swe_march_args &a, int warp,
                                                        int lane)
{
    rl_swe_strip s;
    const int strip = warp % a.strips, chunk = warp / a.strips;
    const int first = strip * MARCH::width - MARCH::halo_west;
    s.lane = lane;
    s.column = first + lane;
    const int last = a.pitch - RL_DEVICE_MARGIN - 1;
    s.from = s.column < last ? s.column : last;
    s.y0 = chunk * a.rows;
    s.y1 = s.y0 + a.rows < a.ny ? s.y0 + a.rows : a.ny;
    s.inside = s.column >= 0 && s.column < a.nx;
    s.writes = s.inside && lane >= MARCH::halo_west && lane < 32 - MARCH::halo_east;
    s.at_west = strip == 0;
    s.at_east = first + 31 >= a.nx - 1;
    return s;
}

__device__ __forceinline__ int rl_within(int y, int low, int high)
{
    return y < low ? low : y > high ? high : y;
}

// Rows come through a ring in shared memory, all but one of its stages ahead. A lane reads only
// what it has loaded itself, so no lane waits for another.
#define RL_SWE_STAGES 4

template <int LEAD, int EXTRAS> struct rl_swe_ring {
    static constexpr int fields = EXTRAS ? 7 : 5, stage = fields * 32;
    const rl_swe_march_args &a;
    const rl_swe_strip &s;
    float *mine; // of this lane, in the first stage

    __device__ __forceinline__ void copy(float *to, const float *field, int y) const
    {
        __pipeline_memcpy_async(to, field + rl_swe_place(a, y, s.from), sizeof(float));
    }

    // Beyond the grid are copies of its edge: walls let water slip, and past open borders nothing
    // changes. Cells have two rows of ghosts.
    template <int INNER> __device__ __forceinline__ void ask(int y)
    {
        float *to = mine + (y & (RL_SWE_STAGES - 1)) * stage;
        copy(to, a.f.u, INNER ? y + LEAD : rl_within(y + LEAD, 0, a.ny - 1));
        copy(to + 32, a.f.v, INNER ? y + LEAD : rl_within(y + LEAD, -1, a.ny - 1));
        copy(to + 64, a.f.depth, INNER ? y + 1 : rl_within(y + 1, -2, a.ny + 1));
        copy(to + 96, a.f.bed, INNER ? y : rl_within(y, -2, a.ny + 1));
        copy(to + 128, a.f.remainder, INNER ? y - 1 : rl_within(y - 1, -2, a.ny + 1));
        if (EXTRAS && a.x.layers)
            copy(to + 160, a.f.phi, INNER ? y - 1 : rl_within(y - 1, -2, a.ny + 1));
        if (EXTRAS && a.x.fall_count > 0 && s.inside && y >= 0 && y < a.ny)
            __pipeline_memcpy_async(to + 192, a.x.fall_map + y * a.nx + s.column, sizeof(int));
    }

    // Waits for row y, after which STAGES - 1 more have been requested.
    __device__ __forceinline__ rl_swe_arrival take(int y) const
    {
        const float *from = mine + (y & (RL_SWE_STAGES - 1)) * stage;
        __pipeline_wait_prior(RL_SWE_STAGES - 1);
        rl_swe_arrival in = {from[0], from[32], from[64], from[96], from[128], 0.0f, 0};
        if (EXTRAS && a.x.layers)
            in.phi = from[160];
        if (EXTRAS && a.x.fall_count > 0 && s.inside && y >= 0 && y < a.ny)
            in.falls = __float_as_int(from[192]);
        return in;
    }
};

// Computes the constants of the step for all threads of a block; returns false when the world's
// step is done.
__device__ __forceinline__ bool rl_swe_begin_step(const rl_swe_march_args &a, rl_swe_plan *plan)
{
    if (threadIdx.x == 0)
        *plan = rl_swe_plan_step(*a.now, *a.setup);
    __syncthreads();
    if (blockIdx.x == 0 && threadIdx.x == 0)
        rl_swe_pass_on(a.now, *plan);
    return plan->moves != 0;
}

// Gathers the largest numbers of a block in the control of the next step.
__device__ __forceinline__ void rl_swe_gather(rl_swe_control *next, int depth, int u, int v,
                                              int *shared)
{
    if (threadIdx.x < 3)
        shared[threadIdx.x] = 0;
    depth = rl_largest_of_warp(depth);
    u = rl_largest_of_warp(u);
    v = rl_largest_of_warp(v);
    __syncthreads();
    if ((threadIdx.x & 31) == 0) {
        atomicMax(&shared[0], depth);
        atomicMax(&shared[1], u);
        atomicMax(&shared[2], v);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicMax(&next->depth, shared[0]);
        atomicMax(&next->u, shared[1]);
        atomicMax(&next->v, shared[2]);
    }
}

// The values before the first row of a march.
struct rl_swe_first {
    float u[2], v[2], depth;
};

template <class MARCH>
__device__ __forceinline__ rl_swe_first rl_swe_load_first(const rl_swe_march_args &a,
                                                          const rl_swe_strip &s, int y)
{
    rl_swe_first first = {};
    first.depth = a.f.depth[rl_swe_place(a, rl_within(y, -2, a.ny + 1), s.from)];
    for (int n = 0; n < 2 && MARCH::lead > 0; n++) {
        first.u[n] = a.f.u[rl_swe_place(a, rl_within(y + n, 0, a.ny - 1), s.from)];
        first.v[n] = a.f.v[rl_swe_place(a, rl_within(y + n, -1, a.ny - 1), s.from)];
    }
    return first;
}

template <class MARCH, class RING, int INNER, int FULL>
__device__ __forceinline__ void rl_swe_march_row(MARCH &m, const rl_swe_strip &s, RING &ring, int y)
{
    if (y + RL_SWE_STAGES - 1 <= s.y1 + 1)
        ring.template ask<INNER>(y + RL_SWE_STAGES - 1);
    __pipeline_commit();
    m.template row<FULL>(y, ring.take(y));
}

template <class MARCH, class RING, int INNER>
__device__ __forceinline__ int3 rl_swe_march_over(const rl_swe_march_args &a, const rl_swe_strip &s,
                                                  const rl_swe_plan &plan,
                                                  const rl_swe_first &first, RING &ring, int y0)
{
    MARCH m(a, s, plan);
    m.begin(first.u, first.v, first.depth);
#pragma unroll 1
    for (int y = y0; y <= s.y0 + 1; y++)
        rl_swe_march_row<MARCH, RING, INNER, 0>(m, s, ring, y);
#pragma unroll 1
    for (int y = s.y0 + 2; y <= s.y1 + 1; y++)
        rl_swe_march_row<MARCH, RING, INNER, 1>(m, s, ring, y);
    return make_int3(m.most_depth, m.most_u, m.most_v);
}

template <int CONSERVATIVE, int SLOWED, int EXTRAS>
__global__ void __launch_bounds__(32 * RL_SWE_WARPS, RL_SWE_BLOCKS(CONSERVATIVE, EXTRAS))
    rl_swe_march_rows(const rl_swe_march_args a)
{
    typedef rl_swe_march<CONSERVATIVE, SLOWED, EXTRAS, 0> march;
    typedef rl_swe_march<CONSERVATIVE, SLOWED, EXTRAS, 1> inner_march;
    typedef rl_swe_ring<march::lead, EXTRAS> ring_of_rows;
    __shared__ rl_swe_plan plan;
    __shared__ int gathered[3];
    __shared__ float memory[RL_SWE_WARPS * RL_SWE_STAGES * ring_of_rows::stage];
    // The shuffle tells the compiler that all lanes have the same number, and so the same rows.
    const int in_block = __shfl_sync(RL_ALL_LANES, (int)threadIdx.x / 32, 0);
    const int lane = (int)threadIdx.x & 31;
    const rl_swe_strip s =
        rl_swe_strip_of<march>(a, (int)blockIdx.x * RL_SWE_WARPS + in_block, lane);
    ring_of_rows ring = {a, s, memory + in_block * RL_SWE_STAGES * ring_of_rows::stage + lane};
    const bool works = s.y0 < a.ny;
    const bool inner = !s.at_west && !s.at_east && s.y0 >= 6 && s.y1 + 6 <= a.ny;
    const int y0 = CONSERVATIVE ? s.y0 - 2 : s.y0 - 4;
    rl_let_next_step_begin();
    rl_wait_for_step_before();
    rl_swe_first first = {};
    if (works) {
        for (int n = 0; n < RL_SWE_STAGES - 1; n++) {
            ring.template ask<0>(y0 + n);
            __pipeline_commit();
        }
        first = rl_swe_load_first<march>(a, s, y0);
    }
    if (!rl_swe_begin_step(a, &plan)) {
        __pipeline_wait_prior(0);
        return;
    }
    int3 most = make_int3(0, 0, 0);
    if (works && inner)
        most = rl_swe_march_over<inner_march, ring_of_rows, 1>(a, s, plan, first, ring, y0);
    else if (works)
        most = rl_swe_march_over<march, ring_of_rows, 0>(a, s, plan, first, ring, y0);
    __pipeline_wait_prior(0);
    rl_swe_gather(&a.now[1], most.x, most.y, most.z, gathered);
}

// ---- Kernel configurations -------------------------------------------------------------

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
