// SPDX-License-Identifier: MIT
// splash_vertex.glsl - a lump of splashing water (frame_particle), a corner of the triangle around
// it. It is drawn wider than it is, so that neighbours run together, and as a strand where falling
// has drawn it out.

layout(location = 0) in vec3 position;
layout(location = 1) in vec4 motion; // velocity, radius
layout(location = 2) in vec2 ageing; // seconds since it was born, a number of its own
out vec2 on;
flat out vec4 lump;  // how far along the view; its depth in metres; weight; air in it
flat out vec4 grain; // place in the grain's tile, size of it, level
flat out float longer; // how many times it has doubled its length

// How many times as long as it was born a lump is. Water that leaves one place piece by piece is
// drawn out as it gets faster: a piece is as long as it moves in the time in which it left.
float drawn_out(float speed)
{
    vec3 first = motion.xyz + vec3(0.0, 0.0, painted.z * ageing.x);
    return clamp(speed / max(length(first), 1e-3), 1.0, 6.0);
}

void main()
{
    float away = (view_projection * vec4(position, 1.0)).w, pixel = 2.0 * pixel_width(away);
    float speed = length(motion.xyz), out_by = drawn_out(speed), stretch;
    float wide = 2.5 * motion.w, seen = max(wide, 0.8 * pixel);
    float shutter = max(1.0 / 22.0, 2.0 * wide * (out_by - 1.0) / max(speed, 1e-3));
    vec3 corner = particle_corner(position, motion.xyz, seen, shutter, on, stretch);
    // The same water, however long it is drawn and however small it is in the picture.
    float weight = wide * wide / (seen * seen * pow(stretch, 0.7)) * smoothstep(0.0, 0.04, ageing.x);
    // It leaves as clear as the water it comes from; fast water is torn on its way and takes air in.
    float torn = smoothstep(1.0, 5.5, speed) * smoothstep(0.3, 3.0, painted.z * ageing.x);
    float air = liquid_fade.w * mix(0.1, 1.0, torn);
    // Longer means thinner, by as much as keeps the volume.
    lump = vec4(away, 0.7 * motion.w / out_by, weight, air);
    longer = log2(out_by);
    grain = vec4(ageing.y * vec2(17.0, 29.0), 0.36, max(log2(128.0 * 0.36 * pixel / seen), 2.0));
    vec4 clip = view_projection * vec4(corner, 1.0);
    gl_Position = away < 2.0 * seen ? vec4(2.0, 2.0, 2.0, 1.0) : vec4(clip.xy, 0.0, clip.w);
}
