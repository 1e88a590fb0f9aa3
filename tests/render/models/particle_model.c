// SPDX-License-Identifier: MIT
#include "tests/render/models/particle_model.h"

#include "render/frame/frame_data_particles.h"
#include "render/frame/frame_data_solid.h"
#include "render/half.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI      3.14159265358979323846
#define CELL    0.25
#define ALONG_X 64
#define ALONG_Y 48
#define CLIFF   8.0            // y of the edge, metres
#define RADIUS  (0.125 * CELL) // of a splash

static void *need(void *memory)
{
    if (memory == NULL)
        abort();
    return memory;
}

static double smooth(double low, double high, double x)
{
    const double t = fmin(fmax((x - low) / (high - low), 0.0), 1.0);
    return t * t * (3.0 - 2.0 * t);
}

// ---- Land and water --------------------------------------------------------------------

static double bed_at(double x, double y)
{
    const double bank = smooth(2.4, 3.6, fabs(x - 8.0 - 0.5 * sin(0.9 * y)));
    const double upper = 3.0 + 0.9 * bank + 0.06 * sin(2.1 * x) * cos(1.7 * y);
    const double shore =
        smooth(4.6, 7.4, fabs(x - 8.0)) + smooth(6.0, 9.5, hypot(x - 8.0, y - 4.0));
    const double lower = -0.2 + 1.0 * shore + 0.08 * sin(1.3 * x + 0.4) * cos(1.1 * y);
    const double edge = CLIFF + 0.25 * sin(1.7 * x) * bank;
    return lower + (upper - lower) * smooth(edge - 0.15, edge + 0.1, y);
}

// Rings run out from the foot of the fall. Above it there is water between the banks only, not in
// the bays of the cliff beside them.
static double level_at(double x, double y)
{
    if (y > CLIFF && fabs(x - 8.0 - 0.5 * sin(0.9 * y)) < 2.9)
        return 3.32 - 0.25 * smooth(CLIFF + 1.2, CLIFF, y);
    const double foot = hypot(fmax(fabs(x - 8.0) - 2.0, 0.0), y - 6.9);
    const double rings = 0.05 * exp(-0.25 * foot) * sin(4.5 * foot);
    return 0.75 + rings + 0.02 * sin(1.9 * x + 0.7 * y) + 0.015 * sin(1.1 * x - 2.3 * y);
}

static void add_vertex(frame_data *s, double x, double y)
{
    const double h = 0.01, z = level_at(x, y);
    const double slope_x = (level_at(x + h, y) - level_at(x - h, y)) / (2.0 * h);
    const double slope_y = (level_at(x, y + h) - level_at(x, y - h)) / (2.0 * h);
    const bool jumps = fabs(slope_y) > 2.0; // across the edge of the cliff
    const double steep = jumps ? 1.0 : sqrt(1.0 + slope_x * slope_x + slope_y * slope_y);
    const double depth = fmax(z - bed_at(x, y), 0.0);
    s->vertices[s->vertex_count++] = (frame_vertex){
        .position = {(float)x, (float)y, (float)z},
        .normal = {frame_pack_unit(jumps ? 0.0f : (float)(-slope_x / steep)),
                   frame_pack_unit(jumps ? 0.0f : (float)(-slope_y / steep))},
        .velocity = {0, half_from_float(y > CLIFF ? -1.5f : -0.4f)},
        .depth = half_from_float((float)depth),
        .opacity = half_from_float((float)fmin(depth / 0.3, 1.0)),
    };
}

// Quads of half a cell from y = `from` to `to`.
static void add_sheet(frame_data *s, double from, double to)
{
    const uint32_t across = 2 * ALONG_X, along = (uint32_t)((to - from) / (0.5 * CELL) + 0.5);
    const uint32_t first = (uint32_t)s->vertex_count, row = across + 1;
    s->vertex_capacity += row * (along + 1);
    s->index_capacity += (size_t)6 * across * along;
    s->vertices = need(realloc(s->vertices, s->vertex_capacity * sizeof *s->vertices));
    s->indices = need(realloc(s->indices, s->index_capacity * sizeof *s->indices));
    for (uint32_t j = 0; j <= along; j++)
        for (uint32_t i = 0; i <= across; i++)
            add_vertex(s, 0.5 * CELL * i, from + (to - from) * j / along);
    for (uint32_t j = 0; j < along; j++)
        for (uint32_t i = 0; i < across; i++) {
            const uint32_t a = first + j * row + i;
            const uint32_t corners[6] = {a, a + 1, a + row + 1, a, a + row + 1, a + row};
            if (s->vertices[a].depth + s->vertices[a + 1].depth + s->vertices[a + row].depth +
                    s->vertices[a + row + 1].depth ==
                0)
                continue;
            memcpy(&s->indices[s->index_count], corners, sizeof corners);
            s->index_count += 6;
        }
}

