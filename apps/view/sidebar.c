// SPDX-License-Identifier: MIT
// sidebar.c - the panel on the right.
#include "apps/view/sidebar.h"

#include "apps/view/actions.h"
#include "apps/view/hud.h"
#include "apps/view/record.h"

#include "rill/parameters.h"
#include "rill/scene.h"
#include "rill/sources.h"
#include "rill/view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MARGIN        8.0
#define MOST_SCENES   64
#define MOST_LIQUIDS  32
#define TOOLS_A_ROW   3
#define MM_PER_HOUR   3.6e6 // in 1 m/s
#define LIGHTEST_RAIN 1.0
#define HEAVIEST_RAIN 5000.0 // mm/h: far above nature, so that a minute shows something
#define LEAST_TOP     1e-12  // of a graph of nothing

window_settings sidebar_settings(void)
{
    window_settings s = {.rain = 100.0, .evaporation = 10.0};
    for (int n = 0; n < WINDOW_OVERRIDES; n++)
        s.value[n] = action_overrides[n].usual;
    return s;
}

// ---- Scene and time --------------------------------------------------------------------

static void scene_part(view *v)
{
    const char *names[MOST_SCENES];
    int count = rill_builtin_scene_count(), at = -1;
    count = count < MOST_SCENES - 1 ? count : MOST_SCENES - 1;
    for (int n = 0; n < count; n++) {
        names[n] = rill_builtin_scene_name(n);
        if (strcmp(names[n], v->scene) == 0)
            at = n;
    }
    if (at < 0) { // a file: it stands at the end
        at = count;
        names[count++] = v->scene;
    }
    const int shown = at;
    if (panel_choice(v->panel, "scene", names, count, &at) && at != shown)
        action_open(v, names[at]);
    if (v->loaded->info.description != NULL && v->loaded->info.description[0] != '\0')
        panel_wrapped(v->panel, PANEL_DIM, v->loaded->info.description);
}

static void time_part(view *v)
{
    static const char *const controls[] = {"pause", "frame", "restart"};
    const char *names[3];
    memcpy(names, controls, sizeof names);
    if (v->state.paused)
        names[0] = "run";
    switch (panel_buttons(v->panel, names, 3, v->state.paused ? 0 : -1)) {
    case 0:
        action_pause(v);
        break;
    case 1:
        action_step(v);
        break;
    case 2:
        action_restart(v);
        break;
    default:
        break;
    }
    double speed = v->state.speed;
    if (panel_slider(v->panel, "speed", &speed, SIM_SLOWEST, SIM_FASTEST, "%.3g x", false))
        sim_set_speed(v->sim, speed);
    const char *const takes[] = {"picture", v->record.film != NULL ? "end film" : "film"};
    const int taken = panel_buttons(v->panel, takes, 2, v->record.film != NULL ? 1 : -1);
    if (taken == 0)
        record_picture(v);
    else if (taken == 1)
        record_toggle_film(v);
}

// ---- Brush and picture -----------------------------------------------------------------

static void brush_part(view *v)
{
    const char *names[BRUSH_TOOL_COUNT];
    for (int n = 0; n < BRUSH_TOOL_COUNT; n++)
        names[n] = brush_name((brush_tool)n);
    for (int first = 0; first < BRUSH_TOOL_COUNT; first += TOOLS_A_ROW) {
        const int lit = (int)v->brush.tool - first;
        const int pressed = panel_buttons(v->panel, names + first, TOOLS_A_ROW,
                                          lit >= 0 && lit < TOOLS_A_ROW ? lit : -1);
        if (pressed >= 0)
            action_tool(v, (brush_tool)(first + pressed));
    }
    const rill_scene_info *const info = &v->loaded->info;
    double radius = v->brush.radius;
    if (panel_slider(v->panel, "radius", &radius, brush_fitting_radius(info, 0.0),
                     brush_fitting_radius(info, INFINITY), "%.3g m", false))
        v->brush.radius = radius;
    panel_slider(v->panel, "strength", &v->brush.strength, 0.1, 10.0, "%.2g", false);
}

