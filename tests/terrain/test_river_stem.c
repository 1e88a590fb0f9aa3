// SPDX-License-Identifier: MIT
// test_river_stem.c - rivers that are found by the areas which drain through them: where they rise
// and leave, how wide and deep they are, their lakes, and what is told.
#include "terrain/river_path/river_path.h"
#include "tests/kit/counting_host.h"
#include "tests/kit/kit.h"

#include "rill/river.h"
#include "rill/world.h"

#define N    160
#define CELL 30.0

// A catchment that drains to the south: a valley that winds, sides that rise away from it, higher
// towards a divide in the north, a second valley from the east that joins half way, all rough.
static double valley_at(double y)
{
    return 75.0 + 14.0 * sin(y / 17.0);
}

static float *catchment(float *z)
{
    unsigned random = 5;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            const double up = j + (j > 130 ? 3.0 * (j - 130) : 0.0);
            const double main = 1.4 * up + 4.0 * fabs(i - valley_at(j));
            const double east = i - valley_at(80.0);
            const double side = 1.4 * 80.0 + 1.7 * east + 5.0 * fabs(j - 80.0 - 0.2 * east);
            const double noise = (double)next_random(&random) / 65536.0;
            z[j * N + i] = (float)(fmin(main, east > 0.0 ? side : 1e9) + noise);
        }
    return z;
}

static rill_status try_find(const float *z, rill_river_path_def def, rill_river_path **path)
{
    return rill_river_path_find((rill_field_view){z, N, N, N}, CELL, &def, NULL, path);
}

static rill_river_path *find(const float *z, rill_river_path_def def)
{
    rill_river_path *path = NULL;
    assert_ok(try_find(z, def, &path));
    return path;
}

static float level_at(const rill_river_path_view *view, int i, int j)
{
    return view->level.data[(size_t)j * view->level.pitch + (size_t)i];
}

static float ground_at(const rill_river_path_view *view, int i, int j)
{
    return view->ground.data[(size_t)j * view->ground.pitch + (size_t)i];
}

// Water has a bed below it, dry ground beside it is no lower, all of it hangs together by faces,
// and the line falls.
static void assert_sound(const rill_river_path_view *view)
{
    static int list[N * N];
    static bool seen[N * N];
    int count = 0;
    memset(seen, 0, sizeof seen);
    const int first = (int)((double)view->y[0] / CELL) * N + (int)((double)view->x[0] / CELL);
    seen[first] = true;
    list[count++] = first;
    for (int n = 0; n < count; n++)
        for (int k = 0; k < 4; k++) {
            const int i = list[n] % N + (k == 0) - (k == 1), j = list[n] / N + (k == 2) - (k == 3);
            if (i < 0 || i >= N || j < 0 || j >= N || seen[j * N + i])
                continue;
            const float level = level_at(view, list[n] % N, list[n] / N);
            assert_true(ground_at(view, list[n] % N, list[n] / N) < level);
            if (!(level_at(view, i, j) > RL_RIVER_DRY)) {
                assert_true(ground_at(view, i, j) >= level);
                continue;
            }
            seen[j * N + i] = true;
            list[count++] = j * N + i;
        }
    assert_int_equal(count, view->wet_cells);
    for (int n = 1; n < view->count; n++) {
        assert_true(view->surface[n] <= view->surface[n - 1]);
        assert_true(view->area[n] >= view->area[n - 1]);
        assert_true(hypot((double)(view->x[n] - view->x[n - 1]),
                          (double)(view->y[n] - view->y[n - 1])) < 1.5 * CELL);
    }
}

// ---- Where it runs ---------------------------------------------------------------------

TEST(a_river_rises_inside_and_leaves_where_most_water_does)
{
    static float z[N * N];
    SCOPED(rill_river_path) *path = find(catchment(z), rill_default_river_path_def());
    const rill_river_path_view view = rill_river_path_get(path);
    assert_sound(&view);
    assert_int_equal(view.from, -1);
    assert_true(view.branches >= 2 && view.doubt == NULL);
    const int end = view.count - 1;
    assert_true((double)view.y[end] < CELL && (double)view.y[0] > 80.0 * CELL);
    for (int n = 10; n < end; n++) {
        // Below the mouth of the side valley it has to be the main one; above, either may be
        // longer.
        const double y = (double)view.y[n] / CELL;
        if (y < 75.0)
            assert_true(fabs((double)view.x[n] / CELL - valley_at(y)) < 3.0);
    }
    assert_true((double)view.area[end] > 0.3 * N * N * CELL * CELL);
}

