// SPDX-License-Identifier: MIT
// test_mesh_read.c - meshes out of OBJ, PLY and STL files in every way of writing them, and a list
// of broken files with what is said about each.
#include "scene/formats/mesh_read.h"
#include "tests/kit/counting_host.h"
#include "tests/kit/kit.h"

#include <sys/stat.h>

#define FOLDER RL_TEST_TMP "/mesh_read"

// ---- Files -----------------------------------------------------------------------------

typedef struct text {
    unsigned char bytes[1 << 16];
    size_t count;
} text;

static void put_bytes(text *t, const void *bytes, size_t count)
{
    assert_true(t->count + count <= sizeof t->bytes);
    memcpy(t->bytes + t->count, bytes, count);
    t->count += count;
}

static void put(text *t, const char *words)
{
    put_bytes(t, words, strlen(words));
}

static void put_number(text *t, double value)
{
    char word[40];
    snprintf(word, sizeof word, " %.9g", value);
    put(t, word);
}

// `bytes` of them, least first or last.
static void put_raw(text *t, uint64_t raw, int bytes, bool big)
{
    for (int k = 0; k < bytes; k++) {
        const unsigned char byte = (unsigned char)(raw >> 8 * (big ? bytes - 1 - k : k));
        put_bytes(t, &byte, 1);
    }
}

static void put_float(text *t, float value, bool big)
{
    uint32_t raw;
    memcpy(&raw, &value, sizeof raw);
    put_raw(t, raw, 4, big);
}

static void put_double(text *t, double value, bool big)
{
    uint64_t raw;
    memcpy(&raw, &value, sizeof raw);
    put_raw(t, raw, 8, big);
}

static int make_folder(void **state)
{
    (void)state;
    mkdir(RL_TEST_TMP, 0777);
    mkdir(FOLDER, 0777);
    return 0;
}

static void write_file(const char *path, const text *t)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(t->bytes, 1, t->count, file), t->count);
    fclose(file);
}

static rl_mesh_data read_file(const char *path, const text *t)
{
    rl_mesh_data data;
    write_file(path, t);
    if (rl_mesh_read(NULL, path, &data) != RILL_OK)
        fail_msg("%s", rill_last_error());
    return data;
}

// ---- A tetrahedron, written in every way -----------------------------------------------

static const float corners[4][3] = {{0.1f, 0.25f, -7.125f},
                                    {1e-7f, 1234.5678f, 3.0f},
                                    {-5.3f, 1.0f / 3.0f, 1e10f},
                                    {2.0f, 0.0f, 2.0f}};
static const uint32_t faces[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};

static void expect_tetrahedron(rl_mesh_data data)
{
    assert_int_equal(data.vertex_count, 4);
    assert_int_equal(data.index_count, 12);
    assert_memory_equal(data.vertices, corners, sizeof corners);
    assert_memory_equal(data.indices, faces, sizeof faces);
    rl_mesh_data_free(NULL, &data);
    assert_null(data.vertices);
}

// As in STL: each triangle has corners of its own.
static void expect_tetrahedron_soup(rl_mesh_data data)
{
    assert_int_equal(data.vertex_count, 12);
    assert_int_equal(data.index_count, 12);
    for (size_t k = 0; k < 12; k++) {
        assert_int_equal(data.indices[k], k);
        assert_memory_equal(data.vertices + 3 * k, corners[faces[k / 3][k % 3]], 12);
    }
    rl_mesh_data_free(NULL, &data);
}

TEST_GROUP(make_folder, NULL);

TEST(an_obj_file_reads_back_with_all_ways_of_naming_a_corner)
{
    text t = {.count = 0};
    put(&t,
        "# a comment\r\nmtllib a_name_that_is_much_longer_than_any_word_of_a_mesh_file_may_ever_"
        "be.mtl\no tetra\n\n");
    for (int v = 0; v < 4; v++) {
        put(&t, v % 2 == 0 ? "v" : "  v ");
        for (int k = 0; k < 3; k++)
            put_number(&t, (double)corners[v][k]);
        put(&t, v == 1 ? " 0.5 0.5 0.5\r\n" : "\n"); // colours, as some programs add
    }
    put(&t, "vn 0 0 1\nvt 0.5 0.5\ns off\nf 1 2 3\nf 1/1 4/1 2/1\nf -3//1 \\\n4//1\\\n 3//-1\n"
            "usemtl none\nf\t3/1/1 4/1/1 -4/1/1");
    expect_tetrahedron(read_file(FOLDER "/tetra.OBJ", &t));
}

