// SPDX-License-Identifier: MIT
// The pipes water against what must hold exactly or by theory. Longer comparisons with exact
// solutions are in validation/.
#include "tests/kit/kit.h"
#include "tests/kit/worlds.h"

#include <float.h>

#define LONG_RUN 100000

static float bed[BASIN_MAX_SIDE * BASIN_MAX_SIDE], depth[BASIN_MAX_SIDE * BASIN_MAX_SIDE];

// ---- Lakes at rest ---------------------------------------------------------------------

// Beds and levels that are multiples of 1/64 m: all sums are exact, so nothing may move at all.
TEST(a_lake_on_a_quantised_bed_does_not_move_at_all)
{
    for (int variant = 0; variant < 3; variant++) {
        rill_world_def def = basin_def(40, 26.0 / 64.0, 1.0 / 64.0, bed);
        def.pipes.viscosity = variant == 1 ? 1e-3f : 0.0f;
        def.pipes.area = variant == 2 ? RILL_AREA_PAPER : RILL_AREA_WETTED;
        SCOPED(rill_world) *world = make_world(&def);
        for (int n = 0; n < 200; n++) {
            run_frames(world, 1);
            assert_true(fastest(world) == 0.0);
        }
        const rill_field_view d = rill_world_depth(world);
        for (int j = 0; j < 40; j++)
            for (int i = 0; i < 40; i++) {
                const float level = (float)(26.0 / 64.0), b = bed[j * 40 + i];
                assert_true(d.data[(size_t)j * d.pitch + (size_t)i] ==
                            (level > b ? level - b : 0.0f));
            }
    }
}

// Grounds that are no multiples of anything: one lake, the same viscous, and two lakes of different
// level with a dry ridge between them and a dry pit, deeper than both, behind its rim.
typedef enum lake { ONE_LAKE, VISCOUS_LAKE, TWO_LAKES_AND_PIT, LAKES } lake;

static rill_world *make_lake(lake kind)
{
    enum { N = 32 };
    rill_world_def def = basin_def(N, 0.4, 0, bed);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            float *b = &bed[j * N + i], level = i < N / 2 ? 0.4f : 0.55f;
            const int to_pit = abs(i - 24) > abs(j - 22) ? abs(i - 24) : abs(j - 22);
            if (abs(i - N / 2) <= 1 || to_pit == 4)
                *b += 2.0f;
            if (to_pit < 4) {
                *b -= 3.0f;
                level = -9.0f;
            }
            depth[j * N + i] = level > *b ? level - *b : 0.0f;
        }
    if (kind == TWO_LAKES_AND_PIT) {
        def.use_level = 0;
        def.depth = (rill_field_view){depth, N, N, N};
    } else {
        def = basin_def(N, 0.4, 0, bed);
    }
    def.pipes.viscosity = kind == VISCOUS_LAKE ? 1e-6f : 0.0f;
    return make_world(&def);
}

// The largest speed where the water is a centimetre deep: thin films have no meaningful speed.
static double fastest_in_depth(rill_world *world)
{
    double largest = 0.0;
    const rill_columns c = rill_world_columns(world);
    for (int j = 0; j < c.ny; j++)
        for (int i = 0; i < c.nx; i++) {
            const size_t k = (size_t)j * c.pitch + (size_t)i;
            if (c.depth[k] >= 0.01f)
                largest = fmax(largest, hypot((double)c.velocity_x[k], (double)c.velocity_y[k]));
        }
    return largest;
}

// For any bed, b + d rounds to the level within one ulp of the largest of them. Such a slope of one
// ulp over a cell, kept up for ever, is what drives the water: the speed stays at that of a wave
// of a few ulps, u = eta sqrt(g / H), and does not grow.
TEST(lakes_on_any_bed_stay_at_rest_without_growth)
{
    for (int kind = 0; kind < LAKES; kind++) {
        SCOPED(rill_world) *world = make_lake((lake)kind);
        const double grain = 0.5 * (double)FLT_EPSILON; // of levels below 1 m
        const double deepest = (double)rill_world_stats(world).max_depth;
        double half[2] = {0.0, 0.0};
        for (int n = 0; n < LONG_RUN; n += 500) {
            run_frames(world, 500);
            double *now = &half[n >= LONG_RUN / 2];
            *now = fmax(*now, fastest_in_depth(world));
        }
        assert_true(half[0] < 16.0 * grain * sqrt(9.81 / deepest));
        assert_true(half[1] <= 1.5 * half[0]); // steady growth would make it twice as much
        const rill_field_view d = rill_world_depth(world);
        if (kind == TWO_LAKES_AND_PIT)
            assert_true(d.data[22 * d.pitch + 24] == 0.0f);
    }
}

