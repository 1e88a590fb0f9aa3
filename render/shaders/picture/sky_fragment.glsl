// SPDX-License-Identifier: MIT
// sky_fragment.glsl - what is seen where there is no ground: sky, clouds, the sun; or the floor and
// the wall of a studio.

in vec2 at;
out vec4 colour;

#ifdef STUDIO
// How near the floor is to the foot of the block, 1 beside it: there the block hides the studio.
float beside_block(vec2 place)
{
    vec2 size = grid.xy * grid.z;
    float away = length(max(max(-place, place - size), 0.0));
    return exp(-away / (0.09 * max(size.x, size.y)));
}

// The floor lies under the block and bends up into the wall far behind it, without an edge. All of
// it is as dim as a backdrop should be.
void main()
{
    vec3 direction = view_ray(at);
    vec3 paper = vec3(0.20, 0.225, 0.255);
    float side = max(grid.x, grid.y) * grid.z;
    float climb = normalize(direction).z;
    vec3 wall = paper * (sunlight.rgb * 0.35 + skylight.rgb) *
                mix(0.62, 0.36, smoothstep(-0.1, 0.7, climb));
    float ahead = (planes.z - eye.z) / min(direction.z, -1e-6);
    vec3 place = eye.xyz + direction * ahead;
    vec2 out_by = place.xy - 0.5 * grid.xy * grid.z;
    float sunny = 1.0;
#ifdef SOLID
    sunny = sun_arrives(place, vec3(0.0, 0.0, 1.0));
#endif
    float open = 1.0 - 0.55 * beside_block(place.xy);
    float pool = exp(-dot(out_by, out_by) / (2.6 * side * side));
    vec3 lit = paper * (sunlight.rgb * sun.z * mix(0.35, 1.0, pool) * sunny +
                        skylight.rgb * open * mix(0.7, 1.0, pool));
    float on_floor = direction.z < 0.0 ? smoothstep(4.5 * side, 1.6 * side, length(out_by)) : 0.0;
    colour = vec4(mix(wall, lit, on_floor), 1.0);
}
#else
void main()
{
    vec3 direction = normalize(view_ray(at));
    vec3 seen = backdrop(direction, 0.0);
    // The disc is half a degree wide, and a bright ring around it is what a lens makes of it.
    float away = acos(clamp(dot(direction, sun.xyz), -1.0, 1.0));
    float cover = direction.z > 0.0 ? cloud_cover(direction, 0.0) * step(0.001, skylight.w) : 1.0;
    float disc = smoothstep(0.0062, 0.0045, away) * 60.0 + exp(-away * 42.0) * 0.9;
    seen += sunlight.rgb * disc * (1.0 - cover);
    colour = vec4(seen, 1.0);
}
#endif
