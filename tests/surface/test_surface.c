// SPDX-License-Identifier: MIT
// test_surface.c - the water as triangles: flat lakes stay flat up to the shore, the sheet has no
// cracks, closes onto the ground, and is the same whoever builds it.
#include "surface/lattice.h"
#include "surface/meniscus_cell.h"
#include "surface/surface_internal.h"
#include "tests/kit/counting_host.h"
#include "tests/kit/kit.h"
#include "tests/surface/mesh_checker.h"

#define SIDE  80 // the largest pond
#define PITCH 96 // unlike SIDE, so that a mistaken pitch shows
#define CELLS (SIDE * PITCH)

// ---- Ponds -----------------------------------------------------------------------------

// Cell (i, j) is value k = j * PITCH + i. Fields are set for all k and cut to size when built from.
typedef struct pond {
    float base[CELLS], depth[CELLS], u[CELLS], v[CELLS], low[CELLS], high[CELLS];
    rill_columns columns;
    rl_surface *surface; // of the last build
} pond;

static const rill_surface_def plain = {.opaque_depth = 0.5f, .minimum_thickness = 0.0f};
static const rl_surface_runner serial = {0};

// A dry, flat pond.
static pond *pond_create(int nx, int ny, float cell_size)
{
    pond *p = calloc(1, sizeof *p);
    assert_non_null(p);
    for (int k = 0; k < CELLS; k++) {
        p->low[k] = -INFINITY;
        p->high[k] = INFINITY;
    }
    p->columns = (rill_columns){nx,      ny,       1,    PITCH, CELLS, cell_size, 1e-4f,
                                p->base, p->depth, p->u, p->v,  NULL,  NULL};
    return p;
}

static void set_ranges(pond *p)
{
    p->columns.range_min = p->low;
    p->columns.range_max = p->high;
}

// Water up to `level` wherever the ground is lower.
static void fill_to(pond *p, float level)
{
    for (int k = 0; k < CELLS; k++)
        p->depth[k] = p->base[k] < level ? level - p->base[k] : 0.0f;
}

// What lies outside of the pond is poison.
static rl_surface *surface_of(pond *p, const rill_surface_def *def, rl_surface_runner runner)
{
    for (int k = 0; k < CELLS; k++)
        if (k % PITCH >= p->columns.nx || k / PITCH >= p->columns.ny)
            p->base[k] = p->depth[k] = p->u[k] = p->v[k] = p->low[k] = p->high[k] = 1e30f;
    rl_surface *s = NULL;
    assert_ok(rl_surface_create(NULL, p->columns.nx, p->columns.ny, 1, def, &s));
    rl_surface_build(s, &p->columns, runner);
    return s;
}

static rill_mesh build(pond *p, rill_surface_def def)
{
    rl_surface_destroy(&p->surface);
    p->surface = surface_of(p, &def, serial);
    return rl_surface_mesh(p->surface);
}

static void pond_destroy(pond **at)
{
    pond *p = *at;
    rl_surface_destroy(&p->surface);
    free(p);
}

// The vertex above place (x, y), or NULL.
static const rill_vertex *vertex_at(rill_mesh m, float x, float y)
{
    for (size_t k = 0; k < m.vertex_count; k++)
        if (m.vertices[k].position[0] == x && m.vertices[k].position[1] == y)
            return &m.vertices[k];
    return NULL;
}

// ---- What holds for every mesh ---------------------------------------------------------

static int compare_edges(const void *left, const void *right)
{
    const uint64_t p = *(const uint64_t *)left, q = *(const uint64_t *)right;
    return (p > q) - (p < q);
}

// Directed edges, as first vertex << 32 | second vertex, sorted.
static uint64_t *edges_of(rill_mesh m)
{
    uint64_t *edges = malloc((m.index_count + 1) * sizeof *edges);
    assert_non_null(edges);
    for (size_t k = 0; k < m.index_count; k++)
        edges[k] = (uint64_t)m.indices[k] << 32 | m.indices[k % 3 == 2 ? k - 2 : k + 1];
    qsort(edges, m.index_count, sizeof *edges, compare_edges);
    return edges;
}

