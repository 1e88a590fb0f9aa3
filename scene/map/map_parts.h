// SPDX-License-Identifier: MIT
// map_parts.h - common parts of the files that draw a map: outlines and text on a picture, the
// working copy of the grid, the scales of colour and speed, and the layout of the picture.
#pragma once

#include "scene/map/map.h"
#include "scene/scene_assert.h"

#include "rill/support.h"

static inline float rl_clamp(float v, float low, float high)
{
    return v > low ? v < high ? v : high : low;
}

static inline float rl_clamp_unit(float v)
{
    return rl_clamp(v, 0.0f, 1.0f);
}

// --- Outlines (map_canvas.c) and text (map_text.c) ---------------------------------------------
//
// All outlines are drawn by distance: a pixel is covered by how far its centre lies inside.
// Coordinates are in pixels from the upper left corner; pixel (x, y) has its centre at
// (x + 0.5, y + 0.5).

typedef struct rl_colour {
    uint8_t r, g, b;
} rl_colour;

typedef struct rl_point {
    float x, y;
} rl_point;

// Drawing changes nothing outside the clip rectangle, which lies inside the picture.
typedef struct rl_canvas {
    uint8_t *rgb;
    int width, height;
    int clip_x0, clip_y0, clip_x1, clip_y1;
} rl_canvas;

rl_canvas rl_canvas_of(uint8_t *rgb, int width, int height);

// Lays `colour` over one pixel; alpha in [0, 1].
void rl_canvas_blend(rl_canvas *canvas, int x, int y, rl_colour colour, float alpha);

// Fills pixels x0 <= x < x1, y0 <= y < y1.
void rl_canvas_box(rl_canvas *canvas, int x0, int y0, int x1, int y1, rl_colour colour);

// Draws a line of one-sided `width` pixels just outside the box, corners included.
void rl_canvas_frame(rl_canvas *canvas, int x0, int y0, int x1, int y1, int width,
                     rl_colour colour);

// Fills a simple polygon, made fatter on all sides by `grow` pixels; one of two corners is a line
// with round ends.
void rl_canvas_polygon(rl_canvas *canvas, const rl_point *corners, int count, float grow,
                       rl_colour colour);

// Returns the distance from p to the line from a to b.
float rl_segment_distance(rl_point p, rl_point a, rl_point b);
// Returns the distance from p to the outline of a simple polygon, negative inside.
float rl_polygon_distance(rl_point p, const rl_point *corners, int count);

typedef struct rl_text_style {
    float scale;  // pixels per unit of the font; capitals are 10 units high
    float weight; // width of the pen, units
    rl_colour colour;
    bool turned; // runs upward, as along the left side of a frame
} rl_text_style;

// Returns the length of a text from its first to its last pen position, pixels.
float rl_text_width(const char *text, float scale);

// Draws UTF-8 from (x, y): the left end of the base line, or its lower end when turned. Letters
// that the font lacks show as a hollow box.
void rl_text_draw(rl_canvas *canvas, float x, float y, const char *text,
                  const rl_text_style *style);

// Copies as much of `text` as fits into `width` pixels, with an ellipsis where it was cut.
void rl_text_fit(char *out, size_t out_bytes, const char *text, float scale, float width);

// --- The working grid (map_grid.c) -------------------------------------------------------------

// A copy of the input, coarsened by whole blocks of cells when there are many cells to a pixel,
// with ghost cells on all sides. Row 0 is south.
typedef struct rl_map_grid {
    int nx, ny;
    float extent_x, extent_y; // size of the map in cells of this grid, not always whole
    float cell_size;          // of this grid, m
    float shore_depth;        // water shallower than this is a film without a shore, m
    rill_field ground;        // m
    // Signed depth: depth above shore_depth where wet; below zero where dry, by so much that the
    // shore, where it is zero, lies where the water's level meets the ground.
    rill_field water;
    rill_field fill; // the depth where wet; beside water the mean depth next door; 0 far from water
    rill_field film; // the depth, shore_depth at most
    rill_field velocity_x, velocity_y; // empty when no flow is drawn
    rill_field ambience;               // coarse: -1 in hollows to 1 on ridges
    float ambience_step;               // cells of this grid along a cell of `ambience`
    float slope;                       // typical of the ground, m/m
} rl_map_grid;

// Creates the working grid. `pixels` is the longer side of the map.
bool rl_map_grid_create(const rill_allocator *allocator, const rl_map_input *input, int pixels,
                        float shore_depth, bool with_velocity, rl_map_grid *out);
void rl_map_grid_destroy(const rill_allocator *allocator, rl_map_grid *grid);

// --- Scales ------------------------------------------------------------------------------------

typedef struct rl_map_scales {
    float ground_min, ground_max; // ends of the tint, m; equal on flat ground
    float depth_max;              // darkest blue, m; 0 when there is no water to show
    float clear_depth;            // water up to this is invisible, m
    float shore_depth;            // from this on water has a shore; above it lies only a wash, m
    float opaque_depth;           // from this on water hides the ground, m
    float speed_max;              // m/s; 0 when nothing moves
    float deepest, fastest;       // of the data, m and m/s; 0 when all is dry
    float contour_interval;       // m; 0: none
    float exaggeration;           // of heights in the hill shade
    bool depth_clipped, speed_clipped; // the data go past the scale
    rill_map_flow flow;
} rl_map_scales;

