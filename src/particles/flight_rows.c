// SPDX-License-Identifier: MIT
#include "particles/flight_rows.h"

#include "particles/lanes.h"

#define ROWS_NAME_(isa) rl_flight_rows_##isa
#define ROWS_NAME(isa)  ROWS_NAME_(isa)
#define TEXT_(x)        #x
#define TEXT(x)         TEXT_(x)

#define NOTHING (-1e-30f) // a place at 0 is inside

// ---- Looking a place up ----------------------------------------------------------------

// Four columns around a place: the one to the south-west and the weights of the others.
typedef struct place {
    lanes_index at;
    rl_real x, y;
} place;

RL_CELL rl_real lower_cell(rl_real cells, float last, rl_real *weight)
{
    const rl_real inside = rl_min(rl_max(cells, rl_set(0.0f)), rl_set(last));
    const rl_real lower = rl_min(lanes_real(lanes_truncate(inside)), rl_set(last - 1.0f));
    *weight = inside - lower;
    return lower;
}

RL_CELL place find(const rl_flight_ground *g, rl_real x, rl_real y)
{
    place p;
    const rl_real scale = rl_set(g->to_cells), half = rl_set(0.5f);
    const rl_real i = lower_cell(x * scale - half, g->last_x, &p.x);
    const rl_real j = lower_cell(y * scale - half, g->last_y, &p.y);
    p.at = lanes_place(lanes_truncate(i), lanes_truncate(j), g->pitch);
    return p;
}

typedef struct corners {
    rl_real sw, se, nw, ne;
} corners;

RL_CELL corners fetch(const float *data, int pitch, place p)
{
    corners c;
    lanes_pairs(data, p.at, &c.sw, &c.se);
    lanes_pairs(data + pitch, p.at, &c.nw, &c.ne);
    return c;
}

RL_CELL rl_real between(corners c, place p)
{
    const rl_real south = c.sw + p.x * (c.se - c.sw);
    const rl_real north = c.nw + p.x * (c.ne - c.nw);
    return south + p.y * (north - south);
}

RL_CELL rl_real nearest(corners c, place p)
{
    const rl_mask west = rl_less(p.x, rl_set(0.5f));
    return rl_select(rl_less(p.y, rl_set(0.5f)), rl_select(west, c.sw, c.se),
                     rl_select(west, c.nw, c.ne));
}

RL_CELL corners add(corners a, corners b)
{
    return (corners){a.sw + b.sw, a.se + b.se, a.nw + b.nw, a.ne + b.ne};
}

RL_CELL rl_mask inside(const rl_flight_ground *g, rl_real x, rl_real y)
{
    const rl_real low = rl_set(NOTHING);
    return rl_both(rl_both(rl_less(low, x), rl_less(x, rl_set(g->width))),
                   rl_both(rl_less(low, y), rl_less(y, rl_set(g->height))));
}

// Appends the lanes that are set in `bits` to a list.
static int list(unsigned bits, int at, uint32_t *to, int count)
{
    for (int lane = 0; bits != 0; lane++, bits >>= 1)
        if (bits & 1u)
            to[count++] = (uint32_t)(at + lane);
    return count;
}

// ---- Flight ----------------------------------------------------------------------------

RL_CELL rl_real either(rl_mask spray, float a, float b)
{
    return rl_select(spray, rl_set(a), rl_set(b));
}

RL_CELL void put(float *to, rl_mask within, rl_real value, rl_real before)
{
    rl_store(to, rl_select(within, value, before));
}

RL_CELL void move(float *position, float *velocity, rl_mask within, const rl_real air[4],
                  rl_real *now)
{
    const rl_real x = rl_load(position), v = rl_load(velocity);
    *now = x + air[1] * v + air[3];
    put(position, within, *now, x);
    put(velocity, within, air[0] * v + air[2], v);
}

RL_CELL int fly_body(const rl_flight_arrays *a, int first, int end, const rl_flight_ground *g,
                     const rl_flight_air air[2], float dt, uint32_t *landed, int lands)
{
    int count = 0;
    for (int i = first - first % RL_LANES; i < end; i += RL_LANES) {
        const rl_mask within = lanes_within(i, first, end);
        const rl_mask spray = rl_less(lanes_bytes(a->kind + i), rl_set(0.5f));
        const rl_real keep = either(spray, air[0].keep, air[1].keep);
        const rl_real reach = either(spray, air[0].reach, air[1].reach);
        const rl_real in_x[4] = {keep, reach, either(spray, air[0].gain_x, air[1].gain_x),
                                 either(spray, air[0].push_x, air[1].push_x)};
        const rl_real in_y[4] = {keep, reach, either(spray, air[0].gain_y, air[1].gain_y),
                                 either(spray, air[0].push_y, air[1].push_y)};
        const rl_real in_z[4] = {keep, reach, either(spray, air[0].gain_z, air[1].gain_z),
                                 either(spray, air[0].push_z, air[1].push_z)};
        rl_real x, y, z;
        move(a->x + i, a->velocity_x + i, within, in_x, &x);
        move(a->y + i, a->velocity_y + i, within, in_y, &y);
        move(a->z + i, a->velocity_z + i, within, in_z, &z);
        const rl_real age = rl_load(a->age + i);
        put(a->age + i, within, age + rl_set(dt), age);
        rl_mask flies = inside(g, x, y);
        if (lands) {
            const place p = find(g, x, y);
            const corners base = fetch(g->base, g->pitch, p), depth = fetch(g->depth, g->pitch, p);
            flies = rl_both(flies, rl_less(between(add(base, depth), p), z));
            flies = rl_both(flies, rl_less(nearest(base, p), z));
        }
        count = list(lanes_bits(within) & ~lanes_bits(flies), i, landed, count);
    }
    return count;
}

