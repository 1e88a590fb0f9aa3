// SPDX-License-Identifier: MIT
// test_scene_swe.c - scenes of the swe water: what their keys become, and the sentences about what
// they cannot be.
#include "tests/kit/kit.h"
#include "tests/kit/worlds.h"

#include "rill/rill.h"

#define SMALL "duration = 1\n[world]\nnx = 16\nny = 16\ncell_size = 1\n"
#define SWE   SMALL "solver = 'swe'\n"

static rill_world *world_of(const char *text)
{
    rill_scene *scene = NULL;
    rill_world *world = NULL;
    if (rill_scene_parse("s.toml", text, strlen(text), NULL, NULL, 0, NULL, &scene) != RILL_OK ||
        rill_scene_create_world(scene, 1, &world) != RILL_OK)
        fail_msg("%s", rill_last_error());
    rill_scene_destroy(&scene);
    return world;
}

static void refuse(const char *text, const char *sentence)
{
    rill_scene *scene = NULL;
    assert_int_equal(rill_scene_parse("s.toml", text, strlen(text), NULL, NULL, 0, NULL, &scene),
                     RILL_BAD_SCENE);
    assert_string_equal(rill_last_error(), sentence);
    assert_null(scene);
}

// Writes a file beside the scenes of these tests; returns its path.
static const char *series_file(const char *text)
{
    static const char *const path = RL_TEST_TMP "/scene_swe_tide.csv";
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    return path;
}

TEST(a_series_in_a_file_is_one_in_the_scene)
{
    static const char *const inlined =
        SWE "[water]\nlevel = 1\n[borders]\nwest = 'incident'\nwest_level = 1\n"
            "west_times = [0, 1]\nwest_waves = [0, 0.1]\nwest_velocities = [0.5, 0]\n";
    char in_file[512];
    snprintf(in_file, sizeof in_file,
             SWE "[water]\nlevel = 1\n[borders]\nwest = 'incident'\nwest_level = 1\n"
                 "west_file = '%s'\n",
             series_file("time,wave,velocity\n0,0,0.5\n1,0.1,0\n"));
    SCOPED(rill_world) *a = world_of(inlined), *b = world_of(in_file);
    run_world(a, 20, 0.05);
    run_world(b, 20, 0.05);
    assert_true(rill_world_hash(a) == rill_world_hash(b));
}

TEST(mistakes_about_files_of_series_are_named)
{
    static const struct {
        const char *file, *sentence;
    } cases[] = {
        {"time,wave\n0,1\n", "line 1: 'wave' is not a column that is read here; they are: time, "
                             "level"},
        {"time,level\n0,1e9\n", "row 1: level is 1e+09, it must be from -1e+06 to 1e+06"},
    };
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        const char *path = series_file(cases[n].file);
        char text[512], sentence[512];
        snprintf(text, sizeof text, SWE "[borders]\nwest = 'level'\nwest_file = '%s'\n", path);
        snprintf(sentence, sizeof sentence, "s.toml:9:13: west_file: %s: %s", path,
                 cases[n].sentence);
        refuse(text, sentence);
    }
    refuse(SWE "[borders]\nwest = 'level'\nwest_file = 'a'\nwest_times = [0]\n"
               "west_values = [0]\n",
           "s.toml:9:13: borders.west_file must not be given together with west_times");
    refuse(SWE "[borders]\nwest = 'wall'\nwest_file = 'a'\n",
           "s.toml:9:13: borders.west_file is for borders.west = \"level\" or \"inflow\" or "
           "\"absorb\" or \"incident\", that side is \"wall\"");
}

TEST(a_side_changes_its_kind_as_the_scene_says)
{
    SCOPED(rill_world) *w = world_of(
        SWE "[water]\nlevel = 1\n[borders]\nwest = 'wall'\nwest_changes = ["
            "{time = 0.5, kind = 'inflow', discharge = 2.0}, {time = 1.0, kind = 'wall'}]\n");
    run_world(w, 8, 1.0 / 16.0);
    assert_true(rill_world_ledger(w).sourced == 0.0);
    run_world(w, 24, 1.0 / 16.0);
    // 16 m of side, half a second, 2 m^2/s.
    assert_true(fabs(rill_world_ledger(w).sourced - 16.0) < 1e-3);
}

