// SPDX-License-Identifier: MIT
// Ground that changes under the layers water: where the liquid goes, and that none is lost.
#include "tests/kit/kit.h"
#include "tests/solvers/layers/layers_worlds.h"

#define SIDE 20
#define DX   0.25

// A pool on flat ground at 0.5 m, with liquid up to `level`.
static rl_solid *flat_ground(void)
{
    rl_solid *solid = air(SIDE, SIDE, DX, 4.0);
    for (int j = -1; j <= SIDE; j++)
        for (int i = -1; i <= SIDE; i++)
            set_column(solid, i, j, &(slab){DEEP, 0.5}, 1);
    return solid;
}

static rl_layers *pool(const rl_solid *solid, float level)
{
    rill_world_def def = layers_def(SIDE, SIDE, DX, solid);
    def.use_level = 1;
    def.level = level;
    return make_layers(&def);
}

static double content(const rl_layers *s, int plane, int i, int j)
{
    const size_t slot = rl_layers_slot(s, plane, i, j);
    return (double)s->depth.origin[slot] + (double)s->remainder.origin[slot];
}

static double level_at(const rl_layers *s, int plane, int i, int j)
{
    return (double)s->base.origin[rl_layers_slot(s, plane, i, j)] + content(s, plane, i, j);
}

// Cuts a box anew and checks that no liquid came or went.
static void recut(rl_layers *s, const rl_solid *solid, int i0, int j0, int i1, int j1)
{
    const double before = volume(s);
    double lost = 1.0;
    assert_ok(rl_layers_ops.solids->recut(s, solid, i0, j0, i1, j1, &lost));
    assert_true(lost == 0.0);
    assert_true(fabs(volume(s) - before) <= 1e-12 * before);
    assert_within_ranges(s);
}

// A list made from nothing is the measure of one that was changed bit by bit.
static void assert_as_if_new(rl_layers *s, const rl_solid *solid)
{
    rill_world_def def = layers_def(s->nx, s->ny, s->cell_size, solid);
    def.layers = s->def;
    memcpy(def.border, s->border, sizeof def.border);
    memcpy(def.border_level, s->border_level, sizeof def.border_level);
    FREED_BY(free_layers) rl_layers *fresh = make_layers(&def);
    for (int plane = 0; plane < s->planes; plane++)
        for (int j = 0; j < s->ny; j++) {
            const size_t row = rl_layers_slot(s, plane, 0, j), bytes = (size_t)s->nx * 4;
            assert_memory_equal(s->base.origin + row, fresh->base.origin + row, bytes);
            assert_memory_equal(s->range_min.origin + row, fresh->range_min.origin + row, bytes);
            assert_memory_equal(s->range_max.origin + row, fresh->range_max.origin + row, bytes);
            assert_memory_equal(rl_layers_span_of(s, plane, j), rl_layers_span_of(fresh, plane, j),
                                sizeof(rl_layers_span));
            if (s->def.slope_correction) {
                assert_memory_equal(s->cosine_x.origin + row, fresh->cosine_x.origin + row, bytes);
                assert_memory_equal(s->cosine_y.origin + row, fresh->cosine_y.origin + row, bytes);
            }
        }
    assert_int_equal(s->cross_count, fresh->cross_count);
    if (s->cross_count > 0)
        assert_memory_equal(s->cross, fresh->cross, s->cross_count * sizeof *s->cross);
    assert_memory_equal(s->cross_first, fresh->cross_first,
                        (size_t)(s->ny + 1) * sizeof *s->cross_first);
    assert_memory_equal(s->crossed, fresh->crossed, (size_t)s->planes * (size_t)(s->ny + 2));
}

// ---- Where the liquid goes -------------------------------------------------------------

