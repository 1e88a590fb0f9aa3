// SPDX-License-Identifier: MIT
// test_scene_mistakes.c - every kind of mistake in a scene: its exact sentence, and that nothing is
// left behind. Memory comes from an allocator that counts, and that can run dry.
#include "tests/kit/kit.h"

#include "rill/rill.h"

// ---- A host that counts ----------------------------------------------------------------

typedef struct tally {
    size_t used, most; // bytes
    long left;         // allocations until it runs dry; negative: never
} tally;

static void *count_allocate(void *user, size_t bytes, size_t alignment)
{
    tally *t = user;
    if (t->left == 0)
        return NULL;
    t->left -= t->left > 0;
    void *memory = aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (memory != NULL)
        t->used += bytes;
    t->most = t->used > t->most ? t->used : t->most;
    return memory;
}

static void count_release(void *user, void *memory, size_t bytes)
{
    tally *t = user;
    t->used -= bytes;
    free(memory);
}

static rill_host counting_host(tally *t)
{
    *t = (tally){.left = -1};
    return (rill_host){.allocator = {t, count_allocate, count_release}};
}

static void refuse(const char *text, const char *folder, const char *override, rill_status status,
                   const char *sentence)
{
    tally t;
    const rill_host host = counting_host(&t);
    rill_scene *scene = (rill_scene *)&t; // must become NULL
    const rill_status got = rill_scene_parse("s.toml", text, strlen(text), folder, &override,
                                             override != NULL, &host, &scene);
    if (got != status || strcmp(rill_last_error(), sentence) != 0)
        print_error("%s%s\n", text, override != NULL ? override : "");
    assert_string_equal(rill_last_error(), sentence);
    assert_int_equal(got, status);
    assert_null(scene);
    assert_int_equal(t.used, 0);
    assert_true(t.most < 1 << 20);
}

typedef struct mistake {
    const char *text, *sentence;
} mistake;

static void refuse_all(const mistake *mistakes, size_t count)
{
    for (size_t n = 0; n < count; n++)
        refuse(mistakes[n].text, NULL, NULL, RILL_BAD_SCENE, mistakes[n].sentence);
}

#define REFUSE_ALL(mistakes) refuse_all(mistakes, sizeof mistakes / sizeof mistakes[0])

// A small world on lines 1 to 5; what a test adds begins on line 6.
#define SMALL "duration = 1\n[world]\nnx = 8\nny = 8\ncell_size = 1\n"

// ---- Sentences -------------------------------------------------------------------------

TEST(mistakes_at_the_top_are_named)
{
    static const mistake mistakes[] = {
        {"", "s.toml: the top level needs the key 'duration'"},
        {"durration = 3\n", "s.toml:1:1: unknown key 'durration' at the top level; did you mean "
                            "'duration'?"},
        {"duration = 0\n", "s.toml:1:12: duration is 0, it must be positive"},
        {"duration = nan\n", "s.toml:1:12: duration is nan, it must be a finite number"},
        {"duration = 'long'\n", "s.toml:1:12: duration must be a number, not a string"},
        {"duration = 1\nframe = 1e-9\n", "s.toml:1:12: duration is 1 s, which is 1e+09 frames of "
                                         "1e-09 s; at most 1e+07 are possible"},
        {"duration = 1\nframe = 4000\n",
         "s.toml:2:9: frame is 4000, it must be positive and at most 3600"},
        {"duration = 1\nseed = -1\n", "s.toml:2:8: seed is -1, it must be at least 0"},
        {"duration = 1\ntitle = \"a\\nb\"\n", "s.toml:2:9: title must be a single line"},
        {SMALL "[ouput]\nevery = 1\n",
         "s.toml:6:2: unknown table 'ouput' at the top level; did you mean 'output'?"},
        {SMALL "[output\n",
         "s.toml:6:8: expected ']' after the name of a table, found the end of the line"},
    };
    REFUSE_ALL(mistakes);
}

