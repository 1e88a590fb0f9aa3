// SPDX-License-Identifier: MIT
// camera.c - the geometry of a view: three axes of the picture, and all directions as sums of them.
#include "render/camera.h"

#include "render/render_error.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEGREE          0.017453292519943295 // radians
#define STEEPEST        89.0                 // degrees: beyond, left and right would swap
#define NEAREST         1e-7                 // metres from eye to target when zooming
#define FARTHEST        1e8
#define OVERVIEW_FIELD  40.0 // degrees
#define OVERVIEW_DOWN   30.0 // degrees below the horizon
#define OVERVIEW_WEST   20.0 // degrees from south: two sides show, so the eye sees depth
#define OVERVIEW_ASPECT (16.0 / 9.0)
#define OVERVIEW_FILLED 0.94 // of the picture's width or height
#define DEFAULT_FIELD   45.0 // degrees
#define LARGEST_NUMBER  1e9  // metres or seconds in text

// ---- Vectors ---------------------------------------------------------------------------

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static void move(double point[3], const double along[3], double distance)
{
    for (int k = 0; k < 3; k++)
        point[k] += along[k] * distance;
}

static double between(const double a[3], const double b[3])
{
    const double d[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    return sqrt(dot(d, d));
}

// The picture's axes in the world: to its right, to its upper edge, and into it.
typedef struct axes {
    double right[3], up[3], forward[3];
} axes;

// Seen straight from above, north is up; an eye that stands on its target looks north.
static axes axes_of(const camera *c)
{
    axes a = {.right = {1.0, 0.0, 0.0}, .forward = {0.0, 1.0, 0.0}};
    const double distance = between(c->position, c->target);
    if (distance > 0.0)
        for (int k = 0; k < 3; k++)
            a.forward[k] = (c->target[k] - c->position[k]) / distance;
    const double level = hypot(a.forward[0], a.forward[1]);
    if (level > 1e-9) {
        a.right[0] = a.forward[1] / level;
        a.right[1] = -a.forward[0] / level;
    }
    cross(a.right, a.forward, a.up);
    return a;
}

// Half the picture's height and width at one metre from the eye.
static void opening(double field_of_view, double aspect, double *wide, double *high)
{
    *high = tan(0.5 * DEGREE * field_of_view);
    *wide = *high * aspect;
}

static double box_diagonal(const camera_bounds *b)
{
    return between(b->low, b->high);
}

static void box_corner(const camera_bounds *b, int k, double out[3])
{
    for (int axis = 0; axis < 3; axis++)
        out[axis] = (k >> axis & 1) != 0 ? b->high[axis] : b->low[axis];
}

// ---- The whole world -------------------------------------------------------------------

// The nearest eye that still sees all corners, its direction being given. With a corner at r, u, f
// to the right, up and forward, and the eye at R, U, F, the corner is left of the right edge where
// r - R <= wide (f - F), so R - wide F >= max(r - wide f); the other three edges likewise. Two
// opposite edges give R and the largest F; the smaller F of both pairs serves all four.
static void step_back(camera *c, const camera_bounds *bounds, double wide, double high)
{
    const axes a = axes_of(c);
    double edge[4] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};
    for (int k = 0; k < 8; k++) {
        double corner[3];
        box_corner(bounds, k, corner);
        const double r = dot(corner, a.right), u = dot(corner, a.up), f = dot(corner, a.forward);
        edge[0] = fmax(edge[0], r - wide * f);
        edge[1] = fmax(edge[1], -r - wide * f);
        edge[2] = fmax(edge[2], u - high * f);
        edge[3] = fmax(edge[3], -u - high * f);
    }
    const double right = 0.5 * (edge[0] - edge[1]), up = 0.5 * (edge[2] - edge[3]);
    const double forward =
        fmin(-0.5 * (edge[0] + edge[1]) / wide, -0.5 * (edge[2] + edge[3]) / high);
    const double middle = dot(c->target, a.forward);
    for (int k = 0; k < 3; k++) {
        const double level = a.right[k] * right + a.up[k] * up;
        c->position[k] = level + a.forward[k] * forward;
        c->target[k] = level + a.forward[k] * middle;
    }
}

