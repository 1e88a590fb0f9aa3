// SPDX-License-Identifier: MIT
// map_canvas.c - pixels of a map: rectangles, discs and lines with soft edges.
#include "scene/map/map_parts.h"

#include <math.h>

rl_canvas rl_canvas_of(uint8_t *rgb, int width, int height)
{
    RL_ASSERT(rgb != NULL && width > 0 && height > 0);
    return (rl_canvas){
        .rgb = rgb, .width = width, .height = height, .clip_x1 = width, .clip_y1 = height};
}

static uint8_t mix_byte(uint8_t below, uint8_t above, float alpha)
{
    return (uint8_t)((float)below + ((float)above - (float)below) * alpha + 0.5f);
}

void rl_canvas_blend(rl_canvas *canvas, int x, int y, rl_colour colour, float alpha)
{
    if (x < canvas->clip_x0 || x >= canvas->clip_x1 || y < canvas->clip_y0 ||
        y >= canvas->clip_y1 || !(alpha > 0.0f))
        return;
    const float a = alpha < 1.0f ? alpha : 1.0f;
    uint8_t *p = canvas->rgb + ((size_t)y * (size_t)canvas->width + (size_t)x) * 3;
    p[0] = mix_byte(p[0], colour.r, a);
    p[1] = mix_byte(p[1], colour.g, a);
    p[2] = mix_byte(p[2], colour.b, a);
}

void rl_canvas_box(rl_canvas *canvas, int x0, int y0, int x1, int y1, rl_colour colour)
{
    const int left = x0 > canvas->clip_x0 ? x0 : canvas->clip_x0;
    const int right = x1 < canvas->clip_x1 ? x1 : canvas->clip_x1;
    const int top = y0 > canvas->clip_y0 ? y0 : canvas->clip_y0;
    const int bottom = y1 < canvas->clip_y1 ? y1 : canvas->clip_y1;
    for (int y = top; y < bottom; y++) {
        uint8_t *p = canvas->rgb + ((size_t)y * (size_t)canvas->width + (size_t)left) * 3;
        for (int x = left; x < right; x++, p += 3) {
            p[0] = colour.r;
            p[1] = colour.g;
            p[2] = colour.b;
        }
    }
}

void rl_canvas_frame(rl_canvas *canvas, int x0, int y0, int x1, int y1, int width, rl_colour colour)
{
    RL_ASSERT(width >= 0);
    rl_canvas_box(canvas, x0 - width, y0 - width, x1 + width, y0, colour);
    rl_canvas_box(canvas, x0 - width, y1, x1 + width, y1 + width, colour);
    rl_canvas_box(canvas, x0 - width, y0, x0, y1, colour);
    rl_canvas_box(canvas, x1, y0, x1 + width, y1, colour);
}

float rl_segment_distance(rl_point p, rl_point a, rl_point b)
{
    const float abx = b.x - a.x, aby = b.y - a.y, apx = p.x - a.x, apy = p.y - a.y;
    const float length2 = abx * abx + aby * aby;
    float t = length2 > 0.0f ? (apx * abx + apy * aby) / length2 : 0.0f;
    t = t < 0.0f ? 0.0f : t > 1.0f ? 1.0f : t;
    const float dx = apx - t * abx, dy = apy - t * aby;
    return sqrtf(dx * dx + dy * dy);
}

static int clamp_to_range(float v, int low, int high)
{
    return v <= (float)low ? low : v >= (float)high ? high : (int)v;
}

float rl_polygon_distance(rl_point p, const rl_point *corners, int count)
{
    float distance = 1e30f;
    bool inside = false;
    for (int i = 0, k = count - 1; i < count; k = i++) {
        const rl_point a = corners[i], b = corners[k];
        const float d = rl_segment_distance(p, a, b);
        distance = d < distance ? d : distance;
        if ((a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x)
            inside = !inside;
    }
    return inside ? -distance : distance;
}

void rl_canvas_polygon(rl_canvas *canvas, const rl_point *corners, int count, float grow,
                       rl_colour colour)
{
    RL_ASSERT(count >= 2);
    rl_point low = corners[0], high = corners[0];
    for (int i = 1; i < count; i++) {
        low.x = corners[i].x < low.x ? corners[i].x : low.x;
        low.y = corners[i].y < low.y ? corners[i].y : low.y;
        high.x = corners[i].x > high.x ? corners[i].x : high.x;
        high.y = corners[i].y > high.y ? corners[i].y : high.y;
    }
    // The pixels that the outline can touch.
    const int x0 = clamp_to_range(low.x - grow - 1.0f, canvas->clip_x0, canvas->clip_x1);
    const int y0 = clamp_to_range(low.y - grow - 1.0f, canvas->clip_y0, canvas->clip_y1);
    const int x1 = clamp_to_range(high.x + grow + 2.0f, canvas->clip_x0, canvas->clip_x1);
    const int y1 = clamp_to_range(high.y + grow + 2.0f, canvas->clip_y0, canvas->clip_y1);
    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++) {
            const rl_point p = {(float)x + 0.5f, (float)y + 0.5f};
            rl_canvas_blend(canvas, x, y, colour,
                            grow + 0.5f - rl_polygon_distance(p, corners, count));
        }
}
