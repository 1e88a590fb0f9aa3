// SPDX-License-Identifier: MIT
// What a host may rely on: bad input changes nothing, a step takes no memory, threads and
// instruction sets do not show, a snapshot brings back the same future.
#include "core/memory.h"
#include "tests/kit/kit.h"
#include "tests/kit/worlds.h"

#include <stdatomic.h>

static float bed[BASIN_MAX_SIDE * BASIN_MAX_SIDE];

// A basin in motion: a heap of water, a spring, a drain, rain, and one border of each kind.
static rill_world *lively(int n, int workers, float viscosity, rill_pipe_area area)
{
    rill_world_def def = basin_def(n, 0.4, 0, bed);
    def.pipes.viscosity = viscosity;
    def.pipes.area = area;
    def.pipes.friction = 0.1f;
    def.worker_count = workers;
    def.border[RILL_SIDE_EAST] = RILL_BORDER_DRAIN;
    def.border[RILL_SIDE_NORTH] = RILL_BORDER_LEVEL;
    def.border_level[RILL_SIDE_NORTH] = 0.5f;
    rill_world *world = make_world(&def);
    add_spring(world, 2.0, 3.0, (double)0.4f, 0.05);
    add_spring(world, 8.0, 3.0, (double)0.4f, -0.02);
    set_rain(world, 1e-4);
    assert_ok(rill_world_set_evaporation(world, 2e-5));
    assert_ok(rill_world_pour(world, 3.0f, 7.0f, 1.0f, 2.0, NULL));
    return world;
}

// ---- Same bits -------------------------------------------------------------------------

TEST(threads_do_not_show)
{
    const int workers[] = {1, 2, 3, 8};
    for (int variant = 0; variant < 4; variant++) {
        uint64_t first = 0;
        for (int n = 0; n < 4; n++) {
            SCOPED(rill_world) *world = lively(150, workers[n], variant & 1 ? 1e-4f : 0.0f,
                                               variant & 2 ? RILL_AREA_PAPER : RILL_AREA_WETTED);
            run_frames(world, 40);
            const uint64_t hash = rill_world_hash(world);
            first = n == 0 ? hash : first;
            assert_int_equal(hash, first);
        }
    }
}

TEST(instruction_sets_do_not_show)
{
    const char *const names[] = {"c", "avx2", "avx512"};
    uint64_t first = 0;
    for (int n = 0; n < 3; n++) {
        setenv("RILL_ISA", names[n], 1);
        SCOPED(rill_world) *world = NULL;
        const rill_world_def def = rill_default_world_def();
        if (rill_world_create(&def, &world) == RILL_NO_BACKEND) {
            print_message("this processor lacks %s: skipped\n", names[n]);
            assert_non_null(strstr(rill_last_error(), "lacks"));
            continue;
        }
        rill_world_destroy(&world);
        world = lively(150, 2, 1e-4f, RILL_AREA_WETTED);
        assert_string_equal(rill_world_isa(world), names[n]);
        run_frames(world, 40);
        first = n == 0 ? rill_world_hash(world) : first;
        assert_int_equal(rill_world_hash(world), first);
    }
    setenv("RILL_ISA", "mmx", 1);
    rill_world *world = NULL;
    const rill_world_def def = rill_default_world_def();
    assert_int_equal(rill_world_create(&def, &world), RILL_NO_BACKEND);
    assert_non_null(strstr(rill_last_error(), "mmx"));
    unsetenv("RILL_ISA");
}

// ---- Books -----------------------------------------------------------------------------

TEST(the_books_close_at_every_step)
{
    for (int variant = 0; variant < 4; variant++) {
        SCOPED(rill_world) *world = lively(64, 2, variant & 1 ? 1e-4f : 0.0f,
                                           variant & 2 ? RILL_AREA_PAPER : RILL_AREA_WETTED);
        for (int f = 0; f < 300; f++) {
            run_frames(world, 1);
            const rill_ledger l = rill_world_ledger(world);
            assert_true(l.error < 1e-7); // the contract says 1e-6
            assert_true(l.sourced > 0.0 && l.drained > 0.0);
        }
    }
}

TEST(no_depth_is_ever_negative)
{
    SCOPED(rill_world) *world = lively(96, 1, 0.0f, RILL_AREA_WETTED);
    for (int f = 0; f < 100; f++) {
        run_frames(world, 1);
        const rill_field_view d = rill_world_depth(world);
        for (int j = 0; j < d.ny; j++)
            for (int i = 0; i < d.nx; i++)
                assert_true(d.data[(size_t)j * d.pitch + (size_t)i] >= 0.0f);
    }
}

