// SPDX-License-Identifier: MIT
// test_scene.c - scenes that are right: the built-in ones run and keep their books, shapes follow
// their formulas, and every table of a scene ends up in the world.
#include "tests/kit/kit.h"
#include "tests/kit/worlds.h"

#include "rill/rill.h"

// A small world on lines 1 to 5.
#define SMALL "duration = 1\n[world]\nnx = 8\nny = 8\ncell_size = 1\n"

static rill_scene *parse_with(const char *text, const char *const *overrides, int count)
{
    rill_scene *scene = NULL;
    if (rill_scene_parse("folder/s.toml", text, strlen(text), RL_TEST_TMP, overrides, count, NULL,
                         &scene) != RILL_OK)
        fail_msg("%s", rill_last_error());
    return scene;
}

static rill_scene *parse(const char *text)
{
    return parse_with(text, NULL, 0);
}

static rill_world *world_of(const rill_scene *scene)
{
    rill_world *world = NULL;
    if (rill_scene_create_world(scene, 1, &world) != RILL_OK)
        fail_msg("%s", rill_last_error());
    return world;
}

static rill_world *world_from(const char *text)
{
    rill_scene *scene = parse(text);
    rill_world *world = world_of(scene);
    rill_scene_destroy(&scene); // a world does not need its scene
    return world;
}

static double value_at(rill_field_view view, int i, int j)
{
    return (double)view.data[(size_t)j * view.pitch + (size_t)i];
}

static void run(rill_world *world, double seconds)
{
    run_world(world, 10, seconds / 10.0);
}

static void write_file(const char *name, const char *text)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", RL_TEST_TMP, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

// ---- Built-in scenes -------------------------------------------------------------------

TEST(built_in_scenes_are_listed_in_order_and_say_what_they_are)
{
    static const char *const names[] = {
        "beach",          "boat",         "bowl",           "boxdrop",
        "bridge",         "coffee",       "culvert",        "dam",
        "dambreak",       "film",         "flood",          "lake-at-rest",
        "ocean",          "passages",     "passages-cross", "pml",
        "raft",           "rain",         "river",          "river-dem",
        "river-obstacle", "sink",         "soft",           "spring",
        "surgery",        "three-layers", "tissue",         "valley",
        "vessels",        "viscosity-0",  "viscosity-4e-1", "viscosity-4e-5",
        "viscosity-4e-6", "vortices",     "waterfall"};
    const int count = (int)(sizeof names / sizeof names[0]);
    assert_int_equal(rill_builtin_scene_count(), count);
    for (int n = 0; n < count; n++)
        assert_string_equal(rill_builtin_scene_name(n), names[n]);
    assert_null(rill_builtin_scene_name(count));
    assert_null(rill_builtin_scene_name(-1));
    assert_null(rill_builtin_scene_description(count));
    assert_null(rill_builtin_scene_description(-1));
}

TEST(every_built_in_scene_has_a_view_runs_a_second_and_closes_its_ledger)
{
    for (int n = 0; n < rill_builtin_scene_count(); n++) {
        rill_scene *scene = NULL;
        const char *const override[] = {"view.exposure=1"};
        assert_ok(rill_scene_open(rill_builtin_scene_name(n), override, 1, NULL, &scene));
        assert_non_null(rill_scene_view(scene).liquid.name);
        assert_true(rill_scene_view(scene).exposure == 1.0);
        const rill_scene_info info = rill_scene_describe(scene);
        assert_string_equal(info.name, rill_builtin_scene_name(n));
        assert_string_equal(info.description, rill_builtin_scene_description(n));
        assert_true(strlen(info.title) > 3 && strlen(info.description) > 20);
        assert_true(strlen(info.description) < 100);
        assert_true(info.map_depth > 0.0);
        // A build without rigid bodies says so of the scenes that have some.
        rill_world *world = NULL;
        if (!rill_has_rigid_bodies() &&
            rill_scene_create_world(scene, 1, &world) == RILL_NO_BACKEND) {
            rill_scene_destroy(&scene);
            continue;
        }
        rill_world_destroy(&world);
        world = world_of(scene);
        for (int frame = 0; frame < TEST_PART((int)ceil(1.0 / info.frame)); frame++)
            assert_int_equal(rill_world_step(world, info.frame), RILL_OK);
        const rill_ledger ledger = rill_world_ledger(world);
        assert_true(ledger.initial + ledger.sourced > 0.0 || TEST_PARTS > 1);
        assert_true(ledger.error < 1e-6);
        // The papers' steps are too long for some of their scenes: there the cap is meant.
        if (strcmp(info.solver, "pipes") == 0)
            assert_int_equal(rill_world_last_step(world).capped, 0);
        rill_world_destroy(&world);
        rill_scene_destroy(&scene);
    }
}

