// SPDX-License-Identifier: MIT
// swe_eddy.cuh - eddy viscosity on a device: a kernel before each step that writes what the
// stresses of eddies leave of the velocities of before (solvers/swe/swe_eddy.c); the step reads
// those. Its stages are the host's, over a tile of the grid in shared memory with a frame of a
// cell.
#pragma once

#include "gpu/cuda/swe/swe_types.cuh"
#include "solvers/swe/swe_eddy_cell.h"

#define RL_SWE_TILE_WIDTH  32
#define RL_SWE_TILE_HEIGHT 8
#define RL_SWE_FRAMED      ((RL_SWE_TILE_WIDTH + 2) * (RL_SWE_TILE_HEIGHT + 2))

struct rl_swe_strain_args {
    const float *bed, *depth, *u, *v;
    float *u_out, *v_out;
    int marked, mark_words; // closed faces
    const uint32_t *marks[2];
    const rl_swe_control *now; // of the step that follows
    const rl_swe_setup *setup;
    int nx, ny, pitch;
};

// Cells of a tile with its frame, and the corners north-east of them.
struct rl_swe_strain_tile {
    float x[RL_SWE_FRAMED], y[RL_SWE_FRAMED], square[RL_SWE_FRAMED], shear[RL_SWE_FRAMED];
    float normal_x[RL_SWE_FRAMED], normal_y[RL_SWE_FRAMED], shear_stress[RL_SWE_FRAMED];
};

__device__ __forceinline__ bool rl_swe_strain_marked(const rl_swe_strain_args &a, int axis, int x,
                                                     int y)
{
    return a.marked && x < a.nx && y < a.ny &&
           (a.marks[axis][(size_t)y * a.mark_words + x / 32] >> (x % 32) & 1u);
}

// A velocity of before, which may exceed the clamp of this step (rl_swe_plan).
__device__ __forceinline__ float rl_swe_unstrained(const float *along, int at, float fastest)
{
    return fmaxf(fminf(along[at], fastest), -fastest);
}

__device__ __forceinline__ rl_swe_end rl_swe_strain_end(const rl_swe_strain_args &a, int at)
{
    return rl_swe_end_of(a.bed[at], a.depth[at]);
}

__device__ __forceinline__ rl_swe_corner rl_swe_corner_at(const rl_swe_strain_args &a, int at,
                                                          float fastest)
{
    rl_swe_corner c;
    c.south_west = rl_swe_strain_end(a, at);
    c.south_east = rl_swe_strain_end(a, at + 1);
    c.north_west = rl_swe_strain_end(a, at + a.pitch);
    c.north_east = rl_swe_strain_end(a, at + a.pitch + 1);
    c.u_south = rl_swe_unstrained(a.u, at, fastest);
    c.u_north = rl_swe_unstrained(a.u, at + a.pitch, fastest);
    c.v_west = rl_swe_unstrained(a.v, at, fastest);
    c.v_east = rl_swe_unstrained(a.v, at + 1, fastest);
    return c;
}

// Computes stretches and shear of the n-th cell of the tile, at (x, y). Beyond the grid are none,
// and corners at its borders have no shear.
__device__ __forceinline__ void rl_swe_strain_cell(const rl_swe_strain_args &a,
                                                   const rl_swe_plan &plan,
                                                   rl_swe_strain_tile &tile, int n, int x, int y)
{
    tile.x[n] = tile.y[n] = tile.square[n] = tile.shear[n] = 0.0f;
    if (x < 0 || x >= a.nx || y < 0 || y >= a.ny)
        return;
    const int at = y * a.pitch + x;
    const float fastest = plan.fastest;
    const rl_swe_corner c = rl_swe_corner_at(a, at, fastest);
    tile.x[n] = rl_swe_stretch(rl_swe_unstrained(a.u, at - 1, fastest), c.u_south,
                               rl_swe_strain_end(a, at - 1), c.south_west, c.south_east, plan.k);
    tile.y[n] =
        rl_swe_stretch(rl_swe_unstrained(a.v, at - a.pitch, fastest), c.v_west,
                       rl_swe_strain_end(a, at - a.pitch), c.south_west, c.north_west, plan.k);
    tile.square[n] = rl_swe_stretch_square(tile.x[n], tile.y[n]);
    const bool slips = rl_swe_strain_marked(a, 0, x, y) || rl_swe_strain_marked(a, 0, x, y + 1) ||
                       rl_swe_strain_marked(a, 1, x, y) || rl_swe_strain_marked(a, 1, x + 1, y);
    if (!slips && x < a.nx - 1 && y < a.ny - 1)
        tile.shear[n] = rl_swe_shear(c, plan.k);
}

