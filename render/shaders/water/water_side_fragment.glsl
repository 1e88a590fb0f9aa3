// SPDX-License-Identifier: MIT
// water_side_fragment.glsl - the cut side of the water at the border of the block: a pane through
// which the liquid is seen.

in vec3 place;
in vec3 facing;
#ifdef SOLID
in float level;
#else
in float bed;
#endif
out vec4 colour;

void main()
{
    vec2 at = gl_FragCoord.xy * viewport.zw;
    vec3 view = eye.xyz - place;
    float distance = length(view);
    view /= distance;
    vec3 clear_air = clearness(distance);
    float behind = textureLod(scene_distance, at, 0.0).r;
    float path = max(behind - distance_along_view(), 0.0);
#ifdef SOLID
    float surface = level;
    path = min(path, 40.0 * grid.z);
#else
    // Behind the pane the water is seldom wider than a few times its depth.
    float surface = bed + texture(column_map, map_place(place.xy)).r;
    path = min(path, 4.0 * (surface - bed) + grid.z);
#endif
    vec3 below = max(textureLod(scene_colour, at, 0.0).rgb - horizon.rgb * (1.0 - clear_air), 0.0);
#ifndef SOLID
    if (behind > 0.999 * planes.y)
        below = vec3(0.0); // out at the other side of the block: no sky in the depth
#endif
    vec3 down = exp(-liquid_fade.rgb * max(surface - place.z, 0.0));
    vec3 glow = liquid_body.rgb * (1.0 - exp(-2.0 * liquid_fade.rgb * path)) *
                (sunlight.rgb * max(sun.z, 0.05) + skylight.rgb) * down;
    float grazing = pow(1.0 - max(dot(facing, view), 0.0), 5.0);
    float mirrored = mix(liquid_body.w, 1.0, grazing);
    vec3 along = reflect(-view, facing);
#ifdef STUDIO
    vec3 mirror = environment(along, 0.02);
#else
    vec3 mirror = backdrop(along, 2.0);
#endif
    vec3 wet = (below * exp(-liquid_path.rgb * path) + glow * clear_air) * (1.0 - mirrored) +
               mirror * mirrored * clear_air;
    colour = vec4(wet + horizon.rgb * (1.0 - clear_air), 1.0);
}
