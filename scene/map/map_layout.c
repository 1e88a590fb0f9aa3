// SPDX-License-Identifier: MIT
// map_layout.c - places everything around the map: a header above, a strip with the scale bar
// below, and the legend beside a tall map or below a flat one. All lengths are in units that grow
// with the picture.
#include "scene/map/map_parts.h"

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
