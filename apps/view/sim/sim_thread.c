// SPDX-License-Identifier: MIT
// sim_thread.c - the thread that simulates: commands first, then frame data if they are due, then a
// step if one is due, then rest. Functions that take a sim are called with its mutex held, release
// it while they work, and have it again when they return.
#include "apps/view/sim/sim_thread.h"

#include "apps/view/sim/sim_bodies.h"

#include "render/render_error.h"

#include "rill/river.h"
#include "rill/sources.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define FRAME_PART   0.3    // of the time from picture to picture
#define SHORTEST     0.0125 // seconds from frame data to frame data: no display shows more than 80
#define LONGEST      0.25
#define RATE_PERIOD  0.5        // seconds over which the rate is measured
#define LONGEST_DEBT (1.0 / 30) // seconds of the clock that may be caught up
#define TOO_SLOW     0.05       // part of the time that was given up
#define TOLERANCE    1e-6       // of a frame: sums of frames miss a round time by less

double sim_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---- Commands --------------------------------------------------------------------------

static void note(sim *s, const char *text)
{
    snprintf(s->state.note, sizeof s->state.note, "%s", text);
    s->state.notes++;
}

static void wake_picture(sim *s)
{
    pthread_mutex_unlock(&s->mutex);
    if (s->wake != NULL)
        s->wake(s->user);
    pthread_mutex_lock(&s->mutex);
}

// Takes the newly loaded scene and releases the old one, whose last frame data may be on show yet.
// Called without the mutex.
static void change_scene(sim *s, loaded_scene *next)
{
    loaded_scene *old = s->loaded;
    if (old != NULL) {
        frame_capture_destroy(&old->capture);
        rill_world_destroy(&old->world);
    }
    pthread_mutex_lock(&s->mutex);
    next->epoch[next->ready] = ++s->epoch;
    s->loaded = next;
    s->restart_clock = true;
    s->unseen = false;
    s->count = 0;
    s->state.holding = false;
    if (old != NULL && --old->holders > 0)
        old = NULL;
    pthread_mutex_unlock(&s->mutex);
    loaded_scene_destroy(&old);
    pthread_mutex_lock(&s->mutex);
}

static void open_wanted(sim *s)
{
    sim_request *const r = s->wanted;
    s->wanted = NULL;
    pthread_mutex_unlock(&s->mutex);
    loaded_scene *next = NULL;
    const rill_status status = loaded_scene_open(r->scene, (const char *const *)r->overrides,
                                                 r->count, s->backend, s->threads, &next);
    sim_free_request(r);
    if (status == RILL_OK) {
        change_scene(s, next);
    } else {
        pthread_mutex_lock(&s->mutex);
        note(s, render_error_text());
        if (s->loaded == NULL)
            s->state.failed = status;
    }
    s->state.opening = s->wanted != NULL;
    wake_picture(s);
}

static void restart_now(sim *s)
{
    s->restarting = false;
    pthread_mutex_unlock(&s->mutex);
    const rill_status status = loaded_scene_restart(s->loaded);
    pthread_mutex_lock(&s->mutex);
    if (status != RILL_OK)
        note(s, render_error_text());
    s->epoch++;
    s->unseen = true;
    s->restart_clock = true;
    s->state.holding = false;
}

// Below an overhang water is poured by a source of one frame, which finds the column at the height
// of the mouse; elsewhere at once.
static rill_status pour(loaded_scene *at, const sim_command *c)
{
    const rill_columns columns = rill_world_columns(at->world);
    const rill_probe open = rill_columns_probe(&columns, 0, c->pour.x, c->pour.y);
    const double lowest = (double)open.base - 2.0 * (double)columns.cell_size;
    if (columns.range_max == NULL || c->pour.z >= lowest)
        return rill_world_pour(at->world, c->pour.x, c->pour.y, c->pour.radius, c->pour.volume,
                               NULL);
    rill_source_def def = rill_default_source_def();
    def.x = c->pour.x;
    def.y = c->pour.y;
    def.z = c->pour.z;
    def.radius = c->pour.radius;
    def.rate = c->pour.volume / at->info.frame;
    def.start = rill_world_time(at->world);
    def.end = def.start + at->info.frame;
    return at->pour_source.index1 != 0 ? rill_world_set_source(at->world, at->pour_source, &def)
                                       : rill_world_add_source(at->world, &def, &at->pour_source);
}

static rill_status combine(loaded_scene *at, const sim_command *c)
{
    rill_sdf_primitive shape = rill_default_sdf_primitive(RILL_SDF_SPHERE);
    for (int k = 0; k < 3; k++)
        shape.position[k] = c->combine.centre[k];
    shape.radius = c->combine.radius;
    return rill_world_combine(at->world, &shape, c->combine.how, c->combine.blend);
}

