// SPDX-License-Identifier: MIT
// A water shader to start from: Fresnel between sky and liquid, two layers of ripples that move with
// the flow, the sun, and alpha that makes soft shores. Blend it over the ground: (ONE,
// ONE_MINUS_SRC_ALPHA), colours are premultiplied and linear.

in vec3 place;
in vec3 facing;
in vec2 running;
in vec2 inside; // opacity, depth
out vec4 colour;

uniform vec3 eye;          // metres
uniform vec3 sun;          // unit vector towards it
uniform vec3 sun_colour;
uniform vec3 sky_zenith, sky_horizon;
uniform vec3 absorption;   // 1/m: rill_liquid.absorption
uniform vec3 deep_colour;  // what a bottomless liquid sends back
uniform sampler2D ripples; // repeating; red and green are slopes around 0.5
uniform float time;        // simulated seconds

const float period = 3.0; // seconds after which a layer is put back
const float tile = 4.0;   // metres

// Slopes of one layer: carried along by the flow for a period, then put back while its weight is 0.
vec2 layer(float phase, out float weight)
{
    weight = 1.0 - abs(2.0 * phase - 1.0);
    vec2 at = (place.xy - running * period * (phase - 0.5)) / tile + floor(time / period) * 0.37;
    return texture(ripples, at).rg * 2.0 - 1.0;
}

void main()
{
    float w0, w1;
    vec2 slope = layer(fract(time / period), w0) * w0;
    slope += layer(fract(time / period + 0.5), w1) * w1;
    vec3 normal = normalize(facing + vec3(-0.15 * slope, 0.0));

    vec3 view = normalize(eye - place);
    float cosine = max(dot(normal, view), 0.02);
    float mirrored = 0.02 + 0.98 * pow(1.0 - cosine, 5.0);
    vec3 along = reflect(-view, normal);
    vec3 sky = mix(sky_horizon, sky_zenith, sqrt(max(along.z, 0.0)));
    vec3 middle = normalize(view + sun);
    vec3 glint = sun_colour * pow(max(dot(normal, middle), 0.0), 400.0);

    // The ground shows through what is left after the way down and up.
    vec3 passed = exp(-2.0 * absorption * inside.y / cosine);
    float seen = 1.0 - dot(passed, vec3(1.0 / 3.0));
    vec3 lit = mix(deep_colour * seen, sky, mirrored) + glint;
    float cover = mirrored + (1.0 - mirrored) * seen;
    float shore = inside.x;
    colour = vec4(lit, cover) * shore;
}
