// SPDX-License-Identifier: MIT
// renderer_draw.c - a picture, pass by pass:
//
//   bodies      -> their maps   what the sun sees of them, what they take of the sky
//   ground      -> shape        how far it is; a solid one: body, how it lies too
//   ground, sky -> scene        light of everything but water, a pixel at a time
//   bodies      -> scene        with their light, and how far they are
//   water       -> surface      how it lies and how far it is
//   water       -> wet          its light on a copy of the scene, a pixel at a time; reads what
//                               is behind and in the mirror; curtains in the air come second
//   particles   -> wet          foam, splash and spray onto it (particles_pass.h)
//   tone        -> toned        light to picture; summed over the samples
//   finish      -> the target   smooth edges, eight bits
#include "render/renderer_internal.h"

#include <math.h>
#include <string.h>

#define ARROWS_ALONG 52 // the longer side of the world

// ---- Helpers ---------------------------------------------------------------------------

const char *render_pass_name(render_pass pass)
{
    static const char *const names[PASS_COUNT] = {"upload", "flow",      "ground", "bodies",
                                                  "water",  "particles", "finish"};
    return (unsigned)pass < PASS_COUNT ? names[pass] : "";
}

void renderer_mark(renderer *r, render_pass pass, double started)
{
    if (!r->measuring)
        return;
    glFinish();
    r->times.pass[pass] += renderer_clock() - started;
}

void renderer_measure(renderer *r, bool on)
{
    r->measuring = on;
}

render_times renderer_times(const renderer *r)
{
    return r->times;
}

const char *renderer_device(const renderer *r)
{
    (void)r;
    const GLubyte *name = glGetString(GL_RENDERER);
    return name != NULL ? (const char *)name : "unknown";
}

float renderer_overlay_max(const renderer *r)
{
    return r->overlay_max;
}

void renderer_coarsen(renderer *r, bool on)
{
    r->coarsen = on;
}

size_t renderer_river_triangles(const renderer *r)
{
    return r->variant.river ? fine_waves_drawn(&r->fine) : 0;
}

static float foot_of_block(const renderer *r)
{
    const int side = r->def.nx > r->def.ny ? r->def.nx : r->def.ny;
    return fminf(r->low, r->lowest) - 0.035f * (float)side * r->def.cell_size;
}

camera_bounds renderer_bounds(const renderer *r)
{
    if (solid_shown(r->body))
        return solid_bounds(r->body);
    const double cell = (double)r->def.cell_size;
    return (camera_bounds){
        {0.0, 0.0, (double)foot_of_block(r)},
        {r->def.nx * cell, r->def.ny * cell, (double)r->highest + 2.0 * cell},
    };
}

shot renderer_default_shot(const renderer *r)
{
    const camera_bounds bounds = renderer_bounds(r);
    return (shot){.camera = camera_overview(&bounds), .width = 1280, .height = 720, .samples = 1};
}

void renderer_bind_maps(renderer *r)
{
    gl_bind(UNIT_HEIGHT, r->height_map);
    gl_bind(UNIT_RELIEF, r->relief_map);
    gl_bind(UNIT_COLUMNS, r->column_map);
    gl_bind(UNIT_WAVES, r->wave_tile);
    gl_bind(UNIT_GRAIN, r->grain_tile);
    gl_bind(UNIT_BUBBLES, r->bubble_tile);
    gl_bind(UNIT_SKY, r->sky_map);
    gl_bind(UNIT_SHADOW, r->variant.solid || !bodies_shown(r->afloat)
                             ? solid_shadow_map(r->body)
                             : bodies_shadow_map(r->afloat));
    gl_bind(UNIT_OVERHEAD, bodies_overhead_map(r->afloat));
    flow_bind(&r->detail);
    if (r->variant.waves)
        fine_waves_bind(&r->fine);
    if (r->variant.wave_particles)
        wave_particles_bind(&r->wave_particles);
    if (r->variant.landscape)
        gl_bind(UNIT_LANDSCAPE, r->landscape_map);
    if (r->variant.sea)
        ocean_bind(r->sea);
}