// In bends that no cell can follow: no stretch along an axis or a diagonal is longer than ten cells
// (the ground falls everywhere), and turns are those of the valley, not of the cells.
TEST(its_line_is_smooth)
{
    static float z[N * N];
    SCOPED(rill_river_path) *path = find(catchment(z), rill_default_river_path_def());
    const rill_river_path_view view = rill_river_path_get(path);
    int run = 0;
    for (int n = 2; n < view.count; n++) {
        const double ax = (double)(view.x[n - 1] - view.x[n - 2]);
        const double ay = (double)(view.y[n - 1] - view.y[n - 2]);
        const double bx = (double)(view.x[n] - view.x[n - 1]),
                     by = (double)(view.y[n] - view.y[n - 1]);
        const double across = fabs(ax * by - ay * bx) / (hypot(ax, ay) * hypot(bx, by));
        assert_true(across < 0.5 && ax * bx + ay * by > 0.0); // 30 degrees; cells turn by 45 and 90
        run = fmin(fabs(bx), fabs(by)) < 1e-3 * CELL ? run + 1 : 0;
        assert_true(run <= 10);
    }
}

TEST(a_point_or_a_border_chooses_another_river)
{
    static float z[N * N];
    rill_river_path_def def = rill_default_river_path_def();
    def.catchment = 100.0 * CELL * CELL;
    def.through[0] = (valley_at(80.0) + 45.0) * CELL;
    def.through[1] = 89.0 * CELL;
    SCOPED(rill_river_path) *side = find(catchment(z), def), *none = NULL, *west = NULL;
    const rill_river_path_view view = rill_river_path_get(side);
    assert_sound(&view);
    double nearest = 1e9;
    for (int n = 0; n < view.count; n++)
        nearest = fmin(
            nearest, hypot((double)view.x[n] - def.through[0], (double)view.y[n] - def.through[1]));
    assert_true(nearest < 10.0 * CELL);
    assert_true((double)view.y[view.count - 1] < CELL);
    def.outlet = RILL_SIDE_NORTH;
    assert_int_equal(try_find(z, def, &none), RILL_BAD_DEF);
    assert_sentence_has("river.path.through");
    def = rill_default_river_path_def();
    def.outlet = RILL_SIDE_WEST;
    def.catchment = 20.0 * CELL * CELL;
    for (int n = 0; n < N * N; n++) // the far side of a ridge
        z[n] = n % N < 30 ? 300.0f + 3.0f * (float)(n % N) + 2.0f * fabsf((float)(n / N) - 70.0f)
                          : z[n];
    west = find(z, def);
    const rill_river_path_view other = rill_river_path_get(west);
    assert_true((double)other.x[other.count - 1] < CELL);
}

// A river that crosses comes in by the border, not out of the largest side valley.
TEST(a_river_from_beyond_is_followed_to_the_border)
{
    static float z[N * N];
    unsigned random = 9;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            const double away = fabs(i - valley_at(j)), noise = next_random(&random) / 65536.0;
            const double creek = fabs(j - 60.0 - 0.3 * (i - 75.0));
            const double land = fmin(6.0 * away, i > 75 ? 4.0 * away + 3.0 * creek : 1e9);
            z[j * N + i] = (float)(0.2 * j + land + 0.1 * noise);
        }
    SCOPED(rill_river_path) *path = find(z, rill_default_river_path_def());
    const rill_river_path_view view = rill_river_path_get(path);
    assert_int_equal(view.from, RILL_SIDE_NORTH);
    assert_true((double)view.y[0] > (N - 1) * CELL && (double)view.y[view.count - 1] < CELL);
    // Where the ground knows no bed one is carved, from the border as well.
    rill_river_path_def def = rill_default_river_path_def();
    def.width = 60.0;
    SCOPED(rill_river_path) *carved = find(z, def);
    const rill_river_path_view bed = rill_river_path_get(carved);
    assert_int_equal(bed.from, RILL_SIDE_NORTH);
    assert_true((double)bed.y[0] > (N - 1) * CELL && (double)bed.y[bed.count - 1] < CELL);
    assert_sound(&bed);
}

// ---- How wide and deep it is -----------------------------------------------------------

TEST(width_and_depth_follow_the_drained_area)
{
    static float z[N * N];
    rill_river_path_def def = rill_default_river_path_def();
    def.width = 200.0;
    def.depth = 3.0;
    SCOPED(rill_river_path) *path = find(catchment(z), def), *usual = NULL;
    const rill_river_path_view view = rill_river_path_get(path);
    const int end = view.count - 1;
    assert_near(view.width[end], 200.0, 0.01);
    for (int n = 0; n < view.count; n++) {
        const double part = (double)view.area[n] / (double)view.area[end];
        assert_near(view.width[n], fmax(200.0 * sqrt(part), CELL), 0.01);
        // In the middle of a parabola the depth is 1.5 times the mean, in a bed of two cells it is
        // the mean; pits of the ground stay down to 3 times.
        const double depth = (double)(view.surface[n] - view.bed[n]), mean = 3.0 * pow(part, 0.4);
        assert_true(depth > 0.98 * mean && depth < 3.02 * mean);
    }
    // 20 mm a day of what drains, by 7.2 Q^0.5.
    usual = find(z, rill_default_river_path_def());
    const rill_river_path_view own = rill_river_path_get(usual);
    const double flow = 0.02 / 86400.0 * (double)own.area[own.count - 1];
    assert_near(own.width[own.count - 1], fmax(CELL, 7.2 * sqrt(flow)), 0.1);
}

