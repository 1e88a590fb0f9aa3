// SPDX-License-Identifier: MIT
// test_surface_layers.c - the surface of liquid with columns above each other: sheets that change
// layers, walls, curtains. Judged by exact places where the rules give them, and by mesh_checker.h
// everywhere.
#include "core/jobs.h"
#include "tests/kit/instruction_sets.h"
#include "tests/kit/kit.h"
#include "tests/surface/houses.h"

// ---- Sheets that change layers ---------------------------------------------------------

// Half of a pool is under a shelf: in the second layer, that is, and its other half in the first.
static house *pool_under_shelf(int nx, int ny)
{
    house *h = house_create(nx, ny, 1.0f);
    const slab shelf = {2.0f, 2.5f};
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++)
            set_cell(h, i, j, 0.0f, &shelf, i < nx / 2 ? 0 : 1, (const float[]){1.0f, 0.0f});
    return h;
}

TEST(a_pool_that_goes_under_a_shelf_is_one_sheet)
{
    SCOPED(house) *h = pool_under_shelf(8, 6);
    const rill_mesh m = build(h, full);
    assert_int_equal(m.vertex_count, 10 * 8);
    assert_int_equal(m.index_count, 9 * 7 * 6);
    for (size_t k = 0; k < m.vertex_count; k++) {
        const float up[3] = {0.0f, 0.0f, 1.0f};
        assert_true(m.vertices[k].position[2] == 1.0f);
        assert_memory_equal(m.vertices[k].normal, up, sizeof up);
    }
    check(h, "pool");
}

TEST(normals_see_the_slope_across_layers)
{
    SCOPED(house) *h = pool_under_shelf(8, 3);
    float level[8];
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 8; i++)
            level[i] = h->depth[at(i, j, i < 4 ? 0 : 1)] = 0.5f + 0.015625f * (float)(i * i);
    const rill_mesh m = build(h, full);
    for (int i = 1; i < 7; i++) {
        const double slope = 0.5 * (double)(level[i + 1] - level[i - 1]);
        const rill_vertex *v = vertex_at(m, (float)i + 0.5f, 1.5f, level[i]);
        assert_non_null(v);
        assert_true(fabs((double)v->normal[0] - -slope / sqrt(1.0 + slope * slope)) < 1e-6);
    }
}

// In a cave the level may stand above the ceiling of the next column, which is full: the liquid is
// one, and so is its sheet.
TEST(a_sheet_goes_on_where_a_ceiling_comes_down_to_it)
{
    SCOPED(house) *h = house_create(6, 4, 1.0f);
    for (int k = 0; k < 24; k++) {
        const slab roof = {k % 6 < 3 ? 3.0f : 1.5f, 5.0f};
        set_cell(h, k % 6, k / 6, 0.0f, &roof, 1, (const float[]){k % 6 < 3 ? 2.0f : 1.5f, 0.0f});
    }
    const rill_mesh m = build(h, full);
    assert_int_equal(m.vertex_count, 8 * 6);
    assert_int_equal(m.index_count, 7 * 5 * 6);
    assert_true(joined(m, vertex_at(m, 2.5f, 1.5f, 2.0f), vertex_at(m, 3.5f, 1.5f, 1.5f)));
    check(h, "cave");
}

// The quad between the halves follows the higher diagonal, and keeps ends alike at the shore.
TEST(diagonals_across_layers_follow_crest_and_shore)
{
    for (int turn = 0; turn < 2; turn++) {
        SCOPED(house) *h = pool_under_shelf(2, 2);
        h->depth[at(0, turn, 0)] = h->depth[at(1, 1 - turn, 1)] = 1.25f;
        rill_mesh m = build(h, full);
        const float y[2] = {turn ? 1.5f : 0.5f, turn ? 0.5f : 1.5f};
        assert_true(joined(m, vertex_at(m, 0.5f, y[0], 1.25f), vertex_at(m, 1.5f, y[1], 1.25f)));
        // Now one column is dry and buried: the diagonal joins the two wet ones beside it.
        h->base[at(0, turn, 0)] = 1.75f;
        h->depth[at(0, turn, 0)] = 0.0f;
        m = build(h, full);
        assert_true(joined(m, vertex_at(m, 0.5f, y[1], 1.0f), vertex_at(m, 1.5f, y[0], 1.0f)));
    }
}

