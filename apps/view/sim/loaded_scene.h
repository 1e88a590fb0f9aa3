// SPDX-License-Identifier: MIT
// loaded_scene.h - a loaded scene: its world, and three snapshots of it. One is being filled by the
// simulation, one is ready, one is being drawn. Nothing here takes a lock: what is shared is
// marked, and sim.c holds its mutex whenever it touches that.
#pragma once

#include "render/frame/frame_data.h"

#include "rill/bodies.h"
#include "rill/scene.h"
#include "rill/sources.h"
#include "rill/view.h"
#include "rill/world.h"

#include <stdbool.h>

#define LOADED_FRAMES 3

// A body that the picker holds.
typedef struct body_grip {
    rill_body_id id; // null: none
    double local[3]; // the point that was grabbed, from its centre along its own axes, metres
    double distance; // of that point from the camera, metres
    double size[3];  // of the box around it in its own coordinates, metres
    bool soft;       // it has no axes of its own; those of the world serve
} body_grip;

typedef struct loaded_scene {
    // Written before another thread sees the loaded scene, then constant.
    char *asked_for; // name or path, as it was given
    rill_scene *scene;
    rill_scene_info info;
    rill_view view;

    // Of the simulation's thread.
    int threads;
    rill_backend backend;
    rill_world *world;
    frame_capture *capture;
    int filling;                // index of the frame data that are being filled
    rill_source_id pour_source; // pours below an overhang; null before the first use
    body_grip grip;
    rill_body_id thrown; // the last one

    // Shared.
    int holders; // the simulation and the picture; the last one destroys
    int ready;
    bool fresh;                    // `ready` was not drawn yet
    unsigned epoch[LOADED_FRAMES]; // another number: does not continue the frame before

    // Of the picture's thread.
    int drawn;

    frame_data *frames[LOADED_FRAMES]; // each belongs to the thread that has its index
} loaded_scene;

// Opens a scene with capacity for bodies that are thrown into it, makes its world and fills first
// frame data, which are ready. `threads` 0: all cores. The caller is its one holder. An error is a
// message in render_error_text().
rill_status loaded_scene_open(const char *scene, const char *const *overrides, int count,
                              rill_backend backend, int threads, loaded_scene **out);

// Puts the world back to the scene's start, with all settings of the scene. On failure the world
// stays as it was.
rill_status loaded_scene_restart(loaded_scene *s);

void loaded_scene_destroy(loaded_scene **s);
