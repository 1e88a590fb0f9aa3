// SPDX-License-Identifier: MIT
// record.c - saves pictures and films of the window.
#include "apps/view/record.h"

#include "render/output/film.h"
#include "render/render_error.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define FILM_RATE  30.0 // pictures a second
#define TOLERANCE  1e-6 // of a frame
#define MOST_NAMES 10000

static uint8_t *read_window(int width, int height)
{
    uint8_t *rgb = malloc((size_t)width * (size_t)height * 3);
    if (rgb == NULL)
        render_fail(RILL_NO_MEMORY, "no memory for a picture of %d x %d", width, height);
    else
        canvas_read(0, width, height, rgb);
    return rgb;
}

static rill_status write_picture(const view *v, const char *path)
{
    uint8_t *rgb = read_window(v->width, v->height);
    if (rgb == NULL)
        return RILL_NO_MEMORY;
    film *f = NULL;
    rill_status status = film_open(path, v->width, v->height, FILM_RATE, &f);
    if (status == RILL_OK)
        status = film_add(f, rgb);
    if (status == RILL_OK)
        status = film_close(&f);
    film_abandon(&f);
    free(rgb);
    return status;
}

// ---- Pictures --------------------------------------------------------------------------

void record_picture(view *v)
{
    v->record.picture_wanted = true;
}

void record_save_picture(view *v)
{
    char path[256];
    const char *const name = v->loaded->info.name;
    const double time = v->picture.frame_data->time;
    v->record.picture_wanted = false;
    snprintf(path, sizeof path, "%s-%.3fs.png", name, time);
    for (int n = 2; access(path, F_OK) == 0 && n < MOST_NAMES; n++)
        snprintf(path, sizeof path, "%s-%.3fs-%d.png", name, time, n);
    if (write_picture(v, path) == RILL_OK)
        window_note(v, "saved %s", path);
    else
        window_note(v, "%s", render_error_text());
}

void record_save_shot(view *v)
{
    if (write_picture(v, v->record.shot_path) != RILL_OK) {
        v->status = RILL_WRITE_FAILED;
        v->closing = true;
    }
    v->record.shot_path = NULL;
}

// ---- Films -----------------------------------------------------------------------------

static void start_film(view *v)
{
    window_record *const r = &v->record;
    const char *const name = v->loaded->info.name;
    int n = 1;
    do
        snprintf(r->film_path, sizeof r->film_path, "rill-%s-%02d.mp4", name, n);
    while (access(r->film_path, F_OK) == 0 && ++n < MOST_NAMES);
    r->width = v->width & ~1; // videos are made of pairs of pixels
    r->height = v->height & ~1;
    if (film_open(r->film_path, r->width, r->height, FILM_RATE, &r->film) != RILL_OK) {
        window_note(v, "%s", render_error_text());
        return;
    }
    r->next = v->picture.frame_data->time;
    r->epoch = v->epoch;
    r->pictures = 0;
    sim_hold(v->sim, r->next);
    window_note(v, "recording %s; V ends it", r->film_path);
}

static void end_film(view *v, const char *why)
{
    window_record *const r = &v->record;
    sim_hold(v->sim, INFINITY);
    if (film_close(&r->film) == RILL_OK)
        window_note(v, "saved %s: %.1f s%s", r->film_path, (double)r->pictures / FILM_RATE, why);
    else
        window_note(v, "%s", render_error_text());
}

void record_toggle_film(view *v)
{
    if (v->record.film != NULL)
        end_film(v, "");
    else if (v->renderer != NULL && v->picture.frame_data != NULL)
        start_film(v);
}

void record_film(view *v)
{
    window_record *const r = &v->record;
    if (r->film == NULL)
        return;
    if (r->epoch != v->epoch) {
        end_film(v, "; the scene began anew");
        return;
    }
    if (r->width != (v->width & ~1) || r->height != (v->height & ~1)) {
        end_film(v, "; the window has another size now");
        return;
    }
    const double time = v->picture.frame_data->time;
    const double slack = TOLERANCE * v->loaded->info.frame;
    if (time < r->next - slack)
        return;
    uint8_t *rgb = read_window(r->width, r->height);
    rill_status status = rgb != NULL ? RILL_OK : RILL_NO_MEMORY;
    for (; status == RILL_OK && time >= r->next - slack; r->pictures++) {
        status = film_add(r->film, rgb);
        r->next += v->state.speed / FILM_RATE;
    }
    free(rgb);
    if (status != RILL_OK) {
        window_note(v, "the film ends: %s", render_error_text());
        film_abandon(&r->film);
        sim_hold(v->sim, INFINITY);
        return;
    }
    sim_hold(v->sim, r->next);
}

void record_close(view *v)
{
    if (v->record.film != NULL && film_close(&v->record.film) != RILL_OK)
        fprintf(stderr, "rill: %s\n", render_error_text());
}
