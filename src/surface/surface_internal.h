// SPDX-License-Identifier: MIT
// surface_internal.h - the water of a columns view as triangles (Dagenais section 4, Chentanez and
// Müller section 2.5.1). This module reads columns only: it knows no world and no solver. The
// public functions of rill/surface.h call it.
#pragma once

#include "rill/columns.h"
#include "rill/solid.h"
#include "rill/surface.h"

typedef struct rl_surface rl_surface;

// Threads to build with. Without `run` (NULL) the calling thread works alone. Work is cut into
// tiles of rows whose size never depends on the runner, so the mesh is the same to the last bit.
typedef struct rl_surface_runner {
    rill_parallel_for run;
    void *user;
} rl_surface_runner;

// Allocates for `layers` layers of nx * ny columns: a vertex and two triangles a point of the
// lattice of (nx + 2) (ny + 2) points a layer, and half a vertex and a triangle more a point of one
// layer, 65536 at least, for the ends of surfaces and for edges (all of them where that is less).
// That is enough unless most columns are at an edge; rl_surface_build says what happens then.
// `allocator` may be NULL and is copied; def->host is not used. On failure *out is NULL.
rill_status rl_surface_create(const rill_allocator *allocator, int nx, int ny, int layers,
                              const rill_surface_def *def, rl_surface **out);

// Destroys the surface and nulls the pointer. NULL and a null pointer are allowed.
void rl_surface_destroy(rl_surface **surface);

// Takes over the ground of a solid, at first and after a change: least heights of columns over its
// bumps are computed anew (minimum.c). `columns` gives the floors. It is not needed for a
// heightfield.
rill_status rl_surface_set_ground(rl_surface *surface, const rill_ground_mesh *ground,
                                  const rill_columns *columns);

// The same after a change in cells [i0, i1) x [j0, j1) of the ground or the columns that were given
// last.
void rl_surface_update_ground(rl_surface *surface, const rill_ground_mesh *ground,
                              const rill_columns *columns, int i0, int j0, int i1, int j1);

// Says that the floors and ranges of the columns of the next builds are those of version `version`
// of the ground; builds of one version read them once. With 0, as at the start, they may change
// every time.
void rl_surface_ground_is(rl_surface *surface, uint64_t version);

// The data that a surface derives from the ground under columns with ranges: the columns of each
// cell and their least thicknesses (`least`, or NULL), in floats. They are made for the version of
// the ground that was given last, as a build would. Valid until the ground changes.
typedef struct rl_surface_ground {
    const uint32_t *stack_first; // nx * ny + 1
    const void *stacks;          // of rl_stack_entry
    size_t stack_bytes;
    const float *least;
    size_t least_floats, least_pitch, least_stride;
} rl_surface_ground;
rl_surface_ground rl_surface_read_ground(rl_surface *surface, const rill_columns *columns,
                                         rl_surface_runner runner);

// From now on triangles that drop by more than `slope` cells a cell over a cliff are left out:
// there the water has left the columns, and the caller draws it as particles. With 0, as at the
// start, all triangles are drawn.
void rl_surface_cut_falls(rl_surface *surface, float slope);

// Says which sides of the domain are walls: the meniscus ends there as on any other solid. `walls`
// has bit `way` (surface_cell.h) for each of the four sides; none at the start.
void rl_surface_set_walls(rl_surface *surface, unsigned walls);

// Builds the triangles of the water as it is now; allocates nothing. `columns` must have the size
// that the surface was created for. A mesh with more vertices than were allocated is built anew
// with a coarse shore, which needs fewer; should it not fit then, the mesh is empty and the status
// says so.
rill_status rl_surface_build(rl_surface *surface, const rill_columns *columns,
                             rl_surface_runner runner);

