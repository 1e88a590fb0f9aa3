// SPDX-License-Identifier: MIT
// test_map_frame.c - what stands around the map: title and time, frame, scale bar, legend; and the
// numbers and letters they are made of.
#include "scene/map/map_parts.h"
#include "tests/kit/kit.h"
#include "tests/scene/map/map_scene.h"

// --- Around the map ----------------------------------------------------------------------------

TEST(everything_stands_apart_inside_white_margins)
{
    scene s = scene_create(64, 64, 3.0f);
    make_bowl(&s, 32.0f, 32.0f, 0.5f, 20.0f);
    rl_image m = draw_default(&s);
    for (int x = 0; x < m.width; x++)
        for (int y = 0; y < 12; y++)
            assert_true(is_white(pixel(&m, x, y)) && is_white(pixel(&m, x, m.height - 1 - y)));
    for (int y = 0; y < m.height; y++)
        for (int x = 0; x < 12; x++)
            assert_true(is_white(pixel(&m, x, y)) && is_white(pixel(&m, m.width - 1 - x, y)));
    // Title and time, scale bar, legend: there is ink in each place, and none in the gaps.
    const int right = m.map_x + m.map_width, bottom = m.map_y + m.map_height;
    assert_true(count_dark(&m, m.map_x, 12, right, m.map_y - 6) > 100);
    assert_true(count_dark(&m, m.map_x, bottom + 6, right, m.height) > 300);
    assert_true(count_dark(&m, right + 20, m.map_y, m.width, bottom) > 1000);
    assert_int_equal(count_dark(&m, right + 2, 0, right + 20, m.height), 0);
    assert_int_equal(count_dark(&m, m.map_x, m.map_y - 5, right, m.map_y - 1), 0);
    // The frame is one dark line on each side.
    const int x = m.map_x + 100, y = m.map_y + 100;
    assert_true(is_dark(pixel(&m, x, m.map_y - 1)) && is_dark(pixel(&m, x, bottom)));
    assert_true(is_dark(pixel(&m, m.map_x - 1, y)) && is_dark(pixel(&m, right, y)));
    assert_true(is_white(pixel(&m, x, m.map_y - 2)) && is_white(pixel(&m, m.map_x - 2, y)));
    rl_image_free(NULL, &m);
    scene_destroy(&s);
}

TEST(title_and_time_change_their_own_lines_only)
{
    scene s = scene_create(40, 40, 3.0f);
    rl_image a = draw_default(&s);
    s.input.title = "Another";
    rl_image b = draw_default(&s);
    s.input.time = 3725.0;
    rl_image c = draw_default(&s);
    int title_first, title_last, time_first, time_last;
    rows_that_differ(&a, &b, &title_first, &title_last);
    rows_that_differ(&b, &c, &time_first, &time_last);
    assert_true(title_first > 10 && title_first <= title_last);
    assert_true(title_last < time_first && time_first <= time_last);
    assert_true(time_last < a.map_y - 4);
    s.input.title = NULL;
    rl_image d = draw_default(&s);
    assert_true(d.map_y < a.map_y && d.height < a.height);
    rl_image_free(NULL, &a);
    rl_image_free(NULL, &b);
    rl_image_free(NULL, &c);
    rl_image_free(NULL, &d);
    scene_destroy(&s);
}

TEST(a_title_that_is_too_long_is_cut)
{
    scene s = scene_create(12, 200, 3.0f);
    s.input.title = "A title that is very much longer than the narrow map below it is wide, and on";
    rl_image m = draw_default(&s);
    for (int y = 0; y < m.height; y++)
        for (int x = m.width - 12; x < m.width; x++)
            assert_true(is_white(pixel(&m, x, y)));
    rl_image_free(NULL, &m);
    scene_destroy(&s);
}

TEST(the_depth_bar_darkens_upward)
{
    scene s = scene_create(64, 64, 3.0f);
    make_bowl(&s, 32.0f, 32.0f, 0.5f, 20.0f);
    rl_image m = draw_default(&s);
    // The bar: 24 right of the frame, below its heading, 190 long.
    const int x = m.map_x + m.map_width + 24 + 9, top = m.map_y + 22;
    assert_true(blueness(pixel(&m, x, top + 1)) > 60);
    for (int y = top; y < top + 180; y++)
        assert_true(lightness(pixel(&m, x, y)) <= lightness(pixel(&m, x, y + 1)) + 8);
    assert_true(lightness(pixel(&m, x, top + 170)) > lightness(pixel(&m, x, top)) + 900);
    // Numbers stand right of it.
    assert_true(count_dark(&m, x + 16, top - 8, x + 60, top + 200) > 60);
    rl_image_free(NULL, &m);
    scene_destroy(&s);
}

