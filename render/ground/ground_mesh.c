// SPDX-License-Identifier: MIT
// ground_mesh.c - divides the quads of a terrain into few triangles within a bound of error.
#include "render/ground/ground_mesh.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

typedef struct point {
    int i, j;
} point;

static int number(point p)
{
    return p.j * (GROUND_CHUNK + 1) + p.i;
}

static point middle(point a, point b)
{
    return (point){(a.i + b.i) / 2, (a.j + b.j) / 2};
}

// The long side is a b, the right angle is at c. A triangle with short sides of one is not halved.
static bool smallest(point a, point b, point c)
{
    (void)b;
    return (a.i > c.i ? a.i - c.i : c.i - a.i) + (a.j > c.j ? a.j - c.j : c.j - a.j) <= 1;
}

static int least(int a, int b, int c)
{
    const int ab = a < b ? a : b;
    return ab < c ? ab : c;
}

static int most(int a, int b, int c)
{
    return -least(-a, -b, -c);
}

// Returns true when the triangle lies on both sides of the world's border, where it must be cut.
static bool crosses(point a, point b, point c, int wide, int high)
{
    return (least(a.i, b.i, c.i) < wide && most(a.i, b.i, c.i) > wide) ||
           (least(a.j, b.j, c.j) < high && most(a.j, b.j, c.j) > high);
}

static bool outside(point a, point b, point c, int wide, int high)
{
    return least(a.i, b.i, c.i) >= wide || least(a.j, b.j, c.j) >= high;
}

// ---- Measuring -------------------------------------------------------------------------

typedef struct measurement {
    const float *heights;
    const bool *fixed;
    int wide, high;
    float *errors;
    bool changed;
} measurement;

// Returns the error at the middle of a b: its own distance from the side, or that of any middle
// below.
static float measure(measurement *m, point a, point b, point c)
{
    if (smallest(a, b, c))
        return 0.0f;
    const point mid = middle(a, b);
    const int n = number(mid);
    float error = fabsf(m->heights[n] - 0.5f * (m->heights[number(a)] + m->heights[number(b)]));
    const float left = measure(m, c, a, mid), right = measure(m, b, c, mid);
    error = left > error ? left : error;
    error = right > error ? right : error;
    const bool stays = m->fixed != NULL && m->fixed[n];
    error = stays || crosses(a, b, c, m->wide, m->high) ? INFINITY : error;
    if (m->errors[n] < error) {
        m->errors[n] = error;
        m->changed = true;
    }
    return m->errors[n];
}

static const point corners[4] = {
    {0, 0}, {GROUND_CHUNK, 0}, {GROUND_CHUNK, GROUND_CHUNK}, {0, GROUND_CHUNK}};

void ground_mesh_measure(const float *heights, const bool *fixed, int wide, int high,
                         ground_errors *errors)
{
    memset(errors, 0, sizeof *errors);
    measurement m = {heights, fixed, wide, high, errors->at, true};
    // A middle belongs to two triangles, of which the one visited later may raise it; so passes
    // repeat until all errors above it are as large.
    while (m.changed) {
        m.changed = false;
        measure(&m, corners[0], corners[2], corners[1]);
        measure(&m, corners[2], corners[0], corners[3]);
    }
}

// ---- Building --------------------------------------------------------------------------

typedef struct network {
    const float *errors;
    int wide, high;
    float bound;
    uint16_t *indices;
    int count;
    bool used[GROUND_POINTS];
} network;

static void split(network *n, point a, point b, point c)
{
    if (outside(a, b, c, n->wide, n->high))
        return;
    const point mid = middle(a, b);
    if (!smallest(a, b, c) && n->errors[number(mid)] > n->bound) {
        split(n, c, a, mid);
        split(n, b, c, mid);
        return;
    }
    const point triangle[3] = {a, b, c};
    // Halving turns every second triangle over; the order a, c, b is counter-clockwise always.
    static const int order[3] = {0, 2, 1};
    for (int k = 0; k < 3; k++) {
        const int p = number(triangle[order[k]]);
        n->indices[n->count++] = (uint16_t)p;
        n->used[p] = true;
    }
}

void ground_mesh_edge(int k, int *i, int *j)
{
    const int along = k % GROUND_CHUNK;
    switch (k / GROUND_CHUNK) {
    case 0:
        *i = along;
        *j = 0;
        break;
    case 1:
        *i = GROUND_CHUNK;
        *j = along;
        break;
    case 2:
        *i = GROUND_CHUNK - along;
        *j = GROUND_CHUNK;
        break;
    default:
        *i = 0;
        *j = GROUND_CHUNK - along;
        break;
    }
}

static int edge_number(int k)
{
    point p;
    ground_mesh_edge(k % GROUND_HEM, &p.i, &p.j);
    return number(p);
}

// Adds quads between the edge points that the network uses and the hem below them.
static void add_hem(network *n)
{
    int from = 0;
    for (int k = 1; k <= GROUND_HEM; k++) {
        if (!n->used[edge_number(k)] && k % GROUND_CHUNK != 0)
            continue;
        if (n->used[edge_number(from)] && n->used[edge_number(k)]) {
            const uint16_t a = (uint16_t)(GROUND_POINTS + from);
            const uint16_t b = (uint16_t)(GROUND_POINTS + k % GROUND_HEM);
            const uint16_t c = (uint16_t)edge_number(k), d = (uint16_t)edge_number(from);
            const uint16_t quad[6] = {a, b, c, a, c, d};
            memcpy(n->indices + n->count, quad, sizeof quad);
            n->count += 6;
        }
        from = k;
    }
}

int ground_mesh_build(const ground_errors *errors, int wide, int high, float bound,
                      uint16_t *indices)
{
    network n = {
        .errors = errors->at, .wide = wide, .high = high, .bound = bound, .indices = indices};
    split(&n, corners[0], corners[2], corners[1]);
    split(&n, corners[2], corners[0], corners[3]);
    add_hem(&n);
    return n.count;
}
