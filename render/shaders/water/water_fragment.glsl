// SPDX-License-Identifier: MIT
// water_fragment.glsl - the water's surface: Fresnel mixes what it mirrors (sky, and the land as far
// as it is in the picture) with what is seen through it (the ground, refracted and faded by the
// liquid); the sun glitters on slopes too small to draw; foam lies on top; shores are soft.

in vec2 at;
#ifdef SOLID
uniform float curtains; // 1: curtains that hang in the air; 0: all else
#endif
out vec4 colour;

// Of the surface, as surface_fragment.glsl has left it.
vec3 place, facing;
float water_depth, here; // metres; along the view
#if defined(WAVES) || defined(SEA)
vec2 rest;                // where the place is without waves
vec3 to_eye;
float pixel_size;         // metres across the view
float share, fold = 1.0;  // part of the sea in it; how far its surface is drawn together there
#endif

// The land in the mirror: walks along the ray over the picture until it passes behind what is drawn
// there. Returns the colour and how sure it is.
vec4 mirrored_land(vec3 from, vec3 along, float distance)
{
#ifdef SOLID
    const int steps = 26;
    const float growth = 1.18;
    float stride = 0.004 * distance + 0.6 * grid.z;
#elif defined(BODIES)
    // Bodies are smaller than hills, and stand in the water they are mirrored in.
    const int steps = 30;
    const float growth = 1.2;
    float stride = min(0.012 * distance + 0.5 * grid.z, 0.003 * distance + 0.2 * afloat.z);
#else
    const int steps = 18;
    const float growth = 1.28;
    float stride = 0.012 * distance + 0.5 * grid.z;
#endif
    float walked = stride * 0.5;
    float before = 0.0;
    vec4 start = view_projection * vec4(from, 1.0), onward = view_projection * vec4(along, 0.0);
    for (int k = 0; k < steps; k++) {
        if (from.z + along.z * walked > planes.x)
            return vec4(0.0); // above all land
        vec4 clip = start + onward * walked;
        vec3 at = clip.xyz / clip.w * 0.5 + 0.5;
        if (clip.w <= 0.0 || any(lessThan(at, vec3(0.0))) || any(greaterThan(at, vec3(1.0))))
            return vec4(0.0);
        float drawn = textureLod(scene_distance, at.xy, 0.0).r;
        float behind = clip.w - drawn;
        if (behind > 0.0) {
            if (behind > stride * 2.5)
                return vec4(0.0);
            float low = before, high = walked;
            for (int n = 0; n < 4; n++) {
                float middle = 0.5 * (low + high);
                clip = start + onward * middle;
                at = clip.xyz / clip.w * 0.5 + 0.5;
                drawn = textureLod(scene_distance, at.xy, 0.0).r;
                if (clip.w > drawn)
                    high = middle;
                else
                    low = middle;
            }
#if defined(SOLID) || defined(BODIES)
            // It went behind something thin, whose far side is not in the picture.
            if (abs(clip.w - drawn) > 0.15 * stride + 0.02 * grid.z)
                return vec4(0.0);
#endif
            vec2 inside = smoothstep(vec2(0.0), vec2(0.06), at.xy) *
                          smoothstep(vec2(0.0), vec2(0.06), 1.0 - at.xy);
            return vec4(textureLod(scene_colour, at.xy, 0.0).rgb, inside.x * inside.y);
        }
        before = walked;
        stride *= growth;
        walked += stride;
    }
    return vec4(0.0);
}

#ifdef SOLID
// How thick the liquid is across its surface: columns are measured upright.
float thickness()
{
    return water_depth * max(facing.z, 0.2);
}

