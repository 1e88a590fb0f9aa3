// SPDX-License-Identifier: MIT
// test_variants.c - the shaders build in every variant that a world and its view can ask for, for
// desktop OpenGL and for OpenGL ES, and both draw the same picture.
#include "render/output/headless.h"
#include "render/render_error.h"
#include "render/renderer.h"
#include "tests/kit/kit.h"
#include "tests/render/models/body_model.h"
#include "tests/render/models/picture_models.h"

#include "tests/render/models/river_model.h"

#define WIDTH  96
#define HEIGHT 54
#define BYTES  (WIDTH * HEIGHT * 3)

static void fill(renderer *r, canvas *paper, const rill_view *look, uint8_t *rgb)
{
    shot asked = renderer_default_shot(r);
    asked.camera = camera_on_path(look->camera, look->camera_count, 0.0);
    asked.width = WIDTH;
    asked.height = HEIGHT;
    asked.target = canvas_framebuffer(paper);
    renderer_draw(r, &asked);
    canvas_read(asked.target, WIDTH, HEIGHT, rgb);
}

// Draws a model under both backdrops, as a solid and as the land that its bed would be.
static void draw_all(picture_model model, uint8_t pictures[4][BYTES])
{
    SCOPED(frame_data) *s = calloc(1, sizeof *s);
    assert_non_null(s);
    rill_view look = model(s);
    SCOPED(canvas) *paper = NULL;
    assert_ok(canvas_create(WIDTH, HEIGHT, &paper));
    const uint64_t version = s->solid_version;
    for (int k = 0; k < 4; k++) {
        s->solid_version = k / 2 == 0 ? version : 0;
        look.backdrop = k % 2 == 0 ? RILL_BACKDROP_STUDIO : RILL_BACKDROP_SKY;
        const renderer_def def = {
            .nx = s->nx, .ny = s->ny, .cell_size = s->cell_size, .view = look};
        SCOPED(renderer) *r = NULL;
        assert_ok(renderer_create(&def, &r));
        renderer_upload(r, s, true);
        fill(r, paper, &look, pictures[k]);
    }
}

static double chop(double x, double y)
{
    return 0.3 * sin(0.05 * x) * cos(0.07 * y);
}

// A river through a country of kilometres under both backdrops, with a crate on it and without.
static void draw_river(picture_model crate, uint8_t pictures[4][BYTES])
{
    static const rill_camera_key eye = {.position = {1900.0, 200.0, 160.0},
                                        .target = {1900.0, 1400.0, 20.0},
                                        .field_of_view = 50.0};
    SCOPED(river_model) *m = river_model_make(128, 128, 30.0);
    river_model_lay_pages(m, 16, 4);
    river_model_wave(m, chop);
    river_model_take(m, false);
    rill_view look = rill_default_view();
    look.camera = &eye;
    look.camera_count = 1;
    look.fog_begin = 3.0;
    look.fog_end = 6.0;
    SCOPED(canvas) *paper = NULL;
    assert_ok(canvas_create(WIDTH, HEIGHT, &paper));
    for (int k = 0; k < 4; k++) {
        look.backdrop = k % 2 == 0 ? RILL_BACKDROP_STUDIO : RILL_BACKDROP_SKY;
        if (k == 2)
            crate(m->frame_data);
        const renderer_def def = {.nx = m->nx, .ny = m->ny, .cell_size = 30.0f, .view = look};
        SCOPED(renderer) *r = NULL;
        assert_ok(renderer_create(&def, &r));
        renderer_upload(r, m->frame_data, true);
        fill(r, paper, &look, pictures[k]);
    }
}

typedef void (*draw_four)(picture_model model, uint8_t pictures[4][BYTES]);

static void check_pictures(draw_four draw, picture_model model)
{
    static uint8_t seen[2][4][BYTES];
    for (int es = 0; es < 2; es++) {
        SCOPED(headless) *context = NULL;
        if (es == 1)
            setenv("RILL_GLES", "1", 1);
        else
            unsetenv("RILL_GLES");
        if (headless_create(&context) != RILL_OK)
            fail_msg("%s", render_error_text());
        draw(model, seen[es]);
    }
    unsetenv("RILL_GLES");
    assert_string_equal(render_error_text(), "");
    for (int k = 0; k < 4; k++) {
        int far = 0;
        for (int n = 0; n < BYTES; n++)
            far += abs(seen[0][k][n] - seen[1][k][n]) > 8;
        assert_true(far < BYTES / 200); // edges may fall on the other side of a pixel
        for (int other = 0; other < k; other++)
            assert_true(memcmp(seen[0][k], seen[0][other], BYTES) != 0);
    }
}

static void check_model(picture_model model)
{
    check_pictures(draw_all, model);
}

TEST(a_solid_is_drawn_in_every_variant)
{
    check_model(picture_model_bone);
}

TEST(a_meniscus_is_drawn_in_every_variant)
{
    check_model(picture_model_meniscus);
}

// Every look in a row on the block of bone.
static rill_view bone_with_bodies(frame_data *s)
{
    const rill_view look = picture_model_bone(s);
    SCOPED(body_model) model = {0};
    SCOPED(body_maker) *maker = NULL;
    for (int k = 0; k < RILL_MATERIAL_COUNT; k++) {
        const rill_body_def def = {.shape = k % 2 == 0 ? RILL_BODY_BOX : RILL_BODY_SHEET,
                                   .material = (rill_body_material)k,
                                   .size = {0.003, 0.003, 0.003},
                                   .cells = {4, 4},
                                   .position = {0.008 + 0.004 * k, 0.02, 0.02},
                                   .rotation = {0.0, 0.0, 0.0, 1.0},
                                   .colour = {1.0f, 1.0f, 1.0f}};
        body_model_add(&model, &def);
    }
    assert_ok(body_maker_create(&maker));
    assert_ok(frame_set_bodies(maker, model.meshes, model.count, s));
    return look;
}

TEST(bodies_are_drawn_in_every_variant)
{
    check_model(bone_with_bodies);
}

static rill_view add_crate(frame_data *s)
{
    SCOPED(body_model) model = {0};
    SCOPED(body_maker) *maker = NULL;
    const rill_body_def def = {.shape = RILL_BODY_BOX,
                               .material = RILL_MATERIAL_CRATE,
                               .size = {120.0, 120.0, 120.0},
                               .position = {1900.0, 900.0, 30.0},
                               .rotation = {0.0, 0.0, 0.0, 1.0},
                               .colour = {1.0f, 1.0f, 1.0f}};
    body_model_add(&model, &def);
    assert_ok(body_maker_create(&maker));
    assert_ok(frame_set_bodies(maker, model.meshes, model.count, s));
    return rill_default_view();
}

TEST(a_river_is_drawn_in_every_variant)
{
    check_pictures(draw_river, add_crate);
}
