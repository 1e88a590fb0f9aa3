// SPDX-License-Identifier: MIT
// test_scene_solid.c - scenes with a solid ground that are right: every key of a part ends up in
// the ground that the same calls in C make, water lies where the scene says, movers move, cuts
// happen.
#include "tests/kit/kit.h"
#include "tests/kit/worlds.h"

#include "rill/rill.h"

#define SIDE 12

// Cells of half a metre, a grid from -1 m to 5 m.
#define WORLD                                                                       \
    "duration = 1\n[world]\nnx = 12\nny = 12\ncell_size = 0.5\nsolver = 'layers'\n" \
    "[terrain]\nkind = 'solid'\nbottom = -1\ntop = 5\n"
#define FLOOR "[[terrain.part]]\nkind = 'plane'\n"
// A table of a metre's height that covers the eastern half.
#define TABLE "[[terrain.part]]\nkind = 'box'\nposition = [4.5, 3, 1.25]\nsize = [3, 8, 0.5]\n"

static rill_scene *parse(const char *text)
{
    rill_scene *scene = NULL;
    assert_ok(rill_scene_parse("s.toml", text, strlen(text), RL_TEST_TMP, NULL, 0, NULL, &scene));
    return scene;
}

static rill_world *world_of(const char *text)
{
    rill_scene *scene = parse(text);
    rill_world *world = NULL;
    assert_ok(rill_scene_create_world(scene, 1, &world));
    rill_scene_destroy(&scene); // a world does not need its scene
    return world;
}

static rill_solid *empty_solid(void)
{
    rill_solid_def def = rill_default_solid_def();
    def.nx = def.ny = SIDE;
    def.cell_size = 0.5;
    def.bottom = -1.0;
    def.top = 5.0;
    rill_solid *solid = NULL;
    assert_ok(rill_solid_create(&def, &solid));
    return solid;
}

static size_t slot(const rill_columns *c, int layer, int i, int j)
{
    return (size_t)layer * c->layer_stride + (size_t)j * c->pitch + (size_t)i;
}

static bool is_column(const rill_columns *c, size_t at)
{
    return c->range_max[at] > c->range_min[at];
}

// The world of the scene stands on the same ground as one made of `solid`, which is destroyed.
static void expect_ground(const char *text, rill_solid *solid, double tolerance)
{
    rill_world *world = world_of(text), *other = NULL;
    rill_world_def def = rill_default_world_def();
    def.nx = def.ny = SIDE;
    def.cell_size = 0.5f;
    def.solver = RILL_SOLVER_LAYERS;
    def.solid = solid;
    other = make_world(&def);
    const rill_columns a = rill_world_columns(world), b = rill_world_columns(other);
    assert_int_equal(a.layers, b.layers);
    int64_t covered = 0;
    for (int k = 0; k < a.layers; k++)
        for (int j = 0; j < SIDE; j++)
            for (int i = 0; i < SIDE; i++) {
                const size_t m = slot(&a, k, i, j), n = slot(&b, k, i, j);
                assert_int_equal(is_column(&a, m), is_column(&b, n));
                if (!is_column(&a, m))
                    continue;
                covered += k > 0;
                assert_true(fabs((double)a.base[m] - (double)b.base[n]) <= tolerance);
                assert_true(fabs((double)a.range_max[m] - (double)b.range_max[n]) <=
                            tolerance * (1.0 + fabs((double)a.range_max[m])));
            }
    assert_true(covered > 0); // else the part would hardly show
    rill_world_destroy(&world);
    rill_world_destroy(&other);
    rill_solid_destroy(&solid);
}

static void place(rill_sdf_primitive *shape, double x, double y, double z)
{
    shape->position[0] = x;
    shape->position[1] = y;
    shape->position[2] = z;
}

static rill_solid *solid_with(const rill_sdf_primitive *shape, rill_combine how, double blend)
{
    rill_solid *solid = empty_solid();
    rill_sdf_primitive floor = rill_default_sdf_primitive(RILL_SDF_PLANE);
    assert_ok(rill_solid_combine(solid, &floor, RILL_COMBINE_UNION, 0.0));
    assert_ok(rill_solid_combine(solid, shape, how, blend));
    return solid;
}

