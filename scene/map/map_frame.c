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

static void place_legend_beside(rl_map *map, int bar)
{
    rl_map_layout *l = &map->layout;
    const int longest = rl_units(map, LONGEST_BAR);
    l->legend_beside = true;
    l->bar_length = bar < longest ? bar : longest;
    l->legend_x = l->map_x + l->map_width + rl_units(map, LEGEND_GAP);
    l->legend_y = l->map_y;
    l->legend_width = rl_units(map, BESIDE_WIDTH);
    l->width = l->legend_x + l->legend_width + rl_units(map, RL_MAP_MARGIN);
    l->height = l->strip_y + rl_units(map, STRIP_HEIGHT + RL_MAP_MARGIN);
}

static void place_legend_below(rl_map *map, int blocks)
{
    rl_map_layout *l = &map->layout;
    const int margin = rl_units(map, RL_MAP_MARGIN), column = rl_units(map, RL_LEGEND_COLUMN);
    const int least = rl_units(map, LEAST_WIDTH);
    const int content = l->map_width > least ? l->map_width : least;
    const int per_row = content / column > 0 ? content / column : 1;
    l->bar_length = rl_units(map, BELOW_BAR);
    l->legend_x = l->map_x;
    l->legend_y = l->strip_y + rl_units(map, STRIP_HEIGHT + 14);
    l->legend_width = content;
    l->width = l->map_x + content + margin;
    l->height =
        l->legend_y + (blocks + per_row - 1) / per_row * rl_units(map, RL_LEGEND_ROW) + margin;
}

void rl_map_lay_out(rl_map *map, int map_width, int map_height)
{
    const rl_map_scales *scales = &map->scales;
    const char *title = map->input->title;
    rl_map_layout *l = &map->layout;
    *l = (rl_map_layout){.map_width = map_width, .map_height = map_height};
    l->scale = text_scale(map->style, map_width > map_height ? map_width : map_height);
    l->coordinates = knows_coordinates(map->input);
    const int numbers = l->coordinates ? rl_units(map, COORDINATES) : 0;
    int y = rl_units(map, RL_MAP_MARGIN);
    l->map_x = y + numbers;
    if (title != NULL && title[0] != '\0') {
        l->title_y = y + rl_units(map, 15);
        y += rl_units(map, TITLE_HEIGHT);
    }
    l->time_y = y + rl_units(map, 10);
    l->map_y = y + rl_units(map, TIME_HEIGHT);
    l->strip_y = l->map_y + map_height + rl_units(map, 8) + numbers;

    const int bars = (scales->depth_max > 0.0f) + (scales->ground_max > scales->ground_min);
    const bool flows = scales->flow != RILL_MAP_FLOW_NONE;
    const int rest = rl_units(map, bars * BAR_BLOCK + NOTES_BLOCK + (flows ? KEY_BLOCK : 0));
    const int bar = (map_height - rest) / (bars > 0 ? bars : 1);
    if (bar >= rl_units(map, SHORTEST_BAR))
        place_legend_beside(map, bar);
    else
        place_legend_below(map, bars + flows + 1);
    // Video coders halve the colours of both sides.
    l->width += l->width % 2;
    l->height += l->height % 2;
}

// --- Texts -------------------------------------------------------------------------------------

#define TITLE_SCALE     1.5f
#define LABEL_DISTANCE  170.0f // pixels between coordinates, at scale 1
#define NARROW_MAP      320.0f // pixels; the scale bar may take more of its width
#define SMALL_SCALE_BAR 70.0f

static rl_text_style text_of(const rl_map *map, float weight, rl_colour colour)
{
    return (rl_text_style){.scale = map->layout.scale, .weight = weight, .colour = colour};
}

