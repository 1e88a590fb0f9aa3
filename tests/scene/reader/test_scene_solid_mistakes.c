// SPDX-License-Identifier: MIT
// test_scene_solid_mistakes.c - every kind of mistake in what a scene says about a solid ground,
// the layers water and sources that beat and move: its exact sentence, and that nothing is left
// behind.
#include "tests/kit/counting_host.h"
#include "tests/kit/kit.h"

#include "rill/rill.h"

static void refuse(const char *text, const char *sentence)
{
    counter count = {0};
    const rill_host host = counting_host(&count);
    rill_scene *scene = (rill_scene *)&count; // must become NULL
    const rill_status got =
        rill_scene_parse("s.toml", text, strlen(text), RL_TEST_TMP, NULL, 0, &host, &scene);
    if (got != RILL_BAD_SCENE || strcmp(rill_last_error(), sentence) != 0)
        print_error("%s\n", text);
    assert_string_equal(rill_last_error(), sentence);
    assert_int_equal(got, RILL_BAD_SCENE);
    assert_null(scene);
    assert_int_equal(count.bytes, 0);
}

typedef struct mistake {
    const char *text, *sentence;
} mistake;

#define REFUSE_ALL(mistakes)                                          \
    for (size_t n = 0; n < sizeof mistakes / sizeof mistakes[0]; n++) \
    refuse(mistakes[n].text, mistakes[n].sentence)

// A small world on lines 1 to 6; what a test adds begins on line 7.
#define WORLD  "duration = 1\n[world]\nnx = 8\nny = 8\ncell_size = 1\n"
#define LAYERS WORLD "solver = 'layers'\n"
// The same with a solid on lines 7 to 10; what a test adds begins on line 11.
#define SOLID LAYERS "[terrain]\nkind = 'solid'\nbottom = 0\ntop = 4\n"
#define PART  SOLID "[[terrain.part]]\n" // begins on line 12
#define MOVER SOLID "[[terrain.mover]]\n"
#define CUT   SOLID "[[terrain.cut]]\n"

TEST(mistakes_about_the_layers_water_are_named)
{
    static const mistake mistakes[] = {
        {WORLD "solver = 'layer'\n", "s.toml:6:10: world.solver is 'layer', it must be one of "
                                     "'pipes', 'layers', 'swe', 'river'; did you mean 'layers'?"},
        {WORLD "max_step = 0\n",
         "s.toml:6:12: world.max_step is 0, it must be positive and at most 3600"},
        {WORLD "max_step = 3601\n",
         "s.toml:6:12: world.max_step is 3601, it must be positive and at most 3600"},
        {WORLD "[layers]\nmax_layers = 3\n", "s.toml:7:14: layers.max_layers is for world.solver = "
                                             "\"layers\", this world has \"pipes\""},
        {WORLD "[layers]\non_more = 'widest'\n", "s.toml:7:11: layers.on_more is for world.solver "
                                                 "= \"layers\", this world has \"pipes\""},
        {WORLD "[layers]\npassages = 'none'\n", "s.toml:7:12: layers.passages is for world.solver "
                                                "= \"layers\", this world has \"pipes\""},
        {WORLD "[layers]\nslope_correction = true\n",
         "s.toml:7:20: layers.slope_correction is for world.solver = \"layers\", this world has "
         "\"pipes\""},
        {WORLD "[layers]\nmax_movers = 3\n", "s.toml:7:14: layers.max_movers is for world.solver = "
                                             "\"layers\", this world has \"pipes\""},
        {LAYERS "[layers]\nmax_layers = 0\n",
         "s.toml:8:14: layers.max_layers is 0, it must be between 1 and 64"},
        {LAYERS "[layers]\nmax_layers = 65\n",
         "s.toml:8:14: layers.max_layers is 65, it must be between 1 and 64"},
        {LAYERS "[layers]\non_more = 'drop'\n",
         "s.toml:8:11: layers.on_more is 'drop', it must be one of 'refuse', 'widest'"},
        {LAYERS "[layers]\npassages = 'all'\n",
         "s.toml:8:12: layers.passages is 'all', it must be one of 'unified', 'axis', 'none'"},
        {LAYERS "[layers]\nslope_correction = 1\n",
         "s.toml:8:20: layers.slope_correction must be true or false, not an integer"},
        {LAYERS "[layers]\nmax_movers = -1\n",
         "s.toml:8:14: layers.max_movers is -1, it must be between 0 and 10000"},
        {LAYERS "[layers]\nlayers = 3\n",
         "s.toml:8:1: unknown key 'layers' in [layers]; the known keys are "
         "'max_layers', 'max_movers', 'on_more', 'passages', 'slope_correction'"},
    };
    REFUSE_ALL(mistakes);
}

