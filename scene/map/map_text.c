// SPDX-License-Identifier: MIT
// map_text.c - text from pen strokes: a letter's path becomes short lines, and a pixel is as dark
// as its centre is near to the nearest of them. The font is a small sans serif, drawn for this
// library: ASCII, what units and maps need, and the accented letters of Latin-1 put together from
// a letter and a mark.
#include "scene/map/map_parts.h"

#include <string.h>

// --- The font ----------------------------------------------------------------------------------

// A letter as pen strokes on a grid with the base line at y = 0, small letters reaching to 6,
// capitals to 9 and descenders to -3; y is up. Pen strokes that stand or lie run on whole numbers,
// so that they fill whole pixels at scale 1. A path is a row of commands, each a letter and
// numbers: M x y move, L x y line, h x y a quarter of an ellipse that starts level and ends
// upright, v x y one that starts upright and ends level, q cx cy x y a parabola, d x y a dot.
typedef struct glyph {
    const char *path;
    const char *mark;     // an accent above or below, or NULL
    float mark_x, mark_y; // where the accent goes
    int advance;          // units to the next letter
} glyph;

typedef struct letter {
    int advance;
    const char *path;
} letter;

// From ' ' to '~'.
static const letter ascii[] = {
    {4, ""},
    {3, "M0 9L0 3d0 0"},
    {5, "M0 9L0 6.6M2 9L2 6.6"},
    {9, "M1.2 0L2.4 9M4.2 0L5.4 9M0.2 6L6.4 6M-0.2 3L6 3"},
    {8, "M5 6.9v2.5 8h0 6.2v2.5 4.4h5 2.6v2.5 1h0 2.2M2.5 9.4L2.5 -0.4"},
    {11, "M0 7v1.7 9h3.4 7v1.7 5h0 7M6.8 9L1.6 0M5 2v6.7 4h8.4 2v6.7 0h5 2"},
    {9, "M6 0L1 5.8q0.4 9 2.4 9q4.3 9 4.3 7.2q4.3 5.8 1.4 4.4h0 2v2.3 0q4.6 0 5.6 4.2"},
    {3, "M0 9L0 6.6"},
    {5, "M2.2 10q0 7.6 0 4.2q0 1 2.2 -1.8"},
    {5, "M0 10q2.2 7.6 2.2 4.2q2.2 1 0 -1.8"},
    {7, "M2 9L2 5M0.2 8L3.8 6M3.8 8L0.2 6"},
    {9, "M3 7L3 1M0 4L6 4"},
    {4, "d0.4 0M0.4 0L-0.3 -1.8"},
    {6, "M0 3L3 3"},
    {4, "d0 0"},
    {6, "M0 -1L3.6 10"},
    {8, "M0 4.5v2.5 9h5 4.5v2.5 0h0 4.5"},
    {8, "M0.6 7.4L3 9L3 0"},
    {8, "M0.1 6.9v2.4 9h4.8 6.7q4.8 5.2 3.2 3.5L0 0L5 0"},
    {8, "M0.2 7.4v2.4 9h4.7 6.9v2.2 5L1.5 5M2.2 5h5 2.5v2.4 0h0 1.5"},
    {8, "M4 0L4 9L0 3L5.6 3"},
    {8, "M4.6 9L0.8 9L0.4 4.7q1.3 5.7 2.4 5.7h5 2.9v2.3 0h0 1.4"},
    {8, "M4.5 7.9v2.9 9h0 4.2L0 2.8v2.5 0h5 2.8v2.6 5.6h0 2.8"},
    {8, "M0 9L5 9L1.6 0"},
    {8, "M2.5 5h0.3 7v2.5 9h4.7 7v2.5 5h0 2.5v2.5 0h5 2.5v2.5 5"},
    {8, "M0.5 1.1v2.1 0h5 4.8L5 6.2v2.5 9h0 6.2v2.4 3.4h5 6.2"},
    {4, "d0 0d0 5"},
    {4, "d0.4 5d0.4 0M0.4 0L-0.3 -1.8"},
    {8, "M5 7.4L0 4L5 0.6"},
    {9, "M0 5L6 5M0 2L6 2"},
    {8, "M0 7.4L5 4L0 0.6"},
    {7, "M0 7.2v2.2 9h4.3 6.9q4.3 5.6 3 4.8q2 4.2 2 2.8d2 0"},
    {12, "M6.4 3v4.6 1.2h2.8 3.4v4.6 5.6h6.4 3M6.4 5.4L6.4 2.6v7.8 1.2h9 4v4.6 8h0 3.4v4.6 -1.4"
         "L6.4 -1.1"},
    {9, "M0 0L3.5 9L7 0M1.2 3L5.8 3"},
    {9, "M0 0L0 9L3.4 9h5.6 7v3.4 5L0 5M3.4 5h6 2.5v3.4 0L0 0"},
    {9, "M6.6 7v3.8 9h0 4.5v3.8 0h6.6 2"},
    {10, "M0 0L0 9L3 9h7 4.5v3 0L0 0"},
    {8, "M5.4 9L0 9L0 0L5.4 0M0 5L4.8 5"},
    {8, "M5.4 9L0 9L0 0M0 5L4.6 5"},
    {10, "M6.7 7.2v3.8 9h0 4.5v3.8 0h7 2.2L7 4L4 4"},
    {10, "M0 0L0 9M7 0L7 9M0 5L7 5"},
    {3, "M0 0L0 9"},
    {6, "M3 9L3 2.2v1.2 0L-0.2 0"},
    {9, "M0 0L0 9M5.8 9L0 3.6M2 5.4L6.2 0"},
    {7, "M0 9L0 0L5 0"},
    {11, "M0 0L0 9L4 2.4L8 9L8 0"},
    {10, "M0 0L0 9L7 0L7 9"},
    {11, "M0 4.5v4 9h8 4.5v4 0h0 4.5"},
    {9, "M0 0L0 9L3.2 9h5.8 6.5v3.2 4L0 4"},
    {11, "M0 4.5v4 9h8 4.5v4 0h0 4.5M5 2.2L8.2 -1"},
    {9, "M0 0L0 9L3.2 9h5.8 6.5v3.2 4L0 4M3.4 4L6.2 0"},
    {9, "M5.6 7.2v3 9h0.2 6.8v3 4.7h6 2.4v3 0h0 1.7"},
    {8, "M0 9L6 9M3 9L3 0"},
    {10, "M0 9L0 3v3.5 0h7 3L7 9"},
    {9, "M0 9L3.5 0L7 9"},
    {12, "M0 9L2.5 0L5 9L7.5 0L10 9"},
    {9, "M0 9L6.4 0M6.4 9L0 0"},
    {8, "M0 9L3 4.4L6 9M3 4.4L3 0"},
    {9, "M0.2 9L6 9L0 0L6.2 0"},
    {5, "M2 10L0 10L0 -2L2 -2"},
    {6, "M0 10L3.6 -1"},
    {5, "M0 10L2 10L2 -2L0 -2"},
    {8, "M0 5.4L2.5 9L5 5.4"},
    {7, "M0 -2L5 -2"},
    {5, "M0 9L1.6 7.2"},
    {8, "M0.4 4.8v2.5 6h5 3.8L5 0M5 3.5L2.2 3.5h0 1.7v1.9 0h5 2"},
    {8, "M0 9L0 0M0 3v2.5 6h5 3v2.5 0h0 3"},
    {7, "M4.7 4.5v2.6 6h0 3v2.6 0h4.7 1.5"},
    {8, "M5 9L5 0M5 3v2.5 6h0 3v2.5 0h5 3"},
    {8, "M0 3L5 3v2.5 6h0 3v2.6 0h4.8 1.3"},
    {5, "M3.4 9L3 9h1 7L1 0M-0.4 6L3 6"},
    {8, "M5 6L5 -1v2.5 -3h0.4 -2M5 3v2.5 6h0 3v2.5 0h5 3"},
    {8, "M0 9L0 0M0 3.5v2.5 6h5 3.5L5 0"},
    {3, "M0 6L0 0d0 8.6"},
    {3, "M0 6L0 -1.6v-1.6 -3d0 8.6"},
    {7, "M0 9L0 0M4.3 6L0 2.2M1.6 3.6L4.6 0"},
    {3, "M0 9L0 0"},
    {11, "M0 6L0 0M0 3.8v2 6h4 3.8L4 0M4 3.8v6 6h8 3.8L8 0"},
    {8, "M0 6L0 0M0 3.5v2.5 6h5 3.5L5 0"},
    {8, "M0 3v2.5 6h5 3v2.5 0h0 3"},
    {8, "M0 6L0 -3M0 3v2.5 6h5 3v2.5 0h0 3"},
    {8, "M5 6L5 -3M5 3v2.5 6h0 3v2.5 0h5 3"},
    {5, "M0 6L0 0M0 3.2v2.4 6L2.9 6"},
    {7, "M4.2 4.8v2.2 6h0.2 4.5v2.2 3.1h4.4 1.6v2.2 0h0 1.2"},
    {6, "M1 8.2L1 1.6v2.8 0L3.2 0M-0.5 6L3.2 6"},
    {8, "M0 6L0 2.5v2.5 0h5 2.5M5 6L5 0"},
    {7, "M-0.2 6L2.3 0L4.8 6"},
    {10, "M-0.2 6L1.8 0L3.7 6L5.6 0L7.6 6"},
    {7, "M0 6L4.4 0M4.4 6L0 0"},
    {7, "M-0.2 6L2.4 0M4.8 6L2 -1.5q1.4 -3 -0.2 -3"},
    {7, "M0.2 6L4.4 6L0 0L4.6 0"},
    {5, "M2.4 10q0.9 10 0.9 8L0.9 5.6q0.9 4 0 4q0.9 4 0.9 2.4L0.9 0q0.9 -2 2.4 -2"},
    {3, "M0 10L0 -2"},
    {5, "M0 10q1.5 10 1.5 8L1.5 5.6q1.5 4 2.4 4q1.5 4 1.5 2.4L1.5 0q1.5 -2 0 -2"},
    {9, "M0 3.4q1.4 6 3 4.2q4.6 2.4 6 5"},
};

