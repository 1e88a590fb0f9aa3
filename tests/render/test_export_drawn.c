// SPDX-License-Identifier: MIT
// test_export_drawn.c - a mesh that a run exports is the mesh that is drawn: the same vertices, the
// same opacity, and the colour of the scene's liquid.
#include "render/frame/frame_data.h"
#include "render/half.h"
#include "tests/kit/kit.h"

#include "rill/export.h"
#include "rill/scene.h"

#define GLB RL_TEST_TMP "/drawn.glb"
#define PLY RL_TEST_TMP "/drawn.ply"

// Writes the surface of `world` as `rill run` does.
static void export(const rill_scene *scene, rill_world *world, const char *name, const char *path)
{
    const rill_view view = rill_scene_view(scene);
    const rill_surface_def def = rill_view_surface_def(&view, world);
    SCOPED(rill_surface) *surface = NULL;
    assert_ok(rill_surface_create(world, &def, &surface));
    assert_ok(rill_surface_build(surface, world));
    const rill_mesh mesh = rill_surface_mesh(surface);
    const rill_export_frame frame = {.scene = scene, .world = world, .mesh = &mesh};
    int count, written = 0;
    const rill_export_format *formats = rill_export_formats(&count);
    for (int k = 0; k < count; k++)
        if (strcmp(formats[k].name, name) == 0) {
            assert_true(formats[k].needs_mesh);
            assert_ok(formats[k].write(&frame, path));
            written++;
        }
    assert_int_equal(written, 1);
}

static unsigned char *read_all(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *bytes = (size_t)ftell(file);
    rewind(file);
    unsigned char *data = malloc(*bytes + 1);
    assert_non_null(data);
    assert_int_equal(fread(data, 1, *bytes, file), *bytes);
    data[*bytes] = '\0';
    fclose(file);
    return data;
}

static uint32_t read_u32(const unsigned char *from)
{
    uint32_t value;
    memcpy(&value, from, sizeof value);
    return value;
}

// The colour of the material against that of a deep layer of the liquid (Kubelka and Munk).
static void check_colour(const char *json, const rill_liquid *liquid, double alpha)
{
    const char *at = strstr(json, "\"baseColorFactor\":[");
    double rgba[4];
    assert_non_null(at);
    assert_int_equal(
        sscanf(strchr(at, '[') + 1, "%lf,%lf,%lf,%lf", &rgba[0], &rgba[1], &rgba[2], &rgba[3]), 4);
    for (int k = 0; k < 3; k++) {
        const double q = 2.0 * (double)(liquid->absorption[k] / liquid->scattering[k]);
        assert_true(fabs(rgba[k] - (1.0 + q - sqrt(q * q + 2.0 * q))) < 1e-4);
    }
    assert_true(rgba[3] >= alpha && rgba[3] <= 1.0);
}

// Vertices, triangles and the alpha of each vertex against the frame data. Returns the largest
// alpha.
static int check_mesh(const unsigned char *data, const frame_data *s)
{
    const unsigned char *bin = data + 20 + read_u32(data + 12) + 8;
    const size_t bytes = read_u32(bin - 8);
    assert_int_equal(bytes, s->vertex_count * 44 + s->index_count * 4);
    int largest = 0;
    for (size_t n = 0; n < s->vertex_count; n++) {
        const unsigned char *colour = bin + s->vertex_count * 40 + n * 4;
        const double opacity = (double)half_to_float(s->vertices[n].opacity);
        assert_true(fabs(colour[3] - 255.0 * opacity) <= 1.0);
        assert_memory_equal(bin + n * 40, s->vertices[n].position, 12);
        largest = colour[3] > largest ? colour[3] : largest;
    }
    return largest;
}

static void check_scene(const char *name, const char *liquid, double seconds, int least_alpha)
{
    SCOPED(rill_scene) *scene = NULL;
    SCOPED(rill_world) *world = NULL;
    assert_ok(rill_scene_open(name, NULL, 0, NULL, &scene));
    assert_ok(rill_scene_create_world(scene, 2, &world));
    const rill_scene_info info = rill_scene_describe(scene);
    for (double t = 0.0; t < seconds; t += info.frame)
        assert_ok(rill_world_step(world, info.frame));

    const rill_view view = rill_scene_view(scene);
    assert_string_equal(view.liquid.name, liquid);
    SCOPED(frame_capture) *capture = NULL;
    SCOPED(frame_data) *s = NULL;
    assert_ok(frame_capture_create(world, &view, &capture));
    assert_ok(frame_data_create(capture, &s));
    assert_ok(frame_data_fill(capture, world, s));
    assert_true(s->vertex_count > 100);

    export(scene, world, "gltf", GLB);
    size_t bytes;
    FREED(unsigned char) *data = read_all(GLB, &bytes);
    check_colour((const char *)data + 20, &view.liquid, 0.95);
    assert_true(check_mesh(data, s) >= least_alpha);
    free(data);

    export(scene, world, "ply", PLY);
    data = read_all(PLY, &bytes);
    char counted[64];
    snprintf(counted, sizeof counted, "element vertex %zu\n", s->vertex_count);
    assert_non_null(strstr((const char *)data, counted));
}

TEST(exported_blood_is_the_drawn_blood)
{
    check_scene("surgery", "blood", 1.0, 128);
}

TEST(exported_coffee_is_the_drawn_coffee)
{
    check_scene("coffee", "coffee", 0.2, 128);
}
