// SPDX-License-Identifier: MIT
// test_river_path.c - where a river runs: floods on small maps, a snake that no recursion survives,
// surfaces that fall along their channels.
#include "terrain/river_path/river_path.h"
#include "terrain/river_path/river_path_internal.h"
#include "tests/kit/counting_host.h"
#include "tests/kit/kit.h"

#include "rill/river.h"
#include "rill/world.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define TURN         6.283185307179586

// ---- Grounds ---------------------------------------------------------------------------

typedef struct ground {
    int nx, ny;
    double cell;
    float *z;
} ground;

static ground make_ground(int nx, int ny, double cell)
{
    ground g = {nx, ny, cell, malloc((size_t)nx * (size_t)ny * sizeof(float))};
    assert_non_null(g.z);
    return g;
}

static float *at(const ground *g, int i, int j)
{
    return g->z + (size_t)j * (size_t)g->nx + i;
}

// A map, first row in the north: '.' is at 0 m, '#' at 10 m, 'n' has no data.
static ground draw(const char *const *rows, int ny)
{
    ground g = make_ground((int)strlen(rows[0]), ny, 2.0);
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < g.nx; i++) {
            const char c = rows[ny - 1 - j][i];
            *at(&g, i, j) = c == '.' || c == '~' ? 0.0f : c == 'n' ? NAN : 10.0f;
        }
    return g;
}

static rill_river_path_def plane(int from, double level)
{
    rill_river_path_def def = rill_default_river_path_def();
    def.surface = RILL_RIVER_PLANE;
    def.from = from;
    def.level = level;
    return def;
}

static rill_river_path_def profile(double depth)
{
    rill_river_path_def def = rill_default_river_path_def();
    def.from = RILL_SIDE_NORTH;
    def.depth = depth;
    return def;
}

static rill_status try_find(const ground *g, rill_river_path_def def, rill_river_path **path)
{
    const rill_field_view view = {g->z, g->nx, g->ny, (size_t)g->nx};
    return rill_river_path_find(view, g->cell, &def, NULL, path);
}

static rill_river_path *find(const ground *g, rill_river_path_def def)
{
    rill_river_path *path = NULL;
    if (try_find(g, def, &path) != RILL_OK)
        fail_msg("%s", rill_last_error());
    return path;
}

static float level_at(const rill_river_path *path, int i, int j)
{
    const rill_field_view level = rill_river_path_get(path).level;
    return level.data[(size_t)j * level.pitch + (size_t)i];
}

static bool is_wet(const rill_river_path *path, int i, int j)
{
    return level_at(path, i, j) > RL_RIVER_DRY;
}

// What every river must be: wet cells counted, no ground above their level, the line in the grid,
// falling and without gaps.
static void assert_sound(const ground *g, const rill_river_path *path)
{
    const rill_river_path_view view = rill_river_path_get(path);
    int64_t wet = 0;
    for (int j = 0; j < g->ny; j++)
        for (int i = 0; i < g->nx; i++)
            if (is_wet(path, i, j)) {
                assert_true(*at(g, i, j) <= level_at(path, i, j));
                wet++;
            }
    assert_int_equal(view.wet_cells, wet);
    assert_true(view.count >= 2 && view.branches >= 1);
    for (int n = 0; n < view.count; n++) {
        const int i = (int)((double)view.x[n] / g->cell), j = (int)((double)view.y[n] / g->cell);
        assert_true(i >= 0 && i < g->nx && j >= 0 && j < g->ny);
        assert_true(view.surface[n] >= view.bed[n]);
        if (n == 0)
            continue;
        assert_true(view.surface[n] <= view.surface[n - 1]);
        assert_true(hypot((double)(view.x[n] - view.x[n - 1]),
                          (double)(view.y[n] - view.y[n - 1])) <= g->cell * 1.0001);
    }
    const double fall = (double)view.surface[0] - (double)view.surface[view.count - 1];
    assert_true(fabs(view.fall - fall) < 1e-9);
}

static void drop(ground *g, rill_river_path **path)
{
    rill_river_path_destroy(path);
    assert_null(*path);
    free(g->z);
}

// ---- Plane -----------------------------------------------------------------------------

// '~' is wet when the river comes from the north.
static const char *const bays[] = {
    "##~~######", "##~~####.#", "#~~~~##..#", "#~##~#####", "#~##~~~~##",
    "#~~~~##~##", "###~##.###", "#.#~~#####", "#.##~~####", "####~~####",
};

