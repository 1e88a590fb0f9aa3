// SPDX-License-Identifier: MIT
// test_map.c - what the map picture promises, asked of its pixels: blue means water and nothing
// else, shores lie where level and ground meet, flow is drawn on water, bad input is refused.
#include "scene/map/map_parts.h"
#include "tests/kit/kit.h"
#include "tests/scene/map/map_scene.h"

// --- Water and ground --------------------------------------------------------------------------

TEST(deeper_water_is_darker_and_bluer)
{
    static const float depths[] = {0.15f, 0.5f, 2.0f, 8.0f};
    scene s = scene_create(64, 64, 2.0f);
    for (int j = 0; j < 64; j++)
        for (int i = 0; i < 64; i++)
            s.depth[at(&s, i, j)] = depths[i / 16];
    rl_image m = draw_default(&s);
    const uint8_t *last = NULL;
    for (int k = 0; k < 4; k++) {
        const uint8_t *p = cell_pixel(&m, &s, 16 * k + 8, 32);
        assert_true(blueness(p) > 30);
        if (last != NULL) {
            assert_true(lightness(p) < lightness(last) - 80);
            // The share of blue grows.
            assert_true(p[2] * (last[0] + last[1] + last[2]) > last[2] * (p[0] + p[1] + p[2]));
        }
        last = p;
    }
    rl_image_free(NULL, &m);
    assert_null(m.rgb);
    scene_destroy(&s);
}

TEST(dry_ground_carries_no_blue)
{
    scene s = scene_create(96, 80, 5.0f);
    make_hills(&s);
    rl_image m = draw_default(&s);
    int least = 1000, most = 0;
    for (int y = 0; y < m.map_height; y++)
        for (int x = 0; x < m.map_width; x++) {
            const uint8_t *p = pixel(&m, m.map_x + x, m.map_y + y);
            assert_true(blueness(p) <= 0);
            least = lightness(p) < least ? lightness(p) : least;
            most = lightness(p) > most ? lightness(p) : most;
        }
    // And it is shaded at all.
    assert_true(most - least > 800);
    rl_image_free(NULL, &m);
    scene_destroy(&s);
}

TEST(slopes_towards_the_north_west_are_lit)
{
    scene s = scene_create(64, 64, 1.0f);
    for (int j = 0; j < 64; j++)
        for (int i = 0; i < 64; i++)
            s.ground[at(&s, i, j)] = -0.5f * (float)abs(i - 32);
    rl_map_style style = rl_default_map_style();
    style.contour_interval = -1.0f;
    rl_image m = draw(&s, &style);
    assert_true(lightness(cell_pixel(&m, &s, 16, 32)) >
                lightness(cell_pixel(&m, &s, 48, 32)) + 200);
    rl_image_free(NULL, &m);
    scene_destroy(&s);
}

TEST(films_up_to_the_wet_depth_are_not_drawn)
{
    scene s = scene_create(48, 48, 4.0f);
    make_hills(&s);
    rl_image dry = draw_default(&s);
    for (size_t k = 0; k < 48 * 48; k++)
        s.depth[k] = 1e-3f;
    rl_image film = draw_default(&s);
    assert_int_equal(dry.bytes, film.bytes);
    assert_memory_equal(dry.rgb, film.rgb, dry.bytes);
    rl_image_free(NULL, &dry);
    rl_image_free(NULL, &film);
    scene_destroy(&s);
}

TEST(rain_tints_the_country_only_faintly)
{
    scene s = scene_create(64, 64, 4.0f);
    make_hills(&s);
    rl_map_style style = rl_default_map_style();
    style.depth_max = 2.0f;
    rl_image dry = draw(&s, &style);
    for (size_t k = 0; k < 64 * 64; k++)
        s.depth[k] = 2.5e-3f;
    rl_image rain = draw(&s, &style);
    int64_t change = 0, total = 0;
    for (int y = 0; y < dry.map_height; y += 3)
        for (int x = 0; x < dry.map_width; x += 3) {
            const uint8_t *a = pixel(&dry, dry.map_x + x, dry.map_y + y);
            const uint8_t *b = pixel(&rain, dry.map_x + x, dry.map_y + y);
            change += blueness(b) - blueness(a);
            total++;
        }
    assert_true(change > total);      // seen,
    assert_true(change < 12 * total); // but faint: a lake changes it by a hundred and more
    rl_image_free(NULL, &dry);
    rl_image_free(NULL, &rain);
    scene_destroy(&s);
}

