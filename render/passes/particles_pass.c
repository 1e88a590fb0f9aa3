// SPDX-License-Identifier: MIT
// particles_pass.c - creates the programs and maps of particles, and uploads particles to the
// graphics card. The passes are in particles_pass_draw.c.
#include "render/passes/particles_pass_internal.h"

#include "render/frame/frame_data_particles.h"
#include "render/half.h"
#include "render/render_error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Programs and maps -----------------------------------------------------------------

static void delete_programs(particles *p)
{
    for (int k = 0; k < PARTICLE_PROGRAM_COUNT; k++)
        glDeleteProgram(p->programs[k]);
    memset(p->programs, 0, sizeof p->programs);
}

bool particles_build(particles *p, const char *variant)
{
    static const char *const shaders[PARTICLE_PROGRAM_COUNT][2] = {
        [PARTICLE_FAR] = {"screen_vertex", "far_fragment"},
        [PARTICLE_FOAM] = {"foam_vertex", "foam_fragment"},
        [PARTICLE_FOAM_LIGHT] = {"screen_vertex", "foam_light_fragment"},
        [PARTICLE_SPLASH] = {"splash_vertex", "splash_fragment"},
        [PARTICLE_SMOOTH] = {"screen_vertex", "splash_smooth_fragment"},
        [PARTICLE_SHAPE] = {"screen_vertex", "splash_shape_fragment"},
        [PARTICLE_SPLASH_LIGHT] = {"screen_vertex", "splash_light_fragment"},
        [PARTICLE_SPRAY] = {"spray_vertex", "spray_fragment"},
    };
    if (!p->built || strcmp(p->variant, variant) != 0) {
        delete_programs(p);
        p->built = true;
        snprintf(p->variant, sizeof p->variant, "%s", variant);
        for (int k = 0; k < PARTICLE_PROGRAM_COUNT; k++) {
            p->programs[k] = gl_program(shaders[k][0], shaders[k][1], variant);
            if (p->programs[k] == 0) {
                delete_programs(p);
                break;
            }
        }
    }
    return p->programs[0] != 0;
}

static void delete_maps(particles *p)
{
    const GLuint textures[] = {p->open_far, p->water_far, p->gathered, p->across};
    const GLuint framebuffers[] = {p->far_buffer, p->gathering, p->smoothing_across};
    glDeleteTextures(4, textures);
    glDeleteFramebuffers(3, framebuffers);
}

void particles_fit(particles *p, int width, int height)
{
    if (p->width == width && p->height == height)
        return;
    delete_maps(p);
    p->width = width;
    p->height = height;
    const gl_texture_def far = {width, height, GL_R32F, false, false, false, NULL};
    p->open_far = gl_texture(&far);
    p->water_far = gl_texture(&far);
    p->far_buffer = gl_framebuffer(p->open_far, p->water_far, 0);
    const gl_texture_def def = {width, height, GL_RGBA16F, true, false, false, NULL};
    p->gathered = gl_texture(&def);
    p->gathering = gl_framebuffer(p->gathered, 0, 0);
    p->across = gl_texture(&def);
    p->smoothing_across = gl_framebuffer(p->across, 0, 0);
}

rill_status particles_create(particles **out)
{
    *out = calloc(1, sizeof **out);
    return *out != NULL ? RILL_OK : render_fail(RILL_NO_MEMORY, "no memory to draw particles");
}

void particles_destroy(particles **out)
{
    if (out == NULL || *out == NULL)
        return;
    particles *p = *out;
    delete_programs(p);
    delete_maps(p);
    glDeleteBuffers(1, &p->buffer);
    glDeleteVertexArrays(RILL_PARTICLE_KIND_COUNT, p->arrays);
    free(p);
    *out = NULL;
}

// ---- Frame data ------------------------------------------------------------------------

static void attribute(GLuint place, GLint count, GLenum type, size_t offset)
{
    glEnableVertexAttribArray(place);
    glVertexAttribPointer(place, count, type, GL_FALSE, sizeof(frame_particle),
                          (const char *)NULL + offset);
    glVertexAttribDivisor(place, 1);
}

// One array a kind: OpenGL ES 3.0 cannot begin with any instance but the first.
static void point_arrays(particles *p)
{
    for (int kind = 0; kind < RILL_PARTICLE_KIND_COUNT; kind++) {
        const size_t start = p->clouds[kind].first * sizeof(frame_particle);
        glBindVertexArray(p->arrays[kind]);
        attribute(0, 3, GL_FLOAT, start + offsetof(frame_particle, position));
        attribute(1, 4, GL_HALF_FLOAT, start + offsetof(frame_particle, velocity));
        attribute(2, 2, GL_HALF_FLOAT, start + offsetof(frame_particle, age));
    }
    glBindVertexArray(0);
}

static particle_cloud measure(const frame_data *s, rill_particle_kind kind)
{
    particle_cloud cloud = {.count = (GLsizei)s->particle_count[kind],
                            .first = frame_first_particle(s, kind)};
    double radius = 0.0;
    for (size_t n = 0; n < s->particle_count[kind]; n++) {
        const frame_particle *particle = &s->particles[cloud.first + n];
        radius += (double)half_to_float(particle->radius);
        for (int k = 0; k < 3; k++) {
            const float at = particle->position[k];
            cloud.low[k] = n == 0 || at < cloud.low[k] ? at : cloud.low[k];
            cloud.high[k] = n == 0 || at > cloud.high[k] ? at : cloud.high[k];
        }
    }
    cloud.radius = cloud.count > 0 ? (float)(radius / cloud.count) : 0.0f;
    return cloud;
}

void particles_upload(particles *p, const frame_data *s)
{
    size_t count = 0;
    for (int kind = 0; kind < RILL_PARTICLE_KIND_COUNT; kind++) {
        p->clouds[kind] = measure(s, (rill_particle_kind)kind);
        count += s->particle_count[kind];
    }
    if (count == 0)
        return;
    if (p->buffer == 0) {
        glGenBuffers(1, &p->buffer);
        glGenVertexArrays(RILL_PARTICLE_KIND_COUNT, p->arrays);
    }
    glBindBuffer(GL_ARRAY_BUFFER, p->buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(count * sizeof *s->particles), s->particles,
                 GL_STREAM_DRAW);
    point_arrays(p);
}
