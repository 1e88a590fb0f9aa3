// SPDX-License-Identifier: MIT
// flow_fragment.glsl - advects with the water by one frame, a texel a cell: the displacement of
// each layer of moving detail since it was last reset, and the foam.

in vec2 at;
uniform vec4 advance; // seconds; 1 puts the first layer back; the second; 1 starts everything anew
uniform vec2 shift;   // of the domain over the full terrain since the last time, metres
layout(location = 0) out vec4 displaced;
layout(location = 1) out vec4 foam;

// The level of the water in a cell, or of this one's where that is dry: no cliff at the shore.
float level(ivec2 cell, float otherwise)
{
    cell = clamp(cell, ivec2(0), ivec2(grid.xy) - 1);
    float depth = texelFetch(column_map, cell, 0).r;
    return depth > planes.w ? texelFetch(height_map, cell, 0).r + depth : otherwise;
}

void main()
{
    ivec2 cell = ivec2(gl_FragCoord.xy);
    vec2 place = gl_FragCoord.xy * grid.z;
    vec4 column = texelFetch(column_map, cell, 0);
    vec2 moved = column.yz * advance.x;
    vec2 from = place - moved + shift;
    bool wet = column.x > planes.w;
    vec4 advected = smooth_fetch(flow_map, from) + vec4(moved, moved);
    float left = 1.0 - advance.w;
    displaced = wet ? advected * left * vec4(1.0 - advance.yy, 1.0 - advance.zz) : vec4(0.0);

    // Water foams where it falls fast along its own slope: metres of height lost a second.
    float here = level(cell, 0.0);
    vec2 slope = vec2(level(cell + ivec2(1, 0), here) - level(cell - ivec2(1, 0), here),
                      level(cell + ivec2(0, 1), here) - level(cell - ivec2(0, 1), here)) *
                 0.5 * grid.w;
    float falling = length(slope) * length(column.yz);
    float born = smoothstep(0.5, 3.0, falling);
    float old = texture(foam_map, map_place(from)).r * exp(-advance.x / 3.5);
    // What has come in over the border brings no foam.
    vec2 was = place + shift;
    if (any(lessThan(was, vec2(0.0))) || any(greaterThan(was, grid.xy * grid.z)))
        old = 0.0;
    foam = vec4(wet ? clamp(old * left + born * advance.x * 0.55, 0.0, 1.0) : 0.0, 0.0, 0.0, 1.0);
}