TEST(lakes_stay_level_and_dams_are_cut_through)
{
    static float z[N * N];
    catchment(z);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            if (j >= 40 && j < 60 && z[j * N + i] < 80.0f)
                z[j * N + i] = 80.0f; // flat up to where the valley has risen to it
    for (int i = 0; i < N; i++)
        z[39 * N + i] = z[38 * N + i] = fmaxf(z[39 * N + i], 118.0f); // the dam
    SCOPED(rill_river_path) *path = find(z, rill_default_river_path_def());
    const rill_river_path_view view = rill_river_path_get(path);
    assert_sound(&view);
    int lake = 0;
    for (int j = 42; j < 50; j++)
        for (int i = 0; i < N; i++)
            if (z[j * N + i] == 80.0f) {
                assert_true(level_at(&view, i, j) == 80.0f);
                assert_true(ground_at(&view, i, j) < 80.0f);
                lake++;
            }
    assert_true(lake > 50);
    for (int n = 0; n < view.count; n++) {
        const double y = (double)view.y[n] / CELL;
        if (y > 42.0) // the line is smooth over some cells
            assert_true((double)view.surface[n] >= 80.0);
        else if (y < 36.0)
            assert_true((double)view.surface[n] <= 80.0);
    }
    assert_non_null(view.doubt);
    assert_non_null(strstr(view.doubt, "a dam or a bridge"));
}

// ---- Cells without data ----------------------------------------------------------------

TEST(water_leaves_beside_cells_without_data)
{
    static float z[N * N];
    catchment(z);
    rill_river_path_def def = rill_default_river_path_def();
    for (int walls = 0; walls < 2; walls++) {
        for (int n = 0; n < 30 * N; n++)
            z[n] = walls ? 5000.0f : NAN;
        def.no_data = walls ? 5000.0 : (double)INFINITY;
        SCOPED(rill_river_path) *path = find(z, def);
        const rill_river_path_view view = rill_river_path_get(path);
        double sum = 0.0, out = 0.0;
        for (size_t n = 0; n < path->spring_count; n++) {
            sum += (double)path->springs[n].amount;
            out += fmin(0.0, (double)path->springs[n].amount);
        }
        assert_true((int)((double)view.y[view.count - 1] / CELL) == 30);
        assert_true(out < 0.0 && fabs(sum) < 1e-5 * fabs(out)); // what comes in goes out there
        for (int j = 0; j < 30; j++)
            for (int i = 0; i < N; i++)
                assert_true(level_at(&view, i, j) == RL_RIVER_DRY);
        for (int n = 0; n < view.count; n++)
            assert_true(view.surface[n] < 1000.0f && view.surface[n] - view.bed[n] < 10.0f);
    }
}

// ---- Words -----------------------------------------------------------------------------

TEST(a_puddle_in_a_corner_is_told)
{
    static float z[N * N];
    rill_river_path_def def = rill_default_river_path_def();
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            z[j * N + i] = (float)(j + fabs(i - 20.0));
    def.from = RILL_SIDE_WEST;
    def.depth = 30.0;
    SCOPED(rill_river_path) *path = find(z, def), *none = NULL;
    const rill_river_path_view view = rill_river_path_get(path);
    assert_non_null(view.doubt);
    assert_non_null(strstr(view.doubt, "river.path.from = \"auto\""));
    def = rill_default_river_path_def();
    def.catchment = 1e12;
    assert_int_equal(try_find(z, def, &none), RILL_BAD_DEF);
    assert_sentence_has("river.path.catchment");
    assert_null(none);
}

TEST(an_allocator_that_runs_dry_leaves_nothing_behind)
{
    static float z[N * N];
    const rill_field_view view = {catchment(z), N, N, N};
    rill_river_path_def def = rill_default_river_path_def();
    int failures = 0;
    for (int fail_at = 1; fail_at < 200; fail_at++) {
        counter count = {.fail_at = fail_at};
        const rill_host host = counting_host(&count);
        rill_river_path *path = NULL;
        const rill_status status = rill_river_path_find(view, CELL, &def, &host, &path);
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
