// SPDX-License-Identifier: MIT
// ocean_vertex.glsl - a point of the open sea: on rings and rays around the eye, displaced by the
// sea's waves as far as the points can show them.

uniform float radii[17];  // metres from the eye
uniform float first_ray;

out vec3 place;
out vec2 rest;   // where the point is without waves
out float depth; // metres

// As deep as the nearest border of the world, and deeper away from it.
float depth_at(vec2 at)
{
    float border = sea.x - smooth_fetch(height_map, at).r;
    return max(border, sea_waves.y) + seabed_fall(at);
}

void main()
{
    float angle = (first_ray + float(gl_VertexID % 17)) * sea.w;
    rest = eye.xy + radii[gl_VertexID / 17] * vec2(cos(angle), sin(angle));
    place = vec3(rest, sea.x) + sea_displacement(rest);
    depth = depth_at(rest);
    gl_Position = view_projection * vec4(place, 1.0);
}
