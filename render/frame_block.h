// SPDX-License-Identifier: MIT
// frame_block.h - the uniform block `Frame` of shaders/common.glsl (std140), where the meaning of
// each value is written.
#pragma once

typedef struct frame_block {
    float view_projection[16];
    float ray[3][4];
    float eye[4];
    float grid[4];
    float viewport[4];
    float planes[4];
    float sun[4];
    float sunlight[4];
    float skylight[4];
    float horizon[4];
    float liquid_body[4];
    float liquid_fade[4];
    float liquid_path[4];
    float foam_material[4];
    float ripple[4];
    float ripple_shift[4];
    float flow_weight[4];
    float painted[4];
    float ring[4];
    float ring_colour[4];
    float ground[6][4];
    float sun_view[16];
    float solid[4];
    float solid_material[6][4];
    float domain_place[4];
    float afloat[4];
    float overhead[4];
} frame_block;

_Static_assert(sizeof(frame_block) == 4 * (16 + 21 * 4 + 24 + 16 + 4 + 24 + 12),
               "as std140 lays it out");
