// SPDX-License-Identifier: MIT
// arrow_fragment.glsl - arrows are white and take no light.

out vec4 colour;

void main()
{
    colour = vec4(light_for(vec3(0.9)), 1.0);
}
