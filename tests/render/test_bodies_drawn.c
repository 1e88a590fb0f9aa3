// SPDX-License-Identifier: MIT
// test_bodies_drawn.c - bodies in stills and in pictures: corners and faces, where they are seen
// and where they are hidden, their shadows, what water does to them, cloth from both sides, and
// cameras that go with one.
#include "render/half.h"
#include "render/output/headless.h"
#include "render/render_error.h"
#include "tests/kit/kit.h"
#include "tests/kit/worlds.h"
#include "tests/render/headless_group.h"
#include "tests/render/models/body_model.h"
#include "tests/render/models/wave_model.h"

#define SIDE   32
#define CELL   0.5
#define WIDTH  240
#define HEIGHT 136
#define BYTES  (WIDTH * HEIGHT * 3)

// ---- Worlds ----------------------------------------------------------------------------

static double plain(KIT_UNUSED double x, KIT_UNUSED double y)
{
    return 0.0;
}

static double below_plain(KIT_UNUSED double x, KIT_UNUSED double y)
{
    return -1.0;
}

// A wall across the world, between an eye in the south and whatever is in the north.
static double walled(KIT_UNUSED double x, double y)
{
    return fabs(y - 6.0) < 0.8 ? 3.0 : 0.0;
}

static double two_metres_up(KIT_UNUSED double x, KIT_UNUSED double y)
{
    return 2.0;
}

static rill_view at_noon(void)
{
    rill_view look = rill_default_view();
    rill_liquid_find("clear", &look.liquid);
    look.ground = RILL_GROUND_CONCRETE;
    look.clouds = 0.0;
    look.wind = 0.0;
    look.time_of_day = 12.0; // the sun is in the south, behind eyes that look north
    return look;
}

// Looks north over the middle of the world, where `target` is.
static camera from_the_south(double height)
{
    return (camera){{8.0, 0.5, height}, {8.0, 9.0, 0.5}, 40.0};
}

static rill_body_def thing(rill_body_shape shape, rill_body_material look, double x, double y,
                           double z)
{
    rill_body_def def = {.shape = shape,
                         .material = look,
                         .size = {1.0, 1.0, 1.0},
                         .radius = 0.5,
                         .length = 1.0,
                         .cells = {12, 8},
                         .position = {x, y, z},
                         .rotation = {0.0, 0.0, 0.0, 1.0},
                         .colour = {1.0f, 1.0f, 1.0f}};
    return def;
}

// A picture of a ground under water that may be below it, with bodies or none.
typedef struct setting {
    wave_model_height bed, level;
    rill_view look;
    camera eye;
    const rill_body_def *bodies;
    size_t count;
} setting;

static void draw_moved(const setting *at, double by, uint8_t *rgb)
{
    SCOPED(frame_data) *s = wave_model_still(SIDE, CELL, at->bed, at->level);
    if (at->level(0.0, 0.0) <= at->bed(0.0, 0.0))
        s->vertex_count = s->index_count = 0;
    SCOPED(body_model) model = {0};
    SCOPED(body_maker) *maker = NULL;
    for (size_t n = 0; n < at->count; n++)
        body_model_move(&model, body_model_add(&model, &at->bodies[n]), by, 0.0, 0.0);
    assert_ok(body_maker_create(&maker));
    assert_ok(frame_set_bodies(maker, model.meshes, model.count, s));
    const shot asked = {.camera = at->eye, .width = WIDTH, .height = HEIGHT, .samples = 1};
    wave_model_draw(s, &at->look, &asked, rgb);
}

static void draw(const setting *at, uint8_t *rgb)
{
    draw_moved(at, 0.0, rgb);
}

// The pixel that shows a place.
static void pixel_of(const camera *eye, const double place[3], int *x, int *y)
{
    double best = -2.0;
    const double d[3] = {place[0] - eye->position[0], place[1] - eye->position[1],
                         place[2] - eye->position[2]};
    const double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    for (int j = 0; j < HEIGHT; j++)
        for (int i = 0; i < WIDTH; i++) {
            double ray[3];
            camera_ray(eye, WIDTH, HEIGHT, i + 0.5, j + 0.5, ray);
            const double along = (ray[0] * d[0] + ray[1] * d[1] + ray[2] * d[2]) / length;
            if (along > best) {
                best = along;
                *x = i;
                *y = j;
            }
        }
}