// An edge with a triangle on one side only lies on the border of the domain or is dry at both ends.
static bool may_end_at(rill_mesh m, uint64_t edge, float width, float height)
{
    const rill_vertex *p = &m.vertices[edge >> 32], *q = &m.vertices[edge & UINT32_MAX];
    const float x = p->position[0], y = p->position[1];
    const bool on_side = x == q->position[0] && (x == 0.0f || x == width);
    const bool on_end = y == q->position[1] && (y == 0.0f || y == height);
    return on_side || on_end || (p->depth == 0.0f && q->depth == 0.0f);
}

static double area_of(rill_mesh m, size_t first)
{
    const float *a = m.vertices[m.indices[first]].position;
    const float *b = m.vertices[m.indices[first + 1]].position;
    const float *c = m.vertices[m.indices[first + 2]].position;
    return 0.5 * (((double)b[0] - a[0]) * ((double)c[1] - a[1]) -
                  ((double)c[0] - a[0]) * ((double)b[1] - a[1]));
}

static void check_triangles_and_vertices(rill_mesh m)
{
    FREED(unsigned char) *used = calloc(m.vertex_count + 1, 1);
    assert_non_null(used);
    for (size_t k = 0; k < m.index_count; k++) {
        assert_true(m.indices[k] < m.vertex_count);
        used[m.indices[k]] = 1;
    }
    for (size_t k = 0; k < m.index_count; k += 3)
        assert_true(area_of(m, k) > 0.0);
    for (size_t k = 0; k < m.vertex_count; k++) {
        const float *n = m.vertices[k].normal;
        assert_true(used[k]);
        assert_true(n[2] > 0.0f && fabsf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] - 1.0f) < 1e-5f);
        assert_true(m.vertices[k].opacity >= 0.0f && m.vertices[k].opacity <= 1.0f);
    }
}

// No edge has two triangles on the same side, and none ends in open water.
static void check_edges(rill_mesh m, const rill_columns *c, bool closed)
{
    const float width = (float)c->nx * c->cell_size, height = (float)c->ny * c->cell_size;
    FREED(uint64_t) *edges = edges_of(m);
    for (size_t k = 0; k < m.index_count; k++) {
        assert_true(k == 0 || edges[k] != edges[k - 1]);
        const uint64_t back = edges[k] << 32 | edges[k] >> 32;
        if (closed && !bsearch(&back, edges, m.index_count, sizeof back, compare_edges))
            assert_true(may_end_at(m, edges[k], width, height));
    }
}

static void check_mesh(const pond *p)
{
    const rill_mesh m = rl_surface_mesh(p->surface);
    check_triangles_and_vertices(m);
    check_edges(m, &p->columns, p->columns.range_min == NULL);
}

static void check_same(const rl_surface *left, const rl_surface *right)
{
    assert_same_mesh(rl_surface_mesh(left), rl_surface_mesh(right));
}

// ---- Still water -----------------------------------------------------------------------

TEST(a_flat_pool_is_one_level_sheet_up_to_the_border)
{
    SCOPED(pond) *p = pond_create(5, 4, 0.25f);
    fill_to(p, 1.0f);
    const rill_mesh m = build(p, plain);
    assert_int_equal(m.vertex_count, 7 * 6);
    assert_int_equal(m.index_count, 6 * 5 * 2 * 3);
    for (size_t k = 0; k < m.vertex_count; k++) {
        const rill_vertex expected = {.normal = {0.0f, 0.0f, 1.0f}, .opacity = 1.0f, .depth = 1.0f};
        assert_true(m.vertices[k].position[2] == 1.0f);
        assert_memory_equal(m.vertices[k].normal, expected.normal,
                            sizeof(rill_vertex) - offsetof(rill_vertex, normal));
    }
    double area = 0.0;
    for (size_t k = 0; k < m.index_count; k += 3)
        area += area_of(m, k);
    assert_true(area == 5 * 4 * 0.0625);
    check_mesh(p);
}

