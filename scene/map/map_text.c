// SPDX-License-Identifier: MIT
// map_text.c - text from pen strokes: a letter's path becomes short lines, and a pixel is as dark
// as its centre is near to the nearest of them.
#include "scene/map/map_canvas.h"
#include "scene/scene_assert.h"

#include <string.h>

#define MAX_STROKES 160
#define CURVE_PARTS 6
// How far the handles of a quarter of an ellipse reach; 0.5523 would be round, more is squarer,
// which keeps small letters open.
#define ROUNDNESS 0.60f
#define DOT_SIZE  1.45f // a dot's diameter, pen widths

typedef struct stroke {
    rl_point a, b;
    float radius;
} stroke;

typedef struct strokes {
    stroke list[MAX_STROKES];
    int count;
    float radius; // of the pen
} strokes;

// --- From a path to lines ----------------------------------------------------------------------

static float read_number(const char **cursor)
{
    const char *c = *cursor;
    while (*c == ' ')
        c++;
    const float sign = *c == '-' ? -1.0f : 1.0f;
    if (*c == '-')
        c++;
    float value = 0.0f, unit = 1.0f;
    for (; *c >= '0' && *c <= '9'; c++)
        value = value * 10.0f + (float)(*c - '0');
    if (*c == '.')
        for (c++; *c >= '0' && *c <= '9'; c++) {
            unit *= 0.1f;
            value += unit * (float)(*c - '0');
        }
    *cursor = c;
    return sign * value;
}

static rl_point read_point(const char **cursor)
{
    rl_point p;
    p.x = read_number(cursor);
    p.y = read_number(cursor);
    return p;
}

static void add_stroke(strokes *out, rl_point a, rl_point b, float radius)
{
    if (out->count < MAX_STROKES)
        out->list[out->count++] = (stroke){a, b, radius};
}

static void add_curve(strokes *out, rl_point p0, rl_point p1, rl_point p2, rl_point p3)
{
    rl_point last = p0;
    for (int i = 1; i <= CURVE_PARTS; i++) {
        const float t = (float)i / CURVE_PARTS, s = 1.0f - t;
        const float w0 = s * s * s, w1 = 3.0f * s * s * t, w2 = 3.0f * s * t * t, w3 = t * t * t;
        const rl_point p = {w0 * p0.x + w1 * p1.x + w2 * p2.x + w3 * p3.x,
                            w0 * p0.y + w1 * p1.y + w2 * p2.y + w3 * p3.y};
        add_stroke(out, last, p, out->radius);
        last = p;
    }
}

static rl_point between(rl_point a, rl_point b, float t)
{
    return (rl_point){a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t};
}

// A curve from a to b inside the corner c.
static void add_bend(strokes *out, rl_point a, rl_point c, rl_point b, float reach)
{
    add_curve(out, a, between(a, c, reach), between(b, c, reach), b);
}

static void add_path(strokes *out, const char *path, rl_point offset)
{
    rl_point pen = {0};
    for (const char *c = path; *c != '\0';) {
        const char command = *c++;
        rl_point corner = {0};
        if (command == 'q') {
            corner = read_point(&c);
            corner = (rl_point){corner.x + offset.x, corner.y + offset.y};
        }
        rl_point p = read_point(&c);
        p = (rl_point){p.x + offset.x, p.y + offset.y};
        if (command == 'L')
            add_stroke(out, pen, p, out->radius);
        else if (command == 'd')
            add_stroke(out, p, p, out->radius * DOT_SIZE);
        else if (command == 'h')
            add_bend(out, pen, (rl_point){p.x, pen.y}, p, ROUNDNESS);
        else if (command == 'v')
            add_bend(out, pen, (rl_point){pen.x, p.y}, p, ROUNDNESS);
        else if (command == 'q')
            add_bend(out, pen, corner, p, 2.0f / 3.0f);
        pen = p;
    }
}

// --- From lines to pixels ----------------------------------------------------------------------

// The middle of the first stem lies half a unit right of the origin and half a unit above the base
// line: at scale 1 that is the middle of a pixel.
static rl_point to_pixels(rl_point p, rl_point origin, const rl_text_style *style)
{
    const float x = (p.x + 0.5f) * style->scale, y = (p.y + 0.5f) * style->scale;
    return style->turned ? (rl_point){origin.x - y, origin.y - x}
                         : (rl_point){origin.x + x, origin.y - y};
}