// Of four columns three are linked; the fourth is far below, at the foot of the shelf they are on.
TEST(three_linked_columns_are_drawn_without_the_fourth)
{
    SCOPED(house) *h = house_create(2, 2, 1.0f);
    const slab shelf = {4.0f, 4.5f};
    for (int k = 0; k < 4; k++)
        set_cell(h, k % 2, k / 2, 0.0f, &shelf, k < 3 ? 1 : 0, (const float[]){0.0f, 0.25f});
    h->depth[at(1, 1, 0)] = 0.0f;
    const rill_mesh m = build(h, bare);
    const rill_vertex *a = vertex_at(m, 0.5f, 0.5f, 4.75f), *b = vertex_at(m, 1.5f, 0.5f, 4.75f),
                      *d = vertex_at(m, 0.5f, 1.5f, 4.75f);
    assert_true(joined(m, a, b) && joined(m, a, d));
    assert_null(vertex_at(m, 1.5f, 1.5f, 4.75f));
    // They end halfway to it.
    assert_non_null(vertex_at(m, 1.5f, 1.0f, 4.75f));
    assert_non_null(vertex_at(m, 1.0f, 1.5f, 4.75f));
}

TEST(a_dry_column_of_another_layer_takes_the_mean_of_its_wet_neighbours)
{
    SCOPED(house) *h = pool_under_shelf(4, 3);
    const float level[3] = {1.0f, 1.25f, 1.5f};
    for (int j = 0; j < 3; j++) {
        h->depth[at(2, j, 1)] = h->depth[at(3, j, 1)] = level[j];
        for (int i = 0; i < 2; i++) {
            h->base[at(i, j, 0)] = 1.75f; // below the ceiling, so that the columns are linked
            h->depth[at(i, j, 0)] = 0.0f;
        }
    }
    const rill_mesh m = build(h, full);
    const rill_vertex *dry = vertex_at(m, 1.5f, 1.5f, 1.25f);
    assert_non_null(dry);
    assert_true(dry->depth == 0.0f && dry->opacity == 0.0f);
    assert_true(fabs((double)dry->normal[1] - -0.25 / sqrt(1.0625)) < 1e-2);
    check(h, "dry");
}

// ---- Walls -----------------------------------------------------------------------------

TEST(the_vertex_in_a_wall_has_mean_height_and_normal)
{
    SCOPED(house) *h = pool_against_wall(5, 0.125f);
    const rill_mesh m = build(h, full);
    // In the centre of the wall's column, at the mean of the column beside it and its neighbours.
    for (int j = 1; j < 4; j++) {
        const rill_vertex *wall = vertex_at(m, 3.5f, (float)j + 0.5f, 1.0f + 0.125f * (float)j);
        assert_non_null(wall);
        assert_true(fabs((double)wall->normal[1] - -0.125 / sqrt(1.0 + 1.0 / 64.0)) < 1e-6);
        assert_true(wall->depth == 0.0f && wall->opacity == 1.0f);
        assert_true(joined(m, wall, vertex_at(m, 2.5f, (float)j + 0.5f, 1.0f + 0.125f * (float)j)));
    }
    // The last one has neighbours on one side only.
    assert_non_null(vertex_at(m, 3.5f, 4.5f, 1.0f + 0.125f * 3.5f));
    check(h, "wall");
}

// A pillar under a roof, with liquid all around it: the sheet closes above its foot, inside it.
TEST(a_pillar_has_one_vertex_for_all_sides)
{
    SCOPED(house) *h = house_create(5, 5, 1.0f);
    const slab roof = {2.0f, 2.5f};
    for (int k = 0; k < 25; k++)
        set_cell(h, k % 5, k / 5, 0.0f, &roof, 1, (const float[]){1.0f, 0.0f});
    h->low[at(2, 2, 1)] = SKY;
    h->high[at(2, 2, 1)] = DEEP;
    h->depth[at(2, 2, 1)] = 0.0f;
    set_cell(h, 2, 2, 9.0f, NULL, 0, (const float[]){0.0f});
    const rill_mesh m = build(h, full);
    assert_int_equal(m.vertex_count, 7 * 7);
    assert_int_equal(m.index_count, 6 * 6 * 6);
    assert_non_null(vertex_at(m, 2.5f, 2.5f, 1.0f));
    check(h, "pillar");
}

