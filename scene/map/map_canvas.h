// SPDX-License-Identifier: MIT
// map_canvas.h - anti-aliased outlines and text on an RGB picture. All outlines are drawn by
// distance: a pixel is covered by how far its centre lies inside. Coordinates are in pixels from
// the upper left corner; pixel (x, y) has its centre at (x + 0.5, y + 0.5).
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

// Draws a line with round ends.
void rl_canvas_line(rl_canvas *canvas, rl_point a, rl_point b, float half_width, rl_colour colour);

// Fills a simple polygon, made fatter on all sides by `grow` pixels.
void rl_canvas_polygon(rl_canvas *canvas, const rl_point *corners, int count, float grow,
                       rl_colour colour);

// Returns the distance from p to the line from a to b.
float rl_segment_distance(rl_point p, rl_point a, rl_point b);
// Returns the distance from p to the outline of a simple polygon, negative inside.
float rl_polygon_distance(rl_point p, const rl_point *corners, int count);

// --- Text --------------------------------------------------------------------------------------

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

// --- The font ----------------------------------------------------------------------------------

// A letter as pen strokes on a grid with the base line at y = 0, small letters reaching to 6,
// capitals to 9 and descenders to -3; y is up. Pen strokes that stand or lie run on whole numbers,
// so that they fill whole pixels at scale 1. A path is a row of commands, each a letter and
// numbers: M x y move, L x y line, h x y a quarter of an ellipse that starts level and ends
// upright, v x y one that starts upright and ends level, q cx cy x y a parabola, d x y a dot.
typedef struct rl_glyph {
    const char *path;
    const char *mark;     // an accent above or below, or NULL
    float mark_x, mark_y; // where the accent goes
    int advance;          // units to the next letter
} rl_glyph;

rl_glyph rl_font_glyph(uint32_t code);
