// SPDX-License-Identifier: MIT
// particles_births.cuh - births on a device: of breaking waves, of falls, and the places of all new
// particles. Births lie in a list of their own first, in the order of the host's.
#pragma once

#include "gpu/cuda/particles/particles_types.cuh"

// Runs on one thread.
static __global__ void rl_begin_births(const rl_pool_memory p)
{
    const rl_pool_order &o = *p.order;
    rl_pool_tally t = {};
    t.before = t.after = o.before;
    t.rest = o.before.rest;
    t.born = t.emitted = o.born;
    t.extras = o.extra_count;
    *p.tally = t;
}

// ---- Breaking waves --------------------------------------------------------------------

// Returns how many particles break off at a cell.
RL_DEVICE int rl_births_at(const rl_birth_scene &s, const rl_breaking_limits &limits, int cell)
{
    const int i = cell % s.nx, j = cell / s.nx;
    const size_t at = (size_t)j * (size_t)s.ground.pitch + (size_t)i;
    const float depth = s.ground.depth[at];
    if (!(limits.rise < depth - s.before[at]) || !(limits.wet_depth < depth))
        return 0;
    rl_breaking_levels l;
    l.here = s.ground.base[at] + depth;
    l.east = rl_crest_seen(&s, i + 1, j, l.here);
    l.west = rl_crest_seen(&s, i - 1, j, l.here);
    l.north = rl_crest_seen(&s, i, j + 1, l.here);
    l.south = rl_crest_seen(&s, i, j - 1, l.here);
    if (!rl_breaking_is(&l, &limits))
        return 0;
    const rl_crest k = rl_crest_at(&s, i, j);
    return k.count[0] + k.count[1];
}

// A block of RL_POOL_BLOCK threads tests RL_POOL_SEARCH cells.
static __global__ void rl_search_waves(const rl_pool_memory p)
{
    const rl_birth_scene s = p.order->births;
    const rl_breaking_limits limits = p.order->limits;
    __shared__ int crests;
    const int cells = s.nx * s.ny;
    if (threadIdx.x == 0)
        crests = 0;
    __syncthreads();
    long long births = 0;
    int here = 0;
    for (int n = 0; n < RL_POOL_SEARCH; n += RL_POOL_BLOCK) {
        const int cell = (int)blockIdx.x * RL_POOL_SEARCH + n + (int)threadIdx.x;
        const int count = cell < cells ? rl_births_at(s, limits, cell) : 0;
        births += count;
        here += count > 0;
    }
    if (here > 0)
        atomicAdd(&crests, here);
    rl_pool_found found;
    rl_sum_before(births, RL_POOL_BLOCK / 32, &found.births);
    found.crests = crests;
    if (threadIdx.x == 0)
        p.found[blockIdx.x] = found;
}

// Runs on one block. Sums up what was found before each block, and limits the births to the
// capacity of the pool.
static __global__ void rl_count_waves(const rl_pool_memory p, int blocks)
{
    long long births = 0, births_here;
    int crests = 0, crests_here;
    for (int first = 0; first < blocks; first += RL_POOL_WIDE) {
        const int n = first + (int)threadIdx.x;
        rl_pool_found found = {0, 0};
        if (n < blocks)
            found = p.found[n];
        found.births = births + rl_sum_before(found.births, RL_POOL_WIDE / 32, &births_here);
        found.crests = crests + rl_sum_before(found.crests, RL_POOL_WIDE / 32, &crests_here);
        if (n < blocks)
            p.found[n] = found;
        births += births_here;
        crests += crests_here;
    }
    if (threadIdx.x == 0) {
        const int capacity = p.most - p.tally->before.count - p.tally->emitted;
        p.tally->waves = births < capacity ? (int)births : capacity;
        p.tally->born += p.tally->waves;
        p.found[blocks].births = births;
        p.found[blocks].crests = crests;
    }
}

// Like the search; lists the crests whose births fit into the pool.
static __global__ void rl_list_crests(const rl_pool_memory p)
{
    const rl_birth_scene s = p.order->births;
    const rl_breaking_limits limits = p.order->limits;
    const int cells = s.nx * s.ny;
    rl_pool_found before = p.found[blockIdx.x];
    const int capacity = p.tally->waves;
    if (p.found[blockIdx.x + 1].births == before.births || before.births >= capacity)
        return;
    for (int n = 0; n < RL_POOL_SEARCH; n += RL_POOL_BLOCK) {
        const int cell = (int)blockIdx.x * RL_POOL_SEARCH + n + (int)threadIdx.x;
        const long long count = cell < cells ? rl_births_at(s, limits, cell) : 0;
        long long births;
        int crests;
        const long long first = before.births + rl_sum_before(count, RL_POOL_BLOCK / 32, &births);
        const int rank =
            before.crests + rl_sum_before(count > 0 ? 1 : 0, RL_POOL_BLOCK / 32, &crests);
        if (count > 0 && first < capacity) {
            p.crest_cells[rank] = cell;
            p.crest_births[rank] = first;
            atomicMax(&p.tally->crests, rank + 1);
        }
        before.births += births;
        before.crests += crests;
    }
}

