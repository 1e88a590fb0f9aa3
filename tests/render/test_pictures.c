// SPDX-License-Identifier: MIT
// test_pictures.c - golden images: small pictures of small worlds, drawn here and compared with
// those in tests/render/pictures by what an eye sees of their difference (picture_distance.h).
//
// Each scene is NAME.toml beside golden-NAME.png: its ground, water, light and camera; solid
// grounds and the liquid on them are made by hand (picture_models.h). Together they show every term
// of the shading where it decides how the picture looks; docs/rendering.md says which is where.
// Another driver may draw a pixel a little differently and passes, a missing term does not.
//
// A picture that fails is left with the recorded one and their difference in the test's temporary
// folder. When the look was changed on purpose, record the pictures anew and look at them:
//
//     RILL_RECORD=1 build/bin/test_pictures
#include "render/output/headless.h"
#include "render/render_error.h"
#include "render/renderer.h"
#include "tests/kit/kit.h"
#include "tests/render/headless_group.h"
#include "tests/render/models/body_model.h"
#include "tests/render/models/particle_model.h"
#include "tests/render/models/picture_distance.h"
#include "tests/render/models/picture_models.h"
#include "tests/render/models/river_model.h"
#include "tests/render/models/wave_model.h"

#include "rill/export.h"
#include "rill/scene.h"
#include "rill/world.h"

#include <png.h>

#define WIDTH   240
#define HEIGHT  135
#define SAMPLES 4
#define BYTES   (WIDTH * HEIGHT * 3)

#define PATH_BYTES 1024

typedef struct golden {
    const char *promise; // name of the test
    const char *name;    // of the picture
    const char *scene;
    picture_model model; // instead of a scene
    camera eye;          // where its field of view is 0: the scene's
    overlay painted;
    brush_ring ring;
} golden;

// ---- A river in the mountains ----------------------------------------------------------

// Four kilometres across: a river with gravel on its banks, a floor, and slopes with ridges and
// gullies up to the snow.
static double mountains(const river_model *m, double x, double y)
{
    const double middle = 0.5 * m->nx * m->cell + 330.0 * sin(0.0021 * y);
    const double away = fabs(x - middle), past = fmax(away - 420.0, 0.0);
    const double ridges = 1.0 - fabs(sin(0.0031 * x + 1.3 * sin(0.0017 * y)));
    const double gullies = fabs(sin(0.011 * x + 0.017 * y)) + fabs(sin(0.019 * x - 0.013 * y));
    const double channel = RIVER_LEVEL - 8.0 + 8.0 * pow(away / 150.0, 2.0);
    const double land = RIVER_LEVEL + 0.5 + 0.015 * (away - 150.0) +
                        past * (0.16 + 0.5 * ridges) * fmin(past / 400.0, 1.0);
    return fmin(channel, land) - fmin(past, 300.0) * 0.06 * gullies;
}

static double drifting(double x, double y)
{
    return 0.10 * sin(0.31 * x + 0.17 * y) + 0.07 * cos(0.23 * x - 0.42 * y) +
           0.12 * sin(0.05 * x + 0.13 * y);
}

static rill_view river(frame_data *s)
{
    static const rill_camera_key eye = {
        .position = {2450.0, 620.0, 75.0}, .target = {2050.0, 1900.0, 60.0}, .field_of_view = 50.0};
    river_model *m = river_model_on(192, 192, 20.0, mountains);
    river_model_lay_pages(m, 16, 4);
    river_model_wave(m, drifting);
    river_model_take(m, false);
    river_model_give(m, s);
    rill_view look = rill_default_view();
    look.fog_begin = 4.0;
    look.fog_end = 7.0;
    look.camera = &eye;
    look.camera_count = 1;
    return look;
}