#define PART WORLD FLOOR "[[terrain.part]]\n"

// ---- Shapes ----------------------------------------------------------------------------

TEST(every_kind_of_shape_is_made_as_the_library_makes_it)
{
    rill_sdf_primitive s = rill_default_sdf_primitive(RILL_SDF_BOX);
    place(&s, 3.0, 3.0, 2.0);
    s.size[0] = 3.0;
    s.size[1] = 2.0;
    s.size[2] = 1.0;
    s.rounding = 0.25;
    expect_ground(PART "kind = 'box'\nposition = [3, 3, 2]\nsize = [3, 2, 1]\nrounding = 0.25\n",
                  solid_with(&s, RILL_COMBINE_UNION, 0.0), 0.0);
    s = rill_default_sdf_primitive(RILL_SDF_SPHERE);
    place(&s, 3.0, 2.5, 2.5);
    s.radius = 1.4;
    expect_ground(PART "kind = 'sphere'\nposition = [3, 2.5, 2.5]\nradius = 1.4\n",
                  solid_with(&s, RILL_COMBINE_UNION, 0.0), 0.0);
    s = rill_default_sdf_primitive(RILL_SDF_TORUS);
    place(&s, 3.0, 3.0, 1.5);
    s.radius = 1.8;
    s.tube = 0.6;
    expect_ground(PART "kind = 'torus'\nposition = [3, 3, 1.5]\nradius = 1.8\ntube = 0.6\n",
                  solid_with(&s, RILL_COMBINE_UNION, 0.0), 0.0);
    s = rill_default_sdf_primitive(RILL_SDF_CONE);
    place(&s, 3.0, 3.0, 2.5);
    s.radius = 0.5;
    s.radius_top = 2.0;
    s.length = 2.0;
    expect_ground(PART "kind = 'cone'\nposition = [3, 3, 2.5]\nradius = 0.5\nradius_top = 2\n"
                       "length = 2\n",
                  solid_with(&s, RILL_COMBINE_UNION, 0.0), 0.0);
    s = rill_default_sdf_primitive(RILL_SDF_CYLINDER);
    place(&s, 3.0, 3.0, 2.0);
    s.radius = 1.0;
    s.length = 0.5;
    s.scale = 2.0;
    expect_ground(PART "kind = 'cylinder'\nposition = [3, 3, 2]\nradius = 1\nlength = 0.5\n"
                       "scale = 2\n",
                  solid_with(&s, RILL_COMBINE_UNION, 0.0), 0.0);
}

TEST(ends_say_the_same_as_place_turn_and_length)
{
    rill_sdf_primitive s = rill_default_sdf_primitive(RILL_SDF_CAPSULE);
    place(&s, 3.0, 3.0, 2.0);
    s.radius = 0.8;
    s.length = 3.0;
    s.rotation[1] = s.rotation[3] = sqrt(0.5); // a quarter turn about y: z becomes x
    static const char *const forms[] = {
        PART "kind = 'capsule'\nposition = [3, 3, 2]\nrotate = [0, 90, 0]\nlength = 3\n"
             "radius = 0.8\n",
        PART "kind = 'capsule'\nfrom = [1.5, 3, 2]\nto = [4.5, 3, 2]\nradius = 0.8\n",
        PART "kind = 'capsule'\nfrom = [4.5, 3, 2]\nto = [1.5, 3, 2]\nradius = 0.8\n",
    };
    for (int n = 0; n < 3; n++)
        expect_ground(forms[n], solid_with(&s, RILL_COMBINE_UNION, 0.0), 1e-6);
    // A cone has its radius at `from`: here upside down, which turns by half a circle.
    s = rill_default_sdf_primitive(RILL_SDF_CONE);
    place(&s, 3.0, 3.0, 2.5);
    s.radius = 0.5;
    s.radius_top = 2.0;
    s.length = 2.0;
    expect_ground(PART "kind = 'cone'\nfrom = [3, 3, 3.5]\nto = [3, 3, 1.5]\nradius = 2\n"
                       "radius_top = 0.5\n",
                  solid_with(&s, RILL_COMBINE_UNION, 0.0), 1e-6);
}