// What is seen through the surface at `at`, and how far the ray has gone in the liquid. The ray goes
// on bent until it has crossed the film; what the picture shows there is what it meets.
vec3 seen_below(vec3 normal, float distance, out float path, out vec3 bed)
{
    vec3 within = refract((place - eye.xyz) / distance, normal, liquid_path.w);
    path = thickness() / max(-dot(within, facing), 0.3);
    bed = place + within * path;
    vec4 clip = view_projection * vec4(bed, 1.0);
    vec2 bent = clamp(clip.xy / clip.w * 0.5 + 0.5, vec2(0.0), vec2(1.0));
    float straight = textureLod(scene_distance, at, 0.0).r;
    float behind = textureLod(scene_distance, bent, 0.0).r;
    // A bent ray must not fetch what stands in front of the liquid.
    if (behind < here) {
        bent = at;
        behind = straight;
    }
    path = min(path, max(behind - here, 0.0) * distance / here + 0.25 * grid.z);
    return textureLod(scene_colour, bent, 0.0).rgb;
}
#else
// How much brighter or darker the waves above make a place `depth` metres down: their curvature
// gathers or spreads the light, by 1 / |1 - depth (1 - 1/n) curvature|. The light of the sky comes
// from everywhere and is not gathered.
float caustic(vec3 bed, vec4 displaced, float speed, float pixel)
{
    float depth = max(place.z - bed.z, 0.0);
#if defined(WAVES) && !defined(WAVE_PARTICLES)
    float curvature = fine_waves(bed.xy, pixel).w * (1.0 - share);
#else
    float curvature = small_waves(bed.xy, displaced, speed, depth).w;
#endif
    float focus = 1.0 - depth * (1.0 - liquid_path.w) * curvature;
    float seen = 1.0 - smoothstep(0.02, 0.06, pixel / ripple.z);
    float bright = (1.0 / (abs(focus) + 0.22) - 0.82) * seen;
    vec4 relief = textureLod(relief_map, map_place(bed.xy), 0.0);
    vec3 normal = vec3(relief.xy, sqrt(max(1.0 - dot(relief.xy, relief.xy), 0.0)));
    float sunny = sunlight.g * sunshine(relief.w, 0.0) * max(dot(sun.xyz, normal), 0.0);
#ifdef BODIES
    sunny *= sun_arrives(bed, normal);
#endif
    float share = sunny / (sunny + skylight.g * relief.z + 1e-4);
    return 1.0 + share * bright * exp(-depth / (0.35 * ripple.z)) *
                     smoothstep(0.0, 0.02 * ripple.z, depth);
}

#ifdef SEA
// The ground of the open sea, of what the world's ground is under water. The ray is followed
// straight on, as it is where there is ground in the picture.
vec3 seen_seabed(float distance, out float path, out vec3 bed)
{
    vec3 along = (place - eye.xyz) / distance;
    float border = water_depth - seabed_fall(place.xy), depth = water_depth;
    for (int k = 0; k < 2; k++) {
        bed = place + along * (depth / max(-along.z, 0.02));
        depth = border + seabed_fall(bed.xy);
    }
    path = depth / max(-along.z, 0.02);
    bed = place + along * path;
    vec3 reflectance = 0.58 * mix(ground[1].rgb, ground[0].rgb, smoothstep(0.0, 2.5, depth));
    vec3 light = (sunlight.rgb * max(sun.z, 0.0) + skylight.rgb) * exp(-liquid_fade.rgb * depth);
    return through_haze(reflectance * light, along, distance);
}
#endif

// What is seen through the surface at `at`, and how far the ray has gone in the liquid.
vec3 seen_below(vec3 normal, float distance, out float path, out vec3 bed)
{
    float straight = textureLod(scene_distance, at, 0.0).r;
    float thick = min(max(straight - here, 0.0), 4.0 * water_depth + grid.z);
    vec2 shift = (normal.xy - facing.xy) * (1.0 - liquid_path.w) * thick;
    vec2 bent = at + shift * viewport.y / max(viewport.x, 1.0) * 0.9 / max(distance, 1.0);
    float behind = textureLod(scene_distance, bent, 0.0).r;
    // A bent ray must not fetch what stands in front of the water.
    if (behind < here) {
        bent = at;
        behind = straight;
    }
    bed = eye.xyz + view_ray(bent) * behind;
    path = max(behind - here, 0.0) * distance / here;
    // Through the edge of the world there is only sky: it counts as a lake without a bed.
    if (behind > 0.999 * planes.y) {
#ifdef SEA
        return seen_seabed(distance, path, bed);
#endif
        path = -1.0;
        return vec3(0.0);
    }
#ifdef SEA
    // At the edge of the ground a mean would have the sky beside it in it.
    return texelFetch(scene_colour, ivec2(clamp(bent, 0.0, 0.9999) * viewport.xy), 0).rgb;
#else
    return textureLod(scene_colour, bent, 0.0).rgb;
#endif
}
#endif

