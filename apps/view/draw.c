// SPDX-License-Identifier: MIT
// draw.c - one picture in the window.

#include "apps/view/window.h"

#include <epoxy/gl.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "apps/view/hud.h"
#include "apps/view/record.h"
#include "apps/view/sidebar.h"

#define SAVED_SAMPLES 8 // of each pixel of a picture that is saved

// ---- Time ------------------------------------------------------------------------------
//
// The graphics card works asynchronously. It is asked how long a picture took and answers a picture
// or two later; the program never waits for it.

static void begin_timing(view *v)
{
    if (v->timer == 0)
        glGenQueries(1, &v->timer);
    if (v->timing == TIMING_IDLE) {
        glBeginQuery(GL_TIME_ELAPSED, v->timer);
        v->timing = TIMING_RUNS;
    }
}

static void end_timing(view *v)
{
    GLint there = 0;
    GLuint64 nanoseconds = 0;
    if (v->timing == TIMING_RUNS) {
        glEndQuery(GL_TIME_ELAPSED);
        v->timing = TIMING_ASKED;
        return;
    }
    glGetQueryObjectiv(v->timer, GL_QUERY_RESULT_AVAILABLE, &there);
    if (there == GL_FALSE)
        return;
    glGetQueryObjectui64v(v->timer, GL_QUERY_RESULT, &nanoseconds);
    v->draw_ms = 1e-6 * (double)nanoseconds;
    v->timing = TIMING_IDLE;
}

void draw_close(view *v)
{
    if (v->timer != 0)
        glDeleteQueries(1, &v->timer);
}

// ---- The picture -----------------------------------------------------------------------

static void draw_world(view *v, int samples, bool ring)
{
    if (v->renderer == NULL) {
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
        glClearColor(0.09f, 0.12f, 0.14f, 1.0f);
        glClear(GL_COLOR_BUFFER_BIT);
        return;
    }
    shot s = renderer_default_shot(v->renderer);
    s.camera = v->controller.camera;
    s.width = v->width;
    s.height = v->height;
    s.target = 0;
    s.samples = samples;
    s.painted = v->painted;
    if (ring) {
        s.ring = brush_circle(&v->brush);
        if (v->brush.tool == BRUSH_THROW)
            s.ring.radius = (float)(0.5 * v->picker.size);
    }
    renderer_draw(v->renderer, &s);
}

static void draw_panels(view *v, bool only_legend)
{
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, v->width, v->height);
    panel_begin(v->panel, v->width, v->height, v->passed);
    hud_legend(v);
    if (!only_legend) {
        hud_held(v);
        sidebar(v);
        hud_status(v);
        hud_note(v);
        hud_help(v);
        hud_opening(v);
    }
    panel_end(v->panel, true);
}

void draw_picture(view *v)
{
    if (v->record.picture_wanted && v->renderer != NULL) {
        draw_world(v, SAVED_SAMPLES, false);
        draw_panels(v, true);
        record_save_picture(v);
    }
    begin_timing(v);
    draw_world(v, 1, true);
    record_film(v);
    draw_panels(v, false);
    end_timing(v);
    if (v->record.shot_path != NULL)
        record_save_shot(v);
    glfwSwapBuffers(v->window);
    v->frames++;
    if (v->first_window == 0.0)
        v->first_window = glfwGetTime();
    if (v->renderer == NULL)
        return;
    sidebar_remember(v);
    if (v->first_picture == 0.0)
        v->first_picture = glfwGetTime();
}
