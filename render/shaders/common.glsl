// SPDX-License-Identifier: MIT
// common.glsl - stands before every shader: the inputs of a picture, and functions of several
// shaders. Matches frame_block in render/frame_block.h. Units are metres and seconds, z is up,
// colours are linear. Programs are built in variants: SOLID when the ground is a solid, STUDIO when
// a studio is around it instead of a sky, MENISCUS when the liquid bends at its edge, WAVES when the
// world has waves finer than its grid, SEA when the open sea is around it, BODIES when it has bodies,
// RIVER when the water is a river whose level does not move, WAVE_PARTICLES when there are wave
// particles on it (then WAVES too), LANDSCAPE when the ground is a terrain of kilometres.

layout(std140) uniform Frame {
    mat4 view_projection;
    vec4 ray[3];       // view_ray: from the lower left corner, along the lower edge, along the left
    vec4 eye;          // position; time
    vec4 grid;         // cells along x, along y; edge of a cell; its inverse
    vec4 viewport;     // width, height in pixels; their inverses
    vec4 planes;       // highest ground; far plane; foot of the block; floor of a shown film
    vec4 sun;          // direction to the sun; half width of a shadow's edge
    vec4 sunlight;     // of the sun on a plane facing it, over pi; exposure
    vec4 skylight;     // of the sky on level ground, over pi; part of the sky under clouds
    vec4 horizon;      // colour of far haze; extinction by haze per metre
    vec4 liquid_body;  // reflectance of a bottomless liquid; reflectance at right angles
    vec4 liquid_fade;  // how diffuse light fades in it, 1/m; how readily it foams
    vec4 liquid_path;  // how a beam fades in it, 1/m; inverse of the refractive index
    vec4 foam_material; // reflectance of foam; variance of slopes too small for the tiles
    vec4 ripple;       // wind's direction; edge of the wave tile in metres; root mean square slope
    vec4 ripple_shift; // shift of the two sizes of small waves, in tiles
    vec4 flow_weight;  // weights of the two layers of moving detail; their places in the tile
    vec4 painted;      // overlay: kind, value at the end of its scale; gravity, seconds of a frame
    vec4 ring;         // brush: centre, radius; 1 when shown
    vec4 ring_colour;  // its colour; contrast of the ground's grain
    vec4 ground[6];    // reflectances: bed, shore, gentle, gentle too, steep, high; w: see ground
    mat4 sun_view;     // from a place to the shadow map, -1 to 1
    vec4 solid;        // texel of the shadow map in metres; elevation of the brush; depths at which
                       // sediment begins to hide the bed and hides it, 0 where there is none
    vec4 solid_material[6]; // reflectances: base, other, third, cut; w: tile in metres, contrast,
                       // gloss, bump; then steep from and to, hollow, stretch; then roughness
    vec4 domain_place; // of the grid in the full terrain: origin of the ground's grain, metres; of
                       // foam and gusts, tiles of small waves; modulo the repetition of the tiles
    vec4 afloat;       // where small waves begin, turned into the wind, tiles; half the size of
                       // bodies in metres; free
    vec4 overhead;     // the square that bodies cover: its corner, the inverse of its edge, 0 where
                       // there is none; the elevation that their undersides are counted from
};

uniform sampler2D height_map, relief_map, column_map, flow_map, foam_map;
uniform sampler2D wave_tile, grain_tile, bubble_tile, sky_map;
uniform sampler2D scene_colour, scene_distance;
uniform sampler2D surface_map, surface_distance, shadow_map, overhead_map, picture;

#if defined(WAVES) || defined(SEA)
layout(std140) uniform Waves {
    vec4 blend;     // weights of the three sets of fine waves; 1 / edge of their tile
    vec4 fine;      // level of their texture for displacement; metres from the eye where it begins
                    // to fade and where it is gone; metres that a slope of 1 draws crests together
    vec4 origin;    // of the grid in the full terrain, metres; free; free
    vec4 sea;       // level; edges of the tiles of long and short waves; radians between points
    vec4 sea_waves; // least metres between points; depth beside land; free; free
    vec4 tiles;     // of wave particles: inverse of a tile's edge; where a tile begins in its layer
                    // and how much of it it fills, parts of its edge; coarsest level
    vec4 tile_slopes; // edge of a texel in metres; mean square of slopes; free; free
};
#ifdef GL_ES
precision highp sampler2DArray;
#endif
#endif
#ifdef WAVE_PARTICLES
uniform sampler2DArray wave_tiles; // height, slopes, square of the slope
uniform sampler2D wave_tile_index, point_map;
#elif defined(WAVES)
uniform sampler2D fine_moves, fine_slopes; // shift and height; slopes, their squares, curvature
uniform sampler2D advected_first, advected_last, point_map;
#endif
#ifdef LANDSCAPE
uniform sampler2D landscape_map; // metres above the nearest water, metres from it; slope and height
                                 // over the land around
