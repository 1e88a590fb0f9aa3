// SPDX-License-Identifier: MIT
// view.c - the window: made, kept drawn while something moves, taken down.
#include "apps/view/viewer.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "apps/view/draw.h"
#include "apps/view/input.h"
#include "apps/view/picker.h"
#include "apps/view/record.h"
#include "apps/view/script.h"
#include "apps/view/sidebar.h"
#include "apps/view/window.h"

#include "render/render_error.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define USUAL_WIDTH  1280
#define USUAL_HEIGHT 720
#define SETTLE       3 // pictures after an event until the panel has come to rest
#define NOTE_SECONDS 5.0
#define IDLE_SECONDS 0.05 // how often a window without events looks around
#define LONGEST_JUMP 0.25 // seconds of flight at once

// ---- Small things ----------------------------------------------------------------------

void window_note(view *v, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(v->note, sizeof v->note, format, arguments);
    va_end(arguments);
    v->note_until = v->clock + NOTE_SECONDS;
    window_redraw(v);
}

void window_redraw(view *v)
{
    v->redraws = SETTLE;
}

void window_point(view *v)
{
    double direction[3];
    brush *const b = &v->brush;
    b->on_ground = false;
    if (v->picture.frame_data == NULL || v->renderer == NULL ||
        panel_has_pointer(v->panel, v->mouse.x, v->mouse.y))
        return;
    camera_ray(&v->eye.camera, v->width, v->height, v->mouse.x, v->mouse.y, direction);
    memcpy(b->along, direction, sizeof b->along);
    b->solid = v->picture.frame_data->solid_version != 0;
    b->on_ground = frame_data_hit(v->picture.frame_data, v->eye.camera.position, direction, b->at);
}

// ---- Events ----------------------------------------------------------------------------

static void on_key(GLFWwindow *window, int key, int scancode, int action, int modifiers)
{
    (void)scancode;
    // Keys that are held repeat only where that helps.
    const bool repeats = key == GLFW_KEY_N || key == GLFW_KEY_PERIOD || key == GLFW_KEY_T ||
                         key == GLFW_KEY_LEFT_BRACKET || key == GLFW_KEY_RIGHT_BRACKET;
    view *const v = glfwGetWindowUserPointer(window);
    if (action != GLFW_REPEAT || repeats || panel_has_keys(v->panel))
        input_key(v, key, action != GLFW_RELEASE, modifiers);
}

static void on_character(GLFWwindow *window, unsigned code)
{
    input_character(glfwGetWindowUserPointer(window), code);
}

static void on_button(GLFWwindow *window, int button, int action, int modifiers)
{
    (void)modifiers;
    input_button(glfwGetWindowUserPointer(window), button, action == GLFW_PRESS);
}

static void on_move(GLFWwindow *window, double x, double y)
{
    input_move(glfwGetWindowUserPointer(window), x, y);
}

static void on_scroll(GLFWwindow *window, double x, double y)
{
    (void)x;
    input_scroll(glfwGetWindowUserPointer(window), y);
}

static void on_damage(GLFWwindow *window)
{
    window_redraw(glfwGetWindowUserPointer(window));
}

static void on_size(GLFWwindow *window, int width, int height)
{
    view *const v = glfwGetWindowUserPointer(window);
    int across = 0, down = 0;
    glfwGetWindowSize(window, &across, &down);
    v->width = width;
    v->height = height;
    v->pixels = across > 0 ? (double)width / across : 1.0;
    window_redraw(v);
}

static void on_scale(GLFWwindow *window, float scale_x, float scale_y)
{
    (void)scale_x, (void)scale_y;
    view *const v = glfwGetWindowUserPointer(window);
    v->rescaled = true;
}

static void on_still(void *user)
{
    view *const v = user;
    if (atomic_load(&v->has_glfw))
        glfwPostEmptyEvent();
}

// ---- Making the window -----------------------------------------------------------------

// What GLFW last complained about, without the name of its part.
static const char *complaint(void)
{
    const char *text = NULL;
    if (glfwGetError(&text) == GLFW_NO_ERROR || text == NULL)
        return "no reason given";
    const char *const colon = strstr(text, ": ");
    return colon != NULL && colon - text < 12 ? colon + 2 : text;
}

