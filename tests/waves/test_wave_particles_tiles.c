// SPDX-License-Identifier: MIT
// Waves that drift on a river, what must not show: seams of pages, changes of ground and detail,
// threads, instruction sets, snapshots.
#include "tests/kit/instruction_sets.h"
#include "tests/kit/kit.h"
#include "tests/waves/wave_flows.h"

#define T 4 // texels along a cell

// ---- Pages -----------------------------------------------------------------------------------

// Texel (i, j) of the whole grid, as page (pi, pj) has it.
static float texel_of(const rill_wave_particles *view, int pi, int pj, int i, int j)
{
    const int inner = view->tile_side - 2, tile = view->index[pj * view->tiles_x + pi];
    return view->tiles[(tile * view->tile_side + j - pj * inner + 1) * view->tile_side + i -
                       pi * inner + 1];
}

static void assert_pages_fit(const rill_wave_particles *view, double tolerance)
{
    const int inner = view->tile_side - 2;
    for (int pj = 0; pj < view->tiles_y; pj++)
        for (int pi = 0; pi + 1 < view->tiles_x; pi++) {
            if (view->index[pj * view->tiles_x + pi] < 0 ||
                view->index[pj * view->tiles_x + pi + 1] < 0)
                continue;
            for (int j = pj * inner - 1; j <= (pj + 1) * inner; j++)
                for (int i = (pi + 1) * inner - 1; i <= (pi + 1) * inner; i++)
                    assert_true(fabs((double)texel_of(view, pi, pj, i, j) -
                                     (double)texel_of(view, pi + 1, pj, i, j)) <= tolerance);
        }
}

TEST(neighbouring_pages_agree_in_the_texels_they_share)
{
    set_uniform(&water, 1, 0.5);
    SCOPED(rl_wave_particles) *drift = make(a_def(4), &water);
    SCOPED(rl_quadtree) *detail = rl_quadtree_create(NULL, NX, NY);
    const rill_columns columns = columns_of(&water);
    rill_wave_particles view = {0};
    for (int n = 0; n < 200; n++) {
        const double viewer[3] = {0, 0, 1};
        rl_quadtree_get(detail, viewer, n < 50 ? 0 : 9);
        rl_wave_particles_step(drift, NULL, &columns, detail, DT, (uint64_t)n);
        view = rl_wave_particles_view(drift, NULL, detail, n * DT);
        const double height = sqrt(view.texture.variance);
        assert_pages_fit(&view, 1e-4 * height); // places are rounded page by page
    }
}

TEST(only_squares_with_water_have_pages)
{
    set_uniform(&water, 0, 0);
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++)
            set_cell(&water, i, j, i == 16 && j < 20, 0, 0.5);
    SCOPED(rl_wave_particles) *drift = make(a_def(4), &water);
    const rill_wave_particles view = rl_wave_particles_view(drift, NULL, NULL, 0);
    assert_int_equal(view.tiles_x, 3);
    assert_int_equal(view.tiles_y, 4);
    assert_int_equal(view.tile_side, 16 * T + 2);
    // A cell beside the water belongs to it: here the one at the border of the western squares.
    const int want[12] = {0, 1, -1, 2, 3, -1, -1, -1, -1, -1, -1, -1};
    assert_memory_equal(view.index, want, sizeof want);
    assert_int_equal(view.tile_count, 4);
    assert_int_equal(view.count, 20);
}