TEST(the_lake_at_rest_does_not_move_at_all)
{
    rill_scene *scene = NULL;
    assert_int_equal(rill_scene_open("lake-at-rest", NULL, 0, NULL, &scene), RILL_OK);
    rill_world *world = world_of(scene), *start = world_of(scene);
    run_frames(world, 200);
    const rill_columns now = rill_world_columns(world);
    const rill_field_view depth = rill_world_depth(start), bed = rill_world_bed(start);
    int islands = 0;
    for (int j = 0; j < now.ny; j++)
        for (int i = 0; i < now.nx; i++) {
            const size_t c = (size_t)j * now.pitch + (size_t)i;
            assert_true(now.velocity_x[c] == 0.0f && now.velocity_y[c] == 0.0f);
            assert_true((double)now.depth[c] == value_at(depth, i, j));
            assert_true(fmod(value_at(bed, i, j) * 64.0, 1.0) == 0.0);
            islands += now.depth[c] == 0.0f;
        }
    assert_true(islands > 500 && islands < 8000);
    rill_world_destroy(&start);
    rill_world_destroy(&world);
    rill_scene_destroy(&scene);
}

// ---- The ground ------------------------------------------------------------------------

typedef double (*formula)(double x, double y);

static void check_ground(const char *text, formula expected)
{
    rill_scene *scene = parse(text);
    const rill_field_view view = rill_heightfield_view(rill_scene_ground(scene));
    for (int j = 0; j < 8; j++)
        for (int i = 0; i < 8; i++)
            assert_true(fabs(value_at(view, i, j) - expected(i + 0.5, j + 0.5)) < 2e-6);
    rill_scene_destroy(&scene);
}

static double hill(double x, double y)
{
    return 3.0 + 2.0 * exp(-((x - 3.0) * (x - 3.0) + (y - 5.0) * (y - 5.0)) / (2.0 * 1.5 * 1.5));
}

static double bowl(double x, double y)
{
    return 2.0 * (((x - 4.0) * (x - 4.0) + (y - 3.0) * (y - 3.0)) / 25.0 - 1.0);
}

static double slope(double x, double y)
{
    return 0.25 * x - 0.5 * y;
}

static double ripple(double x, double y)
{
    return 0.5 * sin(6.283185307179586 * x / 3.0) * sin(6.283185307179586 * y / 5.0);
}

static double box(double x, double y)
{
    return 1.0 + (x > 2.4 && x < 5.4 && y > 1.4 && y < 3.4 ? -0.5 : 0.0);
}

static double box_then_set(double x, double y)
{
    return y > 2.0 ? 4.0 : box(x, y);
}

TEST(shapes_follow_their_formulas)
{
    check_ground(SMALL "[terrain]\nelevation = 3\n[[terrain.shape]]\nkind = 'hill'\n"
                       "x = 3\ny = 5\nheight = 2\nradius = 1.5\n",
                 hill);
    check_ground(SMALL "[[terrain.shape]]\nkind = 'bowl'\nx = 4\ny = 3\ndepth = 2\nradius = 5\n",
                 bowl);
    check_ground(
        SMALL "[[terrain.shape]]\nkind = 'slope'\ndirection_x = 0.25\ndirection_y = -0.5\n", slope);
    check_ground(SMALL "[[terrain.shape]]\nkind = 'ripple'\namplitude = 0.5\n"
                       "wavelength_x = 3\nwavelength_y = 5\n",
                 ripple);
#define BOX \
    "[[terrain.shape]]\nkind = 'box'\nx0 = 2.4\ny0 = 1.4\nx1 = 5.4\ny1 = 3.4\nheight = -0.5\n"
#define SET "[[terrain.shape]]\nkind = 'set'\nx0 = -1\ny0 = 2\nx1 = 99\ny1 = 9\nelevation = 4\n"
    check_ground(SMALL "[terrain]\nelevation = 1\n" BOX, box);
    check_ground(SMALL "[terrain]\nelevation = 1\n" BOX SET, box_then_set);
}