static void put_ply_text(text *t, const char *line_end)
{
    char header[512];
    snprintf(
        header, sizeof header,
        "ply%sformat ascii 1.0%scomment x%selement vertex 4%sproperty float x%sproperty float y"
        "%sproperty uchar red%sproperty float z%selement face 4%s"
        "property list uchar int vertex_indices%send_header%s",
        line_end, line_end, line_end, line_end, line_end, line_end, line_end, line_end, line_end,
        line_end, line_end);
    put(t, header);
    for (int v = 0; v < 4; v++) {
        put_number(t, (double)corners[v][0]);
        put_number(t, (double)corners[v][1]);
        put(t, " 255");
        put_number(t, (double)corners[v][2]);
        put(t, line_end);
    }
    for (int f = 0; f < 4; f++) {
        put(t, "3");
        for (int k = 0; k < 3; k++)
            put_number(t, (double)faces[f][k]);
        put(t, f < 3 ? line_end : "");
    }
}

TEST(a_ply_file_of_text_reads_back)
{
    text t = {.count = 0};
    put_ply_text(&t, "\n");
    expect_tetrahedron(read_file(FOLDER "/tetra.ply", &t));
    t.count = 0;
    put_ply_text(&t, "\r\n");
    expect_tetrahedron(read_file(FOLDER "/content_decides_here", &t));
}

// Other elements and properties lie before, between and behind what is wanted; coordinates are
// doubles, corners shorts.
static void put_ply_binary(text *t, bool big)
{
    put(t, big ? "ply\nformat binary_big_endian 1.0\n" : "ply\nformat binary_little_endian 1.0\n");
    put(t, "obj_info made by hand\nelement range 2\nproperty list ushort float32 values\n"
           "property int8 end\nelement nothing 4000000000\nelement vertex 4\nproperty uchar red\n"
           "property double x\nproperty float64 y\nproperty list char uint16 extra\n"
           "property double z\nelement face 4\nproperty short before\n"
           "property list uint16 int16 vertex_index\nproperty float behind\n"
           "element edge 1\nproperty int vertex1\nend_header\n");
    for (int k = 0; k < 2; k++) {
        put_raw(t, (uint64_t)k, 2, big);
        for (int n = 0; n < k; n++)
            put_float(t, 1.5f, big);
        put_raw(t, 0xff, 1, big);
    }
    for (int v = 0; v < 4; v++) {
        put_raw(t, 10, 1, big); // a byte that is a line break in text
        put_double(t, (double)corners[v][0], big);
        put_double(t, (double)corners[v][1], big);
        put_raw(t, 2, 1, big);
        put_raw(t, 0xabcd1234, 4, big);
        put_double(t, (double)corners[v][2], big);
    }
    for (int f = 0; f < 4; f++) {
        put_raw(t, 0xffff, 2, big);
        put_raw(t, 3, 2, big);
        for (int k = 0; k < 3; k++)
            put_raw(t, faces[f][k], 2, big);
        put_float(t, NAN, big);
    }
    put_raw(t, 1, 4, big);
}

TEST(a_ply_file_of_either_byte_order_reads_back)
{
    for (int big = 0; big < 2; big++) {
        text t = {.count = 0};
        put_ply_binary(&t, big != 0);
        expect_tetrahedron(read_file(FOLDER "/tetra.ply", &t));
    }
}

static void put_stl_binary(text *t, const char *title)
{
    char header[80] = {0};
    snprintf(header, sizeof header, "%s", title);
    put_bytes(t, header, sizeof header);
    put_raw(t, 4, 4, false);
    for (int f = 0; f < 4; f++) {
        for (int k = 0; k < 3; k++)
            put_float(t, NAN, false); // nobody looks at the normal
        for (int k = 0; k < 9; k++)
            put_float(t, corners[faces[f][k / 3]][k % 3], false);
        put_raw(t, 7, 2, false);
    }
}

TEST(a_binary_stl_file_reads_back_even_if_it_begins_like_text)
{
    static const char *const titles[] = {"made by hand", "solid facet normal"};
    for (int k = 0; k < 2; k++) {
        text t = {.count = 0};
        put_stl_binary(&t, titles[k]);
        expect_tetrahedron_soup(read_file(FOLDER "/tetra.bin", &t));
    }
}

