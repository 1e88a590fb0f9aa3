// SPDX-License-Identifier: MIT
// finish_fragment.glsl - the last pass: edges are smoothed along their direction (when the picture
// has one sample a pixel), and half a step of noise hides the steps of eight bits.

in vec2 at;
uniform float smooth_edges;
out vec4 colour;

float brightness(vec3 c)
{
    return dot(c, vec3(0.299, 0.587, 0.114));
}

vec3 picture_at(vec2 place)
{
    return textureLod(picture, place, 0.0).rgb;
}

// Blends across an edge: reads the corners for the direction of least change and takes two or
// four samples along it, unless they leave the range of the neighbourhood.
vec3 smoothed(vec3 middle)
{
    vec2 pixel = viewport.zw;
    float m = brightness(middle);
    float nw = brightness(picture_at(at + vec2(-1.0, 1.0) * pixel));
    float ne = brightness(picture_at(at + vec2(1.0, 1.0) * pixel));
    float sw = brightness(picture_at(at + vec2(-1.0, -1.0) * pixel));
    float se = brightness(picture_at(at + vec2(1.0, -1.0) * pixel));
    float least = min(m, min(min(nw, ne), min(sw, se)));
    float most = max(m, max(max(nw, ne), max(sw, se)));
    if (most - least < max(0.035, most * 0.11))
        return middle;
    vec2 along = vec2((sw + se) - (nw + ne), (nw + sw) - (ne + se));
    float weak = max((nw + ne + sw + se) * 0.03, 1.0 / 128.0);
    along = clamp(along / (min(abs(along.x), abs(along.y)) + weak), -8.0, 8.0) * pixel;
    vec3 two = 0.5 * (picture_at(at - along / 6.0) + picture_at(at + along / 6.0));
    vec3 four = 0.5 * two + 0.25 * (picture_at(at - along * 0.5) + picture_at(at + along * 0.5));
    float b = brightness(four);
    return b < least || b > most ? two : four;
}

void main()
{
    vec3 seen = picture_at(at);
    if (smooth_edges > 0.5)
        seen = smoothed(seen);
    // Interleaved gradient noise: even in every neighbourhood, and the same in every picture.
    float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    colour = vec4(seen + (noise - 0.5) / 255.0, 1.0);
}