// Mean of a channel (-1: of all) in a square of pixels around a place, 0 to 255.
static double mean_at(const uint8_t *rgb, const camera *eye, double x, double y, double z,
                      int channel)
{
    int i = 0, j = 0;
    double sum = 0.0;
    pixel_of(eye, (const double[]){x, y, z}, &i, &j);
    assert_in_range(i, 4, WIDTH - 5);
    assert_in_range(j, 4, HEIGHT - 5);
    for (int n = 0; n < 49; n++) {
        const uint8_t *p = rgb + 3 * ((j + n / 7 - 3) * WIDTH + i + n % 7 - 3);
        sum += channel >= 0 ? p[channel] : (p[0] + p[1] + p[2]) / 3.0;
    }
    return sum / 49.0;
}

static int largest_difference(const uint8_t *a, const uint8_t *b, int x0, int x1)
{
    int most = 0;
    for (int j = 0; j < HEIGHT; j++)
        for (int n = 3 * (j * WIDTH + x0); n < 3 * (j * WIDTH + x1); n++)
            most = abs(a[n] - b[n]) > most ? abs(a[n] - b[n]) : most;
    return most;
}

// ---- Stills ----------------------------------------------------------------------------

static frame_bodies corners_of(rill_body_shape shape, frame_data *s)
{
    const rill_body_def def = thing(shape, RILL_MATERIAL_PLAIN, 2.0, 3.0, 4.0);
    SCOPED(body_model) model = {0};
    SCOPED(body_maker) *maker = NULL;
    body_model_add(&model, &def);
    assert_ok(body_maker_create(&maker));
    assert_ok(frame_set_bodies(maker, model.meshes, 1, s));
    return s->bodies;
}

TEST(boxes_have_faces_and_balls_have_none)
{
    frame_data s = {0};
    const frame_bodies box = corners_of(RILL_BODY_BOX, &s);
    assert_int_equal(box.vertex_count, 24); // three for each of eight
    for (size_t n = 0; n < box.vertex_count; n++) {
        const int16_t *normal = box.vertices[n].normal;
        assert_int_equal(abs(normal[0]) + abs(normal[1]) + abs(normal[2]), 32767);
    }
    frame_free_bodies(&s.bodies);
    const frame_bodies ball = corners_of(RILL_BODY_SPHERE, &s);
    assert_int_equal(ball.index_count, 3 * (2 * ball.vertex_count - 4)); // Euler: nothing divided
    for (size_t n = 0; n < ball.vertex_count; n++)
        for (int k = 0; k < 3; k++) {
            const double along = (double)(ball.own[n].place[k] / ball.own[n].half[k]);
            assert_true(fabs(ball.vertices[n].normal[k] / 32767.0 - along) < 0.1);
        }
    frame_free_bodies(&s.bodies);
}

TEST(a_barrel_is_round_with_sharp_rims)
{
    frame_data s = {0};
    const frame_bodies barrel = corners_of(RILL_BODY_CYLINDER, &s);
    for (size_t n = 0; n < barrel.vertex_count; n++) {
        const int16_t *normal = barrel.vertices[n].normal;
        const bool end = abs(normal[2]) > 16384;
        assert_true(end ? abs(normal[2]) > 32700 : abs(normal[2]) < 60);
    }
    frame_free_bodies(&s.bodies);
}

TEST(corners_know_their_place_in_the_body)
{
    frame_data s = {0};
    const frame_bodies box = corners_of(RILL_BODY_BOX, &s);
    for (size_t n = 0; n < box.vertex_count; n++)
        for (int k = 0; k < 3; k++) {
            const float centre = (float)(2 + k);
            assert_true(fabsf(box.vertices[n].position[k] - centre - box.own[n].place[k]) < 1e-6f);
            assert_true(fabsf(box.own[n].half[k] - 0.5f) < 1e-6f);
        }
    const frame_body *found = frame_find_body(&s, 1);
    assert_non_null(found);
    assert_null(frame_find_body(&s, 2));
    assert_true(fabsf(found->low[2] - 3.5f) < 1e-6f && fabsf(found->high[0] - 2.5f) < 1e-6f);
    frame_free_bodies(&s.bodies);
}