// Foam on the water, and a line of it along the shore: what it covers, and how thick it lies.
vec2 foam_cover(vec4 displaced, vec2 on_map, float depth, float speed)
{
    float floating = textureLod(foam_map, on_map, 0.0).r;
#ifdef SEA
    floating = mix(floating, 0.9 * smoothstep(0.82, 0.38, fold), share); // whitecaps
#endif
    float band = grid.z * 0.09;
    float lapping = smoothstep(0.0, 0.25 * band, depth) * (1.0 - smoothstep(0.5 * band, 2.0 * band, depth));
    float line = lapping * (0.10 + 0.25 * smoothstep(0.1, 2.5, speed));
    // A front that runs and is too steep for a wave is breaking.
    float breaking = smoothstep(0.12, 0.5, 1.0 - facing.z) * smoothstep(0.3, 2.0, speed);
    float amount = clamp((floating + line + 0.6 * breaking) * liquid_fade.w, 0.0, 1.0);
    if (amount <= 0.004)
        return vec2(0.0);
    // Thin foam is a lace of bubbles, thick foam a cover with few holes.
    float pattern = bubbles(place, facing, displaced);
    return vec2(0.85 * smoothstep(0.25, 1.05, amount + 0.9 * (pattern - 0.42) * (1.2 - amount)),
                0.55 + 0.6 * pattern);
}

#if defined(WAVES) || defined(SEA)
// Metres of a surface with this normal that a pixel sees. At a grazing angle it sees a strip; waves
// are filtered by less than its length, because most lie across it, and by more than its width.
float pixel_on(vec3 normal, float sharpness)
{
    return pixel_size * pow(max(dot(normal, to_eye), 0.02), -sharpness);
}

// Fine waves of the world, or small ones where it has none, which turn into those of the sea
// towards the border.
vec4 all_waves(vec4 displaced, float speed, float depth)
{
#ifdef WAVES
    vec4 waves = fine_waves(rest, pixel_on(facing, 0.75)) *
                 mix(0.35, 1.0, smoothstep(0.0, 0.1 * grid.z, depth));
    // Running water is rough, also where it has pulled all waves apart.
#ifdef WAVE_PARTICLES
    // Waves that are too small for the tiles lie on those.
    float wide = pixel_on(facing, 0.75);
    float fineness = log2(wide / ripple.z * float(textureSize(wave_tile, 0).x));
    waves += small_waves_of(rest, displaced, speed, depth, fineness);
#else
    float running = 0.13 * (1.0 - exp(-0.4 * speed)) * ground[5].w;
    waves.z += running * running;
#endif
#else
    vec4 waves = small_waves(rest, displaced * (1.0 - share), speed, depth);
#endif
#ifdef SEA
    if (share > 0.0) {
        vec4 open = sea_surface(rest, pixel_on(vec3(0.0, 0.0, 1.0), 0.6));
#ifdef WAVES
        float wide = pixel_on(normalize(vec3(-open.xy, 1.0)), 1.0);
        float level = log2(wide / ripple.z * float(textureSize(wave_tile, 0).x));
        vec4 small = small_waves_of(rest, vec4(0.0), 0.0, depth, level);
#else
        vec4 small = waves;
#endif
        fold = open.w;
        waves = mix(waves, vec4(small.xyz + open.xyz, small.w), share);
    }
#endif
    return waves;
}
#endif

