// SPDX-License-Identifier: MIT
// columns.h - the one view of water: whatever solver moves it, everything that reads water (the
// surface, bodies, particles, pictures, a host) reads columns.
#pragma once

#include "rill/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Water as columns standing on cells, `layers` of them above each other in every cell. Column
/// (i, j) of layer k is value [k * layer_stride + j * pitch + i] of each array. Cell (i, j) has its
/// centre at ((i + 0.5) cell_size, (j + 0.5) cell_size). Valid until the next call that changes the
/// world.
///
/// Layer 0 holds the columns that are open to the sky, layer 1 + n the covered column that is the
/// n-th from below in its cell, so that neighbours in a layer mostly belong together. A cell
/// without such a column has range_max < range_min there, and no depth.
typedef struct rill_columns {
    int nx, ny, layers;
    size_t pitch;        ///< Floats from one row to the next.
    size_t layer_stride; ///< Floats from one layer to the next.
    float cell_size;     ///< Metres.
    float wet_depth;     ///< A column is wet when its depth is above this, metres.

    const float *base;       ///< b: elevation of the floor, metres.
    const float *depth;      ///< d = h - b: metres of water, never negative.
    const float *velocity_x; ///< Mean horizontal velocity at the centre, m/s; 0 where dry.
    const float *velocity_y;
    /// Lowest and highest elevation that belongs to the column, metres: from the underside of the
    /// solid that it stands on (-1e30 for the lowest) to its ceiling (1e30 under the sky). NULL for
    /// a heightfield: then a column reaches from -infinity to +infinity.
    const float *range_min, *range_max;
} rill_columns;

/// Water at a point, between the centres of columns.
typedef struct rill_probe {
    float base;                   ///< Elevation of the floor, metres.
    float depth;                  ///< Metres of water.
    float level;                  ///< base + depth, metres.
    float velocity_x, velocity_y; ///< m/s.
    int wet;                      ///< 1 when the depth is above wet_depth.
} rill_probe;

/// Bilinear interpolation of layer `layer` at (x, y) metres. A point beyond the outermost centres
/// takes the nearest point between them. All-zero for a layer that does not exist.
RILL_API rill_probe rill_columns_probe(const rill_columns *columns, int layer, double x, double y);

#ifdef __cplusplus
}
#endif
