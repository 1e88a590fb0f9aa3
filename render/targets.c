// SPDX-License-Identifier: MIT
#include "render/targets.h"

void targets_destroy(targets *t)
{
    const GLuint textures[] = {t->scene_colour, t->scene_depth, t->wet_colour, t->wet_depth,
                               t->toned_colour};
    const GLuint framebuffers[] = {t->scene, t->wet, t->toned};
    glDeleteTextures(5, textures);
    glDeleteFramebuffers(3, framebuffers);
    *t = (targets){0};
}

void targets_fit(targets *t, int width, int height)
{
    if (t->width == width && t->height == height)
        return;
    targets_destroy(t);
    const gl_texture_def light = {width, height, GL_RGBA16F, true, false, false, 0};
    const gl_texture_def depth = {width, height, GL_DEPTH_COMPONENT24, false, false, false, 0};
    t->width = width;
    t->height = height;
    t->scene_colour = gl_texture(&light);
    t->scene_depth = gl_texture(&depth);
    t->scene = gl_framebuffer(t->scene_colour, 0, t->scene_depth);
    t->wet_colour = gl_texture(&light);
    t->wet_depth = gl_texture(&depth);
    t->wet = gl_framebuffer(t->wet_colour, 0, t->wet_depth);
    t->toned_colour = gl_texture(&light);
    t->toned = gl_framebuffer(t->toned_colour, 0, 0);
}
