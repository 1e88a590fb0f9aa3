// SPDX-License-Identifier: MIT
// birth_fragment.glsl - see birth_vertex.glsl.

in vec2 on;
in vec4 tint;
out vec4 colour;

void main()
{
    if (dot(on, on) > 1.0)
        discard;
    colour = vec4(light_for(tint.rgb), 1.0);
}