// ---- Curtains --------------------------------------------------------------------------

// A wet shelf over a pool.
static house *wet_shelf(float film, float pool)
{
    house *h = house_create(8, 5, 1.0f);
    const slab shelf = {4.0f, 4.5f};
    for (int j = 0; j < 5; j++)
        for (int i = 0; i < 8; i++)
            set_cell(h, i, j, 0.0f, &shelf, i < 4 ? 1 : 0, (const float[]){pool, film});
    return h;
}

TEST(a_curtain_hangs_from_the_edge_of_a_wet_overhang)
{
    SCOPED(house) *h = wet_shelf(0.25f, 1.5f);
    const rill_mesh m = build(h, full);
    for (int j = 0; j < 5; j++) {
        const float y = (float)j + 0.5f;
        const rill_vertex *column = vertex_at(m, 3.5f, y, 4.75f);
        const rill_vertex *lip = vertex_at(m, 4.0f, y, 4.75f);
        const rill_vertex *foot = vertex_at(m, 4.3f, y, 1.5f);
        const rill_vertex *back = vertex_at(m, 3.75f, y, 4.0f);
        assert_true(lip != NULL && foot != NULL && back != NULL);
        assert_true(joined(m, column, lip) && joined(m, lip, foot) && joined(m, foot, back));
        assert_true(foot->normal[0] == 1.0f && back->normal[0] == -1.0f);
        assert_true(lip->normal[0] > 0.5f && lip->normal[2] > 0.5f);
        assert_true(lip->opacity == 0.5f && foot->opacity == 0.5f && back->opacity == 0.5f);
    }
    check(h, "curtain");
}

TEST(a_curtain_ends_on_a_dry_floor)
{
    SCOPED(house) *h = wet_shelf(0.25f, 0.0f);
    const rill_mesh m = build(h, full);
    assert_non_null(vertex_at(m, 4.3f, 2.5f, 0.0f));
    check(h, "dry floor");
}

TEST(without_curtains_the_sheet_ends_at_the_edge)
{
    SCOPED(house) *h = wet_shelf(0.25f, 1.5f);
    const rill_mesh m = build(h, bare);
    assert_non_null(vertex_at(m, 4.0f, 2.5f, 4.75f));
    assert_null(vertex_at(m, 4.3f, 2.5f, 1.5f));
    for (size_t k = 0; k < m.index_count; k += 3)
        for (size_t n = 1; n < 3; n++)
            assert_true(m.vertices[m.indices[k]].position[2] ==
                        m.vertices[m.indices[k + n]].position[2]);
}

// A wet platform with a hole, all around which the liquid drips; and one that is wet at one corner.
TEST(curtains_close_around_holes_and_corners)
{
    for (int size = 1; size < 5; size++) {
        SCOPED(house) *h = house_create(12, 12, 0.5f);
        const slab platform = {2.0f, 2.25f};
        for (int k = 0; k < 144; k++) {
            const int i = k % 12, j = k / 12;
            const bool hole = i >= 4 && i < 4 + size && j >= 4 && j < 5 + size / 2;
            set_cell(h, i, j, 0.0f, &platform, hole ? 0 : 1, (const float[]){0.5f, 0.125f});
        }
        build(h, full);
        check(h, "hole");
        for (int k = 0; k < 144; k++)
            if (k % 12 + k / 12 > 9)
                h->depth[at(k % 12, k / 12, 0)] = 0.0f;
        build(h, full);
        check(h, "half wet");
    }
}

