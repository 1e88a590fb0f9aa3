// SPDX-License-Identifier: MIT
// water_vertex.glsl - a vertex of the water's surface (frame_vertex).

layout(location = 0) in vec3 position;
layout(location = 1) in vec2 slant;    // x and y of the normal
layout(location = 2) in vec2 velocity; // m/s
layout(location = 3) in vec2 body;     // depth in metres, opacity
#ifdef MENISCUS
layout(location = 4) in vec2 towards; // direction to the solid
layout(location = 5) in vec2 tilt;    // angle there, share of it here
out vec4 bend;
#endif

out vec3 place;
out vec3 facing;
out vec4 column; // depth, velocity, opacity
#if defined(WAVES) || defined(SEA)
out vec3 moved; // by waves along x and y; share of the sea
#endif

void main()
{
    place = position;
    facing = vec3(slant, sqrt(max(1.0 - dot(slant, slant), 0.0)));
    column = vec4(body.x, velocity, body.y);
#ifdef MENISCUS
    bend = vec4(towards, tilt);
#endif
#if defined(WAVES) || defined(SEA)
    place = drawn_point(position, facing, body.x, moved);
#endif
    gl_Position = view_projection * vec4(place, 1.0);
}
