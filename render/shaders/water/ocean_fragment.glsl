// SPDX-License-Identifier: MIT
// ocean_fragment.glsl - the open sea before there is light on it, as surface_fragment.glsl has the
// water of the world. It goes half a cell into the world, under its water, so that no gap is seen.

in vec3 place;
in vec2 rest;
in float depth;
layout(location = 0) out vec4 surface;    // x and y of the normal, depth, speed
layout(location = 1) out vec4 along_view; // distance; moved along x and y; share of the sea

void main()
{
    vec2 inside = min(rest, grid.xy * grid.z - rest);
    if (min(inside.x, inside.y) > 0.5 * grid.z)
        discard;
    surface = vec4(0.0, 0.0, depth, 0.0);
    along_view = vec4(distance_along_view(), place.xy - rest, 1.0);
}