TEST(mistakes_about_changes_of_a_side_are_named)
{
    refuse(SWE "[borders]\nwest_changes = [{time = 1, kind = 'level'}]\n",
           "s.toml:8:17: borders.west_changes[0] needs the key 'level'");
    refuse(SWE "[borders]\nwest_changes = [{kind = 'wall'}]\n",
           "s.toml:8:17: borders.west_changes[0] needs the key 'time'");
    refuse(SWE "[borders]\nwest_changes = [{time = 1, kind = 'wal'}]\n",
           "s.toml:8:35: borders.west_changes[0].kind is 'wal', it must be one of 'wall', 'drain', "
           "'level', 'inflow', 'absorb', 'incident'; did you mean 'wall'?");
    refuse(SWE
           "[borders]\nwest_changes = [{time = 1, kind = 'wall'}, {time = 1, kind = 'drain'}]\n",
           "s.toml:8:52: borders.west_changes[1].time is 1, it must be after that of the change "
           "before");
    refuse(SMALL "[borders]\nwest_changes = [{time = 1, kind = 'inflow', discharge = 1}]\n",
           "s.toml:7:35: borders.west_changes[0].kind is \"inflow\", which is for world.solver = "
           "\"swe\"");
}

TEST(mistakes_about_borders_are_named)
{
    refuse(SMALL "[borders]\nwest = 'inflow'\nwest_discharge = 1\n",
           "s.toml:7:8: borders.west is \"inflow\", which is for world.solver = \"swe\"");
    refuse(SWE "[borders]\nwest = 'inflow'\n",
           "s.toml:7:1: [borders] needs the key 'west_discharge'");
    refuse(SWE "[borders]\nwest = 'absorb'\n", "s.toml:7:1: [borders] needs the key 'west_level'");
    refuse(SWE "[borders]\nwest = 'level'\nwest_level = 1\nwest_discharge = 1\n",
           "s.toml:10:18: borders.west_discharge is for borders.west = \"inflow\" or \"incident\", "
           "that side is "
           "\"level\"");
    refuse(SWE "[borders]\nwest = 'inflow'\nwest_times = [0, 1]\nwest_values = [1]\n",
           "s.toml:10:15: borders.west_values must have 2 numbers, it has 1");
    refuse(SWE "[borders]\nwest = 'level'\nwest_times = [0, 0]\nwest_values = [1, 2]\n",
           "s.toml:9:14: borders.west_times must rise, but number 2 is 0 s and the one before it 0 "
           "s");
    refuse(SWE "[borders]\nwest = 'level'\nwest_level = 0\nwest_values = [1]\n",
           "s.toml:10:15: borders.west_values needs west_times as well");
    refuse(SWE "[borders]\nwest = 'level'\nwest_level = 0\nwest_swell_height = 1\n",
           "s.toml:10:21: borders.west_swell_height needs west_swell_period as well");
    refuse(SWE "[borders]\nwest = 'absorb'\nwest_level = 0\nwest_swell_height = 1\n"
               "west_swell_period = 1\n",
           "s.toml:10:21: borders.west_swell_height is for borders.west = \"level\" or "
           "\"incident\", that side is "
           "\"absorb\"");
    refuse(SWE "[borders]\nwest = 'level'\nwest_level = 0\nwest_velocity = 1\n",
           "s.toml:10:17: borders.west_velocity is for borders.west = \"incident\", that side is "
           "\"level\"");
    refuse(SWE "[borders]\nwest = 'incident'\nwest_velocity = 1\n",
           "s.toml:7:1: [borders] needs the key 'west_level'");
    refuse(SWE "[borders]\nwest = 'incident'\nwest_level = 0\nwest_waves = [1]\n",
           "s.toml:10:14: borders.west_waves needs west_times as well");
    refuse(SWE "[borders]\nwest = 'incident'\nwest_level = 0\nwest_times = [0, 9]\n"
               "west_waves = [1]\n",
           "s.toml:11:14: borders.west_waves must have 2 numbers, it has 1");
}