static const golden goldens[] = {
    {.promise = "a_lake_among_mountains_looks_as_recorded", .name = "lake", .scene = "lake"},
    {.promise = "water_against_a_low_sun_looks_as_recorded", .name = "evening", .scene = "evening"},
    {.promise = "a_sandy_shore_looks_as_recorded", .name = "shore", .scene = "shore"},
    {.promise = "a_clear_pool_looks_as_recorded", .name = "pool", .scene = "pool"},
    {.promise = "a_torrent_looks_as_recorded", .name = "torrent", .scene = "torrent"},
    {.promise = "blood_on_tissue_looks_as_recorded", .name = "blood", .scene = "blood"},
    {.promise = "speed_with_arrows_and_a_brush_looks_as_recorded",
     .name = "speed",
     .scene = "torrent",
     .eye = {{2.5, 1.5, 4.2}, {10.0, 6.0, 1.2}, 55.0},
     .painted = OVERLAY_SPEED,
     .ring = {true, 6.0f, 3.0f, 1.4f, {0.9f, 0.25f, 0.1f}, 0.0f}},
    {.promise = "a_solid_ground_with_liquid_in_layers_looks_as_recorded",
     .name = "bone",
     .model = picture_model_bone},
    {.promise = "a_brush_on_a_solid_ground_looks_as_recorded",
     .name = "cut",
     .model = picture_model_bone,
     .eye = {{0.010, 0.062, 0.026}, {0.025, 0.014, 0.008}, 42.0},
     .ring = {true, 0.021f, 0.015f, 0.003f, {0.9f, 0.25f, 0.1f}, 0.0103f}},
    {.promise = "wood_and_coffee_under_the_sky_look_as_recorded",
     .name = "table",
     .model = picture_model_table},
    {.promise = "liquid_that_wets_a_wall_looks_as_recorded",
     .name = "meniscus",
     .model = picture_model_meniscus},
    {.promise = "liquid_without_a_meniscus_looks_as_recorded",
     .name = "meniscus-none",
     .model = picture_model_flat},
    {.promise = "a_fall_with_splashes_spray_and_foam_looks_as_recorded",
     .name = "fall",
     .model = picture_model_fall},
    {.promise = "a_fall_in_flood_against_the_sun_looks_as_recorded",
     .name = "flood",
     .model = picture_model_flood},
    {.promise = "an_island_in_the_open_sea_looks_as_recorded",
     .name = "ocean",
     .model = wave_model_ocean},
    {.promise = "waves_finer_than_the_grid_look_as_recorded",
     .name = "ripples",
     .model = wave_model_ripples},
    {.promise = "bodies_on_a_beach_and_in_the_water_look_as_recorded",
     .name = "afloat",
     .model = body_model_afloat},
    {.promise = "a_river_in_the_mountains_looks_as_recorded", .name = "river", .model = river},
};

#define GOLDEN_COUNT ((int)(sizeof goldens / sizeof goldens[0]))

// ---- Drawing ---------------------------------------------------------------------------

// A scene on its way to a picture.
typedef struct stage {
    rill_view look;
    rill_scene *scene;
    rill_world *world;
    frame_capture *capture;
    frame_data *picture;
    renderer *drawer;
    canvas *paper;
} stage;

static rill_status open_scene(const char *name, stage *s)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s.toml", RL_TEST_PICTURES, name);
    rill_status status = rill_scene_open(path, NULL, 0, NULL, &s->scene);
    if (status == RILL_OK)
        status = rill_scene_create_world(s->scene, 1, &s->world);
    if (status != RILL_OK)
        return render_fail_from_rill(status);
    s->look = rill_scene_view(s->scene);
    status = frame_capture_create(s->world, &s->look, &s->capture);
    return status == RILL_OK ? frame_data_create(s->capture, &s->picture) : status;
}

static rill_status open_model(picture_model model, stage *s)
{
    s->picture = calloc(1, sizeof *s->picture);
    if (s->picture == NULL)
        return render_fail(RILL_NO_MEMORY, "no memory for a still");
    s->look = model(s->picture);
    return RILL_OK;
}

static rill_status open_stage(const golden *g, stage *s)
{
    rill_status status = g->model != NULL ? open_model(g->model, s) : open_scene(g->scene, s);
    if (status != RILL_OK)
        return status;
    renderer_def def = {.nx = s->picture->nx, .ny = s->picture->ny, .view = s->look};
    def.cell_size = g->model != NULL ? s->picture->cell_size : rill_world_cell_size(s->world);
    status = renderer_create(&def, &s->drawer);
    return status == RILL_OK ? canvas_create(WIDTH, HEIGHT, &s->paper) : status;
}

static void stage_destroy(stage *s)
{
    canvas_destroy(&s->paper);
    renderer_destroy(&s->drawer);
    frame_data_destroy(&s->picture);
    frame_capture_destroy(&s->capture);
    rill_world_destroy(&s->world);
    rill_scene_destroy(&s->scene);
}

// Lets the scene run to its end. Every frame is handed on, as foam, moving detail and wet ground
// are made of what was before.
static rill_status play(stage *s)
{
    if (s->scene == NULL) {
        renderer_upload(s->drawer, s->picture, true);
        return RILL_OK;
    }
    const rill_scene_info info = rill_scene_describe(s->scene);
    const int frames = (int)(info.duration / info.frame + 0.5);
    for (int n = 0; n <= frames; n++) {
        rill_status status = n > 0 ? rill_world_step(s->world, info.frame) : RILL_OK;
        if (status != RILL_OK)
            return render_fail_from_rill(status);
        status = frame_data_fill(s->capture, s->world, s->picture);
        if (status != RILL_OK)
            return status;
        renderer_upload(s->drawer, s->picture, n == 0);
    }
    return RILL_OK;
}

