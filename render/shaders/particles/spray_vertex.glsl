// SPDX-License-Identifier: MIT
// spray_vertex.glsl - spray (frame_particle), a corner of the triangle around it. A particle stands
// for a handful of drops.

layout(location = 0) in vec3 position;
layout(location = 1) in vec4 motion; // velocity, radius
layout(location = 2) in vec2 ageing; // seconds since it was born, a number of its own
out vec2 on;
flat out vec2 drop;  // how far along the view; how much it covers
flat out vec4 drops; // place in the bubbles' tile, size of it, level
flat out vec3 light;

void main()
{
    float away = (view_projection * vec4(position, 1.0)).w, pixel = pixel_width(away);
    float wide = 2.0 * motion.w, seen = max(wide, 0.8 * pixel), stretch;
    vec3 corner = particle_corner(position, motion.xyz, seen, 1.0 / 60.0, on, stretch);
    // While the shutter is open, a drop that moves hides each place for a part of the time.
    float cover = wide * wide / (seen * seen * stretch);
    // Drops come off water that has been torn by its fall; before that they are a part of it.
    cover *= smoothstep(0.0, 2.0, painted.z * ageing.x);
    drop = vec2(away, 0.4 * cover);
    drops = vec4(ageing.y * vec2(17.0, 29.0), 0.13, log2(128.0 * 0.13 * pixel / seen));
    float lit = 1.0;
#ifndef SOLID
    vec4 relief = textureLod(relief_map, map_place(position.xy), 0.0);
    lit = sunshine(relief.w, position.z - smooth_fetch(height_map, position.xy).r);
#endif
    // Drops send light on rather than back: against the sun spray shines.
    float through = pow(max(dot(normalize(position - eye.xyz), sun.xyz), 0.0), 6.0);
    vec3 clear_air = clearness(distance(eye.xyz, position));
    light = foam_material.rgb * (sunlight.rgb * lit * (0.45 + 1.6 * through) + 0.9 * skylight.rgb);
    light = mix(horizon.rgb, light, clear_air);
    vec4 clip = view_projection * vec4(corner, 1.0);
    gl_Position = away < 2.0 * seen ? vec4(2.0, 2.0, 2.0, 1.0) : vec4(clip.xy, 0.0, clip.w);
}
