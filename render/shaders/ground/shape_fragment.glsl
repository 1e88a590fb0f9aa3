// SPDX-License-Identifier: MIT
// shape_fragment.glsl - the ground before there is light on it: how far it is. It is shaded in one
// go over the picture (ground_fragment.glsl), once a pixel however small the triangles are.

in vec3 place;
layout(location = 0) out float along_view;

void main()
{
    along_view = distance_along_view();
}
