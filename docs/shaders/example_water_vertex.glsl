// SPDX-License-Identifier: MIT
// A water shader to start from: the vertices of rill_surface_mesh as they are (40 bytes each).
// Put "#version 330 core" or "#version 300 es" with its precisions in front.

layout(location = 0) in vec3 position; // offset 0:  metres, z up
layout(location = 1) in vec3 normal;   // offset 12: unit length
layout(location = 2) in vec2 velocity; // offset 24: m/s
layout(location = 3) in vec2 body;     // offset 32: opacity 0 to 1, depth in metres

uniform mat4 view_projection;

out vec3 place;
out vec3 facing;
out vec2 running;
out vec2 inside; // opacity, depth

void main()
{
    place = position;
    facing = normal;
    running = velocity;
    inside = body;
    gl_Position = view_projection * vec4(position, 1.0);
}
