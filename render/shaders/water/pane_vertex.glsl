// SPDX-License-Identifier: MIT
// pane_vertex.glsl - a corner of a pane of liquid at the border of a world with a solid ground
// (frame_pane).

layout(location = 0) in vec4 corner; // place; level of the liquid
layout(location = 1) in vec2 outwards;

out vec3 place;
out vec3 facing;
out float level;

void main()
{
    place = corner.xyz;
    facing = vec3(outwards, 0.0);
    level = corner.w;
    gl_Position = view_projection * vec4(place, 1.0);
}