// Two lakes of different level on both sides of a dry ridge, and a dry pit deeper than both.
TEST(lakes_apart_stay_apart_and_a_pit_stays_dry)
{
    const int n = 48;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            float b = 0.25f + (float)((i * 7 + j * 13) % 9) / 64.0f;
            float level = i < n / 2 ? 1.0f : 0.625f;
            if (abs(i - n / 2) <= 1)
                b = 1.5f; // the ridge
            const int to_pit = abs(i - 36) > abs(j - 12) ? abs(i - 36) : abs(j - 12);
            if (to_pit <= 4)
                b = to_pit == 4 ? 1.25f : -2.0f; // a rim round the pit
            if (to_pit <= 4)
                level = -3.0f;
            bed[j * n + i] = b;
            depth[j * n + i] = level > b ? level - b : 0.0f;
        }
    rill_world_def def = grid_def(n, n, 0.5);
    set_ground(&def, bed, depth);
    SCOPED(rill_world) *world = make_world(&def);
    run_frames(world, 300);
    assert_true(fastest(world) == 0.0);
    assert_memory_equal(&rill_world_depth(world).data[12 * rill_world_depth(world).pitch + 36],
                        &(float){0.0f}, sizeof(float));
}

// Rain and a drain that takes as much, for a hundred thousand steps: the books stay closed and the
// level stays where it is.
TEST(rain_and_an_equal_drain_keep_the_books_closed)
{
    rill_world_def def = basin_def(24, 0.4, 0, bed);
    SCOPED(rill_world) *world = make_world(&def);
    const double rate = 2e-6, area = 100.0;
    set_rain(world, rate);
    add_spring(world, 1.5, 8.5, (double)0.6f, -rate * area);
    for (int n = 0; n < LONG_RUN; n += 1000) {
        run_frames(world, 1000);
        assert_true(rill_world_ledger(world).error < 1e-6);
    }
    const rill_ledger l = rill_world_ledger(world);
    assert_true(fabs(l.sourced / l.drained - 1.0) < 1e-3);
    assert_true(fabs(l.water / l.initial - 1.0) < 1e-3);
}

// ---- Waves and flow --------------------------------------------------------------------

// A standing wave crosses its mean level every half period, T = 2 L / sqrt(g H).
static double wave_speed(double h, rill_pipe_area area)
{
    const int n = 64;
    const double dx = 0.5, pi = acos(-1.0), k = pi / (n * dx), amplitude = 1e-4 * h;
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < n; i++)
            depth[j * n + i] = (float)(h + amplitude * cos(k * (i + 0.5) * dx));
    rill_world_def def = grid_def(n, 4, dx);
    def.depth = (rill_field_view){depth, n, 4, (size_t)n};
    def.pipes.area = area;
    SCOPED(rill_world) *world = make_world(&def);
    const double expected = area == RILL_AREA_PAPER ? sqrt(9.81 * dx) : sqrt(9.81 * h);
    const double dt = 2.0 * n * dx / expected / 2000.0;
    double before = amplitude, first = 0.0, last = 0.0;
    int crossings = 0;
    for (int s = 0; s < 20000 && crossings < 6; s++) {
        run_world(world, 1, dt);
        const rill_field_view d = rill_world_depth(world);
        double mode = 0.0;
        for (int i = 0; i < n; i++)
            mode += ((double)d.data[i] - h) * cos(k * (i + 0.5) * dx);
        if ((mode < 0.0) != (before < 0.0)) {
            last = dt * (s + before / (before - mode));
            first = crossings++ == 0 ? last : first;
        }
        before = mode;
    }
    assert_int_equal(crossings, 6);
    return n * dx * 5.0 / (last - first); // half a period is a crossing of the basin
}

