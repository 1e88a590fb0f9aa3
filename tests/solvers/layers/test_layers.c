// SPDX-License-Identifier: MIT
// The layers water against what must hold exactly or by theory.
#include "tests/kit/kit.h"
#include "tests/solvers/layers/layers_worlds.h"

#include <float.h>

#define N CAVES

static float bed[64], depth[24 * 16];

// The largest discharge of all faces and cross pipes, m^2/s.
static double largest_flow(const rl_layers *s)
{
    double largest = 0.0;
    for (int plane = 0; plane < s->planes; plane++)
        for (int j = 0; j < s->ny; j++)
            for (int i = 0; i < s->nx; i++) {
                const size_t slot = rl_layers_slot(s, plane, i, j);
                largest = fmax(largest, fabs((double)s->qx.origin[slot]));
                largest = fmax(largest, fabs((double)s->qy.origin[slot]));
            }
    for (size_t n = 0; n < s->cross_count; n++)
        largest = fmax(largest, fabs((double)s->cross_q[n]));
    return largest;
}

// ---- Lakes at rest ---------------------------------------------------------------------

// Levels below, within and above the roofs, on grounds that are multiples of 1/64 m: all sums are
// exact, so nothing may move at all.
TEST(a_lake_under_overhangs_does_not_move_at_all)
{
    SCOPED(rill_solid) *solid = caves(1.0 / 64.0);
    for (int variant = 0; variant < 12; variant++) {
        rill_world_def def = layers_def(N, N, 0.25, solid);
        def.use_level = 1;
        def.level = variant % 3 == 0 ? 0.75f : variant % 3 == 1 ? 1.5f : 2.625f;
        def.layers.passages = variant % 2 ? RILL_PASSAGES_UNIFIED : RILL_PASSAGES_NONE;
        def.pipes.viscosity = variant >= 6 ? 1e-3f : 0.0f;
        def.pipes.area = variant % 4 == 3 ? RILL_AREA_PAPER : RILL_AREA_WETTED;
        FREED_BY(free_layers) rl_layers *s = make_layers(&def);
        assert_true(s->cross_count > 200);
        const double before = volume(s);
        rl_exchange exchange = {0};
        for (int n = 0; n < 100; n++) {
            run_layers(s, NULL, 1, 1.0 / 60.0, &exchange);
            assert_true(largest_flow(s) == 0.0);
        }
        assert_true(volume(s) == before);
    }
}

// On any ground b + d rounds to the level within one ulp of it, and full columns end as far below
// their ceilings. Waves of a few ulps have u = eta sqrt(g / H), so q = u H stays below that.
TEST(a_lake_on_any_ground_stays_at_rest_without_growth)
{
    SCOPED(rill_solid) *solid = caves(0.0);
    for (int variant = 0; variant < 4; variant++) {
        rill_world_def def = layers_def(N, N, 0.25, solid);
        def.use_level = 1;
        def.level = variant % 2 ? 0.7f : 1.6f;
        def.layers.passages = RILL_PASSAGES_NONE;
        def.pipes.viscosity = variant > 1 ? 1e-6f : 0.0f;
        FREED_BY(free_layers) rl_layers *s = make_layers(&def);
        const double grain = (double)FLT_EPSILON, deepest = (double)s->max_depth;
        double half[2] = {0.0, 0.0};
        rl_exchange exchange = {0};
        for (int n = 0; n < 4000; n++) {
            run_layers(s, NULL, 1, 1.0 / 60.0, &exchange);
            half[n >= 2000] = fmax(half[n >= 2000], largest_flow(s));
        }
        assert_true(half[0] < 16.0 * grain * sqrt(9.81 * deepest));
        assert_true(half[1] <= 1.5 * half[0]);
    }
}