// Computes the stresses of the n-th cell of the tile and of its corner.
__device__ __forceinline__ void rl_swe_stress_cell(const rl_swe_strain_args &a,
                                                   const rl_swe_coef &k, rl_swe_strain_tile &tile,
                                                   int n, int x, int y)
{
    const int south = n - (RL_SWE_TILE_WIDTH + 2), north = n + (RL_SWE_TILE_WIDTH + 2);
    tile.normal_x[n] = tile.normal_y[n] = tile.shear_stress[n] = 0.0f;
    if (x < 0 || x >= a.nx || y < 0 || y >= a.ny)
        return;
    const int at = y * a.pitch + x, column = n % (RL_SWE_TILE_WIDTH + 2);
    const int row = n / (RL_SWE_TILE_WIDTH + 2);
    if (column > 0 && row > 0) {
        const float viscosity =
            rl_swe_cell_viscosity(tile.square[n], tile.shear[south - 1], tile.shear[south],
                                  tile.shear[n - 1], tile.shear[n], k);
        tile.normal_x[n] = rl_swe_normal_stress(a.depth[at], viscosity, tile.x[n]);
        tile.normal_y[n] = rl_swe_normal_stress(a.depth[at], viscosity, tile.y[n]);
    }
    if (column <= RL_SWE_TILE_WIDTH && row <= RL_SWE_TILE_HEIGHT && tile.shear[n] != 0.0f) {
        const float viscosity =
            rl_swe_corner_viscosity(tile.shear[n], tile.square[n], tile.square[n + 1],
                                    tile.square[north], tile.square[north + 1], k);
        const float depth = rl_swe_least_of(a.depth[at], a.depth[at + 1], a.depth[at + a.pitch],
                                            a.depth[at + a.pitch + 1]);
        tile.shear_stress[n] = (depth * viscosity) * tile.shear[n];
    }
}

// Writes the velocities of the faces of cell (x, y); those at borders and closed ones stay.
__device__ __forceinline__ void rl_swe_strain_faces(const rl_swe_strain_args &a,
                                                    const rl_swe_plan &plan,
                                                    const rl_swe_strain_tile &tile, int n, int x,
                                                    int y)
{
    const int at = y * a.pitch + x;
    const int south = n - (RL_SWE_TILE_WIDTH + 2), north = n + (RL_SWE_TILE_WIDTH + 2);
    const float fastest = plan.fastest, depth = a.depth[at];
    float u = rl_swe_unstrained(a.u, at, fastest), v = rl_swe_unstrained(a.v, at, fastest);
    if (x < a.nx - 1)
        u = rl_swe_strained(u, tile.normal_x[n + 1] - tile.normal_x[n],
                            tile.shear_stress[n] - tile.shear_stress[south], depth, a.depth[at + 1],
                            plan.k);
    if (y < a.ny - 1)
        v = rl_swe_strained(v, tile.normal_y[north] - tile.normal_y[n],
                            tile.shear_stress[n] - tile.shear_stress[n - 1], depth,
                            a.depth[at + a.pitch], plan.k);
    u = rl_swe_strain_marked(a, 0, x, y) ? 0.0f : u;
    v = rl_swe_strain_marked(a, 1, x, y) ? 0.0f : v;
    a.u_out[at] = u;
    a.v_out[at] = v;
    if (x == 0) {
        a.u_out[at - 1] = rl_swe_unstrained(a.u, at - 1, fastest);
        a.v_out[at - 1] = v;
    }
    if (x == a.nx - 1)
        a.v_out[at + 1] = v;
}

// Copies the faces of the southern border beside column x, and beside the row at its ends.
__device__ __forceinline__ void rl_swe_strain_south(const rl_swe_strain_args &a, float fastest,
                                                    int x)
{
    for (int column = x == 0 ? -1 : x; column <= (x == a.nx - 1 ? a.nx : x); column++) {
        const int at = column - a.pitch;
        a.v_out[at] = rl_swe_unstrained(a.v, at, fastest);
    }
}

// A block has a tile, a thread a cell of it.
static __global__ void rl_swe_strain_tiles(const rl_swe_strain_args a)
{
    __shared__ rl_swe_plan plan;
    __shared__ rl_swe_strain_tile tile;
    const int thread = (int)threadIdx.x;
    const int x0 = (int)blockIdx.x * RL_SWE_TILE_WIDTH, y0 = (int)blockIdx.y * RL_SWE_TILE_HEIGHT;
    if (thread == 0)
        plan = rl_swe_plan_step(*a.now, *a.setup);
    __syncthreads();
    if (!plan.moves)
        return;
    const int threads = RL_SWE_TILE_WIDTH * RL_SWE_TILE_HEIGHT;
    for (int n = thread; n < RL_SWE_FRAMED; n += threads)
        rl_swe_strain_cell(a, plan, tile, n, x0 + n % (RL_SWE_TILE_WIDTH + 2) - 1,
                           y0 + n / (RL_SWE_TILE_WIDTH + 2) - 1);
    __syncthreads();
    for (int n = thread; n < RL_SWE_FRAMED; n += threads)
        rl_swe_stress_cell(a, plan.k, tile, n, x0 + n % (RL_SWE_TILE_WIDTH + 2) - 1,
                           y0 + n / (RL_SWE_TILE_WIDTH + 2) - 1);
    __syncthreads();
    const int column = thread % RL_SWE_TILE_WIDTH, row = thread / RL_SWE_TILE_WIDTH;
    const int x = x0 + column, y = y0 + row;
    if (x >= a.nx || y >= a.ny)
        return;
    rl_swe_strain_faces(a, plan, tile, (row + 1) * (RL_SWE_TILE_WIDTH + 2) + column + 1, x, y);
    if (y == 0)
        rl_swe_strain_south(a, plan.fastest, x);
}
