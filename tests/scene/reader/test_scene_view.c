// SPDX-License-Identifier: MIT
// test_scene_view.c - how a scene wants to be looked at: defaults, every key of [view], the
// sentences about its mistakes.
#include "tests/kit/counting_host.h"
#include "tests/kit/kit.h"

#include "rill/rill.h"

// A small world on lines 1 to 5; what a test adds begins on line 6.
#define SMALL "duration = 1\n[world]\nnx = 8\nny = 8\ncell_size = 1\n"

static rill_scene *parse_with(const char *text, const char *const *overrides, int count)
{
    rill_scene *scene = NULL;
    if (rill_scene_parse("s.toml", text, strlen(text), NULL, overrides, count, NULL, &scene) !=
        RILL_OK)
        fail_msg("%s", rill_last_error());
    return scene;
}

static void assert_three(const float *got, float r, float g, float b)
{
    assert_true(got[0] == r && got[1] == g && got[2] == b);
}

static void assert_place(const double *got, double x, double y, double z)
{
    assert_true(got[0] == x && got[1] == y && got[2] == z);
}

// ---- Defaults --------------------------------------------------------------------------

static void assert_defaults(rill_view view)
{
    assert_string_equal(view.liquid.name, "clear");
    assert_int_equal(view.ground, RILL_GROUND_LAND);
    assert_true(view.time_of_day == 10.0 && view.latitude == 45.0 && view.heading == 0.0);
    assert_true(view.clouds == 0.35 && view.visibility == 0.0 && view.wind == 3.0);
    assert_true(view.wind_direction == 30.0 && view.ripple_size == 0.0 && view.exposure == 0.0);
    assert_int_equal(view.backdrop, RILL_BACKDROP_SKY);
    assert_true(view.meniscus == 0.0 && view.contact_angle == 20.0 && view.opaque_depth == 0.0);
    assert_null(view.camera);
    assert_int_equal(view.camera_count, 0);
}

TEST(a_scene_without_a_view_has_the_defaults)
{
    assert_defaults(rill_default_view());
    assert_defaults(rill_scene_view(NULL));
    rill_scene *scene = parse_with(SMALL, NULL, 0);
    assert_defaults(rill_scene_view(scene));
    rill_scene_destroy(&scene);
    scene = parse_with(SMALL "[view]\n[view.optics]\n", NULL, 0);
    assert_defaults(rill_scene_view(scene));
    rill_scene_destroy(&scene);
}

// ---- Keys ------------------------------------------------------------------------------

TEST(every_key_of_a_view_is_read)
{
    rill_scene *scene = parse_with(
        SMALL "[view]\nliquid = 'silt'\nground = 'tissue'\ntime_of_day = 18.5\nlatitude = -33\n"
              "heading = 270\nclouds = 0.9\nvisibility = 2500\nwind = 12\nwind_direction = -45\n"
              "ripple_size = 0.25\nexposure = -1.5\nbackdrop = 'studio'\nmeniscus = 0.0028\n"
              "contact_angle = 130\nopaque_depth = 0.002\n",
        NULL, 0);
    const rill_view view = rill_scene_view(scene);
    assert_string_equal(view.liquid.name, "silt");
    assert_int_equal(view.ground, RILL_GROUND_TISSUE);
    assert_true(view.time_of_day == 18.5 && view.latitude == -33.0 && view.heading == 270.0);
    assert_true(view.clouds == 0.9 && view.visibility == 2500.0 && view.wind == 12.0);
    assert_true(view.wind_direction == -45.0 && view.ripple_size == 0.25);
    assert_true(view.exposure == -1.5);
    assert_int_equal(view.backdrop, RILL_BACKDROP_STUDIO);
    assert_true(view.meniscus == 0.0028 && view.contact_angle == 130.0);
    assert_true(view.opaque_depth == 0.002);
    rill_scene_destroy(&scene);
}

TEST(grounds_are_called_by_their_names)
{
    static const char *const grounds[RILL_GROUND_MATERIAL_COUNT] = {
        "land", "sand", "concrete", "tissue", "bone", "wood", "plaster", "ceramic"};
    for (int n = 0; n < RILL_GROUND_MATERIAL_COUNT; n++) {
        char text[128];
        snprintf(text, sizeof text, SMALL "[view]\nground = '%s'\n", grounds[n]);
        rill_scene *scene = parse_with(text, NULL, 0);
        assert_int_equal(rill_scene_view(scene).ground, n);
        rill_scene_destroy(&scene);
    }
}

