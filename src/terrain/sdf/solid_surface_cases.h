// SPDX-License-Identifier: MIT
// solid_surface_cases.h - which triangles a cube of eight nodes gets, for each of the 256 ways in
// which they can be solid or air.
//
// Corner c of a cube lies at (c & 1, c >> 1 & 1, c >> 2). Edge e = 4 axis + n goes along `axis`
// from the n-th of the corners that have a 0 there.
#pragma once

#include <stdint.h>

#define RL_CUBE_CORNERS 8
#define RL_CUBE_EDGES   12
#define RL_CUBE_CASES   256

// One way: `count` triangles, three edges each, counter-clockwise seen from the air. A loop of n
// edges makes n - 2 triangles, so there are never more than ten.
typedef struct rl_cube_case {
    uint8_t count;
    uint8_t edges[30];
} rl_cube_case;

// The corner at which an edge begins; it ends at that corner plus 1 << axis.
static inline int rl_cube_edge_corner(int edge)
{
    const int axis = edge / 4, n = edge % 4, below = (1 << axis) - 1;
    return (n & below) | (n & ~below) << 1;
}

// Fills in all cases. Bit c of the index of a case is set when corner c is solid.
void rl_cube_cases_build(rl_cube_case cases[RL_CUBE_CASES]);