TEST(a_raised_floor_lifts_the_liquid_above_it)
{
    SCOPED(rill_solid) *solid = flat_ground();
    FREED_BY(free_layers) rl_layers *s = pool(solid, 1.5f);
    set_column(solid, 7, 7, &(slab){DEEP, 0.75}, 1);
    recut(s, solid, 7, 7, 8, 8);
    assert_true(fabs(level_at(s, 0, 7, 7) - 1.75) < 1e-6);
    assert_true(content(s, 0, 6, 7) == 1.0);

    // A film that the new floor covers altogether lies on it again.
    FREED_BY(free_layers) rl_layers *film = pool(solid, 0.53125f);
    set_column(solid, 3, 3, &(slab){DEEP, 0.625}, 1);
    recut(film, solid, 0, 0, SIDE, SIDE);
    assert_true(content(film, 0, 3, 3) == 0.03125);
}

TEST(a_lowered_floor_lets_the_liquid_down)
{
    SCOPED(rill_solid) *solid = flat_ground();
    FREED_BY(free_layers) rl_layers *s = pool(solid, 1.5f);
    set_column(solid, 7, 7, &(slab){DEEP, 0.25}, 1);
    recut(s, solid, 6, 6, 9, 9);
    assert_true(level_at(s, 0, 7, 7) == 1.25);
}

// A plate in the middle of the liquid: what was below and above it stays, what it pushes away lies
// on top.
TEST(a_plate_in_a_pool_leaves_liquid_below_and_above_it)
{
    SCOPED(rill_solid) *solid = flat_ground();
    FREED_BY(free_layers) rl_layers *s = pool(solid, 1.5f);
    const slab slabs[2] = {{DEEP, 0.5}, {0.75, 1.0}};
    for (int j = 5; j < 10; j++)
        for (int i = 5; i < 10; i++)
            set_column(solid, i, j, slabs, 2);
    recut(s, solid, 5, 5, 10, 10);
    assert_as_if_new(s, solid);
    assert_true(fabs(content(s, 1, 7, 7) - 0.25) < 1e-6);
    assert_true(fabs(content(s, 0, 7, 7) - 0.75) < 1e-6);
    assert_true(s->cross_count == 4 * 5);

    // And away again.
    for (int j = 5; j < 10; j++)
        for (int i = 5; i < 10; i++)
            set_column(solid, i, j, slabs, 1);
    recut(s, solid, 4, 4, 11, 11);
    assert_as_if_new(s, solid);
    assert_true(fabs(level_at(s, 0, 7, 7) - 1.5) < 1e-6);
    assert_true(s->cross_count == 0);
}

// A pillar from the floor to far above the pool: its liquid is not lifted but gives way, evenly
// where the ground is even.
TEST(a_column_that_vanishes_gives_its_liquid_to_its_neighbours)
{
    SCOPED(rill_solid) *solid = flat_ground();
    FREED_BY(free_layers) rl_layers *s = pool(solid, 1.5f);
    set_column(solid, 7, 7, &(slab){DEEP, 3.0}, 1);
    const double stable = rl_layers_ops.stable_step(s);
    recut(s, solid, 7, 7, 8, 8);
    assert_true(content(s, 0, 7, 7) == 0.0);
    assert_true(rl_layers_ops.stable_step(s) < 0.95 * stable); // it is deeper now
    const int around[4][2] = {{8, 7}, {6, 7}, {7, 8}, {7, 6}};
    for (int n = 0; n < 4; n++)
        assert_true(fabs(content(s, 0, around[n][0], around[n][1]) - 1.25) < 1e-6);
    assert_true(content(s, 0, 9, 7) == 1.0);

    // The middle of a wide pillar is far from any neighbour.
    for (int j = 2; j < 13; j++)
        for (int i = 2; i < 13; i++)
            set_column(solid, i, j, &(slab){DEEP, 3.0}, 1);
    recut(s, solid, 2, 2, 13, 13);
    for (int j = 2; j < 13; j++)
        for (int i = 2; i < 13; i++)
            assert_true(content(s, 0, i, j) == 0.0);
}