static void put_stl_text(text *t, int first, int last)
{
    put(t, "solid a name of words\n");
    for (int f = first; f < last; f++) {
        put(t, "  facet normal 0 0 nan\n    outer loop\n");
        for (int v = 0; v < 3; v++) {
            put(t, f % 2 == 0 ? "      vertex" : "      VERTEX");
            for (int k = 0; k < 3; k++)
                put_number(t, (double)corners[faces[f][v]][k]);
            put(t, "\n");
        }
        put(t, "    endloop\n  endfacet\n");
    }
    put(t, "endsolid a name of words\n");
}

TEST(an_stl_file_of_text_reads_back_with_all_its_solids)
{
    text t = {.count = 0};
    put_stl_text(&t, 0, 3);
    put_stl_text(&t, 3, 4);
    expect_tetrahedron_soup(read_file(FOLDER "/tetra.stl", &t));
}

// ---- Polygons --------------------------------------------------------------------------

// Twice the area vectors' lengths of all triangles, and that of their sum: equal when no triangle
// is turned against the others.
static void measure(rl_mesh_data data, double *sum, double *net)
{
    double total[3] = {0.0, 0.0, 0.0};
    *sum = 0.0;
    for (size_t t = 0; t < data.index_count; t += 3) {
        const float *a = data.vertices + 3 * data.indices[t];
        const float *b = data.vertices + 3 * data.indices[t + 1];
        const float *c = data.vertices + 3 * data.indices[t + 2];
        double n[3], length = 0.0;
        for (int k = 0; k < 3; k++) {
            const int y = (k + 1) % 3, z = (k + 2) % 3;
            n[k] = (double)((b[y] - a[y]) * (c[z] - a[z]) - (b[z] - a[z]) * (c[y] - a[y]));
            total[k] += n[k];
            length += n[k] * n[k];
        }
        *sum += sqrt(length);
    }
    *net = sqrt(total[0] * total[0] + total[1] * total[1] + total[2] * total[2]);
    rl_mesh_data_free(NULL, &data);
}

// A gear seen from all six sides: every second corner lies nearer to the middle.
TEST(faces_with_dents_are_covered_exactly_once)
{
    const double pi = 3.14159265358979323846;
    for (int side = 0; side < 6; side++) {
        text t = {.count = 0};
        const int count = 64;
        for (int k = 0; k < count; k++) {
            const double radius = k % 2 == 0 ? 1.0 : 0.3, angle = 2.0 * pi * k / count;
            double p[3] = {radius * cos(angle), radius * sin(angle), 0.25};
            put(&t, "v");
            for (int d = 0; d < 3; d++)
                put_number(&t, p[(d + side) % 3]);
            put(&t, "\n");
        }
        put(&t, "f");
        for (int k = 0; k < count; k++)
            put_number(&t, side < 3 ? k + 1 : count - k);
        const rl_mesh_data data = read_file(FOLDER "/gear.obj", &t);
        assert_int_equal(data.index_count, 3 * (count - 2));
        double sum, net;
        measure(data, &sum, &net);
        assert_true(fabs(sum - net) < 1e-5);
        // The area of 64 triangles from the middle, twice.
        assert_true(fabs(net - count * 0.3 * sin(2.0 * pi / count)) < 1e-5);
    }
}

TEST(a_quad_is_cut_at_its_dent)
{
    text t = {.count = 0};
    put(&t, "v 0 0 0\nv 4 0 0\nv 1 1 0\nv 0 4 0\nf 1 2 3 4\nf 2 3 4 1\n"); // dent at 1 1
    double sum, net;
    measure(read_file(FOLDER "/dart.obj", &t), &sum, &net);
    assert_true(fabs(sum - 16.0) < 1e-6 && fabs(net - 16.0) < 1e-6); // area 4 each, twice
}

TEST(a_large_convex_face_is_read_and_a_large_one_with_dents_refused)
{
    for (int dents = 0; dents < 2; dents++) {
        text t = {.count = 0};
        for (int k = 0; k < 1100; k++) {
            const double angle = 2.0 * 3.14159265358979323846 * k / 1100;
            const double radius = dents && k % 2 == 0 ? 0.5 : 1.0;
            put(&t, "v");
            put_number(&t, radius * cos(angle));
            put_number(&t, radius * sin(angle));
            put(&t, " 0\n");
        }
        put(&t, "f");
        for (int k = 1; k <= 1100; k++)
            put_number(&t, k);
        if (dents) {
            rl_mesh_data data;
            assert_int_equal(rl_mesh_parse(NULL, "a.obj", t.bytes, t.count, &data), RILL_BAD_FILE);
            assert_sentence_has("a.obj: line 1101: a face of 1100 corners is not convex");
            continue;
        }
        rl_mesh_data data = read_file(FOLDER "/disc.obj", &t);
        assert_int_equal(data.index_count, 3 * 1098);
        rl_mesh_data_free(NULL, &data);
    }
}