TEST(mistakes_about_the_world_are_named)
{
    static const mistake mistakes[] = {
        {"duration = 1\n", "s.toml: [world] needs the key 'nx'"},
        {"duration = 1\n[world]\nnx = 8\nny = 8\ncel_size = 2\n",
         "s.toml:5:1: unknown key 'cel_size' in [world]; did you mean 'cell_size'?"},
        {SMALL "[[spring]]\nx = 1\ny = 1\nrat = 2\n",
         "s.toml:9:1: unknown key 'rat' in spring[0]; did you mean 'rate'?"},
        {"duration = 1\n[world]\nnx = 3\nny = 4\ncell_size = 1\n",
         "s.toml:3:6: world.nx is 3, it must be between 4 and 65536"},
        {"duration = 1\n[world]\nnx = 8\nny = 8\ncell_size = 0\n",
         "s.toml:5:13: world.cell_size is 0, it must be between 1e-06 and 1e+06"},
        {SMALL "gravty = 3\n",
         "s.toml:6:1: unknown key 'gravty' in [world]; did you mean 'gravity'?"},
        {SMALL "gravity = inf\n", "s.toml:6:11: world.gravity is inf, it must be a finite number"},
        {SMALL "solver = 'pipe'\n", "s.toml:6:10: world.solver is 'pipe', it must be one of "
                                    "'pipes', 'layers', 'swe', 'river'; did you mean "
                                    "'pipes'?"},
        {SMALL "max_substeps = 0\n",
         "s.toml:6:16: world.max_substeps is 0, it must be between 1 and 100000"},
        {SMALL "wet_depth = -1\n",
         "s.toml:6:13: world.wet_depth is -1, it must be positive and at most 1e+06"},
        {SMALL "max_sources = 0\n[[spring]]\nx = 1\ny = 1\nrate = 1\n",
         "s.toml:6:15: world.max_sources is 0, it must be at least 1, the number of springs and "
         "drains"},
        {SMALL "[pipes]\nfriction = 1\n",
         "s.toml:7:12: pipes.friction is 1, it must be between 0 and 0.999999"},
        {SMALL "[pipes]\nfricton = 0.5\n",
         "s.toml:7:1: unknown key 'fricton' in [pipes]; did you mean 'friction'?"},
        {SMALL "[pipes]\nsmoothing = 0.4\n",
         "s.toml:7:13: pipes.smoothing is 0.4, it must be between 0.5 and 1"},
        {SMALL "[pipes]\narea = 'dry'\n",
         "s.toml:7:8: pipes.area is 'dry', it must be one of 'wetted', 'paper'"},
    };
    REFUSE_ALL(mistakes);
}

// Also that nothing is allocated for them: refuse() allows a megabyte.
TEST(worlds_too_large_are_refused_before_memory_is_taken)
{
    static const mistake mistakes[] = {
        {"duration = 1\n[world]\nnx = 1000000000000\nny = 4\ncell_size = 1\n",
         "s.toml:3:6: world.nx is 1000000000000, it must be between 4 and 65536"},
        {"duration = 1\n[world]\nnx = 65536\nny = 65536\ncell_size = 1\n",
         "s.toml:3:6: world.nx is 65536 and world.ny is 65536: that is 4294967296 cells, there "
         "must be at most 1073741824"},
        // An unknown key is found before the ground is made.
        {"duration = 1\n[world]\nnx = 32768\nny = 32768\ncell_size = 1\ngravty = 1\n",
         "s.toml:6:1: unknown key 'gravty' in [world]; did you mean 'gravity'?"},
    };
    REFUSE_ALL(mistakes);
}

