// SPDX-License-Identifier: MIT
// overhead_blur_fragment.glsl - spreads what is covered over the texels around it, one way at a
// time.

uniform vec2 along; // (1, 0) or (0, 1)
out vec4 covered;

void main()
{
    ivec2 here = ivec2(gl_FragCoord.xy), last = textureSize(picture, 0) - 1, step = ivec2(along);
    vec4 sum = vec4(0.0);
    float all = 0.0;
    for (int n = -6; n <= 6; n++) {
        float weight = exp(-0.15 * float(n * n));
        sum += weight * texelFetch(picture, clamp(here + n * step, ivec2(0), last), 0);
        all += weight;
    }
    covered = sum / all;
}
