// SPDX-License-Identifier: MIT
#include "solvers/river/river_rows.h"

#include "core/cell.h"
#include "core/cpu.h"

#include <math.h>

#define SIDE RL_SQUARE
_Static_assert(RL_SQUARE % RL_LANES == 0, "a row of a square is a number of whole vectors");

// Neighbours within a row come from the vectors beside by a lane shift, at the rim of a square from
// the square beside.

// ---- Pressure --------------------------------------------------------------------------

RL_CELL rl_real west_of(const rl_river_patch *p, int y, int c, rl_real here)
{
    const float *before =
        c == 0 ? p->west + y * SIDE + SIDE - RL_LANES : p->here + y * SIDE + c - RL_LANES;
    return rl_west(rl_load(before), here);
}

RL_CELL rl_real east_of(const float *here, const float *east, int y, int c, rl_real value)
{
    const float *next = c + RL_LANES == SIDE ? east + y * SIDE : here + y * SIDE + c + RL_LANES;
    return rl_east(value, rl_load(next));
}

RL_CELL rl_real south_of(const rl_river_patch *p, int y, int c)
{
    return rl_load(y == 0 ? p->south + (SIDE - 1) * SIDE + c : p->here + (y - 1) * SIDE + c);
}

RL_CELL rl_real north_of(const float *here, const float *north, int y, int c)
{
    return rl_load(y == SIDE - 1 ? north + c : here + (y + 1) * SIDE + c);
}

RL_CELL rl_real product(const rl_river_stencil *a, const rl_river_patch *p, int y, int c,
                        rl_real here)
{
    const rl_real weight_x = rl_load(a->x + y * SIDE + c), weight_y = rl_load(a->y + y * SIDE + c);
    const rl_real from_west = weight_x * west_of(p, y, c, here);
    const rl_real from_east =
        east_of(a->x, a->x_east, y, c, weight_x) * east_of(p->here, p->east, y, c, here);
    const rl_real from_south = weight_y * south_of(p, y, c);
    const rl_real from_north = north_of(a->y, a->y_north, y, c) * north_of(p->here, p->north, y, c);
    return rl_load(a->diagonal + y * SIDE + c) * here -
           ((from_west + from_east) + (from_south + from_north));
}

static void apply(const rl_river_stencil *a, const rl_river_patch *d, float *q, float *sums)
{
    for (int c = 0; c < SIDE; c += RL_LANES) {
        rl_real sum = rl_set(0.0f);
        for (int y = 0; y < SIDE; y++) {
            const rl_real here = rl_load(d->here + y * SIDE + c);
            const rl_real value = product(a, d, y, c, here);
            sum = sum + here * value;
            rl_store(q + y * SIDE + c, value);
        }
        rl_store(sums + c, sum);
    }
}

static float advance(float *x, const float *d, float *r, const float *q, const float *inverse,
                     float *z, float alpha, float omega)
{
    const rl_real step = rl_set(alpha), damped = rl_set(omega);
    rl_real most = rl_set(0.0f);
    for (int n = 0; n < RL_RIVER_AREA; n += RL_LANES) {
        const rl_real left = rl_load(r + n) - step * rl_load(q + n);
        rl_store(x + n, rl_load(x + n) + step * rl_load(d + n));
        rl_store(r + n, left);
        rl_store(z + n, damped * (rl_load(inverse + n) * left));
        most = rl_max(most, rl_abs(left));
    }
    return rl_largest(most);
}

static void relax(const float *b, const float *inverse, float *z, float omega)
{
    const rl_real damped = rl_set(omega);
    for (int n = 0; n < RL_RIVER_AREA; n += RL_LANES)
        rl_store(z + n, damped * (rl_load(inverse + n) * rl_load(b + n)));
}

static void smooth(const rl_river_stencil *a, const rl_river_patch *z, const float *b, float *out,
                   float omega, float *sums)
{
    const rl_real damped = rl_set(omega);
    for (int c = 0; c < SIDE; c += RL_LANES) {
        rl_real sum = rl_set(0.0f);
        for (int y = 0; y < SIDE; y++) {
            const rl_real here = rl_load(z->here + y * SIDE + c);
            const rl_real wanted = rl_load(b + y * SIDE + c);
            const rl_real left = wanted - product(a, z, y, c, here);
            const rl_real value = here + damped * (rl_load(a->inverse + y * SIDE + c) * left);
            sum = sum + wanted * value;
            rl_store(out + y * SIDE + c, value);
        }
        rl_store(sums + c, sum);
    }
}