TEST(moving_bodies_keep_their_memory_and_their_triangles)
{
    const rill_body_def crate = thing(RILL_BODY_BOX, RILL_MATERIAL_CRATE, 2.0, 3.0, 4.0);
    SCOPED(body_model) model = {0};
    SCOPED(body_maker) *maker = NULL;
    frame_data s = {0};
    body_model_add(&model, &crate);
    assert_ok(body_maker_create(&maker));
    assert_ok(frame_set_bodies(maker, model.meshes, 1, &s));
    const frame_bodies before = s.bodies;
    const float height = s.bodies.vertices[0].position[2];
    body_model_move(&model, 0, 0.0, 0.0, 1.5);
    assert_ok(frame_set_bodies(maker, model.meshes, 1, &s));
    assert_ptr_equal(s.bodies.vertices, before.vertices);
    assert_ptr_equal(s.bodies.own, before.own);
    assert_int_equal(s.bodies.version, before.version);
    assert_true(fabsf(s.bodies.vertices[0].position[2] - height - 1.5f) < 1e-5f);
    body_model_add(&model, &crate);
    assert_ok(frame_set_bodies(maker, model.meshes, 2, &s));
    assert_int_not_equal(s.bodies.version, before.version);
    assert_int_equal(s.bodies.vertex_count, 48);
    assert_ok(frame_set_bodies(maker, NULL, 0, &s));
    assert_int_equal(s.bodies.index_count, 0);
    frame_free_bodies(&s.bodies);
}

TEST(a_still_has_the_bodies_of_its_world)
{
    rill_world_def def = grid_def(16, 16, 1.0);
    def.bodies.max_bodies = 4;
    SCOPED(rill_world) *world = make_world(&def);
    rill_body_def body = rill_default_body_def();
    body.motion = RILL_BODY_HOST;
    body.coupling = RILL_COUPLING_NONE;
    body.material = RILL_MATERIAL_CRATE;
    rill_body_id ids[2];
    for (int n = 0; n < 2; n++) {
        body.position[0] = 4.0 + 5.0 * n;
        body.position[2] = 3.0;
        assert_ok(rill_world_add_body(world, &body, &ids[n]));
    }
    SCOPED(frame_capture) *capture = NULL;
    SCOPED(frame_data) *s = NULL;
    assert_ok(frame_capture_create(world, NULL, &capture));
    assert_ok(frame_data_create(capture, &s));
    assert_ok(frame_data_fill(capture, world, s));
    assert_int_equal(s->bodies.count, 2);
    assert_int_equal(s->bodies.vertex_count, 48);
    const frame_body *second = frame_find_body(s, ids[1].index1);
    assert_non_null(second);
    assert_true(second->position[0] == 9.0 && second->position[2] == 3.0);
    assert_ok(rill_world_remove_body(world, ids[0]));
    assert_ok(frame_data_fill(capture, world, s));
    assert_int_equal(s->bodies.count, 1);
    assert_null(frame_find_body(s, ids[0].index1));
}

TEST(a_camera_goes_with_its_body_or_stays_in_the_country)
{
    const rill_camera_key key = {
        .position = {1.0, -4.0, 2.0}, .target = {0.0, 0.0, 0.5}, .field_of_view = 40.0};
    rill_view view = rill_default_view();
    view.camera = &key;
    view.camera_count = 1;
    frame_body body = {.index1 = 3, .position = {10.0, 20.0, 1.0}};
    frame_data s = {.origin = {100.0, 50.0}, .bodies = {.each = &body, .count = 1}};
    camera eye = frame_data_camera(&s, &view, 0.0);
    assert_true(eye.position[0] == 1.0 && eye.target[1] == 0.0);
    view.camera_in_full_terrain = 1;
    eye = frame_data_camera(&s, &view, 0.0);
    assert_true(eye.position[0] == -99.0 && eye.position[1] == -54.0 && eye.position[2] == 2.0);
    view.camera_body = 3;
    eye = frame_data_camera(&s, &view, 0.0);
    assert_true(eye.position[0] == 11.0 && eye.position[1] == 16.0 && eye.position[2] == 3.0);
    assert_true(eye.target[0] == 10.0 && eye.target[1] == 20.0 && eye.target[2] == 1.5);
}

// ---- Pictures --------------------------------------------------------------------------

static uint8_t with[BYTES], without[BYTES];

TEST(a_crate_is_seen_where_it_is_and_nowhere_else)
{
    const rill_body_def crate = thing(RILL_BODY_BOX, RILL_MATERIAL_CRATE, 8.0, 8.0, 0.5);
    setting at = {plain, below_plain, at_noon(), from_the_south(1.5), &crate, 0};
    draw(&at, without);
    at.count = 1;
    draw(&at, with);
    // Wood in the sun is darker than concrete, and redder.
    assert_true(mean_at(with, &at.eye, 8.0, 7.5, 0.5, -1) <
                mean_at(without, &at.eye, 8.0, 7.5, 0.5, -1) - 15.0);
    assert_true(mean_at(with, &at.eye, 8.0, 7.5, 0.5, 0) >
                1.2 * mean_at(with, &at.eye, 8.0, 7.5, 0.5, 2));
    // The noon's shadow falls behind it: the outer quarters of the picture are as they were.
    assert_int_equal(largest_difference(with, without, 0, WIDTH / 4), 0);
    assert_int_equal(largest_difference(with, without, 3 * WIDTH / 4, WIDTH), 0);
}