// Two lakes of different level on both sides of a wall, each with a roof over part of it, and a dry
// pit deeper than both under a roof of its own.
TEST(lakes_apart_stay_apart_and_a_covered_pit_stays_dry)
{
    SCOPED(rill_solid) *solid = air(24, 16, 0.25, 4.0);
    for (int j = -1; j <= 16; j++)
        for (int i = -1; i <= 24; i++) {
            slab slabs[2] = {{DEEP, 0.5}, {1.0, 1.25}};
            const int to_pit = abs(i - 18) > abs(j - 8) ? abs(i - 18) : abs(j - 8);
            int count = i % 7 < 4 ? 2 : 1;
            if (i == 11)
                slabs[0].high = 3.0;
            if (to_pit == 3)
                slabs[0].high = 2.5;
            if (to_pit < 3) {
                slabs[0].high = 0.125;
                slabs[1] = (slab){2.0, 2.25};
            }
            set_column(solid, i, j, slabs, i == 11 || to_pit == 3 ? 1 : to_pit < 3 ? 2 : count);
            if (i < 0 || j < 0 || i >= 24 || j >= 16)
                continue;
            const double level = i < 11 ? 2.0 : 1.625;
            const double top = to_pit < 3 ? 9.0 : count == 2 ? 1.25 : slabs[0].high;
            depth[j * 24 + i] = (float)(i == 11 || to_pit <= 3 ? 0.0 : fmax(level - top, 0.0));
        }
    rill_world_def def = layers_def(24, 16, 0.25, solid);
    def.depth = (rill_field_view){depth, 24, 16, 24};
    FREED_BY(free_layers) rl_layers *s = make_layers(&def);
    // Under the roofs all is full.
    for (int j = 0; j < 16; j++)
        for (int i = 0; i < 24; i++) {
            const size_t slot = rl_layers_slot(s, 1, i, j);
            if (rl_layers_live(s, slot) && s->range_max.origin[slot] == 1.0f)
                rl_layers_put(s, slot, 0.5);
        }
    rl_exchange exchange = {0};
    run_layers(s, NULL, 300, 1.0 / 60.0, &exchange);
    assert_true(largest_flow(s) == 0.0);
    assert_true(s->depth.origin[rl_layers_slot(s, 1, 18, 8)] == 0.0f);
}

// ---- Limits and books ------------------------------------------------------------------

// Throws liquid in and takes it out at random, in all planes. Returns what was given, m^3.
static double shake(rl_layers *s, int round)
{
    double given = 0.0;
    for (int n = 0; n < 3; n++) {
        float amounts[N], momentum[N];
        const uint64_t a = (uint64_t)round * 3 + (uint64_t)n;
        for (int i = 0; i < N; i++) {
            amounts[i] = 0.5f * (rl_random_unit(11, a, (uint64_t)i) - 0.45f);
            momentum[i] = 0.1f * (rl_random_unit(12, a, (uint64_t)i) - 0.5f);
        }
        const int row = (int)(rl_random_unit(13, a, 0) * (float)s->ny);
        given += rl_layers_ops.deposit(s, &(rl_deposit){.layer = (round + n) % s->planes,
                                                        .row = row,
                                                        .count = s->nx,
                                                        .depth = amounts,
                                                        .momentum_x = momentum,
                                                        .momentum_y = n ? momentum : NULL});
    }
    return given;
}

TEST(columns_stay_within_their_ranges_and_the_books_closed_whatever_happens)
{
    SCOPED(rill_solid) *solid = caves(0.0);
    for (int variant = 0; variant < 4; variant++) {
        rill_world_def def = layers_def(N, N, 0.25, solid);
        def.layers.passages = variant == 1 ? RILL_PASSAGES_NONE : RILL_PASSAGES_UNIFIED;
        def.layers.slope_correction = variant == 2;
        def.pipes.viscosity = variant == 3 ? 0.4f : variant == 2 ? 1e-3f : 0.0f;
        def.border[RILL_SIDE_EAST] = RILL_BORDER_DRAIN;
        def.border[RILL_SIDE_SOUTH] = variant > 1 ? RILL_BORDER_LEVEL : RILL_BORDER_WALL;
        def.border_level[RILL_SIDE_SOUTH] = 1.2f;
        FREED_BY(free_layers) rl_layers *s = make_layers(&def);
        rl_exchange exchange = {0};
        double given = 0.0, poured = 0.0;
        for (int round = 0; round < 10000; round++) {
            if (round % 3 == 0) {
                const double now = shake(s, round);
                given += now;
                poured += fabs(now);
            }
            // Now and then a step far beyond what is stable: the area is capped then.
            run_layers(s, NULL, 1, 0.02, &exchange);
            if (round % 100 == 99)
                rl_layers_ops.step(s, NULL, 0.05, &exchange);
            if (round % 50 == 0)
                assert_within_ranges(s);
        }
        assert_within_ranges(s);
        const double moved = poured + exchange.in + exchange.out;
        assert_true(fabs(volume(s) - (given + exchange.in - exchange.out)) < 1e-6 * moved);
    }
}

