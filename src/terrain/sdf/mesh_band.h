// SPDX-License-Identifier: MIT
// mesh_band.h - distances near a closed mesh that moves or deforms, at the nodes of a solid. A tree
// of triangles answers one node at a time, and has to be made anew when vertices move. Here every
// triangle tells the nodes beside it (mesh_band.c), which costs what the surface is large and asks
// for nothing that a deformation would spoil.
//
// Vertices are moved to the next 65536th of a cell first. Whether a vertical line meets a triangle
// is then decided by whole numbers: no line slips through between two triangles, and no thread
// count and no instruction set sees another answer.
#pragma once

#include "core/jobs.h"
#include "terrain/sdf/solid_internal.h"
#include "terrain/sdf/triangles.h"

// Cells from the surface to which distances are told, along the axes; beyond, the mesh is as far as
// the band of the solid. Openness reads five (solid_surface_brick.c).
#define RL_MESH_REACH 5.0

// The nodes around one mesh. All-zero is an empty one.
typedef struct rl_mesh_band {
    rl_solid_nodes nodes; // that it covers
    bool filled;          // for the mesh as it is
    float *distance;      // metres, cut off at the band of the solid; z runs fastest, then x
    size_t capacity;      // of nodes
} rl_mesh_band;

// What filling works in; one serves all bands of a world. All-zero is an empty one.
typedef struct rl_mesh_scratch {
    int32_t *places; // three a vertex, 65536ths of a cell from node (0, 0, 0)
    size_t place_capacity;
    struct rl_facet *facets; // of each triangle
    size_t facet_capacity;
    int32_t *rows; // two a triangle: the rows of nodes that it is within reach of, [first, end)
    size_t row_capacity;
    struct rl_mesh_node *nodes;
    size_t node_capacity;
    uint32_t *queue; // nodes that have a triangle, in the order in which they got it; those of a
    size_t queue_capacity; // task lie together
    int *queued;           // how many those are, of each task
    size_t task_capacity;
} rl_mesh_scratch;

// Whether a primitive is a mesh that a band can be filled from: closed, and no farther from the
// grid than whole numbers reach. The others are asked through their tree.
bool rl_mesh_band_fits(const rl_solid *solid, const rill_sdf_primitive *primitive);

// Returns the nodes of the solid that the band of a mesh covers.
rl_solid_nodes rl_mesh_band_nodes(const rl_solid *solid, const rill_sdf_primitive *primitive);

// Takes memory for a band and the scratch, so that filling needs no more while the mesh turns or
// grows by no more than `growth`. False when there is none.
bool rl_mesh_band_reserve(rl_mesh_band *band, rl_mesh_scratch *scratch, const rl_solid *solid,
                          const rill_sdf_primitive *primitive, double growth,
                          const rill_allocator *allocator);

// Fills the band of a mesh that fits. RILL_NO_MEMORY leaves it as it was.
rill_status rl_mesh_band_fill(rl_mesh_band *band, rl_mesh_scratch *scratch, const rl_solid *solid,
                              const rill_sdf_primitive *primitive, rl_jobs *jobs,
                              const rill_allocator *allocator);

// Adds the mesh to a solid, at nodes of `within`.
void rl_mesh_band_join(const rl_mesh_band *band, rl_solid *solid, const rl_solid_nodes *within);

size_t rl_mesh_band_memory(const rl_mesh_band *band);
size_t rl_mesh_scratch_memory(const rl_mesh_scratch *scratch);
void rl_mesh_band_free(rl_mesh_band *band, const rill_allocator *allocator);
void rl_mesh_scratch_free(rl_mesh_scratch *scratch, const rill_allocator *allocator);