// Between a wet shelf and the dry ground beside it is a slit of one cell; around both its ends they
// are joined. The sheets on both sides of it close it, so nothing hangs there.
TEST(no_curtain_hangs_in_a_slit)
{
    SCOPED(house) *h = house_create(2, 3, 1.0f);
    const slab shelf = {4.0f, 4.5f};
    for (int j = 0; j < 3; j += 2) {
        set_cell(h, 0, j, 4.5f, NULL, 0, (const float[]){0.25f});
        set_cell(h, 1, j, 4.4f, NULL, 0, (const float[]){0.3f});
    }
    set_cell(h, 0, 1, 0.0f, &shelf, 1, (const float[]){0.0f, 0.25f});
    set_cell(h, 1, 1, 3.5f, NULL, 0, (const float[]){0.0f});
    const rill_surface_def coarse = {.opaque_depth = 0.5f, .curtains = 1};
    const rill_mesh m = build(h, coarse);
    assert_non_null(vertex_at(m, 1.0f, 1.5f, 4.75f));
    assert_null(vertex_at(m, 1.3f, 1.5f, 3.5f));
    check(h, "slit");
}

// ---- Anything --------------------------------------------------------------------------

static float chance(unsigned *state)
{
    return (float)(next_random(state) % 10000) / 10000.0f;
}

// Shelves above each other over rough ground, with pools up to a level and films here and there.
static void furnish(house *h, unsigned seed)
{
    unsigned r = seed;
    int place[4][4];
    slab shelves[4];
    for (int n = 0; n < 4; n++) {
        for (int k = 0; k < 4; k++)
            place[n][k] = (int)(next_random(&r) % (k < 2 ? 24 : 12)) + (k < 2 ? 0 : 1);
        shelves[n].bottom = 0.5f + 1.2f * (float)n + 0.4f * chance(&r);
        shelves[n].top = shelves[n].bottom + 0.1f + 0.3f * chance(&r);
    }
    const float level = 3.0f * chance(&r), tilt = seed % 2 ? 0.025f : 0.0f;
    for (int k = 0; k < h->columns.nx * h->columns.ny; k++) {
        const int i = k % h->columns.nx, j = k / h->columns.nx;
        const float ground =
            seed % 2 ? 0.3f * chance(&r) + 0.05f * (float)i : 0.1f * (float)((i / 3 + j / 4) % 4);
        slab above[4];
        float depth[5];
        int count = 0;
        for (int n = 0; n < 4; n++)
            if (i >= place[n][0] && i < place[n][0] + place[n][2] && j >= place[n][1] &&
                j < place[n][1] + place[n][3] && shelves[n].bottom > ground + 0.02f)
                above[count++] =
                    (slab){shelves[n].bottom + tilt * (float)i, shelves[n].top + tilt * (float)i};
        for (int n = 0; n <= count; n++) {
            const float floor = n == 0 ? ground : above[n - 1].top;
            const float film = next_random(&r) % 8 < 3 ? 0.1f * chance(&r) : 0.0f;
            const float room = n < count ? above[n].bottom - floor : SKY;
            depth[n] = level > floor ? level - floor : film;
            depth[n] = depth[n] < room ? depth[n] : room;
        }
        set_cell(h, i, j, ground, above, count, depth);
    }
}

// Unit vectors towards solids, or none, with angles and shares in their ranges.
static void check_meniscus(const rill_mesh *m, unsigned seed)
{
    for (size_t k = 0; m->meniscus != NULL && k < m->vertex_count; k++) {
        const rill_meniscus *c = &m->meniscus[k];
        const double length = hypot((double)c->direction[0], (double)c->direction[1]);
        const bool unit = fabs(length - 1.0) < 1e-5, none = length == 0.0 && c->weight == 0.0f;
        if (!(unit || none) || !(c->weight >= 0.0f && c->weight <= 1.0f) ||
            !(fabs((double)c->angle) <= 1.5708))
            fail_msg("seed %u, vertex %zu: direction %g, %g, angle %g, weight %g", seed, k,
                     (double)c->direction[0], (double)c->direction[1], (double)c->angle,
                     (double)c->weight);
    }
}

TEST(furnished_houses_have_no_cracks)
{
    for (unsigned seed = 1; seed <= 160; seed++) {
        unsigned r = seed * 7u;
        const int nx = 1 + (int)(next_random(&r) % SIDE), ny = 1 + (int)(next_random(&r) % SIDE);
        SCOPED(house) *h = house_create(nx, ny, 0.5f);
        furnish(h, seed);
        rill_surface_def def = full;
        def.fine_shore = seed / 2 % 2;
        def.meniscus_length = seed % 5 ? 0.0f : 2.0f;
        const rill_mesh m = build(h, def);
        check_meniscus(&m, seed);
        char name[32];
        snprintf(name, sizeof name, "seed %u", seed);
        check(h, name);
    }
}

