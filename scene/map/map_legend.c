// SPDX-License-Identifier: MIT
// map_legend.c - the legend: bars of the two colour scales with plain numbers beside them, the key
// of the speeds and a few notes. Blocks stand below each other beside the map, or in rows below it.
#include "scene/map/map_parts.h"

#include <math.h>
#include <stdio.h>

#define MAX_TICKS     24
#define BAR_THICKNESS 16
#define LINE_HEIGHT   18

typedef struct tick {
    float t; // place on the bar, 0 to 1
    char label[32];
} tick;

typedef struct colour_bar {
    int x, y, length, thickness; // upper left corner; length along the scale
    bool upright;
    float scale; // of text
    tick ticks[MAX_TICKS];
    int tick_count;
} colour_bar;

// --- Blocks ------------------------------------------------------------------------------------

// Moves on past a block that is `height` units high when it stands beside the map.
static void finish_block(rl_map *map, int height)
{
    if (map->layout.legend_beside) {
        map->pen_y += height;
        return;
    }
    map->pen_x += rl_units(map, RL_LEGEND_COLUMN);
    if (map->pen_x + rl_units(map, RL_LEGEND_COLUMN) >
        map->layout.legend_x + map->layout.legend_width) {
        map->pen_x = map->layout.legend_x;
        map->pen_y += rl_units(map, RL_LEGEND_ROW);
    }
}

static void heading(rl_map *map, const char *text)
{
    rl_map_write(map, map->pen_x, map->pen_y + rl_units(map, 10), text, RL_PEN_BOLD, rl_ink);
}

// --- Ticks -------------------------------------------------------------------------------------

// Returns how much of the bar a label needs, pixels.
static float label_size(const colour_bar *bar, const char *label)
{
    return bar->upright ? 15.0f * bar->scale : rl_text_width(label, bar->scale) + 9.0f * bar->scale;
}

// Adds a tick unless its label would run into one that is there already.
static void add_tick(colour_bar *bar, double t, double value)
{
    tick fresh = {.t = (float)t};
    rl_format_number(fresh.label, sizeof fresh.label, value, rl_decimals_of(value));
    const float size = label_size(bar, fresh.label);
    if (bar->tick_count == MAX_TICKS)
        return;
    for (int i = 0; i < bar->tick_count; i++) {
        const tick *other = &bar->ticks[i];
        const float gap = (fresh.t - other->t) * (float)bar->length;
        const float need = 0.5f * (size + label_size(bar, other->label));
        if (gap < need && gap > -need)
            return;
    }
    bar->ticks[bar->tick_count++] = fresh;
}

// The ends first, then 1, 2, 5 downward as far as they fit.
static void add_depth_ticks(colour_bar *bar, const rl_map_scales *scales, rl_unit unit)
{
    const double top = (double)scales->depth_max * unit.per_metre;
    add_tick(bar, 1.0, top);
    add_tick(bar, 0.0, 0.0);
    for (double v = rl_nice_below(top); v > 1e-5 * top; v = rl_nice_below(0.999 * v)) {
        const float depth = (float)(v / unit.per_metre);
        add_tick(bar, (double)rl_depth_position(scales, depth), v);
    }
}

// Equal steps, the finest whose labels fit. All carry the decimals of the step.
static void add_even_ticks(colour_bar *bar, double low, double high)
{
    const double range = high - low;
    for (int parts = 4; parts >= 1; parts--) {
        const double step = rl_nice_below(range / parts);
        const int decimals = rl_decimals_of(step);
        float widest = 0.0f;
        bar->tick_count = 0;
        for (double k = ceil(low / step - 1e-6); k * step <= high + 1e-6 * step; k += 1.0) {
            tick *fresh = &bar->ticks[bar->tick_count++];
            fresh->t = (float)((k * step - low) / range);
            rl_format_number(fresh->label, sizeof fresh->label, k * step, decimals);
            const float size = label_size(bar, fresh->label);
            widest = size > widest ? size : widest;
        }
        if ((double)widest <= step / range * (double)bar->length)
            return;
    }
}

// --- Bars --------------------------------------------------------------------------------------

