// SPDX-License-Identifier: MIT
// test_drainage.c - where all water of a terrain runs: hollows, flats, areas; falling profiles;
// lakes.
#include "terrain/river_path/river_path_internal.h"
#include "tests/kit/kit.h"

#include "rill/river.h"

#define NX 41
#define NY 29

static const int step_x[8] = {1, -1, 0, 0, 1, -1, -1, 1}, step_y[8] = {0, 0, 1, -1, 1, -1, 1, -1};

static rill_drainage *find(const float *z, int nx, int ny)
{
    rill_drainage *drainage = NULL;
    assert_ok(
        rill_drainage_find((rill_field_view){z, nx, ny, (size_t)nx}, 10.0, 0.0, NULL, &drainage));
    return drainage;
}

// ---- Rough ground ----------------------------------------------------------------------

static bool has_data(const float *z, int i, int j)
{
    return i >= 0 && i < NX && j >= 0 && j < NY && !isnan(z[j * NX + i]);
}

// The filled level by its definition: no cell may lie below its ground and below all of its eight
// neighbours, what lies beside the border or a hole drains, and none is higher than that asks for.
static void fill_slowly(const float *z, float *level)
{
    for (int n = 0; n < NX * NY; n++)
        level[n] = INFINITY;
    for (bool changed = true; changed;) {
        changed = false;
        for (int n = 0; n < NX * NY; n++) {
            float least = INFINITY;
            for (int way = 0; way < 8 && !isnan(z[n]); way++) {
                const int i = n % NX + step_x[way], j = n / NX + step_y[way];
                least = fminf(least, has_data(z, i, j) ? level[j * NX + i] : z[n]);
            }
            least = isnan(z[n]) ? INFINITY : fmaxf(least, z[n]);
            changed = changed || least < level[n];
            level[n] = fminf(level[n], least);
        }
    }
}

// Every way goes down or over a flat, and ends; the cells that drain through a cell are itself and
// those that drain through the cells which drain into it.
static void assert_drains(const rill_drainage_view *view, const float *z, const float *expected)
{
    uint32_t sum[NX * NY] = {0};
    for (int n = 0; n < NX * NY; n++) {
        int i = n % NX, j = n / NX, steps = 0;
        if (isnan(z[n])) {
            assert_int_equal(view->way[(size_t)j * view->pitch + (size_t)i], RILL_DRAINAGE_NO_DATA);
            continue;
        }
        assert_true(view->filled[(size_t)j * view->pitch + (size_t)i] == expected[n]);
        for (;; steps++) {
            const size_t at = (size_t)j * view->pitch + (size_t)i;
            sum[j * NX + i]++;
            assert_true(steps < NX * NY);
            if (view->way[at] == RILL_DRAINAGE_OUT)
                break;
            assert_in_range(view->way[at], 0, 7);
            const float here = view->filled[at];
            i += step_x[view->way[at]];
            j += step_y[view->way[at]];
            assert_true(has_data(z, i, j));
            assert_true(view->filled[(size_t)j * view->pitch + (size_t)i] <= here);
        }
    }
    for (int n = 0; n < NX * NY; n++)
        if (!isnan(z[n]))
            assert_int_equal(view->area[(size_t)(n / NX) * view->pitch + (size_t)(n % NX)], sum[n]);
}

TEST(all_water_runs_out_and_is_counted_once)
{
    float z[NX * NY], expected[NX * NY];
    unsigned random = 7;
    for (int trial = 0; trial < 64; trial++) {
        for (int n = 0; n < NX * NY; n++) {
            const float rough = (float)next_random(&random) / 4096.0f;
            z[n] = next_random(&random) < 1500 ? NAN
                   : trial % 2 == 0            ? floorf(0.4f * rough)
                                               : rough;
        }
        fill_slowly(z, expected);
        SCOPED(rill_drainage) *drainage = find(z, NX, NY);
        const rill_drainage_view view = rill_drainage_get(drainage);
        assert_drains(&view, z, expected);
    }
}

// ---- Flats -----------------------------------------------------------------------------

// A flat trough between high banks with a way out in the east. Water that only went towards the way
// out would run along the banks; what goes away from higher ground first gathers in the middle.
TEST(water_on_a_flat_gathers_in_its_middle)
{
    float z[NX * NY];
    for (int n = 0; n < NX * NY; n++) {
        const int i = n % NX, j = n / NX;
        const bool bank = i == 0 || i == NX - 1 || j == 0 || j == NY - 1;
        z[n] = bank ? 9.0f : 2.0f;
    }
    z[NY / 2 * NX + NX - 1] = 1.0f;
    SCOPED(rill_drainage) *drainage = find(z, NX, NY);
    const rill_drainage_view view = rill_drainage_get(drainage);
    // Far enough from the bank in the west to have gathered, and from that in the east.
    for (int i = NX / 2; i < NX - 10; i++) {
        uint32_t middle = 0, all = 0;
        for (int j = 1; j < NY - 1; j++) {
            const uint32_t area = view.area[(size_t)j * view.pitch + (size_t)i];
            all += area;
            middle = area > middle ? area : middle;
        }
        assert_true(middle > all / 2);
        assert_true(view.area[(size_t)1 * view.pitch + (size_t)i] < (uint32_t)NX);
    }
    assert_int_equal(view.area[(size_t)(NY / 2) * view.pitch + NX - 1], NX * NY);
}