TEST(slanted_ends_point_where_they_say)
{
    // 60 degrees away from upright, towards 30 degrees north of east.
    const double tilt_sine = 0.5, tilt_cosine = sqrt(0.75); // of half of 60 degrees
    const double turn_sine = sqrt(0.5 - 0.25 * sqrt(3.0)),
                 turn_cosine = sqrt(1.0 - turn_sine * turn_sine);
    rill_sdf_primitive s = rill_default_sdf_primitive(RILL_SDF_CONE);
    place(&s, 3.0, 3.0, 2.5);
    s.radius = 0.4;
    s.radius_top = 1.0;
    s.length = 3.0;
    s.rotation[0] = -turn_sine * tilt_sine;
    s.rotation[1] = turn_cosine * tilt_sine;
    s.rotation[2] = turn_sine * tilt_cosine;
    s.rotation[3] = turn_cosine * tilt_cosine;
    expect_ground(PART "kind = 'cone'\nposition = [3, 3, 2.5]\nrotate = [0, 60, 30]\nlength = 3\n"
                       "radius = 0.4\nradius_top = 1\n",
                  solid_with(&s, RILL_COMBINE_UNION, 0.0), 1e-6);
    expect_ground(PART "kind = 'cone'\nradius = 0.4\nradius_top = 1\n"
                       "from = [1.875, 2.3504809472, 1.75]\nto = [4.125, 3.6495190528, 3.25]\n",
                  solid_with(&s, RILL_COMBINE_UNION, 0.0), 1e-6);
}

TEST(turns_are_made_about_x_then_y_then_z)
{
    // Sizes 3, 2, 1 along x, y, z become 3, 1, 2, then 2, 1, 3, then 1, 2, 3.
    rill_sdf_primitive s = rill_default_sdf_primitive(RILL_SDF_BOX);
    place(&s, 3.0, 3.0, 2.5);
    s.size[0] = 1.0;
    s.size[1] = 2.0;
    s.size[2] = 3.0;
    expect_ground(PART "kind = 'box'\nposition = [3, 3, 2.5]\nsize = [3, 2, 1]\n"
                       "rotate = [90, 90, 90]\n",
                  solid_with(&s, RILL_COMBINE_UNION, 0.0), 1e-6);
    s.size[0] = 3.0;
    s.size[1] = 1.0;
    s.size[2] = 2.0;
    expect_ground(PART "kind = 'box'\nposition = [3, 3, 2.5]\nsize = [3, 2, 1]\n"
                       "rotate = [-90, 0, 0]\n",
                  solid_with(&s, RILL_COMBINE_UNION, 0.0), 1e-6);
}

TEST(every_way_to_combine_is_known)
{
    rill_sdf_primitive s = rill_default_sdf_primitive(RILL_SDF_SPHERE);
    place(&s, 3.0, 3.0, 1.0);
    s.radius = 1.5;
    rill_sdf_primitive hole = rill_default_sdf_primitive(RILL_SDF_CYLINDER);
    place(&hole, 3.0, 3.0, 1.5);
    hole.rotation[0] = hole.rotation[3] = sqrt(0.5);
    hole.radius = 0.6;
    hole.length = 9.0;
    rill_sdf_primitive keep = rill_default_sdf_primitive(RILL_SDF_PLANE);
    place(&keep, 0.0, 0.0, 2.25);
    rill_solid *solid = solid_with(&s, RILL_COMBINE_SMOOTH_UNION, 0.75);
    assert_ok(rill_solid_combine(solid, &hole, RILL_COMBINE_SUBTRACT, 0.0));
    assert_ok(rill_solid_combine(solid, &keep, RILL_COMBINE_INTERSECT, 0.0));
    expect_ground(PART "kind = 'sphere'\nposition = [3, 3, 1]\nradius = 1.5\n"
                       "combine = 'smooth_union'\nblend = 0.75\n"
                       "[[terrain.part]]\nkind = 'cylinder'\nposition = [3, 3, 1.5]\n"
                       "rotate = [90, 0, 0]\nradius = 0.6\nlength = 9\ncombine = 'subtract'\n"
                       "[[terrain.part]]\nkind = 'plane'\nposition = [0, 0, 2.25]\n"
                       "combine = 'intersect'\n",
                  solid, 1e-6);
}