static const struct {
    uint32_t code;
    letter glyph;
} others[] = {
    {0x00A0, {4, ""}},                                                     // no-break space
    {0x00B0, {6, "M0 7.5v1.5 9h3 7.5v1.5 6h0 7.5"}},                       // degree
    {0x00B1, {9, "M3 8L3 2M0 5L6 5M0 0L6 0"}},                             // plus-minus
    {0x00B2, {6, "M0.1 8v1.5 9.2h3 7.8q3 7 2 6.2L0 4.6L3.2 4.6"}},         // squared
    {0x00B3, {6, "M0 9.2L3 9.2L1.4 7.4h3.2 6v1.5 4.5h0 5.3"}},             // cubed
    {0x00B5, {8, "M0 6L0 -3M0 2.5v2.5 0h5 2.5M5 6L5 0"}},                  // micro
    {0x00B7, {4, "d0 4"}},                                                 // middle dot
    {0x00C6, {13, "M0 0L5 9L9.6 9M5 9L5 0L9.6 0M5 5L9 5M1.8 3L5 3"}},      // AE
    {0x00D7, {9, "M0.4 6.6L5.6 1.4M5.6 6.6L0.4 1.4"}},                     // times
    {0x00DF, {8, "M0 0L0 6.6v2.4 9h4.6 7.1v2.4 5L2 5M2.4 5h5 2.5v2.2 0"}}, // sharp s
    {0x00E6,
     {13, "M0.4 4.8v2.5 6h5 3.8L5 3L10 3v7.5 6h5 3v7.6 0h9.8 1.3M5 3.5L2.2 3.5h0 1.7v2 0"
          "h5 2L5 3"}},                        // ae
    {0x2013, {8, "M0 3L5 3"}},                 // dash of numbers
    {0x2014, {12, "M0 3L9 3"}},                // dash of sentences
    {0x2019, {3, "M0.4 9L-0.1 6.8"}},          // apostrophe
    {0x2026, {10, "d0 0d3 0d6 0"}},            // ellipsis
    {0x2212, {9, "M0 4L6 4"}},                 // minus
    {0x2264, {8, "M5 9L0 6L5 3M0 0.5L5 0.5"}}, // at most
    {0x2265, {8, "M0 9L5 6L0 3M0 0.5L5 0.5"}}, // at least
};