static rill_status open_window(view *v)
{
    const view_options *const o = v->options;
    if (!glfwInit())
        return render_fail(RILL_NO_BACKEND, "no display: %s; `rill render` draws without one",
                           complaint());
    atomic_store(&v->has_glfw, true);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
    char title[256];
    snprintf(title, sizeof title, "Rill: %.200s", o->scene);
    v->window = glfwCreateWindow(o->width > 0 ? o->width : USUAL_WIDTH,
                                 o->height > 0 ? o->height : USUAL_HEIGHT, title, NULL, NULL);
    if (v->window == NULL)
        return render_fail(
            RILL_NO_BACKEND,
            "this display has no OpenGL 3.3: %s; `rill render` draws without a display",
            complaint());
    glfwSetWindowUserPointer(v->window, v);
    glfwMakeContextCurrent(v->window);
    glfwSwapInterval(1);
    return RILL_OK;
}

// Also when the window has come to a display with another scale.
static rill_status make_panel(view *v)
{
    float scale_x = 1.0f, scale_y = 1.0f;
    glfwGetWindowContentScale(v->window, &scale_x, &scale_y);
    panel_destroy(&v->panel);
    v->rescaled = false;
    return panel_create((double)scale_x, &v->panel);
}

static rill_status open_panel(view *v)
{
    const rill_status status = make_panel(v);
    if (status != RILL_OK)
        return status;
    int width = 0, height = 0;
    glfwGetFramebufferSize(v->window, &width, &height);
    on_size(v->window, width, height);
    glfwSetKeyCallback(v->window, on_key);
    glfwSetCharCallback(v->window, on_character);
    glfwSetMouseButtonCallback(v->window, on_button);
    glfwSetCursorPosCallback(v->window, on_move);
    glfwSetScrollCallback(v->window, on_scroll);
    glfwSetWindowRefreshCallback(v->window, on_damage);
    glfwSetFramebufferSizeCallback(v->window, on_size);
    glfwSetWindowContentScaleCallback(v->window, on_scale);
    return RILL_OK;
}

static rill_status open_all(view *v)
{
    const view_options *const o = v->options;
    const sim_def def = {.scene = o->scene,
                         .overrides = o->overrides,
                         .override_count = o->override_count,
                         .threads = o->threads,
                         .backend = o->backend,
                         .paused = o->script != NULL,
                         .wake = on_still,
                         .user = v};
    rill_status status = o->script != NULL ? script_open(o->script, &v->script) : RILL_OK;
    // The scene is opened while the window is made.
    if (status == RILL_OK)
        status = sim_create(&def, &v->sim);
    if (status == RILL_OK)
        status = open_window(v);
    if (status == RILL_OK)
        status = open_panel(v);
    return status;
}

static void close_all(view *v)
{
    record_close(v);
    sim_destroy(&v->sim);
    draw_close(v);
    renderer_destroy(&v->renderer);
    panel_destroy(&v->panel);
    script_close(&v->script);
    if (v->window != NULL)
        glfwDestroyWindow(v->window);
    glfwTerminate();
}

// ---- The newest still -------------------------------------------------------------------------

static rill_status change_scene(view *v)
{
    const stage *const now = v->picture.stage;
    const bool same = strcmp(v->scene, now->asked_for) == 0;
    const renderer_def def = {.nx = now->info.nx,
                              .ny = now->info.ny,
                              .cell_size = (float)now->info.cell_size,
                              .view = now->look};
    renderer *fresh = NULL;
    const rill_status status = renderer_create(&def, &fresh);
    if (status != RILL_OK)
        return status;
    renderer_destroy(&v->renderer);
    v->renderer = fresh;
    v->staged = now;
    snprintf(v->scene, sizeof v->scene, "%s", now->asked_for);
    if (same) { // the same scene with other water: light, camera and brush stay
        v->look.camera = now->look.camera;
        v->look.camera_count = now->look.camera_count;
        renderer_set_view(v->renderer, &v->look);
        return RILL_OK;
    }
    v->look = now->look;
    eye_home(&v->eye);
    v->brush.radius = brush_usual_radius(&now->info);
    hand_fit(&v->hand, now);
    memset(&v->graphs, 0, sizeof v->graphs);
    char title[256];
    snprintf(title, sizeof title, "Rill: %.200s", now->info.title);
    glfwSetWindowTitle(v->window, title);
    return RILL_OK;
}

