// SPDX-License-Identifier: MIT
// sim.c - the side of the thread that draws: it takes frame data and queues commands.
#include "apps/view/sim/sim_thread.h"

#include "render/render_error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void sim_free_request(sim_request *r)
{
    if (r == NULL)
        return;
    for (int n = 0; n < r->count; n++)
        free(r->overrides[n]);
    free(r->overrides);
    free(r->scene);
    free(r);
}

static sim_request *make_request(const char *scene, const char *const *overrides, int count)
{
    sim_request *r = calloc(1, sizeof *r);
    if (r == NULL)
        return NULL;
    r->scene = strdup(scene);
    r->overrides = calloc((size_t)count + 1, sizeof *r->overrides);
    bool complete = r->scene != NULL && r->overrides != NULL;
    for (int n = 0; n < count && complete; n++) {
        r->overrides[n] = strdup(overrides[n]);
        r->count = n + 1;
        complete = r->overrides[n] != NULL;
    }
    if (complete)
        return r;
    sim_free_request(r);
    return NULL;
}

// ---- Life ------------------------------------------------------------------------------

static void free_sim(sim *s)
{
    sim_free_request(s->wanted);
    pthread_cond_destroy(&s->answered);
    pthread_cond_destroy(&s->changed);
    pthread_mutex_destroy(&s->mutex);
    free(s);
}

static void make_locks(sim *s)
{
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&s->mutex, NULL);
    pthread_cond_init(&s->changed, &monotonic);
    pthread_cond_init(&s->answered, NULL);
    pthread_condattr_destroy(&monotonic);
}

rill_status sim_create(const sim_def *def, sim **out)
{
    *out = NULL;
    sim *s = calloc(1, sizeof *s);
    sim_request *wanted = make_request(def->scene, def->overrides, def->override_count);
    if (s == NULL || wanted == NULL) {
        free(s);
        sim_free_request(wanted);
        return render_fail(RILL_NO_MEMORY, "no memory for the simulation's thread");
    }
    s->threads = def->threads;
    s->backend = def->backend;
    s->wake = def->wake;
    s->user = def->user;
    s->wanted = wanted;
    s->until = INFINITY;
    s->hold = INFINITY;
    s->restart_clock = true;
    s->state =
        (sim_state){.paused = def->paused, .opening = true, .until_reached = true, .speed = 1.0};
    make_locks(s);
    if (pthread_create(&s->thread, NULL, sim_work, s) != 0) {
        free_sim(s);
        return render_fail(RILL_NO_MEMORY, "the system gives no thread for the simulation");
    }
    *out = s;
    return RILL_OK;
}

void sim_destroy(sim **s)
{
    if (s == NULL || *s == NULL)
        return;
    sim *const it = *s;
    pthread_mutex_lock(&it->mutex);
    it->stopping = true;
    pthread_cond_signal(&it->changed);
    pthread_mutex_unlock(&it->mutex);
    pthread_join(it->thread, NULL);
    if (it->drawn != it->loaded)
        loaded_scene_destroy(&it->drawn);
    loaded_scene_destroy(&it->loaded);
    free_sim(it);
    *s = NULL;
}

// ---- The picture's thread --------------------------------------------------------------

sim_picture sim_newest(sim *s)
{
    loaded_scene *left = NULL;
    pthread_mutex_lock(&s->mutex);
    if (s->loaded != s->drawn) {
        left = s->drawn;
        s->drawn = s->loaded;
        s->drawn->holders++;
        if (left != NULL && --left->holders > 0)
            left = NULL;
    }
    loaded_scene *const at = s->drawn;
    sim_picture picture = {.loaded = at};
    if (at != NULL && at->fresh) {
        const int newest = at->ready;
        at->ready = at->drawn;
        at->drawn = newest;
        at->fresh = false;
        picture.fresh = true;
        const double now = sim_seconds();
        s->show_period = now - s->shown_at;
        s->shown_at = now;
        pthread_cond_signal(&s->changed);
    }
    if (at != NULL) {
        picture.frame_data = at->frames[at->drawn];
        picture.epoch = at->epoch[at->drawn];
    }
    pthread_mutex_unlock(&s->mutex);
    loaded_scene_destroy(&left);
    return picture;
}

sim_state sim_get_state(sim *s)
{
    pthread_mutex_lock(&s->mutex);
    const sim_state state = s->state;
    pthread_mutex_unlock(&s->mutex);
    return state;
}

