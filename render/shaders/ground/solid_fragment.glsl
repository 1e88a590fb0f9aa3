// SPDX-License-Identifier: MIT
// solid_fragment.glsl - the surface of a solid: grain laid on from three sides, the sun with its
// shadows, the light of the sky or the studio as far as the place is open to it, and a mirror on top
// of what is moist or glazed. Leaves the openness beside the colour for the liquid above.

in vec2 at;
out vec4 colour;

vec3 place, weights;
float texels; // of the grain tile in a pixel, for a tile of a metre

// Grain of a tile of `size` metres, from three sides: slopes as a vector, the two noises after it.
vec3 grain(float size, vec3 shift, out vec2 noise)
{
    float level = log2(max(texels / size, 1e-6));
    // The grain of wood runs along x.
    vec3 p = (place + shift) * vec3(1.0 / solid_material[4].w, 1.0, 1.0) / size;
    vec4 x = textureLod(grain_tile, p.yz, level), y = textureLod(grain_tile, p.zx, level);
    vec4 z = textureLod(grain_tile, p.xy, level);
    noise = weights.x * x.ba + weights.y * y.ba + weights.z * z.ba;
    return weights.x * vec3(0.0, x.xy - 0.5) + weights.y * vec3(y.y - 0.5, 0.0, y.x - 0.5) +
           weights.z * vec3(z.xy - 0.5, 0.0);
}

// Rings of a trunk that lies along x below the ground, bent by the noise.
float rings(float bent)
{
    float size = 0.075 * solid_material[0].w;
    float radius = length(vec2(place.y - 0.4 * grid.y * grid.z, place.z + 9.0 * size));
    float turn = radius / size + 2.2 * bent;
    // Late wood is a thin dark line; what is thinner than a pixel is left out.
    float part = fract(turn);
    float line = smoothstep(0.25, 0.9, part) * smoothstep(1.0, 0.93, part);
    return mix(line, 0.4, smoothstep(0.3, 0.8, texels / (256.0 * size)));
}

// Reflectance by grain, slope and openness.
vec3 material(vec3 normal, float openness, vec2 coarse, vec2 fine)
{
    float contrast = solid_material[1].w;
    float uneven = (coarse.x - 0.5) * 0.6 + (fine.x - 0.5) * 0.4;
    float mottled = smoothstep(0.3, 0.7, 0.5 + (coarse.x - 0.5) * 1.1 + 0.5 * uneven);
    if (solid_material[4].w > 1.5)
        mottled = mix(mottled, rings(4.0 * (coarse.x - 0.5)), 0.75);
    vec3 seen = mix(solid_material[0].rgb, solid_material[1].rgb, mottled);
    seen *= 1.0 + contrast * (0.9 * (fine.x - 0.5) + 0.5 * (fine.y - 0.5));
    float steep = smoothstep(solid_material[4].x, solid_material[4].y, 1.0 - normal.z + 0.3 * uneven);
    float hollow = solid_material[4].z * smoothstep(0.75, 0.2, openness + 0.25 * uneven);
    vec3 third = solid_material[2].rgb * (1.0 + contrast * (fine.y - 0.5));
    return mix(seen, third, max(steep, hollow));
}

// How wet the place is: under the sky only, and where it is the floor of the open column.
float wetness()
{
    vec2 on_map = map_place(place.xy);
    float floor_here = smooth_fetch(height_map, place.xy).r;
    float away = abs(place.z - floor_here) * grid.w;
    return textureLod(column_map, on_map, 0.0).w * smoothstep(2.0, 0.75, away);
}