// The buffers for a mesh that was built elsewhere, and their capacity. rl_surface_put() then sets
// how much was written to them; 0 stands for no mesh.
typedef struct rl_surface_buffers {
    rill_vertex *vertices;
    uint32_t *indices;
    rill_meniscus *meniscus; // NULL without one
    size_t vertex_capacity, triangle_capacity;
} rl_surface_buffers;
rl_surface_buffers rl_surface_buffers_of(rl_surface *surface);
void rl_surface_put(rl_surface *surface, size_t vertex_count, size_t index_count);

// Returns the triangles of the last build; all-zero before the first. Valid until the next build.
rill_mesh rl_surface_mesh(const rl_surface *surface);

// Returns the bytes that the surface holds.
size_t rl_surface_memory(const rl_surface *surface);

// Computes the normal of a surface that capillarity bends (Dagenais sections 5.2 and 5.3), as
// rill_meniscus_normal() does; `out` may be `normal`.
void rl_meniscus_normal(const float normal[3], const rill_meniscus *meniscus, const float to_eye[3],
                        float out[3]);

// ---- Least thicknesses (minimum.c) -----------------------------------------------------

// How thick a film must be drawn so that no bump of the ground shows through it (Dagenais section
// 4.4). Columns know the ground at the centres of cells only; the triangles of the ground have
// vertices between them, and a thin film that is drawn from centre to centre would pass below
// those. The least thicknesses depend on the ground alone and are made when it changes.

// How far above a vertex of the ground the film passes (epsilon of Dagenais Eq. 6), in cells.
#define RL_MINIMUM_CLEARANCE 0.01

// Vertices count from this upward part of their unit normal on. The paper skips those that face
// downward; the normal of a plumb wall is horizontal up to rounding, and rounding must not decide.
#define RL_MINIMUM_UPWARD 0.1

// Vertices are left out that would lift a film more than this above the highest floor around, in
// cells (Dagenais section 4.4) ...
#define RL_MINIMUM_LIFT_ABOVE 1.0
// ... or more than this above its own floor: else a film would be drawn up to the top of any wall
// that it touches.
#define RL_MINIMUM_LIFT 2.0

// The floats that the two functions below need for columns: the least thicknesses, and then, where
// columns have ranges, the lowest level that each links to, and how far the solid below it comes
// out, four bytes a column (reach.c).
size_t rl_minimum_floats(const rill_columns *columns);
float *rl_minimum_join(const rill_columns *columns, float *least);
uint8_t *rl_minimum_reach(const rill_columns *columns, float *least);

// Where these rules would leave a vertex out, all columns around it are lifted alike, if that is no
// more than the first, in cells; where it is more than the second the ground is a cliff, and a film
// ends at its edge if it can.
#define RL_MINIMUM_LIFT_EQUAL 1.0
#define RL_MINIMUM_CLIFF      0.25

// Computes the least thickness of a film per column, metres; value [layer * layer_stride + j *
// pitch + i] as in `columns`. With it the triangles over any four columns pass above every vertex
// of the ground between them, whichever diagonal is drawn, except for vertices that the rules leave
// out. It is never less than `global_minimum`, metres, nor more than the height below the ceiling.
// Values beyond nx and ny are not changed. `ground` may be empty. The bits do not depend on the
// order of its vertices.
void rl_minimum_compute(const rill_ground_mesh *ground, const rill_columns *columns,
                        float global_minimum, float *least);

// Does the same after a change of columns or ground in cells [i0, i1) x [j0, j1): only columns up
// to two cells away from them are made anew. The result is that of rl_minimum_compute.
void rl_minimum_update(const rill_ground_mesh *ground, const rill_columns *columns,
                       float global_minimum, float *least, int i0, int j0, int i1, int j1);

// Solves for one vertex above up to four columns: the thicknesses that minimise sum w_k l_k^2 under
// sum a_k (b_k + l_k) = height + clearance and l_k >= least (Dagenais Eqs. 6 and 7). `part` is a_k
// and adds up to 1. All are `least` when that is enough. `cell_size` is Delta x; all lengths are in
// metres.
void rl_minimum_solve(int count, const double part[], const double base[], double height,
                      double clearance, double cell_size, double least, double lift[]);
