// SPDX-License-Identifier: MIT
// heightfield.h - the inside of a heightfield: elevations in a padded grid, the size of a cell and,
// when the elevations came from a file, where on the Earth they lie.
#pragma once

#include "core/field.h"

#include "rill/terrain.h"

struct rill_heightfield {
    rill_allocator allocator; // a copy: the host that lent it need not outlive the definition
    rl_field elevation;       // metres, margin 0; NaN only between reading and filling
    double cell_size;         // metres
    int64_t filled;           // cells that had no data

    double transform[6]; // as in rill_georeference
    char *projection;    // owned, may be NULL
    size_t projection_bytes;
    int georeferenced;
};

// Returns RILL_BAD_DEF with a message unless a grid of this size can exist.
rill_status rl_grid_check_size(int64_t nx, int64_t ny, int64_t max_cells);

// Creates a heightfield with all elevations zero and no georeference. Checks the size and the cell
// size.
rill_status rl_heightfield_create(int nx, int ny, double cell_size, const rill_host *host,
                                  rill_heightfield **out);
void rl_heightfield_destroy(rill_heightfield **heightfield);

// Copies the text of the projection, which may be NULL or empty.
rill_status rl_heightfield_set_georeference(rill_heightfield *heightfield,
                                            const double transform[6], const char *projection);

// Counts cells that hold no data (NaN) and finds the first of them, row 0 first.
int64_t rl_heightfield_count_missing(const rill_heightfield *heightfield, int *first_i,
                                     int *first_j);

static inline const rill_allocator *rl_allocator_of(const rill_host *host)
{
    return host != NULL ? &host->allocator : NULL;
}
