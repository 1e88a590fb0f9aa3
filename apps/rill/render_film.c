// SPDX-License-Identifier: MIT
// render_film.c - plays a scene and films it. The world is stepped in its own frames, exactly as
// `rill run` does; a picture reads the world and changes nothing.
#include "apps/rill/command.h"
#include "apps/rill/message.h"
#include "apps/rill/progress.h"
#include "apps/rill/render.h"
#include "apps/rill/render_camera.h"
#include "render/frame/frame_data.h"
#include "render/output/film.h"
#include "render/output/headless.h"
#include "render/render_error.h"
#include "render/renderer.h"

#include "rill/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PICTURES 1e7
#define EARLY         1e-3 // of a frame: sums of many frames come a little late to a round time
// Moving detail and fading foam have a history; a picture needs this much of it, seconds.
#define HISTORY 6.0

typedef enum part { PART_SIMULATE, PART_FRAME_DATA, PART_DRAW, PART_ENCODE, PART_COUNT } part;

// A film that is being made and everything it owns.
typedef struct shooting {
    const render_options *options;
    film_kind kind;
    overlay painted;
    render_camera camera;
    play play;
    progress progress;

    headless *context;
    renderer *renderer;
    canvas *canvas;
    frame_capture *capture;
    frame_data *frame_data;
    uint8_t *rgb;
    film *film;

    long pictures;    // that are wanted
    long picture;     // that are done
    long data_frame;  // frame of the last frame data, -1 before the first
    long drawn_frame; // likewise of the last picture
    camera drawn_camera;
    double seconds[PART_COUNT];
} shooting;

// ---- Before the first frame ------------------------------------------------------------

