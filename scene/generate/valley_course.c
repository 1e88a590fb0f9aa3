// SPDX-License-Identifier: MIT
// valley_course.c - the course of a river through a valley.
#include "scene/generate/generate_internal.h"

#include "scene/scene_assert.h"

#include <math.h>

#define FAR           1e30
#define LATTICE_PARTS 6.0  // of the reach
#define BEND_LAG      0.35 // widths downstream of a bend, where its pool lies
#define MOST_BEND     0.45 // widths per radius that count as a full bend

bool rl_course_create(const rill_allocator *allocator, int count, rl_course *out)
{
    RL_ASSERT(count >= 2);
    *out = (rl_course){.count = count, .allocator = allocator};
    out->bytes = 4 * (size_t)count * sizeof(double);
    out->x = rill_alloc(allocator, out->bytes);
    if (out->x == NULL)
        return false;
    out->y = out->x + count;
    out->s = out->y + count;
    out->bend = out->s + count;
    return true;
}

void rl_course_destroy(rl_course *course)
{
    rill_free(course->allocator, course->x, course->bytes);
    rill_free(course->allocator, course->nearest, course->nearest_bytes);
    *course = (rl_course){0};
}

// ---- Measures --------------------------------------------------------------------------

static double clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

// Returns the sine of the turn from the stretch around `a` to that around `b`.
static double turn(const rl_course *c, int a, int b)
{
    RL_ASSERT(a >= 0 && b < c->count);
    const int a0 = a > 0 ? a - 1 : 0, b1 = b + 1 < c->count ? b + 1 : c->count - 1;
    const double ax = c->x[a] - c->x[a0], ay = c->y[a] - c->y[a0];
    const double bx = c->x[b1] - c->x[b], by = c->y[b1] - c->y[b];
    const double lengths = sqrt((ax * ax + ay * ay) * (bx * bx + by * by));
    return lengths > 0.0 ? (ax * by - ay * bx) / lengths : 0.0;
}

void rl_course_measure(rl_course *course, double width)
{
    for (int n = 1; n < course->count; n++) {
        const double dx = course->x[n] - course->x[n - 1], dy = course->y[n] - course->y[n - 1];
        course->s[n] = course->s[n - 1] + sqrt(dx * dx + dy * dy);
    }
    const double step = course->s[course->count - 1] / (course->count - 1);
    const int half = (int)(0.5 * width / step) + 1, lag = (int)(BEND_LAG * width / step);
    for (int n = 0; n < course->count; n++) {
        const int last = course->count - 1;
        const int a = (int)clamp(n - lag - half, 0, last), b = (int)clamp(n - lag + half, 0, last);
        const double along = course->s[b] - course->s[a];
        const double bend = along > 0.0 ? turn(course, a, b) * width / along : 0.0;
        course->bend[n] = clamp(bend / MOST_BEND, -1.0, 1.0);
    }
}

// ---- Places ----------------------------------------------------------------------------

static double square_distance(const rl_course *c, int n, double x, double y)
{
    const double dx = x - c->x[n], dy = y - c->y[n];
    return dx * dx + dy * dy;
}

bool rl_course_index(rl_course *course, double width, double height, double reach)
{
    course->reach = reach;
    course->lattice = reach / LATTICE_PARTS;
    const double longest = width > height ? width : height;
    if (course->lattice < longest / 256.0) // enough to start from
        course->lattice = longest / 256.0;
    course->lattice_nx = (int)(width / course->lattice) + 2;
    course->lattice_ny = (int)(height / course->lattice) + 2;
    course->nearest_bytes =
        (size_t)course->lattice_nx * (size_t)course->lattice_ny * sizeof *course->nearest;
    course->nearest = rill_alloc(course->allocator, course->nearest_bytes);
    if (course->nearest == NULL)
        return false;
    const double far = reach + 1.5 * course->lattice;
    for (int j = 0; j < course->lattice_ny; j++)
        for (int i = 0; i < course->lattice_nx; i++) {
            double least = far * far;
            int nearest = -1;
            for (int n = 0; n < course->count; n++) {
                const double d =
                    square_distance(course, n, i * course->lattice, j * course->lattice);
                if (d < least) {
                    least = d;
                    nearest = n;
                }
            }
            course->nearest[j * course->lattice_nx + i] = nearest;
        }
    return true;
}

// Walks along the line as long as it comes nearer.
static int walk(const rl_course *c, int from, double x, double y, double *least)
{
    *least = square_distance(c, from, x, y);
    for (int turn_to = -1; turn_to <= 1; turn_to += 2)
        for (int n = from + turn_to; n >= 0 && n < c->count; n += turn_to) {
            const double d = square_distance(c, n, x, y);
            if (d >= *least)
                break;
            *least = d;
            from = n;
        }
    return from;
}

// Finds the foot on the stretch from point n to n + 1.
static void drop(const rl_course *c, int n, double x, double y, double *least,
                 rl_course_place *place)
{
    if (n < 0 || n + 1 >= c->count)
        return;
    const double tx = c->x[n + 1] - c->x[n], ty = c->y[n + 1] - c->y[n];
    const double px = x - c->x[n], py = y - c->y[n];
    const double part = clamp((px * tx + py * ty) / (tx * tx + ty * ty), 0.0, 1.0);
    const double dx = px - part * tx, dy = py - part * ty, d = dx * dx + dy * dy;
    if (d >= *least)
        return;
    *least = d;
    place->distance = tx * dy - ty * dx >= 0.0 ? sqrt(d) : -sqrt(d);
    place->s = c->s[n] + part * (c->s[n + 1] - c->s[n]);
    place->bend = c->bend[n] + part * (c->bend[n + 1] - c->bend[n]);
}

rl_course_place rl_course_locate(const rl_course *course, double x, double y)
{
    RL_ASSERT(course->count >= 2);
    rl_course_place place = {.distance = FAR};
    const int i = (int)clamp(x / course->lattice, 0.0, course->lattice_nx - 2);
    const int j = (int)clamp(y / course->lattice, 0.0, course->lattice_ny - 2);
    double least = FAR;
    int best = -1;
    for (int k = 0; k < 4; k++) {
        const int start = course->nearest[(j + k / 2) * course->lattice_nx + i + k % 2];
        double d;
        if (start < 0)
            continue;
        const int n = walk(course, start, x, y, &d);
        if (d < least) {
            least = d;
            best = n;
        }
    }
    if (best < 0 || least > course->reach * course->reach)
        return place;
    least = FAR;
    drop(course, best - 1, x, y, &least, &place);
    drop(course, best, x, y, &least, &place);
    return place;
}
