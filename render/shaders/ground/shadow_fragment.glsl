// SPDX-License-Identifier: MIT
// shadow_fragment.glsl - nothing but depth is written, and nothing at all where liquid is too thin to
// cast a shadow.

in float depth;
uniform float thin; // metres; 0 for the ground

void main()
{
    if (depth < thin)
        discard;
}