TEST(mistakes_about_the_grid_of_a_solid_are_named)
{
    static const mistake mistakes[] = {
        {WORLD "[terrain]\nkind = 'solid'\n",
         "s.toml:7:8: terrain.kind is \"solid\", which needs world.solver = \"layers\", it is "
         "\"pipes\""},
        {LAYERS "[terrain]\nkind = 'solid'\ntop = 1\n",
         "s.toml:7:1: [terrain] needs the key 'bottom'"},
        {LAYERS "[terrain]\nkind = 'solid'\nbottom = 1\n",
         "s.toml:7:1: [terrain] needs the key 'top'"},
        {LAYERS "[terrain]\nkind = 'solid'\nbottom = 1\ntop = 1\n",
         "s.toml:10:7: terrain.top is 1, it must be above bottom, which is 1"},
        {LAYERS "[terrain]\nkind = 'solid'\nbottom = -1e7\ntop = 1\n",
         "s.toml:9:10: terrain.bottom is -1e+07, it must be between -1e+06 and 1e+06"},
        {LAYERS "[terrain]\nbottom = 1\n",
         "s.toml:8:10: terrain.bottom is for terrain.kind = \"solid\", this terrain is \"flat\""},
        {LAYERS "[[terrain.part]]\nkind = 'plane'\n",
         "s.toml:7:1: terrain.part is for terrain.kind = \"solid\", this terrain is \"flat\""},
        {LAYERS "[[terrain.mover]]\nkind = 'sphere'\n",
         "s.toml:7:1: terrain.mover is for terrain.kind = \"solid\", this terrain is \"flat\""},
        {LAYERS "[[terrain.cut]]\nkind = 'sphere'\n",
         "s.toml:7:1: terrain.cut is for terrain.kind = \"solid\", this terrain is \"flat\""},
        {SOLID "elevation = 1\n", "s.toml:11:13: terrain.elevation is for terrain.kind = \"flat\", "
                                  "this terrain is \"solid\""},
        {SOLID "quantum = 1\n",
         "s.toml:11:11: terrain.quantum is for heightfields, this terrain is \"solid\""},
        {SOLID "[[terrain.shape]]\nkind = 'rough'\namplitude = 1\n",
         "s.toml:11:1: terrain.shape is for heightfields, this terrain is \"solid\""},
    };
    REFUSE_ALL(mistakes);
}