TEST(changed_ground_moves_the_pages_and_the_particles_follow)
{
    set_uniform(&water, 0.5, 0);
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++)
            set_cell(&water, i, j, j < 10, 0.5, 0);
    SCOPED(rl_wave_particles) *drift = make(a_def(2), &water);
    run(drift, &water, 0, 100);
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++)
            set_cell(&water, i, j, j >= 40, 0.5, 0);
    const rill_columns columns = columns_of(&water);
    assert_ok(rl_wave_particles_ground_changed(drift, &columns));
    run(drift, &water, 100, (int)(2 * 2 / (double)RL_WAVE_PARTICLE_STRANDED / DT) + 2);
    const rill_wave_particles view = rl_wave_particles_view(drift, NULL, NULL, 1);
    assert_true(view.count >= NX * 16);
    for (int n = 0; n < view.count; n++)
        assert_true(wet_at(&water, (double)view.x[n], (double)view.y[n]));
    for (int n = 0; n < 6; n++)
        assert_int_equal(view.index[n], -1);
    assert_true(view.index[11] >= 0);
}

TEST(detail_takes_particles_away_far_from_the_viewer)
{
    set_uniform(&water, 1, 0);
    const rill_wave_particles_def def = a_def(2);
    SCOPED(rl_wave_particles) *fine = make(def, &water), *coarse = make(def, &water);
    SCOPED(rl_quadtree) *detail = rl_quadtree_create(NULL, NX, NY);
    const double viewer[3] = {0, 0, 1};
    rl_quadtree_get(detail, viewer, 4);
    const rill_columns columns = columns_of(&water);
    for (int n = 0; n < 600; n++) {
        rl_wave_particles_step(fine, NULL, &columns, NULL, DT, (uint64_t)n);
        rl_wave_particles_step(coarse, NULL, &columns, detail, DT, (uint64_t)n);
    }
    const rill_wave_particles many = rl_wave_particles_view(fine, NULL, NULL, 0);
    const rill_wave_particles few = rl_wave_particles_view(coarse, NULL, detail, 0);
    assert_true(few.count < many.count / 2);
    assert_true(few.count > 64);
}

// ---- What must not show ----------------------------------------------------------------------

static void run_with_detail(rl_wave_particles *drift, rl_jobs *jobs, int first, int steps)
{
    SCOPED(rl_quadtree) *detail = rl_quadtree_create(NULL, NX, NY);
    const rill_columns columns = columns_of(&water);
    const double viewer[3] = {5, 40, 1};
    rl_quadtree_get(detail, viewer, 12);
    for (int n = first; n < first + steps; n++)
        rl_wave_particles_step(drift, jobs, &columns, detail, DT, (uint64_t)n);
    rl_wave_particles_view(drift, jobs, detail, (first + steps) * DT);
}

static void assert_same(rl_wave_particles *want, rl_wave_particles *got, double time)
{
    const rill_wave_particles a = rl_wave_particles_view(want, NULL, NULL, time);
    const rill_wave_particles b = rl_wave_particles_view(got, NULL, NULL, time);
    const size_t texels = (size_t)(a.tile_count * a.tile_side * a.tile_side);
    assert_int_equal(a.count, b.count);
    assert_memory_equal(a.tiles, b.tiles, texels * sizeof(float));
    assert_memory_equal(a.x, b.x, (size_t)a.count * sizeof(float));
    assert_memory_equal(a.weight, b.weight, (size_t)a.count * sizeof(float));
    rill_state_array first[RL_MAX_STATE_ARRAYS], second[RL_MAX_STATE_ARRAYS];
    const int count = rl_wave_particles_state(want, first);
    assert_int_equal(rl_wave_particles_state(got, second), count);
    for (int n = 0; n < count; n++)
        assert_memory_equal(first[n].data, second[n].data, first[n].width * sizeof(float));
}

TEST(the_bits_depend_neither_on_threads_nor_on_the_instruction_set)
{
    set_bend(&water);
    const rill_wave_particles_def def = a_def(1);
    SCOPED(rl_wave_particles) *want = make_with(&def, &water, RL_ISA_PLAIN);
    run_with_detail(want, NULL, 0, 150);
    FOR_EACH_ISA (isa)
        for (int workers = 1; workers <= 3; workers++) {
            SCOPED(rl_jobs) *jobs = make_jobs(workers);
            SCOPED(rl_wave_particles) *got = make_with(&def, &water, isa);
            run_with_detail(got, jobs, 0, 150);
            assert_same(want, got, 150 * DT);
        }
}

