// SPDX-License-Identifier: MIT
// splash_fragment.glsl - gathers splashing water at half the picture's size: red how thick it is in
// metres, green how much of the pixel it covers, blue the part of that with air in it (sums), alpha
// how near the nearest is (the least), counted from the nearest place of all.

in vec2 on;
flat in vec4 lump, grain;
flat in float longer;
uniform float nearest;
out vec4 colour;

void main()
{
    float inside = 1.0 - dot(on, on);
    if (inside <= 0.0)
        discard;
    float deep = lump.y * sqrt(inside), front = lump.x - deep;
    float space = texelFetch(scene_distance, ivec2(gl_FragCoord.xy), 0).r - front;
    if (space <= 0.0)
        discard;
    // A lump is no ball: it is torn into strands along its way, and the longer it is, the longer and
    // the finer they are and the less of it is in its middle.
    vec2 fineness = grain.z * vec2(0.5 - 0.15 * longer, 1.0 + 0.15 * longer);
    float torn = textureLod(grain_tile, grain.xy + on * fineness, grain.w).b;
    float strands = clamp(0.5 + (7.0 + 2.0 * longer) * (torn - 0.5), 0.02, 2.5);
    float rod = 1.0 - on.y * on.y - on.x * on.x * on.x * on.x;
    float shape = mix(inside, rod, min(0.4 * longer, 1.0));
    float cover = shape * smoothstep(0.0, 0.4, inside) * strands * lump.z;
    colour = vec4(min(0.5 * deep, space) * lump.z, cover, cover * lump.w, front - nearest);
}
