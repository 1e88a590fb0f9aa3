// SPDX-License-Identifier: MIT
// plot.c - draws curves as SVG.
#include "validation/plot.h"

#include <math.h>
#include <string.h>

// Size of a plot and of the space around its frame, in SVG units (pixels on a screen).
#define WIDTH      640.0
#define HEIGHT     400.0
#define LEFT       76.0
#define RIGHT      18.0
#define TOP        16.0
#define BOTTOM     54.0
#define LEGEND_ROW 22.0

#define MARK_SIZE     3.4
#define MARK_DISTANCE 9.0 // between neighbouring points of a series, so that shapes can be told
#define LETTER        7.2 // mean width of a letter, on the wide side

// Colours that can be told apart by everybody (Okabe and Ito).
static const char *const palette[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9"};
static const char *const line_colours[] = {"#222222", "#888888"};

#define PALETTE_COUNT ((int)(sizeof palette / sizeof palette[0]))

// ---- Axes ------------------------------------------------------------------------------

typedef struct scale {
    double low, high; // of what is drawn: values, or their decimal logarithms
    double from, to;  // in SVG units
    bool logarithmic;
} scale;

static double place(const scale *s, double value)
{
    const double v = s->logarithmic ? log10(value) : value;
    return s->from + (v - s->low) / (s->high - s->low) * (s->to - s->from);
}

static bool can_place(const scale *s, double value)
{
    return isfinite(value) && (!s->logarithmic || value > 0.0);
}

// 1, 2 or 5 times a power of ten that divides `span` into about `count` parts.
static double tick_step(double span, int count)
{
    const double rough = span / count, power = pow(10.0, floor(log10(rough)));
    const double lead = rough / power;
    return power * (lead < 1.5 ? 1.0 : lead < 3.5 ? 2.0 : lead < 7.5 ? 5.0 : 10.0);
}

static scale make_scale(const validation_series *series, int count, bool vertical, bool logarithmic)
{
    scale s = {.low = INFINITY, .high = -INFINITY, .logarithmic = logarithmic};
    for (int n = 0; n < count; n++)
        for (int i = 0; i < series[n].count; i++) {
            const double value = vertical ? series[n].y[i] : series[n].x[i];
            if (!can_place(&s, value))
                continue;
            const double v = logarithmic ? log10(value) : value;
            s.low = fmin(s.low, v);
            s.high = fmax(s.high, v);
        }
    if (!(s.high >= s.low))
        s.low = 0.0, s.high = 1.0;
    // A constant is drawn in the middle; anything else gets air above and below.
    const double span = s.high - s.low, least = 1e-3 * fmax(fabs(s.high), 1e-12);
    const double air = span > least ? (vertical || logarithmic ? 0.06 * span : 0.0)
                                    : fmax(0.2 * fabs(s.high), 1e-12);
    s.low -= air;
    s.high += air;
    return s;
}

static void write_tick(FILE *f, const scale *s, double value, bool vertical, double across_from,
                       double across_to)
{
    const double at = place(s, value);
    char text[32];
    snprintf(text, sizeof text, "%.6g", fabs(value) < 1e-12 && !s->logarithmic ? 0.0 : value);
    if (vertical)
        fprintf(f,
                "<line class=\"grid\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>"
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
                across_from, at, across_to, at, across_from - 8.0, at + 4.0, text);
    else
        fprintf(f,
                "<line class=\"grid\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>"
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n",
                at, across_from, at, across_to, at, across_from + 18.0, text);
}

static void write_ticks(FILE *f, const scale *s, bool vertical, double across_from,
                        double across_to)
{
    if (!s->logarithmic) {
        const double step = tick_step(s->high - s->low, vertical ? 6 : 8);
        for (double n = ceil(s->low / step - 1e-9); n * step <= s->high + 1e-9 * step; n++)
            write_tick(f, s, n * step, vertical, across_from, across_to);
        return;
    }
    // Few decades have space for 2 and 5 between the powers of ten.
    const bool halves = s->high - s->low < 2.5;
    for (int power = (int)floor(s->low); power <= (int)ceil(s->high); power++)
        for (int lead = 1; lead <= (halves ? 5 : 1); lead += lead == 2 ? 3 : 1) {
            const double value = lead * pow(10.0, power), v = log10(value);
            if (v >= s->low - 1e-9 && v <= s->high + 1e-9)
                write_tick(f, s, value, vertical, across_from, across_to);
        }
}

// ---- Series ----------------------------------------------------------------------------

static void write_mark(FILE *f, int shape, double x, double y)
{
    const double r = MARK_SIZE;
    const char *colour = palette[shape % PALETTE_COUNT];
    switch (shape % 4) {
    case 0:
        fprintf(f, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" ", x, y, r);
        break;
    case 1:
        fprintf(f, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" ", x - 0.9 * r,
                y - 0.9 * r, 1.8 * r, 1.8 * r);
        break;
    case 2:
        fprintf(f, "<path d=\"M%.1f %.1fl%.1f %.1fh%.1fz\" ", x, y - 1.2 * r, 1.2 * r, 2.1 * r,
                -2.4 * r);
        break;
    default:
        fprintf(f, "<path d=\"M%.1f %.1fl%.1f %.1fl%.1f %.1fl%.1f %.1fz\" ", x, y - 1.3 * r,
                1.3 * r, 1.3 * r, -1.3 * r, 1.3 * r, -1.3 * r, -1.3 * r);
    }
    fprintf(f, "fill=\"#fff\" stroke=\"%s\" stroke-width=\"1.4\"/>\n", colour);
}

static void write_points(FILE *f, const validation_series *s, const scale *x, const scale *y)
{
    double last_x = -1e9, last_y = -1e9;
    for (int i = 0; i < s->count; i++) {
        if (!can_place(x, s->x[i]) || !can_place(y, s->y[i]))
            continue;
        const double px = place(x, s->x[i]), py = place(y, s->y[i]);
        if (hypot(px - last_x, py - last_y) < MARK_DISTANCE)
            continue;
        write_mark(f, s->colour, px, py);
        last_x = px;
        last_y = py;
    }
}

static void write_line(FILE *f, const validation_series *s, const scale *x, const scale *y,
                       const char *style)
{
    bool open = false;
    fprintf(f, "<path d=\"");
    for (int i = 0; i < s->count; i++) {
        const bool here = can_place(x, s->x[i]) && can_place(y, s->y[i]);
        if (here)
            fprintf(f, "%c%.1f %.1f", open ? 'L' : 'M', place(x, s->x[i]), place(y, s->y[i]));
        open = here;
    }
    fprintf(f, "\" fill=\"none\" stroke-linejoin=\"round\" %s/>\n", style);
}

static void write_ground(FILE *f, const validation_series *s, const scale *x, const scale *y)
{
    if (s->count == 0)
        return;
    fprintf(f, "<path d=\"M%.1f %.1f", place(x, s->x[0]), y->from);
    for (int i = 0; i < s->count; i++)
        fprintf(f, "L%.1f %.1f", place(x, s->x[i]), place(y, s->y[i]));
    fprintf(f, "L%.1f %.1fz\" fill=\"#d9d2c5\" stroke=\"#8a7f6d\"/>\n",
            place(x, s->x[s->count - 1]), y->from);
}

// All of a series but its points.
static void write_stroke(FILE *f, const validation_series *s, const scale *x, const scale *y)
{
    char style[96];
    if (s->mark == VALIDATION_MARK_JOINED)
        snprintf(style, sizeof style, "stroke=\"%s\" stroke-width=\"1.3\"",
                 palette[s->colour % PALETTE_COUNT]);
    else
        snprintf(style, sizeof style, "stroke=\"%s\" stroke-width=\"1.6\"%s",
                 line_colours[s->colour % 2],
                 s->mark == VALIDATION_MARK_DASHES ? " stroke-dasharray=\"5 4\"" : "");
    if (s->mark == VALIDATION_MARK_GROUND)
        write_ground(f, s, x, y);
    else if (s->mark != VALIDATION_MARK_POINTS)
        write_line(f, s, x, y, style);
}

static bool has_points(const validation_series *s)
{
    return s->mark == VALIDATION_MARK_POINTS || s->mark == VALIDATION_MARK_JOINED;
}

// ---- Legend ----------------------------------------------------------------------------

static double legend_width(const validation_series *s)
{
    return 44.0 + LETTER * (double)strlen(s->label);
}

static void write_sample(FILE *f, const validation_series *s, double x, double y)
{
    // Already in SVG units: scales that change nothing, and a floor for ground to stand on.
    const scale same_x = {.high = 1.0, .to = 1.0};
    const scale same_y = {.low = y + 6.0, .high = y + 7.0, .from = y + 6.0, .to = y + 7.0};
    const double xs[] = {x, x + 26.0}, ys[] = {y, y};
    validation_series sample = *s;
    sample.x = xs;
    sample.y = ys;
    sample.count = 2;
    write_stroke(f, &sample, &same_x, &same_y);
    if (has_points(s))
        write_mark(f, s->colour, x + 13.0, y);
    fprintf(f, "<text x=\"%.1f\" y=\"%.1f\">", x + 33.0, y + 4.0);
    validation_write_escaped(f, s->label);
    fprintf(f, "</text>\n");
}

// Walks the entries; draws them when there is a file. Returns the number of rows.
static int lay_legend(FILE *f, const validation_series *series, int count)
{
    double x = LEFT;
    int row = 0;
    for (int n = 0; n < count; n++) {
        const double width = legend_width(&series[n]);
        if (x > LEFT && x + width > WIDTH - RIGHT) {
            x = LEFT;
            row++;
        }
        if (f != NULL)
            write_sample(f, &series[n], x, TOP + LEGEND_ROW * row);
        x += width;
    }
    return row + 1;
}

// ---- The plot --------------------------------------------------------------------------

void validation_write_escaped(FILE *file, const char *text)
{
    for (const char *c = text; *c != '\0'; c++)
        switch (*c) {
        case '<':
            fputs("&lt;", file);
            break;
        case '>':
            fputs("&gt;", file);
            break;
        case '&':
            fputs("&amp;", file);
            break;
        case '"':
            fputs("&quot;", file);
            break;
        default:
            fputc(*c, file);
        }
}

static void write_names(FILE *f, const validation_axes *axes, double top, double bottom)
{
    const double middle = 0.5 * (LEFT + WIDTH - RIGHT), centre = 0.5 * (top + bottom);
    fprintf(f, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">", middle, bottom + 42.0);
    validation_write_escaped(f, axes->x_name);
    fprintf(f, "</text>\n<text transform=\"translate(16 %.1f) rotate(-90)\" ", centre);
    fprintf(f, "text-anchor=\"middle\">");
    validation_write_escaped(f, axes->y_name);
    fprintf(f, "</text>\n");
}

void validation_draw_svg(FILE *file, const validation_axes *axes, const validation_series *series,
                         int count)
{
    const double legend = LEGEND_ROW * lay_legend(NULL, series, count);
    const double top = TOP + legend, bottom = top + HEIGHT - TOP - BOTTOM;
    scale x = make_scale(series, count, false, axes->logarithmic);
    scale y = make_scale(series, count, true, axes->logarithmic);
    x.from = LEFT;
    x.to = WIDTH - RIGHT;
    y.from = bottom;
    y.to = top;

    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" role=\"img\" "
            "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"13\" fill=\"#222\">\n"
            "<style>.grid{stroke:#e4e4e4}</style>\n",
            WIDTH, bottom + BOTTOM);
    lay_legend(file, series, count);
    for (int n = 0; n < axes->x_tick_count; n++)
        write_tick(file, &x, axes->x_ticks[n], false, bottom, top);
    if (axes->x_tick_count == 0)
        write_ticks(file, &x, false, bottom, top);
    write_ticks(file, &y, true, LEFT, WIDTH - RIGHT);
    for (int n = 0; n < count; n++) {
        write_stroke(file, &series[n], &x, &y);
        if (has_points(&series[n]))
            write_points(file, &series[n], &x, &y);
    }
    fprintf(file,
            "<path d=\"M%.1f %.1fV%.1fH%.1f\" fill=\"none\" stroke=\"#444\" "
            "stroke-width=\"1.2\"/>\n",
            LEFT, top, bottom, WIDTH - RIGHT);
    write_names(file, axes, top, bottom);
    fprintf(file, "</svg>\n");
}