TEST(a_lake_in_a_bowl_is_flat_and_upright_at_its_shore)
{
    SCOPED(pond) *p = pond_create(17, 17, 0.5f);
    for (int k = 0; k < CELLS; k++) {
        const int x = k % PITCH - 8, y = k / PITCH - 8;
        p->base[k] = (float)(x * x + y * y) * 0.25f;
    }
    fill_to(p, 5.3125f);
    // The shallowest water of this bowl is 1/16 m deep; raised to 0.5 m it must not tilt a normal.
    const rill_surface_def thick = {.opaque_depth = 0.5f, .minimum_thickness = 1.0f};
    const rill_surface_def fine = {.opaque_depth = 0.5f, .fine_shore = 1};
    for (int pass = 0; pass < 3; pass++) {
        const rill_mesh m = build(p, pass == 0 ? plain : pass == 1 ? thick : fine);
        int shore = 0, raised = 0;
        for (size_t k = 0; k < m.vertex_count; k++) {
            const rill_vertex *v = &m.vertices[k];
            const float up[3] = {0.0f, 0.0f, 1.0f};
            assert_memory_equal(v->normal, up, sizeof up);
            if (v->depth == 0.0f) {
                assert_true(v->position[2] == 5.3125f && v->opacity == 0.0f);
                shore++;
            } else {
                raised += v->position[2] != 5.3125f;
            }
        }
        assert_true(shore > 16);
        assert_true(pass == 1 ? raised > 0 : raised == 0);
        check_mesh(p);
    }
}

TEST(a_dry_world_has_no_triangles)
{
    SCOPED(pond) *p = pond_create(8, 8, 1.0f);
    p->depth[3 * PITCH + 3] = 1e-4f; // as deep as wet_depth is still dry
    const rill_mesh m = build(p, plain), none = {0};
    assert_memory_equal(&m, &none, sizeof m);
}

// ---- Slopes ----------------------------------------------------------------------------

TEST(an_inclined_plane_has_one_normal_everywhere)
{
    SCOPED(pond) *p = pond_create(9, 7, 0.5f);
    for (int k = 0; k < CELLS; k++)
        p->depth[k] = 8.0f + 0.25f * (float)(k % PITCH) - 0.125f * (float)(k / PITCH);
    const rill_mesh m = build(p, plain);
    const double length = sqrt(1.0 + 0.25 + 0.0625);
    for (size_t k = 0; k < m.vertex_count; k++) {
        assert_true(fabs(m.vertices[k].normal[0] - -0.5 / length) < 1e-6);
        assert_true(fabs(m.vertices[k].normal[1] - 0.25 / length) < 1e-6);
        assert_true(fabs(m.vertices[k].normal[2] - 1.0 / length) < 1e-6);
    }
}

// The land beside this slope of water rises by 50 m, which must not show in any normal.
TEST(a_shore_takes_its_normal_from_the_wet_side_alone)
{
    SCOPED(pond) *p = pond_create(8, 3, 1.0f);
    for (int k = 0; k < CELLS; k++) {
        p->base[k] = k % PITCH < 4 ? 0.0f : 50.0f;
        p->depth[k] = k % PITCH < 4 ? 2.0f + 0.5f * (float)(k % PITCH) : 0.0f;
    }
    const rill_mesh m = build(p, plain);
    const rill_vertex *last_wet = vertex_at(m, 3.5f, 1.5f), *dry = vertex_at(m, 4.5f, 1.5f);
    assert_non_null(last_wet);
    assert_non_null(dry);
    assert_null(vertex_at(m, 5.5f, 1.5f));
    const double expected = -0.5 / sqrt(1.25);
    assert_true(fabs(last_wet->normal[0] - expected) < 1e-6);
    assert_true(fabs(dry->normal[0] - expected) < 1e-6);
    assert_true(dry->position[2] == 3.5f);
}

