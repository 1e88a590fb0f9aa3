// SPDX-License-Identifier: MIT
// fine_vertex.glsl - a point of a quad of the water's lattice that is drawn in four times its
// detail: between the four corners, as the coarse mesh has them, and displaced by fine waves. On an
// edge it depends on the two corners there alone, so that neighbours meet.

layout(location = 0) in vec2 quad; // cell at the lower corner

out vec3 place;
out vec3 facing;
out vec4 column; // depth, velocity, opacity
out vec3 moved;  // by waves along x and y; share of the sea

struct corner {
    vec3 rest, drawn, facing, moved;
    vec4 column;
    float weight;
};

corner corner_at(ivec2 cell)
{
    corner c;
    vec4 point = texelFetch(point_map, cell, 0);
    c.rest = vec3((vec2(cell) + 0.5) * grid.z, point.x);
    c.facing = vec3(point.yz, sqrt(max(1.0 - dot(point.yz, point.yz), 0.0)));
    c.column = vec4(texelFetch(column_map, cell, 0).xyz, 1.0);
    c.drawn = drawn_point(c.rest, c.facing, c.column.x, c.moved);
    c.weight = point.w * (1.0 - c.moved.z);
    return c;
}

corner between(corner a, corner b, float part)
{
    return corner(mix(a.rest, b.rest, part), mix(a.drawn, b.drawn, part),
                  mix(a.facing, b.facing, part), mix(a.moved, b.moved, part),
                  mix(a.column, b.column, part), mix(a.weight, b.weight, part));
}

void main()
{
    ivec2 low = ivec2(quad);
    vec2 part = 0.25 * vec2(float(gl_VertexID % 5), float(gl_VertexID / 5));
    corner south = between(corner_at(low), corner_at(low + ivec2(1, 0)), part.x);
    corner north = between(corner_at(low + ivec2(0, 1)), corner_at(low + ivec2(1, 1)), part.x);
    corner c = between(south, north, part.y);
    place = c.drawn;
    facing = normalize(c.facing);
    column = c.column;
    moved = c.moved;
    float fade = 1.0 - smoothstep(fine.y, fine.z, length(c.rest - eye.xyz));
    float weight = c.weight * fade;
    if (weight > 0.0) {
        vec3 displaced = weight * fine_displacement(c.rest.xy);
        place += displaced;
        moved.xy += displaced.xy;
    }
    gl_Position = view_projection * vec4(place, 1.0);
}
