// SPDX-License-Identifier: MIT
// side_fragment.glsl - the cut sides of the block: soil below the surface, then layers of rock.

in vec3 place;
in vec3 facing;
in float bed;
layout(location = 0) out vec4 colour;
layout(location = 1) out float along_view;

void main()
{
    float along = dot(place.xy + domain_place.xy, abs(facing.yx));
    float size = ground[4].w;
    vec4 coarse = texture(grain_tile, vec2(along, place.z * 2.5) / (size * 9.0));
    vec4 fine = texture(grain_tile, vec2(along, place.z * 2.0) / (size * 2.0));
    float below = bed - place.z;
    float layer = 0.5 + 0.5 * sin((place.z + (coarse.b - 0.5) * size * 1.5) * 4.0 / size);
    vec3 rock = ground[4].rgb * (0.5 + 0.28 * layer + 0.3 * (fine.b - 0.5));
    vec3 soil = mix(ground[1].rgb, ground[4].rgb, 0.35) * (0.35 + 0.4 * fine.b);
    float rooted = smoothstep(0.1, 0.3, below / size + 0.4 * (fine.b - 0.5));
    vec3 reflectance = mix(soil, rock, rooted);
    float lit = max(dot(facing, sun.xyz), 0.0);
    vec3 light = sunlight.rgb * lit + skylight.rgb * 0.8;
    vec3 view = eye.xyz - place;
    float distance = length(view);
    colour = vec4(through_haze(reflectance * light, -view / distance, distance), 1.0);
    along_view = distance_along_view();
}
