// SPDX-License-Identifier: MIT
// bodies_vertex.glsl - a corner of a body (frame_body_vertex, frame_body_own).

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 4) in vec4 own_place; // from the middle of its box, along its own axes; free
layout(location = 5) in vec4 own_box;   // half the edges of that box; seed
layout(location = 6) in vec4 own_colour; // colour; 1 when its surface is bent

out vec3 away; // from the eye: small where it is near, so that its derivatives are good
out vec3 facing;
out vec3 own;
flat out vec4 box;
flat out vec3 tint;

void main()
{
    away = position - eye.xyz;
    facing = normal;
    own = own_place.xyz;
    box = own_box;
    tint = own_colour.rgb;
    gl_Position = view_projection * vec4(position, 1.0);
}
