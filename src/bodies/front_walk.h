// SPDX-License-Identifier: MIT
// front_walk.h - the pieces of a triangle that keeps water out, and what they find before them.
#pragma once

#include "bodies/front_tile.h"

// Wet parts of pieces of a triangle: their area, m^2, their centres in barycentric coordinates and
// the mean velocity along the ground that their corners find, m/s.
#define RL_FRONT_PIECES 16
typedef struct rl_front_pieces {
    int count;
    float area[RL_FRONT_PIECES], centre[3][RL_FRONT_PIECES];
    float flow_x[RL_FRONT_PIECES], flow_y[RL_FRONT_PIECES];
} rl_front_pieces;

// Walks over the pieces of a triangle that keeps water out. Returns their wet parts together, and
// hands them over, some at a time. `tile` is of its body.
typedef void (*rl_visit_fronts)(void *context, const rl_triangle *triangle,
                                const rl_front_pieces *pieces);
rl_wet_part rl_front_walk(const rl_water_view *view, const rl_front_tile *tile,
                          const rl_triangle *triangle, rl_visit_fronts visit, void *context);