// Carries out a command. An error is a message in render_error_text().
static rill_status apply(loaded_scene *at, const sim_command *c)
{
    rill_rain_frame rain = {0};
    switch (c->kind) {
    case SIM_POUR:
        return render_fail_from_rill(pour(at, c));
    case SIM_COMBINE:
        return render_fail_from_rill(combine(at, c));
    case SIM_BRUSH:
        frame_capture_ground_changed(at->capture);
        return render_fail_from_rill(rill_world_edit_terrain(at->world, &c->brush));
    case SIM_BORDER:
        return render_fail_from_rill(
            rill_world_set_border(at->world, c->border.side, c->border.border, c->border.level));
    case SIM_RAIN:
        rain.rate = c->rate;
        return render_fail_from_rill(rill_world_set_rain(at->world, &rain, 1));
    case SIM_EVAPORATION:
        return render_fail_from_rill(rill_world_set_evaporation(at->world, c->rate));
    case SIM_THROW:
        return sim_bodies_throw(at, c);
    case SIM_REMOVE:
        return sim_bodies_remove(at, &c->ray);
    }
    return RILL_OK;
}

static void apply_next(sim *s)
{
    const sim_command command = s->queue[s->first];
    s->first = (s->first + 1) % SIM_QUEUE;
    s->count--;
    pthread_mutex_unlock(&s->mutex);
    double held_at[3];
    const rill_status status = apply(s->loaded, &command);
    const bool held = sim_bodies_held_at(s->loaded, held_at);
    pthread_mutex_lock(&s->mutex);
    s->state.holding = s->state.holding && held;
    s->unseen = true;
    if (status != RILL_OK)
        note(s, render_error_text());
}

// The body may be another one by then, or the user may have let go.
static void grab_now(sim *s)
{
    const sim_ray ray = s->grab_ray;
    double at[3] = {0.0, 0.0, 0.0};
    s->grab_fresh = false;
    pthread_mutex_unlock(&s->mutex);
    const rill_status status = sim_bodies_grab(s->loaded, &ray, at);
    pthread_mutex_lock(&s->mutex);
    s->state.holding = status == RILL_OK && s->grabbing;
    memcpy(s->state.held_at, at, sizeof at);
    if (status != RILL_OK)
        note(s, render_error_text());
    wake_picture(s);
}

static void read_bodies(const loaded_scene *at, sim_answer *a)
{
    a->bodies = rill_world_body_count(at->world);
    a->holds =
        at->grip.id.index1 != 0 && rill_world_get_body(at->world, at->grip.id, &a->held) == RILL_OK;
    a->has_thrown =
        at->thrown.index1 != 0 && rill_world_get_body(at->world, at->thrown, &a->thrown) == RILL_OK;
}

static void answer_now(sim *s)
{
    const double x = s->ask_x, y = s->ask_y;
    const bool grabbing = s->grabbing;
    pthread_mutex_unlock(&s->mutex);
    sim_answer a = {0};
    if (s->loaded != NULL) {
        rill_world *const world = s->loaded->world;
        const rill_columns columns = rill_world_columns(world);
        a.time = rill_world_time(world);
        a.hash = rill_world_hash(world);
        a.ledger = rill_world_ledger(world);
        a.stats = rill_world_stats(world);
        a.last = rill_world_last_step(world);
        a.probe = rill_columns_probe(&columns, 0, x, y);
        read_bodies(s->loaded, &a);
        a.holds = a.holds && grabbing;
    }
    pthread_mutex_lock(&s->mutex);
    s->answer = a;
    s->answer_valid = s->loaded != NULL;
    s->asked = false;
    pthread_cond_signal(&s->answered);
}

static bool reached(const sim *s, double time)
{
    const double frame = s->loaded->info.frame;
    return rill_world_time(s->loaded->world) >= time - TOLERANCE * frame;
}

// ---- Frame data ------------------------------------------------------------------------

static void fill_frame(sim *s)
{
    loaded_scene *const at = s->loaded;
    const bool births = s->births;
    s->unseen = false;
    pthread_mutex_unlock(&s->mutex);
    const double start = sim_seconds();
    frame_capture_show_births(at->capture, births);
    const rill_status status = frame_data_fill(at->capture, at->world, at->frames[at->filling]);
    s->taken_at = sim_seconds();
    pthread_mutex_lock(&s->mutex);
    s->state.frame_data_ms = 1e3 * (s->taken_at - start);
    if (status != RILL_OK) {
        note(s, render_error_text());
        return;
    }
    const int filled = at->filling;
    at->filling = at->ready;
    at->ready = filled;
    at->epoch[filled] = s->epoch;
    at->fresh = true;
    wake_picture(s);
}

// Filling frame data costs as much as a step. Those that were not drawn yet are renewed only a few
// times in the life of a picture.
static bool frame_is_due(const sim *s)
{
    const double interval = fmin(fmax(FRAME_PART * s->show_period, SHORTEST), LONGEST);
    return s->unseen && (s->state.paused || !s->loaded->fresh || reached(s, s->hold) ||
                         sim_seconds() - s->taken_at >= interval);
}

