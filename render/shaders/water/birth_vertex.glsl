// SPDX-License-Identifier: MIT
// birth_vertex.glsl - a wave particle, as a triangle around a disc that lies on the water
// (Burrell figure 4.3).

layout(location = 0) in vec2 position;
layout(location = 1) in vec4 hue; // of its birth place, as bright as it counts; the weight

out vec2 on; // 1 long at the edge of the disc
out vec4 tint;

void main()
{
    ivec2 cell = clamp(ivec2(position * grid.w), ivec2(0), ivec2(grid.xy) - 1);
    float level = texelFetch(height_map, cell, 0).r + texelFetch(column_map, cell, 0).r;
    vec4 middle = view_projection * vec4(position, level, 1.0);
    // A fifth of a cell, but never less than a pixel and a half.
    float radius = max(0.2 * grid.z, 1.5 * pixel_width(middle.w));
    on = gl_VertexID == 0   ? vec2(-1.7320508, -1.0)
         : gl_VertexID == 1 ? vec2(1.7320508, -1.0)
                            : vec2(0.0, 2.0);
    tint = hue;
    vec3 corner = vec3(position + on * radius, level + 0.02 * grid.z);
    gl_Position = view_projection * vec4(corner, 1.0);
    // As deep as if it were a little nearer: before the waves that it lies on.
    vec4 nearer = view_projection * vec4(mix(corner, eye.xyz, 0.01), 1.0);
    gl_Position.z = nearer.z / nearer.w * gl_Position.w;
}