void sim_pause(sim *s, bool paused)
{
    pthread_mutex_lock(&s->mutex);
    if (paused)
        sim_halt(s);
    s->state.paused = paused;
    s->restart_clock = true;
    pthread_cond_signal(&s->changed);
    pthread_mutex_unlock(&s->mutex);
}

void sim_set_viewer(sim *s, const double position[3])
{
    pthread_mutex_lock(&s->mutex);
    memcpy(s->viewer, position, sizeof s->viewer);
    s->viewer_known = true;
    pthread_mutex_unlock(&s->mutex);
}

void sim_show_births(sim *s, bool shown)
{
    pthread_mutex_lock(&s->mutex);
    if (s->births != shown) {
        s->births = shown;
        s->unseen = true;
        pthread_cond_signal(&s->changed);
    }
    pthread_mutex_unlock(&s->mutex);
}

void sim_set_speed(sim *s, double speed)
{
    pthread_mutex_lock(&s->mutex);
    s->state.speed = fmin(fmax(speed, SIM_SLOWEST), SIM_FASTEST);
    s->restart_clock = true;
    pthread_cond_signal(&s->changed);
    pthread_mutex_unlock(&s->mutex);
}

void sim_step(sim *s)
{
    pthread_mutex_lock(&s->mutex);
    const int steps = s->steps + 1;
    sim_halt(s);
    s->steps = steps;
    pthread_cond_signal(&s->changed);
    pthread_mutex_unlock(&s->mutex);
}

void sim_run_until(sim *s, double time)
{
    pthread_mutex_lock(&s->mutex);
    s->until = time;
    s->state.paused = false;
    s->state.until_reached = false;
    s->restart_clock = true;
    pthread_cond_signal(&s->changed);
    pthread_mutex_unlock(&s->mutex);
}

void sim_hold(sim *s, double time)
{
    pthread_mutex_lock(&s->mutex);
    s->hold = time;
    pthread_cond_signal(&s->changed);
    pthread_mutex_unlock(&s->mutex);
}

void sim_restart(sim *s)
{
    pthread_mutex_lock(&s->mutex);
    s->restarting = true;
    s->count = 0;
    pthread_cond_signal(&s->changed);
    pthread_mutex_unlock(&s->mutex);
}

rill_status sim_open(sim *s, const char *scene, const char *const *overrides, int count)
{
    sim_request *wanted = make_request(scene, overrides, count);
    if (wanted == NULL)
        return render_fail(RILL_NO_MEMORY, "no memory to open %s", scene);
    pthread_mutex_lock(&s->mutex);
    sim_free_request(s->wanted);
    s->wanted = wanted;
    s->state.opening = true;
    s->restarting = false;
    s->count = 0;
    pthread_cond_signal(&s->changed);
    pthread_mutex_unlock(&s->mutex);
    return RILL_OK;
}

bool sim_order(sim *s, const sim_command *command)
{
    pthread_mutex_lock(&s->mutex);
    const bool fits = s->count < SIM_QUEUE;
    if (fits) {
        s->queue[(s->first + s->count) % SIM_QUEUE] = *command;
        s->count++;
        pthread_cond_signal(&s->changed);
    }
    pthread_mutex_unlock(&s->mutex);
    return fits;
}

void sim_grab(sim *s, const sim_ray *ray)
{
    pthread_mutex_lock(&s->mutex);
    s->grabbing = true;
    s->grab_fresh = true;
    s->grab_ray = *ray;
    s->ray = *ray;
    pthread_cond_signal(&s->changed);
    pthread_mutex_unlock(&s->mutex);
}

void sim_drag(sim *s, const sim_ray *ray)
{
    pthread_mutex_lock(&s->mutex);
    s->ray = *ray;
    pthread_mutex_unlock(&s->mutex);
}

void sim_let_go(sim *s)
{
    pthread_mutex_lock(&s->mutex);
    s->grabbing = false;
    s->grab_fresh = false;
    s->state.holding = false;
    pthread_mutex_unlock(&s->mutex);
}

bool sim_ask(sim *s, double x, double y, sim_answer *out)
{
    pthread_mutex_lock(&s->mutex);
    s->asked = true;
    s->ask_x = x;
    s->ask_y = y;
    pthread_cond_signal(&s->changed);
    while (s->asked)
        pthread_cond_wait(&s->answered, &s->mutex);
    *out = s->answer;
    const bool valid = s->answer_valid;
    pthread_mutex_unlock(&s->mutex);
    return valid;
}