rill_view picture_model_quiet_fall(frame_data *s)
{
    static const rill_camera_key eye = {
        .position = {5.0, -1.4, 2.6}, .target = {7.5, 6.0, 1.2}, .field_of_view = 44.0};
    s->nx = ALONG_X;
    s->ny = ALONG_Y;
    s->cell_size = (float)CELL;
    s->gravity = 9.81f;
    s->wet_depth = 1e-3f;
    s->ground_version = 1;
    s->columns = need(calloc((size_t)ALONG_X * ALONG_Y, sizeof *s->columns));
    s->bed = need(calloc((size_t)ALONG_X * ALONG_Y, sizeof *s->bed));
    for (int j = 0; j < ALONG_Y; j++)
        for (int i = 0; i < ALONG_X; i++) {
            const double x = (i + 0.5) * CELL, y = (j + 0.5) * CELL, bed = bed_at(x, y);
            const double depth = fmax(level_at(x, y) - bed, 0.0);
            s->bed[j * ALONG_X + i] = (float)bed;
            s->columns[j * ALONG_X + i] = (frame_column){
                .depth = half_from_float((float)depth),
                .velocity = {0, half_from_float(y > CLIFF ? -1.5f : -0.4f)},
                .wetness = half_from_float(depth > 0.0 ? 1.0f : 0.0f),
            };
        }
    add_sheet(s, 0.0, CLIFF);
    add_sheet(s, CLIFF + 0.01, ALONG_Y * CELL);
    rill_view look = rill_default_view();
    look.time_of_day = 14.0;
    look.heading = 40.0;
    look.camera = &eye;
    look.camera_count = 1;
    return look;
}

// ---- Particles -------------------------------------------------------------------------

#define MOST 400000

// Grows while a model is made.
typedef struct pool {
    float *numbers[10]; // as in rill_particles
    uint8_t *kind;
    size_t count;
    double radius; // of a splash, metres
    uint32_t seed;
} pool;

static double chance(pool *p)
{
    p->seed = p->seed * 1664525u + 1013904223u;
    return (double)(p->seed >> 8) / 16777216.0;
}

// About a normal distribution, with a standard deviation of 1 and no far outliers.
static double spread(pool *p)
{
    return 2.0 * (chance(p) + chance(p) + chance(p) - 1.5);
}

typedef struct flight {
    double place[3], velocity[3];
} flight;

static void add(pool *p, rill_particle_kind kind, const flight *f, double radius, double age,
                double life)
{
    if (p->count == MOST)
        abort();
    const double numbers[9] = {
        f->place[0], f->place[1], f->place[2], f->velocity[0], f->velocity[1], f->velocity[2],
        radius,      age,         life};
    for (int k = 0; k < 9; k++)
        p->numbers[k][p->count] = (float)numbers[k];
    p->kind[p->count++] = (uint8_t)kind;
}

// Flies for `t` seconds.
static void fly(flight *f, double t)
{
    for (int k = 0; k < 3; k++)
        f->place[k] += f->velocity[k] * t;
    f->place[2] -= 0.5 * 9.81 * t * t;
    f->velocity[2] -= 9.81 * t;
}

static bool in_air(const flight *f)
{
    return f->place[2] > level_at(f->place[0], f->place[1]) &&
           f->place[2] > bed_at(f->place[0], f->place[1]);
}

// Over the edge where the river is deep enough, in strands that a rock parts.
static void add_curtain(pool *p, int count)
{
    for (int n = 0; n < count; n++) {
        const double x = 5.4 + 5.2 * chance(p), t = 0.72 * chance(p);
        const double depth = level_at(x, CLIFF + 0.05) - bed_at(x, CLIFF + 0.3);
        const double strand = 0.55 + 0.45 * sin(7.0 * x) * sin(3.1 * x + 1.0);
        flight f = {{x, CLIFF + 0.05, 3.02 + 0.1 * chance(p)},
                    {0.12 * spread(p), -1.7 + 0.18 * spread(p), 0.12 * spread(p)}};
        const double wanted = depth * 4.0 * strand;
        fly(&f, t);
        if (chance(p) < wanted && in_air(&f))
            add(p, RILL_PARTICLE_SPLASH, &f, p->radius, t + 0.1, 0.0);
    }
}