TEST(a_drain_takes_no_more_than_there_is)
{
    rill_world_def def = lake_def(16, 16, 1.0, 0.01);
    SCOPED(rill_world) *world = make_world(&def);
    double taken = 0.0;
    assert_ok(rill_world_pour(world, 8.0f, 8.0f, 3.0f, -1000.0, &taken));
    // 32 cell centres lie within three cells of that corner.
    assert_true(fabs(taken + 0.32) < 1e-6);
    assert_true(rill_world_ledger(world).error < 1e-12);
}

TEST(drizzle_onto_deep_water_is_not_lost)
{
    rill_world_def def = lake_def(8, 8, 1.0, 1.0);
    SCOPED(rill_world) *world = make_world(&def);
    const rill_rain_frame rain = {.rate = 6e-7}; // 1e-8 m a step; half an ulp of 1 m is 6e-8
    assert_ok(rill_world_set_rain(world, &rain, 1));
    run_frames(world, 6000);
    const rill_ledger l = rill_world_ledger(world);
    assert_true(fabs(l.sourced / (6e-7 * 100.0 * 64.0) - 1.0) < 1e-6);
    assert_true(fabs(l.water - 64.0 * (1.0 + 6e-5)) < 1e-9 * 64.0);
}

TEST(rain_follows_its_frames)
{
    rill_world_def def = grid_def(4, 4, 1.0);
    float field[16] = {0};
    field[5] = 2e-3f;
    SCOPED(rill_world) *world = make_world(&def);
    const rill_rain_frame frames[] = {
        {.time = 1.0}, {.time = 2.0, .rate = 1e-3, .field = {field, 4, 4, 4}}, {.time = 3.0}};
    assert_ok(rill_world_set_rain(world, frames, 3));
    run_world(world, 400, 0.01);
    // A triangle of one second either side: 1 s times the peak; 16 cells, one with three times.
    assert_true(fabs(rill_world_ledger(world).sourced - (16e-3 + 2e-3)) < 1e-8);
}

TEST(a_source_gives_only_while_it_is_active)
{
    rill_world_def def = grid_def(16, 16, 1.0);
    SCOPED(rill_world) *world = make_world(&def);
    rill_source_def source = rill_default_source_def();
    source.x = source.y = 8.0f;
    source.rate = 3.0;
    source.start = 0.015;
    source.end = 0.045;
    rill_source_id id;
    assert_ok(rill_world_add_source(world, &source, &id));
    run_world(world, 10, 0.01);
    assert_true(fabs(rill_world_ledger(world).sourced - 0.09) < 1e-8);
    assert_ok(rill_world_remove_source(world, id));
    assert_int_equal(rill_world_remove_source(world, id), RILL_BAD_ARGUMENT);
    assert_int_equal(rill_world_set_source(world, id, &source), RILL_BAD_ARGUMENT);
}

// ---- Memory ----------------------------------------------------------------------------

static atomic_long live_bytes, calls;

