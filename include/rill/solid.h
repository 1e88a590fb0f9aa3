// SPDX-License-Identifier: MIT
// solid.h - ground with overhangs, holes and cavities: a signed distance field on a 3D grid, put
// together from shapes, triangle meshes and fields of distances. A solid is made once and handed to
// a world of the solver `layers`, which copies it and cuts it into columns; the world can then add
// shapes to it, cut shapes out of it and move shapes through it while the liquid runs.
#pragma once

#include "rill/base.h"
#include "rill/terrain.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rill_world rill_world;

/// Distance to the nearest surface at the nodes of a 3D grid: negative inside, metres.
typedef struct rill_solid rill_solid;

/// A closed surface of triangles, the raw material of RILL_SDF_MESH.
typedef struct rill_triangles rill_triangles;

/// Distances, or other values with a level, at the nodes of a box: the raw material of
/// RILL_SDF_FIELD.
typedef struct rill_distance_field rill_distance_field;

/// The grid of a solid. Start from rill_default_solid_def().
typedef struct rill_solid_def {
    int nx, ny;       ///< Cells, as in the world that it is for.
    double cell_size; ///< Edge of a cell, metres; also the distance of nodes in z.
    double bottom;    ///< Elevation of the lowest nodes, metres: all below is solid. Default 0.
    double top;       ///< Elevation that must be within the grid, metres: all above is air.
                      ///< Default 1.
    const rill_host *host; ///< Memory hooks; may be NULL. Kept until the solid is destroyed.
} rill_solid_def;

RILL_API rill_solid_def rill_default_solid_def(void);

/// The most nodes a solid may have.
#define RILL_MAX_SOLID_NODES 1073741824

/// A solid of nothing but air. Walls thinner than a cell may fall between its nodes.
RILL_API rill_status rill_solid_create(const rill_solid_def *def, rill_solid **out);

/// Destroys and nulls. NULL and a null pointer are fine.
RILL_API void rill_solid_destroy(rill_solid **solid);

/// What a shape is, in coordinates of its own with the z axis up. Lengths are full lengths.
typedef enum rill_sdf_kind {
    RILL_SDF_BOX,      ///< size[3], centred.
    RILL_SDF_SPHERE,   ///< radius, centred.
    RILL_SDF_CAPSULE,  ///< radius, length between the centres of its ends, along z, centred.
    RILL_SDF_CYLINDER, ///< radius, length along z, centred.
    RILL_SDF_CONE,     ///< radius below, radius_top above, length along z, centred.
    RILL_SDF_TORUS,    ///< radius of the ring around z, tube: radius of what is bent.
    RILL_SDF_PLANE,    ///< Everything below z = 0.
    RILL_SDF_HEIGHTS,  ///< Everything below a map of heights, from (0, 0) on.
    RILL_SDF_MESH,     ///< The inside of triangles.
    RILL_SDF_FIELD,    ///< Where a field of distances is negative.
    RILL_SDF_KIND_COUNT
} rill_sdf_kind;

/// A shape in its place. Start from rill_default_sdf_primitive(kind).
typedef struct rill_sdf_primitive {
    rill_sdf_kind kind;
    double position[3]; ///< Of its origin, metres. Default 0.
    double rotation[4]; ///< Unit quaternion x, y, z, w: turns the shape about its origin. Default
                        ///< none.
    double scale;       ///< Positive; of all lengths below. Default 1.
    double size[3];     ///< Metres. Default 1.
    double radius, radius_top, tube, length; ///< Metres. Defaults 0.5, 0.25, 0.1, 1.
    double rounding; ///< Radius by which edges are rounded, metres; not larger than the shape.
                     ///< Box, cylinder and cone. Default 0.
    rill_field_view heights;          ///< RILL_SDF_HEIGHTS: metres, not copied.
    double heights_cell;              ///< RILL_SDF_HEIGHTS: metres from one height to the next.
    const rill_triangles *triangles;  ///< RILL_SDF_MESH: not copied, but kept by what needs them.
    const rill_distance_field *field; ///< RILL_SDF_FIELD: the same.
} rill_sdf_primitive;

