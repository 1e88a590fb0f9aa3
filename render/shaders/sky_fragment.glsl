// SPDX-License-Identifier: MIT
// sky_fragment.glsl - what is seen where there is no ground: sky, clouds, the sun.

in vec2 at;
out vec4 colour;

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
