// SPDX-License-Identifier: MIT
// ground_fragment.glsl - the ground: what it is made of by slope, height and wetness; sun with the
// shadows of the land, sky with ambient occlusion; caustics and fading light under water.

in vec2 at;
out vec4 colour;

vec3 place;
vec3 rooted; // the place in the country, as far as the grain repeats

// Grain of the ground, `scale` tiles a metre: laid on from above, and on steep faces from the side
// that they turn to, where the tile would be drawn out otherwise.
vec4 grain(vec3 normal, float scale, vec2 warp)
{
    vec4 laid = texture(grain_tile, (rooted.xy + warp) * scale);
    float steep = smoothstep(0.35, 0.75, 1.0 - normal.z);
    if (steep <= 0.0)
        return laid;
    bool east = abs(normal.x) > abs(normal.y);
    vec2 across = east ? dFdx(place.yz) : dFdx(place.xz);
    vec2 along = east ? dFdy(place.yz) : dFdy(place.xz);
    vec2 side = east ? rooted.yz : rooted.xz;
    return mix(laid, textureGrad(grain_tile, side * scale, across * scale, along * scale), steep);
}

// Reflectance of the ground, and how rough it is seen, in a place with this normal.
vec3 material(vec3 normal, float depth, float wetness, vec4 coarse, vec4 fine)
{
    float uneven = (coarse.b - 0.5) * 0.6 + (fine.b - 0.5) * 0.4;
    float slope = 1.0 - normal.z;
    vec3 gentle = mix(ground[2].rgb, ground[3].rgb, smoothstep(0.35, 0.65, coarse.b + 0.3 * uneven));
    vec3 reflectance = gentle * (0.66 + 0.68 * fine.b);
    float high = smoothstep(ground[0].w, ground[1].w, place.z + 60.0 * uneven * grid.z * 0.1);
    reflectance = mix(reflectance, ground[5].rgb * (0.85 + 0.3 * fine.b), high);
    vec3 rock = ground[4].rgb * (0.62 + 0.5 * coarse.a + 0.35 * (fine.a - 0.5));
    float steep = smoothstep(ground[2].w, ground[3].w, slope + 0.16 * uneven);
    reflectance = mix(reflectance, rock, steep);
    // Where water stands or has stood, the soil is washed away and gravel is left.
    vec3 gravel = mix(ground[1].rgb, ground[0].rgb, smoothstep(0.0, 2.5, depth)) *
                  (0.72 + 0.56 * mix(fine.b, fine.a, 0.4));
    return mix(reflectance, gravel, smoothstep(0.55, 0.95, wetness + 0.35 * uneven) *
                                        (1.0 - 0.7 * steep));
}

// How far a place is under water: below the level of the wet ones among the four cells around it.
// Depth itself, interpolated, would drown the foot of every wall.
float submerged()
{
    vec2 at = clamp(place.xy * grid.w - 0.5, vec2(0.0), grid.xy - 1.0);
    ivec2 low = ivec2(at), last = ivec2(grid.xy) - 1;
    vec2 part = at - vec2(low);
    float level = 0.0, weights = 0.0;
    for (int k = 0; k < 4; k++) {
        ivec2 step = ivec2(k & 1, k >> 1), cell = min(low + step, last);
        float depth = texelFetch(column_map, cell, 0).r;
        vec2 near = mix(1.0 - part, part, vec2(step));
        float ground = texelFetch(height_map, cell, 0).r;
        float weight = depth > planes.w ? near.x * near.y + 1e-4 : 0.0;
        // Water on top of a cliff does not stand over its face.
        weight *= 1.0 - smoothstep(0.75, 1.5, (ground - place.z) * grid.w);
        level += weight * (ground + depth);
        weights += weight;
    }
    return weights > 0.0 ? max(level / weights - place.z, 0.0) : 0.0;
}