TEST(mistakes_about_the_shape_of_a_part_are_named)
{
    static const mistake mistakes[] = {
        {PART "radius = 1\n", "s.toml:11:1: terrain.part[0] needs the key 'kind'"},
        {PART "kind = 'ball'\n",
         "s.toml:12:8: terrain.part[0].kind is 'ball', it must be one of 'box', 'sphere', "
         "'capsule', 'cylinder', 'cone', 'torus', 'plane', 'heights', 'mesh', 'field'"},
        {PART "kind = 'box'\n", "s.toml:11:1: terrain.part[0] needs the key 'size'"},
        {PART "kind = 'box'\nsize = [1, 2]\n",
         "s.toml:13:8: terrain.part[0].size must have 3 numbers, it has 2"},
        {PART "kind = 'box'\nsize = [1, 2, 0]\n",
         "s.toml:13:15: terrain.part[0].size[2] is 0, it must be between 1e-09 and 1e+09"},
        {PART "kind = 'box'\nsize = [1, 2, 1]\nrounding = 0.6\n",
         "s.toml:11:1: terrain.part[0]: the rounding of a shape is 0.6 m, it must be from 0 to "
         "0.5"},
        {PART "kind = 'box'\nsize = [1, 2, 1]\nradius = 1\n",
         "s.toml:14:10: terrain.part[0].radius does not belong to kind = \"box\""},
        {PART "kind = 'sphere'\n", "s.toml:11:1: terrain.part[0] needs the key 'radius'"},
        {PART "kind = 'sphere'\nradius = 0\n",
         "s.toml:11:1: terrain.part[0]: the radius of a shape is 0 m, it must be above 0 and at "
         "most 1e+09"},
        {PART "kind = 'sphere'\nradius = 1\nrounding = 0.1\n",
         "s.toml:14:12: terrain.part[0].rounding does not belong to kind = \"sphere\""},
        {PART "kind = 'sphere'\nradius = 1\nfile = 'x'\n",
         "s.toml:14:8: terrain.part[0].file does not belong to kind = \"sphere\""},
        {PART "kind = 'capsule'\nradius = 1\n",
         "s.toml:11:1: terrain.part[0] needs the key 'length'"},
        {PART "kind = 'cylinder'\nradius = 1\nlength = -1\n",
         "s.toml:14:10: terrain.part[0].length is -1, it must be between 1e-09 and 1e+09"},
        {PART "kind = 'cone'\nradius = 1\nlength = 1\n",
         "s.toml:11:1: terrain.part[0] needs the key 'radius_top'"},
        {PART "kind = 'torus'\nradius = 1\n", "s.toml:11:1: terrain.part[0] needs the key 'tube'"},
        {PART "kind = 'torus'\nradius = 1\ntube = 2\n",
         "s.toml:11:1: terrain.part[0]: the tube of a torus is 2 m, more than its radius 1"},
        {PART "kind = 'plane'\nsize = [1, 1, 1]\n",
         "s.toml:13:8: terrain.part[0].size does not belong to kind = \"plane\""},
        {PART "kind = 'plane'\nunit = 1\n",
         "s.toml:13:8: terrain.part[0].unit does not belong to kind = \"plane\""},
        {PART "kind = 'plane'\nfolded = true\n",
         "s.toml:13:1: unknown key 'folded' in terrain.part[0]; the known keys are 'blend', "
         "'combine', 'kind', 'position', 'repeat', 'rotate', 'scale'"},
    };
    REFUSE_ALL(mistakes);
}

TEST(mistakes_about_the_place_of_a_part_are_named)
{
#define ROD PART "kind = 'capsule'\nradius = 1\n" // begins on line 14
    static const mistake mistakes[] = {
        {PART "kind = 'plane'\nposition = [1, 2]\n",
         "s.toml:13:12: terrain.part[0].position must have 3 numbers, it has 2"},
        {PART "kind = 'plane'\nposition = [1, 2, 2e9]\n",
         "s.toml:13:19: terrain.part[0].position[2] is 2e+09, it must be between -1e+09 and 1e+09"},
        {PART "kind = 'plane'\nrotate = [1, 2, 400]\n",
         "s.toml:13:17: terrain.part[0].rotate[2] is 400, it must be between -360 and 360"},
        {PART "kind = 'plane'\nscale = 0\n",
         "s.toml:13:9: terrain.part[0].scale is 0, it must be between 1e-09 and 1e+09"},
        {ROD "from = [0, 0, 0]\n", "s.toml:11:1: terrain.part[0] needs the key 'to'"},
        {ROD "to = [0, 0, 0]\n", "s.toml:11:1: terrain.part[0] needs the key 'from'"},
        {ROD "from = [0, 0, 0]\nto = [0, 0, 0]\n",
         "s.toml:15:6: terrain.part[0].to is the same place as from"},
        {ROD "from = [0, 0, 0]\nto = [0, 0, 1]\nlength = 1\n",
         "s.toml:16:10: terrain.part[0].length must not be given together with from and to"},
        {ROD "from = [0, 0, 0]\nto = [0, 0, 1]\nposition = [1, 1, 1]\n",
         "s.toml:16:12: terrain.part[0].position must not be given together with from and to"},
        {ROD "from = [0, 0, 0]\nto = [0, 0, 1]\nrotate = [1, 1, 1]\n",
         "s.toml:16:10: terrain.part[0].rotate must not be given together with from and to"},
        {ROD "from = [0, 0, 0]\nto = [0, 0, 1]\nscale = 2\n",
         "s.toml:16:9: terrain.part[0].scale must not be given together with from and to"},
        {PART "kind = 'sphere'\nradius = 1\nfrom = [0, 0, 0]\nto = [0, 0, 1]\n",
         "s.toml:14:8: terrain.part[0].from does not belong to kind = \"sphere\""},
    };
    REFUSE_ALL(mistakes);
}

