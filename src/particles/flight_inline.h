// SPDX-License-Identifier: MIT
// flight_inline.h - one step of a particle anywhere on the grid: the ground below it, its flight,
// the advection of foam; and whether a wave breaks in a cell.
#pragma once

#include "particles/lanes.h"

#include "rill/particles.h"

#define RL_FLIGHT_NOTHING (-1e-30f) // so that a place at 0 is inside

// Columns of one layer, as a surface that can be sampled anywhere.
typedef struct rl_flight_ground {
    const float *base, *depth, *velocity_x, *velocity_y; // base is NULL where there is nothing to
                                                         // land on
    int pitch;
    float to_cells;       // 1 / cell size
    float last_x, last_y; // nx - 1, ny - 1
    float width, height;  // metres
    float wet_depth;
} rl_flight_ground;

// One step through air that blows at w, for one kind: v' = decay v + gain, x' = x + reach v + push.
typedef struct rl_flight_air {
    float decay, reach;
    float gain_x, gain_y, gain_z;
    float push_x, push_y, push_z;
} rl_flight_air;

// ---- Sampling the columns --------------------------------------------------------------

// Four columns around a place: the one to the south-west and the weights of the others.
typedef struct rl_flight_place {
    lanes_index at;
    rl_real x, y;
} rl_flight_place;

RL_CELL rl_real rl_flight_lower(rl_real cells, float last, rl_real *weight)
{
    const rl_real inside = rl_min(rl_max(cells, rl_set(0.0f)), rl_set(last));
    const rl_real lower = rl_min(rl_number_of_bits(rl_bits_of_number(inside)), rl_set(last - 1.0f));
    *weight = inside - lower;
    return lower;
}

RL_CELL rl_flight_place rl_flight_find(const rl_flight_ground *g, rl_real x, rl_real y)
{
    rl_flight_place p;
    const rl_real scale = rl_set(g->to_cells), half = rl_set(0.5f);
    const rl_real i = rl_flight_lower(x * scale - half, g->last_x, &p.x);
    const rl_real j = rl_flight_lower(y * scale - half, g->last_y, &p.y);
    p.at = lanes_place(i, j, g->pitch);
    return p;
}

typedef struct rl_flight_corners {
    rl_real sw, se, nw, ne;
} rl_flight_corners;

RL_CELL rl_flight_corners rl_flight_gather(const float *data, int pitch, rl_flight_place p)
{
    rl_flight_corners c;
    lanes_pairs(data, p.at, &c.sw, &c.se);
    lanes_pairs(data + pitch, p.at, &c.nw, &c.ne);
    return c;
}

RL_CELL rl_real rl_flight_between(rl_flight_corners c, rl_flight_place p)
{
    const rl_real south = c.sw + p.x * (c.se - c.sw);
    const rl_real north = c.nw + p.x * (c.ne - c.nw);
    return south + p.y * (north - south);
}

RL_CELL rl_real rl_flight_nearest(rl_flight_corners c, rl_flight_place p)
{
    const rl_mask west = rl_less(p.x, rl_set(0.5f));
    return rl_select(rl_less(p.y, rl_set(0.5f)), rl_select(west, c.sw, c.se),
                     rl_select(west, c.nw, c.ne));
}

RL_CELL rl_flight_corners rl_flight_add(rl_flight_corners a, rl_flight_corners b)
{
    rl_flight_corners c;
    c.sw = a.sw + b.sw;
    c.se = a.se + b.se;
    c.nw = a.nw + b.nw;
    c.ne = a.ne + b.ne;
    return c;
}

// Returns the elevation of the surface.
RL_CELL rl_real rl_flight_level(const rl_flight_ground *g, rl_flight_place p)
{
    return rl_flight_between(rl_flight_add(rl_flight_gather(g->base, g->pitch, p),
                                           rl_flight_gather(g->depth, g->pitch, p)),
                             p);
}

RL_CELL rl_mask rl_flight_inside(const rl_flight_ground *g, rl_real x, rl_real y)
{
    const rl_real low = rl_set(RL_FLIGHT_NOTHING);
    return rl_both(rl_both(rl_less(low, x), rl_less(x, rl_set(g->width))),
                   rl_both(rl_less(low, y), rl_less(y, rl_set(g->height))));
}

// ---- Flight ----------------------------------------------------------------------------

// Selects a coefficient of the air for spray or for splashes.
RL_CELL rl_real rl_flight_either(rl_mask spray, float a, float b)
{
    return rl_select(spray, rl_set(a), rl_set(b));
}

// Moves a particle along one axis: `air` is decay, reach, gain and push.
RL_CELL rl_real rl_flight_position(rl_real x, rl_real v, const rl_real air[4])
{
    return x + air[1] * v + air[3];
}