TEST(a_plane_wets_what_has_a_way_to_its_border)
{
    ground g = draw(bays, COUNT(bays));
    rill_river_path *path = find(&g, plane(3, 1.0));
    for (int j = 0; j < g.ny; j++)
        for (int i = 0; i < g.nx; i++) {
            assert_int_equal(is_wet(path, i, j), bays[g.ny - 1 - j][i] == '~');
            if (is_wet(path, i, j))
                assert_true(level_at(path, i, j) == 1.0f);
        }
    assert_sound(&g, path);
    const rill_river_path_view view = rill_river_path_get(path);
    assert_int_equal(view.branches, 1);
    assert_true(view.fall == 0.0);
    assert_true(view.y[0] > 18.0f && view.y[view.count - 1] < 2.0f);
    drop(&g, &path);
}

TEST(a_plane_is_the_same_from_its_other_end)
{
    ground g = draw(bays, COUNT(bays));
    rill_river_path *north = find(&g, plane(3, 1.0)), *south = find(&g, plane(2, 1.0));
    for (int j = 0; j < g.ny; j++)
        for (int i = 0; i < g.nx; i++)
            assert_int_equal(is_wet(north, i, j), is_wet(south, i, j));
    rill_river_path_destroy(&north);
    drop(&g, &south);
}

TEST(a_level_below_or_above_everything_is_told_in_words)
{
    ground g = draw(bays, COUNT(bays));
    rill_river_path *path = NULL;
    assert_int_equal(try_find(&g, plane(3, -3.5), &path), RILL_BAD_DEF);
    assert_null(path);
    assert_sentence_has("level is -3.5 m, below all of the north border");
    assert_sentence_has("lowest cell is at 0 m");
    assert_int_equal(try_find(&g, plane(3, 12.0), &path), RILL_BAD_DEF);
    assert_sentence_has("level is 12 m, which leaves no dry ground: the highest is at 10 m");
    // All of the western border is high.
    assert_int_equal(try_find(&g, plane(0, 5.0), &path), RILL_BAD_DEF);
    assert_sentence_has("west border, whose lowest cell is at 10 m");
    free(g.z);
}

TEST(water_that_reaches_no_other_border_is_told_in_words)
{
    static const char *const bay[] = {"##..##", "##..##", "#....#", "######", "##..##"};
    ground g = draw(bay, COUNT(bay));
    rill_river_path *path = NULL;
    assert_int_equal(try_find(&g, plane(3, 1.0), &path), RILL_BAD_DEF);
    assert_sentence_has("from the north border reaches 8 cells and no other border");
    free(g.z);
}

TEST(cells_without_data_are_dry_and_in_the_way)
{
    static const char *const map[] = {"#~~#", "#n~#", "#n~#", "#~~#", "#~~#"};
    static const char *const shut[] = {"#..#", "#nn#", "#..#", "#..#", "#..#"};
    ground g = draw(map, COUNT(map)), closed = draw(shut, COUNT(shut));
    rill_river_path_def defs[2] = {plane(3, 1.0), profile(1.0)};
    for (int n = 0; n < 2; n++) {
        rill_river_path *path = find(&g, defs[n]), *none = NULL;
        for (int j = 0; j < g.ny; j++)
            for (int i = 0; i < g.nx; i++)
                assert_int_equal(is_wet(path, i, j), map[g.ny - 1 - j][i] == '~');
        assert_sound(&g, path);
        rill_river_path_destroy(&path);
        for (int j = 0; j < closed.ny; j++) // without a way around, over land
            for (int i = 0; i < closed.nx; i++)
                if (j == 3)
                    *at(&closed, i, j) = NAN;
        assert_int_equal(try_find(&closed, defs[n], &none), RILL_BAD_DEF);
        assert_null(none);
    }
    assert_sentence_has("cells without data");
    free(closed.z);
    free(g.z);
}

// One channel a cell wide through all of a large grid: eight million steps from end to end.
TEST(a_snake_through_sixteen_million_cells_is_followed_to_its_end)
{
    const int n = 4096;
    ground g = make_ground(n, n, 1.0);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            const int turn = j / 2 % 2 == 0 ? n - 2 : 1; // where an odd row lets through
            *at(&g, i, j) =
                (j % 2 == 0 && i > 0 && i < n - 1) || (j % 2 == 1 && i == turn) ? 0.0f : 5.0f;
        }
    rill_river_path *path = find(&g, plane(3, 1.0));
    const rill_river_path_view view = rill_river_path_get(path);
    assert_int_equal(view.wet_cells, (int64_t)(n / 2) * (n - 2) + n / 2);
    assert_int_equal(view.count, view.wet_cells);
    drop(&g, &path);
}

