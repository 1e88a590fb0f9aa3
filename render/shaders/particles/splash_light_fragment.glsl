// SPDX-License-Identifier: MIT
// splash_light_fragment.glsl - the light of water on smoothed splashes: as on its surface
// (water_fragment.glsl), with the thickness that was gathered; white where there is much air in it.

in vec2 at;
uniform float nearest, radius; // metres
out vec4 colour;

void main()
{
    vec4 splash = textureLod(picture, at, 0.0);
    if (splash.g <= 0.08)
        discard;
    float here = splash.a + nearest, behind = open_distance(ivec2(gl_FragCoord.xy));
    float shown = smoothstep(0.08, 0.8, splash.g) * smoothstep(0.0, radius, behind - here);
    if (shown <= 0.004)
        discard;
    vec3 place = eye.xyz + view_ray(at) * here, view = eye.xyz - place;
    float distance = length(view);
    vec3 clear_air = clearness(distance);
    view /= distance;
    vec4 shape = textureLod(surface_map, at, 0.0);
    vec3 facing = normalize(shape.xyz + view * 1e-3);
    vec3 normal = normalize(mix(view, facing, 0.8));
    float thick = splash.r, variance = foam_material.w + 0.01;
    float cosine = max(dot(normal, view), 0.02);

#ifdef SOLID
    float lit = sun_arrives(place, normal);
#else
    vec4 relief = textureLod(relief_map, map_place(place.xy), 0.0);
    float lit = sunshine(relief.w, place.z - smooth_fetch(height_map, place.xy).r);
#endif
    vec2 aside = vec2(dot(normal - view, normalize(ray[1].xyz)),
                      dot(normal - view, normalize(ray[2].xyz)));
    vec2 scale = vec2(viewport.y / viewport.x, 1.0) / (here * length(ray[2].xyz));
    vec2 bent = at - aside * (1.0 - liquid_path.w) * (thick + 2.0 * radius) * scale;
    vec3 below = textureLod(scene_colour, bent, 0.0).rgb;
    below = max(below - horizon.rgb * (1.0 - clear_air), 0.0);
    // Its own colour and that of the air in it: lit from all sides, most from the sun's, and from
    // behind where it is thin.
    float through = pow(max(-dot(view, sun.xyz), 0.0), 4.0);
    float sunny = lit * (0.2 + 0.8 * max(dot(facing, sun.xyz), 0.0) + 0.5 * through);
    vec3 light = sunlight.rgb * sunny + skylight.rgb * (0.65 + 0.35 * facing.z);
    light *= min(shape.w, 1.2);
    vec3 glow = liquid_body.rgb * (1.0 - exp(-2.0 * liquid_fade.rgb * thick)) * light;

    vec3 along = reflect(-view, normal);
#ifdef STUDIO
    vec3 mirror = environment(along, sqrt(variance));
#else
    // What is mirrored from below is like what is seen behind.
    vec3 mirror = environment(normalize(vec3(along.xy, abs(along.z) + 0.01)), sqrt(variance));
    mirror = mix(mirror, below, smoothstep(0.1, -0.25, along.z));
#endif
    float mirrored = fresnel(cosine, variance);
    float aslant = 1.0 - max(dot(view, normalize(view + sun.xyz)), 0.0);
    vec3 sparkle = sunlight.rgb * pi * glitter(normal, view, variance + 0.003) * lit *
                   mix(liquid_body.w, 1.0, pow(aslant, 5.0));
    sparkle /= 1.0 + sparkle / 7.0;
#ifdef STUDIO
    sparkle = vec3(0.0); // its lamp is in the mirror already
#endif
    vec3 wet = (below * exp(-liquid_path.rgb * thick) + glow * clear_air) * (1.0 - mirrored) +
               (mirror * mirrored + sparkle) * clear_air;

    float white = splash.b / max(splash.g, 1e-3) * (1.0 - exp(-0.9 * splash.g));
    wet = mix(wet, foam_material.rgb * light * clear_air, white);
    colour = vec4(wet + horizon.rgb * (1.0 - clear_air), shown);
}
