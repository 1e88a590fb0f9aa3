// SPDX-License-Identifier: MIT
// test_liquids.c - the liquids that have a name look like what they are called: what comes back
// from a layer and what passes it, by the two-flux equations and by Beer and Lambert.
#include "tests/kit/kit.h"

#include "rill/view.h"

enum { RED, GREEN, BLUE };

// What a layer of a liquid does to diffuse light: Kubelka and Munk 1931, with twice the absorption,
// because diffuse light takes a path twice as long, and half of what is turned aside going back.
typedef struct layer {
    double reflected[3], passed[3];
} layer;

static layer layer_of(const char *name, double depth)
{
    rill_liquid liquid;
    layer out;
    assert_int_equal(rill_liquid_find(name, &liquid), RILL_OK);
    for (int c = 0; c < 3; c++) {
        const double s = (double)liquid.scattering[c];
        const double a = 1.0 + 2.0 * (double)liquid.absorption[c] / s, b = sqrt(a * a - 1.0);
        const double once = exp(-b * s * depth), twice = once * once;
        const double below = (a + b) + (b - a) * twice;
        out.reflected[c] = (1.0 - twice) / below;
        out.passed[c] = 2.0 * b * once / below;
    }
    return out;
}

// Light that goes straight on for `metres`.
static double straight(const char *name, double metres, int colour)
{
    rill_liquid liquid;
    assert_int_equal(rill_liquid_find(name, &liquid), RILL_OK);
    return exp(-metres * (double)(liquid.absorption[colour] + liquid.scattering[colour]));
}

// Seen from above over a bed that reflects half of the light.
static double over_grey(layer l, int colour)
{
    const double t = l.passed[colour], r = l.reflected[colour];
    return r + 0.5 * t * t / (1.0 - 0.5 * r);
}

TEST(liquids_have_names_and_sensible_numbers)
{
    static const char *const names[] = {"clear", "sea",   "silt", "blood", "coffee",
                                        "paint", "water", "milk", "honey"};
    assert_int_equal(rill_liquid_count(), 9);
    for (int n = 0; n < rill_liquid_count(); n++) {
        const rill_liquid liquid = rill_liquid_preset(n);
        rill_liquid found = {0};
        assert_string_equal(liquid.name, names[n]);
        assert_int_equal(rill_liquid_find(names[n], &found), RILL_OK);
        assert_string_equal(found.name, names[n]);
        assert_memory_equal(found.absorption, liquid.absorption, sizeof liquid.absorption);
        assert_true(found.foam == liquid.foam);
        for (int c = 0; c < 3; c++) {
            assert_true(liquid.absorption[c] > 0.0f && liquid.absorption[c] <= 1e6f);
            assert_true(liquid.scattering[c] > 0.0f && liquid.scattering[c] <= 1e6f);
            assert_true(liquid.foam_colour[c] > 0.0f && liquid.foam_colour[c] < 1.0f);
        }
        assert_true(liquid.refractive_index >= 1.33f && liquid.refractive_index <= 1.6f);
        assert_true(liquid.roughness >= 0.0f && liquid.roughness <= 0.2f);
        assert_true(liquid.ripples >= 0.0f && liquid.ripples <= 1.0f);
        assert_true(liquid.foam >= 0.0f && liquid.foam <= 1.0f);
    }
}

TEST(liquids_that_do_not_exist_are_refused_with_those_that_do)
{
    rill_liquid liquid = {.foam = 7.0f};
    assert_null(rill_liquid_preset(-1).name);
    assert_null(rill_liquid_preset(9).name);
    assert_true(rill_liquid_preset(9).refractive_index == 0.0f);
    assert_int_equal(rill_liquid_find("mercury", &liquid), RILL_BAD_ARGUMENT);
    assert_string_equal(rill_last_error(), "no liquid is called 'mercury'; there are 'clear', "
                                           "'sea', 'silt', 'blood', 'coffee', 'paint', 'water', "
                                           "'milk', 'honey'");
    assert_true(liquid.foam == 7.0f);
    assert_int_equal(rill_liquid_find(NULL, &liquid), RILL_BAD_ARGUMENT);
    assert_int_equal(rill_liquid_find("sea", NULL), RILL_BAD_ARGUMENT);
}

TEST(clear_water_and_the_sea_are_transparent_and_blue_in_the_deep)
{
    assert_true(straight("clear", 1.0, GREEN) > 0.9 && straight("clear", 1.0, BLUE) > 0.9);
    assert_true(straight("clear", 1.0, RED) > 0.7);
    assert_true(straight("clear", 10.0, RED) < 0.1 && straight("clear", 10.0, BLUE) > 0.5);
    const layer lake = layer_of("clear", 200.0), sea = layer_of("sea", 200.0);
    assert_true(lake.reflected[BLUE] > 1.5 * lake.reflected[GREEN]);
    assert_true(lake.reflected[GREEN] > 2.0 * lake.reflected[RED]);
    assert_true(lake.reflected[BLUE] < 0.2); // the bluest waters measured stay below

    // Blue-green: about as much of one as of the other, next to no red, and less clear than a lake.
    assert_true(sea.reflected[GREEN] > 0.6 * sea.reflected[BLUE]);
    assert_true(sea.reflected[BLUE] > 0.6 * sea.reflected[GREEN]);
    assert_true(sea.reflected[GREEN] > 3.0 * sea.reflected[RED]);
    for (int c = 0; c < 3; c++)
        assert_true(straight("sea", 5.0, c) < straight("clear", 5.0, c));
}