TEST(smoothing_closes_ditches_and_leaves_no_ground_above_the_water)
{
    ground g = make_ground(60, 60, 1.0);
    for (int j = 0; j < 60; j++)
        for (int i = 0; i < 60; i++) {
            const bool river = i >= 10 && i < 24, pond = i >= 36 && i < 50 && j >= 20 && j < 40;
            *at(&g, i, j) = river || pond || j == 30 ? 0.0f : 10.0f;
        }
    *at(&g, 16, 12) = 3.0f; // a rock in the river
    rill_river_path_def def = plane(3, 2.0);
    rill_river_path *rough = find(&g, def);
    def.smoothing = 6.0;
    rill_river_path *smooth = find(&g, def);
    assert_true(is_wet(rough, 42, 25) && !is_wet(smooth, 42, 25));
    assert_true(is_wet(smooth, 17, 30) && !is_wet(smooth, 16, 12));
    assert_sound(&g, smooth);
    rill_river_path_destroy(&rough);
    drop(&g, &smooth);
}

// ---- Banks -----------------------------------------------------------------------------

TEST(banks_have_unit_normals_and_enclosed_cells_have_none)
{
    float x[20 * 20], y[20 * 20];
    rill_river_path path = {0};
    assert_true(rill_field_create(NULL, 20, 20, 0, &path.level));
    for (int j = 0; j < 20; j++)
        for (int i = 0; i < 20; i++)
            rill_field_row(&path.level, j)[i] =
                (i >= 6 && i < 12) || (j == 10 && i > 12) ? 3.0f : RL_RIVER_DRY;
    assert_int_equal(rill_river_path_normals(&path, x, y), RILL_OK);
    for (int j = 0; j < 20; j++)
        for (int i = 0; i < 20; i++) {
            const float nx = x[20 * j + i], ny = y[20 * j + i];
            const bool creek = j >= 9 && j <= 11 && i >= 12;
            const bool bank = i == 5 || i == 6 || i == 11 || i == 12 || (creek && i > 12);
            assert_true(bank ? fabsf(nx * nx + ny * ny - 1.0f) < 1e-6f : nx == 0.0f && ny == 0.0f);
            if (i == 5 || i == 6)
                assert_true(nx == 1.0f && ny == 0.0f);
            if ((i == 11 || i == 12) && (j < 7 || j > 13))
                assert_true(nx == -1.0f && ny == 0.0f);
            if (i > 15 && (j == 9 || j == 11))
                assert_true(ny == (j == 9 ? 1.0f : -1.0f));
        }
    rill_field_destroy(NULL, &path.level);
}

// ---- Flood -----------------------------------------------------------------------------

#define FLOOD_X 41
#define FLOOD_Y 29

// The level of the flood by its definition: no cell may lie below its ground and below all of its
// neighbours, and none higher than that asks for. Goes over all cells until nothing changes.
static void flood_slowly(const ground *g, int from, float *level)
{
    for (int n = 0; n < g->nx * g->ny; n++)
        level[n] = INFINITY;
    for (bool changed = true; changed;) {
        changed = false;
        for (int n = 0; n < g->nx * g->ny; n++) {
            const int i = n % g->nx, j = n / g->nx;
            const bool sides[4] = {i == 0, i == g->nx - 1, j == 0, j == g->ny - 1};
            const bool outlet = (sides[0] || sides[1] || sides[2] || sides[3]) && !sides[from];
            float least = outlet ? g->z[n] : INFINITY;
            least = sides[0] ? least : fminf(least, level[n - 1]);
            least = sides[1] ? least : fminf(least, level[n + 1]);
            least = sides[2] ? least : fminf(least, level[n - g->nx]);
            least = sides[3] ? least : fminf(least, level[n + g->nx]);
            least = isnan(g->z[n]) ? INFINITY : fmaxf(least, g->z[n]);
            changed = changed || least < level[n];
            level[n] = fminf(least, level[n]);
        }
    }
}

