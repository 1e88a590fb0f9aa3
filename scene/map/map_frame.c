// SPDX-License-Identifier: MIT
// map_frame.c - everything around the map but the legend: where it goes (a header above, a strip
// with the scale bar below, the legend beside a tall map or below a flat one, all lengths in units
// that grow with the picture), title and time, the neat line around the map with coordinates where
// they are known, the scale bar and the north arrow.
#include "scene/map/map_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- Layout ------------------------------------------------------------------------------------

#define TITLE_HEIGHT    28
#define TIME_HEIGHT     22
#define COORDINATES     18 // space for numbers at the frame
#define STRIP_HEIGHT    40
#define LEGEND_GAP      24
#define BESIDE_WIDTH    140
#define BELOW_BAR       200
#define LONGEST_BAR     190
#define SHORTEST_BAR    64
#define BAR_BLOCK       56 // heading and white of an upright bar
#define KEY_BLOCK       84 // the speed key
#define NOTES_BLOCK     84
#define LEAST_WIDTH     360 // of the picture
#define GROWS_FROM_SIDE 1280.0f

// Text has a constant size up to a common screen and then grows with the picture in half steps.
static float text_scale(const rl_map_style *style, int longer)
{
    if (style->text_scale > 0.0f)
        return style->text_scale;
    const float part = (float)longer / GROWS_FROM_SIDE;
    const float halves = (float)(int)(2.0f * part + 0.5f) * 0.5f;
    return halves > 1.0f ? halves : 1.0f;
}

static bool knows_coordinates(const rl_map_input *input)
{
    const rill_georeference *g = input->georeference;
    // Coordinates along the frame make sense when north is up.
    return g != NULL && g->known && g->transform[2] == 0.0 && g->transform[4] == 0.0 &&
           g->transform[1] > 0.0 && g->transform[5] < 0.0;
}

static void place_legend_beside(rl_map_layout *l, int bar)
{
    l->legend_beside = true;
    l->bar_length = bar < rl_units(l->scale, LONGEST_BAR) ? bar : rl_units(l->scale, LONGEST_BAR);
    l->legend_x = l->map_x + l->map_width + rl_units(l->scale, LEGEND_GAP);
    l->legend_y = l->map_y;
    l->legend_width = rl_units(l->scale, BESIDE_WIDTH);
    l->legend_height = l->map_height;
    l->width = l->legend_x + l->legend_width + rl_units(l->scale, RL_MAP_MARGIN);
    l->height = l->strip_y + rl_units(l->scale, STRIP_HEIGHT + RL_MAP_MARGIN);
}

static void place_legend_below(rl_map_layout *l, const rl_map_scales *scales)
{
    const int margin = rl_units(l->scale, RL_MAP_MARGIN);
    const int column = rl_units(l->scale, RL_LEGEND_COLUMN);
    const int least = rl_units(l->scale, LEAST_WIDTH);
    const int content = l->map_width > least ? l->map_width : least;
    const int per_row = content / column > 0 ? content / column : 1;
    const int blocks = (scales->depth_max > 0.0f) + (scales->ground_max > scales->ground_min) +
                       (scales->flow != RILL_MAP_FLOW_NONE) + 1;
    l->legend_beside = false;
    l->bar_length = rl_units(l->scale, BELOW_BAR);
    l->legend_x = l->map_x;
    l->legend_y = l->strip_y + rl_units(l->scale, STRIP_HEIGHT + 14);
    l->legend_width = content;
    l->legend_height = (blocks + per_row - 1) / per_row * rl_units(l->scale, RL_LEGEND_ROW);
    l->width = l->map_x + content + margin;
    l->height = l->legend_y + l->legend_height + margin;
}

rl_map_layout rl_map_layout_make(const rl_map_input *input, const rl_map_style *style,
                                 const rl_map_scales *scales, int map_width, int map_height)
{
    rl_map_layout l = {.map_width = map_width, .map_height = map_height};
    l.scale = text_scale(style, map_width > map_height ? map_width : map_height);
    l.coordinates = knows_coordinates(input);
    const int margin = rl_units(l.scale, RL_MAP_MARGIN);
    const bool titled = input->title != NULL && input->title[0] != '\0';
    int y = margin;
    if (titled) {
        l.title_y = y + rl_units(l.scale, 15);
        y += rl_units(l.scale, TITLE_HEIGHT);
    }
    l.time_y = y + rl_units(l.scale, 10);
    l.map_y = y + rl_units(l.scale, TIME_HEIGHT);
    l.map_x = margin + (l.coordinates ? rl_units(l.scale, COORDINATES) : 0);
    l.strip_y = l.map_y + map_height + rl_units(l.scale, 8) +
                (l.coordinates ? rl_units(l.scale, COORDINATES) : 0);

    const int bars = (scales->depth_max > 0.0f) + (scales->ground_max > scales->ground_min);
    const int rest = rl_units(l.scale, bars * BAR_BLOCK + NOTES_BLOCK +
                                           (scales->flow != RILL_MAP_FLOW_NONE ? KEY_BLOCK : 0));
    const int bar = (map_height - rest) / (bars > 0 ? bars : 1);
    if (bar >= rl_units(l.scale, SHORTEST_BAR))
        place_legend_beside(&l, bar);
    else
        place_legend_below(&l, scales);
    // Video coders halve the colours of both sides.
    l.width += l.width % 2;
    l.height += l.height % 2;
    return l;
}

// --- Texts -------------------------------------------------------------------------------------

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
