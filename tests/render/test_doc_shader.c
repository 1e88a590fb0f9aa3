// SPDX-License-Identifier: MIT
// test_doc_shader.c - the water shader that the documentation offers to other engines compiles and
// links, for desktop OpenGL and for OpenGL ES, and has the inputs that a rill_vertex feeds.
#include "render/output/headless.h"
#include "render/render_error.h"
#include "tests/kit/kit.h"

#include "rill/surface.h"

#include <epoxy/gl.h>

static char *read_text(const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", RL_TEST_DOC_SHADERS, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 65536);
    assert_non_null(text);
    assert_true(fread(text, 1, 65535, file) > 0);
    fclose(file);
    return text;
}

static GLuint compile(GLenum stage, const char *name)
{
    const char *first = epoxy_is_desktop_gl()
                            ? "#version 330 core\n"
                            : "#version 300 es\nprecision highp float;\nprecision highp int;\n";
    FREED(char) *text = read_text(name);
    const char *const texts[] = {first, text};
    const GLuint shader = glCreateShader(stage);
    glShaderSource(shader, 2, texts, NULL);
    glCompileShader(shader);
    GLint good = 0;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    char log[1000] = "";
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    if (!good)
        print_error("%s: %s\n", name, log);
    assert_true(good);
    return shader;
}

static void check_links(void)
{
    SCOPED(headless) *context = NULL;
    if (headless_create(&context) != RILL_OK)
        fail_msg("%s", render_error_text());
    const GLuint program = glCreateProgram();
    glAttachShader(program, compile(GL_VERTEX_SHADER, "example_water_vertex.glsl"));
    glAttachShader(program, compile(GL_FRAGMENT_SHADER, "example_water_fragment.glsl"));
    glLinkProgram(program);
    GLint good = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &good);
    assert_true(good);
    assert_int_equal(glGetAttribLocation(program, "position"), 0);
    assert_int_equal(glGetAttribLocation(program, "normal"), 1);
    assert_int_equal(glGetAttribLocation(program, "velocity"), 2);
    assert_int_equal(glGetAttribLocation(program, "body"), 3);
    glDeleteProgram(program);
}

TEST(the_documented_shader_links_on_desktop_opengl)
{
    unsetenv("RILL_GLES");
    check_links();
}

TEST(the_documented_shader_links_on_opengl_es)
{
    setenv("RILL_GLES", "1", 1);
    check_links();
    unsetenv("RILL_GLES");
}

TEST(a_vertex_lies_as_the_documented_offsets_say)
{
    assert_int_equal(sizeof(rill_vertex), 40);
    assert_int_equal(offsetof(rill_vertex, position), 0);
    assert_int_equal(offsetof(rill_vertex, normal), 12);
    assert_int_equal(offsetof(rill_vertex, velocity), 24);
    assert_int_equal(offsetof(rill_vertex, opacity), 32);
    assert_int_equal(offsetof(rill_vertex, depth), 36);
}