static void residual(const rl_river_stencil *a, const rl_river_patch *z, const float *b, float *out)
{
    for (int c = 0; c < SIDE; c += RL_LANES)
        for (int y = 0; y < SIDE; y++) {
            const rl_real here = rl_load(z->here + y * SIDE + c);
            rl_store(out + y * SIDE + c, rl_load(b + y * SIDE + c) - product(a, z, y, c, here));
        }
}

static void follow(const float *z, const float *inverse, float *d, float beta)
{
    const rl_real part = rl_set(beta), zero = rl_set(0.0f);
    for (int n = 0; n < RL_RIVER_AREA; n += RL_LANES)
        rl_store(d + n, rl_keep(rl_less(zero, rl_load(inverse + n)),
                                rl_load(z + n) + part * rl_load(d + n)));
}

static void dot(const float *a, const float *b, float *sums)
{
    for (int c = 0; c < SIDE; c += RL_LANES) {
        rl_real sum = rl_set(0.0f);
        for (int y = 0; y < SIDE; y++)
            sum = sum + rl_load(a + y * SIDE + c) * rl_load(b + y * SIDE + c);
        rl_store(sums + c, sum);
    }
}

static void restrict_to(const float *restrict fine, float *restrict coarse, int add)
{
    for (int y = 0; y < SIDE / 2; y++) {
        const float *low = fine + 2 * y * SIDE, *high = low + SIDE;
        float *out = coarse + y * SIDE;
        for (int i = 0; i < SIDE / 2; i++) {
            const float sum = (low[2 * i] + high[2 * i]) + (low[2 * i + 1] + high[2 * i + 1]);
            out[i] = add ? out[i] + sum : sum;
        }
    }
}

static void prolong(const float *restrict coarse, float *restrict fine)
{
    for (int y = 0; y < SIDE; y++)
        for (int i = 0; i < SIDE; i++)
            fine[y * SIDE + i] += coarse[y / 2 * SIDE + i / 2];
}

// ---- Velocities ------------------------------------------------------------------------

// The opening of a face is `known`: where it is 0 there is a bank, and the value beyond it is taken
// as `slip` times the value on this side: 1 slides, -1 stands at the bank. Returns the value
// across.
RL_CELL rl_real rl_river_across(rl_real there, rl_real known, rl_real here, rl_real slip)
{
    return rl_select(rl_less(rl_set(0.0f), known), there, slip * here);
}

// Returns an advected value of a face (Eq. 3.10): `here` at the face, `along` at the upstream
// neighbour in the direction of the face's own component (a bank there has 0, which is right),
// `side` at the upstream one across it and `corner` at that one's neighbour, `a` and `b` the way
// back in cells, at most one.
RL_CELL rl_real rl_river_advected(rl_real here, rl_real along, rl_real side, rl_real corner,
                                  rl_real a, rl_real b)
{
    const rl_real one = rl_set(1.0f);
    const rl_real x = rl_min(rl_abs(a), one), y = rl_min(rl_abs(b), one);
    const rl_real through = here + x * (along - here);
    const rl_real beside = side + x * (corner - side);
    return through + y * (beside - through);
}

// One Jacobi sweep of implicit diffusion (Eq. 3.13): `k` is viscosity dt / dx^2, `ahead` and
// `behind` the neighbours in the direction of the component, `left` and `right` those across it.
// Beyond a bank a face that slides has no neighbour to exchange with, one that stands has one
// that moves the other way.
RL_CELL rl_real rl_river_diffused(rl_real before, rl_real k, rl_real ahead, rl_real behind,
                                  rl_real left, rl_real left_known, rl_real right,
                                  rl_real right_known, rl_real held)
{
    const rl_real zero = rl_set(0.0f), one = rl_set(1.0f);
    const rl_mask at_left = rl_less(zero, left_known), at_right = rl_less(zero, right_known);
    const rl_real sum = (ahead + behind) + (rl_keep(at_left, left) + rl_keep(at_right, right));
    const rl_real count =
        rl_set(2.0f) + (rl_select(at_left, one, held) + rl_select(at_right, one, held));
    return (before + k * sum) / (one + k * count);
}

typedef struct three {
    rl_real west, here, east;
} three;

