// SPDX-License-Identifier: MIT
// gl.c - programs, textures and framebuffers of OpenGL.
#include "render/gl.h"

#include "render/render_error.h"
#include "render/shaders.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// One source for desktop, ES and the browser: only the first lines differ.
static const char *const desktop_preamble = "#version 330 core\n";
static const char *const embedded_preamble = "#version 300 es\n"
                                             "precision highp float;\n"
                                             "precision highp int;\n"
                                             "precision highp sampler2D;\n";

static const char *const sampler_names[UNIT_COUNT] = {
    [UNIT_HEIGHT] = "height_map",
    [UNIT_RELIEF] = "relief_map",
    [UNIT_COLUMNS] = "column_map",
    [UNIT_FLOW] = "flow_map",
    [UNIT_FOAM] = "foam_map",
    [UNIT_WAVES] = "wave_tile",
    [UNIT_GRAIN] = "grain_tile",
    [UNIT_BUBBLES] = "bubble_tile",
    [UNIT_SKY] = "sky_map",
    [UNIT_SCENE] = "scene_colour",
    [UNIT_DISTANCE] = "scene_distance",
    [UNIT_SURFACE] = "surface_map",
    [UNIT_SURFACE_DISTANCE] = "surface_distance",
    [UNIT_SHADOW] = "shadow_map",
    [UNIT_OVERHEAD] = "overhead_map",
    [UNIT_PICTURE] = "picture",
    [UNIT_FINE_MOVES] = "fine_moves",
    [UNIT_FINE_SLOPES] = "fine_slopes",
    [UNIT_ADVECTED_FIRST] = "advected_first",
    [UNIT_ADVECTED_LAST] = "advected_last",
    [UNIT_POINTS] = "point_map",
    [UNIT_SEA_MOVES] = "sea_moves",
    [UNIT_SEA_SLOPES] = "sea_slopes",
    [UNIT_SEA_SHARE] = "sea_share",
    [UNIT_WAVE_TILES] = "wave_tiles",
    [UNIT_WAVE_TILE_INDEX] = "wave_tile_index",
    [UNIT_LANDSCAPE] = "landscape_map",
};

// ---- Programs --------------------------------------------------------------------------

static const char *find_shader(const char *name)
{
    for (const shader_file *file = shader_files; file->name != NULL; file++)
        if (strcmp(file->name, name) == 0)
            return file->text;
    return NULL;
}

static GLuint compile(GLenum stage, const char *name, const char *variant)
{
    const char *texts[] = {epoxy_is_desktop_gl() ? desktop_preamble : embedded_preamble,
                           stage == GL_FRAGMENT_SHADER ? "#define FRAGMENT\n" : "", variant,
                           find_shader("common"), find_shader(name)};
    if (texts[3] == NULL || texts[4] == NULL) {
        render_fail(RILL_NO_BACKEND, "the shader \"%s\" is not in this build", name);
        return 0;
    }
    const GLuint shader = glCreateShader(stage);
    glShaderSource(shader, 5, texts, NULL);
    glCompileShader(shader);
    GLint good = 0;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    if (good)
        return shader;
    char log[400] = "";
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    log[strcspn(log, "\n")] = '\0';
    glDeleteShader(shader);
    render_fail(RILL_NO_BACKEND, "the driver refuses the shader \"%s\": %s", name, log);
    return 0;
}

static void bind_names(GLuint program)
{
    glUseProgram(program);
    for (int unit = 0; unit < UNIT_COUNT; unit++) {
        const GLint location = glGetUniformLocation(program, sampler_names[unit]);
        if (location >= 0)
            glUniform1i(location, unit);
    }
    const GLuint block = glGetUniformBlockIndex(program, "Frame");
    if (block != GL_INVALID_INDEX)
        glUniformBlockBinding(program, block, 0);
    const GLuint waves = glGetUniformBlockIndex(program, "Waves");
    if (waves != GL_INVALID_INDEX)
        glUniformBlockBinding(program, waves, 1);
}

GLuint gl_program(const char *vertex, const char *fragment, const char *variant)
{
    const GLuint vertex_shader = compile(GL_VERTEX_SHADER, vertex, variant);
    const GLuint fragment_shader =
        vertex_shader ? compile(GL_FRAGMENT_SHADER, fragment, variant) : 0;
    if (!fragment_shader) {
        glDeleteShader(vertex_shader);
        return 0;
    }
    const GLuint program = glCreateProgram();
    glAttachShader(program, vertex_shader);
    glAttachShader(program, fragment_shader);
    glLinkProgram(program);
    glDeleteShader(vertex_shader);
    glDeleteShader(fragment_shader);
    GLint good = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &good);
    if (good) {
        bind_names(program);
        return program;
    }
    char log[400] = "";
    glGetProgramInfoLog(program, sizeof log, NULL, log);
    log[strcspn(log, "\n")] = '\0';
    glDeleteProgram(program);
    render_fail(RILL_NO_BACKEND, "the driver cannot link the shader \"%s\": %s", fragment, log);
    return 0;
}

// ---- Textures --------------------------------------------------------------------------

typedef struct texel_kind {
    GLenum format, layout, type;
} texel_kind;

