// SPDX-License-Identifier: MIT
// panel.h - the parts that panels are made of, drawn over the picture: boxes, buttons, sliders,
// graphs. Behind it is Dear ImGui, which only panel.cpp knows. Lengths of boxes are points: pixels
// times the scale of the display.
//
// The panels of a picture are described anew each time: panel_begin, boxes with their widgets,
// panel_end. A widget that the user operates returns true and has changed its value.
#pragma once

#include "rill/base.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct panel panel;

typedef enum panel_ink {
    PANEL_PLAIN,
    PANEL_DIM,
    PANEL_ACCENT,
    PANEL_SECOND,
    PANEL_WARNING,
    PANEL_INK_COUNT
} panel_ink;

// `scale`: pixels a point. The context of the window must be current, here and in panel_end.
rill_status panel_create(double scale, panel **out);
void panel_destroy(panel **p);

// ---- Mouse and keys --------------------------------------------------------------------

void panel_pointer(panel *p, double x, double y);         // pixels from the upper left corner
void panel_mouse_button(panel *p, int button, bool down); // 0 left, 1 right, 2 middle
void panel_scroll(panel *p, double amount);
void panel_key(panel *p, int key, bool down); // as GLFW numbers them
void panel_character(panel *p, unsigned code);

// Returns whether the place (x, y), or a drag that began there, belongs to a box and not to the
// picture.
bool panel_has_pointer(const panel *p, double x, double y);
// Whether keys are going into a field of text.
bool panel_has_keys(const panel *p);

// ---- A picture's panels ----------------------------------------------------------------

void panel_begin(panel *p, int width, int height, double seconds_passed);

// Draws everything since panel_begin into the framebuffer that is bound, or forgets it.
void panel_end(panel *p, bool draw);

typedef struct panel_place {
    double x, y;               // of the anchor, in points
    double anchor_x, anchor_y; // 0: left, upper edge of the box; 1: right, lower
    double width, height;      // 0: as the contents need
    bool is_label;             // the mouse passes through it
    bool is_solid;             // in front of everything, and nothing shines through
} panel_place;

double panel_width(const panel *p); // of the window, points
double panel_height(const panel *p);

void panel_open_box(panel *p, const char *name, const panel_place *place);
// The same without rounded corners and with the text of one line in its middle.
void panel_open_bar(panel *p, const char *name, const panel_place *place);
void panel_close_box(panel *p);

// A heading that folds what follows. False while folded.
bool panel_section(panel *p, const char *title, bool open_at_first);

void panel_text(panel *p, panel_ink ink, const char *text);
void panel_wrapped(panel *p, panel_ink ink, const char *text);
// A label on the left and a value on the right.
void panel_row(panel *p, const char *label, const char *value);
// The same with the value `offset` points from the left edge of the column.
void panel_pair(panel *p, const char *label, const char *value, double offset);
// Columns of such pairs, one beside the other.
void panel_open_column(panel *p);
void panel_next_column(panel *p, double gap);
void panel_close_column(panel *p);
void panel_beside(panel *p, double gap); // what follows stands on the same line
void panel_space(panel *p);
// A line under all boxes with a dot at its first end, pixels from the upper left corner.
void panel_line(panel *p, panel_ink ink, const double from[2], const double to[2]);

// A row of buttons of the same width. Returns which was pressed, or -1. `active` is lit; -1: none.
int panel_buttons(panel *p, const char *const *names, int count, int active);
bool panel_check(panel *p, const char *label, bool *value);
bool panel_choice(panel *p, const char *label, const char *const *names, int count, int *index);
// A slider; `even` is false for values that are chosen by their magnitude.
bool panel_slider(panel *p, const char *label, double *value, double low, double high,
                  const char *format, bool even);

typedef struct panel_series {
    const char *name;
    const float *values; // a ring of `size`
    int size;
    int first, count; // the oldest, and how many there are
    panel_ink ink;
} panel_series;

// Lines over time in one frame from 0 to `top`, which is written beside it as `top_text`.
void panel_graph(panel *p, const char *title, const panel_series *series, int count, double top,
                 const char *top_text);

// A band of colours, rgb each, that runs smoothly from left to right.
void panel_band(panel *p, const float (*colours)[3], int count, double width, double height);
// Three figures under a band: at its beginning, middle and end.
void panel_ticks(panel *p, const char *first, const char *middle, const char *last, double width);

#ifdef __cplusplus
}
#endif