#endif
#ifdef SEA
uniform sampler2DArray sea_moves, sea_slopes; // shift and height; slopes, their squares, fold
uniform sampler2D sea_share;
#endif

const float pi = 3.14159265;

// ---- Places ------------------------------------------------------------------------------

// Texture coordinates of a place in maps with a texel a cell.
vec2 map_place(vec2 place)
{
    return place * grid.w / grid.xy;
}

// Linear interpolation of a map whose floats the hardware may not filter.
vec4 smooth_fetch(sampler2D map, vec2 place)
{
    vec2 at = clamp(place * grid.w - 0.5, vec2(0.0), grid.xy - 1.0);
    ivec2 low = ivec2(at), high = min(low + 1, ivec2(grid.xy) - 1);
    vec2 part = at - vec2(low);
    vec4 south = mix(texelFetch(map, low, 0), texelFetch(map, ivec2(high.x, low.y), 0), part.x);
    vec4 north = mix(texelFetch(map, ivec2(low.x, high.y), 0), texelFetch(map, high, 0), part.x);
    return mix(south, north, part.y);
}

// From the eye through a point of the picture, as long as to be a metre along the view.
vec3 view_ray(vec2 at)
{
    return ray[0].xyz + ray[1].xyz * at.x + ray[2].xyz * at.y;
}

#ifdef FRAGMENT
// How far the fragment is along the view, metres.
float distance_along_view()
{
    return 1.0 / gl_FragCoord.w;
}
#endif

#ifdef FRAGMENT
// How late bubbles of foam burst at a place, 0 to 1: on a level surface as the water advects them
// (flow_map), on a steep one as seen from its side, where a pattern from above would be drawn out.
float bubbles(vec3 place, vec3 normal, vec4 displaced)
{
    vec2 first = (place.xy - displaced.xy) / ripple.z + domain_place.zw;
    vec2 second = (place.xy - displaced.zw) / ripple.z + domain_place.zw;
    float large = flow_weight.x * texture(bubble_tile, first * 3.1 + flow_weight.z).r +
                  flow_weight.y * texture(bubble_tile, second * 3.1 + flow_weight.w).r;
    float small = flow_weight.x * texture(bubble_tile, first * 10.3 + flow_weight.w).r +
                  flow_weight.y * texture(bubble_tile, second * 10.3 + flow_weight.z).r;
    vec2 from_south = place.xz / ripple.z, from_west = place.yz / ripple.z;
    float south = 0.4 * texture(bubble_tile, from_south * 3.1).r +
                  0.6 * texture(bubble_tile, from_south * 10.3).r;
    float west = 0.4 * texture(bubble_tile, from_west * 3.1).r +
                 0.6 * texture(bubble_tile, from_west * 10.3).r;
    vec3 part = normal * normal;
    return west * part.x + south * part.y + (0.4 * large + 0.6 * small) * part.z;
}
#endif

// ---- Sky ---------------------------------------------------------------------------------

// The clear sky; the map has the azimuth from the sun across and the root of the elevation up.
vec3 clear_sky(vec3 direction)
{
    vec2 level = normalize(direction.xy + vec2(1e-6, 0.0));
    vec2 sun_level = normalize(sun.xy + vec2(1e-6, 0.0));
    float azimuth = acos(clamp(dot(level, sun_level), -1.0, 1.0)) / pi;
    float elevation = asin(clamp(direction.z, 0.0, 1.0)) / (0.5 * pi);
    return texture(sky_map, vec2(azimuth, sqrt(elevation))).rgb;
}

// How thick the clouds are in a direction, 0 to 1: a layer of heaps at one height.
float cloud_cover(vec3 direction, float blur)
{
    vec2 place = direction.xy / (max(direction.z, 0.0) + 0.06);
    place += vec2(0.003, 0.001) * eye.w;
    float heaps = textureLod(grain_tile, place * 0.055, blur).b;
    float rags = textureLod(grain_tile, place * 0.21 + 0.37, blur).b;
    float shape = heaps * 0.72 + rags * 0.28;
    float least = mix(0.78, 0.22, skylight.w);
    return smoothstep(least, least + 0.26, shape) * smoothstep(0.0, 0.12, direction.z);
}