// ---- Steps -----------------------------------------------------------------------------

// Real time begins anew: after a pause, another speed, another scene.
static void begin_clock(sim *s)
{
    const double now = sim_seconds();
    s->restart_clock = false;
    s->due = now;
    s->rate_start = now;
    s->rate_simulated = 0.0;
    s->rate_lost = 0.0;
    s->state.too_slow = false;
}

static bool may_step(sim *s)
{
    if (reached(s, s->hold))
        return false;
    if (s->steps > 0)
        return true;
    if (s->state.paused)
        return false;
    if (s->restart_clock)
        begin_clock(s);
    return isfinite(s->until) || sim_seconds() >= s->due;
}

// A step that came late is made up for by the next ones, but only as much as LONGEST_DEBT or one
// frame; the rest is given up, so that a slow machine shows slow water and not ever later water.
static void follow_clock(sim *s, double now)
{
    const double frame = s->loaded->info.frame, interval = frame / s->state.speed;
    const double limit = fmax(interval, LONGEST_DEBT);
    s->due += interval;
    if (now - s->due > limit) {
        s->rate_lost += now - s->due - limit;
        s->due = now - limit;
    }
    s->rate_simulated += frame;
    const double window = now - s->rate_start;
    if (window < RATE_PERIOD)
        return;
    s->state.rate = s->rate_simulated / window;
    s->state.too_slow = s->rate_lost > TOO_SLOW * window && !isfinite(s->until);
    s->rate_start = now;
    s->rate_simulated = 0.0;
    s->rate_lost = 0.0;
}

void sim_halt(sim *s)
{
    s->state.paused = true;
    s->state.until_reached = true;
    s->state.rate = 0.0;
    s->state.too_slow = false;
    s->steps = 0;
    s->until = INFINITY;
    s->restart_clock = true;
}

// The position of the viewer matters only where detail goes with the distance.
static void tell_viewer(loaded_scene *at, const double viewer[3])
{
    if (rill_world_detail(at->world).squares_x > 0)
        rill_world_set_viewer(at->world, viewer[0], viewer[1], viewer[2]);
}

static void step_once(sim *s)
{
    loaded_scene *const at = s->loaded;
    const double viewer[3] = {s->viewer[0], s->viewer[1], s->viewer[2]};
    const bool viewer_known = s->viewer_known;
    const sim_ray ray = s->ray;
    bool holding = s->state.holding;
    double held_at[3];
    pthread_mutex_unlock(&s->mutex);
    const double start = sim_seconds();
    if (viewer_known)
        tell_viewer(at, viewer);
    if (holding)
        sim_bodies_pull(at, &ray, at->info.frame);
    const rill_status status = rill_world_step(at->world, at->info.frame);
    holding = holding && sim_bodies_held_at(at, held_at);
    const double end = sim_seconds();
    pthread_mutex_lock(&s->mutex);
    s->state.holding = s->state.holding && holding;
    if (holding)
        memcpy(s->state.held_at, held_at, sizeof held_at);
    s->state.step_ms = 1e3 * (end - start);
    s->unseen = true;
    if (status != RILL_OK) {
        sim_halt(s);
        note(s, rill_last_error());
    } else if (s->steps > 0) {
        s->steps--;
    } else if (!s->state.paused && !s->restart_clock) {
        follow_clock(s, end);
    }
}

static void rest(sim *s)
{
    if (s->loaded == NULL || s->state.paused || reached(s, s->hold)) {
        pthread_cond_wait(&s->changed, &s->mutex);
        return;
    }
    const double whole = floor(s->due);
    const struct timespec until = {.tv_sec = (time_t)whole,
                                   .tv_nsec = (long)(1e9 * (s->due - whole))};
    pthread_cond_timedwait(&s->changed, &s->mutex, &until);
}

void *sim_work(void *argument)
{
    sim *const s = argument;
    pthread_mutex_lock(&s->mutex);
    while (!s->stopping) {
        if (s->wanted != NULL)
            open_wanted(s);
        else if (s->restarting && s->loaded != NULL)
            restart_now(s);
        else if (s->count > 0 && s->loaded != NULL)
            apply_next(s);
        else if (s->grab_fresh && s->loaded != NULL)
            grab_now(s);
        else if (s->asked && (s->steps == 0 || s->loaded == NULL || reached(s, s->hold)))
            answer_now(s);
        else if (s->loaded == NULL)
            rest(s);
        else if (!s->state.paused && reached(s, s->until))
            sim_halt(s);
        else if (frame_is_due(s))
            fill_frame(s);
        else if (may_step(s))
            step_once(s);
        else
            rest(s);
    }
    pthread_mutex_unlock(&s->mutex);
    return NULL;
}