TEST(a_fixed_scale_keeps_the_colours)
{
    scene s = scene_create(64, 64, 2.0f);
    for (int j = 0; j < 64; j++)
        for (int i = 0; i < 20; i++)
            s.depth[at(&s, i, j)] = 1.0f;
    rl_map_style style = rl_default_map_style();
    style.depth_max = 5.0f;
    rl_image shallow = draw(&s, &style);
    for (int j = 0; j < 64; j++)
        for (int i = 40; i < 60; i++)
            s.depth[at(&s, i, j)] = 4.0f;
    rl_image deep = draw(&s, &style);
    const uint8_t *a = cell_pixel(&shallow, &s, 8, 30), *b = cell_pixel(&deep, &s, 8, 30);
    assert_memory_equal(a, b, 3);
    // Without a fixed scale the same water changes its colour.
    style.depth_max = 0.0f;
    rl_image own = draw(&s, &style);
    assert_memory_not_equal(a, cell_pixel(&own, &s, 8, 30), 3);
    rl_image_free(NULL, &shallow);
    rl_image_free(NULL, &deep);
    rl_image_free(NULL, &own);
    scene_destroy(&s);
}

TEST(north_is_up)
{
    scene s = scene_create(40, 40, 1.0f);
    for (int j = 32; j < 40; j++)
        for (int i = 0; i < 40; i++)
            s.depth[at(&s, i, j)] = 1.0f;
    rl_image m = draw_default(&s);
    const int x = m.map_x + m.map_width / 2;
    assert_true(blueness(pixel(&m, x, m.map_y + 20)) > 30);
    assert_true(blueness(pixel(&m, x, m.map_y + m.map_height - 20)) <= 0);
    rl_image_free(NULL, &m);
    scene_destroy(&s);
}

// --- Shores ------------------------------------------------------------------------------------

// Cells from the middle of the bowl to where blue ends, going out along (ux, uy).
static float shore_along(const rl_image *m, const scene *s, float cx, float cy, float ux, float uy,
                         float from, float to)
{
    const float pixels = (float)m->map_width / (float)s->nx;
    for (float r = from; r < to; r += 0.25f / pixels) {
        const float x = (cx + ux * r) * pixels, y = ((float)s->ny - cy - uy * r) * pixels;
        if (blueness(pixel(m, m->map_x + (int)x, m->map_y + (int)y)) <= 20)
            return r;
    }
    return to;
}

TEST(the_shore_of_a_cone_lies_where_its_level_meets_the_ground)
{
    static const float shores[] = {9.13f, 12.5f, 17.86f};
    for (int k = 0; k < 3; k++) {
        const float cx = 32.0f + 0.31f * (float)k, cy = 31.2f;
        scene s = scene_create(64, 64, 3.0f);
        make_bowl(&s, cx, cy, 0.8f, shores[k]);
        rl_image m = draw_default(&s);
        float worst = 0.0f, sum = 0.0f;
        for (int a = 0; a < 90; a++) {
            const float angle = (float)a * 0.0698f;
            const float r = shore_along(&m, &s, cx, cy, cosf(angle), sinf(angle), shores[k] - 3.0f,
                                        shores[k] + 3.0f);
            const float error = fabsf(r - shores[k]);
            worst = error > worst ? error : worst;
            sum += error;
        }
        assert_true(worst < 0.35f); // cells
        assert_true(sum / 90.0f < 0.12f);
        rl_image_free(NULL, &m);
        scene_destroy(&s);
    }
}