vec3 sky_with_clouds(vec3 direction, float blur)
{
    vec3 clear = clear_sky(direction);
    if (skylight.w <= 0.0)
        return clear;
    float cover = cloud_cover(direction, blur);
    float towards_sun = max(dot(direction, sun.xyz), 0.0);
    // Thin rims shine when the sun is behind them, thick middles are grey below.
    vec3 lit = skylight.rgb * 0.75 +
               sunlight.rgb * (0.62 - 0.34 * cover + 0.5 * pow(towards_sun, 24.0) * (1.0 - cover));
    return mix(clear, lit, cover * 0.86);
}

#ifdef STUDIO
// A studio as a mirror shows it: walls that get brighter towards the ceiling, the large
// soft lamp, and a weak strip of light on the other side that draws the edges of dark things. Its
// lamp has the light that `sunlight` has: radiance times solid angle is pi times it.
vec3 environment(vec3 direction, float rough)
{
    float up = 0.5 + 0.5 * direction.z;
    vec3 walls = skylight.rgb * mix(0.28, 1.15, smoothstep(0.35, 1.0, up));
    vec3 across = normalize(vec3(-sun.y, sun.x, 0.0)), over = cross(sun.xyz, across);
    float ahead = dot(direction, sun.xyz);
    vec2 at = vec2(dot(direction, across), dot(direction, over)) / max(ahead, 1e-3);
    float soft = 0.05 + rough;
    vec2 lamp = smoothstep(0.42 + soft, 0.42 - min(soft, 0.40), abs(at));
    walls += sunlight.rgb * (4.4 * lamp.x * lamp.y * step(0.0, ahead));
    vec2 behind = normalize(-sun.xy);
    float strip = smoothstep(0.86 - rough, 0.96, dot(normalize(direction.xy + 1e-5), behind)) *
                  smoothstep(0.05, 0.2, direction.z) * smoothstep(0.75, 0.45, direction.z);
    return walls + skylight.rgb * 1.3 * strip;
}
#else
vec3 environment(vec3 direction, float rough)
{
    return sky_with_clouds(direction, 1.0 + 5.0 * rough);
}
#endif

// Below the horizon there is nothing but haze, a little darker towards the foot.
vec3 backdrop(vec3 direction, float blur)
{
    vec3 above = sky_with_clouds(vec3(direction.xy, max(direction.z, 0.0)), blur);
    float grey = dot(horizon.rgb, vec3(0.2126, 0.7152, 0.0722));
    float below = smoothstep(0.0, 0.35, -direction.z);
    float fall = 1.0 - 0.35 * smoothstep(0.2, 1.0, -direction.z);
    return mix(above, mix(horizon.rgb, vec3(grey), 0.65) * fall, below);
}

// What is left of a colour over `distance` of air. Over kilometres air is blue: short waves are
// turned aside first.
vec3 clearness(float distance)
{
#ifdef LANDSCAPE
    return exp(-horizon.w * distance * vec3(0.62, 0.95, 1.6));
#else
    return vec3(exp(-horizon.w * distance));
#endif
}

// Haze between the eye and a place at `distance`.
vec3 through_haze(vec3 colour, vec3 direction, float distance)
{
    return mix(horizon.rgb, colour, clearness(distance));
}

// ---- Light on the ground -----------------------------------------------------------------

// 1 in the sun, 0 in the shadow of the land; `above` metres over the ground.
float sunshine(float shadow, float above)
{
    return smoothstep(-sun.w, sun.w, above - shadow);
}