TEST(mistakes_about_combining_and_repeating_are_named)
{
    static const mistake mistakes[] = {
        {PART "kind = 'plane'\ncombine = 'add'\n",
         "s.toml:13:11: terrain.part[0].combine is 'add', it must be one of 'union', 'subtract', "
         "'intersect', 'smooth_union'"},
        {PART "kind = 'plane'\ncombine = 'smooth_union'\n",
         "s.toml:11:1: terrain.part[0] needs the key 'blend'"},
        {PART "kind = 'plane'\ncombine = 'smooth_union'\nblend = 0\n",
         "s.toml:14:9: terrain.part[0].blend is 0, it must be between 1e-09 and 1e+09"},
        {PART "kind = 'plane'\nblend = 1\n",
         "s.toml:13:9: terrain.part[0].blend is for combine = \"smooth_union\", this is "
         "\"union\""},
        {PART "kind = 'plane'\nrepeat = {count = [1, 2, 3]}\n",
         "s.toml:13:10: [terrain.part[0].repeat] needs the key 'step'"},
        {PART "kind = 'plane'\nrepeat = {step = [1, 2, 3]}\n",
         "s.toml:13:10: [terrain.part[0].repeat] needs the key 'count'"},
        {PART "kind = 'plane'\nrepeat = {count = [1, 2, 0], step = [1, 1, 1]}\n",
         "s.toml:13:26: terrain.part[0].repeat.count[2] is 0, it must be between 1 and 10000"},
        {PART "kind = 'plane'\nrepeat = {count = [1, 2.5, 1], step = [1, 1, 1]}\n",
         "s.toml:13:19: terrain.part[0].repeat.count must be three whole numbers, one is 2.5"},
        {PART "kind = 'plane'\nrepeat = {count = [100, 100, 2], step = [1, 1, 1]}\n",
         "s.toml:13:10: terrain.part[0].repeat brings the parts to 20000, there must be at most "
         "10000"},
        {PART "kind = 'plane'\nrepeat = 3\n",
         "s.toml:13:10: terrain.part[0].repeat must be a table, not an integer"},
        {PART "kind = 'plane'\nrepeat = {count = [1, 1, 1], step = [1, 1, 1], gap = 1}\n",
         "s.toml:13:48: unknown key 'gap' in [terrain.part[0].repeat]; the known keys are 'count', "
         "'step'"},
    };
    REFUSE_ALL(mistakes);
}

TEST(mistakes_about_drawn_triangles_are_named)
{
    static const mistake mistakes[] = {
        {SOLID "[terrain.drawn]\n", "s.toml:11:1: [terrain.drawn] needs the key 'file'"},
        {SOLID "[terrain.drawn]\nfile = 'a.obj'\nunit = 0\n",
         "s.toml:13:8: terrain.drawn.unit is 0, it must be between 1e-09 and 1e+09"},
        {SOLID "[terrain.drawn]\nfile = 'a.obj'\n[[terrain.cut]]\nkind = 'sphere'\nradius = 1\n"
               "time = 1\n",
         "s.toml:13:1: terrain.cut changes the ground, which terrain.drawn would not show"},
        {LAYERS "[terrain]\nkind = 'flat'\n[terrain.drawn]\nfile = 'a.obj'\n",
         "s.toml:9:1: terrain.drawn is for terrain.kind = \"solid\", this terrain is \"flat\""},
    };
    REFUSE_ALL(mistakes);
}

