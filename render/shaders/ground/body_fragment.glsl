// SPDX-License-Identifier: MIT
// body_fragment.glsl - a solid ground before there is light on it: how it lies and how far it is. It
// is shaded in one go over the picture (solid_fragment.glsl).

in vec4 lies;
layout(location = 0) out vec4 body; // normal; openness, negative where the world is cut off
layout(location = 1) out float along_view;

void main()
{
    // The inside of a surface is only seen where the solid is cut open.
    body = gl_FrontFacing ? vec4(normalize(lies.xyz), lies.w) : vec4(-normalize(lies.xyz), -1.0);
    along_view = distance_along_view();
}