TEST(land_beside_a_lake_shows_no_second_shore)
{
    // A lake that gets deep quickly, and a trickle five cells from it.
    scene s = scene_create(64, 64, 4.0f);
    make_bowl(&s, 32.0f, 32.0f, 3.0f, 16.3f);
    for (int j = 0; j < 64; j++)
        s.depth[at(&s, 54, j)] = 0.1f;
    rl_map_style style = rl_default_map_style();
    style.contour_interval = -1.0f;
    rl_image m = draw(&s, &style);
    for (int a = 0; a < 120; a++) {
        const float angle = (float)a * 0.05236f, ux = cosf(angle), uy = sinf(angle);
        int last = 1000;
        for (float r = 17.3f; r < 25.0f && 32.0f + ux * r < 53.0f; r += 0.05f) {
            const int x = m.map_x + (int)((32.0f + ux * r) * 16.0f);
            const int y = m.map_y + (int)((32.0f - uy * r) * 16.0f);
            const int b = blueness(pixel(&m, x, y));
            assert_true(last == 1000 || abs(b - last) <= 4);
            last = b;
        }
    }
    rl_image_free(NULL, &m);
    scene_destroy(&s);
}

TEST(a_trickle_beside_a_lake_casts_no_line_on_land)
{
    // Two pixels a cell: shores are drawn from differences that reach over cells.
    scene s = scene_create(64, 64, 4.0f);
    make_bowl(&s, 32.0f, 32.0f, 3.0f, 16.3f);
    for (int j = 0; j < 64; j++)
        s.depth[at(&s, 54, j)] = 0.1f;
    rl_map_style style = rl_default_map_style();
    style.contour_interval = -1.0f;
    style.max_side = 128;
    rl_image m = draw(&s, &style);
    for (int y = 50; y < 78; y++)
        for (int x = 100; x < 105; x++) {
            const int here = lightness(pixel(&m, m.map_x + x, m.map_y + y));
            const int next = lightness(pixel(&m, m.map_x + x + 1, m.map_y + y));
            assert_true(abs(here - next) < 40);
        }
    rl_image_free(NULL, &m);
    scene_destroy(&s);
}

TEST(signed_depth_falls_away_from_the_water)
{
    scene s = scene_create(64, 64, 4.0f);
    make_bowl(&s, 32.0f, 32.0f, 3.0f, 16.3f);
    rl_map_grid grid;
    assert_true(rl_map_grid_create(NULL, &s.input, 256, 0.01f, false, &grid));
    const float *water = rill_field_row(&grid.water, 32);
    assert_true(water[47] > 0.0f && water[48] < 0.0f);
    assert_true(water[49] < 2.0f * water[48] && water[50] < water[48] && water[51] < water[48]);
    rl_map_grid_destroy(NULL, &grid);
    scene_destroy(&s);
}

TEST(a_lake_keeps_its_shore_in_the_rain)
{
    scene s = scene_create(64, 64, 4.0f);
    make_bowl(&s, 32.0f, 32.0f, 0.5f, 16.0f);
    for (size_t k = 0; k < 64 * 64; k++)
        s.depth[k] = s.depth[k] > 0.0f ? s.depth[k] : 2.5e-3f;
    rl_image m = draw_default(&s);
    const int y = m.map_y + 512, shore = m.map_x + 48 * 16;
    assert_true(blueness(pixel(&m, shore - 4, y)) > blueness(pixel(&m, shore + 4, y)) + 50);
    rl_image_free(NULL, &m);
    scene_destroy(&s);
}

TEST(a_front_on_level_ground_ends_at_the_edge_of_its_last_cell)
{
    scene s = scene_create(64, 16, 1.0f);
    for (int j = 0; j < 16; j++)
        for (int i = 0; i < 20; i++)
            s.depth[at(&s, i, j)] = 0.5f;
    rl_image m = draw_default(&s);
    const float r = shore_along(&m, &s, 0.0f, 8.0f, 1.0f, 0.0f, 15.0f, 25.0f);
    assert_true(fabsf(r - 20.0f) < 0.35f);
    rl_image_free(NULL, &m);
    scene_destroy(&s);
}

