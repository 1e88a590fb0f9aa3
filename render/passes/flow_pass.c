// SPDX-License-Identifier: MIT
// flow_pass.c - moves the detail and the foam with the water on the graphics card.
#include "render/passes/flow_pass.h"

#include "render/render_error.h"

#include <math.h>

#define PERIOD 4.0 // seconds from one reset of a layer to the next

// Layer k is reset whenever its phase passes a whole number; its weight is then zero.
static double phase(double time, int layer)
{
    return time / PERIOD + 0.5 * layer;
}

static double weight(double time, int layer)
{
    const double part = phase(time, layer) - floor(phase(time, layer));
    return 1.0 - fabs(2.0 * part - 1.0);
}

rill_status flow_create(int nx, int ny, flow *f)
{
    *f = (flow){.nx = nx, .ny = ny};
    f->program = gl_program("screen_vertex", "flow_fragment", "");
    if (f->program == 0)
        return RILL_NO_BACKEND;
    for (int k = 0; k < 2; k++) {
        f->displaced[k] = gl_texture(&(gl_texture_def){nx, ny, GL_RGBA32F, false, false, false, 0});
        f->foam[k] = gl_texture(&(gl_texture_def){nx, ny, GL_RGBA16F, true, false, false, 0});
        f->framebuffers[k] = gl_framebuffer(f->displaced[k], f->foam[k], 0);
        if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
            return render_fail(RILL_NO_BACKEND,
                               "the driver cannot draw into a map of %d x %d floats", nx, ny);
        glClear(GL_COLOR_BUFFER_BIT);
    }
    return RILL_OK;
}

void flow_destroy(flow *f)
{
    glDeleteProgram(f->program);
    glDeleteTextures(2, f->displaced);
    glDeleteTextures(2, f->foam);
    glDeleteFramebuffers(2, f->framebuffers);
}

void flow_bind(const flow *f)
{
    gl_bind(UNIT_FLOW, f->displaced[f->now]);
    gl_bind(UNIT_FOAM, f->foam[f->now]);
}

static void draw_regions(const flow *f, const flow_region *regions, size_t count)
{
    glEnable(GL_SCISSOR_TEST);
    for (size_t n = 0; n < count; n++) {
        const flow_region *at = &regions[n];
        const int wide = at->i1 < f->nx ? at->i1 - at->i0 : f->nx - at->i0;
        const int high = at->j1 < f->ny ? at->j1 - at->j0 : f->ny - at->j0;
        glScissor(at->i0, at->j0, wide, high);
        glDrawArrays(GL_TRIANGLES, 0, 3);
    }
    glDisable(GL_SCISSOR_TEST);
}

void flow_advance(flow *f, const flow_step *step, GLuint no_points)
{
    const double time = step->time;
    const bool first = step->first;
    const float *shift = step->shift;
    if (!first && time == f->time && shift[0] == 0.0f && shift[1] == 0.0f)
        return;
    const double passed = first || time < f->time ? 0.0 : time - f->time;
    float put_back[2];
    for (int k = 0; k < 2; k++) {
        const long resets = (long)floor(phase(time, k));
        put_back[k] = resets != f->reset[k] ? 1.0f : 0.0f;
        f->reset[k] = resets;
    }
    flow_bind(f);
    glUseProgram(f->program);
    glUniform4f(glGetUniformLocation(f->program, "advance"), (float)passed, put_back[0],
                put_back[1], first ? 1.0f : 0.0f);
    glUniform2f(glGetUniformLocation(f->program, "shift"), shift[0], shift[1]);
    f->now = 1 - f->now;
    glBindFramebuffer(GL_FRAMEBUFFER, f->framebuffers[f->now]);
    glViewport(0, 0, f->nx, f->ny);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_BLEND);
    glBindVertexArray(no_points);
    if (step->region_count > 0 && !first)
        draw_regions(f, step->regions, step->region_count);
    else
        glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindVertexArray(0);
    f->time = time;
    flow_bind(f);
}

void flow_weights(const flow *f, float weights[4])
{
    weights[0] = (float)weight(f->time, 0);
    weights[1] = (float)weight(f->time, 1);
    // Each reset shows another part of the tile, so that the same wave does not come back.
    weights[2] = (float)fmod(0.379 * (double)f->reset[0], 1.0);
    weights[3] = (float)fmod(0.5 + 0.379 * (double)f->reset[1], 1.0);
}