static void draw(const stage *s, const golden *g, uint8_t *rgb)
{
    const rill_view view = s->look;
    shot asked = renderer_default_shot(s->drawer);
    if (g->eye.field_of_view > 0.0)
        asked.camera = g->eye;
    else if (view.camera_count > 0)
        asked.camera = camera_on_path(view.camera, view.camera_count, s->picture->time);
    asked.width = WIDTH;
    asked.height = HEIGHT;
    asked.target = canvas_framebuffer(s->paper);
    asked.samples = SAMPLES;
    asked.painted = g->painted;
    asked.ring = g->ring;
    renderer_draw(s->drawer, &asked);
    canvas_read(asked.target, WIDTH, HEIGHT, rgb);
}

static void draw_golden(const golden *g, uint8_t *rgb)
{
    stage s = {0};
    rill_status status = open_stage(g, &s);
    if (status == RILL_OK)
        status = play(&s);
    if (status == RILL_OK)
        draw(&s, g, rgb);
    stage_destroy(&s);
    if (status != RILL_OK)
        fail_msg("%s cannot be drawn: %s", g->name, render_error_text());
}

// ---- Files -----------------------------------------------------------------------------

static void write_picture(const char *path, const uint8_t *rgb)
{
    if (rill_export_png(rgb, WIDTH, HEIGHT, path) != RILL_OK)
        fail_msg("%s", rill_last_error());
}

static void read_picture(const char *path, uint8_t *rgb)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_file(&image, path))
        fail_msg("%s cannot be read (%s); RILL_RECORD=1 build/bin/test_pictures records it", path,
                 image.message);
    const bool fits = image.width == WIDTH && image.height == HEIGHT;
    image.format = PNG_FORMAT_RGB;
    const bool read = fits && png_image_finish_read(&image, NULL, rgb, 3 * WIDTH, NULL);
    png_image_free(&image);
    if (!fits)
        fail_msg("%s has %u x %u pixels, not %d x %d; RILL_RECORD=1 build/bin/test_pictures "
                 "records it anew",
                 path, image.width, image.height, WIDTH, HEIGHT);
    if (!read)
        fail_msg("%s cannot be read: %s", path, image.message);
}

static const char *const left_kinds[] = {"expected", "seen", "difference"};

static void left_path(const golden *g, int kind, char path[PATH_BYTES])
{
    snprintf(path, PATH_BYTES, "%s/%s-%s.png", RL_TEST_TMP, g->name, left_kinds[kind]);
}

// What an earlier run has left would only mislead.
static void remove_left(const golden *g)
{
    char path[PATH_BYTES];
    for (int kind = 0; kind < 3; kind++) {
        left_path(g, kind, path);
        remove(path);
    }
}

static void leave(const golden *g, const uint8_t *const rgb[3])
{
    char path[PATH_BYTES];
    for (int kind = 0; kind < 3; kind++) {
        left_path(g, kind, path);
        write_picture(path, rgb[kind]);
        print_error("%s\n", path);
    }
}

// ---- The test --------------------------------------------------------------------------

static void looks_as_recorded(void **state)
{
    static uint8_t seen[BYTES], expected[BYTES], difference[BYTES];
    const golden *g = *state;
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/golden-%s.png", RL_TEST_PICTURES, g->name);
    remove_left(g);
    draw_golden(g, seen);
    if (getenv("RILL_RECORD") != NULL) {
        write_picture(path, seen);
        print_message("recorded %s\n", path);
        return;
    }
    read_picture(path, expected);
    picture_verdict verdict;
    assert_true(picture_compare(expected, seen, WIDTH, HEIGHT, difference, &verdict));
    print_message("%s: distance %.3f\n", g->name, verdict.distance);
    if (verdict.distance <= PICTURE_TOLERANCE)
        return;
    leave(g, (const uint8_t *const[]){expected, seen, difference});
    fail_msg("%s differs by %.2f Delta E in the tile at (%d, %d), more than the %.1f that nobody "
             "sees",
             g->name, verdict.distance, verdict.x, verdict.y, PICTURE_TOLERANCE);
}

KIT_BEFORE_MAIN(add_goldens)
{
    for (int n = 0; n < GOLDEN_COUNT; n++)
        kit_add_test((struct CMUnitTest){.name = goldens[n].promise,
                                         .test_func = looks_as_recorded,
                                         .initial_state = (void *)(uintptr_t)&goldens[n]});
}