TEST(the_scale_bar_is_as_long_as_it_says)
{
    // 1000 m over 1000 pixels: three tenths hold 200 m.
    scene s = scene_create(100, 100, 10.0f);
    rl_map_style style = rl_default_map_style();
    style.max_side = 1000;
    rl_image m = draw(&s, &style);
    const int bottom = m.map_y + m.map_height;
    int best = 0;
    for (int y = bottom + 10; y < m.height; y++) {
        int run = 0;
        while (m.map_x + run < m.width && is_dark(pixel(&m, m.map_x + run, y)))
            run++;
        best = run > best ? run : best;
    }
    assert_int_equal(best, 200);
    rl_image_free(NULL, &m);
    scene_destroy(&s);
}

TEST(known_coordinates_stand_at_the_frame)
{
    scene s = scene_create(64, 48, 30.0f);
    rl_image bare = draw_default(&s);
    const rill_georeference where = {.transform = {412300.0, 30.0, 0.0, 5171440.0, 0.0, -30.0},
                                     .known = 1};
    s.input.georeference = &where;
    rl_image m = draw_default(&s);
    assert_int_equal(m.map_x, bare.map_x + 18);
    const int bottom = m.map_y + m.map_height;
    assert_true(count_dark(&m, m.map_x - 22, m.map_y, m.map_x - 8, bottom) > 100);
    assert_true(count_dark(&m, m.map_x, bottom + 8, m.map_x + m.map_width, bottom + 22) > 100);
    // 413 000 is 700 m from the left edge: a mark at 1024 * 700 / 1920 pixels.
    const int mark = m.map_x + 1024 * 700 / 1920;
    assert_true(is_dark(pixel(&m, mark, bottom + 3)));
    assert_false(is_dark(pixel(&m, mark + 2, bottom + 3)));
    rl_image_free(NULL, &bare);
    rl_image_free(NULL, &m);
    scene_destroy(&s);
}

// --- Numbers and letters -----------------------------------------------------------------------

TEST(numbers_are_plain)
{
    static const struct {
        double value;
        int decimals;
        const char *text;
    } cases[] = {{0.0, 0, "0"},
                 {0.05, 2, "0.05"},
                 {-12.5, 1,
                  "\xE2\x88\x92"
                  "12.5"},
                 {1000.0, 0, "1000"},
                 {5171200, 0, "5 171 200"},
                 {-0.001, 1, "0.0"},
                 {9.999, 2, "10.00"},
                 {3.1416, 4, "3.1416"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[40];
        rl_format_number(text, sizeof text, cases[i].value, cases[i].decimals);
        assert_string_equal(text, cases[i].text);
    }
    assert_true(rl_nice_below(430.0) == 200.0 && rl_nice_below(0.0621) == 0.05);
    assert_true(rl_nice_above(430.0) == 500.0 && rl_nice_above(1.1) == 1.2);
    assert_true(rl_nice_step(17.0) >= 17.0 && rl_nice_step(17.0) < 51.0);
    assert_int_equal(rl_decimals_of(0.25), 2);
    assert_int_equal(rl_decimals_of(300.0), 0);
}

TEST(letters_are_crisp_at_scale_one)
{
    enum { WIDE = 40, HIGH = 20 };
    static uint8_t rgb[WIDE * HIGH * 3];
    memset(rgb, 255, sizeof rgb);
    rl_canvas canvas = rl_canvas_of(rgb, WIDE, HIGH);
    const rl_text_style style = {.scale = 1.0f, .weight = 1.0f};
    rl_text_draw(&canvas, 4.0f, 16.0f, "H", &style);
    const rl_image m = {.width = WIDE, .height = HIGH, .rgb = rgb};
    // Stems in whole pixels 7 apart, 10 high, a bar between them; white beside.
    for (int y = 6; y < 16; y++)
        assert_true(pixel(&m, 4, y)[0] < 8 && pixel(&m, 11, y)[0] < 8 && pixel(&m, 3, y)[0] > 247);
    for (int x = 4; x <= 11; x++)
        assert_true(pixel(&m, x, 10)[0] < 8 && pixel(&m, x, 17)[0] == 255);
    assert_true(rl_text_width("HH", 1.0f) == 18.0f);
}

TEST(broken_text_is_drawn_and_not_followed)
{
    scene s = scene_create(16, 16, 1.0f);
    static const char *const titles[] = {"\xFF\xFE", "\xE2\x88", "ab\xC3", "\xF0\x9F\x8C\x8A", ""};
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++) {
        s.input.title = titles[i];
        rl_image m = draw_default(&s);
        rl_image_free(NULL, &m);
    }
    char small[8];
    rl_text_fit(small, sizeof small, "abcdefghijkl", 1.0f, 1000.0f);
    assert_true(strlen(small) < sizeof small);
    assert_int_equal(strncmp(small, "abcd", 4), 0);
    scene_destroy(&s);
}
