// SPDX-License-Identifier: MIT
// foam_light_fragment.glsl - gathered foam on the water: thin foam is a lace of bubbles, thick foam
// a cover with few holes. It is matt: sun and sky light it by how the water lies.

in vec2 at;
out vec4 colour;

void main()
{
    float amount = textureLod(picture, at, 0.0).r;
    if (amount <= 0.004)
        discard;
    float here = texelFetch(surface_distance, ivec2(gl_FragCoord.xy), 0).r;
    if (here <= 0.0)
        discard;
    vec4 surface = texelFetch(surface_map, ivec2(gl_FragCoord.xy), 0);
    vec3 normal = vec3(surface.xy, sqrt(max(1.0 - dot(surface.xy, surface.xy), 0.0)));
    vec3 place = eye.xyz + view_ray(at) * here;
    vec4 displaced = smooth_fetch(flow_map, place.xy);
    float pattern = bubbles(place, normal, displaced);
    amount = 0.9 * (1.0 - exp(-0.55 * amount));
    float cover = 0.9 * smoothstep(0.25, 1.0, amount + 1.1 * (pattern - 0.42) * (1.15 - amount));

#ifdef SOLID
    float open = 1.0, lit = sun_arrives(place, normal);
#else
    vec4 relief = textureLod(relief_map, map_place(place.xy), 0.0);
    float open = relief.z, lit = sunshine(relief.w, surface.z);
#ifdef BODIES
    lit *= sun_arrives(place, normal);
#endif
#endif
    vec3 foam = foam_material.rgb * (sunlight.rgb * lit * max(dot(normal, sun.xyz), 0.15) +
                                 skylight.rgb * open) * (0.55 + 0.6 * pattern);
    vec3 clear_air = clearness(length(eye.xyz - place));
    colour = vec4(mix(horizon.rgb, foam, clear_air), cover);
}
