// SPDX-License-Identifier: MIT
// camera.h - the camera of a picture: its position, its target and its field of view; moved by the
// user (orbit, fly) or along key points.
#pragma once

#include "rill/view.h"

#include <stdbool.h>

typedef struct camera {
    double position[3];   // metres; z is up
    double target[3];     // metres
    double field_of_view; // vertical, degrees
} camera;

// The box that a scene fills, metres: the edges of the world, the lowest and the highest ground.
typedef struct camera_bounds {
    double low[3], high[3];
} camera_bounds;

// Returns a camera that has the whole world in the picture, from the south and above.
camera camera_overview(const camera_bounds *bounds);

// Returns the camera of a path at `time`: smooth through the keys (Catmull-Rom in time), at rest
// before the first and after the last. `count` is at least 1.
camera camera_on_path(const rill_camera_key *keys, int count, double time);

// Computes column-major matrices as OpenGL takes them. `jitter` moves the picture by parts of a
// pixel. The near and far planes follow from the bounds.
void camera_matrices(const camera *c, const camera_bounds *bounds, int width, int height,
                     const double jitter[2], float view[16], float projection[16]);

// Computes the direction (unit length) of the ray through pixel (x, y), counted from the upper left
// corner.
void camera_ray(const camera *c, int width, int height, double x, double y, double direction[3]);

// ---- Moves by the user -----------------------------------------------------------------

// Turns the camera around its target, degrees to the right and up. It stays off the poles.
void camera_orbit(camera *c, double right, double up);

// Brings the camera nearer to the target (factor below 1) or moves it off.
void camera_zoom(camera *c, double factor);

// Shifts position and target in the plane of the picture, in parts of the distance between them.
void camera_pan(camera *c, double right, double up);

// Turns the view about the position of the camera, degrees.
void camera_turn(camera *c, double right, double up);

// Moves position and target along the view, to the right and straight up, metres.
void camera_fly(camera *c, double forward, double right, double up);

// ---- As text ---------------------------------------------------------------------------

// Reads "[TIME@]X,Y,Z:TX,TY,TZ[:DEGREES]" into a key. Returns false, with a message in
// render_error_text(), for anything else. Without TIME it is 0; without DEGREES 45.
bool camera_parse(const char *text, rill_camera_key *out);

// Writes the same form, so that the user can pass a camera to `rill render --camera`.
void camera_format(const camera *c, char *text, int bytes);