// ---- Single pipes ----------------------------------------------------------------------

// A pool beside a cell with a covered column and an open one above it.
static rl_layers *pool_beside_two_columns(void)
{
    rl_solid *solid = air(4, 4, 0.25, 4.0);
    for (int j = -1; j <= 4; j++)
        for (int i = -1; i <= 4; i++) {
            const slab slabs[2] = {{DEEP, 0.5}, {1.5, 1.75}};
            set_column(solid, i, j, slabs, i > 1 ? 2 : 1);
        }
    rill_world_def def = layers_def(4, 4, 0.25, solid);
    def.layers.passages = RILL_PASSAGES_NONE;
    rl_layers *s = make_layers(&def);
    rill_solid_destroy(&solid);
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 4; i++) {
            rl_layers_put(s, rl_layers_slot(s, 0, i, j), i > 1 ? 0.5 : 2.0);
            if (i > 1)
                rl_layers_put(s, rl_layers_slot(s, 1, i, j), 0.25);
        }
    return s;
}

// Both pipes of one side share its section (000.11): the covered column has what is below its
// ceiling, the open one what is above its floor.
TEST(two_columns_of_a_cell_share_the_section_of_a_side)
{
    FREED_BY(free_layers) rl_layers *s = pool_beside_two_columns();
    const size_t pool = rl_layers_slot(s, 0, 1, 1);
    rl_exchange exchange = {0};
    const double dt = 1e-3, push = 9.81 * dt / 0.25;
    rl_layers_ops.step(s, NULL, dt, &exchange);
    // Pool: level 2.5. Covered: section 0.5 to 1.5, level 0.75. Open: section 1.75 to 2.5, level
    // 2.25.
    const double covered = push * 1.0 * (2.5 - 0.75), open = push * 0.75 * (2.5 - 2.25);
    double found = 0.0;
    for (size_t n = s->cross_first[1]; n < s->cross_first[2]; n++)
        if (s->cross[n].from == pool && !s->cross[n].north)
            found += (double)s->cross_q[n];
    assert_true(fabs(found / covered - 1.0) < 1e-6);
    assert_true(fabs((double)s->qx.origin[pool] / open - 1.0) < 1e-6);

    // The pool loses both, and its velocity counts both.
    const double lost = 2.0 - ((double)s->depth.origin[pool] + (double)s->remainder.origin[pool]);
    assert_true(fabs(lost / (dt / 0.25 * (covered + open)) - 1.0) < 1e-5);
    const rill_columns c = rl_layers_ops.columns(s, NULL, NULL);
    const double liquid = 2.0 + 1.0 + 0.75; // in the faces west and east of it
    assert_true(fabs((double)c.velocity_x[pool] * fmax(liquid, 4.0) / (covered + open) - 1.0) <
                1e-2);
}

