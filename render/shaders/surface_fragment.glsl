// SPDX-License-Identifier: MIT
// surface_fragment.glsl - the water's surface before there is light on it: how it lies, how deep
// the water is, how far it is. It is shaded in one go over the picture (water_fragment.glsl).

in vec3 place;
in vec3 facing;
in vec4 column; // depth, velocity, opacity
layout(location = 0) out vec4 surface; // x and y of the normal, depth, speed
layout(location = 1) out float along_view;

void main()
{
    surface = vec4(facing.xy, max(column.x, 0.0), length(column.yz));
    along_view = distance_along_view();
}