TEST(mistakes_about_heights_and_meshes_are_named)
{
#define HEIGHTS PART "kind = 'heights'\n" // begins on line 13
    static const mistake mistakes[] = {
        {HEIGHTS, "s.toml:11:1: terrain.part[0].file or relief must be given"},
        {HEIGHTS "file = 'a.png'\nrelief = {amplitude = 1, feature_size = 1}\n",
         "s.toml:13:8: terrain.part[0].file must not be given together with relief"},
        {HEIGHTS "factor = 2\nrelief = {amplitude = 1, feature_size = 1}\n",
         "s.toml:13:10: terrain.part[0].factor must not be given together with relief"},
        {HEIGHTS "file = 'a.png'\nfactor = 0\n",
         "s.toml:14:10: terrain.part[0].factor is 0, it must not be"},
        {HEIGHTS "file = 'a.png'\noffset = 1e7\n",
         "s.toml:14:10: terrain.part[0].offset is 1e+07, it must be between -1e+06 and 1e+06"},
        {HEIGHTS "file = 'a.png'\ncell_size = 0\n",
         "s.toml:14:13: terrain.part[0].cell_size is 0, it must be between 1e-09 and 1e+06"},
        {HEIGHTS "file = 'a.png'\nno_data = 'zero'\n",
         "s.toml:14:11: terrain.part[0].no_data is 'zero', it must be one of 'refuse', 'fill'"},
        {HEIGHTS "file = 3\n", "s.toml:13:8: terrain.part[0].file must be a string, not an "
                               "integer"},
        {HEIGHTS "file = ''\n", "s.toml:13:8: terrain.part[0].file must not be empty"},
        {HEIGHTS "relief = {feature_size = 1}\n",
         "s.toml:13:10: [terrain.part[0].relief] needs the key 'amplitude'"},
        {HEIGHTS "relief = {amplitude = 1}\n",
         "s.toml:13:10: [terrain.part[0].relief] needs the key 'feature_size'"},
        {HEIGHTS "relief = {amplitude = -1, feature_size = 1}\n",
         "s.toml:13:23: terrain.part[0].relief.amplitude is -1, it must be between 0 and 1e+06"},
        {HEIGHTS "relief = {amplitude = 1, feature_size = 1, octaves = 17}\n",
         "s.toml:13:54: terrain.part[0].relief.octaves is 17, it must be between 1 and 16"},
        {HEIGHTS "relief = {amplitude = 1, feature_size = 1, tilt = 1}\n",
         "s.toml:13:51: terrain.part[0].relief.tilt must be an array of numbers, not an integer"},
        {PART "kind = 'field'\n", "s.toml:11:1: terrain.part[0] needs the key 'file'"},
        {PART "kind = 'field'\nfile = 'a.nrrd'\nfactor = 0\n",
         "s.toml:14:10: terrain.part[0].factor is 0, it must not be"},
        {PART "kind = 'field'\nfile = 'a.nrrd'\nlevel = 1e31\n",
         "s.toml:14:9: terrain.part[0].level is 1e+31, it must be between -1e+30 and 1e+30"},
        {PART "kind = 'field'\nfile = 'a'\nraw = {spacing = [1, 1, 1], type = 'int8'}\n",
         "s.toml:14:7: [terrain.part[0].raw] needs the key 'size'"},
        {PART "kind = 'field'\nfile = 'a'\nraw = {size = [2, 2, 1], spacing = [1, 1, 1], type = "
              "'int8'}\n",
         "s.toml:14:22: terrain.part[0].raw.size[2] is 1, it must be between 2 and 1073741824"},
        {PART "kind = 'field'\nfile = 'a'\nraw = {size = [2, 2, 2.5], spacing = [1, 1, 1], type = "
              "'int8'}\n",
         "s.toml:14:15: terrain.part[0].raw.size must be three whole numbers, one is 2.5"},
        {PART "kind = 'field'\nfile = 'a'\nraw = {size = [2, 2, 2], spacing = [1, 0, 1], type = "
              "'int8'}\n",
         "s.toml:14:40: terrain.part[0].raw.spacing[1] is 0, it must be between 1e-09 and 1e+09"},
        {PART "kind = 'mesh'\nfile = 'a'\nlevel = 1\n",
         "s.toml:14:9: terrain.part[0].level does not belong to kind = \"mesh\""},
        {PART "kind = 'mesh'\n", "s.toml:11:1: terrain.part[0].file or ellipsoid must be given"},
        {PART "kind = 'mesh'\nellipsoid = [1, 1]\n",
         "s.toml:13:13: terrain.part[0].ellipsoid must have 3 numbers, it has 2"},
        {PART "kind = 'mesh'\nellipsoid = [1, 1, 1]\nfile = 'a.obj'\n",
         "s.toml:14:8: terrain.part[0].file must not be given together with ellipsoid"},
        {PART "kind = 'mesh'\nellipsoid = [1, 1, 1]\nparts = 0\n",
         "s.toml:14:9: terrain.part[0].parts is 0, it must be between 1 and 2048"},
        {PART "kind = 'mesh'\nfile = 'a.obj'\nparts = 4\n",
         "s.toml:14:9: terrain.part[0].parts is for ellipsoid, which is not given"},
        {PART "kind = 'mesh'\nfile = 'a.obj'\nunit = 0\n",
         "s.toml:14:8: terrain.part[0].unit is 0, it must be between 1e-09 and 1e+09"},
        {PART "kind = 'mesh'\nfile = 'a.obj'\noffset = 0\n",
         "s.toml:14:10: terrain.part[0].offset does not belong to kind = \"mesh\""},
    };
    REFUSE_ALL(mistakes);
}

