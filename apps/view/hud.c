// SPDX-License-Identifier: MIT
// hud.c - draws the text on the picture beside the panel.
#include "apps/view/hud.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MARGIN      12.0
#define LETTER      7.5 // width of most letters
#define NARROWEST   200.0
#define BAND_STEPS  33
#define BAND_WIDTH  220.0
#define BAND_HEIGHT 12.0

// ---- Status ----------------------------------------------------------------------------

// Formats a speed: "1/4 x", "1 x", "2.5 x".
static void format_speed(double speed, char *text, size_t bytes)
{
    const double parts = 1.0 / speed;
    if (parts > 1.5 && fabs(parts - round(parts)) < 1e-3)
        snprintf(text, bytes, "1/%.0f x", parts);
    else
        snprintf(text, bytes, "%.2g x", speed);
}

static void format_rate(const sim_state *state, char *text, size_t bytes)
{
    char wanted[32];
    format_speed(state->speed, wanted, sizeof wanted);
    if (state->paused)
        snprintf(text, bytes, "paused");
    else if (state->too_slow)
        snprintf(text, bytes, "%.2g x real time (the machine is too slow for %s)", state->rate,
                 wanted);
    else
        snprintf(text, bytes, "%s real time", wanted);
}

void hud_status(view *v)
{
    const panel_place place = {.y = panel_height(v->panel),
                               .anchor_y = 1.0,
                               .width = panel_width(v->panel),
                               .height = HUD_STATUS_HEIGHT,
                               .is_label = true};
    char text[256];
    panel_open_bar(v->panel, "status", &place);
    if (v->loaded == NULL || v->picture.frame_data == NULL) {
        panel_text(v->panel, PANEL_DIM, "opening");
        panel_close_box(v->panel);
        return;
    }
    const rill_scene_info *const info = &v->loaded->info;
    panel_text(v->panel, PANEL_PLAIN, info->name);
    snprintf(text, sizeof text, "%.2f s", v->picture.frame_data->time);
    panel_beside(v->panel, 16.0);
    panel_text(v->panel, PANEL_PLAIN, text);
    format_rate(&v->state, text, sizeof text);
    panel_beside(v->panel, 16.0);
    panel_text(v->panel,
               v->state.paused     ? PANEL_SECOND
               : v->state.too_slow ? PANEL_WARNING
                                   : PANEL_PLAIN,
               text);
    if (v->record.film != NULL) {
        snprintf(text, sizeof text, "recording %.1f s", (double)v->record.pictures / 30.0);
        panel_beside(v->panel, 16.0);
        panel_text(v->panel, PANEL_WARNING, text);
    }
    snprintf(text, sizeof text, "%d x %d cells of %g m", info->nx, info->ny, info->cell_size);
    panel_beside(v->panel, 16.0);
    panel_text(v->panel, PANEL_DIM, text);
    const int substeps = v->picture.frame_data->step.substeps;
    snprintf(text, sizeof text, "%d substep%s", substeps, substeps == 1 ? "" : "s");
    panel_beside(v->panel, 16.0);
    panel_text(v->panel, PANEL_DIM, text);
    const size_t bodies = v->picture.frame_data->bodies.count;
    if (bodies > 0) {
        snprintf(text, sizeof text, "%zu %s, %.2f ms", bodies, bodies == 1 ? "body" : "bodies",
                 v->picture.frame_data->step.milliseconds[RILL_PHASE_BODIES]);
        panel_beside(v->panel, 16.0);
        panel_text(v->panel, PANEL_DIM, text);
    }
    panel_beside(v->panel, 16.0);
    panel_text(v->panel, PANEL_DIM, renderer_device(v->renderer));
    panel_close_box(v->panel);
}

// ---- Legend ----------------------------------------------------------------------------

void hud_legend(view *v)
{
    if (v->painted == OVERLAY_NONE || v->renderer == NULL)
        return;
    const panel_place place = {.x = MARGIN,
                               .y = panel_height(v->panel) - HUD_STATUS_HEIGHT - MARGIN,
                               .anchor_y = 1.0,
                               .is_label = true};
    float colours[BAND_STEPS][3];
    for (int n = 0; n < BAND_STEPS; n++)
        overlay_colour((float)n / (BAND_STEPS - 1), colours[n]);
    const char *const unit = overlay_get(v->painted)->unit;
    const double most = (double)renderer_overlay_max(v->renderer);
    char text[96];
    panel_open_box(v->panel, "legend", &place);
    snprintf(text, sizeof text, "%s%s%s", overlay_name(v->painted), unit[0] != '\0' ? ", " : "",
             unit);
    panel_text(v->panel, PANEL_PLAIN, text);
    if (!overlay_has_scale(v->painted)) {
        panel_text(v->panel, PANEL_PLAIN, overlay_get(v->painted)->legend);
        panel_close_box(v->panel);
        return;
    }
    panel_band(v->panel, (const float(*)[3])colours, BAND_STEPS, BAND_WIDTH, BAND_HEIGHT);
    char half[32], full[32];
    snprintf(half, sizeof half, "%.3g", 0.5 * most);
    snprintf(full, sizeof full, "%.3g", most);
    panel_ticks(v->panel, "0", half, full, BAND_WIDTH);
    panel_close_box(v->panel);
}

