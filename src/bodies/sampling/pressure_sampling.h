// SPDX-License-Identifier: MIT
// pressure_sampling.h - what the surfaces of a body that keeps water out feel of it.
#pragma once

#include "bodies/sampling/pressure_rows.h"

// Such a body in the water of its tile. Its triangles are divided until pieces are no larger than
// `largest`, m^2.
typedef struct rl_front_body {
    const rl_bodies *bodies;
    const rl_body *body;
    const rl_water_view *view;
    const rl_front_tile *tile;
    rl_front_pull pull;
    double largest;
} rl_front_body;

// Hands over what its triangles feel, group by group; those above the water are left out.
typedef void (*rl_visit_fronts)(void *context, const rl_front_group *group,
                                const rl_front_felt *felt);
void rl_front_walk(const rl_front_body *of, rl_visit_fronts visit, void *context);