TEST(the_sheet_closes_onto_ground_below_it_and_hides_in_ground_above)
{
    // Water of level 3 stands on columns 0 and 1; the ground beside it takes all positions.
    const float ground[] = {-100.0f, 0.0f, 2.5f, 3.0f, 3.5f, 100.0f};
    for (size_t g = 0; g < sizeof ground / sizeof ground[0]; g++) {
        SCOPED(pond) *p = pond_create(5, 5, 1.0f);
        for (int k = 0; k < CELLS; k++) {
            p->base[k] = k % PITCH < 2 ? 2.0f : ground[g];
            p->depth[k] = k % PITCH < 2 ? 1.0f : 0.0f;
            p->u[k] = p->v[k] = 9.0f;
        }
        const rill_vertex *dry = vertex_at(build(p, plain), 2.5f, 2.5f);
        assert_non_null(dry);
        assert_true(dry->position[2] == (ground[g] < 3.0f ? ground[g] : 3.0f));
        assert_true(dry->depth == 0.0f && dry->opacity == 0.0f);
        assert_true(dry->velocity[0] == 0.0f && dry->velocity[1] == 0.0f);
        check_mesh(p);
    }
}

TEST(a_dry_vertex_stands_at_the_mean_level_of_its_wet_neighbours)
{
    SCOPED(pond) *p = pond_create(3, 3, 1.0f);
    for (int k = 0; k < CELLS; k++)
        p->base[k] = k % PITCH == 1 ? 50.0f : 0.0f;
    p->depth[1 * PITCH + 0] = 2.0f;
    p->depth[0 * PITCH + 2] = 5.0f;
    p->depth[2 * PITCH + 2] = 8.0f;
    const rill_mesh m = build(p, plain);
    assert_true(vertex_at(m, 1.5f, 1.5f)->position[2] == 5.0f);
    assert_true(vertex_at(m, 1.5f, 0.5f)->position[2] == 3.5f);
    check_mesh(p);
}

// ---- Thickness and opacity -------------------------------------------------------------

TEST(thin_water_is_drawn_thicker_but_not_deeper)
{
    SCOPED(pond) *p = pond_create(4, 4, 2.0f);
    fill_to(p, 0.01f);
    p->depth[1 * PITCH + 1] = 0.4f;
    p->u[1 * PITCH + 1] = 3.0f;
    p->v[1 * PITCH + 1] = -4.0f;
    const rill_surface_def def = {.opaque_depth = 0.8f, .minimum_thickness = 0.05f};
    const rill_mesh m = build(p, def);
    const rill_vertex *thin = vertex_at(m, 5.0f, 5.0f), *thick = vertex_at(m, 3.0f, 3.0f);
    assert_true(thin->position[2] == 0.05f * 2.0f && thin->depth == 0.01f);
    assert_true(thin->opacity == 0.01f / 0.8f);
    assert_true(thick->position[2] == 0.4f && thick->opacity == 0.5f);
    assert_true(thick->velocity[0] == 3.0f && thick->velocity[1] == -4.0f);
}

// ---- Diagonals -------------------------------------------------------------------------

TEST(diagonals_follow_the_crest_of_a_wave)
{
    for (int falling = 0; falling < 2; falling++) {
        SCOPED(pond) *p = pond_create(6, 6, 1.0f);
        for (int k = 0; k < CELLS; k++)
            p->depth[k] =
                (falling ? k % PITCH + k / PITCH == 5 : k % PITCH == k / PITCH) ? 2.0f : 1.0f;
        const rill_mesh m = build(p, plain);
        for (int i = 0; i < 5; i++) {
            const float x = (float)i + 0.5f, y = falling ? 5.5f - (float)i : x;
            const float next_y = falling ? y - 1.0f : y + 1.0f;
            assert_true(joined(m, vertex_at(m, x, y), vertex_at(m, x + 1.0f, next_y)));
        }
    }
}