// Caves have room for so much and no more; the last resort is the open column above.
TEST(liquid_without_room_in_a_cave_is_found_above_it)
{
    SCOPED(rill_solid) *solid = flat_ground();
    const slab cave[2] = {{DEEP, 0.5}, {1.0, 2.0}}, filled = {DEEP, 2.0};
    for (int j = -1; j <= SIDE; j++)
        for (int i = -1; i <= SIDE; i++)
            set_column(solid, i, j, abs(i - 8) < 3 && abs(j - 8) < 3 ? cave : &filled,
                       abs(i - 8) < 3 && abs(j - 8) < 3 ? 2 : 1);
    FREED_BY(free_layers) rl_layers *s = pool(solid, 1.0f);
    assert_true(content(s, 1, 8, 8) == 0.5 && content(s, 0, 8, 8) == 0.0);
    rl_layers_put(s, rl_layers_slot(s, 1, 9, 8), 0.25);
    set_column(solid, 8, 8, &filled, 1);
    recut(s, solid, 8, 8, 9, 9);
    assert_true(fabs(content(s, 1, 9, 8) - 0.5) < 1e-6);
    assert_true(fabs(content(s, 0, 8, 8) - 0.25) < 1e-6);
}

// ---- Flow ------------------------------------------------------------------------------

TEST(discharges_stay_where_columns_still_join)
{
    SCOPED(rill_solid) *solid = flat_ground();
    const slab plate[2] = {{DEEP, 0.5}, {1.0, 1.5}};
    for (int j = 4; j < 12; j++)
        for (int i = 4; i < 12; i++)
            set_column(solid, i, j, plate, 2);
    FREED_BY(free_layers) rl_layers *s = pool(solid, 1.875f);
    for (int n = 0; n < 3; n++)
        for (int j = 0; j < SIDE; j++)
            for (int i = 0; i < SIDE - 1; i++)
                if (rl_layers_live(s, rl_layers_slot(s, 1, i, j)) &&
                    rl_layers_live(s, rl_layers_slot(s, 1, i + 1, j)))
                    s->qx.origin[rl_layers_slot(s, 1, i, j)] = 0.01f;
    for (size_t n = 0; n < s->cross_count; n++)
        s->cross_q[n] = 0.02f;
    const size_t pipes = s->cross_count;
    set_column(solid, 7, 7, &(slab){DEEP, 1.5}, 1); // fills the cave there
    recut(s, solid, 7, 7, 8, 8);
    assert_as_if_new(s, solid);
    assert_true(s->qx.origin[rl_layers_slot(s, 1, 6, 7)] == 0.0f);
    assert_true(s->qx.origin[rl_layers_slot(s, 1, 7, 7)] == 0.0f);
    assert_true(s->qx.origin[rl_layers_slot(s, 1, 5, 7)] == 0.01f);
    assert_true(s->qx.origin[rl_layers_slot(s, 1, 8, 7)] == 0.01f);
    assert_int_equal(s->cross_count, pipes);
    for (size_t n = 0; n < pipes; n++)
        assert_true(s->cross_q[n] == 0.02f);

    // A corner of the plate goes: its pipes go, others come without flow.
    set_column(solid, 4, 4, plate, 1);
    recut(s, solid, 3, 3, 6, 6);
    assert_as_if_new(s, solid);
    for (size_t n = 0; n < s->cross_count; n++) {
        const size_t i = s->cross[n].from % s->base.pitch;
        const size_t j = s->cross[n].from / s->base.pitch % s->plane_rows;
        const bool is_new = (i == 4 || i == 5) && (j == 4 || j == 5) && i + j < 11 &&
                            s->cross[n].from == rl_layers_slot(s, 0, 4, 4);
        assert_true(s->cross_q[n] == (is_new ? 0.0f : 0.02f));
    }
    for (size_t n = s->cross_count; n < s->cross_capacity; n++)
        assert_true(s->cross_q[n] == 0.0f);
}

