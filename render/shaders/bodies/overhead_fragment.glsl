// SPDX-License-Identifier: MIT
// overhead_fragment.glsl - something is over this place, and this is how high it is.

in float above;
out vec4 covered; // 1; metres

void main()
{
    covered = vec4(1.0, above, 0.0, 1.0);
}