// Rough ground has lakes in lakes, ground in whole metres has plains that are flat; both have
// holes.
TEST(hollows_are_filled_to_their_lowest_pass_and_drain)
{
    ground g = make_ground(FLOOD_X, FLOOD_Y, 1.0);
    float expected[FLOOD_X * FLOOD_Y];
    uint32_t random = 1;
    for (int trial = 0; trial < 64; trial++) {
        const int from = trial % 4;
        for (int n = 0; n < FLOOD_X * FLOOD_Y; n++) {
            random = random * 1664525u + 1013904223u;
            const float rough = (float)(random >> 16) / 4096.0f;
            g.z[n] = random >> 28 == 7 ? NAN : trial % 8 < 4 ? floorf(0.5f * rough) : rough;
        }
        flood_slowly(&g, from, expected);
        const rill_field field = {.origin = g.z, .nx = g.nx, .ny = g.ny, .pitch = (size_t)g.nx};
        SCOPED(rl_drainage) *d = rl_drainage_flood(
            &field, &(rl_flood_def){.from = from, .ways = 4, .no_data = (double)INFINITY}, NULL);
        assert_non_null(d);
        for (uint32_t n = 0; n < FLOOD_X * FLOOD_Y; n++) {
            uint32_t cell = rl_drainage_with_rim(d, n);
            assert_int_equal(rl_drainage_without_rim(d, cell), n);
            assert_int_equal(d->way[cell] <= RL_WAY_OUT, expected[n] < INFINITY);
            if (d->way[cell] > RL_WAY_OUT)
                continue;
            assert_true(d->level[cell] == expected[n]);
            int steps = 0;
            for (; d->way[cell] < RL_WAY_OUT && steps < FLOOD_X * FLOOD_Y; steps++) {
                const uint32_t next = rl_drainage_neighbour(d, cell, d->way[cell]);
                assert_true(d->level[next] <= d->level[cell]);
                cell = next;
            }
            assert_int_equal(d->way[cell], RL_WAY_OUT);
        }
    }
    free(g.z);
}

// ---- Profile ---------------------------------------------------------------------------

#define SLOPE 0.004

static double meander(double y)
{
    return 1500.0 + 300.0 * sin(TURN * y / 1500.0);
}

// Ground that falls to the south with a channel cut into it, 160 m wide and 12 m deep with walls as
// steep as the grid allows; one in a straight line when `bends` is 0.
static ground canal(int nx, int ny, double cell, double bends)
{
    ground g = make_ground(nx, ny, cell);
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            const double x = (i + 0.5) * cell, y = (j + 0.5) * cell;
            double least = 1e30;
            for (double s = y - 200.0; s <= y + 200.0; s += 5.0)
                least = fmin(least, hypot(x - 1500.0 - bends * (meander(s) - 1500.0), y - s));
            *at(&g, i, j) = (float)(SLOPE * y + (least < 80.0 ? 0.0 : 12.0));
        }
    return g;
}

TEST(the_surface_of_a_canal_follows_its_bed_exactly)
{
    ground g = canal(150, 150, 20.0, 0.0);
    rill_river_path *path = find(&g, profile(3.0));
    const rill_river_path_view view = rill_river_path_get(path);
    assert_sound(&g, path);
    for (int n = 0; n < view.count; n++)
        assert_true(fabs((double)(view.surface[n] - view.bed[n]) - 3.0) < 0.02);
    assert_true(fabs(view.length - 3000.0) < 1.0);
    assert_true(fabs(view.fall - SLOPE * 2980.0) < 0.05);
    assert_int_equal(view.wet_cells, 150 * 8);
    drop(&g, &path);
}

TEST(a_meandering_river_falls_all_the_way)
{
    ground g = canal(150, 300, 20.0, 1.0);
    rill_river_path *path = find(&g, profile(3.0));
    const rill_river_path_view view = rill_river_path_get(path);
    assert_sound(&g, path);
    double length = 0.0;
    for (double y = 0.0; y < 6000.0; y += 10.0)
        length += hypot(meander(y + 10.0) - meander(y), 10.0);
    assert_true(fabs(view.length - length) < 0.02 * length);
    assert_true(fabs(view.fall - SLOPE * 6000.0) < 0.4);
    // The level across the river differs by no more than the river falls along a few widths.
    for (int j = 0; j < g.ny; j++)
        for (int i = 0; i + 1 < g.nx; i++)
            if (is_wet(path, i, j) && is_wet(path, i + 1, j))
                assert_true(fabsf(level_at(path, i, j) - level_at(path, i + 1, j)) < 0.2f);
    drop(&g, &path);
}