TEST(mistakes_about_the_swe_water_are_named)
{
    refuse(SMALL "[swe]\nmanning = 0.03\n",
           "s.toml:7:11: swe.manning is for world.solver = \"swe\", this world has \"pipes\"");
    refuse(SWE "[swe]\nadvection = 'upwind'\n",
           "s.toml:8:13: swe.advection is 'upwind', it must be one of 'conservative', "
           "'maccormack'");
    refuse(SWE "[waves]\nsize = 100\n", "s.toml:8:8: waves.size is 100, it must be a power of two");
    refuse(SWE "[particles]\nradius = 1\n",
           "s.toml:7:1: [particles] needs the key 'max_particles'");
    refuse(SWE "[[emitter]]\nposition = [1, 1, 1]\nrate = 1\n",
           "s.toml:9:8: emitter[0].rate needs particles: [particles] with max_particles above 0");
    refuse(SWE "[particles]\nmax = 10\n[[emitter]]\nkind = 'rain'\nposition = [1, 1, 1]\nradius = "
               "1\nrate = 1\n",
           "s.toml:12:10: emitter[0].radius is for kind = \"jet\"");
    refuse(SWE "[particles]\nmax = 10\n[[emitter]]\nposition = [1, 1, 1]\nparticle = 'foam'\n",
           "s.toml:9:1: emitter[0] needs the key 'discs'");
    refuse(SWE "[particles]\nmax = 10\n[[emitter]]\nposition = [1, 1, 1]\nparticle = 'foam'\n"
               "discs = 5\nrate = 1\n",
           "s.toml:13:8: emitter[0].rate is of water, of which foam holds none; foam needs discs");
    refuse(SWE "[particles]\nmax = 10\n[[emitter]]\nposition = [1, 1, 1]\nrate = 1\ndiscs = 5\n",
           "s.toml:12:9: emitter[0].discs is for particle = \"foam\"");
    refuse(SWE "[[emitter]]\nposition = [1, 1, 1]\nparticle = 'foam'\ndiscs = 1\n",
           "s.toml:10:9: emitter[0].discs needs particles: [particles] with max_particles above 0");
    refuse(SWE "[waves]\nchop = 2.5\n",
           "s.toml:8:8: waves.chop is 2.5, it must be between 0 and 2");
    refuse(SWE "[[body]]\nposition = [1, 1, 1]\nsize = [1, 1, 1]\nthickness = 0.1\n",
           "s.toml:10:13: body[0].thickness is not for a body of this shape");
    refuse(SMALL "[[wall]]\nfrom = [1, 1]\nto = [2, 2]\n",
           "s.toml:7:8: wall[0].from is of a wall, which is for world.solver = \"swe\"");
}

TEST(mistakes_about_water_in_motion_are_named)
{
    refuse(SMALL "[water]\nvelocity = [1, 0]\n",
           "s.toml:7:12: water.velocity is for world.solver = \"swe\"");
    refuse(SWE "[water]\nvelocity = [1]\n",
           "s.toml:8:12: water.velocity must have 2 numbers, it has 1");
    refuse(SWE "[[water.hump]]\nx = 1\ny = 1\nheight = 1\n",
           "s.toml:7:1: water.hump[0] needs the key 'length'");
    refuse(SWE "[water]\nvelocity = [1, 0]\n[domain]\nnx = 8\nny = 8\ndischarge = 2\n",
           "s.toml:8:12: water.velocity must not be given together with domain.discharge");
    refuse(SWE "[domain]\nnx = 8\nny = 8\ndischarge = -2\n",
           "s.toml:10:13: domain.discharge is -2, it must be between 0 and 1e+09");
}

// Where the highest water stands, in cells from the west.
static int crest_of(rill_world *world)
{
    const rill_field_view depth = rill_world_depth(world);
    int crest = 0;
    for (int i = 0; i < depth.nx; i++)
        crest = depth.data[i] > depth.data[crest] ? i : crest;
    return crest;
}

// A hump is as high as it says, and all of it runs the way it says.
TEST(a_hump_runs_one_way)
{
    for (int way = 0; way < 2; way++) {
        char text[400];
        snprintf(text, sizeof text,
                 "duration = 1\n[world]\nnx = 128\nny = 4\ncell_size = 1\nsolver = 'swe'\n"
                 "[water]\nlevel = 1\n[[water.hump]]\nx = 64.5\ny = 0\nheight = 0.02\n"
                 "length = 8\ndirection = %d\n",
                 180 * way);
        SCOPED(rill_world) *world = world_of(text);
        assert_int_equal(crest_of(world), 64);
        assert_near((double)rill_world_depth(world).data[64], 1.02, 1e-6);
        run_world(world, 100, 0.08);
        const double run = 8.0 * sqrt(9.81);
        assert_near((double)(way == 0 ? crest_of(world) - 64 : 64 - crest_of(world)), run, 2.0);
        // What runs back is the half step between depths and velocities: a few hundredths.
        const int behind = way == 0 ? 20 : 108;
        for (int i = behind - 15; i < behind + 15; i++)
            assert_near((double)rill_world_depth(world).data[i], 1.0, 0.03 * 0.02);
    }
}

