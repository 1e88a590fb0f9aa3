// SPDX-License-Identifier: MIT
// screen_vertex.glsl - one triangle over the whole picture, at the far end of depth.

out vec2 at;

void main()
{
    at = vec2(float((gl_VertexID << 1) & 2), float(gl_VertexID & 2));
    gl_Position = vec4(at * 2.0 - 1.0, 1.0, 1.0);
}