// ---- Falling profiles ------------------------------------------------------------------

// The least sum of distances by trying all: some best profile has values of the profile alone.
static double least_sum(const float *z, int count)
{
    double best[64], next[64];
    for (int k = 0; k < count; k++)
        best[k] = 0.0;
    for (int n = 0; n < count; n++) {
        for (int k = 0; k < count; k++) {
            next[k] = 1e30;
            for (int m = 0; m < count; m++) // the value before is no lower
                if (z[m] >= z[k] || n == 0)
                    next[k] = fmin(next[k], best[m]);
            next[k] += fabs((double)z[n] - (double)z[k]);
        }
        memcpy(best, next, sizeof best);
    }
    double least = 1e30;
    for (int k = 0; k < count; k++)
        least = fmin(least, best[k]);
    return least;
}

TEST(a_falling_profile_is_as_near_to_the_ground_as_can_be)
{
    unsigned random = 3;
    for (int trial = 0; trial < 50; trial++) {
        float z[40], fit[40], heap[40];
        const int count = 1 + trial % 40;
        for (int n = 0; n < count; n++)
            fit[n] = z[n] = (float)(next_random(&random) % 50) - (float)(trial % 3 * n);
        rl_river_course_fit_falling(fit, (size_t)count, heap);
        double sum = 0.0;
        for (int n = 0; n < count; n++) {
            sum += fabs((double)fit[n] - (double)z[n]);
            assert_true(n == 0 || fit[n] <= fit[n - 1]);
        }
        assert_near(sum, least_sum(z, count), 1e-3);
    }
}

TEST(a_dam_does_not_lift_the_water_before_it)
{
    float z[20], heap[20];
    for (int n = 0; n < 20; n++)
        z[n] = n < 12 ? 100.0f : n < 14 ? 160.0f : n == 15 ? 20.0f : 80.0f;
    rl_river_course_fit_falling(z, 20, heap);
    for (int n = 0; n < 20; n++)
        assert_true(z[n] == (n < 14 ? 100.0f : 80.0f));
}

// ---- Lakes -----------------------------------------------------------------------------

// What is level within a rim that rises is a lake; a step of a slope in whole metres is none.
TEST(a_step_of_a_slope_is_no_lake)
{
    float z[NX * NY];
    uint8_t mark[NX * NY] = {0};
    FREED(uint32_t) *cells = NULL;
    rl_lake lake = {0};
    for (int n = 0; n < NX * NY; n++) {
        const double x = n % NX - 20.5, y = n / NX - 14.5;
        z[n] = x * x + y * y < 36.0 ? 50.0f : 60.0f - floorf((float)(n % NX) / 8.0f);
    }
    z[14 * NX + 26] = 49.0f; // where it leaves
    const rill_field field = {.origin = z, .nx = NX, .ny = NY, .pitch = NX};
    assert_true(rl_lake_find(&field, 14 * NX + 20, mark, NULL, &lake));
    assert_in_range(lake.count, 100, 125); // pi 6^2
    assert_true(rl_lake_find(&field, 14 * NX + 34, mark, NULL, &lake));
    assert_int_equal(lake.count, 0);
    for (int n = 0; n < NX * NY; n++)
        assert_int_equal(mark[n], 0);
    cells = lake.cell;
}

// ---- Words -----------------------------------------------------------------------------

TEST(mistakes_are_told)
{
    float z[NX * NY] = {0};
    rill_drainage *drainage = (rill_drainage *)z;
    const rill_field_view view = {z, NX, NY, NX};
    assert_int_equal(rill_drainage_find(view, 10.0, -1.0, NULL, &drainage), RILL_BAD_DEF);
    assert_sentence_has("smoothing is -1 m");
    assert_null(drainage);
    assert_int_equal(rill_drainage_find(view, 0.0, 0.0, NULL, &drainage), RILL_BAD_DEF);
    assert_sentence_has("cell_size");
    assert_int_equal(rill_drainage_find((rill_field_view){0}, 1.0, 0.0, NULL, &drainage),
                     RILL_BAD_ARGUMENT);
    assert_int_equal(rill_drainage_find(view, 1.0, 0.0, NULL, NULL), RILL_BAD_ARGUMENT);
    assert_int_equal(rill_drainage_get(NULL).nx, 0);
    rill_drainage_destroy(NULL);
}