// ---- Broken files ----------------------------------------------------------------------

#define PLY_TOP  "ply\nformat ascii 1.0\n"
#define PLY_HEAD PLY_TOP "element vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
#define PLY_FACE "element face 1\nproperty list uchar int vertex_indices\nend_header\n"
#define FACET    "solid\nfacet normal 0 0 1\nouter loop\n"

static const struct broken {
    const char *name, *content, *sentence;
} broken_files[] = {
    {"a.obj", "v 0 0\n", "a.obj: line 1: ends before z of a vertex"},
    {"a.obj", "\nv 0 0 zero\n",
     "a.obj: line 2: 'zero' is not a number, as z of a vertex has to be"},
    {"a.obj", "v 0 0 nan\n", "a.obj: line 1: a coordinate of the vertex is not finite"},
    {"a.obj", "v 0 0 inf\n", "a.obj: line 1: 'inf' is not a number"},
    {"a.obj", "v 0 0 1e39\n", "a.obj: line 1: a coordinate of the vertex is not finite"},
    {"a.obj", "v 0 0 0\nf 1 1\n", "a.obj: line 2: a face has 2 corners, it needs three"},
    {"a.obj", "f\n", "a.obj: line 1: a face has 0 corners, it needs three"},
    {"a.obj", "v 0 0 0\nf 1 1 2\nv 1 1 1\n",
     "line 2: the face names vertex 2, up to here there are 1"},
    {"a.obj", "v 0 0 0\nf 1 1 -2\n", "the face names vertex -2, up to here there are 1"},
    {"a.obj", "v 0 0 0\nf 1 1 0\n", "the face names vertex 0, up to here there are 1"},
    {"a.obj", "v 0 0 0\nf 1 1 99999999999999999999999\n", "up to here there are 1"},
    {"a.obj", "v 0 0 0\nf 1 1 1.5\n", "a.obj: line 2: '1.5' is no corner of a face"},
    {"a.obj", "v 0 0 0\nf 1 1 1/2/3/4\n", "a.obj: line 2: '1/2/3/4' is no corner of a face"},
    {"a.obj", "v 0 0 0\nf 1 1 /1\n", "a.obj: line 2: '/1' is no corner of a face"},
    {"a.obj", "v 0 0 0\n", "a.obj: has no triangles"},
    {"a.obj", "", "a.obj: is empty"},
    {"a.ply", "ply\nformat ascii 1.0\nelement vertex 3\n", "a.ply: line 4: ends within the header"},
    {"a.ply", "ply\n", "a.ply: line 2: ends within the header"},
    {"a.ply", "ply\nformat middle_endian 1.0\n", "line 2: 'middle_endian' is no format of PLY"},
    {"a.ply", PLY_TOP "element vertex -3\n", "line 3: '-3' is no count of elements"},
    {"a.ply", PLY_TOP "element vertex nan\n", "line 3: 'nan' is no count of elements"},
    {"a.ply", PLY_TOP "element vertex 1e30\n", "line 3: '1e30' is no count of elements"},
    {"a.ply", PLY_TOP "element vertex\n", "line 3: ends before the count of an element"},
    {"a.ply", PLY_HEAD "element vertex 3\n",
     "line 7: 'vertex' is an element that is there already"},
    {"a.ply", PLY_HEAD "property float x\n", "line 7: 'x' is a property that is there already"},
    {"a.ply", PLY_HEAD "property half w\n", "line 7: 'half' is no type of PLY"},
    {"a.ply", PLY_HEAD "property list uchar half w\n", "line 7: 'half' is no type of PLY"},
    {"a.ply", PLY_TOP "property float x\n", "line 3: a property comes before the first element"},
    {"a.ply", PLY_TOP "propperty float x\n", "line 3: 'propperty' is no word of a PLY header"},
    {"a.ply", "ply\nelement vertex 1\nproperty int x\nend_header\n", "does not say the format"},
    {"a.ply", PLY_TOP "end_header\n", "the header has no element vertex with x, y and z"},
    {"a.ply", PLY_HEAD "end_header\n", "the header has no element face with a list vertex_indices"},
    {"a.ply",
     PLY_HEAD "element face 4000000000\nproperty list uchar int vertex_index\nend_header\n0 0 0\n"
              "1 0 0\n0 1 0\n",
     "a.ply: is cut short: 4000000000 elements of a kind cannot lie in the 18 bytes"},
    {"a.ply", PLY_HEAD PLY_FACE "0.0 0.0 0.0\n1 0 0\n0 1", "line 12: ends before a value"},
    {"a.ply", PLY_HEAD PLY_FACE "0 0 0\n1 0 x\n0 1 0\n3 0 1 2", "line 11: 'x' is not a number"},
    {"a.ply", PLY_HEAD PLY_FACE "0 0 0\n1 0 nan\n0 1 0\n3 0 1 2",
     "line 11: a coordinate of the vertex is not finite"},
    {"a.ply", PLY_HEAD PLY_FACE "0 0 0\n1 0 0\n0 1 0\n3 0 1 3",
     "line 13: a face names vertex 3, there are 3"},
    {"a.ply", PLY_HEAD PLY_FACE "0 0 0\n1 0 0\n0 1 0\n3 0 1 -1", "a face names vertex -1"},
    {"a.ply", PLY_HEAD PLY_FACE "0 0 0\n1 0 0\n0 1 0\n3 0 1 0.5", "a face names vertex 0.5"},
    {"a.ply", PLY_HEAD PLY_FACE "0 0 0\n1 0 0\n0 1 0\n2 0 1",
     "a face has fewer than three corners"},
    {"a.ply", PLY_HEAD PLY_FACE "0 0 0\n1 0 0\n0 1 0\n99 0 1 2",
     "line 13: the length of a list is no count, or more than the file can hold"},
    {"a.ply", PLY_HEAD PLY_FACE "0 0 0\n1 0 0\n0 1 0\n3 0 1", "line 13: ends before a value"},
    {"a.ply",
     PLY_TOP "element face 1\nproperty list uchar int vertex_indices\nelement vertex 3\n"
             "property float x\nproperty float y\nproperty float z\nend_header\n"
             "3 0 1 2\n0 0 0\n1 0 0\n0 1 0\n",
     "its faces come before its vertices"},
    {"a.stl", "solid\nfacet normal 0 0\n", "a.stl: line 3: ends where 'outer' should follow"},
    {"a.stl", FACET "vertex 0 0 0\nvertex 1 0 0\nendloop\n",
     "a.stl: line 6: 'endloop' stands where 'vertex' should"},
    {"a.stl", FACET "vertex 0 0 zero\n",
     "line 4: 'zero' is not a number, as a coordinate has to be"},
    {"a.stl", FACET "vertex 0 0 nan\n", "line 4: a coordinate of the corner is not finite"},
    {"a.stl", FACET "vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop endfacet",
     "line 4: ends where 'facet' or 'endsolid' should follow"},
    {"a.stl", "solid\nfacets\n", "line 2: 'facets' stands where 'facet' or 'endsolid' should"},
    {"a.stl", "solid\nendsolid\nfacet\n", "line 3: 'facet' stands where 'solid' should"},
    {"a.stl", "solid\nendsolid\n", "a.stl: has no triangles"},
    {"a.stl", "nonsense", "a.stl: byte 8: ends within the header of a binary STL"},
    {"a.dae", "<?xml version='1.0'?>", "OBJ (by its ending .obj), PLY and STL"},
    {"a.ply", "plyometrics", "a.ply: is no mesh that Rill knows"},
};