RL_CELL three load_three(const float *p)
{
    const rl_real here = rl_load(p);
    return (three){rl_west(rl_load(p - RL_LANES), here), here,
                   rl_east(here, rl_load(p + RL_LANES))};
}

RL_CELL three choose(rl_mask mask, three yes, three no)
{
    return (three){rl_select(mask, yes.west, no.west), rl_select(mask, yes.here, no.here),
                   rl_select(mask, yes.east, no.east)};
}

RL_CELL rl_real mean_of_four(rl_real a, rl_real b, rl_real c, rl_real d)
{
    return rl_set(0.25f) * ((a + b) + (c + d));
}

RL_CELL rl_real advect_u(const rl_river_dense *f, size_t at, rl_real step, rl_real slip)
{
    const rl_real zero = rl_set(0.0f);
    const three u = load_three(f->u + at);
    const rl_real v = rl_load(f->v + at), v_north = rl_load(f->v + at + f->pitch);
    const rl_real v_west = rl_west(rl_load(f->v + at - RL_LANES), v);
    const rl_real v_north_west = rl_west(rl_load(f->v + at + f->pitch - RL_LANES), v_north);
    const rl_real a = u.here * step;
    const rl_real b = mean_of_four(v_west, v, v_north_west, v_north) * step;
    const rl_mask from_west = rl_less(zero, a), from_south = rl_less(zero, b);
    const three beside =
        choose(from_south, load_three(f->u + at - f->pitch), load_three(f->u + at + f->pitch));
    const three known = choose(from_south, load_three(f->known_x + at - f->pitch),
                               load_three(f->known_x + at + f->pitch));
    const rl_real along = rl_select(from_west, u.west, u.east);
    const rl_real side = rl_river_across(beside.here, known.here, u.here, slip);
    const rl_real corner =
        rl_river_across(rl_select(from_west, beside.west, beside.east),
                        rl_select(from_west, known.west, known.east), along, slip);
    const rl_real value = rl_river_advected(u.here, along, side, corner, a, b);
    return rl_keep(rl_less(zero, rl_load(f->known_x + at)), value);
}

RL_CELL rl_real advect_v(const rl_river_dense *f, size_t at, rl_real step, rl_real slip)
{
    const rl_real zero = rl_set(0.0f);
    const three v = load_three(f->v + at), known = load_three(f->known_y + at);
    const rl_real u = rl_load(f->u + at), u_south = rl_load(f->u + at - f->pitch);
    const rl_real u_east = rl_east(u, rl_load(f->u + at + RL_LANES));
    const rl_real u_south_east = rl_east(u_south, rl_load(f->u + at - f->pitch + RL_LANES));
    const rl_real a = v.here * step;
    const rl_real b = mean_of_four(u_south, u_south_east, u, u_east) * step;
    const rl_mask from_south = rl_less(zero, a), from_west = rl_less(zero, b);
    const three beyond =
        choose(from_south, load_three(f->v + at - f->pitch), load_three(f->v + at + f->pitch));
    const three beyond_known = choose(from_south, load_three(f->known_y + at - f->pitch),
                                      load_three(f->known_y + at + f->pitch));
    const rl_real side =
        rl_river_across(rl_select(from_west, v.west, v.east),
                        rl_select(from_west, known.west, known.east), v.here, slip);
    const rl_real corner = rl_river_across(
        rl_select(from_west, beyond.west, beyond.east),
        rl_select(from_west, beyond_known.west, beyond_known.east), beyond.here, slip);
    const rl_real value = rl_river_advected(v.here, beyond.here, side, corner, a, b);
    return rl_keep(rl_less(zero, known.here), value);
}

static void advect(const rl_river_dense *f, float step, float slip)
{
    const rl_real k = rl_set(step), s = rl_set(slip);
    for (int y = 0; y < f->rows; y++)
        for (int c = 0; c < SIDE; c += RL_LANES) {
            const size_t at = (size_t)y * f->pitch + (size_t)c;
            rl_store(f->u_next + at, advect_u(f, at, k, s));
            rl_store(f->v_next + at, advect_v(f, at, k, s));
        }
}