TEST(the_state_brings_everything_back)
{
    set_bend(&water);
    const rill_wave_particles_def def = a_def(1);
    SCOPED(rl_wave_particles) *want = make(def, &water), *got = make(def, &water);
    run_with_detail(want, NULL, 0, 70);
    run_with_detail(got, NULL, 0, 13);
    rill_state_array from[RL_MAX_STATE_ARRAYS], to[RL_MAX_STATE_ARRAYS];
    const int count = rl_wave_particles_state(want, from);
    rl_wave_particles_state(got, to);
    for (int n = 0; n < count; n++)
        memcpy(to[n].data, from[n].data, from[n].width * sizeof(float));
    rl_wave_particles_state_changed(got);
    assert_same(want, got, 3.0);
    run_with_detail(want, NULL, 70, 100);
    run_with_detail(got, NULL, 70, 100);
    assert_same(want, got, 170 * DT);
}

TEST(a_state_of_nonsense_does_no_harm)
{
    set_bend(&water);
    const rill_wave_particles_def def = a_def(1);
    const float values[] = {NAN, INFINITY, -INFINITY, 1e30f, -1e30f, -1.0f, 0.0f, 3.0f};
    for (size_t n = 0; n < sizeof values / sizeof values[0]; n++) {
        SCOPED(rl_wave_particles) *drift = make(def, &water);
        rill_state_array arrays[RL_MAX_STATE_ARRAYS];
        const int count = rl_wave_particles_state(drift, arrays);
        for (int k = 0; k < count; k++)
            for (size_t i = 0; i < arrays[k].width; i += 1 + i % 3)
                arrays[k].data[i] = values[n];
        rl_wave_particles_state_changed(drift);
        run(drift, &water, 0, 20);
        const rill_wave_particles view = rl_wave_particles_view(drift, NULL, NULL, 1);
        for (int k = 0; k < view.tile_count * view.tile_side * view.tile_side; k++)
            assert_true(isfinite(view.tiles[k]));
    }
}

TEST(numbers_that_are_none_do_not_spread)
{
    set_uniform(&water, 1, 0);
    water.u[20 * PITCH + 20] = NAN;
    water.v[30 * PITCH + 9] = INFINITY;
    SCOPED(rl_wave_particles) *drift = make(a_def(2), &water);
    run(drift, &water, 0, 200);
    const rill_wave_particles view = rl_wave_particles_view(drift, NULL, NULL, 1);
    for (int n = 0; n < view.count; n++)
        assert_true(isfinite(view.x[n]) && isfinite(view.y[n]) && isfinite(view.weight[n]));
}

TEST(they_take_memory_only_at_creation_and_give_it_back)
{
    counter count = {0};
    const rill_host host = counting_host(&count);
    const rill_wave_particles_def def = a_def(1);
    const rill_columns columns = columns_of(&water);
    const rl_isa isa = best_isa();
    set_bend(&water);
    rl_wave_particles *drift = NULL;
    assert_ok(rl_wave_particles_create(&def, &columns, 1, 9.81f, 7, isa, &host.allocator, &drift));
    const int calls = count.calls;
    run_with_detail(drift, NULL, 0, 100);
    assert_int_equal(count.calls, calls);
    assert_true(rl_wave_particles_memory(drift) <= count.bytes);
    assert_true(rl_wave_particles_memory(drift) > count.bytes * 9 / 10);
    rl_wave_particles_destroy(&drift);
    assert_int_equal(count.bytes, 0);
    for (int n = 1; n <= calls; n++) {
        count = (counter){.fail_at = n};
        assert_int_equal(
            rl_wave_particles_create(&def, &columns, 1, 9.81f, 7, isa, &host.allocator, &drift),
            RILL_NO_MEMORY);
        assert_null(drift);
        assert_int_equal(count.bytes, 0);
    }
}
