// SPDX-License-Identifier: MIT
// loaded_scene.h - a scene that is open: its world, and three stills of it. One still is being
// filled by the simulation, one is ready, one is being drawn. Nothing here takes a lock: what is
// shared is marked, and sim.c holds its mutex whenever it touches that.
#pragma once

#include "render/frame/frame_data.h"

#include "rill/bodies.h"
#include "rill/scene.h"
#include "rill/sources.h"
#include "rill/view.h"
#include "rill/world.h"

#include <stdbool.h>

#define STAGE_STILLS 3

// A body in the hand.
typedef struct stage_grip {
    rill_body_id id; // null: none
    double local[3]; // the point that was grabbed, from its centre along its own axes, metres
    double distance; // of that point from the eye, metres
    double size[3];  // of the box around it in its own coordinates, metres
    bool soft;       // it has no axes of its own; those of the world serve
} stage_grip;

typedef struct stage {
    // Written before the stage is shown to anybody else, then constant.
    char *asked_for; // name or path, as it was given
    rill_scene *scene;
    rill_scene_info info;
    rill_view look;

    // Of the simulation's thread.
    int threads;
    rill_backend backend;
    rill_world *world;
    frame_capture *capture;
    int filling;         // which still
    rill_source_id hand; // pours below an overhang; null when nobody has yet
    stage_grip grip;
    rill_body_id thrown; // the last one

    // Shared.
    int holders; // the simulation and the picture; the last one destroys
    int ready;
    bool fresh;                   // `ready` was not drawn yet
    unsigned epoch[STAGE_STILLS]; // another number: does not continue the still before

    // Of the picture's thread.
    int drawn;

    frame_data *stills[STAGE_STILLS]; // each belongs to who has its number
} stage;

// Opens a scene with room for bodies that are thrown into it, makes its world and takes a first
// still, which is ready. `threads` 0: all cores. The caller is its one holder. What went wrong is a
// sentence in render_error_text().
rill_status stage_open(const char *scene, const char *const *overrides, int count,
                       rill_backend backend, int threads, stage **out);

// Puts the world back to the scene's first moment, with everything as the scene says. On failure
// the world stays as it was.
rill_status stage_restart(stage *s);

void stage_destroy(stage **s);