TEST(a_file_of_a_part_that_is_not_there_is_named)
{
    char sentence[1024];
    snprintf(sentence, sizeof sentence,
             "s.toml:13:8: terrain.part[0].file: %s/absent.png: cannot be opened: No such file or "
             "directory",
             RL_TEST_TMP);
    refuse(PART "kind = 'heights'\nfile = 'absent.png'\n", sentence);
    counter count = {0};
    const rill_host host = counting_host(&count);
    rill_scene *scene = NULL;
    const char *text = PART "kind = 'mesh'\nfile = 'absent.obj'\n";
    assert_int_equal(
        rill_scene_parse("s.toml", text, strlen(text), RL_TEST_TMP, NULL, 0, &host, &scene),
        RILL_BAD_SCENE);
    assert_sentence_has("s.toml:13:8: terrain.part[0].file: ");
    assert_sentence_has("absent.obj");
    assert_int_equal(count.bytes, 0);
}

TEST(mistakes_about_movers_are_named)
{
#define BALL MOVER "kind = 'sphere'\nradius = 1\n" // begins on line 14
#define MESH MOVER "kind = 'mesh'\nellipsoid = [1, 1, 1]\npath = [[0, 1, 1, 1]]\n"
    static const mistake mistakes[] = {
        {BALL, "s.toml:11:1: terrain.mover[0] needs the key 'path'"},
        {BALL "path = 3\n",
         "s.toml:14:8: terrain.mover[0].path must be an array of moments, not an integer"},
        {BALL "path = []\n",
         "s.toml:14:8: terrain.mover[0].path must have between 1 and 16 moments, it has 0"},
        {BALL "path = [[0, 1, 1]]\n",
         "s.toml:14:9: terrain.mover[0].path[0] must be [time, x, y, z]"},
        {BALL "path = [[0, 1, 1, 1], 5]\n",
         "s.toml:14:23: terrain.mover[0].path[1] must be [time, x, y, z]"},
        {BALL "path = [[0, 1, 'a', 1]]\n",
         "s.toml:14:16: terrain.mover[0].path[0] must hold numbers, not a string"},
        {BALL "path = [[0, 1, inf, 1]]\n",
         "s.toml:14:16: terrain.mover[0].path[0] holds inf, it must be between -1e+09 and 1e+09"},
        {BALL "path = [[0, 1, 1, 1], [0, 2, 1, 1]]\n",
         "s.toml:14:23: terrain.mover[0].path[1] is at 0 s, it must be after the one before it at "
         "0 s"},
        {BALL "path = [[0, 1, 1, 1]]\nposition = [1, 1, 1]\n",
         "s.toml:15:12: terrain.mover[0].position must not be given: path says where the mover "
         "is"},
        {MOVER "kind = 'capsule'\nradius = 1\npath = [[0, 1, 1, 1]]\nfrom = [1, 1, 1]\n",
         "s.toml:15:8: terrain.mover[0].from must not be given: path says where the mover is"},
        {BALL "path = [[0, 1, 1, 1]]\ncombine = 'subtract'\n",
         "s.toml:15:1: unknown key 'combine' in terrain.mover[0]; the known keys are 'kind', "
         "'path', "
         "'radius', 'rotate', 'scale'"},
        {MOVER "kind = 'heights'\nfile = 'a.png'\npath = [[0, 1, 1, 1]]\n",
         "s.toml:12:8: terrain.mover[0].kind is 'heights', only a part of the ground can be that"},
        {BALL "path = [[0, 1, 1, 1]]\nbeat = {period = 1}\n",
         "s.toml:15:8: terrain.mover[0].beat is for kind = \"mesh\""},
        {MESH "beat = {swell = [0, 0, 0]}\n",
         "s.toml:15:8: [terrain.mover[0].beat] needs the key 'period'"},
        {MESH "beat = {period = 1, swell = [0, 1, 0]}\n",
         "s.toml:15:33: terrain.mover[0].beat.swell[1] is 1, it must be between -0.999 and 0.999"},
        {MESH "beat = {period = 0}\n",
         "s.toml:15:18: terrain.mover[0].beat.period is 0, it must be between 1e-06 and 1e+09"},
        {BALL "path = [[0, 1, 1, 1]]\n[layers]\nmax_movers = 0\n",
         "s.toml:16:14: layers.max_movers is 0, it must be at least 1, the number of movers"},
    };
    REFUSE_ALL(mistakes);
}

