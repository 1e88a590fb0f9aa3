// SPDX-License-Identifier: MIT
// map_frame.c - title and time, the neat line around the map with coordinates where they are known,
// the scale bar and the north arrow.
#include "scene/map/map_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define TITLE_SCALE     1.5f
#define LABEL_DISTANCE  170.0f // pixels between coordinates, at scale 1
#define NARROW_MAP      320.0f // pixels; the scale bar may take more of its width
#define SMALL_SCALE_BAR 70.0f

static int units(const rl_map_layout *layout, int n)
{
    return rl_units(layout->scale, n);
}

static rl_text_style text_of(const rl_map_layout *layout, float weight, rl_colour colour)
{
    return (rl_text_style){.scale = layout->scale, .weight = weight, .colour = colour};
}

// --- Header ------------------------------------------------------------------------------------

// Formats a time: seconds for laboratories, hours, minutes and seconds for large terrains.
static void format_time(char *out, size_t bytes, double time)
{
    if (fabs(time) < 120.0 || fabs(time) > 1e12) {
        char number[32];
        rl_format_number(number, sizeof number, time, fabs(time) < 9.995 ? 2 : 1);
        snprintf(out, bytes, "Time %s s", number);
        return;
    }
    // A small amount is added, as sums of time steps miss whole seconds by a little.
    const double whole = floor(fabs(time) + 1e-3), hours = floor(whole / 3600.0);
    const int rest = (int)(whole - hours * 3600.0);
    snprintf(out, bytes, "Time %s%02.0f:%02d:%02d", time < 0.0 ? "\xE2\x88\x92" : "", hours,
             rest / 60, rest % 60);
}

void rl_draw_header(rl_canvas *canvas, const rl_map_layout *layout, const rl_map_input *input)
{
    char text[256];
    if (layout->title_y > 0) {
        rl_text_style style = text_of(layout, RL_PEN_BOLD, rl_ink);
        style.scale *= TITLE_SCALE;
        const int width = layout->width - layout->map_x - units(layout, RL_MAP_MARGIN);
        rl_text_fit(text, sizeof text, input->title, style.scale, (float)width);
        rl_text_draw(canvas, (float)layout->map_x, (float)layout->title_y, text, &style);
    }
    const rl_text_style style = text_of(layout, RL_PEN_REGULAR, rl_grey_ink);
    format_time(text, sizeof text, input->time);
    rl_text_draw(canvas, (float)layout->map_x, (float)layout->time_y, text, &style);
}

// --- Frame -------------------------------------------------------------------------------------

// One side of the frame: coordinates `start` to `end` over `length` pixels.
typedef struct axis {
    double start, end;
    int length;
    bool upright;
    const char *suffix;
} axis;

static void draw_coordinate(rl_canvas *canvas, const rl_map_layout *layout, const axis *a,
                            double value, int decimals)
{
    char number[40], label[48];
    rl_format_number(number, sizeof number, value, decimals);
    snprintf(label, sizeof label, "%s%s", number, a->suffix);
    rl_text_style style = text_of(layout, RL_PEN_REGULAR, rl_grey_ink);
    style.turned = a->upright;
    const int along = (int)((value - a->start) / (a->end - a->start) * (double)a->length);
    const int half = (int)(0.5f * rl_text_width(label, layout->scale));
    // A number that would stick out past the frame's end is left out with its mark.
    if (along < half || along > a->length - half)
        return;
    const int mark = units(layout, 5), thin = units(layout, 1);
    if (a->upright) {
        const int x = layout->map_x - thin, y = layout->map_y + a->length - along;
        rl_canvas_box(canvas, x - mark, y, x, y + thin, rl_ink);
        rl_text_draw(canvas, (float)(x - mark - units(layout, 3)), (float)(y + half), label,
                     &style);
    } else {
        const int x = layout->map_x + along, y = layout->map_y + layout->map_height + thin;
        rl_canvas_box(canvas, x, y, x + thin, y + mark, rl_ink);
        rl_text_draw(canvas, (float)(x - half), (float)(y + mark + units(layout, 13)), label,
                     &style);
    }
}

static void draw_axis(rl_canvas *canvas, const rl_map_layout *layout, const axis *a)
{
    const double range = a->end - a->start;
    const double labels = (double)a->length / (double)(LABEL_DISTANCE * layout->scale);
    // Coordinates whose steps drown in a double's rounding are left out.
    if (!(range > 1e-9 * (fabs(a->start) + fabs(a->end))) || labels < 0.5)
        return;
    double step = rl_nice_below(range / labels);
    step = range / step > 2.0 * labels ? 2.0 * step : step;
    const int decimals = rl_decimals_of(step);
    for (double k = ceil(a->start / step); k * step <= a->end; k += 1.0)
        draw_coordinate(canvas, layout, a, k * step, decimals);
}

