// SPDX-License-Identifier: MIT
// splash_fragment.glsl - gathers splashing water at half the picture's size: red how thick it is in
// metres, green how much of the pixel it covers, blue the part of that with air in it (sums), alpha
// how near the nearest is (the least), counted from the nearest place of all.

in vec2 on;
flat in vec4 lump, grain;
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
    // A lump is no ball: it is torn into strands along its way.
    float torn = textureLod(grain_tile, grain.xy + on * grain.z * vec2(0.5, 1.0), grain.w).b;
    float strands = clamp(0.5 + 7.0 * (torn - 0.5), 0.02, 2.5);
    float cover = inside * smoothstep(0.0, 0.4, inside) * strands * lump.z;
    colour = vec4(min(0.5 * deep, space) * lump.z, cover, cover * lump.w, front - nearest);
}