TEST(rough_ground_comes_from_the_seed)
{
    const char *const text = SMALL "[[terrain.shape]]\nkind = 'rough'\namplitude = 0.25\n";
    const char *const seeds[] = {"seed=1", "seed=2"};
    rill_scene *plain = parse(text), *one = parse_with(text, &seeds[0], 1),
               *two = parse_with(text, &seeds[1], 1);
    const rill_field_view a = rill_heightfield_view(rill_scene_ground(plain));
    const rill_field_view b = rill_heightfield_view(rill_scene_ground(one));
    const rill_field_view c = rill_heightfield_view(rill_scene_ground(two));
    int same = 0, below = 0;
    for (int j = 0; j < 8; j++)
        for (int i = 0; i < 8; i++) {
            assert_true(fabs(value_at(a, i, j)) <= 0.25);
            assert_true(value_at(a, i, j) == value_at(b, i, j));
            same += value_at(a, i, j) == value_at(c, i, j);
            below += value_at(a, i, j) < 0.0;
        }
    assert_true(same < 3);
    assert_true(below > 16 && below < 48);
    rill_scene_destroy(&two);
    rill_scene_destroy(&one);
    rill_scene_destroy(&plain);
}

TEST(a_quantum_rounds_to_the_nearest_multiple)
{
    rill_scene *scene = parse(SMALL "[terrain]\nquantum = 0.25\n[[terrain.shape]]\nkind = 'slope'\n"
                                    "direction_x = 0.3\ndirection_y = 0\n");
    const rill_field_view view = rill_heightfield_view(rill_scene_ground(scene));
    static const double expected[8] = {0.25, 0.5, 0.75, 1.0, 1.25, 1.75, 2.0, 2.25};
    for (int i = 0; i < 8; i++)
        assert_true(value_at(view, i, 4) == expected[i]);
    rill_scene_destroy(&scene);
}

TEST(generated_ground_is_what_the_generator_makes)
{
    rill_scene *scene = parse(SMALL "[terrain]\nkind = 'generate'\nseed = 9\nrelief = 50\n"
                                    "feature_size = 5\noctaves = 3\nridges = 0.2\nvalleys = 0.4\n"
                                    "tilt = 0.1\n");
    rill_heightfield_generate_def def = rill_default_heightfield_generate_def();
    def.nx = def.ny = 8;
    def.cell_size = 1.0;
    def.seed = 9;
    def.relief = 50.0;
    def.feature_size = 5.0;
    def.octaves = 3;
    def.ridges = 0.2;
    def.valleys = 0.4;
    def.tilt = 0.1;
    rill_heightfield *made = NULL;
    assert_int_equal(rill_heightfield_generate(&def, &made), RILL_OK);
    const rill_field_view a = rill_heightfield_view(made);
    const rill_field_view b = rill_heightfield_view(rill_scene_ground(scene));
    for (int j = 0; j < 8; j++)
        for (int i = 0; i < 8; i++)
            assert_true(value_at(a, i, j) == value_at(b, i, j));
    rill_heightfield_destroy(&made);
    rill_scene_destroy(&scene);
}

// ---- Files -----------------------------------------------------------------------------

// Row 0 is the southern edge, a file's first row the northern one.
#define GRID                                                                       \
    "ncols 4\nnrows 4\nxllcorner 0\nyllcorner 0\ncellsize 2.5\n4 4 4 4\n3 3 3 3\n" \
    "2 2 2 2\n1 1 1 0\n"