TEST(threads_one_cell_wide_stay_whole)
{
    scene s = scene_create(64, 64, 2.0f);
    make_hills(&s);
    // Up the middle, into a deep pool, and one lone cell.
    for (int j = 0; j < 64; j++)
        s.depth[at(&s, 30, j)] = 0.3f;
    for (int j = 40; j < 50; j++)
        for (int i = 25; i < 36; i++)
            s.depth[at(&s, i, j)] = 20.0f;
    s.depth[at(&s, 10, 10)] = 0.3f;
    rl_image m = draw_default(&s);
    const int x = m.map_x + (int)(30.5f / 64.0f * (float)m.map_width);
    for (int y = 0; y < m.map_height; y++)
        assert_true(blueness(pixel(&m, x, m.map_y + y)) > 15);
    assert_true(blueness(cell_pixel(&m, &s, 10, 10)) > 15);
    assert_true(blueness(cell_pixel(&m, &s, 33, 20)) <= 0);
    rl_image_free(NULL, &m);
    scene_destroy(&s);
}

TEST(many_cells_to_a_pixel_are_averaged)
{
    // Ridges one cell apart: sampling single cells would beat against them and leave stripes.
    scene s = scene_create(1000, 60, 1.0f);
    for (int j = 0; j < 60; j++)
        for (int i = 0; i < 1000; i++)
            s.ground[at(&s, i, j)] = (float)(i & 1) * 0.4f;
    rl_map_style style = rl_default_map_style();
    style.max_side = 128;
    style.contour_interval = -1.0f;
    rl_image m = draw(&s, &style);
    assert_int_equal(m.map_width, 128);
    int least = 10000, most = 0;
    for (int x = 8; x < 120; x++) {
        const int l = lightness(pixel(&m, m.map_x + x, m.map_y + 3));
        least = l < least ? l : least;
        most = l > most ? l : most;
    }
    assert_true(most - least <= 60);
    rl_image_free(NULL, &m);
    scene_destroy(&s);
}

// Mean difference of two pictures of one size, levels.
static double difference(const rl_image *a, const rl_image *b)
{
    assert_int_equal(a->bytes, b->bytes);
    double sum = 0.0;
    for (size_t k = 0; k < a->bytes; k++)
        sum += abs((int)a->rgb[k] - (int)b->rgb[k]);
    return sum / (double)a->bytes;
}

TEST(the_scale_decides_how_many_samples_a_pixel_needs)
{
    scene s = scene_create(256, 256, 2.0f);
    for (int j = 0; j < 256; j++)
        for (int i = 0; i < 256; i++)
            s.ground[at(&s, i, j)] = sinf(1.9f * (float)i) + cosf(2.1f * (float)j + (float)i);
    rl_map_style style = rl_default_map_style();
    style.max_side = 150;
    rl_image own = draw(&s, &style);
    style.supersample = 1;
    rl_image coarse = draw(&s, &style);
    style.supersample = 8;
    rl_image fine = draw(&s, &style);
    assert_true(difference(&own, &fine) < 0.4 * difference(&coarse, &fine));
    rl_image_free(NULL, &own);
    rl_image_free(NULL, &coarse);
    rl_image_free(NULL, &fine);
    scene_destroy(&s);
}

TEST(streams_survive_when_cells_are_small)
{
    scene s = scene_create(2048, 64, 1.0f);
    for (int i = 0; i < 2048; i++)
        s.depth[at(&s, i, 31)] = 0.4f;
    rl_map_style style = rl_default_map_style();
    style.max_side = 256;
    rl_image m = draw(&s, &style);
    for (int x = 0; x < m.map_width; x++) {
        int bluest = -255;
        for (int y = 0; y < m.map_height; y++) {
            const int b = blueness(pixel(&m, m.map_x + x, m.map_y + y));
            bluest = b > bluest ? b : bluest;
        }
        assert_true(bluest > 0);
    }
    rl_image_free(NULL, &m);
    scene_destroy(&s);
}

