// SPDX-License-Identifier: MIT
// pressure_grid.h - the water around a body that keeps it out, laid out for its surfaces: they look
// at it in hundreds of points a step.
#pragma once

#include "bodies/sampling/samples.h"

// What is known of a cell. Weighted sums of these are what a point between four cells finds.
enum {
    RL_PRESSURE_LEVEL,  // of a free cell with water, from the tile's reference, metres; else 0
    RL_PRESSURE_WET,    // 1 there
    RL_PRESSURE_MOVING, // 1 where water is that no body presses down
    RL_PRESSURE_FLOW_X, // of it, m/s
    RL_PRESSURE_FLOW_Y,
    RL_PRESSURE_FREE,   // 1 where no body is
    RL_PRESSURE_HEAD,   // the level found for a cell with a body, if that is above the ground
    RL_PRESSURE_HEADED, // 1 there
    RL_PRESSURE_VALUES,
};

#define RL_PRESSURE_CELLS 576

typedef struct rl_pressure_grid {
    rl_box box;       // cells; empty: too many, everything is looked up in the water itself
    double reference; // an elevation near the body: floats are exact enough from there, metres
    float highest;    // level that a point can find, from there: what is above it is dry
    // Row by row; the last ones are nobody's.
    _Alignas(RILL_ALIGNMENT) float cells[RL_PRESSURE_CELLS + RILL_MARGIN_X][RL_PRESSURE_VALUES];
} rl_pressure_grid;

// Whether a body is small enough for a tile.
bool rl_pressure_fits(const rl_bodies *bodies, const rl_body *body);

// The water's velocities are found here if it can tell those of some cells, so that its columns
// need have none around a body that fits.
void rl_pressure_query(const rl_water_view *view, const rl_body *body, rl_pressure_grid *tile);