TEST(a_river_may_come_from_any_side)
{
    ground north = canal(150, 150, 20.0, 1.0);
    for (int from = 0; from < 4; from++) {
        ground g = make_ground(150, 150, 20.0);
        for (int j = 0; j < 150; j++)
            for (int i = 0; i < 150; i++) {
                const int back = from == 0 || from == 2 ? 149 - (from < 2 ? i : j)
                                 : from < 2             ? i
                                                        : j;
                *at(&g, i, j) = *at(&north, from < 2 ? j : i, back);
            }
        rill_river_path_def def = profile(3.0);
        def.from = from;
        rill_river_path *path = find(&g, def);
        const rill_river_path_view view = rill_river_path_get(path);
        const float *along = from < 2 ? view.x : view.y;
        assert_sound(&g, path);
        const bool rises = from == 0 || from == 2;
        assert_true((along[0] < along[view.count - 1]) == rises);
        drop(&g, &path);
    }
    free(north.z);
}

TEST(a_country_that_falls_the_other_way_is_told_in_words)
{
    ground g = canal(150, 150, 20.0, 0.0);
    for (int n = 0; n < 150 * 150; n++)
        g.z[n] *= 4.0f; // so that no pool can be as deep
    rill_river_path_def def = profile(0.5);
    def.from = 2;
    rill_river_path *path = NULL;
    assert_int_equal(try_find(&g, def, &path), RILL_BAD_DEF);
    assert_sentence_has("the ground falls towards the south border");
    assert_null(path);
    free(g.z);
}

// 004 Fig. 6.1: a creek that comes down from the west and starts 40 m above the river.
static ground with_creek(void)
{
    ground g = canal(150, 200, 20.0, 0.0);
    for (int j = 0; j < 200; j++)
        for (int i = 0; i < 75; i++) {
            const double x = (i + 0.5) * 20.0, y = (j + 0.5) * 20.0, up = 1420.0 - x;
            const double side = fabs(y - 2000.0);
            if (up <= 0.0)
                continue;
            const double land = 12.0 + 0.0338 * up + 0.03 * side + SLOPE * y;
            const double creek = SLOPE * 2000.0 + 1.0 + 0.03 * up;
            *at(&g, i, j) = (float)(side < 25.0 ? creek : land);
        }
    return g;
}

TEST(a_branch_that_starts_above_the_river_is_found)
{
    ground g = with_creek();
    rill_river_path *flat = find(&g, plane(3, SLOPE * 4000.0 + 1.0)), *path;
    rill_river_path_def def = profile(3.0);
    def.catchment = 200.0 * 400.0;
    path = find(&g, def);
    const rill_river_path_view view = rill_river_path_get(path);
    assert_sound(&g, path);
    assert_true(view.branches >= 2);
    int found = 0;
    float highest = -1e30f;
    for (int i = 10; i < 70; i++) {
        assert_false(is_wet(flat, i, 100) && i < 40);
        found += is_wet(path, i, 99) || is_wet(path, i, 100);
        highest = fmaxf(highest, fmaxf(level_at(path, i, 99), level_at(path, i, 100)));
    }
    assert_true(found >= 50);
    assert_true(highest > view.surface[0] + 15.0f);
    // It fills its bed, by less than the river does: areas are in 1 to 100 at most, 0.4 a power.
    for (int i = 40; i < 70; i++) {
        const float depth = level_at(path, i, 100) - *at(&g, i, 100);
        assert_true(depth > 3.0f * 0.158f && depth < 3.0f);
    }
    // It comes down to the river without a step: 0.03 a metre, and a little for its mouth.
    for (int i = 20; i < 74; i++)
        if (is_wet(path, i, 100) && is_wet(path, i + 1, 100)) {
            const float step = level_at(path, i, 100) - level_at(path, i + 1, 100);
            assert_true(step > -0.01f && step < 2.5f * 0.03f * 20.0f);
        }
    rill_river_path_destroy(&flat);
    def.catchment = (double)INFINITY;
    rill_river_path *alone = find(&g, def);
    assert_int_equal(rill_river_path_get(alone).branches, 1);
    rill_river_path_destroy(&alone);
    drop(&g, &path);
}

