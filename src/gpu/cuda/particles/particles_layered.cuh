// SPDX-License-Identifier: MIT
// particles_layered.cuh - landings that covered columns have no capacity for, on a device: the
// offers to the open columns above them, the water that waits, and the particles that fly on.
#pragma once

#include "gpu/cuda/particles/particles_landing.cuh"

// ---- Finding refused deposits ----------------------------------------------------------

// Sets the bits of the deposits that were refused; all others get their rest.
static __global__ void rl_mark_refused(const rl_pool_memory p)
{
    const rl_layered_columns c = p.order->landing.layered;
    const int cells = p.tally->cells;
    for (int n = rl_first_number(); n < rl_whole_warps(cells); n += rl_next_number()) {
        int refused = 0;
        if (n < cells) {
            const double left = rl_left_of(p.deposits, (double)c.water.cell_size, n);
            refused = rl_layered_refuses(&c, p.deposits.cells[n], p.deposits.wanted[n], left);
            p.rest[n] = refused ? 0.0 : left;
        }
        rl_set_bit(p.bits, n, refused);
    }
}

// Returns the column of refused deposit n.
RL_DEVICE int rl_refused_column(const rl_pool_memory &p, int n)
{
    return p.deposits.cells[p.refused[n]];
}

// Returns the number of the refused deposit of a column, or -1.
RL_DEVICE int rl_refused_of(const rl_pool_memory &p, int refused, int column)
{
    const int n = rl_first_not_below(refused, column,
                                     [&](int number) { return rl_refused_column(p, number); });
    return n < refused && rl_refused_column(p, n) == column ? n : -1;
}

// Returns whether refused deposit n is the first one of a cell with an open column.
RL_DEVICE int rl_begins_offer(const rl_pool_memory &p, const rl_layered_columns &c, int refused,
                              int n)
{
    const int column = rl_refused_column(p, n), cell = rl_layered_cell(&c, column);
    if (!rl_layered_has_open(&c, cell))
        return 0;
    for (int lower = cell + c.water.nx * c.water.ny; lower < column;
         lower += c.water.nx * c.water.ny)
        if (rl_refused_of(p, refused, lower) >= 0)
            return 0;
    return 1;
}

// Runs on one block. Lists the refused deposits, and those of them that begin offers.
static __global__ void rl_list_refused(const rl_pool_memory p)
{
    const rl_layered_columns c = p.order->landing.layered;
    const int refused = rl_list_bits(p.bits, p.tally->cells, p.refused);
    __syncthreads(); // the list is complete, and the bits are free
    for (int n = (int)threadIdx.x; n < rl_whole_warps(refused); n += (int)blockDim.x)
        rl_set_bit(p.bits, n, n < refused && rl_begins_offer(p, c, refused, n));
    __syncthreads();
    const int offers = rl_list_bits(p.bits, refused, p.offers);
    if (threadIdx.x == 0) {
        p.tally->refused = refused;
        p.tally->offers = offers;
        p.tally->seconds = refused + offers;
    }
}

// ---- Settling --------------------------------------------------------------------------

// Runs on one warp. Turns the particles of a refused deposit back, each with its part; returns the
// volume that they hold.
RL_DEVICE double rl_turn_back(const rl_pool_memory &p, const rl_layered_columns &c, int deposit,
                              double wanted, double left)
{
    const int landed = p.tally->landed, total = landed + p.tally->extras;
    const int first = p.list[deposit], lane = (int)threadIdx.x & 31;
    const unsigned column = (unsigned)p.deposits.cells[deposit];
    double held = 0.0;
    for (int base = first, more = 32; more == 32; base += 32) {
        const unsigned long long record = base + lane < total ? p.sorted[base + lane] : ~0ull;
        const bool mine = (unsigned)(record >> 32) == column;
        const int number = (int)(unsigned)record;
        double own = 0.0;
        if (mine && number < landed) {
            const int at = p.landed[number];
            const rl_flyer f = rl_flyer_at(p.arrays, at);
            const rl_flyer back = rl_layered_turned_back(&c, &f);
            rl_put_flyer(p.arrays, at, &back);
            const float volume = rl_layered_remainder(p.arrays[RL_POOL_VOLUME][at], wanted, left);
            p.arrays[RL_POOL_VOLUME][at] = volume;
            p.stays[number] = 1;
            own = (double)volume;
        }
        more = __popc(__ballot_sync(RL_ALL_LANES, mine));
        for (int k = 0; k < more; k++)
            held += __shfl_sync(RL_ALL_LANES, own, k);
    }
    return held;
}