TEST(a_diagonal_at_the_shore_joins_like_with_like)
{
    // One corner is odd. A wet one stands highest, so that crests alone would choose otherwise; a
    // dry one is level with the rest, so that they would choose alike for all corners.
    for (int odd_is_wet = 0; odd_is_wet < 2; odd_is_wet++)
        for (int corner = 0; corner < 4; corner++) {
            SCOPED(pond) *p = pond_create(2, 2, 1.0f);
            const int odd = (corner / 2) * PITCH + corner % 2;
            for (int k = 0; k < 4; k++)
                p->depth[(k / 2) * PITCH + k % 2] = odd_is_wet ? 0.0f : 1.0f;
            p->depth[odd] = odd_is_wet ? 5.0f : 0.0f;
            p->base[odd] = odd_is_wet ? 0.0f : 9.0f;
            const rill_mesh m = build(p, plain);
            const bool rising = joined(m, vertex_at(m, 0.5f, 0.5f), vertex_at(m, 1.5f, 1.5f));
            const bool falling = joined(m, vertex_at(m, 1.5f, 0.5f), vertex_at(m, 0.5f, 1.5f));
            const bool odd_on_rising = corner == 0 || corner == 3;
            assert_true(rising == !odd_on_rising && falling == odd_on_rising);
        }
}

// ---- Any pattern -----------------------------------------------------------------------

static void scatter_water(pond *p, unsigned seed, unsigned wet_of_16)
{
    for (int k = 0; k < CELLS; k++) {
        p->base[k] = (float)(next_random(&seed) % 64) / 16.0f;
        p->depth[k] =
            next_random(&seed) % 16 < wet_of_16 ? (float)(next_random(&seed) % 32) / 8.0f : 0.0f;
    }
}

TEST(a_mesh_has_no_cracks_whatever_is_wet)
{
    const int sizes[][2] = {{1, 1}, {1, 7}, {9, 1}, {2, 2}, {13, 15}, {14, 16}, {67, 33}};
    for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; n++)
        for (unsigned seed = 1; seed <= 15; seed++) {
            SCOPED(pond) *p = pond_create(sizes[n][0], sizes[n][1], 0.75f);
            scatter_water(p, seed, seed);
            const rill_surface_def fine = {.opaque_depth = 0.5f, .fine_shore = 1};
            build(p, plain);
            check_mesh(p);
            build(p, fine);
            check_mesh(p);
        }
}

TEST(a_checkerboard_fits_what_was_allocated)
{
    for (int odd = 0; odd < 2; odd++) {
        SCOPED(pond) *p = pond_create(33, 18, 1.0f);
        for (int k = 0; k < CELLS; k++)
            p->depth[k] = (k % PITCH + k / PITCH) % 2 == odd ? 1.0f : 0.0f;
        const rill_mesh m = build(p, plain);
        // Every quad of cells has a wet corner. At each corner of the domain whose cell is dry the
        // rim's own quad has none, and its corner point goes unused.
        const size_t dry_corners = 2;
        assert_int_equal(m.vertex_count, 35 * 20 - dry_corners);
        assert_int_equal(m.index_count, (34 * 19 - dry_corners) * 6);
        check_mesh(p);
    }
}

TEST(a_second_build_keeps_nothing_of_the_first)
{
    SCOPED(pond) *p = pond_create(40, 37, 0.5f);
    scatter_water(p, 3, 16);
    SCOPED(rl_surface) *used = surface_of(p, &plain, serial);
    const unsigned wet_of_16[] = {2, 14, 0, 5};
    for (unsigned k = 0; k < 4; k++) {
        scatter_water(p, 100 + k, wet_of_16[k]);
        build(p, plain);
        rl_surface_build(used, &p->columns, serial);
        check_same(used, p->surface);
    }
}

// ---- Ranges ----------------------------------------------------------------------------

