// SPDX-License-Identifier: MIT
// run_files.h - writes the files of a run: for each written frame a map, meshes, a raster, as the
// scene asks: map_0000.png, surface_0000.ply, surface_0000.glb, water_0000.tif, map_0001.png ...
#pragma once

#include "rill/export.h"
#include "rill/scene.h"
#include "rill/surface.h"
#include "rill/world.h"

#include <stdbool.h>

typedef struct run_files {
    const char *folder;
    const rill_scene *scene;
    rill_scene_info info;
    rill_surface *surface; // NULL: no mesh is asked for
    int missing;           // formats that this build cannot write, rill_output bits
    int written;           // frames
    int digits;            // of the frame number in names
    double due;            // simulated time of the next frame to write, s

    // Of the last call of run_files_write; surface_ms is negative when no surface was built.
    double surface_ms, output_ms;
} run_files;

// Prepares for writing, memory first and then the folder with its parents, so that a run which
// cannot start leaves nothing behind. Returns an exit status; an error was reported.
int run_files_open(run_files *files, const char *folder, const rill_scene *scene,
                   const rill_world *world, double duration);

// Returns whether a frame is to be written now. The last frame always is.
bool run_files_due(const run_files *files, double time, bool last);

// Writes the world as it is. A format that this build lacks causes one warning and is left out.
// Returns an exit status.
int run_files_write(run_files *files, rill_world *world, bool last);

void run_files_close(run_files *files);