static void bodies_part(view *v)
{
    static const char *const waters[] = {"runs through it", "is blocked by it"};
    const char *names[SIM_BODY_COUNT];
    picker *const h = &v->picker;
    const char *const refusal = picker_refusal();
    if (refusal != NULL) {
        panel_wrapped(v->panel, PANEL_DIM, refusal);
        return;
    }
    for (int n = 0; n < SIM_BODY_COUNT; n++)
        names[n] = picker_body_name((sim_body)n);
    const int kind = panel_buttons(v->panel, names, SIM_BODY_COUNT, (int)h->body);
    if (kind >= 0)
        h->body = (sim_body)kind;
    const picker_range size = picker_sizes(v->loaded), speed = picker_speeds(v->loaded);
    panel_slider(v->panel, "size", &h->size, size.least, size.most, "%.3g m", false);
    panel_slider(v->panel, "speed", &h->speed, speed.least, speed.most, "%.3g m/s", false);
    int water = h->blocks ? 1 : 0;
    if (panel_choice(v->panel, "water", waters, picker_can_block(v->loaded) ? 2 : 1, &water))
        h->blocks = water == 1;
    char text[64];
    snprintf(text, sizeof text, "%zu, %.2f ms a step", v->picture.frame_data->bodies.count,
             v->picture.frame_data->step.milliseconds[RILL_PHASE_BODIES]);
    panel_row(v->panel, "in the world", text);
}

static void overlay_choice(view *v)
{
    const char *names[OVERLAY_COUNT];
    for (int n = 0; n < OVERLAY_COUNT; n++)
        names[n] = overlay_name((overlay)n);
    int at = (int)v->painted;
    if (panel_choice(v->panel, "overlay", names, OVERLAY_COUNT, &at))
        v->painted = (overlay)at;
}

static bool liquid_choice(view *v)
{
    const char *names[MOST_LIQUIDS];
    int count = rill_liquid_count(), at = 0;
    count = count < MOST_LIQUIDS ? count : MOST_LIQUIDS;
    for (int n = 0; n < count; n++) {
        names[n] = rill_liquid_preset(n).name;
        if (v->scene_view.liquid.name != NULL && strcmp(names[n], v->scene_view.liquid.name) == 0)
            at = n;
    }
    if (!panel_choice(v->panel, "liquid", names, count, &at))
        return false;
    v->scene_view.liquid = rill_liquid_preset(at);
    return true;
}

// A row of the table of rill_view, which has all names that are asked for here.
static const rill_parameter *view_parameter(const char *name)
{
    const rill_parameter *row = rill_view_parameters(NULL);
    while (strcmp(row->name, name) != 0)
        row++;
    return row;
}

static void picture_part(view *v)
{
    rill_view *const l = &v->scene_view;
    panel *const p = v->panel;
    int ground = (int)l->ground, backdrop = (int)l->backdrop;
    overlay_choice(v);
    const rill_parameter *const hour = view_parameter("view.time_of_day");
    const rill_parameter *const clouds = view_parameter("view.clouds");
    bool changed = panel_slider(p, "hour", &l->time_of_day, hour->low, hour->high, "%.2f h", true);
    changed |= panel_slider(p, "clouds", &l->clouds, clouds->low, clouds->high, "%.2f", true);
    changed |= panel_slider(p, "wind", &l->wind, 0.0, 20.0, "%.1f m/s", true);
    changed |= panel_slider(p, "exposure", &l->exposure, -4.0, 4.0, "%+.1f stops", true);
    changed |= liquid_choice(v);
    changed |= panel_choice(p, "ground", view_parameter("view.ground")->words,
                            RILL_GROUND_MATERIAL_COUNT, &ground);
    changed |= panel_choice(p, "backdrop", view_parameter("view.backdrop")->words,
                            RILL_BACKDROP_COUNT, &backdrop);
    l->ground = (rill_ground_material)ground;
    l->backdrop = (rill_backdrop)backdrop;
    if (changed)
        renderer_set_view(v->renderer, l);
}

// ---- Water -----------------------------------------------------------------------------

static void order(view *v, const sim_command *command)
{
    if (!sim_order(v->sim, command))
        window_note(v, "the simulation is busy: please set that again");
}

// A sea at this level just reaches the lowest ground of the side.
static double lowest_ground(const frame_data *s, rill_side side)
{
    const bool along_y = side == RILL_SIDE_WEST || side == RILL_SIDE_EAST;
    const int fixed = side == RILL_SIDE_EAST ? s->nx - 1 : side == RILL_SIDE_NORTH ? s->ny - 1 : 0;
    double lowest = INFINITY;
    for (int n = 0; n < (along_y ? s->ny : s->nx); n++) {
        const int i = along_y ? fixed : n, j = along_y ? n : fixed;
        lowest = fmin(lowest, (double)s->bed[(size_t)j * (size_t)s->nx + (size_t)i]);
    }
    return lowest;
}

