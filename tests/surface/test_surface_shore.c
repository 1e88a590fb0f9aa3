// SPDX-License-Identifier: MIT
// test_surface_shore.c - where liquid ends: the shore within a cell, least heights over bumps, the
// meniscus along solids.
#include "tests/kit/kit.h"
#include "tests/surface/houses.h"

// ---- The shore within a cell -----------------------------------------------------------

// How far a front that comes from x = 0 over ground that falls by `slope` a cell reaches along the
// middle of a strip: up to its last vertex, or to where it goes into the ground before that.
static float reach(rill_mesh m, float slope)
{
    const rill_vertex *end = NULL, *wet = NULL;
    for (size_t k = 0; k < m.vertex_count; k++) {
        const rill_vertex *v = &m.vertices[k];
        if (fabsf(v->position[1] - 1.5f) > 1e-6f)
            continue;
        if (end == NULL || v->position[0] > end->position[0])
            end = v;
        if (v->depth > 0.0f && (wet == NULL || v->position[0] > wet->position[0]))
            wet = v;
    }
    assert_true(end != NULL && wet != NULL);
    const float over_wet = wet->position[2] + slope * (wet->position[0] - 0.5f);
    const float over_end = end->position[2] + slope * (end->position[0] - 0.5f);
    const float part = over_end < 0.0f ? over_wet / (over_wet - over_end) : 1.0f;
    return wet->position[0] + part * (end->position[0] - wet->position[0]);
}

static void set_front(house *h, int wet, float last, float slope)
{
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 10; i++)
            set_cell(h, i, j, -slope * (float)i, NULL, 0,
                     (const float[]){i < wet    ? 0.125f
                                     : i == wet ? last
                                                : 0.0f});
}

// The next cell fills from nothing: the line must not jump, neither while it counts as dry nor when
// it becomes wet. Part of the way t = f / (f + c (1 - d / w)), with f = 1/8 and c = 1/20, changes
// by at most c / f = 0.4 times the change of d / w; and by 1 / c = 20 times the change of d when it
// is wet. t keeps a hundredth away from either end. Over ground that rises by r the line is at d /
// r up to d = r, and then at f / (f + c (1 - r / d)), whose slope is at most c / r^2 = 125.
TEST(the_line_of_a_front_moves_without_a_jump)
{
    const struct {
        float slope, steepest;
    } cases[3] = {{0.0f, 20.0f}, {0.5f, 20.0f}, {-0.02f, 125.0f}};
    for (int n = 0; n < 3; n++) {
        SCOPED(house) *h = house_create(10, 3, 1.0f);
        const float slope = cases[n].slope, w = h->columns.wet_depth;
        const rill_surface_def fine = {.opaque_depth = 0.5f, .fine_shore = 1};
        float before = 0.0f, first = 0.0f;
        for (int k = 0; k <= 400; k++) {
            // 100 steps up to the depth from which on it is wet, 300 more up to 0.06.
            const float depth = k <= 100 ? w * (float)k / 100.0f : w + 2e-4f * (float)(k - 100);
            set_front(h, 5, depth, slope);
            const float now = reach(build(h, fine), slope);
            const float most = k <= 100 ? 0.4f / 100.0f : cases[n].steepest * 2e-4f;
            if (k > 0)
                assert_true(fabsf(now - before) <= most + (k == 101 ? 0.021f : 1e-3f));
            first = k == 0 ? now : first;
            before = now;
        }
        assert_true(first > 5.0f && first < 5.5f && before > 5.9f);
        // A coarse shore jumps by a cell.
        if (slope >= 0.0f) {
            set_front(h, 5, w, slope);
            const float coarse = reach(build(h, bare), slope);
            set_front(h, 5, 1.01f * w, slope);
            assert_true(reach(build(h, bare), slope) - coarse == 1.0f);
        }
    }
}

TEST(a_fine_shore_ends_on_the_ground)
{
    SCOPED(house) *h = house_create(10, 3, 1.0f);
    set_front(h, 5, 0.0f, 0.5f);
    const rill_surface_def fine = {.opaque_depth = 0.5f, .fine_shore = 1};
    const rill_mesh m = build(h, fine);
    const float x = reach(m, 0.5f);
    assert_non_null(vertex_at(m, x, 1.5f, -0.5f * (x - 0.5f)));
    check(h, "front");
}

// A column that has just become wet is not lifted to the least thickness at once.
TEST(the_least_thickness_comes_gradually_at_a_fine_shore)
{
    SCOPED(house) *h = house_create(10, 3, 1.0f);
    const float w = h->columns.wet_depth;
    set_front(h, 5, 1.01f * w, 0.0f);
    assert_non_null(vertex_at(build(h, full), 5.5f, 1.5f, 0.0f));
    set_front(h, 5, 20.0f * w, 0.0f);
    assert_non_null(vertex_at(build(h, full), 5.5f, 1.5f, 0.05f));
}