RILL_API rill_sdf_primitive rill_default_sdf_primitive(rill_sdf_kind kind);

/// How a shape joins what is there.
typedef enum rill_combine {
    RILL_COMBINE_UNION,        ///< Adds the shape.
    RILL_COMBINE_SUBTRACT,     ///< Cuts the shape out.
    RILL_COMBINE_INTERSECT,    ///< Keeps only what is inside the shape.
    RILL_COMBINE_SMOOTH_UNION, ///< Adds it with a fillet as wide as `blend`.
    RILL_COMBINE_COUNT
} rill_combine;

/// Changes a solid. `blend` is a length in metres, used by RILL_COMBINE_SMOOTH_UNION alone.
RILL_API rill_status rill_solid_combine(rill_solid *solid, const rill_sdf_primitive *shape,
                                        rill_combine how, double blend);

/// RILL_OK, or RILL_BAD_DEF and what is wrong with a definition, or with a primitive and the way it
/// is combined: what rill_solid_create and rill_solid_combine would say, before anything is made.
RILL_API rill_status rill_solid_check(const rill_solid_def *def);
RILL_API rill_status rill_sdf_primitive_check(const rill_sdf_primitive *shape, rill_combine how,
                                              double blend);

/// Writes the elevation of the highest floor that is open to the sky into every cell of `floors`, a
/// heightfield of the solid's size, and `none` where there is no such floor.
RILL_API rill_status rill_solid_floors(const rill_solid *solid, float none,
                                       rill_heightfield *floors);

/// Distance at a point, metres, negative inside; beyond the grid that of the nearest point of it.
RILL_API double rill_solid_distance(const rill_solid *solid, double x, double y, double z);

// ---- Triangle meshes -------------------------------------------------------------------

/// What a mesh is like.
typedef struct rill_triangles_info {
    int64_t vertices, triangles;
    int64_t open_edges;     ///< Edges that only one triangle has; 0 for a closed surface.
    double low[3], high[3]; ///< Box around it, metres.
    double volume;          ///< Inside it, m^3; negative when it is turned inside out.
    /// Three floats a vertex, metres, and three indices a triangle, counter-clockwise seen from
    /// outside. Valid as long as the triangles live.
    const float *positions;
    const uint32_t *indices;
} rill_triangles_info;

/// From arrays, which are copied: `vertices` of three floats each, metres; three indices a
/// triangle.
RILL_API rill_status rill_triangles_create(const float *vertices, size_t vertex_count,
                                           const uint32_t *indices, size_t index_count,
                                           const rill_host *host, rill_triangles **out);

/// The surface of an ellipsoid, in the middle of its own coordinates: `size` from end to end along
/// each axis, metres, in 12 parts^2 triangles of much the same area; `parts` from 1 to 2048. Its
/// volume is less than that of the ellipsoid by about 1.2 / parts^2 of it.
RILL_API rill_status rill_triangles_create_ellipsoid(const double size[3], int parts,
                                                     const rill_host *host, rill_triangles **out);

/// Lets go of triangles and nulls. NULL and a null pointer are fine. Worlds and snapshots keep the
/// triangles of their movers and of changes that wait; the last of them frees the memory, so the
/// allocator of `host` must serve until then.
RILL_API void rill_triangles_destroy(rill_triangles **triangles);
RILL_API rill_triangles_info rill_triangles_view(const rill_triangles *triangles);

// ---- Fields of distances ---------------------------------------------------------------

/// A field in memory. Start from rill_default_distance_field_def(), which has no nodes yet.
///
/// The distance at a node is scale * (value - level): metres, negative inside. Between nodes it is
/// trilinear. Outside the box of the nodes it is the distance to the box plus what the field has at
/// the nearest point of the box; so a solid that reaches the side of the box ends round.
///
/// Values need not be distances. Those that change from one node to the next by more than the way
/// between them (the densities of a scan, the labels of a mask) are all divided by the same number,
/// so that they do not: the surface at `level` stays where it is.
typedef struct rill_distance_field_def {
    int nx, ny, nz;      ///< Nodes, at least 2 each, at most RILL_MAX_SOLID_NODES in all.
    const float *values; ///< Value (i, j, k) is number (k ny + j) nx + i. Copied.
    double spacing[3];   ///< From node to node along each axis, metres. Default 1.
    double origin[3];    ///< Place of node (0, 0, 0), metres. Default 0.
    /// Directions of the three axes of the nodes, of unit length and at right angles, each within
    /// 0.001; a mirrored box is fine. Default x, y and z.
    double axes[3][3];
    double level; ///< Value at the surface. Default 0.
    double scale; ///< Metres per unit of the values, not 0; negative where large values are inside.
                  ///< Default 1.
    const rill_host *host; ///< Memory hooks; may be NULL. Kept until the field is gone.
} rill_distance_field_def;

