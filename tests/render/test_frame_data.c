// SPDX-License-Identifier: MIT
// test_frame_data.c - frame data are a true copy of what a picture needs, and taking them leaves
// the world as it was.
#include "render/frame/frame_data.h"
#include "render/half.h"
#include "tests/kit/kit.h"
#include "tests/kit/solids.h"
#include "tests/kit/worlds.h"

#include "rill/world.h"

#define SIDE 24

// A slope down to the east with a pond against its wall.
static rill_world *make_slope_world(void)
{
    static float bed[SIDE * SIDE];
    for (int n = 0; n < SIDE * SIDE; n++)
        bed[n] = 2.0f - 0.1f * (float)(n % SIDE);
    rill_world_def def = lake_def(SIDE, SIDE, 0.5, 1.0);
    def.bed = (rill_field_view){bed, SIDE, SIDE, SIDE};
    return make_world(&def);
}

typedef struct studio {
    rill_world *world;
    frame_capture *capture;
    frame_data *picture;
} studio;

// The world is the studio's from now on.
static studio open_studio(rill_world *world, const rill_view *view)
{
    studio s = {.world = world};
    assert_ok(frame_capture_create(s.world, view, &s.capture));
    assert_ok(frame_data_create(s.capture, &s.picture));
    assert_ok(frame_data_fill(s.capture, s.world, s.picture));
    return s;
}

static void studio_destroy(studio *s)
{
    frame_data_destroy(&s->picture);
    frame_capture_destroy(&s->capture);
    rill_world_destroy(&s->world);
}

static float float_of_half(uint32_t h)
{
    // By the definition of binary16, in double.
    const int exponent = (int)(h >> 10 & 31u);
    const double mantissa = h & 1023u;
    const double value =
        exponent == 0 ? ldexp(mantissa, -24) : ldexp(1024.0 + mantissa, exponent - 25);
    return (float)((h & 0x8000u) != 0 ? -value : value);
}

TEST(every_half_survives_the_way_to_float_and_back)
{
    for (uint32_t h = 0; h < 0x10000u; h++) {
        if ((h >> 10 & 31u) == 31u)
            continue; // infinities and NaN
        assert_true(half_to_float((uint16_t)h) == float_of_half(h));
        assert_int_equal(half_from_float(float_of_half(h)), h);
    }
}

TEST(a_float_becomes_the_nearest_half)
{
    for (uint32_t h = 0; h < 0x7bffu; h++) {
        const float low = float_of_half(h), high = float_of_half(h + 1);
        const float middle = 0.5f * (low + high); // exact: one bit more
        assert_int_equal(half_from_float(middle), h % 2 == 0 ? h : h + 1);
        assert_int_equal(half_from_float(nextafterf(middle, low)), h);
        assert_int_equal(half_from_float(nextafterf(middle, high)), h + 1);
        assert_int_equal(half_from_float(-middle), 0x8000u | (h % 2 == 0 ? h : h + 1));
    }
    assert_int_equal(half_from_float(1e30f), 0x7bff);
    assert_int_equal(half_from_float(INFINITY), 0x7bff);
}

TEST(taking_stills_leaves_the_world_as_it_was)
{
    SCOPED(studio) s = open_studio(make_slope_world(), NULL);
    SCOPED(rill_world) *alone = make_slope_world();
    for (int frame = 0; frame < 30; frame++) {
        rill_world_pour(s.world, 2.0, 6.0, 1.0, 0.05, NULL);
        rill_world_pour(alone, 2.0, 6.0, 1.0, 0.05, NULL);
        assert_ok(rill_world_step(s.world, 1.0 / 60.0));
        assert_ok(rill_world_step(alone, 1.0 / 60.0));
        assert_ok(frame_data_fill(s.capture, s.world, s.picture));
        assert_true(rill_world_hash(s.world) == rill_world_hash(alone));
    }
}

TEST(a_still_holds_the_columns_of_its_world)
{
    SCOPED(studio) s = open_studio(make_slope_world(), NULL);
    const rill_columns c = rill_world_columns(s.world);
    assert_int_equal(s.picture->nx, SIDE);
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++) {
            const float depth = c.depth[(size_t)j * c.pitch + (size_t)i];
            const frame_column *column = &s.picture->columns[j * SIDE + i];
            // Half the spacing of halves at the depth, 2^-11 of it.
            assert_true(fabsf(half_to_float(column->depth) - depth) <= depth * 0x1p-11f);
            assert_true(s.picture->bed[j * SIDE + i] == c.base[(size_t)j * c.pitch + (size_t)i]);
        }
}

