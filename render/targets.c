// SPDX-License-Identifier: MIT
// targets.c - makes the textures and framebuffers between the passes.
#include "render/targets.h"

void targets_destroy(targets *t)
{
    const GLuint textures[] = {t->depth,      t->distance,     t->scene_colour,    t->surface_map,
                               t->wet_colour, t->toned_colour, t->surface_distance};
    const GLuint framebuffers[] = {t->shape, t->scene, t->sides, t->surface,
                                   t->body,  t->wet,   t->toned};
    glDeleteTextures(7, textures);
    glDeleteFramebuffers(7, framebuffers);
    *t = (targets){0};
}

static GLuint texture(const targets *t, GLenum format, bool linear)
{
    return gl_texture(&(gl_texture_def){t->width, t->height, format, linear, false, false, NULL});
}

void targets_fit(targets *t, int width, int height, bool waves)
{
    if (t->width == width && t->height == height && t->waves == waves)
        return;
    targets_destroy(t);
    t->width = width;
    t->height = height;
    t->waves = waves;
    t->depth = texture(t, GL_DEPTH24_STENCIL8, false);
    t->distance = texture(t, GL_R32F, false);
    t->shape = gl_framebuffer(t->distance, 0, t->depth);
    t->scene_colour = texture(t, GL_RGBA16F, true);
    t->scene = gl_framebuffer(t->scene_colour, 0, t->depth);
    t->sides = gl_framebuffer(t->scene_colour, t->distance, t->depth);
    t->surface_map = texture(t, GL_RGBA16F, false);
    t->surface_distance = texture(t, waves ? GL_RGBA32F : GL_R32F, false);
    t->surface = gl_framebuffer(t->surface_map, t->surface_distance, t->depth);
    t->body = gl_framebuffer(t->surface_map, t->distance, t->depth);
    t->wet_colour = texture(t, GL_RGBA16F, true);
    t->wet = gl_framebuffer(t->wet_colour, 0, t->depth);
    t->toned_colour = texture(t, GL_RGBA16F, true);
    t->toned = gl_framebuffer(t->toned_colour, 0, 0);
}
