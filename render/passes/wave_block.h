// SPDX-License-Identifier: MIT
// wave_block.h - the uniform block `Waves` of shaders/common.glsl (std140), where the meaning of
// each value is written. Only worlds with fine waves, wave particles or an open sea have it.
#pragma once

typedef struct wave_block {
    float blend[4];
    float fine[4];
    float origin[4];
    float sea[4];
    float sea_waves[4];
    float tiles[4];
    float tile_slopes[4];
} wave_block;

_Static_assert(sizeof(wave_block) == 4 * 7 * 4, "as std140 lays it out");
