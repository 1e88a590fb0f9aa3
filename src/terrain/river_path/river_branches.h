// SPDX-License-Identifier: MIT
// river_branches.h - water in the channels that join a river.
#pragma once

#include "terrain/river_path/river_channels.h"
#include "terrain/river_path/river_wet.h"

// Floods the branches of `channels` that leave the wet set of the main river, whose water stands
// `depth` metres deep, and counts the channels, the main one included. False when there is no
// memory.
bool rl_branches_flood(rl_wet *wet, const rl_channels *channels, double cell_size, double depth,
                       int *count);