void main()
{
    vec4 body = texelFetch(surface_map, ivec2(gl_FragCoord.xy), 0);
    float far = texelFetch(scene_distance, ivec2(gl_FragCoord.xy), 0).r;
    place = eye.xyz + view_ray(at) * far;
    vec3 view = eye.xyz - place;
    float distance = length(view);
    view /= distance;
    bool cut = body.w < -0.5;
    float openness = cut ? 1.0 : clamp(body.w, 0.0, 1.0);
    vec3 shape = normalize(body.xyz), normal = shape;
    weights = abs(shape) * abs(shape);
    weights *= weights;
    weights /= weights.x + weights.y + weights.z;
    float pixel = far * length(ray[2].xyz) * viewport.w / max(dot(shape, view), 0.25);
    texels = pixel * float(textureSize(grain_tile, 0).x);

    float tile = solid_material[0].w;
    vec2 coarse, middle, small;
    vec3 bump = grain(tile, vec3(0.0), coarse) * 0.35;
    bump += grain(tile * 0.31, vec3(coarse - 0.5, 0.0) * 0.12 * tile, middle) * 0.4;
    bump += grain(tile * 0.083, vec3(0.0, coarse - 0.5) * 0.10 * tile, small) * 0.5;
    vec2 fine = 0.55 * middle + 0.45 * small;
    vec3 reflectance = material(shape, openness, coarse, fine);
    float gloss = solid_material[2].w, rough = solid_material[5].x;
    if (cut) {
        reflectance = solid_material[3].rgb * (1.0 + solid_material[1].w * (0.5 * (fine.x - 0.5) +
                                                                    0.3 * (coarse.x - 0.5)));
        gloss = 0.0;
        bump *= 0.3;
    }
    normal = normalize(normal + bump * (2.5 * solid_material[3].w));

    float wet = cut ? 0.0 : wetness();
    // What has run over the ground leaves it darker, and stained by what the liquid swallows.
    vec3 stain = exp(-2.0 * liquid_fade.rgb * 0.012 * grid.z);
    reflectance *= mix(vec3(1.0), stain * mix(0.72, 0.96, gloss), wet);
    gloss = mix(gloss, 1.0, 0.6 * wet);
    rough = mix(rough, min(rough, 0.10), 0.6 * wet);

    float facing_sun = dot(normal, sun.xyz);
#ifdef STUDIO
    // A large lamp still reaches what is turned a little away from its middle.
    float falls = max((facing_sun + 0.2) / 1.2, 0.0) * smoothstep(-0.25, 0.1, dot(shape, sun.xyz));
#else
    float falls = max(facing_sun, 0.0) * smoothstep(-0.05, 0.1, dot(shape, sun.xyz));
#endif
    float lit = falls > 0.0 ? sun_arrives(place, shape) * falls : 0.0;
    // Light that bright ground throws into its own hollows: they are never as dark as black ones.
    vec3 open_to = openness / (1.0 - reflectance * (1.0 - openness));
    float up = 0.5 + 0.5 * normal.z;
    vec3 around = 0.3 * (sunlight.rgb * max(sun.z, 0.0) + skylight.rgb);
    vec3 light = sunlight.rgb * lit + (skylight.rgb * up + around * (1.0 - up)) * open_to;
    vec3 shade = reflectance * light;

    float grazing = pow(1.0 - max(dot(normal, view), 0.0), 5.0);
    vec3 mirrored = reflect(-view, normal);
    mirrored = normalize(mirrored + vec3(0.0, 0.0, max(0.02 - mirrored.z, 0.0)));
    float mirror = gloss * (0.04 + 0.5 * grazing * (1.0 - rough));
#ifdef STUDIO
    vec3 shine = environment(mirrored, 2.0 * rough) * mix(1.0, lit / max(falls, 0.05), 0.5);
#else
    vec3 middle_way = normalize(view + sun.xyz);
    float c = max(dot(normal, middle_way), 1e-3), variance = rough * rough + 0.002;
    float facets = exp((c * c - 1.0) / (c * c * variance)) / (pi * variance * c * c * c * c);
    vec3 shine = clear_sky(mirrored) +
                 min(facets * 0.25, 40.0) * pi * sunlight.rgb * lit;
#endif
    shade += shine * mirror * openness * openness;

    if (is_painted_on_ground()) {
        float shadow = 0.7 + 0.3 * clamp(dot(light, vec3(0.5)), 0.0, 1.0);
        vec3 scale = light_for(scale_colour(painted_part(vec4(0.0, 0.0, 0.0, wet))));
        shade = mix(shade, scale * shadow, 0.85);
    }
    shade = mix(shade, light_for(ring_colour.rgb), cut ? 0.0 : ring_part(place, far));
    colour = vec4(through_haze(shade, -view, distance), openness);
}
