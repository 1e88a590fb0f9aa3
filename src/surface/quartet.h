// SPDX-License-Identifier: MIT
// quartet.h - the triangles over four neighbouring cells where not everything is linked within one
// layer: links between layers, ends of sheets, walls and curtains.
#pragma once

#include "surface/lattice.h"

// A vertex before it has a number: its slot times 16, plus its place among those counted with it.
#define RL_SCRAP_PLACES 16

static inline uint32_t rl_scrap_number(const rl_surface *s, uint64_t scrap)
{
    return s->number[scrap / RL_SCRAP_PLACES] + (uint32_t)(scrap % RL_SCRAP_PLACES);
}

// The most triangles that a quartet can have.
#define RL_QUARTET_MOST (16 * RL_SURFACE_MAX_LAYERS)

// Triangles over the cells of lattice points (i, j) to (i + 1, j + 1), those of whole quads left
// out: three vertices each to `to`, but not more than `room` triangles. Returns their number.
size_t rl_quartet_triangles(const rl_surface *s, int i, int j, uint64_t *to, size_t room);

// What a vertex that closes a chain belongs to: the end of the sheet of a wet slot, or an edge
// vertex, on side `way`; or a dry slot, with `way` -1.
typedef struct rl_quartet_end {
    size_t slot;
    int way;
} rl_quartet_end;

// The far end of the chain of the wet column of lattice point (i, j), which has no partner on side
// `way`, in the quartet to the left of that side (turn 1) or to the right (turn -1), looking from
// the column. False where that quartet is not on the lattice, or the chain has less than three
// columns and its end cannot be in another quartet as well.
bool rl_quartet_far_end(const rl_surface *s, int i, int j, int layer, int way, int turn,
                        rl_quartet_end *end);