TEST(mistakes_about_the_ground_are_named)
{
    static const mistake mistakes[] = {
        {SMALL "[terrain]\nkind = 'falt'\n",
         "s.toml:7:8: terrain.kind is 'falt', it must be one of "
         "'flat', 'file', 'generate', 'solid', 'valley'; did you mean 'flat'?"},
        {SMALL "[terrain]\nrelief = 3\n",
         "s.toml:7:10: terrain.relief is for terrain.kind = \"generate\", this terrain is "
         "\"flat\""},
        {SMALL "[terrain]\nelevation = 2e6\n",
         "s.toml:7:13: terrain.elevation is 2e+06, it must be between -1e+06 and 1e+06"},
        {SMALL "[terrain]\nkind = 'generate'\noctaves = 17\n",
         "s.toml:8:11: terrain.octaves is 17, it must be between 1 and 16"},
        {SMALL "[terrain]\nkind = 'generate'\nrelief = 1e6\ntilt = 1\n",
         "s.toml:6:1: [terrain]: relief is 1e+06 m and the terrain 1.00001e+06 m high in all, it "
         "must be 0 to 1000000"},
        {SMALL "[terrain]\nquantum = -1\n",
         "s.toml:7:11: terrain.quantum is -1, it must be between 0 and 1e+06"},
        {SMALL "[terrain]\nkind = 'file'\nfile = 'x.asc'\n",
         "s.toml:3:6: world.nx must not be given: terrain.file says it"},
        {"duration = 1\n[terrain]\nkind = 'file'\n", "s.toml:2:1: [terrain] needs the key 'file'"},
        {"duration = 1\n[terrain]\nkind = 'file'\nfile = ''\n",
         "s.toml:4:8: terrain.file must not be empty"},
        {"duration = 1\n[terrain]\nkind = 'file'\nfile = 3\n",
         "s.toml:4:8: terrain.file must be a string, not an integer"},
        {"duration = 1\n[terrain]\nkind = 'file'\nfile = 'a'\nscale = 0\n",
         "s.toml:5:9: terrain.scale is 0, it must not be"},
    };
    REFUSE_ALL(mistakes);
}

TEST(mistakes_about_shapes_are_named)
{
    static const mistake mistakes[] = {
        {SMALL "[[terrain.shape]]\n", "s.toml:6:1: terrain.shape[0] needs the key 'kind'"},
        {SMALL "[[terrain.shape]]\nkind = 'hil'\n",
         "s.toml:7:8: terrain.shape[0].kind is 'hil', it must be one of 'hill', 'box', 'bowl', "
         "'slope', 'ripple', 'rough', 'set', 'cylinder', 'channel'; did you mean 'hill'?"},
        {SMALL "[[terrain.shape]]\nkind = 'hill'\nx = 1\ny = 1\nheight = 2\n",
         "s.toml:6:1: terrain.shape[0] needs the key 'radius'"},
        {SMALL "[[terrain.shape]]\nkind = 'hill'\nx = 1\ny = 1\nheight = 2\nradius = 0\n",
         "s.toml:11:10: terrain.shape[0].radius is 0, it must be between 1e-09 and 1e+09"},
        {SMALL "[[terrain.shape]]\nkind = 'box'\nx0 = 1\ny0 = 1\nx1 = 1\ny1 = 2\nheight = 2\n",
         "s.toml:10:6: terrain.shape[0].x1 is 1, it must be above x0, which is 1"},
        {SMALL "[[terrain.shape]]\nkind = 'set'\nx0 = 10\ny0 = 1\nx1 = 12\ny1 = 2\nelevation = 2\n",
         "s.toml:8:6: terrain.shape[0].x0 is 10: the box from (10, 1) to (12, 2) m holds no centre "
         "of a cell of the world, which is 8 x 8 m"},
        {SMALL "[[terrain.shape]]\nkind = 'rough'\namplitude = 1\nradius = 3\n",
         "s.toml:9:1: unknown key 'radius' in terrain.shape[0]; the known keys are 'amplitude', "
         "'kind'"},
        {SMALL "[[terrain.shape]]\nkind = 'bowl'\nx = 0\ny = 0\ndepth = 1e6\nradius = 1\n",
         "s.toml:6:3: the ground with all its shapes is at 1.5e+06 m in cell (1, 0), it must be "
         "from -1e6 to 1e6"},
    };
    REFUSE_ALL(mistakes);
}