TEST(optics_override_the_liquid_and_leave_the_rest_of_it)
{
    rill_liquid sea;
    assert_int_equal(rill_liquid_find("sea", &sea), RILL_OK);
    rill_scene *scene = parse_with(
        SMALL "[view.optics]\nabsorption = [1, 2, 3]\nfoam = 0.125\n[view]\nliquid = 'sea'\n", NULL,
        0);
    rill_liquid liquid = rill_scene_view(scene).liquid;
    assert_string_equal(liquid.name, "sea");
    assert_three(liquid.absorption, 1.0f, 2.0f, 3.0f);
    assert_true(liquid.foam == 0.125f);
    assert_memory_equal(liquid.scattering, sea.scattering, sizeof sea.scattering);
    assert_memory_equal(liquid.foam_colour, sea.foam_colour, sizeof sea.foam_colour);
    assert_true(liquid.refractive_index == sea.refractive_index);
    assert_true(liquid.roughness == sea.roughness && liquid.ripples == sea.ripples);
    rill_scene_destroy(&scene);

    scene = parse_with(SMALL "[view.optics]\nscattering = [4, 5, 6]\nrefractive_index = 1.5\n"
                             "roughness = 0.5\nripples = 2\nfoam_colour = [0.25, 0.5, 1]\n",
                       NULL, 0);
    liquid = rill_scene_view(scene).liquid;
    assert_string_equal(liquid.name, "clear");
    assert_three(liquid.scattering, 4.0f, 5.0f, 6.0f);
    assert_three(liquid.foam_colour, 0.25f, 0.5f, 1.0f);
    assert_true(liquid.refractive_index == 1.5f && liquid.roughness == 0.5f);
    assert_true(liquid.ripples == 2.0f);
    rill_scene_destroy(&scene);
}

TEST(camera_keys_are_read_in_order)
{
    rill_scene *scene = parse_with(
        SMALL "[[view.camera]]\nposition = [1, 2, 3]\ntarget = [4, 5, 6]\n"
              "[[view.camera]]\ntime = 2.5\nposition = [-1e9, 0, 0.5]\ntarget = [-1e9, 0, 1]\n"
              "field_of_view = 150\n",
        NULL, 0);
    const rill_view view = rill_scene_view(scene);
    assert_int_equal(view.camera_count, 2);
    assert_true(view.camera[0].time == 0.0 && view.camera[0].field_of_view == 45.0);
    assert_place(view.camera[0].position, 1.0, 2.0, 3.0);
    assert_place(view.camera[0].target, 4.0, 5.0, 6.0);
    assert_true(view.camera[1].time == 2.5 && view.camera[1].field_of_view == 150.0);
    assert_place(view.camera[1].position, -1e9, 0.0, 0.5);
    assert_place(view.camera[1].target, -1e9, 0.0, 1.0); // straight up is fine
    rill_scene_destroy(&scene);
}

TEST(overrides_reach_the_view)
{
    static const char *const overrides[] = {"view.time_of_day=18", "view.liquid=coffee",
                                            "view.optics.foam_colour=[0, 0.5, 1]",
                                            "view.camera=[{position=[0, 0, 9], target=[1, 1, 0]}]"};
    rill_scene *scene = parse_with(SMALL "[view]\ntime_of_day = 3\nwind = 1\n", overrides, 4);
    const rill_view view = rill_scene_view(scene);
    assert_true(view.time_of_day == 18.0 && view.wind == 1.0);
    assert_string_equal(view.liquid.name, "coffee");
    assert_three(view.liquid.foam_colour, 0.0f, 0.5f, 1.0f);
    assert_int_equal(view.camera_count, 1);
    assert_place(view.camera[0].position, 0.0, 0.0, 9.0);
    rill_scene_destroy(&scene);
}

// ---- Mistakes --------------------------------------------------------------------------

typedef struct mistake {
    const char *text, *sentence;
} mistake;

static void refuse_all(const mistake *mistakes, size_t count)
{
    for (size_t n = 0; n < count; n++) {
        counter used = {0};
        const rill_host host = counting_host(&used);
        rill_scene *scene = NULL;
        const rill_status status = rill_scene_parse(
            "s.toml", mistakes[n].text, strlen(mistakes[n].text), NULL, NULL, 0, &host, &scene);
        assert_int_equal(status, RILL_BAD_SCENE);
        assert_string_equal(rill_last_error(), mistakes[n].sentence);
        assert_null(scene);
        assert_int_equal(used.bytes, 0);
    }
}

#define REFUSE_ALL(mistakes) refuse_all(mistakes, sizeof mistakes / sizeof mistakes[0])

