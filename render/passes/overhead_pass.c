// SPDX-License-Identifier: MIT
// overhead_pass.c - draws the map of what bodies cover from above.
#include "render/passes/overhead_pass.h"

#include <math.h>

#define SMALLEST_MAP 64
#define LARGEST_MAP  256
#define ACROSS       5.0f // texels over half of a thing, if the map allows
#define BORDER       8.0f // texels around all things: as far as the blur reaches, and one more

static void delete_map(overhead *o)
{
    const GLuint textures[] = {o->first, o->second, o->depth};
    const GLuint targets[] = {o->covered, o->blurred};
    glDeleteTextures(3, textures);
    glDeleteFramebuffers(2, targets);
}

void overhead_destroy(overhead *o)
{
    glDeleteProgram(o->program);
    glDeleteProgram(o->blur);
    delete_map(o);
    *o = (overhead){0};
}

static bool build(overhead *o)
{
    if (o->program == 0 && !o->refused) {
        o->program = gl_program("overhead_vertex", "overhead_fragment", "");
        o->blur = o->program != 0 ? gl_program("screen_vertex", "overhead_blur_fragment", "") : 0;
        o->refused = o->blur == 0;
    }
    return !o->refused;
}

static void make_map(overhead *o, int side)
{
    if (side == o->side)
        return;
    delete_map(o);
    o->side = side;
    const gl_texture_def colours = {side, side, GL_RGBA16F, true, false, false, NULL};
    o->first = gl_texture(&colours);
    o->second = gl_texture(&colours);
    o->depth =
        gl_texture(&(gl_texture_def){side, side, GL_DEPTH24_STENCIL8, false, false, false, NULL});
    o->covered = gl_framebuffer(o->first, 0, o->depth);
    o->blurred = gl_framebuffer(o->second, 0, 0);
}

// Chooses the square that the map covers: its lower corner, the inverse of its edge, and the
// elevation that undersides are counted from.
static int choose_square(const overhead_things *things, float square[4])
{
    const float wide = things->high[0] - things->low[0], tall = things->high[1] - things->low[1];
    const float longest = fmaxf(fmaxf(wide, tall), 1e-6f);
    const float wanted = fmaxf(things->size, 1e-6f) / ACROSS;
    int side = SMALLEST_MAP;
    while (side < LARGEST_MAP && longest > wanted * ((float)side - 2.0f * BORDER))
        side *= 2;
    const float texel = fmaxf(longest / ((float)side - 2.0f * BORDER), wanted);
    const float edge = texel * (float)side;
    square[0] = 0.5f * (things->low[0] + things->high[0]) - 0.5f * edge;
    square[1] = 0.5f * (things->low[1] + things->high[1]) - 0.5f * edge;
    square[2] = 1.0f / edge;
    square[3] = things->low[2];
    return side;
}

static void draw_things(const overhead *o, const overhead_things *things, const float square[4])
{
    static const GLfloat nothing[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    glBindFramebuffer(GL_FRAMEBUFFER, o->covered);
    glViewport(0, 0, o->side, o->side);
    glDisable(GL_BLEND);
    glDisable(GL_CULL_FACE);
    glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_TRUE);
    glDepthFunc(GL_LEQUAL);
    glClearBufferfv(GL_COLOR, 0, nothing);
    glClear(GL_DEPTH_BUFFER_BIT);
    glUseProgram(o->program);
    glUniform4fv(glGetUniformLocation(o->program, "square"), 1, square);
    glUniform1f(glGetUniformLocation(o->program, "tall"),
                fmaxf(things->high[2] - things->low[2], 1e-6f));
    glBindVertexArray(things->array);
    glDrawElements(GL_TRIANGLES, things->index_count, GL_UNSIGNED_INT, NULL);
}

static void blur(const overhead *o, GLuint from, GLuint to, float x, float y)
{
    glBindFramebuffer(GL_FRAMEBUFFER, to);
    gl_bind(UNIT_PICTURE, from);
    glUniform2f(glGetUniformLocation(o->blur, "along"), x, y);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

void overhead_draw(overhead *o, const overhead_things *things, GLuint no_points, frame_block *block)
{
    for (int k = 0; k < 4; k++)
        block->overhead[k] = 0.0f;
    if (things->index_count == 0 || !build(o))
        return;
    make_map(o, choose_square(things, block->overhead));
    draw_things(o, things, block->overhead);
    glDisable(GL_DEPTH_TEST);
    glBindVertexArray(no_points);
    glUseProgram(o->blur);
    blur(o, o->first, o->blurred, 1.0f, 0.0f);
    blur(o, o->second, o->covered, 0.0f, 1.0f);
    gl_bind(UNIT_PICTURE, 0);
    glBindVertexArray(0);
}

GLuint overhead_map(const overhead *o)
{
    return o->first;
}
