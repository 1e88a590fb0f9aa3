// SPDX-License-Identifier: MIT
// surface.h - the water as triangles: positions, smooth normals, velocity and opacity at vertices,
// ready for a vertex buffer. Built when asked for, once a frame, from a world between two steps.
//
// A vertex stands on the centre of every wet column and of every dry one beside it that is higher
// than the water, and on a rim along the border of the world, so that the sheet covers whole cells
// up to the border. Dry vertices are level with the water: the ground hides them, and a lake is
// flat up to its shore. Over lower ground the sheet ends on the ground between two centres, where
// the film does. Columns of different layers are of one sheet where their levels fit (Dagenais
// section 4.1); a sheet that ends against a wall goes on into it, and from the edge of an overhang
// hangs a curtain. What the solver `swe` throws over a cliff as particles is not part of it: there
// it is cut. The mesh has shared vertices, no cracks and no unused vertex; its order and bits do
// not depend on threads.
#pragma once

#include "rill/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rill_world rill_world;
typedef struct rill_surface rill_surface;

/// How to build a surface. Start from rill_default_surface_def().
typedef struct rill_surface_def {
    /// Depth from which the liquid looks opaque, metres, positive (Dagenais section 4.2). Default
    /// 0.5.
    float opaque_depth;
    /// Least thickness drawn above the bed, as a part of the cell size, in [0, 1]: keeps thin water
    /// from flickering through the ground (Dagenais section 4.4). Moves vertices only: normals,
    /// depth and opacity stay those of the water. Default 0.05.
    float minimum_thickness;
    /// 1 lifts thin liquid above bumps of a solid ground that lie between the centres of cells
    /// (Dagenais Eqs. 6 and 7), at any depth, and keeps it outside of cliffs and overhangs. Default
    /// 1.
    int local_minimum;
    /// 1 ends the sheet where the liquid ends, within a cell, 0 on the next dry cell. The line then
    /// moves with the depths and does not jump from cell to cell. Default 1.
    int fine_shore;
    /// 1 hangs a curtain from the edge of a wet overhang down to the liquid below it. Default 1.
    int curtains;
    /// Width of the strip along solids and walls of the world in which capillarity bends the
    /// surface, metres; 0: none (Dagenais section 5: 2.8 mm for water). Default 0.
    float meniscus_length;
    /// Angle between liquid and solid, degrees, 0 to 180: below 90 the liquid wets. Default 20.
    float contact_angle;
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
    float depth;       ///< Metres of water below; 0 at the shore and inside a wall. On a curtain:
                       ///< of the film that it falls from.
} rill_vertex;

/// What capillarity does at a vertex. rill_meniscus_normal() turns it into a normal.
typedef struct rill_meniscus {
    float direction[2]; ///< Horizontal unit vector towards the nearest boundary; 0 far from all.
    float angle;        ///< psi: how far the normal tilts at the boundary, radians; positive leans
                        ///< away from the solid (liquid that climbs it).
    float weight;       ///< Part of it that is left here: 1 at the boundary, 0 at meniscus_length.
} rill_meniscus;

/// The normal that an eye sees: `normal` tilted by angle * weight about the horizontal axis across
/// `direction` (Dagenais section 5.2). `to_eye` is the unit vector to the eye, or NULL. Where the
/// surface bulges (negative angle) the tilt at the boundary is cut off where the normal there would
/// turn away from the eye (section 5.3), because what lies behind is hidden by the bulge.
RILL_API void rill_meniscus_normal(const float normal[3], const rill_meniscus *meniscus,
                                   const float to_eye[3], float out[3]);

/// The triangles of the last build. Valid until the next build or destruction.
typedef struct rill_mesh {
    const rill_vertex *vertices;
    const uint32_t *indices; ///< Three a triangle, counter-clockwise seen from above; those of a
                             ///< curtain seen from outside it.
    size_t vertex_count, index_count;
    const rill_meniscus *meniscus; ///< One a vertex, or NULL without a meniscus.
} rill_mesh;

/// Allocates for two triangles a column of `world`, and a reserve for edges (docs/surface.md).
/// Building allocates nothing, but for least heights when a solid ground is first seen.
RILL_API rill_status rill_surface_create(const rill_world *world, const rill_surface_def *def,
                                         rill_surface **out);

/// Destroys and nulls. NULL and a null pointer are fine.
RILL_API void rill_surface_destroy(rill_surface **surface);

/// Builds the triangles of the water as it is now. `world` must be of the size it was created for.
/// A mesh that does not fit is built with a coarse shore, and if that is too much as well, it is
/// empty and the status RILL_NO_MEMORY.
RILL_API rill_status rill_surface_build(rill_surface *surface, rill_world *world);

/// The triangles of the last build; all-zero before the first. Where a GPU made them, the first
/// call after a build fetches them, so two threads must not make that call at once.
RILL_API rill_mesh rill_surface_mesh(const rill_surface *surface);

/// The triangles of the last build in the memory of the GPU that made them: for an engine that
/// draws there, nothing travels. All-zero when there is nothing to draw.
typedef struct rill_device_mesh {
    void *vertices; ///< Of rill_vertex. With CUDA a device pointer (CUdeviceptr), as is
    void *indices;  ///< the next, of uint32_t: three a triangle.
    size_t vertex_count, index_count;
    void *meniscus; ///< Of rill_meniscus, one a vertex; NULL without a meniscus.
} rill_device_mesh;

/// A GPU makes the mesh of a world whose water it computes (rill_world_backend) unless a body
/// blocks that water, the surface has a meniscus and the water falls, or a sheet winds more than
/// eight times around one point; it has the same order and bits as the host's. Waits until the mesh
/// is complete. Valid until the next build or destruction; the caller must be done with it by then.
/// RILL_NO_BACKEND where the last build was the host's: then rill_surface_mesh() has it.
RILL_API rill_status rill_surface_device_mesh(rill_surface *surface, rill_device_mesh *out);

#ifdef __cplusplus
}
#endif