TEST(files_are_looked_for_beside_the_scene)
{
    write_file("scene_ground.asc", GRID);
    write_file("scene_beside.toml", "duration = 2\n[terrain]\nkind = 'file'\n"
                                    "file = 'scene_ground.asc'\noffset = 10\nscale = 0.5\n");
    rill_scene *scene = NULL;
    if (rill_scene_open(RL_TEST_TMP "/scene_beside.toml", NULL, 0, NULL, &scene) != RILL_OK)
        fail_msg("%s", rill_last_error());
    const rill_scene_info info = rill_scene_describe(scene);
    assert_string_equal(info.name, "scene_beside");
    assert_string_equal(info.title, "scene_beside");
    assert_int_equal(info.nx, 4);
    assert_int_equal(info.ny, 4);
    assert_true(info.cell_size == 2.5);
    const rill_field_view view = rill_heightfield_view(rill_scene_ground(scene));
    assert_true(value_at(view, 0, 0) == 10.5 && value_at(view, 3, 0) == 10.0);
    assert_true(value_at(view, 0, 3) == 12.0);
    rill_scene_destroy(&scene);
}

// Whoever types an override stands in the current folder, not beside the scene.
TEST(a_file_of_an_override_is_looked_for_in_the_current_folder)
{
    write_file("scene_ground.asc", GRID);
    write_file("scene_beside.toml", "duration = 2\n[terrain]\nkind = 'file'\nfile = 'none.asc'\n");
    const char *const overrides[] = {"terrain.file=scene_ground.asc",
                                     "terrain.file=" RL_TEST_TMP "/scene_ground.asc"};
    rill_scene *scene = NULL;
    assert_int_equal(
        rill_scene_open(RL_TEST_TMP "/scene_beside.toml", &overrides[0], 1, NULL, &scene),
        RILL_BAD_SCENE);
    assert_string_equal(rill_last_error(), "--set terrain.file=scene_ground.asc: terrain.file: "
                                           "scene_ground.asc: cannot be opened: No such file or "
                                           "directory");
    assert_int_equal(
        rill_scene_open(RL_TEST_TMP "/scene_beside.toml", &overrides[1], 1, NULL, &scene), RILL_OK);
    rill_scene_destroy(&scene);
}

// ---- Water -----------------------------------------------------------------------------

TEST(of_all_water_in_a_cell_the_deepest_counts)
{
    write_file("scene_depth.asc", "ncols 4\nnrows 4\nxllcorner 0\nyllcorner 0\ncellsize 1\n"
                                  "0 0 0 0\n0 0 0 0\n0 0 0 0\n3 0 0 0\n");
    rill_world *world =
        world_from("duration = 1\n[world]\nnx = 4\nny = 4\ncell_size = 1\n"
                   "[[terrain.shape]]\nkind = 'slope'\ndirection_x = 1\ndirection_y = 0\n"
                   "[water]\nlevel = 1.75\ndepth = 0.5\ndepth_file = 'scene_depth.asc'\n"
                   "[[water.block]]\nx0 = 2\ny0 = 2\nx1 = 4\ny1 = 4\nlevel = 4.5\n"
                   "[[water.block]]\nx0 = 3\ny0 = 2\nx1 = 4\ny1 = 4\ndepth = 1.5\n");
    const rill_field_view depth = rill_world_depth(world);
    static const double south[4] = {3.0, 0.5, 0.5, 0.5}, north[4] = {1.25, 0.5, 2.0, 1.5};
    for (int i = 0; i < 4; i++) {
        assert_true(value_at(depth, i, 0) == south[i]);
        assert_true(value_at(depth, i, 3) == north[i]);
    }
    rill_world_destroy(&world);
}

TEST(borders_reach_the_world)
{
    rill_world *sea = world_from(SMALL "[borders]\nwest = 'level'\nwest_level = 1\n");
    rill_world *hole = world_from(SMALL "[water]\ndepth = 1\n[borders]\nnorth = 'drain'\n");
    rill_world *pool = world_from(SMALL "[water]\ndepth = 1\n");
    run(sea, 1.0);
    run(hole, 1.0);
    run(pool, 1.0);
    assert_true(rill_world_ledger(sea).sourced > 1.0);
    assert_true(value_at(rill_world_depth(sea), 0, 4) > value_at(rill_world_depth(sea), 7, 4));
    assert_true(rill_world_ledger(hole).drained > 1.0);
    assert_true(rill_world_ledger(pool).drained == 0.0);
    rill_world_destroy(&pool);
    rill_world_destroy(&hole);
    rill_world_destroy(&sea);
}

