// SPDX-License-Identifier: MIT
// tone_fragment.glsl - from light to picture: exposure, a film's shoulder and toe, sRGB. Several
// pictures with moved pixels are averaged here, after the curve, so that a glint does not outshine
// its neighbours.

in vec2 at;
uniform float share; // of this picture in the average
out vec4 colour;

// A filmic curve through 0 with a soft shoulder (the rational fit that Narkowicz gave for ACES).
vec3 film(vec3 x)
{
    return clamp(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0);
}

vec3 encode(vec3 x)
{
    return mix(12.92 * x, 1.055 * pow(max(x, vec3(0.0031308)), vec3(1.0 / 2.4)) - 0.055,
               step(vec3(0.0031308), x));
}

void main()
{
    vec3 light = textureLod(picture, at, 0.0).rgb * sunlight.w;
    // Very bright colours lose their hue, as on film.
    float bright = dot(light, vec3(0.2126, 0.7152, 0.0722));
    light = mix(light, vec3(bright), smoothstep(0.8, 6.0, bright) * 0.5);
    colour = vec4(encode(film(light)) * share, share);
}