// Cross pipes that have run dry add nothing any more to rows in which liquid still moves.
TEST(cross_pipes_that_run_dry_leave_nothing_behind)
{
    FREED_BY(free_layers) rl_layers *s = pool_beside_two_columns();
    rl_exchange exchange = {0};
    run_layers(s, NULL, 5, 1e-3, &exchange);
    const float all[4] = {-9.0f, -9.0f, -9.0f, -9.0f}, some = 0.125f;
    for (int plane = 0; plane < 2; plane++)
        for (int j = 0; j < 4; j++)
            rl_layers_ops.deposit(
                s, &(rl_deposit){.layer = plane, .row = j, .count = 4, .depth = all});
    run_layers(s, NULL, 2, 1e-3, &exchange);
    assert_true(volume(s) == 0.0 && largest_flow(s) == 0.0);
    for (int j = 0; j < 4; j++)
        rl_layers_ops.deposit(
            s, &(rl_deposit){.layer = 1, .row = j, .first = 3, .count = 1, .depth = &some});
    run_layers(s, NULL, 1, 1e-3, &exchange);
    assert_true(fabs(volume(s) / (4 * 0.125 * 0.0625) - 1.0) < 1e-6);
}

// The rate at which a flow without head dies: 3 nu / H^2 above one wall, 12 nu / H^2 between two
// (000.8).
TEST(viscosity_has_one_wall_in_open_and_two_in_flooded_columns)
{
    SCOPED(rill_solid) *solid = air(8, 4, 0.25, 3.0);
    for (int j = -1; j <= 4; j++)
        for (int i = -1; i <= 8; i++) {
            const slab slabs[2] = {{DEEP, 0.25}, {0.75, 1.0}};
            set_column(solid, i, j, slabs, 2);
        }
    rill_world_def def = layers_def(8, 4, 0.25, solid);
    def.layers.passages = RILL_PASSAGES_NONE;
    def.pipes.viscosity = 0.01f;
    def.pipes.smoothing = 1.0f;
    for (int flooded = 0; flooded < 2; flooded++) {
        FREED_BY(free_layers) rl_layers *s = make_layers(&def);
        const double height = flooded ? 0.5 : 0.375, dt = 1e-3;
        for (int j = 0; j < 4; j++)
            for (int i = 0; i < 8; i++)
                rl_layers_put(s, rl_layers_slot(s, 1, i, j), height);
        const size_t slot = rl_layers_slot(s, 1, 3, 1);
        s->qx.origin[slot] = 0.01f;
        rl_exchange exchange = {0};
        rl_layers_ops.step(s, NULL, dt, &exchange);
        const double walls = flooded ? 12.0 : 3.0;
        const double kept = height * height / (height * height + walls * dt * 0.01);
        assert_true(fabs((double)s->raw_x.origin[slot] / (0.01 * kept) - 1.0) < 1e-6);
    }
}

// A film that runs down a slope of tan = 0.5 has cos^2 = 0.8 (docs/layers.md); a cliff counts as 60
// degrees.
TEST(slopes_enter_films_by_the_cosine_and_cliffs_are_limited)
{
    for (int j = 0; j < 8; j++)
        for (int i = 0; i < 8; i++)
            bed[j * 8 + i] = i < 6 ? 0.125f * (float)i : 50.0f;
    rill_world_def def = layers_def(8, 8, 0.25, NULL);
    def.bed = (rill_field_view){bed, 8, 8, 8};
    def.layers.slope_correction = 1;
    FREED_BY(free_layers) rl_layers *s = make_layers(&def);
    assert_true(fabsf(s->cosine_x.origin[rl_layers_slot(s, 0, 2, 3)] - 0.8f) < 1e-6f);
    assert_true(fabsf(s->cosine_y.origin[rl_layers_slot(s, 0, 2, 3)] - 0.8f) < 1e-6f);
    assert_true(fabsf(s->cosine_x.origin[rl_layers_slot(s, 0, 5, 3)] - 0.25f) < 1e-6f);
}

// ---- Borders ---------------------------------------------------------------------------

// A tunnel along x, 0.5 m high, from wall to eastern border, under an open plateau.
static rl_solid *tunnel(void)
{
    rl_solid *solid = air(12, 6, 0.25, 3.0);
    for (int j = -1; j <= 6; j++)
        for (int i = -1; i <= 12; i++) {
            const slab slabs[2] = {{DEEP, 0.25}, {0.75, 1.0}}, block = {DEEP, 1.0};
            const bool inside = j > 0 && j < 5;
            set_column(solid, i, j, inside ? slabs : &block, inside ? 2 : 1);
        }
    return solid;
}

