// SPDX-License-Identifier: MIT
// particles_pass_draw.c - the passes that draw particles. None of them uses the depth buffer:
// shaders compare with the distance of ground and water, which lets particles fade where they dip
// in.
#include "render/passes/particles_pass_internal.h"

#include <math.h>

#define FARTHEST 60000.0f // of halves; what no particle has covered

// ---- Helpers ---------------------------------------------------------------------------

// Pixels from `low` up to but without `high`; and the least distance of the cloud, metres.
typedef struct frame {
    int low[2], high[2];
    float nearest;
} frame;

static void set_float(GLuint program, const char *name, float value)
{
    glUniform1f(glGetUniformLocation(program, name), value);
}

static void to_clip(const float m[16], const float place[3], float clip[4])
{
    for (int k = 0; k < 4; k++)
        clip[k] = m[k] * place[0] + m[4 + k] * place[1] + m[8 + k] * place[2] + m[12 + k];
}

static int within(float value, int most)
{
    return value < 0.0f ? 0 : value > (float)most ? most : (int)value;
}

// Finds the pixels that a cloud may cover, its particles reaching `margin` metres out of its box.
// Returns false when there are none.
static bool frame_cloud(const particle_cloud *cloud, float margin, const frame_block *block,
                        frame *out)
{
    const int size[2] = {(int)block->viewport[0], (int)block->viewport[1]};
    float low[2] = {1.0f, 1.0f}, high[2] = {-1.0f, -1.0f};
    out->nearest = INFINITY;
    for (int corner = 0; corner < 8; corner++) {
        float place[3], clip[4];
        for (int k = 0; k < 3; k++)
            place[k] = (corner >> k & 1) != 0 ? cloud->high[k] + margin : cloud->low[k] - margin;
        to_clip(block->view_projection, place, clip);
        out->nearest = fminf(out->nearest, clip[3]);
        for (int k = 0; k < 2; k++) {
            // A corner behind the camera may be anywhere.
            low[k] = fminf(low[k], clip[3] > 0.0f ? clip[k] / clip[3] : -1.0f);
            high[k] = fmaxf(high[k], clip[3] > 0.0f ? clip[k] / clip[3] : 1.0f);
        }
    }
    out->nearest = fmaxf(out->nearest, 0.0f);
    for (int k = 0; k < 2; k++) {
        out->low[k] = within((0.5f * low[k] + 0.5f) * (float)size[k] - 4.0f, size[k]);
        out->high[k] = within((0.5f * high[k] + 0.5f) * (float)size[k] + 5.0f, size[k]);
    }
    return out->low[0] < out->high[0] && out->low[1] < out->high[1];
}

// Draws into `target`, whose pixels are `coarse` pixels of the picture wide, within the frame.
static void begin(GLuint target, const targets *t, int coarse, const frame *f)
{
    const int low[2] = {f->low[0] / coarse, f->low[1] / coarse};
    const int high[2] = {(f->high[0] + coarse - 1) / coarse, (f->high[1] + coarse - 1) / coarse};
    glBindFramebuffer(GL_FRAMEBUFFER, target);
    glViewport(0, 0, (t->width + coarse - 1) / coarse, (t->height + coarse - 1) / coarse);
    glEnable(GL_SCISSOR_TEST);
    glScissor(low[0], low[1], high[0] - low[0], high[1] - low[1]);
}

static void clear(GLuint target, float distance)
{
    const GLfloat nothing[4] = {0.0f, 0.0f, 0.0f, distance};
    glDisable(GL_SCISSOR_TEST);
    glBindFramebuffer(GL_FRAMEBUFFER, target);
    glClearBufferfv(GL_COLOR, 0, nothing);
}

static void draw_cloud(const particles *p, rill_particle_kind kind)
{
    glBindVertexArray(p->arrays[kind]);
    glDrawArraysInstanced(GL_TRIANGLES, 0, 3, p->clouds[kind].count);
    glBindVertexArray(0);
}

static void draw_screen(const particle_targets *to)
{
    glBindVertexArray(to->no_points);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindVertexArray(0);
}

// Computes the visible distance in the pixels of half the size: the largest of those around. What
// is gathered there reaches under nearer edges then, where the light passes cut it off to the
// pixel.
static void draw_far(particles *p, const particle_targets *to)
{
    const targets *t = to->between;
    const frame whole = {.high = {t->width, t->height}};
    gl_bind(UNIT_DISTANCE, t->distance);
    gl_bind(UNIT_SURFACE_DISTANCE, t->surface_distance);
    begin(p->far_buffer, t, 2, &whole);
    glUseProgram(p->programs[PARTICLE_FAR]);
    draw_screen(to);
}

// Binds these for a pass of half the size, or the maps that they came from.
static void bind_distances(const particles *p, const targets *t, bool half)
{
    gl_bind(UNIT_DISTANCE, half ? p->open_far : t->distance);
    gl_bind(UNIT_SURFACE_DISTANCE, half ? p->water_far : t->surface_distance);
}

// ---- Foam ------------------------------------------------------------------------------

static void draw_foam(particles *p, const particle_targets *to)
{
    const particle_cloud *cloud = &p->clouds[RILL_PARTICLE_FOAM];
    const targets *t = to->between;
    frame f;
    if (cloud->count == 0 || !frame_cloud(cloud, 8.0f * cloud->radius, to->block, &f))
        return;
    clear(p->gathering, 0.0f);
    begin(p->gathering, t, 2, &f);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    bind_distances(p, t, true);
    glUseProgram(p->programs[PARTICLE_FOAM]);
    draw_cloud(p, RILL_PARTICLE_FOAM);
    bind_distances(p, t, false);

    begin(t->wet, t, 1, &f);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    gl_bind(UNIT_PICTURE, p->gathered);
    glUseProgram(p->programs[PARTICLE_FOAM_LIGHT]);
    draw_screen(to);
    glDisable(GL_BLEND);
}

