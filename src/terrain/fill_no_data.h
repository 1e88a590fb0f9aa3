// SPDX-License-Identifier: MIT
// fill_no_data.h - closes holes in a grid of elevations with the surface of a stretched skin: every
// filled cell is the mean of its four neighbours, nothing rises above or falls below the rim of its
// hole. Solved from coarse to fine, so that wide holes cost no more than narrow ones.
#pragma once

#include "rill/support.h"

// Fills the cells of `field` that are NaN and counts them. Returns RILL_BAD_FILE when all of them
// are.
rill_status rl_fill_no_data(rill_field *field, const rill_allocator *allocator, int64_t *filled);

// Gives those cells the elevation of the highest other cell instead: land that stays dry.
rill_status rl_wall_no_data(rill_field *field, int64_t *walled);
