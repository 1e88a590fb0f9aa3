// SPDX-License-Identifier: MIT
// splash.c - water that bodies throw up where their surface sweeps through that of the water
// (Chentanez and Müller section 2.4.4). Triangles that do, and fast enough, are divided into
// samples of about the size of a particle; each sample that sweeps throws lumps, in proportion to
// the volume that it sweeps and to its speed above the threshold.
#include "bodies/sampling/samples.h"

#include <string.h>

#define PI             3.14159265358979323846
#define MOST_OF_SAMPLE 16 // lumps
#define DRAWS_OF_LUMP  3  // random numbers

typedef struct splashing {
    const rl_bodies *bodies;
    const rl_body_water *water;
    rl_water_view view;
    rl_level_at level_at;
    double volume, radius;
    uint64_t seed, drawn; // random numbers so far
    int body;             // at whose turn it is
    rl_splash *out;
    int count, most;
    uint64_t left_out; // lumps for which one of the two limits had no place
} splashing;

// Where a sample is and how it moves through the water.
typedef struct sample {
    double p[3], normal[3], flow[3], through[3]; // velocity relative to the water
    double speed, area, level;
} sample;

static double draw(splashing *s)
{
    return (double)rl_random_unit(s->seed, s->water->step, s->drawn++);
}

// Height over the water, 1e30 without any: now, and where the point was a step ago.
static void heights(const splashing *s, const double p[3], const double v[3],
                    const double normal[3], double *before, double *now)
{
    const double dt = s->water->dt;
    const double from[3] = {p[0] - dt * v[0], p[1] - dt * v[1], p[2] - dt * v[2]};
    const double old = s->level_at(&s->view, from, normal);
    const double level = s->level_at(&s->view, p, normal);
    *before = old > RL_NO_WATER ? from[2] - old : 1e30;
    *now = level > RL_NO_WATER ? p[2] - level : 1e30;
}

// Heights of the corners of a triangle. Between them the surface is taken as flat: to query it at
// every sample would take longer than all the rest.
typedef struct corner_heights {
    double before[3], now[3];
} corner_heights;

// Whether some of a triangle may sweep through the surface.
static bool may_splash(const splashing *s, const rl_triangle *t, corner_heights *at)
{
    static const double third[3] = {1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0};
    double middle[3], flow[3], lowest = 1e30, highest = -1e30;
    rl_wet_columns columns;
    rl_samples_mix((const double(*)[3])t->p, third, middle);
    if (!rl_samples_columns(&s->view, middle, &columns))
        return false;
    rl_samples_flow(&s->view, &columns, flow);
    bool fast = false;
    for (int c = 0; c < 3; c++)
        fast =
            fast || sqrt(rl_square_distance(t->v[c], flow)) > (double)s->bodies->def.splash_speed;
    if (!fast)
        return false;
    for (int c = 0; c < 3; c++) {
        heights(s, t->p[c], t->v[c], t->normal, &at->before[c], &at->now[c]);
        lowest = fmin(lowest, fmin(at->before[c], at->now[c]));
        highest = fmax(highest, fmax(at->before[c], at->now[c]));
    }
    return lowest < 0.0 && highest >= 0.0;
}

// The velocity of lumps (Chentanez and Müller section 2.4.4).
static void lump_velocity(const rill_bodies_def *def, const sample *at, double out[3])
{
    const double *r = at->through, *n = at->normal;
    const double along = rl_dot(r, n);
    const double lift = (double)def->splash_lift * fabs(r[2]);
    const double mirrored[3] = {r[0], r[1], -r[2]};
    for (int k = 0; k < 3; k++) {
        const double normal = along * n[k];
        out[k] = at->flow[k] + (double)def->splash_normal * normal +
                 (double)def->splash_along * (r[k] - normal) + lift * n[k] +
                 (double)def->splash_mirror * mirrored[k];
    }
    // A face that comes down drives its water down, where there is water already. What comes up
    // before it is the mirrored part.
    if (out[2] < at->flow[2])
        out[2] = at->flow[2] + (double)def->splash_mirror * fabs(r[2]);
}