RL_CELL rl_real rl_flight_velocity(rl_real v, const rl_real air[4])
{
    return air[0] * v + air[2];
}

// Returns whether a particle there is above the surface and the ground.
RL_CELL rl_mask rl_flight_above(const rl_flight_ground *g, rl_real x, rl_real y, rl_real z)
{
    const rl_flight_place p = rl_flight_find(g, x, y);
    const rl_flight_corners base = rl_flight_gather(g->base, g->pitch, p);
    const rl_flight_corners depth = rl_flight_gather(g->depth, g->pitch, p);
    return rl_both(rl_less(rl_flight_between(rl_flight_add(base, depth), p), z),
                   rl_less(rl_flight_nearest(base, p), z));
}

// ---- Foam ------------------------------------------------------------------------------

typedef struct rl_flight_foam {
    rl_real x, y, z, velocity_x, velocity_y, age;
} rl_flight_foam;

// Makes Heun's step: a particle has the water's velocity at its place, moves with it, samples the
// water there, and ends with the mean of both. One sample suffices, and circles stay circles.
// Returns whether the foam survives.
RL_CELL rl_mask rl_flight_advect(const rl_flight_ground *g, rl_flight_foam *f, rl_real life,
                                 float dt)
{
    const rl_real whole = rl_set(dt), half = rl_set(0.5f * dt);
    const rl_real u = f->velocity_x, v = f->velocity_y;
    const rl_flight_place p = rl_flight_find(g, f->x + whole * u, f->y + whole * v);
    const rl_flight_corners depth = rl_flight_gather(g->depth, g->pitch, p);
    f->z = rl_flight_between(rl_flight_add(rl_flight_gather(g->base, g->pitch, p), depth), p);
    f->velocity_x = rl_flight_between(rl_flight_gather(g->velocity_x, g->pitch, p), p);
    f->velocity_y = rl_flight_between(rl_flight_gather(g->velocity_y, g->pitch, p), p);
    f->x = f->x + half * (u + f->velocity_x);
    f->y = f->y + half * (v + f->velocity_y);
    f->age = f->age + whole;
    const rl_mask young = rl_less(f->age, life);
    const rl_mask wet = rl_less(rl_set(g->wet_depth), rl_flight_nearest(depth, p));
    return rl_both(rl_flight_inside(g, f->x, f->y), rl_both(young, wet));
}

// ---- Breaking waves --------------------------------------------------------------------

// Thresholds, each multiplied with the divisor that its left side has in the paper.
typedef struct rl_breaking_limits {
    float rise;          // v_minSplash dt, metres
    float slope_squared; // (slope dx)^2
    float curvature;     // l_minSplash dx^2
    float wet_depth;
} rl_breaking_limits;

RL_CELL rl_breaking_limits rl_breaking_limits_of(const rill_particles_def *def, double step,
                                                 float cell_size, float wet_depth)
{
    const float slope = def->breaking_slope * cell_size;
    rl_breaking_limits l;
    l.rise = def->breaking_rise * (float)step;
    l.slope_squared = slope * slope;
    l.curvature = def->breaking_curvature * cell_size * cell_size;
    l.wet_depth = wet_depth;
    return l;
}

// Returns the level of a neighbour for the slope of a wave: a dry bank that is higher is no slope
// of the water.
RL_CELL rl_real rl_breaking_seen(rl_real base, rl_real depth, rl_real level, rl_real wet)
{
    const rl_real there = base + depth;
    return rl_select(rl_less(wet, depth), there, rl_min(there, level));
}

// Returns the larger of both by magnitude (Chentanez and Müller Eq. 19).
RL_CELL rl_real rl_breaking_larger(rl_real s, rl_real t)
{
    return rl_select(rl_less(rl_abs(t), rl_abs(s)), s, t);
}

// The levels of a cell and its neighbours for the slope of a wave.
typedef struct rl_breaking_levels {
    rl_real here, east, west, north, south;
} rl_breaking_levels;

// Returns whether a wave that rises breaks.
RL_CELL rl_mask rl_breaking_is(const rl_breaking_levels *l, const rl_breaking_limits *limits)
{
    const rl_real c = l->here;
    const rl_real gx = rl_breaking_larger(l->east - c, c - l->west);
    const rl_real gy = rl_breaking_larger(l->north - c, c - l->south);
    const rl_real curved = (l->east - c) + (l->west - c) + (l->north - c) + (l->south - c);
    return rl_both(rl_less(rl_set(limits->slope_squared), gx * gx + gy * gy),
                   rl_less(curved, rl_set(limits->curvature)));
}