TEST(a_vertex_of_a_still_is_that_of_the_surface)
{
    SCOPED(studio) s = open_studio(make_slope_world(), NULL);
    const rill_surface_def def = rill_default_surface_def();
    SCOPED(rill_surface) *surface = NULL;
    assert_ok(rill_surface_create(s.world, &def, &surface));
    assert_ok(rill_surface_build(surface, s.world));
    const rill_mesh mesh = rill_surface_mesh(surface);
    assert_true(mesh.vertex_count > 0);
    assert_int_equal(s.picture->vertex_count, mesh.vertex_count);
    assert_int_equal(s.picture->index_count, mesh.index_count);
    assert_memory_equal(s.picture->indices, mesh.indices, mesh.index_count * sizeof(uint32_t));
    for (size_t n = 0; n < mesh.vertex_count; n++) {
        const frame_vertex *v = &s.picture->vertices[n];
        assert_memory_equal(v->position, mesh.vertices[n].position, sizeof v->position);
        for (int k = 0; k < 2; k++)
            assert_true(fabsf((float)v->normal[k] / 32767.0f - mesh.vertices[n].normal[k]) < 2e-5f);
        assert_true(fabsf(half_to_float(v->opacity) - mesh.vertices[n].opacity) < 1e-3f);
    }
}

TEST(a_probe_of_a_still_agrees_with_that_of_the_columns)
{
    SCOPED(studio) s = open_studio(make_slope_world(), NULL);
    const rill_columns c = rill_world_columns(s.world);
    for (double x = -1.0; x < 14.0; x += 0.37) {
        const rill_probe a = frame_data_probe(s.picture, x, 5.3);
        const rill_probe b = rill_columns_probe(&c, 0, x, 5.3);
        assert_true(fabsf(a.base - b.base) < 1e-5f);
        assert_true(fabsf(a.depth - b.depth) < 1e-3f);
    }
}

TEST(a_ray_meets_the_water_and_the_ground_where_they_are)
{
    SCOPED(studio) s = open_studio(make_slope_world(), NULL);
    const double down[3] = {0.0, 0.0, -1.0};
    const double above_pond[3] = {11.0, 6.0, 30.0}, above_slope[3] = {2.0, 6.0, 30.0};
    double hit[3];
    assert_true(frame_data_hit(s.picture, above_pond, down, hit));
    assert_true(fabs(hit[2] - 1.0) < 1e-3);
    assert_true(frame_data_hit(s.picture, above_slope, down, hit));
    assert_true(fabs(hit[2] - (2.0 - 0.1 * (2.0 / 0.5 - 0.5))) < 1e-3);
    // Slanting: down to the east at 45 degrees from (0, 6, 3): z = 3 - x meets 2.05 - 0.2 x.
    const double slant[3] = {sqrt(0.5), 0.0, -sqrt(0.5)}, from[3] = {0.0, 6.0, 3.0};
    assert_true(frame_data_hit(s.picture, from, slant, hit));
    assert_true(fabs(hit[0] - 0.95 / 0.8) < 1e-2);
    const double up[3] = {0.0, 0.0, 1.0}, away[3] = {-1.0, 0.0, 0.0};
    assert_false(frame_data_hit(s.picture, above_pond, up, hit));
    assert_false(frame_data_hit(s.picture, (const double[3]){-1.0, 6.0, 3.0}, away, hit));
}

TEST(ground_that_the_water_has_left_dries)
{
    SCOPED(studio) s = open_studio(make_slope_world(), NULL);
    double taken = 0.0;
    assert_true(half_to_float(s.picture->columns[12 * SIDE + 20].wetness) == 1.0f);
    assert_true(half_to_float(s.picture->columns[12 * SIDE + 2].wetness) == 0.0f);
    rill_world_pour(s.world, 6.0, 6.0, 20.0, -1e6, &taken);
    assert_true(taken < 0.0);
    // One time constant of forty seconds.
    run_world(s.world, 40, 1.0);
    assert_ok(frame_data_fill(s.capture, s.world, s.picture));
    assert_true(
        fabs((double)half_to_float(s.picture->columns[12 * SIDE + 20].wetness) - exp(-1.0)) < 1e-3);
}