TEST(small_waves_run_at_the_square_root_of_g_h)
{
    const double depths[] = {0.1, 1.0, 10.0};
    for (int n = 0; n < 3; n++)
        assert_true(fabs(wave_speed(depths[n], RILL_AREA_WETTED) / sqrt(9.81 * depths[n]) - 1.0) <
                    0.01);
}

TEST(paper_pipes_run_at_the_square_root_of_g_dx)
{
    assert_true(fabs(wave_speed(10.0, RILL_AREA_PAPER) / sqrt(9.81 * 0.5) - 1.0) < 0.01);
}

// Viscosity alone: a uniform flow in a long channel loses 3 nu / H^2 of itself per second (000 Eq.
// B.9). Measured on the decay of a standing wave's amplitude: half that rate.
TEST(viscosity_damps_a_wave_at_its_rate)
{
    const int n = 64;
    const double dx = 0.01, h = 0.05, nu = 1e-5, pi = acos(-1.0), k = pi / (n * dx);
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < n; i++)
            depth[j * n + i] = (float)(h * (1.0 + 1e-3 * cos(k * (i + 0.5) * dx)));
    rill_world_def def = grid_def(n, 4, dx);
    def.depth = (rill_field_view){depth, n, 4, (size_t)n};
    def.pipes.viscosity = (float)nu;
    def.pipes.smoothing = 1.0f; // viscosity alone
    SCOPED(rill_world) *world = make_world(&def);
    const double dt = 1e-3, time = 60.0, period = 2.0 * n * dx / sqrt(9.81 * h);
    double largest = 0.0;
    for (int s = 0; s * dt < time; s++) {
        run_world(world, 1, dt);
        const rill_field_view d = rill_world_depth(world);
        double mode = 0.0;
        for (int i = 0; i < n; i++)
            mode += ((double)d.data[i] - h) * cos(k * (i + 0.5) * dx) * 2.0 / n;
        if (s * dt > time - period)
            largest = fmax(largest, fabs(mode));
    }
    const double exact = h * 1e-3 * exp(-1.5 * nu / (h * h) * (time - 0.5 * period));
    assert_true(fabs(largest / exact - 1.0) < 0.02);
}

// A tranquil river on a rough slope runs at u = sqrt(g S H / c): fed at the top, drained at the
// bottom, its depth settles at H = (c q^2 / (g S))^(1/3).
TEST(drag_holds_a_river_at_its_speed)
{
    enum { NX = 120, NY = 4 };
    const double dx = 2.0, slope = 0.01, c = 0.05, q = 0.8;
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++)
            bed[j * NX + i] = (float)(slope * dx * (NX - i));
    rill_world_def def = grid_def(NX, NY, dx);
    def.bed = (rill_field_view){bed, NX, NY, NX};
    def.pipes.drag = (float)c;
    def.border[RILL_SIDE_EAST] = RILL_BORDER_DRAIN;
    SCOPED(rill_world) *world = make_world(&def);
    for (int j = 0; j < NY; j++)
        add_spring(world, 0.5 * dx, (j + 0.5) * dx, 0.0, q * dx);
    run_world(world, 30000, 1.0 / 30.0);
    const double depth_exact = cbrt(c * q * q / (9.81 * slope));
    const rill_columns columns = rill_world_columns(world);
    for (int i = 10; i < NX / 2; i++) { // the drain draws the end down
        const size_t k = columns.pitch + (size_t)i;
        assert_true(fabs((double)columns.depth[k] / depth_exact - 1.0) < 0.01);
        assert_true(fabs((double)columns.velocity_x[k] / (q / depth_exact) - 1.0) < 0.01);
    }
}