static texel_kind kind_of(GLenum format)
{
    static const texel_kind kinds[] = {
        {GL_R8, GL_RED, GL_UNSIGNED_BYTE},
        {GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE},
        {GL_R32F, GL_RED, GL_FLOAT},
        {GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT},
        {GL_RGBA32F, GL_RGBA, GL_FLOAT},
        {GL_DEPTH24_STENCIL8, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8},
        {GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT},
    };
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        if (kinds[k].format == format)
            return kinds[k];
    return kinds[1];
}

static bool is_power_of_two(int n)
{
    return n > 0 && (n & (n - 1)) == 0;
}

// Coarser levels of a square tile of bytes, each the mean of four texels of the one before. Drivers
// make such levels too, but each rounds in its own way, and small waves, which the tile's coarse
// noise displaces, would lie elsewhere with each. False for textures of another kind.
static bool fill_levels(const gl_texture_def *def, texel_kind kind)
{
    if (kind.type != GL_UNSIGNED_BYTE || def->texels == NULL || def->width != def->height ||
        !is_power_of_two(def->width))
        return false;
    const int channels = kind.layout == GL_RED ? 1 : 4;
    const uint8_t *bytes = def->texels;
    const size_t count = (size_t)def->width * (size_t)def->width * (size_t)channels;
    float *exact = malloc(count * sizeof *exact);
    uint8_t *rounded = malloc(count);
    const bool enough = exact != NULL && rounded != NULL;
    for (size_t n = 0; enough && n < count; n++)
        exact[n] = bytes[n];
    for (int level = 1, side = def->width / 2; enough && side > 0; level++, side /= 2) {
        const int east = channels, north = 2 * side * channels;
        for (int n = 0; n < side * side * channels; n++) {
            const int i = n / channels % side, j = n / channels / side, c = n % channels;
            const float *from = exact + 2 * j * north + 2 * i * channels + c;
            exact[n] = 0.25f * (from[0] + from[east] + from[north] + from[north + east]);
            rounded[n] = (uint8_t)(exact[n] + 0.5f);
        }
        glTexImage2D(GL_TEXTURE_2D, level, (GLint)def->format, side, side, 0, kind.layout,
                     kind.type, rounded);
    }
    free(exact);
    free(rounded);
    return enough;
}

GLuint gl_texture(const gl_texture_def *def)
{
    const texel_kind kind = kind_of(def->format);
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glActiveTexture(GL_TEXTURE0 + UNIT_PICTURE);
    glBindTexture(GL_TEXTURE_2D, texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, (GLint)def->format, def->width, def->height, 0, kind.layout,
                 kind.type, def->texels);
    const GLint wrap = def->repeat ? GL_REPEAT : GL_CLAMP_TO_EDGE;
    const GLint large = def->linear ? GL_LINEAR : GL_NEAREST;
    const GLint small = def->mipmaps ? GL_LINEAR_MIPMAP_LINEAR : large;
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, wrap);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, wrap);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, large);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, small);
    if (def->mipmaps && !fill_levels(def, kind))
        glGenerateMipmap(GL_TEXTURE_2D);
    return texture;
}

void gl_texture_rows(GLuint texture, GLenum format, int width, int y, int height,
                     const void *texels)
{
    const texel_kind kind = kind_of(format);
    glActiveTexture(GL_TEXTURE0 + UNIT_PICTURE);
    glBindTexture(GL_TEXTURE_2D, texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, y, width, height, kind.layout, kind.type, texels);
}

void gl_bind(int unit, GLuint texture)
{
    glActiveTexture((GLenum)(GL_TEXTURE0 + unit));
    glBindTexture(GL_TEXTURE_2D, texture);
}

GLuint gl_framebuffer(GLuint colour, GLuint colour2, GLuint depth)
{
    static const GLenum buffers[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
    GLuint framebuffer = 0;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, colour, 0);
    if (colour2 != 0)
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, GL_TEXTURE_2D, colour2, 0);
    if (depth != 0)
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_TEXTURE_2D, depth,
                               0);
    glDrawBuffers(colour2 != 0 ? 2 : 1, buffers);
    return framebuffer;
}

GLuint gl_depth_framebuffer(GLuint depth)
{
    static const GLenum none = GL_NONE;
    GLuint framebuffer = 0;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, depth, 0);
    glDrawBuffers(1, &none);
    glReadBuffer(GL_NONE);
    return framebuffer;
}

bool gl_check(void)
{
    const int version = epoxy_gl_version();
    const bool desktop = epoxy_is_desktop_gl();
    if (version < (desktop ? 33 : 30)) {
        render_fail(RILL_NO_BACKEND, "the driver has %s %d.%d; drawing needs OpenGL 3.3 or ES 3.0",
                    desktop ? "OpenGL" : "OpenGL ES", version / 10, version % 10);
        return false;
    }
    if (!desktop && !epoxy_has_gl_extension("GL_EXT_color_buffer_float")) {
        render_fail(RILL_NO_BACKEND,
                    "the driver cannot draw into floating-point textures (EXT_color_buffer_float)");
        return false;
    }
    return true;
}