TEST(a_crate_behind_a_wall_is_hidden)
{
    const rill_body_def crate = thing(RILL_BODY_BOX, RILL_MATERIAL_CRATE, 8.0, 8.0, 0.5);
    setting at = {walled, below_plain, at_noon(), from_the_south(1.5), &crate, 0};
    draw(&at, without);
    at.count = 1;
    draw(&at, with);
    assert_int_equal(largest_difference(with, without, 0, WIDTH), 0);
}

TEST(a_crate_under_two_metres_of_water_is_dimmer_but_seen)
{
    const rill_body_def crate = thing(RILL_BODY_BOX, RILL_MATERIAL_CRATE, 8.0, 8.0, 0.5);
    setting at = {plain, below_plain, at_noon(), {{8.0, 5.0, 6.0}, {8.0, 8.0, 0.5}, 40.0}, &crate,
                  1};
    static uint8_t dry[BYTES];
    draw(&at, dry);
    at.level = two_metres_up;
    draw(&at, with);
    at.count = 0;
    draw(&at, without);
    // The upper face, through a metre of water on the way down and another on the way up.
    const double in_air = mean_at(dry, &at.eye, 8.0, 8.0, 1.0, 0);
    const double in_water = mean_at(with, &at.eye, 8.0, 7.9, 1.0, 0);
    assert_true(in_water < 0.75 * in_air);
    assert_true(fabs(in_water - mean_at(without, &at.eye, 8.0, 7.9, 1.0, 0)) > 8.0);
}

TEST(bodies_throw_shadows_on_the_ground_and_on_each_other)
{
    const rill_body_def slab = {.shape = RILL_BODY_BOX,
                                .material = RILL_MATERIAL_PLAIN,
                                .size = {3.0, 3.0, 0.2},
                                .position = {8.0, 8.0, 2.5},
                                .rotation = {0.0, 0.0, 0.0, 1.0},
                                .colour = {0.5f, 0.5f, 0.5f}};
    const rill_body_def box = thing(RILL_BODY_BOX, RILL_MATERIAL_PLAIN, 8.5, 10.2, 0.5);
    const rill_body_def both[] = {box, slab};
    // Noon at 45 degrees north in spring: the sun stands 45 degrees high or more.
    setting at = {plain, below_plain, at_noon(), from_the_south(2.0), both, 1};
    draw(&at, without);
    at.count = 2;
    draw(&at, with);
    double darkest = 1.0;
    for (double y = 8.5; y < 11.5; y += 0.25) {
        const double before = mean_at(without, &at.eye, 7.2, y, 0.0, -1);
        darkest = fmin(darkest, mean_at(with, &at.eye, 7.2, y, 0.0, -1) / before);
    }
    assert_true(darkest < 0.75);
    const double lit = mean_at(without, &at.eye, 8.5, 9.7, 0.5, -1);
    assert_true(mean_at(with, &at.eye, 8.5, 9.7, 0.5, -1) < 0.8 * lit);
}

TEST(a_red_box_is_red_in_the_mirror_of_the_water)
{
    rill_body_def box = thing(RILL_BODY_BOX, RILL_MATERIAL_PLAIN, 8.0, 9.0, 3.0);
    box.size[2] = 2.0;
    box.colour[1] = box.colour[2] = 0.02f;
    setting at = {plain, two_metres_up, at_noon(), {{8.0, 1.0, 3.0}, {8.0, 9.0, 2.2}, 40.0}, &box,
                  0};
    draw(&at, without);
    at.count = 1;
    draw(&at, with);
    // The eye is a metre over the water, as is the middle of what it sees in it: half way.
    const double y = 8.5 - 0.5 * (8.5 - 1.0);
    const double red =
        mean_at(with, &at.eye, 8.0, y, 2.0, 0) - mean_at(with, &at.eye, 8.0, y, 2.0, 2);
    const double was =
        mean_at(without, &at.eye, 8.0, y, 2.0, 0) - mean_at(without, &at.eye, 8.0, y, 2.0, 2);
    assert_true(red > was + 15.0);
}

