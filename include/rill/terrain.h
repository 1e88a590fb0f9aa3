// SPDX-License-Identifier: MIT
// terrain.h - ground as a heightfield: from an array, a file or a seed. A heightfield is made once,
// handed to a world (which copies it) and can then be destroyed.
#pragma once

#include "rill/base.h"

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

/// Country from a seed: ridged mountains with carved valleys.
/// Start from rill_default_heightfield_generate_def().
typedef struct rill_heightfield_generate_def {
    int nx, ny;       ///< Size in cells, each at least 4. Default 256 x 256.
    double cell_size; ///< Edge of a cell, metres, positive. Default 4.
    uint64_t seed;    ///< Another number, another country. Default 1.
    /// Metres from the lowest to the highest point of a country without tilt, not negative.
    /// Default 200. Elevations run from exactly 0 to relief + |tilt| * (ny - 1) * cell_size.
    double relief;
    /// Metres between neighbouring mountains, positive; taken as at least 4 cells and at most 4
    /// times the longer side. Default 600.
    double feature_size;
    /// Levels of detail, 1 to 16; those finer than the cells can show are left out. Default 8.
    int octaves;
    double ridges; ///< 0 rolling hills, 1 sharp ridges. Default 0.7.
    /// How deep valleys are carved by running water, 0 to 1. At 0 the country is raw and full of
    /// hollows; above, rivers drain it and some hollows stay as lakes. Default 0.6.
    double valleys;
    /// Fall of the whole country from north to south, metres per metre, |tilt| <= 1. Default 0.02.
    double tilt;
    const rill_host *host; ///< As in rill_heightfield_load_def.
} rill_heightfield_generate_def;

RILL_API rill_heightfield_generate_def rill_default_heightfield_generate_def(void);

/// A river valley from a seed: a meandering river that comes in by the north (y = ny * cell_size)
/// and leaves by the south, with pools, riffles, point bars and levees, a flat floor with terraces
/// and old channels, and hillsides with gullies. Everything is a function of x and y in metres:
/// coarser grids over the same square show the same valley.
/// Start from rill_default_valley_def().
typedef struct rill_valley_def {
    int nx, ny;       ///< Size in cells, each at least 4. Default 1024 x 1024.
    double cell_size; ///< Edge of a cell, metres, positive. Default 10.
    uint64_t seed;    ///< Another number, another valley. Default 1.
    double width;     ///< Of the river from bank to bank, metres, positive. Default 220.
    /// Water over the deepest line in pools when the river is full to its banks, metres, positive;
    /// about half of it at riffles. Default 9.
    double depth;
    double fall; ///< Of the river along its course, metres per metre, 0 to 0.02. Default 0.0012.
    double wavelength; ///< Of its meanders along the valley, metres; 0: 12.5 widths. Default 0.
    /// Of its meanders to either side, metres, not negative, at most 0.4 wavelengths. Default 640.
    double amplitude;
    double floor_width; ///< Of the flat valley floor, metres, not negative. Default 2900.
    double relief;      ///< Of the hills above the floor, about, metres, not negative. Default 450.
    int rocks;          ///< Boulders in the river, at its rapids, 0 to 10000. Default 60.
    double bars;        ///< How far sand bars grow at inner bends, 0 to 1. Default 1.
    int islands;        ///< In the river, 0 to 100. Default 2.
    /// Metres above the river at which a stream in a side valley starts at the eastern border; 0:
    /// there is none. At most 1000. Default 60.
    double branch;
    const rill_host *host; ///< As in rill_heightfield_load_def.
} rill_valley_def;

RILL_API rill_valley_def rill_default_valley_def(void);

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

/// From a file: PNG (8 or 16 bit grey), ESRI ASCII grid (.asc), or anything GDAL reads. Kind is
/// found from the content, not from the name. Of a GDAL raster band 1 is read, and its own scale,
/// offset, unit (feet become metres) and no-data are applied before `offset` and `scale`.
RILL_API rill_status rill_heightfield_load(const char *path, const rill_heightfield_load_def *def,
                                           rill_heightfield **out);

/// From a seed. The same definition gives the same bits on every machine.
RILL_API rill_status rill_heightfield_generate(const rill_heightfield_generate_def *def,
                                               rill_heightfield **out);

/// A river valley from a seed. The same definition gives the same bits on every machine.
RILL_API rill_status rill_heightfield_valley(const rill_valley_def *def, rill_heightfield **out);

/// Destroys and nulls. NULL and a null pointer are fine.
RILL_API void rill_heightfield_destroy(rill_heightfield **heightfield);

/// Elevations, metres. Valid as long as the heightfield lives.
RILL_API rill_field_view rill_heightfield_view(const rill_heightfield *heightfield);

/// Edge of a cell, metres.
RILL_API double rill_heightfield_cell_size(const rill_heightfield *heightfield);

/// Where the grid lies on the Earth. Valid as long as the heightfield lives.
RILL_API rill_georeference rill_heightfield_georeference(const rill_heightfield *heightfield);

/// How many cells had no data and were filled or walled.
RILL_API int64_t rill_heightfield_filled(const rill_heightfield *heightfield);

#ifdef __cplusplus
}
#endif