TEST(a_broken_file_is_refused_with_a_sentence_that_says_where)
{
    for (size_t k = 0; k < sizeof broken_files / sizeof *broken_files; k++) {
        const struct broken *b = &broken_files[k];
        counter count = {0};
        const rill_host host = counting_host(&count);
        rl_mesh_data data;
        const rill_status status =
            rl_mesh_parse(&host.allocator, b->name, b->content, strlen(b->content), &data);
        if (status != RILL_BAD_FILE)
            fail_msg("status %s for: %s", rill_status_name(status), b->content);
        assert_sentence_has(b->sentence);
        assert_null(data.vertices);
        assert_int_equal(count.bytes, 0);
    }
}

TEST(a_number_that_is_not_finite_in_a_binary_file_is_named_with_its_byte)
{
    rl_mesh_data data;
    text t = {.count = 0};
    put_stl_binary(&t, "");
    memcpy(t.bytes + 84 + 50 + 12 + 24, "\x00\x00\xc0\x7f", 4);
    assert_int_equal(rl_mesh_parse(NULL, "a.stl", t.bytes, t.count, &data), RILL_BAD_FILE);
    assert_sentence_has("a.stl: byte 170: a coordinate of the corner is not finite");
    // The header's number is not believed.
    memcpy(t.bytes + 80, "\xff\xff\xff\xff", 4);
    assert_int_equal(rl_mesh_parse(NULL, "a.stl", t.bytes, t.count, &data), RILL_BAD_FILE);
    assert_sentence_has(
        "a.stl: byte 80: the header of a binary STL announces 4294967295 triangles, "
        "which take 214748364834 bytes, and the file has 284");
}

