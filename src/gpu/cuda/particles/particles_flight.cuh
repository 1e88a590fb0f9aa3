// SPDX-License-Identifier: MIT
// particles_flight.cuh - flight and advection of foam on a device, and the removal of foam. Kernels
// come in two kinds, over a heightfield and over columns above each other (Layered).
#pragma once

#include "gpu/cuda/particles/particles_types.cuh"

// ---- Foam ------------------------------------------------------------------------------

// Advects the foam at a place; returns whether it survives the step.
RL_DEVICE int rl_advect_foam_one(const rl_pool_memory &p, const rl_flight_ground &ground, int at,
                                 float dt)
{
    rl_flight_foam f;
    f.x = p.arrays[RL_POOL_X][at];
    f.y = p.arrays[RL_POOL_Y][at];
    f.z = 0.0f;
    f.velocity_x = p.arrays[RL_POOL_VELOCITY_X][at];
    f.velocity_y = p.arrays[RL_POOL_VELOCITY_Y][at];
    f.age = p.arrays[RL_POOL_AGE][at];
    const int stays = rl_flight_advect(&ground, &f, p.arrays[RL_POOL_LIFE][at], dt);
    p.arrays[RL_POOL_X][at] = f.x;
    p.arrays[RL_POOL_Y][at] = f.y;
    p.arrays[RL_POOL_Z][at] = f.z;
    p.arrays[RL_POOL_VELOCITY_X][at] = f.velocity_x;
    p.arrays[RL_POOL_VELOCITY_Y][at] = f.velocity_y;
    p.arrays[RL_POOL_AGE][at] = f.age;
    return stays;
}

// Foam n lies at the n-th place after the flying particles; bits are set of foam that is gone.
template <bool Layered> static __global__ void rl_advect_foam(const rl_pool_memory p)
{
    const rl_flight_ground ground = p.order->landing.ground;
    const rl_layered_columns columns = p.order->landing.layered;
    const float dt = p.order->landing.dt;
    const int first = p.tally->before.flying + rl_born(p.tally);
    const int foam = p.tally->before.count - p.tally->before.flying;
    for (int n = rl_first_number(); n < rl_whole_warps(foam); n += rl_next_number()) {
        int gone = 0;
        if (n < foam)
            gone = !(Layered ? rl_layered_advects(&columns, p.arrays, first + n)
                             : rl_advect_foam_one(p, ground, first + n, dt));
        rl_set_bit(p.bits, n, gone);
    }
}

// Runs on one block.
static __global__ void rl_list_gone(const rl_pool_memory p)
{
    const int foam = p.tally->before.count - p.tally->before.flying;
    const int gone = rl_list_bits(p.bits, foam, p.list);
    if (threadIdx.x == 0)
        p.tally->gone = gone;
}

// The last foam that stays fills the holes: the first hole gets the last of it. `list` is that of
// the holes, of which `count` are below `end`. Returns the hole that the foam at `place` fills, or
// -1 when it is gone itself. `number` is that of the hole, or of the place itself, in the list.
RL_DEVICE int rl_hole_for(const int *list, int count, int end, int place, int *number)
{
    const int before = rl_first_not_below(count, place, [=](int n) { return list[n]; });
    *number = before;
    if (before < count && list[before] == place)
        return -1;
    *number = (end - 1 - place) - (count - before);
    return list[*number];
}

static __global__ void rl_remove_foam(const rl_pool_memory p)
{
    const int first = p.tally->before.flying + rl_born(p.tally);
    const int foam = p.tally->before.count - p.tally->before.flying, gone = p.tally->gone;
    for (int n = rl_first_number(); n < gone; n += rl_next_number()) {
        int number;
        const int place = foam - gone + n;
        const int hole = rl_hole_for(p.list, gone, foam, place, &number);
        if (hole >= 0)
            rl_copy_place(p, first + place, first + hole);
        rl_clear_place(p, first + place);
    }
}

// ---- Flight ----------------------------------------------------------------------------

RL_DEVICE float rl_fly_axis(const rl_pool_memory &p, int axis, int at, const float air[4])
{
    float *position = &p.arrays[RL_POOL_X + axis][at];
    float *velocity = &p.arrays[RL_POOL_VELOCITY_X + axis][at];
    const float v = *velocity, now = rl_flight_position(*position, v, air);
    *position = now;
    *velocity = rl_flight_velocity(v, air);
    return now;
}

// Moves the particle at a place; returns whether it is in the air after the step.
template <bool Layered>
RL_DEVICE int rl_fly_one(const rl_pool_memory &p, const rl_landing_scene &scene,
                         const rl_flight_air &a, int at)
{
    const float in_x[4] = {a.decay, a.reach, a.gain_x, a.push_x};
    const float in_y[4] = {a.decay, a.reach, a.gain_y, a.push_y};
    const float in_z[4] = {a.decay, a.reach, a.gain_z, a.push_z};
    const float x = rl_fly_axis(p, 0, at, in_x), y = rl_fly_axis(p, 1, at, in_y);
    const float z = rl_fly_axis(p, 2, at, in_z);
    p.arrays[RL_POOL_AGE][at] += scene.dt;
    if (Layered) {
        const rl_flyer f = rl_flyer_at(p.arrays, at);
        return !rl_layered_has_landed(&scene.layered, &f);
    }
    return rl_flight_inside(&scene.ground, x, y) && rl_flight_above(&scene.ground, x, y, z);
}

// Moves the particles that flew before the step; bits are set of those that have landed or left the
// grid.
template <bool Layered> static __global__ void rl_fly(const rl_pool_memory p)
{
    __shared__ rl_flight_air air[2];
    const rl_landing_scene scene = p.order->landing;
    const int flying = p.tally->before.flying;
    if (threadIdx.x < 2)
        air[threadIdx.x] = p.order->air[threadIdx.x];
    __syncthreads();
    for (int at = rl_first_number(); at < rl_whole_warps(flying); at += rl_next_number()) {
        int landed = 0;
        if (at < flying)
            landed =
                !rl_fly_one<Layered>(p, scene, air[p.kind[at] == RILL_PARTICLE_SPRAY ? 0 : 1], at);
        rl_set_bit(p.bits, at, landed);
    }
}

// Runs on one block.
static __global__ void rl_list_landed(const rl_pool_memory p)
{
    const int landed = rl_list_bits(p.bits, p.tally->before.flying, p.landed);
    if (threadIdx.x == 0)
        p.tally->landed = p.tally->leaving = landed;
}
