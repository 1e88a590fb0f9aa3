// SPDX-License-Identifier: MIT
// overhead_vertex.glsl - bodies seen straight from below, for the map of what they cover.

layout(location = 0) in vec3 position;
uniform vec4 square; // lower corner; inverse of the edge; lowest elevation
uniform float tall;  // metres from the lowest to the highest
out float above;     // metres over the lowest

void main()
{
    above = position.z - square.w;
    vec2 at = (position.xy - square.xy) * square.z;
    gl_Position = vec4(at * 2.0 - 1.0, above / tall * 1.98 - 0.99, 1.0);
}
