// SPDX-License-Identifier: MIT
// solid_model.h - solid grounds for tests of the renderer, which shall not depend on those of the
// library: triangles from a distance function by marching tetrahedra, every corner on its own.
#pragma once

#include "rill/solid.h"

#include <stddef.h>

// Distance to the surface at a point, metres, negative inside.
typedef double (*solid_model_distance)(const double point[3]);

typedef struct solid_model {
    rill_ground_mesh mesh; // version 1
    rill_ground_vertex *vertices;
    uint32_t *indices;
    size_t capacity;
} solid_model;

// Over nodes `cell` apart from (-0.5, -0.5) cells to half a cell beyond (nx, ny) cells, as the
// library has them, and from `bottom` to `top`. Openness is 0.5 + 0.5 z of the normal.
solid_model solid_model_make(solid_model_distance distance, int nx, int ny, double cell,
                             double bottom, double top);
void solid_model_free(solid_model *model);