void rl_draw_frame(rl_canvas *canvas, const rl_map_layout *layout, const rl_map_input *input)
{
    rl_canvas_frame(canvas, layout->map_x, layout->map_y, layout->map_x + layout->map_width,
                    layout->map_y + layout->map_height, units(layout, 1), rl_ink);
    if (!layout->coordinates)
        return;
    const rill_georeference *g = input->georeference;
    const bool degrees = g->projection != NULL && strncmp(g->projection, "GEOG", 4) == 0;
    const char *suffix = degrees ? "\xC2\xB0" : "";
    const axis x = {.start = g->transform[0],
                    .end = g->transform[0] + g->transform[1] * (double)input->ground.nx,
                    .length = layout->map_width,
                    .suffix = suffix};
    const axis y = {.start = g->transform[3] + g->transform[5] * (double)input->ground.ny,
                    .end = g->transform[3],
                    .length = layout->map_height,
                    .upright = true,
                    .suffix = suffix};
    draw_axis(canvas, layout, &x);
    draw_axis(canvas, layout, &y);
}

// --- Scale bar and north arrow -----------------------------------------------------------------

static void draw_north(rl_canvas *canvas, const rl_map_layout *layout)
{
    const float s = layout->scale;
    const float x = (float)(layout->map_x + layout->map_width) - 9.0f * s;
    const float y = (float)layout->strip_y + 4.0f * s;
    const rl_point needle[4] = {
        {x, y}, {x + 5.0f * s, y + 16.0f * s}, {x, y + 12.5f * s}, {x - 5.0f * s, y + 16.0f * s}};
    rl_canvas_polygon(canvas, needle, 4, 0.0f, rl_ink);
    const rl_text_style style = text_of(layout, RL_PEN_BOLD, rl_ink);
    const float half = 0.5f * rl_text_width("N", s);
    rl_text_draw(canvas, floorf(x - half), (float)(layout->strip_y + units(layout, 32)), "N",
                 &style);
}

static void bar_label(rl_canvas *canvas, const rl_map_layout *layout, int x, double value,
                      const char *unit, bool centred)
{
    char number[32], text[48];
    rl_format_number(number, sizeof number, value, rl_decimals_of(value));
    snprintf(text, sizeof text, "%s%s%s", number, unit[0] != '\0' ? " " : "", unit);
    const rl_text_style style = text_of(layout, RL_PEN_REGULAR, rl_ink);
    const int back = centred ? (int)(0.5f * rl_text_width(number, layout->scale)) : 0;
    rl_text_draw(canvas, (float)(x - back), (float)(layout->strip_y + units(layout, 14)), text,
                 &style);
}

void rl_draw_scale_bar(rl_canvas *canvas, const rl_map_layout *layout, const rl_map_input *input)
{
    const double metres = (double)input->cell_size * (double)input->ground.nx;
    const bool narrow = (float)layout->map_width < NARROW_MAP * layout->scale;
    const double longest = rl_nice_below(metres * (narrow ? 0.6 : 0.3));
    const rl_unit unit =
        longest >= 1000.0 ? (rl_unit){"km", 0.001} : rl_unit_for(longest * (1.0 + 1e-6));
    const int length = (int)((double)layout->map_width * longest / metres + 0.5);
    const int x = layout->map_x, y = layout->strip_y + units(layout, 20);
    const int high = units(layout, 6), thin = units(layout, 1);
    rl_canvas_box(canvas, x, y, x + length, y + high, (rl_colour){255, 255, 255});
    for (int part = 0; part < 4; part += 2)
        rl_canvas_box(canvas, x + length * part / 4, y, x + length * (part + 1) / 4, y + high,
                      rl_ink);
    rl_canvas_frame(canvas, x + thin, y, x + length - thin, y + high, thin, rl_ink);
    const double value = longest * unit.per_metre;
    if ((float)length >= SMALL_SCALE_BAR * layout->scale) {
        bar_label(canvas, layout, x, 0.0, "", false);
        bar_label(canvas, layout, x + length / 2, 0.5 * value, "", true);
        bar_label(canvas, layout, x + length, value, unit.name, true);
    } else {
        bar_label(canvas, layout, x, value, unit.name, false);
    }
    if (layout->coordinates)
        draw_north(canvas, layout);
}
