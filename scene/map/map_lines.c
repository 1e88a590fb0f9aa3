// SPDX-License-Identifier: MIT
// map_lines.c - stream lines at even distances (Jobard and Lefer, 1997): a line runs with and
// against the flow until it leaves the water or comes too close to another one, and is drawn when
// it is long enough; the next lines start at the right distance beside it. Where that ends, a net
// of starting places from coarse to fine takes over. The order is fixed, so the same input gives
// the same lines.
#include "scene/map/map_parts.h"

#include <math.h>

#define SEPARATION  16.0f // pixels between neighbouring lines, at scale 1
#define CLOSEST     0.5f  // of that, where a line must end
#define STEP        1.5f  // pixels
#define HALF_POINTS 160   // a line's steps with the flow, and against it
#define SHORTEST    2.2f  // separations; shorter lines are dropped
#define SELF_SKIP   24    // steps that a line need not keep away from itself
#define TAPER       14.0f // pixels over which the ends grow thin
#define HEAD_EVERY  110.0f
#define MASK_STEP   2     // pixels of the picture along a cell of the mask
#define START_EVERY 6     // steps along a line between starting places beside it
#define MAX_STARTS  16384 // waiting places; more are left to the net
#define RIM         0.85f // pixels of dark around a line

enum { NO_START = 1, NO_LINE = 2 };

// What a pixel gets of all lines together; the largest counts, so that joints leave no knots.
typedef struct ink {
    uint8_t rim, body, speed;
} ink;

typedef struct tracer {
    rl_map *map;
    const rl_image *image; // of the map
    float scale;           // of the map's layout
    uint8_t *mask;         // where others are near
    int mask_nx, mask_ny;
    ink *inks; // the map part
    rl_point points[2 * HALF_POINTS + 1];
    float speeds[2 * HALF_POINTS + 1]; // parts of the top speed
    int first, last;
    rl_point starts[MAX_STARTS]; // a ring
    int start_first, start_count;
} tracer;

// --- Following the flow ------------------------------------------------------------------------

static uint8_t *mask_at(const tracer *t, rl_point p)
{
    const float size = MASK_STEP * t->scale;
    const int i = (int)((p.x - (float)t->image->map_x) / size);
    const int j = (int)((p.y - (float)t->image->map_y) / size);
    const int ci = i < 0 ? 0 : i < t->mask_nx ? i : t->mask_nx - 1;
    const int cj = j < 0 ? 0 : j < t->mask_ny ? j : t->mask_ny - 1;
    return &t->mask[(size_t)cj * (size_t)t->mask_nx + (size_t)ci];
}

static bool inside_map(const tracer *t, rl_point p)
{
    const rl_image *m = t->image;
    return p.x > (float)m->map_x && p.x < (float)(m->map_x + m->map_width) &&
           p.y > (float)m->map_y && p.y < (float)(m->map_y + m->map_height);
}

static bool flowing(const tracer *t, rl_point p, rl_flow_sample *s)
{
    *s = rl_map_flow_at(t->map, p);
    return rl_flow_shows(t->map, s);
}

static bool meets_itself(const tracer *t, rl_point p, int from, int to)
{
    const float closest = CLOSEST * SEPARATION * t->scale;
    for (int k = from; k <= to; k += 2) {
        const float dx = t->points[k].x - p.x, dy = t->points[k].y - p.y;
        if (dx * dx + dy * dy < closest * closest)
            return true;
    }
    return false;
}

// A fixed scale may end below what flows.
static float part_of_top(const tracer *t, float speed)
{
    return speed < t->map->scales.speed_max ? speed / t->map->scales.speed_max : 1.0f;
}