static void throw_lump(splashing *s, const sample *at, int q)
{
    const double r = s->radius, jitter = r * 0.57735026918962576; // a cube inside the ball
    double velocity[3];
    RL_ASSERT(s->count < s->most);
    rl_splash *lump = &s->out[s->count++];
    lump_velocity(&s->bodies->def, at, velocity);
    for (int k = 0; k < 3; k++) {
        double place = at->p[k] + 2.0 * r * q * at->normal[k] + jitter * (2.0 * draw(s) - 1.0);
        if (k == 2)
            place = fmax(place, at->level + r);
        lump->position[k] = (float)place;
        lump->velocity[k] = (float)velocity[k];
    }
    const rill_columns *c = &s->view.columns;
    lump->i = rl_cell_of((double)lump->position[0], s->view.cell_size, c->nx);
    lump->j = rl_cell_of((double)lump->position[1], s->view.cell_size, c->ny);
    lump->body = s->body;
    lump->rise = (float)at->flow[2];
    lump->through = (float)at->through[2];
    memset(lump->gained, 0, sizeof lump->gained);
}

// Finds how a sample moves through the water. False where there is none.
static bool query_sample(const splashing *s, const rl_triangle *t, const double weights[3],
                         sample *at)
{
    double v[3];
    rl_wet_columns columns;
    rl_samples_mix((const double(*)[3])t->p, weights, at->p);
    rl_samples_mix((const double(*)[3])t->v, weights, v);
    memcpy(at->normal, t->normal, sizeof at->normal);
    at->area = t->area / ((double)t->parts * t->parts);
    at->level = s->level_at(&s->view, at->p, at->normal);
    if (!(at->level > RL_NO_WATER) || !rl_samples_columns(&s->view, at->p, &columns))
        return false;
    rl_samples_flow(&s->view, &columns, at->flow);
    rl_vector_between(at->flow, v, at->through);
    at->speed = sqrt(rl_dot(at->through, at->through));
    return true;
}

static void splash_sample(splashing *s, const rl_triangle *t, const corner_heights *heights_at,
                          const rl_piece *piece)
{
    double weights[3];
    for (int k = 0; k < 3; k++)
        weights[k] = (piece->at[0][k] + piece->at[1][k] + piece->at[2][k]) / 3.0;
    const bool was_below = rl_dot(weights, heights_at->before) < 0.0;
    sample at;
    if (was_below == (rl_dot(weights, heights_at->now) < 0.0) || !query_sample(s, t, weights, &at))
        return;
    const double above = at.speed - (double)s->bodies->def.splash_speed;
    if (!(above > 0.0))
        return;
    const double swept = at.area * at.speed * s->water->dt;
    const double wanted = (double)s->bodies->def.splash_amount * above * swept / s->volume;
    const double rounded = fmin(wanted + draw(s), 1e9); // what is more than that is as good as that
    const int lumps = (int)fmin(rounded, MOST_OF_SAMPLE);
    int thrown = 0;
    for (; thrown < lumps && s->count < s->most; thrown++)
        throw_lump(s, &at, thrown);
    // Those after them are what they would be if these had been thrown.
    s->drawn += DRAWS_OF_LUMP * (uint64_t)(lumps - thrown);
    s->left_out += (uint64_t)rounded - (uint64_t)thrown;
}

static void splash_body(splashing *s, const rl_body *body)
{
    s->body = (int)(body - s->bodies->items);
    s->level_at = rl_samples_passes(body) ? rl_samples_level : rl_samples_head;
    for (int t = 0; t < body->triangle_count; t++) {
        rl_triangle triangle;
        corner_heights at;
        if (!rl_samples_triangle(s->bodies, body, t, PI * s->radius * s->radius, &triangle) ||
            !may_splash(s, &triangle, &at))
            continue;
        for (int row = 0; row < triangle.parts; row++)
            for (int n = 0; n < 2 * (triangle.parts - row) - 1; n++) {
                const rl_piece piece = rl_samples_piece(triangle.parts, row, n);
                splash_sample(s, &triangle, &at, &piece);
            }
    }
}

int rl_bodies_splash(rl_bodies *bodies, const rl_body_water *water, double volume, double radius,
                     uint64_t seed, rl_splash *out, int most, uint64_t *left_out)
{
    splashing s = {.bodies = bodies,
                   .water = water,
                   .view = rl_samples_view(bodies, water),
                   .volume = volume,
                   .radius = radius,
                   .seed = seed,
                   .out = out,
                   .most = most};
    if (!(bodies->def.splash_amount > 0.0f) || !(volume > 0.0) || !(radius > 0.0))
        return 0;
    for (int n = 0; n < bodies->def.max_bodies; n++) {
        const rl_body *body = &bodies->items[n];
        if (body->alive && body->def.coupling != RILL_COUPLING_NONE)
            splash_body(&s, body);
    }
    *left_out += s.left_out;
    return s.count;
}