void main()
{
    vec4 surface = texelFetch(surface_map, ivec2(gl_FragCoord.xy), 0);
    here = texelFetch(surface_distance, ivec2(gl_FragCoord.xy), 0).r;
    // Pixels beside the water lend it their derivatives: there the ground goes on where it ends.
    if (here <= 0.0)
        here = texelFetch(scene_distance, ivec2(gl_FragCoord.xy), 0).r;
    facing = vec3(surface.xy, sqrt(max(1.0 - dot(surface.xy, surface.xy), 0.0)));
    water_depth = surface.z;
    place = eye.xyz + view_ray(at) * here;
#ifdef SOLID
    // Curtains that hang from an edge are seen from both sides.
    if (dot(facing, eye.xyz - place) < -0.25 * length(eye.xyz - place))
        facing = -facing;
#endif
    vec2 on_map = map_place(place.xy);
    float depth = water_depth, speed = surface.w;
#ifdef RIVER
    // Far patches have too few vertices to tell.
    vec4 column = textureLod(column_map, on_map, 0.0);
    depth = water_depth = column.x;
    speed = length(column.yz);
#endif
    vec3 view = eye.xyz - place;
    float distance = length(view);
    view /= distance;
#if defined(WAVES) || defined(SEA)
    vec3 moved = texelFetch(surface_distance, ivec2(gl_FragCoord.xy), 0).gba;
    rest = place.xy - moved.xy;
    share = moved.z;
    to_eye = view;
    pixel_size = here * length(ray[2].xyz) * viewport.w;
#endif

    vec4 displaced = smooth_fetch(flow_map, place.xy);
#if defined(WAVES) || defined(SEA)
    vec4 waves = all_waves(displaced, speed, depth);
#else
    vec4 waves = small_waves(place.xy, displaced, speed, depth);
#endif
    // On a steep front the tile is drawn out: there the waves are felt as roughness only.
    float laid = facing.z * facing.z;
    vec3 normal = normalize(facing + vec3(-waves.xy * laid * laid, 0.0));
#ifdef SOLID
    laid = 1.0; // steep films are as smooth as level ones
#endif
    float variance = foam_material.w + waves.z + 0.02 * (1.0 - laid);
    // Seen at a grazing angle only the slopes that face the eye are seen.
    float cosine = dot(normal, view);
    normal = normalize(normal + view * max(0.02 - cosine, 0.0));
    cosine = max(dot(normal, view), 0.02);

#ifdef SOLID
    float open = textureLod(scene_colour, at, 0.0).a, lit = sun_arrives(place, facing);
    float sunny = lit * max(dot(facing, sun.xyz), 0.05), around = open * (0.5 + 0.5 * facing.z);
#else
    vec4 relief = textureLod(relief_map, on_map, 0.0);
    float open = relief.z, lit = sunshine(relief.w, depth);
#ifdef BODIES
    lit *= sun_arrives(place, facing);
#endif
#ifdef SEA
    vec2 inside = min(place.xy, grid.xy * grid.z - place.xy);
    if (min(inside.x, inside.y) < 0.0)
        open = lit = 1.0;
#endif
    float sunny = lit * max(sun.z, 0.05), around = mix(open, 1.0, 0.5);
#endif
    vec3 clear_air = clearness(distance);
#ifdef SEA
    // The last of the sea is lost in the haze, however clear the day: no line is drawn under the
    // sky. It ends where the earth's curvature hides it.
    float last = sqrt(1.27e7 * max(eye.z - sea.x, 2.0));
    clear_air *= 1.0 - share * smoothstep(0.0, 1.0, distance / last);
#endif

    float path;
    vec3 bed;
    vec3 below = seen_below(normal, distance, path, bed);
#ifdef SOLID
    float shining = thickness();
#else
    float longest = 8.0 * depth + 0.5 * grid.z;
    float shining = path < 0.0 ? longest : depth;
    path = path < 0.0 ? longest : min(path, longest);
#endif
    // What is drawn below has the haze on it already; it is taken off and put back at the end.
    below = max(below - horizon.rgb * (1.0 - clear_air), 0.0);
    vec3 bare = below;
#ifdef SOLID
    // A layer of two fluxes (Kubelka and Munk): what it sends back and what it lets through, on the
    // way down and, as diffuse light or as a beam, up again.
    vec3 once = exp(-liquid_fade.rgb * shining), body = liquid_body.rgb;
    vec3 rest = 1.0 - body * body * once * once;
    vec3 passed = (1.0 - body * body) * once / rest;
    vec3 beam = passed * max(passed, exp(-liquid_path.rgb * path));
    vec3 glow = body * (1.0 - once * once) / rest;
#else
    float pixel = here * length(ray[2].xyz) * viewport.w / max(view.z, 0.1);
    below *= caustic(bed, displaced, speed, pixel);
    bare = below;
    vec3 beam = exp(-liquid_path.rgb * path);
    vec3 faded = exp(-2.0 * liquid_fade.rgb * shining);
    if (solid.w > 0.0) {
        // Sediment: what hides the bed is the liquid without a bottom.
        float hidden = smoothstep(solid.z, solid.w + 1e-3, max(place.z - bed.z, shining));
        beam *= 1.0 - hidden;
        faded *= 1.0 - hidden;
    }
    vec3 glow = liquid_body.rgb * (1.0 - faded);
#endif
    glow *= sunlight.rgb * sunny + skylight.rgb * around;

    vec3 along = reflect(-view, normal);
#ifndef STUDIO
#if defined(WAVES) || defined(SEA)
    // What a steep wave mirrors from below the horizon are other waves, which mirror the sky.
    along = normalize(vec3(along.xy, sqrt(along.z * along.z + 0.02)));
#else
    along = normalize(vec3(along.xy, abs(along.z) + 0.01));
#endif
#endif
    vec3 sky_seen = environment(along, sqrt(variance));
#ifdef SOLID
    sky_seen *= mix(0.3, 1.0, open); // a hollow sees less of it
#endif
    vec4 land = mirrored_land(place + facing * 0.02 * grid.z, along, distance);
    vec3 mirror = mix(sky_seen * clear_air, max(land.rgb - horizon.rgb * (1.0 - clear_air), 0.0),
                      land.a);
    float mirrored = fresnel(cosine, variance);
    vec3 sparkle = sunlight.rgb * pi * glitter(normal, view, variance + 0.003) * lit * laid *
                   mix(liquid_body.w, 1.0, pow(1.0 - max(dot(view, normalize(view + sun.xyz)), 0.0), 5.0));
    sparkle /= 1.0 + sparkle / 7.0;
#ifdef STUDIO
    sparkle = vec3(0.0); // its lamp is in the mirror already
#endif

    vec3 through = below * beam * (1.0 - mirrored) + glow * (1.0 - mirrored) * clear_air;
    vec3 wet = through + mirror * mirrored + sparkle * clear_air;

    vec2 foamy = foam_cover(displaced, on_map, depth, speed);
    vec3 foam = foam_material.rgb * foamy.y * (sunlight.rgb * lit * max(dot(normal, sun.xyz), 0.15) +
                                           skylight.rgb * open);
    wet = mix(wet, foam * clear_air, foamy.x);

    // Soft shores: the water fades in over a few centimetres (or a part of a cell) of depth.
    float shown = smoothstep(0.0, max(2.5 * planes.w, 0.015 * grid.z), depth);
#ifdef SOLID
    // A curtain breaks up into drops before it gets as thin as a film.
    shown = curtains > 0.5 ? smoothstep(0.1, 0.4, depth * grid.w) : shown;
#endif
    wet = mix(bare, wet, shown);

    if (is_painted_on_water()) {
        vec4 shown_column = vec4(depth, speed, 0.0, 1.0);
        vec3 scale = scale_colour(painted_part(shown_column));
        if (is_painted_by_particles())
            scale = vec3(0.012, 0.014, 0.018); // the particles are drawn on it
        float shadow = 0.75 + 0.25 * clamp(dot(normal, sun.xyz) * 2.0, 0.0, 1.0);
        wet = mix(wet, light_for(scale) * shadow, 0.9 * shown);
    }
    wet = mix(wet, light_for(ring_colour.rgb), ring_part(place, here));
#ifdef SEA
    // Far away the sea goes over into the sky that is above it, whose colour is not the same all
    // around.
    vec3 haze = mix(horizon.rgb, clear_sky(vec3(-view.xy, 0.0)), (1.0 - clear_air) * share);
    colour = vec4(wet + haze * (1.0 - clear_air), 1.0);
#else
    colour = vec4(wet + horizon.rgb * (1.0 - clear_air), 1.0);
#endif
}