static void draw_ticks(rl_map *map, const colour_bar *bar)
{
    const int mark = rl_units(map, 4), thin = rl_units(map, 1);
    for (int i = 0; i < bar->tick_count; i++) {
        const tick *k = &bar->ticks[i];
        const int along = (int)(k->t * (float)(bar->length - 1) + 0.5f);
        if (bar->upright) {
            const int y = bar->y + bar->length - 1 - along, x = bar->x + bar->thickness + thin;
            rl_canvas_box(&map->canvas, x, y, x + mark, y + thin, rl_ink);
            rl_map_write(map, x + mark + rl_units(map, 4), y + rl_units(map, 5), k->label,
                         RL_PEN_REGULAR, rl_ink);
        } else {
            const int x = bar->x + along, y = bar->y + bar->thickness + thin;
            const int half = (int)(0.5f * rl_text_width(k->label, bar->scale));
            rl_canvas_box(&map->canvas, x, y, x + thin, y + mark, rl_ink);
            rl_map_write(map, x - half, y + mark + rl_units(map, 13), k->label, RL_PEN_REGULAR,
                         rl_ink);
        }
    }
}

// A point at the far end shows that the data go further than the scale.
static void draw_overflow(rl_map *map, const colour_bar *bar, rl_colour colour)
{
    const float x = (float)bar->x, y = (float)bar->y, wide = (float)bar->thickness;
    const float reach = 0.7f * wide, far = x + (float)bar->length;
    const rl_point upright[3] = {{x, y}, {x + wide, y}, {x + 0.5f * wide, y - reach}};
    const rl_point level[3] = {{far, y}, {far, y + wide}, {far + reach, y + 0.5f * wide}};
    const rl_point *corners = bar->upright ? upright : level;
    rl_canvas_polygon(&map->canvas, corners, 3, (float)rl_units(map, 1), rl_ink);
    rl_canvas_polygon(&map->canvas, corners, 3, 0.0f, colour);
}

// The colour at a part of a bar: that of the ground, or of water above ground of middle height.
static rl_colour bar_colour(const rl_map_scales *scales, bool water, float t)
{
    if (!water)
        return rl_colour_of(rl_ramp_colour(RL_RAMP_GROUND, t));
    const float opacity = rl_water_opacity(scales, t * t * scales->depth_max);
    return rl_colour_of(rl_rgb_mix(rl_ramp_colour(RL_RAMP_GROUND, 0.4f),
                                   rl_ramp_colour(RL_RAMP_DEPTH, t), opacity));
}

static void draw_bar(rl_map *map, const colour_bar *bar, bool water, bool overflow)
{
    const int wide = bar->upright ? bar->thickness : bar->length;
    const int high = bar->upright ? bar->length : bar->thickness;
    rl_canvas_frame(&map->canvas, bar->x, bar->y, bar->x + wide, bar->y + high, rl_units(map, 1),
                    rl_ink);
    if (overflow)
        draw_overflow(map, bar, bar_colour(&map->scales, water, 1.0f));
    for (int k = 0; k < bar->length; k++) {
        const float t = ((float)k + 0.5f) / (float)bar->length;
        const rl_colour c = bar_colour(&map->scales, water, t);
        if (bar->upright)
            rl_canvas_box(&map->canvas, bar->x, bar->y + bar->length - 1 - k, bar->x + wide,
                          bar->y + bar->length - k, c);
        else
            rl_canvas_box(&map->canvas, bar->x + k, bar->y, bar->x + k + 1, bar->y + high, c);
    }
    draw_ticks(map, bar);
}

// A bar below its heading. An overflow needs a little more space above an upright bar.
static colour_bar bar_here(rl_map *map, bool overflow)
{
    const bool upright = map->layout.legend_beside;
    return (colour_bar){.x = map->pen_x + rl_units(map, 1),
                        .y = map->pen_y + rl_units(map, upright ? overflow ? 32 : 21 : 19),
                        .length = map->layout.bar_length,
                        .thickness = rl_units(map, upright ? BAR_THICKNESS : BAR_THICKNESS - 4),
                        .upright = upright,
                        .scale = map->layout.scale};
}

// The bar of the depths, or that of the ground.
static void bar_block(rl_map *map, bool water)
{
    const double low = water ? 0.0 : (double)map->scales.ground_min;
    const double high = (double)(water ? map->scales.depth_max : map->scales.ground_max);
    const rl_unit unit = rl_unit_for(fabs(low) > fabs(high) ? fabs(low) : fabs(high));
    const bool overflow = water && map->scales.depth_clipped;
    char text[48];
    snprintf(text, sizeof text, "%s (%s)", water ? "Water depth" : "Elevation", unit.name);
    heading(map, text);
    colour_bar bar = bar_here(map, overflow);
    if (water)
        add_depth_ticks(&bar, &map->scales, unit);
    else
        add_even_ticks(&bar, low * unit.per_metre, high * unit.per_metre);
    draw_bar(map, &bar, water, overflow);
    finish_block(map, bar.y + bar.length - map->pen_y + rl_units(map, 28));
}

