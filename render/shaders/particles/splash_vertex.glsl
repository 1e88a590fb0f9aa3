// SPDX-License-Identifier: MIT
// splash_vertex.glsl - a lump of splashing water (frame_particle), a corner of the triangle around
// it. It is drawn wider than it is, so that neighbours run together.

layout(location = 0) in vec3 position;
layout(location = 1) in vec4 motion; // velocity, radius
layout(location = 2) in vec2 ageing; // seconds since it was born, a number of its own
out vec2 on;
flat out vec4 lump;  // how far along the view; its depth in metres; weight; air in it
flat out vec4 grain; // place in the grain's tile, size of it, level

void main()
{
    float away = (view_projection * vec4(position, 1.0)).w, pixel = 2.0 * pixel_width(away);
    float wide = 2.5 * motion.w, seen = max(wide, 0.8 * pixel), stretch;
    vec3 corner = particle_corner(position, motion.xyz, seen, 1.0 / 22.0, on, stretch);
    // The same water, however long the shutter draws it and however small it is in the picture.
    float weight = wide * wide / (seen * seen * sqrt(stretch)) * smoothstep(0.0, 0.04, ageing.x);
    // Fast water is torn and full of air.
    float air = liquid_fade.w * mix(0.1, 1.0, smoothstep(1.0, 5.5, length(motion.xyz)));
    lump = vec4(away, 0.7 * motion.w, weight, air);
    grain = vec4(ageing.y * vec2(17.0, 29.0), 0.36, max(log2(128.0 * 0.36 * pixel / seen), 3.0));
    vec4 clip = view_projection * vec4(corner, 1.0);
    gl_Position = away < 2.0 * seen ? vec4(2.0, 2.0, 2.0, 1.0) : vec4(clip.xy, 0.0, clip.w);
}