static int fly(const rl_flight_arrays *a, int first, int end, const rl_flight_ground *g,
               const rl_flight_air air[2], float dt, uint32_t *landed)
{
    return g->base != NULL ? fly_body(a, first, end, g, air, dt, landed, 1)
                           : fly_body(a, first, end, g, air, dt, landed, 0);
}

// ---- Foam ------------------------------------------------------------------------------

// Heun's step: a particle carries the water's velocity at its place, goes on with it, looks the
// water up there, and ends with the mean of both. One look-up, and circles stay circles.
static int drift(const rl_flight_arrays *a, int first, int end, const rl_flight_ground *g, float dt,
                 uint32_t *gone)
{
    int count = 0;
    const rl_real whole = rl_set(dt), half = rl_set(0.5f * dt);
    for (int i = first - first % RL_LANES; i < end; i += RL_LANES) {
        const rl_mask within = lanes_within(i, first, end);
        const rl_real x = rl_load(a->x + i), y = rl_load(a->y + i);
        const rl_real u = rl_load(a->velocity_x + i), v = rl_load(a->velocity_y + i);
        const place p = find(g, x + whole * u, y + whole * v);
        const corners depth = fetch(g->depth, g->pitch, p);
        const rl_real level = between(add(fetch(g->base, g->pitch, p), depth), p);
        const rl_real u_new = between(fetch(g->velocity_x, g->pitch, p), p);
        const rl_real v_new = between(fetch(g->velocity_y, g->pitch, p), p);
        const rl_real x_new = x + half * (u + u_new), y_new = y + half * (v + v_new);
        const rl_real age = rl_load(a->age + i), age_new = age + whole;
        put(a->x + i, within, x_new, x);
        put(a->y + i, within, y_new, y);
        put(a->z + i, within, level, rl_load(a->z + i));
        put(a->velocity_x + i, within, u_new, u);
        put(a->velocity_y + i, within, v_new, v);
        put(a->age + i, within, age_new, age);
        const rl_mask young = rl_less(age_new, rl_load(a->life + i));
        const rl_mask wet = rl_less(rl_set(g->wet_depth), nearest(depth, p));
        const rl_mask stays = rl_both(inside(g, x_new, y_new), rl_both(young, wet));
        count = list(lanes_bits(within) & ~lanes_bits(stays), i, gone, count);
    }
    return count;
}

// ---- Breaking waves --------------------------------------------------------------------

// Level of a neighbour as the wave sees it: a dry bank that stands higher is no slope of the water.
RL_CELL rl_real seen(rl_real base, rl_real depth, rl_real level, rl_real wet)
{
    const rl_real there = base + depth;
    return rl_select(rl_less(wet, depth), there, rl_min(there, level));
}

// The larger of both by magnitude (Eq. 19).
RL_CELL rl_real max_abs(rl_real s, rl_real t)
{
    return rl_select(rl_less(rl_abs(t), rl_abs(s)), s, t);
}

RL_CELL unsigned breaking_lanes(const rl_breaking_row *row, int i)
{
    const rl_real d = lanes_load(row->depth + i), wet = rl_set(row->wet_depth);
    const rl_mask rises = rl_less(rl_set(row->rise), d - lanes_load(row->before + i));
    if (!rl_any(rises))
        return 0;
    const rl_real c = lanes_load(row->base + i) + d;
    const rl_real e = seen(lanes_load(row->base + i + 1), lanes_load(row->depth + i + 1), c, wet);
    const rl_real w = seen(lanes_load(row->base + i - 1), lanes_load(row->depth + i - 1), c, wet);
    const rl_real n =
        seen(lanes_load(row->base_north + i), lanes_load(row->depth_north + i), c, wet);
    const rl_real s =
        seen(lanes_load(row->base_south + i), lanes_load(row->depth_south + i), c, wet);
    const rl_real gx = max_abs(e - c, c - w), gy = max_abs(n - c, c - s);
    const rl_real curved = (e - c) + (w - c) + (n - c) + (s - c);
    const rl_mask steep = rl_less(rl_set(row->slope_squared), gx * gx + gy * gy);
    const rl_mask crest = rl_less(curved, rl_set(row->curvature));
    return lanes_bits(rl_both(rl_both(rises, rl_less(wet, d)), rl_both(steep, crest)));
}

// The same at the ends of a row, where a vector would look past it: cells beyond the border are
// taken as their neighbours inside.
static unsigned breaking_at_end(const rl_breaking_row *row, int i)
{
    const int cells = row->nx - i < RL_LANES ? row->nx - i : RL_LANES;
    int rises = 0;
    for (int k = i; k < i + cells; k++)
        rises |= row->depth[k] - row->before[k] > row->rise;
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

const rl_flight_rows ROWS_NAME(RL_ISA) = {
    .isa = TEXT(RL_ISA),
    .fly = fly,
    .drift = drift,
    .find_breaking = find_breaking,
};