// A ring of water thrown up and out, with fingers at its rim.
static void add_crown(pool *p, int count)
{
    for (int n = 0; n < count; n++) {
        const double angle = 2.0 * PI * chance(p), part = chance(p);
        const double finger = 1.0 + 0.16 * sin(11.0 * angle) + 0.08 * sin(17.0 * angle + 1.0);
        const double up = (0.4 + 2.6 * part) * finger, out = 0.75 + 0.35 * part;
        flight f = {{6.0 + 0.3 * cos(angle), 2.2 + 0.3 * sin(angle), 0.72},
                    {out * cos(angle) + 0.05 * spread(p), out * sin(angle) + 0.05 * spread(p),
                     up + 0.08 * spread(p)}};
        fly(&f, 0.26);
        if (!in_air(&f))
            continue;
        const bool torn = part > 0.93;
        add(p, torn ? RILL_PARTICLE_SPRAY : RILL_PARTICLE_SPLASH, &f,
            torn ? 0.5 * p->radius : p->radius, 0.26 + 0.02 * chance(p), 0.0);
    }
}

// Mist around the foot of the fall.
static void add_spray(pool *p, int count)
{
    for (int n = 0; n < count; n++) {
        const double t = 0.55 * chance(p);
        flight f = {{5.6 + 4.8 * chance(p), 6.7 + 0.25 * spread(p), 0.8},
                    {1.1 * spread(p), -0.9 + 0.9 * spread(p), 2.4 * chance(p) + 0.5 * chance(p)}};
        fly(&f, t);
        if (in_air(&f))
            add(p, RILL_PARTICLE_SPRAY, &f, 0.5 * p->radius, t, 0.0);
    }
}

// Born at the foot, carried away by the stream and torn into bands by it.
static void add_foam(pool *p, int count)
{
    for (int n = 0; n < count; n++) {
        const double life = 4.0 * (1.0 + 0.5 * (2.0 * chance(p) - 1.0)), age = life * chance(p);
        const double lane = 8.0 + 1.1 * spread(p) + 0.35 * sin(9.0 * chance(p));
        flight f = {{lane + 0.5 * sin(1.4 * age + lane), 6.9 - 1.3 * age + 0.25 * spread(p), 0.0},
                    {0.0, -1.3, 0.0}};
        f.place[2] = level_at(f.place[0], f.place[1]);
        if (f.place[1] > 0.0 && in_air(&(flight){{f.place[0], f.place[1], f.place[2] + 1e-3}, {0}}))
            add(p, RILL_PARTICLE_FOAM, &f, 2.0 * p->radius, age, life);
    }
}

rill_view particle_model_dense(frame_data *s, int times)
{
    pool p = {.seed = 1u, .radius = RADIUS / cbrt(times)};
    for (int k = 0; k < 10; k++)
        p.numbers[k] = need(calloc(MOST, sizeof(float)));
    p.kind = need(calloc(MOST, 1));
    add_curtain(&p, 9000 * times);
    add_crown(&p, 2500 * times);
    add_spray(&p, 5000 * times);
    add_foam(&p, 2500 * times);
    const rill_particles all = {.count = p.count,
                                .x = p.numbers[0],
                                .y = p.numbers[1],
                                .z = p.numbers[2],
                                .velocity_x = p.numbers[3],
                                .velocity_y = p.numbers[4],
                                .velocity_z = p.numbers[5],
                                .radius = p.numbers[6],
                                .age = p.numbers[7],
                                .life = p.numbers[8],
                                .volume = p.numbers[9],
                                .kind = p.kind};
    const rill_view look = picture_model_quiet_fall(s);
    if (frame_set_particles(s, &all) != RILL_OK)
        abort();
    for (int k = 0; k < 10; k++)
        free(p.numbers[k]);
    free(p.kind);
    return look;
}

rill_view picture_model_fall(frame_data *s)
{
    return particle_model_dense(s, 1);
}

rill_view picture_model_flood(frame_data *s)
{
    static const rill_camera_key eye = {
        .position = {4.2, 0.4, 1.7}, .target = {7.0, 4.2, 1.35}, .field_of_view = 52.0};
    rill_view look = picture_model_fall(s);
    rill_liquid_find("silt", &look.liquid);
    look.time_of_day = 15.5;
    look.heading = 215.0;
    look.camera = &eye;
    return look;
}
