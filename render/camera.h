// SPDX-License-Identifier: MIT
// camera.h - where a picture is taken from: an eye, what it looks at and how wide; moved by hand
// (orbit, fly) or along key points.
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

// A camera that has the whole world in the picture, from the south and above.
camera camera_overview(const camera_bounds *bounds);

// The camera of a path at `time`: smooth through the keys (Catmull-Rom in time), standing still
// before the first and after the last. `count` is at least 1.
camera camera_on_path(const rill_camera_key *keys, int count, double time);

// Column-major matrices as OpenGL takes them. `jitter` moves the picture by parts of a pixel.
// The near and far planes are chosen from the bounds.
void camera_matrices(const camera *c, const camera_bounds *bounds, int width, int height,
                     const double jitter[2], float view[16], float projection[16]);

// The direction (unit length) of the ray through pixel (x, y), counted from the upper left corner.
void camera_ray(const camera *c, int width, int height, double x, double y, double direction[3]);

// ---- Moving by hand --------------------------------------------------------------------

// Turns the eye around the target, degrees to the right and up. Stays off the poles.
void camera_orbit(camera *c, double right, double up);

// Comes nearer (factor below 1) or goes away from the target.
void camera_zoom(camera *c, double factor);

// Shifts eye and target in the plane of the picture, in parts of the distance between them.
void camera_pan(camera *c, double right, double up);

// Turns the view where the eye stands, degrees.
void camera_look(camera *c, double right, double up);

// Moves eye and target along the view, to the right and straight up, metres.
void camera_fly(camera *c, double forward, double right, double up);

// ---- In words --------------------------------------------------------------------------

// Reads "[TIME@]X,Y,Z:TX,TY,TZ[:DEGREES]" into a key. False, with a sentence in trouble_text(), for
// anything else. Without TIME it is 0; without DEGREES 45.
bool camera_parse(const char *text, rill_camera_key *out);

// Writes the same form, so that a camera found by hand can be handed to `rill render --camera`.
void camera_format(const camera *c, char *text, int bytes);
