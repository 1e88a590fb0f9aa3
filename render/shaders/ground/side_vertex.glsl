// SPDX-License-Identifier: MIT
// side_vertex.glsl - the sides of the block of land, and of the water that stands at its border:
// a wall of two rows of points around the rim. Point n of the rim runs counter-clockwise from the
// south-west corner.

uniform float of_water; // 1: from the bed to the water's surface; 0: from the foot to the bed
out vec3 place;
out vec3 facing;
out float bed;

void main()
{
    ivec2 size = ivec2(grid.xy);
    int n = gl_VertexID / 2, top = gl_VertexID % 2;
    // Each side has its own two ends, so that the corners have sharp edges.
    int south = size.x + 2, east = size.y + 2;
    ivec2 point;
    if (n < south) {
        point = ivec2(n, 0);
        facing = vec3(0.0, -1.0, 0.0);
    } else if (n < south + east) {
        point = ivec2(size.x + 1, n - south);
        facing = vec3(1.0, 0.0, 0.0);
    } else if (n < 2 * south + east) {
        point = ivec2(size.x + 1 - (n - south - east), size.y + 1);
        facing = vec3(0.0, 1.0, 0.0);
    } else {
        point = ivec2(0, size.y + 1 - (n - 2 * south - east));
        facing = vec3(-1.0, 0.0, 0.0);
    }
    ivec2 cell = clamp(point - 1, ivec2(0), size - 1);
    place.xy = clamp((vec2(point) - 0.5) * grid.z, vec2(0.0), grid.xy * grid.z);
    bed = texelFetch(height_map, cell, 0).r;
    float depth = texelFetch(column_map, cell, 0).r;
    depth = depth > planes.w ? depth : 0.0;
    place.z = of_water > 0.5 ? bed + (top == 1 ? depth : 0.0) : (top == 1 ? bed : planes.z);
#ifdef SEA
    // Where the sea comes in there is no side; elsewhere it ends under water.
    float foot = min(bed, sea.x - sea_waves.y);
    bool drowned = texelFetch(sea_share, cell, 0).r > 0.5;
    place.z = of_water > 0.5 ? (drowned ? bed : place.z) : max(foot, place.z);
#endif
    gl_Position = view_projection * vec4(place, 1.0);
}