TEST(mistakes_about_cuts_are_named)
{
    static const mistake mistakes[] = {
        {CUT "kind = 'sphere'\nradius = 1\n", "s.toml:11:1: terrain.cut[0] needs the key 'time'"},
        {CUT "kind = 'sphere'\nradius = 1\ntime = -1\n",
         "s.toml:14:8: terrain.cut[0].time is -1, it must be between 0 and 1e+12"},
        {CUT "kind = 'heights'\ntime = 1\n",
         "s.toml:12:8: terrain.cut[0].kind is 'heights', only a part of the ground can be that"},
        {CUT "kind = 'torus'\nradius = 1\ntime = 1\n",
         "s.toml:11:1: terrain.cut[0] needs the key 'tube'"},
    };
    REFUSE_ALL(mistakes);
    char text[8192] = SOLID;
    for (int n = 0; n < 65; n++)
        strcat(text, "[[terrain.cut]]\nkind = 'sphere'\nradius = 1\ntime = 1\n");
    refuse(text, "s.toml:11:1: terrain.cut has 65 tables, it may have at most 64");
}

TEST(mistakes_about_sources_and_water_of_a_solid_are_named)
{
#define SPRING WORLD "[[spring]]\nrate = 1\n" // begins on line 8
#define DEEP   SOLID "[[drain]]\nrate = 1\n"  // begins on line 13
#define BLOCK  "[[water.block]]\nx0 = 0\ny0 = 0\nx1 = 4\ny1 = 4\n"
    static const mistake mistakes[] = {
        {SPRING "x = 1\ny = 1\nz = 1\n",
         "s.toml:10:5: spring[0].z is for terrain.kind = \"solid\""},
        {SPRING "path = [[0, 1, 1, 1]]\n",
         "s.toml:8:9: spring[0].path[0] has a z, which is for terrain.kind = \"solid\""},
        {SPRING "path = [[0, 1, 1]]\nx = 1\n",
         "s.toml:9:5: spring[0].x must not be given together with path"},
        {SPRING "path = [[0, 1, 1]]\ny = 1\n",
         "s.toml:9:5: spring[0].y must not be given together with path"},
        {SPRING "path = [[0, 1]]\n",
         "s.toml:8:9: spring[0].path[0] must be [time, x, y, z] or [time, x, y]"},
        {SPRING "path = [[0, 1, 1], [1, 9, 1]]\n",
         "s.toml:8:20: spring[0].path[1] is at (9, 1) m, outside the world of 8 x 8 m"},
        {SPRING "path = [[2, 1, 1], [1, 2, 1]]\n",
         "s.toml:8:20: spring[0].path[1] is at 1 s, it must be after the one before it at 2 s"},
        {SPRING "x = 1\ny = 1\npulse = 1\n",
         "s.toml:10:9: spring[0].pulse needs pulse_depth as well"},
        {SPRING "x = 1\ny = 1\npulse_depth = 1\n",
         "s.toml:10:15: spring[0].pulse_depth needs pulse as well"},
        {SPRING "x = 1\ny = 1\npulse = 0\npulse_depth = 1\n",
         "s.toml:10:9: spring[0].pulse is 0, it must be positive and at most 1000"},
        {SPRING "x = 1\ny = 1\npulse = 1\npulse_depth = 1.5\n",
         "s.toml:11:15: spring[0].pulse_depth is 1.5, it must be between 0 and 1"},
        {DEEP "x = 1\ny = 1\nz = 2e6\n",
         "s.toml:15:5: drain[0].z is 2e+06, it must be between -1e+06 and 1e+06"},
        {DEEP "path = [[0, 1, 1], [1, 2, 1, 3]]\n",
         "s.toml:13:20: drain[0].path[1] has z, the first one does not: all of them or none"},
        {DEEP "path = [[0, 1, 1, 3], [1, 2, 1]]\n",
         "s.toml:13:23: drain[0].path[1] has no z, the first one has: all of them or none"},
        {DEEP "path = [[0, 1, 1, 3]]\nz = 1\n",
         "s.toml:14:5: drain[0].z must not be given together with path"},
        {WORLD BLOCK "level = 1\nz = 1\n",
         "s.toml:12:5: water.block[0].z is for terrain.kind = \"solid\""},
        {SOLID BLOCK "level = 1\nz = 2e6\n",
         "s.toml:17:5: water.block[0].z is 2e+06, it must be between -1e+06 and 1e+06"},
    };
    REFUSE_ALL(mistakes);
}

