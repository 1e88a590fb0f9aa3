// SPDX-License-Identifier: MIT
// layer_head.h - the level that liquid at a point of the `layers` water feels.
#pragma once

#include "rill/columns.h"

#include <stdbool.h>

// The hydraulic level at (x, y, z), metres: the pressure there is rho g (level - z), or nothing
// when the level is lower than z. False where no column of the cell comes near the point. Works for
// a heightfield too, where it is the level of the cell. [any thread]
bool rl_body_layer_level(const rill_columns *columns, double x, double y, double z, float *level);

// The same on the surface of a solid body, seen from outside: at the nearest point along the
// normal, which has unit length, whose cell has a column there. Cells are liquid or solid as their
// centres are, and the solid of a body may be half a cell off the body itself, so close to the
// surface liquid would be looked for inside the solid.
bool rl_body_layer_level_on(const rill_columns *columns, const double point[3],
                            const double normal[3], float *level);