TEST(a_drain_empties_a_tunnel_and_the_books_know)
{
    SCOPED(rill_solid) *solid = tunnel();
    rill_world_def def = layers_def(12, 6, 0.25, solid);
    def.border[RILL_SIDE_EAST] = RILL_BORDER_DRAIN;
    def.use_level = 1;
    def.level = 0.65f;
    FREED_BY(free_layers) rl_layers *s = make_layers(&def);
    const double before = volume(s);
    assert_true(fabs(before / (12 * 4 * 0.0625 * 0.4) - 1.0) < 1e-6);
    rl_exchange exchange = {0};
    run_layers(s, NULL, 3000, 0.02, &exchange);
    assert_true(volume(s) < 0.05 * before);
    assert_true(exchange.in == 0.0);
    assert_true(fabs(before - exchange.out - volume(s)) < 1e-6 * before);
}

TEST(a_level_beyond_the_border_fills_a_tunnel_up_to_its_ceiling)
{
    SCOPED(rill_solid) *solid = tunnel();
    for (int high = 0; high < 2; high++) {
        rill_world_def def = layers_def(12, 6, 0.25, solid);
        def.border[RILL_SIDE_EAST] = RILL_BORDER_LEVEL;
        def.border_level[RILL_SIDE_EAST] = high ? 0.9f : 0.6f;
        def.pipes.friction = 0.9f;
        def.layers.passages = RILL_PASSAGES_NONE;
        FREED_BY(free_layers) rl_layers *s = make_layers(&def);
        assert_true(s->deepest_beyond <= 0.5f); // the ghost is as high as the tunnel
        rl_exchange exchange = {0};
        run_layers(s, NULL, 20000, 0.02, &exchange);
        assert_within_ranges(s);
        for (int i = 0; i < 12; i++) {
            const size_t slot = rl_layers_slot(s, 1, i, 2);
            const double level = (double)s->base.origin[slot] + (double)s->depth.origin[slot];
            assert_true(fabs(level - (high ? 0.75 : 0.6)) < 1e-3);
        }
        assert_true(fabs(exchange.in - exchange.out - volume(s)) < 1e-6 * exchange.in);
    }
}

// ---- Deposits --------------------------------------------------------------------------

TEST(deposits_keep_to_what_a_column_holds_and_has_room_for)
{
    SCOPED(rill_solid) *solid = tunnel();
    rill_world_def def = layers_def(12, 6, 0.25, solid);
    FREED_BY(free_layers) rl_layers *s = make_layers(&def);
    const float much[3] = {9.0f, 9.0f, 9.0f}, little[3] = {0.1f, 0.2f, 0.3f},
                taken[3] = {-0.15f, -0.15f, -0.15f};
    const double area = 0.0625;
    rl_deposit d = {.layer = 1, .row = 2, .first = 4, .count = 3, .depth = much};
    assert_true(fabs(rl_layers_ops.deposit(s, &d) - 3 * 0.5 * area) < 1e-12);
    assert_within_ranges(s);
    d.row = 3;
    d.depth = little;
    assert_true(fabs(rl_layers_ops.deposit(s, &d) - 0.6 * area) < 1e-8);
    d.depth = taken;
    assert_true(fabs(rl_layers_ops.deposit(s, &d) + 0.4 * area) < 1e-8);
    d.row = 0; // there is no covered column
    d.depth = much;
    assert_true(rl_layers_ops.deposit(s, &d) == 0.0);
    d.layer = 0;
    assert_true(fabs(rl_layers_ops.deposit(s, &d) - 27.0 * area) < 1e-12);
    assert_true(fabs(volume(s) - (1.5 + 0.2 + 27.0) * area) < 1e-8);
    assert_within_ranges(s);
}