static void draw_strokes(rl_canvas *canvas, const strokes *s, rl_colour colour)
{
    if (s->count == 0)
        return; // a space
    rl_point low = {1e30f, 1e30f}, high = {-1e30f, -1e30f};
    for (int i = 0; i < s->count; i++) {
        const stroke *k = &s->list[i];
        const float reach = k->radius + 1.0f;
        const float x0 = k->a.x < k->b.x ? k->a.x : k->b.x, x1 = k->a.x + k->b.x - x0;
        const float y0 = k->a.y < k->b.y ? k->a.y : k->b.y, y1 = k->a.y + k->b.y - y0;
        low.x = x0 - reach < low.x ? x0 - reach : low.x;
        low.y = y0 - reach < low.y ? y0 - reach : low.y;
        high.x = x1 + reach > high.x ? x1 + reach : high.x;
        high.y = y1 + reach > high.y ? y1 + reach : high.y;
    }
    for (int y = (int)low.y; y <= (int)high.y; y++)
        for (int x = (int)low.x; x <= (int)high.x; x++) {
            const rl_point p = {(float)x + 0.5f, (float)y + 0.5f};
            float cover = 0.0f;
            for (int i = 0; i < s->count; i++) {
                const stroke *k = &s->list[i];
                const float c = k->radius + 0.5f - rl_segment_distance(p, k->a, k->b);
                cover = c > cover ? c : cover;
            }
            rl_canvas_blend(canvas, x, y, colour, cover);
        }
}

static void draw_glyph(rl_canvas *canvas, rl_point origin, const rl_glyph *glyph,
                       const rl_text_style *style)
{
    strokes s;
    s.count = 0;
    s.radius = 0.5f * style->weight;
    add_path(&s, glyph->path, (rl_point){0});
    if (glyph->mark != NULL)
        add_path(&s, glyph->mark, (rl_point){glyph->mark_x, glyph->mark_y});
    for (int i = 0; i < s.count; i++) {
        stroke *k = &s.list[i];
        k->a = to_pixels(k->a, origin, style);
        k->b = to_pixels(k->b, origin, style);
        k->radius *= style->scale;
    }
    draw_strokes(canvas, &s, style->colour);
}

// --- Whole texts -------------------------------------------------------------------------------

// Returns the next code point of UTF-8; a broken sequence gives one replacement character per byte.
// Zero at the end.
static uint32_t next_code(const char **cursor)
{
    const unsigned char *c = (const unsigned char *)*cursor;
    if (*c == '\0')
        return 0;
    const int extra = *c < 0x80 ? 0 : *c >> 5 == 6 ? 1 : *c >> 4 == 14 ? 2 : *c >> 3 == 30 ? 3 : -1;
    uint32_t code = extra <= 0 ? *c : *c & (0x3Fu >> extra);
    for (int i = 1; i <= extra; i++) {
        if (c[i] >> 6 != 2) {
            *cursor += 1;
            return 0xFFFD;
        }
        code = code << 6 | (c[i] & 0x3Fu);
    }
    *cursor += extra > 0 ? extra + 1 : 1;
    return extra < 0 ? 0xFFFD : code;
}

float rl_text_width(const char *text, float scale)
{
    int units = 0;
    for (uint32_t code; (code = next_code(&text)) != 0;)
        units += rl_font_glyph(code).advance;
    // The last letter's advance holds two units of white.
    return units > 2 ? (float)(units - 2) * scale : 0.0f;
}

void rl_text_draw(rl_canvas *canvas, float x, float y, const char *text, const rl_text_style *style)
{
    RL_ASSERT(style->scale > 0.0f);
    rl_point origin = {x, y};
    for (uint32_t code; (code = next_code(&text)) != 0;) {
        const rl_glyph glyph = rl_font_glyph(code);
        draw_glyph(canvas, origin, &glyph, style);
        const float step = (float)glyph.advance * style->scale;
        if (style->turned)
            origin.y -= step;
        else
            origin.x += step;
    }
}

void rl_text_fit(char *out, size_t out_bytes, const char *text, float scale, float width)
{
    RL_ASSERT(out_bytes > 0);
    static const char ellipsis[] = "\xE2\x80\xA6";
    const bool fits = rl_text_width(text, scale) <= width && strlen(text) < out_bytes;
    const float space = width - (float)rl_font_glyph(0x2026).advance * scale;
    const char *end = text;
    float used = 0.0f;
    for (const char *c = text; *c != '\0'; end = c) {
        used += (float)rl_font_glyph(next_code(&c)).advance * scale;
        const size_t length = (size_t)(c - text);
        if (!fits && (used > space || length + sizeof ellipsis > out_bytes))
            break;
    }
    while (!fits && end > text && end[-1] == ' ')
        end--;
    const size_t length = (size_t)(end - text);
    memcpy(out, text, length);
    memcpy(out + length, fits ? "" : ellipsis, fits ? 1 : sizeof ellipsis);
}