void main()
{
    float far = texelFetch(scene_distance, ivec2(gl_FragCoord.xy), 0).r;
    place = eye.xyz + view_ray(at) * far;
    rooted = place + vec3(country.xy, 0.0);
    vec2 on_map = map_place(place.xy);
    vec4 relief = textureLod(relief_map, on_map, 0.0);
    vec4 column = textureLod(column_map, on_map, 0.0);
    vec3 normal = vec3(relief.xy, sqrt(max(1.0 - dot(relief.xy, relief.xy), 0.0)));
    vec3 view = eye.xyz - place;
    float distance = length(view);
    view /= distance;

    float depth = column.x > 0.25 * planes.w ? submerged() : 0.0;
    float size = ground[4].w;
    vec4 coarse = grain(normal, 1.0 / (size * 9.0), vec2(0.0));
    // The finer grain is bent a little, or the eye would find the tile again.
    vec2 warp = (slow_noise(rooted.yx / (size * 12.0)).xy - 0.5) * size * 2.5;
    vec4 fine = grain(normal, 1.0 / size, warp);
    // Near the eye there is always something smaller to see, down to a fortieth of a cell.
    vec4 small = texture(grain_tile, (rooted.xy + warp) * 6.1 / size);
    vec4 tiny = texture(grain_tile, rooted.xy * 37.0 / size);
    fine += (small - 0.5) * 0.55 + (tiny - 0.5) * 0.4;
    fine = mix(vec4(0.5), fine, ring_colour.w);
    vec3 reflectance = material(normal, depth, column.w, coarse, fine);
#ifdef BODIES
    vec3 shape = normal;
#endif
    vec2 bump = (fine.xy - 0.5) * 0.9 + (coarse.xy - 0.5) * 0.7;
    normal = normalize(normal + vec3(bump, 0.0) * (1.0 - 0.6 * column.w));

    float damp = smoothstep(0.0, 1.0, column.w);
    reflectance *= mix(1.0, 0.58, damp);

    float lit = sunshine(relief.w, 0.0) * max(dot(normal, sun.xyz), 0.0);
#ifdef BODIES
    if (lit > 0.0)
        lit *= sun_arrives(place, shape);
#endif
    vec3 arriving = vec3(1.0);
    if (depth > 0.0) {
        // Light on its way down, slanting as it is refracted.
        arriving = exp(-liquid_fade.rgb * depth);
    }
#ifdef BODIES
    relief.z *= sky_beside_bodies(place);
#endif
    // What the ground around throws back, onto the part of the view that is not sky.
    vec3 around = 0.3 * (sunlight.rgb * max(sun.z, 0.0) + skylight.rgb);
    float turned = max(0.5 - 0.5 * normal.z, 0.35 * (1.0 - relief.z));
    vec3 light = sunlight.rgb * lit + skylight.rgb * relief.z + around * turned;
    vec3 shade = reflectance * light * arriving;

    // A damp face mirrors a little of the sky.
    if (damp > 0.0 && depth <= 0.0) {
        float grazing = pow(1.0 - max(dot(normal, view), 0.0), 5.0);
        vec3 mirrored = reflect(-view, normal);
        mirrored.z = abs(mirrored.z);
        shade += damp * 0.35 * (0.02 + 0.5 * grazing) * clear_sky(mirrored) * relief.z;
    }
    if (painted.x > 2.5 && painted.x < 3.5) {
        float shadow = 0.7 + 0.3 * clamp(dot(light, vec3(0.5)), 0.0, 1.0);
        shade = mix(shade, light_for(scale_colour(painted_part(column))) * shadow, 0.85);
    }
    // Under water the ring lies on the surface, not on the bed. (Asked for outside the condition,
    // because it needs its neighbours' values.)
    float ringed = ring_part(place, far);
    shade = mix(shade, light_for(ring_colour.rgb), depth > 0.0 ? 0.0 : ringed);
    colour = vec4(through_haze(shade, -view, distance), 1.0);
}
