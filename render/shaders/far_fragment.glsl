// SPDX-License-Identifier: MIT
// far_fragment.glsl - how far one sees around each four pixels, to the nearer of ground and water and
// to water alone: the farthest of the four corners.

layout(location = 0) out float open_far;
layout(location = 1) out float water_far;

void main()
{
    ivec2 first = ivec2(gl_FragCoord.xy) * 2, last = ivec2(viewport.xy) - 1;
    open_far = water_far = 0.0;
    for (int k = 0; k < 4; k++) {
        ivec2 pixel = clamp(first + 3 * ivec2(k & 1, k >> 1) - 1, ivec2(0), last);
        open_far = max(open_far, open_distance(pixel));
        water_far = max(water_far, texelFetch(surface_distance, pixel, 0).r);
    }
}