TEST(mistakes_about_the_view_are_named)
{
    static const mistake mistakes[] = {
        {SMALL "[veiw]\n", "s.toml:6:2: unknown table 'veiw' at the top level; did you mean "
                           "'view'?"},
        {SMALL "view = 3\n",
         "s.toml:6:1: unknown key 'view' in [world]; the known keys are "
         "'cell_size', 'gravity', 'max_sources', 'max_step', 'max_substeps', 'nx', "
         "'ny', 'solver', 'wet_depth'"},
        {SMALL "[view]\ntime_of_dya = 3\n",
         "s.toml:7:1: unknown key 'time_of_dya' in [view]; did you mean 'time_of_day'?"},
        {SMALL "[view]\nliquid = 'bloood'\n",
         "s.toml:7:10: view.liquid is 'bloood', it must be one of 'clear', 'sea', 'silt', "
         "'blood', 'coffee', 'paint', 'water', 'milk', 'honey'; did you mean 'blood'?"},
        {SMALL "[view]\nliquid = 3\n", "s.toml:7:10: view.liquid must be a string, not an "
                                       "integer"},
        {SMALL "[view]\nground = 'lava'\n",
         "s.toml:7:10: view.ground is 'lava', it must be one of 'land', 'sand', 'concrete', "
         "'tissue', 'bone', 'wood', 'plaster', 'ceramic'"},
        {SMALL "[view]\nbackdrop = 'stage'\n",
         "s.toml:7:12: view.backdrop is 'stage', it must be one of 'sky', 'studio'"},
        {SMALL "[view]\nmeniscus = 2\n",
         "s.toml:7:12: view.meniscus is 2, it must be between 0 and 1"},
        {SMALL "[view]\nmeniscus = 1e-9\n",
         "s.toml:7:12: view.meniscus is 1e-09 m, it must be 0 or at least 1e-06"},
        {SMALL "[view]\ncontact_angle = -5\n",
         "s.toml:7:17: view.contact_angle is -5, it must be between 0 and 180"},
        {SMALL "[view]\nopaque_depth = -1\n",
         "s.toml:7:16: view.opaque_depth is -1, it must be between 0 and 1e+06"},
        {SMALL "[view]\ntime_of_day = 24.5\n",
         "s.toml:7:15: view.time_of_day is 24.5, it must be between 0 and 24"},
        {SMALL "[view]\nlatitude = 91\n",
         "s.toml:7:12: view.latitude is 91, it must be between -90 and 90"},
        {SMALL "[view]\nheading = 400\n",
         "s.toml:7:11: view.heading is 400, it must be between -360 and 360"},
        {SMALL "[view]\nclouds = 'some'\n",
         "s.toml:7:10: view.clouds must be a number, not a string"},
        {SMALL "[view]\nclouds = 1.5\n",
         "s.toml:7:10: view.clouds is 1.5, it must be between 0 and 1"},
        {SMALL "[view]\nvisibility = -1\n",
         "s.toml:7:14: view.visibility is -1, it must be between 0 and 1e+09"},
        {SMALL "[view]\nvisibility = 1e-300\n",
         "s.toml:7:14: view.visibility is 1e-300 m, it must be 0 or at least 1e-06"},
        {SMALL "[view]\nwind = nan\n", "s.toml:7:8: view.wind is nan, it must be a finite number"},
        {SMALL "[view]\nwind = 101\n", "s.toml:7:8: view.wind is 101, it must be between 0 and "
                                       "100"},
        {SMALL "[view]\nwind_direction = -361\n",
         "s.toml:7:18: view.wind_direction is -361, it must be between -360 and 360"},
        {SMALL "[view]\nripple_size = 2e6\n",
         "s.toml:7:15: view.ripple_size is 2e+06, it must be between 0 and 1e+06"},
        {SMALL "[view]\nexposure = 11\n",
         "s.toml:7:12: view.exposure is 11, it must be between -10 and 10"},
    };
    REFUSE_ALL(mistakes);
}