// A bar goes back and forth through the caves, up and down, while the liquid runs.
TEST(a_solid_that_moves_through_the_liquid_keeps_the_books_closed)
{
    for (int variant = 0; variant < 2; variant++) {
        SCOPED(rill_solid) *ground = caves(0.0), *solid = NULL;
        assert_ok(rl_solid_copy(ground, NULL, &solid));
        rill_world_def def = layers_def(CAVES, CAVES, DX, solid);
        def.use_level = 1;
        def.level = 1.3f;
        def.layers.slope_correction = variant;
        def.layers.max_layers = 8;
        def.border[RILL_SIDE_WEST] = variant ? RILL_BORDER_LEVEL : RILL_BORDER_WALL;
        def.border_level[RILL_SIDE_WEST] = 1.1f;
        FREED_BY(free_layers) rl_layers *s = make_layers(&def);
        const double before = volume(s);
        rl_exchange exchange = {0};
        int was = 0;
        for (int n = 0; n < 400; n++) {
            const int at = (int)(15.0 + 14.9 * sin(0.05 * n));
            const double low = 1.2 + 1.1 * sin(0.11 * n);
            memcpy(solid->distance, ground->distance, solid->bytes);
            for (int j = 4; j < 30; j++)
                for (int i = at; i < at + 6; i++) {
                    float *column = rl_solid_column(solid, i, j);
                    for (int k = 0; k < solid->nz; k++) {
                        const double z = solid->bottom + k * DX;
                        column[k] = fminf(column[k], (float)fmax(low - z, z - low - 0.5));
                    }
                }
            const int first = at < was ? at : was, end = at > was ? at + 6 : was + 6;
            recut(s, solid, first, 4, end, 30);
            was = at;
            run_layers(s, NULL, 2, 0.02, &exchange);
        }
        assert_as_if_new(s, solid);
        assert_within_ranges(s);
        assert_true(fabs(volume(s) - (before + exchange.in - exchange.out)) < 1e-6 * before);
    }
}

// ---- Failure ---------------------------------------------------------------------------

TEST(a_cut_that_fails_changes_nothing)
{
    SCOPED(rill_solid) *solid = caves(0.0);
    rill_world_def def = layers_def(CAVES, CAVES, DX, solid);
    def.use_level = 1;
    def.level = 1.3f;
    def.layers.max_layers = 3;
    FREED_BY(free_layers) rl_layers *s = make_layers(&def), *twin = make_layers(&def);
    rl_exchange exchange = {0};
    run_layers(s, NULL, 20, 0.02, &exchange);
    run_layers(twin, NULL, 20, 0.02, &exchange);
    const uint64_t before = hash_state(s);

    const slab slabs[4] = {{DEEP, 0.5}, {1.0, 1.25}, {1.75, 2.0}, {2.5, 2.75}};
    set_column(solid, 17, 15, slabs, 4);
    set_column(solid, 12, 14, slabs, 2);
    double lost = 1.0;
    assert_int_equal(rl_layers_ops.solids->recut(s, solid, 10, 10, 20, 20, &lost), RILL_BAD_DEF);
    assert_sentence_has("(17, 15)");
    assert_true(lost == 0.0 && hash_state(s) == before);
    // Too many cross pipes.
    set_column(solid, 17, 15, slabs, 1);
    const size_t capacity = s->cross_capacity;
    s->cross_capacity = s->cross_count;
    assert_int_equal(rl_layers_ops.solids->recut(s, solid, 10, 10, 20, 20, &lost), RILL_NO_MEMORY);
    s->cross_capacity = capacity;
    assert_true(lost == 0.0 && hash_state(s) == before);
    // Nor does it show later.
    run_layers(s, NULL, 20, 0.02, &exchange);
    run_layers(twin, NULL, 20, 0.02, &exchange);
    assert_true(hash_state(s) == hash_state(twin));
}