#ifdef SOLID
// Part of the sun's light that arrives at a place with this normal: what the sun saw first, compared
// in 25 texels around it, those further away counting less, so that the edge is soft and moves
// smoothly. Compared by hand, because drivers filter such comparisons each in its own way. The place
// is moved off its own surface by what the texels span on it.
float sun_arrives(vec3 place, vec3 normal)
{
    float slant = clamp(1.0 - dot(normal, sun.xyz), 0.0, 1.0);
    vec3 lifted = place + normal * solid.x * (1.0 + 2.5 * slant);
    vec3 at = (sun_view * vec4(lifted, 1.0)).xyz * 0.5 + 0.5;
    if (any(lessThan(at, vec3(0.0))) || any(greaterThan(at, vec3(1.0))))
        return 1.0;
    vec2 texel = at.xy * vec2(textureSize(shadow_map, 0));
    ivec2 middle = ivec2(texel), last = textureSize(shadow_map, 0) - 1;
    vec2 part = texel - vec2(middle) - 0.5;
    float sum = 0.0, all = 0.0;
    for (int j = -2; j <= 2; j++)
        for (int i = -2; i <= 2; i++) {
            ivec2 there = clamp(middle + ivec2(i, j), ivec2(0), last);
            vec2 near = max(2.5 - abs(vec2(i, j) - part), 0.0);
            float weight = near.x * near.y;
            sum += texelFetch(shadow_map, there, 0).r >= at.z ? weight : 0.0;
            all += weight;
        }
    return sum / all;
}
#elif defined(BODIES)
// The same for the shadows of bodies on land. Most of the picture is far from any: five probes tell,
// and only where they disagree all 25 texels are asked. (Loops that end at once, because not every
// driver leaves out what is in a condition.)
float sun_arrives(vec3 place, vec3 normal)
{
    float slant = clamp(1.0 - dot(normal, sun.xyz), 0.0, 1.0);
    vec3 lifted = place + normal * solid.x * (1.0 + 2.5 * slant);
    vec3 at = (sun_view * vec4(lifted, 1.0)).xyz * 0.5 + 0.5;
    bool outside = any(lessThan(at, vec3(0.0))) || any(greaterThan(at, vec3(1.0)));
    vec2 texel = at.xy * vec2(textureSize(shadow_map, 0));
    ivec2 middle = ivec2(texel), last = textureSize(shadow_map, 0) - 1;
    vec2 part = texel - vec2(middle) - 0.5;
    float arrives = 0.0;
    int probes = outside ? 0 : 5;
    for (int n = 0; n < probes; n++) {
        ivec2 off = n == 4 ? ivec2(0) : ivec2(n & 1, n >> 1) * 4 - 2;
        ivec2 there = clamp(middle + off, ivec2(0), last);
        arrives += texelFetch(shadow_map, there, 0).r >= at.z ? 0.2 : 0.0;
    }
    arrives = outside ? 1.0 : arrives;
    int texels = arrives < 0.1 || arrives > 0.9 ? 0 : 25;
    float sum = 0.0, all = 0.0;
    for (int n = 0; n < texels; n++) {
        ivec2 off = ivec2(n % 5, n / 5) - 2;
        ivec2 there = clamp(middle + off, ivec2(0), last);
        vec2 near = max(2.5 - abs(vec2(off) - part), 0.0);
        float weight = near.x * near.y;
        sum += texelFetch(shadow_map, there, 0).r >= at.z ? weight : 0.0;
        all += weight;
    }
    return texels > 0 ? sum / all : clamp(arrives, 0.0, 1.0);
}

// Part of the sky that bodies leave to a place on the ground.
float sky_beside_bodies(vec3 place)
{
    vec2 at = (place.xy - overhead.xy) * overhead.z;
    vec2 covered = textureLod(overhead_map, at, 0.0).rg;
    float gap = overhead.w + covered.g / max(covered.r, 1e-3) - place.z;
    float near = 1.0 - smoothstep(-0.1 * afloat.z, 1.6 * afloat.z, gap);
    return 1.0 - 0.8 * smoothstep(0.0, 0.6, covered.r) * near;
}
#endif

// ---- Slow noise --------------------------------------------------------------------------

// The grain tile at a sixteenth of its detail, smooth between texels. Filtered by hand: hardware
// filters bytes with few bits, and what is displaced by this noise would move in steps.
vec4 slow_noise(vec2 place)
{
    ivec2 size = textureSize(grain_tile, 4);
    vec2 at = place * vec2(size) - 0.5;
    ivec2 low = ivec2(floor(at));
    vec2 part = at - vec2(low);
    part *= part * (3.0 - 2.0 * part);
    ivec2 high = (low + 1) & (size - 1);
    low &= size - 1;
    vec4 south = mix(texelFetch(grain_tile, low, 4),
                     texelFetch(grain_tile, ivec2(high.x, low.y), 4), part.x);
    vec4 north = mix(texelFetch(grain_tile, ivec2(low.x, high.y), 4),
                     texelFetch(grain_tile, high, 4), part.x);
    return mix(south, north, part.y);
}

