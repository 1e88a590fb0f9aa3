// SPDX-License-Identifier: MIT
// particles_landing.cuh - landing on a device: landings are sorted by column, summed up, given to
// the solver, and leave foam.
#pragma once

#include "gpu/cuda/particles/particles_flight.cuh"

// ---- Sorting ---------------------------------------------------------------------------

// Returns the column of landing n over columns above each other, or turns the particle back.
RL_DEVICE unsigned rl_find_layered(const rl_pool_memory &p, const rl_landing_scene &s, int n,
                                   rl_flyer *f, int *wet)
{
    const int column = rl_layered_landing(&s.layered, f, wet);
    p.columns[n] = column;
    if (column >= 0)
        return (unsigned)column;
    p.stays[n] = 1;
    rl_put_flyer(p.arrays, p.landed[n], f);
    return RL_POOL_NOWHERE;
}

// Returns the record of landing or extra deposit n, and stores whether it may leave foam.
template <bool Layered>
RL_DEVICE unsigned long long rl_record_of(const rl_pool_memory &p, const rl_landing_scene &s, int n,
                                          int landed, double *outside)
{
    unsigned column = RL_POOL_NOWHERE;
    *outside = 0.0;
    if (n >= landed) {
        column = (unsigned)p.extras[n - landed].column;
    } else {
        const int at = p.landed[n];
        rl_flyer f = rl_flyer_at(p.arrays, at);
        int wet = 0;
        if (Layered)
            p.stays[n] = 0;
        if (!rl_landing_inside(f.x, f.y, s.cell_size, s.nx, s.ny)) {
            *outside = (double)p.arrays[RL_POOL_VOLUME][at];
        } else if (Layered) {
            column = rl_find_layered(p, s, n, &f, &wet);
        } else {
            column = (unsigned)rl_landing_cell(&s, f.x, f.y, f.z, f.u, f.v);
            wet = rl_landing_is_wet(&s, (int)column);
        }
        p.wet[n] = wet ? 1 : 0;
    }
    return (unsigned long long)column << 32 | (unsigned)n;
}

// Sorts the records of a block in rising order.
RL_DEVICE void rl_sort_block(unsigned long long *records)
{
    const int n = (int)threadIdx.x;
    for (int size = 2; size <= RL_POOL_WIDE; size <<= 1)
        for (int step = size >> 1; step > 0; step >>= 1) {
            __syncthreads();
            const int other = n ^ step;
            const unsigned long long a = records[n], b = records[other];
            const bool rises = (n & size) == 0;
            __syncthreads();
            if (other > n && (a > b) == rises) {
                records[n] = b;
                records[other] = a;
            }
        }
    __syncthreads();
}

// Blocks of RL_POOL_WIDE make the records, each sorting its own block of as many, and sum up the
// volume outside the grid.
template <bool Layered> static __global__ void rl_sort_records(const rl_pool_memory p)
{
    __shared__ unsigned long long records[RL_POOL_WIDE];
    __shared__ double outside[RL_POOL_WIDE];
    const rl_landing_scene s = p.order->landing;
    const int landed = p.tally->landed, total = landed + p.tally->extras;
    for (int first = (int)blockIdx.x * RL_POOL_WIDE; first < total;
         first += (int)gridDim.x * RL_POOL_WIDE) {
        const int n = first + (int)threadIdx.x;
        double left = 0.0;
        records[threadIdx.x] = n < total ? rl_record_of<Layered>(p, s, n, landed, &left) : ~0ull;
        outside[threadIdx.x] = left;
        const int some = __syncthreads_or(left != 0.0);
        if (threadIdx.x % RL_POOL_PART == 0 && n < landed) {
            double sum = 0.0;
            for (int k = 0; some && k < RL_POOL_PART; k++)
                sum += outside[(int)threadIdx.x + k];
            p.parts[n / RL_POOL_PART] = sum;
        }
        rl_sort_block(records);
        if (n < total)
            p.records[n] = records[threadIdx.x];
        __syncthreads();
    }
}

