// SPDX-License-Identifier: MIT
// test_meniscus_shader.c - the shader bends the normal at the edge of a liquid as the library's
// function does (rill_meniscus_normal), for desktop OpenGL and OpenGL ES.
#include "render/gl.h"
#include "render/output/headless.h"
#include "render/render_error.h"
#include "render/shaders.h"
#include "tests/kit/kit.h"

#include "rill/surface.h"

#define SIDE  96
#define COUNT (SIDE * SIDE)

static const char *const vertex_text = "out vec2 at;\n"
                                       "void main()\n"
                                       "{\n"
                                       "    at = vec2(float((gl_VertexID << 1) & 2), "
                                       "float(gl_VertexID & 2));\n"
                                       "    gl_Position = vec4(at * 2.0 - 1.0, 0.0, 1.0);\n"
                                       "}\n";

static const char *const fragment_text =
    "uniform sampler2D normals, bends, views;\n"
    "in vec2 at;\n"
    "out vec4 bent;\n"
    "void main()\n"
    "{\n"
    "    ivec2 place = ivec2(gl_FragCoord.xy);\n"
    "    bent = vec4(meniscus_normal(texelFetch(normals, place, 0).xyz, "
    "texelFetch(bends, place, 0), texelFetch(views, place, 0).xyz), 1.0);\n"
    "}\n";

// ---- Inputs ----------------------------------------------------------------------------

typedef struct inputs {
    float normal[COUNT][4], bend[COUNT][4], view[COUNT][4];
} inputs;

// Numbers from 0 to 1 that fill the space evenly (the additive recurrence of roots of x^d+1 = x+1).
static double spread(int n, int k)
{
    static const double steps[6] = {0.9101706, 0.8284106, 0.7539955,
                                    0.6862648, 0.6246191, 0.5685097};
    return fmod(0.5 + steps[k] * (n + 1), 1.0);
}

// Unit vectors up to `steepest` radians from straight up.
static void lean(double turn, double part, double steepest, float out[4])
{
    const double angle = 6.283185307179586 * turn, from_up = steepest * part;
    out[0] = (float)(sin(from_up) * cos(angle));
    out[1] = (float)(sin(from_up) * sin(angle));
    out[2] = (float)cos(from_up);
    out[3] = 0.0f;
}

static void make_inputs(inputs *in)
{
    for (int n = 0; n < COUNT; n++) {
        const double turn = 6.283185307179586 * spread(n, 0);
        in->bend[n][0] = (float)cos(turn);
        in->bend[n][1] = (float)sin(turn);
        in->bend[n][2] = (float)(3.0 * spread(n, 1) - 1.5);
        in->bend[n][3] = (float)spread(n, 2);
        lean(spread(n, 3), spread(n, 4), 1.3, in->normal[n]);
        lean(spread(n, 5), spread(n, 1), 1.5, in->view[n]);
    }
    // Corners of the space: no direction, no share, all of it; straight up and level views.
    memset(in->bend[0], 0, 2 * sizeof(float));
    in->bend[1][3] = 0.0f;
    in->bend[2][3] = 1.0f;
    lean(0.0, 0.0, 1.0, in->normal[3]);
    lean(0.0, 0.0, 1.0, in->view[3]);
    lean(0.25, 1.0, 1.5707963, in->view[4]);
    in->bend[5][2] = 0.0f;
}

// ---- On the card -----------------------------------------------------------------------

static GLuint compile(GLenum stage, const char *text)
{
    const char *common = NULL;
    for (const shader_file *file = shader_files; file->name != NULL; file++)
        if (strcmp(file->name, "common") == 0)
            common = file->text;
    const bool desktop = epoxy_is_desktop_gl();
    const char *const texts[] = {desktop ? "#version 330 core\n"
                                         : "#version 300 es\nprecision highp float;\n"
                                           "precision highp int;\nprecision highp sampler2D;\n",
                                 stage == GL_FRAGMENT_SHADER ? "#define FRAGMENT\n" : "", common,
                                 text};
    assert_non_null(common);
    const GLuint shader = glCreateShader(stage);
    glShaderSource(shader, 4, texts, NULL);
    glCompileShader(shader);
    GLint good = 0;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    char log[1000] = "";
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    if (!good)
        print_error("%s\n", log);
    assert_true(good);
    return shader;
}

static GLuint link_program(void)
{
    const GLuint program = glCreateProgram();
    glAttachShader(program, compile(GL_VERTEX_SHADER, vertex_text));
    glAttachShader(program, compile(GL_FRAGMENT_SHADER, fragment_text));
    glLinkProgram(program);
    GLint good = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &good);
    assert_true(good);
    glUseProgram(program);
    return program;
}

static GLuint make_texture(const void *texels)
{
    return gl_texture(&(gl_texture_def){SIDE, SIDE, GL_RGBA32F, false, false, false, texels});
}

static void draw(const inputs *in, float (*out)[4])
{
    static const char *const names[3] = {"normals", "bends", "views"};
    const void *const texels[3] = {in->normal, in->bend, in->view};
    const GLuint program = link_program(), target = make_texture(NULL);
    const GLuint framebuffer = gl_framebuffer(target, 0, 0);
    for (int k = 0; k < 3; k++) {
        gl_bind(k, make_texture(texels[k]));
        glUniform1i(glGetUniformLocation(program, names[k]), k);
    }
    GLuint no_points = 0;
    glGenVertexArrays(1, &no_points);
    glBindVertexArray(no_points);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glViewport(0, 0, SIDE, SIDE);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_BLEND);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_FLOAT, out);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

// ---- The test --------------------------------------------------------------------------

static void check_normals(void)
{
    SCOPED(headless) *context = NULL;
    FREED(inputs) *in = malloc(sizeof *in);
    float(*seen)[4] = calloc(COUNT, sizeof *seen);
    assert_true(in != NULL && seen != NULL);
    if (headless_create(&context) != RILL_OK)
        fail_msg("%s", render_error_text());
    make_inputs(in);
    draw(in, seen);
    int tilted = 0, capped = 0;
    for (int n = 0; n < COUNT; n++) {
        const rill_meniscus meniscus = {
            {in->bend[n][0], in->bend[n][1]}, in->bend[n][2], in->bend[n][3]};
        float wanted[3], uncapped[3];
        rill_meniscus_normal(in->normal[n], &meniscus, in->view[n], wanted);
        rill_meniscus_normal(in->normal[n], &meniscus, NULL, uncapped);
        for (int k = 0; k < 3; k++) {
            // Sine, cosine and arctangent of a graphics card are good to about 1e-4.
            if (!(fabsf(seen[n][k] - wanted[k]) < 1e-3f))
                fail_msg("input %d: component %d is %g, it should be %g", n, k, (double)seen[n][k],
                         (double)wanted[k]);
        }
        tilted += fabsf(wanted[2] - in->normal[n][2]) > 0.01f;
        capped += fabsf(wanted[2] - uncapped[2]) > 0.01f;
    }
    // The inputs must ask for both parts of the formula.
    assert_true(tilted > COUNT / 2 && capped > COUNT / 50);
    free(seen);
}

TEST(the_shader_bends_normals_as_the_library_does)
{
    unsetenv("RILL_GLES");
    check_normals();
}

TEST(so_does_the_shader_for_opengl_es)
{
    setenv("RILL_GLES", "1", 1);
    check_normals();
    unsetenv("RILL_GLES");
}
