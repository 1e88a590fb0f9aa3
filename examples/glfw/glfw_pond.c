// SPDX-License-Identifier: MIT
// glfw_pond.c - a pond in a window of your own: GLFW opens it, OpenGL 3.3 draws it, Rill moves the
// water. It shows the four calls that a renderer needs of Rill:
//
//     rill_world_bed          the ground, once               rill_world_step     every frame
//     rill_surface_build      the water as triangles, every frame, after the step
//     rill_surface_mesh       these triangles, ready for a vertex buffer
//
// Space throws a bucket of water into the pond, the arrow keys turn the camera, Escape ends.
//
//     glfw_pond [--frames N] [--hidden]
//
// --frames ends the program after N frames, --hidden draws into a window that is not shown. Where
// there is no display, --frames still moves the water, so that a test can run it anywhere.
#include <rill/rill.h>

#include <epoxy/gl.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 160 };     // of the pond, along each side
#define CELL       0.125f // metres
#define SIDE       (CELLS * CELL)
#define FRAME_TIME (1.0 / 60) // seconds of simulated time for each picture

// ---- The world -------------------------------------------------------------------------

// A round pond two metres deep, with an island that is a little off its middle.
static float bed_at(int i, int j)
{
    const float x = ((float)i + 0.5f) * CELL - 0.5f * SIDE,
                y = ((float)j + 0.5f) * CELL - 0.5f * SIDE;
    const float bowl = 0.02f * (x * x + y * y) - 1.2f;
    const float dx = x - 3.0f, dy = y - 1.5f;
    return bowl + 1.6f * expf(-0.6f * (dx * dx + dy * dy));
}

static rill_world *create_world(const float *bed)
{
    rill_world_def def = rill_default_world_def(); // never from {0}: zero is a fair value
    def.nx = def.ny = CELLS;
    def.cell_size = CELL;
    def.bed = (rill_field_view){bed, CELLS, CELLS, CELLS}; // copied
    def.use_level = 1;                                     // water up to level 0 at the start
    def.pipes.drag = 0.01f;
    rill_world *world = NULL;
    if (rill_world_create(&def, &world) != RILL_OK)
        fprintf(stderr, "%s\n", rill_last_error()); // one sentence with the value that was wrong
    return world;
}

// ---- Drawing ---------------------------------------------------------------------------

static const char *vertex_source = "#version 330 core\n"
                                   "layout(location = 0) in vec3 position;\n"
                                   "layout(location = 1) in vec3 normal;\n"
                                   "layout(location = 2) in float opacity;\n"
                                   "uniform mat4 camera;\n"
                                   "out vec3 place, up;\n"
                                   "out float density;\n"
                                   "void main() {\n"
                                   "    place = position; up = normal; density = opacity;\n"
                                   "    gl_Position = camera * vec4(position, 1.0);\n"
                                   "}\n";

static const char *fragment_source =
    "#version 330 core\n"
    "in vec3 place, up;\n"
    "in float density;\n"
    "uniform vec3 eye;\n"
    "uniform bool water;\n"
    "out vec4 colour;\n"
    "void main() {\n"
    "    vec3 n = normalize(up), to_eye = normalize(eye - place), sun = normalize(vec3(1, 2, 3));\n"
    "    float light = 0.35 + 0.65 * max(dot(n, sun), 0.0);\n"
    "    if (!water) { colour = vec4(light * mix(vec3(.55, .45, .3), vec3(.35, .5, .2),\n"
    "                                smoothstep(0.05, 0.3, place.z)), 1); return; }\n"
    "    float mirror = 0.02 + 0.98 * pow(1.0 - max(dot(n, to_eye), 0.0), 5.0);\n"
    "    float glint = pow(max(dot(n, normalize(sun + to_eye)), 0.0), 200.0);\n"
    "    vec3 body = light * vec3(0.04, 0.22, 0.28), sky = vec3(0.6, 0.75, 0.9);\n"
    "    colour = vec4(mix(body, sky, mirror) + glint, mix(0.2 + 0.7 * density, 1.0, mirror));\n"
    "}\n";