// Finds the ends of the ground and the deepest and fastest of the cells above wet_depth
// (map_grid.c).
void rl_map_find_ranges(const rl_map_input *input, rl_map_scales *scales);

// Returns the largest of 1, 2, 5, 10, 20 ... that is not above `value`; any decade. value > 0.
double rl_nice_below(double value);
// Returns one of the same numbers, at least `value` and less than three times as much.
double rl_nice_step(double value);
// Returns the smallest of 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10 ... that is not below `value`.
double rl_nice_above(double value);

// --- Colours (map_scale.c) ---------------------------------------------------------------------

typedef struct rl_rgb {
    float r, g, b; // 0 to 255
} rl_rgb;

// From 0 to 1: ground from the lowest to the highest; water from shallow to the deepest, by the
// root of the depth's part; flow from still to the fastest.
typedef enum rl_ramp { RL_RAMP_GROUND, RL_RAMP_DEPTH, RL_RAMP_SPEED } rl_ramp;

rl_rgb rl_ramp_colour(rl_ramp ramp, float t);
rl_colour rl_colour_of(rl_rgb colour);
rl_rgb rl_rgb_mix(rl_rgb a, rl_rgb b, float t);

// Returns how much of the ground water of such a depth hides, 0 to 1.
float rl_water_opacity(const rl_map_scales *scales, float depth);
// Returns where on the scale of blues a depth lies, 0 to 1.
float rl_depth_position(const rl_map_scales *scales, float depth);

// --- The whole map -----------------------------------------------------------------------------

typedef struct rl_map_layout {
    float scale;       // of text and lines
    int width, height; // of the whole picture
    int map_x, map_y, map_width, map_height;
    int title_y, time_y;    // base lines
    int strip_y;            // top of the strip with the scale bar
    bool legend_beside;     // right of the map, otherwise below
    int legend_x, legend_y; // upper left corner
    int legend_width;
    int bar_length; // of a colour bar
    bool coordinates;
} rl_map_layout;

// A map that is being drawn.
typedef struct rl_map {
    const rill_allocator *allocator;
    const rl_map_input *input;
    const rl_map_style *style;
    rl_map_scales scales;
    rl_map_grid grid;
    rl_map_layout layout;
    rl_image image;
    rl_canvas canvas; // of the image
    int pen_x, pen_y; // where the next block of the legend goes
} rl_map;

// --- Ground and water (map_shade.c) ------------------------------------------------------------

// Paints the map part of the picture. This and the flow return false when there is no memory.
bool rl_map_paint(rl_map *map);

// --- Flow (map_flow.c, map_lines.c) ------------------------------------------------------------

// The flow at a place of the map.
typedef struct rl_flow_sample {
    float x, y;  // velocity, m/s; y is down as in the picture
    float speed; // m/s
    float water; // depth, m; 0 on land, on films and close to a shore
} rl_flow_sample;

// Returns whether there is enough water, and fast enough, to draw.
bool rl_flow_shows(const rl_map *map, const rl_flow_sample *sample);
extern const rl_colour rl_flow_rim; // around arrows and lines

// `p` in pixels of the picture.
rl_flow_sample rl_map_flow_at(const rl_map *map, rl_point p);

// Draws one arrow with its middle at p, pointing along (dx, dy); `t` is its part of the top speed.
void rl_draw_arrow(rl_canvas *canvas, rl_point p, float dx, float dy, float t, float scale);
bool rl_draw_arrows(rl_map *map);

// Draws a short part of a stream line with a head, as it appears in the legend.
void rl_draw_line_sample(rl_canvas *canvas, rl_point p, float length, float t, float scale);
bool rl_draw_lines(rl_map *map);

// --- Around the map (map_legend.c, map_frame.c) ------------------------------------------------

// Lengths in units: pixels at scale 1.
#define RL_MAP_MARGIN    22
#define RL_LEGEND_COLUMN 240 // a block of the legend below the map
#define RL_LEGEND_ROW    70
// Pens, units of the font.
#define RL_PEN_REGULAR 1.25f
#define RL_PEN_BOLD    1.62f

// Units in whole pixels.
static inline int rl_units(const rl_map *map, int units)
{
    return (int)(map->layout.scale * (float)units + 0.5f);
}

// Finds where everything goes around a map of that many pixels.
void rl_map_lay_out(rl_map *map, int map_width, int map_height);

// Writes at the map's scale.
void rl_map_write(rl_map *map, int x, int y, const char *text, float weight, rl_colour colour);

void rl_draw_header(rl_map *map);
void rl_draw_frame(rl_map *map);
void rl_draw_scale_bar(rl_map *map);
void rl_draw_legend(rl_map *map);

// Digits with a point and a real minus sign, whatever the locale; thousands apart from 10 000 on.
void rl_format_number(char *out, size_t bytes, double value, int decimals);
// Decimals that `value`, a plain number, needs.
int rl_decimals_of(double value);

// Metres in a unit that suits lengths up to `largest`.
typedef struct rl_unit {
    const char *name;
    double per_metre;
} rl_unit;

rl_unit rl_unit_for(double largest);

extern const rl_colour rl_ink, rl_grey_ink; // text
