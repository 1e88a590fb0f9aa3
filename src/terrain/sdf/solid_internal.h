// SPDX-License-Identifier: MIT
// solid_internal.h - ground as a signed distance field, and what is cut out of it: columns
// (Dagenais section 3.1) and triangles (marching cubes). The public functions of rill/solid.h stand
// on this.
//
// Node (i, j, k) lies at ((i + 0.5) dx, (j + 0.5) dx, bottom + k dx): a node column goes through
// the centre of every cell, so that casting a ray up through a cell reads one node column only. One
// more row of nodes lies around the world on every side, for triangles up to its border.
//
// Distances are cut off at RL_SOLID_BAND cells, so that a change is local: nodes further than that
// from a primitive do not depend on it.
#pragma once

#include "core/assert.h"
#include "core/owned.h"

#include "rill/solid.h"
#include "rill/support.h"

#define RL_SOLID_BAND 8.0 // cells

struct rill_solid {
    rl_owned own;
    int nx, ny, nz;
    double cell_size, bottom;
    double
        steepest; // a distance changes by no more than this times the way: 1, or what a field has
    float *distance; // rl_solid_column gives the nodes above a cell, from below
    size_t bytes;
};
typedef struct rill_solid rl_solid;

// Returns the nz nodes above cell (i, j), -1 <= i <= nx, -1 <= j <= ny, from below.
static inline float *rl_solid_column(const rl_solid *solid, int i, int j)
{
    return solid->distance +
           ((size_t)(j + 1) * (size_t)(solid->nx + 2) + (size_t)(i + 1)) * (size_t)solid->nz;
}

// Cells [i0, i1) x [j0, j1); empty when i0 >= i1 or j0 >= j1.
typedef struct rl_solid_box {
    int i0, j0, i1, j1;
} rl_solid_box;

// Returns a copy with memory of its own. `allocator` may be NULL.
rill_status rl_solid_copy(const rl_solid *from, const rill_allocator *allocator, rl_solid **out);

// A primitive in its place (sdf_primitives.c): what depends on it alone is computed once. It is
// borrowed.
typedef struct rl_placed_primitive {
    const rill_sdf_primitive *primitive;
    double turn[3][3];                 // from the world's axes to those of the primitive
    double shrink;                     // 1 / scale
    double low_radius, low_z;          // of a cone whose rounding has been removed
    double high_radius, high_z;        // the same at its upper end
    double slope_radius, slope_z;      // from its lower rim to its upper one
    double slope_square, slope_length; // of that line: squared length, length
} rl_placed_primitive;

rl_placed_primitive rl_sdf_primitive_place(const rill_sdf_primitive *primitive);

// Computes the distances of points (x, y, z0 + k dz) with k in [first, first + count), at most
// RL_MOST_AT_ONCE of them, metres. They are exact for all but RILL_SDF_HEIGHTS, where they are
// those to the tangent plane, and RILL_SDF_FIELD, where they are trilinear. Beyond `band` metres
// from a mesh the magnitude may be anything of at least `band`.
#define RL_MOST_AT_ONCE 16
typedef struct rl_upright {
    double x, y, z0, dz; // metres
} rl_upright;

void rl_placed_distances(const rl_placed_primitive *placed, const rl_upright *line, int first,
                         int count, double band, double *restrict out);

// Computes the box around a primitive, metres; infinite where the primitive is.
void rl_sdf_primitive_bounds(const rill_sdf_primitive *primitive, double low[3], double high[3]);

// Combines a primitive that has been checked. Returns the cells whose node columns may have
// changed; a change of the ring around the world counts for the cells beside it. A `blend` wider
// than the band is as wide as the band.
rl_solid_box rl_solid_combine(rl_solid *solid, const rill_sdf_primitive *primitive,
                              rill_combine how, double blend);

// Notes that a primitive is part of the solid from now on. rl_solid_combine does it; a caller of
// rl_solid_combine_within has to, on one thread.
void rl_solid_make_steeper(rl_solid *solid, const rill_sdf_primitive *primitive);

// Returns the cells whose columns combining a primitive may change. That is less than its reach
// (rl_solid_nodes_of): a floor or a ceiling lies between two nodes whose distances are no more than
// a cell (times `steepest`), so only a primitive that comes nearer to one of them can move it.
rl_solid_box rl_solid_cut_by(const rl_solid *solid, const rill_sdf_primitive *primitive,
                             rill_combine how, double blend);

// Nodes [low, end) of each axis; the ring around the world begins at -1.
typedef struct rl_solid_nodes {
    int low[3], end[3];
} rl_solid_nodes;

// Returns the nodes that rl_solid_combine may change.
rl_solid_nodes rl_solid_nodes_of(const rl_solid *solid, const rill_sdf_primitive *primitive,
                                 rill_combine how, double blend);

// Returns the nodes no farther than `cells` from the box around a primitive.
rl_solid_nodes rl_solid_nodes_around(const rl_solid *solid, const rill_sdf_primitive *primitive,
                                     double cells);

// Returns the cells above which nodes lie, as rl_solid_combine returns them.
rl_solid_box rl_solid_cells_of(const rl_solid *solid, const rl_solid_nodes *nodes);

// Combines as far as nodes of `within` are concerned; leaves all others alone.
void rl_solid_combine_within(rl_solid *solid, const rill_sdf_primitive *primitive, rill_combine how,
                             double blend, const rl_solid_nodes *within);

void rl_solid_copy_nodes(const rl_solid *from, rl_solid *to, const rl_solid_nodes *nodes);

// ---- Columns (solid_create.c) ----------------------------------------------------------

#define RL_SOLID_SKY 1e30f // ceiling of a column under the open sky

// One column above a cell: the solid that it stands on begins at `min`, its floor is at `base`, its
// ceiling at `max`.
typedef struct rl_span {
    float min, base, max;
} rl_span;

// Casts a ray up through the centre of cell (i, j). Below the grid all is solid, above it air. Gaps
// thinner than a thousandth of a cell are none. Writes the first `limit` columns from below and
// returns how many there are.
int rl_solid_cast(const rl_solid *solid, int i, int j, rl_span *spans, int limit);

// Selects the `limit` widest of `count` columns, in their order. A column under the sky is widest.
void rl_spans_keep_widest(rl_span *spans, int count, int limit);

// ---- Triangles (solid_surface.c) -------------------------------------------------------
//
// The surface of a solid as triangles: marching cubes over the node grid, brick
// by brick, so that after a change only the bricks it touched are made anew.

typedef struct rl_solid_surface rl_solid_surface;

rill_status rl_solid_surface_create(const rill_allocator *allocator, const rl_solid *solid,
                                    rl_solid_surface **out);
void rl_solid_surface_destroy(rl_solid_surface **surface);
size_t rl_solid_surface_memory(const rl_solid_surface *surface);

// Notes that the solid has changed above these cells.
void rl_solid_surface_touch(rl_solid_surface *surface, rl_solid_box cells);

// Returns a number that no version of triangles had before: a reader of one world's ground must not
// take another's for it.
uint64_t rl_ground_next_version(void);

// Returns the part of the sky that ground nearby does not hide at a place with this normal, as for
// the vertices of a surface.
float rl_solid_openness(const rl_solid *solid, const float position[3], const float normal[3]);

// Makes the touched bricks anew and puts all of them together. Memory grows when the surface does;
// without memory it returns a status and the old mesh stays. `version` of the mesh grows by one for
// every call that changed something.
rill_status rl_solid_surface_mesh(rl_solid_surface *surface, const rl_solid *solid,
                                  rill_ground_mesh *out);
