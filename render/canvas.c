// SPDX-License-Identifier: MIT
// canvas.c - pictures in memory: a framebuffer of eight bits, and reading it.
#include "render/renderer.h"

#include "render/gl.h"
#include "render/render_error.h"

#include <stdlib.h>
#include <string.h>

struct canvas {
    GLuint colour, framebuffer;
};

rill_status canvas_create(int width, int height, canvas **out)
{
    *out = NULL;
    GLint longest = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &longest);
    if (width < 1 || height < 1 || width > longest || height > longest)
        return render_fail(RILL_BAD_ARGUMENT,
                           "a picture of %d x %d pixels; each side is from 1 to %d", width, height,
                           longest);
    canvas *c = calloc(1, sizeof *c);
    if (c == NULL)
        return render_fail(RILL_NO_MEMORY, "no memory for a picture of %d x %d pixels", width,
                           height);
    c->colour = gl_texture(&(gl_texture_def){width, height, GL_RGBA8, false, false, false, NULL});
    c->framebuffer = gl_framebuffer(c->colour, 0, 0);
    const GLenum state = glCheckFramebufferStatus(GL_FRAMEBUFFER);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    if (state != GL_FRAMEBUFFER_COMPLETE) {
        canvas_destroy(&c);
        return render_fail(RILL_NO_BACKEND, "the driver cannot make a picture of %d x %d pixels",
                           width, height);
    }
    *out = c;
    return RILL_OK;
}

void canvas_destroy(canvas **c)
{
    if (c == NULL || *c == NULL)
        return;
    glDeleteTextures(1, &(*c)->colour);
    glDeleteFramebuffers(1, &(*c)->framebuffer);
    free(*c);
    *c = NULL;
}

unsigned canvas_framebuffer(const canvas *c)
{
    return c->framebuffer;
}

// RGBA is what every driver gives without converting; three of its bytes stay, from the last row to
// the first, in place.
void canvas_read(unsigned target, int width, int height, uint8_t *rgb)
{
    const size_t row = (size_t)width * 4;
    uint8_t *rows = malloc(row * (size_t)height);
    if (rows == NULL) {
        memset(rgb, 0, (size_t)width * (size_t)height * 3);
        return;
    }
    glBindFramebuffer(GL_FRAMEBUFFER, target);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, rows);
    for (int y = 0; y < height; y++) {
        const uint8_t *from = rows + row * (size_t)(height - 1 - y);
        uint8_t *to = rgb + (size_t)y * (size_t)width * 3;
        for (int x = 0; x < width; x++)
            memcpy(to + 3 * x, from + 4 * x, 3);
    }
    free(rows);
}
