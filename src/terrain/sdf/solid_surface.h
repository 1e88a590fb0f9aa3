// SPDX-License-Identifier: MIT
// solid_surface.h - the surface of a solid as triangles: marching cubes over the node grid, brick
// by brick, so that after a change only the bricks it touched are made anew.
#pragma once

#include "terrain/sdf/solid_internal.h"

typedef struct rl_solid_surface rl_solid_surface;

rill_status rl_solid_surface_create(const rill_allocator *allocator, const rl_solid *solid,
                                    rl_solid_surface **out);
void rl_solid_surface_destroy(rl_solid_surface **surface);
size_t rl_solid_surface_memory(const rl_solid_surface *surface);

// Notes that the solid has changed above these cells.
void rl_solid_surface_touch(rl_solid_surface *surface, rl_solid_box cells);

// Makes the touched bricks anew and puts all of them together. Memory grows when the surface does;
// without memory it returns a status and the old mesh stays. `version` of the mesh grows by one for
// every call that changed something.
rill_status rl_solid_surface_mesh(rl_solid_surface *surface, const rl_solid *solid,
                                  rill_ground_mesh *out);