// ---- Small waves -------------------------------------------------------------------------

#ifdef FRAGMENT
// The level of the wave tile with texels as wide as a pixel. It is not left to the driver: each has
// a formula of its own, and at grazing angles waves would be sharper with one than with another.
float wave_level(vec2 place)
{
    vec2 right = dFdx(place), up = dFdy(place);
    float wide = sqrt(max(dot(right, right), dot(up, up))) / ripple.z;
    return log2(wide * float(textureSize(wave_tile, 0).x));
}

// Small waves that move with the water: two layers of the tile, each displaced by the flow since
// it was last reset, which happens while its weight is zero (Kellomaki section 5). Two sizes of waves,
// the smaller one across the wind. Gusts make them stronger here and weaker there and bend their
// crests, so that the tile is not recognised; running water has more of them and a film less.
// Returns slopes, their variance below the pixel, and the curvature in 1/m.
vec4 small_waves_of(vec2 place, vec4 displaced, float speed, float depth, float level)
{
    float finer = level + log2(2.7);
    vec4 gust = slow_noise(place / (ripple.z * 17.0) + domain_place.zw / 17.0);
    place += (gust.xy - 0.5) * ripple.z * 3.0;
    mat2 turn = mat2(ripple.x, -ripple.y, ripple.y, ripple.x);
    mat2 across = mat2(0.8, 0.6, -0.6, 0.8);
    vec2 first = turn * (place - displaced.xy) / ripple.z + flow_weight.z + afloat.xy;
    vec2 second = turn * (place - displaced.zw) / ripple.z + flow_weight.w + afloat.xy;
    vec2 w = flow_weight.xy;
    vec4 large = w.x * textureLod(wave_tile, first - ripple_shift.xy, level) +
                 w.y * textureLod(wave_tile, second - ripple_shift.xy, level);
    vec4 small = w.x * textureLod(wave_tile, across * first * 2.7 - ripple_shift.zw, finer) +
                 w.y * textureLod(wave_tile, across * second * 2.7 - ripple_shift.zw, finer);
    // A sum of two unrelated layers is flatter than each; this factor keeps the size constant.
    float steady = inversesqrt(dot(w, w));
    vec2 slope = steady * (large.xy * 0.8 + (small.xy * across) * 0.6) * turn;
    float squares = 0.64 * large.z + 0.36 * small.z;
    float variance = max(squares - dot(slope, slope), 0.0);
    float curvature = steady * (large.w * 0.8 + small.w * 2.7 * 0.6) / ripple.z;

    float running = 0.10 * (1.0 - exp(-0.25 * speed)) * ground[5].w;
    float film = smoothstep(0.0, 0.02 * ripple.z, depth);
    float strength = (ripple.w * (0.35 + 1.3 * gust.b) + running) * mix(0.35, 1.0, film);
    return vec4(slope, variance * strength, curvature) * strength;
}

vec4 small_waves(vec2 place, vec4 displaced, float speed, float depth)
{
    return small_waves_of(place, displaced, speed, depth, wave_level(place));
}
#endif

// ---- Fine waves and the sea --------------------------------------------------------------

#ifdef WAVE_PARTICLES
// Texture coordinates of wave particles; the last number is the layer, negative where there are none.
vec3 wave_tile_place(vec2 place)
{
    vec2 at = place * tiles.x;
    ivec2 tile = clamp(ivec2(floor(at)), ivec2(0), textureSize(wave_tile_index, 0) - 1);
    float layer = texelFetch(wave_tile_index, tile, 0).r;
    return vec3((at - vec2(tile)) * tiles.z + tiles.y, layer);
}

// How they move a point of the surface: upright.
vec3 fine_displacement(vec2 place)
{
    vec3 at = wave_tile_place(place);
    return vec3(0.0, 0.0, at.z < 0.0 ? 0.0 : textureLod(wave_tiles, at, 0.0).r);
}

