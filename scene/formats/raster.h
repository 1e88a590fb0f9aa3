// SPDX-License-Identifier: MIT
// raster.h - reads elevations from raster files, and writes fields into them. One reader per kind
// of file; raster.c finds the kind from the content. Files lie with their first row in the
// north, Rill with row 0 in the south: readers and writers turn the rows over. Every message about
// a file begins with its path.
#pragma once

#include "scene/scene_assert.h"

#include "rill/files.h"
#include "rill/support.h"

// The readers, each for one kind of file, with a `def` that is checked. Cells that hold no data are
// NaN in the heightfield; the caller decides what to do with them.
rill_status rl_raster_load_asc(const char *path, const rill_heightfield_load_def *def,
                               rill_heightfield **out);
rill_status rl_raster_load_gdal(const char *path, const rill_heightfield_load_def *def,
                                rill_heightfield **out);

// What the readers share: a heightfield of a size that came from a file and is not to be trusted,
// and one value of it, counted from the north-west as in the file. NaN marks a cell without data.
rill_status rl_raster_create(const char *path, int64_t nx, int64_t ny, double cell_size,
                             const rill_heightfield_load_def *def, rill_heightfield **out);
rill_status rl_raster_put(const char *path, const rill_heightfield_load_def *def,
                          rill_heightfield *heightfield, int column, int row, double value);

// Returns true when the first word of `text` is one an ESRI ASCII grid begins with.
bool rl_raster_is_asc(const char *text, size_t bytes);

// One band of a raster to be written.
typedef struct rl_raster_band {
    const char *name; // such as "depth"
    const char *unit; // such as "m"
    rill_field_view view;
} rl_raster_band;

// Writes a GeoTIFF of floats with one band each, all of the same size. Without a georeference
// (known == 0, or NULL) the south-west corner is at 0, 0 and the unit is the metre. After a failure
// part of the file may be left behind.
rill_status rl_raster_write_geotiff(const char *path, const rl_raster_band *bands, int band_count,
                                    double cell_size, const rill_georeference *georeference);
