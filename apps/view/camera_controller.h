// SPDX-License-Identifier: MIT
// camera_controller.h - the camera in the window: it follows the scene's own until the hand takes
// it, then turns around a point (orbit) or goes where it likes (fly).
#pragma once

#include "render/camera.h"
#include "render/frame/frame_data.h"

#include "rill/view.h"

#include <stdbool.h>

typedef enum eye_key {
    EYE_FORWARD,
    EYE_BACK,
    EYE_LEFT,
    EYE_RIGHT,
    EYE_UP,
    EYE_DOWN,
    EYE_KEYS
} eye_key;

// What an eye in the hand goes with.
typedef enum eye_tie { EYE_TIED_TO_GRID, EYE_TIED_TO_COUNTRY, EYE_TIED_TO_BODY } eye_tie;

typedef struct eye {
    camera camera;
    bool by_hand; // not the scene's camera any more
    bool flying;
    bool keys[EYE_KEYS]; // that are down
    bool fast;
    eye_tie tie;      // of the last picture
    double anchor[3]; // where that was, metres of the grid
} eye;

// Where the scene's own camera is at the time of the still; an overview when it has none.
void eye_follow(eye *e, const rill_view *look, const camera_bounds *bounds, const frame_data *s);

// An eye in the hand keeps its distance from what the scene's camera is tied to: a body, or a place
// in the country that the grid moves over. While a body is dragged it stands in the country, or it
// would run before its own hand. Call for each picture. Returns whether it has moved.
bool eye_ride(eye *e, const rill_view *look, const frame_data *s, bool dragging);

// Back to the scene's camera.
void eye_home(eye *e);

// The mouse was dragged by (x, y) pixels in a picture of `height` pixels.
void eye_turn(eye *e, double x, double y, int height);
void eye_pan(eye *e, double x, double y, int height);
void eye_zoom(eye *e, double steps);

// Between orbit and fly. What is in the middle of the picture becomes the point to turn around.
void eye_toggle_flying(eye *e, const frame_data *s);

// Flies for `seconds` with the keys that are down. Returns whether the eye has moved.
bool eye_fly(eye *e, const camera_bounds *bounds, double seconds);

// Lifts the eye above ground and water.
void eye_keep_above(eye *e, const frame_data *s);