void rl_map_write(rl_map *map, int x, int y, const char *text, float weight, rl_colour colour)
{
    const rl_text_style style = text_of(map, weight, colour);
    rl_text_draw(&map->canvas, (float)x, (float)y, text, &style);
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

void rl_draw_header(rl_map *map)
{
    const rl_map_layout *layout = &map->layout;
    char text[256];
    if (layout->title_y > 0) {
        rl_text_style style = text_of(map, RL_PEN_BOLD, rl_ink);
        style.scale *= TITLE_SCALE;
        const int width = layout->width - layout->map_x - rl_units(map, RL_MAP_MARGIN);
        rl_text_fit(text, sizeof text, map->input->title, style.scale, (float)width);
        rl_text_draw(&map->canvas, (float)layout->map_x, (float)layout->title_y, text, &style);
    }
    format_time(text, sizeof text, map->input->time);
    rl_map_write(map, layout->map_x, layout->time_y, text, RL_PEN_REGULAR, rl_grey_ink);
}

// --- Frame -------------------------------------------------------------------------------------

// One side of the frame: coordinates `start` to `end` over `length` pixels.
typedef struct axis {
    double start, end;
    int length;
    bool upright;
    const char *suffix;
} axis;

static void draw_coordinate(rl_map *map, const axis *a, double value, int decimals)
{
    const rl_map_layout *layout = &map->layout;
    char number[40], label[48];
    rl_format_number(number, sizeof number, value, decimals);
    snprintf(label, sizeof label, "%s%s", number, a->suffix);
    rl_text_style style = text_of(map, RL_PEN_REGULAR, rl_grey_ink);
    style.turned = a->upright;
    const int along = (int)((value - a->start) / (a->end - a->start) * (double)a->length);
    const int half = (int)(0.5f * rl_text_width(label, layout->scale));
    // A number that would stick out past the frame's end is left out with its mark.
    if (along < half || along > a->length - half)
        return;
    const int mark = rl_units(map, 5), thin = rl_units(map, 1);
    if (a->upright) {
        const int x = layout->map_x - thin, y = layout->map_y + a->length - along;
        rl_canvas_box(&map->canvas, x - mark, y, x, y + thin, rl_ink);
        rl_text_draw(&map->canvas, (float)(x - mark - rl_units(map, 3)), (float)(y + half), label,
                     &style);
    } else {
        const int x = layout->map_x + along, y = layout->map_y + layout->map_height + thin;
        rl_canvas_box(&map->canvas, x, y, x + thin, y + mark, rl_ink);
        rl_text_draw(&map->canvas, (float)(x - half), (float)(y + mark + rl_units(map, 13)), label,
                     &style);
    }
}

static void draw_axis(rl_map *map, const axis *a)
{
    const double range = a->end - a->start;
    const double labels = (double)a->length / (double)(LABEL_DISTANCE * map->layout.scale);
    // Coordinates whose steps drown in a double's rounding are left out.
    if (!(range > 1e-9 * (fabs(a->start) + fabs(a->end))) || labels < 0.5)
        return;
    double step = rl_nice_below(range / labels);
    step = range / step > 2.0 * labels ? 2.0 * step : step;
    const int decimals = rl_decimals_of(step);
    for (double k = ceil(a->start / step); k * step <= a->end; k += 1.0)
        draw_coordinate(map, a, k * step, decimals);
}

void rl_draw_frame(rl_map *map)
{
    const rl_map_layout *layout = &map->layout;
    const rl_map_input *input = map->input;
    rl_canvas_frame(&map->canvas, layout->map_x, layout->map_y, layout->map_x + layout->map_width,
                    layout->map_y + layout->map_height, rl_units(map, 1), rl_ink);
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
    draw_axis(map, &x);
    draw_axis(map, &y);
}

// --- Scale bar and north arrow -----------------------------------------------------------------

static void draw_north(rl_map *map)
{
    const rl_map_layout *layout = &map->layout;
    const float s = layout->scale;
    const float x = (float)(layout->map_x + layout->map_width) - 9.0f * s;
    const float y = (float)layout->strip_y + 4.0f * s;
    const rl_point needle[4] = {
        {x, y}, {x + 5.0f * s, y + 16.0f * s}, {x, y + 12.5f * s}, {x - 5.0f * s, y + 16.0f * s}};
    rl_canvas_polygon(&map->canvas, needle, 4, 0.0f, rl_ink);
    const int left = (int)floorf(x - 0.5f * rl_text_width("N", s));
    rl_map_write(map, left, layout->strip_y + rl_units(map, 32), "N", RL_PEN_BOLD, rl_ink);
}

static void bar_label(rl_map *map, int x, double value, const char *unit, bool centred)
{
    char number[32], text[48];
    rl_format_number(number, sizeof number, value, rl_decimals_of(value));
    snprintf(text, sizeof text, "%s%s%s", number, unit[0] != '\0' ? " " : "", unit);
    const int back = centred ? (int)(0.5f * rl_text_width(number, map->layout.scale)) : 0;
    rl_map_write(map, x - back, map->layout.strip_y + rl_units(map, 14), text, RL_PEN_REGULAR,
                 rl_ink);
}

void rl_draw_scale_bar(rl_map *map)
{
    const rl_map_layout *layout = &map->layout;
    const double metres = (double)map->input->cell_size * (double)map->input->ground.nx;
    const bool narrow = (float)layout->map_width < NARROW_MAP * layout->scale;
    const double longest = rl_nice_below(metres * (narrow ? 0.6 : 0.3));
    const rl_unit unit =
        longest >= 1000.0 ? (rl_unit){"km", 0.001} : rl_unit_for(longest * (1.0 + 1e-6));
    const int length = (int)((double)layout->map_width * longest / metres + 0.5);
    const int x = layout->map_x, y = layout->strip_y + rl_units(map, 20);
    const int high = rl_units(map, 6), thin = rl_units(map, 1);
    rl_canvas_box(&map->canvas, x, y, x + length, y + high, (rl_colour){255, 255, 255});
    for (int part = 0; part < 4; part += 2)
        rl_canvas_box(&map->canvas, x + length * part / 4, y, x + length * (part + 1) / 4, y + high,
                      rl_ink);
    rl_canvas_frame(&map->canvas, x + thin, y, x + length - thin, y + high, thin, rl_ink);
    const double value = longest * unit.per_metre;
    if ((float)length >= SMALL_SCALE_BAR * layout->scale) {
        bar_label(map, x, 0.0, "", false);
        bar_label(map, x + length / 2, 0.5 * value, "", true);
        bar_label(map, x + length, value, unit.name, true);
    } else {
        bar_label(map, x, value, unit.name, false);
    }
    if (layout->coordinates)
        draw_north(map);
}