TEST(a_part_can_be_repeated)
{
    rill_solid *solid = empty_solid();
    rill_sdf_primitive s = rill_default_sdf_primitive(RILL_SDF_PLANE);
    assert_ok(rill_solid_combine(solid, &s, RILL_COMBINE_UNION, 0.0));
    s = rill_default_sdf_primitive(RILL_SDF_BOX);
    for (int k = 0; k < 2; k++)
        for (int j = 0; j < 3; j++)
            for (int i = 0; i < 2; i++) {
                place(&s, 1.0 + 3.0 * i, 1.0 + 2.0 * j, 1.5 + 2.0 * k);
                assert_ok(rill_solid_combine(solid, &s, RILL_COMBINE_UNION, 0.0));
            }
    expect_ground(PART "kind = 'box'\nsize = [1, 1, 1]\nposition = [1, 1, 1.5]\n"
                       "repeat = {count = [2, 3, 2], step = [3, 2, 2]}\n",
                  solid, 0.0);
}

// ---- Heights and meshes ----------------------------------------------------------------

static void write_file(const char *name, const char *text)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", RL_TEST_TMP, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

static double ground_at(const rill_scene *scene, int i, int j)
{
    const rill_field_view view = rill_heightfield_view(rill_scene_ground(scene));
    assert_int_equal(view.nx, SIDE);
    return (double)view.data[(size_t)j * view.pitch + (size_t)i];
}

TEST(heights_come_from_a_file)
{
    // Rows from the north: 3 m there, 1 m in the south, of cells of 3 m.
    write_file("steps.asc", "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 3\n30 30\n"
                            "10 10\n");
    rill_scene *scene = parse(WORLD "[[terrain.part]]\nkind = 'heights'\nfile = 'steps.asc'\n"
                                    "factor = 0.1\noffset = 0.5\n");
    // Level beyond the outermost values, which stand at 1.5 m and 4.5 m.
    assert_true(fabs(ground_at(scene, 5, 1) - 1.5) < 0.02);
    assert_true(fabs(ground_at(scene, 5, 11) - 3.5) < 0.02);
    assert_true(fabs(ground_at(scene, 5, 5) - (1.5 + 2.0 * 1.25 / 3.0)) < 0.02);
    rill_scene_destroy(&scene);
}

TEST(a_relief_has_its_amplitude_and_its_tilt)
{
    static const char *const text =
        WORLD "[[terrain.part]]\nkind = 'heights'\nposition = [0, 0, 1]\nrelief = {seed = 7, "
              "amplitude = 1.5, feature_size = 2, octaves = 2}\n";
    rill_scene *scene = parse(text);
    double low = 1e9, high = -1e9;
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++) {
            low = fmin(low, ground_at(scene, i, j));
            high = fmax(high, ground_at(scene, i, j));
        }
    // Heights are exact where a node is; between nodes the cut is, like the map, nearly linear.
    assert_true(fabs(low - 1.0) < 0.1 && fabs(high - 2.5) < 0.1);
    rill_scene_destroy(&scene);
    scene = parse(WORLD "[[terrain.part]]\nkind = 'heights'\nrelief = {amplitude = 0, "
                        "feature_size = 2, tilt = [0.25, 0.5]}\n");
    for (int j = 1; j < SIDE - 1; j++)
        for (int i = 1; i < SIDE - 1; i++)
            assert_true(fabs(ground_at(scene, i, j) - 0.5 * (0.25 * (i + 0.5) + 0.5 * (j + 0.5))) <
                        1e-3);
    rill_scene_destroy(&scene);
}

TEST(a_mesh_comes_from_a_file_in_its_own_unit)
{
    // A cube from (-1, -1, -1) to (1, 1, 1), here of half metres.
    write_file("cube.obj", "v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1\n"
                           "v 1 1 1\nv -1 1 1\nf 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\n"
                           "f 3 4 8 7\nf 4 1 5 8\n");
    rill_sdf_primitive s = rill_default_sdf_primitive(RILL_SDF_BOX);
    place(&s, 3.0, 3.0, 2.0);
    s.size[0] = s.size[1] = s.size[2] = 2.0;
    expect_ground(PART "kind = 'mesh'\nfile = 'cube.obj'\nunit = 0.5\nscale = 2\n"
                       "position = [3, 3, 2]\n",
                  solid_with(&s, RILL_COMBINE_UNION, 0.0), 1e-3);
}