TEST(mistakes_about_water_and_borders_are_named)
{
    static const mistake mistakes[] = {
        {SMALL "[water]\nlevel = nan\n",
         "s.toml:7:9: water.level is nan, it must be a finite number"},
        {SMALL "[water]\ndepth = -1\n",
         "s.toml:7:9: water.depth is -1, it must be between 0 and 1e+06"},
        {SMALL "[water]\ndepth_file = 3\n",
         "s.toml:7:14: water.depth_file must be a string, not an integer"},
        {SMALL "[water]\nevaporation = -1\n",
         "s.toml:7:15: water.evaporation is -1, it must be between 0 and 1"},
        {SMALL "[water]\nblock = 3\n",
         "s.toml:7:9: water.block must be an array of tables, not an integer"},
        {SMALL "[[water.block]]\nx0 = 0\ny0 = 0\nx1 = 2\ny1 = 2\n",
         "s.toml:6:1: water.block[0].level or depth must be given"},
        {SMALL "[[water.block]]\nx0 = 0\ny0 = 0\nx1 = 2\ny1 = 2\nlevel = 1\ndepth = 1\n",
         "s.toml:12:9: water.block[0].depth must not be given together with level"},
        {SMALL "[borders]\nwest = 'level'\n", "s.toml:6:1: [borders] needs the key 'west_level'"},
        {SMALL "[borders]\neast_level = 2\n",
         "s.toml:7:14: borders.east_level is for borders.east = \"level\" or \"absorb\" or "
         "\"incident\", that side "
         "is \"wall\""},
        {SMALL "[borders]\nnorth = 'sea'\n", "s.toml:7:9: borders.north is 'sea', it must be one "
                                             "of 'wall', 'drain', 'level', 'inflow', "
                                             "'absorb', "
                                             "'incident'"},
        {SMALL "[borders]\nwset = 'wall'\n",
         "s.toml:7:1: unknown key 'wset' in [borders]; did you mean 'west'?"},
    };
    REFUSE_ALL(mistakes);
}

TEST(mistakes_about_sources_are_named)
{
    static const mistake mistakes[] = {
        {SMALL "[[spring]]\nx = 9\ny = 1\nrate = 1\n",
         "s.toml:7:5: spring[0].x is 9, it must be between 0 and 8"},
        {SMALL "[[spring]]\nx = 1\ny = 1\n", "s.toml:6:1: spring[0] needs the key 'rate'"},
        {SMALL "[[spring]]\nx = 1\ny = 1\nrate = -1\n",
         "s.toml:9:8: spring[0].rate is -1, it must be positive and at most 1e+12"},
        {SMALL "[[drain]]\nx = 1\ny = 1\nrate = 1\nstart = 3\nend = 2\n",
         "s.toml:11:7: drain[0].end is 2 s, it must be after the start at 3 s"},
        {SMALL "[spring]\nx = 1\n", "s.toml:6:1: spring must be an array of tables, not a table"},
        {SMALL "[rain]\n", "s.toml:6:1: rain.rate or times must be given"},
        {SMALL "[rain]\nrate = 2\n", "s.toml:7:8: rain.rate is 2, it must be between 0 and 1"},
        {SMALL "[rain]\nrate = 0.1\ntimes = [1]\n",
         "s.toml:8:9: rain.times must not be given together with rate"},
        {SMALL "[rain]\ntimes = [1]\n",
         "s.toml:6:1: rain.rates or fields must be given, one for each time"},
        {SMALL "[rain]\nrates = [1]\n", "s.toml:7:9: rain.rates needs rain.times"},
        {SMALL "[rain]\ntimes = [0, 5, 5]\nrates = [0, 0, 0]\n",
         "s.toml:7:9: rain.times must rise, but number 3 is 5 s and the one before it 5 s"},
        {SMALL "[rain]\ntimes = [0, 5]\nrates = [0]\n",
         "s.toml:8:9: rain.rates must have 2 numbers, it has 1"},
        {SMALL "[rain]\ntimes = [0, 5]\nrates = [0, -1]\n",
         "s.toml:8:13: rain.rates[1] is -1, it must be between 0 and 1"},
        {SMALL "[rain]\ntimes = [0, 5]\nfields = ['a']\n",
         "s.toml:8:10: rain.fields must have 2 files, one for each time, it has 1"},
        {SMALL "[rain]\ntimes = [0]\nfields = [1]\n",
         "s.toml:8:11: rain.fields[0] must be a string, not an integer"},
        {SMALL "[rain]\ntimes = []\nrates = []\n",
         "s.toml:7:9: rain.times must have between 1 and 100000 numbers, it has 0"},
    };
    REFUSE_ALL(mistakes);
}