RILL_API rill_distance_field_def rill_default_distance_field_def(void);

/// What a field is like.
typedef struct rill_distance_field_info {
    int nx, ny, nz;
    double spacing[3], origin[3], axes[3][3]; ///< As given, the axes exactly at right angles.
    double lowest, highest;                   ///< Distance at any node, metres.
    double flattened; ///< What all distances were divided by; 1 for a field of distances.
    /// Distances at the nodes, metres, in the order of the definition. Valid as long as the field.
    const float *distances;
} rill_distance_field_info;

/// RILL_BAD_DEF, with the reason, for a value that is not finite, fewer than two nodes along an
/// axis, a spacing that is not positive, axes that are not at right angles.
RILL_API rill_status rill_distance_field_create(const rill_distance_field_def *def,
                                                rill_distance_field **out);

/// Lets go of a field and nulls, as rill_triangles_destroy does of triangles.
RILL_API void rill_distance_field_destroy(rill_distance_field **field);
RILL_API rill_distance_field_info rill_distance_field_view(const rill_distance_field *field);

/// Distance at a point of the field's own coordinates, metres, negative inside; 0 without a field.
RILL_API double rill_distance_field_distance(const rill_distance_field *field, double x, double y,
                                             double z);

// ---- The ground of a world -------------------------------------------------------------

/// Changes the ground of a world of the solver `layers` for good: a scalpel cuts, clay is added.
/// Only the cells under the shape are cut anew. Liquid of columns that vanish goes into those that
/// took their place, or to their neighbours; what fits nowhere is booked as corrected.
/// A ground that cannot be cut (too many columns above each other) is an error that names the cell,
/// and nothing has changed; so with movers.
RILL_API rill_status rill_world_combine(rill_world *world, const rill_sdf_primitive *shape,
                                        rill_combine how, double blend);

/// A solid that can be moved: an instrument, a swab. All-zero is the null id; stale ids are
/// detected.
typedef struct rill_mover_id {
    uint32_t index1;
    uint32_t generation;
} rill_mover_id;

/// Puts a shape into a world of the solver `layers` as a solid that can be moved and removed.
/// Triangles and fields are kept; heights are refused, they belong to the caller. Fails when
/// def.layers.max_movers are there already.
RILL_API rill_status rill_world_add_mover(rill_world *world, const rill_sdf_primitive *shape,
                                          rill_mover_id *out);

/// Moves it; liquid gives way. `rotation` may be NULL: as it was.
RILL_API rill_status rill_world_move(rill_world *world, rill_mover_id id, const double position[3],
                                     const double rotation[4]);
RILL_API rill_status rill_world_remove_mover(rill_world *world, rill_mover_id id);

/// Lets it move by itself from now on, at the beginning of every rill_world_step: where the keys
/// have it at the end of the step. `count` from 0, which stops it, to RILL_PATH_MAX_KEYS. Where
/// the ground cannot be cut the mover stays behind and the step fails before liquid moves or time
/// passes; it will fail again until the path is changed or the mover removed.
RILL_API rill_status rill_world_set_mover_path(rill_world *world, rill_mover_id id,
                                               const rill_path_key *keys, int count);