// A block of 2 x 1 x 2 m, turned about z by 90 degrees.
TEST(the_triangles_of_a_file_are_drawn_as_the_ground)
{
    write_file("drawn.obj", "v -2 -1 -2\nv 2 -1 -2\nv 2 1 -2\nv -2 1 -2\nv -2 -1 2\nv 2 -1 2\n"
                            "v 2 1 2\nv -2 1 2\nf 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\n"
                            "f 3 4 8 7\nf 4 1 5 8\n");
    SCOPED(rill_scene) *scene =
        parse(PART "kind = 'box'\nsize = [2, 2, 2]\nposition = [3, 3, 2]\n[terrain.drawn]\n"
                   "file = 'drawn.obj'\nunit = 0.25\nscale = 2\nposition = [3, 3, 2]\n"
                   "rotate = [0, 0, 90]\n");
    SCOPED(rill_world) *world = NULL;
    assert_ok(rill_scene_create_world(scene, 1, &world));
    const rill_ground_mesh mesh = rill_world_ground_mesh(world);
    assert_int_equal(mesh.vertex_count, 8);
    assert_int_equal(mesh.index_count, 36);
    for (size_t k = 0; k < 8; k++) {
        const rill_ground_vertex *v = &mesh.vertices[k];
        for (int axis = 0; axis < 3; axis++) {
            const float middle = axis == 2 ? 2.0f : 3.0f, half = axis == 0 ? 0.5f : 1.0f;
            const float away = v->position[axis] - middle;
            assert_true(fabsf(fabsf(away) - half) < 1e-6f && away * v->normal[axis] > 0.0f);
        }
        assert_true(v->openness >= 0.0f && v->openness <= 1.0f);
    }
    // The first triangle begins with vertex 4 of the file, (-2, 1, -2), which comes to (-1, -2,
    // -2).
    const float *first = mesh.vertices[mesh.indices[0]].position;
    assert_true(first[0] < 3.0f && first[1] < 3.0f && first[2] < 2.0f);
}

// A scan of a ball: densities of 1400 in its middle and less outwards, 16 bits, highest byte first.
#define SCAN_NODES 11

static void write_scan(const char *name, const char *header, float *values)
{
    static char text[4096];
    size_t at = (size_t)snprintf(text, sizeof text, "%s", header);
    for (int n = 0; n < SCAN_NODES * SCAN_NODES * SCAN_NODES; n++) {
        const double x = n % SCAN_NODES - 5.0, y = n / SCAN_NODES % SCAN_NODES - 5.0,
                     z = (double)(n / (SCAN_NODES * SCAN_NODES)) - 5.0;
        const int density = (int)(1400.0 - 100.0 * sqrt(x * x + y * y + z * z));
        text[at++] = (char)(density >> 8);
        text[at++] = (char)(density & 255);
        values[n] = (float)density;
    }
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", RL_TEST_TMP, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, at, file), at);
    assert_int_equal(fclose(file), 0);
}