// Two wet columns across from each other: their sheets touch when they come far enough.
TEST(sheets_across_a_corner_touch_when_they_are_deep)
{
    const rill_surface_def fine = {.opaque_depth = 0.5f, .fine_shore = 1};
    for (int deep = 0; deep < 2; deep++) {
        SCOPED(house) *h = house_create(2, 2, 1.0f);
        const float depth = deep ? 0.25f : 0.01f; // t is 5/6 and 1/6
        for (int k = 0; k < 4; k++)
            set_cell(h, k % 2, k / 2, 0.0f, NULL, 0,
                     (const float[]){k == 0 || k == 3 ? depth : 0.0f});
        const rill_mesh m = build(h, fine);
        const rill_vertex *a = vertex_at(m, 0.5f, 0.5f, depth),
                          *c = vertex_at(m, 1.5f, 1.5f, depth);
        assert_true(a != NULL && c != NULL && joined(m, a, c) == deep);
        check(h, "corner");
    }
}

// Where ends of sheets are more than the room for them, the shore becomes coarse.
TEST(too_many_ends_make_a_coarse_shore)
{
    enum { N = 300 };
    float *base = calloc(2 * N * N, sizeof *base), *depth = base + N * N;
    assert_non_null(base);
    for (int k = 0; k < N * N; k++)
        depth[k] = (k % N + k / N) % 2 ? 0.5f : 0.0f;
    const rill_columns c = {N, N, 1, N, N * N, 1.0f, 1e-4f, base, depth, base, base, NULL, NULL};
    SCOPED(rl_surface) *fine = NULL, *coarse = NULL;
    const rill_surface_def def = {.opaque_depth = 0.5f, .fine_shore = 1};
    assert_ok(rl_surface_create(NULL, N, N, 1, &def, &fine));
    assert_ok(rl_surface_create(NULL, N, N, 1, &bare, &coarse));
    assert_ok(rl_surface_build(fine, &c, serial));
    assert_ok(rl_surface_build(coarse, &c, serial));
    const rill_mesh a = rl_surface_mesh(fine), b = rl_surface_mesh(coarse);
    assert_int_equal(a.vertex_count, b.vertex_count);
    assert_memory_equal(a.vertices, b.vertices, b.vertex_count * sizeof *b.vertices);
    free(base);
}

// ---- Least heights ---------------------------------------------------------------------

TEST(a_film_is_lifted_over_a_bump_between_the_columns)
{
    SCOPED(house) *h = house_create(6, 6, 1.0f);
    for (int k = 0; k < 36; k++)
        set_cell(h, k % 6, k / 6, 0.0f, NULL, 0, (const float[]){0.01f});
    const rill_ground_vertex bump[3] = {{{3.0f, 3.0f, 0.4f}, {0.0f, 0.0f, 1.0f}, 1.0f},
                                        {{2.5f, 2.5f, 0.0f}, {0.0f, 0.0f, 1.0f}, 1.0f},
                                        {{3.5f, 2.5f, 0.0f}, {0.0f, 0.0f, 1.0f}, 1.0f}};
    const uint32_t indices[3] = {0, 1, 2};
    const rill_ground_mesh ground = {bump, indices, 3, 3, 1};
    build(h, full);
    const double before = (double)rl_surface_memory(h->surface);
    assert_ok(rl_surface_set_ground(h->surface, &ground, &h->columns));
    assert_true((double)rl_surface_memory(h->surface) > before);
    assert_ok(rl_surface_build(h->surface, &h->columns, serial));
    const rill_mesh m = rl_surface_mesh(h->surface);
    float sum = 0.0f, far = 1.0f;
    for (size_t k = 0; k < m.vertex_count; k++) {
        const float *p = m.vertices[k].position;
        if (fabsf(p[0] - 3.0f) < 0.6f && fabsf(p[1] - 3.0f) < 0.6f)
            sum += p[2];
        if (p[0] == 0.5f && p[1] == 0.5f)
            far = p[2];
    }
    assert_true(sum / 4.0f >= 0.4f); // the film passes above the bump
    assert_true(fabsf(far - 0.05f) < 1e-6f);
}

// ---- The meniscus ----------------------------------------------------------------------

static const rill_surface_def capillary = {
    .opaque_depth = 0.5f, .fine_shore = 1, .meniscus_length = 4.0f, .contact_angle = 20.0f};

#define DEGREES (3.14159265358979 / 180.0)