// Fills and sends the block of the waves. `pixels` is the length of a metre that is a metre away.
static void send_waves(renderer *r, double pixels)
{
    fine_waves_fill(&r->fine, pixels, r->def.view.choppiness, &r->waves);
    if (r->variant.wave_particles)
        wave_particles_fill(&r->wave_particles, &r->waves);
    if (r->variant.sea)
        ocean_fill(r->sea, &r->waves);
    glBindBuffer(GL_UNIFORM_BUFFER, r->wave_buffer);
    glBufferSubData(GL_UNIFORM_BUFFER, 0, sizeof r->waves, &r->waves);
    glBindBufferBase(GL_UNIFORM_BUFFER, 1, r->wave_buffer);
}

void renderer_send_block(renderer *r)
{
    glBindBuffer(GL_UNIFORM_BUFFER, r->block_buffer);
    glBufferSubData(GL_UNIFORM_BUFFER, 0, sizeof r->block, &r->block);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, r->block_buffer);
}

static void draw_screen(const renderer *r)
{
    glBindVertexArray(r->no_points);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindVertexArray(0);
}

static void set_float(GLuint program, const char *name, float value)
{
    glUniform1f(glGetUniformLocation(program, name), value);
}

// ---- Inputs of a picture ---------------------------------------------------------------

// Returns a round number at or above `value`: 1, 2 or 5 times a power of ten, so that scales do not
// flicker.
static float round_up(float value)
{
    if (!(value > 1e-6f))
        return 1e-6f;
    const float power = powf(10.0f, floorf(log10f(value)));
    const float part = value / power;
    return power * (part <= 1.0f ? 1.0f : part <= 2.0f ? 2.0f : part <= 5.0f ? 5.0f : 10.0f);
}

static void fill_overlay(renderer *r, const shot *s)
{
    const overlay_row *row = overlay_get(s->painted);
    const double end = row->end != NULL ? row->end(&r->usual) : 0.0;
    r->overlay_max = s->overlay_max > 0.0f   ? s->overlay_max
                     : row->fixed_end > 0.0f ? row->fixed_end
                                             : round_up((float)end);
    r->block.painted[0] = (float)s->painted;
    r->block.painted[1] = r->overlay_max;
    r->block.ring[0] = s->ring.x;
    r->block.ring[1] = s->ring.y;
    r->block.ring[2] = s->ring.radius;
    r->block.ring[3] = s->ring.shown ? 1.0f : 0.0f;
    r->block.solid[1] = s->ring.z;
    memcpy(r->block.ring_colour, s->ring.colour, sizeof s->ring.colour);
}

// Computes out = a b of column-major matrices. `out` may not be a or b.
static void multiply(const float a[16], const float b[16], float out[16])
{
    for (int column = 0; column < 4; column++)
        for (int row = 0; row < 4; row++) {
            double sum = 0.0;
            for (int k = 0; k < 4; k++)
                sum += (double)a[4 * k + row] * (double)b[4 * column + k];
            out[4 * column + row] = (float)sum;
        }
}

// A place at (X, Y) in the picture, -1 to 1, is (X + p8) / p0 to the right and (Y + p9) / p5 up for
// every metre along the view.
static void fill_rays(const float view[16], const float projection[16], float ray[3][4])
{
    const float left = (projection[8] - 1.0f) / projection[0], across = 2.0f / projection[0];
    const float low = (projection[9] - 1.0f) / projection[5], up = 2.0f / projection[5];
    for (int k = 0; k < 3; k++) {
        const float *axes = &view[4 * k]; // of the camera, to the right, up and backwards
        ray[0][k] = axes[0] * left + axes[1] * low - axes[2];
        ray[1][k] = axes[0] * across;
        ray[2][k] = axes[1] * up;
    }
}

