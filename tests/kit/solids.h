// SPDX-License-Identifier: MIT
// solids.h - solid grounds out of boxes and balls.
#pragma once

#include "tests/kit/kit.h"

#include "rill/solid.h"

// Air above the origin of a grid.
rill_solid *make_air(int nx, int ny, double cell_size, double top);
rill_sdf_primitive placed(rill_sdf_kind kind, double x, double y, double z);
rill_sdf_primitive box_at(double x, double y, double z, double wide, double deep, double high);
rill_sdf_primitive ball_at(double x, double y, double z, double radius);
void combine(rill_solid *solid, rill_sdf_primitive shape, rill_combine how);
