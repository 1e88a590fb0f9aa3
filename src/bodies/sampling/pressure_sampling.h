// SPDX-License-Identifier: MIT
// pressure_sampling.h - what the surfaces of a body that keeps water out feel of it.
#pragma once

#include "bodies/sampling/pressure_rows.h"

// Whether a body is small enough for a grid.
bool rl_pressure_fits(const rl_bodies *bodies, const rl_body *body);

// The water's velocities are found here if it can tell those of some cells, so that its columns
// need have none around a body that fits.
void rl_pressure_query(const rl_water_view *view, const rl_body *body, rl_pressure_grid *grid);

// Such a body in the water of its grid. Its triangles are divided until pieces are no larger than
// `largest`, m^2.
typedef struct rl_pressure_body {
    const rl_bodies *bodies;
    const rl_body *body;
    const rl_water_view *view;
    const rl_pressure_grid *grid;
    rl_pressure_pull pull;
    double largest;
} rl_pressure_body;

// Hands over what its triangles feel, group by group; those above the water are left out.
typedef void (*rl_visit_pressures)(void *context, const rl_pressure_group *group,
                                   const rl_pressure_felt *felt);
void rl_pressure_sample(const rl_pressure_body *of, rl_visit_pressures visit, void *context);