static GLuint compile(GLenum kind, const char *source)
{
    const GLuint shader = glCreateShader(kind);
    GLint fine = 0;
    char log[1024] = "";
    glShaderSource(shader, 1, &source, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &fine);
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    if (!fine)
        fprintf(stderr, "a shader does not compile: %s\n", log);
    return shader;
}

// A mesh on the graphics card, in the layout of rill_vertex: the water's triangles are uploaded as
// they are, and the ground uses the same layout.
typedef struct gl_mesh {
    GLuint array, vertices, indices;
    GLsizei count;
} gl_mesh;

static gl_mesh create_mesh(void)
{
    gl_mesh mesh = {0};
    glGenVertexArrays(1, &mesh.array);
    glGenBuffers(1, &mesh.vertices);
    glGenBuffers(1, &mesh.indices);
    glBindVertexArray(mesh.array);
    glBindBuffer(GL_ARRAY_BUFFER, mesh.vertices);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, mesh.indices);
    const GLsizei stride = (GLsizei)sizeof(rill_vertex);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, stride,
                          (void *)offsetof(rill_vertex, position));
    glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, stride, (void *)offsetof(rill_vertex, normal));
    glVertexAttribPointer(2, 1, GL_FLOAT, GL_FALSE, stride, (void *)offsetof(rill_vertex, opacity));
    for (GLuint n = 0; n < 3; n++)
        glEnableVertexAttribArray(n);
    return mesh;
}

static void upload(gl_mesh *mesh, rill_mesh from)
{
    glBindVertexArray(mesh->array);
    glBindBuffer(GL_ARRAY_BUFFER, mesh->vertices);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(from.vertex_count * sizeof *from.vertices),
                 from.vertices, GL_STREAM_DRAW);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)(from.index_count * sizeof *from.indices),
                 from.indices, GL_STREAM_DRAW);
    mesh->count = (GLsizei)from.index_count;
}

// Two triangles between the centres of every four cells. The ground does not change in this
// example; after rill_world_edit_terrain it would have to be uploaded again.
static void upload_ground(gl_mesh *mesh, rill_field_view bed)
{
    const size_t across = (size_t)bed.nx - 1, up = (size_t)bed.ny - 1;
    rill_vertex *vertices = calloc((size_t)bed.nx * (size_t)bed.ny, sizeof *vertices);
    uint32_t *indices = malloc(across * up * 6 * sizeof *indices);
    size_t count = 0;
    for (int j = 0; vertices != NULL && indices != NULL && j < bed.ny; j++)
        for (int i = 0; i < bed.nx; i++) {
            const int w = i > 0 ? i - 1 : i, e = i < bed.nx - 1 ? i + 1 : i;
            const int s = j > 0 ? j - 1 : j, n = j < bed.ny - 1 ? j + 1 : j;
            const size_t row = (size_t)j * bed.pitch, here = (size_t)j * (size_t)bed.nx + (size_t)i;
            const float dx = (bed.data[row + (size_t)e] - bed.data[row + (size_t)w]) / (2 * CELL);
            const float dy = (bed.data[(size_t)n * bed.pitch + (size_t)i] -
                              bed.data[(size_t)s * bed.pitch + (size_t)i]) /
                             (2 * CELL);
            vertices[here] =
                (rill_vertex){.position = {((float)i + 0.5f) * CELL, ((float)j + 0.5f) * CELL,
                                           bed.data[row + (size_t)i]},
                              .normal = {-dx, -dy, 1},
                              .opacity = 1}; // the shader makes its length 1
            if (i == bed.nx - 1 || j == bed.ny - 1)
                continue;
            const uint32_t a = (uint32_t)here, b = a + 1, c = a + (uint32_t)bed.nx, d = c + 1;
            const uint32_t quad[6] = {a, b, d, a, d, c};
            memcpy(indices + count, quad, sizeof quad);
            count += 6;
        }
    upload(mesh, (rill_mesh){.vertices = vertices,
                             .indices = indices,
                             .vertex_count = (size_t)bed.nx * (size_t)bed.ny,
                             .index_count = count});
    free(vertices);
    free(indices);
}

