// SPDX-License-Identifier: MIT
// foam_vertex.glsl - a disc of foam (frame_particle): a corner of a triangle that covers, in the
// picture, all places on the water that the disc may lie on.

layout(location = 0) in vec3 position;
layout(location = 1) in vec4 motion; // velocity, radius
layout(location = 2) in vec2 ageing; // seconds since it was born, part of its life that is left
flat out vec4 disc;                  // centre, radius
flat out float thick;

void main()
{
    // It spreads while it gets thinner, and its last third is a fading.
    float spread = 1.0 + 0.8 * (1.0 - ageing.y);
    float wide = motion.w * spread;
    disc = vec4(position, wide);
    thick = smoothstep(0.0, 0.2, ageing.x) * smoothstep(0.0, 0.35, ageing.y) / spread;
    vec4 middle = view_projection * vec4(position, 1.0);
    // How far the ends of its axes are from its middle in the picture; upright there is space for
    // waves that the particle does not know of.
    vec2 at = middle.xy / middle.w;
    vec2 x = view_projection[0].xy - at * view_projection[0].w;
    vec2 y = view_projection[1].xy - at * view_projection[1].w;
    vec2 z = view_projection[2].xy - at * view_projection[2].w;
    vec2 reach = (sqrt(x * x + y * y) + abs(z) * 0.6) * wide / middle.w + 2.0 * viewport.zw;
    vec2 corner = gl_VertexID == 0   ? vec2(-1.7320508, -1.0)
                  : gl_VertexID == 1 ? vec2(1.7320508, -1.0)
                                     : vec2(0.0, 2.0);
    bool hidden = middle.w < 2.0 * wide || thick <= 0.0;
    gl_Position = hidden ? vec4(2.0, 2.0, 2.0, 1.0) : vec4(at + corner * reach, 0.0, 1.0);
}