// A film that runs off the edge of a slope leaves as it came: with level ground beyond the drain
// its last cell would be H (8 dx S / H)^(1/4) deep, 54 % too much here.
TEST(a_film_leaves_through_a_drain_as_it_came)
{
    enum { NX = 40, NY = 4 };
    const double dx = 2e-3, slope = 0.17633, nu = 4e-5, film = 5e-4;
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            bed[j * NX + i] = (float)(slope * dx * (NX - i));
            depth[j * NX + i] = (float)film;
        }
    rill_world_def def = grid_def(NX, NY, dx);
    set_ground(&def, bed, depth);
    def.pipes.viscosity = (float)nu;
    def.border[RILL_SIDE_EAST] = RILL_BORDER_DRAIN;
    SCOPED(rill_world) *world = make_world(&def);
    const double rate = 9.81 * slope * film * film * film / (3.0 * nu) * dx; // Nusselt
    for (int j = 0; j < NY; j++)
        add_spring(world, 0.5 * dx, (j + 0.5) * dx, 0.0, rate);
    run_world(world, 20000, 1e-3);
    const rill_field_view d = rill_world_depth(world);
    assert_true(fabs((double)d.data[d.pitch + NX / 2] / film - 1.0) < 0.01);
    assert_true(fabs((double)d.data[d.pitch + NX - 1] / film - 1.0) < 0.2);
}

// Waves that die out must not end in denormal numbers, which would slow the processor down.
TEST(decayed_water_holds_no_denormals)
{
    rill_world_def def = basin_def(48, 0.4, 0, bed);
    def.pipes.friction = 0.999f;
    def.pipes.viscosity = 1e-2f;
    SCOPED(rill_world) *world = make_world(&def);
    assert_ok(rill_world_pour(world, 3.0f, 3.0f, 1.0f, 0.1, NULL));
    for (int n = 0; n < 60; n++) {
        run_frames(world, 100);
        const rill_columns c = rill_world_columns(world);
        for (int j = 0; j < c.ny; j++)
            for (int i = 0; i < c.nx; i++) {
                const size_t k = (size_t)j * c.pitch + (size_t)i;
                assert_int_not_equal(fpclassify(c.depth[k]), FP_SUBNORMAL);
                assert_int_not_equal(fpclassify(c.velocity_x[k]), FP_SUBNORMAL);
            }
    }
}

// Water on a ledge above a deep pit must not fall faster than its own depth and the cliff limit
// allow: head <= d + 1.5 dx (docs/papers.md, 000.12).
TEST(a_cliff_does_not_suck)
{
    const int n = 16;
    for (int i = 0; i < n * n; i++) {
        bed[i] = i % n < 8 ? 1000.0f : 0.0f;
        depth[i] = i % n < 8 ? 0.1f : 0.0f;
    }
    rill_world_def def = grid_def(n, n, 1.0);
    set_ground(&def, bed, depth);
    SCOPED(rill_world) *world = make_world(&def);
    const double dt = 1e-3;
    run_world(world, 1, dt);
    // After one step q = g dt H head / dx, and that went down: V = q dt n dx. H = d at a cliff.
    const double exact = 9.81 * dt * 0.1 * (0.1 + 1.5) * dt * n;
    const rill_field_view d = rill_world_depth(world);
    double fallen = 0.0;
    for (int j = 0; j < n; j++)
        for (int i = 8; i < n; i++)
            fallen += (double)d.data[(size_t)j * d.pitch + (size_t)i];
    assert_true(fabs(fallen / exact - 1.0) < 1e-3);
}

// A basin between two seas of one level fills to that level and then rests.
TEST(a_fixed_level_fills_the_basin)
{
    rill_world_def def = basin_def(32, -10.0, 0, bed);
    def.pipes.friction = 0.9f;
    def.border[RILL_SIDE_WEST] = def.border[RILL_SIDE_NORTH] = RILL_BORDER_LEVEL;
    def.border_level[RILL_SIDE_WEST] = def.border_level[RILL_SIDE_NORTH] = 0.9f;
    SCOPED(rill_world) *world = make_world(&def);
    assert_true(rill_world_ledger(world).initial == 0.0);
    run_frames(world, 6000);
    const rill_columns c = rill_world_columns(world);
    for (int j = 0; j < c.ny; j++)
        for (int i = 0; i < c.nx; i++) {
            const size_t k = (size_t)j * c.pitch + (size_t)i;
            if (c.base[k] < 0.85f)
                assert_true(fabsf(c.base[k] + c.depth[k] - 0.9f) < 1e-3f);
        }
    assert_true(rill_world_ledger(world).error < 1e-6);
}

