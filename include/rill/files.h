// SPDX-License-Identifier: MIT
// files.h - ground, meshes, fields and caches from files (librill_scene).
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

/// Types of the values of a field in a file.
typedef enum rill_value_type {
    RILL_VALUE_INT8,
    RILL_VALUE_UINT8,
    RILL_VALUE_INT16,
    RILL_VALUE_UINT16,
    RILL_VALUE_INT32,
    RILL_VALUE_UINT32,
    RILL_VALUE_INT64,
    RILL_VALUE_UINT64,
    RILL_VALUE_FLOAT,
    RILL_VALUE_DOUBLE,
    RILL_VALUE_TYPE_COUNT
} rill_value_type;

/// The name of a type, as NRRD has it: "int16", "uint8", "float"; "" for none.
RILL_API const char *rill_value_type_name(rill_value_type type);

/// What lies in a file of a field: NRRD says it itself, of raw values the caller must. Start from
/// rill_default_field_header().
typedef struct rill_field_header {
    int nx, ny, nz;               ///< Nodes along each axis, the first one fastest.
    rill_value_type type;         ///< Default RILL_VALUE_FLOAT.
    int big_endian;               ///< 1: the first byte of a value is its highest one. Default 0.
    int64_t skip;                 ///< Bytes before the first value. Default 0.
    double spacing[3], origin[3]; ///< In the unit of the file. Defaults 1 and 0.
    double axes[3][3];            ///< Directions, of unit length. Default x, y and z.
    char space[48], unit[24]; ///< NRRD: its own words for axes and unit; empty where it has none.
} rill_field_header;

RILL_API rill_field_header rill_default_field_header(void);

/// The values of a file.
typedef struct rill_field_range {
    double low, high, mean; ///< Of those that are finite; 0 where none is.
    int64_t not_finite;     ///< How many are not.
} rill_field_range;

/// Reads the header of an NRRD file and, unless `range` is NULL, all its values. RILL_BAD_FILE with
/// a sentence for files of any other kind, and for those that rill_distance_field_load cannot read.
RILL_API rill_status rill_field_file_inspect(const char *path, rill_field_header *header,
                                             rill_field_range *range);

/// How to read a field of distances. Start from rill_default_distance_field_load_def().
typedef struct rill_distance_field_load_def {
    double level; ///< Value at the surface. Default 0.
    double scale; ///< Units of the file per unit of the values, not 0; negative where large values
                  ///< are inside, as in a scan or a mask. Default 1.
    double unit;  ///< Metres per unit of the file. Default 1.
    const rill_field_header *header; ///< Of raw values; NULL, the default: the file is NRRD.
    const rill_host *host;           ///< Memory hooks; may be NULL. Kept until the field is gone.
} rill_distance_field_load_def;

RILL_API rill_distance_field_load_def rill_default_distance_field_load_def(void);

/// From NRRD, with the values in the same file or in another one, `encoding: raw` alone, or from
/// raw values. Positions are those of the file's own space, times `unit`. A field without anything
/// inside, or with nothing outside, is an error that says so.
RILL_API rill_status rill_distance_field_load(const char *path,
                                              const rill_distance_field_load_def *def,
                                              rill_distance_field **out);

/// A cache of a river (rill_river_def) in a file, which is read if it is there and else written; a
/// file that is damaged or of another river is as good as none. `path` is kept, not copied: it must
/// stay until the world has been made.
RILL_API rill_river_cache rill_river_cache_file(const char *path);

#ifdef __cplusplus
}
#endif
