// SPDX-License-Identifier: MIT
// splash_smooth_fragment.glsl - smooths gathered splashes, across in one pass and upright in the
// next: a bilateral filter whose width is some radii of a ball in metres, so that water is the
// same near and far. Distances count less the more they differ: an edge in front stays one.

in vec2 at;
uniform float nearest, radius; // metres
uniform float upright;         // 1: upright, 0: across
out vec4 colour;

void main()
{
    const int most = 9;
    ivec2 middle = ivec2(gl_FragCoord.xy), last = textureSize(picture, 0) - 1;
    vec4 here = texelFetch(picture, middle, 0);
    if (here.g <= 0.0)
        discard;
    float texel = 2.0 * (here.a + nearest) * length(ray[2].xyz) * viewport.w;
    float wide = max(5.0 * radius / texel, 1.0);
    int taps = int(min(ceil(wide), float(most)));
    vec2 stride = (upright > 0.5 ? vec2(0.0, 1.0) : vec2(1.0, 0.0)) * wide / float(taps);
    float range = 0.25 / (radius * radius);
    vec3 sum = here.rgb;
    float weights = 1.0, away = here.a, away_weights = 1.0;
    for (int k = 1; k <= taps; k++) {
        float part = float(k) / float(taps + 1), weight = exp(-3.0 * part * part);
        ivec2 step_by = ivec2(stride * float(k) + 0.5);
        vec4 one = texelFetch(picture, min(middle + step_by, last), 0);
        vec4 other = texelFetch(picture, max(middle - step_by, ivec2(0)), 0);
        sum += (one.rgb + other.rgb) * weight;
        weights += 2.0 * weight;
        vec2 off = vec2(one.a, other.a) - here.a;
        vec2 near = weight * exp(-off * off * range);
        near *= step(vec2(one.a, other.a), vec2(30000.0));
        away += dot(near, min(vec2(one.a, other.a), vec2(30000.0)));
        away_weights += near.x + near.y;
    }
    // What is covered keeps its edge, and air some of its grain, for which one knows falling water.
    vec3 smoothed = sum / weights;
    colour = vec4(smoothed.r, here.g, here.b, away / away_weights);
}