TEST(mistakes_about_optics_are_named)
{
    static const mistake mistakes[] = {
        {SMALL "[view]\noptics = 3\n", "s.toml:7:10: view.optics must be a table, not an integer"},
        {SMALL "[view.optics]\nabsorbtion = [1, 1, 1]\n",
         "s.toml:7:1: unknown key 'absorbtion' in [view.optics]; did you mean 'absorption'?"},
        {SMALL "[view.optics]\nabsorption = 3\n",
         "s.toml:7:14: view.optics.absorption must be an array of numbers, not an integer"},
        {SMALL "[view.optics]\nabsorption = [1, 2]\n",
         "s.toml:7:14: view.optics.absorption must have 3 numbers, it has 2"},
        {SMALL "[view.optics]\nscattering = [1, -2, 3]\n",
         "s.toml:7:18: view.optics.scattering[1] is -2, it must be between 0 and 1e+06"},
        {SMALL "[view.optics]\nrefractive_index = 0.5\n",
         "s.toml:7:20: view.optics.refractive_index is 0.5, it must be between 1 and 4"},
        {SMALL "[view.optics]\nroughness = 2\n",
         "s.toml:7:13: view.optics.roughness is 2, it must be between 0 and 1"},
        {SMALL "[view.optics]\nripples = 5\n",
         "s.toml:7:11: view.optics.ripples is 5, it must be between 0 and 4"},
        {SMALL "[view.optics]\nfoam = -1\n",
         "s.toml:7:8: view.optics.foam is -1, it must be between 0 and 1"},
        {SMALL "[view.optics]\nfoam_colour = [1, 1, 255]\n",
         "s.toml:7:22: view.optics.foam_colour[2] is 255, it must be between 0 and 1"},
    };
    REFUSE_ALL(mistakes);
}

// A camera on lines 6 to 8.
#define CAMERA "[[view.camera]]\nposition = [0, 0, 1]\ntarget = [1, 0, 0]\n"

TEST(mistakes_about_the_camera_are_named)
{
    static const mistake mistakes[] = {
        {SMALL "[view.camera]\n", "s.toml:6:1: view.camera must be an array of tables, not a "
                                  "table"},
        {SMALL "[[view.camera]]\ntarget = [1, 0, 0]\n",
         "s.toml:6:1: view.camera[0] needs the key 'position'"},
        {SMALL "[[view.camera]]\nposition = [1, 0, 0]\n",
         "s.toml:6:1: view.camera[0] needs the key 'target'"},
        {SMALL "[[view.camera]]\nposition = [1, 0]\n",
         "s.toml:7:12: view.camera[0].position must have 3 numbers, it has 2"},
        {SMALL "[[view.camera]]\nposition = [1, inf, 0]\n",
         "s.toml:7:16: view.camera[0].position[1] is inf, it must be a finite number"},
        {SMALL "[[view.camera]]\nposition = [1, 2, 3]\ntarget = [2e9, 0, 0]\n",
         "s.toml:8:11: view.camera[0].target[0] is 2e+09, it must be between -1e+09 and 1e+09"},
        {SMALL "[[view.camera]]\nposition = [1, 2, 3]\ntarget = [1, 2, 3]\n",
         "s.toml:8:10: view.camera[0].target is 0 m from the position, it must be at least 1e-09 m "
         "away"},
        {SMALL CAMERA "field_of_view = 180\n",
         "s.toml:9:17: view.camera[0].field_of_view is 180, it must be between 1 and 150"},
        {SMALL CAMERA "fov = 45\n", "s.toml:9:1: unknown key 'fov' in view.camera[0]; the known "
                                    "keys are 'field_of_view', 'position', 'target', 'time'"},
        {SMALL CAMERA "time = 'noon'\n",
         "s.toml:9:8: view.camera[0].time must be a number, not a string"},
        {SMALL CAMERA "time = 5\n" CAMERA "time = 4\n",
         "s.toml:13:8: view.camera[1].time is 4 s, it must be after that of the key before it, "
         "which is 5 s"},
        {SMALL CAMERA CAMERA, "s.toml:9:1: view.camera[1].time is 0 s, it must be after that of "
                              "the key before it, which is 0 s"},
    };
    REFUSE_ALL(mistakes);
}

TEST(mistakes_in_overrides_of_the_view_name_the_override)
{
    static const char *const override[] = {"view.time_of_day=25"};
    rill_scene *scene = NULL;
    assert_int_equal(
        rill_scene_parse("s.toml", SMALL, strlen(SMALL), NULL, override, 1, NULL, &scene),
        RILL_BAD_SCENE);
    assert_string_equal(rill_last_error(), "--set view.time_of_day=25: view.time_of_day is 25, it "
                                           "must be between 0 and 24");
}

TEST(running_out_of_memory_leaves_nothing_behind)
{
    static const char text[] = SMALL "[view.optics]\nfoam = 0\n" CAMERA;
    rill_status status = RILL_NO_MEMORY;
    int fail_at = 1;
    for (; status != RILL_OK; fail_at++) {
        counter used = {.fail_at = fail_at};
        const rill_host host = counting_host(&used);
        rill_scene *scene = NULL;
        status = rill_scene_parse("s.toml", text, strlen(text), NULL, NULL, 0, &host, &scene);
        assert_true(status == RILL_OK || status == RILL_NO_MEMORY);
        rill_scene_destroy(&scene);
        assert_int_equal(used.bytes, 0);
        assert_true(fail_at < 1000);
    }
    assert_true(fail_at > 5);
}