// East, west, north and south are treated alike: a world that is mirrored or turned moves its water
// mirrored or turned, to the last bit. No row, band or border may look somewhere else.
TEST(mirrored_and_turned_worlds_do_the_same)
{
    enum { N = 150 };
    static float first[N * N];
    for (int variant = 0; variant < 4; variant++)
        for (int motion = 0; motion < 8; motion++) {
            rill_world_def def = grid_def(N, N, 0.1);
            for (int j = 0; j < N; j++)
                for (int i = 0; i < N; i++) {
                    const float b = made_bed(i, j, 10.0 / N, 0);
                    bed[moved_cell(i, j, N, motion)] = b;
                    const float level = i < 60 && j > 30 ? 0.7f : 0.3f;
                    depth[moved_cell(i, j, N, motion)] = level > b ? level - b : 0.0f;
                }
            set_ground(&def, bed, depth);
            def.pipes.viscosity = variant & 1 ? 1e-4f : 0.0f;
            def.pipes.area = variant & 2 ? RILL_AREA_PAPER : RILL_AREA_WETTED;
            def.border[moved_side(RILL_SIDE_EAST, motion)] = RILL_BORDER_DRAIN;
            def.border[moved_side(RILL_SIDE_NORTH, motion)] = RILL_BORDER_LEVEL;
            def.border_level[moved_side(RILL_SIDE_NORTH, motion)] = 0.5f;
            SCOPED(rill_world) *world = make_world(&def);
            run_frames(world, 60);
            const rill_field_view d = rill_world_depth(world);
            for (int j = 0; j < N; j++)
                for (int i = 0; i < N; i++) {
                    const size_t cell = moved_cell(i, j, N, motion);
                    const float now = d.data[cell / N * d.pitch + cell % N];
                    if (motion == 0)
                        first[j * N + i] = now;
                    else
                        assert_memory_equal(&now, &first[j * N + i], sizeof now);
                }
        }
}

// A caller who forbids substeps still gets stable water: the wetted area is capped.
TEST(too_few_substeps_slow_the_waves_and_stay_stable)
{
    rill_world_def def = lake_def(48, 48, 1.0, 400.0);
    def.max_substeps = 1;
    SCOPED(rill_world) *world = make_world(&def);
    assert_ok(rill_world_pour(world, 24.0f, 24.0f, 4.0f, 100.0, NULL));
    run_world(world, 3000, 0.1);
    assert_int_equal(rill_world_last_step(world).capped, 1);
    assert_int_equal(rill_world_last_step(world).capped_steps, 3000);
    assert_int_equal(rill_world_last_step(world).substeps, 1);
    const float deepest = rill_world_stats(world).max_depth;
    assert_true(deepest < 402.5f && deepest > 400.0f);
}

// The counter goes back with the water.
TEST(steps_that_were_capped_are_counted)
{
    rill_world_def def = lake_def(16, 16, 1.0, 1.0);
    def.max_substeps = 2; // a second takes at least 1 s sqrt(2 g 1 m) / 1 m = 4.4
    SCOPED(rill_world) *world = make_world(&def);
    run_world(world, 5, 0.01);
    assert_int_equal(rill_world_last_step(world).capped_steps, 0);
    SCOPED(rill_snapshot) *snapshot = saved_world(world);
    run_world(world, 2, 1.0);
    run_world(world, 5, 0.01);
    assert_int_equal(rill_world_last_step(world).capped, 0);
    assert_int_equal(rill_world_last_step(world).capped_steps, 2);
    assert_ok(rill_world_restore(world, snapshot));
    run_world(world, 1, 1.0);
    assert_int_equal(rill_world_last_step(world).capped_steps, 1);
}

TEST(substeps_follow_the_depth)
{
    rill_world_def def = lake_def(16, 16, 1.0, 1.0);
    SCOPED(rill_world) *world = make_world(&def);
    run_world(world, 1, 1.0);
    // dt <= dx sqrt(0.9 (1 + 0.8) / 4 / (g H)) = 0.2032 s: five steps a second.
    assert_int_equal(rill_world_last_step(world).substeps, 5);
}