// --- Flow --------------------------------------------------------------------------------------

// Pixels of the map that change when flow is drawn, left and right of column `edge`.
static void count_changes(const rl_image *a, const rl_image *b, int edge, int *left, int *right)
{
    *left = *right = 0;
    for (int y = 0; y < a->map_height; y++)
        for (int x = 0; x < a->map_width; x++)
            if (memcmp(pixel(a, a->map_x + x, a->map_y + y), pixel(b, a->map_x + x, a->map_y + y),
                       3) != 0)
                *(x < edge ? left : right) += 1;
}

TEST(flow_is_drawn_on_water_only)
{
    for (int wet = 25; wet < 31; wet++) {
        scene s = scene_create(64, 64, 1.0f);
        for (int j = 0; j < 64; j++)
            for (int i = 0; i < wet; i++) {
                s.depth[at(&s, i, j)] = 1.0f;
                s.velocity_y[at(&s, i, j)] = 0.5f;
            }
        rl_map_style style = rl_default_map_style();
        rl_image plain = draw(&s, &style);
        for (int flow = RILL_MAP_FLOW_ARROWS; flow <= RILL_MAP_FLOW_LINES; flow++) {
            style.flow = (rill_map_flow)flow;
            rl_image flowing = draw(&s, &style);
            int on_water, on_land;
            // Half an arrow's width may reach past the edge, 16 pixels a cell.
            count_changes(&plain, &flowing, 16 * wet + 6, &on_water, &on_land);
            assert_true(on_water > 5000);
            assert_int_equal(on_land, 0);
            rl_image_free(NULL, &flowing);
        }
        rl_image_free(NULL, &plain);
        scene_destroy(&s);
    }
}

// Part of the pixels between two columns that flow lines cover.
static double covered(const rl_image *plain, const rl_image *lines, int x0, int x1)
{
    int count = 0;
    for (int y = 0; y < plain->map_height; y++)
        for (int x = x0; x < x1; x++)
            count += memcmp(pixel(plain, plain->map_x + x, plain->map_y + y),
                            pixel(lines, plain->map_x + x, plain->map_y + y), 3) != 0;
    return (double)count / ((double)plain->map_height * (double)(x1 - x0));
}

TEST(stream_lines_keep_their_distance)
{
    // Everything is drawn to the middle line while it flows east.
    scene s = scene_create(64, 64, 1.0f);
    for (int j = 0; j < 64; j++)
        for (int i = 0; i < 64; i++) {
            s.depth[at(&s, i, j)] = 1.0f;
            s.velocity_x[at(&s, i, j)] = 1.0f;
            s.velocity_y[at(&s, i, j)] = 0.04f * (31.5f - (float)j);
        }
    rl_map_style style = rl_default_map_style();
    rl_image plain = draw(&s, &style);
    style.flow = RILL_MAP_FLOW_LINES;
    rl_image lines = draw(&s, &style);
    for (int x = 0; x < 1000; x += 100) {
        const double part = covered(&plain, &lines, x, x + 24);
        assert_true(part > 0.1 && part < 0.31);
    }
    rl_image_free(NULL, &plain);
    rl_image_free(NULL, &lines);
    scene_destroy(&s);
}

TEST(an_arrow_has_its_head_where_it_points)
{
    enum { SIDE = 64 };
    static uint8_t rgb[SIDE * SIDE * 3];
    memset(rgb, 128, sizeof rgb);
    rl_canvas canvas = rl_canvas_of(rgb, SIDE, SIDE);
    rl_draw_arrow(&canvas, (rl_point){32.0f, 32.0f}, 1.0f, 0.0f, 1.0f, 1.0f);
    const rl_image m = {.width = SIDE, .height = SIDE, .rgb = rgb};
    int left = 0, right = 0;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            const uint8_t *p = pixel(&m, x, y);
            const bool touched = p[0] != 128 || p[1] != 128 || p[2] != 128;
            *(x < 32 ? &left : &right) += touched;
            // 28 pixels long, a rim of one around.
            assert_true(!touched || (x >= 16 && x < 48 && y >= 26 && y < 38));
        }
    assert_true(left > 30);
    assert_true(3 * right > 4 * left);
}

