// SPDX-License-Identifier: MIT
// view_brush.h - the brushes of the left button: pouring and taking water, raising, lowering and
// smoothing the ground, in proportion to the time it is held. On a solid ground raising and
// lowering are a ball of clay and a ball cut out, along the view; there is no smoothing. The last
// three tools are for bodies: picker.h.
#pragma once

#include "apps/view/sim/sim.h"

#include "render/renderer.h"

#include <stdbool.h>

typedef enum brush_tool {
    BRUSH_NONE, // none: the left button turns the camera
    BRUSH_POUR,
    BRUSH_TAKE,
    BRUSH_RAISE,
    BRUSH_LOWER,
    BRUSH_SMOOTH,
    BRUSH_THROW,
    BRUSH_GRAB,
    BRUSH_REMOVE,
    BRUSH_TOOL_COUNT
} brush_tool;

typedef struct brush {
    brush_tool tool;
    double radius;   // metres
    double strength; // 1 is usual
    bool held;       // the button is down
    double pending;  // seconds held that the world has not received yet
    bool on_ground;  // the mouse points at the world
    double at[3];    // there
    double along[3]; // unit vector from the camera to there
    bool solid;      // the ground is a solid
} brush;

// Returns "pour", "take" and so on.
const char *brush_name(brush_tool tool);

// Returns whether the tool works on water and ground, as long as the button is down.
bool brush_paints(brush_tool tool);

// Return the usual radius for a world, and the nearest one within its limits.
double brush_usual_radius(const rill_scene_info *info);
double brush_fitting_radius(const rill_scene_info *info, double radius);

// Presses the button. Even the shortest click does something.
void brush_press(brush *b);
void brush_release(brush *b);

// Sends what `seconds` more of holding do to the simulation. Call once a picture.
void brush_work(brush *b, sim *s, double gravity, double cell_size, double seconds);

brush_ring brush_circle(const brush *b);
