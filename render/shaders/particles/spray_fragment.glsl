// SPDX-License-Identifier: MIT
// spray_fragment.glsl - a handful of drops, the insides of bubbles of foam: soft at the edge, and gone
// behind ground and water.

in vec2 on;
flat in vec2 drop;
flat in vec4 drops;
flat in vec3 light;
out vec4 colour;

void main()
{
    float inside = 1.0 - dot(on, on);
    if (inside <= 0.0 || open_distance(ivec2(gl_FragCoord.xy)) < drop.x)
        discard;
    float one = 1.0 - textureLod(bubble_tile, drops.xy + on * drops.z, drops.w).r;
    // Drops too small to be told apart are an even mist of as much.
    float apart = clamp(1.4 - drops.w / 3.0, 0.0, 1.0);
    float cover = drop.y * inside * mix(0.5, clamp(5.0 * (one - 0.55), 0.0, 2.0), apart);
    colour = vec4(light, min(cover, 1.0));
}