// Returns how many of all records are below `record`: of every sorted block, several side by side.
RL_DEVICE int rl_records_below(const unsigned long long *records, int total,
                               unsigned long long record)
{
    int place = 0;
    for (int first = 0; first < total; first += RL_POOL_ASIDE * RL_POOL_WIDE) {
        int below[RL_POOL_ASIDE] = {};
        for (int half = RL_POOL_WIDE / 2; half > 0; half >>= 1) {
#pragma unroll
            for (int k = 0; k < RL_POOL_ASIDE; k++) {
                const int at = first + k * RL_POOL_WIDE + below[k] + half - 1;
                below[k] += at < total && records[at] < record ? half : 0;
            }
        }
#pragma unroll
        for (int k = 0; k < RL_POOL_ASIDE; k++) {
            // The search ends at the last record of a block at the latest.
            const int at = first + k * RL_POOL_WIDE + below[k];
            place += below[k] + (at < total && records[at] < record ? 1 : 0);
        }
    }
    return place;
}

// No two records are equal, so each one's place follows from counting.
static __global__ void rl_merge_records(const rl_pool_memory p)
{
    const int total = p.tally->landed + p.tally->extras;
    for (int n = rl_first_number(); n < total; n += rl_next_number()) {
        const unsigned long long record = p.records[n];
        p.sorted[rl_records_below(p.records, total, record)] = record;
    }
}

// Sets the bits of the first records of columns.
static __global__ void rl_mark_cells(const rl_pool_memory p)
{
    const int total = p.tally->landed + p.tally->extras;
    for (int n = rl_first_number(); n < rl_whole_warps(total); n += rl_next_number()) {
        const unsigned cell = n < total ? (unsigned)(p.sorted[n] >> 32) : RL_POOL_NOWHERE;
        const int begins =
            cell != RL_POOL_NOWHERE && (n == 0 || (unsigned)(p.sorted[n - 1] >> 32) != cell);
        rl_set_bit(p.bits, n, begins);
    }
}

// Runs on one block. Lists them, and adds up the volume that flew over the border.
static __global__ void rl_list_cells(const rl_pool_memory p)
{
    const int landed = p.tally->landed;
    const int cells = rl_list_bits(p.bits, landed + p.tally->extras, p.list);
    if (threadIdx.x >= 32)
        return;
    const double outside = rl_sum_parts(landed, p.parts);
    if (threadIdx.x == 0) {
        p.tally->cells = cells;
        p.tally->outside = outside;
    }
}

// ---- Deposits --------------------------------------------------------------------------

struct rl_pool_deposit {
    double volume, momentum_x, momentum_y;
};

RL_DEVICE rl_pool_deposit rl_deposit_of(const rl_pool_memory &p, int number, int landed)
{
    rl_pool_deposit deposit;
    if (number >= landed) {
        const rl_pool_extra e = p.extras[number - landed];
        deposit = {e.volume, e.momentum_x, e.momentum_y};
    } else {
        const int at = p.landed[number];
        deposit.volume = (double)p.arrays[RL_POOL_VOLUME][at];
        deposit.momentum_x = deposit.volume * (double)p.arrays[RL_POOL_VELOCITY_X][at];
        deposit.momentum_y = deposit.volume * (double)p.arrays[RL_POOL_VELOCITY_Y][at];
    }
    return deposit;
}