// A camera at `eye` that faces the middle of the pond; column after column, as OpenGL has it.
static void camera_matrix(const float eye[3], float aspect, float m[16])
{
    const float f[3] = {0.5f * SIDE - eye[0], 0.5f * SIDE - eye[1], -eye[2]};
    const float length = sqrtf(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]), flat = hypotf(f[0], f[1]);
    const float forward[3] = {f[0] / length, f[1] / length, f[2] / length};
    const float right[3] = {f[1] / flat, -f[0] / flat, 0};
    const float up[3] = {right[1] * forward[2], -right[0] * forward[2],
                         right[0] * forward[1] - right[1] * forward[0]};
    const float zoom = 1.8f, nearest = 0.1f, farthest = 100.0f;
    const float depth = (farthest + nearest) / (farthest - nearest),
                shift = 2 * farthest * nearest / (farthest - nearest);
    for (int c = 0; c < 3; c++) {
        m[4 * c] = zoom / aspect * right[c];
        m[4 * c + 1] = zoom * up[c];
        m[4 * c + 2] = depth * forward[c];
        m[4 * c + 3] = forward[c];
    }
    const float *rows[3] = {right, up, forward};
    float t[3];
    for (int r = 0; r < 3; r++)
        t[r] = -(rows[r][0] * eye[0] + rows[r][1] * eye[1] + rows[r][2] * eye[2]);
    m[12] = zoom / aspect * t[0];
    m[13] = zoom * t[1];
    m[14] = depth * t[2] - shift;
    m[15] = t[2];
}

typedef struct picture {
    GLFWwindow *window;
    GLuint program;
    gl_mesh ground, water;
    float turn; // of the camera around the pond, radians
} picture;

// Without a display this fails, and the caller goes on without pictures.
static bool open_picture(picture *p, bool hidden, rill_field_view bed)
{
    if (!glfwInit())
        return false;
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_VISIBLE, hidden ? GLFW_FALSE : GLFW_TRUE);
    p->window = glfwCreateWindow(960, 600, "A pond", NULL, NULL);
    if (p->window == NULL)
        return false;
    glfwMakeContextCurrent(p->window);
    glfwSwapInterval(hidden ? 0 : 1);
    p->program = glCreateProgram();
    glAttachShader(p->program, compile(GL_VERTEX_SHADER, vertex_source));
    glAttachShader(p->program, compile(GL_FRAGMENT_SHADER, fragment_source));
    glLinkProgram(p->program);
    p->ground = create_mesh();
    p->water = create_mesh();
    upload_ground(&p->ground, bed);
    return true;
}