TEST(flow_without_velocities_is_refused)
{
    scene s = scene_create(16, 16, 1.0f);
    s.input.velocity_y.data = NULL;
    rl_map_style style = rl_default_map_style();
    rl_image m = draw(&s, &style);
    rl_image_free(NULL, &m);
    style.flow = RILL_MAP_FLOW_ARROWS;
    assert_int_equal(rl_map_draw(NULL, &s.input, &style, &m), RILL_BAD_ARGUMENT);
    assert_null(m.rgb);
    assert_non_null(strstr(rill_last_error(), "velocity_y"));
    scene_destroy(&s);
}

// --- Whole -------------------------------------------------------------------------------------

TEST(the_same_input_gives_the_same_picture)
{
    scene s = scene_create(70, 50, 3.0f);
    make_hills(&s);
    for (int j = 10; j < 30; j++)
        for (int i = 10; i < 50; i++) {
            s.depth[at(&s, i, j)] = 0.1f * (float)(i - 9);
            s.velocity_x[at(&s, i, j)] = (float)(j - 20);
            s.velocity_y[at(&s, i, j)] = (float)(30 - i);
        }
    rl_map_style style = rl_default_map_style();
    style.flow = RILL_MAP_FLOW_LINES;
    rl_image a = draw(&s, &style);
    // Rows with a gap behind them are the same rows.
    float *padded = calloc(100 * 50, sizeof(float));
    assert_non_null(padded);
    for (int j = 0; j < 50; j++)
        memcpy(padded + 100 * j, s.ground + at(&s, 0, j), 70 * sizeof(float));
    s.input.ground = (rill_field_view){padded, 70, 50, 100};
    rl_image b = draw(&s, &style);
    assert_int_equal(a.bytes, b.bytes);
    assert_memory_equal(a.rgb, b.rgb, a.bytes);
    free(padded);
    rl_image_free(NULL, &a);
    rl_image_free(NULL, &b);
    scene_destroy(&s);
}

TEST(any_size_of_grid_can_be_drawn)
{
    static const int sizes[][2] = {{1, 1}, {1, 9}, {4, 4}, {5, 3}, {3, 333}, {700, 2}, {65, 64}};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
        for (int flow = 0; flow <= RILL_MAP_FLOW_LINES; flow++) {
            scene s = scene_create(sizes[k][0], sizes[k][1], 0.01f);
            s.depth[0] = 0.02f;
            s.velocity_x[0] = 1.0f;
            rl_map_style style = rl_default_map_style();
            style.flow = (rill_map_flow)flow;
            style.max_side = 64 + 100 * flow;
            rl_image m = draw(&s, &style);
            const int longer = m.map_width > m.map_height ? m.map_width : m.map_height;
            assert_int_equal(longer, style.max_side);
            assert_true(m.map_width >= 1 && m.map_height >= 1);
            assert_true(m.width % 2 == 0 && m.height % 2 == 0);
            assert_true(m.map_x + m.map_width < m.width && m.map_y + m.map_height < m.height);
            rl_image_free(NULL, &m);
            scene_destroy(&s);
        }
}

TEST(absurd_numbers_do_no_harm)
{
    static const float sizes[] = {1e-38f, 1e-20f, 1e20f, 3e38f};
    for (int k = 0; k < 4; k++)
        for (int flow = 0; flow <= RILL_MAP_FLOW_LINES; flow++) {
            scene s = scene_create(20, 15, k % 2 == 0 ? 1e-30f : 1e30f);
            for (size_t c = 0; c < 300; c++) {
                s.ground[c] = sizes[k] * (c % 3 == 0 ? -0.5f : 0.5f);
                s.depth[c] = c % 4 == 0 ? 0.0f : sizes[3 - k];
                s.velocity_x[c] = c % 5 == 0 ? -sizes[k] : sizes[k];
            }
            s.input.time = 1e300;
            rl_map_style style = rl_default_map_style();
            style.max_side = 64;
            style.flow = (rill_map_flow)flow;
            style.speed_max = flow == RILL_MAP_FLOW_LINES ? 1e-3f : 0.0f;
            rl_image m = draw(&s, &style);
            rl_image_free(NULL, &m);
            scene_destroy(&s);
        }
}