// Draws the births of a crest, and sums up the water that they take from its cell.
static __global__ void rl_draw_crests(const rl_pool_memory p)
{
    const rl_birth_scene s = p.order->births;
    const int crests = p.tally->crests, waves = p.tally->waves, emitted = p.tally->emitted;
    for (int n = rl_first_number(); n < crests; n += rl_next_number()) {
        const int cell = p.crest_cells[n], first = (int)p.crest_births[n];
        const rl_crest k = rl_crest_at(&s, cell % s.nx, cell / s.nx);
        const int all = k.count[0] + k.count[1];
        const int count = all < waves - first ? all : waves - first;
        double wanted = 0.0, x = 0.0, y = 0.0;
        for (int b = 0; b < count; b++) {
            const rl_birth birth = rl_crest_birth(&s, &k, b);
            p.births[emitted + first + b] = birth;
            wanted += (double)birth.volume;
            x += (double)birth.volume * (double)birth.velocity[0];
            y += (double)birth.volume * (double)birth.velocity[1];
        }
        rl_put_deposit(p.deposits, n, cell, -wanted, -x, -y, s.area);
        p.deposits.wanted[n] = wanted;
    }
}

// Scales the births of a crest to the water that there really was. A device-resident solver gives
// some wherever it has any, so no birth is left without.
static __global__ void rl_scale_crests(const rl_pool_memory p)
{
    const double cell_size = (double)p.order->births.cell_size;
    const int crests = p.tally->crests, waves = p.tally->waves, emitted = p.tally->emitted;
    for (int n = rl_first_number(); n < crests; n += rl_next_number()) {
        const int first = (int)p.crest_births[n];
        const int end = n + 1 < crests ? (int)p.crest_births[n + 1] : waves;
        const double taken = -(p.deposits.given[n] * cell_size * cell_size);
        const double part = taken > 0.0 ? taken / p.deposits.wanted[n] : 0.0;
        double held = 0.0;
        for (int b = first; b < end; b++) {
            float *volume = &p.births[emitted + b].volume;
            *volume = (float)((double)*volume * part);
            held += (double)*volume;
        }
        p.deposits.wanted[n] = taken - held;
    }
}

// Sums up the taken water that no particle holds.
static __global__ void rl_sum_crests(const rl_pool_memory p)
{
    const double *rest = p.deposits.wanted;
    rl_sum_by_parts(p.tally->crests, p.parts, [=](int n) { return rest[n]; });
}

// Runs on one warp.
static __global__ void rl_add_crests(const rl_pool_memory p)
{
    const double sum = rl_sum_parts(p.tally->crests, p.parts);
    if (threadIdx.x == 0)
        p.tally->rest = p.tally->before.rest + sum;
}

// ---- Falls -----------------------------------------------------------------------------

// Returns how many particles a fall would make in this step.
RL_DEVICE long long rl_count_fall(const rl_birth_scene &s, int number, double volume)
{
    const double portion = (double)s.volume_of[RILL_PARTICLE_SPLASH];
    long long count = 0;
    for (int n = 0; n < RL_FALL_PORTIONS && volume >= portion; n++) {
        const int drops = rl_fall_drops(&s, number, n);
        count += drops;
        volume -= drops * (double)rl_fall_volume(&s, drops);
    }
    return count;
}

// Makes those of them that fit into the pool, and counts them; returns whether some did not fit.
RL_DEVICE int rl_draw_fall(const rl_birth_scene &s, rl_fall *fall, const rl_fall_edge &e,
                           int number, rl_birth *births, int capacity, int *born)
{
    const double portion = (double)s.volume_of[RILL_PARTICLE_SPLASH];
    *born = 0;
    for (int n = 0; n < RL_FALL_PORTIONS && fall->volume >= portion; n++) {
        const int drops = rl_fall_drops(&s, number, n);
        if (*born + drops > capacity)
            return 1;
        for (int k = 0; k < drops; k++, (*born)++)
            births[*born] = rl_fall_birth(&s, &e, number, *born, drops);
        fall->volume -= drops * (double)rl_fall_volume(&s, drops);
    }
    return 0;
}