// Water of the upper reaches must not run down over the plain at their level.
TEST(a_gap_in_the_bank_floods_no_more_than_lies_below_the_river_there)
{
    ground g = canal(150, 300, 20.0, 0.0);
    for (int j = 0; j < 300; j++)
        for (int i = 0; i < 150; i++) {
            const double y = (j + 0.5) * 20.0;
            if (i >= 84 && i < 120)
                *at(&g, i, j) = (float)(SLOPE * y + 4.0); // a plain 1 m above the water
            if (j == 250 && i >= 78 && i < 84)
                *at(&g, i, j) = (float)(SLOPE * y); // the gap
        }
    rill_river_path_def def = profile(3.0);
    def.catchment = (double)INFINITY;
    rill_river_path *path = find(&g, def);
    assert_sound(&g, path);
    assert_true(is_wet(path, 80, 250));
    assert_true(rill_river_path_get(path).wet_cells < 300 * 8 + 20);
    drop(&g, &path);
}

TEST(pools_and_riffles_do_not_show_in_the_surface)
{
    ground g = canal(150, 300, 20.0, 0.0);
    for (int j = 0; j < 300; j++)
        for (int i = 0; i < 150; i++)
            *at(&g, i, j) *= 0.25f; // 1 in 1000
    for (int j = 0; j < 300; j++)
        for (int i = 71; i < 79; i++)
            *at(&g, i, j) += (float)sin(TURN * j / 30.0);
    rill_river_path *path = find(&g, profile(4.0));
    const rill_river_path_view view = rill_river_path_get(path);
    assert_sound(&g, path);
    // A straight line 4 m above the mean bed; pools are twice 1 m apart from riffles.
    for (int n = 20; n < view.count - 20; n++)
        assert_true(fabs((double)view.surface[n] - 0.001 * (double)view.y[n] - 4.0) < 0.6);
    drop(&g, &path);
}

// ---- Edges -----------------------------------------------------------------------------

TEST(mistakes_in_a_definition_are_told)
{
    static const char *const names[] = {"from",      "surface",   "depth",
                                        "catchment", "smoothing", "cell_size"};
    ground g = draw(bays, COUNT(bays));
    for (int n = 0; n < COUNT(names); n++) {
        rill_river_path_def def = profile(1.0);
        def.from = n == 0 ? 5 : 3;
        def.surface = n == 1 ? (rill_river_surface)7 : RILL_RIVER_PROFILE;
        def.depth = n == 2 ? 0.0 : 1.0;
        def.catchment = n == 3 ? (double)NAN : 0.0;
        def.smoothing = n == 4 ? -1.0 : 0.0;
        g.cell = n == 5 ? 0.0 : 2.0;
        rill_river_path *path = (rill_river_path *)&g;
        assert_int_equal(try_find(&g, def, &path), RILL_BAD_DEF);
        assert_null(path);
        assert_sentence_has(names[n]);
    }
    g.cell = 2.0;
    SCOPED(rill_river_path) *path = NULL;
    assert_int_equal(try_find(&g, plane(3, (double)INFINITY), &path), RILL_BAD_DEF);
    *at(&g, 3, 4) = INFINITY;
    assert_int_equal(try_find(&g, profile(1.0), &path), RILL_BAD_ARGUMENT);
    assert_sentence_has("cell (3, 4)");
    assert_int_equal(rill_river_path_get(NULL).count, 0);
    rill_river_path_destroy(NULL);
    free(g.z);
}

TEST(an_allocator_that_runs_dry_leaves_nothing_behind)
{
    ground g = with_creek();
    const rill_field_view view = {g.z, g.nx, g.ny, (size_t)g.nx};
    for (int kind = 0; kind < 2; kind++) {
        rill_river_path_def def = kind == 0 ? plane(3, SLOPE * 4000.0 + 1.0) : profile(3.0);
        def.smoothing = 30.0;
        int failures = 0;
        for (int fail_at = 1; fail_at < 200; fail_at++) {
            counter count = {.fail_at = fail_at};
            const rill_host host = counting_host(&count);
            rill_river_path *path = NULL;
            const rill_status status = rill_river_path_find(view, g.cell, &def, &host, &path);
            assert_true(status == RILL_OK || status == RILL_NO_MEMORY);
            assert_true((path == NULL) == (status != RILL_OK));
            failures += status == RILL_NO_MEMORY;
            rill_river_path_destroy(&path);
            assert_int_equal(count.bytes, 0);
            if (status == RILL_OK)
                break;
        }
        assert_in_range(failures, 8, 100);
    }
    free(g.z);
}
