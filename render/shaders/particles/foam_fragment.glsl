// SPDX-License-Identifier: MIT
// foam_fragment.glsl - gathers discs of foam at half the picture's size. A disc lies on the water
// that was drawn, whatever waves it has: the place of the pixel says how far from the middle it is.

flat in vec4 disc;
flat in float thick;
out vec4 colour;

void main()
{
    float away = texelFetch(surface_distance, ivec2(gl_FragCoord.xy), 0).r;
    vec3 place = eye.xyz + view_ray(2.0 * gl_FragCoord.xy * viewport.zw) * away;
    vec3 off = (place - disc.xyz) / disc.w;
    off.z = max(abs(off.z) - 0.5, 0.0); // a wave under the foam
    float inside = 1.0 - dot(off, off);
    if (inside <= 0.0 || away <= 0.0)
        discard;
    colour = vec4(inside * thick, 0.0, 0.0, 0.0);
}
