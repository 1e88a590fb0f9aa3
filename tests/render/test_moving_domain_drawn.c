// SPDX-License-Identifier: MIT
// test_moving_domain_drawn.c - pictures of a world that is a window on a larger country: when its
// grid moves on, ground, water and what was painted on them stay where they are.
#include "render/ground/relief.h"
#include "render/half.h"
#include "render/output/headless.h"
#include "render/render_error.h"
#include "render/renderer.h"
#include "tests/kit/kit.h"
#include "tests/kit/worlds.h"
#include "tests/render/headless_group.h"

#include "rill/rill.h"

#define SIDE    96 // cells of the window
#define COUNTRY 192
#define CELL    0.5
#define START   40 // cell of the country under the first of the window
#define WIDTH   192
#define HEIGHT  128
#define BYTES   (WIDTH * HEIGHT * 3)
#define TILE    16 // pixels

// A valley along x with uneven slopes, and a lake in it that is not at rest.
static float hill(int i, int j)
{
    const double x = i * CELL, y = (j - COUNTRY / 2) * CELL;
    return (float)(0.004 * y * y + 0.4 * sin(0.35 * x) * cos(0.3 * y) - 0.6);
}

static float lake(int i, int j)
{
    const double level = 0.6 * exp(-0.02 * CELL * CELL * pow(i - START - SIDE / 2.0, 2.0));
    return fmaxf((float)level - hill(i, j), 0.0f);
}

typedef struct loaded_scene {
    rill_heightfield *country, *water;
    rill_world *world;
    rill_view look;
    frame_capture *capture;
    frame_data *picture;
    renderer *drawer;
    canvas *paper;
} loaded_scene;

static rill_heightfield *field_of(float (*value)(int, int))
{
    static float values[COUNTRY * COUNTRY];
    for (int n = 0; n < COUNTRY * COUNTRY; n++)
        values[n] = value(n % COUNTRY, n / COUNTRY);
    rill_heightfield *field = NULL;
    assert_ok(rill_heightfield_create(COUNTRY, COUNTRY, CELL, values, NULL, &field));
    return field;
}

// Looks down on 15 m around the middle of the window at the start, in metres of the country.
static const rill_camera_key eye = {
    .position = {44.0, 30.0, 18.0}, .target = {44.0, 47.0, 0.0}, .field_of_view = 24.0};

static loaded_scene open_stage(void)
{
    loaded_scene s = {
        .country = field_of(hill), .water = field_of(lake), .look = rill_default_view()};
    rill_world_def def = grid_def(SIDE, SIDE, CELL);
    def.solver = RILL_SOLVER_SWE;
    def.domain.full_terrain = s.country;
    def.domain.water = s.water;
    def.domain.i = def.domain.j = START;
    s.look.ground = RILL_GROUND_LAND;
    s.look.time_of_day = 9.0;
    s.look.camera = &eye;
    s.look.camera_count = 1;
    s.look.camera_in_full_terrain = 1;
    rill_liquid_find("clear", &s.look.liquid);
    if (rill_world_create(&def, &s.world) != RILL_OK)
        fail_msg("%s", rill_last_error());
    const renderer_def drawn = {.nx = SIDE, .ny = SIDE, .cell_size = (float)CELL, .view = s.look};
    if (frame_capture_create(s.world, &s.look, &s.capture) != RILL_OK ||
        frame_data_create(s.capture, &s.picture) != RILL_OK ||
        renderer_create(&drawn, &s.drawer) != RILL_OK ||
        canvas_create(WIDTH, HEIGHT, &s.paper) != RILL_OK)
        fail_msg("%s", render_error_text());
    return s;
}

static void loaded_scene_destroy(loaded_scene *s)
{
    canvas_destroy(&s->paper);
    renderer_destroy(&s->drawer);
    frame_data_destroy(&s->picture);
    frame_capture_destroy(&s->capture);
    rill_world_destroy(&s->world);
    rill_heightfield_destroy(&s->country);
    rill_heightfield_destroy(&s->water);
}

static void hand_on(loaded_scene *s, bool first)
{
    if (frame_data_fill(s->capture, s->world, s->picture) != RILL_OK)
        fail_msg("%s", render_error_text());
    renderer_upload(s->drawer, s->picture, first);
}

static void play(loaded_scene *s)
{
    hand_on(s, true);
    for (int n = 0; n < 30; n++) {
        assert_ok(rill_world_step(s->world, 1.0 / 30.0));
        hand_on(s, false);
    }
}

static void draw(const loaded_scene *s, uint8_t *rgb)
{
    shot asked = renderer_default_shot(s->drawer);
    asked.camera = frame_data_camera(s->picture, &s->look, s->picture->time);
    asked.width = WIDTH;
    asked.height = HEIGHT;
    asked.target = canvas_framebuffer(s->paper);
    asked.samples = 2;
    renderer_draw(s->drawer, &asked);
    canvas_read(asked.target, WIDTH, HEIGHT, rgb);
}