/// Bends a mover that is a mesh: soft tissue that another program has moved. Three floats for each
/// of the `count` vertices that its triangles were created from, in that order and in the mesh's
/// own coordinates, metres; vertices that were equal then stay one, which is where the first of
/// them is. The triangles that the mover was added with stay as they are, also for other movers.
/// Liquid gives way, and only the cells that the mesh leaves or reaches are cut anew.
/// RILL_BAD_ARGUMENT, with nothing changed, for places that are no numbers, a mesh that encloses
/// nothing or is inside out as it is bent, a mover that is no mesh and one that beats.
RILL_API rill_status rill_world_set_mover_vertices(rill_world *world, rill_mover_id id,
                                                   const float *vertices, size_t count);

/// A rhythm in which a mesh bends by itself: a vertex at p, in the mesh's own coordinates, is at
/// p + s (amplitude + swell p), where s = sin(2 pi (time / period - sum of p_k / wavelength_k)).
typedef struct rill_mover_beat {
    double period;        ///< Seconds, 1e-6 to 1e9; 0 stops the beat, and the mesh stays as it is.
    double amplitude[3];  ///< Metres, of magnitude up to 1e9.
    double swell[3];      ///< Parts of the distance from the middle, along each axis, above -1 and
                          ///< below 1.
    double wavelength[3]; ///< Metres along each axis, of magnitude 1e-9 or more, negative for a
                          ///< wave that runs down the axis; 0: all of the mesh at once.
} rill_mover_beat;

/// Lets a mover that is a mesh beat from now on, beside its path: at once as it is at the time of
/// the world, and at the beginning of every rill_world_step as it is at the end of the step.
RILL_API rill_status rill_world_set_mover_beat(rill_world *world, rill_mover_id id,
                                               const rill_mover_beat *beat);

/// The most changes of the ground that can wait for their time.
#define RILL_MAX_SCHEDULED 64

/// A rill_world_combine at the beginning of the first step that ends after `time`, seconds; several
/// happen in the order of their times. Triangles and fields are kept until then; heights are
/// refused, they belong to the caller. If the ground cannot be cut the change is dropped and the
/// step fails before liquid moves or time passes.
RILL_API rill_status rill_world_schedule_combine(rill_world *world, double time,
                                                 const rill_sdf_primitive *shape, rill_combine how,
                                                 double blend);

/// One corner of the ground's triangles.
typedef struct rill_ground_vertex {
    float position[3]; ///< Metres.
    float normal[3];   ///< Unit length, out of the ground.
    float openness;    ///< Part of the sky that is not hidden by ground nearby, 0 to 1.
} rill_ground_vertex;

/// The surface of a solid ground, by marching cubes, closed at the sides and below by nothing: the
/// picture ends there.
typedef struct rill_ground_mesh {
    const rill_ground_vertex *vertices;
    const uint32_t *indices; ///< Three a triangle, counter-clockwise seen from outside.
    size_t vertex_count, index_count;
    uint64_t version; ///< Another number whenever the ground has changed, and another one in every
                      ///< world; 0 when there is none.
} rill_ground_mesh;

/// The ground of a world that has a solid, made anew where it has changed since the last call;
/// all-zero for a world without one. Valid until the next call that changes the world.
RILL_API rill_ground_mesh rill_world_ground_mesh(rill_world *world);

/// Hands in the host's own triangles of the ground, such as those of an organ whose field the solid
/// is: from now on rill_world_ground_mesh returns them, so that they are drawn, and thin liquid is
/// drawn above them (rill_surface_def.local_minimum). The liquid still runs over the columns that
/// are cut from the solid, so the two should agree to a part of a cell. Arrays are copied,
/// `version` is not read. Normals of no length are computed from the triangles, openness below 0
/// from the solid. Triangles do not follow later changes of the ground: the host hands in new ones.
/// NULL goes back to marching cubes. Snapshots and clones do not have them.
RILL_API rill_status rill_world_set_ground_mesh(rill_world *world, const rill_ground_mesh *mesh);

/// The same for triangles that differ from those of the last call only within a box in x and y,
/// metres: what surfaces know of the ground is made anew there alone. Vertices may be in another
/// order. `low` and `high` may be beyond the world.
RILL_API rill_status rill_world_update_ground_mesh(rill_world *world, const rill_ground_mesh *mesh,
                                                   const double low[2], const double high[2]);

#ifdef __cplusplus
}
#endif
