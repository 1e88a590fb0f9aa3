// SPDX-License-Identifier: MIT
// generate.h - ground from a seed: mountains with carved valleys, and river valleys
// (librill_scene).
#pragma once

#include "rill/base.h"
#include "rill/terrain.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Terrain from a seed: ridged mountains with carved valleys.
/// Start from rill_default_heightfield_generate_def().
typedef struct rill_heightfield_generate_def {
    int nx, ny;       ///< Size in cells, each at least 4. Default 256 x 256.
    double cell_size; ///< Edge of a cell, metres, positive. Default 4.
    uint64_t seed;    ///< Another number, another terrain. Default 1.
    /// Metres from the lowest to the highest point of a terrain without tilt, not negative.
    /// Default 200. Elevations run from exactly 0 to relief + |tilt| * (ny - 1) * cell_size.
    double relief;
    /// Metres between neighbouring mountains, positive; taken as at least 4 cells and at most 4
    /// times the longer side. Default 600.
    double feature_size;
    /// Levels of detail, 1 to 16; those finer than the cells can show are left out. Default 8.
    int octaves;
    double ridges; ///< 0 rolling hills, 1 sharp ridges. Default 0.7.
    /// How deep valleys are carved by running water, 0 to 1. At 0 the terrain is raw and full of
    /// hollows; above, rivers drain it and some hollows stay as lakes. Default 0.6.
    double valleys;
    /// Fall of the whole terrain from north to south, metres per metre, |tilt| <= 1. Default 0.02.
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

/// From a seed. The same definition gives the same bits on every machine.
RILL_API rill_status rill_heightfield_generate(const rill_heightfield_generate_def *def,
                                               rill_heightfield **out);

/// A river valley from a seed. The same definition gives the same bits on every machine.
RILL_API rill_status rill_heightfield_valley(const rill_valley_def *def, rill_heightfield **out);

#ifdef __cplusplus
}
#endif
