// SPDX-License-Identifier: MIT
// terrain.h - ground as a heightfield. A heightfield is made once, from an array here, from a file
// (rill/files.h) or from a seed (rill/generate.h), handed to a world (which copies it) and can then
// be destroyed.
#pragma once

#include "rill/base.h"
#include "rill/support.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The longest side of a grid, cells. The product of both sides is limited as well, by
/// RILL_MAX_CELLS.
#define RILL_MAX_SIDE  65536
#define RILL_MAX_CELLS 1073741824

/// Where a grid lies on the Earth. Kept from the file a heightfield came from and written back into
/// every raster that is exported.
typedef struct rill_georeference {
    /// GDAL's six numbers for the raster as it lies in a file, first row at the top: x origin,
    /// pixel width, row rotation, y origin, column rotation, pixel height (negative: north is up).
    double transform[6];
    /// Well-known text of the projection, or NULL when unknown. Belongs to the heightfield.
    const char *projection;
    /// 1 when the two fields above came from a file, 0 when there is none.
    int known;
} rill_georeference;

/// Ground as one elevation per cell. Row 0 is the southern (lower) edge, as everywhere in Rill;
/// files, whose first row is the northern edge, are turned over when read and when written.
typedef struct rill_heightfield rill_heightfield;

/// What to do with cells that hold no data.
typedef enum rill_no_data {
    RILL_NO_DATA_REFUSE, ///< An error that names the first such cell and how many there are.
    RILL_NO_DATA_FILL,   ///< Filled smoothly from the cells around the hole.
    RILL_NO_DATA_WALL,   ///< As high as the highest cell: dry land that no river enters.
} rill_no_data;

/// How a brush changes the ground.
typedef enum rill_brush_kind {
    RILL_BRUSH_RAISE,
    RILL_BRUSH_LOWER,
    RILL_BRUSH_SMOOTH
} rill_brush_kind;

/// A round brush with a soft rim.
typedef struct rill_brush {
    rill_brush_kind kind;
    double x, y;   ///< Centre, metres.
    double radius; ///< Metres, positive.
    double amount; ///< Raise, lower: metres at the centre. Smooth: 0 to 1. Not negative.
} rill_brush;

/// From nx * ny elevations in metres, row 0 first. The values are copied; each must be finite.
RILL_API rill_status rill_heightfield_create(int nx, int ny, double cell_size,
                                             const float *elevations, const rill_host *host,
                                             rill_heightfield **out);

/// The same with all elevations zero, to be filled in by way of rill_heightfield_field().
RILL_API rill_status rill_heightfield_create_flat(int64_t nx, int64_t ny, double cell_size,
                                                  const rill_host *host, rill_heightfield **out);

/// Destroys and nulls. NULL and a null pointer are fine.
RILL_API void rill_heightfield_destroy(rill_heightfield **heightfield);

/// Elevations, metres. Valid as long as the heightfield lives.
RILL_API rill_field_view rill_heightfield_view(const rill_heightfield *heightfield);

/// Edge of a cell, metres.
RILL_API double rill_heightfield_cell_size(const rill_heightfield *heightfield);

/// Where the grid lies on the Earth. Valid as long as the heightfield lives.
RILL_API rill_georeference rill_heightfield_georeference(const rill_heightfield *heightfield);

/// Elevations to be changed in place, before the heightfield is handed on; NaN marks a cell without
/// data. NULL for NULL.
RILL_API rill_field *rill_heightfield_field(rill_heightfield *heightfield);

/// Says where the grid lies on the Earth: `transform` and `projection` as in rill_georeference. The
/// text is copied; it may be NULL or empty.
RILL_API rill_status rill_heightfield_set_georeference(rill_heightfield *heightfield,
                                                       const double transform[6],
                                                       const char *projection);

/// Smooths the ground over `length` metres (twice the standard deviation of the filter); 0: not at
/// all. Cells without data stay so and count for nothing.
RILL_API rill_status rill_heightfield_smooth(rill_heightfield *heightfield, double length);

/// Gives the cells without data (NaN) an elevation, or refuses them with RILL_BAD_FILE.
RILL_API rill_status rill_heightfield_treat_no_data(rill_heightfield *heightfield,
                                                    rill_no_data choice);

/// How many cells had no data and were filled or walled.
RILL_API int64_t rill_heightfield_filled(const rill_heightfield *heightfield);

#ifdef __cplusplus
}
#endif
