// SPDX-License-Identifier: MIT
// ground_fragment.glsl - the ground: what it is made of by slope, height and wetness; sun with the
// shadows of the land, sky with ambient occlusion; caustics and fading light under water.

in vec2 at;
out vec4 colour;

vec3 place;
vec3 rooted; // the place in the full terrain, modulo the repetition of the grain

// Grain of the ground, `scale` tiles a metre: laid on from above, and on steep faces from the side
// that they turn to, where the tile would be drawn out otherwise.
// `sharper` levels are added to the level at which the tile is read.
vec4 grain(vec3 normal, float scale, vec2 warp, float sharper)
{
    vec4 laid = texture(grain_tile, (rooted.xy + warp) * scale, sharper);
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

#ifndef LANDSCAPE
// The normal by which a place is rock or soil. A cliff stands between two rows of cells, of which
// one lies above it and one below; their normals know of it by halves. What is as steep as a cliff
// has the normal of the quad that it lies in.
vec3 cliff_normal(vec3 normal)
{
    vec2 at = clamp(place.xy * grid.w - 0.5, vec2(0.0), grid.xy - 1.0);
    ivec2 low = ivec2(at), high = min(low + 1, ivec2(grid.xy) - 1);
    vec2 part = at - vec2(low);
    float a = texelFetch(height_map, low, 0).r;
    float b = texelFetch(height_map, ivec2(high.x, low.y), 0).r;
    float c = texelFetch(height_map, ivec2(low.x, high.y), 0).r;
    float d = texelFetch(height_map, high, 0).r;
    vec2 slope = vec2(mix(b - a, d - c, part.y), mix(c - a, d - b, part.x)) * grid.w;
    vec3 quad = normalize(vec3(-slope, 1.0));
    return normalize(mix(normal, quad, smoothstep(1.0, 2.0, length(slope))));
}
#endif

#ifdef LANDSCAPE
// ---- Terrain of kilometres (Burrell section 5.3.2) -------------------------------------------
//
// What covers it goes by height, slope and the water: gravel and sand at the shore, meadows on the
// floor of the valley, woods on gentle hills, rock on steep faces, scree below them, snow on the
// heights. Borders between two of them are noise of several sizes, and there are always smaller
// sizes near the eye, down to centimetres. Tiles are filtered by their levels, so that none of it
// sparkles far away.

float sharper; // levels: a pixel of ground seen at a grazing angle is long, yet most of what is seen
               // in it is as small as it is wide

vec4 tile_at(vec2 at)
{
    return texture(grain_tile, at, sharper);
}

struct cover {
    vec3 reflectance;
    float rough; // how much of the grain bends its normal
};

cover blend_cover(cover a, cover b, float part)
{
    return cover(mix(a.reflectance, b.reflectance, part), mix(a.rough, b.rough, part));
}

// A wood from above: crowns of trees some ten metres wide, dark between them.
cover woods(vec4 broad, vec4 middle, vec4 fine, float autumn)
{
    vec2 bent = rooted.xy + (middle.xy - 0.5) * 9.0;
    float crowns = 1.0 - texture(bubble_tile, bent / 71.0).r;
    float small = 1.0 - texture(bubble_tile, bent.yx / 43.0 + 0.3).r;
    float crown = 0.6 * crowns + 0.4 * small;
    vec3 fir = vec3(0.016, 0.034, 0.015), leaf = vec3(0.036, 0.060, 0.016);
    vec3 colour = mix(fir, leaf, smoothstep(0.42, 0.62, broad.b + 0.3 * (middle.b - 0.5)));
    colour *= mix(vec3(1.0), vec3(1.5, 1.1, 0.7), autumn);
    colour *= 0.45 + 1.1 * crown * crown;
    // Beside the eye, where no picture of crowns would do, there is bushes and undergrowth.
    float near = 1.0 - smoothstep(60.0, 220.0, distance(eye.xyz, place));
    vec3 under = mix(vec3(0.060, 0.072, 0.026), vec3(0.085, 0.068, 0.044), smoothstep(0.4, 0.7, fine.a));
    return cover(mix(colour, under * (0.5 + fine.b), near), mix(1.3, 0.9, near));
}

cover rocks(vec3 normal, vec4 broad, vec4 middle, vec4 fine)
{
    // Layers of stone, bent and faulted, show on bare faces.
    float layer = place.z / 23.0 + 3.0 * broad.b + 0.9 * middle.b;
    float band = texture(grain_tile, vec2(layer * 0.11, 0.37)).b;
    float tone = 0.55 + 0.55 * middle.a + 0.5 * (fine.a - 0.5) + 0.5 * (band - 0.5);
    vec3 stone = mix(vec3(0.20, 0.185, 0.165), vec3(0.27, 0.235, 0.195), smoothstep(0.4, 0.6, band));
    return cover(stone * tone, 1.6);
}

cover meadow(vec4 broad, vec4 middle, vec4 fine, float damp, float alpine)
{
    vec3 lush = vec3(0.066, 0.094, 0.030), dry = vec3(0.132, 0.126, 0.055);
    vec3 high = vec3(0.112, 0.106, 0.056), soil = vec3(0.120, 0.098, 0.070);
    float dryness = smoothstep(0.36, 0.66, broad.b + 0.45 * (middle.b - 0.5) + 0.3 * (fine.b - 0.5) +
                                               0.09 - 0.22 * damp);
    vec3 colour = mix(mix(lush, dry, dryness), high, alpine);
    // Tufts, and bare soil between them.
    colour = mix(colour, soil, 0.45 * smoothstep(0.60, 0.85, middle.a + 0.6 * (fine.a - 0.5)));
    return cover(colour * (0.45 + 0.75 * middle.b + 0.7 * (fine.b - 0.35)), 0.7);
}

// Everything that lies on the land at a place. `above` is metres over the water, `away` from it.
cover landscape(vec3 normal, vec4 land, vec4 broad, vec4 middle, vec4 fine, float depth)
{
    float above = land.x, away = land.y, steep = land.z, ridge = land.w;
    float uneven = (broad.b - 0.5) * 0.5 + (middle.b - 0.5) * 0.35 + (fine.b - 0.5) * 0.15;
    float slope = sqrt(max(1.0 - normal.z * normal.z, 0.0)) / max(normal.z, 0.05);
    float tree_line = ground[0].w, snow_line = ground[1].w, span = snow_line - tree_line;
    float reach = span < 1e6 ? 0.35 * span : 0.3 * tree_line + 20.0;
    // Between two rivers the nearest one changes, and with it the height above it; far from both it
    // does not matter.
    float damp = (1.0 - smoothstep(2.0, 14.0, above)) * (1.0 - smoothstep(60.0, 260.0, away));
    float alpine = smoothstep(-0.5, 0.6, (place.z - tree_line) / reach + 2.0 * uneven);

    cover c = meadow(broad, middle, fine, damp, alpine);
    // Woods keep off the water's edge, the wettest floor and the steepest slopes.
    float wooded = 0.9 * smoothstep(0.08, 0.3, steep) + 1.6 * uneven + 1.2 * (broad.a - 0.5) - 0.22;
    wooded += 0.25 * smoothstep(0.0, 6.0, -ridge) - 1.5 * smoothstep(0.55, 0.9, slope);
    wooded -= 1.2 * (1.0 - smoothstep(15.0, 45.0, away)) + 2.0 * alpine;
    c = blend_cover(c, woods(broad, middle, fine, smoothstep(0.55, 0.7, broad.g)),
                    smoothstep(-0.10, 0.10, wooded + 0.5 * (middle.a - 0.4) + 0.35 * (fine.b - 0.5)));
    // Scree lies where rock is steep above and the slope is not steep enough to be bare.
    float loose = smoothstep(0.0, 0.25, slope + 0.5 * uneven - 0.55) *
                  smoothstep(-0.4, 0.4, alpine - 0.35 + uneven);
    cover scree = cover(vec3(0.215, 0.203, 0.185) * (0.6 + 0.75 * mix(fine.a, fine.b, 0.5)), 0.8);
    c = blend_cover(c, scree, 0.85 * loose);
    float bare = smoothstep(0.62, 0.86, slope + 0.55 * uneven + 0.004 * max(ridge, 0.0));
    c = blend_cover(c, rocks(normal, broad, middle, fine), bare);
    // Snow stays in hollows and away from the sun, and slides off what is steep.
    float melts = 0.25 * dot(normal.xy, sun.xy) + 0.01 * clamp(ridge, -25.0, 25.0);
    float snowed = (place.z - snow_line) / reach + 1.1 * uneven - melts -
                   2.2 * smoothstep(0.65, 1.1, slope + 0.3 * uneven);
    cover snow = cover(vec3(0.80, 0.82, 0.86) * (0.93 + 0.12 * fine.b), 0.22);
    c = blend_cover(c, snow, smoothstep(-0.05, 0.12, snowed));

    // The shore: gravel, and sand where it is level; the bed below it gets muddy with depth.
    float wide = 0.45 + 2.2 * smoothstep(0.44, 0.62, 0.7 * broad.b + 0.3 * middle.b);
    float shore = 1.0 - smoothstep(0.35 * wide, wide, above + 0.5 * (fine.b - 0.5));
    shore *= 1.0 - smoothstep(1.2, 3.0, away * grid.w + 2.5 * (middle.b - 0.5) + fine.b - 0.5);
    float sandy = smoothstep(0.46, 0.60, middle.b + 0.3 * (0.5 - broad.b)) *
                  (1.0 - smoothstep(0.1, 0.3, slope));
    vec3 gravel = ground[1].rgb * 0.82 * (0.55 + 0.9 * mix(fine.b, fine.a, 0.6));
    vec3 sand = vec3(0.32, 0.275, 0.205) * (0.55 + 0.5 * fine.b + 0.4 * middle.b);
    vec3 stones = mix(gravel, sand, sandy);
    stones = mix(stones, ground[0].rgb * (0.6 + 0.75 * fine.b), smoothstep(0.3, 3.5, depth));
    return blend_cover(c, cover(stones, mix(0.75, 0.3, sandy)), shore * (1.0 - 0.6 * bare));
}
#endif

void main()
{
    float far = texelFetch(scene_distance, ivec2(gl_FragCoord.xy), 0).r;
    place = eye.xyz + view_ray(at) * far;
    rooted = place + vec3(domain_place.xy, 0.0);
    vec2 on_map = map_place(place.xy);
    vec4 relief = textureLod(relief_map, on_map, 0.0);
    vec4 column = textureLod(column_map, on_map, 0.0);
    vec3 normal = vec3(relief.xy, sqrt(max(1.0 - dot(relief.xy, relief.xy), 0.0)));
    vec3 view = eye.xyz - place;
    float distance = length(view);
    view /= distance;

#if defined(LANDSCAPE) && defined(RIVER)
    vec4 land = textureLod(landscape_map, on_map, 0.0);
    float depth = max(-land.x, 0.0);
#else
    float depth = column.x > 0.25 * planes.w ? submerged() : 0.0;
#endif
#ifdef LANDSCAPE
#ifndef RIVER
    vec4 land = textureLod(landscape_map, on_map, 0.0);
#endif
    float size = ground[4].w;
    vec2 across = dFdx(place.xy), along = dFdy(place.xy);
    vec2 lengths = vec2(dot(across, across), dot(along, along)) + 1e-12;
    sharper = max(-0.25 * abs(log2(lengths.x / lengths.y)), -2.0);
    // Two large sizes, turned against each other, are never alike in two places together.
    vec2 turned_place = mat2(0.8, 0.6, -0.6, 0.8) * rooted.xy;
    vec4 broad = 0.5 * (tile_at(rooted.xy / (23.1 * size)) +
                        tile_at(turned_place / (9.7 * size) + 0.41));
    broad = mix(vec4(0.5), broad, 1.35);
    vec2 warp = (slow_noise(rooted.yx / (size * 12.0)).xy - 0.5) * size * 2.5;
    vec4 middle = 0.65 * grain(normal, 1.0 / size, warp, sharper) +
                  0.35 * tile_at(turned_place / (3.3 * size));
    vec2 bent = 2.0 * (middle.xy - 0.5);
    vec4 close = 0.55 * grain(normal, 1.0 / 4.3, bent, sharper) +
                 0.45 * tile_at((turned_place - bent.yx) / 17.9);
    vec4 closest = tile_at((turned_place + bent) / 0.37);
    vec4 fine = mix(vec4(0.5), close, 1.3) + (closest - 0.5) * 0.7;
    cover lying = landscape(normal, land, broad, middle, fine, depth);
    vec3 reflectance = lying.reflectance;
    vec2 bump = ((middle.xy - 0.5) * 1.1 + (broad.xy - 0.5) * 0.5 + (close.xy - 0.5) * 0.8 +
                 (closest.xy - 0.5) * 0.6) * lying.rough;
#ifdef BODIES
    vec3 shape = normal;
#endif
    normal = normalize(normal + vec3(bump, 0.0));
    float damp = 1.0 - smoothstep(0.1, 0.7, land.x + 0.4 * (fine.b - 0.5));
#else
    float size = ground[4].w;
    vec3 side = cliff_normal(normal);
    vec4 coarse = grain(side, 1.0 / (size * 9.0), vec2(0.0), 0.0);
    // The finer grain is bent a little, or the tile would be recognised.
    vec2 warp = (slow_noise(rooted.yx / (size * 12.0)).xy - 0.5) * size * 2.5;
    vec4 fine = grain(side, 1.0 / size, warp, 0.0);
    // Near the eye there is always something smaller to see, down to a fortieth of a cell.
    vec4 small = texture(grain_tile, (rooted.xy + warp) * 6.1 / size);
    vec4 tiny = texture(grain_tile, rooted.xy * 37.0 / size);
    fine += (small - 0.5) * 0.55 + (tiny - 0.5) * 0.4;
    fine = mix(vec4(0.5), fine, ring_colour.w);
    vec3 reflectance = material(side, depth, column.w, coarse, fine);
#ifdef BODIES
    vec3 shape = normal;
#endif
    vec2 bump = (fine.xy - 0.5) * 0.9 + (coarse.xy - 0.5) * 0.7;
    normal = normalize(normal + vec3(bump, 0.0) * (1.0 - 0.6 * column.w));

    float damp = smoothstep(0.0, 1.0, column.w);
#endif
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
    if (is_painted_on_ground()) {
        float shadow = 0.7 + 0.3 * clamp(dot(light, vec3(0.5)), 0.0, 1.0);
        shade = mix(shade, light_for(scale_colour(painted_part(column))) * shadow, 0.85);
    }
    // Under water the ring lies on the surface, not on the bed. (Asked for outside the condition,
    // because it needs its neighbours' values.)
    float ringed = ring_part(place, far);
    shade = mix(shade, light_for(ring_colour.rgb), depth > 0.0 ? 0.0 : ringed);
    colour = vec4(through_haze(shade, -view, distance), 1.0);
}
