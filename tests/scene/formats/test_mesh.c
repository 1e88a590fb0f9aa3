// SPDX-License-Identifier: MIT
// test_mesh.c - what the mesh writers write is read back by readers that know nothing of them: a
// PLY reader that follows its header, and a glTF reader that follows its JSON.
#include "scene/formats/formats.h"
#include "tests/kit/kit.h"

#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER RL_TEST_TMP "/mesh"

static rill_status write_glb(const char *path, const rill_mesh *mesh)
{
    const rill_liquid clear = rill_liquid_preset(0);
    return rl_mesh_write_glb(path, mesh, &clear);
}

typedef rill_status (*writer)(const char *path, const rill_mesh *mesh);
static const writer writers[] = {rl_mesh_write_ply, write_glb};
static const char *const paths[] = {FOLDER "/water.ply", FOLDER "/water.glb"};

// ---- Meshes and files ------------------------------------------------------------------

static const rill_vertex few_vertices[] = {
    {{0.1f, 0.25f, -7.125f}, {0.0f, 0.0f, 1.0f}, {1.5f, -2.5f}, 0.0f, 0.0f},
    {{1e-7f, 123456.789f, 3.0f}, {0.6f, 0.0f, 0.8f}, {0.0f, 1e-20f}, 0.25f, 0.125f},
    {{-5.3f, 1.0f / 3.0f, 1e10f}, {0.0f, -0.6f, 0.8f}, {-0.0f, 3.0f}, 1.0f, 40.0f},
    {{2.0f, 2.0f, 2.0f}, {0.0f, 0.0f, 1.0f}, {7.0f, 8.0f}, 0.5f, 0.3f},
};
static const uint32_t few_indices[] = {0, 1, 2, 2, 1, 3};
static const rill_mesh few = {few_vertices, few_indices, 4, 6, NULL};

// A strip long enough to pass through the buffer several times. Freed with strip_destroy.
static rill_mesh strip_create(size_t vertex_count)
{
    rill_vertex *vertices = calloc(vertex_count, sizeof *vertices);
    uint32_t *indices = calloc(3 * (vertex_count - 2), sizeof *indices);
    assert_true(vertices != NULL && indices != NULL);
    for (size_t k = 0; k < vertex_count; k++)
        vertices[k] = (rill_vertex){{(float)k, (float)(k % 2), (float)k * 0.01f},
                                    {0.0f, 0.0f, 1.0f},
                                    {(float)k * 0.1f, (float)k * -0.1f},
                                    (float)(k % 256) / 255.0f,
                                    (float)k};
    for (size_t k = 0; k < 3 * (vertex_count - 2); k++)
        indices[k] = (uint32_t)(k / 3 + k % 3);
    return (rill_mesh){vertices, indices, vertex_count, 3 * (vertex_count - 2), NULL};
}

static void strip_destroy(rill_mesh mesh)
{
    free((void *)mesh.vertices);
    free((void *)mesh.indices);
}

typedef struct bytes {
    unsigned char *data; // ends with a zero that is not counted
    size_t count;
} bytes;

static bytes read_all(const char *path)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    const size_t count = (size_t)ftell(f);
    rewind(f);
    bytes b = {calloc(count + 1, 1), count};
    assert_non_null(b.data);
    assert_int_equal(fread(b.data, 1, count, f), count);
    fclose(f);
    return b;
}

static size_t files_in_folder(void)
{
    DIR *dir = opendir(FOLDER);
    assert_non_null(dir);
    size_t count = 0;
    for (struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir))
        count += entry->d_name[0] != '.';
    closedir(dir);
    return count;
}

static int make_folder(void **state)
{
    (void)state;
    mkdir(RL_TEST_TMP, 0777);
    mkdir(FOLDER, 0777);
    remove(paths[0]);
    remove(paths[1]);
    return 0;
}

// Least byte first, whatever this machine does.
static uint32_t u32_at(const unsigned char *p)
{
    return (uint32_t)p[0] + 256u * p[1] + 65536u * p[2] + 16777216u * p[3];
}