// Every way of cutting a file short ends in an error or, where only what nobody reads is missing,
// in the whole mesh.
TEST(a_file_that_is_cut_short_anywhere_is_refused)
{
    static const char *const names[] = {"a.ply", "a.ply", "a.ply", "a.stl", "a.stl"};
    for (size_t kind = 0; kind < 5; kind++) {
        text t = {.count = 0};
        size_t needed = 0;
        if (kind < 2) {
            put_ply_binary(&t, kind == 1);
            needed = t.count - 4; // the edges behind
        } else if (kind == 2) {
            put_ply_text(&t, "\n");
            needed = t.count;
        } else if (kind == 3) {
            put_stl_binary(&t, "");
            needed = t.count;
        } else {
            put_stl_text(&t, 0, 4);
            needed = t.count - strlen(" a name of words\n");
        }
        for (size_t count = 0; count <= t.count; count++) {
            // An exact copy, so that the sanitizers see a byte too far.
            unsigned char *copy = malloc(count + (count == 0));
            assert_non_null(copy);
            memcpy(copy, t.bytes, count);
            rl_mesh_data data;
            const rill_status status = rl_mesh_parse(NULL, names[kind], copy, count, &data);
            assert_int_equal(status, count >= needed ? RILL_OK : RILL_BAD_FILE);
            rl_mesh_data_free(NULL, &data);
            free(copy);
        }
    }
}

TEST(a_file_that_cannot_be_read_is_named_with_the_reason)
{
    rl_mesh_data data;
    assert_int_equal(rl_mesh_read(NULL, FOLDER "/missing.obj", &data), RILL_BAD_FILE);
    assert_sentence_has(FOLDER "/missing.obj: cannot be opened: No such file");
    assert_int_equal(rl_mesh_read(NULL, FOLDER, &data), RILL_BAD_FILE);
    assert_sentence_has(FOLDER ": cannot be read: Is a directory");
}

// Only its length is set, so that the disk is not filled.
TEST(a_file_of_more_than_two_gigabytes_is_refused)
{
    rl_mesh_data data;
    FILE *file = fopen(FOLDER "/huge.stl", "wb");
    assert_non_null(file);
    assert_int_equal(fseeko(file, (off_t)RL_MESH_MAX_BYTES, SEEK_SET), 0);
    fputc(0, file);
    fclose(file);
    const rill_status status = rl_mesh_read(NULL, FOLDER "/huge.stl", &data);
    remove(FOLDER "/huge.stl");
    assert_int_equal(status, RILL_BAD_FILE);
    assert_sentence_has("has 2147483649 bytes, at most 2147483648 are read");
}

TEST(without_memory_nothing_is_left_behind)
{
    text t = {.count = 0};
    put_ply_text(&t, "\n");
    write_file(FOLDER "/memory.ply", &t);
    rl_mesh_data data = {0};
    for (int fail_at = 1; data.vertices == NULL; fail_at++) {
        counter count = {.fail_at = fail_at};
        const rill_host host = counting_host(&count);
        const rill_status status = rl_mesh_read(&host.allocator, FOLDER "/memory.ply", &data);
        assert_int_equal(status, data.vertices != NULL ? RILL_OK : RILL_NO_MEMORY);
        rl_mesh_data copy = data;
        rl_mesh_data_free(&host.allocator, &copy);
        assert_int_equal(count.bytes, 0);
        assert_true(fail_at < 50);
    }
}
