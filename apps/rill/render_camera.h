// SPDX-License-Identifier: MIT
// render_camera.h - the camera of a film: parses --camera, and computes its position at each
// picture.
#pragma once

#include "apps/rill/options.h"

#include "render/camera.h"

#include "rill/world.h"

typedef enum render_camera_kind {
    RENDER_CAMERA_UNSAID, // the scene's, or else all of the world
    RENDER_CAMERA_SCENE,
    RENDER_CAMERA_AUTO,
    RENDER_CAMERA_ORBIT,
    RENDER_CAMERA_ALONG, // down a river; a path as soon as there is a world
    RENDER_CAMERA_PATH
} render_camera_kind;

typedef struct render_camera {
    render_camera_kind kind;
    rill_camera_key *own;        // keys that were typed
    const rill_camera_key *keys; // of the path: those, or the scene's
    int key_count;
    double turning; // degrees per second of film
    double height;  // metres over the river; 0: as suits the cells
    camera start;   // of those that show the world as a whole
} render_camera;

// Reads what was typed. Returns an exit status; an error was reported. The caller must call
// render_camera_close either way.
int render_camera_read(render_camera *c, const option_list *typed);
void render_camera_close(render_camera *c);

// Chooses a camera for the scene, whose keys it refers to. Returns an exit status.
int render_camera_choose(render_camera *c, const rill_view *view);

// Lays the path of a camera that flies along the river of the world, between two moments (others
// stay as they are; render_along.c). Returns an exit status.
int render_camera_follow(render_camera *c, const rill_world *world, double cell_size, double from,
                         double end);

// Steps back until the world is in a picture of `width` and `height`.
void render_camera_place(render_camera *c, const camera_bounds *bounds, int width, int height);

// Returns the camera at simulated `time`, after `seconds` of film.
camera render_camera_at(const render_camera *c, double time, double seconds);