// What lands beside a wall moves the water inside alone. Above a bed, where no ceilings tell.
TEST(walls_take_no_momentum)
{
    rill_world_def def = layers_def(8, 8, 0.25, NULL);
    memset(bed, 0, sizeof bed);
    def.bed = (rill_field_view){bed, 8, 8, 8};
    def.use_level = 1;
    def.level = 0.5f;
    FREED_BY(free_layers) rl_layers *s = make_layers(&def);
    const float amount = 0.01f, momentum = 0.05f;
    for (int at = 0; at < 8; at += 7)
        rl_layers_ops.deposit(s, &(rl_deposit){.row = at,
                                               .first = at,
                                               .count = 1,
                                               .depth = &amount,
                                               .momentum_x = &momentum,
                                               .momentum_y = &momentum});
    const float *qx = s->qx.origin, *qy = s->qy.origin;
    const ptrdiff_t pitch = (ptrdiff_t)s->qx.pitch, last = 7 * pitch + 7;
    assert_true(qx[-1] == 0.0f && qy[-pitch] == 0.0f && qx[last] == 0.0f && qy[last] == 0.0f);
    assert_true(qx[0] > 0.0f && qy[0] > 0.0f && qx[last - 1] > 0.0f && qy[last - pitch] > 0.0f);
}

TEST(the_layer_at_an_elevation_is_the_one_that_holds_it)
{
    SCOPED(rill_solid) *solid = tunnel();
    rill_world_def def = layers_def(12, 6, 0.25, solid);
    FREED_BY(free_layers) rl_layers *s = make_layers(&def);
    assert_int_equal(rl_layers_ops.solids->layer_at(s, 3, 2, 0.5f), 1);
    assert_int_equal(rl_layers_ops.solids->layer_at(s, 3, 2, 0.9f), 1); // in the plate above it
    assert_int_equal(rl_layers_ops.solids->layer_at(s, 3, 2, 1.0f), 0);
    assert_int_equal(rl_layers_ops.solids->layer_at(s, 3, 2, 1e9f), 0);
    assert_int_equal(rl_layers_ops.solids->layer_at(s, 3, 2, -1.0f), 1); // the lowest
    assert_int_equal(rl_layers_ops.solids->layer_at(s, 3, 0, 0.5f), 0);
}

// ---- Making it -------------------------------------------------------------------------

TEST(too_many_columns_name_the_cell_or_leave_the_widest)
{
    SCOPED(rill_solid) *solid = air(8, 8, 0.25, 4.0);
    for (int j = -1; j <= 8; j++)
        for (int i = -1; i <= 8; i++) {
            const slab slabs[3] = {{DEEP, 0.25}, {0.75, 1.0}, {2.5, 2.75}};
            set_column(solid, i, j, slabs, i == 5 && j == 2 ? 3 : 2);
        }
    rill_world_def def = layers_def(8, 8, 0.25, solid);
    def.layers.max_layers = 2;
    void *self = NULL;
    assert_int_equal(rl_layers_ops.create(&def, best_isa(), &self), RILL_BAD_DEF);
    assert_null(self);
    assert_sentence_has("(5, 2)");
    assert_sentence_has("3 columns");
    def.layers.on_more = RILL_MORE_WIDEST;
    FREED_BY(free_layers) rl_layers *s = make_layers(&def);
    const size_t covered = rl_layers_slot(s, 1, 5, 2);
    assert_true(s->base.origin[covered] == 1.0f && s->range_max.origin[covered] == 2.5f);
    assert_true(s->base.origin[rl_layers_slot(s, 0, 5, 2)] == 2.75f);
}

TEST(creation_survives_every_lack_of_memory)
{
    SCOPED(rill_solid) *solid = tunnel();
    rill_world_def def = layers_def(12, 6, 0.25, solid);
    def.layers.slope_correction = 1;
    for (int fail_at = 1;; fail_at++) {
        counter count = {.fail_at = fail_at};
        def.host = counting_host(&count);
        void *self = NULL;
        const rill_status status = rl_layers_ops.create(&def, best_isa(), &self);
        if (status == RILL_OK) {
            assert_true(fail_at > 20);
            assert_true(rl_layers_ops.memory(self) == count.bytes);
            rl_layers_ops.destroy(&def.host.allocator, &self);
            assert_int_equal(count.bytes, 0);
            break;
        }
        assert_int_equal(status, RILL_NO_MEMORY);
        assert_null(self);
        assert_int_equal(count.bytes, 0);
    }
}