static float f32_at(const unsigned char *p)
{
    const uint32_t bits = u32_at(p);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static bool same_float(float a, float b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

// ---- PLY -------------------------------------------------------------------------------

// Follows the header line by line; returns the offset of the data.
static size_t read_ply_header(bytes file, size_t *vertices, size_t *faces, char properties[256])
{
    const char *text = (const char *)file.data;
    *vertices = *faces = 0;
    properties[0] = '\0';
    assert_int_equal(strncmp(text, "ply\nformat binary_little_endian 1.0\n", 36), 0);
    while (strncmp(text, "end_header\n", 11) != 0) {
        char name[64];
        sscanf(text, "element vertex %zu", vertices);
        sscanf(text, "element face %zu", faces);
        if (sscanf(text, "property float %63s", name) == 1)
            strcat(strcat(properties, name), " ");
        else if (strncmp(text, "property", 8) == 0)
            assert_int_equal(strncmp(text, "property list uchar uint vertex_indices\n", 40), 0);
        text = strchr(text, '\n');
        assert_non_null(text);
        text++;
    }
    return (size_t)(text + 11 - (const char *)file.data);
}

static void check_ply(const char *path, const rill_mesh *mesh)
{
    const bytes file = read_all(path);
    size_t vertices, faces;
    char properties[256];
    const size_t start = read_ply_header(file, &vertices, &faces, properties);
    assert_int_equal(vertices, mesh->vertex_count);
    assert_int_equal(faces, mesh->index_count / 3);
    assert_string_equal(properties, "x y z nx ny nz velocity_x velocity_y opacity depth ");
    assert_int_equal(file.count, start + vertices * 40 + faces * 13);

    const unsigned char *p = file.data + start;
    for (size_t v = 0; v < vertices; v++, p += 40) {
        const rill_vertex *expected = &mesh->vertices[v];
        for (int k = 0; k < 3; k++) {
            assert_true(same_float(f32_at(p + 4 * k), expected->position[k]));
            assert_true(same_float(f32_at(p + 12 + 4 * k), expected->normal[k]));
        }
        assert_true(same_float(f32_at(p + 24), expected->velocity[0]));
        assert_true(same_float(f32_at(p + 28), expected->velocity[1]));
        assert_true(same_float(f32_at(p + 32), expected->opacity));
        assert_true(same_float(f32_at(p + 36), expected->depth));
    }
    for (size_t f = 0; f < faces; f++, p += 13) {
        assert_int_equal(p[0], 3);
        for (size_t k = 0; k < 3; k++)
            assert_int_equal(u32_at(p + 1 + 4 * k), mesh->indices[3 * f + k]);
    }
    free(file.data);
}

// ---- JSON ------------------------------------------------------------------------------

static const char *skip_space(const char *p)
{
    return p + strspn(p, " \t\r\n");
}

// Past one value of any kind; fails the test on anything that is not JSON.
static const char *skip_value(const char *p)
{
    p = skip_space(p);
    if (*p == '"') {
        for (p++; *p != '"'; p++)
            assert_true(*p >= ' ' && *p != '\\');
        return p + 1;
    }
    if (*p == '{' || *p == '[') {
        const bool object = *p == '{';
        const char end = object ? '}' : ']';
        for (p = skip_space(p + 1); *p != end;) {
            if (object) {
                p = skip_space(skip_value(p));
                assert_int_equal(*p++, ':');
            }
            p = skip_space(skip_value(p));
            assert_true(*p == ',' || *p == end);
            if (*p == ',') {
                p = skip_space(p + 1);
                assert_true(*p != end);
            }
        }
        return p + 1;
    }
    const size_t word = strspn(p, "+-.0123456789eatrufalsn");
    assert_true(word > 0);
    return p + word;
}

// The value at a path such as "meshes.0.name", or NULL.
static const char *find(const char *json, const char *path)
{
    const char *p = skip_space(json);
    while (*path != '\0') {
        const size_t length = strcspn(path, ".");
        const bool object = *p == '{';
        long wanted = object ? -1 : strtol(path, NULL, 10);
        for (p = skip_space(p + 1);; p = skip_space(p + 1)) {
            if (*p == '}' || *p == ']')
                return NULL;
            bool hit = wanted-- == 0;
            if (object) {
                hit = strncmp(p + 1, path, length) == 0 && p[1 + length] == '"';
                p = skip_space(skip_space(skip_value(p)) + 1);
            }
            if (hit)
                break;
            p = skip_space(skip_value(p));
            if (*p != ',')
                return NULL;
        }
        path += length + (path[length] == '.');
    }
    return p;
}

static double number(const char *json, const char *path)
{
    const char *p = find(json, path);
    assert_non_null(p);
    return strtod(p, NULL);
}

// Whether the value is written exactly so.
static bool is(const char *json, const char *path, const char *text)
{
    const char *p = find(json, path);
    assert_non_null(p);
    return strncmp(p, text, strlen(text)) == 0;
}

// ---- glTF ------------------------------------------------------------------------------

// Splits the file into its JSON, which gets a zero at its end, and its data, or NULL for none.
static const unsigned char *split_glb(bytes file, char **json, size_t *data_bytes)
{
    assert_true(file.count >= 20 && memcmp(file.data, "glTF", 4) == 0);
    assert_int_equal(u32_at(file.data + 4), 2);
    assert_int_equal(u32_at(file.data + 8), file.count);
    const size_t length = u32_at(file.data + 12);
    assert_true(length % 4 == 0 && 20 + length <= file.count);
    assert_int_equal(memcmp(file.data + 16, "JSON", 4), 0);
    *json = calloc(length + 1, 1);
    assert_non_null(*json);
    memcpy(*json, file.data + 20, length);
    assert_int_equal(*skip_space(skip_value(*json)), '\0');
    *data_bytes = 0;
    if (20 + length == file.count)
        return NULL;
    const unsigned char *chunk = file.data + 20 + length;
    *data_bytes = u32_at(chunk);
    assert_int_equal(28 + length + *data_bytes, file.count);
    assert_int_equal(*data_bytes % 4, 0);
    assert_int_equal(memcmp(chunk + 4, "BIN\0", 4), 0);
    return chunk + 8;
}

typedef struct accessor {
    const unsigned char *data; // of the first element
    size_t count, stride;
    int component;
    char type[8];
} accessor;

// The accessor that the primitive names under `use`, checked to lie inside its view and buffer.
static accessor accessor_of(const char *json, const char *use, const unsigned char *data,
                            size_t data_bytes)
{
    char path[96];
    snprintf(path, sizeof path, "meshes.0.primitives.0.%s", use);
    const int index = (int)number(json, path);
    snprintf(path, sizeof path, "accessors.%d", index);
    const char *a = find(json, path);
    assert_non_null(a);
    snprintf(path, sizeof path, "bufferViews.%d", (int)number(a, "bufferView"));
    const char *view = find(json, path);
    assert_non_null(view);

    accessor out = {.count = (size_t)number(a, "count"),
                    .component = (int)number(a, "componentType")};
    sscanf(find(a, "type"), "\"%7[A-Z0-9]\"", out.type);
    const size_t components = out.type[0] == 'S' ? 1 : (size_t)(out.type[3] - '0');
    const size_t element = components * (out.component == 5121 ? 1 : 4);
    const size_t within = find(a, "byteOffset") ? (size_t)number(a, "byteOffset") : 0;
    const size_t start = (size_t)number(view, "byteOffset"),
                 length = (size_t)number(view, "byteLength");
    out.stride = find(view, "byteStride") ? (size_t)number(view, "byteStride") : element;
    assert_true(out.count > 0 && (start + within) % 4 == 0 && out.stride % 4 == 0);
    assert_true(within + (out.count - 1) * out.stride + element <= length);
    assert_true(start + length <= data_bytes);
    out.data = data + start + within;
    return out;
}

static void check_floats(const char *json, const char *use, const char *type,
                         const unsigned char *data, size_t data_bytes, const rill_mesh *mesh,
                         size_t member)
{
    const accessor a = accessor_of(json, use, data, data_bytes);
    assert_int_equal(a.component, 5126);
    assert_string_equal(a.type, type);
    assert_int_equal(a.count, mesh->vertex_count);
    const size_t components = type[0] == 'S' ? 1 : (size_t)(type[3] - '0');
    for (size_t v = 0; v < a.count; v++)
        for (size_t k = 0; k < components; k++) {
            float expected;
            memcpy(&expected, (const char *)&mesh->vertices[v] + member + 4 * k, 4);
            assert_true(same_float(f32_at(a.data + v * a.stride + 4 * k), expected));
        }
}

static void check_bounds(const char *json, const rill_mesh *mesh)
{
    for (int k = 0; k < 3; k++) {
        float low = INFINITY, high = -INFINITY;
        for (size_t v = 0; v < mesh->vertex_count; v++) {
            low = fminf(low, mesh->vertices[v].position[k]);
            high = fmaxf(high, mesh->vertices[v].position[k]);
        }
        char path[32];
        snprintf(path, sizeof path, "accessors.0.min.%d", k);
        assert_true((float)number(json, path) == low);
        snprintf(path, sizeof path, "accessors.0.max.%d", k);
        assert_true((float)number(json, path) == high);
    }
}

static void check_glb(const char *path, const rill_mesh *mesh)
{
    const bytes file = read_all(path);
    char *json = NULL;
    size_t count = 0;
    const unsigned char *data = split_glb(file, &json, &count);
    assert_non_null(data);
    assert_true(is(json, "asset.version", "\"2.0\"") && is(json, "asset.generator", "\"rill"));
    assert_int_equal((size_t)number(json, "buffers.0.byteLength"), count);
    assert_int_equal(number(json, "accessors.0.bufferView"), 0); // POSITION, for the bounds
    assert_int_equal(number(json, "meshes.0.primitives.0.attributes.POSITION"), 0);
    check_bounds(json, mesh);
    check_floats(json, "attributes.POSITION", "VEC3", data, count, mesh,
                 offsetof(rill_vertex, position));
    check_floats(json, "attributes.NORMAL", "VEC3", data, count, mesh,
                 offsetof(rill_vertex, normal));
    check_floats(json, "attributes._VELOCITY", "VEC2", data, count, mesh,
                 offsetof(rill_vertex, velocity));
    check_floats(json, "attributes._OPACITY", "SCALAR", data, count, mesh,
                 offsetof(rill_vertex, opacity));
    check_floats(json, "attributes._DEPTH", "SCALAR", data, count, mesh,
                 offsetof(rill_vertex, depth));

    const accessor colour = accessor_of(json, "attributes.COLOR_0", data, count);
    assert_true(colour.component == 5121 && strcmp(colour.type, "VEC4") == 0);
    assert_int_equal(colour.count, mesh->vertex_count);
    for (size_t v = 0; v < colour.count; v++) {
        const float alpha = (float)colour.data[v * colour.stride + 3] / 255.0f;
        assert_true(fabsf(alpha - mesh->vertices[v].opacity) <= 0.5f / 255.0f + 1e-6f);
        assert_int_equal(colour.data[v * colour.stride], 255);
    }
    const accessor indices = accessor_of(json, "indices", data, count);
    assert_true(indices.component == 5125 && strcmp(indices.type, "SCALAR") == 0);
    assert_int_equal(indices.count, mesh->index_count);
    for (size_t k = 0; k < indices.count; k++)
        assert_int_equal(u32_at(indices.data + k * indices.stride), mesh->indices[k]);
    free(json);
    free(file.data);
}

// ---- Tests -----------------------------------------------------------------------------

TEST_EACH(make_folder, NULL);

TEST(a_ply_file_reads_back_as_it_was)
{
    const rill_mesh strip = strip_create(3000);
    assert_int_equal(rl_mesh_write_ply(paths[0], &few), RILL_OK);
    check_ply(paths[0], &few);
    assert_int_equal(rl_mesh_write_ply(paths[0], &strip), RILL_OK);
    check_ply(paths[0], &strip);
    assert_int_equal(files_in_folder(), 1);
    strip_destroy(strip);
}

TEST(a_glb_file_reads_back_as_it_was)
{
    const rill_mesh strip = strip_create(3000);
    assert_int_equal(write_glb(paths[1], &few), RILL_OK);
    check_glb(paths[1], &few);
    assert_int_equal(write_glb(paths[1], &strip), RILL_OK);
    check_glb(paths[1], &strip);
    assert_int_equal(files_in_folder(), 1);
    strip_destroy(strip);
}

TEST(a_glb_file_stands_upright_and_looks_like_water)
{
    assert_int_equal(write_glb(paths[1], &few), RILL_OK);
    const bytes file = read_all(paths[1]);
    char *json = NULL;
    size_t count = 0;
    split_glb(file, &json, &count);
    assert_true(is(json, "materials.0.alphaMode", "\"BLEND\""));
    assert_true(is(json, "materials.0.doubleSided", "true"));
    assert_true(number(json, "materials.0.pbrMetallicRoughness.baseColorFactor.3") < 1.0);
    // The node's matrix, column by column, takes (x, y, z) to (x, z, -y): z up to y up, not
    // mirrored.
    const double expected[16] = {1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1};
    for (int k = 0; k < 16; k++) {
        char path[32];
        snprintf(path, sizeof path, "nodes.0.matrix.%d", k);
        assert_true(number(json, path) == expected[k]);
    }
    free(json);
    free(file.data);
}

TEST(an_empty_mesh_makes_a_valid_file)
{
    const rill_mesh none = {0};
    assert_int_equal(rl_mesh_write_ply(paths[0], &none), RILL_OK);
    check_ply(paths[0], &none);
    assert_int_equal(write_glb(paths[1], &none), RILL_OK);
    const bytes file = read_all(paths[1]);
    char *json = NULL;
    size_t count = 0;
    assert_null(split_glb(file, &json, &count));
    assert_true(is(json, "asset.version", "\"2.0\""));
    assert_null(find(json, "meshes"));
    assert_null(find(json, "accessors"));
    assert_null(find(json, "buffers"));
    free(json);
    free(file.data);
}

TEST(a_mesh_that_no_file_may_hold_is_refused)
{
    const uint32_t beyond[] = {0, 1, 4};
    rill_vertex broken[4];
    memcpy(broken, few_vertices, sizeof broken);
    broken[2].velocity[1] = NAN;
    const rill_mesh bad[] = {{few_vertices, beyond, 4, 3, NULL},
                             {few_vertices, few_indices, 4, 5, NULL},
                             {NULL, few_indices, 4, 6, NULL},
                             {few_vertices, NULL, 4, 6, NULL}};
    for (size_t w = 0; w < 2; w++) {
        for (size_t k = 0; k < 4; k++)
            assert_int_equal(writers[w](paths[w], &bad[k]), RILL_BAD_ARGUMENT);
        assert_int_equal(writers[w](paths[w], NULL), RILL_BAD_ARGUMENT);
        assert_int_equal(writers[w](NULL, &few), RILL_BAD_ARGUMENT);
        assert_int_equal(writers[w]("", &few), RILL_BAD_ARGUMENT);
    }
    const rill_mesh infinite = {broken, few_indices, 4, 6, NULL};
    assert_int_equal(write_glb(paths[1], &infinite), RILL_BAD_ARGUMENT);
    assert_non_null(strstr(rill_last_error(), "vertex 2"));
    assert_int_equal(files_in_folder(), 0);
}

TEST(a_path_that_cannot_be_written_is_named_with_the_reason)
{
    for (size_t w = 0; w < 2; w++) {
        assert_int_equal(writers[w](FOLDER "/missing/water", &few), RILL_WRITE_FAILED);
        assert_non_null(strstr(rill_last_error(), FOLDER "/missing/water"));
        assert_non_null(strstr(rill_last_error(), "No such file or directory"));
        // A folder in the way: the file can be written beside it but not take its place.
        assert_int_equal(mkdir(paths[w], 0777), 0);
        assert_int_equal(writers[w](paths[w], &few), RILL_WRITE_FAILED);
        assert_non_null(strstr(rill_last_error(), "directory"));
        assert_int_equal(files_in_folder(), 1);
        assert_int_equal(rmdir(paths[w]), 0);
    }
}

TEST(a_full_disk_leaves_the_old_file_and_nothing_else)
{
    const rill_mesh strip = strip_create(3000);
    for (size_t w = 0; w < 2; w++) {
        remove(paths[1 - w]);
        assert_int_equal(writers[w](paths[w], &few), RILL_OK);
        // Files of this process may not grow past 50 kB for a moment.
        struct rlimit before, tight;
        assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
        tight = before;
        tight.rlim_cur = 50000;
        void (*const handler)(int) = signal(SIGXFSZ, SIG_IGN);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
        const rill_status status = writers[w](paths[w], &strip);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        signal(SIGXFSZ, handler);
        assert_int_equal(status, RILL_WRITE_FAILED);
        assert_non_null(strstr(rill_last_error(), "File too large"));
        assert_int_equal(files_in_folder(), 1);
        (w == 0 ? check_ply : check_glb)(paths[w], &few);
    }
    strip_destroy(strip);
}