// One step of the midpoint rule; `way` is 1 with the flow and -1 against it.
static bool next_point(const tracer *t, rl_point p, float way, rl_point *out, float *speed)
{
    rl_flow_sample s;
    if (!flowing(t, p, &s))
        return false;
    const float half = 0.5f * way * STEP * t->scale / s.speed;
    const rl_point middle = {p.x + half * s.x, p.y + half * s.y};
    if (!inside_map(t, middle) || !flowing(t, middle, &s))
        return false;
    const float whole = way * STEP * t->scale / s.speed;
    *out = (rl_point){p.x + whole * s.x, p.y + whole * s.y};
    *speed = part_of_top(t, s.speed);
    return inside_map(t, *out) && (*mask_at(t, *out) & NO_LINE) == 0;
}

static void trace(tracer *t, rl_point start)
{
    rl_flow_sample s;
    t->first = t->last = HALF_POINTS;
    t->points[HALF_POINTS] = start;
    if (!flowing(t, start, &s))
        return;
    t->speeds[HALF_POINTS] = part_of_top(t, s.speed);
    rl_point p = start;
    for (float speed; t->last < 2 * HALF_POINTS && next_point(t, p, 1.0f, &p, &speed);) {
        if (meets_itself(t, p, t->first, t->last - SELF_SKIP))
            break;
        t->points[++t->last] = p;
        t->speeds[t->last] = speed;
    }
    p = start;
    for (float speed; t->first > 0 && next_point(t, p, -1.0f, &p, &speed);) {
        if (meets_itself(t, p, t->first + SELF_SKIP, t->last))
            break;
        t->points[--t->first] = p;
        t->speeds[t->first] = speed;
    }
}

// --- Distances between lines -------------------------------------------------------------------

static void reserve_disc(tracer *t, rl_point p, float radius, uint8_t bit)
{
    RL_ASSERT(radius >= 0.0f);
    const float size = MASK_STEP * t->scale;
    const float x = (p.x - (float)t->image->map_x) / size - 0.5f;
    const float y = (p.y - (float)t->image->map_y) / size - 0.5f, r = radius / size;
    for (int j = (int)(y - r); j <= (int)(y + r) + 1; j++)
        for (int i = (int)(x - r); i <= (int)(x + r) + 1; i++) {
            const float dx = (float)i - x, dy = (float)j - y;
            if (i >= 0 && i < t->mask_nx && j >= 0 && j < t->mask_ny && dx * dx + dy * dy <= r * r)
                t->mask[(size_t)j * (size_t)t->mask_nx + (size_t)i] |= bit;
        }
}

static void reserve_line(tracer *t)
{
    for (int k = t->first; k <= t->last; k += 2) {
        reserve_disc(t, t->points[k], SEPARATION * t->scale, NO_START);
        reserve_disc(t, t->points[k], CLOSEST * SEPARATION * t->scale, NO_LINE);
    }
}

// --- Drawing -----------------------------------------------------------------------------------

static void raise_byte(uint8_t *byte, float cover)
{
    const float c = cover > 0.0f ? cover < 1.0f ? cover * 255.0f : 255.0f : 0.0f;
    if (c > (float)*byte)
        *byte = (uint8_t)c;
}

// Marks one pixel that lies `inside` an outline, pixels.
static void ink_pixel(tracer *t, int x, int y, float inside, float speed)
{
    const rl_image *m = t->image;
    const int i = x - m->map_x, j = y - m->map_y;
    if (i < 0 || i >= m->map_width || j < 0 || j >= m->map_height)
        return;
    ink *k = &t->inks[(size_t)j * (size_t)m->map_width + (size_t)i];
    if ((inside + 0.5f) * 255.0f > (float)k->body)
        raise_byte(&k->speed, speed);
    raise_byte(&k->body, inside + 0.5f);
    raise_byte(&k->rim, (inside + 0.5f + RIM * t->scale) * 0.85f);
}

static void ink_segment(tracer *t, rl_point a, rl_point b, float half_width, float speed)
{
    const float reach = half_width + 2.0f * t->scale;
    const float x0 = (a.x < b.x ? a.x : b.x) - reach, x1 = (a.x > b.x ? a.x : b.x) + reach;
    const float y0 = (a.y < b.y ? a.y : b.y) - reach, y1 = (a.y > b.y ? a.y : b.y) + reach;
    for (int y = (int)y0; y <= (int)y1; y++)
        for (int x = (int)x0; x <= (int)x1; x++) {
            const rl_point p = {(float)x + 0.5f, (float)y + 0.5f};
            ink_pixel(t, x, y, half_width - rl_segment_distance(p, a, b), speed);
        }
}