// Takes the newest still to the graphics card. The renderer follows when the scene has changed.
static rill_status take_still(view *v)
{
    v->picture = sim_newest(v->sim);
    if (v->picture.stage == NULL)
        return RILL_OK;
    if (v->picture.stage != v->staged) {
        const rill_status status = change_scene(v);
        if (status != RILL_OK)
            return status;
    }
    if (v->picture.fresh) {
        renderer_upload(v->renderer, v->picture.frame_data, v->picture.epoch != v->epoch);
        v->epoch = v->picture.epoch;
        v->redraws = v->redraws > 1 ? v->redraws : 1;
    }
    return RILL_OK;
}

static void move_eye(view *v)
{
    const camera_bounds bounds = renderer_bounds(v->renderer);
    if (eye_ride(&v->eye, &v->look, v->picture.frame_data, v->mouse.drag == DRAG_BODY))
        window_redraw(v);
    if (!v->eye.by_hand) {
        eye_follow(&v->eye, &v->look, &bounds, v->picture.frame_data);
        return;
    }
    if (eye_fly(&v->eye, &bounds, fmin(v->passed, LONGEST_JUMP)))
        window_redraw(v);
    eye_keep_above(&v->eye, v->picture.frame_data);
}

// ---- The loop --------------------------------------------------------------------------

static void look_at_simulation(view *v)
{
    v->state = sim_look(v->sim);
    if (v->state.notes != v->notes_seen) {
        v->notes_seen = v->state.notes;
        window_note(v, "%s", v->state.note);
    }
    if (v->state.failed != RILL_OK) {
        v->status = render_fail(v->state.failed, "%s", v->state.note);
        v->closing = true;
    }
}

static void wait_for_events(view *v)
{
    if (v->redraws > 0)
        glfwPollEvents();
    else
        glfwWaitEventsTimeout(IDLE_SECONDS);
    const double now = glfwGetTime();
    v->passed = now - v->clock;
    if (v->clock < v->note_until && now >= v->note_until)
        window_redraw(v);
    v->clock = now;
}

static void work_on_world(view *v)
{
    if (v->renderer == NULL)
        return;
    move_eye(v);
    sim_set_eye(v->sim, v->eye.camera.position);
    sim_show_births(v->sim, overlay_get(v->painted)->shows_wave_particles);
    window_point(v);
    brush_work(&v->brush, v->sim, (double)v->picture.frame_data->gravity, v->staged->info.cell_size,
               v->passed);
    if (v->mouse.drag == DRAG_BODY)
        hand_drag(v);
    if (v->brush.held)
        window_redraw(v);
}

static void run_once(view *v)
{
    wait_for_events(v);
    look_at_simulation(v);
    if (v->closing)
        return;
    rill_status status = v->rescaled ? make_panel(v) : RILL_OK;
    if (status == RILL_OK)
        status = take_still(v);
    if (status != RILL_OK) {
        v->status = status;
        v->closing = true;
        return;
    }
    if (v->first_picture > 0.0 && script_play(v))
        window_redraw(v);
    work_on_world(v);
    if (v->redraws == 0 || v->width < 1 || v->height < 1)
        return;
    v->redraws--;
    draw_picture(v);
}

rill_status view_run(const view_options *options)
{
    view *v = calloc(1, sizeof *v);
    if (v == NULL)
        return render_fail(RILL_NO_MEMORY, "no memory for a window");
    v->options = options;
    v->pixels = 1.0;
    v->panel_shown = true;
    v->brush.strength = 1.0;
    v->settings = sidebar_settings();
    snprintf(v->wanted, sizeof v->wanted, "%s", options->scene);
    v->status = open_all(v);
    if (v->status == RILL_OK)
        look_at_simulation(v); // a scene with a mistake is refused before anything is to be seen
    if (v->status == RILL_OK) {
        glfwShowWindow(v->window);
        v->clock = glfwGetTime();
        window_redraw(v);
    }
    while (v->status == RILL_OK && !v->closing && !glfwWindowShouldClose(v->window))
        run_once(v);
    const rill_status status = v->status;
    close_all(v);
    free(v);
    return status;
}