TEST(a_field_comes_from_a_scan)
{
    static float values[SCAN_NODES * SCAN_NODES * SCAN_NODES];
    rill_distance_field_def def = rill_default_distance_field_def();
    rill_distance_field *field = NULL;
    def.nx = def.ny = def.nz = SCAN_NODES;
    def.values = values;
    def.level = 1100.0, def.scale = 0.5 * -0.005;
    for (int axis = 0; axis < 3; axis++) {
        def.spacing[axis] = 0.5 * 1.0;
        def.origin[axis] = 0.5 * -5.0;
    }
    write_scan("scan.nrrd",
               "NRRD0004\ntype: short\ndimension: 3\nsizes: 11 11 11\nendian: big\nencoding: raw\n"
               "space origin: (-5,-5,-5)\nspace dimension: 3\nspace directions: (1,0,0) (0,1,0) "
               "(0,0,1)\n\n",
               values);
    assert_ok(rill_distance_field_create(&def, &field));
    assert_true(fabs(rill_distance_field_distance(field, 1.5, 0, 0)) < 1e-6); // 3 nodes of 0.5 m
    rill_sdf_primitive s = rill_default_sdf_primitive(RILL_SDF_FIELD);
    s.field = field;
    place(&s, 3.0, 3.0, 2.0);
    expect_ground(PART "kind = 'field'\nfile = 'scan.nrrd'\nlevel = 1100\nfactor = -0.005\n"
                       "unit = 0.5\nposition = [3, 3, 2]\n",
                  solid_with(&s, RILL_COMBINE_UNION, 0.0), 0.0);
    // The same values without a header, whose first node is at the origin of the part.
    write_scan("scan.raw", "12345", values);
    place(&s, 3.0, 3.0, 2.0);
    expect_ground(PART "kind = 'field'\nfile = 'scan.raw'\nlevel = 1100\nfactor = -0.005\n"
                       "unit = 0.5\nposition = [0.5, 0.5, -0.5]\nraw = {size = [11, 11, 11], "
                       "spacing = [1, 1, 1], type = 'int16', endian = 'big', skip = 5}\n",
                  solid_with(&s, RILL_COMBINE_UNION, 0.0), 0.0);
    rill_distance_field_destroy(&field);
}

// ---- The layers water ------------------------------------------------------------------

TEST(the_scene_tells_of_its_solid)
{
    rill_scene *scene =
        parse(WORLD FLOOR TABLE "[[terrain.mover]]\nkind = 'sphere'\nradius = 0.5\n"
                                "path = [[0, 1, 1, 3]]\n[[terrain.cut]]\nkind = 'sphere'\n"
                                "radius = 0.5\ntime = 0.5\nposition = [4.5, 3, 1.5]\n");
    const rill_scene_info info = rill_scene_describe(scene);
    assert_string_equal(info.solver, "layers");
    assert_int_equal(info.solid, 1);
    assert_true(info.bottom == -1.0 && info.top == 5.0);
    assert_int_equal(info.parts, 2);
    assert_int_equal(info.movers, 1);
    assert_int_equal(info.cuts, 1);
    // The ground is what one sees from above.
    assert_true(fabs(ground_at(scene, 1, 5)) < 1e-6);
    assert_true(fabs(ground_at(scene, 9, 5) - 1.5) < 1e-6);
    rill_scene_destroy(&scene);
}

TEST(columns_above_each_other_are_limited_as_asked)
{
#define PLATES                                                                      \
    "[[terrain.part]]\nkind = 'box'\nsize = [2, 2, 0.5]\nposition = [3, 3, 1.25]\n" \
    "repeat = {count = [1, 1, 3], step = [0, 0, 1.25]}\n"
    rill_scene *scene = parse(WORLD FLOOR PLATES "[layers]\nmax_layers = 2\n");
    rill_world *world = NULL;
    assert_int_not_equal(rill_scene_create_world(scene, 1, &world), RILL_OK);
    assert_null(world);
    assert_non_null(strstr(rill_last_error(), "cell"));
    rill_scene_destroy(&scene);
    world = world_of(WORLD FLOOR PLATES "[layers]\nmax_layers = 2\non_more = 'widest'\n");
    const rill_columns c = rill_world_columns(world);
    int columns = 0;
    for (int k = 0; k < c.layers; k++)
        columns += is_column(&c, slot(&c, k, 6, 6));
    assert_int_equal(columns, 2);
    rill_world_destroy(&world);
}

TEST(the_layers_water_stands_on_heightfields_too)
{
    rill_world *world = world_of("duration = 1\n[world]\nnx = 8\nny = 8\ncell_size = 1\n"
                                 "solver = 'layers'\nmax_step = 0.001\n[terrain]\nelevation = 2\n"
                                 "[layers]\npassages = 'axis'\nslope_correction = true\n"
                                 "[[water.block]]\nx0 = 0\ny0 = 0\nx1 = 4\ny1 = 8\nlevel = 3\n");
    assert_true(fabs(rill_world_ledger(world).initial - 32.0) < 1e-6);
    assert_ok(rill_world_step(world, 0.01));
    assert_true(rill_world_last_step(world).substeps >= 10);
    rill_world_destroy(&world);
}