static const char box[] = "M0 0L0 9L5 9L5 0L0 0";

// Marks stand above a small letter's centre; capitals lift them by 3.
static const struct {
    char name;
    const char *path;
} marks[] = {
    {'`', "M-1.6 9.2L0.2 7.8"},
    {'\'', "M1.6 9.2L-0.2 7.8"},
    {'^', "M-2 7.8L0 9.4L2 7.8"},
    {'~', "M-2.2 8q-1.1 9.4 0 8.5q1.1 7.6 2.2 9"},
    {':', "d-1.5 8.5d1.5 8.5"},
    {'o', "M-1.3 8.9v0 10.2h1.3 8.9v0 7.6h-1.3 8.9"},
    {',', "M0.2 -0.4L0.2 -1.4q1.6 -2.2 -1 -2.8"},
    {'/', "M-3 -0.4L3 6.4"},
};

// U+00C0 to U+00FF: the letter and its mark; '?' has a glyph of its own or none.
static const char latin_letters[] =
    "AAAAAA?CEEEEIIII?NOOOOO?OUUUUY??aaaaaa?ceeeeiiii?nooooo?ouuuuy?y";
static const char latin_marks[] =
    "`'^~:o ,`'^:`'^: ~`'^~: /`'^:'  `'^~:o ,`'^:`'^: ~`'^~: /`'^:' :";