#ifdef FRAGMENT
// Slopes, their variance within `wide` metres. From a level on whose texels are cells nothing of
// them is left but roughness.
vec4 fine_waves(vec2 place, float wide)
{
    vec3 at = wave_tile_place(place);
    float level = log2(wide / tile_slopes.x);
    if (at.z < 0.0)
        return vec4(0.0);
    vec4 texel = textureLod(wave_tiles, at, clamp(level, 0.0, tiles.w));
    float variance = max(texel.w - dot(texel.yz, texel.yz), 0.0);
    float gone = smoothstep(tiles.w, tiles.w + 2.0, level);
    return vec4(texel.yz * (1.0 - gone), mix(variance, tile_slopes.y, gone), 0.0);
}
#endif
#elif defined(WAVES)
// Texture coordinates of the three sets of fine waves, advected by the flow (Chentanez and Mueller
// section 2.5.2).
// The last number is the weight, which fades what the flow has pulled apart.
void fine_places(vec2 place, out vec2 places[3], out float weight)
{
    vec2 on_map = map_place(place);
    vec4 first = textureLod(advected_first, on_map, 0.0);
    vec4 last = textureLod(advected_last, on_map, 0.0);
    vec2 here = place + origin.xy;
    places[0] = (here + first.xy) * blend.w;
    places[1] = (here + first.zw) * blend.w;
    places[2] = (here + last.xy) * blend.w;
    weight = last.z;
}

// How fine waves move a point of the surface.
vec3 fine_displacement(vec2 place)
{
    vec2 places[3];
    float weight;
    fine_places(place, places, weight);
    vec3 sum = vec3(0.0);
    for (int k = 0; k < 3; k++)
        sum += blend[k] * textureLod(fine_moves, places[k], fine.x).xyz;
    return weight * sum;
}

#ifdef FRAGMENT
// Slopes, their variance within `wide` metres, curvature.
vec4 fine_waves(vec2 place, float wide)
{
    vec2 places[3];
    float weight;
    fine_places(place, places, weight);
    float level = log2(wide * blend.w * float(textureSize(fine_slopes, 0).x));
    vec4 sum = vec4(0.0);
    for (int k = 0; k < 3; k++) {
        vec4 texel = textureLod(fine_slopes, places[k], level);
        texel.z = max(texel.z - dot(texel.xy, texel.xy), 0.0);
        sum += blend[k] * texel;
    }
    // Nearer to the eye than the texture has points there are smaller waves of the same shape.
    float near = smoothstep(0.0, -2.0, level);
    for (int k = 0; near > 0.0 && k < 3; k++) {
        // Whole numbers turn and shrink the tile so that it still repeats where it did.
        vec2 smaller = mat2(4.0, 3.0, -3.0, 4.0) * places[k];
        vec4 texel = textureLod(fine_slopes, smaller, max(level + log2(5.0), 0.0));
        sum += blend[k] * near * 0.5 * vec4(texel.xy * mat2(0.8, 0.6, -0.6, 0.8), 0.0, texel.w);
    }
    return sum * vec4(weight, weight, weight * weight, weight);
}
#endif
#endif

#ifdef SEA
// How the sea moves a point of its surface: waves that the points around it can show.
vec3 sea_displacement(vec2 place)
{
    float apart = max(sea_waves.x, length(place - eye.xy) * sea.w);
    vec2 levels = log2(2.0 * apart * float(textureSize(sea_moves, 0).x) / sea.yz);
    vec2 here = place + origin.xy;
    return textureLod(sea_moves, vec3(here / sea.y, 0.0), levels.x).xyz +
           textureLod(sea_moves, vec3(here / sea.z, 1.0), levels.y).xyz;
}

// How much deeper than at the world's border the sea is, metres.
float seabed_fall(vec2 place)
{
    float away = length(place - clamp(place, vec2(0.0), grid.xy * grid.z));
    return 0.2 * away * away / (away + 10.0);
}

#ifdef FRAGMENT
// Slopes of the sea, their variance within `wide` metres, and the fold.
vec4 sea_surface(vec2 place, float wide)
{
    vec2 levels = log2(wide * float(textureSize(sea_slopes, 0).x) / sea.yz);
    vec2 here = place + origin.xy;
    vec4 long_waves = textureLod(sea_slopes, vec3(here / sea.y, 0.0), levels.x);
    vec4 short_waves = textureLod(sea_slopes, vec3(here / sea.z, 1.0), levels.y);
    float variance = max(long_waves.z - dot(long_waves.xy, long_waves.xy), 0.0) +
                     max(short_waves.z - dot(short_waves.xy, short_waves.xy), 0.0);
    vec2 slope = long_waves.xy + short_waves.xy;
    // Far away, where many tiles are seen at once, gusts make the waves stronger and weaker.
    float away = smoothstep(2.0, 8.0, length(place - eye.xy) / sea.y);
    if (away > 0.0)
        slope *= mix(1.0, 0.35 + 1.3 * slow_noise(here / (sea.y * 7.3)).b, away);
    return vec4(slope, variance, long_waves.w + short_waves.w - 1.0);
}
#endif
#endif