TEST(all_water_may_start_with_one_velocity)
{
    SCOPED(rill_world) *world = world_of(SWE "[water]\ndepth = 1\nvelocity = [0.5, -0.25]\n");
    const rill_columns c = rill_world_columns(world);
    const size_t middle = 8 * c.pitch + 8;
    assert_true(c.velocity_x[middle] == 0.5f && c.velocity_y[middle] == -0.25f);
}

// Writes a raster of that size with these values, from the north on.
#define FLOW(name) RL_TEST_TMP "/scene_flow_" name ".asc"
static void write_flow(const char *path, const char *size, const char *values)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "%s\nxllcorner 0\nyllcorner 0\ncellsize 1\n%s\n", size, values);
    assert_int_equal(fclose(file), 0);
}

#define FOUR       "duration = 1\n[world]\nnx = 4\nny = 4\ncell_size = 1\nsolver = 'swe'\n"
#define FOUR_CELLS "ncols 4\nnrows 4"

// Velocities differ across the flow only, so that faces and cells have the same.
TEST(velocities_at_the_start_come_from_files)
{
    write_flow(FLOW("x"), FOUR_CELLS, "0.5 0.5 0.5 0.5 0 0 0 0 -1 -1 -1 -1 2 2 2 2");
    write_flow(FLOW("y"), FOUR_CELLS, "0 0.25 -0.5 0 0 0.25 -0.5 0 0 0.25 -0.5 0 0 0.25 -0.5 0");
    SCOPED(rill_world) *both = world_of(FOUR "[water]\ndepth = 1\nvelocity_x_file = '" FLOW(
        "x") "'\nvelocity_y_file = '" FLOW("y") "'\n");
    SCOPED(rill_world) *one =
        world_of(FOUR "[water]\ndepth = 1\nvelocity_x_file = '" FLOW("x") "'\n");
    const rill_columns b = rill_world_columns(both), o = rill_world_columns(one);
    static const float x[4] = {2.0f, -1.0f, 0.0f, 0.5f}, y[4] = {0.0f, 0.25f, -0.5f, 0.0f};
    for (size_t j = 1; j < 3; j++)
        for (size_t i = 1; i < 3; i++) {
            assert_true(b.velocity_x[j * b.pitch + i] == x[j]);
            assert_true(b.velocity_y[j * b.pitch + i] == y[i]);
            assert_true(o.velocity_x[j * o.pitch + i] == x[j]);
            assert_true(o.velocity_y[j * o.pitch + i] == 0.0f);
        }
}

TEST(mistakes_about_files_of_velocities_are_named)
{
    write_flow(FLOW("tiny"), "ncols 2\nnrows 2", "1 2 3 4");
    write_flow(FLOW("fast"), FOUR_CELLS, "0 0 0 0 0 0 0 0 0 0 -2000 0 0 0 0 0");
    refuse(FOUR "[water]\nvelocity_x_file = '" FLOW("tiny") "'\n",
           "s.toml:8:19: water.velocity_x_file: '" FLOW(
               "tiny") "' has 2 x 2 cells, the ground has 4 x 4");
    refuse(FOUR "[water]\nvelocity_y_file = '" FLOW("fast") "'\n",
           "s.toml:8:19: water.velocity_y_file: '" FLOW(
               "fast") "' holds -2000 at cell (2, 1), it must be from -1000 to 1000");
    refuse(FOUR "[water]\nvelocity_y_file = 3\n",
           "s.toml:8:19: water.velocity_y_file must be a string, not an integer");
    refuse(FOUR "[water]\nvelocity = [1, 0]\nvelocity_x_file = 'a.asc'\n",
           "s.toml:9:19: water.velocity_x_file must not be given together with velocity");
    refuse(SMALL "[water]\nvelocity_x_file = 'a.asc'\n",
           "s.toml:7:19: water.velocity_x_file is for world.solver = \"swe\"");
}

TEST(mistakes_about_channels_are_named)
{
    refuse(SWE "[[terrain.shape]]\nkind = 'channel'\nwidth = 1\nbank = 1\npoints = [[1, 2, 3]]\n",
           "s.toml:11:10: terrain.shape[0].points must have between 2 and 64 points, it has 1");
    refuse(SWE "[[terrain.shape]]\nkind = 'channel'\nwidth = 1\nbank = 1\npoints = [[1, 2], [3, "
               "4, 5]]\n",
           "s.toml:11:11: terrain.shape[0].points[0] must be [x, y, z]");
}

