// SPDX-License-Identifier: MIT
// far_fragment.glsl - how far one sees around each four pixels: to the nearer of ground and water
// the farthest of four corners, to water alone their mean.

layout(location = 0) out float open_far;
layout(location = 1) out float water_far;

void main()
{
    ivec2 first = ivec2(gl_FragCoord.xy) * 2, last = ivec2(viewport.xy) - 1;
    float sum = 0.0, count = 0.0;
    open_far = 0.0;
    for (int k = 0; k < 4; k++) {
        ivec2 pixel = clamp(first + 3 * ivec2(k & 1, k >> 1) - 1, ivec2(0), last);
        float water = texelFetch(surface_distance, pixel, 0).r;
        open_far = max(open_far, open_distance(pixel));
        sum += water;
        count += step(1e-9, water);
    }
    water_far = sum / max(count, 1.0);
}