#if (defined(WAVES) || defined(SEA)) && !defined(FRAGMENT)
// A point of the water's own lattice as it is drawn: moved towards the crests by its slope, at most
// half a cell (Chentanez and Mueller section 2.5.1), and towards the border more and more as the sea beyond moves it.
// `moved` gets how far it has gone along x and y, and the share of the sea.
vec3 drawn_point(vec3 position, inout vec3 facing, float depth, out vec3 moved)
{
    vec2 inside = min(position.xy, grid.xy * grid.z - position.xy) * grid.w;
    float free = smoothstep(0.1, 0.6, depth * grid.w) * clamp(min(inside.x, inside.y), 0.0, 1.0);
    vec2 towards = -facing.xy / max(facing.z, 0.05) * fine.w;
    vec3 drawn = position;
    drawn.xy += clamp(towards, -0.5 * grid.z, 0.5 * grid.z) * free;
    float share = 0.0;
#ifdef SEA
    share = textureLod(sea_share, map_place(position.xy), 0.0).r;
    if (share > 0.0) {
        drawn = mix(drawn, vec3(position.xy, sea.x) + sea_displacement(position.xy), share);
        facing = normalize(mix(facing, vec3(0.0, 0.0, 1.0), share));
    }
#endif
    moved = vec3(drawn.xy - position.xy, share);
    return drawn;
}
#endif

// ---- Light on water ----------------------------------------------------------------------

#ifdef FRAGMENT
// Part of the light mirrored, for slopes with a variance (fit of Bruneton et al. 2010).
float fresnel(float cosine, float variance)
{
    float sigma = sqrt(variance);
    float grazing = pow(1.0 - cosine, 5.0 * exp(-2.69 * sigma)) / (1.0 + 22.7 * pow(sigma, 1.5));
    return liquid_body.w + (1.0 - liquid_body.w) * grazing;
}

// The sun in slopes too small to draw: Beckmann's distribution of them (Cox and Munk's glitter).
float glitter(vec3 normal, vec3 view, float variance)
{
    vec3 middle = normalize(view + sun.xyz);
    float c = max(dot(normal, middle), 1e-3);
    float tangent2 = (1.0 - c * c) / (c * c);
    float facets = exp(-tangent2 / variance) / (pi * variance * c * c * c * c);
    float toward = max(dot(normal, view), 0.12);
    return facets / (4.0 * toward) * smoothstep(0.0, 0.05, dot(normal, sun.xyz));
}
#endif

// ---- Particles ---------------------------------------------------------------------------

#ifdef FRAGMENT
// How far the nearer of ground and water is along the view, metres.
float open_distance(ivec2 pixel)
{
    float water = texelFetch(surface_distance, pixel, 0).r;
    return water > 0.0 ? water : texelFetch(scene_distance, pixel, 0).r;
}
#else
// A corner of the triangle around a particle, which faces the eye and is drawn out by how far it
// moves in so many seconds of an open shutter. `on` is 1 long at the edge of its ellipse and points
// along the motion in x; `stretch` is how many times longer than wide that is.
vec3 particle_corner(vec3 position, vec3 velocity, float radius, float shutter, out vec2 on,
                     out float stretch)
{
    on = gl_VertexID == 0   ? vec2(-1.7320508, -1.0)
         : gl_VertexID == 1 ? vec2(1.7320508, -1.0)
                            : vec2(0.0, 2.0);
    vec3 right = normalize(ray[1].xyz), up = normalize(ray[2].xyz);
    vec2 path = vec2(dot(velocity, right), dot(velocity, up)) * shutter;
    float moved = length(path);
    vec2 along = moved > 1e-3 * radius ? path / moved : vec2(1.0, 0.0);
    stretch = 1.0 + 0.5 * moved / radius;
    vec2 offset = along * on.x * stretch + vec2(-along.y, along.x) * on.y;
    return position + (right * offset.x + up * offset.y) * radius;
}

// How wide a pixel is at a place that is `away` metres along the view.
float pixel_width(float away)
{
    return away * length(ray[2].xyz) * viewport.w;
}
#endif

