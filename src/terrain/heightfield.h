// SPDX-License-Identifier: MIT
// heightfield.h - the inside of a heightfield: elevations in a padded grid, the size of a cell and,
// when the elevations came from a file, where on the Earth they lie.
#pragma once

#include "rill/terrain.h"

struct rill_heightfield {
    rill_allocator allocator; // a copy: the host that lent it need not outlive the definition
    rill_field elevation;     // metres, margin 0; NaN only between reading and filling
    double cell_size;         // metres
    int64_t filled;           // cells that had no data

    double transform[6]; // as in rill_georeference
    char *projection;    // owned, may be NULL
    size_t projection_bytes;
    int georeferenced;
};

// Returns RILL_BAD_DEF with a message unless a grid of this size can exist.
rill_status rl_grid_check_size(int64_t nx, int64_t ny);
