// SPDX-License-Identifier: MIT
// test_variants.c - the shaders build in every variant that a world and its view can ask for, for
// desktop OpenGL and for OpenGL ES, and both draw the same picture.
#include "render/headless.h"
#include "render/renderer.h"
#include "render/trouble.h"
#include "tests/render/body_model.h"
#include "tests/render/picture_models.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define WIDTH  96
#define HEIGHT 54
#define BYTES  (WIDTH * HEIGHT * 3)

static void fill(renderer *r, canvas *paper, const rill_view *look, uint8_t *rgb)
{
    shot asked = renderer_default_shot(r);
    asked.eye = camera_on_path(look->camera, look->camera_count, 0.0);
    asked.width = WIDTH;
    asked.height = HEIGHT;
    asked.target = canvas_framebuffer(paper);
    renderer_draw(r, &asked);
    canvas_read(asked.target, WIDTH, HEIGHT, rgb);
}

// Draws a model under both backdrops, as a solid and as the land that its bed would be.
static void draw_all(picture_model model, uint8_t pictures[4][BYTES])
{
    still *s = calloc(1, sizeof *s);
    assert_non_null(s);
    rill_view look = model(s);
    canvas *paper = NULL;
    assert_int_equal(canvas_create(WIDTH, HEIGHT, &paper), RILL_OK);
    const uint64_t version = s->solid_version;
    for (int k = 0; k < 4; k++) {
        s->solid_version = k / 2 == 0 ? version : 0;
        look.backdrop = k % 2 == 0 ? RILL_BACKDROP_STUDIO : RILL_BACKDROP_SKY;
        const renderer_def def = {
            .nx = s->nx, .ny = s->ny, .cell_size = s->cell_size, .look = look};
        renderer *r = NULL;
        assert_int_equal(renderer_create(&def, &r), RILL_OK);
        renderer_upload(r, s, true);
        fill(r, paper, &look, pictures[k]);
        renderer_destroy(&r);
    }
    canvas_destroy(&paper);
    still_destroy(&s);
}

static void check_model(picture_model model)
{
    static uint8_t seen[2][4][BYTES];
    for (int es = 0; es < 2; es++) {
        headless *context = NULL;
        if (es == 1)
            setenv("RILL_GLES", "1", 1);
        else
            unsetenv("RILL_GLES");
        if (headless_create(&context) != RILL_OK)
            fail_msg("%s", trouble_text());
        draw_all(model, seen[es]);
        headless_destroy(&context);
    }
    unsetenv("RILL_GLES");
    assert_string_equal(trouble_text(), "");
    for (int k = 0; k < 4; k++) {
        int far = 0;
        for (int n = 0; n < BYTES; n++)
            far += abs(seen[0][k][n] - seen[1][k][n]) > 8;
        assert_true(far < BYTES / 200); // edges may fall on the other side of a pixel
        for (int other = 0; other < k; other++)
            assert_true(memcmp(seen[0][k], seen[0][other], BYTES) != 0);
    }
}

static void a_solid_is_drawn_in_every_variant(void **state)
{
    (void)state;
    check_model(picture_model_bone);
}

static void a_meniscus_is_drawn_in_every_variant(void **state)
{
    (void)state;
    check_model(picture_model_meniscus);
}

// Every look in a row on the block of bone.
static rill_view bone_with_bodies(still *s)
{
    const rill_view look = picture_model_bone(s);
    body_model model = {0};
    body_maker *maker = NULL;
    for (int k = 0; k < RILL_LOOK_COUNT; k++) {
        const rill_body_def def = {.shape = k % 2 == 0 ? RILL_BODY_BOX : RILL_BODY_SHEET,
                                   .look = (rill_body_look)k,
                                   .size = {0.003, 0.003, 0.003},
                                   .cells = {4, 4},
                                   .position = {0.008 + 0.004 * k, 0.02, 0.02},
                                   .rotation = {0.0, 0.0, 0.0, 1.0},
                                   .colour = {1.0f, 1.0f, 1.0f}};
        body_model_add(&model, &def);
    }
    assert_int_equal(body_maker_create(&maker), RILL_OK);
    assert_int_equal(still_set_bodies(maker, model.meshes, model.count, s), RILL_OK);
    body_maker_destroy(&maker);
    body_model_free(&model);
    return look;
}

static void bodies_are_drawn_in_every_variant(void **state)
{
    (void)state;
    check_model(bone_with_bodies);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_solid_is_drawn_in_every_variant),
        cmocka_unit_test(a_meniscus_is_drawn_in_every_variant),
        cmocka_unit_test(bodies_are_drawn_in_every_variant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