static float bed_at(const rill_world *world, int i, int j)
{
    const rill_field_view bed = rill_world_bed(world);
    return bed.data[(size_t)j * bed.pitch + (size_t)i];
}

// A straight channel of width 4 along y = 8, its floor falling from 1 to 0, its banks rising by 1
// in 2; ground at 3.
TEST(a_channel_is_cut_where_its_line_runs)
{
    rill_world *world = world_of(
        SWE "[terrain]\nkind = 'flat'\nelevation = 3\n[[terrain.shape]]\nkind = 'channel'\nwidth = "
            "4\nbank = 0.5\npoints = [[0, 8, 1], [8, 8, 0.5], [16, 8, 0]]\n");
    for (int i = 0; i < 16; i++) {
        const float bottom = 1.0f - ((float)i + 0.5f) / 16.0f;
        assert_float_equal(bed_at(world, i, 8), bottom, 1e-5f);
        assert_float_equal(bed_at(world, i, 7), bottom, 1e-5f);
        assert_float_equal(bed_at(world, i, 11), bottom + 0.75f, 1e-5f);
        assert_float_equal(bed_at(world, i, 0), fminf(bottom + 2.75f, 3.0f), 1e-5f);
    }
    rill_world_destroy(&world);
}

TEST(a_cylinder_is_round)
{
    rill_world *world = world_of(SWE "[[terrain.shape]]\nkind = 'cylinder'\nx = 8\ny = 8\nradius = "
                                     "3\nheight = 2\n");
    assert_float_equal(bed_at(world, 8, 8), 2.0f, 0.0f);
    assert_float_equal(bed_at(world, 10, 8), 2.0f, 0.0f);
    assert_float_equal(bed_at(world, 10, 10), 0.0f, 0.0f); // 3.54 m from the middle
    assert_float_equal(bed_at(world, 11, 8), 0.0f, 0.0f);
    rill_world_destroy(&world);
}

// The discharge of a side follows its series: 0 to 2 m^2/s over 2 s, then constant. What has come
// in after 1 s over 16 m is 0.5 * 16 m^3, after 3 s (2 + 2) * 16.
TEST(an_inflow_follows_its_series)
{
    rill_world *world = world_of(SWE "[water]\nlevel = 1\n[borders]\nwest = 'inflow'\nwest_times = "
                                     "[0, 2]\nwest_values = [0, 2]\n");
    run_frames(world, 60);
    assert_float_equal(rill_world_ledger(world).sourced, 8.0, 1e-4);
    run_frames(world, 120);
    assert_float_equal(rill_world_ledger(world).sourced, 64.0, 1e-3);
    assert_true(rill_world_ledger(world).error < 1e-6);
    rill_world_destroy(&world);
}

// A swell of period 2 s at the border of a small basin lifts its water above the level at rest and
// lowers it below.
TEST(a_swell_moves_the_water_up_and_down)
{
    rill_world *world = world_of(SWE "[water]\nlevel = 1\n[borders]\nwest = 'level'\nwest_level = "
                                     "1\nwest_swell_height = 0.2\nwest_swell_period = 8\n");
    float low = 1.0f, high = 1.0f;
    for (int n = 0; n < 960; n++) {
        assert_int_equal(rill_world_step(world, 1.0 / 60.0), RILL_OK);
        const float depth = rill_world_depth(world).data[8];
        low = fminf(low, depth);
        high = fmaxf(high, depth);
    }
    assert_true(low < 0.93f && high > 1.07f);
    rill_world_destroy(&world);
}

// Water on one side of a wall between cells stays there.
TEST(a_wall_between_cells_holds_water_back)
{
    rill_world *world = world_of(SWE "[[water.block]]\nx0 = 0\ny0 = 0\nx1 = 8\ny1 = 16\nlevel = "
                                     "1\n[[wall]]\nfrom = [8, 0]\nto = [8, 16]\n");
    run_frames(world, 60);
    const rill_field_view depth = rill_world_depth(world);
    assert_float_equal(depth.data[8], 0.0f, 0.0f);
    assert_float_equal(depth.data[7], 1.0f, 0.0f);
    assert_int_equal(rill_world_set_wall(world, 8.0, 0.0, 8.0, 16.0, 0), RILL_OK);
    run_frames(world, 6);
    assert_true(rill_world_depth(world).data[8] > 0.0f);
    rill_world_destroy(&world);
}