static const char *mark_path(char name)
{
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (marks[i].name == name)
            return marks[i].path;
    return NULL;
}

static glyph plain(const letter *l)
{
    return (glyph){.path = l->path, .advance = l->advance};
}

static glyph accented(char base, char mark)
{
    // An i loses its dot below an accent.
    static const letter dotless = {3, "M0 6L0 0"};
    glyph out = plain(base == 'i' ? &dotless : &ascii[base - ' ']);
    out.mark = mark_path(mark);
    out.mark_x = 0.5f * (float)(out.advance - 3);
    const bool capital = base >= 'A' && base <= 'Z';
    out.mark_y = capital && mark != ',' && mark != '/' ? 3.0f : 0.0f;
    if (capital && mark == '/')
        out.mark_y = 1.5f;
    return out;
}

static glyph glyph_of(uint32_t code)
{
    if (code >= ' ' && code <= '~')
        return plain(&ascii[code - ' ']);
    if (code >= 0xC0 && code <= 0xFF && latin_letters[code - 0xC0] != '?')
        return accented(latin_letters[code - 0xC0], latin_marks[code - 0xC0]);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (others[i].code == code)
            return plain(&others[i].glyph);
    return (glyph){.path = box, .advance = 8};
}

// --- From a path to lines ----------------------------------------------------------------------

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

static rl_point read_point(const char **cursor, rl_point offset)
{
    const float x = read_number(cursor), y = read_number(cursor);
    return (rl_point){x + offset.x, y + offset.y};
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
        const rl_point corner = command == 'q' ? read_point(&c, offset) : pen;
        const rl_point p = read_point(&c, offset);
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

static void draw_glyph(rl_canvas *canvas, rl_point origin, const glyph *g,
                       const rl_text_style *style)
{
    strokes s;
    s.count = 0;
    s.radius = 0.5f * style->weight;
    add_path(&s, g->path, (rl_point){0});
    if (g->mark != NULL)
        add_path(&s, g->mark, (rl_point){g->mark_x, g->mark_y});
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
        units += glyph_of(code).advance;
    // The last letter's advance holds two units of white.
    return units > 2 ? (float)(units - 2) * scale : 0.0f;
}

void rl_text_draw(rl_canvas *canvas, float x, float y, const char *text, const rl_text_style *style)
{
    RL_ASSERT(style->scale > 0.0f);
    rl_point origin = {x, y};
    for (uint32_t code; (code = next_code(&text)) != 0;) {
        const glyph next = glyph_of(code);
        draw_glyph(canvas, origin, &next, style);
        const float step = (float)next.advance * style->scale;
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
    const float space = width - (float)glyph_of(0x2026).advance * scale;
    const char *end = text;
    float used = 0.0f;
    for (const char *c = text; *c != '\0'; end = c) {
        used += (float)glyph_of(next_code(&c)).advance * scale;
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
