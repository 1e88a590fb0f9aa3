// SPDX-License-Identifier: MIT
// surface_fragment.glsl - the water's surface before there is light on it: how it lies, how deep
// the water is, how far it is. It is shaded in one go over the picture (water_fragment.glsl).

in vec3 place;
in vec3 facing;
in vec4 column; // depth, velocity, opacity
#ifdef MENISCUS
in vec4 bend;
#endif
#ifdef SOLID
uniform float curtains; // 1: only curtains that hang in the air; 0: all but those
#endif
layout(location = 0) out vec4 surface; // x and y of the normal, depth, speed
#if defined(WAVES) || defined(SEA)
in vec3 moved;                            // by waves along x and y; share of the sea
layout(location = 1) out vec4 along_view; // and then the same
#else
layout(location = 1) out float along_view;
#endif

void main()
{
    vec3 normal = facing;
#ifdef SOLID
    // Curtains that hang in the air come second, because one sees other liquid through them; the
    // thinnest of them are not shown at all.
    bool hangs = facing.z < 0.2;
    if (hangs != (curtains > 0.5) || (hangs && column.x < 0.1 * grid.z))
        discard;
#endif
#ifdef MENISCUS
    normal = meniscus_normal(normalize(facing), bend, normalize(eye.xyz - place));
    normal = normalize(vec3(normal.xy, max(normal.z, 0.0)));
#endif
    surface = vec4(normal.xy, max(column.x, 0.0), length(column.yz));
#if defined(WAVES) || defined(SEA)
    along_view = vec4(distance_along_view(), moved);
#else
    along_view = distance_along_view();
#endif
}