static void *counting_allocate(KIT_UNUSED void *user, size_t bytes, size_t alignment)
{
    atomic_fetch_add(&live_bytes, (long)bytes);
    atomic_fetch_add(&calls, 1);
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void counting_release(KIT_UNUSED void *user, void *memory, size_t bytes)
{
    atomic_fetch_sub(&live_bytes, (long)bytes);
    free(memory);
}

TEST(a_step_allocates_nothing_and_a_world_leaves_nothing)
{
    rill_world_def def = basin_def(100, 0.4, 0, bed);
    def.host.allocator = (rill_allocator){NULL, counting_allocate, counting_release};
    def.worker_count = 2;
    rill_world *world = make_world(&def);
    // The pool of threads is the only block that rill_world_memory does not know.
    assert_true((size_t)atomic_load(&live_bytes) >= rill_world_memory(world));
    const rill_rain_frame rain = {.rate = 1e-4};
    rill_snapshot *snapshot = NULL;
    rill_surface *surface = NULL;
    const rill_surface_def surface_def = rill_default_surface_def();
    assert_ok(rill_world_set_rain(world, &rain, 1));
    assert_ok(rill_snapshot_create(world, &snapshot));
    assert_ok(rill_surface_create(world, &surface_def, &surface));
    rill_source_def source = rill_default_source_def();
    source.x = source.y = 3.0f;
    source.rate = 1.0;

    const long before = atomic_load(&calls);
    assert_ok(rill_world_add_source(world, &source, NULL));
    run_frames(world, 20);
    assert_ok(rill_world_save(world, snapshot));
    assert_ok(rill_world_restore(world, snapshot));
    assert_ok(rill_surface_build(surface, world));
    rill_world_ledger(world);
    rill_world_stats(world);
    rill_world_hash(world);
    assert_int_equal(atomic_load(&calls), before);

    rill_surface_destroy(&surface);
    rill_snapshot_destroy(&snapshot);
    rill_world_destroy(&world);
    assert_null(world);
    assert_int_equal(atomic_load(&live_bytes), 0);
}

static int allocations_left;

static void *failing_allocate(void *user, size_t bytes, size_t alignment)
{
    return allocations_left-- > 0 ? counting_allocate(user, bytes, alignment) : NULL;
}

TEST(running_out_of_memory_leaks_nothing)
{
    rill_world_def def = basin_def(32, 0.4, 0, bed);
    def.host.allocator = (rill_allocator){NULL, failing_allocate, counting_release};
    for (int allowed = 0;; allowed++) {
        allocations_left = allowed;
        rill_world *world = NULL;
        const rill_status status = rill_world_create(&def, &world);
        if (status == RILL_OK) {
            rill_world_destroy(&world);
            break;
        }
        assert_int_equal(status, RILL_NO_MEMORY);
        assert_null(world);
        assert_int_equal(atomic_load(&live_bytes), 0);
    }
    assert_int_equal(atomic_load(&live_bytes), 0);
}

// ---- Bad input -------------------------------------------------------------------------

#define REFUSED(change, word)                                           \
    do {                                                                \
        rill_world_def def = basin_def(16, 0.4, 0, bed);                \
        change;                                                         \
        rill_world *world = (rill_world *)1;                            \
        assert_int_not_equal(rill_world_create(&def, &world), RILL_OK); \
        assert_null(world);                                             \
        assert_non_null(strstr(rill_last_error(), word));               \
    } while (0)

TEST(bad_definitions_are_refused_in_words)
{
    REFUSED(def.nx = 3, "nx is 3");
    REFUSED(def.nx = -5, "nx is -5");
    REFUSED(def.nx = 2000000000, "nx is 2e+09");
    REFUSED(def.nx = def.ny = 60000, "nx * ny");
    REFUSED(def.cell_size = 0.0f, "cell_size is 0");
    REFUSED(def.cell_size = NAN, "cell_size is");
    REFUSED(def.gravity = -9.81f, "gravity is -9.81");
    REFUSED(def.gravity = INFINITY, "gravity is inf");
    REFUSED(def.level = NAN, "level is");
    REFUSED(def.pipes.friction = 1.0f, "friction is 1");
    REFUSED(def.pipes.viscosity = -1.0f, "viscosity is -1");
    REFUSED(def.pipes.drag = NAN, "drag is");
    REFUSED(def.pipes.smoothing = 0.2f, "smoothing is 0.2");
    REFUSED(def.worker_count = 0, "worker_count is 0");
    REFUSED(def.solver = (rill_solver)77, "world.solver is 77");
    REFUSED(def.border[1] = (rill_border)9, "borders.east is 9");
    REFUSED(def.cookie = 0, "rill_default_world_def");
    REFUSED(def.bed.nx = 15, "bed has 15 x 16");
    REFUSED(def.bed.pitch = 3, "pitch");
    bed[16 * 3 + 2] = NAN;
    rill_world_def broken = basin_def(16, 0.4, 0, bed);
    bed[16 * 3 + 2] = NAN;
    rill_world *world = NULL;
    assert_int_equal(rill_world_create(&broken, &world), RILL_BAD_DEF);
    assert_non_null(strstr(rill_last_error(), "cell (2, 3)"));
    assert_int_equal(rill_world_create(NULL, &world), RILL_BAD_ARGUMENT);
}

TEST(a_grid_larger_than_the_machine_is_refused)
{
    rill_world_def def = rill_default_world_def();
    def.nx = def.ny = 32768; // 30 GB: the largest grid there may be
    if (rl_memory_of_machine() > 30000000000u)
        skip(); // this machine can hold it
    rill_world *world = NULL;
    assert_int_equal(rill_world_create(&def, &world), RILL_NO_MEMORY);
    assert_non_null(strstr(rill_last_error(), "32768 x 32768 cells need 30."));
}

TEST(bad_calls_change_nothing)
{
    SCOPED(rill_world) *world = lively(32, 1, 0.0f, RILL_AREA_WETTED);
    run_frames(world, 3);
    const uint64_t before = rill_world_hash(world);
    const double bad[] = {0.0, -1.0, NAN, INFINITY, 31557600.0};
    for (int n = 0; n < 5; n++)
        assert_int_equal(rill_world_step(world, bad[n]), RILL_BAD_ARGUMENT);
    assert_non_null(strstr(rill_last_error(), "3.15576e+07"));
    assert_int_equal(rill_world_step(NULL, 0.1), RILL_BAD_ARGUMENT);
    assert_int_equal(rill_world_pour(world, NAN, 1.0f, 1.0f, 1.0, NULL), RILL_BAD_DEF);
    assert_int_equal(rill_world_pour(world, 1.0f, 1.0f, -1.0f, 1.0, NULL), RILL_BAD_DEF);
    assert_int_equal(rill_world_pour(world, 1.0f, 1.0f, 1.0f, NAN, NULL), RILL_BAD_DEF);
    assert_int_equal(rill_world_set_evaporation(world, -1.0), RILL_BAD_DEF);
    assert_int_equal(rill_world_set_border(world, RILL_SIDE_WEST, RILL_BORDER_LEVEL, NAN),
                     RILL_BAD_DEF);
    const rill_rain_frame frames[] = {{.time = 2.0, .rate = 1e-3}, {.time = 1.0}};
    assert_int_equal(rill_world_set_rain(world, frames, 2), RILL_BAD_DEF);
    rill_source_def source = rill_default_source_def();
    source.x = -3.0f;
    assert_int_equal(rill_world_add_source(world, &source, NULL), RILL_BAD_DEF);
    const rill_brush brush = {RILL_BRUSH_RAISE, 1.0f, 1.0f, NAN, 1.0f};
    assert_int_not_equal(rill_world_edit_terrain(world, &brush), RILL_OK);
    assert_int_equal(rill_world_hash(world), before);
    rill_world_destroy(&world);
    rill_world_destroy(NULL);
}

// ---- Going back ------------------------------------------------------------------------

TEST(a_restored_world_has_the_same_future)
{
    SCOPED(rill_world) *world = lively(80, 2, 0.0f, RILL_AREA_WETTED);
    SCOPED(rill_snapshot) *snapshot = NULL;
    assert_ok(rill_snapshot_create(world, &snapshot));
    assert_int_equal(rill_world_restore(world, snapshot), RILL_BAD_ARGUMENT); // nothing saved yet
    run_frames(world, 20);
    assert_ok(rill_world_save(world, snapshot));
    SCOPED(rill_world) *clone = NULL;
    assert_ok(rill_world_clone(world, &clone));
    const uint64_t now = rill_world_hash(world);
    assert_int_equal(rill_world_hash(clone), now);
    run_frames(world, 30);
    const uint64_t future = rill_world_hash(world);
    assert_ok(rill_world_restore(world, snapshot));
    assert_int_equal(rill_world_hash(world), now);
    run_frames(world, 30);
    assert_int_equal(rill_world_hash(world), future);
    run_frames(clone, 30);
    assert_int_equal(rill_world_hash(clone), future);
    assert_true(rill_world_ledger(clone).error < 1e-7);
}

TEST(raising_the_ground_lifts_the_water_and_keeps_it)
{
    SCOPED(rill_world) *world = lively(64, 1, 0.0f, RILL_AREA_WETTED);
    const double before = rill_world_ledger(world).water;
    const rill_field_view view = rill_world_bed(world);
    const size_t centre = 32 * view.pitch + 32;
    const float old = view.data[centre];
    const rill_brush brush = {RILL_BRUSH_RAISE, 5.05f, 5.05f, 1.0f, 0.5f};
    assert_ok(rill_world_edit_terrain(world, &brush));
    assert_true(rill_world_bed(world).data[centre] > old + 0.4f);
    assert_true(rill_world_ledger(world).water == before);
    run_frames(world, 20);
    assert_true(rill_world_ledger(world).error < 1e-7);
}

TEST(a_probe_interpolates_between_columns)
{
    // A plane is reproduced exactly, and a point outside takes the nearest inside.
    for (int j = 0; j < 8; j++)
        for (int i = 0; i < 8; i++)
            bed[j * 8 + i] = 2.0f * (float)i - (float)j;
    rill_world_def def = lake_def(8, 8, 0.5, 20.0);
    def.bed = (rill_field_view){bed, 8, 8, 8};
    SCOPED(rill_world) *world = make_world(&def);
    const rill_columns c = rill_world_columns(world);
    const rill_probe p = rill_columns_probe(&c, 0, 1.875, 1.125); // cells 3.25 and 1.75
    assert_true(p.base == 2.0f * 3.25f - 1.75f && p.level == 20.0f && p.wet == 1);
    assert_true(rill_columns_probe(&c, 0, -5.0, 99.0).base == -7.0f);
    assert_true(rill_columns_probe(&c, 0, (double)NAN, 0.0).base == 0.0f);
    assert_true(rill_columns_probe(&c, 1, 1.0, 1.0).depth == 0.0f);
}