TEST(mistakes_about_output_are_named)
{
    static const mistake mistakes[] = {
        {SMALL "[output]\nevery = 0\n", "s.toml:7:9: output.every is 0, it must be positive"},
        {SMALL "[output]\nevery = 0.001\n",
         "s.toml:7:9: output.every is 0.001 s, it must be at least a frame, which is 0.0166667 s"},
        {SMALL "[output]\nkinds = ['map', 'pyl']\n",
         "s.toml:7:17: output.kinds[1] is 'pyl', it must "
         "be one of 'map', 'ply', 'gltf', 'geotiff'"},
        {SMALL "[output]\nkinds = 'map'\n",
         "s.toml:7:9: output.kinds must be an array of strings, not a string"},
        {SMALL "[output]\nlast = [3]\n",
         "s.toml:7:9: output.last[0] must be a string, not an integer"},
        {SMALL "[output]\nflow = 'arrow'\n",
         "s.toml:7:8: output.flow is 'arrow', it must be one of "
         "'none', 'arrows', 'lines'; did you mean 'arrows'?"},
        {SMALL "[output]\nmap_depth = -1\n",
         "s.toml:7:13: output.map_depth is -1, it must be between 0 and 1e+06"},
    };
    REFUSE_ALL(mistakes);
}

TEST(mistakes_in_overrides_name_the_override)
{
    refuse(SMALL, NULL, "world.nx=1000000000000", RILL_BAD_SCENE,
           "--set world.nx=1000000000000: world.nx is 1000000000000, it must be between 4 and "
           "65536");
    refuse(SMALL, NULL, "pipes.friction=2", RILL_BAD_SCENE,
           "--set pipes.friction=2: pipes.friction is 2, it must be between 0 and 0.999999");
    refuse(SMALL, NULL, "pipes.fricton=0.1", RILL_BAD_SCENE,
           "--set pipes.fricton=0.1: unknown key 'fricton' in [pipes]; did you mean 'friction'?");
    refuse(SMALL, NULL, "duration", RILL_BAD_SCENE,
           "--set duration: expected '=' after the key, found the end");
}

// ---- Files -----------------------------------------------------------------------------

static void write_file(const char *name, const char *text)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", RL_TEST_TMP, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

TEST(files_that_cannot_be_used_are_named_with_the_line_that_names_them)
{
    write_file("scene_bad.asc", "ncols 4\nnrows 4\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 x\n");
    write_file("scene_tiny.asc",
               "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3 4\n");
    write_file("scene_minus.asc", "ncols 4\nnrows 4\nxllcorner 0\nyllcorner 0\ncellsize 1\n"
                                  "0 0 0 0\n0 0 -2 0\n0 0 0 0\n0 0 0 0\n");
#define GROUND "duration = 1\n[terrain]\nkind = 'file'\nfile = "
#define FOUR   "duration = 1\n[world]\nnx = 4\nny = 4\ncell_size = 1\n"
    static const mistake mistakes[] = {
        {GROUND "'scene_none.asc'\n",
         "s.toml:4:8: terrain.file: " RL_TEST_TMP
         "/scene_none.asc: cannot be opened: No such file or directory"},
        {GROUND "'scene_bad.asc'\n",
         "s.toml:4:8: terrain.file: " RL_TEST_TMP "/scene_bad.asc: line 6: 'x' is not a number"},
        {GROUND "'scene_tiny.asc'\n", "s.toml:4:8: terrain.file: 'scene_tiny.asc' has 2 x 2 cells, "
                                      "each side must be at least 4"},
        {FOUR "[water]\ndepth_file = 'scene_tiny.asc'\n",
         "s.toml:7:14: water.depth_file: 'scene_tiny.asc' has 2 x 2 cells, the ground has 4 x 4"},
        {FOUR "[water]\ndepth_file = 'scene_minus.asc'\n",
         "s.toml:7:14: water.depth_file: 'scene_minus.asc' holds -2 at cell (2, 2), it must be "
         "from "
         "0 to 1e+06"},
        {FOUR "[rain]\ntimes = [0]\nfields = ['scene_minus.asc']\n",
         "s.toml:8:11: rain.fields[0]: 'scene_minus.asc' holds -2 at cell (2, 2), it must be from "
         "0 "
         "to 1"},
        {FOUR "[rain]\ntimes = [0]\nfields = ['scene_none.asc']\n",
         "s.toml:8:11: rain.fields[0]: " RL_TEST_TMP
         "/scene_none.asc: cannot be opened: No such file or directory"},
    };
    for (size_t n = 0; n < sizeof mistakes / sizeof mistakes[0]; n++)
        refuse(mistakes[n].text, RL_TEST_TMP, NULL, RILL_BAD_SCENE, mistakes[n].sentence);
}