TEST(bad_arguments_are_refused_in_words)
{
    const scene s = scene_create(8, 8, 1.0f);
    rl_map_input inputs[8];
    for (int i = 0; i < 8; i++)
        inputs[i] = s.input;
    inputs[0].ground.data = NULL;
    inputs[1].depth.nx = 7;
    inputs[2].ground.pitch = 3;
    inputs[3].cell_size = NAN;
    inputs[4].cell_size = 0.0f;
    inputs[5].wet_depth = -1.0f;
    inputs[6].time = INFINITY;
    inputs[7].ground.nx = inputs[7].depth.nx = 0;
    rl_map_style style = rl_default_map_style();
    rl_image m;
    for (int i = 0; i < 8; i++) {
        assert_int_equal(rl_map_draw(NULL, &inputs[i], &style, &m), RILL_BAD_ARGUMENT);
        assert_true(m.rgb == NULL && rill_last_error()[0] != '\0');
    }
    rl_map_style styles[6];
    for (int i = 0; i < 6; i++)
        styles[i] = style;
    styles[0].max_side = 63;
    styles[1].supersample = 9;
    styles[2].flow = (rill_map_flow)3;
    styles[3].depth_max = NAN;
    styles[4].speed_max = -1.0f;
    styles[5].text_scale = 9.0f;
    for (int i = 0; i < 6; i++)
        assert_int_equal(rl_map_draw(NULL, &s.input, &styles[i], &m), RILL_BAD_ARGUMENT);
    assert_int_equal(rl_map_draw(NULL, NULL, &style, &m), RILL_BAD_ARGUMENT);
    assert_int_equal(rl_map_draw(NULL, &s.input, NULL, &m), RILL_BAD_ARGUMENT);
    assert_int_equal(rl_map_draw(NULL, &s.input, &style, NULL), RILL_BAD_ARGUMENT);
    free(s.ground);
}

typedef struct meter {
    int allowed, blocks;
} meter;

static void *meter_allocate(void *user, size_t bytes, size_t alignment)
{
    meter *m = user;
    if (m->allowed-- <= 0)
        return NULL;
    m->blocks++;
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void meter_release(void *user, void *memory, size_t bytes)
{
    (void)bytes;
    ((meter *)user)->blocks--;
    free(memory);
}

TEST(without_memory_nothing_is_left_behind)
{
    scene s = scene_create(24, 24, 1.0f);
    make_bowl(&s, 12.0f, 12.0f, 0.5f, 8.0f);
    s.velocity_x[at(&s, 12, 12)] = 1.0f;
    rl_map_style style = rl_default_map_style();
    for (int flow = RILL_MAP_FLOW_ARROWS; flow <= RILL_MAP_FLOW_LINES; flow++) {
        style.flow = (rill_map_flow)flow;
        rill_status status = RILL_NO_MEMORY;
        int allowed = 0;
        for (; status == RILL_NO_MEMORY; allowed++) {
            meter count = {.allowed = allowed};
            const rill_allocator allocator = {&count, meter_allocate, meter_release};
            rl_image m;
            status = rl_map_draw(&allocator, &s.input, &style, &m);
            assert_int_equal(count.blocks, status == RILL_OK ? 1 : 0);
            rl_image_free(&allocator, &m);
            assert_int_equal(count.blocks, 0);
        }
        assert_int_equal(status, RILL_OK);
        assert_true(allowed > 8);
    }
    scene_destroy(&s);
}