TEST(springs_and_drains_give_and_take_their_rates_in_their_time)
{
    rill_world *world =
        world_from(SMALL "[water]\ndepth = 1\n"
                         "[[spring]]\nx = 2\ny = 3\nrate = 0.5\nradius = 1.2\n"
                         "[[spring]]\nx = 8\ny = 8\nrate = 2\nstart = 1\nend = 1.5\n"
                         "[[drain]]\nx = 6\ny = 6\nrate = 0.25\n");
    run(world, 1.0);
    assert_true(fabs(rill_world_ledger(world).sourced - 0.5) < 1e-5);
    assert_true(fabs(rill_world_ledger(world).drained - 0.25) < 1e-5);
    run(world, 1.0);
    assert_true(fabs(rill_world_ledger(world).sourced - 2.0) < 1e-5);
    assert_true(fabs(rill_world_ledger(world).drained - 0.5) < 1e-5);
    rill_world_destroy(&world);
}

// 10 cells of 0.7 m are a little less than 7 m in single precision.
TEST(a_spring_on_the_far_edge_is_inside)
{
    rill_world *world = world_from("duration = 1\n[world]\nnx = 10\nny = 10\ncell_size = 0.7\n"
                                   "[[spring]]\nx = 7\ny = 7\nrate = 1\n");
    run(world, 1.0);
    assert_true(fabs(rill_world_ledger(world).sourced - 1.0) < 1e-5);
    rill_world_destroy(&world);
}

TEST(rain_and_evaporation_reach_the_world)
{
    // 64 m^2; the rate climbs from 0 to 0.1 m/s within two seconds, then stays.
    rill_world *storm = world_from(SMALL "[rain]\ntimes = [0, 2]\nrates = [0, 0.1]\n");
    rill_world *steady = world_from(SMALL "[rain]\nrate = 0.01\n");
    rill_world *heat = world_from(SMALL "[water]\ndepth = 1\nevaporation = 0.02\n");
    run(storm, 2.0);
    run(steady, 2.0);
    run(heat, 2.0);
    assert_true(fabs(rill_world_ledger(storm).sourced - 6.4) < 1e-4);
    assert_true(fabs(rill_world_ledger(steady).sourced - 1.28) < 1e-4);
    assert_true(fabs(rill_world_ledger(heat).drained - 2.56) < 1e-4);
    run(storm, 1.0);
    assert_true(fabs(rill_world_ledger(storm).sourced - 12.8) < 1e-4);
    rill_world_destroy(&heat);
    rill_world_destroy(&steady);
    rill_world_destroy(&storm);
}

TEST(fields_of_rain_fall_where_they_say)
{
    write_file("scene_dry.asc", "ncols 4\nnrows 4\nxllcorner 0\nyllcorner 0\ncellsize 1\n"
                                "0 0 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 0\n");
    write_file("scene_wet.asc", "ncols 4\nnrows 4\nxllcorner 0\nyllcorner 0\ncellsize 1\n"
                                "0 0 0 0.5\n0 0 0 0\n0 0 0 0\n0 0 0 0\n");
    rill_world *world = world_from("duration = 1\n[world]\nnx = 4\nny = 4\ncell_size = 1\n"
                                   "[rain]\ntimes = [0, 1]\n"
                                   "fields = ['scene_dry.asc', 'scene_wet.asc']\n");
    run(world, 1.0);
    assert_true(fabs(rill_world_ledger(world).sourced - 0.25) < 1e-5);
    assert_true(value_at(rill_world_depth(world), 3, 3) > value_at(rill_world_depth(world), 0, 0));
    rill_world_destroy(&world);
}

// ---- Settings --------------------------------------------------------------------------

