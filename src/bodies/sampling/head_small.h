// SPDX-License-Identifier: MIT
// head_small.h - levels of small groups of boxes, mostly of one body.
#pragma once

#include "bodies/blocking/body_raster.h"

#define RL_HEAD_SWEEPS   4     // even
#define RL_HEAD_TOUCHING 0.1f  // in cells: a body that is closer above the water presses it
#define RL_HEAD_FLAT     1e-6f // metres: levels that differ by less need no sweeps

// Fills rl_bodies.level in the boxes of a group. Returns false, with nothing written, where that is
// not as simple as it mostly is: head.c can do all.
bool rl_head_small(const rl_head_fill *fill, const rl_box *boxes, const int *members, int count);