// ---- Water, springs, drains ------------------------------------------------------------

static double depth_at(rill_world *world, int layer, int i, int j)
{
    const rill_columns c = rill_world_columns(world);
    return (double)c.depth[slot(&c, layer, i, j)];
}

TEST(a_level_fills_open_and_covered_columns)
{
#define HALF "[[water.block]]\nx0 = 2\ny0 = 0\nx1 = 6\ny1 = 3\n"
    rill_world *world = world_of(WORLD FLOOR TABLE "[water]\nlevel = 0.75\n");
    assert_true(fabs(depth_at(world, 0, 1, 5) - 0.75) < 1e-6);
    assert_true(fabs(depth_at(world, 1, 9, 5) - 0.75) < 1e-6);
    assert_true(depth_at(world, 0, 9, 5) == 0.0);
    rill_world_destroy(&world);

    world = world_of(WORLD FLOOR TABLE HALF "level = 1.75\n");
    assert_true(fabs(depth_at(world, 0, 4, 2) - 1.75) < 1e-6);
    assert_true(fabs(depth_at(world, 1, 9, 2) - 1.0) < 1e-5); // up to the table's underside
    assert_true(fabs(depth_at(world, 0, 9, 2) - 0.25) < 1e-6);
    assert_true(depth_at(world, 1, 9, 8) == 0.0 && depth_at(world, 0, 1, 2) == 0.0);
    const rill_ledger ledger = rill_world_ledger(world);
    // 2 x 6 open cells of 1.75 m, 6 x 6 of 0.25 m on the table and of 1 m below it.
    assert_true(fabs(ledger.initial - 0.25 * (12 * 1.75 + 36 * 1.25)) < 1e-4);
    assert_true(ledger.sourced == 0.0 && ledger.error < 1e-9);
    rill_world_destroy(&world);
}

TEST(a_block_at_an_elevation_fills_only_the_columns_there)
{
    rill_world *world = world_of(WORLD FLOOR TABLE HALF "z = 0.5\nlevel = 0.5\n");
    assert_true(fabs(depth_at(world, 1, 9, 2) - 0.5) < 1e-6);
    assert_true(fabs(depth_at(world, 0, 4, 2) - 0.5) < 1e-6);
    assert_true(depth_at(world, 0, 9, 2) == 0.0);
    assert_true(fabs(rill_world_ledger(world).initial - 0.25 * 48 * 0.5) < 1e-5);
    rill_world_destroy(&world);
    // The table's top and that of a wall are above z, whatever the level.
    world = world_of(WORLD FLOOR TABLE "[[terrain.part]]\nkind = 'box'\nposition = [2.5, 1.5, 1]\n"
                                       "size = [1, 3, 2]\n" HALF "z = 0.5\nlevel = 3\n");
    assert_true(fabs(depth_at(world, 1, 9, 2) - 1.0) < 1e-5);
    assert_true(depth_at(world, 0, 9, 2) == 0.0 && depth_at(world, 0, 4, 2) == 0.0);
    rill_world_destroy(&world);
    world = world_of(WORLD FLOOR TABLE HALF "z = 3\ndepth = 0.25\n");
    assert_true(depth_at(world, 1, 9, 2) == 0.0);
    assert_true(fabs(depth_at(world, 0, 9, 2) - 0.25) < 1e-6);
    rill_world_destroy(&world);
    world = world_of(WORLD FLOOR TABLE HALF "depth = 0.25\n");
    assert_true(depth_at(world, 1, 9, 2) == 0.0);
    assert_true(fabs(depth_at(world, 0, 4, 2) - 0.25) < 1e-6);
    rill_world_destroy(&world);
}