static void diffuse(const rl_river_dense *f, float k, float held, int first)
{
    const rl_real part = rl_set(k), at_bank = rl_set(held), zero = rl_set(0.0f);
    for (int y = 0; y < f->rows; y++)
        for (int c = 0; c < SIDE; c += RL_LANES) {
            const size_t at = (size_t)y * f->pitch + (size_t)c;
            const int packed = y * SIDE + c;
            const three u = load_three(f->u + at), v = load_three(f->v + at);
            const three y_known = load_three(f->known_y + at);
            if (first) {
                rl_store(f->u_before + packed, u.here);
                rl_store(f->v_before + packed, v.here);
            }
            const rl_real u_new = rl_river_diffused(
                rl_load(f->u_before + packed), part, u.east, u.west, rl_load(f->u + at + f->pitch),
                rl_load(f->known_x + at + f->pitch), rl_load(f->u + at - f->pitch),
                rl_load(f->known_x + at - f->pitch), at_bank);
            const rl_real v_new = rl_river_diffused(
                rl_load(f->v_before + packed), part, rl_load(f->v + at + f->pitch),
                rl_load(f->v + at - f->pitch), v.west, y_known.west, v.east, y_known.east, at_bank);
            rl_store(f->u_next + at, rl_keep(rl_less(zero, rl_load(f->known_x + at)), u_new));
            rl_store(f->v_next + at, rl_keep(rl_less(zero, y_known.here), v_new));
        }
}

RL_CELL rl_real inflow_of(const rl_river_dense *c, size_t at, rl_real u, rl_real u_east, rl_real v,
                          rl_real v_north)
{
    const rl_real open_x = rl_load(c->open_x + at);
    const rl_real open_east = rl_east(open_x, rl_load(c->open_x + at + RL_LANES));
    const rl_real x = open_x * u - open_east * u_east;
    const rl_real y = rl_load(c->open_y + at) * v - rl_load(c->open_y + at + c->pitch) * v_north;
    return x + y;
}

static void inflow(const rl_river_dense *cells, float *b, float size, rl_river_measure *m)
{
    const rl_real times = rl_set(size), half = rl_set(0.5f), zero = rl_set(0.0f);
    rl_real worst = zero, fastest = zero;
    for (int c = 0; c < SIDE; c += RL_LANES) {
        rl_real speeds = zero;
        for (int y = 0; y < cells->rows; y++) {
            const size_t at = (size_t)y * cells->pitch + (size_t)c;
            const rl_real u = rl_load(cells->u + at), v = rl_load(cells->v + at);
            const rl_real u_east = rl_east(u, rl_load(cells->u + at + RL_LANES));
            const rl_real v_north = rl_load(cells->v + at + cells->pitch);
            const rl_real wet = rl_load(cells->wet + at);
            // Past the far borders there are faces but no cells.
            const rl_real in =
                rl_keep(rl_less(zero, wet), times * inflow_of(cells, at, u, u_east, v, v_north));
            const rl_real x = half * (u + u_east), z = half * (v + v_north);
            speeds = speeds + wet * rl_sqrt(x * x + z * z);
            worst = rl_max(worst, rl_abs(in));
            fastest = rl_max(fastest, rl_max(rl_abs(u), rl_abs(v)));
            rl_store(b + y * SIDE + c, in);
        }
        for (int y = cells->rows; y < SIDE; y++)
            rl_store(b + y * SIDE + c, zero);
        rl_store(m->speed + c, speeds);
    }
    m->worst = rl_largest(worst);
    m->fastest = rl_largest(fastest);
}

static void push(const rl_river_stencil *a, const rl_river_patch *p, const rl_river_dense *f,
                 float step)
{
    const rl_real k = rl_set(step), zero = rl_set(0.0f);
    for (int y = 0; y < f->rows; y++)
        for (int c = 0; c < SIDE; c += RL_LANES) {
            const size_t at = (size_t)y * f->pitch + (size_t)c;
            const rl_real here = rl_load(p->here + y * SIDE + c);
            const rl_mask open_x = rl_less(zero, rl_load(a->x + y * SIDE + c));
            const rl_mask open_y = rl_less(zero, rl_load(a->y + y * SIDE + c));
            const rl_real over_x = here - west_of(p, y, c, here);
            const rl_real over_y = here - south_of(p, y, c);
            rl_store(f->u + at, rl_load(f->u + at) - rl_keep(open_x, k * over_x));
            rl_store(f->v + at, rl_load(f->v + at) - rl_keep(open_y, k * over_y));
        }
}

static void scale(const rl_river_dense *f, float factor)
{
    const rl_real k = rl_set(factor);
    for (int y = 0; y < f->rows; y++)
        for (int c = 0; c < SIDE; c += RL_LANES) {
            const size_t at = (size_t)y * f->pitch + (size_t)c;
            rl_store(f->u + at, k * rl_load(f->u + at));
            rl_store(f->v + at, k * rl_load(f->v + at));
        }
}