// Makes offer n, in its place among all by cells: those of a layer are in that order already.
RL_DEVICE void rl_make_offer(const rl_pool_memory &p, const rl_layered_columns &c, int n)
{
    const int cells = c.water.nx * c.water.ny, offers = p.tally->offers, refused = p.tally->refused;
    const int cell = rl_layered_cell(&c, rl_refused_column(p, p.offers[n]));
    const double area = p.order->births.area;
    double volume = 0.0, x = 0.0, y = 0.0;
    int place = 0;
    for (int layer = 1; layer < c.water.layers; layer++) {
        const auto column_of = [&](int number) { return rl_refused_column(p, p.offers[number]); };
        place += rl_first_not_below(offers, layer * cells + cell, column_of) -
                 rl_first_not_below(offers, layer * cells, column_of);
        const int found = rl_refused_of(p, refused, layer * cells + cell);
        if (found < 0)
            continue;
        const int deposit = p.refused[found];
        const double wanted = p.deposits.wanted[deposit];
        const double left = rl_left_of(p.deposits, (double)c.water.cell_size, deposit);
        volume += left;
        x += rl_layered_refused(p.deposits.momentum_x[deposit], wanted, left);
        y += rl_layered_refused(p.deposits.momentum_y[deposit], wanted, left);
    }
    rl_put_deposit(p.seconds, place, cell, volume > 0.0 ? volume : 0.0, x, y, area);
    p.seconds.wanted[place] = volume;
}

// A warp has a refused deposit. Its momentum leaves the column again, and where no open column is
// above, its particles wait. Columns below ceilings come after all open ones, so the offers come
// first.
static __global__ void rl_settle_refused(const rl_pool_memory p)
{
    const rl_layered_columns c = p.order->landing.layered;
    const int refused = p.tally->refused, offers = p.tally->offers, lane = (int)threadIdx.x & 31;
    for (int n = rl_first_number() / 32; n < refused; n += rl_next_number() / 32) {
        const int deposit = p.refused[n], column = p.deposits.cells[deposit];
        const double wanted = p.deposits.wanted[deposit];
        const double left = rl_left_of(p.deposits, (double)c.water.cell_size, deposit);
        double held = 0.0;
        const int waits = !rl_layered_has_open(&c, rl_layered_cell(&c, column));
        if (waits)
            held = rl_turn_back(p, c, deposit, wanted, left);
        if (lane != 0)
            continue;
        if (waits)
            p.rest[deposit] = left - held;
        if (n < offers)
            rl_make_offer(p, c, n);
        rl_put_deposit(p.seconds, offers + n, column, 0.0,
                       -rl_layered_refused(p.deposits.momentum_x[deposit], wanted, left),
                       -rl_layered_refused(p.deposits.momentum_y[deposit], wanted, left), 1.0);
    }
}

// Sums up the rests of all deposits, and of the offers.
static __global__ void rl_sum_rests(const rl_pool_memory p)
{
    const double cell_size = (double)p.order->landing.cell_size;
    const double *rest = p.rest;
    const rl_pool_deposits seconds = p.seconds;
    rl_sum_by_parts(p.tally->cells, p.parts, [=](int n) { return rest[n]; });
    rl_sum_by_parts(p.tally->offers, p.second_parts,
                    [=](int n) { return rl_left_of(seconds, cell_size, n); });
}

// ---- Leaving ---------------------------------------------------------------------------

// Runs on one block. Lists the landings that do not fly on, and their places.
static __global__ void rl_list_leaving(const rl_pool_memory p)
{
    const int landed = p.tally->landed;
    for (int n = (int)threadIdx.x; n < rl_whole_warps(landed); n += (int)blockDim.x)
        rl_set_bit(p.bits, n, n < landed && !p.stays[n]);
    __syncthreads();
    const int leaving = rl_list_bits(p.bits, landed, p.list);
    __syncthreads();
    for (int n = (int)threadIdx.x; n < leaving; n += (int)blockDim.x)
        p.leaving[n] = p.landed[p.list[n]];
    if (threadIdx.x == 0)
        p.tally->leaving = leaving;
}