static void draw(picture *p, rill_mesh water)
{
    int width = 0, height = 0;
    glfwGetFramebufferSize(p->window, &width, &height);
    const float eye[3] = {SIDE * (0.5f + 0.7f * cosf(p->turn)),
                          SIDE * (0.5f + 0.7f * sinf(p->turn)), 7};
    float camera[16];
    camera_matrix(eye, (float)width / (float)(height > 0 ? height : 1), camera);
    upload(&p->water, water);

    glViewport(0, 0, width, height);
    glClearColor(0.6f, 0.75f, 0.9f, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glEnable(GL_DEPTH_TEST);
    glUseProgram(p->program);
    glUniformMatrix4fv(glGetUniformLocation(p->program, "camera"), 1, GL_FALSE, camera);
    glUniform3fv(glGetUniformLocation(p->program, "eye"), 1, eye);
    glUniform1i(glGetUniformLocation(p->program, "water"), 0);
    glBindVertexArray(p->ground.array);
    glDrawElements(GL_TRIANGLES, p->ground.count, GL_UNSIGNED_INT, NULL);
    glEnable(GL_BLEND); // the water lets the ground through
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glUniform1i(glGetUniformLocation(p->program, "water"), 1);
    glBindVertexArray(p->water.array);
    glDrawElements(GL_TRIANGLES, p->water.count, GL_UNSIGNED_INT, NULL);
    glDisable(GL_BLEND);
    glfwSwapBuffers(p->window);
}

// ---- The program -----------------------------------------------------------------------

// Answers the keyboard; returns whether to go on.
static bool obey(picture *p, rill_world *world, bool *held)
{
    glfwPollEvents();
    p->turn += 0.02f * (float)((glfwGetKey(p->window, GLFW_KEY_RIGHT) == GLFW_PRESS) -
                               (glfwGetKey(p->window, GLFW_KEY_LEFT) == GLFW_PRESS));
    const bool space = glfwGetKey(p->window, GLFW_KEY_SPACE) == GLFW_PRESS;
    if (space && !*held) // 2 m^3 within 0.8 m of a place in the west
        rill_world_pour(world, 0.3 * (double)SIDE, 0.5 * (double)SIDE, 0.8, 2.0, NULL);
    *held = space;
    return !glfwWindowShouldClose(p->window) &&
           glfwGetKey(p->window, GLFW_KEY_ESCAPE) != GLFW_PRESS;
}

static int run(rill_world *world, rill_surface *surface, long frames, bool hidden)
{
    picture p = {.turn = -1.2f};
    const bool drawn = open_picture(&p, hidden, rill_world_bed(world));
    if (!drawn && frames == 0)
        return fprintf(stderr, "there is no display with OpenGL 3.3; --frames N runs without\n"), 1;
    rill_world_pour(world, 0.3 * (double)SIDE, 0.5 * (double)SIDE, 0.8, 2.0,
                    NULL); // something to see
    bool held = false;
    long frame = 0;
    for (; frames == 0 || frame < frames; frame++) {
        if (drawn && !obey(&p, world, &held))
            break;
        if (rill_world_step(world, FRAME_TIME) != RILL_OK ||
            rill_surface_build(surface, world) != RILL_OK)
            return fprintf(stderr, "%s\n", rill_last_error()), 1;
        if (drawn)
            draw(&p, rill_surface_mesh(surface));
    }
    const rill_ledger ledger = rill_world_ledger(world);
    printf("%ld frames, %zu triangles of water, %s; %g m3 of water, ledger error %.1g\n", frame,
           rill_surface_mesh(surface).index_count / 3, drawn ? "drawn" : "no display: not drawn",
           ledger.water, ledger.error);
    const bool fine = !drawn || glGetError() == GL_NO_ERROR;
    glfwTerminate();
    return fine ? 0 : 1;
}

int main(int argc, char **argv)
{
    long frames = 0;
    bool hidden = false;
    for (int n = 1; n < argc; n++)
        if (strcmp(argv[n], "--hidden") == 0)
            hidden = true;
        else if (strcmp(argv[n], "--frames") == 0 && n + 1 < argc)
            frames = strtol(argv[++n], NULL, 10);
        else
            return fprintf(stderr, "usage: glfw_pond [--frames N] [--hidden]\n"), 2;

    static float bed[CELLS * CELLS];
    for (int j = 0; j < CELLS; j++)
        for (int i = 0; i < CELLS; i++)
            bed[j * CELLS + i] = bed_at(i, j);
    rill_world *world = create_world(bed);
    const rill_surface_def def = rill_default_surface_def();
    rill_surface *surface = NULL;
    int status = 1;
    if (world != NULL && rill_surface_create(world, &def, &surface) == RILL_OK)
        status = run(world, surface, frames, hidden);
    rill_surface_destroy(&surface);
    rill_world_destroy(&world);
    return status;
}
