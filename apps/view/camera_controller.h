// SPDX-License-Identifier: MIT
// camera_controller.h - the camera controller of the window: it follows the scene's camera until
// the user moves it, then turns around a point (orbit) or flies freely.
#pragma once

#include "render/camera.h"
#include "render/frame/frame_data.h"

#include "rill/view.h"

#include <stdbool.h>

typedef enum controller_key {
    CONTROLLER_FORWARD,
    CONTROLLER_BACK,
    CONTROLLER_LEFT,
    CONTROLLER_RIGHT,
    CONTROLLER_UP,
    CONTROLLER_DOWN,
    CONTROLLER_KEYS
} controller_key;

// What a camera that the user has moved goes with.
typedef enum camera_tie { TIED_TO_GRID, TIED_TO_TERRAIN, TIED_TO_BODY } camera_tie;

typedef struct camera_controller {
    camera camera;
    bool by_user; // not the scene's camera any more
    bool flying;
    bool keys[CONTROLLER_KEYS]; // that are down
    bool fast;
    camera_tie tie;   // of the last picture
    double anchor[3]; // where that was, metres of the grid
} camera_controller;

// Follows the scene's own camera at the time of the frame data; takes an overview when it has none.
void controller_follow(camera_controller *c, const rill_view *view, const camera_bounds *bounds,
                       const frame_data *s);

// Moves a camera of the user with what the scene's camera is tied to: a body, or a place of the
// full terrain that the domain moves over. While a body is dragged it stays on the terrain, or it
// would follow its own drag. Call for each picture. Returns whether it has moved.
bool controller_ride(camera_controller *c, const rill_view *view, const frame_data *s,
                     bool dragging);

// Gives the camera back to the scene.
void controller_reset(camera_controller *c);

// Move the camera when the mouse was dragged by (x, y) pixels in a picture of `height` pixels.
void controller_turn(camera_controller *c, double x, double y, int height);
void controller_pan(camera_controller *c, double x, double y, int height);
void controller_zoom(camera_controller *c, double steps);

// Changes between orbit and fly. The middle of the picture becomes the point to turn around.
void controller_toggle_flying(camera_controller *c, const frame_data *s);

// Flies for `seconds` with the keys that are down. Returns whether the camera has moved.
bool controller_fly(camera_controller *c, const camera_bounds *bounds, double seconds);

// Lifts the camera above ground and water.
void controller_stay_above(camera_controller *c, const frame_data *s);