TEST(a_step_allocates_nothing)
{
    SCOPED(rill_solid) *solid = caves(0.0);
    counter count = {0};
    rill_world_def def = layers_def(N, N, 0.25, solid);
    def.host = counting_host(&count);
    def.use_level = 1;
    def.level = 1.3f;
    FREED_BY(free_layers) rl_layers *s = make_layers(&def);
    const int calls = count.calls;
    rl_exchange exchange = {0};
    double lost;
    for (int n = 0; n < 20; n++) {
        shake(s, n);
        run_layers(s, NULL, 1, 0.02, &exchange);
        rl_layers_ops.columns(s, NULL, NULL);
        assert_ok(rl_layers_ops.solids->recut(s, solid, n, 3, n + 9, 12, &lost));
    }
    assert_int_equal(count.calls, calls);
}

// ---- Repeatability ---------------------------------------------------------------------

static uint64_t shaken_run(rl_isa isa, rl_jobs *jobs, const void *context)
{
    const rill_world_def *def = context;
    void *self = make_solver(&rl_layers_ops, def, isa);
    for (int round = 0; round < 150; round++) {
        shake(self, round);
        run_layers(self, jobs, 1, 0.02, NULL);
    }
    const uint64_t hash = hash_state(self);
    rl_layers_ops.destroy(&def->host.allocator, &self);
    return hash;
}

TEST(threads_and_instruction_sets_do_not_show_in_the_bits)
{
    SCOPED(rill_solid) *solid = caves(0.0);
    for (int variant = 0; variant < 3; variant++) {
        rill_world_def def = layers_def(N, N, 0.25, solid);
        choose_variant(&def, variant);
        def.layers.slope_correction = variant == 1;
        assert_same_on_some_isas(shaken_run, &def);
    }
}

// Saves the state, goes on, goes back and goes on again: the same future, to the last bit.
TEST(a_restored_state_has_the_same_future)
{
    SCOPED(rill_solid) *solid = caves(0.0);
    rill_world_def def = layers_def(N, N, 0.25, solid);
    choose_variant(&def, 1);
    FREED_BY(free_layers) rl_layers *s = make_layers(&def);
    rl_exchange exchange = {0};
    for (int round = 0; round < 60; round++) {
        shake(s, round);
        run_layers(s, NULL, 1, 0.02, &exchange);
    }
    rill_state_array arrays[RL_MAX_STATE_ARRAYS];
    const int count = rl_layers_ops.state(s, arrays);
    float *saved[RL_MAX_STATE_ARRAYS];
    for (int n = 0; n < count; n++) {
        saved[n] = malloc(arrays[n].rows * arrays[n].width * sizeof(float));
        for (size_t row = 0; row < arrays[n].rows; row++)
            memcpy(saved[n] + row * arrays[n].width, arrays[n].data + row * arrays[n].pitch,
                   arrays[n].width * sizeof(float));
    }
    uint64_t hash[2];
    for (int time = 0; time < 2; time++) {
        for (int round = 0; round < 40; round++) {
            run_layers(s, NULL, 1, 0.02, &exchange);
            shake(s, round);
        }
        hash[time] = hash_state(s);
        for (int n = 0; n < count; n++)
            for (size_t row = 0; row < arrays[n].rows; row++)
                memcpy(arrays[n].data + row * arrays[n].pitch, saved[n] + row * arrays[n].width,
                       arrays[n].width * sizeof(float));
        rl_layers_ops.state_changed(s);
    }
    assert_true(hash[0] == hash[1]);
    for (int n = 0; n < count; n++)
        free(saved[n]);
}
