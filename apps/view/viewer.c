// SPDX-License-Identifier: MIT
// viewer.c - makes the window, draws it while something moves, and closes it.
#include "apps/view/viewer.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

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
#define IDLE_SECONDS 0.05 // time between two polls of a window without events
#define LONGEST_JUMP 0.25 // seconds of flight at once

// ---- Helpers ---------------------------------------------------------------------------

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
    camera_ray(&v->controller.camera, v->width, v->height, v->mouse.x, v->mouse.y, direction);
    memcpy(b->along, direction, sizeof b->along);
    b->solid = v->picture.frame_data->solid_version != 0;
    b->on_ground =
        frame_data_hit(v->picture.frame_data, v->controller.camera.position, direction, b->at);
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

static void on_frame(void *user)
{
    view *const v = user;
    if (atomic_load(&v->has_glfw))
        glfwPostEmptyEvent();
}

// ---- Making the window -----------------------------------------------------------------

// Returns the last message of GLFW, without the name of its part.
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
                         .wake = on_frame,
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

// ---- The newest frame data -------------------------------------------------------------

static rill_status change_scene(view *v)
{
    const loaded_scene *const now = v->picture.loaded;
    const bool same = strcmp(v->scene, now->asked_for) == 0;
    const renderer_def def = {.nx = now->info.nx,
                              .ny = now->info.ny,
                              .cell_size = (float)now->info.cell_size,
                              .view = now->view};
    renderer *fresh = NULL;
    const rill_status status = renderer_create(&def, &fresh);
    if (status != RILL_OK)
        return status;
    renderer_destroy(&v->renderer);
    v->renderer = fresh;
    v->loaded = now;
    snprintf(v->scene, sizeof v->scene, "%s", now->asked_for);
    if (same) { // the same scene with other settings: light, camera and brush stay
        v->scene_view.camera = now->view.camera;
        v->scene_view.camera_count = now->view.camera_count;
        renderer_set_view(v->renderer, &v->scene_view);
        return RILL_OK;
    }
    v->scene_view = now->view;
    controller_reset(&v->controller);
    v->brush.radius = brush_usual_radius(&now->info);
    picker_fit(&v->picker, now);
    memset(&v->graphs, 0, sizeof v->graphs);
    char title[256];
    snprintf(title, sizeof title, "Rill: %.200s", now->info.title);
    glfwSetWindowTitle(v->window, title);
    return RILL_OK;
}

// Uploads the newest frame data to the graphics card. The renderer is made anew when the scene has
// changed.
static rill_status fill_frame(view *v)
{
    v->picture = sim_newest(v->sim);
    if (v->picture.loaded == NULL)
        return RILL_OK;
    if (v->picture.loaded != v->loaded) {
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

static void move_camera(view *v)
{
    const camera_bounds bounds = renderer_bounds(v->renderer);
    if (controller_ride(&v->controller, &v->scene_view, v->picture.frame_data,
                        v->mouse.drag == DRAG_BODY))
        window_redraw(v);
    if (!v->controller.by_user) {
        controller_follow(&v->controller, &v->scene_view, &bounds, v->picture.frame_data);
        return;
    }
    if (controller_fly(&v->controller, &bounds, fmin(v->passed, LONGEST_JUMP)))
        window_redraw(v);
    controller_stay_above(&v->controller, v->picture.frame_data);
}

// ---- The loop --------------------------------------------------------------------------

static void read_simulation(view *v)
{
    v->state = sim_get_state(v->sim);
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
    move_camera(v);
    sim_set_viewer(v->sim, v->controller.camera.position);
    sim_show_births(v->sim, overlay_get(v->painted)->shows_wave_particles);
    window_point(v);
    brush_work(&v->brush, v->sim, (double)v->picture.frame_data->gravity, v->loaded->info.cell_size,
               v->passed);
    if (v->mouse.drag == DRAG_BODY)
        picker_drag(v);
    if (v->brush.held)
        window_redraw(v);
}

static void run_once(view *v)
{
    wait_for_events(v);
    read_simulation(v);
    if (v->closing)
        return;
    rill_status status = v->rescaled ? make_panel(v) : RILL_OK;
    if (status == RILL_OK)
        status = fill_frame(v);
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
        read_simulation(v); // a scene with a mistake is refused before anything is to be seen
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