TEST(running_out_of_memory_leaves_nothing_behind)
{
    static const char *const text =
        PART "kind = 'heights'\nrelief = {amplitude = 1, feature_size = 3}\n"
             "[[terrain.part]]\nkind = 'box'\nsize = [4, 4, 1]\nposition = [4, 4, 3]\n"
             "[[terrain.mover]]\nkind = 'sphere'\nradius = 1\npath = [[0, 1, 1, 1]]\n"
             "[[terrain.cut]]\nkind = 'sphere'\nradius = 1\ntime = 1\n" BLOCK "level = 1\n";
    bool whole = false;
    for (int fail_at = 1; !whole && fail_at < 1000; fail_at++) {
        counter count = {.fail_at = fail_at};
        const rill_host host = counting_host(&count);
        rill_scene *scene = NULL;
        rill_world *world = NULL;
        rill_status status =
            rill_scene_parse("s.toml", text, strlen(text), NULL, NULL, 0, &host, &scene);
        if (status == RILL_OK)
            status = rill_scene_create_world(scene, 1, &world);
        whole = status == RILL_OK;
        if (!whole)
            assert_int_equal(status, RILL_NO_MEMORY);
        rill_world_destroy(&world);
        rill_scene_destroy(&scene);
        assert_int_equal(count.bytes, 0);
    }
    assert_true(whole);
}