// Gives whole portions straight to the lower cell.
RL_DEVICE void rl_let_down(const rl_birth_scene &s, rl_fall *fall, const rl_fall_edge &e,
                           rl_pool_extra *extra)
{
    const double volume = rl_fall_whole(&s, fall->volume);
    double velocity[2];
    velocity[e.along] = (double)e.sign * (double)e.speed;
    velocity[e.across] = (double)e.beside;
    extra->column = fall->lower_j * s.nx + fall->lower_i;
    extra->volume = volume;
    extra->momentum_x = volume * velocity[0];
    extra->momentum_y = volume * velocity[1];
    fall->volume -= volume;
}

// Returns the fall whose turn is the n-th.
RL_DEVICE int rl_fall_of_turn(const rl_birth_scene &s, int n, int count)
{
    const int number = rl_fall_first(s.draws.step, count) + n;
    return number < count ? number : number - count;
}

static __global__ void rl_count_falls(const rl_pool_memory p)
{
    const rl_birth_scene s = p.order->births;
    const int count = p.order->fall_count;
    for (int n = rl_first_number(); n < count; n += rl_next_number()) {
        const int number = rl_fall_of_turn(s, n, count);
        p.turns[n].births = rl_count_fall(s, number, p.order->falls[number].volume);
    }
}

// Runs on one block. From the first fall that does not fit on, no more water becomes particles.
static __global__ void rl_order_falls(const rl_pool_memory p)
{
    const int count = p.order->fall_count;
    const int capacity = p.most - p.tally->before.count - p.tally->born;
    int extras = p.tally->extras, more;
    long long born = 0, births;
    for (int first = 0; first < count; first += RL_POOL_WIDE) {
        const int n = first + (int)threadIdx.x;
        const long long wanted = n < count ? p.turns[n].births : 0;
        const long long at = born + rl_sum_before(wanted, RL_POOL_WIDE / 32, &births);
        const int over = wanted > 0 && at + wanted > capacity;
        const int extra = extras + rl_sum_before(over, RL_POOL_WIDE / 32, &more);
        if (n < count) {
            p.turns[n].first = at < capacity ? (int)at : capacity;
            p.turns[n].extra = over ? extra : -1;
        }
        born += births;
        extras += more;
    }
    if (threadIdx.x == 0) {
        p.tally->extras = extras < RL_POOL_EXTRAS ? extras : RL_POOL_EXTRAS;
        p.tally->fallen = born < capacity ? (int)born : capacity;
    }
}

static __global__ void rl_draw_falls(const rl_pool_memory p)
{
    const rl_birth_scene s = p.order->births;
    const int count = p.order->fall_count, born = p.tally->born;
    for (int n = rl_first_number(); n < count; n += rl_next_number()) {
        const rl_pool_turn turn = p.turns[n];
        if (turn.births == 0)
            continue;
        const int number = rl_fall_of_turn(s, n, count);
        const int capacity = p.most - p.tally->before.count - born - turn.first;
        rl_fall *const fall = p.order->falls + number;
        const rl_fall_edge e = rl_fall_edge_of(&s, fall);
        int drawn;
        const int over =
            rl_draw_fall(s, fall, e, number, p.births + born + turn.first, capacity, &drawn);
        if (over)
            atomicMin(&p.tally->fallen, turn.first + drawn);
        if (over && turn.extra < RL_POOL_EXTRAS)
            rl_let_down(s, fall, e, &p.extras[turn.extra]);
    }
}

// ---- Places ----------------------------------------------------------------------------

// New particles follow the flying ones; the foam that lay there goes to the end, as if one came
// after another.
static __global__ void rl_place_births(const rl_pool_memory p)
{
    const int flying = p.tally->before.flying, foam = p.tally->before.count - flying;
    const int born = rl_born(p.tally);
    for (int n = rl_first_number(); n < born; n += rl_next_number()) {
        const int place = flying + n;
        if (n < foam)
            rl_copy_place(p, place, flying + born + (n + foam - born % foam) % foam);
        const rl_birth b = p.births[n];
        for (int axis = 0; axis < 3; axis++) {
            p.arrays[RL_POOL_X + axis][place] = b.position[axis];
            p.arrays[RL_POOL_VELOCITY_X + axis][place] = b.velocity[axis];
        }
        p.arrays[RL_POOL_RADIUS][place] = p.order->radius_of[b.kind];
        p.arrays[RL_POOL_AGE][place] = b.age;
        p.arrays[RL_POOL_LIFE][place] = 0.0f;
        p.arrays[RL_POOL_VOLUME][place] = b.volume;
        p.kind[place] = (unsigned char)b.kind;
    }
}