static int choose_overlay(shooting *s)
{
    const char *names[OVERLAY_COUNT], *typed = s->options->overlay;
    for (int k = 0; k < OVERLAY_COUNT; k++) {
        names[k] = overlay_name((overlay)k);
        if (strcmp(names[k], typed) == 0) {
            s->painted = (overlay)k;
            return STATUS_DONE;
        }
    }
    const char *nearest = spelling_suggestion(typed, names, OVERLAY_COUNT);
    if (nearest != NULL)
        return error_wrong("--overlay: \"%s\" is not known; did you mean %s?", typed, nearest);
    char list[256];
    size_t used = 0;
    for (int k = 0; k < OVERLAY_COUNT; k++) {
        const char *between = k == 0 ? "" : k == OVERLAY_COUNT - 1 ? " or " : ", ";
        if (used < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", between, names[k]);
    }
    return error_wrong("--overlay: \"%s\" is not known; it must be %s", typed, list);
}

// Checks what the arguments alone show.
static int check_arguments(shooting *s)
{
    const render_options *o = s->options;
    const rill_status status = film_kind_of(o->output, &s->kind);
    if (status != RILL_OK)
        return error_wrong("-o: %s", render_error_text());
    const bool video = s->kind == FILM_MP4 || s->kind == FILM_WEBM;
    if (video && (o->size[0] % 2 != 0 || o->size[1] % 2 != 0))
        return error_wrong("--size: %dx%d is not possible for a video, both numbers must be even",
                           o->size[0], o->size[1]);
    const int chosen = choose_overlay(s);
    return chosen == STATUS_DONE ? render_camera_read(&s->camera, &o->camera) : chosen;
}

// A film of t seconds has t * fps pictures: the end itself would be the first of the next second.
static int count_pictures(shooting *s)
{
    const render_options *o = s->options;
    s->pictures = 1;
    if (s->kind == FILM_PICTURE)
        return STATUS_DONE;
    if (o->from > s->play.end)
        return error_wrong("--from: %g s is after the end, %g s", o->from, s->play.end);
    const double pictures =
        ceil((s->play.end - o->from) * o->fps / o->speed * (1.0 - 1e-12) - PLAY_TOLERANCE);
    if (!(pictures <= MOST_PICTURES))
        return error_wrong(
            "%g s at %g pictures a second are %.3g pictures, at most %g are possible",
            (s->play.end - o->from) / o->speed, o->fps, pictures, MOST_PICTURES);
    s->pictures = pictures < 1.0 ? 1 : (long)pictures;
    return STATUS_DONE;
}

static rill_status make_renderer(shooting *s, const rill_view *view)
{
    const render_options *o = s->options;
    const rill_scene_info *info = &s->play.info;
    const renderer_def def = {
        .nx = info->nx, .ny = info->ny, .cell_size = (float)info->cell_size, .view = *view};
    rill_status status = headless_create(&s->context);
    if (status == RILL_OK)
        status = renderer_create(&def, &s->renderer);
    if (status == RILL_OK)
        status = canvas_create(o->size[0], o->size[1], &s->canvas);
    if (status == RILL_OK)
        status = frame_capture_create(s->play.world, view, &s->capture);
    if (status == RILL_OK) {
        frame_capture_show_births(s->capture, overlay_get(s->painted)->shows_wave_particles);
        status = frame_data_create(s->capture, &s->frame_data);
    }
    if (status != RILL_OK)
        return status;
    s->rgb = malloc((size_t)o->size[0] * (size_t)o->size[1] * 3);
    return s->rgb != NULL ? RILL_OK : render_fail(RILL_NO_MEMORY, "no memory for a picture");
}

// The film comes last: what cannot be drawn leaves no file, and what cannot be written is known
// before anything is simulated.
static int open_all(shooting *s)
{
    const render_options *o = s->options;
    int done = check_arguments(s);
    if (done == STATUS_DONE)
        done = play_open(&s->play, &o->play);
    if (done != STATUS_DONE)
        return done;
    const rill_view view = rill_scene_view(s->play.scene);
    done = count_pictures(s);
    if (done == STATUS_DONE)
        done = render_camera_choose(&s->camera, &view);
    if (done == STATUS_DONE)
        done = render_camera_follow(&s->camera, s->play.world, s->play.info.cell_size, o->from,
                                    s->play.end);
    if (done != STATUS_DONE)
        return done;
    rill_status status = make_renderer(s, &view);
    if (status != RILL_OK)
        return error_message(status, render_error_text());
    progress_watch_signals();
    status = film_open(o->output, o->size[0], o->size[1], o->fps, &s->film);
    if (status == RILL_OK)
        return STATUS_DONE;
    // An encoder that has just started may get the signal that was meant for the command.
    if (progress_stop_wanted() != NULL)
        return error_failed("%s before the first picture; there is no film",
                            progress_stop_wanted());
    // A place that cannot be written was typed.
    return status == RILL_WRITE_FAILED ? error_wrong("-o: %s", render_error_text())
                                       : error_message(status, render_error_text());
}

static void close_all(shooting *s)
{
    film_abandon(&s->film);
    free(s->rgb);
    frame_data_destroy(&s->frame_data);
    frame_capture_destroy(&s->capture);
    canvas_destroy(&s->canvas);
    renderer_destroy(&s->renderer);
    headless_destroy(&s->context);
    render_camera_close(&s->camera);
    play_close(&s->play);
}

// ---- Frame by frame --------------------------------------------------------------------

// Adds the time since `start` to a part.
static void book(shooting *s, part which, double start)
{
    s->seconds[which] += progress_clock() - start;
}

static int fill_frame(shooting *s)
{
    if (s->data_frame == s->play.frame)
        return STATUS_DONE;
    const double start = progress_clock();
    const rill_status status = frame_data_fill(s->capture, s->play.world, s->frame_data);
    book(s, PART_FRAME_DATA, start);
    if (status != RILL_OK)
        return error_failed("%s", render_error_text());
    const double taken = progress_clock();
    renderer_upload(s->renderer, s->frame_data, s->data_frame < 0);
    book(s, PART_DRAW, taken);
    if (s->data_frame < 0) {
        const camera_bounds bounds = renderer_bounds(s->renderer);
        render_camera_place(&s->camera, &bounds, s->options->size[0], s->options->size[1]);
    }
    s->data_frame = s->play.frame;
    return STATUS_DONE;
}

static int step(shooting *s)
{
    const double start = progress_clock();
    const int status = play_step(&s->play);
    book(s, PART_SIMULATE, start);
    progress_show(&s->progress, play_time(&s->play), s->play.frame);
    return status;
}

// Plays up to the last frame that is not after `time`, and fills frame data for the frames that a
// picture at that time has for its history.
static int play_to(shooting *s, double time)
{
    const play *p = &s->play;
    const double late = time + EARLY * p->info.frame;
    int status = STATUS_DONE;
    while (status == STATUS_DONE && progress_stop_wanted() == NULL) {
        const bool there = p->frame >= p->frames || play_next_time(p) > late;
        if (there || play_time(p) >= time - HISTORY)
            status = fill_frame(s);
        if (there)
            break;
        if (status == STATUS_DONE)
            status = step(s);
    }
    return status;
}

// ---- Pictures --------------------------------------------------------------------------

static double time_of(const shooting *s, long picture)
{
    const render_options *o = s->options;
    return s->kind == FILM_PICTURE ? s->play.end : o->from + (double)picture * (o->speed / o->fps);
}

// The scale of an overlay must not jump from picture to picture; scenes have one for their maps.
static double overlay_end(const shooting *s)
{
    const overlay_row *row = overlay_get(s->painted);
    return row->scene_end != NULL ? row->scene_end(&s->play.info) : 0.0;
}

static void draw(shooting *s, double time)
{
    const render_options *o = s->options;
    const double start = progress_clock();
    const double seconds = s->kind == FILM_PICTURE ? time : (time - o->from) / o->speed;
    camera now = render_camera_at(&s->camera, time, seconds);
    const rill_view view = rill_scene_view(s->play.scene);
    if (s->camera.kind == RENDER_CAMERA_PATH && s->camera.keys == view.camera)
        frame_data_place_camera(s->frame_data, &view, &now);
    // More pictures than frames, as in slow motion, show the same again.
    if (s->drawn_frame == s->data_frame && memcmp(&now, &s->drawn_camera, sizeof now) == 0)
        return;
    shot picture = renderer_default_shot(s->renderer);
    picture.camera = now;
    picture.width = o->size[0];
    picture.height = o->size[1];
    picture.target = canvas_framebuffer(s->canvas);
    picture.samples = o->samples > 0 ? o->samples : s->kind == FILM_PICTURE ? 4 : 1;
    picture.painted = s->painted;
    picture.overlay_max = (float)overlay_end(s);
    renderer_draw(s->renderer, &picture);
    canvas_read(picture.target, picture.width, picture.height, s->rgb);
    s->drawn_frame = s->data_frame;
    s->drawn_camera = now;
    book(s, PART_DRAW, start);
}

static int take_picture(shooting *s, double time)
{
    draw(s, time);
    const double start = progress_clock();
    const rill_status status = film_add(s->film, s->rgb);
    book(s, PART_ENCODE, start);
    if (status != RILL_OK)
        return error_failed("%s", render_error_text());
    s->picture++;
    return STATUS_DONE;
}

// After the last picture the scene goes on to its end, where its hash is taken.
static int shoot(shooting *s)
{
    int status = STATUS_DONE;
    while (status == STATUS_DONE && s->picture < s->pictures) {
        const double time = time_of(s, s->picture);
        status = play_to(s, time);
        if (progress_stop_wanted() != NULL)
            break;
        if (status == STATUS_DONE)
            status = take_picture(s, time);
    }
    while (status == STATUS_DONE && s->play.frame < s->play.frames &&
           progress_stop_wanted() == NULL)
        status = step(s);
    progress_clear();
    return status;
}

// ---- The end ---------------------------------------------------------------------------

static void print_film(const shooting *s)
{
    const render_options *o = s->options;
    printf("%-10s ", "film");
    print_clean(stdout, o->output);
    printf("\n%-10s %ld of %d x %d pixels", "pictures", s->picture, o->size[0], o->size[1]);
    if (s->kind != FILM_PICTURE)
        printf(", %.6g s at %g a second", (double)s->picture / o->fps, o->fps);
    printf("\n%-10s %s\n", "drawn by", renderer_device(s->renderer));
    if (overlay_has_scale(s->painted))
        printf("%-10s %s, 0 to %.3g %s in the last picture\n", "overlay", overlay_name(s->painted),
               (double)renderer_overlay_max(s->renderer), overlay_get(s->painted)->unit);
}

static void print_times(const shooting *s)
{
    static const char *const names[PART_COUNT] = {"simulate", "frame data", "draw", "encode"};
    const double pictures = (double)s->picture;
    double sum = 0.0;
    printf("\n%-10s %14s %10s\n", "part", "ms per picture", "s in all");
    for (int k = 0; k < PART_COUNT; k++) {
        printf("%-10s %14.3f %10.2f\n", names[k], 1e3 * s->seconds[k] / pictures, s->seconds[k]);
        sum += s->seconds[k];
    }
    printf("%-10s %14.3f %10.2f\n", "all", 1e3 * sum / pictures, sum);
}

// A film that was stopped before its end has failed, but is kept as far as it goes.
static int conclude(shooting *s)
{
    const play *p = &s->play;
    const char *stopped =
        p->frame < p->frames || s->picture < s->pictures ? progress_stop_wanted() : NULL;
    if (s->picture == 0)
        return error_failed("%s before the first picture, at %g of %g s; there is no film", stopped,
                            play_time(p), p->end);
    const double start = progress_clock();
    const rill_status status = film_close(&s->film);
    book(s, PART_ENCODE, start);
    if (status != RILL_OK)
        return error_failed("%s", render_error_text());
    print_film(s);
    print_times(s);
    play_report_capped(p, stdout);
    play_report_limits(p, stdout);
    if (s->options->hash)
        play_print_hash(p, stdout);
    if (stopped == NULL)
        return STATUS_DONE;
    fflush(stdout);
    return error_failed("%s after picture %ld of %ld, at %g of %g s; what was filmed is kept",
                        stopped, s->picture, s->pictures, play_time(p), p->end);
}

int render_film(const render_options *options)
{
    shooting s = {.options = options, .data_frame = -1, .drawn_frame = -1};
    int status = open_all(&s);
    if (status == STATUS_DONE) {
        progress_start(&s.progress, s.play.info.name, s.play.end, options->quiet);
        status = shoot(&s);
    }
    if (status == STATUS_DONE)
        status = conclude(&s);
    close_all(&s);
    return status;
}