static void refuse_name(const char *name, rill_status status, const char *sentence)
{
    tally t;
    const rill_host host = counting_host(&t);
    rill_scene *scene = NULL;
    assert_int_equal(rill_scene_open(name, NULL, 0, &host, &scene), status);
    assert_string_equal(rill_last_error(), sentence);
    assert_null(scene);
    assert_int_equal(t.used, 0);
}

TEST(names_that_are_no_scene_are_refused)
{
    refuse_name("sprin", RILL_BAD_FILE,
                "no scene 'sprin' is built in and no such file exists; did you mean 'spring'?");
    refuse_name("lakeatrest", RILL_BAD_FILE,
                "no scene 'lakeatrest' is built in and no such file exists; did you mean "
                "'lake-at-rest'?");
    char all[1024] = "no scene 'folder/ocean.toml' is built in and no such file exists";
    for (int n = 0; n < rill_builtin_scene_count(); n++) {
        strcat(all, n == 0 ? "; built in are '" : ", '");
        strcat(strcat(all, rill_builtin_scene_name(n)), "'");
    }
    refuse_name("folder/ocean.toml", RILL_BAD_FILE, all);
    refuse_name(RL_TEST_TMP, RILL_BAD_FILE, RL_TEST_TMP ": cannot read: Is a directory");
    write_file("scene_broken.toml", "duration = 1\nnonsense\n");
    refuse_name(RL_TEST_TMP "/scene_broken.toml", RILL_BAD_SCENE,
                RL_TEST_TMP "/scene_broken.toml:2:9: expected '=' after the key, found the end of "
                            "the line");
}

TEST(missing_arguments_are_refused)
{
    rill_scene *scene = NULL;
    rill_world *world = NULL;
    const char *const no_override[] = {NULL};
    assert_int_equal(rill_scene_open(NULL, NULL, 0, NULL, &scene), RILL_BAD_ARGUMENT);
    assert_int_equal(rill_scene_open("bowl", NULL, 0, NULL, NULL), RILL_BAD_ARGUMENT);
    assert_int_equal(rill_scene_open("bowl", NULL, 1, NULL, &scene), RILL_BAD_ARGUMENT);
    assert_int_equal(rill_scene_open("bowl", no_override, 1, NULL, &scene), RILL_BAD_ARGUMENT);
    assert_int_equal(rill_scene_parse("s", NULL, 5, NULL, NULL, 0, NULL, &scene),
                     RILL_BAD_ARGUMENT);
    assert_int_equal(rill_scene_create_world(NULL, 1, &world), RILL_BAD_ARGUMENT);
    assert_null(rill_scene_ground(NULL));
    assert_int_equal(rill_scene_describe(NULL).nx, 0);
    rill_scene_destroy(NULL);
    rill_scene_destroy(&scene);
}

// ---- Memory ----------------------------------------------------------------------------

// Whichever allocation fails, the status says so and everything taken before is given back.
TEST(running_out_of_memory_leaves_nothing_behind)
{
    static const char text[] =
        SMALL "[terrain]\nkind = 'generate'\n"
              "[[terrain.shape]]\nkind = 'rough'\namplitude = 0.1\n"
              "[[water.block]]\nx0 = 0\ny0 = 0\nx1 = 2\ny1 = 2\ndepth = 1\n"
              "[[spring]]\nx = 1\ny = 1\nrate = 1\n[[drain]]\nx = 2\ny = 2\nrate = 1\n"
              "[rain]\ntimes = [0, 1]\nrates = [0, 0.1]\n";
    long needed = 0;
    for (bool complete = false; !complete; needed++) {
        tally t;
        const rill_host host = counting_host(&t);
        t.left = needed;
        rill_scene *scene = NULL;
        rill_world *world = NULL;
        rill_status status =
            rill_scene_parse("s.toml", text, strlen(text), RL_TEST_TMP, NULL, 0, &host, &scene);
        if (status == RILL_OK)
            status = rill_scene_create_world(scene, 2, &world);
        assert_true(status == RILL_OK || status == RILL_NO_MEMORY);
        complete = status == RILL_OK;
        assert_true(complete == (world != NULL));
        rill_world_destroy(&world);
        rill_scene_destroy(&scene);
        assert_int_equal(t.used, 0);
        assert_true(needed < 1000);
    }
    assert_true(needed > 10);
}