TEST(a_link_needs_each_level_in_the_others_range)
{
    assert_true(rl_surface_linked(1.0f, 0.0f, 2.0f, 1.5f, 0.5f, 2.0f, 0.0f));
    assert_false(rl_surface_linked(1.0f, 0.0f, 2.0f, 1.5f, 1.25f, 2.0f, 0.0f));
    assert_false(rl_surface_linked(1.0f, 0.0f, 1.25f, 1.5f, 0.5f, 2.0f, 0.0f));
    // Flooded up to the ceiling, dry on the lower end, and a hair outside of both.
    assert_true(rl_surface_linked(2.0f, 0.0f, 2.0f, 2.0f, 2.0f, 4.0f, 0.0f));
    assert_true(rl_surface_linked(2.0f, 2.0f, 4.0f, 2.0f, 0.0f, 2.0f, 0.0f));
    assert_true(rl_surface_linked(2.0005f, 0.0f, 2.0f, 1.9995f, 2.0f, 4.0f, 0.001f));
    assert_false(rl_surface_linked(2.01f, 0.0f, 2.0f, 2.01f, 2.0f, 4.0f, 0.001f));
}

TEST(infinite_ranges_give_the_mesh_of_a_heightfield)
{
    SCOPED(pond) *p = pond_create(31, 21, 0.5f);
    scatter_water(p, 7, 8);
    SCOPED(rl_surface) *unranged = surface_of(p, &plain, serial);
    set_ranges(p);
    build(p, plain);
    check_same(unranged, p->surface);
}

// A pool on a table beside a pool on the floor: two sheets, each of which goes on into the wall
// between them by one vertex a row (000 section 4.3), and nothing that joins them.
TEST(water_on_two_storeys_is_two_sheets)
{
    SCOPED(pond) *p = pond_create(6, 4, 1.0f);
    set_ranges(p);
    for (int k = 0; k < CELLS; k++) {
        p->base[k] = k % PITCH < 3 ? 0.0f : 5.0f;
        p->low[k] = k % PITCH < 3 ? -1.0f : 4.0f;
        p->high[k] = k % PITCH < 3 ? 4.0f : 9.0f;
        p->depth[k] = 1.0f;
    }
    const rill_mesh m = build(p, plain);
    assert_int_equal(m.vertex_count, 2 * (1 + 3 + 1) * 6);
    assert_int_equal(m.index_count, 2 * 4 * 5 * 6);
    for (size_t k = 0; k < m.index_count; k += 3)
        assert_true(m.vertices[m.indices[k]].position[2] ==
                    m.vertices[m.indices[k + 1]].position[2]);
    for (size_t k = 0; k < m.vertex_count; k++)
        assert_true(m.vertices[k].normal[2] == 1.0f);
    check_mesh(p);
}

// The fourth is a wall: its place is taken by a vertex in the wall.
TEST(three_linked_corners_are_completed_by_a_vertex_in_the_wall)
{
    for (int corner = 0; corner < 4; corner++) {
        SCOPED(pond) *p = pond_create(2, 2, 1.0f);
        set_ranges(p);
        fill_to(p, 1.0f);
        const int odd = (corner / 2) * PITCH + corner % 2;
        p->base[odd] = p->low[odd] = 100.0f; // above the level of the other three
        p->depth[odd] = 0.0f;
        const rill_mesh m = build(p, plain);
        const rill_vertex *wall =
            vertex_at(m, (float)(corner % 2) + 0.5f, (float)(corner / 2) + 0.5f);
        assert_non_null(wall);
        assert_true(wall->position[2] == 1.0f && wall->depth == 0.0f);
        double area = 0.0;
        for (size_t k = 0; k < m.index_count; k += 3)
            area += area_of(m, k);
        // All but the quarter of the wall's cell beyond its centre, where no water is.
        assert_true(area == 4.0 - 0.25);
        check_mesh(p);
    }
}