// --- Key and notes -----------------------------------------------------------------------------

static void key_entry(rl_map *map, int x, int y, float t, const char *label)
{
    const float scale = map->layout.scale;
    const rl_point middle = {(float)x + 17.0f * scale, (float)y};
    if (map->scales.flow == RILL_MAP_FLOW_ARROWS)
        rl_draw_arrow(&map->canvas, middle, 1.0f, 0.0f, t, scale);
    else
        rl_draw_line_sample(&map->canvas, middle, 30.0f * scale, t, scale);
    rl_map_write(map, x + rl_units(map, 42), y + rl_units(map, 5), label, RL_PEN_REGULAR, rl_ink);
}

static void speed_block(rl_map *map)
{
    heading(map, "Flow speed (m/s)");
    const bool slow = !(map->scales.speed_max > 0.0f);
    if (slow)
        rl_map_write(map, map->pen_x, map->pen_y + rl_units(map, 29), "No flow", RL_PEN_REGULAR,
                     rl_grey_ink);
    for (int i = 0; i < 3 && !slow; i++) {
        static const float parts[3] = {1.0f, 0.25f, 0.05f};
        const double speed = (double)map->scales.speed_max * (double)parts[i];
        char number[32], label[40];
        rl_format_number(number, sizeof number, speed, rl_decimals_of(speed));
        snprintf(label, sizeof label, "%s%s",
                 i == 0 && map->scales.speed_clipped ? "\xE2\x89\xA5 " : "", number);
        const bool beside = map->layout.legend_beside;
        key_entry(map, map->pen_x + (beside ? 0 : i * rl_units(map, 78)),
                  map->pen_y + rl_units(map, beside ? 26 + i * LINE_HEIGHT : 27), parts[i], label);
    }
    finish_block(map, rl_units(map, 26 + 3 * LINE_HEIGHT + 8));
}

static void note(rl_map *map, int *line, const char *before, double value, const char *after)
{
    char number[32], text[96];
    // Three digits are what a reader can use.
    double unit = 1.0;
    while (fabs(value) * unit < 99.5 && unit < 1e6 && value != 0.0)
        unit *= 10.0;
    const double rounded = floor(value * unit + 0.5) / unit;
    rl_format_number(number, sizeof number, rounded, rl_decimals_of(rounded));
    snprintf(text, sizeof text, "%s%s%s%s", before, number, after[0] != '\0' ? " " : "", after);
    rl_map_write(map, map->pen_x,
                 map->pen_y + rl_units(map, 10) + *line * rl_units(map, LINE_HEIGHT), text,
                 RL_PEN_REGULAR, rl_grey_ink);
    ++*line;
}

static void length_note(rl_map *map, int *line, const char *before, double metres)
{
    const rl_unit unit = rl_unit_for(fabs(metres));
    note(map, line, before, metres * unit.per_metre, metres == 0.0 ? "m" : unit.name);
}

static void notes_block(rl_map *map)
{
    const rl_map_scales *s = &map->scales;
    int line = 0;
    if (!(s->deepest > 0.0f))
        rl_map_write(map, map->pen_x,
                     map->pen_y + rl_units(map, 10) + line++ * rl_units(map, LINE_HEIGHT),
                     "No water", RL_PEN_REGULAR, rl_grey_ink);
    else
        length_note(map, &line, "Deepest ", (double)s->deepest);
    if (!(s->ground_max > s->ground_min))
        length_note(map, &line, "Ground at ", (double)s->ground_min);
    else if (s->contour_interval > 0.0f)
        length_note(map, &line, "Contours every ", (double)s->contour_interval);
    length_note(map, &line, "Cells of ", (double)map->input->cell_size);
    finish_block(map, line * rl_units(map, LINE_HEIGHT));
}

void rl_draw_legend(rl_map *map)
{
    const rl_map_scales *scales = &map->scales;
    map->pen_x = map->layout.legend_x;
    map->pen_y = map->layout.legend_y;
    if (scales->depth_max > 0.0f)
        bar_block(map, true);
    if (scales->ground_max > scales->ground_min)
        bar_block(map, false);
    if (scales->flow != RILL_MAP_FLOW_NONE)
        speed_block(map);
    notes_block(map);
}