// Mean difference of the bytes in the worst tile.
static double worst_tile(const uint8_t *a, const uint8_t *b)
{
    double worst = 0.0;
    for (int tile = 0; tile < WIDTH / TILE * (HEIGHT / TILE); tile++) {
        const int x = tile % (WIDTH / TILE) * TILE, y = tile / (WIDTH / TILE) * TILE;
        double sum = 0.0;
        for (int j = y; j < y + TILE; j++)
            for (int n = 3 * (j * WIDTH + x); n < 3 * (j * WIDTH + x + TILE); n++)
                sum += abs(a[n] - b[n]);
        worst = fmax(worst, sum / (3.0 * TILE * TILE));
    }
    return worst;
}

// ---- Promises --------------------------------------------------------------------------

TEST(a_picture_in_the_country_stays_when_the_grid_moves_on)
{
    static uint8_t before[BYTES], after[BYTES], later[BYTES];
    SCOPED(loaded_scene) s = open_stage();
    play(&s);
    draw(&s, before);
    assert_ok(rill_world_follow(s.world, (SIDE / 2 + 7.0) * CELL, (SIDE / 2 - 5.0) * CELL));
    hand_on(&s, false);
    assert_int_equal(s.picture->first_cell[0], START + 7);
    assert_int_equal(s.picture->first_cell[1], START - 5);
    draw(&s, after);
    // Grain or small waves that have jumped make tiles differ by two bytes and more; what remains
    // is light from hills that have come into the window.
    const double difference = worst_tile(before, after);
    print_message("worst tile %.2f\n", difference);
    assert_true(difference < 1.0);
    assert_ok(rill_world_follow(s.world, (SIDE / 2 - 9.0) * CELL, (SIDE / 2 + 4.0) * CELL));
    hand_on(&s, false);
    draw(&s, later);
    assert_true(worst_tile(before, later) < 1.0);
}

TEST(wet_ground_stays_wet_where_it_is)
{
    SCOPED(loaded_scene) s = open_stage();
    play(&s);
    SCOPED(frame_data) *old = NULL;
    assert_ok(frame_data_create(s.capture, &old));
    assert_ok(frame_data_fill(s.capture, s.world, old));
    const int shifts[3][2] = {{5, -3}, {-8, 0}, {0, 6}};
    for (int n = 0; n < 3; n++) {
        const int di = shifts[n][0], dj = shifts[n][1];
        assert_ok(rill_world_follow(s.world, (SIDE / 2 + di) * CELL, (SIDE / 2 + dj) * CELL));
        assert_ok(frame_data_fill(s.capture, s.world, s.picture));
        assert_int_equal(s.picture->first_cell[0] - old->first_cell[0], di);
        int damp = 0; // but not under water
        for (int j = 10; j < SIDE - 10; j++)
            for (int i = 10; i < SIDE - 10; i++) {
                const frame_column *now = &s.picture->columns[j * SIDE + i];
                const frame_column *was = &old->columns[(j + dj) * SIDE + i + di];
                assert_int_equal(now->wetness, was->wetness);
                assert_true(s.picture->bed[j * SIDE + i] == old->bed[(j + dj) * SIDE + i + di]);
                const float wetness = half_to_float(now->wetness);
                damp += wetness > 0.02f && wetness < 0.999f;
            }
        assert_true(damp > 10); // else this shows nothing
        assert_ok(frame_data_fill(s.capture, s.world, old));
    }
}

TEST(light_on_the_ground_moves_with_it)
{
    enum { SIZE = 200 };
    static float bed[SIZE * SIZE], moved[SIZE * SIZE];
    SCOPED(relief) *whole = NULL, *shifted = NULL;
    for (int n = 0; n < SIZE * SIZE; n++) {
        bed[n] = hill(n % SIZE, n / SIZE);
        moved[n] = hill(n % SIZE + 4, n / SIZE - 3);
    }
    assert_ok(relief_create(SIZE, SIZE, (float)CELL, &whole));
    assert_ok(relief_create(SIZE, SIZE, (float)CELL, &shifted));
    const relief_region all = {0, 0, SIZE, SIZE};
    relief_bake(whole, moved, all);
    relief_bake(shifted, bed, all);
    relief_shift(shifted, moved, 4, -3);
    // On the sides that ground has come in from, and inside, it is as if it had been baked anew.
    for (int j = 0; j < 110; j++)
        for (int i = 90; i < SIZE; i++) {
            const relief_texel *a = &relief_texels(whole)[j * SIZE + i];
            const relief_texel *b = &relief_texels(shifted)[j * SIZE + i];
            assert_int_equal(a->openness, b->openness);
            assert_int_equal(a->normal[0], b->normal[0]);
            assert_int_equal(a->normal[1], b->normal[1]);
        }
}