// ---- Impulses --------------------------------------------------------------------------
// These are plain loops over a run of cells that compilers turn into vectors; each operation is
// exactly rounded or a selection, so every instruction set gives the same bits.

#define TINY 1e-12f // m/s

// Random bits of a cell. 32 bits wide, so that a vector has as many of them as of floats.
static inline uint32_t noise_of(uint32_t row, uint32_t cell)
{
    uint32_t x = (row + cell) * 0x9e3779b1u;
    x = (x ^ (x >> 15)) * 0x2c1b3c6du;
    x = (x ^ (x >> 12)) * 0x297a2d39u;
    return x ^ (x >> 15);
}

// In [-1, 1), from 16 bits.
static inline float signed_unit(uint32_t bits)
{
    return (float)(int32_t)(bits & 0xffffu) * 0x1p-15f - 1.0f;
}

// Algorithm 3, see river_impulse.c. That no array overlaps another is said to compilers by
// parameters: they do not believe it of members.
static void change_cells(const rl_river_drive_row *c, const rl_river_drive d,
                         const float *restrict u, const float *restrict v,
                         const float *restrict v_north, const float *restrict hint_x,
                         const float *restrict hint_y, const float *restrict target,
                         float *restrict change_x, float *restrict change_y)
{
    const uint32_t row = c->noise;
    const int end = c->end;
    for (int i = c->first; i < end; i++) {
        const float x = 0.5f * (u[i] + u[i + 1]), y = 0.5f * (v[i] + v_north[i]);
        const float speed = sqrtf(x * x + y * y);
        const float along = x * hint_x[i] + y * hint_y[i];
        const uint32_t bits = noise_of(row, (uint32_t)i);
        const float wanted = d.gain * target[i] * (1.0f + d.vary * signed_unit(bits >> 16)) /
                             rl_larger(1.0f + d.vary_columns * signed_unit(bits), 0.1f);
        const float part = rl_smaller(rl_larger(speed / rl_larger(target[i], TINY), d.least), 1.0f);
        const float impulse =
            d.rate * part * rl_larger(rl_smaller(wanted, d.fastest) - along, 0.0f);

        // Towards the limits: what is missing to the slowest, or too much over the fastest speed.
        const float some = rl_larger(speed, TINY);
        const float up = rl_smaller(d.speed_up, d.slowest / some - 1.0f);
        const float down = d.slow_down * (d.fastest / some - 1.0f);
        const float held = speed < d.slowest ? up : speed > d.fastest ? down : 0.0f;
        const float factor = d.scale + held;
        const float turn = along < -(d.cosine * speed) ? d.turn : 0.0f;
        change_x[i] = factor * x + impulse * hint_x[i] + turn * (hint_x[i] * speed - x);
        change_y[i] = factor * y + impulse * hint_y[i] + turn * (hint_y[i] * speed - y);
    }
}

static void drive_cells(const rl_river_drive_row *c, const rl_river_drive *d)
{
    change_cells(c, *d, c->u, c->v, c->v_north, c->hint_x, c->hint_y, c->target, c->change_x,
                 c->change_y);
}

// Adds the mean of two changes to each open face.
static void add_mean(int first, int end, const float *restrict open, const float *before,
                     const float *here, float *restrict velocity)
{
    for (int i = first; i < end; i++) {
        const float change = 0.5f * (before[i] + here[i]);
        velocity[i] += open[i] > 0.0f ? change : 0.0f;
    }
}

static void drive_faces(const rl_river_drive_row *f)
{
    add_mean(f->first > 0 ? f->first : 1, f->end, f->open_x, f->change_x - 1, f->change_x, f->u);
    add_mean(f->first, f->end, f->open_y, f->change_y_south, f->change_y, f->v);
}

const rl_river_rows RL_ROWS(rl_river_rows) = {
    .isa = RL_ISA_TEXT,
    .apply = apply,
    .advance = advance,
    .dot = dot,
    .relax = relax,
    .smooth = smooth,
    .residual = residual,
    .follow = follow,
    .restrict_to = restrict_to,
    .prolong = prolong,
    .advect = advect,
    .diffuse = diffuse,
    .inflow = inflow,
    .push = push,
    .scale = scale,
    .drive_cells = drive_cells,
    .drive_faces = drive_faces,
};