TEST(a_straight_wall_has_exact_distances)
{
    SCOPED(house) *h = house_create(12, 6, 1.0f);
    for (int k = 0; k < 72; k++)
        set_cell(h, k % 12, k / 12, k % 12 < 2 ? 5.0f : 0.0f, NULL, 0,
                 (const float[]){k % 12 < 2 ? 0.0f : 1.0f});
    const rill_mesh m = build(h, capillary);
    assert_non_null(m.meniscus);
    for (size_t k = 0; k < m.vertex_count; k++) {
        const rill_vertex *v = &m.vertices[k];
        const rill_meniscus *c = &m.meniscus[k];
        // The rim takes what its cell has; the wall's face is at x = 2.
        const float x = v->position[0] > 11.5f ? 11.5f : v->position[0];
        const float inside = v->depth == 0.0f ? 0.0f : x - 2.0f;
        const float share = inside < 4.0f ? 1.0f - inside / 4.0f : 0.0f;
        assert_true(fabsf(c->weight - share) < 1e-6f);
        if (share == 0.0f)
            continue;
        assert_true(fabsf(c->direction[0] + 1.0f) < 1e-6f && fabsf(c->direction[1]) < 1e-6f);
        assert_true(fabs((double)c->angle - 70.0 * DEGREES) < 1e-6);
    }
}

TEST(a_beach_tilts_by_its_slope)
{
    for (int steep = 0; steep < 2; steep++) {
        SCOPED(house) *h = house_create(12, 4, 1.0f);
        const float slope = steep ? 0.75f : 0.25f;
        for (int k = 0; k < 48; k++) {
            const float ground = 3.0f - slope * (float)(k % 12);
            set_cell(h, k % 12, k / 12, ground, NULL, 0,
                     (const float[]){ground < 1.0f ? 1.0f - ground : 0.0f});
        }
        const rill_mesh m = build(h, capillary);
        const double expected = atan((double)slope) - 20.0 * DEGREES;
        int bent = 0;
        for (size_t k = 0; k < m.vertex_count; k++)
            if (m.meniscus[k].weight > 0.0f) {
                assert_true(fabs((double)m.meniscus[k].angle - expected) < 1e-5);
                bent++;
            }
        assert_true(bent > 0);
    }
}

// Dead reckoning is exact here; the direction is that of the centre within the grain of the grid.
TEST(a_round_pool_has_round_distances)
{
    SCOPED(house) *h = house_create(25, 25, 1.0f);
    for (int k = 0; k < 625; k++) {
        const int x = k % 25 - 12, y = k / 25 - 12;
        const bool wet = x * x + y * y < 81;
        set_cell(h, k % 25, k / 25, wet ? 0.0f : 9.0f, NULL, 0, (const float[]){wet ? 1.0f : 0.0f});
    }
    const rill_mesh m = build(h, capillary);
    for (size_t k = 0; k < m.vertex_count; k++) {
        const rill_vertex *v = &m.vertices[k];
        if (v->depth == 0.0f) {
            assert_true(m.meniscus[k].weight == 1.0f);
            continue;
        }
        double nearest = 1e9;
        for (int n = 0; n < 625; n++) {
            const double x = n % 25 + 0.5 - (double)v->position[0];
            const double y = n / 25 + 0.5 - (double)v->position[1];
            if (h->depth[at(n % 25, n / 25, 0)] == 0.0f)
                nearest = fmin(nearest, sqrt(x * x + y * y));
        }
        const double share = fmax(1.0 - (nearest - 0.5) / 4.0, 0.0);
        assert_true(fabs((double)m.meniscus[k].weight - share) < 1e-5);
        const double x = (double)v->position[0] - 12.5, y = (double)v->position[1] - 12.5;
        const float *d = m.meniscus[k].direction;
        if (share > 0.0)
            assert_true((double)d[0] * x + (double)d[1] * y > 0.9 * sqrt(x * x + y * y));
    }
}

TEST(a_wall_under_an_overhang_bends_the_surface_too)
{
    SCOPED(house) *h = pool_against_wall(5, 0.0f);
    const rill_mesh m = build(h, capillary);
    const rill_vertex *wall = vertex_at(m, 3.5f, 2.5f, 1.0f);
    const rill_vertex *beside = vertex_at(m, 2.5f, 2.5f, 1.0f);
    assert_true(wall != NULL && beside != NULL);
    const rill_meniscus *in_wall = &m.meniscus[wall - m.vertices];
    const rill_meniscus *next = &m.meniscus[beside - m.vertices];
    assert_true(in_wall->weight == 1.0f && fabsf(next->weight - (1.0f - 0.5f / 4.0f)) < 1e-6f);
    assert_true(fabs((double)in_wall->angle - 70.0 * DEGREES) < 1e-6);
    assert_true(next->direction[0] == 1.0f && next->angle == in_wall->angle);
}