// A warp has a cell: its lanes load the landings, and all add them up in their order.
static __global__ void rl_sum_cells(const rl_pool_memory p)
{
    const double area = p.order->births.area;
    const int landed = p.tally->landed, total = landed + p.tally->extras, cells = p.tally->cells;
    const int lane = (int)threadIdx.x & 31;
    for (int n = rl_first_number() / 32; n < cells; n += rl_next_number() / 32) {
        const int first = p.list[n];
        const unsigned cell = (unsigned)(p.sorted[first] >> 32);
        double volume = 0.0, x = 0.0, y = 0.0;
        for (int base = first, more = 32; more == 32; base += 32) {
            const unsigned long long record = base + lane < total ? p.sorted[base + lane] : ~0ull;
            const bool mine = (unsigned)(record >> 32) == cell;
            rl_pool_deposit deposit = {0.0, 0.0, 0.0};
            if (mine)
                deposit = rl_deposit_of(p, (int)(unsigned)record, landed);
            more = __popc(__ballot_sync(RL_ALL_LANES, mine));
            for (int k = 0; k < more; k++) {
                volume += __shfl_sync(RL_ALL_LANES, deposit.volume, k);
                x += __shfl_sync(RL_ALL_LANES, deposit.momentum_x, k);
                y += __shfl_sync(RL_ALL_LANES, deposit.momentum_y, k);
            }
        }
        if (lane == 0) {
            volume += n == 0 ? p.tally->rest : 0.0;
            rl_put_deposit(p.deposits, n, (int)cell, volume > 0.0 ? volume : 0.0, x, y, area);
            p.deposits.wanted[n] = volume;
        }
    }
}

// Returns what the solver could not hold of a deposit, m^3.
RL_DEVICE double rl_left_of(const rl_pool_deposits &deposits, double cell_size, int n)
{
    return deposits.wanted[n] - deposits.given[n] * cell_size * cell_size;
}

// The rest goes with the first column of the next step.
static __global__ void rl_sum_rest(const rl_pool_memory p)
{
    const double cell_size = (double)p.order->landing.cell_size;
    const rl_pool_deposits deposits = p.deposits;
    rl_sum_by_parts(p.tally->cells, p.parts,
                    [=](int n) { return rl_left_of(deposits, cell_size, n); });
}

// ---- Foam ------------------------------------------------------------------------------

// Computes the surface where landing n leaves foam at (x, y), and its velocity.
template <bool Layered>
RL_DEVICE void rl_surface_for_foam(const rl_pool_memory &p, const rl_landing_scene &s, int n,
                                   float x, float y, float out[3])
{
    if (Layered) {
        const rl_layered_columns *c = &s.layered;
        const size_t at = rl_layered_at(c, p.columns[n]);
        out[0] = c->water.base[at] + c->water.depth[at];
        out[1] = c->water.velocity_x[at];
        out[2] = c->water.velocity_y[at];
        return;
    }
    const rl_flight_ground *g = &s.ground;
    const rl_flight_place place = rl_flight_find(g, x, y);
    out[0] = rl_flight_level(g, place);
    out[1] = rl_flight_between(rl_flight_gather(g->velocity_x, g->pitch, place), place);
    out[2] = rl_flight_between(rl_flight_gather(g->velocity_y, g->pitch, place), place);
}

// Computes the foam of landings that leave the flight; it is stored apart until there is a place
// for it. Over columns above each other the list has the numbers of the landings that do.
template <bool Layered> static __global__ void rl_leave_foam(const rl_pool_memory p)
{
    const rl_landing_scene s = p.order->landing;
    const int leaving = p.tally->leaving;
    for (int n = rl_first_number(); n < leaving; n += rl_next_number()) {
        const int at = p.leaving[n], landing = Layered ? p.list[n] : n;
        const float u = p.arrays[RL_POOL_VELOCITY_X][at], v = p.arrays[RL_POOL_VELOCITY_Y][at];
        float life = 0.0f, surface[3];
        const int foams =
            p.wet[landing] &&
            rl_landing_foams(&s, p.kind[at], at, u, v, p.arrays[RL_POOL_VELOCITY_Z][at], &life);
        p.foams[n] = (unsigned char)foams;
        if (!foams)
            continue;
        const float x = p.arrays[RL_POOL_X][at], y = p.arrays[RL_POOL_Y][at];
        rl_surface_for_foam<Layered>(p, s, landing, x, y, surface);
        p.foam[0][n] = x;
        p.foam[1][n] = y;
        for (int k = 0; k < 3; k++)
            p.foam[2 + k][n] = surface[k];
        p.foam[5][n] = life;
    }
}

// ---- Leaving ---------------------------------------------------------------------------