// Cloth that stands upright across the view, wound one way or the other.
static rill_body_def banner(rill_body_material look, bool turned)
{
    rill_body_def def = thing(RILL_BODY_SHEET, look, 8.0, 8.0, 1.2);
    const double half = sqrt(0.5);
    def.size[0] = def.size[1] = 2.0;
    const double up[4] = {half, 0.0, 0.0, half}, down[4] = {-half, 0.0, 0.0, half};
    memcpy(def.rotation, turned ? down : up, sizeof def.rotation);
    return def;
}

static double banner_seen(const rill_body_def *def, bool from_north, uint8_t *rgb)
{
    setting at = {plain, below_plain, at_noon(), from_the_south(1.5), def, 1};
    if (from_north)
        at.eye = (camera){{8.0, 15.5, 1.5}, {8.0, 7.0, 0.5}, 40.0};
    draw(&at, rgb);
    double sum = 0.0;
    for (int n = 0; n < 9; n++)
        sum += mean_at(rgb, &at.eye, 7.4 + 0.15 * n, 8.0, 1.3, -1) / 9.0;
    return sum;
}

TEST(cloth_is_lit_from_both_sides_and_lets_light_through)
{
    const rill_body_def one = banner(RILL_MATERIAL_CLOTH, false),
                        other = banner(RILL_MATERIAL_CLOTH, true);
    const double front = banner_seen(&one, false, with), back = banner_seen(&other, false, without);
    assert_true(fabs(front - back) < 0.03 * front); // whichever side is the outer one
    const double behind = banner_seen(&one, true, with);
    assert_true(behind < 0.95 * front);
    // Grey boards of the same brightness in the sun are darker from behind.
    rill_body_def board = banner(RILL_MATERIAL_PLAIN, false);
    const double board_front = banner_seen(&board, false, with);
    const double board_behind = banner_seen(&board, true, with);
    assert_true(behind / front > 1.1 * board_behind / board_front);
}

TEST(every_look_is_drawn_in_its_own_way)
{
    double seen[RILL_MATERIAL_COUNT][3];
    for (int k = 0; k < RILL_MATERIAL_COUNT; k++) {
        const rill_body_def box = thing(RILL_BODY_BOX, (rill_body_material)k, 8.0, 8.0, 0.5);
        const setting at = {plain, below_plain, at_noon(), from_the_south(1.5), &box, 1};
        draw(&at, with);
        for (int c = 0; c < 3; c++)
            seen[k][c] = mean_at(with, &at.eye, 7.8, 7.5, 0.55, c);
        for (int other = 0; other < k; other++)
            assert_true(fabs(seen[k][0] - seen[other][0]) + fabs(seen[k][1] - seen[other][1]) +
                            fabs(seen[k][2] - seen[other][2]) >
                        2.0);
    }
}

TEST(a_body_that_is_nowhere_disturbs_nothing)
{
    const rill_body_def lost = thing(RILL_BODY_BOX, RILL_MATERIAL_CRATE, 8.0, 8.0, 0.5);
    setting at = {plain, below_plain, at_noon(), from_the_south(1.5), &lost, 0};
    draw(&at, without);
    at.count = 1;
    draw_moved(&at, (double)NAN, with);
    assert_int_equal(largest_difference(with, without, 0, WIDTH), 0);
}

TEST(bodies_are_seen_on_the_open_sea)
{
    for (int n = 0; n < 2; n++) {
        SCOPED(frame_data) *s = calloc(1, sizeof *s);
        assert_non_null(s);
        const rill_view look = n == 0 ? wave_model_ocean(s) : wave_model_ripples(s);
        const shot asked = {.camera = frame_data_camera(s, &look, s->time),
                            .width = WIDTH,
                            .height = HEIGHT,
                            .samples = 1};
        wave_model_draw(s, &look, &asked, without);
        const double *at = asked.camera.position, *to = asked.camera.target;
        rill_body_def box = thing(RILL_BODY_BOX, RILL_MATERIAL_PLAIN, 0.0, 0.0, 0.3);
        for (int k = 0; k < 2; k++)
            box.position[k] = at[k] + 0.5 * (to[k] - at[k]);
        box.colour[1] = box.colour[2] = 0.02f;
        SCOPED(body_model) model = {0};
        SCOPED(body_maker) *maker = NULL;
        body_model_add(&model, &box);
        assert_ok(body_maker_create(&maker));
        assert_ok(frame_set_bodies(maker, model.meshes, 1, s));
        wave_model_draw(s, &look, &asked, with);
        assert_string_equal(render_error_text(), "");
        const double red = mean_at(with, &asked.camera, box.position[0], box.position[1], 0.5, 0);
        assert_true(red >
                    1.5 * mean_at(with, &asked.camera, box.position[0], box.position[1], 0.5, 2));
    }
}
