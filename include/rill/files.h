// SPDX-License-Identifier: MIT
// files.h - ground, meshes and caches from files (librill_scene).
#pragma once

#include "rill/base.h"
#include "rill/river.h"
#include "rill/solid.h"
#include "rill/terrain.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How to read a file of elevations. Start from rill_default_heightfield_load_def().
typedef struct rill_heightfield_load_def {
    /// Edge of a cell, metres. 0 means from the file (GDAL, .asc); a file that has none, such as a
    /// PNG, is taken at 1. A raster in degrees or with pixels that are not square needs one.
    double cell_size;
    /// Elevation = offset + scale * value. Metres; the scale must not be 0. Defaults 0 and 1.
    /// For PNG the value runs from 0 to 1 over the range of the file (8 or 16 bits).
    double offset, scale;
    /// Default RILL_NO_DATA_REFUSE.
    rill_no_data no_data;
    /// Metres over which the ground is smoothed (twice the standard deviation of the filter), not
    /// negative; 0: not at all. Cells without data count for nothing. Default 0.
    double smoothing;
    /// Largest number of cells to accept. Default RILL_MAX_CELLS.
    int64_t max_cells;
    /// Memory hooks; may be NULL. Kept by the heightfield until it is destroyed.
    const rill_host *host;
} rill_heightfield_load_def;

RILL_API rill_heightfield_load_def rill_default_heightfield_load_def(void);

/// From a file: PNG (8 or 16 bit grey), ESRI ASCII grid (.asc), or anything GDAL reads. Kind is
/// found from the content, not from the name. Of a GDAL raster band 1 is read, and its own scale,
/// offset, unit (feet become metres) and no-data are applied before `offset` and `scale`.
RILL_API rill_status rill_heightfield_load(const char *path, const rill_heightfield_load_def *def,
                                           rill_heightfield **out);

/// From an OBJ, PLY or STL file (by content for PLY and STL, by ending for OBJ). `scale` turns the
/// file's unit into metres. Small holes are tolerated: inside and outside are told apart by the
/// winding number. A surface that is empty, or more open than closed, is an error that says so.
RILL_API rill_status rill_triangles_load(const char *path, double scale, const rill_host *host,
                                         rill_triangles **out);

/// A cache of a river (rill_river_def) in a file, which is read if it is there and else written; a
/// file that is damaged or of another river is as good as none. `path` is kept, not copied: it must
/// stay until the world has been made.
RILL_API rill_river_cache rill_river_cache_file(const char *path);

#ifdef __cplusplus
}
#endif
