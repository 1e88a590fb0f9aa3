// SPDX-License-Identifier: MIT
// arrow_vertex.glsl - an arrow on the water that shows where it runs: nine corners, a copy for every
// so many cells.

uniform ivec2 spread; // cells between arrows; arrows along x

void main()
{
    const vec2 shape[9] = vec2[9](vec2(-0.5, -0.05), vec2(0.2, -0.05), vec2(0.2, 0.05),
                                  vec2(-0.5, -0.05), vec2(0.2, 0.05), vec2(-0.5, 0.05),
                                  vec2(0.12, -0.17), vec2(0.5, 0.0), vec2(0.12, 0.17));
    ivec2 cell = ivec2(gl_InstanceID % spread.y, gl_InstanceID / spread.y) * spread.x + spread.x / 2;
    cell = min(cell, ivec2(grid.xy) - 1);
    vec4 column = texelFetch(column_map, cell, 0);
    float speed = length(column.yz);
    vec2 along = speed > 0.0 ? column.yz / speed : vec2(1.0, 0.0);
    float size = float(spread.x) * grid.z * 0.95 * clamp(0.25 + 0.75 * speed / painted.y, 0.0, 1.1) *
                 smoothstep(0.0, 0.05, speed / painted.y);
    size *= column.x > planes.w ? 1.0 : 0.0;
    vec2 corner = shape[gl_VertexID] * size;
    vec2 place = (vec2(cell) + 0.5) * grid.z + corner.x * along + corner.y * vec2(-along.y, along.x);
    float level = texelFetch(height_map, cell, 0).r + column.x + 0.12 * grid.z;
    gl_Position = view_projection * vec4(place, level, 1.0);
    // Arrows lie flat on moving water: a little towards the camera, so that waves do not eat them.
    gl_Position.z -= 0.002 * gl_Position.w;
}