TEST(a_changed_bed_is_carried_when_the_taker_is_told)
{
    SCOPED(studio) s = open_studio(make_slope_world(), NULL);
    const uint64_t before = s.picture->ground_version;
    const rill_brush brush = {RILL_BRUSH_RAISE, 6.0, 6.0, 2.0, 1.0};
    assert_ok(rill_world_edit_terrain(s.world, &brush));
    frame_capture_ground_changed(s.capture);
    assert_ok(frame_data_fill(s.capture, s.world, s.picture));
    assert_true(s.picture->ground_version > before);
    assert_true(s.picture->bed[12 * SIDE + 12] > 1.5f);
}

// ---- Solid ground ----------------------------------------------------------------------

// A floor with a ball half in it, under a pond.
static rill_world *make_solid_world(void)
{
    SCOPED(rill_solid) *solid = make_air(SIDE, SIDE, 0.5, 5.0);
    combine(solid, placed(RILL_SDF_PLANE, 0.0, 0.0, 1.1), RILL_COMBINE_UNION);
    combine(solid, ball_at(6.0, 6.0, 1.1, 2.0), RILL_COMBINE_UNION);
    rill_world_def def = lake_def(SIDE, SIDE, 0.5, 1.9);
    def.solver = RILL_SOLVER_LAYERS;
    def.solid = solid;
    return make_world(&def);
}

TEST(a_still_carries_the_triangles_of_a_solid_ground)
{
    SCOPED(studio) s = open_studio(make_solid_world(), NULL);
    const rill_ground_mesh mesh = rill_world_ground_mesh(s.world);
    assert_true(mesh.version != 0 && s.picture->solid_version != 0);
    assert_int_equal(s.picture->ground_vertex_count, mesh.vertex_count);
    assert_int_equal(s.picture->ground_index_count, mesh.index_count);
    assert_memory_equal(s.picture->ground_indices, mesh.indices, mesh.index_count * 4);
    for (size_t n = 0; n < mesh.vertex_count; n++) {
        const frame_ground *v = &s.picture->ground_vertices[n];
        assert_memory_equal(v->position, mesh.vertices[n].position, sizeof v->position);
        for (int k = 0; k < 3; k++)
            assert_true(fabsf((float)v->normal[k] / 32767.0f - mesh.vertices[n].normal[k]) < 2e-5f);
        assert_true(v->openness >= 0);
    }
}

TEST(a_cut_is_carried_without_telling_the_taker)
{
    SCOPED(studio) s = open_studio(make_solid_world(), NULL);
    const uint64_t solid = s.picture->solid_version, ground = s.picture->ground_version;
    const float before = s.picture->bed[12 * SIDE + 12];
    assert_ok(frame_data_fill(s.capture, s.world, s.picture));
    assert_true(s.picture->solid_version == solid && s.picture->ground_version == ground);
    rill_sdf_primitive hole = rill_default_sdf_primitive(RILL_SDF_SPHERE);
    set3(hole.position, 6.0, 6.0, 3.1);
    hole.radius = 1.2;
    assert_ok(rill_world_combine(s.world, &hole, RILL_COMBINE_SUBTRACT, 0.0));
    assert_ok(frame_data_fill(s.capture, s.world, s.picture));
    assert_true(s.picture->solid_version != solid && s.picture->ground_version != ground);
    assert_true(s.picture->bed[12 * SIDE + 12] < before - 0.5f);
}

TEST(a_view_with_a_meniscus_gives_one_to_every_vertex)
{
    rill_view view = rill_default_view();
    SCOPED(studio) s = open_studio(make_solid_world(), &view);
    assert_false(s.picture->has_meniscus);
    studio_destroy(&s);
    view.meniscus = 1.0;
    view.contact_angle = 30.0;
    s = open_studio(make_solid_world(), &view);
    assert_true(s.picture->has_meniscus);
    float most = 0.0f;
    for (size_t n = 0; n < s.picture->vertex_count; n++) {
        const float share = half_to_float(s.picture->meniscus[n].share);
        assert_true(share >= 0.0f && share <= 1.0f);
        most = fmaxf(most, share);
    }
    assert_true(most > 0.3f); // around the ball, which stands out of the pond
}
