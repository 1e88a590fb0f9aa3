// SPDX-License-Identifier: MIT
// splash_shape_fragment.glsl - how smoothed splashes lie, from the distances around each pixel.

in vec2 at;
uniform float nearest, radius; // metres
out vec4 colour;               // the normal; how much light gets there

vec3 spot(ivec2 texel, float away)
{
    return view_ray((vec2(texel) + 0.5) * 2.0 * viewport.zw) * (away + nearest);
}

// Along the surface, from one side to the other unless one of them belongs to water further in
// front or behind.
vec3 tangent(ivec2 texel, ivec2 by, float away)
{
    ivec2 last = textureSize(picture, 0) - 1;
    float ahead = texelFetch(picture, min(texel + by, last), 0).a;
    float back = texelFetch(picture, max(texel - by, ivec2(0)), 0).a;
    bool has_ahead = abs(ahead - away) < 2.5 * radius, has_back = abs(back - away) < 2.5 * radius;
    if (!has_ahead && !has_back)
        return spot(texel + by, away) - spot(texel - by, away);
    return spot(has_ahead ? texel + by : texel, has_ahead ? ahead : away) -
           spot(has_back ? texel - by : texel, has_back ? back : away);
}

void main()
{
    ivec2 texel = ivec2(gl_FragCoord.xy);
    vec4 here = texelFetch(picture, texel, 0);
    if (here.g <= 0.0)
        discard;
    vec3 normal = cross(tangent(texel, ivec2(1, 0), here.a), tangent(texel, ivec2(0, 1), here.a));
    normal *= dot(normal, view_ray(at)) > 0.0 ? -1.0 : 1.0;
    // What was torn is rough: thicker places bulge.
    ivec2 last = textureSize(picture, 0) - 1;
    float size = 2.0 * (here.a + nearest) * length(ray[2].xyz) * viewport.w;
    int by = int(max(0.4 * radius / size, 1.0));
    float east = texelFetch(picture, min(texel + ivec2(by, 0), last), 0).g;
    float west = texelFetch(picture, max(texel - ivec2(by, 0), ivec2(0)), 0).g;
    float north = texelFetch(picture, min(texel + ivec2(0, by), last), 0).g;
    float south = texelFetch(picture, max(texel - ivec2(0, by), ivec2(0)), 0).g;
    vec2 bulge = radius / (2.0 * float(by) * size) * vec2(west - east, south - north);
    bulge = clamp(bulge, vec2(-1.0), vec2(1.0));
    normal = normalize(normal) + normalize(ray[1].xyz) * bulge.x + normalize(ray[2].xyz) * bulge.y;
    float around = 0.25 * (east + west + north + south);
    colour = vec4(normalize(normal), clamp(0.4 + 0.6 * here.g / max(around, 1e-3), 0.0, 1.2));
}