TEST(springs_and_drains_reach_below_the_table)
{
    rill_world *world =
        world_of(WORLD FLOOR TABLE "[[spring]]\nx = 4.5\ny = 3\nz = 0.5\nradius = 0.6\n"
                                   "rate = 0.01\npulse = 10\npulse_depth = 1\nend = 0.5\n");
    run_world(world, 50, 0.01);
    const rill_ledger ledger = rill_world_ledger(world);
    assert_true(fabs(ledger.sourced - 0.005) < 1e-7); // five whole beats
    assert_true(depth_at(world, 1, 9, 5) > 0.0 && depth_at(world, 0, 9, 5) == 0.0);
    assert_true(ledger.error < 1e-6);
    rill_world_destroy(&world);
    world =
        world_of(WORLD FLOOR TABLE "[water]\nlevel = 0.5\n[[drain]]\nrate = 0.1\n"
                                   "radius = 0.6\npath = [[0, 4.5, 1, 0.2], [1, 4.5, 5, 0.2]]\n");
    run_world(world, 10, 0.01);
    assert_true(fabs(rill_world_ledger(world).drained - 0.01) < 1e-6);
    assert_true(depth_at(world, 1, 9, 2) < 0.499);
    rill_world_destroy(&world);
}

// ---- Ground that changes ---------------------------------------------------------------

static double floor_at(rill_world *world, int i, int j)
{
    const rill_columns c = rill_world_columns(world);
    return (double)c.base[slot(&c, 0, i, j)];
}

TEST(a_mover_follows_its_path)
{
    rill_world *world =
        world_of(WORLD FLOOR "[[terrain.mover]]\nkind = 'box'\nsize = [2, 2, 2]\n"
                             "path = [[0, 1, 3, 1], [0.5, 5, 3, 1]]\n[water]\nlevel = 0.5\n");
    assert_true(fabs(floor_at(world, 2, 6) - 2.0) < 1e-3);
    assert_true(fabs(floor_at(world, 10, 6)) < 1e-3);
    run_world(world, 60, 0.01);
    assert_true(fabs(floor_at(world, 2, 6)) < 1e-3);
    assert_true(fabs(floor_at(world, 10, 6) - 2.0) < 1e-3);
    assert_true(rill_world_ledger(world).error < 1e-6);
    rill_world_destroy(&world);
}

TEST(a_mover_begins_where_its_path_has_it_at_the_start)
{
    rill_world *world =
        world_of(WORLD FLOOR "[[terrain.mover]]\nkind = 'box'\nsize = [2, 2, 2]\n"
                             "path = [[-1, -3, 3, 1], [1, 5, 3, 1], [2, 5, 3, 9]]\n");
    assert_true(fabs(floor_at(world, 2, 6) - 2.0) < 1e-3); // half way: x = 1
    rill_world_destroy(&world);
}

// An ellipsoid, its middle in the ground, that is highest after a quarter of its beat.
TEST(a_mesh_of_a_scene_moves_and_beats)
{
    rill_world *world = world_of(
        WORLD FLOOR "[[terrain.mover]]\nkind = 'mesh'\nellipsoid = [2, 2, 2]\nparts = 16\n"
                    "path = [[0, 3.25, 3.25, 0]]\n"
                    "beat = {period = 0.4, amplitude = [0, 0, 0.2], swell = [0, 0, 0.5]}\n");
    const double least = 2.0 / (16 * 16); // of the height: what its corners cut off
    assert_true(fabs(floor_at(world, 6, 6) - 1.0) < least);
    run_world(world, 10, 0.01);
    assert_true(fabs(floor_at(world, 6, 6) - 1.7) < 1.5 * least);
    run_world(world, 20, 0.01);
    assert_true(fabs(floor_at(world, 6, 6) - 0.3) < least);
    rill_world_destroy(&world);
}

TEST(a_cut_happens_at_its_time)
{
    rill_world *world =
        world_of(WORLD FLOOR TABLE "[[terrain.cut]]\ntime = 0.105\nkind = 'cylinder'\nradius = 1\n"
                                   "length = 2\nposition = [4.5, 3, 1.25]\ncombine = 'subtract'\n"
                                   "[water]\ndepth = 0.01\n");
    run_world(world, 10, 0.01);
    assert_true(fabs(floor_at(world, 8, 6) - 1.5) < 1e-3);
    run_world(world, 2, 0.01);
    assert_true(floor_at(world, 8, 6) < 0.5);
    assert_true(rill_world_ledger(world).error < 1e-6);
    rill_world_destroy(&world);
}