// Returns the length in pixels of a metre across the view that is a metre distant.
static double pixels_of(const shot *s)
{
    return 0.5 * s->height / tan(0.5 * s->camera.field_of_view * 3.14159265358979 / 180.0);
}

static void fill_camera(renderer *r, const shot *s, const double jitter[2])
{
    camera_bounds bounds = renderer_bounds(r);
    bodies_stretch(r->afloat, &bounds);
    float view[16], projection[16];
    frame_block *block = &r->block;
    camera_matrices(&s->camera, &bounds, s->width, s->height, jitter, view, projection);
    if (r->variant.sea)
        ocean_stretch(r->sea, &s->camera, projection);
    multiply(projection, view, block->view_projection);
    fill_rays(view, projection, block->ray);
    for (int k = 0; k < 3; k++)
        block->eye[k] = (float)s->camera.position[k];
    block->eye[3] = (float)fmod(r->time, 86400.0);
    block->viewport[0] = (float)s->width;
    block->viewport[1] = (float)s->height;
    block->viewport[2] = 1.0f / (float)s->width;
    block->viewport[3] = 1.0f / (float)s->height;
    block->planes[0] = (float)bounds.high[2];
    if (!solid_shown(r->body)) {
        float low;
        ground_range(r->land, &low, &block->planes[0]);
        block->planes[0] = fmaxf(block->planes[0], bodies_highest(r->afloat));
    }
    block->planes[1] = projection[14] / (projection[10] + 1.0f);
    block->planes[2] = (float)bounds.low[2];
}

// ---- Passes ----------------------------------------------------------------------------

// Sets up for triangles into `target` and clears its depth.
static void begin_triangles(const shot *s, GLuint target)
{
    glBindFramebuffer(GL_FRAMEBUFFER, target);
    glViewport(0, 0, s->width, s->height);
    glDisable(GL_BLEND);
    glDisable(GL_CULL_FACE);
    glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_TRUE);
    glDepthFunc(GL_LEQUAL);
    glClear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
}

// Draws the land's triangles, without light.
static void draw_shape(renderer *r, const shot *s)
{
    const GLuint program = r->programs[PROGRAM_SHAPE];
    const GLfloat nothing[4] = {r->block.planes[1], 0.0f, 0.0f, 0.0f};
    begin_triangles(s, r->between.shape);
    glClearBufferfv(GL_COLOR, 0, nothing);
    glUseProgram(program);
    ground_draw(r->land, program, r->block.view_projection, s->camera.position, pixels_of(s),
                r->coarsen);
}

// Draws the solid's triangles, without light.
static void draw_body(renderer *r, const shot *s)
{
    const GLfloat nothing[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    const GLfloat far[4] = {r->block.planes[1], 0.0f, 0.0f, 0.0f};
    begin_triangles(s, r->between.body);
    glClearBufferfv(GL_COLOR, 0, nothing);
    glClearBufferfv(GL_COLOR, 1, far);
    glUseProgram(r->programs[PROGRAM_BODY]);
    solid_draw(r->body);
}

// Lights what the shape pass has left. A screen at the far end of depth is behind all that is
// drawn, so that the test leaves just the ground.
static void light_ground(renderer *r, GLuint program)
{
    glBindFramebuffer(GL_FRAMEBUFFER, r->between.scene);
    glDepthFunc(GL_GREATER);
    glDepthMask(GL_FALSE);
    gl_bind(UNIT_DISTANCE, r->between.distance);
    gl_bind(UNIT_SURFACE, r->between.surface_map);
    glUseProgram(program);
    draw_screen(r);
    gl_bind(UNIT_DISTANCE, 0);
    gl_bind(UNIT_SURFACE, 0);
    glDepthFunc(GL_LEQUAL);
    glDepthMask(GL_TRUE);
}

static void draw_ground(renderer *r, const shot *s)
{
    if (r->variant.solid) {
        draw_body(r, s);
        light_ground(r, r->programs[PROGRAM_SOLID]);
    } else {
        draw_shape(r, s);
        light_ground(r, r->programs[PROGRAM_GROUND]);
        glBindFramebuffer(GL_FRAMEBUFFER, r->between.sides);
        glUseProgram(r->programs[PROGRAM_SIDE]);
        set_float(r->programs[PROGRAM_SIDE], "of_water", 0.0f);
        ground_draw_sides(r->land);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, r->between.scene);
    glUseProgram(r->programs[PROGRAM_SKY]);
    draw_screen(r);
}

static void draw_bodies(renderer *r)
{
    if (!r->variant.bodies || !bodies_shown(r->afloat))
        return;
    glBindFramebuffer(GL_FRAMEBUFFER, r->between.sides);
    char defines[VARIANT_BYTES];
    renderer_variant_defines(&r->variant, defines);
    bodies_draw(r->afloat, defines);
}

static void copy_colours(const shot *s, GLuint from, GLuint to)
{
    glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, to);
    glBlitFramebuffer(0, 0, s->width, s->height, 0, 0, s->width, s->height, GL_COLOR_BUFFER_BIT,
                      GL_NEAREST);
}

