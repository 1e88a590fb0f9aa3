// SPDX-License-Identifier: MIT
// shadow_vertex.glsl - ground and liquid as the sun sees them, for the shadow map.

layout(location = 0) in vec3 position;
layout(location = 3) in vec2 body; // of liquid: depth in metres, opacity
uniform mat4 to_sun;
out float depth;

void main()
{
    depth = body.x;
    gl_Position = to_sun * vec4(position, 1.0);
}