static float line_width(float t, float scale)
{
    return scale * (0.3f + 0.7f * sqrtf(t));
}

static void ink_line(tracer *t)
{
    const float step = STEP * t->scale;
    for (int k = t->first; k < t->last; k++) {
        const int to_end = k - t->first < t->last - k ? k - t->first : t->last - k;
        const float along = step * (float)to_end / (TAPER * t->scale);
        const float taper = 0.25f + 0.75f * (along < 1.0f ? along : 1.0f);
        ink_segment(t, t->points[k], t->points[k + 1], taper * line_width(t->speeds[k], t->scale),
                    t->speeds[k]);
    }
}

// An arrow head with a notch; (ux, uy) has length 1.
static float head_corners(rl_point tip, float ux, float uy, float t, float scale, rl_point *corners)
{
    const float length = scale * (5.0f + 3.0f * sqrtf(t)), wing = 0.45f * length;
    corners[0] = tip;
    corners[1] = (rl_point){tip.x - ux * length - uy * wing, tip.y - uy * length + ux * wing};
    corners[2] = (rl_point){tip.x - ux * length * 0.75f, tip.y - uy * length * 0.75f};
    corners[3] = (rl_point){tip.x - ux * length + uy * wing, tip.y - uy * length - ux * wing};
    return length;
}

static void ink_head(tracer *t, int k)
{
    const int back = k - 2 > t->first ? k - 2 : t->first;
    const int ahead = k + 2 < t->last ? k + 2 : t->last;
    const rl_point tip = t->points[ahead];
    const float dx = tip.x - t->points[back].x, dy = tip.y - t->points[back].y;
    const float size = sqrtf(dx * dx + dy * dy);
    if (!(size > 0.0f))
        return;
    rl_point corners[4];
    const float reach =
        3.0f * t->scale + head_corners(tip, dx / size, dy / size, t->speeds[k], t->scale, corners);
    for (int y = (int)(tip.y - reach); y <= (int)(tip.y + reach); y++)
        for (int x = (int)(tip.x - reach); x <= (int)(tip.x + reach); x++) {
            const rl_point p = {(float)x + 0.5f, (float)y + 0.5f};
            ink_pixel(t, x, y, -rl_polygon_distance(p, corners, 4), t->speeds[k]);
        }
}

// Heads at even distances, symmetric about the middle of the line.
static void ink_heads(tracer *t)
{
    const int steps = t->last - t->first, heads = 1 + (int)(STEP * (float)steps / HEAD_EVERY);
    for (int h = 0; h < heads; h++)
        ink_head(t, t->first + steps * (2 * h + 1) / (2 * heads));
}

static void lay_inks(const tracer *t, rl_canvas *canvas)
{
    const rl_image *m = t->image;
    const ink *k = t->inks;
    for (int y = 0; y < m->map_height; y++)
        for (int x = 0; x < m->map_width; x++, k++) {
            rl_canvas_blend(canvas, m->map_x + x, m->map_y + y, rl_flow_rim,
                            (float)k->rim / 255.0f);
            rl_canvas_blend(canvas, m->map_x + x, m->map_y + y,
                            rl_colour_of(rl_ramp_colour(RL_RAMP_SPEED, (float)k->speed / 255.0f)),
                            (float)k->body / 255.0f);
        }
}