// ---- The body that the picker holds ----------------------------------------------------

void hud_held(view *v)
{
    if (!v->state.holding || v->renderer == NULL)
        return;
    const camera_bounds bounds = renderer_bounds(v->renderer);
    const double jitter[2] = {0.0, 0.0}, mouse[2] = {v->mouse.x, v->mouse.y};
    float to_camera[16], projection[16];
    double seen[4] = {0.0}, clip[4] = {0.0};
    camera_matrices(&v->controller.camera, &bounds, v->width, v->height, jitter, to_camera,
                    projection);
    for (int k = 0; k < 4; k++)
        for (int n = 0; n < 4; n++)
            seen[k] += (double)to_camera[4 * n + k] * (n < 3 ? v->state.held_at[n] : 1.0);
    for (int k = 0; k < 4; k++)
        for (int n = 0; n < 4; n++)
            clip[k] += (double)projection[4 * n + k] * seen[n];
    if (clip[3] <= 0.0) // behind the camera
        return;
    const double held[2] = {0.5 * v->width * (1.0 + clip[0] / clip[3]),
                            0.5 * v->height * (1.0 - clip[1] / clip[3])};
    panel_line(v->panel, PANEL_SECOND, held, mouse);
}

// ---- Messages --------------------------------------------------------------------------

void hud_note(view *v)
{
    if (v->clock >= v->note_until)
        return;
    panel_place place = {.x = MARGIN, .y = MARGIN, .is_label = true};
    const double width =
        panel_width(v->panel) - 2.0 * MARGIN - (v->panel_shown ? HUD_PANEL_WIDTH + MARGIN : 0.0);
    if (LETTER * (double)strlen(v->note) > width) // then it takes several lines
        place.width = fmax(width, NARROWEST);
    panel_open_box(v->panel, "note", &place);
    if (place.width > 0.0)
        panel_wrapped(v->panel, PANEL_PLAIN, v->note);
    else
        panel_text(v->panel, PANEL_PLAIN, v->note);
    panel_close_box(v->panel);
}

void hud_opening(view *v)
{
    if (!v->state.opening && v->renderer != NULL)
        return;
    const panel_place place = {.x = 0.5 * panel_width(v->panel),
                               .y = 0.5 * panel_height(v->panel),
                               .anchor_x = 0.5,
                               .anchor_y = 0.5,
                               .is_label = true};
    char text[160];
    snprintf(text, sizeof text, "opening %.120s ...", v->wanted);
    panel_open_box(v->panel, "opening", &place);
    panel_text(v->panel, PANEL_PLAIN, text);
    panel_close_box(v->panel);
}

// ---- Help ------------------------------------------------------------------------------

typedef struct help_line {
    const char *keys, *what; // no keys: a heading; neither: the next column
} help_line;

static const help_line help[] = {
    {NULL, "Time"},
    {"Space", "pause, go on"},
    {"N  .", "one frame"},
    {"-  =", "slower, faster"},
    {"R", "from the start"},
    {"Tab", "next scene"},
    {NULL, "Brush (left button)"},
    {"1", "none: the left button turns"},
    {"2  3", "pour water, take it away"},
    {"4  5  6", "raise, lower, smooth ground"},
    {"[  ]", "smaller, larger"},
    {NULL, "Bodies (left button)"},
    {"7", "throw what the panel says"},
    {"8", "drag; the wheel: nearer, farther"},
    {"9", "remove"},
    {"B  X", "throw, remove with any tool"},
    {NULL, NULL},
    {NULL, "Picture"},
    {"O", "next overlay"},
    {"T", "an hour later; with Shift earlier"},
    {"F12", "save a picture"},
    {"V", "record a film, end it"},
    {NULL, "Camera"},
    {"Middle drag", "turn"},
    {"Right drag", "shift; when flying look around"},
    {"Wheel", "nearer, farther"},
    {"F", "fly, or turn around a point"},
    {"W A S D", "fly; E up, Q down, Shift faster"},
    {"C", "the scene's own camera"},
    {"K", "print the camera"},
    {NULL, "Window"},
    {"P", "panel"},
    {"H", "this help"},
    {"Esc", "close"},
};

void hud_help(view *v)
{
    if (!v->help_shown)
        return;
    const panel_place place = {.x = 0.5 * panel_width(v->panel),
                               .y = 0.5 * (panel_height(v->panel) - HUD_STATUS_HEIGHT),
                               .anchor_x = 0.5,
                               .anchor_y = 0.5,
                               .is_label = true,
                               .is_solid = true};
    panel_open_box(v->panel, "help", &place);
    panel_open_column(v->panel);
    for (size_t n = 0; n < sizeof help / sizeof help[0]; n++) {
        if (help[n].what == NULL) {
            panel_next_column(v->panel, 28.0);
        } else if (help[n].keys == NULL) {
            panel_space(v->panel);
            panel_text(v->panel, PANEL_ACCENT, help[n].what);
        } else {
            panel_pair(v->panel, help[n].keys, help[n].what, 84.0);
        }
    }
    panel_close_column(v->panel);
    panel_close_box(v->panel);
}