camera camera_overview(const camera_bounds *bounds)
{
    camera c = {.field_of_view = OVERVIEW_FIELD};
    const double level = cos(DEGREE * OVERVIEW_DOWN);
    const double away[3] = {-level * sin(DEGREE * OVERVIEW_WEST),
                            -level * cos(DEGREE * OVERVIEW_WEST), sin(DEGREE * OVERVIEW_DOWN)};
    for (int k = 0; k < 3; k++)
        c.target[k] = c.position[k] = 0.5 * (bounds->low[k] + bounds->high[k]);
    const double diagonal = box_diagonal(bounds);
    move(c.position, away, diagonal > 0.0 ? diagonal : 1.0);
    if (!(diagonal > 0.0))
        return c;
    double wide, high;
    opening(c.field_of_view, OVERVIEW_ASPECT, &wide, &high);
    step_back(&c, bounds, OVERVIEW_FILLED * wide, OVERVIEW_FILLED * high);
    return c;
}

// ---- Along keys ------------------------------------------------------------------------

// Values of a key that move: three of the position, three of the target, the field of view.
#define KEY_VALUES 7

static void key_values(const rill_camera_key *key, double out[KEY_VALUES])
{
    memcpy(out, key->position, sizeof key->position);
    memcpy(out + 3, key->target, sizeof key->target);
    out[6] = key->field_of_view;
}

static camera camera_of_values(const double v[KEY_VALUES])
{
    camera c = {.field_of_view = fmin(fmax(v[6], 1.0), 150.0)};
    memcpy(c.position, v, sizeof c.position);
    memcpy(c.target, v + 3, sizeof c.target);
    return c;
}

// Velocity at key k: that of the parabola through it and its neighbours, which is what Catmull-Rom
// splines have where knots are times. The path starts and ends at rest.
static void key_velocity(const rill_camera_key *keys, int count, int k, double out[KEY_VALUES])
{
    memset(out, 0, KEY_VALUES * sizeof *out);
    if (k == 0 || k == count - 1)
        return;
    double before[KEY_VALUES], here[KEY_VALUES], after[KEY_VALUES];
    key_values(&keys[k - 1], before);
    key_values(&keys[k], here);
    key_values(&keys[k + 1], after);
    const double h = keys[k].time - keys[k - 1].time, g = keys[k + 1].time - keys[k].time;
    for (int i = 0; i < KEY_VALUES; i++) {
        const double came = (here[i] - before[i]) / h, goes = (after[i] - here[i]) / g;
        out[i] = (came * g + goes * h) / (h + g);
    }
}

camera camera_on_path(const rill_camera_key *keys, int count, double time)
{
    double a[KEY_VALUES], b[KEY_VALUES], va[KEY_VALUES], vb[KEY_VALUES], out[KEY_VALUES];
    int k = 0;
    while (k < count - 1 && time >= keys[k + 1].time)
        k++;
    key_values(&keys[k], a);
    if (k == count - 1 || time <= keys[k].time)
        return camera_of_values(a);
    key_values(&keys[k + 1], b);
    key_velocity(keys, count, k, va);
    key_velocity(keys, count, k + 1, vb);
    const double length = keys[k + 1].time - keys[k].time, s = (time - keys[k].time) / length;
    const double s2 = s * s, s3 = s2 * s; // cubic Hermite
    for (int i = 0; i < KEY_VALUES; i++)
        out[i] = (2.0 * s3 - 3.0 * s2 + 1.0) * a[i] + (s3 - 2.0 * s2 + s) * length * va[i] +
                 (3.0 * s2 - 2.0 * s3) * b[i] + (s3 - s2) * length * vb[i];
    return camera_of_values(out);
}