// The last flying particles fill the places of those that leave. New foam is in the order that it
// has when each goes to the place of the particle that fills its own; its bit is set. The list
// takes the landings in that order.
static __global__ void rl_close_flight(const rl_pool_memory p)
{
    const int end = p.tally->before.flying + rl_born(p.tally), leaving = p.tally->leaving;
    for (int n = rl_first_number(); n < rl_whole_warps(leaving); n += rl_next_number()) {
        int foams = 0;
        if (n < leaving) {
            int number;
            const int place = end - leaving + n;
            const int hole = rl_hole_for(p.leaving, leaving, end, place, &number);
            if (hole >= 0)
                rl_copy_place(p, place, hole);
            foams = p.foams[number];
            p.list[n] = number;
        }
        rl_set_bit(p.bits, n, foams);
    }
}

// Runs on one block. Lists the new foam by the order of rl_close_flight.
static __global__ void rl_list_foam(const rl_pool_memory p)
{
    const int foamed = rl_list_bits(p.bits, p.tally->leaving, p.deposits.cells);
    if (threadIdx.x == 0)
        p.tally->foamed = foamed;
}

RL_DEVICE void rl_put_foam(const rl_pool_memory &p, int number, int place, float radius)
{
    const int landing = p.list[p.deposits.cells[number]];
    p.arrays[RL_POOL_X][place] = p.foam[0][landing];
    p.arrays[RL_POOL_Y][place] = p.foam[1][landing];
    p.arrays[RL_POOL_Z][place] = p.foam[2][landing];
    p.arrays[RL_POOL_VELOCITY_X][place] = p.foam[3][landing];
    p.arrays[RL_POOL_VELOCITY_Y][place] = p.foam[4][landing];
    p.arrays[RL_POOL_VELOCITY_Z][place] = 0.0f;
    p.arrays[RL_POOL_RADIUS][place] = radius;
    p.arrays[RL_POOL_AGE][place] = 0.0f;
    p.arrays[RL_POOL_LIFE][place] = p.foam[5][landing];
    p.arrays[RL_POOL_VOLUME][place] = 0.0f;
    p.kind[place] = RILL_PARTICLE_FOAM;
}

// New foam takes the last of the free places before the old foam; the last of all foam fills the
// rest, and the places that it leaves are cleared.
static __global__ void rl_close_gap(const rl_pool_memory p)
{
    const float radius = p.order->radius_of[RILL_PARTICLE_FOAM];
    const rl_pool_tally t = *p.tally;
    const int end = t.before.flying + rl_born(&t), live = end - t.leaving;
    const int foam = t.before.count - t.before.flying - t.gone + t.foamed; // all of it
    const int gap = t.leaving - t.foamed, moved = foam < gap ? foam : gap;
    const int first = end - t.foamed, count = first + foam, stays = foam - moved;
    const int most = gap > t.foamed ? gap : t.foamed;
    for (int n = rl_first_number(); n < most; n += rl_next_number()) {
        if (n < t.foamed && n < stays)
            rl_put_foam(p, n, first + n, radius);
        if (n >= gap)
            continue;
        const int place = count - gap + n, number = place - first; // of the foam, if it is any
        if (number >= stays) {
            if (number < t.foamed)
                rl_put_foam(p, number, live + number - stays, radius);
            else
                rl_copy_place(p, place, live + number - stays);
        }
        rl_clear_place(p, place);
    }
}

// Runs on one warp.
static __global__ void rl_end_step(const rl_pool_memory p)
{
    rl_pool_tally *t = p.tally;
    const double rest = rl_sum_parts(t->cells, p.parts) + rl_sum_parts(t->offers, p.second_parts);
    if (threadIdx.x != 0)
        return;
    t->after.rest = t->cells > 0 ? rest : t->rest;
    t->after.gone = t->before.gone + t->outside;
    t->after.flying = t->before.flying + rl_born(t) - t->leaving;
    t->after.count = t->before.count + rl_born(t) - t->gone - t->leaving + t->foamed;
    const rl_birth_scene &s = p.order->births;
    t->after.full = rl_birth_is_full(p.most - t->before.count - rl_born(t), s.drops, s.spray_share);
}