static void border_row(view *v, rill_side side, const char *name)
{
    static const char *const borders[] = {"as in the scene", "wall", "drain", "level"};
    window_settings *const s = &v->settings;
    int at = s->border[side];
    bool changed = panel_choice(v->panel, name, borders, 4, &at) && at > 0;
    if (changed && at == 1 + RILL_BORDER_LEVEL && s->border[side] != at)
        s->level[side] = lowest_ground(v->picture.frame_data, side);
    s->border[side] = at > 0 ? at : s->border[side];
    if (s->border[side] == 1 + RILL_BORDER_LEVEL) {
        const camera_bounds b = renderer_bounds(v->renderer);
        changed |= panel_slider(v->panel, "  its level", &s->level[side], b.low[2], b.high[2],
                                "%.2f m", true);
    }
    const sim_command command = {.kind = SIM_BORDER,
                                 .border = {.side = side,
                                            .border = (rill_border)(s->border[side] - 1),
                                            .level = (float)s->level[side]}};
    if (changed)
        order(v, &command);
}

// A rate that replaces the scene's own. Switched off it is 0; a restart brings the scene's back.
static void rate_row(view *v, const char *name, sim_kind kind, bool *set, double *rate)
{
    bool changed = panel_check(v->panel, name, set);
    if (*set) {
        char label[64];
        snprintf(label, sizeof label, "  %s", kind == SIM_RAIN ? "falls" : "leaves");
        changed |=
            panel_slider(v->panel, label, rate, LIGHTEST_RAIN, HEAVIEST_RAIN, "%.3g mm/h", false);
    }
    const sim_command command = {.kind = kind, .rate = *set ? *rate / MM_PER_HOUR : 0.0};
    if (changed)
        order(v, &command);
}

static void water_part(view *v)
{
    window_settings *const s = &v->settings;
    border_row(v, RILL_SIDE_WEST, "west");
    border_row(v, RILL_SIDE_EAST, "east");
    border_row(v, RILL_SIDE_SOUTH, "south");
    border_row(v, RILL_SIDE_NORTH, "north");
    rate_row(v, "rain of my own", SIM_RAIN, &s->rains, &s->rain);
    rate_row(v, "evaporation of my own", SIM_EVAPORATION, &s->evaporates, &s->evaporation);
}

static void world_part(view *v)
{
    static const char *const apply[] = {"apply (restarts)"};
    window_settings *const s = &v->settings;
    panel_wrapped(v->panel, PANEL_DIM, "Not ticked: as the scene says.");
    for (int n = 0; n < WINDOW_OVERRIDES; n++) {
        const action_override *const o = &action_overrides[n];
        char label[64];
        if (!action_fits(v, n))
            continue;
        panel_check(v->panel, o->label, &s->overridden[n]);
        snprintf(label, sizeof label, "  %s", strchr(o->key, '.') + 1);
        if (s->overridden[n])
            panel_slider(v->panel, label, &s->value[n], o->low, o->high, o->format, o->even);
    }
    if (panel_buttons(v->panel, apply, 1, -1) == 0)
        action_open(v, v->scene);
}

// ---- Figures ---------------------------------------------------------------------------

void sidebar_remember(view *v)
{
    window_graphs *const g = &v->graphs;
    const rill_ledger *const l = &v->picture.frame_data->ledger;
    g->draw_ms[g->next] = (float)v->draw_ms;
    g->sim_ms[g->next] = (float)(v->state.step_ms + v->state.frame_data_ms);
    g->water[g->next] = (float)l->water;
    g->sourced[g->next] = (float)l->sourced;
    g->drained[g->next] = (float)l->drained;
    g->error[g->next] = (float)l->error;
    g->next = (g->next + 1) % WINDOW_GRAPH;
    g->count += g->count < WINDOW_GRAPH;
}

static panel_series series_of(const view *v, const char *name, const float *values, panel_ink ink)
{
    const window_graphs *const g = &v->graphs;
    return (panel_series){.name = name,
                          .values = values,
                          .size = WINDOW_GRAPH,
                          .first = (g->next - g->count + WINDOW_GRAPH) % WINDOW_GRAPH,
                          .count = g->count,
                          .ink = ink};
}