// ---- Matrices and rays -----------------------------------------------------------------

// Planes that hold all of the world between them and no more than needed, since depth values are
// spread from one to the other. Waves and splashes may leave the box, so it is grown a little.
static void planes(const camera *c, const camera_bounds *bounds, double wide, double high,
                   double *near, double *far)
{
    const double diagonal = fmax(box_diagonal(bounds), 1e-7), grown = 0.05 * diagonal;
    double closest[3], farthest[3];
    for (int k = 0; k < 3; k++) {
        const double low = bounds->low[k] - grown, high_edge = bounds->high[k] + grown;
        closest[k] = fmin(fmax(c->position[k], low), high_edge);
        farthest[k] = c->position[k] - low > high_edge - c->position[k] ? low : high_edge;
    }
    // A thing in the corner of the picture is less deep in it than it is far away.
    const double slant = sqrt(1.0 + wide * wide + high * high);
    *near = fmax(between(c->position, closest) / slant, 1e-4 * diagonal);
    *far = 1.05 * between(c->position, farthest);
}

void camera_matrices(const camera *c, const camera_bounds *bounds, int width, int height,
                     const double jitter[2], float view[16], float projection[16])
{
    const axes a = axes_of(c);
    double wide, high, near, far;
    opening(c->field_of_view, (double)width / (double)height, &wide, &high);
    planes(c, bounds, wide, high, &near, &far);
    for (int k = 0; k < 3; k++) {
        view[4 * k + 0] = (float)a.right[k];
        view[4 * k + 1] = (float)a.up[k];
        view[4 * k + 2] = (float)-a.forward[k];
        view[4 * k + 3] = 0.0f;
    }
    view[12] = (float)-dot(a.right, c->position);
    view[13] = (float)-dot(a.up, c->position);
    view[14] = (float)dot(a.forward, c->position);
    view[15] = 1.0f;

    memset(projection, 0, 16 * sizeof *projection);
    projection[0] = (float)(1.0 / wide);
    projection[5] = (float)(1.0 / high);
    // Depth is negative in front of the eye, hence the sign: right and up are positive.
    projection[8] = jitter != NULL ? (float)(-2.0 * jitter[0] / width) : 0.0f;
    projection[9] = jitter != NULL ? (float)(-2.0 * jitter[1] / height) : 0.0f;
    projection[10] = (float)(-(far + near) / (far - near));
    projection[11] = -1.0f;
    projection[14] = (float)(-2.0 * far * near / (far - near));
}

void camera_ray(const camera *c, int width, int height, double x, double y, double direction[3])
{
    const axes a = axes_of(c);
    double wide, high;
    opening(c->field_of_view, (double)width / (double)height, &wide, &high);
    const double right = wide * (2.0 * x / width - 1.0), up = high * (1.0 - 2.0 * y / height);
    const double length = sqrt(1.0 + right * right + up * up);
    for (int k = 0; k < 3; k++)
        direction[k] = (a.forward[k] + a.right[k] * right + a.up[k] * up) / length;
}

// ---- Moves by the user -----------------------------------------------------------------