void rl_draw_line_sample(rl_canvas *canvas, rl_point p, float length, float t, float scale)
{
    const rl_point ends[2] = {{p.x - 0.5f * length, p.y}, {p.x + 0.5f * length, p.y}};
    const rl_point tip = {p.x + 4.0f * scale, p.y};
    const rl_colour body = rl_colour_of(rl_ramp_colour(RL_RAMP_SPEED, t));
    rl_point corners[4];
    head_corners(tip, 1.0f, 0.0f, t, scale, corners);
    rl_canvas_polygon(canvas, ends, 2, line_width(t, scale) + RIM * scale, rl_flow_rim);
    rl_canvas_polygon(canvas, corners, 4, RIM * scale, rl_flow_rim);
    rl_canvas_polygon(canvas, ends, 2, line_width(t, scale), body);
    rl_canvas_polygon(canvas, corners, 4, 0.0f, body);
}

// --- Whole -------------------------------------------------------------------------------------

static void push_start(tracer *t, rl_point p)
{
    if (t->start_count < MAX_STARTS)
        t->starts[(t->start_first + t->start_count++) % MAX_STARTS] = p;
}

static void push_starts_beside(tracer *t)
{
    // A little more than the separation, so that rounding does not refuse the place.
    const float aside = (SEPARATION + 1.5f * MASK_STEP) / STEP;
    for (int k = t->first; k < t->last; k += START_EVERY) {
        const rl_point a = t->points[k], b = t->points[k + 1];
        const float dx = (b.x - a.x) * aside, dy = (b.y - a.y) * aside;
        push_start(t, (rl_point){a.x - dy, a.y + dx});
        push_start(t, (rl_point){a.x + dy, a.y - dx});
    }
}

static void start_line(tracer *t, rl_point p)
{
    if (!inside_map(t, p) || (*mask_at(t, p) & NO_START) != 0)
        return;
    trace(t, p);
    if (STEP * (float)(t->last - t->first) < SHORTEST * SEPARATION)
        return;
    reserve_line(t);
    ink_line(t);
    ink_heads(t);
    push_starts_beside(t);
}

static void start_lines_from(tracer *t, rl_point p)
{
    push_start(t, p);
    while (t->start_count > 0) {
        const rl_point next = t->starts[t->start_first];
        t->start_first = (t->start_first + 1) % MAX_STARTS;
        t->start_count--;
        start_line(t, next);
    }
}

// Starting places form a net; every 16th of both directions comes first, then those between, down
// to the finest.
static void draw_all(tracer *t)
{
    const rl_image *m = t->image;
    const float spacing = 0.5f * SEPARATION * t->scale;
    const int nx = (int)((float)m->map_width / spacing) + 1;
    const int ny = (int)((float)m->map_height / spacing) + 1;
    for (int stride = 16; stride >= 1; stride /= 2)
        for (int j = stride / 2; j < ny; j += stride)
            for (int i = stride / 2; i < nx; i += stride)
                start_lines_from(t, (rl_point){(float)m->map_x + ((float)i + 0.5f) * spacing,
                                               (float)m->map_y + ((float)j + 0.5f) * spacing});
    lay_inks(t, &t->map->canvas);
}

bool rl_draw_lines(rl_map *map)
{
    if (!(map->scales.speed_max > 0.0f))
        return true;
    tracer *t = rill_alloc(map->allocator, sizeof *t);
    if (t == NULL)
        return false;
    t->map = map;
    t->image = &map->image;
    t->scale = map->layout.scale;
    t->mask_nx = (int)((float)map->image.map_width / (MASK_STEP * t->scale)) + 1;
    t->mask_ny = (int)((float)map->image.map_height / (MASK_STEP * t->scale)) + 1;
    const size_t mask_bytes = (size_t)t->mask_nx * (size_t)t->mask_ny;
    const size_t ink_bytes =
        (size_t)map->image.map_width * (size_t)map->image.map_height * sizeof(ink);
    t->mask = rill_alloc(map->allocator, mask_bytes);
    t->inks = rill_alloc(map->allocator, ink_bytes);
    const bool done = t->mask != NULL && t->inks != NULL;
    if (done)
        draw_all(t);
    rill_free(map->allocator, t->mask, mask_bytes);
    rill_free(map->allocator, t->inks, ink_bytes);
    rill_free(map->allocator, t, sizeof *t);
    return done;
}
