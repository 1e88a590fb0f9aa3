// SPDX-License-Identifier: MIT
in float bright;
out vec4 colour;

void main()
{
    colour = vec4(light_for(vec3(bright)), 1.0);
}
