// SPDX-License-Identifier: MIT
// window.h - the state of the window, which all its parts share: one thread, one struct.
#pragma once

#include "apps/view/camera_controller.h"
#include "apps/view/panel.h"
#include "apps/view/picker.h"
#include "apps/view/sim/sim.h"
#include "apps/view/view_brush.h"
#include "apps/view/viewer.h"

#include "render/output/film.h"
#include "render/render_error.h"
#include "render/renderer.h"

#include "rill/view.h"

#include <stdatomic.h>
#include <stdbool.h>

#define WINDOW_GRAPH 240 // pictures that graphs go back

struct GLFWwindow;
struct script;

// What a drag of the mouse does.
typedef enum window_drag { DRAG_NONE, DRAG_TURN, DRAG_PAN, DRAG_BRUSH, DRAG_BODY } window_drag;

typedef struct window_mouse {
    double x, y; // pixels of the framebuffer, from the upper left corner
    window_drag drag;
    int drag_button;
} window_mouse;

// The last pictures, in rings that share `next`, which is written next.
typedef struct window_graphs {
    int next, count;
    float draw_ms[WINDOW_GRAPH], sim_ms[WINDOW_GRAPH];
    float water[WINDOW_GRAPH], sourced[WINDOW_GRAPH], drained[WINDOW_GRAPH], error[WINDOW_GRAPH];
} window_graphs;

// Keys of the scene that need a new world.
#define WINDOW_OVERRIDES 5

// What the panel has set in the world. Borders and rain of a world cannot be queried, so what is
// not set here is "as the scene says".
typedef struct window_settings {
    int border[RILL_SIDE_COUNT]; // 0: as the scene says, then 1 + rill_border
    double level[RILL_SIDE_COUNT];
    bool rains, evaporates;   // at the rates below
    double rain, evaporation; // mm/h
    bool overridden[WINDOW_OVERRIDES];
    double value[WINDOW_OVERRIDES];
} window_settings;

// A film being made, and a picture to be saved.
typedef struct window_record {
    film *film;
    char film_path[256];
    int width, height;     // of the film
    double next;           // simulated time of its next picture
    long pictures;         // in it
    unsigned epoch;        // of the water that it shows
    bool picture_wanted;   // F12
    const char *shot_path; // the whole window, for a script; NULL: none
} window_record;

typedef enum window_timing { TIMING_IDLE, TIMING_RUNS, TIMING_ASKED } window_timing;

typedef struct view {
    const view_options *options;
    struct GLFWwindow *window;
    int width, height;    // pixels of the framebuffer
    double pixels;        // of the framebuffer, a unit of the window's coordinates
    double clock, passed; // seconds, and since the loop before
    double first_window;  // seconds from the start to the window
    double first_picture; // and to the first picture of the scene
    int redraws;          // pictures still to draw
    long frames;          // pictures drawn
    unsigned timer;       // query of the graphics card; 0: none yet
    window_timing timing;
    double draw_ms; // that a picture took lately
    bool closing, rescaled;
    atomic_bool has_glfw; // read by the simulation's thread as well
    rill_status status;   // why it closes

    sim *sim;
    sim_state state;
    sim_picture picture;
    unsigned notes_seen;
    unsigned epoch; // of the last upload

    renderer *renderer;
    const loaded_scene *loaded; // what the renderer was made for
    char scene[1024];           // as the user asked for it
    char wanted[1024];          // asked for last, and perhaps being opened
    rill_view scene_view;       // as it is set now
    overlay painted;

    camera_controller controller;
    brush brush;
    picker picker;
    window_mouse mouse;
    panel *panel;
    bool panel_shown, help_shown;
    window_settings settings;
    window_graphs graphs;
    window_record record;
    struct script *script;

    char note[512]; // shown for a while
    double note_until;
} view;

// Shows a message in the window for a few seconds.
void window_note(view *v, const char *format, ...) RENDER_ERROR_PRINTF(2, 3);
// Makes the next pictures be drawn even if nothing moves.
void window_redraw(view *v);
// Finds where the mouse points, into v->brush.
void window_point(view *v);

// Draws one picture in the window: the world, then what is written on it (draw.c).
void draw_picture(view *v);
// Releases what draw_picture has in the context.
void draw_close(view *v);

// Writes the state of window and world as JSON, for scripts (view_report.c).
rill_status report_write(view *v, const char *path);