TEST(silt_is_brown_and_hides_the_bed)
{
    const layer puddle = layer_of("silt", 0.01), river = layer_of("silt", 0.3);
    for (int c = 0; c < 3; c++) {
        assert_true(puddle.passed[c] > 0.5);
        assert_true(river.passed[c] < 0.05);
    }
    assert_true(river.reflected[RED] > 1.2 * river.reflected[GREEN]);
    assert_true(river.reflected[GREEN] > 1.2 * river.reflected[BLUE]);
    assert_true(river.reflected[RED] > 0.2 && river.reflected[RED] < 0.5);
}

TEST(a_film_of_blood_is_red_and_two_millimetres_are_opaque)
{
    const layer film = layer_of("blood", 0.2e-3), pool = layer_of("blood", 2e-3);
    assert_true(film.passed[RED] > 0.4 && film.passed[GREEN] < 0.01 && film.passed[BLUE] < 0.01);
    assert_true(over_grey(film, RED) > 5.0 * over_grey(film, GREEN));
    assert_true(pool.passed[RED] < 0.01);
    assert_true(over_grey(pool, RED) < over_grey(film, RED)); // dark red
    assert_true(pool.reflected[RED] > 5.0 * pool.reflected[BLUE] && pool.reflected[RED] < 0.3);
    assert_true(straight("blood", 0.01, GREEN) < 1e-12);
    assert_true(layer_of("blood", 0.01).passed[GREEN] < 1e-12);
}

TEST(coffee_is_a_brown_film_and_dark_in_a_cup)
{
    const layer film = layer_of("coffee", 0.1e-3), cup = layer_of("coffee", 0.08);
    for (int c = 0; c < 3; c++) {
        assert_true(film.passed[c] > 0.7);
        assert_true(straight("coffee", 0.01, c) < 0.15);
        assert_true(cup.reflected[c] < 0.05);
    }
    const layer thin = layer_of("coffee", 1e-3);
    assert_true(thin.passed[RED] > thin.passed[GREEN] && thin.passed[GREEN] > thin.passed[BLUE]);
    assert_true(cup.reflected[RED] > cup.reflected[GREEN]);
    assert_true(cup.reflected[GREEN] > cup.reflected[BLUE]);
}

TEST(a_tenth_of_a_millimetre_of_paint_is_opaque_and_of_a_full_colour)
{
    rill_liquid paint;
    assert_int_equal(rill_liquid_find("paint", &paint), RILL_OK);
    assert_true(paint.ripples == 0.0f && paint.foam == 0.0f);
    const layer coat = layer_of("paint", 0.1e-3);
    double most = 0.0, least = 1.0;
    for (int c = 0; c < 3; c++) {
        assert_true(coat.passed[c] < 0.01);
        most = fmax(most, coat.reflected[c]);
        least = fmin(least, coat.reflected[c]);
    }
    assert_true(most > 0.5 && least < 0.1);
}

TEST(water_on_a_bench_is_seen_by_its_mirror_alone)
{
    rill_liquid water;
    assert_int_equal(rill_liquid_find("water", &water), RILL_OK);
    assert_true(water.ripples == 0.0f && water.foam == 0.0f);
    const layer glass = layer_of("water", 0.1);
    for (int c = 0; c < 3; c++) {
        assert_true(straight("water", 0.1, c) > 0.97);
        assert_true(glass.reflected[c] < 0.001);
    }
}

TEST(milk_is_a_veil_when_thin_and_white_when_deep)
{
    const layer veil = layer_of("milk", 0.1e-3), glass = layer_of("milk", 0.08);
    for (int c = 0; c < 3; c++) {
        assert_true(veil.passed[c] > 0.6);
        assert_true(glass.reflected[c] > 0.85 && glass.reflected[c] < 1.0);
        assert_true(glass.passed[c] < 0.05);
    }
    assert_true(veil.reflected[BLUE] > 1.2 * veil.reflected[RED]); // skimmed milk is bluish
    assert_true(glass.reflected[RED] > glass.reflected[BLUE]);     // whole milk is creamy
}

TEST(honey_is_golden_and_clear)
{
    const layer spoon = layer_of("honey", 0.005);
    assert_true(straight("honey", 0.001, GREEN) > 0.8);
    assert_true(straight("honey", 0.01, RED) > 0.45 && straight("honey", 0.01, BLUE) < 0.1);
    assert_true(over_grey(spoon, RED) > over_grey(spoon, GREEN));
    assert_true(over_grey(spoon, GREEN) > 2.0 * over_grey(spoon, BLUE));
}

// A scene of centimetres relies on it: a millimetre hides what is below, and over bone a film that
// one hardly sees from the side is red already.
TEST(a_millimetre_of_blood_hides_bone)
{
    const layer deep = layer_of("blood", 1e-3), film = layer_of("blood", 0.02e-3);
    for (int c = 0; c < 3; c++)
        assert_true(over_grey(deep, c) - deep.reflected[c] < 0.01);
    assert_true(over_grey(film, RED) > 1.4 * over_grey(film, GREEN));
    assert_true(film.passed[RED] > 0.9);
}