// The first round number (1, 2 or 5 times a power of ten) above all values, so that a scale does
// not change with every picture.
static double top_of(const panel_series *series, int count)
{
    double most = LEAST_TOP;
    for (int n = 0; n < count; n++)
        for (int k = 0; k < series[n].size; k++)
            most = fmax(most, (double)series[n].values[k]);
    const double ten = pow(10.0, floor(log10(most)));
    const double lead = most / ten;
    return ten * (lead <= 1.0 ? 1.0 : lead <= 2.0 ? 2.0 : lead <= 5.0 ? 5.0 : 10.0);
}

static void graph(view *v, const char *title, const panel_series *series, int count,
                  const char *unit)
{
    char text[48];
    const double top = top_of(series, count);
    snprintf(text, sizeof text, "%.10g%s%s", top, unit[0] != '\0' ? " " : "", unit);
    panel_graph(v->panel, title, series, count, top, text);
}

static void figures_part(view *v)
{
    const window_graphs *const g = &v->graphs;
    const panel_series times[] = {series_of(v, "drawing", g->draw_ms, PANEL_ACCENT),
                                  series_of(v, "simulation", g->sim_ms, PANEL_SECOND)};
    const panel_series books[] = {series_of(v, "water", g->water, PANEL_ACCENT),
                                  series_of(v, "sourced", g->sourced, PANEL_SECOND),
                                  series_of(v, "drained", g->drained, PANEL_WARNING)};
    const panel_series error[] = {series_of(v, "of all that came in", g->error, PANEL_DIM)};
    graph(v, "frame", times, 2, "ms");
    graph(v, "ledger", books, 3, "m\302\263");
    graph(v, "error", error, 1, "");
}

// All rows are there at all times, so that what is below does not jump.
static void probe_part(view *v)
{
    static const char *const labels[] = {"place", "ground", "depth", "level", "velocity"};
    char texts[5][64];
    const double *const at = v->brush.at;
    const rill_probe probe = frame_data_probe(v->picture.frame_data, at[0], at[1]);
    // Worlds of centimetres are read in millimetres.
    const bool tiny = v->picture.frame_data->cell_size < 0.005f;
    const double scale = tiny ? 1e3 : 1.0;
    const char *const unit = tiny ? "mm" : "m";
    snprintf(texts[0], sizeof texts[0], "%.1f, %.1f %s", scale * at[0], scale * at[1], unit);
    snprintf(texts[1], sizeof texts[1], "%.3f %s", scale * (double)probe.base, unit);
    snprintf(texts[2], sizeof texts[2], "%.3f %s", scale * (double)probe.depth, unit);
    snprintf(texts[3], sizeof texts[3], "%.3f %s", scale * (double)probe.level, unit);
    snprintf(texts[4], sizeof texts[4], "%+.2f, %+.2f m/s", (double)probe.velocity_x,
             (double)probe.velocity_y);
    for (int n = 0; n < 5; n++)
        panel_row(v->panel, labels[n], v->brush.on_ground ? texts[n] : "-");
}

// ---- All of it -------------------------------------------------------------------------

void sidebar(view *v)
{
    static const struct {
        const char *title;
        bool open;
        void (*part)(view *v);
    } parts[] = {
        {"Time", true, time_part},
        {"Brush", true, brush_part},
        {"Bodies", true, bodies_part},
        {"Under the mouse", true, probe_part},
        {"Picture", true, picture_part},
        {"Figures", true, figures_part},
        {"Borders and rain", false, water_part},
        {"Water and gravity", false, world_part},
    };
    if (!v->panel_shown || v->renderer == NULL)
        return;
    const panel_place place = {.x = panel_width(v->panel) - MARGIN,
                               .y = MARGIN,
                               .anchor_x = 1.0,
                               .width = HUD_PANEL_WIDTH,
                               .height = panel_height(v->panel) - HUD_STATUS_HEIGHT - 2 * MARGIN};
    panel_open_box(v->panel, "panel", &place);
    scene_part(v);
    for (size_t n = 0; n < sizeof parts / sizeof parts[0]; n++)
        if (panel_section(v->panel, parts[n].title, parts[n].open))
            parts[n].part(v);
    panel_close_box(v->panel);
}