TEST(what_a_scene_leaves_out_has_defaults)
{
    rill_scene *scene = parse(SMALL);
    const rill_scene_info info = rill_scene_describe(scene);
    assert_string_equal(info.name, "s");
    assert_string_equal(info.title, "s");
    assert_string_equal(info.description, "");
    assert_string_equal(info.solver, "pipes");
    assert_true(info.frame == 1.0 / 60.0 && info.output_every == 0.1);
    assert_int_equal(info.outputs, RILL_OUTPUT_MAP);
    assert_int_equal(info.outputs_last, 0);
    assert_int_equal(info.map_flow, RILL_MAP_FLOW_NONE);
    assert_true(info.map_depth == 0.0 && info.map_speed == 0.0);
    rill_world *world = world_of(scene);
    assert_true(rill_world_ledger(world).initial == 0.0);
    rill_world_destroy(&world);
    rill_scene_destroy(&scene);
}

TEST(settings_and_overrides_are_kept)
{
    const char *const overrides[] = {"output.flow=lines", "world.nx=16", "duration=4",
                                     "output.kinds=['ply', 'map']"};
    rill_scene *scene =
        parse_with(SMALL "[output]\nevery = 2\nkinds = ['geotiff']\nlast = ['gltf', 'geotiff']\n"
                         "flow = 'arrows'\nmap_depth = 3\nmap_speed = 2\n",
                   overrides, 4);
    const rill_scene_info info = rill_scene_describe(scene);
    assert_int_equal(info.nx, 16);
    assert_int_equal(info.ny, 8);
    assert_true(info.duration == 4.0 && info.output_every == 2.0);
    assert_int_equal(info.outputs, RILL_OUTPUT_MAP | RILL_OUTPUT_PLY);
    assert_int_equal(info.outputs_last, RILL_OUTPUT_GLTF | RILL_OUTPUT_GEOTIFF);
    assert_int_equal(info.map_flow, RILL_MAP_FLOW_LINES);
    assert_true(info.map_depth == 3.0 && info.map_speed == 2.0);
    rill_scene_destroy(&scene);
}

// Each setting must change what the water does: a key that is read and dropped would not.
TEST(every_setting_of_the_water_changes_it)
{
    static const char text[] = SMALL "[[water.block]]\nx0 = 0\ny0 = 0\nx1 = 4\ny1 = 8\ndepth = 1\n";
    static const char *const settings[] = {"world.gravity=5",     "world.max_substeps=1",
                                           "pipes.friction=0.5",  "pipes.viscosity=0.1",
                                           "pipes.smoothing=0.7", "pipes.area=paper"};
    rill_scene *plain = parse(text);
    rill_world *usual = world_of(plain);
    assert_int_equal(rill_world_step(usual, 1.0), RILL_OK);
    for (size_t n = 0; n < sizeof settings / sizeof settings[0]; n++) {
        rill_scene *scene = parse_with(text, &settings[n], 1);
        rill_world *world = world_of(scene);
        assert_int_equal(rill_world_step(world, 1.0), RILL_OK);
        if (rill_world_hash(world) == rill_world_hash(usual))
            fail_msg("%s changes nothing", settings[n]);
        rill_world_destroy(&world);
        rill_scene_destroy(&scene);
    }
    rill_world_destroy(&usual);
    rill_scene_destroy(&plain);
}

TEST(a_scene_makes_the_world_that_its_definition_makes)
{
    rill_world *read = world_from(SMALL "gravity = 5\nmax_substeps = 90\n"
                                        "[water]\ndepth = 1\nlevel = 2\n"
                                        "[borders]\neast = 'level'\neast_level = 3\n"
                                        "[pipes]\narea = 'paper'\nfriction = 0.25\n"
                                        "viscosity = 0.125\nsmoothing = 0.75\n");
    rill_world_def def = rill_default_world_def();
    def.nx = def.ny = 8;
    def.gravity = 5.0f;
    def.max_substeps = 90;
    def.level = 2.0f;
    def.use_level = 1;
    def.border[RILL_SIDE_EAST] = RILL_BORDER_LEVEL;
    def.border_level[RILL_SIDE_EAST] = 3.0f;
    def.pipes = (rill_pipes_def){
        .area = RILL_AREA_PAPER, .friction = 0.25f, .viscosity = 0.125f, .smoothing = 0.75f};
    rill_world *made = make_world(&def);
    run(read, 1.0);
    run(made, 1.0);
    assert_true(rill_world_hash(read) == rill_world_hash(made));
    rill_world_destroy(&made);
    rill_world_destroy(&read);
}