// Turns the line from `from` to `to`, which keeps its length, counter-clockwise as seen from above
// and upwards, degrees. A vertical line has no direction over ground; it gets `upright`.
static void turn(const double from[3], double to[3], double around, double up, double upright)
{
    const double d[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
    const double level = hypot(d[0], d[1]), length = sqrt(dot(d, d));
    const double heading = level > 1e-9 * length ? atan2(d[1], d[0]) : upright * DEGREE;
    const double rise = atan2(d[2], level) / DEGREE + up;
    const double angle = heading + around * DEGREE;
    const double steep = fmin(fmax(rise, -STEEPEST), STEEPEST) * DEGREE;
    to[0] = from[0] + length * cos(steep) * cos(angle);
    to[1] = from[1] + length * cos(steep) * sin(angle);
    to[2] = from[2] + length * sin(steep);
}

void camera_orbit(camera *c, double right, double up)
{
    turn(c->target, c->position, right, up, -90.0); // the eye comes from the south
}

void camera_zoom(camera *c, double factor)
{
    const double distance = between(c->position, c->target);
    if (!(distance > 0.0) || !(factor > 0.0))
        return;
    const double wanted = fmin(fmax(distance * factor, NEAREST), FARTHEST);
    for (int k = 0; k < 3; k++)
        c->position[k] = c->target[k] + (c->position[k] - c->target[k]) * (wanted / distance);
}

// Eye and target together.
static void shift(camera *c, const double along[3], double distance)
{
    move(c->position, along, distance);
    move(c->target, along, distance);
}

void camera_pan(camera *c, double right, double up)
{
    const axes a = axes_of(c);
    const double distance = between(c->position, c->target);
    shift(c, a.right, right * distance);
    shift(c, a.up, up * distance);
}

void camera_turn(camera *c, double right, double up)
{
    turn(c->position, c->target, -right, up, 90.0);
}

void camera_fly(camera *c, double forward, double right, double up)
{
    static const double vertical[3] = {0.0, 0.0, 1.0};
    const axes a = axes_of(c);
    shift(c, a.forward, forward);
    shift(c, a.right, right);
    shift(c, vertical, up);
}

// ---- As text ---------------------------------------------------------------------------

// Takes one decimal number off `*text`. strtod alone would take hexadecimal, infinities, NaN and
// leading blanks as well.
static bool take_number(const char **text, double *out)
{
    char *end;
    const size_t length = strspn(*text, "+-.0123456789eE");
    *out = strtod(*text, &end);
    if (length == 0 || end != *text + length || !(fabs(*out) <= LARGEST_NUMBER))
        return false;
    *text = end;
    return true;
}

static bool take_sign(const char **text, char sign)
{
    if (**text != sign)
        return false;
    ++*text;
    return true;
}

static bool take_point(const char **text, double out[3])
{
    return take_number(text, &out[0]) && take_sign(text, ',') && take_number(text, &out[1]) &&
           take_sign(text, ',') && take_number(text, &out[2]);
}

static bool take_key(const char *text, rill_camera_key *key)
{
    if (strchr(text, '@') != NULL && !(take_number(&text, &key->time) && take_sign(&text, '@')))
        return false;
    if (!take_point(&text, key->position) || !take_sign(&text, ':') ||
        !take_point(&text, key->target))
        return false;
    if (*text == '\0')
        return true;
    return take_sign(&text, ':') && take_number(&text, &key->field_of_view) && *text == '\0';
}

bool camera_parse(const char *text, rill_camera_key *out)
{
    rill_camera_key key = {.field_of_view = DEFAULT_FIELD};
    if (!take_key(text, &key))
        render_fail(RILL_BAD_ARGUMENT, "\"%s\" is not a camera: [TIME@]X,Y,Z:TX,TY,TZ[:DEGREES]",
                    text);
    else if (key.time < 0.0)
        render_fail(RILL_BAD_ARGUMENT, "\"%s\": the time %g is before the start", text, key.time);
    else if (key.field_of_view < 1.0 || key.field_of_view > 150.0)
        render_fail(RILL_BAD_ARGUMENT,
                    "\"%s\": the field of view is %g degrees, it must be 1 to 150", text,
                    key.field_of_view);
    else if (!(between(key.position, key.target) > 0.0))
        render_fail(RILL_BAD_ARGUMENT, "\"%s\": the camera stands where it looks", text);
    else {
        *out = key;
        return true;
    }
    return false;
}

void camera_format(const camera *c, char *text, int bytes)
{
    if (bytes < 1)
        return;
    snprintf(text, (size_t)bytes, "%.7g,%.7g,%.7g:%.7g,%.7g,%.7g:%.7g", c->position[0],
             c->position[1], c->position[2], c->target[0], c->target[1], c->target[2],
             c->field_of_view);
}
