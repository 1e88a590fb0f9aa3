// SPDX-License-Identifier: MIT
// body_vertex.glsl - a corner of a solid ground (frame_ground).

layout(location = 0) in vec3 position;
layout(location = 1) in vec4 lie; // normal; openness, negative where the world is cut off

out vec4 lies;

void main()
{
    lies = lie;
    gl_Position = view_projection * vec4(position, 1.0);
}
