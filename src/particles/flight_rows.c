// SPDX-License-Identifier: MIT
// flight_rows.c - the loops of flight_rows.h over vectors of particles and cells.
#include "particles/flight_rows.h"

#include "core/cpu.h"

// Appends the lanes that are set in `bits` to a list.
static int list(unsigned bits, int at, uint32_t *to, int count)
{
    for (int lane = 0; bits != 0; lane++, bits >>= 1)
        if (bits & 1u)
            to[count++] = (uint32_t)(at + lane);
    return count;
}

// ---- Flight ----------------------------------------------------------------------------

RL_CELL void put(float *to, rl_mask within, rl_real value, rl_real before)
{
    rl_store(to, rl_select(within, value, before));
}

RL_CELL void move(float *position, float *velocity, rl_mask within, const rl_real air[4],
                  rl_real *now)
{
    const rl_real x = rl_load(position), v = rl_load(velocity);
    *now = rl_flight_position(x, v, air);
    put(position, within, *now, x);
    put(velocity, within, rl_flight_velocity(v, air), v);
}

RL_CELL int fly_body(const rl_pool_places *pool, int first, int end, const rl_flight_ground *g,
                     const rl_flight_air air[2], float dt, uint32_t *landed, int lands)
{
    float *const *a = pool->arrays;
    int count = 0;
    for (int i = first - first % RL_LANES; i < end; i += RL_LANES) {
        const rl_mask within = lanes_within(i, first, end);
        const rl_mask spray = rl_less(lanes_bytes(pool->kind + i), rl_set(0.5f));
        const rl_real decay = rl_flight_either(spray, air[0].decay, air[1].decay);
        const rl_real reach = rl_flight_either(spray, air[0].reach, air[1].reach);
        const rl_real in_x[4] = {decay, reach,
                                 rl_flight_either(spray, air[0].gain_x, air[1].gain_x),
                                 rl_flight_either(spray, air[0].push_x, air[1].push_x)};
        const rl_real in_y[4] = {decay, reach,
                                 rl_flight_either(spray, air[0].gain_y, air[1].gain_y),
                                 rl_flight_either(spray, air[0].push_y, air[1].push_y)};
        const rl_real in_z[4] = {decay, reach,
                                 rl_flight_either(spray, air[0].gain_z, air[1].gain_z),
                                 rl_flight_either(spray, air[0].push_z, air[1].push_z)};
        rl_real x, y, z;
        move(a[RL_POOL_X] + i, a[RL_POOL_VELOCITY_X] + i, within, in_x, &x);
        move(a[RL_POOL_Y] + i, a[RL_POOL_VELOCITY_Y] + i, within, in_y, &y);
        move(a[RL_POOL_Z] + i, a[RL_POOL_VELOCITY_Z] + i, within, in_z, &z);
        const rl_real age = rl_load(a[RL_POOL_AGE] + i);
        put(a[RL_POOL_AGE] + i, within, age + rl_set(dt), age);
        rl_mask flies = rl_flight_inside(g, x, y);
        if (lands)
            flies = rl_both(flies, rl_flight_above(g, x, y, z));
        count = list(rl_lane_bits(within) & ~rl_lane_bits(flies), i, landed, count);
    }
    return count;
}

static int fly(const rl_pool_places *pool, int first, int end, const rl_flight_ground *g,
               const rl_flight_air air[2], float dt, uint32_t *landed)
{
    return g->base != NULL ? fly_body(pool, first, end, g, air, dt, landed, 1)
                           : fly_body(pool, first, end, g, air, dt, landed, 0);
}

// ---- Foam ------------------------------------------------------------------------------

