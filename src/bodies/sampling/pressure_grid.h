// SPDX-License-Identifier: MIT
// pressure_grid.h - the water around a body that keeps it out, laid out for its surfaces: they look
// at it in hundreds of points a step.
#pragma once

#include "bodies/sampling/samples.h"

// What is known of a cell. Weighted sums of these are what a point between four cells finds.
enum {
    RL_FRONT_LEVEL,  // of a free cell with water, from the tile's reference, metres; else 0
    RL_FRONT_WET,    // 1 there
    RL_FRONT_MOVING, // 1 where water is that no body presses down
    RL_FRONT_FLOW_X, // of it, m/s
    RL_FRONT_FLOW_Y,
    RL_FRONT_FREE,   // 1 where no body is
    RL_FRONT_HEAD,   // the level found for a cell with a body, if that is above the ground
    RL_FRONT_HEADED, // 1 there
    RL_FRONT_VALUES,
};

#define RL_FRONT_CELLS 576

typedef struct rl_front_tile {
    rl_box box;       // cells; empty: too many, everything is looked up in the water itself
    double reference; // an elevation near the body: floats are exact enough from there, metres
    float highest;    // level that a point can find, from there: what is above it is dry
    // Row by row; the last ones are nobody's.
    _Alignas(RL_ALIGNMENT) float cells[RL_FRONT_CELLS + RL_MARGIN_X][RL_FRONT_VALUES];
} rl_front_tile;

// Whether a body is small enough for a tile.
bool rl_front_fits(const rl_bodies *bodies, const rl_body *body);

// The water's velocities are found here if it can tell those of some cells, so that its columns
// need have none around a body that fits.
void rl_front_look(const rl_water_view *view, const rl_body *body, rl_front_tile *tile);