// Draws the triangles of the water in the world.
static void draw_mesh(renderer *r, const shot *s)
{
    if (r->variant.waves || r->variant.river) {
        const fine_view view = {.view_projection = r->block.view_projection,
                                .eye = s->camera.position,
                                .coarse = r->programs[PROGRAM_SURFACE],
                                .fine = r->programs[PROGRAM_FINE],
                                .water_array = r->water_array,
                                .fade_end = r->waves.fine[2],
                                .pixels = pixels_of(s),
                                .coarsen = r->coarsen};
        fine_waves_draw(&r->fine, &view);
        return;
    }
    glBindVertexArray(r->water_array);
    if (r->water_index_count > 0)
        glDrawElements(GL_TRIANGLES, r->water_index_count, GL_UNSIGNED_INT, NULL);
    glBindVertexArray(0);
}

// Draws the water's triangles, without light, and marks in the stencil where they are seen.
static void draw_surface(renderer *r, const shot *s, float curtains)
{
    const GLfloat nothing[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    glBindFramebuffer(GL_FRAMEBUFFER, r->between.surface);
    glClearBufferfv(GL_COLOR, 0, nothing);
    glClearBufferfv(GL_COLOR, 1, nothing);
    glEnable(GL_STENCIL_TEST);
    glStencilFunc(GL_ALWAYS, 1, 0xff);
    glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
    glUseProgram(r->programs[PROGRAM_SURFACE]);
    if (r->variant.solid)
        set_float(r->programs[PROGRAM_SURFACE], "curtains", curtains);
    draw_mesh(r, s);
    if (r->variant.sea)
        ocean_draw(r->sea, r->programs[PROGRAM_OCEAN], r->block.view_projection,
                   s->camera.position);
}

static void draw_arrows(renderer *r)
{
    const GLuint program = r->programs[PROGRAM_ARROW];
    const int side = r->def.nx > r->def.ny ? r->def.nx : r->def.ny;
    const int apart = (side + ARROWS_ALONG - 1) / ARROWS_ALONG;
    const int along_x = (r->def.nx + apart - 1) / apart, along_y = (r->def.ny + apart - 1) / apart;
    glUseProgram(program);
    glUniform2i(glGetUniformLocation(program, "spread"), apart, along_x);
    glBindVertexArray(r->no_points);
    glDrawArraysInstanced(GL_TRIANGLES, 0, 9, along_x * along_y);
    glBindVertexArray(0);
}

// Draws the faces where liquid is cut off at the border.
static void draw_panes(renderer *r)
{
    if (r->variant.solid) {
        glUseProgram(r->programs[PROGRAM_PANE]);
        solid_draw_panes(r->body);
        return;
    }
    glUseProgram(r->programs[PROGRAM_WATER_SIDE]);
    set_float(r->programs[PROGRAM_WATER_SIDE], "of_water", 1.0f);
    ground_draw_sides(r->land);
}

// Draws the water's triangles and then their light, onto the scene.
static void draw_liquid(renderer *r, const shot *s, float curtains)
{
    draw_surface(r, s, curtains);
    copy_colours(s, r->between.scene, r->between.wet);
    glBindFramebuffer(GL_FRAMEBUFFER, r->between.wet);
    gl_bind(UNIT_SCENE, r->between.scene_colour);
    gl_bind(UNIT_DISTANCE, r->between.distance);
    gl_bind(UNIT_SURFACE, r->between.surface_map);
    gl_bind(UNIT_SURFACE_DISTANCE, r->between.surface_distance);
    glDisable(GL_DEPTH_TEST);
    glStencilFunc(GL_EQUAL, 1, 0xff);
    glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
    glUseProgram(r->programs[PROGRAM_WATER]);
    if (r->variant.solid)
        set_float(r->programs[PROGRAM_WATER], "curtains", curtains);
    draw_screen(r);
    glDisable(GL_STENCIL_TEST);
    glEnable(GL_DEPTH_TEST);
    gl_bind(UNIT_SCENE, 0);
    gl_bind(UNIT_SURFACE, 0);
    gl_bind(UNIT_SURFACE_DISTANCE, 0);
}

static void draw_water(renderer *r, const shot *s)
{
    draw_liquid(r, s, 0.0f);
    if (r->variant.solid && r->has_curtains) {
        // Curtains are seen before what has been drawn so far.
        copy_colours(s, r->between.wet, r->between.scene);
        glBindFramebuffer(GL_FRAMEBUFFER, r->between.scene);
        glClear(GL_STENCIL_BUFFER_BIT);
        draw_liquid(r, s, 1.0f);
    }
    gl_bind(UNIT_SCENE, r->between.scene_colour);
    draw_panes(r);
    if (overlay_get(s->painted)->has_arrows)
        draw_arrows(r);
    if (overlay_get(s->painted)->shows_wave_particles && r->variant.wave_particles) {
        char defines[VARIANT_BYTES];
        renderer_variant_defines(&r->variant, defines);
        wave_particles_draw_births(&r->wave_particles, defines);
    }
    gl_bind(UNIT_SCENE, 0);
    gl_bind(UNIT_DISTANCE, 0);
}

static void draw_particles(renderer *r)
{
    char defines[VARIANT_BYTES];
    renderer_variant_defines(&r->variant, defines);
    particles_draw(r->flying, &(particle_targets){.between = &r->between,
                                                  .block = &r->block,
                                                  .variant = defines,
                                                  .no_points = r->no_points});
}

static void draw_tone(renderer *r, const shot *s, int sample)
{
    glBindFramebuffer(GL_FRAMEBUFFER, r->between.toned);
    glDisable(GL_DEPTH_TEST);
    if (sample == 0) {
        glClearColor(0.0f, 0.0f, 0.0f, 0.0f);
        glClear(GL_COLOR_BUFFER_BIT);
    }
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    gl_bind(UNIT_PICTURE, r->between.wet_colour);
    glUseProgram(r->programs[PROGRAM_TONE]);
    set_float(r->programs[PROGRAM_TONE], "share", 1.0f / (float)s->samples);
    draw_screen(r);
    glDisable(GL_BLEND);
}

static void draw_finish(renderer *r, const shot *s)
{
    glBindFramebuffer(GL_FRAMEBUFFER, s->target);
    glViewport(0, 0, s->width, s->height);
    glDisable(GL_DEPTH_TEST);
    gl_bind(UNIT_PICTURE, r->between.toned_colour);
    glUseProgram(r->programs[PROGRAM_FINISH]);
    set_float(r->programs[PROGRAM_FINISH], "smooth_edges", s->samples == 1 ? 1.0f : 0.0f);
    draw_screen(r);
}

// Returns the depth from which the liquid casts a shadow, metres. Thinner liquid, which lets a
// twentieth of the best passing light through, darkens what is below it in its own pass; where a
// shadow begins the ground is hidden already.
static float thinnest_shade(const renderer *r)
{
    const float *fade = r->block.liquid_fade;
    const float two = fade[0] < fade[1] ? fade[0] : fade[1], least = two < fade[2] ? two : fade[2];
    return 3.0f / (least > 1e-9f ? least : 1e-9f);
}

static void cast_solid(renderer *r)
{
    const float thin = thinnest_shade(r);
    const bool cast = thin < 8.0f * r->def.cell_size;
    const solid_casters casters = {.program = r->programs[PROGRAM_SHADOW],
                                   .liquid = cast ? r->water_array : 0,
                                   .liquid_indices = cast ? r->water_index_count : 0,
                                   .thin = thin,
                                   .bodies = bodies_array(r->afloat),
                                   .body_indices = bodies_index_count(r->afloat),
                                   .highest = bodies_highest(r->afloat),
                                   .changed = r->casters_changed};
    solid_cast(r->body, &casters, &r->block);
    r->casters_changed = false;
}

// Over a solid ground one map has all shadows, over land only bodies need one.
static void cast_shadows(renderer *r)
{
    const double started = renderer_clock();
    if (r->variant.solid) {
        cast_solid(r);
    } else if (r->variant.bodies) {
        const camera_bounds bounds = renderer_bounds(r);
        bodies_cast(r->afloat, r->programs[PROGRAM_SHADOW], &bounds, &r->block);
        bodies_cover(r->afloat, r->no_points, &r->block);
        renderer_mark(r, PASS_BODIES, started);
    }
}

// Returns part k of Halton's sequence in `base`, which is spread evenly for any number of parts.
static double halton(int k, int base)
{
    double value = 0.0, part = 1.0;
    for (int n = k; n > 0; n /= base) {
        part /= base;
        value += part * (n % base);
    }
    return value;
}

void renderer_draw(renderer *r, const shot *asked)
{
    shot s = *asked;
    s.samples = s.samples < 1 ? 1 : s.samples > 64 ? 64 : s.samples;
    targets_fit(&r->between, s.width, s.height, r->variant.waves || r->variant.sea);
    double calls = 0.0;
    memset(&r->times.pass[PASS_GROUND], 0, sizeof(double) * (PASS_COUNT - PASS_GROUND));
    fill_overlay(r, &s);
    materials_set_ripples(r->time, &r->block);
    flow_weights(&r->detail, r->block.flow_weight);
    cast_shadows(r);
    r->block.afloat[2] = bodies_size(r->afloat);
    if (r->variant.waves || r->variant.sea)
        send_waves(r, pixels_of(&s));
    for (int sample = 0; sample < s.samples; sample++) {
        double started = renderer_clock();
        const double jitter[2] = {s.samples > 1 ? halton(sample + 1, 2) - 0.5 : 0.0,
                                  s.samples > 1 ? halton(sample + 1, 3) - 0.5 : 0.0};
        fill_camera(r, &s, jitter);
        renderer_bind_maps(r);
        renderer_send_block(r);
        draw_ground(r, &s);
        calls += renderer_clock() - started;
        renderer_mark(r, PASS_GROUND, started);
        started = renderer_clock();
        draw_bodies(r);
        calls += renderer_clock() - started;
        renderer_mark(r, PASS_BODIES, started);
        started = renderer_clock();
        draw_water(r, &s);
        calls += renderer_clock() - started;
        renderer_mark(r, PASS_WATER, started);
        started = renderer_clock();
        draw_particles(r);
        calls += renderer_clock() - started;
        renderer_mark(r, PASS_PARTICLES, started);
        started = renderer_clock();
        draw_tone(r, &s, sample);
        if (sample == s.samples - 1)
            draw_finish(r, &s);
        calls += renderer_clock() - started;
        renderer_mark(r, PASS_FINISH, started);
    }
    r->times.calls += calls;
}