// Columns at random, with liquid that no flow would leave so: still a mesh that can be drawn.
TEST(noise_makes_a_mesh_that_can_be_drawn)
{
    for (unsigned seed = 1; seed <= 60; seed++) {
        unsigned r = seed;
        SCOPED(house) *h = house_create(20, 17, 0.5f);
        for (int k = 0; k < 20 * 17; k++) {
            slab slabs[4];
            float depth[5] = {0.0f}, floor = 2.0f * chance(&r);
            const float ground = floor;
            const int count = (int)(next_random(&r) % 5);
            for (int n = 0; n <= count; n++) {
                const float room = 0.05f + 2.0f * chance(&r);
                if (n < count)
                    slabs[n] = (slab){floor + room, floor + room + 0.05f + 0.5f * chance(&r)};
                const unsigned kind = next_random(&r) % 8;
                depth[n] = kind < 4 ? room * chance(&r) : kind == 4 ? room : 0.0f;
                floor = n < count ? slabs[n].top : floor;
            }
            set_cell(h, k % 20, k / 20, ground, slabs, count, depth);
        }
        rill_surface_def def = full;
        def.meniscus_length = 3.0f;
        const rill_mesh m = build(h, def);
        check_meniscus(&m, seed);
        const mesh_ground ground = mesh_ground_of_columns(&h->columns);
        const mesh_report report = mesh_check(&m, &h->columns, &ground);
        if (report.degenerate + report.unused + report.odd_numbers + report.below_ground != 0)
            fail_msg("seed %u: %s", seed, report.text);
    }
}

// ---- Who builds it, and with what ------------------------------------------------------

static void run_jobs(void *user, int count, rill_task task, void *context)
{
    rl_jobs_run(user, count, task, context);
}

TEST(one_and_three_threads_build_the_same_bytes)
{
    SCOPED(rl_jobs) *jobs = make_jobs(3);
    rill_surface_def def = full;
    def.meniscus_length = 3.0f;
    SCOPED(house) *h = house_create(SIDE, SIDE, 0.5f);
    SCOPED(rl_surface) *other = NULL;
    assert_ok(rl_surface_create(NULL, SIDE, SIDE, LAYERS, &def, &other));
    for (unsigned seed = 1; seed <= 20; seed++) {
        furnish(h, seed); // what was built before must leave no trace either
        const rill_mesh a = build(h, def);
        assert_ok(rl_surface_build(other, &h->columns, (rl_surface_runner){run_jobs, jobs}));
        const rill_mesh b = rl_surface_mesh(other);
        assert_same_mesh(a, b);
        if (a.index_count > 0)
            assert_memory_equal(a.meniscus, b.meniscus, b.vertex_count * sizeof *b.meniscus);
    }
}

// A dry column linked to liquid of another layer, first on one side and then on the other.
TEST(links_of_the_last_build_are_forgotten)
{
    SCOPED(house) *h = house_create(3, 3, 1.0f);
    const slab shelf = {2.0f, 2.5f};
    SCOPED(rl_surface) *used = NULL;
    assert_ok(rl_surface_create(NULL, 3, 3, LAYERS, &full, &used));
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k < 9; k++) {
            const bool wet = k % 3 == 2 * side;
            set_cell(h, k % 3, k / 3, k % 3 == 1 ? 1.75f : 0.0f, &shelf, k % 3 == 1 ? 0 : 1,
                     (const float[]){wet ? 1.0f : 0.0f, 0.0f});
        }
        const rill_mesh a = build(h, full);
        assert_ok(rl_surface_build(used, &h->columns, serial));
        assert_same_mesh(a, rl_surface_mesh(used));
    }
}

// Other liquid in the same house: dry, full or anything in between.
static void refill(house *h, unsigned *r)
{
    for (int k = 0; k < LAYERS * CELLS; k++) {
        if (h->high[k] < h->low[k])
            continue;
        const float room = h->high[k] < 100.0f ? h->high[k] - h->base[k] : 3.0f;
        const unsigned kind = next_random(r) % 8;
        h->depth[k] = kind < 2 ? 0.0f : kind < 5 ? room : room * chance(r);
    }
}

