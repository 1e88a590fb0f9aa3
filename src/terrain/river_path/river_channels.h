// SPDX-License-Identifier: MIT
// river_channels.h - finds where water runs in a terrain whose hollows are filled (river_flood.h):
// the main channel from one side of the grid to another, and the channels that join it. Water goes
// to one of four neighbours, as it does between the cells of the `river` solver, so that a channel
// never has to squeeze through a corner.
//
// Memory: that of the flood, and 16 to 32 bytes a cell of a channel.
#pragma once

#include "terrain/river_path/river_path.h"
#include "terrain/river_path/river_wet.h"

#define RL_CHANNEL_NONE UINT32_MAX

// One cell of a channel. Cells downstream have lower numbers, except in the main channel.
typedef struct rl_channel_cell {
    uint32_t cell;     // j * nx + i
    uint32_t receiver; // number of the next cell downstream, RL_CHANNEL_NONE at the end
    uint32_t area;     // cells that drain through it
    float fill;        // elevation of the filled ground, metres
} rl_channel_cell;

typedef struct rl_channels {
    rl_channel_cell *cell; // the main channel downstream, then the branches
    size_t main, count, capacity;
} rl_channels;

// Finds the channels in `ground`, smoothed by def->smoothing, for a river that comes in by the
// lowest cell of side def->from. Returns RILL_BAD_DEF with a message when that leads nowhere.
rill_status rl_channels_find(const rill_field *ground, double cell_size,
                             const rill_river_path_def *def, const rill_allocator *allocator,
                             rl_channels *out);
void rl_channels_destroy(const rill_allocator *allocator, rl_channels *channels);

// Floods the branches of `channels` that leave the wet set of the main river, whose water stands
// `depth` metres deep, and counts the channels, the main one included (river_branches.c). Returns
// false when there is no memory.
bool rl_branches_flood(rl_wet *wet, const rl_channels *channels, double cell_size, double depth,
                       int *count);
