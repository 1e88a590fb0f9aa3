// SPDX-License-Identifier: MIT
// surface.h - the water as triangles: positions, smooth normals, velocity and opacity at vertices,
// ready for a vertex buffer. Built when asked for, once a frame, from a world between two steps.
//
// A vertex stands on the centre of every wet cell and of every dry cell beside one, and on a rim
// along the border of the world, so that the sheet covers whole cells up to the border. Dry
// vertices end the sheet: they stand level with the water where the ground is higher (the ground
// hides them, and a lake is flat up to its shore) and on the ground where it is lower (a running
// front, the lip of a fall). The mesh has shared vertices, no cracks and no unused vertex; its
// order and bits do not depend on threads.
#pragma once

#include "rill/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rill_world rill_world;
typedef struct rill_surface rill_surface;

/// How to build a surface. Start from rill_default_surface_def().
typedef struct rill_surface_def {
    /// Depth from which the liquid looks opaque, metres, positive (000 section 4.2). Default 0.5.
    float opaque_depth;
    /// Least thickness drawn above the bed, as a part of the cell size, in [0, 1]: keeps thin water
    /// from flickering through the ground (000 section 4.4). Moves vertices only: normals, depth
    /// and opacity stay those of the water. Default 0.05.
    float minimum_thickness;
    /// Memory hooks; may be NULL.
    const rill_host *host;
} rill_surface_def;

RILL_API rill_surface_def rill_default_surface_def(void);

/// One corner of a triangle. 40 bytes, plain floats: upload it as it is.
typedef struct rill_vertex {
    float position[3]; ///< Metres; z is up.
    float normal[3];   ///< Unit length, points out of the water.
    float velocity[2]; ///< Horizontal velocity, m/s; 0 at a dry vertex.
    float opacity;     ///< 0 at the shore to 1 from opaque_depth on.
    float depth;       ///< Metres of water below; 0 at a dry vertex of the shore.
} rill_vertex;

/// The triangles of the last build. Valid until the next build or destruction.
typedef struct rill_mesh {
    const rill_vertex *vertices;
    const uint32_t *indices; ///< Three a triangle, counter-clockwise seen from above.
    size_t vertex_count, index_count;
} rill_mesh;

/// Allocates for the largest mesh that `world` can have; building allocates nothing.
RILL_API rill_status rill_surface_create(const rill_world *world, const rill_surface_def *def,
                                         rill_surface **out);

/// Destroys and nulls. NULL and a null pointer are fine.
RILL_API void rill_surface_destroy(rill_surface **surface);

/// Builds the triangles of the water as it is now. `world` must be of the size it was created for.
RILL_API rill_status rill_surface_build(rill_surface *surface, rill_world *world);

/// The triangles of the last build; all-zero before the first.
RILL_API rill_mesh rill_surface_mesh(const rill_surface *surface);

#ifdef __cplusplus
}
#endif