// Ranges that no ground could have: nothing is promised but a mesh that can be drawn.
TEST(ranges_at_random_never_break_the_mesh)
{
    const rill_surface_def all = {.opaque_depth = 0.5f, .fine_shore = 1, .curtains = 1};
    for (unsigned seed = 1; seed <= 40; seed++) {
        SCOPED(pond) *p = pond_create(19, 23, 1.0f);
        set_ranges(p);
        scatter_water(p, seed, 10);
        unsigned more = seed;
        for (int k = 0; k < CELLS; k++) {
            p->low[k] = p->base[k] - (float)(next_random(&more) % 16) / 8.0f;
            p->high[k] = p->base[k] + p->depth[k] + (float)(next_random(&more) % 16) / 8.0f;
        }
        const rill_mesh m = build(p, seed % 2 ? plain : all);
        const mesh_ground ground = mesh_ground_of_columns(&p->columns);
        const mesh_report report = mesh_check(&m, &p->columns, &ground);
        if (report.degenerate + report.unused + report.odd_numbers != 0)
            fail_msg("seed %u: %s", seed, report.text);
    }
}

// ---- Who builds it, and with what ------------------------------------------------------

// Runs the indices in an order that jumps about; the step must share no factor with the count.
static void run_scrambled(void *user, int count, rill_task task, void *context)
{
    const int step = *(const int *)user;
    for (int k = 0; k < count; k++)
        task(context, (k * step + step / 2) % count);
}

TEST(the_mesh_does_not_depend_on_who_runs_the_tiles)
{
    SCOPED(pond) *p =
        pond_create(70, 77, 0.5f); // 79 rows of points: five tiles, the last one short
    int steps[] = {4, 2, 3, 1009}; // 4 runs them backwards
    for (unsigned k = 0; k < 4; k++) {
        scatter_water(p, k, 9);
        assert_true(build(p, plain).index_count > 0);
        SCOPED(rl_surface) *other =
            surface_of(p, &plain, (rl_surface_runner){run_scrambled, &steps[k]});
        check_same(p->surface, other);
    }
}

TEST(a_build_allocates_nothing_and_destruction_gives_all_back)
{
    counter count = {0};
    const rill_host host = counting_host(&count);
    SCOPED(pond) *p = pond_create(30, 20, 1.0f);
    fill_to(p, 1.0f);
    rl_surface *s = NULL;
    assert_ok(rl_surface_create(&host.allocator, 30, 20, 1, &plain, &s));
    assert_int_equal(rl_surface_memory(s), count.bytes);
    const rill_mesh before = rl_surface_mesh(s), none = {0};
    assert_memory_equal(&before, &none, sizeof none);
    const int calls = count.calls;
    rl_surface_build(s, &p->columns, serial);
    assert_int_equal(count.calls, calls);
    rl_surface_destroy(&s);
    assert_null(s);
    rl_surface_destroy(&s);
    rl_surface_destroy(NULL);
    assert_int_equal(count.bytes, 0);
}

TEST(without_memory_there_is_no_surface_and_no_leak)
{
    for (int fail_at = 1; fail_at <= 2; fail_at++) {
        counter count = {.fail_at = fail_at};
        const rill_host host = counting_host(&count);
        rl_surface *s = NULL;
        assert_int_equal(rl_surface_create(&host.allocator, 30, 20, 1, &plain, &s), RILL_NO_MEMORY);
        assert_null(s);
        assert_int_equal(count.bytes, 0);
    }
}

// No more than two units in the last place of a right angle.
TEST(angles_have_their_tangents)
{
    for (int n = -3000; n <= 3000; n++) {
        const float x = (float)(n % 2 ? 0.001 * n : 1e-6 * n * n * n);
        const double angle = (double)rl_arctangent(x);
        assert_true(fabs(angle - atan((double)x)) <= 2.4e-7);
        assert_true(rl_arctangent(-x) == 0.0f - rl_arctangent(x));
    }
}
