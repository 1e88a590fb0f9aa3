// SPDX-License-Identifier: MIT
// ground_vertex.glsl - a point of the ground: the centre of a cell or a point of the rim, as the
// water's surface has them, so that both meet without a gap. A chunk's hem hangs down from its
// edge and hides the seams between chunks of different detail.

layout(location = 0) in ivec3 corner; // along x and y within the chunk; 1: hem
uniform ivec2 chunk;                  // its first point
uniform float hem;                    // metres

out vec3 place;

void main()
{
    ivec2 size = ivec2(grid.xy);
    ivec2 point = min(chunk + corner.xy, size + 1);
    ivec2 cell = clamp(point - 1, ivec2(0), size - 1);
    place.xy = clamp((vec2(point) - 0.5) * grid.z, vec2(0.0), grid.xy * grid.z);
    // Along the border of the world there is no neighbour, and the block's side stands there.
    bool border = any(equal(point, ivec2(0))) || any(equal(point, size + 1));
    float below = border ? 0.0 : float(corner.z) * hem;
    float height = texelFetch(height_map, cell, 0).r;
    place.z = max(height - below, min(height, planes.z));
    gl_Position = view_projection * vec4(place, 1.0);
}