// Builds of one version of the ground keep what depends on nothing else; a build that knows of no
// version looks at everything.
TEST(what_is_kept_of_a_ground_leaves_the_mesh_as_it_is)
{
    SCOPED(rl_surface) *used = NULL;
    assert_ok(rl_surface_create(NULL, SIDE, SIDE, LAYERS, &full, &used));
    for (unsigned seed = 1; seed <= 30; seed++) {
        unsigned r = seed;
        SCOPED(house) *h = house_create(SIDE, SIDE, 0.5f);
        furnish(h, seed);
        rl_surface_ground_is(used, seed);
        for (int round = 0; round < 4; round++) {
            const rill_mesh a = build(h, full);
            assert_ok(rl_surface_build(used, &h->columns, serial));
            assert_same_mesh(a, rl_surface_mesh(used));
            refill(h, &r);
        }
    }
}

TEST(nine_layers_of_200_cells_a_side_take_less_than_64_megabytes)
{
    SCOPED(rl_surface) *s = NULL;
    assert_ok(rl_surface_create(NULL, 200, 200, 9, &full, &s));
    assert_true(rl_surface_memory(s) < 64u << 20);
}

TEST(bad_definitions_are_refused_with_their_value)
{
    const struct {
        int nx, ny, layers;
        rill_surface_def def;
        rill_status status;
        const char *word;
    } cases[] = {
        {0, 4, 1, {0.5f, 0.05f, .contact_angle = 20.0f}, RILL_BAD_ARGUMENT, "0 x 4"},
        {4, -1, 1, {0.5f, 0.05f, .contact_angle = 20.0f}, RILL_BAD_ARGUMENT, "4 x -1"},
        {65537, 4, 1, {0.5f, 0.05f, .contact_angle = 20.0f}, RILL_BAD_ARGUMENT, "65537"},
        {65536, 65536, 1, {0.5f, 0.05f, .contact_angle = 20.0f}, RILL_BAD_ARGUMENT, "65536"},
        {4, 4, 0, {0.5f, 0.05f, .contact_angle = 20.0f}, RILL_BAD_ARGUMENT, "not 0"},
        {4, 4, 129, {0.5f, 0.05f, .contact_angle = 20.0f}, RILL_BAD_ARGUMENT, "not 129"},
        {4, 4, 1, {.opaque_depth = 0.0f}, RILL_BAD_DEF, "opaque_depth is 0"},
        {4, 4, 1, {.opaque_depth = NAN}, RILL_BAD_DEF, "opaque_depth"},
        {4, 4, 1, {.opaque_depth = INFINITY}, RILL_BAD_DEF, "opaque_depth"},
        {4, 4, 1, {0.5f, .minimum_thickness = -0.5f}, RILL_BAD_DEF, "minimum_thickness is -0.5"},
        {4, 4, 1, {0.5f, .minimum_thickness = 1.5f}, RILL_BAD_DEF, "minimum_thickness is 1.5"},
        {4, 4, 1, {0.5f, .minimum_thickness = NAN}, RILL_BAD_DEF, "minimum_thickness"},
        {4, 4, 1, {.opaque_depth = 1.0f, .meniscus_length = -1.0f}, RILL_BAD_DEF, "length is -1"},
        {4, 4, 1, {.opaque_depth = 1.0f, .meniscus_length = NAN}, RILL_BAD_DEF, "meniscus_length"},
        {4, 4, 1, {.opaque_depth = 1.0f, .contact_angle = -1.0f}, RILL_BAD_DEF, "angle is -1"},
        {4, 4, 1, {.opaque_depth = 1.0f, .contact_angle = 181.0f}, RILL_BAD_DEF, "angle is 181"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        rl_surface *s = (rl_surface *)&s;
        assert_int_equal(
            rl_surface_create(NULL, cases[k].nx, cases[k].ny, cases[k].layers, &cases[k].def, &s),
            cases[k].status);
        assert_null(s);
        assert_non_null(strstr(rill_last_error(), cases[k].word));
    }
}