static int advect(const rl_pool_places *pool, int first, int end, const rl_flight_ground *g,
                  float dt, uint32_t *gone)
{
    float *const *a = pool->arrays;
    int count = 0;
    for (int i = first - first % RL_LANES; i < end; i += RL_LANES) {
        const rl_mask within = lanes_within(i, first, end);
        const rl_flight_foam old = {.x = rl_load(a[RL_POOL_X] + i),
                                    .y = rl_load(a[RL_POOL_Y] + i),
                                    .z = rl_load(a[RL_POOL_Z] + i),
                                    .velocity_x = rl_load(a[RL_POOL_VELOCITY_X] + i),
                                    .velocity_y = rl_load(a[RL_POOL_VELOCITY_Y] + i),
                                    .age = rl_load(a[RL_POOL_AGE] + i)};
        rl_flight_foam now = old;
        const rl_mask stays = rl_flight_advect(g, &now, rl_load(a[RL_POOL_LIFE] + i), dt);
        put(a[RL_POOL_X] + i, within, now.x, old.x);
        put(a[RL_POOL_Y] + i, within, now.y, old.y);
        put(a[RL_POOL_Z] + i, within, now.z, old.z);
        put(a[RL_POOL_VELOCITY_X] + i, within, now.velocity_x, old.velocity_x);
        put(a[RL_POOL_VELOCITY_Y] + i, within, now.velocity_y, old.velocity_y);
        put(a[RL_POOL_AGE] + i, within, now.age, old.age);
        count = list(rl_lane_bits(within) & ~rl_lane_bits(stays), i, gone, count);
    }
    return count;
}

// ---- Breaking waves --------------------------------------------------------------------

RL_CELL rl_real level_of(const float *base, const float *depth, rl_real level, rl_real wet)
{
    return rl_breaking_seen(rl_load_any(base), rl_load_any(depth), level, wet);
}

RL_CELL unsigned breaking_lanes(const rl_breaking_row *row, int i)
{
    const rl_real d = rl_load_any(row->depth + i), wet = rl_set(row->limits.wet_depth);
    const rl_mask rises = rl_less(rl_set(row->limits.rise), d - rl_load_any(row->before + i));
    if (!rl_any(rises))
        return 0;
    const rl_real c = rl_load_any(row->base + i) + d;
    const rl_breaking_levels levels = {
        .here = c,
        .east = level_of(row->base + i + 1, row->depth + i + 1, c, wet),
        .west = level_of(row->base + i - 1, row->depth + i - 1, c, wet),
        .north = level_of(row->base_north + i, row->depth_north + i, c, wet),
        .south = level_of(row->base_south + i, row->depth_south + i, c, wet),
    };
    return rl_lane_bits(
        rl_both(rl_both(rises, rl_less(wet, d)), rl_breaking_is(&levels, &row->limits)));
}

// Does the same at the ends of a row, where a vector would read past it: cells beyond the border
// are as their neighbours inside.
static unsigned breaking_at_end(const rl_breaking_row *row, int i)
{
    const int cells = row->nx - i < RL_LANES ? row->nx - i : RL_LANES;
    int rises = 0;
    for (int k = i; k < i + cells; k++)
        rises |= row->depth[k] - row->before[k] > row->limits.rise;
    if (!rises)
        return 0;
    float copy[7][RL_LANES + 2];
    const float *const from[7] = {row->base,       row->depth,       row->before,
                                  row->base_south, row->depth_south, row->base_north,
                                  row->depth_north};
    for (int n = 0; n < 7; n++)
        for (int k = 0; k < RL_LANES + 2; k++) {
            const int cell = i + k - 1;
            copy[n][k] = from[n][cell < 0 ? 0 : cell < row->nx ? cell : row->nx - 1];
        }
    rl_breaking_row inner = *row;
    inner.base = copy[0] + 1;
    inner.depth = copy[1] + 1;
    inner.before = copy[2] + 1;
    inner.base_south = copy[3] + 1;
    inner.depth_south = copy[4] + 1;
    inner.base_north = copy[5] + 1;
    inner.depth_north = copy[6] + 1;
    return breaking_lanes(&inner, 0) & ((1u << cells) - 1u);
}

static int find_breaking(const rl_breaking_row *row, int first, int end, uint32_t *found)
{
    int count = 0;
    for (int i = first; i < end; i += RL_LANES) {
        const int at_end = i == 0 || i + RL_LANES >= row->nx;
        unsigned bits = at_end ? breaking_at_end(row, i) : breaking_lanes(row, i);
        if (end - i < RL_LANES)
            bits &= (1u << (end - i)) - 1u;
        if (bits == 0)
            continue;
        if (found == NULL)
            return 1;
        count = list(bits, i, found, count);
    }
    return count;
}

const rl_flight_rows RL_ROWS(rl_flight_rows) = {
    .isa = RL_ISA_TEXT,
    .fly = fly,
    .advect = advect,
    .find_breaking = find_breaking,
};