// ---- Splash ----------------------------------------------------------------------------

// Sums up what balls cover, and in alpha the least distance: additions and a minimum at once.
static void gather_splash(particles *p, const targets *t, const frame *f)
{
    const GLuint program = p->programs[PARTICLE_SPLASH];
    clear(p->gathering, FARTHEST);
    begin(p->gathering, t, 2, f);
    glEnable(GL_BLEND);
    glBlendEquationSeparate(GL_FUNC_ADD, GL_MIN);
    glBlendFunc(GL_ONE, GL_ONE);
    glUseProgram(program);
    set_float(program, "nearest", f->nearest);
    bind_distances(p, t, true);
    draw_cloud(p, RILL_PARTICLE_SPLASH);
    bind_distances(p, t, false);
    glBlendEquation(GL_FUNC_ADD);
    glDisable(GL_BLEND);
}

static void smooth_splash(particles *p, const particle_targets *to, const frame *f)
{
    const GLuint program = p->programs[PARTICLE_SMOOTH];
    glUseProgram(program);
    set_float(program, "nearest", f->nearest);
    set_float(program, "radius", p->clouds[RILL_PARTICLE_SPLASH].radius);
    clear(p->smoothing_across, FARTHEST);
    begin(p->smoothing_across, to->between, 2, f);
    gl_bind(UNIT_PICTURE, p->gathered);
    set_float(program, "upright", 0.0f);
    draw_screen(to);
    begin(p->gathering, to->between, 2, f);
    gl_bind(UNIT_PICTURE, p->across);
    set_float(program, "upright", 1.0f);
    draw_screen(to);
}

static void shape_splash(particles *p, const particle_targets *to, const frame *f)
{
    const GLuint program = p->programs[PARTICLE_SHAPE];
    glUseProgram(program);
    set_float(program, "nearest", f->nearest);
    set_float(program, "radius", p->clouds[RILL_PARTICLE_SPLASH].radius);
    begin(p->smoothing_across, to->between, 2, f);
    gl_bind(UNIT_PICTURE, p->gathered);
    draw_screen(to);
}

// The picture so far is seen through the splash.
static void copy_picture(const targets *t, const frame *f)
{
    glDisable(GL_SCISSOR_TEST);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, t->wet);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, t->scene);
    glBlitFramebuffer(f->low[0], f->low[1], f->high[0], f->high[1], f->low[0], f->low[1],
                      f->high[0], f->high[1], GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

static void draw_splash(particles *p, const particle_targets *to)
{
    const particle_cloud *cloud = &p->clouds[RILL_PARTICLE_SPLASH];
    const targets *t = to->between;
    frame f;
    if (cloud->count == 0 || !frame_cloud(cloud, 12.0f * cloud->radius, to->block, &f))
        return;
    gather_splash(p, t, &f);
    smooth_splash(p, to, &f);
    shape_splash(p, to, &f);
    copy_picture(t, &f);
    const GLuint program = p->programs[PARTICLE_SPLASH_LIGHT];
    begin(t->wet, t, 1, &f);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    gl_bind(UNIT_PICTURE, p->gathered);
    gl_bind(UNIT_SCENE, t->scene_colour);
    gl_bind(UNIT_SURFACE, p->across);
    glUseProgram(program);
    set_float(program, "nearest", f.nearest);
    set_float(program, "radius", cloud->radius);
    draw_screen(to);
    gl_bind(UNIT_SCENE, 0);
    glDisable(GL_BLEND);
}

// ---- Spray -----------------------------------------------------------------------------

static void draw_spray(particles *p, const particle_targets *to)
{
    const particle_cloud *cloud = &p->clouds[RILL_PARTICLE_SPRAY];
    frame f;
    if (cloud->count == 0 || !frame_cloud(cloud, 20.0f * cloud->radius, to->block, &f))
        return;
    begin(to->between->wet, to->between, 1, &f);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glUseProgram(p->programs[PARTICLE_SPRAY]);
    draw_cloud(p, RILL_PARTICLE_SPRAY);
    glDisable(GL_BLEND);
}

void particles_draw(particles *p, const particle_targets *to)
{
    const targets *t = to->between;
    if (p->clouds[RILL_PARTICLE_FOAM].count + p->clouds[RILL_PARTICLE_SPLASH].count +
            p->clouds[RILL_PARTICLE_SPRAY].count ==
        0)
        return;
    if (!particles_build(p, to->variant))
        return;
    particles_fit(p, (t->width + 1) / 2, (t->height + 1) / 2);
    glDisable(GL_DEPTH_TEST);
    gl_bind(UNIT_SURFACE, t->surface_map);
    draw_far(p, to);
    draw_foam(p, to);
    draw_splash(p, to);
    draw_spray(p, to);
    glDisable(GL_SCISSOR_TEST);
    glViewport(0, 0, t->width, t->height);
    gl_bind(UNIT_DISTANCE, 0);
    gl_bind(UNIT_SURFACE, 0);
    gl_bind(UNIT_SURFACE_DISTANCE, 0);
    gl_bind(UNIT_PICTURE, 0);
}