// ---- Overlays ----------------------------------------------------------------------------

// The scale of overlays, from dark blue by green to yellow: brightness grows all the way.
vec3 scale_colour(float part)
{
    const vec3 a = vec3(0.09, 0.04, 0.32), b = vec3(0.10, 0.32, 0.55);
    const vec3 c = vec3(0.16, 0.62, 0.48), d = vec3(0.97, 0.91, 0.18);
    float t = clamp(part, 0.0, 1.0) * 3.0;
    return t < 1.0 ? mix(a, b, t) : t < 2.0 ? mix(b, c, t - 1.0) : mix(c, d, t - 2.0);
}

// Overlays by their number in renderer.h.
bool is_painted_on_water() { return painted.x > 0.5; }
bool is_painted_on_ground() { return painted.x > 2.5 && painted.x < 3.5; } // wetness
bool is_painted_by_particles() { return painted.x > 4.5; }                 // births

// Value of the overlay for a column (depth, velocity, wetness) as a part of its scale.
float painted_part(vec4 column)
{
    float speed = length(column.yz);
    float wave = speed + sqrt(painted.z * max(column.x, 0.0));
    float value = painted.x < 1.5   ? column.x
                  : painted.x < 2.5 ? speed
                  : painted.x < 3.5 ? column.w
                                    : 1.4142 * wave * painted.w * grid.w;
    return value / painted.y;
}

#ifdef FRAGMENT
// The light that the tone curve (tone_fragment.glsl) turns into `shown`: for colours that must come
// out as a legend has them.
vec3 light_for(vec3 shown)
{
    vec3 c = min(shown, vec3(0.97));
    vec3 a = 2.51 - 2.43 * c, b = 0.59 * c - 0.03;
    return (b + sqrt(b * b + 0.56 * a * c)) / (2.0 * a) / sunlight.w;
}

// The ring of the brush on a place: how much of the ring's colour shows. On land it is a circle seen
// from above, on a solid the edge of the ball that would be cut out.
float ring_part(vec3 place, float along_view)
{
#ifdef SOLID
    float away = abs(length(place - vec3(ring.xy, solid.y)) - ring.z);
#else
    float away = abs(length(place.xy - ring.xy) - ring.z);
#endif
    float pixel = along_view * length(ray[2].xyz) * viewport.w;
    // At the edge of a hill the derivative leaps, hence its limit.
    float wide = max(0.035 * ring.z, min(fwidth(away), 8.0 * pixel));
    return ring.w * (1.0 - smoothstep(wide * 0.6, wide * 1.4, away));
}
#endif

// ---- Meniscus ----------------------------------------------------------------------------

// The tilt at the boundary: a convex meniscus (negative angle) ends at its silhouette. Normal and
// view are given towards the solid, across it, and up. rill_meniscus_normal() has the same lines.
float boundary_tilt(float angle, vec3 n, vec3 v)
{
    float a = n.x * v.x + n.z * v.z, b = n.x * v.z - n.z * v.x, c = n.y * v.y;
    float rest = a * a + b * b - c * c;
    if (angle >= 0.0)
        return angle;
    if (rest <= 0.0)
        return c >= 0.0 ? angle : 0.0;
    float seen = atan(sqrt(rest), -c) - atan(b, a);
    return -min(-angle, max(seen, 0.0));
}

// The normal that an eye sees where capillarity bends the liquid at its edge (Dagenais sections 5.2 and
// 5.3): `bend` is the direction to the solid, the angle there, and what is left of it here.
vec3 meniscus_normal(vec3 normal, vec4 bend, vec3 to_eye)
{
    float far = length(bend.xy);
    if (!(far > 0.0))
        return normal;
    vec2 e = bend.xy / far;
    vec3 n = vec3(dot(normal.xy, e), normal.y * e.x - normal.x * e.y, normal.z);
    vec3 v = vec3(dot(to_eye.xy, e), to_eye.y * e.x - to_eye.x * e.y, to_eye.z);
    float tilt = boundary_tilt(bend.z, n, v) * bend.w;
    vec3 t = vec3(n.x * cos(tilt) - n.z * sin(tilt), n.y, n.z * cos(tilt) + n.x * sin(tilt));
    float size = length(t);
    if (!(size > 0.0))
        return normal;
    return vec3(t.x * e.x - t.y * e.y, t.x * e.y + t.y * e.x, t.z) / size;
}
